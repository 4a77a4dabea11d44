/* sketch.c - finds the cost of a plan from programs of a few layers.
 *
 * During the search, plans are evaluated on two programs, of two and of three layers, and
 * extrapolated; the plans that are found are evaluated on the whole program. The sites of a folded
 * program are those of the whole program that are in layers which are kept.
 *
 * A step is not linear in its first layers: with two of them there is less computation to hide
 * communication behind than in a step of many layers, and with a third one less is exposed, not
 * more. For Llama-8B on 512 devices, two and three layers give 343 ms on 256 x 2, where all 32 take
 * 353; five and six give 352.7. And what makes only the smallest program slower seems to make all
 * layers faster. So a plan that seems good on few layers is evaluated on more of them before it is
 * trusted. */
#include "plan/sketch.h"

/* ---- sites ------------------------------------------------------------------------------ */

typedef struct site_fold {
	const plan_subject *whole;
	const folded *f;
	arena *mem;
	int *first[3]; /* by kind and number in the folded program: site of the whole one + 1; 0:
		        * none */
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

static void free_pair(sketch_pair *p)
{
	for (int i = 0; i < 2; i++)
		if (p->of[i].m) {
			plan_ready_free(&p->of[i]);
			module_free(p->of[i].m);
			p->of[i].m = NULL;
		}
	p->layers = 0;
}

/* Makes no programs if the whole one cannot be folded like that. */
static void make_pair(const plan_subject *s, const fold_layers *l, int layers, arena *mem, sketch_pair *out)
{
	diag_mark said = diag_here(s->m->ctx);
	*out = (sketch_pair){.layers = layers};
	for (int i = 0; i < 2; i++) {
		folded f;
		if (!fold_program(l, layers + i, mem, &f)) {
			diag_back(s->m->ctx, said);
			free_pair(out);
			return;
		}
		fold_sites(s, &f, mem, &out->of[i], &out->source[i]);
	}
}

/* If many operations are outside the layers, costs from few layers are inaccurate and save little work:
 * in a ViT whose moments are stacked 31 % are outside the 24 layers, its two folded programs are
 * together half as large as the whole one, and their costs are wrong by up to a quarter. The limits are
 * fitted: they lie between this program and the others of many layers that were tried (at most 13 %).
 * A program with fewer layers is folded all the same, since what is sure of it is of the whole one; unless the
 * two programs together are no smaller. */
static bool is_worth_folding(const fold_layers *l, int few, int more)
{
	enum { PART = 4, LESS = 3 };
	int64_t outside = l->n_ops - l->covered, kept = 2 * outside + (int64_t)l->covered * (2 * few + 1) / l->layers;
	if (l->layers <= 2 * more)
		return kept < l->n_ops;
	return outside * PART < l->n_ops || kept * LESS < l->n_ops;
}

bool plan_sketch_of(const plan_subject *s, arena *mem, plan_sketch *out)
{
	enum { FEW = 2, MORE = 5, LEAST_OPS = 400 };
	*out = (plan_sketch){0};
	if (!fold_layers_of(s->m, mem, &out->layers))
		return false;
	if (out->layers.layers < FEW + 2 || out->layers.n_ops < LEAST_OPS ||
	    !is_worth_folding(&out->layers, FEW, MORE))
		return true;
	make_pair(s, &out->layers, FEW, mem, &out->few);
	if (out->few.layers && out->layers.layers > 2 * MORE)
		make_pair(s, &out->layers, MORE, mem, &out->more);
	return true;
}

static void make_pair_ready(sketch_pair *p, propagation_memo *memo, arena *mem)
{
	for (int i = 0; i < 2; i++)
		if (p->layers)
			plan_make_ready(&p->of[i], memo, mem);
}

void plan_sketch_make_ready(plan_sketch *k, plan_subject *s, propagation_memo *memo, arena *mem)
{
	make_pair_ready(&k->few, memo, mem);
	make_pair_ready(&k->more, memo, mem);
	if (!k->few.layers)
		plan_make_ready(s, memo, mem);
}

void plan_sketch_free(plan_sketch *k)
{
	free_pair(&k->few);
	free_pair(&k->more);
}

/* ---- costs -------------------------------------------------------------------------------- */

static void extrapolate_traffic(const fold_layers *l, int layers, const plan_cost *c, plan_cost *out)
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
		t->wire_bytes = fold_extrapolated(l, layers, fewer.wire_bytes, t->wire_bytes);
		t->seconds = fold_extrapolated(l, layers, fewer.seconds, t->seconds);
		t->count = (int)fold_extrapolated_bytes(l, layers, fewer.count, t->count);
	}
}

/* One more layer may hide a part of what another one exposes, which does not hold for each of all
 * layers. */
static void expose_no_less(const fold_layers *l, int layers, const plan_cost *c, double hidden, plan_cost *out)
{
	double lost = c[1].exposed_seconds - fold_extrapolated(l, layers, c[0].exposed_seconds, c[1].exposed_seconds);
	if (lost <= 0)
		return;
	out->exposed_seconds += lost;
	out->step_seconds += lost * hidden;
}

/* One more layer never makes a program faster or smaller. If it seems to, the two programs were
 * propagated differently. */
static bool extrapolate(const fold_layers *l, int layers, const target *t, const plan_cost *c,
                        plan_cost *out)
{
#define SECONDS(field) out->field = fold_extrapolated(l, layers, c[0].field, c[1].field)
#define BYTES(field) out->field = fold_extrapolated_bytes(l, layers, c[0].field, c[1].field)
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
		(int)fold_extrapolated_bytes(l, layers, c[0].collectives, c[1].collectives);
	extrapolate_traffic(l, layers, c, out);
	expose_no_less(l, layers, c, 1 - t->contention, out);
#undef SECONDS
#undef BYTES
	return c[1].step_seconds >= c[0].step_seconds && c[1].peak_bytes >= c[0].peak_bytes &&
	       c[1].comm_seconds >= c[0].comm_seconds * (1 - 1e-9);
}

/* The plan's part for a folded program; `at` is allocated in `mem`. */
static plan folded_plan(const sketch_pair *k, int which, const plan *p, arena *mem)
{
	plan part = *p;
	part.at = NEW_N(mem, const sharding *, k->of[which].n_sites + 1);
	for (int j = 0; j < k->of[which].n_sites; j++)
		part.at[j] = p->at[k->source[which][j]];
	return part;
}

static bool evaluate_folded(const sketch_pair *k, int which, const target *t, plan_memo *memo,
                            const plan *p, plan_cost *out)
{
	arena *scratch = &k->of[which].m->ctx->scratch;
	arena_mark here = arena_here(scratch);
	plan part = folded_plan(k, which, p, scratch);
	bool good = plan_evaluate(&k->of[which], t, memo, &part);
	arena_back(scratch, here);
	*out = part.cost;
	return good;
}

static bool evaluate_folded_both(const sketch_pair *k, int which, const target *t, plan_memo *memo,
                                 plan_memo *finals, const plan *p, plan_cost *by_bytes, plan_cost *fastest)
{
	arena *scratch = &k->of[which].m->ctx->scratch;
	arena_mark here = arena_here(scratch);
	plan part = folded_plan(k, which, p, scratch);
	bool good = plan_evaluate_both(&k->of[which], t, memo, finals, &part, by_bytes, fastest);
	arena_back(scratch, here);
	return good;
}

/* ---- plans that are far from the best ------------------------------------------------------ */

/* Most tactics make a step many times slower, which a few layers show. A plan that takes much less
 * memory may be slower by a larger factor before it is useless; if nothing fits yet, it is always
 * useful. */
static bool is_hopeless(const sketch_rival *best, const plan_cost *few)
{
	const double farther = 4, much = 0.75;
	bool smaller = (double)few->peak_bytes < (best->fits ? much : 1) * (double)best->few.bytes;
	double most = best->few.seconds * (smaller ? farther : best->far);
	return few->step_seconds > most && (best->fits || !smaller);
}

static void cost_in_proportion(const sketch_rival *best, const plan_cost *few, plan_cost *out)
{
	double time = plan_ratio(best->cost->step_seconds, best->few.seconds);
	double memory = (double)best->cost->peak_bytes / (double)max_i64(best->few.bytes, 1);
	*out = *few;
	plan_cost_scale(out, time, memory);
}

bool sketch_evaluate(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                     const sketch_rival *rival, plan *p, sketch_result *out)
{
	plan_cost c[2];
	*out = (sketch_result){0};
	if (!k->few.layers)
		return plan_evaluate(s, t, memo, p);
	if (!evaluate_folded(&k->few, 0, t, memo, p, &c[0]))
		return false;
	out->few = (sketch_few){c[0].step_seconds, c[0].peak_bytes};
	out->rough = rival && is_hopeless(rival, &c[0]);
	if (out->rough) {
		cost_in_proportion(rival, &c[0], &p->cost);
		return true;
	}
	return evaluate_folded(&k->few, 1, t, memo, p, &c[1]) &&
	       extrapolate(&k->layers, k->few.layers, t, c, &p->cost);
}

bool sketch_evaluate_few(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                         plan *p, plan_cost *out)
{
	bool good = k->few.layers ? evaluate_folded(&k->few, 1, t, memo, p, &p->cost)
	                          : plan_evaluate(s, t, memo, p);
	*out = p->cost;
	return good;
}

/* Programs with different numbers of layers may be fastest with different kinds of partitions, and
 * then their difference says nothing about a layer. So the step is extrapolated with one kind of
 * partition, and what another one gains is added in proportion. */
bool sketch_evaluate_surely(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                            plan_memo *finals, plan *p)
{
	plan_cost c[2], fastest;
	if (!k->more.layers)
		return plan_evaluate_fastest(s, t, finals, p);
	if (!evaluate_folded(&k->more, 0, t, memo, p, &c[0]) ||
	    !evaluate_folded_both(&k->more, 1, t, memo, finals, p, &c[1], &fastest) ||
	    !extrapolate(&k->layers, k->more.layers, t, c, &p->cost))
		return false;
	plan_cost_scale(&p->cost, plan_ratio(fastest.step_seconds, c[1].step_seconds),
	                (double)fastest.peak_bytes / (double)max_i64(c[1].peak_bytes, 1));
	return true;
}
