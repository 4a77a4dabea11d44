/* outside.c - custom calls that the caller of exec answers: Python's callbacks. */
#include "exec/steps/host.h"

#include <stdlib.h>
#include <string.h>
#include <tessera/run.h>

static bool is_token(const value *v) { return v->type->kind == TY_TOKEN; }

static int count_tensors(value *const *values, int n)
{
	int count = 0;
	for (int i = 0; i < n; i++)
		count += !is_token(values[i]);
	return count;
}

static tess_tensor tensor_at(const tensor *t, void *data)
{
	return (tess_tensor){.name = "", .dtype = (tess_dtype)t->dtype, .rank = t->rank,
	                     .dims = t->dims, .data = data,
	                     .bytes = (size_t)(t->n * t->bytes)};
}

static const attr *call_config(const module *m, const op *o)
{
	const attr *a = op_attr_named(o, name_of_z(m->ctx, "mhlo.backend_config"));
	return a ? a : op_attr(o, N_backend_config);
}

/* What the step needs: nothing is looked up while programs run. */
typedef struct outside {
	tess_str target;
	const attr *config;
	int32_t *begins_as; /* [result] */
} outside;

static void run_outside(struct run *r, const step *s, const call *c)
{
	static _Thread_local char why[200]; /* valid until the run, on this thread, ends */
	const outside *to = s->params;
	const exec_opts *opts = &r->p->opts;
	tess_tensor few[16], *all = s->n_in + s->n_out > COUNT(few)
	                                ? malloc(sizeof *all * (size_t)(s->n_in + s->n_out))
	                                : few;
	if (!all) {
		r->status = TESS_NOMEM;
		return;
	}
	for (int i = 0; i < s->n_in + s->n_out; i++)
		all[i] = tensor_at(&s->t[i], c->at[i]);
	tess_outside_call call = {
	    .target = to->target, .config = to->config,
	    .device = s->plan->cls->first[c->cls],
	    .operands = all, .n_operands = (size_t)s->n_in,
	    .results = all + s->n_in, .n_results = (size_t)s->n_out,
	    .why = why, .why_room = sizeof why, .begins_as = to->begins_as,
	};
	for (int i = 0; i < s->n_out; i++)
		if (to->begins_as[i] >= 0)
			memcpy(c->at[s->n_in + i], c->at[to->begins_as[i]],
			       (size_t)(s->t[s->n_in + i].n * s->t[s->n_in + i].bytes));
	why[0] = 0;
	if (!opts->outside(opts->user, &call))
		call_fail(c, s, why[0] ? why : "the function that was called has failed");
	if (all != few)
		free(all);
}

/* Each device calls if the target says so; otherwise devices with the same operands call once. */
static const classes *callers(exec_plan *p, const op *o)
{
	const classes *cls = p->control;
	if (str_starts(str_of(op_call_target(o)), "xla_ffi_partitioned"))
		return p->classes.identity;
	for (int i = 0; i < o->n_operands; i++)
		cls = classes_join(&p->classes, cls, bound(p, operand(o, i))->cls);
	for (int i = 0; i < o->n_results; i++)
		cls = classes_join(&p->classes, cls, p->cls[result(o, i)->id]);
	return cls;
}

/* The number of a value when tokens are not counted; -1 for a token. */
static int32_t number_without_tokens(value *const *values, int i)
{
	return is_token(values[i]) ? -1 : count_tensors(values, i);
}

static int32_t *find_aliases(exec_plan *p, const op *o, value *const *in, value *const *out, int n_out)
{
	const attr *all = op_attr(o, N_output_operand_aliases);
	int32_t *begins_as = NEW_N(&p->mem, int32_t, n_out + 1);
	for (int i = 0; i < n_out; i++)
		begins_as[i] = -1;
	for (int i = 0; all && all->kind == AT_ARRAY && i < all->n; i++) {
		int n = 0;
		const attr *which = attr_get(all->list[i], N_operand_index);
		const int64_t *to = attr_ints(p->m->ctx, attr_get(all->list[i], N_output_tuple_indices), &n);
		const int32_t k = number_without_tokens(out, n > 0 ? (int)to[0] : 0);
		if (k >= 0)
			begins_as[k] = number_without_tokens(in, which ? (int)which->i : 0);
	}
	return begins_as;
}

/* True if some layout is not row-major, which callbacks require. */
static bool has_other_layouts(const exec_plan *p, const op *o, int known)
{
	const attr *all = op_attr(o, known);
	for (int i = 0; all && all->kind == AT_ARRAY && i < all->n; i++) {
		int n = 0;
		const int64_t *order = attr_ints(p->m->ctx, all->list[i], &n);
		for (int d = 0; d < n; d++)
			if (order[d] != n - 1 - d)
				return true;
	}
	return false;
}

/* Tokens order the calls, which are made in program order anyway; they are not passed on. */
bool plan_outside(exec_plan *p, const op *o)
{
	if (has_other_layouts(p, o, N_operand_layouts) || has_other_layouts(p, o, N_result_layouts))
		return plan_unsupported(p, o, "calling @%s with layouts that are not row-major is",
		                        op_call_target(o));
	value **in = NEW_N(&p->ctx->scratch, value *, o->n_operands + 1),
	      **out = NEW_N(&p->ctx->scratch, value *, o->n_results + 1);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = operand(o, i);
	for (int i = 0; i < o->n_results; i++)
		out[i] = result(o, i);
	step *s = step_new(p, o, count_tensors(in, o->n_operands),
	                   count_tensors(out, o->n_results), callers(p, o));
	for (int i = 0, k = 0; i < o->n_operands; i++)
		if (!is_token(in[i]))
			step_set_in(p, s, k++, in[i]->type, bound_dense(p, in[i]));
	for (int i = 0, k = 0; i < o->n_results; i++)
		if (!is_token(out[i]))
			step_set_out(p, s, k++, out[i]->type, out[i]);
		else if (!plan_token_of(p, out[i]))
			return false;
	outside *to = NEW(&p->mem, outside);
	*to = (outside){str_of(op_call_target(o)), call_config(p->m, o),
	                find_aliases(p, o, in, out, o->n_results)};
	s->params = to;
	s->plan->kind = STEP_HOST;
	s->plan->host = run_outside;
	s->plan->alone = true;
	step_add(p, s);
	return true;
}

/* ---- callbacks with nobody to answer -------------------------------------------------------- */

static void run_refused(struct run *r, const step *s, const call *c)
{
	(void)r;
	call_fail(c, s, s->params);
}

/* A step that ends the run, because nobody knows what the callback would return. */
static bool plan_refused(exec_plan *p, const op *o)
{
	value **out = NEW_N(&p->ctx->scratch, value *, o->n_results + 1);
	for (int i = 0; i < o->n_results; i++)
		out[i] = result(o, i);
	step *s = step_new(p, o, 0, count_tensors(out, o->n_results), p->control);
	writer why;
	writer_init(&why, &p->mem);
	put_f(&why, "the program has reached a call of @%s, a function of Python, which cannot be called here", op_call_target(o));
	put_c(&why, 0);
	for (int i = 0, k = 0; i < o->n_results; i++)
		if (!is_token(result(o, i)))
			step_set_out(p, s, k++, result(o, i)->type, result(o, i));
		else if (!plan_token_of(p, result(o, i)))
			return false;
	s->params = writer_str(&why).ptr;
	s->plan->kind = STEP_HOST;
	s->plan->host = run_refused;
	step_add(p, s);
	diag_warn(plan_ctx(p), op_place(p->m, o), E_EXEC_UNSUPPORTED,
	          "calling @%s is not supported; the run ends if it reaches this call",
	          op_call_target(o));
	return true;
}

static bool returns_tokens_only(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->n_operands <= i || !is_token(operand(o, i)) || operand(o, i)->type != result(o, i)->type)
			return false;
	return true;
}

/* With nobody to answer, a call that only returns tokens is skipped, and one in the body of @main
 * is refused. One inside a region may never be reached, as that of a check that finds an error: it
 * ends the run when it is. */
bool plan_callback(exec_plan *p, const op *o)
{
	if (p->opts.outside)
		return plan_outside(p, o);
	if (!returns_tokens_only(o))
		return op_parent(o) == module_main(p->m)
		               ? plan_unsupported(p, o, "calling @%s is", op_call_target(o))
		               : plan_refused(p, o);
	for (int i = 0; i < o->n_results; i++)
		p->bind[result(o, i)->id] = *bound(p, operand(o, i));
	diag_warn(plan_ctx(p), op_place(p->m, o), E_EXEC_UNSUPPORTED,
	          "calling @%s is not supported; the call is skipped",
	          op_call_target(o));
	return true;
}
