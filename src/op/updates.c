/* updates.c - finds the values from which results of a training step are computed element by
 * element: the parameters and optimizer states before the step. */
#include "op/op.h"

bool op_goes_by_elements(const op *o) { return op_has(o, ELEMENTWISE) || op_is_pointwise(o); }

/* JAX sums over dimensions of size 1. */
static bool sums_single_elements(const op *o)
{
	const type *t = o->n_results == 1 ? result(o, 0)->type : NULL;
	return t && op_n_regions(o) && o->n_operands && type_is_tensor(t) &&
	       operand(o, 0)->type->n_elems == t->n_elems && operand(o, 0)->type->rank > t->rank;
}

/* As op_keeps_elements(), except for products in the backward pass. */
static bool hands_on(const op *o, int i, bool backward)
{
	if (op_has(o, COLLECTIVE | ANNOTATES | RESHARDS | MOVES))
		return true;
	if (op_has(o, UPDATES))
		return i < o->n_results || (i == 1 && o->kind == OP_DYNAMIC_UPDATE_SLICE);
	if (sums_single_elements(o))
		return i == 0;
	return op_goes_by_elements(o) && (!backward || op_has(o, LINEAR) || o->n_operands == 1);
}

bool op_keeps_elements(const op *o, int i) { return hands_on(o, i, false); }

/* What a region of a loop or a branch yields for this result. */
static const value *yielded_by_region(const op *o, int region, int i)
{
	const op *end = op_block(o, region) ? block_terminator(op_block(o, region)) : NULL;
	return end && end->n_operands == (int)o->n_results ? operand(end, i) : NULL;
}

typedef VEC(update_step) update_steps;

static void open_control(const update_walk *w, const update_step *s, const op *o, update_steps *open)
{
	for (int r = 0; r < op_n_regions(o); r++)
		if (yielded_by_region(o, r, (int)s->v->index))
			vec_push(w->mem, open,
			         (update_step){yielded_by_region(o, r, (int)s->v->index), s->written, s->backward});
	if (o->n_operands == (int)o->n_results)
		vec_push(w->mem, open, (update_step){operand(o, (int)s->v->index), s->written, s->backward});
}

static void open_operands(const update_walk *w, const update_step *s, const op *o, update_steps *open)
{
	bool writes = op_has(o, UPDATES);
	for (int i = 0; i < o->n_operands; i++)
		if (hands_on(o, i, s->backward))
			vec_push(w->mem, open,
			         (update_step){operand(o, i), s->written || (writes && !i), s->backward});
}

update_walk update_walk_of(const module *m, arena *mem)
{
	return (update_walk){.mem = mem, .seen = NEW_N(mem, uint32_t, m->n_ops + 1)};
}

void updates_walk(update_walk *w, const value *result, void (*visit)(void *user, const update_step *s),
                  void *user)
{
	enum { MOST = 400 }; /* at most this many ops are visited */
	update_steps open = {0};
	int n = 0;
	w->search++;
	vec_push(w->mem, &open, ((update_step){.v = result}));
	while (open.len && n < MOST) {
		update_step s = open.ptr[--open.len];
		const op *o = value_def(s.v);
		bool control = o && op_has(o, CONTROL); /* its results are followed separately */
		if (o && !control && w->seen[o->id] == w->search)
			continue;
		s.backward = s.backward || (o && source_runs_backwards(op_loc(o)));
		visit(user, &s);
		if (!o)
			continue;
		w->seen[o->id] = w->search;
		n++;
		if (control)
			open_control(w, &s, o, &open);
		else
			open_operands(w, &s, o, &open);
	}
}
