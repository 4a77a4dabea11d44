/* tessera/tensor.h - plain tensors in memory, and NumPy's .npz files of them. */
#ifndef TESSERA_TENSOR_H
#define TESSERA_TENSOR_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Borrowed elements, row-major, little endian, tess_dtype_bytes() each. */
typedef struct tess_tensor {
	const char *name; /**< "" if it has none */
	/** TESS_NO_DTYPE: elements of a type that NumPy does not know (its `V2`), to be
	 *  taken as whatever of that width is wanted. */
	tess_dtype dtype;
	int rank;
	const int64_t *dims;
	const void *data;
	size_t bytes;
} tess_tensor;

/** The arrays of an .npz file, stored or compressed; or of a list of files, with commas between
 *  them: array i is in<i>, an .npy file, or bytes with their shape and layout behind the name,
 *  `x.raw:bf16[4,8]`, `y.bin:f32[4,8]{0,1}`.  Of a snapshot that XLA has dumped (HloSnapshot,
 *  HloUnoptimizedSnapshot of one partition) the arguments are in0, in1, …, the results out0, out1, …,
 *  tuples taken apart. */
typedef struct tess_npz tess_npz;

/** @return the arrays, to release with tess_npz_free(), or NULL once the errors are in ctx. */
TESS_API TESS_GIVE tess_npz *tess_npz_open(tess_ctx *ctx, const char *path);
TESS_API void tess_npz_free(TESS_TAKE tess_npz *z);
TESS_API size_t tess_npz_count(const tess_npz *z);
/** In the order of the file; @return false if `i` is out of range. */
TESS_API bool tess_npz_get(const tess_npz *z, size_t i, tess_tensor *out);
/** By name, without ".npy"; @return false if there is none. */
TESS_API bool tess_npz_find(const tess_npz *z, const char *name, tess_tensor *out);

/** Writes an .npz file, not compressed; or, if the path ends in .npy, the one array alone.  Types
 * that NumPy does not know (bf16, f8…) are written as unsigned integers of the same width.
 *  @return TESS_OK, or TESS_IO with a diagnostic. */
TESS_API tess_status tess_npz_write(tess_ctx *ctx, const char *path, const tess_tensor *tensors,
                                    size_t n);

#ifdef __cplusplus
}
#endif
#endif
