/* plan.c - turns a program into a list of steps. */
#include "exec/rewrite/expand.h"

/* ---- ops ------------------------------------------------------------------------------ */

typedef struct exec_row {
	plan_fn *plan;
	prepare_fn *prepare;
	bool views;
} exec_row;

enum { DENSE = 0, VIEWS = 1 };

static const exec_row *exec_row_of(int kind)
{
	static const exec_row rows[OP_COUNT] = {
#define PLANNED(kind, name) [OP_##kind] = {.plan = plan_##name},
#define KERNEL(kind, name, form) [OP_##kind] = {.prepare = prepare_##name, .views = (form)},
#include "exec/kernel/kernels.def"
	};
	static const exec_row fused = {.plan = plan_fused};
	return op_kind_traits(kind) & FUSES ? &fused : &rows[kind];
}

/* Refuses ops that can be read, propagated and reported, but not computed as they are. */
static bool refuse_op(exec_plan *p, const op *o)
{
	const attr *literal = attrs_get_named(&o->attrs, name_of_z(p->ctx, "hlo.literal"));
	if (op_is_manual(o))
		return plan_error(p, o, "its body is the program of one device of many: run the "
		                        "partitioned program (tess run, tess verify)");
	if (literal && literal->kind == AT_STRING && strstr(literal->text->s, "..."))
		return plan_error(p, o, "the text leaves the elements out, %s: print the program "
		                        "with its large constants",
		                  literal->text->s);
	return plan_unsupported(p, o, "executing this operation is");
}

static bool plan_check_type(exec_plan *p, const op *o, const type *t)
{
	if (t->kind == TY_TOKEN)
		return true;
	if (t->kind == TY_TUPLE) {
		for (int i = 0; i < t->n_in; i++)
			if (!plan_check_type(p, o, t->in[i]))
				return false;
		return true;
	}
	if (t->kind != TY_TENSOR || !t->is_static || stored_dtype(t) == DT_NONE)
		return plan_unsupported(p, o, "a value that is not a tensor of static shape is");
	if (t->rank > MAX_RANK)
		return plan_unsupported(p, o, "a tensor of rank %d is", t->rank);
	int64_t bytes;
	if (t->n_elems < 0 || !mul_ok(t->n_elems, dtype_bytes(stored_dtype(t)), &bytes) ||
	    bytes > INT64_MAX / 2)
		return plan_error(p, o, "a tensor is too large");
	return true;
}

static bool plan_op(exec_plan *p, const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (!plan_check_type(p, o, o->results[i].type))
			return false;
	const exec_row *row = exec_row_of(o->kind);
	if (row->plan)
		return row->plan(p, o);
	if (row->prepare)
		return plan_kernel(p, o, row->prepare, row->views);
	return refuse_op(p, o);
}

/* Plans all ops but the terminator, and closes open groups. */
bool plan_block(exec_plan *p, const block *b)
{
	const block *outer = p->block;
	p->block = b;
	for (const op *o = b->first; o && o != b->last; o = o->next)
		if (!plan_op(p, o))
			return false;
	for (int i = 0; i < b->last->n_operands; i++)
		bound(p, operand(b->last, i));
	groups_close_all(p);
	p->block = outer;
	return true;
}

/* ---- the plan ------------------------------------------------------------------------------- */

static const classes *arg_classes(exec_plan *p, const exec_value *args, int i)
{
	if (args && args[i].of)
		return classes_of_keys(&p->classes, args[i].of);
	return p->in_world ? p->classes.identity : p->classes.uniform;
}

static bool plan_args(exec_plan *p, const exec_value *args)
{
	const block *b = op_body(p->func);
	const classes **cls = NEW_N(&p->mem, const classes *, b->n_args);
	p->n_args = b->n_args;
	p->args = NEW_N(&p->mem, binding, b->n_args);
	for (int i = 0; i < b->n_args; i++) {
		if (!plan_check_type(p, p->func, b->args[i]->type))
			return false;
		cls[i] = arg_classes(p, args, i);
		slot *s = slot_new(p, b->args[i]->type, cls[i]);
		s->kind = IN_ARG;
		s->arg = i;
		bind_slot(p, b->args[i], s);
		p->args[i] = p->bind[b->args[i]->id];
	}
	return infer_classes(p, cls);
}

static const binding *copied(exec_plan *p, const op *at, const type *t, const binding *b)
{
	binding *made = NEW(&p->mem, binding);
	slot *s = plan_copy(p, at, t, b, NULL);
	*made = (binding){.slot = s, .cls = s->cls};
	return made;
}

/* True if the result is an argument, unchanged; only with opts.shards. */
static bool is_argument(const exec_plan *p, const binding *b, const type *t)
{
	size_t bytes = (size_t)t->n_elems * (size_t)dtype_bytes(stored_dtype(t));
	return p->opts.shards && !b->offset && b->slot->used == bytes;
}

static void plan_results(exec_plan *p)
{
	const op *end = op_body(p->func)->last;
	p->n_results = end->n_operands;
	p->results = NEW_N(&p->mem, ref, p->n_results);
	p->result_cls = NEW_N(&p->mem, const classes *, p->n_results);
	p->result_types = NEW_N(&p->mem, const type *, p->n_results);
	p->result_data = NEW_N(&p->mem, char **, p->n_results);
	p->block = op_body(p->func);
	for (int i = 0; i < p->n_results; i++) {
		const binding *b = bound_dense(p, operand(end, i));
		if (b->slot->kind == IN_ARG && !is_argument(p, b, operand(end, i)->type))
			b = copied(p, end, operand(end, i)->type, b); /* results must be in the
			                                               * plan's memory */
		p->result_types[i] = operand(end, i)->type;
		p->result_data[i] = NEW_N(&p->mem, char *, b->cls->n);
		p->results[i] = (ref){b->slot,
		                      b->offset * dtype_bytes(stored_dtype(operand(end, i)->type)),
		                      NULL};
		p->result_cls[i] = b->cls;
		b->slot->last = INT32_MAX;
	}
}

static bool plan_start(exec_plan *p, module *m, const op *func, const exec_value *args)
{
	const block *b = op_body(func);
	op *copy = NULL;
	p->source = m;
	if (!b || !b->last || !(op_has(b->last, TERMINATOR)))
		return diag_error(p->ctx, op_place(m, func), E_EXEC_INVALID,
		                  "the function has no body that returns");
	p->m = inline_function(m, func, &copy);
	if (p->m)
		module_adopt(p->m);
	if (!p->m || !specialise_function(p, copy, args) || !expand_function(p, copy))
		return false;
	erase_unneeded(op_body(copy));
	p->func = copy;
	p->n_values = p->m->n_values;
	p->cls = NEW_N(&p->mem, const classes *, p->n_values);
	p->bind = NEW_N(&p->mem, binding, p->n_values);
	p->group_of = NEW_N(&p->mem, int, p->m->n_ops);
	p->to = &p->main;
	p->control = p->classes.uniform;
	if (p->opts.members) {
		int32_t *keys = NEW_N(&p->ctx->scratch, int32_t, p->n_devices);
		for (int d = 0; d < p->n_devices; d++)
			keys[d] = p->opts.members[d];
		p->control = classes_of_keys(&p->classes, keys);
	}
	return true;
}

/* Runs on shards may happen at the same time, so their needs from the context are made first. */
static bool runs_beside(exec_plan *p)
{
	uint32_t line, col;
	place_line_col(p->ctx, op_place(p->m, p->func), &line, &col); /* builds the line table */
	return !p->talks ||
	       plan_unsupported(p, p->talks, "with shards in and out, this is");
}

static bool plan_new(exec_plan **to, module *m, const op *func, const exec_opts *opts,
                     const exec_value *args, bool in_world)
{
	arena mem;
	arena_init(&mem, m->ctx);
	exec_plan *p = *to = NEW(&mem, exec_plan);
	p->ctx = m->ctx;
	p->mem = mem;
	p->opts = *opts;
	p->opts.n_replicas += !p->opts.n_replicas;
	p->opts.n_partitions += !p->opts.n_partitions;
	p->n_devices = p->opts.n_replicas * p->opts.n_partitions;
	p->in_world = in_world;
	p->ranks = opts->ranks ? ranks_plan_new(p) : NULL;
	class_table_init(&p->classes, &p->mem, p->n_devices, p->ranks ? p->ranks->own : NULL,
	                 opts->faithful);
	bool good = plan_start(p, m, func, args) && plan_args(p, args) &&
	            plan_block(p, op_body(p->func));
	if (good) {
		plan_results(p);
		good = (!opts->shards || runs_beside(p)) && (!p->ranks || plan_exchanges(p)) &&
		       plan_memory(p);
	}
	if (!good) {
		exec_plan_free(p);
		*to = NULL;
	}
	return good;
}

bool exec_plan_new(exec_plan **to, module *m, const op *func, const exec_opts *opts,
                   const exec_value *args)
{
	*to = NULL;
	return module_wants_single_blocks(m, "running") && plan_new(to, m, func, opts, args, false);
}

bool exec_plan_world(exec_plan **to, module *m, const op *func, const exec_opts *opts)
{
	*to = NULL;
	return plan_new(to, m, func, opts, NULL, true);
}

module *exec_static_program(exec_plan **to, module *m, const exec_value *args)
{
	arena mem;
	*to = NULL;
	if (!module_wants_single_blocks(m, "running"))
		return NULL;
	arena_init(&mem, m->ctx);
	exec_plan *p = *to = NEW(&mem, exec_plan);
	*p = (exec_plan){.ctx = m->ctx, .mem = mem, .n_devices = 1};
	class_table_init(&p->classes, &p->mem, 1, NULL, false);
	p->m = module_clone(m);
	module_adopt(p->m);
	op *f = module_main(p->m);
	if (!specialise_function(p, f, args))
		return NULL;
	erase_unneeded(op_body(f));
	retype_function(p->m, f);
	return p->m;
}

void exec_plan_free(exec_plan *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->nested.len; i++)
		exec_plan_free(p->nested.ptr[i]);
	exec_state_free(p->run);
	module_free(p->m);
	arena mem = p->mem; /* p itself is in it */
	arena_free(&mem);
}

/* The first device of this rank, by class. */
static const int32_t *first_here(exec_plan *p, const classes *c)
{
	if (!p->ranks)
		return c->first;
	int32_t *first = NEW_N(&p->mem, int32_t, c->n + 1);
	memset(first, -1, sizeof *first * (size_t)c->n);
	for (int32_t d = p->n_devices; d-- > 0;)
		if (p->ranks->own[d])
			first[c->of[d]] = d;
	return first;
}

bool exec_has_device(const exec_plan *p, int32_t device)
{
	return !p->ranks || p->ranks->own[device];
}

exec_shards exec_argument_shards(exec_plan *p, int i)
{
	const slot *s = p->args[i].slot;
	return (exec_shards){.n = s->cls->n, .of = s->cls->of, .first = first_here(p, s->cls),
	                     .bytes = s->used, .argument = -1, .reuse = -1};
}

exec_shards exec_result_shards(exec_plan *p, int i)
{
	const classes *c = p->result_cls[i];
	const given_result *at = &p->places[i];
	return (exec_shards){.n = c->n, .of = c->of, .first = first_here(p, c), .bytes = at->bytes,
	                     .argument = at->argument, .reuse = at->reuse};
}

exec_facts exec_plan_facts(const exec_plan *p)
{
	exec_facts f = p->facts;
	f.n_checks = p->run ? p->run->n_checks : 0;
	for (int i = 0; i < p->nested.len; i++)
		f.n_checks += exec_plan_facts(p->nested.ptr[i]).n_checks;
	return f;
}
