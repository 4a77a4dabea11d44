/* sharding.c - the public functions of meshes and shardings.
 *
 * The handles are the interned objects themselves. A mesh was verified when it was created; but a
 * sharding need not fit the mesh that is passed with it, so functions that use both call
 * sharding_fits() first. */
#include "sharding/sharding.h"
#include "api/frame.h"

#include <tessera/sharding.h>

/* Makes a source for a single call. Diagnostics keep its name, so that is interned. */
static bool call_source(tess_ctx *ctx, source *src, tess_str text, const char *name)
{
	*src = (source){.name = name_of_z(ctx, name ? name : "")->s, .first_line = 1};
	src->text = text.ptr ? text : STR("");
	if (text.len < UINT32_MAX)
		return true;
	return diag_error(ctx, NOWHERE, E_SHARDING_SYNTAX, "the text has more than 4 GiB");
}

/* ---- meshes -------------------------------------------------------------- */

static const mesh *mesh_read(tess_ctx *ctx, tess_str text, const char *name)
{
	source src;
	return call_source(ctx, &src, text, name) ? mesh_parse_whole(ctx, &src) : NULL;
}

const tess_mesh *tess_mesh_parse(tess_ctx *ctx, tess_str text, const char *name)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = mesh_read(ctx, text, name);
	return frame_made(&f);
}

static const mesh *mesh_from(tess_ctx *ctx, const tess_mesh_axis *from, size_t n_axes,
                             const int64_t *ids, size_t n_ids)
{
	mesh_axis *axes = NEW_N(&ctx->scratch, mesh_axis, n_axes);
	for (size_t i = 0; i < n_axes; i++) {
		bool named = from[i].name.ptr;
		const name *n = named ? name_of(ctx, from[i].name)
		                      : name_of_z(ctx, arena_printf(&ctx->scratch, "%zu", i));
		axes[i] = (mesh_axis){n, from[i].size, from[i].kind};
	}
	const mesh *m = mesh_of(ctx, axes, (int)n_axes, ids, (int64_t)n_ids);
	return mesh_verify(ctx, m, NOWHERE) ? m : NULL;
}

static bool kinds_exist(const tess_mesh_axis *axes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!axes || (unsigned)axes[i].kind > TESS_AXIS_MANUAL)
			return false;
	return true;
}

const tess_mesh *tess_mesh_make(tess_ctx *ctx, const tess_mesh_axis *axes, size_t n_axes,
                                const int64_t *device_ids, size_t n_device_ids)
{
	frame f;
	if (!ctx || n_axes > INT32_MAX || !kinds_exist(axes, n_axes) ||
	    (n_device_ids && !device_ids))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = mesh_from(ctx, axes, n_axes, device_ids, n_device_ids);
	return frame_made(&f);
}

static void print_mesh(writer *w, tess_ctx *ctx, const void *m)
{
	UNUSED(ctx);
	mesh_print(w, m);
}

char *tess_mesh_print(tess_ctx *ctx, const tess_mesh *m)
{
	return text_printed(ctx, m, print_mesh);
}

size_t tess_mesh_axis_count(const tess_mesh *m) { return m ? (size_t)m->n_axes : 0; }

bool tess_mesh_axis_get(const tess_mesh *m, size_t i, tess_mesh_axis *out)
{
	if (i >= tess_mesh_axis_count(m) || !out)
		return false;
	const mesh_axis *a = &m->axes[i];
	*out = (tess_mesh_axis){name_str(a->name), a->size, a->kind};
	return true;
}

int64_t tess_mesh_device_count(const tess_mesh *m) { return m ? m->n_devices : 0; }

int64_t tess_mesh_device_at(const tess_mesh *m, int64_t position)
{
	bool there = m && position >= 0 && position < m->n_devices;
	return there ? mesh_device_at(m, position) : -1;
}

int64_t tess_mesh_position_of(const tess_mesh *m, int64_t device)
{
	return m ? mesh_position_of(m, device) : -1;
}

/* ---- creating shardings --------------------------------------------------------------------- */

/* Returns the mesh to check against: the given one, or the inlined one; NULL: unknown. */
static const mesh *mesh_for(const sharding *s, const mesh *given)
{
	return given || !s ? given : s->mesh.inlined;
}

static const sharding *sharding_read(tess_ctx *ctx, tess_str text, const char *name,
                                     const mesh *given, int rank)
{
	source src;
	sharding_places at;
	if (!call_source(ctx, &src, text, name))
		return NULL;
	const sharding *s = sharding_parse_whole(ctx, &src, given ? mesh_plain(ctx, given) : NULL,
	                                         &at);
	const mesh *m = mesh_for(s, given);
	return s && (!m || sharding_verify(ctx, s, m, rank, &at)) ? s : NULL;
}

const tess_sharding *tess_sharding_parse(tess_ctx *ctx, tess_str text, const char *name,
                                         const tess_mesh *m, int rank)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = sharding_read(ctx, text, name, m, rank);
	return frame_made(&f);
}

/* A sub-axis of size 0 means the whole axis. Sizes that conflict with that are reported here;
 * others are left to the verifier. */
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
			                  "the sizes of the sub-axis do not fit 63 bits");
		axes[i].pre = from[i].pre;
		axes[i].size = from[i].size;
	}
	*out = (axis_list){axes, (int)n};
	return true;
}

/* Sorts axes whose order has no meaning. */
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
	for (int d = 0; d < spec->rank; d++)
		if (!dim_from(ctx, &spec->dims[d], &dims[d]))
			return NULL;
	const mesh *m = spec->mesh;
	if (!axis_set_from(ctx, spec->replicated, spec->n_replicated, m, &replicated) ||
	    !axis_set_from(ctx, spec->unreduced, spec->n_unreduced, m, &unreduced))
		return NULL;
	sharding s = {.rank = spec->rank,
	              .dims = dims,
	              .replicated = replicated.ptr,
	              .n_replicated = replicated.n,
	              .unreduced = unreduced.ptr,
	              .n_unreduced = unreduced.n,
	              .reduction = (reduction)spec->reduction};
	if (spec->mesh_name)
		s.mesh.symbol = name_of_z(ctx, spec->mesh_name);
	else
		s.mesh.inlined = mesh_plain(ctx, m);
	return sharding_of(ctx, &s);
}

static const sharding *sharding_checked(tess_ctx *ctx, const sharding *s, const mesh *m)
{
	return s && (!m || sharding_verify(ctx, s, m, TESS_ANY_RANK, NULL)) ? s : NULL;
}

/* True if lists are only NULL if empty. */
static bool spec_whole(const tess_sharding_spec *s)
{
	bool whole = (s->mesh_name || s->mesh) && s->rank >= 0 && (!s->rank || s->dims) &&
	             (!s->n_replicated || s->replicated) && (!s->n_unreduced || s->unreduced);
	for (int d = 0; whole && d < s->rank; d++)
		whole = !s->dims[d].n_axes || s->dims[d].axes;
	return whole;
}

const tess_sharding *tess_sharding_make(tess_ctx *ctx, const tess_sharding_spec *given)
{
	tess_sharding_spec spec = TESS_SHARDING_SPEC_INIT;
	frame f;
	if (!ctx || !given)
		return NULL;
	OPTS_READ(spec, given);
	if (!spec_whole(&spec))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = sharding_checked(ctx, sharding_from(ctx, &spec), spec.mesh);
	return frame_made(&f);
}

tess_status tess_sharding_verify(tess_ctx *ctx, const tess_sharding *s, const tess_mesh *m,
                                 int rank)
{
	frame f;
	if (!ctx || !s || !mesh_for(s, m))
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = sharding_verify(ctx, s, mesh_for(s, m), rank, NULL) ? TESS_OK
		                                                               : TESS_INVALID;
	return frame_end(&f);
}

static void print_sharding(writer *w, tess_ctx *ctx, const void *s)
{
	UNUSED(ctx);
	sharding_print(w, s);
}

char *tess_sharding_print(tess_ctx *ctx, const tess_sharding *s)
{
	return text_printed(ctx, s, print_sharding);
}

/* ---- properties ----------------------------------------------------------------------------- */

int tess_sharding_rank(const tess_sharding *s) { return s ? s->rank : 0; }

tess_str tess_sharding_mesh_name(const tess_sharding *s)
{
	const name *symbol = s ? s->mesh.symbol : NULL;
	return symbol ? name_str(symbol) : (tess_str){0};
}

const tess_mesh *tess_sharding_mesh(const tess_sharding *s) { return s ? s->mesh.inlined : NULL; }

static const dim_sharding *dim_of(const tess_sharding *s, int dim)
{
	return s && dim >= 0 && dim < s->rank ? &s->dims[dim] : NULL;
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
	return s ? (tess_reduction)s->reduction : TESS_REDUCTION_SUM;
}

static axis_list axes_at(const sharding *s, int where)
{
	const dim_sharding *d = dim_of(s, where);
	if (!s)
		return (axis_list){0};
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
	if (i >= (size_t)l.n || !out)
		return false;
	*out = (tess_axis){name_str(l.ptr[i].axis), l.ptr[i].pre, l.ptr[i].size};
	return true;
}

/* ---- placement on devices ------------------------------------------------------------------- */

int64_t tess_sharding_shards(const tess_sharding *s, const tess_mesh *given, int dim)
{
	const mesh *m = mesh_for(s, given);
	if (!s)
		return 1;
	if (dim < 0 || (dim >= s->rank && !(m && mesh_is_maximal(m))))
		return 0;
	return sharding_fits(s, m, s->rank) ? sharding_dim_shards(s, dim, m) : 0;
}

tess_status tess_sharding_local_shape(const tess_sharding *s, const tess_mesh *given,
                                      const int64_t *dims, int rank, int64_t *local)
{
	const mesh *m = mesh_for(s, given);
	if (rank < 0 || (rank && (!dims || !local)) || !sharding_fits(s, m, rank))
		return TESS_USAGE;
	sharding_local_shape(s, m, dims, rank, local);
	return TESS_OK;
}

static bool any_negative(const int64_t *dims, int rank)
{
	if (rank > 0 && !dims)
		return true;
	for (int d = 0; d < rank; d++)
		if (dims[d] < 0)
			return true;
	return rank < 0;
}

tess_status tess_sharding_box(const tess_sharding *s, const tess_mesh *given, const int64_t *dims,
                              int rank, int64_t device, int64_t *begin, int64_t *end)
{
	const mesh *m = mesh_for(s, given);
	if (!m || (rank && (!begin || !end)) || any_negative(dims, rank) ||
	    !sharding_fits(s, m, rank))
		return TESS_USAGE;
	int64_t position = mesh_position_of(m, device);
	if (position < 0)
		return TESS_USAGE;
	sharding_box(s, m, dims, rank, position, begin, end);
	return TESS_OK;
}

tess_status tess_sharding_same_placement(const tess_sharding *a, const tess_mesh *given_a,
                                         const tess_sharding *b, const tess_mesh *given_b,
                                         const int64_t *dims, int rank)
{
	const mesh *ma = mesh_for(a, given_a), *mb = mesh_for(b, given_b);
	if (any_negative(dims, rank) || !sharding_fits(a, ma, rank) || !sharding_fits(b, mb, rank))
		return TESS_USAGE;
	return sharding_same_placement(a, ma, b, mb, dims, rank) ? TESS_OK : TESS_FAILED;
}
