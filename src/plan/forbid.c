/* forbid.c - collectives that a plan may not have. */
#include "plan/forbid.h"

static bool forbid_one(const char *part, arena *mem, forbidden_list *out)
{
	char op[32], links[8];
	int end = 0, n = sscanf(part, " %31s %n", op, &end);
	forbidden_kind k = {.near = true, .far = true};
	if (n == 1 && part[end]) {
		int more = 0;
		if (sscanf(part + end, "over %7s %n", links, &more) != 1 || part[end + more] ||
		    (strcmp(links, "near") != 0 && strcmp(links, "far") != 0))
			return false;
		k.near = !strcmp(links, "near");
		k.far = !k.near;
	}
	for (int i = 0; n == 1 && i < TRANSFERS; i++)
		if (!strcmp(transfer_words[i], op)) {
			k.op = str_of(transfer_words[i]);
			vec_push(mem, out, k);
			return true;
		}
	return false;
}

static bool forbid_error(tess_ctx *ctx, const char *part)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	for (int i = 0; i < TRANSFERS; i++)
		put_f(&w, "%s%s", i ? ", " : "", transfer_words[i]);
	return diag_error(ctx, NOWHERE, E_PLAN_OPTION,
	                  "'%s' forbids nothing: a collective was expected (%s), then perhaps "
	                  "\"over near\" or \"over far\"",
	                  part, writer_z(&w));
}

bool forbid_parse(tess_ctx *ctx, const char *text, arena *mem, forbidden_list *out)
{
	for (const char *at = text; at; at++) {
		size_t n = strcspn(at, ",");
		const char *part = arena_printf(mem, "%.*s", (int)n, at);
		if (!forbid_one(part, mem, out))
			return forbid_error(ctx, part);
		at += n;
		if (!*at)
			return true;
	}
	return true;
}

bool plan_forbidden(const forbidden_list *l, const plan_cost *c)
{
	for (int i = 0; i < l->len; i++)
		for (int k = 0; k < c->n_traffic; k++)
			if (str_is(l->ptr[i].op, c->traffic[k].op) &&
			    (c->traffic[k].far ? l->ptr[i].far : l->ptr[i].near))
				return true;
	return false;
}
