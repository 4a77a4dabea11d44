/* sdy.h - the sdy half of the verifier; inside op. */
#ifndef TESS_OP_VERIFY_SDY_H
#define TESS_OP_VERIFY_SDY_H

#include "op/verify/verify.h"

typedef struct sdy_walk {
	module *m;
	ptr_map verified; /* shardings that are sound on their meshes */
} sdy_walk;

/* ---- shardings on values (sdy_value.c) ------------------------------------------------- */

/* "'sdy.x' op result 3": what an error is about. */
typedef struct sdy_subject {
	const op *o;
	const char *what; /* "operand", "in_shardings", …; "" for the op's one value */
	int index, n;     /* of n values */
	const int *part;  /* where its sharding is, as for op_attr_place() */
} sdy_subject;

bool sdy_error(module *m, const op *o, diag_code code, const char *fmt, ...) PRINTF(4, 5);
/* The same, at a part of its attributes. */
bool sdy_error_at(module *m, const op *o, const int *part, diag_code code, const char *fmt, ...)
	PRINTF(5, 6);
/* As they are written; in the scratch arena. */
const char *sdy_axis_words(module *m, axis_ref a);
const char *sdy_axes_words(module *m, axis_list l);
const char *sdy_sharding_words(module *m, const sharding *s);
/* No manual computation around `o` binds the axis, which `part` of it names. */
bool manual_leaves_free(module *m, const op *o, const name *axis, const int *part);
/* `t` NULL: an op without results. */
bool sdy_value_ok(sdy_walk *w, sdy_subject at, const sharding *s, const type *t);
/* The shardings that attribute `known` lists, for a list of types. */
bool sdy_shardings_ok(sdy_walk *w, const op *o, const char *what, int known, int n,
                      const type *(*get)(const op *, int));
const type *sdy_operand_type(const op *o, int i);
const type *sdy_result_type(const op *o, int i);

/* ---- collectives (sdy_comm.c) ---------------------------------------------------- */

/* Axes that become unreduced must do so by `gained`, ones that stop by `lost` (-1:
 * not allowed to, or not known here), and ones that stay keep their reduction. */
bool sdy_unreduced_ok(module *m, const op *o, const sharding *from, const sharding *to, int gained,
                      int lost);
bool sdy_collective_ok(sdy_walk *w, const op *o);

/* ---- the walk (sdy.c) -------------------------------------------------------------- */

/* The shardings on the op's values, and its constraints if it is of sdy. */
bool sdy_verify(sdy_walk *w, const op *o);
/* The records of propagation on an op (edges.c). */
bool edges_ok(module *m, const op *o);

#endif
