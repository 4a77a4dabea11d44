/* frame.c - where to unwind when memory runs out. */
#include "api/frame.h"

#include "ir/ir.h"

jmp_buf *frame_start(frame *f, tess_ctx *ctx)
{
	f->ctx = ctx;
	f->status = TESS_NOMEM;
	f->made = NULL;
	f->outermost = !ctx->frame;
	f->n_modules = modules_made(ctx);
	if (f->outermost)
		ctx->frame = &f->jump;
	return &f->jump;
}

tess_status frame_end(frame *f)
{
	if (!f->outermost)
		return f->status;
	f->ctx->frame = NULL;
	if (f->ctx->unwound)
		modules_free_since(f->ctx, f->n_modules);
	f->ctx->unwound = false;
	arena_free(&f->ctx->scratch);
	arena_free(&f->ctx->text);
	return f->status;
}

void *frame_made(frame *f)
{
	frame_end(f);
	return (void *)f->made;
}

tess_status frame_run(tess_ctx *ctx, frame_fn *fn, void *arg)
{
	frame f;
	if (!ctx)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = fn(ctx, arg);
	return frame_end(&f);
}
