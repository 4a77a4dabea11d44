/* linalg.c - matrix factorizations by LAPACK's routines, and functions based on them. */
#include "array/expand/expand.h"
#include "array/expand/matrix.h"

/* ---- orthogonal factorizations -------------------------------------------------------------- */

static int64_t matrix_rows(const avalue *x) { return x->type->dim[x->type->rank - 2]; }
static int64_t matrix_columns(const avalue *x) { return x->type->dim[x->type->rank - 1]; }

/* Computes columns of Q from the reflections that geqrf leaves below the diagonal. */
static avalue *q_of(maker *k, avalue *const *factors, int64_t columns)
{
	avalue *a = factors[0], *out = NULL, *in[] = {NULL, factors[1]};
	int last = a->type->rank - 1;
	if (columns <= matrix_columns(a)) {
		in[0] = make_slice(k, a, last, 0, columns);
	} else {
		int64_t dims[ARRAY_MAX_RANK];
		memcpy(dims, a->type->dim, sizeof dims);
		dims[last] = columns - matrix_columns(a);
		avalue *parts[] = {
			a, ex_broadcast(k, ex_number(k, 0, a->type->dtype), dims, last + 1)};
		in[0] = parts[1] ? ex_join(k, parts, 2, last) : NULL;
	}
	return in[0] && array_emit(k->ctx, "lapack.orgqr", in, 2, NULL, &out, 1) == 1 ? out : NULL;
}

static bool ex_qr(maker *k)
{
	avalue *x = k->in[0], *factors[2];
	int64_t m = matrix_rows(x), least = min_i64(m, matrix_columns(x));
	bool full = param_int(k->attrs, "full_matrices", 1);
	if (array_emit(k->ctx, "lapack.geqrf", &x, 1, NULL, factors, 2) != 2)
		return false;
	avalue *r = make_slice(k, factors[0], x->type->rank - 2, 0, full ? m : least);
	return make_out(k, q_of(k, factors, full ? m : least)) &&
	       make_out(k, make1(k, "jnp.triu", r, NULL));
}

static bool ex_svd(maker *k)
{
	avalue *out[5];
	int64_t all = param_int(k->attrs, "full_matrices", 1);
	return array_emit(k->ctx, "lapack.gesdd", k->in, 1, make_ints(k, "all", &all, 1), out, 5) ==
	               5 &&
	       make_out(k, out[2]) && make_out(k, out[1]) && make_out(k, out[3]);
}

/* Returns the mean of the operand and its transpose, unless symmetrize_input is off. */
static avalue *symmetrized(maker *k)
{
	avalue *x = k->in[0];
	if (!param_int(k->attrs, "symmetrize_input", 1))
		return x;
	avalue *sum = make2(k, "lax.add", x, matrix_turned(k, x), NULL);
	return sum ? make2(k, "lax.mul", sum, ex_wide(k, 0.5, sum->type), NULL) : NULL;
}

static bool ex_eigh(maker *k)
{
	avalue *x = symmetrized(k), *out[3];
	return x && array_emit(k->ctx, "lapack.syevd", &x, 1, NULL, out, 3) == 3 &&
	       make_out(k, out[0]) && make_out(k, out[1]);
}

static bool ex_cholesky(maker *k)
{
	return make_out(k, make1(k, "linalg.cholesky", symmetrized(k), NULL));
}

/* ---- triangular factorizations -------------------------------------------------------------- */

/* Returns one entry along the last dimension, as a dimension of 1. */
static avalue *entry(maker *k, avalue *v, int64_t i)
{
	return v ? make_slice(k, v, v->type->rank - 1, i, i + 1) : NULL;
}

/* Returns the permutation that swapping row i with row pivots[i], for each i in order, gives. */
static avalue *permutation_of(maker *k, avalue *pivots, int64_t m)
{
	int64_t dims[ARRAY_MAX_RANK], last = pivots->type->rank - 1;
	memcpy(dims, pivots->type->dim, sizeof dims);
	dims[last] = m;
	avalue *places = ex_iota(k, dims, (int)last + 1, last), *perm = places;
	for (int64_t i = 0; i < pivots->type->dim[last] && perm; i++) {
		avalue *to = entry(k, pivots, i), *here = entry(k, perm, i);
		avalue *there = make2(k, "jnp.take_along_axis", perm, to,
		                      make_ints(k, "axis", &last, 1));
		avalue *wide = to ? ex_broadcast(k, to, dims, (int)last + 1) : NULL;
		here = here ? ex_broadcast(k, here, dims, (int)last + 1) : NULL;
		there = there ? ex_broadcast(k, there, dims, (int)last + 1) : NULL;
		perm = ex_where(k, make2(k, "lax.eq", places, wide, NULL), here, perm);
		perm = ex_where(k, make2(k, "jnp.equal", places, ex_int(k, i), NULL), there, perm);
	}
	return perm;
}

typedef struct lu_factors {
	avalue *lu, *pivots, *permutation;
} lu_factors;

static bool lu_of(maker *k, avalue *x, lu_factors *f)
{
	avalue *out[3];
	if (!x || array_emit(k->ctx, "lapack.getrf", &x, 1, NULL, out, 3) != 3)
		return false;
	f->lu = out[0];
	f->pivots = make2(k, "jnp.subtract", out[1], ex_int(k, 1), NULL);
	f->permutation = f->pivots ? permutation_of(k, f->pivots, matrix_rows(x)) : NULL;
	return f->permutation != NULL;
}

static bool ex_lu(maker *k)
{
	lu_factors f;
	return lu_of(k, k->in[0], &f) && make_out(k, f.lu) && make_out(k, f.pivots) &&
	       make_out(k, f.permutation);
}

/* Solves a x = b: permutes the rows of b by the pivots, then solves with both triangles. */
static avalue *solved(maker *k, avalue *a, avalue *b)
{
	lu_factors f;
	if (!b || !lu_of(k, a, &f))
		return NULL;
	int64_t dims[ARRAY_MAX_RANK], axis = b->type->rank - 2;
	memcpy(dims, f.permutation->type->dim, sizeof dims);
	dims[axis + 1] = 1;
	avalue *order = ex_reshape(k, f.permutation, dims, b->type->rank);
	avalue *rows = make2(k, "jnp.take_along_axis", b, order, make_ints(k, "axis", &axis, 1));
	rows = matrix_solve(k, f.lu, rows, (triangle_form){.left = true, .lower = true,
	                                                   .unit = true});
	return matrix_solve(k, f.lu, rows, (triangle_form){.left = true});
}

static bool ex_solve(maker *k) { return make_out(k, solved(k, k->in[0], k->in[1])); }

static bool ex_inverse(maker *k)
{
	return make_out(k, solved(k, k->in[0], matrix_identity(k, k->in[0]->type)));
}

/* The product of the diagonal, negated if the number of row swaps is odd. */
static bool ex_det(maker *k)
{
	const atype *t = k->in[0]->type;
	int64_t last = t->rank - 2;
	lu_factors f;
	if (!lu_of(k, k->in[0], &f))
		return false;
	avalue *own = ex_iota(k, f.pivots->type->dim, f.pivots->type->rank, last);
	avalue *moved = make2(k, "lax.ne", f.pivots, own, NULL);
	avalue *sign = moved ? ex_convert(k, moved, t->dtype) : NULL; /* -1 for a swapped row */
	sign = sign ? make2(k, "lax.sub", ex_wide(k, 1, sign->type),
	                    make2(k, "lax.mul", sign, ex_wide(k, 2, sign->type), NULL), NULL)
	            : NULL;
	avalue *signs = sign ? ex_reduce(k, "lax.reduce_prod", sign, last, false) : NULL;
	avalue *diagonal = matrix_diagonal(k, f.lu);
	avalue *product = diagonal ? ex_reduce(k, "lax.reduce_prod", diagonal, last, false) : NULL;
	return make_out(k, make2(k, "lax.mul", signs, product, NULL));
}

const expand_row expand_linalg_rows[] = {
	{"lax.linalg.qr", ex_qr},   {"lax.linalg.svd", ex_svd},     {"lax.linalg.eigh", ex_eigh},
	{"lax.linalg.lu", ex_lu},   {"jnp.linalg.solve", ex_solve}, {"jnp.linalg.inv", ex_inverse},
	{"jnp.linalg.det", ex_det}, {"lax.linalg.cholesky", ex_cholesky},
	{"jnp.linalg.cholesky", ex_cholesky}, {NULL, NULL},
};
