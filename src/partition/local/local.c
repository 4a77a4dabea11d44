/* local.c - emits one op after the other, into regions and called functions.
 *
 * A global function becomes one local function for each combination of its arguments' spreads. A
 * small one that communicates is inlined at its calls instead, so that the caller keeps what it
 * fetches. */
#include "partition/local.h"

static local_fn *const local_fns[OP_COUNT] = {
#define LOCAL(id, fn) [OP_##id] = local_##fn,
#include "partition/local/local.def"
#undef LOCAL
};

/* A value on one device is not varying: all devices receive that one's. */
static void mark_varying(emitter *e, const op *o)
{
	if (e->failed || !fact_varies(e, o))
		return;
	for (int i = 0; i < o->n_results; i++)
		if (single_device(e, value_sharding(e->from, result(o, i))) < 0)
			fact_set_varying(e, result(o, i));
}

static void local_op(emitter *e, op *o)
{
	const op *was = e->b.like;
	local_fn *fn = local_fns[o->kind];
	arena_mark mark = arena_here(e->mem);
	e->b.like = o;
	e->stats->n_ops++;
	if (!local_single(e, o)) {
		terms_begin(e, o);
		if (fn)
			fn(e, o);
		else
			local_by_rule(e, o);
		terms_end(e);
	}
	mark_varying(e, o);
	e->b.like = was;
	e->ruled = NULL;
	e->rule = NULL;
	arena_back(e->mem, mark);
}

/* Emits all ops but the terminator. */
static void local_block(emitter *e, const block *b)
{
	for (op *o = b->first; o && o != b->last && !e->failed; o = o->next)
		local_op(e, o);
}

/* ---- operations with regions ----------------------------------------------------------------- */

static const spread *whole_of(emitter *e, const value *v)
{
	return spread_whole(&e->sp, value_rank(v));
}

static const type *local_type_of(emitter *e, const value *v, const spread *s)
{
	return spread_local_type(&e->sp, s, v->type);
}

/* The spread that the program wants of the value, or `otherwise`. */
static const spread *wanted_or(emitter *e, const value *v, const spread *otherwise)
{
	const spread *s = fact_wanted(e, v);
	return s ? s : otherwise;
}

static void finish_with(emitter *e, op *o, op *local, const spread *const *as)
{
	for (int i = 0; i < o->n_results; i++)
		local_result(e, o, i, as[i], result(local, i));
}

static op *make_local(emitter *e, const op *o, value *const *operands, const spread *const *as)
{
	const type **types = NEW_N(e->mem, const type *, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		types[i] = local_type_of(e, result(o, i), as[i]);
	return op_new_like(e->to, o, operands, o->n_operands, types, o->n_results);
}

/* ---- regions ---------------------------------------------------------------------------- */

/* What the terminator of `b` yields, in the given spreads. */
static value **yielded_values(emitter *e, const block *b, const spread *const *as)
{
	const op *end = b->last;
	value **v = NEW_N(e->mem, value *, end->n_operands);
	for (int i = 0; i < end->n_operands; i++)
		v[i] = fact_get(e, operand(end, i), as ? as[i] : whole_of(e, operand(end, i)));
	return v;
}

typedef struct region_border {
	const spread *const *args, *const *returned;
	const block *body; /* of the loop to which the region belongs; NULL: none */
} region_border;

/* True if the loop body returns its argument k unchanged. */
static bool keeps_argument(const block *body, int k)
{
	return body && operand(body->last, k) == body->args[k];
}

/* Makes region i of `local` from region i of `o`: its arguments have the spreads border.args, and
 * the terminator yields the values in the spreads border.returned (NULL: whole). */
static void local_region(emitter *e, const op *o, int i, op *local, region_border border)
{
	const block *from = op_block(o, i);
	block *was = e->b.at;
	int mark = facts_enter(e);
	e->b.at = block_new(e->to, op_region(local, i));
	for (int k = 0; k < from->n_args; k++) {
		const spread *s = border.args[k];
		value *arg = block_add_arg(e->to, e->b.at, local_type_of(e, from->args[k], s));
		value_take_name(e->to, arg, from->args[k]);
		fact_define(e, from->args[k], s, arg);
		if (keeps_argument(border.body, k))
			fact_set_invariant(e, from->args[k], operand(o, k), was);
	}
	local_block(e, from);
	if (!e->failed) {
		value **v = yielded_values(e, from, border.returned);
		build_op(&e->b, OP_RETURN, v, from->last->n_operands, NULL, 0, 0);
	}
	facts_leave(e, mark);
	e->b.at = was;
}

/* A loop-carried value has the same spread before, in and after the body. */
void local_while(emitter *e, op *o)
{
	const spread **as = NEW_N(e->mem, const spread *, o->n_operands);
	value **init = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++) {
		as[i] = wanted_or(e, result(o, i), fact_home(e, operand(o, i)));
		init[i] = fact_get(e, operand(o, i), as[i]);
	}
	op *local = make_local(e, o, init, as);
	local_region(e, o, 0, local, (region_border){as, NULL, op_block(o, 1)});
	local_region(e, o, 1, local, (region_border){as, as, op_block(o, 1)});
	build_put(&e->b, local);
	finish_with(e, o, local, as);
}

/* All devices take the same branch. */
void local_case(emitter *e, op *o)
{
	const spread **as = NEW_N(e->mem, const spread *, o->n_results);
	value *which = fact_get_whole(e, operand(o, 0));
	for (int i = 0; i < o->n_results; i++)
		as[i] = wanted_or(e, result(o, i), whole_of(e, result(o, i)));
	op *local = make_local(e, o, &which, as);
	for (int i = 0; i < op_n_regions(o); i++)
		local_region(e, o, i, local, (region_border){NULL, as, NULL});
	build_put(&e->b, local);
	finish_with(e, o, local, as);
}

void local_barrier(emitter *e, op *o)
{
	const spread **as = NEW_N(e->mem, const spread *, o->n_operands);
	value **v = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++) {
		as[i] = wanted_or(e, result(o, i), fact_home(e, operand(o, i)));
		v[i] = fact_get(e, operand(o, i), as[i]);
	}
	op *local = make_local(e, o, v, as);
	build_put(&e->b, local);
	finish_with(e, o, local, as);
}

/* ---- manual computations ------------------------------------------------------------------- */

static const sharding *border_sharding(const op *o, int known, int i)
{
	const attr *a = op_attr(o, known);
	return a && a->kind == AT_SHARDINGS && i < a->n ? a->shardings[i] : NULL;
}

static const spread *spread_at_border(emitter *e, const sharding *s, const value *v)
{
	if (!s || !type_is_tensor(v->type))
		return whole_of(e, v);
	return spread_of_sharding(&e->sp, s, sharding_mesh(e->from, s), v->type->rank);
}

static const sharding *inside_of(emitter *e, const op *o, const sharding *s)
{
	return s && op_is_manual(o) ? sharding_inside_manual(e->from, o, s)
	                                                 : s;
}

/* The free axes of a border sharding split what each device has: a part of the dimension. Seen from
 * outside they split the whole dimension. If they do not divide the part, these are two different
 * layouts, so such axes are removed from the border. */
static const sharding *divided_border(emitter *e, const op *o, const sharding *s, const type *part)
{
	if (!s || o->kind != OP_SDY_MANUAL_COMPUTATION || !type_is_tensor(part) ||
	    part->rank != s->rank)
		return s;
	const sharding *inside = sharding_inside_manual(e->from, o, s),
		       *even = evenly_sharded(e->from, inside, part);
	dim_sharding *dims = COPY_N(e->mem, inside->dims, s->rank);
	for (int d = 0; d < s->rank; d++)
		if (inside->dims[d].n_axes != s->dims[d].n_axes)
			dims[d] = even->dims[d];
	inside = sharding_with_dims(e->ctx, inside, dims, s->rank);
	return sharding_outside_manual(e->from, o, s, inside);
}

/* The digits of the manual axes. */
static digits manual_digits(emitter *e, const op *o)
{
	const attr *axes = op_attr(o, N_manual_axes), *in = op_attr(o, N_in_shardings);
	const attr *list = in && in->n ? in : op_attr(o, N_out_shardings);
	const sharding *s = list && list->kind == AT_SHARDINGS && list->n ? list->shardings[0]
	                                                                  : NULL;
	const mesh *m = s ? sharding_mesh(e->from, s) : NULL;
	digits l = {0, NULL};
	for (int i = 0; m && axes && i < axes->n; i++) {
		axis_ref a = axis_full(axes->list[i]->text);
		if (mesh_axis_size(m, a.axis) > 1)
			l = digits_join(e->mem, l, spread_digits(&e->sp, m, (axis_list){&a, 1}));
	}
	return l;
}

/* The body of a manual computation is local along the manual axes and a global program along the
 * others. So a value's spread inside is its spread outside without the manual digits, and the same
 * local value represents both. */
void local_manual(emitter *e, op *o)
{
	const block *body = op_body(o);
	digits outside = e->manual, inside = digits_join(e->mem, outside, manual_digits(e, o));
	for (int i = 0; i < o->n_operands && i < body->n_args; i++) {
		const sharding *s = divided_border(e, o, border_sharding(o, N_in_shardings, i),
		                                   body->args[i]->type);
		value *v = fact_get(e, operand(o, i), spread_at_border(e, s, operand(o, i)));
		e->manual = inside;
		fact_define(e, body->args[i],
		            spread_at_border(e, inside_of(e, o, s), body->args[i]), v);
		e->manual = outside;
	}
	e->manual = inside;
	local_block(e, body);
	e->manual = outside;
	for (int i = 0; i < o->n_results && !e->failed; i++) {
		value *v = operand(body->last, i);
		const sharding *s = divided_border(e, o, border_sharding(o, N_out_shardings, i),
		                                   v->type);
		value *local = fact_get(e, v, spread_at_border(e, inside_of(e, o, s), v));
		local_result(e, o, i, spread_at_border(e, s, result(o, i)), local);
	}
}

/* ---- functions --------------------------------------------------------------------------- */

static const type *signature_of(emitter *e, const op *f, const spread *const *args,
                                const spread *const *results)
{
	const type *t = op_func(f)->type;
	const type **in = NEW_N(e->mem, const type *, t->n_in);
	const type **out = NEW_N(e->mem, const type *, t->n_out);
	for (int i = 0; i < t->n_in; i++)
		in[i] = spread_local_type(&e->sp, args[i], t->in[i]);
	for (int i = 0; i < t->n_out; i++)
		out[i] = spread_local_type(&e->sp, results[i], t->out[i]);
	return type_list(e->ctx, TY_FUNCTION, in, t->n_in, out, t->n_out);
}

static const spread *leaving_spread(emitter *e, const op *f, int i, leaving how)
{
	value *v = operand(op_body(f)->last, i);
	const sharding *s = op_func(f)->result_shardings[i];
	if (!s && how == LEAVE_AS_IS)
		return fact_home(e, v);
	return fact_spread(e, s, value_rank(v));
}

op *local_function(emitter *e, const op *f, special_func *s, leaving how)
{
	const block *from = op_body(f);
	op *local = op_make(e->to, OP_FUNC_FUNC, NULL, 0, NULL, 0, 1);
	block *body = block_new(e->to, op_region(local, 0)), *was = e->b.at;
	local_func fn = {.body = body}, *outer = e->fn;
	bool called = e->calls > 0; /* forget the facts then: each call's spreads make new ones */
	int mark = called ? facts_enter(e) : 0, n = from->last->n_operands;
	value **v = NEW_N(e->mem, value *, n);
	e->b.at = body;
	e->fn = &fn;
	for (int i = 0; i < from->n_args; i++) {
		value *arg = block_add_arg(
			e->to, body, spread_local_type(&e->sp, s->args[i], from->args[i]->type));
		value_take_name(e->to, arg, from->args[i]);
		arg_set_loc(arg, value_loc(from->args[i]));
		int64_t device = single_device(e, from->args[i]->sharding);
		if (device >= 0)
			single_define(e, from->args[i], arg, device);
		else
			fact_define(e, from->args[i], s->args[i], arg);
	}
	for (int i = 0; i < n; i++)
		if (how == LEAVE_WHOLE || op_func(f)->result_shardings[i])
			fact_set_leaving(e, operand(from->last, i),
			                 fact_spread(e, op_func(f)->result_shardings[i],
			                             value_rank(operand(from->last, i))));
	local_block(e, from);
	s->results = NEW_N(e->keep, const spread *, n);
	for (int i = 0; i < n && !e->failed; i++) {
		s->results[i] = leaving_spread(e, f, i, how);
		v[i] = fact_get(e, operand(from->last, i), s->results[i]);
	}
	if (!e->failed) {
		e->b.like = from->last;
		build_op(&e->b, OP_FUNC_RETURN, v, n, NULL, 0, 0);
		op_set_func(e->to, local, func_new(e->to, signature_of(e, f, s->args, s->results)));
	}
	if (called)
		facts_leave(e, mark);
	e->b.at = was;
	e->fn = outer;
	return local;
}

void local_name(emitter *e, op *local, const op *f, const name *symbol)
{
	op_take_place(e->to, local, f);
	op_set_attr(e->to, local, N_sym_name, attr_string(e->ctx, symbol));
	if (op_attr(f, N_sym_visibility))
		op_set_attr(e->to, local, N_sym_visibility, op_attr(f, N_sym_visibility));
	op_append(module_body(e->to), local);
	module_add_symbol(e->to, local);
}

static special_func *find_special(emitter *e, const op *f, const spread *const *args)
{
	special_func *s = ptr_map_get(&e->funcs, f);
	while (s && memcmp(s->args, args, sizeof *args * (size_t)op_body(f)->n_args) != 0)
		s = s->older;
	return s;
}

void local_add_special(emitter *e, special_func *s)
{
	void **of = ptr_map_at(&e->funcs, e->keep, s->global);
	s->older = *of;
	*of = s;
}

/* Larger functions are not inlined. */
enum { MOST_IN_LINE = 64 };

/* A function fetches its values again in each call. If a small one is inlined, other ops can use
 * what it fetches, and it can use what they have fetched. */
static bool belongs_in_line(emitter *e, const op *f, op *local)
{
	int n = 0;
	bool communicates = false;
	for (int i = 0; i < op_body(f)->n_args; i++)
		if (single_device(e, op_body(f)->args[i]->sharding) >= 0)
			return false;
	for (op *o = local; o && n <= MOST_IN_LINE; o = op_next(o, local), n++)
		communicates |= op_has(o, COLLECTIVE);
	return communicates && n <= MOST_IN_LINE;
}

/* Returns the local function of `f` for arguments in these spreads, made if it is new; `at` is the
 * call. Returns NULL once an error is in the context. */
static const special_func *specialized(emitter *e, const op *f, const spread *const *args, place at)
{
	special_func *s = find_special(e, f, args);
	const op *cause = e->b.like;
	if (s && s->open) {
		e->failed = true;
		diag_error(e->ctx, at, E_PARTITION_RECURSION, "function @%s calls itself",
		           op_symbol(f)->s);
		return NULL;
	}
	if (s)
		return s;
	if (e->calls >= e->ctx->opts.max_depth) {
		e->failed = true;
		diag_error(e->ctx, at, E_PARTITION_RECURSION, "calls are nested more than %u deep",
		           e->ctx->opts.max_depth);
		return NULL;
	}
	s = NEW(e->keep, special_func);
	*s = (special_func){
		.global = f, .open = true, .args = COPY_N(e->keep, args, op_body(f)->n_args)};
	local_add_special(e, s);
	partition_stats stats = *e->stats;
	int origins = e->opts->origins ? e->opts->origins->len : 0;
	e->calls++;
	op *local = local_function(e, f, s, LEAVE_AS_IS);
	e->calls--;
	e->b.like = cause;
	if (e->failed)
		return NULL;
	s->open = false;
	s->in_line = belongs_in_line(e, f, local);
	if (!s->in_line) {
		s->symbol = module_fresh_symbol(e->to, op_symbol(f));
		local_name(e, local, f, s->symbol);
		return s;
	}
	*e->stats = stats;
	if (e->opts->origins)
		e->opts->origins->len = origins;
	return s;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool is_complete(emitter *e, const value *v)
{
	const stand_in *s = e->facts[v->id].copies;
	while (s && s->as->partial.n)
		s = s->older;
	return s != NULL;
}

/* Emits the body of a called function at the call. What it fetches of the arguments stays available
 * to the caller. */
static void local_in_line(emitter *e, op *o, const op *f, const spread *const *args)
{
	const block *body = op_body(f);
	global_facts *in = NEW_N(e->mem, global_facts, o->n_operands);
	global_facts *out = NEW_N(e->mem, global_facts, o->n_results);
	bool again = e->again;
	for (int i = 0; i < o->n_operands; i++)
		if (!is_complete(e, operand(o, i)))
			fact_get(e, operand(o, i), args[i]);
	int mark = facts_enter(e);
	for (int i = 0; i < o->n_operands; i++)
		fact_alias(e, body->args[i], e->facts[operand(o, i)->id], args[i]);
	for (int i = 0; i < o->n_results; i++)
		if (fact_goal(e, result(o, i)))
			fact_set_leaving(e, operand(body->last, i), fact_goal(e, result(o, i)));
	e->again = true;
	local_block(e, body);
	e->again = again;
	for (int i = 0; i < o->n_results; i++)
		out[i] = e->facts[operand(body->last, i)->id];
	for (int i = 0; i < o->n_operands; i++)
		in[i] = e->facts[body->args[i]->id];
	facts_leave(e, mark);
	for (int i = 0; i < o->n_operands && !e->failed; i++)
		fact_alias(e, operand(o, i), in[i], fact_home(e, operand(o, i)));
	for (int i = 0; i < o->n_results && !e->failed; i++) {
		fact_alias(e, result(o, i), out[i], wanted_or(e, result(o, i), out[i].home));
		fact_settle(e, result(o, i));
	}
}

/* A composite becomes a call of its decomposition, because what its name promises for whole values
 * need not hold for shards. */
void local_call(emitter *e, op *o)
{
	op *f = call_callee(e->from, o);
	if (!f || func_is_declaration(f)) {
		local_replicated(e, o);
		return;
	}
	const block *body = op_body(f);
	const spread **args = NEW_N(e->mem, const spread *, o->n_operands);
	value **v = NEW_N(e->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		args[i] = wanted_or(e, body->args[i], fact_home(e, operand(o, i)));
	const special_func *s = specialized(e, f, args, op_place(e->from, o));
	if (s && s->in_line)
		local_in_line(e, o, f, args);
	if (!s || s->in_line)
		return;
	for (int i = 0; i < o->n_operands; i++)
		v[i] = fact_get(e, operand(o, i), args[i]);
	op *local = make_local(e, o, v, s->results);
	if (o->kind == OP_COMPOSITE) {
		local->kind = OP_FUNC_CALL;
		local->attrs = (attr_list){0};
	}
	op_set_attr(e->to, local, N_callee, attr_symbol(e->ctx, s->symbol));
	build_put(&e->b, local);
	finish_with(e, o, local, s->results);
}

/* The functions that the op names are programs of devices, not parts of one program. */
void local_run_parallel(emitter *e, op *o)
{
	e->failed = true;
	diag_error(e->ctx, op_place(e->from, o), E_PARTITION_PARALLEL,
	           "'%s' op: it says itself which device runs what; tess eval runs it", op_name(o));
}
