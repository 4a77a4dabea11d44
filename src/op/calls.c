/* calls.c - functions and their calls. */
#include "op/op.h"

op *call_callee(const module *m, const op *call)
{
	int named_in = op_callee_attr(call->kind);
	const attr *callee = named_in ? op_attr(call, named_in) : NULL;
	op *f = callee && callee->kind == AT_SYMBOL ? module_lookup(m, callee->text) : NULL;
	return f && op_is_func(f) ? f : NULL;
}

op *op_callee(const module *m, const op *o)
{
	return o->kind == OP_FUNC_CALL ? call_callee(m, o) : NULL;
}

const name *func_original_name(const op *f)
{
	const attr *a = op_attr(f, N_sdy_original_func_name);
	return a && a->kind == AT_STRING ? a->text : op_symbol(f);
}

const name *op_computation_name(const op *o)
{
	const attr *a = o->kind == OP_SDY_NAMED_COMPUTATION ? op_attr(o, N_name) : NULL;
	return a && a->kind == AT_STRING ? a->text : NULL;
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

/* ---- shardings of arguments and results ----------------------------------------------------- */

/* The mesh for tensors of a list without a sharding: that of the first sharding on more than one
 * device. */
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
	const type *t = op_func(f)->type;
	const sharding **list = NEW_N(mem, const sharding *, t->n_in);
	for (int i = 0; body && i < t->n_in && i < body->n_args; i++)
		list[i] = body->args[i]->sharding;
	return complete_shardings(m, t->in, t->n_in, list) ? list : NULL;
}

const sharding **func_result_shardings(module *m, const op *f, arena *mem)
{
	const type *t = op_func(f)->type;
	const sharding **list = COPY_N(mem, op_func(f)->result_shardings, t->n_out);
	return complete_shardings(m, t->out, t->n_out, list) ? list : NULL;
}

bool op_has_shardings(const op *o)
{
	return op_attr(o, N_sdy_sharding) || (o->n_results && result(o, 0)->sharding);
}

/* ---- the call graph ------------------------------------------------------------------ */

func_list module_calls(const module *m, arena *mem)
{
	func_list calls = {0};
	if (!module_has(m, OP_FUNC_CALL))
		return calls;
	for (op *o = m->top; o; o = op_next(o, m->top))
		if (o->kind == OP_FUNC_CALL)
			vec_push(mem, &calls, o);
	return calls;
}

/* The function that contains the call; NULL: none. */
static op *calling_func(const op *call)
{
	op *f = op_parent(call);
	while (f && !op_is_func(f))
		f = op_parent(f);
	return f;
}

typedef struct graph_frame {
	op *f;
	int at; /* index into calls of the next one to look at; -1: none */
} graph_frame;

typedef struct callees_first {
	const module *m;
	arena *mem;
	call_graph g;
	uint8_t *seen; /* by op id */
	VEC(graph_frame) stack;
} callees_first;

static void enter_func(callees_first *k, op *f)
{
	if (func_is_declaration(f) || k->seen[f->id])
		return;
	k->seen[f->id] = true;
	vec_push(k->mem, &k->stack, (graph_frame){f, first_call_in(&k->g, f)});
}

/* The calls of one function are adjacent in the list. */
static void find_first_calls(callees_first *k)
{
	call_graph *g = &k->g;
	if (!g->calls.len)
		return;
	g->first_call = arena_alloc(k->mem, sizeof *g->first_call * k->m->n_ops);
	memset(g->first_call, -1, sizeof *g->first_call * k->m->n_ops);
	for (int i = g->calls.len - 1; i >= 0; i--) {
		const op *f = calling_func(g->calls.ptr[i]);
		if (f)
			g->first_call[f->id] = i;
	}
}

int next_call_in(const call_graph *g, const op *f, int i)
{
	return i + 1 < g->calls.len && calling_func(g->calls.ptr[i + 1]) == f ? i + 1 : -1;
}

/* A function comes after all that it calls, unless a call leads back to it. An explicit stack is
 * used because calls may nest as deep as the text is long. */
call_graph module_call_graph(const module *m, arena *mem)
{
	callees_first k = {.m = m, .mem = mem, .g.calls = module_calls(m, mem),
	                   .seen = NEW_N(mem, uint8_t, m->n_ops)};
	find_first_calls(&k);
	for (op *root = module_body(m)->first; root; root = root->next) {
		if (op_is_func(root))
			enter_func(&k, root);
		while (k.stack.len) {
			graph_frame *top = &k.stack.ptr[k.stack.len - 1];
			if (top->at < 0) {
				vec_push(mem, &k.g.funcs, top->f);
				k.stack.len--;
				continue;
			}
			op *callee = call_callee(m, k.g.calls.ptr[top->at]);
			top->at = next_call_in(&k.g, top->f, top->at);
			if (callee)
				enter_func(&k, callee);
		}
	}
	return k.g;
}

func_list module_callees_first(const module *m, arena *mem)
{
	return module_call_graph(m, mem).funcs;
}

int64_t func_opened_size(opened_sizes *s, const op *f, uint32_t depth)
{
	void **known = ptr_map_at(&s->known, s->mem, f);
	if (*known || depth > s->m->ctx->opts.max_depth)
		return *known ? (intptr_t)*known - 1 : 0;
	*known = (void *)(intptr_t)1;
	int64_t n = 0;
	for (const op *o = op_next(f, f); o && n < s->most; o = op_next(o, f)) {
		const op *g = s->callee(s->m, o);
		n += 1 + (g ? func_opened_size(s, g, depth + 1) : 0);
	}
	*ptr_map_at(&s->known, s->mem, f) = (void *)(intptr_t)(n + 1);
	return n;
}

/* ---- annotations for a partitioner ---------------------------------------------------------- */

bool op_is_partitioner_call(const op *o)
{
	static const char *const targets[] = {"Sharding", "SPMDFullToShardShape",
	                                      "SPMDShardToFullShape"};
	for (int i = 0; i < COUNT(targets); i++)
		if (op_calls(o, targets[i]))
			return true;
	return str_starts(str_of(op_call_target(o)), "xla.sdy.");
}

const op *module_first_mark(const module *m)
{
	bool any = module_has(m, OP_CUSTOM_CALL);
	for (const op *o = any ? m->top : NULL; o; o = op_next(o, m->top))
		if (op_is_partitioner_call(o))
			return o;
	return NULL;
}

bool module_marks_are_taken(module *m)
{
	const op *o = module_first_mark(m);
	return !o || diag_error(m->ctx, op_place(m, o), E_HLO_MANUAL,
	                        "calling @%s is a word to another partitioner, which is not "
	                        "understood here: say it with an operation of sdy, or with the "
	                        "attribute mhlo.sharding",
	                        op_attr(o, N_call_target_name)->text->s);
}
