/* explain_collective.c - why a collective exists.
 *
 * The partitioner records which value it moves, from which sharding to which, and for which op.
 * Both shardings have causes of their own: why the value is sharded as it is, and why the op that
 * uses it is sharded differently. */
#include "report/report.h"

/* Returns the op of `m` at the same place in the text, or NULL. */
static op *same_op(const module *m, const op *o)
{
	for (op *k = m->top; k; k = op_next(k, m->top))
		if (k->kind == o->kind && k->at == o->at && k->at_size == o->at_size && o->at_size)
			return k;
	return NULL;
}

static const value *same_value(const module *m, const value *v)
{
	if (value_def(v)) {
		const op *o = same_op(m, value_def(v));
		return o && (int)v->index < o->n_results ? &o->results[v->index] : NULL;
	}
	const op *parent = value_op(v);
	const op *o = op_func(parent) ? module_main(m) : same_op(m, parent);
	if (!o || !op_n_regions(o) || !op_body(o) || (int)v->index >= op_body(o)->n_args)
		return NULL;
	return op_body(o)->args[v->index];
}

static void explain_side(module *m, trail *t, const value *v, arena *mem, explanation *out)
{
	const value *mine = v ? same_value(m, v) : NULL;
	if (mine)
		explain_value(m, t, mine, -1, NULL, mem, out);
}

/* Returns the first axis that shards the operand and not the result, so that it is summed over. */
static const name *summed_axis(const sharding *operand, const sharding *result, int *dim)
{
	for (*dim = 0; operand && *dim < operand->rank; ++*dim)
		for (int i = 0; i < operand->dims[*dim].n_axes; i++)
			if (!result || !sharding_uses_axis(result, operand->dims[*dim].axes[i]))
				return operand->dims[*dim].axes[i].axis;
	return NULL;
}

static void explain_partial(module *m, trail *t, const value *moved, arena *mem,
                            collective_why *out)
{
	const value *mine = same_value(m, moved);
	for (int i = 0; mine && value_def(mine) && i < value_def(mine)->n_operands; i++) {
		const value *v = operand(value_def(mine), i);
		int dim;
		const name *axis = type_is_tensor(v->type)
		                           ? summed_axis(value_sharding(m, v),
		                                         value_sharding(m, mine), &dim)
		                           : NULL;
		explanation e;
		if (!axis)
			continue;
		explain_value(m, t, v, dim, axis, mem, &e);
		e.refused.len = 0;
		vec_push(mem, &out->summed, e);
	}
}

/* True if the collective is the program's own: in a manual computation, or in a program that was
 * given partitioned. */
static bool is_of_the_program(const collective_origin *c)
{
	return !c->moved && c->cause && c->cause->kind == c->local->kind;
}

void explain_collective(module *m, trail *t, const collective *c, const collective_origin *origin,
                        int number, arena *mem, collective_why *out)
{
	if (origin && is_of_the_program(origin))
		origin = NULL;
	*out = (collective_why){.c = c, .origin = origin, .number = number};
	if (!origin)
		return;
	explain_side(m, t, origin->moved, mem, &out->has);
	if (origin->moved && strstr(origin->before, "unreduced=") &&
	    !strstr(origin->after, "unreduced="))
		explain_partial(m, t, origin->moved, mem, out);
	const op *to = out->summed.len ? NULL : origin->cause;
	if (to && to->n_results && to != (origin->moved ? value_def(origin->moved) : NULL))
		explain_side(m, t, &to->results[0], mem, &out->wants);
}

static void put_collective_line(const collective_why *y, writer *w)
{
	const collective *c = y->c;
	put_f(w, "collective %d: %s", y->number, op_short_name(c->o));
	if (c->axes[0])
		put_f(w, " over %s", c->axes);
	put_f(w, ", %" PRId64 " groups of %" PRId64 ", ", c->n_groups, c->group_size);
	put_bytes(w, (double)c->bytes);
	if (c->times != 1)
		put_f(w, ", %.0f times", c->times);
	size_t at = w->len;
	put_lit(w, ", ");
	if (!put_source(w, op_loc(c->o)))
		w->len = at;
	put_c(w, '\n');
	at = w->len;
	put_lit(w, "  calls, the innermost first: ");
	if (put_stack(w, op_loc(c->o)))
		put_c(w, '\n');
	else
		w->len = at;
}

static void put_made_by(writer *w, const value *v)
{
	put_value(w, v);
	put_c(w, ' ');
	put_type_short(w, v->type);
	if (value_def(v))
		put_f(w, ", the result of %s", op_short_name(value_def(v)));
	else
		put_lit(w, ", an argument");
}

static void put_wanted_by(writer *w, const collective_origin *c)
{
	if (!c->cause || !c->cause->n_results) {
		put_lit(w, "the results of the function");
	} else if (c->moved && c->cause == value_def(c->moved)) {
		put_lit(w, "all its users");
	} else {
		put_f(w, "%s, which computes ", op_short_name(c->cause));
		put_value(w, &c->cause->results[0]);
	}
}

void explain_collective_text(const collective_why *y, writer *w, bool color)
{
	const collective_origin *c = y->origin;
	put_collective_line(y, w);
	if (!c) {
		put_lit(w, "  the program itself asks for it\n");
		return;
	}
	if (!c->moved) {
		put_lit(w, "  it is part of computing ");
		put_z(w, c->cause ? op_short_name(c->cause) : "a result");
		if (c->cause && c->cause->n_results) {
			put_lit(w, ", which computes ");
			put_value(w, &c->cause->results[0]);
		}
		put_lit(w, "\n");
	} else {
		put_lit(w, "  moves ");
		put_made_by(w, c->moved);
		put_f(w, "\n  from  %s\n  to    %s\n  for   ", c->before, c->after);
		put_wanted_by(w, c);
		put_c(w, '\n');
	}
	for (int i = 0; i < y->summed.len; i++) {
		put_z(w, i ? "\nand over the axis of " : "\npartial sums over the axis of ");
		explain_text(&y->summed.ptr[i], w, color);
	}
	if (y->has.v && !y->summed.len) {
		put_lit(w, "\nwhy it is sharded so before: ");
		explain_text(&y->has, w, color);
	}
	if (y->wants.v) {
		put_lit(w, "\nwhy it is sharded so after: ");
		explain_text(&y->wants, w, color);
	}
}

static void str_of_value(json *j, arena *mem, const char *key, const value *v)
{
	writer w;
	writer_init(&w, mem);
	put_value(&w, v);
	json_key_str(j, key, writer_str(&w));
}

void explain_collective_json(const collective_why *y, arena *mem, writer *w)
{
	const collective_origin *c = y->origin;
	writer source;
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	json_key_int(&j, "number", y->number);
	json_key_z(&j, "op", op_told_name(y->c->o));
	json_key_z(&j, "axes", y->c->axes);
	json_key_int(&j, "bytes", y->c->bytes);
	json_key_num(&j, "times", y->c->times);
	writer_init(&source, mem);
	put_source(&source, op_loc(y->c->o));
	json_key_str(&j, "source", writer_str(&source));
	writer_init(&source, mem);
	if (put_stack(&source, op_loc(y->c->o)))
		json_key_str(&j, "stack", writer_str(&source));
	if (c && c->moved) {
		str_of_value(&j, mem, "moves", c->moved);
		json_key_z(&j, "from", c->before);
		json_key_z(&j, "to", c->after);
	}
	if (c && c->cause) {
		json_key_z(&j, "for", op_name(c->cause));
		if (c->cause->n_results)
			str_of_value(&j, mem, "gives", &c->cause->results[0]);
	}
	if (y->has.v) {
		json_key(&j, "has");
		explain_object(&y->has, mem, &j);
	}
	json_key_arr(&j, "summed");
	for (int i = 0; i < y->summed.len; i++)
		explain_object(&y->summed.ptr[i], mem, &j);
	json_end(&j);
	if (y->wants.v) {
		json_key(&j, "wants");
		explain_object(&y->wants, mem, &j);
	}
	json_end(&j);
	put_c(w, '\n');
}
