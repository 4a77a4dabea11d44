/* map_shardings.c - replaces or visits all shardings of a module. */
#include "ir/ir.h"

typedef struct map_walk {
	module *m;
	sharding_map *fn;
	void *arg;
	ptr_map known; /* results of fn: a program has few different shardings */
	const sharding *last, *last_now; /* a cache of one: neighbors are often alike */
} map_walk;

static void map_slot(map_walk *w, const sharding **slot)
{
	if (!*slot)
		return;
	if (*slot != w->last) {
		void *known = ptr_map_get(&w->known, *slot);
		if (!known) {
			known = (void *)(uintptr_t)w->fn(w->arg, *slot);
			*ptr_map_at(&w->known, &w->m->ctx->scratch, *slot) = known;
		}
		w->last = *slot;
		w->last_now = known;
	}
	*slot = w->last_now;
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

static void map_attrs(map_walk *w, attr_list *l)
{
	for (int i = 0; i < l->n; i++) {
		named_attr a = l->ptr[i];
		if (a.value->kind != AT_SHARDING && a.value->kind != AT_SHARDINGS)
			continue;
		const attr *now = map_attr(w, a.value);
		if (now != a.value) /* the list may be shared */
			attrs_set(&w->m->mem, l, a.name, now);
	}
}

static void map_op(map_walk *w, op *o)
{
	const func *f = op_func(o);
	map_attrs(w, &o->attrs);
	for (int i = 0; i < o->n_results; i++)
		map_slot(w, &o->results[i].sharding);
	for (int r = 0; r < op_n_regions(o); r++)
		for (block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				map_slot(w, &b->args[i]->sharding);
	for (int i = 0; f && i < f->type->n_out; i++)
		map_slot(w, &f->result_shardings[i]);
	for (int i = 0; f && i < f->type->n_in; i++)
		map_attrs(w, &f->arg_attrs[i]);
	for (int i = 0; f && i < f->type->n_out; i++)
		map_attrs(w, &f->result_attrs[i]);
}

void module_map_shardings(module *m, sharding_map *fn, void *arg)
{
	map_walk w = {.m = m, .fn = fn, .arg = arg};
	for (op *o = m->top; o; o = op_next(o, m->top))
		map_op(&w, o);
}

/* ---- visiting ------------------------------------------------------------------------------- */

void attr_each_sharding(const attr *a, sharding_visit *fn, void *arg)
{
	if (a->kind == AT_SHARDING)
		fn(arg, a->sharding);
	for (int i = 0; a->kind == AT_SHARDINGS && i < a->n; i++)
		if (a->shardings[i])
			fn(arg, a->shardings[i]);
}

static void visit_attrs(const attr_list *l, sharding_visit *fn, void *arg)
{
	for (int i = 0; i < l->n; i++)
		attr_each_sharding(l->ptr[i].value, fn, arg);
}

void op_each_sharding(const op *o, sharding_visit *fn, void *arg)
{
	const func *f = op_func(o);
	visit_attrs(&o->attrs, fn, arg);
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].sharding)
			fn(arg, o->results[i].sharding);
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				if (b->args[i]->sharding)
					fn(arg, b->args[i]->sharding);
	for (int i = 0; f && i < f->type->n_out; i++)
		if (f->result_shardings[i])
			fn(arg, f->result_shardings[i]);
	for (int i = 0; f && i < f->type->n_in; i++)
		visit_attrs(&f->arg_attrs[i], fn, arg);
	for (int i = 0; f && i < f->type->n_out; i++)
		visit_attrs(&f->result_attrs[i], fn, arg);
}
