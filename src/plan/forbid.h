/* forbid.h - collectives that a plan may not have. */
#ifndef TESS_PLAN_FORBID_H
#define TESS_PLAN_FORBID_H

#include "plan/plan.h"

typedef struct forbidden_kind {
	tess_str op; /* "all_to_all" */
	bool near, far; /* true: within nodes; between nodes */
} forbidden_kind;
typedef VEC(forbidden_kind) forbidden_list;

/* Parses list ::= kind ("over" ("near" | "far"))? ("," list)? where NULL is an empty list. Returns
 * false after reporting an error. */
bool forbid_parse(tess_ctx *ctx, const char *text, arena *mem, forbidden_list *out);
bool plan_forbidden(const forbidden_list *l, const plan_cost *c);

#endif
