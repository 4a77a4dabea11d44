/* float_bits.c - converts doubles to the bits of any float type, and back. Rounds to nearest, ties
 * to even, as LLVM's APFloat does. */
#include "shape/shape.h"

#include <math.h>

int float_width(dtype t)
{
	float_format f = float_format_of(t);
	return (f.special != FLOAT_POWERS) + f.exp + f.man;
}

int float_mantissa(dtype t)
{
	return float_format_of(t).man;
}

static uint64_t sign_bit(const float_format *f)
{
	return f->special == FLOAT_POWERS ? 0 : (uint64_t)1 << (f->exp + f->man);
}

static uint64_t all_ones(const float_format *f)
{
	return ((uint64_t)1 << (f->exp + f->man)) - 1;
}

static uint64_t nan_bits(const float_format *f)
{
	switch (f->special) {
	case FLOAT_IEEE:
		return ((((uint64_t)1 << f->exp) - 1) << f->man) | (uint64_t)1 << (f->man - 1);
	case FLOAT_ONE_NAN:
	case FLOAT_POWERS: return all_ones(f);
	case FLOAT_UNSIGNED_ZERO: return sign_bit(f);
	case FLOAT_FINITE: return sign_bit(f); /* has no NaN: -0, as in APFloat */
	}
	return 0;
}

static uint64_t largest_bits(const float_format *f)
{
	switch (f->special) {
	case FLOAT_IEEE: return ((((uint64_t)1 << f->exp) - 1) << f->man) - 1;
	case FLOAT_ONE_NAN:
	case FLOAT_POWERS: return all_ones(f) - 1;
	case FLOAT_UNSIGNED_ZERO:
	case FLOAT_FINITE: return all_ones(f);
	}
	return 0;
}

static uint64_t overflow_bits(const float_format *f)
{
	switch (f->special) {
	case FLOAT_IEEE: return largest_bits(f) + 1;
	case FLOAT_FINITE: return largest_bits(f);
	case FLOAT_ONE_NAN:
	case FLOAT_POWERS:
	case FLOAT_UNSIGNED_ZERO: return nan_bits(f);
	}
	return 0;
}

static uint64_t magnitude_bits(const float_format *f, double v)
{
	int e, least = f->special == FLOAT_POWERS ? -f->bias : 1 - f->bias;
	frexp(v, &e);
	e = e - 1 < least ? least : e - 1;
	uint64_t n = (uint64_t)rint(ldexp(v, f->man - e));
	if (e == least && f->special != FLOAT_POWERS && n < (uint64_t)1 << f->man)
		return n;
	if (f->special == FLOAT_POWERS && !n)
		return 0;
	return ((uint64_t)(e + f->bias) << f->man) + (n - ((uint64_t)1 << f->man));
}

uint64_t float_bits(double v, dtype t)
{
	float_format f = float_format_of(t);
	uint64_t bits;
	if (t == DT_F64) {
		memcpy(&bits, &v, sizeof bits);
		return bits;
	}
	uint64_t sign = signbit(v) ? sign_bit(&f) : 0;
	if (isnan(v))
		return nan_bits(&f) | (f.special == FLOAT_IEEE ? sign : 0);
	if (v == 0)
		return f.special == FLOAT_UNSIGNED_ZERO ? 0 : sign;
	bits = isinf(v) ? overflow_bits(&f) : magnitude_bits(&f, fabs(v));
	if (bits > largest_bits(&f))
		bits = overflow_bits(&f);
	if (f.special == FLOAT_UNSIGNED_ZERO && (bits == 0 || bits == nan_bits(&f)))
		return bits;
	return bits | sign;
}

double float_value(uint64_t bits, dtype t)
{
	float_format f = float_format_of(t);
	double v;
	if (t == DT_F64) {
		memcpy(&v, &bits, sizeof v);
		return v;
	}
	bool minus = bits & sign_bit(&f);
	uint64_t m = bits & all_ones(&f);
	uint64_t exponent = m >> f.man, mantissa = m & (((uint64_t)1 << f.man) - 1);
	if (f.special == FLOAT_UNSIGNED_ZERO ? bits == nan_bits(&f)
	                               : f.special != FLOAT_FINITE && m > largest_bits(&f))
		v = f.special == FLOAT_IEEE && !mantissa ? INFINITY : NAN;
	else if (!exponent && f.special != FLOAT_POWERS)
		v = ldexp((double)mantissa, 1 - f.bias - f.man);
	else
		v = ldexp((double)(mantissa | (uint64_t)1 << f.man),
		          (int)exponent - f.bias - f.man);
	return minus ? -v : v;
}

double dtype_largest(dtype t)
{
	float_format f = float_format_of(t);
	return float_value(largest_bits(&f), t);
}

double dtype_least(dtype t)
{
	float_format f = float_format_of(t);
	return ldexp(1, f.special == FLOAT_POWERS ? -f.bias : 1 - f.bias);
}
