/* trace.c - records when each task of a run started and ended. */
#include "exec/steps/plan.h"

#include <stdlib.h>
#include <time.h>

/* Each worker has a list of its own. If memory runs out, events are lost. */
typedef struct event_list {
	exec_event *ptr;
	int64_t len, cap;
} event_list;

struct trace {
	int n_workers;
	struct timespec begin;
	int64_t serial;  /* of the step that runs */
	exec_event *all; /* of exec_trace() */
	event_list lists[];
};

struct trace *trace_new(int n_workers)
{
	struct trace *t = calloc(1, sizeof *t + sizeof(event_list) * (size_t)n_workers);
	if (t)
		t->n_workers = n_workers;
	return t;
}

void trace_free(struct trace *t)
{
	for (int i = 0; t && i < t->n_workers; i++)
		free(t->lists[i].ptr);
	if (t)
		free(t->all);
	free(t);
}

void trace_begin(struct trace *t)
{
	for (int i = 0; i < t->n_workers; i++)
		t->lists[i].len = 0;
	clock_gettime(CLOCK_MONOTONIC, &t->begin);
	t->serial = 0;
}

void trace_step(struct trace *t) { t->serial++; }

int64_t trace_now(const struct trace *t)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - t->begin.tv_sec) * 1000000000 + (now.tv_nsec - t->begin.tv_nsec);
}

void trace_task(struct trace *t, const step *s, int32_t cls, int worker, int64_t begin)
{
	event_list *l = &t->lists[worker];
	if (l->len == l->cap) {
		int64_t cap = l->cap ? 2 * l->cap : 256;
		exec_event *ptr = realloc(l->ptr, sizeof *ptr * (size_t)cap);
		if (!ptr)
			return;
		l->ptr = ptr;
		l->cap = cap;
	}
	l->ptr[l->len++] = (exec_event){s->op, s->n_ops, s->plan->cls->first[cls], s->plan->cls->n,
	                                t->serial, worker, begin, trace_now(t)};
}

const exec_event *exec_trace(exec_plan *p, int64_t *n)
{
	*n = 0;
	struct trace *t = p->run ? p->run->trace : NULL;
	if (!t)
		return NULL;
	int64_t total = 0;
	for (int i = 0; i < t->n_workers; i++)
		total += t->lists[i].len;
	exec_event *all = realloc(t->all, sizeof *all * (size_t)(total + 1));
	if (!all)
		return NULL;
	t->all = all;
	for (int i = 0; i < t->n_workers; i++) {
		if (t->lists[i].len)
			memcpy(all + *n, t->lists[i].ptr, sizeof *all * (size_t)t->lists[i].len);
		*n += t->lists[i].len;
	}
	return all;
}
