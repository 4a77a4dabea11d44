/* async.c - the short form of asynchronous operations. If the computation that async-start calls is
 * a single instruction on its parameters, XLA prints `add-start` and leaves out the computation.
 * The IR keeps that form. */
#include "hlo/text/text.h"

/* Counts how often each computation is referred to. */
static void count_names(const module *m, arena *mem, ptr_map *counts)
{
	for (const op *c = module_body(m)->first; c; c = c->next)
		for (const op *o = op_body(c)->first; o; o = o->next)
			for (int i = 0; i < o->attrs.n; i++) {
				const attr *a = o->attrs.ptr[i].value;
				const attr *const *list = a->kind == AT_ARRAY ? a->list : &a;
				for (int k = 0; k < (a->kind == AT_ARRAY ? a->n : 1); k++)
					if (list[k]->kind == AT_SYMBOL) {
						char **n = (char **)ptr_map_at(counts, mem,
						                               list[k]->text);
						*n = (char *)((uintptr_t)*n + 1);
					}
			}
}

/* Returns the only instruction of a computation, apart from parameters; NULL if there are more. */
static const op *only_instruction(tess_ctx *ctx, const op *computation)
{
	const op *root = hlo_root(ctx, computation);
	int n = 0;
	for (const op *o = op_body(computation)->first; o; o = o->next)
		n++;
	if (!root || n != root->n_operands + 1 || hlo_attr(root, ctx, "hlo.number"))
		return NULL;
	for (int i = 0; i < root->n_operands; i++) {
		const attr *number = hlo_attr(value_def(operand(root, i)), ctx, "hlo.number");
		if (!number || number->i != i)
			return NULL;
	}
	return root;
}

static void rename_stage(module *m, op *o, const char *opcode, const char *stage)
{
	op_set_own_name(
		o, name_of_z(m->ctx, arena_printf(&m->ctx->scratch, "hlo.%s-%s", opcode, stage)));
}

/* Renames async-update and async-done of the same operation. */
static void rename_later_stages(module *m, op *start, const char *opcode)
{
	VEC(op *) todo = {0};
	vec_push(&m->ctx->scratch, &todo, start);
	while (todo.len) {
		const op *o = todo.ptr[--todo.len];
		for (const use *u = o->results[0].uses; u; u = u->next) {
			const char *was = hlo_opcode_of(u->owner);
			if (strcmp(was, "async-done") == 0) {
				rename_stage(m, u->owner, opcode, "done");
			} else if (strcmp(was, "async-update") == 0) {
				rename_stage(m, u->owner, opcode, "update");
				vec_push(&m->ctx->scratch, &todo, u->owner);
			}
		}
	}
}

static void fold_start(module *m, op *start, op *computation, const op *root)
{
	const char *opcode = hlo_opcode_of(root);
	op_set_attr_named(m, start, name_of_z(m->ctx, "calls"), NULL);
	for (int i = 0; i < root->attrs.n; i++) {
		const name *key = root->attrs.ptr[i].name;
		if (!str_starts(name_str(key), "hlo.") && !op_attr_named(start, key))
			op_set_attr_named(m, start, key, root->attrs.ptr[i].value);
	}
	rename_stage(m, start, opcode, "start");
	rename_later_stages(m, start, opcode);
	module_remove_symbol(m, op_symbol(computation));
	op_erase(computation);
}

void hlo_fold_async(module *m)
{
	ptr_map counts = {0};
	bool any = false;
	const name *start = name_of_z(m->ctx, "hlo.async-start");
	for (op *c = module_body(m)->first; c; c = c->next)
		for (op *o = op_body(c)->first; o && !any; o = o->next)
			any = op_own_name(o) == start;
	if (!any)
		return;
	count_names(m, &m->ctx->scratch, &counts);
	for (op *c = module_body(m)->first; c; c = c->next)
		for (op *o = op_body(c)->first; o; o = o->next) {
			op *f = op_own_name(o) == start
			                ? hlo_computation(m, hlo_attr(o, m->ctx, "calls"))
			                : NULL;
			const op *root = f ? only_instruction(m->ctx, f) : NULL;
			if (root && ptr_map_get(&counts, op_symbol(f)) == (char *)1)
				fold_start(m, o, f, root);
		}
}
