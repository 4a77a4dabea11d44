/* buffer.h - what a buffer is inside. */
#ifndef TESS_RUN_BUFFER_H
#define TESS_RUN_BUFFER_H

#include "run/run.h"

#include <stdatomic.h>

/* Memory of one or more buffers. */
typedef struct buffer_piece {
	atomic_int left; /* buffers in it that are referred to */
	size_t bytes;    /* behind this */
	buffer_store *store; /* it goes back to; NULL: none */
	struct buffer_piece *next, *newer, *older; /* in the store */
} buffer_piece;

/* @return NULL: there is no memory.  `store` may be NULL. */
buffer_piece *piece_new(buffer_store *store, size_t bytes);
void piece_free(buffer_piece *piece);

struct tess_buffer {
	atomic_llong references;
	char *data;
	size_t bytes;
	buffer_piece *piece; /* it lies in; NULL: its memory is somebody else's, which runs only read */
	void (*release)(void *user);
	void *user;
};

#endif
