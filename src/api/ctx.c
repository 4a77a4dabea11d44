/* ctx.c - the public functions of contexts and diagnostics. */
#include "api/array/fn.h"
#include "api/frame.h"

tess_ctx *tess_ctx_new(const tess_ctx_opts *opts) { return ctx_new(opts); }
void tess_ctx_free(tess_ctx *ctx)
{
#ifndef TESS_NO_ARRAY
	array_eager_free(ctx);
#endif
	handles_forget(ctx);
	ctx_free(ctx);
}

size_t tess_diag_count(const tess_ctx *ctx) { return ctx ? (size_t)diag_count(ctx) : 0; }
size_t tess_diag_errors(const tess_ctx *ctx) { return ctx ? (size_t)diag_errors(ctx) : 0; }

void tess_diag_clear(tess_ctx *ctx)
{
	if (ctx)
		diag_clear(ctx);
}

bool tess_diag_get(const tess_ctx *ctx, size_t i, tess_diag *out)
{
	if (i >= tess_diag_count(ctx) || !out)
		return false;
	const diag *d = diag_at(ctx, (int)i);
	*out = (tess_diag){.severity = d->severity, .code = d->label, .file = d->file,
	                   .line = d->line, .col = d->col, .end_col = d->end_col,
	                   .message = d->message, .line_text = d->line_text};
	return true;
}

static char *rendered(tess_ctx *ctx, bool color)
{
	writer w = text_writer(ctx);
	diag_render(ctx, &w, color);
	return text_give(ctx, &w);
}

char *tess_diag_render(tess_ctx *ctx, bool color)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = rendered(ctx, color);
	return frame_made(&f);
}
