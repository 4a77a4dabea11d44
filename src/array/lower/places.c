/* places.c - lowers take. */
#include "array/lower/lower.h"

#include <math.h>

/* Returns the value for out-of-bounds elements: 0 for "zero", else NaN. */
static double fill_of(const anode *n)
{
	dtype_class c = dtype_class_of(n->out[0]->type->dtype);
	if (str_is(param_text(n->attrs, "mode"), "zero"))
		return 0;
	int bits = dtype_bits(n->out[0]->type->dtype);
	return c == DC_BOOL   ? 1
	       : c == DC_SINT ? -ldexp(1, bits - 1)
	       : c == DC_UINT ? ldexp(1, bits) - 1
	                      : NAN;
}

/* Returns which indices are within a dimension. If the index dtype cannot represent the size, all
 * are less than it. */
static int inside_dim(lowering *l, int at, const atype *t, int64_t size)
{
	atype truth = *t;
	int bits = dtype_bits(t->dtype) - (dtype_class_of(t->dtype) == DC_SINT);
	int low = lower_compared(l, "GE", at, lower_constant(l, 0, t), t);
	truth.dtype = DT_I1;
	if ((double)size >= ldexp(1, bits))
		return low;
	int high = lower_compared(l, "LT", at, lower_constant(l, (double)size, t), t);
	return lower_pair(l, "and", low, high, &truth);
}

/* Unless `mode` is "clip", elements that were read out of bounds are replaced. */
static int filled_take(lowering *l, const anode *n, int taken, int at, int axis)
{
	const atype *places = n->in[1]->type, *t = n->out[0]->type;
	atype truth = *places, wide = *t;
	int64_t dims[ARRAY_MAX_RANK];
	truth.dtype = wide.dtype = DT_I1;
	for (int d = 0; d < places->rank; d++)
		dims[d] = axis + d;
	int inside = inside_dim(l, at, places, n->in[0]->type->dim[axis]);
	int spread = lower_begin(l, "broadcast_in_dim");
	put_f(l->w, "%%%d, dims = ", inside);
	lower_ints(l, dims, places->rank);
	lower_signature(l, &truth, &wide);
	return lower_chosen(l, spread, taken, lower_constant(l, fill_of(n), t), t);
}

static bool lower_take(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *at = n->in[1]->type;
	tess_str mode = param_text(n->attrs, "mode");
	int axis = 0, k = 0;
	int64_t offset[ARRAY_MAX_RANK], sizes[ARRAY_MAX_RANK];
	if (!axis_normal(l->ctx, "take", param_int(n->attrs, "axis", 0), x->rank, &axis))
		return false;
	for (int d = 0; d < x->rank; d++) {
		sizes[d] = d == axis ? 1 : x->dim[d];
		if (d != axis)
			offset[k++] = d < axis ? d : d - 1 + at->rank;
	}
	int places = lower_from_front(l, lower_of(l, n->in[1]), at, x->dim[axis]);
	int id = lower_name(l);
	put_f(l->w,
	      "  %%%d = \"stablehlo.gather\"(%%%d, %%%d) <{dimension_numbers = #stablehlo.gather<",
	      id, lower_of(l, n->in[0]), places);
	if (k) {
		put_lit(l->w, "offset_dims = ");
		lower_ints(l, offset, k);
		put_lit(l->w, ", ");
	}
	put_f(l->w,
	      "collapsed_slice_dims = [%d], start_index_map = [%d], index_vector_dim = %d>, "
	      "slice_sizes = array<i64: ",
	      axis, axis, at->rank);
	for (int d = 0; d < x->rank; d++)
		put_f(l->w, "%s%" PRId64, d ? ", " : "", sizes[d]);
	put_lit(l->w, ">}> : (");
	put_tensor(l, x);
	put_lit(l->w, ", ");
	put_tensor(l, at);
	put_lit(l->w, ") -> ");
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	bool fill = !str_is(mode, "clip") && !str_is(mode, "promise_in_bounds");
	return lower_result(l, n, fill ? filled_take(l, n, id, places, axis) : id);
}

const lower_row lower_places_rows[] = {
	{"jnp.take", lower_take, ""},
	{NULL, NULL, NULL},
};
