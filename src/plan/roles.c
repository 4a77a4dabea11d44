/* roles.c - what arguments and groups of dimensions are used for.
 *
 * Names are not used. The batch is the group with the most bytes of values of the program, also in
 * loops and functions, among the groups that no value has which is carried from step to step; if two
 * have equally many, the one that stands first in their shapes. Some argument has it, or a loop takes
 * parts of one that do. Activations have it, parameters do not. Arguments that
 * have it are data. Of the other arguments, those from which some product is computed are
 * parameters, and the rest are moments. Of the groups of parameters, the one with the most bytes of
 * them is the width, along which layers follow one another. The inner groups are chosen so that no
 * parameter has two of them, as Megatron's columns and rows require: a product whose result has an
 * inner group is followed by one that sums over it. */
#include "plan/roles.h"

#include <stdlib.h>

typedef struct group_facts {
	double value_bytes;     /* of values inside main */
	double parameter_bytes; /* of parameters that have the group */
	int n_parameters;       /* number of these */
	int first_dim;          /* sum of its positions in their shapes */
	double state_bytes;     /* of arguments that have a next state */
	bool argument, data; /* some argument has it; some data has it */
	bool expert;
} group_facts;

typedef VEC(const plan_site *) site_refs;

typedef struct role_search {
	const plan_subject *s;
	plan_roles *out;
	arena *mem;
	site_role *of;
	group_facts *facts;
	double all_parameters; /* bytes */
	site_refs *parameters_of; /* by group */
	bool *is_inner;           /* by group */
} role_search;

static double tensor_bytes_of(const type *t) { return (double)max_i64(type_bytes(t), 0); }

/* Groups of fewer parameters are dimensions of data, perhaps positions. */
enum { SHARE_OF_DATA = 20 };

/* ---- the batch -------------------------------------------------------------------------- */

static bool has_group_twice(const dim_groups *g, const value *v, int k)
{
	int n = 0;
	for (int d = 0; d < v->type->rank; d++)
		n += group_of(g, v, d) == k;
	return n > 1;
}

/* Adds a value's bytes to each of its groups, slightly more to those that stand first in the shape.
 * A group that it has twice, as attention scores have the sequence, is not a batch. */
static void weigh_value(role_search *w, const value *v)
{
	const dim_groups *g = &w->out->groups;
	int rank = type_is_tensor(v->type) && v->type->is_static ? v->type->rank : 0;
	for (int d = 0; d < rank; d++) {
		int k = group_of(g, v, d);
		if (k >= 0 && !has_group_twice(g, v, k))
			w->facts[k].value_bytes += tensor_bytes_of(v->type) * (1 - 1e-3 * d);
	}
}

static void note_argument(role_search *w, const plan_site *s, bool data)
{
	for (int d = 0; d < s->type->rank; d++) {
		int k = group_of(&w->out->groups, s->v, d);
		if (k < 0)
			continue;
		w->facts[k].argument = true;
		w->facts[k].data |= data;
	}
}

/* Values that are carried from step to step are not data. @return their bytes */
static double weigh_state(role_search *w)
{
	double all = 0;
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *s = &w->s->sites[i];
		if (s->kind != SITE_RESULT || s->follows < 0)
			continue;
		all += tensor_bytes_of(s->type);
		for (int d = 0; d < s->type->rank; d++) {
			int k = group_of(&w->out->groups, w->s->sites[s->follows].v, d);
			if (k >= 0)
				w->facts[k].state_bytes += tensor_bytes_of(s->type);
		}
	}
	return all;
}

static int find_batch(role_search *w)
{
	const op *top = w->s->m->top;
	const dim_groups *g = &w->out->groups;
	int best = -1;
	for (const op *o = top; o; o = op_next(o, top))
		for (int i = 0; i < (int)o->n_results; i++)
			weigh_value(w, result(o, i));
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_ARGUMENT || plan_divides_argument(w->s->sites[i].v))
			note_argument(w, &w->s->sites[i], false);
	double state = weigh_state(w);
	for (int any = 0; any < 2 && best < 0; any++) /* if the state has all groups, takes any
						       * of them */
		for (int k = 0; k < g->n; k++)
			if (w->facts[k].argument &&
			    (any || w->facts[k].state_bytes * SHARE_OF_DATA <= state) &&
			    (best < 0 || w->facts[k].value_bytes > w->facts[best].value_bytes))
				best = k;
	return best;
}

static bool has_group(const dim_groups *g, const value *v, int k)
{
	for (int d = 0; d < v->type->rank; d++)
		if (group_of(g, v, d) == k)
			return true;
	return false;
}

/* ---- arguments ---------------------------------------------------------------------------- */

/* Finds from which values products are computed, by id. */
static bool *values_for_products(const module *m, arena *mem)
{
	const block *b = op_body(module_main(m));
	bool *needed = NEW_N(mem, bool, m->n_values);
	for (const op *o = b->last; o; o = o->prev) {
		bool for_product = op_has(o, PRODUCT) || op_n_regions(o) || o->kind == OP_GATHER;
		for (int i = 0; i < (int)o->n_results; i++)
			for_product |= needed[o->results[i].id];
		for (int i = 0; for_product && i < o->n_operands; i++)
			needed[operand(o, i)->id] = true;
	}
	return needed;
}

static site_role role_of_argument(const role_search *w, const plan_site *s, int batch,
                                  const bool *needed)
{
	if (!dtype_is_float(s->type->dtype) || (batch >= 0 && has_group(&w->out->groups, s->v, batch)))
		return ROLE_INPUT;
	return needed[s->v->id] ? ROLE_PARAMETER : ROLE_MOMENT;
}

static void find_roles_of_arguments(role_search *w, int batch)
{
	const bool *needed = values_for_products(w->s->m, w->mem);
	for (int i = 0; i < w->s->n_sites; i++) {
		if (w->s->sites[i].kind != SITE_ARGUMENT)
			continue;
		w->of[i] = role_of_argument(w, &w->s->sites[i], batch, needed);
		if (w->of[i] == ROLE_INPUT)
			note_argument(w, &w->s->sites[i], true);
	}
}

/* Finds which values are computed from parameters only, by id. */
static bool *made_of_parameters(const role_search *w)
{
	const module *m = w->s->m;
	bool *made = NEW_N(w->mem, bool, m->n_values);
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_ARGUMENT && w->of[i] == ROLE_PARAMETER)
			made[w->s->sites[i].v->id] = true;
	for (const op *o = op_body(module_main(m))->first; o; o = o->next) {
		bool all = o->n_operands > 0, any = false;
		for (int i = 0; i < o->n_operands; i++) {
			bool constant = value_def_has(operand(o, i), CONSTANT);
			any |= made[operand(o, i)->id];
			all &= constant || made[operand(o, i)->id];
		}
		for (int i = 0; i < (int)o->n_results; i++)
			made[o->results[i].id] = all && any;
	}
	return made;
}

/* A result of the same type as some data is not its next state, unless it takes the same memory. */
static void untie_data(role_search *w)
{
	for (int i = 0; i < w->s->n_sites; i++) {
		plan_site *s = &w->s->sites[i];
		if (s->kind == SITE_RESULT && s->follows >= 0 && !s->donated &&
		    w->of[s->follows] == ROLE_INPUT)
			s->follows = -1;
	}
}

static void find_roles_of_values(role_search *w, int batch, const bool *made)
{
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *s = &w->s->sites[i];
		if (s->kind == SITE_RESULT)
			w->of[i] = s->follows >= 0 ? w->of[s->follows] : ROLE_OTHER;
		else if (s->kind == SITE_VALUE)
			w->of[i] = made[s->v->id] ? ROLE_COPY
			           : batch >= 0 && has_group(&w->out->groups, s->v, batch)
			                   ? ROLE_PRODUCT
			                   : ROLE_OTHER;
	}
}

/* ---- groups of parameters -------------------------------------------------------------------- */

static void weigh_parameters(role_search *w)
{
	const dim_groups *g = &w->out->groups;
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *s = &w->s->sites[i];
		if (s->kind != SITE_ARGUMENT || w->of[i] != ROLE_PARAMETER)
			continue;
		w->all_parameters += tensor_bytes_of(s->type);
		for (int d = 0; d < s->type->rank; d++) {
			int k = group_of(g, s->v, d);
			if (k < 0)
				continue;
			w->facts[k].parameter_bytes += tensor_bytes_of(s->type);
			w->facts[k].first_dim += d;
			w->facts[k].n_parameters++;
		}
	}
}

/* Returns the dimension of the tensor whose first factor is `factor`, or -1. */
static int dim_along_factor(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		if (t->dims[d].n && t->dims[d].factors[0] == factor)
			return d;
	return -1;
}

/* In a product of a value with a parameter, finds factors that both of them and the result have. */
static void note_experts_of(role_search *w, const op *o, const value *p, int batch)
{
	const sharding_rule *r = op_rule(w->s->m, o, 0, w->mem);
	for (int f = 0; r && f < r->n_factors; f++) {
		const tensor_factors *mine = rule_operand(r, operand(o, 0) == p ? 0 : 1);
		int d = dim_along_factor(mine, f);
		int k = d >= 0 ? group_of(&w->out->groups, p, d) : -1;
		if (k >= 0 && k != batch && dim_along_factor(rule_result(r, 0), f) >= 0 &&
		    dim_along_factor(rule_operand(r, operand(o, 0) == p ? 1 : 0), f) >= 0)
			w->facts[k].expert = true;
	}
}

static void note_experts(role_search *w, const bool *made, int batch)
{
	for (const op *o = op_body(module_main(w->s->m))->first; o; o = o->next)
		if (op_has(o, PRODUCT) && o->n_operands == 2 && o->n_results == 1 &&
		    made[operand(o, 0)->id] != made[operand(o, 1)->id])
			note_experts_of(w, o, operand(o, made[operand(o, 0)->id] ? 0 : 1), batch);
}

typedef struct ranked_group {
	int group;
	group_facts facts;
} ranked_group;

static int by_parameter_bytes(const void *a, const void *b)
{
	const ranked_group *x = a, *y = b;
	if (x->facts.parameter_bytes != y->facts.parameter_bytes)
		return x->facts.parameter_bytes < y->facts.parameter_bytes ? 1 : -1;
	if (x->facts.data != y->facts.data) /* the width comes before inner groups */
		return x->facts.data ? -1 : 1;
	if (x->facts.first_dim != y->facts.first_dim)
		return x->facts.first_dim < y->facts.first_dim ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

/* Lists the parameters of each group. */
static void list_parameters_of(role_search *w)
{
	w->parameters_of = NEW_N(w->mem, site_refs, w->out->groups.n + 1);
	w->is_inner = NEW_N(w->mem, bool, w->out->groups.n + 1);
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *s = &w->s->sites[i];
		if (s->kind != SITE_ARGUMENT || w->of[i] != ROLE_PARAMETER)
			continue;
		for (int d = 0; d < s->type->rank; d++) {
			int k = group_of(&w->out->groups, s->v, d);
			if (k >= 0)
				vec_push(w->mem, &w->parameters_of[k], s);
		}
	}
}

/* True if some parameter has the group and an inner one. */
static bool meets_inner(const role_search *w, int k)
{
	for (int i = 0; i < w->parameters_of[k].len; i++) {
		const plan_site *s = w->parameters_of[k].ptr[i];
		for (int d = 0; d < s->type->rank; d++) {
			int other = group_of(&w->out->groups, s->v, d);
			if (other >= 0 && w->is_inner[other])
				return true;
		}
	}
	return false;
}

/* Groups are taken in the order of their bytes, as many for each use as are allowed. */
static void assign_group(role_search *w, int k, const group_facts *f)
{
	group_list *used = w->out->used;
	enum { SEVERAL = 3 }; /* if two parameters have it, it lies between them: columns, then
			       * rows */
	bool wide = f->parameter_bytes * 2 > w->all_parameters && f->n_parameters >= SEVERAL;
	if (f->data && f->parameter_bytes * SHARE_OF_DATA < w->all_parameters)
		return; /* a dimension of data, perhaps positions */
	vec_push(w->mem, &used[USE_FEATURE], k);
	if (f->expert)
		vec_push(w->mem, &used[USE_EXPERT], k);
	else if (wide && !used[USE_WIDTH].len)
		vec_push(w->mem, &used[USE_WIDTH], k);
	else if (f->parameter_bytes > 0 && !meets_inner(w, k)) {
		vec_push(w->mem, &used[USE_INNER], k);
		w->is_inner[k] = true;
	}
}

static void find_uses_of_parameters(role_search *w, int batch)
{
	const dim_groups *g = &w->out->groups;
	ranked_group *ranked = NEW_N(w->mem, ranked_group, g->n + 1);
	int n = 0;
	list_parameters_of(w);
	for (int k = 0; k < g->n; k++)
		if (k != batch && w->facts[k].parameter_bytes > 0)
			ranked[n++] = (ranked_group){k, w->facts[k]};
	if (n)
		qsort(ranked, (size_t)n, sizeof *ranked, by_parameter_bytes);
	for (int i = 0; i < n; i++)
		assign_group(w, ranked[i].group, &ranked[i].facts);
	const group_list *inner = &w->out->used[USE_INNER], *width = &w->out->used[USE_WIDTH];
	for (int i = 0; i < inner->len && width->len; i++)
		if (g->ptr[inner->ptr[i]].size > g->ptr[width->ptr[0]].size)
			vec_push(w->mem, &w->out->used[USE_HIDDEN], inner->ptr[i]);
}

static bool group_listed(const group_list *l, int k)
{
	for (int i = 0; i < l->len; i++)
		if (l->ptr[i] == k)
			return true;
	return false;
}

/* Finds dimensions of the data, in the order of its shapes, that are neither the batch nor used
 * otherwise. */
static void find_sequences(role_search *w, int batch)
{
	group_list *used = w->out->used;
	for (int i = 0; i < w->s->n_sites; i++) {
		const plan_site *s = &w->s->sites[i];
		if (s->kind != SITE_ARGUMENT || w->of[i] != ROLE_INPUT)
			continue;
		for (int d = 0; d < s->type->rank; d++) {
			int k = group_of(&w->out->groups, s->v, d);
			if (k >= 0 && k != batch && !group_listed(&used[USE_SEQUENCE], k) &&
			    !group_listed(&used[USE_WIDTH], k) && !group_listed(&used[USE_INNER], k) &&
			    !group_listed(&used[USE_EXPERT], k))
				vec_push(w->mem, &used[USE_SEQUENCE], k);
		}
	}
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static int64_t small_argument(const role_search *w)
{
	enum { SHARE = 10000 };
	double all = 0;
	for (int i = 0; i < w->s->n_sites; i++)
		if (w->s->sites[i].kind == SITE_ARGUMENT)
			all += tensor_bytes_of(w->s->sites[i].type);
	return (int64_t)(all / SHARE);
}

void plan_roles_of(const plan_subject *s, arena *mem, plan_roles *out)
{
	*out = (plan_roles){0};
	role_search w = {.s = s, .out = out, .mem = mem};
	groups_find(s->m, mem, &out->groups);
	w.facts = NEW_N(mem, group_facts, out->groups.n + 1);
	out->of = w.of = NEW_N(mem, site_role, s->n_sites + 1);
	int batch = find_batch(&w);
	find_roles_of_arguments(&w, batch);
	untie_data(&w);
	const bool *made = made_of_parameters(&w);
	find_roles_of_values(&w, batch, made);
	weigh_parameters(&w);
	note_experts(&w, made, batch);
	if (batch >= 0)
		vec_push(mem, &out->used[USE_BATCH], batch);
	find_uses_of_parameters(&w, batch);
	find_sequences(&w, batch);
	out->small = small_argument(&w);
}
