/* verify.h - helpers of the verifier (inside op). */
#ifndef TESS_OP_VERIFY_VERIFY_H
#define TESS_OP_VERIFY_VERIFY_H

#include "op/op.h"

typedef bool infer_fn(module *m, const op *o, const type **out);
typedef bool check_fn(module *m, const op *o);
typedef int count_fn(const module *m, const op_parts *p);

#define OP(id, opname, form, traits, ...) __VA_ARGS__
#define INFER(f) infer_fn infer_##f;
#define PROPOSE(f) infer_fn infer_##f;
#define COUNTED(f) count_fn count_##f;
#define CHECK(f) check_fn check_##f;
#define QUANT(f) check_fn quant_##f;
#include "op/ops.def"

/* Reports that a constraint of the specification does not hold; `rule` is its number there, "C3".
 * Returns false. */
bool broken(module *m, const op *o, const char *rule, const char *fmt, ...) PRINTF(4, 5);
/* The same, at a part of the attributes, as for op_attr_place(). */
bool broken_at(module *m, const op *o, const int *part, const char *rule, const char *fmt, ...)
	PRINTF(5, 6);
/* Report a missing or malformed attribute; the second at the part of it that is wrong. */
bool bad_attr(module *m, const op *o, int known, const char *fmt, ...) PRINTF(4, 5);
bool bad_part(module *m, const op *o, const int *part, const char *fmt, ...) PRINTF(4, 5);
bool bad_region(module *m, const op *o, const char *fmt, ...) PRINTF(3, 4);

/* Types as text, for messages; in scratch (types.c). */
const char *type_words(module *m, const type *t);
const char *dims_words(module *m, const int64_t *v, int n);

/* Returns a required list of integers, *n elements; reports an error if it is missing. */
const int64_t *want_ints(module *m, const op *o, int known, int *n);
/* The same, with exactly n elements. */
const int64_t *want_n_ints(module *m, const op *o, int known, int n);
/* Reads a required integer in [0, limit). */
bool want_int(module *m, const op *o, int known, int64_t limit, int64_t *out);
/* Checks that the elements of list `part` are in [0, limit) and, if `unique`, distinct. */
bool dims_in_range(module *m, const op *o, const int *part, const char *rule, const char *what,
                   const int64_t *v, int n, int64_t limit, bool unique);
/* The index of the first element that is not; -1: none. And the error for it, at its own part. */
int bad_dim(module *m, const int64_t *v, int n, int64_t limit, bool unique);
bool bad_dim_error(module *m, const op *o, const int *part, const char *rule, const char *what,
                   int64_t dim, int64_t limit);
/* The path with one more step, in scratch memory. */
const int *part_item(module *m, const int *part, int i);

/* ---- types (types.c) ---------------------------------------------------- */

static inline bool dim_dynamic(int64_t d) { return d == DIM_DYNAMIC; }
static inline bool dims_agree(int64_t a, int64_t b)
{
	return a == b || dim_dynamic(a) || dim_dynamic(b);
}
/* The bound of a dynamic dimension; DIM_DYNAMIC if it has none. */
int64_t type_bound(const type *t, int d);
/* Checks #stablehlo.bounds: one for each dimension, none for those with a known size. */
bool bounds_fit(module *m, const op *o, const type *t);
bool shapes_agree(const type *a, const type *b); /* an unranked one agrees with all */
bool types_agree(const type *a, const type *b);  /* element types too */
/* True if one element type may stand for another: equal, or quantized with equal expressed and
 * storage types. */
bool elems_agree(const type *a, const type *b);
static inline bool is_ranked(const type *t) { return t->kind == TY_TENSOR; }
static inline bool is_tensor(const type *t)
{
	return t->kind == TY_TENSOR || t->kind == TY_UNRANKED;
}
static inline bool is_quantized(const type *t) { return t->elem && t->elem->kind == TY_QUANT; }
const type *tensor_like(module *m, const type *t, const int64_t *dims, int rank);
const type *unranked_like(module *m, const type *t);
/* Rank-0 tensor of the same elements. */
const type *scalar_like(module *m, const type *t);

/* ---- quantized tensors (quant.c) ------------------------------------------- */

/* True if zero points are in the range of the storage type, and there are as many scales as the
 * axis has indices. */
bool quant_type_ok(const type *t);
/* Some operand or result is quantized. */
bool op_is_quantized(const op *o);

/* ---- attributes (attrs.c), constants, buffers ------------------------------ */

/* Checks terminators, successors, and the number of blocks (blocks.c). */
bool blocks_ok(module *m, const op *o);
/* True if the block ends in a terminator, or in an unregistered op, which may be one. */
bool block_ends(const block *b);
/* Checks attributes beyond presence and kind. */
bool attrs_ok(module *m, const op *o);
/* Check that discardable attributes of arguments, results, and the module have a dialect in their
 * names (discardable.c). */
bool func_attrs_ok(module *m, const op *o);
bool module_attrs_ok(module *m, const op *o);
/* The integers of a value that is a constant, perhaps behind annotations; else NULL. (kit.c) */
const int64_t *const_ints(module *m, const value *v, int *n);
/* Checks the buffers that a custom call takes and returns (buffers.c). */
bool buffers_ok(module *m, const op *o);

/* ---- reducers (reduce.c) -------------------------------------------------- */

/* A reducer of n values takes 2n tensors and returns n; the argument types follow those of the
 * initial values. They are scalars, or have some of the `allowed` dimensions, in order (which the
 * reference accepts, though the specification does not). `out`, if not NULL, receives the element
 * types that it uses. */
bool check_reducer(module *m, const op *o, int region, int n, const type *const *inputs,
                   const type *const *inits, const type **out, const int64_t *allowed,
                   int n_allowed);

typedef struct window_dim {
	int64_t size, stride, pad_low, pad_high, base_dilation, window_dilation;
} window_dim;
/* Reads the windows of reduce_window, select_and_scatter and convolution, with defaults. */
bool read_windows(module *m, const op *o, int rank, const int64_t *sizes, int strides, int padding,
                  int base_dilations, int window_dilations, window_dim *out);
int64_t window_count(int64_t size, const window_dim *w); /* DIM_DYNAMIC if not known */

/* ---- collectives ------------------------------------------------------------------- */

#endif
