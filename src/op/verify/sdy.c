/* sdy.c - the invariants of sdy ops, and of shardings in a program.
 *
 * Source: Shardy, dialect/sdy/ir/ops.td and verifiers.cc. */
#include "op/verify/sdy.h"

/* ---- constraints ---------------------------------------------------------------------- */

/* The sharding of the value behind propagation barriers. */
static const sharding *sharding_through_barriers(module *m, const value *v)
{
	return value_sharding(m, value_past_barriers((value *)v));
}

static bool constraint_ok(sdy_walk *w, const op *o)
{
	const sharding *s = o->results[0].sharding;
	if (!s)
		return sdy_error(w->m, o, E_SHARDING_KIND, "needs a sharding");
	if (!sdy_value_ok(w, (sdy_subject){o, "", 0, 1, RESULT_PART(o, 0)}, s, o->results[0].type))
		return false;
	const sharding *from = sharding_through_barriers(w->m, operand(o, 0));
	return !from || sdy_unreduced_ok(w->m, o, from, s, RED_SUM, (int)from->reduction);
}

/* ---- data-flow edges, barriers, named computations ------------------------------------ */

static bool edge_ok(sdy_walk *w, const op *o)
{
	module *m = w->m;
	const value *v = operand(o, 0);
	const op *def = value_def(v);
	if (!o->results[0].type->is_static)
		return sdy_error(m, o, E_EDGE, "is on %s, but must be on a static shape",
		                 type_words(m, o->results[0].type));
	if (!value_has_one_use(v))
		return sdy_error(m, o, E_EDGE, "must be the only use of its operand");
	if (o->kind == OP_SDY_FUNC_DATA_FLOW_EDGE) {
		const op *owner = value_op(v);
		return (def ? def->kind == OP_FUNC_CALL : op_is_func(owner)) ||
		       sdy_error(m, o, E_EDGE,
		                 "must be on a function's argument or a call's result");
	}
	if (def && str_starts(str_of(op_name(def)), "sdy.") && !op_has(def, DATA_FLOW)) {
		sdy_error(m, o, E_EDGE, "is on the result of %s, which is not a data-flow op",
		          op_name(def));
		diag_note(m->ctx, op_place(m, def), "defined here");
		return false;
	}
	return !o->results[0].sharding ||
	       sdy_value_ok(w, (sdy_subject){o, "", 0, 1, RESULT_PART(o, 0)},
	                    o->results[0].sharding, o->results[0].type);
}

static bool barrier_ok(module *m, const op *o)
{
	enum { BOTH_DIRECTIONS = 3 };
	return op_int(o, N_allowed_direction, 0) != BOTH_DIRECTIONS ||
	       sdy_error_at(m, o, PART(N_allowed_direction), E_BARRIER,
	                    "allows both directions, so it stops nothing; write NONE, FORWARD or "
	                    "BACKWARD");
}

static bool named_computation_ok(sdy_walk *w, const op *o)
{
	module *m = w->m;
	const block *b = op_body(o);
	if (!b)
		return sdy_error(m, o, E_REGION, "has no body");
	if (b->n_args != o->n_operands)
		return sdy_error(m, o, E_REGION, "has a body with %d arguments, but %d operands",
		                 b->n_args, o->n_operands);
	for (int i = 0; i < b->n_args; i++)
		if (b->args[i]->type != operand(o, i)->type)
			return sdy_error(m, o, E_REGION,
			                 "has a body whose argument %d is %s, but operand %d is %s",
			                 i, type_words(m, b->args[i]->type), i,
			                 type_words(m, operand(o, i)->type));
	const op *end = block_terminator(b);
	if (!end || end->kind != OP_SDY_RETURN)
		return sdy_error(m, o, E_REGION, "needs a body that ends in sdy.return");
	if (end->n_operands != o->n_results)
		return sdy_error(m, o, E_REGION,
		                 "has a body that returns %d values, but %d results",
		                 end->n_operands, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		if (operand(end, i)->type != o->results[i].type)
			return sdy_error(
				m, o, E_RESULT_TYPE,
				"has a body that returns %s as value %d, but result %d is %s",
				type_words(m, operand(end, i)->type), i, i,
				type_words(m, o->results[i].type));
	return sdy_shardings_ok(w, o, "in_shardings", N_in_shardings, o->n_operands,
	                        sdy_operand_type) &&
	       sdy_shardings_ok(w, o, "out_shardings", N_out_shardings, o->n_results,
	                        sdy_result_type);
}

/* ---- manual computations --------------------------------------------------------------------- */

/* The operands or the results of a manual computation, seen from outside and inside. */
typedef struct manual_side {
	const char *what; /* "operand" */
	int known;        /* attribute with the shardings */
	int n_global, n_local;
	const type *(*global)(const op *, int);
	const type *const *local;
} manual_side;

/* The place of axis `i` of dimension `d` of a sharding. */
static place dim_axis_place(const sharding_places *at, const sharding *s, int d, int i)
{
	for (int k = 0; k < d; k++)
		i += s->dims[k].n_axes;
	return at->axes ? at->axes[i] : at->all;
}

/* The number of shards of a dimension along manual axes; -1 with a diagnostic if a manual axis
 * follows a free one. */
static int64_t manual_shards(module *m, sdy_subject at, const sharding *s, int d,
                             const attr *manual)
{
	const mesh *me = sharding_mesh(m, s);
	int64_t shards = 1;
	for (int i = 0; i < s->dims[d].n_axes; i++) {
		axis_ref a = s->dims[d].axes[i];
		if (!manual_names_axis(manual, a.axis))
			continue;
		if (i && !manual_names_axis(manual, s->dims[d].axes[i - 1].axis)) {
			sharding_places p = op_sharding_places(m, at.o, at.part, s);
			diag_error(m->ctx, dim_axis_place(&p, s, d, i), E_MANUAL,
			           "'%s' op %s sharding %d has the manual axis %s after the free "
			           "axis %s on dimension %d; manual axes come first",
			           op_name(at.o), at.what, at.index, sdy_axis_words(m, a),
			           sdy_axis_words(m, s->dims[d].axes[i - 1]), d);
			return -1;
		}
		shards *= axis_size(a, me);
	}
	return shards;
}

static bool local_type_ok(module *m, sdy_subject at, const sharding *s, const type *global,
                          const type *local, const attr *manual)
{
	for (int d = 0; d < s->rank; d++)
		if (manual_shards(m, at, s, d, manual) < 0)
			return false;
	if (!is_ranked(global))
		return true;
	int64_t *dims = COPY_N(&m->ctx->scratch, global->dims, global->rank);
	for (int d = 0; d < s->rank && d < global->rank; d++) {
		int64_t k = manual_shards(m, at, s, d, manual);
		if (dim_dynamic(dims[d]))
			continue;
		if (dims[d] % k) {
			sharding_places p = op_sharding_places(m, at.o, at.part, s);
			return diag_error(m->ctx, p.dims ? p.dims[d] : p.all, E_MANUAL,
			                  "'%s' op %s %d has a dimension of size %" PRId64
			                  ", which %" PRId64 " manual shards do not divide",
			                  op_name(at.o), at.what, at.index, dims[d], k);
		}
		dims[d] /= k;
	}
	const type *want = tensor_like(m, global, dims, global->rank);
	return types_agree(local, want) ||
	       sdy_error_at(m, at.o, at.part, E_MANUAL,
	                    "%s %d has the local type %s, but its sharding makes it %s", at.what,
	                    at.index, type_words(m, local), type_words(m, want));
}

static bool manual_side_ok(sdy_walk *w, const op *o, const manual_side *side, const attr *manual)
{
	module *m = w->m;
	const attr *shardings = op_attr(o, side->known);
	if (!side->n_global && !side->n_local && (!shardings || !shardings->n))
		return true;
	if (!shardings)
		return sdy_error(m, o, E_SHARDING_COUNT, "needs shardings of its %ss", side->what);
	if (!sdy_shardings_ok(w, o, side->what, side->known, side->n_global, side->global))
		return false;
	if (side->n_global != side->n_local)
		return sdy_error(m, o, E_REGION, "has %d %ss, but its body has %d", side->n_global,
		                 side->what, side->n_local);
	for (int i = 0; i < side->n_global; i++)
		if (!local_type_ok(
			    m, (sdy_subject){o, side->what, i, 1, PART(side->known, ITEM(i))},
			    shardings->shardings[i], side->global(o, i), side->local[i], manual))
			return false;
	return true;
}

/* Checks that all shardings have one mesh, apart from empty meshes. */
static bool one_mesh(module *m, const op *o, const mesh **found)
{
	static const int known[] = {N_in_shardings, N_out_shardings};
	const attr *sides[] = {op_attr(o, known[0]), op_attr(o, known[1])};
	*found = NULL;
	for (int k = 0; k < 2; k++)
		for (int i = 0; sides[k] && i < sides[k]->n; i++) {
			const sharding *s = sides[k]->shardings[i];
			const mesh *me = s ? sharding_mesh(m, s) : NULL;
			if (!me || mesh_is_empty(me))
				continue;
			if (*found && *found != me)
				return diag_error(
					m->ctx,
					op_sharding_places(m, o, PART(known[k], ITEM(i)), s).mesh,
					E_MANUAL,
					"'%s' op has shardings on several meshes, but needs one",
					op_name(o));
			*found = me;
		}
	return true;
}

/* A border sharding need not name every manual axis: axes that it does not name are replicated, and
 * manual-axes-cleanup adds them. */
static bool manual_computation_ok(sdy_walk *w, const op *o)
{
	module *m = w->m;
	const attr *manual = op_attr(o, N_manual_axes);
	const block *b = op_body(o);
	const op *end = b ? block_terminator(b) : NULL;
	static const attr no_axes = {.kind = AT_MANUAL_AXES};
	if (!manual)
		manual = &no_axes;
	if (!b || !end || end->kind != OP_SDY_RETURN)
		return sdy_error(m, o, E_REGION, "needs a body that ends in sdy.return");
	for (int i = 0; i < manual->n; i++)
		if (!manual_leaves_free(m, o, manual->list[i]->text, PART(N_manual_axes, ITEM(i))))
			return false;
	const type **args = NEW_N(&m->ctx->scratch, const type *, b->n_args + 1);
	const type **rets = NEW_N(&m->ctx->scratch, const type *, end->n_operands + 1);
	for (int i = 0; i < b->n_args; i++)
		args[i] = b->args[i]->type;
	for (int i = 0; i < end->n_operands; i++)
		rets[i] = operand(end, i)->type;
	manual_side in = {"operand", N_in_shardings,   o->n_operands,
	                  b->n_args, sdy_operand_type, args};
	manual_side out = {"result",        N_out_shardings, o->n_results,
	                   end->n_operands, sdy_result_type, rets};
	if (!manual_side_ok(w, o, &in, manual) || !manual_side_ok(w, o, &out, manual))
		return false;
	const mesh *me;
	if (!one_mesh(m, o, &me))
		return false;
	for (int i = 0; me && i < manual->n; i++)
		if (mesh_axis_index(me, manual->list[i]->text) < 0)
			return sdy_error_at(m, o, PART(N_manual_axes, ITEM(i)), E_AXIS_UNKNOWN,
			                    "binds axis \"%s\", which its mesh does not have",
			                    manual->list[i]->text->s);
	return true;
}

/* ---- the walk ------------------------------------------------------------------------- */

static bool results_sharding_ok(sdy_walk *w, const op *o)
{
	if (!sdy_shardings_ok(w, o, "result", N_sdy_sharding, o->n_results, sdy_result_type))
		return false;
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].sharding &&
		    !sdy_value_ok(w, (sdy_subject){o, "result", i, o->n_results, RESULT_PART(o, i)},
		                  o->results[i].sharding, o->results[i].type))
			return false;
	return true;
}

static bool func_shardings_ok(sdy_walk *w, const op *o)
{
	const block *b = op_body(o);
	const type *t = op_func(o)->type;
	/* Shardings are in the values. Any that are still attributes are wrong, except those of the
	 * arguments of a declaration, which have no values. */
	for (int i = 0; i < t->n_in; i++) {
		const attr *a = attrs_get(&op_func(o)->arg_attrs[i], N_sdy_sharding);
		if (a && (b || a->kind != AT_SHARDING))
			return sdy_error_at(w->m, o, PART(N_arg_attrs, ITEM(i), N_sdy_sharding),
			                    E_SHARDING_KIND,
			                    "arg %d: sdy.sharding must be #sdy.sharding", i);
		if (a && !sdy_value_ok(w,
		                       (sdy_subject){o, "arg", i, -1,
		                                     PART(N_arg_attrs, ITEM(i), N_sdy_sharding)},
		                       a->sharding, t->in[i]))
			return false;
	}
	for (int i = 0; i < t->n_out; i++)
		if (attrs_get(&op_func(o)->result_attrs[i], N_sdy_sharding))
			return sdy_error_at(w->m, o, PART(N_res_attrs, ITEM(i), N_sdy_sharding),
			                    E_SHARDING_KIND,
			                    "result %d: sdy.sharding must be #sdy.sharding", i);
	for (int i = 0; b && i < b->n_args; i++)
		if (b->args[i]->sharding &&
		    !sdy_value_ok(w,
		                  (sdy_subject){o, "arg", i, -1,
		                                PART(N_arg_attrs, ITEM(i), N_sdy_sharding)},
		                  b->args[i]->sharding, b->args[i]->type))
			return false;
	for (int i = 0; i < t->n_out; i++)
		if (op_func(o)->result_shardings[i] &&
		    !sdy_value_ok(w,
		                  (sdy_subject){o, "result", i, -1,
		                                PART(N_res_attrs, ITEM(i), N_sdy_sharding)},
		                  op_func(o)->result_shardings[i], t->out[i]))
			return false;
	return true;
}

static bool named_ok(sdy_walk *w, const op *o)
{
	return named_computation_ok(w, o) && results_sharding_ok(w, o);
}

static bool propagation_barrier_ok(sdy_walk *w, const op *o)
{
	return barrier_ok(w->m, o) && results_sharding_ok(w, o);
}

typedef bool sdy_check(sdy_walk *w, const op *o);
static sdy_check *const sdy_checks[OP_COUNT] = {
    [OP_SDY_SHARDING_CONSTRAINT] = constraint_ok,
    [OP_SDY_RESHARD] = constraint_ok,
    [OP_SDY_DATA_FLOW_EDGE] = edge_ok,
    [OP_SDY_FUNC_DATA_FLOW_EDGE] = edge_ok,
    [OP_SDY_PROPAGATION_BARRIER] = propagation_barrier_ok,
    [OP_SDY_NAMED_COMPUTATION] = named_ok,
    [OP_SDY_MANUAL_COMPUTATION] = manual_computation_ok,
    [OP_SDY_ALL_GATHER] = sdy_collective_ok,
    [OP_SDY_ALL_SLICE] = sdy_collective_ok,
    [OP_SDY_ALL_TO_ALL] = sdy_collective_ok,
    [OP_SDY_COLLECTIVE_PERMUTE] = sdy_collective_ok,
    [OP_SDY_ALL_REDUCE] = sdy_collective_ok,
    [OP_SDY_REDUCE_SCATTER] = sdy_collective_ok,
    [OP_SDY_SHARDED_TO_UNREDUCED] = sdy_collective_ok,
    [OP_SDY_REPLICATED_TO_UNREDUCED] = sdy_collective_ok,
};

/* True unless an op with a check of its own, and without a body, has not exactly one operand and
 * one result, which bytecode may contain. */
static bool on_one_value(const op *o, sdy_check *check)
{
	return !check || check == named_ok || check == manual_computation_ok ||
	       (o->n_operands == 1 && o->n_results == 1);
}

bool sdy_verify(sdy_walk *w, const op *o)
{
	const attr *r = op_attr(o, N_sdy_sharding_rule);
	if (op_is_func(o))
		return func_shardings_ok(w, o);
	if (r && r->kind != AT_RULE)
		return sdy_error_at(w->m, o, PART(N_sdy_sharding_rule), E_SHARDING_KIND,
		                    "sdy.sharding_rule must be #sdy.op_sharding_rule");
	if (r && !rule_verify(w->m, o, r->rule))
		return false;
	if (!edges_ok(w->m, o))
		return false;
	sdy_check *check = sdy_checks[o->kind];
	if (!on_one_value(o, check))
		return sdy_error(w->m, o, E_OPERANDS, "takes one value and returns one, not %d and %d",
		                 o->n_operands, o->n_results);
	return (!check || check(w, o)) && results_sharding_ok(w, o);
}
