/* transport_tcp.c - messages over TCP.
 *
 * Each pair of ranks has one connection. A thread reads from all of them and writes what could not
 * be written at once; threads that run programs post what they send and expect, and wait.
 *
 * The thread sends a sign of life once a second, whatever this rank's other threads do. If a rank
 * has ended, the others know at once, because its connections close. If it is stopped, or its
 * machine is gone, it falls silent. In both cases it is given up for good. A rank that is alive but
 * does not join the run ends the wait after `patience`. */
#include "exec/ranks/tcp.h"

#include "base/base.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	SILENCE = 30, /* in seconds; at most the patience */
	FAREWELL = 10 /* seconds that close() waits after a failure */
};

typedef struct tcp_ranks {
	transport t;
	pthread_mutex_t lock; /* for everything below */
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread, ends;
	bool has_left; /* and the others know it */
	int wake[2]; /* a pipe that wakes the thread */
	int pending; /* messages that wait() waits for, also from ranks that are gone */
	uint64_t progress;
	double silence, linger;
	peer *peers;          /* [n_ranks]; this rank's own is unused */
	struct pollfd *polls; /* [n_ranks + 1] */
} tcp_ranks;

static tcp_ranks *tcp_of(transport *t) { return (tcp_ranks *)t; }

static bool is_other(const tcp_ranks *r, int k) { return k != r->t.rank; }

/* ---- the thread ------------------------------------------------------------------------ */

static void wake_thread(tcp_ranks *r)
{
	if (write(r->wake[1], "", 1) < 0)
		return; /* the pipe is full: the thread will wake anyway */
}

static void set_polls(tcp_ranks *r)
{
	for (int k = 0; k < r->t.n_ranks; k++) {
		const peer *p = &r->peers[k];
		short events = peer_is_ahead(p) ? 0 : POLLIN;
		if (p->out.first)
			events |= POLLOUT;
		r->polls[k] = (struct pollfd){p->socket, events, 0};
	}
	r->polls[r->t.n_ranks] = (struct pollfd){r->wake[0], POLLIN, 0};
}

/* Checks that the rank is alive, and sends it a sign of life. */
static void keep_alive(tcp_ranks *r, peer *p, double now)
{
	char why[80];
	if (p->socket < 0 || p->left)
		return;
	if (now - p->spoken > 1 && !p->out.first && !r->ends)
		peer_send(p, MESSAGE_BEAT, 0, NULL, 0, false);
	if (r->silence > 0 && now - p->heard > r->silence && !peer_is_ahead(p)) {
		snprintf(why, sizeof why, "silent for %.0f seconds", r->silence);
		peer_goes(p, why);
	}
}

/* Everything that a rank has sent is read before it is considered silent: this process may have
 * been stopped. */
static void serve(tcp_ranks *r)
{
	for (int k = 0; k < r->t.n_ranks; k++) {
		peer *p = &r->peers[k];
		if (!is_other(r, k) || p->socket < 0)
			continue;
		if (!peer_is_ahead(p))
			peer_read(p);
		peer_write(p);
		keep_alive(r, p, tcp_now());
	}
	pthread_cond_broadcast(&r->changed);
}

static void *run_thread(void *arg)
{
	tcp_ranks *r = arg;
	char woken[64];
	pthread_mutex_lock(&r->lock);
	while (!r->ends) {
		set_polls(r);
		pthread_mutex_unlock(&r->lock);
		poll(r->polls, (nfds_t)r->t.n_ranks + 1, 500);
		if (r->polls[r->t.n_ranks].revents && read(r->wake[0], woken, sizeof woken) < 0)
			woken[0] = 0; /* nothing to read: another thread's wake-up */
		pthread_mutex_lock(&r->lock);
		serve(r);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* ---- moving ---------------------------------------------------------------------------- */

static void tcp_begin(transport *t, const bool *with)
{
	tcp_ranks *r = tcp_of(t);
	pthread_mutex_lock(&r->lock);
	for (int k = 0; k < t->n_ranks; k++) {
		peer *p = &r->peers[k];
		p->with = is_other(r, k) && (!with || with[k]);
		if (p->with)
			peer_begin_run(p);
	}
	pthread_mutex_unlock(&r->lock);
}

static void tcp_send(transport *t, int to, int tag, const void *data, size_t bytes)
{
	tcp_ranks *r = tcp_of(t);
	pthread_mutex_lock(&r->lock);
	peer_send(&r->peers[to], MESSAGE_DATA, tag, data, bytes, true);
	const bool more = r->peers[to].out.first;
	pthread_mutex_unlock(&r->lock);
	if (more)
		wake_thread(r);
}

static void tcp_receive(transport *t, int from, int tag, void *data, size_t bytes)
{
	tcp_ranks *r = tcp_of(t);
	pthread_mutex_lock(&r->lock);
	const bool ahead = peer_is_ahead(&r->peers[from]);
	peer_receive(&r->peers[from], tag, data, bytes);
	pthread_mutex_unlock(&r->lock);
	if (ahead)
		wake_thread(r);
}

static void tcp_fail(transport *t, const char *why)
{
	tcp_ranks *r = tcp_of(t);
	pthread_mutex_lock(&r->lock);
	for (int k = 0; k < t->n_ranks; k++)
		if (r->peers[k].with)
			peer_send(&r->peers[k], MESSAGE_FAIL, 0, why,
			          strnlen(why, sizeof r->peers[k].failed - 1), false);
	pthread_mutex_unlock(&r->lock);
	wake_thread(r);
}

/* The caller holds the lock. */
static void send_farewell(tcp_ranks *r, const char *why)
{
	for (int k = 0; k < r->t.n_ranks && !r->has_left; k++)
		if (is_other(r, k) && r->peers[k].socket >= 0)
			peer_send(&r->peers[k], MESSAGE_BYE, 0, why,
			          strnlen(why, sizeof r->peers[k].farewell - 1), false);
	r->has_left = true;
}

static void tcp_leave(transport *t, const char *why)
{
	tcp_ranks *r = tcp_of(t);
	pthread_mutex_lock(&r->lock);
	send_farewell(r, why);
	pthread_mutex_unlock(&r->lock);
	wake_thread(r);
}

/* ---- waiting --------------------------------------------------------------------------- */

static bool blame(transport_trouble *trouble, int rank, const char *why)
{
	trouble->rank = rank;
	snprintf(trouble->why, sizeof trouble->why, "%s", why);
	return true;
}

/* Reports a rank that failed before those that left as they should, which may have done so because
 * of it. A failure of a run is reported once. */
static bool find_trouble(tcp_ranks *r, transport_trouble *trouble)
{
	for (int k = 0; k < r->t.n_ranks; k++) {
		const char *why = r->peers[k].with ? peer_trouble(&r->peers[k]) : NULL;
		if (!why)
			continue;
		blame(trouble, k, why);
		r->peers[k].failed[0] = 0;
		return true;
	}
	for (int k = 0; k < r->t.n_ranks; k++)
		if (r->peers[k].with && r->peers[k].left && peer_is_awaited(&r->peers[k])) {
			char why[sizeof r->peers[k].farewell + 20];
			snprintf(why, sizeof why, "it has ended%s%s", r->peers[k].farewell[0] ? ": " : "",
			         r->peers[k].farewell);
			return blame(trouble, k, why);
		}
	return false;
}

static void pause_until_changed(tcp_ranks *r)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 50000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&r->changed, &r->lock, &until);
}

static bool may_go_on(tcp_ranks *r)
{
	if (!r->t.proceed)
		return true;
	pthread_mutex_unlock(&r->lock);
	const bool yes = r->t.proceed(r->t.user);
	pthread_mutex_lock(&r->lock);
	return yes;
}

/* If the patience is about as long as silence is allowed, silence is what counts. */
static transport_result name_the_late(const tcp_ranks *r, double patience, transport_trouble *trouble)
{
	int late = r->t.rank;
	for (int k = r->t.n_ranks; k-- > 0;)
		late = peer_is_awaited(&r->peers[k]) ? k : late;
	const peer *p = &r->peers[late];
	const bool silent = late != r->t.rank && tcp_now() - p->heard > 0.7 * r->silence;
	trouble->rank = late;
	snprintf(trouble->why, sizeof trouble->why,
	         silent ? "silent for %.0f seconds"
	                : "it has not come within %.0f seconds, though it is there", patience);
	return TRANSPORT_TIMEOUT;
}

static transport_result wait_for_messages(tcp_ranks *r, transport_trouble *trouble)
{
	double since = tcp_now();
	const double patience = r->t.patience;
	uint64_t seen = r->progress;
	while (r->pending) {
		if (find_trouble(r, trouble))
			return TRANSPORT_FAILED;
		if (!may_go_on(r))
			return TRANSPORT_STOPPED;
		if (seen != r->progress) {
			seen = r->progress;
			since = tcp_now();
		} else if (patience > 0 && tcp_now() - since > patience) {
			return name_the_late(r, patience, trouble);
		}
		if (r->pending)
			pause_until_changed(r);
	}
	return TRANSPORT_DONE;
}

static transport_result tcp_wait(transport *t, transport_trouble *trouble)
{
	tcp_ranks *r = tcp_of(t);
	pthread_mutex_lock(&r->lock);
	transport_result result = wait_for_messages(r, trouble);
	if (result != TRANSPORT_DONE) {
		for (int k = 0; k < t->n_ranks; k++)
			if (is_other(r, k))
				peer_cancel(&r->peers[k]);
		r->pending = 0;
	}
	pthread_mutex_unlock(&r->lock);
	return result;
}

/* ---- closing --------------------------------------------------------------------------- */

static void tcp_release(tcp_ranks *r)
{
	if (r->has_thread) {
		pthread_mutex_lock(&r->lock);
		r->ends = true;
		pthread_mutex_unlock(&r->lock);
		wake_thread(r);
		pthread_join(r->thread, NULL);
	}
	for (int k = 0; r->peers && k < r->t.n_ranks; k++)
		if (is_other(r, k))
			peer_free(&r->peers[k]);
	if (r->wake[0] >= 0) {
		close(r->wake[0]);
		close(r->wake[1]);
	}
	pthread_mutex_destroy(&r->lock);
	pthread_mutex_destroy(&r->t.turn);
	pthread_cond_destroy(&r->changed);
	free(r->peers);
	free(r->polls);
	free(r);
}

/* The first rank that has not said goodbye, or has not received ours; -1: none. */
static int first_that_stays(const tcp_ranks *r)
{
	for (int k = 0; k < r->t.n_ranks; k++) {
		const peer *p = &r->peers[k];
		if (is_other(r, k) && p->socket >= 0 && (!p->left || p->out.first))
			return k;
	}
	return -1;
}

static transport_result say_goodbye(tcp_ranks *r, double patience, transport_trouble *trouble)
{
	const double end = tcp_now() + patience;
	for (int k = 0; k < r->t.n_ranks; k++)
		r->peers[k].with = is_other(r, k);
	send_farewell(r, "");
	while (first_that_stays(r) >= 0 && (patience <= 0 || tcp_now() < end))
		pause_until_changed(r);
	if (find_trouble(r, trouble))
		return TRANSPORT_FAILED;
	if (first_that_stays(r) < 0)
		return TRANSPORT_DONE;
	trouble->rank = first_that_stays(r);
	snprintf(trouble->why, sizeof trouble->why, "it has not ended within %.0f seconds", patience);
	return TRANSPORT_TIMEOUT;
}

static transport_result tcp_close(transport *t, bool failed, transport_trouble *trouble)
{
	tcp_ranks *r = tcp_of(t);
	const double most = r->linger > 0 ? r->linger : t->patience;
	const double patience = failed && !(most > 0 && most < FAREWELL) ? FAREWELL : most;
	pthread_mutex_lock(&r->lock);
	transport_result result = say_goodbye(r, patience, trouble);
	pthread_mutex_unlock(&r->lock);
	tcp_release(r);
	return result;
}

/* ---- opening --------------------------------------------------------------------------- */

static tcp_ranks *tcp_new(const transport_opts *o)
{
	tcp_ranks *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	const size_t n = (size_t)o->n_ranks;
	r->t = (transport){.rank = o->rank, .n_ranks = o->n_ranks, .patience = o->patience,
	                   .begin = tcp_begin, .send = tcp_send, .receive = tcp_receive,
	                   .wait = tcp_wait, .fail = tcp_fail, .leave = tcp_leave,
	                   .close = tcp_close};
	r->silence = o->patience > 0 && o->patience < SILENCE ? o->patience : SILENCE;
	r->linger = o->linger;
	r->wake[0] = r->wake[1] = -1;
	pthread_mutex_init(&r->lock, NULL);
	pthread_mutex_init(&r->t.turn, NULL);
	pthread_cond_init(&r->changed, NULL);
	r->peers = calloc(n, sizeof *r->peers);
	r->polls = calloc(n + 1, sizeof *r->polls);
	for (size_t k = 0; r->peers && k < n; k++)
		r->peers[k] = (peer){.socket = -1, .pending = &r->pending, .progress = &r->progress};
	return r;
}

static bool tcp_start(tcp_ranks *r, const int *sockets)
{
	for (int k = 0; k < r->t.n_ranks; k++) {
		r->peers[k].socket = sockets[k];
		r->peers[k].with = is_other(r, k);
		r->peers[k].heard = r->peers[k].spoken = tcp_now();
	}
	if (pipe(r->wake) != 0) {
		r->wake[0] = r->wake[1] = -1;
		return false;
	}
	for (int i = 0; i < 2; i++) {
		fcntl(r->wake[i], F_SETFD, FD_CLOEXEC);
		fcntl(r->wake[i], F_SETFL, O_NONBLOCK);
	}
	r->has_thread = pthread_create(&r->thread, NULL, run_thread, r) == 0;
	return r->has_thread;
}

transport *transport_open_tcp(const transport_opts *o, char *why, size_t why_bytes)
{
	if (!o->put || !o->get || o->rank < 0 || o->rank >= o->n_ranks) {
		snprintf(why, why_bytes, "tcp needs a rank, their number, and a board");
		return NULL;
	}
	tcp_ranks *r = tcp_new(o);
	int *sockets = calloc((size_t)o->n_ranks, sizeof *sockets);
	bool good = r && r->peers && r->polls && sockets;
	if (!good)
		snprintf(why, why_bytes, "there is no memory");
	good = good && tcp_meet(o, sockets, why, why_bytes);
	if (good && !tcp_start(r, sockets)) {
		snprintf(why, why_bytes, "starting a thread failed");
		good = false;
	}
	free(sockets);
	if (!good && r)
		tcp_release(r);
	return good ? &r->t : NULL;
}
