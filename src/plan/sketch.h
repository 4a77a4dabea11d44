/* sketch.h - finds the cost of a plan from programs of a few layers. */
#ifndef TESS_PLAN_SKETCH_H
#define TESS_PLAN_SKETCH_H

#include "plan/program/fold.h"
#include "plan/plan.h"

/* Two programs, of which the second has one more layer. */
typedef struct sketch_pair {
	int layers;           /* of the smaller one; 0: there is none, and the whole program is
			       * evaluated */
	plan_subject of[2];   /* the caller releases their modules */
	const int *source[2]; /* by site of these: the site of the whole program */
} sketch_pair;
typedef struct plan_sketch {
	fold_layers layers; /* and the classes of operations and arguments */
	sketch_pair few;    /* for all plans */
	sketch_pair more;   /* for plans that seem good; programs with not many layers have none */
} plan_sketch;
/* Returns false after reporting an error. */
bool plan_sketch_of(const plan_subject *s, arena *mem, plan_sketch *out);
/* Imports the programs on which plans are evaluated (plan_make_ready()). */
void plan_sketch_make_ready(plan_sketch *k, plan_subject *s, propagation_memo *memo, arena *mem);
void plan_sketch_free(plan_sketch *k);

/* What a plan costs on the fewest layers. */
typedef struct sketch_few {
	double seconds;
	int64_t bytes;
} sketch_few;
/* The best plan so far, with which others are compared. */
typedef struct sketch_rival {
	const plan_cost *cost;
	sketch_few few;
	bool fits;
	double far; /* plans that take this many times as long are not evaluated further */
} sketch_rival;
typedef struct sketch_result {
	sketch_few few;
	bool rough; /* on the fewest layers it is so far from the rival that p->cost is only
		     * that, in proportion */
} sketch_result;
/* Fills p->cost, for all layers, and `out`. `rival`: NULL: no cost may be rough. Returns false if
 * the plan cannot be partitioned, or its costs are not linear in the layers. */
bool sketch_evaluate(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                     const sketch_rival *rival, plan *p, sketch_result *out);
/* Fills `out` from the larger program of `few` only, by which equal plans are recognized; from the
 * whole program if there are no few. */
bool sketch_evaluate_few(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                         plan *p, plan_cost *out);
/* Fills p->cost from more layers and the fastest partition: within a few thousandths of the whole
 * program. `finals`: the memo of these. */
bool sketch_evaluate_surely(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                            plan_memo *finals, plan *p);

#endif
