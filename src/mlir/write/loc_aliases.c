/* loc_aliases.c - numbers the aliases of locations as MLIR does.
 *
 * When locations are printed, each distinct one gets an alias: #loc, #loc1, #loc2, …. They are
 * numbered by depth (those without children first), then in the order in which the printer comes
 * across them. An alias that only ops use is defined after the module ("deferred"); one that a
 * block argument uses must be defined before it. */
#include "mlir/forms/forms.h"

#include <stdlib.h>

typedef struct loc_entry {
	const attr *loc;
	int depth, order;
	bool deferred;
} loc_entry;

typedef struct loc_walk {
	printer *p;
	VEC(loc_entry) entries;
	ptr_map seen; /* location -> 1 + its entry */
} loc_walk;

static void forbid_deferring(loc_walk *w, const attr *a)
{
	size_t i = (size_t)(uintptr_t)ptr_map_get(&w->seen, a);
	if (!i || !w->entries.ptr[i - 1].deferred)
		return;
	w->entries.ptr[i - 1].deferred = false;
	for (int k = 0; k < a->n && a->list; k++)
		forbid_deferring(w, a->list[k]);
}

/* Returns the depth of the location. */
static int visit_loc(loc_walk *w, const attr *a, bool deferrable)
{
	arena *mem = w->p->mem;
	size_t seen = (size_t)(uintptr_t)ptr_map_get(&w->seen, a);
	if (seen) {
		if (!deferrable)
			forbid_deferring(w, a);
		return w->entries.ptr[seen - 1].depth;
	}
	int i = w->entries.len, depth = 0;
	vec_push(mem, &w->entries, (loc_entry){a, 1, i, deferrable});
	*ptr_map_at(&w->seen, mem, a) = (void *)(uintptr_t)(i + 1);
	for (int k = 0; k < a->n && a->list; k++) {
		int below = visit_loc(w, a->list[k], deferrable);
		depth = below > depth ? below : depth;
	}
	w->entries.ptr[i].depth = depth + 1;
	return depth + 1;
}

static void visit_op(loc_walk *w, const op *o);

static void visit_args(loc_walk *w, const block *b)
{
	for (int i = 0; b && i < b->n_args; i++)
		visit_loc(w, printed_arg_loc(w->p, b->args[i]), false);
}

/* True if the locations of a region's arguments are printed. */
static bool shows_args(const loc_walk *w, const op *o)
{
	return w->p->opts.generic || o->kind != OP_WHILE;
}

static void visit_op(loc_walk *w, const op *o)
{
	visit_loc(w, printed_loc(w->p, o), true);
	if (!w->p->opts.generic && o->kind == OP_REDUCE && form_applies(o))
		return;
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_region(o, r)->first; b; b = b->next) {
			if (b != op_region(o, r)->first || shows_args(w, o))
				visit_args(w, b);
			for (const op *inner = b->first; inner; inner = inner->next)
				visit_op(w, inner);
		}
}

static int compare_entries(const void *x, const void *y)
{
	const loc_entry *a = x, *b = y;
	return a->depth != b->depth ? (a->depth > b->depth) - (a->depth < b->depth)
	                            : (a->order > b->order) - (a->order < b->order);
}

void name_locations(printer *p, const op *root)
{
	loc_walk w = {.p = p};
	visit_op(&w, root);
	qsort(w.entries.ptr, (size_t)w.entries.len, sizeof *w.entries.ptr, compare_entries);
	p->n_locs = w.entries.len;
	p->locs = NEW_N(p->mem, loc_alias, p->n_locs);
	for (int i = 0; i < p->n_locs; i++) {
		p->locs[i] = (loc_alias){w.entries.ptr[i].loc, w.entries.ptr[i].deferred};
		*ptr_map_at(&p->loc_aliases, p->mem, p->locs[i].loc) = (void *)(uintptr_t)(i + 1);
	}
}

void write_loc_aliases(printer *p, bool deferred)
{
	for (int i = 0; i < p->n_locs; i++) {
		if (p->locs[i].deferred != deferred)
			continue;
		put_lit(p->w, "#loc");
		if (i)
			put_int(p->w, i);
		put_lit(p->w, " = ");
		write_loc(p, p->locs[i].loc);
		put_c(p->w, '\n');
	}
}
