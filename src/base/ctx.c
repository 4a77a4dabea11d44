/* ctx.c - the context, which owns everything: there are no globals. */
#include "base/base.h"

#include <stdlib.h>

static const char *const known_names[] = {
#define NAME(id, text) text,
#include "base/names.def"
#undef NAME
};

tess_ctx *ctx_new(const tess_ctx_opts *opts)
{
	tess_ctx_opts o = {.struct_size = sizeof o};
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	if (!o.max_depth)
		o.max_depth = 256;
	if (!o.max_errors)
		o.max_errors = 100;
	tess_ctx boot = {.opts = o};
	tess_ctx *ctx = ctx_realloc(&boot, NULL, sizeof *ctx);
	if (!ctx)
		return NULL;
	memset(ctx, 0, sizeof *ctx);
	ctx->opts = o;
	arena_init(&ctx->perm, ctx);
	arena_init(&ctx->scratch, ctx);
	arena_init(&ctx->diag_mem, ctx);
	arena_init(&ctx->text, ctx);
	jmp_buf frame;
	if (setjmp(frame)) {
		ctx_free(ctx);
		return NULL;
	}
	ctx->frame = &frame;
	for (int i = 0; i < COUNT(known_names); i++)
		name_of_z(ctx, known_names[i]);
	ASSERT(ctx->names.len == N_COUNT); /* names.def has no text twice */
	ctx->frame = NULL;
	return ctx;
}

void ctx_trim(tess_ctx *ctx)
{
	arena_drop_spare(ctx);
	if (ctx->opts.trim)
		ctx->opts.trim(ctx->opts.user);
}

void ctx_free(tess_ctx *ctx)
{
	if (!ctx)
		return;
	arena_free(&ctx->scratch);
	arena_free(&ctx->diag_mem);
	arena_free(&ctx->text);
	arena_free(&ctx->perm);
	arena_drop_spare(ctx);
	ctx_realloc(ctx, ctx, 0);
}
