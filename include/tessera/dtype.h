/* tessera/dtype.h - element types. */
#ifndef TESSERA_DTYPE_H
#define TESSERA_DTYPE_H

#include <tessera/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Element types; values are never renumbered.  Signless integers of MLIR are
 *  signed; TESS_I1 is a truth value, HLO's pred. */
typedef enum tess_dtype {
	TESS_NO_DTYPE = 0,
	TESS_I1 = 1,
	TESS_I2 = 2,
	TESS_I4 = 3,
	TESS_I8 = 4,
	TESS_I16 = 5,
	TESS_I32 = 6,
	TESS_I64 = 7,
	TESS_UI2 = 8,
	TESS_UI4 = 9,
	TESS_UI8 = 10,
	TESS_UI16 = 11,
	TESS_UI32 = 12,
	TESS_UI64 = 13,
	TESS_F4E2M1FN = 14,
	TESS_F6E2M3FN = 15,
	TESS_F6E3M2FN = 16,
	TESS_F8E3M4 = 17,
	TESS_F8E4M3 = 18,
	TESS_F8E4M3FN = 19,
	TESS_F8E4M3FNUZ = 20,
	TESS_F8E4M3B11FNUZ = 21,
	TESS_F8E5M2 = 22,
	TESS_F8E5M2FNUZ = 23,
	TESS_F8E8M0FNU = 24,
	TESS_BF16 = 25,
	TESS_F16 = 26,
	TESS_TF32 = 27,
	TESS_F32 = 28,
	TESS_F64 = 29,
	TESS_C64 = 30,
	TESS_C128 = 31,
	TESS_INDEX = 32,
	TESS_S1 = 33, /**< one signed bit; HLO only */
	TESS_U1 = 34, /**< one unsigned bit; HLO only */
} tess_dtype;

/** "f32", "bf16", "s8", "pred" as HLO spells it; "?" for no type.  Static. */
TESS_API const char *tess_dtype_hlo(tess_dtype t);
/** "f32", "bf16", "i8", "i1" as MLIR spells it; "?" for no type.  Static. */
TESS_API const char *tess_dtype_mlir(tess_dtype t);
/** TESS_NO_DTYPE if HLO, or MLIR, has no such spelling. */
TESS_API tess_dtype tess_dtype_from_hlo(tess_str s);
TESS_API tess_dtype tess_dtype_from_mlir(tess_str s);
/** Width of the values, 0 for no type. */
TESS_API int tess_dtype_bits(tess_dtype t);
/** Bytes of an element in memory: a whole number even where the value is smaller. */
TESS_API int tess_dtype_bytes(tess_dtype t);

#ifdef __cplusplus
}
#endif
#endif
