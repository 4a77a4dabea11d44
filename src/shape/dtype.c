/* dtype.c - properties of the element types, from dtype.def. */
#include "shape/shape.h"

typedef struct dtype_row {
	const char *mlir, *hlo;
	int bits;
	dtype_class cls;
} dtype_row;

static const dtype_row rows[DT_COUNT] = {
#define DTYPE(id, mlir, hlo, bits, cls) [DT_##id] = {mlir, hlo, bits, DC_##cls},
#include "shape/dtype.def"
};

enum { NONE = -1 };
static const int8_t numbers[DT_COUNT][NUMBER_COUNT] = {
	[DT_NONE] = {NONE, NONE, NONE, NONE, NONE},
#define NUMBERED(id, mlir, vhlo, since, xla, literal, jax, numpy)                                  \
	[DT_##id] = {mlir, vhlo, xla, literal, jax},
#include "shape/dtype.def"
};
static const char *const numpy_names[DT_COUNT] = {
#define NUMBERED(id, mlir, vhlo, since, xla, literal, jax, numpy) [DT_##id] = numpy,
#include "shape/dtype.def"
};

#define NUMBERED(...) +1
_Static_assert(1
#include "shape/dtype.def"
                       == DT_COUNT,
               "a type has no row of numbers");

int dtype_number(dtype t, dtype_numbers of) { return numbers[t][of]; }

dtype dtype_numbered(dtype_numbers of, uint64_t number)
{
	for (int t = 1; t < DT_COUNT; t++)
		if (numbers[t][of] >= 0 && (uint64_t)numbers[t][of] == number)
			return (dtype)t;
	return DT_NONE;
}

const char *dtype_mlir(dtype t) { return rows[t].mlir ? rows[t].mlir : "?"; }
const char *dtype_numpy(dtype t) { return numpy_names[t] ? numpy_names[t] : "?"; }
const char *dtype_hlo(dtype t) { return rows[t].hlo ? rows[t].hlo : "?"; }
int dtype_bits(dtype t) { return rows[t].bits; }
int dtype_bytes(dtype t) { return (rows[t].bits + 7) / 8; }
dtype_class dtype_class_of(dtype t) { return rows[t].cls; }

dtype dtype_from_mlir(tess_str s)
{
	for (int t = 1; t < DT_COUNT; t++)
		if (rows[t].mlir && str_is(s, rows[t].mlir))
			return (dtype)t;
	return DT_NONE;
}

dtype dtype_from_numpy(tess_str s)
{
	for (int t = 1; t < DT_COUNT; t++)
		if (numpy_names[t] && str_is(s, numpy_names[t]))
			return (dtype)t;
	return DT_NONE;
}

dtype dtype_from_hlo(tess_str s)
{
	for (int t = 1; t < DT_COUNT; t++)
		if (numbers[t][NUMBER_XLA] >= 0 && str_is(s, rows[t].hlo))
			return (dtype)t;
	return DT_NONE;
}

dtype dtype_complex_of(dtype part)
{
	return part == DT_F32 ? DT_C64 : part == DT_F64 ? DT_C128 : DT_NONE;
}

dtype dtype_part_of(dtype t)
{
	return t == DT_C64 ? DT_F32 : t == DT_C128 ? DT_F64 : t;
}
