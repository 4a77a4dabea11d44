/* reduce_plan.c - chooses the kernel of a reduce: argmax, a fold by one operation, or any body. */
#include "exec/kernel/reduce.h"

#include "exec/steps/plan.h"

/* Nothing is reduced: each output is the initial value. */
static void reduce_nothing(const step *s, const call *c)
{
	const reduce_plan *k = s->params;
	for (int i = 0; i < k->n; i++)
		box_fill(call_out(s, c, i), c->at[k->n + i], step_out(s, i)->n,
		         step_out(s, i)->bytes);
}

static bool prepare_reduce(exec_plan *p, step *s)
{
	reduce_plan *k = NEW(plan_mem(p), reduce_plan);
	int n_dims;
	const int64_t *dims = op_ints(plan_module(p), s->op, N_dimensions, &n_dims);
	bool is_reduced[MAX_RANK] = {0};
	const tensor *in = step_in(s, 0);
	k->n = s->n_in / 2;
	if (!k->n || s->n_in != 2 * s->n_out || s->n_out != k->n)
		return step_invalid(p, s, "operands, initial values and results do not match");
	for (int i = k->n; i < s->n_in; i++)
		if (step_in(s, i)->rank)
			return step_invalid(p, s,
			                    "initial values that are not scalars are not supported");
	for (int i = 0; i < n_dims; i++) {
		if (dims[i] < 0 || dims[i] >= in->rank)
			return step_invalid(p, s, "there is no dimension %" PRId64, dims[i]);
		is_reduced[dims[i]] = true;
	}
	reduce_dims(k, in, is_reduced);
	s->params = k;
	if (in->n == 0) {
		s->run = reduce_nothing;
		return true;
	}
	return prepare_reduce_op(s, k) || prepare_reduce_any(p, s, k);
}

bool plan_reduce(exec_plan *p, const op *o)
{
	arg_reduction arg;
	if (arg_reduction_of(p->m, o, &arg))
		return plan_arg_reduction(p, o, &arg);
	const reduce_plan *k = reduce_long_fold(p, o);
	if (!k)
		return plan_kernel(p, o, prepare_reduce, false);
	plan_reduce_pieces(p, o, k);
	return true;
}
