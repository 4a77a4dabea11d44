/* read.c - reads .npz: a zip file of .npy files.
 *
 * The central directory at the end of the file lists the members. Each is stored or deflated, and
 * starts with a header that is a Python dictionary:
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 * (Source: numpy.lib.format.) Stored members are used in place. Every number is checked against the
 * size of the file before it is used. */
#include "run/npz/npz.h"

#include <stdlib.h>
#ifdef TESS_HAVE_ZLIB
#include <zlib.h>
#endif

/* ---- numbers --------------------------------------------------------------------- */

static uint64_t little(const char *p, int bytes)
{
	uint64_t v = 0;
	for (int i = bytes - 1; i >= 0; i--)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

bool npz_error(const tess_npz *z, const char *what)
{
	return diag_error(z->ctx, NOWHERE, E_NPZ, "%s: %s%s%s", z->path, z->member ? z->member : "",
	                  z->member ? ": " : "", what);
}

/* True if [at, at + n) is within the file. */
static bool inside(const tess_npz *z, uint64_t at, uint64_t n)
{
	return at <= z->file->text.len && n <= z->file->text.len - at;
}

/* ---- NumPy's codes of element types --------------------------------------------------- */

static const struct npy_type {
	const char *code;
	dtype type;
} npy_types[] = {
	{"f4", DT_F32}, {"f8", DT_F64}, {"f2", DT_F16}, {"b1", DT_I1},  {"i1", DT_I8},
	{"i2", DT_I16}, {"i4", DT_I32}, {"i8", DT_I64}, {"u1", DT_UI8}, {"u2", DT_UI16},
	{"u4", DT_UI32}, {"u8", DT_UI64}, {"c8", DT_C64}, {"c16", DT_C128},
};

const char *npy_code(dtype t)
{
	for (int i = 0; i < COUNT(npy_types); i++)
		if (npy_types[i].type == t)
			return npy_types[i].code;
	switch (dtype_bytes(t)) {
	case 1: return "u1";
	case 2: return "u2";
	case 4: return "u4";
	default: return "u8";
	}
}

dtype npy_dtype(tess_str code)
{
	for (int i = 0; i < COUNT(npy_types); i++)
		if (str_is(code, npy_types[i].code))
			return npy_types[i].type;
	return DT_NONE;
}

/* ---- the zip file ------------------------------------------------------------------ */

typedef struct zip_entry {
	tess_str name;
	unsigned method;
	uint64_t packed, size, local; /* local: position of its header */
} zip_entry;

/* Sizes that do not fit into 32 bits are in extra field 1, in this order. */
static void read_zip64(zip_entry *e, const char *extra, size_t n)
{
	while (n >= 4) {
		size_t len = little(extra + 2, 2);
		if (len > n - 4)
			return;
		if (little(extra, 2) == 1) {
			uint64_t *fields[] = {&e->size, &e->packed, &e->local};
			const char *at = extra + 4, *end = at + len;
			for (int i = 0; i < COUNT(fields); i++)
				if (*fields[i] == UINT32_MAX && end - at >= 8) {
					*fields[i] = little(at, 8);
					at += 8;
				}
		}
		extra += 4 + len;
		n -= 4 + len;
	}
}

/* Reads the entry at *at of the central directory and advances *at. */
static bool read_entry(const tess_npz *z, uint64_t *at, zip_entry *e)
{
	if (!inside(z, *at, ZIP_CENTRAL_SIZE))
		return false;
	const char *p = z->file->text.ptr + *at;
	if (little(p, 4) != ZIP_CENTRAL)
		return false;
	size_t name_len = little(p + 28, 2), extra = little(p + 30, 2), comment = little(p + 32, 2);
	if (!inside(z, *at + ZIP_CENTRAL_SIZE, name_len + extra + comment))
		return false;
	*e = (zip_entry){.name = {p + ZIP_CENTRAL_SIZE, name_len},
	                 .method = (unsigned)little(p + 10, 2),
	                 .packed = little(p + 20, 4),
	                 .size = little(p + 24, 4),
	                 .local = little(p + 42, 4)};
	read_zip64(e, p + ZIP_CENTRAL_SIZE + name_len, extra);
	*at += ZIP_CENTRAL_SIZE + name_len + extra + comment;
	return true;
}

/* Finds the packed bytes of an entry; returns false if they are not within the file. */
static bool entry_data(const tess_npz *z, const zip_entry *e, const char **out)
{
	if (!inside(z, e->local, ZIP_LOCAL_SIZE))
		return false;
	const char *p = z->file->text.ptr + e->local;
	uint64_t begin = e->local + ZIP_LOCAL_SIZE + little(p + 26, 2) + little(p + 28, 2);
	if (little(p, 4) != ZIP_LOCAL || !inside(z, begin, e->packed))
		return false;
	*out = z->file->text.ptr + begin;
	return true;
}

static bool inflate_entry(tess_npz *z, const zip_entry *e, const char *packed, npz_member *m,
                          tess_str *out)
{
#ifdef TESS_HAVE_ZLIB
	/* Deflate compresses at most 1032:1; do not allocate for a larger claim. */
	if (e->size / 1032 > e->packed || e->packed > UINT32_MAX || e->size > UINT32_MAX)
		return npz_error(z, "it is compressed and claims an impossible size");
	m->heap = ctx_realloc(z->ctx, NULL, e->size + 1);
	if (!m->heap)
		ctx_unwind(z->ctx);
	z_stream s = {.next_in = (Bytef *)packed, .avail_in = (uInt)e->packed, .next_out = m->heap,
	              .avail_out = (uInt)e->size};
	bool good = inflateInit2(&s, -15) == Z_OK && inflate(&s, Z_FINISH) == Z_STREAM_END &&
	            s.total_out == e->size;
	inflateEnd(&s);
	*out = (tess_str){m->heap, e->size};
	return good || npz_error(z, "its compressed data is damaged");
#else
	UNUSED(packed);
	UNUSED(m);
	UNUSED(out);
	UNUSED(e);
	return npz_error(z, "it is compressed, and this build has no zlib; use numpy.savez");
#endif
}

/* ---- one array ------------------------------------------------------------------------ */

/* Finds the text after `'key':` in a header. */
static bool header_value(tess_str header, const char *key, tess_str *out)
{
	const char *at = memmem(header.ptr, header.len, key, strlen(key));
	if (!at)
		return false;
	at += strlen(key);
	const char *end = header.ptr + header.len;
	while (at < end && (*at == '\'' || *at == ':' || *at == ' '))
		at++;
	*out = (tess_str){at, (size_t)(end - at)};
	return true;
}

static bool header_shape(tess_npz *z, tess_str s, tess_tensor *t)
{
	VEC(int64_t) dims = {0};
	size_t i = 0;
	if (!s.len || s.ptr[i++] != '(')
		return false;
	while (i < s.len && s.ptr[i] != ')') {
		int64_t v = 0;
		size_t begin = i;
		for (; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++)
			if (!mul_ok(v, 10, &v) || !add_ok(v, s.ptr[i] - '0', &v))
				return false;
		if (i == begin)
			return false;
		vec_push(&z->mem, &dims, v);
		while (i < s.len && (s.ptr[i] == ',' || s.ptr[i] == ' ' || s.ptr[i] == 'L'))
			i++;
	}
	t->dims = dims.ptr;
	t->rank = dims.len;
	return i < s.len;
}

/* Reports a header with a dtype that tensors cannot have, such as ">f4'". */
static bool no_such_type(tess_npz *z, tess_str descr)
{
	char what[160];
	const char *end = memchr(descr.ptr, '\'', descr.len);
	int n = (int)min_i64(end ? end - descr.ptr : (int64_t)descr.len, 40);
	snprintf(what, sizeof what,
	         "elements of the type '%.*s' are not supported: booleans, integers, floats and complex "
	         "numbers are, little-endian", n, descr.ptr);
	return npz_error(z, what);
}

/* Parses '<f4' or '|V2'; returns the width of an element, 0 if it is not understood. */
static int header_dtype(tess_str s, tess_tensor *t)
{
	size_t n = 0;
	while (n < s.len && s.ptr[n] != '\'')
		n++;
	if (n < 3 || !memchr("<|=", s.ptr[0], 3))
		return 0;
	tess_str code = {s.ptr + 1, n - 1};
	dtype type = npy_dtype(code);
	t->dtype = (tess_dtype)type;
	if (type != DT_NONE)
		return dtype_bytes(type);
	return code.ptr[0] == 'V' && code.len == 2 && memchr("1248", code.ptr[1], 4)
	               ? code.ptr[1] - '0'
	               : 0;
}

/* Converts column-major data to row-major. */
static bool transpose_data(tess_npz *z, npz_member *m, int width)
{
	tess_tensor *t = &m->tensor;
	size_t n = t->bytes / (size_t)width;
	char *moved = ctx_realloc(z->ctx, NULL, t->bytes + 1);
	if (!moved)
		ctx_unwind(z->ctx);
	int64_t *index = NEW_N(&z->mem, int64_t, t->rank + 1);
	for (size_t i = 0; i < n; i++) {
		size_t to = 0;
		for (int d = 0; d < t->rank; d++)
			to = to * (size_t)t->dims[d] + (size_t)index[d];
		memcpy(moved + to * (size_t)width, (const char *)t->data + i * (size_t)width,
		       (size_t)width);
		for (int d = 0; d < t->rank && ++index[d] == t->dims[d]; d++)
			index[d] = 0;
	}
	ctx_realloc(z->ctx, m->heap, 0);
	m->heap = moved;
	t->data = moved;
	return true;
}

/* Reads `text`, a whole .npy file. */
static bool read_npy(tess_npz *z, npz_member *m, tess_str text)
{
	if (text.len < 10 || memcmp(text.ptr, "\x93NUMPY", 6) != 0)
		return npz_error(z, "it is not an .npy array");
	size_t begin = text.ptr[6] == 1 ? 10 : 12;
	uint64_t len = text.len >= begin ? little(text.ptr + 8, (int)begin - 8) : 0;
	if (text.len < begin || len > text.len - begin)
		return npz_error(z, "the header of the array is cut off");
	tess_str header = {text.ptr + begin, len}, descr, order, shape;
	if (!header_value(header, "'descr'", &descr) || !header_value(header, "'shape'", &shape) ||
	    !header_value(header, "'fortran_order'", &order) || !header_shape(z, shape, &m->tensor))
		return npz_error(z, "the header of the array is malformed");
	int width = header_dtype(descr, &m->tensor);
	if (!width)
		return no_such_type(z, descr);
	int64_t bytes = width;
	for (int d = 0; d < m->tensor.rank; d++)
		if (!mul_ok(bytes, m->tensor.dims[d], &bytes))
			return npz_error(z, "the array is too large");
	if ((uint64_t)bytes > text.len - begin - len)
		return npz_error(z, "the data of the array are cut off");
	m->tensor.data = text.ptr + begin + len;
	m->tensor.bytes = (size_t)bytes;
	return !str_starts(order, "True") || transpose_data(z, m, width);
}

static bool read_member(tess_npz *z, const zip_entry *e)
{
	npz_member *m = npz_member_new(z, e->name);
	const char *packed;
	z->member = m->tensor.name;
	if (!entry_data(z, e, &packed))
		return npz_error(z, "it lies outside of the file");
	tess_str text = {packed, e->packed};
	if (e->method == 8 && !inflate_entry(z, e, packed, m, &text))
		return false;
	if (e->method != 8 && e->method != 0)
		return npz_error(z, "it is packed in an unknown way");
	if (!read_npy(z, m, text))
		return false;
	z->member = NULL;
	return true;
}

/* Finds the central directory and its number of entries. */
static bool find_directory(const tess_npz *z, uint64_t *at, uint64_t *n)
{
	tess_str text = z->file->text;
	enum { MAX_COMMENT = UINT16_MAX };
	for (size_t back = ZIP_END_SIZE; back <= text.len && back <= ZIP_END_SIZE + MAX_COMMENT;
	     back++) {
		const char *p = text.ptr + text.len - back;
		if (little(p, 4) != ZIP_END)
			continue;
		*n = little(p + 10, 2);
		*at = little(p + 16, 4);
		if (text.len - back >= ZIP64_LOCATOR_SIZE &&
		    little(p - ZIP64_LOCATOR_SIZE, 4) == ZIP64_LOCATOR) {
			uint64_t end = little(p - ZIP64_LOCATOR_SIZE + 8, 8);
			if (!inside(z, end, 56) || little(text.ptr + end, 4) != ZIP64_END)
				return false;
			*n = little(text.ptr + end + 32, 8);
			*at = little(text.ptr + end + 48, 8);
		}
		return *at <= text.len;
	}
	return false;
}

/* Explains why a file that is not .npy has no list of members. */
static const char *no_arrays(const tess_npz *z)
{
	if (!z->file->text.len)
		return "the file is empty";
	return str_starts(z->file->text, "PK")
	               ? "the list of arrays at the end of the .npz file is missing: the file was cut short"
	               : "this is neither an .npz nor an .npy file; the shape of a raw one follows its name, "
	                 "as in x.raw:f32[4,8]";
}

bool npz_read(tess_npz *z, int number)
{
	uint64_t at, n;
	zip_entry e;
	if (str_starts(z->file->text, "\x93NUMPY")) {
		char name[16];
		snprintf(name, sizeof name, "in%d", number);
		return read_npy(z, npz_member_new(z, str_of(name)), z->file->text);
	}
	if (!find_directory(z, &at, &n))
		return npz_error(z, no_arrays(z));
	for (uint64_t i = 0; i < n; i++) {
		if (!read_entry(z, &at, &e))
			return npz_error(z, "the list of members is damaged");
		if (!read_member(z, &e))
			return false;
	}
	return true;
}

npz_member *npz_member_new(tess_npz *z, tess_str name)
{
	npz_member *m = NEW(&z->mem, npz_member);
	*z->last = m;
	z->last = &m->next;
	z->n++;
	if (str_ends(name, ".npy"))
		name.len -= 4;
	m->tensor.name = arena_str(&z->mem, name).ptr;
	return m;
}
