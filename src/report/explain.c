/* explain.c - why a value is sharded, or is not.
 *
 * For each axis on each dimension, the step that put it there is looked up in the
 * trail, then the one that had put it on the step's source, and so on; each is older
 * than the one before, so the walk ends, at an annotation.
 *
 * What a value has not got is explained from the state that propagation ended in: an
 * axis that a neighbour holds on the same factor of an operation was refused for a
 * reason that still holds. */
#include "report/explain.h"

/* ---- names ------------------------------------------------------------------------ */

static bool hint_is(const value *v, tess_str text)
{
	return v->hint && str_eq(name_str(v->hint), text);
}

static const value *find_in_block(const block *b, tess_str text, uint32_t index)
{
	for (int i = 0; i < b->n_args; i++)
		if (hint_is(b->args[i], text))
			return b->args[i];
	for (const op *o = b->first; o; o = o->next) {
		if (o->n_results > (int)index && hint_is(&o->results[0], text))
			return &o->results[index];
		for (int r = 0; r < o->n_regions; r++)
			for (const block *inner = o->regions[r].first; inner; inner = inner->next) {
				const value *v = find_in_block(inner, text, index);
				if (v)
					return v;
			}
	}
	return NULL;
}

/* The argument whose location has this name, as JAX writes it: "params['w']". */
static const value *find_by_location(const block *b, tess_str text)
{
	for (int i = 0; i < b->n_args; i++) {
		const attr *loc = b->args[i]->loc;
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
	int64_t i = str_starts(text, "out") ? number_at(text, 3) : -1;
	return i >= 0 && end && i < end->n_operands ? operand(end, (int)i) : NULL;
}

value *explain_find(module *m, tess_str text)
{
	const op *main = module_main(m);
	if (!main || func_is_declaration(main))
		return NULL;
	const block *body = op_body(main);
	const value *v = find_by_location(body, text);
	bool percent = text.len && text.ptr[0] == '%';
	tess_str name = percent ? (tess_str){text.ptr + 1, text.len - 1} : text;
	const char *hash = memchr(name.ptr, '#', name.len);
	uint32_t index = 0;
	if (hash) {
		int64_t n = number_at(name, (size_t)(hash - name.ptr) + 1);
		index = n < 0 ? UINT32_MAX : (uint32_t)n;
		name.len = (size_t)(hash - name.ptr);
	}
	if (!v && index <= INT32_MAX)
		v = find_in_block(body, name, index);
	if (!v && !percent)
		v = find_result(body, text);
	return (value *)(uintptr_t)v;
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
		return s.dim == dim && axes_overlap_axis(s.after, a) && !axes_overlap_axis(s.before, a);
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

static void follow(const trail *t, const value *v, int dim, arena *mem, why_axis *out)
{
	int before = trail_count(t);
	while (v) {
		int i = step_that_added(t, v, dim, out->axis, before);
		why_step step = {.v = v, .dim = dim, .from_dim = -1, .cause = WHY_ANNOTATED};
		if (i >= 0) {
			trail_step s = trail_at(t, i);
			step.cause = cause_of(&s);
			step.through = s.op;
			step.from = s.from;
			step.round = s.round;
			step.priority = s.priority;
			if (s.from)
				step.from_dim = dim_with_axis(sharding_before(t, s.from, i), out->axis);
		} else if (!holds(trail_initial(t, v), dim, out->axis)) {
			step.cause = WHY_LOST;
		}
		vec_push(mem, &out->steps, step);
		if (i < 0 || step.from_dim < 0)
			return;
		before = i;
		v = step.from;
		dim = step.from_dim;
	}
}

static void explain_axes(const trail *t, arena *mem, explanation *e)
{
	for (int d = 0; e->sharding && d < e->sharding->rank; d++)
		for (int i = 0; i < e->sharding->dims[d].n_axes; i++) {
			why_axis a = {.dim = d, .axis = e->sharding->dims[d].axes[i]};
			follow(t, e->v, d, mem, &a);
			vec_push(mem, &e->axes, a);
		}
}

/* ---- why not --------------------------------------------------------------------------- */

static bool set_has(factor_set s, int factor)
{
	for (int i = 0; i < s.n; i++)
		if (s.factors[i] == factor)
			return true;
	return false;
}

static bool dim_has_factor(const dim_factors *d, int factor)
{
	for (int i = 0; i < d->n; i++)
		if (d->factors[i] == factor)
			return true;
	return false;
}

/* The dimension of a tensor that a factor belongs to; -1: none. */
static int factor_dim(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		if (dim_has_factor(&t->dims[d], factor))
			return d;
	return -1;
}

static const value *rule_tensor_value(const op *o, const sharding_rule *r, int tensor)
{
	return tensor < r->n_operands ? operand(o, tensor) : result(o, tensor - r->n_operands);
}

/* A tensor of the op that holds other axes on the factor: neither may have both. */
static const value *rival(module *m, const op *o, const sharding_rule *r, int factor, axis_ref a)
{
	for (int k = 0; k < r->n_operands + r->n_results; k++) {
		int d = factor_dim(&r->tensors[k], factor);
		const value *v = rule_tensor_value(o, r, k);
		const sharding *s = d >= 0 ? value_sharding(m, v) : NULL;
		if (s && d < s->rank && s->dims[d].n_axes && !holds(s, d, a))
			return v;
	}
	return NULL;
}

static enum why_not_reason reason_for(module *m, const trail *t, const explanation *e, why_not *n,
                                      const sharding_rule *r, int factor)
{
	const sharding *s = e->sharding, *initial = trail_initial(t, e->v);
	n->other_dim = dim_with_axis(s, n->axis);
	if (n->other_dim >= 0)
		return WHY_NOT_USED;
	if (initial && n->dim < initial->rank && !initial->dims[n->dim].open)
		return WHY_NOT_CLOSED;
	if (s && axes_overlap_axis((axis_list){s->replicated, s->n_replicated}, n->axis))
		return WHY_NOT_REPLICATED;
	if (set_has(r->need_replication, factor) || set_has(r->blocked, factor))
		return WHY_NOT_WHOLE;
	if (r->sizes[factor] < axis_size(n->axis, e->mesh))
		return WHY_NOT_ROOM;
	n->other = rival(m, n->through, r, factor, n->axis);
	return n->other ? WHY_NOT_CONFLICT : WHY_NOT_PROPAGATED;
}

static bool known_refusal(const explanation *e, int dim, axis_ref a)
{
	for (int i = 0; i < e->refused.len; i++)
		if (e->refused.ptr[i].dim == dim && axis_eq(e->refused.ptr[i].axis, a))
			return true;
	return false;
}

/* Axes that another tensor of `o` holds on the factor, and the value does not. */
static void refused_on_factor(module *m, const trail *t, arena *mem, explanation *e, const op *o,
                              const sharding_rule *r, int dim, int factor)
{
	for (int k = 0; k < r->n_operands + r->n_results; k++) {
		int d = factor_dim(&r->tensors[k], factor);
		const value *v = rule_tensor_value(o, r, k);
		const sharding *s = d >= 0 && v != e->v ? value_sharding(m, v) : NULL;
		if (!s || d >= s->rank || r->tensors[k].dims[d].n != 1)
			continue;
		for (int i = 0; i < s->dims[d].n_axes; i++) {
			axis_ref a = s->dims[d].axes[i];
			if (holds(e->sharding, dim, a) || known_refusal(e, dim, a))
				continue;
			why_not n = {.dim = dim, .axis = a, .through = o, .neighbour = v, .neighbour_dim = d};
			if (!e->mesh)
				e->mesh = sharding_mesh(m, s);
			n.reason = reason_for(m, t, e, &n, r, factor);
			vec_push(mem, &e->refused, n);
		}
	}
}

static void refused_by_op(module *m, const trail *t, arena *mem, explanation *e, const op *o,
                          int tensor)
{
	const sharding_rule *r = op_rule(m, o, 0, mem);
	if (!r || tensor >= r->n_operands + r->n_results)
		return;
	const tensor_factors *mine = &r->tensors[tensor < o->n_operands ? tensor : tensor - o->n_operands + r->n_operands];
	for (int d = 0; d < mine->rank; d++)
		for (int i = 0; i < mine->dims[d].n; i++)
			refused_on_factor(m, t, mem, e, o, r, d, mine->dims[d].factors[i]);
}

static void explain_refusals(module *m, const trail *t, arena *mem, explanation *e)
{
	const value *v = e->v;
	if (v->def)
		refused_by_op(m, t, mem, e, v->def, v->def->n_operands + (int)v->index);
	for (const use *u = v->uses; u; u = u->next)
		refused_by_op(m, t, mem, e, u->owner, use_index(u));
}

void explain_value(module *m, const trail *t, const value *v, arena *mem, explanation *out)
{
	*out = (explanation){.v = v, .sharding = value_sharding(m, v)};
	if (out->sharding)
		out->mesh = sharding_mesh(m, out->sharding);
	if (v->type->kind != TY_TENSOR)
		return;
	explain_axes(t, mem, out);
	explain_refusals(m, t, mem, out);
}
