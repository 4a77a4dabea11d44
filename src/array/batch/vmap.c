/* vmap.c - maps a function over a dimension of its inputs.
 *
 * Inside, types do not have the axes that shard the mapped dimension; these return with that
 * dimension in every result. If every operation has a rule (batch.c), the function is emitted with
 * the dimension; otherwise the call is a single node. */
#include "array/control.h"

typedef struct mapped {
	axis_seq axes;
	int64_t size; /* -1: not known yet */
	bool any;
} mapped;

static int mapped_dim(const params *a, const char *key, int i)
{
	const int64_t *v;
	int n = param_ints(a, key, &v);
	if (n < 0)
		return 0;
	return n == 1 ? (int)v[0] : i < n ? (int)v[i] : 0;
}

/* Returns the inner type, without the mapped dimension. */
static bool map_operand(tess_ctx *ctx, const atype *t, int at, mapped *m, atype *out)
{
	int dim;
	*out = *t;
	if (at == NOT_MAPPED)
		return true;
	if (!axis_normal(ctx, "vmap", at, t->rank, &dim))
		return false;
	if (m->size >= 0 && m->size != t->dim[dim])
		return diag_error(ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "mapped dimensions differ in size: %" PRId64 " and %" PRId64,
		                  m->size, t->dim[dim]);
	if (m->any && m->axes != t->spec[dim])
		return diag_error(
			ctx, NOWHERE, E_ARRAY_MAPPED,
			"mapped dimensions of inputs passed to vmap should be sharded the same; "
			"dimension %d of %s is not",
			dim, atype_text(ctx, t, TYPE_SHORT));
	*m = (mapped){.axes = t->spec[dim], .size = t->dim[dim], .any = true};
	out->rank--;
	for (int d = dim; d < out->rank; d++) {
		out->dim[d] = t->dim[d + 1];
		out->spec[d] = t->spec[d + 1];
	}
	return true;
}

static bool map_result(tess_ctx *ctx, const atype *t, int at, const mapped *m, atype *out)
{
	int dim;
	*out = *t;
	out->weak = false;
	if (at == NOT_MAPPED)
		return true;
	if (t->rank == ARRAY_MAX_RANK || !axis_normal(ctx, "vmap", at, t->rank + 1, &dim))
		return false;
	for (int d = out->rank++; d > dim; d--) {
		out->dim[d] = t->dim[d - 1];
		out->spec[d] = t->spec[d - 1];
	}
	out->dim[dim] = m->size;
	out->spec[dim] = m->axes;
	return atype_check(ctx, out);
}

static bool map_name_agrees(tess_ctx *ctx, const params *a, const mapped *m, const amesh *mesh)
{
	axis_set named;
	if (!param_has(a, "spmd_axis_name") || !m->axes)
		return true;
	if (!named_axes(ctx, mesh, a, "spmd_axis_name", 0, &named))
		return false;
	return named == axis_seq_set(m->axes) ||
	       diag_error(
		       ctx, NOWHERE, E_ARRAY_MAPPED,
		       "only one of spmd_axis_name and arrays sharded on Explicit axes is allowed, "
		       "unless they agree");
}

/* The name must be a single word that no axis of the mesh has. */
static bool map_name_free(tess_ctx *ctx, const params *a, const amesh *mesh)
{
	tess_str name = param_text(a, "axis_name");
	const param *given = param_find(a, "axis_name");
	if (given && (!name.len || memchr(name.ptr, ',', name.len)))
		return diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "vmap: axis_name must be one name");
	for (int i = 0; mesh && i < mesh->n; i++)
		if (str_eq(name, name_str(mesh->axis[i])))
			return diag_error(ctx, NOWHERE, E_ARRAY_MAPPED,
			                  "vmap: axis_name %.*s is an axis of the mesh, too",
			                  STR_ARG(name));
	return true;
}

static avalue *dim_moved(tess_ctx *ctx, avalue *v, int from, int to)
{
	int64_t perm[ARRAY_MAX_RANK];
	params a = {0};
	avalue *out = NULL;
	if (!v || from == to)
		return v;
	for (int d = 0, next = 0; d < v->type->rank; d++) {
		next += next == from;
		perm[d] = d == to ? from : next++;
	}
	params_set_ints(&ctx->scratch, &a, "permutation", perm, v->type->rank);
	return array_emit(ctx, "lax.transpose", &v, 1, &a, &out, 1) == 1 ? out : NULL;
}

/* Emits the function for all elements, with the mapped dimension in front of every value, then
 * moves it to out_axes and shards as in `types`. */
static bool map_written(call_with_body *c, const afn *f, const mapped *m, const atype *types)
{
	tess_ctx *ctx = c->ctx;
	int n = f->params.len, dim;
	atype like = {
		.rank = 1, .dim = {m->size}, .spec = {m->axes}, .mesh = array_state_of(ctx)->mesh};
	avalue **in = NEW_N(&ctx->scratch, avalue *, n + 1);
	bool *is = NEW_N(&ctx->scratch, bool, n + 1);
	bool *same = NEW_N(&ctx->scratch, bool, f->outs.len + 1);
	for (int i = 0; i < f->outs.len; i++)
		same[i] = mapped_dim(c->attrs, "out_axes", i) == NOT_MAPPED;
	for (int i = 0; i < n; i++) {
		int at = i < c->n_in ? mapped_dim(c->attrs, "in_axes", i) : NOT_MAPPED;
		in[i] = i < c->n_in ? c->in[i] : f->captured.ptr[i - c->n_in];
		is[i] = at != NOT_MAPPED;
		if (is[i] && (!axis_normal(ctx, "vmap", at, in[i]->type->rank, &dim) ||
		              !(in[i] = dim_moved(ctx, in[i], dim, 0))))
			return false;
	}
	if (!batch_into(ctx, f, in, is, &like, param_text(c->attrs, "axis_name"), same, c->out))
		return false;
	for (int i = 0; i < f->outs.len; i++) {
		avalue *v = c->out[i];
		if (!same[i] &&
		    axis_normal(ctx, "vmap", mapped_dim(c->attrs, "out_axes", i), types[i].rank, &dim))
			v = dim_moved(ctx, v, 0, dim);
		if (v && !atype_same_spec(v->type, &types[i]))
			v = emit_reshard(ctx, v, pspec_of(ctx, &types[i]), NULL);
		if (!v)
			return false;
		c->out[i] = v;
	}
	return true;
}

/* in_axes, out_axes (NOT_MAPPED for none), axis_size, spmd_axis_name, axis_name. */
int array_vmap(call_with_body *c)
{
	tess_ctx *ctx = c->ctx;
	array_state *st = array_state_of(ctx);
	mapped m = {.size = param_int(c->attrs, "axis_size", -1)};
	atype *types = NEW_N(&ctx->scratch, atype, c->n_in + ARRAY_MAX_OUT);
	for (int i = 0; i < c->n_in; i++)
		if (!map_operand(ctx, c->in[i]->type, mapped_dim(c->attrs, "in_axes", i), &m,
		                 &types[i]))
			return -1;
	axis_set before = st->hidden, gone = axis_seq_set(m.axes);
	for (int i = 0; i < c->n_in; i++)
		if (atype_axes(&types[i]) & gone) {
			diag_error(
				ctx, NOWHERE, E_ARRAY_MAPPED,
				"unmapped values passed to vmap cannot be sharded along the mesh axis that is "
				"mapped; got %s",
				atype_text(ctx, &types[i], TYPE_SHORT));
			return -1;
		}
	if (m.size < 0 || !map_name_agrees(ctx, c->attrs, &m, st->mesh) ||
	    !map_name_free(ctx, c->attrs, st->mesh))
		return -1;
	afn *f = afn_begin(ctx);
	f->hidden = gone;
	st->hidden |= gone;
	mapped_name named = {st->named, param_text(c->attrs, "axis_name"), m.size};
	if (named.name.len)
		st->named = &named;
	f = array_trace(ctx, c->body, c->env[0], types, c->n_in, f);
	st->hidden = before;
	st->named = named.outer;
	for (int i = 0; f && i < f->outs.len; i++)
		if (!map_result(ctx, f->outs.ptr[i]->type, mapped_dim(c->attrs, "out_axes", i), &m,
		                &types[i]))
			return -1;
	if (!f || f->outs.len > c->cap)
		return -1;
	if (!batch_possible(f))
		return call_node(c, "vmap", &f, 1, types, f->outs.len);
	return map_written(c, f, &m, types) ? f->outs.len : -1;
}
