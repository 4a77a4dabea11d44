/* transport.h - how processes that run one program together exchange bytes.
 *
 * Ranks are processes; each has some of the virtual devices.  All
 * take the same steps in the same order, so messages between two ranks need no names
 * but the number of the step.  A transport is opened by name (transport_open()); its
 * code is a module of its own, loaded then: transport_mpi.c. */
#ifndef TESS_EXEC_RANKS_TRANSPORT_H
#define TESS_EXEC_RANKS_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum transport_result {
	TRANSPORT_DONE,
	TRANSPORT_TIMEOUT, /* a rank has been silent for too long */
	TRANSPORT_FAILED,  /* a rank said that it failed, or the library did */
} transport_result;

typedef struct transport_trouble {
	int rank;      /* whose fault it is */
	char why[512]; /* what that rank, or the library, says */
} transport_trouble;

typedef struct transport transport;
struct transport {
	int rank, n_ranks;
	double patience; /* seconds without any progress before wait() gives up */
	/* Begin to move `bytes` (any number); the memory is the transport's until wait()
	 * returns.  Messages of one pair of ranks and one tag (0 to 32000) keep their order. */
	void (*send)(transport *t, int to, int tag, const void *data, size_t bytes);
	void (*receive)(transport *t, int from, int tag, void *data, size_t bytes);
	/* Until all that was begun is done. */
	transport_result (*wait)(transport *t, transport_trouble *trouble);
	/* Tells all other ranks, whose next wait() ends with it. */
	void (*fail)(transport *t, const char *why);
	/* Waits for the others to close, too, and releases everything.
	 * @return as wait(): a rank that failed after the last wait() is known then. */
	transport_result (*close)(transport *t, bool failed, transport_trouble *trouble);
};

/* What a module exports as "tess_transport_open".  NULL: `why` says why. */
typedef transport *transport_open_fn(double patience, char *why, size_t why_bytes);

/* transport.c.  Starting takes some seconds more than `patience` at most; 0: no limit.
 * NULL: `why` says why not. */
transport *transport_open(const char *kind, double patience, char *why, size_t why_bytes);

/* Devices are dealt out in order, as evenly as can be; ranks beyond the number of devices
 * have none. */
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
