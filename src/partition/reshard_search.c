/* reshard_search.c - finds a shortest path through spreads.
 *
 * A reshard takes steps: slices and zero padding (free), all-gathers, all-to-alls, permutations of
 * whole blocks, reductions of partial values. Which sequence is cheapest depends on sizes: moving
 * an axis to another dimension by all-to-all moves (k-1)/k of a block while gathering it moves k-1
 * blocks, but the former may need one more step. So we search. States are spreads, edges are steps
 * with their cost in received bytes, and A* finds the path, with reshard_missing() as the lower
 * bound.
 *
 * To keep the search small,
 * - the digits of both spreads are cut into atoms (cuts_refine), and only whole atoms move. If
 *   there are few atoms, smaller ones are tried, too. If the two spreads cut the devices in ways
 *   that have no common refinement ("x":(1)2 and "x":(1)3 of six), the search fails;
 * - slices and reduce-scatters that put an atom where the goal wants it are taken at once, without
 *   alternatives: they make everything after them cheaper;
 * - the search gives up after MAX_STATES states.
 *
 * The search counts successive moves of one kind in different dimensions as one collective;
 * reshard.c joins them.
 *
 * If the shards do not divide a dimension, a block is ceil(size / shards), so a split by 4 need not
 * refine a split by 2 (5 elements: blocks of 2, blocks of 3). An atom may leave or join such a
 * dimension only if the blocks fit (splits_fit), or if the dimension is whole before or after. */
#include "partition/reshard.h"

enum { MAX_STATES = 300 };

typedef struct state {
	const spread *at;
	double cost, ahead; /* so far, and a lower bound for the rest */
	int parent; /* -1: the start */
	bool done;
	move via;
} state;

typedef digits atoms; /* not merged */

typedef struct path_search {
	spreads *ls;
	arena *mem;
	const type *type;
	const spread *goal;
	cuts cuts;
	atoms *goal_dims, goal_partial;
	VEC(state) states;
} path_search;

/* The state being expanded, in atoms. */
typedef struct spot {
	int index;
	const spread *at;
	double bytes;
	atoms *dims, partial;
	int *keep; /* how many leading atoms of each dimension are already right */
} spot;

static atoms atoms_of(path_search *s, digits l)
{
	digit_vec v = {0};
	cuts_refine(s->mem, &s->cuts, l, &v);
	return digits_of(&v);
}

static int64_t atoms_size(atoms a, int from, int to)
{
	return from == to ? 1 : digits_size((digits){to - from, a.at + from});
}

/* True if the next move can be one collective with the last moves that led to the state. */
static bool joins_last(const path_search *s, int state, const move *m)
{
	bool any = false;
	for (int i = state; s->states.ptr[i].parent >= 0; i = s->states.ptr[i].parent) {
		const move *last = &s->states.ptr[i].via;
		if (last->kind != m->kind)
			break;
		if (!moves_join(last, m))
			return false;
		any = true;
	}
	return any;
}

/* ---- states ----------------------------------------------------------------------- */

static void reach_state(path_search *s, const spot *from, move m, double bytes)
{
	bool sends = move_sends(m.kind) && bytes > 0;
	double cost = s->states.ptr[from->index].cost;
	cost += sends ? move_cost(s->ls, &m, from->bytes, bytes, joins_last(s, from->index, &m))
	              : bytes + 1;
	for (int i = 0; i < s->states.len; i++) {
		state *t = &s->states.ptr[i];
		if (t->at != m.after)
			continue;
		if (cost < t->cost && !t->done) {
			t->cost = cost;
			t->parent = from->index;
			t->via = m;
		}
		return;
	}
	vec_push(s->mem, &s->states,
	         (state){.at = m.after, .cost = cost, .parent = from->index, .via = m,
	                 .ahead = reshard_missing(m.after, s->goal, s->type)});
}

/* `at` without the last `drop` atoms of dimension d. */
static const spread *without_last(path_search *s, const spot *c, const spread *at, int d, int drop)
{
	return spread_with_dim(s->ls, at, d, (digits){c->dims[d].n - drop, c->dims[d].at});
}

/* `at` with atoms appended to dimension d. A whole value has no order yet: it takes the goal's. */
static const spread *with_more(path_search *s, const spread *at, int d, const digit *more, int n)
{
	spread ordered = *at;
	ordered.order = s->goal->order;
	return spread_with_dim(s->ls, &ordered, d,
	                       digits_join(s->mem, at->dims[d], (digits){n, more}));
}

static digits partial_without(path_search *s, const spot *c, const digit *gone, int n)
{
	digit_vec v = {0};
	for (int i = 0; i < c->partial.n; i++)
		if (!digits_have((digits){n, gone}, c->partial.at[i]))
			vec_push(s->mem, &v, c->partial.at[i]);
	return digits_of(&v);
}

static bool atom_splits(const spot *c, digit x)
{
	for (int d = 0; d < c->at->rank; d++)
		if (digits_have(c->dims[d], x))
			return true;
	return false;
}

/* ---- moves straight to the goal ------------------------------------------------------ */

/* True if the goal still wants this atom partial. */
static bool stays_partial(const path_search *s, const spot *c, digit x)
{
	return digits_have(s->goal_partial, x) && s->goal->combine == c->at->combine;
}

/* Appends to dimension d the next atoms that the goal has there, if the value is whole (`scatter`:
 * partial) along them now. Returns false if there are none. */
static bool append_straight(path_search *s, const spot *c, int d, bool scatter)
{
	atoms have = c->dims[d], want = s->goal_dims[d];
	if (c->keep[d] != have.n)
		return false;
	int end = have.n;
	while (end < want.n && !atom_splits(c, want.at[end]) &&
	       digits_have(c->partial, want.at[end]) == scatter)
		end++;
	int64_t before = atoms_size(have, 0, have.n);
	while (end > have.n &&
	       !splits_fit(s->type->dims[d], before, atoms_size(want, 0, end)))
		end--;
	if (end == have.n)
		return false;
	const digit *x = want.at + have.n;
	int n = end - have.n;
	move m = {.kind = scatter ? MOVE_SCATTER : MOVE_SLICE, .from = -1, .to = d,
	          .along = {n, x}, .before = c->at};
	m.after = with_more(s, c->at, d, x, n);
	double k = (double)digits_size(m.along);
	if (scatter)
		m.after = spread_with_partial(s->ls, m.after, partial_without(s, c, x, n),
		                              c->at->combine);
	reach_state(s, c, m, scatter ? c->bytes * (k - 1) / k : 0);
	return true;
}

static bool expand_straight(path_search *s, const spot *c)
{
	if (c->at->order != s->goal->order && !spread_is_whole(c->at))
		return false;
	for (int scatter = 0; scatter < 2; scatter++)
		for (int d = 0; d < c->at->rank; d++)
			if (append_straight(s, c, d, scatter))
				return true;
	return false;
}

/* ---- moves with alternatives ----------------------------------------------------------- */

static void expand_gather(path_search *s, const spot *c, int d)
{
	atoms have = c->dims[d];
	for (int drop = 1; drop <= have.n - c->keep[d]; drop++) {
		int left = have.n - drop;
		if (!splits_fit(s->type->dims[d], atoms_size(have, 0, left),
		                atoms_size(have, 0, have.n)))
			continue;
		move m = {.kind = MOVE_GATHER, .from = d, .to = -1,
		          .along = {drop, have.at + left}, .before = c->at,
		          .after = without_last(s, c, c->at, d, drop)};
		reach_state(s, c, m, c->bytes * (double)(digits_size(m.along) - 1));
	}
}

/* Atoms may join dimension `to` if the number of shards still divides the goal's: a permutation can
 * then put them right. */
static bool has_room(const path_search *s, const spot *c, int to, const digit *x, int n)
{
	atoms have = c->dims[to], want = s->goal_dims[to];
	int64_t before = atoms_size(have, 0, have.n);
	int64_t after = before * digits_size((digits){n, x});
	int64_t goal = atoms_size(want, 0, want.n);
	return goal % after == 0 && splits_fit(s->type->dims[to], before, after);
}

static void expand_exchange(path_search *s, const spot *c, int from, int to)
{
	atoms have = c->dims[from];
	for (int drop = 1; drop <= have.n - c->keep[from]; drop++) {
		int left = have.n - drop;
		const digit *x = have.at + left;
		if (!has_room(s, c, to, x, drop) ||
		    !splits_fit(s->type->dims[from], atoms_size(have, 0, left),
		                atoms_size(have, 0, have.n)))
			continue;
		move m = {.kind = MOVE_EXCHANGE, .from = from, .to = to, .along = {drop, x},
		          .before = c->at};
		m.after = with_more(s, without_last(s, c, c->at, from, drop), to, x, drop);
		double k = (double)digits_size(m.along);
		reach_state(s, c, m, c->bytes * (k - 1) / k);
	}
}

/* Slices by one atom that the goal has elsewhere or later: a permutation then moves less. */
static void expand_slice_ahead(path_search *s, const spot *c, digits unused, int to)
{
	for (int i = 0; i < unused.n; i++) {
		const digit *x = &unused.at[i];
		if (!has_room(s, c, to, x, 1))
			continue;
		move m = {.kind = MOVE_SLICE, .from = -1, .to = to, .along = {1, x},
		          .before = c->at, .after = with_more(s, c->at, to, x, 1)};
		reach_state(s, c, m, 0);
	}
}

/* Atoms of the goal that do not split the value yet. */
static digits unused_atoms(path_search *s, const spot *c)
{
	digit_vec v = {0};
	for (int d = 0; d < c->at->rank; d++)
		for (int i = 0; i < s->goal_dims[d].n; i++) {
			digit x = s->goal_dims[d].at[i];
			if (!atom_splits(c, x) && !digits_have(c->partial, x))
				vec_push(s->mem, &v, x);
		}
	return digits_of(&v);
}

static void expand_reduce(path_search *s, const spot *c)
{
	digit_vec gone = {0};
	for (int i = 0; i < c->partial.n; i++)
		if (!stays_partial(s, c, c->partial.at[i]))
			vec_push(s->mem, &gone, c->partial.at[i]);
	if (!gone.len)
		return;
	move m = {.kind = MOVE_REDUCE, .from = -1, .to = -1, .along = digits_of(&gone),
	          .before = c->at};
	m.after = spread_with_partial(s->ls, c->at, partial_without(s, c, gone.ptr, gone.len),
	                              c->at->combine);
	double k = (double)digits_size(m.along);
	reach_state(s, c, m, 2 * c->bytes * (k - 1) / k);
}

static void expand_lead(path_search *s, const spot *c)
{
	digit_vec come = {0};
	if (c->partial.n && c->at->combine != s->goal->combine)
		return;
	for (int i = 0; i < s->goal_partial.n; i++) {
		digit x = s->goal_partial.at[i];
		if (!digits_have(c->partial, x) && !atom_splits(c, x))
			vec_push(s->mem, &come, x);
	}
	if (!come.len)
		return;
	move m = {.kind = MOVE_LEAD, .from = -1, .to = -1, .along = digits_of(&come),
	          .before = c->at};
	spread after = *c->at;
	after.order = s->goal->order;
	after.combine = s->goal->combine;
	after.partial = digits_join(s->mem, c->at->partial, m.along);
	m.after = spread_of(s->ls, &after);
	reach_state(s, c, m, 0);
}

/* Turns the last atoms of dimension d into partial ones: each block becomes a term of a sum. */
static void expand_place(path_search *s, const spot *c, int d)
{
	atoms have = c->dims[d];
	if (c->partial.n && c->at->combine != s->goal->combine)
		return;
	for (int left = have.n; left-- > 0 && digits_have(s->goal_partial, have.at[left]);) {
		if (!splits_fit(s->type->dims[d], atoms_size(have, 0, left),
		                atoms_size(have, 0, have.n)))
			continue;
		move m = {.kind = MOVE_PLACE, .from = d, .to = -1,
		          .along = {have.n - left, have.at + left}, .before = c->at};
		spread after = *without_last(s, c, c->at, d, have.n - left);
		after.combine = s->goal->combine;
		after.partial = digits_join(s->mem, c->at->partial, m.along);
		m.after = spread_of(s->ls, &after);
		reach_state(s, c, m, 0);
	}
}

/* How many atoms of the goal's dimension to take: the longest prefix of `want` whose size divides
 * `count`. */
static int goal_prefix(atoms want, int64_t count)
{
	int n = 0;
	int64_t have = 1;
	while (n < want.n && count % (have * want.at[n].size) == 0)
		have *= want.at[n++].size;
	return n;
}

/* Fills dimension d up to `count` shards with atoms that are still free, its own first. */
static bool fill_up(path_search *s, const spot *c, int d, int64_t count, digit_vec *dim,
                    digit_vec *used)
{
	atoms pools[] = {c->dims[d], {0, NULL}};
	digit_vec all = {0};
	cuts_refine(s->mem, &s->cuts, (digits){1, &(digit){1, s->ls->n_devices}}, &all);
	pools[1] = digits_of(&all);
	for (int p = 0; p < 2; p++)
		for (int i = 0; i < pools[p].n; i++) {
			digit x = pools[p].at[i];
			if (digits_have(digits_of(used), x) || count % x.size != 0 ||
			    (p == 1 && !atom_splits(c, x)))
				continue;
			vec_push(s->mem, dim, x);
			vec_push(s->mem, used, x);
			count /= x.size;
		}
	return count == 1;
}

/* One permutation of blocks that brings as many atoms as possible to their place at once. It is the
 * only step between device orders. */
static void expand_permute(path_search *s, const spot *c)
{
	int rank = c->at->rank;
	digits *dims = NEW_N(s->mem, digits, rank);
	digit_vec *lists = NEW_N(s->mem, digit_vec, rank), used = {0};
	if (c->at->order != s->goal->order && c->partial.n)
		return;
	for (int i = 0; i < c->partial.n; i++)
		vec_push(s->mem, &used, c->partial.at[i]);
	for (int d = 0; d < rank; d++) {
		int n = goal_prefix(s->goal_dims[d], atoms_size(c->dims[d], 0, c->dims[d].n));
		for (int i = 0; i < n; i++) {
			if (digits_have(digits_of(&used), s->goal_dims[d].at[i]))
				return;
			vec_push(s->mem, &lists[d], s->goal_dims[d].at[i]);
			vec_push(s->mem, &used, s->goal_dims[d].at[i]);
		}
	}
	for (int d = 0; d < rank; d++) {
		int64_t rest = atoms_size(c->dims[d], 0, c->dims[d].n) /
		               digits_size(digits_of(&lists[d]));
		if (!fill_up(s, c, d, rest, &lists[d], &used))
			return;
		dims[d] = digits_join(s->mem, digits_of(&lists[d]), (digits){0, NULL});
	}
	spread after = *c->at;
	after.order = s->goal->order;
	after.dims = dims;
	move m = {.kind = MOVE_PERMUTE, .from = -1, .to = -1, .before = c->at,
	          .after = spread_of(s->ls, &after)};
	if (m.after != c->at)
		reach_state(s, c, m, spread_same_blocks(s->ls, m.before, m.after) ? 0 : c->bytes);
}

static void expand_state(path_search *s, const spot *c)
{
	if (expand_straight(s, c))
		return;
	for (int d = 0; d < c->at->rank; d++)
		expand_gather(s, c, d);
	expand_reduce(s, c);
	expand_permute(s, c);
	if (c->at->order != s->goal->order && !spread_is_whole(c->at))
		return;
	expand_lead(s, c);
	for (int d = 0; d < c->at->rank; d++)
		expand_place(s, c, d);
	digits unused = unused_atoms(s, c);
	for (int to = 0; to < c->at->rank; to++) {
		expand_slice_ahead(s, c, unused, to);
		for (int from = 0; from < c->at->rank; from++)
			if (from != to)
				expand_exchange(s, c, from, to);
	}
}

/* ---- the search ------------------------------------------------------------------------ */

/* How many leading atoms of dimension d are right already, and stay. */
static int settled_atoms(const path_search *s, const spot *c, int d)
{
	atoms have = c->dims[d], want = s->goal_dims[d];
	int n = 0;
	if (c->at->order != s->goal->order)
		return 0;
	while (n < have.n && n < want.n && digit_eq(have.at[n], want.at[n]))
		n++;
	int64_t few = atoms_size(have, 0, n), size = s->type->dims[d];
	return splits_fit(size, few, atoms_size(have, 0, have.n)) &&
	                       splits_fit(size, few, atoms_size(want, 0, want.n))
	               ? n
	               : 0;
}

static spot spot_of(path_search *s, int index)
{
	const spread *at = s->states.ptr[index].at;
	spot c = {.index = index, .at = at, .partial = atoms_of(s, at->partial),
	          .bytes = (double)spread_local_bytes(at, s->type)};
	c.dims = NEW_N(s->mem, atoms, at->rank);
	c.keep = NEW_N(s->mem, int, at->rank);
	for (int d = 0; d < at->rank; d++)
		c.dims[d] = atoms_of(s, at->dims[d]);
	for (int d = 0; d < at->rank; d++)
		c.keep[d] = settled_atoms(s, &c, d);
	return c;
}

static double state_priority(const path_search *s, int i)
{
	return s->states.ptr[i].cost + s->states.ptr[i].ahead;
}

static int cheapest_open(const path_search *s)
{
	int best = -1;
	for (int i = 0; i < s->states.len; i++)
		if (!s->states.ptr[i].done &&
		    (best < 0 || state_priority(s, i) < state_priority(s, best)))
			best = i;
	return best;
}

static reshard_plan plan_of_path(path_search *s, int end)
{
	arena *mem = s->ls->mem;
	int n = 0, at;
	for (int i = end; s->states.ptr[i].parent >= 0; i = s->states.ptr[i].parent)
		n++;
	move *moves = NEW_N(mem, move, n);
	at = n;
	for (int i = end; s->states.ptr[i].parent >= 0; i = s->states.ptr[i].parent) {
		move m = s->states.ptr[i].via;
		m.along.at = COPY_N(mem, m.along.at, m.along.n);
		moves[--at] = m;
	}
	return (reshard_plan){.n = n, .moves = moves, .cost = s->states.ptr[end].cost};
}

static bool find_path(path_search *s, const spread *from, reshard_plan *out)
{
	s->goal_dims = NEW_N(s->mem, atoms, s->goal->rank);
	for (int d = 0; d < s->goal->rank; d++)
		s->goal_dims[d] = atoms_of(s, s->goal->dims[d]);
	s->goal_partial = atoms_of(s, s->goal->partial);
	vec_push(s->mem, &s->states, (state){.at = from, .parent = -1});
	for (int i; s->states.len < MAX_STATES && (i = cheapest_open(s)) >= 0;) {
		if (s->states.ptr[i].at == s->goal) {
			*out = plan_of_path(s, i);
			return true;
		}
		s->states.ptr[i].done = true;
		spot c = spot_of(s, i);
		expand_state(s, &c);
	}
	return false;
}

/* Adds cuts where neither spread has one: a part of an axis may fit where a whole axis does not.
 * Returns false if there is nothing to cut or there would be too many atoms. */
static bool cut_finely(cuts *c)
{
	enum { MOST = 8 };
	const cuts coarse = *c;
	for (int i = 0; i + 1 < coarse.n; i++) {
		int64_t part = coarse.at[i + 1] / coarse.at[i];
		for (int64_t p = 2, end = coarse.at[i]; p * p <= part; p++)
			for (; p * p <= part && part % p == 0 && c->n <= MOST; part /= p)
				cuts_take_end(c, end *= p);
	}
	return c->n > coarse.n && c->n <= MOST;
}

bool reshard_search(spreads *ls, const spread *from, const spread *to, const type *t,
                    reshard_plan *out)
{
	path_search s = {.ls = ls, .mem = &ls->ctx->scratch, .type = t, .goal = to}, fine = s;
	reshard_plan other;
	cuts_of(&s.cuts, ls, from, to);
	if (!s.cuts.chain)
		return false;
	fine.cuts = s.cuts;
	bool found = find_path(&s, from, out);
	if (found && (out->n < 2 || out->cost <= reshard_least(ls, from, to, t)))
		return true;
	if (!cut_finely(&fine.cuts) || !find_path(&fine, from, &other) ||
	    (found && out->cost <= other.cost))
		return found;
	*out = other;
	return true;
}
