/* transport_mpi.c - messages over MPI.
 *
 * A module of its own, the only file that is compiled against mpi.h.  Bytes go point to
 * point and nonblocking, in pieces below 2 GiB, on a duplicate of MPI_COMM_WORLD.
 * Waiting means testing, because meanwhile a rank may say that it failed. */
#include "exec/ranks/transport.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_FAIL = 32001, TAG_BYE = 32002, PIECE = 1 << 30, MESSAGE = 480 };

typedef struct mpi_ranks {
	transport t;
	MPI_Comm comm;
	bool finalize; /* MPI was not initialised before */
	int n, cap;
	MPI_Request *requests;
	int *peers; /* [n]: whom a request waits for */
	int error;  /* of MPI, or MPI_ERR_NO_MEM; 0: none */
	int error_peer;
	char *farewells; /* [n_ranks][MESSAGE]: memory of fail() and close() */
	transport_trouble broken; /* what ended a run: messages of it may be on their way still */
	bool is_broken;
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

static void mpi_send(transport *t, int to, int tag, const void *data, size_t bytes)
{
	mpi_ranks *r = ranks_of(t);
	for (size_t at = 0; at < bytes; at += PIECE) {
		size_t left = bytes - at;
		MPI_Request *q = request_new(r, to);
		if (q)
			note_error(r, to,
			           MPI_Isend((const char *)data + at,
			                     left < PIECE ? (int)left : PIECE, MPI_BYTE, to, tag,
			                     r->comm, q));
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
			                     MPI_BYTE, from, tag, r->comm, q));
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

/* True if a rank has said that it failed. */
static bool heard_failure(mpi_ranks *r, transport_trouble *trouble)
{
	int there = 0, n = 0;
	MPI_Status s;
	if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_FAIL, r->comm, &there, &s) != MPI_SUCCESS || !there)
		return false;
	MPI_Get_count(&s, MPI_BYTE, &n);
	char text[MESSAGE + 1] = "";
	if (n > MESSAGE || MPI_Recv(text, n, MPI_BYTE, s.MPI_SOURCE, TAG_FAIL, r->comm,
	                            MPI_STATUS_IGNORE) != MPI_SUCCESS)
		return false;
	trouble->rank = s.MPI_SOURCE;
	snprintf(trouble->why, sizeof trouble->why, "%s", text);
	return true;
}

/* At first eagerly, then ever more rarely: others may need the processor. */
static void pause_briefly(int round)
{
	if (round < 256) {
		sched_yield();
		return;
	}
	struct timespec t = {0, round < 4096 ? 20000 : 500000};
	nanosleep(&t, NULL);
}

/* Drops requests that will never complete. */
static void forget_requests(mpi_ranks *r)
{
	for (int i = 0; i < r->n; i++)
		if (r->requests[i] != MPI_REQUEST_NULL) {
			MPI_Cancel(&r->requests[i]);
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

static transport_result wait_patiently(mpi_ranks *r, double patience, bool listen,
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
		if (listen && heard_failure(r, trouble)) {
			forget_requests(r);
			return TRANSPORT_FAILED;
		}
		if (listen && round % 64 == 63 && r->t.proceed && !r->t.proceed(r->t.user)) {
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

/* After a run that has failed there is none. */
static transport_result mpi_wait(transport *t, transport_trouble *trouble)
{
	mpi_ranks *r = ranks_of(t);
	if (r->is_broken) {
		forget_requests(r);
		*trouble = r->broken;
		return TRANSPORT_FAILED;
	}
	transport_result result = wait_patiently(r, t->patience, true, trouble);
	r->is_broken = result != TRANSPORT_DONE;
	r->broken = *trouble;
	return result;
}

static void mpi_begin(transport *t, const bool *with)
{
	(void)t; /* messages keep their order from run to run */
	(void)with;
}

static void mpi_fail(transport *t, const char *why)
{
	mpi_ranks *r = ranks_of(t);
	int n = (int)strnlen(why, MESSAGE);
	if (!r->is_broken) {
		r->broken = (transport_trouble){.rank = t->rank};
		memcpy(r->broken.why, why, (size_t)n);
		r->is_broken = true;
	}
	memcpy(r->farewells, why, (size_t)n);
	for (int k = 0; k < t->n_ranks; k++) {
		MPI_Request q; /* small enough to go at once; the memory stays until close() */
		if (k != t->rank &&
		    MPI_Isend(r->farewells, n, MPI_BYTE, k, TAG_FAIL, r->comm, &q) == MPI_SUCCESS)
			MPI_Request_free(&q);
	}
}

/* ---- starting --------------------------------------------------------------------------- */

/* MPI_Init_thread() returns once all ranks have called it: one that was stopped or hangs before
 * would keep the others for ever.  So a thread calls it, and this one waits for so long only. */
typedef struct mpi_start {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done, abandoned; /* the last to see the other releases it */
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
	/* Calls come from another thread, one at a time. */
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

/* Initialises MPI within so many seconds; 0: takes what it takes. */
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
	free(r->farewells);
	pthread_mutex_destroy(&r->t.turn);
	free(r);
}

/* Waits for all ranks, so that none leaves while another still needs its data. */
static transport_result mpi_close(transport *t, bool failed, transport_trouble *trouble)
{
	mpi_ranks *r = ranks_of(t);
	char bye = 0, *byes = r->farewells + MESSAGE;
	if (failed)
		forget_requests(r);
	r->error = 0;
	for (int k = 0; k < t->n_ranks; k++)
		if (k != t->rank) {
			mpi_receive(t, k, TAG_BYE, byes + k, 1);
			mpi_send(t, k, TAG_BYE, &bye, 1);
		}
	double patience = failed && t->patience > 10 ? 10 : t->patience;
	transport_result result = wait_patiently(r, patience, !failed, trouble);
	if (result == TRANSPORT_DONE && !failed && heard_failure(r, trouble))
		result = TRANSPORT_FAILED;
	/* One that does not say goodbye would keep MPI_Finalize() waiting for ever; without it
	 * the launcher ends the others, once this rank has left. */
	if (result != TRANSPORT_TIMEOUT && r->finalize) {
		MPI_Comm_free(&r->comm);
		MPI_Finalize();
	}
	release(r);
	return result;
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
	/* to resolve names and connect takes some time on slow machines */
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
	r->farewells = calloc((size_t)r->t.n_ranks + MESSAGE, 1);
	if (!r->farewells)
		return open_failed(r, "allocating memory", why, why_bytes);
	r->t.patience = patience;
	pthread_mutex_init(&r->t.turn, NULL);
	r->t.begin = mpi_begin;
	r->t.send = mpi_send;
	r->t.receive = mpi_receive;
	r->t.wait = mpi_wait;
	r->t.fail = mpi_fail;
	r->t.leave = mpi_fail;
	r->t.close = mpi_close;
	return &r->t;
}
