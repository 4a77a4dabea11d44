/* write.h - what the files of the bytecode writer share.
 *
 * The program is walked once: emit.c writes an operation, and whatever it refers to that nothing
 * before it did gets the next number and its entry at once (entries.c, locs.c, op_attrs.c).  So an
 * entry stands behind those that it refers to, and a dialect has several groups of entries where the
 * dialects take turns, which the format allows.  write.c puts the sections around it all. */
#ifndef TESS_BYTECODE_WRITE_WRITE_H
#define TESS_BYTECODE_WRITE_WRITE_H

#include "bytecode/codes/codes.h"
#include "bytecode/vhlo/vhlo.h"

/* The dialects whose attributes and types something is made of: VHLO's for VHLO's operations, those of
 * the program for all others. */
typedef enum form { PLAIN, VERSIONED, FORMS } form;

/* Attributes or types in the order of their numbers. */
typedef struct entry_group {
	uint32_t dialect, n;
	size_t end; /* of its part of the sizes */
} entry_group;
typedef struct out_entries {
	uint32_t n;
	writer data, sizes;
	VEC(entry_group) groups;
} out_entries;

typedef struct out_op {
	const name *name; /* in full */
	uint32_t dialect, string;
	bool registered;
} out_op;

/* What the attributes of an operation are written as. */
typedef struct op_attrs {
	uint32_t properties, dict; /* one more than their numbers; 0: none */
} op_attrs;

/* A number that was given to what has this key, if it has: a small table before a large one. */
enum { RECENT = 256 };
typedef struct recent {
	const void *key;
	uint32_t number;
} recent;

struct bytecode; /* of the reader */
/* An attribute of the file that a program was read from: what it is for us, and our number of it. */
typedef struct file_loc {
	uint32_t number, state;
} file_loc;

typedef struct encoder {
	coder coder;
	tess_ctx *ctx;
	const module *m;
	const bytecode_write_opts *opts;
	arena *mem; /* ctx->scratch */
	const op *here;
	bool failed;
	int version, target; /* of the format; of StableHLO, 100 * major + minor */
	ptr_map numbers_of_attrs[FORMS], numbers_of_types[FORMS]; /* -> one more than the number */
	ptr_map numbers_of_names[FORMS]; /* the same for names as strings, which many attributes have */
	uint32_t dialect_numbers[CODES_QUANT]; /* one more than the number; 0: none yet */
	out_entries attrs, types;
	recent types_seen[FORMS][RECENT];
	ptr_map string_numbers, op_numbers; /* name -> one more than the number */
	ptr_map lists; /* attr_list.ptr -> what it was written as */
	const struct known_list *lists_seen[RECENT];
	op_attrs *of_kind; /* of ops without attributes; properties UINT32_MAX: not known */
	ptr_map dicts_of_shardings; /* of arguments and results that have nothing else; the encoder: none */
	ptr_map mixed; /* dictionary whose values are VHLO's -> one more than its number */
	ptr_map property_numbers; /* hash -> properties */
	const attr *resources;    /* {key: "0x…"}; NULL: there are none */
	ptr_map resource_numbers; /* key -> one more than the number */
	writer properties, property; /* all of them; one in the making */
	uint32_t n_properties;
	VEC(tess_str) strings;
	VEC(tess_str) dialects;
	VEC(out_op) ops;
	uint32_t builtin, unknown_loc; /* their numbers */
	uint32_t *op_name_numbers; /* by kind of op and form, one more than the number; 0: none yet */
	uint32_t cast_name; /* of unrealized_conversion_cast, one more than the number; 0: none yet */
	struct bytecode *file; /* that has the locations; NULL: they are attributes */
	bool no_locs;          /* but those that were set; a text has no others, either */
	file_loc *file_locs;   /* of each of its attributes */
	const code_row *builtin_rows[32]; /* by code, once asked for */
} encoder;

/* ---- numbers (entries.c) ---------------------------------------------------------------- */

enum { NUMBER_MOST = 9 }; /* bytes of a number */

char *store_long_number(char *at, uint64_t n);
/* Stores a number, and returns where it ends: there must be room for NUMBER_MOST bytes.  Most have one,
 * two or three; what is stored behind those is stored over. */
static inline char *store_number(char *at, uint64_t n)
{
	if (LIKELY(n < 1 << 7)) {
		*at = (char)(n << 1 | 1);
		return at + 1;
	}
	int more = 1 + (n >= 1 << 14);
	uint32_t v = (uint32_t)(n << 1 | 1) << more;
	if (UNLIKELY(n >= 1 << 21))
		return store_long_number(at, n);
	for (int i = 0; i < 4; i++)
		at[i] = (char)(v >> (8 * i));
	return at + more + 1;
}
static inline char *writer_room(writer *w, size_t n)
{
	if (UNLIKELY(w->cap - w->len < n))
		writer_room_(w, n);
	return w->ptr + w->len;
}
static inline void put_number(writer *w, uint64_t n)
{
	w->len = (size_t)(store_number(writer_room(w, NUMBER_MOST), n) - w->ptr);
}
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
uint32_t attr_number(encoder *e, form f, const attr *a);
uint32_t type_number_slowly(encoder *e, form f, const type *t);
static inline recent *recent_of_type(encoder *e, form f, const type *t)
{
	return &e->types_seen[f][(uintptr_t)t / 64 % RECENT];
}
static inline uint32_t type_number(encoder *e, form f, const type *t)
{
	const recent *r = recent_of_type(e, f, t);
	return LIKELY(r->key == t) ? r->number : type_number_slowly(e, f, t);
}
/* A dictionary of MLIR's own, whose values are VHLO's. */
uint32_t mixed_dict_number(encoder *e, const attr *dict);
/* Gives what was written to the data since `from` the next number. */
uint32_t entry_end(encoder *e, out_entries *t, uint32_t dialect, size_t from, bool coded);
void entries_init(encoder *e);
void entries_write(encoder *e, writer *offsets, writer *data);

/* ---- resources (resources.c) --------------------------------------------------------------- */

void resources_init(encoder *e);
int64_t resource_number_of(coder *c, const name *n);
/* Returns how their section must be aligned. */
size_t resources_write(encoder *e, writer *offsets, writer *data);
/* Fills up to a multiple of `alignment` behind `from`. */
void put_padding(writer *w, size_t from, size_t alignment);

/* ---- operations ------------------------------------------------------------------------ */

/* The numbers of the locations of an op and of an argument; locs.c.  An argument without one: false. */
void locs_init(encoder *e);
uint32_t op_loc_number(encoder *e, const op *o);
bool arg_loc_number(encoder *e, const value *arg, uint32_t *number);

/* What the attributes of an op are written as: op_attrs.c.  `row` is NULL for what is not of VHLO. */
void op_attrs_init(encoder *e);
op_attrs op_attrs_number(encoder *e, const op *o, const vhlo_row *row);

static inline form op_form(const encoder *e, const op *o)
{
	return e->opts->portable && vhlo_row_of(o->kind) ? VERSIONED : PLAIN;
}
/* false, and reported: something cannot be written. */
bool ops_write(encoder *e, writer *w);

#endif
