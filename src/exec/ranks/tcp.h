/* tcp.h - inside of the TCP transport: connections between two ranks, and how they come about. */
#ifndef TESS_EXEC_RANKS_TCP_H
#define TESS_EXEC_RANKS_TCP_H

#include "exec/ranks/transport.h"

/* Seconds that ranks may take to start, besides the patience (of which five minutes count). */
enum { TCP_START_UP = 30 };

double tcp_now(void); /* seconds, since some time */

/* ---- tcp_meet.c ---- */

/* Connects to all other ranks.  Each rank listens, and leaves on the board where: its addresses, and a
 * secret.  It connects to all ranks that come before it, and is reached by all behind it; both say who
 * they are, and whoever does not know the secret is sent away.  At last each leaves a note that it has
 * reached all, or why not, so that nobody waits for one that has given up.
 * @param sockets [n_ranks], by rank; -1: this one.  They are the caller's to close.
 * @return false: none is open, and `why` says why. */
bool tcp_meet(const transport_opts *o, int *sockets, char *why, size_t why_bytes);

/* ---- tcp_peer.c ---- */

typedef struct head {
	uint32_t kind;
	int32_t tag;
	uint64_t run, bytes;
} head;

typedef enum message_kind {
	MESSAGE_DATA = 0x7e550001,
	MESSAGE_FAIL, /* the data says why the sender's run failed */
	MESSAGE_BEAT, /* the sender is there */
	MESSAGE_BYE,  /* the sender takes part in no run any more; the data says why, if it says */
} message_kind;

typedef struct letter letter; /* a message to be written, or one that came early */
typedef struct want want;     /* a message that is expected */
typedef struct letter_list {
	letter *first, *last;
} letter_list;

/* Another rank.  Nobody else uses it meanwhile. */
typedef struct peer {
	int socket; /* -1: there is none any more */
	bool left;  /* it has said goodbye */
	char farewell[200]; /* what it said */
	char gone[160]; /* why there is none; "" */
	uint64_t run;   /* the number of the current one with it */
	bool with;      /* it takes part in that */
	double heard, spoken; /* when, at last */
	/* Messages that wait() waits for have come or gone: they are counted down here. */
	int *pending;
	uint64_t *progress; /* counts bytes that come or go for the run */
	letter_list out, early;
	size_t early_bytes;
	want *wants, *last_want;
	head head; /* of the message that is arriving */
	size_t head_done, done;
	want *filling;    /* where it goes; or */
	letter *arriving; /* there; both NULL: nowhere */
	char failed[400]; /* why its current run has failed; "" */
} peer;

void peer_begin_run(peer *p);
/* Posts a message, and writes what can be written now.  `waited`: wait() waits for it, and the data stays
 * until then; else it is copied. */
void peer_send(peer *p, message_kind kind, int tag, const void *data, size_t bytes, bool waited);
void peer_receive(peer *p, int tag, void *data, size_t bytes);
void peer_write(peer *p);
void peer_read(peer *p);
/* Forgets what wait() waits for. */
void peer_cancel(peer *p);
/* The rank is lost, and does not come back. */
void peer_goes(peer *p, const char *why);
void peer_free(peer *p);
/* Whose memory would be filled by more of what it sends. */
bool peer_is_ahead(const peer *p);
/* Why the rank cannot go on with the current run; NULL: it can. */
const char *peer_trouble(const peer *p);
static inline bool peer_is_awaited(const peer *p) { return p->wants || p->filling || p->out.first; }

#endif
