/* tcp_peer.c - the connection to another rank: messages that are written and read in parts.
 *
 * A message has the number of the run, which both sides of a connection count. So messages left
 * from a run that failed are recognized and dropped, and do not disturb the next one. Messages that
 * arrive before they are expected are kept. */
#include "exec/ranks/tcp.h"

#include "base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	TAG_FAILURE = -1, /* the tag of a MESSAGE_FAIL, which is kept like others */
	EARLY_MOST = 1 << 28, /* bytes kept for later; beyond this nothing more is read */
	BURST = 1 << 22,      /* bytes read before other ranks are served */
	SINK = 1 << 14
};

struct letter {
	letter *next;
	head head;
	char *data;
	bool own;    /* the data must be freed */
	bool waited; /* wait() waits for it */
	size_t done; /* bytes written, including the head */
};

struct want {
	want *next;
	int tag;
	char *data;
	size_t bytes;
};

static const char no_memory[] = "there is no memory for what it sends or gets";

/* ---- lists ----------------------------------------------------------------------------- */

static void letter_free(letter *x)
{
	if (x && x->own)
		free(x->data);
	free(x);
}

static void letters_add(letter_list *list, letter *x)
{
	x->next = NULL;
	if (list->last)
		list->last->next = x;
	else
		list->first = x;
	list->last = x;
}

/* Removes the letter after `before`, or the first. */
static letter *letters_take(letter_list *list, letter *before)
{
	letter *x = before ? before->next : list->first;
	if (before)
		before->next = x->next;
	else
		list->first = x->next;
	if (list->last == x)
		list->last = before;
	return x;
}

static void letters_free(letter_list *list)
{
	while (list->first)
		letter_free(letters_take(list, NULL));
}

static want *want_take(peer *p, int tag)
{
	want *before = NULL, *w = p->wants;
	for (; w && w->tag != tag; w = w->next)
		before = w;
	if (!w)
		return NULL;
	if (before)
		before->next = w->next;
	else
		p->wants = w->next;
	if (p->last_want == w)
		p->last_want = before;
	return w;
}

static letter *early_take(peer *p, int tag)
{
	letter *before = NULL;
	for (letter *x = p->early.first; x; before = x, x = x->next)
		if (x->head.tag == tag && x->head.run == p->run) {
			p->early_bytes -= x->head.bytes;
			return letters_take(&p->early, before);
		}
	return NULL;
}

/* ---- the rank -------------------------------------------------------------------------- */

void peer_goes(peer *p, const char *why)
{
	if (p->socket >= 0) {
		shutdown(p->socket, SHUT_RDWR);
		close(p->socket);
	}
	p->socket = -1;
	if (!p->left && !p->gone[0])
		snprintf(p->gone, sizeof p->gone, "%s", why);
}

static void connection_ended(peer *p, int error)
{
	char why[sizeof p->gone];
	snprintf(why, sizeof why, "it has died, or was killed: its connection ended%s%s",
	         error ? ": " : "", error ? strerror(error) : "");
	peer_goes(p, why);
}

static void sends_something_else(peer *p, uint64_t bytes, size_t wanted)
{
	if (!p->gone[0]) /* even if it has said goodbye since */
		snprintf(p->gone, sizeof p->gone,
		         "it sends %llu bytes where %zu were expected: it runs another program",
		         (unsigned long long)bytes, wanted);
	peer_goes(p, p->gone);
}

const char *peer_trouble(const peer *p)
{
	if (p->failed[0])
		return p->failed;
	return p->gone[0] ? p->gone : NULL;
}

bool peer_is_ahead(const peer *p)
{
	return p->early_bytes > EARLY_MOST && !p->wants && !p->filling;
}

/* Takes a letter in which the rank says why its run has failed. */
static void note_failure(peer *p, letter *x)
{
	x->data[x->head.bytes] = 0;
	snprintf(p->failed, sizeof p->failed, "%s", x->data);
	letter_free(x);
}

void peer_begin_run(peer *p)
{
	p->run++;
	p->failed[0] = 0;
	for (letter *before = NULL, *x = p->early.first, *next; x; x = next) {
		next = x->next;
		if (x->head.run >= p->run) {
			before = x;
			continue;
		}
		p->early_bytes -= x->head.bytes;
		letter_free(letters_take(&p->early, before));
	}
	letter *failure = early_take(p, TAG_FAILURE);
	if (failure)
		note_failure(p, failure);
}

void peer_free(peer *p)
{
	peer_cancel(p);
	letters_free(&p->out);
	letters_free(&p->early);
	letter_free(p->arriving);
	if (p->socket >= 0)
		close(p->socket);
}

/* ---- writing --------------------------------------------------------------------------- */

/* @return false if nothing more can be written now. */
static bool letter_write(peer *p, letter *x)
{
	const size_t head_left = x->done < sizeof x->head ? sizeof x->head - x->done : 0;
	const size_t data_done = head_left ? 0 : x->done - sizeof x->head;
	struct iovec parts[2] = {{(char *)&x->head + sizeof x->head - head_left, head_left},
	                         {x->data + data_done, x->head.bytes - data_done}};
	struct msghdr m = {.msg_iov = parts, .msg_iovlen = x->head.bytes > data_done ? 2 : 1};
	ssize_t n;
	do
		n = sendmsg(p->socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		if (errno != EAGAIN && errno != EWOULDBLOCK)
			connection_ended(p, errno);
		return false;
	}
	p->spoken = tcp_now();
	x->done += (size_t)n;
	*p->progress += x->waited;
	return true;
}

void peer_write(peer *p)
{
	for (letter *x; p->socket >= 0 && (x = p->out.first);) {
		if (!letter_write(p, x))
			return;
		if (x->done < sizeof x->head + x->head.bytes)
			continue;
		*p->pending -= x->waited;
		letter_free(letters_take(&p->out, NULL));
	}
}

void peer_send(peer *p, message_kind kind, int tag, const void *data, size_t bytes, bool waited)
{
	if (p->socket < 0 && !waited)
		return;
	letter *x = malloc(sizeof *x);
	char *copy = waited ? NULL : malloc(bytes + 1);
	*p->pending += waited;
	if (!x || (!waited && !copy)) {
		free(x);
		free(copy);
		peer_goes(p, no_memory);
		return;
	}
	if (copy && bytes)
		memcpy(copy, data, bytes);
	*x = (letter){.head = {kind, kind == MESSAGE_FAIL ? TAG_FAILURE : tag, p->run, bytes}, .data = copy ? copy : (char *)data,
	              .own = copy != NULL, .waited = waited};
	letters_add(&p->out, x);
	peer_write(p);
}

/* A message that is partly written must be finished, so it gets its own copy of the data. */
static bool letter_let_go(letter *x)
{
	char *copy = malloc(x->head.bytes + 1);
	if (copy)
		memcpy(copy, x->data, x->head.bytes);
	x->data = copy;
	x->own = true;
	x->waited = false;
	return copy != NULL;
}

void peer_cancel(peer *p)
{
	for (letter *before = NULL, *x = p->out.first, *next; x; x = next) {
		next = x->next;
		if (x->waited && !x->done) {
			*p->pending -= 1;
			letter_free(letters_take(&p->out, before));
			continue;
		}
		*p->pending -= x->waited;
		if (x->waited && !letter_let_go(x))
			peer_goes(p, no_memory);
		before = x;
	}
	while (p->wants) {
		*p->pending -= 1;
		free(want_take(p, p->wants->tag));
	}
	*p->pending -= p->filling != NULL;
	free(p->filling);
	p->filling = NULL;
}

/* ---- reading --------------------------------------------------------------------------- */

static void early_to_want(peer *p, letter *x, want *w)
{
	if (x->head.bytes == w->bytes) {
		memcpy(w->data, x->data, w->bytes);
		*p->pending -= 1;
	} else {
		sends_something_else(p, x->head.bytes, w->bytes); /* pending messages stay
		                                                   * pending */
	}
	letter_free(x);
	free(w);
}

void peer_receive(peer *p, int tag, void *data, size_t bytes)
{
	want *w = malloc(sizeof *w);
	*p->pending += 1;
	if (!w) {
		peer_goes(p, no_memory);
		return;
	}
	*w = (want){.tag = tag, .data = data, .bytes = bytes};
	letter *x = early_take(p, tag);
	if (x) {
		early_to_want(p, x, w);
		return;
	}
	if (p->wants)
		p->last_want->next = w;
	else
		p->wants = w;
	p->last_want = w;
}

static letter *letter_arriving(const head *h)
{
	letter *x = h->bytes < SIZE_MAX / 2 ? malloc(sizeof *x) : NULL;
	char *data = x ? malloc((size_t)h->bytes + 1) : NULL;
	if (!data) {
		free(x);
		return NULL;
	}
	*x = (letter){.head = *h, .data = data, .own = true};
	return x;
}

/* Decides where the message goes whose head has arrived. */
static void message_begins(peer *p)
{
	const head *h = &p->head;
	p->done = 0;
	if (h->kind < MESSAGE_DATA || h->kind > MESSAGE_BYE ||
	    (h->kind != MESSAGE_DATA &&
	     h->bytes >= (h->kind == MESSAGE_BYE ? sizeof p->farewell : sizeof p->failed))) {
		peer_goes(p, "it sends what is not a message of tessera");
		return;
	}
	if (h->kind > MESSAGE_FAIL || h->run < p->run)
		return;
	want *w = h->run == p->run && h->kind == MESSAGE_DATA ? want_take(p, h->tag) : NULL;
	if (w && w->bytes != h->bytes) {
		sends_something_else(p, h->bytes, w->bytes); /* pending messages stay pending */
		free(w);
		return;
	}
	p->filling = w;
	if (!w && !(p->arriving = letter_arriving(h)))
		peer_goes(p, no_memory);
}

static void letter_has_come(peer *p)
{
	letter *x = p->arriving;
	p->arriving = NULL;
	want *w = x->head.run == p->run ? want_take(p, x->head.tag) : NULL;
	if (w) {
		early_to_want(p, x, w);
	} else if (x->head.run == p->run && x->head.tag == TAG_FAILURE) {
		note_failure(p, x);
	} else if (x->head.run < p->run) {
		letter_free(x);
	} else {
		p->early_bytes += x->head.bytes;
		letters_add(&p->early, x);
	}
}

static void message_has_come(peer *p)
{
	p->head_done = 0;
	if (p->head.kind == MESSAGE_BYE) {
		p->left = true;
		p->farewell[p->head.bytes] = 0;
	} else if (p->arriving) {
		letter_has_come(p);
	} else if (p->filling) {
		*p->pending -= 1;
		free(p->filling);
		p->filling = NULL;
	}
}

/* Where the next bytes go, and at most how many. */
static char *next_room(peer *p, char *sink, size_t *bytes)
{
	if (p->head_done < sizeof p->head) {
		*bytes = sizeof p->head - p->head_done;
		return (char *)&p->head + p->head_done;
	}
	char *to = p->filling                     ? p->filling->data
	           : p->arriving                  ? p->arriving->data
	           : p->head.kind == MESSAGE_BYE  ? p->farewell
	                                          : NULL;
	*bytes = (size_t)p->head.bytes - p->done;
	if (to)
		return to + p->done;
	*bytes = *bytes < SINK ? *bytes : SINK;
	return sink;
}

static void bytes_have_come(peer *p, size_t n)
{
	*p->progress += p->head.kind == MESSAGE_DATA;
	if (p->head_done < sizeof p->head) {
		p->head_done += n;
		if (p->head_done < sizeof p->head)
			return;
		message_begins(p);
	} else {
		p->done += n;
	}
	if (p->socket >= 0 && p->done == p->head.bytes)
		message_has_come(p);
}

void peer_read(peer *p)
{
	char sink[SINK];
	for (size_t read = 0, bytes; p->socket >= 0 && read < BURST;) {
		char *to = next_room(p, sink, &bytes);
		ssize_t n = recv(p->socket, to, bytes, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		p->heard = tcp_now();
		if (n <= 0) {
			connection_ended(p, n ? errno : 0);
			return;
		}
		read += (size_t)n;
		bytes_have_come(p, (size_t)n);
	}
}
