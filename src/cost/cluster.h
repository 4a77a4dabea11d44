/* cluster.h - which operations run as one kernel; inside cost.
 *
 * A compiler fuses operations, so that what lies between them is neither written nor read.  fusing.c
 * decides, for each operation, whether those who read its result make it themselves; cluster.c makes a
 * cluster of each operation that is stored and what is fused into it, and counts what enters and
 * leaves; efficiency.c says what share of a machine's rate it reaches.
 *
 * An operation belongs to at most MOST_ROOTS clusters: it is computed in each of them. */
#ifndef TESS_COST_CLUSTER_H
#define TESS_COST_CLUSTER_H

#include "cost/cost.h"
#include "cost/memory.h"

enum { MOST_ROOTS = 8, MOST_INPUTS = 4 };

/* Of one operation: the ends of the clusters that it is in. */
typedef struct fused_op {
	const op *roots[MOST_ROOTS];
	const value *inputs[MOST_INPUTS]; /* what a loop with all before it fused would read */
	uint8_t n_roots; /* 0: it runs nowhere, as what only renames, or is not used */
	uint8_t n_inputs;
	uint16_t copies; /* of its code, each for another index, in the largest of its clusters */
	bool fused;      /* those who can make it themselves */
	bool stored;     /* it is written: for others, or it ends a cluster */
	bool read_once;  /* it, and what is made of it up to the end of its cluster, by one operation each */
	/* The kernel of a library that it is in: its number, 0: none, and the operation that ends it. */
	int library;
	const op *library_root;
	/* Of the end of a cluster: what is in it. */
	bool has_product;
	uint8_t reduced; /* so many trailing dimensions of the rows that it reduces inside; 0: none */
} fused_op;

typedef struct fusing {
	const module *m;
	arena *mem;
	bool cpu;     /* as XLA's CPU compiler fuses, not as that for GPUs */
	fused_op *at; /* [n_ops] */
} fusing;

/* Of a block whose operations run one by one; blocks inside of it are not looked at. */
void fuse_block(fusing *f, const block *b);
/* Which operations of the block a library computes as one kernel (library.c). */
void find_library_kernels(fusing *f, const block *b);
/* Whether a transposition changes the last two dimensions alone: products read matrices in either order
 * (library.c). */
bool swaps_last_two(const module *m, const op *o);
/* Whether it only gives a buffer another name or type. */
bool op_renames(const op *o);
/* Whether it makes constants, positions, or small data repeated: each reader makes that itself. */
bool reads_little(const op *o);
/* Whether it reads one value, besides such, no larger than its result. */
bool reads_one_no_larger(const op *o);
/* The value whose buffer this is: seen through what only renames it. */
const value *value_behind(const value *v);
/* Whether `o`, which ends a cluster or is fused, makes the value itself. */
bool makes_operand(const fusing *f, const op *o, int k);

/* Whether windows of a reduction overlap so little that what they read may be made in them. */
bool windows_are_apart(const module *m, const op *o);
/* Whether a product keeps no dimension of operand k, but of one element: it sums over it, or pairs it. */
bool product_keeps_nothing(const op *o, int k, const dot_dims *d);
/* Whether a product of matrices reads operand k as it lies: first what both have, then what it keeps
 * and what it sums, or the other way round.  Otherwise it is brought into that order first. */
bool reads_as_it_lies(const fusing *f, const op *o, int k);

/* What the compiler reads and writes for an operation besides its operands and results, and the memory
 * that it needs for that (besides.c). */
double bytes_besides(const fusing *f, const op *o);
int64_t scratch_besides(const fusing *f, const op *o);
/* How many copies of all elements a running sum makes, one after the other; of other operations 0. */
int running_copies(const fusing *f, const op *o);
/* Whether a result of main is written in the order of the operand, and then copied. */
bool is_copied_result(const op *o);
/* Half precision, which CPUs compute in 32 bits. */
bool is_half(const value *v);

/* Share of the peak rate that a product reaches beside what the machine's large ones do, in (0, 1]. */
double product_share(const module *m, const target *t, const op *o);

#endif
