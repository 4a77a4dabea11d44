/* reshard_permute.c - which device's block each device takes over in a permutation. */
#include "partition/reshard.h"

/* The atoms that split some dimension of `other` but none of `l`. */
static digits atoms_left(spreads *ls, const cuts *c, const spread *l, const spread *other)
{
	digit_vec used = {0}, candidates = {0}, out = {0};
	for (int d = 0; d < l->rank; d++) {
		cuts_refine(ls->mem, c, l->dims[d], &used);
		cuts_refine(ls->mem, c, other->dims[d], &candidates);
	}
	for (int i = 0; i < candidates.len; i++)
		if (!digits_have(digits_of(&used), candidates.ptr[i]))
			vec_push(ls->mem, &out, candidates.ptr[i]);
	return digits_of(&out);
}

/* The atoms that split no dimension of either. A copy comes from a device with the same coordinates
 * along them, so that nothing crosses the border of a manual axis. */
static digits atoms_untouched(spreads *ls, const cuts *c, const spread *a, const spread *b)
{
	digit_vec used = {0}, all = {0}, out = {0};
	cuts_refine(ls->mem, c, spread_used(ls->mem, a), &used);
	cuts_refine(ls->mem, c, spread_used(ls->mem, b), &used);
	cuts_refine(ls->mem, c, (digits){1, &(digit){1, ls->n_devices}}, &all);
	for (int i = 0; i < all.len; i++)
		if (!digits_have(digits_of(&used), all.ptr[i]))
			vec_push(ls->mem, &out, all.ptr[i]);
	return digits_of(&out);
}

/* Positions with all combinations of coordinates along some digits, and 0 along others: before the
 * permutation and after it. */
typedef struct position_pairs {
	int64_t n, *before, *after;
} position_pairs;

/* Multiplies the positions by all coordinates along `before`, which are those along `after`. */
static void cross_positions(arena *mem, position_pairs *p, digits before, digits after)
{
	int64_t k = digits_size(before), n = p->n;
	if (k == 1)
		return;
	size_t bytes = sizeof(int64_t) * (size_t)(n * k);
	position_pairs out = {n * k, arena_alloc(mem, bytes), arena_alloc(mem, bytes)};
	for (int64_t i = 0; i < k; i++) {
		int64_t b = digits_position(before, i), a = digits_position(after, i);
		for (int64_t j = 0; j < n; j++) {
			out.before[i * n + j] = p->before[j] + b;
			out.after[i * n + j] = p->after[j] + a;
		}
	}
	*p = out;
}

/* The device at position p of the new order wants the block with its coordinates. Of the devices
 * that have a copy of that block it takes the one whose remaining coordinates equal its own
 * remaining ones. That makes the permutation a bijection. */
void permute_sources(spreads *ls, const move *m, int64_t *source)
{
	arena *mem = &ls->ctx->scratch;
	arena_mark mark = arena_here(mem);
	cuts c;
	cuts_of(&c, ls, m->before, m->after);
	digits old_left = atoms_left(ls, &c, m->before, m->after);
	digits new_left = atoms_left(ls, &c, m->after, m->before);
	digits same = atoms_untouched(ls, &c, m->before, m->after);
	position_pairs p = {1, NEW_N(mem, int64_t, 1), NEW_N(mem, int64_t, 1)};
	for (int d = 0; d < m->after->rank; d++)
		cross_positions(mem, &p, m->before->dims[d], m->after->dims[d]);
	cross_positions(mem, &p, old_left, new_left);
	cross_positions(mem, &p, same, same);
	ASSERT(p.n == ls->n_devices);
	for (int64_t i = 0; i < p.n; i++)
		source[order_device(m->after->order, p.after[i])] =
			order_device(m->before->order, p.before[i]);
	arena_back(mem, mark);
}
