/* signature.c - what a run of a program takes and gives. */
#include "partition/partition.h"
#include "run/run.h"

static const type *type_of_value(const local_program *p, const type *t, bool results, int i)
{
	if (t->kind == TY_TOKEN || !p->module)
		return t;
	return results ? p->results[i].type : p->args[i].type;
}

int program_signature(module *m, bool results, const type *const **types)
{
	const op *f = module_main(m);
	local_program local = {0};
	if (!f)
		return diag_error(m->ctx, NOWHERE, E_PARTITION_NO_MAIN,
		                  "there is no function to start with: no @main and no public "
		                  "function"),
		       -1;
	if (program_is_local(m) && !local_program_read(m, &m->ctx->scratch, &local))
		return -1;
	const type *t = op_func(f)->type;
	const int all = results ? t->n_out : t->n_in;
	const type **list = NEW_N(&m->ctx->scratch, const type *, all + 1);
	int n = 0;
	for (int i = 0; i < all; i++) {
		list[n] = type_of_value(&local, results ? t->out[i] : t->in[i], results, i);
		n += list[n]->kind != TY_TOKEN;
	}
	*types = list;
	return n;
}
