/* diff.h - the difference between two programs; internal to report.
 *
 * Causes come first: the mesh, then the arguments, results and constraints that are annotated
 * differently; then what follows from them, the other values. Then the effects: memory,
 * communication, time. */
#ifndef TESS_REPORT_DIFF_H
#define TESS_REPORT_DIFF_H

#include "report/report.h"

/* ---- diff_match.c --------------------------------------------------------------------------- */

typedef struct value_pair {
	value *a, *b;
} value_pair;

typedef struct value_matches {
	VEC(value_pair) pairs; /* in the order of the second program */
	int only[2];           /* number of values without a counterpart */
} value_matches;
/* Matches the values of `a` and `b`, in functions of the same names. */
void match_values(const module *a, const module *b, arena *mem, value_matches *out);

/* ---- diff.c --------------------------------------------------------------------------------- */

/* A value, or a result of @main, that is sharded or annotated differently. */
typedef struct change {
	const char *name; /* "%h", "result:0" */
	const type *type;
	const sharding *before, *after; /* NULL: none; the annotations, if only they differ */
	bool cause;                     /* it is annotated differently */
} change;

/* A constraint that only one of the programs has. */
typedef struct lone_constraint {
	int side;
	const char *value;
	const sharding *s;
} lone_constraint;

typedef struct traffic_kind {
	const char *op;
	const char *axes;
	int64_t count[2];
	double bytes[2], seconds[2];
} traffic_kind;

typedef struct difference {
	const report *side[2];
	bool other_mesh;
	VEC(change) changes; /* causes first, then in program order */
	VEC(lone_constraint) constraints;
	int n_causes, only[2]; /* number of values that only one side has */
	int n_resharded;       /* number of values that are sharded differently */
	VEC(traffic_kind) traffic; /* that differs */
} difference;

/* ---- diff_out.c ----------------------------------------------------------------------------- */

bool diff_is_none(const difference *d);
void diff_text(const difference *d, writer *w, bool color);
void diff_json(const difference *d, arena *mem, writer *w);

#endif
