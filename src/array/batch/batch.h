/* batch.h - what the rules of vmap share. */
#ifndef TESS_ARRAY_BATCH_BATCH_H
#define TESS_ARRAY_BATCH_BATCH_H

#include "array/control.h"

typedef struct batch {
	tess_ctx *ctx;
	const atype *like; /* the mapped dimension */
	tess_str name;     /* that collectives call it by; empty: none */
	const anode *node;
	avalue **in; /* operands, and which of them are mapped */
	bool *mapped;
	avalue **out; /* to be filled, mapped */
	bool same;    /* but these are the same for all elements: without the dimension */
	bool failed;
} batch;

typedef void batch_fn(batch *b);

#define BATCH(op, rule) batch_fn rule;
#include "array/batch/batch.def"
#undef BATCH
/* As it is; and one by one, in a scan. */
batch_fn batch_elementwise, batch_each;
/* A collective along the mapped dimension itself. */
batch_fn batch_named;
/* True if a node, or one of its bodies, refers to a mapped dimension by its name. */
bool batch_speaks_of(const anode *n, tess_str name);

/* A type inside with the mapped dimension at `at`. */
atype batch_type(const batch *b, const atype *t, int at);

/* An operation with results of these types, the attributes that say how it is sharded with them. */
anode *batch_append(batch *b, const array_op *op, avalue *const *in, int n_in, const params *a,
                    const atype *types, int n_out);
/* An operation with one result of type t. */
avalue *batch_node(batch *b, const char *op, avalue *const *in, int n_in, const params *a,
                   const atype *t);
params *batch_params(batch *b); /* a copy of the node's attributes */
/* Sets integers in `a`; NULL: in a new list. */
params *batch_ints(batch *b, params *a, const char *key, const int64_t *v, int n);
avalue *batch_reshape(batch *b, avalue *v, const atype *t);
/* A node that says where to, as it may be written again. */
avalue *batch_resharded(batch *b, avalue *v, const atype *t);
/* The mapped dimension is not sharded. */
avalue *batch_whole(batch *b, avalue *v);
/* A dimension moved to another place. */
avalue *batch_moved(batch *b, avalue *v, int from, int to);
/* The value for every element of the mapped dimension, which comes first. */
avalue *batch_spread(batch *b, avalue *v);
/* Operand i, mapped if it was not. */
avalue *batch_operand(batch *b, int i);
/* Dimensions of 1 behind the mapped one, until the value has the rank inside. */
avalue *batch_aligned(batch *b, avalue *v, int rank);

#endif
