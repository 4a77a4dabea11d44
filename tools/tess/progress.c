/* progress.c - how far a run, or the reading of a text, is, and Ctrl-C. */
#include "tess.h"

#include <inttypes.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* The first Ctrl-C ends the run between two steps, so that what is being written is written
 * whole; a second one kills. */
void progress_watch(void)
{
	struct sigaction act = {.sa_handler = on_interrupt,
	                        .sa_flags = SA_RESTART | (int)SA_RESETHAND};
	sigaction(SIGINT, &act, NULL);
}

void progress_begin(tess_exec_opts *o)
{
	progress_watch();
	o->proceed = progress_show;
}

bool progress_show(void *user, const tess_progress *p)
{
	const double patience = 1;
	(void)user;
	if (p->seconds > patience && isatty(STDERR_FILENO)) {
		fprintf(stderr, "\r%s%s", p->what ? p->what : "", p->what ? ": " : "");
		if (p->total)
			fprintf(stderr, "step %" PRId64 " of %" PRId64 ", ", p->done + 1, p->total);
		else
			fputs("making the program, ", stderr);
		fprintf(stderr, "%.1f s\033[K", p->seconds);
	}
	return !interrupted;
}

tess_status progress_end(tess_status status)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return interrupted ? TESS_STOPPED : status;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* A line that comes after a second, moves five times a second, and goes at the end. */
typedef struct reading_line {
	double begin, shown; /* seconds; 0: not yet */
} reading_line;

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void reading_show(void *user, size_t done, size_t total)
{
	const double patience = 1, pause = 0.2;
	const size_t last = (size_t)1 << 20; /* the next call would be beyond the end */
	reading_line *l = user;
	double now = seconds_now();
	if (done < last)
		*l = (reading_line){.begin = now};
	if (l->shown != 0 && total - done <= last)
		fputs("\r\033[K", stderr);
	else if (now - l->begin > patience && now - l->shown > pause) {
		fprintf(stderr, "\rreading, %zu of %zu MB\033[K", done >> 20, total >> 20);
		l->shown = now;
	}
}

void progress_reading(tess_ctx *ctx)
{
	static reading_line line; /* of the command: it reads one text after the other */
	if (isatty(STDERR_FILENO))
		tess_ctx_on_reading(ctx, reading_show, &line);
}
