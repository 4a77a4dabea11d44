/* write.h - what the files of the bytecode writer share.
 *
 * The program is walked once: emit.c writes an operation, and whatever it refers to for the first
 * time gets the next number and is written to its table at once (entries.c, locs.c, op_attrs.c). So
 * an entry comes after those that it refers to, and a dialect may have several groups of entries,
 * which the format allows. write.c adds the sections around it all. */
#ifndef TESS_BYTECODE_WRITE_WRITE_H
#define TESS_BYTECODE_WRITE_WRITE_H

#include "bytecode/codes/codes.h"
#include "bytecode/vhlo/vhlo.h"

/* Which dialects' attributes and types to use: VHLO's for VHLO's operations, the program's own for
 * all others. */
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

/* The properties and the dictionary of an operation. */
typedef struct op_attrs {
	uint32_t properties, dict; /* numbers plus one; 0: none */
} op_attrs;

/* A recently assigned number, by key: a small table in front of the large one. */
enum { RECENT = 256 };
typedef struct recent {
	const void *key;
	uint32_t number;
} recent;

struct bytecode; /* of the reader */
/* An attribute of the file that the program was read from: if it is a location, and our number. */
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
	ptr_map numbers_of_attrs[FORMS], numbers_of_types[FORMS]; /* -> the number plus one */
	ptr_map numbers_of_names[FORMS]; /* the same for names as string attributes, which are
	                                  * frequent */
	uint32_t dialect_numbers[CODES_QUANT]; /* number plus one; 0: none yet */
	out_entries attrs, types;
	recent types_seen[FORMS][RECENT];
	ptr_map string_numbers, op_numbers; /* name -> the number plus one */
	ptr_map lists; /* attr_list.ptr -> the result for that list */
	const struct known_list *lists_seen[RECENT];
	op_attrs *of_kind; /* of ops without attributes; properties UINT32_MAX: not known yet */
	ptr_map dicts_of_shardings; /* of arguments and results that have nothing else; the encoder
	                             * itself: none */
	ptr_map mixed; /* dictionary with VHLO values -> its number plus one */
	ptr_map property_numbers; /* hash -> properties */
	const attr *resources;    /* {key: "0x…"}; NULL: none */
	ptr_map resource_numbers; /* key -> the number plus one */
	writer properties, property; /* all of them; the current one */
	uint32_t n_properties;
	VEC(tess_str) strings;
	VEC(tess_str) dialects;
	VEC(out_op) ops;
	uint32_t builtin, unknown_loc; /* their numbers */
	uint32_t *op_name_numbers; /* by op kind and form, plus one; 0: none yet */
	uint32_t cast_name; /* of unrealized_conversion_cast, plus one; 0: none yet */
	struct bytecode *file; /* that has the locations; NULL: they are attributes */
	bool no_locs;          /* except those set by tessera, as for programs read from text */
	file_loc *file_locs;   /* for each of its attributes */
	const code_row *builtin_rows[32]; /* by code, when needed */
} encoder;

/* ---- numbers (entries.c) ---------------------------------------------------------------- */

enum { NUMBER_MOST = 9 }; /* the most bytes of a number */

char *store_long_number(char *at, uint64_t n);
/* Stores a number, and returns its end; there must be room for NUMBER_MOST bytes. Most numbers take
 * one, two or three bytes; more are written than needed, to be overwritten. */
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
static inline void put_flagged(writer *w, uint64_t n, bool flag)
{
	put_number(w, n << 1 | (uint64_t)flag);
}
/* Reserves nine bytes for a number that is filled in later. */
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
/* A builtin dictionary whose values are VHLO's. */
uint32_t mixed_dict_number(encoder *e, const attr *dict);
/* Assigns the next number to what was written to the data since `from`. */
uint32_t entry_end(encoder *e, out_entries *t, uint32_t dialect, size_t from, bool coded);
void entries_init(encoder *e);
void entries_write(encoder *e, writer *offsets, writer *data);

/* ---- resources (resources.c) --------------------------------------------------------------- */

void resources_init(encoder *e);
int64_t resource_number_of(coder *c, const name *n);
/* Returns the alignment that the section needs. */
size_t resources_write(encoder *e, writer *offsets, writer *data);
/* Pads to a multiple of `alignment`, counted from `from`. */
void put_padding(writer *w, size_t from, size_t alignment);

/* ---- operations ------------------------------------------------------------------------ */

/* The numbers of the locations of an op and of an argument (locs.c); false if it has none. */
void locs_init(encoder *e);
uint32_t op_loc_number(encoder *e, const op *o);
bool arg_loc_number(encoder *e, const value *arg, uint32_t *number);

/* Writes the attributes of an op (op_attrs.c). `row` is NULL for ops that VHLO does not have. */
void op_attrs_init(encoder *e);
op_attrs op_attrs_number(encoder *e, const op *o, const vhlo_row *row);

static inline form op_form(const encoder *e, const op *o)
{
	return e->opts->portable && vhlo_row_of(o->kind) ? VERSIONED : PLAIN;
}
/* Returns false, and reports it, if something cannot be written. */
bool ops_write(encoder *e, writer *w);

#endif
