/* array_fn.h - what the public side of array programs shares. */
#ifndef TESS_ARRAY_FN_H
#define TESS_ARRAY_FN_H

#include "api/frame.h"
#include "array/array.h"

#include <tessera/array.h>
#include <tessera/run.h>

struct tess_attrs {
	tess_ctx *ctx;
	arena mem;
	params list;
};

struct tess_fn {
	tess_ctx *ctx;
	afn *f;
	tess_module *module; /* made when it is first run */
	tess_exec *exec;
};

/* frame_run(), after which no function is left open. */
tess_status array_run(tess_ctx *ctx, frame_fn *fn, void *arg);
/* Tells that a call is wrong; false if there is no context either. */
bool array_usage(tess_ctx *ctx, bool right, const char *what);
/* Lowers and plans the function, once; `whole`: unpartitioned. */
bool array_fn_prepare(tess_fn *fn, bool whole);
/* The results of the last run as new values; how many, or -1. */
int array_fn_outputs(tess_fn *fn, tess_array **out);
/* Forgets the operations that were run at once. */
void array_eager_free(tess_ctx *ctx);
/* Runs one operation on concrete values. */
int array_eager(tess_ctx *ctx, const char *op, tess_array *const *in, int n_in, const tess_attrs *a,
                tess_array **out, int cap);

/* What takes bodies, on concrete values. */
int array_eager_call(tess_ctx *ctx, const char *what, tess_body *body, void *const *env, int n_bodies,
                     tess_array *const *in, int n_in, const tess_attrs *a, tess_array **out, int cap);

#endif
