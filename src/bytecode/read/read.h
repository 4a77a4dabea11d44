/* read.h - what the files of the bytecode reader share.
 *
 * container.c finds the sections and the tables in them; entries.c makes attributes and types on
 * demand, by the rows of codes/; props.c makes the attributes of operations, ops.c the operations;
 * bytecode.c has the entry points.
 *
 * The file is not trusted: every number is checked against what is left before it is used. Errors
 * are sticky: after the first one, every cursor is at its end and reads zeros, so that loops over
 * untrusted counts end. */
#ifndef TESS_BYTECODE_READ_READ_H
#define TESS_BYTECODE_READ_READ_H

#include "bytecode/codes/codes.h"
#include "bytecode/vhlo/vhlo.h"

typedef enum section_id {
	SECTION_STRING,
	SECTION_DIALECT,
	SECTION_ATTR_TYPE,
	SECTION_ATTR_TYPE_OFFSET,
	SECTION_IR,
	SECTION_RESOURCE,
	SECTION_RESOURCE_OFFSET,
	SECTION_DIALECT_VERSIONS,
	SECTION_PROPERTIES,
	SECTION_COUNT,
} section_id;

typedef struct bytes {
	const unsigned char *at, *end;
} bytes;

/* The position of an attribute or a type, which ends where the next one starts. */
typedef struct entry {
	uint64_t at : 40; /* in the file: entry_at() */
	uint64_t dialect : 22, coded : 1, busy : 1;
} entry;

/* An attribute or a type, and the number of its parts, each counted as often as it is referred
 * to. */
typedef struct made {
	const void *it; /* NULL: not made yet */
	uint64_t parts;
} made;

/* Attributes by number, in pages. There may be a location for each operation, most of which are
 * never needed: pages in which nothing was needed are NULL. */
enum { MADE_PAGE = 128 };
typedef made made_page[MADE_PAGE];

typedef struct op_entry {
	const name *name; /* NULL: not needed so far */
	uint32_t dialect, string;
	int kind;
	bool registered;
	const vhlo_row *vhlo; /* NULL: another dialect */
	int vhlo_number;      /* suffix of the name: 2 for dot_general_v2 */
} op_entry;

typedef struct dialect_entry {
	tess_str name;
	code_dialect codes;
} dialect_entry;

/* A list of attributes made from properties and a dictionary. */
typedef struct made_attrs {
	uint32_t op, properties; /* numbers, plus one */
	uint64_t dict;
	const attr_list *list;
} made_attrs;

typedef struct resource_entry {
	const name *key;
	bytes blob;
	uint64_t alignment;
	enum { RESOURCE_BLOB, RESOURCE_BOOL, RESOURCE_STRING, RESOURCE_NONE } kind; /* NONE: only a
	                                                                             * key */
} resource_entry;

typedef struct bytecode {
	coder coder;
	tess_ctx *ctx;
	source *src;
	module *m;
	const bytecode_read_opts *opts;
	arena *mem; /* ctx->scratch */
	const unsigned char *begin, *end;
	bool failed;
	uint64_t version;
	tess_str producer;
	bool portable; /* it contains vhlo operations */
	int depth;
	bytes sections[SECTION_COUNT];
	tess_str *strings;
	const name **names; /* of strings, when needed */
	uint64_t n_strings, n_dialects, n_ops, n_attrs, n_types, n_props;
	dialect_entry *dialects;
	op_entry *ops;
	entry *attrs, *types; /* [n + 1] */
	made_page **made_attrs;
	made *made_types; /* when needed */
	arena *tables;    /* holds all of these; may be `mem` */
	uint64_t parts;   /* of the current entry, so far */
	uint32_t n_pages;
	bytes *props;
	VEC(resource_entry) resources; /* of dialects, in order */
	const unsigned char *here; /* the current entry, for errors */
	/* memos */
	ptr_map lists;
} bytecode;

static inline const unsigned char *entry_at(const bytecode *b, const entry *e)
{
	return b->begin + e->at;
}

/* Reports the first error, with its position, and makes everything read as ended. Returns false. */
bool bytes_fail_at(bytecode *b, const unsigned char *at, diag_code code, const char *fmt, ...)
	PRINTF(4, 5);
void bytes_ended(bytecode *b, bytes *s);

/* ---- numbers ------------------------------------------------------------------------- */

uint64_t bytes_long_number(bytecode *b, bytes *s);
static inline uint64_t bytes_number(bytecode *b, bytes *s)
{
	if (LIKELY(s->at < s->end && (*s->at & 1)))
		return *s->at++ >> 1;
	return bytes_long_number(b, s);
}
static inline int64_t bytes_signed(bytecode *b, bytes *s)
{
	uint64_t n = bytes_number(b, s);
	return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}
static inline unsigned char bytes_byte(bytecode *b, bytes *s)
{
	if (LIKELY(s->at < s->end))
		return *s->at++;
	bytes_ended(b, s);
	return 0;
}
/* Reads a number with a flag in its lowest bit. */
static inline uint64_t bytes_flagged(bytecode *b, bytes *s, bool *flag)
{
	uint64_t n = bytes_number(b, s);
	*flag = n & 1;
	return n >> 1;
}
/* Reads a count of items of at least `least` bytes; it is an error if there is no room for them. */
uint64_t bytes_count(bytecode *b, bytes *s, size_t least);
bytes bytes_take(bytecode *b, bytes *s, uint64_t n);
/* Reads the id of a section and returns its contents. */
bytes bytes_section(bytecode *b, bytes *s, int *id);

/* ---- tables (container.c) -------------------------------------------------------------- */

bool container_open(bytecode *b);
const name *string_name(bytecode *b, uint64_t i);

/* ---- attributes and types (entries.c) ----------------------------------------------------- */

const attr *entry_attr(bytecode *b, uint64_t i);
const type *entry_type(bytecode *b, uint64_t i);
static inline const type *bytes_type(bytecode *b, bytes *s)
{
	uint64_t i = bytes_number(b, s);
	if (LIKELY(i < b->n_types && b->made_types[i].it))
		return b->made_types[i].it;
	return entry_type(b, i);
}
/* For callers that need a single attribute of a file that was read before. */
void bytecode_coder_init(bytecode *b);

/* ---- operations ------------------------------------------------------------------------- */

/* Pushes the attributes of an op with these properties and this dictionary (either may be NULL) to
 * `out`, unsorted. */
void properties_read(bytecode *b, const op_entry *e, bytes properties, named_attrs *out);
bool ops_read(bytecode *b);

/* Returns an op's location: source.find_loc. */
const attr *bytecode_find_loc(const module *m, uint32_t at, bool of_arg);
/* Returns the file that has the locations of a program, NULL if the program is not from bytecode;
 * and the number of a location in it. */
bytecode *bytecode_of_locs(const module *m);
/* For an argument, `at` is the position of its location; for an op, of the op. */
static inline uint64_t bytecode_loc_at(bytecode *b, uint32_t at, bool of_arg)
{
	bytes s = {b->begin + at, b->end};
	if (UNLIKELY(at >= (size_t)(b->end - b->begin)))
		return UINT64_MAX;
	if (!of_arg) {
		bytes_number(b, &s);
		bytes_byte(b, &s);
	}
	return bytes_number(b, &s);
}

#endif
