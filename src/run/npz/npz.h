/* npz.h - reads and writes the arrays of .npz, .npy and raw files. */
#ifndef TESS_RUN_NPZ_H
#define TESS_RUN_NPZ_H

#include "shape/shape.h"
#include <tessera/tensor.h>

/* Sizes and signatures of the zip format (PKWARE's APPNOTE, 4.3). */
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
	void *heap; /* memory of its data if inflated or transposed */
	struct npz_member *next;
} npz_member;

typedef struct npz_file {
	file_text file;
	struct npz_file *next;
} npz_file;

struct tess_npz {
	tess_ctx *ctx;
	const char *list;      /* as given */
	const char *path;      /* the file being read */
	const char *member;    /* the array being read; NULL: not in an .npz file */
	const file_text *file; /* the file being read */
	npz_file *files;
	arena mem;
	int n;
	npz_member *first, **last;
};

/* Creates an empty list of arrays. @return NULL if there is no memory */
tess_npz *npz_new(tess_ctx *ctx, const char *list);
/* Reads the files of the list. @return TESS_OK; otherwise the error is in the context */
tess_status npz_read_files(tess_npz *z);
void npz_free(tess_npz *z);
/* Writes the arrays to `file`, which is NULL if `path` could not be opened. @return TESS_OK, or
 * TESS_IO with a diagnostic */
tess_status npz_write(tess_ctx *ctx, FILE *file, const char *path, const tess_tensor *tensors,
                      size_t n);

/* ---- open.c, read.c ---- */

/* @return false. */
bool npz_error(const tess_npz *z, const char *what);
npz_member *npz_member_new(tess_npz *z, tess_str name);
/* Reads the arrays of z->file, .npz or .npy; that of an .npy file is named in<number>. */
bool npz_read(tess_npz *z, int number);

/* Returns NumPy's name of a dtype, without the byte order, such as "f4" or "b1"; dtypes that NumPy
 * does not know become unsigned integers. (read.c) */
const char *npy_code(dtype t);
dtype npy_dtype(tess_str code); /* DT_NONE if there is no equivalent */

#endif
