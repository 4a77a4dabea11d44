/* verify_attrs.c - the invariants of result_accuracy and dot_algorithm.  (Presence and kind are
 * attrs.c's.) */
#include "op/verify.h"

/* ---- result_accuracy --------------------------------------------------------------- */

static bool accuracy_ok(module *m, const op *o, const attr *a)
{
	const attr *mode = attr_get(a, N_mode), *atol = attr_get(a, N_atol);
	const attr *rtol = attr_get(a, N_rtol), *ulps = attr_get(a, N_ulps);
	bool tolerant = (atol && atol->f != 0) || (rtol && rtol->f != 0) || (ulps && ulps->i);
	bool negative = (atol && atol->f < 0) || (rtol && rtol->f < 0) || (ulps && ulps->i < 0);
	if (negative)
		return bad_attr(m, o, N_result_accuracy, "has a negative tolerance");
	if (tolerant && strcmp(enum_word(mode), "TOLERANCE"))
		return bad_attr(m, o, N_result_accuracy, "has tolerances, but the mode %s",
		                enum_word(mode));
	return true;
}

/* ---- dots ----------------------------------------------------------------------------- */

static bool all_default(const attr *precisions)
{
	for (int i = 0; precisions && i < precisions->n; i++)
		if (strcmp(enum_word(precisions->list[i]), "DEFAULT"))
			return false;
	return true;
}

static dtype field_dtype(const attr *a, int known)
{
	const attr *t = attr_get(a, known);
	return t && t->kind == AT_TYPE && t->type->kind == TY_SCALAR ? t->type->dtype : DT_NONE;
}

static int64_t field_int(const attr *a, int known)
{
	const attr *v = attr_get(a, known);
	return v ? v->i : 0;
}

/* The algorithms that some hardware has: types of both sides, of the sum, and how
 * many products make one. */
static bool algorithm_is_known(dtype lhs, dtype rhs, dtype sum, int64_t products, bool imprecise)
{
	static const struct {
		dtype in, sum;
		int64_t products;
	} known[] = {{DT_F16, DT_F16, 1},  {DT_F16, DT_F32, 1},  {DT_BF16, DT_BF16, 1},
	             {DT_BF16, DT_F32, 1}, {DT_BF16, DT_F32, 3}, {DT_BF16, DT_F32, 6},
	             {DT_BF16, DT_F32, 9}, {DT_TF32, DT_F32, 1}, {DT_TF32, DT_F32, 3},
	             {DT_F32, DT_F32, 1},  {DT_F64, DT_F64, 1}};
	bool f8 = dtype_is_float(lhs) && dtype_is_float(rhs) && dtype_bits(lhs) == 8 &&
	          dtype_bits(rhs) == 8;
	if (f8)
		return sum == DT_F32 && products == 1;
	for (int i = 0; i < COUNT(known); i++)
		if (lhs == known[i].in && rhs == known[i].in && sum == known[i].sum &&
		    products == known[i].products)
			return !imprecise;
	return false;
}

static bool algorithm_ok(module *m, const op *o, const attr *a)
{
	int64_t lhs = field_int(a, N_lhs_component_count),
		rhs = field_int(a, N_rhs_component_count);
	int64_t products = field_int(a, N_num_primitive_operations);
	if (lhs < 1 || rhs < 1 || products < 1)
		return bad_attr(m, o, N_algorithm, "has a count below 1");
	if (lhs != 1 || rhs != 1 ||
	    !algorithm_is_known(field_dtype(a, N_lhs_precision_type),
	                        field_dtype(a, N_rhs_precision_type),
	                        field_dtype(a, N_accumulation_type), products,
	                        field_int(a, N_allow_imprecise_accumulation)))
		return bad_attr(m, o, N_algorithm, "is supported by no known hardware");
	return all_default(op_attr(o, N_precision_config)) ||
	       broken(m, o, "C21", "has an algorithm and a precision other than DEFAULT");
}

/* ---- an op --------------------------------------------------------------------------------- */

static bool attr_ok(module *m, const op *o, const attr_row *row)
{
	const attr *a = op_attr(o, row->name);
	if (!a)
		return true;
	switch (row->name) {
	case N_result_accuracy: return a->kind != AT_STRUCT || accuracy_ok(m, o, a);
	case N_algorithm: return a->kind != AT_STRUCT || algorithm_ok(m, o, a);
	default: return true;
	}
}

bool attrs_ok(module *m, const op *o)
{
	for (const attr_row *row = op_attr_rows(o->kind); row->kind; row++)
		if (!attr_ok(m, o, row))
			return false;
	return true;
}
