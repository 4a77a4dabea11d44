/* nn.c - activations, softmax and normalization in terms of primitives. */
#include "array/expand/expand.h"
#include "array/make/make.h"

#include <math.h>

static avalue *shifted_by(maker *k, avalue *x, double v)
{
	return make2(k, "jnp.add", x, make_number(k, v), NULL);
}

static avalue *at_least(maker *k, avalue *x, double v)
{
	return make2(k, "jnp.maximum", x, make_number(k, v), NULL);
}

static avalue *at_most(maker *k, avalue *x, double v)
{
	return make2(k, "jnp.minimum", x, make_number(k, v), NULL);
}

static avalue *above(maker *k, avalue *x, double v)
{
	return make2(k, "jnp.greater", x, make_number(k, v), NULL);
}

/* ---- activations --------------------------------------------------------------------------- */

/* Integers stay integers. */
bool make_relu(maker *k)
{
	avalue *x = k->in[0];
	return make_out(k, make2(k, "jnp.maximum", x, make_number_like(k, 0, x), NULL));
}

bool make_relu6(maker *k) { return make_out(k, at_most(k, at_least(k, k->in[0], 0), 6)); }

bool make_silu(maker *k)
{
	return make_out(
		k, make2(k, "lax.mul", k->in[0], make1(k, "lax.logistic", k->in[0], NULL), NULL));
}

/* x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))); or exactly, with approximate=0, x/2 erfc(-x/√2). */
bool make_gelu(maker *k)
{
	avalue *x = make_float(k, k->in[0]);
	if (!param_int(k->attrs, "approximate", 1)) {
		avalue *tail = make1(k, "lax.erfc", make_scaled(k, x, -sqrt(0.5)), NULL);
		return make_out(k, make2(k, "lax.mul", make_scaled(k, x, 0.5), tail, NULL));
	}
	avalue *cube = make2(k, "lax.mul", make2(k, "lax.mul", x, x, NULL), x, NULL);
	avalue *sum = make2(k, "lax.add", x, make_scaled(k, cube, 0.044715), NULL);
	avalue *bent = make1(k, "lax.tanh", make_scaled(k, sum, sqrt(2 / M_PI)), NULL);
	return make_out(k, make2(k, "lax.mul", x, make_scaled(k, shifted_by(k, bent, 1), 0.5), NULL));
}

/* log(1 + e^x) = max(x, 0) + log1p(e^-|x|): never overflows. */
static avalue *softplus_of(maker *k, avalue *x)
{
	avalue *tail = make1(k, "lax.exp", make1(k, "lax.neg", make1(k, "lax.abs", x, NULL), NULL),
	                     NULL);
	return make2(k, "lax.add", at_least(k, x, 0), make1(k, "lax.log1p", tail, NULL), NULL);
}

bool make_softplus(maker *k) { return make_out(k, softplus_of(k, make_float(k, k->in[0]))); }

bool make_log_sigmoid(maker *k)
{
	avalue *back = make1(k, "lax.neg", k->in[0], NULL);
	return make_out(k, make1(k, "lax.neg", softplus_of(k, back), NULL));
}

bool make_mish(maker *k)
{
	avalue *x = make_float(k, k->in[0]), *bent = make1(k, "lax.tanh", softplus_of(k, x), NULL);
	return make_out(k, make2(k, "lax.mul", x, bent, NULL));
}

/* (x + √(x² + b)) / 2 */
bool make_squareplus(maker *k)
{
	avalue *x = k->in[0], *square = make2(k, "lax.mul", x, x, NULL);
	avalue *root = make1(k, "lax.sqrt", shifted_by(k, square, param_number(k->attrs, "b", 4)), NULL);
	return make_out(k, make_scaled(k, make2(k, "lax.add", x, root, NULL), 0.5));
}

bool make_soft_sign(maker *k)
{
	avalue *x = k->in[0], *by = shifted_by(k, make1(k, "lax.abs", x, NULL), 1);
	return make_out(k, make2(k, "lax.div", x, by, NULL));
}

/* x, and alpha (e^x - 1) if negative. The exponential is given 0 for other x, where it might
 * overflow and is not differentiated. */
static avalue *elu_of(maker *k, avalue *x, double alpha)
{
	avalue *over = above(k, x, 0);
	avalue *safe = ex_where(k, over, make1(k, "jnp.zeros_like", x, NULL), x);
	avalue *bent = make_scaled(k, make1(k, "lax.expm1", safe, NULL), alpha);
	return ex_where(k, over, x, bent);
}

bool make_elu(maker *k)
{
	return make_out(k, elu_of(k, make_float(k, k->in[0]), param_number(k->attrs, "alpha", 1)));
}

bool make_selu(maker *k)
{
	const double alpha = 1.6732632423543772848170429916717,
	             scale = 1.0507009873554804934193349852946;
	return make_out(k, make_scaled(k, elu_of(k, make_float(k, k->in[0]), alpha), scale));
}

bool make_celu(maker *k)
{
	double alpha = param_number(k->attrs, "alpha", 1);
	avalue *below = make_scaled(k, at_most(k, k->in[0], 0), 1 / alpha);
	avalue *bent = make_scaled(k, make1(k, "lax.expm1", below, NULL), alpha);
	return make_out(k, make2(k, "lax.add", at_least(k, k->in[0], 0), bent, NULL));
}

bool make_leaky_relu(maker *k)
{
	avalue *x = k->in[0];
	avalue *on = make2(k, "jnp.greater_equal", x, make_number(k, 0), NULL);
	avalue *low = make_scaled(k, x, param_number(k->attrs, "negative_slope", 0.01));
	return make_out(k, ex_where(k, on, x, low));
}

bool make_hard_tanh(maker *k)
{
	avalue *x = k->in[0], *low = make2(k, "jnp.less", x, make_number(k, -1), NULL);
	avalue *rest = ex_where(k, low, make_number(k, -1), x);
	return make_out(k, ex_where(k, above(k, x, 1), make_number(k, 1), rest));
}

/* relu6(x + 3) / 6; how: times x. */
bool make_hard_sigmoid(maker *k)
{
	avalue *x = k->in[0], *y = at_most(k, at_least(k, shifted_by(k, x, 3), 0), 6);
	y = make2(k, "jnp.divide", y, make_number(k, 6), NULL);
	return make_out(k, k->op->how ? make2(k, "lax.mul", x, y, NULL) : y);
}

/* The first half times the sigmoid of the second. */
bool make_glu(maker *k)
{
	avalue *x = k->in[0];
	int axis;
	if (!axis_normal(k->ctx, "glu", param_int(k->attrs, "axis", -1), x->type->rank, &axis))
		return false;
	int64_t n = x->type->dim[axis];
	if (n % 2)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "glu: dimension %d of %s must be even", axis,
		                  atype_text(k->ctx, x->type, TYPE_SHORT));
	avalue *gate = make1(k, "lax.logistic", make_slice(k, x, axis, n / 2, n), NULL);
	return make_out(k, make2(k, "lax.mul", make_slice(k, x, axis, 0, n / 2), gate, NULL));
}

/* ---- softmax --------------------------------------------------------------------------------- */

static avalue *last_axis_reduced(maker *k, const char *op, avalue *x)
{
	int64_t last = param_int(k->attrs, "axis", -1), one = 1;
	params *a = make_ints(k, "axes", &last, 1);
	make_more(k, a, "keepdims", &one, 1);
	return make1(k, op, x, a);
}

static avalue *shifted(maker *k, avalue *x)
{
	avalue *top = make1(k, "lax.stop_gradient", last_axis_reduced(k, "lax.reduce_max", x),
	                    NULL);
	return make2(k, "jnp.subtract", x, top, NULL);
}

bool make_softmax(maker *k)
{
	avalue *e = make1(k, "lax.exp", shifted(k, make_float(k, k->in[0])), NULL);
	return make_out(k,
	                make2(k, "jnp.divide", e, last_axis_reduced(k, "lax.reduce_sum", e), NULL));
}

bool make_log_softmax(maker *k)
{
	avalue *x = shifted(k, make_float(k, k->in[0]));
	avalue *sum = last_axis_reduced(k, "lax.reduce_sum", make1(k, "lax.exp", x, NULL));
	return make_out(k, make2(k, "jnp.subtract", x, make1(k, "lax.log", sum, NULL), NULL));
}

bool make_logsumexp(maker *k)
{
	bool keep = param_int(k->attrs, "keepdims", 0);
	avalue *x = make_float(k, k->in[0]);
	avalue *top = make1(k, "lax.stop_gradient", make_reduce(k, "lax.reduce_max", x, true),
	                    NULL);
	avalue *e = make1(k, "lax.exp", make2(k, "jnp.subtract", x, top, NULL), NULL);
	avalue *log = make1(k, "lax.log", make_reduce(k, "lax.reduce_sum", e, keep), NULL);
	avalue *flat = make_reduce(k, "lax.reduce_max", top, keep);
	return make_out(k, make2(k, "jnp.add", log, flat, NULL));
}

/* Mean 0 and variance 1 along an axis. The variance is the mean square minus the squared mean,
 * which rounding may make negative. */
bool make_standardize(maker *k)
{
	const atype *t = k->in[0]->type;
	int axis;
	if (!axis_normal(k->ctx, "standardize", param_int(k->attrs, "axis", -1), t->rank, &axis))
		return false;
	double each = 1 / (double)t->dim[axis];
	avalue *x = make_float(k, k->in[0]);
	avalue *mean = make_scaled(k, ex_reduce(k, "lax.reduce_sum", x, axis, true), each);
	avalue *squares = make_float(k, make2(k, "lax.mul", k->in[0], k->in[0], NULL));
	avalue *square = make_scaled(k, ex_reduce(k, "lax.reduce_sum", squares, axis, true), each);
	avalue *var = make2(k, "lax.sub", square, make2(k, "lax.mul", mean, mean, NULL), NULL);
	var = at_least(k, var, 0);
	avalue *by = make1(k, "lax.rsqrt", shifted_by(k, var, param_number(k->attrs, "epsilon", 1e-5)),
	                   NULL);
	return make_out(k, make2(k, "lax.mul", make2(k, "lax.sub", x, mean, NULL), by, NULL));
}
