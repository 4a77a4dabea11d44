/* vhlo.h - StableHLO's versioned operations and their current counterparts: the table vhlo.def. */
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
	VHLO_FIELD, /* a field of the struct attribute `into` */
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
	int name; /* name in VHLO: N_… */
	int into; /* name in StableHLO: N_… */
	vhlo_how how;
	vhlo_default absent;
	int only; /* the only form that has it; 0: both */
} vhlo_attr;

typedef struct vhlo_row {
	int kind;         /* OP_… */
	const char *name; /* without _v1 */
	int v1, v2;       /* 100 * major + minor of the version that introduced the form */
	const vhlo_attr *attrs; /* ends with name N_empty */
} vhlo_row;

/* Finds "gather_v2", form 2 of a row; NULL: no version of VHLO has such an operation. */
const vhlo_row *vhlo_row_named(tess_str name, int *form);
const vhlo_row *vhlo_row_of(int kind); /* NULL: VHLO has none */
static inline bool vhlo_has(const vhlo_attr *a, int form) { return !a->only || a->only == form; }

typedef VEC(named_attr) named_attrs;
/* Converts the attributes of an operation of that row, `list`'s items from `from` on, to
 * StableHLO's; what the row does not name stays as it is. Returns false, and reports it, if they
 * are invalid. */
bool vhlo_to_stablehlo(coder *c, const vhlo_row *row, named_attrs *list, int from);
/* Returns VHLO's value of an attribute; NULL, after a diagnostic, if there is none. */
const attr *vhlo_from_stablehlo(coder *c, const vhlo_row *row, const vhlo_attr *a, const op *o);
/* Returns the form of an op for a version, 100 * major + minor; 0, after a diagnostic, if that
 * version cannot express the op. */
int vhlo_form_for(coder *c, const vhlo_row *row, const op *o, int version);

#endif
