/* walk.c - the public side of operations, regions, blocks and values: asking. */
#include "api/frame.h"
#include "api/module.h"
#include "op/op.h"

#include <tessera/module.h>

tess_ctx *tess_module_ctx(const tess_module *m) { return m->ctx; }
tess_op *tess_module_op(const tess_module *m) { return m->m->top; }
tess_block *tess_module_body(const tess_module *m) { return module_body(m->m); }

tess_op *tess_module_find(const tess_module *m, const char *symbol)
{
	for (op *o = module_body(m->m)->first; o; o = o->next) {
		const name *n = op_symbol(o);
		if (n && str_is(name_str(n), symbol))
			return o;
	}
	return NULL;
}

/* ---- operations ----------------------------------------------------------------------- */

tess_str tess_op_name(const tess_op *o) { return str_of(op_name(o)); }

bool tess_op_is(const tess_op *o, const char *name) { return str_is(tess_op_name(o), name); }

tess_block *tess_op_parent_block(const tess_op *o) { return o->parent; }
tess_op *tess_op_parent(const tess_op *o) { return op_parent(o); }
tess_op *tess_op_next(const tess_op *o) { return o->next; }
tess_op *tess_op_prev(const tess_op *o) { return o->prev; }

tess_op *tess_op_walk(const tess_op *o, const tess_op *root) { return op_next(o, root); }

size_t tess_op_operand_count(const tess_op *o) { return (size_t)o->n_operands; }
size_t tess_op_result_count(const tess_op *o) { return (size_t)o->n_results; }
size_t tess_op_region_count(const tess_op *o) { return (size_t)op_n_regions(o); }
size_t tess_op_attr_count(const tess_op *o) { return (size_t)o->attrs.n; }

tess_value *tess_op_operand(const tess_op *o, size_t i)
{
	return i < tess_op_operand_count(o) ? operand(o, (int)i) : NULL;
}

tess_value *tess_op_result(const tess_op *o, size_t i)
{
	return i < tess_op_result_count(o) ? result(o, (int)i) : NULL;
}

size_t tess_op_successor_count(const tess_op *o)
{
	int n;
	op_successors(o, &n);
	return (size_t)n;
}

tess_block *tess_op_successor(const tess_op *o, size_t i)
{
	int n;
	block *const *to = op_successors(o, &n);
	return i < (size_t)n ? to[i] : NULL;
}

tess_block *tess_op_body(const tess_op *o, size_t i)
{
	return i < tess_op_region_count(o) ? op_block(o, (int)i) : NULL;
}

const tess_attr *tess_op_attr_at(const tess_op *o, size_t i, tess_str *name)
{
	if (i >= tess_op_attr_count(o))
		return NULL;
	const named_attr *a = &o->attrs.ptr[i];
	if (name)
		*name = name_str(a->name);
	return a->value;
}

static const attr *attr_named(const attr_list *l, const char *name)
{
	for (int i = 0; i < l->n; i++)
		if (str_is(name_str(l->ptr[i].name), name))
			return l->ptr[i].value;
	return NULL;
}

const tess_attr *tess_op_attr(const tess_op *o, const char *name)
{
	return attr_named(&o->attrs, name);
}

const tess_attr *tess_op_location(const tess_op *o) { return op_loc(o); }

/* ---- blocks ---------------------------------------------------------------- */

tess_block *tess_block_next(const tess_block *b) { return b->next; }
tess_op *tess_block_first(const tess_block *b) { return b->first; }
tess_op *tess_block_last(const tess_block *b) { return b->last; }
size_t tess_block_arg_count(const tess_block *b) { return (size_t)b->n_args; }

tess_op *tess_block_parent(const tess_block *b) { return block_parent(b); }

tess_value *tess_block_arg(const tess_block *b, size_t i)
{
	return i < tess_block_arg_count(b) ? b->args[i] : NULL;
}

/* ---- values and uses ---------------------------------------------------------------------- */

const tess_type *tess_value_type(const tess_value *v) { return v->type; }
tess_op *tess_value_op(const tess_value *v) { return value_def(v); }
tess_block *tess_value_block(const tess_value *v) { return value_block(v); }
size_t tess_value_index(const tess_value *v) { return v->index; }
tess_use *tess_value_uses(const tess_value *v) { return v->uses; }
tess_use *tess_use_next(const tess_use *u) { return u->next; }
tess_op *tess_use_op(const tess_use *u) { return u->owner; }
size_t tess_use_index(const tess_use *u) { return (size_t)use_index(u); }

tess_str tess_value_name(const tess_value *v) { return value_name(v); }

typedef struct sharding_question {
	const module *m;
	const value *v;
	const sharding *s;
} sharding_question;

static tess_status value_sharding_body(tess_ctx *ctx, void *arg)
{
	sharding_question *q = arg;
	UNUSED(ctx);
	q->s = value_sharding(q->m, q->v);
	return TESS_OK;
}

/* What enters and leaves a manual or named computation is sharded as its lists say; that of an
 * argument inside is made when it is asked for, which takes memory. */
const tess_sharding *tess_value_sharding(const tess_value *v)
{
	sharding_question q = {.v = v, .s = v->sharding};
	const op *o = q.s ? NULL : value_op(q.v);
	q.m = o && op_has(o, DATA_FLOW) ? op_module(o) : NULL;
	if (q.m)
		frame_run(q.m->ctx, value_sharding_body, &q);
	return q.s;
}

/* ---- functions ------------------------------------------------------------------------------ */

const tess_type *tess_func_type(const tess_op *f)
{
	return f && op_func(f) ? (op_func(f)->type) : NULL;
}

const tess_attr *tess_func_arg_attr(const tess_op *f, size_t i, const char *name)
{
	const tess_type *t = tess_func_type(f);
	return t && i < tess_type_in_count(t) ? (attr_named(&op_func(f)->arg_attrs[i], name))
	                                      : NULL;
}

const tess_attr *tess_func_result_attr(const tess_op *f, size_t i, const char *name)
{
	const tess_type *t = tess_func_type(f);
	return t && i < tess_type_out_count(t) ? (attr_named(&op_func(f)->result_attrs[i], name))
	                                       : NULL;
}

const tess_sharding *tess_func_result_sharding(const tess_op *f, size_t i)
{
	const tess_type *t = tess_func_type(f);
	return t && i < tess_type_out_count(t) ? (op_func(f)->result_shardings[i]) : NULL;
}
