/* shape.c - the public side of shapes and layouts. */
#include <tessera/shape.h>

#include "api/frame.h"
#include "hlo/hlo.h"

_Static_assert(TESS_MAX_RANK == SHAPE_MAX_RANK, "limits differ");

/* ---- making ----------------------------------------------------------------- */

typedef struct shape_call {
	tess_str text;
	const shape *s, *to, *out;
	const layout *layout, *out_layout;
	const shape *const *parts;
	const int64_t *dims;
	const int *order;
	dtype dtype;
	int n;
	bool with_layout;
	tess_str out_text;
} shape_call;

static const shape *shape_result(tess_ctx *ctx, frame_fn *fn, shape_call *c)
{
	return frame_run(ctx, fn, c) == TESS_OK ? c->out : NULL;
}

static const layout *layout_result(tess_ctx *ctx, frame_fn *fn, shape_call *c)
{
	return frame_run(ctx, fn, c) == TESS_OK ? c->out_layout : NULL;
}

static tess_status shape_parse_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	c->out = shape_parse(ctx, c->text);
	return c->out ? TESS_OK : TESS_INVALID;
}

const tess_shape *tess_shape_parse(tess_ctx *ctx, tess_str text)
{
	return shape_result(ctx, shape_parse_body, &(shape_call){.text = text});
}

static tess_status layout_parse_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	c->out_layout = layout_parse(ctx, c->text);
	return c->out_layout ? TESS_OK : TESS_INVALID;
}

const tess_layout *tess_layout_parse(tess_ctx *ctx, tess_str text)
{
	return layout_result(ctx, layout_parse_body, &(shape_call){.text = text});
}

static bool rank_in_range(tess_ctx *ctx, int rank)
{
	if (rank >= 0 && rank <= SHAPE_MAX_RANK)
		return true;
	return diag_error(ctx, NOWHERE, E_SHAPE_LIMIT, "rank %d is not between 0 and %d", rank,
	                  SHAPE_MAX_RANK);
}

static tess_status array_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	bool dynamic[SHAPE_MAX_RANK];
	if (!rank_in_range(ctx, c->n))
		return TESS_INVALID;
	if (!c->dtype) {
		diag_error(ctx, NOWHERE, E_SHAPE_TYPE, "no such element type");
		return TESS_INVALID;
	}
	for (int i = 0; i < c->n; i++)
		dynamic[i] = c->dims[i] == DIM_UNBOUNDED;
	shape s = {.dtype = c->dtype, .rank = c->n, .dims = c->dims, .dynamic = dynamic,
	           .layout = layout_default(ctx, c->n)};
	if (!shape_verify(ctx, &s, NOWHERE))
		return TESS_INVALID;
	c->out = shape_of(ctx, &s);
	return TESS_OK;
}

const tess_shape *tess_shape_array(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank)
{
	return shape_result(ctx, array_body,
	                    &(shape_call){.dtype = t > 0 && (int)t < DT_COUNT ? (dtype)t : DT_NONE, .dims = dims, .n = rank});
}

static tess_status tuple_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	c->out = shape_tuple(ctx, c->parts, c->n);
	return TESS_OK;
}

const tess_shape *tess_shape_tuple(tess_ctx *ctx, const tess_shape *const *parts, int n)
{
	return shape_result(ctx, tuple_body, &(shape_call){.parts = parts, .n = n});
}

static tess_status with_layout_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	shape s = *c->s;
	s.layout = c->layout ? c->layout : layout_default(ctx, s.rank);
	if (s.kind != SH_ARRAY) {
		diag_error(ctx, NOWHERE, E_SHAPE_LAYOUT, "only arrays have a layout");
		return TESS_INVALID;
	}
	if (!shape_verify(ctx, &s, NOWHERE))
		return TESS_INVALID;
	c->out = shape_of(ctx, &s);
	return TESS_OK;
}

const tess_shape *tess_shape_with_layout(tess_ctx *ctx, const tess_shape *s, const tess_layout *l)
{
	return shape_result(ctx, with_layout_body, &(shape_call){.s = s, .layout = l});
}

static tess_status dense_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	layout l = {.rank = c->n, .minor_to_major = c->order, .tail = 1};
	if (!rank_in_range(ctx, c->n) || !layout_verify(ctx, &l, NOWHERE))
		return TESS_INVALID;
	c->out_layout = layout_of(ctx, &l);
	return TESS_OK;
}

const tess_layout *tess_layout_dense(tess_ctx *ctx, const int *minor_to_major, int rank)
{
	return layout_result(ctx, dense_body, &(shape_call){.order = minor_to_major, .n = rank});
}

/* ---- looking ------------------------------------------------------------------- */

tess_shape_kind tess_shape_kind_of(const tess_shape *s) { return (tess_shape_kind)s->kind; }

tess_dtype tess_shape_dtype(const tess_shape *s)
{
	const shape *a = shape_array_part(s);
	return a ? (tess_dtype)a->dtype : TESS_NO_DTYPE;
}

int tess_shape_rank(const tess_shape *s)
{
	const shape *a = shape_array_part(s);
	return a ? a->rank : 0;
}

int tess_shape_true_rank(const tess_shape *s)
{
	const shape *a = shape_array_part(s);
	return a ? shape_true_rank(a) : 0;
}

int64_t tess_shape_dim(const tess_shape *s, int64_t dim)
{
	const shape *a = shape_array_part(s);
	int d = a ? shape_dim_number(a, dim) : -1;
	return d < 0 ? -1 : a->dims[d];
}

bool tess_shape_dim_is_dynamic(const tess_shape *s, int64_t dim)
{
	const shape *a = shape_array_part(s);
	int d = a ? shape_dim_number(a, dim) : -1;
	return d >= 0 && a->dynamic[d];
}

int tess_shape_parts(const tess_shape *s) { return s->n_parts; }

const tess_shape *tess_shape_part(const tess_shape *s, int i)
{
	return i >= 0 && i < s->n_parts ? s->parts[i] : NULL;
}

int64_t tess_shape_leaves(const tess_shape *s) { return shape_leaves(s); }

const tess_layout *tess_shape_layout(const tess_shape *s)
{
	const shape *a = shape_array_part(s);
	return a ? a->layout : NULL;
}

int tess_layout_minor_to_major(const tess_layout *l, int *out, int cap)
{
	for (int i = 0; i < l->rank && i < cap; i++)
		out[i] = l->minor_to_major[i];
	return l->rank;
}

int tess_layout_tiles(const tess_layout *l) { return l->n_tiles; }

int tess_layout_tile(const tess_layout *l, int i, int64_t *out, int cap)
{
	if (i < 0 || i >= l->n_tiles)
		return 0;
	for (int d = 0; d < l->tiles[i].rank && d < cap; d++)
		out[d] = l->tiles[i].dims[d];
	return l->tiles[i].rank;
}

int64_t tess_layout_element_bits(const tess_layout *l) { return l->element_bits; }
int64_t tess_layout_memory_space(const tess_layout *l) { return l->memory_space; }
int64_t tess_layout_tail(const tess_layout *l) { return l->tail; }

const char *tess_memory_space_name(int64_t space)
{
	return space == 0 ? "HBM" : space == 1 ? "VMEM" : space == 5 ? "host" : "";
}

static tess_status shape_text_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	if (c->s)
		shape_print(&w, c->s, c->with_layout ? SHAPE_WITH_LAYOUT : 0);
	else
		layout_print(&w, c->layout);
	c->out_text = writer_str(&w);
	return TESS_OK;
}

tess_str tess_shape_text(tess_ctx *ctx, const tess_shape *s, bool with_layout)
{
	shape_call c = {.s = s, .with_layout = with_layout};
	return frame_run(ctx, shape_text_body, &c) == TESS_OK ? c.out_text : (tess_str){0};
}

tess_str tess_layout_text(tess_ctx *ctx, const tess_layout *l)
{
	shape_call c = {.layout = l};
	return frame_run(ctx, shape_text_body, &c) == TESS_OK ? c.out_text : (tess_str){0};
}

bool tess_shape_same(const tess_shape *a, const tess_shape *b, unsigned ignore)
{
	return shape_same(a, b, ignore);
}

/* ---- sizes and positions --------------------------------------------------------- */

int64_t tess_shape_bytes(const tess_shape *s, tess_size_kind kind)
{
	return shape_bytes(s, (size_kind)kind);
}

int64_t tess_shape_elements(const tess_shape *s)
{
	int64_t n;
	return s->kind == SH_ARRAY && shape_elements(s, &n) ? n : -1;
}

int64_t tess_shape_padded_elements(const tess_shape *s)
{
	return s->kind == SH_ARRAY ? shape_padded_elements(s) : -1;
}

int64_t tess_shape_stored_dim(const tess_shape *s, int64_t dim)
{
	const shape *a = shape_array_part(s);
	int d = a ? shape_dim_number(a, dim) : -1;
	return d < 0 ? -1 : shape_stored_dim(a, d);
}

static tess_status least_padded_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	c->out = shape_least_padded(ctx, c->s);
	return TESS_OK;
}

const tess_shape *tess_shape_least_padded(tess_ctx *ctx, const tess_shape *s)
{
	const shape *out = shape_result(ctx, least_padded_body, &(shape_call){.s = s});
	return out ? out : s;
}

int64_t tess_shape_offset(const tess_shape *s, const int64_t *index)
{
	if (s->kind != SH_ARRAY)
		return -1;
	for (int i = 0; i < s->rank; i++)
		if (index[i] < 0 || index[i] >= s->dims[i])
			return -1;
	return shape_offset(s, index);
}

bool tess_shape_index_at(const tess_shape *s, int64_t offset, int64_t *index)
{
	return s->kind == SH_ARRAY && offset >= 0 && shape_padded_elements(s) >= 0 &&
	       shape_index_at(s, offset, index);
}

bool tess_shape_strides(const tess_shape *s, int64_t *strides)
{
	int64_t n;
	return s->kind == SH_ARRAY && shape_elements(s, &n) && shape_strides(s, strides);
}

/* ---- questions --------------------------------------------------------------------- */

static bool is_order(const int *perm, int n)
{
	bool seen[SHAPE_MAX_RANK] = {false};
	for (int i = 0; i < n; i++) {
		if (perm[i] < 0 || perm[i] >= n || seen[perm[i]])
			return false;
		seen[perm[i]] = true;
	}
	return true;
}

static bool both_arrays(const shape *a, const shape *b)
{
	return a->kind == SH_ARRAY && b->kind == SH_ARRAY;
}

static tess_status permute_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	c->out = shape_permute(ctx, c->s, c->order);
	return TESS_OK;
}

const tess_shape *tess_shape_permute(tess_ctx *ctx, const tess_shape *s, const int *perm)
{
	if (s->kind != SH_ARRAY || !is_order(perm, s->rank))
		return NULL;
	return shape_result(ctx, permute_body, &(shape_call){.s = s, .order = perm});
}

bool tess_transpose_is_bitcast(const tess_shape *from, const tess_shape *to, const int *perm)
{
	return both_arrays(from, to) && is_order(perm, from->rank) &&
	       transpose_is_bitcast(from, to, perm);
}

bool tess_reshape_is_bitcast(const tess_shape *from, const tess_shape *to)
{
	return both_arrays(from, to) && reshape_is_bitcast(from, to);
}

static tess_status align_body(tess_ctx *ctx, void *arg)
{
	shape_call *c = arg;
	c->out = shape_align(ctx, c->s, c->to);
	return TESS_OK;
}

const tess_shape *tess_shape_align(tess_ctx *ctx, const tess_shape *from, const tess_shape *to)
{
	return both_arrays(from, to)
	               ? shape_result(ctx, align_body, &(shape_call){.s = from, .to = to})
	               : NULL;
}

int tess_reshape_kept_dims(const tess_shape *from, const tess_shape *to, tess_dim_pair *out,
                           int cap)
{
	dim_pair pairs[SHAPE_MAX_RANK];
	if (!both_arrays(from, to))
		return 0;
	int n = reshape_kept_dims(from, to, pairs, SHAPE_MAX_RANK);
	for (int i = 0; i < n && i < cap; i++)
		out[i] = (tess_dim_pair){pairs[i].from, pairs[i].to};
	return n;
}

/* ---- data ---------------------------------------------------------------------------- */

tess_status tess_relayout(const tess_shape *from, const void *src, size_t src_bytes,
                          const tess_shape *to, void *dst, size_t dst_bytes)
{
	int64_t need_src = shape_bytes(from, SIZE_PADDED), need_dst = shape_bytes(to, SIZE_PADDED);
	if (need_src < 0 || need_dst < 0 || (uint64_t)need_src > src_bytes ||
	    (uint64_t)need_dst > dst_bytes)
		return TESS_USAGE;
	return relayout(from, src, to, dst) ? TESS_OK : TESS_USAGE;
}
