/* plan.c - a program becomes a list of steps. */
#include "exec/rewrite/expand.h"

/* ---- what kernels and the files beside this one call ------------------------------ */

arena *plan_mem(exec_plan *p) { return &p->mem; }
module *plan_module(exec_plan *p) { return p->m; }
tess_ctx *plan_ctx(exec_plan *p) { return p->ctx; }

static bool plan_diag(exec_plan *p, const op *o, diag_code code, const char *what, va_list args,
                      const char *end)
{
	char text[400];
	vsnprintf(text, sizeof text, what, args);
	return diag_error(p->ctx, op_place(p->m, o), code, "%s: %s%s", op_name(o), text, end);
}

#define FORWARD(name, code, end, ...)                                                              \
	{                                                                                          \
		va_list args;                                                                      \
		va_start(args, what);                                                              \
		bool r = plan_diag(__VA_ARGS__, code, what, args, end);                            \
		va_end(args);                                                                      \
		return r;                                                                          \
	}
bool plan_error(exec_plan *p, const op *o, const char *what, ...)
	FORWARD(plan_error, E_EXEC_INVALID, "", p, o)
bool plan_unsupported(exec_plan *p, const op *o, const char *what, ...)
	FORWARD(plan_unsupported, E_EXEC_UNSUPPORTED, " not supported yet", p, o)
bool step_invalid(exec_plan *p, const step *s, const char *what, ...)
	FORWARD(step_invalid, E_EXEC_INVALID, "", p, s->op)
bool step_unsupported(exec_plan *p, const step *s, const char *what, ...)
	FORWARD(step_unsupported, E_EXEC_UNSUPPORTED, " not supported yet", p, s->op)

const void *step_constant(const exec_plan *p, const step *s, int i)
{
	const slot *from = s->plan->refs[i].slot;
	UNUSED(p);
	return from && from->kind == IN_CONST && s->t[i].n == 1
	           ? (const char *)from->data + s->plan->refs[i].offset
	           : NULL;
}

void step_in_place(exec_plan *p, step *s, int in, int out)
{
	if (!s->in_place)
		s->in_place = NEW_N(&p->mem, in_place, s->n_in * s->n_out);
	s->in_place[s->n_in_place++] = (in_place){in, out};
}

int64_t step_split(step *s, int64_t n, int64_t least)
{
	s->n_tiles = max_i64(1, min_i64(n / max_i64(least, 1), 64));
	return s->n_tiles;
}

/* ---- slots and bindings -------------------------------------------------------------- */

static dtype stored_dtype(const type *t)
{
	if (t->elem && t->elem->kind == TY_QUANT)
		return t->elem->quant->storage;
	return t->dtype;
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

slot *slot_new(exec_plan *p, const type *t, const classes *cls)
{
	slot *s = NEW(&p->mem, slot);
	s->id = p->slots.len;
	s->cls = cls;
	s->first = s->home = s->last = s->read = -1;
	size_t bytes = t->kind == TY_TENSOR
	                       ? (size_t)t->n_elems * (size_t)dtype_bytes(stored_dtype(t))
	                       : 0;
	s->used = bytes;
	s->bytes = (bytes + 63) & ~(size_t)63;
	vec_push(&p->mem, &p->slots, s);
	return s;
}

void bind_slot(exec_plan *p, const value *v, slot *s)
{
	p->bind[v->id] = (binding){.slot = s, .cls = s->cls};
}

const binding *bound(exec_plan *p, const value *v)
{
	binding *b = &p->bind[v->id];
	if (b->group)
		group_close(p, b->group);
	return b;
}

tensor tensor_of(exec_plan *p, const type *t, const binding *b)
{
	dtype dt = stored_dtype(t);
	tensor r = {.type = t, .dtype = dt, .bytes = dtype_bytes(dt), .rank = t->rank,
	            .dims = t->dims, .n = t->kind == TY_TENSOR ? t->n_elems : 0};
	if (b && b->strides) {
		r.strides = b->strides;
	} else {
		int64_t *strides = NEW_N(&p->mem, int64_t, t->rank);
		strides_of(t->dims, t->rank, strides);
		r.strides = strides;
	}
	return r;
}

/* ---- steps ------------------------------------------------------------------------------ */

step *step_new(exec_plan *p, const op *o, int n_in, int n_out, const classes *cls)
{
	step *s = NEW(&p->mem, step);
	s->op = o;
	s->n_ops = 1;
	s->n_in = n_in;
	s->n_out = n_out;
	s->t = NEW_N(&p->mem, tensor, n_in + n_out);
	s->n_tiles = 1;
	s->plan = NEW(&p->mem, step_plan);
	s->plan->refs = NEW_N(&p->mem, ref, n_in + n_out);
	s->plan->cls = cls;
	s->plan->masked = !classes_is_uniform(p->control);
	return s;
}

void step_set_in(exec_plan *p, step *s, int i, const type *t, const binding *b)
{
	s->t[i] = tensor_of(p, t, b);
	s->plan->refs[i] = (ref){b->slot, b->offset * s->t[i].bytes,
	                         classes_project(&p->classes, s->plan->cls, b->cls)};
}

void step_set_out_slot(exec_plan *p, step *s, int i, const type *t, slot *to)
{
	s->t[s->n_in + i] = tensor_of(p, t, NULL);
	s->plan->refs[s->n_in + i] =
	    (ref){to, 0, classes_project(&p->classes, s->plan->cls, to->cls)};
}

slot *step_set_out(exec_plan *p, step *s, int i, const type *t, const value *v)
{
	slot *to = slot_new(p, t, s->plan->cls);
	step_set_out_slot(p, s, i, t, to);
	to->own = true;
	if (v)
		bind_slot(p, v, to);
	return to;
}

/* Constant folding, and what is constant inside of loops: the step depends on constants only and
 * its results do not take much memory, so that they may stay from run to run. */
static bool is_run_once(exec_plan *p, const step *s)
{
	const size_t most = 1 << 20, most_of_all = 16 << 20;
	size_t bytes = 0;
	if (s->plan->kind != STEP_KERNEL || s->plan->masked || p->in_world)
		return false;
	for (int i = 0; i < s->n_in; i++)
		if (s->plan->refs[i].slot->kind != IN_CONST && !s->plan->refs[i].slot->once)
			return false;
	for (int i = s->n_in; i < s->n_in + s->n_out; i++) {
		const slot *to = s->plan->refs[i].slot;
		bytes += to->bytes * (size_t)to->cls->n;
		if (!to->own)
			return false;
	}
	return bytes <= most && (p->once_bytes += bytes) <= most_of_all;
}

void step_add(exec_plan *p, step *s)
{
	s->plan->once = is_run_once(p, s);
	for (int i = s->n_in; i < s->n_in + s->n_out; i++)
		s->plan->refs[i].slot->once |= s->plan->once;
	s->plan->at = s->plan->end = p->n_steps++;
	for (int i = 0; i < s->n_out; i++) {
		slot *to = s->plan->refs[s->n_in + i].slot;
		if (to->first < 0)
			to->first = to->home = s->plan->at;
	}
	if (s->scratch > p->scratch)
		p->scratch = s->scratch;
	if (s->n_in + s->n_out > p->max_tensors)
		p->max_tensors = s->n_in + s->n_out;
	vec_push(&p->mem, p->to, s);
	p->facts.n_steps++;
}

/* ---- kernels ------------------------------------------------------------------------------ */

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

static const classes *join_operands(exec_plan *p, const op *o)
{
	const classes *c = o->n_results ? p->cls[o->results[0].id] : p->classes.uniform;
	for (int i = 0; i < o->n_results; i++)
		c = classes_join(&p->classes, c, p->cls[o->results[i].id]);
	for (int i = 0; i < o->n_operands && !o->n_results; i++)
		c = classes_join(&p->classes, c, p->cls[operand(o, i)->id]);
	return classes_join(&p->classes, c, p->control);
}

/* Where no result has elements, kernels need not know what their sizes divide. */
static bool gives_nothing(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].type->kind != TY_TENSOR || o->results[i].type->n_elems)
			return false;
	return o->n_results > 0;
}

static void run_nothing(const step *s, const call *c)
{
	UNUSED(s);
	UNUSED(c);
}

bool plan_kernel(exec_plan *p, const op *o, prepare_fn *prepare, bool views)
{
	const binding **in = NEW_N(&p->ctx->scratch, const binding *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = views ? bound(p, operand(o, i)) : bound_dense(p, operand(o, i));
	step *s = step_new(p, o, o->n_operands, o->n_results, join_operands(p, o));
	for (int i = 0; i < o->n_operands; i++)
		step_set_in(p, s, i, operand(o, i)->type, in[i]);
	for (int i = 0; i < o->n_results; i++)
		step_set_out(p, s, i, o->results[i].type, &o->results[i]);
	if (gives_nothing(o))
		s->run = run_nothing;
	else if (!prepare(p, s))
		return false;
	step_add(p, s);
	return true;
}

/* What stands in programs that can be read, propagated and reported, but not computed as they are. */
static bool refuse_op(exec_plan *p, const op *o)
{
	const attr *literal = attrs_get_named(&o->attrs, name_of_z(p->ctx, "hlo.literal"));
	if (o->kind == OP_SDY_MANUAL_COMPUTATION)
		return plan_error(p, o, "its body is the program of one device of many: run the "
		                        "partitioned program (tess run, tess verify)");
	if (literal && literal->kind == AT_STRING && strstr(literal->text->s, "..."))
		return plan_error(p, o, "the text leaves the elements out, %s: print the program "
		                        "with its large constants",
		                  literal->text->s);
	return plan_unsupported(p, o, "executing this operation is");
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

/* All ops but the terminator; open groups are closed. */
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
		if (b->slot->kind == IN_ARG) /* results live in the plan */
			b = copied(p, end, operand(end, i)->type, b);
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
	const transport *ranks = opts->ranks;
	int begin = ranks ? (int)transport_first_device(ranks, p->n_devices, ranks->rank) : 0;
	int end = ranks ? (int)transport_first_device(ranks, p->n_devices, ranks->rank + 1)
	                : p->n_devices;
	class_table_init(&p->classes, &p->mem, p->n_devices, begin, end, opts->faithful);
	bool good = plan_start(p, m, func, args) && plan_args(p, args) &&
	            plan_block(p, op_body(p->func));
	if (good) {
		plan_results(p);
		good = (!ranks || plan_exchanges(p)) && plan_memory(p);
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

void exec_plan_free(exec_plan *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->nested.len; i++)
		exec_plan_free(p->nested.ptr[i]);
	run_free(p->run);
	module_free(p->m);
	arena mem = p->mem; /* p itself lies in it */
	arena_free(&mem);
}

exec_facts exec_plan_facts(const exec_plan *p)
{
	exec_facts f = p->facts;
	f.n_checks = p->run ? p->run->n_checks : 0;
	for (int i = 0; i < p->nested.len; i++)
		f.n_checks += exec_plan_facts(p->nested.ptr[i]).n_checks;
	return f;
}
