/* transport.h - how processes that run programs together exchange bytes.
 *
 * Ranks are processes; each has some of the virtual devices. All ranks in a run take the same steps
 * in the same order, so messages between two ranks need no name but the number of the step. A
 * transport is opened by name (transport_open()): "tcp" is transport_tcp.c; others are separate
 * modules that are loaded when opened: transport_mpi.c. */
#ifndef TESS_EXEC_RANKS_TRANSPORT_H
#define TESS_EXEC_RANKS_TRANSPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum transport_result {
	TRANSPORT_DONE,
	TRANSPORT_TIMEOUT, /* a rank has kept this one waiting for too long */
	TRANSPORT_FAILED,  /* a rank failed, as it said, or is gone, or the library failed */
	TRANSPORT_STOPPED, /* proceed() returned false */
} transport_result;

typedef struct transport_trouble {
	int rank;      /* the rank that caused it */
	char why[512]; /* its reason, or the library's */
} transport_trouble;

typedef struct transport transport;
struct transport {
	int rank, n_ranks;
	double patience; /* seconds without any progress after which wait() gives up; 0: no limit */
	pthread_mutex_t turn; /* held during a run */
	/* If not NULL: called now and then by wait(), which returns when it returns false. */
	bool (*proceed)(void *user);
	void *user;
	/* Starts a run, in which the ranks of `with` ([n_ranks]; NULL: all) take part and which
	 * they start, too. Anything left of earlier runs with them is dropped. */
	void (*begin)(transport *t, const bool *with);
	/* Start to move `bytes` (any number); the memory belongs to the transport until wait()
	 * returns. Messages between two ranks with one tag (0 to 32000) keep their order. */
	void (*send)(transport *t, int to, int tag, const void *data, size_t bytes);
	void (*receive)(transport *t, int from, int tag, void *data, size_t bytes);
	/* Waits until everything that was started is done. */
	transport_result (*wait)(transport *t, transport_trouble *trouble);
	/* Tells the other ranks of the run, whose next wait() returns with `why`. */
	void (*fail)(transport *t, const char *why);
	/* Tells all other ranks that this one takes part in no further run, and why. */
	void (*leave)(transport *t, const char *why);
	/* Waits for the others to close, too, and releases everything.
	 * @return as wait(): then a rank is known to have failed even if it did so after the last
	 * wait(). */
	transport_result (*close)(transport *t, bool failed, transport_trouble *trouble);
};

typedef struct transport_opts {
	double patience;
	/* For "tcp": */
	int rank, n_ranks;
	const char *host; /* where the others reach this rank; NULL: at any address of the
	                   * machine */
	/* A board on which ranks write texts for each other. get() waits up to this many seconds
	 * for a text and returns it, to be freed, or NULL. */
	bool (*put)(void *user, const char *key, const char *text);
	char *(*get)(void *user, const char *key, double seconds);
	void *user;
	double linger; /* seconds that close() waits for the others; 0: `patience` */
} transport_opts;

/* What a module exports as "tess_transport_open". Returns NULL with `why` set. */
typedef transport *transport_open_fn(double patience, char *why, size_t why_bytes);

/* Opens a transport (beside.c). Starting may take a few seconds longer than `patience`; 0: no
 * limit. Returns NULL with `why` set. */
transport *transport_open(const char *kind, const transport_opts *opts, char *why, size_t why_bytes);
/* transport_tcp.c */
transport *transport_open_tcp(const transport_opts *opts, char *why, size_t why_bytes);

/* Unless devices were assigned to ranks explicitly, they are distributed in order, as evenly as
 * possible; ranks beyond the number of devices have none. */
static inline int transport_busy_ranks(const transport *t, int64_t n_devices)
{
	return n_devices < t->n_ranks ? (int)n_devices : t->n_ranks;
}
static inline int transport_rank_of(const transport *t, int64_t n_devices, int64_t device)
{
	return (int)(((device + 1) * transport_busy_ranks(t, n_devices) - 1) / n_devices);
}
/* For rank + 1: one more than the last device of `rank`. */
static inline int64_t transport_first_device(const transport *t, int64_t n_devices, int rank)
{
	int busy = transport_busy_ranks(t, n_devices);
	return (rank < busy ? rank : busy) * n_devices / busy;
}

#endif
