/* handle.c - detects the use of freed handles. */
#include "api/handle.h"

#include "array/array.h"

#ifdef NDEBUG
enum { HANDLES_KEPT = 0 };
#else
enum { HANDLES_KEPT = 256 };
#endif

struct kept_handles {
	int next;
	struct kept_handle {
		void *handle;
		handle_drop *drop;
	} slot[HANDLES_KEPT + 1];
};

bool handle_alive(tess_ctx *ctx, uint32_t mark, const char *what)
{
	return mark == HANDLE_ALIVE ||
	       diag_error(ctx, NOWHERE, E_ARRAY_USAGE, "%s is used after it was freed", what);
}

static void kept_drop(tess_ctx *ctx, struct kept_handle *k)
{
	if (k->handle)
		k->drop(ctx, k->handle);
	k->handle = NULL;
}

bool handle_free(tess_ctx *ctx, void *handle, uint32_t *mark, const char *what, handle_drop *drop)
{
	array_state *st = ctx->slot[SLOT_ARRAY];
	if (!handle_alive(ctx, *mark, what))
		return false;
	*mark = HANDLE_FREED;
	if (HANDLES_KEPT > 0 && st && !st->kept &&
	    (st->kept = ctx_realloc(ctx, NULL, sizeof *st->kept)))
		*st->kept = (struct kept_handles){0};
	if (!HANDLES_KEPT || !st || !st->kept) {
		drop(ctx, handle);
		return true;
	}
	struct kept_handle *k = &st->kept->slot[st->kept->next];
	st->kept->next = (st->kept->next + 1) % (HANDLES_KEPT + 1);
	kept_drop(ctx, k);
	*k = (struct kept_handle){handle, drop};
	return true;
}

void handles_forget(tess_ctx *ctx)
{
	array_state *st = ctx ? ctx->slot[SLOT_ARRAY] : NULL;
	if (!st || !st->kept)
		return;
	for (int i = 0; i <= HANDLES_KEPT; i++)
		kept_drop(ctx, &st->kept->slot[i]);
	ctx_realloc(ctx, st->kept, 0);
	st->kept = NULL;
}
