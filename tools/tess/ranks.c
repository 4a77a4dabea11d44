/* ranks.c - one program on several processes: --backend mpi. */
#include "tess.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
		return usage_error(self, "--backend %s: expected threads or mpi", o->backend);
	return -1;
}

/* Rank 0 speaks for all; the others only of what ends them. */
static bool fall_silent(backend *b)
{
	int voice = dup(STDERR_FILENO);
	b->voice = voice >= 0 ? fdopen(voice, "w") : NULL;
	return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
}

tess_status backend_open(tess_ctx *ctx, const backend_options *o, backend *out)
{
	bool mpi = o->backend ? strcmp(o->backend, "mpi") == 0 : started_together();
	tess_ranks_opts ro = TESS_RANKS_OPTS_INIT;
	ro.patience = (double)o->patience;
	*out = (backend){.ranks = mpi ? tess_ranks_open(ctx, "mpi", &ro) : NULL};
	if (mpi && !out->ranks)
		return TESS_FAILED;
	return backend_leads(out->ranks) || fall_silent(out) ? TESS_OK : TESS_IO;
}

static const char *last_error(tess_ctx *ctx)
{
	tess_diag d;
	const char *why = NULL;
	for (size_t i = 0; tess_diag_get(ctx, i, &d); i++)
		if (d.severity == TESS_SEVERITY_ERROR)
			why = d.message.ptr;
	return why;
}

/* All ranks say why they end, since rank 0 may be the one that does not answer. */
static void speak_once(backend *b, int rank, const char *why)
{
	if (!b->voice || !why)
		return;
	fprintf(b->voice, "tess: rank %d ends: %s\n", rank, why);
	fclose(b->voice);
	b->voice = NULL;
}

tess_status backend_close(tess_ctx *ctx, backend *b, tess_status status)
{
	tess_ranks *r = b->ranks;
	int rank = r ? tess_ranks_rank(r) : 0;
	/* A comparison that fails is known to rank 0 alone, and is no trouble of the ranks. */
	bool broken = status != TESS_OK && (status != TESS_FAILED || tess_diag_errors(ctx));
	const char *why = last_error(ctx);
	if (broken)
		speak_once(b, rank, why);
	tess_status closed = tess_ranks_close(r, !broken ? NULL : why ? why : "failed");
	speak_once(b, rank, last_error(ctx));
	/* A rank that leaves without MPI_Finalize() has the launcher end the others. */
	if (rank > 0 && closed != TESS_OK)
		sleep(1);
	/* The launcher would end rank 0 for another's exit status, before it has spoken. */
	return rank > 0 ? TESS_OK : status == TESS_OK ? closed : status;
}
