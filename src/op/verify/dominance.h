/* dominance.h - whether values are there where they are used; inside op. */
#ifndef TESS_OP_VERIFY_DOMINANCE_H
#define TESS_OP_VERIFY_DOMINANCE_H

#include "op/op.h"

/* A walk over all ops of a module, in program order.  It lives in scratch. */
typedef struct dominance {
	module *m;
	uint64_t *passed; /* bits, by op id */
	/* By block id, of regions with several blocks: the numbers, in the tree of dominators,
	 * of those that the block dominates.  NULL: there has been no such region. */
	uint32_t *first, *last;
} dominance;

dominance dominance_begin(module *m);
/* Checks the operands of the next op; false, and reported, if one is not there. */
bool dominance_visit(dominance *d, const op *o);

#endif
