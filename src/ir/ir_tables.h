/* ir_tables.h - the tables of ir in a context. */
#ifndef TESS_IR_IR_TABLES_H
#define TESS_IR_IR_TABLES_H

#include "ir/ir.h"

typedef struct ir_tables {
	cons_tab types, attrs;
	uint64_t attr_kinds; /* a bit for each attr_kind that was ever made */
	bool tuples;         /* a tuple type was ever made */
	const type *scalars[DT_COUNT];
	const attr *unit; /* NULL until asked for */
	const attr *ints[64];   /* 0 : i64 and so on; NULL until asked for */
	module *modules;        /* newest first */
	uint64_t n_modules;     /* made so far */
} ir_tables;

static inline ir_tables *ir_tables_of(tess_ctx *ctx)
{
	if (UNLIKELY(!ctx->slot[SLOT_IR]))
		ctx->slot[SLOT_IR] = NEW(&ctx->perm, ir_tables);
	return ctx->slot[SLOT_IR];
}

/* Copies the given name of `from`, in the module `other`, to its copy `v`, which has the same place
 * in the text. */
void value_clone_name(module *m, value *v, const module *other, const value *from);

#endif
