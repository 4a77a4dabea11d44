/* walk.c - the public functions that read operations, regions, blocks and values. */
#include "api/frame.h"
#include "api/module.h"
#include "op/op.h"

#include <tessera/module.h>

tess_ctx *tess_module_ctx(const tess_module *m) { return CTX_OF(m); }
tess_op *tess_module_op(const tess_module *m) { return m ? m->m->top : NULL; }
tess_block *tess_module_body(const tess_module *m) { return m ? module_body(m->m) : NULL; }

tess_op *tess_module_find(const tess_module *m, const char *symbol)
{
	for (op *o = m && symbol ? module_body(m->m)->first : NULL; o; o = o->next) {
		const name *n = op_symbol(o);
		if (n && str_is(name_str(n), symbol))
			return o;
	}
	return NULL;
}

/* ---- operations ----------------------------------------------------------------------- */

tess_str tess_op_name(const tess_op *o) { return o ? str_of(op_name(o)) : (tess_str){0}; }

bool tess_op_is(const tess_op *o, const char *name)
{
	return o && name && str_is(tess_op_name(o), name);
}

tess_block *tess_op_parent_block(const tess_op *o) { return o ? o->parent : NULL; }
tess_op *tess_op_parent(const tess_op *o) { return o ? op_parent(o) : NULL; }
tess_op *tess_op_next(const tess_op *o) { return o ? o->next : NULL; }
tess_op *tess_op_prev(const tess_op *o) { return o ? o->prev : NULL; }

tess_op *tess_op_walk(const tess_op *o, const tess_op *root)
{
	return o && root ? op_next(o, root) : NULL;
}

size_t tess_op_operand_count(const tess_op *o) { return o ? (size_t)o->n_operands : 0; }
size_t tess_op_result_count(const tess_op *o) { return o ? (size_t)o->n_results : 0; }
size_t tess_op_region_count(const tess_op *o) { return o ? (size_t)op_n_regions(o) : 0; }
size_t tess_op_attr_count(const tess_op *o) { return o ? (size_t)o->attrs.n : 0; }

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
	int n = 0;
	if (o)
		op_successors(o, &n);
	return (size_t)n;
}

tess_block *tess_op_successor(const tess_op *o, size_t i)
{
	int n = 0;
	block *const *to = o ? op_successors(o, &n) : NULL;
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
	for (int i = 0; name && i < l->n; i++)
		if (str_is(name_str(l->ptr[i].name), name))
			return l->ptr[i].value;
	return NULL;
}

const tess_attr *tess_op_attr(const tess_op *o, const char *name)
{
	return o ? attr_named(&o->attrs, name) : NULL;
}

const tess_attr *tess_op_location(const tess_op *o) { return o ? op_loc(o) : NULL; }

/* ---- blocks ---------------------------------------------------------------- */

tess_block *tess_block_next(const tess_block *b) { return b ? b->next : NULL; }
tess_op *tess_block_first(const tess_block *b) { return b ? b->first : NULL; }
tess_op *tess_block_last(const tess_block *b) { return b ? b->last : NULL; }
size_t tess_block_arg_count(const tess_block *b) { return b ? (size_t)b->n_args : 0; }

tess_op *tess_block_parent(const tess_block *b) { return b ? block_parent(b) : NULL; }

tess_value *tess_block_arg(const tess_block *b, size_t i)
{
	return i < tess_block_arg_count(b) ? b->args[i] : NULL;
}

/* ---- values and uses ---------------------------------------------------------------------- */

const tess_type *tess_value_type(const tess_value *v) { return v ? v->type : NULL; }
tess_op *tess_value_op(const tess_value *v) { return v ? value_def(v) : NULL; }
tess_block *tess_value_block(const tess_value *v) { return v ? value_block(v) : NULL; }
size_t tess_value_index(const tess_value *v) { return v ? v->index : 0; }
tess_use *tess_value_uses(const tess_value *v) { return v ? v->uses : NULL; }
tess_use *tess_use_next(const tess_use *u) { return u ? u->next : NULL; }
tess_op *tess_use_op(const tess_use *u) { return u ? u->owner : NULL; }
size_t tess_use_index(const tess_use *u) { return u ? (size_t)use_index(u) : 0; }

tess_str tess_value_name(const tess_value *v) { return v ? value_name(v) : (tess_str){0}; }

/* Values at the border of a manual or named computation have the shardings in its lists; that of an
 * inner argument is created on demand, which takes memory. */
static const sharding *sharding_in_lists(const module *m, const value *v)
{
	frame f;
	if (setjmp(*frame_start(&f, m->ctx)) == 0)
		f.made = value_sharding(m, v);
	return frame_made(&f);
}

const tess_sharding *tess_value_sharding(const tess_value *v)
{
	const op *o = v && !v->sharding ? value_op(v) : NULL;
	const module *m = o && op_has(o, DATA_FLOW) ? op_module(o) : NULL;
	return m ? sharding_in_lists(m, v) : v ? v->sharding : NULL;
}

/* ---- functions ------------------------------------------------------------------------------ */

const tess_type *tess_func_type(const tess_op *f)
{
	return f && op_func(f) ? op_func(f)->type : NULL;
}

const tess_attr *tess_func_arg_attr(const tess_op *f, size_t i, const char *name)
{
	const tess_type *t = tess_func_type(f);
	return t && i < tess_type_in_count(t) ? attr_named(&op_func(f)->arg_attrs[i], name) : NULL;
}

const tess_attr *tess_func_result_attr(const tess_op *f, size_t i, const char *name)
{
	const tess_type *t = tess_func_type(f);
	return t && i < tess_type_out_count(t) ? attr_named(&op_func(f)->result_attrs[i], name)
	                                       : NULL;
}

const tess_sharding *tess_func_result_sharding(const tess_op *f, size_t i)
{
	const tess_type *t = tess_func_type(f);
	return t && i < tess_type_out_count(t) ? op_func(f)->result_shardings[i] : NULL;
}
