/* random.c - random numbers identical to JAX's.
 *
 * A key is 64 bits. Threefry-2x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
 * 2011) maps a key and a counter to two words; element i of a result comes from counter i alone, so
 * each device can draw its own part. How numbers are made from the words follows jax.random with
 * jax_threefry_partitionable, its default. */
#include "array/expand/expand.h"

#include <math.h>

/* ---- words ------------------------------------------------------------------------------- */

typedef struct words {
	avalue *a, *b; /* u32, same shape; NULL after a failure */
} words;

static avalue *bits_rotated(maker *k, avalue *x, int by)
{
	if (!x)
		return NULL;
	avalue *up = make2(k, "lax.shift_left", x, ex_wide(k, by, x->type), NULL);
	avalue *down = make2(k, "lax.shift_right_logical", x, ex_wide(k, 32 - by, x->type), NULL);
	return make2(k, "lax.bitwise_or", up, down, NULL);
}

static avalue *plus(maker *k, avalue *x, avalue *y) { return make2(k, "lax.add", x, y, NULL); }

/* Twenty rounds; after each four, a third of the key schedule is added. */
static words words_mixed(maker *k, words key, words x)
{
	static const int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
	avalue *odd = key.a ? ex_wide(k, 0x1BD11BDA, key.a->type) : NULL;
	avalue *third = make2(k, "lax.bitwise_xor", key.a, key.b, NULL);
	avalue *keys[] = {key.a, key.b, make2(k, "lax.bitwise_xor", third, odd, NULL)};
	x = (words){plus(k, x.a, keys[0]), plus(k, x.b, keys[1])};
	for (int i = 0; i < 5; i++) {
		for (int r = 0; r < 4; r++) {
			x.a = plus(k, x.a, x.b);
			x.b = make2(k, "lax.bitwise_xor", bits_rotated(k, x.b, turns[i % 2][r]),
			            x.a, NULL);
		}
		x.a = plus(k, x.a, keys[(i + 1) % 3]);
		x.b = plus(k, x.b, keys[(i + 2) % 3]);
		x.b = x.b ? plus(k, x.b, ex_wide(k, i + 1, x.b->type)) : NULL;
	}
	return x;
}

/* Returns the halves of a key, for each element of `dims`. */
static words key_words(maker *k, avalue *key, const int64_t *dims, int rank)
{
	avalue *high = make2(k, "lax.shift_right_logical", key, ex_number(k, 32, DT_UI64), NULL);
	avalue *low = make2(k, "lax.bitwise_and", key, ex_number(k, 0xFFFFFFFFu, DT_UI64), NULL);
	high = high ? ex_convert(k, high, DT_UI32) : NULL;
	low = low ? ex_convert(k, low, DT_UI32) : NULL;
	return (words){high ? ex_broadcast(k, high, dims, rank) : NULL,
	               low ? ex_broadcast(k, low, dims, rank) : NULL};
}

/* Returns the row-major index of each element. */
static avalue *counter(maker *k, const int64_t *dims, int rank)
{
	atype t = {.dtype = DT_UI32, .rank = rank};
	for (int d = 0; d < rank; d++)
		t.dim[d] = dims[d];
	avalue *sum = ex_wide(k, 0, &t);
	for (int64_t d = rank - 1, stride = 1; d >= 0 && sum; stride *= dims[d--]) {
		avalue *at = ex_iota(k, dims, rank, d);
		at = at ? ex_convert(k, at, DT_UI32) : NULL;
		sum = plus(k, sum, make2(k, "lax.mul", at, ex_wide(k, (double)stride, &t), NULL));
	}
	return sum;
}

static words draw_words(maker *k, avalue *key, const int64_t *dims, int rank)
{
	avalue *low = counter(k, dims, rank);
	words x = {low ? make1(k, "jnp.zeros_like", low, NULL) : NULL, low};
	return words_mixed(k, key_words(k, key, dims, rank), x);
}

static avalue *joined_words(maker *k, words w)
{
	if (!w.a || !w.b)
		return NULL;
	avalue *high = ex_convert(k, w.a, DT_UI64), *low = ex_convert(k, w.b, DT_UI64);
	high = high ? make2(k, "lax.shift_left", high, ex_wide(k, 32, high->type), NULL) : NULL;
	return make2(k, "lax.bitwise_or", high, low, NULL);
}

/* Returns random bits as unsigned integers of this dtype. */
static avalue *draw_bits(maker *k, avalue *key, dtype t, const int64_t *dims, int rank)
{
	words w = draw_words(k, key, dims, rank);
	if (dtype_bits(t) == 64)
		return joined_words(k, w);
	avalue *mixed = make2(k, "lax.bitwise_xor", w.a, w.b, NULL);
	if (!mixed || dtype_bits(t) == 32)
		return mixed;
	mixed = make2(k, "lax.bitwise_and", mixed,
	              ex_wide(k, (double)((1u << dtype_bits(t)) - 1), mixed->type), NULL);
	return mixed ? ex_convert(k, mixed, t) : NULL;
}

/* ---- keys -------------------------------------------------------------------------------- */

static bool ex_key(maker *k)
{
	return make_out(k, ex_number(k, (double)(uint32_t)param_int(k->attrs, "seed", 0), DT_UI64));
}

static avalue *split_key(maker *k, avalue *key, int64_t n)
{
	return joined_words(k, draw_words(k, key, &n, 1));
}

static bool ex_split(maker *k)
{
	return make_out(k, split_key(k, k->in[0], param_int(k->attrs, "num", 2)));
}

/* Returns one of the two keys that a key is split into. */
static avalue *half_key(maker *k, avalue *key, int which)
{
	return ex_reshape(k, make_slice(k, split_key(k, key, 2), 0, which, which + 1), NULL, 0);
}

static bool ex_fold_in(maker *k)
{
	words x = {ex_number(k, 0, DT_UI32),
	           ex_number(k, (double)(uint32_t)param_int(k->attrs, "data", 0), DT_UI32)};
	return make_out(k, joined_words(k, words_mixed(k, key_words(k, k->in[0], NULL, 0), x)));
}

/* ---- distributions ----------------------------------------------------------------------- */

/* Floats in [1, 2) have the same exponent, so their mantissa bits can be random bits. */
typedef struct float_form {
	dtype t, bits, drawn;
	int fraction, width; /* width: of what is drawn */
	double one;          /* as bits */
} float_form;

static const float_form float_forms[] = {
	{DT_F32, DT_UI32, DT_UI32, 23, 32, 0x3F800000},
	{DT_F64, DT_UI64, DT_UI64, 52, 64, 4607182418800017408.0},
	{DT_F16, DT_UI16, DT_UI16, 10, 16, 0x3C00},
	{DT_BF16, DT_UI16, DT_UI8, 7, 8, 0x3F80},
};

/* Uniform in [low, high). */
static avalue *uniform(maker *k, avalue *key, dtype t, double low, double high, const int64_t *dims,
                       int rank)
{
	const float_form *f = float_forms;
	while (f < float_forms + COUNT(float_forms) && f->t != t)
		f++;
	if (f == float_forms + COUNT(float_forms)) {
		diag_error(k->ctx, NOWHERE, E_ARRAY_DTYPE, "%s of type %s: floats are drawn",
		           k->op->name, dtype_mlir(t));
		return NULL;
	}
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t});
	avalue *x = draw_bits(k, key, f->drawn, dims, rank);
	x = x ? ex_convert(k, x, f->bits) : NULL;
	if (!x)
		return NULL;
	x = make2(k, "lax.shift_right_logical", x, ex_wide(k, f->width - f->fraction, x->type),
	          NULL);
	x = x ? make2(k, "lax.bitwise_or", x, ex_wide(k, f->one, x->type), NULL) : NULL;
	x = x ? make1(k, "lax.bitcast_convert_type", x, a) : NULL;
	x = x ? make2(k, "lax.sub", x, ex_wide(k, 1, x->type), NULL) : NULL;
	x = x ? make2(k, "lax.mul", x, ex_wide(k, high - low, x->type), NULL) : NULL;
	avalue *least = x ? ex_wide(k, low, x->type) : NULL;
	return make2(k, "lax.max", make2(k, "lax.add", x, least, NULL), least, NULL);
}

/* Returns the shape attribute, which the rule has checked. */
static int drawn_shape(maker *k, const int64_t **dims)
{
	int n = param_ints(k->attrs, "shape", dims);
	return n < 0 ? 0 : n;
}

static avalue *uniform_of_shape(maker *k, double low, double high)
{
	const int64_t *dims = NULL;
	int rank = drawn_shape(k, &dims);
	return uniform(k, k->in[0], param_dtype(k->attrs, "dtype", DT_F32), low, high, dims, rank);
}

static avalue *negative(maker *k, avalue *x) { return make1(k, "lax.neg", x, NULL); }

static avalue *scaled(maker *k, avalue *x, double by)
{
	return x ? make2(k, "lax.mul", x, ex_wide(k, by, x->type), NULL) : NULL;
}

static bool ex_uniform(maker *k)
{
	return make_out(k, uniform_of_shape(k, param_number(k->attrs, "minval", 0),
	                                    param_number(k->attrs, "maxval", 1)));
}

/* Returns the number after -1 toward 0. */
static double above_minus_one(dtype t)
{
	return -1 + ldexp(1, t == DT_F64 ? -53 : t == DT_F32 ? -24 : t == DT_F16 ? -11 : -8);
}

static bool ex_normal(maker *k)
{
	avalue *u = uniform_of_shape(k, above_minus_one(param_dtype(k->attrs, "dtype", DT_F32)), 1);
	return make_out(k, scaled(k, make1(k, "lax.erf_inv", u, NULL), sqrt(2)));
}

/* The inverse of the distribution function, on the part within the bounds. */
static bool ex_truncated_normal(maker *k)
{
	double lower = param_number(k->attrs, "lower", -1),
	       upper = param_number(k->attrs, "upper", 1);
	avalue *u = uniform_of_shape(k, erf(lower / sqrt(2)), erf(upper / sqrt(2)));
	avalue *x = scaled(k, make1(k, "lax.erf_inv", u, NULL), sqrt(2));
	if (!x)
		return false;
	x = make2(k, "lax.max", x,
	          ex_wide(k, nextafterf((float)lower, INFINITY), x->type), NULL);
	return make_out(k, x ? make2(k, "lax.min", x,
	                             ex_wide(k, nextafterf((float)upper, -INFINITY), x->type), NULL)
	                     : NULL);
}

/* Returns the smallest positive normal number. */
static double tiny(dtype t)
{
	return ldexp(1, t == DT_F64 ? -1022 : t == DT_F16 ? -14 : -126);
}

static avalue *gumbel(maker *k, avalue *key, dtype t, const int64_t *dims, int rank)
{
	avalue *u = uniform(k, key, t, tiny(t), 1, dims, rank);
	return negative(k, make1(k, "lax.log", negative(k, make1(k, "lax.log", u, NULL)), NULL));
}

static bool ex_gumbel(maker *k)
{
	const int64_t *dims = NULL;
	int rank = drawn_shape(k, &dims);
	return make_out(k, gumbel(k, k->in[0], param_dtype(k->attrs, "dtype", DT_F32), dims, rank));
}

static bool ex_exponential(maker *k)
{
	avalue *u = uniform_of_shape(k, 0, 1);
	return make_out(k, negative(k, make1(k, "lax.log1p", negative(k, u), NULL)));
}

static bool ex_bernoulli(maker *k)
{
	const int64_t *dims = NULL;
	int rank = drawn_shape(k, &dims);
	avalue *u = uniform(k, k->in[0], DT_F32, 0, 1, dims, rank);
	return make_out(k, u ? make2(k, "lax.lt", u,
	                             ex_wide(k, param_number(k->attrs, "p", 0.5), u->type), NULL)
	                     : NULL);
}

static bool ex_bits(maker *k)
{
	const int64_t *dims = NULL;
	int rank = drawn_shape(k, &dims);
	return make_out(k, draw_bits(k, k->in[0], param_dtype(k->attrs, "dtype", DT_UI32), dims,
	                             rank));
}

/* ---- integers and permutations -------------------------------------------------------------- */

static avalue *rest(maker *k, avalue *x, uint32_t by)
{
	return x ? make2(k, "lax.rem", x, ex_wide(k, by, x->type), NULL) : NULL;
}

/* Two words make up for a span that does not divide the range of one. */
static avalue *integers(maker *k, avalue *key, int64_t low, int64_t high, const int64_t *dims,
                        int rank)
{
	uint32_t span = high > low ? (uint32_t)(high - low) : 1, by = span ? 65536 % span : 0;
	by = span ? by * by % span : 0;
	avalue *major = draw_bits(k, half_key(k, key, 0), DT_UI32, dims, rank);
	avalue *minor = draw_bits(k, half_key(k, key, 1), DT_UI32, dims, rank);
	if (span) {
		major = rest(k, major, span);
		major = major ? make2(k, "lax.mul", major, ex_wide(k, by, major->type), NULL)
		              : NULL;
		minor = rest(k, plus(k, major, rest(k, minor, span)), span);
	}
	avalue *x = minor ? ex_convert(k, minor, DT_I32) : NULL;
	return x ? plus(k, x, ex_wide(k, (double)low, x->type)) : NULL;
}

static bool ex_randint(maker *k)
{
	const int64_t *dims = NULL;
	int rank = drawn_shape(k, &dims);
	int64_t low = param_int(k->attrs, "minval", 0),
		high = param_int(k->attrs, "maxval", INT32_MAX);
	if (low < INT32_MIN || high > INT32_MAX || low >= high)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "randint: minval and maxval must be a span of 32-bit integers");
	return make_out(k, integers(k, k->in[0], low, high, dims, rank));
}

/* Sorts by random keys, often enough that equal keys do not matter. */
static avalue *shuffled(maker *k, avalue *key, avalue *x)
{
	int64_t n = x ? x->type->dim[0] : 0, zero = 0;
	int rounds = (int)ceil(3 * log((double)max_i64(n, 1)) / log(4294967295.0));
	for (int i = 0; i < rounds && x; i++) {
		avalue *out[2], *in[] = {draw_bits(k, half_key(k, key, 1), DT_UI32, &n, 1), x};
		key = half_key(k, key, 0);
		params *a = make_ints(k, "dimension", &zero, 1);
		x = in[0] && array_emit(k->ctx, "lax.sort", in, 2, a, out, 2) == 2 ? out[1] : NULL;
	}
	return x;
}

static avalue *rows_at(maker *k, avalue *x, avalue *at)
{
	int64_t zero = 0;
	return make2(k, "jnp.take", x, at, make_ints(k, "axis", &zero, 1));
}

static bool ex_permutation(maker *k)
{
	avalue *x = k->n_in > 1 ? k->in[1] : NULL;
	int64_t n = x ? x->type->rank ? x->type->dim[0] : 0 : param_int(k->attrs, "x", 0);
	if (x && x->type->rank == 1)
		return make_out(k, shuffled(k, k->in[0], x));
	avalue *order = shuffled(k, k->in[0], ex_iota(k, &n, 1, 0));
	return make_out(k, x ? rows_at(k, x, order) : order);
}

static bool ex_choice(maker *k)
{
	const int64_t *dims = NULL;
	int rank = drawn_shape(k, &dims);
	avalue *x = k->in[1];
	if (!x->type->rank || !x->type->dim[0])
		return diag_error(k->ctx, NOWHERE, E_ARRAY_SHAPE, "choice needs at least one element to choose from");
	return make_out(k, rows_at(k, x, integers(k, k->in[0], 0, x->type->dim[0], dims, rank)));
}

static bool ex_categorical(maker *k)
{
	avalue *x = k->in[1];
	int64_t last = -1;
	avalue *noise = gumbel(k, k->in[0], x->type->dtype, x->type->dim, x->type->rank);
	return make_out(k, make1(k, "jnp.argmax", make2(k, "lax.add", noise, x, NULL),
	                         make_ints(k, "axis", &last, 1)));
}

const expand_row expand_random_rows[] = {
	{"random.key", ex_key},
	{"random.split", ex_split},
	{"random.fold_in", ex_fold_in},
	{"random.uniform", ex_uniform},
	{"random.normal", ex_normal},
	{"random.gumbel", ex_gumbel},
	{"random.truncated_normal", ex_truncated_normal},
	{"random.exponential", ex_exponential},
	{"random.bernoulli", ex_bernoulli},
	{"random.bits", ex_bits},
	{"random.randint", ex_randint},
	{"random.permutation", ex_permutation},
	{"random.choice", ex_choice},
	{"random.categorical", ex_categorical},
	{NULL, NULL},
};
