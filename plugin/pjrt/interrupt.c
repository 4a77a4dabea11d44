/* interrupt.c - Ctrl-C ends the programs that run now.
 *
 * Python hears of the signal when its main thread is back from waiting for results, which may be in an
 * hour.  So the signal is noted here first, and then given to whom it was for.  It ends all runs that were
 * called before it, also those that still wait for their turn, and none that is called later. */
#include <signal.h>
#include <tessera/run.h>
#include <time.h>

#include "host.h"
#include "plugin.h"

static atomic_uint interrupts;
static atomic_llong last; /* when the last one came, in milliseconds */
static _Thread_local unsigned seen; /* of the run on this thread, when it was called */
static struct sigaction before;

static long long milliseconds(void) { return (long long)(seconds_now() * 1e3); }

static void note(int signal, siginfo_t *info, void *context)
{
	last = milliseconds();
	interrupts++;
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(signal, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(signal);
}

void tess_pjrt_watch_interrupts(void)
{
	struct sigaction now = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
	struct sigaction old;
	if (sigaction(SIGINT, NULL, &old) != 0 ||
	    ((old.sa_flags & SA_SIGINFO) && old.sa_sigaction == note) ||
	    (!(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL))
		return; /* watched already, or the signal ends the process anyway */
	before = old;
	now.sa_mask = old.sa_mask;
	now.sa_flags |= old.sa_flags & (SA_RESTART | SA_ONSTACK);
	sigaction(SIGINT, &now, NULL);
}

unsigned interrupts_now(void) { return interrupts; }

void run_begins(unsigned interrupts_before) { seen = interrupts_before; }

bool run_may_proceed(void *user, const tess_progress *progress)
{
	(void)user, (void)progress;
	return seen == interrupts;
}

void wait_for_python(void)
{
	const long long looks_every = 200, left = last + looks_every + 100 - milliseconds();
	const struct timespec t = {.tv_nsec = left * 1000000};
	if (left > 0)
		nanosleep(&t, NULL);
}
