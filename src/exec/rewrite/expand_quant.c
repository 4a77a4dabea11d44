/* expand_quant.c - quantized elements.
 *
 * Ops that only move elements work on their storage. Ops that compute do so on the numbers that the
 * elements represent (StableHLO spec, "Quantization computations"):
 *
 *     dequantize(q) = (q - zero) * scale
 *     quantize(x)   = round_nearest_even(clamp(min, x / scale + zero, max))
 *
 * in the expressed type. Products and convolutions of two quantized operands sum integers, so that
 * no element is rounded before the end. When all ops are expanded, quantized types are replaced by
 * their storage types. */
#include "exec/rewrite/expand.h"

static const quant_info *quant_in(const type *t)
{
	return t->elem && t->elem->kind == TY_QUANT ? t->elem->quant : NULL;
}

bool type_is_quantized(const type *t)
{
	for (int i = 0; i < t->n_in; i++)
		if ((t->kind == TY_TUPLE || t->kind == TY_FUTURE) && type_is_quantized(t->in[i]))
			return true;
	return quant_in(t) != NULL;
}

bool quantized_computes(const op *o)
{
	if (o->kind == OP_SELECT)
		return operand(o, 1)->type->elem != result(o, 0)->type->elem ||
		       operand(o, 2)->type->elem != result(o, 0)->type->elem;
	return o->kind != OP_BITCAST_CONVERT && op_has(o, ELEMENTWISE | COMPUTES);
}

/* ---- the two conversions --------------------------------------------------------------- */

static value *quant_bits(expander *e, value *v)
{
	return build(&e->b, OP_BITCAST_CONVERT, &v, 1,
	             type_of_elem(e->ctx, v->type, quant_in(v->type)->storage));
}

/* The numbers of the quantized axis, or the one for all, broadcast to the type `like` with elements
 * `t`. */
static value *quant_spread(expander *e, const type *like, const quant_info *q, dtype t,
                           const double *numbers)
{
	const type *wide = type_of_elem(e->ctx, like, t);
	if (q->axis < 0)
		return expand_splat(e, wide, numbers[0]);
	int bytes = dtype_bytes(t);
	char *data = NEW_N(e->mem, char, q->n * bytes + 1);
	for (int i = 0; i < q->n; i++)
		elem_put(t, data + i * bytes, numbers[i]);
	const int64_t dims[1] = {q->n}, axis = q->axis;
	value *v = build_constant(&e->b, attr_dense(e->ctx, type_tensor(e->ctx, t, dims, 1), data,
	                                            (size_t)(q->n * bytes), false));
	return build_broadcast(&e->b, v, wide, &axis, 1);
}

static double *quant_zeros(expander *e, const quant_info *q)
{
	double *z = NEW_N(e->mem, double, q->n + 1);
	for (int i = 0; i < q->n; i++)
		z[i] = (double)q->zeros[i];
	return z;
}

/* q - zero, in a type wide enough not to overflow. */
static value *quant_centered(expander *e, value *v)
{
	const quant_info *q = quant_in(v->type);
	dtype wide = dtype_bits(q->storage) < 32 ? DT_I32 : DT_I64;
	value *bits = build_convert(&e->b, quant_bits(e, v), wide);
	return build_binary(&e->b, OP_SUBTRACT, bits,
	                    quant_spread(e, bits->type, q, wide, quant_zeros(e, q)));
}

static value *dequantized(expander *e, value *v)
{
	const quant_info *q = quant_in(v->type);
	value *x = build_convert(&e->b, quant_centered(e, v), q->expressed);
	return build_binary(&e->b, OP_MULTIPLY, x,
	                    quant_spread(e, x->type, q, q->expressed, q->scales));
}

/* Quantizes, given x / scale. */
static value *quantized_scaled(expander *e, value *x, const type *to)
{
	const quant_info *q = quant_in(to);
	x = build_binary(&e->b, OP_ADD, x,
	                 quant_spread(e, x->type, q, x->type->dtype, quant_zeros(e, q)));
	const type *scalar = type_with_dims(e->ctx, x->type, NULL, 0);
	value *min = expand_splat(e, scalar, (double)q->min),
	      *max = expand_splat(e, scalar, (double)q->max);
	x = build(&e->b, OP_CLAMP, (value *[]){min, x, max}, 3, x->type);
	x = build_convert(&e->b, build_unary(&e->b, OP_ROUND_NEAREST_EVEN, x), q->storage);
	return build(&e->b, OP_BITCAST_CONVERT, &x, 1, to);
}

static value *quantized(expander *e, value *x, const type *to)
{
	const quant_info *q = quant_in(to);
	x = build_binary(&e->b, OP_DIVIDE, x,
	                 quant_spread(e, x->type, q, x->type->dtype, q->scales));
	return quantized_scaled(e, x, to);
}

/* ---- products -------------------------------------------------------------------------------- */

/* True if both operands are quantized, lhs per tensor, and so is the result. */
static bool sums_integers(const op *o)
{
	if (!op_has(o, PRODUCT))
		return false;
	const quant_info *a = quant_in(operand(o, 0)->type), *b = quant_in(operand(o, 1)->type);
	const quant_info *r = quant_in(result(o, 0)->type);
	return a && b && r && a->axis < 0 && a->expressed == r->expressed &&
	       (b->axis < 0 || (r->axis >= 0 && b->n == r->n) || r->axis < 0);
}

/* The dimension of the result that corresponds to the quantized axis of rhs. */
static int product_axis(const expander *e, const op *o, int axis)
{
	conv_dims c;
	dot_dims d;
	if (o->kind == OP_CONVOLUTION)
		return op_conv_dims(e->b.m, o, &c) && c.k_out == axis ? (int)c.out_feature : -1;
	if (!op_dot_dims(e->b.m, o, &d))
		return -1;
	int at = operand(o, 0)->type->rank - d.n_contract;
	for (int i = 0; i < operand(o, 1)->type->rank; i++) {
		bool taken = false;
		for (int k = 0; k < d.n_batch; k++)
			taken |= d.rhs_batch[k] == i;
		for (int k = 0; k < d.n_contract; k++)
			taken |= d.rhs_contract[k] == i;
		if (i == axis)
			return taken ? -1 : at;
		at += !taken;
	}
	return -1;
}

static bool expand_integer_product(expander *e, op *o)
{
	const quant_info *a = quant_in(operand(o, 0)->type), *b = quant_in(operand(o, 1)->type);
	const type *t = result(o, 0)->type;
	const quant_info *r = quant_in(t);
	int axis = b->axis < 0 ? -1 : product_axis(e, o, b->axis);
	quant_info factor = *(r->axis >= 0 ? r : b);
	if (b->axis >= 0 && (axis < 0 || (r->axis >= 0 && r->axis != axis)))
		return plan_unsupported(e->p, o,
		                        "scales along another dimension of the right side are");
	factor.axis = r->axis >= 0 ? r->axis : axis;
	double *scales = NEW_N(e->mem, double, factor.n + 1);
	for (int i = 0; i < factor.n; i++)
		scales[i] = a->scales[0] * b->scales[b->axis < 0 ? 0 : i] /
		            r->scales[r->axis < 0 ? 0 : i];
	value *in[2] = {quant_centered(e, operand(o, 0)), quant_centered(e, operand(o, 1))};
	dtype sum = in[0]->type->dtype == DT_I64 || in[1]->type->dtype == DT_I64 ? DT_I64 : DT_I32;
	in[0] = build_convert(&e->b, in[0], sum);
	in[1] = build_convert(&e->b, in[1], sum);
	const type *ints = type_of_elem(e->ctx, t, sum);
	value *x = build_convert(&e->b, result(build_like(&e->b, o, in, o->n_operands, &ints), 0),
	                         r->expressed);
	x = build_binary(&e->b, OP_MULTIPLY, x,
	                 quant_spread(e, x->type, &factor, r->expressed, scales));
	return expand_done(e, o, quantized_scaled(e, x, t));
}

/* ---- ops ------------------------------------------------------------------------------------- */

bool expand_uniform_quantize(expander *e, op *o)
{
	value *v = operand(o, 0);
	if (!quant_in(result(o, 0)->type))
		return plan_error(e->p, o, "the result is not quantized");
	return expand_done(
		e, o, quantized(e, quant_in(v->type) ? dequantized(e, v) : v, result(o, 0)->type));
}

bool expand_uniform_dequantize(expander *e, op *o)
{
	if (!quant_in(operand(o, 0)->type))
		return plan_error(e->p, o, "the operand is not quantized");
	return expand_done(e, o, dequantized(e, operand(o, 0)));
}

bool expand_quantized(expander *e, op *o)
{
	if (o->kind == OP_UNIFORM_QUANTIZE)
		return expand_uniform_quantize(e, o);
	if (o->kind == OP_UNIFORM_DEQUANTIZE)
		return expand_uniform_dequantize(e, o);
	if (sums_integers(o))
		return expand_integer_product(e, o);
	value **in = NEW_N(e->mem, value *, o->n_operands);
	const type **types = NEW_N(e->mem, const type *, o->n_results);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = quant_in(operand(o, i)->type) ? dequantized(e, operand(o, i))
		                                      : operand(o, i);
	for (int i = 0; i < o->n_results; i++) {
		const quant_info *q = quant_in(result(o, i)->type);
		types[i] = q ? type_of_elem(e->ctx, result(o, i)->type, q->expressed)
		             : result(o, i)->type;
	}
	op *plain = build_like(&e->b, o, in, o->n_operands, types);
	value **out = NEW_N(e->mem, value *, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		out[i] = quant_in(result(o, i)->type)
		                 ? quantized(e, result(plain, i), result(o, i)->type)
		                 : result(plain, i);
	return expand_done_all(e, o, out);
}

/* ---- storage --------------------------------------------------------------------------------- */

static const type *storage_type(tess_ctx *ctx, const type *t)
{
	if (quant_in(t))
		return type_of_elem(ctx, t, quant_in(t)->storage);
	if (t->kind != TY_TUPLE || !type_is_quantized(t))
		return t;
	const type **in = NEW_N(&ctx->scratch, const type *, t->n_in);
	for (int i = 0; i < t->n_in; i++)
		in[i] = storage_type(ctx, t->in[i]);
	return type_list(ctx, TY_TUPLE, in, t->n_in, NULL, 0);
}

static void store_constant(expander *e, op *o)
{
	const attr *a = op_attr(o, N_value);
	if (a && a->kind == AT_DENSE && quant_in(a->type))
		op_set_attr(e->b.m, o, N_value,
		            attr_dense(e->ctx, storage_type(e->ctx, a->type), a->data, a->data_len,
		                       a->splat));
}

void quantized_to_storage(expander *e, op *func)
{
	for (op *o = func; o; o = op_next(o, func)) {
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->type = storage_type(e->ctx, result(o, i)->type);
		for (int r = 0; r < op_n_regions(o); r++)
			for (block *b = op_region(o, r)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					b->args[i]->type = storage_type(e->ctx, b->args[i]->type);
		if (op_has(o, CONSTANT))
			store_constant(e, o);
	}
	for (op *o = op_body(func)->first, *next; o; o = next) {
		next = op_next(o, func);
		if (o->kind == OP_BITCAST_CONVERT && result(o, 0)->type == operand(o, 0)->type)
			expand_done(e, o, operand(o, 0));
	}
}
