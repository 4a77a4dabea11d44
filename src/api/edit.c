/* edit.c - the public functions that change operations, regions, blocks and values. */
#include "api/frame.h"
#include "api/module.h"
#include "op/op.h"

#include <tessera/module.h>

tess_status tess_value_replace(tess_value *from, tess_value *to)
{
	if (!from || !to)
		return TESS_USAGE;
	value_replace_uses(from, to);
	return TESS_OK;
}

tess_status tess_value_set_type(tess_value *v, const tess_type *t)
{
	if (!v || !t)
		return TESS_USAGE;
	v->type = t;
	return TESS_OK;
}

/* For changes that can only fail for lack of memory: the status is TESS_OK or TESS_NOMEM. */
#define EDIT(module, ...)                                                                          \
	do {                                                                                       \
		frame f;                                                                           \
		if (setjmp(*frame_start(&f, (module)->ctx)) == 0) {                                \
			__VA_ARGS__;                                                               \
			f.status = TESS_OK;                                                        \
		}                                                                                  \
		return frame_end(&f);                                                              \
	} while (0)

/* ---- locations ------------------------------------------------------------------------- */

/* An operation of the API is always in a module, which provides the memory; if there is none, the
 * location is unchanged. */
tess_status tess_op_set_location(tess_op *o, const tess_attr *a)
{
	module *m = o ? op_module(o) : NULL;
	if (!m)
		return TESS_USAGE;
	EDIT(m, op_set_loc(m, o, a));
}

/* ---- values ---------------------------------------------------------------------------- */

static void set_sharding(module *m, value *v, const sharding *s)
{
	op *o = value_def(v);
	const sharding *some = s;
	if (op_has(value_op(v), LISTED)) {
		value_set_sharding(m, v, s);
		return;
	}
	v->sharding = s;
	for (int i = 0; o && i < o->n_results; i++)
		if (result(o, i)->sharding)
			some = result(o, i)->sharding;
	for (int i = 0; o && some && i < o->n_results; i++)
		if (!result(o, i)->sharding)
			result(o, i)->sharding = sharding_open_for(m, result(o, i), some->mesh);
}

tess_status tess_value_set_sharding(tess_module *m, tess_value *v, const tess_sharding *s)
{
	if (!m || !v)
		return TESS_USAGE;
	EDIT(m, set_sharding(m->m, v, s));
}

tess_status tess_value_set_name(tess_module *m, tess_value *v, const char *name)
{
	if (!m || !v)
		return TESS_USAGE;
	EDIT(m, value_set_name(m->m, v, name && name[0] ? name_of_z(m->ctx, name) : NULL));
}

tess_value *tess_block_add_arg(tess_module *m, tess_block *b, const tess_type *t)
{
	frame f;
	if (!m || !b || !t)
		return NULL;
	if (setjmp(*frame_start(&f, m->ctx)) == 0)
		f.made = block_add_arg(m->m, b, t);
	return frame_made(&f);
}

tess_status tess_block_erase_arg(tess_block *b, size_t i)
{
	if (!b || i >= tess_block_arg_count(b) || !value_unused(b->args[i]))
		return TESS_USAGE;
	block_erase_arg(b, (int)i);
	return TESS_OK;
}

/* ---- operations ----------------------------------------------------------------------------- */

tess_status tess_op_set_operand(tess_op *o, size_t i, tess_value *v)
{
	if (!o || i >= tess_op_operand_count(o) || !v)
		return TESS_USAGE;
	op_set_operand(o, (int)i, v);
	return TESS_OK;
}

tess_status tess_op_set_operands(tess_module *m, tess_op *o, tess_value *const *operands, size_t n)
{
	if (!m || !o || !all_there((const void *const *)operands, n))
		return TESS_USAGE;
	EDIT(m, op_set_operands(m->m, o, operands, (int)n));
}

static tess_status edit_attr(module *m, op *o, const char *key, const attr *a)
{
	const name *n = name_of_z(m->ctx, key);
	if (op_func(o) && name_is(n, N_function_type))
		return TESS_USAGE;
	bool symbol = name_is(n, N_sym_name) && o->parent == module_body(m);
	if (symbol && a && a->kind == AT_STRING)
		module_rename_symbol(m, o, a->text);
	else
		op_put_attr(m, o, n, a);
	return TESS_OK;
}

tess_status tess_op_set_attr(tess_module *m, tess_op *o, const char *name, const tess_attr *a)
{
	frame f;
	if (!m || !o || !name)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, m->ctx)) == 0)
		f.status = edit_attr(m->m, o, name, a);
	return frame_end(&f);
}

tess_status tess_op_set_successors(tess_module *m, tess_op *o, tess_block *const *blocks, size_t n)
{
	if (!m || !o || !o->parent || o->next || !all_there((const void *const *)blocks, n))
		return TESS_USAGE;
	for (size_t i = 0; i < n; i++)
		if (blocks[i]->parent != o->parent->parent)
			return TESS_USAGE;
	EDIT(m, op_set_successors(m->m, o, blocks, (int)n));
}

/* Updates the module's symbols for an op that moves to the block `to`; NULL: that is erased. */
static tess_status take_out(tess_module *m, op *o, const block *to)
{
	int n_successors;
	if (!m || !o || !o->parent)
		return TESS_USAGE;
	op_successors(o, &n_successors);
	if (to && (n_successors || !to->parent || op_inside(block_parent(to), o)))
		return TESS_USAGE;
	const name *symbol = op_symbol(o);
	bool leaves_top = o->parent == module_body(m->m) && to != o->parent;
	if (leaves_top && symbol && module_lookup(m->m, symbol) == o)
		module_remove_symbol(m->m, symbol); /* it is present, so this allocates nothing */
	if (to)
		op_unlink(o);
	return TESS_OK;
}

tess_status tess_op_move(tess_module *m, tess_op *o, tess_block *to, tess_op *before)
{
	if (!to || (before && (before->parent != to || before == o)) ||
	    take_out(m, o, to) != TESS_OK)
		return TESS_USAGE;
	if (before)
		op_insert_before(before, o);
	else
		op_append(to, o);
	if (o->parent != module_body(m->m))
		return TESS_OK;
	EDIT(m, module_add_symbol(m->m, o));
}

tess_status tess_op_erase(tess_module *m, tess_op *o)
{
	for (int i = 0; o && i < o->n_results; i++)
		if (!value_unused(result(o, i)))
			return TESS_USAGE;
	if (take_out(m, o, NULL) != TESS_OK)
		return TESS_USAGE;
	op_erase(o);
	return TESS_OK;
}

/* ---- functions ------------------------------------------------------------------------------ */

static void set_func_type(module *m, op *o, const type *t)
{
	const func *old = op_func(o);
	func *f = func_new(m, t);
	for (int i = 0; i < old->type->n_in && i < t->n_in; i++)
		f->arg_attrs[i] = old->arg_attrs[i];
	for (int i = 0; i < old->type->n_out && i < t->n_out; i++) {
		f->result_attrs[i] = old->result_attrs[i];
		f->result_shardings[i] = old->result_shardings[i];
	}
	op_set_func(m, o, f);
}

tess_status tess_func_set_type(tess_module *m, tess_op *o, const tess_type *t)
{
	if (!m || !tess_func_type(o) || !t || t->kind != TY_FUNCTION)
		return TESS_USAGE;
	EDIT(m, set_func_type(m->m, o, t));
}

static void set_in_list(module *m, attr_list *l, const char *name, const attr *a)
{
	attrs_set(&m->mem, l, name_of_z(m->ctx, name), a);
}

static bool is_sharding_of(const char *name, const attr *a)
{
	return strcmp(name, "sdy.sharding") == 0 && (!a || a->kind == AT_SHARDING);
}

tess_status tess_func_set_arg_attr(tess_module *m, tess_op *o, size_t i, const char *name,
                                   const tess_attr *a)
{
	const tess_type *t = tess_func_type(o);
	if (!m || !t || !name || i >= tess_type_in_count(t))
		return TESS_USAGE;
	const block *entry = op_body(o);
	if (entry && is_sharding_of(name, a) && i < (size_t)entry->n_args)
		entry->args[i]->sharding = a ? a->sharding : NULL;
	if (entry && is_sharding_of(name, a))
		return i < (size_t)entry->n_args ? TESS_OK : TESS_USAGE;
	EDIT(m, set_in_list(m->m, &op_func(o)->arg_attrs[i], name, a));
}

tess_status tess_func_set_result_attr(tess_module *m, tess_op *o, size_t i, const char *name,
                                      const tess_attr *a)
{
	const tess_type *t = tess_func_type(o);
	if (!m || !t || !name || i >= tess_type_out_count(t))
		return TESS_USAGE;
	if (is_sharding_of(name, a))
		return tess_func_set_result_sharding(o, i, a ? a->sharding : NULL);
	EDIT(m, set_in_list(m->m, &op_func(o)->result_attrs[i], name, a));
}

tess_status tess_func_set_result_sharding(tess_op *f, size_t i, const tess_sharding *s)
{
	const tess_type *t = tess_func_type(f);
	if (!t || i >= tess_type_out_count(t))
		return TESS_USAGE;
	op_func(f)->result_shardings[i] = s;
	return TESS_OK;
}
