/* tessera/shape.h - shapes and layouts: text, sizes, positions, relayout.
 *
 * Shapes and layouts belong to a context, live as long as it, and are immutable;
 * two equal ones of one context are the same pointer. */
#ifndef TESSERA_SHAPE_H
#define TESSERA_SHAPE_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_shape tess_shape;
typedef struct tess_layout tess_layout;

#define TESS_DIM_UNBOUNDED INT64_MIN /**< the size of `?` */
#define TESS_TILE_MERGE INT64_MIN    /**< `*` in a tile: merge with the next dimension */

typedef enum tess_shape_kind {
	TESS_SHAPE_ARRAY = 0,
	TESS_SHAPE_TUPLE = 1,
	TESS_SHAPE_TOKEN = 2,
	TESS_SHAPE_OPAQUE = 3,
	TESS_SHAPE_BUFFER = 4, /**< b(f32[4]) */
} tess_shape_kind;

/* ---- making ------------------------------------------------------------- */

/** Parses XLA's text: "bf16[8,1,1280]{2,0,1:T(8,128)(2,1)S(1)}", "(f32[2], token[])".
 *  @return NULL once the errors are in the context. */
TESS_API const tess_shape *tess_shape_parse(tess_ctx *ctx, tess_str text);
/** An array in row-major layout; NULL (with a diagnostic) if it cannot be. */
TESS_API const tess_shape *tess_shape_array(tess_ctx *ctx, tess_dtype t, const int64_t *dims,
                                            int rank);
TESS_API const tess_shape *tess_shape_tuple(tess_ctx *ctx, const tess_shape *const *parts,
                                            size_t n);
/** The array with another layout.
 *  @param layout NULL: row-major.
 *  @return NULL (with a diagnostic) if the layout does not fit. */
TESS_API const tess_shape *tess_shape_with_layout(tess_ctx *ctx, const tess_shape *s,
                                                  const tess_layout *layout);
/** Parses "{1,0:T(8,128)}". */
TESS_API const tess_layout *tess_layout_parse(tess_ctx *ctx, tess_str text);
/** Without tiles.  @param minor_to_major a permutation of 0 … rank-1, fastest first. */
TESS_API const tess_layout *tess_layout_dense(tess_ctx *ctx, const int *minor_to_major, int rank);

/* ---- looking ------------------------------------------------------------ */

TESS_API tess_shape_kind tess_shape_kind_of(const tess_shape *s); /**< of NULL: OPAQUE */
/** Element type of an array or buffer; TESS_NO_DTYPE for others. */
TESS_API tess_dtype tess_shape_dtype(const tess_shape *s);
/** Dimensions of an array or buffer; 0 for others. */
TESS_API int tess_shape_rank(const tess_shape *s);
/** Dimensions larger than 1. */
TESS_API int tess_shape_true_rank(const tess_shape *s);
/** Size of a dimension, its bound if it is dynamic, or TESS_DIM_UNBOUNDED.
 *  @param dim 0 … rank-1, or counted from the end, -1 … -rank.
 *  @return -1 if there is no such dimension. */
TESS_API int64_t tess_shape_dim(const tess_shape *s, int dim);
TESS_API bool tess_shape_dim_is_dynamic(const tess_shape *s, int dim);
/** Parts of a tuple, 1 for a buffer, 0 for others. */
TESS_API size_t tess_shape_part_count(const tess_shape *s);
TESS_API const tess_shape *tess_shape_part(const tess_shape *s, size_t i); /**< NULL: no such */
/** Arrays, buffers, tokens and opaque values in it, at any depth. */
TESS_API size_t tess_shape_leaf_count(const tess_shape *s);
/** Layout of an array or buffer; NULL for others. */
TESS_API const tess_layout *tess_shape_layout(const tess_shape *s);
/** Writes the order, fastest first, and returns its length (writes at most `cap`). */
TESS_API int tess_layout_minor_to_major(const tess_layout *l, int *out, int cap);
TESS_API size_t tess_layout_tile_count(const tess_layout *l);
/** Writes a tile's sizes, major to minor, and returns its rank. */
TESS_API int tess_layout_tile(const tess_layout *l, size_t i, int64_t *out, int cap);
TESS_API int64_t tess_layout_element_bits(const tess_layout *l); /**< 0: natural width */
TESS_API int64_t tess_layout_memory_space(const tess_layout *l);
TESS_API int64_t tess_layout_tail(const tess_layout *l); /**< 1: none */
/** "HBM", "VMEM", "host" for 0, 1, 5; "" for others, whose meaning differs by device. */
TESS_API const char *tess_memory_space_name(int64_t space);

/** XLA's text. */
TESS_API TESS_GIVE char *tess_shape_print(tess_ctx *ctx, const tess_shape *s, bool with_layout);
TESS_API TESS_GIVE char *tess_layout_print(tess_ctx *ctx, const tess_layout *l);

/** What tess_shape_same() does not look at. */
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
/** @param ignore values of tess_shape_ignore, or-ed. */
TESS_API bool tess_shape_same(const tess_shape *a, const tess_shape *b, unsigned ignore);

/* ---- sizes and positions ------------------------------------------------ */

typedef enum tess_size_kind {
	TESS_SIZE_DATA = 0,   /**< the elements alone */
	TESS_SIZE_PADDED = 1, /**< as the device stores it, with padding */
	TESS_SIZE_HOST = 2,   /**< as XLA's CPU backend stores it: no tiles */
	TESS_SIZE_SPLIT = 3,  /**< largest piece among cores, padded */
} tess_size_kind;
/** Bytes; -1 if there are more than can be counted, or a size is unbounded. */
TESS_API int64_t tess_shape_bytes(const tess_shape *s, tess_size_kind kind);
/** Elements; -1 as above. */
TESS_API int64_t tess_shape_elements(const tess_shape *s);
/** Elements with the padding of tiles; -1 as above. */
TESS_API int64_t tess_shape_padded_elements(const tess_shape *s);
/** The size up to which a dimension could grow in the same memory: the rest is padding.
 *  @param dim as for tess_shape_dim().
 *  @return -1 if there is no such dimension, or as above. */
TESS_API int64_t tess_shape_stored_dim(const tess_shape *s, int dim);
/** The shape with its dimensions in the order in memory that its tiles pad least.
 *  @return `s` itself if no order is better, or it is no array. */
TESS_API const tess_shape *tess_shape_least_padded(tess_ctx *ctx, const tess_shape *s);
/** Where an element of an array lies, in elements; -1 if the index is out of range. */
TESS_API int64_t tess_shape_offset(const tess_shape *s, const int64_t *index);
/** Which element lies there.  @return false: padding, or out of range. */
TESS_API bool tess_shape_index_at(const tess_shape *s, int64_t offset, int64_t *index);
/** Distance in elements between neighbours along each dimension.
 *  @return false: the tiles of the layout reorder elements. */
TESS_API bool tess_shape_strides(const tess_shape *s, int64_t *strides);

/* ---- questions ------------------------------------------------------------ */

/** The array whose dimension i is dimension perm[i] of `s`, in the same memory;
 *  NULL if perm is no permutation. */
TESS_API const tess_shape *tess_shape_permute(tess_ctx *ctx, const tess_shape *s, const int *perm);
/** True if the transposition moves nothing; without `perm`, whether the reshape does. */
TESS_API bool tess_shape_is_bitcast(const tess_shape *from, const tess_shape *to, const int *perm);
/** `to` in the layout that makes the reshape move nothing; NULL if there is none. */
TESS_API const tess_shape *tess_shape_align(tess_ctx *ctx, const tess_shape *from,
                                            const tess_shape *to);
typedef struct tess_dim_pair {
	int from, to;
} tess_dim_pair;
/** Dimensions that a reshape leaves alone.  @return how many; at most `cap` are written. */
TESS_API size_t tess_reshape_kept_dims(const tess_shape *from, const tess_shape *to,
                                       tess_dim_pair *out, size_t cap);

/* ---- data ------------------------------------------------------------------ */

/** Copies an array from one layout into another; padding becomes zero.
 *  Buffers have tess_shape_bytes(…, TESS_SIZE_PADDED) bytes.
 *  @return TESS_USAGE if the shapes differ in more than their layout, or a buffer
 *  is too small. */
TESS_API tess_status tess_relayout(const tess_shape *from, const void *src, size_t src_bytes,
                                   const tess_shape *to, void *dst, size_t dst_bytes);

#ifdef __cplusplus
}
#endif
#endif
