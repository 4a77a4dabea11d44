/* tcp_meet.c - how ranks find and reach each other: see tcp.h. */
#include "exec/ranks/tcp.h"

#include "base/base.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	HELLO = 0x74455353,
	VERSION = 1,
	RECORD = 1024,
	ADDRESSES = 16,
	LONGEST = 300 /* seconds: being patient with runs does not mean to wait that long here */
};

/* What a connecting rank sends, and the answer, with the two numbers exchanged. */
typedef struct hello {
	uint32_t magic, version;
	uint64_t secret; /* of the rank that is reached */
	int32_t from, to;
} hello;

typedef struct meeting {
	const transport_opts *o;
	int *sockets;
	int listener, port;
	uint64_t secret;
	double seconds, end; /* how long to wait, and until when */
	char *why;
	size_t why_bytes;
} meeting;

double tcp_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool meet_fails(meeting *m, const char *format, ...) PRINTF(2, 3);
static bool meet_fails(meeting *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->why, m->why_bytes, format, args);
	va_end(args);
	return false;
}

static double time_left(const meeting *m) { return m->end - tcp_now(); }

static void socket_prepare(int socket)
{
	const int yes = 1;
	fcntl(socket, F_SETFD, FD_CLOEXEC);
	fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
	setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#ifdef SO_NOSIGPIPE
	setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
}

/* ---- the board ------------------------------------------------------------------------- */

static bool leave(meeting *m, const char *what, const char *text)
{
	char key[32];
	snprintf(key, sizeof key, "%s/%d", what, m->o->rank);
	return m->o->put(m->o->user, key, text);
}

/* What rank k has written, waiting up to this many seconds; to be freed. NULL: nothing. */
static char *find_note(meeting *m, const char *what, int k, double seconds)
{
	char key[32];
	snprintf(key, sizeof key, "%s/%d", what, k);
	return m->o->get(m->o->user, key, seconds);
}

/* The same, but it must come. A note that starts with '!' is why the rank has given up. */
static char *wait_for_note(meeting *m, const char *what, int k)
{
	char *note = NULL;
	while (!note && time_left(m) > 0)
		note = find_note(m, what, k, time_left(m) < 10 ? time_left(m) : 10);
	if (!note)
		meet_fails(m, "rank %d has not started within %.0f seconds", k, m->seconds);
	else if (note[0] == '!')
		meet_fails(m, "rank %d: %s", k, note + 1);
	if (note && note[0] != '!')
		return note;
	free(note);
	return NULL;
}

/* ---- listening --------------------------------------------------------------------------- */

/* Opens one socket for both kinds of addresses if the machine has IPv6. */
static int listen_anywhere(int family)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	struct sockaddr_in four = {.sin_family = AF_INET};
	const bool is_six = family == AF_INET6;
	const int no = 0;
	int s = socket(family, SOCK_STREAM, 0);
	if (s < 0)
		return -1;
	if (is_six)
		setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
	if (bind(s, is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four,
	         is_six ? sizeof six : sizeof four) == 0 && listen(s, 128) == 0)
		return s;
	close(s);
	return -1;
}

static int listen_at(const char *host)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list = NULL;
	int s = -1;
	if (getaddrinfo(host, "0", &hints, &list) != 0)
		return -1;
	for (const struct addrinfo *a = list; a && s < 0; a = a->ai_next) {
		s = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
		if (s >= 0 && (bind(s, a->ai_addr, a->ai_addrlen) != 0 || listen(s, 128) != 0)) {
			close(s);
			s = -1;
		}
	}
	freeaddrinfo(list);
	return s;
}

static bool start_listening(meeting *m)
{
	struct sockaddr_storage at;
	socklen_t n = sizeof at;
	const char *host = m->o->host;
	errno = 0;
	m->listener = host ? listen_at(host) : listen_anywhere(AF_INET6);
	if (m->listener < 0 && !host)
		m->listener = listen_anywhere(AF_INET);
	if (m->listener < 0 || getsockname(m->listener, (struct sockaddr *)&at, &n) != 0)
		return meet_fails(m, "cannot listen at %s: %s", host ? host : "any address",
		                  errno ? strerror(errno) : "there is no such address");
	socket_prepare(m->listener);
	m->port = ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
	                                         : ((struct sockaddr_in *)&at)->sin_port);
	return true;
}

static bool is_reachable(const struct ifaddrs *a)
{
	if (!a->ifa_addr || !(a->ifa_flags & IFF_UP) || (a->ifa_flags & IFF_LOOPBACK))
		return false;
	if (a->ifa_addr->sa_family == AF_INET6)
		return !IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)a->ifa_addr)->sin6_addr);
	return a->ifa_addr->sa_family == AF_INET;
}

/* " 10.0.0.1 fd00::1": the addresses of the machine's interfaces. */
static void list_addresses(char *to, size_t bytes)
{
	struct ifaddrs *list = NULL;
	size_t n = 0;
	int count = 0;
	if (getifaddrs(&list) != 0)
		return;
	for (const struct ifaddrs *a = list; a && count < ADDRESSES; a = a->ifa_next) {
		char host[64];
		if (!is_reachable(a) ||
		    getnameinfo(a->ifa_addr, a->ifa_addr->sa_family == AF_INET6
		                                     ? sizeof(struct sockaddr_in6)
		                                     : sizeof(struct sockaddr_in),
		                host, sizeof host, NULL, 0, NI_NUMERICHOST) != 0 ||
		    n + strlen(host) + 2 > bytes)
			continue;
		n += (size_t)snprintf(to + n, bytes - n, " %s", host);
		count++;
	}
	freeifaddrs(list);
}

/* Equal for ranks on one machine, which reach each other at 127.0.0.1. */
static uint64_t machine_number(void)
{
	char text[512] = "";
	gethostname(text, 255);
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	const size_t n = strlen(text), more = f ? fread(text + n, 1, 64, f) : 0;
	if (f)
		fclose(f);
	return hash_bytes(text, n + more, 0);
}

/* Writes "1 PORT SECRET MACHINE ADDRESS...". */
static bool leave_address(meeting *m)
{
	char record[RECORD], addresses[RECORD - 96] = "";
	if (m->o->host)
		snprintf(addresses, sizeof addresses, " %.200s", m->o->host);
	else
		list_addresses(addresses, sizeof addresses);
	snprintf(record, sizeof record, "%d %d %016llx %016llx%s", VERSION, m->port,
	         (unsigned long long)m->secret, (unsigned long long)machine_number(), addresses);
	return leave(m, "at", record) || meet_fails(m, "the addresses cannot be exchanged");
}

/* ---- talking ------------------------------------------------------------------------------ */

static bool is_ready_for(int s, short events, double seconds)
{
	struct pollfd p = {s, events, 0};
	return poll(&p, 1, (int)(seconds * 1000)) > 0;
}

/* Sends or receives all bytes within this many seconds. */
static bool say_hello(int s, const hello *h)
{
	return send(s, h, sizeof *h, MSG_NOSIGNAL) == sizeof *h;
}

static bool hear_hello(int s, hello *h, double seconds)
{
	const double end = tcp_now() + seconds;
	for (size_t n = 0; n < sizeof *h;) {
		const double left = end - tcp_now();
		if (left <= 0 || !is_ready_for(s, POLLIN, left))
			return false;
		ssize_t got = recv(s, (char *)h + n, sizeof *h - n, 0);
		if (got <= 0 && !(got < 0 && (errno == EAGAIN || errno == EINTR)))
			return false;
		n += got > 0 ? (size_t)got : 0;
	}
	return h->magic == HELLO && h->version == VERSION;
}

/* ---- reaching ranks before this one --------------------------------------------------------- */

static int connect_to(const struct addrinfo *a, double seconds)
{
	int s = socket(a->ai_family, a->ai_socktype, a->ai_protocol), error = 0;
	socklen_t n = sizeof error;
	if (s < 0)
		return -1;
	socket_prepare(s);
	if (connect(s, a->ai_addr, a->ai_addrlen) != 0) {
		error = errno;
		if (error == EINPROGRESS && !is_ready_for(s, POLLOUT, seconds))
			error = ETIMEDOUT;
		else if (error == EINPROGRESS)
			getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &n);
	}
	if (!error)
		return s;
	close(s);
	errno = error;
	return -1;
}

/* Connects to a rank at this address; -1 with errno on failure. */
static int call_at(meeting *m, int k, const char *host, const char *port, uint64_t secret)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
	const hello say = {HELLO, VERSION, secret, m->o->rank, k};
	hello heard = {0};
	int s = -1;
	if (getaddrinfo(host, port, &hints, &list) != 0) {
		errno = EADDRNOTAVAIL;
		return -1;
	}
	for (const struct addrinfo *a = list; a && s < 0; a = a->ai_next)
		s = connect_to(a, 3);
	freeaddrinfo(list);
	/* That rank may wait for others first, and answers when it comes to us. */
	if (s >= 0 && say_hello(s, &say) && hear_hello(s, &heard, time_left(m)) && heard.from == k &&
	    heard.to == m->o->rank && heard.secret == secret)
		return s;
	if (s >= 0) {
		close(s);
		errno = ECONNREFUSED;
	}
	return -1;
}

/* Returns false if the rank, which is missing, is known to have given up. */
static bool look_for(meeting *m, int k, double seconds)
{
	char *note = find_note(m, "ready", k, seconds);
	const bool good = !note || note[0] != '!';
	if (!good)
		meet_fails(m, "rank %d: %s", k, note + 1);
	free(note);
	return good;
}

/* What a rank has written about itself, parsed. */
typedef struct record {
	const char *port, *at; /* the first address; others follow, separated by spaces */
	uint64_t secret;
	bool is_near; /* on this machine, and listening at all of its addresses */
} record;

static bool record_read(char *text, record *r)
{
	char *rest = NULL;
	const char *version = strtok_r(text, " ", &rest), *port = strtok_r(NULL, " ", &rest),
	           *secret = strtok_r(NULL, " ", &rest), *machine = strtok_r(NULL, " ", &rest);
	if (!machine || atoi(version) != VERSION)
		return false;
	*r = (record){port, rest, strtoull(secret, NULL, 16),
	              strtoull(machine, NULL, 16) == machine_number()};
	return true;
}

static int call_anywhere(meeting *m, int k, const record *r, char *tried, size_t bytes)
{
	char *rest = (char *)r->at;
	const char *host = r->is_near ? "127.0.0.1" : strtok_r(NULL, " ", &rest);
	int s = -1;
	errno = EADDRNOTAVAIL;
	for (; host && s < 0; host = strtok_r(NULL, " ", &rest)) {
		const size_t n = strlen(tried);
		snprintf(tried + n, bytes - n, "%s%.60s", n ? ", " : "", host);
		s = call_at(m, k, host, r->port, r->secret);
	}
	return s;
}

static bool reach(meeting *m, int k)
{
	char *text = wait_for_note(m, "at", k), tried[200] = "";
	record r;
	if (!text)
		return false;
	const bool known = record_read(text, &r);
	m->sockets[k] = known ? call_anywhere(m, k, &r, tried, sizeof tried) : -1;
	if (!known) {
		meet_fails(m, "rank %d has another version of tessera", k);
	} else if (m->sockets[k] < 0) {
		const int error = errno;
		if (look_for(m, k, 0.1))
			meet_fails(m, "rank %d cannot be reached at %s, port %s: %s", k, tried, r.port,
			           strerror(error));
	}
	free(text);
	return m->sockets[k] >= 0;
}

/* ---- being reached by ranks after this one -------------------------------------------------- */

static void answer(meeting *m, int s)
{
	hello h;
	socket_prepare(s);
	const bool good = hear_hello(s, &h, 3) && h.secret == m->secret && h.to == m->o->rank &&
	                  h.from > m->o->rank && h.from < m->o->n_ranks && m->sockets[h.from] < 0;
	const int from = good ? h.from : -1;
	if (good) {
		h = (hello){HELLO, VERSION, m->secret, m->o->rank, from};
		if (say_hello(s, &h)) {
			m->sockets[from] = s;
			return;
		}
	}
	close(s);
}

static bool wait_for_those_behind(meeting *m)
{
	for (int k = m->o->rank + 1; k < m->o->n_ranks;) {
		if (m->sockets[k] >= 0) {
			k++;
		} else if (is_ready_for(m->listener, POLLIN, 0.5)) {
			int s = accept(m->listener, NULL, NULL);
			if (s >= 0)
				answer(m, s);
		} else if (!look_for(m, k, 0.01)) {
			return false;
		} else if (time_left(m) <= 0) {
			return meet_fails(m, "rank %d has not come within %.0f seconds", k, m->seconds);
		}
	}
	return true;
}

/* ---- the whole meeting ---------------------------------------------------------------------- */

static bool meet_all(meeting *m)
{
	bool good = leave_address(m);
	for (int k = 0; good && k < m->o->rank; k++)
		good = reach(m, k);
	return good && wait_for_those_behind(m);
}

static bool all_are_ready(meeting *m)
{
	bool good = true;
	for (int k = 0; good && k < m->o->n_ranks; k++) {
		char *note = k == m->o->rank ? NULL : wait_for_note(m, "ready", k);
		good = note || k == m->o->rank;
		free(note);
	}
	return good;
}

bool tcp_meet(const transport_opts *o, int *sockets, char *why, size_t why_bytes)
{
	meeting m = {.o = o, .sockets = sockets, .listener = -1, .why = why, .why_bytes = why_bytes};
	char note[256] = "ok";
	m.seconds = (o->patience > 0 && o->patience < LONGEST ? o->patience : LONGEST) + TCP_START_UP;
	m.end = tcp_now() + m.seconds;
	for (int k = 0; k < o->n_ranks; k++)
		sockets[k] = -1;
	bool good = getentropy(&m.secret, sizeof m.secret) == 0 ? start_listening(&m)
	                                                        : meet_fails(&m, "no random numbers");
	if (!good) {
		snprintf(note, sizeof note, "!%.250s", why);
		leave(&m, "at", note);
	}
	good = good && meet_all(&m);
	if (!good)
		snprintf(note, sizeof note, "!%.250s", why);
	leave(&m, "ready", note);
	good = good && all_are_ready(&m);
	if (m.listener >= 0)
		close(m.listener);
	for (int k = 0; k < o->n_ranks && !good; k++)
		if (sockets[k] >= 0)
			close(sockets[k]);
	return good;
}
