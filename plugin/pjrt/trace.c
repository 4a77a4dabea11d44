/* trace.c - TESSERA_TRACE=FILE: when programs were compiled and ran, and arrays came and went.
 *
 * The file is an array of the Trace Event Format, which Perfetto and Chrome show while it has no end yet:
 * a lane for each thread, and how many bytes the first device holds. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_once_t trace_once = PTHREAD_ONCE_INIT;
static FILE *trace_file; /* NULL: nobody wants a trace */
static pthread_mutex_t trace_lock = PTHREAD_MUTEX_INITIALIZER;

static int trace_process;

void trace_is_of(int process) { trace_process = process; }

/* Other processes than the first write FILE.1, FILE.2 and so on. */
static void open_file(void)
{
	const char *wanted = getenv("TESSERA_TRACE");
	char path[1024];
	if (!wanted || !*wanted)
		return;
	if (trace_process)
		snprintf(path, sizeof path, "%s.%d", wanted, trace_process);
	else
		snprintf(path, sizeof path, "%s", wanted);
	trace_file = fopen(path, "w");
	if (!trace_file)
		fprintf(stderr, "tessera: %s cannot be written\n", path);
	else
		fprintf(trace_file, "[{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %d, \"args\": "
		        "{\"name\": \"tessera\"}}", (int)getpid());
}

/* Threads in the order in which they were seen. */
static int lane(void)
{
	static atomic_int lanes;
	static _Thread_local int mine;
	if (!mine)
		mine = atomic_fetch_add(&lanes, 1) + 1;
	return mine;
}

double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double trace_now(void)
{
	pthread_once(&trace_once, open_file);
	return trace_file ? seconds_now() * 1e6 : 0;
}

/* Names are those of Python functions; quotes and the like are left out. */
static void put_name(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name >= ' ' && *name != '"' && *name != '\\')
			fputc(*name, trace_file);
}

void trace_add(const char *what, const char *name, double begin, const PJRT_Device *d)
{
	if (begin == 0)
		return;
	double end = trace_now();
	pthread_mutex_lock(&trace_lock);
	fprintf(trace_file, ",\n{\"cat\": \"%s\", \"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, "
	        "\"dur\": %.3f, \"name\": \"", what, (int)getpid(), lane(), begin,
	        end - begin);
	put_name(name);
	fputs("\"}", trace_file);
	if (d)
		fprintf(trace_file, ",\n{\"name\": \"bytes of device %d\", \"ph\": \"C\", \"pid\": %d, "
		        "\"ts\": %.3f, \"args\": {\"bytes\": %lld}}", d->about.id, (int)getpid(), end,
		        (long long)d->bytes);
	pthread_mutex_unlock(&trace_lock);
}
