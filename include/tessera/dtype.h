/* tessera/dtype.h - element types: their names in MLIR, HLO and NumPy, and their sizes.
 *
 *     tess_dtype t = tess_dtype_from_mlir(tess_str_of("i8"));
 *     printf("%s is %s in HLO: %d bits\n", tess_dtype_mlir(t), tess_dtype_hlo(t),
 *            tess_dtype_bits(t));
 *
 * These functions need no context, and may be called from any thread. */
#ifndef TESSERA_DTYPE_H
#define TESSERA_DTYPE_H

#include <tessera/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Element types. Values are never renumbered. MLIR's signless integers (i8, i32, …) count as
 *  signed, as in StableHLO. TESS_I1 is a boolean, HLO's pred. */
typedef enum tess_dtype {
	TESS_NO_DTYPE = 0, /**< none, or one that tessera does not know */
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
	TESS_C64 = 30,  /**< two f32 */
	TESS_C128 = 31, /**< two f64 */
	TESS_INDEX = 32,
	TESS_S1 = 33, /**< a signed integer of one bit; in HLO only */
	TESS_U1 = 34, /**< an unsigned integer of one bit; in HLO only */
} tess_dtype;

/** Returns the name in HLO: "f32", "bf16", "s8", "pred"; "?" if HLO has no such type. Static. */
TESS_API const char *tess_dtype_hlo(tess_dtype t);
/** Returns the name in MLIR: "f32", "bf16", "i8", "i1"; "?" if MLIR has no such type. Static. */
TESS_API const char *tess_dtype_mlir(tess_dtype t);
/** Returns the name in NumPy or ml_dtypes: "float32", "bool", "float8_e4m3fn"; "?" if neither has
 *  such a type. Static. */
TESS_API const char *tess_dtype_numpy(tess_dtype t);
/** Returns the type of a name in HLO; TESS_NO_DTYPE if there is none. */
TESS_API tess_dtype tess_dtype_from_hlo(tess_str s);
/** Returns the type of a name in MLIR; TESS_NO_DTYPE if there is none. */
TESS_API tess_dtype tess_dtype_from_mlir(tess_str s);
/** Returns the width of a value in bits, 0 for TESS_NO_DTYPE. */
TESS_API int tess_dtype_bits(tess_dtype t);
/** Returns the bytes of an element in a tess_tensor: at least one, also where the value has
 *  fewer than eight bits. 0 for TESS_NO_DTYPE. */
TESS_API int tess_dtype_bytes(tess_dtype t);

#ifdef __cplusplus
}
#endif
#endif
