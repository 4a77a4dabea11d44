/* lint_walk.h - what the checks of lint share; internal to report. */
#ifndef TESS_REPORT_LINT_WALK_H
#define TESS_REPORT_LINT_WALK_H

#include "report/report.h"

typedef struct lint_walk {
	const lint_input *in;
	arena *mem;
	finding_list *out;
	ptr_map seen[LINT_KINDS]; /* key of similar findings -> index of the finding + 1 */
	ptr_map numbers; /* of collectives, plus 1 */
} lint_walk;

/* Adds a finding. Findings of one kind that are similar or at the same source line are merged. */
void found(lint_walk *w, finding f, const char *fmt, ...) PRINTF(3, 4);

/* Returns "%x f32[8,16]". */
const char *value_words(lint_walk *w, const value *v);
/* Returns the sharding as text, or "none". */
const char *sharding_words(lint_walk *w, const sharding *s);
/* Returns the sharding that the value has; NULL: none. */
const sharding *sharding_under(const lint_walk *w, const value *v);
/* Returns the mesh of `s`, or the program's. */
const mesh *mesh_under(const lint_walk *w, const sharding *s);
int64_t shard_count(const lint_walk *w, const value *v);
/* Returns the first dimension that both shard, but differently; -1: none. */
int clashing_dim(const sharding *a, const sharding *b);

typedef void value_check(lint_walk *w, const value *v);
void each_value(lint_walk *w, const module *m, value_check *check);

/* The checks, one file each. */
void lint_values(lint_walk *w);      /* lint_values.c */
void lint_annotations(lint_walk *w); /* lint_annotations.c */
void lint_collectives(lint_walk *w); /* lint_collectives.c */

#endif
