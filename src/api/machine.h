/* machine.h - the machine that a caller names: one of the table, or of a file. */
#ifndef TESS_API_MACHINE_H
#define TESS_API_MACHINE_H

#include "cost/cost.h"

typedef struct machine {
	const target *target;
	file_text file; /* open while it is read */
} machine;

/* `named` is a name of targets.def, "FILE:NAME", or "FILE" for its first machine; of a name what
 * only one begins with is enough; NULL is the first of targets.def.  What is read lies in `mem`.  Release in any case.
 * @return TESS_OK, TESS_USAGE if there is none, TESS_INVALID if the file is wrong. */
tess_status machine_find(tess_ctx *ctx, const char *named, arena *mem, machine *out);
void machine_free(tess_ctx *ctx, machine *m);

#endif
