/* build.h - new operations, put at a place one after the other.
 *
 * A builder says where they go and whose place in the text they have:
 *
 *     builder b = builder_before(m, o);
 *     value *sum = build_binary(&b, OP_ADD, x, y);
 *     value_replace_uses(result(o, 0), build_convert(&b, sum, DT_F32));
 *
 * Types of results follow from the operands where that is simple; what would change nothing (a
 * reshape to the same shape, a slice of everything) yields the operand itself. */
#ifndef TESS_OP_BUILD_H
#define TESS_OP_BUILD_H

#include "ir/ir.h"
#include "op/kind.h"

typedef struct builder {
	module *m;
	block *at;      /* operations go to its end, */
	op *before;     /* or, where this is not NULL, before this one */
	const op *like; /* whose place and location they have; NULL: none */
} builder;

/* At the end of a block; in front of an operation, with its place. */
static inline builder builder_at_end(module *m, block *b) { return (builder){.m = m, .at = b}; }
static inline builder builder_before(module *m, op *o)
{
	return (builder){.m = m, .before = o, .like = o};
}

/* Puts an operation that stands nowhere yet. */
void build_put(const builder *b, op *o);

/* ---- attributes ---------------------------------------------------------------------- */

/* What an operation without attributes shall have, in the order of the names; those that are NULL
 * are left out. */
typedef struct attr_entry {
	int name; /* N_… */
	const attr *value;
} attr_entry;
void op_give_attrs(module *m, op *o, const attr_entry *list, int n);
#define OP_ATTRS(m, o, ...)                                                                        \
	op_give_attrs((m), (o), (const attr_entry[]){__VA_ARGS__},                                 \
	              COUNT(((const attr_entry[]){__VA_ARGS__})))

/* ---- any operation --------------------------------------------------------------------- */

/* An operation of a known kind that stands nowhere yet. */
static inline op *op_make(module *m, op_kind kind, value *const *operands, int n_operands,
                          const type *const *result_types, int n_results, int n_regions)
{
	return op_new(m, kind, NULL, operands, n_operands, result_types, n_results, n_regions);
}

op *build_op(const builder *b, op_kind kind, value *const *operands, int n,
             const type *const *types, int n_types, int n_regions);
/* One of the same kind and attributes as `o`, with as many results, its regions empty. */
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
/* build_unary() with a sharding, as sdy's operations have it. */
value *build_sharded(const builder *b, op_kind kind, value *v, const sharding *s);

/* The same right behind the value, whose other users see the result instead. */
op *build_behind(module *m, op_kind kind, value *v, const sharding *s);

/* ---- constants ------------------------------------------------------------------------ */

value *build_constant(const builder *b, const attr *dense);
value *build_int(const builder *b, dtype t, int64_t v); /* of rank 0 */
value *build_zeros(const builder *b, const type *t);    /* elements of which all bits are 0 */
value *build_ints(const builder *b, dtype t, const int64_t *v, int n); /* of rank 1 */
value *build_iota(const builder *b, dtype t, const int64_t *dims, int rank, int dim);

/* ---- element by element ------------------------------------------------------------------ */

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

/* Dimension i of the value is dimension dims[i] of the result; of size 1 it is repeated. */
value *build_broadcast(const builder *b, value *v, const type *t, const int64_t *dims, int n);
/* The scalar in all elements of the dimensions of `t`. */
value *build_fill(const builder *b, value *scalar, const type *t);
value *build_reshape(const builder *b, value *v, const int64_t *dims, int rank);
value *build_transpose(const builder *b, value *v, const int64_t *permutation);
value *build_slice(const builder *b, value *v, int dim, int64_t start, int64_t limit,
                   int64_t stride);
/* The first elements of each dimension. */
value *build_first(const builder *b, value *v, const int64_t *dims);
value *build_dynamic_slice(const builder *b, value *v, value *const *starts, const int64_t *sizes);
value *build_concatenate(const builder *b, value *const *parts, int n, int dim);
value *build_pad(const builder *b, value *v, int dim, int64_t low, int64_t high, value *with);
/* Padded behind each dimension, to these sizes. */
value *build_pad_to(const builder *b, value *v, const int64_t *dims, value *with);
/* The type with another size of dimension d. */
const type *type_resized(tess_ctx *ctx, const type *t, int d, int64_t size);

/* ---- regions ---------------------------------------------------------------------------- */

/* Ends a block with an operation without results. */
op *block_close(module *m, block *b, op_kind kind, value *const *v, int n);
/* The block ends in another kind of operation, of the same operands. */
void block_close_otherwise(module *m, block *b, op_kind kind);
/* The empty region combines two scalars by one operation, and returns. */
void region_combine_by(module *m, region *g, op_kind kind, const type *scalar);
/* The empty region becomes what a block does, and ends in `kind`. */
void region_copy_block(module *m, region *to, const block *from, op_kind kind);
/* The elements of these dimensions combined; `start` changes nothing. */
value *build_reduce(const builder *b, op_kind by, value *v, value *start, const int64_t *dims,
                    int n);

/* ---- what a module declares ---------------------------------------------------------- */

/* A mesh behind another operation of the module, or, where that is NULL, in front. */
op *module_declare_mesh(module *m, op *behind, const name *symbol, const mesh *mesh);
/* A function without name or body that stands nowhere yet. */
op *func_make(module *m, const type *t);

#endif
