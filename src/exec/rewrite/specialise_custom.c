/* specialise_custom.c - the custom calls that JAX's shape polymorphism leaves: ops of StableHLO
 * that have no dynamic form, with their shapes as operands. */
#include "exec/rewrite/specialise.h"

#include <stdlib.h>

/* shape_assertion(condition, numbers…) {error_message = "… {0} …"}: {i} stands for number i. */
bool specialise_assertion(special *s, op *o)
{
	const int64_t *holds = special_ints(s, o, 0, 1);
	if (!holds)
		return false;
	if (holds[0]) {
		op_erase(o);
		return true;
	}
	const attr *message = op_attr_named(o, name_of_z(s->p->ctx, "error_message"));
	const char *at = message && message->text ? message->text->s : "does not hold";
	writer w;
	writer_init(&w, &s->p->ctx->scratch);
	for (; *at; at++) {
		char *end;
		long i = *at == '{' ? strtol(at + 1, &end, 10) : -1;
		const int64_t *number = i >= 0 && end > at + 1 && *end == '}'
		                                ? special_ints(s, o, (int)i + 1, 1)
		                                : NULL;
		if (number) {
			put_f(&w, "%" PRId64, number[0]);
			at = end;
		} else {
			put_c(&w, *at);
		}
	}
	return plan_error(s->p, o, "%.*s", STR_ARG(writer_str(&w)));
}

const attr *custom_shape_operands(tess_ctx *ctx, const op *o)
{
	return o->kind == OP_CUSTOM_CALL
	               ? op_attr_named(o, name_of_z(ctx, "indices_of_shape_operands"))
	               : NULL;
}

/* Makes the same call without the operands that are its results' shapes. */
bool specialise_shaped_call(special *s, op *o)
{
	tess_ctx *ctx = s->p->ctx;
	int n, kept = 0;
	const int64_t *at = attr_ints(ctx, custom_shape_operands(ctx, o), &n);
	value **in = NEW_N(&ctx->scratch, value *, o->n_operands + 1);
	value **out = NEW_N(&ctx->scratch, value *, o->n_results + 1);
	const type **types = NEW_N(&ctx->scratch, const type *, o->n_results + 1);
	if (n != o->n_results)
		return plan_error(s->p, o,
		                  "indices_of_shape_operands needs an index for each result");
	for (int i = 0; i < n; i++) {
		const type *t = result(o, i)->type;
		const int64_t *dims = at[i] >= 0 && at[i] < o->n_operands && t->kind == TY_TENSOR
		                              ? special_ints(s, o, (int)at[i], t->rank)
		                              : NULL;
		if (!dims)
			return diag_errors(ctx)
			               ? false
			               : plan_error(s->p, o, "there is no operand %" PRId64, at[i]);
		types[i] = type_with_dims(ctx, t, dims, t->rank);
	}
	for (int i = 0; i < o->n_operands; i++) {
		bool shape = false;
		for (int k = 0; k < n; k++)
			shape |= at[k] == i;
		if (!shape)
			in[kept++] = operand(o, i);
	}
	op *made = build_op(&s->e.b, OP_CUSTOM_CALL, in, kept, types, n, 0);
	op_take_attrs(s->p->m, made, o);
	op_set_attr_named(s->p->m, made, name_of_z(ctx, "indices_of_shape_operands"), NULL);
	for (int i = 0; i < n; i++)
		out[i] = result(made, i);
	return expand_done_all(&s->e, o, out);
}

/* The results' types: operand 0's, with integer operand `at` as dimension d. */
static bool types_of_best(special *s, const op *o, int at, int64_t d, const type **types)
{
	const int64_t *k = special_ints(s, o, at, 1);
	const type *in = operand(o, 0)->type;
	if (!k)
		return false;
	if (o->n_results != 2 || d < 0 || d >= in->rank)
		return plan_error(s->p, o, "takes an operand and gives two results");
	int64_t *dims = COPY_N(&s->p->ctx->scratch, in->dims, in->rank);
	dims[d] = k[0];
	for (int i = 0; i < 2; i++)
		types[i] = type_with_dims(s->p->ctx, result(o, i)->type, dims, in->rank);
	return true;
}

bool specialise_top_k(special *s, op *o)
{
	const type *types[2];
	int64_t last = o->n_operands ? operand(o, 0)->type->rank - 1 : -1;
	if (!types_of_best(s, o, 1, last, types))
		return false;
	value *v = operand(o, 0);
	op *made = build_op(&s->e.b, OP_CHLO_TOP_K, &v, 1, types, 2, 0);
	op_set_attr(s->p->m, made, N_k, attr_i64(s->p->ctx, types[0]->dims[last]));
	return expand_done_all(&s->e, o, (value *[]){result(made, 0), result(made, 1)});
}

/* (operand, indices, two initial values, k): all but k are the operands of ApproxTopK. */
bool specialise_approx_top_k(special *s, op *o)
{
	const type *types[2];
	if (o->n_operands < 5)
		return plan_error(s->p, o, "takes five operands");
	if (!types_of_best(s, o, 4, expand_best_dim(&s->e, o), types))
		return false;
	value *in[4] = {operand(o, 0), operand(o, 1), operand(o, 2), operand(o, 3)};
	op *made = build_op(&s->e.b, OP_CUSTOM_CALL, in, 4, types, 2, 0);
	op_take_attrs(s->p->m, made, o);
	op_set_attr(s->p->m, made, N_call_target_name,
	            attr_string(s->p->ctx, name_of_z(s->p->ctx, "ApproxTopK")));
	return expand_done_all(&s->e, o, (value *[]){result(made, 0), result(made, 1)});
}

bool specialise_random(special *s, op *o)
{
	if (o->n_operands != 2 || o->n_results != 2)
		return plan_error(s->p, o, "takes a state and a shape");
	const int64_t *dims = special_ints(s, o, 1, result(o, 1)->type->rank);
	if (!dims)
		return false;
	const type *types[2] = {
		operand(o, 0)->type,
		type_with_dims(s->p->ctx, result(o, 1)->type, dims, result(o, 1)->type->rank)};
	value *v = operand(o, 0);
	op *made = build_op(&s->e.b, OP_RNG_BIT_GENERATOR, &v, 1, types, 2, 0);
	op_set_attr(s->p->m, made, N_rng_algorithm, op_attr(o, N_rng_algorithm));
	return expand_done_all(&s->e, o, (value *[]){result(made, 0), result(made, 1)});
}

/* (operands…, initial values…, sizes, strides, base dilations, window dilations, padding) */
bool specialise_reduce_window(special *s, op *o)
{
	tess_ctx *ctx = s->p->ctx;
	int n = o->n_results, rank = operand(o, 0)->type->rank;
	if (!n || o->n_operands < 2 * n + 5)
		return plan_error(
			s->p, o,
			"takes two operands for each result, and five for the window");
	static const int names[4] = {N_window_dimensions, N_window_strides, N_base_dilations,
	                             N_window_dilations};
	const int64_t *by[4], *padding = special_ints(s, o, 2 * n + 4, 2 * rank);
	for (int i = 0; i < 4; i++)
		if (!(by[i] = special_ints(s, o, 2 * n + i, rank)))
			return false;
	if (!padding)
		return false;
	int64_t *dims = NEW_N(&ctx->scratch, int64_t, rank + 1);
	for (int d = 0; d < rank; d++) {
		if (by[0][d] < 0 || by[1][d] < 1 || by[2][d] < 1 || by[3][d] < 1)
			return plan_error(s->p, o, "dimension %d has an invalid window", d);
		dims[d] = special_windows(operand(o, 0)->type->dims[d], padding[2 * d],
		                          padding[2 * d + 1], by[2][d], by[0][d], by[3][d],
		                          by[1][d]);
	}
	value **in = NEW_N(&ctx->scratch, value *, 2 * n), **out = NEW_N(&ctx->scratch, value *, n);
	const type **types = NEW_N(&ctx->scratch, const type *, n);
	for (int i = 0; i < 2 * n; i++)
		in[i] = operand(o, i);
	for (int i = 0; i < n; i++)
		types[i] = type_with_dims(ctx, result(o, i)->type, dims, rank);
	op *made = build_op(&s->e.b, OP_REDUCE_WINDOW, in, 2 * n, types, n, 1);
	for (int i = 0; i < 4; i++)
		op_set_attr(s->p->m, made, names[i], attr_i64_array(ctx, by[i], rank));
	const int64_t pairs[2] = {rank, 2};
	op_set_attr(s->p->m, made, N_padding,
	            attr_dense(ctx, type_tensor(ctx, DT_I64, pairs, 2), padding,
	                       sizeof *padding * (size_t)(2 * rank), false));
	for (int i = 0; i < n; i++)
		out[i] = result(made, i);
	return expand_called(&s->e, o, made, 0) && expand_done_all(&s->e, o, out);
}
