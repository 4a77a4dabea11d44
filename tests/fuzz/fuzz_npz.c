/* fuzz_npz.c - any bytes as an .npz or .npy file, or as raw elements of a given shape.
 *
 * The input's first line is what follows the file name: "" for a self-describing file,
 * "f32[2,3]{0,1}" for raw bytes of this shape. The rest is the file. Accepted input has as many
 * bytes as its shape requires, all of them readable, and can be written and read again. */
#include "fuzz.h"

#include <fcntl.h>
#include <string.h>
#include <tessera/tensor.h>
#include <unistd.h>

enum { PIPE_HOLDS = 65536 }; /* capacity of a pipe */

/* Reads through a pipe, so that there is no page of a file after the last byte. */
static tess_npz *open_bytes(tess_ctx *ctx, const uint8_t *data, size_t size, const char *shape)
{
	int ends[2];
	char path[600];
	MUST(pipe(ends) == 0);
	MUST(write(ends[1], data, size) == (ssize_t)size);
	close(ends[1]);
	snprintf(path, sizeof path, "/dev/fd/%d%s%s", ends[0], *shape ? ":" : "", shape);
	tess_npz *z = tess_npz_open(ctx, path);
	close(ends[0]);
	return z;
}

static void check_tensor(const tess_tensor *t)
{
	size_t bytes = (size_t)tess_dtype_bytes(t->dtype);
	MUST(t->name && t->rank >= 0);
	for (int i = 0; i < t->rank; i++)
		bytes *= (size_t)t->dims[i];
	MUST(t->dtype == TESS_NO_DTYPE || bytes == t->bytes);
	for (size_t i = 0; i < t->bytes; i++)
		(void)((const volatile char *)t->data)[i];
}

static void survives_writing(tess_ctx *ctx, const tess_tensor *t)
{
	char path[] = "/tmp/fuzz_npz_XXXXXX.npy";
	tess_tensor again;
	int file = mkstemps(path, 4);
	MUST(file >= 0);
	MUST(tess_npz_write(ctx, path, t, 1) == TESS_OK);
	tess_npz *z = tess_npz_open(ctx, path);
	MUST(z && tess_npz_count(z) == 1 && tess_npz_get(z, 0, &again));
	MUST(again.rank == t->rank && again.bytes == t->bytes);
	MUST(!t->rank || !memcmp(again.dims, t->dims, (size_t)t->rank * sizeof *t->dims));
	MUST(!t->bytes || !memcmp(again.data, t->data, t->bytes));
	tess_npz_free(z);
	close(file);
	unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char shape[512];
	const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
	size_t n = line ? (size_t)(line - data) : 0;
	if (!line || n >= sizeof shape || size - n - 1 > PIPE_HOLDS || memchr(data, 0, n))
		return 0;
	memcpy(shape, data, n);
	shape[n] = 0;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_npz *z = open_bytes(ctx, line + 1, size - n - 1, shape);
	MUST(z || tess_diag_errors(ctx) > 0);
	for (size_t i = 0; z && i < tess_npz_count(z); i++) {
		tess_tensor t;
		MUST(tess_npz_get(z, i, &t));
		check_tensor(&t);
		if (i == 0 && t.dtype != TESS_NO_DTYPE)
			survives_writing(ctx, &t);
	}
	tess_npz_free(z);
	tess_ctx_free(ctx);
	return 0;
}
