/* dot_algorithm.c - the dot algorithms that some hardware has: those that XLA has names for, to
 * which StableHLO's specification refers (dot_general, DotAlgorithm). */
#include "op/op.h"

/* F8E5M2 stands for any mixture of types of 8 bits. */
static const dot_algorithm known[] = {
    {DT_F8E5M2, DT_F32, 1, false}, {DT_F8E5M2, DT_F32, 1, true}, {DT_F16, DT_F16, 1, false},
    {DT_F16, DT_F32, 1, false},    {DT_BF16, DT_BF16, 1, false}, {DT_BF16, DT_F32, 1, false},
    {DT_BF16, DT_F32, 3, false},   {DT_BF16, DT_F32, 6, false},  {DT_BF16, DT_F32, 9, false},
    {DT_TF32, DT_F32, 1, false},   {DT_TF32, DT_F32, 3, false},  {DT_F32, DT_F32, 1, false},
    {DT_F64, DT_F64, 1, false}};

const dot_algorithm *dot_algorithms(int *n)
{
	*n = COUNT(known);
	return known;
}

static dtype type_field(const attr *a, int field)
{
	const attr *t = attr_get(a, field);
	dtype e = t && t->kind == AT_TYPE && t->type->kind == TY_SCALAR ? t->type->dtype : DT_NONE;
	return dtype_is_float(e) && dtype_bits(e) == 8 ? DT_F8E5M2 : e;
}

static int64_t int_field(const attr *a, int field)
{
	const attr *v = attr_get(a, field);
	return v ? v->i : 0;
}

const dot_algorithm *dot_algorithm_of(const attr *a)
{
	if (int_field(a, N_lhs_component_count) != 1 || int_field(a, N_rhs_component_count) != 1 ||
	    type_field(a, N_lhs_precision_type) != type_field(a, N_rhs_precision_type))
		return NULL;
	for (int i = 0; i < COUNT(known); i++)
		if (known[i].in == type_field(a, N_lhs_precision_type) &&
		    known[i].sum == type_field(a, N_accumulation_type) &&
		    known[i].products == int_field(a, N_num_primitive_operations) &&
		    known[i].imprecise == (int_field(a, N_allow_imprecise_accumulation) != 0))
			return &known[i];
	return NULL;
}
