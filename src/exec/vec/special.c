/* special.c - functions that the C library lacks. */
#include "exec/vec/special.h"

#include <complex.h>
#include <math.h>

static const double pi = 3.141592653589793238462643383279502884;

/* ---- gamma and its relatives ---------------------------------------------------- */

double special_lgamma(double x)
{
	int sign; /* lgamma() would store it in a global */
	return isinf(x) ? INFINITY : lgamma_r(x, &sign);
}

/* The Bernoulli numbers B(2k). */
static const double bernoulli[] = {1.0 / 6,         -1.0 / 30,       1.0 / 42,
                                   -1.0 / 30,       5.0 / 66,        -691.0 / 2730,
                                   7.0 / 6,         -3617.0 / 510,   43867.0 / 798,
                                   -174611.0 / 330, 854513.0 / 138,  -236364091.0 / 2730};

/* Upward recurrence to x >= 12, then the asymptotic series. */
double special_digamma(double x)
{
	if (x == 0)
		return copysign(INFINITY, -x);
	if (x == -INFINITY || (x < 0 && x == floor(x)))
		return NAN;
	if (x < 0)
		return special_digamma(1 - x) - pi / tan(pi * (x - rint(x))); /* x - floor(x) may be rounded to 1 */
	double r = 0;
	for (; x < 12; x += 1)
		r -= 1 / x;
	double inv2 = 1 / (x * x), p = inv2, series = 0;
	for (int k = 0; k < 8; k++, p *= inv2)
		series += bernoulli[k] * p / (2 * (k + 1));
	return r + log(x) - 0.5 / x - series;
}

/* Hurwitz zeta by Euler-Maclaurin summation. */
double special_zeta(double s, double q)
{
	enum { TERMS = 10 };
	if (isnan(s) || isnan(q) || s < 1)
		return NAN;
	if (s == 1)
		return INFINITY;
	if (q <= 0)
		return q == floor(q) ? (fmod(s, 2) == 0 && s == floor(s) ? INFINITY : NAN)
		                     : s != floor(s) ? NAN
		                                     : special_zeta(s, q + 1) + pow(q, -s);
	double sum = 0, a = q;
	for (int i = 0; i < TERMS; i++, a += 1)
		sum += pow(a, -s);
	double p = pow(a, -s);
	sum += p * a / (s - 1) + 0.5 * p;
	double factor = s, power = p / a, factorial = 2;
	for (int k = 0; k < COUNT(bernoulli); k++) {
		double term = bernoulli[k] * factor * power / factorial;
		sum += term;
		if (fabs(term) < 1e-17 * fabs(sum))
			break;
		factor *= (s + 2 * k + 1) * (s + 2 * k + 2);
		power /= a * a;
		factorial *= (2 * k + 3) * (2 * k + 4);
	}
	return sum;
}

double special_polygamma(double n, double x)
{
	if (n != floor(n) || n < 0)
		return NAN;
	if (n == 0)
		return special_digamma(x);
	double sign = fmod(n, 2) == 0 ? -1 : 1;
	return sign * exp(special_lgamma(n + 1)) * special_zeta(n + 1, x);
}

/* ---- error function, Bessel ------------------------------------------------------- */

/* A rational start (Winitzki's formula), then Halley's method on erf. */
double special_erf_inv(double x)
{
	if (!(fabs(x) < 1))
		return fabs(x) == 1 ? copysign(INFINITY, x) : NAN;
	if (fabs(x) < 1e-9)
		return x * sqrt(pi) / 2;
	double l = log1p(-x * x), t = 2 / (pi * 0.147) + l / 2;
	double y = copysign(sqrt(sqrt(t * t - l / 0.147) - t), x);
	for (int i = 0; i < 3; i++) {
		/* the difference erf(y) - x without cancellation near 1 */
		double e = fabs(x) < 0.5 ? erf(y) - x
		                         : ((1 - fabs(x)) - erfc(fabs(y))) * (x < 0 ? -1 : 1);
		double u = e / (2 / sqrt(pi) * exp(-y * y));
		y -= u / (1 + y * u);
	}
	return y;
}

/* I1(x) exp(-|x|): the power series for small x, the asymptotic one for large. */
double special_bessel_i1e(double x)
{
	double a = fabs(x);
	if (a < 20) {
		double h = a / 2, term = h, sum = h;
		for (int k = 1; k < 100 && term > 1e-18 * sum; k++)
			sum += term *= h * h / (k * (k + 1.0));
		return copysign(sum * exp(-a), x);
	}
	double term = 1, sum = 1;
	for (int k = 1; k < 40; k++) {
		double next = term * -(4 - (2.0 * k - 1) * (2 * k - 1)) / (8 * k * a);
		if (fabs(next) > fabs(term) || fabs(next) < 1e-18)
			break;
		sum += term = next;
	}
	return copysign(isinf(a) ? 0 : sum / sqrt(2 * pi * a), x);
}

/* ---- bits of floats -------------------------------------------------------------------- */

double special_next_after(double x, double y, dtype t)
{
	if (t == DT_F64)
		return nextafter(x, y);
	if (t == DT_F32)
		return nextafterf((float)x, (float)y);
	if (isnan(x) || isnan(y))
		return NAN;
	if (x == y)
		return y;
	uint16_t bits = (uint16_t)float_bits(x, t), sign = (uint16_t)(1u << (dtype_bits(t) - 1));
	if (x == 0)
		bits = (uint16_t)(1 | (y < 0 ? sign : 0));
	else
		bits = (uint16_t)(bits + ((x < y) == (x > 0) ? 1 : -1));
	return float_value(bits, t);
}

/* On the bits, as XLA and the reference interpreter do it: a subnormal number has the
 * mantissa bits that it has, whatever the smaller format could make of them. */
double special_reduce_precision(double x, int exponent, int mantissa, dtype t)
{
	if (isnan(x))
		return mantissa ? x : INFINITY; /* there is no NaN without a mantissa */
	int bits = float_width(t), own = float_mantissa(t), width = bits - own - 1;
	uint64_t b = float_bits(x, t), one = 1;
	if (mantissa < own) {
		uint64_t last = one << (own - mantissa);
		b += (last >> 1) - 1 + (b & last ? 1 : 0);
		b &= ~(last - 1);
	}
	if (exponent < width) {
		uint64_t sign = b & one << (bits - 1), all = ((one << width) - 1) << own,
			 e = b & all;
		uint64_t bias = (one << (width - 1)) - 1, reduced = (one << (exponent - 1)) - 1;
		if (e > (bias + reduced) << own)
			b = sign | all;
		else if (e <= (bias - reduced) << own)
			b = sign;
	}
	return float_value(b, t);
}

/* ---- complex ------------------------------------------------------------------------------ */

double _Complex special_csign(double _Complex x)
{
	double a = cabs(x);
	if (isnan(a))
		return CMPLX(NAN, NAN);
	return a == 0 ? x : CMPLX(creal(x) / a, cimag(x) / a);
}

/* An infinite imaginary part has no angle, whatever Annex G of C says. */
double _Complex special_cexp(double _Complex x)
{
	return isinf(cimag(x)) ? CMPLX(NAN, NAN) : cexp(x);
}

double _Complex special_csquare(double _Complex x)
{
	double a = creal(x), b = cimag(x);
	double re = fabs(a) == fabs(b) && !isinf(a) ? 0 : (a - b) * (a + b);
	return CMPLX(re, 2 * (a * b));
}

/* -i log((x + iy) / sqrt(x^2 + y^2)) */
double _Complex special_catan2(double _Complex y, double _Complex x)
{
	double _Complex z = clog((x + I * y) / csqrt(x * x + y * y));
	return CMPLX(cimag(z), -creal(z));
}

double _Complex special_cexpm1(double _Complex x)
{
	double a = creal(x), b = cimag(x), s = sin(b / 2);
	double im = b == 0 ? b : exp(a) * sin(b);
	return CMPLX(expm1(a) * cos(b) - 2 * s * s, im);
}

double _Complex special_clog(double _Complex x) { return clog(x); }

/* log|1 + x| from |1 + x|^2 - 1 = 2a + a^2 + b^2. */
double _Complex special_clog1p(double _Complex x)
{
	double a = creal(x), b = cimag(x);
	if (fabs(a) > 0.5 || fabs(b) > 0.5)
		return clog(CMPLX(1 + a, b));
	return CMPLX(log1p(a * (2 + a) + b * b) / 2, atan2(b, 1 + a));
}

double _Complex special_crsqrt(double _Complex x)
{
	if (isinf(creal(x)) || isinf(cimag(x)))
		return CMPLX(0, copysign(0, -cimag(x)));
	return x == 0 ? CMPLX(INFINITY, NAN) : 1 / csqrt(x);
}

double _Complex special_cpow(double _Complex x, double _Complex y)
{
	if (x == 0)
		return y == 0 ? 1 : creal(y) > 0 ? 0 : cpow(x, y);
	return cpow(x, y);
}
