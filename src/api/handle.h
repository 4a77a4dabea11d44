/* handle.h - handles that have been given back.
 *
 * In debug builds the memory of the last few is kept, with a mark that says so: their use is
 * then told instead of undefined.  In release builds it is released at once. */
#ifndef TESS_API_HANDLE_H
#define TESS_API_HANDLE_H

#include "base/base.h"

enum { HANDLE_ALIVE = 0x41C1, HANDLE_FREED = 0xDEAD };

/* Gives up a handle whose mark is *mark: false, with a diagnostic, if that was done before.
 * Otherwise `drop` is called now or later. */
typedef void handle_drop(tess_ctx *ctx, void *handle);
bool handle_free(tess_ctx *ctx, void *handle, uint32_t *mark, const char *what, handle_drop *drop);
/* Whether the handle may be used; else reports that `what` has been freed. */
bool handle_alive(tess_ctx *ctx, uint32_t mark, const char *what);
/* Releases what was kept. */
void handles_forget(tess_ctx *ctx);

#endif
