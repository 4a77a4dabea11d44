/* text.c - texts that are the caller's.
 *
 * Each has before it what releases it, so that the caller needs to keep the text alone. */
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
