/* quant.c - constraints of quantized tensors.
 *
 * A quantized element type has one scale and zero point ("per tensor") or one for
 * each index of a dimension ("per axis").  Source: StableHLO specification,
 * quantized types and the constraints named below. */
#include "op/verify/verify.h"

bool quant_type_ok(const type *t)
{
	const quant_info *q = t->elem->quant;
	if (q->blocks) /* a type of MLIR, but not of StableHLO */
		return false;
	for (int i = 0; i < q->n; i++)
		if (q->zeros[i] < q->min || q->zeros[i] > q->max)
			return false;
	if (q->axis < 0)
		return true;
	if (t->kind != TY_TENSOR)
		return t->kind == TY_UNRANKED;
	return q->axis < t->rank && (t->dims[q->axis] == DIM_DYNAMIC || t->dims[q->axis] == q->n);
}

static const quant_info *quant_of(const type *t)
{
	return is_tensor(t) && is_quantized(t) ? t->elem->quant : NULL;
}

static bool is_per_axis(const quant_info *q) { return q && q->axis >= 0; }
static bool is_per_tensor(const quant_info *q) { return q && q->axis < 0; }

static bool same_scales(const quant_info *a, const quant_info *b)
{
	for (int i = 0; i < a->n && i < b->n; i++)
		if (a->scales[i] != b->scales[i] || a->zeros[i] != b->zeros[i])
			return false;
	return a->n == b->n;
}

/* Moving data does not requantize: transpose, reshape, broadcast_in_dim C1. */
static bool same_quantization(module *m, const op *o)
{
	const type *t = operand(o, 0)->type, *r = o->results[0].type;
	const quant_info *p = quant_of(t), *q = quant_of(r);
	bool same = !(is_per_tensor(p) && is_per_tensor(q)) || t->elem == r->elem;
	if (same && is_per_axis(p) && is_per_axis(q) && o->kind != OP_BROADCAST_IN_DIM &&
	    o->kind != OP_DYNAMIC_BROADCAST_IN_DIM)
		same = same_scales(p, q);
	return same || broken(m, o, "C1", "has other scales or zero points in its result");
}

static bool transpose_quant_ok(module *m, const op *o)
{
	const quant_info *p = quant_of(operand(o, 0)->type), *q = quant_of(o->results[0].type);
	int n;
	const int64_t *perm = op_ints(m, o, N_permutation, &n);
	if (!is_per_axis(p) || !is_per_axis(q) || q->axis >= n || perm[q->axis] == p->axis)
		return true;
	return broken_at(m, o, PART(N_permutation, ITEM(q->axis)), "C4",
	                 "is quantized along dimension %d, but its result along the "
	                 "image of dimension %" PRId64,
	                 p->axis, perm[q->axis]);
}

static int64_t product_before(const type *t, int axis)
{
	int64_t n = 1;
	for (int i = 0; i < axis; i++)
		if (!mul_ok(n, t->dims[i], &n))
			return -1;
	return n;
}

static bool reshape_quant_ok(module *m, const op *o)
{
	const type *t = operand(o, 0)->type, *r = o->results[0].type;
	const quant_info *p = quant_of(t), *q = quant_of(r);
	if (!is_per_axis(p) || !is_per_axis(q))
		return true;
	if (!dims_agree(t->dims[p->axis], r->dims[q->axis]))
		return broken(m, o, "C3", "changes the size of the quantized dimension");
	if (t->is_static && r->is_static &&
	    product_before(t, p->axis) != product_before(r, q->axis))
		return broken(m, o, "C3", "moves the quantized dimension");
	return true;
}

static bool broadcast_quant_ok(module *m, const op *o)
{
	const type *t = operand(o, 0)->type;
	const quant_info *p = quant_of(t), *q = quant_of(o->results[0].type);
	int n;
	const int64_t *dims = op_ints(m, o, N_broadcast_dimensions, &n);
	if (!is_per_axis(p) || !is_per_axis(q) || p->axis >= n)
		return true;
	if (dims[p->axis] != q->axis)
		return broken(m, o, "C6",
		              "is quantized along dimension %d of the result, expected %" PRId64,
		              q->axis, dims[p->axis]);
	for (int i = 0; t->dims[p->axis] == 1 && i < q->n; i++)
		if (q->scales[i] != p->scales[0] || q->zeros[i] != p->zeros[0])
			return broken(m, o, "C6",
			              "has another scale or zero point at index %d of its result",
			              i);
	return true;
}

bool quant_add(module *m, const op *o)
{
	const quant_info *q[3] = {quant_of(operand(o, 0)->type), quant_of(operand(o, 1)->type),
	                          quant_of(o->results[0].type)};
	for (int i = 0; i < 3; i++) {
		if (!q[i])
			return broken(m, o, "C2", "mixes quantized and other tensors");
		if (q[i]->storage != q[0]->storage)
			return broken(m, o, "C3", "mixes storage types");
		if (q[i]->expressed != q[0]->expressed)
			return broken(m, o, "C4", "mixes expressed types");
	}
	for (int i = 0; i < 2; i++)
		if (is_per_axis(q[i]) && q[i]->axis != q[2]->axis)
			return broken(m, o, i ? "C7" : "C6",
			              "has an operand %d quantized along another "
			              "dimension than its result",
			              i);
	if (is_per_axis(q[2]) && !is_per_axis(q[0]) && !is_per_axis(q[1]))
		return broken(m, o, "C5",
		              "has a result quantized per axis, but no operand that is");
	return true;
}

/* Constraints shared by dot_general (C14, C17-C20) and convolution (C28, C31-C34). */
static bool product_quant_ok(module *m, const op *o)
{
	const type *lhs = operand(o, 0)->type, *res = o->results[0].type;
	const quant_info *l = quant_of(lhs), *r = quant_of(operand(o, 1)->type), *q = quant_of(res);
	bool dot = o->kind == OP_DOT_GENERAL;
	if (!r || !l != !q)
		return broken(m, o, dot ? "C14" : "C28",
		              "needs a quantized right side, and a result "
		              "quantized as the left side is");
	if (!l)
		return (lhs->dtype == r->expressed && res->dtype == r->expressed) ||
		       broken(m, o, dot ? "C20" : "C34", "has another element type than its right "
		              "side expresses");
	if (l->storage != r->storage)
		return broken(m, o, dot ? "C17" : "C31", "has operands of different storage types");
	if (l->expressed != r->expressed || l->expressed != q->expressed)
		return broken(m, o, dot ? "C18" : "C32", "mixes expressed types");
	if (is_per_tensor(r) && !is_per_tensor(q))
		return broken(m, o, dot ? "C19" : "C33",
		              "has a result quantized per axis for a right "
		              "side quantized per tensor");
	return true;
}

bool quant_dot(module *m, const op *o)
{
	const quant_info *r = quant_of(operand(o, 1)->type);
	dot_dims d;
	for (int i = 0; r && i < r->n; i++)
		if (r->zeros[i])
			return broken(m, o, "C15",
			              "has a right side with a zero point other than 0");
	if (is_per_axis(r) && op_dot_dims(m, o, &d))
		for (int i = 0; i < d.n_contract; i++)
			if (d.rhs_contract[i] == r->axis)
				return broken(
					m, o, "C16",
					"contracts the quantized dimension of its right side");
	return product_quant_ok(m, o);
}

bool quant_conv(module *m, const op *o)
{
	const quant_info *r = quant_of(operand(o, 1)->type), *q = quant_of(o->results[0].type);
	const attr *s = op_attr(o, N_dimension_numbers);
	const attr *k_out = attr_get(s, N_kernel_output_feature_dimension);
	const attr *out = attr_get(s, N_output_feature_dimension);
	if (is_per_axis(r) && k_out && r->axis != k_out->i)
		return broken(m, o, "C29",
		              "has a kernel quantized along another dimension than its "
		              "output features");
	if (is_per_axis(q) && out && q->axis != out->i)
		return broken(m, o, "C30",
		              "has a result quantized along another dimension than its "
		              "features");
	return product_quant_ok(m, o);
}

bool quant_quantize(module *m, const op *o)
{
	const type *t = operand(o, 0)->type;
	const quant_info *p = quant_of(t), *q = quant_of(o->results[0].type);
	dtype expressed = p ? p->expressed : t->dtype;
	if (!p && !dtype_is_float(t->dtype))
		return broken(m, o, "I1", "quantizes %s, expected floats", type_words(m, t));
	if (q && q->expressed != expressed)
		return broken(m, o, "C2", "expresses %s, expected %s", dtype_mlir(q->expressed),
		              dtype_mlir(expressed));
	return true;
}

bool op_is_quantized(const op *o)
{
	for (int i = 0; i < o->n_operands; i++)
		if (quant_of(operand(o, i)->type))
			return true;
	for (int i = 0; i < o->n_results; i++)
		if (quant_of(o->results[i].type))
			return true;
	return false;
}

/* The checks that QUANT() in ops.def names. */
bool quant_transpose(module *m, const op *o)
{
	return same_quantization(m, o) && transpose_quant_ok(m, o);
}

bool quant_reshape(module *m, const op *o)
{
	return same_quantization(m, o) && reshape_quant_ok(m, o);
}

bool quant_broadcast(module *m, const op *o)
{
	return same_quantization(m, o) && broadcast_quant_ok(m, o);
}
