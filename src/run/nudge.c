/* nudge.c - perturbs inputs as rounding might have.
 *
 * A run on inputs that differ by a rounding shows how much of a result is noise. But a rounding of
 * which size? If float32 weights are multiplied as bfloat16, they are rounded to bfloat16, and so
 * is each partial sum: a change in the last bit of a float32 would not be visible at all. So inputs
 * change by one unit in the last place of the least precise dtype that the program computes in.
 * Dtypes with fewer than seven mantissa bits do not count, since programs multiply in them but
 * never accumulate. */
#include "run/session.h"

enum { LEAST_MANTISSA = 7, MOST_MANTISSA = 52 };

static int mantissa_of(const value *v)
{
	dtype part = dtype_part_of(v->type->kind == TY_TENSOR ? v->type->dtype : DT_NONE);
	int bits = dtype_is_float(part) ? float_mantissa(part) : MOST_MANTISSA;
	return bits < LEAST_MANTISSA ? MOST_MANTISSA : bits;
}

int least_mantissa(const module *m)
{
	int least = MOST_MANTISSA;
	for (const op *o = m->top; o; o = op_next(o, m->top))
		for (int i = 0; i < o->n_results; i++) {
			int bits = mantissa_of(result(o, i));
			least = bits < least ? bits : least;
		}
	return least;
}

/* Flips bit `mantissa` of about half of the floats. Zeros, powers of two and non-finite numbers are
 * unchanged: the six bits above that one are zero in them. */
static void nudge_floats(dtype t, void *data, int64_t n, int mantissa, uint64_t seed)
{
	dtype part = dtype_part_of(t);
	int parts = part == t ? 1 : 2, width = dtype_bytes(part);
	int bits = dtype_is_float(part) ? float_mantissa(part) : 0;
	int last = bits > mantissa ? bits - mantissa : 0;
	if (bits < LEAST_MANTISSA)
		return;
	for (int64_t i = 0; i < n * parts; i++) {
		uint64_t v = 0; /* little-endian */
		char *at = (char *)data + i * width;
		memcpy(&v, at, (size_t)width);
		if ((v >> last & 0x7e) && splitmix_next(&seed) >> 63)
			v ^= (uint64_t)1 << last;
		memcpy(at, &v, (size_t)width);
	}
}

const tess_tensor *nudge_inputs(session *s, const tess_tensor *inputs)
{
	int n = s->local.n_args;
	tess_tensor *list = NEW_N(&s->ctx->scratch, tess_tensor, n + 1);
	size_t size = sizeof *s->nudged * ((size_t)n + 1);
	if (!s->nudged && (s->nudged = ctx_realloc(s->ctx, NULL, size)))
		memset(s->nudged, 0, size);
	for (int i = 0; i < n && s->nudged; i++) {
		dtype t = s->local.args[i].type->dtype;
		int width = dtype_bytes(t);
		list[i] = inputs[i];
		void *data = ctx_realloc(s->ctx, s->nudged[i], inputs[i].bytes + 1);
		if (!data)
			return NULL;
		list[i].data = s->nudged[i] = data;
		if (inputs[i].bytes)
			memcpy(data, inputs[i].data, inputs[i].bytes);
		nudge_floats(t, data, width ? (int64_t)inputs[i].bytes / width : 0, s->mantissa,
		             (uint64_t)i);
	}
	return s->nudged ? list : NULL;
}

void nudge_free(session *s)
{
	for (int i = 0; i < s->local.n_args && s->nudged; i++)
		ctx_realloc(s->ctx, s->nudged[i], 0);
	ctx_realloc(s->ctx, s->nudged, 0);
}
