/* progress.c - how far a command is, on a terminal, and Ctrl-C.
 *
 * After a second there is a line that says what is done.  Where the work itself does not say how far it
 * is, a timer writes how long it has taken.  The line goes before anything else is written. */
#include "tess.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t line_there; /* to be taken away */
static volatile sig_atomic_t said;       /* the work has said something in this second */
static const char *at_work = "";         /* the command */
static double begun;

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Ctrl-C ------------------------------------------------------------------------------- */

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

bool progress_interrupted(void) { return interrupted; }

/* ---- the line ----------------------------------------------------------------------------- */

static char *copied(char *to, const char *from)
{
	size_t n = strlen(from);
	memcpy(to, from, n);
	return to + n;
}

/* "report, 12 s"; nothing here may be interrupted itself, so that it writes the digits by itself. */
static void on_second(int signal)
{
	enum { LONGEST_NAME = 32 };
	char line[LONGEST_NAME + 64], digits[24], *end = line;
	int error = errno, n = 0;
	(void)signal;
	if (said) {
		said = 0;
		return;
	}
	for (int64_t s = (int64_t)(seconds_now() - begun + 0.5); s || !n; s /= 10)
		digits[n++] = (char)('0' + s % 10);
	end = copied(end, "\r");
	end = copied(end, at_work);
	end = copied(end, ", ");
	while (n)
		*end++ = digits[--n];
	end = copied(end, " s\033[K");
	line_there = 1;
	if (write(STDERR_FILENO, line, (size_t)(end - line)) < 0)
		line_there = 0;
	errno = error;
}

static void set_timer(long seconds)
{
	const struct itimerval every = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	setitimer(ITIMER_REAL, &every, NULL);
}

void progress_start(const char *name)
{
	struct sigaction act = {.sa_handler = on_second, .sa_flags = SA_RESTART};
	if (!isatty(STDERR_FILENO))
		return;
	at_work = name;
	begun = seconds_now();
	sigaction(SIGALRM, &act, NULL);
	set_timer(1);
}

void progress_stop(void)
{
	if (begun == 0)
		return;
	set_timer(0);
	begun = 0;
	if (line_there)
		fputs("\r\033[K", stderr);
	line_there = 0;
}

void progress_say(const char *fmt, ...)
{
	const double patience = 1, pause = 0.1;
	static double last;
	double now = seconds_now();
	va_list ap;
	if (begun == 0 || now - begun < patience || now - last < pause)
		return;
	last = now;
	said = line_there = 1;
	va_start(ap, fmt);
	fputc('\r', stderr);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\033[K", stderr);
}

/* ---- runs ----------------------------------------------------------------------------------- */

void progress_begin(tess_exec_opts *o)
{
	progress_watch();
	o->proceed = progress_show;
}

bool progress_show(void *user, const tess_progress *p)
{
	const char *what = p->what ? p->what : "", *colon = p->what ? ": " : "";
	(void)user;
	if (p->total)
		progress_say("%s%sstep %" PRId64 " of %" PRId64 ", %.1f s", what, colon, p->done + 1,
		             p->total, p->seconds);
	else
		progress_say("%s%smaking the program, %.1f s", what, colon, p->seconds);
	return !interrupted;
}

tess_status progress_end(tess_status status)
{
	progress_stop();
	return interrupted ? TESS_STOPPED : status;
}

/* ---- reading ------------------------------------------------------------------------------ */

static void reading_show(void *user, size_t done, size_t total)
{
	(void)user;
	if (total >> 20)
		progress_say("reading, %zu of %zu MB", done >> 20, total >> 20);
}

void progress_reading(tess_ctx *ctx)
{
	if (isatty(STDERR_FILENO))
		tess_ctx_on_reading(ctx, reading_show, NULL);
}
