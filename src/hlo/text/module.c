/* module.c - access to HLO in the IR for the rest of the layer; see text.h. */
#include "hlo/text/text.h"

enum { HLO_PREFIX = 4 }; /* "hlo." */

const char *hlo_opcode_of(const op *o)
{
	return str_starts(str_of(op_name(o)), "hlo.") ? op_name(o) + HLO_PREFIX : NULL;
}

const shape *hlo_shape_of(tess_ctx *ctx, const op *o)
{
	const attr *a = hlo_attr(o, ctx, "hlo.shape");
	return a && a->kind == AT_STRING ? shape_said(ctx, a->text)
	                                 : shape_parse(ctx, (tess_str){"", 0});
}

int hlo_operands(const op *o, tess_ctx *ctx)
{
	const attr *controls = hlo_attr(o, ctx, "hlo.controls");
	return o->n_operands - (controls ? (int)controls->i : 0);
}

op *hlo_root(tess_ctx *ctx, const op *computation)
{
	const name *root = name_of_z(ctx, "hlo.root");
	for (op *o = op_body(computation)->last; o; o = o->prev)
		if (op_attr_named(o, root))
			return o;
	return op_body(computation)->last;
}

op *hlo_computation(const module *m, const attr *symbol)
{
	return symbol && symbol->kind == AT_SYMBOL ? module_lookup(m, symbol->text) : NULL;
}

bool hlo_is_entry(const module *m, const op *computation)
{
	return hlo_attr(computation, m->ctx, "hlo.entry") != NULL;
}

bool hlo_is_scheduled(const module *m)
{
	return hlo_attr(m->top, m->ctx, "is_scheduled") != NULL;
}

/* Names given by XLA's SPMD partitioner, which only runs before scheduling. */
bool hlo_is_partitioned(const module *m)
{
	if (hlo_attr_number(m->top, m->ctx, "num_partitions", 1) <= 1)
		return false;
	for (const op *c = module_body(m)->last; c; c = c->prev)
		if (hlo_is_entry(m, c))
			return hlo_is_scheduled(m) || strstr(op_symbol(c)->s, "_spmd");
	return false;
}

/* Tokens, buffers and opaque values have no tensor type. */
const type *hlo_type(tess_ctx *ctx, const shape *s)
{
	int64_t dims[SHAPE_MAX_RANK];
	switch (s->kind) {
	case SH_ARRAY:
		for (int i = 0; i < s->rank; i++)
			dims[i] = s->dynamic[i] ? DIM_DYNAMIC : s->dims[i];
		return type_tensor(ctx, s->dtype, dims, s->rank);
	case SH_TOKEN: return type_token(ctx);
	case SH_OPAQUE: return type_text(ctx, TY_OPAQUE, STR("!hlo.opaque"));
	case SH_BUFFER: return type_text(ctx, TY_OPAQUE, STR("!hlo.buffer"));
	case SH_TUPLE: break;
	}
	arena_mark mark = arena_here(&ctx->scratch);
	const type **parts = NEW_N(&ctx->scratch, const type *, s->n_parts + 1);
	for (int i = 0; i < s->n_parts; i++)
		parts[i] = hlo_type(ctx, s->parts[i]);
	const type *t = type_list(ctx, TY_TUPLE, parts, s->n_parts, NULL, 0);
	arena_back(&ctx->scratch, mark);
	return t;
}

/* ---- order ------------------------------------------------------------------------ */

typedef struct order_walk {
	op **out;
	int n;
	bool *entered, *left; /* by position in the computation */
	ptr_map place;        /* op -> its position + 1 */
	VEC(op *) stack;
	tess_ctx *ctx;
	arena *mem;
} order_walk;

static int place_of(const order_walk *w, const op *o)
{
	return (int)(intptr_t)ptr_map_get(&w->place, o) - 1;
}

/* Pushes the ops that define operands [from, to), the first on top. */
static void push_operands(order_walk *w, const op *o, int from, int to)
{
	for (int k = to - 1; k >= from; k--) {
		op *def = value_def(operand(o, k));
		if (!w->entered[place_of(w, def)])
			vec_push(w->mem, &w->stack, def);
	}
}

/* Visits control predecessors, then operands, then the op. */
static void walk_from(order_walk *w, op *start)
{
	vec_push(w->mem, &w->stack, start);
	while (w->stack.len) {
		op *o = w->stack.ptr[w->stack.len - 1];
		int i = place_of(w, o), n = hlo_operands(o, w->ctx);
		if (w->entered[i]) {
			w->stack.len--;
			if (!w->left[i])
				w->out[w->n++] = o;
			w->left[i] = true;
			continue;
		}
		w->entered[i] = true;
		push_operands(w, o, 0, n);
		push_operands(w, o, n, o->n_operands);
	}
}

/* True if an instruction uses the result; being a control predecessor does not count. */
static bool has_users(tess_ctx *ctx, const op *o)
{
	for (const use *u = o->results[0].uses; u; u = u->next)
		if (use_index(u) < hlo_operands(u->owner, ctx))
			return true;
	return false;
}

op **hlo_order(const module *m, const op *computation, bool as_they_stand, arena *mem, int *n)
{
	order_walk w = {.mem = mem, .ctx = m->ctx};
	*n = 0;
	for (op *o = op_body(computation)->first; o; o = o->next)
		*ptr_map_at(&w.place, mem, o) = (void *)(intptr_t)++*n;
	w.out = NEW_N(mem, op *, *n + 1);
	w.entered = NEW_N(mem, bool, *n + 1);
	w.left = NEW_N(mem, bool, *n + 1);
	for (op *o = op_body(computation)->first; o; o = o->next)
		if (as_they_stand)
			w.out[w.n++] = o;
		else if (!has_users(m->ctx, o) && !w.entered[place_of(&w, o)])
			walk_from(&w, o);
	ASSERT(w.n == *n);
	return w.out;
}

op **hlo_parameters(const op *computation, tess_ctx *ctx, arena *mem, int *n)
{
	const name *number = name_of_z(ctx, "hlo.number");
	*n = 0;
	for (op *o = op_body(computation)->first; o; o = o->next)
		*n += op_attr_named(o, number) != NULL;
	op **out = NEW_N(mem, op *, *n + 1);
	for (op *o = op_body(computation)->first; o; o = o->next) {
		const attr *a = op_attr_named(o, number);
		if (a)
			out[a->i] = o;
	}
	return out;
}

int64_t hlo_attr_number(const op *o, tess_ctx *ctx, const char *attr_name, int64_t fallback)
{
	int64_t v;
	return hlo_attr_numbers(o, ctx, attr_name, &v, 1) == 1 ? v : fallback;
}
