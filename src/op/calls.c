/* calls.c - functions that call functions. */
#include "op/op.h"

op *call_callee(const module *m, const op *call)
{
	const attr *callee = op_attr(call, N_callee);
	op *f = callee && callee->kind == AT_SYMBOL ? module_lookup(m, callee->text) : NULL;
	return f && op_is_func(f) ? f : NULL;
}

const name *func_original_name(const op *f)
{
	const attr *a = op_attr(f, N_sdy_original_func_name);
	return a && a->kind == AT_STRING ? a->text : op_symbol(f);
}

op *module_main_or_only(const module *m)
{
	op *only = NULL;
	int n = 0;
	for (op *o = module_body(m)->first; o; o = o->next)
		if (op_is_func(o)) {
			only = o;
			n++;
		}
	if (n == 1)
		return only;
	op *f = module_lookup(m, name_known(m->ctx, N_main));
	return f && op_is_func(f) ? f : NULL;
}

/* ---- shardings of the border ------------------------------------------------------- */

/* The mesh for the tensors of a list that have no sharding: that of the first which
 * has one, on more than one device. */
static bool common_mesh(const module *m, const sharding *const *list, int n, mesh_ref *out)
{
	for (int i = 0; i < n; i++) {
		const mesh *on = list[i] ? sharding_mesh(m, list[i]) : NULL;
		if (!list[i] || (on && mesh_is_maximal(on)))
			continue;
		*out = list[i]->mesh;
		return true;
	}
	return false;
}

static bool complete_shardings(module *m, const type *const *types, int n, const sharding **list)
{
	mesh_ref mesh;
	if (!common_mesh(m, list, n, &mesh))
		return false;
	for (int i = 0; i < n; i++)
		if (!list[i])
			list[i] = sharding_open(m->ctx, mesh,
			                        type_is_tensor(types[i]) ? types[i]->rank : 0);
	return true;
}

const sharding **func_arg_shardings(module *m, const op *f, arena *mem)
{
	const block *body = op_body(f);
	const type *t = f->func->type;
	const sharding **list = NEW_N(mem, const sharding *, t->n_in);
	for (int i = 0; body && i < t->n_in && i < body->n_args; i++)
		list[i] = body->args[i]->sharding;
	return complete_shardings(m, t->in, t->n_in, list) ? list : NULL;
}

const sharding **func_result_shardings(module *m, const op *f, arena *mem)
{
	const type *t = f->func->type;
	const sharding **list = COPY_N(mem, f->func->result_shardings, t->n_out);
	return complete_shardings(m, t->out, t->n_out, list) ? list : NULL;
}

bool op_has_shardings(const op *o)
{
	return op_attr(o, N_sdy_sharding) || (o->n_results && result(o, 0)->sharding);
}

/* ---- the call graph ------------------------------------------------------------------ */

typedef struct graph_frame {
	op *f;
	op *at; /* the next op to look at in it */
} graph_frame;

/* A function comes when all that it calls has come, unless that leads back to it.
 * An explicit stack, since calls may nest as deep as the text is long. */
func_list module_callees_first(const module *m, arena *mem)
{
	func_list out = {0};
	uint8_t *seen = NEW_N(mem, uint8_t, m->n_ops);
	VEC(graph_frame) stack = {0};

	for (op *root = module_body(m)->first; root; root = root->next) {
		if (!op_is_func(root) || func_is_declaration(root) || seen[root->id])
			continue;
		seen[root->id] = true;
		vec_push(mem, &stack, (graph_frame){root, root});
		while (stack.len) {
			graph_frame *top = &stack.ptr[stack.len - 1];
			op *o = top->at;
			if (!o) {
				vec_push(mem, &out, top->f);
				stack.len--;
				continue;
			}
			top->at = op_next(o, top->f);
			op *callee = o->kind == OP_FUNC_CALL ? call_callee(m, o) : NULL;
			if (!callee || func_is_declaration(callee) || seen[callee->id])
				continue;
			seen[callee->id] = true;
			vec_push(mem, &stack, (graph_frame){callee, callee});
		}
	}
	return out;
}
