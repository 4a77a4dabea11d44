/* search.h - plans that were evaluated, and the best of them. */
#ifndef TESS_PLAN_SEARCH_H
#define TESS_PLAN_SEARCH_H

#include "plan/forbid.h"
#include "plan/meshes.h"
#include "plan/model/seed.h"
#include "plan/sketch.h"
#include "plan/tactics.h"

/* What is known of one plan. */
typedef struct plan_trial {
	plan p;
	tactic t;      /* the tactic from which it is made; t.n is 0: none */
	const char *from; /* where it is from, if not from a tactic */
	bool improved; /* it has been changed since */
	bool final;    /* its costs are those of the fastest partition of the whole program */
	bool rough;    /* its costs are a guess, because it is far from the best */
	bool sure;     /* its costs come from more than the fewest layers */
	sketch_few guessed; /* for all layers, extrapolated from the fewest */
	double guess;       /* `price`, from these */
	sketch_few few; /* on the smaller program of the sketch */
	struct plan_trial *at_last; /* the same plan, final; NULL: unknown */
	bool forbidden; /* it can be partitioned, but has a forbidden collective */
	bool possible;  /* it can be partitioned, and has no forbidden collective */
	bool fits;     /* possible, and within the limit of memory */
	double price;  /* what the search minimizes: seconds, with a surcharge for memory that it
		        * lacks */
	int number;    /* in the order of evaluation */
	uint64_t key, merged; /* of the plan; on the mesh where axes that always come together are
	                       * merged, 0: there are none */
} plan_trial;

/* The factor between the sure cost of a plan on a mesh and its cost from the fewest layers
 * (scale.c). */
typedef struct mesh_scale {
	const mesh *m;
	double seconds, bytes;
} mesh_scale;

typedef struct plan_search {
	tess_ctx *ctx;
	arena *mem;
	const plan_options *o;
	const plan_subject *s;
	plan_sketch sketch; /* on which plans are evaluated */
	VEC(mesh_scale) scales; /* of meshes with a sure plan */
	plan_memo memo, finals;
	plan_roles roles;
	int64_t limit; /* bytes */
	int64_t asked; /* the limit that the plan must be within; `limit` is larger or smaller in
	                * the first of two searches (again.c) */
	bool smallest; /* nothing fits, and the plan that takes the least memory is searched for */
	bool steep;    /* memory that a plan lacks counts much more than it else does */
	double bound;  /* seconds; no plan is faster; 0: unknown */
	forbidden_list forbidden;
	int64_t evaluated;
	VEC(plan_trial *) trials; /* in the order of evaluation */
	VEC(plan_trial *) wholes; /* those that were evaluated as a whole, too */
	VEC(const plan_trial *) twins; /* tactics that do the same as a trial on a mesh with fewer axes */
	ptr_map known;            /* by key */
	const plan_trial *best;   /* by price; NULL: none is possible */
	VEC(plan_trial *)
	earlier;               /* trials of the first search, if this is the second one (again.c) */
	ptr_map earlier_known; /* by key */
	VEC(mesh_scale) earlier_scales;
	const plan_trial *told; /* the best within `asked` of both searches; NULL: none fits */
	bool stopped;
} plan_search;

/* True unless the budget is spent or the caller has stopped the search. */
bool search_may_evaluate(const plan_search *w);
/* Returns the trial of a plan, and evaluates it if it is new; NULL: the budget is spent, or the
 * caller has stopped the search. */
const plan_trial *search_try(plan_search *w, const mesh *m, const sharding **at, const tactic *t);
const plan_trial *search_tactic(plan_search *w, const mesh *m, const tactic *t);
/* Tries a plan that is not made of a tactic; `from` says of what. */
const plan_trial *search_try_from(plan_search *w, const mesh *m, const sharding **at, const char *from);
/* Finds the cost of a plan on few layers, by which equal plans are recognized; `written`: in the form
 * in which users write it. Returns false if it is not possible, or the budget is spent. */
bool search_few(plan_search *w, const mesh *m, const sharding **at, bool written, plan_cost *out);
/* Returns the trial of the same plan with the fastest partition of the whole program. */
const plan_trial *search_whole(plan_search *w, const plan_trial *t);
/* The same. If the plan costs more in the form in which users write it, that is from now on its cost. */
const plan_trial *search_written(plan_search *w, const plan_trial *t);
/* Evaluates the first plans on the whole program, since the sketch says nothing of any: its two programs
 * were propagated differently each time. Returns false if none of them is possible. */
bool search_wholes(plan_search *w);
/* Returns the same trial, with its cost from more layers. */
const plan_trial *search_surely(plan_search *w, const plan_trial *t);
/* Returns the largest share of the best plan's step that another plan could save: if it computed as
 * fast as any plan so far and never waited for links; 1: nothing fits yet. */
double search_room(const plan_search *w);
/* Returns the best trial so far on another mesh than `other`; NULL: none is possible. */
const plan_trial *search_best_beside(const plan_search *w, const mesh *other);
/* Adds a trial whose keys are known. */
void search_add(plan_search *w, plan_trial *n);
/* Begins the second search: there are no trials of it yet. */
void search_anew(plan_search *w);
/* Adds the earlier search's other trials. Returns the trial that `one` of these is now. */
const plan_trial *search_recall_all(plan_search *w, const plan_trial *one);
/* Takes the scales of meshes of which only the earlier search has some; gives a trial of that
 * search the scale that its mesh has now. */
void search_take_scales(plan_search *w);
void search_rescale(plan_search *w, plan_trial *t);
/* Computes from the costs of all trials which ones fit, their prices, and the best one. */
void search_judge_all(plan_search *w);
/* Scales a cost from the fewest layers by what is sure on the mesh. */
void search_scale(const plan_search *w, const mesh *m, plan_cost *c);
/* Evaluates the best plans on more layers until this has been done for the first one and the first
 * one of another mesh; and on some other meshes one that seems about as good. */
void search_compare_meshes(plan_search *w);
/* Returns the trial of a plan that was made by changing another one, as search_try() does. */
const plan_trial *search_changed(plan_search *w, const plan_trial *from, const sharding **at);
/* Returns the trial of the plan that another one becomes on another mesh. */
const plan_trial *search_moved(plan_search *w, const plan_trial *from, const mesh *m,
                               const sharding **at);
/* Tries plans that the model of the program suggests for a mesh (seed.h). */
void search_seeds(plan_search *w, plan_seeder *seeder, const mesh *m);
/* Tries the best plans on meshes with one more axis (split.c). */
void search_splits(plan_search *w, plan_seeder *seeder);
/* Tries the best plan on meshes with other axis sizes, if it has three axes (reshape.c). */
void search_reshape(plan_search *w, plan_seeder *seeder);
/* Tries the annotations that the program has; none. */
void search_given(plan_search *w);
void search_unannotated(plan_search *w, const mesh *m);
/* Tries all tactics on the meshes of one axis. */
void search_tactics_of_one_axis(plan_search *w, const mesh_list *meshes);
/* Tries all tactics, or pairs of these, on the other meshes, unless what is known of them makes them
 * hopeless; and the best of all with fewer annotations. */
void search_tactics_of_more_axes(plan_search *w, const mesh_list *meshes);
/* True if `a` is better: a plan that fits comes before one that does not; of those that fit, the
 * faster one is better, of the others the one that takes less memory. `b` may be NULL. */
bool chosen_before(const plan_trial *a, const plan_trial *b);
/* Evaluates the plans that seem best on the whole program: a few, and others as long as they may be
 * better than the best so far, or nothing fits. Returns the best; *surest: the number of the same
 * plan among the trials. NULL: none can be partitioned. */
const plan_trial *search_choose(plan_search *w, int *surest);
/* Plans that were tried for the decisions may be better than the plan itself: evaluates those
 * trials since `first` that seem so on the whole program. NULL: none is better. */
const plan_trial *search_choose_again(plan_search *w, const plan_result *out, int first, int *number);
/* False if only one tactic was asked for, and the plan decides something otherwise. */
bool search_may_take(const plan_search *w, const plan_trial *t);
/* Fills out->frontier with plans that are evaluated on the whole program. */
void search_frontier(plan_search *w, plan_result *out);
/* Returns what a plan was derived from. */
const char *search_origin(const plan_search *w, const plan_trial *t);
/* Returns the sharding without the axis; NULL without one. */
const sharding *sharding_without(tess_ctx *ctx, const sharding *s, const name *axis);
/* Fills `at` with the trial's annotations, in which the axis does not shard values and arguments of
 * the role. */
void search_without(const plan_search *w, const plan_trial *t, int axis, site_role role, const sharding **at);
/* Finds the decisions of out->best, which is the trial `best`, and what the alternatives would
 * cost. @return a trial that differs in one decision and is better on the whole program, in which
 * case no further decisions are found; NULL: there is none, or the plan is `settled` */
const plan_trial *plan_decide(plan_search *w, const plan_trial *best, bool settled, plan_result *out);

#endif
