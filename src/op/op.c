/* op.c - the op table, and lookups in it. */
#include "op/op.h"

typedef struct op_row {
	const char *name;
	op_signature words;
	const attr_row *attrs; /* NULL: none */
	int sharding_in;       /* N_…; 0: sdy.sharding */
	int callee;            /* N_…; 0: it calls no function */
	op_kind broadcasts;
} op_row;

#define ATTR(attr, k, need, d, n, show)                                                            \
	{.name = N_##attr, .kind = ATTR_##k, .needed = (need), .fallback = FALLBACK_##d,           \
	 .number = (n), .always = (show)}
#define NEED(attr, k) ATTR(attr, k, true, NONE, 0, false)
#define MAY(attr, k) ATTR(attr, k, false, NONE, 0, false)
#define ELSE(attr, k, d, n) ATTR(attr, k, false, d, n, false)
#define ALWAYS(attr, k, d, n) ATTR(attr, k, false, d, n, true)

static const op_row op_rows[OP_COUNT] = {
    [OP_UNKNOWN] = {.name = ""},
#define OP(id, opname, form, has, ...) [OP_##id] = {.name = opname, __VA_ARGS__},
#define OPERANDS(kinds, list) .words.operands = list,
#define RESULTS(kinds, list) .words.results = list,
#define REGIONS(n, list) .words.regions = list,
#define ATTRS(...) .attrs = (const attr_row[]){__VA_ARGS__, {0}},
#define SHARDING_IN(attribute) .sharding_in = N_##attribute,
#define CALLS(attribute) .callee = N_##attribute,
#define BROADCASTS(of) .broadcasts = OP_##of,
#include "op/ops.def"
};

const unsigned op_traits_of[OP_COUNT] = {
#define OP(id, opname, form, has, ...) [OP_##id] = has,
#include "op/ops.def"
};

/* The tables of op in a context: kinds by name. */
typedef struct op_tables {
	const name *names[OP_COUNT];
	uint16_t *kind_of; /* [n_ids], by the name's id */
	uint32_t n_ids;
} op_tables;

static op_tables *op_tables_of(tess_ctx *ctx)
{
	op_tables *t = ctx->slot[SLOT_OP];
	if (LIKELY(t != NULL))
		return t;
	t = NEW(&ctx->perm, op_tables);
	for (int k = 1; k < OP_COUNT; k++) {
		t->names[k] = name_of_z(ctx, op_rows[k].name);
		if (t->names[k]->id >= t->n_ids)
			t->n_ids = t->names[k]->id + 1;
	}
	t->kind_of = NEW_N(&ctx->perm, uint16_t, t->n_ids);
	for (int k = 1; k < OP_COUNT; k++)
		t->kind_of[t->names[k]->id] = (uint16_t)k;
	ctx->slot[SLOT_OP] = t;
	return t;
}

const char *op_kind_name(int kind) { return op_rows[kind].name; }

const char *op_name(const op *o)
{
	const name *own = op_own_name(o);
	return own ? own->s : o->kind ? op_rows[o->kind].name : "builtin.module";
}

const op_signature *op_signature_of(int kind)
{
	return op_rows[kind].words.operands ? &op_rows[kind].words : NULL;
}

int op_callee_attr(int kind) { return op_rows[kind].callee; }

bool op_is_splat(const op *o)
{
	const attr *a = op_has(o, CONSTANT) ? op_attr(o, N_value) : NULL;
	return a && a->kind == AT_DENSE && a->splat;
}

op_kind op_broadcasts(int kind) { return op_rows[kind].broadcasts; }

int op_sharding_attr(int kind)
{
	return op_rows[kind].sharding_in ? op_rows[kind].sharding_in : N_sdy_sharding;
}

const attr_row *op_attr_rows(int kind)
{
	static const attr_row none = {0};
	return op_rows[kind].attrs ? op_rows[kind].attrs : &none;
}

int op_kind_of(tess_ctx *ctx, const name *opname)
{
	const op_tables *t = op_tables_of(ctx);
	return opname->id < t->n_ids ? t->kind_of[opname->id] : OP_UNKNOWN;
}

const char *enum_word(const attr *a)
{
	return a && a->kind == AT_ENUM ? a->word->s : "";
}
