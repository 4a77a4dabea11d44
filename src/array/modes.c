/* modes.c - jit, and changing the kind of mesh axes: auto_axes, explicit_axes, use_mesh. */
#include "array/control.h"

avalue *emit_reshard(tess_ctx *ctx, avalue *v, const pspec *s, const amesh *m)
{
	params a = {0};
	avalue *out;
	if (!v || !s)
		return NULL;
	params_set(&ctx->scratch, &a,
	           (param){.key = "sharding", .kind = PK_SPECS, .n = 1, .specs = &s});
	if (m)
		params_set(&ctx->scratch, &a,
		           (param){.key = "mesh", .kind = PK_MESH, .n = 1, .mesh = m});
	return array_emit(ctx, "jax.reshard", &v, 1, &a, &out, 1) == 1 ? out : NULL;
}

avalue *emit_unsharded(tess_ctx *ctx, avalue *v)
{
	atype whole = *v->type;
	memset(whole.spec, 0, sizeof whole.spec);
	return atype_is_sharded(v->type) ? emit_reshard(ctx, v, pspec_of(ctx, &whole), NULL) : v;
}

bool named_axes(tess_ctx *ctx, const amesh *m, const params *a, const char *key, axis_set otherwise,
                axis_set *out)
{
	tess_str wrong;
	axis_set named = amesh_axes_named(m, param_text(a, key), ~(axis_set)0, &wrong);
	*out = param_has(a, key) ? named : otherwise;
	return !wrong.ptr || diag_error(ctx, NOWHERE, E_ARRAY_AXIS, "the mesh has no axis %.*s",
	                                STR_ARG(wrong));
}

static bool context_mesh(tess_ctx *ctx, const char *what, const amesh **out)
{
	*out = array_state_of(ctx)->mesh;
	return *out || diag_error(ctx, NOWHERE, E_ARRAY_NO_MESH, "%s needs a mesh: set one", what);
}

/* ---- jit ------------------------------------------------------------------------------------- */

/* True if the argument has that sharding. A concrete argument may be sharded along Auto axes, which
 * its type does not show. */
static bool argument_sharded(tess_ctx *ctx, const avalue *v, const pspec *s)
{
	const atype *t = v->type;
	atype given = *t;
	aspec want, is;
	if (!atype_place(ctx, &given, s) || !aspec_bind(ctx, t->mesh, s, &want) ||
	    !aspec_bind(ctx, t->mesh, v->placed ? v->placed : pspec_of(ctx, t), &is))
		return false;
	for (int d = 0; d < t->rank; d++)
		if ((d < want.n ? want.dim[d] : 0) != (d < is.n ? is.dim[d] : 0))
			return diag_error(
				ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
				"the sharding passed to jit does not match that of the argument, %s",
				atype_text(ctx, t, TYPE_SHORT));
	return true;
}

static avalue *placed(tess_ctx *ctx, avalue *v, const pspec *s)
{
	params a = {0};
	avalue *out;
	params_set(&ctx->scratch, &a,
	           (param){.key = "sharding", .kind = PK_SPECS, .n = 1, .specs = &s});
	return v && array_emit(ctx, "jax.device_put", &v, 1, &a, &out, 1) == 1 ? out : NULL;
}

int array_jit(call_with_body *c)
{
	for (int i = 0; i < c->n_in; i++) {
		const pspec *s = param_spec_at(c->attrs, "in_shardings", i);
		if (s && !argument_sharded(c->ctx, c->in[i], s))
			return -1;
	}
	int n = c->body(c->ctx, c->env[0], c->in, c->n_in, c->out, c->cap);
	for (int i = 0; i < n; i++) {
		const pspec *s = param_spec_at(c->attrs, "out_shardings", i);
		if (s && !(c->out[i] = placed(c->ctx, c->out[i], s)))
			return -1;
	}
	return n;
}

/* ---- auto_axes ------------------------------------------------------------------------------- */

static bool no_manual_axes(tess_ctx *ctx, const amesh *m)
{
	return !amesh_axes_of_kind(m, AXIS_MANUAL) ||
	       diag_error(ctx, NOWHERE, E_ARRAY_AXIS_KIND,
	                  "Manual axes cannot become Auto or Explicit inside a shard_map");
}

/* Moves the value to mesh m, without the axes that are Auto there. */
avalue *without_auto(tess_ctx *ctx, avalue *v, const amesh *m)
{
	axis_set gone = amesh_axes_of_kind(m, AXIS_AUTO);
	atype t = *v->type;
	if (!t.mesh)
		return v;
	for (int d = 0; d < t.rank; d++)
		t.spec[d] = axis_seq_without(t.spec[d], gone);
	t.unreduced &= ~gone;
	t.reduced &= ~gone;
	return emit_reshard(ctx, v, pspec_of(ctx, &t), m);
}

static int run_on_mesh(call_with_body *c, const amesh *m, avalue *const *in)
{
	array_state *st = array_state_of(c->ctx);
	const amesh *before = st->mesh;
	st->mesh = m;
	int n = c->body(c->ctx, c->env[0], in, c->n_in, c->out, c->cap);
	st->mesh = before;
	return n;
}

int array_auto_axes(call_with_body *c)
{
	const amesh *m;
	axis_set axes;
	if (!context_mesh(c->ctx, "auto_axes", &m) || !no_manual_axes(c->ctx, m) ||
	    !named_axes(c->ctx, m, c->attrs, "axes", ~(axis_set)0, &axes))
		return -1;
	if (!(axes & amesh_axes_of_kind(m, AXIS_EXPLICIT)))
		return c->body(c->ctx, c->env[0], c->in, c->n_in, c->out, c->cap);
	if (!param_has(c->attrs, "out_sharding")) {
		diag_error(c->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "auto_axes needs out_sharding");
		return -1;
	}
	const amesh *inner = amesh_with_kind(c->ctx, m, axes, AXIS_AUTO);
	avalue **in = NEW_N(&c->ctx->scratch, avalue *, c->n_in + 1);
	for (int i = 0; i < c->n_in; i++)
		if (!(in[i] = without_auto(c->ctx, c->in[i], inner)))
			return -1;
	int n = run_on_mesh(c, inner, in);
	for (int i = 0; i < n; i++)
		if (!(c->out[i] = emit_reshard(c->ctx, c->out[i],
		                               param_spec_at(c->attrs, "out_sharding", i), m)))
			return -1;
	return n;
}

/* ---- explicit_axes --------------------------------------------------------------------------- */

int array_explicit_axes(call_with_body *c)
{
	const amesh *m;
	axis_set axes;
	if (!context_mesh(c->ctx, "explicit_axes", &m) || !no_manual_axes(c->ctx, m) ||
	    !named_axes(c->ctx, m, c->attrs, "axes", ~(axis_set)0, &axes))
		return -1;
	if (!param_has(c->attrs, "in_sharding")) {
		diag_error(c->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "explicit_axes needs in_sharding");
		return -1;
	}
	const amesh *inner = amesh_with_kind(c->ctx, m, axes, AXIS_EXPLICIT);
	avalue **in = NEW_N(&c->ctx->scratch, avalue *, c->n_in + 1);
	for (int i = 0; i < c->n_in; i++)
		if (!(in[i] = emit_reshard(c->ctx, c->in[i],
		                           param_spec_at(c->attrs, "in_sharding", i), inner)))
			return -1;
	int n = run_on_mesh(c, inner, in);
	for (int i = 0; i < n; i++)
		if (!c->out[i] || !(c->out[i] = without_auto(c->ctx, c->out[i], m)))
			return -1;
	return n;
}

/* `mesh`: may have other names, sizes and kinds of axes, but as many devices. */
int array_use_mesh(call_with_body *c)
{
	const amesh *m, *inner = param_mesh(c->attrs, "mesh", NULL);
	if (!context_mesh(c->ctx, "use_mesh", &m) || !inner)
		return -1;
	if (amesh_devices(m) != amesh_devices(inner)) {
		diag_error(c->ctx, NOWHERE, E_ARRAY_MESH,
		           "use_mesh cannot change the size of the mesh from %" PRId64
		           " to %" PRId64 " devices",
		           amesh_devices(m), amesh_devices(inner));
		return -1;
	}
	return run_on_mesh(c, inner, c->in);
}
