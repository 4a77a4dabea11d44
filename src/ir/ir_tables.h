/* ir_tables.h - what ir keeps in a context. */
#ifndef TESS_IR_IR_TABLES_H
#define TESS_IR_IR_TABLES_H

#include "ir/ir.h"

typedef struct ir_tables {
	cons_tab types, attrs;
	uint64_t attr_kinds; /* a bit for each attr_kind that was ever made */
	bool tuples;         /* a tuple's type was ever made */
	const type *scalars[DT_COUNT];
	const attr *unit; /* once it was asked for */
	const attr *ints[64];   /* 0 : i64 and so on, once asked for */
	module *modules;        /* newest first */
	uint64_t n_modules;     /* made so far */
} ir_tables;

static inline ir_tables *ir_tables_of(tess_ctx *ctx)
{
	if (UNLIKELY(!ctx->slot[SLOT_IR]))
		ctx->slot[SLOT_IR] = NEW(&ctx->perm, ir_tables);
	return ctx->slot[SLOT_IR];
}

/* For a copy that has the place of `from`, of the module `other`. */
void value_clone_name(module *m, value *v, const module *other, const value *from);

#endif
