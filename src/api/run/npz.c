/* npz.c - arrays of files. */
#include "api/frame.h"
#include "run/run.h"

#include <sys/stat.h>

static tess_status open_npz_body(tess_ctx *ctx, void *arg)
{
	UNUSED(ctx);
	return npz_read_files(arg);
}

tess_npz *tess_npz_open(tess_ctx *ctx, const char *path)
{
	tess_npz *z = ctx && path ? npz_new(ctx, path) : NULL;
	if (!z || frame_run(ctx, open_npz_body, z) == TESS_OK)
		return z;
	npz_free(z);
	return NULL;
}

void tess_npz_free(tess_npz *z) { npz_free(z); }

size_t tess_npz_count(const tess_npz *z) { return z ? (size_t)z->n : 0; }

bool tess_npz_get(const tess_npz *z, size_t i, tess_tensor *out)
{
	const npz_member *m = z && out ? z->first : NULL;
	while (m && i--)
		m = m->next;
	if (m)
		*out = m->tensor;
	return m != NULL;
}

bool tess_npz_find(const tess_npz *z, const char *name, tess_tensor *out)
{
	for (const npz_member *m = z && name && out ? z->first : NULL; m; m = m->next)
		if (strcmp(m->tensor.name, name) == 0) {
			*out = m->tensor;
			return true;
		}
	return false;
}

/* ---- writing --------------------------------------------------------------------------- */

typedef struct write_npz_call {
	FILE *file;
	const char *path;
	const tess_tensor *tensors;
	size_t n;
} write_npz_call;

static tess_status write_npz_body(tess_ctx *ctx, void *arg)
{
	const write_npz_call *c = arg;
	return npz_write(ctx, c->file, c->path, c->tensors, c->n);
}

static void remove_regular(const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		remove(path);
}

tess_status tess_npz_write(tess_ctx *ctx, const char *path, const tess_tensor *tensors, size_t n)
{
	if (!ctx || !path || (n && !tensors))
		return TESS_USAGE;
	write_npz_call c = {fopen(path, "wb"), path, tensors, n};
	tess_status status = frame_run(ctx, write_npz_body, &c);
	if (!c.file)
		return status;
	fclose(c.file);
	if (status != TESS_OK)
		remove_regular(path); /* half a file helps nobody */
	return status;
}
