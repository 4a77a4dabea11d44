/* matrix.c - products, triangles, and diagonals of batches of matrices. */
#include "array/expand/matrix.h"

#include "array/expand/expand.h"

avalue *matrix_solve(maker *k, avalue *a, avalue *b, triangle_form f)
{
	const struct {
		const char *key;
		int64_t on;
	} how[] = {{"left_side", f.left}, {"lower", f.lower}, {"transpose_a", f.turned},
	           {"unit_diagonal", f.unit}};
	params *p = make_attrs(k);
	for (int i = 0; i < COUNT(how); i++)
		make_more(k, p, how[i].key, &how[i].on, 1);
	return make2(k, "lax.linalg.triangular_solve", a, b, p);
}

avalue *matrix_times(maker *k, avalue *a, avalue *b) { return make2(k, "jnp.matmul", a, b, NULL); }

avalue *matrix_turned(maker *k, avalue *a)
{
	int64_t order[ARRAY_MAX_RANK];
	int rank = a ? a->type->rank : 0;
	for (int d = 0; d < rank; d++)
		order[d] = d < rank - 2 ? d : 2 * rank - 3 - d;
	return make1(k, "lax.transpose", a, make_ints(k, "permutation", order, rank));
}

/* True where row - column is at least `from`. */
static avalue *below(maker *k, const atype *t, int64_t from)
{
	avalue *row = ex_iota(k, t->dim, t->rank, t->rank - 2);
	avalue *column = ex_iota(k, t->dim, t->rank, t->rank - 1);
	return make2(k, "lax.ge", row, make2(k, "jnp.add", column, ex_int(k, from), NULL), NULL);
}

avalue *matrix_part(maker *k, avalue *a, bool lower, int64_t from)
{
	if (!a)
		return NULL;
	avalue *zero = make1(k, "jnp.zeros_like", a, NULL);
	return lower ? ex_where(k, below(k, a->type, from), a, zero)
	             : ex_where(k, below(k, a->type, 1 - from), zero, a);
}

avalue *matrix_identity(maker *k, const atype *like)
{
	atype t = {.dtype = like->dtype, .rank = like->rank};
	memcpy(t.dim, like->dim, sizeof t.dim);
	avalue *row = ex_iota(k, t.dim, t.rank, t.rank - 2);
	avalue *on = make2(k, "lax.eq", row, ex_iota(k, t.dim, t.rank, t.rank - 1), NULL);
	return on ? ex_convert(k, on, t.dtype) : NULL;
}

avalue *matrix_diagonal(maker *k, avalue *a)
{
	avalue *on = a ? matrix_identity(k, a->type) : NULL;
	avalue *kept = make2(k, "lax.mul", a, on, NULL);
	return kept ? ex_reduce(k, "lax.reduce_sum", kept, a->type->rank - 1, false) : NULL;
}

avalue *matrix_of_diagonal(maker *k, avalue *v)
{
	int64_t column[ARRAY_MAX_RANK], dims[ARRAY_MAX_RANK];
	if (!v || v->type->rank == ARRAY_MAX_RANK)
		return NULL;
	int rank = v->type->rank + 1;
	memcpy(column, v->type->dim, sizeof *dims * (size_t)(rank - 1));
	memcpy(dims, column, sizeof *dims * (size_t)(rank - 1));
	column[rank - 1] = 1;
	dims[rank - 1] = dims[rank - 2];
	avalue *wide = ex_reshape(k, v, column, rank);
	wide = wide ? ex_broadcast(k, wide, dims, rank) : NULL;
	return wide ? make2(k, "lax.mul", wide, matrix_identity(k, wide->type), NULL) : NULL;
}
