/* fuse.c - elementwise ops that share one loop.
 *
 * Successive elementwise ops with the same dimensions and classes form a group. It stays open while
 * ops join it, and is closed, that is, planned as one step, when an op of another kind or shape
 * needs one of its values in memory. Values of the group that nothing outside uses are never
 * stored.
 *
 * A group depends only on itself and on values that were in memory when its ops joined, so it can
 * always be closed later. */
#include "exec/steps/plan.h"

enum { MAX_GROUP_OPS = 64, MAX_GROUP_LEAVES = 24, MAX_OPEN_GROUPS = 8 };

typedef struct group {
	struct group *next;
	int serial;
	const type *shape; /* its dimensions; the element type does not matter */
	const classes *cls;
	VEC(const op *) ops;
	int n_leaves; /* upper bound: operands from outside */
} group;

static void group_close(exec_plan *p, group *g);

/* True if there are instructions for the op's types. */
static bool fusable_types(const op *o)
{
	dtype out = result(o, 0)->type->dtype;
	vec_type to = vec_type_of(out);
	if (o->kind == OP_IOTA)
		return to != VT_NONE && to != VT_B;
	vec_type in = vec_type_of(operand(o, o->kind == OP_SELECT)->type->dtype);
	if (in == VT_NONE || to == VT_NONE)
		return false;
	if (o->kind == OP_CONVERT)
		return vec_convert(in, to) != NULL;
	vec_op op_code = o->kind == OP_COMPARE ? compare_op(o) : vec_op_of(o->kind);
	for (int i = 1; i < o->n_operands && o->kind != OP_SELECT; i++)
		if (operand(o, i)->type->dtype != operand(o, 0)->type->dtype)
			return false;
	return op_code != VEC_NONE && vec_find(op_code, in) && vec_result(op_code, in) == to;
}

/* ---- growing a group -------------------------------------------------------------------- */

static bool dims_equal(const type *a, const type *b)
{
	return a->rank == b->rank &&
	       (!a->rank || !memcmp(a->dims, b->dims, sizeof *a->dims * (size_t)a->rank));
}

static bool fusable_shapes(const op *o)
{
	const type *t = result(o, 0)->type;
	for (int i = 0; i < o->n_operands; i++) {
		const type *in = operand(o, i)->type;
		bool scalar = (o->kind == OP_SELECT && i == 0) || (o->kind == OP_CLAMP && i != 1);
		if (!dims_equal(in, t) && !(scalar && in->rank == 0))
			return false;
	}
	return o->kind != OP_IOTA || (op_int(o, N_iota_dimension, -1) >= 0 &&
	                              op_int(o, N_iota_dimension, -1) < t->rank);
}

static group *group_find(exec_plan *p, const type *t, const classes *cls, int n_leaves)
{
	for (group *g = p->groups_open; g; g = g->next)
		if (g->cls == cls && dims_equal(g->shape, t) && g->ops.len < MAX_GROUP_OPS &&
		    g->n_leaves + n_leaves <= MAX_GROUP_LEAVES)
			return g;
	return NULL;
}

static group *group_new(exec_plan *p, const type *t, const classes *cls)
{
	int open = 0;
	group *last = NULL;
	for (group *g = p->groups_open; g; last = g, g = g->next)
		open++;
	if (open >= MAX_OPEN_GROUPS)
		group_close(p, last);
	group *g = NEW(&p->mem, group);
	*g = (group){.next = p->groups_open, .serial = ++p->n_groups, .shape = t, .cls = cls};
	p->groups_open = g;
	return g;
}

bool plan_fused(exec_plan *p, const op *o)
{
	const type *t = result(o, 0)->type;
	const classes *cls = p->cls[result(o, 0)->id];
	if (!fusable_shapes(o))
		return plan_error(p, o, "the shapes of operands and result differ");
	if (!fusable_types(o))
		return plan_unsupported(p, o, "elements of this type are");
	int n_leaves = 0;
	for (int i = 0; i < o->n_operands; i++)
		n_leaves += !p->bind[operand(o, i)->id].group;
	group *g = group_find(p, t, cls, n_leaves);
	for (int i = 0; i < o->n_operands; i++)
		if (p->bind[operand(o, i)->id].group && p->bind[operand(o, i)->id].group != g)
			bound(p, operand(o, i));
	if (!g)
		g = group_new(p, t, cls);
	g->n_leaves += n_leaves;
	vec_push(&p->mem, &g->ops, o);
	p->group_of[o->id] = g->serial;
	p->bind[result(o, 0)->id] = (binding){.group = g, .cls = cls, .reg = -1};
	return true;
}

/* ---- closing ------------------------------------------------------------------------------ */

typedef struct group_leaf {
	const value *v;
	vm_reg reg;
	int arg; /* -1: a constant */
} group_leaf;

typedef struct group_build {
	exec_plan *p;
	group *g;
	vm_builder *b;
	VEC(group_leaf) leaves;
	int n_args;
} group_build;

/* The value's strides over the group's dimensions. */
static const int64_t *leaf_strides(group_build *k, const value *v, const binding *b)
{
	if (v->type->rank == k->g->shape->rank)
		return b->strides;
	return NEW_N(&k->p->mem, int64_t, k->g->shape->rank); /* a scalar */
}

static bool is_splat(const int64_t *strides, const type *t)
{
	for (int i = 0; i < t->rank; i++)
		if (strides[i] && t->dims[i] != 1)
			return false;
	return true;
}

static vm_reg leaf_reg(group_build *k, const value *v)
{
	for (int i = 0; i < k->leaves.len; i++)
		if (k->leaves.ptr[i].v == v)
			return k->leaves.ptr[i].reg;
	const binding *b = &k->p->bind[v->id];
	ASSERT(b->slot);
	dtype t = v->type->dtype;
	const int64_t *strides = leaf_strides(k, v, b);
	group_leaf leaf = {.v = v, .arg = -1};
	if (b->slot->kind == IN_CONST && strides && is_splat(strides, k->g->shape)) {
		const char *at = b->slot->data;
		leaf.reg = vm_const(k->b, t, at + b->offset * dtype_bytes(t));
	} else {
		leaf.arg = k->n_args++;
		leaf.reg = vm_input(k->b, leaf.arg, t, strides);
	}
	vec_push(&k->p->mem, &k->leaves, leaf);
	return leaf.reg;
}

static void emit_vm_op(group_build *k, const op *o)
{
	vm_reg r[3] = {-1, -1, -1};
	for (int i = 0; i < o->n_operands && i < 3; i++) {
		const binding *b = &k->p->bind[operand(o, i)->id];
		r[i] = b->group == k->g ? b->reg : leaf_reg(k, operand(o, i));
	}
	k->p->bind[result(o, 0)->id].reg = fuse_op(k->p->m, k->b, o, r);
	ASSERT(k->p->bind[result(o, 0)->id].reg >= 0);
}

static bool used_outside(const group_build *k, const value *v)
{
	for (const use *u = v->uses; u; u = u->next)
		if (k->p->group_of[u->owner->id] != k->g->serial &&
		    !reduce_counts(k->p->m, u->owner, v))
			return true;
	return false;
}

static void run_fused(const step *s, const call *c)
{
	int64_t n = step_out(s, 0)->n;
	vm_run(s->params, c->at, c->at + s->n_in, tile_begin(s, n, c->tile),
	       tile_begin(s, n, c->tile + 1), c->scratch);
}

static step *group_step(group_build *k, const value **outs, int n_outs)
{
	exec_plan *p = k->p;
	step *s = step_new(p, value_def(outs[0]), k->n_args, n_outs, k->g->cls);
	for (int i = 0; i < k->leaves.len; i++) {
		const group_leaf *l = &k->leaves.ptr[i];
		if (l->arg >= 0)
			step_set_in(p, s, l->arg, l->v->type, &p->bind[l->v->id]);
	}
	for (int i = 0; i < n_outs; i++) {
		vm_output(k->b, i, outs[i]->type->dtype, p->bind[outs[i]->id].reg);
		step_set_out(p, s, i, outs[i]->type, outs[i]);
	}
	return s;
}

static void group_unlink(exec_plan *p, group *g)
{
	group **at = &p->groups_open;
	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
}

static void group_close(exec_plan *p, group *g)
{
	group_unlink(p, g);
	group_build k = {.p = p, .g = g};
	k.b = vm_begin(&p->mem, g->shape->dims, g->shape->rank);
	for (int i = 0; i < g->ops.len; i++)
		emit_vm_op(&k, g->ops.ptr[i]);
	const value **outs = NEW_N(&p->mem, const value *, g->ops.len);
	int n_outs = 0;
	for (int i = 0; i < g->ops.len; i++)
		if (used_outside(&k, result(g->ops.ptr[i], 0)))
			outs[n_outs++] = result(g->ops.ptr[i], 0);
	if (!n_outs)
		return;
	step *s = group_step(&k, outs, n_outs);
	s->n_ops = g->ops.len;
	const vm *v = vm_finish(k.b);
	s->params = v;
	s->run = run_fused;
	s->scratch = vm_scratch_bytes(v);
	s->cost = (double)g->shape->n_elems * vm_cost(v);
	step_split(s, (int64_t)s->cost, 20000);
	for (int i = 0; i < s->n_in; i++)
		for (int o = 0; o < n_outs; o++)
			if (s->t[i].n == step_out(s, o)->n && vm_in_place(v, i, o))
				step_in_place(p, s, i, o);
	step_add(p, s);
}

void groups_close_all(exec_plan *p)
{
	/* The oldest first; the list starts with the newest. */
	while (p->groups_open) {
		group *g = p->groups_open;
		while (g->next)
			g = g->next;
		group_close(p, g);
	}
}

const binding *bound(exec_plan *p, const value *v)
{
	binding *b = &p->bind[v->id];
	if (b->group)
		group_close(p, b->group);
	return b;
}
