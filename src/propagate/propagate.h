/* propagate.h - the interface of propagate: shardings spread from the values that have
 * annotations to all others, and every step records its reason.
 *
 * Results and their order equal Shardy's (walk.c explains how). */
#ifndef TESS_PROPAGATE_PROPAGATE_H
#define TESS_PROPAGATE_PROPAGATE_H

#include "op/op.h"
#include "propagate/debug.h"

/* ---- passes that prepare a program (shardy/import) ------------------------------------------ */

pass_fn pass_lift_inlined_meshes, pass_remove_size_one_axes;
pass_fn pass_propagate_sharding_from_func_to_call, pass_constant_or_scalar_splitter;
pass_fn pass_explicit_gather_scatter_batching, pass_manual_axes_cleanup;
pass_fn pass_add_data_flow_edges, pass_add_func_data_flow_edges, pass_flatten_call_graph;
pass_fn pass_import_func_calls, pass_apply_sharding_constraints, pass_sharding_group_import;
pass_fn pass_pre_order_funcs;

/* ---- propagation ------------------------------------------------------------------ */

pass_fn pass_populate_op_sharding_rules, pass_name_computations_apart;
pass_fn pass_basic_propagate, pass_aggressive_propagate;
pass_fn pass_op_priority_propagate, pass_user_priority_propagate;

/* What propagations of one program with different annotations share (memo.c): one that is given as
 * pass_options.memo is faster after others have been. All must have the same options. It grows, in
 * `mem`, and is valid as long as that. */
typedef struct propagation_memo propagation_memo;
propagation_memo *propagation_memo_new(arena *mem);

/* An imported program that is propagated again and again, each time with other annotations all over
 * it (again.c): what depends on its operations is found once. */
typedef struct repeated_propagation repeated_propagation;
/* The module must outlive it, and nothing but its shardings may change. `o`: with a memo. Returns
 * NULL if it is not possible: some op is unused, so that the first propagation would erase it, or
 * there are sharding groups. */
repeated_propagation *repeated_new(module *m, const pass_options *o, arena *mem);
/* Does what pass_user_priority_propagate() does. Returns a key of the axes along which values are
 * sharded then, for this program and this memo. */
uint64_t repeated_run(repeated_propagation *k);
/* Gives the program back the shardings that it had at first. */
void repeated_reset(repeated_propagation *k);

/* ---- a propagation that is kept (kept.c) -------------------------------------------------- */

/* An imported program that is propagated again and again, each time with a few other annotations.
 * The module has the resulting shardings, this has the annotations. */
typedef struct kept_propagation kept_propagation;

/* How a run went; the public header explains the values. */
typedef enum kept_run {
	KEPT_PART,
	KEPT_FIRST,
	KEPT_LARGE,
	KEPT_CANONICAL,
	KEPT_GROUPS,
	KEPT_PRIORITIES,
} kept_run;

/* Only allocates, so that it can be freed whatever kept_open() does. The module must outlive it. */
kept_propagation *kept_new(module *m, const pass_options *o);
void kept_free(kept_propagation *k);
/* Erases unused ops and prepares the program; no other code may change it from now on. Returns
 * false if an error is in the context. */
bool kept_open(kept_propagation *k);
/* Set an annotation; false: the value, or the result of main, cannot have a sharding. */
bool kept_annotate(kept_propagation *k, value *v, const sharding *s);
bool kept_annotate_result(kept_propagation *k, int result, const sharding *s);
const sharding *kept_annotation(kept_propagation *k, const value *v);
typedef struct kept_stats {
	kept_run how;
	uint64_t n_nodes, n_visits; /* the latter 0 where they are not counted */
	uint64_t n_changed;         /* values whose sharding differs from that after the last run */
} kept_stats;
/* false: an error is in the context. */
bool kept_run_again(kept_propagation *k, kept_stats *out);

/* ---- the trail ---------------------------------------------------------------------- */

/* What propagation did, step by step. It is made before the pass, passed to it as pass_options.why,
 * and valid as long as the module. */
typedef struct trail trail;

typedef enum step_cause {
	STEP_OP,     /* through the sharding rule of an operation or a data-flow edge */
	STEP_RESULT, /* between a function's result and what it returns */
	STEP_GROUP,  /* the other members of a sharding group take what one has got */
	STEP_START,  /* an annotation whose user priority has come */
} step_cause;

/* One dimension of a tensor got more axes. */
typedef struct trail_step {
	step_cause cause;
	op *op;       /* the op between source and target; for STEP_RESULT the function */
	value *value; /* the target; NULL: result number `result` of the function */
	int result;
	value *from;  /* the source; NULL: the function's result, or none */
	int dim, factor;
	axis_list before, after; /* of that factor of the target */
	int round;               /* op priority, 0 to 4; -1 if the pass has no rounds */
	int64_t priority;        /* user priority */
	const sharding *sharding; /* the target's, afterwards */
} trail_step;

trail *trail_new(tess_ctx *ctx);
void trail_free(trail *t);
int trail_count(const trail *t);
trail_step trail_at(const trail *t, int i);
/* The last step before `before` that concerned the value; -1: none. */
int trail_last(const trail *t, const value *v, int before);
/* The sharding that the value had when propagation began. */
const sharding *trail_initial(const trail *t, const value *v);

/* ---- why a value is not sharded further (why_not.c) ----------------------------------------- */

typedef enum refusal {
	REFUSED_NOT,        /* no reason found */
	REFUSED_CLOSED,     /* the dimension is closed */
	REFUSED_REPLICATED, /* the axes are explicitly replicated */
	REFUSED_UNREDUCED,  /* the axes are those of a pending reduction */
	REFUSED_USED,       /* the axes shard another dimension */
	REFUSED_DIVISION,   /* the axes do not divide the factor, and others come after it */
	REFUSED_OVERFLOW,   /* axes that do not fit the factor shard it already */
	REFUSED_SUB_AXIS,   /* conservative propagation makes no sub-axes */
	REFUSED_CONFLICT,   /* the tensors of the op begin with different axes */
	REFUSED_RESULT,     /* an operand of an element-wise op gets no more than the result */
	REFUSED_STRIDE,     /* a factor before it in the dimension is not fully sharded */
	REFUSED_DIRECTION,  /* a barrier, or a factor that propagates in one direction */
	REFUSED_RULE,       /* the op has no sharding rule */
	REFUSED_MESH,       /* the tensors are on different meshes */
	REFUSED_DEVICE,     /* the tensors are on one device */
} refusal;

/* Axes that a neighbour has and the value does not. */
typedef struct obstacle {
	refusal why;
	op *op;       /* the op between them; the function for a result of it */
	value *from;  /* the neighbour; NULL: the function's result */
	int result;
	int dim, factor; /* of the value; -1: the whole op passes nothing */
	int from_dim;    /* of the neighbour */
	axis_list axes;  /* of the neighbour, along the factor */
	int used_by;     /* REFUSED_USED: the dimension that has them; or -1 */
} obstacle;

/* Returns how many reasons kept dimension `dim` of the value (-1: any) from being sharded further,
 * going by the state after propagation. *out is in the trail's memory. */
int trail_obstacles(trail *t, const value *v, int dim, obstacle **out);

#endif
