/* plan.h - inside of exec: what a plan consists of.
 *
 * Planning goes through these stages:
 *   exec/rewrite/inline.c    the function as one private copy, calls and composites put in their place
 *   exec/rewrite/specialise.c unknown dimensions become those of the arguments
 *   exec/rewrite/expand.c    ops that are several others become them
 *   infer.c     the classes of every value: which devices share it
 *   plan.c      ops become steps, in order; view.c, fuse.c, control.c, collective.c
 *               plan the ops that are more than a kernel; all of them make steps with
 *               step.c and operands.c
 *   exec/ranks/exchange.c  what steps need from other ranks
 *   memory.c    slots get offsets in one arena, by the steps between which they live
 *   state.c     the memory of a run
 *   run.c       steps are run
 */
#ifndef TESS_EXEC_STEPS_PLAN_H
#define TESS_EXEC_STEPS_PLAN_H

#include "exec/steps/classes.h"
#include "exec/kernel.h"

/* Memory of one value: an instance for each class, all of the same size. */
typedef struct slot {
	int id;
	enum slot_kind {
		IN_ARENA,
		IN_CONST, /* data */
		IN_ARG,   /* the caller's memory */
		IN_RESULT, /* the same, written by the run */
	} kind;
	bool pinned; /* its memory is its own: a loop exchanges it */
	bool own;    /* made for the step that writes it, which is the only one */
	bool once;   /* what is written in the first run stays */
	int arg; /* or result */
	const void *data;
	size_t bytes; /* of an instance, rounded up to 64; a caller's has only */
	size_t used;  /* these */
	const classes *cls;
	int first, last; /* steps: written, last read; in loops: as long as it must stay */
	int home;        /* loops that begin after this step read the value every time */
	int read;        /* last step that reads it, or the end of such a loop */
	struct slot *same; /* shares the memory of another slot; NULL: has its own */
	size_t offset;
} slot;

/* Where a value is: elements of a slot, or not computed yet. */
typedef struct binding {
	slot *slot;
	const classes *cls;     /* the slot's */
	int64_t offset;         /* in elements */
	const int64_t *strides; /* in elements; NULL: dense, row-major */
	struct group *group;    /* not NULL: an op of this open group computes it, */
	vm_reg reg;             /* in this register */
	const struct binding *items; /* of a tuple */
	const attr *constant;        /* a dense constant, where known */
} binding;

/* A tensor of a step: instance map[c] of the slot for class c of the step. */
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

/* The end of a loop's iteration: how the carried value gets its next instance. */
typedef struct carry {
	slot *slot, *next; /* next NULL: the value does not change */
	int read;          /* last step inside of the loop that reads the old value */
	enum carry_how {
		CARRY_COPY,
		CARRY_SHARED,   /* both have the same memory: nothing to do */
		CARRY_EXCHANGE, /* the two memories change places */
	} how;
} carry;

typedef struct step_plan {
	step_kind kind;
	int at, end;        /* number of the step, and of the last one inside */
	const classes *cls; /* a task for each */
	bool masked;        /* only tasks of active devices: inside of control that differs */
	bool once;          /* depends on constants only: what the first run computes stays */
	ref *refs;          /* as step->t */
	/* case, while: refs[0] is the predicate */
	int n_blocks;
	step_list *blocks; /* branches; or condition and body */
	const classes *control; /* of the predicate; not uniform: devices go their own ways */
	int n_carries;
	carry *carries;
	/* collectives */
	const struct groups *groups;
	const int32_t *sources;
	void (*run_part)(const struct run *r, const step *s, int32_t cls, int64_t tile,
	                 void *scratch);
	void (*host)(struct run *r, const step *s, const call *c);
	bool talks; /* host() uses the context */
	bool alone; /* one rank runs host() for all that hold the same, and they get its results */
	/* What members of a group need of each other's operands (all_to_all, reduce_scatter):
	 * part i, for member i, is a box of these dimensions at i * part_step; elements. */
	const struct part_box *part;
	const struct exchange *exchange; /* before the step runs, or after a STEP_HOST; NULL: nothing */
} step_plan;

typedef struct part_box {
	int rank;
	int64_t dims[MAX_RANK], strides[MAX_RANK], step;
	int bytes; /* of an element */
} part_box;

/* An argument that the plan was specialised for. */
typedef struct special_arg {
	const type *type;
	const void *data; /* NULL: any elements will do */
} special_arg;

/* Where a result comes from, if its memory is the caller's. */
typedef struct given_result {
	size_t bytes;
	int argument; /* it is this argument; -1: it is none */
	int reuse;    /* it may take the memory of this one; -1 */
	bool copied;  /* it is computed in the arena */
} given_result;

struct exec_plan {
	tess_ctx *ctx;
	arena mem;
	module *source; /* the caller's: symbols of meshes */
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
	step_list main, *to; /* to: steps go here */
	const classes *control; /* of the region being planned */
	const block *block;     /* being planned */
	struct group *groups_open;
	int n_groups;
	int *group_of; /* by op id: serial number of the group */
	ptr_map device_groups; /* op -> groups or sources, made once */
	binding *args;
	int n_args;
	special_arg *special; /* of each argument, in a plan for known dimensions only */
	int n_special;
	ref *results;
	const classes **result_cls;
	const type **result_types;
	char ***result_data;
	int n_results;
	given_result *places; /* of results, with opts.shards; else NULL */
	const op *talks;      /* a step that uses the context while it runs; NULL: none does */
	const struct ranks_plan *ranks; /* NULL: all devices are here */
	const struct exchange *result_exchange; /* to rank 0 */
	size_t message_bytes, ghost_bytes;      /* exchanges need these */
	size_t scratch; /* for each worker */
	int max_tensors; /* of a step */
	size_t once_bytes; /* of slots that stay */
	size_t arena_bytes;
	bool in_world;            /* one of the programs of interpreter.run_parallel */
	VEC(exec_plan *) nested;
	struct run *run;
	exec_facts facts;
};

/* ---- exec/rewrite/inline.c ---- */
/* A copy of the function in a module of its own, without calls. */
module *inline_function(module *m, const op *func, op **copy);

/* ---- exec/rewrite/unroll.c ---- */
/* The function that `o` calls, if it is put in the place of the call; else NULL. */
typedef op *callee_fn(const module *m, const op *o);
/* How often a loop goes round that is better written out; -1: it is none. */
int rounds_to_unroll(const module *m, const op *o, callee_fn *callee);

/* Erases operations whose results are not used. */
void erase_unneeded(block *b);

/* ---- exec/rewrite/specialise.c ---- */
/* Unknown dimensions become those of the arguments. */
bool specialise_function(exec_plan *p, op *func, const exec_value *args);
/* What the function takes and returns, by the types of its values now. */
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
/* A new slot for result i; the value may be NULL. */
slot *step_set_out(exec_plan *p, step *s, int i, const type *t, const value *v);
/* An old slot for result i: written again. */
void step_set_out_slot(exec_plan *p, step *s, int i, const type *t, slot *to);
void step_add(exec_plan *p, step *s);

/* ---- elementwise.c ---- */
/* The instructions of an elementwise op; -1: there is none for its types. */
vm_reg fuse_op(const module *m, vm_builder *b, const op *o, const vm_reg *operands);
bool op_is_fusable(int kind);
vec_op compare_op(const op *o); /* of stablehlo.compare */

/* ---- fuse.c ---- */
void groups_close_all(exec_plan *p);
/* Of a value in memory; an open group that computes it is closed first. */
const binding *bound(exec_plan *p, const value *v);

/* ---- operands.c ---- */
/* What bound() gives, dense: a copy is planned if need be. */
const binding *bound_dense(exec_plan *p, const value *v);
/* A step that copies what is bound to a dense slot; `to` NULL: a new one, for the
 * binding's classes. */
slot *plan_copy(exec_plan *p, const op *at, const type *t, const binding *b, slot *to);
/* A step that copies and converts to a new dense slot. */
slot *plan_convert(exec_plan *p, const op *at, const type *from, const binding *b, const type *to);
/* A step over the op's operands and results, dense or as they are. */
bool plan_kernel(exec_plan *p, const op *o, prepare_fn *prepare, bool views);

/* ---- memory.c ---- */
bool plan_memory(exec_plan *p);

/* ---- groups.c: which devices a collective op brings together ---- */
typedef struct groups {
	int n;
	const int *sizes;
	const int32_t *const *members; /* devices */
	const int32_t *group_of;       /* by device; -1: in none */
	const int32_t *position;       /* by device: place in its group */
} groups;
/* NULL after a diagnostic. */
const groups *op_groups(exec_plan *p, const op *o);
/* collective_permute: by device, the device it receives from, or -1. */
const int32_t *op_sources(exec_plan *p, const op *o);
/* Classes of a collective's result. */
bool collective_classes(exec_plan *p, const op *o, const classes **out);

/* ---- argmax.c ---- */
/* The op needs v only to know how places are numbered: the value is not read. */
bool reduce_counts(const module *m, const op *o, const value *v);

/* ---- exec/ranks/deal.c: which rank has which devices ---- */
typedef struct ranks_plan {
	const int32_t *rank_of; /* [devices] */
	const int32_t *devices; /* those of rank 0, of rank 1, ... */
	const int32_t *first;   /* [n_ranks + 1]: where those of a rank begin in `devices` */
	const bool *busy;       /* [n_ranks]: it has devices */
	const bool *own;        /* [devices]: this rank's */
	int leader;             /* the first rank that has devices */
	bool talk;              /* they exchange something during a run */
	uint64_t fingerprint;   /* of the steps */
} ranks_plan;
ranks_plan *ranks_plan_new(exec_plan *p);

/* ---- exec/ranks/exchange.c: between ranks ---- */
/* After all steps are planned. */
bool plan_exchanges(exec_plan *p);
/* Fetches what other ranks have and this one needs, and the other way round.  Sets
 * r->status if that fails. */
void exchange_run(struct run *r, const struct exchange *x, int tag);
/* ---- exec/ranks/turn.c: runs of several ranks ---- */
uint64_t exchange_fingerprint(const exec_plan *p); /* of its steps */
/* Until all messages have come and gone.  false: r->status says that the run has failed. */
bool exchange_wait(struct run *r);
/* Before the first step: whether all ranks have the same ones. */
void exchange_agree(struct run *r);
/* Tells the other ranks that this one failed. */
void exchange_fail(struct run *r);
/* The same, before a run. */
void exchange_give_up(const exec_plan *p, const char *why);
/* A run begins, or ends, for all ranks that have devices. */
void exchange_begin(struct run *r);
void exchange_end(struct run *r);
/* Where an instance of another rank has been put; NULL: it was not needed. */
char *exchange_ghost(const struct run *r, const struct exchange *x, int ref_index,
                     int32_t instance);

/* ---- world.c, probe.c ---- */
struct probe;
struct world;
/* A plan of a program that may send and receive; every argument differs by device. */
bool exec_plan_world(exec_plan **to, module *m, const op *func, const exec_opts *opts);
void probes_free(struct probe *list);

/* ---- trace.c ---- */
struct trace *trace_new(int n_workers);
void trace_free(struct trace *t);
void trace_begin(struct trace *t); /* of a run: forgets the last one's events */
int64_t trace_now(const struct trace *t);
void trace_step(struct trace *t); /* the next step begins */
/* A task that began at `begin` has ended. */
void trace_task(struct trace *t, const step *s, int32_t cls, int worker, int64_t begin);

/* ---- run.c ---- */
struct run {
	exec_plan *p;
	char *arena;
	size_t arena_bytes;
	char **base;      /* by slot */
	char ***given;    /* by slot: instances in the caller's memory; else NULL */
	char ***results;  /* by result, with opts.shards */
	void *tables;     /* of these */
	char *scratch;    /* of all workers */
	size_t scratch_bytes; /* of one */
	uint8_t *active;  /* by device */
	uint8_t *done;    /* by step: a step that is run once has been run */
	int n_workers;
	size_t table_bytes; /* of the pointers in front of a worker's scratch */
	tess_status status;
	int failed; /* by a kernel */
	bool check_failed;
	int next;            /* step of p->main to be run next */
	const step *blocked; /* it waits for a message */
	struct world *world;
	struct probe *probes;
	struct trace *trace; /* NULL: not wanted */
	char *messages, *ghosts; /* of exchanges */
	bool told;               /* the other ranks know that the run failed */
	int64_t began, asked; /* nanoseconds: the run, the last call of opts.proceed */
	double unclocked;     /* nanoseconds that steps are reckoned to have taken since a look at the clock */
	const step *failed_at;
	const char *failed_why; /* by a kernel */
	diag_code failed_code;
	char failed_text[600]; /* for exec_state_explain(); "" if it has not failed so */
	int64_t n_checks;
};
static inline slot *slot_root(slot *s)
{
	while (s->same)
		s = s->same;
	return s;
}
/* Where instance `i` of the slot, one of this rank's, lies.  Slots that share memory have one base,
 * since a loop that exchanges memories moves whatever is in them. */
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
/* The same, or the copy of another rank's instance that the step asked for. */
static inline char *step_instance(const struct run *r, const step *s, int ref_index, int32_t i)
{
	const ref *f = &s->plan->refs[ref_index];
	if (!class_is_here(f->slot->cls, i))
		return exchange_ghost(r, s->plan->exchange, ref_index, i);
	return slot_instance(r, f->slot, i) + f->offset;
}
/* exec_run() in parts: until a step waits for a message (run->blocked), or to the end. */
tess_status exec_begin(exec_plan *p, const exec_value *args);
tess_status exec_continue(exec_plan *p);
void exec_collect(exec_plan *p, exec_value *results);

#endif
