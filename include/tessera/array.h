/* tessera/array.h - array programs whose types carry their sharding.
 *
 * Experimental: names and structs may still change.
 *
 * A mesh (tessera/sharding.h) has named axes, each Explicit (types show what is sharded over it),
 * Auto (the compiler decides) or Manual (inside a shard_map).  A type is an element type,
 * dimensions, and for each dimension the Explicit axes that split it: f32[8@X,4].  Every operation
 * has a typing rule; a program that would need a choice or would communicate in a way that types do
 * not show is refused while it is being written, with the legal choices.
 *
 * Operations have the names that they have in JAX ("lax.dot_general", "jnp.sum", "nn.softmax")
 * and take parameters by name (tess_params).  Partition specs are text: "X, _, (X,Y)", an entry
 * for each dimension, `_` for none, then " U:Z" and " R:Z" for unreduced and reduced axes.
 *
 * Meshes, types and specs are interned in their context: equal ones are the same pointer.  They
 * are immutable and live as long as the context. */
#ifndef TESSERA_ARRAY_H
#define TESSERA_ARRAY_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/dtype.h>
#include <tessera/sharding.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- meshes ---------------------------------------------------------------- */

/** How many devices there are for the mesh that is set; 0 (the default): as many as it has. */
TESS_API tess_status tess_array_set_device_count(tess_ctx *ctx, int64_t n);
/** The mesh that programs are written for from now on, and that marks are for which name none;
 * NULL: none.  It has at most 15 axes.
 *  @return TESS_OK, or TESS_INVALID inside a function that is being traced. */
TESS_API tess_status tess_array_set_mesh(tess_ctx *ctx, const tess_mesh *mesh);
/** The mesh that is set, with the kinds that its axes have here; NULL if none is. */
TESS_API const tess_mesh *tess_array_mesh(tess_ctx *ctx);
/** What to do about communication that types do not show: a contraction that is sharded on one side
 *  only, slices of a sharded dimension, …. */
typedef enum tess_comm {
	TESS_COMM_ALLOW = 0,
	TESS_COMM_WARN = 1, /**< a warning at the operation */
	TESS_COMM_DENY = 2, /**< an error */
} tess_comm;
TESS_API tess_status tess_array_set_comm(tess_ctx *ctx, tess_comm level);
/** "Mesh('X': 4, 'Y': 2, axis_types=(Explicit, Auto))"; `abstract`: "AbstractMesh(…)". */
TESS_API TESS_GIVE char *tess_array_mesh_print(tess_ctx *ctx, const tess_mesh *mesh, bool abstract);

/* ---- specs -------------------------------------------------------------------- */

/** A spec as JAX prints it: "P('X', None, ('X', 'Y'))". */
TESS_API TESS_GIVE char *tess_spec_print(tess_ctx *ctx, const char *spec);
/** Checks that a spec can be used on a mesh: TESS_OK, or TESS_INVALID with a diagnostic. */
TESS_API tess_status tess_spec_check(tess_ctx *ctx, const tess_mesh *mesh, const char *spec);

/* ---- types ---------------------------------------------------------------------- */

typedef struct tess_array_type tess_array_type;

typedef enum tess_array_type_form {
	TESS_ARRAY_TYPE_FORM_LONG = 0,  /**< float32[8@X,4] */
	TESS_ARRAY_TYPE_FORM_SHORT = 1, /**< f32[8@X,4] */
} tess_array_type_form;

/** A type on the mesh that is set.
 *  @param spec NULL: unsharded.
 *  @return the type, or NULL once the errors are in ctx: an axis that is unknown, used twice,
 *  not Explicit, or that does not divide its dimension. */
TESS_API const tess_array_type *tess_array_type_make(tess_ctx *ctx, tess_dtype dtype,
                                                     const int64_t *dims, int rank,
                                                     const char *spec);
/** Reads either form; Auto axes of the mesh are dropped, as types never name them.
 *  @param mesh NULL: the one that is set. */
TESS_API const tess_array_type *tess_array_type_parse(tess_ctx *ctx, tess_str text,
                                                      const tess_mesh *mesh);
TESS_API TESS_GIVE char *tess_array_type_print(tess_ctx *ctx, const tess_array_type *type,
                                               tess_array_type_form form);
TESS_API tess_dtype tess_array_type_dtype(const tess_array_type *type);
TESS_API int tess_array_type_rank(const tess_array_type *type);
TESS_API int64_t tess_array_type_dim(const tess_array_type *type, int dim);

/* ---- parameters ----------------------------------------------------------------- */

/** The parameters of an operation, by name. */
typedef struct tess_params tess_params;

TESS_API TESS_GIVE tess_params *tess_params_new(tess_ctx *ctx);
TESS_API void tess_params_free(TESS_TAKE tess_params *a);
/** Each sets or replaces, copies what it is given, and returns `a`, or NULL if `a` is NULL, the
 *  value is wrong, or memory is out.  Keys must be string literals. */
TESS_API tess_params *tess_params_ints(tess_params *a, const char *key, const int64_t *v, size_t n);
TESS_API tess_params *tess_params_int(tess_params *a, const char *key, int64_t v);
TESS_API tess_params *tess_params_number(tess_params *a, const char *key, double v);
TESS_API tess_params *tess_params_text(tess_params *a, const char *key, const char *v);
TESS_API tess_params *tess_params_dtype(tess_params *a, const char *key, tess_dtype v);
TESS_API tess_params *tess_params_specs(tess_params *a, const char *key, const char *const *v,
                                        size_t n);
TESS_API tess_params *tess_params_spec(tess_params *a, const char *key, const char *v);
TESS_API tess_params *tess_params_mesh(tess_params *a, const char *key, const tess_mesh *v);

/** In in_axes and out_axes of vmap: not mapped.  A vmap with an `axis_name` (a text) lets the
 *  collectives of its body speak of the mapped dimension by that name. */
enum { TESS_VMAP_NOT_MAPPED = -1000 };

/* ---- typing ----------------------------------------------------------------------- */

/** What an operation makes of operands of these types: no data, no graph, no devices.
 *  @return how many results it has, at most `cap` of which are written; -1 once the errors
 *  are in ctx. */
TESS_API int tess_array_infer(tess_ctx *ctx, const char *op, const tess_array_type *const *in,
                              size_t n_in, const tess_params *params, const tess_array_type **out,
                              size_t cap);

/* ---- programs ----------------------------------------------------------------------- */

/** A value: traced while a function is being written, or concrete. */
typedef struct tess_array tess_array;
/** A function that has been traced. */
typedef struct tess_fn tess_fn;

/** Writes the results of a function of `in` to `out`, at most `cap`.
 *  @return how many; -1 after an error, which is in ctx. */
typedef int tess_fn_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n_in,
                         tess_array **out, size_t cap);

/** Runs a body with parameters of these types and keeps what it does.
 *  @return the function, to release with tess_fn_free(), or NULL once the errors are in ctx.
 *  The values of the body live as long as it. */
TESS_API TESS_GIVE tess_fn *tess_fn_trace(tess_ctx *ctx, tess_fn_body *body, void *env,
                                          const tess_array_type *const *in, size_t n_in);
TESS_API void tess_fn_free(TESS_TAKE tess_fn *fn);
TESS_API size_t tess_fn_result_count(const tess_fn *fn);
TESS_API const tess_array_type *tess_fn_result_type(const tess_fn *fn,
                                                    size_t i); /**< NULL: no such */

TESS_API const tess_array_type *tess_array_typeof(const tess_array *v);
/** Applies an operation: inside a function it is traced; outside, on concrete values, it is run
 *  at once, and the results are to be released with tess_array_free().  A NULL
 *  operand means that an error was reported.
 *  @return as tess_array_infer(). */
TESS_API int tess_apply(tess_ctx *ctx, const char *op, tess_array *const *in, size_t n_in,
                        const tess_params *params, tess_array **out, size_t cap);
/** The same for what takes bodies (outside of a function it is traced and run each time): jit,
 *  remat (checkpoint), scan, map, while (while_loop), cond (switch), vmap, grad, value_and_grad,
 *  vjp, jvp, jacfwd, jacrev, linear_transpose, custom_vjp, shard_map, auto_axes, explicit_axes,
 *  use_mesh.
 *  @param env one for each body; the bodies share their function. */
TESS_API int tess_apply_body(tess_ctx *ctx, const char *what, tess_fn_body *body, void *const *env,
                             size_t n_bodies, tess_array *const *in, size_t n_in,
                             const tess_params *params, tess_array **out, size_t cap);

/** One result, for writing programs: tess_apply1(ctx, "lax.add", NULL, 2, x, y).  `params` is
 * freed.
 *  @return NULL after an error; an operand that is NULL gives NULL, so that straight-line code
 *  looks once at the end. */
TESS_API tess_array *tess_apply1(tess_ctx *ctx, const char *op, TESS_TAKE tess_params *params,
                                 size_t n, ...);

/* ---- data and running --------------------------------------------------------------------- */

/** A concrete value on the devices of the mesh that is set.
 *  @param data row-major, tess_dtype_bytes() per element; copied.
 *  @return the value, to release with tess_array_free(), or NULL once the errors are in ctx. */
TESS_API TESS_GIVE tess_array *tess_array_new(tess_ctx *ctx, const tess_array_type *type,
                                              const void *data);
/** The same from a tensor (of an .npz file, of another run), sharded as the spec says. */
TESS_API TESS_GIVE tess_array *tess_array_from_tensor(tess_ctx *ctx, const tess_tensor *t,
                                                      const char *spec);
/** The same from what each device holds: the devices in row-major order of the mesh of the type,
 *  each shard row-major.  Where devices hold copies the last one counts. */
TESS_API TESS_GIVE tess_array *tess_array_from_shards(tess_ctx *ctx, const tess_array_type *type,
                                                      const void *const *shards, size_t n);
/** Writes a part of a value: elements `begin` … `end` of each dimension, where `data` is the first
 * of them and `strides` says how many elements apart neighbours are.  @return false to give up. */
typedef bool tess_array_fill(void *env, const int64_t *begin, const int64_t *end, void *data,
                             const int64_t *strides);
/** The same from a function that writes each part where it will lie, once for all its copies: there
 *  is never another copy of the whole. */
TESS_API TESS_GIVE tess_array *tess_array_from_callback(tess_ctx *ctx, const tess_array_type *type,
                                                        tess_array_fill *fill, void *env);
/** The same from a tensor of DLPack 1 in the memory of the CPU, with any strides; it is copied, and
 *  stays the caller's. */
struct DLManagedTensorVersioned;
TESS_API TESS_GIVE tess_array *
tess_array_from_dlpack(tess_ctx *ctx, const struct DLManagedTensorVersioned *t, const char *spec);
/** A copy of a concrete value for DLPack 1; its deleter must be called before the context is freed.
 *  @return NULL once the errors are in ctx. */
TESS_API struct DLManagedTensorVersioned *tess_array_to_dlpack(tess_ctx *ctx, const tess_array *v);
/** Concrete values only; those of a function live as long as it. */
TESS_API void tess_array_free(TESS_TAKE tess_array *v);
/** How a concrete value lies on the devices of its mesh: "P('X', None)", what its type says and the
 *  Auto axes that the program named or the compiler chose, which types do not show.
 *  @return the text, or NULL for a traced value. */
TESS_API TESS_GIVE char *tess_array_sharding(const tess_array *v);
/** The whole of a concrete value; false for a traced one.  Lives as long as the value. */
TESS_API bool tess_array_tensor(const tess_array *v, tess_tensor *out);

/** The function as StableHLO text: what JAX lowers to, an sdy.sharding_constraint behind each
 *  operation. */
TESS_API TESS_GIVE char *tess_fn_print(tess_fn *fn);
/** Runs the function on the devices of its mesh: lowered, propagated and partitioned at the first
 *  call.  Concrete values that it closes over must still live.
 *  @return how many results, each to release with tess_array_free(); -1 once the errors are in the
 *  context. */
TESS_API int tess_fn_call(tess_fn *fn, tess_array *const *in, size_t n_in, tess_array **out,
                          size_t cap);

#ifdef __cplusplus
}
#endif
#endif
