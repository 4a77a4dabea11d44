/* verify_sdy.h - the sdy half of the verifier; inside op. */
#ifndef TESS_VERIFY_SDY_H
#define TESS_VERIFY_SDY_H

#include "op/verify.h"

typedef struct sdy_walk {
	module *m;
	ptr_map verified; /* shardings that are sound on their meshes */
} sdy_walk;

/* The shardings on the op's values, and its constraints if it is of sdy. */
bool sdy_verify(sdy_walk *w, const op *o);
/* The records of propagation on an op (verify_edges.c). */
bool edges_ok(module *m, const op *o);

#endif
