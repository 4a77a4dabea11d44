/* kind.h - the kinds of operations, one row of ops.def each, and their traits. */
#ifndef TESS_OP_KIND_H
#define TESS_OP_KIND_H

#include "ir/ir.h"

typedef enum op_kind {
	OP_UNKNOWN,
#define OP(id, ...) OP_##id,
#include "op/ops.def"
	OP_COUNT,
} op_kind;

enum op_traits {
	PURE = 1 << 0,
	ELEMENTWISE = 1 << 1,
	COMMUTES = 1 << 2,
	TERMINATOR = 1 << 3,
	ISOLATED = 1 << 4,
	SYMBOL = 1 << 5,
	CONSTANT = 1 << 6,
	COLLECTIVE = 1 << 7,
	BODY_PURE = 1 << 8,
	UNRANKED = 1 << 9,
	BORROWED = 1 << 10,
	FUSES = 1 << 11,
	ASYNC = 1 << 12,
	ANNOTATES = 1 << 13,
	COMPUTES = 1 << 14,
	OUTLINED = 1 << 15,
	NAMES_RESULTS = 1 << 16,
	MOVES = 1 << 17,
	SIMPLE = 1 << 18,
	FREE = 1 << 19,
	LIBRARY = 1 << 20,
	RESHARDS = 1 << 21,
	PRODUCT = 1 << 22,
	CONTROL = 1 << 23,
	DATA_FLOW = 1 << 24,
	LISTED = 1 << 25,
	EDGE = 1 << 26,
	DEVICE_ID = 1 << 27,
	LINEAR = 1 << 28,
	SELECTS = 1 << 29,
	UPDATES = 1 << 30,
};

const char *op_kind_name(int kind); /* "stablehlo.add"; "" for OP_UNKNOWN */
extern const unsigned op_traits_of[OP_COUNT];
static inline unsigned op_kind_traits(int kind) { return op_traits_of[kind]; }
static inline bool op_has(const op *o, unsigned trait) { return op_kind_traits(o->kind) & trait; }
/* True if an operation with the trait defines the value. */
static inline bool value_def_has(const value *v, unsigned trait)
{
	return value_def(v) && op_has(value_def(v), trait);
}
/* The operation that defines the value, if it is of this kind; else NULL. */
static inline op *value_def_of(const value *v, int kind)
{
	op *o = value_def(v);
	return o && o->kind == kind ? o : NULL;
}
/* `o` or the innermost operation of this kind around it; NULL: none. */
static inline op *op_enclosing(const op *o, int kind)
{
	while (o && o->kind != kind)
		o = op_parent(o);
	return (op *)o;
}

#endif
