/* search.h - plans that were evaluated, and the best of them. */
#ifndef TESS_PLAN_SEARCH_H
#define TESS_PLAN_SEARCH_H

#include "plan/forbid.h"
#include "plan/meshes.h"
#include "plan/model/seed.h"
#include "plan/sketch.h"
#include "plan/tactics.h"

/* What was found out about one plan. */
typedef struct plan_trial {
	plan p;
	tactic t;      /* of which it is made; of none: t.n is 0 */
	const char *from; /* where it is from, if of none */
	bool improved; /* it was changed since */
	bool final;    /* its costs are those of the whole program, partitioned to be fastest */
	bool rough;    /* they are a guess: it is far from the best */
	bool sure;     /* they are by more than the fewest layers */
	sketch_few guessed; /* for all layers, by the fewest */
	double guess;       /* `price` by that */
	sketch_few few; /* by the smaller program of the sketch */
	const struct plan_trial *at_last; /* the same plan, final; NULL: not known */
	bool forbidden; /* it can be partitioned, but has a forbidden collective */
	bool possible;  /* it can be partitioned, and has none */
	bool fits;     /* possible, and within the limit of memory */
	double price;  /* what the search goes by: seconds, with a surcharge for what does not fit */
	int number;    /* in the order of evaluation */
} plan_trial;

/* What a plan on a mesh costs surely, by what the fewest layers say of it (scale.c). */
typedef struct mesh_scale {
	const mesh *m;
	double seconds, bytes;
} mesh_scale;

typedef struct plan_search {
	tess_ctx *ctx;
	arena *mem;
	const plan_options *o;
	const plan_subject *s;
	plan_sketch sketch; /* by which plans are evaluated */
	VEC(mesh_scale) scales; /* of meshes with a plan that is sure */
	plan_memo memo, finals;
	plan_roles roles;
	int64_t limit; /* bytes */
	bool smallest; /* nothing fits, and what takes least memory is searched for */
	double bound;  /* seconds that no plan is under; 0: not known */
	forbidden_list forbidden;
	int64_t evaluated;
	VEC(plan_trial *) trials; /* in the order of evaluation */
	VEC(plan_trial *) wholes; /* those that were evaluated as a whole, too */
	ptr_map known;            /* by key */
	const plan_trial *best;   /* by price; NULL: none is possible */
	bool stopped;
} plan_search;

/* Whether the budget is not spent, and the caller has not had enough. */
bool search_may_evaluate(const plan_search *w);
/* The trial of a plan, evaluated if it is a new one; NULL: the budget is spent, or the caller has
 * had enough. */
const plan_trial *search_try(plan_search *w, const mesh *m, const sharding **at, const tactic *t);
const plan_trial *search_tactic(plan_search *w, const mesh *m, const tactic *t);
/* What a plan costs with few layers, which tells equal plans; false: it is not possible, or the budget is spent. */
bool search_few(plan_search *w, const mesh *m, const sharding **at, plan_cost *out);
/* The trial of the same plan for the whole program, partitioned to be fastest. */
const plan_trial *search_whole(plan_search *w, const plan_trial *t);
/* The same trial, its cost by more layers. */
const plan_trial *search_surely(plan_search *w, const plan_trial *t);
/* The share of the best plan's step that another one could save at most, if it computed as fast as any that was
 * tried, and nothing waited for links; 1: nothing fits yet. */
double search_room(const plan_search *w);
/* The best trial so far, of another mesh than `other`; NULL: none is possible. */
const plan_trial *search_best_beside(const plan_search *w, const mesh *other);
/* Which trials fit, what the search goes by, and the best one again, from their costs. */
void search_judge_all(plan_search *w);
/* What the fewest layers have said, in proportion to what is sure on the mesh. */
void search_scale(const plan_search *w, const mesh *m, plan_cost *c);
/* Makes the best plans sure, until the first one and the first of another mesh are; and of some more meshes
 * one that seems about as good. */
void search_compare_meshes(plan_search *w);
/* The trial of a plan that another one was changed to; as search_try(). */
const plan_trial *search_changed(plan_search *w, const plan_trial *from, const sharding **at);
/* Plans that the model of the program suggests for a mesh (seed.h). */
void search_seeds(plan_search *w, plan_seeder *seeder, const mesh *m);
/* A plan on the mesh whose axis of both kinds of links is two, and what the model suggests there. */
void search_split(plan_search *w, plan_seeder *seeder, const plan_trial *t);
/* The plan that the program came with. */
void search_given(plan_search *w);
/* All tactics over the meshes. */
void search_tactics(plan_search *w, const mesh_list *meshes);
/* What fits goes before what does not; of that what takes less time, of what does not less memory.  `b` may be NULL. */
bool chosen_before(const plan_trial *a, const plan_trial *b);
/* The best of the plans that seem best, evaluated on the whole program: a few, and others as long as they may be
 * better than what was found, or nothing fits.  *surest: the number of the same plan among the trials.  NULL: none
 * can be partitioned. */
const plan_trial *search_choose(plan_search *w, int *surest);
/* What was tried for the decisions of a plan may be better than it: of trials since `first` those that seem so are
 * evaluated on the whole program.  NULL: none is. */
const plan_trial *search_choose_again(plan_search *w, const plan_result *out, int first, int *number);
/* out->frontier, of plans that are evaluated as a whole. */
void search_frontier(plan_search *w, plan_result *out);
/* What a plan began as. */
const char *search_origin(const plan_search *w, const plan_trial *t);
/* The trial's annotations with values and arguments of a role not over an axis. */
void search_without(const plan_search *w, const plan_trial *t, int axis, site_role role, const sharding **at);
/* The decisions of out->best, which is the trial `best`, and what others would cost.
 * @return a trial that is better as a whole, by one decision, and the decisions were not looked at any further;
 * NULL: there is none, or the plan is `settled`. */
const plan_trial *plan_decide(plan_search *w, const plan_trial *best, bool settled, plan_result *out);

#endif
