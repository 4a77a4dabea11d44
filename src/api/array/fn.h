/* fn.h - what the public side of array programs shares. */
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
	tess_module *module; /* made when it is first run */
	tess_exec *exec;
	const pspec **placed_in, **placed_out; /* places that it is planned for; NULL: by types */
	uint32_t mark;
};

/* frame_run(), after which no function is left open. */
tess_status array_run(tess_ctx *ctx, frame_fn *fn, void *arg);
/* Reports that a call is wrong; false if there is no context either. */
bool array_usage(tess_ctx *ctx, bool right, const char *what);
/* Whether a mesh, the mesh of a type, may be used in the context; if not, reports an error. */
bool array_mesh_here(tess_ctx *ctx, const tess_mesh *m);
/* The mesh as array programs have it; NULL with a diagnostic.  In a frame. */
const amesh *array_mesh_of(tess_ctx *ctx, const mesh *m);
bool array_type_here(tess_ctx *ctx, const tess_array_type *t);
/* Whether an operation of the context can take the attributes; NULL: there are none. */
bool array_attrs_here(tess_ctx *ctx, const tess_params *a);
/* Whether values lie elsewhere than the function is planned for. */
bool array_places_differ(const tess_fn *fn, tess_array *const *in, size_t n_in);
/* Plans are for the places of these values from now on; false if there is no memory. */
bool array_places_keep(tess_fn *fn, tess_array *const *in, size_t n_in);
/* Finds the places of the results; false once the errors are in the context. */
bool array_places_found(tess_fn *fn);
/* Releases a function at once. */
void array_fn_drop(tess_ctx *ctx, void *handle);
/* Lowers and plans the function, once; `whole`: unpartitioned. */
bool array_fn_prepare(tess_fn *fn, bool whole);
/* The results of the last run as new values; how many, or -1. */
int array_fn_outputs(tess_fn *fn, tess_array **out);
/* Forgets the operations that were run at once. */
void array_eager_free(tess_ctx *ctx);
/* A concrete value of this type with a copy of the data, or zeros; NULL if there is no memory. */
tess_array *array_concrete(tess_ctx *ctx, const tess_array_type *type, const void *data);
/* Runs one operation on concrete values. */
int array_eager(tess_ctx *ctx, const char *op, tess_array *const *in, size_t n_in,
                const tess_params *a, tess_array **out, size_t cap);

/* What takes bodies, on concrete values. */
int array_eager_call(tess_ctx *ctx, const char *what, tess_fn_body *body, void *const *env,
                     size_t n_bodies, tess_array *const *in, size_t n_in, const tess_params *a,
                     tess_array **out, size_t cap);

#endif
