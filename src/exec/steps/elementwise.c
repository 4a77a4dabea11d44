/* elementwise.c - the instructions of an elementwise op, for fuse.c and body.c. */
#include "exec/steps/plan.h"

bool op_is_fusable(int kind)
{
	return vec_op_of(kind) != VEC_NONE || kind == OP_CONVERT || kind == OP_COMPARE ||
	       kind == OP_IOTA;
}

vec_op compare_op(const op *o)
{
	static const char *const words[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
	const attr *dir = op_attr(o, N_comparison_direction), *kind = op_attr(o, N_compare_type);
	bool total = kind && !strcmp(enum_word(kind), "TOTALORDER") &&
	             dtype_is_float(operand(o, 0)->type->dtype);
	for (int i = 0; dir && i < COUNT(words); i++)
		if (!strcmp(enum_word(dir), words[i]))
			return (vec_op)((total ? VEC_TEQ : VEC_EQ) + i);
	return VEC_NONE;
}

static int64_t fuse_imm(const op *o)
{
	dtype t = operand(o, 0)->type->dtype;
	switch (o->kind) {
	case OP_CHLO_NEXT_AFTER:
		return (int64_t)t;
	case OP_REDUCE_PRECISION:
		return (int64_t)t << 16 | min_i64(op_int(o, N_exponent_bits, 8), 255) << 8 |
		       min_i64(op_int(o, N_mantissa_bits, 23), 255);
	}
	return dtype_bits(t);
}

vm_reg fuse_op(const module *m, vm_builder *b, const op *o, const vm_reg *r)
{
	UNUSED(m);
	dtype out = result(o, 0)->type->dtype;
	if (o->kind == OP_IOTA)
		return vm_iota(b, out, (int)op_int(o, N_iota_dimension, 0));
	dtype in = operand(o, o->kind == OP_SELECT)->type->dtype;
	if (o->kind == OP_CONVERT)
		return vm_convert(b, in, out, r[0]);
	vec_op op_code = o->kind == OP_COMPARE ? compare_op(o) : vec_op_of(o->kind);
	int n = o->n_operands;
	return vm_apply(b, op_code, in, out, n > 0 ? r[0] : -1, n > 1 ? r[1] : -1,
	                n > 2 ? r[2] : -1, fuse_imm(o));
}
