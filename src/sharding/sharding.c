/* sharding.c - interning of shardings, predicates on them, and their variants. */
#include "sharding/tables.h"

static uint64_t hash_axes(uint64_t h, const axis_ref *axes, int n)
{
	h = hash_mix(h, (uint64_t)n);
	for (int i = 0; i < n; i++) {
		h = hash_mix(h, axes[i].axis->hash);
		h = hash_mix(h, (uint64_t)axes[i].pre);
		h = hash_mix(h, (uint64_t)axes[i].size);
	}
	return h;
}

static uint64_t sharding_hash(const sharding *s)
{
	uint64_t h = s->mesh.symbol ? s->mesh.symbol->hash : s->mesh.inlined->hash;
	h = hash_mix(h, (uint64_t)s->rank);
	for (int d = 0; d < s->rank; d++) {
		h = hash_axes(h, s->dims[d].axes, s->dims[d].n_axes);
		h = hash_mix(h, (uint64_t)s->dims[d].priority << 1 | s->dims[d].open);
	}
	h = hash_axes(h, s->replicated, s->n_replicated);
	h = hash_axes(h, s->unreduced, s->n_unreduced);
	return hash_mix(h, (uint64_t)s->reduction);
}

static axis_list replicated_of(const sharding *s)
{
	return (axis_list){s->replicated, s->n_replicated};
}

static axis_list unreduced_of(const sharding *s)
{
	return (axis_list){s->unreduced, s->n_unreduced};
}

static bool dim_eq(const dim_sharding *a, const dim_sharding *b)
{
	return a->open == b->open && a->priority == b->priority &&
	       axes_eq(dim_axes(a), dim_axes(b));
}

static bool sharding_eq(const void *obj, const void *key)
{
	const sharding *a = obj, *b = key;
	if (!mesh_ref_eq(a->mesh, b->mesh) || a->rank != b->rank || a->reduction != b->reduction)
		return false;
	for (int d = 0; d < a->rank; d++)
		if (!dim_eq(&a->dims[d], &b->dims[d]))
			return false;
	return axes_eq(replicated_of(a), replicated_of(b)) &&
	       axes_eq(unreduced_of(a), unreduced_of(b));
}

static size_t count_all_axes(const sharding *s)
{
	size_t n = (size_t)s->n_replicated + (size_t)s->n_unreduced;
	for (int d = 0; d < s->rank; d++)
		n += (size_t)s->dims[d].n_axes;
	return n;
}

/* Copies n axes to *to and advances it past them. */
static const axis_ref *take_axes(axis_ref **to, const axis_ref *from, int n)
{
	axis_ref *begin = *to;
	for (int i = 0; i < n; i++)
		*(*to)++ = from[i];
	return begin;
}

static sharding *sharding_copy(tess_ctx *ctx, const sharding *s)
{
	sharding *out = COPY_N(&ctx->perm, s, 1);
	dim_sharding *dims = COPY_N(&ctx->perm, s->dims, s->rank);
	axis_ref *to = arena_alloc(&ctx->perm, sizeof(axis_ref) * count_all_axes(s));
	for (int d = 0; d < s->rank; d++)
		dims[d].axes = take_axes(&to, s->dims[d].axes, s->dims[d].n_axes);
	out->dims = dims;
	out->replicated = take_axes(&to, s->replicated, s->n_replicated);
	out->unreduced = take_axes(&to, s->unreduced, s->n_unreduced);
	return out;
}

const sharding *sharding_of(tess_ctx *ctx, const sharding *s)
{
	sharding key = *s;
	if (!key.n_unreduced)
		key.reduction = RED_SUM;
	key.hash = sharding_hash(&key);
	sharding_tables *t = sharding_tables_of(ctx);
	sharding *found = cons_find(&t->shardings, key.hash, sharding_eq, &key);
	if (found)
		return found;
	found = sharding_copy(ctx, &key);
	t->any_unreduced = t->any_unreduced || key.n_unreduced;
	cons_add(&t->shardings, &ctx->perm, found->hash, found);
	return found;
}

bool shardings_any_unreduced(tess_ctx *ctx) { return sharding_tables_of(ctx)->any_unreduced; }

/* ---- predicates ----------------------------------------------------------------------------- */

bool sharding_is_fully_open(const sharding *s)
{
	for (int d = 0; s && d < s->rank; d++)
		if (s->dims[d].n_axes || !s->dims[d].open)
			return false;
	return true;
}

bool sharding_is_fully_replicated(const sharding *s)
{
	for (int d = 0; s && d < s->rank; d++)
		if (s->dims[d].n_axes)
			return false;
	return true;
}

bool sharding_is_fully_closed(const sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].open)
			return false;
	return true;
}

bool sharding_uses_axis(const sharding *s, axis_ref a)
{
	for (int d = 0; d < s->rank; d++)
		if (axes_overlap_axis(dim_axes(&s->dims[d]), a))
			return true;
	return axes_overlap_axis(replicated_of(s), a) || axes_overlap_axis(unreduced_of(s), a);
}

bool sharding_is_equivalent(const sharding *a, const sharding *b)
{
	if (a == b)
		return true;
	bool whole_a = sharding_is_fully_replicated(a) && (!a || !a->n_unreduced);
	bool whole_b = sharding_is_fully_replicated(b) && (!b || !b->n_unreduced);
	if (whole_a || whole_b)
		return whole_a && whole_b;
	if (!mesh_ref_eq(a->mesh, b->mesh) || a->rank != b->rank || a->reduction != b->reduction)
		return false;
	for (int d = 0; d < a->rank; d++)
		if (!axes_eq(dim_axes(&a->dims[d]), dim_axes(&b->dims[d])))
			return false;
	return axes_eq(unreduced_of(a), unreduced_of(b));
}

/* ---- variants ------------------------------------------------------------ */

const sharding *sharding_with_dims(tess_ctx *ctx, const sharding *s, const dim_sharding *dims,
                                   int rank)
{
	sharding t = *s;
	t.dims = dims;
	t.rank = rank;
	return sharding_of(ctx, &t);
}

const sharding *sharding_closed(tess_ctx *ctx, const sharding *s)
{
	arena_mark mark = arena_here(&ctx->scratch);
	dim_sharding *dims = COPY_N(&ctx->scratch, s->dims, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d].open = false;
	const sharding *out = sharding_with_dims(ctx, s, dims, s->rank);
	arena_back(&ctx->scratch, mark);
	return out;
}

const sharding *sharding_with_dim(tess_ctx *ctx, const sharding *s, int dim, dim_sharding d)
{
	arena_mark mark = arena_here(&ctx->scratch);
	dim_sharding *dims = COPY_N(&ctx->scratch, s->dims, s->rank);
	dims[dim] = d;
	const sharding *out = sharding_with_dims(ctx, s, dims, s->rank);
	arena_back(&ctx->scratch, mark);
	return out;
}

const sharding *sharding_with_replicated(tess_ctx *ctx, const sharding *s, axis_list axes)
{
	sharding t = *s;
	t.replicated = axes.ptr;
	t.n_replicated = axes.n;
	return sharding_of(ctx, &t);
}

const sharding *sharding_with_unreduced(tess_ctx *ctx, const sharding *s, axis_list axes,
                                        reduction r)
{
	sharding t = *s;
	t.unreduced = axes.ptr;
	t.n_unreduced = axes.n;
	t.reduction = r;
	return sharding_of(ctx, &t);
}

const sharding *sharding_with_mesh(tess_ctx *ctx, const sharding *s, mesh_ref m)
{
	sharding t = *s;
	t.mesh = m;
	return sharding_of(ctx, &t);
}

static const sharding *without_axes(tess_ctx *ctx, mesh_ref m, int rank, bool open)
{
	arena_mark mark = arena_here(&ctx->scratch);
	dim_sharding *dims = NEW_N(&ctx->scratch, dim_sharding, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = (dim_sharding){.open = open, .priority = PRIORITY_NONE};
	const sharding *out = sharding_of(ctx, &(sharding){.mesh = m, .rank = rank, .dims = dims});
	arena_back(&ctx->scratch, mark);
	return out;
}

const sharding *sharding_replicated(tess_ctx *ctx, mesh_ref m, int rank)
{
	return without_axes(ctx, m, rank, false);
}

const sharding *sharding_open(tess_ctx *ctx, mesh_ref m, int rank)
{
	return without_axes(ctx, m, rank, true);
}
