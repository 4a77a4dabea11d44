/* elementwise.c - typing of elementwise operations, with broadcasting. */
#include "array/typed/typed.h"

/* ---- dtypes --------------------------------------------------------------------------------- */

/* For a signed and an unsigned type: a signed one that can represent both. i64 is i32 there, as in
 * JAX unless 64 bits are enabled; with u64 the result is a float. */
static dtype signed_meet(dtype sint, dtype uint)
{
	int bits = dtype_bits(uint);
	if (bits == 64)
		return DT_F64;
	return dtype_bits(sint) > bits ? sint : bits < 16 ? DT_I16 : DT_I32;
}

/* JAX's promotion lattice: the higher class wins; within a class the wider type; Python numbers
 * only count by class. */
dtype dtype_meet(const atype *a, const atype *b, bool *weak)
{
	dtype_class ca = dtype_class_of(a->dtype), cb = dtype_class_of(b->dtype);
	*weak = a->weak && b->weak;
	if (a->dtype == b->dtype)
		return a->dtype;
	if (a->weak != b->weak) {
		const atype *strong = a->weak ? b : a, *soft = a->weak ? a : b;
		dtype_class cs = dtype_class_of(strong->dtype), cw = dtype_class_of(soft->dtype);
		bool yields = cw <= cs || (cw == DC_SINT && cs == DC_UINT);
		*weak = !yields;
		return yields ? strong->dtype : soft->dtype;
	}
	if (ca != cb) {
		dtype above = ca > cb ? a->dtype : b->dtype, below = ca > cb ? b->dtype : a->dtype;
		if (dtype_class_of(above) == DC_UINT && dtype_class_of(below) == DC_SINT)
			return signed_meet(below, above);
		return dtype_is_complex(above) && below == DT_F64 ? dtype_complex_of(below) : above;
	}
	if (dtype_bits(a->dtype) == dtype_bits(b->dtype) && ca == DC_FLOAT)
		return DT_F32; /* bf16 and f16 */
	return dtype_bits(a->dtype) >= dtype_bits(b->dtype) ? a->dtype : b->dtype;
}

static bool meet_dtypes(typing *q, atype *out)
{
	bool promote = q->op->how & EW_PROMOTE;
	out->dtype = q->in[0]->dtype;
	out->weak = q->in[0]->weak;
	for (int i = 1; i < q->n_in; i++) {
		atype so_far = {.dtype = out->dtype, .weak = out->weak};
		bool weak;
		dtype met = dtype_meet(&so_far, q->in[i], &weak);
		bool fits = promote || (so_far.weak && met == q->in[i]->dtype) ||
		            (q->in[i]->weak && q->in[i]->rank == 0 && so_far.weak == false &&
		             q->in[i]->dtype == so_far.dtype) ||
		            (q->in[i]->dtype == so_far.dtype) ||
		            (q->in[i]->weak && met == so_far.dtype &&
		             dtype_class_of(q->in[i]->dtype) == dtype_class_of(so_far.dtype));
		if (!fits)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_DTYPE,
				"lax.%s requires arguments of one element type, got %s; jnp.%s "
				"converts them",
				q->name, typed_operands_text(q, q->n_in), q->name);
		out->dtype = met;
		out->weak = weak;
	}
	return true;
}

static void change_dtype(typing *q, atype *out)
{
	int how = q->op->how;
	if (how & EW_NUMERIC && out->dtype == DT_I1)
		out->dtype = DT_I32;
	if (how & EW_BOOL) {
		out->dtype = DT_I1;
		out->weak = false;
	} else if (how & EW_PART) {
		out->dtype = dtype_part_of(out->dtype);
	} else if (how & EW_COMPLEX) {
		out->dtype = dtype_complex_of(out->dtype);
	} else if (how & EW_FLOAT && dtype_is_int(out->dtype)) {
		out->dtype = DT_F32;
	}
}

bool typed_takes(typing *q, dtype t)
{
	static const int masks[] = {[DC_BOOL] = OF_BOOL, [DC_SINT] = OF_SINT, [DC_UINT] = OF_UINT,
	                            [DC_FLOAT] = OF_REALS, [DC_COMPLEX] = OF_COMPLEX};
	static const char *const names[] = {"truth values", "signed integers",
	                                    "unsigned integers", "floats", "complex numbers"};
	int takes = q->op->how & OF_ANY;
	writer w;
	dtype_class c = dtype_class_of(t);
	if (!takes || ((int)c < COUNT(masks) && takes & masks[c]))
		return true;
	writer_init(&w, &q->ctx->scratch);
	for (int i = 0, n = 0; i < COUNT(names); i++)
		if (takes & OF_BOOL << i)
			put_f(&w, "%s%s", n++ ? ", " : "", names[i]);
	return diag_error(q->ctx, NOWHERE, E_ARRAY_DTYPE, "%s takes %s, not %s", q->op->name,
	                  writer_z(&w), typed_operands_text(q, q->n_in));
}

/* ---- one operand ------------------------------------------------------------------------ */

bool typed_unary(typing *q)
{
	if (!typed_takes(q, q->in[0]->dtype) ||
	    (!(q->op->how & EW_LINEAR) && !typed_no_unreduced(q)))
		return false;
	atype *out = typed_out(q, q->in[0]);
	out->dtype = param_dtype(q->attrs, "dtype", out->dtype);
	if (param_has(q->attrs, "dtype"))
		out->weak = false;
	change_dtype(q, out);
	return true;
}

/* Narrower elements add a dimension with their number, wider ones consume the last dimension. */
bool typed_bitcast(typing *q)
{
	const atype *x = q->in[0];
	dtype to = param_dtype(q->attrs, "dtype", x->dtype);
	int from_bits = dtype_bits(x->dtype), to_bits = dtype_bits(to);
	atype *out = typed_out(q, x);
	out->dtype = to;
	if (to_bits < from_bits) {
		if (out->rank == ARRAY_MAX_RANK)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "the result has too many dimensions");
		out->dim[out->rank] = from_bits / to_bits;
		out->spec[out->rank++] = 0;
	} else if (to_bits > from_bits) {
		if (!x->rank || x->dim[x->rank - 1] != to_bits / from_bits)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "bitcast of %s to %s: the last dimension should be %d",
			                  atype_text(q->ctx, x, TYPE_SHORT), dtype_mlir(to),
			                  to_bits / from_bits);
		out->rank--;
	}
	return true;
}

/* ---- several operands ----------------------------------------------------------------------- */

/* Returns dimension d of the result, counted from the last, in operand t; -1 if it has none. */
static int aligned_dim(const atype *t, int rank, int d)
{
	int mine = d - (rank - t->rank);
	return mine >= 0 ? mine : -1;
}

static bool merge_sizes(typing *q, atype *out)
{
	for (int d = 0; d < out->rank; d++) {
		out->dim[d] = 1;
		for (int i = 0; i < q->n_in; i++) {
			int at = aligned_dim(q->in[i], out->rank, d);
			int64_t size = at < 0 ? 1 : q->in[i]->dim[at];
			if (size == 1 || size == out->dim[d])
				continue;
			if (out->dim[d] != 1)
				return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
				                  "%s got incompatible shapes for broadcasting: %s",
				                  q->name, typed_operands_text(q, q->n_in));
			out->dim[d] = size;
		}
	}
	return true;
}

static bool merge_specs(typing *q, atype *out)
{
	for (int d = 0; d < out->rank; d++) {
		out->spec[d] = 0;
		for (int i = 0; i < q->n_in; i++) {
			int at = aligned_dim(q->in[i], out->rank, d);
			axis_seq mine = at < 0 ? 0 : q->in[i]->spec[at];
			if (!mine || mine == out->spec[d])
				continue;
			if (out->spec[d])
				return diag_error(
					q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
					"%s got incompatible shardings for broadcasting: %s; reshard "
					"one of them",
					q->name, typed_operands_text(q, q->n_in));
			out->spec[d] = mine;
		}
	}
	return !atype_uses_axis_twice(out) || typed_illegal_result(q, out, q->n_in);
}

static bool reduced_error(typing *q, const char *what)
{
	return diag_error(q->ctx, NOWHERE, E_ARRAY_REDUCED, "%s: %s; got %s", q->name, what,
	                  typed_operands_text(q, q->n_in));
}

static bool is_number(const atype *t) { return t->weak && t->rank == 0; }

/* Scalars count as reduced along the same axes as the others. */
static bool merge_reduced(typing *q, atype *out, axis_set varying)
{
	axis_set reduced = 0, sharded = atype_axes(out);
	for (int i = 0; i < q->n_in; i++)
		reduced |= q->in[i]->reduced;
	out->reduced = reduced & ~varying;
	for (int i = 0; i < q->n_in && out->reduced; i++) {
		axis_set mine = q->in[i]->reduced & ~varying;
		if (mine == out->reduced || !q->in[i]->rank)
			continue;
		if (mine)
			return reduced_error(
				q, "all inputs should be reduced across the same mesh axes");
		return reduced_error(
			q, sharded & out->reduced
				   ? "inputs cannot be sharded on axes that another input "
				     "is reduced on"
				   : "inputs cannot be replicated on axes that another "
				     "input is reduced on");
	}
	return true;
}

static bool sum_unreduced(typing *q, atype *out)
{
	out->unreduced = q->in[0]->unreduced;
	for (int i = 1; i < q->n_in; i++)
		if (q->in[i]->unreduced != out->unreduced)
			return reduced_error(
				q, "both operands must be unreduced along the same mesh axes, "
				   "or this would communicate");
	out->reduced = 0;
	for (int i = 0; i < q->n_in; i++)
		if (q->in[i]->reduced != q->in[0]->reduced)
			return reduced_error(
				q, "all inputs should be reduced across the same mesh axes");
	out->reduced = q->in[0]->reduced;
	return true;
}

static bool product_unreduced(typing *q, atype *out)
{
	const atype *a = q->in[0], *b = q->in[1];
	bool quotient = (q->op->how & EW_KIND) == EW_QUOTIENT;
	if (a->unreduced && b->unreduced)
		return reduced_error(q, "operands cannot both be unreduced, since it is bilinear");
	if (quotient && b->unreduced)
		return reduced_error(q, "the divisor cannot be unreduced");
	const atype *partial = a->unreduced ? a : b, *other = a->unreduced ? b : a;
	if (other->reduced != partial->unreduced && !(quotient && is_number(other)))
		return reduced_error(
			q, "one operand should be reduced along the axes that the other is "
			   "unreduced on");
	out->unreduced = partial->unreduced;
	out->reduced = 0;
	return true;
}

static bool merge_unreduced(typing *q, atype *out)
{
	int kind = q->op->how & EW_KIND;
	axis_set any = 0;
	for (int i = 0; i < q->n_in; i++)
		any |= q->in[i]->unreduced;
	out->unreduced = 0;
	if (!any)
		return merge_reduced(q, out, typed_varying(q));
	if (kind == EW_SUM)
		return sum_unreduced(q, out);
	if ((kind == EW_PRODUCT || kind == EW_QUOTIENT) && q->n_in == 2)
		return product_unreduced(q, out);
	return typed_no_unreduced(q);
}

static bool ranks_agree(typing *q)
{
	for (int i = 1; i < q->n_in; i++)
		if (q->in[i]->rank != q->in[0]->rank && q->in[i]->rank && q->in[0]->rank)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_RANK,
				"%s: arrays must have the same number of dimensions, got %s",
				q->name, typed_operands_text(q, q->n_in));
	return true;
}

bool typed_nary(typing *q)
{
	const atype *widest = q->in[0];
	for (int i = 1; i < q->n_in; i++)
		if (q->in[i]->rank > widest->rank)
			widest = q->in[i];
	if (!(q->op->how & EW_PROMOTE) && !ranks_agree(q))
		return false;
	atype *out = typed_out(q, widest);
	if (!meet_dtypes(q, out) || !typed_takes(q, out->dtype) || !merge_sizes(q, out) ||
	    !merge_specs(q, out) || !merge_unreduced(q, out))
		return false;
	change_dtype(q, out);
	return true;
}

/* The type is that of the middle operand; bounds are scalars or of its shape. */
bool typed_clamp(typing *q)
{
	for (int i = 0; i < 3; i += 2)
		if (q->in[i]->rank && q->in[i]->rank != q->in[1]->rank)
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_SHAPE,
				"clamp: bounds must be scalars or have the operand's shape, got %s",
				typed_operands_text(q, 3));
	typed_out(q, q->in[1]);
	return typed_no_unreduced(q);
}

/* select(which, if true, if false) */
bool typed_select(typing *q)
{
	const atype *which = q->in[0], *a = q->in[1], *b = q->in[2];
	if (a->rank != b->rank || memcmp(a->dim, b->dim, sizeof *a->dim * (size_t)a->rank) != 0 ||
	    (which->rank && (which->rank != a->rank ||
	                     memcmp(a->dim, which->dim, sizeof *a->dim * (size_t)a->rank) != 0)))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "select: shapes differ: %s",
		                  typed_operands_text(q, 3));
	if (a->dtype != b->dtype)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_DTYPE,
		                  "select: element types differ: %s", typed_operands_text(q, 3));
	if (!atype_same_spec(a, b))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
		                  "select cases must have the same shardings, got %s",
		                  typed_operands_text(q, 3));
	if (which->rank && memcmp(which->spec, a->spec, sizeof *a->spec * (size_t)a->rank) != 0)
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
			"select `which` must be scalar or have the same sharding as cases, got "
			"%s",
			typed_operands_text(q, 3));
	typed_out(q, a)->weak = a->weak && b->weak;
	return true;
}
