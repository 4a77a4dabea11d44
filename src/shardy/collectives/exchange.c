/* exchange.c - the collective_permute of a reshard: replaces axes by others of the same size, or
 * changes the order of axes or of devices. */
#include "shardy/collectives/inserter.h"

static bool sizes_divide(const inserter *s, axis_ref a, axis_ref b)
{
	int64_t x = axis_size(a, s->mesh), y = axis_size(b, s->mesh);
	return x % y == 0 || y % x == 0;
}

/* True if the axes of a dimension cannot be moved out one group after the other in their current
 * order: axes for one dimension are apart or out of order, or an axis to gather comes after one
 * that is not. *spare: an axis to gather. */
static bool is_disordered(const inserter *s, int d, axis_ref *spare, bool *has_spare)
{
	bool *seen = NEW_N(s->at.mem, bool, s->rank);
	int last_dim = -1, last_index = 0;
	for (int i = 0; i < s->in[d].len; i++) {
		int dim = -1, index = 0;
		if (inserter_find_out(s->out, s->rank, s->in[d].ptr[i], &dim, &index)) {
			if ((dim == d || seen[dim]) && (last_dim != dim || index != last_index + 1))
				return true;
			seen[dim] = true;
			last_index = index;
		} else if (last_dim >= 0 && !s->out[d].len) {
			return true;
		} else {
			*spare = s->in[d].ptr[i];
			*has_spare = true;
		}
		last_dim = dim;
	}
	return false;
}

static bool should_permute(const inserter *s)
{
	axis_ref spare, missing;
	bool has_spare = false, has_missing = false;
	for (int d = 0; d < s->rank; d++) {
		const axes_vec *in = &s->in[d], *out = &s->out[d];
		if (in->len && out->len && sizes_divide(s, in->ptr[0], out->ptr[0]))
			return true;
		for (int i = 0; i < out->len; i++)
			if (!inserter_uses(s, out->ptr[i])) {
				missing = out->ptr[i];
				has_missing = true;
			}
		if (is_disordered(s, d, &spare, &has_spare))
			return true;
	}
	return has_missing && has_spare && sizes_divide(s, missing, spare);
}

/* Puts wanted axes in place, as far as the dimension is already split. */
static void permute_into_place(inserter *s, int d)
{
	axes_vec *out = &s->out[d];
	while (s->room[d] > 1 && out->len) {
		axis_ref fits, rest;
		bool has_rest;
		if (!inserter_take(s, out->ptr[0], &s->room[d], &fits, &rest, &has_rest))
			return;
		inserter_append(s, &s->current[d], fits);
		if (has_rest)
			out->ptr[0] = rest;
		else
			axes_remove(out, 0);
	}
}

/* Collects the axes of a dimension that are to be gathered. Those in the place that wanted axes
 * have taken come last, so that the others get back their own place. */
static void collect_spare(inserter *s, int d, const axes_vec *wanted, int64_t used, axes_vec *spare)
{
	arena *mem = s->at.mem;
	axes_vec left = {0};
	int dim, index, first = 0;
	for (int i = 0; i < s->in[d].len; i++)
		if (!inserter_find_out(wanted, s->rank, s->in[d].ptr[i], &dim, &index))
			vec_push(mem, &left, s->in[d].ptr[i]);
	s->in[d].len = 0;
	while (used > 1 && first < left.len) {
		axis_ref fits, rest;
		bool has_rest;
		if (!inserter_take(s, left.ptr[first], &used, &fits, &rest, &has_rest))
			break;
		vec_push(mem, spare, fits);
		if (has_rest)
			left.ptr[first] = rest;
		else
			first++;
	}
	for (int i = first; i < left.len; i++)
		axes_insert(mem, spare, i - first, left.ptr[i]);
}

static void permute_axes(inserter *s)
{
	arena *mem = s->at.mem;
	axes_vec wanted_elsewhere = {0}, any_spare = {0};
	axes_vec *spare = NEW_N(mem, axes_vec, s->rank), *wanted = NEW_N(mem, axes_vec, s->rank);
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->out[d].len; i++)
			vec_push(mem, &wanted[d], s->out[d].ptr[i]);
	for (int d = 0; d < s->rank; d++) {
		int64_t shards = s->room[d] = inserter_shards(s, &s->in[d]);
		axes_drop_back(&s->current[d], &s->in[d], 0);
		permute_into_place(s, d);
		for (int i = 0; i < s->out[d].len; i++)
			vec_push(mem, &wanted_elsewhere, s->out[d].ptr[i]);
		collect_spare(s, d, wanted, shards / s->room[d], &spare[d]);
	}
	inserter_distribute(s, &wanted_elsewhere, true, false, NULL);
	inserter_distribute(s, spare, false, true, NULL);
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < spare[d].len; i++)
			vec_push(mem, &any_spare, spare[d].ptr[i]);
	inserter_distribute(s, &any_spare, true, true, NULL);
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->in[d].len; i++)
			inserter_append(s, &s->current[d], s->in[d].ptr[i]);
}

void insert_collective_permute(inserter *s)
{
	if (should_permute(s))
		permute_axes(s);
	else if (mesh_ref_eq(s->now, s->to))
		return;
	s->now = s->to; /* changes the order of devices, too */
	inserter_put(s, OP_SDY_COLLECTIVE_PERMUTE);
}
