/* typed.h - what the typing rules share. */
#ifndef TESS_ARRAY_TYPED_TYPED_H
#define TESS_ARRAY_TYPED_TYPED_H

#include "array/array.h"

/* Variants of operations that share a rule. */
enum {
	/* elementwise */
	EW_PLAIN = 0,
	EW_SUM = 1,       /* sum of unreduced values is the unreduced sum */
	EW_PRODUCT = 2,   /* unreduced times reduced is unreduced */
	EW_QUOTIENT = 3,  /* the left side only */
	EW_KIND = 7,
	EW_LINEAR = 8,    /* unary: unreduced values pass */
	EW_BOOL = 16,     /* the result is a truth value */
	EW_PROMOTE = 32,  /* operands of any rank and type, as NumPy */
	EW_PART = 64,     /* the result is the real type of a complex one */
	EW_COMPLEX = 128, /* the result is the complex type of a real one */
	EW_FLOAT = 256,   /* an integer becomes a float */
	EW_EXTREME = 512, /* a maximum or minimum, which reduced values pass */
	EW_NUMERIC = 1024, /* truth values become integers */
	EW_WIDE = 2048,   /* so do they in sums, and narrow integers 32 bits */
	/* which element types an operation takes; none of these: any */
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

/* Adds a result and returns it, a copy of `like`, to be changed; valid until the next call. */
atype *typed_out(typing *q, const atype *like);
/* The axis attribute in 0 … rank-1, or `otherwise` if absent; -1 with a diagnostic if it is
 * out of range. */
int typed_axis(typing *q, const char *key, int rank, int otherwise);
/* The entries of in carried over a reshape to the dimensions of *out; false if they cannot be. */
bool reshape_spec(const atype *in, atype *out);
/* Where all_gather without `tiled` puts the new dimension. */
int typed_gather_axis(const params *a, int rank);
/* Tells of communication that types do not show; false if it is denied. */
bool typed_communication(typing *q);
/* Notes what out_sharding could be, and what that moves; *out has the shape of the result, and the
 * entries that could be kept. */
void typed_note_choices(typing *q, const atype *out);
/* lax counts dimensions from the front only. */
bool typed_from_front(typing *q, const char *key);
/* The set of dimensions that an attribute names; absent: `otherwise`. */
bool typed_dims(typing *q, const char *key, int rank, uint32_t otherwise, uint32_t *out);
/* Applies the out_sharding attribute, if there is one, to *t; then checks *t. */
bool typed_out_sharding(typing *q, atype *t);
/* True if the operation takes elements of this type. */
bool typed_takes(typing *q, dtype t);
/* Refuses unreduced, and reduced, operands. */
bool typed_no_unreduced(typing *q);
/* Refuses unreduced operands, unless the operation is linear, and along other axes than Manual ones
 * reduced ones, too: JAX has no rule for them there. */
bool typed_no_partial(typing *q, bool linear);
/* A sharded dimension that changes size: its new size must divide.  One element alone is whole. */
bool typed_resized(typing *q, const atype *in, atype *out, const char *verb);
/* The manual axes over which any operand varies. */
axis_set typed_varying(const typing *q);
/* The type that two operands meet in. */
dtype dtype_meet(const atype *a, const atype *b, bool *weak);
/* "f32[8@X,4], f32[4]" of the first n operands. */
const char *typed_operands_text(typing *q, int n);
/* ('X', None) of dimensions listed by number. */
const char *typed_spec_of(typing *q, const atype *t, const int64_t *dims, int n);
/* An axis would be used twice: "… produces an illegally sharded result: …". */
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
