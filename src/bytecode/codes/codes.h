/* codes.h - how attributes and types are encoded in bytecode: the table codes.def, used for reading
 * and writing.
 *
 * A row has a dialect, a code, and the fields that follow the code, described by one letter each.
 * Fields are decoded and encoded by their letters alone; the row's two functions convert between
 * the fields and the IR's attribute. So reader and writer cannot disagree. */
#ifndef TESS_BYTECODE_CODES_CODES_H
#define TESS_BYTECODE_CODES_CODES_H

#include "bytecode/bytecode.h"

typedef enum code_dialect {
	CODES_BUILTIN,
	CODES_VHLO,
	CODES_STABLEHLO,
	CODES_CHLO,
	CODES_SDY,
	CODES_QUANT,
	CODES_OTHER, /* without codes: func, tensor, … */
} code_dialect;
code_dialect code_dialect_of(tess_str name);

/* The contents of a field depend on its letter:
 *
 *   a attribute  t type  n name of a string attribute  s string of the table
 *   i signed number  u number  b byte, 0 or 1
 *   w bits of an integer as wide as the type before it; if wider than 64 bits, a list in `ints`
 *     when read
 *   x bits of a float of the type before it  d bits of an f64
 *   A T I U D lists of a, t, i, u, d
 *   P list of pairs: values in `pairs`; keys in `list` when read, as names in `names` when written
 *   B bytes      R S the rest of the entry, as numbers, as strings of the table: read only
 *   ? before a letter: its lowest bit says whether it is present; o before a: a number does
 *
 * An absent field has present == false. */
typedef struct field {
	bool present;
	int64_t n; /* items of a list, bytes of B */
	union {
		int64_t i; /* i u b w x d */
		const attr *a;
		const type *t;
		const name *name;          /* n s */
		const attr *const *list;   /* A P */
		const type *const *types;  /* T */
		const int64_t *ints;       /* I U D R */
		const name *const *names;  /* S */
		const void *bytes;         /* B */
	};
	const attr *const *pairs;
} field;
enum { MAX_FIELDS = 12 };

typedef struct code_row code_row;

/* State for the functions of rows: error reporting, and memory for the call. */
typedef struct coder {
	tess_ctx *ctx;
	arena *mem;
	bool (*fail)(struct coder *c, const char *fmt, ...) PRINTF(2, 3);
	uint64_t version; /* of the format */
	const bytecode_texts *texts;
	/* First row of a kind in a dialect, plus one; -1: none, 0: not determined yet. */
	int16_t first_of_kind[CODES_OTHER][AT_KINDS];
	uint64_t n_distinct; /* attributes so far */
	/* DenseResourceElements refers to a resource by number. */
	const name *(*resource_name)(struct coder *c, int64_t number);
	int64_t (*resource_number)(struct coder *c, const name *n);
	void *user;
} coder;

typedef const attr *make_attr_fn(coder *c, const code_row *row, const field *f);
typedef const type *make_type_fn(coder *c, const code_row *row, const field *f);
/* Return false if the row is not for that attribute. */
typedef bool take_attr_fn(coder *c, const code_row *row, const attr *a, field *f);
typedef bool take_type_fn(coder *c, const code_row *row, const type *t, field *f);

struct code_row {
	code_dialect dialect;
	int code;
	bool is_type;
	int since; /* vhlo: 100 * major + minor of its first version */
	int dtype; /* of PLAIN rows */
	int kind;  /* of the attribute or type in the IR; -1: several */
	const char *fields;
	size_t most_fields; /* number of letters; some are not fields */
	const char *name1, *name2; /* for the functions */
	make_attr_fn *make_attr;
	take_attr_fn *take_attr;
	make_type_fn *make_type;
	take_type_fn *take_type;
};

/* NULL: there is no such code. */
const code_row *code_row_of(code_dialect d, bool is_type, uint64_t code);
/* Finds an attribute's or type's row and sets its fields; NULL: the dialect has no row for it. */
const code_row *code_take_attr(coder *c, code_dialect d, const attr *a, field *f);
const code_row *code_take_type(coder *c, code_dialect d, const type *t, field *f);
/* Width in bits of a value of that type as a field w or x; 0: the type is not a number. */
int code_width(const type *t);

/* ---- properties (rows.c) ----------------------------------------------------- */

/* The inherent attributes of an op in the order of its properties: by name, then the sizes of
 * operand groups, which are numbers since version 6. */
enum { MAX_PROPERTIES = 24 };
typedef struct property_rows {
	const attr_row *rows[MAX_PROPERTIES], *sizes[2];
	int n, n_sizes;
} property_rows;
property_rows code_property_rows(const tess_ctx *ctx, int kind, uint64_t version);

#endif
