/* file.c - reads a file as one text: mapped, from standard input, or gunzipped. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef TESS_HAVE_ZLIB
#include <zlib.h>
#endif

/* Shrinks the allocation to the text, so that sanitizers detect reads past its end. */
static file_text trimmed(tess_ctx *ctx, char *p, size_t len)
{
	char *q = len ? ctx_realloc(ctx, p, len) : NULL;
	return (file_text){.text = {q ? q : p, len}, .heap = q ? q : p};
}

/* `most`: a device such as /dev/zero never ends. */
static tess_status read_all(tess_ctx *ctx, int fd, size_t most, file_text *out)
{
	size_t len = 0, cap = 1 << 16;
	char *p = ctx_realloc(ctx, NULL, cap);
	if (!p)
		return TESS_NOMEM;
	for (;;) {
		ssize_t n = read(fd, p + len, cap - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n > 0 && len + (size_t)n > most) {
			errno = EFBIG;
			n = -1;
		}
		if (n < 0) {
			ctx_realloc(ctx, p, 0);
			return TESS_IO;
		}
		if (n == 0)
			break;
		len += (size_t)n;
		if (len == cap) {
			char *q = ctx_realloc(ctx, p, cap *= 2);
			if (!q) {
				ctx_realloc(ctx, p, 0);
				return TESS_NOMEM;
			}
			p = q;
		}
	}
	*out = trimmed(ctx, p, len);
	return TESS_OK;
}

bool file_is_gzip(tess_str s)
{
	return s.len > 2 && (unsigned char)s.ptr[0] == 0x1F && (unsigned char)s.ptr[1] == 0x8B;
}

tess_status file_gunzip(tess_ctx *ctx, const char *name, tess_str text, file_text *out)
{
#ifdef TESS_HAVE_ZLIB
	z_stream z = {.next_in = (Bytef *)text.ptr, .avail_in = (uInt)text.len};
	size_t cap = text.len * 8 + 4096;
	char *p = ctx_realloc(ctx, NULL, cap);
	if (!p)
		return TESS_NOMEM;
	int status = inflateInit2(&z, 15 + 32);
	while (status == Z_OK) {
		if (z.total_out == cap) {
			char *q = ctx_realloc(ctx, p, cap *= 2);
			if (!q) {
				status = Z_MEM_ERROR;
				break;
			}
			p = q;
		}
		z.next_out = (Bytef *)p + z.total_out;
		z.avail_out = (uInt)(cap - z.total_out);
		status = inflate(&z, Z_NO_FLUSH);
	}
	size_t len = z.total_out, read = z.total_in;
	inflateEnd(&z);
	if (status != Z_STREAM_END) {
		ctx_realloc(ctx, p, 0);
		if (status == Z_MEM_ERROR)
			return TESS_NOMEM;
		diag_error(ctx, NOWHERE, E_FILE, "%s: at byte %zu: the gzip data %s", name, read,
		           status == Z_BUF_ERROR ? "ends too soon: the file was cut short"
		                                 : "is damaged");
		return TESS_IO;
	}
	*out = trimmed(ctx, p, len);
	return TESS_OK;
#else
	UNUSED(text);
	UNUSED(out);
	diag_error(ctx, NOWHERE, E_FILE, "%s: gzipped, and this build has no zlib; gunzip it first",
	           name);
	return TESS_IO;
#endif
}

tess_status file_copy(tess_ctx *ctx, tess_str text, file_text *out)
{
	char *p = ctx_realloc(ctx, NULL, text.len ? text.len : 1);
	if (!p)
		return TESS_NOMEM;
	if (text.len)
		memcpy(p, text.ptr, text.len);
	*out = (file_text){.text = {p, text.len}, .heap = p};
	return TESS_OK;
}

/* ---- memory of mapped texts ----------------------------------------------------------------- */

/* Advises about the pages in [from, to), except the one in which it ends. */
static void advise(const char *from, const char *to, int advice)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (uintptr_t)from / page * page, end = (uintptr_t)to / page * page;
	if (begin < end)
		madvise((void *)begin, end - begin, advice);
}

/* Linux caches files in units of up to 2 MB, and on a page fault maps as much of a unit as has the
 * same advice. So only the next stretch gets the advice MADV_SEQUENTIAL. */
static void read_next_from(const char *from, const char *end)
{
	bool far = end - from > 2 * SOURCE_STRETCH;
	advise(from, far ? from + 2 * SOURCE_STRETCH : end, MADV_SEQUENTIAL);
}

static file_text file_mapped(char *map, size_t len)
{
	read_next_from(map, map + len);
	return (file_text){.text = {map, len}, .map = map, .map_len = len};
}

void source_passed(const source *src, size_t from, size_t to)
{
	const char *text = src->text.ptr;
	if (!src->mapped)
		return;
	advise(text + from, text + to, MADV_DONTNEED);
	advise(text + from, text + to, MADV_NORMAL);
	read_next_from(text + to, text + src->text.len);
}

/* ---- reading a file ------------------------------------------------------------------------- */

/* A byte order mark has no meaning in UTF-8. */
static void skip_byte_order_mark(file_text *f)
{
	const size_t n = str_starts(f->text, "\xEF\xBB\xBF") ? 3 : 0;
	f->text.ptr += n;
	f->text.len -= n;
}

tess_status file_read(tess_ctx *ctx, const char *path, file_text *out)
{
	*out = (file_text){0};
	bool std = strcmp(path, "-") == 0;
	int fd = std ? 0 : open(path, O_RDONLY);
	struct stat st;
	enum { DEVICE = 1 << 24 };
	bool there = fd >= 0 && fstat(fd, &st) == 0;
	if (!there || S_ISDIR(st.st_mode)) {
		diag_error(ctx, NOWHERE, E_FILE, "%s: %s", path, there ? "is a directory" : strerror(errno));
		if (fd > 0)
			close(fd);
		return TESS_IO;
	}
	tess_status status = TESS_OK;
	void *map = MAP_FAILED;
	if (S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map != MAP_FAILED)
		*out = file_mapped(map, (size_t)st.st_size);
	else
		status = read_all(ctx, fd, S_ISCHR(st.st_mode) && !isatty(fd) ? DEVICE : SIZE_MAX,
		                  out);
	if (!std)
		close(fd);
	if (status == TESS_IO)
		diag_error(ctx, NOWHERE, E_FILE, "%s: %s", path, strerror(errno));
	if (status == TESS_OK && file_is_gzip(out->text)) {
		file_text packed = *out;
		*out = (file_text){0};
		status = file_gunzip(ctx, path, packed.text, out);
		file_close(ctx, &packed);
	}
	skip_byte_order_mark(out);
	return status;
}

void file_close(tess_ctx *ctx, file_text *f)
{
	if (f->map)
		munmap(f->map, f->map_len);
	if (f->heap)
		ctx_realloc(ctx, f->heap, 0);
	*f = (file_text){0};
}

void source_leave(tess_ctx *ctx, source *src)
{
	if (--src->n_users || !src->file.text.ptr)
		return;
	file_close(ctx, &src->file);
	src->text = (tess_str){0};
}
