/* type.h - types, interned: equality is ==. */
#ifndef TESS_IR_TYPE_H
#define TESS_IR_TYPE_H

#include "base/base.h"
#include "shape/shape.h"

typedef struct tess_attr attr;
typedef struct tess_type type;

typedef enum type_kind {
	TY_NONE,     /* `none` */
	TY_SCALAR,   /* f32, i1, index, complex<f32>: a dtype */
	TY_INT,      /* an integer of another width, i3, si128: text */
	TY_COMPLEX,  /* complex of something without a dtype: elem */
	TY_QUANT,    /* !quant.uniform<…> */
	TY_TENSOR,   /* ranked tensor */
	TY_UNRANKED, /* tensor<*xf32> */
	TY_VECTOR,   /* vector<…>: like a tensor */
	TY_MEMREF,   /* memref<…>: like a tensor; layout and space in encoding */
	TY_TUPLE,    /* in[] */
	TY_FUNCTION, /* in[] -> out[] */
	TY_TOKEN,    /* !stablehlo.token */
	TY_FUTURE,   /* !stablehlo.future<in[]> */
	TY_OPAQUE,   /* !dialect.anything, as written: text */
} type_kind;

#define DIM_DYNAMIC INT64_MIN

/* Sub-channel quantization: dimension dims[i] is cut into blocks of sizes[i] elements, and
 * there is a scale for each block, in a tensor of the given shape. */
typedef struct quant_blocks {
	int n, rank;
	const int64_t *dims, *sizes; /* [n] */
	const int64_t *shape;        /* [rank], of the scales */
} quant_blocks;

typedef struct quant_info {
	dtype storage, expressed;
	int64_t min, max;   /* of the storage type */
	bool default_range; /* min and max are those of the storage type */
	bool storage_ui;    /* the storage type is ui8, not u8: MLIR tells them apart */
	int axis;           /* -1: per tensor, or in blocks */
	int n;              /* scales: 1, or the size of the axis, or the number of blocks */
	const quant_blocks *blocks; /* NULL: the scales are for all or for an axis */
	const double *scales;
	const int64_t *zeros;
} quant_info;

struct tess_type {
	type_kind kind;
	dtype dtype;    /* of a scalar, or of the elements of a tensor; DT_NONE if there is none
	                 * (quantized elements, tuples, …) */
	bool is_static; /* ranked, and no dynamic dimension */
	int rank;
	const int64_t *dims; /* DIM_DYNAMIC where unknown */
	int64_t n_elems;     /* product of the dimensions if static, else -1 */
	int64_t bytes, packed_bytes; /* type_bytes(), type_packed_bytes() */
	const type *elem;    /* element type of tensor-like types */
	const attr *encoding;
	int n_in, n_out;
	const type *const *in, *const *out;
	const name *text;
	const quant_info *quant;
	uint64_t hash;
};

/* False if no program of this context has a tuple. */
bool type_tuples_made(tess_ctx *ctx);
const type *type_none(tess_ctx *ctx);
const type *type_token(tess_ctx *ctx);
const type *type_scalar(tess_ctx *ctx, dtype t);
const type *type_tensor(tess_ctx *ctx, dtype t, const int64_t *dims, int rank);
/* Tensor, unranked, vector or memref of any element type. */
const type *type_shaped(tess_ctx *ctx, type_kind kind, const type *elem, const int64_t *dims,
                        int rank, const attr *encoding);
const type *type_quant(tess_ctx *ctx, const quant_info *q);
const type *type_list(tess_ctx *ctx, type_kind kind, const type *const *in, int n_in,
                      const type *const *out, int n_out); /* tuple, function, future */
const type *type_complex(tess_ctx *ctx, const type *elem); /* TY_SCALAR if it has a dtype */
const type *type_text(tess_ctx *ctx, type_kind kind, tess_str text); /* TY_INT, TY_OPAQUE */
/* The same tensor with other dimensions or another element type. */
const type *type_with_dims(tess_ctx *ctx, const type *t, const int64_t *dims, int rank);
const type *type_with_elem(tess_ctx *ctx, const type *t, const type *elem);

static inline bool type_is_tensor(const type *t) { return t->kind == TY_TENSOR; }
static inline bool type_is_scalar_tensor(const type *t) { return t->kind == TY_TENSOR && !t->rank; }
/* Bytes of a static tensor's data as dtype_bytes() stores it; -1 if not known. */
static inline int64_t type_bytes(const type *t) { return t->bytes; }
/* The same of n of its elements. */
int64_t type_bytes_of(const type *t, int64_t n);
/* The same of all, with narrow integers packed, as at a program's boundary. */
static inline int64_t type_packed_bytes(const type *t) { return t->packed_bytes; }
/* The tensor of rank 0 with the element type of a tensor; any other type itself. */
const type *type_elem_tensor(tess_ctx *ctx, const type *t);

#endif
