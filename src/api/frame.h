/* frame.h - where running out of memory unwinds to.
 *
 * Arena allocation never returns NULL; it jumps to the innermost frame.  So each
 * entry point that allocates is two functions: the body, which may be jumped out
 * of, and the entry, which packs its arguments into a struct:
 *
 *     typedef struct print_call { tess_module *m; tess_str out; } print_call;
 *     static tess_status print_body(tess_ctx *ctx, void *arg) { print_call *c = arg; … }
 *     tess_str tess_module_print(tess_module *m)
 *     {
 *             print_call c = {.m = m};
 *             return frame_run(CTX_OF(m), print_body, &c) == TESS_OK ? c.out : (tess_str){0};
 *     }
 *
 * No lock, file or thread may be held by a body across an arena call, unless it
 * hangs off `arg`, where the entry finds and releases it. */
#ifndef TESS_API_FRAME_H
#define TESS_API_FRAME_H

#include "base/base.h"

typedef tess_status frame_fn(tess_ctx *ctx, void *arg);
/* Calls fn(ctx, arg), then empties the scratch arena.
 * @return what fn returns, or TESS_NOMEM; modules that fn made are then released.  TESS_USAGE if
 * there is no context: for the handle NULL, whose CTX_OF() is NULL. */
tess_status frame_run(tess_ctx *ctx, frame_fn *fn, void *arg);
#define CTX_OF(handle) ((handle) ? (handle)->ctx : NULL)

/* None of n handles is NULL, and there are not too many. */
static inline bool all_there(const void *const *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!p[i])
			return false;
	return n <= INT32_MAX;
}

/* The arena for texts that live "until the next call that returns a text". */
arena *frame_text_arena(tess_ctx *ctx);

#endif
