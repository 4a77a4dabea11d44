/* host.c - steps that the calling thread runs, and tokens. */
#include "exec/steps/host.h"

static step *host_step_of(exec_plan *p, const op *o, host_fn *fn, const type *t,
                          const binding *extra)
{
	int n = o->n_operands + (extra != NULL);
	const classes *cls = p->control;
	const binding **in = NEW_N(&p->ctx->scratch, const binding *, n);
	for (int i = 0; i < o->n_operands; i++) {
		in[i] = bound_dense(p, operand(o, i));
		cls = classes_join(&p->classes, cls, in[i]->cls);
	}
	for (int i = 0; i < o->n_results; i++)
		cls = classes_join(&p->classes, cls, p->cls[result(o, i)->id]);
	step *s = step_new(p, o, n, o->n_results, cls);
	for (int i = 0; i < o->n_operands; i++)
		step_set_in(p, s, i, operand(o, i)->type, in[i]);
	if (extra)
		step_set_in(p, s, n - 1, t, extra);
	for (int i = 0; i < o->n_results; i++)
		step_set_out(p, s, i, result(o, i)->type, result(o, i));
	s->plan->kind = STEP_HOST;
	s->plan->host = fn;
	s->plan->talks = true;
	return s;
}

step *host_step(exec_plan *p, const op *o, host_fn *fn)
{
	return host_step_of(p, o, fn, NULL, NULL);
}

step *host_step_with(exec_plan *p, const op *o, host_fn *fn, const type *t, const binding *extra)
{
	/* A constant may be stored as one element: copy it to dense memory. */
	binding dense = *extra;
	if (dense.strides) {
		slot *s = plan_copy(p, o, t, extra, NULL);
		dense = (binding){.slot = s, .cls = s->cls};
	}
	return host_step_of(p, o, fn, t, &dense);
}

/* ---- tokens ------------------------------------------------------------------------- */

bool plan_token_of(exec_plan *p, const value *v)
{
	slot *s = slot_new(p, v->type, p->classes.uniform);
	s->kind = IN_CONST;
	s->data = "";
	bind_slot(p, v, s);
	return true;
}

bool plan_token(exec_plan *p, const op *o) { return plan_token_of(p, result(o, 0)); }
