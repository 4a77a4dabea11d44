/* reshards.c - sdy-insert-explicit-reshards.
 *
 * The full version inserts reshards until every op with a sharding rule agrees with it. The partial
 * one is the default, because the partitioner after it decides the rest; it handles calls, products
 * (dot.c), concatenations whose operands and result differ, and all unreduced axes. */
#include "shardy/explicit/explicit.h"
#include "shardy/export/export.h"

typedef struct reshard_walk {
	module *m;
	insertion at;
	bool full;
	op *func;
	cons_tab agreed; /* of agreed_op: ops with shardings that need no reshard */
	uint64_t agrees; /* hash of the current op if it is to be added to them; else 0 */
} reshard_walk;

/* ---- a use whose sharding is given ---------------------------------------------------------- */

/* A value without a sharding counts as replicated; unreduced axes do not matter here. */
static bool needs_no_reshard(const sharding *from, const sharding *to)
{
	return from ? sharding_is_equivalent(from, to) : sharding_is_fully_replicated(to);
}

static bool reshard_use(reshard_walk *w, use *u, const sharding *to, bool after_value, bool full)
{
	const sharding *from = value_sharding(w->m, u->value), *now;
	if (after_value)
		insert_after_value(&w->at, u->value);
	if (from && !reduce_for_user(&w->at, u, &from, to))
		return false;
	if (!make_unreduced(&w->at, u, to, &now))
		return false;
	if (now)
		from = now;
	if (full && !needs_no_reshard(from, to))
		op_set_operand(u->owner, use_index(u),
		               insert_reshard(&w->at, u->value,
		                              to ? to : sharding_replicated(w->m->ctx, from->mesh,
		                                                            from->rank)));
	return true;
}

static bool reshard_returned(reshard_walk *w, op *end)
{
	insert_before(&w->at, end);
	for (int i = 0; i < end->n_operands && i < op_func(w->func)->type->n_out; i++)
		if (!reshard_use(w, &op_uses(end)[i], op_func(w->func)->result_shardings[i], false,
		                 w->full))
			return false;
	return true;
}

static bool reshard_sources(reshard_walk *w, const op *o, value *owner)
{
	const sharding *s = value_sharding(w->m, owner);
	use *source;
	if (value_def(owner) && op_is_manual(o))
		s = sharding_inside_manual(w->m, o, s);
	else if (op_is_manual(o)) {
		const attr *in = op_attr(o, N_in_shardings);
		s = in && (int)owner->index < in->n ? in->shardings[owner->index] : s;
	}
	for (int k = 0; (source = flow_source(owner, k)); k++)
		if (!reshard_use(w, source, s, true, w->full))
			return false;
	return true;
}

static bool reshard_flow(reshard_walk *w, op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (!reshard_sources(w, o, result(o, i)))
			return false;
	bool args = op_has(o, LISTED);
	for (int i = 0; args && i < op_body(o)->n_args; i++)
		if (!reshard_sources(w, o, op_body(o)->args[i]))
			return false;
	return true;
}

/* Finds the mesh of the first operand that is sharded over more than one device. */
static bool operand_mesh(const reshard_walk *w, const op *o, mesh_ref *out)
{
	for (int i = 0; i < o->n_operands; i++) {
		const sharding *s = value_sharding(w->m, operand(o, i));
		if (s && !is_on_one_device(w->m, s)) {
			*out = s->mesh;
			return true;
		}
	}
	return false;
}

static bool reshard_call_operands(reshard_walk *w, op *call)
{
	const op *f = call_callee(w->m, call);
	mesh_ref mesh;
	if (!f || op_func(f)->type->n_in != call->n_operands)
		return true;
	const sharding **want = func_arg_shardings(w->m, f, w->at.mem);
	if (!want && !operand_mesh(w, call, &mesh))
		return true;
	for (int i = 0; i < call->n_operands; i++) {
		const type *t = operand(call, i)->type;
		const sharding *to = want ? want[i]
		                          : sharding_replicated(w->m->ctx, mesh,
		                                                type_is_tensor(t) ? t->rank : 0);
		if (!reshard_use(w, &op_uses(call)[i], to, true, true))
			return false;
	}
	return true;
}

/* ---- the mesh of an op -------------------------------------------------------------------- */

/* Finds a mesh whose axes all shardings have, whatever the order of its devices; preferably one
 * with devices in order. */
static bool common_axes_mesh(const module *m, const sharding *const *s, int n, mesh_ref *ref)
{
	const mesh *found = NULL;
	for (int i = 0; i < n; i++) {
		const mesh *on = s[i] ? sharding_mesh(m, s[i]) : NULL;
		if (!on)
			continue;
		if (!found || mesh_is_empty(found) ||
		    (!mesh_is_empty(on) && mesh_same_axes(on, found) && !on->n_device_ids)) {
			found = on;
			*ref = s[i]->mesh;
		} else if (!mesh_is_empty(on) && !mesh_same_axes(on, found)) {
			return false;
		}
	}
	return found && !mesh_is_maximal(found);
}

/* Returns, among meshes that differ only in device order, the one that most shardings have. */
static mesh_ref most_common_mesh(const sharding *const *s, int n, mesh_ref first)
{
	enum { MAX_MESHES = 16 };
	mesh_ref seen[MAX_MESHES], best = first;
	int count[MAX_MESHES] = {0}, n_seen = 0, most = 0;
	for (int i = 0; i < n; i++) {
		if (sharding_is_fully_replicated(s[i]))
			continue;
		int k = 0;
		while (k < n_seen && !mesh_ref_eq(seen[k], s[i]->mesh))
			k++;
		if (k == MAX_MESHES)
			continue;
		if (k == n_seen)
			seen[n_seen++] = s[i]->mesh;
		if (++count[k] > most) {
			most = count[k];
			best = s[i]->mesh;
		}
	}
	return best;
}

/* ---- ops with a rule ------------------------------------------------------------------------- */

static bool differs_in_devices(const op_view *v, const sharding *s)
{
	return !sharding_is_fully_replicated(s) && sharding_mesh(v->m, s) != v->mesh;
}

static void reshard_tensors(reshard_walk *w, op *o, const op_view *v, const sharding *const *now,
                            const bool *changed)
{
	insert_before(&w->at, o);
	for (int i = 0; i < o->n_operands; i++)
		if (changed[i] || differs_in_devices(v, now[i]))
			op_set_operand(o, i,
			               insert_reshard(&w->at, operand(o, i), view_sharding(v, i)));
	insert_after(&w->at, o);
	for (int i = 0; i < o->n_results; i++) {
		int t = o->n_operands + i;
		if (!changed[t] && !differs_in_devices(v, now[t]))
			continue;
		value *r = result(o, i);
		const sharding *s = value_sharding(w->m, r);
		if (!s)
			s = sharding_replicated(w->m->ctx, v->ref,
			                        type_is_tensor(r->type) ? r->type->rank : 0);
		value *back = insert_reshard(&w->at, r, s);
		value_replace_uses_except(r, back, value_def(back));
		value_set_sharding(w->m, r, view_sharding(v, t));
	}
}

/* Redistributes the axes of one tensor over its factors. */
static void redistribute(op_view *v, int tensor, axis_list axes)
{
	const tensor_factors *tf = &v->rule->tensors[tensor];
	int n = 0, n_factors = v->rule->n_factors;
	int *which = NEW_N(v->mem, int, n_factors);
	int64_t *sizes = NEW_N(v->mem, int64_t, n_factors);
	factor_axes *dealt = NEW_N(v->mem, factor_axes, n_factors);
	for (int d = 0; d < tf->rank; d++)
		for (int i = 0; i < tf->dims[d].n; i++) {
			int f = tf->dims[d].factors[i];
			if (!v->tensors[tensor].factors[f].present)
				continue;
			which[n] = f;
			sizes[n++] = v->rule->sizes[f];
		}
	hand_out_axes(v, dealt, sizes, n, axes);
	for (int i = 0; i < n; i++) {
		v->tensors[tensor].factors[which[i]].axes = dealt[i].axes;
		v->tensors[tensor].factors[which[i]].overflow = dealt[i].overflow;
	}
}

/* For a reshape with axes that fit neither side's factors: distributes the axes of the side with
 * more shards over the factors of both sides, and keeps their common prefix. */
static factor_lists reshape_common_axes(op_view *v, bool *changed, const sharding *const *now)
{
	int from = view_shards(v, 0) >= view_shards(v, 1) ? 0 : 1;
	axis_list all = {0};
	for (int f = 0; f < v->rule->n_factors; f++) {
		const factor_axes *fa = &v->tensors[from].factors[f];
		if (fa->present)
			all = axes_joined(v->mem, axes_joined(v->mem, all, fa->axes), fa->overflow);
	}
	redistribute(v, 0, all);
	redistribute(v, 1, all);
	const sharding *dealt[] = {view_sharding(v, 0), view_sharding(v, 1)};
	op_view legal = *v;
	view_build(&legal, dealt);
	factor_lists common = view_common_prefixes(&legal);
	bool ignored[2];
	for (int f = 0; f < v->rule->n_factors; f++)
		view_set_factor(v, f, common[f], ignored);
	for (int t = 0; t < 2; t++)
		changed[t] = !sharding_is_equivalent(view_sharding(v, t), now[t]);
	return common;
}

static factor_lists reshard_in_full(reshard_walk *w, op *o, op_view *v, const sharding *const *now)
{
	bool *changed = NEW_N(v->mem, bool, v->n_tensors);
	factor_lists common;
	if (view_overflows(v, changed) && o->kind == OP_RESHAPE) {
		common = reshape_common_axes(v, changed, now);
	} else {
		common = find_common_axes(v, o);
		for (int f = 0; f < v->rule->n_factors; f++)
			view_set_factor(v, f, common[f], changed);
	}
	reshard_tensors(w, o, v, now, changed);
	return common;
}

/* ---- which ops need reshards ---------------------------------------------------------------- */

/* True for ops that even the partial version handles in full. */
static bool always_in_full(const reshard_walk *w, const op *o)
{
	if (o->kind != OP_CONCATENATE)
		return false;
	const sharding *s = value_sharding(w->m, result(o, 0));
	for (int i = 0; i < o->n_operands; i++)
		if (value_sharding(w->m, operand(o, i)) != s)
			return true;
	return false;
}

/* Returns a value's sharding, looking through barriers. */
static const sharding *known_sharding(const reshard_walk *w, const value *v)
{
	return value_sharding(w->m, value_past_barriers((value *)v));
}

/* False for most ops in the partial version: nothing can be needed, so their rule need not be
 * built. */
static bool needs_a_look(const op *o, bool full)
{
	return full || op_is_dot(o) ||
	       (o->n_results && result(o, 0)->sharding && result(o, 0)->sharding->n_unreduced);
}

/* Returns the rule for an op whose partial results cannot be combined: its reduced dimensions must
 * be replicated. (Shardy sums the parts, whatever the op does.) */
static const sharding_rule *without_reductions(const sharding_rule *r, arena *mem)
{
	sharding_rule *whole = COPY_N(mem, r, 1);
	int n = r->reduction.n + r->need_replication.n, *all = NEW_N(mem, int, n);
	for (int f = 0, k = 0; f < r->n_factors; f++)
		if (rule_has_kind(r->reduction, f) || rule_has_kind(r->need_replication, f))
			all[k++] = f;
	whole->reduction = (factor_set){0};
	whole->need_replication = (factor_set){n, all};
	return whole;
}

/* True if nothing is sharded, or if a pointwise op has the same sharding everywhere: most ops of a
 * program, whose rule need not be built. */
static bool agrees_at_a_glance(const op *o, const sharding *const *s, int n)
{
	for (int i = 1; i < n; i++)
		if (s[i] != s[0])
			return false;
	if (n && s[0])
		return !s[0]->n_unreduced && op_is_pointwise(o) && !op_attr(o, N_sdy_sharding_rule);
	return true;
}

static bool reshard_by_rule(reshard_walk *w, op *o, const sharding *const *s, bool full)
{
	arena *mem = w->at.mem;
	int n = o->n_operands + o->n_results;
	op_view v = {.m = w->m, .mem = mem, .rule = op_rule(w->m, o, 0, mem)};
	if (v.rule && v.rule->reduction.n && w->at.sound_reductions && !op_can_leave_partial(o))
		v.rule = without_reductions(v.rule, mem);
	if (!v.rule || (v.rule->custom && w->at.as_shardy) || !common_axes_mesh(w->m, s, n, &v.ref))
		return true;
	v.ref = most_common_mesh(s, n, v.ref);
	v.mesh = module_mesh(w->m, v.ref);
	view_build(&v, s);
	factor_lists factors = NULL;
	if (full)
		factors = reshard_in_full(w, o, &v, s);
	else if (op_is_dot(o))
		reshard_dot_result(&w->at, o, &v, s[n - 1]);
	return reduce_results(&w->at, o, &v, factors);
}

/* ---- remembering ops that agree ------------------------------------------------------------- */

/* The layers of a program have the same ops with the same shardings, so each is checked once. */
typedef struct agreed_op {
	op_outline of;
	const sharding **shardings; /* of operands, then results */
} agreed_op;

typedef struct agreed_question {
	const op *o;
	const sharding *const *shardings;
} agreed_question;

static bool agrees_likewise(const void *obj, const void *key)
{
	const agreed_op *a = obj;
	const agreed_question *q = key;
	int n = q->o->n_operands + q->o->n_results;
	return op_has_outline(q->o, &a->of) &&
	       memcmp(a->shardings, q->shardings, sizeof *a->shardings * (size_t)n) == 0;
}

static uint64_t agreed_hash(const op *o, const sharding *const *s, int n)
{
	uint64_t h = op_outline_hash(o);
	for (int i = 0; i < n; i++)
		h = hash_mix(h, s[i] ? s[i]->hash : 0);
	return h | 1;
}

static void remember_agreed(reshard_walk *w, const op *o)
{
	int n = o->n_operands + o->n_results;
	agreed_op *a = NEW(w->at.mem, agreed_op);
	a->of = op_outline_of(w->at.mem, o);
	a->shardings = NEW_N(w->at.mem, const sharding *, n);
	for (int i = 0; i < n; i++)
		a->shardings[i] = known_sharding(
			w, i < o->n_operands ? operand(o, i) : result(o, i - o->n_operands));
	cons_add(&w->agreed, w->at.mem, w->agrees, a);
}

static bool reshard_unless_agreed(reshard_walk *w, op *o, const sharding *const *s)
{
	int n = o->n_operands + o->n_results;
	uint32_t n_ops = w->m->n_ops;
	uint64_t h = agreed_hash(o, s, n);
	if (cons_find(&w->agreed, h, agrees_likewise, &(agreed_question){o, s}))
		return true;
	bool ok = reshard_by_rule(w, o, s, true);
	if (ok && w->m->n_ops == n_ops)
		w->agrees = h;
	return ok;
}

/* For unreduced shardings the result depends on the region, too, which the outline lacks. */
static bool any_unreduced(const sharding *const *s, int n)
{
	for (int i = 0; i < n; i++)
		if (s[i] && s[i]->n_unreduced)
			return true;
	return false;
}

static bool reshard_op(reshard_walk *w, op *o)
{
	bool gone = false, one_device = false, full = w->full || always_in_full(w, o);
	if (op_has(o, DATA_FLOW))
		return reshard_flow(w, o);
	if (o->kind == OP_FUNC_CALL)
		return reshard_call_operands(w, o);
	if (o->kind == OP_SDY_RESHARD && (!reshard_to_unreduced(&w->at, o, &gone) || gone))
		return gone;
	if (!reduce_operands(&w->at, o))
		return false;

	int n = o->n_operands + o->n_results;
	const sharding **s = NEW_N(w->at.mem, const sharding *, n);
	for (int i = 0; i < o->n_results; i++) {
		s[o->n_operands + i] = known_sharding(w, result(o, i));
		one_device |= is_on_one_device(w->m, s[o->n_operands + i]);
	}
	if (one_device)
		return reshard_one_device_op(&w->at, o);
	if (!needs_a_look(o, full))
		return true;
	for (int i = 0; i < o->n_operands; i++)
		s[i] = known_sharding(w, operand(o, i));
	if (agrees_at_a_glance(o, s, n))
		return true;
	if (full && op_rule_follows_from_outline(o) && !any_unreduced(s, n))
		return reshard_unless_agreed(w, o, s);
	return reshard_by_rule(w, o, s, full);
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool no_device_at_border(const module *m, const op *f)
{
	const char *what = NULL;
	int at = 0;
	for (int i = 0; i < op_body(f)->n_args && !what; i++)
		if (is_on_one_device(m, op_body(f)->args[i]->sharding)) {
			what = "argument";
			at = i;
		}
	for (int i = 0; i < op_func(f)->type->n_out && !what; i++)
		if (is_on_one_device(m, op_func(f)->result_shardings[i])) {
			what = "result";
			at = i;
		}
	return !what ||
	       diag_error(m->ctx, op_place(m, f), E_RESHARD_DEVICE,
	                  "'func.func' op %s %d of a function cannot be on one device only", what,
	                  at);
}

static bool reshard_func(reshard_walk *w, op *f)
{
	w->func = f;
	if (!no_device_at_border(w->m, f))
		return false;
	for (op *i = op_first_post(f), *next; i != f; i = next) {
		next = op_next_post(i, f);
		if (op_has(i, TERMINATOR))
			continue;
		arena_mark here = arena_here(w->at.mem);
		w->agrees = 0;
		bool ok = reshard_op(w, i);
		arena_back(w->at.mem, here);
		if (w->agrees)
			remember_agreed(w, i);
		if (!ok)
			return false;
	}
	return reshard_returned(w, op_body(f)->last);
}

bool pass_insert_explicit_reshards(module *m, const pass_options *o)
{
	reshard_walk w = {.m = m,
	                  .full = o->full_version,
	                  .at = {.b.m = m,
	                         .mem = &m->ctx->scratch,
	                         .sound_reductions = o->sound_reductions,
	                         .as_shardy = o->sdy_compatible}};
	bool ok = true;
	for (op *f = module_body(m)->first; f; f = f->next)
		if (op_is_func(f) && !func_is_declaration(f))
			ok &= reshard_func(&w, f);
	return ok;
}
