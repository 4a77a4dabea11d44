/* places.c - gather and scatter at indices given by values. */
#include "array/expand/expand.h"
#include "array/make/index.h"

/* ---- indices -------------------------------------------------------------------------------- */

/* Adds the size to negative indices. */
static avalue *from_front(maker *k, avalue *at, int64_t size)
{
	avalue *i = ex_convert(k, at, DT_I32), *zero = ex_int(k, 0);
	avalue *moved = make2(k, "jnp.add", i, ex_int(k, size), NULL);
	return ex_where(k, make2(k, "jnp.less", i, zero, NULL), moved, i);
}

/* Combines indices for each element of `dims`; part[d] are the indices along dimension d of x. */
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

/* Along the axis the indices are given; along other dimensions they are the position itself. */
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

/* What x.at[index] writes to: its dimensions, and the indices along each dimension of x. */
typedef struct ex_window {
	int64_t dims[ARRAY_MAX_RANK];
	int rank;
	int places; /* position of the index arrays' dimensions */
	index_places l;
	avalue *part[ARRAY_MAX_RANK];
} ex_window;

static bool window_dims(maker *k, const index_plan *p, ex_window *w)
{
	const atype *in[ARRAY_MAX_RANK + 3];
	if (k->n_in > COUNT(in))
		return false;
	for (int i = 0; i < k->n_in; i++)
		in[i] = k->in[i]->type;
	if (!index_places_of(k->ctx, k->op->name, p, in, &w->l))
		return false;
	bool placed = false;
	for (int i = 0; i < p->n; i++) {
		const index_item *it = &p->item[i];
		bool here = !placed && (w->l.in_front || index_is_advanced(it));
		if (here)
			w->places = w->rank;
		for (int d = 0; here && d < w->l.rank; d++)
			w->dims[w->rank++] = w->l.dim[d];
		placed |= here;
		if (!index_is_advanced(it))
			w->dims[w->rank++] = it->size;
	}
	return true;
}

/* Indices from an array, whose dimensions are the last ones of the arrays' common shape. */
static avalue *places_of_array(maker *k, avalue *at, const ex_window *w, int64_t size)
{
	int64_t dims[ARRAY_MAX_RANK];
	int from = w->places + w->l.rank - at->type->rank;
	for (int d = 0; d < w->rank; d++)
		dims[d] = d >= from && d < from + at->type->rank ? at->type->dim[d - from] : 1;
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
	int from = w->places ? 0 : w->l.rank;
	for (int i = 0; i < p->n; i++) {
		const index_item *it = &p->item[i];
		if (it->kind == INDEX_ARRAY) {
			w->part[it->dim] = places_of_array(k, k->in[it->number], w,
			                                   k->in[0]->type->dim[it->dim]);
		} else if (it->kind == INDEX_NUMBER) {
			w->part[it->dim] = ex_broadcast(k, ex_int(k, it->number), w->dims, w->rank);
		} else {
			if (it->kind == INDEX_SLICE)
				w->part[it->dim] = places_of_slice(k, it, w, from);
			from++;
			if (from == w->places)
				from += w->l.rank;
		}
	}
	return true;
}

/* x.at[index].set(update), add, …, elementwise. */
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

/* bincount(ids), segment_sum(data, ids): sums by id. */
static bool ex_sums(maker *k)
{
	avalue *ids = ex_flat(k, k->in[k->n_in - 1]), *out = NULL;
	bool counts = k->n_in == 1;
	if (counts && ids) /* negative ids count as 0 */
		ids = make2(k, "jnp.maximum", ids, ex_number(k, 0, ids->type->dtype), NULL);
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

const expand_row expand_places_rows[] = {
	{"jnp.take_along_axis", ex_take_along},
	{"lax.gather_rows", ex_rows},
	{"at.set", ex_scatter},
	{"at.add", ex_scatter},
	{"at.mul", ex_scatter},
	{"at.max", ex_scatter},
	{"at.min", ex_scatter},
	{"jnp.bincount", ex_sums},
	{"ops.segment_sum", ex_sums},
	{NULL, NULL},
};
