/* build.h - what the builders of tessera/ops.h are made of.
 *
 * A builder gathers its arguments in an op_call on the stack, without allocating, and one
 * of the last three functions makes the operation inside a frame. */
#ifndef TESS_API_BUILD_H
#define TESS_API_BUILD_H

#include "op/op.h"

#include <tessera/build.h>

struct tess_builder {
	tess_module *m;
	block *block;
	op *before; /* NULL: at the end of the block */
	const attr *loc;
	tess_status status; /* of the first call that went wrong */
};

/* Keeps the first status that is not TESS_OK; @return `status`. */
tess_status builder_fail(tess_builder *b, tess_status status);
/* Puts an operation where the builder stands. */
void builder_put(tess_builder *b, op *o);

enum { CALL_GROUPS = 6, CALL_ATTRS = 8 };

typedef struct call_attr {
	const name *name; /* or `known` */
	int known;
	attr_row_kind kind; /* what to make of the value; ATTR_ANY: `attr` itself */
	int64_t i;
	double f;
	const char *text;
	const int64_t *ints;
	size_t n;
	const attr *attr;
	const sharding *sharding;
	const mesh *mesh;
} call_attr;

typedef struct op_call {
	tess_builder *b;
	int kind;
	const char *opname; /* of an op that the tables do not know */
	bool bad;           /* an argument is NULL */
	struct {
		value *const *v;
		size_t n;
	} operands[CALL_GROUPS];
	struct {
		const type *const *t;
		size_t n;
	} results[CALL_GROUPS];
	call_attr attrs[CALL_ATTRS];
	const tess_op_spec *spec; /* more attributes */
	int n_operands, n_results, n_attrs; /* groups of them */
	size_t n_inferred;                  /* results whose types are inferred */
	bool infer;
	size_t n_regions;
	op *made;
} op_call;

op_call call_begin(tess_builder *b, int kind);
/* Each group becomes a number in operandSegmentSizes and the like where the op has them. */
void call_operands(op_call *c, tess_value *const *v, size_t n);
void call_results(op_call *c, const tess_type *const *t, size_t n);
/* One result, of the type of `like`. */
void call_result_like(op_call *c, tess_value *like);
void call_infer(op_call *c, size_t n);
void call_infer_like_operands(op_call *c);
void call_regions(op_call *c, size_t n);
void call_int(op_call *c, int known, attr_row_kind kind, int64_t v); /* also ATTR_BOOL */
void call_float(op_call *c, int known, double v);
void call_text(op_call *c, int known, attr_row_kind kind, const char *text);
void call_ints(op_call *c, int known, const int64_t *v, size_t n);
void call_attr_value(op_call *c, int known, const tess_attr *a);
void call_sharding(op_call *c, int known, const tess_sharding *s);
void call_mesh(op_call *c, int known, const tess_mesh *m);
/* The operation, or its only result; NULL if it could not be made. */
tess_op *call_op(op_call *c);
tess_value *call_value(op_call *c);

#endif
