/* attrs.c - the invariants of result_accuracy and dot_algorithm. (Presence and kind: verify.c.) */
#include "op/verify/verify.h"

#include <math.h>

/* ---- result_accuracy --------------------------------------------------------------- */

static bool accuracy_ok(module *m, const op *o, const attr *a)
{
	const attr *mode = attr_get(a, N_mode), *atol = attr_get(a, N_atol);
	const attr *rtol = attr_get(a, N_rtol), *ulps = attr_get(a, N_ulps);
	bool tolerant = (atol && atol->f != 0) || (rtol && rtol->f != 0) || (ulps && ulps->i);
	/* signbit(), because -0.0 counts as negative */
	int negative = atol && signbit(atol->f)   ? N_atol
	               : rtol && signbit(rtol->f) ? N_rtol
	               : ulps && ulps->i < 0      ? N_ulps
	                                          : 0;
	if (negative)
		return bad_part(m, o, PART(N_result_accuracy, negative),
		                "has a negative tolerance");
	if (tolerant && strcmp(enum_word(mode), "TOLERANCE"))
		return bad_part(m, o, PART(N_result_accuracy, N_mode),
		                "has tolerances, but the mode %s, expected TOLERANCE",
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

static bool algorithm_ok(module *m, const op *o, const attr *a)
{
	static const int counts[] = {N_lhs_component_count, N_rhs_component_count,
	                             N_num_primitive_operations};
	for (int i = 0; i < COUNT(counts); i++)
		if (attr_get(a, counts[i]) && attr_get(a, counts[i])->i < 1)
			return bad_part(m, o, PART(N_algorithm, counts[i]), "has a count below 1");
	if (!dot_algorithm_of(a))
		return bad_attr(m, o, N_algorithm, "is supported by no known hardware");
	return all_default(op_attr(o, N_precision_config)) ||
	       broken_at(m, o, PART(N_precision_config), "C21",
	                 "has an algorithm and a precision other than DEFAULT, expected one of "
	                 "them");
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
