/* kernels.h - what XLA's compiler for CPUs runs in a block, in which order, and what memory that
 * takes. Internal to cost. */
#ifndef TESS_COST_KERNELS_H
#define TESS_COST_KERNELS_H

#include "cost/live.h"

/* The result of a kernel: a value, or a copy of one. */
typedef struct buffer {
	const value *v;
	const type *t;
	int64_t bytes;
	int by;             /* the kernel that writes it; -1: an argument of the block */
	int after;          /* the buffer whose memory it always shares; -1: none */
	int from, to;       /* when it lives, as places of the order; -1: before the block */
	int taken_at;       /* from this place on another buffer has its memory; 0: none has */
	const value *donor; /* of a result, the argument whose memory it has; NULL: none */
	bool fixed;         /* an argument of main: neither freed nor overwritten */
	bool returned;      /* it is in the memory of a result */
	bool kept;          /* it is counted with the operation around the block */
	bool lent;          /* it is in the memory of a result that is not written yet */
	int wide;           /* of half precision: the buffer of its copy in 32 bits, + 1 */
	int reader,
		read_at; /* the kernel that was last found to read it, and where in the inputs */
} buffer;

/* A buffer that a kernel reads. */
typedef struct kernel_input {
	int buffer;
	bool in_step; /* elementwise: element i is read when element i is written */
} kernel_input;

/* An operation with those fused into it; or a copy that is made for it. */
typedef struct cpu_kernel {
	const op *o;
	bool copies;
	int first_input, n_inputs;
	int first_output, n_outputs;
	int with;    /* number of the group of kernels that run as one, from 1 on; 0: none */
	int missing; /* number of inputs that are not available yet */
	int at;      /* when it runs */
} cpu_kernel;

typedef struct cpu_block {
	mem_walk *w;
	const block *b;
	VEC(cpu_kernel) kernels; /* in program order; the last one ends the block */
	VEC(buffer) buffers;
	VEC(kernel_input) inputs;
	int n_with;
	int *order; /* the kernels in the order in which they run */
	const op *
		outer; /* the operation of the outermost block around this one; NULL: this is the
		        * outermost */
	int begin, end;          /* when its first and last kernel run */
	bool begun;              /* the first kernel has run, in the search for the peak */
	int *first_user, *users; /* by buffer, the kernels that read it, in program order */
	int *visited, *pending;  /* [kernels]: the search for dependences that visited it last;
				  * those still to be visited */
	int searches;
	int64_t effort; /* how many steps such searches may still take */
} cpu_block;

/* Returns the size of a value in memory, twice as much if `wide`; 0 if it fits a register. */
int64_t written_bytes(const mem_walk *w, const value *v, bool wide);
/* Finds the kernels of a block, and what they read and write. */
void find_kernels(cpu_block *c);
/* Finds which kernels read each buffer, once all kernels are known. */
void find_users(cpu_block *c);
/* Puts the kernels into the order in which they run (order.c). */
void order_kernels(cpu_block *c);
/* True if kernel k is kernel `before`, or depends on it. When the searches for that have taken too
 * many steps, the order of the program decides. */
bool kernel_needs(cpu_block *c, int k, int before);
/* True if a product, or the only operation that reads it, reads the buffer in another shape. */
bool is_reshaped(const cpu_block *c, const buffer *b);
/* True if a convolution writes its result (2), or reads operand i, in the library's order. */
bool convolves_in_order(const module *m, const op *o, int i);
/* Returns the buffer in whose memory this one always is. */
int home_of(const cpu_block *c, int buffer);
/* True if kernel k reads the memory in step, so that it may write its result there. */
bool reads_in_step(const cpu_block *c, int k, int home);

#endif
