/* progress.c - how far a run is, and Ctrl-C. */
#include "tess.h"

#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* The first Ctrl-C ends the run between two steps, so that what is being written is written
 * whole; a second one kills. */
void progress_begin(tess_exec_opts *o)
{
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
	sigaction(SIGINT, &act, NULL);
	o->proceed = progress_show;
}

bool progress_show(void *user, const tess_progress *p)
{
	const double patience = 1;
	(void)user;
	if (p->seconds > patience && isatty(STDERR_FILENO))
		fprintf(stderr, "\rstep %" PRId64 " of %" PRId64 ", %.1f s\033[K", p->done + 1, p->total,
		        p->seconds);
	return !interrupted;
}

tess_status progress_end(tess_status status)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return interrupted ? TESS_STOPPED : status;
}
