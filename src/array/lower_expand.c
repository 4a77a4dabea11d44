/* lower_expand.c - operations whose meaning is written in other operations.
 *
 * Their types have rules of their own, so they are nodes; to be run they are written out
 * here, with nothing sharded: the result alone gets the sharding of its type. */
#include "array/index.h"
#include "array/lower.h"
#include "array/make.h"

/* ---- parts -------------------------------------------------------------------------- */

static avalue *ex_iota(maker *k, const int64_t *dims, int rank, int64_t along)
{
	params *a = make_ints(k, "shape", dims, rank);
	avalue *out = NULL;
	make_more(k, a, "dimension", &along, 1);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = DT_I32});
	return array_emit(k->ctx, "lax.iota", NULL, 0, a, &out, 1) == 1 ? out : NULL;
}

static avalue *ex_int(maker *k, int64_t v)
{
	params *a = make_attrs(k);
	avalue *out = NULL;
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = DT_I32});
	params_set(&k->ctx->scratch, a,
	           (param){.key = "value", .kind = PK_NUMBER, .n = 1, .number = (double)v});
	return array_emit(k->ctx, "scalar", NULL, 0, a, &out, 1) == 1 ? out : NULL;
}

static avalue *ex_convert(maker *k, avalue *x, dtype t)
{
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t});
	return x && x->type->dtype == t ? x : make1(k, "lax.convert_element_type", x, a);
}

static avalue *ex_where(maker *k, avalue *which, avalue *a, avalue *b)
{
	avalue *in[] = {which, a, b}, *out = NULL;
	return which && a && b && array_emit(k->ctx, "jnp.where", in, 3, NULL, &out, 1) == 1 ? out
	                                                                                     : NULL;
}

static avalue *ex_slice(maker *k, avalue *x, int dim, int64_t from, int64_t to)
{
	int64_t start[ARRAY_MAX_RANK] = {0}, limit[ARRAY_MAX_RANK];
	if (!x)
		return NULL;
	memcpy(limit, x->type->dim, sizeof limit);
	start[dim] = from;
	limit[dim] = to;
	params *a = make_ints(k, "start_indices", start, x->type->rank);
	make_more(k, a, "limit_indices", limit, x->type->rank);
	return make1(k, "lax.slice", x, a);
}

static avalue *ex_join(maker *k, avalue *const *in, int n, int dim)
{
	int64_t at = dim;
	avalue *out = NULL;
	return array_emit(k->ctx, "lax.concatenate", in, n, make_ints(k, "dimension", &at, 1), &out,
	                  1) == 1
	               ? out
	               : NULL;
}

static avalue *ex_reshape(maker *k, avalue *x, const int64_t *dims, int rank)
{
	return make1(k, "lax.reshape", x, make_ints(k, "new_sizes", dims, rank));
}

static avalue *ex_broadcast(maker *k, avalue *x, const int64_t *dims, int rank)
{
	return make1(k, "jnp.broadcast_to", x, make_ints(k, "shape", dims, rank));
}

static avalue *ex_flat(maker *k, avalue *x)
{
	int64_t n = atype_elements(x->type);
	return x->type->rank == 1 ? x : ex_reshape(k, x, &n, 1);
}

static avalue *ex_reduce(maker *k, const char *op, avalue *x, int64_t axis, bool keep)
{
	int64_t one = 1;
	params *a = make_ints(k, "axes", &axis, 1);
	if (keep)
		make_more(k, a, "keepdims", &one, 1);
	return make1(k, op, x, a);
}

/* The axis attribute in range, or -1 if there is none (nothing is wrong: the rule has looked). */
static int ex_axis(maker *k, const char *key, int rank)
{
	int64_t axis = param_int(k->attrs, key, 0);
	return !param_has(k->attrs, key) ? -1 : (int)(axis < 0 ? axis + rank : axis);
}

/* ---- shapes ----------------------------------------------------------------------------- */

static avalue *rolled(maker *k, avalue *x, int dim, int64_t shift)
{
	int64_t n = x ? x->type->dim[dim] : 0, by = n ? ((shift % n) + n) % n : 0;
	if (!by)
		return x;
	avalue *parts[] = {ex_slice(k, x, dim, n - by, n), ex_slice(k, x, dim, 0, n - by)};
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
		x = times == 0   ? ex_slice(k, x, d, 0, 0)
		    : times == 1 ? x
		                 : ex_join(k, parts, (int)times, d);
	}
	return make_out(k, x);
}

/* Each element several times: a dimension behind it is broadcast, then merged. */
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

/* Where row + k >= column (lower), or row + k <= column. */
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

/* eye, tri: truth values as numbers. */
static bool ex_square(maker *k)
{
	int64_t n = param_int(k->attrs, "n", 0), dims[] = {n, param_int(k->attrs, "m", n)};
	avalue *row = ex_iota(k, dims, 2, 0), *column = ex_iota(k, dims, 2, 1);
	row = make2(k, "jnp.add", row, ex_int(k, param_int(k->attrs, "k", 0)), NULL);
	avalue *on = make2(k, strcmp(k->op->name, "jnp.eye") == 0 ? "lax.eq" : "lax.ge", row,
	                   column, NULL);
	return make_out(k, ex_convert(k, on, param_dtype(k->attrs, "dtype", DT_F32)));
}

/* The elements with two equal places, the others summed away as 0. */
static avalue *diagonal_of(maker *k, avalue *x, int64_t sum_over)
{
	const atype *t = x->type;
	avalue *on = make2(k, "lax.eq", ex_iota(k, t->dim, t->rank, 0),
	                   ex_iota(k, t->dim, t->rank, 1), NULL);
	return ex_reduce(k, "lax.reduce_sum",
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
	avalue *d = diagonal_of(k, k->in[0], 0);
	return make_out(k, d ? ex_reduce(k, "lax.reduce_sum", d, 0, false) : NULL);
}

/* ---- from nothing --------------------------------------------------------------------------- */

static bool ex_full(maker *k)
{
	const int64_t *shape;
	int n = param_ints(k->attrs, "shape", &shape);
	const param *v = param_find(k->attrs, "fill_value");
	avalue *x = k->n_in ? k->in[0] : NULL;
	if (!x && v)
		x = make_number(k, v->kind == PK_NUMBER ? v->number
		                   : v->n               ? (double)v->ints[0]
		                                        : 0);
	return make_out(k, x && n >= 0 ? ex_broadcast(k, x, shape, n) : NULL);
}

static bool ex_linspace(maker *k)
{
	int64_t n = param_int(k->attrs, "num", 0);
	const param *from = param_find(k->attrs, "start"), *to = param_find(k->attrs, "stop");
	double a = !from ? 0 : from->kind == PK_NUMBER ? from->number : (double)from->ints[0];
	double b = !to ? 1 : to->kind == PK_NUMBER ? to->number : (double)to->ints[0];
	avalue *places = ex_convert(k, ex_iota(k, &n, 1, 0), DT_F32);
	avalue *scaled = make2(k, "jnp.multiply", places,
	                       make_number(k, n > 1 ? (b - a) / (double)(n - 1) : 0), NULL);
	return make_out(k, make2(k, "jnp.add", scaled, make_number(k, a), NULL));
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* any, all: of numbers, whether they are not 0. */
static bool ex_any(maker *k)
{
	avalue *x = k->in[0];
	if (x->type->dtype != DT_I1)
		x = make2(k, "lax.ne", x, make1(k, "jnp.zeros_like", x, NULL), NULL);
	const char *op = strcmp(k->op->name, "jnp.any") == 0 ? "lax.reduce_or" : "lax.reduce_and";
	return make_out(k, make_reduce(k, op, x, param_int(k->attrs, "keepdims", 0)));
}

static bool ex_count(maker *k)
{
	avalue *on = make2(k, "lax.ne", k->in[0], make1(k, "jnp.zeros_like", k->in[0], NULL), NULL);
	return make_out(k, make_reduce(k, "lax.reduce_sum", ex_convert(k, on, DT_I32),
	                               param_int(k->attrs, "keepdims", 0)));
}

/* The first place that holds the extreme; NaN counts as extreme. */
static bool ex_arg(maker *k)
{
	avalue *x = k->in[0];
	int axis = ex_axis(k, "axis", x->type->rank);
	bool least = strstr(k->op->name, "argmin") != NULL;
	if (axis < 0) {
		x = ex_flat(k, x);
		axis = 0;
	}
	if (!x)
		return false;
	avalue *top = ex_reduce(k, least ? "lax.reduce_min" : "lax.reduce_max", x, axis, true);
	avalue *hit = make2(k, "jnp.equal", x, top, NULL);
	if (dtype_is_float(x->type->dtype))
		hit = make2(k, "lax.bitwise_or", hit, make2(k, "lax.ne", x, x, NULL), NULL);
	avalue *places = ex_iota(k, x->type->dim, x->type->rank, axis);
	avalue *none = ex_int(k, x->type->dim[axis]);
	avalue *first = ex_reduce(k, "lax.reduce_min", ex_where(k, hit, places, none), axis,
	                          param_int(k->attrs, "keepdims", 0));
	return make_out(k, first);
}

/* The middle of the sorted values, or the mean of the two in the middle. */
static bool ex_median(maker *k)
{
	avalue *x = k->in[0];
	int axis = ex_axis(k, "axis", x->type->rank);
	if (axis < 0) {
		x = ex_flat(k, x);
		axis = 0;
	}
	int64_t n = x ? x->type->dim[axis] : 0, at = axis;
	if (!n)
		return false;
	x = make1(k, "jnp.sort", dtype_is_int(x->type->dtype) ? ex_convert(k, x, DT_F32) : x,
	          make_ints(k, "axis", &at, 1));
	avalue *low = ex_slice(k, x, axis, (n - 1) / 2, (n - 1) / 2 + 1),
	       *high = ex_slice(k, x, axis, n / 2, n / 2 + 1);
	avalue *sum = make2(k, "lax.add", low, high, NULL);
	return make_out(k, ex_reduce(k, "lax.reduce_sum",
	                             make2(k, "jnp.multiply", sum, make_number(k, 0.5), NULL), axis,
	                             false));
}

/* log of running sums of e^x, with the running maximum taken out. */
static bool ex_cumlogsumexp(maker *k)
{
	int64_t axis = param_int(k->attrs, "axis", 0);
	avalue *x = k->in[0], *top = ex_reduce(k, "lax.reduce_max", x, axis, true);
	avalue *e = make1(k, "lax.exp", make2(k, "jnp.subtract", x, top, NULL), NULL);
	params *a = make_ints(k, "axis", &axis, 1);
	make_pass(k, a, "reverse");
	avalue *sum = make1(k, "lax.log", make1(k, "lax.cumsum", e, a), NULL);
	return make_out(k, make2(k, "jnp.add", sum, top, NULL));
}

/* How many of the sorted values are smaller. */
static bool ex_searchsorted(maker *k)
{
	int64_t n = k->in[0]->type->dim[0], dims[ARRAY_MAX_RANK + 1], ones[ARRAY_MAX_RANK + 1];
	avalue *q = k->in[1];
	int rank = q->type->rank;
	if (rank == ARRAY_MAX_RANK)
		return false;
	for (int d = 0; d < rank; d++)
		dims[d] = ones[d] = q->type->dim[d];
	dims[rank] = n;
	ones[rank] = 1;
	avalue *wide = ex_broadcast(k, ex_reshape(k, q, ones, rank + 1), dims, rank + 1);
	avalue *less = make2(k, "jnp.less", k->in[0], wide, NULL);
	return make_out(k,
	                ex_reduce(k, "lax.reduce_sum", ex_convert(k, less, DT_I32), rank, false));
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Indices counted from the end where they are negative. */
static avalue *from_front(maker *k, avalue *at, int64_t size)
{
	avalue *i = ex_convert(k, at, DT_I32), *zero = ex_int(k, 0);
	avalue *moved = make2(k, "jnp.add", i, ex_int(k, size), NULL);
	return ex_where(k, make2(k, "jnp.less", i, zero, NULL), moved, i);
}

/* One place for each element of `dims`: part[d] are the places along dimension d of x. */
static avalue *ex_places(maker *k, avalue *const *part, int n, const int64_t *dims, int rank)
{
	int64_t row[ARRAY_MAX_RANK + 1];
	avalue *wide[ARRAY_MAX_RANK];
	if (rank >= ARRAY_MAX_RANK)
		return NULL;
	memcpy(row, dims, sizeof *row * (size_t)rank);
	row[rank] = 1;
	for (int d = 0; d < n; d++)
		if (!part[d] || !(wide[d] = ex_reshape(k, part[d], row, rank + 1)))
			return NULL;
	return ex_join(k, wide, n, rank);
}

/* Along the axis the places are given, along the others they are their own. */
static bool ex_take_along(maker *k)
{
	avalue *x = k->in[0], *at = k->in[1], *part[ARRAY_MAX_RANK];
	const atype *t = at->type;
	int axis = param_has(k->attrs, "axis") ? ex_axis(k, "axis", x->type->rank)
	                                       : x->type->rank - 1;
	int64_t dims[ARRAY_MAX_RANK];
	for (int d = 0; d < t->rank; d++)
		dims[d] = d == axis ? t->dim[d] : max_i64(t->dim[d], x->type->dim[d]);
	at = ex_broadcast(k, at, dims, t->rank);
	for (int d = 0; at && d < t->rank; d++)
		part[d] = d == axis ? from_front(k, at, x->type->dim[d])
		          : x->type->dim[d] == 1
		                  ? make1(k, "jnp.zeros_like", ex_iota(k, dims, t->rank, d), NULL)
		                  : ex_iota(k, dims, t->rank, d);
	avalue *places = at ? ex_places(k, part, t->rank, dims, t->rank) : NULL;
	return make_out(k, make2(k, "gather.points", x, places, NULL));
}

/* Rows of x: gather_rows(x, at[n, 1]). */
static bool ex_rows(maker *k)
{
	avalue *at = k->in[1];
	int64_t n = at->type->dim[0], zero = 0;
	return make_out(k, make2(k, "jnp.take", k->in[0], ex_reshape(k, at, &n, 1),
	                         make_ints(k, "axis", &zero, 1)));
}

/* What is written to by x.at[index]: its dimensions, and the places along each of x. */
typedef struct ex_window {
	int64_t dims[ARRAY_MAX_RANK];
	int rank;
	avalue *part[ARRAY_MAX_RANK];
} ex_window;

static bool window_dims(maker *k, const index_plan *p, ex_window *w)
{
	for (int i = 0; i < p->n; i++) {
		const index_item *it = &p->item[i];
		const atype *at = it->kind == INDEX_ARRAY ? k->in[it->number]->type : NULL;
		if (w->rank + (at ? at->rank : 1) > ARRAY_MAX_RANK)
			return false;
		for (int d = 0; at && d < at->rank; d++)
			w->dims[w->rank++] = at->dim[d];
		if (it->kind == INDEX_SLICE || it->kind == INDEX_NEW)
			w->dims[w->rank++] = it->size;
	}
	return true;
}

/* Places from an array that stands at dimensions from … of the window. */
static avalue *places_of_array(maker *k, avalue *at, const ex_window *w, int from, int64_t size)
{
	int64_t dims[ARRAY_MAX_RANK];
	for (int d = 0; d < w->rank; d++)
		dims[d] = d >= from && d < from + at->type->rank ? w->dims[d] : 1;
	avalue *i = from_front(k, at, size);
	return i ? ex_broadcast(k, ex_reshape(k, i, dims, w->rank), w->dims, w->rank) : NULL;
}

static avalue *places_of_slice(maker *k, const index_item *it, const ex_window *w, int from)
{
	avalue *i = ex_iota(k, w->dims, w->rank, from);
	i = make2(k, "jnp.multiply", i, ex_int(k, it->by), NULL);
	return make2(k, "jnp.add", i, ex_int(k, it->from), NULL);
}

static bool window_places(maker *k, const index_plan *p, ex_window *w)
{
	int from = 0;
	for (int i = 0; i < p->n; i++) {
		const index_item *it = &p->item[i];
		avalue *at = it->kind == INDEX_ARRAY ? k->in[it->number] : NULL;
		if (at) {
			w->part[it->dim] = places_of_array(k, at, w, from,
			                                   k->in[0]->type->dim[it->dim]);
			from += at->type->rank;
		} else if (it->kind == INDEX_NUMBER) {
			w->part[it->dim] = ex_broadcast(k, ex_int(k, it->number), w->dims, w->rank);
		} else {
			if (it->kind == INDEX_SLICE)
				w->part[it->dim] = places_of_slice(k, it, w, from);
			from++;
		}
	}
	return true;
}

/* x.at[index].set(update), add, …: element by element. */
static bool ex_scatter(maker *k)
{
	index_plan p;
	ex_window w = {.rank = 0};
	avalue *x = k->in[0], *u = k->in[k->n_in - 1], *out = NULL;
	if (!index_read(k->ctx, param_text(k->attrs, "index"), x->type, k->n_in - 1, &p) ||
	    !window_dims(k, &p, &w) || !window_places(k, &p, &w))
		return false;
	avalue *places = ex_places(k, w.part, x->type->rank, w.dims, w.rank);
	u = ex_broadcast(k, ex_convert(k, u, x->type->dtype), w.dims, w.rank);
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a, (param){.key = "how", .kind = PK_TEXT, .n = 1,
	                                        .text = str_of(strrchr(k->op->name, '.') + 1)});
	avalue *in[] = {x, places, u};
	return places && u && array_emit(k->ctx, "scatter.points", in, 3, a, &out, 1) == 1 &&
	       make_out(k, out);
}

/* bincount(ids), segment_sum(data, ids): sums at places that the ids name. */
static bool ex_sums(maker *k)
{
	avalue *ids = ex_flat(k, k->in[k->n_in - 1]), *out = NULL;
	bool counts = k->n_in == 1;
	int64_t n = counts ? param_int(k->attrs, "length", 0)
	                   : param_int(k->attrs, "num_segments", 0);
	int64_t many = ids ? ids->type->dim[0] : 0;
	avalue *data = counts ? ex_broadcast(k, ex_int(k, 1), &many, 1) : k->in[0];
	int64_t row[] = {many, 1};
	params *a = make_attrs(k), *how = make_attrs(k);
	params_set(&k->ctx->scratch, a, (param){.key = "dtype", .kind = PK_DTYPE, .n = 1,
	                                        .dtype = data ? data->type->dtype : DT_F32});
	make_more(k, a, "shape", &n, 1);
	params_set(&k->ctx->scratch, how,
	           (param){.key = "how", .kind = PK_TEXT, .n = 1, .text = str_of("add")});
	avalue *zeros = NULL;
	if (!data || data->type->rank != 1 ||
	    array_emit(k->ctx, "jnp.zeros", NULL, 0, a, &zeros, 1) != 1)
		return false;
	avalue *in[] = {zeros, ex_reshape(k, ex_convert(k, ids, DT_I32), row, 2), data};
	return in[1] && array_emit(k->ctx, "scatter.points", in, 3, how, &out, 1) == 1 &&
	       make_out(k, out);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	make_fn *make;
} expansions[] = {
	{"jnp.roll", ex_roll},           {"jnp.tile", ex_tile},
	{"jnp.repeat", ex_repeat},       {"jnp.triu", ex_triangle},
	{"jnp.tril", ex_triangle},       {"jnp.eye", ex_square},
	{"jnp.tri", ex_square},          {"jnp.diag", ex_diagonal},
	{"jnp.diagonal", ex_diagonal},   {"jnp.trace", ex_trace},
	{"jnp.full", ex_full},           {"jnp.linspace", ex_linspace},
	{"jnp.any", ex_any},             {"jnp.all", ex_any},
	{"jnp.count_nonzero", ex_count}, {"jnp.argmax", ex_arg},
	{"jnp.argmin", ex_arg},          {"lax.argmax", ex_arg},
	{"lax.argmin", ex_arg},          {"jnp.median", ex_median},
	{"lax.cumlogsumexp", ex_cumlogsumexp}, {"jnp.searchsorted", ex_searchsorted},
	{"jnp.take_along_axis", ex_take_along}, {"lax.gather_rows", ex_rows},
	{"at.set", ex_scatter},          {"at.add", ex_scatter},
	{"at.mul", ex_scatter},          {"at.max", ex_scatter},
	{"at.min", ex_scatter},          {"jnp.bincount", ex_sums},
	{"ops.segment_sum", ex_sums},
};

static make_fn *expansion_of(const array_op *op)
{
	for (int i = 0; i < COUNT(expansions); i++)
		if (strcmp(expansions[i].name, op->name) == 0)
			return expansions[i].make;
	return NULL;
}

bool lower_has_expansion(const array_op *op) { return expansion_of(op) != NULL; }

/* The type with nothing sharded. */
static atype bare_type(const atype *t)
{
	atype bare = {.dtype = t->dtype, .weak = t->weak, .rank = t->rank};
	memcpy(bare.dim, t->dim, sizeof bare.dim);
	return bare;
}

bool lower_expansion(lowering *l, const anode *n)
{
	array_state *st = array_state_of(l->ctx), before = *st;
	afn *f = NEW(&l->ctx->scratch, afn);
	*f = (afn){.ctx = l->ctx, .mem = &l->ctx->scratch};
	avalue **in = NEW_N(&l->ctx->scratch, avalue *, n->n_in + 1);
	int *ids = NEW_N(&l->ctx->scratch, int, n->n_in + 1);
	st->mesh = NULL;
	st->trace = f;
	st->hidden = 0;
	for (int i = 0; i < n->n_in; i++) {
		atype bare = bare_type(n->in[i]->type);
		in[i] = afn_param(f, &bare);
		ids[i] = lower_of(l, n->in[i]);
	}
	maker k = {.ctx = l->ctx, .op = n->op, .in = in, .n_in = n->n_in, .attrs = n->attrs};
	bool ok = expansion_of(n->op)(&k) && k.out.len == n->n_out;
	st->mesh = before.mesh;
	st->trace = before.trace;
	st->hidden = before.hidden;
	if (!ok || !lower_body(l, f, ids))
		return false;
	for (int i = 0; i < n->n_out; i++) {
		const avalue *v = k.out.ptr[i];
		lower_set(l, n->out[i],
		          lower_convert_to(l, lower_of(l, v), v->type, n->out[i]->type->dtype));
	}
	return true;
}
