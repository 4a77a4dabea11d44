/* works.c - clusters of a program, by classes of their main operations. */
#include "plan/model/works.h"

/* Returns the seconds of arithmetic, as far as the cluster's time shows them. */
static double compute_seconds(const target *t, const cluster *c)
{
	double traffic = memory_seconds(t, c->memory_bytes);
	double run = c->seconds - t->launch_seconds;
	double peak = c->peak_seconds / (op_has(c->main, PRODUCT) ? t->product_efficiency : 1);
	return run > traffic ? run : peak < traffic ? peak : traffic;
}

void plan_works_of(const plan_graph *g, const plan_classes *k, const target *t, arena *mem,
                   plan_works *out)
{
	arena *scratch = &g->m->ctx->scratch;
	class_work *of = NEW_N(mem, class_work, k->n_ops);
	arena_mark here = arena_here(scratch);
	clusters found = clusters_of(g->m, t, scratch);
	for (int i = 0; i < g->n_ops; i++) {
		const cluster *c = found.at[g->ops[i].o->id];
		int at = c ? g->of_op[c->main->id] : -1;
		if (at < 0)
			continue;
		class_work *w = &of[k->of_op[at]];
		w->compute += compute_seconds(t, c);
		w->bytes += c->w.bytes;
		w->runs++;
	}
	for (int c = 0; c < k->n_ops; c++) {
		of[c].compute /= k->ops[c].n;
		of[c].bytes /= k->ops[c].n;
		of[c].runs /= k->ops[c].n;
	}
	arena_back(scratch, here);
	*out = (plan_works){t, of};
}
