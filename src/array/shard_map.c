/* shard_map.c - a body that sees the shard of one device along Manual axes.
 *
 * in_specs says how arguments are sharded (absent: as they are already), out_specs how results are
 * put together. A value that differs between devices along an axis varies over it; results must not
 * vary over axes that out_specs does not name. */
#include "array/control.h"

typedef struct shard_map {
	call_with_body *call;
	tess_ctx *ctx;
	const amesh *outer, *inner;
	axis_set manual;
	bool checked;
} shard_map;

static bool spec_is_manual(shard_map *s, const aspec *a, const char *what)
{
	axis_set named = a->unreduced | a->reduced, all = ((axis_set)1 << s->outer->n) - 1;
	if (named && s->manual != all)
		return diag_error(s->ctx, NOWHERE, E_ARRAY_AXIS_KIND,
		                  "shard_map %s can be unreduced or reduced only where all axes of "
		                  "the mesh are manual",
		                  what);
	for (int d = 0; d < a->n; d++)
		named |= axis_seq_set(a->dim[d]);
	return !(named & ~s->manual) ||
	       diag_error(s->ctx, NOWHERE, E_ARRAY_AXIS_KIND,
	                  "shard_map %s must refer to axes that are manual", what);
}

/* Returns the spec of argument i: the given one, or that of its type. */
static bool in_spec(shard_map *s, int i, aspec *out)
{
	const atype *t = s->call->in[i]->type;
	const pspec *given = param_spec_at(s->call->attrs, "in_specs", i);
	if (given) {
		if (!aspec_bind(s->ctx, s->outer, given, out) ||
		    !spec_is_manual(s, out, "in_specs"))
			return false;
		return out->n <= t->rank ||
		       diag_error(s->ctx, NOWHERE, E_ARRAY_RANK,
		                  "shard_map: in_specs has %d entries for an argument of rank %d",
		                  out->n, t->rank);
	}
	if (s->manual & amesh_axes_of_kind(s->outer, AXIS_AUTO))
		return diag_error(s->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "shard_map needs in_specs where manual axes are not Explicit");
	*out = (aspec){.n = t->rank, .unreduced = t->unreduced, .reduced = t->reduced};
	if ((t->unreduced || t->reduced) && !spec_is_manual(s, out, "arguments"))
		return false;
	for (int d = 0; d < t->rank; d++) {
		out->dim[d] = axis_seq_within(t->spec[d], s->manual);
		axis_seq stays = axis_seq_without(t->spec[d], s->manual);
		if (axis_seq_join(out->dim[d], stays) != t->spec[d])
			return diag_error(s->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "shard_map: dimension %d of %s is split by an axis that stays "
			                  "Explicit before a manual one: reshard it or pass in_specs",
			                  d, atype_text(s->ctx, t, TYPE_SHORT));
	}
	return true;
}

/* If every axis becomes manual, the spec must match the Explicit axes in the type; otherwise the
 * argument is resharded to it. */
static bool in_spec_matches(shard_map *s, const atype *t, const aspec *a)
{
	axis_set all = ((axis_set)1 << s->outer->n) - 1;
	all &= ~array_state_of(s->ctx)->hidden;
	if (s->manual != all || (all & ~amesh_axes_of_kind(s->outer, AXIS_EXPLICIT)))
		return true;
	axis_set seen = s->manual & amesh_axes_of_kind(s->outer, AXIS_EXPLICIT);
	bool same = (a->unreduced & seen) == (t->unreduced & seen) &&
	            (a->reduced & seen) == (t->reduced & seen);
	for (int d = 0; d < t->rank; d++)
		same &= axis_seq_within(d < a->n ? a->dim[d] : 0, seen) ==
		        axis_seq_within(t->spec[d], seen);
	return same || diag_error(s->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
	                          "in_specs passed to shard_map does not match the sharding of the "
	                          "argument, %s: reshard it first",
	                          atype_text(s->ctx, t, TYPE_LONG));
}

/* Unreduced and reduced values stay so inside. */
static bool in_spec_partial(shard_map *s, const atype *t, const aspec *a)
{
	return (a->unreduced == t->unreduced && a->reduced == t->reduced) ||
	       diag_error(s->ctx, NOWHERE, E_ARRAY_REDUCED,
	                  "shard_map in_specs must be unreduced and reduced along the axes of the "
	                  "argument, %s",
	                  atype_text(s->ctx, t, TYPE_LONG));
}

static bool local_type(shard_map *s, const atype *t, const aspec *a, atype *out)
{
	*out = *t;
	out->mesh = s->inner;
	for (int d = 0; d < t->rank; d++) {
		axis_seq mine = d < a->n ? a->dim[d] : 0;
		int64_t parts = axis_seq_size(s->outer, mine);
		if (t->dim[d] % parts)
			return diag_error(
				s->ctx, NOWHERE, E_ARRAY_INDIVISIBLE,
				"shard_map: dimension %d of %s is not divisible by %" PRId64, d,
				atype_text(s->ctx, t, TYPE_SHORT), parts);
		out->dim[d] = t->dim[d] / parts;
		out->spec[d] = axis_seq_without(t->spec[d], s->manual);
		if (s->checked)
			out->varying |= axis_seq_set(mine);
	}
	if (!s->checked) {
		out->unreduced &= ~s->manual;
		out->reduced &= ~s->manual;
	}
	return true;
}

/* Computes the global type of a result. If it varies over an axis that out_specs calls unreduced,
 * it is a partial sum. */
static bool whole_type(shard_map *s, const atype *t, const pspec *given, atype *out)
{
	aspec a;
	axis_set named = 0;
	if (!given)
		return diag_error(s->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "shard_map needs out_specs");
	if (!aspec_bind(s->ctx, s->outer, given, &a) || !spec_is_manual(s, &a, "out_specs"))
		return false;
	*out = *t;
	out->mesh = s->outer;
	if (a.n > t->rank)
		return diag_error(s->ctx, NOWHERE, E_ARRAY_RANK,
		                  "shard_map: out_specs has %d entries for a result of rank %d",
		                  a.n, t->rank);
	axis_set shown = amesh_axes_of_kind(s->outer, AXIS_EXPLICIT);
	for (int d = 0; d < t->rank; d++) {
		axis_seq mine = d < a.n ? a.dim[d] : 0;
		named |= axis_seq_set(mine);
		out->dim[d] *= axis_seq_size(s->outer, mine);
		out->spec[d] = axis_seq_join(axis_seq_within(mine, shown), t->spec[d]);
	}
	axis_set left = (t->varying & s->manual & ~(named | a.unreduced)) |
	                (t->unreduced & s->manual & ~a.unreduced);
	out->varying &= ~s->manual;
	out->unreduced = (t->unreduced & ~s->manual) | a.unreduced;
	out->reduced = (t->reduced & ~s->manual) | a.reduced;
	return !left ||
	       diag_error(s->ctx, NOWHERE, E_ARRAY_MANUAL,
	                  "out_specs implies that the result is the same along axes over which "
	                  "%s varies",
	                  atype_text(s->ctx, t, TYPE_LONG));
}

static void cut_of(const aspec *a, axis_seq *cut)
{
	for (int d = 0; d < ARRAY_MAX_RANK; d++)
		cut[d] = d < a->n ? a->dim[d] : 0;
}

/* Stores what lowering needs: how operands, captured values and results are sharded. */
static void keep_cuts(shard_map *s, afn *into, const afn *f, int n_in, const axis_seq *cuts)
{
	anode *n = into->nodes.ptr[into->nodes.len - 1];
	axis_seq *in = NEW_N(into->mem, axis_seq, (n->n_in + 1) * ARRAY_MAX_RANK);
	axis_seq *out = NEW_N(into->mem, axis_seq, (n->n_out + 1) * ARRAY_MAX_RANK);
	memcpy(in, cuts, sizeof *in * (size_t)n_in * ARRAY_MAX_RANK);
	for (int i = n_in; i < n->n_in; i++)
		for (int d = 0; d < n->in[i]->type->rank; d++)
			in[i * ARRAY_MAX_RANK + d] = axis_seq_within(n->in[i]->type->spec[d],
			                                             f->manual);
	for (int i = 0; i < n->n_out; i++) {
		aspec a = {0};
		const pspec *given = param_spec_at(s->call->attrs, "out_specs", i);
		if (given && aspec_bind(s->ctx, s->outer, given, &a))
			cut_of(&a, out + i * ARRAY_MAX_RANK);
	}
	n->in_cut = in;
	n->out_cut = out;
}

static afn *trace_inside(shard_map *s, const atype *params)
{
	array_state *st = array_state_of(s->ctx);
	bool unchecked = st->unchecked;
	st->mesh = s->inner;
	st->unchecked = !s->checked;
	afn *f = afn_begin(s->ctx);
	f->manual = s->manual;
	f = array_trace(s->ctx, s->call->body, s->call->env[0], params, s->call->n_in, f);
	st->mesh = s->outer;
	st->unchecked = unchecked;
	return f;
}

int array_shard_map(call_with_body *c)
{
	tess_ctx *ctx = c->ctx;
	array_state *st = array_state_of(ctx);
	shard_map s = {.call = c, .ctx = ctx, .outer = st->mesh,
	               .checked = param_int(c->attrs, "check_vma", 1)};
	atype *types = NEW_N(&ctx->scratch, atype, c->n_in + ARRAY_MAX_OUT);
	if (!s.outer) {
		diag_error(ctx, NOWHERE, E_ARRAY_NO_MESH, "shard_map needs a mesh: set one first");
		return -1;
	}
	axis_set free = ((axis_set)1 << s.outer->n) - 1;
	free &= ~st->hidden & ~amesh_axes_of_kind(s.outer, AXIS_MANUAL);
	if (!named_axes(ctx, s.outer, c->attrs, "axis_names", free, &s.manual))
		return -1;
	s.inner = amesh_with_kind(ctx, s.outer, s.manual, AXIS_MANUAL);
	axis_seq *cuts = NEW_N(&ctx->scratch, axis_seq, (c->n_in + 1) * ARRAY_MAX_RANK);
	for (int i = 0; i < c->n_in; i++) {
		aspec a;
		if (!in_spec(&s, i, &a) || !local_type(&s, c->in[i]->type, &a, &types[i]) ||
		    !in_spec_matches(&s, c->in[i]->type, &a) ||
		    !in_spec_partial(&s, c->in[i]->type, &a))
			return -1;
		cut_of(&a, cuts + i * ARRAY_MAX_RANK);
	}
	int n_in = c->n_in;
	afn *f = trace_inside(&s, types);
	if (!f)
		return -1;
	for (int i = 0; i < f->outs.len; i++)
		if (!whole_type(&s, f->outs.ptr[i]->type, param_spec_at(c->attrs, "out_specs", i),
		                &types[i]) ||
		    !atype_check(ctx, &types[i]))
			return -1;
	int n = call_node(c, "shard_map", &f, 1, types, f->outs.len);
	if (n >= 0)
		keep_cuts(&s, st->trace, f, n_in, cuts);
	return n;
}
