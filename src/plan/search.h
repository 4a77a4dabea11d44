/* search.h - plans that were evaluated, and the best of them. */
#ifndef TESS_PLAN_SEARCH_H
#define TESS_PLAN_SEARCH_H

#include "plan/forbid.h"
#include "plan/meshes.h"
#include "plan/sketch.h"
#include "plan/tactics.h"

/* What was found out about one plan. */
typedef struct plan_trial {
	plan p;
	tactic t;      /* of which it is made */
	bool whole;    /* its costs are those of the whole program */
	bool possible; /* it can be partitioned, and has no forbidden collective */
	bool fits;     /* possible, and within the limit of memory */
	double price;  /* what the search goes by: seconds, with a surcharge for what does not fit */
	int number;    /* in the order of evaluation */
} plan_trial;

typedef struct plan_search {
	tess_ctx *ctx;
	arena *mem;
	const plan_options *o;
	const plan_subject *s;
	plan_sketch sketch; /* by which plans are evaluated */
	plan_roles roles;
	int64_t limit; /* bytes */
	forbidden_list forbidden;
	int64_t evaluated;
	VEC(plan_trial *) trials; /* in the order of evaluation */
	ptr_map known;            /* by key */
	const plan_trial *best;   /* by price; NULL: none is possible */
	bool stopped;
} plan_search;

/* The trial of a plan, evaluated if it is a new one; NULL: the budget is spent, or the caller has
 * had enough. */
const plan_trial *search_try(plan_search *w, const mesh *m, const sharding **at, const tactic *t);
const plan_trial *search_tactic(plan_search *w, const mesh *m, const tactic *t);
/* The trial of the same plan for the whole program. */
const plan_trial *search_whole(plan_search *w, const plan_trial *t);
/* All tactics over the meshes. */
void search_tactics(plan_search *w, const mesh_list *meshes);
/* The decisions of `best`, and what others would cost. */
void plan_decide(const plan_search *w, const plan_trial *best, plan_result *out);

#endif
