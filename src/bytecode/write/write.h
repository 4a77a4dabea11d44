/* write.h - what the files of the bytecode writer share.
 *
 * Everything is written with numbers of attributes, types and strings, and the tables of those come
 * first.  So a program is walked twice: collect.c notes what each operation will refer to, entries.c
 * numbers it; then emit.c writes the operations, and write.c the sections around them. */
#ifndef TESS_BYTECODE_WRITE_WRITE_H
#define TESS_BYTECODE_WRITE_WRITE_H

#include "bytecode/codes/codes.h"
#include "bytecode/vhlo/vhlo.h"

/* The dialects whose attributes and types something is made of: VHLO's for VHLO's operations, those of
 * the program for all others. */
typedef enum form { PLAIN, VERSIONED, FORMS } form;

/* An attribute or a type that has a number, which is known once all have been seen. */
typedef struct numbered {
	const code_row *row; /* NULL: as text */
	const field *fields;
	tess_str text;
	form form; /* of what its fields refer to */
	bool mixed; /* a dictionary of MLIR's own, whose values are VHLO's */
	uint32_t dialect, number;
} numbered;

typedef VEC(numbered *) numbered_list;

typedef struct out_dialect {
	tess_str name;
	numbered_list attrs, types;
} out_dialect;

typedef struct out_op {
	const name *name; /* in full */
	uint32_t dialect, string;
	bool registered;
} out_op;

/* What an operation refers to, in the order in which operations are written. */
typedef struct op_facts {
	uint32_t name;
	uint32_t properties;   /* one more than their number; 0: none */
	const numbered *dict;  /* NULL: none */
	const numbered *loc;
	const vhlo_row *vhlo;  /* NULL: not of VHLO */
	const op *o;
	int span;              /* how many operations there are with those within */
} op_facts;

/* Operations lie apart in memory; they are fetched so many before they are written. */
enum { FETCHED_AHEAD = 8 };

/* The attributes of an op as they will be written. */
typedef struct property {
	const numbered *attr; /* NULL: it is not there */
	bool needed;
} property;

/* Until the attributes have numbers. */
typedef struct property_list {
	const property *ptr;
	int n;
	const op *sizes_of;         /* has sizes of groups; NULL: there are none */
	uint32_t number;
	struct property_list *same; /* of the same hash */
} property_list;

typedef struct encoder {
	coder coder;
	tess_ctx *ctx;
	const module *m;
	const bytecode_write_opts *opts;
	arena *mem; /* ctx->scratch */
	const op *here;
	bool failed;
	int version, target; /* of the format; of StableHLO, 100 * major + minor */
	ptr_map numbers_of_attrs[FORMS], numbers_of_types[FORMS]; /* -> numbered */
	ptr_map string_numbers, op_numbers; /* name -> one more than the number */
	ptr_map lists; /* attr_list.ptr -> what it was written as */
	ptr_map mixed; /* dictionary -> the numbered one whose values are VHLO's */
	ptr_map property_numbers; /* hash -> property_list */
	VEC(tess_str) strings;
	VEC(out_dialect) dialects;
	VEC(out_op) ops;
	VEC(op_facts) facts;
	VEC(const property_list *) properties;
	const numbered *unknown_loc;
	uint32_t *op_name_numbers; /* by kind of op, one more than the number; 0: none yet */
	uint32_t cast_name; /* of unrealized_conversion_cast, one more than the number; 0: none yet */
} encoder;

/* ---- numbers (write.c) ------------------------------------------------------------------ */

void put_number(writer *w, uint64_t n);
void put_signed(writer *w, int64_t v);
static inline void put_flagged(writer *w, uint64_t n, bool flag)
{
	put_number(w, n << 1 | (uint64_t)flag);
}
/* A number in nine bytes, to be given later. */
size_t put_number_later(writer *w);
void patch_number(writer *w, size_t at, uint64_t n);

/* ---- tables (entries.c) ------------------------------------------------------------------ */

uint32_t string_number_of(encoder *e, const name *n);
uint32_t dialect_number(encoder *e, tess_str name);
uint32_t op_name_number(encoder *e, const name *full, bool registered);
const numbered *attr_number(encoder *e, form f, const attr *a);
const numbered *type_number(encoder *e, form f, const type *t);
/* Once all are there: dialect by dialect. */
void entries_finish(encoder *e);
void entries_write(encoder *e, writer *offsets, writer *data);

/* ---- operations ------------------------------------------------------------------------ */

/* Fills facts, in pre-order; false, and reported: something cannot be written. */
bool collect_ops(encoder *e);
/* Of the properties, once numbers are known. */
void properties_write(encoder *e, writer *w);
static inline form op_form(const encoder *e, const op *o)
{
	return e->opts->portable && vhlo_row_of(o->kind) ? VERSIONED : PLAIN;
}
form value_form(const encoder *e, const value *v);
void ops_write(encoder *e, writer *w);

#endif
