/* shape.c - roll, tile, triangles, diagonals, and creation. */
#include "array/expand/expand.h"

/* ---- shapes ----------------------------------------------------------------------------- */

static avalue *rolled(maker *k, avalue *x, int dim, int64_t shift)
{
	int64_t n = x ? x->type->dim[dim] : 0, by = n ? ((shift % n) + n) % n : 0;
	if (!by)
		return x;
	avalue *parts[] = {make_slice(k, x, dim, n - by, n), make_slice(k, x, dim, 0, n - by)};
	return parts[0] && parts[1] ? ex_join(k, parts, 2, dim) : NULL;
}

static bool ex_roll(maker *k)
{
	avalue *x = k->in[0];
	int axis = ex_axis(k, "axis", x->type->rank);
	int64_t shift = param_int(k->attrs, "shift", 0);
	avalue *out = rolled(k, axis < 0 ? ex_flat(k, x) : x, axis < 0 ? 0 : axis, shift);
	return make_out(k, out && axis < 0 ? ex_reshape(k, out, x->type->dim, x->type->rank) : out);
}

static bool ex_tile(maker *k)
{
	const int64_t *reps;
	int n = param_ints(k->attrs, "reps", &reps), rank = max_i64(n, k->in[0]->type->rank);
	int64_t dims[ARRAY_MAX_RANK];
	avalue *x = k->in[0];
	for (int d = 0; d < rank; d++)
		dims[d] = d < rank - x->type->rank ? 1 : x->type->dim[d - rank + x->type->rank];
	x = ex_reshape(k, x, dims, rank);
	for (int d = rank - n; d < rank && x; d++) {
		int64_t times = reps[d - rank + n];
		avalue **parts = NEW_N(&k->ctx->scratch, avalue *, times + 1);
		for (int64_t i = 0; i < times; i++)
			parts[i] = x;
		x = times == 0   ? make_slice(k, x, d, 0, 0)
		    : times == 1 ? x
		                 : ex_join(k, parts, (int)times, d);
	}
	return make_out(k, x);
}

/* Repeats each element: broadcasts along a new dimension after it, then merges. */
static bool ex_repeat(maker *k)
{
	avalue *x = k->in[0];
	int axis = ex_axis(k, "axis", x->type->rank);
	int64_t times = param_int(k->attrs, "repeats", 1), wide[ARRAY_MAX_RANK + 1],
		dims[ARRAY_MAX_RANK];
	if (axis < 0) {
		x = ex_flat(k, x);
		axis = 0;
	}
	if (!x || x->type->rank == ARRAY_MAX_RANK)
		return false;
	int rank = x->type->rank;
	for (int d = 0, at = 0; d < rank; d++) {
		dims[d] = x->type->dim[d] * (d == axis ? times : 1);
		wide[at++] = x->type->dim[d];
		if (d == axis)
			wide[at++] = 1;
	}
	x = ex_reshape(k, x, wide, rank + 1);
	wide[axis + 1] = times;
	x = x ? ex_broadcast(k, x, wide, rank + 1) : NULL;
	return make_out(k, x ? ex_reshape(k, x, dims, rank) : NULL);
}

/* True where row + k >= column (lower), or row + k <= column. */
static avalue *triangle(maker *k, const int64_t *dims, int rank, bool lower)
{
	avalue *row = ex_iota(k, dims, rank, rank - 2), *column = ex_iota(k, dims, rank, rank - 1);
	row = make2(k, "jnp.add", row, ex_int(k, param_int(k->attrs, "k", 0)), NULL);
	return make2(k, lower ? "lax.ge" : "lax.le", row, column, NULL);
}

static bool ex_triangle(maker *k)
{
	const atype *t = k->in[0]->type;
	bool lower = strcmp(k->op->name, "jnp.tril") == 0;
	if (t->rank < 2)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "%s of a vector cannot be run",
		                  k->op->name);
	avalue *zero = make1(k, "jnp.zeros_like", k->in[0], NULL);
	return make_out(k, ex_where(k, triangle(k, t->dim, t->rank, lower), k->in[0], zero));
}

/* eye, tri: booleans as numbers. */
static bool ex_square(maker *k)
{
	int64_t n = param_int(k->attrs, "n", 0), dims[] = {n, param_int(k->attrs, "m", n)};
	avalue *row = ex_iota(k, dims, 2, 0), *column = ex_iota(k, dims, 2, 1);
	row = make2(k, "jnp.add", row, ex_int(k, param_int(k->attrs, "k", 0)), NULL);
	avalue *on = make2(k, strcmp(k->op->name, "jnp.eye") == 0 ? "lax.eq" : "lax.ge", row,
	                   column, NULL);
	return make_out(k, ex_convert(k, on, param_dtype(k->attrs, "dtype", DT_F32)));
}

/* Sums the elements whose two indices are equal; the others count as 0. */
static avalue *diagonal_of(maker *k, avalue *x, int64_t sum_over)
{
	const atype *t = x->type;
	bool truth = t->dtype == DT_I1;
	avalue *on = make2(k, "lax.eq", ex_iota(k, t->dim, t->rank, 0),
	                   ex_iota(k, t->dim, t->rank, 1), NULL);
	return ex_reduce(k, truth ? "lax.reduce_or" : "lax.reduce_sum",
	                 ex_where(k, on, x, make1(k, "jnp.zeros_like", x, NULL)), sum_over, false);
}

static bool ex_diagonal(maker *k)
{
	avalue *x = k->in[0];
	if (x->type->rank == 1) {
		int64_t dims[] = {x->type->dim[0], x->type->dim[0]}, at[] = {x->type->dim[0], 1};
		avalue *wide = ex_broadcast(k, ex_reshape(k, x, at, 2), dims, 2);
		avalue *on = make2(k, "lax.eq", ex_iota(k, dims, 2, 0), ex_iota(k, dims, 2, 1),
		                   NULL);
		return make_out(k,
		                wide ? ex_where(k, on, wide, make1(k, "jnp.zeros_like", wide, NULL))
		                     : NULL);
	}
	return make_out(k, diagonal_of(k, x, x->type->dim[0] > x->type->dim[1] ? 0 : 1));
}

static bool ex_trace(maker *k)
{
	dtype t = k->in[0]->type->dtype; /* narrow integers are summed in 32 bits */
	dtype_class c = dtype_class_of(t);
	bool narrow = dtype_is_int(t) && dtype_bits(t) < 32;
	avalue *d = diagonal_of(k, !narrow ? k->in[0]
	                                   : ex_convert(k, k->in[0], c == DC_UINT ? DT_UI32 : DT_I32),
	                        0);
	return make_out(k, d ? ex_reduce(k, "lax.reduce_sum", d, 0, false) : NULL);
}

/* ---- creation ------------------------------------------------------------------------------- */

static bool ex_full(maker *k)
{
	const int64_t *shape;
	int n = param_ints(k->attrs, "shape", &shape);
	avalue *x = k->n_in ? k->in[0] : NULL;
	if (!x && param_has(k->attrs, "fill_value"))
		x = make_number(k, param_number(k->attrs, "fill_value", 0));
	return make_out(k, x && n >= 0 ? ex_broadcast(k, x, shape, n) : NULL);
}

static bool ex_linspace(maker *k)
{
	int64_t n = param_int(k->attrs, "num", 0);
	double a = param_number(k->attrs, "start", 0), b = param_number(k->attrs, "stop", 1);
	avalue *places = ex_convert(k, ex_iota(k, &n, 1, 0), DT_F32);
	avalue *scaled = make_scaled(k, places, n > 1 ? (b - a) / (double)(n - 1) : 0);
	return make_out(k, make2(k, "jnp.add", scaled, make_number(k, a), NULL));
}

/* ---- reinterpreting bytes ------------------------------------------------------------------- */

/* Splits the last dimension: adds a dimension of `parts` after n / parts. */
static avalue *last_split(maker *k, avalue *x, int64_t parts)
{
	int64_t dims[ARRAY_MAX_RANK];
	int rank = x ? x->type->rank : ARRAY_MAX_RANK;
	if (rank == ARRAY_MAX_RANK)
		return NULL;
	memcpy(dims, x->type->dim, sizeof dims);
	dims[rank - 1] /= parts;
	dims[rank] = parts;
	return ex_reshape(k, x, dims, rank + 1);
}

static avalue *last_merged(maker *k, avalue *x)
{
	int64_t dims[ARRAY_MAX_RANK];
	if (!x)
		return NULL;
	memcpy(dims, x->type->dim, sizeof dims);
	dims[x->type->rank - 2] *= dims[x->type->rank - 1];
	return ex_reshape(k, x, dims, x->type->rank - 1);
}

/* Real and imaginary parts become adjacent elements. */
static avalue *complex_parts(maker *k, avalue *x)
{
	avalue *parts[] = {make1(k, "lax.real", x, NULL), make1(k, "lax.imag", x, NULL)}, *out;
	int64_t last = -1;
	return parts[0] && parts[1] &&
	                       array_emit(k->ctx, "lax.stack", parts, 2,
	                                  make_ints(k, "axis", &last, 1), &out, 1) == 1
	               ? last_merged(k, out)
	               : NULL;
}

static avalue *complex_of_parts(maker *k, avalue *x)
{
	avalue *pairs = last_split(k, x, 2), *part[2];
	for (int i = 0; i < 2 && pairs; i++) {
		int d = pairs->type->rank - 1;
		part[i] = make_slice(k, pairs, d, i, i + 1);
		part[i] = part[i] ? ex_reshape(k, part[i], pairs->type->dim, d) : NULL;
	}
	return pairs ? make2(k, "lax.complex", part[0], part[1], NULL) : NULL;
}

static bool ex_view(maker *k)
{
	avalue *x = k->in[0];
	dtype to = param_dtype(k->attrs, "dtype", x->type->dtype);
	bool makes_complex = dtype_is_complex(to) && !dtype_is_complex(x->type->dtype);
	dtype part = makes_complex ? dtype_part_of(to) : to;
	if (to == x->type->dtype)
		return make_out(k, x);
	if (dtype_is_complex(x->type->dtype) && !dtype_is_complex(to))
		x = complex_parts(k, x);
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = part});
	int from_bits = x ? dtype_bits(x->type->dtype) : 1, to_bits = dtype_bits(part);
	if (x && to_bits > from_bits)
		x = last_split(k, x, to_bits / from_bits);
	x = make1(k, "lax.bitcast_convert_type", x, a);
	if (to_bits < from_bits)
		x = last_merged(k, x);
	return make_out(k, makes_complex ? complex_of_parts(k, x) : x);
}

const expand_row expand_shape_rows[] = {
	{"jnp.roll", ex_roll},         {"jnp.tile", ex_tile},     {"repeat", ex_repeat},
	{"jnp.triu", ex_triangle},     {"jnp.tril", ex_triangle}, {"jnp.eye", ex_square},
	{"jnp.tri", ex_square},        {"jnp.diag", ex_diagonal}, {"jnp.diagonal", ex_diagonal},
	{"jnp.trace", ex_trace},       {"jnp.full", ex_full},     {"jnp.linspace", ex_linspace},
	{"jnp.view", ex_view},
	{NULL, NULL},
};
