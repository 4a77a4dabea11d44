/* vhlo.h - StableHLO's versioned operations, and what they are today: the table vhlo.def. */
#ifndef TESS_BYTECODE_VHLO_VHLO_H
#define TESS_BYTECODE_VHLO_VHLO_H

#include "bytecode/codes/codes.h"

typedef enum vhlo_how {
	VHLO_SAME,
	VHLO_INTS,
	VHLO_BOOLS,
	VHLO_UNIT,
	VHLO_SYMBOL,
	VHLO_SYMBOLS,
	VHLO_CHANNEL,
	VHLO_API,
	VHLO_LOST,
	VHLO_FIELD, /* of the struct attribute `into` */
} vhlo_how;

typedef enum vhlo_default {
	VHLO_NONE,
	VHLO_NO,
	VHLO_ZERO,
	VHLO_LAST,
	VHLO_NOTYPE,
	VHLO_ORIGINAL,
	VHLO_ACCURACY,
	VHLO_EMPTY_LIST,
	VHLO_EMPTY_DICT,
	VHLO_EMPTY_TEXT,
	VHLO_EMPTY_INTS,
	VHLO_ONES,
	VHLO_NOS,
	VHLO_PAIRS,
	VHLO_PRECISE,
	VHLO_CONFIG,
	VHLO_LAYOUTS,
} vhlo_default;

typedef struct vhlo_attr {
	int name; /* N_… in VHLO */
	int into; /* N_… in StableHLO */
	vhlo_how how;
	vhlo_default absent;
	int only; /* form that has it; 0: both */
} vhlo_attr;

typedef struct vhlo_row {
	int kind;         /* OP_… */
	const char *name; /* without _v1 */
	int v1, v2;       /* 100 * major + minor of the version that brought the form */
	const vhlo_attr *attrs; /* ends with name N_empty */
} vhlo_row;

/* "gather_v2" is form 2 of a row; NULL: VHLO has no such operation, up to its newest version. */
const vhlo_row *vhlo_row_named(tess_str name, int *form);
const vhlo_row *vhlo_row_of(int kind); /* NULL: VHLO has none */
static inline bool vhlo_has(const vhlo_attr *a, int form) { return !a->only || a->only == form; }

typedef VEC(named_attr) named_attrs;
/* The attributes of an operation of that row, as StableHLO has them, in place of `list`'s items from
 * `from` on; what the row does not name stays as it is.  false, and reported: they do not fit. */
bool vhlo_to_stablehlo(coder *c, const vhlo_row *row, named_attrs *list, int from);
/* What VHLO has for one of its attributes.  NULL, and reported: it is not there. */
const attr *vhlo_from_stablehlo(coder *c, const vhlo_row *row, const vhlo_attr *a, const op *o);
/* The form of an op for a version, 100 * major + minor; 0, and reported: that version cannot express
 * the op. */
int vhlo_form_for(coder *c, const vhlo_row *row, const op *o, int version);

#endif
