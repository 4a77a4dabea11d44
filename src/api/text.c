/* text.c - texts that the caller owns, and their formats.
 *
 * Each is preceded by what is needed to free it, so that the caller only keeps the text. */
#include "api/format.h"
#include "api/frame.h"

#include <stdlib.h>

typedef struct text_head {
	void *(*realloc)(void *user, void *old, size_t size);
	void *user;
	char text[];
} text_head;

writer text_writer(tess_ctx *ctx)
{
	writer w;
	writer_init(&w, &ctx->text);
	return w;
}

char *text_give(tess_ctx *ctx, const writer *w)
{
	text_head *h = ctx_realloc(ctx, NULL, sizeof *h + w->len + 1);
	if (!h)
		ctx_unwind(ctx);
	h->realloc = ctx->opts.realloc;
	h->user = ctx->opts.user;
	if (w->len)
		memcpy(h->text, w->ptr, w->len);
	h->text[w->len] = '\0';
	return h->text;
}

static char *printed(tess_ctx *ctx, const void *what, print_fn *print)
{
	writer w = text_writer(ctx);
	print(&w, ctx, what);
	return text_give(ctx, &w);
}

char *text_printed(tess_ctx *ctx, const void *what, print_fn *print)
{
	frame f;
	if (!ctx || !what)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = printed(ctx, what, print);
	return frame_made(&f);
}

void tess_text_free(char *text)
{
	if (!text)
		return;
	text_head *h = (text_head *)(text - offsetof(text_head, text));
	if (h->realloc)
		h->realloc(h->user, h, 0);
	else
		free(h);
}

/* ---- formats -------------------------------------------------------------------------------- */

static const char *const format_names[] = {
	[TESS_FORMAT_TEXT] = "TEXT", [TESS_FORMAT_COLOR] = "COLOR", [TESS_FORMAT_JSON] = "JSON",
	[TESS_FORMAT_HTML] = "HTML", [TESS_FORMAT_SARIF] = "SARIF",
};

tess_status format_check(tess_ctx *ctx, tess_format f, unsigned has, const char *what)
{
	writer w;
	bool known = (unsigned)f < COUNT(format_names);
	if (known && has & FORMAT_BIT(f))
		return TESS_OK;
	writer_init(&w, &ctx->scratch);
	for (unsigned i = 0; i < COUNT(format_names); i++)
		if (has & FORMAT_BIT(i))
			put_f(&w, "%s%s", w.len ? ", " : "", format_names[i]);
	if (known)
		diag_error(ctx, NOWHERE, E_FORMAT, "%s has no format %s; it has %s", what,
		           format_names[f], writer_z(&w));
	else
		diag_error(ctx, NOWHERE, E_FORMAT, "there is no format %d; %s has %s", (int)f, what,
		           writer_z(&w));
	return TESS_USAGE;
}
