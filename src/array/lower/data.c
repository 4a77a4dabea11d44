/* data.c - lowers operations that move, sort or accumulate data. */
#include "array/lower/lower.h"
#include "array/typed/typed.h"

/* ---- elementwise ------------------------------------------------------------------------- */

/* chlo.word, on operands of the result's shape. */
static bool lower_chlo(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	int at[2] = {0};
	for (int i = 0; i < n->n_in && i < 2; i++)
		at[i] = lower_broadcast_to(l, lower_of(l, n->in[i]), n->in[i]->type, t);
	int id = lower_name(l);
	put_f(l->w, "  %%%d = chlo.%s %%%d", id, l->row->text, at[0]);
	if (n->n_in > 1)
		put_f(l->w, ", %%%d", at[1]);
	put_lit(l->w, " : ");
	put_tensor(l, n->n_in > 1 ? t : n->in[0]->type);
	if (n->n_in > 1) {
		put_lit(l->w, ", ");
		put_tensor(l, t);
	}
	put_lit(l->w, " -> ");
	put_tensor(l, t);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

/* stablehlo.word in generic form, with unchanged operands. */
static bool lower_generic(lowering *l, const anode *n)
{
	int id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.%s\"(", id, l->row->text);
	lower_operands(l, n);
	put_c(l->w, ')');
	lower_node_types(l, n);
	return lower_result(l, n, id);
}

static bool lower_complex(lowering *l, const anode *n)
{
	atype part = *n->out[0]->type;
	part.dtype = n->in[0]->type->dtype;
	int a = lower_broadcast_to(l, lower_of(l, n->in[0]), n->in[0]->type, &part);
	int b = lower_broadcast_to(l, lower_of(l, n->in[1]), n->in[1]->type, &part);
	const atype *in[] = {&part, &part}, *out = n->out[0]->type;
	int id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.complex\"(%%%d, %%%d)", id, a, b);
	lower_types_of(l, in, 2, &out, 1);
	return lower_result(l, n, id);
}

static bool lower_clamp(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type, *in[] = {n->in[0]->type, t, n->in[2]->type};
	int id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.clamp\"(", id);
	lower_operands(l, n);
	put_c(l->w, ')');
	lower_types_of(l, in, 3, &t, 1);
	return lower_result(l, n, id);
}

static bool lower_precision(lowering *l, const anode *n)
{
	int from = lower_of(l, n->in[0]), id = lower_begin(l, "reduce_precision");
	put_f(l->w, "%%%d, format = e%dm%d : ", from, (int)param_int(n->attrs, "exponent_bits", 8),
	      (int)param_int(n->attrs, "mantissa_bits", 23));
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

/* ---- slices and parts ----------------------------------------------------------------------- */

/* Returns the operands, with negative start indices, from `first` on, counted from the end. */
static int *start_operands(lowering *l, const anode *n, int first)
{
	int *ids = NEW_N(&l->ctx->scratch, int, n->n_in + 1);
	for (int i = 0; i < n->n_in; i++) {
		const anode *from = n->in[i]->node;
		bool number = from && strcmp(from->op->name, "scalar") == 0 &&
		              param_number(from->attrs, "value", 0) >= 0;
		ids[i] = lower_of(l, n->in[i]);
		if (i >= first && !number)
			ids[i] = lower_from_front(l, ids[i], n->in[i]->type,
			                          n->in[0]->type->dim[i - first]);
	}
	return ids;
}

static void put_operands(lowering *l, const int *ids, int n)
{
	for (int i = 0; i < n; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", ids[i]);
}

static bool lower_dynamic_slice(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	int *in = start_operands(l, n, 1), id = lower_begin(l, "dynamic_slice");
	put_operands(l, in, n->n_in);
	put_lit(l->w, ", sizes = ");
	lower_ints(l, t->dim, t->rank);
	lower_node_types(l, n);
	return lower_result(l, n, id);
}

static bool lower_dynamic_update_slice(lowering *l, const anode *n)
{
	int *in = start_operands(l, n, 2), id = lower_begin(l, "dynamic_update_slice");
	put_operands(l, in, n->n_in);
	lower_node_types(l, n);
	return lower_result(l, n, id);
}

/* Writes x[from : from + size of t] along one dimension. */
static int piece_of(lowering *l, int x, const atype *whole, const atype *t, int axis, int64_t from)
{
	int id = lower_begin(l, "slice");
	put_f(l->w, "%%%d [", x);
	for (int d = 0; d < whole->rank; d++)
		put_f(l->w, "%s%" PRId64 ":%" PRId64, d ? ", " : "", d == axis ? from : 0,
		      d == axis ? from + t->dim[d] : whole->dim[d]);
	put_c(l->w, ']');
	lower_signature(l, whole, t);
	return id;
}

/* split, array_split: consecutive slices along the axis. */
static bool lower_split(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type;
	int axis, id = lower_of(l, n->in[0]);
	int64_t from = 0;
	if (!axis_normal(l->ctx, "split", param_int(n->attrs, "axis", 0), x->rank, &axis))
		return false;
	for (int i = 0; i < n->n_out; i++) {
		lower_set(l, n->out[i], piece_of(l, id, x, n->out[i]->type, axis, from));
		from += n->out[i]->type->dim[axis];
	}
	return true;
}

static bool lower_unstack(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type;
	int axis, id = lower_of(l, n->in[0]);
	atype row = *x;
	if (!axis_normal(l->ctx, "unstack", param_int(n->attrs, "axis", 0), x->rank, &axis))
		return false;
	row.dim[axis] = 1;
	for (int i = 0; i < n->n_out; i++) {
		int piece = piece_of(l, id, x, &row, axis, i);
		lower_set(l, n->out[i], lower_reshape_to(l, piece, &row, n->out[i]->type));
	}
	return true;
}

static bool lower_stack(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	int axis, *ids = NEW_N(&l->ctx->scratch, int, n->n_in + 1);
	const atype **types = NEW_N(&l->ctx->scratch, const atype *, n->n_in + 1);
	if (!axis_normal(l->ctx, "stack", param_int(n->attrs, "axis", 0), t->rank, &axis))
		return false;
	atype row = *t;
	row.dim[axis] = 1;
	for (int i = 0; i < n->n_in; i++) {
		ids[i] = lower_reshape_to(l, lower_of(l, n->in[i]), n->in[i]->type, &row);
		types[i] = &row;
	}
	int id = lower_begin(l, "concatenate");
	for (int i = 0; i < n->n_in; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", ids[i]);
	put_f(l->w, ", dim = %d", axis);
	lower_types_of(l, types, n->n_in, &t, 1);
	return lower_result(l, n, id);
}

/* ---- sorting -------------------------------------------------------------------------------- */

/* Sorts values along a dimension by the first of them; NaN comes last. */
static void put_sort(lowering *l, const int *outs, const int *ids, const atype *const *types, int n,
                     int axis)
{
	int first = -1, a = 0, b = 0;
	put_lit(l->w, "  ");
	for (int i = 0; i < n; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", outs[i]);
	put_lit(l->w, " = \"stablehlo.sort\"(");
	for (int i = 0; i < n; i++)
		put_f(l->w, "%s%%%d", i ? ", " : "", ids[i]);
	put_f(l->w, ") <{dimension = %d : i64, is_stable = true}> ({\n  ^bb0(", axis);
	for (int i = 0; i < n; i++) {
		atype scalar = {.dtype = types[i]->dtype};
		int x = lower_name(l), y = lower_name(l);
		if (first < 0) {
			first = i;
			a = x;
			b = y;
		}
		put_f(l->w, "%s%%%d: ", i ? ", " : "", x);
		put_tensor(l, &scalar);
		put_f(l->w, ", %%%d: ", y);
		put_tensor(l, &scalar);
	}
	put_lit(l->w, "):\n");
	atype key = {.dtype = types[0]->dtype};
	int less = lower_begin(l, "compare");
	put_f(l->w, "LT, %%%d, %%%d, %s : (", a, b,
	      dtype_is_float(key.dtype)              ? "TOTALORDER"
	      : dtype_class_of(key.dtype) == DC_UINT ? "UNSIGNED"
	                                             : "SIGNED");
	put_tensor(l, &key);
	put_lit(l->w, ", ");
	put_tensor(l, &key);
	put_f(l->w, ") -> tensor<i1>\n  stablehlo.return %%%d : tensor<i1>\n  })", less);
	lower_types_of(l, types, n, types, n);
}

static int sorted_axis(lowering *l, const anode *n)
{
	const char *key = param_has(n->attrs, "axis") ? "axis" : "dimension";
	int axis = 0, rank = n->in[0]->type->rank;
	return axis_normal(l->ctx, "sort", param_int(n->attrs, key, -1), rank, &axis) ? axis : -1;
}

static bool lower_sort(lowering *l, const anode *n)
{
	int axis = sorted_axis(l, n);
	int *ids = NEW_N(&l->ctx->scratch, int, n->n_in),
	    *outs = NEW_N(&l->ctx->scratch, int, n->n_in);
	const atype **types = NEW_N(&l->ctx->scratch, const atype *, n->n_in);
	if (axis < 0)
		return false;
	for (int i = 0; i < n->n_in; i++) {
		ids[i] = lower_of(l, n->in[i]);
		outs[i] = lower_name(l);
		types[i] = n->in[i]->type;
	}
	put_sort(l, outs, ids, types, n->n_in, axis);
	for (int i = 0; i < n->n_out; i++)
		lower_set(l, n->out[i], outs[i]);
	return true;
}

static bool lower_argsort(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type, *types[] = {n->in[0]->type, t};
	int axis = sorted_axis(l, n), places = axis < 0 ? 0 : lower_begin(l, "iota");
	if (axis < 0)
		return false;
	put_f(l->w, "dim = %d : ", axis);
	put_tensor(l, t);
	put_c(l->w, '\n');
	int ids[] = {lower_of(l, n->in[0]), places}, outs[] = {lower_name(l), lower_name(l)};
	put_sort(l, outs, ids, types, 2, axis);
	return lower_result(l, n, outs[1]);
}

static bool lower_top_k(lowering *l, const anode *n)
{
	int x = lower_of(l, n->in[0]), values = lower_name(l), places = lower_name(l);
	const atype *in = n->in[0]->type;
	int axis;
	if (!axis_normal(l->ctx, "top_k", param_int(n->attrs, "reduction_dimension", -1), in->rank,
	                 &axis))
		return false;
	if (axis != in->rank - 1)
		return diag_error(l->ctx, NOWHERE, E_ARRAY_OP,
		                  "top_k along another dimension than the last "
		                  "cannot be run yet: transpose first");
	put_f(l->w, "  %%%d, %%%d = chlo.top_k(%%%d, k = %" PRId64 ") : ", values, places, x,
	      param_int(n->attrs, "k", 0));
	put_tensor(l, in);
	put_lit(l->w, " -> (");
	put_tensor(l, n->out[0]->type);
	put_lit(l->w, ", ");
	put_tensor(l, n->out[1]->type);
	put_lit(l->w, ")\n");
	lower_set(l, n->out[0], values);
	lower_set(l, n->out[1], places);
	return true;
}

/* ---- gather and scatter of single elements -------------------------------------------------- */

/* gather.points(x, at[…, rank of x]): the elements at these indices. */
static bool lower_gather_points(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *at = n->in[1]->type;
	int64_t dims[ARRAY_MAX_RANK], ones[ARRAY_MAX_RANK];
	for (int d = 0; d < x->rank; d++) {
		dims[d] = d;
		ones[d] = 1;
	}
	int id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.gather\"(", id);
	lower_operands(l, n);
	put_lit(l->w, ") <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = ");
	lower_ints(l, dims, x->rank);
	put_lit(l->w, ", start_index_map = ");
	lower_ints(l, dims, x->rank);
	put_f(l->w, ", index_vector_dim = %d>, ", at->rank - 1);
	lower_i64_array(l, "slice_sizes", ones, x->rank);
	put_lit(l->w, "}>");
	lower_node_types(l, n);
	return lower_result(l, n, id);
}

/* scatter.points(x, at[…, rank of x], update[…]): out-of-bounds updates are skipped. */
static bool lower_scatter_points(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *at = n->in[1]->type;
	int64_t dims[ARRAY_MAX_RANK];
	tess_str how = param_text(n->attrs, "how");
	const char *word = NULL;
	static const char *const words[][2] = {
		{"add", "add"}, {"mul", "multiply"}, {"max", "maximum"}, {"min", "minimum"}};
	for (int d = 0; d < x->rank; d++)
		dims[d] = d;
	int id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.scatter\"(", id);
	lower_operands(l, n);
	put_lit(l->w, ") <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = ");
	lower_ints(l, dims, x->rank);
	put_lit(l->w, ", scatter_dims_to_operand_dims = ");
	lower_ints(l, dims, x->rank);
	put_f(l->w, ", index_vector_dim = %d>}>", at->rank - 1);
	for (int i = 0; i < COUNT(words); i++)
		if (str_is(how, words[i][0]))
			word = words[i][1];
	lower_combiner(l, word, x->dtype);
	lower_node_types(l, n);
	return lower_result(l, n, id);
}

/* ---- sharding constraints ------------------------------------------------------------------- */

static bool lower_shard_as(lowering *l, const anode *n)
{
	for (int i = 0; i < 2; i++) {
		int id = lower_of(l, n->in[i]);
		put_f(l->w, "  sdy.sharding_group %%%d group_id=%d : ", id, l->groups);
		put_tensor(l, n->in[i]->type);
		put_c(l->w, '\n');
		lower_set(l, n->out[i], id);
	}
	l->groups++;
	return true;
}

/* For Auto axes the compiler gets a constraint; for Explicit ones it was an assertion. */
static bool lower_advice(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	const pspec *s = param_spec(n->attrs, "sharding");
	const amesh *m = param_mesh(n->attrs, "mesh", n->mesh);
	aspec a;
	int from = lower_of(l, n->in[0]);
	if (!m || !amesh_axes_of_kind(m, AXIS_AUTO) || !aspec_bind(l->ctx, m, s, &a))
		return lower_result(l, n, from);
	axis_seq dim[ARRAY_MAX_RANK];
	for (int d = 0; d < t->rank; d++)
		dim[d] = axis_seq_join(
			t->spec[d],
			d < a.n ? axis_seq_without(a.dim[d], axis_seq_set(t->spec[d])) : 0);
	int id = lower_name(l);
	put_f(l->w, "  %%%d = sdy.sharding_constraint %%%d <@%s, [", id, from,
	      lower_mesh_name(l, m));
	for (int d = 0; d < t->rank; d++) {
		put_z(l->w, d ? ", " : "");
		put_axis_braces(l, m, dim[d], a.any >> d & 1);
	}
	put_lit(l->w, "]> : ");
	put_tensor(l, t);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

const lower_row lower_data_rows[] = {
	{"lax.erf", lower_chlo, "erf"},
	{"lax.erf_inv", lower_chlo, "erf_inv"},
	{"lax.conj", lower_chlo, "conj"},
	{"lax.sinh", lower_chlo, "sinh"},
	{"lax.cosh", lower_chlo, "cosh"},
	{"lax.asin", lower_chlo, "asin"},
	{"lax.acos", lower_chlo, "acos"},
	{"lax.atan", lower_chlo, "atan"},
	{"lax.asinh", lower_chlo, "asinh"},
	{"lax.acosh", lower_chlo, "acosh"},
	{"lax.atanh", lower_chlo, "atanh"},
	{"lax.erfc", lower_chlo, "erfc"},
	{"lax.lgamma", lower_chlo, "lgamma"},
	{"lax.digamma", lower_chlo, "digamma"},
	{"lax.nextafter", lower_chlo, "next_after"},
	{"lax.bitcast_convert_type", lower_generic, "bitcast_convert"},
	{"lax.reduce_precision", lower_precision, ""},
	{"lax.complex", lower_complex, ""},
	{"lax.clamp", lower_clamp, ""},
	{"lax.dynamic_slice", lower_dynamic_slice, ""},
	{"lax.dynamic_update_slice", lower_dynamic_update_slice, ""},
	{"lax.split", lower_split, ""},
	{"jnp.split", lower_split, ""},
	{"jnp.array_split", lower_split, ""},
	{"lax.stack", lower_stack, ""},
	{"jnp.unstack", lower_unstack, ""},
	{"lax.sort", lower_sort, ""},
	{"jnp.sort", lower_sort, ""},
	{"jnp.argsort", lower_argsort, ""},
	{"lax.top_k", lower_top_k, ""},
	{"lax.approx_max_k", lower_top_k, ""},
	{"gather.points", lower_gather_points, ""},
	{"scatter.points", lower_scatter_points, ""},
	{"lax.with_sharding_constraint", lower_advice, ""},
	{"jax.device_put", lower_advice, ""},
	{"shard_as", lower_shard_as, ""},
	{NULL, NULL, NULL},
};
