/* data.c - reads and writes shapes, layouts and the elements of constants in protos. */
#include "hlo/proto/proto.h"

/* ---- element types ---------------------------------------------------------------- */

enum { PRIMITIVE_TUPLE = 13, PRIMITIVE_OPAQUE = 14, PRIMITIVE_TOKEN = 17, PRIMITIVE_BUFFER = 34 };

static dtype dtype_of_primitive(int64_t primitive)
{
	return primitive < 0 ? DT_NONE : dtype_numbered(NUMBER_XLA, (uint64_t)primitive);
}

/* How a LiteralProto stores elements. */
typedef enum element_form { FORM_VARINTS, FORM_FIXED, FORM_BYTES, FORM_SMALL } element_form;

static element_form form_of(dtype t)
{
	int bits = dtype_bits(t);
	if (t == DT_I1 || (dtype_is_int(t) && bits >= 32))
		return FORM_VARINTS;
	return bits < 8 ? FORM_SMALL : bits < 32 ? FORM_BYTES : FORM_FIXED;
}

/* ---- reading shapes ---------------------------------------------------------------- */

static const char *where(const proto_reader *p, const wire_message *m)
{
	return m->n && m->fields[0].bytes.ptr ? m->fields[0].bytes.ptr : p->begin;
}

static void read_tiles(proto_reader *p, const wire_message *m, layout *l)
{
	VEC(tile) tiles = {0};
	for (const wire_field *f = NULL; (f = wire_next(m, 6, f));) {
		wire_message t = wire_read(p, f->bytes);
		int64_t *dims;
		int n = wire_ints(p, &t, 1, &dims);
		vec_push(p->mem, &tiles, ((tile){.rank = n, .dims = dims}));
	}
	l->tiles = tiles.ptr;
	l->n_tiles = tiles.len;
}

static void read_splits(proto_reader *p, const wire_message *m, layout *l)
{
	VEC(dim_split) splits = {0};
	for (const wire_field *f = NULL; (f = wire_next(m, 17, f));) {
		wire_message s = wire_read(p, f->bytes);
		int64_t *at;
		int n = wire_ints(p, &s, 2, &at);
		int64_t dim = wire_int(&s, 1);
		dim_split split = {
			.dim = (int)min_i64(max_i64(dim, -1), INT32_MAX), .n = n, .at = at};
		vec_push(p->mem, &splits, split);
	}
	l->splits = splits.ptr;
	l->n_splits = splits.len;
}

static const layout *read_layout(proto_reader *p, tess_str bytes)
{
	int order[SHAPE_MAX_RANK];
	int64_t *wide;
	wire_message m = wire_read(p, bytes);
	layout l = {.minor_to_major = order,
	            .rank = wire_ints(p, &m, 1, &wide),
	            .tail = max_i64(wire_int(&m, 16), 1),
	            .element_bits = wire_int(&m, 7),
	            .memory_space = wire_int(&m, 8),
	            .metadata = wire_int(&m, 15),
	            .index_type = dtype_of_primitive(wire_int(&m, 11)),
	            .pointer_type = dtype_of_primitive(wire_int(&m, 12))};
	if (l.rank > SHAPE_MAX_RANK || wire_find(&m, 10)) {
		proto_fail(p, bytes.ptr,
		           "the layout has more than %d dimensions, or is that of a sparse array",
		           SHAPE_MAX_RANK);
		return NULL;
	}
	for (int i = 0; i < l.rank; i++)
		order[i] = (int)min_i64(max_i64(wide[i], -1), SHAPE_MAX_RANK);
	read_tiles(p, &m, &l);
	read_splits(p, &m, &l);
	if (p->r.s.failed || l.n_tiles > LAYOUT_MAX_TILES ||
	    !layout_verify(p->r.ctx, &l, NOWHERE)) {
		proto_fail(p, bytes.ptr, "the layout is invalid");
		scan_stop(&p->r.s);
		return NULL;
	}
	return layout_of(p->r.ctx, &l);
}

static const shape *read_array_shape(proto_reader *p, const wire_message *m, dtype t)
{
	bool dynamic[SHAPE_MAX_RANK] = {0};
	int64_t *dims, *flags;
	const wire_field *l = wire_find(m, 5);
	shape a = {.dtype = t, .rank = wire_ints(p, m, 3, &dims), .dynamic = dynamic};
	int n_flags = wire_ints(p, m, 6, &flags);
	a.dims = dims;
	if (a.rank > SHAPE_MAX_RANK) {
		proto_fail(p, where(p, m), "the array has more than %d dimensions", SHAPE_MAX_RANK);
		return NULL;
	}
	for (int i = 0; i < a.rank && i < n_flags; i++)
		dynamic[i] = flags[i] != 0;
	a.layout = l && a.rank ? read_layout(p, l->bytes) : layout_default(p->r.ctx, a.rank);
	if (!a.layout)
		return NULL;
	if (p->r.s.failed || !shape_verify(p->r.ctx, &a, NOWHERE)) {
		proto_fail(p, where(p, m), "the shape is invalid");
		return NULL;
	}
	return shape_of(p->r.ctx, &a);
}

static const shape *read_shape_parts(proto_reader *p, const wire_message *m, bool buffer)
{
	VEC(const shape *) parts = {0};
	if (p->r.depth >= (int)p->r.ctx->opts.max_depth) {
		proto_fail(p, where(p, m), "shapes are nested too deeply");
		return NULL;
	}
	p->r.depth++;
	for (const wire_field *f = NULL; (f = wire_next(m, 4, f)) && !p->r.s.failed;) {
		wire_message part = wire_read(p, f->bytes);
		vec_push(p->mem, &parts, proto_shape(p, &part));
	}
	p->r.depth--;
	if (p->r.s.failed)
		return NULL;
	if (buffer && (parts.len != 1 || parts.ptr[0]->kind != SH_ARRAY)) {
		proto_fail(p, where(p, m), "a buffer holds one array");
		return NULL;
	}
	return buffer ? shape_buffer(p->r.ctx, parts.ptr[0])
	              : shape_tuple(p->r.ctx, parts.ptr, parts.len);
}

const shape *proto_shape(proto_reader *p, const wire_message *m)
{
	int64_t primitive = wire_int(m, 2);
	dtype t = dtype_of_primitive(primitive);
	if (p->r.s.failed)
		return NULL;
	if (t)
		return read_array_shape(p, m, t);
	switch (primitive) {
	case PRIMITIVE_TUPLE:
	case PRIMITIVE_BUFFER: return read_shape_parts(p, m, primitive == PRIMITIVE_BUFFER);
	case PRIMITIVE_TOKEN: return shape_simple(p->r.ctx, SH_TOKEN);
	case PRIMITIVE_OPAQUE: return shape_simple(p->r.ctx, SH_OPAQUE);
	default:
		proto_fail(p, where(p, m), "no element type has the number %" PRId64, primitive);
		return NULL;
	}
}

/* ---- writing shapes ----------------------------------------------------------------- */

static void put_proto_layout(writer *w, const layout *l)
{
	writer part;
	int64_t order[SHAPE_MAX_RANK];
	for (int i = 0; i < l->rank; i++)
		order[i] = l->minor_to_major[i];
	wire_put_ints(w, 1, order, l->rank);
	for (int i = 0; i < l->n_tiles; i++) {
		writer_init(&part, w->mem);
		wire_put_ints(&part, 1, l->tiles[i].dims, l->tiles[i].rank);
		wire_put_bytes(w, 6, writer_str(&part));
	}
	wire_put_int(w, 7, l->element_bits);
	wire_put_int(w, 8, l->memory_space);
	if (l->index_type)
		wire_put_int(w, 11, dtype_number(l->index_type, NUMBER_XLA));
	if (l->pointer_type)
		wire_put_int(w, 12, dtype_number(l->pointer_type, NUMBER_XLA));
	wire_put_int(w, 15, l->metadata);
	wire_put_int(w, 16, l->tail);
	for (int i = 0; i < l->n_splits; i++) {
		writer_init(&part, w->mem);
		wire_put_int(&part, 1, l->splits[i].dim);
		wire_put_ints(&part, 2, l->splits[i].at, l->splits[i].n);
		wire_put_bytes(w, 17, writer_str(&part));
	}
}

static void put_array_shape(writer *w, const shape *s)
{
	writer part;
	int64_t flags[SHAPE_MAX_RANK];
	for (int i = 0; i < s->rank; i++)
		flags[i] = s->dynamic && s->dynamic[i];
	wire_put_int(w, 2, dtype_number(s->dtype, NUMBER_XLA));
	wire_put_ints(w, 3, s->dims, s->rank);
	wire_put_ints(w, 6, flags, s->rank);
	writer_init(&part, w->mem);
	put_proto_layout(&part, s->layout);
	wire_put_bytes(w, 5, writer_str(&part));
}

static void put_proto_shape(writer *w, const shape *s)
{
	switch (s->kind) {
	case SH_ARRAY: put_array_shape(w, s); return;
	case SH_TOKEN: wire_put_int(w, 2, PRIMITIVE_TOKEN); return;
	case SH_OPAQUE: wire_put_int(w, 2, PRIMITIVE_OPAQUE); return;
	case SH_TUPLE:
	case SH_BUFFER:
		wire_put_int(w, 2, s->kind == SH_TUPLE ? PRIMITIVE_TUPLE : PRIMITIVE_BUFFER);
		for (int i = 0; i < s->n_parts; i++) {
			writer part;
			writer_init(&part, w->mem);
			put_proto_shape(&part, s->parts[i]);
			wire_put_bytes(w, 4, writer_str(&part));
		}
	}
}

void put_proto_shape_field(proto_writer *p, writer *w, uint32_t number, const shape *s)
{
	writer part = proto_part(p);
	put_proto_shape(&part, s);
	wire_put_bytes(w, number, writer_str(&part));
}

/* ---- reading elements ---------------------------------------------------------------- */

/* Reads integers, a varint each. */
static bool read_varints(proto_reader *p, const wire_message *m, uint32_t field, size_t each,
                         int64_t n, char *out)
{
	int64_t *v;
	if (wire_ints(p, m, field, &v) != n)
		return false;
	for (int64_t i = 0; i < n; i++) {
		int64_t x = each == 1 ? v[i] != 0 : v[i]; /* the only 1-byte elements stored this
		                                           * way are booleans */
		memcpy(out + (size_t)i * each, &x, each); /* little endian */
	}
	return true;
}

/* Reads floats, packed or one by one; or strings of bytes. */
static bool read_plain(const wire_message *m, uint32_t field, size_t bytes, char *out)
{
	size_t at = 0;
	for (const wire_field *f = NULL; (f = wire_next(m, field, f));) {
		size_t n = f->type == WIRE_FIXED32 ? 4 : f->type == WIRE_FIXED64 ? 8 : f->bytes.len;
		if (f->type == WIRE_VARINT || n > bytes - at)
			return false;
		memcpy(out + at, f->type == WIRE_BYTES ? f->bytes.ptr : (const char *)&f->value, n);
		at += n;
	}
	return at == bytes;
}

/* Elements narrower than a byte are stored one per byte, in the low bits; older XLA packs them, the
 * first in the lowest bits. */
static bool read_small(const wire_message *m, uint32_t field, dtype t, int64_t n, char *out)
{
	tess_str s = wire_bytes(m, field);
	int bits = dtype_bits(t), each = (int64_t)s.len == n ? 1 : 8 / bits;
	bool negative = dtype_class_of(t) == DC_SINT;
	if ((int64_t)s.len != (n + each - 1) / each)
		return false;
	for (int64_t i = 0; i < n; i++) {
		unsigned v = (unsigned char)s.ptr[i / each] >> (i % each * bits) &
		             ((1u << bits) - 1);
		bool sign = negative && v >> (bits - 1) & 1;
		out[i] = (char)(sign ? v | ~((1u << bits) - 1) : v);
	}
	return true;
}

static bool read_elements(proto_reader *p, const wire_message *m, const shape *s, int64_t n,
                          char *out)
{
	uint32_t field = (uint32_t)dtype_number(s->dtype, NUMBER_LITERAL);
	size_t each = (size_t)dtype_bytes(s->dtype);
	switch (form_of(s->dtype)) {
	case FORM_VARINTS: return read_varints(p, m, field, each, n, out);
	case FORM_FIXED:
	case FORM_BYTES: return read_plain(m, field, (size_t)n * each, out);
	case FORM_SMALL: return read_small(m, field, s->dtype, n, out);
	}
	return false;
}

/* Counts the bytes in a message: an array of elements cannot be much larger. */
static size_t field_bytes(const wire_message *m)
{
	size_t n = 0;
	for (int i = 0; i < m->n; i++)
		n += m->fields[i].type == WIRE_BYTES ? m->fields[i].bytes.len : 8;
	return n;
}

static const attr *read_array_elements(proto_reader *p, const wire_message *m, const shape *s)
{
	int64_t n, bytes;
	size_t each = (size_t)dtype_bytes(s->dtype);
	if (!shape_elements(s, &n) || !mul_ok(n, (int64_t)each, &bytes) ||
	    (size_t)n > 8 * field_bytes(m)) {
		proto_fail(p, where(p, m), "the constant has fewer elements than its shape");
		return NULL;
	}
	char *data = arena_alloc(p->mem, (size_t)bytes + 16), *plain = data;
	if (!read_elements(p, m, s, n, data)) {
		proto_fail(p, where(p, m), "the elements of the constant do not fit its shape");
		return NULL;
	}
	if (!layout_is_default(s->layout)) {
		const shape *to = shape_with_layout(p->r.ctx, s, NULL);
		const layout *host = layout_dense(p->r.ctx, s->layout->minor_to_major, s->rank);
		plain = arena_alloc(p->mem, (size_t)bytes + 16);
		relayout(shape_with_layout(p->r.ctx, s, host), data, to, plain);
	}
	bool splat = n > 0 && memcmp(plain, plain + each, (size_t)bytes - each) == 0;
	return attr_dense(p->r.ctx, type_tensor(p->r.ctx, s->dtype, s->dims, s->rank), plain,
	                  splat ? each : (size_t)bytes, splat);
}

const attr *proto_literal(proto_reader *p, const wire_message *m, const shape *s)
{
	if (s->kind == SH_ARRAY && !shape_is_dynamic(s)) {
		wire_message own = wire_sub(p, m, 1);
		const shape *stored = wire_find(m, 1) ? proto_shape(p, &own) : s;
		if (stored && !shape_same(stored, s, SHAPE_IGNORE_LAYOUT | SHAPE_IGNORE_DYNAMIC))
			proto_fail(p, where(p, m),
			           "the shape of the constant is not that of its instruction");
		return p->r.s.failed ? NULL : read_array_elements(p, m, stored);
	}
	if (s->kind != SH_TUPLE) {
		proto_fail(p, where(p, m), "a constant is an array or a tuple of arrays");
		return NULL;
	}
	const attr **parts = NEW_N(p->mem, const attr *, s->n_parts + 1);
	int n = 0;
	for (const wire_field *f = NULL; n < s->n_parts && (f = wire_next(m, 10, f));) {
		wire_message part = wire_read(p, f->bytes);
		parts[n] = proto_literal(p, &part, s->parts[n]);
		if (!parts[n++])
			return NULL;
	}
	if (n < s->n_parts)
		proto_fail(p, where(p, m), "the constant has fewer parts than its shape");
	return p->r.s.failed ? NULL : attr_array(p->r.ctx, parts, n);
}

/* ---- writing elements ------------------------------------------------------------------ */

static void put_varints(writer *w, uint32_t field, const char *data, size_t each, int64_t n,
                        bool negative)
{
	writer part;
	writer_init(&part, w->mem);
	for (int64_t i = 0; i < n; i++) {
		uint64_t v = 0;
		memcpy(&v, data + (size_t)i * each, each);
		if (negative && each < 8 && v >> (8 * each - 1) & 1)
			v |= ~(((uint64_t)1 << (8 * each)) - 1);
		wire_put_varint(&part, v);
	}
	if (n)
		wire_put_bytes(w, field, writer_str(&part));
}

static void put_small(writer *w, uint32_t field, const char *data, int bits, int64_t n)
{
	writer part;
	writer_init(&part, w->mem);
	for (int64_t i = 0; i < n; i++)
		put_c(&part, (char)((unsigned char)data[i] & ((1u << bits) - 1)));
	wire_put_str(w, field, writer_str(&part));
}

static void put_tuple_elements(tess_ctx *ctx, writer *w, const attr *a, const shape *s, bool *ok)
{
	for (int i = 0; i < a->n && *ok; i++) {
		writer part;
		writer_init(&part, w->mem);
		*ok = put_proto_literal(ctx, &part, a->list[i], s->parts[i]);
		wire_put_bytes(w, 10, writer_str(&part));
	}
}

/* Returns all elements, in the order of a layout; a splat is expanded. */
static const char *proto_elements_of(tess_ctx *ctx, const attr *a, const shape *host, int64_t n)
{
	size_t each = (size_t)dtype_bytes(host->dtype);
	char *data = arena_alloc(&ctx->scratch, (size_t)n * each + 16), *laid_out = data;
	for (int64_t i = 0; i < n; i++)
		memcpy(data + (size_t)i * each,
		       (const char *)a->data + (a->splat ? 0 : (size_t)i * each), each);
	if (!a->splat && !layout_is_default(host->layout)) {
		laid_out = arena_alloc(&ctx->scratch, (size_t)n * each + 16);
		relayout(shape_with_layout(ctx, host, NULL), data, host, laid_out);
	}
	return laid_out;
}

static void put_field_elements(writer *w, const char *data, dtype t, int64_t n)
{
	uint32_t field = (uint32_t)dtype_number(t, NUMBER_LITERAL);
	size_t each = (size_t)dtype_bytes(t);
	switch (form_of(t)) {
	case FORM_VARINTS:
		put_varints(w, field, data, each, n, dtype_class_of(t) == DC_SINT);
		return;
	case FORM_FIXED:
	case FORM_BYTES: wire_put_str(w, field, (tess_str){data, (size_t)n * each}); return;
	case FORM_SMALL: put_small(w, field, data, dtype_bits(t), n); return;
	}
}

/* XLA expects the order of dimensions that the instruction has; literals have no tiles. */
static const shape *host_shape(tess_ctx *ctx, const shape *s)
{
	return s->kind != SH_ARRAY ? s
	                           : shape_with_layout(ctx, s,
	                                               layout_dense(ctx, s->layout->minor_to_major,
	                                                            s->rank));
}

bool put_proto_literal(tess_ctx *ctx, writer *w, const attr *a, const shape *s)
{
	writer part;
	int64_t n;
	bool ok = true;
	const shape *host = host_shape(ctx, s);
	writer_init(&part, w->mem);
	put_proto_shape(&part, host);
	wire_put_bytes(w, 1, writer_str(&part));
	if (a->kind == AT_ARRAY && s->kind == SH_TUPLE && a->n == s->n_parts) {
		put_tuple_elements(ctx, w, a, s, &ok);
		return ok;
	}
	if (a->kind != AT_DENSE || s->kind != SH_ARRAY || !shape_elements(s, &n))
		return false;
	put_field_elements(w, proto_elements_of(ctx, a, host, n), s->dtype, n);
	return true;
}
