/* wire.c - protobuf's wire format: tags, numbers of 7 bits a byte, and bytes with their length. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

wire_reader wire_open(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	return (wire_reader){.at = at, .end = n ? at + n : at};
}

uint64_t wire_varint(wire_reader *r)
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

static void take_bytes(wire_reader *r, uint64_t n)
{
	if (r->failed || n > (uint64_t)(r->end - r->at)) {
		r->failed = true;
		return;
	}
	r->bytes = r->at;
	r->n = (size_t)n;
	r->at += n;
}

bool wire_next(wire_reader *r)
{
	if (r->failed || r->at >= r->end)
		return false;
	uint64_t tag = wire_varint(r);
	r->field = (uint32_t)(tag >> 3);
	r->bytes = NULL;
	r->n = 0;
	r->number = 0;
	switch (tag & 7) {
	case VARINT: r->number = wire_varint(r); break;
	case FIXED64: take_bytes(r, 8); break;
	case BYTES: take_bytes(r, wire_varint(r)); break;
	case FIXED32: take_bytes(r, 4); break;
	default: r->failed = true;
	}
	return !r->failed;
}

static void put_byte(wire_writer *w, uint8_t b)
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

void wire_put_varint(wire_writer *w, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		put_byte(w, (uint8_t)(v | 128));
	put_byte(w, (uint8_t)v);
}

void wire_put_number(wire_writer *w, uint32_t field, uint64_t v)
{
	wire_put_varint(w, (uint64_t)field << 3 | VARINT);
	wire_put_varint(w, v);
}

void wire_put_bytes(wire_writer *w, uint32_t field, const void *bytes, size_t n)
{
	wire_put_varint(w, (uint64_t)field << 3 | BYTES);
	wire_put_varint(w, n);
	for (size_t i = 0; i < n; i++)
		put_byte(w, ((const uint8_t *)bytes)[i]);
}

void wire_put_packed(wire_writer *w, uint32_t field, const int64_t *v, size_t n)
{
	wire_writer inner = {0};
	for (size_t i = 0; i < n; i++)
		wire_put_varint(&inner, (uint64_t)v[i]);
	wire_put_bytes(w, field, inner.bytes, inner.n);
	w->failed |= inner.failed;
	wire_free(&inner);
}

void wire_free(wire_writer *w)
{
	free(w->bytes);
	*w = (wire_writer){0};
}
