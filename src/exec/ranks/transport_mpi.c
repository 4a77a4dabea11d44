/* transport_mpi.c - messages over MPI.
 *
 * A separate module, the only file that is compiled against mpi.h. Bytes are sent point to point,
 * nonblocking, in pieces below 2 GiB, on a duplicate of MPI_COMM_WORLD. Waiting polls, because
 * meanwhile a rank may report that it failed.
 *
 * Each pair of ranks counts the runs in which both take part, and the count is part of the tags, so
 * that messages left from a run that failed match none of a later one. The number of tags in MPI is
 * limited, so the counts wrap around; before they could match old messages, running ends
 * (TAGS_END). */
#include "exec/ranks/transport.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TAGS = 32768, /* for one run; the last ones are not used by steps */
	TAG_FAIL = 32001,
	TAG_BYE = 32002,
	PIECE = 1 << 30,
	MESSAGE = 480
};
#define TAGS_END                                                                                   \
	"MPI has no tags left after so many runs since one that failed: start the processes again"

/* What a rank says when a run fails, or when it leaves. */
typedef struct mpi_notice {
	uint64_t run; /* counted by the pair; EVERY_RUN: it takes part in no further run */
	char why[MESSAGE];
	struct mpi_notice *next; /* list of sent notices: MPI may read them until the end */
} mpi_notice;
#define EVERY_RUN UINT64_MAX

/* Another rank. */
typedef struct mpi_peer {
	bool with;         /* it takes part in this run */
	uint64_t run;      /* how many runs both have started */
	uint64_t failed;   /* the last of them that failed; 0: none */
	bool lost;         /* it has kept one of them waiting for too long */
	mpi_notice notice; /* the last notice from it; `run` 0: none */
} mpi_peer;

typedef struct mpi_ranks {
	transport t;
	MPI_Comm comm;
	bool finalize; /* MPI was not initialized before */
	int n, cap;
	MPI_Request *requests;
	int *peers; /* [n]: the rank for which a request waits */
	int error;  /* an MPI error, or MPI_ERR_NO_MEM; 0: none */
	int error_peer;
	char *byes;  /* [n_ranks]: memory for close() */
	mpi_peer *others;    /* [n_ranks] */
	mpi_notice *notices; /* the sent ones */
	uint64_t rounds;     /* the number of runs of a pair until its tags wrap around */
} mpi_ranks;

static mpi_ranks *ranks_of(transport *t) { return (mpi_ranks *)t; }

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- moving ------------------------------------------------------------------------ */

static MPI_Request *request_new(mpi_ranks *r, int peer)
{
	if (r->n == r->cap) {
		int cap = r->cap ? 2 * r->cap : 64;
		MPI_Request *requests = realloc(r->requests, sizeof *requests * (size_t)cap);
		r->requests = requests ? requests : r->requests;
		int *peers = realloc(r->peers, sizeof *peers * (size_t)cap);
		r->peers = peers ? peers : r->peers;
		if (!requests || !peers) {
			r->error = MPI_ERR_NO_MEM;
			return NULL;
		}
		r->cap = cap;
	}
	r->peers[r->n] = peer;
	r->requests[r->n] = MPI_REQUEST_NULL;
	return &r->requests[r->n++];
}

static void note_error(mpi_ranks *r, int peer, int error)
{
	if (error != MPI_SUCCESS && !r->error) {
		r->error = error;
		r->error_peer = peer;
	}
}

static int tag_of(const mpi_ranks *r, int peer, int tag)
{
	return tag == TAG_BYE ? tag : tag + TAGS * (int)(r->others[peer].run % r->rounds);
}

static void mpi_send(transport *t, int to, int tag, const void *data, size_t bytes)
{
	mpi_ranks *r = ranks_of(t);
	for (size_t at = 0; at < bytes; at += PIECE) {
		size_t left = bytes - at;
		MPI_Request *q = request_new(r, to);
		if (q)
			note_error(r, to,
			           MPI_Isend((const char *)data + at,
			                     left < PIECE ? (int)left : PIECE, MPI_BYTE, to,
			                     tag_of(r, to, tag), r->comm, q));
	}
}

static void mpi_receive(transport *t, int from, int tag, void *data, size_t bytes)
{
	mpi_ranks *r = ranks_of(t);
	for (size_t at = 0; at < bytes; at += PIECE) {
		size_t left = bytes - at;
		MPI_Request *q = request_new(r, from);
		if (q)
			note_error(r, from,
			           MPI_Irecv((char *)data + at, left < PIECE ? (int)left : PIECE,
			                     MPI_BYTE, from, tag_of(r, from, tag), r->comm, q));
	}
}

/* ---- waiting ----------------------------------------------------------------------- */

static transport_result library_failed(mpi_ranks *r, transport_trouble *trouble)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int len;
	MPI_Error_string(r->error, text, &len);
	trouble->rank = r->error_peer;
	snprintf(trouble->why, sizeof trouble->why, "MPI: %.400s", text);
	return TRANSPORT_FAILED;
}

/* Receives the notices that have arrived. */
static void take_notices(mpi_ranks *r)
{
	int there = 0;
	MPI_Status s;
	while (MPI_Iprobe(MPI_ANY_SOURCE, TAG_FAIL, r->comm, &there, &s) == MPI_SUCCESS && there) {
		mpi_notice *notice = &r->others[s.MPI_SOURCE].notice;
		if (MPI_Recv(notice, (int)offsetof(mpi_notice, next), MPI_BYTE, s.MPI_SOURCE, TAG_FAIL,
		             r->comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return;
		notice->why[MESSAGE - 1] = 0;
	}
}

static bool waits_for(const mpi_ranks *r, int peer)
{
	for (int i = 0; i < r->n; i++)
		if (r->peers[i] == peer && r->requests[i] != MPI_REQUEST_NULL)
			return true;
	return false;
}

/* True for a notice that ends a run with that rank or, if this rank leaves, should be reported. */
static bool is_failure(const mpi_ranks *r, int peer, bool leaving)
{
	const mpi_peer *p = &r->others[peer];
	if (p->notice.run == EVERY_RUN)
		return leaving || (p->with && waits_for(r, peer));
	return p->with && p->run && p->notice.run == p->run;
}

/* True if a rank has reported a failure. A failure of a run is reported once. */
static bool heard_failure(mpi_ranks *r, bool leaving, transport_trouble *trouble)
{
	take_notices(r);
	for (int k = 0; k < r->t.n_ranks; k++) {
		mpi_notice *notice = &r->others[k].notice;
		if (!is_failure(r, k, leaving))
			continue;
		trouble->rank = k;
		snprintf(trouble->why, sizeof trouble->why, "%s", notice->why);
		notice->run = notice->run == EVERY_RUN ? EVERY_RUN : 0;
		return true;
	}
	return false;
}

/* Polls eagerly at first, then less and less often, because others may need the processor. */
static void pause_briefly(int round)
{
	if (round < 256) {
		sched_yield();
		return;
	}
	struct timespec t = {0, round < 4096 ? 20000 : 500000};
	nanosleep(&t, NULL);
}

/* Drops requests. One in progress is waited for, as long as MPI would access its memory; a send
 * that nobody receives stays pending and is abandoned. */
static void forget_requests(mpi_ranks *r)
{
	const double end = now() + 1;
	for (int i = 0; i < r->n; i++) {
		int done = r->requests[i] == MPI_REQUEST_NULL;
		if (!done)
			MPI_Cancel(&r->requests[i]);
		while (!done && MPI_Test(&r->requests[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
		       !done && now() < end)
			sched_yield();
		if (!done)
			MPI_Request_free(&r->requests[i]);
	}
	r->n = 0;
}

static int first_pending(const mpi_ranks *r)
{
	for (int i = 0; i < r->n; i++)
		if (r->requests[i] != MPI_REQUEST_NULL)
			return r->peers[i];
	return r->t.rank;
}

static int count_pending(mpi_ranks *r)
{
	int pending = 0;
	for (int i = 0; i < r->n; i++) {
		int done = r->requests[i] == MPI_REQUEST_NULL;
		if (!done)
			note_error(r, r->peers[i],
			           MPI_Test(&r->requests[i], &done, MPI_STATUS_IGNORE));
		pending += !done;
	}
	return pending;
}

/* `leaving`: this rank takes part in no further run; `deaf`: it does not read notices, either. */
static transport_result wait_patiently(mpi_ranks *r, double patience, bool leaving, bool deaf,
                                       transport_trouble *trouble)
{
	double since = now();
	int left = r->n;
	for (int round = 0; left || r->error; round++) {
		int pending = r->error ? left : count_pending(r);
		if (r->error) {
			forget_requests(r);
			return library_failed(r, trouble);
		}
		if (pending < left)
			since = now(), round = 0;
		left = pending;
		if (!left)
			break;
		if (!deaf && heard_failure(r, leaving, trouble)) {
			forget_requests(r);
			return TRANSPORT_FAILED;
		}
		if (!deaf && round % 64 == 63 && r->t.proceed && !r->t.proceed(r->t.user)) {
			forget_requests(r);
			return TRANSPORT_STOPPED;
		}
		if (patience > 0 && round > 256 && now() - since > patience) {
			trouble->rank = first_pending(r);
			snprintf(trouble->why, sizeof trouble->why, "silent for %.0f seconds",
			         patience);
			forget_requests(r);
			return TRANSPORT_TIMEOUT;
		}
		pause_briefly(round);
	}
	r->n = 0;
	return TRANSPORT_DONE;
}

/* The reason why there is no further run with a rank, or NULL. */
static const char *why_never(const mpi_ranks *r, const mpi_peer *p)
{
	if (!p->with)
		return NULL;
	if (p->lost)
		return "it was silent for too long in an earlier run";
	return p->failed && p->run > p->failed && p->run - p->failed >= r->rounds - 1 ? TAGS_END : NULL;
}

static transport_result mpi_wait(transport *t, transport_trouble *trouble)
{
	mpi_ranks *r = ranks_of(t);
	for (int k = 0; k < t->n_ranks; k++) {
		const char *why = why_never(r, &r->others[k]);
		if (!why)
			continue;
		forget_requests(r);
		trouble->rank = k;
		snprintf(trouble->why, sizeof trouble->why, "%s", why);
		return TRANSPORT_FAILED;
	}
	transport_result result = wait_patiently(r, t->patience, false, false, trouble);
	if (result == TRANSPORT_TIMEOUT)
		r->others[trouble->rank].lost = true;
	for (int k = 0; k < t->n_ranks && result != TRANSPORT_DONE; k++)
		if (r->others[k].with)
			r->others[k].failed = r->others[k].run;
	return result;
}

static void mpi_begin(transport *t, const bool *with)
{
	mpi_ranks *r = ranks_of(t);
	for (int k = 0; k < t->n_ranks; k++) {
		r->others[k].with = k != t->rank && (!with || with[k]);
		r->others[k].run += r->others[k].with;
	}
}

/* Small enough to be sent at once; the memory stays until close(). */
static void send_notice(mpi_ranks *r, int to, uint64_t run, const char *why)
{
	mpi_notice *notice = calloc(1, sizeof *notice);
	MPI_Request q;
	if (!notice)
		return;
	notice->run = run;
	snprintf(notice->why, sizeof notice->why, "%s", why);
	notice->next = r->notices;
	r->notices = notice;
	if (MPI_Isend(notice, (int)offsetof(mpi_notice, next), MPI_BYTE, to, TAG_FAIL, r->comm, &q) ==
	    MPI_SUCCESS)
		MPI_Request_free(&q);
}

static void mpi_fail(transport *t, const char *why)
{
	mpi_ranks *r = ranks_of(t);
	for (int k = 0; k < t->n_ranks; k++) {
		if (!r->others[k].with)
			continue;
		r->others[k].failed = r->others[k].run;
		send_notice(r, k, r->others[k].run, why);
	}
}

static void mpi_leave(transport *t, const char *why)
{
	for (int k = 0; k < t->n_ranks; k++)
		if (k != t->rank)
			send_notice(ranks_of(t), k, EVERY_RUN, why);
}

/* ---- starting --------------------------------------------------------------------------- */

/* MPI_Init_thread() returns once all ranks have called it, so a rank that was stopped or hangs
 * before would keep the others waiting forever. So a thread calls it, and this thread only waits
 * for a limited time. */
typedef struct mpi_start {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done, abandoned; /* whichever thread sees the other's flag releases it */
	int error;
} mpi_start;

static void start_release(mpi_start *s)
{
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static void *start_thread(void *arg)
{
	mpi_start *s = arg;
	int provided;
	/* calls come from another thread, one at a time */
	int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
	pthread_mutex_lock(&s->lock);
	s->error = error;
	s->done = true;
	bool abandoned = s->abandoned;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (abandoned)
		start_release(s);
	return NULL;
}

static mpi_start *start_new(void)
{
	mpi_start *s = calloc(1, sizeof *s);
	pthread_t thread;
	if (!s)
		return NULL;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	if (pthread_create(&thread, NULL, start_thread, s) == 0) {
		pthread_detach(thread);
		return s;
	}
	start_release(s);
	return NULL;
}

/* Initializes MPI within this many seconds; 0: no limit. */
static bool mpi_init(double seconds, char *why, size_t why_bytes)
{
	mpi_start *s = start_new();
	struct timespec end;
	if (!s) {
		snprintf(why, why_bytes, "starting a thread failed");
		return false;
	}
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += (time_t)seconds;
	pthread_mutex_lock(&s->lock);
	int late = 0;
	while (!s->done && !late)
		late = seconds > 0 ? pthread_cond_timedwait(&s->changed, &s->lock, &end)
		                   : pthread_cond_wait(&s->changed, &s->lock);
	bool done = s->done, good = done && s->error == MPI_SUCCESS;
	s->abandoned = true;
	pthread_mutex_unlock(&s->lock);
	if (done)
		start_release(s);
	if (!done)
		snprintf(why, why_bytes, "MPI has not started within %.0f seconds: a rank is silent",
		         seconds);
	else if (!good)
		snprintf(why, why_bytes, "MPI_Init_thread failed");
	return good;
}

/* ---- opening and closing --------------------------------------------------------------- */

static void release(mpi_ranks *r)
{
	free(r->requests);
	free(r->peers);
	free(r->byes);
	free(r->others);
	for (mpi_notice *n = r->notices, *next; n; n = next) {
		next = n->next;
		free(n);
	}
	pthread_mutex_destroy(&r->t.turn);
	free(r);
}

/* Waits for all ranks, so that none exits while another still needs its data. */
static transport_result mpi_close(transport *t, bool failed, transport_trouble *trouble)
{
	mpi_ranks *r = ranks_of(t);
	char bye = 0;
	if (failed)
		forget_requests(r);
	r->error = 0;
	for (int k = 0; k < t->n_ranks; k++)
		if (k != t->rank) {
			mpi_receive(t, k, TAG_BYE, r->byes + k, 1);
			mpi_send(t, k, TAG_BYE, &bye, 1);
		}
	double patience = failed && t->patience > 10 ? 10 : t->patience;
	transport_result result = wait_patiently(r, patience, true, failed, trouble);
	if (result == TRANSPORT_DONE && !failed && heard_failure(r, true, trouble))
		result = TRANSPORT_FAILED;
	/* A rank that does not say goodbye would keep MPI_Finalize() waiting forever; without that
	 * call the launcher ends the others once this rank has exited. */
	if (result != TRANSPORT_TIMEOUT && r->finalize) {
		MPI_Comm_free(&r->comm);
		MPI_Finalize();
	}
	release(r);
	return result;
}

/* MPI defines the largest tag, at least 32767. */
static uint64_t count_rounds(MPI_Comm comm)
{
	int *greatest = NULL, there = 0;
	const bool known = MPI_Comm_get_attr(comm, MPI_TAG_UB, &greatest, &there) == MPI_SUCCESS && there;
	const uint64_t rounds = known ? ((uint64_t)*greatest + 1) / TAGS : 1;
	return rounds ? rounds : 1;
}

static transport *open_failed(mpi_ranks *r, const char *what, char *why, size_t why_bytes)
{
	snprintf(why, why_bytes, "%s failed", what);
	if (r)
		release(r);
	return NULL;
}

__attribute__((visibility("default"))) transport_open_fn tess_transport_open;

transport *tess_transport_open(double patience, char *why, size_t why_bytes)
{
	/* resolving names and connecting takes some time on slow machines */
	enum { START_UP = 30 };
	int there = 0, gone = 0;
	MPI_Initialized(&there);
	MPI_Finalized(&gone);
	if (gone)
		return open_failed(NULL, "MPI has been finalized; opening it again", why,
		                   why_bytes);
	if (!there && !mpi_init(patience > 0 ? patience + START_UP : 0, why, why_bytes))
		return NULL;
	mpi_ranks *r = calloc(1, sizeof *r);
	if (!r || MPI_Comm_dup(MPI_COMM_WORLD, &r->comm) != MPI_SUCCESS)
		return open_failed(r, "MPI_Comm_dup", why, why_bytes);
	MPI_Comm_set_errhandler(r->comm, MPI_ERRORS_RETURN);
	r->finalize = !there;
	MPI_Comm_rank(r->comm, &r->t.rank);
	MPI_Comm_size(r->comm, &r->t.n_ranks);
	r->byes = calloc((size_t)r->t.n_ranks, 1);
	r->others = calloc((size_t)r->t.n_ranks, sizeof *r->others);
	if (!r->byes || !r->others)
		return open_failed(r, "allocating memory", why, why_bytes);
	for (int k = 0; k < r->t.n_ranks; k++)
		r->others[k].with = k != r->t.rank;
	r->rounds = count_rounds(r->comm);
	r->t.patience = patience;
	pthread_mutex_init(&r->t.turn, NULL);
	r->t.begin = mpi_begin;
	r->t.send = mpi_send;
	r->t.receive = mpi_receive;
	r->t.wait = mpi_wait;
	r->t.fail = mpi_fail;
	r->t.leave = mpi_leave;
	r->t.close = mpi_close;
	return &r->t;
}
