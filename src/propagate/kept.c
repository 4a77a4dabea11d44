/* kept.c - a program that is propagated again and again, each time with a few other annotations.
 *
 * The journal (journal.h) makes a run take time in proportion to what the change concerns. It does
 * not handle Shardy's groups and user priorities, which look at all annotations before anything is
 * propagated, or the canonical order, which has no turns. With these, and if most of the program is
 * concerned anyway, the whole program is propagated, and kept_stats says so. */
#include "propagate/journal.h"

struct kept_propagation {
	tess_ctx *ctx;
	module *m;
	arena mem;
	pass_options o;
	walk w; /* w.begin: the annotations */
	journal j;
	VEC(uint32_t) changed; /* slots annotated since the last run */
	bool journaled;        /* the journal holds the last run */
	bool begun;            /* a run is in progress; if it is still set later, memory ran out */
};

/* ---- creation ------------------------------------------------------------------------------- */

kept_propagation *kept_new(module *m, const pass_options *o)
{
	kept_propagation *k = ctx_realloc(m->ctx, NULL, sizeof *k);
	if (!k)
		ctx_unwind(m->ctx);
	*k = (kept_propagation){.ctx = m->ctx, .m = m, .o = *o};
	k->o.why = NULL;
	arena_init(&k->mem, m->ctx);
	return k;
}

bool kept_open(kept_propagation *k)
{
	if (!walk_open(&k->w, k->m, &k->o, &k->mem))
		return false;
	walk_sweep(&k->w);
	journal_init(&k->j, &k->w, &k->o);
	return true;
}

void kept_free(kept_propagation *k)
{
	if (!k)
		return;
	arena_free(&k->mem);
	ctx_realloc(k->ctx, k, 0);
}

/* ---- annotations ------------------------------------------------------------------ */

static void annotate_slot(kept_propagation *k, uint32_t slot, view_no v)
{
	if (k->w.begin[slot] == v)
		return;
	k->w.begin[slot] = v;
	vec_push(&k->mem, &k->changed, slot);
}

/* Either all results of an op have shardings or none. */
static void annotate_siblings(kept_propagation *k, const value *v, const sharding *s)
{
	const op *o = value_def(v);
	for (int i = 0; s && o && i < o->n_results; i++) {
		uint32_t slot = value_slot(result(o, i));
		if (!k->w.begin[slot])
			annotate_slot(
				k, slot,
				book_load(k->w.b, sharding_open_for(k->m, result(o, i), s->mesh)));
	}
}

/* If the value must have a sharding, one that names the mesh on which it would be open; NULL: it
 * need not. Constraints always have one, and so have all results of an op if one has. */
static const sharding *sharding_it_needs(kept_propagation *k, const value *v)
{
	const op *o = value_def(v);
	if (o && op_has(o, RESHARDS))
		return book_sharding(k->w.b, k->w.begin[value_slot(v)]);
	for (int i = 0; o && i < o->n_results; i++) {
		view_no now = k->w.begin[value_slot(result(o, i))];
		if (result(o, i) != v && now)
			return book_sharding(k->w.b, now);
	}
	return NULL;
}

bool kept_annotate(kept_propagation *k, value *v, const sharding *s)
{
	uint32_t slot = v->id < k->m->n_values ? bearer_slot(v) : SLOT_NONE;
	if (slot == SLOT_NONE || slot >= k->w.g.n_slots || !slot_bears(&k->w.g, slot))
		return false;
	value *bearer = slot_value(&k->w.g, slot);
	const sharding *other = s ? NULL : sharding_it_needs(k, bearer);
	if (other)
		s = sharding_open_for(k->m, bearer, other->mesh);
	annotate_slot(k, slot, book_load(k->w.b, s));
	annotate_siblings(k, bearer, s);
	return true;
}

bool kept_annotate_result(kept_propagation *k, int result, const sharding *s)
{
	const graph *g = &k->w.g;
	if (result < 0 || result >= (int)(g->n_nodes - g->n_ops))
		return false;
	annotate_slot(k, result_slot(g, result), book_load(k->w.b, s));
	return true;
}

const sharding *kept_annotation(kept_propagation *k, const value *v)
{
	uint32_t slot = bearer_slot((value *)(uintptr_t)v);
	return slot < k->w.g.n_slots ? book_sharding(k->w.b, k->w.begin[slot]) : NULL;
}

/* ---- a whole run on a copy -------------------------------------------------------- */

/* The values of the copy, by slot of the original. */
static value **find_twins(const kept_propagation *k, module *copy)
{
	const graph *g = &k->w.g;
	value **twins = NEW_N(&k->ctx->scratch, value *, g->n_slots);
	op *o = k->m->top, *c = copy->top;
	for (; o && c; o = op_next(o, k->m->top), c = op_next(c, copy->top)) {
		for (int i = 0; i < o->n_results; i++)
			twins[value_slot(result(o, i))] = result(c, i);
		for (int r = 0; r < op_n_regions(o); r++) {
			const block *b = op_region(o, r)->first, *d = op_region(c, r)->first;
			for (; b; b = b->next, d = d->next)
				for (int i = 0; i < b->n_args; i++)
					twins[value_slot(b->args[i])] = d->args[i];
		}
	}
	return twins;
}

static uint64_t take_over(kept_propagation *k, module *copy, value *const *twins)
{
	const graph *g = &k->w.g;
	uint64_t changed = 0;
	for (uint32_t s = 1; s < g->n_slots; s++)
		if (slot_bears(g, s))
			changed += slot_put_sharding(
				g, s,
				twins[s] ? value_sharding(copy, twins[s])
					 : op_func(module_main(copy))
						   ->result_shardings[slot_result(g, s)]);
	return changed;
}

static bool run_on_copy(kept_propagation *k, kept_stats *out)
{
	const graph *g = &k->w.g;
	module *copy = module_clone(k->m);
	value **twins = find_twins(k, copy);
	for (uint32_t s = 1; s < g->n_slots; s++) {
		const sharding *begin = book_sharding(k->w.b, k->w.begin[s]);
		if (!slot_bears(g, s))
			continue;
		if (twins[s])
			value_put_sharding(copy, twins[s], begin);
		else
			op_func(module_main(copy))->result_shardings[slot_result(g, s)] = begin;
	}
	bool good = pass_user_priority_propagate(copy, &k->o);
	if (good)
		out->n_changed = take_over(k, copy, twins);
	module_free(copy);
	return good;
}

/* ---- runs ------------------------------------------------------------------------- */

static bool has_priorities(const sharding *s)
{
	for (int d = 0; s && d < s->rank; d++)
		if (s->dims[d].priority != PRIORITY_NONE)
			return true;
	return false;
}

static bool any_priority(const kept_propagation *k)
{
	for (uint32_t s = 1; s < k->w.g.n_slots; s++)
		if (view_at(k->w.b, k->w.begin[s])->tag)
			return true;
	for (const op *f = module_body(k->m)->first; f; f = f->next)
		for (int i = 0; op_is_func(f) && f != k->w.g.main && i < op_func(f)->type->n_out;
		     i++)
			if (has_priorities(op_func(f)->result_shardings[i]))
				return true;
	return false;
}

static kept_run how_to_run(const kept_propagation *k)
{
	if (k->w.canonical)
		return KEPT_CANONICAL;
	if (k->w.g.groups.len)
		return KEPT_GROUPS;
	return any_priority(k) ? KEPT_PRIORITIES : k->journaled ? KEPT_PART : KEPT_FIRST;
}

static void run_whole(kept_propagation *k, kept_stats *out)
{
	const graph *g = &k->w.g;
	memcpy(k->j.begin, k->w.begin, sizeof *k->w.begin * g->n_slots);
	journal_run(&k->j);
	for (uint32_t s = 1; s < g->n_slots; s++)
		if (slot_bears(g, s))
			out->n_changed += slot_put_sharding(
				g, s, book_sharding(k->w.b, journal_result(&k->j, s)));
}

static bool run_part(kept_propagation *k, kept_stats *out)
{
	journal *j = &k->j;
	for (int i = 0; i < k->changed.len; i++) {
		uint32_t s = k->changed.ptr[i];
		if (j->begin[s] != k->w.begin[s])
			journal_change(j, s, k->w.begin[s]);
	}
	/* Repeating a turn costs about twice as much as taking it first. */
	bool good = journal_update(j, out->n_nodes * j->n_runs / 2);
	for (int i = 0; good && i < j->changed.len; i++) {
		uint32_t s = j->changed.ptr[i].slot;
		out->n_changed += slot_put_sharding(&k->w.g, s,
		                                    book_sharding(k->w.b, journal_result(j, s)));
	}
	return good;
}

bool kept_run_again(kept_propagation *k, kept_stats *out)
{
	k->journaled = k->journaled && !k->begun;
	k->begun = true;
	*out = (kept_stats){.how = how_to_run(k), .n_nodes = k->w.g.n_nodes};
	bool good = true;
	if (out->how > KEPT_LARGE) {
		k->journaled = false;
		good = run_on_copy(k, out);
	} else {
		if (out->how == KEPT_PART && !run_part(k, out))
			out->how = KEPT_LARGE;
		if (out->how != KEPT_PART)
			run_whole(k, out);
		out->n_visits = k->j.n_visits;
		k->journaled = true;
	}
	k->changed.len = 0;
	k->begun = false;
	return good;
}
