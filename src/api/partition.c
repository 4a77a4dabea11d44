/* partition.c - annotations, propagation and partitioning of a module. */
#include "partition/partition.h"

#include "api/frame.h"
#include "api/module.h"
#include "shardy/shardy.h"
#include "report/report.h"

#include <tessera/partition.h>

/* ---- annotations ------------------------------------------------------------------ */

typedef struct annotate_call {
	tess_module *h;
	const char *text;
	size_t index;
	bool output;
} annotate_call;

/* The text of an option, as a source of diagnostics. */
static source *option_source(tess_ctx *ctx, const char *option, const char *text)
{
	return source_new(ctx, option, arena_str(&ctx->perm, str_of(text)));
}

static tess_status set_mesh_body(tess_ctx *ctx, void *arg)
{
	annotate_call *c = arg;
	module *m = c->h->m;
	const mesh *new = mesh_parse_whole(ctx, option_source(ctx, "mesh", c->text));
	if (!new) {
		diag_note(ctx, NOWHERE,
		          "a mesh is written x=2,y=4, or as in the text of a program");
		return TESS_INVALID;
	}
	const name *symbol = name_known(ctx, N_mesh);
	op *o = module_lookup(m, symbol);
	if (!o) {
		o = op_make(m, OP_SDY_MESH, NULL, 0, NULL, 0, 0);
		op_set_attr(m, o, N_sym_name, attr_string(ctx, symbol));
		block *body = module_body(m);
		if (body->first)
			op_insert_before(body->first, o);
		else
			op_append(body, o);
		module_add_symbol(m, o);
	}
	op_set_attr(m, o, N_mesh, attr_mesh(ctx, new));
	c->h->unsettled = true;
	return TESS_OK;
}

tess_status tess_module_set_mesh(tess_module *m, const char *mesh)
{
	annotate_call c = {.h = m, .text = mesh};
	return mesh ? frame_run(CTX_OF(m), set_mesh_body, &c) : TESS_OK;
}

/* The first mesh of the program: the one that a sharding without a mesh is about. */
static const name *only_mesh(const module *m)
{
	for (const op *o = module_body(m)->first; o; o = o->next)
		if (o->kind == OP_SDY_MESH)
			return op_symbol(o);
	return NULL;
}

static const sharding *read_sharding(module *m, const name *symbol, source *src, int rank)
{
	mesh_ref ref = {.symbol = symbol};
	sharding_places places = {0};
	const mesh *known = module_mesh(m, ref);
	const sharding *s = sharding_parse_whole(m->ctx, src, known, &places);
	if (!s)
		diag_note(m->ctx, NOWHERE,
		          "a sharding is written [{\"x\"}, {}]: the axes of each dimension");
	/* In full it may name another mesh than the first, or bring its own. */
	if (!s || !sharding_verify(m->ctx, s, module_mesh(m, s->mesh), rank, &places))
		return NULL;
	return s->mesh.inlined == known ? sharding_with_mesh(m->ctx, s, ref) : s;
}

static tess_status shard_body(tess_ctx *ctx, void *arg)
{
	annotate_call *c = arg;
	module *m = c->h->m;
	op *main = module_main(m);
	const name *symbol = only_mesh(m);
	const char *what = c->output ? "result" : "argument";
	size_t n = !main ? 0
	                 : (size_t)(c->output ? op_func(main)->type->n_out
	                                      : op_func(main)->type->n_in);
	if (c->index >= n || func_is_declaration(main)) {
		diag_error(ctx, NOWHERE, E_INPUT, "there is no %s %zu; @main has %zu", what,
		           c->index, n);
		return TESS_INVALID;
	}
	if (!symbol) {
		diag_error(ctx, NOWHERE, E_INPUT, "the program has no mesh; give one with --mesh");
		return TESS_INVALID;
	}
	const type *t = c->output ? op_func(main)->type->out[c->index]
	                          : op_func(main)->type->in[c->index];
	const sharding *s = NULL;
	if (c->text) {
		s = read_sharding(m, symbol, option_source(ctx, what, c->text), t->rank);
		if (!s)
			return TESS_INVALID;
	}
	if (c->output)
		op_func(main)->result_shardings[c->index] = s;
	else
		op_body(main)->args[c->index]->sharding = s;
	return TESS_OK;
}

tess_status tess_module_shard_input(tess_module *m, size_t index, const char *sharding)
{
	annotate_call c = {.h = m, .text = sharding, .index = index};
	return frame_run(CTX_OF(m), shard_body, &c);
}

tess_status tess_module_shard_output(tess_module *m, size_t index, const char *sharding)
{
	annotate_call c = {.h = m, .text = sharding, .index = index, .output = true};
	return frame_run(CTX_OF(m), shard_body, &c);
}

/* ---- constraints ------------------------------------------------------------------- */

typedef struct constrain_call {
	tess_module *h;
	const char *value, *text;
} constrain_call;

/* Every use of the value sees it sharded so. */
static void constrain_value(module *m, value *v, const sharding *s)
{
	op *o = op_make(m, OP_SDY_SHARDING_CONSTRAINT, &v, 1, &v->type, 1, 0);
	op_set_loc(m, o, value_loc(v));
	result(o, 0)->sharding = s;
	op_insert_after(value_def(v), o);
	value_replace_uses_except(v, result(o, 0), o);
}

static tess_status constrain_body(tess_ctx *ctx, void *arg)
{
	constrain_call *c = arg;
	module *m = c->h->m;
	value *v = explain_find(m, str_of(c->value));
	const name *symbol = only_mesh(m);
	if (!v)
		return explain_no_value(ctx, c->value), TESS_INVALID;
	if (!type_is_tensor(v->type) || !symbol) {
		diag_error(ctx, NOWHERE, E_INPUT,
		           symbol ? "'%s' is no tensor"
		                  : "the program has no mesh to shard '%s' over; give one "
		                    "with --mesh",
		           c->value);
		return TESS_INVALID;
	}
	const sharding *s = read_sharding(m, symbol, option_source(ctx, "constrain", c->text),
	                                  v->type->rank);
	if (!s)
		return TESS_INVALID;
	if (value_def(v))
		constrain_value(m, v, s);
	else
		v->sharding = s;
	return TESS_OK;
}

tess_status tess_module_constrain(tess_module *m, const char *value, const char *sharding)
{
	constrain_call c = {.h = m, .value = value, .text = sharding};
	return !value || !sharding ? TESS_USAGE : frame_run(CTX_OF(m), constrain_body, &c);
}

/* ---- propagation and partitioning ---------------------------------------------------- */

static tess_status propagate_body(tess_ctx *ctx, void *arg)
{
	tess_module *h = arg;
	UNUSED(ctx);
	return module_marks_are_taken(h->m) && propagate_for_partitioning(h->m) ? TESS_OK
	                                                                        : TESS_INVALID;
}

tess_status tess_module_propagate(tess_module *m)
{
	tess_status status = module_settle(m);
	return status == TESS_OK ? frame_run(CTX_OF(m), propagate_body, m) : status;
}

static tess_status shrink_body(tess_ctx *ctx, void *arg)
{
	tess_module *h = arg;
	UNUSED(ctx);
	module_shrink(h->m);
	return module_verify(h->m) ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_shrink(tess_module *m)
{
	return frame_run(CTX_OF(m), shrink_body, m);
}

typedef struct partition_call {
	tess_module *h;
	local_program local;
} partition_call;

static tess_status partition_body(tess_ctx *ctx, void *arg)
{
	partition_call *c = arg;
	partition_options o = {0};
	return partition_local(c->h->m, &o, &ctx->scratch, &c->local) ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_partition(tess_module *h, tess_partition_stats *stats)
{
	partition_call c = {.h = h};
	tess_status status = module_settle(h);
	if (status == TESS_OK)
		status = frame_run(CTX_OF(h), partition_body, &c);
	if (status != TESS_OK)
		return status;
	module_free(h->m);
	h->m = c.local.module;
	tess_partition_stats s = {.devices = c.local.n_devices, .operations = c.local.stats.n_ops,
	                          .replicated = c.local.stats.n_replicated};
	if (stats) {
		s.struct_size = stats->struct_size;
		memcpy(stats, &s, s.struct_size < sizeof s ? s.struct_size : sizeof s);
	}
	return TESS_OK;
}
