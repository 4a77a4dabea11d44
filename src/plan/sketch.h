/* sketch.h - a plan's cost told by programs of a few layers. */
#ifndef TESS_PLAN_SKETCH_H
#define TESS_PLAN_SKETCH_H

#include "plan/program/fold.h"
#include "plan/plan.h"

/* Two programs, one of a layer more. */
typedef struct sketch_pair {
	int layers;           /* of the smaller one; 0: there is none, and the whole program is evaluated */
	plan_subject of[2];   /* their modules are to be released */
	const int *source[2]; /* by site of these: the whole program's */
} sketch_pair;
typedef struct plan_sketch {
	fold_layers layers; /* and the classes of operations and arguments */
	sketch_pair few;    /* by which plans are evaluated */
	sketch_pair more;   /* by which those are that seem good; none of a program of not many layers */
} plan_sketch;
/* false once an error is in the context. */
bool plan_sketch_of(const plan_subject *s, arena *mem, plan_sketch *out);
void plan_sketch_free(plan_sketch *k);

/* What a plan costs with the fewest layers. */
typedef struct sketch_few {
	double seconds;
	int64_t bytes;
} sketch_few;
/* The best plan so far, which others are compared with. */
typedef struct sketch_rival {
	const plan_cost *cost;
	sketch_few few;
	bool fits;
	double far; /* what takes so many times as long is not looked at any further */
} sketch_rival;
typedef struct sketch_result {
	sketch_few few;
	bool rough; /* with the fewest layers it is so far from the rival that p->cost is that in proportion */
} sketch_result;
/* Fills p->cost, for all layers, and `out`.  `rival`: NULL: no cost may be rough.  false: the plan cannot
 * be partitioned, or its costs are not linear in the layers. */
bool sketch_evaluate(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                     const sketch_rival *rival, plan *p, sketch_result *out);
/* Fills `out` for the more layers of the few alone, which tells equal plans; of all, if there are no few. */
bool sketch_evaluate_few(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                         plan *p, plan_cost *out);
/* Fills p->cost by more layers, as the fastest partition costs: within a few thousandths of the whole program.
 * `finals`: the memo of these. */
bool sketch_evaluate_surely(const plan_sketch *k, const plan_subject *s, const target *t, plan_memo *memo,
                            plan_memo *finals, plan *p);

#endif
