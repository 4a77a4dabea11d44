/* rewrite.h - local rewriting to a fixed point.
 *
 * A worklist of ops, last in, first out, filled so that the first pops come in
 * pre-order.  An op whose surroundings changed waits again; an op already waiting
 * keeps its place.  Unused ops without side effects go on the way. */
#ifndef TESS_OP_SIMPLIFY_REWRITE_H
#define TESS_OP_SIMPLIFY_REWRITE_H

#include "op/op.h"

typedef struct rewriter {
	module *m;
	arena *mem;
	VEC(op *) stack;   /* NULL where an op was erased meanwhile */
	VEC(int) position; /* by op id: in the stack, plus one; 0: not waiting */
	op *next;          /* of those that have not popped yet; NULL: none */
	bool again;        /* an op that has popped may be simpler now */
	VEC(int) order;    /* by op id: in its block; 0: not known */
} rewriter;

/* Tries to simplify one op.  true: it changed something (perhaps erased `o`). */
typedef bool rewrite_fn(rewriter *r, op *o);

/* Offers every op to `fn` until nothing changes any more. */
void rewrite_module(module *m, rewrite_fn *fn);

void rewrite_push(rewriter *r, op *o);
/* The op's only result is now `by`; erases the op. */
void rewrite_replace(rewriter *r, op *o, value *by);
void rewrite_erase(rewriter *r, op *o);
/* Whether both are in one block, `a` first. */
bool rewrite_stands_before(rewriter *r, const op *a, const op *b);

/* What canonicalize does for one kind of ops. */
rewrite_fn canonical_manual, canonical_reshard_of_reshard, canonical_reshard_again,
	canonical_collective;

/* Equal constants of an isolated region become one, at the front of its first block. */

#endif
