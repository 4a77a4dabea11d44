/* specialise.c - a function with unknown dimensions, specialized for given arguments.
 *
 * One forward walk. Arguments get the types of the given ones, results the types that follow from
 * their operands, and ops with a row SPECIALISED become static ones once the integers that give
 * their shapes are known (specialise_ints.c).
 *
 * The plan is then valid for arguments with the same dimensions and, if an integer was computed
 * from an argument, with the same elements (exec_plan_fits()). */
#include "exec/rewrite/custom.h"
#include "exec/rewrite/specialise.h"

static bool specialise_block(special *s, block *b);

static specialise_fn *specialise_fn_of(tess_ctx *ctx, const op *o)
{
	static specialise_fn *const rows[OP_COUNT] = {
#define SPECIALISED(kind, name) [OP_##kind] = specialise_##name,
#include "exec/kernel/kernels.def"
	};
	const custom_row *custom = custom_row_of(o);
	if (custom && custom->specialise)
		return custom->specialise;
	return custom_shape_operands(ctx, o) ? specialise_shaped_call : rows[o->kind];
}

/* ---- ops whose types follow from their operands ---------------------------------------------- */

static const type *dot_type(special *s, const op *o)
{
	dot_dims d;
	const type *t = result(o, 0)->type, *a = operand(o, 0)->type, *b = operand(o, 1)->type;
	if (!op_dot_dims(s->p->m, o, &d))
		return NULL;
	int64_t *dims = NEW_N(&s->p->ctx->scratch, int64_t, a->rank + b->rank + 1);
	int n = 0;
	for (int i = 0; i < d.n_batch; i++)
		dims[n++] = a->dims[d.lhs_batch[i]];
	for (int side = 0; side < 2; side++) {
		const type *in = side ? b : a;
		for (int64_t i = 0; i < in->rank; i++) {
			bool used = false;
			for (int k = 0; k < d.n_batch; k++)
				used |= (side ? d.rhs_batch : d.lhs_batch)[k] == i;
			for (int k = 0; k < d.n_contract; k++)
				used |= (side ? d.rhs_contract : d.lhs_contract)[k] == i;
			if (!used)
				dims[n++] = in->dims[i];
		}
	}
	return n == t->rank ? type_with_dims(s->p->ctx, t, dims, n) : NULL;
}

static bool all_static(const op *o)
{
	bool all = true;
	for (int i = 0; i < o->n_results; i++)
		all &= result(o, i)->type->kind != TY_TENSOR || result(o, i)->type->is_static;
	return all;
}

/* Gives the results the types that follow from the operands. */
static bool specialise_results(special *s, op *o)
{
	tess_ctx *ctx = s->p->ctx;
	if (all_static(o))
		return true;
	const type **types = NEW_N(&ctx->scratch, const type *, o->n_results), *one = NULL;
	if (op_is_dot(o))
		one = dot_type(s, o);
	else if (o->kind == OP_CONVOLUTION)
		one = special_convolution_type(s, o);
	else
		one = expand_broadcast_type(&s->e, o);
	int errors = diag_errors(ctx);
	bool inferred = !one && op_infer(s->p->m, o, types);
	if (diag_errors(ctx) > errors)
		return false;
	for (int i = 0; i < o->n_results; i++) {
		const type *t = result(o, i)->type, *like = one ? one : inferred ? types[i] : NULL;
		if (t->kind != TY_TENSOR || t->is_static)
			continue;
		if (!like && i < o->n_operands && operand(o, i)->type->rank == t->rank)
			like = operand(o, i)->type;
		else if (!like && o->n_operands && operand(o, 0)->type->rank == t->rank)
			like = operand(o, 0)->type;
		if (!like || !like->is_static)
			return plan_error(s->p, o, "the dimensions of result %d are not known", i);
		result(o, i)->type = type_with_dims(ctx, t, like->dims, like->rank);
	}
	return true;
}

/* The body takes a part of each operand, and returns a part of each result. */
static bool specialise_manual(special *s, op *o)
{
	const module *m = s->p->m;
	block *b = op_block(o, 0);
	for (int i = 0; i < b->n_args; i++) {
		const type *t = manual_inside(m, o, i, operand(o, i)->type);
		if (!t)
			return plan_error(s->p, o,
			                  "operand %d has a dimension that its sharding does not divide",
			                  i);
		b->args[i]->type = t;
	}
	if (!specialise_block(s, b))
		return false;
	for (int i = 0; i < o->n_results; i++) {
		const type *t = manual_outside(m, o, i, operand(b->last, i)->type);
		if (!t)
			return plan_error(s->p, o, "result %d is too large", i);
		result(o, i)->type = t;
	}
	return true;
}

static bool specialise_regions(special *s, op *o)
{
	if (op_is_manual(o))
		return specialise_manual(s, o);
	for (int r = 0; r < op_n_regions(o); r++) {
		block *b = op_block(o, r);
		if (!b)
			continue;
		for (int i = 0; i < b->n_args && o->kind == OP_WHILE; i++)
			b->args[i]->type = operand(o, i)->type;
		if (!specialise_block(s, b))
			return false;
	}
	const block *last = op_n_regions(o) ? op_block(o, op_n_regions(o) - 1) : NULL;
	bool yields = op_has(o, CONTROL);
	for (int i = 0; yields && i < o->n_results && last && i < last->last->n_operands; i++) {
		if (o->kind == OP_WHILE && operand(last->last, i)->type != operand(o, i)->type)
			return plan_unsupported(s->p, o,
			                        "a carried value that changes its shape is");
		result(o, i)->type = operand(last->last, i)->type;
	}
	return true;
}

/* The size of a dimension is a constant by now, whatever the value is. */
static bool specialise_dimension_size(special *s, op *o)
{
	const type *t = operand(o, 0)->type;
	int64_t d = op_int(o, N_dimension, 0);
	if (t->is_static && d >= 0 && d < t->rank)
		return expand_done(&s->e, o, build_int(&s->e.b, result(o, 0)->type->dtype, t->dims[d]));
	return specialise_results(s, o);
}

static bool specialise_block(special *s, block *b)
{
	for (op *o = b->first, *next; o; o = next) {
		next = o->next;
		specialise_fn *fn = o->kind == OP_GET_DIMENSION_SIZE ? specialise_dimension_size
		                                                     : specialise_fn_of(s->p->ctx, o);
		s->e.b = builder_before(s->p->m, o);
		if (!(fn ? fn(s, o) : specialise_regions(s, o) && specialise_results(s, o)))
			return false;
	}
	return true;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool type_admits(const type *t, const type *given)
{
	if (!given || given->kind != TY_TENSOR || t->kind != TY_TENSOR || given->rank != t->rank)
		return false;
	for (int d = 0; d < t->rank; d++)
		if (t->dims[d] != DIM_DYNAMIC && t->dims[d] != given->dims[d])
			return false;
	return true;
}

static bool specialise_args(special *s)
{
	block *b = op_body(s->func);
	for (int i = 0; i < b->n_args; i++) {
		const type *t = b->args[i]->type, *given = s->args ? s->args[i].type : NULL;
		if (t->kind != TY_TENSOR || t->is_static)
			continue;
		if (!type_admits(t, given) || !given->is_static)
			return plan_error(s->p, s->func, "argument %d has unknown dimensions", i);
		b->args[i]->type = type_with_dims(s->p->ctx, t, given->dims, given->rank);
	}
	return true;
}

static bool needs_specialising(tess_ctx *ctx, const op *func)
{
	for (int i = 0; i < op_body(func)->n_args; i++) {
		const type *t = op_body(func)->args[i]->type;
		if (t->kind == TY_TENSOR && !t->is_static)
			return true;
	}
	for (const op *o = op_body(func)->first; o; o = op_next(o, func))
		if (specialise_fn_of(ctx, o) || !all_static(o))
			return true;
	return false;
}

/* Records what the plan was made for, to be compared with later arguments. */
static void remember_args(special *s)
{
	exec_plan *p = s->p;
	p->n_special = op_body(s->func)->n_args;
	p->special = NEW_N(&p->mem, special_arg, p->n_special + 1);
	for (int i = 0; i < p->n_special; i++) {
		const type *t = op_body(s->func)->args[i]->type;
		p->special[i].type = t;
		if (!s->read[i])
			continue;
		size_t bytes = (size_t)type_bytes(t);
		p->special[i].data = memcpy(arena_alloc(&p->mem, bytes + 1), s->args[i].data[0],
		                            bytes);
	}
}

bool specialise_function(exec_plan *p, op *func, const exec_value *args)
{
	if (!needs_specialising(p->ctx, func))
		return true;
	special s = {.p = p,
	             .func = func,
	             .args = args,
	             .e = {.p = p, .ctx = p->ctx, .mem = &p->ctx->scratch}};
	s.read = NEW_N(&p->ctx->scratch, uint8_t, op_body(func)->n_args + 1);
	if (!specialise_args(&s) || !specialise_block(&s, op_body(func)))
		return false;
	remember_args(&s);
	return true;
}

void retype_function(module *m, op *func)
{
	const block *b = op_body(func);
	const type *t = op_func(func)->type;
	const type **in = NEW_N(&m->ctx->scratch, const type *, t->n_in + 1),
		   **out = NEW_N(&m->ctx->scratch, const type *, t->n_out + 1);
	for (int i = 0; i < t->n_in; i++)
		in[i] = b->args[i]->type;
	for (int i = 0; i < t->n_out; i++)
		out[i] = operand(b->last, i)->type;
	op_func(func)->type = type_list(m->ctx, TY_FUNCTION, in, t->n_in, out, t->n_out);
	if (op_attr(func, N_function_type))
		op_set_attr(m, func, N_function_type, attr_type(m->ctx, op_func(func)->type));
}

bool specialise_in_place(module *m, op *func, const exec_value *args)
{
	exec_plan p = {.ctx = m->ctx, .source = m, .m = m};
	arena_init(&p.mem, m->ctx);
	bool good = specialise_function(&p, func, args);
	arena_free(&p.mem);
	if (!good)
		return false;
	erase_unneeded(op_body(func));
	retype_function(m, func);
	return module_verify(m);
}

bool exec_plan_fits(const exec_plan *p, const exec_value *args)
{
	for (int i = 0; i < p->n_special; i++) {
		const special_arg *a = &p->special[i];
		if (a->type != args[i].type)
			return false;
		if (a->data && memcmp(a->data, args[i].data[0], (size_t)type_bytes(a->type)))
			return false;
	}
	return true;
}

/* True if the function can only be planned with its arguments. */
bool exec_needs_arguments(const module *m, const op *func)
{
	for (int i = 0; i < op_func(func)->type->n_in; i++) {
		const type *t = op_func(func)->type->in[i];
		if (t->kind == TY_TENSOR && !t->is_static)
			return true;
	}
	for (const op *o = m->top; o && op_func(func)->type->n_in; o = op_next(o, m->top))
		if (specialise_fn_of(m->ctx, o))
			return true;
	return false;
}

int exec_result_types(const exec_plan *p, const type *const **types)
{
	*types = p->result_types;
	return p->n_results;
}
