/* tessera/spmd.h - tensors marked with how they are sharded, as PyTorch/XLA's mark_sharding.
 *
 * Experimental: names and structs may still change.
 *
 * A mesh (tessera/sharding.h) is an array of devices; axes without names go by number.  A mark
 * says, for each dimension of a tensor, along which mesh dimensions it is cut; what it does not
 * name holds copies.  Marked tensors are used as if they were whole. */
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

/** Several slices of devices, each with fast links inside: along dimension d the mesh has
 *  outer[d] slices of inner[d] devices each.
 *  @param ids slice by slice, within a slice in row-major order of `inner`; NULL: 0, 1, 2, ….
 *  @param n_slices how many slices there are: the product of `outer`. */
TESS_API const tess_mesh *tess_spmd_mesh_hybrid(tess_ctx *ctx, const int64_t *ids, size_t n_ids,
                                                int64_t n_slices, const int64_t *inner,
                                                const int64_t *outer, int rank,
                                                const char *const *names, size_t n_names);
/** What torch_xla's Mesh prints, "{'device_ids': [0, 1], 'mesh_shape': (2,), 'axis_names':
 *  ('x',)}". */
TESS_API TESS_GIVE char *tess_spmd_mesh_print(tess_ctx *ctx, const tess_mesh *m);
/** Reads that. @return the mesh, or NULL once the errors are in ctx. */
TESS_API const tess_mesh *tess_spmd_mesh_parse(tess_ctx *ctx, tess_str text);

/* ---- tensors -------------------------------------------------------------------- */

/** XLA's kinds of sharding; values are those of torch_xla's ShardingType. */
typedef enum tess_spmd_kind {
	TESS_SPMD_UNMARKED = -1,
	TESS_SPMD_REPLICATED = 0,
	TESS_SPMD_TILED = 3,
	TESS_SPMD_PARTIAL = 5, /**< cut along some mesh dimensions, copied along others */
} tess_spmd_kind;

/** A global tensor and its mark. */
typedef struct tess_spmd_tensor tess_spmd_tensor;

/** @param data row-major; copied; NULL: zeros. */
TESS_API TESS_GIVE tess_spmd_tensor *tess_spmd_tensor_new(tess_ctx *ctx, tess_dtype t,
                                                          const int64_t *dims, int rank,
                                                          const void *data);
TESS_API void tess_spmd_tensor_free(TESS_TAKE tess_spmd_tensor *t);
/** A copy, marked alike. */
TESS_API TESS_GIVE tess_spmd_tensor *tess_spmd_tensor_clone(const tess_spmd_tensor *t);
/** The whole tensor; its data lives as long as it. */
TESS_API tess_tensor tess_spmd_tensor_global(const tess_spmd_tensor *t);

/** Marks a tensor: "x, None", "0, 1", "(x,y), None"; one entry for each dimension, each a mesh
 *  dimension by name or number, several in parentheses, or None.  The same mark again is
 *  harmless, a replicated tensor may be cut; another mark must be cleared first.
 *  @param m NULL: the mesh of tess_array_set_mesh().
 *  @return TESS_OK, TESS_INVALID once the errors are in the context, or TESS_USAGE. */
TESS_API tess_status tess_spmd_tensor_mark(tess_spmd_tensor *t, const tess_mesh *m,
                                           const char *spec);
TESS_API void tess_spmd_tensor_unmark(tess_spmd_tensor *t);
TESS_API tess_spmd_kind tess_spmd_tensor_kind(const tess_spmd_tensor *t);
/** How XLA spells a sharding. */
typedef enum tess_spmd_form {
	TESS_SPMD_FORM_V1 = 0, /**< {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate} */
	TESS_SPMD_FORM_V2 = 1, /**< {devices=[2,1,4]<=[8] last_tile_dim_replicate}, where the
	                        *   devices are an iota */
} tess_spmd_form;
/** The sharding of a marked tensor, with the devices' own ids.
 *  @return the text, or NULL if it is unmarked. */
TESS_API TESS_GIVE char *tess_spmd_tensor_sharding(const tess_spmd_tensor *t, tess_spmd_form form);

/** What one device holds. */
typedef struct tess_spmd_shard {
	int64_t device, replica; /**< replica: which of the copies of this part */
	int rank;
	int64_t dims[TESS_MAX_RANK]; /**< with padding: the same on every device */
	int64_t begin[TESS_MAX_RANK],
		end[TESS_MAX_RANK]; /**< the part of the whole that it holds */
} tess_spmd_shard;

/** The shard of a device. @return TESS_OK; TESS_USAGE if unmarked or there is no such device. */
TESS_API tess_status tess_spmd_tensor_shard(const tess_spmd_tensor *t, int64_t device,
                                            tess_spmd_shard *out);
/** Copies its elements, row-major, zeros in the padding.
 *  @param bytes of `data`: dims multiplied, times the size of an element. */
TESS_API tess_status tess_spmd_tensor_read_shard(const tess_spmd_tensor *t, int64_t device,
                                                 void *data, size_t bytes);
/** Replaces the tensor's elements by those of shards, one for each device in order of the device
 *  ids, each of the padded shape.  Not for replicated tensors. */
TESS_API tess_status tess_spmd_tensor_load_shards(tess_spmd_tensor *t, const void *const *data,
                                                  const size_t *bytes, size_t n);
/** Computes a function of tensors, written with the operations of tessera/array.h as if nothing
 *  were sharded.  Marks take effect now: the program is partitioned by the marks of its inputs,
 *  which share one mesh, and run; what propagation finds marks the results.
 *  In the body "lax.with_sharding_constraint" marks a value, "shard_as" asks for two alike, and
 *  "shard_map" is a manual region; the dimensions of the mesh are Auto axes of their names, or
 *  of their numbers.
 *  @return how many results, each to release with tess_spmd_tensor_free(); -1 once the errors
 *  are in ctx. */
TESS_API int tess_spmd_run(tess_ctx *ctx, tess_fn_body *body, void *env,
                           tess_spmd_tensor *const *in, size_t n_in, tess_spmd_tensor **out,
                           size_t cap);

/** "XLAShardedTensor(tensor([[0, 1], [2, 3]]))": the unpartitioned tensor; without the frame if
 *  it is unmarked. */
TESS_API TESS_GIVE char *tess_spmd_tensor_print(const tess_spmd_tensor *t);
/** A picture of a marked tensor of any rank for the terminal: one line for each part, with its
 *  box and the devices that hold it.
 *  @return the text, or NULL if it is unmarked. */
TESS_API TESS_GIVE char *tess_spmd_tensor_picture(const tess_spmd_tensor *t);

#ifdef __cplusplus
}
#endif
#endif
