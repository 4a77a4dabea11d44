/* elementwise.c - jnp's elementwise functions in terms of lax's. Integers become floats where
 * floats are computed; numbers are true if not 0. */
#include "array/expand/expand.h"
#include "array/make/make.h"
#include "array/typed/typed.h"

#include <math.h>

static avalue *truth(maker *k, avalue *x, bool of)
{
	if (!x || (of && x->type->dtype == DT_I1))
		return x;
	if (x->type->dtype == DT_I1)
		return make1(k, "lax.bitwise_not", x, NULL);
	return make2(k, of ? "jnp.not_equal" : "jnp.equal", x, make_number_like(k, 0, x), NULL);
}

/* ---- one operand ------------------------------------------------------------------------- */

/* The operation under its other name. */
bool make_same(maker *k)
{
	avalue *in[2], *out;
	for (int i = 0; i < k->n_in; i++)
		in[i] = k->op->how & EW_FLOAT ? make_float(k, k->in[i]) : k->in[i];
	return array_emit(k->ctx, k->op->as, in, k->n_in, k->attrs, &out, 1) == 1 &&
	       make_out(k, out);
}

bool make_reciprocal(maker *k)
{
	avalue *x = k->op->how & EW_FLOAT ? make_float(k, k->in[0]) : k->in[0];
	return make_out(k, make2(k, "lax.div", make_number(k, 1), x, NULL));
}

bool make_exp2(maker *k)
{
	avalue *x = k->op->how & EW_FLOAT ? make_float(k, k->in[0]) : k->in[0];
	x = make2(k, "lax.mul", x, make_number(k, log(2)), NULL);
	return make_out(k, make1(k, "lax.exp", x, NULL));
}

/* The logarithm to base `how`. */
bool make_log_to(maker *k)
{
	avalue *log_x = make1(k, "lax.log", make_float(k, k->in[0]), NULL);
	return make_out(k, make2(k, "jnp.divide", log_x, make_number(k, log(k->op->how)), NULL));
}

bool make_degrees(maker *k)
{
	double half_turn = 180, scale = k->op->how ? half_turn / M_PI : M_PI / half_turn;
	return make_out(k, make_scaled(k, make_float(k, k->in[0]), scale));
}

static avalue *to_even(maker *k, avalue *x)
{
	int64_t even = 1;
	return make1(k, "lax.round", x, make_ints(k, "rounding_method", &even, 1));
}

/* Rounds to `decimals` decimal places. */
static avalue *rounded_to(maker *k, avalue *x, int64_t decimals)
{
	double scale = pow(10, (double)decimals);
	if (!decimals)
		return to_even(k, x);
	return make2(k, "jnp.divide", to_even(k, make_scaled(k, x, scale)), make_number(k, scale), NULL);
}

/* floor, ceil, trunc, round, rint: integers are unchanged. */
bool make_rounded(maker *k)
{
	avalue *x = k->in[0];
	int how = k->op->how;
	if (how == 3 && x->type->dtype == DT_I1)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_DTYPE, "round does not take booleans");
	if (how == 4)
		x = make_float(k, x);
	if (dtype_is_int(x->type->dtype))
		return make_out(k, x);
	if (how >= 3)
		return make_out(k, rounded_to(k, x, param_int(k->attrs, "decimals", 0)));
	avalue *floor = how == 1 ? NULL : make1(k, "lax.floor", x, NULL);
	avalue *ceil = how == 0 ? NULL : make1(k, "lax.ceil", x, NULL);
	if (how < 2)
		return make_out(k, how ? ceil : floor);
	return make_out(k, ex_where(k, make2(k, "jnp.less", x, make_number(k, 0), NULL), ceil,
	                            floor));
}

bool make_isnan(maker *k)
{
	return make_out(k, make2(k, "lax.ne", k->in[0], k->in[0], NULL));
}

/* For integers: false. */
bool make_isinf(maker *k)
{
	avalue *x = k->in[0];
	if (dtype_is_int(x->type->dtype))
		return make_isnan(k);
	return make_out(k, make2(k, "jnp.equal", make1(k, "lax.abs", x, NULL),
	                         make_number(k, HUGE_VAL), NULL));
}

bool make_isfinite(maker *k)
{
	avalue *x = k->in[0];
	if (dtype_is_int(x->type->dtype))
		return make_out(k, make2(k, "lax.eq", x, x, NULL));
	return make_out(k, make1(k, "lax.is_finite", x, NULL));
}

bool make_logical_not(maker *k) { return make_out(k, truth(k, k->in[0], false)); }

/* The real part; how: the imaginary part. */
bool make_part(maker *k)
{
	avalue *x = k->in[0];
	bool imag = k->op->how;
	if (dtype_class_of(x->type->dtype) == DC_COMPLEX)
		return make_out(k, make1(k, imag ? "lax.imag" : "lax.real", x, NULL));
	return make_out(k, imag ? make1(k, "jnp.zeros_like", x, NULL) : x);
}

bool make_conj(maker *k)
{
	avalue *x = k->in[0];
	bool complex = dtype_class_of(x->type->dtype) == DC_COMPLEX;
	return make_out(k, complex ? make1(k, "lax.conj", x, NULL) : x);
}

/* The absolute value; unsigned numbers are unchanged. */
bool make_magnitude(maker *k)
{
	dtype_class c = dtype_class_of(k->in[0]->type->dtype);
	return make_out(k, c == DC_BOOL || c == DC_UINT ? k->in[0]
	                                                : make1(k, "lax.abs", k->in[0], NULL));
}

bool make_positive(maker *k) { return make_out(k, k->in[0]); }

bool make_astype(maker *k)
{
	return make_out(k, ex_convert(k, k->in[0],
	                              param_dtype(k->attrs, "dtype", k->in[0]->type->dtype)));
}

/* ---- two operands, and three ------------------------------------------------------------- */

bool make_logical(maker *k)
{
	static const char *const ops[] = {"jnp.bitwise_and", "jnp.bitwise_or", "jnp.bitwise_xor"};
	return make_out(k, make2(k, ops[k->op->how], truth(k, k->in[0], true),
	                         truth(k, k->in[1], true), NULL));
}

/* Converts both operands to their common dtype. */
static bool met_operands(maker *k, avalue *in[2])
{
	bool weak;
	dtype t = dtype_meet(k->in[0]->type, k->in[1]->type, &weak);
	if (t == DT_I1)
		t = DT_I32;
	for (int i = 0; i < 2; i++) {
		const atype *mine = k->in[i]->type;
		bool number = mine->weak && !mine->rank;
		in[i] = number && dtype_class_of(t) == dtype_class_of(mine->dtype)
		                ? k->in[i]
		                : ex_convert(k, k->in[i], t);
	}
	return in[0] && in[1];
}

static avalue *differ_in_sign(maker *k, avalue *a, avalue *b)
{
	return make2(k, "jnp.not_equal", make2(k, "jnp.less", a, make_number_like(k, 0, a), NULL),
	             make2(k, "jnp.less", b, make_number_like(k, 0, b), NULL), NULL);
}

/* Replaces 0 by 1 in integer divisors. */
static avalue *safe_divisor(maker *k, avalue *by)
{
	if (!by || !dtype_is_int(by->type->dtype))
		return by;
	return ex_where(k, make2(k, "jnp.equal", by, ex_int(k, 0), NULL), ex_int(k, 1), by);
}

/* The remainder has the sign of the dividend. */
bool make_fmod(maker *k)
{
	avalue *in[2];
	return met_operands(k, in) &&
	       make_out(k, make2(k, "jnp.rem", in[0], safe_divisor(k, in[1]), NULL));
}

/* The remainder has the sign of the divisor. */
bool make_remainder(maker *k)
{
	avalue *in[2];
	if (!met_operands(k, in))
		return false;
	avalue *by = safe_divisor(k, in[1]), *left = make2(k, "jnp.rem", in[0], by, NULL);
	avalue *off = make2(k, "jnp.bitwise_and", differ_in_sign(k, left, by),
	                    truth(k, left, true), NULL);
	return make_out(k, ex_where(k, off, make2(k, "jnp.add", left, by, NULL), left));
}

/* Truncates, then subtracts 1 if the operands' signs differ and there is a remainder. */
static avalue *floor_of_integers(maker *k, avalue *x, avalue *by)
{
	avalue *left = make2(k, "jnp.rem", x, by, NULL);
	avalue *signs = make2(k, "jnp.not_equal", make1(k, "lax.sign", x, NULL),
	                      make1(k, "lax.sign", by, NULL), NULL);
	avalue *off = make2(k, "jnp.bitwise_and", signs, truth(k, left, true), NULL);
	avalue *q = make2(k, "jnp.quotient", x, by, NULL);
	return ex_where(k, off, make2(k, "jnp.subtract", q, ex_int(k, 1), NULL), q);
}

bool make_floor_divide(maker *k)
{
	avalue *in[2];
	if (!met_operands(k, in))
		return false;
	dtype_class c = dtype_class_of(in[0]->type->dtype);
	if (c == DC_UINT)
		return make_out(k, make2(k, "jnp.quotient", in[0], in[1], NULL));
	if (c == DC_SINT)
		return make_out(k, floor_of_integers(k, in[0], in[1]));
	avalue *left = make2(k, "jnp.rem", in[0], in[1], NULL);
	avalue *off = make2(k, "jnp.bitwise_and", differ_in_sign(k, left, in[1]),
	                    truth(k, left, true), NULL);
	/* division by 0 has no remainder */
	avalue *by_zero = make2(k, "jnp.equal", in[1], make_number(k, 0), NULL);
	avalue *whole = ex_where(k, by_zero, in[0], make2(k, "jnp.subtract", in[0], left, NULL));
	avalue *q = make2(k, "jnp.divide", whole, in[1], NULL);
	avalue *less = make2(k, "jnp.subtract", q, make_number(k, 1), NULL);
	return make_out(k, to_even(k, ex_where(k, off, less, q)));
}

/* The larger times √(1 + (smaller / larger)²): no square overflows. Infinite if either is. */
bool make_hypot(maker *k)
{
	avalue *a = make1(k, "lax.abs", make_float(k, k->in[0]), NULL);
	avalue *b = make1(k, "lax.abs", make_float(k, k->in[1]), NULL);
	avalue *most = make2(k, "jnp.maximum", a, b, NULL);
	avalue *least = make2(k, "jnp.minimum", a, b, NULL);
	avalue *none = make2(k, "jnp.equal", most, make_number(k, 0), NULL);
	avalue *by = ex_where(k, none, make1(k, "jnp.ones_like", most, NULL), most);
	avalue *ratio = make2(k, "lax.div", least, by, NULL);
	avalue *root = make1(k, "lax.sqrt",
	                     make2(k, "jnp.add", make2(k, "lax.mul", ratio, ratio, NULL),
	                           make_number(k, 1), NULL),
	                     NULL);
	avalue *length = ex_where(k, none, most, make2(k, "lax.mul", most, root, NULL));
	avalue *infinity = make_number(k, HUGE_VAL);
	avalue *infinite = make2(k, "jnp.bitwise_or", make2(k, "jnp.equal", a, infinity, NULL),
	                         make2(k, "jnp.equal", b, infinity, NULL), NULL);
	return make_out(k, ex_where(k, infinite, infinity, length));
}

/* max + log(1 + e^-|a - b|); if the difference is NaN, as for infinities, their sum. */
bool make_logaddexp(maker *k)
{
	avalue *a = make_float(k, k->in[0]), *b = make_float(k, k->in[1]);
	avalue *most = make2(k, "jnp.maximum", a, b, NULL),
	       *off = make2(k, "jnp.subtract", a, b, NULL);
	avalue *small = make1(k, "lax.exp",
	                      make1(k, "lax.neg", make1(k, "lax.abs", off, NULL), NULL), NULL);
	avalue *sum = make2(k, "lax.add", most, make1(k, "lax.log1p", small, NULL), NULL);
	return make_out(k, ex_where(k, make2(k, "lax.ne", off, off, NULL),
	                            make2(k, "jnp.add", a, b, NULL), sum));
}

/* True if the sign bit is set, as for -0 and some NaN; for integers, if negative. */
bool make_signbit(maker *k)
{
	static const dtype ints[] = {[1] = DT_I8, [2] = DT_I16, [4] = DT_I32, [8] = DT_I64};
	avalue *x = k->in[0];
	dtype t = x->type->dtype;
	if (dtype_is_complex(t))
		return diag_error(k->ctx, NOWHERE, E_ARRAY_DTYPE,
		                  "%s does not take complex values", k->op->name);
	if (dtype_is_int(t))
		return make_out(k, t == DT_I1 ? make2(k, "jnp.not_equal", x, x, NULL)
		                              : make2(k, "jnp.less", x, make_number(k, 0), NULL));
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1,
	                   .dtype = ints[(dtype_bits(t) + 7) / 8]});
	return make_out(k, make2(k, "jnp.less", make1(k, "lax.bitcast_convert_type", x, a),
	                         make_number(k, 0), NULL));
}

/* The first operand with the sign of the second, which may be that of -0 or NaN. */
bool make_copysign(maker *k)
{
	avalue *in[2];
	if (!make_alike(k, in))
		return false;
	avalue *size = make1(k, "lax.abs", make_float(k, in[0]), NULL);
	avalue *sign = make1(k, "jnp.signbit", make_float(k, in[1]), NULL);
	return make_out(k, ex_where(k, sign, make1(k, "lax.neg", size, NULL), size));
}

/* 0, 1, and the second operand where the first is 0; NaN for NaN. */
bool make_heaviside(maker *k)
{
	avalue *x = make_float(k, k->in[0]), *at_zero = make_float(k, k->in[1]);
	avalue *zero = make_number(k, 0), *one = make_number(k, 1);
	avalue *above = ex_where(k, make2(k, "jnp.greater", x, zero, NULL), one, at_zero);
	avalue *step = ex_where(k, make2(k, "jnp.less", x, zero, NULL), zero, above);
	return make_out(k, ex_where(k, make2(k, "lax.ne", x, x, NULL), x, step));
}

static avalue *all_of(maker *k, avalue *x) { return make1(k, "jnp.all", x, NULL); }

/* a - b| ≤ atol + rtol |b|; infinities are close if equal. how: all elements are. */
bool make_isclose(maker *k)
{
	avalue *a = make_float(k, k->in[0]), *b = make_float(k, k->in[1]);
	avalue *off = make1(k, "lax.abs", make2(k, "jnp.subtract", a, b, NULL), NULL);
	avalue *room = make2(k, "jnp.add",
	                     make_scaled(k, make1(k, "lax.abs", b, NULL),
	                           param_number(k->attrs, "rtol", 1e-5)),
	                     make_number(k, param_number(k->attrs, "atol", 1e-8)), NULL);
	avalue *finite = make2(k, "jnp.bitwise_and", make1(k, "lax.is_finite", a, NULL),
	                       make1(k, "lax.is_finite", b, NULL), NULL);
	avalue *close = make2(k, "jnp.bitwise_and", make2(k, "jnp.less_equal", off, room, NULL),
	                      finite, NULL);
	close = make2(k, "jnp.bitwise_or", close, make2(k, "jnp.equal", a, b, NULL), NULL);
	return make_out(k, k->op->how ? all_of(k, close) : close);
}

bool make_array_equal(maker *k)
{
	const atype *a = k->in[0]->type, *b = k->in[1]->type;
	bool alike = a->rank == b->rank &&
	             memcmp(a->dim, b->dim, sizeof *a->dim * (size_t)a->rank) == 0;
	if (!alike)
		return make_out(k, ex_number(k, 0, DT_I1));
	return make_out(k, all_of(k, make2(k, "jnp.equal", k->in[0], k->in[1], NULL)));
}

/* Selects one of two cases by index. */
bool make_select_n(maker *k)
{
	avalue *which = truth(k, k->in[0], true), *in[] = {which, k->in[2], k->in[1]}, *out;
	return which && array_emit(k->ctx, "lax.select", in, 3, NULL, &out, 1) == 1 &&
	       make_out(k, out);
}
