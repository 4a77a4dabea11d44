/* message.c - protobuf's wire format: tags, numbers of 7 bits a byte, and bytes with their length. */
#include "message.h"

#include <stdlib.h>
#include <string.h>

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

message_reader message_open(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	return (message_reader){.at = at, .end = n ? at + n : at};
}

uint64_t message_varint(message_reader *r)
{
	uint64_t v = 0;
	for (int shift = 0; shift < 70 && r->at < r->end; shift += 7) {
		uint8_t b = *r->at++;
		if (shift < 64)
			v |= (uint64_t)(b & 127) << shift;
		if (b < 128)
			return v;
	}
	r->failed = true;
	return 0;
}

static void take_bytes(message_reader *r, uint64_t n)
{
	if (r->failed || n > (uint64_t)(r->end - r->at)) {
		r->failed = true;
		return;
	}
	r->bytes = r->at;
	r->n = (size_t)n;
	r->at += n;
}

bool message_next(message_reader *r)
{
	if (r->failed || r->at >= r->end)
		return false;
	uint64_t tag = message_varint(r);
	r->field = (uint32_t)(tag >> 3);
	r->bytes = NULL;
	r->n = 0;
	r->number = 0;
	switch (tag & 7) {
	case VARINT: r->number = message_varint(r); break;
	case FIXED64: take_bytes(r, 8); break;
	case BYTES: take_bytes(r, message_varint(r)); break;
	case FIXED32: take_bytes(r, 4); break;
	default: r->failed = true;
	}
	return !r->failed;
}

static void put_byte(message_writer *w, uint8_t b)
{
	if (w->n == w->room && !w->failed) {
		size_t room = w->room ? 2 * w->room : 64;
		uint8_t *more = realloc(w->bytes, room);
		w->failed = !more;
		if (more) {
			w->bytes = more;
			w->room = room;
		}
	}
	if (!w->failed)
		w->bytes[w->n++] = b;
}

void message_put_varint(message_writer *w, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		put_byte(w, (uint8_t)(v | 128));
	put_byte(w, (uint8_t)v);
}

void message_put_number(message_writer *w, uint32_t field, uint64_t v)
{
	message_put_varint(w, (uint64_t)field << 3 | VARINT);
	message_put_varint(w, v);
}

void message_put_bytes(message_writer *w, uint32_t field, const void *bytes, size_t n)
{
	message_put_varint(w, (uint64_t)field << 3 | BYTES);
	message_put_varint(w, n);
	for (size_t i = 0; i < n; i++)
		put_byte(w, ((const uint8_t *)bytes)[i]);
}

void message_put_packed(message_writer *w, uint32_t field, const int64_t *v, size_t n)
{
	message_writer inner = {0};
	for (size_t i = 0; i < n; i++)
		message_put_varint(&inner, (uint64_t)v[i]);
	message_put_bytes(w, field, inner.bytes, inner.n);
	w->failed |= inner.failed;
	message_free(&inner);
}

void message_free(message_writer *w)
{
	free(w->bytes);
	*w = (message_writer){0};
}
