/* lint_collectives.c - finds communication that was probably not intended.
 *
 * The partitioner records, for each collective, which value it moves, from which sharding to which,
 * and for which operation; the kind of operation tells what went wrong. Anything that moves less
 * than `large` bytes is ignored. */
#include "report/lint_walk.h"

/* ---- what follows a collective -------------------------------------------------------- */

/* Follows the transposes and reshapes that restore the order of dimensions after a gather along
 * several dimensions, or along one that is not outermost. */
static const value *put_in_order(const value *v)
{
	while (value_has_one_use(v) && op_rearranges(v->uses->owner))
		v = &v->uses->owner->results[0];
	return v;
}

/* Returns the total size of all slices if the value is used by slices only; else 0. */
static int64_t sliced_to(const value *v)
{
	int64_t sum = 0;
	for (const use *u = v->uses; u; u = u->next) {
		if (!op_is_slice(u->owner) || use_index(u) != 0)
			return 0;
		sum = add_capped(sum, max_i64(type_bytes(u->owner->results[0].type), 0));
	}
	return sum;
}

static void check_sliced(lint_walk *w, const op *o)
{
	const value *v = put_in_order(&o->results[0]);
	bool gather = o->kind == OP_ALL_GATHER;
	int64_t used = sliced_to(v), bytes = type_bytes(v->type);
	if (!used || bytes < w->in->large || used > bytes / 2)
		return;
	found(w,
	      (finding){.kind = gather ? LINT_GATHER_THEN_SLICE : LINT_REDUCE_THEN_SLICE,
	                .o = o,
	                .v = v,
	                .bytes = bytes - used,
	                .advice = gather ? "an all_to_all or a collective_permute moves only what "
	                                   "is kept: shard the producer like the consumer"
	                                 : "a reduce_scatter sends half: shard the result of "
	                                   "the product"},
	      "%s makes %s whole, of which only a part is used", op_short_name(o),
	      value_words(w, v));
}

/* ---- for which operation ---------------------------------------------------------------- */

/* Returns the kind of finding if an operation makes one of its operands less sharded. */
static lint_kind kind_for_op(const op *cause)
{
	static const lint_kind kinds[OP_COUNT] = {
	    [OP_RESHAPE] = LINT_RESHAPE_LOSES,
	    [OP_GATHER] = LINT_INDEXED_DIM,
	    [OP_SCATTER] = LINT_INDEXED_DIM,
	    [OP_DYNAMIC_SLICE] = LINT_INDEXED_DIM,
	    [OP_DYNAMIC_UPDATE_SLICE] = LINT_INDEXED_DIM,
	    [OP_DYNAMIC_GATHER] = LINT_INDEXED_DIM,
	    [OP_TORCH_INDEX_SELECT] = LINT_INDEXED_DIM,
	    [OP_CONCATENATE] = LINT_JOINED_DIM,
	    [OP_SLICE] = LINT_JOINED_DIM,
	    [OP_PAD] = LINT_JOINED_DIM,
	    [OP_REVERSE] = LINT_JOINED_DIM,
	    [OP_SORT] = LINT_SORTED_DIM,
	    [OP_CHLO_TOP_K] = LINT_SORTED_DIM,
	    [OP_FFT] = LINT_WHOLE_DIM,
	    [OP_CHOLESKY] = LINT_WHOLE_DIM,
	    [OP_TRIANGULAR_SOLVE] = LINT_WHOLE_DIM,
	    [OP_REDUCE_WINDOW] = LINT_WHOLE_DIM,
	    [OP_SELECT_AND_SCATTER] = LINT_WHOLE_DIM,
	    [OP_CUSTOM_CALL] = LINT_WHOLE_DIM,
	    [OP_SDY_MANUAL_COMPUTATION] = LINT_MANUAL_GATHERS,
	    [OP_SDY_SHARDING_CONSTRAINT] = LINT_CONSTRAINT_GATHERS,
	    [OP_SDY_RESHARD] = LINT_CONSTRAINT_GATHERS,
	};
	/* 0 is a kind that is never about operations */
	return kinds[cause->kind] ? kinds[cause->kind] : LINT_OPERANDS_DISAGREE;
}

/* Returns the number that reports use, plus 1. */
static int collective_number(lint_walk *w, const op *collective)
{
	return (int)(intptr_t)*ptr_map_at(&w->numbers, w->mem, collective);
}

static const char *advice_for(lint_walk *w, lint_kind k, const collective_origin *c)
{
	int number = collective_number(w, c->local);
	switch (k) {
	case LINT_FULL_REPLICATION:
		return "shard dimensions that the operation only passes through, or give a custom call an "
		       "sdy.sharding_rule";
	case LINT_WEIGHT_GATHERED:
		return "shard the batch over the same axis, or drop the axis from the weight";
	case LINT_CONTRACTION_MISMATCH:
		return "shard both summed dimensions over the same axes: the product then needs one "
		       "reduction of its result";
	case LINT_RESHARD_IN_LOOP: return "reshard it once, before the loop";
	case LINT_RESHAPE_LOSES:
		return "shard the major one of the dimensions that are merged or split, by an axis whose "
		       "size divides it";
	case LINT_INDEXED_DIM:
		return "shard another dimension of the table, or the indices";
	case LINT_JOINED_DIM:
		return "shard another dimension, or stack along a new one";
	case LINT_SORTED_DIM: return "shard a dimension that is not sorted";
	case LINT_WHOLE_DIM: return "shard another dimension, one of the batch for instance";
	case LINT_CONSTRAINT_GATHERS:
		return "leave the dimension open ({?}, in JAX P.UNCONSTRAINED) or keep its axis";
	case LINT_RESULT_GATHERED:
		return "give the result a sharding in out_shardings, or none at all";
	case LINT_MANUAL_GATHERS: return "name the axis in in_specs too";
	default:
		if (!number)
			return "constrain both alike";
		return arena_printf(w->mem,
		                    "constrain both alike; `tess explain FILE --collective %d` "
		                    "says where each comes from",
		                    number - 1);
	}
}

/* ---- products ----------------------------------------------------------------------------- */

static bool summed_alike(const sharding *a, int i, const sharding *b, int k)
{
	return axes_eq(dim_axes(&a->dims[i]), dim_axes(&b->dims[k]));
}

/* True if a pair of contracting dimensions are both sharded, but differently. */
static bool sums_disagree(const lint_walk *w, const op *o)
{
	dot_dims d;
	const sharding *a = o->n_operands == 2 ? sharding_under(w, operand(o, 0)) : NULL;
	const sharding *b = o->n_operands == 2 ? sharding_under(w, operand(o, 1)) : NULL;
	if (!a || !b || o->kind == OP_CONVOLUTION || !op_dot_dims(w->in->global, o, &d))
		return false;
	for (int i = 0; i < d.n_contract; i++)
		if (a->dims[d.lhs_contract[i]].n_axes && b->dims[d.rhs_contract[i]].n_axes &&
		    !summed_alike(a, d.lhs_contract[i], b, d.rhs_contract[i]))
			return true;
	return false;
}

/* True if some axis of the operand also shards the result, perhaps on another dimension. Then
 * gathering the operand is what lets the devices along that axis share the work (FSDP). */
static bool shares_work(const lint_walk *w, const value *v, const op *o)
{
	const sharding *s = sharding_under(w, v), *r = o->results[0].sharding;
	for (int d = 0; s && r && d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			if (sharding_uses_axis(r, s->dims[d].axes[i]))
				return true;
	return false;
}

/* The operations that is followed through from a use back to an argument. */
static const bool follows_operand[OP_COUNT] = {
    [OP_CONVERT] = true,
    [OP_TRANSPOSE] = true,
    [OP_RESHAPE] = true,
    [OP_SLICE] = true,
    [OP_DYNAMIC_SLICE] = true,
    [OP_OPTIMIZATION_BARRIER] = true,
    [OP_SDY_RESHARD] = true,
    [OP_SDY_SHARDING_CONSTRAINT] = true,
};

/* True if the value is a function argument in another form: converted, transposed, one layer's
 * slice, or carried into a loop. */
static bool from_argument(const value *v)
{
	enum { STEPS = 32 };
	for (int i = 0; v && i < STEPS; i++) {
		const op *o = value_op(v);
		if (!value_def(v) && o->kind != OP_WHILE)
			return op_func(o) != NULL;
		if (o->kind != OP_WHILE && !follows_operand[o->kind])
			return false;
		v = operand(o, o->kind == OP_WHILE ? (int)v->index : 0);
	}
	return false;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* True if the value is computed outside the loop around `cause`. */
static bool is_captured(const value *v, const op *cause)
{
	const op *loop = op_enclosing(cause, OP_WHILE);
	const op *inside = value_op(v);
	while (inside && inside != loop)
		inside = op_parent(inside);
	return loop && loop != cause && inside != loop;
}

/* True if the loop carries the value unchanged, so that every iteration gets the same one. */
static bool carried_unchanged(const value *v)
{
	const op *loop = value_def(v) ? NULL : value_op(v);
	if (!loop || loop->kind != OP_WHILE || value_owner(v) != op_block(loop, 1))
		return false;
	const op *end = block_terminator(value_owner(v));
	const value *next = end && (int)v->index < end->n_operands ? operand(end, (int)v->index)
	                                                           : NULL;
	return next && value_past_reshards((value *)next) == v;
}

/* ---- one collective -------------------------------------------------------------------------- */

static bool less_sharded(const op *o)
{
	return o->kind == OP_ALL_GATHER || o->kind == OP_ALL_TO_ALL ||
	       o->kind == OP_COLLECTIVE_PERMUTE;
}

static lint_kind kind_of_move(const lint_walk *w, const collective_origin *c)
{
	const op *loop = op_enclosing(c->local, OP_WHILE), *cause = c->cause;
	if (c->no_better_way)
		return LINT_FULL_REPLICATION;
	if (loop && (carried_unchanged(c->moved) || is_captured(c->moved, cause)) &&
	    while_trip_count(w->in->local, loop) != 1)
		return LINT_RESHARD_IN_LOOP;
	if (!cause || !cause->n_results)
		return LINT_RESULT_GATHERED;
	if (op_has(cause, PRODUCT) && sums_disagree(w, cause))
		return LINT_CONTRACTION_MISMATCH;
	if (op_has(cause, PRODUCT) && from_argument(c->moved))
		return LINT_WEIGHT_GATHERED;
	return kind_for_op(cause);
}

static void put_for(lint_walk *w, const collective_origin *c, writer *out)
{
	if (!c->cause || !c->cause->n_results)
		put_lit(out, "the results of @main");
	else
		put_f(out, "%s, which computes %s", op_short_name(c->cause),
		      value_words(w, &c->cause->results[0]));
	put_c(out, 0);
}

static void check_move(lint_walk *w, const collective_origin *c)
{
	const op *cause = c->cause;
	int64_t bytes = c->moved ? type_bytes(c->moved->type) : 0;
	writer reason;
	if (!c->moved || !less_sharded(c->local) || bytes < w->in->large)
		return;
	lint_kind k = kind_of_move(w, c);
	bool usual = k == LINT_WEIGHT_GATHERED || k == LINT_INDEXED_DIM;
	if (usual && from_argument(c->moved) && shares_work(w, c->moved, cause))
		return;
	if (k == LINT_RESULT_GATHERED && c->local->kind != OP_ALL_GATHER)
		return;
	writer_init(&reason, w->mem);
	put_for(w, c, &reason);
	found(w,
	      (finding){.kind = k,
	                .v = c->moved,
	                .o = cause && cause->at_size ? cause : NULL,
	                .bytes = bytes,
	                .collective = collective_number(w, c->local),
	                .advice = advice_for(w, k, c)},
	      "%s of %s from %s to %s for %s", op_short_name(c->local), value_words(w, c->moved),
	      c->before, c->after, reason.ptr);
}

/* Checks a collective that is part of the computation of one op, such as a lookup on all devices or
 * a halo exchange. */
static void check_part(lint_walk *w, const collective_origin *c)
{
	if (c->moved || !c->cause || !c->cause->n_operands)
		return;
	lint_kind k = kind_for_op(c->cause);
	const value *v = operand(c->cause, 0);
	int64_t bytes = max_i64(type_bytes(v->type), 0);
	if ((k != LINT_INDEXED_DIM && k != LINT_JOINED_DIM) || bytes < w->in->large)
		return;
	found(w,
	      (finding){.kind = k,
	                .v = v,
	                .o = c->cause,
	                .bytes = bytes,
	                .collective = collective_number(w, c->local),
	                .advice = advice_for(w, k, c)},
	      "%s in a sharded dimension of %s %s", op_short_name(c->cause), value_words(w, v),
	      sharding_words(w, sharding_under(w, v)));
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Counts the arguments of this type that a result replaces: parameters and optimizer state. */
static int updated_alike(const lint_walk *w, const type *t, int64_t *bytes)
{
	const op *f = module_main(w->in->global);
	int n = 0;
	for (int i = 0; f && i < op_body(f)->n_args; i++) {
		const value *v = op_body(f)->args[i];
		bool updated = attrs_get(&op_func(f)->arg_attrs[i], N_tf_aliasing_output) ||
		               attrs_get(&op_func(f)->arg_attrs[i], N_jax_buffer_donor);
		if (v->type == t && updated) {
			*bytes += shard_bytes(w->in->global, t, v->sharding);
			n++;
		}
	}
	return n;
}

/* Checks all-reduces after which each device could keep only a part of the sum. */
static void check_reduced(lint_walk *w, const collective_origin *c)
{
	const value *v = c->moved;
	if (!v || c->local->kind != OP_ALL_REDUCE || !v->type->rank || !value_def(v) ||
	    type_bytes(c->local->results[0].type) < w->in->large)
		return;
	if (kind_for_op(value_def(v)) == LINT_INDEXED_DIM) {
		found(w,
		      (finding){.kind = LINT_INDEXED_DIM,
		                .v = v,
		                .o = value_def(v),
		                .bytes = type_bytes(v->type),
		                .collective = collective_number(w, c->local),
		                .advice = advice_for(w, LINT_INDEXED_DIM, c)},
		      "%s in a sharded dimension of %s: each device contributes what it has, and all are "
		      "summed",
		      op_short_name(value_def(v)), value_words(w, operand(value_def(v), 0)));
		return;
	}
	int64_t state = 0;
	int n = updated_alike(w, v->type, &state);
	if (n)
		found(w,
		      (finding){
			      .kind = LINT_STATE_REPLICATED,
			      .v = v,
			      .o = value_def(v),
			      .bytes = state,
			      .collective = collective_number(w, c->local),
			      .advice =
				      "shard them over the axis that is summed over: a reduce-scatter, "
				      "and each device updates its part (ZeRO)"},
		      "the gradient %s is summed over devices that all hold %d tensors of its type whole",
		      value_words(w, v), n);
	else
		found(w,
		      (finding){
			      .kind = LINT_ACTIVATION_REDUCED,
			      .v = v,
			      .o = value_def(v),
			      .bytes = type_bytes(c->local->results[0].type),
			      .collective = collective_number(w, c->local),
			      .advice =
				      "shard it over the axis that is summed over (sequence parallelism): "
				      "a reduce_scatter sends half, and less is kept"},
		      "%s is completed whole on every device", value_words(w, v));
}

static void number_collectives(lint_walk *w)
{
	collective_list all;
	collectives_of(w->in->local, w->mem, &all);
	for (int i = all.len - 1; i >= 0; i--) /* backward, so that a function's collectives get the
	                                        * numbers of its first call */
		*ptr_map_at(&w->numbers, w->mem, all.ptr[i]) = (void *)(intptr_t)(i + 1);
}

void lint_collectives(lint_walk *w)
{
	number_collectives(w);
	for (int i = 0; i < w->in->n_origins; i++) {
		const collective_origin *c = &w->in->origins[i];
		if (!c->local->parent)
			continue; /* not called */
		check_move(w, c);
		check_part(w, c);
		check_reduced(w, c);
	}
	for (const op *o = w->in->local->top; o; o = op_next(o, w->in->local->top))
		if ((o->kind == OP_ALL_GATHER || o->kind == OP_ALL_REDUCE) && o->n_results == 1)
			check_sliced(w, o);
}
