/* scatter.c - cuts global tensors into the shards of devices, and pastes them together.
 *
 * Shards are numbered by their place in the grid of dimension shards, row-major. Devices with the
 * same box share a shard, and those with nothing but padding share a shard of zeros. Of an
 * unreduced value, the devices that come first along the unreduced axes hold all of it and the
 * others share the shard of zeros, so that the sum is right. (If the reduction is a maximum or
 * minimum, every device holds the value.) */
#include "run/scatter.h"

/* Returns the place of a device's box in the grid of shards. */
static int32_t shard_index(const distribution *s, const int64_t *shards, const int64_t *begin)
{
	int64_t index = 0;
	for (int d = 0; d < s->rank; d++)
		index = index * shards[d] + (s->local[d] ? begin[d] / s->local[d] : 0);
	return (int32_t)index;
}

/* True if the box lies in the padding past the end of a dimension. */
static bool box_is_empty(const int64_t *begin, const int64_t *end, int rank)
{
	for (int d = 0; d < rank; d++)
		if (begin[d] >= end[d])
			return true;
	return false;
}

static bool adds_nothing(const global_value *g, int64_t position)
{
	return g->sharding->reduction == RED_SUM && sharding_term(g->sharding, g->mesh, position);
}

static void distribution_boxes(arena *mem, int64_t n_devices, distribution *s)
{
	const global_value *g = s->global;
	const int64_t *dims = g->type->dims;
	int64_t *shards = NEW_N(mem, int64_t, s->rank + 1);
	int64_t n = 1;
	for (int d = 0; d < s->rank; d++)
		n *= shards[d] = sharding_dim_shards(g->sharding, d, g->mesh);
	int32_t *of = NEW_N(mem, int32_t, n_devices), *number = NEW_N(mem, int32_t, n);
	int64_t *begin = NEW_N(mem, int64_t, (n + 1) * s->rank + 1),
		*end = NEW_N(mem, int64_t, (n + 1) * s->rank + 1);
	int64_t *b = NEW_N(mem, int64_t, s->rank + 1), *e = NEW_N(mem, int64_t, s->rank + 1);
	for (int64_t p = 0; p < g->mesh->n_devices; p++) {
		of[mesh_device_at(g->mesh, p)] = -1;
		if (adds_nothing(g, p))
			continue;
		sharding_box(g->sharding, g->mesh, dims, s->rank, p, b, e);
		if (box_is_empty(b, e, s->rank))
			continue;
		int32_t index = shard_index(s, shards, b);
		if (!number[index]) {
			memcpy(begin + s->n * s->rank, b, sizeof *b * (size_t)s->rank);
			memcpy(end + s->n * s->rank, e, sizeof *e * (size_t)s->rank);
			number[index] = ++s->n;
		}
		of[mesh_device_at(g->mesh, p)] = number[index] - 1;
	}
	for (int64_t d = 0; d < g->mesh->n_devices; d++)
		if (of[d] < 0)
			of[d] = s->nothing = s->nothing < 0 ? s->n++ : s->nothing;
	/* If there are more devices than in the mesh, they repeat its shards, as in partition. */
	for (int64_t d = g->mesh->n_devices; d < n_devices; d++)
		of[d] = of[d % g->mesh->n_devices];
	s->of = of;
	s->begin = begin;
	s->end = end;
}

void distribution_init(arena *mem, const global_value *g, int64_t n_devices, distribution *out)
{
	int rank = g->type->rank;
	int64_t *local = NEW_N(mem, int64_t, rank + 1);
	*out = (distribution){.global = g, .local = local, .rank = rank,
	                .element = (size_t)dtype_bytes(g->type->dtype), .nothing = -1,
	                .index = NEW_N(mem, int64_t, rank + 1)};
	bool whole = !g->sharding || !g->mesh || !g->mesh->n_axes;
	if (whole)
		memcpy(local, g->type->dims, sizeof *local * (size_t)rank);
	else
		sharding_local_shape(g->sharding, g->mesh, g->type->dims, rank, local);
	out->shard_bytes = out->element;
	for (int d = 0; d < rank; d++)
		out->shard_bytes *= (size_t)local[d];
	if (whole) {
		out->n = 1;
		out->begin = NEW_N(mem, int64_t, rank + 1);
		out->end = g->type->dims;
	} else {
		distribution_boxes(mem, n_devices, out);
	}
	out->shards = NEW_N(mem, void *, out->n);
	out->owned = NEW_N(mem, void *, out->n);
}

void distribution_for_rank(arena *mem, distribution *s, int64_t n_devices, const transport *ranks)
{
	if (!ranks || !s->of)
		return;
	uint8_t *wanted = NEW_N(mem, uint8_t, s->n);
	int64_t end = transport_first_device(ranks, n_devices, ranks->rank + 1);
	for (int64_t d = transport_first_device(ranks, n_devices, ranks->rank); d < end; d++)
		wanted[s->of[d]] = true;
	s->wanted = wanted;
}

/* Copies a box, row by row, between the global tensor and the shard. */
static void copy_box(const distribution *s, int shard, char *global, char *local, bool to_local)
{
	const int64_t *begin = s->begin + (int64_t)shard * s->rank,
		      *end = s->end + (int64_t)shard * s->rank;
	const int64_t *dims = s->global->type->dims;
	int64_t *index = s->index;
	int last = s->rank - 1;
	memset(index, 0, sizeof *index * (size_t)s->rank);
	for (int d = 0; d < s->rank; d++)
		if (begin[d] >= end[d])
			return;
	size_t row = s->element * (size_t)(s->rank ? end[last] - begin[last] : 1);
	for (;;) {
		size_t from = 0, to = 0;
		for (int d = 0; d < s->rank; d++) {
			int64_t i = d < last ? index[d] : 0;
			from = from * (size_t)dims[d] + (size_t)(begin[d] + i);
			to = to * (size_t)s->local[d] + (size_t)i;
		}
		char *g = global + from * s->element, *l = local + to * s->element;
		memcpy(to_local ? l : g, to_local ? g : l, row);
		int d = last - 1;
		while (d >= 0 && ++index[d] == end[d] - begin[d])
			index[d--] = 0;
		if (d < 0)
			return;
	}
}

void distribution_cut(const distribution *s, int shard, const void *global, void *out)
{
	memset(out, 0, s->shard_bytes);
	if (shard != s->nothing)
		copy_box(s, shard, (char *)global, out, true);
}

static void distribution_paste(const distribution *s, int shard, const void *in, void *global)
{
	if (shard != s->nothing)
		copy_box(s, shard, global, (char *)in, false);
}

/* Pastes the shards together. If several devices hold the same shard, one of them is used. */
void distribution_gather(const distribution *s, int64_t n_devices, const exec_value *v,
                         void *global, arena *scratch)
{
	uint8_t *pasted = NEW_N(scratch, uint8_t, s->n);
	for (int64_t d = 0; d < (s->of ? n_devices : 1); d++) {
		int shard = s->of ? s->of[d] : 0;
		if (!pasted[shard])
			distribution_paste(s, shard, v->data[v->of ? v->of[d] : 0], global);
		pasted[shard] = true;
	}
}
