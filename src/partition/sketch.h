/* sketch.h - rules of our own, where what a device can compute differs from what
 * propagation follows. */
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
/* Factors that may be split; that leave partial results; that must be whole. */
int sketch_pass(rule_sketch *s, int64_t size);
int sketch_reduce(rule_sketch *s, int64_t size);
int sketch_fixed(rule_sketch *s, int64_t size);
/* Appends a factor to a dimension; ABSENT: nothing happens. */
void sketch_operand(rule_sketch *s, int i, int64_t dim, int factor);
void sketch_result(rule_sketch *s, int i, int64_t dim, int factor);
const sharding_rule *sketch_done(rule_sketch *s);

/* One dimension of a window op (partition/local/window.c). */
typedef struct window_split {
	int64_t size, stride, dilation, base_dilation, low, high;
	bool point; /* result and operand elements are one to one */
} window_split;

/* ---- running sums (partition/local/scan.c) ------------------------------------------- */

/* The dimension along which a reduce_window is one; ABSENT: it is none. */
int scan_dim(const op *o, const window_split *w, int rank);
/* What it costs if it is split along its dimension d. */
double scan_cost(const factoring *f, int d);
/* The op where it is split along its dimension d. */
void scan_emit(factoring *f, int d, bool backwards);

#endif
