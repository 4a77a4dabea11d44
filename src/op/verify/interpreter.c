/* interpreter.c - constraints of interpreter.run_parallel: the programs of a grid of devices, a
 * list of replicas, each a list of functions. */
#include "op/verify/verify.h"

static const op *named_program(module *m, const op *o, const attr *a, const int *part)
{
	const op *f = a->kind == AT_SYMBOL ? module_lookup(m, a->text) : NULL;
	if (f && op_is_func(f))
		return f;
	diag_error(m->ctx, op_attr_place(m, o, part), E_SYMBOL,
	           "'%s' op runs %s, which is not a function", op_name(o),
	           a->kind == AT_SYMBOL ? a->text->s : "something");
	return NULL;
}

static bool infeed_ok(module *m, const op *o, const attr *a)
{
	if (a->kind != AT_ARRAY || !a->n)
		return bad_attr(m, o, N_infeed, "must be a list of functions, not empty");
	for (int i = 0; i < a->n; i++) {
		const op *f = named_program(m, o, a->list[i], PART(N_infeed, ITEM(i)));
		if (!f)
			return false;
		if (op_func(f)->type->n_out != 1 || !is_tensor(op_func(f)->type->out[0]))
			return bad_part(m, o, PART(N_infeed, ITEM(i)),
			                "names a function that does not return one tensor");
	}
	return true;
}

bool check_run_parallel(module *m, const op *o)
{
	const attr *programs = op_attr(o, N_programs), *infeed = op_attr(o, N_infeed);
	int n_in = 0, n_out = 0;
	if (!programs || programs->kind != AT_ARRAY || !programs->n ||
	    programs->list[0]->kind != AT_ARRAY || !programs->list[0]->n)
		return bad_attr(m, o, N_programs,
		                "must be a list of lists of functions, not empty");
	for (int r = 0; r < programs->n; r++) {
		const attr *replica = programs->list[r];
		if (replica->kind != AT_ARRAY || replica->n != programs->list[0]->n)
			return bad_part(m, o, PART(N_programs, ITEM(r)),
			                "has replicas of different sizes, expected the same");
		for (int i = 0; i < replica->n; i++) {
			const op *f = named_program(m, o, replica->list[i],
			                            PART(N_programs, ITEM(r), ITEM(i)));
			if (!f)
				return false;
			n_in += op_func(f)->type->n_in;
			n_out += op_func(f)->type->n_out;
		}
	}
	if (o->n_operands != n_in)
		return broken(m, o, "", "has %d operands, but its programs take %d", o->n_operands,
		              n_in);
	if (o->n_results != n_out)
		return broken(m, o, "", "has %d results, but its programs give %d", o->n_results,
		              n_out);
	return !infeed || infeed_ok(m, o, infeed);
}
