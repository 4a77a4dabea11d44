/* handle.h - detects the use of freed handles.
 *
 * In debug builds the memory of the most recently freed handles is kept and marked, so that their
 * use is reported instead of being undefined. In release builds it is freed at once. */
#ifndef TESS_API_HANDLE_H
#define TESS_API_HANDLE_H

#include "base/base.h"

enum { HANDLE_ALIVE = 0x41C1, HANDLE_FREED = 0xDEAD };

/* Frees a handle whose mark is *mark; returns false, with a diagnostic, if it was freed before.
 * `drop` is called now or later. */
typedef void handle_drop(tess_ctx *ctx, void *handle);
bool handle_free(tess_ctx *ctx, void *handle, uint32_t *mark, const char *what, handle_drop *drop);
/* True if the handle may be used; otherwise reports that `what` has been freed. */
bool handle_alive(tess_ctx *ctx, uint32_t mark, const char *what);
/* Frees the memory that was kept. */
void handles_forget(tess_ctx *ctx);

#endif
