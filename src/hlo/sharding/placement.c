/* placement.c - which shardings are equivalent, and what each device holds. */
#include "hlo/sharding/scan.h"

static bool same_tiling(const hlo_sharding *a, const hlo_sharding *b)
{
	if (a->rank != b->rank || a->n_subgroups != b->n_subgroups)
		return false;
	for (int i = 0; i < a->rank; i++)
		if (a->tiles[i] != b->tiles[i])
			return false;
	for (int i = 0; i < a->n_subgroups; i++)
		if (a->subgroups[i] != b->subgroups[i])
			return false;
	return true;
}

/* Returns the tiled form. {devices=[1]<=[1]}, with a single tile, becomes {replicated}, as XLA's
 * conversion to protos does. */
static const hlo_sharding *placement_of(tess_ctx *ctx, const hlo_sharding *s)
{
	s = hlo_sharding_v2(ctx, s);
	bool whole = s && s->kind == HS_TILED && s->devices.n == 1 && s->n_subgroups == 0;
	return whole ? hlo_sharding_simple(ctx, HS_REPLICATED) : s;
}

bool hlo_sharding_same_placement(tess_ctx *ctx, const hlo_sharding *a, const hlo_sharding *b)
{
	a = placement_of(ctx, a);
	b = placement_of(ctx, b);
	if (a == b)
		return true;
	if (!a || !b || a->kind != b->kind || a->n_parts != b->n_parts)
		return false;
	for (int i = 0; i < a->n_parts; i++)
		if (!hlo_sharding_same_placement(ctx, a->parts[i], b->parts[i]))
			return false;
	if (a->kind == HS_TUPLE)
		return true;
	return same_tiling(a, b) && device_array_eq(&a->devices, &b->devices);
}

static bool same_openness(const sharding *a, const sharding *b)
{
	if (!a || !b || a->rank != b->rank)
		return true;
	for (int i = 0; i < a->rank; i++)
		if (a->dims[i].open != b->dims[i].open)
			return false;
	return true;
}

bool hlo_sharding_same(tess_ctx *ctx, const hlo_sharding *a, const hlo_sharding *b)
{
	if (a == b)
		return true;
	if (a->kind == HS_TUPLE && b->kind == HS_TUPLE) {
		if (a->n_parts != b->n_parts)
			return false;
		for (int i = 0; i < a->n_parts; i++)
			if (!hlo_sharding_same(ctx, a->parts[i], b->parts[i]))
				return false;
		return true;
	}
	return a->group == b->group && a->group_id == b->group_id &&
	       same_openness(a->sdy, b->sdy) && hlo_sharding_same_placement(ctx, a, b);
}

/* Returns the V2 form, if it can be applied to an array of this shape. */
static const hlo_sharding *fitting(tess_ctx *ctx, const hlo_sharding *s, const shape *whole)
{
	if (whole->kind != SH_ARRAY || s->kind == HS_TUPLE) {
		diag_error(
			ctx, NOWHERE, E_HLO_SHARDING_SHAPE,
			"a tile is one of an array: the shardings of a tuple apply to its parts");
		return NULL;
	}
	const hlo_sharding *v2 = hlo_sharding_v2(ctx, s);
	if (!v2 || v2->kind != HS_TILED || v2->rank - v2->n_subgroups == whole->rank)
		return v2;
	diag_error(ctx, NOWHERE, E_HLO_SHARDING_SHAPE,
	           "the sharding tiles %d dimensions, the array has %d",
	           v2->rank - v2->n_subgroups, whole->rank);
	return NULL;
}

static int64_t tile_size(const hlo_sharding *s, const shape *whole, int dim)
{
	if (s->kind != HS_TILED || whole->dims[dim] == DIM_UNBOUNDED)
		return whole->dims[dim];
	return whole->dims[dim] / s->tiles[dim] + (whole->dims[dim] % s->tiles[dim] != 0);
}

const shape *hlo_sharding_tile_shape(tess_ctx *ctx, const hlo_sharding *s, const shape *whole)
{
	int64_t dims[SHAPE_MAX_RANK];
	s = fitting(ctx, s, whole);
	if (!s)
		return NULL;
	for (int i = 0; i < whole->rank; i++)
		dims[i] = tile_size(s, whole, i);
	return shape_with_dims(ctx, whole, dims);
}

/* Returns the device's position in the array of tiles; -1 if it is not there. */
static int64_t holder_position(const hlo_sharding *s, int64_t device)
{
	if (s->kind == HS_TILED || s->kind == HS_MAXIMAL)
		return device_array_find(&s->devices, device);
	return 0;
}

bool hlo_sharding_box(tess_ctx *ctx, const hlo_sharding *s, const shape *whole, int64_t device,
                      int64_t *begin, int64_t *end)
{
	s = fitting(ctx, s, whole);
	int64_t at = s ? holder_position(s, device) : -1;
	if (at < 0)
		return false;
	for (int i = s->rank - 1; s->kind == HS_TILED && i >= whole->rank; i--)
		at /= s->tiles[i];
	for (int i = whole->rank - 1; i >= 0; i--) {
		int64_t size = tile_size(s, whole, i),
			tiles = s->kind == HS_TILED ? s->tiles[i] : 1;
		begin[i] = min_i64(at % tiles * size, whole->dims[i]);
		end[i] = min_i64(begin[i] + size, whole->dims[i]);
		at /= tiles;
	}
	return true;
}
