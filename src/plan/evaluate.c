/* evaluate.c - what a plan costs: the program with its annotations, propagated, partitioned, costed.
 *
 * It goes the way of `tess report`, pass by pass, so that both say the same. */
#include "plan/evaluate.h"
#include "plan/applied.h"

#include "shardy/shardy.h"

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

static bool cost_by_bytes(module *global, const target *t, arena *mem, plan_cost *out)
{
	partition_options po = {.quiet = true, .counted = true};
	program_meshes meshes;
	local_program l = {0};
	if (!partition_local(global, &po, mem, &l))
		return false;
	bool good = program_countable(l.module) && program_openable(l.module);
	if (good) {
		program_meshes_of(global, mem, &meshes);
		plan_cost_local(&l, program_open(l.module) ? l.module : NULL, &meshes, t, mem, out);
	}
	module_free(l.module);
	return good;
}

static bool cost_as_shardy(module *global, const target *t, arena *mem, plan_cost *out)
{
	return reshard_as_shardy(global) && cost_by_bytes(global, t, mem, out);
}

static bool cost_fastest(module *global, const target *t, arena *mem, plan_cost *out)
{
	plan_cost by_bytes;
	return plan_cost_fastest(global, t, mem, out, &by_bytes);
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

/* `fresh`: what is returned if there is no memo. */
static known_cost *recall_cost(plan_memo *memo, uint64_t key, known_cost *fresh)
{
	if (!memo)
		return fresh;
	const void *number = (const void *)(uintptr_t)key; /* NOLINT */
	known_cost **at = (known_cost **)ptr_map_at(&memo->costs, memo->mem, number);
	if (!*at)
		*at = NEW(memo->mem, known_cost);
	return *at;
}

/* ---- its costs, from propagation on ------------------------------------------------------------ */

typedef bool cost_fn(module *propagated, const target *t, arena *mem, plan_cost *out);

static cost_fn *const costs_by[] = {
	[PARTITION_FASTEST] = cost_fastest,
	[PARTITION_BY_BYTES] = cost_by_bytes,
	[PARTITION_AS_SHARDY] = cost_as_shardy,
};

static void cost_known(known_cost *k, module *m, const target *t, plan_partition by, arena *mem)
{
	if (!k->known)
		k->possible = costs_by[by](m, t, mem, &k->cost);
	k->known = true;
}

/* Consumes `m`, which is propagated: its shardings change. `m` may be NULL: it is not possible. */
static bool cost_global(module *m, const target *t, plan_partition by, plan_memo *memo, plan_cost *out)
{
	if (!m)
		return false;
	arena *mem = &m->ctx->scratch;
	arena_mark here = arena_here(mem);
	known_cost once = {0}, *k = recall_cost(memo, memo ? propagated_key(m) : 0, &once);
	cost_known(k, m, t, by, mem);
	*out = k->cost;
	bool possible = k->possible;
	module_free(m);
	arena_back(mem, here);
	return possible;
}

static module *annotated_propagated(const module *annotated)
{
	module *m = module_clone(annotated);
	if (plan_propagate(m, NULL))
		return m;
	module_free(m);
	return NULL;
}

bool plan_costs(const module *annotated, const target *t, plan_partition by, plan_cost *out)
{
	diag_mark said = diag_here(annotated->ctx);
	bool good = cost_global(annotated_propagated(annotated), t, by, NULL, out);
	diag_back(annotated->ctx, said);
	return good;
}

bool plan_report_why(const plan_subject *s, const target *t, plan_partition by, const plan *p,
                     const char *meaning)
{
	tess_ctx *ctx = s->m->ctx;
	int before = diag_errors(ctx);
	plan_cost cost;
	cost_global(p ? plan_propagated(s, p, NULL) : annotated_propagated(s->m), t, by, NULL, &cost);
	if (diag_errors(ctx) > before)
		diag_note(ctx, NOWHERE, "%s", meaning);
	else
		diag_error(ctx, NOWHERE, E_PLAN_PROGRAM, "%s", meaning);
	return false;
}

static bool evaluate_by(const plan_subject *s, const target *t, plan_partition by, plan_memo *memo, plan *p)
{
	diag_mark said = diag_here(s->m->ctx);
	bool good = cost_global(plan_propagated(s, p, memo ? memo->propagation : NULL), t, by, memo, &p->cost);
	diag_back(s->m->ctx, said);
	return good;
}

bool plan_evaluate(const plan_subject *s, const target *t, plan_memo *memo, plan *p)
{
	return evaluate_by(s, t, PARTITION_BY_BYTES, memo, p);
}

bool plan_evaluate_fastest(const plan_subject *s, const target *t, plan_memo *memo, plan *p)
{
	return evaluate_by(s, t, PARTITION_FASTEST, memo, p);
}

static bool cost_both(module *m, const target *t, plan_memo *memo, plan_memo *finals, arena *mem,
                      plan_cost *by_bytes, plan_cost *fastest)
{
	uint64_t key = propagated_key(m);
	known_cost once[2] = {0}, *b = recall_cost(memo, key, &once[0]), *f = recall_cost(finals, key, &once[1]);
	if (!f->known) {
		f->possible = plan_cost_fastest(m, t, mem, &f->cost, by_bytes);
		f->known = true;
		if (f->possible)
			*b = (known_cost){.known = true, .possible = true, .cost = *by_bytes};
	}
	cost_known(b, m, t, PARTITION_BY_BYTES, mem);
	*by_bytes = b->cost;
	*fastest = f->cost;
	return b->possible && f->possible;
}

bool plan_evaluate_both(const plan_subject *s, const target *t, plan_memo *memo, plan_memo *finals,
                        const plan *p, plan_cost *by_bytes, plan_cost *fastest)
{
	tess_ctx *ctx = s->m->ctx;
	arena_mark here = arena_here(&ctx->scratch);
	diag_mark said = diag_here(ctx);
	module *m = plan_propagated(s, p, memo ? memo->propagation : NULL);
	bool good = m && cost_both(m, t, memo, finals, &ctx->scratch, by_bytes, fastest);
	diag_back(ctx, said);
	if (m)
		module_free(m);
	arena_back(&ctx->scratch, here);
	return good;
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
