/* event.c - events: done once, with or without an error, and waited for. */
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

typedef struct waiter {
	PJRT_Event_OnReadyCallback fn;
	void *arg;
	struct waiter *next;
} waiter;

struct PJRT_Event {
	atomic_int refs;
	atomic_bool done;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	PJRT_Error *error; /* once it is done */
	waiter *waiters;   /* last first */
};

/* Most events were never waited for: programs that run at once give this one, and no reference to
 * it is counted. */
static PJRT_Event always = {.done = true};

PJRT_Event *event_done(void) { return &always; }

PJRT_Event *event_new(void)
{
	PJRT_Event *e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	e->refs = 1;
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->changed, NULL);
	return e;
}

PJRT_Event *event_retain(PJRT_Event *e)
{
	if (e != &always)
		atomic_fetch_add(&e->refs, 1);
	return e;
}

void event_release(PJRT_Event *e)
{
	if (!e || e == &always || atomic_fetch_sub(&e->refs, 1) > 1)
		return;
	error_drop(e->error);
	for (waiter *w = e->waiters, *next; w; w = next) {
		next = w->next;
		free(w);
	}
	pthread_cond_destroy(&e->changed);
	pthread_mutex_destroy(&e->lock);
	free(e);
}

static waiter *in_order(waiter *last_first)
{
	waiter *out = NULL;
	for (waiter *w = last_first, *next; w; w = next) {
		next = w->next;
		w->next = out;
		out = w;
	}
	return out;
}

void event_set(PJRT_Event *e, PJRT_Error *error)
{
	pthread_mutex_lock(&e->lock);
	if (e->done) {
		pthread_mutex_unlock(&e->lock);
		error_drop(error);
		return;
	}
	e->error = error;
	waiter *w = in_order(e->waiters);
	e->waiters = NULL;
	e->done = true;
	pthread_cond_broadcast(&e->changed);
	pthread_mutex_unlock(&e->lock);
	for (waiter *next; w; w = next) { /* without the lock: they may call anything */
		next = w->next;
		w->fn(error_copy(error), w->arg);
		free(w);
	}
}

bool event_is_done(const PJRT_Event *e) { return e->done; }

PJRT_Error *event_wait(PJRT_Event *e)
{
	if (!e->done) {
		pthread_mutex_lock(&e->lock);
		while (!e->done)
			pthread_cond_wait(&e->changed, &e->lock);
		pthread_mutex_unlock(&e->lock);
	}
	return error_copy(e->error);
}

PJRT_Error *event_then(PJRT_Event *e, PJRT_Event_OnReadyCallback fn, void *arg)
{
	if (!e->done) {
		waiter *w = malloc(sizeof *w);
		if (!w)
			return error_no_memory();
		*w = (waiter){fn, arg, NULL};
		pthread_mutex_lock(&e->lock);
		if (!e->done) {
			w->next = e->waiters;
			e->waiters = w;
			pthread_mutex_unlock(&e->lock);
			return NULL;
		}
		pthread_mutex_unlock(&e->lock);
		free(w);
	}
	fn(error_copy(e->error), arg);
	return NULL;
}

/* ---- the API --------------------------------------------------------------------------------- */

PJRT_Error *pjrt_Event_Create(PJRT_Event_Create_Args *args)
{
	args->event = event_new();
	return args->event ? NULL : error_no_memory();
}

PJRT_Error *pjrt_Event_Set(PJRT_Event_Set_Args *args)
{
	event_set(args->event, args->error_code == PJRT_Error_Code_OK
	                           ? NULL
	                           : error_new(args->error_code, "%.*s",
	                                       (int)args->error_message_size, args->error_message));
	return NULL;
}

PJRT_Error *pjrt_Event_Destroy(PJRT_Event_Destroy_Args *args)
{
	event_release(args->event);
	return NULL;
}

PJRT_Error *pjrt_Event_IsReady(PJRT_Event_IsReady_Args *args)
{
	args->is_ready = event_is_done(args->event);
	return NULL;
}

PJRT_Error *pjrt_Event_Error(PJRT_Event_Error_Args *args)
{
	return event_is_done(args->event)
	           ? event_wait(args->event)
	           : error_new(PJRT_Error_Code_FAILED_PRECONDITION, "the event is not done yet");
}

PJRT_Error *pjrt_Event_Await(PJRT_Event_Await_Args *args) { return event_wait(args->event); }

PJRT_Error *pjrt_Event_OnReady(PJRT_Event_OnReady_Args *args)
{
	return event_then(args->event, args->callback, args->user_arg);
}
