/* machine.h - finds the machine that a caller names: in the table, or in a file. */
#ifndef TESS_API_MACHINE_H
#define TESS_API_MACHINE_H

#include "cost/cost.h"

typedef struct machine {
	const target *target;
	file_text file; /* open while in use */
} machine;

/* `named` is a name in targets.def or a unique prefix of one, "FILE:NAME", or "FILE" for its first
 * machine; NULL is the first of targets.def. What is read is allocated in `mem`. Call
 * machine_free() in any case. @return TESS_OK, TESS_USAGE if there is none, TESS_INVALID if the
 * file is malformed */
tess_status machine_find(tess_ctx *ctx, const char *named, arena *mem, machine *out);
void machine_free(tess_ctx *ctx, machine *m);

#endif
