/* build.h - the inside of a tess_builder. */
#ifndef TESS_API_BUILD_H
#define TESS_API_BUILD_H

#include "op/op.h"

#include <tessera/build.h>

struct tess_builder {
	tess_module *m;
	block *block;
	op *before; /* NULL: at the end of the block */
	const attr *loc;
	tess_status status; /* of the first call that failed */
};

/* Keeps the first status that is not TESS_OK; @return `status`. */
tess_status builder_fail(tess_builder *b, tess_status status);
/* True if the insertion point is in the module's top block. */
bool builder_at_top(const tess_builder *b);
/* Inserts an operation at the insertion point; allocates nothing. */
void builder_insert(tess_builder *b, op *o);
/* The same, with the builder's location; also adds the operation's symbol. */
void builder_put(tess_builder *b, op *o);

#endif
