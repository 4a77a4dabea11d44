/* infer.c - infers the classes of every value: which devices provably share it.
 *
 * One forward walk. A loop's carried values start as uniform as their initial values and are
 * refined until the body maps them to nothing finer. That takes at most as many rounds as there are
 * devices, usually two.
 *
 * In control flow whose predicate differs between devices, every value is refined by the
 * predicate's classes. So either all devices of a class take part or none does, and a task is
 * skipped as a whole if they do not. */
#include "exec/steps/plan.h"

typedef struct infer {
	exec_plan *p;
	const classes *control; /* of the surrounding regions; uniform: all devices take part */
} infer;

static bool infer_block(infer *in, const block *b);

static const classes *cls_of(const infer *in, const value *v) { return in->p->cls[v->id]; }

static const classes *join(infer *in, const classes *a, const classes *b)
{
	return classes_join(&in->p->classes, a, b);
}

static void set_cls(infer *in, const value *v, const classes *c)
{
	in->p->cls[v->id] = join(in, c, in->control);
}

/* The classes of all that an op depends on: operands, and outside values used in its regions. */
static const classes *inputs_of(infer *in, const op *o)
{
	const classes *c = in->p->classes.uniform;
	for (int i = 0; i < o->n_operands; i++)
		c = join(in, c, cls_of(in, operand(o, i)));
	for (const op *k = op_n_regions(o) ? op_next(o, o) : NULL; k && k != o; k = op_next(k, o))
		for (int i = 0; i < k->n_operands; i++)
			if (cls_of(in, operand(k, i)))
				c = join(in, c, cls_of(in, operand(k, i)));
	return c;
}

static const classes *infer_ids(infer *in, const op *o)
{
	exec_plan *p = in->p;
	int32_t *keys = NEW_N(&p->ctx->scratch, int32_t, p->n_devices);
	for (int d = 0; d < p->n_devices; d++)
		keys[d] = o->kind == OP_PARTITION_ID ? d % p->opts.n_partitions
		                                     : d / p->opts.n_partitions;
	return classes_of_keys(&p->classes, keys);
}

static bool infer_case(infer *in, const op *o)
{
	const classes *outer = in->control, *index = cls_of(in, operand(o, 0));
	if (!classes_is_uniform(index))
		in->control = join(in, outer, index);
	const classes *inner = in->control;
	for (int r = 0; r < op_n_regions(o); r++) {
		const block *b = op_block(o, r);
		if (!b || !b->last || b->last->n_operands != o->n_results)
			return plan_error(in->p, o, "a branch returns a different number of results");
		if (!infer_block(in, b))
			return false;
		for (int i = 0; i < o->n_results; i++) {
			const classes *c = join(in, cls_of(in, operand(b->last, i)), inner);
			in->p->cls[result(o, i)->id] =
			    r ? join(in, in->p->cls[result(o, i)->id], c) : c;
		}
	}
	in->control = outer;
	return true;
}

static bool infer_while(infer *in, const op *o)
{
	const block *cond = op_block(o, 0), *body = op_block(o, 1);
	int n = o->n_operands;
	if (!cond || !body || !cond->last || !body->last || cond->last->n_operands != 1 ||
	    cond->n_args != n || body->n_args != n || body->last->n_operands != n ||
	    o->n_results != n)
		return plan_error(in->p, o, "condition and body do not fit the carried values");
	const classes *outer = in->control, **at = in->p->cls;
	for (int i = 0; i < n; i++)
		at[result(o, i)->id] = join(in, cls_of(in, operand(o, i)), outer);
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < n; i++)
			at[cond->args[i]->id] = at[body->args[i]->id] = at[result(o, i)->id];
		if (!infer_block(in, cond))
			return false;
		const classes *pred = cls_of(in, operand(cond->last, 0));
		if (!classes_is_uniform(pred) && join(in, in->control, pred) != in->control) {
			in->control = join(in, in->control, pred);
			changed = true;
		}
		if (!infer_block(in, body))
			return false;
		for (int i = 0; i < n; i++) {
			const classes *c = join(in, at[result(o, i)->id],
			                        cls_of(in, operand(body->last, i)));
			c = join(in, c, in->control);
			changed |= c != at[result(o, i)->id];
			at[result(o, i)->id] = c;
		}
	}
	in->control = outer;
	return true;
}

static bool infer_collective(infer *in, const op *o)
{
	const classes **out = NEW_N(&in->p->ctx->scratch, const classes *, o->n_results);
	if (!collective_classes(in->p, o, out))
		return false;
	for (int i = 0; i < o->n_results; i++)
		set_cls(in, result(o, i), out[i]);
	return true;
}

static bool infer_op(infer *in, const op *o)
{
	if (op_is_branch(o))
		return infer_case(in, o);
	if (o->kind == OP_WHILE)
		return infer_while(in, o);
	if (op_has(o, COLLECTIVE))
		return infer_collective(in, o);
	const classes *c = op_has(o, DEVICE_ID)                         ? infer_ids(in, o)
	                   : o->kind == OP_RECV || o->kind == OP_INFEED ? in->p->classes.identity
	                                                                : inputs_of(in, o);
	for (int i = 0; i < o->n_results; i++)
		set_cls(in, result(o, i), c);
	return true;
}

static bool infer_block(infer *in, const block *b)
{
	for (const op *o = b->first; o; o = o->next)
		if (!infer_op(in, o))
			return false;
	return true;
}

bool infer_classes(exec_plan *p, const classes *const *args)
{
	infer in = {p, p->control};
	const block *b = op_body(p->func);
	for (int i = 0; i < b->n_args; i++)
		p->cls[b->args[i]->id] = args[i];
	return infer_block(&in, b);
}
