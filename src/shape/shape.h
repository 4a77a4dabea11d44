/* shape.h - the interface of shape: element types, and the bit formats of floats. */
#ifndef TESS_SHAPE_SHAPE_H
#define TESS_SHAPE_SHAPE_H

#include "base/base.h"

/* The width of the values is dtype_bits(); bytes in memory are dtype_bytes(). */
typedef enum dtype {
	DT_NONE, /* not a plain element type */
#define DTYPE(id, mlir, hlo, bits, cls) DT_##id,
#include "shape/dtype.def"
	DT_COUNT
} dtype;

typedef enum dtype_class {
	DC_NONE,
	DC_BOOL,
	DC_SINT,
	DC_UINT,
	DC_FLOAT,
	DC_COMPLEX,
	DC_INDEX
} dtype_class;

const char *dtype_mlir(dtype t); /* "f32", "ui8", "complex<f32>" */
const char *dtype_hlo(dtype t);  /* "f32", "u8", "c64" */
const char *dtype_numpy(dtype t); /* "float32", "bool", "float8_e4m3fn"; "?" if it has no such type */
int dtype_bits(dtype t);
int dtype_bytes(dtype t); /* in the executor and in npy files: i4 takes one byte */
dtype_class dtype_class_of(dtype t);
static inline bool dtype_is_int(dtype t)
{
	dtype_class c = dtype_class_of(t);
	return c == DC_SINT || c == DC_UINT || c == DC_BOOL;
}
static inline bool dtype_is_float(dtype t) { return dtype_class_of(t) == DC_FLOAT; }
static inline bool dtype_is_complex(dtype t) { return dtype_class_of(t) == DC_COMPLEX; }
dtype dtype_from_mlir(tess_str s); /* DT_NONE if there is no such type */
dtype dtype_from_numpy(tess_str s);
dtype dtype_from_hlo(tess_str s);  /* "pred", "s4", "bf16"; DT_NONE if HLO has no such type */

/* What other formats number element types by; columns of dtype.def. */
typedef enum dtype_numbers {
	NUMBER_MLIR,
	NUMBER_VHLO,
	NUMBER_XLA,
	NUMBER_LITERAL,
	NUMBER_JAX,
	NUMBER_COUNT
} dtype_numbers;
int dtype_number(dtype t, dtype_numbers of); /* -1 if that format does not have the type */
dtype dtype_numbered(dtype_numbers of, uint64_t number);

dtype dtype_complex_of(dtype part); /* DT_NONE if there is none */
dtype dtype_part_of(dtype complex); /* f32 of complex<f32>; itself otherwise */
/* A float format is a number of exponent and mantissa bits, a bias, and a rule for values above the
 * largest: IEEE types have infinities, "FN" types one NaN (all ones) and no infinity, "FNUZ" types
 * a NaN in place of -0, f4 and f6 neither (they saturate). f8E8M0FNU has only powers of two and one
 * NaN. */
typedef enum float_special {
	FLOAT_IEEE,
	FLOAT_ONE_NAN,
	FLOAT_UNSIGNED_ZERO,
	FLOAT_FINITE,
	FLOAT_POWERS
} float_special;
typedef struct float_format {
	int exp, man, bias;
	float_special special;
} float_format;
/* In the header, so that the compiler can fold it in loops over one type. */
static inline float_format float_format_of(dtype t)
{
	switch ((int)t) {
#define FLOATING(id, mlir, hlo, bits, exp, man, bias, special)                                     \
	case DT_##id: return (float_format){exp, man, bias, FLOAT_##special};
#include "shape/dtype.def"
	}
	return (float_format){11, 52, 1023, FLOAT_IEEE};
}

/* Number of significant bits of a float: those of the type, except for tf32, whose 19 are stored in
 * 32. float_mantissa() returns the bits after the point. */
int float_width(dtype t);
int float_mantissa(dtype t);
/* Converts a value to the bits of a float type, rounded to nearest even, and back. */
uint64_t float_bits(double v, dtype t);
double float_value(uint64_t bits, dtype t);
/* Return the largest finite value of a float type, and the smallest normal value above 0. */
double dtype_largest(dtype t);
double dtype_least(dtype t);

#endif
