/* unroll.c - unrolls short loops.
 *
 * JAX writes the five rounds of its random numbers as a loop over a handful of elementwise
 * operations. Run as a loop, each round takes some steps, carried values are copied between them,
 * and nothing fuses across rounds. Unrolled, all rounds are a few fused steps.
 *
 * This is for loops that count in a range where nothing can overflow and whose bodies only move and
 * compute elements; other bodies take longer than the loop's overhead. */
#include "exec/steps/plan.h"

enum { MOST_ROUNDS = 8, MOST_OPS = 512, MOST_CALLS = 8, LARGEST_COUNT = 100 };

/* Counts the operations of a block, with calls inlined; false: there are others, or too many. */
static bool count_simple(const module *m, const block *b, callee_fn *callee, int depth, int *n)
{
	for (const op *o = b->first; o; o = o->next) {
		const op *f = callee(m, o);
		if (f) {
			if (depth == MOST_CALLS || !op_body(f) ||
			    !count_simple(m, op_body(f), callee, depth + 1, n))
				return false;
			continue;
		}
		if (op_n_regions(o) || !op_has(o, ELEMENTWISE | MOVES | CONSTANT | TERMINATOR) ||
		    (o != b->last && !op_is_dead_if_unused(o)) || ++*n > MOST_OPS)
			return false;
	}
	return true;
}

int rounds_to_unroll(const module *m, const op *o, callee_fn *callee)
{
	loop_count c;
	int in_body = 0, in_condition = 0;
	if (!o->n_results || !while_count(o, &c) || c.start < 0 || c.limit > LARGEST_COUNT ||
	    c.step > LARGEST_COUNT / MOST_ROUNDS || dtype_bits(o->results[c.counter].type->dtype) < 8)
		return -1;
	int64_t rounds = loop_count_trips(&c);
	if (rounds > MOST_ROUNDS || !count_simple(m, op_block(o, 0), callee, 0, &in_condition) ||
	    !count_simple(m, op_block(o, 1), callee, 0, &in_body) || in_body * rounds > MOST_OPS)
		return -1;
	return (int)rounds;
}
