/* ranks.c - processes that run programs together. */
#include "api/run/ranks.h"

#include "api/frame.h"

#include <tessera/run.h>

struct tess_ranks {
	tess_ctx *ctx;
	transport *t;
};

transport *ranks_transport(const tess_ranks *r) { return r ? r->t : NULL; }

tess_ranks *tess_ranks_open(tess_ctx *ctx, const char *kind, const tess_ranks_opts *opts)
{
	char why[512] = "";
	tess_ranks_opts o = TESS_RANKS_OPTS_INIT;
	OPTS_READ(o, opts);
	const transport_opts to = {.patience = o.patience > 0 ? o.patience : 300, .rank = o.rank,
	                           .n_ranks = o.count, .host = o.host, .put = o.put, .get = o.get,
	                           .user = o.user, .linger = o.linger};
	tess_ranks *r = ctx && kind ? ctx_realloc(ctx, NULL, sizeof *r) : NULL;
	if (!r)
		return NULL;
	*r = (tess_ranks){ctx, transport_open(kind, &to, why, sizeof why)};
	if (!r->t) {
		diag_error(ctx, NOWHERE, E_EXEC_RANK, "%s: %s", kind, why);
		ctx_realloc(ctx, r, 0);
		return NULL;
	}
	return r;
}

int tess_ranks_rank(const tess_ranks *r) { return r ? r->t->rank : -1; }
int tess_ranks_count(const tess_ranks *r) { return r ? r->t->n_ranks : 0; }

void tess_ranks_leave(tess_ranks *r, const char *why)
{
	if (r)
		r->t->leave(r->t, why ? why : "");
}

tess_status tess_ranks_close(tess_ranks *r, const char *failure)
{
	if (!r)
		return TESS_OK;
	tess_ctx *ctx = r->ctx;
	transport_trouble trouble = {0};
	if (failure) {
		r->t->fail(r->t, failure);
		r->t->leave(r->t, failure);
	}
	transport_result result = r->t->close(r->t, failure != NULL, &trouble);
	ctx_realloc(ctx, r, 0);
	if (result == TRANSPORT_DONE || failure)
		return failure ? TESS_FAILED : TESS_OK;
	diag_error(ctx, NOWHERE, E_EXEC_RANK, "rank %d: %s", trouble.rank, trouble.why);
	return TESS_FAILED;
}
