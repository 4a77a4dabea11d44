/* rewrite.h - local rewriting to a fixed point.
 *
 * A worklist of ops, last in, first out, filled so that the first pops come in pre-order. An op
 * whose neighbors changed is pushed again; one that already waits keeps its place. Unused ops
 * without side effects are erased when they pop. */
#ifndef TESS_OP_SIMPLIFY_REWRITE_H
#define TESS_OP_SIMPLIFY_REWRITE_H

#include "op/op.h"

typedef struct rewriter {
	module *m;
	arena *mem;
	VEC(op *) stack;   /* NULL: the op was erased */
	VEC(int) position; /* by op id: index in the stack, plus one; 0: not waiting */
	op *next;          /* the next op that has not popped yet; NULL: none */
	bool again;        /* an op that has popped may have become simpler */
	VEC(int) order;    /* by op id: in its block; 0: not known */
} rewriter;

/* Tries to simplify one op. Returns true if anything changed (`o` may be erased). */
typedef bool rewrite_fn(rewriter *r, op *o);

/* Offers every op to `fn` until nothing changes any more. */
void rewrite_module(module *m, rewrite_fn *fn);

void rewrite_push(rewriter *r, op *o);
/* Replaces the op's only result by `by` and erases the op. */
void rewrite_replace(rewriter *r, op *o, value *by);
void rewrite_erase(rewriter *r, op *o);
/* True if both are in one block and `a` is first. */
bool rewrite_stands_before(rewriter *r, const op *a, const op *b);

/* The patterns of canonicalize, by kind of op. */
rewrite_fn canonical_manual, canonical_reshard_of_reshard, canonical_reshard_again,
	canonical_collective;

/* Merges equal constants of an isolated region, at the front of its first block. */

#endif
