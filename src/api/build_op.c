/* build_op.c - builds an operation, from text or from its parts. */
#include "api/build.h"

#include "api/frame.h"
#include "api/module.h"

/* ---- from text ------------------------------------------------------------------------------ */

typedef struct built_call {
	tess_builder *b;
	tess_str text;
	mlir_op_request want;
	op *made;
} built_call;

static tess_status built_body(tess_ctx *ctx, void *arg)
{
	built_call *c = arg;
	/* diagnostics copy what they need of the source */
	source src = {.name = "<operation>", .text = c->text, .first_line = 1};
	UNUSED(ctx);
	op *o = mlir_read_op(c->b->m->m, &src, &c->want);
	if (!o)
		return TESS_INVALID;
	builder_insert(c->b, o);
	c->made = o;
	return TESS_OK;
}

static op *built_of_text(tess_builder *b, const char *text, tess_value *const *operands, size_t n,
                         int n_results)
{
	if (!b)
		return NULL;
	built_call c = {.b = b,
	                .text = str_of(text ? text : ""),
	                .want = {.operands = operands,
	                         .n_operands = (int)n,
	                         .loc = b->loc,
	                         .n_results = n_results,
	                         .at_top = builder_at_top(b)}};
	bool good = text && (operands || !n) && all_there((const void *const *)operands, n);
	tess_status status = good ? frame_run(b->m->ctx, built_body, &c) : TESS_USAGE;
	builder_fail(b, status);
	return status == TESS_OK ? c.made : NULL;
}

tess_value *tess_build1(tess_builder *b, const char *text, tess_value *const *operands, size_t n)
{
	op *o = built_of_text(b, text, operands, n, 1);
	return o ? result(o, 0) : NULL;
}

tess_op *tess_build_op(tess_builder *b, const char *text, tess_value *const *operands, size_t n)
{
	return built_of_text(b, text, operands, n, -1);
}

/* ---- from parts ----------------------------------------------------------------------------- */

typedef struct spec_call {
	tess_builder *b;
	tess_op_spec spec;
	op *made;
} spec_call;

static void put_attrs(module *m, op *o, const tess_op_spec *s)
{
	for (size_t i = 0; i < s->n_attrs; i++)
		if (s->attrs[i])
			op_put_attr(m, o, name_of_z(m->ctx, s->attr_names[i]), s->attrs[i]);
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

static tess_status spec_body(tess_ctx *ctx, void *arg)
{
	spec_call *c = arg;
	const tess_op_spec *s = &c->spec;
	module *m = c->b->m->m;
	const name *opname = name_of_z(ctx, s->name);
	int kind = op_kind_of(ctx, opname);
	if (kind == OP_FUNC_FUNC)
		return TESS_USAGE;
	const type **types = NEW_N(&ctx->scratch, const type *, s->n_results + 1);
	for (size_t i = 0; i < s->n_results; i++)
		types[i] = s->results ? s->results[i] : type_none(ctx);
	op *o = op_new(m, kind, opname, s->operands, (int)s->n_operands, types,
	               (int)s->n_results, (int)s->n_regions);
	put_attrs(m, o, s);
	if (!s->results && s->n_results && !put_inferred(m, o, types)) {
		op_erase(o);
		return TESS_INVALID;
	}
	builder_put(c->b, o);
	c->made = o;
	return TESS_OK;
}

static bool spec_is_whole(const tess_builder *b, const tess_op_spec *s)
{
	return s->name && strchr(s->name, '.') &&
	       all_there((const void *const *)s->operands, s->n_operands) &&
	       (!s->results || all_there((const void *const *)s->results, s->n_results)) &&
	       s->n_results <= INT32_MAX && s->n_regions <= INT32_MAX &&
	       !(s->n_successors && (b->before || b->block->successors));
}

tess_op *tess_build(tess_builder *b, const tess_op_spec *given)
{
	if (!b || !given)
		return NULL;
	spec_call c = {.b = b, .spec = TESS_OP_SPEC_INIT};
	tess_op_spec *s = &c.spec;
	memcpy(s, given, given->struct_size < sizeof *s ? given->struct_size : sizeof *s);
	tess_status status =
	    spec_is_whole(b, s) ? frame_run(b->m->ctx, spec_body, &c) : TESS_USAGE;
	if (status == TESS_OK && s->n_successors) {
		status = tess_op_set_successors(b->m, c.made, s->successors,
		                                s->n_successors);
		if (status != TESS_OK)
			tess_op_erase(b->m, c.made);
	}
	builder_fail(b, status);
	return status == TESS_OK ? c.made : NULL;
}
