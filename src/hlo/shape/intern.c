/* intern.c - interns shapes and layouts. */
#include "hlo/shape/tables.h"

/* ---- layouts ------------------------------------------------------------ */

static uint64_t layout_hash(const layout *l)
{
	uint64_t h = hash_mix((uint64_t)l->rank, (uint64_t)l->tail);
	h = hash_mix(hash_mix(h, (uint64_t)l->element_bits), (uint64_t)l->memory_space);
	h = hash_mix(hash_mix(h, (uint64_t)l->metadata),
	             (uint64_t)l->index_type << 8 | l->pointer_type);
	h = hash_bytes(l->minor_to_major, sizeof(int) * (size_t)l->rank, h);
	for (int i = 0; i < l->n_tiles; i++)
		h = hash_bytes(l->tiles[i].dims, sizeof(int64_t) * (size_t)l->tiles[i].rank, h);
	for (int i = 0; i < l->n_splits; i++)
		h = hash_bytes(l->splits[i].at, sizeof(int64_t) * (size_t)l->splits[i].n,
		               hash_mix(h, (uint64_t)l->splits[i].dim));
	return h;
}

static bool layout_eq(const void *obj, const void *key)
{
	return layout_same(obj, key, 0);
}

static layout *layout_copy(arena *mem, const layout *l)
{
	layout *c = COPY_N(mem, l, 1);
	c->minor_to_major = COPY_N(mem, l->minor_to_major, l->rank);
	tile *tiles = COPY_N(mem, l->tiles, l->n_tiles);
	for (int i = 0; i < l->n_tiles; i++)
		tiles[i].dims = COPY_N(mem, l->tiles[i].dims, l->tiles[i].rank);
	dim_split *splits = COPY_N(mem, l->splits, l->n_splits);
	for (int i = 0; i < l->n_splits; i++)
		splits[i].at = COPY_N(mem, l->splits[i].at, l->splits[i].n);
	c->tiles = tiles;
	c->splits = splits;
	return c;
}

const layout *layout_of(tess_ctx *ctx, const layout *l)
{
	layout key = *l;
	if (!key.tail)
		key.tail = 1;
	key.hash = layout_hash(&key);
	shape_tables *t = shape_tables_of(ctx);
	layout *found = cons_find(&t->layouts, key.hash, layout_eq, &key);
	if (found)
		return found;
	found = layout_copy(&ctx->perm, &key);
	cons_add(&t->layouts, &ctx->perm, key.hash, found);
	return found;
}

const layout *layout_dense(tess_ctx *ctx, const int *minor_to_major, int rank)
{
	return layout_of(ctx, &(layout){.rank = rank, .minor_to_major = minor_to_major});
}

const layout *layout_default(tess_ctx *ctx, int rank)
{
	int order[SHAPE_MAX_RANK];
	for (int i = 0; i < rank; i++)
		order[i] = rank - 1 - i;
	return layout_dense(ctx, order, rank);
}

bool layout_is_default(const layout *l)
{
	for (int i = 0; i < l->rank; i++)
		if (l->minor_to_major[i] != l->rank - 1 - i)
			return false;
	return !l->n_tiles && !l->n_splits && l->tail == 1 && !l->element_bits &&
	       !l->memory_space && !l->metadata && !l->index_type && !l->pointer_type;
}

/* ---- shapes -------------------------------------------------------------- */

static uint64_t shape_hash(const shape *s)
{
	uint64_t h = hash_mix((uint64_t)s->kind << 8 | s->dtype, (uint64_t)s->rank);
	h = hash_bytes(s->dims, sizeof(int64_t) * (size_t)s->rank, h);
	h = hash_bytes(s->dynamic, (size_t)s->rank, h);
	h = hash_mix(h, s->layout ? s->layout->hash : 0);
	for (int i = 0; i < s->n_parts; i++)
		h = hash_mix(h, s->parts[i]->hash);
	return h;
}

static bool shape_eq(const void *obj, const void *key)
{
	return shape_same(obj, key, 0);
}

static bool is_flat(const shape *s)
{
	int i = 0;
	while (i < s->n_parts && s->parts[i]->kind != SH_TUPLE)
		i++;
	return i == s->n_parts;
}

const shape *shape_of(tess_ctx *ctx, const shape *s)
{
	static const bool all_static[SHAPE_MAX_RANK];
	shape key = *s;
	if (!key.dynamic)
		key.dynamic = all_static;
	if (key.kind == SH_ARRAY && !key.layout)
		key.layout = layout_default(ctx, key.rank);
	key.hash = shape_hash(&key);
	shape_tables *t = shape_tables_of(ctx);
	shape *found = cons_find(&t->shapes, key.hash, shape_eq, &key);
	if (found)
		return found;
	found = COPY_N(&ctx->perm, &key, 1);
	found->dims = COPY_N(&ctx->perm, key.dims, key.rank);
	found->dynamic = COPY_N(&ctx->perm, key.dynamic, key.rank);
	found->parts = COPY_N(&ctx->perm, key.parts, key.n_parts);
	found->flat = is_flat(&key);
	cons_add(&t->shapes, &ctx->perm, key.hash, found);
	return found;
}

const shape *shape_array(tess_ctx *ctx, dtype t, const int64_t *dims, int rank, const layout *l)
{
	return shape_of(ctx, &(shape){.dtype = t, .rank = rank, .dims = dims, .layout = l});
}

const shape *shape_tuple(tess_ctx *ctx, const shape *const *parts, int n)
{
	return shape_of(ctx, &(shape){.kind = SH_TUPLE, .parts = parts, .n_parts = n});
}

const shape *shape_simple(tess_ctx *ctx, shape_kind kind)
{
	return shape_of(ctx, &(shape){.kind = kind});
}

const shape *shape_buffer(tess_ctx *ctx, const shape *array)
{
	return shape_of(ctx, &(shape){.kind = SH_BUFFER, .parts = &array, .n_parts = 1});
}

const shape *shape_with_layout(tess_ctx *ctx, const shape *s, const layout *l)
{
	shape t = *s;
	t.layout = l;
	return shape_of(ctx, &t);
}

const shape *shape_with_dims(tess_ctx *ctx, const shape *s, const int64_t *dims)
{
	shape t = *s;
	t.dims = dims;
	return shape_of(ctx, &t);
}
