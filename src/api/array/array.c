/* array.c - what all public functions of array programs share; and meshes. */
#include <tessera/array.h>

#include "api/array/fn.h"

_Static_assert((int)TESS_AXIS_MANUAL == (int)AXIS_MANUAL, "tess_axis_kind and axis_kind differ");

/* Runs a call. If it fails, restores the function being traced and the current mesh. */
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

const amesh *array_mesh_of(tess_ctx *ctx, const mesh *m)
{
	amesh a = {.n = m->n_axes, .ids = m->n_device_ids ? m->device_ids : NULL};
	if (m->n_axes > ARRAY_MAX_AXES) {
		diag_error(ctx, NOWHERE, E_ARRAY_MESH,
		           "the mesh has %d axes, but array programs can have at most %d", m->n_axes,
		           ARRAY_MAX_AXES);
		return NULL;
	}
	for (int i = 0; i < m->n_axes; i++) {
		a.axis[i] = m->axes[i].name;
		a.size[i] = m->axes[i].size;
		a.kind[i] = (axis_kind)m->axes[i].kind;
	}
	return amesh_of(ctx, &a);
}

bool array_mesh_here(tess_ctx *ctx, const tess_mesh *m)
{
	return array_usage(ctx, m, "the mesh is missing") &&
	       array_usage(ctx, m->ctx == ctx, "the mesh belongs to another context");
}

/* A type without a mesh may be used in any context. */
bool array_type_here(tess_ctx *ctx, const tess_array_type *t)
{
	return array_usage(ctx, t, "the type is missing") &&
	       array_usage(ctx, !t->mesh || t->mesh->ctx == ctx,
	                   "the type belongs to another context");
}

/* ---- meshes ---------------------------------------------------------------------------- */

tess_status tess_array_set_device_count(tess_ctx *ctx, int64_t n)
{
	frame f;
	if (!ctx || n < 0)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0) {
		array_state_of(ctx)->devices = n;
		f.status = TESS_OK;
	}
	return frame_end(&f);
}

_Static_assert((int)TESS_COMM_DENY == (int)COMM_DENY, "tess_comm and comm_level differ");

tess_status tess_array_set_comm(tess_ctx *ctx, tess_comm level)
{
	if (!ctx || (int)level < COMM_ALLOW || (int)level > COMM_DENY)
		return TESS_USAGE;
	array_state_of(ctx)->comm = (comm_level)level;
	return TESS_OK;
}

static tess_status set_mesh(tess_ctx *ctx, const mesh *m)
{
	array_state *st = array_state_of(ctx);
	const amesh *a = m ? array_mesh_of(ctx, m) : NULL;
	if (m && !a)
		return TESS_INVALID;
	if (st->trace) {
		diag_error(ctx, NOWHERE, E_ARRAY_USAGE, "the mesh cannot be set inside a function");
		return TESS_INVALID;
	}
	if (m && st->devices && m->n_devices > st->devices) {
		diag_error(ctx, NOWHERE, E_ARRAY_MESH,
		           "the mesh has %" PRId64 " devices, but there are only %" PRId64, m->n_devices,
		           st->devices);
		return TESS_INVALID;
	}
	st->mesh = a;
	return TESS_OK;
}

tess_status tess_array_set_mesh(tess_ctx *ctx, const tess_mesh *mesh)
{
	frame f;
	if (!ctx || (mesh && !array_mesh_here(ctx, mesh)))
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = set_mesh(ctx, mesh);
	return frame_end(&f);
}

static const mesh *mesh_that_is_set(tess_ctx *ctx)
{
	mesh_axis axes[ARRAY_MAX_AXES];
	const amesh *a = array_state_of(ctx)->mesh;
	if (!a)
		return NULL;
	for (int i = 0; i < a->n; i++)
		axes[i] = (mesh_axis){a->axis[i], a->size[i], (tess_axis_kind)a->kind[i]};
	return mesh_of(ctx, axes, a->n, a->ids, a->ids ? amesh_devices(a) : 0);
}

const tess_mesh *tess_array_mesh(tess_ctx *ctx)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = mesh_that_is_set(ctx);
	return frame_made(&f);
}

static char *array_mesh_text(tess_ctx *ctx, const mesh *given, bool abstract)
{
	const amesh *m = array_mesh_of(ctx, given);
	if (!m)
		return NULL;
	writer w = text_writer(ctx);
	put_amesh(&w, m, abstract ? "AbstractMesh" : "Mesh");
	return text_give(ctx, &w);
}

char *tess_array_mesh_print(tess_ctx *ctx, const tess_mesh *mesh, bool abstract)
{
	frame f;
	if (!array_mesh_here(ctx, mesh))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = array_mesh_text(ctx, mesh, abstract);
	return frame_made(&f);
}
