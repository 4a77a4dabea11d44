/* factoring.c - how an op's iteration space is divided among the devices.
 *
 * An op's sharding rule names factors: the dimensions of its iteration space. A decision gives each
 * factor a list of digits. That fixes the spread of every operand and result: a dimension is split
 * by the digits of its factors, and results are partial along the digits of the reduction factors.
 *
 * Example: a matrix product ([i, k], [k, j]) -> ([i, j]) on 8 devices with digits x = (4, 2) and y
 * = (1, 4). With i: {x}, k: {y} the operands are [{x}, {y}] and [{y}, {}], and the result is [{x},
 * {}], partial along y.
 *
 * This file derives spreads from a decision and suggestions from spreads, and keeps decisions
 * sound:
 * - a digit is used by one factor only;
 * - in a dimension with several factors, a minor factor is split only if the major ones are split
 *   completely, because otherwise the result is not a block. Such factors, and those of reshapes,
 *   are split evenly. A factor that is alone in its dimensions may leave padding;
 * - a factor that some result lacks is not split, unless it is a reduction factor. */
#include "partition/factoring.h"

bool tensor_has_factor(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		for (int i = 0; i < t->dims[d].n; i++)
			if (t->dims[d].factors[i] == factor)
				return true;
	return false;
}

/* Where a factor occurs. */
typedef struct presence {
	bool in_operand;
	int n_results, last; /* how many results have it, and 1 + the last tensor that has it */
} presence;

/* Also notes whether some dimension has several factors. */
static const presence *factor_presence(factoring *f)
{
	const sharding_rule *r = f->rule;
	presence *p = NEW_N(f->e->mem, presence, r->n_factors);
	for (int t = 0; t < n_tensors(r); t++)
		for (int d = 0; d < r->tensors[t].rank; d++) {
			const dim_factors *dim = &r->tensors[t].dims[d];
			f->compound |= dim->n > 1;
			for (int i = 0; i < dim->n; i++) {
				presence *at = &p[dim->factors[i]];
				at->in_operand |= t < r->n_operands;
				at->n_results += t >= r->n_operands && at->last != t + 1;
				at->last = t + 1;
			}
		}
	return p;
}

static bool factor_may_split(const factoring *f, int factor, const presence *at)
{
	const sharding_rule *r = f->rule;
	if (r->sizes[factor] <= 1 || factor_in_set(&r->need_replication, factor))
		return false;
	if (factor_in_set(&r->reduction, factor))
		return f->combine != MONOID_NONE && at->in_operand && !at->n_results;
	if (factor_in_set(&r->permutation, factor) && !(f->flags & SPLIT_PERMUTATION))
		return false;
	return at->n_results == r->n_results &&
	       (at->in_operand || (f->flags & SPLIT_RESULT_ONLY));
}

void factoring_init(factoring *f, emitter *e, const op *o, const sharding_rule *rule,
                    monoid combine, unsigned flags)
{
	*f = (factoring){.e = e, .o = o, .rule = rule, .combine = combine, .flags = flags};
	f->shard = NEW_N(e->mem, digits, rule->n_factors);
}

void factoring_ask(factoring *f)
{
	const sharding_rule *rule = f->rule;
	if (f->may)
		return;
	const presence *at = factor_presence(f);
	f->may = NEW_N(f->e->mem, bool, rule->n_factors);
	for (int i = 0; i < rule->n_factors; i++)
		f->may[i] = factor_may_split(f, i, &at[i]);
	for (int t = 0; t < n_tensors(rule); t++) {
		const type *elem = tensor_value(f, t)->type->elem;
		if (!elem || elem->kind != TY_QUANT || elem->quant->axis < 0)
			continue; /* scales of an axis are part of the type: not split */
		const dim_factors *d = &rule->tensors[t].dims[elem->quant->axis];
		for (int i = 0; i < d->n; i++)
			f->may[d->factors[i]] = false;
	}
}

/* ---- from factors to spreads -------------------------------------------------------- */

static digits dim_of_factors(const factoring *f, const dim_factors *d)
{
	digits l = {0, NULL};
	if (d->n == 1)
		return f->shard[d->factors[0]];
	for (int i = 0; i < d->n; i++)
		l = digits_join(f->e->mem, l, f->shard[d->factors[i]]);
	return l;
}

static digits reduced_digits(const factoring *f)
{
	digits l = {0, NULL};
	for (int i = 0; i < f->rule->reduction.n; i++)
		l = digits_append(f->e->mem, l, f->shard[f->rule->reduction.factors[i]]);
	return l;
}

static const spread *tensor_spread(const factoring *f, int t)
{
	const tensor_factors *tf = &f->rule->tensors[t];
	digits *dims = NEW_N(f->e->mem, digits, tf->rank);
	bool whole = true;
	for (int d = 0; d < tf->rank; d++) {
		dims[d] = dim_of_factors(f, &tf->dims[d]);
		whole &= !dims[d].n;
	}
	spread s = {.order = f->order, .rank = tf->rank, .dims = dims, .combine = f->combine};
	if (t >= f->rule->n_operands)
		s.partial = reduced_digits(f);
	return whole && !s.partial.n ? spread_whole(&f->e->sp, tf->rank)
	                             : spread_of(&f->e->sp, &s);
}

bool splits_reduction(const factoring *f)
{
	bool any = false;
	for (int i = 0; i < f->rule->reduction.n; i++)
		any |= f->shard[f->rule->reduction.factors[i]].n > 0;
	return any;
}

/* True if `s`, which splits the tensor and is complete, is the spread of tensor t. */
static bool tensor_spread_is(const factoring *f, int t, const spread *s)
{
	const tensor_factors *tf = &f->rule->tensors[t];
	if (s->order != f->order || s->partial.n || s->rank != tf->rank || !spread_splits(s))
		return false;
	for (int d = 0; d < tf->rank; d++)
		if (tf->dims[d].n > 1 ||
		    !digits_eq(tf->dims[d].n ? f->shard[tf->dims[d].factors[0]] : (digits){0, NULL},
		               s->dims[d]))
			return false;
	return t < f->rule->n_operands || !splits_reduction(f);
}

const spread **tensor_spreads(const factoring *f, const spread *const *likely)
{
	const spread **s = NEW_N(f->e->mem, const spread *, n_tensors(f->rule));
	for (int t = 0; t < n_tensors(f->rule); t++)
		s[t] = likely[t] && tensor_spread_is(f, t, likely[t]) ? likely[t]
		                                                      : tensor_spread(f, t);
	return s;
}

const spread *factoring_operand(const factoring *f, int i)
{
	return f->decided ? f->decided[i] : tensor_spread(f, i);
}

const spread *factoring_result(const factoring *f, int i)
{
	return factoring_operand(f, f->rule->n_operands + i);
}

int64_t factoring_result_dim(const factoring *f, int d)
{
	const dim_factors *dim = &f->rule->tensors[f->rule->n_operands].dims[d];
	int64_t shards = 1;
	for (int i = 0; i < dim->n; i++)
		shards *= digits_size(f->shard[dim->factors[i]]);
	return block_size(result(f->o, 0)->type->dims[d], shards);
}

double operand_halo_cost(const factoring *f, int i, const halo *h)
{
	const spread *as = factoring_operand(f, i);
	int64_t bytes = spread_local_bytes(as, operand(f->o, i)->type);
	return halo_cost(&f->e->sp, as, (double)bytes, h);
}

bool factoring_pads(const factoring *f, int factor)
{
	return f->rule->sizes[factor] % digits_size(f->shard[factor]) != 0;
}

/* ---- from spreads to factors --------------------------------------------------------- */

/* Gives the digits of one dimension to its factors, the major one first. A factor is filled up
 * before the next one gets any; a digit larger than the rest of a factor is cut in two. */
static void project_dim(const factoring *f, const dim_factors *d, digits l, digits *out)
{
	int at = 0;
	digit_vec v = {0};
	if (!d->n)
		return;
	if (d->n == 1) {
		out[d->factors[0]] = l;
		return;
	}
	int64_t left = f->rule->sizes[d->factors[0]];
	for (int i = 0; i < l.n; i++) {
		digit x = l.at[i];
		while (x.size > 1) {
			if (at + 1 < d->n && left == 1) {
				out[d->factors[at]] = digits_of(&v);
				v = (digit_vec){0};
				left = f->rule->sizes[d->factors[++at]];
				continue;
			}
			int64_t part = at + 1 < d->n ? gcd_i64(left, x.size) : x.size;
			if (part == 1)
				goto done;
			vec_push(f->e->mem, &v, (digit){x.stride * (x.size / part), part});
			x.size /= part;
			left = left % part == 0 ? left / part : 1;
		}
	}
done:
	out[d->factors[at]] = digits_join(f->e->mem, digits_of(&v), (digits){0, NULL});
}

/* The digits of `l` before the first one that overlaps with a factor's. */
static digits free_prefix(const factoring *f, digits l)
{
	int n = 0;
	for (; n < l.n; n++)
		for (int i = 0; i < f->rule->n_factors; i++)
			if (!digits_disjoint((digits){1, &l.at[n]}, f->shard[i]))
				return (digits){n, l.at};
	return (digits){n, l.at};
}

const digits *project_spread(const factoring *f, int t, const spread *s)
{
	const tensor_factors *tf = &f->rule->tensors[t];
	if (!s || s->rank != tf->rank || !spread_splits(s))
		return NULL;
	digits *said = NEW_N(f->e->mem, digits, f->rule->n_factors);
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].n)
			project_dim(f, &tf->dims[d], s->dims[d], said);
	return said;
}

static bool splits_any(const factoring *f)
{
	for (int i = 0; i < f->rule->n_factors; i++)
		if (f->shard[i].n)
			return true;
	return false;
}

void suggest_factors(factoring *f, const digits *said, const device_order *order)
{
	arena *mem = f->e->mem;
	if (order != f->order && splits_any(f))
		return;
	for (int i = 0; i < f->rule->n_factors; i++) {
		digits rest = said[i];
		if (!rest.n || !f->may[i] || digits_eq(f->shard[i], said[i]) ||
		    (f->shard[i].n && !digits_rest(mem, f->shard[i], said[i], &rest)))
			continue;
		rest = free_prefix(f, rest);
		if (!rest.n)
			continue;
		f->order = order;
		f->shard[i] = digits_append(mem, f->shard[i], rest);
	}
}

digits factoring_given(factoring *f)
{
	digits all = {0, NULL};
	factoring_ask(f);
	for (int i = 0; i < f->rule->reduction.n; i++)
		f->may[f->rule->reduction.factors[i]] = true;
	for (int t = 0; t < f->rule->n_operands; t++) {
		const spread *home = fact_home(f->e, tensor_value(f, t));
		const digits *said = project_spread(f, t, home);
		if (said)
			suggest_factors(f, said, home->order);
	}
	for (int i = 0; i < f->rule->reduction.n; i++)
		all = digits_join(f->e->mem, all, f->shard[f->rule->reduction.factors[i]]);
	return all;
}

/* ---- soundness -------------------------------------------------------------------------- */

/* The longest prefix of the digits whose size divides `size`. */
static digits even_prefix(digits l, int64_t size)
{
	int n = 0;
	for (int64_t k = 1; n < l.n && size % (k * l.at[n].size) == 0; n++)
		k *= l.at[n].size;
	return (digits){n, l.at};
}

static int64_t factor_dim_count(const factoring *f, const dim_factors *d)
{
	int n = 0;
	for (int i = 0; i < d->n; i++)
		n += f->rule->sizes[d->factors[i]] > 1;
	return n;
}

/* Returns true if digits were dropped. */
static bool make_dim_blocks(factoring *f, const dim_factors *d)
{
	bool full = true, cut = false;
	if (factor_dim_count(f, d) < 2)
		return false;
	for (int i = 0; i < d->n; i++) {
		int factor = d->factors[i];
		digits was = f->shard[factor];
		f->shard[factor] = full ? even_prefix(was, f->rule->sizes[factor])
		                        : (digits){0, NULL};
		cut |= f->shard[factor].n != was.n;
		full &= digits_size(f->shard[factor]) == f->rule->sizes[factor];
	}
	return cut;
}

void make_sound(factoring *f)
{
	for (bool cut = f->compound; cut;) {
		cut = false;
		for (int t = 0; t < n_tensors(f->rule); t++)
			for (int d = 0; d < f->rule->tensors[t].rank; d++)
				cut |= make_dim_blocks(f, &f->rule->tensors[t].dims[d]);
	}
}
