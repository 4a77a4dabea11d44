/* tessera/attr.h - types and attributes: made, read, printed, asked.
 *
 * Both are interned in their context: two that say the same are the same pointer.
 * They are immutable, live as long as the context, and are never released.  Do not mix
 * those of different contexts. */
#ifndef TESSERA_ATTR_H
#define TESSERA_ATTR_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>
#include <tessera/sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_type tess_type;
typedef struct tess_attr tess_attr;

/* ---- types ---------------------------------------------------------------- */

typedef enum tess_type_kind {
	TESS_TYPE_NONE = 0,
	TESS_TYPE_SCALAR = 1,   /**< f32, i1, index, complex<f32> */
	TESS_TYPE_TENSOR = 2,   /**< tensor<2x?xf32> */
	TESS_TYPE_UNRANKED = 3, /**< tensor<*xf32> */
	TESS_TYPE_TUPLE = 4,
	TESS_TYPE_FUNCTION = 5,
	TESS_TYPE_TOKEN = 6,  /**< !stablehlo.token */
	TESS_TYPE_FUTURE = 7, /**< !stablehlo.future<…> */
	TESS_TYPE_QUANT = 8,  /**< !quant.uniform<…> */
	TESS_TYPE_OTHER = 9,  /**< vector, memref, or of a dialect that tessera does not know */
} tess_type_kind;

/** A dimension whose size is not known. */
#define TESS_DYNAMIC INT64_MIN

/** Reads `tensor<2x4xf32>`, `(tensor<f32>) -> tuple<…>`, …. */
TESS_API const tess_type *tess_type_parse(tess_ctx *ctx, tess_str text);
TESS_API TESS_GIVE char *tess_type_print(tess_ctx *ctx, const tess_type *t);

TESS_API const tess_type *tess_type_scalar(tess_ctx *ctx, tess_dtype t);
/** @param dims sizes, or TESS_DYNAMIC; NULL for a scalar tensor, of rank 0. */
TESS_API const tess_type *tess_type_tensor(tess_ctx *ctx, tess_dtype t, const int64_t *dims,
                                           int rank);
TESS_API const tess_type *tess_type_function(tess_ctx *ctx, const tess_type *const *in, size_t n_in,
                                             const tess_type *const *out, size_t n_out);

TESS_API tess_type_kind tess_type_kind_of(const tess_type *t);
/** Of a scalar, or of a tensor's elements; TESS_NO_DTYPE if they have none (quantized
 *  elements, tuples, …). */
TESS_API tess_dtype tess_type_dtype(const tess_type *t);
/** The number of dimensions; -1 if the type has none or they are not known. */
TESS_API int tess_type_rank(const tess_type *t);
/** A size or TESS_DYNAMIC; -1 if there is no such dimension. */
TESS_API int64_t tess_type_dim(const tess_type *t, int i);
/** The element type of a tensor, or NULL. */
TESS_API const tess_type *tess_type_element(const tess_type *t);
/** What stands after the dimensions and elements of a tensor, as bounds, or NULL. */
TESS_API const tess_attr *tess_type_encoding(const tess_type *t);
/** Members of a tuple or future, inputs of a function. */
TESS_API size_t tess_type_in_count(const tess_type *t);
TESS_API const tess_type *tess_type_in(const tess_type *t, size_t i); /**< NULL: no such */
/** Results of a function. */
TESS_API size_t tess_type_out_count(const tess_type *t);
TESS_API const tess_type *tess_type_out(const tess_type *t, size_t i);

/* ---- attributes ------------------------------------------------------------- */

typedef enum tess_attr_kind {
	TESS_ATTR_OTHER = 0,    /**< affine maps, sharding rules, axis lists, unknown dialects, … */
	TESS_ATTR_UNIT = 1,
	TESS_ATTR_BOOL = 2,
	TESS_ATTR_INT = 3,
	TESS_ATTR_FLOAT = 4,
	TESS_ATTR_STRING = 5,
	TESS_ATTR_TYPE = 6,
	TESS_ATTR_ARRAY = 7,    /**< [a, b] */
	TESS_ATTR_DICT = 8,     /**< {a = …}; its keys are sorted */
	TESS_ATTR_SYMBOL = 9,   /**< @name */
	TESS_ATTR_ELEMENTS = 10, /**< dense<…> : tensor<…> */
	TESS_ATTR_NUMBERS = 11, /**< array<i64: 1, 2> */
	TESS_ATTR_ENUM = 12,    /**< #stablehlo<precision HIGH>: its text is HIGH */
	TESS_ATTR_STRUCT = 13,  /**< #stablehlo.dot<…>: fields, as of a dictionary */
	TESS_ATTR_MESH = 14,
	TESS_ATTR_SHARDING = 15,
	TESS_ATTR_LOCATION = 16,
} tess_attr_kind;

/** Reads any attribute: `dense<0.0> : tensor<4xf32>`,
 *  `#stablehlo.dot<lhs_contracting_dimensions = [1], …>`, …. */
TESS_API const tess_attr *tess_attr_parse(tess_ctx *ctx, tess_str text);
TESS_API TESS_GIVE char *tess_attr_print(tess_ctx *ctx, const tess_attr *a);

TESS_API const tess_attr *tess_attr_bool(tess_ctx *ctx, bool v);
/** @param bits the width of a signless integer, 1 to 64. */
TESS_API const tess_attr *tess_attr_int(tess_ctx *ctx, int64_t v, int bits);
/** @param t TESS_F32 or TESS_F64. */
TESS_API const tess_attr *tess_attr_float(tess_ctx *ctx, double v, tess_dtype t);
TESS_API const tess_attr *tess_attr_string(tess_ctx *ctx, tess_str text);
TESS_API const tess_attr *tess_attr_symbol(tess_ctx *ctx, const char *name);
TESS_API const tess_attr *tess_attr_type(tess_ctx *ctx, const tess_type *t);
TESS_API const tess_attr *tess_attr_array(tess_ctx *ctx, const tess_attr *const *items, size_t n);
TESS_API const tess_attr *tess_attr_dict(tess_ctx *ctx, const char *const *keys,
                                         const tess_attr *const *items, size_t n);
/** `array<i64: …>`, what StableHLO's dimension lists are. */
TESS_API const tess_attr *tess_attr_numbers(tess_ctx *ctx, const int64_t *v, size_t n);
/** `dense<…>`.
 *  @param t a static tensor type.
 *  @param data row-major, little endian, tess_dtype_bytes() each; copied.
 *  @param bytes the size of all elements, or of one that stands for all. */
TESS_API const tess_attr *tess_attr_elements(tess_ctx *ctx, const tess_type *t, const void *data,
                                             size_t bytes);
TESS_API const tess_attr *tess_attr_mesh(tess_ctx *ctx, const tess_mesh *m);
TESS_API const tess_attr *tess_attr_sharding(tess_ctx *ctx, const tess_sharding *s);
/** `loc("file":line:col)`; line 0: `loc(unknown)`. */
TESS_API const tess_attr *tess_attr_location(tess_ctx *ctx, const char *file, uint32_t line,
                                             uint32_t col);

TESS_API tess_attr_kind tess_attr_kind_of(const tess_attr *a);
/** The value of a bool or an integer; `fallback` for others, NULL included. */
TESS_API int64_t tess_attr_get_int(const tess_attr *a, int64_t fallback);
/** The value of a float; NaN for others. */
TESS_API double tess_attr_get_float(const tess_attr *a);
/** The text of a string, symbol or enum, the file of a location, the name of a struct;
 *  ptr is NULL for others. */
TESS_API tess_str tess_attr_text(const tess_attr *a);
/** The type of an integer, float, elements or type attribute, or NULL. */
TESS_API const tess_type *tess_attr_get_type(const tess_attr *a);
/** Items of an array, dictionary or struct. */
TESS_API size_t tess_attr_count(const tess_attr *a);
TESS_API const tess_attr *tess_attr_item(const tess_attr *a, size_t i); /**< NULL: no such */
TESS_API tess_str tess_attr_key(const tess_attr *a, size_t i); /**< ptr NULL: it has none */
/** Of a dictionary or struct; NULL: it has no such key. */
TESS_API const tess_attr *tess_attr_find(const tess_attr *a, const char *key);
/** The numbers of `array<i64: …>`, of integer elements or of `[1, 2]`, widened.
 *  @param n how many there are.
 *  @return the numbers, which live as long as the context, or NULL for other attributes. */
TESS_API const int64_t *tess_attr_get_numbers(tess_ctx *ctx, const tess_attr *a, size_t *n);
/** The data of elements or numbers; one element for all of them if *splat.
 *  @return NULL for other attributes. */
TESS_API const void *tess_attr_data(const tess_attr *a, size_t *bytes, bool *splat);
TESS_API const tess_mesh *tess_attr_get_mesh(const tess_attr *a);         /**< or NULL */
TESS_API const tess_sharding *tess_attr_get_sharding(const tess_attr *a); /**< or NULL */
/** Of a location in a file; false for other attributes and locations. */
TESS_API bool tess_attr_get_location(const tess_attr *a, tess_str *file, uint32_t *line,
                                     uint32_t *col);

#ifdef __cplusplus
}
#endif
#endif
