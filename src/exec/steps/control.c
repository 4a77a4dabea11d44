/* control.c - plans case, if and while.
 *
 * A region is a list of steps of its own; its values have slots like all others. Each loop-carried
 * value has one slot, to which the arguments of condition and body and the result of the loop are
 * bound. At the end of an iteration the yielded value must be there: memory.c lets it be computed
 * there if possible, otherwise it exchanges the two memories, otherwise it copies. */
#include "exec/steps/plan.h"

/* Plans a region's ops into a list of its own. */
static bool plan_region(exec_plan *p, const block *b, step_list *list)
{
	step_list *outer = p->to;
	p->to = list;
	bool good = plan_block(p, b);
	p->to = outer;
	return good;
}

/* The step of a control-flow op; its predicate is refs[0]. */
static step *control_step(exec_plan *p, const op *o, step_kind kind, int n_blocks)
{
	groups_close_all(p);
	step *s = step_new(p, o, 1, 0, p->classes.uniform);
	s->plan->kind = kind;
	s->plan->n_blocks = n_blocks;
	s->plan->blocks = NEW_N(&p->mem, step_list, n_blocks);
	return s;
}

static void set_predicate(exec_plan *p, step *s, const value *v, const binding *b)
{
	s->t[0] = tensor_of(p, v->type, b);
	s->plan->refs[0] = (ref){b->slot, b->offset * s->t[0].bytes, NULL};
	s->plan->control = b->cls;
}

static bool plan_branch(exec_plan *p, const op *o, int region, step_list *list)
{
	const block *b = op_block(o, region);
	if (!plan_region(p, b, list))
		return false;
	step_list *outer = p->to;
	p->to = list;
	for (int i = 0; i < o->n_results; i++) {
		const value *v = operand(b->last, i);
		slot *to = p->bind[result(o, i)->id].slot;
		plan_copy(p, o, v->type, bound(p, v), to);
	}
	p->to = outer;
	return true;
}

bool plan_case(exec_plan *p, const op *o)
{
	const value *index = operand(o, 0);
	if (index->type->rank != 0)
		return plan_error(p, o, "the index is not a scalar");
	step *s = control_step(p, o, STEP_CASE, op_n_regions(o));
	set_predicate(p, s, index, bound_dense(p, index));
	step_add(p, s);
	for (int i = 0; i < o->n_results; i++) {
		const value *v = result(o, i);
		slot *to = slot_new(p, v->type, p->cls[v->id]);
		to->first = to->home = s->plan->at;
		bind_slot(p, v, to);
	}
	const classes *outer = p->control;
	if (!classes_is_uniform(s->plan->control))
		p->control = classes_join(&p->classes, outer, s->plan->control);
	for (int r = 0; r < op_n_regions(o); r++)
		if (!plan_branch(p, o, r, &s->plan->blocks[r]))
			return false;
	p->control = outer;
	s->plan->end = p->n_steps - 1;
	return true;
}

/* ---- while ------------------------------------------------------------------------- */

/* Makes slots for the carried values, which hold the initial ones. */
static void plan_carries(exec_plan *p, const op *o, step *s)
{
	s->plan->n_carries = o->n_operands;
	s->plan->carries = NEW_N(&p->mem, carry, o->n_operands);
	const binding **init = NEW_N(&p->ctx->scratch, const binding *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		init[i] = bound(p, operand(o, i));
	for (int i = 0; i < o->n_operands; i++) {
		slot *to = slot_new(p, operand(o, i)->type, p->cls[result(o, i)->id]);
		plan_copy(p, o, operand(o, i)->type, init[i], to);
		s->plan->carries[i].slot = to;
		bind_slot(p, op_block(o, 0)->args[i], to);
		bind_slot(p, op_block(o, 1)->args[i], to);
		bind_slot(p, result(o, i), to);
	}
}

static bool is_carried(const step_plan *s, const slot *x)
{
	for (int i = 0; i < s->n_carries; i++)
		if (s->carries[i].slot == x || s->carries[i].next == x)
			return true;
	return false;
}

/* Makes sure that the yielded value is in a slot of its own. */
static void plan_next(exec_plan *p, const op *o, step_plan *s, int i)
{
	const value *v = operand(op_block(o, 1)->last, i);
	const binding *b = bound(p, v);
	slot *to = s->carries[i].slot;
	if (b->slot == to && !b->strides && !b->offset)
		return;
	bool own = b->slot->kind == IN_ARENA && !b->slot->once && !b->strides && !b->offset &&
	           b->slot->first > s->at && b->slot->cls == to->cls &&
	           b->slot->bytes == to->bytes && !is_carried(s, b->slot);
	if (!own) {
		slot *next = slot_new(p, v->type, to->cls);
		plan_copy(p, o, v->type, b, next);
		s->carries[i].next = next;
	} else {
		s->carries[i].next = b->slot;
	}
}

bool plan_while(exec_plan *p, const op *o)
{
	const block *cond = op_block(o, 0), *body = op_block(o, 1);
	step *s = control_step(p, o, STEP_WHILE, 2);
	for (int i = 0; i < o->n_operands; i++)
		if (operand(o, i)->type != body->args[i]->type ||
		    operand(o, i)->type != operand(body->last, i)->type)
			return plan_unsupported(p, o, "a carried value that changes its type is");
	plan_carries(p, o, s);
	step_add(p, s);
	const classes *outer = p->control, *pred = p->cls[operand(cond->last, 0)->id];
	if (!classes_is_uniform(pred))
		p->control = classes_join(&p->classes, outer, pred);
	if (!plan_region(p, cond, &s->plan->blocks[0]))
		return false;
	step_list *to = p->to;
	const block *around = p->block;
	p->to = &s->plan->blocks[0];
	p->block = cond;
	set_predicate(p, s, operand(cond->last, 0), bound_dense(p, operand(cond->last, 0)));
	if (!plan_region(p, body, &s->plan->blocks[1]))
		return false;
	p->to = &s->plan->blocks[1];
	p->block = body;
	for (int i = 0; i < o->n_operands; i++)
		plan_next(p, o, s->plan, i);
	p->to = to;
	p->block = around;
	p->control = outer;
	s->plan->end = p->n_steps - 1;
	return true;
}
