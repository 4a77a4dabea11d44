/* compare.c - compares two tensors within a tolerance. */
#include "run/run.h"

#include <math.h>

tess_tolerance tolerance_of(dtype t)
{
	dtype_class c = dtype_class_of(t);
	if (c != DC_FLOAT && c != DC_COMPLEX)
		return (tess_tolerance){0}; /* equal */
	switch (t) {
	case DT_F64:
	case DT_C128: return (tess_tolerance){1e-10, 1e-7};
	case DT_F32:
	case DT_TF32:
	case DT_C64: return (tess_tolerance){5e-5, 2e-3};
	default: return (tess_tolerance){2e-2, 1e-1}; /* 16-bit and narrower floats */
	}
}

/* Part `i` of the numbers; a complex number has two parts. */
static double part_at(const tess_tensor *t, dtype part, int64_t i)
{
	int width = dtype_bytes(part);
	uint64_t bits = 0;
	memcpy(&bits, (const char *)t->data + i * width, (size_t)width);
	return float_value(bits, part);
}

static double relative_error(double got, double expected)
{
	if (got == expected || (isnan(got) && isnan(expected)))
		return 0;
	double error = fabs(got - expected) / (1 + fabs(expected));
	return isnan(error) ? INFINITY : error;
}

/* What noise excuses: the difference that any two elements may have, and how many elements may be
 * NaN in only one of the results. */
typedef struct noise {
	double apart;
	int64_t undefined;
} noise;

static bool compare_floats(const tess_tensor *got, const tess_tensor *expected, tess_tolerance t,
                           noise allowed, tess_difference *d)
{
	dtype part = dtype_part_of((dtype)got->dtype);
	int parts = part == (dtype)got->dtype ? 1 : 2;
	int64_t last = -1; /* so that a complex number counts once */
	for (int64_t i = 0; i < d->elements * parts; i++) {
		double a = part_at(got, part, i), b = part_at(expected, part, i);
		if (isnan(a) != isnan(b) && d->undefined++ < allowed.undefined)
			continue;
		double error = fabs(a - b) <= allowed.apart ? 0 : relative_error(a, b);
		if (error > d->max_error)
			d->max_error = error;
		if (error <= t.most)
			continue;
		d->wrong += last != i / parts;
		last = i / parts;
		if (d->first < 0) {
			d->first = last;
			d->got = a;
			d->expected = b;
		}
	}
	return d->wrong <= d->elements / 10000 && d->max_error <= t.all;
}

static double integer_at(const tess_tensor *t, int64_t i)
{
	dtype type = (dtype)t->dtype;
	int width = dtype_bytes(type);
	uint64_t bits = 0;
	memcpy(&bits, (const char *)t->data + i * width, (size_t)width);
	if (dtype_class_of(type) == DC_UINT || dtype_class_of(type) == DC_BOOL)
		return (double)bits;
	int unused = 64 - 8 * width;
	return (double)((int64_t)(bits << unused) >> unused);
}

static bool compare_integers(const tess_tensor *got, const tess_tensor *expected,
                             tess_difference *d)
{
	size_t width = (size_t)dtype_bytes((dtype)got->dtype);
	if (memcmp(got->data, expected->data, got->bytes) == 0)
		return true;
	for (int64_t i = 0; i < d->elements; i++) {
		size_t at = (size_t)i * width;
		if (memcmp((const char *)got->data + at, (const char *)expected->data + at,
		           width) == 0)
			continue;
		double a = integer_at(got, i), b = integer_at(expected, i);
		d->wrong++;
		d->max_error = fmax(d->max_error, relative_error(a, b));
		if (d->first < 0) {
			d->first = i;
			d->got = a;
			d->expected = b;
		}
	}
	return d->wrong == 0;
}

/* The difference between two results, over finite numbers: maximum, and root mean square. */
typedef struct spread_of_change {
	double most, typical;
} spread_of_change;

static spread_of_change change_between(const tess_tensor *a, const tess_tensor *b, int64_t n)
{
	dtype part = dtype_part_of((dtype)a->dtype);
	double sum = 0, most = 0;
	n *= part == (dtype)a->dtype ? 1 : 2;
	for (int64_t i = 0; i < n; i++) { /* the maximum first, to scale by: squares may overflow */
		double x = fabs(part_at(a, part, i) - part_at(b, part, i));
		most = isfinite(x) ? fmax(most, x) : most;
	}
	for (int64_t i = 0; i < n && most > 0; i++) {
		double x = (part_at(a, part, i) - part_at(b, part, i)) / most;
		sum += isfinite(x) ? x * x : 0;
	}
	return (spread_of_change){most, n ? most * sqrt(sum / (double)n) : 0};
}

/* Returns how far apart two elements may be: 0, unless the results as a whole are no further apart
 * than noise. Noise is known from one sample only, and the fewer elements there are, the less
 * certain it is: in partitioned models, scalars and tensors differ by up to 2.2 times the noise,
 * but 24 elements by 3.6 times. Most faults differ by more than 4 times the noise. */
static double noise_of(const tess_tensor *got, const tess_tensor *expected,
                       const tess_tensor *nudged, int64_t n)
{
	if (!nudged || nudged->dtype != got->dtype || nudged->bytes != got->bytes)
		return 0;
	spread_of_change noise = change_between(expected, nudged, n);
	spread_of_change error = change_between(expected, got, n);
	double times = 4 + 12 / sqrt(n ? (double)n : 1);
	return error.typical <= times * noise.typical ? 16 * noise.most : 0;
}

/* The root of a number that may be slightly negative is NaN in some runs only; perturbed inputs
 * show whether that happens. */
static int64_t undefined_allowed(const tess_tensor *expected, const tess_tensor *nudged, int64_t n)
{
	int64_t changed = 0;
	if (!nudged || nudged->dtype != expected->dtype || nudged->bytes != expected->bytes)
		return 0;
	dtype part = dtype_part_of((dtype)expected->dtype);
	n *= part == (dtype)expected->dtype ? 1 : 2;
	for (int64_t i = 0; i < n; i++)
		changed += isnan(part_at(expected, part, i)) != isnan(part_at(nudged, part, i));
	return changed ? 4 * (changed + 1) : 0;
}

bool tensors_agree(const tess_tensor *got, const tess_tensor *expected, const tess_tensor *nudged,
                   tess_tolerance tolerance, tess_difference *out)
{
	int width = dtype_bytes((dtype)got->dtype);
	*out = (tess_difference){.first = -1, .elements = width ? (int64_t)got->bytes / width : 0};
	dtype_class c = dtype_class_of((dtype)got->dtype);
	if (got->dtype != expected->dtype || got->bytes != expected->bytes)
		return false;
	if (c != DC_FLOAT && c != DC_COMPLEX)
		return compare_integers(got, expected, out);
	noise allowed = {noise_of(got, expected, nudged, out->elements),
	                 undefined_allowed(expected, nudged, out->elements)};
	return compare_floats(got, expected, tolerance, allowed, out);
}
