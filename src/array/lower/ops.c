/* ops.c - lowers most operations to StableHLO; the table has all of them. */
#include "array/make/index.h"
#include "array/lower/lower.h"
#include "array/typed/typed.h"

#include <math.h>

/* ---- elementwise ------------------------------------------------------------------------- */

static bool lower_unary(lowering *l, const anode *n)
{
	int from = lower_of(l, n->in[0]), id = lower_begin(l, l->row->text);
	put_f(l->w, "%%%d", from);
	if (n->in[0]->type->dtype != n->out[0]->type->dtype) {
		lower_signature(l, n->in[0]->type, n->out[0]->type);
	} else {
		put_lit(l->w, " : ");
		put_tensor(l, n->out[0]->type);
		put_c(l->w, '\n');
	}
	return lower_result(l, n, id);
}

/* For unsigned types: 1, except for 0. */
static bool lower_sign(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	if (dtype_class_of(t->dtype) != DC_UINT)
		return lower_unary(l, n);
	return lower_result(l, n, lower_pair(l, "minimum", lower_of(l, n->in[0]),
	                                     lower_constant(l, 1, t), t));
}

/* Rounds halves away from 0, lax's default, or to even. */
static bool lower_round(lowering *l, const anode *n)
{
	bool even = param_int(n->attrs, "rounding_method", 0);
	int from = lower_of(l, n->in[0]),
	    id = lower_begin(l, even ? "round_nearest_even" : "round_nearest_afz");
	put_f(l->w, "%%%d : ", from);
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

static bool lower_alias(lowering *l, const anode *n)
{
	return lower_result(l, n, lower_of(l, n->in[0]));
}

static bool lower_convert(lowering *l, const anode *n)
{
	return lower_result(l, n, lower_convert_to(l, lower_of(l, n->in[0]), n->in[0]->type,
	                                     n->out[0]->type->dtype));
}

/* Returns operand i, converted to the common dtype and broadcast to the result's shape. */
static int wide_operand(lowering *l, const anode *n, int i, dtype t)
{
	atype mine = *n->in[i]->type, to = *n->out[0]->type;
	int id = lower_convert_to(l, lower_of(l, n->in[i]), &mine, t);
	mine.dtype = to.dtype = t;
	return lower_broadcast_to(l, id, &mine, &to);
}

static dtype common_dtype(const anode *n)
{
	bool weak;
	return n->out[0]->type->dtype == DT_I1 ? dtype_meet(n->in[0]->type, n->in[1]->type, &weak)
	                                       : n->out[0]->type->dtype;
}

static bool lower_binary(lowering *l, const anode *n)
{
	dtype t = common_dtype(n);
	int a = wide_operand(l, n, 0, t), b = wide_operand(l, n, 1, t),
	    id = lower_begin(l, l->row->text);
	put_f(l->w, "%%%d, %%%d : ", a, b);
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

static bool lower_compare(lowering *l, const anode *n)
{
	dtype t = common_dtype(n);
	atype wide = *n->out[0]->type;
	int a = wide_operand(l, n, 0, t), b = wide_operand(l, n, 1, t);
	wide.dtype = t;
	return lower_result(l, n, lower_compared(l, l->row->text, a, b, &wide));
}

static bool lower_select(lowering *l, const anode *n)
{
	int id = lower_begin(l, "select");
	put_f(l->w, "%%%d, %%%d, %%%d : ", lower_of(l, n->in[0]), lower_of(l, n->in[1]),
	      lower_of(l, n->in[2]));
	put_tensor(l, n->in[0]->type);
	put_lit(l->w, ", ");
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

/* ---- shapes --------------------------------------------------------------------------------- */

static bool lower_reshape(lowering *l, const anode *n)
{
	const int64_t *perm;
	const atype *x = n->in[0]->type;
	int id = lower_of(l, n->in[0]);
	if (strcmp(n->op->name, "lax.reshape") == 0 &&
	    param_ints(n->attrs, "dimensions", &perm) > 0) {
		atype turned = *x;
		for (int d = 0; d < x->rank; d++)
			turned.dim[d] = x->dim[perm[d]];
		int from = id;
		id = lower_begin(l, "transpose");
		put_f(l->w, "%%%d, dims = ", from);
		lower_ints(l, perm, x->rank);
		lower_signature(l, x, &turned);
		return lower_result(l, n, lower_reshape_to(l, id, &turned, n->out[0]->type));
	}
	return lower_result(l, n, lower_reshape_to(l, id, x, n->out[0]->type));
}

static bool lower_broadcast(lowering *l, const anode *n)
{
	return lower_result(
		l, n,
		lower_broadcast_to(l, lower_of(l, n->in[0]), n->in[0]->type, n->out[0]->type));
}

/* One operand and a list of numbers: broadcast_in_dim, transpose, reverse. */
static bool lower_with_dims(lowering *l, const anode *n)
{
	bool broadcast = strcmp(l->row->text, "broadcast_in_dim") == 0;
	const char *key = broadcast ? "broadcast_dimensions"
	                  : strcmp(l->row->text, "transpose") == 0 ? "permutation" : "dimensions";
	const int64_t *v;
	int64_t reversed[ARRAY_MAX_RANK];
	int k = param_ints(n->attrs, key, &v);
	if (k < 0) {
		k = n->in[0]->type->rank;
		for (int d = 0; d < k; d++)
			reversed[d] = k - 1 - d;
		v = reversed;
	}
	int from = lower_of(l, n->in[0]), id = lower_begin(l, l->row->text);
	put_f(l->w, "%%%d, dims = ", from);
	lower_ints(l, v, k);
	if (strcmp(l->row->text, "reverse") == 0) {
		put_lit(l->w, " : ");
		put_tensor(l, n->out[0]->type);
		put_c(l->w, '\n');
	} else {
		lower_signature(l, n->in[0]->type, n->out[0]->type);
	}
	return lower_result(l, n, id);
}

static bool lower_concatenate(lowering *l, const anode *n)
{
	int id = lower_begin(l, "concatenate"), axis = 0;
	if (!axis_normal(l->ctx, n->op->name, param_int(n->attrs, "dimension", 0),
	                 n->out[0]->type->rank, &axis))
		return false;
	for (int i = 0; i < n->n_in; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", lower_of(l, n->in[i]));
	put_f(l->w, ", dim = %d : (", axis);
	for (int i = 0; i < n->n_in; i++) {
		put_z(l->w, i ? ", " : "");
		put_tensor(l, n->in[i]->type);
	}
	put_lit(l->w, ") -> ");
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

static bool lower_slice(lowering *l, const anode *n)
{
	const int64_t *from, *to, *step;
	int rank = param_ints(n->attrs, "start_indices", &from);
	bool by = param_ints(n->attrs, "strides", &step) >= 0;
	param_ints(n->attrs, "limit_indices", &to);
	int x = lower_of(l, n->in[0]), id = lower_begin(l, "slice");
	put_f(l->w, "%%%d [", x);
	for (int d = 0; d < rank; d++)
		put_f(l->w, "%s%" PRId64 ":%" PRId64 ":%" PRId64, d ? ", " : "", from[d], to[d],
		      by ? step[d] : 1);
	put_c(l->w, ']');
	lower_signature(l, n->in[0]->type, n->out[0]->type);
	return lower_result(l, n, id);
}

static bool lower_pad(lowering *l, const anode *n)
{
	const int64_t *p;
	int64_t part[ARRAY_MAX_RANK];
	static const char *const words[] = {"low", "high", "interior"};
	atype scalar = {.dtype = n->out[0]->type->dtype};
	param_ints(n->attrs, "padding_config", &p);
	int with = n->n_in > 1 ? lower_convert_to(l, lower_of(l, n->in[1]), n->in[1]->type,
	                                          scalar.dtype)
	                       : lower_constant(l, 0, &scalar);
	int id = lower_begin(l, "pad");
	put_f(l->w, "%%%d, %%%d", lower_of(l, n->in[0]), with);
	for (int k = 0; k < 3; k++) {
		for (int d = 0; d < n->out[0]->type->rank; d++)
			part[d] = p[3 * d + k];
		put_f(l->w, ", %s = ", words[k]);
		lower_ints(l, part, n->out[0]->type->rank);
	}
	put_lit(l->w, " : (");
	put_tensor(l, n->in[0]->type);
	put_lit(l->w, ", ");
	put_tensor(l, &scalar);
	put_lit(l->w, ") -> ");
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

/* ---- products and sums ----------------------------------------------------------------------- */

static bool lower_dot(lowering *l, const anode *n)
{
	const int64_t *lc, *rc, *lb, *rb;
	int c = param_ints(n->attrs, "lhs_contract", &lc),
	    b = param_ints(n->attrs, "lhs_batch", &lb);
	param_ints(n->attrs, "rhs_contract", &rc);
	param_ints(n->attrs, "rhs_batch", &rb);
	int id = lower_begin(l, "dot_general");
	put_f(l->w, "%%%d, %%%d", lower_of(l, n->in[0]), lower_of(l, n->in[1]));
	if (b > 0) {
		put_lit(l->w, ", batching_dims = ");
		lower_ints(l, lb, b);
		put_lit(l->w, " x ");
		lower_ints(l, rb, b);
	}
	put_lit(l->w, ", contracting_dims = ");
	lower_ints(l, lc, c > 0 ? c : 0);
	put_lit(l->w, " x ");
	lower_ints(l, rc, c > 0 ? c : 0);
	put_lit(l->w, " : (");
	put_tensor(l, n->in[0]->type);
	put_lit(l->w, ", ");
	put_tensor(l, n->in[1]->type);
	put_lit(l->w, ") -> ");
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

double lower_start(const char *word, dtype t)
{
	bool with_sign = dtype_class_of(t) == DC_SINT, is_float = dtype_is_float(t);
	double most = is_float ? (double)INFINITY : ldexp(1, dtype_bits(t) - with_sign) - 1;
	if (strcmp(word, "maximum") == 0)
		return is_float ? -most : with_sign ? -most - 1 : 0;
	if (strcmp(word, "minimum") == 0)
		return most;
	return strcmp(word, "multiply") == 0 || strcmp(word, "and") == 0;
}

static bool lower_reduce(lowering *l, const anode *n)
{
	atype wide = *n->in[0]->type;
	const atype *x = &wide;
	wide.dtype = n->out[0]->type->dtype;
	const char *key = param_has(n->attrs, "axes") ? "axes"
	                  : param_has(n->attrs, "dimensions") ? "dimensions" : "axis";
	const int64_t *v;
	int64_t axes[ARRAY_MAX_RANK];
	int k = param_ints(n->attrs, key, &v), axis;
	bool gone[ARRAY_MAX_RANK] = {false};
	atype scalar = {.dtype = x->dtype}, flat = *n->out[0]->type;
	for (int i = 0; i < (k < 0 ? x->rank : k); i++) {
		if (!axis_normal(l->ctx, n->op->name, k < 0 ? i : v[i], x->rank, &axis))
			return false;
		axes[i] = axis;
		gone[axis] = true;
	}
	flat.rank = 0;
	for (int d = 0; d < x->rank; d++)
		if (!gone[d])
			flat.dim[flat.rank++] = x->dim[d];
	int from = lower_convert_to(l, lower_of(l, n->in[0]), n->in[0]->type, x->dtype),
	    start = lower_constant(l, lower_start(l->row->text, x->dtype), &scalar);
	int id = lower_name(l);
	put_f(l->w,
	      "  %%%d = stablehlo.reduce(%%%d init: %%%d) applies stablehlo.%s across dimensions = ",
	      id, from, start, l->row->text);
	lower_ints(l, axes, k < 0 ? x->rank : k);
	put_lit(l->w, " : (");
	put_tensor(l, x);
	put_lit(l->w, ", ");
	put_tensor(l, &scalar);
	put_lit(l->w, ") -> ");
	put_tensor(l, &flat);
	put_c(l->w, '\n');
	if (flat.rank != n->out[0]->type->rank)
		id = lower_reshape_to(l, id, &flat, n->out[0]->type);
	return lower_result(l, n, id);
}

/* ---- creation ------------------------------------------------------------------------------- */

static bool lower_scalar(lowering *l, const anode *n)
{
	double number = param_number(n->attrs, "value", 0);
	return lower_result(l, n, lower_constant(l, number, n->out[0]->type));
}

static bool lower_fill(lowering *l, const anode *n)
{
	double number = param_number(n->attrs, "fill_value", strcmp(l->row->text, "1") == 0);
	return lower_result(l, n, lower_constant(l, number, n->out[0]->type));
}

static int put_iota(lowering *l, const atype *t, int dim)
{
	int id = lower_begin(l, "iota");
	put_f(l->w, "dim = %d : ", dim);
	put_tensor(l, t);
	put_c(l->w, '\n');
	return id;
}

static bool lower_iota(lowering *l, const anode *n)
{
	return lower_result(l, n,
	                    put_iota(l, n->out[0]->type, (int)param_int(n->attrs, "dimension", 0)));
}

/* True where the index equals the position along the new dimension. */
static bool lower_one_hot(lowering *l, const anode *n)
{
	atype wide = *n->out[0]->type;
	int axis = n->in[0]->type->rank, at = 0, id;
	int64_t dims[ARRAY_MAX_RANK];
	if (param_has(n->attrs, "axis") &&
	    !axis_normal(l->ctx, "one_hot", param_int(n->attrs, "axis", -1), wide.rank, &axis))
		return false;
	wide.dtype = n->in[0]->type->dtype;
	for (int d = 0; d < wide.rank; d++)
		if (d != axis)
			dims[at++] = d;
	int from = lower_of(l, n->in[0]), spread = lower_begin(l, "broadcast_in_dim");
	put_f(l->w, "%%%d, dims = ", from);
	lower_ints(l, dims, at);
	lower_signature(l, n->in[0]->type, &wide);
	int places = put_iota(l, &wide, axis);
	atype truth = wide;
	truth.dtype = DT_I1;
	id = lower_begin(l, "compare");
	put_f(l->w, "EQ, %%%d, %%%d : (", spread, places);
	put_tensor(l, &wide);
	put_lit(l->w, ", ");
	put_tensor(l, &wide);
	put_lit(l->w, ") -> ");
	put_tensor(l, &truth);
	put_c(l->w, '\n');
	return lower_result(l, n, lower_convert_to(l, id, &truth, n->out[0]->type->dtype));
}

/* ---- the table ------------------------------------------------------------------------------- */

const lower_row lower_rows[] = {
	{"lax.sin", lower_unary, "sine"},
	{"lax.cos", lower_unary, "cosine"},
	{"lax.tan", lower_unary, "tan"},
	{"lax.tanh", lower_unary, "tanh"},
	{"lax.exp", lower_unary, "exponential"},
	{"lax.expm1", lower_unary, "exponential_minus_one"},
	{"lax.log", lower_unary, "log"},
	{"lax.log1p", lower_unary, "log_plus_one"},
	{"lax.sqrt", lower_unary, "sqrt"},
	{"lax.rsqrt", lower_unary, "rsqrt"},
	{"lax.cbrt", lower_unary, "cbrt"},
	{"lax.abs", lower_unary, "abs"},
	{"lax.sign", lower_sign, "sign"},
	{"lax.floor", lower_unary, "floor"},
	{"lax.ceil", lower_unary, "ceil"},
	{"lax.logistic", lower_unary, "logistic"},
	{"lax.round", lower_round, ""},
	{"lax.population_count", lower_unary, "popcnt"},
	{"lax.clz", lower_unary, "count_leading_zeros"},
	{"lax.is_finite", lower_unary, "is_finite"},
	{"lax.bitwise_not", lower_unary, "not"},
	{"lax.neg", lower_unary, "negate"},
	{"lax.real", lower_unary, "real"},
	{"lax.imag", lower_unary, "imag"},
	{"lax.convert_element_type", lower_convert, ""},
	{"lax.stop_gradient", lower_alias, ""},
	{"lax.optimization_barrier", lower_alias, ""},
	{"jax.reshard", lower_alias, ""},
	{"lax.add", lower_binary, "add"},
	{"lax.sub", lower_binary, "subtract"},
	{"lax.mul", lower_binary, "multiply"},
	{"lax.div", lower_binary, "divide"},
	{"lax.rem", lower_binary, "remainder"},
	{"lax.max", lower_binary, "maximum"},
	{"lax.min", lower_binary, "minimum"},
	{"lax.pow", lower_binary, "power"},
	{"lax.atan2", lower_binary, "atan2"},
	{"lax.bitwise_and", lower_binary, "and"},
	{"lax.bitwise_or", lower_binary, "or"},
	{"lax.bitwise_xor", lower_binary, "xor"},
	{"jnp.add", lower_binary, "add"},
	{"jnp.subtract", lower_binary, "subtract"},
	{"jnp.multiply", lower_binary, "multiply"},
	{"jnp.divide", lower_binary, "divide"},
	{"jnp.maximum", lower_binary, "maximum"},
	{"jnp.minimum", lower_binary, "minimum"},
	{"jnp.power", lower_binary, "power"},
	{"lax.eq", lower_compare, "EQ"},
	{"lax.ne", lower_compare, "NE"},
	{"lax.lt", lower_compare, "LT"},
	{"lax.le", lower_compare, "LE"},
	{"lax.gt", lower_compare, "GT"},
	{"lax.ge", lower_compare, "GE"},
	{"jnp.arctan2", lower_binary, "atan2"},
	{"jnp.rem", lower_binary, "remainder"},
	{"jnp.quotient", lower_binary, "divide"},
	{"jnp.bitwise_and", lower_binary, "and"},
	{"jnp.bitwise_or", lower_binary, "or"},
	{"jnp.bitwise_xor", lower_binary, "xor"},
	{"jnp.left_shift", lower_binary, "shift_left"},
	{"jnp.equal", lower_compare, "EQ"},
	{"jnp.not_equal", lower_compare, "NE"},
	{"jnp.less", lower_compare, "LT"},
	{"jnp.less_equal", lower_compare, "LE"},
	{"jnp.greater", lower_compare, "GT"},
	{"jnp.greater_equal", lower_compare, "GE"},
	{"lax.select", lower_select, ""},
	{"lax.reshape", lower_reshape, ""},
	{"lax.squeeze", lower_reshape, ""},
	{"lax.expand_dims", lower_reshape, ""},
	{"jnp.expand_dims", lower_reshape, ""},
	{"jnp.broadcast_to", lower_broadcast, ""},
	{"lax.broadcast", lower_broadcast, ""},
	{"lax.broadcast_in_dim", lower_with_dims, "broadcast_in_dim"},
	{"lax.transpose", lower_with_dims, "transpose"},
	{"lax.rev", lower_with_dims, "reverse"},
	{"lax.concatenate", lower_concatenate, ""},
	{"lax.slice", lower_slice, ""},
	{"lax.pad", lower_pad, ""},
	{"lax.pad1", lower_pad, ""},
	{"lax.dot_general", lower_dot, ""},
	{"lax.reduce_sum", lower_reduce, "add"},
	{"lax.reduce_max", lower_reduce, "maximum"},
	{"lax.reduce_min", lower_reduce, "minimum"},
	{"lax.reduce_prod", lower_reduce, "multiply"},
	{"lax.reduce_and", lower_reduce, "and"},
	{"lax.reduce_or", lower_reduce, "or"},
	{"lax.reduce", lower_reduce, "add"},
	{"lax.shift_left", lower_binary, "shift_left"},
	{"lax.shift_right_logical", lower_binary, "shift_right_logical"},
	{"lax.shift_right_arithmetic", lower_binary, "shift_right_arithmetic"},
	{"jnp.sum", lower_reduce, "add"},
	{"jnp.prod", lower_reduce, "multiply"},
	{"jnp.max", lower_reduce, "maximum"},
	{"jnp.min", lower_reduce, "minimum"},
	{"scalar", lower_scalar, ""},
	{"jnp.zeros", lower_fill, "0"},
	{"jnp.ones", lower_fill, "1"},
	{"lax.full", lower_fill, "0"},
	{"jnp.zeros_like", lower_fill, "0"},
	{"jnp.ones_like", lower_fill, "1"},
	{"jnp.full_like", lower_fill, "0"},
	{"jnp.array", lower_alias, ""},
	{"lax.iota", lower_iota, ""},
	{"jnp.arange", lower_iota, ""},
	{"nn.one_hot", lower_one_hot, ""},
	{NULL, NULL, NULL},
};
