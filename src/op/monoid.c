/* monoid.c - how two numbers become one in a reduction: the operation, and the number that
 * changes nothing. */
#include "op/op.h"

static const op_kind monoid_ops[] = {
    [MONOID_SUM] = OP_ADD,          [MONOID_MAX] = OP_MAXIMUM, [MONOID_MIN] = OP_MINIMUM,
    [MONOID_PRODUCT] = OP_MULTIPLY, [MONOID_AND] = OP_AND,     [MONOID_OR] = OP_OR,
    [MONOID_XOR] = OP_XOR,          [MONOID_NONE] = OP_UNKNOWN,
};

monoid monoid_of_op(op_kind k)
{
	for (int m = 0; m < MONOID_NONE; m++)
		if (monoid_ops[m] == k)
			return (monoid)m;
	return MONOID_NONE;
}

op_kind monoid_op(monoid m) { return monoid_ops[m]; }

/* The largest value (infinity where there is one), the least, and one, as bits. */
typedef struct limits {
	uint64_t most, least, one;
} limits;

static const limits float_limits[DT_COUNT] = {
    [DT_F4E2M1FN] = {0x7, 0xf, 0x2},
    [DT_F6E2M3FN] = {0x1f, 0x3f, 0x08},
    [DT_F6E3M2FN] = {0x1f, 0x3f, 0x0c},
    [DT_F8E3M4] = {0x70, 0xf0, 0x30},
    [DT_F8E4M3] = {0x78, 0xf8, 0x38},
    [DT_F8E4M3FN] = {0x7e, 0xfe, 0x38},
    [DT_F8E4M3FNUZ] = {0x7f, 0xff, 0x40},
    [DT_F8E4M3B11FNUZ] = {0x7f, 0xff, 0x58},
    [DT_F8E5M2] = {0x7c, 0xfc, 0x3c},
    [DT_F8E5M2FNUZ] = {0x7f, 0xff, 0x40},
    [DT_F8E8M0FNU] = {0xfe, 0x00, 0x7f},
    [DT_BF16] = {0x7f80, 0xff80, 0x3f80},
    [DT_F16] = {0x7c00, 0xfc00, 0x3c00},
    [DT_TF32] = {0x3fc00, 0x7fc00, 0x1fc00},
    [DT_F32] = {0x7f800000, 0xff800000, 0x3f800000},
    [DT_F64] = {0x7ff0000000000000, 0xfff0000000000000, 0x3ff0000000000000},
    [DT_C64] = {0, 0, 0x3f800000},
    [DT_C128] = {0, 0, 0x3ff0000000000000},
};

static bool dtype_limits(dtype t, limits *out)
{
	int bits = dtype_bits(t);
	uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
	switch (dtype_class_of(t)) {
	case DC_BOOL:
	case DC_UINT: *out = (limits){all, 0, 1}; return true;
	case DC_SINT:
	case DC_INDEX: *out = (limits){all >> 1, ~(all >> 1), 1}; return true;
	case DC_FLOAT:
	case DC_COMPLEX: *out = float_limits[t]; return out->one != 0;
	case DC_NONE: return false;
	}
	return false;
}

bool monoid_has_identity(monoid m, const type *t)
{
	limits l;
	return m != MONOID_NONE && t->kind == TY_TENSOR && dtype_limits(t->dtype, &l) &&
	       !(dtype_is_complex(t->dtype) && (m == MONOID_MAX || m == MONOID_MIN));
}

const attr *monoid_identity(tess_ctx *ctx, monoid m, const type *elem)
{
	limits l;
	if (!monoid_has_identity(m, elem) || !dtype_limits(elem->dtype, &l))
		return NULL;
	bool is_bool = elem->dtype == DT_I1;
	switch (m) {
	case MONOID_SUM:
	case MONOID_OR:
	case MONOID_XOR: return attr_splat_bits(ctx, elem, 0);
	case MONOID_PRODUCT: return attr_splat_bits(ctx, elem, l.one);
	case MONOID_MAX: return attr_splat_bits(ctx, elem, l.least);
	case MONOID_MIN: return attr_splat_bits(ctx, elem, l.most);
	case MONOID_AND: return attr_splat_bits(ctx, elem, is_bool ? 1 : UINT64_MAX);
	case MONOID_NONE: return NULL;
	}
	return NULL;
}

bool monoid_identity_is(monoid m, const attr *dense)
{
	if (!dense || dense->kind != AT_DENSE || !dense->splat)
		return false;
	size_t n = (size_t)dtype_bytes(dense->type->dtype);
	const unsigned char *p = dense->data;
	bool zero = true;
	for (size_t i = 0; i < n; i++)
		zero &= p[i] == 0 || (m == MONOID_SUM && i == n - 1 && p[i] == 0x80 &&
		                      dtype_is_float(dense->type->dtype));
	if (m == MONOID_SUM || m == MONOID_OR || m == MONOID_XOR)
		return zero;
	double v = dtype_is_complex(dense->type->dtype) ? 0 : attr_dense_float(dense, 0);
	if (!dtype_is_float(dense->type->dtype))
		return false;
	return (m == MONOID_PRODUCT && v == 1) ||
	       (m == MONOID_MAX && v < -1.7976931348623157e308) ||
	       (m == MONOID_MIN && v > 1.7976931348623157e308);
}
