/* message.h - protobuf's wire format, as far as compile options and shardings need it. */
#ifndef TESS_PJRT_MESSAGE_H
#define TESS_PJRT_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- reading: message.c ------------------------------------------------------------------------ */

typedef struct message_reader {
	const uint8_t *at, *end;
	bool failed;
	/* The field that message_next() found: its number, and its value: a number, or bytes. */
	uint32_t field;
	uint64_t number;
	const uint8_t *bytes; /* NULL: it is a number */
	size_t n;
} message_reader;

message_reader message_open(const void *bytes, size_t n);
bool message_next(message_reader *r); /* false at the end, or once it has failed */
uint64_t message_varint(message_reader *r);

/* ---- writing ---------------------------------------------------------------------------------- */

/* Bytes that grow; `failed` once memory is out. */
typedef struct message_writer {
	uint8_t *bytes;
	size_t n, room;
	bool failed;
} message_writer;

void message_put_varint(message_writer *w, uint64_t v);
void message_put_number(message_writer *w, uint32_t field, uint64_t v);
void message_put_bytes(message_writer *w, uint32_t field, const void *bytes, size_t n);
void message_put_packed(message_writer *w, uint32_t field, const int64_t *v, size_t n);
void message_free(message_writer *w);

#endif
