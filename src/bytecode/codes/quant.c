/* quant.c - converts between quantized types and their fields. */
#include "bytecode/codes/make.h"

static const type *quant_fail(coder *c, const char *what)
{
	c->fail(c, "%s", what);
	return NULL;
}

/* ---- storage and expressed type ------------------------------------------------------- */

/* Flag 1 means signed: i8 has the storage type i8, signed; u8 i8, unsigned; ui8 ui8, unsigned. */
static bool quant_head(coder *c, const field *f, quant_info *q)
{
	dtype storage = f[1].t->kind == TY_SCALAR ? f[1].t->dtype : DT_NONE;
	q->expressed = f[2].t->kind == TY_SCALAR ? f[2].t->dtype : DT_NONE;
	if (!dtype_is_int(storage) || dtype_bits(storage) > 32 || !dtype_is_float(q->expressed))
		return c->fail(c, "a quantized type stores no integers, or expresses no floats");
	bool is_signed = f[0].i & 1;
	int bits = dtype_bits(storage);
	q->storage_ui = dtype_class_of(storage) == DC_UINT;
	q->storage = storage;
	if (!is_signed && !q->storage_ui)
		q->storage = dtype_from_mlir(str_of(arena_printf(c->mem, "ui%d", bits)));
	if (!q->storage)
		return c->fail(c, "a quantized type stores integers of another width");
	int64_t min = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
	int64_t max = is_signed ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;
	q->default_range = q->min == min && q->max == max;
	return true;
}

static void take_quant_head(coder *c, const quant_info *q, field *f)
{
	bool is_unsigned = dtype_class_of(q->storage) == DC_UINT;
	dtype storage = q->storage;
	if (is_unsigned && !q->storage_ui)
		storage = dtype_from_mlir(str_of(arena_printf(c->mem, "i%d", dtype_bits(storage))));
	f[0] = field_int(!is_unsigned);
	f[1] = field_type(type_scalar(c->ctx, storage));
	f[2] = field_type(type_scalar(c->ctx, q->expressed));
}

/* ---- one scale, or one for each index of an axis --------------------------------------- */

const type *codes_make_quant_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	double scale = float_value((uint64_t)f[3].i, DT_F64);
	int64_t zero = f[4].i;
	quant_info q = {.min = f[5].i, .max = f[6].i, .axis = -1, .n = 1};
	q.scales = &scale;
	q.zeros = &zero;
	return quant_head(c, f, &q) ? type_quant(c->ctx, &q) : NULL;
}

bool codes_take_quant_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(row);
	const quant_info *q = t->quant;
	if (q->axis >= 0 || q->blocks)
		return false;
	take_quant_head(c, q, f);
	f[3] = field_int((int64_t)float_bits(q->scales[0], DT_F64));
	f[4] = field_int(q->zeros[0]);
	f[5] = field_int(q->min);
	f[6] = field_int(q->max);
	return true;
}

const type *codes_make_quant_axis_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	if (f[6].n != f[7].n || f[6].n > INT32_MAX || f[3].i < 0 || f[3].i > INT32_MAX)
		return quant_fail(c, "the numbers of scales and zero points of a quantized type differ");
	double *scales = NEW_N(c->mem, double, f[6].n);
	for (int64_t i = 0; i < f[6].n; i++)
		scales[i] = float_value((uint64_t)f[6].ints[i], DT_F64);
	quant_info q = {.min = f[4].i, .max = f[5].i, .axis = (int)f[3].i, .n = (int)f[6].n};
	q.scales = scales;
	q.zeros = f[7].ints;
	return quant_head(c, f, &q) ? type_quant(c->ctx, &q) : NULL;
}

bool codes_take_quant_axis_type(coder *c, const code_row *row, const type *t, field *f)
{
	UNUSED(row);
	const quant_info *q = t->quant;
	if (q->axis < 0)
		return false;
	int64_t *scales = NEW_N(c->mem, int64_t, q->n);
	for (int i = 0; i < q->n; i++)
		scales[i] = (int64_t)float_bits(q->scales[i], DT_F64);
	take_quant_head(c, q, f);
	f[3] = field_int(q->axis);
	f[4] = field_int(q->min);
	f[5] = field_int(q->max);
	f[6] = field_ints(scales, q->n);
	f[7] = field_ints(q->zeros, q->n);
	return true;
}

/* ---- a scale for each block ------------------------------------------------------------- */

/* Scales and zero points are tensors of the same shape. */
static bool are_blocks(const type *scales, const type *zeros)
{
	enum { MOST_SCALES = 1 << 24 };
	if (scales->kind != TY_TENSOR || zeros->kind != TY_TENSOR || !scales->is_static ||
	    scales->rank != zeros->rank || scales->n_elems > MOST_SCALES)
		return false;
	for (int d = 0; d < scales->rank; d++)
		if (scales->dims[d] != zeros->dims[d])
			return false;
	return dtype_is_float(scales->dtype) && dtype_is_int(zeros->dtype);
}

static bool have_numbers_of_dims(const field *dims, const field *sizes)
{
	if (dims->n != sizes->n || dims->n > INT32_MAX)
		return false;
	for (int64_t i = 0; i < dims->n; i++)
		if (dims->ints[i] < 0 || dims->ints[i] > INT32_MAX || sizes->ints[i] < 1)
			return false;
	return true;
}

/* Reads the elements of two attributes as numbers. */
static void take_scales(coder *c, const attr *from_scales, const attr *from_zeros, quant_info *q)
{
	double *scales = NEW_N(c->mem, double, q->n);
	int64_t *zeros = NEW_N(c->mem, int64_t, q->n);
	for (int i = 0; i < q->n; i++) {
		scales[i] = attr_dense_float(from_scales, i);
		zeros[i] = attr_dense_int(from_zeros, i);
	}
	q->scales = scales;
	q->zeros = zeros;
}

const type *codes_make_quant_blocks_type(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const attr *scales = f[7].a, *zeros = f[8].a;
	if (scales->kind != AT_DENSE || zeros->kind != AT_DENSE || !are_blocks(scales->type, zeros->type))
		return quant_fail(c, "the scales and zero points of a quantized type are not tensors of "
		                     "numbers, of the same shape");
	if (!have_numbers_of_dims(&f[5], &f[6]))
		return quant_fail(c, "a quantized type does not have a size of blocks for each of its "
		                     "dimensions");
	quant_blocks blocks = {.n = (int)f[5].n, .dims = f[5].ints, .sizes = f[6].ints};
	blocks.rank = scales->type->rank;
	blocks.shape = scales->type->dims;
	quant_info q = {.min = f[3].i, .max = f[4].i, .axis = -1, .blocks = &blocks};
	q.n = (int)scales->type->n_elems;
	take_scales(c, scales, zeros, &q);
	return quant_head(c, f, &q) ? type_quant(c->ctx, &q) : NULL;
}
