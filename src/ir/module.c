/* module.c - modules, symbols, cloning. */
#include "ir/ir_tables.h"

void module_set_top(module *m, op *o)
{
	m->top = o;
	o->more->what = MORE_TOP;
	o->more->module = m;
}

module *module_new(tess_ctx *ctx)
{
	ir_tables *t = ir_tables_of(ctx);
	arena mem;
	arena_init(&mem, ctx);
	module *m = NEW(&mem, module);
	m->mem = mem;
	m->ctx = ctx;
	m->number = ++t->n_modules;
	m->older = t->modules;
	m->link = &t->modules;
	if (m->older)
		m->older->link = &m->older;
	t->modules = m;
	module_set_top(m, op_new(m, 0, NULL, NULL, 0, NULL, 0, 1));
	block_new(m, op_region(m->top, 0));
	return m;
}

void module_set_source(module *m, source *src)
{
	m->src = src;
	if (src)
		src->n_users++;
}

void module_adopt(module *m)
{
	*m->link = m->older;
	if (m->older)
		m->older->link = m->link;
	m->older = NULL;
	m->link = &m->older; /* a list of its own */
}

void module_free(module *m)
{
	if (!m)
		return;
	if (m->src)
		source_leave(m->ctx, m->src);
	module_adopt(m);
	arena mem = m->mem; /* m itself lies in it */
	arena_free(&mem);
}

uint64_t modules_made(tess_ctx *ctx)
{
	return ctx->slot[SLOT_IR] ? ir_tables_of(ctx)->n_modules : 0;
}

void modules_free_since(tess_ctx *ctx, uint64_t made)
{
	while (ctx->slot[SLOT_IR] && ir_tables_of(ctx)->modules &&
	       ir_tables_of(ctx)->modules->number > made)
		module_free(ir_tables_of(ctx)->modules);
}

/* ---- symbols --------------------------------------------------------------- */

const name *op_symbol(const op *o)
{
	const attr *a = op_attr(o, N_sym_name);
	return a && a->kind == AT_STRING ? a->text : NULL;
}

op *module_lookup(const module *m, const name *symbol)
{
	return ptr_map_get(&m->symbols, symbol);
}

void module_add_symbol(module *m, op *o)
{
	const name *n = op_symbol(o);
	if (n)
		*ptr_map_at(&m->symbols, &m->mem, n) = o;
}

void module_remove_symbol(module *m, const name *symbol)
{
	if (module_lookup(m, symbol))
		*ptr_map_at(&m->symbols, &m->mem, symbol) = NULL;
}

void module_rename_symbol(module *m, op *o, const name *to)
{
	if (module_lookup(m, op_symbol(o)) == o)
		module_remove_symbol(m, op_symbol(o));
	op_set_attr(m, o, N_sym_name, attr_string(m->ctx, to));
	module_add_symbol(m, o);
}

const name *module_fresh_symbol(module *m, const name *base)
{
	const name *n = base;
	for (int i = 0; module_lookup(m, n); i++)
		n = name_of_z(m->ctx, arena_printf(&m->ctx->scratch, "%s_%d", base->s, i));
	return n;
}

const name *module_next_symbol(module *m, const name *base, int *counter)
{
	const name *n = base;
	while (module_lookup(m, n)) {
		arena_mark here = arena_here(&m->ctx->scratch);
		n = name_of_z(m->ctx,
		              arena_printf(&m->ctx->scratch, "%s_%d", base->s, (*counter)++));
		arena_back(&m->ctx->scratch, here);
	}
	return n;
}

const mesh *module_mesh(const module *m, mesh_ref r)
{
	if (r.inlined || !r.symbol)
		return r.inlined;
	op *o = module_lookup(m, r.symbol);
	const attr *a = o ? op_attr(o, N_mesh) : NULL;
	return a && a->kind == AT_MESH ? a->mesh : NULL;
}

/* ---- functions ---------------------------------------------------------------- */

func *func_new(module *m, const type *t)
{
	func *f = NEW(&m->mem, func);
	f->type = t;
	f->arg_attrs = NEW_N(&m->mem, attr_list, t->n_in);
	f->result_attrs = NEW_N(&m->mem, attr_list, t->n_out);
	f->result_shardings = NEW_N(&m->mem, const sharding *, t->n_out);
	return f;
}

static bool func_is_public(const op *o)
{
	const attr *v = op_attr(o, N_sym_visibility);
	return !v || v->kind != AT_STRING || !strcmp(v->text->s, "public");
}

op *module_main(const module *m)
{
	op *main_func = module_lookup(m, name_known(m->ctx, N_main));
	if (main_func && op_is_func(main_func))
		return func_is_declaration(main_func) ? NULL : main_func;
	for (op *o = module_body(m)->first; o; o = o->next)
		if (op_is_func(o) && func_is_public(o) && !func_is_declaration(o))
			return o;
	return NULL;
}

/* ---- cloning -------------------------------------------------------------------- */

static attr_list attrs_clone(module *m, const attr_list *l)
{
	return module_attrs(m, l->ptr, l->n);
}

static attr_list *attr_lists_clone(module *m, const attr_list *l, int n)
{
	attr_list *copy = NEW_N(&m->mem, attr_list, n);
	for (int i = 0; i < n; i++)
		copy[i] = attrs_clone(m, &l[i]);
	return copy;
}

static func *func_clone(module *m, const func *f)
{
	func *copy = func_new(m, f->type);
	copy->arg_attrs = attr_lists_clone(m, f->arg_attrs, f->type->n_in);
	copy->result_attrs = attr_lists_clone(m, f->result_attrs, f->type->n_out);
	copy->result_shardings = COPY_N(&m->mem, f->result_shardings, f->type->n_out);
	return copy;
}

/* An operand of a copy whose definition is not copied yet: blocks may be in any order, and in a
 * graph region ops may, too. */
typedef struct early_use {
	op *user;
	int i;
} early_use;
typedef VEC(early_use) early_uses;

/* What the steps of one cloning share. */
typedef struct cloning {
	module *m;
	const module *from; /* NULL: the op is detached */
	value **copies;     /* by id, for a whole module; NULL: copies are in `map` */
	ptr_map *map;
	arena *map_mem;
	early_uses *early; /* NULL: there can be none */
} cloning;

static void note_copy(const cloning *c, const value *from, value *to)
{
	if (c->copies)
		c->copies[from->id] = to;
	else
		*ptr_map_at(c->map, c->map_mem, from) = to;
}

static value *copy_of(const cloning *c, const value *v)
{
	return c->copies ? c->copies[v->id] : ptr_map_get(c->map, v);
}

static void value_clone_facts(const cloning *c, const value *from, value *to)
{
	to->sharding = from->sharding;
	value_clone_name(c->m, to, c->from, from);
	note_copy(c, from, to);
}

static void successors_clone(const cloning *c, const block *from, block *to)
{
	int n;
	block *const *was = from->last ? op_successors(from->last, &n) : NULL;
	if (!was)
		return;
	block **now = NEW_N(&c->m->ctx->scratch, block *, n);
	for (int i = 0; i < n; i++)
		now[i] = ptr_map_get(c->map, was[i]);
	op_set_successors(c->m, to->last, now, n);
}

static op *op_clone_in(const cloning *c, const op *o);

static void region_clone(const cloning *c, const region *from, region *to)
{
	module *m = c->m;
	for (const block *b = from->first; b; b = b->next) {
		block *copy = block_new(m, to);
		copy->label = b->label;
		if (from->first != from->last || b->successors)
			*ptr_map_at(c->map, c->map_mem, b) = copy;
		for (int i = 0; i < b->n_args; i++) {
			value *arg = block_add_arg(m, copy, b->args[i]->type);
			value_clone_facts(c, b->args[i], arg);
			arg_set_loc(arg, value_arg(b->args[i])->loc);
			value_arg(arg)->at = value_arg(b->args[i])->at;
		}
	}
	block *copy = to->first;
	for (const block *b = from->first; b; b = b->next, copy = copy->next) {
		for (const op *o = b->first; o; o = o->next)
			op_append(copy, op_clone_in(c, o));
		successors_clone(c, b, copy);
	}
}

static void note_early_uses(const cloning *c, const op *o, op *copy)
{
	for (int i = 0; i < o->n_operands; i++)
		if (!copy_of(c, operand(o, i)))
			vec_push(c->map_mem, c->early, ((early_use){copy, i}));
}

/* Replaces the operands of early uses, which were those of the original until now. */
static void settle_early_uses(const cloning *c)
{
	for (int k = 0; k < c->early->len; k++) {
		const early_use *e = &c->early->ptr[k];
		value *v = copy_of(c, operand(e->user, e->i));
		if (v)
			op_set_operand(e->user, e->i, v);
	}
}

/* Makes the copy of an op, without what is in its regions. Few ops have many operands or results. */
static op *op_clone_alone(const cloning *c, const op *o)
{
	module *m = c->m;
	value *few_operands[16], **operands = few_operands;
	const type *few_types[16], **types = few_types;
	bool early = false;
	if (o->n_operands > COUNT(few_operands))
		operands = arena_alloc(&m->ctx->scratch, sizeof *operands * (size_t)o->n_operands);
	if ((int)o->n_results > COUNT(few_types))
		types = arena_alloc(&m->ctx->scratch, sizeof *types * (size_t)o->n_results);
	for (int i = 0; i < o->n_operands; i++) {
		value *v = copy_of(c, operand(o, i));
		operands[i] = v ? v : operand(o, i);
		early = early || !v;
	}
	for (int i = 0; i < o->n_results; i++)
		types[i] = result(o, i)->type;
	op *copy = op_new_like(m, o, operands, o->n_operands, types, o->n_results);
	if (early && c->early)
		note_early_uses(c, o, copy);
	return copy;
}

static op *op_clone_in(const cloning *c, const op *o)
{
	module *m = c->m;
	op *copy = op_clone_alone(c, o);
	op_take_place(m, copy, o);
	copy->name_back = o->name_back;
	if (op_func(o))
		op_set_func(m, copy, func_clone(m, op_func(o)));
	for (int i = 0; i < o->n_results; i++)
		value_clone_facts(c, result(o, i), result(copy, i));
	for (int i = 0; i < op_n_regions(o); i++)
		region_clone(c, op_region(o, i), op_region(copy, i));
	return copy;
}

op *op_clone(module *m, const op *o, ptr_map *map, arena *map_mem)
{
	early_uses early = {0};
	cloning c = {m, op_module(o), NULL, map, map_mem, op_n_regions(o) ? &early : NULL};
	op *copy = op_clone_in(&c, o);
	if (c.early)
		settle_early_uses(&c);
	return copy;
}

module *module_clone(const module *m)
{
	module *copy = module_new(m->ctx);
	arena *mem = &m->ctx->scratch;
	arena_mark here = arena_here(mem);
	ptr_map map = {0};
	early_uses early = {0};
	cloning c = {copy, m, NEW_N(mem, value *, m->n_values + 1), &map, mem, &early};
	copy->top->kind = m->top->kind;
	copy->top->attrs = attrs_clone(copy, &m->top->attrs);
	op_take_place(copy, copy->top, m->top);
	module_set_source(copy, m->src);
	copy->wrapped = m->wrapped;
	copy->resources = attrs_clone(copy, &m->resources);
	for (const op *o = module_body(m)->first; o; o = o->next) {
		op *top = op_clone_in(&c, o);
		op_append(module_body(copy), top);
		module_add_symbol(copy, top);
	}
	settle_early_uses(&c);
	arena_back(mem, here);
	return copy;
}
