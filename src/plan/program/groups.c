/* groups.c - union-find over the dimensions of all values.
 *
 * A dimension is represented by its major factor: a reshape of [b, s] to [b * s] ties the result to
 * b. Its minor factors are elements of their own, so that what they tie in other tensors of the op
 * stays together. Factors that every device needs whole, or along which sharding is not propagated,
 * do not tie dimensions. */
#include "plan/program/groups.h"

typedef struct dim_joins {
	module *m;
	arena *mem;
	int *first; /* by value id; -1 */
	VEC(int) parent;
	VEC(int64_t) size; /* of each element; 1: it belongs to no group */
	VEC(value *) values; /* with dimensions, in program order */
	rule_memo rules;
	VEC(int) seen; /* for the current op: the element of each factor; -1 */
} dim_joins;

/* ---- union-find ------------------------------------------------------------------------- */

static int join_root(dim_joins *t, int i)
{
	while (t->parent.ptr[i] != i) {
		t->parent.ptr[i] = t->parent.ptr[t->parent.ptr[i]];
		i = t->parent.ptr[i];
	}
	return i;
}

/* The earlier element remains the root, so that roots are first members. */
static void join_two(dim_joins *t, int a, int b)
{
	a = join_root(t, a);
	b = join_root(t, b);
	t->parent.ptr[a > b ? a : b] = a < b ? a : b;
}

static int join_element(dim_joins *t, int64_t size)
{
	int i = t->parent.len;
	vec_push(t->mem, &t->parent, i);
	vec_push(t->mem, &t->size, size);
	return i;
}

static void add_value(dim_joins *t, value *v)
{
	if (!type_is_tensor(v->type) || !v->type->is_static || !v->type->rank)
		return;
	t->first[v->id] = t->parent.len;
	for (int d = 0; d < v->type->rank; d++)
		join_element(t, v->type->dims[d]);
	vec_push(t->mem, &t->values, v);
}

static int dim_element(const dim_joins *t, const value *v, int dim)
{
	return t->first[v->id] < 0 ? -1 : t->first[v->id] + dim;
}

/* ---- what ties --------------------------------------------------------------------------- */

/* Ties the dimensions of two values that are one value; in a manual computation their sizes are
 * smaller. */
static void join_values(dim_joins *t, const value *a, const value *b)
{
	if (t->first[a->id] < 0 || t->first[b->id] < 0 || a->type->rank != b->type->rank)
		return;
	for (int d = 0; d < a->type->rank; d++)
		if (a->type->dims[d] == b->type->dims[d])
			join_two(t, dim_element(t, a, d), dim_element(t, b, d));
}

static bool factor_joins(const sharding_rule *r, int factor)
{
	return r->sizes[factor] > 1 && !factor_in_set(&r->need_replication, factor) &&
	       !factor_in_set(&r->blocked, factor);
}

/* Ties a dimension of an op to earlier ones with the same factors. */
static void join_factors(dim_joins *t, const sharding_rule *r, const dim_factors *d, int element)
{
	int *seen = t->seen.ptr;
	bool major = true;
	for (int i = 0; i < d->n; i++) {
		int f = d->factors[i];
		if (r->sizes[f] <= 1)
			continue;
		int mine = major ? element : -1;
		major = false;
		if (!factor_joins(r, f))
			continue;
		if (seen[f] < 0)
			seen[f] = mine >= 0 ? mine : join_element(t, r->sizes[f]);
		else if (mine >= 0)
			join_two(t, seen[f], mine);
	}
}

static void join_by_rule(dim_joins *t, const op *o)
{
	const sharding_rule *r = rule_memo_get(&t->rules, o, t->mem);
	if (!r || r->n_operands != o->n_operands || r->n_results != (int)o->n_results)
		return;
	vec_reserve(t->mem, &t->seen, r->n_factors);
	for (int f = 0; f < r->n_factors; f++)
		t->seen.ptr[f] = -1;
	for (int i = 0; i < r->n_operands + r->n_results; i++) {
		const value *v = i < r->n_operands ? operand(o, i) : result(o, i - r->n_operands);
		if (t->first[v->id] < 0 || r->tensors[i].rank != v->type->rank)
			continue;
		for (int d = 0; d < v->type->rank; d++)
			join_factors(t, r, &r->tensors[i].dims[d], dim_element(t, v, d));
	}
}

static void join_flow_of(dim_joins *t, const value *owner)
{
	const use *source;
	const value *target;
	for (int k = 0; (source = flow_source(owner, k)); k++)
		join_values(t, owner, source->value);
	for (int k = 0; (target = flow_other_target(owner, k)); k++)
		join_values(t, owner, target);
}

/* Ties the inputs, the values in the regions, and the results. */
static void join_flow(dim_joins *t, const op *o)
{
	for (int i = 0; i < (int)o->n_results; i++)
		join_flow_of(t, result(o, i));
	const block *body = op_has(o, LISTED) ? op_body(o) : NULL;
	for (int i = 0; body && i < body->n_args; i++)
		join_flow_of(t, body->args[i]);
}

static void join_call(dim_joins *t, const op *o)
{
	const op *callee = call_callee(t->m, o);
	const block *body = callee ? op_body(callee) : NULL;
	for (int i = 0; body && i < o->n_operands && i < body->n_args; i++)
		join_values(t, operand(o, i), body->args[i]);
	for (int i = 0; body && body->last && i < (int)o->n_results && i < body->last->n_operands; i++)
		join_values(t, result(o, i), operand(body->last, i));
}

static void join_op(dim_joins *t, const op *o)
{
	if (o->kind == OP_FUNC_CALL)
		join_call(t, o);
	else if (op_has(o, DATA_FLOW | LISTED))
		join_flow(t, o);
	else if (op_has(o, EDGE))
		join_values(t, operand(o, 0), result(o, 0));
	else
		join_by_rule(t, o);
}

/* ---- groups ------------------------------------------------------------------------------- */

static void add_block_args(dim_joins *t, const op *o)
{
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_block(o, r); b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				add_value(t, b->args[i]);
}

static void add_values(dim_joins *t)
{
	op *main = module_main_or_only(t->m);
	if (main)
		add_block_args(t, main);
	for (op *o = t->m->top; o; o = op_next(o, t->m->top)) {
		if (o != main)
			add_block_args(t, o);
		for (int i = 0; i < (int)o->n_results; i++)
			add_value(t, result(o, i));
	}
}

static int64_t gcd_of_sizes(int64_t a, int64_t b) { return a ? gcd_i64(a, b) : b; }

typedef VEC(dim_group) dim_group_list;

/* Numbers the groups and counts their members; of[element] becomes the number. */
static void number_groups(dim_joins *t, int *of, dim_group_list *g)
{
	for (int k = 0; k < t->values.len; k++) {
		const value *v = t->values.ptr[k];
		for (int d = 0; d < v->type->rank; d++) {
			int e = dim_element(t, v, d);
			if (v->type->dims[d] <= 1)
				continue;
			int root = join_root(t, e);
			if (of[root] < 0) {
				of[root] = g->len;
				vec_push(t->mem, g, (dim_group){0});
			}
			of[e] = of[root];
			dim_group *to = &g->ptr[of[e]];
			to->n++;
			to->size = max_i64(to->size, v->type->dims[d]);
			to->even = gcd_of_sizes(to->even, v->type->dims[d]);
		}
	}
}

/* True for the second dimension of a value in one group; it is counted for the first one. */
static bool is_conflict(const int *of_value, int rank, int dim)
{
	for (int d = 0; d < dim; d++)
		if (of_value[d] == of_value[dim])
			return false;
	for (int d = dim + 1; d < rank; d++)
		if (of_value[d] == of_value[dim])
			return true;
	return false;
}

typedef VEC(group_member) member_vec;

static void list_members(dim_joins *t, const int *of, dim_group *g, int n)
{
	member_vec *conflicts = NEW_N(t->mem, member_vec, n);
	group_member **at = NEW_N(t->mem, group_member *, n);
	for (int i = 0; i < n; i++)
		g[i].members = at[i] = NEW_N(t->mem, group_member, g[i].n);
	for (int k = 0; k < t->values.len; k++) {
		value *v = t->values.ptr[k];
		const int *mine = of + t->first[v->id];
		for (int d = 0; d < v->type->rank; d++) {
			if (mine[d] < 0)
				continue;
			*at[mine[d]]++ = (group_member){v, d};
			if (is_conflict(mine, v->type->rank, d))
				vec_push(t->mem, &conflicts[mine[d]], (group_member){v, d});
		}
	}
	for (int i = 0; i < n; i++) {
		g[i].conflicts = conflicts[i].ptr;
		g[i].n_conflicts = conflicts[i].len;
	}
}

void groups_find(module *m, arena *mem, dim_groups *out)
{
	dim_joins t = {.m = m, .mem = mem, .rules = {.m = m, .mem = mem}};
	t.first = arena_alloc(mem, sizeof *t.first * (size_t)m->n_values);
	memset(t.first, -1, sizeof *t.first * (size_t)m->n_values);
	add_values(&t);
	for (op *o = m->top; o; o = op_next(o, m->top))
		join_op(&t, o);
	int *of = arena_alloc(mem, sizeof *of * (size_t)t.parent.len);
	memset(of, -1, sizeof *of * (size_t)t.parent.len);
	dim_group_list g = {0};
	number_groups(&t, of, &g);
	list_members(&t, of, g.ptr, g.len);
	*out = (dim_groups){g.len, g.ptr, m->n_values, t.first, of};
}
