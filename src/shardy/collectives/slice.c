/* slice.c - the all_slice of a reshard: splits dimensions over unused axes. */
#include "shardy/collectives/inserter.h"

/* Finds unused axes, out[*dim][*from … *to), that are wanted on another dimension right after those
 * which dimension `src` has for it. If `src` is split over them now, the same all_to_all moves them
 * too, and no permutation is needed. */
static bool slice_before_moving(inserter *s, int src, int *dim, int *from, int *to)
{
	axes_vec *in = &s->in[src];
	int index, elsewhere;
	if (!in->len || s->out[src].len ||
	    !inserter_find_out(s->out, s->rank, in->ptr[in->len - 1], dim, &index) ||
	    s->in[*dim].len)
		return false;
	const axes_vec *out = &s->out[*dim];
	*from = index + 1;
	if (*from == out->len || inserter_uses(s, out->ptr[*from]))
		return false;
	int64_t moved = 1, added = 1;
	int i = in->len - 1;
	for (int o = index; i >= 0 && o >= 0 && axis_eq(in->ptr[i], out->ptr[o]); i--, o--)
		moved *= axis_size(in->ptr[i], s->mesh);
	for (; i >= 0; i--)
		if (inserter_find_out(s->out, s->rank, in->ptr[i], &elsewhere, &index) &&
		    elsewhere == *dim)
			return false;
	for (*to = *from; *to < out->len && !inserter_uses(s, out->ptr[*to]); (*to)++)
		added *= axis_size(out->ptr[*to], s->mesh);
	if (s->v->type->dims[src] % (inserter_shards(s, &s->current[src]) * added))
		return false;
	s->room[*dim] /= moved * added;
	return true;
}

static void slice_for_moves(inserter *s, axes_vec *sliced)
{
	for (int src = 0; src < s->rank; src++) {
		int dim, from, to;
		if (!slice_before_moving(s, src, &dim, &from, &to))
			continue;
		for (int i = from; i < to; i++) {
			axis_ref a = s->out[dim].ptr[i];
			vec_push(s->at.mem, &s->in[src], a);
			inserter_append(s, &sliced[src], a);
			inserter_append(s, &s->current[src], a);
		}
	}
}

/* Splits a dimension over unused axes that it should have; those that do not fit become available
 * to other dimensions. */
static void slice_in_place(inserter *s, int d, axes_vec *sliced, axes_vec *available)
{
	arena *mem = s->at.mem;
	axes_vec *out = &s->out[d];
	for (int i = 0; i < out->len;) {
		axis_ref a = out->ptr[i], fits, rest;
		bool has_rest;
		if (inserter_uses(s, a)) {
			i++;
			continue;
		}
		if (!inserter_take(s, a, &s->room[d], &fits, &rest, &has_rest)) {
			vec_push(mem, available, a);
			i++;
			continue;
		}
		inserter_append(s, &sliced[d], fits);
		inserter_append(s, &s->current[d], fits);
		if (!s->in[d].len && i == 0) {
			axes_remove(out, 0);
		} else {
			vec_push(mem, &s->in[d], fits);
			out->ptr[i++] = fits;
		}
		if (has_rest) {
			axes_insert(mem, out, i++, rest);
			vec_push(mem, available, rest);
		}
	}
}

void insert_all_slice(inserter *s)
{
	axes_vec *sliced = NEW_N(s->at.mem, axes_vec, s->rank), available = {0};
	axes_vec *elsewhere = NEW_N(s->at.mem, axes_vec, s->rank);
	bool any = false;
	for (int d = 0; d < s->rank; d++) {
		int64_t in = inserter_shards(s, &s->in[d]), out = inserter_shards(s, &s->out[d]);
		s->room[d] = out / gcd_i64(in, out);
	}
	slice_for_moves(s, sliced);
	for (int d = 0; d < s->rank; d++)
		slice_in_place(s, d, sliced, &available);
	inserter_distribute(s, &available, true, false, elsewhere);
	for (int d = 0; d < s->rank; d++) {
		for (int i = 0; i < elsewhere[d].len; i++) {
			inserter_append(s, &sliced[d], elsewhere[d].ptr[i]);
			inserter_append(s, &s->current[d], elsewhere[d].ptr[i]);
		}
		any |= sliced[d].len > 0;
	}
	if (any)
		inserter_put_per_dim(s, OP_SDY_ALL_SLICE, N_slicing_axes, sliced);
}
