/* frame.h - where to unwind when memory runs out.
 *
 * Arena allocation never returns NULL; instead it jumps to the frame of the API function that was
 * called. So each API function that allocates looks like one of these:
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
 * The statement after setjmp() may be left at any allocation. So it sets f.status or f.made last,
 * and changes no other variable of the function; anything longer than a line goes into a function
 * of its own. No lock, file or thread may be held across an allocation. If something has to be
 * released afterward in any case, frame_run() calls a function with a struct that holds it.
 *
 * A call from inside a call (a user's callback) unwinds to the frame of the outer one. */
#ifndef TESS_API_FRAME_H
#define TESS_API_FRAME_H

#include "base/base.h"

typedef struct frame {
	tess_ctx *ctx;
	bool outermost;
	uint64_t n_modules; /* created in the context before */
	tess_status status; /* TESS_NOMEM until it is set */
	const void *made;   /* NULL until it is set */
	jmp_buf jump;
} frame;

/* Starts a frame; its jump buffer must be passed to setjmp() at once. */
jmp_buf *frame_start(frame *f, tess_ctx *ctx);
/* Ends it: empties the scratch and text memory and, if memory ran out, frees the modules that were
 * created. @return f->status */
tess_status frame_end(frame *f);
/* Ends it. @return f->made; NULL if memory ran out */
void *frame_made(frame *f);

typedef tess_status frame_fn(tess_ctx *ctx, void *arg);
/* Calls fn(ctx, arg) in a frame. @return what fn returns, or TESS_NOMEM; TESS_USAGE without a
 * context, as CTX_OF() gives for a NULL handle */
tess_status frame_run(tess_ctx *ctx, frame_fn *fn, void *arg);
#define CTX_OF(handle) ((handle) ? (handle)->ctx : NULL)

/* Creates a writer whose text lives until the frame ends, independent of the scratch memory. */
writer text_writer(tess_ctx *ctx);
/* Returns the written text, to be freed with tess_text_free(). */
char *text_give(tess_ctx *ctx, const writer *w);

typedef void print_fn(writer *w, tess_ctx *ctx, const void *what);
/* Calls print() in a frame, and gives its text. NULL if there is no context, or nothing to print. */
char *text_printed(tess_ctx *ctx, const void *what, print_fn *print);

/* Reads the caller's options, whose struct may be of an older version: members that it lacks keep
 * their default. NULL: all do. */
#define OPTS_READ(into, given)                                                                     \
	((given) ? (void)memcpy(&(into), (given),                                                  \
	                        (given)->struct_size < sizeof(into) ? (given)->struct_size         \
	                                                            : sizeof(into))                \
	         : (void)0)

/* True if there are not too many handles, and none is NULL. */
static inline bool all_there(const void *const *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!p || !p[i])
			return false;
	return n <= INT32_MAX;
}

#endif
