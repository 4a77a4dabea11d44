/* sdy.h - the part of the verifier that checks sdy (inside op). */
#ifndef TESS_OP_VERIFY_SDY_H
#define TESS_OP_VERIFY_SDY_H

#include "op/verify/verify.h"

typedef struct sdy_walk {
	module *m;
	ptr_map verified; /* shardings that were checked on their meshes */
} sdy_walk;

/* ---- shardings on values (sdy_value.c) ------------------------------------------------- */

/* The subject of an error: "'sdy.x' op result 3". */
typedef struct sdy_subject {
	const op *o;
	const char *what; /* "operand", "in_shardings", …; "" for the op's one value */
	int index, n;     /* of n values */
	const int *part;  /* the place of its sharding, as for op_attr_place() */
} sdy_subject;

bool sdy_error(module *m, const op *o, diag_code code, const char *fmt, ...) PRINTF(4, 5);
/* The same, at a part of the op's attributes. */
bool sdy_error_at(module *m, const op *o, const int *part, diag_code code, const char *fmt, ...)
	PRINTF(5, 6);
/* As text; in scratch memory. */
const char *sdy_axis_words(module *m, axis_ref a);
const char *sdy_axes_words(module *m, axis_list l);
const char *sdy_sharding_words(module *m, const sharding *s);
/* Checks that no manual computation around `o` binds the axis, which `part` of it names. */
bool manual_leaves_free(module *m, const op *o, const name *axis, const int *part);
/* `t` is NULL for an op without results. */
bool sdy_value_ok(sdy_walk *w, sdy_subject at, const sharding *s, const type *t);
/* Checks the shardings that attribute `known` lists for a list of types. */
bool sdy_shardings_ok(sdy_walk *w, const op *o, const char *what, int known, int n,
                      const type *(*get)(const op *, int));
const type *sdy_operand_type(const op *o, int i);
const type *sdy_result_type(const op *o, int i);

/* ---- collectives (sdy_comm.c) ---------------------------------------------------- */

/* Checks unreduced axes: those that become unreduced must do so by `gained`, those that stop by
 * `lost` (-1: not allowed, or not known here), and those that stay keep their reduction. */
bool sdy_unreduced_ok(module *m, const op *o, const sharding *from, const sharding *to, int gained,
                      int lost);
bool sdy_collective_ok(sdy_walk *w, const op *o);

/* ---- the walk (sdy.c) -------------------------------------------------------------- */

/* Checks the shardings of the op's values, and its constraints if it is of sdy. */
bool sdy_verify(sdy_walk *w, const op *o);
/* Checks the record of propagation on an op (edges.c). */
bool edges_ok(module *m, const op *o);

#endif
