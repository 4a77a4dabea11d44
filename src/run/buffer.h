/* buffer.h - what a buffer is inside. */
#ifndef TESS_RUN_BUFFER_H
#define TESS_RUN_BUFFER_H

#include "run/run.h"

#include <stdatomic.h>

typedef struct buffer_piece buffer_piece;

struct tess_buffer {
	atomic_llong references;
	char *data;
	size_t bytes;
	buffer_piece *piece; /* it lies in; NULL: its memory is somebody else's, which runs only read */
	void (*release)(void *user);
	void *user;
};

#endif
