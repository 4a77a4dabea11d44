/* explain.c - why a value is sharded, or is not.
 *
 * For each axis on each dimension, the step that put it there is looked up in the
 * trail, then the one that had put it on the step's source, and so on; each is older
 * than the one before, so the walk ends, at an annotation.
 *
 * Why a value lacks an axis is explained from the state that propagation ended in: an
 * axis that a neighbour holds on the same factor of an operation was refused for a
 * reason that still holds. */
#include "report/explain.h"
#include "report/words.h"

/* ---- names ------------------------------------------------------------------------ */

static bool is_named(const value *v, tess_str text) { return str_eq(value_name(v), text); }

/* %name#index among the results of an op, whose names may stand for several each. */
static const value *find_in_results(const op *o, tess_str text, uint32_t index)
{
	for (int i = 0, n; i < o->n_results; i += n) {
		const value *first = value_namesakes(&o->results[i], &n);
		if (is_named(first, text))
			return index < (uint32_t)n ? first + index : NULL;
	}
	return NULL;
}

/* A called function has names of its own: its body is looked into only if `called`. */
static const value *find_in_block(const block *b, tess_str text, uint32_t index, bool called)
{
	for (int i = 0; i < b->n_args; i++)
		if (is_named(b->args[i], text))
			return b->args[i];
	for (const op *o = b->first; o; o = o->next) {
		const value *v = find_in_results(o, text, index);
		bool look = called || o->kind != OP_SDY_NAMED_COMPUTATION;
		for (int r = 0; look && r < op_n_regions(o); r++)
			for (const block *inner = op_region(o, r)->first; !v && inner;
			     inner = inner->next)
				v = find_in_block(inner, text, index, called);
		if (v)
			return v;
	}
	return NULL;
}

/* The argument whose location has this name, as JAX writes it: "params['w']". */
static const value *find_by_location(const block *b, tess_str text)
{
	for (int i = 0; i < b->n_args; i++) {
		const attr *loc = value_loc(b->args[i]);
		if (loc && loc->kind == AT_LOC_NAME && str_eq(name_str(loc->text), text))
			return b->args[i];
	}
	return NULL;
}

/* A number that begins at `at`; -1 if there is none. */
static int64_t number_at(tess_str s, size_t at)
{
	int64_t v = at < s.len ? 0 : -1;
	for (; at < s.len && v >= 0; at++) {
		int digit = s.ptr[at] - '0';
		v = digit < 0 || digit > 9 || v > INT32_MAX ? -1 : v * 10 + digit;
	}
	return v;
}

static const value *find_result(const block *b, tess_str text)
{
	const op *end = block_terminator(b);
	int64_t i = str_starts(text, "result:") ? number_at(text, strlen("result:"))
	            : str_starts(text, "out")    ? number_at(text, strlen("out"))
	                                         : -1;
	return i >= 0 && end && i < end->n_operands ? operand(end, (int)i) : NULL;
}

static const value *find_argument(const block *b, tess_str text)
{
	int64_t i = str_starts(text, "arg:") ? number_at(text, strlen("arg:")) : -1;
	return i >= 0 && i < b->n_args ? b->args[i] : NULL;
}

/* %name#index, with or without '%'. */
typedef struct spoken_name {
	tess_str name;
	uint32_t index; /* UINT32_MAX: the text there is not a number */
	bool percent;
} spoken_name;

static spoken_name read_name(tess_str text)
{
	spoken_name n = {.name = text, .percent = text.len && text.ptr[0] == '%'};
	if (n.percent)
		n.name = (tess_str){text.ptr + 1, text.len - 1};
	const char *hash = memchr(n.name.ptr, '#', n.name.len);
	if (hash) {
		size_t at = (size_t)(hash - n.name.ptr);
		int64_t index = number_at(n.name, at + 1);
		n.index = index < 0 ? UINT32_MAX : (uint32_t)index;
		n.name.len = at;
	}
	return n;
}

/* "%0 of @relu", as put_placed() writes it: of the first call that has such a value. */
static const value *find_in_function(const op *main, tess_str text)
{
	static const char of[] = " of @";
	const char *split = text.len ? memmem(text.ptr, text.len, of, strlen(of)) : NULL;
	if (!split)
		return NULL;
	spoken_name n = read_name((tess_str){text.ptr, (size_t)(split - text.ptr)});
	const char *begin = split + strlen(of);
	tess_str function = {begin, (size_t)(text.ptr + text.len - begin)};
	const value *v = NULL;
	for (const op *o = main; o && !v; o = op_next(o, main)) {
		const attr *called = o->kind == OP_SDY_NAMED_COMPUTATION ? op_attr(o, N_name)
		                                                         : NULL;
		if (called && called->text && str_eq(name_str(called->text), function))
			v = find_in_block(op_body(o), n.name, n.index, false);
	}
	return v;
}

value *explain_find(module *m, tess_str text)
{
	const op *main = module_main(m);
	if (!main || func_is_declaration(main))
		return NULL;
	const block *body = op_body(main);
	const value *v = find_by_location(body, text);
	spoken_name n = read_name(text);
	if (!v)
		v = find_in_block(body, n.name, n.index, false);
	if (!v)
		v = find_in_block(body, n.name, n.index, true);
	if (!v && !n.percent)
		v = find_argument(body, text);
	if (!v && !n.percent)
		v = find_result(body, text);
	if (!v)
		v = find_in_function(main, text);
	return (value *)(uintptr_t)v;
}

void explain_no_value(tess_ctx *ctx, const char *text)
{
	diag_error(
		ctx, NOWHERE, E_NO_VALUE,
		"there is no value '%s' in @main; name one as the text does, or arg:0, arg:1, … and "
		"result:0, result:1, … for what it takes and returns",
		text);
}

/* ---- why ------------------------------------------------------------------------------ */

/* The dimension on which a sharding holds (part of) an axis; -1: on none. */
static int dim_with_axis(const sharding *s, axis_ref a)
{
	for (int d = 0; s && d < s->rank; d++)
		if (axes_overlap_axis(dim_axes(&s->dims[d]), a))
			return d;
	return -1;
}

static bool holds(const sharding *s, int dim, axis_ref a)
{
	return s && dim >= 0 && dim < s->rank && axes_overlap_axis(dim_axes(&s->dims[dim]), a);
}

/* What the value was sharded like before step `before`. */
static const sharding *sharding_before(const trail *t, const value *v, int before)
{
	int i = trail_last(t, v, before);
	return i < 0 ? trail_initial(t, v) : trail_at(t, i).sharding;
}

/* Whether step `i` put the axis there.  The steps of one visit of an operation, one for
 * each factor, all show the sharding after the visit: their own lists tell them apart. */
static bool step_added(const trail *t, const value *v, int i, int dim, axis_ref a)
{
	trail_step s = trail_at(t, i);
	if (s.cause == STEP_OP || s.cause == STEP_RESULT)
		return s.dim == dim && axes_overlap_axis(s.after, a) &&
		       !axes_overlap_axis(s.before, a);
	return holds(s.sharding, dim, a) && !holds(sharding_before(t, v, i), dim, a);
}

/* The step before `before` that put the axis there; -1: none did. */
static int step_that_added(const trail *t, const value *v, int dim, axis_ref a, int before)
{
	for (int i = trail_last(t, v, before); i >= 0; i = trail_last(t, v, i))
		if (step_added(t, v, i, dim, a))
			return i;
	return -1;
}

static enum why_cause cause_of(const trail_step *s)
{
	switch (s->cause) {
	case STEP_OP: return WHY_OP;
	case STEP_RESULT: return WHY_RESULT;
	case STEP_GROUP: return WHY_GROUP;
	case STEP_START: return WHY_ANNOTATED;
	}
	return WHY_LOST;
}

/* The step before `before` by which an axis came to the value; *at: its number, or -1. */
static why_step step_to(const trail *t, const value *v, int dim, axis_ref a, int before, int *at)
{
	int i = *at = step_that_added(t, v, dim, a, before);
	why_step step = {.v = v, .dim = dim, .from_dim = -1, .cause = WHY_ANNOTATED};
	if (i >= 0) {
		trail_step s = trail_at(t, i);
		step.cause = cause_of(&s);
		step.through = s.op;
		step.from = s.from;
		step.round = s.round;
		step.priority = s.priority;
		if (s.from)
			step.from_dim = dim_with_axis(sharding_before(t, s.from, i), a);
	} else if (!holds(trail_initial(t, v), dim, a)) {
		step.cause = WHY_LOST;
	}
	return step;
}

why_step explain_step(const trail *t, const value *v, int dim, axis_ref a)
{
	int at;
	return step_to(t, v, dim, a, trail_count(t), &at);
}

static void follow(const trail *t, const value *v, int dim, arena *mem, why_axis *out)
{
	int before = trail_count(t);
	while (v) {
		int at;
		why_step step = step_to(t, v, dim, out->axis, before, &at);
		vec_push(mem, &out->steps, step);
		if (at < 0 || step.from_dim < 0)
			return;
		before = at;
		v = step.from;
		dim = step.from_dim;
	}
}

static void explain_axes(const trail *t, int dim, const name *axis, arena *mem, explanation *e)
{
	for (int d = 0; e->sharding && d < e->sharding->rank; d++)
		for (int i = 0; i < e->sharding->dims[d].n_axes; i++) {
			why_axis a = {.dim = d, .axis = e->sharding->dims[d].axes[i]};
			if ((dim >= 0 && d != dim) || (axis && a.axis.axis != axis))
				continue;
			follow(t, e->v, d, mem, &a);
			vec_push(mem, &e->axes, a);
		}
}

/* ---- why not --------------------------------------------------------------------------- */

static bool lists_same_axes(axis_list a, axis_list b)
{
	return a.n == b.n && (!a.n || axes_eq(a, b));
}

static bool known_refusal(const explanation *e, const obstacle *o)
{
	for (int i = 0; i < e->refused.len; i++) {
		const obstacle *k = &e->refused.ptr[i];
		if (k->why == o->why && k->dim == o->dim && lists_same_axes(k->axes, o->axes) &&
		    (o->dim >= 0 || k->op == o->op))
			return true;
	}
	return false;
}

static bool speaks_of_axis(axis_list l, const name *axis)
{
	for (int i = 0; i < l.n; i++)
		if (l.ptr[i].axis == axis)
			return true;
	return !axis;
}

/* Ten users may refuse for the same reason: one is reported. */
static void explain_refusals(trail *t, int dim, const name *axis, arena *mem, explanation *e)
{
	obstacle *all;
	int n = trail_obstacles(t, e->v, dim, &all);
	for (int i = 0; i < n; i++)
		if ((all[i].dim < 0 || speaks_of_axis(all[i].axes, axis)) &&
		    !known_refusal(e, &all[i]))
			vec_push(mem, &e->refused, all[i]);
}

void explain_value(module *m, trail *t, const value *v, int dim, const name *axis, arena *mem,
                   explanation *out)
{
	*out = (explanation){.m = m, .v = v, .sharding = value_sharding(m, v), .dim = dim};
	if (v->type->kind != TY_TENSOR)
		return;
	explain_axes(t, dim, axis, mem, out);
	explain_refusals(t, dim, axis, mem, out);
}
