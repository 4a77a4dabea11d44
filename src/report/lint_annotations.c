/* lint_annotations.c - checks the program's own annotations, before propagation. */
#include "report/lint_walk.h"

/* True if one list of axes extends the other and the shorter dimension is open, as for {"x", ?} and
 * {"x", "y"}: then both can be satisfied. */
static bool both_can_be(const dim_sharding *a, const dim_sharding *b)
{
	return (a->open && axes_prefix_of(dim_axes(a), dim_axes(b))) ||
	       (b->open && axes_prefix_of(dim_axes(b), dim_axes(a)));
}

static int contradictory_dim(const sharding *a, const sharding *b)
{
	int d = clashing_dim(a, b);
	while (d >= 0 && d < a->rank &&
	       (axes_eq(dim_axes(&a->dims[d]), dim_axes(&b->dims[d])) ||
	        both_can_be(&a->dims[d], &b->dims[d])))
		d++;
	return d >= 0 && d < a->rank ? d : -1;
}

static void check_constraints(lint_walk *w)
{
	for (const op *o = w->in->given->top; o; o = op_next(o, w->in->given->top)) {
		if (o->kind != OP_SDY_SHARDING_CONSTRAINT)
			continue;
		const value *v = operand(o, 0);
		const sharding *mine = o->results[0].sharding;
		if (value_def(v) && !value_def_of(v, OP_SDY_SHARDING_CONSTRAINT))
			continue;
		int d = contradictory_dim(sharding_under(w, v), mine);
		if (d >= 0)
			found(w,
			      (finding){
				      .kind = LINT_CONSTRAINTS_DISAGREE,
				      .v = v,
				      .o = o,
				      .bytes = max_i64(type_bytes(v->type), 0),
				      .at = op_place(w->in->given, o),
				      .advice = "keep one of the two, each change costs a reshard"},
			      "%s is %s, then at once constrained to %s: dimension %d differs",
			      value_words(w, v), sharding_words(w, sharding_under(w, v)),
			      sharding_words(w, mine), d);
	}
}

/* True if the op may itself sum up the terms; its result's sharding then says whether it does. */
static bool may_reduce(const op *o)
{
	static const bool may[OP_COUNT] = {
	    [OP_SDY_RESHARD] = true,
	    [OP_SDY_SHARDING_CONSTRAINT] = true,
	    [OP_SDY_MANUAL_COMPUTATION] = true,
	    [OP_SDY_NAMED_COMPUTATION] = true,
	    [OP_FUNC_CALL] = true,
	    [OP_CUSTOM_CALL] = true,
	};
	return may[o->kind] || op_has(o, COLLECTIVE);
}

static bool keeps_unreduced(const sharding *from, const sharding *to)
{
	for (int i = 0; i < from->n_unreduced; i++) {
		bool kept = false;
		for (int k = 0; k < to->n_unreduced; k++)
			kept = kept || axis_prefix_of(from->unreduced[i], to->unreduced[k]);
		if (!kept)
			return false;
	}
	return true;
}

static void check_unreduced(lint_walk *w)
{
	for (const op *o = w->in->given->top; o; o = op_next(o, w->in->given->top)) {
		if (o->n_results != 1 || o->results[0].sharding == NULL || may_reduce(o))
			continue;
		for (int i = 0; i < o->n_operands; i++) {
			const sharding *s = sharding_under(w, operand(o, i));
			if (!s || keeps_unreduced(s, o->results[0].sharding))
				continue;
			found(w,
			      (finding){
				      .kind = LINT_UNREDUCED_LOST,
				      .o = o,
				      .v = operand(o, i),
				      .bytes = max_i64(type_bytes(o->results[0].type), 0),
				      .at = op_place(w->in->given, o),
				      .advice =
					      "keep `unreduced` on the result, or reshard on purpose"},
			      "%s takes %s, which is unreduced, and returns a %s result",
			      op_short_name(o), value_words(w, operand(o, i)),
			      o->results[0].sharding->n_unreduced ? "less unreduced" : "reduced");
		}
	}
}

/* ---- state whose update is sharded differently ---------------------------------------------- */

static void check_updates(lint_walk *w)
{
	const op *f = module_main(w->in->global);
	const block *b = f ? op_body(f) : NULL;
	for (int i = 0; b && i < b->n_args; i++) {
		const attr *alias = attrs_get(&op_func(f)->arg_attrs[i], N_tf_aliasing_output);
		int64_t r = alias && alias->kind == AT_INT ? alias->i : -1;
		if (r < 0 || r >= op_func(f)->type->n_out)
			continue;
		const value *v = b->args[i];
		int d = clashing_dim(v->sharding, op_func(f)->result_shardings[r]);
		if (d >= 0)
			found(w,
			      (finding){
				      .kind = LINT_UPDATE_MISMATCH,
				      .v = v,
				      .bytes = max_i64(type_bytes(v->type), 0),
				      .advice =
					      "give both the same sharding: donation is lost, and the "
					      "next step reshards"},
			      "%s is %s, but the result %" PRId64 " that replaces it is %s",
			      value_words(w, v), sharding_words(w, sharding_under(w, v)), r,
			      sharding_words(w, op_func(f)->result_shardings[r]));
	}
}

/* ---- constraints without effect ------------------------------------------------------------- */

static bool says_nothing(const sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].n_axes || !s->dims[d].open)
			return false;
	return !s->n_replicated && !s->n_unreduced;
}

static void check_dead(lint_walk *w)
{
	for (const op *o = w->in->given->top; o; o = op_next(o, w->in->given->top)) {
		const sharding *s = o->kind == OP_SDY_SHARDING_CONSTRAINT ? o->results[0].sharding
		                                                          : NULL;
		if (!s || !s->rank)
			continue;
		bool again = sharding_under(w, operand(o, 0)) == s;
		if (again || says_nothing(s))
			found(w,
			      (finding){.kind = LINT_DEAD_CONSTRAINT,
			                .v = operand(o, 0),
			                .o = o,
			                .at = op_place(w->in->given, o),
			                .advice = again ? "drop it"
			                                : "name an axis, or close a dimension"},
			      again ? "the constraint %s repeats what %s is annotated with"
			            : "the constraint %s leaves every dimension of %s open",
			      sharding_words(w, s), value_words(w, operand(o, 0)));
	}
}

/* ---- priorities ------------------------------------------------------------------------- */

typedef struct priority_note {
	const name *axis;
	int64_t priority;
	const value *v; /* the value annotated with it */
} priority_note;
typedef VEC(priority_note) priority_notes;

/* Notes the priorities in `s`, the sharding of `v`. */
static void note_priorities(lint_walk *w, priority_notes *l, const value *v, const sharding *s,
                            const op *at)
{
	for (int d = 0; s && d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++) {
			priority_note n = {s->dims[d].axes[i].axis, max_i64(s->dims[d].priority, 0),
			                   v};
			const priority_note *k = NULL;
			for (int j = 0; j < l->len && !k; j++)
				k = l->ptr[j].axis == n.axis ? &l->ptr[j] : NULL;
			if (!k)
				vec_push(w->mem, l, n);
			else if (k->priority != n.priority)
				found(w,
				      (finding){
					      .kind = LINT_MIXED_PRIORITIES,
					      .v = v,
					      .o = at,
					      .advice =
						      "give the axis one priority: where it is lower it has "
						      "spread before the other's turn comes"},
				      "axis \"%s\" has priority %" PRId64 " on %s, and %" PRId64
				      " on %s",
				      n.axis->s, n.priority, value_words(w, v), k->priority,
				      value_words(w, k->v));
		}
}

static void check_priorities(lint_walk *w)
{
	const op *f = module_main(w->in->given);
	const block *b = f ? op_body(f) : NULL;
	priority_notes l = {0};
	for (int i = 0; b && i < b->n_args; i++)
		note_priorities(w, &l, b->args[i], b->args[i]->sharding, NULL);
	for (const op *o = f ? op_next(f, f) : NULL; o; o = op_next(o, f))
		if (o->kind == OP_SDY_SHARDING_CONSTRAINT)
			note_priorities(w, &l, &o->results[0], o->results[0].sharding, o);
	const op *end = b ? block_terminator(b) : NULL;
	for (int i = 0; end && i < end->n_operands; i++)
		note_priorities(w, &l, operand(end, i), op_func(f)->result_shardings[i], end);
}

/* ---- results and meshes --------------------------------------------------------------------- */

static void check_returned(lint_walk *w)
{
	const op *f = module_main(w->in->given);
	const op *end = f && op_body(f) ? block_terminator(op_body(f)) : NULL;
	for (int i = 0; end && i < op_func(f)->type->n_out; i++) {
		const sharding *s = op_func(f)->result_shardings[i];
		if (s && s->n_unreduced)
			found(w,
			      (finding){
				      .kind = LINT_RETURNED_PARTIAL,
				      .v = operand(end, i),
				      .o = end,
				      .at = op_place(w->in->given, end),
				      .bytes = max_i64(type_bytes(operand(end, i)->type), 0),
				      .advice =
					      "reshard it to its reduced form before it is returned"},
			      "result %d, %s, is declared unreduced: its parts are not added when it leaves the program",
			      i, value_words(w, operand(end, i)));
	}
}

static bool devices_stand_alike(const mesh *a, const mesh *b)
{
	for (int64_t p = 0; p < a->n_devices; p++)
		if (mesh_device_at(a, p) != mesh_device_at(b, p))
			return false;
	return true;
}

static void check_meshes(lint_walk *w)
{
	const op *first = NULL;
	for (const op *o = module_body(w->in->given)->first; o; o = o->next) {
		const mesh *m = op_declared_mesh(o);
		if (!m || m->n_devices < 2)
			continue;
		if (!first) {
			first = o;
			continue;
		}
		const mesh *other = op_declared_mesh(first);
		if (other->n_devices == m->n_devices && !devices_stand_alike(other, m))
			found(w,
			      (finding){
				      .kind = LINT_DEVICE_ORDER,
				      .o = o,
				      .at = op_place(w->in->given, o),
				      .advice =
					      "give both the same device_ids, unless the order is meant: every "
					      "value that crosses is sent to another device"},
			      "mesh @%s orders the devices otherwise than mesh @%s",
			      op_symbol(o)->s, op_symbol(first)->s);
	}
}

void lint_annotations(lint_walk *w)
{
	check_constraints(w);
	check_unreduced(w);
	check_updates(w);
	check_dead(w);
	check_priorities(w);
	check_returned(w);
	check_meshes(w);
}
