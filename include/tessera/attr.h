/* tessera/attr.h - types and attributes of MLIR: created, parsed, printed and read.
 *
 *     const int64_t dims[] = {4, TESS_DYNAMIC};
 *     const tess_type *t = tess_type_tensor(ctx, TESS_F32, dims, 2);
 *     char *text = tess_type_print(ctx, t); // "tensor<4x?xf32>"
 *     tess_text_free(text);
 *
 *     const tess_attr *a = tess_attr_parse(ctx, tess_str_of("{axes = array<i64: 0, 2>}"));
 *     size_t n;
 *     const int64_t *axes = tess_attr_get_numbers(ctx, tess_attr_find(a, "axes"), &n);
 *     printf("%d axes, the last is %d\n", (int)n, (int)axes[n - 1]);
 *
 * Types and attributes are interned in their context: two that are equal are the same pointer. They
 * are immutable and live as long as the context; nothing here is released, except printed texts.
 *
 * Functions that create return NULL if an argument breaks the rules of the comment or memory ran
 * out. Parsing returns NULL also with an error in the context. */
#ifndef TESSERA_ATTR_H
#define TESSERA_ATTR_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>
#include <tessera/sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_type tess_type; /**< a type */
typedef struct tess_attr tess_attr; /**< an attribute */

/* ---- types ---------------------------------------------------------------- */

typedef enum tess_type_kind {
	TESS_TYPE_NONE = 0,     /**< MLIR's `none`; also the kind of NULL */
	TESS_TYPE_SCALAR = 1,   /**< f32, i1, index, complex<f32> */
	TESS_TYPE_TENSOR = 2,   /**< tensor<2x?xf32> */
	TESS_TYPE_UNRANKED = 3, /**< tensor<*xf32> */
	TESS_TYPE_TUPLE = 4,    /**< tuple<tensor<2xf32>, …> */
	TESS_TYPE_FUNCTION = 5, /**< (tensor<f32>) -> tensor<f32> */
	TESS_TYPE_TOKEN = 6,  /**< !stablehlo.token */
	TESS_TYPE_FUTURE = 7, /**< !stablehlo.future<…> */
	TESS_TYPE_QUANT = 8,  /**< !quant.uniform<…> */
	TESS_TYPE_OTHER = 9,  /**< vector, memref, or a type of an unknown dialect */
} tess_type_kind;

/** The size of a dimension that is not known: `?` */
#define TESS_DYNAMIC INT64_MIN

/** Parses a type as MLIR writes it: `tensor<2x4xf32>`, `(tensor<f32>) -> tuple<…>`, … */
TESS_API const tess_type *tess_type_parse(tess_ctx *ctx, tess_str text);
/** Prints a type as MLIR writes it. */
TESS_API TESS_GIVE char *tess_type_print(tess_ctx *ctx, const tess_type *t);

/** Returns the scalar type, as `f32`. TESS_S1 and TESS_U1 have none. */
TESS_API const tess_type *tess_type_scalar(tess_ctx *ctx, tess_dtype t);
/** Returns a tensor type.
 *  @param dims `rank` sizes, each at least 0 or TESS_DYNAMIC; may be NULL for rank 0. */
TESS_API const tess_type *tess_type_tensor(tess_ctx *ctx, tess_dtype t, const int64_t *dims,
                                           int rank);
/** Returns the type of a function from `in` to `out`. */
TESS_API const tess_type *tess_type_function(tess_ctx *ctx, const tess_type *const *in, size_t n_in,
                                             const tess_type *const *out, size_t n_out);

/** Returns the kind of a type; TESS_TYPE_NONE for NULL. */
TESS_API tess_type_kind tess_type_kind_of(const tess_type *t);
/** Returns the element type of a scalar or tensor; TESS_NO_DTYPE for others, also for tensors of
 *  quantized elements. */
TESS_API tess_dtype tess_type_dtype(const tess_type *t);
/** Returns the number of dimensions; -1 if the type has none, or its rank is not known. */
TESS_API int tess_type_rank(const tess_type *t);
/** Returns the size of dimension `i`, or TESS_DYNAMIC; -1 if there is none. */
TESS_API int64_t tess_type_dim(const tess_type *t, int i);
/** Returns the element type of a tensor as a type, or NULL. */
TESS_API const tess_type *tess_type_element(const tess_type *t);
/** Returns the encoding of a tensor, `#stablehlo.bounds<…>` in tensor<?xf32,
 *  #stablehlo.bounds<…>>, or NULL. */
TESS_API const tess_attr *tess_type_encoding(const tess_type *t);
/** Returns how many members a tuple or future has, or inputs a function. */
TESS_API size_t tess_type_in_count(const tess_type *t);
/** Returns member or input `i`; NULL if there is none. */
TESS_API const tess_type *tess_type_in(const tess_type *t, size_t i);
/** Returns how many results a function has. */
TESS_API size_t tess_type_out_count(const tess_type *t);
/** Returns result `i`; NULL if there is none. */
TESS_API const tess_type *tess_type_out(const tess_type *t, size_t i);

/* ---- attributes ------------------------------------------------------------- */

typedef enum tess_attr_kind {
	TESS_ATTR_OTHER = 0,    /**< affine maps, sharding rules, unknown dialects, …; NULL */
	TESS_ATTR_UNIT = 1,     /**< unit: only that it is there means something */
	TESS_ATTR_BOOL = 2,     /**< true */
	TESS_ATTR_INT = 3,      /**< 4 : i64 */
	TESS_ATTR_FLOAT = 4,    /**< 1.0 : f32 */
	TESS_ATTR_STRING = 5,   /**< "text" */
	TESS_ATTR_TYPE = 6,     /**< tensor<4xf32> */
	TESS_ATTR_ARRAY = 7,    /**< [a, b] */
	TESS_ATTR_DICT = 8,     /**< {a = …}; the keys are sorted */
	TESS_ATTR_SYMBOL = 9,   /**< @name */
	TESS_ATTR_ELEMENTS = 10, /**< dense<…> : tensor<…> */
	TESS_ATTR_NUMBERS = 11, /**< array<i64: 1, 2> */
	TESS_ATTR_ENUM = 12,    /**< #stablehlo<precision HIGH>: the text is HIGH */
	TESS_ATTR_STRUCT = 13,  /**< #stablehlo.dot<…>: its fields, like a dictionary */
	TESS_ATTR_MESH = 14,    /**< #sdy.mesh<…> */
	TESS_ATTR_SHARDING = 15, /**< #sdy.sharding<…> */
	TESS_ATTR_LOCATION = 16, /**< loc(…) */
} tess_attr_kind;

/** Parses any attribute as MLIR writes it: `dense<0.0> : tensor<4xf32>`,
 *  `#stablehlo.dot<lhs_contracting_dimensions = [1], …>`, … */
TESS_API const tess_attr *tess_attr_parse(tess_ctx *ctx, tess_str text);
/** Prints an attribute as MLIR writes it. */
TESS_API TESS_GIVE char *tess_attr_print(tess_ctx *ctx, const tess_attr *a);

/** Returns `true` or `false`. */
TESS_API const tess_attr *tess_attr_bool(tess_ctx *ctx, bool v);
/** Returns an integer of a signless type.
 *  @param v fits into `bits`, read as signed or unsigned.
 *  @param bits the width, 1 to 64; 1 gives a boolean. */
TESS_API const tess_attr *tess_attr_int(tess_ctx *ctx, int64_t v, int bits);
/** Returns a floating-point number, rounded to the type.
 *  @param t TESS_F32 or TESS_F64. */
TESS_API const tess_attr *tess_attr_float(tess_ctx *ctx, double v, tess_dtype t);
/** Returns a string. */
TESS_API const tess_attr *tess_attr_string(tess_ctx *ctx, tess_str text);
/** Returns a symbol reference.
 *  @param name without @. */
TESS_API const tess_attr *tess_attr_symbol(tess_ctx *ctx, const char *name);
/** Returns a type as an attribute. */
TESS_API const tess_attr *tess_attr_type(tess_ctx *ctx, const tess_type *t);
/** Returns `[items…]`. */
TESS_API const tess_attr *tess_attr_array(tess_ctx *ctx, const tess_attr *const *items, size_t n);
/** Returns `{key = item, …}`, sorted by key. */
TESS_API const tess_attr *tess_attr_dict(tess_ctx *ctx, const char *const *keys,
                                         const tess_attr *const *items, size_t n);
/** Returns `array<i64: …>`, the form of StableHLO's lists of dimensions. */
TESS_API const tess_attr *tess_attr_numbers(tess_ctx *ctx, const int64_t *v, size_t n);
/** Returns `dense<…>`.
 *  @param t a tensor type without dynamic dimensions.
 *  @param data the elements, row-major, little endian, tess_dtype_bytes() each.
 *  @param bytes the size of all elements, or that of one element, which then stands for all. */
TESS_API const tess_attr *tess_attr_elements(tess_ctx *ctx, const tess_type *t, const void *data,
                                             size_t bytes);
/** Returns a mesh as an attribute. Kinds of axes are dropped. */
TESS_API const tess_attr *tess_attr_mesh(tess_ctx *ctx, const tess_mesh *m);
/** Returns a sharding as an attribute. */
TESS_API const tess_attr *tess_attr_sharding(tess_ctx *ctx, const tess_sharding *s);
/** Returns `loc("file":line:col)`; `loc(unknown)` if `file` is NULL or `line` is 0. */
TESS_API const tess_attr *tess_attr_location(tess_ctx *ctx, const char *file, uint32_t line,
                                             uint32_t col);

/** Returns the kind of an attribute; TESS_ATTR_OTHER for NULL. */
TESS_API tess_attr_kind tess_attr_kind_of(const tess_attr *a);
/** Returns the value of a boolean or integer; `fallback` for other attributes and for NULL. */
TESS_API int64_t tess_attr_get_int(const tess_attr *a, int64_t fallback);
/** Returns the value of a floating-point number; NaN for other attributes. */
TESS_API double tess_attr_get_float(const tess_attr *a);
/** Returns the text of a string, symbol or enum, the file or name of a location, or the name of
 *  a struct; ptr is NULL for others. It lives as long as the context. */
TESS_API tess_str tess_attr_text(const tess_attr *a);
/** Returns the type of an integer, float, elements or type attribute, or NULL. */
TESS_API const tess_type *tess_attr_get_type(const tess_attr *a);
/** Returns how many items an array, dictionary or struct has; 0 for others. */
TESS_API size_t tess_attr_count(const tess_attr *a);
/** Returns item `i`; NULL if there is none. */
TESS_API const tess_attr *tess_attr_item(const tess_attr *a, size_t i);
/** Returns the key of item `i` of a dictionary or struct; ptr is NULL if it has none. */
TESS_API tess_str tess_attr_key(const tess_attr *a, size_t i);
/** Returns the item of a dictionary or struct with this key; NULL if there is none. */
TESS_API const tess_attr *tess_attr_find(const tess_attr *a, const char *key);
/** Returns the numbers of `array<i64: …>`, of `dense<…>` with integers, or of `[1, 2]`, as int64_t.
 *  @param n gets how many there are.
 *  @return the numbers, which live as long as the context; NULL for other attributes. */
TESS_API const int64_t *tess_attr_get_numbers(tess_ctx *ctx, const tess_attr *a, size_t *n);
/** Returns the bytes of `dense<…>` or `array<…>`, row-major, little endian.
 *  @param bytes gets how many there are; may be NULL.
 *  @param splat gets whether they are one element that stands for all; may be NULL.
 *  @return the data, which lives as long as the attribute; NULL for other attributes. */
TESS_API const void *tess_attr_data(const tess_attr *a, size_t *bytes, bool *splat);
/** Returns the mesh of a mesh attribute; NULL for others. */
TESS_API const tess_mesh *tess_attr_get_mesh(const tess_attr *a);
/** Returns the sharding of a sharding attribute; NULL for others. */
TESS_API const tess_sharding *tess_attr_get_sharding(const tess_attr *a);
/** Gets the place of a location in a file. Each pointer may be NULL.
 *  @return false for other attributes and other kinds of locations. */
TESS_API bool tess_attr_get_location(const tess_attr *a, tess_str *file, uint32_t *line,
                                     uint32_t *col);

#ifdef __cplusplus
}
#endif
#endif
