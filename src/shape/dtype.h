/* dtype.h - element types. */
#ifndef TESS_DTYPE_H
#define TESS_DTYPE_H

#include "base/base.h"

/* dtype.def: DTYPE(ID, "mlir", "hlo", bits, class).  bits is the width of the
 * values; bytes in memory are dtype_bytes(). */
typedef enum dtype {
	DT_NONE, /* not a plain element type */
#define DTYPE(id, mlir, hlo, bits, cls) DT_##id,
#include "shape/dtype.def"
#undef DTYPE
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
int dtype_bits(dtype t);
int dtype_bytes(dtype t); /* as stored by the executor and in npy: i4 takes one byte */
dtype_class dtype_class_of(dtype t);
static inline bool dtype_is_int(dtype t)
{
	dtype_class c = dtype_class_of(t);
	return c == DC_SINT || c == DC_UINT || c == DC_BOOL;
}
static inline bool dtype_is_float(dtype t) { return dtype_class_of(t) == DC_FLOAT; }
static inline bool dtype_is_complex(dtype t) { return dtype_class_of(t) == DC_COMPLEX; }
dtype dtype_from_mlir(tess_str s); /* DT_NONE if there is no such type */
dtype dtype_from_hlo(tess_str s);  /* "pred", "s4", "bf16"; DT_NONE if HLO has no such type */
dtype dtype_complex_of(dtype part); /* DT_NONE if there is none */
dtype dtype_part_of(dtype complex); /* f32 of complex<f32>; itself otherwise */
/* Bits of a float: those of the type, but for tf32, whose 19 stand in 32; how many of them
 * are written behind the point. */
int float_width(dtype t);
int float_mantissa(dtype t);
/* A value of a float type as its bits, rounded to nearest even; and back. */
uint64_t float_bits(double v, dtype t);
double float_value(uint64_t bits, dtype t);
/* The largest finite value of a float type, and the least normal one above 0. */
double dtype_largest(dtype t);
double dtype_least(dtype t);

#endif
