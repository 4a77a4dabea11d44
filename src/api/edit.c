/* edit.c - the public side of operations, regions, blocks and values: changing. */
#include "api/frame.h"
#include "api/module.h"
#include "op/op.h"

#include <tessera/module.h>

void tess_value_replace(tess_value *from, tess_value *to) { value_replace_uses(from, to); }

void tess_value_set_type(tess_value *v, const tess_type *t) { v->type = t; }

/* What a change needs; which members, the change says. */
typedef struct edit_call {
	module *m;
	op *o;
	block *block;
	value *value, *made;
	value *const *operands;
	size_t n;
	const char *name;
	const attr *attr;
	const type *type;
	const sharding *sharding;
	attr_list *list;
} edit_call;

/* Runs the body on the module; neither it nor what is to be changed may be NULL. */
static tess_status edit(tess_module *m, const void *changed, frame_fn *body, edit_call *c)
{
	if (!m || !changed)
		return TESS_USAGE;
	c->m = m->m;
	return frame_run(m->ctx, body, c);
}

/* ---- locations ------------------------------------------------------------------------- */

static tess_status set_location_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	UNUSED(ctx);
	op_set_loc(c->m, c->o, c->attr);
	return TESS_OK;
}

/* An operation of the API stands in a module, which has the memory; if there is none left, the
 * location stays what it was. */
void tess_op_set_location(tess_op *o, const tess_attr *a)
{
	edit_call c = {.m = o ? op_module(o) : NULL, .o = o, .attr = a};
	if (c.m)
		frame_run(c.m->ctx, set_location_body, &c);
}

/* ---- values ---------------------------------------------------------------------------- */

static tess_status set_sharding_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	UNUSED(ctx);
	op *o = value_def(c->value);
	const sharding *some = c->sharding;
	if (op_has(value_op(c->value), LISTED)) {
		value_set_sharding(c->m, c->value, some);
		return TESS_OK;
	}
	c->value->sharding = some;
	for (int i = 0; o && i < o->n_results; i++)
		if (result(o, i)->sharding)
			some = result(o, i)->sharding;
	for (int i = 0; o && some && i < o->n_results; i++)
		if (!result(o, i)->sharding)
			result(o, i)->sharding = sharding_open_for(c->m, result(o, i), some->mesh);
	return TESS_OK;
}

tess_status tess_value_set_sharding(tess_module *m, tess_value *v, const tess_sharding *s)
{
	edit_call c = {.value = v, .sharding = s};
	return edit(m, v, set_sharding_body, &c);
}

static tess_status set_name_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	value_set_name(c->m, c->value, c->name && c->name[0] ? name_of_z(ctx, c->name) : NULL);
	return TESS_OK;
}

tess_status tess_value_set_name(tess_module *m, tess_value *v, const char *name)
{
	return edit(m, v, set_name_body, &(edit_call){.value = v, .name = name});
}

static tess_status add_arg_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	UNUSED(ctx);
	c->made = block_add_arg(c->m, c->block, c->type);
	return TESS_OK;
}

tess_value *tess_block_add_arg(tess_module *m, tess_block *b, const tess_type *t)
{
	edit_call c = {.block = b, .type = t};
	return t && edit(m, b, add_arg_body, &c) == TESS_OK ? c.made : NULL;
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

static tess_status set_operands_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	UNUSED(ctx);
	op_set_operands(c->m, c->o, c->operands, (int)c->n);
	return TESS_OK;
}

tess_status tess_op_set_operands(tess_module *m, tess_op *o, tess_value *const *operands, size_t n)
{
	edit_call c = {.o = o, .operands = operands, .n = n};
	if (n && !operands)
		return TESS_USAGE;
	for (size_t i = 0; i < n; i++)
		if (!operands[i])
			return TESS_USAGE;
	return n > INT32_MAX ? TESS_USAGE : edit(m, o, set_operands_body, &c);
}

static tess_status set_attr_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	const name *n = name_of_z(ctx, c->name);
	if (op_func(c->o) && name_is(n, N_function_type))
		return TESS_USAGE;
	bool symbol = name_is(n, N_sym_name) && c->o->parent == module_body(c->m);
	if (symbol && c->attr && c->attr->kind == AT_STRING)
		module_rename_symbol(c->m, c->o, c->attr->text);
	else
		op_put_attr(c->m, c->o, n, c->attr);
	return TESS_OK;
}

tess_status tess_op_set_attr(tess_module *m, tess_op *o, const char *name, const tess_attr *a)
{
	edit_call c = {.o = o, .name = name, .attr = a};
	return name ? edit(m, o, set_attr_body, &c) : TESS_USAGE;
}

typedef struct successors_call {
	module *m;
	const op *o;
	block *const *blocks;
	size_t n;
} successors_call;

static tess_status set_successors_body(tess_ctx *ctx, void *arg)
{
	successors_call *c = arg;
	UNUSED(ctx);
	op_set_successors(c->m, c->o, c->blocks, (int)c->n);
	return TESS_OK;
}

tess_status tess_op_set_successors(tess_module *m, tess_op *o, tess_block *const *blocks, size_t n)
{
	if (!m || !o || !o->parent || o->next || n > INT32_MAX || (n && !blocks))
		return TESS_USAGE;
	successors_call c = {m->m, o, blocks, n};
	for (size_t i = 0; i < n; i++)
		if (!blocks[i] || blocks[i]->parent != c.o->parent->parent)
			return TESS_USAGE;
	return frame_run(m->ctx, set_successors_body, &c);
}

/* The module's symbols follow an op that leaves its block for `to`; NULL: for nowhere. */
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
		module_remove_symbol(m->m, symbol); /* it is there: nothing is allocated */
	if (to)
		op_unlink(o);
	return TESS_OK;
}

static tess_status add_symbol_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	UNUSED(ctx);
	if (c->o->parent == module_body(c->m))
		module_add_symbol(c->m, c->o);
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
	return edit(m, o, add_symbol_body, &(edit_call){.o = o});
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

static tess_status set_func_type_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	UNUSED(ctx);
	const func *old = op_func(c->o);
	func *f = func_new(c->m, c->type);
	for (int i = 0; i < old->type->n_in && i < c->type->n_in; i++)
		f->arg_attrs[i] = old->arg_attrs[i];
	for (int i = 0; i < old->type->n_out && i < c->type->n_out; i++) {
		f->result_attrs[i] = old->result_attrs[i];
		f->result_shardings[i] = old->result_shardings[i];
	}
	op_set_func(c->m, c->o, f);
	return TESS_OK;
}

tess_status tess_func_set_type(tess_module *m, tess_op *f, const tess_type *t)
{
	if (!f || !tess_func_type(f) || !t || t->kind != TY_FUNCTION)
		return TESS_USAGE;
	edit_call c = {.o = f, .type = t};
	return edit(m, f, set_func_type_body, &c);
}

static tess_status set_list_body(tess_ctx *ctx, void *arg)
{
	edit_call *c = arg;
	attrs_set(&c->m->mem, c->list, name_of_z(ctx, c->name), c->attr);
	return TESS_OK;
}

static bool is_sharding_of(const char *name, const attr *a)
{
	return strcmp(name, "sdy.sharding") == 0 && (!a || a->kind == AT_SHARDING);
}

tess_status tess_func_set_arg_attr(tess_module *m, tess_op *f, size_t i, const char *name,
                                   const tess_attr *a)
{
	const tess_type *t = f ? tess_func_type(f) : NULL;
	if (!t || !name || i >= tess_type_in_count(t))
		return TESS_USAGE;
	const block *entry = op_body(f);
	if (entry && is_sharding_of(name, a) && i < (size_t)entry->n_args)
		entry->args[i]->sharding = a ? a->sharding : NULL;
	if (entry && is_sharding_of(name, a))
		return i < (size_t)entry->n_args ? TESS_OK : TESS_USAGE;
	edit_call c = {.list = &op_func(f)->arg_attrs[i], .name = name, .attr = a};
	return edit(m, f, set_list_body, &c);
}

tess_status tess_func_set_result_attr(tess_module *m, tess_op *f, size_t i, const char *name,
                                      const tess_attr *a)
{
	const tess_type *t = f ? tess_func_type(f) : NULL;
	if (!t || !name || i >= tess_type_out_count(t))
		return TESS_USAGE;
	if (is_sharding_of(name, a))
		return tess_func_set_result_sharding(f, i, a ? a->sharding : NULL);
	edit_call c = {.list = &op_func(f)->result_attrs[i], .name = name, .attr = a};
	return edit(m, f, set_list_body, &c);
}

tess_status tess_func_set_result_sharding(tess_op *f, size_t i, const tess_sharding *s)
{
	const tess_type *t = f ? tess_func_type(f) : NULL;
	if (!t || i >= tess_type_out_count(t))
		return TESS_USAGE;
	op_func(f)->result_shardings[i] = s;
	return TESS_OK;
}
