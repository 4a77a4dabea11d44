/* subscript.c - x[…]: numbers and slices are applied first, then index arrays.
 *
 * Several arrays together index one element, in the shape to which they broadcast. Their dimensions
 * are merged into one, and the indices into indices of that. Numbers and scalar indices count among
 * them as in NumPy: if a slice or a new dimension is between them, the indexed dimensions come
 * first.
 *
 * Types are those of JAX, where everything except whole slices becomes a single gather; so nothing
 * of it may be sharded unless out_sharding gives the result's sharding. */
#include "array/control.h"
#include "array/make/index.h"
#include "array/make/make.h"

/* ---- numbers, slices, scalar indices -------------------------------------------------------- */

/* Applies numbers and slices, keeping every dimension. */
static avalue *static_part(maker *k, avalue *x, const index_plan *p)
{
	int64_t start[ARRAY_MAX_RANK] = {0}, limit[ARRAY_MAX_RANK], step[ARRAY_MAX_RANK];
	int64_t turned[ARRAY_MAX_RANK];
	int rank = x->type->rank, n_turned = 0;
	bool cut = false;
	for (int d = 0; d < rank; d++) {
		limit[d] = x->type->dim[d];
		step[d] = 1;
	}
	for (int i = 0; i < p->n; i++) {
		const index_item *it = &p->item[i];
		if (it->kind == INDEX_NUMBER) {
			start[it->dim] = it->number;
			limit[it->dim] = it->number + 1;
			cut = true;
		} else if (it->kind == INDEX_SLICE && !it->whole) {
			int64_t last = it->from + (it->size - 1) * it->by,
				by = it->by < 0 ? -it->by : it->by;
			start[it->dim] = it->size ? min_i64(it->from, last) : 0;
			limit[it->dim] = it->size ? max_i64(it->from, last) + 1 : 0;
			step[it->dim] = by;
			if (it->by < 0)
				turned[n_turned++] = it->dim;
			cut |= it->size != x->type->dim[it->dim];
		}
	}
	params *a = make_ints(k, "start_indices", start, rank);
	make_more(k, a, "limit_indices", limit, rank);
	make_more(k, a, "strides", step, rank);
	if (cut)
		x = make1(k, "lax.slice", x, a);
	return n_turned ? make1(k, "lax.rev", x, make_ints(k, "dimensions", turned, n_turned)) : x;
}

/* A scalar index: a dynamic slice of size 1. */
static avalue *dynamic_part(maker *k, avalue *x, const index_plan *p)
{
	avalue *in[ARRAY_MAX_RANK + 1], *out;
	int64_t sizes[ARRAY_MAX_RANK];
	bool any = false;
	int rank = x ? x->type->rank : 0;
	avalue *zero = NULL;
	for (int i = 0; i < p->n; i++)
		any |= p->item[i].kind == INDEX_ARRAY && k->in[p->item[i].number]->type->rank == 0;
	if (!any || !x)
		return x;
	in[0] = x;
	for (int d = 0; d < rank; d++) {
		in[d + 1] = NULL;
		sizes[d] = x->type->dim[d];
	}
	for (int i = 0; i < p->n; i++)
		if (p->item[i].kind == INDEX_ARRAY && k->in[p->item[i].number]->type->rank == 0) {
			in[p->item[i].dim + 1] = k->in[p->item[i].number];
			sizes[p->item[i].dim] = 1;
		}
	for (int d = 0; d < rank; d++)
		if (!in[d + 1]) {
			if (!zero) {
				params *a = make_attrs(k);
				params_set(&k->ctx->scratch, a,
				           (param){.key = "dtype",
				                   .kind = PK_DTYPE,
				                   .n = 1,
				                   .dtype = DT_I32});
				params_set(&k->ctx->scratch, a,
				           (param){.key = "value", .kind = PK_NUMBER, .n = 1});
				if (array_emit(k->ctx, "scalar", NULL, 0, a, &zero, 1) != 1)
					return NULL;
			}
			in[d + 1] = zero;
		}
	return array_emit(k->ctx, "lax.dynamic_slice", in, rank + 1,
	                  make_ints(k, "slice_sizes", sizes, rank), &out, 1) == 1
	               ? out
	               : NULL;
}

/* Drops dimensions with a scalar index, adds new ones. */
static avalue *dims_changed(maker *k, avalue *x, const index_plan *p)
{
	int64_t gone[ARRAY_MAX_RANK], added[ARRAY_MAX_RANK];
	int n_gone = 0, n_added = 0, at = 0;
	for (int i = 0; i < p->n; i++) {
		const index_item *it = &p->item[i];
		bool single = it->kind == INDEX_NUMBER ||
		              (it->kind == INDEX_ARRAY && k->in[it->number]->type->rank == 0);
		if (single) {
			gone[n_gone++] = it->dim;
			continue;
		}
		if (it->kind == INDEX_NEW)
			added[n_added++] = at;
		at++;
	}
	if (n_gone)
		x = make1(k, "lax.squeeze", x, make_ints(k, "dimensions", gone, n_gone));
	return n_added ? make1(k, "lax.expand_dims", x, make_ints(k, "dimensions", added, n_added))
	               : x;
}

static bool refuse_mask(maker *k)
{
	for (int i = 1; i < k->n_in; i++)
		if (k->in[i]->type->dtype == DT_I1)
			return diag_error(
				k->ctx, NOWHERE, E_ARRAY_OP,
				"a truth-valued index gives a size that is not known while tracing; "
				"use where");
	return true;
}

/* ---- index arrays --------------------------------------------------------------------------- */

typedef struct lookup {
	maker *k;
	index_plan p;
	index_places l;
	const atype *type[ARRAY_MAX_RANK + 2]; /* of the operands */
} lookup;

/* Without out_sharding, neither indexed dimensions nor index arrays may be sharded. */
static bool lookup_is_local(const lookup *l)
{
	const atype *x = l->k->in[0]->type;
	bool cut;
	if (!index_places_agree(l->k->ctx, l->k->op->name, &l->l, l->type, &cut))
		return false;
	for (int i = 0; i < l->p.n; i++) {
		const index_item *it = &l->p.item[i];
		cut |= it->dim >= 0 && !it->whole && x->spec[it->dim] != 0;
	}
	return !cut || diag_error(l->k->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
	                          "pass out_sharding to %s: it could not be resolved "
	                          "unambiguously or would require collectives; got %s",
	                          l->k->op->name, atype_text(l->k->ctx, x, TYPE_SHORT));
}

/* Moves the dimensions of arrays together, to the first of them or to the front. */
static avalue *together(maker *k, const index_places *l, avalue *x)
{
	int64_t order[ARRAY_MAX_RANK];
	bool is_at[ARRAY_MAX_RANK] = {false};
	int n = 0;
	if (!l->in_front || !x)
		return x;
	for (int i = 0; i < l->arrays; i++) {
		order[n++] = l->at[i];
		is_at[l->at[i]] = true;
	}
	for (int d = 0; d < l->left; d++)
		if (!is_at[d])
			order[n++] = d;
	return make1(k, "lax.transpose", x, make_ints(k, "permutation", order, n));
}

static avalue *chosen(maker *k, avalue *which, avalue *yes, avalue *no)
{
	avalue *in[] = {which, yes, no}, *out;
	return which && yes && no && array_emit(k->ctx, "jnp.where", in, 3, NULL, &out, 1) == 1
	               ? out
	               : NULL;
}

/* Normalizes one array's indices: negative ones count from the end. *within: which are in
 * bounds. */
static avalue *from_end(maker *k, avalue *at, int64_t size, avalue **within)
{
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = DT_I32});
	at = make1(k, "lax.convert_element_type", at, a);
	avalue *zero = make_number_like(k, 0, at), *n = make_number_like(k, (double)size, at);
	at = chosen(k, make2(k, "jnp.less", at, zero, NULL), make2(k, "jnp.add", at, n, NULL), at);
	avalue *low = make2(k, "jnp.greater_equal", at, zero, NULL);
	*within = make2(k, "jnp.logical_and", low, make2(k, "jnp.less", at, n, NULL), NULL);
	return at;
}

static avalue *clipped(maker *k, avalue *at, int64_t size)
{
	avalue *in[] = {at, make_number_like(k, 0, at), make_number_like(k, (double)(size - 1), at)};
	avalue *out;
	return at && array_emit(k->ctx, "jnp.clip", in, 3, NULL, &out, 1) == 1 ? out : NULL;
}

static bool mode_clips(const maker *k)
{
	tess_str mode = param_text(k->attrs, "mode");
	return !mode.len || str_is(mode, "clip") || str_is(mode, "promise_in_bounds");
}

/* Combines the indices of all arrays into indices of their merged dimensions, which have `all`
 * elements. If out-of-bounds indices have to be recognized later, they are mapped past the end. */
static avalue *merged_places(const lookup *l, const avalue *x, int first, int64_t all)
{
	maker *k = l->k;
	avalue *sum = NULL, *inside = NULL;
	for (int i = 0; i < l->l.arrays; i++) {
		int64_t size = x->type->dim[first + i];
		avalue *at = emit_unsharded(k->ctx, k->in[l->l.of[i]]), *within = NULL;
		at = at ? from_end(k, at, size, &within) : NULL;
		at = mode_clips(k) ? clipped(k, at, size) : at;
		inside = inside ? make2(k, "jnp.logical_and", inside, within, NULL) : within;
		avalue *scale = make_number_like(k, (double)size, at);
		sum = i ? make2(k, "jnp.add", make2(k, "jnp.multiply", sum, scale, NULL), at, NULL) : at;
	}
	if (!mode_clips(k))
		sum = chosen(k, inside, sum, make_number_like(k, (double)all, sum));
	return make1(k, "jnp.broadcast_to", sum, make_ints(k, "shape", l->l.dim, l->l.rank));
}

static avalue *merged_dims(const lookup *l, avalue *x, int first, int64_t *all)
{
	int64_t sizes[ARRAY_MAX_RANK];
	int n = 0, arrays = l->l.arrays;
	*all = 1;
	for (int i = 0; i < arrays; i++)
		if (!mul_ok(*all, x->type->dim[first + i], all) || *all > INT32_MAX) {
			diag_error(l->k->ctx, NOWHERE, E_ARRAY_SHAPE,
			           "%s: places in dimensions of together more than %d elements",
			           l->k->op->name, INT32_MAX);
			return NULL;
		}
	for (int d = 0; d < x->type->rank; d++) {
		if (d == first)
			sizes[n++] = *all;
		if (d < first || d >= first + arrays)
			sizes[n++] = x->type->dim[d];
	}
	return make1(l->k, "lax.reshape", x, make_ints(l->k, "new_sizes", sizes, n));
}

static params *lookup_attrs(maker *k, int first)
{
	int64_t axis = first;
	params *a = make_ints(k, "axis", &axis, 1);
	make_pass(k, a, "out_sharding");
	params_set(&k->ctx->scratch, a,
	           (param){.key = "mode", .kind = PK_TEXT, .n = 1, .text = str_of("clip")});
	make_pass(k, a, "mode");
	return a;
}

/* Applies the arrays to what numbers and slices leave of x. */
static avalue *looked_up(const lookup *l, avalue *x)
{
	maker *k = l->k;
	int first = l->l.in_front ? 0 : l->l.at[0];
	int64_t all;
	x = together(k, &l->l, x);
	if (!x)
		return NULL;
	if (l->l.arrays == 1)
		return make2(k, "jnp.take", x, k->in[l->l.of[0]], lookup_attrs(k, first));
	avalue *flat = merged_dims(l, x, first, &all);
	avalue *places = flat ? merged_places(l, x, first, all) : NULL;
	return places ? make2(k, "jnp.take", flat, places, lookup_attrs(k, first)) : NULL;
}

bool make_index(maker *k)
{
	lookup l = {.k = k};
	avalue *x = k->in[0];
	for (int i = 0; i < k->n_in && i < COUNT(l.type); i++)
		l.type[i] = k->in[i]->type;
	if (k->n_in > COUNT(l.type))
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "there are too many indices");
	if (!refuse_mask(k) || !out_sharding_shows(k) ||
	    !index_read(k->ctx, param_text(k->attrs, "index"), x->type, k->n_in, &l.p) ||
	    !index_places_of(k->ctx, k->op->name, &l.p, l.type, &l.l))
		return false;
	bool one_gather = l.l.arrays && (l.l.advanced > 1 || l.l.cut);
	bool given = param_has(k->attrs, "out_sharding");
	if (one_gather && !given && !lookup_is_local(&l))
		return false;
	if (!l.l.left || (one_gather && given)) /* one element: may be read wherever it is */
		x = emit_unsharded(k->ctx, x);
	x = x ? dims_changed(k, dynamic_part(k, static_part(k, x, &l.p), &l.p), &l.p) : NULL;
	return make_out(k, x && l.l.arrays ? looked_up(&l, x) : x);
}
