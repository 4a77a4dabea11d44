/* sketch.h - makes sharding rules for ops of which a device can compute more, or less, than the
 * rule that propagation follows says. */
#ifndef TESS_PARTITION_SKETCH_H
#define TESS_PARTITION_SKETCH_H

#include "partition/local.h"

typedef struct rule_sketch {
	emitter *e;
	const op *o;
	VEC(int64_t) sizes;
	VEC(int) reduced, fixed;
	dim_factors **dims; /* of each tensor: operands, then results */
	tensor_factors *tensors;
} rule_sketch;

enum { ABSENT = -1 };

void sketch_init(rule_sketch *s, emitter *e, const op *o);
/* Add a factor: one that may be split, one that leaves partial results, one that must be whole. */
int sketch_pass(rule_sketch *s, int64_t size);
int sketch_reduce(rule_sketch *s, int64_t size);
int sketch_fixed(rule_sketch *s, int64_t size);
/* Appends a factor to a dimension; nothing happens if `dim` is ABSENT. */
void sketch_operand(rule_sketch *s, int i, int64_t dim, int factor);
void sketch_result(rule_sketch *s, int i, int64_t dim, int factor);
const sharding_rule *sketch_done(rule_sketch *s);

/* One dimension of a window op (partition/local/window.c). */
typedef struct window_split {
	int64_t size, stride, dilation, base_dilation, low, high;
	bool point; /* result and operand elements are one to one */
} window_split;

/* ---- running sums (partition/local/scan.c) -------------------------------------------------- */

/* The dimension along which a reduce_window computes running sums; ABSENT: it does not. */
int scan_dim(emitter *e, const op *o, const window_split *w, int rank);
/* The cost of splitting the op along this dimension. */
double scan_cost(const factoring *f, int d);
/* Emits the op split along this dimension. */
void scan_emit(factoring *f, int d, bool backwards);

#endif
