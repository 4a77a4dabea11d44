/* partition.c - annotates, propagates and partitions a module. */
#include "partition/partition.h"

#include "api/frame.h"
#include "api/machine.h"
#include "api/module.h"
#include "exec/exec.h"
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

/* Makes a source for diagnostics from the text of an option. */
static source *option_source(tess_ctx *ctx, const char *option, const char *text)
{
	return source_new(ctx, option, arena_str(&ctx->perm, str_of(text)));
}

static void declare_mesh(module *m, const mesh *new)
{
	const name *symbol = module_fresh_symbol(m, name_known(m->ctx, N_mesh));
	module_declare_mesh(m, NULL, symbol, new);
}

/* For replacing a mesh that is inlined in shardings. */
typedef struct mesh_change {
	module *m;
	const mesh *old, *new;
} mesh_change;

static const sharding *change_inlined(void *arg, const sharding *s)
{
	mesh_change *c = arg;
	return s->mesh.inlined == c->old
	               ? sharding_with_mesh(c->m->ctx, s, (mesh_ref){.inlined = c->new})
	               : s;
}

/* Replaces every declaration of a mesh, and every inlined one. */
static void replace_mesh(module *m, const mesh *old, const mesh *new)
{
	for (op *o = module_body(m)->first; o; o = o->next) {
		if (op_declared_mesh(o) != old)
			continue;
		op_set_attr(m, o, N_mesh, attr_mesh(m->ctx, new));
		op_set_attr(m, o, N_stablehlo_mesh, NULL); /* it describes the old mesh */
	}
	module_map_shardings(m, change_inlined, &(mesh_change){m, old, new});
}

static const char *mesh_words(tess_ctx *ctx, const program_mesh *p)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	if (p->declared)
		put_f(&w, "@%s ", op_symbol(p->declared)->s);
	mesh_print(&w, p->mesh);
	return writer_z(&w);
}

static void tell_replaced(tess_ctx *ctx, const program_meshes *all, int old, const mesh *new)
{
	diag_remark(ctx, NOWHERE, E_MESH_REPLACED, "%s replaces the mesh %s of the program",
	            mesh_words(ctx, &(program_mesh){.mesh = new}),
	            mesh_words(ctx, &all->ptr[old]));
	for (int i = 0; i < all->len; i++)
		if (i != old)
			diag_note(ctx, NOWHERE, "the program's other mesh %s stays",
			          mesh_words(ctx, &all->ptr[i]));
}

/* Returns the mesh, among several, that has the axes of the new one; else the program's. */
static int mesh_to_replace(const program_meshes *all, const mesh *new)
{
	for (int i = 0; i < all->len; i++) {
		const mesh *m = all->ptr[i].mesh;
		int n = 0;
		while (n < new->n_axes && mesh_axis_index(m, new->axes[n].name) >= 0)
			n++;
		if (n == new->n_axes && n == m->n_axes)
			return i;
	}
	return 0;
}

/* A program partitioned by XLA, as HLO, has device numbers only; the new mesh names their axes. */
static bool is_mesh_of_all(module *m, const mesh *new)
{
	int64_t n = op_int(m->top, N_mhlo_num_partitions, 1);
	return new->n_devices == n ||
	       diag_error(m->ctx, NOWHERE, E_PARTITION_LOCAL,
	                  "XLA has partitioned the program for %" PRId64
	                  " devices, and the mesh has %" PRId64, n, new->n_devices);
}

static tess_status set_mesh_body(tess_ctx *ctx, void *arg)
{
	annotate_call *c = arg;
	module *m = c->h->m;
	program_meshes all;
	if (!program_wants_global(m, "another mesh"))
		return TESS_INVALID;
	const mesh *new = mesh_parse_whole(ctx, option_source(ctx, "mesh", c->text));
	if (!new) {
		diag_note(ctx, NOWHERE,
		          "a mesh is written x=2,y=4, or as in the text of a program");
		return TESS_INVALID;
	}
	if (program_came_partitioned(m) && !is_mesh_of_all(m, new))
		return TESS_INVALID;
	program_meshes_of(m, &ctx->scratch, &all);
	if (!all.len || !all.ptr[0].mesh->n_axes) {
		declare_mesh(m, new);
	} else if (all.ptr[mesh_to_replace(&all, new)].mesh != new) {
		int old = mesh_to_replace(&all, new);
		replace_mesh(m, all.ptr[old].mesh, new);
		tell_replaced(ctx, &all, old, new);
	}
	c->h->unsettled = true;
	return TESS_OK;
}

tess_status tess_module_set_mesh(tess_module *m, const char *mesh)
{
	annotate_call c = {.h = m, .text = mesh};
	if (!m)
		return TESS_USAGE;
	return mesh ? frame_run(m->ctx, set_mesh_body, &c) : TESS_OK;
}

/* ---- dimension sizes ------------------------------------------------------------------------ */

/* Works on a copy, since it cannot be undone halfway. */
static tess_status set_sizes_body(tess_ctx *ctx, void *arg)
{
	annotate_call *c = arg;
	UNUSED(ctx);
	module *copy = module_clone(c->h->m);
	if (!exec_give_sizes(copy, c->text)) {
		module_free(copy);
		return TESS_INVALID;
	}
	module_free(c->h->m);
	c->h->m = copy;
	return TESS_OK;
}

tess_status tess_module_set_sizes(tess_module *m, const char *sizes)
{
	annotate_call c = {.h = m, .text = sizes};
	return !sizes ? TESS_USAGE : frame_run(CTX_OF(m), set_sizes_body, &c);
}

/* ---- annotations ------------------------------------------------------------------------- */

static bool has_axes(const mesh *m, axis_list l)
{
	for (int i = 0; i < l.n; i++)
		if (mesh_axis_index(m, l.ptr[i].axis) < 0)
			return false;
	return true;
}

static bool has_axes_of(const mesh *m, const sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (!has_axes(m, dim_axes(&s->dims[d])))
			return false;
	return has_axes(m, (axis_list){s->replicated, s->n_replicated}) &&
	       has_axes(m, (axis_list){s->unreduced, s->n_unreduced});
}

static void name_other_meshes(tess_ctx *ctx, const program_meshes *all)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	for (int i = 1; i < all->len; i++) {
		mesh_ref_print(&w, program_mesh_ref(&all->ptr[i]));
		put_c(&w, ' ');
		mesh_print(&w, all->ptr[i].mesh);
		put_z(&w, i + 1 < all->len ? ", " : "");
	}
	if (w.len)
		diag_note(ctx, NOWHERE, "the program has other meshes, too: %s", writer_z(&w));
}

/* Without a mesh, a sharding refers to the program's mesh, or to the first other one that has all
 * its axes. In full, it may name any mesh, or inline its own. */
static const sharding *read_sharding(module *m, source *src, int rank)
{
	program_meshes all;
	writer w;
	writer_init(&w, &m->ctx->perm);
	if (sharding_is_spec(m->ctx, src)) {
		if (!sharding_text_of_spec(m->ctx, src, rank, &w))
			return NULL;
		src = source_new(m->ctx, src->name, writer_str(&w));
	}
	program_meshes_of(m, &m->ctx->scratch, &all);
	const mesh *first = all.ptr[0].mesh;
	sharding_places places = {0};
	const sharding *s = sharding_parse_whole(m->ctx, src, first, &places);
	if (!s)
		diag_note(m->ctx, NOWHERE,
		          "a sharding is written [{\"x\"}, {}], the axes of each dimension, or as JAX "
		          "has it, P('x', None)");
	int i = 0;
	while (s && s->mesh.inlined == first && i < all.len && !has_axes_of(all.ptr[i].mesh, s))
		i++;
	if (s && s->mesh.inlined == first)
		s = sharding_with_mesh(m->ctx, s, program_mesh_ref(&all.ptr[i < all.len ? i : 0]));
	if (s && sharding_verify(m->ctx, s, module_mesh(m, s->mesh), rank, &places))
		return s;
	if (i == all.len)
		name_other_meshes(m->ctx, &all);
	return NULL;
}

static tess_status shard_body(tess_ctx *ctx, void *arg)
{
	annotate_call *c = arg;
	module *m = c->h->m;
	op *main = module_main(m);
	program_mesh mesh;
	const char *what = c->output ? "result" : "argument";
	size_t n = !main ? 0
	                 : (size_t)(c->output ? op_func(main)->type->n_out
	                                      : op_func(main)->type->n_in);
	if (!program_wants_global(m, "an annotation"))
		return TESS_INVALID;
	if (c->index >= n || func_is_declaration(main)) {
		diag_error(ctx, NOWHERE, E_INPUT, "there is no %s %zu; @main has %zu", what,
		           c->index, n);
		return TESS_INVALID;
	}
	if (!program_mesh_of(m, &mesh)) {
		diag_error(ctx, NOWHERE, E_INPUT, "the program has no mesh; give one with --mesh");
		return TESS_INVALID;
	}
	const type *t = c->output ? op_func(main)->type->out[c->index]
	                          : op_func(main)->type->in[c->index];
	const sharding *s = NULL;
	if (c->text) {
		s = read_sharding(m, option_source(ctx, what, c->text), t->rank);
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

static bool constrain_value(module *m, const constrain_call *c, value *v)
{
	if (!type_is_tensor(v->type))
		return diag_error(m->ctx, NOWHERE, E_INPUT, "'%s' is not a tensor", c->value);
	const sharding *s =
		read_sharding(m, option_source(m->ctx, "constrain", c->text), v->type->rank);
	if (!s)
		return false;
	if (value_def(v))
		build_behind(m, OP_SDY_SHARDING_CONSTRAINT, v, s);
	else
		v->sharding = s;
	return true;
}

static tess_status constrain_body(tess_ctx *ctx, void *arg)
{
	constrain_call *c = arg;
	module *m = c->h->m;
	value_list values;
	program_mesh mesh;
	if (!program_wants_global(m, "an annotation") ||
	    !address_values(m, c->value, &ctx->scratch, &values))
		return TESS_INVALID;
	if (!program_mesh_of(m, &mesh)) {
		diag_error(ctx, NOWHERE, E_INPUT,
		           "the program has no mesh to shard '%s' over; give one with --mesh",
		           c->value);
		return TESS_INVALID;
	}
	for (int i = 0; i < values.len; i++)
		if (!constrain_value(m, c, values.ptr[i]))
			return TESS_INVALID;
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
	return program_wants_global(h->m, "propagation") && module_marks_are_taken(h->m) &&
	                       propagate_for_partitioning(h->m)
	               ? TESS_OK
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
	if (!program_wants_global(h->m, "shrinking"))
		return TESS_INVALID;
	module_shrink(h->m);
	return module_verify(h->m) ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_shrink(tess_module *m)
{
	return frame_run(CTX_OF(m), shrink_body, m);
}

bool tess_module_is_local(const tess_module *m) { return m && program_is_local(m->m); }

typedef struct partition_call {
	tess_module *h;
	tess_partition_opts opts;
	tess_partition_stats *stats; /* may be NULL */
	machine machine;
} partition_call;

/* With costs in bytes, or for the machine that the caller names. */
static tess_status make_program_of_device(partition_call *c, local_program *out)
{
	const tess_partition_opts *o = &c->opts;
	tess_ctx *ctx = c->h->ctx;
	partition_options how = {.merge = o->merge, .for_cpu = o->for_cpu};
	tess_status status = o->target ? machine_find(ctx, o->target, &ctx->scratch, &c->machine) : TESS_OK;
	if (status != TESS_OK)
		return status;
	bool good = o->target ? partition_fastest(c->h->m, c->machine.target, &how, &ctx->scratch, out)
	                      : partition_local(c->h->m, &how, &ctx->scratch, out);
	return good ? TESS_OK : TESS_INVALID;
}

static tess_status partition_body(tess_ctx *ctx, void *arg)
{
	partition_call *c = arg;
	tess_module *h = c->h;
	const tess_partition_opts *opts = &c->opts;
	tess_partition_stats *stats = c->stats;
	local_program local = {0};
	UNUSED(ctx);
	tess_status status = make_program_of_device(c, &local);
	if (status != TESS_OK)
		return status;
	if (opts->devices == TESS_DEVICES_REPLICAS)
		program_to_replicas(&local);
	if (!(opts->wrap ? program_wrap(&local) : !opts->bare || marks_erase(local.module))) {
		module_free(local.module);
		return TESS_INVALID;
	}
	module_free(h->m);
	h->m = local.module;
	tess_partition_stats s = {.devices = local.n_devices,
	                          .operations = local.stats.n_ops,
	                          .replicated = local.stats.n_replicated};
	if (stats) {
		s.struct_size = stats->struct_size;
		memcpy(stats, &s, s.struct_size < sizeof s ? s.struct_size : sizeof s);
	}
	return TESS_OK;
}

static bool forms_fit(const tess_partition_opts *o)
{
	return o->devices <= TESS_DEVICES_REPLICAS && o->wrap <= TESS_WRAP_SHARD_MAP &&
	       !(o->devices && o->wrap);
}

tess_status tess_module_partition(tess_module *h, const tess_partition_opts *opts,
                                  tess_partition_stats *stats)
{
	partition_call c = {.h = h, .opts = TESS_PARTITION_OPTS_INIT, .stats = stats};
	if (!h)
		return TESS_USAGE;
	OPTS_READ(c.opts, opts);
	if (!forms_fit(&c.opts))
		return TESS_USAGE;
	tess_status status = module_settle(h);
	if (status == TESS_OK)
		status = frame_run(h->ctx, partition_body, &c);
	machine_free(h->ctx, &c.machine);
	return status;
}
