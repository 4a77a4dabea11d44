/* dominance.h - checks that values are defined where they are used (inside op). */
#ifndef TESS_OP_VERIFY_DOMINANCE_H
#define TESS_OP_VERIFY_DOMINANCE_H

#include "op/op.h"

/* A walk over all ops of a module in program order. It is in scratch memory. */
typedef struct dominance {
	module *m;
	uint64_t *passed; /* bits, by op id */
	/* By block id, for regions with several blocks: the range of numbers, in the dominator
	 * tree, of the blocks that it dominates. NULL: there was no such region yet. */
	uint32_t *first, *last;
} dominance;

dominance dominance_begin(module *m);
/* Checks the operands of the next op. Reports an error and returns false if one is not defined. */
bool dominance_visit(dominance *d, const op *o);

#endif
