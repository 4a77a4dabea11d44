/* reshard_direct.c - reshards that need no search.
 *
 * Most values only lose some digits at the end of their dimensions, or gain some there; or the last
 * digits of one dimension move to the end of another; or all partial digits are combined, perhaps
 * into one dimension. Then the cheapest way is known: slices first, as they cost nothing and make
 * everything after them smaller; an exchange rather than a gather; a reduce-scatter rather than an
 * all-reduce. A partial value may have to be exchanged, too (gradients of kernels). Anything else
 * is left to the search. */
#include "partition/reshard.h"

typedef struct direct_way {
	spreads *ls;
	arena *mem;
	const type *type;
	const spread *at, *to;
	digits *less, *more; /* for each dimension: digits that its end loses, and gains */
	digits reduced;
	int n_less, n_more; /* how many dimensions lose, and gain */
	bool uneven;        /* some slice or gather is uneven */
	reshard_plan plan;
	move *moves;
} direct_way;

static bool compare_dim(direct_way *w, int d)
{
	digits from = w->at->dims[d], to = w->to->dims[d];
	int64_t size = w->type->dims[d];
	if (digits_eq(from, to))
		return true;
	if (digits_rest(w->mem, from, to, &w->more[d])) {
		w->n_more++;
		w->uneven |= !splits_fit(size, digits_size(from), digits_size(to));
		return true;
	}
	w->more[d] = (digits){0, NULL};
	w->n_less++;
	w->uneven |= !splits_fit(size, digits_size(to), digits_size(from));
	return digits_rest(w->mem, to, from, &w->less[d]);
}

static bool compare_spreads(direct_way *w)
{
	const spread *a = w->at, *b = w->to;
	bool same_sum = digits_eq(a->partial, b->partial) &&
	                (!a->partial.n || a->combine == b->combine);
	if (a->order != b->order && !spread_is_whole(a) && !spread_is_whole(b))
		return false;
	if (!same_sum && b->partial.n)
		return false;
	w->reduced = same_sum ? (digits){0, NULL} : a->partial;
	for (int d = 0; d < a->rank; d++)
		if (!compare_dim(w, d))
			return false;
	return true;
}

/* ---- steps ------------------------------------------------------------------------------ */

static double bytes_here(const direct_way *w)
{
	return (double)spread_local_bytes(w->at, w->type);
}

static void direct_step(direct_way *w, move m, double bytes, bool joins)
{
	m.before = w->at;
	m.along.at = COPY_N(w->ls->mem, m.along.at, m.along.n);
	w->moves[w->plan.n++] = m;
	w->plan.cost += move_cost(w->ls, &m, bytes_here(w), bytes, joins);
	w->at = m.after;
}

/* The spread after dimension d has changed; after the last change it is the goal. */
static const spread *dim_changed(direct_way *w, int d)
{
	if (w->plan.n + 1 == w->n_less + w->n_more && !w->reduced.n)
		return w->to;
	spread ordered = *w->at;
	ordered.order = spread_is_whole(w->to) ? w->at->order : w->to->order;
	return spread_with_dim(w->ls, &ordered, d, w->to->dims[d]);
}

/* The cost of the window of an uneven move, on blocks of so many bytes. Sets m->uneven. */
static double uneven_cost(direct_way *w, move *m, double bytes)
{
	bool gather = m->kind == MOVE_GATHER;
	int d = gather ? m->from : m->to;
	const spread *split = gather ? m->after : w->at;
	int64_t n = w->type->dims[d], few = spread_shards(split, d);
	int64_t many = few * digits_size(m->along);
	m->uneven = !splits_fit(n, few, many);
	const halo h = uneven_window(d, n, few, many, gather);
	return m->uneven ? halo_cost(w->ls, split, bytes, &h) : 0;
}

static void slice_where_free(direct_way *w)
{
	for (int d = 0; d < w->to->rank; d++)
		if (w->more[d].n) {
			move m = {.kind = MOVE_SLICE, .from = -1, .to = d, .along = w->more[d],
			          .after = dim_changed(w, d)};
			direct_step(w, m, uneven_cost(w, &m, bytes_here(w)), false);
		}
}

static void gather_rest(direct_way *w)
{
	bool joins = false;
	for (int d = 0; d < w->to->rank; d++) {
		if (!w->less[d].n)
			continue;
		double k = (double)digits_size(w->less[d]), bytes = bytes_here(w) * (k - 1);
		move m = {.kind = MOVE_GATHER, .from = d, .to = -1, .along = w->less[d],
		          .after = dim_changed(w, d)};
		double more = uneven_cost(w, &m, bytes_here(w) * k);
		direct_step(w, m, bytes + more, joins && !m.uneven);
		joins = !m.uneven;
	}
}

static void exchange_dims(direct_way *w, int from, int to)
{
	double k = (double)digits_size(w->more[to]), bytes = bytes_here(w) * (k - 1) / k;
	const spread *after = w->to;
	if (w->reduced.n)
		after = spread_with_partial(w->ls, after, w->reduced, w->at->combine);
	direct_step(w, (move){.kind = MOVE_EXCHANGE, .from = from, .to = to, .along = w->more[to],
	                    .after = after},
	          bytes, false);
}

static void reduce_all(direct_way *w)
{
	double k = (double)digits_size(w->reduced), bytes = 2 * bytes_here(w) * (k - 1) / k;
	direct_step(w, (move){.kind = MOVE_REDUCE, .from = -1, .to = -1, .along = w->reduced,
	                    .after = w->to},
	          bytes, false);
}

static void scatter_into(direct_way *w, int d)
{
	double k = (double)digits_size(w->reduced), bytes = bytes_here(w) * (k - 1) / k;
	direct_step(w, (move){.kind = MOVE_SCATTER, .from = -1, .to = d, .along = w->more[d],
	                    .after = w->to},
	          bytes, false);
}

/* ---- choosing the way ----------------------------------------------------------------------- */

static int first_changed(const digits *l, int rank)
{
	int d = 0;
	while (d < rank && !l[d].n)
		d++;
	return d;
}

/* True if the digits that come are used by nothing that has to go first. */
static bool all_come_free(const direct_way *w)
{
	if (!w->n_more || (!w->n_less && !w->reduced.n))
		return true;
	for (int d = 0; d < w->to->rank; d++)
		for (int i = 0; i < w->to->rank; i++)
			if (w->more[d].n && w->less[i].n &&
			    !digits_disjoint(w->more[d], w->less[i]))
				return false;
	for (int d = 0; d < w->to->rank; d++)
		if (w->more[d].n && !digits_disjoint(w->more[d], w->reduced))
			return false;
	return true;
}

/* True if the only change is that digits move from one dimension to the other. */
static bool exchanges_only(const direct_way *w, int from, int to)
{
	return w->n_less == 1 && w->n_more == 1 && !w->uneven &&
	       digits_eq(w->less[from], w->more[to]);
}

/* True if no padding comes or goes, so that the exchange may come before the reduction. */
static bool blocks_stay_as_large(const direct_way *w, int from, int to)
{
	return !spread_pads(w->at, from, w->type->dims[from]) &&
	       !spread_pads(w->to, to, w->type->dims[to]);
}

static bool walk_directly(direct_way *w)
{
	int rank = w->to->rank;
	int to = first_changed(w->more, rank), from = first_changed(w->less, rank);
	if (w->reduced.n) {
		if (exchanges_only(w, from, to) && blocks_stay_as_large(w, from, to)) {
			exchange_dims(w, from, to);
			reduce_all(w);
			return true;
		}
		if (w->n_less || w->uneven)
			return false;
		if (w->n_more == 1 && digits_eq(w->more[to], w->reduced)) {
			scatter_into(w, to);
			return true;
		}
		if (!all_come_free(w))
			return false;
		slice_where_free(w);
		reduce_all(w);
		return true;
	}
	if (all_come_free(w)) {
		slice_where_free(w);
		gather_rest(w);
		return true;
	}
	if (!exchanges_only(w, from, to))
		return false;
	exchange_dims(w, from, to);
	return true;
}

bool reshard_directly(spreads *ls, const spread *from, const spread *to, const type *t,
                      reshard_plan *out)
{
	arena *mem = &ls->ctx->scratch;
	direct_way w = {.ls = ls, .mem = mem, .type = t, .at = from, .to = to,
	                .less = NEW_N(mem, digits, to->rank), .more = NEW_N(mem, digits, to->rank)};
	if (!compare_spreads(&w))
		return false;
	w.moves = arena_alloc(mem, sizeof *w.moves * (size_t)(w.n_less + w.n_more + 1));
	if (!walk_directly(&w))
		return false;
	ASSERT(w.at == to);
	w.plan.moves = COPY_N(ls->mem, w.moves, w.plan.n);
	*out = w.plan;
	return true;
}
