/* board.h - a key-value board in a folder, through which processes of one machine find each other;
 * and in_processes(), which runs a function in several processes. */
#ifndef TESS_TEST_BOARD_H
#define TESS_TEST_BOARD_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline void board_path(const char *folder, const char *key, char *path, size_t bytes)
{
	int n = snprintf(path, bytes, "%s/", folder);
	snprintf(path + n, bytes - (size_t)n, "%s", key);
	for (char *s = path + n; *s; s++)
		*s = *s == '/' || *s == ':' ? '_' : *s;
}

/* Writes a value atomically: readers see all of it, or none. */
static inline bool board_put(void *folder, const char *key, const char *text)
{
	char path[512], half[530];
	board_path(folder, key, path, sizeof path);
	snprintf(half, sizeof half, "%s.%d", path, (int)getpid());
	FILE *f = fopen(half, "w");
	if (!f)
		return false;
	fputs(text, f);
	return fclose(f) == 0 && rename(half, path) == 0;
}

static inline char *board_get(void *folder, const char *key, double seconds)
{
	char path[512];
	board_path(folder, key, path, sizeof path);
	for (double waited = 0; waited <= seconds; waited += 0.01) {
		FILE *f = fopen(path, "r");
		if (f) {
			char *text = calloc(1, 4096);
			if (text && fread(text, 1, 4095, f) == 0)
				text[0] = 0;
			fclose(f);
			return text;
		}
		nanosleep(&(struct timespec){0, 10000000}, NULL);
	}
	return NULL;
}

static inline char *board_new(void)
{
	const char *tmp = getenv("TMPDIR");
	char path[256];
	snprintf(path, sizeof path, "%s/tess-board-XXXXXX", tmp ? tmp : "/tmp");
	char *made = mkdtemp(path);
	return made ? strdup(made) : NULL;
}

static inline void board_free(char *folder)
{
	char command[300];
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	if (system(command) != 0)
		fprintf(stderr, "%s stays\n", folder);
	free(folder);
}

/* Waits until all n processes have reached this step. */
static inline void board_meet(char *folder, const char *step, int rank, int n)
{
	char key[64];
	snprintf(key, sizeof key, "met-%s-%d", step, rank);
	board_put(folder, key, "here");
	for (int k = 0; k < n; k++) {
		snprintf(key, sizeof key, "met-%s-%d", step, k);
		free(board_get(folder, key, 60));
	}
}

#ifdef TESS_COVERAGE
extern void __gcov_dump(void); /* of libgcov: exit() calls it, _exit() does not */
#endif

/* Ends a process that in_processes() started, without running its parent's exit handlers. */
static inline void end_process(int status)
{
#ifdef TESS_COVERAGE
	__gcov_dump();
#endif
	_exit(status);
}

/* Runs fn(rank, arg) in n processes. @return number of processes that did not end as expected: with
 * exit status 0 or, if their bit in `lost` is set, by a signal */
static inline int in_processes(int n, void (*fn)(int rank, void *arg), void *arg, unsigned lost)
{
	pid_t pids[16];
	int wrong = 0, status;
	fflush(NULL);
	for (int k = 0; k < n; k++) {
		pids[k] = fork();
		if (pids[k] == 0) {
			alarm(100);
			fn(k, arg);
			end_process(0);
		}
	}
	for (int k = 0; k < n; k++)
		if (!(lost >> k & 1) && (waitpid(pids[k], &status, 0) < 0 || status != 0)) {
			fprintf(stderr, "rank %d: status %x\n", k, (unsigned)status);
			wrong++;
		}
	for (int k = 0; k < n; k++)
		if (lost >> k & 1) {
			kill(pids[k], SIGKILL);
			wrong += waitpid(pids[k], &status, 0) < 0 || !WIFSIGNALED(status);
		}
	return wrong;
}

/* For the function that runs in a process: ends the process with an error if `x` is false. */
#define MUST(x)                                                                                    \
	do {                                                                                       \
		if (!(x)) {                                                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                    \
			end_process(1);                                                            \
		}                                                                                  \
	} while (0)

#endif
