/* fastest.c - finds the partition that takes the least time on a machine.
 *
 * By default the partitioner minimizes bytes: 117 MB are the same over the links of a node and over
 * those between nodes, although the times differ by a factor of nine. With prices it minimizes
 * seconds. But it decides operation by operation, and cannot see which operations will run at the
 * same time, be fused or be merged. So the program is partitioned in several ways: by bytes, by the
 * seconds that links take, and by these and the time to start each collective. The schedule says
 * which one is best: by the figures of the report, the result is never worse than without a
 * machine. */
#include "plan/evaluate.h"

#include <math.h>

/* ---- prices ------------------------------------------------------------------------------ */

/* What the partitioner minimizes. */
typedef enum weighing { BY_BYTES, BY_SECONDS, BY_SECONDS_AND_STARTS, WEIGHINGS } weighing;

typedef struct price_list {
	const target *t;
	double rate;  /* bytes per second of the fastest links */
	bool starts;  /* a collective has a price of its own, in addition to its bytes */
} price_list;

static double fastest_links(const target *t)
{
	double axes = t->torus_axes ? (double)t->torus_axes : 1;
	double near = t->link_bandwidth * t->link_efficiency * axes;
	double far = t->far_bandwidth * t->far_efficiency;
	return near > far ? near : far;
}

static transfer priced_transfer(price_kind kind)
{
	switch (kind) {
	case PRICE_ALL_REDUCE: return TRANSFER_ALL_REDUCE;
	case PRICE_ALL_GATHER: return TRANSFER_ALL_GATHER;
	case PRICE_REDUCE_SCATTER: return TRANSFER_REDUCE_SCATTER;
	case PRICE_ALL_TO_ALL: return TRANSFER_ALL_TO_ALL;
	case PRICE_PERMUTE: break;
	}
	return TRANSFER_PERMUTE;
}

static double price_on_links(const void *arg, price_kind kind, double block_bytes, const int64_t *sizes,
                       const int64_t *strides, int n)
{
	const price_list *p = arg;
	group_place g = group_along(p->t, sizes, strides, n);
	transfer what = priced_transfer(kind);
	double seconds = transfer_of(p->t, what, block_bytes, &g).seconds;
	if (!p->starts)
		seconds -= transfer_of(p->t, what, 1, &g).seconds;
	return seconds * p->rate;
}

/* ---- what a partition costs ----------------------------------------------------------------- */

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

void plan_cost_local(const local_program *l, const module *opened, const target *t, arena *mem, plan_cost *out)
{
	costs c;
	costs_briefly(l->module, opened, &l->meshes, t, mem, &c);
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

/* ---- candidates ---------------------------------------------------------------------------- */

typedef struct priced_partition {
	weighing by;
	local_program l;
	origin_list origins;
	uint64_t hash;  /* of the program */
	double seconds; /* of a step */
} priced_partition;

/* Programs with the same operations on the same values have the same hash. */
static uint64_t program_hash(const module *m)
{
	uint64_t h = m->n_ops;
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		h = hash_mix(h, op_outline_hash(o));
		for (int i = 0; i < o->n_operands; i++)
			h = hash_mix(h, operand(o, i)->id);
	}
	return h;
}

/* @return false if it has no collectives, so that there is nothing to choose */
static bool predict(priced_partition *c, const target *t, arena *mem)
{
	costs of;
	arena_mark here = arena_here(mem);
	costs_of(c->l.module, NULL, &c->l.meshes, t, mem, &of);
	c->seconds = of.step.overlapped_seconds;
	arena_back(mem, here);
	return of.collectives.len > 0;
}

/* Returns false if the program cannot be partitioned; the error is in the context. */
static bool make_priced(module *global, const partition_options *o, const target *t, weighing by,
                           arena *mem, priced_partition *out)
{
	price_list list = {.t = t, .rate = fastest_links(t), .starts = by == BY_SECONDS_AND_STARTS};
	move_prices prices = {.price = price_on_links,
	                      .arg = &list,
	                      .points_per_byte = t->flops_bf16 / 2 * t->product_efficiency / list.rate};
	partition_options po = *o;
	*out = (priced_partition){.by = by};
	po.quiet |= by != BY_BYTES; /* the first one has reported what there is to report */
	po.origins = o->origins ? &out->origins : NULL;
	po.prices = by == BY_BYTES ? NULL : &prices;
	po.for_cpu |= t->is_cpu;
	return partition_local(global, &po, mem, &out->l);
}

static bool can_be_costed(const priced_partition *c, tess_ctx *ctx)
{
	diag_mark said = diag_here(ctx);
	bool can = program_countable(c->l.module) && program_openable(c->l.module);
	diag_back(ctx, said);
	return can;
}

static void drop_priced(priced_partition *c)
{
	module_free(c->l.module);
	*c = (priced_partition){0};
}

/* The search for the fastest partition of a program. */
typedef struct fastest_search {
	module *global;
	const target *t;
	const partition_options *o;
	arena *mem;
	priced_partition best;
	uint64_t last_hash; /* of the program that was made last */
	double last_seconds;
	plan_cost first; /* of the partition by bytes, once another one seems faster */
} fastest_search;

/* Finds what the report would say of the partition, with calls replaced, and what is computed twice
 * computed once. Its program must not be used after that. */
static void cost_and_spoil(const fastest_search *w, const priced_partition *c, plan_cost *out)
{
	arena_mark here = arena_here(w->mem);
	plan_cost_local(&c->l, program_open(c->l.module) ? c->l.module : NULL, w->t, w->mem, out);
	arena_back(w->mem, here);
}

static void cost_copy(const fastest_search *w, const priced_partition *c, plan_cost *out)
{
	arena_mark here = arena_here(w->mem);
	module *opened = program_opened(c->l.module);
	plan_cost_local(&c->l, opened, w->t, w->mem, out);
	arena_back(w->mem, here);
	if (opened)
		module_free(opened);
}

/* Partitions in another way, and keeps the faster one of the result and the best. The other one is
 * released immediately, since two programs of a large step fill memory. A program that equals the
 * last or the best one is as fast as that one. */
static void try_weighing(fastest_search *w, weighing by)
{
	priced_partition other;
	arena_mark here = arena_here(w->mem);
	if (!make_priced(w->global, w->o, w->t, by, w->mem, &other)) {
		arena_back(w->mem, here);
		return;
	}
	other.hash = program_hash(other.l.module);
	other.seconds = other.hash == w->last_hash ? w->last_seconds : w->best.seconds;
	if (other.hash != w->last_hash && other.hash != w->best.hash)
		predict(&other, w->t, w->mem);
	w->last_hash = other.hash;
	w->last_seconds = other.seconds;
	if (other.seconds < w->best.seconds) {
		if (w->best.by == BY_BYTES)
			cost_and_spoil(w, &w->best, &w->first);
		drop_priced(&w->best);
		w->best = other;
		return;
	}
	drop_priced(&other);
	arena_back(w->mem, here);
}

/* Finds the partition that seems best of all ways; false: there is none. */
static bool find_best(fastest_search *w)
{
	if (!make_priced(w->global, w->o, w->t, BY_BYTES, w->mem, &w->best))
		return false;
	if (!can_be_costed(&w->best, w->global->ctx) || !predict(&w->best, w->t, w->mem))
		return true;
	w->best.hash = w->last_hash = program_hash(w->best.l.module);
	w->last_seconds = w->best.seconds;
	for (int i = BY_BYTES + 1; i < WEIGHINGS; i++)
		try_weighing(w, (weighing)i);
	return true;
}

/* With calls replaced, a program that seemed faster than the one by bytes may not be, and one that
 * does not fit is useless if the one by bytes fits. */
static bool is_better_than_first(const fastest_search *w, const plan_cost *c)
{
	bool fits = (double)c->peak_bytes <= w->t->memory_bytes;
	bool first_fits = (double)w->first.peak_bytes <= w->t->memory_bytes;
	return fits == first_fits ? c->step_seconds < w->first.step_seconds : fits;
}

/* Makes the partition by bytes again if that is better. */
static void keep_the_better(fastest_search *w)
{
	priced_partition first;
	plan_cost of_best;
	partition_options again = *w->o;
	again.quiet = true;
	cost_copy(w, &w->best, &of_best);
	if (is_better_than_first(w, &of_best) ||
	    !make_priced(w->global, &again, w->t, BY_BYTES, w->mem, &first))
		return;
	drop_priced(&w->best);
	w->best = first;
}

/* Programs in the form for XLA, with workarounds for its faults or with merged collectives, cost
 * slightly more or less. So that every caller gets the same partition, all are compared in the form
 * whose costs are reported. */
bool partition_fastest(module *global, const target *t, const partition_options *o, arena *mem,
                       local_program *out)
{
	partition_options compared = *o;
	bool for_others = !o->origins && !o->counted;
	compared.counted |= for_others;
	compared.merge &= !for_others;
	fastest_search w = {.global = global, .t = t, .o = &compared, .mem = mem};
	if (!find_best(&w))
		return false;
	if (w.best.by != BY_BYTES)
		keep_the_better(&w);
	if (for_others) {
		partition_options again = *o;
		weighing by = w.best.by;
		again.quiet = true;
		drop_priced(&w.best);
		if (!make_priced(global, &again, t, by, mem, &w.best))
			return false;
	}
	if (o->origins)
		*o->origins = w.best.origins;
	*out = w.best.l;
	return true;
}

bool plan_cost_fastest(module *global, const target *t, arena *mem, plan_cost *fastest, plan_cost *by_bytes)
{
	partition_options o = {.quiet = true, .counted = true};
	fastest_search w = {.global = global, .t = t, .o = &o, .mem = mem};
	if (!find_best(&w))
		return false;
	bool good = can_be_costed(&w.best, global->ctx);
	if (good) {
		cost_and_spoil(&w, &w.best, fastest);
		*by_bytes = w.best.by == BY_BYTES ? *fastest : w.first;
		if (w.best.by != BY_BYTES && !is_better_than_first(&w, fastest))
			*fastest = w.first;
	}
	drop_priced(&w.best);
	return good;
}
