/* kit.c - helpers for expansions. */
#include "array/expand/expand.h"

avalue *ex_iota(maker *k, const int64_t *dims, int rank, int64_t along)
{
	params *a = make_ints(k, "shape", dims, rank);
	avalue *out = NULL;
	make_more(k, a, "dimension", &along, 1);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = DT_I32});
	return array_emit(k->ctx, "lax.iota", NULL, 0, a, &out, 1) == 1 ? out : NULL;
}

avalue *ex_number(maker *k, double v, dtype t)
{
	params *a = make_attrs(k);
	avalue *out = NULL;
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t});
	params_set(&k->ctx->scratch, a,
	           (param){.key = "value", .kind = PK_NUMBER, .n = 1, .number = v});
	return array_emit(k->ctx, "scalar", NULL, 0, a, &out, 1) == 1 ? out : NULL;
}

avalue *ex_int(maker *k, int64_t v) { return ex_number(k, (double)v, DT_I32); }

avalue *ex_wide(maker *k, double v, const atype *like)
{
	return ex_broadcast(k, ex_number(k, v, like->dtype), like->dim, like->rank);
}

avalue *ex_convert(maker *k, avalue *x, dtype t)
{
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t});
	return x && x->type->dtype == t ? x : make1(k, "lax.convert_element_type", x, a);
}

avalue *ex_where(maker *k, avalue *which, avalue *a, avalue *b)
{
	avalue *in[] = {which, a, b}, *out = NULL;
	return which && a && b && array_emit(k->ctx, "jnp.where", in, 3, NULL, &out, 1) == 1 ? out
	                                                                                     : NULL;
}

avalue *ex_join(maker *k, avalue *const *in, int n, int dim)
{
	int64_t at = dim;
	avalue *out = NULL;
	return array_emit(k->ctx, "lax.concatenate", in, n, make_ints(k, "dimension", &at, 1), &out,
	                  1) == 1
	               ? out
	               : NULL;
}

avalue *ex_reshape(maker *k, avalue *x, const int64_t *dims, int rank)
{
	return make1(k, "lax.reshape", x, make_ints(k, "new_sizes", dims, rank));
}

avalue *ex_broadcast(maker *k, avalue *x, const int64_t *dims, int rank)
{
	return make1(k, "jnp.broadcast_to", x, make_ints(k, "shape", dims, rank));
}

avalue *ex_flat(maker *k, avalue *x)
{
	int64_t n = atype_elements(x->type);
	return x->type->rank == 1 ? x : ex_reshape(k, x, &n, 1);
}

avalue *ex_reduce(maker *k, const char *op, avalue *x, int64_t axis, bool keep)
{
	int64_t one = 1;
	params *a = make_ints(k, "axes", &axis, 1);
	if (keep)
		make_more(k, a, "keepdims", &one, 1);
	return make1(k, op, x, a);
}

/* Returns the axis attribute, normalized, or -1 if absent (it was checked by the rule). */
int ex_axis(maker *k, const char *key, int rank)
{
	int64_t axis = param_int(k->attrs, key, 0);
	return !param_has(k->attrs, key) ? -1 : (int)(axis < 0 ? axis + rank : axis);
}

make_fn *expand_find(const expand_row *rows, const char *name)
{
	while (rows->name && strcmp(rows->name, name) != 0)
		rows++;
	return rows->make;
}
