/* evaluate.c - what a plan costs: the program with its annotations, propagated, partitioned, costed.
 *
 * It goes the way of `tess report`, pass by pass, so that both say the same. */
#include "plan/plan.h"

#include "partition/partition.h"
#include "shardy/shardy.h"

/* ---- the program with a plan --------------------------------------------------------------- */

static void set_mesh_of(const plan_subject *s, module *m, const mesh *mesh)
{
	op *declared = module_lookup(m, s->mesh_symbol);
	ASSERT(declared);
	if (op_declared_mesh(declared) != mesh) {
		op_set_attr(m, declared, N_mesh, attr_mesh(m->ctx, mesh_plain(m->ctx, mesh)));
		op_set_attr(m, declared, N_stablehlo_mesh, NULL); /* it says the same of the old one */
	}
	if (op_attr(m->top, N_mhlo_num_partitions))
		op_set_attr(m, m->top, N_mhlo_num_partitions,
		            attr_i32(m->ctx, mesh->n_devices));
}

module *plan_applied(const plan_subject *s, const plan *p)
{
	module *m = module_clone(s->m);
	op *main_func = module_main(m), *o = op_body(main_func)->first;
	int at = 0;
	set_mesh_of(s, m, p->mesh);
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *site = &s->sites[i];
		if (!p->at[i] || site->fixed)
			continue;
		switch (site->kind) {
		case SITE_ARGUMENT: op_body(main_func)->args[site->number]->sharding = p->at[i]; break;
		case SITE_RESULT: op_func(main_func)->result_shardings[site->number] = p->at[i]; break;
		case SITE_VALUE:
			for (; at < site->number; at++)
				o = o->next;
			value_set_sharding(m, result(o, 0), p->at[i]);
		}
	}
	return m;
}

/* ---- its costs --------------------------------------------------------------------------------- */

void plan_cost_scale(plan_cost *c, double seconds, double bytes)
{
	c->step_seconds *= seconds;
	c->exposed_seconds *= seconds;
	c->compute_seconds *= seconds;
	c->comm_seconds *= seconds;
	c->far_seconds *= seconds;
	c->peak_bytes = (int64_t)((double)c->peak_bytes * bytes);
	c->argument_bytes = (int64_t)((double)c->argument_bytes * bytes);
	c->temporary_bytes = (int64_t)((double)c->temporary_bytes * bytes);
}

static void add_traffic(const collective *c, plan_cost *out)
{
	const char *dot = strchr(op_name(c->o), '.');
	const char *op = dot ? dot + 1 : op_name(c->o);
	int i = 0;
	if (c->far)
		out->far_seconds += c->times * c->seconds;
	while (i < out->n_traffic && (out->traffic[i].op != op || out->traffic[i].far != c->far))
		i++;
	if (i == COUNT(out->traffic))
		return;
	if (i == out->n_traffic)
		out->traffic[out->n_traffic++] = (plan_traffic){.op = op, .far = c->far};
	out->traffic[i].count++;
	out->traffic[i].wire_bytes += c->times * c->wire_bytes;
	out->traffic[i].seconds += c->times * c->seconds;
}

static void cost_local(const module *global, const local_program *l, const target *t, arena *mem,
                       plan_cost *out)
{
	program_meshes meshes;
	costs c;
	program_meshes_of(global, mem, &meshes);
	const module *opened = program_open(l->module) ? l->module : NULL;
	costs_briefly(l->module, opened, &meshes, t, mem, &c);
	*out = (plan_cost){.step_seconds = c.step.overlapped_seconds,
	                   .exposed_seconds = c.step.exposed_communication_seconds,
	                   .compute_seconds = c.op_seconds,
	                   .comm_seconds = c.comm_seconds,
	                   .peak_bytes = c.mem.peak,
	                   .argument_bytes = c.mem.arguments,
	                   .temporary_bytes = c.mem.temp,
	                   .collectives = c.collectives.len};
	for (int i = 0; i < c.collectives.len; i++)
		add_traffic(&c.collectives.ptr[i], out);
}

typedef bool partition_fn(module *global, const target *t, const partition_options *o, arena *mem,
                          local_program *out);

static bool partition_by_bytes(module *global, const target *t, const partition_options *o, arena *mem,
                               local_program *out)
{
	UNUSED(t);
	return partition_local(global, o, mem, out);
}

static bool partition_as_shardy(module *global, const target *t, const partition_options *o, arena *mem,
                                local_program *out)
{
	UNUSED(t);
	return reshard_as_shardy(global) && partition_local(global, o, mem, out);
}

/* ---- programs that are known ----------------------------------------------------------------- */

typedef struct known_cost {
	bool known, possible;
	plan_cost cost;
} known_cost;

static void mix_sharding(void *arg, const sharding *s)
{
	uint64_t *key = arg;
	*key = hash_mix(*key, s->hash);
}

/* A key for copies of one program that differ only in shardings, and in what passes derived from
 * these. */
static uint64_t propagated_key(const module *m)
{
	uint64_t key = 1;
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		const mesh *declared = op_declared_mesh(o);
		key = hash_mix(key, (uint64_t)o->kind << 32 | (uint64_t)o->n_operands);
		for (int i = 0; i < o->n_operands; i++)
			key = hash_mix(key, operand(o, i)->id);
		if (declared)
			key = hash_mix(key, declared->hash);
		op_each_sharding(o, mix_sharding, &key);
	}
	return key ? key : 1;
}

static known_cost *recall_cost(plan_memo *memo, const module *m)
{
	void *key = (void *)(uintptr_t)propagated_key(m); /* NOLINT: a number */
	known_cost **at = (known_cost **)ptr_map_at(&memo->costs, memo->mem, key);
	if (!*at)
		*at = NEW(memo->mem, known_cost);
	return *at;
}

/* ---- its costs, from propagation on ------------------------------------------------------------ */

static bool cost_propagated(module *m, const target *t, partition_fn *partition, arena *mem,
                            plan_cost *out)
{
	partition_options po = {.quiet = true, .counted = true};
	local_program l = {0};
	if (!partition(m, t, &po, mem, &l))
		return false;
	bool good = program_countable(l.module) && program_openable(l.module);
	if (good)
		cost_local(m, &l, t, mem, out);
	module_free(l.module);
	return good;
}

/* How a program is partitioned, and the known costs of other programs that are partitioned like
 * that. */
typedef struct cost_way {
	partition_fn *partition;
	plan_memo *memo; /* NULL: none */
} cost_way;

/* Consumes `m`: its shardings change. */
static bool cost_global(module *m, const target *t, cost_way way, arena *mem, plan_cost *out)
{
	pass_options o = pass_options_default();
	pass_list passes = {.mem = mem};
	run_opts quiet = {0};
	o.memo = way.memo ? way.memo->propagation : NULL;
	pass_list_add_named(&passes, "shard", &o);
	if (!pass_list_run_on_main(m, &passes, &quiet))
		return false;
	known_cost once = {0}, *k = way.memo ? recall_cost(way.memo, m) : &once;
	if (!k->known) {
		k->possible = cost_propagated(m, t, way.partition, mem, &k->cost);
		k->known = true;
	}
	*out = k->cost;
	return k->possible;
}

static partition_fn *const partitions_by[] = {
	[PARTITION_FASTEST] = partition_fastest,
	[PARTITION_BY_BYTES] = partition_by_bytes,
	[PARTITION_AS_SHARDY] = partition_as_shardy,
};

static bool cost_and_free(module *m, const target *t, cost_way way, plan_cost *out)
{
	tess_ctx *ctx = m->ctx;
	arena_mark here = arena_here(&ctx->scratch);
	diag_mark said = diag_here(ctx);
	bool good = cost_global(m, t, way, &ctx->scratch, out);
	diag_back(ctx, said);
	module_free(m);
	arena_back(&ctx->scratch, here);
	return good;
}

bool plan_costs(const module *annotated, const target *t, plan_partition by, plan_cost *out)
{
	return cost_and_free(module_clone(annotated), t, (cost_way){partitions_by[by], NULL}, out);
}

bool plan_report_why(const plan_subject *s, const target *t, plan_partition by, const plan *p,
                     const char *meaning)
{
	tess_ctx *ctx = s->m->ctx;
	arena_mark here = arena_here(&ctx->scratch);
	int before = diag_errors(ctx);
	plan_cost cost;
	module *m = p ? plan_applied(s, p) : module_clone(s->m);
	cost_global(m, t, (cost_way){partitions_by[by], NULL}, &ctx->scratch, &cost);
	module_free(m);
	if (diag_errors(ctx) > before)
		diag_note(ctx, NOWHERE, "%s", meaning);
	else
		diag_error(ctx, NOWHERE, E_PLAN_PROGRAM, "%s", meaning);
	arena_back(&ctx->scratch, here);
	return false;
}

bool plan_evaluate(const plan_subject *s, const target *t, plan_memo *memo, plan *p)
{
	return cost_and_free(plan_applied(s, p), t, (cost_way){partition_by_bytes, memo}, &p->cost);
}

bool plan_evaluate_fastest(const plan_subject *s, const target *t, plan_memo *memo, plan *p)
{
	return cost_and_free(plan_applied(s, p), t, (cost_way){partition_fastest, memo}, &p->cost);
}

/* ---- a time that no plan is under ---------------------------------------------------------------- */

/* However a program is sharded, its kernels do their arithmetic, reads and writes at least once on
 * all devices together, and no device can be finished before an even share of that is. Launches,
 * padding, values that are computed on several devices, shapes that are too small for the machine,
 * and communication come on top. So the bound holds on every mesh. It is a bound for the cost
 * model's machine, with kernels as they are fused in the whole program.
 *
 * This function returns the time of one run of a kernel on one device without any loss. */
static double least_seconds(const target *t, const op_cost *k)
{
	double share = op_has(k->o, PRODUCT) ? t->product_efficiency : 1;
	double arithmetic = k->peak_seconds / share;
	double traffic = k->w.bytes / (t->memory_bandwidth * t->memory_efficiency);
	return arithmetic > traffic ? arithmetic : traffic;
}

double plan_bound(const plan_subject *s, const target *t, int64_t devices)
{
	tess_ctx *ctx = s->m->ctx;
	arena_mark here = arena_here(&ctx->scratch);
	diag_mark said = diag_here(ctx);
	program_meshes meshes = {0};
	costs c;
	double sum = 0;
	module *opened = program_countable(s->m) && program_openable(s->m) ? program_opened(s->m) : NULL;
	if (opened) {
		costs_of(opened, NULL, &meshes, t, &ctx->scratch, &c);
		for (int i = 0; i < c.ops.len; i++)
			sum += c.ops.ptr[i].times * least_seconds(t, &c.ops.ptr[i]);
		module_free(opened);
	}
	diag_back(ctx, said);
	arena_back(&ctx->scratch, here);
	return sum / (double)devices;
}
