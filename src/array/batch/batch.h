/* batch.h - what the rules of vmap share. */
#ifndef TESS_ARRAY_BATCH_BATCH_H
#define TESS_ARRAY_BATCH_BATCH_H

#include "array/control.h"

typedef struct batch {
	tess_ctx *ctx;
	const atype *like; /* the mapped dimension */
	tess_str name;     /* for collectives; empty: none */
	const anode *node;
	avalue **in; /* operands, and which of them are mapped */
	bool *mapped;
	avalue **out; /* to be filled with mapped values */
	bool same;    /* the results are the same for all elements and lack the dimension */
	bool failed;
} batch;

typedef void batch_fn(batch *b);

#define BATCH(op, rule) batch_fn rule;
#include "array/batch/batch.def"
#undef BATCH
/* Rules for elementwise operations, and for applying one element by element in a scan. */
batch_fn batch_elementwise, batch_each;
/* A collective along the mapped dimension. */
batch_fn batch_named;
/* True if a node, or one of its bodies, names a mapped dimension. */
bool batch_speaks_of(const anode *n, tess_str name);

/* Returns an inner type with the mapped dimension inserted at `at`. */
atype batch_type(const batch *b, const atype *t, int at);

/* Appends a node with results of these types, to which its sharding attributes are adjusted. */
anode *batch_append(batch *b, const array_op *op, avalue *const *in, int n_in, const params *a,
                    const atype *types, int n_out);
/* Appends a node with one result of type t. */
avalue *batch_node(batch *b, const char *op, avalue *const *in, int n_in, const params *a,
                   const atype *t);
params *batch_params(batch *b); /* a copy of the node's attributes */
/* Sets integers in `a`; NULL: in a new list. */
params *batch_ints(batch *b, params *a, const char *key, const int64_t *v, int n);
avalue *batch_reshape(batch *b, avalue *v, const atype *t);
/* Reshards to t with a node that can be emitted again. */
avalue *batch_resharded(batch *b, avalue *v, const atype *t);
/* Unshards the mapped dimension. */
avalue *batch_whole(batch *b, avalue *v);
/* Moves a dimension to another position. */
avalue *batch_moved(batch *b, avalue *v, int from, int to);
/* Broadcasts the value along the mapped dimension, which comes first. */
avalue *batch_spread(batch *b, avalue *v);
/* Returns operand i, mapped if necessary. */
avalue *batch_operand(batch *b, int i);
/* Inserts dimensions of 1 after the mapped one, until the value has the inner rank. */
avalue *batch_aligned(batch *b, avalue *v, int rank);

#endif
