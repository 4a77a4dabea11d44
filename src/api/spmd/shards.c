/* shards.c - the shards of a marked tensor, and printing it. */
#include "base/box.h"
#include "api/spmd/spmd.h"

#include "hlo/hlo.h"
#include "hlo/hlo.h"

/* ---- shards ---------------------------------------------------------------------------- */

tess_status tess_spmd_tensor_shard(const tess_spmd_tensor *t, int64_t device, tess_spmd_shard *out)
{
	if (!t || !out || !handle_alive(t->ctx, t->live, "a tensor") || !t->marked || device < 0 ||
	    device >= t->mark.n)
		return TESS_USAGE;
	int64_t place = t->mark.place[device], piece = place / t->mark.copies;
	*out = (tess_spmd_shard){
		.device = device, .replica = place % t->mark.copies, .rank = t->rank};
	for (int d = t->rank - 1; d >= 0; d--) {
		int64_t at = piece % t->mark.parts[d];
		piece /= t->mark.parts[d];
		out->dims[d] = ceil_div(t->dims[d], t->mark.parts[d]);
		out->begin[d] = min_i64(at * out->dims[d], t->dims[d]);
		out->end[d] = min_i64(out->begin[d] + out->dims[d], t->dims[d]);
	}
	return TESS_OK;
}

static size_t shard_bytes(const tess_spmd_tensor *t, const tess_spmd_shard *s)
{
	size_t bytes = (size_t)tess_dtype_bytes(t->dtype);
	for (int d = 0; d < t->rank; d++)
		bytes *= (size_t)s->dims[d];
	return bytes;
}

/* Copies the box between the whole tensor and the shard. */
static void shard_copy(const tess_spmd_tensor *t, const tess_spmd_shard *s, char *shard,
                       bool into_shard)
{
	size_t bytes = (size_t)tess_dtype_bytes(t->dtype);
	int64_t dims[ARRAY_MAX_RANK], whole[ARRAY_MAX_RANK], part[ARRAY_MAX_RANK], at = 0;
	row_major_strides(t->rank, t->dims, whole);
	row_major_strides(t->rank, s->dims, part);
	for (int d = 0; d < t->rank; d++) {
		dims[d] = s->end[d] - s->begin[d];
		at += s->begin[d] * whole[d];
		if (!dims[d])
			return;
	}
	char *box = t->data + (size_t)at * bytes;
	if (into_shard)
		box_move(t->rank, dims, shard, part, box, whole, bytes);
	else
		box_move(t->rank, dims, box, whole, shard, part, bytes);
}

tess_status tess_spmd_tensor_read_shard(const tess_spmd_tensor *t, int64_t device, void *data,
                                        size_t bytes)
{
	tess_spmd_shard s;
	tess_status found = tess_spmd_tensor_shard(t, device, &s);
	if (found != TESS_OK || (!data && bytes) || bytes != shard_bytes(t, &s))
		return found != TESS_OK ? found : TESS_USAGE;
	if (bytes)
		memset(data, 0, bytes);
	shard_copy(t, &s, data, true);
	return TESS_OK;
}

static tess_status load_refuse(tess_spmd_tensor *t, const char *what)
{
	diag_error(t->ctx, NOWHERE, E_ARRAY_SHAPE, "%s", what);
	return TESS_INVALID;
}

tess_status tess_spmd_tensor_load_shards(tess_spmd_tensor *t, const void *const *data,
                                         const size_t *bytes, size_t n)
{
	tess_spmd_shard s;
	if (!t || !handle_alive(t->ctx, t->live, "a tensor") || !t->marked ||
	    (n && (!data || !bytes)))
		return TESS_USAGE;
	if (t->mark.type == TESS_SPMD_REPLICATED)
		return load_refuse(t, "a replicated tensor has no shards of its own to load");
	if ((int64_t)n != t->mark.n)
		return load_refuse(t, "there must be one shard for each device");
	for (size_t i = 0; i < n; i++)
		if (tess_spmd_tensor_shard(t, (int64_t)i, &s) != TESS_OK ||
		    bytes[i] != shard_bytes(t, &s) || (bytes[i] && !data[i]))
			return load_refuse(t, "the shape of a shard must include padding");
	for (size_t i = 0; i < n; i++) {
		tess_spmd_tensor_shard(t, (int64_t)i, &s);
		shard_copy(t, &s, (char *)(uintptr_t)data[i], false);
	}
	return TESS_OK;
}

/* ---- text -------------------------------------------------------------------------------- */

typedef void show_fn(writer *w, tess_ctx *ctx, const tess_spmd_tensor *t);

static char *shown_text(const tess_spmd_tensor *t, show_fn *fn)
{
	writer w = text_writer(t->ctx);
	fn(&w, t->ctx, t);
	return text_give(t->ctx, &w);
}

static char *show(const tess_spmd_tensor *t, show_fn *fn)
{
	frame f;
	if (setjmp(*frame_start(&f, t->ctx)) == 0)
		f.made = shown_text(t, fn);
	return frame_made(&f);
}

static bool tensor_alive(const tess_spmd_tensor *t)
{
	return t && handle_alive(t->ctx, t->live, "a tensor");
}

static void show_sharding(writer *w, tess_ctx *ctx, const tess_spmd_tensor *t)
{
	const spmd_mark *m = &t->mark;
	UNUSED(ctx);
	if (m->type == TESS_SPMD_REPLICATED) {
		put_lit(w, "{replicated}");
		return;
	}
	put_lit(w, "{devices=[");
	for (int d = 0; d < t->rank; d++)
		put_f(w, "%s%" PRId64, d ? "," : "", m->parts[d]);
	if (m->copies > 1)
		put_f(w, ",%" PRId64, m->copies);
	put_c(w, ']');
	for (int64_t i = 0; i < m->n; i++)
		put_f(w, "%s%" PRId64, i ? "," : "", m->devices[i]);
	put_z(w, m->copies > 1 ? " last_tile_dim_replicate}" : "}");
}

static void show_sharding_v2(writer *w, tess_ctx *ctx, const tess_spmd_tensor *t)
{
	const spmd_mark *m = &t->mark;
	device_array devices = {.n = m->n, .list = m->devices};
	level levels[ASSIGN_MAX];
	int64_t tiles[ARRAY_MAX_RANK + 1];
	int rank = t->rank;
	int n = m->type == TESS_SPMD_REPLICATED ? -1 : device_array_levels(&devices, levels);
	if (n < 0 || !device_array_of_levels(&devices, levels, n)) {
		show_sharding(w, ctx, t);
		return;
	}
	for (int d = 0; d < rank; d++)
		tiles[d] = m->parts[d];
	if (m->copies > 1)
		tiles[rank++] = m->copies;
	const subgroup copies = SUB_REPLICATED;
	hlo_sharding_print(w,
	                   hlo_sharding_tiled(ctx, tiles, rank, &copies, m->copies > 1, &devices));
}

char *tess_spmd_tensor_sharding(const tess_spmd_tensor *t, tess_spmd_form form)
{
	if (!tensor_alive(t) || !t->marked)
		return NULL;
	return show(t, form == TESS_SPMD_FORM_V2 ? show_sharding_v2 : show_sharding);
}

static void put_element(writer *w, const tess_spmd_tensor *t, int64_t i)
{
	const char *p = t->data + (size_t)i * (size_t)tess_dtype_bytes(t->dtype);
	uint64_t bits = 0;
	int n = tess_dtype_bytes(t->dtype);
	memcpy(&bits, p, n > 8 ? 8 : (size_t)n);
	if (dtype_is_float((dtype)t->dtype))
		put_f(w, "%g", float_value(bits, (dtype)t->dtype));
	else if (t->dtype == TESS_I1)
		put_z(w, bits ? "True" : "False");
	else
		put_int(w,
		        n < 8 && dtype_class_of((dtype)t->dtype) == DC_SINT && bits >> (8 * n - 1)
		                ? (int64_t)(bits | ~(uint64_t)0 << (8 * n))
		                : (int64_t)bits);
}

/* Prints the elements of dimension `dim` from `at` on, in brackets; long ones are abbreviated. */
static int64_t put_elements(writer *w, const tess_spmd_tensor *t, int dim, int64_t at)
{
	if (dim == t->rank) {
		put_element(w, t, at);
		return at + 1;
	}
	int64_t step = 1;
	for (int d = dim + 1; d < t->rank; d++)
		step *= t->dims[d];
	put_c(w, '[');
	for (int64_t i = 0; i < t->dims[dim]; i++) {
		put_z(w, i ? ", " : "");
		if (t->dims[dim] > 1000 && i == 3) {
			put_lit(w, "..., ");
			i = t->dims[dim] - 3;
		}
		put_elements(w, t, dim + 1, at + i * step);
	}
	put_c(w, ']');
	return at;
}

static void show_elements(writer *w, tess_ctx *ctx, const tess_spmd_tensor *t)
{
	UNUSED(ctx);
	put_z(w, t->marked ? "XLAShardedTensor(tensor(" : "tensor(");
	put_elements(w, t, 0, 0);
	put_z(w, t->marked ? "))" : ")");
}

char *tess_spmd_tensor_print(const tess_spmd_tensor *t)
{
	return tensor_alive(t) ? show(t, show_elements) : NULL;
}

static void show_picture(writer *w, tess_ctx *ctx, const tess_spmd_tensor *t)
{
	const spmd_mark *m = &t->mark;
	UNUSED(ctx);
	for (int64_t p = 0; p < m->n; p += m->copies) {
		tess_spmd_shard s;
		tess_spmd_tensor_shard(t, m->devices[p], &s);
		put_c(w, '[');
		for (int d = 0; d < s.rank; d++)
			put_f(w, "%s%" PRId64 ":%" PRId64, d ? ", " : "", s.begin[d], s.end[d]);
		put_lit(w, "]  CPU");
		for (int64_t i = 0; i < m->copies; i++)
			put_f(w, "%s%" PRId64, i ? "," : " ", m->devices[p + i]);
		put_c(w, '\n');
	}
}

char *tess_spmd_tensor_picture(const tess_spmd_tensor *t)
{
	return tensor_alive(t) && t->marked ? show(t, show_picture) : NULL;
}
