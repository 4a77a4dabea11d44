/* matrix.c - derivatives of matrix factorizations and linear systems.
 *
 * Each maker is given the operands, the results, and the results' cotangents, in this order, and
 * makes the operands' cotangents. The formulas are those of M. Giles, "An extended collection of
 * matrix derivative results for forward and reverse mode algorithmic differentiation" (2008); for
 * QR, F. Walter and L. Lehmann, "On algorithmic differentiation of linear algebra" (2009). */
#include "array/expand/expand.h"
#include "array/expand/matrix.h"
#include "array/grad/grad.h"

static avalue *mat3(maker *k, avalue *a, avalue *b, avalue *c)
{
	return matrix_times(k, matrix_times(k, a, b), c);
}

static avalue *mat_add(maker *k, avalue *a, avalue *b) { return make2(k, "lax.add", a, b, NULL); }
static avalue *mat_sub(maker *k, avalue *a, avalue *b) { return make2(k, "lax.sub", a, b, NULL); }
static avalue *mat_mul(maker *k, avalue *a, avalue *b) { return make2(k, "lax.mul", a, b, NULL); }
static avalue *mat_scaled(maker *k, avalue *a, double by)
{
	return a ? mat_mul(k, a, ex_wide(k, by, a->type)) : NULL;
}

/* A symmetric operand has a symmetric cotangent. */
static avalue *mat_symmetric(maker *k, avalue *a)
{
	return mat_scaled(k, mat_add(k, a, matrix_turned(k, a)), 0.5);
}

/* A vector as a matrix of one column or one row, broadcast to `like`. */
static avalue *mat_spread(maker *k, avalue *v, const atype *like, bool column)
{
	int64_t dims[ARRAY_MAX_RANK];
	if (!v)
		return NULL;
	memcpy(dims, v->type->dim, sizeof dims);
	int last = v->type->rank - 1;
	dims[last + 1] = column ? 1 : v->type->dim[last];
	dims[last] = column ? v->type->dim[last] : 1;
	avalue *x = ex_reshape(k, v, dims, last + 2);
	return x ? ex_broadcast(k, x, like->dim, like->rank) : NULL;
}

/* 1 / (b_j - b_i) off the diagonal, 0 on it. */
static avalue *mat_gaps(maker *k, avalue *b, const atype *like)
{
	avalue *own = matrix_identity(k, like);
	avalue *gap = mat_sub(k, mat_spread(k, b, like, false), mat_spread(k, b, like, true));
	gap = mat_add(k, gap, own);
	avalue *one = own ? ex_wide(k, 1, own->type) : NULL;
	return mat_sub(k, make2(k, "lax.div", one, gap, NULL), own);
}

/* L of L Lᵀ: L⁻ᵀ P L⁻¹, where P is the lower half of Lᵀ L̄. */
static bool back_cholesky(maker *k)
{
	avalue *l = k->in[1], *ct = k->in[2];
	avalue *p = matrix_part(k, matrix_times(k, matrix_turned(k, l), ct), true, 0);
	avalue *own = matrix_identity(k, l->type);
	p = mat_sub(k, p, mat_scaled(k, mat_mul(k, p, own), 0.5));
	p = matrix_solve(k, l, p, (triangle_form){.left = true, .lower = true, .turned = true});
	p = matrix_solve(k, l, p, (triangle_form){.lower = true});
	return make_out(k, mat_symmetric(k, p));
}

/* a x = b or x a = b, where a is a triangle of the operand, possibly transposed. */
static bool back_triangular(maker *k)
{
	avalue *a = k->in[0], *x = k->in[2], *ct = k->in[3];
	triangle_form f = {.left = param_int(k->attrs, "left_side", 0),
	                   .lower = param_int(k->attrs, "lower", 0),
	                   .turned = param_int(k->attrs, "transpose_a", 0),
	                   .unit = param_int(k->attrs, "unit_diagonal", 0)};
	triangle_form other = f;
	other.turned = !f.turned;
	avalue *b = matrix_solve(k, a, ct, other), *whole;
	if (f.left == f.turned)
		whole = f.left ? matrix_times(k, x, matrix_turned(k, b))
		               : matrix_times(k, matrix_turned(k, x), b);
	else
		whole = f.left ? matrix_times(k, b, matrix_turned(k, x))
		               : matrix_times(k, matrix_turned(k, b), x);
	avalue *part = f.lower ? matrix_part(k, whole, true, f.unit)
	                       : matrix_part(k, whole, false, f.unit);
	return make_out(k, make1(k, "lax.neg", part, NULL)) && make_out(k, b);
}

/* a x = b */
static bool back_solve(maker *k)
{
	avalue *a = k->in[0], *x = k->in[2], *ct = k->in[3];
	avalue *b = make2(k, "jnp.linalg.solve", matrix_turned(k, a), ct, NULL);
	avalue *outer = matrix_times(k, b, matrix_turned(k, x));
	return make_out(k, make1(k, "lax.neg", outer, NULL)) && make_out(k, b);
}

static bool back_inverse(maker *k)
{
	avalue *turned = matrix_turned(k, k->in[1]);
	return make_out(k, make1(k, "lax.neg", mat3(k, turned, k->in[2], turned), NULL));
}

static bool back_det(maker *k)
{
	avalue *a = k->in[0], *scale = mat_mul(k, k->in[1], k->in[2]);
	int64_t dims[ARRAY_MAX_RANK];
	int rank = a->type->rank;
	memcpy(dims, a->type->dim, sizeof dims);
	dims[rank - 1] = dims[rank - 2] = 1;
	scale = scale ? ex_reshape(k, scale, dims, rank) : NULL;
	scale = scale ? ex_broadcast(k, scale, a->type->dim, rank) : NULL;
	avalue *inverse = make1(k, "jnp.linalg.inv", a, NULL);
	return make_out(k, mat_mul(k, scale, matrix_turned(k, inverse)));
}

/* A = V diag(w) Vᵀ */
static bool back_eigh(maker *k)
{
	avalue *v = k->in[1], *w = k->in[2], *vct = k->in[3], *wct = k->in[4];
	avalue *turn = mat_mul(k, mat_gaps(k, w, v->type),
	                       matrix_times(k, matrix_turned(k, v), vct));
	avalue *inner = mat_add(k, matrix_of_diagonal(k, wct), turn);
	return make_out(k, mat_symmetric(k, mat3(k, v, inner, matrix_turned(k, v))));
}

/* Returns the part of b outside the column space of a. */
static avalue *mat_outside(maker *k, avalue *a, avalue *b)
{
	return mat_sub(k, b, mat3(k, a, matrix_turned(k, a), b));
}

/* A = U diag(s) Vᵀ, where U and V have as many columns as there are singular values. */
static bool back_svd(maker *k)
{
	avalue *u = k->in[1], *s = k->in[2], *vt = k->in[3], *uct = k->in[4], *sct = k->in[5];
	int64_t n = s->type->dim[s->type->rank - 1];
	int rank = u->type->rank;
	if (u->type->dim[rank - 1] != n || vt->type->dim[rank - 2] != n)
		return diag_error(
			k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			"the gradient of svd needs full_matrices=0: the other columns are "
			"not determined");
	avalue *v = matrix_turned(k, vt), *vct = matrix_turned(k, k->in[6]);
	avalue *ut = matrix_turned(k, u), *own = matrix_of_diagonal(k, s);
	if (!own)
		return false;
	avalue *gaps = mat_gaps(k, mat_mul(k, s, s), own->type);
	avalue *j = mat_mul(k, gaps, matrix_times(k, ut, uct));
	avalue *l = mat_mul(k, gaps, matrix_times(k, vt, vct));
	j = matrix_times(k, mat_add(k, j, matrix_turned(k, j)), own);
	l = matrix_times(k, own, mat_add(k, l, matrix_turned(k, l)));
	avalue *inner = mat_add(k, mat_add(k, j, l), matrix_of_diagonal(k, sct));
	avalue *inside = mat3(k, u, inner, vt);
	avalue *by = make2(k, "lax.div", ex_wide(k, 1, s->type), s, NULL);
	avalue *inverse = matrix_of_diagonal(k, by);
	avalue *left = mat3(k, mat_outside(k, u, uct), inverse, vt);
	avalue *right = mat3(k, u, inverse, matrix_turned(k, mat_outside(k, v, vct)));
	return make_out(k, mat_add(k, inside, mat_add(k, left, right)));
}

/* A = Q R, R square: (Q̄ + Q copy(M)) R⁻ᵀ with M = R R̄ᵀ - Q̄ᵀ Q, where copy() makes the lower
 * triangle symmetric. */
static bool back_qr(maker *k)
{
	avalue *q = k->in[1], *r = k->in[2], *qct = k->in[3], *rct = k->in[4];
	int rank = r->type->rank;
	if (r->type->dim[rank - 1] != r->type->dim[rank - 2])
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "the gradient of qr needs at least as many rows as columns, and "
		                  "full_matrices=0 where there are more");
	avalue *m = mat_sub(k, matrix_times(k, r, matrix_turned(k, rct)),
	                    matrix_times(k, matrix_turned(k, qct), q));
	avalue *copy = mat_add(k, matrix_part(k, m, true, 0),
	                       matrix_turned(k, matrix_part(k, m, true, 1)));
	avalue *whole = mat_add(k, qct, matrix_times(k, q, copy));
	return make_out(k, matrix_solve(k, r, whole, (triangle_form){.turned = true}));
}

const expand_row grad_matrix_rows[] = {
	{"lax.linalg.cholesky", back_cholesky},
	{"jnp.linalg.cholesky", back_cholesky},
	{"lax.linalg.triangular_solve", back_triangular},
	{"jnp.linalg.solve", back_solve},
	{"jnp.linalg.inv", back_inverse},
	{"jnp.linalg.det", back_det},
	{"lax.linalg.eigh", back_eigh},
	{"lax.linalg.svd", back_svd},
	{"lax.linalg.qr", back_qr},
	{NULL, NULL},
};
