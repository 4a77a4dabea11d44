/* specialise_ints.c - computes the integers that are shapes, with this executor itself.
 *
 * What they depend on is cut out of the function as a program of its own, which runs on the
 * arguments. So they may be any function of the arguments; inside loops they may depend on values
 * that the loop does not change. */
#include "exec/rewrite/specialise.h"

typedef struct cut {
	special *s;
	module *m;   /* the program that is cut out */
	block *body;
	ptr_map map; /* from the function's values to the program's */
	VEC(op *) ops;
	VEC(const op *) todo;
	VEC(int) arguments; /* the function's arguments that it takes */
} cut;

/* A value that a loop carries unchanged is its initial value. */
static value *unchanged(value *v)
{
	while (!value_def(v)) {
		const op *loop = value_op(v);
		if (loop->kind != OP_WHILE || operand(op_block(loop, 1)->last, (int)v->index) !=
		                                  op_block(loop, 1)->args[v->index])
			break;
		v = operand(loop, (int)v->index);
	}
	return v;
}

static bool cut_value(cut *c, const op *at, value *v)
{
	arena *mem = &c->s->p->ctx->scratch;
	value *from = unchanged(v);
	value *to = ptr_map_get(&c->map, from);
	if (!to && value_def(from)) {
		vec_push(mem, &c->todo, value_def(from));
		return true;
	}
	if (!to && value_op(from) != c->s->func)
		return plan_unsupported(c->s->p, at, "a shape that a loop changes is");
	if (!to) {
		int i = (int)from->index;
		if (!c->s->args || !c->s->args[i].data || c->s->args[i].of)
			return plan_error(c->s->p, at,
			                  "its shape depends on the elements of argument %d, "
			                  "which must be the same on all devices",
			                  i);
		c->s->read[i] = true;
		to = block_add_arg(c->m, c->body, from->type);
		*ptr_map_at(&c->map, mem, from) = to;
		vec_push(mem, &c->arguments, i);
	}
	*ptr_map_at(&c->map, mem, v) = to;
	return true;
}

/* Copies the ops on which the values in the list depend, each after those before it. */
static bool cut_ops(cut *c)
{
	arena *mem = &c->s->p->ctx->scratch;
	while (c->todo.len) {
		const op *o = c->todo.ptr[c->todo.len - 1];
		int waiting = c->todo.len;
		if (ptr_map_get(&c->map, result(o, 0))) {
			c->todo.len--;
			continue;
		}
		for (const op *k = o; k; k = op_next(k, o))
			for (int i = 0; i < k->n_operands; i++) {
				value *v = operand(k, i);
				const op *def = value_op(v);
				bool inside = op_inside(def, o) && (value_def(v) != o || k != o) &&
				              (def != o || !value_def(v));
				if (!inside && !cut_value(c, o, v))
					return false;
			}
		if (c->todo.len > waiting)
			continue;
		if (op_has(o, COLLECTIVE) && c->s->p->classes.n_devices > 1)
			return plan_error(c->s->p, o, "a shape depends on what it makes, which must not "
			                              "have to be sent: replicate it");
		for (const op *k = o; k; k = op_next(k, o)) /* looks through loops' arguments */
			for (int i = 0; i < k->n_operands; i++) {
				void *to = ptr_map_get(&c->map, unchanged(operand(k, i)));
				if (to)
					*ptr_map_at(&c->map, mem, operand(k, i)) = to;
			}
		op_append(c->body, op_clone(c->m, o, &c->map, mem));
		c->todo.len--;
	}
	return true;
}

static bool cut_run(cut *c, const op *f, int64_t *out, const type *t)
{
	exec_opts opts = {0};
	exec_value *args = NEW_N(&c->s->p->ctx->scratch, exec_value, c->arguments.len + 1), r;
	for (int i = 0; i < c->arguments.len; i++)
		args[i] = c->s->args[c->arguments.ptr[i]];
	exec_plan *outer = c->s->p;
	vec_push(&outer->mem, &outer->nested, NULL);
	exec_plan **p = &outer->nested.ptr[outer->nested.len - 1];
	bool good = exec_plan_new(p, c->m, f, &opts, args) && exec_run(*p, args, &r) == TESS_OK;
	for (int64_t i = 0; good && i < t->n_elems; i++)
		out[i] = elem_get_int(t->dtype, (char *)r.data[0] + i * dtype_bytes(t->dtype));
	exec_plan_free(*p);
	outer->nested.len--;
	return good;
}

/* Sets *out to the elements of an integer value, computing them if necessary. */
static bool known_ints(special *s, const op *o, value *v, const int64_t **out, int *n)
{
	arena *mem = &s->p->ctx->scratch;
	const attr *a = value_def(v) && op_has(value_def(v), CONSTANT)
	                        ? op_attr(value_def(v), N_value)
	                        : NULL;
	const type *t = v->type;
	if (!t->is_static || !dtype_is_int(t->dtype) || t->n_elems > 1 << 16)
		return plan_error(s->p, o, "its shape is not given by a few integers");
	int64_t *ints = NEW_N(mem, int64_t, t->n_elems + 1);
	*out = ints;
	*n = (int)t->n_elems;
	for (int64_t i = 0; a && i < t->n_elems; i++)
		ints[i] = attr_dense_int(a, i);
	if (a)
		return true;
	cut c = {.s = s, .m = module_new(s->p->ctx)};
	module_set_source(c.m, s->p->m->src);
	op *f = func_make(c.m, op_func(s->func)->type);
	op_append(module_body(c.m), f);
	c.body = block_new(c.m, op_region(f, 0));
	bool good = cut_value(&c, o, v) && cut_ops(&c);
	if (good) {
		value *r = ptr_map_get(&c.map, unchanged(v));
		block_close(c.m, c.body, OP_FUNC_RETURN, &r, 1);
		good = cut_run(&c, f, ints, t);
	}
	module_free(c.m);
	return good;
}

const int64_t *special_ints(special *s, const op *o, int i, int rank)
{
	const int64_t *ints = NULL;
	int n = 0;
	if (i >= o->n_operands || !known_ints(s, o, operand(o, i), &ints, &n))
		return NULL;
	if (rank >= 0 && n != rank)
		return plan_error(s->p, o, "operand %d has %d elements, expected %d", i, n, rank),
		       NULL;
	return ints;
}
