/* gather.c - constraints of gather and scatter.
 *
 * Both are checked from the lists themselves, because op_gather_dims() refuses malformed numbers
 * without saying why. */
#include "op/verify/verify.h"

typedef struct list {
	const int64_t *v;
	int n;
	int part[3]; /* its place, as for op_attr_place() */
} list;

/* A field of the attribute `numbers`. */
static list field(module *m, const op *o, int numbers, int known)
{
	static const int64_t nothing = 0;
	list l = {.part = {numbers, known}};
	l.v = attr_ints(m->ctx, attr_get(op_attr(o, numbers), known), &l.n);
	if (l.n < 0) {
		l.v = &nothing;
		l.n = 0;
	}
	return l;
}

static bool list_has(list l, int64_t d)
{
	for (int i = 0; i < l.n; i++)
		if (l.v[i] == d)
			return true;
	return false;
}

static bool sorted(module *m, const op *o, const char *rule, const char *what, list l)
{
	for (int i = 1; i < l.n; i++)
		if (l.v[i - 1] >= l.v[i])
			return broken_at(m, o, part_item(m, l.part, i), rule,
			                 "has %s %s, expected them sorted and unique", what,
			                 dims_words(m, l.v, l.n));
	return true;
}

static bool in_range(module *m, const op *o, const char *rule, const char *what, list l,
                     int64_t limit)
{
	for (int i = 0; i < l.n; i++)
		if (l.v[i] < 0 || l.v[i] >= limit)
			return bad_dim_error(m, o, part_item(m, l.part, i), rule, what, l.v[i],
			                     limit);
	return true;
}

static bool lists_apart(module *m, const op *o, const char *rule, const char *what, list a, list b)
{
	for (int i = 0; i < a.n; i++)
		if (list_has(b, a.v[i]))
			return broken_at(m, o, part_item(m, a.part, i), rule,
			                 "has dimension %" PRId64 " in %s", a.v[i], what);
	return true;
}

static bool unique(module *m, const op *o, const char *rule, const char *what, list l)
{
	for (int i = 0; i < l.n; i++)
		for (int k = 0; k < i; k++)
			if (l.v[i] == l.v[k])
				return broken_at(m, o, part_item(m, l.part, i), rule,
				                 "has %" PRId64 " twice in %s", l.v[i], what);
	return true;
}

/* What gather and scatter share: batching dimensions pair operand and indices, and the index vector
 * has one element for each mapped dimension. */
typedef struct index_facts {
	list window, gone, batch, index_batch, map;
	int64_t vector;
	const char *window_name, *gone_name;
} index_facts;
#define VECTOR_PART(f) PART((f)->map.part[0], N_index_vector_dim)

static bool check_index(module *m, const op *o, const type *in, const type *ix,
                        const index_facts *f)
{
	if (!sorted(m, o, "", f->window_name, f->window) ||
	    !sorted(m, o, "", f->gone_name, f->gone) ||
	    !sorted(m, o, "", "operand batching dims", f->batch) ||
	    !unique(m, o, "", "indices batching dims", f->index_batch) ||
	    !unique(m, o, "", "the index map", f->map))
		return false;
	if (!lists_apart(m, o, "", "both the collapsed and the batching dims", f->gone, f->batch) ||
	    !lists_apart(m, o, "", "both the index map and the batching dims", f->map, f->batch))
		return false;
	if (f->batch.n != f->index_batch.n)
		return broken_at(m, o, f->index_batch.part, "",
		                 "has %d operand batching dims and %d indices batching dims, "
		                 "expected as many",
		                 f->batch.n, f->index_batch.n);
	if (list_has(f->index_batch, f->vector))
		return broken_at(m, o, VECTOR_PART(f), "",
		                 "has the index vector among the indices batching dims");
	if (!in_range(m, o, "", f->gone_name, f->gone, in->rank) ||
	    !in_range(m, o, "", "operand batching dims", f->batch, in->rank) ||
	    !in_range(m, o, "", "the index map", f->map, in->rank))
		return false;
	if (f->vector < 0 || f->vector > ix->rank)
		return broken_at(m, o, VECTOR_PART(f), "",
		                 "has its index vector in dimension %" PRId64
		                 " of indices of rank %d",
		                 f->vector, ix->rank);
	if (!in_range(m, o, "", "indices batching dims", f->index_batch, ix->rank))
		return false;
	int64_t size = f->vector < ix->rank ? ix->dims[f->vector] : 1;
	if (!dims_agree(size, f->map.n))
		return broken_at(m, o, f->map.part, "",
		                 "maps %d indices, but the index vector has %" PRId64 " elements",
		                 f->map.n, size);
	for (int i = 0; i < f->batch.n; i++)
		if (!dims_agree(in->dims[f->batch.v[i]], ix->dims[f->index_batch.v[i]]))
			return broken_at(m, o, part_item(m, f->index_batch.part, i), "",
			                 "batches size %" PRId64 " with indices of size %" PRId64,
			                 in->dims[f->batch.v[i]], ix->dims[f->index_batch.v[i]]);
	return true;
}

/* ---- gather -------------------------------------------------------------------------- */

static bool gather_sizes(module *m, const op *o, const type *in, const index_facts *f, list sizes)
{
	if (sizes.n != in->rank)
		return broken_at(m, o, sizes.part, "C10",
		                 "has %d slice sizes for an operand of rank %d", sizes.n, in->rank);
	if (f->window.n + f->gone.n + f->batch.n != sizes.n)
		return broken_at(m, o, PART(f->window.part[0]), "C1",
		                 "has %d offset, %d collapsed and %d batching dims for %d slice "
		                 "sizes",
		                 f->window.n, f->gone.n, f->batch.n, sizes.n);
	for (int i = 0; i < sizes.n; i++) {
		bool bad = sizes.v[i] < 0 ||
		           (!dim_dynamic(in->dims[i]) && sizes.v[i] > in->dims[i]);
		if (bad && !dim_dynamic(sizes.v[i]))
			return broken_at(m, o, part_item(m, sizes.part, i), "C11",
			                 "takes %" PRId64 " elements of dimension %d, which does "
			                 "not have so many",
			                 sizes.v[i], i);
		if ((list_has(f->gone, i) || list_has(f->batch, i)) && !dim_dynamic(sizes.v[i]) &&
		    sizes.v[i] > 1)
			return broken_at(m, o, part_item(m, sizes.part, i), "C8",
			                 "takes %" PRId64 " elements of the dropped dimension %d, "
			                 "expected at most 1",
			                 sizes.v[i], i);
	}
	return true;
}

/* The batch dimensions of the indices, in order, with the slice's dimensions at the offsets. */
static bool gather_shape(module *m, const op *o, const type *in, const type *ix,
                         const index_facts *f, list sizes, const type **out)
{
	int n_batch = f->vector < ix->rank ? ix->rank - 1 : ix->rank;
	int rank = n_batch + f->window.n, next_batch = 0, next_slice = 0;
	if (!in_range(m, o, "C3", "offset_dims", f->window, rank))
		return false;
	int64_t *dims = NEW_N(&m->ctx->scratch, int64_t, rank + 1);
	for (int d = 0; d < rank; d++) {
		if (list_has(f->window, d)) {
			while (list_has(f->gone, next_slice) || list_has(f->batch, next_slice))
				next_slice++;
			dims[d] = sizes.v[next_slice++];
		} else {
			if (next_batch == f->vector)
				next_batch++;
			dims[d] = ix->dims[next_batch++];
		}
	}
	*out = tensor_like(m, in, dims, rank);
	return true;
}

static int64_t index_vector_of(const attr *numbers)
{
	const attr *v = attr_get(numbers, N_index_vector_dim);
	return v && v->kind == AT_INT ? v->i : 0;
}

static bool gather_facts(module *m, const op *o, index_facts *f)
{
	const attr *s = op_attr(o, N_dimension_numbers);
	if (!s)
		return bad_attr(m, o, N_dimension_numbers, "is required");
	enum { NUMBERS = N_dimension_numbers };
	*f = (index_facts){field(m, o, NUMBERS, N_offset_dims),
	                   field(m, o, NUMBERS, N_collapsed_slice_dims),
	                   field(m, o, NUMBERS, N_operand_batching_dims),
	                   field(m, o, NUMBERS, N_start_indices_batching_dims),
	                   field(m, o, NUMBERS, N_start_index_map),
	                   0,
	                   "offset_dims",
	                   "collapsed_slice_dims"};
	f->vector = index_vector_of(s);
	return check_index(m, o, operand(o, 0)->type, operand(o, 1)->type, f);
}

bool infer_gather(module *m, const op *o, const type **out)
{
	const type *in = operand(o, 0)->type, *ix = operand(o, 1)->type;
	index_facts f;
	list sizes = {.part = {N_slice_sizes}};
	sizes.v = want_ints(m, o, N_slice_sizes, &sizes.n);
	return sizes.n >= 0 && gather_facts(m, o, &f) && gather_sizes(m, o, in, &f, sizes) &&
	       gather_shape(m, o, in, ix, &f, sizes, out);
}

bool check_dynamic_gather(module *m, const op *o)
{
	const type *in = operand(o, 0)->type, *ix = operand(o, 1)->type, *sz = operand(o, 2)->type;
	index_facts f;
	if (!gather_facts(m, o, &f))
		return false;
	int64_t n = sz->dims[0];
	if (!dims_agree(n, in->rank))
		return broken(m, o, "C10", "has %" PRId64 " slice sizes for an operand of rank %d",
		              n, in->rank);
	if (!dim_dynamic(n) && f.window.n + f.gone.n + f.batch.n != n)
		return broken_at(m, o, PART(N_dimension_numbers), "C1",
		                 "has %d offset, %d collapsed and %d batching dims for %" PRId64
		                 " slice sizes",
		                 f.window.n, f.gone.n, f.batch.n, n);
	const type *r = o->results[0].type, *want;
	if (!elems_agree(in, r))
		return broken(m, o, "C23", "takes %s from %s, expected the same elements",
		              type_words(m, r), type_words(m, in));
	if (dim_dynamic(n))
		return true;
	list sizes = {.n = (int)n, .part = {N_slice_sizes}};
	int64_t *unknown = NEW_N(&m->ctx->scratch, int64_t, n + 1);
	int n_const;
	const int64_t *known = const_ints(m, operand(o, 2), &n_const);
	for (int64_t i = 0; i < n; i++)
		unknown[i] = DIM_DYNAMIC;
	sizes.v = known && n_const == n ? known : unknown;
	if (known && !gather_sizes(m, o, in, &f, sizes))
		return false;
	if (!gather_shape(m, o, in, ix, &f, sizes, &want))
		return false;
	return shapes_agree(want, r) ||
	       broken(m, o, "C22", "has a result %s, expected %s", type_words(m, r),
	              type_words(m, want));
}

/* ---- scatter ----------------------------------------------------------------------------- */

static bool scatter_shapes(module *m, const op *o, const type *in, const type *ix,
                           const type *up, const index_facts *f)
{
	if (f->window.n + f->gone.n + f->batch.n != in->rank)
		return broken_at(m, o, PART(N_scatter_dimension_numbers), "C2",
		                 "has %d window, %d inserted and %d batching dims for an input of "
		                 "rank %d",
		                 f->window.n, f->gone.n, f->batch.n, in->rank);
	if (!in_range(m, o, "C8", "update_window_dims", f->window, up->rank))
		return false;
	int n_scatter = f->vector < ix->rank ? ix->rank - 1 : ix->rank;
	if (up->rank != n_scatter + f->window.n)
		return broken(m, o, "C4",
		              "has updates of rank %d, expected %d scatter and %d window "
		              "dims",
		              up->rank, n_scatter, f->window.n);
	int next_scatter = 0, next_window = 0;
	for (int d = 0; d < up->rank; d++) {
		if (list_has(f->window, d)) {
			while (list_has(f->gone, next_window) || list_has(f->batch, next_window))
				next_window++;
			int64_t size = in->dims[next_window];
			if (!dim_dynamic(size) && !dim_dynamic(up->dims[d]) && up->dims[d] > size)
				return broken(m, o, "C4",
				              "has a window of %" PRId64
				              " elements in a dimension of %" PRId64,
				              up->dims[d], size);
			next_window++;
		} else {
			if (next_scatter == f->vector)
				next_scatter++;
			if (!dims_agree(up->dims[d], ix->dims[next_scatter]))
				return broken(m, o, "C4",
				              "has %" PRId64 " updates in dimension %d for %" PRId64
				              " indices",
				              up->dims[d], d, ix->dims[next_scatter]);
			next_scatter++;
		}
	}
	return true;
}

bool check_scatter(module *m, const op *o)
{
	if (o->n_operands % 2 == 0)
		return broken(m, o, "",
		              "has %d operands, expected inputs, indices and as many updates",
		              o->n_operands);
	int n = o->n_operands / 2;
	const type *ix = operand(o, n)->type;
	if (o->n_results != n)
		return broken(m, o, "", "has %d results for %d inputs", o->n_results, n);
	if (dtype_class_of(ix->dtype) != DC_SINT &&
	    dtype_class_of(ix->dtype) != DC_UINT && ix->dtype != DT_INDEX)
		return broken(m, o, "I2", "has indices %s, expected integers", type_words(m, ix));
	const attr *s = op_attr(o, N_scatter_dimension_numbers);
	if (!s)
		return bad_attr(m, o, N_scatter_dimension_numbers, "is required");
	enum { NUMBERS = N_scatter_dimension_numbers };
	index_facts f = {field(m, o, NUMBERS, N_update_window_dims),
	                 field(m, o, NUMBERS, N_inserted_window_dims),
	                 field(m, o, NUMBERS, N_input_batching_dims),
	                 field(m, o, NUMBERS, N_scatter_indices_batching_dims),
	                 field(m, o, NUMBERS, N_scatter_dims_to_operand_dims),
	                 0,
	                 "update_window_dims",
	                 "inserted_window_dims"};
	f.vector = index_vector_of(s);
	if (!check_index(m, o, operand(o, 0)->type, ix, &f))
		return false;
	const type **inits = NEW_N(&m->ctx->scratch, const type *, n);
	const type **updates = NEW_N(&m->ctx->scratch, const type *, n);
	const type **acc = NEW_N(&m->ctx->scratch, const type *, n);
	for (int i = 0; i < n; i++) {
		const type *in = operand(o, i)->type, *up = operand(o, n + 1 + i)->type;
		if (!shapes_agree(in, operand(o, 0)->type) ||
		    !shapes_agree(up, operand(o, n + 1)->type))
			return broken(
				m, o, "C1",
				"has inputs or updates of different shapes, expected the same");
		if (!scatter_shapes(m, o, in, ix, up, &f))
			return false;
		inits[i] = scalar_like(m, in);
		updates[i] = up;
	}
	if (!check_reducer(m, o, 0, n, updates, inits, acc, NULL, 0))
		return false;
	for (int i = 0; i < n; i++) {
		const type *r = o->results[i].type;
		if (!shapes_agree(r, operand(o, i)->type) || !elems_agree(r, acc[i]))
			return broken(m, o, "C24, C25",
			              "has a result %s for an input %s and a reducer on %s",
			              type_words(m, r), type_words(m, operand(o, i)->type),
			              type_words(m, acc[i]));
	}
	return true;
}
