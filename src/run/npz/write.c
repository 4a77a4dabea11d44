/* write.c - writes tensors as NumPy's .npz, uncompressed. */
#include "run/npz/npz.h"

#include <errno.h>
#include <string.h>

/* ---- numbers ---------------------------------------------------------------------- */

static void put_little(writer *w, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		put_c(w, (char)(v >> (8 * i)));
}

/* CRC-32 as in zip, four bits at a time. */
static uint32_t crc32_more(uint32_t crc, const void *data, size_t n)
{
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	const unsigned char *p = data;
	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc = crc >> 4 ^ table[(crc ^ p[i]) & 15];
		crc = crc >> 4 ^ table[(crc ^ (uint32_t)(p[i] >> 4)) & 15];
	}
	return ~crc;
}

/* ---- members -------------------------------------------------------------------------- */

typedef struct npz_written {
	tess_str name, header; /* "in0.npy"; the .npy header */
	uint32_t crc;
	uint64_t at, size; /* at: in the file; size: of header and data */
} npz_written;

typedef struct npz_writer {
	tess_ctx *ctx;
	const char *path;
	const tess_tensor *tensors;
	size_t n;
	FILE *file;
} npz_writer;

/* Pads the header so that the data starts at a multiple of 64. */
static tess_str npy_header(arena *mem, const tess_tensor *t)
{
	writer w;
	writer_init(&w, mem);
	put_mem(&w, "\x93NUMPY\x01\x00\x00\x00", 10);
	const char *code = npy_code((dtype)t->dtype);
	put_f(&w, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
	      code[1] == '1' && !code[2] ? '|' : '<', code);
	for (int d = 0; d < t->rank; d++)
		put_f(&w, "%" PRId64 ",%s", t->dims[d], d + 1 < t->rank ? " " : "");
	put_lit(&w, "), }");
	while ((w.len + 1) % 64)
		put_c(&w, ' ');
	put_c(&w, '\n');
	w.ptr[8] = (char)((w.len - 10) & 0xFF);
	w.ptr[9] = (char)((w.len - 10) >> 8);
	return writer_str(&w);
}

/* Writes the fields that the local header and the central directory share. */
static void put_entry(writer *w, const npz_written *m)
{
	put_little(w, 45, 2); /* version needed: zip64 */
	put_little(w, 0, 2);
	put_little(w, 0, 2); /* stored */
	put_little(w, 0, 2);
	put_little(w, 0x21, 2); /* 1980-01-01: the same tensors give the same file */
	put_little(w, m->crc, 4);
	put_little(w, UINT32_MAX, 4); /* sizes: see the zip64 field */
	put_little(w, UINT32_MAX, 4);
	put_little(w, m->name.len, 2);
}

static void put_local(writer *w, const npz_written *m)
{
	put_little(w, ZIP_LOCAL, 4);
	put_entry(w, m);
	put_little(w, 20, 2);
	put_str(w, m->name);
	put_little(w, 1, 2);
	put_little(w, 16, 2);
	put_little(w, m->size, 8);
	put_little(w, m->size, 8);
}

static void put_central(writer *w, const npz_written *m)
{
	put_little(w, ZIP_CENTRAL, 4);
	put_little(w, 45, 2);
	put_entry(w, m);
	put_little(w, 28, 2); /* extra field */
	put_little(w, 0, 2);
	put_little(w, 0, 2);
	put_little(w, 0, 2);
	put_little(w, 0, 4);
	put_little(w, UINT32_MAX, 4);
	put_str(w, m->name);
	put_little(w, 1, 2);
	put_little(w, 24, 2);
	put_little(w, m->size, 8);
	put_little(w, m->size, 8);
	put_little(w, m->at, 8);
}

/* Writes an archive without members as NumPy does: it consists of the end record only. */
static void put_end_of_nothing(writer *w)
{
	put_little(w, ZIP_END, 4);
	for (int i = 0; i < 9; i++)
		put_little(w, 0, 2);
}

static void put_end(writer *w, uint64_t n, uint64_t at, uint64_t size)
{
	if (!n) {
		put_end_of_nothing(w);
		return;
	}
	put_little(w, ZIP64_END, 4);
	put_little(w, 44, 8);
	put_little(w, 45, 2);
	put_little(w, 45, 2);
	put_little(w, 0, 8);
	put_little(w, n, 8);
	put_little(w, n, 8);
	put_little(w, size, 8);
	put_little(w, at, 8);
	put_little(w, ZIP64_LOCATOR, 4);
	put_little(w, 0, 4);
	put_little(w, at + size, 8);
	put_little(w, 1, 4);
	put_little(w, ZIP_END, 4);
	put_little(w, 0, 4);
	put_little(w, n < UINT16_MAX ? n : UINT16_MAX, 2);
	put_little(w, n < UINT16_MAX ? n : UINT16_MAX, 2);
	put_little(w, UINT32_MAX, 4);
	put_little(w, UINT32_MAX, 4);
	put_little(w, 0, 2);
}

static bool write_all(const npz_writer *z, const void *p, size_t n)
{
	return n == 0 || fwrite(p, 1, n, z->file) == n;
}

static bool write_npz(const npz_writer *z)
{
	arena *mem = &z->ctx->scratch;
	npz_written *members = NEW_N(mem, npz_written, z->n);
	uint64_t at = 0;
	bool good = true;
	writer w;
	for (size_t i = 0; i < z->n && good; i++) {
		const tess_tensor *t = &z->tensors[i];
		npz_written *m = &members[i];
		m->name = str_of(arena_printf(mem, "%s.npy", t->name));
		m->header = npy_header(mem, t);
		m->size = m->header.len + t->bytes;
		m->crc = crc32_more(crc32_more(0, m->header.ptr, m->header.len), t->data, t->bytes);
		m->at = at;
		writer_init(&w, mem);
		put_local(&w, m);
		good = write_all(z, w.ptr, w.len) && write_all(z, m->header.ptr, m->header.len) &&
		       write_all(z, t->data, t->bytes);
		at += w.len + m->size;
	}
	writer_init(&w, mem);
	for (size_t i = 0; i < z->n; i++)
		put_central(&w, &members[i]);
	put_end(&w, z->n, at, w.len);
	return good && write_all(z, w.ptr, w.len) && fflush(z->file) == 0;
}

/* Writes a single array as .npy, not in an archive. */
static bool write_npy(const npz_writer *z)
{
	tess_str header = npy_header(&z->ctx->scratch, z->tensors);
	return write_all(z, header.ptr, header.len) &&
	       write_all(z, z->tensors->data, z->tensors->bytes) && fflush(z->file) == 0;
}

tess_status npz_write(tess_ctx *ctx, FILE *file, const char *path, const tess_tensor *tensors,
                      size_t n)
{
	const npz_writer z = {.ctx = ctx, .path = path, .tensors = tensors, .n = n, .file = file};
	bool alone = str_ends(str_of(path), ".npy");
	if (file && alone && n != 1) {
		diag_error(ctx, NOWHERE, E_FILE, "%s: an .npy file holds one array, not %zu", path,
		           n);
		return TESS_IO;
	}
	if (file && (alone ? write_npy(&z) : write_npz(&z)))
		return TESS_OK;
	diag_error(ctx, NOWHERE, E_FILE, "%s: %s", path, strerror(errno));
	return TESS_IO;
}
