/* npz.h - the arrays of .npz, .npy and raw files, read and written. */
#ifndef TESS_RUN_NPZ_H
#define TESS_RUN_NPZ_H

#include "shape/shape.h"
#include <tessera/tensor.h>

/* Sizes and marks of the zip format (PKWARE's APPNOTE, 4.3). */
enum {
	ZIP_LOCAL = 0x04034b50,
	ZIP_CENTRAL = 0x02014b50,
	ZIP_END = 0x06054b50,
	ZIP64_END = 0x06064b50,
	ZIP64_LOCATOR = 0x07064b50,
	ZIP_LOCAL_SIZE = 30,
	ZIP_CENTRAL_SIZE = 46,
	ZIP_END_SIZE = 22,
	ZIP64_LOCATOR_SIZE = 20,
};

typedef struct npz_member {
	tess_tensor tensor;
	void *heap; /* inflated, or moved into row-major order */
	struct npz_member *next;
} npz_member;

typedef struct npz_file {
	file_text file;
	struct npz_file *next;
} npz_file;

struct tess_npz {
	tess_ctx *ctx;
	const char *list;      /* as it was given */
	const char *path;      /* the file that is being read */
	const char *member;    /* its array that is being read; NULL: none of an .npz file */
	const file_text *file; /* the same */
	npz_file *files;
	arena mem;
	int n;
	npz_member *first, **last;
};

/* @return what holds no arrays yet, to release with npz_free(); NULL: there is no memory. */
tess_npz *npz_new(tess_ctx *ctx, const char *list);
/* Reads the files of the list.  @return TESS_OK; or the error is in the context. */
tess_status npz_read_files(tess_npz *z);
void npz_free(tess_npz *z);
/* Writes the arrays to `file`, which is NULL if `path` could not be opened.
 * @return TESS_OK, or TESS_IO with a diagnostic. */
tess_status npz_write(tess_ctx *ctx, FILE *file, const char *path, const tess_tensor *tensors,
                      size_t n);

/* ---- open.c, read.c ---- */

/* @return false. */
bool npz_error(const tess_npz *z, const char *what);
npz_member *npz_member_new(tess_npz *z, tess_str name);
/* The arrays of z->file, .npz or .npy; that of an .npy file is in<number>. */
bool npz_read(tess_npz *z, int number);

/* NumPy's spelling of a type, without the byte order: "f4", "b1"; those that NumPy
 * does not know become unsigned integers. */
const char *npy_code(dtype t);
dtype npy_dtype(tess_str code); /* DT_NONE if it has no counterpart */

#endif
