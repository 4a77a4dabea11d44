/* buffer.c - reference-counted memory.
 *
 * A program for thousands of devices returns thousands of small buffers that are created and
 * released together. So they are allocated as one piece of memory, which is freed with the last of
 * them. Fresh pages cost more than most programs that fill them, so large pieces are returned to
 * the store they came from. */
#include "run/buffer.h"

#include <stdlib.h>

enum { BUFFER_ALIGN = 64, SMALL_BUFFER = 4096 };

static size_t up_to_line(size_t n)
{
	return (n + BUFFER_ALIGN - 1) & ~(size_t)(BUFFER_ALIGN - 1);
}

/* Allocates n buffers in one piece. Each header is followed by its data, which is aligned and has
 * room up to a multiple of 64 bytes. */
static bool buffers_together(buffer_store *store, size_t bytes, int n, tess_buffer **out)
{
	const size_t head = up_to_line(sizeof(tess_buffer)), each = head + up_to_line(bytes);
	if (bytes > SIZE_MAX / 2 || each > SIZE_MAX / 2 / (size_t)n)
		return false;
	buffer_piece *piece = piece_new(store, BUFFER_ALIGN + each * (size_t)n);
	if (!piece)
		return false;
	atomic_init(&piece->left, n);
	char *at = (char *)up_to_line((uintptr_t)(piece + 1));
	for (int i = 0; i < n; i++, at += each) {
		tess_buffer *b = out[i] = (tess_buffer *)at;
		*b = (tess_buffer){.piece = piece, .data = at + head, .bytes = bytes};
		atomic_init(&b->references, 1);
	}
	return true;
}

bool buffers_new(buffer_store *store, size_t bytes, int n, tess_buffer **out)
{
	if (bytes <= SMALL_BUFFER)
		return buffers_together(store, bytes, n, out);
	for (int i = 0; i < n; i++)
		if (!buffers_together(store, bytes, 1, &out[i]))
			return false;
	return true;
}

tess_buffer *buffer_new(size_t bytes)
{
	tess_buffer *b;
	return buffers_together(NULL, bytes, 1, &b) ? b : NULL;
}

tess_buffer *buffer_wrap(const void *data, size_t bytes, void (*release)(void *user), void *user)
{
	tess_buffer *b = malloc(sizeof *b);
	if (!b)
		return NULL;
	*b = (tess_buffer){.data = (char *)data, .bytes = bytes, .release = release, .user = user};
	atomic_init(&b->references, 1);
	return b;
}

void *buffer_data(const tess_buffer *b) { return b->data; }
size_t buffer_bytes(const tess_buffer *b) { return b->bytes; }

void buffer_retain(tess_buffer *b, int64_t n)
{
	atomic_fetch_add_explicit(&b->references, n, memory_order_relaxed);
}

static bool goes(tess_buffer *b, int64_t n)
{
	return atomic_fetch_sub_explicit(&b->references, n, memory_order_acq_rel) == n;
}

void buffer_release(tess_buffer *b, int64_t n)
{
	if (!b || !n || !goes(b, n))
		return;
	if (b->piece) {
		if (atomic_fetch_sub_explicit(&b->piece->left, 1, memory_order_acq_rel) == 1)
			piece_free(b->piece);
		return;
	}
	if (b->release)
		b->release(b->user);
	free(b);
}
