/* factoring_decide.c - decides how to divide an op's work.
 *
 * Candidates come from opinions: the spreads that operands have and that results should have. Each
 * tensor with an opinion speaks first in turn, and the others (results, then operands from the
 * largest) add what does not contradict. Further candidates are the best one with one reduction
 * factor unsplit, the opinions of the results alone, and, for a factor that has to be whole or
 * would need a halo, the best one with its digits moved to another factor. The cheapest candidate
 * wins. Its cost is the bytes received to bring the operands there and the results where they
 * should be, plus the work of one device, converted to bytes.
 *
 * Most candidates lose, so a lower bound, which only looks at block sizes, is tried first. */
#include "partition/factoring.h"

#include <math.h>

double points_per_byte(const emitter *e)
{
	static const double USUAL = 400; /* without prices */
	return e->sp.prices ? e->sp.prices->points_per_byte : USUAL;
}

/* A candidate is costed once: different tensors often suggest the same. */
enum { MAX_SEEN = 32 };

typedef struct chooser {
	factoring *f;
	int n;                  /* tensors: operands, then results */
	int heaviest;           /* the tensor with the largest weight */
	int n_speakers, *order; /* the tensors that say something, heaviest first */
	const spread **opinion; /* where an operand is, where a result should be; may be NULL */
	const digits **said;    /* the digits that the opinion gives to each factor; NULL: none */
	int *sharers;           /* of an operand in the spread wanted for the result: fact_sharers() */
	int64_t *shards;        /* of each factor, in the current candidate */
	int64_t *block;         /* room for the dimensions of one tensor */
	/* The cheapest decision so far. */
	digits *shard; /* NULL: none yet */
	const device_order *device_order;
	double cost, work, extra; /* `cost` includes the others */
	const spread **decided;
	int n_seen;
	uint64_t seen[MAX_SEEN];
} chooser;

/* ---- costs ---------------------------------------------------------------------------------- */

static const spread *result_goal(const chooser *c, int t, const spread *natural)
{
	if (c->opinion[t] || !natural->partial.n)
		return c->opinion[t] ? c->opinion[t] : natural;
	return spread_with_partial(&c->f->e->sp, natural, (digits){0, NULL}, MONOID_SUM);
}

/* Also computes c->shards. */
static double local_work(const chooser *c)
{
	const factoring *f = c->f;
	double n = 1;
	for (int i = 0; i < f->rule->n_factors; i++) {
		c->shards[i] = digits_size(f->shard[i]);
		n *= (double)block_size(f->rule->sizes[i], c->shards[i]);
	}
	return n / points_per_byte(f->e);
}

/* Returns which fraction of the cost of bringing a result to its goal counts for this result. */
static double own_share(const factoring *f, const value *v, const spread *s, const spread *goal)
{
	bool sums = s->partial.n && s->combine == MONOID_SUM && !goal->partial.n;
	return sums ? reduction_share(f->e, v, s) : 1;
}

static double result_cost(const chooser *c, int t, const spread *s)
{
	const spread *goal = result_goal(c, t, s);
	value *v = tensor_value(c->f, t);
	if (value_unused(v))
		return 0;
	return reshard_plan_for(&c->f->e->plans, s, goal, v->type)->cost *
	       own_share(c->f, v, s, goal);
}

/* An operand that other ops fetch in the same spread is paid for by all of them. */
static double operand_cost(const chooser *c, int t, const spread *as)
{
	double cost = fact_cost(c->f->e, tensor_value(c->f, t), as);
	const spread *goal = c->opinion[c->f->rule->n_operands];
	bool shared = c->sharers[t] > 1 && (as == goal || (spread_is_whole(as) && spread_is_whole(goal)));
	return shared ? cost / c->sharers[t] : cost;
}

/* The op's own addition to the cost of the current candidate, whose spreads are `decided` (NULL:
 * not made yet). */
static double extra_cost(factoring *f, const spread **decided)
{
	f->decided = decided;
	double cost = f->extra ? f->extra(f, f->arg) : 0;
	f->decided = NULL;
	return cost;
}

/* The cost of a candidate with spreads `decided`, which costs `so_far` without the reshards. Stops
 * when it reaches `most`. */
static double factoring_cost(const chooser *c, const spread **decided, double so_far, double most)
{
	const factoring *f = c->f;
	double cost = so_far;
	for (int t = 0; t < c->n && cost < most; t++)
		cost += t < f->rule->n_operands ? operand_cost(c, t, decided[t])
		                                : result_cost(c, t, decided[t]);
	return cost;
}

/* ---- lower bounds --------------------------------------------------------------------------- */

static int64_t shards_along(const chooser *c, const dim_factors *d)
{
	int64_t n = 1;
	for (int i = 0; i < d->n; i++)
		n *= c->shards[d->factors[i]];
	return n;
}

static const int64_t *block_of_tensor(const chooser *c, int t)
{
	const tensor_factors *tf = &c->f->rule->tensors[t];
	const type *type = tensor_value(c->f, t)->type;
	for (int d = 0; d < tf->rank; d++)
		c->block[d] = block_size(type->dims[d], shards_along(c, &tf->dims[d]));
	return c->block;
}

static double least_result(const chooser *c, int t)
{
	const value *v = tensor_value(c->f, t);
	if (value_unused(v) || splits_reduction(c->f) || !c->opinion[t])
		return 0;
	double missing = reshard_missing_from(block_of_tensor(c, t), c->opinion[t], v->type);
	return missing > 0 ? missing + c->f->e->sp.step_bytes : 0;
}

/* A lower bound for the cost of the candidate, without planning reshards. */
static double least_cost(const chooser *c, double work, double most)
{
	double cost = work;
	for (int t = 0; t < c->n && cost < most; t++)
		cost += t < c->f->rule->n_operands
		                ? fact_least(c->f->e, tensor_value(c->f, t), block_of_tensor(c, t)) /
		                          c->sharers[t]
		                : least_result(c, t);
	return cost;
}

/* ---- candidates ----------------------------------------------------------------------------- */

static bool seen_before(chooser *c)
{
	const factoring *f = c->f;
	uint64_t h = (uint64_t)(uintptr_t)f->order;
	for (int i = 0; i < f->rule->n_factors; i++)
		h = digits_hash(h, f->shard[i]);
	for (int i = 0; i < c->n_seen; i++)
		if (c->seen[i] == h)
			return true;
	if (c->n_seen < MAX_SEEN)
		c->seen[c->n_seen++] = h;
	return false;
}

/* Keeps the current candidate if it is the cheapest so far. */
static void consider(chooser *c)
{
	factoring *f = c->f;
	double most = c->shard ? c->cost : INFINITY;
	make_sound(f);
	if (seen_before(c))
		return;
	double work = local_work(c);
	if (c->shard && least_cost(c, work, most) >= most)
		return;
	const spread **decided = tensor_spreads(f, c->opinion);
	double extra = extra_cost(f, decided);
	double cost = factoring_cost(c, decided, work + extra, most);
	if (cost >= most)
		return;
	if (!c->shard)
		c->shard = NEW_N(f->e->mem, digits, f->rule->n_factors);
	memcpy(c->shard, f->shard, sizeof *f->shard * (size_t)f->rule->n_factors);
	c->device_order = f->order;
	c->cost = cost;
	c->work = work;
	c->extra = extra;
	c->decided = decided;
}

static void restore(const chooser *c)
{
	memcpy(c->f->shard, c->shard, sizeof *c->shard * (size_t)c->f->rule->n_factors);
	c->f->order = c->device_order;
}

static void speak(const chooser *c, int t)
{
	suggest_factors(c->f, c->said[t], c->opinion[t]->order);
}

/* The candidate in which speaker `first` speaks before all others. */
static void let_speak(chooser *c, int first)
{
	factoring *f = c->f;
	memset(f->shard, 0, sizeof *f->shard * (size_t)f->rule->n_factors);
	f->order = NULL;
	if (first < c->n_speakers)
		speak(c, c->order[first]);
	for (int i = 0; i < c->n_speakers; i++)
		if (i != first)
			speak(c, c->order[i]);
}

/* The candidate that only follows the results. */
static void consider_results_alone(chooser *c)
{
	factoring *f = c->f;
	memset(f->shard, 0, sizeof *f->shard * (size_t)f->rule->n_factors);
	f->order = NULL;
	for (int i = 0; i < c->n_speakers; i++)
		if (c->order[i] >= f->rule->n_operands)
			speak(c, c->order[i]);
	consider(c);
}

/* ---- moving digits to another factor -------------------------------------------------------- */

static bool touches_any(const factoring *f, digits l)
{
	for (int i = 0; i < f->rule->n_factors; i++)
		if (!digits_disjoint(l, f->shard[i]))
			return true;
	return false;
}

/* Moves the digits `l` of a factor that must be, or is better, whole to another factor that they
 * divide. That takes an exchange of the operands and one of the result, but no device repeats
 * another one's work. */
static void consider_elsewhere(chooser *c, int from, digits l, const device_order *order)
{
	factoring *f = c->f;
	const sharding_rule *r = f->rule;
	digits *start = COPY_N(f->e->mem, c->shard, r->n_factors);
	for (int to = 0; to < r->n_factors; to++) {
		memcpy(f->shard, start, sizeof *start * (size_t)r->n_factors);
		f->shard[from] = (digits){0, NULL};
		bool fits = to != from && f->may[to] && !factor_in_set(&r->reduction, to) &&
		            !factor_in_set(&r->permutation, to) &&
		            r->sizes[to] % (digits_size(l) * digits_size(f->shard[to])) == 0;
		if (!fits || touches_any(f, l))
			continue;
		f->order = order;
		f->shard[to] = digits_append(f->e->mem, f->shard[to], l);
		consider(c);
	}
}

/* True if some tensor splits this factor differently, or another factor by these digits. */
static bool contested(const chooser *c, int factor, digits l)
{
	for (int t = 0; t < c->n; t++) {
		if (!c->opinion[t])
			continue;
		digits own = c->said[t] ? c->said[t][factor] : (digits){0, NULL};
		if (!digits_eq(own, l) && tensor_has_factor(&c->f->rule->tensors[t], factor))
			return true;
		for (int k = 0; c->said[t] && k < c->f->rule->n_factors; k++)
			if (k != factor && !digits_disjoint(c->said[t][k], l))
				return true;
	}
	return false;
}

/* True if splitting this factor adds to the op's own cost in the best candidate. */
static bool strained(const chooser *c, int factor)
{
	if (c->extra <= 0)
		return false;
	restore(c);
	c->f->shard[factor] = (digits){0, NULL};
	return extra_cost(c->f, NULL) < c->extra;
}

static bool communicates(const chooser *c) { return c->cost > c->work + 1; }

/* True if an operand that speaks before the i-th has the same digits for the factor. */
static bool said_before(const chooser *c, int i, int factor, digits l)
{
	for (int k = 0; k < i; k++) {
		int t = c->order[k];
		if (t < c->f->rule->n_operands && digits_eq(c->said[t][factor], l))
			return true;
	}
	return false;
}

/* Moving digits can only help a factor that may not be split, or one that causes communication and
 * on which tensors disagree. */
static bool wants_relocation(const chooser *c, int factor, digits l)
{
	const factoring *f = c->f;
	if (!f->may[factor] || factor_in_set(&f->rule->permutation, factor))
		return true;
	return f->extra && communicates(c) && (contested(c, factor, l) || strained(c, factor));
}

static void relocate(chooser *c)
{
	const sharding_rule *r = c->f->rule;
	if (!r->permutation.n && !r->need_replication.n && (!c->f->extra || !communicates(c)))
		return;
	for (int i = 0; i < c->n_speakers; i++) {
		int t = c->order[i];
		const digits *mine = t < r->n_operands ? c->said[t] : NULL;
		for (int k = 0; mine && k < r->n_factors; k++)
			if (mine[k].n && !said_before(c, i, k, mine[k]) &&
			    wants_relocation(c, k, mine[k]))
				consider_elsewhere(c, k, mine[k], c->opinion[t]->order);
	}
}

/* ---- the decision ---------------------------------------------------------------------------- */

static double tensor_weight(const factoring *f, int t)
{
	const type *type = tensor_value(f, t)->type;
	return (t >= f->rule->n_operands ? 1e18 : 0) + (double)max_i64(type->n_elems, 0);
}

static bool says_the_same(const chooser *c, int t, int u)
{
	const sharding_rule *r = c->f->rule;
	if ((t < r->n_operands) != (u < r->n_operands) || c->opinion[t]->order != c->opinion[u]->order)
		return false;
	for (int k = 0; k < r->n_factors; k++)
		if (!digits_eq(c->said[t][k], c->said[u][k]))
			return false;
	return true;
}

/* Among operands that say the same, the largest speaks for all: an op with thousands of operands
 * has few different ones. */
static void add_speaker(chooser *c, int t)
{
	const factoring *f = c->f;
	int like = 0, i;
	while (like < c->n_speakers && !says_the_same(c, c->order[like], t))
		like++;
	if (like < c->n_speakers && tensor_weight(f, c->order[like]) >= tensor_weight(f, t))
		return;
	i = like < c->n_speakers ? like : c->n_speakers++;
	for (; i > 0 && tensor_weight(f, c->order[i - 1]) < tensor_weight(f, t); i--)
		c->order[i] = c->order[i - 1];
	c->order[i] = t;
}

static void chooser_init(chooser *c, factoring *f)
{
	arena *mem = f->e->mem;
	int n = n_tensors(f->rule), rank = 0;
	c->f = f;
	c->n = n;
	c->heaviest = 0;
	c->n_speakers = 0;
	c->order = NEW_N(mem, int, n);
	c->opinion = NEW_N(mem, const spread *, n);
	c->said = NEW_N(mem, const digits *, n);
	c->sharers = NEW_N(mem, int, n);
	for (int t = 0; t < n; t++) {
		c->opinion[t] = t < f->rule->n_operands ? fact_home(f->e, tensor_value(f, t))
		                                        : fact_goal(f->e, tensor_value(f, t));
		c->said[t] = project_spread(f, t, c->opinion[t]);
		c->sharers[t] = t < f->rule->n_operands ? fact_sharers(f->e, tensor_value(f, t), f->o) : 1;
		if (c->said[t])
			add_speaker(c, t);
		if (tensor_weight(f, t) > tensor_weight(f, c->heaviest))
			c->heaviest = t;
		if (f->rule->tensors[t].rank > rank)
			rank = f->rule->tensors[t].rank;
	}
	c->shards = NEW_N(mem, int64_t, f->rule->n_factors);
	c->block = NEW_N(mem, int64_t, rank);
	c->shard = NULL;
	c->n_seen = 0;
}

/* True if following the results costs nothing but work: then operands have nothing to add. */
static bool needs_work_only(const chooser *c)
{
	return c->heaviest >= c->f->rule->n_operands && c->opinion[c->heaviest] &&
	       c->cost <= c->work;
}

/* True if every tensor got what it said: then every order of speakers gives this candidate. */
static bool all_granted(const chooser *c)
{
	for (int t = 0; t < c->n; t++)
		for (int k = 0; c->said[t] && k < c->f->rule->n_factors; k++)
			if (c->said[t][k].n && !digits_eq(c->said[t][k], c->f->shard[k]))
				return false;
	return true;
}

static void choose(chooser *c)
{
	const factor_set *reduction = &c->f->rule->reduction;
	for (int i = 0; !i || i < c->n_speakers; i++) {
		let_speak(c, i);
		bool granted = !i && all_granted(c);
		consider(c);
		if (!i && needs_work_only(c))
			return;
		if (granted)
			break;
	}
	for (int i = 0; i < reduction->n; i++) {
		restore(c);
		if (!c->f->shard[reduction->factors[i]].n)
			continue;
		c->f->shard[reduction->factors[i]] = (digits){0, NULL};
		consider(c);
	}
	if (communicates(c))
		consider_results_alone(c);
	relocate(c);
}

void factoring_decide(factoring *f)
{
	decision_key key;
	if (decision_recall(f, &key))
		return;
	factoring_ask(f);
	chooser c;
	chooser_init(&c, f);
	choose(&c);
	restore(&c);
	f->cost = c.cost;
	f->decided = COPY_N(f->e->keep, c.decided, c.n);
	decision_remember(f, &key);
}

void factoring_decide_with(factoring *f, double (*extra)(const factoring *f, void *arg), void *arg)
{
	f->extra = extra;
	f->arg = arg;
	factoring_decide(f);
}
