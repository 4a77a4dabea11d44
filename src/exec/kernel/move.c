/* move.c - concatenate, pad, dynamic slices, bitcast_convert. */
#include "exec/kernel.h"

/* ---- concatenate -------------------------------------------------------------------- */

static void run_concatenate(const step *s, const call *c)
{
	const int64_t *starts = s->params;
	const tensor *out = step_out(s, 0);
	int64_t end = tile_begin(s, s->n_in, c->tile + 1);
	for (int64_t i = tile_begin(s, s->n_in, c->tile); i < end; i++)
		box_copy(s->t[i].rank, s->t[i].dims, call_out(s, c, 0) + starts[i] * out->bytes,
		         out->strides, c->at[i], s->t[i].strides, out->bytes);
}

bool prepare_concatenate(exec_plan *p, step *s)
{
	int64_t d = op_int(s->op, N_dimension, 0), at = 0;
	const tensor *out = step_out(s, 0);
	if (d < 0 || d >= out->rank)
		return step_invalid(p, s, "there is no dimension %" PRId64, d);
	int64_t *starts = NEW_N(plan_mem(p), int64_t, s->n_in);
	for (int i = 0; i < s->n_in; i++) {
		starts[i] = at * out->strides[d];
		at += s->t[i].dims[d];
	}
	s->params = starts;
	s->run = run_concatenate;
	step_split(s, s->n_in, 1);
	s->cost = (double)out->n * 0.1 * out->bytes;
	return true;
}

/* ---- pad ------------------------------------------------------------------------------ */

/* The part of the operand that is visible in the result. */
typedef struct pad_plan {
	int64_t dims[MAX_RANK], to_strides[MAX_RANK];
	int64_t from, to; /* where it starts in the operand and in the result, in elements */
} pad_plan;

static void run_pad(const step *s, const call *c)
{
	const pad_plan *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	char *to = call_out(s, c, 0);
	box_fill(to, c->at[1], out->n, out->bytes);
	box_copy(in->rank, k->dims, to + k->to * out->bytes, k->to_strides,
	         c->at[0] + k->from * in->bytes, in->strides, in->bytes);
}

bool prepare_pad(exec_plan *p, step *s)
{
	int n[3];
	module *m = plan_module(p);
	const int64_t *low = op_ints(m, s->op, N_edge_padding_low, &n[0]);
	const int64_t *high = op_ints(m, s->op, N_edge_padding_high, &n[1]);
	const int64_t *interior = op_ints(m, s->op, N_interior_padding, &n[2]);
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	if (n[0] != in->rank || n[1] != in->rank || n[2] != in->rank || out->rank != in->rank)
		return step_invalid(p, s, "the padding does not fit the operand");
	UNUSED(high);
	pad_plan *k = NEW(plan_mem(p), pad_plan);
	for (int i = 0; i < in->rank; i++) {
		int64_t by = interior[i] + 1, first = 0, end = in->dims[i];
		if (by < 1)
			return step_invalid(p, s, "interior padding is negative");
		if (low[i] < 0) /* negative padding crops */
			first = min_i64(ceil_div(-low[i], by), end);
		int64_t fits = out->dims[i] - low[i] > 0 ? ceil_div(out->dims[i] - low[i], by) : 0;
		end = max_i64(first, min_i64(end, fits));
		k->dims[i] = end - first;
		k->to_strides[i] = out->strides[i] * by;
		k->from += first * in->strides[i];
		k->to += (low[i] + first * by) * out->strides[i];
	}
	s->params = k;
	s->run = run_pad;
	s->cost = (double)out->n * 0.2 * out->bytes;
	return true;
}

/* ---- dynamic slices ---------------------------------------------------------------------- */

/* Returns the offset of the slice, each start index clamped into range. */
static int64_t slice_start(const step *s, const call *c, int first, const tensor *whole,
                           const int64_t *sizes)
{
	int64_t at = 0;
	for (int i = 0; i < whole->rank; i++) {
		const tensor *index = &s->t[first + i];
		int64_t start = elem_get_int(index->dtype, c->at[first + i]);
		if (start < 0 && dtype_class_of(index->dtype) == DC_UINT)
			start = INT64_MAX;
		start = max_i64(0, min_i64(start, whole->dims[i] - sizes[i]));
		at += start * whole->strides[i];
	}
	return at;
}

static void run_dynamic_slice(const step *s, const call *c)
{
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	int64_t at = slice_start(s, c, 1, in, out->dims);
	box_copy(out->rank, out->dims, call_out(s, c, 0), out->strides, c->at[0] + at * in->bytes,
	         in->strides, in->bytes);
}

static bool fits_inside(const tensor *part, const tensor *whole)
{
	for (int i = 0; i < whole->rank && part->rank == whole->rank; i++)
		if (part->dims[i] > whole->dims[i])
			return false;
	return part->rank == whole->rank;
}

bool prepare_dynamic_slice(exec_plan *p, step *s)
{
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	if (!fits_inside(out, in) || s->n_in != 1 + in->rank)
		return step_invalid(p, s, "the slice does not fit the operand");
	s->run = run_dynamic_slice;
	s->cost = 20 + (double)out->n * 0.1 * out->bytes;
	return true;
}

static void run_dynamic_update_slice(const step *s, const call *c)
{
	const tensor *in = step_in(s, 0), *update = step_in(s, 1);
	char *to = call_out(s, c, 0);
	if (to != c->at[0])
		memcpy(to, c->at[0], (size_t)(in->n * in->bytes));
	int64_t at = slice_start(s, c, 2, in, update->dims);
	box_copy(in->rank, update->dims, to + at * in->bytes, in->strides, c->at[1],
	         update->strides, in->bytes);
}

bool prepare_dynamic_update_slice(exec_plan *p, step *s)
{
	const tensor *in = step_in(s, 0), *update = step_in(s, 1);
	if (s->n_in != 2 + in->rank || !fits_inside(update, in))
		return step_invalid(p, s, "the update does not fit the operand");
	s->run = run_dynamic_update_slice;
	s->cost = 20 + (double)in->n * 0.1 * in->bytes;
	step_in_place(p, s, 0, 0);
	return true;
}

/* ---- bitcast_convert --------------------------------------------------------------------- */

/* Elements narrower than a byte are stored one per byte here, while bitcast_convert means packed
 * bits, lowest first; so bits are packed and unpacked. For other dtypes the bytes are copied
 * unchanged. */
typedef struct bitcast {
	int from_bits, to_bits;
} bitcast;

/* Reads `bits` bits starting at bit `at`. */
static unsigned bits_get(const unsigned char *from, int64_t at, int bits)
{
	unsigned v = from[at / 8];
	if (at % 8 + bits > 8)
		v |= (unsigned)from[at / 8 + 1] << 8;
	return v >> at % 8 & ((1u << bits) - 1);
}

static void bits_put(unsigned char *to, int64_t at, int bits, unsigned v)
{
	to[at / 8] |= (unsigned char)(v << at % 8);
	if (at % 8 + bits > 8)
		to[at / 8 + 1] |= (unsigned char)(v >> (8 - at % 8));
}

static void run_bitcast(const step *s, const call *c)
{
	const bitcast *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	const unsigned char *from = (unsigned char *)c->at[0];
	unsigned char *to = (unsigned char *)call_out(s, c, 0);
	if (k->from_bits == k->to_bits || (k->from_bits >= 8 && k->to_bits >= 8)) {
		memmove(to, from, (size_t)(in->n * in->bytes));
	} else if (k->from_bits < k->to_bits) {
		memset(to, 0, (size_t)(out->n * out->bytes));
		int per = k->to_bits / k->from_bits;
		for (int64_t i = 0; i < in->n; i++) {
			/* narrow elements start at a byte boundary */
			int64_t at = i / per * 8 * out->bytes + i % per * k->from_bits;
			bits_put(to, at, k->from_bits, from[i] & ((1u << k->from_bits) - 1));
		}
	} else {
		int per = k->from_bits / k->to_bits;
		for (int64_t i = 0; i < out->n; i++)
			to[i] = (unsigned char)bits_get(
				from, i / per * 8 * in->bytes + i % per * k->to_bits, k->to_bits);
	}
}

bool prepare_bitcast_convert(exec_plan *p, step *s)
{
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	bitcast *k = NEW(plan_mem(p), bitcast);
	*k = (bitcast){dtype_bits(in->dtype), dtype_bits(out->dtype)};
	int most = k->from_bits > k->to_bits ? k->from_bits : k->to_bits;
	if (in->n * k->from_bits != out->n * k->to_bits ||
	    most % (k->from_bits + k->to_bits - most))
		return step_invalid(p, s, "operand and result have different numbers of bits");
	s->params = k;
	s->run = run_bitcast;
	s->cost = (double)in->n * 0.1 * in->bytes;
	if (k->from_bits == k->to_bits || (k->from_bits >= 8 && k->to_bits >= 8))
		step_in_place(p, s, 0, 0);
	return true;
}
