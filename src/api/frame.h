/* frame.h - where running out of memory unwinds to.
 *
 * Arena allocation never returns NULL; it jumps to the frame of the function of the API that was
 * called.  So each that allocates reads like one of these two:
 *
 *     tess_status tess_module_verify(tess_module *h)
 *     {
 *             frame f;
 *             if (!h)
 *                     return TESS_USAGE;
 *             if (setjmp(*frame_start(&f, h->ctx)) == 0)
 *                     f.status = module_verify(h->m) ? TESS_OK : TESS_INVALID;
 *             return frame_end(&f);
 *     }
 *
 *     const tess_type *tess_type_token(tess_ctx *ctx)
 *     {
 *             frame f;
 *             if (!ctx)
 *                     return NULL;
 *             if (setjmp(*frame_start(&f, ctx)) == 0)
 *                     f.made = type_token(ctx);
 *             return frame_made(&f);
 *     }
 *
 * What stands behind setjmp() may be left at any allocation.  So it sets f.status or f.made last,
 * and changes no other variable of the function; what takes more than a line is a function of its
 * own.  No lock, file or thread may be held across an allocation.  Where something has to be
 * released afterwards whatever happens, frame_run() calls a function with a struct that has it.
 *
 * A call from inside a call (a callback of the user's) unwinds to the frame of the outer one. */
#ifndef TESS_API_FRAME_H
#define TESS_API_FRAME_H

#include "base/base.h"

typedef struct frame {
	tess_ctx *ctx;
	bool outermost;
	uint64_t n_modules; /* made in the context before */
	tess_status status; /* TESS_NOMEM unless it is set */
	const void *made;   /* NULL unless it is set */
	jmp_buf jump;
} frame;

/* Starts a frame; its jump is to be given to setjmp() at once. */
jmp_buf *frame_start(frame *f, tess_ctx *ctx);
/* Ends it: empties the scratch memory and that of texts, and releases modules that were made if
 * memory ran out.
 * @return f->status. */
tess_status frame_end(frame *f);
/* Ends it.  @return f->made, NULL if memory ran out. */
void *frame_made(frame *f);

typedef tess_status frame_fn(tess_ctx *ctx, void *arg);
/* Calls fn(ctx, arg) in a frame.
 * @return what fn returns, or TESS_NOMEM.  TESS_USAGE if there is no context: for the handle NULL,
 * whose CTX_OF() is NULL. */
tess_status frame_run(tess_ctx *ctx, frame_fn *fn, void *arg);
#define CTX_OF(handle) ((handle) ? (handle)->ctx : NULL)

/* A writer whose text lives until the frame ends, whatever becomes of the scratch memory. */
writer text_writer(tess_ctx *ctx);
/* What was written, for tess_text_free(). */
char *text_give(tess_ctx *ctx, const writer *w);

/* Reads options of the caller, whose struct may be of an older version: what it does not have
 * keeps its default.  NULL: all do. */
#define OPTS_READ(into, given)                                                                     \
	((given) ? (void)memcpy(&(into), (given),                                                  \
	                        (given)->struct_size < sizeof(into) ? (given)->struct_size         \
	                                                            : sizeof(into))                \
	         : (void)0)

/* None of n handles is NULL, and there are not too many. */
static inline bool all_there(const void *const *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!p || !p[i])
			return false;
	return n <= INT32_MAX;
}

#endif
