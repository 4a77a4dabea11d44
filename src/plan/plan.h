/* plan.h - the interface of plan: a mesh and shardings for a program, found rather than given.
 *
 * A plan is a mesh shape with a sharding for some of the sites where a program can be annotated:
 * arguments and results of main, and values inside of it.  What it costs is what `tess report` says
 * of the program with these annotations: it is propagated, partitioned and costed, not estimated by
 * a second model.  So a plan that is written out and read again costs what it was found to cost. */
#ifndef TESS_PLAN_PLAN_H
#define TESS_PLAN_PLAN_H

#include "cost/cost.h"
#include "op/op.h"
#include "partition/partition.h"

/* ---- what is planned ---------------------------------------------------------------- */

/* Which of the program's annotations stay. */
typedef enum plan_keep {
	PLAN_KEEP_NONE,
	PLAN_KEEP_INPUTS,      /* those of arguments and results of main */
	PLAN_KEEP_ANNOTATIONS, /* all; what is open may be sharded further */
	PLAN_KEEP_CONSTRAINTS, /* constraints, where a plan may say something else, and all in regions and
	                        * functions */
} plan_keep;

/* Where a plan may annotate. */
typedef struct plan_site {
	enum { SITE_ARGUMENT, SITE_RESULT, SITE_VALUE } kind;
	int number;       /* argument or result; of a value: the position of its op in main */
	const type *type; /* a tensor of static shape and rank above 0 */
	value *v;         /* of the subject's program; NULL for results */
	int follows;      /* of a result: the argument whose updated state it is, as a site; or -1 */
	int moment_of;    /* of an argument: the one whose next state is computed from it, too; or -1 */
	bool donated;     /* a result that takes the memory of what it follows */
	bool fixed;       /* the user's annotation stays */
} plan_site;

/* A program without the annotations that the plan decides.  Everything but the module lies in the
 * memory that it was made in. */
typedef struct plan_subject {
	module *m; /* to release with module_free() */
	int n_sites;
	plan_site *sites; /* arguments, results, values, each in program order */
	const name *mesh_symbol;
	const mesh *given; /* the program's mesh; NULL: it has none */
	const sharding **given_at; /* [n_sites] what its annotations were; NULL: none there */
	bool mesh_fixed;   /* only `given` will do: its axes are named by what stays */
} plan_subject;
/* false once an error is in the context. */
bool plan_subject_of(const module *given, plan_keep keep, arena *mem, plan_subject *out);

/* ---- the partition for a machine (fastest.c) --------------------------------------------- */

/* partition_local() for a machine: the one of several partitions that the schedule of cost.h takes the
 * least time for, where it fits; `o->prices` are its own.  `mem`: not the context's `perm`. */
bool partition_fastest(module *global, const target *t, const partition_options *o, arena *mem,
                       local_program *out);

/* ---- what a plan costs --------------------------------------------------------------- */

/* What one kind of collective sends, within nodes or between them. */
typedef struct plan_traffic {
	const char *op; /* "all_gather"; static */
	bool far;
	int count;
	double wire_bytes, seconds;
} plan_traffic;

typedef struct plan_cost {
	double step_seconds;    /* communication overlapped, as the report has it */
	double exposed_seconds; /* of it, in which nothing but links works */
	double compute_seconds, comm_seconds, far_seconds; /* far: of comm, between nodes */
	int64_t peak_bytes;
	int64_t argument_bytes, temporary_bytes; /* of the peak */
	int collectives;
	int n_traffic;
	plan_traffic traffic[16];
} plan_cost;
/* All seconds and all bytes but those of the traffic times what is given. */
void plan_cost_scale(plan_cost *c, double seconds, double bytes);

typedef struct plan {
	const mesh *mesh;
	const sharding **at; /* [n_sites]; NULL: it says nothing there */
	const char *tactic;  /* what it began as */
	plan_cost cost;
} plan;

/* The program with the plan's annotations, to be released. */
module *plan_applied(const plan_subject *s, const plan *p);
/* How values are brought from one sharding to another. */
typedef enum plan_partition {
	PARTITION_FASTEST,   /* on the machine */
	PARTITION_BY_BYTES,  /* that are sent: where no machine was named */
	PARTITION_AS_SHARDY, /* where Shardy would */
} plan_partition;
/* That of reports and advice, which are of a machine that was named, or of the first one. */
static inline plan_partition plan_partition_told(bool as_shardy, bool machine_named)
{
	return as_shardy ? PARTITION_AS_SHARDY : machine_named ? PARTITION_FASTEST : PARTITION_BY_BYTES;
}
/* Propagates, partitions and costs a program.  false: it cannot be partitioned so; nothing is
 * reported. */
bool plan_costs(const module *annotated, const target *t, plan_partition by, plan_cost *out);
/* What propagated programs cost: many plans come to the same one. */
typedef struct plan_memo {
	arena *mem;
	ptr_map costs; /* by what the propagated program is */
} plan_memo;
/* Fills p->cost, of the partition by bytes, which is quick.  `memo`: of this target alone; NULL: none. */
bool plan_evaluate(const plan_subject *s, const target *t, plan_memo *memo, plan *p);
/* The same of the fastest partition, as plan_costs() has it. */
bool plan_evaluate_fastest(const plan_subject *s, const target *t, plan_memo *memo, plan *p);

/* Seconds that the devices take if all that the program computes is divided evenly among them, runs as
 * fast as the machine can, and nothing has to be sent: no plan takes less.  0: the program's work cannot
 * be counted. */
double plan_bound(const plan_subject *s, const target *t, int64_t devices);

/* ---- the search ------------------------------------------------------------------------ */

typedef struct plan_progress {
	int64_t evaluated;
	const plan *best; /* NULL: none yet */
	bool fits;        /* the best one */
	double bound;     /* seconds that no plan is under; 0: not known */
} plan_progress;
/* @return false: what was found so far is enough. */
typedef bool plan_progress_fn(void *user, const plan_progress *p);

typedef struct plan_options {
	const target *target;
	int64_t devices;
	int64_t limit;      /* bytes of one device; 0: 92 % of the target's memory */
	plan_keep keep;
	const char *mesh;   /* "data=*,model=8"; NULL: any shape */
	const char *tactic; /* only this one; NULL: all */
	const char *forbid; /* collectives: "all_to_all over far, all_gather"; NULL: none */
	int64_t budget;     /* evaluations; 0: what is usual */
	plan_progress_fn *progress;
	void *user;
} plan_options;

/* A decision, and what the best other one would cost. */
typedef struct plan_decision {
	const char *what, *why, *next; /* next: the best other; NULL: there is none */
	plan_cost next_cost;
	bool next_fits;
} plan_decision;

typedef struct plan_result {
	plan_subject subject;
	plan best;
	bool fits;     /* else `best` needs least memory of all that were evaluated */
	int64_t limit; /* bytes */
	bool annotated; /* the program has annotations for as many devices */
	plan_cost annotated_cost;
	double bound;  /* seconds that no plan is under, on any mesh; 0: not known */
	int64_t evaluated;
	int n_meshes;
	const int *class_of; /* by site: those of one class are of repeated layers; -1: of none */
	const char **places; /* by site: of arguments, result[1]['layers'][*]['w']; "" or NULL: not known */
	VEC(plan_decision) decisions;
	VEC(plan) frontier; /* plans than which none takes less time and memory, fastest first */
} plan_result;

/* Finds a plan for a program.  Everything but the subject's module lies in `mem`; that one is to be
 * released in any case.  false once an error is in the context: nothing can be partitioned, or an
 * option is wrong. */
bool plan_find(const module *given, const plan_options *o, arena *mem, plan_result *out);

/* Bytes of one device that a plan may take: `limit`, or if that is 0 most of the machine's. */
int64_t plan_memory_limit(const target *t, int64_t limit);

/* ---- prices: what other annotations of a program would cost (price.c) ------------------- */

typedef struct plan_other {
	const sharding *to;
	plan_cost cost;
	int number; /* in the order of evaluation */
} plan_other;

/* An annotation of arguments, or of values, that are alike. */
typedef struct plan_price {
	int site, n;          /* the first, and how many */
	const char *place;    /* of arguments, as plan_result.places */
	const sharding *now;
	VEC(plan_other) others; /* that differ by one axis, fastest first */
} plan_price;

typedef struct plan_price_list {
	plan_cost cost; /* of the program as it is */
	VEC(plan_price) list;
} plan_price_list;

/* What the subject's annotations (given_at) are worth: of all, or only of the one that a site has.  false
 * once an error is in the context. */
bool plan_prices(const plan_subject *s, const target *t, int site, arena *mem, plan_price_list *out);

/* ---- advice: what to change in a program that is annotated (advise/) ------------------- */

typedef enum advice_kind {
	ADVICE_CONSTRAIN,   /* a constraint on values */
	ADVICE_RECONSTRAIN, /* the program's own constraint says something else */
	ADVICE_DROP,        /* the program's own constraint goes */
	ADVICE_SHARD,       /* arguments, with the results that are their next state */
	ADVICE_DONATE,      /* arguments whose place their next state may take */
	ADVICE_MESH,        /* other sizes of the same axes */
	ADVICE_LOOKUP,      /* x[arange(n), i] looks up the place where it is: one lookup for each x instead */
} advice_kind;

typedef struct advice_place {
	value *v;           /* of advice_list.m */
	int argument;       /* of main; -1: it is none */
	int result;         /* of main, the next state of the argument; -1 */
	const sharding *to; /* NULL: it has none to say */
} advice_place;

typedef struct advice {
	advice_kind kind;
	int n;
	const advice_place *places; /* what is alike: repeated layers, one line of the source */
	const name *axis;           /* that it is about; NULL: none, or several */
	const mesh *mesh;           /* ADVICE_MESH */
	plan_cost before, after;    /* with what is advised before it */
} advice;

typedef struct advice_list {
	plan_subject subject; /* its module is to be released */
	plan_cost as_it_is;
	plan_partition partition; /* set before */
	/* Set before, or NULL: called after each change that is tried, with what the best costs so far; false
	 * ends the search with what is found. */
	bool (*proceed)(void *user, int64_t tried, const plan_cost *best);
	void *user;
	int64_t limit, tried;
	VEC(advice) list; /* what gains most first */
} advice_list;

/* Changes are tried one by one, and then what gained most together with it.  Nothing is advised that
 * was not tried.  `budget`: evaluations; 0: what is usual.  All but the subject's module lies in `mem`.
 * false once an error is in the context. */
bool plan_advise(const module *given, const target *t, int64_t limit, int64_t budget, arena *mem,
                 advice_list *out);

#endif
