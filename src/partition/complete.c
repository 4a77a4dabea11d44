/* complete.c - reduces the unreduced results of a local program.
 *
 * If the sharding of a result has unreduced axes, each device returns one term of a sum. Callers
 * that need the whole value append an all_reduce to the program. */
#include "partition/local.h"

static bool is_unreduced(const global_value *g)
{
	return g->sharding && g->mesh && g->sharding->n_unreduced;
}

static bool returns_terms(const local_program *p)
{
	for (int i = 0; i < p->n_results; i++)
		if (is_unreduced(&p->results[i]))
			return true;
	return false;
}

/* An emitter that appends to a local program. */
static void continue_module(emitter *e, const local_program *p)
{
	static const partition_options partitions, replicas = {.replicas = true};
	module *m = p->module;
	*e = (emitter){.ctx = m->ctx, .mem = &m->ctx->scratch, .keep = &m->mem, .from = m, .to = m,
	               .opts = p->replicas ? &replicas : &partitions, .index = DT_I32};
	spreads_init(&e->sp, e->ctx, e->keep, p->n_devices);
	e->b = builder_at_end(m, op_body(module_main(m)));
}

static value *combined(emitter *e, value *v, const global_value *g)
{
	const spread *from = fact_spread(e, g->sharding, v->type->rank);
	if (!from->partial.n)
		return v;
	const spread *to = spread_with_partial(&e->sp, from, (digits){0, NULL}, MONOID_SUM);
	const move m = {.kind = MOVE_REDUCE, .before = from, .after = to, .along = from->partial};
	return emit_move(e, &m, v, g->type);
}

void local_program_complete(local_program *p, arena *mem)
{
	emitter e;
	if (!returns_terms(p))
		return;
	continue_module(&e, p);
	op *end = e.b.at->last;
	global_value *results = COPY_N(mem, p->results, p->n_results);
	op_unlink(end);
	for (int i = 0; i < p->n_results; i++) {
		global_value *g = &results[i];
		if (!is_unreduced(g))
			continue;
		op_set_operand(end, i, combined(&e, operand(end, i), g));
		g->sharding = sharding_with_unreduced(e.ctx, g->sharding, (axis_list){0}, RED_SUM);
	}
	op_append(e.b.at, end);
	p->results = results;
}
