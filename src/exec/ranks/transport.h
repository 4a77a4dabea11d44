/* transport.h - how processes that run programs together exchange bytes.
 *
 * Ranks are processes; each has some of the virtual devices.  All that take part in a run
 * take the same steps in the same order, so messages between two ranks need no names
 * but the number of the step.  A transport is opened by name (transport_open()): "tcp" is
 * transport_tcp.c, and others are modules of their own, loaded then: transport_mpi.c. */
#ifndef TESS_EXEC_RANKS_TRANSPORT_H
#define TESS_EXEC_RANKS_TRANSPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum transport_result {
	TRANSPORT_DONE,
	TRANSPORT_TIMEOUT, /* a rank has kept this one waiting for too long */
	TRANSPORT_FAILED,  /* a rank said that it failed, or is gone, or the library failed */
	TRANSPORT_STOPPED, /* proceed() returned false */
} transport_result;

typedef struct transport_trouble {
	int rank;      /* whose fault it is */
	char why[512]; /* what that rank, or the library, says */
} transport_trouble;

typedef struct transport transport;
struct transport {
	int rank, n_ranks;
	double patience; /* seconds without any progress before wait() gives up; 0: no limit */
	pthread_mutex_t turn; /* held by whoever makes a run */
	/* If not NULL: asked now and then by wait(), which false ends. */
	bool (*proceed)(void *user);
	void *user;
	/* A run begins; the ranks of `with` ([n_ranks]; NULL: all) take part in it and begin it, too.
	 * What is left of earlier runs between them is forgotten. */
	void (*begin)(transport *t, const bool *with);
	/* Begin to move `bytes` (any number); the memory is the transport's until wait()
	 * returns.  Messages of one pair of ranks and one tag (0 to 32000) keep their order. */
	void (*send)(transport *t, int to, int tag, const void *data, size_t bytes);
	void (*receive)(transport *t, int from, int tag, void *data, size_t bytes);
	/* Until all that was begun is done. */
	transport_result (*wait)(transport *t, transport_trouble *trouble);
	/* Tells the others of the run, whose next wait() ends with it. */
	void (*fail)(transport *t, const char *why);
	/* Tells all others that this rank takes part in no run any more, and why. */
	void (*leave)(transport *t, const char *why);
	/* Waits for the others to close, too, and releases everything.
	 * @return as wait(): a rank that failed after the last wait() is known then. */
	transport_result (*close)(transport *t, bool failed, transport_trouble *trouble);
};

typedef struct transport_opts {
	double patience;
	/* Of "tcp": */
	int rank, n_ranks;
	const char *host; /* where the others reach this rank; NULL: at any address of the machine */
	/* A board on which ranks leave texts for each other.  get() waits so many seconds for one,
	 * and gives what is to be freed, or NULL. */
	bool (*put)(void *user, const char *key, const char *text);
	char *(*get)(void *user, const char *key, double seconds);
	void *user;
	double linger; /* seconds that close() waits for the others; 0: `patience` */
} transport_opts;

/* What a module exports as "tess_transport_open".  NULL: `why` says why. */
typedef transport *transport_open_fn(double patience, char *why, size_t why_bytes);

/* beside.c.  Starting takes some seconds more than `patience` at most; 0: no limit.
 * NULL: `why` says why not. */
transport *transport_open(const char *kind, const transport_opts *opts, char *why, size_t why_bytes);
/* transport_tcp.c */
transport *transport_open_tcp(const transport_opts *opts, char *why, size_t why_bytes);

/* Unless devices have been given to ranks by name, they are dealt out in order, as evenly as can be;
 * ranks beyond the number of devices have none. */
static inline int transport_busy_ranks(const transport *t, int64_t n_devices)
{
	return n_devices < t->n_ranks ? (int)n_devices : t->n_ranks;
}
static inline int transport_rank_of(const transport *t, int64_t n_devices, int64_t device)
{
	return (int)(((device + 1) * transport_busy_ranks(t, n_devices) - 1) / n_devices);
}
/* One behind the last for rank + 1. */
static inline int64_t transport_first_device(const transport *t, int64_t n_devices, int rank)
{
	int busy = transport_busy_ranks(t, n_devices);
	return (rank < busy ? rank : busy) * n_devices / busy;
}

#endif
