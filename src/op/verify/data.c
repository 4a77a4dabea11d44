/* data.c - constraints of ops that move or rename data. */
#include "op/verify/verify.h"

bool check_same_shape(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = o->results[0].type;
	return shapes_agree(a, b) ||
	       broken(m, o, "C1", "turns %s into %s, expected the same shape", type_words(m, a),
	              type_words(m, b));
}

bool check_bitcast_convert(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = o->results[0].type;
	if (is_quantized(a) || is_quantized(b))
		return true;
	if (dtype_is_complex(a->dtype) != dtype_is_complex(b->dtype))
		return broken(m, o, "C2",
		              "turns %s into %s; complex numbers become only complex numbers",
		              type_words(m, a), type_words(m, b));
	int wa = dtype_bits(a->dtype), wb = dtype_bits(b->dtype);
	const type *narrow = wa < wb ? a : b, *wide = wa < wb ? b : a;
	int extra = wa == wb ? 0 : 1;
	if (narrow->rank != wide->rank + extra)
		return broken(m, o, "C1",
		              "turns %s into %s; the narrow side needs %d dimension%s more",
		              type_words(m, a), type_words(m, b), extra, extra == 1 ? "" : "s");
	for (int i = 0; i < wide->rank; i++)
		if (!dims_agree(narrow->dims[i], wide->dims[i]))
			return broken(m, o, "C1", "turns %s into %s: dimension %d differs",
			              type_words(m, a), type_words(m, b), i);
	int ratio = wa < wb ? wb / wa : wa / wb;
	if (extra && !dims_agree(narrow->dims[narrow->rank - 1], ratio))
		return broken(m, o, "C1", "turns %s into %s: the last dimension must be %d",
		              type_words(m, a), type_words(m, b), ratio);
	return true;
}

/* C3 would tie compare_type to the elements. MLIR does not check it, programs violate it (signless
 * integers compared as UNSIGNED), and nobody reads it: the elements decide. */
bool check_compare(module *m, const op *o)
{
	const char *dir = enum_word(op_attr(o, N_comparison_direction));
	if (!dir[0])
		return bad_attr(m, o, N_comparison_direction, "is required");
	if (dtype_is_complex(operand(o, 0)->type->dtype) && strcmp(dir, "EQ") && strcmp(dir, "NE"))
		return broken_at(m, o, PART(N_comparison_direction), "C4",
		                 "orders complex numbers, which only EQ and NE compare");
	return true;
}

bool check_select(module *m, const op *o)
{
	const type *p = operand(o, 0)->type, *t = operand(o, 1)->type;
	return !p->rank || shapes_agree(p, t) ||
	       broken(m, o, "C1",
	              "has a predicate of type %s, expected a scalar or the shape of %s",
	              type_words(m, p), type_words(m, t));
}

bool check_clamp(module *m, const op *o)
{
	const type *t = operand(o, 1)->type;
	for (int i = 0; i < 3; i += 2) {
		const type *b = operand(o, i)->type;
		if (!elems_agree(b, t))
			return broken(m, o, "C3", "has a bound of type %s for %s", type_words(m, b),
			              type_words(m, t));
		if (b->rank && !shapes_agree(b, t))
			return broken(
				m, o, i ? "C2" : "C1",
				"has a bound of type %s, expected a scalar or the shape of %s",
				type_words(m, b), type_words(m, t));
	}
	return true;
}

bool check_reduce_precision(module *m, const op *o)
{
	if (op_int(o, N_exponent_bits, 0) < 1)
		return broken_at(m, o, PART(N_exponent_bits), "C2",
		                 "needs at least one bit of exponent");
	return op_int(o, N_mantissa_bits, -1) >= 0 ||
	       broken_at(m, o, PART(N_mantissa_bits), "C3",
	                 "has %" PRId64 " bits of mantissa, expected at least 0",
	                 op_int(o, N_mantissa_bits, -1));
}

/* ---- iota, broadcast, reshape ------------------------------------------------------- */

static bool check_iota_of(module *m, const op *o, const type *t)
{
	int64_t dim;
	if (!t->rank)
		return broken(m, o, "", "has a scalar result, expected at least one dimension");
	return want_int(m, o, N_iota_dimension, t->rank, &dim);
}

bool check_iota(module *m, const op *o)
{
	const type *t = o->results[0].type;
	if (dtype_class_of(t->dtype) == DC_BOOL)
		return broken(m, o, "", "counts in i1, expected numbers");
	return check_iota_of(m, o, t);
}

/* The shape operand has one element for each dimension of the result. */
static bool shape_operand(module *m, const op *o, int i, const char *rule)
{
	const type *s = operand(o, i)->type, *t = o->results[0].type;
	if (!dims_agree(s->dims[0], t->rank))
		return broken(m, o, rule,
		              "has a shape of %" PRId64 " numbers for a result of rank %d",
		              s->dims[0], t->rank);
	int n;
	const int64_t *v = const_ints(m, operand(o, i), &n);
	for (int d = 0; d < n && d < t->rank; d++)
		if (v[d] < 0 || !dims_agree(v[d], t->dims[d]))
			return broken(m, o, rule, "has the shape %s for a result %s",
			              dims_words(m, v, n), type_words(m, t));
	return true;
}

bool check_dynamic_iota(module *m, const op *o)
{
	return check_iota_of(m, o, o->results[0].type) && shape_operand(m, o, 0, "C2");
}

static bool check_broadcast_dims(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = o->results[0].type;
	int n;
	const int64_t *dims = want_ints(m, o, N_broadcast_dimensions, &n);
	if (n < 0)
		return false;
	if (!elems_agree(a, b))
		return broken(m, o, "C1", "turns %s into %s, expected the same elements",
		              type_words(m, a), type_words(m, b));
	if (n != a->rank)
		return broken_at(m, o, PART(N_broadcast_dimensions), "C2",
		                 "maps %d dimensions, but its operand has %d", n, a->rank);
	if (n > b->rank)
		return broken(m, o, "C3", "has a result of rank %d, lower than its operand's",
		              b->rank);
	if (!dims_in_range(m, o, PART(N_broadcast_dimensions), "C4", "broadcast_dimensions", dims,
	                   n, b->rank, true))
		return false;
	for (int i = 0; i < n; i++) {
		int64_t from = a->dims[i], to = b->dims[dims[i]];
		if (from != 1 && !dims_agree(from, to))
			return broken_at(m, o, PART(N_broadcast_dimensions, ITEM(i)), "C5",
			                 "maps dimension %d of size %" PRId64
			                 " to one of size %" PRId64,
			                 i, from, to);
	}
	return true;
}

/* A result with more than one dynamic dimension, or with an unbounded one, would leave its sizes
 * open. */
static bool broadcast_result_known(module *m, const op *o)
{
	const type *t = o->results[0].type;
	int dynamic = 0;
	for (int i = 0; i < t->rank; i++)
		dynamic += dim_dynamic(t->dims[i]);
	return !dynamic || (dynamic == 1 && t->encoding) ||
	       broken(m, o, "", "has a result %s, expected a static or bounded one",
	              type_words(m, t));
}

bool check_broadcast_in_dim(module *m, const op *o)
{
	return check_broadcast_dims(m, o) && broadcast_result_known(m, o);
}

/* Checks the operand against a constant shape. */
static bool broadcast_fits_shape(module *m, const op *o)
{
	int n, k;
	const type *t = operand(o, 0)->type;
	const int64_t *v = const_ints(m, operand(o, 1), &n);
	const int64_t *dims = op_ints(m, o, N_broadcast_dimensions, &k);
	for (int i = 0; v && i < k && i < t->rank; i++)
		if (dims[i] < n && t->dims[i] != 1 && !dims_agree(t->dims[i], v[dims[i]]))
			return broken_at(m, o, PART(N_broadcast_dimensions, ITEM(i)), "C5",
			                 "maps dimension %d of size %" PRId64
			                 " to one of size %" PRId64,
			                 i, t->dims[i], v[dims[i]]);
	return true;
}

bool check_dynamic_broadcast_in_dim(module *m, const op *o)
{
	if (!check_broadcast_dims(m, o) || !shape_operand(m, o, 1, "C7") ||
	    !broadcast_fits_shape(m, o))
		return false;
	int n, k, total;
	const int64_t *grow = op_ints(m, o, N_known_expanding_dimensions, &n);
	const int64_t *keep = op_ints(m, o, N_known_nonexpanding_dimensions, &k);
	const type *a = operand(o, 0)->type;
	if (n < 0)
		n = 0;
	if (k < 0)
		k = 0;
	total = n + k;
	if (!total)
		return true;
	int64_t *all = NEW_N(&m->ctx->scratch, int64_t, total);
	for (int i = 0; i < total; i++)
		all[i] = i < n ? grow[i] : keep[i - n];
	int bad = bad_dim(m, all, total, a->rank, true);
	const int *part = bad < n ? PART(N_known_expanding_dimensions, ITEM(bad))
	                          : PART(N_known_nonexpanding_dimensions, ITEM(bad - n));
	return bad < 0 ||
	       bad_dim_error(m, o, part, "C8", "the known dimensions", all[bad], a->rank);
}

bool check_reshape(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = o->results[0].type;
	if (!elems_agree(a, b))
		return broken(m, o, "C1", "turns %s into %s, expected the same elements",
		              type_words(m, a), type_words(m, b));
	if (a->is_static && b->is_static && a->n_elems != b->n_elems)
		return broken(m, o, "C2", "turns %" PRId64 " elements into %" PRId64, a->n_elems,
		              b->n_elems);
	int bounded = 0;
	for (int i = 0; b->encoding && i < b->rank; i++)
		bounded += !dim_dynamic(type_bound(b, i));
	if (bounded > 1)
		return broken(m, o, "",
		              "has a result %s with %d bounded dimensions, expected at most 1",
		              type_words(m, b), bounded);
	return true;
}

bool check_dynamic_reshape(module *m, const op *o)
{
	if (!check_reshape(m, o) || !shape_operand(m, o, 1, "C4"))
		return false;
	int n;
	const int64_t *v = const_ints(m, operand(o, 1), &n);
	const type *t = operand(o, 0)->type;
	int64_t count = 1;
	for (int i = 0; i < n; i++)
		if (!mul_ok(count, v[i], &count))
			return broken(m, o, "C2",
			              "has a shape with more elements than 63 bits count");
	return !v || !t->is_static || count == t->n_elems ||
	       broken(m, o, "C2", "turns %" PRId64 " elements into %" PRId64, t->n_elems, count);
}

/* ---- slices, pads --------------------------------------------------------------------- */

/* The 1-D index operands from `first` on must have as many elements as operand 0 has dimensions. */
static bool index_vectors(module *m, const op *o, int first, const char *rule)
{
	const type *t = operand(o, 0)->type;
	for (int i = first; i < o->n_operands; i++) {
		const type *v = operand(o, i)->type;
		if (!dims_agree(v->dims[0], t->rank))
			return broken(m, o, rule,
			              "has %" PRId64 " indices in operand %d for rank %d",
			              v->dims[0], i, t->rank);
		if (v->elem != operand(o, first)->type->elem)
			return broken(m, o, rule, "has index operands of different types");
	}
	return true;
}

bool check_real_dynamic_slice(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = o->results[0].type;
	if (a->rank != b->rank)
		return broken(m, o, "", "turns rank %d into rank %d", a->rank, b->rank);
	return index_vectors(m, o, 1, "");
}

/* Checks the result if all paddings are constant. */
static bool dynamic_pad_result(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = o->results[0].type;
	int n[3];
	const int64_t *v[3];
	for (int i = 0; i < 3; i++)
		v[i] = const_ints(m, operand(o, 2 + i), &n[i]);
	for (int i = 0; i < n[2]; i++)
		if (v[2][i] < 0)
			return broken(m, o, "C3", "has interior padding %" PRId64, v[2][i]);
	if (!v[0] || !v[1] || !v[2] || !a->is_static || !b->is_static)
		return true;
	for (int i = 0; i < a->rank && i < n[0] && i < n[1] && i < n[2]; i++) {
		int64_t gaps = a->dims[i] > 0 ? a->dims[i] - 1 : 0, inner, want;
		if (!mul_ok(gaps, v[2][i], &inner) || !add_ok(a->dims[i], inner, &want) ||
		    !add_ok(want, v[0][i], &want) || !add_ok(want, v[1][i], &want) ||
		    want != b->dims[i])
			return broken(m, o, "C4", "pads dimension %d to another size than %" PRId64,
			              i, b->dims[i]);
	}
	return true;
}

bool check_dynamic_pad(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *p = operand(o, 1)->type, *b = o->results[0].type;
	if (p->rank)
		return broken(m, o, "I2", "has a padding value of rank %d, expected a scalar",
		              p->rank);
	if (!elems_agree(a, p) || !elems_agree(a, b))
		return broken(m, o, "C1", "pads %s with %s to %s, expected the same elements",
		              type_words(m, a), type_words(m, p), type_words(m, b));
	if (a->rank != b->rank)
		return broken(m, o, "", "turns rank %d into rank %d", a->rank, b->rank);
	return index_vectors(m, o, 2, "C2") && dynamic_pad_result(m, o);
}

bool check_reverse(module *m, const op *o)
{
	const type *t = operand(o, 0)->type;
	int n;
	const int64_t *dims = want_ints(m, o, N_dimensions, &n);
	if (n < 0)
		return false;
	return dims_in_range(m, o, PART(N_dimensions), "C2, C3", "dimensions", dims, n, t->rank,
	                     true);
}

bool check_set_dimension_size(module *m, const op *o)
{
	const type *t = operand(o, 0)->type, *s = operand(o, 1)->type;
	int64_t dim;
	if (s->rank)
		return broken(m, o, "", "has a size of rank %d, expected a scalar", s->rank);
	return want_int(m, o, N_dimension, t->rank, &dim);
}
