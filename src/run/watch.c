/* watch.c - makes values inside @main results of it, so that a partitioned run pastes them together
 * like all results and they can be compared one by one. */
#include "run/session.h"

static bool worth_watching(const value *v)
{
	return v->type->kind == TY_TENSOR && v->type->is_static &&
	       !op_has(value_def(v), CONSTANT) && dtype_bytes(v->type->dtype) > 0 &&
	       !value_unused(v);
}

static void note_watched(session *s, module *m, const value *v, const int *place_of)
{
	watched *w = &s->watched[s->n_watched++];
	const op *o = value_def(v);
	*w = (watched){.at = op_place(m, o), .op = op_name(o), .global = {.type = v->type}};
	const sharding *held = value_sharding(m, v);
	if (held && sharding_mesh(m, held)) {
		/* A value that is still unreduced is reduced on the way out. */
		w->global.sharding = sharding_with_unreduced(m->ctx, held, (axis_list){0}, RED_SUM);
		w->global.mesh = sharding_mesh(m, held);
	}
	int *list = NEW_N(&s->mem, int, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		if (place_of[operand(o, i)->id] >= 0)
			list[w->n_operands++] = place_of[operand(o, i)->id];
	w->operands = list;
}

/* The function's type with further results. */
static void add_results(module *m, op *func, value *const *values, int n)
{
	const type *t = op_func(func)->type;
	const type **out = NEW_N(&m->mem, const type *, t->n_out + n);
	const sharding **shardings = NEW_N(&m->mem, const sharding *, t->n_out + n);
	attr_list *attrs = NEW_N(&m->mem, attr_list, t->n_out + n);
	for (int i = 0; i < t->n_out; i++) {
		out[i] = t->out[i];
		shardings[i] = op_func(func)->result_shardings[i];
		attrs[i] = op_func(func)->result_attrs[i];
	}
	for (int i = 0; i < n; i++) {
		out[t->n_out + i] = values[i]->type;
		shardings[t->n_out + i] = value_sharding(m, values[i]);
	}
	const type *changed = type_list(m->ctx, TY_FUNCTION, t->in, t->n_in, out, t->n_out + n);
	op_func(func)->type = changed;
	op_func(func)->result_shardings = shardings;
	op_func(func)->result_attrs = attrs;
	if (op_attr(func, N_function_type))
		op_set_attr(m, func, N_function_type, attr_type(m->ctx, changed));
}

void watch_values(session *s, module *m, op *func, int64_t first, int64_t count)
{
	op *end = op_body(func)->last;
	VEC(value *) returned = {0};
	int *place_of = NEW_N(&s->ctx->scratch, int, m->n_values);
	memset(place_of, -1, sizeof *place_of * m->n_values);
	for (int i = 0; i < end->n_operands; i++)
		vec_push(&s->ctx->scratch, &returned, operand(end, i));
	int before = returned.len;
	int64_t seen = 0;
	s->watched = NEW_N(&s->mem, watched, m->n_values);
	for (const op *o = op_body(func)->first; o != end; o = o->next)
		for (int i = 0; i < o->n_results; i++) {
			if (!worth_watching(result(o, i)) || seen++ < first ||
			    s->n_watched >= count)
				continue;
			place_of[result(o, i)->id] = s->n_watched;
			note_watched(s, m, result(o, i), place_of);
			vec_push(&s->ctx->scratch, &returned, result(o, i));
		}
	add_results(m, func, returned.ptr + before, returned.len - before);
	op_set_operands(m, end, returned.ptr, returned.len);
}
