/* shape.h - the interface of shape: element types, shapes, layouts, and the position of each
 * element in memory.
 *
 * A shape is an element type with dimensions and a layout, or a tuple, token, opaque value or
 * buffer. Shapes and layouts are interned and immutable: they are equal if the pointers are, and
 * "changing" one gives another.
 *
 * Layouts (XLA, docs/shapes.md and docs/tiled_layout.md): minor_to_major orders the dimensions,
 * fastest-varying first. Each tile then divides the most minor dimensions into pieces, which are
 * stored one after the other, padded to whole tiles; the next tile divides these pieces again. */
#ifndef TESS_HLO_SHAPE_SHAPE_H
#define TESS_HLO_SHAPE_SHAPE_H

#include "shape/shape.h"

enum {
	SHAPE_MAX_RANK = 64,  /* of arrays and tiles */
	LAYOUT_MAX_TILES = 16,
	LAYOUT_MAX_DIGITS = 192, /* dimensions in memory: of the array and all tiles */
};
#define DIM_UNBOUNDED INT64_MIN /* size of `?` */
#define TILE_MERGE INT64_MIN    /* `*`: merge with the next more minor dimension */

/* ---- layouts ------------------------------------------------------------ */

typedef struct tile {
	int rank;
	const int64_t *dims; /* from major to minor; >= 1 or TILE_MERGE, which is never last */
} tile;

/* SC(d:i,j): dimension d is split among cores at these indices. */
typedef struct dim_split {
	int dim, n;
	const int64_t *at;
} dim_split;

typedef struct tess_layout layout;
struct tess_layout {
	int rank, n_tiles, n_splits;
	const int *minor_to_major;
	const tile *tiles;
	const dim_split *splits;
	int64_t tail;         /* L(): the number of elements is rounded up to this; 1 */
	int64_t element_bits; /* E(); 0: the natural width */
	int64_t memory_space; /* S(): 0 is the device's main memory */
	int64_t metadata;     /* M(): bytes of dynamic metadata before the data */
	dtype index_type, pointer_type; /* #() and *(); DT_NONE if absent */
	uint64_t hash;
};

const layout *layout_of(tess_ctx *ctx, const layout *l); /* interns a copy */
const layout *layout_default(tess_ctx *ctx, int rank);   /* {rank-1,…,0} */
const layout *layout_dense(tess_ctx *ctx, const int *minor_to_major, int rank);
bool layout_is_default(const layout *l); /* row-major, without any other part */
/* The layout without tiles, tail, memory space, splits and metadata. */
const layout *layout_host(tess_ctx *ctx, const layout *l);

/* ---- shapes -------------------------------------------------------------- */

typedef enum shape_kind { SH_ARRAY, SH_TUPLE, SH_TOKEN, SH_OPAQUE, SH_BUFFER } shape_kind;

typedef struct tess_shape shape;
struct tess_shape {
	shape_kind kind;
	dtype dtype;            /* of an array */
	int rank;               /* of an array */
	int n_parts;            /* of a tuple; 1 for a buffer */
	const int64_t *dims;    /* upper bounds if dynamic; DIM_UNBOUNDED for `?` */
	const bool *dynamic;
	const layout *layout;   /* of an array; never NULL */
	const shape *const *parts;
	bool flat; /* no part is a tuple; set by shape_of() */
	uint64_t hash;
};

const shape *shape_of(tess_ctx *ctx, const shape *s); /* interns a copy */
const shape *shape_array(tess_ctx *ctx, dtype t, const int64_t *dims, int rank,
                         const layout *l); /* l NULL: the default */
const shape *shape_tuple(tess_ctx *ctx, const shape *const *parts, int n);
const shape *shape_simple(tess_ctx *ctx, shape_kind kind); /* token[] or opaque[] */
const shape *shape_buffer(tess_ctx *ctx, const shape *array);
const shape *shape_with_layout(tess_ctx *ctx, const shape *s, const layout *l); /* NULL: default */
const shape *shape_with_dims(tess_ctx *ctx, const shape *s, const int64_t *dims);
/* Returns the array of an array or buffer; NULL otherwise. */
const shape *shape_array_part(const shape *s);
bool shape_is_dynamic(const shape *s); /* has a dynamic dimension at any depth */
int64_t shape_leaves(const shape *s);  /* number of arrays, tokens, …; saturates */
int shape_true_rank(const shape *s);   /* number of dimensions larger than 1 */
/* Maps dimension numbers from -rank to rank-1 to 0 to rank-1; -1 if out of range. */
int shape_dim_number(const shape *s, int64_t dim);
/* Counts elements; returns false on overflow or for an unbounded dimension. */
bool shape_elements(const shape *s, int64_t *out);

/* What shape_same() ignores. */
enum {
	SHAPE_IGNORE_LAYOUT = 1,
	SHAPE_IGNORE_TILES = 2,
	SHAPE_IGNORE_MEMORY_SPACE = 4,
	SHAPE_IGNORE_DTYPE = 8,
	SHAPE_IGNORE_FLOAT_PRECISION = 16, /* all floating-point types are equal */
	SHAPE_IGNORE_DYNAMIC = 32,
	SHAPE_IGNORE_SPLITS = 64,
	SHAPE_IGNORE_TAIL = 128,
	SHAPE_IGNORE_BUFFER = 256, /* b(x) equals x */
};
bool shape_same(const shape *a, const shape *b, unsigned ignore);
bool layout_same(const layout *a, const layout *b, unsigned ignore);

/* ---- text ------------------------------------------------------------------ */

/* Parses the shape at *at, after blanks and comments, and advances *at past it. NULL: the error is
 * in the context. */
const shape *shape_parse_at(tess_ctx *ctx, source *src, uint32_t *at);
/* Parses a whole text. */
const shape *shape_parse(tess_ctx *ctx, tess_str text);
/* Parses a name, once: thousands of instructions may ask for one tuple with thousands of parts. */
const shape *shape_said(tess_ctx *ctx, const name *text);
const layout *layout_parse(tess_ctx *ctx, tess_str text); /* {1,0:T(8,128)} */

enum { SHAPE_WITH_LAYOUT = 1 };
void shape_print(writer *w, const shape *s, unsigned flags);
void layout_print(writer *w, const layout *l); /* {1,0:T(8,128)} */

/* Check what parsing checks, for shapes made by code; errors point at `at`. */
bool shape_verify(tess_ctx *ctx, const shape *s, place at);
bool layout_verify(tess_ctx *ctx, const layout *l, place at);

/* ---- sizes and positions ------------------------------------------------------ */

int shape_element_bits(const shape *s); /* E(), or whole bytes */

typedef enum size_kind {
	SIZE_DATA,   /* the elements alone */
	SIZE_PADDED, /* with the padding of tiles and tail */
	SIZE_HOST,   /* without tiles, plus 4 bytes for each size if any is dynamic */
	SIZE_SPLIT,  /* of the largest part among cores, padded */
} size_kind;
/* Returns bytes, summed over the leaves; -1 on overflow or if unbounded. */
int64_t shape_bytes(const shape *s, size_kind kind);
/* Returns the number of elements with the padding of tiles; -1 on overflow. */
int64_t shape_padded_elements(const shape *s);

/* Returns the size to which a dimension could grow in the same memory; what is in between is
 * padding. -1 if there is no limit. */
int64_t shape_stored_dim(const shape *s, int dim);
/* Returns the shape with its dimensions in the order in which tiles pad least; the shape itself if
 * none is better. */
const shape *shape_least_padded(tess_ctx *ctx, const shape *s);

/* Returns the position of an element in the buffer, in elements, with all tiles applied. */
int64_t shape_offset(const shape *s, const int64_t *index);
/* Returns the element at a position; false: padding. */
bool shape_index_at(const shape *s, int64_t offset, int64_t *index);
/* Computes the distance, in elements, between neighbors along each dimension; returns false if
 * there is none because tiles reorder elements. */
bool shape_strides(const shape *s, int64_t *strides);
/* True if, despite tiles, the buffer is that of the plain layout, without padding. */
bool shape_is_plain(const shape *s);
/* Advances to the next index in row-major order; returns false after the last. */
bool index_next(const shape *s, int64_t *index);

/* ---- transposes and reshapes ---------------------------------------------------------------- */

const shape *shape_permute(tess_ctx *ctx, const shape *s, const int *perm); /* same memory */
bool transpose_is_bitcast(const shape *from, const shape *to, const int *perm);
bool reshape_is_bitcast(const shape *from, const shape *to);
/* Finds the transpose that converts `from` to `to` without moving anything; returns false if there
 * is none. */
bool transpose_from_layouts(const shape *from, const shape *to, int *perm);
/* Returns `to` in the layout in which the reshape is a bitcast; NULL if there is none. */
const shape *shape_align(tess_ctx *ctx, const shape *from, const shape *to);
typedef struct dim_pair {
	int from, to;
} dim_pair;
/* Lists dimensions that a reshape leaves unchanged; returns their number, writes at most cap. */
int reshape_kept_dims(const shape *from, const shape *to, dim_pair *out, int cap);

/* ---- moving data ------------------------------------------------------------------ */

/* Copies an array from one layout into another. Both shapes have the same element type and
 * dimensions; padding in `dst` is set to zero. @return false if the shapes differ in more than
 * their layout */
bool relayout(const shape *from, const void *src, const shape *to, void *dst);

#endif
