/* frame.c - where running out of memory unwinds to. */
#include "api/frame.h"

#include "ir/ir.h"

tess_status frame_run(tess_ctx *ctx, frame_fn *fn, void *arg)
{
	if (!ctx)
		return TESS_USAGE;
	if (ctx->frame)
		return fn(ctx, arg); /* a call from inside a call: its frame will do */
	const uint64_t made = modules_made(ctx);
	jmp_buf frame;
	if (setjmp(frame) == 0) {
		ctx->frame = &frame;
		tess_status done = fn(ctx, arg);
		ctx->frame = NULL;
		arena_free(&ctx->scratch);
		return done;
	}
	ctx->frame = NULL;
	modules_free_since(ctx, made);
	arena_free(&ctx->scratch);
	return TESS_NOMEM;
}

arena *frame_text_arena(tess_ctx *ctx)
{
	arena_free(&ctx->text);
	return &ctx->text;
}
