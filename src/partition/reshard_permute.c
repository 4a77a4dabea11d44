/* reshard_permute.c - which device's block each device takes over in a permutation. */
#include "partition/reshard.h"

/* The atoms that split no dimension of `l` but some of `other`. */
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

/* The digits that split a dimension of neither: a copy comes from a device with the
 * same coordinates there, so that nothing crosses the border of a manual axis. */
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

/* The device at position p of the new order wants the block with its coordinates;
 * of the copies of that block it takes the one whose other coordinates count like
 * its own, which makes the exchange a bijection. */
void permute_sources(spreads *ls, const move *m, int64_t *source)
{
	cuts c;
	cuts_of(&c, ls, m->before, m->after);
	digits old_left = atoms_left(ls, &c, m->before, m->after);
	digits new_left = atoms_left(ls, &c, m->after, m->before);
	digits same = atoms_untouched(ls, &c, m->before, m->after);
	for (int64_t device = 0; device < ls->n_devices; device++) {
		int64_t p = order_position(m->after->order, device), q = 0;
		for (int d = 0; d < m->after->rank; d++)
			q += digits_position(m->before->dims[d],
			                     digits_coordinate(m->after->dims[d], p));
		q += digits_position(old_left, digits_coordinate(new_left, p));
		q += digits_position(same, digits_coordinate(same, p));
		source[device] = order_device(m->before->order, q);
	}
}
