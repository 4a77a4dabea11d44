/* type.c - types with shardings: interned, checked, sharded. */
#include "array/array.h"

/* ---- interning ------------------------------------------------------------------ */

/* Copies a type, with all unused bytes zero. */
static void atype_normal(atype *out, const atype *t)
{
	memset(out, 0, sizeof *out);
	out->dtype = t->dtype;
	out->weak = t->weak;
	out->key = t->key;
	out->rank = t->rank;
	out->mesh = t->mesh;
	out->unreduced = t->unreduced;
	out->reduced = t->reduced;
	out->varying = t->varying;
	memcpy(out->dim, t->dim, sizeof *t->dim * (size_t)t->rank);
	memcpy(out->spec, t->spec, sizeof *t->spec * (size_t)t->rank);
}

static bool atype_equal(const void *obj, const void *key)
{
	return memcmp(obj, key, sizeof(atype)) == 0;
}

const atype *atype_intern(tess_ctx *ctx, const atype *t)
{
	array_state *st = array_state_of(ctx);
	atype key;
	atype_normal(&key, t);
	size_t head = offsetof(atype, dim);
	uint64_t hash = hash_bytes(&key, head, 2);
	hash = hash_bytes(key.dim, sizeof *key.dim * (size_t)key.rank, hash);
	hash = hash_bytes(key.spec, sizeof *key.spec * (size_t)key.rank, hash);
	atype *found = cons_find(&st->types, hash, atype_equal, &key);
	if (!found) {
		found = arena_copy(&ctx->perm, &key, sizeof key);
		cons_add(&st->types, &ctx->perm, hash, found);
	}
	return found;
}

atype atype_scalar(dtype t, const amesh *m) { return (atype){.dtype = t, .mesh = m}; }

/* ---- comparing --------------------------------------------------------------------- */

bool atype_same(const atype *a, const atype *b)
{
	return a->dtype == b->dtype && a->key == b->key && a->rank == b->rank &&
	       memcmp(a->dim, b->dim, sizeof *a->dim * (size_t)a->rank) == 0 &&
	       atype_same_spec(a, b) && a->varying == b->varying;
}

bool atype_same_spec(const atype *a, const atype *b)
{
	return a->rank == b->rank &&
	       memcmp(a->spec, b->spec, sizeof *a->spec * (size_t)a->rank) == 0 &&
	       a->unreduced == b->unreduced && a->reduced == b->reduced;
}

axis_set atype_axes(const atype *t)
{
	axis_set set = 0;
	for (int d = 0; d < t->rank; d++)
		set |= axis_seq_set(t->spec[d]);
	return set;
}

bool atype_is_sharded(const atype *t) { return atype_axes(t) != 0; }

int64_t atype_elements(const atype *t)
{
	int64_t n = 1;
	for (int d = 0; d < t->rank; d++)
		n *= t->dim[d];
	return n;
}

int64_t atype_device_bytes(const atype *t)
{
	return atype_elements(t) / axis_set_size(t->mesh, atype_axes(t)) * dtype_bytes(t->dtype);
}

atype atype_cotangent(const atype *t)
{
	atype c = *t;
	c.unreduced = t->reduced;
	c.reduced = t->unreduced;
	c.weak = false;
	return c;
}

/* ---- checking ------------------------------------------------------------------------ */

static bool dim_divides(tess_ctx *ctx, const atype *t, int d)
{
	int64_t parts = axis_seq_size(t->mesh, t->spec[d]);
	if (t->dim[d] % parts == 0)
		return true;
	writer w;
	writer_init(&w, &ctx->scratch);
	put_spec_tuple(&w, t, d, d + 1);
	put_c(&w, 0);
	return diag_error(ctx, NOWHERE, E_ARRAY_INDIVISIBLE,
	                  "sharding spec %s implies that dimension %d is partitioned %" PRId64
	                  " times, which does not evenly divide its size %" PRId64,
	                  w.ptr, d, parts, t->dim[d]);
}

bool atype_check(tess_ctx *ctx, const atype *t)
{
	axis_set used = t->unreduced | t->reduced;
	if (t->unreduced & t->reduced)
		return diag_error(ctx, NOWHERE, E_ARRAY_SPEC,
		                  "%s: unreduced and reduced axes cannot overlap",
		                  atype_text(ctx, t, TYPE_SHORT));
	for (int d = 0; d < t->rank; d++) {
		axis_set mine = axis_seq_set(t->spec[d]);
		if (used & mine)
			return diag_error(ctx, NOWHERE, E_ARRAY_DUPLICATE,
			                  "an axis is used twice in %s",
			                  atype_text(ctx, t, TYPE_SHORT));
		used |= mine;
		if (t->spec[d] && !dim_divides(ctx, t, d))
			return false;
	}
	return true;
}

/* ---- sharding by a spec ---------------------------------------------------------------- */

static bool only_explicit(tess_ctx *ctx, const amesh *m, axis_set named, const char *op)
{
	axis_set wrong = named & ~amesh_axes_of_kind(m, AXIS_EXPLICIT);
	if (!wrong)
		return true;
	writer w;
	writer_init(&w, &ctx->scratch);
	put_axis_set(&w, m, wrong);
	put_c(&w, 0);
	return diag_error(
		ctx, NOWHERE, E_ARRAY_AXIS_KIND,
		"the spec passed to %s cannot contain axis names that are of type Auto or "
		"Manual; %s is",
		op, w.ptr);
}

static bool hidden_unused(tess_ctx *ctx, const atype *t, axis_set named)
{
	axis_set twice = named & array_state_of(ctx)->hidden;
	if (!twice)
		return true;
	writer w;
	writer_init(&w, &ctx->scratch);
	put_axis_set(&w, t->mesh, twice);
	put_c(&w, 0);
	return diag_error(ctx, NOWHERE, E_ARRAY_DUPLICATE,
	                  "a spec can map every mesh axis to at most one dimension, but %s already "
	                  "shards the dimension that is mapped by a vmap around",
	                  w.ptr);
}

/* Data is placed in equal parts along Auto axes, too. */
static bool place_divides(tess_ctx *ctx, const atype *t, const pspec *s)
{
	atype all = *t;
	aspec a;
	if (!t->mesh || !aspec_bind(ctx, t->mesh, s, &a))
		return false;
	for (int d = 0; d < t->rank; d++)
		all.spec[d] = d < a.n ? a.dim[d] : 0;
	for (int d = 0; d < t->rank; d++)
		if (!dim_divides(ctx, &all, d))
			return false;
	return true;
}

bool atype_place(tess_ctx *ctx, atype *t, const pspec *s)
{
	axis_set hidden = amesh_axes_of_kind(t->mesh, AXIS_AUTO);
	pspec shown = *s;
	for (int d = 0; d < shown.n; d++) {
		struct pspec_dim *p = &shown.dim[d];
		int n = 0;
		for (int i = 0; i < p->n; i++) {
			int axis = t->mesh ? amesh_axis(t->mesh, p->axis[i]) : -1;
			if (axis < 0 || !(hidden >> axis & 1))
				p->axis[n++] = p->axis[i];
		}
		p->n = n;
	}
	return atype_shard(ctx, t, &shown, "device_put") && place_divides(ctx, t, s);
}

bool atype_shard(tess_ctx *ctx, atype *t, const pspec *s, const char *op)
{
	aspec a;
	if (!t->mesh)
		return diag_error(ctx, NOWHERE, E_ARRAY_NO_MESH,
		                  "a spec was passed to %s, but no mesh is set", op);
	if (!aspec_bind(ctx, t->mesh, s, &a))
		return false;
	axis_set named = a.unreduced | a.reduced;
	for (int d = 0; d < a.n; d++)
		named |= axis_seq_set(a.dim[d]);
	if (!only_explicit(ctx, t->mesh, named, op))
		return false;
	if (a.n > t->rank)
		return diag_error(ctx, NOWHERE, E_ARRAY_RANK,
		                  "the spec passed to %s has %d entries for a value of rank %d", op,
		                  a.n, t->rank);
	for (int d = 0; d < t->rank; d++)
		t->spec[d] = d < a.n ? a.dim[d] : 0;
	t->unreduced = a.unreduced;
	t->reduced = a.reduced;
	return hidden_unused(ctx, t, named) && atype_check(ctx, t);
}
