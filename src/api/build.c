/* build.c - builders: where operations go; blocks, copies, functions, reducers. */
#include "api/build.h"

#include "api/frame.h"
#include "api/module.h"

/* ---- the builder itself ------------------------------------------------------------------ */

tess_builder *tess_builder_new(tess_module *m)
{
	tess_builder *b = ctx_realloc(m->ctx, NULL, sizeof *b);
	if (b)
		*b = (tess_builder){.m = m, .block = module_body(m->m)};
	return b;
}

void tess_builder_free(tess_builder *b)
{
	if (b)
		ctx_realloc(b->m->ctx, b, 0);
}

tess_module *tess_builder_module(const tess_builder *b) { return b->m; }
tess_status tess_builder_status(const tess_builder *b) { return b->status; }
void tess_builder_set_location(tess_builder *b, const tess_attr *loc) { b->loc = loc; }

tess_status builder_fail(tess_builder *b, tess_status status)
{
	if (b->status == TESS_OK)
		b->status = status;
	return status;
}

void tess_builder_to_end(tess_builder *b, tess_block *block)
{
	if (!block) {
		builder_fail(b, TESS_USAGE);
		return;
	}
	b->block = block;
	b->before = NULL;
}

void tess_builder_before(tess_builder *b, tess_op *at)
{
	if (!at || !at->parent) {
		builder_fail(b, TESS_USAGE);
		return;
	}
	b->block = at->parent;
	b->before = at;
}

void tess_builder_after(tess_builder *b, tess_op *at)
{
	tess_builder_before(b, at);
	if (at && b->before == at)
		b->before = at->next;
}

void builder_put(tess_builder *b, op *o)
{
	op_set_loc(b->m->m, o, b->loc);
	if (b->before && b->before->parent == b->block)
		op_insert_before(b->before, o);
	else
		op_append(b->block, o);
	if (b->block == module_body(b->m->m))
		module_add_symbol(b->m->m, o);
}

/* ---- what the tables do not make ------------------------------------------------------------- */

static tess_status kind_body(tess_ctx *ctx, void *arg)
{
	op_call *c = arg;
	c->kind = op_kind_of(ctx, name_of_z(ctx, c->opname));
	return c->kind == OP_FUNC_FUNC ? TESS_USAGE : TESS_OK;
}

tess_op *tess_build(tess_builder *b, const tess_op_spec *given)
{
	tess_op_spec s = TESS_OP_SPEC_INIT;
	memcpy(&s, given, given->struct_size < sizeof s ? given->struct_size : sizeof s);
	op_call c = {.b = b, .opname = s.name, .spec = &s, .bad = !s.name || !strchr(s.name, '.')};
	tess_status status = c.bad ? TESS_USAGE : frame_run(b->m->ctx, kind_body, &c);
	c.bad |= status != TESS_OK;
	call_operands(&c, s.operands, s.n_operands);
	call_regions(&c, s.n_regions);
	if (s.results)
		call_results(&c, s.results, s.n_results);
	else if (s.n_results)
		call_infer(&c, s.n_results);
	c.bad |= s.n_successors && (b->before || b->block->successors);
	tess_op *made = call_op(&c);
	if (!made || !s.n_successors)
		return made;
	status = tess_op_set_successors(b->m, made, s.successors, s.n_successors);
	if (status == TESS_OK)
		return made;
	tess_op_erase(b->m, made);
	builder_fail(b, status);
	return NULL;
}

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

tess_block *tess_block_new(tess_builder *b, tess_region *r, const tess_type *const *args, size_t n)
{
	block_call c = {.b = b, .region = r, .types = args, .n = n};
	bool bad = !r || n > INT32_MAX;
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

/* A copy from another module: its places mean nothing here, its names do. */
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
	c.type = tess_type_function(b->m->ctx, in, n_in, out, n_out);
	tess_status status = !name || !c.type ? TESS_USAGE : frame_run(b->m->ctx, func_body, &c);
	if (status != TESS_OK)
		builder_fail(b, status);
	return c.made;
}

tess_op *tess_build_reducer(tess_builder *b, tess_op *o, size_t region, const char *name,
                            tess_dtype t)
{
	const tess_type *scalar = tess_type_tensor(b->m->ctx, t, NULL, 0);
	if (!o || region >= tess_op_region_count(o) || !scalar) {
		builder_fail(b, TESS_USAGE);
		return NULL;
	}
	tess_builder inner = *b;
	const tess_type *types[] = {scalar, scalar};
	tess_block *body = tess_block_new(&inner, tess_op_region(o, region), types, 2);
	tess_op *made = NULL;
	if (body) {
		tess_builder_to_end(&inner, body);
		tess_value *args[] = {tess_block_arg(body, 0), tess_block_arg(body, 1)};
		made = tess_build(&inner, &(tess_op_spec){.struct_size = sizeof(tess_op_spec),
		                  .name = name, .operands = args, .n_operands = 2, .n_results = 1});
		op_call ret = call_begin(&inner, OP_RETURN);
		tess_value *combined = made ? tess_op_result(made, 0) : NULL;
		call_operands(&ret, &combined, 1);
		made = call_op(&ret) ? made : NULL;
	}
	b->status = inner.status;
	return made;
}
