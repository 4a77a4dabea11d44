/* tcp.h - connections between two ranks, and how they are made (inside the TCP transport). */
#ifndef TESS_EXEC_RANKS_TCP_H
#define TESS_EXEC_RANKS_TCP_H

#include "exec/ranks/transport.h"

/* Seconds that ranks may take to start, in addition to the patience (at most five minutes). */
enum { TCP_START_UP = 30 };

double tcp_now(void); /* in seconds, from some fixed time */

/* ---- tcp_meet.c ---- */

/* Connects to all other ranks. Each rank listens, and writes its addresses and a secret on the
 * board. It connects to all ranks before it, and all after it connect to it. Both sides say who
 * they are, and a peer that does not know the secret is refused. Finally each rank writes on the
 * board that it has reached all others, or why not, so that none waits for one that has given up.
 * @param sockets [n_ranks], by rank; -1: this one. The caller has to close them.
 * @return false with `why` set; then none is open. */
bool tcp_meet(const transport_opts *o, int *sockets, char *why, size_t why_bytes);

/* ---- tcp_peer.c ---- */

typedef struct head {
	uint32_t kind;
	int32_t tag;
	uint64_t run, bytes;
} head;

typedef enum message_kind {
	MESSAGE_DATA = 0x7e550001,
	MESSAGE_FAIL, /* the data is the reason why the sender's run failed */
	MESSAGE_BEAT, /* the sender is alive */
	MESSAGE_BYE,  /* the sender takes part in no further run; the data may be the reason */
} message_kind;

typedef struct letter letter; /* a message to be written, or one that arrived early */
typedef struct want want;     /* a message that is expected */
typedef struct letter_list {
	letter *first, *last;
} letter_list;

/* Another rank. The caller makes sure that only one thread uses it. */
typedef struct peer {
	int socket; /* -1: closed */
	bool left;  /* it has said goodbye */
	char farewell[200]; /* the reason that it gave */
	char gone[160]; /* why it is closed; "" if open */
	uint64_t run;   /* the number of the current run with it */
	bool with;      /* it takes part in that run */
	double heard, spoken; /* time of the last message from and to it */
	/* Counts down for each message done for which wait() waits. */
	int *pending;
	uint64_t *progress; /* counts bytes sent and received for the run */
	letter_list out, early;
	size_t early_bytes;
	want *wants, *last_want;
	head head; /* of the message that is arriving */
	size_t head_done, done;
	want *filling;    /* where that message goes, or */
	letter *arriving; /* a letter for it; both NULL: it is dropped */
	char failed[400]; /* why its current run has failed; "" */
} peer;

void peer_begin_run(peer *p);
/* Posts a message, and writes what can be written at once. `waited`: wait() waits for it, and the
 * data stays valid until then; else the data is copied. */
void peer_send(peer *p, message_kind kind, int tag, const void *data, size_t bytes, bool waited);
void peer_receive(peer *p, int tag, void *data, size_t bytes);
void peer_write(peer *p);
void peer_read(peer *p);
/* Forgets everything that wait() waits for. */
void peer_cancel(peer *p);
/* Closes the connection for good. */
void peer_goes(peer *p, const char *why);
void peer_free(peer *p);
/* True if more data from it would fill our memory. */
bool peer_is_ahead(const peer *p);
/* Why the rank cannot continue with the current run; NULL: it can. */
const char *peer_trouble(const peer *p);
static inline bool peer_is_awaited(const peer *p) { return p->wants || p->filling || p->out.first; }

#endif
