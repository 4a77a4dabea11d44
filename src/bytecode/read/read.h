/* read.h - what the files of the bytecode reader share.
 *
 * container.c finds the sections and the tables in them; entries.c makes attributes and types when
 * they are asked for first, by the rows of codes/; props.c makes the attributes of an operation,
 * ops.c the operations; bytecode.c is the door.
 *
 * Nothing in the file is trusted: every number is compared with what is left before it is used.
 * Errors are sticky: after the first one every cursor is at its end and reads zeros, so that loops
 * over untrusted counts stop by themselves. */
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

/* Where an attribute or a type lies.  It ends where the next one begins. */
typedef struct entry {
	uint64_t at : 40; /* in the file: entry_at() */
	uint64_t dialect : 22, coded : 1, busy : 1;
} entry;

/* An attribute or a type that was made, and how many it consists of: each part counts as often as it is
 * referred to. */
typedef struct made {
	const void *it; /* NULL: not yet */
	uint64_t parts;
} made;

/* Attributes that were made, by their number.  There may be a location for each operation, which nobody
 * asks for: pages without an attribute that was asked for are NULL. */
enum { MADE_PAGE = 128 };
typedef made made_page[MADE_PAGE];

typedef struct op_entry {
	const name *name; /* NULL: nobody has asked yet */
	uint32_t dialect, string;
	int kind;
	bool registered;
	const vhlo_row *vhlo; /* NULL: of another dialect */
	int vhlo_number;      /* of the name: 2 of dot_general_v2 */
} op_entry;

typedef struct dialect_entry {
	tess_str name;
	code_dialect codes;
} dialect_entry;

/* A list of attributes that was made of properties and a dictionary. */
typedef struct made_attrs {
	uint32_t op, properties; /* their numbers, plus one */
	uint64_t dict;
	const attr_list *list;
} made_attrs;

typedef struct resource_entry {
	const name *key;
	bytes blob;
	uint64_t alignment;
	enum { RESOURCE_BLOB, RESOURCE_BOOL, RESOURCE_STRING, RESOURCE_NONE } kind; /* NONE: a key alone */
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
	bool portable; /* it has operations of vhlo */
	int depth;
	bytes sections[SECTION_COUNT];
	tess_str *strings;
	const name **names; /* of strings, once asked for */
	uint64_t n_strings, n_dialects, n_ops, n_attrs, n_types, n_props;
	dialect_entry *dialects;
	op_entry *ops;
	entry *attrs, *types; /* [n + 1] */
	made_page **made_attrs;
	made *made_types; /* once they were asked for */
	arena *tables;    /* has all of these; it may be `mem` */
	uint64_t parts;   /* of the entry at work, so far */
	uint32_t n_pages;
	bytes *props;
	VEC(resource_entry) resources; /* of dialects, in order */
	const unsigned char *here; /* of the entry at work: for errors */
	/* memos */
	ptr_map lists;
} bytecode;

static inline const unsigned char *entry_at(const bytecode *b, const entry *e)
{
	return b->begin + e->at;
}

/* Reports the first error, with the place, and makes everything read as ended.  Returns false. */
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
/* A number with a flag in its lowest bit. */
static inline uint64_t bytes_flagged(bytecode *b, bytes *s, bool *flag)
{
	uint64_t n = bytes_number(b, s);
	*flag = n & 1;
	return n >> 1;
}
/* How many items of at least `least` bytes follow: no more than there is room for. */
uint64_t bytes_count(bytecode *b, bytes *s, size_t least);
bytes bytes_take(bytecode *b, bytes *s, uint64_t n);
/* A section, and what it is; its contents. */
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
/* For whoever wants only one attribute of a file that was read before. */
void bytecode_coder_init(bytecode *b);

/* ---- operations ------------------------------------------------------------------------- */

/* The attributes of an op with these properties (NULL: none) and this dictionary (NULL: none),
 * pushed to `out`: unsorted. */
void properties_read(bytecode *b, const op_entry *e, bytes properties, named_attrs *out);
bool ops_read(bytecode *b);

/* Where an op's location stands: source.find_loc. */
const attr *bytecode_find_loc(const module *m, uint32_t at, bool of_arg);
/* The file that has the locations of a program; NULL: it is no bytecode.  Their number there. */
bytecode *bytecode_of_locs(const module *m);
/* Of an argument `at` is where its location stands; of an op, where it begins. */
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
