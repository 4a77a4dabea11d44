/* kernels.h - what XLA's compiler for CPUs runs in a block, in which order, and what that keeps in
 * memory; inside cost. */
#ifndef TESS_COST_KERNELS_H
#define TESS_COST_KERNELS_H

#include "cost/live.h"

/* What a kernel writes: a value, or a copy of one. */
typedef struct buffer {
	const value *v;
	const type *t;
	int64_t bytes;
	int by;             /* the kernel that writes it; -1: an argument of the block */
	int after;          /* the buffer in whose memory it is written in any case; -1: none */
	int from, to;       /* when it lives, in places of the order; -1: before the block */
	int taken_at;       /* from then on another one has its memory; 0: none does */
	const value *donor; /* of a result: the argument whose memory it has; NULL: none */
	bool fixed;         /* an argument of main: it is neither freed nor overwritten */
	bool returned;      /* it lies in the memory of a result */
	bool kept;          /* it is counted with the operation around the block */
	bool lent;          /* it lies in the memory of a result that is not written yet */
	int wide;           /* of half precision: its copy in 32 bits + 1 */
	int reader,
		read_at; /* the kernel that was last found to read it, and where in the inputs */
} buffer;

/* A buffer that a kernel reads. */
typedef struct kernel_input {
	int buffer;
	bool in_step; /* each element where one is written, and in no other order */
} kernel_input;

/* An operation with what is fused into it; or a copy that is made for it. */
typedef struct cpu_kernel {
	const op *o;
	bool copies;
	int first_input, n_inputs;
	int first_output, n_outputs;
	int with;    /* the kernels with which it is one, from 1 on; 0: none */
	int missing; /* inputs that are not there yet */
	int at;      /* when it runs */
} cpu_kernel;

typedef struct cpu_block {
	mem_walk *w;
	const block *b;
	VEC(cpu_kernel) kernels; /* in program order; the last one ends the block */
	VEC(buffer) buffers;
	VEC(kernel_input) inputs;
	int n_with;
	int *order; /* kernels as they run */
	const op *
		outer; /* the operation of the outermost block in whose regions it is; NULL: none */
	int begin, end;          /* when the first and the last one run */
	bool begun;              /* while the peak is looked for: the first one has run */
	int *first_user, *users; /* by buffer, the kernels that read it, in program order */
	int *visited, *pending;  /* [kernels]: by which search for dependences; what it has still to
	                            look at */
	int searches;
	int64_t effort; /* that such searches may still take */
} cpu_block;

/* What a value takes in memory, `wide` in twice as many bits; nothing if it fits a register. */
int64_t written_bytes(const mem_walk *w, const value *v, bool wide);
/* Finds what runs, and what it reads and writes. */
void find_kernels(cpu_block *c);
/* By buffer, who reads it; once all kernels have been found. */
void find_users(cpu_block *c);
/* Puts them into the order in which they run (order.c). */
void order_kernels(cpu_block *c);
/* Whether kernel k is, or needs what is written by, kernel `before`.  Once looking for that has
 * taken too long, the order of the program decides. */
bool kernel_needs(cpu_block *c, int k, int before);
/* Whether what is written is seen in another shape by a product, or by the one operation that reads
 * it. */
bool is_reshaped(const cpu_block *c, const buffer *b);
/* Whether a convolution gives its result, 2, or takes an operand, in the order of the library. */
bool convolves_in_order(const module *m, const op *o, int i);
/* Where the memory lies that a buffer is written into in any case. */
int home_of(const cpu_block *c, int buffer);
/* Whether kernel k reads the memory in step, so that it may write there. */
bool reads_in_step(const cpu_block *c, int k, int home);

#endif
