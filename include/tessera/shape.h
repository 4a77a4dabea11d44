/* tessera/shape.h - XLA's shapes and layouts: text, sizes, element positions, relayout.
 *
 *     const tess_shape *s = tess_shape_parse(ctx, tess_str_of("bf16[100,10]{1,0:T(8,128)(2,1)}"));
 *     printf("%d bytes of data, %d on the device\n", (int)tess_shape_bytes(s, TESS_SIZE_DATA),
 *            (int)tess_shape_bytes(s, TESS_SIZE_PADDED));
 *     const int64_t index[] = {1, 2};
 *     printf("element [1,2] is number %d in memory\n", (int)tess_shape_offset(s, index));
 *
 * Shapes and layouts are interned in their context: two that are equal are the same pointer.
 * They are immutable and live as long as the context. The notation and its meaning are XLA's
 * (docs/hlo.md). Functions that create report an error in the context when they return NULL. */
#ifndef TESSERA_SHAPE_H
#define TESSERA_SHAPE_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_shape tess_shape;   /**< an array, tuple, token, opaque value or buffer */
typedef struct tess_layout tess_layout; /**< how an array is stored: order, tiles, memory space */

#define TESS_DIM_UNBOUNDED INT64_MIN /**< the size of a dimension `?` */
#define TESS_TILE_MERGE INT64_MIN    /**< `*` in a tile: merged with the next dimension */

typedef enum tess_shape_kind {
	TESS_SHAPE_ARRAY = 0,  /**< f32[4] */
	TESS_SHAPE_TUPLE = 1,  /**< (f32[4], s32[]) */
	TESS_SHAPE_TOKEN = 2,  /**< token[] */
	TESS_SHAPE_OPAQUE = 3, /**< opaque[]; also the kind of NULL */
	TESS_SHAPE_BUFFER = 4, /**< b(f32[4]) */
} tess_shape_kind;

/* ---- creating ----------------------------------------------------------- */

/** Parses a shape as XLA writes it: "bf16[8,1,1280]{2,0,1:T(8,128)(2,1)S(1)}", "(f32[2],
 *  token[])". */
TESS_API const tess_shape *tess_shape_parse(tess_ctx *ctx, tess_str text);
/** Returns an array in row-major layout.
 *  @param dims `rank` sizes, or TESS_DIM_UNBOUNDED; rank is at most TESS_MAX_RANK. */
TESS_API const tess_shape *tess_shape_array(tess_ctx *ctx, tess_dtype t, const int64_t *dims,
                                            int rank);
/** Returns a tuple of shapes. */
TESS_API const tess_shape *tess_shape_tuple(tess_ctx *ctx, const tess_shape *const *parts,
                                            size_t n);
/** Returns the array with another layout.
 *  @param layout of the same rank; NULL: row-major. */
TESS_API const tess_shape *tess_shape_with_layout(tess_ctx *ctx, const tess_shape *s,
                                                  const tess_layout *layout);
/** Parses a layout: "{1,0:T(8,128)}". */
TESS_API const tess_layout *tess_layout_parse(tess_ctx *ctx, tess_str text);
/** Returns a layout without tiles.
 *  @param minor_to_major a permutation of 0 … rank-1, the dimension that varies fastest first. */
TESS_API const tess_layout *tess_layout_dense(tess_ctx *ctx, const int *minor_to_major, int rank);

/* ---- reading ------------------------------------------------------------ */

/** Returns the kind of a shape; TESS_SHAPE_OPAQUE for NULL. */
TESS_API tess_shape_kind tess_shape_kind_of(const tess_shape *s);
/** Returns the element type of an array or buffer; TESS_NO_DTYPE for others. */
TESS_API tess_dtype tess_shape_dtype(const tess_shape *s);
/** Returns the number of dimensions of an array or buffer; 0 for others. */
TESS_API int tess_shape_rank(const tess_shape *s);
/** Returns the number of dimensions whose size is larger than 1, or unbounded. */
TESS_API int tess_shape_true_rank(const tess_shape *s);
/** Returns the size of a dimension: its bound if it is dynamic, or TESS_DIM_UNBOUNDED.
 *  @param dim 0 … rank-1, or, from the end, -1 … -rank.
 *  @return -1 if there is no such dimension. */
TESS_API int64_t tess_shape_dim(const tess_shape *s, int dim);
/** True if the size of a dimension is only known at run time: `<=8` or `?`. `dim` as above. */
TESS_API bool tess_shape_dim_is_dynamic(const tess_shape *s, int dim);
/** Returns how many parts a tuple has; 1 for a buffer, 0 for others. */
TESS_API size_t tess_shape_part_count(const tess_shape *s);
/** Returns part `i`; NULL if there is none. */
TESS_API const tess_shape *tess_shape_part(const tess_shape *s, size_t i);
/** Returns how many arrays, buffers, tokens and opaque values it contains, at any depth. */
TESS_API size_t tess_shape_leaf_count(const tess_shape *s);
/** Returns the layout of an array or buffer; NULL for others. */
TESS_API const tess_layout *tess_shape_layout(const tess_shape *s);
/** Gets the order of the dimensions in memory, the one that varies fastest first.
 *  @param out gets at most `cap` of them.
 *  @return the rank. */
TESS_API int tess_layout_minor_to_major(const tess_layout *l, int *out, int cap);
/** Returns how many tiles there are: 2 for T(8,128)(2,1). */
TESS_API size_t tess_layout_tile_count(const tess_layout *l);
/** Gets the sizes of tile `i`, major to minor, or TESS_TILE_MERGE.
 *  @param out gets at most `cap` of them.
 *  @return the rank of the tile; 0 if there is none. */
TESS_API int tess_layout_tile(const tess_layout *l, size_t i, int64_t *out, int cap);
/** Returns the bits of an element, E(4); 0: those of its type. */
TESS_API int64_t tess_layout_element_bits(const tess_layout *l);
/** Returns the number of the memory space, S(1); 0: the device's main memory. */
TESS_API int64_t tess_layout_memory_space(const tess_layout *l);
/** Returns the number of elements to which the size is rounded up, L(128); 1: it is not. */
TESS_API int64_t tess_layout_tail(const tess_layout *l);
/** Returns the name of a memory space: "HBM", "VMEM", "host" for 0, 1, 5; "" for others, whose
 *  meaning depends on the device. Static. */
TESS_API const char *tess_memory_space_name(int64_t space);

/** Prints a shape as XLA does, with or without its layouts. */
TESS_API TESS_GIVE char *tess_shape_print(tess_ctx *ctx, const tess_shape *s, bool with_layout);
/** Prints a layout as XLA does. */
TESS_API TESS_GIVE char *tess_layout_print(tess_ctx *ctx, const tess_layout *l);

/** What tess_shape_same() ignores. */
typedef enum tess_shape_ignore {
	TESS_SHAPE_IGNORE_LAYOUT = 1,
	TESS_SHAPE_IGNORE_TILES = 2,
	TESS_SHAPE_IGNORE_MEMORY_SPACE = 4,
	TESS_SHAPE_IGNORE_DTYPE = 8,
	TESS_SHAPE_IGNORE_FLOAT_PRECISION = 16,
	TESS_SHAPE_IGNORE_DYNAMIC = 32,
	TESS_SHAPE_IGNORE_SPLITS = 64,
	TESS_SHAPE_IGNORE_TAIL = 128,
	TESS_SHAPE_IGNORE_BUFFER = 256, /**< b(x) equals x */
} tess_shape_ignore;
/** True if two shapes are the same, apart from what is to be ignored; also if both are NULL.
 *  @param ignore values of tess_shape_ignore, combined with |. */
TESS_API bool tess_shape_same(const tess_shape *a, const tess_shape *b, unsigned ignore);

/* ---- sizes and positions ------------------------------------------------ */

typedef enum tess_size_kind {
	TESS_SIZE_DATA = 0,   /**< of the elements alone */
	TESS_SIZE_PADDED = 1, /**< as the device stores it, with the padding of tiles */
	TESS_SIZE_HOST = 2,   /**< as XLA's CPU backend stores it, without tiles */
	TESS_SIZE_SPLIT = 3,  /**< of the largest piece if it is split among cores, padded */
} tess_size_kind;
/** Returns the size in bytes; of dynamic dimensions the bound counts. -1 if a size is unbounded,
 *  or the number does not fit 63 bits. */
TESS_API int64_t tess_shape_bytes(const tess_shape *s, tess_size_kind kind);
/** Returns the number of elements of an array; -1 as above, and for other shapes. */
TESS_API int64_t tess_shape_elements(const tess_shape *s);
/** Returns that number with the padding of tiles; -1 as above. */
TESS_API int64_t tess_shape_padded_elements(const tess_shape *s);
/** Returns the size up to which a dimension could grow in the same memory; what exceeds its size is
 *  padding.
 *  @param dim as for tess_shape_dim().
 *  @return -1 if there is no such dimension, or as above. */
TESS_API int64_t tess_shape_stored_dim(const tess_shape *s, int dim);
/** Returns the shape with the order of dimensions in memory for which its tiles need the least
 *  padding; `s` itself if no order is better, or it is not an array. */
TESS_API const tess_shape *tess_shape_least_padded(tess_ctx *ctx, const tess_shape *s);
/** Returns the position of an element of an array in memory, in elements; -1 if `index` is out of
 *  range.
 *  @param index rank numbers. */
TESS_API int64_t tess_shape_offset(const tess_shape *s, const int64_t *index);
/** Gets the index of the element at a position in memory.
 *  @return false if the position is padding or out of range. */
TESS_API bool tess_shape_index_at(const tess_shape *s, int64_t offset, int64_t *index);
/** Gets the distance, in elements, between neighbors along each dimension.
 *  @return false if there is none, because the tiles of the layout reorder elements. */
TESS_API bool tess_shape_strides(const tess_shape *s, int64_t *strides);

/* ---- transposes and reshapes ------------------------------------------------ */

/** Returns the array whose dimension i is dimension perm[i] of `s`, in the same memory; NULL if
 *  `perm` is not a permutation. */
TESS_API const tess_shape *tess_shape_permute(tess_ctx *ctx, const tess_shape *s, const int *perm);
/** True if the transpose by `perm`, or, if that is NULL, the reshape, does not move any element
 *  in memory. */
TESS_API bool tess_shape_is_bitcast(const tess_shape *from, const tess_shape *to, const int *perm);
/** Returns `to` in the layout with which the reshape moves nothing; NULL if there is none. */
TESS_API const tess_shape *tess_shape_align(tess_ctx *ctx, const tess_shape *from,
                                            const tess_shape *to);
/** A dimension of two shapes. */
typedef struct tess_dim_pair {
	int from, to;
} tess_dim_pair;
/** Gets the dimensions that a reshape does not change.
 *  @param out gets at most `cap` of them.
 *  @return how many there are. */
TESS_API size_t tess_reshape_kept_dims(const tess_shape *from, const tess_shape *to,
                                       tess_dim_pair *out, size_t cap);

/* ---- copying data ------------------------------------------------------------ */

/** Copies an array from one layout to another. Padding becomes zero.
 *  @param src_bytes at least tess_shape_bytes(from, TESS_SIZE_PADDED); dst_bytes likewise.
 *  @return TESS_OK; TESS_USAGE if the shapes differ in more than their layout, or a buffer is
 *  too small. */
TESS_API tess_status tess_relayout(const tess_shape *from, const void *src, size_t src_bytes,
                                   const tess_shape *to, void *dst, size_t dst_bytes);

#ifdef __cplusplus
}
#endif
#endif
