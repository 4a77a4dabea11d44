/* wire.h - protobuf's wire format, as far as compile options and shardings need it. */
#ifndef TESS_PJRT_WIRE_H
#define TESS_PJRT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- reading: wire.c ------------------------------------------------------------------------ */

typedef struct wire_reader {
	const uint8_t *at, *end;
	bool failed;
	/* The field that wire_next() found: its number, and its value: a number, or bytes. */
	uint32_t field;
	uint64_t number;
	const uint8_t *bytes; /* NULL: it is a number */
	size_t n;
} wire_reader;

wire_reader wire_open(const void *bytes, size_t n);
bool wire_next(wire_reader *r); /* false at the end, or once it has failed */
uint64_t wire_varint(wire_reader *r);

/* ---- writing ---------------------------------------------------------------------------------- */

/* Bytes that grow; `failed` once memory is out. */
typedef struct wire_writer {
	uint8_t *bytes;
	size_t n, room;
	bool failed;
} wire_writer;

void wire_put_varint(wire_writer *w, uint64_t v);
void wire_put_number(wire_writer *w, uint32_t field, uint64_t v);
void wire_put_bytes(wire_writer *w, uint32_t field, const void *bytes, size_t n);
void wire_put_packed(wire_writer *w, uint32_t field, const int64_t *v, size_t n);
void wire_free(wire_writer *w);

#endif
