/* factoring.c - how an op's iteration space is divided among the devices.
 *
 * An op's sharding rule names factors: the dimensions of its iteration space.  A
 * decision gives each factor a list of digits.  It fixes the spread of every operand
 * and result: dimension d is split by the digits of its factors.  Results are partial
 * along the digits of the reduction factors.
 *
 * The candidates come from the spreads that operands have and that results should
 * have: each tensor in turn has the first word, the others (results first, then
 * operands from the largest) add what does not contradict.  Then each split reduction
 * factor is tried unsplit, and the digits of each factor that must be whole, or would need
 * its neighbours, elsewhere.  The cheapest decision wins: bytes received to bring the
 * operands there and the results where they should be, plus the work of one device in
 * the same currency.
 *
 * What keeps a decision sound:
 *  - a digit is used by one factor only;
 *  - in a dimension made of several factors, a minor one is split only if the major
 *    ones are split completely: anything else is not a block;
 *  - such factors, and those of reshapes, are split evenly.  A factor that has its
 *    dimensions for itself may be split unevenly and leaves padding;
 *  - a factor that some result lacks is not split, unless it is a reduction. */
#include "partition/local.h"

#include <math.h>

/* Work of a device that costs as much as receiving a byte. */
static const double POINTS_PER_BYTE = 400;

bool factor_in_set(const factor_set *s, int factor)
{
	for (int i = 0; i < s->n; i++)
		if (s->factors[i] == factor)
			return true;
	return false;
}

static bool tensor_has_factor(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		for (int i = 0; i < t->dims[d].n; i++)
			if (t->dims[d].factors[i] == factor)
				return true;
	return false;
}

static int n_tensors(const sharding_rule *r) { return r->n_operands + r->n_results; }

static value *tensor_value(const factoring *f, int t)
{
	return t < f->rule->n_operands ? operand(f->o, t)
	                               : result(f->o, t - f->rule->n_operands);
}

static bool factor_may_split(const sharding_rule *r, int factor, monoid combine, unsigned flags)
{
	bool in_operand = false, in_all = true, in_some = false;
	for (int t = 0; t < n_tensors(r); t++) {
		bool has = tensor_has_factor(&r->tensors[t], factor);
		if (t < r->n_operands) {
			in_operand |= has;
		} else {
			in_all &= has;
			in_some |= has;
		}
	}
	if (r->sizes[factor] <= 1 || factor_in_set(&r->need_replication, factor))
		return false;
	if (factor_in_set(&r->reduction, factor))
		return combine != MONOID_NONE && in_operand && !in_some;
	if (factor_in_set(&r->permutation, factor) && !(flags & SPLIT_PERMUTATION))
		return false;
	return in_all && (in_operand || (flags & SPLIT_RESULT_ONLY));
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
	f->may = NEW_N(f->e->mem, bool, rule->n_factors);
	for (int i = 0; i < rule->n_factors; i++)
		f->may[i] = factor_may_split(rule, i, f->combine, f->flags);
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
		l = digits_join(f->e->mem, l, f->shard[f->rule->reduction.factors[i]]);
	return l;
}

static const spread *tensor_spread(const factoring *f, int t)
{
	const tensor_factors *tf = &f->rule->tensors[t];
	digits *dims = NEW_N(f->e->mem, digits, tf->rank);
	for (int d = 0; d < tf->rank; d++)
		dims[d] = dim_of_factors(f, &tf->dims[d]);
	spread s = {.order = f->order, .rank = tf->rank, .dims = dims, .combine = f->combine};
	if (t >= f->rule->n_operands)
		s.partial = reduced_digits(f);
	return spread_of(&f->e->sp, &s);
}

static const spread **tensor_spreads(const factoring *f)
{
	const spread **s = NEW_N(f->e->mem, const spread *, n_tensors(f->rule));
	for (int t = 0; t < n_tensors(f->rule); t++)
		s[t] = tensor_spread(f, t);
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

double operand_halo_cost(const factoring *f, int i, const halo *h)
{
	const spread *as = factoring_operand(f, i);
	int64_t bytes = spread_local_bytes(&f->e->sp, as, operand(f->o, i)->type);
	return halo_cost(as, (double)bytes, h);
}

bool factoring_pads(const factoring *f, int factor)
{
	return f->rule->sizes[factor] % digits_size(f->shard[factor]) != 0;
}

/* ---- from spreads to factors --------------------------------------------------------- */

/* The digits of one dimension, given to its factors from the major one.  A factor of
 * several is filled up before the next one gets anything; a digit that is larger than
 * what is left of a factor is cut in two. */
static void project_dim(const factoring *f, const dim_factors *d, digits l, digits *out)
{
	int at = 0;
	digit_vec v = {0};
	if (!d->n)
		return;
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

/* The part of `l` before the first digit that touches another factor's. */
static digits free_prefix(const factoring *f, digits l)
{
	int n = 0;
	for (; n < l.n; n++)
		for (int i = 0; i < f->rule->n_factors; i++)
			if (!digits_disjoint((digits){1, &l.at[n]}, f->shard[i]))
				return (digits){n, l.at};
	return (digits){n, l.at};
}

/* Gives the factors of tensor t the digits that its spread suggests, as far as they
 * do not contradict what stands already. */
static void suggest(factoring *f, int t, const spread *s)
{
	arena *mem = f->e->mem;
	const tensor_factors *tf = &f->rule->tensors[t];
	bool any = false;
	if (!s || s->rank != tf->rank || !spread_splits(s))
		return;
	for (int i = 0; i < f->rule->n_factors; i++)
		any |= f->shard[i].n > 0;
	if (any && s->order != f->order)
		return;
	digits *mine = NEW_N(mem, digits, f->rule->n_factors);
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].n)
			project_dim(f, &tf->dims[d], s->dims[d], mine);
	for (int i = 0; i < f->rule->n_factors; i++) {
		digits rest;
		if (!mine[i].n || !f->may[i] || !digits_rest(mem, f->shard[i], mine[i], &rest))
			continue;
		rest = free_prefix(f, rest);
		if (!rest.n)
			continue;
		f->order = s->order;
		f->shard[i] = digits_join(mem, f->shard[i], rest);
	}
}

digits factoring_given(factoring *f)
{
	digits all = {0, NULL};
	factoring_ask(f);
	for (int i = 0; i < f->rule->reduction.n; i++)
		f->may[f->rule->reduction.factors[i]] = true;
	for (int t = 0; t < f->rule->n_operands; t++)
		suggest(f, t, fact_home(f->e, tensor_value(f, t)));
	for (int i = 0; i < f->rule->reduction.n; i++)
		all = digits_join(f->e->mem, all, f->shard[f->rule->reduction.factors[i]]);
	return all;
}

/* ---- soundness -------------------------------------------------------------------------- */

/* The longest beginning of the digits that divides `size`. */
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

/* true: something was cut. */
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

static void make_sound(factoring *f)
{
	for (bool cut = true; cut;) {
		cut = false;
		for (int t = 0; t < n_tensors(f->rule); t++)
			for (int d = 0; d < f->rule->tensors[t].rank; d++)
				cut |= make_dim_blocks(f, &f->rule->tensors[t].dims[d]);
	}
}

/* ---- cost -------------------------------------------------------------------------------- */

static const spread *result_goal(const factoring *f, int i, const spread *natural)
{
	const spread *wanted = fact_wanted(f->e, result(f->o, i));
	return wanted ? wanted
	              : spread_with_partial(&f->e->sp, natural, (digits){0, NULL}, MONOID_SUM);
}

static double local_points(const factoring *f)
{
	double n = 1;
	for (int i = 0; i < f->rule->n_factors; i++)
		n *= (double)ceil_div(f->rule->sizes[i], digits_size(f->shard[i]));
	return n;
}

static double result_cost(const factoring *f, int i)
{
	const spread *s = factoring_result(f, i), *goal = result_goal(f, i, s);
	value *v = result(f->o, i);
	if (value_unused(v))
		return 0;
	double way = reshard_plan_for(&f->e->plans, s, goal, v->type)->cost;
	bool sums = s->partial.n && s->combine == MONOID_SUM && !goal->partial.n;
	return sums ? way * reduction_share(f->e, v, s) : way;
}

/* What the decision costs at least, without looking for ways. */
static double least_cost(const factoring *f)
{
	double cost = local_points(f) / POINTS_PER_BYTE;
	for (int i = 0; i < f->rule->n_operands; i++)
		cost += fact_least(f->e, operand(f->o, i), factoring_operand(f, i));
	for (int i = 0; i < f->rule->n_results; i++) {
		const spread *s = factoring_result(f, i);
		if (!s->partial.n && !value_unused(result(f->o, i)))
			cost += reshard_least(s, result_goal(f, i, s), result(f->o, i)->type);
	}
	return cost;
}

/* What a decision costs; if that is `most` or more, at least that. */
static double factoring_cost(factoring *f, double most)
{
	if (least_cost(f) >= most)
		return most;
	double cost = local_points(f) / POINTS_PER_BYTE;
	for (int i = 0; i < f->rule->n_operands && cost < most; i++)
		cost += fact_cost(f->e, operand(f->o, i), factoring_operand(f, i));
	for (int i = 0; i < f->rule->n_results && cost < most; i++)
		cost += result_cost(f, i);
	return f->extra && cost < most ? cost + f->extra(f, f->arg) : cost;
}

/* ---- the decision -------------------------------------------------------------------------- */

static double tensor_weight(const factoring *f, int t)
{
	const type *type = tensor_value(f, t)->type;
	return (t >= f->rule->n_operands ? 1e18 : 0) + (double)max_i64(type->n_elems, 0);
}

/* Tensors by weight: results, then operands from the largest. */
static int *speakers(const factoring *f)
{
	int n = n_tensors(f->rule), *order = NEW_N(f->e->mem, int, n);
	for (int t = 0; t < n; t++) {
		int i = t;
		for (; i > 0 && tensor_weight(f, order[i - 1]) < tensor_weight(f, t); i--)
			order[i] = order[i - 1];
		order[i] = t;
	}
	return order;
}

static const spread *opinion(const factoring *f, int t)
{
	return t < f->rule->n_operands ? fact_home(f->e, tensor_value(f, t))
	                               : fact_wanted(f->e, tensor_value(f, t));
}

/* A decision is reckoned once: different speakers often say the same. */
enum { MAX_SEEN = 32 };
typedef struct decision {
	digits *shard;
	const device_order *order;
	double cost, work; /* `work` is in it */
	const spread **decided;
	int n_seen;
	uint64_t seen[MAX_SEEN];
} decision;

static bool seen_before(const factoring *f, decision *best)
{
	uint64_t h = (uint64_t)(uintptr_t)f->order;
	for (int i = 0; i < f->rule->n_factors; i++) {
		h = hash_mix(h, (uint64_t)f->shard[i].n + 1);
		for (int k = 0; k < f->shard[i].n; k++)
			h = hash_mix(hash_mix(h, (uint64_t)f->shard[i].at[k].stride),
			             (uint64_t)f->shard[i].at[k].size);
	}
	for (int i = 0; i < best->n_seen; i++)
		if (best->seen[i] == h)
			return true;
	if (best->n_seen < MAX_SEEN)
		best->seen[best->n_seen++] = h;
	return false;
}

/* Keeps the decision at hand if it is the cheapest so far. */
static void consider(factoring *f, decision *best)
{
	make_sound(f);
	if (seen_before(f, best))
		return;
	const spread **decided = tensor_spreads(f);
	f->decided = decided;
	double cost = factoring_cost(f, best->shard ? best->cost : INFINITY);
	f->decided = NULL;
	if (best->shard && cost >= best->cost)
		return;
	best->shard = COPY_N(f->e->mem, f->shard, f->rule->n_factors);
	best->order = f->order;
	best->cost = cost;
	best->work = local_points(f) / POINTS_PER_BYTE;
	best->decided = decided;
}

static void restore(factoring *f, const decision *d)
{
	memcpy(f->shard, d->shard, sizeof *f->shard * (size_t)f->rule->n_factors);
	f->order = d->order;
	f->cost = d->cost;
}

static void let_speak(factoring *f, const int *order, int first)
{
	for (int i = 0; i < f->rule->n_factors; i++)
		f->shard[i] = (digits){0, NULL};
	f->order = NULL;
	suggest(f, first, opinion(f, first));
	for (int i = 0; i < n_tensors(f->rule); i++)
		if (order[i] != first)
			suggest(f, order[i], opinion(f, order[i]));
}

static bool touches_any(const factoring *f, digits l)
{
	for (int i = 0; i < f->rule->n_factors; i++)
		if (!digits_disjoint(l, f->shard[i]))
			return true;
	return false;
}

/* The digits of a factor that is better whole, or must be, go to another factor that they
 * divide: an exchange on the way in and one on the way out, and no device does what
 * another one does. */
static void consider_elsewhere(factoring *f, int from, digits l, const device_order *order,
                               decision *best)
{
	const sharding_rule *r = f->rule;
	decision start = *best;
	for (int to = 0; to < r->n_factors; to++) {
		restore(f, &start);
		f->shard[from] = (digits){0, NULL};
		bool fits = to != from && f->may[to] && !factor_in_set(&r->reduction, to) &&
		            !factor_in_set(&r->permutation, to) &&
		            r->sizes[to] % (digits_size(l) * digits_size(f->shard[to])) == 0;
		if (!fits || touches_any(f, l))
			continue;
		f->order = order;
		f->shard[to] = digits_join(f->e->mem, f->shard[to], l);
		consider(f, best);
	}
}

/* Where nothing is communicated, digits need no other place. */
static bool wants_relocation(const factoring *f, int factor, const decision *best)
{
	if (!f->may[factor] || factor_in_set(&f->rule->permutation, factor))
		return true;
	return f->extra && best->cost > best->work + 1;
}

static void relocate(factoring *f, const int *order, decision *best)
{
	const sharding_rule *r = f->rule;
	if (!r->permutation.n && !r->need_replication.n && !f->extra)
		return;
	for (int i = 0; i < n_tensors(r); i++) {
		const spread *s = order[i] < r->n_operands ? opinion(f, order[i]) : NULL;
		if (!s || s->rank != r->tensors[order[i]].rank)
			continue;
		digits *mine = NEW_N(f->e->mem, digits, r->n_factors);
		for (int d = 0; d < s->rank; d++)
			if (s->dims[d].n)
				project_dim(f, &r->tensors[order[i]].dims[d], s->dims[d], mine);
		for (int k = 0; k < r->n_factors; k++)
			if (mine[k].n && wants_relocation(f, k, best))
				consider_elsewhere(f, k, mine[k], s->order, best);
	}
}

/* What the results want comes for nothing but work: operands have nothing to add. */
static bool needs_work_only(const factoring *f, int speaker, double cost)
{
	return speaker >= f->rule->n_operands && opinion(f, speaker) &&
	       cost <= local_points(f) / POINTS_PER_BYTE;
}

static bool says_anything(const factoring *f, int speaker)
{
	const spread *s = opinion(f, speaker);
	return s && spread_splits(s);
}

/* The cheapest decision that was found. */
static decision decide(factoring *f)
{
	decision best = {0};
	int *order = speakers(f), n = n_tensors(f->rule);
	for (int i = 0; i < n; i++) {
		if (i && !says_anything(f, order[i]))
			continue;
		let_speak(f, order, order[i]);
		consider(f, &best);
		if (!i && needs_work_only(f, order[0], best.cost))
			return best;
	}
	for (int i = 0; i < f->rule->reduction.n; i++) {
		int factor = f->rule->reduction.factors[i];
		restore(f, &best);
		if (!f->shard[factor].n)
			continue;
		f->shard[factor] = (digits){0, NULL};
		consider(f, &best);
	}
	relocate(f, order, &best);
	return best;
}

void factoring_decide(factoring *f)
{
	decision_key key;
	if (decision_recall(f, &key))
		return;
	factoring_ask(f);
	decision best = decide(f);
	restore(f, &best);
	f->decided = COPY_N(f->e->keep, best.decided, n_tensors(f->rule));
	decision_remember(f, &key);
}
