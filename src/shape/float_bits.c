/* float_bits.c - values of the small float types, to and from bits.
 *
 * A format is a number of exponent and mantissa bits, a bias, and what it does
 * with the values above its largest: IEEE formats have infinities, "FN" formats
 * one NaN (all ones) and no infinity, "FNUZ" formats a NaN in the place of -0,
 * f4 and f6 nothing (they saturate), f8E8M0FNU is powers of two and one NaN.
 * Rounding is to nearest, ties to even, as LLVM's APFloat converts. */
#include "shape/shape.h"

#include <math.h>

typedef enum special { IEEE, ONE_NAN, UNSIGNED_ZERO, FINITE, POWERS } special;

typedef struct float_format {
	int exp, man, bias;
	special special;
} float_format;

static float_format format_of(dtype t)
{
	switch (t) {
	case DT_F4E2M1FN: return (float_format){2, 1, 1, FINITE};
	case DT_F6E2M3FN: return (float_format){2, 3, 1, FINITE};
	case DT_F6E3M2FN: return (float_format){3, 2, 3, FINITE};
	case DT_F8E3M4: return (float_format){3, 4, 3, IEEE};
	case DT_F8E4M3: return (float_format){4, 3, 7, IEEE};
	case DT_F8E4M3FN: return (float_format){4, 3, 7, ONE_NAN};
	case DT_F8E4M3FNUZ: return (float_format){4, 3, 8, UNSIGNED_ZERO};
	case DT_F8E4M3B11FNUZ: return (float_format){4, 3, 11, UNSIGNED_ZERO};
	case DT_F8E5M2: return (float_format){5, 2, 15, IEEE};
	case DT_F8E5M2FNUZ: return (float_format){5, 2, 16, UNSIGNED_ZERO};
	case DT_F8E8M0FNU: return (float_format){8, 0, 127, POWERS};
	case DT_BF16: return (float_format){8, 7, 127, IEEE};
	case DT_F16: return (float_format){5, 10, 15, IEEE};
	case DT_TF32: return (float_format){8, 10, 127, IEEE};
	case DT_F32: return (float_format){8, 23, 127, IEEE};
	default: return (float_format){11, 52, 1023, IEEE};
	}
}

int float_width(dtype t)
{
	float_format f = format_of(t);
	return (f.special != POWERS) + f.exp + f.man;
}

int float_mantissa(dtype t)
{
	return format_of(t).man;
}

static uint64_t sign_bit(const float_format *f)
{
	return f->special == POWERS ? 0 : (uint64_t)1 << (f->exp + f->man);
}

static uint64_t all_ones(const float_format *f)
{
	return ((uint64_t)1 << (f->exp + f->man)) - 1;
}

static uint64_t nan_bits(const float_format *f)
{
	switch (f->special) {
	case IEEE:
		return ((((uint64_t)1 << f->exp) - 1) << f->man) | (uint64_t)1 << (f->man - 1);
	case ONE_NAN:
	case POWERS: return all_ones(f);
	case UNSIGNED_ZERO: return sign_bit(f);
	case FINITE: return sign_bit(f); /* there is none: -0, as APFloat does */
	}
	return 0;
}

static uint64_t largest_bits(const float_format *f)
{
	switch (f->special) {
	case IEEE: return ((((uint64_t)1 << f->exp) - 1) << f->man) - 1;
	case ONE_NAN:
	case POWERS: return all_ones(f) - 1;
	case UNSIGNED_ZERO:
	case FINITE: return all_ones(f);
	}
	return 0;
}

static uint64_t overflow_bits(const float_format *f)
{
	switch (f->special) {
	case IEEE: return largest_bits(f) + 1;
	case FINITE: return largest_bits(f);
	case ONE_NAN:
	case POWERS:
	case UNSIGNED_ZERO: return nan_bits(f);
	}
	return 0;
}

static uint64_t magnitude_bits(const float_format *f, double v)
{
	int e, least = f->special == POWERS ? -f->bias : 1 - f->bias;
	frexp(v, &e);
	e = e - 1 < least ? least : e - 1;
	uint64_t n = (uint64_t)rint(ldexp(v, f->man - e));
	if (e == least && f->special != POWERS && n < (uint64_t)1 << f->man)
		return n;
	if (f->special == POWERS && !n)
		return 0;
	return ((uint64_t)(e + f->bias) << f->man) + (n - ((uint64_t)1 << f->man));
}

uint64_t float_bits(double v, dtype t)
{
	float_format f = format_of(t);
	uint64_t bits;
	if (t == DT_F64) {
		memcpy(&bits, &v, sizeof bits);
		return bits;
	}
	uint64_t sign = signbit(v) ? sign_bit(&f) : 0;
	if (isnan(v))
		return nan_bits(&f) | (f.special == IEEE ? sign : 0);
	if (v == 0)
		return f.special == UNSIGNED_ZERO ? 0 : sign;
	bits = isinf(v) ? overflow_bits(&f) : magnitude_bits(&f, fabs(v));
	if (bits > largest_bits(&f))
		bits = overflow_bits(&f);
	if (f.special == UNSIGNED_ZERO && (bits == 0 || bits == nan_bits(&f)))
		return bits;
	return bits | sign;
}

double float_value(uint64_t bits, dtype t)
{
	float_format f = format_of(t);
	double v;
	if (t == DT_F64) {
		memcpy(&v, &bits, sizeof v);
		return v;
	}
	bool minus = bits & sign_bit(&f);
	uint64_t m = bits & all_ones(&f);
	uint64_t exponent = m >> f.man, mantissa = m & (((uint64_t)1 << f.man) - 1);
	if (f.special == UNSIGNED_ZERO ? bits == nan_bits(&f)
	                               : f.special != FINITE && m > largest_bits(&f))
		v = f.special == IEEE && !mantissa ? INFINITY : NAN;
	else if (!exponent && f.special != POWERS)
		v = ldexp((double)mantissa, 1 - f.bias - f.man);
	else
		v = ldexp((double)(mantissa | (uint64_t)1 << f.man),
		          (int)exponent - f.bias - f.man);
	return minus ? -v : v;
}

double dtype_largest(dtype t)
{
	float_format f = format_of(t);
	return float_value(largest_bits(&f), t);
}

double dtype_least(dtype t)
{
	float_format f = format_of(t);
	return ldexp(1, f.special == POWERS ? -f.bias : 1 - f.bias);
}
