/* array.c - the public side of array programs: what all calls share, and meshes. */
#include <tessera/array.h>

#include "api/array/fn.h"

_Static_assert((int)TESS_AXIS_MANUAL == (int)AXIS_MANUAL, "tess_axis_kind and axis_kind differ");

/* A call that ended badly must not leave a function open, nor another mesh. */
tess_status array_run(tess_ctx *ctx, frame_fn *fn, void *arg)
{
	array_state *st = array_state_of(ctx), before = *st;
	tess_status done = frame_run(ctx, fn, arg);
	if (done == TESS_NOMEM && !before.trace) {
		st->trace = NULL;
		st->mesh = before.mesh;
		st->hidden = 0;
		st->named = NULL;
		st->unchecked = false;
	}
	return done;
}

bool array_usage(tess_ctx *ctx, bool right, const char *what)
{
	if (ctx && !right)
		diag_error(ctx, NOWHERE, E_ARRAY_USAGE, "%s", what);
	return ctx && right;
}

bool array_mesh_here(tess_ctx *ctx, const tess_array_mesh *m)
{
	return array_usage(ctx, m, "no mesh") &&
	       array_usage(ctx, m->ctx == ctx, "the mesh belongs to another context");
}

/* A type without a mesh is the same everywhere. */
bool array_type_here(tess_ctx *ctx, const tess_array_type *t)
{
	return array_usage(ctx, t, "no type") &&
	       array_usage(ctx, !t->mesh || t->mesh->ctx == ctx,
	                   "the type belongs to another context");
}

/* ---- meshes ---------------------------------------------------------------------------- */

typedef struct array_mesh_call {
	const int64_t *sizes;
	const char *const *names;
	const tess_axis_kind *types;
	size_t n_sizes, n_names, n_types;
	const amesh *mesh;
	const int64_t *ids;
} array_mesh_call;

tess_status tess_array_set_device_count(tess_ctx *ctx, int64_t n)
{
	if (!ctx || n < 0)
		return TESS_USAGE;
	array_state_of(ctx)->devices = n;
	return TESS_OK;
}

_Static_assert((int)TESS_COMM_DENY == (int)COMM_DENY, "tess_comm and comm_level differ");

tess_status tess_array_set_comm(tess_ctx *ctx, tess_comm level)
{
	if (!ctx || (int)level < COMM_ALLOW || (int)level > COMM_DENY)
		return TESS_USAGE;
	array_state_of(ctx)->comm = (comm_level)level;
	return TESS_OK;
}

static tess_status mesh_body(tess_ctx *ctx, void *arg)
{
	array_mesh_call *c = arg;
	amesh m = {.n = (int)c->n_names};
	int64_t devices = 1, have = array_state_of(ctx)->devices;
	for (size_t i = 0; i < c->n_names; i++) {
		m.axis[i] = name_of_z(ctx, c->names[i]);
		m.size[i] = c->sizes[i];
		m.kind[i] = c->n_types ? (axis_kind)c->types[i] : AXIS_EXPLICIT;
		if (m.size[i] > 0 && !mul_ok(devices, m.size[i], &devices))
			devices = INT64_MAX;
	}
	if (have && devices > have) {
		diag_error(ctx, NOWHERE, E_ARRAY_MESH,
		           "a mesh of %" PRId64 " devices, but there are %" PRId64, devices, have);
		return TESS_INVALID;
	}
	c->mesh = amesh_of(ctx, &m);
	return c->mesh ? TESS_OK : TESS_INVALID;
}

const tess_array_mesh *tess_make_mesh(tess_ctx *ctx, const int64_t *sizes, size_t n_sizes,
                                      const char *const *names, size_t n_names,
                                      const tess_axis_kind *types, size_t n_types)
{
	array_mesh_call c = {sizes, names, types, n_sizes, n_names, n_types, .mesh = NULL};
	if (!array_usage(ctx, ((sizes && names) || !n_names) && (types || !n_types),
	                 "a mesh needs sizes and names"))
		return NULL;
	if (n_sizes != n_names || (n_types && n_types != n_names) || n_names > ARRAY_MAX_AXES) {
		diag_error(
			ctx, NOWHERE, E_ARRAY_MESH,
			"a mesh needs as many sizes (%zu) as names (%zu) and, if given, types (%zu), at "
			"most %d",
			n_sizes, n_names, n_types, ARRAY_MAX_AXES);
		return NULL;
	}
	for (size_t i = 0; i < n_names; i++)
		if (!array_usage(ctx, names[i], "an axis has no name") ||
		    !array_usage(ctx, !n_types || (unsigned)types[i] <= TESS_AXIS_MANUAL,
		                 "an axis is Auto, Explicit or Manual"))
			return NULL;
	return array_run(ctx, mesh_body, &c) == TESS_OK ? c.mesh : NULL;
}

static tess_status mesh_on_body(tess_ctx *ctx, void *arg)
{
	array_mesh_call *c = arg;
	amesh m = *c->mesh;
	m.ids = c->ids;
	c->mesh = amesh_of(ctx, &m);
	return c->mesh ? TESS_OK : TESS_INVALID;
}

const tess_array_mesh *tess_array_mesh_on(tess_ctx *ctx, const tess_array_mesh *mesh,
                                          const int64_t *ids, size_t n)
{
	array_mesh_call c = {.mesh = mesh, .ids = ids};
	return array_mesh_here(ctx, mesh) &&
	                       array_usage(ctx, ids ? (int64_t)n == amesh_devices(mesh) : !n,
	                                   "there must be an id for each device of the mesh") &&
	                       array_run(ctx, mesh_on_body, &c) == TESS_OK
	               ? c.mesh
	               : NULL;
}

tess_status tess_set_mesh(tess_ctx *ctx, const tess_array_mesh *mesh)
{
	if (!ctx || (mesh && !array_mesh_here(ctx, mesh)))
		return TESS_USAGE;
	array_state *st = array_state_of(ctx);
	if (st->trace) {
		diag_error(ctx, NOWHERE, E_ARRAY_USAGE, "the mesh cannot be set inside a function");
		return TESS_INVALID;
	}
	st->mesh = mesh;
	return TESS_OK;
}

const tess_array_mesh *tess_current_mesh(const tess_ctx *ctx)
{
	array_state *st = ctx ? ctx->slot[SLOT_ARRAY] : NULL;
	return st ? st->mesh : NULL;
}

static char *array_mesh_text(tess_ctx *ctx, const amesh *m, bool abstract)
{
	writer w = text_writer(ctx);
	put_amesh(&w, m, abstract ? "AbstractMesh" : "Mesh");
	return text_give(ctx, &w);
}

char *tess_array_mesh_print(tess_ctx *ctx, const tess_array_mesh *mesh, bool abstract)
{
	frame f;
	if (!array_mesh_here(ctx, mesh))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = array_mesh_text(ctx, mesh, abstract);
	return frame_made(&f);
}
