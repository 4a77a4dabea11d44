/* map_shardings.c - all shardings of a module, one after the other. */
#include "ir/ir.h"

typedef struct map_walk {
	module *m;
	sharding_map *fn;
	void *arg;
	ptr_map known; /* what has been asked: a program has few different shardings */
} map_walk;

static void map_slot(map_walk *w, const sharding **slot)
{
	if (!*slot)
		return;
	void *known = ptr_map_get(&w->known, *slot);
	if (!known) {
		known = (void *)(uintptr_t)w->fn(w->arg, *slot);
		*ptr_map_at(&w->known, &w->m->ctx->scratch, *slot) = known;
	}
	*slot = known;
}

static const attr *map_attr(map_walk *w, const attr *a)
{
	if (a->kind == AT_SHARDING) {
		const sharding *s = a->sharding;
		map_slot(w, &s);
		return attr_sharding(w->m->ctx, s);
	}
	const sharding **list = NEW_N(&w->m->ctx->scratch, const sharding *, a->n);
	for (int i = 0; i < a->n; i++) {
		list[i] = a->shardings[i];
		map_slot(w, &list[i]);
	}
	return attr_shardings(w->m->ctx, list, a->n);
}

static void map_op(map_walk *w, op *o)
{
	for (int i = 0; i < o->attrs.n; i++) {
		named_attr a = o->attrs.ptr[i];
		if (a.value->kind != AT_SHARDING && a.value->kind != AT_SHARDINGS)
			continue;
		const attr *now = map_attr(w, a.value);
		if (now != a.value) /* others may have the list, too */
			attrs_set(&w->m->mem, &o->attrs, a.name, now);
	}
	for (int i = 0; i < o->n_results; i++)
		map_slot(w, &o->results[i].sharding);
	for (int r = 0; r < op_n_regions(o); r++)
		for (block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				map_slot(w, &b->args[i]->sharding);
	for (int i = 0; op_func(o) && i < op_func(o)->type->n_out; i++)
		map_slot(w, &op_func(o)->result_shardings[i]);
}

void module_map_shardings(module *m, sharding_map *fn, void *arg)
{
	map_walk w = {.m = m, .fn = fn, .arg = arg};
	for (op *o = m->top; o; o = op_next(o, m->top))
		map_op(&w, o);
}
