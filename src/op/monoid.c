/* monoid.c - monoids of reductions: their operations and neutral elements. */
#include "op/op.h"

#include <math.h>

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

/* The largest value (infinity if the type has it), the least, and one, as bits. */
typedef struct limits {
	uint64_t most, least, one;
} limits;

static limits float_limits(dtype t)
{
	float_format f = float_format_of(t);
	double most = f.special == FLOAT_IEEE ? INFINITY : dtype_largest(t);
	double least = f.special == FLOAT_POWERS ? dtype_least(t) : -most;
	return (limits){float_bits(most, t), float_bits(least, t), float_bits(1, t)};
}

/* Returns false if the type has no numbers (DC_NONE). */
static bool dtype_limits(dtype t, limits *out)
{
	int bits = dtype_bits(t);
	uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
	switch (dtype_class_of(t)) {
	case DC_BOOL:
	case DC_UINT: *out = (limits){all, 0, 1}; return true;
	case DC_SINT:
	case DC_INDEX: *out = (limits){all >> 1, ~(all >> 1), 1}; return true;
	case DC_FLOAT: *out = float_limits(t); return true;
	case DC_COMPLEX: *out = (limits){.one = float_bits(1, dtype_part_of(t))}; return true;
	case DC_NONE: return false;
	}
	return false;
}

bool monoid_is_idempotent(monoid m)
{
	return m == MONOID_MAX || m == MONOID_MIN || m == MONOID_AND || m == MONOID_OR;
}

bool monoid_has_identity(monoid m, const type *t)
{
	return m != MONOID_NONE && t->kind == TY_TENSOR && dtype_class_of(t->dtype) != DC_NONE &&
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
