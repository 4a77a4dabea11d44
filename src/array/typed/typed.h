/* typed.h - what the typing rules share. */
#ifndef TESS_ARRAY_TYPED_TYPED_H
#define TESS_ARRAY_TYPED_TYPED_H

#include "array/array.h"

/* Variants of operations that share a rule. */
enum {
	/* elementwise */
	EW_PLAIN = 0,
	EW_SUM = 1,       /* the sum of unreduced values is unreduced */
	EW_PRODUCT = 2,   /* unreduced times reduced is unreduced */
	EW_QUOTIENT = 3,  /* the same for the left side only */
	EW_KIND = 7,
	EW_LINEAR = 8,    /* unary: unreduced values are allowed */
	EW_BOOL = 16,     /* the result is a boolean */
	EW_PROMOTE = 32,  /* operands of any rank and dtype, as in NumPy */
	EW_PART = 64,     /* the result is the real dtype of a complex one */
	EW_COMPLEX = 128, /* the result is the complex dtype of a real one */
	EW_FLOAT = 256,   /* integers become floats */
	EW_EXTREME = 512, /* a maximum or minimum; reduced values are allowed */
	EW_NUMERIC = 1024, /* booleans become integers */
	EW_WIDE = 2048,   /* the same in sums, and narrow integers become 32 bits */
	/* which dtypes an operation accepts; none of these: any */
	OF_BOOL = 1 << 16,
	OF_SINT = 1 << 17,
	OF_UINT = 1 << 18,
	OF_REALS = 1 << 19,
	OF_COMPLEX = 1 << 20,
	OF_INTS = OF_SINT | OF_UINT,
	OF_BITS = OF_INTS | OF_BOOL,
	OF_FLOATS = OF_REALS | OF_COMPLEX,
	OF_SIGNED = OF_SINT | OF_FLOATS,
	OF_NUMBERS = OF_INTS | OF_FLOATS,
	OF_NUMBERED = OF_INTS | OF_REALS, /* numbers that have an order */
	OF_ORDERED = OF_BITS | OF_REALS,
	OF_ANY = OF_BOOL | OF_NUMBERS,
};

/* Adds a result and returns it, a copy of `like`, to be modified; valid until the next call. */
atype *typed_out(typing *q, const atype *like);
/* Returns the axis attribute, normalized, or `otherwise` if absent; -1 with a diagnostic if it is
 * out of range. */
int typed_axis(typing *q, const char *key, int rank, int otherwise);
/* Carries the entries of `in` over a reshape to *out's dimensions; false if impossible. */
bool reshape_spec(const atype *in, atype *out);
/* Returns where all_gather without `tiled` inserts the new dimension. */
int typed_gather_axis(const params *a, int rank);
/* Reports communication that types do not show; returns false if it is denied. */
bool typed_communication(typing *q);
/* Suggests values for out_sharding, and what they move; *out has the shape of the result, and the
 * entries that could be kept. */
void typed_note_choices(typing *q, const atype *out);
/* lax only accepts non-negative dimensions. */
bool typed_from_front(typing *q, const char *key);
/* Returns the set of dimensions in an attribute; absent: `otherwise`. */
bool typed_dims(typing *q, const char *key, int rank, uint32_t otherwise, uint32_t *out);
/* Applies the out_sharding attribute, if present, to *t; then checks *t. */
bool typed_out_sharding(typing *q, atype *t);
/* True if the operation accepts this dtype. */
bool typed_takes(typing *q, dtype t);
/* Rejects unreduced and reduced operands. */
bool typed_no_unreduced(typing *q);
/* Rejects unreduced operands, unless the operation is linear; along axes that are not Manual also
 * reduced ones, for which JAX has no rule. */
bool typed_no_partial(typing *q, bool linear);
/* A sharded dimension changes size: the new size must divide evenly; a 1 is not sharded. */
bool typed_resized(typing *q, const atype *in, atype *out, const char *verb);
/* Returns the manual axes over which any operand varies. */
axis_set typed_varying(const typing *q);
/* Returns the common dtype of two operands. */
dtype dtype_meet(const atype *a, const atype *b, bool *weak);
/* Returns "f32[8@X,4], f32[4]" for the first n operands. */
const char *typed_operands_text(typing *q, int n);
/* Returns ('X', None) for dimensions listed by number. */
const char *typed_spec_of(typing *q, const atype *t, const int64_t *dims, int n);
/* Reports an axis that would be used twice: "… produces an illegally sharded result: …". */
bool typed_illegal_result(typing *q, const atype *t, int n_operands);
bool atype_uses_axis_twice(const atype *t);

#define PRIM(name, rule, min, max, how) typed_fn rule;
#define MADE(name, make, min, max, how)
#define SAME(name, as, n, how)
#include "array/ops.def"
#undef PRIM
#undef MADE
#undef SAME

#endif
