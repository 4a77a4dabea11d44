/* reshard_moves.c - joining moves, lower bounds for a reshard, and the cost of a move. */
#include "partition/reshard.h"

#include "partition/partition.h"

bool moves_join(const move *a, const move *b)
{
	if (a->kind != b->kind || a->uneven || b->uneven ||
	    (a->kind != MOVE_GATHER && a->kind != MOVE_EXCHANGE && a->kind != MOVE_SCATTER))
		return false;
	return (a->from < 0 || (a->from != b->from && a->from != b->to)) &&
	       (a->to < 0 || (a->to != b->to && a->to != b->from));
}

/* A lower bound for the bytes that a device must receive: no step brings it closer to its goal by
 * more than it receives. `want` is the number of
 * elements of its goal, `both` of those that it may have now, and `partial` the number of devices
 * over which they are still to be combined. */
static double bytes_missing(double want, double both, int64_t partial, const type *t)
{
	double k = (double)partial, missing = want - both;
	if (missing == 0 && partial == 1)
		return 0;
	if (missing < want * (k - 1) / k)
		missing = want * (k - 1) / k;
	return missing * (double)type_bytes(t) / (double)max_i64(t->n_elems, 1);
}

/* In a value that is partial along k devices each may have one k-th, and zeros elsewhere. */
static double parts_of_sum(const spread *s) { return (double)digits_size(s->partial); }

double reshard_missing(const spread *from, const spread *to, const type *t)
{
	double both = 1, want = 1;
	for (int d = 0; d < to->rank; d++) {
		int64_t a = spread_local_dim(from, d, t->dims[d]),
			b = spread_local_dim(to, d, t->dims[d]);
		both *= (double)min_i64(a, b);
		want *= (double)b;
	}
	return bytes_missing(want / parts_of_sum(to), both, to->partial.n ? 1 : digits_size(from->partial), t);
}

double reshard_missing_to(const spread *from, const int64_t *block, const type *t)
{
	double both = 1, want = 1;
	for (int d = 0; d < from->rank; d++) {
		both *= (double)min_i64(spread_local_dim(from, d, t->dims[d]), block[d]);
		want *= (double)block[d];
	}
	return bytes_missing(want, both, digits_size(from->partial), t);
}

double reshard_missing_from(const int64_t *block, const spread *to, const type *t)
{
	double both = 1, want = 1;
	for (int d = 0; d < to->rank; d++) {
		int64_t b = spread_local_dim(to, d, t->dims[d]);
		both *= (double)min_i64(block[d], b);
		want *= (double)b;
	}
	return bytes_missing(want / parts_of_sum(to), both, 1, t);
}

double reshard_least(const spreads *ls, const spread *from, const spread *to, const type *t)
{
	double missing = from == to ? 0 : reshard_missing(from, to, t);
	return missing > 0 ? missing + ls->step_bytes : 0;
}

/* ---- what a move costs --------------------------------------------------------------------- */

static price_kind price_kind_of(move_kind kind)
{
	switch (kind) {
	case MOVE_GATHER: return PRICE_ALL_GATHER;
	case MOVE_EXCHANGE: return PRICE_ALL_TO_ALL;
	case MOVE_REDUCE: return PRICE_ALL_REDUCE;
	case MOVE_SCATTER: return PRICE_REDUCE_SCATTER;
	case MOVE_PERMUTE:
	case MOVE_SLICE:
	case MOVE_LEAD:
	case MOVE_PLACE: break;
	}
	return PRICE_PERMUTE;
}

static double move_price(const move_prices *p, const move *m, double block_bytes)
{
	enum { MOST_DIGITS = 63 }; /* each at least 2 devices */
	int64_t sizes[MOST_DIGITS], strides[MOST_DIGITS];
	int n = m->along.n < MOST_DIGITS ? m->along.n : MOST_DIGITS;
	for (int i = 0; i < n; i++) {
		sizes[i] = m->along.at[i].size;
		strides[i] = m->along.at[i].stride;
	}
	return p->price(p->arg, price_kind_of(m->kind), block_bytes, sizes, strides, n);
}

double move_cost(const spreads *ls, const move *m, double block_bytes, double received, bool joined)
{
	if (received <= 0)
		return received + 1; /* fewer steps, other things equal */
	double start = joined ? 1 : ls->step_bytes, least = received + start;
	if (!ls->prices || !move_sends(m->kind))
		return least;
	double price = move_price(ls->prices, m, block_bytes) + start;
	if (joined) /* is started already */
		price -= move_price(ls->prices, m, 1);
	return price > least ? price : least;
}
