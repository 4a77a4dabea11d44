/* fn.c - functions being traced: parameters, nodes, captured values. */
#include "array/array.h"

afn *afn_begin(tess_ctx *ctx)
{
	array_state *st = array_state_of(ctx);
	afn *f, *outer = st->trace;
	if (outer) {
		f = NEW(outer->mem, afn);
		f->mem = outer->mem;
	} else {
		arena own;
		arena_init(&own, ctx);
		f = NEW(&own, afn);
		f->own = own;
		f->mem = &f->own;
	}
	f->ctx = ctx;
	f->outer = outer;
	st->trace = f;
	return f;
}

static void afn_end(afn *f)
{
	ASSERT(array_state_of(f->ctx)->trace == f);
	array_state_of(f->ctx)->trace = f->outer;
}

void afn_free(afn *f)
{
	if (!f)
		return;
	arena own = f->own; /* the function is allocated in it */
	arena_free(&own);
}

avalue *afn_param(afn *f, const atype *t)
{
	avalue *v = NEW(f->mem, avalue);
	v->type = atype_intern(f->ctx, t);
	v->home = f;
	v->index = f->params.len;
	vec_push(f->mem, &f->params, v);
	return v;
}

/* ---- captured values ------------------------------------------------------------------------ */

/* Returns the type of an outside value inside a shard_map: its shard along the manual axes. */
static atype seen_inside(const afn *f, const atype *t)
{
	atype local = *t;
	if (!f->manual)
		return local;
	for (int d = 0; d < t->rank; d++) {
		axis_seq mine = axis_seq_within(t->spec[d], f->manual);
		local.dim[d] /= axis_seq_size(t->mesh, mine);
		local.spec[d] = axis_seq_without(t->spec[d], f->manual);
		local.varying |= axis_seq_set(mine);
	}
	local.mesh = array_state_of(f->ctx)->mesh;
	return local;
}

static avalue *afn_capture(afn *f, avalue *outside)
{
	avalue *known = ptr_map_get(&f->capture_of, outside);
	if (known)
		return known;
	if (!outside->home && outside->ctx != f->ctx) {
		diag_error(f->ctx, NOWHERE, E_ARRAY_USAGE, "a value belongs to another context");
		return NULL;
	}
	if (atype_axes(outside->type) & f->hidden) {
		diag_error(
			f->ctx, NOWHERE, E_ARRAY_MAPPED,
			"unmapped values passed to vmap cannot be sharded along the mesh axis that is "
			"mapped; got %s",
			atype_text(f->ctx, outside->type, TYPE_SHORT));
		return NULL;
	}
	atype t = seen_inside(f, outside->type);
	avalue *inside = afn_param(f, &t);
	vec_push(f->mem, &f->captured, outside);
	*ptr_map_at(&f->capture_of, f->mem, outside) = inside;
	return inside;
}

avalue *afn_lift(afn *f, avalue *v)
{
	if (v->home == f)
		return v;
	if (f->outer)
		v = v->home == f->outer ? v : afn_lift(f->outer, v);
	else if (v->home)
		v = NULL;
	if (v)
		return afn_capture(f, v);
	if (!f->outer)
		diag_error(f->ctx, NOWHERE, E_ARRAY_USAGE,
		           "a value belongs to a function whose trace has ended");
	return NULL;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

anode *afn_append(afn *f, const array_op *op, avalue *const *in, int n_in, const params *a,
                  const atype *out, int n_out)
{
	anode *n = NEW(f->mem, anode);
	n->op = op;
	n->id = f->nodes.len;
	n->mesh = array_state_of(f->ctx)->mesh;
	n->attrs = params_copy(f->mem, a);
	n->n_in = n_in;
	n->n_out = n_out;
	n->in = n_in ? COPY_N(f->mem, in, n_in) : NULL;
	n->out = NEW_N(f->mem, avalue *, n_out + 1);
	for (int i = 0; i < n_out; i++) {
		avalue *v = n->out[i] = NEW(f->mem, avalue);
		*v = (avalue){
			.type = atype_intern(f->ctx, &out[i]), .home = f, .node = n, .index = i};
	}
	vec_push(f->mem, &f->nodes, n);
	return n;
}

afn *array_trace(tess_ctx *ctx, array_body *body, void *env, const atype *params, int n, afn *f)
{
	avalue *out[ARRAY_MAX_OUT];
	array_state *st = array_state_of(ctx);
	for (int i = 0; i < n; i++)
		afn_param(f, &params[i]);
	f->n_explicit = n;
	int n_out = body(ctx, env, f->params.ptr, n, out, ARRAY_MAX_OUT);
	for (int i = 0; i < n_out; i++) {
		avalue *v = out[i] ? afn_lift(f, out[i]) : NULL;
		if (!v)
			n_out = -1;
		else
			vec_push(f->mem, &f->outs, v);
	}
	while (st->trace != f)
		afn_end(st->trace); /* nested bodies that failed */
	afn_end(f);
	return n_out < 0 ? NULL : f;
}
