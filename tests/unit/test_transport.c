/* test_transport.c - messages between processes over TCP, and failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail

#include "../support/board.h"
#include "exec/ranks/transport.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

enum { RANKS = 3 };

typedef struct setting {
	char *board;
	double patience;
	int rank;
	bool wrong_port; /* rank 1 gets a port on which nobody listens */
} setting;

/* Returns what a rank has put on the board; its second word is its port, perhaps a wrong one. */
static char *get_wrong(void *arg, const char *key, double seconds)
{
	const setting *s = arg;
	char *text = board_get(s->board, key, seconds), *port = text ? strchr(text, ' ') : NULL;
	if (port && s->wrong_port && s->rank == 1 && strcmp(key, "at/0") == 0)
		memcpy(port + 1, "00001", strcspn(port + 1, " "));
	return text;
}

static bool put(void *arg, const char *key, const char *text)
{
	const setting *s = arg;
	return board_put(s->board, key, text);
}

static transport *open_rank(const setting *from, int rank, char *why, size_t bytes)
{
	setting *s = malloc(sizeof *s); /* lives until the process ends */
	*s = *from;
	s->rank = rank;
	const transport_opts o = {.patience = s->patience, .rank = rank, .n_ranks = RANKS, .put = put,
	                          .get = get_wrong, .user = s};
	char other[200];
	transport *t = transport_open("tcp", &o, why ? why : other, why ? bytes : sizeof other);
	if (!t && !why)
		fprintf(stderr, "rank %d: %s\n", rank, other);
	if (!s->wrong_port)
		MUST(t != NULL);
	return t;
}

static void close_rank(transport *t, transport_result expected)
{
	transport_trouble trouble = {0};
	MUST(t->close(t, false, &trouble) == expected);
}

static void run(void (*fn)(int rank, void *arg), double patience, unsigned lost)
{
	setting s = {.board = board_new(), .patience = patience};
	assert_non_null(s.board);
	assert_int_equal(in_processes(RANKS, fn, &s, lost), 0);
	board_free(s.board);
}

/* ---- messages ------------------------------------------------------------------------- */

static unsigned char byte_of(int from, int to, int tag, size_t i)
{
	return (unsigned char)((size_t)(31 * from + 7 * to + tag) + i * 2654435761u / 97);
}

/* All ranks send one another messages of all sizes. Half of these are expected in another order. */
static void exchange_all(transport *t, int round)
{
	static const size_t sizes[] = {1, 0, 8, 1000, 70000, 9000000};
	enum { N = sizeof sizes / sizeof *sizes };
	unsigned char *out[RANKS][N], *in[RANKS][N];
	transport_trouble trouble;
	for (int k = 0; k < RANKS; k++)
		for (int i = 0; i < N && k != t->rank; i++) {
			out[k][i] = malloc(sizes[i] + 1);
			in[k][i] = calloc(1, sizes[i] + 1);
			for (size_t b = 0; b < sizes[i]; b++)
				out[k][i][b] = byte_of(t->rank, k, i + round, b);
		}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < RANKS; k++)
			if (k != t->rank)
				t->send(t, k, i, out[k][i], sizes[i]);
	if (t->rank == round % RANKS) /* late: all its messages arrive before it expects them */
		usleep(100000);
	for (int i = 0; i < N; i++)
		for (int k = 0; k < RANKS; k++) {
			const int at = t->rank % 2 ? N - 1 - i : i;
			if (k != t->rank)
				t->receive(t, k, at, in[k][at], sizes[at]);
		}
	MUST(t->wait(t, &trouble) == TRANSPORT_DONE);
	for (int k = 0; k < RANKS; k++)
		for (int i = 0; i < N && k != t->rank; i++) {
			for (size_t b = 0; b < sizes[i]; b++)
				MUST(in[k][i][b] == byte_of(k, t->rank, i + round, b));
			free(out[k][i]);
			free(in[k][i]);
		}
}

static void messages_arrive_as_sent(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	MUST(t->rank == rank && t->n_ranks == RANKS);
	for (int round = 0; round < 4; round++) {
		if (round)
			t->begin(t, NULL);
		exchange_all(t, round);
	}
	close_rank(t, TRANSPORT_DONE);
}

/* Two of three ranks have runs that the third does not take part in. */
static void some_ranks_run(int rank, void *arg)
{
	static const bool first_two[RANKS] = {true, true, false}, last_two[RANKS] = {false, true, true};
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble;
	int a = 41 + rank, b = 0;
	for (int i = 0; i < 10 && rank < 2; i++) {
		t->begin(t, first_two);
		t->send(t, 1 - rank, 0, &a, sizeof a);
		t->receive(t, 1 - rank, 0, &b, sizeof b);
		MUST(t->wait(t, &trouble) == TRANSPORT_DONE && b == 42 - rank);
	}
	if (rank) {
		t->begin(t, last_two);
		t->send(t, 3 - rank, 0, &a, sizeof a);
		t->receive(t, 3 - rank, 0, &b, sizeof b);
		MUST(t->wait(t, &trouble) == TRANSPORT_DONE && b == 44 - rank);
	}
	t->begin(t, NULL);
	exchange_all(t, 1);
	close_rank(t, TRANSPORT_DONE);
}

/* ---- failures ------------------------------------------------------------------------------- */

/* Waits for a message from rank 1, which never comes. */
static transport_result wait_for_one(transport *t, transport_trouble *trouble)
{
	static char room[100];
	t->receive(t, 1, 3, room, sizeof room);
	return t->wait(t, trouble);
}

static void must_say(const transport_trouble *trouble, int rank, const char *why)
{
	if (trouble->rank != rank || !strstr(trouble->why, why))
		fprintf(stderr, "rank %d: %s; expected: rank %d: %s\n", trouble->rank, trouble->why, rank,
		        why);
	MUST(trouble->rank == rank && strstr(trouble->why, why));
}

static void the_dead_are_named(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble;
	if (rank == 1) {
		usleep(100000);
		kill(getpid(), SIGKILL);
	}
	MUST(wait_for_one(t, &trouble) == TRANSPORT_FAILED);
	must_say(&trouble, 1, "it has died, or was killed");
	t->begin(t, NULL); /* it does not come back in the next run, either */
	MUST(wait_for_one(t, &trouble) == TRANSPORT_FAILED);
	must_say(&trouble, 1, "it has died, or was killed");
	close_rank(t, TRANSPORT_FAILED);
}

static void the_silent_are_named(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble;
	if (rank == 1)
		raise(SIGSTOP);
	MUST(wait_for_one(t, &trouble) != TRANSPORT_DONE);
	must_say(&trouble, 1, "silent for 3 seconds");
	MUST(t->close(t, false, &trouble) != TRANSPORT_DONE);
}

static void the_late_are_named(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble;
	if (rank == 1) {
		sleep(5);
	} else {
		MUST(wait_for_one(t, &trouble) == TRANSPORT_TIMEOUT);
		must_say(&trouble, 1, "it has not come within 3 seconds, though it is there");
	}
	close_rank(t, TRANSPORT_DONE);
}

static void those_who_fail_are_named(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble;
	char *large = calloc(1, 30000000);
	for (int round = 0; round < 3; round++) {
		t->begin(t, NULL);
		if (rank == 1) {
			t->fail(t, "it ran out of ideas");
			continue;
		}
		t->send(t, 1, 5, large, 30000000); /* nobody receives it */
		MUST(wait_for_one(t, &trouble) == TRANSPORT_FAILED);
		must_say(&trouble, 1, "it ran out of ideas");
		memset(large, round, 30000000); /* the memory can be reused */
	}
	free(large);
	t->begin(t, NULL);
	exchange_all(t, 2); /* messages work as before */
	close_rank(t, TRANSPORT_DONE);
}

static void those_who_leave_say_why(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble;
	t->begin(t, NULL);
	exchange_all(t, 0);
	t->begin(t, NULL);
	if (rank == 1) {
		t->leave(t, "ValueError: no luck");
	} else {
		MUST(wait_for_one(t, &trouble) == TRANSPORT_FAILED);
		must_say(&trouble, 1, "it has ended: ValueError: no luck");
	}
	close_rank(t, TRANSPORT_DONE);
}

static void other_messages_are_found(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble = {0};
	char room[200];
	if (rank == 1) {
		for (int k = 0; k < RANKS; k += 2)
			t->send(t, k, 3, room, 99);
		MUST(t->wait(t, &trouble) == TRANSPORT_DONE);
		t->close(t, false, &trouble);
		return;
	}
	usleep(rank ? 0 : 300000); /* it arrives before it is expected */
	MUST(wait_for_one(t, &trouble) == TRANSPORT_FAILED);
	must_say(&trouble, 1, "99 bytes where 100 were expected");
	t->close(t, false, &trouble);
}

static bool never(void *user)
{
	*(int *)user += 1;
	return false;
}

static void waiting_can_be_stopped(int rank, void *arg)
{
	transport *t = open_rank(arg, rank, NULL, 0);
	transport_trouble trouble;
	int asked = 0;
	t->proceed = never;
	t->user = &asked;
	if (rank != 1)
		MUST(wait_for_one(t, &trouble) == TRANSPORT_STOPPED && asked == 1);
	board_meet(((const setting *)arg)->board, "stopped", rank, RANKS);
	close_rank(t, TRANSPORT_DONE);
}

static void a_refused_port_is_told(int rank, void *arg)
{
	char why[300];
	MUST(!open_rank(arg, rank, why, sizeof why));
	const char *expected = rank == 1 ? "rank 0 cannot be reached at 127.0.0.1"
	                                 : "rank 1: rank 0 cannot be reached at 127.0.0.1";
	if (strncmp(why, expected, strlen(expected)) != 0)
		fprintf(stderr, "rank %d: %s\n", rank, why);
	MUST(strncmp(why, expected, strlen(expected)) == 0);
}

/* A stranger connects to the port, without the secret. */
static void knock(const setting *s)
{
	char *text = board_get(s->board, "at/0", 10);
	struct sockaddr_in at = {.sin_family = AF_INET};
	at.sin_port = htons((uint16_t)atoi(strchr(text, ' ')));
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (int i = 0; i < 2; i++) {
		int sock = socket(AF_INET, SOCK_STREAM, 0);
		MUST(connect(sock, (struct sockaddr *)&at, sizeof at) == 0);
		MUST(send(sock, "GET / HTTP/1.1\r\nHost: somebody\r\n\r\n", 35, MSG_NOSIGNAL) == 35);
	}
	free(text);
}

static void strangers_are_sent_away(int rank, void *arg)
{
	if (rank == 1)
		knock(arg);
	transport *t = open_rank(arg, rank, NULL, 0);
	exchange_all(t, 0);
	close_rank(t, TRANSPORT_DONE);
}

/* ---- the tests, in separate processes ------------------------------------------------------- */

static void test_messages(void **unused) { (void)unused; run(messages_arrive_as_sent, 20, 0); }
static void test_some(void **unused) { (void)unused; run(some_ranks_run, 20, 0); }
static void test_dead(void **unused) { (void)unused; run(the_dead_are_named, 20, 2); }
static void test_silent(void **unused) { (void)unused; run(the_silent_are_named, 3, 2); }
static void test_late(void **unused) { (void)unused; run(the_late_are_named, 3, 0); }
static void test_fail(void **unused) { (void)unused; run(those_who_fail_are_named, 20, 0); }
static void test_leave(void **unused) { (void)unused; run(those_who_leave_say_why, 20, 0); }
static void test_other(void **unused) { (void)unused; run(other_messages_are_found, 20, 0); }
static void test_stop(void **unused) { (void)unused; run(waiting_can_be_stopped, 20, 0); }
static void test_strangers(void **unused) { (void)unused; run(strangers_are_sent_away, 20, 0); }

static void test_refused(void **unused)
{
	setting s = {.board = board_new(), .patience = 60, .wrong_port = true};
	(void)unused;
	assert_non_null(s.board);
	assert_int_equal(in_processes(RANKS, a_refused_port_is_told, &s, 0), 0);
	board_free(s.board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages), cmocka_unit_test(test_some),
		cmocka_unit_test(test_dead),     cmocka_unit_test(test_silent),
		cmocka_unit_test(test_late),     cmocka_unit_test(test_fail),
		cmocka_unit_test(test_other),    cmocka_unit_test(test_stop),
		cmocka_unit_test(test_refused),  cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
