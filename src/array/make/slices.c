/* slices.c - slices along one dimension, and other functions of jnp and lax that change shapes. */
#include "array/expand/expand.h"
#include "array/make/make.h"
#include "array/typed/typed.h"

/* ---- slices along one dimension ----------------------------------------------------------- */

static bool dim_named(maker *k, const char *key, int64_t otherwise, int rank, int *out)
{
	return axis_normal(k->ctx, k->op->name, param_int(k->attrs, key, otherwise), rank, out);
}

/* A negative bound is counted from the end. */
static int64_t bound(const params *a, const char *key, int64_t otherwise, int64_t size)
{
	int64_t at = param_int(a, key, otherwise);
	return at < 0 ? at + size : at;
}

static avalue *without_dim(maker *k, avalue *x, int dim)
{
	int64_t at = dim;
	return make1(k, "lax.squeeze", x, make_ints(k, "dimensions", &at, 1));
}

/* slice_in_dim: start_index, limit_index, stride, axis; how: one index, which may drop its axis. */
bool make_slice_in_dim(maker *k)
{
	avalue *x = k->in[0];
	int axis;
	if (!dim_named(k, "axis", 0, x->type->rank, &axis))
		return false;
	int64_t size = x->type->dim[axis];
	if (!k->op->how)
		return make_out(k, make_slice_by(k, x, axis,
		                                 bound(k->attrs, "start_index", 0, size),
		                                 bound(k->attrs, "limit_index", size, size),
		                                 param_int(k->attrs, "stride", 1)));
	int64_t at = bound(k->attrs, "index", 0, size);
	if (at < 0 || at >= size)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "%s: index %" PRId64 " is out of range for dimension %d of %s",
		                  k->op->name, param_int(k->attrs, "index", 0), axis,
		                  atype_text(k->ctx, x->type, TYPE_SHORT));
	x = make_slice(k, x, axis, at, at + 1);
	return make_out(k, param_int(k->attrs, "keepdims", 1) ? x : without_dim(k, x, axis));
}

/* Start indices: 0 except along one dimension. */
static bool starts_along(maker *k, avalue *at, int axis, int rank, avalue **out)
{
	avalue *zero = ex_number(k, 0, at->type->dtype);
	for (int d = 0; d < rank; d++)
		out[d] = d == axis ? at : zero;
	return zero != NULL;
}

/* dynamic_slice_in_dim(x, start): slice_size, axis; how: one index, which may drop its axis. */
bool make_dynamic_in_dim(maker *k)
{
	avalue *x = k->in[0], *in[ARRAY_MAX_RANK + 1] = {x}, *out;
	int64_t sizes[ARRAY_MAX_RANK];
	int rank = x->type->rank, axis;
	if (!dim_named(k, "axis", 0, rank, &axis) ||
	    !starts_along(k, k->in[1], axis, rank, in + 1))
		return false;
	memcpy(sizes, x->type->dim, sizeof sizes);
	sizes[axis] = k->op->how ? 1 : param_int(k->attrs, "slice_size", 1);
	if (array_emit(k->ctx, "lax.dynamic_slice", in, rank + 1,
	               make_ints(k, "slice_sizes", sizes, rank), &out, 1) != 1)
		return false;
	bool goes = k->op->how && !param_int(k->attrs, "keepdims", 1);
	return make_out(k, goes ? without_dim(k, out, axis) : out);
}

/* dynamic_update_slice_in_dim(x, update, start): axis; how: a single index, whose dimension the
 * update may lack. */
bool make_update_in_dim(maker *k)
{
	avalue *x = k->in[0], *in[ARRAY_MAX_RANK + 2] = {x, k->in[1]}, *out;
	int rank = x->type->rank, axis;
	if (!dim_named(k, "axis", 0, rank, &axis) ||
	    !starts_along(k, k->in[2], axis, rank, in + 2))
		return false;
	int64_t at = axis;
	if (k->op->how && in[1]->type->rank != rank)
		in[1] = make1(k, "lax.expand_dims", in[1], make_ints(k, "dimensions", &at, 1));
	return in[1] &&
	       array_emit(k->ctx, "lax.dynamic_update_slice", in, rank + 2, NULL, &out, 1) == 1 &&
	       make_out(k, out);
}

/* Differences of neighbors, n times. */
bool make_diff(maker *k)
{
	avalue *x = k->in[0];
	int axis;
	if (!dim_named(k, "axis", -1, x->type->rank, &axis))
		return false;
	const char *op = x->type->dtype == DT_I1 ? "lax.ne" : "lax.sub";
	for (int64_t n = param_int(k->attrs, "n", 1); n > 0 && x && x->type->dim[axis]; n--) {
		int64_t size = x->type->dim[axis];
		x = make2(k, op, make_slice(k, x, axis, 1, size),
		          make_slice(k, x, axis, 0, size - 1), NULL);
	}
	return make_out(k, x);
}

/* ---- squeeze, repeat, collapse, flips ------------------------------------------------------- */

/* Without an axis: all dimensions of size 1. */
bool make_squeeze(maker *k)
{
	const atype *t = k->in[0]->type;
	const int64_t *given;
	int64_t gone[ARRAY_MAX_RANK];
	int n = param_ints(k->attrs, "axis", &given), n_gone = 0;
	for (int d = 0; d < t->rank && n < 0; d++)
		if (t->dim[d] == 1)
			gone[n_gone++] = d;
	return make_out(k, make1(k, "lax.squeeze", k->in[0],
	                         make_ints(k, "dimensions", n < 0 ? gone : given,
	                                   n < 0 ? n_gone : n)));
}

/* Along `axis`; without one, of all elements in order. */
bool make_repeat(maker *k)
{
	params *a = params_copy(&k->ctx->scratch, k->attrs);
	avalue *x = k->in[0];
	int64_t first = 0;
	if (!param_has(a, "axis")) {
		x = make1(k, "jnp.ravel", x, NULL);
		make_more(k, a, "axis", &first, 1);
	}
	return make_out(k, make1(k, "repeat", x, a));
}

/* Merges dimensions start_dimension … stop_dimension. */
bool make_collapse(maker *k)
{
	const atype *t = k->in[0]->type;
	int64_t sizes[ARRAY_MAX_RANK];
	int64_t from = bound(k->attrs, "start_dimension", 0, t->rank);
	int64_t to = min_i64(bound(k->attrs, "stop_dimension", t->rank, t->rank), t->rank);
	int n = 0;
	if (from < 0 || from > to)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "collapse of dimensions %" PRId64 " to %" PRId64 " of %s", from,
		                  to, atype_text(k->ctx, t, TYPE_SHORT));
	for (int d = 0; d < t->rank; d++) {
		bool inside = d > from && d < to;
		if (inside)
			sizes[n - 1] *= t->dim[d];
		else
			sizes[n++] = t->dim[d];
	}
	return make_out(k, ex_reshape(k, k->in[0], sizes, n));
}

/* Prepends dimensions of size 1 up to `how` dimensions, or to `rank` if `how` is 0. */
bool make_at_least_rank(maker *k)
{
	int64_t rank = k->op->how ? k->op->how : param_int(k->attrs, "rank", 0), front = 0;
	avalue *x = k->in[0];
	if (rank > ARRAY_MAX_RANK)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "%s: values have at most rank %d",
		                  k->op->name, ARRAY_MAX_RANK);
	while (x && x->type->rank < rank)
		x = make1(k, "jnp.expand_dims", x, make_ints(k, "axis", &front, 1));
	return make_out(k, x);
}

bool make_matrix_transpose(maker *k)
{
	int64_t last = -1, before = -2;
	params *a = make_ints(k, "axis1", &before, 1);
	make_more(k, a, "axis2", &last, 1);
	return make_out(k, make1(k, "jnp.swapaxes", k->in[0], a));
}

/* flipud, fliplr: along dimension `how`. */
bool make_flip_at(maker *k)
{
	int64_t at = k->op->how;
	if (k->in[0]->type->rank <= at)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "%s of %s", k->op->name,
		                  atype_text(k->ctx, k->in[0]->type, TYPE_SHORT));
	return make_out(k, make1(k, "lax.rev", k->in[0], make_ints(k, "dimensions", &at, 1)));
}

/* ---- concatenating -------------------------------------------------------------------------- */

bool make_alike(maker *k, avalue **in)
{
	atype met = *k->in[0]->type;
	for (int i = 1; i < k->n_in; i++)
		met.dtype = dtype_meet(&met, k->in[i]->type, &met.weak);
	for (int i = 0; i < k->n_in; i++)
		if (!(in[i] = ex_convert(k, k->in[i], met.dtype)))
			return false;
	return true;
}

/* Along `axis`; append without one: all elements in order. */
bool make_concatenate(maker *k)
{
	avalue **in = NEW_N(&k->ctx->scratch, avalue *, k->n_in + 1);
	bool flat = strcmp(k->op->name, "jnp.append") == 0 && !param_has(k->attrs, "axis");
	int axis;
	if (!make_alike(k, in))
		return false;
	for (int i = 0; i < k->n_in && flat; i++)
		if (!(in[i] = make1(k, "jnp.ravel", in[i], NULL)))
			return false;
	return dim_named(k, "axis", 0, in[0]->type->rank, &axis) &&
	       make_out(k, ex_join(k, in, k->n_in, axis));
}

bool make_stack(maker *k)
{
	avalue **in = NEW_N(&k->ctx->scratch, avalue *, k->n_in + 1), *out;
	return make_alike(k, in) &&
	       array_emit(k->ctx, "lax.stack", in, k->n_in, k->attrs, &out, 1) == 1 &&
	       make_out(k, out);
}

/* Vectors become columns. */
bool make_column_stack(maker *k)
{
	avalue **in = NEW_N(&k->ctx->scratch, avalue *, k->n_in + 1);
	int64_t behind = 1;
	if (!make_alike(k, in))
		return false;
	for (int i = 0; i < k->n_in; i++)
		if (in[i]->type->rank < 2) {
			in[i] = make1(k, "jnp.ravel", in[i], NULL);
			in[i] = make1(k, "jnp.expand_dims", in[i],
			              make_ints(k, "axis", &behind, 1));
			if (!in[i])
				return false;
		}
	return make_out(k, ex_join(k, in, k->n_in, 1));
}
