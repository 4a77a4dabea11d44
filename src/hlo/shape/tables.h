/* tables.h - what hlo/shape stores in a context. */
#ifndef TESS_HLO_SHAPE_TABLES_H
#define TESS_HLO_SHAPE_TABLES_H

#include "hlo/shape/shape.h"

typedef struct shape_tables {
	cons_tab layouts, shapes;
	ptr_map said; /* name -> the shape it was parsed to */
} shape_tables;

static inline shape_tables *shape_tables_of(tess_ctx *ctx)
{
	if (!ctx->slot[SLOT_SHAPE])
		ctx->slot[SLOT_SHAPE] = NEW(&ctx->perm, shape_tables);
	return ctx->slot[SLOT_SHAPE];
}

#endif
