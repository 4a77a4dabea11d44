/* ctx.c - the public side of contexts and diagnostics. */
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

size_t tess_diag_count(const tess_ctx *ctx) { return (size_t)diag_count(ctx); }
size_t tess_diag_errors(const tess_ctx *ctx) { return (size_t)diag_errors(ctx); }
void tess_diag_clear(tess_ctx *ctx) { diag_clear(ctx); }

bool tess_diag_get(const tess_ctx *ctx, size_t i, tess_diag *out)
{
	if (i >= (size_t)diag_count(ctx))
		return false;
	const diag *d = diag_at(ctx, (int)i);
	*out = (tess_diag){.severity = d->severity, .code = d->label, .file = d->file,
	                   .line = d->line, .col = d->col, .end_col = d->end_col,
	                   .message = d->message, .line_text = d->line_text};
	return true;
}

typedef struct render_call {
	bool color;
	tess_str out;
} render_call;

static tess_status render_body(tess_ctx *ctx, void *arg)
{
	render_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	diag_render(ctx, &w, c->color);
	c->out = w.len ? writer_str(&w) : STR("");
	return TESS_OK;
}

tess_str tess_diag_render(tess_ctx *ctx, bool color)
{
	render_call c = {.color = color};
	return frame_run(ctx, render_body, &c) == TESS_OK ? c.out : (tess_str){"", 0};
}
