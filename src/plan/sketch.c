/* sketch.c - a plan's cost told by programs of a few layers.
 *
 * What is searched is evaluated on two programs, of two and of three layers, and extrapolated; what is
 * found is evaluated on the whole program.  The sites of a folded program are those of the whole one that
 * stand in layers which are kept. */
#include "plan/sketch.h"

/* ---- sites ------------------------------------------------------------------------------ */

typedef struct site_fold {
	const plan_subject *whole;
	const folded *f;
	arena *mem;
	int *first[3]; /* by kind and number in the folded program: 1 + site of the whole one; 0: none */
	int n[3];
} site_fold;

static int folded_number(const site_fold *w, const plan_site *s)
{
	switch (s->kind) {
	case SITE_ARGUMENT: return w->f->arg[s->number];
	case SITE_RESULT: return w->f->result[s->number];
	case SITE_VALUE: return w->f->op[s->number];
	}
	return -1;
}

static void find_first_sites(site_fold *w)
{
	const op *main_func = module_main(w->f->m);
	w->n[SITE_ARGUMENT] = op_body(main_func)->n_args;
	w->n[SITE_RESULT] = op_func(main_func)->type->n_out;
	for (const op *o = op_body(main_func)->first; o; o = o->next)
		w->n[SITE_VALUE]++;
	for (int k = 0; k < 3; k++)
		w->first[k] = NEW_N(w->mem, int, w->n[k] + 1);
	for (int i = 0; i < w->whole->n_sites; i++) {
		const plan_site *s = &w->whole->sites[i];
		int at = folded_number(w, s);
		if (at >= 0 && at < w->n[s->kind] && !w->first[s->kind][at])
			w->first[s->kind][at] = 1 + i;
	}
}

static void fold_sites(const plan_subject *whole, const folded *f, arena *mem, plan_subject *out,
                       const int **source)
{
	site_fold w = {.whole = whole, .f = f, .mem = mem};
	*out = *whole;
	out->m = f->m;
	out->n_sites = 0;
	find_first_sites(&w);
	plan_site *sites = NEW_N(mem, plan_site, whole->n_sites + 1);
	int *from = NEW_N(mem, int, whole->n_sites + 1);
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < w.n[k]; i++)
			if (w.first[k][i]) {
				from[out->n_sites] = w.first[k][i] - 1;
				sites[out->n_sites] = whole->sites[w.first[k][i] - 1];
				sites[out->n_sites].v = NULL;
				sites[out->n_sites++].number = i;
			}
	out->sites = sites;
	*source = from;
}

bool plan_sketch_of(const plan_subject *s, arena *mem, plan_sketch *out)
{
	enum { LEAST_LAYERS = SKETCH_LAYERS + 2, LEAST_OPS = 400 };
	folded f[2] = {0};
	*out = (plan_sketch){0};
	if (!fold_layers_of(s->m, mem, &out->layers))
		return false;
	if (out->layers.layers < LEAST_LAYERS || out->layers.n_ops < LEAST_OPS)
		return true;
	diag_mark said = diag_here(s->m->ctx);
	for (int i = 0; i < 2; i++)
		if (!fold_program(&out->layers, SKETCH_LAYERS + i, mem, &f[i])) {
			diag_back(s->m->ctx, said);
			if (i)
				module_free(f[0].m);
			return true;
		}
	for (int i = 0; i < 2; i++)
		fold_sites(s, &f[i], mem, &out->of[i], &out->source[i]);
	out->folds = true;
	return true;
}

void plan_sketch_free(plan_sketch *k)
{
	for (int i = 0; i < 2; i++)
		if (k->of[i].m) {
			module_free(k->of[i].m);
			k->of[i].m = NULL;
		}
}

/* ---- costs -------------------------------------------------------------------------------- */

static void extrapolate_traffic(const fold_layers *l, const plan_cost *c, plan_cost *out)
{
	out->n_traffic = c[1].n_traffic;
	for (int i = 0; i < c[1].n_traffic; i++) {
		plan_traffic fewer = {0};
		for (int k = 0; k < c[0].n_traffic; k++)
			if (c[0].traffic[k].op == c[1].traffic[i].op &&
			    c[0].traffic[k].far == c[1].traffic[i].far)
				fewer = c[0].traffic[k];
		plan_traffic *t = &out->traffic[i];
		*t = c[1].traffic[i];
		t->wire_bytes = fold_extrapolated(l, SKETCH_LAYERS, fewer.wire_bytes, t->wire_bytes);
		t->seconds = fold_extrapolated(l, SKETCH_LAYERS, fewer.seconds, t->seconds);
		t->count = (int)fold_extrapolated_bytes(l, SKETCH_LAYERS, fewer.count, t->count);
	}
}

/* A layer more never makes a program faster or smaller: where it seems to, the two were propagated
 * differently. */
static bool extrapolate(const fold_layers *l, const plan_cost *c, plan_cost *out)
{
#define SECONDS(field) out->field = fold_extrapolated(l, SKETCH_LAYERS, c[0].field, c[1].field)
#define BYTES(field) out->field = fold_extrapolated_bytes(l, SKETCH_LAYERS, c[0].field, c[1].field)
	*out = (plan_cost){0};
	SECONDS(step_seconds);
	SECONDS(exposed_seconds);
	SECONDS(compute_seconds);
	SECONDS(comm_seconds);
	SECONDS(far_seconds);
	BYTES(peak_bytes);
	BYTES(argument_bytes);
	BYTES(temporary_bytes);
	out->collectives =
		(int)fold_extrapolated_bytes(l, SKETCH_LAYERS, c[0].collectives, c[1].collectives);
	extrapolate_traffic(l, c, out);
#undef SECONDS
#undef BYTES
	return c[1].step_seconds >= c[0].step_seconds && c[1].peak_bytes >= c[0].peak_bytes &&
	       c[1].comm_seconds >= c[0].comm_seconds * (1 - 1e-9);
}

static bool evaluate_folded(const plan_sketch *k, int which, const target *t, plan_memo *memo,
                            const plan *p, plan_cost *out)
{
	const plan_subject *s = &k->of[which];
	arena *scratch = &s->m->ctx->scratch;
	arena_mark here = arena_here(scratch);
	plan part = *p;
	part.at = NEW_N(scratch, const sharding *, s->n_sites + 1);
	for (int j = 0; j < s->n_sites; j++)
		part.at[j] = p->at[k->source[which][j]];
	bool good = plan_evaluate(s, t, memo, &part);
	arena_back(scratch, here);
	*out = part.cost;
	return good;
}

/* ---- plans that are far from the best ------------------------------------------------------ */

/* Most tactics make a step many times slower, which a few layers show.  What takes less memory may be
 * slower by more before it is of no use; where nothing fits yet, it always is of use. */
static bool is_hopeless(const sketch_rival *best, const plan_cost *few)
{
	const double far = 3, farther = 6;
	bool smaller = few->peak_bytes < best->few.bytes;
	double most = best->few.seconds * (smaller ? farther : far);
	return few->step_seconds > most && (best->fits || !smaller);
}

static void cost_in_proportion(const sketch_rival *best, const plan_cost *few, plan_cost *out)
{
	double time = best->cost->step_seconds / best->few.seconds;
	double memory = (double)best->cost->peak_bytes / (double)max_i64(best->few.bytes, 1);
	*out = *few;
	out->step_seconds *= time;
	out->exposed_seconds *= time;
	out->compute_seconds *= time;
	out->comm_seconds *= time;
	out->far_seconds *= time;
	out->peak_bytes = (int64_t)((double)few->peak_bytes * memory);
	out->argument_bytes = (int64_t)((double)few->argument_bytes * memory);
	out->temporary_bytes = (int64_t)((double)few->temporary_bytes * memory);
}

bool sketch_evaluate(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                     const sketch_rival *rival, plan *p, sketch_result *out)
{
	plan_cost c[2];
	*out = (sketch_result){0};
	if (!k->folds)
		return plan_evaluate(s, t, memo, p);
	if (!evaluate_folded(k, 0, t, memo, p, &c[0]))
		return false;
	out->few = (sketch_few){c[0].step_seconds, c[0].peak_bytes};
	out->rough = rival && is_hopeless(rival, &c[0]);
	if (out->rough) {
		cost_in_proportion(rival, &c[0], &p->cost);
		return true;
	}
	return evaluate_folded(k, 1, t, memo, p, &c[1]) && extrapolate(&k->layers, c, &p->cost);
}
