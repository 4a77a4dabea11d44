/* tessera/tensor.h - tensors in memory, and NumPy's .npz files.
 *
 *     static const float data[] = {1, 2, 3, 4, 5, 6};
 *     static const int64_t dims[] = {2, 3};
 *     tess_tensor x = {.name = "x", .dtype = TESS_F32, .rank = 2, .dims = dims, .data = data,
 *                      .bytes = sizeof data};
 *     tess_npz_write(ctx, "x.npz", &x, 1);
 *
 *     tess_npz *z = tess_npz_open(ctx, "x.npz");
 *     tess_tensor y;
 *     if (tess_npz_find(z, "x", &y))
 *             printf("%d dimensions, %zu bytes\n", y.rank, y.bytes);
 *     tess_npz_free(z);
 *
 * A tess_tensor owns nothing: name, dims and data belong to whoever made it. */
#ifndef TESSERA_TENSOR_H
#define TESSERA_TENSOR_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A tensor: its elements in row-major order, little endian, tess_dtype_bytes() each. */
typedef struct tess_tensor {
	const char *name; /**< "" if it has none */
	/** TESS_NO_DTYPE: elements of a type that NumPy does not know (it writes `V2`, …);
	 *  functions that take such a tensor read the elements as the type of the same width
	 *  that they expect. */
	tess_dtype dtype;
	int rank;
	const int64_t *dims; /**< rank numbers; may be NULL for a scalar, of rank 0 */
	const void *data;    /**< NULL: a type without data */
	size_t bytes;        /**< of `data` */
} tess_tensor;

/** The arrays of one or several files, in memory until tess_npz_free(). */
typedef struct tess_npz tess_npz;

/** Reads arrays from files.
 *  @param path one of
 *
 *      x.npz                       NumPy's archive, stored or compressed
 *      x.npy,y.npy                 files of one array each, named "in0", "in1", …
 *      x.raw:bf16[4,8],y:f32[2]    raw bytes, with shape and layout as XLA writes them; named alike
 *      snapshot                    what XLA has dumped (HloSnapshot, or HloUnoptimizedSnapshot of
 *                                  one partition): arguments are "in0", …, results "out0", …, and
 *                                  each member of a tuple is an array of its own
 *
 *  @return the arrays, or NULL with errors in the context. */
TESS_API TESS_GIVE tess_npz *tess_npz_open(tess_ctx *ctx, const char *path);
/** Releases the arrays, with the names, dims and data of all tensors that were read from them. */
TESS_API void tess_npz_free(TESS_TAKE tess_npz *z);
/** Returns how many arrays there are. */
TESS_API size_t tess_npz_count(const tess_npz *z);
/** Gets array `i` in the order of the file. `out` is valid until tess_npz_free().
 *  @return false if `i` is out of range. */
TESS_API bool tess_npz_get(const tess_npz *z, size_t i, tess_tensor *out);
/** Gets the first array of this name, without ".npy". `out` is valid until tess_npz_free().
 *  @return false if there is none. */
TESS_API bool tess_npz_find(const tess_npz *z, const char *name, tess_tensor *out);

/** Writes an .npz file, not compressed; or, if the path ends in .npy, a file of one array. Element
 *  types that NumPy does not know (bf16, f8…) are written as unsigned integers of the same width.
 *  @return TESS_OK; TESS_IO with a diagnostic: a regular file that was written halfway has then
 *  been removed; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_npz_write(tess_ctx *ctx, const char *path, const tess_tensor *tensors,
                                    size_t n);

#ifdef __cplusplus
}
#endif
#endif
