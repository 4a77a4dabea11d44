/* sharding.c - the canonical form of HloShardings.
 *
 * As XLA prints it: subgroups of size 1 are dropped, those of the same type merged; their order is
 * manual, unreduced, replicated; the devices of a replicated group are sorted; if there is a single
 * subgroup and nothing is tiled, the sharding is {manual}, {unreduced} or {replicated}. An iota
 * remains an iota if its digits allow, and becomes a list otherwise. */
#include "hlo/sharding/scan.h"

#include <stdlib.h>

/* Iota arrays may be of any size; lists are limited to this. */
enum { LIST_MAX = 1 << 24 };

/* ---- interning ------------------------------------------------------------ */

/* All HloShardings of a context, by their canonical text, which identifies them. */
static ptr_map *known_hlo_shardings(tess_ctx *ctx)
{
	if (!ctx->slot[SLOT_HLO])
		ctx->slot[SLOT_HLO] = NEW(&ctx->perm, ptr_map);
	return ctx->slot[SLOT_HLO];
}

static const hlo_sharding *hlo_intern(tess_ctx *ctx, const hlo_sharding *s)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	hlo_sharding_print(&w, s);
	const name *text = name_of(ctx, writer_str(&w));
	void **slot = ptr_map_at(known_hlo_shardings(ctx), &ctx->perm, text);
	if (*slot)
		return *slot;
	hlo_sharding *copy = COPY_N(&ctx->perm, s, 1);
	copy->text = text;
	copy->devices.list = COPY_N(&ctx->perm, s->devices.list,
	                            s->devices.n_iota ? 0 : s->devices.n);
	copy->manual.ptr = COPY_N(&ctx->perm, s->manual.ptr, s->manual.n);
	copy->parts = COPY_N(&ctx->perm, s->parts, s->n_parts);
	return *ptr_map_at(known_hlo_shardings(ctx), &ctx->perm, text) = copy;
}

const hlo_sharding *hlo_sharding_grouped(tess_ctx *ctx, const hlo_sharding *s, shard_group group,
                                         int64_t id)
{
	hlo_sharding t = *s;
	t.group = group;
	t.group_id = id;
	return hlo_intern(ctx, &t);
}

const hlo_sharding *hlo_sharding_simple(tess_ctx *ctx, hlo_sharding_kind kind)
{
	return hlo_intern(ctx, &(hlo_sharding){.kind = kind});
}

const hlo_sharding *hlo_sharding_maximal(tess_ctx *ctx, int64_t device)
{
	hlo_sharding s = {.kind = HS_MAXIMAL, .rank = 1, .tiles = {1}};
	device_array_list(&s.devices, &device, 1);
	return hlo_intern(ctx, &s);
}

const hlo_sharding *hlo_sharding_tuple(tess_ctx *ctx, const hlo_sharding *const *parts, int n)
{
	return hlo_intern(ctx, &(hlo_sharding){.kind = HS_TUPLE, .parts = parts, .n_parts = n});
}

static hlo_sharding_kind named_kind(const mesh *m, const sharding *s, axis_list manual)
{
	if (mesh_is_maximal(m))
		return HS_MAXIMAL;
	if (s)
		return HS_TILED;
	return manual.n ? HS_MANUAL : HS_REPLICATED;
}

const hlo_sharding *hlo_sharding_named(tess_ctx *ctx, const mesh *m, const sharding *s,
                                       axis_list manual)
{
	return hlo_sharding_named_as(ctx, m, s, manual, false);
}

static int64_t axes_product(const mesh *m, const axis_ref *axes, int n)
{
	int64_t product = 1;
	for (int i = 0; i < n; i++)
		product *= axis_size(axes[i], m);
	return product;
}

/* For a scalar on which all axes have the same effect; then XLA does not write dimensions. */
static bool scalar_kind(const mesh *m, const sharding *s, axis_list manual, hlo_sharding_kind *out)
{
	if (!s || s->rank || s->n_replicated || (s->n_unreduced && manual.n))
		return false;
	*out = s->n_unreduced ? HS_UNREDUCED : manual.n ? HS_MANUAL : HS_REPLICATED;
	return *out == HS_REPLICATED ||
	       axes_product(m, s->unreduced, s->n_unreduced) *
	                       axes_product(m, manual.ptr, manual.n) ==
	               m->n_devices;
}

const hlo_sharding *hlo_sharding_named_as(tess_ctx *ctx, const mesh *m, const sharding *s,
                                          axis_list manual, bool iota_ids)
{
	hlo_sharding_kind simple;
	if (!mesh_is_maximal(m) && scalar_kind(m, s, manual, &simple))
		return hlo_sharding_named_simple(ctx, m, simple, iota_ids);
	hlo_sharding t = {.kind = named_kind(m, s, manual), .named = true, .mesh = m,
	                  .iota_ids = iota_ids, .sdy = s, .manual = manual};
	if (t.kind == HS_MAXIMAL)
		device_array_list(&t.devices, m->device_ids, 1);
	return hlo_intern(ctx, &t);
}

const hlo_sharding *hlo_sharding_named_simple(tess_ctx *ctx, const mesh *m, hlo_sharding_kind kind,
                                              bool iota_ids)
{
	return hlo_intern(ctx, &(hlo_sharding){.kind = kind, .named = true, .mesh = m,
	                                       .iota_ids = iota_ids});
}

/* ---- transposing devices ----------------------------------------------------- */

/* Returns the list of the devices of `tiles` with its dimensions permuted by `perm`. */
static const int64_t *transposed_list(arena *mem, const device_array *d, const int64_t *tiles,
                                      int rank, const int *perm)
{
	int64_t *out = arena_alloc(mem, sizeof(int64_t) * (size_t)d->n);
	int64_t stride[ASSIGN_MAX], index[ASSIGN_MAX] = {0}, at = 0, s = 1;
	for (int i = rank - 1; i >= 0; i--) {
		stride[i] = s;
		s *= tiles[i];
	}
	for (int64_t p = 0; p < d->n; p++) {
		out[p] = device_array_at(d, at);
		for (int i = rank - 1; i >= 0; i--) {
			at += stride[perm[i]];
			if (++index[i] < tiles[perm[i]])
				break;
			at -= index[i] * stride[perm[i]];
			index[i] = 0;
		}
	}
	return out;
}

/* The same for levels; returns false if tiles do not divide at levels. */
static bool transpose_levels(device_array *d, const int64_t *tiles, int rank, const int *perm)
{
	level in[ASSIGN_MAX], split[ASSIGN_MAX], out[ASSIGN_MAX];
	int counts[ASSIGN_MAX], first[ASSIGN_MAX], n = 0;
	int m = levels_split(in, device_array_levels(d, in), tiles, rank, split, counts);
	if (m < 0)
		return false;
	for (int i = 0, at = 0; i < rank; at += counts[i++])
		first[i] = at;
	for (int i = 0; i < rank; i++)
		for (int k = 0; k < counts[perm[i]]; k++)
			out[n++] = split[first[perm[i]] + k];
	return device_array_of_levels(d, out, n);
}

/* True if only dimensions of size 1 move. */
static bool moves_none(const int64_t *tiles, int rank, const int *perm)
{
	int last = -1;
	for (int i = 0; i < rank; i++) {
		if (tiles[perm[i]] == 1)
			continue;
		if (perm[i] < last)
			return false;
		last = perm[i];
	}
	return true;
}

static void transpose_devices(arena *mem, device_array *d, const int64_t *tiles, int rank,
                              const int *perm)
{
	if (moves_none(tiles, rank, perm))
		return;
	if (d->n_iota && transpose_levels(d, tiles, rank, perm))
		return;
	device_array_list(d, transposed_list(mem, d, tiles, rank, perm), d->n);
}

/* ---- sorting replicated groups ------------------------------------------------- */

static int i64_order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Sorts the last dimension's digits by decreasing unit; the division of others is irrelevant. */
static bool sort_last_levels(device_array *d, const int64_t *tiles, int rank)
{
	level in[ASSIGN_MAX], l[ASSIGN_MAX];
	int64_t last = tiles[rank - 1], halves[] = {d->n / last, last};
	int counts[ASSIGN_MAX], n;
	n = levels_split(in, device_array_levels(d, in), halves, 2, l, counts);
	if (n < 0)
		return false;
	for (int i = n - counts[1] + 1; i < n; i++) {
		level x = l[i];
		int k = i;
		for (; k > n - counts[1] && l[k - 1].unit < x.unit; k--)
			l[k] = l[k - 1];
		l[k] = x;
	}
	return device_array_of_levels(d, l, n);
}

static void sort_groups(arena *mem, device_array *d, const int64_t *tiles, int rank)
{
	if (d->n_iota && sort_last_levels(d, tiles, rank))
		return;
	int64_t *list = arena_alloc(mem, sizeof(int64_t) * (size_t)d->n), size = tiles[rank - 1];
	for (int64_t i = 0; i < d->n; i++)
		list[i] = device_array_at(d, i);
	for (int64_t i = 0; i < d->n; i += size)
		qsort(list + i, (size_t)size, sizeof *list, i64_order);
	device_array_list(d, list, d->n);
}

/* ---- canonical form -------------------------------------------------------------- */

/* Leaves one subgroup dimension for each type that has devices, in order. */
static void merge_subgroups(arena *mem, hlo_sharding *s, const subgroup *types, int n_types)
{
	int data = s->rank - n_types, perm[ASSIGN_MAX], rank = data, n = data;
	int64_t merged[SUBGROUPS_MAX], tiles[ASSIGN_MAX];
	bool as_is = true;
	memcpy(tiles, s->tiles, sizeof tiles);
	for (int i = 0; i < data; i++)
		perm[i] = i;
	for (int t = 0; t < SUBGROUPS_MAX; t++) {
		merged[t] = 1;
		for (int i = 0; i < n_types; i++) {
			if ((int)types[i] != t)
				continue;
			as_is = as_is && n == data + i;
			perm[n++] = data + i;
			merged[t] *= tiles[data + i];
		}
	}
	if (!as_is)
		transpose_devices(mem, &s->devices, tiles, s->rank, perm);
	for (int t = 0; t < SUBGROUPS_MAX; t++) {
		if (merged[t] == 1)
			continue;
		s->tiles[rank++] = merged[t];
		s->subgroups[s->n_subgroups++] = (subgroup)t;
	}
	s->rank = rank;
}

static hlo_sharding_kind simple_kind(subgroup t)
{
	switch (t) {
	case SUB_MANUAL: return HS_MANUAL;
	case SUB_UNREDUCED: return HS_UNREDUCED;
	case SUB_REPLICATED: return HS_REPLICATED;
	}
	return HS_REPLICATED;
}

/* True if nothing is tiled and all subgroups have the same type. */
static bool is_simple(const int64_t *tiles, int data, const subgroup *types, int n_types)
{
	for (int i = 0; i < data; i++)
		if (tiles[i] != 1)
			return false;
	for (int i = 1; i < n_types; i++)
		if (types[i] != types[0])
			return false;
	return n_types > 0;
}

const hlo_sharding *hlo_sharding_tiled(tess_ctx *ctx, const int64_t *tiles, int rank,
                                       const subgroup *types, int n_types, const device_array *d)
{
	hlo_sharding s = {.kind = HS_TILED, .rank = rank, .devices = *d};
	if (is_simple(tiles, rank - n_types, types, n_types))
		return hlo_sharding_simple(ctx, simple_kind(types[0]));
	memcpy(s.tiles, tiles, sizeof *tiles * (size_t)rank);
	merge_subgroups(&ctx->scratch, &s, types, n_types);
	if (is_simple(s.tiles, s.rank - s.n_subgroups, s.subgroups, s.n_subgroups))
		return hlo_sharding_simple(ctx, simple_kind(s.subgroups[0]));
	if (s.n_subgroups && s.subgroups[s.n_subgroups - 1] == SUB_REPLICATED)
		sort_groups(&ctx->scratch, &s.devices, s.tiles, s.rank);
	return hlo_intern(ctx, &s);
}

bool hlo_sharding_can_list(tess_ctx *ctx, place at, int64_t n)
{
	if (n <= LIST_MAX)
		return true;
	return diag_error(ctx, at, E_HLO_SHARDING_DEVICES,
	                  "%" PRId64 " devices are more than a sharding can list", n);
}

