/* tessera/array.h - array programs whose types carry their shardings, as JAX's explicit mode.
 *
 * Experimental.
 *
 *     static int layer(tess_ctx *c, void *env, tess_array *const *in, size_t n, tess_array **out,
 *                      size_t cap)
 *     {
 *             (void)env, (void)n, (void)cap;
 *             out[0] = tess_apply1(c, "jnp.tanh", NULL, 1,
 *                                  tess_apply1(c, "jnp.matmul", NULL, 2, in[0], in[1]));
 *             return out[0] ? 1 : -1;
 *     }
 *
 *     const tess_mesh_axis axes[] = {{tess_str_of("X"), 4, TESS_AXIS_EXPLICIT}};
 *     tess_array_set_mesh(ctx, tess_mesh_make(ctx, axes, 1, NULL, 0));
 *     const int64_t xd[] = {8, 4}, wd[] = {4, 2};
 *     static const float zeros[8 * 4];
 *     const tess_array_type *types[] = {tess_array_type_make(ctx, TESS_F32, xd, 2, "X, _"),
 *                                       tess_array_type_make(ctx, TESS_F32, wd, 2, NULL)};
 *     tess_array *in[] = {tess_array_new(ctx, types[0], zeros),
 *                         tess_array_new(ctx, types[1], zeros)};
 *     tess_array *y = NULL;
 *     tess_fn *fn = tess_fn_trace(ctx, layer, NULL, types, 2);
 *     if (fn && tess_fn_call(fn, in, 2, &y, 1) == 1) {
 *             char *type = tess_array_type_print(ctx, tess_array_typeof(y),
 *                                                TESS_ARRAY_TYPE_FORM_SHORT);
 *             puts(type); // f32[8@X,2]
 *             tess_text_free(type);
 *     }
 *     tess_array_free(y);
 *     tess_array_free(in[0]);
 *     tess_array_free(in[1]);
 *     tess_fn_free(fn);
 *
 * A mesh (tessera/sharding.h) has named axes, each Explicit (types say what is split over it), Auto
 * (the compiler decides) or Manual (inside a shard_map). A type is an element type, dimensions, and
 * for each dimension the Explicit axes that split it: f32[8@X,4]. Every operation has a typing
 * rule. A program that would leave a choice open, or would communicate in a way that types do not
 * show, is refused while it is written, and the error lists the legal choices. docs/arrays.md
 * explains all this.
 *
 * Operations have the names that they have in JAX ("lax.dot_general", "jnp.sum", "nn.softmax"), and
 * take parameters by name (tess_params). A partition spec is a text: "X, _, (X,Y)", with an entry
 * for each dimension, `_` for none; then " U:Z" and " R:Z" for unreduced and reduced axes.
 *
 * Meshes, types and specs are interned in their context: equal ones are the same pointer. They
 * are immutable and live as long as the context. Functions that create return NULL with an error
 * in the context, or because memory ran out. */
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

/** Sets how many devices there are: a larger mesh is then refused.
 *  @param n 0 (the default): any number.
 *  @return TESS_OK, TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_array_set_device_count(tess_ctx *ctx, int64_t n);
/** Sets the mesh for programs that are written from now on, and for marks that name none
 *  (tessera/spmd.h).
 *  @param mesh of at most 15 axes; NULL: none.
 *  @return TESS_OK; TESS_INVALID with a diagnostic inside a function that is being traced, or if
 *  the mesh has too many axes or devices; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_array_set_mesh(tess_ctx *ctx, const tess_mesh *mesh);
/** Returns the mesh that is set, with the kinds that its axes have at this point of the program;
 *  NULL if there is none. */
TESS_API const tess_mesh *tess_array_mesh(tess_ctx *ctx);
/** What to do about communication that types do not show: a contraction that is split on one
 *  side only, slices of a split dimension, … */
typedef enum tess_comm {
	TESS_COMM_ALLOW = 0, /**< nothing (the default) */
	TESS_COMM_WARN = 1, /**< a warning at the operation */
	TESS_COMM_DENY = 2, /**< an error */
} tess_comm;
/** Sets what to do about it, for what is written from now on.
 *  @return TESS_OK or TESS_USAGE. */
TESS_API tess_status tess_array_set_comm(tess_ctx *ctx, tess_comm level);
/** Prints a mesh as JAX does: "Mesh('X': 4, 'Y': 2, axis_types=(Explicit, Auto))", or, if
 *  `abstract`, "AbstractMesh(…)". */
TESS_API TESS_GIVE char *tess_array_mesh_print(tess_ctx *ctx, const tess_mesh *mesh, bool abstract);

/* ---- specs -------------------------------------------------------------------- */

/** Prints a spec as JAX does: "P('X', None, ('X', 'Y'))". */
TESS_API TESS_GIVE char *tess_spec_print(tess_ctx *ctx, const char *spec);
/** Checks that a spec can be used on a mesh.
 *  @return TESS_OK; TESS_INVALID with a diagnostic; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_spec_check(tess_ctx *ctx, const tess_mesh *mesh, const char *spec);

/* ---- types ---------------------------------------------------------------------- */

/** An element type, dimensions, and the axes that split each dimension. */
typedef struct tess_array_type tess_array_type;

/** How a type is printed. */
typedef enum tess_array_type_form {
	TESS_ARRAY_TYPE_FORM_LONG = 0,  /**< float32[8@X,4] */
	TESS_ARRAY_TYPE_FORM_SHORT = 1, /**< f32[8@X,4] */
} tess_array_type_form;

/** Returns a type on the mesh that is set.
 *  @param rank at most 16.
 *  @param spec NULL: not split.
 *  @return the type; NULL with an error if an axis is unknown, used twice, not Explicit, or does
 *  not divide its dimension. */
TESS_API const tess_array_type *tess_array_type_make(tess_ctx *ctx, tess_dtype dtype,
                                                     const int64_t *dims, int rank,
                                                     const char *spec);
/** Parses a type in either form. Auto axes of the mesh are dropped, since types never name them.
 *  @param mesh NULL: the one that is set. */
TESS_API const tess_array_type *tess_array_type_parse(tess_ctx *ctx, tess_str text,
                                                      const tess_mesh *mesh);
/** Prints a type. */
TESS_API TESS_GIVE char *tess_array_type_print(tess_ctx *ctx, const tess_array_type *type,
                                               tess_array_type_form form);
/** Returns the element type; TESS_NO_DTYPE for NULL. */
TESS_API tess_dtype tess_array_type_dtype(const tess_array_type *type);
/** Returns the number of dimensions. */
TESS_API int tess_array_type_rank(const tess_array_type *type);
/** Returns the size of a whole dimension; -1 if there is none. */
TESS_API int64_t tess_array_type_dim(const tess_array_type *type, int dim);

/* ---- parameters ----------------------------------------------------------------- */

/** The parameters of an operation, by name. */
typedef struct tess_params tess_params;

/** Creates an empty list of parameters; NULL if memory ran out. */
TESS_API TESS_GIVE tess_params *tess_params_new(tess_ctx *ctx);
/** Releases a list of parameters. */
TESS_API void tess_params_free(TESS_TAKE tess_params *a);
/** Sets a parameter to a list of integers. This function and the following ones replace a
 *  parameter of the same name. They copy the value, but not `key`, which must live as long as
 *  `a`: use a string literal. They return `a`, so that calls can be nested; or NULL if `a` is
 *  NULL, the value is wrong, or memory ran out. */
TESS_API tess_params *tess_params_ints(tess_params *a, const char *key, const int64_t *v, size_t n);
/** Sets a parameter to an integer. */
TESS_API tess_params *tess_params_int(tess_params *a, const char *key, int64_t v);
/** Sets a parameter to a floating-point number. */
TESS_API tess_params *tess_params_number(tess_params *a, const char *key, double v);
/** Sets a parameter to a text. */
TESS_API tess_params *tess_params_text(tess_params *a, const char *key, const char *v);
/** Sets a parameter to an element type. */
TESS_API tess_params *tess_params_dtype(tess_params *a, const char *key, tess_dtype v);
/** Sets a parameter to a list of partition specs. */
TESS_API tess_params *tess_params_specs(tess_params *a, const char *key, const char *const *v,
                                        size_t n);
/** Sets a parameter to a partition spec. */
TESS_API tess_params *tess_params_spec(tess_params *a, const char *key, const char *v);
/** Sets a parameter to a mesh. */
TESS_API tess_params *tess_params_mesh(tess_params *a, const char *key, const tess_mesh *v);

/** In the parameters in_axes and out_axes of vmap: not mapped. If vmap has the parameter
 *  axis_name (a text), collectives in its body refer to the mapped dimension by that name. */
enum { TESS_VMAP_NOT_MAPPED = -1000 };

/* ---- typing ----------------------------------------------------------------------- */

/** Computes the result types of an operation from its operand types. No data, function or device is
 *  needed.
 *  @param out gets the types, at most `cap`.
 *  @return the number of results; -1 with an error in the context. */
TESS_API int tess_array_infer(tess_ctx *ctx, const char *op, const tess_array_type *const *in,
                              size_t n_in, const tess_params *params, const tess_array_type **out,
                              size_t cap);

/* ---- programs ----------------------------------------------------------------------- */

/** A value: traced, in a function that is being written; or concrete, with data. */
typedef struct tess_array tess_array;
/** A function that has been traced. */
typedef struct tess_fn tess_fn;

/** The body of a function: computes `out` from `in` with tess_apply() and the like.
 *  @param env what was given to the function that calls the body.
 *  @param out gets the results, at most `cap`.
 *  @return the number of results; -1 to give up. */
typedef int tess_fn_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n_in,
                         tess_array **out, size_t cap);

/** Traces a function: calls its body with traced values of these types and records the operations.
 *  Not inside another body.
 *  @return the function, or NULL with errors in the context. The traced values live as long as
 *  it. */
TESS_API TESS_GIVE tess_fn *tess_fn_trace(tess_ctx *ctx, tess_fn_body *body, void *env,
                                          const tess_array_type *const *in, size_t n_in);
/** Releases a function and its traced values. */
TESS_API void tess_fn_free(TESS_TAKE tess_fn *fn);
/** Returns the number of results. */
TESS_API size_t tess_fn_result_count(const tess_fn *fn);
/** Returns the type of result `i`; NULL if there is none. */
TESS_API const tess_array_type *tess_fn_result_type(const tess_fn *fn, size_t i);

/** Returns the type of a value. */
TESS_API const tess_array_type *tess_array_typeof(const tess_array *v);
/** Applies an operation. Inside a body it is traced. Outside, on concrete values, it runs at once,
 *  and the results must be released with tess_array_free(). If an operand is NULL, nothing is done:
 *  its error was reported before.
 *  @param params NULL: none.
 *  @param out gets the results, at most `cap`.
 *  @return the number of results; -1 with an error in the context. */
TESS_API int tess_apply(tess_ctx *ctx, const char *op, tess_array *const *in, size_t n_in,
                        const tess_params *params, tess_array **out, size_t cap);
/** Applies a transformation that takes bodies: jit, remat (checkpoint), scan, map, while
 *  (while_loop), cond (switch), vmap, grad, value_and_grad, vjp, jvp, jacfwd, jacrev,
 *  linear_transpose, custom_vjp, shard_map, auto_axes, explicit_axes, use_mesh. Outside of a body
 *  it is traced and run at each call.
 *  @param body the function that is called for each body.
 *  @param env [n_bodies]: the argument that tells the bodies apart.
 *  @return as tess_apply(). */
TESS_API int tess_apply_body(tess_ctx *ctx, const char *what, tess_fn_body *body, void *const *env,
                             size_t n_bodies, tess_array *const *in, size_t n_in,
                             const tess_params *params, tess_array **out, size_t cap);

/** Applies an operation with one result: tess_apply1(ctx, "lax.add", NULL, 2, x, y).
 *  @param params released by the call, also if it fails; NULL: none.
 *  @param n the number of operands that follow.
 *  @return the result; NULL after an error, or if an operand is NULL, so that a program can
 *  check once at the end. */
TESS_API tess_array *tess_apply1(tess_ctx *ctx, const char *op, TESS_TAKE tess_params *params,
                                 size_t n, ...);

/* ---- data and running --------------------------------------------------------------------- */

/** Creates a concrete value on the devices of the type's mesh.
 *  @param data the whole value, row-major, tess_dtype_bytes() per element.
 *  @return the value, or NULL with an error in the context. */
TESS_API TESS_GIVE tess_array *tess_array_new(tess_ctx *ctx, const tess_array_type *type,
                                              const void *data);
/** Creates one from a tensor, on the mesh that is set, split as the spec says; NULL: not split. */
TESS_API TESS_GIVE tess_array *tess_array_from_tensor(tess_ctx *ctx, const tess_tensor *t,
                                                      const char *spec);
/** Creates one from what each device holds.
 *  @param shards [n]: one for each device in row-major order of the type's mesh, each row-major.
 *  If devices hold copies of the same part, the last one is used. */
TESS_API TESS_GIVE tess_array *tess_array_from_shards(tess_ctx *ctx, const tess_array_type *type,
                                                      const void *const *shards, size_t n);
/** Writes the part of a value from begin[d] up to, not including, end[d] of each dimension d.
 *  @param data where its first element goes.
 *  @param strides the distance between neighbors of each dimension, in elements.
 *  @return false to give up. */
typedef bool tess_array_fill(void *env, const int64_t *begin, const int64_t *end, void *data,
                             const int64_t *strides);
/** Creates one by calling `fill` once for each different part, which is written in place,
 *  without another copy of the whole. */
TESS_API TESS_GIVE tess_array *tess_array_from_callback(tess_ctx *ctx, const tess_array_type *type,
                                                        tess_array_fill *fill, void *env);
/** Creates one from a tensor of DLPack 1 in CPU memory, with any strides. The tensor is copied,
 *  and stays the caller's. */
struct DLManagedTensorVersioned;
TESS_API TESS_GIVE tess_array *
tess_array_from_dlpack(tess_ctx *ctx, const struct DLManagedTensorVersioned *t, const char *spec);
/** Returns a copy of a concrete value as a tensor of DLPack 1, which the caller owns. Its deleter
 *  must be called before the context is released.
 *  @return the tensor, or NULL with an error in the context. */
TESS_API struct DLManagedTensorVersioned *tess_array_to_dlpack(tess_ctx *ctx, const tess_array *v);
/** Releases a concrete value. For a traced value it does nothing: these belong to their
 *  function. */
TESS_API void tess_array_free(TESS_TAKE tess_array *v);
/** Returns how a concrete value is split, "P('X', None)": what its type says, and the Auto axes
 *  that the program named or the compiler chose, which types do not show.
 *  @return the text, or NULL for a traced value. */
TESS_API TESS_GIVE char *tess_array_sharding(const tess_array *v);
/** Gets the whole of a concrete value. `out` is valid as long as the value.
 *  @return false for a traced value. */
TESS_API bool tess_array_tensor(const tess_array *v, tess_tensor *out);

/** Prints a function as the StableHLO that JAX lowers it to, with an sdy.sharding_constraint
 *  after each operation. */
TESS_API TESS_GIVE char *tess_fn_print(tess_fn *fn);
/** Runs a function on the devices of its mesh. It is lowered, propagated and partitioned at the
 *  first call, and again for inputs that are split differently over Auto axes. Concrete values that
 *  its body has captured must still exist.
 *  @param out gets the results, each to release with tess_array_free().
 *  @param cap at least tess_fn_result_count().
 *  @return the number of results; -1 with an error in the context. */
TESS_API int tess_fn_call(tess_fn *fn, tess_array *const *in, size_t n_in, tess_array **out,
                          size_t cap);

#ifdef __cplusplus
}
#endif
#endif
