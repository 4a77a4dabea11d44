/* shape.c - the public functions of shapes and layouts. */
#include <tessera/shape.h>

#include "api/frame.h"
#include "hlo/hlo.h"

_Static_assert(TESS_MAX_RANK == SHAPE_MAX_RANK, "limits differ");

/* ---- creating ------------------------------------------------------------------------------- */

const tess_shape *tess_shape_parse(tess_ctx *ctx, tess_str text)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = shape_parse(ctx, text.ptr ? text : STR(""));
	return frame_made(&f);
}

const tess_layout *tess_layout_parse(tess_ctx *ctx, tess_str text)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = layout_parse(ctx, text.ptr ? text : STR(""));
	return frame_made(&f);
}

static bool rank_in_range(tess_ctx *ctx, int rank)
{
	if (rank >= 0 && rank <= SHAPE_MAX_RANK)
		return true;
	return diag_error(ctx, NOWHERE, E_SHAPE_LIMIT, "rank %d is not between 0 and %d", rank,
	                  SHAPE_MAX_RANK);
}

static const shape *shape_checked(tess_ctx *ctx, const shape *s)
{
	return shape_verify(ctx, s, NOWHERE) ? shape_of(ctx, s) : NULL;
}

static const shape *array_of(tess_ctx *ctx, dtype t, const int64_t *dims, int rank)
{
	bool dynamic[SHAPE_MAX_RANK];
	if (!rank_in_range(ctx, rank))
		return NULL;
	if (!t) {
		diag_error(ctx, NOWHERE, E_SHAPE_TYPE, "there is no such element type");
		return NULL;
	}
	for (int i = 0; i < rank; i++)
		dynamic[i] = dims[i] == DIM_UNBOUNDED;
	shape s = {.dtype = t,
	           .rank = rank,
	           .dims = dims,
	           .dynamic = dynamic,
	           .layout = layout_default(ctx, rank)};
	return shape_checked(ctx, &s);
}

const tess_shape *tess_shape_array(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank)
{
	frame f;
	if (!ctx || (rank > 0 && !dims))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = array_of(ctx, t > 0 && (int)t < DT_COUNT ? (dtype)t : DT_NONE, dims, rank);
	return frame_made(&f);
}

const tess_shape *tess_shape_tuple(tess_ctx *ctx, const tess_shape *const *parts, size_t n)
{
	frame f;
	if (!ctx || !all_there((const void *const *)parts, n))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = shape_tuple(ctx, parts, (int)n);
	return frame_made(&f);
}

static const shape *laid_out(tess_ctx *ctx, const shape *from, const layout *l)
{
	shape s = *from;
	if (s.kind != SH_ARRAY) {
		diag_error(ctx, NOWHERE, E_SHAPE_LAYOUT, "only arrays have a layout");
		return NULL;
	}
	s.layout = l ? l : layout_default(ctx, s.rank);
	return shape_checked(ctx, &s);
}

const tess_shape *tess_shape_with_layout(tess_ctx *ctx, const tess_shape *s, const tess_layout *l)
{
	frame f;
	if (!ctx || !s)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = laid_out(ctx, s, l);
	return frame_made(&f);
}

static const layout *dense_layout(tess_ctx *ctx, const int *minor_to_major, int rank)
{
	layout l = {.rank = rank, .minor_to_major = minor_to_major, .tail = 1};
	if (!rank_in_range(ctx, rank) || !layout_verify(ctx, &l, NOWHERE))
		return NULL;
	return layout_of(ctx, &l);
}

const tess_layout *tess_layout_dense(tess_ctx *ctx, const int *minor_to_major, int rank)
{
	frame f;
	if (!ctx || (rank > 0 && !minor_to_major))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = dense_layout(ctx, minor_to_major, rank);
	return frame_made(&f);
}

/* ---- properties ----------------------------------------------------------------------------- */

tess_shape_kind tess_shape_kind_of(const tess_shape *s)
{
	return s ? (tess_shape_kind)s->kind : TESS_SHAPE_OPAQUE;
}

/* Returns the array, or that of a buffer; NULL if there is none. */
static const shape *array_in(const shape *s) { return s ? shape_array_part(s) : NULL; }

static bool is_array(const shape *s) { return s && s->kind == SH_ARRAY; }

tess_dtype tess_shape_dtype(const tess_shape *s)
{
	const shape *a = array_in(s);
	return a ? (tess_dtype)a->dtype : TESS_NO_DTYPE;
}

int tess_shape_rank(const tess_shape *s)
{
	const shape *a = array_in(s);
	return a ? a->rank : 0;
}

int tess_shape_true_rank(const tess_shape *s)
{
	const shape *a = array_in(s);
	return a ? shape_true_rank(a) : 0;
}

int64_t tess_shape_dim(const tess_shape *s, int dim)
{
	const shape *a = array_in(s);
	int d = a ? shape_dim_number(a, dim) : -1;
	return d < 0 ? -1 : a->dims[d];
}

bool tess_shape_dim_is_dynamic(const tess_shape *s, int dim)
{
	const shape *a = array_in(s);
	int d = a ? shape_dim_number(a, dim) : -1;
	return d >= 0 && a->dynamic[d];
}

size_t tess_shape_part_count(const tess_shape *s) { return s ? (size_t)s->n_parts : 0; }

const tess_shape *tess_shape_part(const tess_shape *s, size_t i)
{
	return i < tess_shape_part_count(s) ? s->parts[i] : NULL;
}

size_t tess_shape_leaf_count(const tess_shape *s) { return s ? (size_t)shape_leaves(s) : 0; }

const tess_layout *tess_shape_layout(const tess_shape *s)
{
	const shape *a = array_in(s);
	return a ? a->layout : NULL;
}

int tess_layout_minor_to_major(const tess_layout *l, int *out, int cap)
{
	for (int i = 0; l && out && i < l->rank && i < cap; i++)
		out[i] = l->minor_to_major[i];
	return l ? l->rank : 0;
}

size_t tess_layout_tile_count(const tess_layout *l) { return l ? (size_t)l->n_tiles : 0; }

int tess_layout_tile(const tess_layout *l, size_t i, int64_t *out, int cap)
{
	if (i >= tess_layout_tile_count(l))
		return 0;
	for (int d = 0; out && d < l->tiles[i].rank && d < cap; d++)
		out[d] = l->tiles[i].dims[d];
	return l->tiles[i].rank;
}

int64_t tess_layout_element_bits(const tess_layout *l) { return l ? l->element_bits : 0; }
int64_t tess_layout_memory_space(const tess_layout *l) { return l ? l->memory_space : 0; }
int64_t tess_layout_tail(const tess_layout *l) { return l ? l->tail : 1; }

const char *tess_memory_space_name(int64_t space)
{
	return space == 0 ? "HBM" : space == 1 ? "VMEM" : space == 5 ? "host" : "";
}

static char *shape_text(tess_ctx *ctx, const shape *s, bool with_layout)
{
	writer w = text_writer(ctx);
	shape_print(&w, s, with_layout ? SHAPE_WITH_LAYOUT : 0);
	return text_give(ctx, &w);
}

char *tess_shape_print(tess_ctx *ctx, const tess_shape *s, bool with_layout)
{
	frame f;
	if (!ctx || !s)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = shape_text(ctx, s, with_layout);
	return frame_made(&f);
}

static void print_layout(writer *w, tess_ctx *ctx, const void *l)
{
	UNUSED(ctx);
	layout_print(w, l);
}

char *tess_layout_print(tess_ctx *ctx, const tess_layout *l)
{
	return text_printed(ctx, l, print_layout);
}

bool tess_shape_same(const tess_shape *a, const tess_shape *b, unsigned ignore)
{
	return a && b ? shape_same(a, b, ignore) : a == b;
}

/* ---- sizes and positions --------------------------------------------------------- */

int64_t tess_shape_bytes(const tess_shape *s, tess_size_kind kind)
{
	return s ? shape_bytes(s, (size_kind)kind) : -1;
}

int64_t tess_shape_elements(const tess_shape *s)
{
	int64_t n;
	return is_array(s) && shape_elements(s, &n) ? n : -1;
}

int64_t tess_shape_padded_elements(const tess_shape *s)
{
	return is_array(s) ? shape_padded_elements(s) : -1;
}

int64_t tess_shape_stored_dim(const tess_shape *s, int dim)
{
	const shape *a = array_in(s);
	int d = a ? shape_dim_number(a, dim) : -1;
	return d < 0 ? -1 : shape_stored_dim(a, d);
}

const tess_shape *tess_shape_least_padded(tess_ctx *ctx, const tess_shape *s)
{
	frame f;
	if (!ctx || !s)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = shape_least_padded(ctx, s);
	return frame_made(&f);
}

int64_t tess_shape_offset(const tess_shape *s, const int64_t *index)
{
	if (!is_array(s) || (s->rank && !index))
		return -1;
	for (int i = 0; i < s->rank; i++)
		if (index[i] < 0 || index[i] >= s->dims[i])
			return -1;
	return shape_offset(s, index);
}

bool tess_shape_index_at(const tess_shape *s, int64_t offset, int64_t *index)
{
	return is_array(s) && (index || !s->rank) && offset >= 0 && shape_padded_elements(s) >= 0 &&
	       shape_index_at(s, offset, index);
}

bool tess_shape_strides(const tess_shape *s, int64_t *strides)
{
	int64_t n;
	return is_array(s) && (strides || !s->rank) && shape_elements(s, &n) &&
	       shape_strides(s, strides);
}

/* ---- transposes and reshapes ---------------------------------------------------------------- */

static bool is_order(const int *perm, int n)
{
	bool seen[SHAPE_MAX_RANK] = {false};
	if (n && !perm)
		return false;
	for (int i = 0; i < n; i++) {
		if (perm[i] < 0 || perm[i] >= n || seen[perm[i]])
			return false;
		seen[perm[i]] = true;
	}
	return true;
}

static bool both_arrays(const shape *a, const shape *b) { return is_array(a) && is_array(b); }

const tess_shape *tess_shape_permute(tess_ctx *ctx, const tess_shape *s, const int *perm)
{
	frame f;
	if (!ctx || !is_array(s) || !is_order(perm, s->rank))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = shape_permute(ctx, s, perm);
	return frame_made(&f);
}

bool tess_shape_is_bitcast(const tess_shape *from, const tess_shape *to, const int *perm)
{
	return both_arrays(from, to) &&
	       (perm ? is_order(perm, from->rank) && transpose_is_bitcast(from, to, perm)
	             : reshape_is_bitcast(from, to));
}

const tess_shape *tess_shape_align(tess_ctx *ctx, const tess_shape *from, const tess_shape *to)
{
	frame f;
	if (!ctx || !both_arrays(from, to))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = shape_align(ctx, from, to);
	return frame_made(&f);
}

size_t tess_reshape_kept_dims(const tess_shape *from, const tess_shape *to, tess_dim_pair *out,
                              size_t cap)
{
	dim_pair pairs[SHAPE_MAX_RANK];
	if (!both_arrays(from, to))
		return 0;
	size_t n = (size_t)reshape_kept_dims(from, to, pairs, SHAPE_MAX_RANK);
	for (size_t i = 0; out && i < n && i < cap; i++)
		out[i] = (tess_dim_pair){pairs[i].from, pairs[i].to};
	return n;
}

/* ---- copying data --------------------------------------------------------------------------- */

tess_status tess_relayout(const tess_shape *from, const void *src, size_t src_bytes,
                          const tess_shape *to, void *dst, size_t dst_bytes)
{
	int64_t need_src = tess_shape_bytes(from, TESS_SIZE_PADDED);
	int64_t need_dst = tess_shape_bytes(to, TESS_SIZE_PADDED);
	if ((need_src && !src) || (need_dst && !dst))
		return TESS_USAGE;
	if (need_src < 0 || need_dst < 0 || (uint64_t)need_src > src_bytes ||
	    (uint64_t)need_dst > dst_bytes)
		return TESS_USAGE;
	return relayout(from, src, to, dst) ? TESS_OK : TESS_USAGE;
}
