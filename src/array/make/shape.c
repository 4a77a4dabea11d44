/* shape.c - jnp's shape functions in terms of primitives. */
#include "array/make/index.h"
#include "array/control.h"
#include "array/make/make.h"

/* ---- reshapes ---------------------------------------------------------------------------- */

static avalue *make_reshaped(maker *k, avalue *x, const int64_t *sizes, int n)
{
	params *a = make_ints(k, "new_sizes", sizes, n);
	make_pass(k, a, "out_sharding");
	return make1(k, "lax.reshape", x, a);
}

static avalue *reversed_dims(maker *k, avalue *x)
{
	return make1(k, "jnp.transpose", x, NULL);
}

/* One size may be -1; order "F" means the first dimension varies fastest. */
bool make_reshape(maker *k)
{
	const int64_t *shape;
	int64_t sizes[ARRAY_MAX_RANK], known = 1;
	int n = param_ints(k->attrs, "shape", &shape);
	bool fortran = str_is(param_text(k->attrs, "order"), "F");
	if (n < 0 || n > ARRAY_MAX_RANK)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "reshape needs a shape");
	for (int d = 0; d < n; d++)
		if (shape[d] >= 0 && !mul_ok(known, shape[d], &known))
			return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "reshape: there are too many elements");
	for (int d = 0; d < n; d++)
		sizes[fortran ? n - 1 - d : d] =
		        shape[d] == -1 && known ? atype_elements(k->in[0]->type) / known : shape[d];
	if (!fortran)
		return make_out(k, make_reshaped(k, k->in[0], sizes, n));
	int64_t turned[ARRAY_MAX_RANK];
	int rank = k->in[0]->type->rank;
	for (int d = 0; d < rank; d++)
		turned[d] = rank - 1 - d;
	params *a = make_ints(k, "new_sizes", sizes, n);
	make_more(k, a, "dimensions", turned, rank);
	return make_out(k, reversed_dims(k, make1(k, "lax.reshape", k->in[0], a)));
}

bool make_ravel(maker *k)
{
	int64_t n = atype_elements(k->in[0]->type);
	return make_out(k, make_reshaped(k, k->in[0], &n, 1));
}

/* ---- permutations --------------------------------------------------------------------------- */

static bool permuted(maker *k, const int64_t *perm, int n)
{
	return make_out(k,
	                make1(k, "lax.transpose", k->in[0], make_ints(k, "permutation", perm, n)));
}

/* `axes`, counted from either end; absent: all are reversed. */
bool make_transpose(maker *k)
{
	const int64_t *axes;
	int64_t perm[ARRAY_MAX_RANK];
	int rank = k->in[0]->type->rank, d;
	int n = param_ints(k->attrs, param_has(k->attrs, "axes") ? "axes" : "permutation", &axes);
	for (int i = 0; i < rank; i++)
		perm[i] = rank - 1 - i;
	if (n >= 0 && n != rank)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "transpose: there are %d axes for a value of rank %d", n, rank);
	for (int i = 0; i < n; i++) {
		if (!axis_normal(k->ctx, "transpose", axes[i], rank, &d))
			return false;
		perm[i] = d;
	}
	return permuted(k, perm, rank);
}

bool make_swapaxes(maker *k)
{
	int64_t perm[ARRAY_MAX_RANK];
	int rank = k->in[0]->type->rank, a, b;
	if (!axis_normal(k->ctx, "swapaxes", param_int(k->attrs, "axis1", 0), rank, &a) ||
	    !axis_normal(k->ctx, "swapaxes", param_int(k->attrs, "axis2", 0), rank, &b))
		return false;
	for (int d = 0; d < rank; d++)
		perm[d] = d == a ? b : d == b ? a : d;
	return permuted(k, perm, rank);
}

bool make_moveaxis(maker *k)
{
	int64_t perm[ARRAY_MAX_RANK];
	int rank = k->in[0]->type->rank, from, to;
	if (!axis_normal(k->ctx, "moveaxis", param_int(k->attrs, "source", 0), rank, &from) ||
	    !axis_normal(k->ctx, "moveaxis", param_int(k->attrs, "destination", 0), rank, &to))
		return false;
	for (int d = 0, next = 0; d < rank; d++) {
		next += next == from;
		perm[d] = d == to ? from : next++;
	}
	return permuted(k, perm, rank);
}

bool make_flip(maker *k)
{
	int64_t axes[ARRAY_MAX_RANK];
	int n;
	return make_axes(k, k->in[0]->type, axes, &n) &&
	       make_out(k, make1(k, "lax.rev", k->in[0], make_ints(k, "dimensions", axes, n)));
}

/* ---- concatenating -------------------------------------------------------------------------- */

/* Prepends dimensions of size 1 until it has `rank`. */
static avalue *make_at_least(maker *k, avalue *x, int rank)
{
	int64_t front = 0;
	while (x && x->type->rank < rank)
		x = make1(k, "jnp.expand_dims", x, make_ints(k, "axis", &front, 1));
	return x;
}

/* vstack concatenates rows (vectors are rows), hstack columns, or vectors end to end. */
bool make_concat_at(maker *k)
{
	bool rows = k->op->how == 0;
	avalue **in = NEW_N(&k->ctx->scratch, avalue *, k->n_in), *out;
	if (!make_alike(k, in))
		return false;
	for (int i = 0; i < k->n_in; i++)
		if (!(in[i] = make_at_least(k, in[i], rows ? 2 : 1)))
			return false;
	int64_t at = !rows && in[0]->type->rank > 1;
	return array_emit(k->ctx, "lax.concatenate", in, k->n_in,
	                  make_ints(k, "dimension", &at, 1), &out, 1) == 1 &&
	       make_out(k, out);
}

bool make_meshgrid(maker *k)
{
	for (int i = 0; i < 2; i++) {
		int64_t shape[2], at = i == 0;
		if (k->in[0]->type->rank != 1 || k->in[1]->type->rank != 1)
			return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "meshgrid takes vectors");
		shape[0] = k->in[1]->type->dim[0];
		shape[1] = k->in[0]->type->dim[0];
		params *a = make_ints(k, "shape", shape, 2);
		make_more(k, a, "broadcast_dimensions", &at, 1);
		if (!make_out(k, make1(k, "lax.broadcast_in_dim", k->in[i], a)))
			return false;
	}
	return true;
}

/* a[i,j] b[k,l] as [i,k,j,l], then merged. */
bool make_kron(maker *k)
{
	const atype *a = k->in[0]->type, *b = k->in[1]->type;
	if (a->rank != 2 || b->rank != 2)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "kron takes matrices");
	int64_t of_a[] = {1, 3}, of_b[] = {0, 2};
	int64_t sizes[] = {a->dim[0] * b->dim[0], a->dim[1] * b->dim[1]};
	avalue *wide_a = make1(k, "lax.expand_dims", k->in[0], make_ints(k, "dimensions", of_a, 2));
	avalue *wide_b = make1(k, "lax.expand_dims", k->in[1], make_ints(k, "dimensions", of_b, 2));
	avalue *product = make2(k, "lax.mul", wide_a, wide_b, NULL);
	return make_out(k, product ? make_reshaped(k, product, sizes, 2) : NULL);
}

/* ---- padding --------------------------------------------------------------------------------- */

/* Returns what is added before or after a dimension: its edge repeated, or its mirror image. */
static avalue *pad_piece(maker *k, avalue *x, int dim, int64_t n, bool front, bool reflect)
{
	int64_t size = x->type->dim[dim], at = dim;
	if (reflect && size > 1) {
		avalue *part = front ? make_slice(k, x, dim, 1, n + 1)
		                     : make_slice(k, x, dim, size - 1 - n, size - 1);
		return make1(k, "lax.rev", part, make_ints(k, "dimensions", &at, 1));
	}
	avalue *edge = front ? make_slice(k, x, dim, 0, 1) : make_slice(k, x, dim, size - 1, size);
	int64_t shape[ARRAY_MAX_RANK];
	memcpy(shape, x->type->dim, sizeof shape);
	shape[dim] = n;
	return make1(k, "jnp.broadcast_to", edge, make_ints(k, "shape", shape, x->type->rank));
}

static avalue *pad_dim(maker *k, avalue *x, int dim, const int64_t *width, bool reflect)
{
	avalue *parts[3], *out;
	int64_t at = dim;
	int n = 0;
	if (width[0])
		parts[n++] = pad_piece(k, x, dim, width[0], true, reflect);
	parts[n++] = x;
	if (width[1])
		parts[n++] = pad_piece(k, x, dim, width[1], false, reflect);
	return n == 1 ? x
	       : array_emit(k->ctx, "lax.concatenate", parts, n, make_ints(k, "dimension", &at, 1),
	                    &out, 1) == 1
	               ? out
	               : NULL;
}

/* pad_width: before and after, for each dimension; mode constant, edge or reflect. */
bool make_pad(maker *k)
{
	const int64_t *w;
	avalue *x = k->in[0];
	int rank = x->type->rank;
	tess_str mode = param_text(k->attrs, "mode");
	if (param_ints(k->attrs, "pad_width", &w) != 2 * rank)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "pad needs two widths per dimension");
	if (str_is(mode, "edge") || str_is(mode, "reflect")) {
		for (int d = 0; d < rank && x; d++)
			x = pad_dim(k, x, d, w + 2 * d, str_is(mode, "reflect"));
		return make_out(k, x);
	}
	int64_t config[3 * ARRAY_MAX_RANK] = {0};
	for (int d = 0; d < rank; d++) {
		config[3 * d] = w[2 * d];
		config[3 * d + 1] = w[2 * d + 1];
	}
	return make_out(k, make2(k, "lax.pad", x, make_number(k, 0),
	                         make_ints(k, "padding_config", config, 3 * rank)));
}
