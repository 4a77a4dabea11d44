/* ranks.c - one program on several processes: --backend mpi. */
#include "tess.h"

#include <stdlib.h>
#include <string.h>

/* What launchers tell the processes that they start. */
static bool started_together(void)
{
	static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		const char *n = getenv(counts[i]);
		if (n && atoi(n) > 1)
			return true;
	}
	return false;
}

int backend_check(const command *self, const backend_options *o)
{
	if (o->backend && strcmp(o->backend, "threads") != 0 && strcmp(o->backend, "mpi") != 0)
		return usage_error(self, "--backend %s: threads or mpi was expected", o->backend);
	return -1;
}

tess_status backend_open(tess_ctx *ctx, const backend_options *o, tess_ranks **out)
{
	bool mpi = o->backend ? strcmp(o->backend, "mpi") == 0 : started_together();
	tess_ranks_opts ro = TESS_RANKS_OPTS_INIT;
	ro.patience = (double)o->patience;
	*out = mpi ? tess_ranks_open(ctx, "mpi", &ro) : NULL;
	if (mpi && !*out)
		return TESS_FAILED;
	/* Rank 0 speaks for all. */
	if (*out && tess_ranks_rank(*out) > 0 &&
	    (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
		return TESS_IO;
	return TESS_OK;
}

tess_status backend_close(tess_ctx *ctx, tess_ranks *r, tess_status status)
{
	tess_diag d;
	const char *why = "failed";
	for (size_t i = 0; tess_diag_get(ctx, i, &d); i++)
		if (d.severity == TESS_ERROR)
			why = d.message.ptr;
	/* A comparison that fails is known to rank 0 alone, and is no trouble of the ranks. */
	bool broken = status != TESS_OK && (status != TESS_FAILED || tess_diag_errors(ctx));
	bool leads = backend_leads(r);
	tess_status closed = tess_ranks_close(r, broken ? why : NULL);
	/* The launcher would end rank 0 for another's exit status, before it has spoken. */
	return !leads ? TESS_OK : status == TESS_OK ? closed : status;
}
