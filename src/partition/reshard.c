/* reshard.c - the cheapest way from one spread to another.
 *
 * Simple reshards are constructed directly (reshard_direct.c), others are searched for
 * (reshard_search.c). If neither finds a way, the value is gathered and sliced. Programs repeat
 * themselves, so plans are remembered. Successive moves of one kind in different dimensions become
 * one collective. */
#include "partition/reshard.h"

/* ---- joining moves -------------------------------------------------------------------------- */

/* Joins successive moves that can be one collective; @return how many moves are left. Quantized
 * values are not joined, because an axis with scales must keep its place. */
static int join_moves(arena *mem, const type *t, move *moves, int n)
{
	int kept = 0;
	if (t->elem->kind == TY_QUANT)
		return n;
	for (int i = 0; i < n;) {
		int end = i + 1;
		for (bool all = true; end < n && all; end += all)
			for (int k = i; k < end; k++)
				all &= moves_join(&moves[k], &moves[end]);
		move m = moves[i];
		if (end > i + 1) {
			m.parts = COPY_N(mem, moves + i, end - i);
			m.n_parts = end - i;
			m.after = moves[end - 1].after;
			for (int k = i + 1; k < end; k++)
				m.along = digits_join(mem, m.along, moves[k].along);
		}
		moves[kept++] = m;
		i = end;
	}
	return kept;
}

/* ---- the fallback: gather and slice --------------------------------------------------------- */

typedef struct long_way {
	spreads *ls;
	const type *type;
	VEC(move) moves;
	double cost;
} long_way;

static const spread *long_step(long_way *w, move m, double bytes)
{
	vec_push(w->ls->mem, &w->moves, m);
	w->cost += bytes + w->ls->step_bytes;
	return m.after;
}

/* Reduces, gathers each dimension that differs, and slices again. */
static reshard_plan gather_and_slice(spreads *ls, const spread *from, const spread *goal,
                                     const type *t)
{
	long_way w = {.ls = ls, .type = t};
	const spread *at = from;
	double k = (double)digits_size(from->partial);
	if (from->partial.n)
		at = long_step(&w, (move){.kind = MOVE_REDUCE, .from = -1, .to = -1,
		                          .along = from->partial, .before = at,
		                          .after = spread_with_partial(ls, at, (digits){0, NULL},
		                                                       MONOID_SUM)},
		               2 * (double)spread_local_bytes(at, t) * (k - 1) / k);
	for (int d = 0; d < at->rank; d++) {
		if (!at->dims[d].n ||
		    (at->order == goal->order && digits_eq(at->dims[d], goal->dims[d]) &&
		     digits_disjoint(at->dims[d], goal->partial)))
			continue;
		at = long_step(&w, (move){.kind = MOVE_GATHER, .from = d, .to = -1,
		                          .along = at->dims[d], .before = at,
		                          .after = spread_with_dim(ls, at, d, (digits){0, NULL})},
		               (double)spread_local_bytes(at, t) *
		                       (double)(spread_shards(at, d) - 1));
	}
	for (int d = 0; d < at->rank; d++) {
		if (digits_eq(at->dims[d], goal->dims[d]))
			continue;
		spread after = *spread_with_dim(ls, at, d, goal->dims[d]);
		after.order = goal->order;
		at = long_step(&w, (move){.kind = MOVE_SLICE, .from = -1, .to = d,
		                          .along = goal->dims[d], .before = at,
		                          .after = spread_of(ls, &after)}, 0);
	}
	if (at != goal)
		at = long_step(&w, (move){.kind = MOVE_LEAD, .from = -1, .to = -1,
		                          .along = goal->partial, .before = at, .after = goal}, 0);
	return (reshard_plan){.n = w.moves.len, .moves = w.moves.ptr, .cost = w.cost};
}

/* ---- remembered plans ----------------------------------------------------------------------- */

typedef struct memo_entry {
	const spread *from, *to;
	const type *type;
	reshard_plan plan;
} memo_entry;

static bool memo_entry_eq(const void *obj, const void *key)
{
	const memo_entry *a = obj, *b = key;
	return a->from == b->from && a->to == b->to && a->type == b->type;
}

static bool any_uneven(const reshard_plan *p)
{
	for (int i = 0; i < p->n; i++)
		if (p->moves[i].uneven)
			return true;
	return false;
}

/* A window takes several steps; if little is moved, gathering everything can be cheaper. */
static reshard_plan cheapest_plan(spreads *ls, const spread *from, const spread *to,
                                  const type *t)
{
	reshard_plan direct, other;
	bool plain = reshard_directly(ls, from, to, t, &direct);
	if (plain && !any_uneven(&direct))
		return direct;
	if (!reshard_search(ls, from, to, t, &other))
		other = gather_and_slice(ls, from, to, t);
	return plain && direct.cost < other.cost ? direct : other;
}

const reshard_plan *reshard_plan_for(reshard_memo *memo, const spread *from, const spread *to,
                                     const type *global)
{
	static const reshard_plan stays;
	spreads *ls = memo->ls;
	if (from == to)
		return &stays;
	memo_entry key = {.from = from, .to = to, .type = global};
	uint64_t h = hash_mix(hash_mix(from->hash, to->hash), global->hash);
	memo_entry *e = cons_find(&memo->tab, h, memo_entry_eq, &key);
	if (e)
		return &e->plan;
	e = arena_copy(ls->mem, &key, sizeof key);
	cons_add(&memo->tab, ls->mem, h, e);
	arena_mark mark = arena_here(&ls->ctx->scratch);
	e->plan = cheapest_plan(ls, from, to, global);
	e->plan.n = join_moves(ls->mem, global, (move *)e->plan.moves, e->plan.n);
	arena_back(&ls->ctx->scratch, mark);
	return &e->plan;
}
