/* price.c - what an annotated program would cost if one of its annotations were different.
 *
 * Arguments, or values, that are alike (those of all layers, with the results that are their next
 * state) are one decision. Each other place of one axis of the mesh is evaluated like any plan,
 * with the rest unchanged. */
#include "plan/polish.h"

#include <stdlib.h>

typedef struct price_search {
	const plan_subject *s;
	const target *t;
	plan_sketch sketch;
	plan_cost now; /* by price_plan() */
	site_classes classes;
	arena *mem;
	plan_price_list *out;
} price_search;

static int by_price_of_other(const void *a, const void *b)
{
	const plan_other *x = a, *y = b;
	if (x->cost.step_seconds != y->cost.step_seconds)
		return x->cost.step_seconds < y->cost.step_seconds ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Programs that fold are compared by their sketches, in proportion to the cost of the whole
 * program. */
static bool price_plan(const price_search *w, plan *p)
{
	if (!w->sketch.few.layers)
		return plan_evaluate_fastest(w->s, w->t, NULL, p);
	return sketch_evaluate_surely(&w->sketch, w->s, w->t, NULL, NULL, p);
}

static plan_cost as_whole(const price_search *w, const plan_cost *c)
{
	plan_cost out = *c;
	plan_cost_scale(&out, plan_ratio(w->out->cost.step_seconds, w->now.step_seconds),
	                (double)w->out->cost.peak_bytes / (double)max_i64(w->now.peak_bytes, 1));
	return out;
}

static void price_other(price_search *w, const site_class *c, const sharding *to, plan_price *out)
{
	plan p = {.mesh = w->s->given, .at = COPY_N(w->mem, w->s->given_at, w->s->n_sites + 1)};
	for (int i = 0; i < c->n; i++)
		p.at[c->sites[i]] = to;
	if (price_plan(w, &p))
		vec_push(w->mem, &out->others,
		         (plan_other){.to = to, .cost = as_whole(w, &p.cost), .number = out->others.len});
}

/* Tries each axis along another dimension, or along none. */
static void price_class(price_search *w, int class)
{
	const site_class *c = &w->classes.ptr[class];
	const plan_site *first = &w->s->sites[c->sites[0]];
	const mesh *m = w->s->given;
	plan_price p = {.site = c->sites[0], .n = 0, .now = w->s->given_at[c->sites[0]]};
	const plan_classes *known = &w->sketch.layers.classes;
	int dims[PLAN_AXES];
	if (first->kind == SITE_ARGUMENT)
		p.place = known->args[known->of_arg[first->number]].place;
	for (int i = 0; i < c->n; i++)
		p.n += w->s->sites[c->sites[i]].kind != SITE_RESULT;
	sharding_dims_of(m, p.now, dims);
	for (int a = 0; a < m->n_axes; a++) {
		int now = dims[a];
		for (int d = -1; d < first->type->rank; d++) {
			dims[a] = d;
			const sharding *to = d == now ? NULL : sharding_by_dims(w->s, m, first->type, dims);
			if (to)
				price_other(w, c, to, &p);
		}
		dims[a] = now;
	}
	if (p.others.len)
		qsort(p.others.ptr, (size_t)p.others.len, sizeof *p.others.ptr, by_price_of_other);
	vec_push(w->mem, &w->out->list, p);
}

static void price_asked(price_search *w, int site)
{
	for (int c = 0; c < w->classes.n; c++) {
		bool asked = site < 0 || w->classes.of[site] == c;
		if (asked && w->s->given_at[w->classes.ptr[c].sites[0]])
			price_class(w, c);
	}
}

bool plan_prices(const plan_subject *s, const target *t, int site, arena *mem, plan_price_list *out)
{
	price_search w = {.s = s, .t = t, .mem = mem, .out = out};
	plan now = {.mesh = s->given, .at = s->given_at};
	*out = (plan_price_list){0};
	if (!s->given || s->given->n_axes > PLAN_AXES)
		return diag_error(s->m->ctx, NOWHERE, E_PLAN_MESH,
		                  "annotations have a price on a mesh of up to %d axes: the program has %s",
		                  PLAN_AXES, s->given ? "more" : "none");
	if (!plan_sketch_of(s, mem, &w.sketch))
		return false;
	site_classes_of(s, &w.sketch, mem, &w.classes);
	bool good = price_plan(&w, &now);
	w.now = now.cost;
	good = good && plan_evaluate_fastest(s, t, NULL, &now);
	out->cost = now.cost;
	if (!good)
		plan_report_why(s, t, PARTITION_FASTEST, &now,
		                "so the program cannot be partitioned as it is annotated");
	else
		price_asked(&w, site);
	plan_sketch_free(&w.sketch);
	return good;
}
