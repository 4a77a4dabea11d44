/* fastest.c - finds the partition that takes the least time on a machine.
 *
 * By default the partitioner minimizes bytes: 117 MB are the same over the links of a node and over
 * those between nodes, although the times differ by a factor of nine. With prices it minimizes
 * seconds. But it decides operation by operation, and cannot see which operations will run at the
 * same time, be fused or be merged. So the program is partitioned in several ways: by bytes, by the
 * seconds that links take, and by these and the time to start each collective. The schedule says
 * which one is best: by the figures of the report, the result is never worse than without a
 * machine. */
#include "plan/plan.h"

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
static bool predict(priced_partition *c, const program_meshes *meshes, const target *t, arena *mem)
{
	costs of;
	arena_mark here = arena_here(mem);
	costs_of(c->l.module, NULL, meshes, t, mem, &of);
	c->seconds = of.step.overlapped_seconds;
	arena_back(mem, here);
	return of.collectives.len > 0;
}

/* What the report would say of it, with calls replaced, and what is computed twice computed
 * once. */
typedef struct forecast {
	double seconds; /* of a step */
	bool fits;      /* into memory */
} forecast;

static forecast forecast_of(const priced_partition *c, const program_meshes *meshes, const target *t,
                            arena *mem)
{
	costs of;
	arena_mark here = arena_here(mem);
	module *opened = program_opened(c->l.module);
	costs_briefly(c->l.module, opened, meshes, t, mem, &of);
	arena_back(mem, here);
	if (opened)
		module_free(opened);
	return (forecast){of.step.overlapped_seconds, (double)of.mem.peak <= t->memory_bytes};
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

/* Partitions in another way, and keeps the faster one of the result and `best`. The other one is
 * released immediately, since two programs of a large step fill memory. A program that equals
 * `last` or `best` is as fast as that one; `last` gets the hash and seconds of the new one. */
static void try_weighing(module *global, const partition_options *o, const target *t, weighing by,
                         const program_meshes *meshes, arena *mem, priced_partition *best,
                         priced_partition *last)
{
	priced_partition other;
	arena_mark here = arena_here(mem);
	if (!make_priced(global, o, t, by, mem, &other)) {
		arena_back(mem, here);
		return;
	}
	other.hash = program_hash(other.l.module);
	other.seconds = other.hash == last->hash ? last->seconds : best->seconds;
	if (other.hash != last->hash && other.hash != best->hash)
		predict(&other, meshes, t, mem);
	*last = (priced_partition){.hash = other.hash, .seconds = other.seconds};
	if (other.seconds < best->seconds) {
		drop_priced(best);
		*best = other;
		return;
	}
	drop_priced(&other);
	arena_back(mem, here);
}

/* With calls replaced, a program that seemed faster may not be, and one that does not fit is
 * useless if the one by bytes fits. So that one is made again and compared. */
static void keep_the_better(module *global, const partition_options *o, const target *t,
                            const program_meshes *meshes, arena *mem, priced_partition *best)
{
	priced_partition first;
	partition_options again = *o;
	again.quiet = true;
	forecast of_best = forecast_of(best, meshes, t, mem);
	if (!make_priced(global, &again, t, BY_BYTES, mem, &first))
		return;
	forecast of_first = forecast_of(&first, meshes, t, mem);
	bool better = of_best.fits == of_first.fits ? of_best.seconds < of_first.seconds : of_best.fits;
	drop_priced(better ? &first : best);
	if (!better)
		*best = first;
}

/* Finds the best partition of all ways; false: there is none. */
static bool find_best(module *global, const partition_options *o, const target *t, arena *mem,
                      priced_partition *best)
{
	program_meshes meshes;
	program_meshes_of(global, mem, &meshes);
	if (!make_priced(global, o, t, BY_BYTES, mem, best))
		return false;
	if (!can_be_costed(best, global->ctx) || !predict(best, &meshes, t, mem))
		return true;
	best->hash = program_hash(best->l.module);
	priced_partition last = {.hash = best->hash, .seconds = best->seconds};
	for (int i = BY_BYTES + 1; i < WEIGHINGS; i++)
		try_weighing(global, o, t, (weighing)i, &meshes, mem, best, &last);
	if (best->by != BY_BYTES)
		keep_the_better(global, o, t, &meshes, mem, best);
	return true;
}

/* Programs in the form for XLA, with workarounds for its faults or with merged collectives, cost
 * slightly more or less. So that every caller gets the same partition, all are compared in the form
 * whose costs are reported. */
bool partition_fastest(module *global, const target *t, const partition_options *o, arena *mem,
                       local_program *out)
{
	priced_partition best;
	partition_options compared = *o;
	bool for_others = !o->origins && !o->counted;
	compared.counted |= for_others;
	compared.merge &= !for_others;
	if (!find_best(global, &compared, t, mem, &best))
		return false;
	if (for_others) {
		partition_options again = *o;
		weighing by = best.by;
		again.quiet = true;
		drop_priced(&best);
		if (!make_priced(global, &again, t, by, mem, &best))
			return false;
	}
	if (o->origins)
		*o->origins = best.origins;
	*out = best.l;
	return true;
}
