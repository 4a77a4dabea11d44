/* wire.h - reads and writes the wire format of protocol buffers. Internal to hlo/proto.
 *
 *   message ::= (key value)*         key ::= varint: number << 3 | type
 *   value   ::= varint               type 0: integers, enums, bools
 *             | 8 bytes | 4 bytes    types 1 and 5
 *             | varint bytes         type 2: strings, messages, packed numbers
 *
 * A message is read into the list of its fields, which point into the bytes; unknown fields are in
 * the list, but ignored. Fields that are 0 or empty are not written, and missing ones read as 0. */
#ifndef TESS_HLO_PROTO_WIRE_H
#define TESS_HLO_PROTO_WIRE_H

#include "hlo/text/text.h"

enum { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_FIXED32 = 5 };

typedef struct wire_field {
	uint32_t number;
	int type;
	uint64_t value; /* of a number */
	tess_str bytes; /* of type 2; for other types empty, at the start of the field */
} wire_field;

typedef struct wire_message {
	const wire_field *fields;
	int n;
} wire_message;

typedef struct proto_reader {
	hlo_reader r; /* the reader of what the proto is converted to; it fails when this does */
	const char *name;
	const char *begin; /* of the file */
	arena *mem;
	struct { /* the axes of the mesh used last (sharding.c) */
		const wire_field *of, **list;
		int n;
	} axes;
} proto_reader;

/* Reports an error at a byte of the file; always returns false. */
bool proto_fail(proto_reader *p, const char *at, const char *fmt, ...) PRINTF(3, 4);

/* Reads the fields of a message; none after an error. */
wire_message wire_read(proto_reader *p, tess_str bytes);
/* True if the bytes are a message; reports no errors. `m` may be NULL. */
bool wire_parses(arena *mem, tess_str bytes, wire_message *m, const char **wrong);
/* Returns the last field with that number; NULL: there is none. */
const wire_field *wire_find(const wire_message *m, uint32_t number);
int64_t wire_int(const wire_message *m, uint32_t number);
tess_str wire_bytes(const wire_message *m, uint32_t number); /* empty if absent */
/* Returns a nested message; if there are several with that number, they are merged. */
wire_message wire_sub(proto_reader *p, const wire_message *m, uint32_t number);
/* Reads the integers of a repeated field, packed or not, into p->mem; returns their number. */
int wire_ints(proto_reader *p, const wire_message *m, uint32_t number, int64_t **out);
/* Returns the next field with that number after `at`, which is NULL at first; NULL at the end. */
const wire_field *wire_next(const wire_message *m, uint32_t number, const wire_field *at);

/* ---- writing -------------------------------------------------------------------- */

void wire_put_int(writer *w, uint32_t number, int64_t v); /* not written if 0 */
void wire_put_int_anyhow(writer *w, uint32_t number, int64_t v);
void wire_put_bytes(writer *w, uint32_t number, tess_str s);
void wire_put_str(writer *w, uint32_t number, tess_str s);                   /* unless empty */
void wire_put_ints(writer *w, uint32_t number, const int64_t *v, int64_t n); /* packed */
void wire_put_float(writer *w, uint32_t number, float v);
void wire_put_double(writer *w, uint32_t number, double v);
void wire_put_varint(writer *w, uint64_t v);

#endif
