/* npz.c - arrays in files. */
#include "api/frame.h"
#include "run/run.h"

#include <sys/stat.h>

tess_npz *tess_npz_open(tess_ctx *ctx, const char *path)
{
	frame f;
	tess_npz *const z = ctx && path ? npz_new(ctx, path) : NULL;
	if (!z)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = npz_read_files(z);
	if (frame_end(&f) == TESS_OK)
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

static void remove_regular(const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		remove(path);
}

tess_status tess_npz_write(tess_ctx *ctx, const char *path, const tess_tensor *tensors, size_t n)
{
	frame f;
	if (!ctx || !path || (n && !tensors))
		return TESS_USAGE;
	FILE *const file = fopen(path, "wb");
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = npz_write(ctx, file, path, tensors, n);
	const tess_status status = frame_end(&f);
	if (file)
		fclose(file);
	if (file && status != TESS_OK)
		remove_regular(path); /* remove half a file */
	return status;
}
