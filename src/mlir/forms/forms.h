/* forms.h - pretty forms: the syntax of each op, for both reader and printer.
 *
 * A form is a list of steps (forms.def). Reader and printer walk the same list, so what can be read
 * can be printed. Whatever steps cannot express is a pair of functions, read_NAME and write_NAME,
 * in another file of this folder. */
#ifndef TESS_MLIR_FORMS_FORMS_H
#define TESS_MLIR_FORMS_FORMS_H

#include "mlir/read/read.h"
#include "mlir/write/write.h"

typedef enum form_step_kind {
	STEP_END,
	STEP_OPERANDS,      /* n operands; -1: all, perhaps none */
	STEP_COMMA_OPERANDS, /* all operands but the first n, each with a comma after it */
	STEP_REST,          /* all operands but the first n */
	STEP_OPERAND,       /* the next operand, number n */
	STEP_TEXT,          /* text */
	STEP_FIELD,         /* text, then attribute `attr` */
	STEP_OPTIONAL,      /* the same, if the op has that attribute */
	STEP_ATTRS,         /* {…} with the attributes that no other step prints */
	STEP_TYPES,         /* ": " and the types */
	STEP_SHARDING,      /* text, then the sharding of the only result */
	STEP_OPTIONAL_SHARDING,
	STEP_CUSTOM,
} form_step_kind;

typedef enum field_kind {
	FIELD_INTS,   /* [1, 2] */
	FIELD_I64,
	FIELD_I32,
	FIELD_UI32,
	FIELD_UI64,
	FIELD_F64,
	FIELD_BOOL,
	FIELD_WORD,   /* a word of the enum `word` */
	FIELD_STRING,
	FIELD_TARGET, /* @name, for a string */
	FIELD_NAME,   /* @name, which is also the op's symbol */
	FIELD_ATTR,   /* any */
	FIELD_MESH,
	FIELD_AXES,
	FIELD_AXES_LIST,
	FIELD_ALL_TO_ALL,
	FIELD_DIRECTION, /* FORWARD, … as an i32 */
} field_kind;

typedef enum types_kind {
	TYPES_FUNCTION, /* (T, T) -> T */
	TYPES_SAME,     /* T, if all types are T; else the function type */
	TYPES_RESULT,   /* of the only result; operands have type index */
	TYPES_COMPLEX,  /* the complex type, if the parts fit */
	TYPES_SELECT,   /* pred, T */
	TYPES_CHOICE,   /* the same, but only T if pred is i1 */
	TYPES_PREDICATE, /* T of the operands; the result has i1 elements instead */
	TYPES_WITNESS,  /* T, T of the operands; the result is a !shape.witness */
	TYPES_INSERTED, /* of operand 1 and the result, whose element is operand 0; then indices */
	TYPES_TUPLE,    /* of the result; the operands have its members' types */
	TYPES_PAIRWISE, /* of operand i and result i, if there are any */
	TYPES_OPERANDS, /* no results; nothing if there are none */
	TYPES_ARROW,    /* T, T -> T */
	TYPES_OPERAND,  /* T of all operands; no results */
	TYPES_TOP_K,    /* T -> (T, T) */
	TYPES_BARE_OPERANDS, /* the types of the operands, without ':' */
	TYPES_TO,       /* T, T to U; "to U" if there are no operands */
	TYPES_FIRST,    /* of the first operand; other operands and the result have type index */
	TYPES_ELEMENT,  /* of the first operand, whose element is the result; others are indices */
	TYPES_ELEMENTS, /* of the result, which has the operands as elements */
	TYPES_OF_VALUE, /* nothing: the operand has the type of the attribute `value` */
} types_kind;

typedef struct form_step {
	form_step_kind kind;
	int n;      /* number of operands; field_kind; types_kind */
	int attr;   /* N_… */
	const char *text, *word;
	void (*read)(reader *r, pending *p);
	void (*write)(printer *p, const op *o);
	int hidden[6]; /* attributes that a custom step prints */
} form_step;

/* True if the op has a pretty form. */
bool form_has_pretty(int kind);
/* True if the pretty form expresses all of this op; otherwise it is printed in generic form. */
bool form_is_faithful(const module *m, const op *o);
/* True if the syntax of while, with one type per carried value, fits. */
bool form_carries_same_types(const op *o);
/* For ops of other dialects: true if segments, cases, blocks and flags are as the form implies. */
bool form_borrowed_is_faithful(const module *m, const op *o);
bool form_branches_well(const module *m, const op *o);
void read_form(reader *r, pending *p);
void write_form(printer *p, const op *o);
/* Returns the op that a reduce `applies`, or NULL. The body must be one commutative op, on elements
 * of the input's type, with the arguments in order, whose result is returned. */
const op *form_applies(const op *o);
const type *form_witness_type(tess_ctx *ctx); /* !shape.witness */
void read_types(reader *r, pending *p, types_kind kind);
/* Reads (%a = %x, %b = %y) of a loop: pushes the operands and returns their number, and appends its
 * region's arguments, without types yet, after `before` others. */
int read_carried(reader *r, pending *p, region_arg **args, int before);
void write_types_of(printer *p, const op *o, types_kind kind);
static inline void push_type(reader *r, const type *t)
{
	vec_push(r->mem, &r->type_stack, t);
}

/* The functions of custom steps. */
#define FORM_FUNCTIONS(name)                                                                       \
	void read_##name(reader *r, pending *p);                                                   \
	void write_##name(printer *p, const op *o);
FORM_FUNCTIONS(constant)
FORM_FUNCTIONS(return_func)
FORM_FUNCTIONS(precision)
FORM_FUNCTIONS(dot_dims)
FORM_FUNCTIONS(conv_numbers)
FORM_FUNCTIONS(conv_window)
FORM_FUNCTIONS(slice_ranges)
FORM_FUNCTIONS(exponent_mantissa)
FORM_FUNCTIONS(composite)
FORM_FUNCTIONS(optimization_barrier)
FORM_FUNCTIONS(reduce)
FORM_FUNCTIONS(while)
FORM_FUNCTIONS(func)
FORM_FUNCTIONS(module)
FORM_FUNCTIONS(call)
FORM_FUNCTIONS(manual_computation)
FORM_FUNCTIONS(named_computation)
FORM_FUNCTIONS(reduction_word)
FORM_FUNCTIONS(scan)
FORM_FUNCTIONS(br)
FORM_FUNCTIONS(cond_br)
FORM_FUNCTIONS(switch)
FORM_FUNCTIONS(assert)
FORM_FUNCTIONS(scf_for)
FORM_FUNCTIONS(scf_if)
FORM_FUNCTIONS(scf_while)
FORM_FUNCTIONS(condition_args)
FORM_FUNCTIONS(yielded)
FORM_FUNCTIONS(assuming)
FORM_FUNCTIONS(predicate)
FORM_FUNCTIONS(fastmath)
FORM_FUNCTIONS(overflow)
FORM_FUNCTIONS(const_shape)
FORM_FUNCTIONS(call_indirect)

#endif
