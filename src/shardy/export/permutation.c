/* permutation.c - sdy-resolve-permutation-factors: operations that move elements along a dimension
 * (slice, pad, reverse, windows), so that shards of the result need elements of other shards.
 *
 * With halo exchange, such an operation becomes a manual computation that exchanges the borders of
 * shards (isolate.c), unless no exchange is needed. Without, these dimensions are not sharded
 * there: reshards are inserted before and after the operation. */
#include "shardy/export/export.h"

/* Returns the sharding without axes on tensor t's dimensions with a permutation factor. */
static const sharding *without_moved_dims(module *m, const sharding_rule *r, int t,
                                          const sharding *s)
{
	const tensor_factors *tf = &r->tensors[t];
	for (int d = 0; s && s->rank == tf->rank && d < tf->rank; d++)
		for (int k = 0; k < tf->dims[d].n; k++)
			for (int p = 0; p < r->permutation.n; p++)
				if (r->permutation.factors[p] == tf->dims[d].factors[k])
					s = sharding_with_dim(
						m->ctx, s, d,
						(dim_sharding){.priority = PRIORITY_NONE});
	return s;
}

static value *operand_or_result(const op *o, int t)
{
	return t < o->n_operands ? operand(o, t) : result(o, t - o->n_operands);
}

/* True if any of these dimensions is sharded. */
static bool moves_shards(module *m, const op *o, const sharding_rule *r)
{
	for (int t = 0; t < r->n_operands + r->n_results; t++) {
		const sharding *s = value_sharding(m, operand_or_result(o, t));
		const sharding *without = without_moved_dims(m, r, t, s);
		if (s && !sharding_is_equivalent(s, without))
			return true;
	}
	return false;
}

static value *resharded(module *m, op *before, value *v, const sharding *to)
{
	const builder b = builder_before(m, before);
	return build_sharded(&b, OP_SDY_RESHARD, v, to);
}

static void replicate_moved_dims(module *m, op *o, const sharding_rule *r)
{
	for (int i = 0; i < o->n_operands; i++) {
		const sharding *s = value_sharding(m, operand(o, i));
		const sharding *to = without_moved_dims(m, r, i, s);
		if (s && !sharding_is_equivalent(s, to))
			op_set_operand(o, i, resharded(m, o, operand(o, i), to));
	}
	for (int i = 0; i < o->n_results; i++) {
		value *v = result(o, i);
		const sharding *s = v->sharding;
		const sharding *to = without_moved_dims(m, r, o->n_operands + i, s);
		if (!s || sharding_is_equivalent(s, to))
			continue;
		v->sharding = to;
		value *back = resharded(m, o->next, v, s);
		value_replace_uses_except(v, back, value_def(back));
	}
}

static bool resolve_moved_dims(module *m, op *o, bool halo)
{
	const sharding_rule *r = op_rule(m, o, 0, &m->ctx->scratch);
	if (!r || !r->permutation.n || !moves_shards(m, o, r))
		return true;
	const sharding *s = halo ? isolation_sharding(m, o) : NULL;
	if (s)
		return isolate_operation(m, o, s->mesh, ISOLATE_IF_IT_COMMUNICATES);
	if (!halo)
		replicate_moved_dims(m, o, r);
	return true;
}

bool pass_resolve_permutation_factors(module *m, const pass_options *options)
{
	for (op *f = module_body(m)->first; f; f = f->next) {
		if (!op_is_func(f) || func_is_declaration(f))
			continue;
		for (op *o = op_body(f)->first, *next; o; o = next) {
			next = o->next;
			if (!op_has(o, TERMINATOR) && !op_has(o, DATA_FLOW) && !op_func(o) &&
			    !resolve_moved_dims(m, o, options->halo))
				return false;
		}
	}
	return true;
}
