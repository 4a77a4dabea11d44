/* store.c - keeps large pieces of memory for reuse.
 *
 * They are looked up by size; when there are too many, the oldest are freed first. */
#include "run/buffer.h"

#include <pthread.h>
#include <stdlib.h>

enum { STORED_LISTS = 64, STORED_LEAST = 64 << 10, STORED_MOST = 256 << 20 };

struct buffer_store {
	pthread_mutex_t lock;
	atomic_int users; /* its owner, and each piece outside the store */
	size_t bytes;     /* of the pieces in it */
	buffer_piece *by_size[STORED_LISTS];
	buffer_piece *newest, *oldest;
};

buffer_store *store_new(void)
{
	buffer_store *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	pthread_mutex_init(&s->lock, NULL);
	atomic_init(&s->users, 1);
	return s;
}

static buffer_piece **list_of(buffer_store *s, size_t bytes)
{
	return &s->by_size[hash_mix(0, bytes) % STORED_LISTS];
}

/* Unlinks the piece at *at, a list of the store. */
static buffer_piece *store_take(buffer_store *s, buffer_piece **at)
{
	buffer_piece *p = *at;
	*at = p->next;
	*(p->newer ? &p->newer->older : &s->newest) = p->older;
	*(p->older ? &p->older->newer : &s->oldest) = p->newer;
	s->bytes -= p->bytes;
	return p;
}

static buffer_piece *take_of_size(buffer_store *s, size_t bytes)
{
	buffer_piece **at = list_of(s, bytes);
	while (*at && (*at)->bytes != bytes)
		at = &(*at)->next;
	return *at ? store_take(s, at) : NULL;
}

static buffer_piece *take_oldest(buffer_store *s)
{
	buffer_piece **at = list_of(s, s->oldest->bytes);
	while (*at != s->oldest)
		at = &(*at)->next;
	return store_take(s, at);
}

static void put_in(buffer_store *s, buffer_piece *p)
{
	buffer_piece **list = list_of(s, p->bytes);
	p->next = *list;
	*list = p;
	p->newer = NULL;
	p->older = s->newest;
	*(s->newest ? &s->newest->newer : &s->oldest) = p;
	s->newest = p;
	s->bytes += p->bytes;
}

void store_free(buffer_store *s)
{
	if (!s || atomic_fetch_sub_explicit(&s->users, 1, memory_order_acq_rel) != 1)
		return;
	while (s->oldest)
		free(take_oldest(s));
	pthread_mutex_destroy(&s->lock);
	free(s);
}

buffer_piece *piece_new(buffer_store *store, size_t bytes)
{
	buffer_piece *p = NULL;
	if (bytes < STORED_LEAST || bytes > STORED_MOST)
		store = NULL;
	if (store) {
		pthread_mutex_lock(&store->lock);
		p = take_of_size(store, bytes);
		pthread_mutex_unlock(&store->lock);
	}
	if (!p && !(p = malloc(sizeof *p + bytes)))
		return NULL;
	p->bytes = bytes;
	p->store = store;
	if (store)
		atomic_fetch_add_explicit(&store->users, 1, memory_order_relaxed);
	return p;
}

void piece_free(buffer_piece *p)
{
	buffer_store *s = p->store;
	if (!s) {
		free(p);
		return;
	}
	buffer_piece *gone = NULL;
	pthread_mutex_lock(&s->lock);
	put_in(s, p);
	while (s->bytes > STORED_MOST) {
		buffer_piece *old = take_oldest(s);
		old->next = gone;
		gone = old;
	}
	pthread_mutex_unlock(&s->lock);
	while (gone) {
		p = gone;
		gone = p->next;
		free(p);
	}
	store_free(s);
}
