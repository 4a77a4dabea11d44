/* spmd.c - meshes and marks, as PyTorch/XLA's Mesh and mark_sharding. */
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

/* ---- meshes ---------------------------------------------------------------------------- */

typedef struct mesh_args {
	const int64_t *ids, *shape;
	const char *const *names;
	size_t n_ids, rank, n_names;
	tess_spmd_mesh *m;
} mesh_args;

static bool mesh_shape_read(tess_ctx *ctx, mesh_args *a)
{
	tess_spmd_mesh *m = a->m;
	m->size = 1;
	m->rank = (int)a->rank;
	for (size_t i = 0; i < a->rank; i++) {
		m->shape[i] = a->shape[i];
		if (a->shape[i] < 0 || !mul_ok(m->size, a->shape[i], &m->size) ||
		    m->size > INT32_MAX)
			return spmd_refuse(ctx, E_ARRAY_MESH,
			                   "a mesh dimension is negative or too large");
	}
	if (a->ids && (int64_t)a->n_ids != m->size)
		return spmd_refuse(ctx, E_ARRAY_MESH,
		                   "number of device ids (%zu) must match mesh size (%" PRId64 ")",
		                   a->n_ids, m->size);
	return m->size > 0 || spmd_refuse(ctx, E_ARRAY_MESH, "a mesh has at least one device");
}

static bool mesh_names_read(tess_ctx *ctx, mesh_args *a)
{
	if (!a->names)
		return true;
	if (a->n_names != a->rank)
		return spmd_refuse(ctx, E_ARRAY_MESH,
		                   "number of axis names (%zu) must match mesh dimensions (%zu)",
		                   a->n_names, a->rank);
	for (size_t i = 0; i < a->rank; i++) {
		a->m->names[i] = a->names[i] ? name_of_z(ctx, a->names[i]) : NULL;
		for (size_t j = 0; j < i; j++)
			if (a->m->names[i] && a->m->names[i] == a->m->names[j])
				return spmd_refuse(ctx, E_ARRAY_MESH,
				                   "axis names must be unique, got %s twice",
				                   a->names[i]);
	}
	return true;
}

static bool mesh_ids_read(tess_ctx *ctx, mesh_args *a)
{
	tess_spmd_mesh *m = a->m;
	bool *seen = NEW_N(&ctx->scratch, bool, m->size);
	m->ids = NEW_N(&m->mem, int64_t, m->size);
	for (int64_t i = 0; i < m->size; i++) {
		int64_t id = m->ids[i] = a->ids ? a->ids[i] : i;
		if (id < 0 || id >= m->size)
			return spmd_refuse(ctx, E_ARRAY_MESH,
			                   "device ids must be in 0 … %" PRId64 ", got %" PRId64,
			                   m->size - 1, id);
		if (seen[id])
			return spmd_refuse(ctx, E_ARRAY_MESH,
			                   "device ids must be unique, got %" PRId64 " twice", id);
		seen[id] = true;
	}
	return true;
}

static tess_status spmd_mesh_body(tess_ctx *ctx, void *arg)
{
	mesh_args *a = arg;
	return mesh_shape_read(ctx, a) && mesh_names_read(ctx, a) && mesh_ids_read(ctx, a)
	               ? TESS_OK
	               : TESS_INVALID;
}

tess_spmd_mesh *tess_spmd_mesh_new(tess_ctx *ctx, const int64_t *ids, size_t n_ids,
                                   const int64_t *shape, size_t rank, const char *const *names,
                                   size_t n_names)
{
	if (!ctx || (!shape && rank && !spmd_refuse(ctx, E_ARRAY_MESH, "a mesh needs a shape")))
		return NULL;
	if (rank > SPMD_MAX_RANK) {
		spmd_refuse(ctx, E_ARRAY_MESH, "a mesh of %zu dimensions, at most %d are possible",
		            rank, SPMD_MAX_RANK);
		return NULL;
	}
	tess_spmd_mesh *m = ctx_realloc(ctx, NULL, sizeof *m);
	if (!m)
		return NULL;
	*m = (tess_spmd_mesh){.ctx = ctx, .mark = HANDLE_ALIVE};
	arena_init(&m->mem, ctx);
	mesh_args a = {ids, shape, names, n_ids, rank, n_names, m};
	if (frame_run(ctx, spmd_mesh_body, &a) == TESS_OK)
		return m;
	tess_spmd_mesh_free(m);
	return NULL;
}

static void spmd_mesh_drop(tess_ctx *ctx, void *handle)
{
	tess_spmd_mesh *m = handle;
	arena_free(&m->mem);
	ctx_realloc(ctx, m, 0);
}

void tess_spmd_mesh_free(tess_spmd_mesh *m)
{
	if (!m)
		return;
	if (tess_spmd_current_mesh(m->ctx) == m)
		tess_spmd_set_mesh(m->ctx, NULL);
	handle_free(m->ctx, m, &m->mark, "a mesh", spmd_mesh_drop);
}

bool spmd_mesh_alive(const tess_spmd_mesh *m)
{
	return m && handle_alive(m->ctx, m->mark, "a mesh");
}

int64_t tess_spmd_mesh_size(const tess_spmd_mesh *m) { return spmd_mesh_alive(m) ? m->size : 0; }
int tess_spmd_mesh_rank(const tess_spmd_mesh *m) { return spmd_mesh_alive(m) ? m->rank : 0; }
const int64_t *tess_spmd_mesh_logical(const tess_spmd_mesh *m)
{
	return spmd_mesh_alive(m) ? m->ids : NULL;
}

int64_t tess_spmd_mesh_shape(const tess_spmd_mesh *m, int dim)
{
	return spmd_mesh_alive(m) && dim >= 0 && dim < m->rank ? m->shape[dim] : -1;
}

const char *tess_spmd_mesh_name(const tess_spmd_mesh *m, int dim)
{
	bool there = spmd_mesh_alive(m) && dim >= 0 && dim < m->rank && m->names[dim];
	return there ? m->names[dim]->s : "";
}

int tess_spmd_mesh_dim(const tess_spmd_mesh *m, const char *text)
{
	for (int i = 0; text && spmd_mesh_alive(m) && i < m->rank; i++)
		if (m->names[i] && strcmp(m->names[i]->s, text) == 0)
			return i;
	return -1;
}

/* ---- tensors ---------------------------------------------------------------------------- */

tess_spmd_tensor *tess_spmd_tensor_new(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank,
                                       const void *data)
{
	int64_t bytes = tess_dtype_bytes(t);
	bool right = bytes > 0 && rank >= 0 && rank <= SPMD_MAX_RANK && (dims || !rank);
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
	const tess_spmd_mesh *m;
	const char *spec, *at;
	int n; /* entries */
	uint32_t used;
	int order[SPMD_MAX_RANK], n_order; /* mesh dimensions as they are used */
	int dim_of[SPMD_MAX_RANK];         /* the dimension that each of them cuts */
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
		axis = number < a->m->rank ? (int)number : -1;
	for (int i = 0; i < a->m->rank && !digits; i++)
		if (a->m->names[i] && str_eq(name_str(a->m->names[i]), word))
			axis = i;
	if (axis < 0)
		return spmd_refuse(ctx, E_ARRAY_AXIS,
		                   digits ? "the partition spec names mesh dimension %.*s of %d"
		                          : "axis %.*s is not defined in the mesh of %d dimensions",
		                   STR_ARG(word), a->m->rank);
	if (a->used >> axis & 1)
		return spmd_refuse(ctx, E_ARRAY_DUPLICATE,
		                   "each mesh dimension may appear at most once in \"%s\"",
		                   a->spec);
	a->used |= 1u << axis;
	a->dim_of[a->n_order] = dim;
	a->order[a->n_order++] = axis;
	a->mark.parts[dim] *= a->m->shape[axis];
	return true;
}

static bool mark_entry(tess_ctx *ctx, mark_args *a)
{
	int dim = a->n++;
	mark_space(a);
	if (dim >= SPMD_MAX_RANK)
		return spmd_refuse(ctx, E_ARRAY_RANK, "too many entries in \"%s\"", a->spec);
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
	} while (*a->at != ')'); /* "(x,)", as Python writes a tuple of one */
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

/* ---- placing ------------------------------------------------------------------------------- */

static int by_device_id(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

void spmd_put_axis(writer *w, const tess_spmd_mesh *m, int dim)
{
	if (m->names[dim])
		put_f(w, "\"%s\"", m->names[dim]->s);
	else
		put_f(w, "\"%d\"", dim);
}

/* The mark as the compiler spells it; before the unused mesh dimensions join the order. */
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
				spmd_put_axis(&w, a->m, a->order[i]);
				any = true;
			}
		put_c(&w, '}');
	}
	put_c(&w, ']');
	return writer_z(&w);
}

/* The mesh transposed: dimensions in the order of their use, then the others; what the others
 * span are copies, whose ids are in order. */
static void mark_place(mark_args *a)
{
	const tess_spmd_mesh *m = a->m;
	arena *mem = &a->t->mem;
	int64_t stride[SPMD_MAX_RANK], pieces = 1;
	a->mark.sdy = mark_spelled(a);
	for (int i = m->rank - 1, at = 1; i >= 0; i--) {
		stride[i] = at;
		at *= (int)m->shape[i];
	}
	for (int i = 0; i < a->n_order; i++)
		pieces *= m->shape[a->order[i]];
	for (int i = 0; i < m->rank; i++)
		if (!(a->used >> i & 1))
			a->order[a->n_order++] = i;
	a->mark.n = m->size;
	a->mark.copies = m->size / pieces;
	a->mark.devices = NEW_N(mem, int64_t, m->size);
	a->mark.place = NEW_N(mem, int64_t, m->size);
	for (int64_t p = 0; p < m->size; p++) {
		int64_t left = p, at = 0;
		for (int i = m->rank - 1; i >= 0; i--) {
			at += left % m->shape[a->order[i]] * stride[a->order[i]];
			left /= m->shape[a->order[i]];
		}
		a->mark.devices[p] = m->ids[at];
	}
	for (int64_t p = 0; p < pieces; p++)
		qsort(a->mark.devices + p * a->mark.copies, (size_t)a->mark.copies, sizeof(int64_t),
		      by_device_id);
	for (int64_t p = 0; p < m->size; p++)
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
	if (!mark_spec(ctx, a))
		return TESS_INVALID;
	mark_place(a);
	if (a->t->marked && a->t->mark.type != TESS_SPMD_REPLICATED &&
	    !marks_equal(a->t, &a->mark, &a->t->mark)) {
		spmd_refuse(ctx, E_ARRAY_ASSERTION,
		            "the tensor is marked otherwise: clear its sharding first");
		return TESS_INVALID;
	}
	a->t->mark = a->mark;
	a->t->marked = true;
	return TESS_OK;
}

tess_status tess_spmd_tensor_mark(tess_spmd_tensor *t, const tess_spmd_mesh *m, const char *spec)
{
	m = t && !m ? tess_spmd_current_mesh(t->ctx) : m;
	if (!t || !spec || !handle_alive(t->ctx, t->live, "a tensor") || !spmd_mesh_alive(m))
		return TESS_USAGE;
	if (t->ctx != m->ctx) {
		spmd_refuse(t->ctx, E_ARRAY_USAGE, "the mesh belongs to another context");
		return TESS_USAGE;
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
