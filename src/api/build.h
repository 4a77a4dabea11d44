/* build.h - what a tess_builder is inside. */
#ifndef TESS_API_BUILD_H
#define TESS_API_BUILD_H

#include "op/op.h"

#include <tessera/build.h>

struct tess_builder {
	tess_module *m;
	block *block;
	op *before; /* NULL: at the end of the block */
	const attr *loc;
	tess_status status; /* of the first call that went wrong */
};

/* Keeps the first status that is not TESS_OK; @return `status`. */
tess_status builder_fail(tess_builder *b, tess_status status);
/* It stands in the module's top block. */
bool builder_at_top(const tess_builder *b);
/* Puts an operation where the builder stands; takes no memory. */
void builder_insert(tess_builder *b, op *o);
/* The same, with the builder's location; its symbol becomes known. */
void builder_put(tess_builder *b, op *o);

#endif
