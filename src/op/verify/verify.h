/* verify.h - helpers of the verifier; inside op. */
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

/* A constraint of the specification does not hold; `rule` is its number there,
 * "C3".  Returns false. */
bool broken(module *m, const op *o, const char *rule, const char *fmt, ...) PRINTF(4, 5);
/* The same, at a part of the attributes, as for op_attr_place(). */
bool broken_at(module *m, const op *o, const int *part, const char *rule, const char *fmt, ...)
	PRINTF(5, 6);
/* An attribute is missing or malformed; in the second, the part of it that is at fault. */
bool bad_attr(module *m, const op *o, int known, const char *fmt, ...) PRINTF(4, 5);
bool bad_part(module *m, const op *o, const int *part, const char *fmt, ...) PRINTF(4, 5);
bool bad_region(module *m, const op *o, const char *fmt, ...) PRINTF(3, 4);

/* Types as text, for messages; in scratch (types.c). */
const char *type_words(module *m, const type *t);
const char *dims_words(module *m, const int64_t *v, int n);

/* A list of integers that must be there: *n elements, or a diagnostic. */
const int64_t *want_ints(module *m, const op *o, int known, int *n);
/* The same, with exactly n elements. */
const int64_t *want_n_ints(module *m, const op *o, int known, int n);
/* A required integer in [0, limit). */
bool want_int(module *m, const op *o, int known, int64_t limit, int64_t *out);
/* Every element of a list, which stands at `part`, in [0, limit) and, if `unique`, none twice. */
bool dims_in_range(module *m, const op *o, const int *part, const char *rule, const char *what,
                   const int64_t *v, int n, int64_t limit, bool unique);
/* The first element that is not; -1: all are.  And the error that it is, at its own part. */
int bad_dim(module *m, const int64_t *v, int n, int64_t limit, bool unique);
bool bad_dim_error(module *m, const op *o, const int *part, const char *rule, const char *what,
                   int64_t dim, int64_t limit);
/* The part with one step more, in scratch. */
const int *part_item(module *m, const int *part, int i);

/* ---- types (types.c) ---------------------------------------------------- */

static inline bool dim_dynamic(int64_t d) { return d == DIM_DYNAMIC; }
static inline bool dims_agree(int64_t a, int64_t b)
{
	return a == b || dim_dynamic(a) || dim_dynamic(b);
}
/* What a dynamic dimension may grow to; DIM_DYNAMIC if that is not known. */
int64_t type_bound(const type *t, int d);
/* #stablehlo.bounds: one for each dimension, and none for those whose size is known. */
bool bounds_fit(module *m, const op *o, const type *t);
bool shapes_agree(const type *a, const type *b); /* an unranked one agrees with all */
bool types_agree(const type *a, const type *b);  /* element types too */
/* Element types that may stand for another: equal, or quantized with equal
 * expressed and storage types. */
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

/* Zero points in the range of the storage type; as many scales as the axis is long. */
bool quant_type_ok(const type *t);
/* Some operand or result is quantized. */
bool op_is_quantized(const op *o);

/* ---- attributes (attrs.c), constants, buffers ------------------------------ */

/* Terminators, successors, the number of blocks (blocks.c). */
bool blocks_ok(module *m, const op *o);
/* What holds of attributes beyond presence and kind. */
bool attrs_ok(module *m, const op *o);
/* Attributes of arguments and results, and of a module, have a dialect in their names
 * (discardable.c). */
bool func_attrs_ok(module *m, const op *o);
bool module_attrs_ok(module *m, const op *o);
/* The integers of a value that is a constant, with or without annotations; NULL otherwise. */
const int64_t *const_ints(module *m, const value *v, int *n);
/* Buffers that a custom call takes and gives (buffers.c). */
bool buffers_ok(module *m, const op *o);

/* ---- reducers (reduce.c) -------------------------------------------------- */

/* A reducer of n values: takes 2n tensors, gives n; the argument types follow the
 * initial values'.  They are scalars, or have some of the `allowed` dimensions, in
 * order (which the reference accepts, not the specification).  `out`, if not NULL,
 * receives the element types it works in. */
bool check_reducer(module *m, const op *o, int region, int n, const type *const *inputs,
                   const type *const *inits, const type **out, const int64_t *allowed,
                   int n_allowed);

typedef struct window_dim {
	int64_t size, stride, pad_low, pad_high, base_dilation, window_dilation;
} window_dim;
/* Windows of reduce_window, select_and_scatter and convolution, with defaults. */
bool read_windows(module *m, const op *o, int rank, const int64_t *sizes, int strides, int padding,
                  int base_dilations, int window_dilations, window_dim *out);
int64_t window_count(int64_t size, const window_dim *w); /* DIM_DYNAMIC if not known */

/* ---- collectives ------------------------------------------------------------------- */

#endif
