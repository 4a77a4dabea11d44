/* elementwise.c - derivatives of elementwise operations. */
#include "array/grad/grad.h"

#include <math.h>

/* ---- one operand ------------------------------------------------------------------------- */

void back_neg(backward *b) { back_give(b, 0, back1(b, "lax.neg", b->ct, NULL)); }

void back_sin(backward *b)
{
	back_give(b, 0, back_times(b, b->ct, back1(b, "lax.cos", again(b, 0), NULL)));
}

void back_cos(backward *b)
{
	avalue *slope = back1(b, "lax.neg", back1(b, "lax.sin", again(b, 0), NULL), NULL);
	back_give(b, 0, back_times(b, b->ct, slope));
}

void back_exp(backward *b) { back_give(b, 0, back_times(b, b->ct, again_out(b))); }

void back_log(backward *b) { back_give(b, 0, back2(b, "jnp.divide", b->ct, again(b, 0), NULL)); }

void back_log1p(backward *b)
{
	avalue *one = back2(b, "jnp.add", again(b, 0), back_number(b, 1), NULL);
	back_give(b, 0, back2(b, "jnp.divide", b->ct, one, NULL));
}

/* 1 - y² */
void back_tanh(backward *b)
{
	avalue *y = again_out(b),
	       *slope = back2(b, "jnp.subtract", back_number(b, 1), back_times(b, y, y), NULL);
	back_give(b, 0, back_times(b, b->ct, slope));
}

/* y (1 - y) */
void back_logistic(backward *b)
{
	avalue *y = again_out(b);
	back_give(
		b, 0,
		back_times(b, b->ct,
	                   back_times(b, y, back2(b, "jnp.subtract", back_number(b, 1), y, NULL))));
}

/* 1 / 2y */
void back_sqrt(backward *b)
{
	avalue *half = back_times(b, b->ct, back_number(b, 0.5));
	back_give(b, 0, back2(b, "jnp.divide", half, again_out(b), NULL));
}

/* -y³ / 2 */
void back_rsqrt(backward *b)
{
	avalue *y = again_out(b), *cube = back_times(b, back_times(b, y, y), y);
	back_give(b, 0, back_times(b, b->ct, back_times(b, cube, back_number(b, -0.5))));
}

void back_abs(backward *b)
{
	back_give(b, 0, back_times(b, b->ct, back1(b, "lax.sign", again(b, 0), NULL)));
}

void back_tan(backward *b)
{
	avalue *y = again_out(b);
	back_give(b, 0,
	          back_times(b, b->ct,
	                     back2(b, "jnp.add", back_number(b, 1), back_times(b, y, y), NULL)));
}

void back_expm1(backward *b)
{
	back_give(b, 0,
	          back_times(b, b->ct, back2(b, "jnp.add", again_out(b), back_number(b, 1), NULL)));
}

/* 2/√π e^(-x²) */
static void back_gauss(backward *b, double sign)
{
	avalue *x = again(b, 0), *square = back1(b, "lax.neg", back_times(b, x, x), NULL);
	avalue *slope = back_times(b, back1(b, "lax.exp", square, NULL),
	                           back_number(b, sign * 2 / sqrt(M_PI)));
	back_give(b, 0, back_times(b, b->ct, slope));
}

void back_erf(backward *b) { back_gauss(b, 1); }
void back_erfc(backward *b) { back_gauss(b, -1); }

void back_sinh(backward *b)
{
	back_give(b, 0, back_times(b, b->ct, back1(b, "lax.cosh", again(b, 0), NULL)));
}

void back_cosh(backward *b)
{
	back_give(b, 0, back_times(b, b->ct, back1(b, "lax.sinh", again(b, 0), NULL)));
}

/* c + s x² */
static avalue *back_quadratic(backward *b, double c, double s)
{
	avalue *x = again(b, 0), *square = back_times(b, x, x);
	return back2(b, "jnp.add", back_number(b, c), back_times(b, square, back_number(b, s)),
	             NULL);
}

/* 1 / √(1 - x²) */
void back_asin(backward *b)
{
	avalue *slope = back1(b, "lax.rsqrt", back_quadratic(b, 1, -1), NULL);
	back_give(b, 0, back_times(b, b->ct, slope));
}

void back_acos(backward *b)
{
	avalue *slope = back1(b, "lax.rsqrt", back_quadratic(b, 1, -1), NULL);
	back_give(b, 0, back1(b, "lax.neg", back_times(b, b->ct, slope), NULL));
}

void back_atan(backward *b)
{
	back_give(b, 0, back2(b, "jnp.divide", b->ct, back_quadratic(b, 1, 1), NULL));
}

void back_asinh(backward *b)
{
	avalue *slope = back1(b, "lax.rsqrt", back_quadratic(b, 1, 1), NULL);
	back_give(b, 0, back_times(b, b->ct, slope));
}

void back_acosh(backward *b)
{
	avalue *slope = back1(b, "lax.rsqrt", back_quadratic(b, -1, 1), NULL);
	back_give(b, 0, back_times(b, b->ct, slope));
}

void back_atanh(backward *b)
{
	back_give(b, 0, back2(b, "jnp.divide", b->ct, back_quadratic(b, 1, -1), NULL));
}

void back_lgamma(backward *b)
{
	back_give(b, 0, back_times(b, b->ct, back1(b, "lax.digamma", again(b, 0), NULL)));
}

/* The cube root: 1 / 3y² */
void back_cbrt(backward *b)
{
	avalue *y = again_out(b), *three = back_number(b, 3);
	avalue *under = back_times(b, three, back_times(b, y, y));
	back_give(b, 0, back2(b, "jnp.divide", b->ct, under, NULL));
}

/* √π/2 e^(y²) */
void back_erf_inv(backward *b)
{
	avalue *y = again_out(b), *slope = back1(b, "lax.exp", back_times(b, y, y), NULL);
	back_give(b, 0, back_times(b, b->ct, back_times(b, slope, back_number(b, sqrt(M_PI) / 2))));
}

void back_precision(backward *b)
{
	back_give(b, 0, back1(b, "lax.reduce_precision", b->ct, b->node->attrs));
}

/* ---- two operands, and three ----------------------------------------------------------- */

void back_add(backward *b)
{
	back_give(b, 0, b->ct);
	back_give(b, 1, b->ct);
}

void back_sub(backward *b)
{
	back_give(b, 0, b->ct);
	back_give(b, 1, back1(b, "lax.neg", b->ct, NULL));
}

static bool is_float_operand(backward *b, int i)
{
	return dtype_is_float(b->node->in[i]->type->dtype);
}

void back_mul(backward *b)
{
	if (is_float_operand(b, 0))
		back_give(b, 0, back_times(b, b->ct, again(b, 1)));
	if (is_float_operand(b, 1))
		back_give(b, 1, back_times(b, b->ct, again(b, 0)));
}

void back_div(backward *b)
{
	avalue *by = again(b, 1);
	back_give(b, 0, back2(b, "jnp.divide", b->ct, by, NULL));
	avalue *slope = back2(b, "jnp.divide", again_out(b), by, NULL);
	back_give(b, 1, back1(b, "lax.neg", back_times(b, b->ct, slope), NULL));
}

/* The cotangent goes to the selected operand; half to each if they are equal, as in JAX. */
void back_extreme(backward *b)
{
	for (int i = 0; i < 2; i++) {
		avalue *mine = back2(b, "jnp.equal", again(b, i), again_out(b), NULL);
		avalue *other = back2(b, "jnp.equal", again(b, 1 - i), again_out(b), NULL);
		params *a = NEW(&b->ctx->scratch, params);
		params_set(&b->ctx->scratch, a,
		           (param){.key = "dtype",
		                   .kind = PK_DTYPE,
		                   .n = 1,
		                   .dtype = b->ct ? b->ct->type->dtype : DT_F32});
		avalue *share = back1(b, "lax.convert_element_type", mine, a);
		avalue *both = back_times(b, back1(b, "lax.convert_element_type", other, a),
		                          back_number(b, 0.5));
		share = back_times(b, share,
		                   back2(b, "jnp.subtract", back_number(b, 1), both, NULL));
		back_give(b, i, back_times(b, b->ct, share));
	}
}

void back_select(backward *b)
{
	avalue *zero = back1(b, "jnp.zeros_like", b->ct, NULL), *which = again(b, 0), *out = NULL;
	for (int i = 1; i < 3 && !b->failed; i++) {
		avalue *in[] = {which, i == 1 ? b->ct : zero, i == 1 ? zero : b->ct};
		if (array_emit(b->ctx, "lax.select", in, 3, NULL, &out, 1) != 1)
			b->failed = true;
		back_give(b, i, out);
	}
}

/* x - trunc(x/y) y */
void back_rem(backward *b)
{
	avalue *x = again(b, 0), *y = again(b, 1);
	avalue *whole = back2(b, "jnp.divide", back2(b, "jnp.subtract", x, again_out(b), NULL), y,
	                      NULL);
	back_give(b, 0, b->ct);
	back_give(b, 1, back1(b, "lax.neg", back_times(b, b->ct, whole), NULL));
}

/* x^y: y x^(y-1), and x^y log x, which is 0 where x is. */
void back_pow(backward *b)
{
	avalue *x = again(b, 0), *y = again(b, 1);
	avalue *less = back2(b, "jnp.subtract", y, back_number(b, 1), NULL);
	if (is_active(b, b->node->in[0]))
		back_give(b, 0,
		          back_times(b, b->ct,
		                     back_times(b, y, back2(b, "jnp.power", x, less, NULL))));
	if (!is_active(b, b->node->in[1]))
		return;
	avalue *in[] = {back2(b, "jnp.equal", x, back_number(b, 0), NULL), back_number(b, 1), x},
	       *safe = NULL;
	if (b->failed || array_emit(b->ctx, "jnp.where", in, 3, NULL, &safe, 1) != 1)
		b->failed = true;
	else
		back_give(b, 1,
		          back_times(b, b->ct,
		                     back_times(b, again_out(b), back1(b, "lax.log", safe, NULL))));
}

/* atan2(y, x): x / (x² + y²) and -y / (x² + y²). */
void back_atan2(backward *b)
{
	avalue *y = again(b, 0), *x = again(b, 1);
	avalue *norm = back2(b, "jnp.add", back_times(b, x, x), back_times(b, y, y), NULL);
	avalue *share = back2(b, "jnp.divide", b->ct, norm, NULL);
	back_give(b, 0, back_times(b, share, x));
	back_give(b, 1, back1(b, "lax.neg", back_times(b, share, y), NULL));
}

/* Passes on the cotangent where `mask` holds. */
static void back_where(backward *b, int to, avalue *mask)
{
	avalue *in[] = {mask, b->ct, back1(b, "jnp.zeros_like", b->ct, NULL)}, *out = NULL;
	if (b->failed || array_emit(b->ctx, "lax.select", in, 3, NULL, &out, 1) != 1)
		b->failed = true;
	else
		back_give(b, to, out);
}

/* As in JAX: to the operand strictly within the bounds, to the bound outside, to neither at it. */
void back_clamp(backward *b)
{
	avalue *low = again(b, 0), *x = again(b, 1), *high = again(b, 2);
	avalue *above = back2(b, "jnp.greater", x, low, NULL);
	avalue *below = back2(b, "jnp.less", x, high, NULL);
	avalue *apart = back2(b, "jnp.less", low, high, NULL);
	avalue *under = back2(b, "jnp.greater", low, x, NULL);
	back_where(b, 0, back2(b, "lax.bitwise_and", under, apart, NULL));
	back_where(b, 1, back2(b, "lax.bitwise_and", above, below, NULL));
	back_where(b, 2, back2(b, "jnp.less", high, x, NULL));
}
