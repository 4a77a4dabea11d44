/* cluster.h - which operations run as one kernel. Internal to cost.
 *
 * A compiler fuses operations, so that the values between them are neither written nor read.
 * fusing.c decides for each operation whether its users compute its result themselves. cluster.c
 * makes a cluster of each operation whose result is stored and the operations that are fused into
 * it, and counts what the cluster reads and writes. efficiency.c says what share of a machine's
 * peak rate it reaches.
 *
 * An operation may be in up to MOST_ROOTS clusters; it is computed in each of them. */
#ifndef TESS_COST_CLUSTER_H
#define TESS_COST_CLUSTER_H

#include "cost/cost.h"
#include "cost/memory.h"

enum { MOST_ROOTS = 8, MOST_INPUTS = 4 };

/* What is decided for an operation: the last operations ("roots") of the clusters that it is in. The two
 * lists come first: what follows them is cleared at the start, they are not. */
typedef struct fused_op {
	const op *roots[MOST_ROOTS];
	const value *inputs[MOST_INPUTS]; /* what it would read as a loop into which everything
					   * before it is fused */
	uint8_t n_roots; /* 0: it does not run, because it only renames a buffer or is unused */
	uint8_t n_inputs;
	uint16_t copies; /* copies of its code, each for other indices, in its largest cluster */
	bool fused;      /* users that can compute it do so */
	bool stored;     /* it is written, for other users or as the root of a cluster */
	bool read_once;  /* one operation reads it, and so on up to the root of its cluster */
	/* The library call that it is in (0: none), and the last operation of that call. */
	int library;
	const op *library_root;
	/* Of a root: what is in its cluster. */
	bool has_product;
	uint8_t reduced; /* number of trailing dimensions of the rows that it reduces inside; 0:
			  * none */
	uint8_t as_they_lie; /* of a product of matrices, see operands_as_they_lie() */
} fused_op;

typedef struct fusing {
	const module *m;
	arena *mem;
	bool cpu;     /* fuses as XLA's compiler for CPUs does, not as the one for GPUs */
	fused_op *at; /* [n_ops] */
} fusing;

/* Decides for a block whose operations run one by one; blocks inside its operations are left
 * out. */
void fuse_block(fusing *f, const block *b);
/* Finds the operations of the block that a library computes as one kernel (library.c). */
void find_library_kernels(fusing *f, const block *b);
/* True if a transposition swaps only the last two dimensions: products read matrices in either
 * order (library.c). */
bool swaps_last_two(const module *m, const op *o);
/* True if the op only gives a buffer another name or type. */
bool op_renames(const op *o);
/* True if the op makes a constant, positions, or repeats a small value: each user makes that
 * itself. */
bool reads_little(const op *o);
/* True if the op reads one value (besides such small ones) that is no larger than its result. */
bool reads_one_no_larger(const op *o);
/* The value whose buffer this is, behind ops that only rename it. */
const value *value_behind(const value *v);
/* True if `o`, which ends a cluster or is fused, computes operand k itself. */
bool makes_operand(const fusing *f, const op *o, int k);

/* True if windows of a reduction overlap so little that their elements may be computed inside
 * them. */
bool windows_are_apart(const module *m, const op *o);
/* True if a product keeps no dimension of operand k with more than one element: it sums over it, or
 * pairs it with the other operand. */
bool product_keeps_nothing(const op *o, int k, const dot_dims *d);
/* Finds which operands a product of matrices (dot_general) reads in their order in memory: a bit
 * for each (products.c). Such an operand has first the dimensions that both operands have, then
 * those that the product keeps and those that it sums, or the last two the other way round. Other
 * operands are first copied into that order. */
unsigned operands_as_they_lie(const fusing *f, const op *o);
/* True if it reads operand k in its order in memory. Its block must have been fused. */
static inline bool reads_as_it_lies(const fusing *f, const op *o, int k)
{
	return f->at[o->id].as_they_lie >> k & 1;
}

/* What the compiler reads and writes for an operation in addition to its operands and results, and
 * the memory that it needs for that (besides.c). */
double bytes_besides(const fusing *f, const op *o);
int64_t scratch_besides(const fusing *f, const op *o);
/* Number of copies of all elements that a running sum makes, one after the other; 0 for other
 * operations. */
int running_copies(const fusing *f, const op *o);
/* True if a result of main is written in the order of the operand, and then copied. */
bool is_copied_result(const op *o);
/* True for half precision, which CPUs compute in 32 bits. */
bool is_half(const value *v);

/* The rate that a product reaches as a share of what large products reach on that machine, in (0,
 * 1]. */
double product_share(const module *m, const target *t, const op *o);

#endif
