/* subject.c - the program that is planned: without the annotations that the plan chooses, and with
 * the sites where it may annotate. */
#include "plan/plan.h"

#include <stdlib.h>

/* ---- what stays ------------------------------------------------------------------------ */

/* True if an operation exists to move its operand, and names the axes of its operand and result. */
static bool says_axes(const op *o)
{
	return op_has(o, COLLECTIVE | RESHARDS) && op_sharding_attr(o->kind) != N_sdy_sharding;
}

/* True if a collective that uses the value removes axes from it or adds some, so that it needs the
 * given ones. */
static bool is_taken_apart(const value *v)
{
	for (const use *u = v->uses; u; u = u->next)
		if (says_axes(u->owner) && op_has(u->owner, COLLECTIVE))
			return true;
	return false;
}

/* A constraint only says how its operand is sharded, unless a collective follows. Where the user
 * has found that worth saying, a plan may annotate, too: *places gets these shardings, by the
 * value's id. */
static void erase_constraints(module *m, const sharding **places)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (o->kind != OP_SDY_SHARDING_CONSTRAINT || is_taken_apart(result(o, 0)))
			continue;
		places[operand(o, 0)->id] = o->results[0].sharding;
		value_replace_uses(result(o, 0), operand(o, 0));
		op_erase(o);
	}
}

/* Finds values whose shardings are kept in any case: the operands and results of operations that
 * exist to move them. */
static const bool *moved_values(const module *m, arena *mem)
{
	bool *moved = NEW_N(mem, bool, m->n_values);
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		if (!says_axes(o))
			continue;
		moved[o->results[0].id] = true;
		moved[operand(o, 0)->id] |= op_has(o, COLLECTIVE);
	}
	return moved;
}

static void forget_sharding(value *v, const bool *stays)
{
	if (!stays[v->id])
		v->sharding = NULL;
}

/* A sharding that an operation of main gives its own result is also a site. */
static void note_results(const module *m, const sharding **places)
{
	for (const op *o = op_body(module_main(m))->first; o; o = o->next)
		if (o->n_results == 1 && o->results[0].sharding && !places[o->results[0].id])
			places[o->results[0].id] = o->results[0].sharding;
}

static void forget_inner_shardings(module *m, const bool *stays)
{
	const op *main_func = module_main(m);
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		if (op_has(o, LISTED))
			continue;
		for (int i = 0; i < (int)o->n_results; i++)
			forget_sharding(result(o, i), stays);
		func *f = op_func(o);
		if (!f || o == main_func)
			continue;
		for (int i = 0; i < f->type->n_out; i++)
			f->result_shardings[i] = NULL;
		for (int i = 0; op_body(o) && i < op_body(o)->n_args; i++)
			forget_sharding(op_body(o)->args[i], stays);
	}
}

static void forget_outer_shardings(const op *main_func, const bool *stays)
{
	func *f = op_func(main_func);
	for (int i = 0; i < f->type->n_out; i++)
		f->result_shardings[i] = NULL;
	for (int i = 0; i < op_body(main_func)->n_args; i++)
		forget_sharding(op_body(main_func)->args[i], stays);
}

/* Removes the shardings that operations of main give their own results, constraints or not. */
static void forget_shardings_of_main(module *m, const sharding **places)
{
	for (op *o = op_body(module_main(m))->first; o; o = o->next) {
		if (o->n_results != 1 || !o->results[0].sharding)
			continue;
		places[o->results[0].id] = o->results[0].sharding;
		if (o->kind != OP_SDY_SHARDING_CONSTRAINT && !op_has(o, COLLECTIVE | RESHARDS))
			o->results[0].sharding = NULL;
	}
}

static void forget_shardings(module *m, plan_keep keep, const sharding **places, arena *mem)
{
	if (keep == PLAN_KEEP_ANNOTATIONS)
		return;
	if (keep == PLAN_KEEP_CONSTRAINTS) {
		forget_shardings_of_main(m, places);
		forget_outer_shardings(module_main(m), moved_values(m, mem));
		return;
	}
	erase_constraints(m, places);
	const bool *stays = moved_values(m, mem);
	note_results(m, places);
	forget_inner_shardings(m, stays);
	if (keep == PLAN_KEEP_NONE)
		forget_outer_shardings(module_main(m), stays);
}

/* ---- the mesh ------------------------------------------------------------------------------ */

static void note_use(void *arg, const sharding *s)
{
	bool *any = arg;
	*any |= s != NULL;
}

/* True if some sharding is left that names axes. */
static bool names_axes(const module *m)
{
	bool any = false;
	for (const op *o = m->top; o && !any; o = op_next(o, m->top))
		op_each_sharding(o, note_use, &any);
	return any;
}

static bool find_mesh(plan_subject *s, arena *mem)
{
	program_meshes all;
	module *m = s->m;
	program_meshes_of(m, mem, &all);
	s->given = all.len && all.ptr[0].mesh && all.ptr[0].mesh->n_axes ? all.ptr[0].mesh : NULL;
	if (s->given && !all.ptr[0].declared)
		return diag_error(m->ctx, NOWHERE, E_PLAN_MESH,
		                  "the program's mesh stands in its shardings; a plan needs one that "
		                  "is declared as sdy.mesh");
	if (s->given) {
		s->mesh_symbol = op_symbol(all.ptr[0].declared);
		return true;
	}
	s->mesh_symbol = module_fresh_symbol(m, name_known(m->ctx, N_mesh));
	return true;
}

/* ---- sites ------------------------------------------------------------------------------------ */

typedef VEC(plan_site) site_list;

static bool can_be_sharded(const type *t)
{
	return type_is_tensor(t) && t->is_static && t->rank > 0 && t->rank <= TESS_MAX_RANK && t->n_elems > 1;
}

/* A sharding that has not been removed is kept. */
static void add_argument_sites(const op *main_func, arena *mem, site_list *out)
{
	const block *b = op_body(main_func);
	for (int i = 0; i < b->n_args; i++)
		if (can_be_sharded(b->args[i]->type))
			vec_push(mem, out,
			         (plan_site){.kind = SITE_ARGUMENT,
			                     .number = i,
			                     .type = b->args[i]->type,
			                     .v = b->args[i],
			                     .follows = -1,
			                     .moment_of = -1,
			                     .fixed = b->args[i]->sharding != NULL});
}

static void add_result_sites(const op *main_func, arena *mem, site_list *out)
{
	const func *f = op_func(main_func);
	for (int i = 0; i < f->type->n_out; i++)
		if (can_be_sharded(f->type->out[i]))
			vec_push(mem, out,
			         (plan_site){.kind = SITE_RESULT,
			                     .number = i,
			                     .type = f->type->out[i],
			                     .follows = -1,
			                     .moment_of = -1,
			                     .fixed = f->result_shardings[i] != NULL});
}

/* True if the value is the result of a product, perhaps converted to another type. */
static bool is_of_product(const value *v)
{
	const op *o = value_def(v);
	return o && (op_has(o, PRODUCT) ||
	             (o->n_operands == 1 && op_is_pointwise(o) && value_def_has(operand(o, 0), PRODUCT)));
}

static bool looks_up(const op *o)
{
	return op_has(o, SELECTS | UPDATES) && !op_has(o, MOVES);
}

static bool is_result_of_pad(const value *v)
{
	const op *o = value_def(v);
	return o && o->kind == OP_PAD;
}

static bool adds_padded(const op *o)
{
	return o->kind == OP_ADD && (is_result_of_pad(operand(o, 0)) || is_result_of_pad(operand(o, 1)));
}

/* True for the last of several additions of padded values: the gradient of a value that was sliced. */
static bool is_put_together(const op *o)
{
	if (!adds_padded(o))
		return false;
	for (const use *u = o->results[0].uses; u; u = u->next)
		if (adds_padded(u->owner))
			return false;
	return true;
}

bool plan_divides_argument(const value *v)
{
	const op *o = v ? value_def(v) : NULL;
	if (!o || o->kind != OP_RESHAPE || value_def(operand(o, 0)) || v->type->rank <= operand(o, 0)->type->rank)
		return false;
	for (const use *u = v->uses; u; u = u->next)
		if (u->owner->kind == OP_WHILE)
			return true;
	return false;
}

/* Where a plan may say more than its arguments do: products; what they are added to, as a residual,
 * which is kept from layer to layer; what reads an argument and hands it on in another type, since
 * that is where stored parameters are gathered; what is put together of parts, which can be sent at
 * once there instead of part by part; and data that a loop takes in parts, of which no argument
 * says how each is sharded. The shardings of a manual computation say what its body computes, so
 * they are not a plan's. JAX can say nothing of the inner parts of an operation that it
 * decomposes. */
static bool is_pin(const op *o, const sharding *const *places)
{
	if (o->n_results != 1 || !can_be_sharded(o->results[0].type) || op_is_manual(o))
		return false;
	if (source_path(op_loc(o)) && !source_equation(o))
		return false;
	if (op_has(o, PRODUCT) || looks_up(o) || is_put_together(o) || places[o->results[0].id] ||
	    plan_divides_argument(result(o, 0)))
		return true;
	if (!op_is_pointwise(o))
		return false;
	return o->n_operands == 1 ? value_owner(operand(o, 0)) != NULL
	                          : o->n_operands == 2 && o->results[0].uses &&
	                                    o->results[0].uses->next &&
	                                    is_of_product(operand(o, 0)) != is_of_product(operand(o, 1));
}

static void add_value_sites(const op *main_func, const sharding *const *places, arena *mem,
                            site_list *out)
{
	int at = 0;
	for (op *o = op_body(main_func)->first; o; o = o->next, at++)
		if (is_pin(o, places))
			vec_push(mem, out,
			         (plan_site){.kind = SITE_VALUE,
			                     .number = at,
			                     .type = o->results[0].type,
			                     .v = result(o, 0),
			                     .follows = -1,
			                     .moment_of = -1,
			                     .fixed = o->results[0].sharding != NULL &&
			                              (o->kind != OP_SDY_SHARDING_CONSTRAINT ||
			                               is_taken_apart(result(o, 0)))});
}

/* ---- state: results that are arguments of the next step ------------------------------------------ */

typedef VEC(int) site_numbers;

typedef struct state_search {
	const module *m;
	arena *mem;
	int *site_of_arg;  /* by argument: its site, or -1 */
	const int *donors; /* by result; see func_donors() */
	update_walk walk;
	bool *taken; /* by site */
	const type *type; /* of the current result */
	site_numbers candidates;
} state_search;

static void note_candidate(void *user, const update_step *s)
{
	state_search *w = user;
	const value *v = s->v;
	if (value_def(v) || value_owner(v) != op_body(module_main(w->m)) || v->type != w->type)
		return;
	int site = w->site_of_arg[v->index];
	for (int i = 0; i < w->candidates.len; i++)
		if (w->candidates.ptr[i] == site)
			return;
	if (site >= 0)
		vec_push(w->mem, &w->candidates, site);
}

/* If one result is computed from moments and parameters, the parameter is the one that is left when
 * the moments have found their results. So results with fewer candidates come first. */
static site_numbers state_candidates(state_search *w, const value *v, const type *t)
{
	w->candidates = (site_numbers){0};
	w->type = t;
	updates_walk(&w->walk, v, note_candidate, w);
	return w->candidates;
}

/* Returns the first candidate that is not taken. */
static int first_candidate(const state_search *w, const site_numbers *candidates)
{
	int found = -1;
	for (int i = 0; i < candidates->len; i++) {
		int site = candidates->ptr[i];
		if (!w->taken[site] && (found < 0 || site < found))
			found = site;
	}
	return found;
}

typedef struct state_result {
	int site;
	site_numbers candidates;
} state_result;

static int by_candidates(const void *a, const void *b)
{
	const state_result *x = a, *y = b;
	if (x->candidates.len != y->candidates.len)
		return x->candidates.len < y->candidates.len ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

static void note_moments(site_list *sites, const state_result *r)
{
	int parameter = sites->ptr[r->site].follows;
	for (int i = 0; parameter >= 0 && i < r->candidates.len; i++)
		if (r->candidates.ptr[i] != parameter)
			sites->ptr[r->candidates.ptr[i]].moment_of = parameter;
}

static void match_state(state_search *w, site_list *sites, const op *ret)
{
	VEC(state_result) results = {0};
	for (int i = 0; i < sites->len; i++) {
		const plan_site *s = &sites->ptr[i];
		if (s->kind == SITE_RESULT && value_def(operand(ret, s->number)))
			vec_push(w->mem, &results,
			         (state_result){i, state_candidates(w, operand(ret, s->number),
			                                            s->type)});
	}
	if (results.len)
		qsort(results.ptr, (size_t)results.len, sizeof *results.ptr, by_candidates);
	for (int i = 0; i < results.len; i++) {
		const state_result *r = &results.ptr[i];
		plan_site *s = &sites->ptr[r->site];
		int donor = w->donors[s->number], site = donor >= 0 ? w->site_of_arg[donor] : -1;
		bool donated = site >= 0 && sites->ptr[site].type == s->type && !w->taken[site];
		s->donated = donated;
		s->follows = donated ? site : first_candidate(w, &r->candidates);
		if (s->follows >= 0)
			w->taken[s->follows] = true;
		note_moments(sites, r);
	}
}

static void find_state(const module *m, arena *mem, site_list *sites)
{
	const op *main_func = module_main(m);
	const block *b = op_body(main_func);
	state_search w = {.m = m, .mem = mem};
	w.site_of_arg = NEW_N(mem, int, b->n_args + 1);
	for (int i = 0; i < b->n_args; i++)
		w.site_of_arg[i] = -1;
	for (int i = 0; i < sites->len; i++)
		if (sites->ptr[i].kind == SITE_ARGUMENT)
			w.site_of_arg[sites->ptr[i].number] = i;
	w.donors = func_donors(m, main_func, mem);
	w.walk = update_walk_of(m, mem);
	w.taken = NEW_N(mem, bool, sites->len + 1);
	match_state(&w, sites, b->last);
}

/* ---- the whole ----------------------------------------------------------------------------------- */

/* Returns a collective among devices that it names, outside of manual computations; NULL: none. Called
 * functions may be parts of one. */
static const op *collective_of_main(const module *m, const op *main_func)
{
	for (const op *o = m->top; o; o = op_next(o, m->top))
		if (op_is_collective(o) && !says_axes(o) && op_enclosing(o, OP_FUNC_FUNC) == main_func &&
		    !op_enclosing(o, OP_SDY_MANUAL_COMPUTATION))
			return o;
	return NULL;
}

static bool is_plannable(const module *m)
{
	const op *main_func = module_main(m);
	if (!main_func || func_is_declaration(main_func))
		return diag_error(m->ctx, module_place(m), E_PLAN_PROGRAM,
		                  "there is nothing to plan: the program has no @main");
	const op *o = collective_of_main(m, main_func);
	if (o)
		return diag_error(m->ctx, op_place(m, o), E_PLAN_PROGRAM,
		                  "the program is already partitioned: %s outside of a manual "
		                  "computation is among devices; a plan needs the program as it was before",
		                  op_name(o));
	return module_wants_single_blocks((module *)(uintptr_t)m, "a plan");
}

/* Records the program's annotations at the sites, for its own mesh. */
static void note_given(const module *given, const sharding *const *places, arena *mem,
                       plan_subject *s)
{
	const op *main_func = module_main(given);
	s->given_at = NEW_N(mem, const sharding *, s->n_sites + 1);
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *site = &s->sites[i];
		const sharding *at =
			site->kind == SITE_ARGUMENT ? op_body(main_func)->args[site->number]->sharding
			: site->kind == SITE_RESULT ? op_func(main_func)->result_shardings[site->number]
						    : places[site->v->id];
		if (at && !site->fixed && at->mesh.symbol == s->mesh_symbol)
			s->given_at[i] = at;
	}
}

bool plan_subject_of(const module *given, plan_keep keep, arena *mem, plan_subject *out)
{
	*out = (plan_subject){0};
	if (!is_plannable(given))
		return false;
	module *m = module_clone(given);
	out->m = m;
	if (!find_mesh(out, mem))
		return false;
	const sharding **places = NEW_N(mem, const sharding *, m->n_values);
	forget_shardings(m, keep, places, mem);
	out->mesh_fixed = out->given && names_axes(m);
	if (!out->given)
		module_declare_mesh(m, NULL, out->mesh_symbol, mesh_of(m->ctx, NULL, 0, NULL, 0));
	site_list sites = {0};
	const op *main_func = module_main(m);
	add_argument_sites(main_func, mem, &sites);
	add_result_sites(main_func, mem, &sites);
	find_state(m, mem, &sites);
	add_value_sites(main_func, places, mem, &sites);
	out->sites = sites.ptr;
	out->n_sites = sites.len;
	note_given(given, places, mem, out);
	return true;
}
