/* plan.h - the interface of plan: finds a mesh and shardings for a program.
 *
 * A plan is a mesh shape with a sharding for some of the sites where a program can be annotated:
 * arguments and results of main, and values inside it. Its cost is what `tess report` says of the
 * program with these annotations: it is propagated, partitioned and costed, not estimated by a
 * second model. So a plan that is written to a file and read again costs what the search has
 * found. */
#ifndef TESS_PLAN_PLAN_H
#define TESS_PLAN_PLAN_H

#include "cost/cost.h"
#include "op/op.h"
#include "partition/partition.h"
#include "propagate/propagate.h"

/* ---- what is planned ---------------------------------------------------------------- */

/* Which annotations of the program are kept. */
typedef enum plan_keep {
	PLAN_KEEP_NONE,
	PLAN_KEEP_INPUTS,      /* those of arguments and results of main */
	PLAN_KEEP_ANNOTATIONS, /* all; open dimensions may be sharded further */
	PLAN_KEEP_CONSTRAINTS, /* constraints, for which a plan may choose something else, and
			        * all annotations in regions and functions */
} plan_keep;

/* A site where a plan may annotate. */
typedef struct plan_site {
	enum { SITE_ARGUMENT, SITE_RESULT, SITE_VALUE } kind;
	int number;       /* of the argument or result; of a value: the position of its op in
			   * main */
	const type *type; /* a tensor of static shape and rank above 0 */
	value *v;         /* of the subject's program; NULL for results */
	int follows;      /* of a result: the site of the argument whose next state it is; or -1 */
	int moment_of;    /* of an argument: the one whose next state is also computed from it;
			   * or -1 */
	bool donated;     /* the result takes the memory of the argument that it follows */
	bool fixed;       /* the user's annotation is kept */
} plan_site;
/* True for an argument of main whose dimensions are divided, so that a loop takes one part after
 * another: micro-batches. `v` may be NULL. */
bool plan_divides_argument(const value *v);

typedef struct plan_ready plan_ready;

/* A program without the annotations that the plan chooses. Everything but the module is allocated
 * in the arena that was given. */
typedef struct plan_subject {
	module *m; /* to release with module_free() */
	int n_sites;
	plan_site *sites; /* arguments, results, values, each in program order */
	const name *mesh_symbol;
	const mesh *given; /* the program's mesh; NULL: it has none */
	const sharding **given_at; /* [n_sites]: the program's annotations; NULL: there is none */
	bool mesh_fixed;   /* only `given` is possible, because annotations that are kept name
			    * its axes */
	plan_ready *ready; /* the program, imported once for many plans; NULL: for each of them */
} plan_subject;
/* Returns false after reporting an error. */
bool plan_subject_of(const module *given, plan_keep keep, arena *mem, plan_subject *out);
/* Sets s->ready, if plans then cost the same. The caller releases it before the subject's module.
 * (applied.c) */
void plan_make_ready(plan_subject *s, propagation_memo *memo, arena *mem);
void plan_ready_free(plan_subject *s);

/* ---- the partition for a machine (fastest.c) --------------------------------------------- */

/* partition_local() for a machine: of several partitions, returns the one that takes the least time
 * by the schedule of cost.h, if it fits. It sets `o->prices` itself. `mem` must not be the
 * context's `perm`. */
bool partition_fastest(module *global, const target *t, const partition_options *o, arena *mem,
                       local_program *out);

/* ---- what a plan costs --------------------------------------------------------------- */

/* What collectives of one kind send, within nodes or between them. */
typedef struct plan_traffic {
	const char *op; /* "all_gather"; static */
	bool far;
	int count;
	double wire_bytes, seconds;
} plan_traffic;

typedef struct plan_cost {
	double step_seconds;    /* with communication overlapped, as in the report */
	double exposed_seconds; /* of this time, the part in which only links work */
	double compute_seconds, comm_seconds, far_seconds; /* far: the part of comm between nodes */
	int64_t peak_bytes;
	int64_t argument_bytes, temporary_bytes; /* at the peak */
	int collectives;
	int n_traffic;
	plan_traffic traffic[16];
} plan_cost;
/* Returns a / b, and 1 if b is 0: a program in which nothing takes time costs 0 in every way. */
static inline double plan_ratio(double a, double b) { return b > 0 ? a / b : 1; }
/* Multiplies all seconds, and all bytes except those of the traffic. */
void plan_cost_scale(plan_cost *c, double seconds, double bytes);

typedef struct plan {
	const mesh *mesh;
	const sharding **at; /* [n_sites]; NULL: no annotation */
	const char *tactic;  /* the one from which the search derived it */
	plan_cost cost;
	bool written; /* values have constraints, as users write them, and no annotations */
} plan;

/* Returns the program with the plan's annotations; the caller releases it. */
module *plan_applied(const plan_subject *s, const plan *p);
/* How the partitioner chooses reshards. */
typedef enum plan_partition {
	PARTITION_FASTEST,   /* so that a step is fastest on the machine */
	PARTITION_BY_BYTES,  /* so that the fewest bytes are sent: if no machine was named */
	PARTITION_AS_SHARDY, /* where Shardy would insert them */
} plan_partition;
/* For reports and advice, whose machine is the one that was named, or the first one. */
static inline plan_partition plan_partition_told(bool as_shardy, bool machine_named)
{
	return as_shardy ? PARTITION_AS_SHARDY : machine_named ? PARTITION_FASTEST : PARTITION_BY_BYTES;
}
/* Propagates, partitions and costs a program. Returns false if it cannot be partitioned; nothing is
 * reported. */
bool plan_costs(const module *annotated, const target *t, plan_partition by, plan_cost *out);
/* Known costs of propagated programs: many plans lead to the same one. */
typedef struct plan_memo {
	arena *mem;
	ptr_map costs; /* by a key of the propagated program */
	propagation_memo *propagation; /* of the subject; NULL: none */
} plan_memo;
/* Fills p->cost for the partition by bytes, which is quick. `memo`: only for this target; NULL:
 * none. */
bool plan_evaluate(const plan_subject *s, const target *t, plan_memo *memo, plan *p);
/* The same for the fastest partition, as in plan_costs(). */
bool plan_evaluate_fastest(const plan_subject *s, const target *t, plan_memo *memo, plan *p);
/* Both at once, which is quicker than one after the other. `finals`: the memo of the fastest ones. */
bool plan_evaluate_both(const plan_subject *s, const target *t, plan_memo *memo, plan_memo *finals,
                        const plan *p, plan_cost *by_bytes, plan_cost *fastest);

/* Reports why the program cannot be partitioned with a plan (NULL: with what the subject has), and notes what
 * that means, which is the error if there is no other one. Returns false. */
bool plan_report_why(const plan_subject *s, const target *t, plan_partition by, const plan *p,
                     const char *meaning);

/* Returns the seconds that the devices take if everything that the program computes is divided
 * evenly among them, runs as fast as the machine can, and nothing is sent: no plan takes less. 0:
 * the program's work cannot be counted. */
double plan_bound(const plan_subject *s, const target *t, int64_t devices);

/* ---- the search ------------------------------------------------------------------------ */

typedef struct plan_progress {
	int64_t evaluated;
	const plan *best; /* NULL: none yet */
	bool fits;        /* whether the best one fits */
	double bound;     /* seconds; no plan is faster; 0: unknown */
} plan_progress;
/* @return false to stop the search */
typedef bool plan_progress_fn(void *user, const plan_progress *p);

typedef struct plan_options {
	const target *target;
	int64_t devices;
	int64_t limit;      /* bytes per device; 0: 92 % of the target's memory */
	plan_keep keep;
	const char *mesh;   /* "data=*,model=8"; NULL: any shape */
	const char *tactic; /* only this one; NULL: all */
	const char *forbid; /* collectives: "all_to_all over far, all_gather"; NULL: none */
	int64_t budget;     /* evaluations; 0: the default */
	plan_progress_fn *progress;
	void *user;
} plan_options;

/* A decision, and what the best alternative would cost. */
typedef struct plan_decision {
	const char *what, *why, *next; /* next: the best alternative; NULL: there is none */
	plan_cost next_cost;
	bool next_fits;
} plan_decision;

typedef struct plan_result {
	plan_subject subject;
	plan best;
	bool fits;     /* otherwise `best` needs the least memory of all evaluated plans */
	int64_t limit; /* bytes */
	bool annotated; /* the program has annotations for this number of devices */
	plan_cost annotated_cost;
	double bound;  /* seconds; no plan on any mesh is faster; 0: unknown */
	int64_t evaluated;
	int n_meshes;
	const int *class_of; /* by site: sites of repeated layers have the same class; -1: none */
	const char **places; /* by site: of arguments, result[1]['layers'][*]['w']; "" or NULL:
			      * unknown */
	VEC(plan_decision) decisions;
	VEC(plan) frontier; /* plans that no other one beats in both time and memory, the fastest
			     * first */
} plan_result;

/* Finds a plan for a program. Everything but the subject's module, which the caller must release in
 * any case, is allocated in `mem`. Returns false after reporting an error: no plan can be
 * partitioned, or an option is wrong. */
bool plan_find(const module *given, const plan_options *o, arena *mem, plan_result *out);

/* Returns how many bytes of a device a plan may use: `limit`, or, if that is 0, most of the
 * machine's memory. */
int64_t plan_memory_limit(const target *t, int64_t limit);

/* ---- prices: what other annotations of a program would cost (price.c) ------------------- */

typedef struct plan_other {
	const sharding *to;
	plan_cost cost;
	int number; /* in the order of the evaluations */
} plan_other;

/* An annotation of arguments, or of values, that are alike. */
typedef struct plan_price {
	int site, n;          /* the first site, and how many there are */
	const char *place;    /* of arguments, as plan_result.places */
	const sharding *now;
	VEC(plan_other) others; /* those that differ by one axis, the fastest first */
} plan_price;

typedef struct plan_price_list {
	plan_cost cost; /* of the program as it is */
	VEC(plan_price) list;
} plan_price_list;

/* Finds what the subject's annotations (given_at) are worth: all of them, or only the one at a
 * site. Returns false after reporting an error. */
bool plan_prices(const plan_subject *s, const target *t, int site, arena *mem, plan_price_list *out);

/* ---- advice: what to change in a program that is annotated (advise/) ------------------- */

typedef enum advice_kind {
	ADVICE_CONSTRAIN,   /* a constraint on values */
	ADVICE_RECONSTRAIN, /* another sharding for a constraint of the program */
	ADVICE_DROP,        /* removing a constraint of the program */
	ADVICE_SHARD,       /* arguments, with the results that are their next state */
	ADVICE_DONATE,      /* arguments whose memory their next state may take */
	ADVICE_MESH,        /* other sizes of the same axes */
	ADVICE_LOOKUP,      /* x[arange(n), i] as one lookup for each x, which is where it is
			     * looked up */
} advice_kind;

typedef struct advice_place {
	value *v;           /* of advice_list.m */
	int argument;       /* of main; -1: none */
	int result;         /* of main, the next state of the argument; -1 */
	const sharding *to; /* NULL: none */
} advice_place;

typedef struct advice {
	advice_kind kind;
	int n;
	const advice_place *places; /* places that are alike: in repeated layers, or of one
				     * source line */
	const name *axis;           /* the axis that is added or removed; NULL: none, or several */
	const mesh *mesh;           /* ADVICE_MESH */
	plan_cost before, after;    /* both with the advice before it in the list */
} advice;

typedef struct advice_list {
	plan_subject subject; /* its module is to be released */
	plan_cost as_it_is;
	plan_partition partition; /* set by the caller */
	/* Set by the caller, or NULL: called after each change that is tried, with the cost of the
	 * best program so far. If it returns false, the search ends with what it has found. */
	bool (*proceed)(void *user, int64_t tried, const plan_cost *best);
	void *user;
	int64_t limit, tried;
	VEC(advice) list; /* the one that saves most comes first */
} advice_list;

/* Changes are tried one by one, and the best ones together. Nothing is advised that was not tried.
 * `budget`: evaluations; 0: the default. Everything but the subject's module is allocated in `mem`.
 * Returns false after reporting an error. */
bool plan_advise(const module *given, const target *t, int64_t limit, int64_t budget, arena *mem,
                 advice_list *out);

#endif
