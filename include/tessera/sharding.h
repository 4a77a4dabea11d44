/* tessera/sharding.h - meshes of devices, and how tensors are spread over them.
 *
 * A mesh is a list of (axis name, size).  A sharding is bound to a mesh and says,
 * for each dimension of a tensor, over which axes or parts of axes it is split,
 * major to minor.  docs/sharding.md explains both with examples.
 *
 * Meshes and shardings are interned in their context: two that say the same are the
 * same pointer.  They are immutable, live as long as the context, and are never
 * released.  Do not mix those of different contexts. */
#ifndef TESSERA_SHARDING_H
#define TESSERA_SHARDING_H

#include <tessera/core.h>
#include <tessera/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_mesh tess_mesh;
typedef struct tess_sharding tess_sharding;

/* ---- meshes -------------------------------------------------------------- */

/** What an axis is to array programs (tessera/array.h); elsewhere all are Auto. */
typedef enum tess_axis_kind {
	TESS_AXIS_AUTO = 0,     /**< the compiler decides what is sharded over it */
	TESS_AXIS_EXPLICIT = 1, /**< types show what is sharded over it */
	TESS_AXIS_MANUAL = 2,   /**< inside a shard_map */
} tess_axis_kind;

typedef struct tess_mesh_axis {
	tess_str name; /**< ptr NULL, when a mesh is made: its number, "0", "1", … */
	int64_t size;  /**< at least 1 */
	tess_axis_kind kind;
} tess_mesh_axis;

/** Reads `<["x"=2, "y"=4]>`, with or without `#sdy.mesh` before it and
 *  `, device_ids=[…]` in it, or the short form `x=2,y=4`.
 *  @param name appears in diagnostics; may be NULL.
 *  @return the mesh, verified, or NULL once the errors are in ctx. */
TESS_API const tess_mesh *tess_mesh_parse(tess_ctx *ctx, tess_str text, const char *name);

/** A mesh of these axes, major first.
 *  @param device_ids the devices at the positions of the grid in row-major order: a
 *  permutation of 0 … n-1; NULL with n_device_ids 0: 0, 1, 2, ….  No axes and one
 *  id: that one device.
 *  @return the mesh, or NULL once the errors are in ctx. */
TESS_API const tess_mesh *tess_mesh_make(tess_ctx *ctx, const tess_mesh_axis *axes, size_t n_axes,
                                         const int64_t *device_ids, size_t n_device_ids);

/** The mesh as text, `<["x"=2, "y"=4]>`; kinds of axes are not in it. */
TESS_API TESS_GIVE char *tess_mesh_print(tess_ctx *ctx, const tess_mesh *mesh);

TESS_API size_t tess_mesh_axis_count(const tess_mesh *mesh);
/** @return false if `i` is out of range.  The name lives as long as the context. */
TESS_API bool tess_mesh_axis_get(const tess_mesh *mesh, size_t i, tess_mesh_axis *out);
/** The number of devices: the product of the sizes, 1 for a mesh of one device id,
 *  0 for the empty mesh `<[]>`. */
TESS_API int64_t tess_mesh_device_count(const tess_mesh *mesh);
/** The device at a position of the row-major grid; -1 if there is no such position. */
TESS_API int64_t tess_mesh_device_at(const tess_mesh *mesh, int64_t position);
/** The position of a device in the row-major grid; -1 if the mesh lacks it. */
TESS_API int64_t tess_mesh_position_of(const tess_mesh *mesh, int64_t device);

/* ---- shardings ----------------------------------------------------------- */

/** A whole axis (size 0), or the part `"name":(pre)size` of it. */
typedef struct tess_axis {
	tess_str name;
	int64_t pre;  /**< the sizes of the parts before it; 0 or 1 for a whole axis */
	int64_t size; /**< 0: the whole axis */
} tess_axis;

typedef enum tess_reduction {
	TESS_REDUCTION_SUM = 0,
	TESS_REDUCTION_MAX = 1,
	TESS_REDUCTION_MIN = 2,
} tess_reduction;

/** The list of axes that a query is about: a dimension from 0, or one of these. */
enum {
	TESS_AXES_REPLICATED = -1, /**< axes that may not be used on any dimension later */
	TESS_AXES_UNREDUCED = -2,  /**< axes along which partial values are still to be combined */
};
/** A dimension without a priority; it then counts as 0, the first. */
enum { TESS_NO_PRIORITY = -1 };
/** A rank that is not to be checked. */
enum { TESS_ANY_RANK = -1 };

/** Reads `<@mesh, [{"x"}, {?}]>`, with or without `#sdy.sharding` before it, or
 *  only `[{"x"}, {?}]` with what follows it, which is then bound to `mesh`.
 *  @param mesh the mesh to check against; NULL: the one that the text carries
 *  inlined, or no check if it names one.
 *  @param rank of the tensor, or TESS_ANY_RANK.
 *  @param name appears in diagnostics; may be NULL.
 *  @return the sharding, or NULL once the errors are in ctx, each at its axis. */
TESS_API const tess_sharding *tess_sharding_parse(tess_ctx *ctx, tess_str text, const char *name,
                                                  const tess_mesh *mesh, int rank);

typedef struct tess_dim_spec {
	const tess_axis *axes; /**< major to minor */
	size_t n_axes;
	bool open;        /**< `?`: propagation may shard it further */
	int64_t priority; /**< or TESS_NO_PRIORITY */
} tess_dim_spec;

/** What a sharding is made of.  Fill with TESS_SHARDING_SPEC_INIT first. */
typedef struct tess_sharding_spec {
	size_t struct_size;
	const char *mesh_name; /**< `@name`; NULL: `mesh` is inlined */
	const tess_mesh *mesh; /**< checked against, if not NULL */
	const tess_dim_spec *dims;
	int rank;
	const tess_axis *replicated, *unreduced; /**< in any order, if `mesh` is given */
	size_t n_replicated, n_unreduced;
	tess_reduction reduction; /**< how unreduced values combine */
} tess_sharding_spec;
#define TESS_SHARDING_SPEC_INIT {.struct_size = sizeof(tess_sharding_spec)}

/** @return the sharding, or NULL once the errors are in ctx. */
TESS_API const tess_sharding *tess_sharding_make(tess_ctx *ctx, const tess_sharding_spec *spec);

/** Checks every rule of the representation against a mesh.
 *  @param mesh NULL: the inlined one.
 *  @param rank of the tensor, or TESS_ANY_RANK.
 *  @return TESS_OK, TESS_INVALID (all that is wrong is in ctx), TESS_NOMEM, TESS_USAGE (there is
 *  no mesh). */
TESS_API tess_status tess_sharding_verify(tess_ctx *ctx, const tess_sharding *s,
                                          const tess_mesh *mesh, int rank);

/** The sharding as text, `<@mesh, [{"x"}, {?}]>`. */
TESS_API TESS_GIVE char *tess_sharding_print(tess_ctx *ctx, const tess_sharding *s);

TESS_API int tess_sharding_rank(const tess_sharding *s);
/** The name of the mesh; ptr is NULL if the mesh is inlined. */
TESS_API tess_str tess_sharding_mesh_name(const tess_sharding *s);
/** The inlined mesh, or NULL. */
TESS_API const tess_mesh *tess_sharding_mesh(const tess_sharding *s);
/** True if the dimension may be sharded further; false if there is none. */
TESS_API bool tess_sharding_is_open(const tess_sharding *s, int dim);
/** The priority of a dimension, or TESS_NO_PRIORITY. */
TESS_API int64_t tess_sharding_priority(const tess_sharding *s, int dim);
TESS_API tess_reduction tess_sharding_reduction(const tess_sharding *s);
/** The number of axes of a dimension, of TESS_AXES_REPLICATED or of TESS_AXES_UNREDUCED. */
TESS_API size_t tess_sharding_axis_count(const tess_sharding *s, int where);
/** @return false if there is no such axis. */
TESS_API bool tess_sharding_axis_get(const tess_sharding *s, int where, size_t i, tess_axis *out);

/* ---- what a sharding means on devices ------------------------------------ */
/* Where a mesh may be NULL, the inlined one is meant; a sharding that is NULL means
 * the whole tensor on every device. */

/** Into how many pieces a dimension is cut; 0 if the sharding does not fit the mesh. */
TESS_API int64_t tess_sharding_shards(const tess_sharding *s, const tess_mesh *mesh, int dim);

/** The shape that each device holds: ceil(dims[d] / pieces), so with padding where
 *  the pieces do not divide a dimension.  Negative (dynamic) dimensions are kept.
 *  @param local room for `rank` numbers.
 *  @return TESS_OK, or TESS_USAGE if the sharding does not fit the mesh or the rank. */
TESS_API tess_status tess_sharding_local_shape(const tess_sharding *s, const tess_mesh *mesh,
                                               const int64_t *dims, int rank, int64_t *local);

/** The elements that a device holds: [begin[d], end[d]) of each dimension, without
 *  padding; begin equals end where nothing is left for it.
 *  @return TESS_OK, or TESS_USAGE if the sharding does not fit the mesh or the
 *  rank, a dimension is negative, or the mesh lacks the device. */
TESS_API tess_status tess_sharding_box(const tess_sharding *s, const tess_mesh *mesh,
                                       const int64_t *dims, int rank, int64_t device,
                                       int64_t *begin, int64_t *end);

/** True if every device holds the same elements under both shardings, so that
 *  nothing has to move: their meshes may have other axes and other device orders.
 *  @return TESS_OK if so, TESS_FAILED if not, TESS_USAGE as above. */
TESS_API tess_status tess_sharding_same_placement(const tess_sharding *a, const tess_mesh *mesh_a,
                                                  const tess_sharding *b, const tess_mesh *mesh_b,
                                                  const int64_t *dims, int rank);

#ifdef __cplusplus
}
#endif
#endif
