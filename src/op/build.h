/* build.h - makes new operations and inserts them, one after the other.
 *
 * A builder says where they go, and whose place in the text they get:
 *
 *     builder b = builder_before(m, o);
 *     value *sum = build_binary(&b, OP_ADD, x, y);
 *     value_replace_uses(result(o, 0), build_convert(&b, sum, DT_F32));
 *
 * Result types follow from the operands where that is simple. An op that would change nothing (a
 * reshape to the same shape, a slice of everything) is not made: its operand is returned. */
#ifndef TESS_OP_BUILD_H
#define TESS_OP_BUILD_H

#include "ir/ir.h"
#include "op/kind.h"

typedef struct builder {
	module *m;
	block *at;      /* operations go to the end of this block, */
	op *before;     /* or, if this is not NULL, before this operation */
	const op *like; /* the op whose place and location they get; NULL: none */
} builder;

/* Inserts at the end of a block; before an operation, with its place. */
static inline builder builder_at_end(module *m, block *b) { return (builder){.m = m, .at = b}; }
static inline builder builder_before(module *m, op *o)
{
	return (builder){.m = m, .before = o, .like = o};
}

/* Inserts a detached operation. */
void build_put(const builder *b, op *o);

/* ---- attributes ---------------------------------------------------------------------- */

/* The attributes of an operation that has none yet, in the order of their names; entries that are
 * NULL are skipped. */
typedef struct attr_entry {
	int name; /* N_… */
	const attr *value;
} attr_entry;
void op_give_attrs(module *m, op *o, const attr_entry *list, int n);
#define OP_ATTRS(m, o, ...)                                                                        \
	op_give_attrs((m), (o), (const attr_entry[]){__VA_ARGS__},                                 \
	              COUNT(((const attr_entry[]){__VA_ARGS__})))

/* Returns dimension numbers: a struct of n fields, by their N_ names, that are lists of integers;
 * one with n = -1 is a single number. */
typedef struct ints_field {
	int name; /* N_… */
	const int64_t *v;
	int n;
} ints_field;
const attr *struct_of_ints(tess_ctx *ctx, const char *form, const ints_field *fields, int n);

/* ---- any operation --------------------------------------------------------------------- */

/* A detached operation of a known kind. */
static inline op *op_make(module *m, op_kind kind, value *const *operands, int n_operands,
                          const type *const *result_types, int n_results, int n_regions)
{
	return op_new(m, kind, NULL, operands, n_operands, result_types, n_results, n_regions);
}

op *build_op(const builder *b, op_kind kind, value *const *operands, int n,
             const type *const *types, int n_types, int n_regions);
/* An op of the same kind and attributes as `o`, with as many results and empty regions. */
op *build_like(const builder *b, const op *o, value *const *operands, int n,
               const type *const *types);
value *build(const builder *b, op_kind kind, value *const *operands, int n, const type *t);
/* The result has the type of the (first) operand. */
value *build_unary(const builder *b, op_kind kind, value *v);
value *build_binary(const builder *b, op_kind kind, value *x, value *y);
static inline value *value_with_sharding(value *v, const sharding *s)
{
	v->sharding = s;
	return v;
}
/* build_unary() with a sharding, for operations of sdy. */
value *build_sharded(const builder *b, op_kind kind, value *v, const sharding *s);

/* The same directly after the value; all other uses of the value become uses of the result. */
op *build_behind(module *m, op_kind kind, value *v, const sharding *s);

/* ---- constants ------------------------------------------------------------------------ */

value *build_constant(const builder *b, const attr *dense);
value *build_int(const builder *b, dtype t, int64_t v); /* a scalar */
value *build_zeros(const builder *b, const type *t);    /* all bits are 0 */
value *build_ints(const builder *b, dtype t, const int64_t *v, int n); /* of rank 1 */
value *build_iota(const builder *b, dtype t, const int64_t *dims, int rank, int dim);

/* ---- elementwise ---------------------------------------------------------------------------- */

typedef enum comparison {
	COMPARE_EQ,
	COMPARE_NE,
	COMPARE_GE,
	COMPARE_GT,
	COMPARE_LE,
	COMPARE_LT,
} comparison;

value *build_compare(const builder *b, comparison which, value *x, value *y);
value *build_select(const builder *b, value *which, value *yes, value *no);
value *build_convert(const builder *b, value *v, dtype to);

/* ---- shapes -------------------------------------------------------------------------------- */

/* Dimension i of the value becomes dimension dims[i] of the result; one of size 1 is repeated. */
value *build_broadcast(const builder *b, value *v, const type *t, const int64_t *dims, int n);
/* Broadcasts the scalar to the dimensions of `t`. */
value *build_fill(const builder *b, value *scalar, const type *t);
value *build_reshape(const builder *b, value *v, const int64_t *dims, int rank);
value *build_transpose(const builder *b, value *v, const int64_t *permutation);
/* The product of the operands in the other order, if op_swaps_product(). (swap.c) */
value *build_swapped_product(const builder *b, const op *product);
/* A dot_general like `product`, of two other operands and without batch dimensions. (swap.c) */
value *build_product_like(const builder *b, const op *product, value *const *sides,
                          const int64_t *lhs_contract, const int64_t *rhs_contract, int n);
value *build_slice(const builder *b, value *v, int dim, int64_t start, int64_t limit,
                   int64_t stride);
/* The first dims[d] elements of each dimension d. */
value *build_first(const builder *b, value *v, const int64_t *dims);
value *build_dynamic_slice(const builder *b, value *v, value *const *starts, const int64_t *sizes);
value *build_concatenate(const builder *b, value *const *parts, int n, int dim);
value *build_pad(const builder *b, value *v, int dim, int64_t low, int64_t high, value *with);
/* Pads at the end of each dimension, to these sizes. */
value *build_pad_to(const builder *b, value *v, const int64_t *dims, value *with);
/* The type with another size of dimension d. */
const type *type_resized(tess_ctx *ctx, const type *t, int d, int64_t size);

/* ---- regions ---------------------------------------------------------------------------- */

/* Ends a block with an operation without results. */
op *block_close(module *m, block *b, op_kind kind, value *const *v, int n);
/* Replaces the operation that ends the block by one of another kind with the same operands. */
void block_close_otherwise(module *m, block *b, op_kind kind);
/* Fills an empty region with a body that combines two scalars by one operation. */
void region_combine_by(module *m, region *g, op_kind kind, const type *scalar);
/* Fills an empty region with a copy of the block, terminated by an op of `kind`. */
void region_copy_block(module *m, region *to, const block *from, op_kind kind);
/* Reduces these dimensions; `start` must be neutral. */
value *build_reduce(const builder *b, op_kind by, value *v, value *start, const int64_t *dims,
                    int n);

/* ---- symbols of a module -------------------------------------------------------------------- */

/* Declares a mesh after another operation of the module or, if that is NULL, first. */
op *module_declare_mesh(module *m, op *behind, const name *symbol, const mesh *mesh);
/* A detached function without name or body. */
op *func_make(module *m, const type *t);

#endif
