/* spmd.c - meshes and marks, like PyTorch/XLA's Mesh and mark_sharding. */
#include "api/spmd/spmd.h"

#include "hlo/hlo.h"

#include <stdlib.h>

static bool spmd_refuse(tess_ctx *ctx, diag_code code, const char *fmt, ...)
{
	char text[300];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	return diag_error(ctx, NOWHERE, code, "%s", text);
}

/* ---- tensors ---------------------------------------------------------------------------- */

tess_spmd_tensor *tess_spmd_tensor_new(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank,
                                       const void *data)
{
	int64_t bytes = tess_dtype_bytes(t);
	bool right = bytes > 0 && rank >= 0 && rank <= ARRAY_MAX_RANK && (dims || !rank);
	for (int d = 0; right && d < rank; d++)
		right = dims[d] >= 0 && mul_ok(bytes, dims[d], &bytes);
	if (!ctx || (!right && !spmd_refuse(ctx, E_ARRAY_SHAPE,
	                                    "a tensor needs an element type and dimensions")))
		return NULL;
	tess_spmd_tensor *out = ctx_realloc(ctx, NULL, sizeof *out + (size_t)bytes);
	if (!out)
		return NULL;
	*out = (tess_spmd_tensor){.ctx = ctx,
	                          .live = HANDLE_ALIVE,
	                          .dtype = t,
	                          .rank = rank,
	                          .bytes = (size_t)bytes,
	                          .data = (char *)(out + 1)};
	arena_init(&out->mem, ctx);
	for (int d = 0; d < rank; d++)
		out->dims[d] = dims[d];
	if (data)
		memcpy(out->data, data, out->bytes);
	else
		memset(out->data, 0, out->bytes);
	return out;
}

static void spmd_tensor_drop(tess_ctx *ctx, void *handle)
{
	tess_spmd_tensor *t = handle;
	arena_free(&t->mem);
	ctx_realloc(ctx, t, 0);
}

void tess_spmd_tensor_free(tess_spmd_tensor *t)
{
	if (t)
		handle_free(t->ctx, t, &t->live, "a tensor", spmd_tensor_drop);
}

tess_tensor tess_spmd_tensor_global(const tess_spmd_tensor *t)
{
	if (!t || !handle_alive(t->ctx, t->live, "a tensor"))
		return (tess_tensor){.name = ""};
	return (tess_tensor){.name = "", .dtype = t->dtype, .rank = t->rank, .dims = t->dims,
	                     .data = t->data, .bytes = t->bytes};
}

/* ---- specs --------------------------------------------------------------------------------- */

typedef struct mark_args {
	tess_spmd_tensor *t;
	const mesh *m;
	const char *spec, *at;
	int n; /* number of entries */
	uint32_t used;
	int order[ARRAY_MAX_RANK], n_order; /* mesh dimensions in the order of their use */
	int dim_of[ARRAY_MAX_RANK];         /* the tensor dimension that each of them shards */
	spmd_mark mark;
} mark_args;

static void mark_space(mark_args *a)
{
	while (*a->at == ' ')
		a->at++;
}

static bool mark_axis(tess_ctx *ctx, mark_args *a, int dim)
{
	mark_space(a);
	size_t n = strcspn(a->at, "(), ");
	tess_str word = {a->at, n};
	int axis = -1;
	int64_t number = 0;
	bool digits = n > 0;
	a->at += n;
	for (size_t i = 0; i < n && digits; i++) {
		digits = word.ptr[i] >= '0' && word.ptr[i] <= '9' && n < 9;
		number = number * 10 + (word.ptr[i] - '0');
	}
	if (!n)
		return spmd_refuse(ctx, E_ARRAY_SPEC, "the partition spec \"%s\" lacks an axis",
		                   a->spec);
	if (digits)
		axis = number < a->m->n_axes ? (int)number : -1;
	for (int i = 0; i < a->m->n_axes && !digits; i++)
		if (str_eq(name_str(a->m->axes[i].name), word))
			axis = i;
	if (axis < 0)
		return spmd_refuse(ctx, E_ARRAY_AXIS,
		                   digits ? "the partition spec names mesh dimension %.*s of %d"
		                          : "axis %.*s is not defined in the mesh of %d dimensions",
		                   STR_ARG(word), a->m->n_axes);
	if (a->used >> axis & 1)
		return spmd_refuse(ctx, E_ARRAY_DUPLICATE,
		                   "each mesh dimension may appear at most once in \"%s\"",
		                   a->spec);
	a->used |= 1u << axis;
	a->dim_of[a->n_order] = dim;
	a->order[a->n_order++] = axis;
	a->mark.parts[dim] *= a->m->axes[axis].size;
	return true;
}

static bool mark_entry(tess_ctx *ctx, mark_args *a)
{
	int dim = a->n++;
	mark_space(a);
	if (dim >= ARRAY_MAX_RANK)
		return spmd_refuse(ctx, E_ARRAY_RANK, "the partition spec \"%s\" has too many entries", a->spec);
	a->mark.parts[dim] = 1;
	tess_str word = {a->at, strcspn(a->at, "(), ")};
	if (str_is(word, "None") || str_is(word, "_")) {
		a->at += word.len;
		return true;
	}
	if (*a->at != '(')
		return mark_axis(ctx, a, dim);
	a->at++;
	do {
		mark_space(a);
		if (*a->at == '(')
			return spmd_refuse(ctx, E_ARRAY_SPEC,
			                   "a partition spec cannot nest: \"%s\"", a->spec);
		if (!mark_axis(ctx, a, dim))
			return false;
		mark_space(a);
		if (*a->at == ',' && a->at++)
			mark_space(a);
		else
			break;
	} while (*a->at != ')'); /* "(x,)", Python's tuple of one */
	return *a->at++ == ')' ||
	       spmd_refuse(ctx, E_ARRAY_SPEC, "')' is missing in \"%s\"", a->spec);
}

static bool mark_spec(tess_ctx *ctx, mark_args *a)
{
	mark_space(a);
	while (*a->at) {
		if (!mark_entry(ctx, a))
			return false;
		mark_space(a);
		if (*a->at && *a->at++ != ',')
			return spmd_refuse(ctx, E_ARRAY_SPEC, "',' is missing in \"%s\"", a->spec);
		mark_space(a);
	}
	return a->n == a->t->rank ||
	       spmd_refuse(
		       ctx, E_ARRAY_RANK,
		       "partition spec length (%d) should be equal to the rank (%d) of the tensor",
		       a->n, a->t->rank);
}

/* ---- placement ------------------------------------------------------------------------------ */

static int by_device_id(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Returns the mark as an sdy sharding. Call it before unused mesh dimensions are appended. */
static const char *mark_spelled(mark_args *a)
{
	writer w;
	writer_init(&w, &a->t->mem);
	put_c(&w, '[');
	for (int d = 0; d < a->t->rank; d++) {
		bool any = false;
		put_z(&w, d ? ", {" : "{");
		for (int i = 0; i < a->n_order; i++)
			if (a->dim_of[i] == d) {
				put_z(&w, any ? ", " : "");
				put_quoted(&w, name_str(a->m->axes[a->order[i]].name));
				any = true;
			}
		put_c(&w, '}');
	}
	put_c(&w, ']');
	return writer_z(&w);
}

/* Transposes the mesh: dimensions in the order of their use, then the others, which hold copies,
 * with sorted ids. */
static void mark_place(mark_args *a)
{
	const mesh *m = a->m;
	arena *mem = &a->t->mem;
	int64_t stride[ARRAY_MAX_RANK], pieces = 1;
	a->mark.sdy = mark_spelled(a);
	for (int i = m->n_axes - 1, at = 1; i >= 0; i--) {
		stride[i] = at;
		at *= (int)m->axes[i].size;
	}
	for (int i = 0; i < a->n_order; i++)
		pieces *= m->axes[a->order[i]].size;
	for (int i = 0; i < m->n_axes; i++)
		if (!(a->used >> i & 1))
			a->order[a->n_order++] = i;
	a->mark.n = m->n_devices;
	a->mark.copies = m->n_devices / pieces;
	a->mark.devices = NEW_N(mem, int64_t, m->n_devices);
	a->mark.place = NEW_N(mem, int64_t, m->n_devices);
	for (int64_t p = 0; p < m->n_devices; p++) {
		int64_t left = p, at = 0;
		for (int i = m->n_axes - 1; i >= 0; i--) {
			at += left % m->axes[a->order[i]].size * stride[a->order[i]];
			left /= m->axes[a->order[i]].size;
		}
		a->mark.devices[p] = mesh_device_at(m, at);
	}
	for (int64_t p = 0; p < pieces; p++)
		qsort(a->mark.devices + p * a->mark.copies, (size_t)a->mark.copies, sizeof(int64_t),
		      by_device_id);
	for (int64_t p = 0; p < m->n_devices; p++)
		a->mark.place[a->mark.devices[p]] = p;
	a->mark.mesh = m;
	a->mark.type = pieces == 1 ? TESS_SPMD_REPLICATED
	               : a->mark.copies == 1 ? TESS_SPMD_TILED : TESS_SPMD_PARTIAL;
}

static bool marks_equal(const tess_spmd_tensor *t, const spmd_mark *a, const spmd_mark *b)
{
	return a->n == b->n && a->type == b->type &&
	       memcmp(a->parts, b->parts, sizeof *a->parts * (size_t)t->rank) == 0 &&
	       memcmp(a->devices, b->devices, sizeof *a->devices * (size_t)a->n) == 0;
}

static tess_status mark_body(tess_ctx *ctx, void *arg)
{
	mark_args *a = arg;
	a->m = mesh_plain(ctx, a->m);
	if (!mark_spec(ctx, a))
		return TESS_INVALID;
	mark_place(a);
	if (a->t->marked && a->t->mark.type != TESS_SPMD_REPLICATED &&
	    !marks_equal(a->t, &a->mark, &a->t->mark)) {
		spmd_refuse(ctx, E_ARRAY_ASSERTION,
		            "the tensor has another mark: remove it first");
		return TESS_INVALID;
	}
	a->t->mark = a->mark;
	a->t->marked = true;
	return TESS_OK;
}

tess_status tess_spmd_tensor_mark(tess_spmd_tensor *t, const tess_mesh *given, const char *spec)
{
	if (!t || !spec || !handle_alive(t->ctx, t->live, "a tensor"))
		return TESS_USAGE;
	const mesh *m = given ? given : tess_array_mesh(t->ctx);
	if (!m)
		return TESS_USAGE;
	if (m->ctx != t->ctx) {
		spmd_refuse(t->ctx, E_ARRAY_USAGE, "the mesh belongs to another context");
		return TESS_USAGE;
	}
	if (m->n_axes > ARRAY_MAX_RANK) {
		spmd_refuse(t->ctx, E_ARRAY_MESH, "the mesh has %d axes, but marks can have at most %d",
		            m->n_axes, ARRAY_MAX_RANK);
		return TESS_INVALID;
	}
	mark_args a = {.t = t, .m = m, .spec = spec, .at = spec};
	return frame_run(t->ctx, mark_body, &a);
}

void tess_spmd_tensor_unmark(tess_spmd_tensor *t)
{
	if (!t || !handle_alive(t->ctx, t->live, "a tensor"))
		return;
	t->marked = false;
	arena_free(&t->mem);
}

tess_spmd_kind tess_spmd_tensor_kind(const tess_spmd_tensor *t)
{
	return t && handle_alive(t->ctx, t->live, "a tensor") && t->marked ? t->mark.type
	                                                                   : TESS_SPMD_UNMARKED;
}

static tess_status clone_mark_body(tess_ctx *ctx, void *arg)
{
	tess_spmd_tensor *t = arg;
	UNUSED(ctx);
	t->mark.devices = COPY_N(&t->mem, t->mark.devices, t->mark.n);
	t->mark.place = COPY_N(&t->mem, t->mark.place, t->mark.n);
	t->mark.sdy = arena_str(&t->mem, str_of(t->mark.sdy)).ptr;
	return TESS_OK;
}

tess_spmd_tensor *tess_spmd_tensor_clone(const tess_spmd_tensor *t)
{
	tess_spmd_tensor *out = t && handle_alive(t->ctx, t->live, "a tensor")
	                                ? tess_spmd_tensor_new(t->ctx, t->dtype, t->dims, t->rank,
	                                                       t->data)
	                                : NULL;
	if (!out || !t->marked)
		return out;
	out->marked = true;
	out->mark = t->mark;
	if (frame_run(t->ctx, clone_mark_body, out) == TESS_OK)
		return out;
	tess_spmd_tensor_free(out);
	return NULL;
}
