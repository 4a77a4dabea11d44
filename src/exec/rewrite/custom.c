/* custom.c - custom calls by target. */
#include "exec/rewrite/custom.h"

#include "exec/steps/host.h"

enum { DENSE = 0, VIEWS = 1 };

static const custom_row customs[] = {
#define PLANNED(target, name) {target, .plan = plan_##name},
#define KERNEL(target, name, form) {target, .prepare = prepare_##name, .views = (form)},
#define EXPANDED(target, name) {target, .expand = expand_##name},
#define SPECIALISED(target, name) {target, .specialise = specialise_##name},
#include "exec/rewrite/customs.def"
};

static bool target_fits(const char *pattern, const char *target)
{
	size_t n = strlen(pattern);
	return pattern[n - 1] == '*' ? !strncmp(target, pattern, n - 1) : !strcmp(target, pattern);
}

const custom_row *custom_row_of(const op *o)
{
	for (int i = 0; o->kind == OP_CUSTOM_CALL && i < COUNT(customs); i++)
		if (target_fits(customs[i].target, op_call_target(o)))
			return &customs[i];
	return NULL;
}

static void run_unknown_call(struct run *r, const step *s, const call *c)
{
	UNUSED(r);
	call_fail(c, s, "calling this target is not supported yet");
}

static bool inside_branch(const op *o)
{
	const op *k = op_parent(o);
	while (k && !op_is_branch(k))
		k = op_parent(k);
	return k != NULL;
}

/* A program exported for several platforms has a branch for each, of which only one is taken. So an
 * unknown target is an error there only when it is called. */
bool plan_custom_call(exec_plan *p, const op *o)
{
	const custom_row *row = custom_row_of(o);
	if (row && row->plan)
		return row->plan(p, o);
	if (row && row->prepare)
		return plan_kernel(p, o, row->prepare, row->views);
	if (!row && p->opts.answers && p->opts.answers(p->opts.user, str_of(op_call_target(o))))
		return plan_outside(p, o);
	if (!row && inside_branch(o)) {
		step *s = host_step(p, o, run_unknown_call);
		s->plan->talks = false; /* it fails like a kernel */
		step_add(p, s);
		return true;
	}
	if (!row && str_starts(str_of(op_call_target(o)), "SPMD"))
		return plan_error(p, o, "the shardings of this manual region need several meshes, "
		                        "or it is not a call between @SPMDFullToShardShape and "
		                        "@SPMDShardToFullShape: give it as sdy.manual_computation");
	return plan_unsupported(p, o, "calling @%s is", op_call_target(o));
}
