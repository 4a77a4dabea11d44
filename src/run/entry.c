/* entry.c - makes the entry function take and return tensors only.
 *
 * Tokens order side effects (jax.debug.print(ordered=True)). A run creates the first one itself and
 * drops the last one, so that callers see only the arguments and results they know. */
#include "mlir/mlir.h"
#include "run/session.h"

static bool runs_on_type(tess_ctx *ctx, const type *t, const char *what, int i)
{
	if (t->kind == TY_TENSOR || t->kind == TY_TOKEN)
		return true;
	writer w;
	writer_init(&w, &ctx->scratch);
	mlir_print_type(&w, ctx, t);
	return diag_error(ctx, NOWHERE, E_INPUT,
	                  "%s %d is a %.*s: only programs whose arguments and results are ranked "
	                  "tensors, or tokens, can be run",
	                  what, i, STR_ARG(writer_str(&w)));
}

static bool runs_on_types(tess_ctx *ctx, const type *t)
{
	for (int i = 0; i < t->n_in; i++)
		if (!runs_on_type(ctx, t->in[i], "argument", i))
			return false;
	for (int i = 0; i < t->n_out; i++)
		if (!runs_on_type(ctx, t->out[i], "result", i))
			return false;
	return true;
}

static value *make_token(module *m, block *body)
{
	const builder b = {.m = m, .before = body->first};
	return build(&b, OP_CREATE_TOKEN, NULL, 0, type_token(m->ctx));
}

static int drop_arguments(module *m, func *f, block *body, const type **types)
{
	int n = 0;
	for (int i = 0; i < f->type->n_in; i++) {
		value *v = body->args[n];
		if (v->type->kind != TY_TOKEN) {
			if (f->arg_attrs)
				f->arg_attrs[n] = f->arg_attrs[i];
			types[n++] = v->type;
			continue;
		}
		if (!value_unused(v))
			value_replace_uses(v, make_token(m, body));
		block_erase_arg(body, n);
	}
	return n;
}

static int drop_results(module *m, func *f, op *end, const type **types)
{
	int n = 0;
	value **kept = NEW_N(&m->ctx->scratch, value *, end->n_operands + 1);
	for (int i = 0; i < end->n_operands; i++) {
		if (operand(end, i)->type->kind == TY_TOKEN)
			continue;
		if (f->result_attrs)
			f->result_attrs[n] = f->result_attrs[i];
		if (f->result_shardings)
			f->result_shardings[n] = f->result_shardings[i];
		kept[n] = operand(end, i);
		types[n] = kept[n]->type;
		n++;
	}
	op_set_operands(m, end, kept, n);
	return n;
}

static bool has_token(const type *t)
{
	bool found = false;
	for (int i = 0; i < t->n_in; i++)
		found |= t->in[i]->kind == TY_TOKEN;
	for (int i = 0; i < t->n_out; i++)
		found |= t->out[i]->kind == TY_TOKEN;
	return found;
}

bool entry_make_plain(module *m, op *o)
{
	func *f = op_func(o);
	const type *t = f->type;
	if (!runs_on_types(m->ctx, t))
		return false;
	block *body = op_body(o);
	if (!body || !has_token(t))
		return true;
	const type **in = NEW_N(&m->ctx->scratch, const type *, t->n_in + 1);
	const type **out = NEW_N(&m->ctx->scratch, const type *, t->n_out + 1);
	int n_in = drop_arguments(m, f, body, in), n_out = drop_results(m, f, body->last, out);
	f->type = type_list(m->ctx, TY_FUNCTION, in, n_in, out, n_out);
	return true;
}
