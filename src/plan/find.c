/* find.c - the whole search for a plan. */
#include "plan/search.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is asked for ------------------------------------------------------------------- */

static int64_t memory_limit(const plan_options *o)
{
	const double usable = 0.92; /* of a device; the rest is for what no estimate sees */
	return o->limit ? o->limit : (int64_t)(usable * o->target->memory_bytes);
}

static bool devices_of(tess_ctx *ctx, const plan_subject *s, const plan_options *o, int64_t *out)
{
	*out = o->devices ? o->devices : s->given ? s->given->n_devices : 0;
	if (*out > 0)
		return true;
	return diag_error(ctx, NOWHERE, E_PLAN_MESH,
	                  "the program has no mesh, so the number of devices must be given");
}

static bool find_meshes(tess_ctx *ctx, const plan_subject *s, const plan_options *o, int64_t devices,
                        arena *mem, mesh_list *out)
{
	if (!s->mesh_fixed)
		return plan_meshes(ctx, o->mesh, devices, o->target, mem, out);
	if (s->given->n_devices == devices && s->given->n_axes <= PLAN_AXES && !o->mesh) {
		vec_push(mem, out, s->given);
		return true;
	}
	writer w;
	writer_init(&w, mem);
	mesh_print(&w, s->given);
	return diag_error(ctx, NOWHERE, E_PLAN_MESH,
	                  "what stays of the program names the axes of its mesh %s: a plan keeps that "
	                  "mesh, of at most %d axes, and is for as many devices",
	                  writer_z(&w), PLAN_AXES);
}

/* The meshes that have the axes of the tactic that is asked for, which it is applied to. */
static bool search_one_tactic(plan_search *w, const mesh_list *meshes)
{
	tactic t, there;
	const name *axes[PLAN_AXES];
	int n = 0;
	if (!tactic_parse(w->ctx, w->o->tactic, &t, axes))
		return false;
	for (int i = 0; i < meshes->len; i++) {
		const mesh *m = meshes->ptr[i];
		int known = 0;
		there = (tactic){.n = m->n_axes, .pins = true};
		for (int a = 0; a < t.n; a++) {
			int at = mesh_axis_index(m, axes[a]);
			if (at < 0)
				continue;
			there.on[at] = t.on[a];
			known++;
		}
		if (known == t.n && t.n == m->n_axes) {
			search_tactic(w, m, &there);
			there.pins = false;
			search_tactic(w, m, &there);
			n++;
		}
	}
	if (n)
		return true;
	return diag_error(w->ctx, NOWHERE, E_PLAN_OPTION,
	                  "no mesh has the axes of the tactic '%s' and no others; --mesh says which axes "
	                  "there are", w->o->tactic);
}

/* ---- the frontier of time and memory ------------------------------------------------------------ */

static int by_seconds_then_bytes(const void *a, const void *b)
{
	const plan_trial *x = *(plan_trial *const *)a, *y = *(plan_trial *const *)b;
	if (x->p.cost.step_seconds != y->p.cost.step_seconds)
		return x->p.cost.step_seconds < y->p.cost.step_seconds ? -1 : 1;
	if (x->p.cost.peak_bytes != y->p.cost.peak_bytes)
		return x->p.cost.peak_bytes < y->p.cost.peak_bytes ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void find_frontier(const plan_search *w, plan_result *out)
{
	VEC(plan_trial *) list = {0};
	int64_t least = INT64_MAX;
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible)
			vec_push(w->mem, &list, w->trials.ptr[i]);
	if (list.len)
		qsort(list.ptr, (size_t)list.len, sizeof *list.ptr, by_seconds_then_bytes);
	for (int i = 0; i < list.len; i++) {
		if (list.ptr[i]->p.cost.peak_bytes >= least)
			continue;
		least = list.ptr[i]->p.cost.peak_bytes;
		vec_push(w->mem, &out->frontier, list.ptr[i]->p);
	}
}

/* What fits; else what needs least memory. */
static const plan_trial *choose_trial(const plan_search *w)
{
	const plan_trial *best = w->best;
	if (!best || plan_fits(w, best))
		return best;
	for (int i = 0; i < w->trials.len; i++)
		if (w->trials.ptr[i]->possible &&
		    w->trials.ptr[i]->p.cost.peak_bytes < best->p.cost.peak_bytes)
			best = w->trials.ptr[i];
	return best;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static bool cost_annotated(const module *given, const plan_options *o, int64_t devices,
                           plan_result *out)
{
	const plan_subject *s = &out->subject;
	if (!s->given || s->given->n_devices != devices)
		return false;
	out->annotated = plan_costs(given, o->target, &out->annotated_cost);
	return out->annotated;
}

static bool search_all(plan_search *w, int64_t devices, plan_result *out)
{
	mesh_list meshes = {0};
	if (!find_meshes(w->ctx, w->s, w->o, devices, w->mem, &meshes))
		return false;
	out->n_meshes = meshes.len;
	if (!w->o->tactic)
		search_tactics(w, &meshes);
	else if (!search_one_tactic(w, &meshes))
		return false;
	if (w->best)
		return true;
	return diag_error(w->ctx, NOWHERE, E_PLAN_PROGRAM,
	                  "none of %" PRId64 " plans can be partitioned without what is forbidden",
	                  w->evaluated);
}

bool plan_find(const module *given, const plan_options *o, arena *mem, plan_result *out)
{
	tess_ctx *ctx = given->ctx;
	int64_t devices;
	*out = (plan_result){.limit = memory_limit(o)};
	plan_search w = {.ctx = ctx, .mem = mem, .o = o, .s = &out->subject, .limit = out->limit};
	if (!plan_subject_of(given, o->keep, mem, &out->subject) ||
	    !forbid_parse(ctx, o->forbid, mem, &w.forbidden) ||
	    !devices_of(ctx, &out->subject, o, &devices))
		return false;
	cost_annotated(given, o, devices, out);
	plan_roles_of(&out->subject, mem, &w.roles);
	if (!search_all(&w, devices, out))
		return false;
	const plan_trial *best = choose_trial(&w);
	out->best = best->p;
	out->best.tactic = tactic_text(&best->t, best->p.mesh, mem);
	out->fits = plan_fits(&w, best);
	out->evaluated = w.evaluated;
	plan_decide(&w, best, out);
	find_frontier(&w, out);
	return true;
}
