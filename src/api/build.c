/* build.c - builders: the insertion point; blocks, copies, functions. */
#include "api/build.h"

#include "api/frame.h"
#include "api/module.h"

/* ---- the insertion point -------------------------------------------------------------------- */

tess_builder *tess_builder_new(tess_module *m)
{
	tess_builder *b = m ? ctx_realloc(m->ctx, NULL, sizeof *b) : NULL;
	if (b)
		*b = (tess_builder){.m = m, .block = module_body(m->m)};
	return b;
}

void tess_builder_free(tess_builder *b)
{
	if (b)
		ctx_realloc(b->m->ctx, b, 0);
}

tess_module *tess_builder_module(const tess_builder *b) { return b ? b->m : NULL; }
tess_status tess_builder_status(const tess_builder *b) { return b ? b->status : TESS_USAGE; }
void tess_builder_set_location(tess_builder *b, const tess_attr *loc)
{
	if (b)
		b->loc = loc;
}

tess_status builder_fail(tess_builder *b, tess_status status)
{
	if (b && b->status == TESS_OK)
		b->status = status;
	return status;
}

void tess_builder_to_end(tess_builder *b, tess_block *block)
{
	if (!b || !block) {
		builder_fail(b, TESS_USAGE);
		return;
	}
	b->block = block;
	b->before = NULL;
}

void tess_builder_before(tess_builder *b, tess_op *at)
{
	if (!b || !at || !at->parent) {
		builder_fail(b, TESS_USAGE);
		return;
	}
	b->block = at->parent;
	b->before = at;
}

void tess_builder_after(tess_builder *b, tess_op *at)
{
	tess_builder_before(b, at);
	if (b && at && b->before == at)
		b->before = at->next;
}

bool builder_at_top(const tess_builder *b) { return b->block == module_body(b->m->m); }

void builder_insert(tess_builder *b, op *o)
{
	if (b->before && b->before->parent == b->block)
		op_insert_before(b->before, o);
	else
		op_append(b->block, o);
}

void builder_put(tess_builder *b, op *o)
{
	op_set_loc(b->m->m, o, b->loc);
	if (builder_at_top(b))
		module_add_symbol(b->m->m, o);
	builder_insert(b, o);
}

/* ---- blocks, copies, functions ------------------------------------------------------------ */

typedef struct block_call {
	tess_builder *b;
	region *region;
	const type *const *types;
	size_t n;
	block *made;
} block_call;

static tess_status block_body(tess_ctx *ctx, void *arg)
{
	block_call *c = arg;
	UNUSED(ctx);
	block *made = block_new(c->b->m->m, c->region);
	for (size_t i = 0; i < c->n; i++)
		block_add_arg(c->b->m->m, made, c->types[i]);
	c->made = made;
	return TESS_OK;
}

tess_block *tess_block_new(tess_builder *b, tess_op *o, size_t region,
                           const tess_type *const *args, size_t n)
{
	if (!b)
		return NULL;
	bool bad = !o || (n && !args) || region >= tess_op_region_count(o) || n > INT32_MAX;
	block_call c = {.b = b, .region = bad ? NULL : op_region(o, region), .types = args, .n = n};
	for (size_t i = 0; i < n && !bad; i++)
		bad = !args[i];
	tess_status status = bad ? TESS_USAGE : frame_run(b->m->ctx, block_body, &c);
	if (status != TESS_OK)
		builder_fail(b, status);
	return status == TESS_OK ? c.made : NULL;
}

typedef struct copy_call {
	tess_builder *b;
	const op *from;
	op *made;
} copy_call;

static bool is_in_module(const op *o, const module *m)
{
	while (op_parent(o))
		o = op_parent(o);
	return o == m->top;
}

/* A copy from another module: drops positions in the text, but keeps names. */
static void leave_text(module *m, op *o, const op *from)
{
	const op *of = from;
	for (op *i = o; i; i = op_next(i, o), of = op_next(of, from)) {
		op_forget_place(i);
		for (int k = 0; k < i->n_results; k++)
			value_take_name(m, result(i, k), result(of, k));
		for (int r = 0; r < op_n_regions(i); r++)
			for (block *b = op_block(i, r), *was = op_block(of, r); b;
			     b = b->next, was = was->next)
				for (int k = 0; k < b->n_args; k++)
					value_take_name(m, b->args[k], was->args[k]);
	}
}

static tess_status op_copy_body(tess_ctx *ctx, void *arg)
{
	copy_call *c = arg;
	module *m = c->b->m->m;
	ptr_map map = {0};
	op *o = op_clone(m, c->from, &map, &ctx->scratch);
	if (!is_in_module(c->from, m))
		leave_text(m, o, c->from);
	if (c->b->block == module_body(m) && op_symbol(o))
		op_set_attr(m, o, N_sym_name,
		            attr_string(ctx, module_fresh_symbol(m, op_symbol(o))));
	const attr *loc = op_loc(o);
	builder_put(c->b, o);
	op_set_loc(m, o, loc);
	c->made = o;
	return TESS_OK;
}

tess_op *tess_op_copy(tess_builder *b, const tess_op *o)
{
	copy_call c = {.b = b, .from = o};
	if (!b)
		return NULL;
	bool foreign = o && c.from->n_operands && !is_in_module(c.from, b->m->m);
	foreign |= o && tess_op_successor_count(o);
	tess_status status = !o || foreign ? TESS_USAGE : frame_run(b->m->ctx, op_copy_body, &c);
	if (status != TESS_OK)
		builder_fail(b, status);
	return c.made;
}

typedef struct func_call {
	tess_builder *b;
	const char *name;
	const tess_type *type;
	op *made;
} func_call;

static tess_status func_body(tess_ctx *ctx, void *arg)
{
	func_call *c = arg;
	module *m = c->b->m->m;
	const type *t = c->type;
	op *o = op_make(m, OP_FUNC_FUNC, NULL, 0, NULL, 0, 1);
	op_set_func(m, o, func_new(m, t));
	op_set_attr(m, o, N_sym_name, attr_string(ctx, name_of_z(ctx, c->name)));
	block *entry = block_new(m, op_region(o, 0));
	for (int i = 0; i < t->n_in; i++)
		block_add_arg(m, entry, t->in[i]);
	builder_put(c->b, o);
	c->made = o;
	return TESS_OK;
}

tess_op *tess_func_new(tess_builder *b, const char *name, const tess_type *const *in, size_t n_in,
                       const tess_type *const *out, size_t n_out)
{
	func_call c = {.b = b, .name = name};
	if (!b)
		return NULL;
	c.type = tess_type_function(b->m->ctx, in, n_in, out, n_out);
	tess_status status = !name || !c.type ? TESS_USAGE : frame_run(b->m->ctx, func_body, &c);
	if (status != TESS_OK)
		builder_fail(b, status);
	return c.made;
}
