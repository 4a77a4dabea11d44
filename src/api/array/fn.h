/* fn.h - what the public functions of array programs share. */
#ifndef TESS_API_ARRAY_FN_H
#define TESS_API_ARRAY_FN_H

#include "api/frame.h"
#include "api/handle.h"
#include "array/array.h"
#include "sharding/sharding.h"

#include <tessera/array.h>
#include <tessera/run.h>

struct tess_params {
	tess_ctx *ctx;
	uint32_t mark;
	arena mem;
	params list;
};

struct tess_fn {
	tess_ctx *ctx;
	afn *f;
	tess_module *module; /* created when the function is first run */
	tess_exec *exec;
	const pspec **placed_in, **placed_out; /* the placements that it is planned for; NULL: as in
	                                        * the types */
	uint32_t mark;
};

/* Like frame_run(); afterward no function is being traced. */
tess_status array_run(tess_ctx *ctx, frame_fn *fn, void *arg);
/* Reports wrong usage unless `right`; returns false if there is no context either. */
bool array_usage(tess_ctx *ctx, bool right, const char *what);
/* True if a mesh, or the mesh of a type, may be used in the context; otherwise reports an error. */
bool array_mesh_here(tess_ctx *ctx, const tess_mesh *m);
/* Converts a mesh to an array mesh; NULL with a diagnostic. Must be called in a frame. */
const amesh *array_mesh_of(tess_ctx *ctx, const mesh *m);
bool array_type_here(tess_ctx *ctx, const tess_array_type *t);
/* True if operations of the context may use the attributes, which may be NULL. */
bool array_attrs_here(tess_ctx *ctx, const tess_params *a);
/* True if values are placed differently from what the function is planned for. */
bool array_places_differ(const tess_fn *fn, tess_array *const *in, size_t n_in);
/* Records the placements of these values for the next plan; returns false without memory. */
bool array_places_keep(tess_fn *fn, tess_array *const *in, size_t n_in);
/* Finds the placements of the results; returns false with errors in the context. */
bool array_places_found(tess_fn *fn);
/* Frees a function at once. */
void array_fn_drop(tess_ctx *ctx, void *handle);
/* Lowers and plans the function, unless done; `whole`: unpartitioned. */
bool array_fn_prepare(tess_fn *fn, bool whole);
/* Returns the results of the last run as new values; returns their number, or -1. */
int array_fn_outputs(tess_fn *fn, tess_array **out);
/* Drops the table of cached operations. */
void array_eager_free(tess_ctx *ctx);
/* Creates a concrete value of this type with a copy of the data, or zeros; NULL without memory. */
tess_array *array_concrete(tess_ctx *ctx, const tess_array_type *type, const void *data);
/* Runs one operation on concrete values. */
int array_eager(tess_ctx *ctx, const char *op, tess_array *const *in, size_t n_in,
                const tess_params *a, tess_array **out, size_t cap);

/* Runs an operation with bodies on concrete values. */
int array_eager_call(tess_ctx *ctx, const char *what, tess_fn_body *body, void *const *env,
                     size_t n_bodies, tess_array *const *in, size_t n_in, const tess_params *a,
                     tess_array **out, size_t cap);

#endif
