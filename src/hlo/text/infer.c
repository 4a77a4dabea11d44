/* infer.c - infers the shape of an instruction without one. XLA infers more; but all text that it
 * prints has shapes. */
#include "hlo/text/text.h"

#include <stdlib.h>

static const shape *plain_array(tess_ctx *ctx, dtype t, const int64_t *dims, int rank)
{
	return rank > SHAPE_MAX_RANK ? NULL : shape_array(ctx, t, dims, rank, NULL);
}

/* Parses the integers of {1,2}; returns their number, or -1 if absent or out of [0, limit). */
static int listed_dims(tess_ctx *ctx, const attr_list *l, const char *attr_name, int limit,
                       int64_t *out)
{
	const attr *a = attrs_get_named(l, name_of_z(ctx, attr_name));
	int n = 0;
	if (!a || a->kind != AT_STRING)
		return -1;
	for (const char *p = a->text->s + 1; *p && *p != '}' && n < SHAPE_MAX_RANK;) {
		char *end;
		out[n] = strtoll(p, &end, 10);
		if (end == p || out[n] < 0 || out[n] >= limit)
			return -1;
		n++;
		p = *end == ',' ? end + 1 : end;
	}
	return n;
}

/* [batch…, lhs free…, rhs free…] */
static const shape *dot_shape(tess_ctx *ctx, const shape *lhs, const shape *rhs, const attr_list *l)
{
	int64_t lb[SHAPE_MAX_RANK], lc[SHAPE_MAX_RANK], rb[SHAPE_MAX_RANK], rc[SHAPE_MAX_RANK];
	int64_t dims[3 * SHAPE_MAX_RANK];
	int n = 0, n_lb = listed_dims(ctx, l, "lhs_batch_dims", lhs->rank, lb);
	int n_lc = listed_dims(ctx, l, "lhs_contracting_dims", lhs->rank, lc);
	int n_rb = listed_dims(ctx, l, "rhs_batch_dims", rhs->rank, rb);
	int n_rc = listed_dims(ctx, l, "rhs_contracting_dims", rhs->rank, rc);
	for (int i = 0; i < n_lb; i++)
		dims[n++] = lhs->dims[lb[i]];
	for (int i = 0; i < lhs->rank; i++)
		if (!dim_listed(lb, n_lb, i) && !dim_listed(lc, n_lc, i))
			dims[n++] = lhs->dims[i];
	for (int i = 0; i < rhs->rank; i++)
		if (!dim_listed(rb, n_rb, i) && !dim_listed(rc, n_rc, i))
			dims[n++] = rhs->dims[i];
	return plain_array(ctx, lhs->dtype, dims, n);
}

static const shape *concatenate_shape(tess_ctx *ctx, const shape *const *s, int n,
                                      const attr_list *l)
{
	int64_t dims[SHAPE_MAX_RANK], dim;
	if (listed_dims(ctx, l, "dimensions", s[0]->rank, &dim) != 1)
		return NULL;
	memcpy(dims, s[0]->dims, sizeof *dims * (size_t)s[0]->rank);
	for (int i = 1; i < n; i++)
		if (s[i]->rank != s[0]->rank || !add_ok(dims[dim], s[i]->dims[dim], &dims[dim]))
			return NULL;
	return plain_array(ctx, s[0]->dtype, dims, s[0]->rank);
}

/* The elements are not moved in memory: the layout follows the dimensions, as in XLA. */
static const shape *transpose_shape(tess_ctx *ctx, const shape *s, const attr_list *l)
{
	int64_t dims[SHAPE_MAX_RANK], perm[SHAPE_MAX_RANK];
	int place[SHAPE_MAX_RANK], order[SHAPE_MAX_RANK];
	if (listed_dims(ctx, l, "dimensions", s->rank, perm) != s->rank)
		return NULL;
	for (int i = 0; i < s->rank; i++) {
		if (dim_listed(perm, i, perm[i]))
			return NULL;
		dims[i] = s->dims[perm[i]];
		place[perm[i]] = i;
	}
	for (int i = 0; i < s->rank; i++)
		order[i] = place[s->layout->minor_to_major[i]];
	return shape_array(ctx, s->dtype, dims, s->rank, layout_dense(ctx, order, s->rank));
}

/* For a single input; several give a tuple. */
static const shape *reduce_shape(tess_ctx *ctx, const shape *const *s, int n, const attr_list *l)
{
	int64_t reduced[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK];
	const shape *out[2 * SHAPE_MAX_RANK];
	if (n % 2 || n > 2 * SHAPE_MAX_RANK)
		return NULL;
	for (int k = 0; k < n / 2; k++) {
		int rank = 0, n_reduced = listed_dims(ctx, l, "dimensions", s[k]->rank, reduced);
		for (int i = 0; i < s[k]->rank; i++)
			if (!dim_listed(reduced, n_reduced, i))
				dims[rank++] = s[k]->dims[i];
		out[k] = n_reduced < 0 ? NULL : plain_array(ctx, s[k]->dtype, dims, rank);
		if (!out[k])
			return NULL;
	}
	return n == 2 ? out[0] : shape_tuple(ctx, out, n / 2);
}

static const shape *slice_shape(tess_ctx *ctx, const shape *s, const attr_list *l)
{
	int64_t dims[SHAPE_MAX_RANK];
	const attr *a = attrs_get_named(l, name_of_z(ctx, "slice"));
	const char *p = a ? a->text->s : "";
	int n = 0;
	for (; n < s->rank && (p = strchr(p, '[')); n++) {
		char *end;
		int64_t from = strtoll(p + 1, &end, 10), to = strtoll(end + 1, &end, 10), step = 1;
		if (*end == ':')
			step = strtoll(end + 1, &end, 10);
		if (from < 0 || to < from || to > s->dims[n] || step < 1)
			return NULL;
		dims[n] = (to - from) / step + ((to - from) % step != 0);
		p = end;
	}
	return n == s->rank ? plain_array(ctx, s->dtype, dims, n) : NULL;
}

static const shape *element_shape(tess_ctx *ctx, const shape *s, const attr_list *l)
{
	const attr *a = attrs_get_named(l, name_of_z(ctx, "index"));
	int64_t i = a ? strtoll(a->text->s, NULL, 10) : -1;
	return s->kind == SH_TUPLE && i >= 0 && i < s->n_parts ? s->parts[i] : NULL;
}

static bool all_arrays(const shape *const *s, int n)
{
	for (int i = 0; i < n; i++)
		if (s[i]->kind != SH_ARRAY)
			return false;
	return n > 0;
}

const shape *hlo_infer_shape(tess_ctx *ctx, const hlo_opcode *o, const shape *const *s, int n,
                             const attr_list *l)
{
	bool arrays = all_arrays(s, n);
	switch (o->infer) {
	case HLO_INFER_none: return NULL;
	case HLO_INFER_like0: return n > 0 ? s[0] : NULL;
	case HLO_INFER_like1: return n > 1 ? s[1] : NULL;
	case HLO_INFER_token: return shape_simple(ctx, SH_TOKEN);
	case HLO_INFER_pred0:
		return arrays ? plain_array(ctx, DT_I1, s[0]->dims, s[0]->rank) : NULL;
	case HLO_INFER_complex:
		return arrays && dtype_complex_of(s[0]->dtype)
		               ? plain_array(ctx, dtype_complex_of(s[0]->dtype), s[0]->dims,
		                             s[0]->rank)
		               : NULL;
	case HLO_INFER_part:
		return arrays ? plain_array(ctx, dtype_part_of(s[0]->dtype), s[0]->dims, s[0]->rank)
		              : NULL;
	case HLO_INFER_concatenate: return arrays ? concatenate_shape(ctx, s, n, l) : NULL;
	case HLO_INFER_dot: return arrays && n >= 2 ? dot_shape(ctx, s[0], s[1], l) : NULL;
	case HLO_INFER_s32: return plain_array(ctx, DT_I32, NULL, 0);
	case HLO_INFER_u32: return plain_array(ctx, DT_UI32, NULL, 0);
	case HLO_INFER_element: return element_shape(ctx, s[0], l);
	case HLO_INFER_reduce: return arrays ? reduce_shape(ctx, s, n, l) : NULL;
	case HLO_INFER_slice: return arrays ? slice_shape(ctx, s[0], l) : NULL;
	case HLO_INFER_sort: return n == 1 ? s[0] : shape_tuple(ctx, s, n);
	case HLO_INFER_transpose: return arrays ? transpose_shape(ctx, s[0], l) : NULL;
	case HLO_INFER_tuple: return shape_tuple(ctx, s, n);
	}
	return NULL;
}
