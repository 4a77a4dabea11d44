/* wire.c - the wire format of protocol buffers. */
#include "hlo/proto/wire.h"

/* ---- reading --------------------------------------------------------------------- */

bool proto_fail(proto_reader *p, const char *at, const char *fmt, ...)
{
	char text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!p->r.s.failed)
		diag_error(p->r.ctx, NOWHERE, E_HLO_PROTO, "%s: byte %zu: %s", p->name,
		           (size_t)(at - p->begin), text);
	scan_stop(&p->r.s);
	return false;
}

/* Returns false if the bytes end too early, or if it has more than 64 bits. */
static bool read_varint(const char **at, const char *end, uint64_t *out)
{
	*out = 0;
	for (int shift = 0; shift < 64 && *at < end; shift += 7) {
		unsigned char c = (unsigned char)*(*at)++;
		*out |= (uint64_t)(c & 127) << shift;
		if (c < 128)
			return shift < 63 || c <= 1;
	}
	return false;
}

static bool read_fixed(const char **at, const char *end, size_t n, uint64_t *out)
{
	*out = 0;
	if ((size_t)(end - *at) < n)
		return false;
	memcpy(out, *at, n); /* little endian */
	*at += n;
	return true;
}

/* Returns NULL if the field was read; else what is wrong with it. */
static const char *read_wire_field(const char **at, const char *end, wire_field *f)
{
	uint64_t key, n;
	tess_str none = {*at, 0};
	if (!read_varint(at, end, &key))
		return "the number of a field is cut off";
	*f = (wire_field){.number = (uint32_t)(key >> 3), .type = (int)(key & 7), .bytes = none};
	if (!f->number || key >> 32)
		return "no field has this number";
	switch (f->type) {
	case WIRE_VARINT: return read_varint(at, end, &f->value) ? NULL : "a number is cut off";
	case WIRE_FIXED64: return read_fixed(at, end, 8, &f->value) ? NULL : "8 bytes are cut off";
	case WIRE_FIXED32: return read_fixed(at, end, 4, &f->value) ? NULL : "4 bytes are cut off";
	case WIRE_BYTES:
		if (!read_varint(at, end, &n) || n > (size_t)(end - *at))
			return "a field is longer than the message that it is in";
		f->bytes = (tess_str){*at, (size_t)n};
		*at += n;
		return NULL;
	default: return "a field of a type that protocol buffers do not have";
	}
}

bool wire_parses(arena *mem, tess_str bytes, wire_message *m, const char **wrong)
{
	VEC(wire_field) v = {0};
	const char *at = bytes.len ? bytes.ptr : "", *end = at + bytes.len, *why = NULL;
	while (at < end && !why) {
		wire_field f;
		const char *from = at;
		if ((why = read_wire_field(&at, end, &f)))
			at = from;
		else if (m)
			vec_push(mem, &v, f);
	}
	if (wrong)
		*wrong = why ? at : NULL;
	if (m)
		*m = why ? (wire_message){0} : (wire_message){v.ptr, v.len};
	return !why;
}

wire_message wire_read(proto_reader *p, tess_str bytes)
{
	wire_message m = {0};
	wire_field f;
	const char *wrong;
	if (!p->r.s.failed && !wire_parses(p->mem, bytes, &m, &wrong)) {
		const char *at = wrong;
		proto_fail(p, wrong, "%s", read_wire_field(&at, bytes.ptr + bytes.len, &f));
	}
	return m;
}

const wire_field *wire_next(const wire_message *m, uint32_t number, const wire_field *at)
{
	for (int i = at ? (int)(at - m->fields) + 1 : 0; i < m->n; i++)
		if (m->fields[i].number == number)
			return &m->fields[i];
	return NULL;
}

const wire_field *wire_find(const wire_message *m, uint32_t number)
{
	for (int i = m->n; i-- > 0;)
		if (m->fields[i].number == number)
			return &m->fields[i];
	return NULL;
}

int64_t wire_int(const wire_message *m, uint32_t number)
{
	const wire_field *f = wire_find(m, number);
	return f && f->type == WIRE_VARINT ? (int64_t)f->value : 0;
}

tess_str wire_bytes(const wire_message *m, uint32_t number)
{
	const wire_field *f = wire_find(m, number);
	return f && f->type == WIRE_BYTES ? f->bytes : (tess_str){"", 0};
}

wire_message wire_sub(proto_reader *p, const wire_message *m, uint32_t number)
{
	const wire_field *first = wire_next(m, number, NULL);
	if (!first || first->type != WIRE_BYTES)
		return (wire_message){0};
	wire_message out = wire_read(p, first->bytes);
	if (!wire_next(m, number, first))
		return out;
	VEC(wire_field) all = {0};
	for (const wire_field *f = first; f; f = wire_next(m, number, f)) {
		wire_message more = wire_read(p, f->bytes);
		for (int i = 0; i < more.n; i++)
			vec_push(p->mem, &all, more.fields[i]);
	}
	return (wire_message){all.ptr, all.len};
}

int wire_ints(proto_reader *p, const wire_message *m, uint32_t number, int64_t **out)
{
	VEC(int64_t) v = {0};
	for (const wire_field *f = NULL; (f = wire_next(m, number, f));) {
		const char *at = f->bytes.ptr, *end = at + f->bytes.len;
		uint64_t x;
		if (f->type == WIRE_VARINT)
			vec_push(p->mem, &v, (int64_t)f->value);
		while (f->type == WIRE_BYTES && at < end && !p->r.s.failed) {
			const char *from = at;
			if (read_varint(&at, end, &x))
				vec_push(p->mem, &v, (int64_t)x);
			else
				proto_fail(p, from, "a list of numbers is cut off");
		}
	}
	*out = v.ptr;
	return v.len;
}

/* ---- writing --------------------------------------------------------------------- */

void wire_put_varint(writer *w, uint64_t v)
{
	for (; v > 127; v >>= 7)
		put_c(w, (char)(v | 128));
	put_c(w, (char)v);
}

static void put_key(writer *w, uint32_t number, int type)
{
	wire_put_varint(w, (uint64_t)number << 3 | (uint64_t)type);
}

void wire_put_int_anyhow(writer *w, uint32_t number, int64_t v)
{
	put_key(w, number, WIRE_VARINT);
	wire_put_varint(w, (uint64_t)v);
}

void wire_put_int(writer *w, uint32_t number, int64_t v)
{
	if (v)
		wire_put_int_anyhow(w, number, v);
}

void wire_put_float(writer *w, uint32_t number, float v)
{
	put_key(w, number, WIRE_FIXED32);
	put_mem(w, &v, sizeof v); /* little endian */
}

void wire_put_double(writer *w, uint32_t number, double v)
{
	put_key(w, number, WIRE_FIXED64);
	put_mem(w, &v, sizeof v);
}

void wire_put_bytes(writer *w, uint32_t number, tess_str s)
{
	put_key(w, number, WIRE_BYTES);
	wire_put_varint(w, s.len);
	put_mem(w, s.ptr, s.len);
}

void wire_put_str(writer *w, uint32_t number, tess_str s)
{
	if (s.len)
		wire_put_bytes(w, number, s);
}

static size_t varint_size(uint64_t v)
{
	size_t n = 1;
	for (; v > 127; v >>= 7)
		n++;
	return n;
}

void wire_put_ints(writer *w, uint32_t number, const int64_t *v, int64_t n)
{
	size_t size = 0;
	for (int64_t i = 0; i < n; i++)
		size += varint_size((uint64_t)v[i]);
	if (!n)
		return;
	put_key(w, number, WIRE_BYTES);
	wire_put_varint(w, size);
	for (int64_t i = 0; i < n; i++)
		wire_put_varint(w, (uint64_t)v[i]);
}
