/* map_shardings.c - all shardings of a module, one after the other. */
#include "ir/ir.h"

typedef struct map_walk {
	module *m;
	sharding_map *fn;
	void *arg;
} map_walk;

static void map_slot(const map_walk *w, const sharding **slot)
{
	if (*slot)
		*slot = w->fn(w->arg, *slot);
}

static const attr *map_attr(const map_walk *w, const attr *a)
{
	if (a->kind == AT_SHARDING)
		return attr_sharding(w->m->ctx, w->fn(w->arg, a->sharding));
	const sharding **list = NEW_N(&w->m->ctx->scratch, const sharding *, a->n);
	for (int i = 0; i < a->n; i++) {
		list[i] = a->shardings[i];
		map_slot(w, &list[i]);
	}
	return attr_shardings(w->m->ctx, list, a->n);
}

static void map_op(const map_walk *w, op *o)
{
	for (int i = 0; i < o->attrs.n; i++) {
		const attr *a = o->attrs.ptr[i].value;
		if (a->kind == AT_SHARDING || a->kind == AT_SHARDINGS)
			o->attrs.ptr[i].value = map_attr(w, a);
	}
	for (int i = 0; i < o->n_results; i++)
		map_slot(w, &o->results[i].sharding);
	for (int r = 0; r < o->n_regions; r++)
		for (block *b = o->regions[r].first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				map_slot(w, &b->args[i]->sharding);
	for (int i = 0; o->func && i < o->func->type->n_out; i++)
		map_slot(w, &o->func->result_shardings[i]);
}

void module_map_shardings(module *m, sharding_map *fn, void *arg)
{
	map_walk w = {m, fn, arg};
	for (op *o = m->top; o; o = op_next(o, m->top))
		map_op(&w, o);
}
