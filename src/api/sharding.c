/* sharding.c - the public side of meshes and shardings.
 *
 * The handles are the interned objects themselves.  A mesh from outside was verified
 * when it was made; a sharding need not fit the mesh that comes with it, so whatever
 * computes with both asks sharding_fits() first. */
#include "sharding/sharding.h"
#include "api/frame.h"

#include <tessera/sharding.h>

/* A source for the time of one call.  Diagnostics keep its name, so that is interned. */
static bool call_source(tess_ctx *ctx, source *src, tess_str text, const char *name)
{
	*src = (source){.name = name_of_z(ctx, name ? name : "")->s, .first_line = 1};
	src->text = text.ptr ? text : STR("");
	if (text.len < UINT32_MAX)
		return true;
	return diag_error(ctx, NOWHERE, E_SHARDING_SYNTAX, "a text of more than 4 GiB");
}

/* ---- meshes -------------------------------------------------------------- */

typedef struct mesh_call {
	tess_str text;
	const char *name;
	const tess_mesh_axis *axes;
	const int64_t *ids;
	size_t n_axes, n_ids;
	const mesh *mesh;
	tess_str printed;
} mesh_call;

static tess_status mesh_parse_body(tess_ctx *ctx, void *arg)
{
	mesh_call *c = arg;
	source src;
	if (call_source(ctx, &src, c->text, c->name))
		c->mesh = mesh_parse_whole(ctx, &src);
	return TESS_OK;
}

const tess_mesh *tess_mesh_parse(tess_ctx *ctx, tess_str text, const char *name)
{
	mesh_call c = {.text = text, .name = name};
	return frame_run(ctx, mesh_parse_body, &c) == TESS_OK ? c.mesh : NULL;
}

static tess_status mesh_make_body(tess_ctx *ctx, void *arg)
{
	mesh_call *c = arg;
	mesh_axis *axes = NEW_N(&ctx->scratch, mesh_axis, c->n_axes);
	for (size_t i = 0; i < c->n_axes; i++)
		axes[i] = (mesh_axis){name_of(ctx, c->axes[i].name), c->axes[i].size};
	const mesh *m = mesh_of(ctx, axes, (int)c->n_axes, c->ids, (int64_t)c->n_ids);
	if (mesh_verify(ctx, m, NOWHERE))
		c->mesh = m;
	return TESS_OK;
}

const tess_mesh *tess_mesh_make(tess_ctx *ctx, const tess_mesh_axis *axes, size_t n_axes,
                                const int64_t *device_ids, size_t n_device_ids)
{
	mesh_call c = {.axes = axes, .n_axes = n_axes, .ids = device_ids, .n_ids = n_device_ids};
	if (n_axes > INT32_MAX)
		return NULL;
	return frame_run(ctx, mesh_make_body, &c) == TESS_OK ? c.mesh : NULL;
}

static tess_status mesh_print_body(tess_ctx *ctx, void *arg)
{
	mesh_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	mesh_print(&w, c->mesh);
	c->printed = writer_str(&w);
	return TESS_OK;
}

tess_str tess_mesh_print(tess_ctx *ctx, const tess_mesh *m)
{
	mesh_call c = {.mesh = m};
	return frame_run(ctx, mesh_print_body, &c) == TESS_OK ? c.printed : STR("");
}

size_t tess_mesh_axis_count(const tess_mesh *m) { return (size_t)m->n_axes; }

bool tess_mesh_axis_get(const tess_mesh *m, size_t i, tess_mesh_axis *out)
{
	if (i >= tess_mesh_axis_count(m))
		return false;
	const mesh_axis *a = &m->axes[i];
	*out = (tess_mesh_axis){name_str(a->name), a->size};
	return true;
}

int64_t tess_mesh_device_count(const tess_mesh *m) { return m->n_devices; }

int64_t tess_mesh_device_at(const tess_mesh *m, int64_t position)
{
	if (position < 0 || position >= m->n_devices)
		return -1;
	return mesh_device_at(m, position);
}

int64_t tess_mesh_position_of(const tess_mesh *m, int64_t device)
{
	return mesh_position_of(m, device);
}

/* ---- making shardings ---------------------------------------------------- */

typedef struct sharding_call {
	tess_str text;
	const char *name;
	const tess_sharding_spec *spec;
	const mesh *mesh;
	int rank;
	const sharding *sharding;
	tess_str printed;
} sharding_call;

/* The mesh to check against: the one given, or the inlined one; NULL: unknown. */
static const mesh *mesh_for(const sharding *s, const mesh *given)
{
	return given || !s ? given : s->mesh.inlined;
}

static tess_status sharding_parse_body(tess_ctx *ctx, void *arg)
{
	sharding_call *c = arg;
	source src;
	sharding_places at;
	if (!call_source(ctx, &src, c->text, c->name))
		return TESS_INVALID;
	const sharding *s = sharding_parse_whole(ctx, &src, c->mesh, &at);
	const mesh *m = mesh_for(s, c->mesh);
	if (s && (!m || sharding_verify(ctx, s, m, c->rank, &at)))
		c->sharding = s;
	return TESS_OK;
}

const tess_sharding *tess_sharding_parse(tess_ctx *ctx, tess_str text, const char *name,
                                         const tess_mesh *m, int rank)
{
	sharding_call c = {.text = text, .name = name, .mesh = m, .rank = rank};
	return frame_run(ctx, sharding_parse_body, &c) == TESS_OK ? c.sharding : NULL;
}

/* A sub-axis of size 0 means the whole axis; sizes that make no sense are told from
 * it here and left to the verifier otherwise. */
static bool axes_from(tess_ctx *ctx, const tess_axis *from, size_t n, axis_list *out)
{
	axis_ref *axes = NEW_N(&ctx->scratch, axis_ref, n);
	for (size_t i = 0; i < n; i++) {
		int64_t end;
		axes[i] = axis_full(name_of(ctx, from[i].name));
		if (!from[i].size)
			continue;
		if (!mul_ok(from[i].pre, from[i].size, &end))
			return diag_error(ctx, NOWHERE, E_SHARDING_NUMBER,
			                  "a sub-axis whose sizes do not fit 63 bits");
		axes[i].pre = from[i].pre;
		axes[i].size = from[i].size;
	}
	*out = (axis_list){axes, (int)n};
	return true;
}

/* Axes whose order has no meaning, in the one that is kept. */
static bool axis_set_from(tess_ctx *ctx, const tess_axis *from, size_t n, const mesh *m,
                          axis_list *out)
{
	if (!axes_from(ctx, from, n, out))
		return false;
	if (m)
		axes_sort((axis_ref *)out->ptr, out->n, m);
	return true;
}

static bool dim_from(tess_ctx *ctx, const tess_dim_spec *from, dim_sharding *out)
{
	axis_list l;
	if (!axes_from(ctx, from->axes, from->n_axes, &l))
		return false;
	*out = (dim_sharding){l.ptr, l.n, from->open, from->priority};
	return true;
}

static const sharding *sharding_from(tess_ctx *ctx, const tess_sharding_spec *spec)
{
	dim_sharding *dims = NEW_N(&ctx->scratch, dim_sharding, spec->rank);
	axis_list replicated, unreduced;
	for (size_t d = 0; d < spec->rank; d++)
		if (!dim_from(ctx, &spec->dims[d], &dims[d]))
			return NULL;
	const mesh *m = spec->mesh;
	if (!axis_set_from(ctx, spec->replicated, spec->n_replicated, m, &replicated) ||
	    !axis_set_from(ctx, spec->unreduced, spec->n_unreduced, m, &unreduced))
		return NULL;
	sharding s = {.rank = (int)spec->rank, .dims = dims, .replicated = replicated.ptr,
	              .n_replicated = replicated.n, .unreduced = unreduced.ptr,
	              .n_unreduced = unreduced.n, .reduction = (reduction)spec->reduction};
	if (spec->mesh_name)
		s.mesh.symbol = name_of_z(ctx, spec->mesh_name);
	else
		s.mesh.inlined = m;
	return sharding_of(ctx, &s);
}

static tess_status sharding_make_body(tess_ctx *ctx, void *arg)
{
	sharding_call *c = arg;
	const sharding *s = sharding_from(ctx, c->spec);
	const mesh *m = c->spec->mesh;
	if (s && (!m || sharding_verify(ctx, s, m, -1, NULL)))
		c->sharding = s;
	return TESS_OK;
}

const tess_sharding *tess_sharding_make(tess_ctx *ctx, const tess_sharding_spec *given)
{
	tess_sharding_spec spec = TESS_SHARDING_SPEC_INIT;
	size_t size = given->struct_size < sizeof spec ? given->struct_size : sizeof spec;
	memcpy(&spec, given, size);
	sharding_call c = {.spec = &spec};
	if (!spec.mesh_name && !spec.mesh)
		return NULL;
	return frame_run(ctx, sharding_make_body, &c) == TESS_OK ? c.sharding : NULL;
}

static tess_status sharding_verify_body(tess_ctx *ctx, void *arg)
{
	sharding_call *c = arg;
	const mesh *m = mesh_for(c->sharding, c->mesh);
	return sharding_verify(ctx, c->sharding, m, c->rank, NULL) ? TESS_OK : TESS_INVALID;
}

tess_status tess_sharding_verify(tess_ctx *ctx, const tess_sharding *s, const tess_mesh *m,
                                 int rank)
{
	sharding_call c = {.sharding = s, .mesh = m, .rank = rank};
	return frame_run(ctx, sharding_verify_body, &c);
}

static tess_status sharding_print_body(tess_ctx *ctx, void *arg)
{
	sharding_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	sharding_print(&w, c->sharding);
	c->printed = writer_str(&w);
	return TESS_OK;
}

tess_str tess_sharding_print(tess_ctx *ctx, const tess_sharding *s)
{
	sharding_call c = {.sharding = s};
	return s && frame_run(ctx, sharding_print_body, &c) == TESS_OK ? c.printed : STR("");
}

/* ---- what a sharding says ------------------------------------------------ */

int tess_sharding_rank(const tess_sharding *s) { return s->rank; }

tess_str tess_sharding_mesh_name(const tess_sharding *s)
{
	const name *symbol = s->mesh.symbol;
	return symbol ? name_str(symbol) : (tess_str){0};
}

const tess_mesh *tess_sharding_mesh(const tess_sharding *s) { return s->mesh.inlined; }

static const dim_sharding *dim_of(const tess_sharding *s, int dim)
{
	return dim >= 0 && dim < s->rank ? &s->dims[dim] : NULL;
}

bool tess_sharding_is_open(const tess_sharding *s, int dim)
{
	const dim_sharding *d = dim_of(s, dim);
	return d && d->open;
}

int64_t tess_sharding_priority(const tess_sharding *s, int dim)
{
	const dim_sharding *d = dim_of(s, dim);
	return d ? d->priority : TESS_NO_PRIORITY;
}

tess_reduction tess_sharding_reduction(const tess_sharding *s)
{
	return (tess_reduction)s->reduction;
}

static axis_list axes_at(const tess_sharding *handle, int where)
{
	const sharding *s = handle;
	const dim_sharding *d = dim_of(handle, where);
	if (where == TESS_AXES_REPLICATED)
		return (axis_list){s->replicated, s->n_replicated};
	if (where == TESS_AXES_UNREDUCED)
		return (axis_list){s->unreduced, s->n_unreduced};
	return d ? dim_axes(d) : (axis_list){0};
}

size_t tess_sharding_axis_count(const tess_sharding *s, int where)
{
	return (size_t)axes_at(s, where).n;
}

bool tess_sharding_axis_get(const tess_sharding *s, int where, size_t i, tess_axis *out)
{
	axis_list l = axes_at(s, where);
	if (i >= (size_t)l.n)
		return false;
	*out = (tess_axis){name_str(l.ptr[i].axis), l.ptr[i].pre, l.ptr[i].size};
	return true;
}

/* ---- what a sharding means on devices ------------------------------------ */

int64_t tess_sharding_shards(const tess_sharding *handle, const tess_mesh *given, int dim)
{
	const sharding *s = handle;
	const mesh *m = mesh_for(s, given);
	if (!s)
		return 1;
	if (dim < 0 || (dim >= s->rank && !(m && mesh_is_maximal(m))))
		return 0;
	return sharding_fits(s, m, s->rank) ? sharding_dim_shards(s, dim, m) : 0;
}

tess_status tess_sharding_local_shape(const tess_sharding *handle, const tess_mesh *given,
                                      const int64_t *dims, int rank, int64_t *local)
{
	const sharding *s = handle;
	const mesh *m = mesh_for(s, given);
	if (rank < 0 || !sharding_fits(s, m, rank))
		return TESS_USAGE;
	sharding_local_shape(s, m, dims, rank, local);
	return TESS_OK;
}

static bool any_negative(const int64_t *dims, int rank)
{
	for (int d = 0; d < rank; d++)
		if (dims[d] < 0)
			return true;
	return rank < 0;
}

tess_status tess_sharding_box(const tess_sharding *handle, const tess_mesh *given,
                              const int64_t *dims, int rank, int64_t device, int64_t *begin,
                              int64_t *end)
{
	const sharding *s = handle;
	const mesh *m = mesh_for(s, given);
	if (!m || any_negative(dims, rank) || !sharding_fits(s, m, rank))
		return TESS_USAGE;
	int64_t position = mesh_position_of(m, device);
	if (position < 0)
		return TESS_USAGE;
	sharding_box(s, m, dims, rank, position, begin, end);
	return TESS_OK;
}

tess_status tess_sharding_same_placement(const tess_sharding *handle_a, const tess_mesh *given_a,
                                         const tess_sharding *handle_b, const tess_mesh *given_b,
                                         const int64_t *dims, int rank)
{
	const sharding *a = handle_a, *b = handle_b;
	const mesh *ma = mesh_for(a, given_a), *mb = mesh_for(b, given_b);
	if (any_negative(dims, rank) || !sharding_fits(a, ma, rank) || !sharding_fits(b, mb, rank))
		return TESS_USAGE;
	return sharding_same_placement(a, ma, b, mb, dims, rank) ? TESS_OK : TESS_FAILED;
}
