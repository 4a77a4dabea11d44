/* buffer.h - the inside of a buffer. */
#ifndef TESS_RUN_BUFFER_H
#define TESS_RUN_BUFFER_H

#include "run/run.h"

#include <stdatomic.h>

/* Memory of one or more buffers. */
typedef struct buffer_piece {
	atomic_int left; /* buffers in it that still have references */
	size_t bytes;    /* size of what follows this header */
	buffer_store *store; /* where it is returned to; NULL: none */
	struct buffer_piece *next, *newer, *older; /* links in the store */
} buffer_piece;

/* Returns NULL if there is no memory. `store` may be NULL. */
buffer_piece *piece_new(buffer_store *store, size_t bytes);
void piece_free(buffer_piece *piece);

struct tess_buffer {
	atomic_llong references;
	char *data;
	size_t bytes;
	buffer_piece *piece; /* that contains it; NULL: external memory, which runs only read */
	void (*release)(void *user);
	void *user;
};

#endif
