/* lint_walk.h - what the checks of lint share; inside report. */
#ifndef TESS_REPORT_LINT_WALK_H
#define TESS_REPORT_LINT_WALK_H

#include "report/report.h"

typedef struct lint_walk {
	const lint_input *in;
	arena *mem;
	finding_list *out;
	ptr_map seen[LINT_KINDS]; /* what is alike -> index of its finding + 1 */
	ptr_map numbers; /* of collectives, plus 1 */
} lint_walk;

/* Adds a finding.  Findings of one kind at one source line, or that are alike, become one. */
void found(lint_walk *w, finding f, const char *fmt, ...) PRINTF(3, 4);

/* "%x f32[8,16]" */
const char *value_words(lint_walk *w, const value *v);
/* The sharding as text, or "none". */
const char *sharding_words(lint_walk *w, const sharding *s);
/* What the value is sharded by; NULL: nothing says so. */
const sharding *sharding_under(const lint_walk *w, const value *v);
/* The mesh that `s` is about, or the program's. */
const mesh *mesh_under(const lint_walk *w, const sharding *s);
int64_t shard_count(const lint_walk *w, const value *v);
/* Both shard some dimension, and differently; -1: none. */
int clashing_dim(const sharding *a, const sharding *b);

typedef void value_check(lint_walk *w, const value *v);
void each_value(lint_walk *w, const module *m, value_check *check);

/* The checks, one file each. */
void lint_values(lint_walk *w);      /* lint_values.c */
void lint_annotations(lint_walk *w); /* lint_annotations.c */
void lint_collectives(lint_walk *w); /* lint_collectives.c */

#endif
