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
	partition_options po = {.quiet = true, .counted = true, .for_cpu = t->is_cpu};
	local_program l = {0};
	if (!partition_local(global, &po, mem, &l))
		return false;
	bool good = program_countable(l.module) && program_openable(l.module);
	if (good)
		plan_cost_local(&l, program_open(l.module) ? l.module : NULL, t, mem, out);
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

/* Which values of an op are sharded: mix_sharding() is not called for the others. */
static uint64_t mix_sharded(uint64_t key, const op *o)
{
	const func *f = op_func(o);
	for (int i = 0; i < o->n_results; i++)
		key = hash_mix(key, o->results[i].sharding != NULL);
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				key = hash_mix(key, b->args[i]->sharding != NULL);
	for (int i = 0; f && i < f->type->n_out; i++)
		key = hash_mix(key, f->result_shardings[i] != NULL);
	return key;
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
		key = mix_sharded(key, o);
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

/* Consumes `m`, which is propagated; NULL: it could not be. */
static bool cost_once(module *m, const target *t, plan_partition by, plan_cost *out)
{
	if (!m)
		return false;
	arena *mem = &m->ctx->scratch;
	arena_mark here = arena_here(mem);
	bool possible = costs_by[by](m, t, mem, out);
	module_free(m);
	arena_back(mem, here);
	return possible;
}

bool plan_costs(const module *annotated, const target *t, plan_partition by, plan_cost *out)
{
	diag_mark said = diag_here(annotated->ctx);
	bool good = cost_once(plan_propagate(module_clone(annotated), NULL), t, by, out);
	diag_back(annotated->ctx, said);
	return good;
}

bool plan_report_why(const plan_subject *s, const target *t, plan_partition by, const plan *p,
                     const char *meaning)
{
	tess_ctx *ctx = s->m->ctx;
	int before = diag_errors(ctx);
	plan_cost cost;
	cost_once(plan_propagate(p ? plan_applied(s, p) : module_clone(s->m), NULL), t, by, &cost);
	if (diag_errors(ctx) > before)
		diag_note(ctx, NOWHERE, "%s", meaning);
	else
		diag_error(ctx, NOWHERE, E_PLAN_PROGRAM, "%s", meaning);
	return false;
}

/* ---- the costs of a plan ------------------------------------------------------------------------ */

/* A plan on the way to its costs. */
typedef struct plan_run {
	const plan_subject *s;
	bool begun;   /* plan_begin(), */
	module *m;    /* and plan_finish(): the propagated program; NULL: not yet, or it is not possible */
	uint64_t key; /* of the program; 0: it is not possible */
	diag_mark said;
	arena_mark here;
} plan_run;

static plan_run run_begin(const plan_subject *s, const plan *p, const plan_memo *memo)
{
	tess_ctx *ctx = s->m->ctx;
	plan_run r = {.s = s, .said = diag_here(ctx), .here = arena_here(&ctx->scratch)};
	r.begun = memo && plan_begin(s, p, &r.key);
	r.m = r.begun ? NULL : plan_propagated(s, p, memo ? memo->propagation : NULL);
	r.key = r.m ? propagated_key(r.m) : r.key;
	return r;
}

/* Returns the program; NULL: it is not possible. */
static module *run_finish(plan_run *r)
{
	if (r->begun && !r->m)
		r->m = plan_finish(r->s);
	return r->m;
}

static void run_cost(plan_run *r, known_cost *k, const target *t, plan_partition by)
{
	if (!k->known && run_finish(r))
		k->possible = costs_by[by](r->m, t, &r->s->m->ctx->scratch, &k->cost);
	k->known = true;
}

static void run_cost_both(plan_run *r, known_cost *by_bytes, known_cost *fastest, const target *t)
{
	if (!fastest->known && run_finish(r)) {
		plan_cost slower;
		fastest->possible = plan_cost_fastest(r->m, t, &r->s->m->ctx->scratch, &fastest->cost, &slower);
		if (fastest->possible)
			*by_bytes = (known_cost){.known = true, .possible = true, .cost = slower};
	}
	fastest->known = true;
	run_cost(r, by_bytes, t, PARTITION_BY_BYTES);
}

static void run_end(plan_run *r)
{
	if (r->begun)
		plan_end(r->s);
	if (r->m)
		module_free(r->m);
	diag_back(r->s->m->ctx, r->said);
	arena_back(&r->s->m->ctx->scratch, r->here);
}

static bool evaluate_by(const plan_subject *s, const target *t, plan_partition by, plan_memo *memo, plan *p)
{
	plan_run r = run_begin(s, p, memo);
	known_cost once = {0}, *k = recall_cost(r.key ? memo : NULL, r.key, &once);
	run_cost(&r, k, t, by);
	run_end(&r);
	p->cost = k->cost;
	return k->possible;
}

bool plan_evaluate(const plan_subject *s, const target *t, plan_memo *memo, plan *p)
{
	return evaluate_by(s, t, PARTITION_BY_BYTES, memo, p);
}

bool plan_evaluate_fastest(const plan_subject *s, const target *t, plan_memo *memo, plan *p)
{
	return evaluate_by(s, t, PARTITION_FASTEST, memo, p);
}

bool plan_evaluate_both(const plan_subject *s, const target *t, plan_memo *memo, plan_memo *finals,
                        const plan *p, plan_cost *by_bytes, plan_cost *fastest)
{
	plan_run r = run_begin(s, p, memo);
	known_cost once[2] = {0}, *b = recall_cost(r.key ? memo : NULL, r.key, &once[0]);
	known_cost *f = recall_cost(r.key ? finals : NULL, r.key, &once[1]);
	run_cost_both(&r, b, f, t);
	run_end(&r);
	*by_bytes = b->cost;
	*fastest = f->cost;
	return b->possible && f->possible;
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
	double traffic = memory_share_of_nearest(t) * memory_seconds(t, k->w.bytes);
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
	target one = target_shared(t, devices);
	one.cores = 0; /* costs_of() would share them among the devices of the program as it is */
	module *opened = program_countable(s->m) && program_openable(s->m) ? program_opened(s->m) : NULL;
	if (opened) {
		costs_of(opened, NULL, &meshes, &one, &ctx->scratch, &c);
		for (int i = 0; i < c.ops.len; i++)
			sum += c.ops.ptr[i].times * least_seconds(&one, &c.ops.ptr[i]);
		module_free(opened);
	}
	diag_back(ctx, said);
	arena_back(&ctx->scratch, here);
	return sum / (double)devices;
}
