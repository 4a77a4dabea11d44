/* tessera/sharding.h - meshes of devices, and how tensors are split over them.
 *
 *     const tess_mesh *mesh = tess_mesh_parse(ctx, tess_str_of("x=2,y=4"), NULL);
 *     const tess_sharding *s =
 *             tess_sharding_parse(ctx, tess_str_of("[{\"x\"}, {\"y\", ?}]"), NULL, mesh, 2);
 *     const int64_t dims[] = {32, 100};
 *     int64_t local[2], begin[2], end[2];
 *     tess_sharding_local_shape(s, mesh, dims, 2, local);
 *     tess_sharding_box(s, mesh, dims, 2, 5, begin, end);
 *     printf("each device holds %dx%d; device 5 has rows %d to %d\n", (int)local[0], (int)local[1],
 *            (int)begin[0], (int)end[0] - 1);
 *
 * A mesh is a list of named axes with sizes. A sharding is bound to a mesh and says, for each
 * dimension of a tensor, over which axes, or parts of axes, it is split, major to minor. Notation
 * and rules are those of Shardy's sdy dialect; docs/sharding.md explains them with examples.
 *
 * Meshes and shardings are interned in their context: two that are equal are the same pointer.
 * They are immutable and live as long as the context. Functions that create report an error in
 * the context when they return NULL, unless a list is NULL that may not be. */
#ifndef TESSERA_SHARDING_H
#define TESSERA_SHARDING_H

#include <tessera/core.h>
#include <tessera/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_mesh tess_mesh;         /**< devices as a grid with named axes */
typedef struct tess_sharding tess_sharding; /**< how a tensor is split over a mesh */

/* ---- meshes -------------------------------------------------------------- */

/** The kind of an axis in array programs (tessera/array.h); everywhere else axes are Auto. */
typedef enum tess_axis_kind {
	TESS_AXIS_AUTO = 0,     /**< the compiler decides what is split over it */
	TESS_AXIS_EXPLICIT = 1, /**< types say what is split over it */
	TESS_AXIS_MANUAL = 2,   /**< the program says what each device does: inside a shard_map */
} tess_axis_kind;

typedef struct tess_mesh_axis {
	tess_str name; /**< for tess_mesh_make(), ptr NULL: its number, "0", "1", … */
	int64_t size;  /**< at least 1 */
	tess_axis_kind kind;
} tess_mesh_axis;

/** Parses a mesh: `<["x"=2, "y"=4]>`, with `#sdy.mesh` before it or not, and with or without `,
 *  device_ids=[…]` in it; or, shorter, `x=2,y=4`.
 *  @param name appears in diagnostics; may be NULL.
 *  @return the mesh, verified, or NULL with errors in the context. */
TESS_API const tess_mesh *tess_mesh_parse(tess_ctx *ctx, tess_str text, const char *name);

/** Returns a mesh of these axes, the major one first.
 *  @param device_ids the device at each position of the grid, in row-major order: a permutation of
 *  0 … n-1; NULL with n_device_ids 0: 0, 1, 2, … No axes and one id give a mesh of that one device.
 *  @return the mesh, verified, or NULL with errors in the context. */
TESS_API const tess_mesh *tess_mesh_make(tess_ctx *ctx, const tess_mesh_axis *axes, size_t n_axes,
                                         const int64_t *device_ids, size_t n_device_ids);

/** Prints a mesh: `<["x"=2, "y"=4]>`. The kinds of axes are not printed. */
TESS_API TESS_GIVE char *tess_mesh_print(tess_ctx *ctx, const tess_mesh *mesh);

TESS_API size_t tess_mesh_axis_count(const tess_mesh *mesh);
/** Gets axis `i`, the major one first. Its name lives as long as the context.
 *  @return false if `i` is out of range. */
TESS_API bool tess_mesh_axis_get(const tess_mesh *mesh, size_t i, tess_mesh_axis *out);
/** Returns the number of devices: the product of the sizes, 1 for a mesh of one device id, 0 for
 *  the empty mesh `<[]>`. */
TESS_API int64_t tess_mesh_device_count(const tess_mesh *mesh);
/** Returns the device at a position of the grid in row-major order; -1 if there is none. */
TESS_API int64_t tess_mesh_device_at(const tess_mesh *mesh, int64_t position);
/** Returns the position of a device in that order; -1 if the mesh does not contain it. */
TESS_API int64_t tess_mesh_position_of(const tess_mesh *mesh, int64_t device);

/* ---- shardings ----------------------------------------------------------- */

/** An axis, or the part `"name":(pre)size` of one: a sub-axis. */
typedef struct tess_axis {
	tess_str name;
	int64_t pre;  /**< product of the sizes of the parts before it; 0 or 1: of none */
	int64_t size; /**< 0: the whole axis */
} tess_axis;

/** How the terms of an unreduced value combine. */
typedef enum tess_reduction {
	TESS_REDUCTION_SUM = 0,
	TESS_REDUCTION_MAX = 1,
	TESS_REDUCTION_MIN = 2,
} tess_reduction;

/** Which list of axes a query is about: that of a dimension, from 0, or one of these. */
enum {
	TESS_AXES_REPLICATED = -1, /**< axes that propagation may not use for this tensor */
	TESS_AXES_UNREDUCED = -2,  /**< axes along which each device has one term of the value */
};
/** The priority of a dimension that has none, which counts as 0, the first. */
enum { TESS_NO_PRIORITY = -1 };
/** Instead of a rank: it is not checked. */
enum { TESS_ANY_RANK = -1 };

/** Parses a sharding: `<@mesh, [{"x"}, {?}]>`, with `#sdy.sharding` before it or not; or only
 *  `[{"x"}, {?}]` with what follows it, which is then bound to `mesh`.
 *  @param name appears in diagnostics; may be NULL.
 *  @param mesh the mesh to verify against; NULL: the mesh that the text contains, and no check if
 *  the text only names one.
 *  @param rank that of the tensor, or TESS_ANY_RANK.
 *  @return the sharding, or NULL with errors in the context, each at its axis. */
TESS_API const tess_sharding *tess_sharding_parse(tess_ctx *ctx, tess_str text, const char *name,
                                                  const tess_mesh *mesh, int rank);

/** How a dimension is split. */
typedef struct tess_dim_spec {
	const tess_axis *axes; /**< major to minor */
	size_t n_axes;
	bool open;        /**< `?`: propagation may split it further */
	int64_t priority; /**< or TESS_NO_PRIORITY */
} tess_dim_spec;

/** The parts of a sharding. */
typedef struct tess_sharding_spec {
	size_t struct_size;
	/** The name, without @, of the mesh in its module; NULL: the sharding contains `mesh`. */
	const char *mesh_name;
	const tess_mesh *mesh; /**< to verify against; may be NULL if there is a name */
	const tess_dim_spec *dims; /**< [rank] */
	int rank;
	const tess_axis *replicated, *unreduced; /**< in mesh order, or any if `mesh` is set */
	size_t n_replicated, n_unreduced;
	tess_reduction reduction; /**< of `unreduced` */
} tess_sharding_spec;
#define TESS_SHARDING_SPEC_INIT {.struct_size = sizeof(tess_sharding_spec)}

/** Returns the sharding with these parts, verified if there is a mesh; NULL with errors in the
 *  context. */
TESS_API const tess_sharding *tess_sharding_make(tess_ctx *ctx, const tess_sharding_spec *spec);

/** Verifies a sharding against a mesh: the rules of Shardy's TensorShardingAttr.
 *  @param mesh NULL: the one that the sharding contains.
 *  @param rank that of the tensor, or TESS_ANY_RANK.
 *  @return TESS_OK; TESS_INVALID with an error for each violation; TESS_NOMEM; TESS_USAGE if
 *  there is no mesh. */
TESS_API tess_status tess_sharding_verify(tess_ctx *ctx, const tess_sharding *s,
                                          const tess_mesh *mesh, int rank);

/** Prints a sharding: `<@mesh, [{"x"}, {?}]>`. */
TESS_API TESS_GIVE char *tess_sharding_print(tess_ctx *ctx, const tess_sharding *s);

/** Returns the number of dimensions. */
TESS_API int tess_sharding_rank(const tess_sharding *s);
/** Returns the name of the mesh, without @; ptr is NULL if the sharding contains the mesh
 *  itself. */
TESS_API tess_str tess_sharding_mesh_name(const tess_sharding *s);
/** Returns the mesh that the sharding contains; NULL if it names one. */
TESS_API const tess_mesh *tess_sharding_mesh(const tess_sharding *s);
/** True if propagation may split the dimension further (`?`); false if there is none. */
TESS_API bool tess_sharding_is_open(const tess_sharding *s, int dim);
/** Returns the priority of a dimension, or TESS_NO_PRIORITY. */
TESS_API int64_t tess_sharding_priority(const tess_sharding *s, int dim);
/** Returns how unreduced values combine. */
TESS_API tess_reduction tess_sharding_reduction(const tess_sharding *s);
/** Returns the number of axes of a list.
 *  @param where a dimension, TESS_AXES_REPLICATED or TESS_AXES_UNREDUCED. */
TESS_API size_t tess_sharding_axis_count(const tess_sharding *s, int where);
/** Gets axis `i` of a list; its name lives as long as the context.
 *  @return false if there is none. */
TESS_API bool tess_sharding_axis_get(const tess_sharding *s, int where, size_t i, tess_axis *out);

/* ---- what each device holds ----------------------------------------------- */
/* In these functions a mesh that is NULL is the one that the sharding contains, and a sharding
 * that is NULL means that every device holds the whole tensor. */

/** Returns into how many pieces a dimension is split; 0 if the sharding does not fit the mesh. */
TESS_API int64_t tess_sharding_shards(const tess_sharding *s, const tess_mesh *mesh, int dim);

/** Gets the shape that each device holds: ceil(dims[d] / pieces), which includes padding where the
 *  pieces do not divide the dimension. Negative sizes (dynamic dimensions) are kept.
 *  @param local gets `rank` numbers.
 *  @return TESS_OK; TESS_USAGE if the sharding does not fit the mesh or the rank. */
TESS_API tess_status tess_sharding_local_shape(const tess_sharding *s, const tess_mesh *mesh,
                                               const int64_t *dims, int rank, int64_t *local);

/** Gets the elements that a device holds: from begin[d] up to, not including, end[d] of each
 *  dimension, without padding. The two are equal if nothing is left for the device.
 *  @return TESS_OK; TESS_USAGE if the sharding does not fit the mesh or the rank, a size is
 *  negative, or the mesh does not contain the device. */
TESS_API tess_status tess_sharding_box(const tess_sharding *s, const tess_mesh *mesh,
                                       const int64_t *dims, int rank, int64_t device,
                                       int64_t *begin, int64_t *end);

/** Compares two shardings, whose meshes may have different axes and orders of devices.
 *  @return TESS_OK if every device holds the same elements under both, so that nothing has to
 *  move; TESS_FAILED if not; TESS_USAGE as above. */
TESS_API tess_status tess_sharding_same_placement(const tess_sharding *a, const tess_mesh *mesh_a,
                                                  const tess_sharding *b, const tess_mesh *mesh_b,
                                                  const int64_t *dims, int rank);

#ifdef __cplusplus
}
#endif
#endif
