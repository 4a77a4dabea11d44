/* build_call.c - one operation: its arguments gathered, then made. */
#include "api/build.h"

#include "api/frame.h"
#include "api/module.h"

/* ---- gathering --------------------------------------------------------------------------- */

op_call call_begin(tess_builder *b, int kind)
{
	return (op_call){.b = b, .kind = kind};
}

void call_operands(op_call *c, tess_value *const *v, size_t n)
{
	c->bad |= n > INT32_MAX;
	for (size_t i = 0; i < n && !c->bad; i++)
		c->bad = !v[i];
	c->operands[c->n_operands].v = v;
	c->operands[c->n_operands++].n = n;
}

void call_results(op_call *c, const tess_type *const *t, size_t n)
{
	c->bad |= n > INT32_MAX;
	for (size_t i = 0; i < n && !c->bad; i++)
		c->bad = !t[i];
	c->results[c->n_results].t = t;
	c->results[c->n_results++].n = n;
}

void call_result_like(op_call *c, tess_value *like)
{
	if (like)
		call_results(c, (const tess_type *const *)&like->type, 1);
}

void call_infer(op_call *c, size_t n)
{
	c->infer = true;
	c->n_inferred = n;
}

void call_infer_like_operands(op_call *c)
{
	call_infer(c, 0);
	for (int i = 0; i < c->n_operands; i++)
		c->n_inferred += c->operands[i].n;
}

void call_regions(op_call *c, size_t n)
{
	c->bad |= n > INT32_MAX;
	c->n_regions = n;
}

static void call_push(op_call *c, call_attr a)
{
	ASSERT(c->n_attrs < CALL_ATTRS);
	c->attrs[c->n_attrs++] = a;
}

void call_int(op_call *c, int known, attr_row_kind kind, int64_t v)
{
	call_push(c, (call_attr){.known = known, .kind = kind, .i = v});
}

void call_float(op_call *c, int known, double v)
{
	call_push(c, (call_attr){.known = known, .kind = ATTR_F32, .f = v});
}

void call_text(op_call *c, int known, attr_row_kind kind, const char *text)
{
	c->bad |= !text;
	call_push(c, (call_attr){.known = known, .kind = kind, .text = text});
}

void call_ints(op_call *c, int known, const int64_t *v, size_t n)
{
	c->bad |= n > INT32_MAX;
	call_push(c, (call_attr){.known = known, .kind = ATTR_INTS, .ints = v, .n = n});
}

void call_attr_value(op_call *c, int known, const tess_attr *a)
{
	c->bad |= !a;
	call_push(c, (call_attr){.known = known, .kind = ATTR_ANY, .attr = a});
}

void call_sharding(op_call *c, int known, const tess_sharding *s)
{
	c->bad |= !s;
	call_push(c, (call_attr){.known = known, .kind = ATTR_SHARDING, .sharding = s});
}

void call_mesh(op_call *c, int known, const tess_mesh *m)
{
	c->bad |= !m;
	call_push(c, (call_attr){.known = known, .kind = ATTR_MESH, .mesh = m});
}

/* ---- making --------------------------------------------------------------------------------- */

/* #stablehlo<comparison_direction LT> */
static const attr *made_enum(tess_ctx *ctx, int kind, const call_attr *a)
{
	bool chlo = str_starts(str_of(op_kind_name(kind)), "chlo.");
	return attr_enum(ctx, chlo ? "chlo" : "stablehlo", attr_enum_kind(a->known), a->text);
}

static const attr *made_attr(tess_ctx *ctx, int kind, const call_attr *a)
{
	switch (a->kind) {
	case ATTR_BOOL: return attr_bool(ctx, a->i != 0);
	case ATTR_I32: return attr_i32(ctx, a->i);
	case ATTR_I64:
	case ATTR_INDEX:
	case ATTR_POSITIVE: return attr_i64(ctx, a->i);
	case ATTR_F32:
		return attr_float(ctx, (double)(float)a->f, float_bits(a->f, DT_F32),
		                  type_scalar(ctx, DT_F32));
	case ATTR_STRING: return attr_string(ctx, name_of_z(ctx, a->text));
	case ATTR_SYMBOL_REF: return attr_symbol(ctx, name_of_z(ctx, a->text));
	case ATTR_ENUM: return made_enum(ctx, kind, a);
	case ATTR_INTS: return attr_i64_array(ctx, a->ints, (int)a->n);
	case ATTR_SHARDING: return attr_sharding(ctx, a->sharding);
	case ATTR_MESH: return attr_mesh(ctx, a->mesh);
	default: return a->attr;
	}
}

/* array<i32: 2, 1>: how many operands or results each group has. */
static const attr *segment_sizes(tess_ctx *ctx, const size_t *sizes, int n)
{
	int32_t v[CALL_GROUPS];
	for (int i = 0; i < n; i++)
		v[i] = (int32_t)sizes[i];
	return attr_of(ctx, &(attr){.kind = AT_DENSE_ARRAY, .type = type_scalar(ctx, DT_I32),
	                            .n = n, .data = v, .data_len = sizeof *v * (size_t)n});
}

static void put_segments(module *m, op *o, const op_call *c)
{
	size_t sizes[CALL_GROUPS];
	for (int i = 0; i < c->n_operands; i++)
		sizes[i] = c->operands[i].n;
	op_set_attr(m, o, N_operandSegmentSizes, segment_sizes(m->ctx, sizes, c->n_operands));
	for (int i = 0; i < c->n_results; i++)
		sizes[i] = c->results[i].n;
	op_set_attr(m, o, N_resultSegmentSizes, segment_sizes(m->ctx, sizes, c->n_results));
}

static void put_attrs(module *m, op *o, const op_call *c)
{
	for (int i = 0; i < c->n_attrs; i++) {
		const attr *a = made_attr(m->ctx, c->kind, &c->attrs[i]);
		op_put_attr(m, o, name_known(m->ctx, c->attrs[i].known), a);
	}
	for (size_t i = 0; c->spec && i < c->spec->n_attrs; i++)
		if (c->spec->attrs[i])
			op_put_attr(m, o, name_of_z(m->ctx, c->spec->attr_names[i]),
			            c->spec->attrs[i]);
	if (c->kind == OP_CHLO_SCAN && !c->spec)
		put_segments(m, o, c);
}

static value **joined_operands(const op_call *c, arena *mem, int *n)
{
	size_t all = 0;
	for (int i = 0; i < c->n_operands; i++)
		all += c->operands[i].n;
	value **v = NEW_N(mem, value *, all);
	*n = 0;
	for (int i = 0; i < c->n_operands; i++)
		for (size_t k = 0; k < c->operands[i].n; k++)
			v[(*n)++] = c->operands[i].v[k];
	return v;
}

/* The given types of the results; where they are to be inferred, none. */
static const type **joined_results(const op_call *c, tess_ctx *ctx, int *n)
{
	size_t all = c->n_inferred;
	for (int i = 0; i < c->n_results; i++)
		all += c->results[i].n;
	const type **t = NEW_N(&ctx->scratch, const type *, all + 1);
	*n = 0;
	for (size_t i = 0; i < c->n_inferred; i++)
		t[(*n)++] = type_none(ctx);
	for (int i = 0; i < c->n_results; i++)
		for (size_t k = 0; k < c->results[i].n; k++)
			t[(*n)++] = c->results[i].t[k];
	return t;
}

static bool put_inferred(module *m, op *o, const type **types)
{
	int errors = diag_errors(m->ctx);
	if (op_infer(m, o, types)) {
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->type = types[i];
		return true;
	}
	if (diag_errors(m->ctx) == errors)
		diag_error(m->ctx, NOWHERE, E_OPERANDS,
		           "the result types of '%s' do not follow from its operands: give them",
		           op_name(o));
	return false;
}

static tess_status make_body(tess_ctx *ctx, void *arg)
{
	op_call *c = arg;
	module *m = c->b->m->m;
	int n_operands, n_results;
	value **operands = joined_operands(c, &ctx->scratch, &n_operands);
	const type **types = joined_results(c, ctx, &n_results);
	const name *opname = name_of_z(ctx, c->opname ? c->opname : op_kind_name(c->kind));
	op *o = op_new(m, c->kind, opname, operands, n_operands, types, n_results,
	               (int)c->n_regions);
	put_attrs(m, o, c);
	if (c->infer && !put_inferred(m, o, types)) {
		op_erase(o);
		return TESS_INVALID;
	}
	builder_put(c->b, o);
	c->made = o;
	return TESS_OK;
}

tess_op *call_op(op_call *c)
{
	tess_status status = c->bad ? TESS_USAGE : frame_run(c->b->m->ctx, make_body, c);
	if (status == TESS_OK)
		return c->made;
	builder_fail(c->b, status);
	return NULL;
}

tess_value *call_value(op_call *c)
{
	tess_op *o = call_op(c);
	return o ? tess_op_result(o, 0) : NULL;
}
