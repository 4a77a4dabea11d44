/* plan.h - what a plan consists of (inside exec).
 *
 * The stages of planning:
 *   exec/rewrite/inline.c     copies the function to a module of its own, inlines calls
 *   exec/rewrite/specialise.c replaces unknown dimensions by those of the arguments
 *   exec/rewrite/expand.c    replaces ops by several simpler ones
 *   infer.c     infers the classes of every value: which devices share it
 *   plan.c      turns ops into steps, in order; view.c, fuse.c, control.c, collective.c plan ops
 *               that are more than a kernel; all of them make steps with step.c and operands.c
 *   exec/ranks/exchange.c  plans what steps need from other ranks
 *   memory.c    assigns slots offsets in one arena, by their lifetimes
 *   state.c     allocates the memory of a run
 *   run.c       runs the steps */
#ifndef TESS_EXEC_STEPS_PLAN_H
#define TESS_EXEC_STEPS_PLAN_H

#include "exec/steps/classes.h"
#include "exec/kernel.h"

/* The memory of one value: an instance for each class, all of the same size. */
typedef struct slot {
	int id;
	enum slot_kind {
		IN_ARENA,
		IN_CONST, /* data */
		IN_ARG,   /* in the caller's memory */
		IN_RESULT, /* in the caller's memory, written by the run */
	} kind;
	bool pinned; /* its memory is not shared, because a loop exchanges it */
	bool own;    /* made for the one step that writes it */
	bool once;   /* written in the first run only */
	int arg; /* number of the argument or result */
	const void *data;
	size_t bytes; /* of an instance, rounded up to a multiple of 64 */
	size_t used;  /* of these, what the value takes; a caller's instances have only these */
	const classes *cls;
	int first, last; /* steps: written, and last read; extended for loops */
	int home;        /* loops that start after this step read the value in every iteration */
	int read;        /* the last step that reads it, or the end of such a loop */
	struct slot *same; /* the slot whose memory it shares; NULL: has its own */
	size_t offset;
} slot;

/* Where a value is: elements of a slot, or not computed yet. */
typedef struct binding {
	slot *slot;
	const classes *cls;     /* the slot's */
	int64_t offset;         /* in elements */
	const int64_t *strides; /* in elements; NULL: dense, row-major */
	struct group *group;    /* if not NULL, an op of this open group computes it, */
	vm_reg reg;             /* in this register */
	const struct binding *items; /* of a tuple */
	const attr *constant;        /* a dense constant, if known */
} binding;

/* A tensor of a step: class c of the step uses instance map[c] of the slot. */
typedef struct ref {
	slot *slot;
	int64_t offset;     /* bytes */
	const int32_t *map; /* NULL: the same numbering */
} ref;

typedef enum step_kind {
	STEP_KERNEL,
	STEP_COLLECTIVE, /* run_part() sees all devices' instances */
	STEP_HOST,       /* host() is called by the thread that runs the plan */
	STEP_CASE,
	STEP_WHILE,
} step_kind;

typedef struct step_list {
	step **ptr;
	int len, cap;
} step_list;

/* How a loop-carried value gets its next instance at the end of an iteration. */
typedef struct carry {
	slot *slot, *next; /* next NULL: the value does not change */
	int read;          /* the last step inside the loop that reads the old value */
	enum carry_how {
		CARRY_COPY,
		CARRY_SHARED,   /* both are in the same memory: nothing to do */
		CARRY_EXCHANGE, /* the two memories are exchanged */
	} how;
} carry;

typedef struct step_plan {
	step_kind kind;
	int at, end;        /* the number of the step, and of the last one inside */
	const classes *cls; /* one task for each class */
	bool masked;        /* only tasks of active devices run: control flow diverges */
	bool once;          /* depends on constants only: results of the first run stay */
	ref *refs;          /* parallel to step->t */
	/* case, while: refs[0] is the predicate */
	int n_blocks;
	step_list *blocks; /* branches; or condition and body */
	const classes *control; /* of the predicate; if not uniform, devices take different ways */
	int n_carries;
	carry *carries;
	/* collectives */
	const struct groups *groups;
	const int32_t *sources;
	void (*run_part)(const struct run *r, const step *s, int32_t cls, int64_t tile,
	                 void *scratch);
	void (*host)(struct run *r, const step *s, const call *c);
	bool talks; /* host() uses the context */
	bool alone; /* one rank runs host() for all devices with the same operands, and sends them
	             * the results */
	/* The part of each other's operands that members of a group need (all_to_all,
	 * reduce_scatter): for member i, a box of these dimensions at i * part_step elements. */
	const struct part_box *part;
	const struct exchange *exchange; /* before the step, or after a STEP_HOST; or NULL */
} step_plan;

typedef struct part_box {
	int rank;
	int64_t dims[MAX_RANK], strides[MAX_RANK], step;
	int bytes; /* of an element */
} part_box;

/* An argument for which the plan was specialized. */
typedef struct special_arg {
	const type *type;
	const void *data; /* NULL: any elements */
} special_arg;

/* The source of a result in the caller's memory. */
typedef struct given_result {
	size_t bytes;
	int argument; /* it is this argument; -1: none */
	int reuse;    /* it may take the memory of this argument; -1: none */
	bool copied;  /* it is computed in the arena and copied */
} given_result;

struct exec_plan {
	tess_ctx *ctx;
	arena mem;
	module *source; /* the caller's module: its symbols and meshes */
	module *m;      /* the private copy */
	const op *func; /* in it */
	exec_opts opts;
	int n_devices;
	class_table classes;
	const classes **cls; /* by value id */
	binding *bind;       /* by value id */
	uint32_t n_values;
	VEC(slot *) slots;
	int n_steps;
	step_list main, *to; /* where steps are added */
	const classes *control; /* of the region being planned */
	const block *block;     /* the block being planned */
	struct group *groups_open;
	int n_groups;
	int *group_of; /* by op id: the group's serial number */
	ptr_map device_groups; /* op -> groups or sources, made once */
	binding *args;
	int n_args;
	special_arg *special; /* of each argument, if the plan is for known dimensions only */
	int n_special;
	ref *results;
	const classes **result_cls;
	const type **result_types;
	char ***result_data;
	int n_results;
	given_result *places; /* of results, with opts.shards; else NULL */
	const op *talks;      /* a step that uses the context while it runs; NULL: none */
	const struct ranks_plan *ranks; /* NULL: all devices are on this rank */
	const struct exchange *result_exchange; /* to rank 0 */
	size_t message_bytes, ghost_bytes;      /* memory that exchanges need */
	size_t scratch; /* for each worker */
	int max_tensors; /* of a step */
	size_t once_bytes; /* of slots written in the first run only */
	size_t arena_bytes;
	bool in_world;            /* one of the programs of interpreter.run_parallel */
	VEC(exec_plan *) nested;
	struct run *run;
	exec_facts facts;
};

/* ---- exec/rewrite/inline.c ---- */
/* Copies the function, with calls inlined, into a module of its own. */
module *inline_function(module *m, const op *func, op **copy);
/* Erases operations whose results are not used. */
void erase_unneeded(block *b);

/* ---- exec/rewrite/unroll.c ---- */
/* Returns the function that `o` calls if the call is to be inlined, else NULL. */
typedef op *callee_fn(const module *m, const op *o);
/* The number of iterations of a loop that is better unrolled; -1: not to be unrolled. */
int rounds_to_unroll(const module *m, const op *o, callee_fn *callee);

/* ---- exec/rewrite/specialise.c ---- */
/* Replaces unknown dimensions by those of the arguments. */
bool specialise_function(exec_plan *p, op *func, const exec_value *args);
/* Sets the function's type to those of its arguments and returned values. */
void retype_function(module *m, op *func);

/* ---- infer.c ---- */
bool infer_classes(exec_plan *p, const classes *const *args);

/* ---- plan.c ---- */
bool plan_block(exec_plan *p, const block *b);

/* ---- step.c ---- */
/* The element type in memory. */
static inline dtype stored_dtype(const type *t)
{
	if (t->elem && t->elem->kind == TY_QUANT)
		return t->elem->quant->storage;
	return t->dtype;
}
bool plan_error(exec_plan *p, const op *o, const char *what, ...) PRINTF(3, 4);
bool plan_unsupported(exec_plan *p, const op *o, const char *what, ...) PRINTF(3, 4);
slot *slot_new(exec_plan *p, const type *t, const classes *cls);
void bind_slot(exec_plan *p, const value *v, slot *s);
tensor tensor_of(exec_plan *p, const type *t, const binding *b);
step *step_new(exec_plan *p, const op *o, int n_in, int n_out, const classes *cls);
void step_set_in(exec_plan *p, step *s, int i, const type *t, const binding *b);
/* Makes a new slot for result i; the value may be NULL. */
slot *step_set_out(exec_plan *p, step *s, int i, const type *t, const value *v);
/* Lets result i overwrite an existing slot. */
void step_set_out_slot(exec_plan *p, step *s, int i, const type *t, slot *to);
void step_add(exec_plan *p, step *s);

/* ---- elementwise.c ---- */
/* Emits the instructions of an elementwise op; -1: there are none for its types. */
vm_reg fuse_op(const module *m, vm_builder *b, const op *o, const vm_reg *operands);
bool op_is_fusable(int kind);
vec_op compare_op(const op *o); /* of stablehlo.compare */

/* ---- fuse.c ---- */
void groups_close_all(exec_plan *p);
/* The binding of a value in memory; if an open group computes it, the group is closed first. */
const binding *bound(exec_plan *p, const value *v);

/* ---- operands.c ---- */
/* The same, dense: plans a copy if necessary. */
const binding *bound_dense(exec_plan *p, const value *v);
/* Plans a step that copies a binding to a dense slot; `to` NULL: a new one, for the binding's
 * classes. */
slot *plan_copy(exec_plan *p, const op *at, const type *t, const binding *b, slot *to);
/* Plans a step that converts a binding to a new dense slot. */
slot *plan_convert(exec_plan *p, const op *at, const type *from, const binding *b, const type *to);
/* Plans a step over the op's operands and results; operands are dense unless `views`. */
bool plan_kernel(exec_plan *p, const op *o, prepare_fn *prepare, bool views);

/* ---- memory.c ---- */
bool plan_memory(exec_plan *p);

/* ---- groups.c: the groups of collectives ---------------------------------------------------- */
typedef struct groups {
	int n;
	const int *sizes;
	const int32_t *const *members; /* devices */
	const int32_t *group_of;       /* by device; -1: in none */
	const int32_t *position;       /* by device: place in its group */
} groups;
/* Returns NULL after a diagnostic. */
const groups *op_groups(exec_plan *p, const op *o);
/* collective_permute: by device, the device it receives from, or -1. */
const int32_t *op_sources(exec_plan *p, const op *o);
/* Infers the classes of a collective's result. */
bool collective_classes(exec_plan *p, const op *o, const classes **out);

/* ---- argmax.c ---- */
/* True if the op only uses v as the numbering of indices: the value is not read. */
bool reduce_counts(const module *m, const op *o, const value *v);

/* ---- exec/ranks/deal.c: which rank has which devices ---- */
typedef struct ranks_plan {
	const int32_t *rank_of; /* [devices] */
	const int32_t *devices; /* those of rank 0, of rank 1, ... */
	const int32_t *first;   /* [n_ranks + 1]: where the devices of a rank start in `devices` */
	const bool *busy;       /* [n_ranks]: the rank has devices */
	const bool *own;        /* [devices]: the device is this rank's */
	int leader;             /* the first rank that has devices */
	bool talk;              /* ranks exchange data during a run */
	uint64_t fingerprint;   /* of the steps */
} ranks_plan;
ranks_plan *ranks_plan_new(exec_plan *p);

/* ---- exec/ranks/exchange.c: between ranks ---- */
/* To be called after all steps are planned. */
bool plan_exchanges(exec_plan *p);
/* Exchanges what ranks need from each other. Sets r->status if that fails. */
void exchange_run(struct run *r, const struct exchange *x, int tag);
/* The address of the copy of another rank's instance; NULL: it was not needed. */
char *exchange_ghost(const struct run *r, const struct exchange *x, int ref_index,
                     int32_t instance);

/* ---- exec/ranks/turn.c: runs of several ranks ---- */
uint64_t exchange_fingerprint(const exec_plan *p); /* of the plan's steps */
/* Waits until all messages are sent and received. Returns false if the run fails: r->status. */
bool exchange_wait(struct run *r);
/* Checks before the first step that all ranks have the same steps. */
void exchange_agree(struct run *r);
/* Tells the other ranks that this one failed. */
void exchange_fail(struct run *r);
/* The same, before a run. */
void exchange_give_up(const exec_plan *p, const char *why);
/* Start and end of a run, for all ranks with devices. */
void exchange_begin(struct run *r);
void exchange_end(struct run *r);

/* ---- world.c, probe.c ---- */
struct probe;
struct world;
/* Plans a program that may send and receive; every argument differs between devices. (plan.c) */
bool exec_plan_world(exec_plan **to, module *m, const op *func, const exec_opts *opts);
void probes_free(struct probe *list);

/* ---- trace.c ---- */
struct trace *trace_new(int n_workers);
void trace_free(struct trace *t);
void trace_begin(struct trace *t); /* at the start of a run: forgets the last one's events */
int64_t trace_now(const struct trace *t);
void trace_step(struct trace *t); /* starts the next step */
/* Records a task that started at `begin` and has just ended. */
void trace_task(struct trace *t, const step *s, int32_t cls, int worker, int64_t begin);

/* ---- run.c ---- */
struct run {
	exec_plan *p;
	char *arena;
	size_t arena_bytes;
	char **base;      /* by slot */
	char ***given;    /* by slot: instances in the caller's memory; else NULL */
	char ***results;  /* by result, with opts.shards */
	void *tables;     /* the memory of these tables */
	char *scratch;    /* of all workers */
	size_t scratch_bytes; /* of one worker */
	uint8_t *active;  /* by device */
	uint8_t *done;    /* by step: a step with `once` has been run */
	int n_workers;
	size_t table_bytes; /* of the pointers before a worker's scratch */
	tess_status status;
	int failed; /* set by a kernel */
	bool check_failed;
	int next;            /* the next step of p->main */
	const step *blocked; /* waits for a message */
	struct world *world;
	struct probe *probes;
	struct trace *trace; /* NULL: no trace */
	char *messages, *ghosts; /* of exchanges */
	bool told;               /* the other ranks know that the run failed */
	int64_t began, asked; /* times in ns: the start of the run, the last call of opts.proceed */
	double unclocked;     /* estimated ns of the steps since the clock was last read */
	const step *failed_at;
	const char *failed_why; /* set by a kernel */
	diag_code failed_code;
	char failed_text[600]; /* for exec_state_explain(); "" if the run has not failed */
	int64_t n_checks;
};
static inline slot *slot_root(slot *s)
{
	while (s->same)
		s = s->same;
	return s;
}
/* The address of instance `i` of the slot, one of this rank's. Slots that share memory have one
 * base, because a loop that exchanges memories exchanges all that is in them. */
static inline char *slot_instance(const struct run *r, const slot *s, int32_t i)
{
	if (r->given[s->id])
		return r->given[s->id][i];
	if (s->cls->here)
		i = s->cls->here[i];
	return r->base[slot_root((slot *)s)->id] + (s->kind == IN_CONST ? 0 : s->bytes * (size_t)i);
}
static inline char *ref_at(const struct run *r, const ref *f, int32_t cls)
{
	return slot_instance(r, f->slot, f->map ? f->map[cls] : cls) + f->offset;
}
/* The same, or the copy of another rank's instance that the step has fetched. */
static inline char *step_instance(const struct run *r, const step *s, int ref_index, int32_t i)
{
	const ref *f = &s->plan->refs[ref_index];
	if (!class_is_here(f->slot->cls, i))
		return exchange_ghost(r, s->plan->exchange, ref_index, i);
	return slot_instance(r, f->slot, i) + f->offset;
}
/* exec_run() in parts: runs until a step waits for a message (run->blocked), or to the end. */
tess_status exec_begin(exec_plan *p, const exec_value *args);
tess_status exec_continue(exec_plan *p);
void exec_collect(exec_plan *p, exec_value *results);

#endif
