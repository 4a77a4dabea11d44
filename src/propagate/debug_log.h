/* debug_log.h - the records that debug.c makes and debug_save.c writes (inside debug*.c). */
#ifndef TESS_PROPAGATE_DEBUG_LOG_H
#define TESS_PROPAGATE_DEBUG_LOG_H

#include "propagate/debug.h"

typedef enum origin_kind {
	ORIGIN_INPUT,
	ORIGIN_OUTPUT,
	ORIGIN_CONSTRAINT,
	ORIGIN_MANUAL_INPUT,
	ORIGIN_MANUAL_OUTPUT,
} origin_kind;

typedef struct origin {
	axis_ref axis;
	origin_kind kind;
	int index, source;
} origin;

/* A tensor of an op: operand-1, result-0. */
typedef struct edge_end {
	bool result;
	int index;
} edge_end;

typedef struct edge_record {
	axis_ref axis;
	edge_end from, to;
	int64_t step;
} edge_record;

/* The records of one value, and of one op. */
typedef struct value_log {
	value *value;
	VEC(origin) origins;
} value_log;
typedef struct op_log {
	op *op;
	VEC(edge_record) edges;
} op_log;

struct debug_log {
	module *m;
	arena *mem;
	bool origins, edges;
	int64_t step;
	ptr_map value_logs, op_logs;
	VEC(value_log *) values; /* in the order in which they were met */
	VEC(op_log *) ops;
};

/* The terminator of a function's body; NULL: declared only. */
op *function_end(const op *f);

#endif
