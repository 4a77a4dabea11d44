/* strategy.c - the ways to divide an operation: for each axis of the mesh, one factor of its rule,
 * or none.
 *
 * Of a dimension with several factors only the major one is divided, since the blocks of a minor
 * one are not contiguous. An operation that is linear in all its operands may also run before terms
 * are summed. */
#include "plan/model/strategy.h"

/* Ways with more padding are not considered. */
static const double MOST_PADDING = 1.25;

enum { NO_FACTOR = -1, TERMS = -2, MAX_STRATEGIES = 4096 };

typedef struct divider {
	pricer *p;
	const op *o;
	const sharding_rule *r;
	const class_work *work;
	VEC(int) options; /* factors, NO_FACTOR, TERMS */
	VEC(strategy) found;
	VEC(plan_layout) layouts;
	strategy now;
	settled_axes settled;
} divider;

/* ---- what an axis can do -------------------------------------------------------------------------- */

static bool gives_sums(const op *o)
{
	return op_has(o, PRODUCT) || (o->kind == OP_REDUCE && op_body_kind(o, 0) == OP_ADD) ||
	       o->kind == OP_SCATTER;
}

/* True if the factor is the major one of each dimension that has it. */
static bool factor_is_major(const sharding_rule *r, int factor)
{
	for (int t = 0; t < r->n_operands + r->n_results; t++)
		for (int d = 0; d < r->tensors[t].rank; d++) {
			const dim_factors *f = &r->tensors[t].dims[d];
			bool first = true;
			for (int i = 0; i < f->n; i++) {
				if (f->factors[i] == factor && !first)
					return false;
				first = first && r->sizes[f->factors[i]] <= 1;
			}
		}
	return true;
}

static int dim_of_divided(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		for (int i = 0; i < t->dims[d].n; i++)
			if (t->dims[d].factors[i] == factor)
				return d;
	return -1;
}

/* True if dividing the factor divides every result, or leaves terms. */
static bool factor_divides_results(const divider *w, int factor)
{
	if (factor_in_set(&w->r->reduction, factor))
		return true;
	for (int i = 0; i < w->r->n_results; i++)
		if (result(w->o, i)->type->n_elems > 1 &&
		    dim_of_divided(rule_result(w->r, i), factor) < 0)
			return false;
	return true;
}

/* The window of a convolution crosses the border of a block; other operations would move most of
 * their data. */
static bool factor_can_shift(const divider *w, int factor)
{
	return !factor_in_set(&w->r->permutation, factor) || w->o->kind == OP_CONVOLUTION ||
	       w->o->kind == OP_REDUCE_WINDOW;
}

static void find_options(divider *w)
{
	const sharding_rule *r = w->r;
	vec_push(w->p->mem, &w->options, NO_FACTOR);
	for (int f = 0; f < r->n_factors && f < INT8_MAX; f++)
		if (r->sizes[f] > 1 && !factor_in_set(&r->need_replication, f) &&
		    !factor_in_set(&r->blocked, f) && factor_can_shift(w, f) &&
		    factor_is_major(r, f) && factor_divides_results(w, f))
			vec_push(w->p->mem, &w->options, f);
	if (op_has(w->o, LINEAR))
		vec_push(w->p->mem, &w->options, TERMS);
}

/* ---- layouts and work --------------------------------------------------------------------------------- */

static plan_layout tensor_layout(const divider *w, int tensor)
{
	plan_layout l = layout_whole();
	bool is_result = tensor >= w->r->n_operands;
	for (int a = 0; a < w->p->n_axes; a++) {
		int f = w->now.factor[a];
		int d = f >= 0 ? dim_of_divided(&w->r->tensors[tensor], f) : -1;
		if (f == TERMS)
			l.on[a] = LAYOUT_SUM;
		else if (d >= 0)
			l.on[a] = (int8_t)d;
		else if (f >= 0 && is_result && factor_in_set(&w->r->reduction, f))
			l.on[a] = gives_sums(w->o) ? LAYOUT_SUM : LAYOUT_TERM;
	}
	return l;
}

static const type *divided_type(const divider *w, int tensor)
{
	return tensor < w->r->n_operands ? operand(w->o, tensor)->type
	                                 : result(w->o, tensor - w->r->n_operands)->type;
}

/* Returns the share of the work that one device does, padding included. */
static double share_of_work(const divider *w)
{
	double share = 1;
	for (int f = 0; f < w->r->n_factors; f++) {
		int64_t shards = 1;
		for (int a = 0; a < w->p->n_axes; a++)
			if (w->now.factor[a] == f)
				shards *= w->p->size[a];
		share *= (double)ceil_div(w->r->sizes[f], shards) / (double)w->r->sizes[f];
	}
	return share;
}

/* Counts the rows that a convolution needs from its neighbors, as if the window had three rows. */
static double shift_seconds(const divider *w, const plan_layout *l)
{
	double sum = 0;
	for (int a = 0; a < w->p->n_axes; a++) {
		int f = w->now.factor[a];
		if (f < 0 || !factor_in_set(&w->r->permutation, f))
			continue;
		const type *t = divided_type(w, 0);
		double rows = (double)w->r->sizes[f] / (double)w->p->size[a];
		double bytes = layout_bytes(w->p, t, l[0]);
		sum += layout_shift(w->p, 2 * bytes / (rows > 1 ? rows : 1), a);
	}
	return sum;
}

/* Returns the share of the op's own tensors that a device has. What its cluster reads and writes
 * shrinks by the same factor. */
static double share_of_bytes(const divider *w, const plan_layout *l)
{
	double part = 0, all = 0;
	for (int i = 0; i < w->r->n_operands + w->r->n_results; i++) {
		part += layout_bytes(w->p, divided_type(w, i), l[i]);
		all += layout_bytes(w->p, divided_type(w, i), layout_whole());
	}
	return all > 0 ? part / all : 1;
}

static double run_seconds(const target *t, const class_work *k, double compute, double bytes)
{
	double traffic = traffic_seconds(t, bytes);
	return k->runs * t->launch_seconds + (compute > traffic ? compute : traffic);
}

static double work_seconds(const divider *w, const plan_layout *l)
{
	return run_seconds(w->p->t, w->work, w->work->compute * share_of_work(w),
	                   w->work->bytes * share_of_bytes(w, l)) +
	       shift_seconds(w, l);
}

/* ---- all ways ---------------------------------------------------------------------------------------------- */

static bool divides_well(const divider *w)
{
	for (int f = 0; f < w->r->n_factors; f++) {
		int64_t shards = 1;
		for (int a = 0; a < w->p->n_axes; a++)
			if (w->now.factor[a] == f)
				shards *= w->p->size[a];
		double padding = (double)(ceil_div(w->r->sizes[f], shards) * shards);
		if (shards > 1 && padding > MOST_PADDING * (double)w->r->sizes[f])
			return false;
	}
	return true;
}

static void add_strategy(divider *w)
{
	if (!divides_well(w))
		return;
	int n = w->r->n_operands + w->r->n_results, first = w->layouts.len;
	for (int t = 0; t < n; t++)
		vec_push(w->p->mem, &w->layouts, tensor_layout(w, t));
	w->now.seconds = work_seconds(w, w->layouts.ptr + first);
	vec_push(w->p->mem, &w->found, w->now);
}

static void divide_from(divider *w, int axis)
{
	if (axis == w->p->n_axes) {
		add_strategy(w);
		return;
	}
	for (int i = 0; i < w->options.len; i++) {
		if (w->settled.at[axis] != AXIS_FREE && w->settled.at[axis] != w->options.ptr[i])
			continue;
		w->now.factor[axis] = (int8_t)w->options.ptr[i];
		divide_from(w, axis + 1);
	}
}

/* If there are too many combinations of options, only the largest factors are kept. */
static void limit_options(divider *w)
{
	const sharding_rule *r = w->r;
	int most = 1;
	for (int n = w->options.len; most < n; most++) {
		double all = 1;
		for (int a = 0; a < w->p->n_axes; a++)
			all *= w->settled.at[a] == AXIS_FREE ? most + 1 : 1;
		if (all > MAX_STRATEGIES)
			break;
	}
	while (w->options.len > most) {
		int least = -1;
		for (int i = 0; i < w->options.len; i++)
			if (w->options.ptr[i] >= 0 &&
			    (least < 0 || r->sizes[w->options.ptr[i]] <= r->sizes[w->options.ptr[least]]))
				least = i;
		memmove(w->options.ptr + least, w->options.ptr + least + 1,
		        sizeof(int) * (size_t)(w->options.len - least - 1));
		w->options.len--;
	}
}

static void whole_only(divider *w, strategies *out)
{
	int n = w->o->n_operands + (int)w->o->n_results;
	strategy *s = NEW(w->p->mem, strategy);
	plan_layout *l = NEW_N(w->p->mem, plan_layout, n);
	memset(s->factor, NO_FACTOR, sizeof s->factor);
	s->seconds = run_seconds(w->p->t, w->work, w->work->compute, w->work->bytes);
	for (int i = 0; i < n; i++)
		l[i] = layout_whole();
	*out = (strategies){1, w->o->n_operands, (int)w->o->n_results, s, l};
}

static bool has_tensor_without_layouts(const op *o)
{
	bool any = false;
	for (int i = 0; i < o->n_operands; i++)
		any |= type_is_tensor(operand(o, i)->type) && operand(o, i)->type->rank > TESS_MAX_RANK;
	for (int i = 0; i < (int)o->n_results; i++)
		any |= type_is_tensor(result(o, i)->type) && result(o, i)->type->rank > TESS_MAX_RANK;
	return any;
}

void strategies_of(pricer *p, const op *o, const sharding_rule *r, const class_work *work,
                   settled_axes settled, strategies *out)
{
	divider w = {.p = p, .o = o, .r = r, .work = work, .settled = settled};
	if (!r || r->n_operands != o->n_operands || r->n_results != (int)o->n_results ||
	    has_tensor_without_layouts(o)) {
		whole_only(&w, out);
		return;
	}
	find_options(&w);
	limit_options(&w);
	memset(w.now.factor, NO_FACTOR, sizeof w.now.factor);
	divide_from(&w, 0);
	if (!w.found.len) {
		memset(w.now.factor, NO_FACTOR, sizeof w.now.factor);
		add_strategy(&w);
	}
	*out = (strategies){w.found.len, r->n_operands, r->n_results, w.found.ptr, w.layouts.ptr};
}

int layouts_of(pricer *p, const type *t, settled_axes settled, const plan_layout **out)
{
	VEC(plan_layout) list = {0};
	int places = type_has_layouts(t) ? t->rank + 1 : 1;
	int64_t all = 1;
	for (int a = 0; a < p->n_axes; a++)
		all *= places;
	for (int64_t code = 0; code < all; code++) {
		plan_layout l = layout_whole();
		int64_t rest = code;
		bool fits = true;
		for (int a = 0; a < p->n_axes; a++, rest /= places) {
			l.on[a] = (int8_t)(rest % places - 1);
			fits &= settled.at[a] == AXIS_FREE || settled.at[a] == l.on[a];
		}
		if (fits && (!code || layout_padding(p, t, l) <= 1))
			vec_push(p->mem, &list, l);
	}
	if (!list.len)
		vec_push(p->mem, &list, layout_whole());
	*out = list.ptr;
	return list.len;
}
