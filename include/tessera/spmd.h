/* tessera/spmd.h - tensors marked with how they are sharded, as by PyTorch/XLA's mark_sharding.
 *
 * Experimental.
 *
 *     static int linear(tess_ctx *c, void *env, tess_array *const *in, size_t n, tess_array **out,
 *                       size_t cap)
 *     {
 *             (void)env, (void)n, (void)cap;
 *             out[0] = tess_apply1(c, "jnp.matmul", NULL, 2, in[0], in[1]);
 *             return out[0] ? 1 : -1;
 *     }
 *
 *     const tess_mesh *mesh = tess_mesh_parse(ctx, tess_str_of("x=4,y=2"), NULL);
 *     const int64_t xd[] = {8, 32}, wd[] = {32, 10};
 *     tess_spmd_tensor *x = tess_spmd_tensor_new(ctx, TESS_F32, xd, 2, NULL);
 *     tess_spmd_tensor *w = tess_spmd_tensor_new(ctx, TESS_F32, wd, 2, NULL);
 *     tess_spmd_tensor_mark(x, mesh, "x, None");
 *     tess_spmd_tensor_mark(w, mesh, "None, y");
 *
 *     tess_spmd_tensor *y = NULL;
 *     if (tess_spmd_run(ctx, linear, NULL, (tess_spmd_tensor *[]){x, w}, 2, &y, 1) == 1) {
 *             char *text = tess_spmd_tensor_sharding(y, TESS_SPMD_FORM_V2);
 *             puts(text);
 *             tess_text_free(text);
 *     }
 *     tess_spmd_tensor_free(y);
 *     tess_spmd_tensor_free(w);
 *     tess_spmd_tensor_free(x);
 *
 * A mesh (tessera/sharding.h) is an array of devices; axes without names go by number. A mark
 * says, for each dimension of a tensor, along which mesh dimensions it is split; along the
 * others devices hold copies. Marked tensors are used as if they were whole.
 * docs/mark_sharding.md explains more. */
#ifndef TESSERA_SPMD_H
#define TESSERA_SPMD_H

#include <tessera/array.h>
#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- meshes ------------------------------------------------------------------- */

/** Returns a mesh of several slices of devices, which have fast links inside: along dimension d it
 *  has outer[d] slices of inner[d] devices each.
 *  @param ids the devices, slice by slice, within a slice in row-major order of `inner`; NULL: 0,
 *  1, 2, …
 *  @param n_slices the number of slices: the product of `outer`.
 *  @param rank the number of dimensions of `inner` and `outer`.
 *  @param names [n_names], with n_names equal to rank; NULL: axes go by number.
 *  @return the mesh, or NULL with an error in the context. */
TESS_API const tess_mesh *tess_spmd_mesh_hybrid(tess_ctx *ctx, const int64_t *ids, size_t n_ids,
                                                int64_t n_slices, const int64_t *inner,
                                                const int64_t *outer, int rank,
                                                const char *const *names, size_t n_names);
/** Prints a mesh as torch_xla's Mesh: "{'device_ids': [0, 1], 'mesh_shape': (2,), 'axis_names':
 *  ('x',)}". */
TESS_API TESS_GIVE char *tess_spmd_mesh_print(tess_ctx *ctx, const tess_mesh *m);
/** Parses that.
 *  @return the mesh, or NULL with errors in the context. */
TESS_API const tess_mesh *tess_spmd_mesh_parse(tess_ctx *ctx, tess_str text);

/* ---- tensors -------------------------------------------------------------------- */

/** The kind of a sharding. The values are those of torch_xla's ShardingType. */
typedef enum tess_spmd_kind {
	TESS_SPMD_UNMARKED = -1,  /**< the tensor is not marked */
	TESS_SPMD_REPLICATED = 0, /**< every device holds all of it */
	TESS_SPMD_TILED = 3,      /**< every device holds another part */
	TESS_SPMD_PARTIAL = 5,    /**< split along some mesh dimensions, copied along others */
} tess_spmd_kind;

/** A whole tensor and its mark. */
typedef struct tess_spmd_tensor tess_spmd_tensor;

/** Creates a tensor without a mark.
 *  @param rank at most 16.
 *  @param data row-major, tess_dtype_bytes() per element; NULL: zeros.
 *  @return the tensor, or NULL with an error in the context. */
TESS_API TESS_GIVE tess_spmd_tensor *tess_spmd_tensor_new(tess_ctx *ctx, tess_dtype t,
                                                          const int64_t *dims, int rank,
                                                          const void *data);
/** Releases a tensor. */
TESS_API void tess_spmd_tensor_free(TESS_TAKE tess_spmd_tensor *t);
/** Returns a copy with the same mark, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_spmd_tensor *tess_spmd_tensor_clone(const tess_spmd_tensor *t);
/** Returns the whole tensor, which is valid as long as `t`; `data` is NULL if `t` is. */
TESS_API tess_tensor tess_spmd_tensor_global(const tess_spmd_tensor *t);

/** Marks a tensor. A tensor that is replicated or has the same mark can be marked; any other mark
 *  must be removed first.
 *  @param m NULL: the mesh of tess_array_set_mesh().
 *  @param spec an entry for each dimension: a mesh dimension by name or number, several in
 *  parentheses, or None: "x, None", "0, 1", "(x,y), None".
 *  @return TESS_OK; TESS_INVALID with an error in the context; TESS_USAGE, also if there is no
 *  mesh; TESS_NOMEM. */
TESS_API tess_status tess_spmd_tensor_mark(tess_spmd_tensor *t, const tess_mesh *m,
                                           const char *spec);
/** Removes the mark. */
TESS_API void tess_spmd_tensor_unmark(tess_spmd_tensor *t);
/** Returns the kind of the mark; TESS_SPMD_UNMARKED if there is none. */
TESS_API tess_spmd_kind tess_spmd_tensor_kind(const tess_spmd_tensor *t);
/** How XLA writes a sharding. */
typedef enum tess_spmd_form {
	TESS_SPMD_FORM_V1 = 0, /**< {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate} */
	/** {devices=[2,1,4]<=[8] last_tile_dim_replicate} if the devices can be written so;
	 *  otherwise V1. */
	TESS_SPMD_FORM_V2 = 1,
} tess_spmd_form;
/** Prints the sharding of a marked tensor as XLA writes it, with the device ids of the mesh.
 *  @return the text, or NULL if there is no mark. */
TESS_API TESS_GIVE char *tess_spmd_tensor_sharding(const tess_spmd_tensor *t, tess_spmd_form form);

/** What one device holds. */
typedef struct tess_spmd_shard {
	int64_t device, replica; /**< replica: the number of this copy of the part, from 0 */
	int rank;
	int64_t dims[TESS_MAX_RANK]; /**< the shape, with padding: the same on every device */
	/** The part of the whole, from begin[d] up to, not including, end[d] of dimension d. */
	int64_t begin[TESS_MAX_RANK],
		end[TESS_MAX_RANK];
} tess_spmd_shard;

/** Gets the shard of a device.
 *  @return TESS_OK; TESS_USAGE if the tensor is not marked or there is no such device. */
TESS_API tess_status tess_spmd_tensor_shard(const tess_spmd_tensor *t, int64_t device,
                                            tess_spmd_shard *out);
/** Copies the elements of a shard, row-major, with zeros in the padding.
 *  @param bytes the size of `data`: the product of `dims`, times tess_dtype_bytes().
 *  @return TESS_OK; TESS_USAGE as above, or if `bytes` is something else. */
TESS_API tess_status tess_spmd_tensor_read_shard(const tess_spmd_tensor *t, int64_t device,
                                                 void *data, size_t bytes);
/** Replaces the elements of a tensor that is split by those of shards.
 *  @param data [n]: one for each device in the order of device ids, each of the padded shape.
 *  @return TESS_OK; TESS_INVALID with a diagnostic if the tensor is replicated, or the number or
 *  size of the shards is wrong; TESS_USAGE if it is not marked. */
TESS_API tess_status tess_spmd_tensor_load_shards(tess_spmd_tensor *t, const void *const *data,
                                                  const size_t *bytes, size_t n);
/** Computes a function of tensors, written with the operations of tessera/array.h as if nothing
 *  were sharded. The program is partitioned by the marks of its inputs, which must share one mesh,
 *  and run. The results are marked with what propagation finds.
 *
 *  In the body, "lax.with_sharding_constraint" marks a value, "shard_as" asks for the same sharding
 *  of two, and "shard_map" is a manual region. The dimensions of the mesh are Auto axes with their
 *  names or numbers.
 *  @param out gets the results, at most `cap`, each to release with tess_spmd_tensor_free().
 *  @return the number of results; -1 with errors in the context. */
TESS_API int tess_spmd_run(tess_ctx *ctx, tess_fn_body *body, void *env,
                           tess_spmd_tensor *const *in, size_t n_in, tess_spmd_tensor **out,
                           size_t cap);

/** Prints the whole tensor: "XLAShardedTensor(tensor([[0, 1], [2, 3]]))", or "tensor(…)" if it
 *  is not marked. */
TESS_API TESS_GIVE char *tess_spmd_tensor_print(const tess_spmd_tensor *t);
/** Prints how a marked tensor is split: a line for each part, with its box and the devices that
 *  hold it.
 *  @return the text, or NULL if there is no mark. */
TESS_API TESS_GIVE char *tess_spmd_tensor_picture(const tess_spmd_tensor *t);

#ifdef __cplusplus
}
#endif
#endif
