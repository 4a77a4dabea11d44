/* math.h - elementary functions without branches, which compilers vectorize. In f32 they are within
 * 1-2 units in the last place (hyperbolic sines and cosines of large numbers within 24), in f64 within 1.
 *
 * The usual scheme: reduce the argument to a small interval, evaluate a polynomial (coefficients:
 * least maximum error on the interval, Lawson's iteration), scale back. Rounding to an integer is
 * done by adding a large number whose unit in the last place is 1. */
#ifndef TESS_EXEC_VEC_MATH_H
#define TESS_EXEC_VEC_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __FMA__
#define MADD(a, b, c) __builtin_fma(a, b, c)
#define MADDF(a, b, c) __builtin_fmaf(a, b, c)
#else
#define MADD(a, b, c) ((a) * (b) + (c))
#define MADDF(a, b, c) ((a) * (b) + (c))
#endif

static inline uint32_t math_bits32(float x)
{
	uint32_t b;
	memcpy(&b, &x, 4);
	return b;
}
static inline float math_float(uint32_t b)
{
	float x;
	memcpy(&x, &b, 4);
	return x;
}
static inline uint64_t math_bits64(double x)
{
	uint64_t b;
	memcpy(&b, &x, 8);
	return b;
}
static inline double math_double(uint64_t b)
{
	double x;
	memcpy(&x, &b, 8);
	return x;
}
static inline float math_absf(float x) { return math_float(math_bits32(x) & 0x7fffffff); }

/* The magnitude has no sign of its own. */
static inline float math_signed(float magnitude, float sign)
{
	return math_float(math_bits32(magnitude) | (math_bits32(sign) & 0x80000000u));
}

/* A select that compilers do not turn into a branch. */
static inline float math_if(int yes, float x, float y)
{
	uint32_t m = 0u - (uint32_t)yes;
	return math_float((math_bits32(x) & m) | (math_bits32(y) & ~m));
}
static inline double math_if64(int yes, double x, double y)
{
	uint64_t m = 0u - (uint64_t)yes;
	return math_double((math_bits64(x) & m) | (math_bits64(y) & ~m));
}

/* ---- f32: exponentials ------------------------------------------------------------ */

#define MAGIC_F32 12582912.0f /* 1.5 * 2^23 */

/* (e^r - 1 - r) / r^2 for |r| <= log(2) / 2 */
static inline float math_exp_poly(float r)
{
	float p = 1.3950600302e-03f;
	p = MADDF(p, r, 8.3689537084e-03f);
	p = MADDF(p, r, 4.1666204166e-02f);
	p = MADDF(p, r, 1.6666518304e-01f);
	return MADDF(p, r, 5.0000000957e-01f);
}

/* x = k log(2) + r; returns r. */
static inline float math_exp_reduce(float x, int32_t *k)
{
	float t = MADDF(x, 1.44269504f, MAGIC_F32), n = t - MAGIC_F32;
	*k = (int32_t)(math_bits32(t) - math_bits32(MAGIC_F32));
	float r = MADDF(n, -0.693145752f, x);
	return MADDF(n, -1.42860677e-06f, r);
}

static inline float math_pow2(int32_t k) { return math_float(((uint32_t)k + 127) << 23); }

/* Where the result is 0, as for masked logits, that of 0 is computed in its place: to round a product to 0
 * takes processors a hundred cycles. */
static inline float math_expf(float x)
{
	int32_t k;
	int none = x < -104.0f;
	float y = math_if(x > 89.0f, 89.0f, x);
	y = math_if(none, 0.0f, y);
	float r = math_exp_reduce(y, &k);
	float e = 1.0f + r, lost = r - (e - 1.0f);
	e += MADDF(r * r, math_exp_poly(r), lost);
	int32_t half = k >> 1; /* 2^k alone may not be representable */
	return math_if(none, 0.0f, e * math_pow2(half) * math_pow2(k - half));
}

static inline float math_expm1f(float x)
{
	int32_t k;
	float y = math_if(x > 40.0f, 40.0f, x);
	y = math_if(y < -40.0f, -40.0f, y);
	float r = math_exp_reduce(y, &k);
	float p = MADDF(r * r, math_exp_poly(r), r), s = math_pow2(k);
	float e = MADDF(s, p, s - 1.0f);
	e = math_if(x > 40.0f, math_expf(x), e);
	return math_if(x == 0.0f, x, e);
}

static inline float math_logisticf(float x) { return 1.0f / (1.0f + math_expf(-x)); }

static inline float math_tanhf(float x)
{
	float a = math_absf(x), z = x * x;
	float p = 2.0317483624e-03f;
	p = MADDF(p, z, -8.0539430543e-03f);
	p = MADDF(p, z, 2.1650151757e-02f);
	p = MADDF(p, z, -5.3937466293e-02f);
	p = MADDF(p, z, 1.3333132405e-01f);
	p = MADDF(p, z, -3.3333328944e-01f);
	float small = MADDF(a * z, p, a);
	float large = 1.0f - 2.0f / (math_expf(2.0f * a) + 1.0f);
	return math_signed(math_if(a < 0.625f, small, large), x);
}

/* ---- f32: logarithms ---------------------------------------------------------------- */

/* log(x) + more, for a small `more`. */
static inline float math_log_sum(float x, float more)
{
	int tiny = x < 1.17549435e-38f;
	float y = math_if(tiny, x * 8388608.0f, x);
	uint32_t b = math_bits32(y) - 0x3f3504f3u; /* mantissa in [sqrt(1/2), sqrt(2)) */
	float e = (float)((int32_t)b >> 23) - math_if(tiny, 23.0f, 0.0f);
	float f = math_float((b & 0x7fffff) + 0x3f3504f3u) - 1.0f, z = f * f;
	float p = 6.9258649459e-02f;
	p = MADDF(p, f, -1.1807858618e-01f);
	p = MADDF(p, f, 1.1877914264e-01f);
	p = MADDF(p, f, -1.2381806317e-01f);
	p = MADDF(p, f, 1.4217715731e-01f);
	p = MADDF(p, f, -1.6669356663e-01f);
	p = MADDF(p, f, 2.0002273095e-01f);
	p = MADDF(p, f, -2.4999985340e-01f);
	p = MADDF(p, f, 3.3333309818e-01f);
	float r = MADDF(f * z, p, MADDF(e, 1.42860677e-06f, more));
	r = MADDF(-0.5f, z, r) + f;
	r = MADDF(e, 0.693145752f, r);
	float special = math_if(x == 0.0f, -INFINITY, NAN);
	return math_if(x > 0.0f, math_if(x < INFINITY, r, x), special);
}

static inline float math_logf(float x) { return math_log_sum(x, 0.0f); }

/* log(u) for the rounded u = 1 + x, plus what the rounding lost. */
static inline float math_log1pf(float x)
{
	float u = 1.0f + x, lost = (x - (u - 1.0f)) / u;
	int plain = (u > 0.0f) & (x < INFINITY);
	float r = math_log_sum(u, math_if(plain, lost, 0.0f));
	return math_if(x == 0.0f, x, r);
}

/* ---- f32: error function --------------------------------------------------------------- */

static inline float math_erff(float x)
{
	float a = math_absf(x), z = x * x;
	float p = 8.2154237133e-05f;
	p = MADDF(p, z, -8.1059651202e-04f);
	p = MADDF(p, z, 5.1977971672e-03f);
	p = MADDF(p, z, -2.6858104289e-02f);
	p = MADDF(p, z, 1.1283672546e-01f);
	p = MADDF(p, z, -3.7612632286e-01f);
	p = MADDF(p, z, 1.2837916649e-01f);
	float small = MADDF(x, p, x);
	float t = math_if(a > 4.0f, 4.0f, a); /* -log(erfc(t)) */
	float q = -1.1096614201e-06f;
	q = MADDF(q, t, 1.7845748951e-05f);
	q = MADDF(q, t, -1.0329795390e-04f);
	q = MADDF(q, t, 5.9120245493e-05f);
	q = MADDF(q, t, 2.9415703748e-03f);
	q = MADDF(q, t, -2.3124131534e-02f);
	q = MADDF(q, t, 1.0616882255e-01f);
	q = MADDF(q, t, 6.3475261867e-01f);
	q = MADDF(q, t, 1.1289800679f);
	q = MADDF(q, t, -8.5996498936e-05f);
	float large = math_signed(1.0f - math_expf(-q), x);
	return math_if(a < 0.92f, small, large);
}

/* ---- f32: hyperbolic functions and their inverses ------------------------------------------ */

#define MATH_LN2F 0.693147181f

/* Halves of exp(x) and exp(-x) that do not overflow before the result does. That x - log(2) is rounded makes them
 * less accurate the larger x is; CHLO and XLA compute them so, and what StableHLO's tests expect is computed so. */
static inline float math_sinhf(float x)
{
	float a = math_absf(x), e = math_expm1f(a);
	float small = 0.5f * (e + e / (e + 1.0f));
	float large = math_expf(a - MATH_LN2F) - math_expf(-a - MATH_LN2F);
	return math_signed(math_if(a < 1.0f, small, large), x);
}

static inline float math_coshf(float x)
{
	float a = math_absf(x);
	return math_expf(a - MATH_LN2F) + math_expf(-a - MATH_LN2F);
}

/* Beyond this 1 does not matter beside the square, which may overflow. */
#define MATH_SQUARE_LIMIT 1e9f

static inline float math_asinhf(float x)
{
	float a = math_absf(x), z = a * a;
	float small = math_log1pf(a + z / (1.0f + __builtin_sqrtf(z + 1.0f)));
	return math_signed(math_if(a < MATH_SQUARE_LIMIT, small, math_logf(a) + MATH_LN2F), x);
}

static inline float math_acoshf(float x)
{
	float t = x - 1.0f, small = math_log1pf(t + __builtin_sqrtf(t * (t + 2.0f)));
	float r = math_if(x < MATH_SQUARE_LIMIT, small, math_logf(x) + MATH_LN2F);
	return math_if(x < 1.0f, NAN, r);
}

static inline float math_atanhf(float x)
{
	float a = math_absf(x);
	return math_signed(0.5f * math_log1pf(2.0f * a / (1.0f - a)), x);
}

/* ---- f64 ------------------------------------------------------------------------------------ */

#define MAGIC_F64 6755399441055744.0 /* 1.5 * 2^52 */

static inline double math_pow2_64(int64_t k) { return math_double(((uint64_t)k + 1023) << 52); }

static inline double math_exp(double x)
{
	int none = x < -746.0; /* as in math_expf() */
	double y = math_if64(x > 710.0, 710.0, x);
	y = math_if64(none, 0.0, y);
	double t = MADD(y, 1.4426950408889634, MAGIC_F64), n = t - MAGIC_F64;
	int64_t k = (int64_t)(math_bits64(t) - math_bits64(MAGIC_F64));
	double r = MADD(n, -0.69314718036912382, y);
	r = MADD(n, -1.9082149292705877e-10, r);
	double p = 1.0 / 6227020800;
	p = MADD(p, r, 1.0 / 479001600);
	p = MADD(p, r, 1.0 / 39916800);
	p = MADD(p, r, 1.0 / 3628800);
	p = MADD(p, r, 1.0 / 362880);
	p = MADD(p, r, 1.0 / 40320);
	p = MADD(p, r, 1.0 / 5040);
	p = MADD(p, r, 1.0 / 720);
	p = MADD(p, r, 1.0 / 120);
	p = MADD(p, r, 1.0 / 24);
	p = MADD(p, r, 1.0 / 6);
	p = MADD(p, r, 0.5);
	double e = MADD(r * r, p, r) + 1.0;
	int64_t half = (int64_t)(((uint64_t)k + 4096) >> 1) - 2048;
	e = e * math_pow2_64(half) * math_pow2_64((int64_t)((uint64_t)k - (uint64_t)half));
	return math_if64(none, 0.0, e);
}

/* log(m) = 2 atanh(s), s = f / (2 + f), f = m - 1 */
static inline double math_log(double x)
{
	int tiny = x < 2.2250738585072014e-308;
	double y = math_if64(tiny, x * 18014398509481984.0, x); /* 2^54 */
	uint64_t b = math_bits64(y) - 0x3fe6a09e667f3bcdu;
	/* the exponent, without a conversion from 64-bit integers */
	double e = math_double((b >> 52 & 0xfff) + 0x4338000000000000u) - MAGIC_F64;
	e -= math_if64(e >= 2048.0, 4096.0, 0.0) + math_if64(tiny, 54.0, 0.0);
	double f = math_double((b & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1.0;
	double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
	double p = 2.0 / 21;
	p = MADD(p, z, 2.0 / 19);
	p = MADD(p, z, 2.0 / 17);
	p = MADD(p, z, 2.0 / 15);
	p = MADD(p, z, 2.0 / 13);
	p = MADD(p, z, 2.0 / 11);
	p = MADD(p, z, 2.0 / 9);
	p = MADD(p, z, 2.0 / 7);
	p = MADD(p, z, 2.0 / 5);
	p = MADD(p, z, 2.0 / 3);
	double r = s * (half + z * p) + e * 1.9082149292705877e-10;
	r = MADD(e, 0.69314718036912382, f - (half - r));
	double special = math_if64(x == 0.0, -(double)INFINITY, (double)NAN);
	return math_if64(x > 0.0, math_if64(x < (double)INFINITY, r, x), special);
}

/* ---- f32 through f64 ------------------------------------------------------------------------- */

/* For larger arguments the reduction by multiples of pi / 2 is not exact enough. */
#define MATH_TRIG_LIMIT 1e6f

/* sin(x) for quarter 0, cos(x) for quarter 1. */
static inline float math_trigf(float x, uint64_t quarter)
{
	double d = (double)x, t = d * 0.63661977236758134 + MAGIC_F64, n = t - MAGIC_F64;
	uint64_t q = math_bits64(t) + quarter;
	double r = MADD(n, -1.5707963267341256, d); /* 33 bits, so that n times it is exact */
	r = MADD(n, -6.0771005065061922e-11, r), r = MADD(n, -2.0222662487959506e-21, r);
	double z = r * r;
	double s = MADD(2.7182371825e-06, z, -1.9839327125e-04);
	s = MADD(s, z, 8.3333293622e-03);
	s = MADD(s, z, -1.6666666641e-01);
	s = MADD(s, z * r, r);
	double c = MADD(-2.7209544556e-07, z, 2.4799511721e-05);
	c = MADD(c, z, -1.3888883722e-03);
	c = MADD(c, z, 4.1666666622e-02);
	c = MADD(c, z * z, 1.0 - 0.5 * z);
	uint64_t odd = 0u - (q & 1);
	uint64_t v = (math_bits64(c) & odd) | (math_bits64(s) & ~odd);
	return (float)math_double(v ^ (q & 2) << 62);
}

static inline float math_powf(float x, float y)
{
	float a = math_float(math_bits32(x) & 0x7fffffff);
	float r = (float)math_exp((double)y * math_log((double)a));
	float ya = math_float(math_bits32(y) & 0x7fffffff);
	/* the unit of integers below 2^23 survives in the magic sum; larger integers are even from
	 * 2^24 on */
	float near = (ya + 8388608.0f) - 8388608.0f;
	int whole = math_if(ya < 8388608.0f, near, ya) == ya;
	float half = ya * 0.5f, near_half = (half + 8388608.0f) - 8388608.0f;
	int odd = whole & (ya < 16777216.0f) & (near_half != half);
	r = math_if(odd, math_signed(r, x), r);
	r = math_if((x < 0.0f) & (x > -INFINITY) & !whole, NAN, r);
	r = math_if((a == 1.0f) & (ya == INFINITY), 1.0f, r);
	return math_if((y == 0.0f) | (x == 1.0f), 1.0f, r);
}

#endif
