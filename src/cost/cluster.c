/* cluster.c - what runs as one kernel, and how long. */
#include "cost/cost.h"

static double cluster_seconds(const target *t, const op *o, const cluster *c)
{
	double compute = c->peak_seconds / (op_has(o, PRODUCT) ? t->product_efficiency : 1);
	double traffic = c->w.bytes / (t->memory_bandwidth * t->memory_efficiency);
	return compute > traffic ? compute : traffic;
}

static void cluster_of_op(const module *m, const target *t, const op *o, arena *mem, clusters *out)
{
	work w = op_work(m, o);
	if (w.flops <= 0 && w.bytes <= 0)
		return;
	cluster *c = NEW(mem, cluster);
	*c = (cluster){.root = o,
	               .w = w,
	               .unfused_bytes = w.bytes,
	               .peak_seconds = w.flops / op_flop_rate(t, o)};
	c->seconds = cluster_seconds(t, o, c);
	out->at[o->id] = c;
}

clusters clusters_of(const module *m, const target *t, arena *mem)
{
	clusters c = {.at = NEW_N(mem, cluster *, m->n_ops + 1)};
	for (const op *o = m->top; o; o = op_next(o, m->top))
		if (!op_is_collective(o) && o->kind != OP_COLLECTIVE_PERMUTE)
			cluster_of_op(m, t, o, mem, &c);
	return c;
}
