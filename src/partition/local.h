/* local.h - what the files that make local programs share.
 *
 * The emitter walks the global program and writes the local one. For each global value it keeps the
 * local values that stand for it, each with its spread. For each op it decides how to compute it
 * (factoring), fetches the operands in the spreads that this needs, emits the local op, and records
 * the results. */
#ifndef TESS_PARTITION_LOCAL_H
#define TESS_PARTITION_LOCAL_H

#include "op/op.h"
#include "partition/partition.h"
#include "partition/reshard.h"
#include "partition/spread.h"

/* A local value that represents a global one, in one spread. */
typedef struct stand_in {
	const spread *as;
	value *v;
	const struct stand_in *older;
} stand_in;

/* A value that a loop carries without changing it. */
typedef struct loop_invariant {
	value *outside; /* the operand of the global loop */
	block *before;  /* the block at whose end the local loop will be */
} loop_invariant;

typedef struct global_facts {
	const stand_in *copies; /* newest first; NULL: not computed */
	const loop_invariant *invariant; /* NULL: not an invariant */
	const spread *home;     /* the spread that users of the value shall expect */
	const spread *leaving;  /* the spread in which it is returned; NULL: none, or as it is */
	bool varies;            /* differs between devices for other reasons than its sharding */
	bool taken_whole;       /* an op of its block needs it whole in any case */
} global_facts;

/* This device's coordinate along some digits, computed at the start of a function. */
typedef struct known_coordinate {
	const device_order *order;
	digits along;
	value *v;
} known_coordinate;

/* replica_groups of devices that differ along some digits. */
typedef struct device_group {
	const device_order *order;
	digits along;
	const attr *ids;
} device_group;

/* source_target_pairs: the device with coordinate i along some digits receives from the device with
 * coordinate source[i] (-1: receives nothing). */
typedef struct device_pair_list {
	const device_order *order;
	digits along;
	const int64_t *source;
	const attr *pairs;
} device_pair_list;

/* The spread of the sharding that propagation gave a value, once somebody has asked for it. */
typedef struct known_spread {
	bool known;
	const spread *as; /* NULL: it has no sharding */
} known_spread;

/* The local function being written. */
typedef struct local_func {
	block *body;
	op *prologue; /* the last op of the prologue (devices.c); NULL: none */
	VEC(known_coordinate) coordinates;
} local_func;

/* A function of the global program, partitioned for arguments in certain spreads. */
typedef struct special_func {
	struct special_func *older; /* another one of the same function */
	const op *global;
	const spread **args;
	const spread **results;
	const name *symbol;
	bool open;    /* being written */
	bool in_line; /* small, and communicates: inlined at its calls, without a symbol */
} special_func;

/* What facts_leave() restores. */
typedef struct undo {
	uint32_t id;
	global_facts was;
} undo;

/* A value that is being brought from one spread to another. */
typedef struct journey {
	const value *moved;
	const spread *before, *after;
	const op *wanted_by; /* NULL: the results of a function */
} journey;

/* Set while the current op is computed on terms of sums (local/terms.c). */
typedef struct on_terms {
	const op *of; /* the op; NULL: it is not */
	unsigned operands; /* a bit for each operand that is one of the sums */
	const spread *along; /* a spread of rank 0, partial along the terms' digits */
} on_terms;

typedef struct emitter {
	tess_ctx *ctx;
	arena *mem;  /* for the current op; emptied after each */
	arena *keep; /* for as long as the partitioning */
	module *from, *to;
	const partition_options *opts;
	program_meshes meshes; /* of `from` */
	spreads sp;
	ptr_map spread_of; /* sharding -> spread */
	reshard_memo plans;
	cons_tab decisions;
	VEC(device_group) groups;
	VEC(device_pair_list) pairs;
	builder b;        /* of local ops; `like` is the current global op */
	const op *ruled;  /* the op of `rule`, while it is the current one */
	const sharding_rule *rule;
	const attr *channel;    /* the same for every collective, until device_number() */
	bool no_better_way;     /* while local_replicated() fetches operands */
	on_terms terms;
	const journey *journey; /* while fact_get() moves a value; else NULL */
	local_func *fn;
	global_facts *facts; /* by id of the global value */
	value **origins;     /* by id of the global value: known results of fact_origin(), or NULL */
	known_spread *said;  /* the same */
	VEC(undo) log;       /* of facts, for leaving regions */
	int regions;         /* around the current op, in its function */
	uint32_t calls;      /* number of nested calls whose functions are being made */
	bool again;          /* the current op was emitted before: its function is inlined now */
	ptr_map funcs;       /* global function -> its latest special_func */
	ptr_map whole_funcs; /* global function -> name of its copy for whole values in `to` */
	digits manual;    /* of the manual computations around the current op */
	dtype index;      /* the type of positions, offsets and sizes */
	partition_stats *stats;
	const struct remaking *remaking;
	bool failed;
} emitter;

/* ---- checks of the whole program (census.c) ------------------------------------------------- */

/* The number of devices of its meshes or, if it has none, mhlo.num_partitions. */
int64_t census_devices(const module *m, const program_meshes *meshes);
bool census_in_limits(module *m, int64_t n_devices);
/* Checks that shapes are static and meshes fit together; sets e->index and e->sp.step_bytes. */
bool census_check(emitter *e);
static inline int value_rank(const value *v) { return type_is_tensor(v->type) ? v->type->rank : 0; }

/* ---- facts (facts.c) --------------------------------------------------------------- */

/* Records that `local` stands for `global`. The first record of a value also sets the spread that
 * its users shall expect: that of its sharding, or else `as` without partial digits. */
void fact_define(emitter *e, value *global, const spread *as, value *local);
/* Brings the value to its home spread now, unless its only user may do so: later that could be
 * inside a loop, or be done by several users in several ways. */
void fact_settle(emitter *e, value *global);
/* Returns the local value of `global` in a spread, emitting the moves that bring it there. */
value *fact_get(emitter *e, value *global, const spread *as);
value *fact_get_whole(emitter *e, value *global);
value *fact_get_home(emitter *e, value *global);
/* The global value behind ops that only reshard, or `global` itself. */
value *fact_origin(emitter *e, const value *global);
/* The elements of `global` if it is a constant, perhaps behind reshards; else NULL. */
const attr *fact_constant(emitter *e, const value *global);
const spread *fact_home(emitter *e, const value *global);
/* The spread of a sharding for a value of this rank; whole without a sharding. */
const spread *fact_spread(emitter *e, const sharding *s, int rank);
/* The spread of the sharding that propagation gave the value, or NULL. */
const spread *fact_wanted(emitter *e, const value *global);
/* The local value that stands for `global` in this spread already, or NULL. */
value *fact_at_hand(emitter *e, const value *global, const spread *as);
/* The cost of fact_get() in bytes, and a quick lower bound, given the dimensions of the block. */
double fact_cost(emitter *e, const value *global, const spread *as);
double fact_least(emitter *e, const value *global, const int64_t *block);
/* How many ops of `o`'s block, `o` included, can share one fetched copy of `global`: ops not yet
 * computed that are elementwise and want their result in the same spread, or want a result no
 * smaller than the value whole. At least 1. */
int fact_sharers(emitter *e, const value *global, const op *o);
/* Says in which spread the value will be returned; to be called before it is defined. */
void fact_set_leaving(emitter *e, const value *global, const spread *as);
/* The spread that a result should have: fact_wanted(), or else the one in which it is returned if
 * that is its only use; or NULL. */
const spread *fact_goal(emitter *e, const value *global);
/* Sets `out` to the spreads, at most 2, in which the value will be fetched whatever is decided and
 * can be fetched now. Returns how many. */
int fact_sure(emitter *e, const value *global, const spread *out[2]);
/* Records that `local` stands for `global` in this spread, too. */
void fact_add(emitter *e, const value *global, const spread *as, value *local);

/* Computes a value again, in another spread, from local values that exist. This file does not know
 * how ops are made, so the emitter provides the functions (remake.c). */
typedef struct remaking {
	bool (*might)(emitter *e, const value *v); /* a quick test before cost() */
	double (*cost)(emitter *e, const value *v, const spread *as,
	               double most); /* INFINITY if `most` or more */
	value *(*make)(emitter *e, value *v, const spread *as); /* if that is cheaper */
} remaking;
extern const remaking remaking_by_rule;

/* True if an operand of `o` varies, or `o` asks which device it runs on. */
bool fact_varies(emitter *e, const op *o);
/* Records that `arg`, of the loop being made, always equals `outside`. */
void fact_set_invariant(emitter *e, const value *arg, value *outside, block *before);
void fact_set_varying(emitter *e, const value *global);
/* Facts recorded between enter and leave are forgotten: they are of values inside a region. */
int facts_enter(emitter *e);
void facts_leave(emitter *e, int mark);
/* Copies what is known of one value to `to`, whose home spread is `home`. */
void fact_alias(emitter *e, const value *to, global_facts from, const spread *home);

/* ---- small pieces of local programs (emit.c) ------------------------------------------------ */

value *emit_index(emitter *e, int64_t v);                /* a scalar of e->index */
value *emit_iota(emitter *e, const type *like, int dim); /* of e->index */
/* Elements [start, start + size) of one dimension; start is a scalar of e->index. */
value *emit_window(emitter *e, value *v, int dim, value *start, int64_t size);
/* Converts integers of any type to e->index, clamped to [0, most]. */
value *emit_clamped_index(emitter *e, value *v, int64_t most);
value *emit_identity(emitter *e, monoid m, const type *t); /* of type `t` */
value *emit_zero(emitter *e, const type *t); /* a scalar of the element type of `t` */
/* Copies an op that is the same on every device, with attributes and regions, to these operands and
 * result types. (copy.c) */
op *emit_copy(emitter *e, const op *o, value *const *operands, const type *const *results);

/* ---- device numbers and groups (devices.c) -------------------------------------------------- */

/* The coordinate of this device along digits, a scalar of e->index. */
value *device_coordinate(emitter *e, const device_order *order, digits along);
/* Where this device's block of dimension d starts. */
value *device_offset(emitter *e, const spread *s, int d, int64_t global_size);
/* True if this device is the first along the digits. */
value *device_is_first(emitter *e, const device_order *order, digits along);
/* replica_groups of devices that differ along the digits only: dense<[[…]]>. */
const attr *device_groups(emitter *e, const device_order *order, digits along);
/* The source_target_pairs of a permutation, see device_pair_list. */
const attr *device_pairs(emitter *e, const device_order *order, digits along,
                         const int64_t *source);
/* The attributes of a collective among partitions; NULL where devices are replicas. */
const attr *device_channel(emitter *e);
const attr *device_global_ids(emitter *e);
void device_renumber(emitter *e, op *o); /* gives a copied collective a channel of its own */
void device_number(emitter *e);          /* numbers the channels of all collectives; call it last */

/* ---- communication (collective.c, collective_kit.c, partition/local/halo.c) ----------------- */

value *emit_move(emitter *e, const move *m, value *v, const type *global);
/* A collective without attributes yet; it has a combining body unless `combine` is MONOID_NONE. */
op *emit_collective(emitter *e, op_kind kind, value *v, const type *t, monoid combine);
/* Gathers the blocks of dimension d from the devices that differ along some digits. */
value *emit_gather(emitter *e, value *v, int d, const device_order *order, digits along);
value *emit_permute(emitter *e, value *v, const attr *pairs);
void origin_add(emitter *e, const op *collective); /* (origin.c) */
/* Merges collectives that nothing keeps apart, or counts how many that would save. (combine.c) */
void combine_collectives(module *m);
int combine_count(module *m);
/* Replaces collectives of values without elements by constants and, if `separate`, a collective of
 * several operands by several collectives. (plain.c) */
void plain_collectives(module *m, bool separate);
/* Multiplies in the other order what is transposed afterwards. (swapped.c) */
void swap_products(module *m);
/* Sums over devices after a loop what it adds up. (after_loops.c) */
void sum_after_loops(module *m);
/* Replaces products of tensors by products of matrices. (flat.c) */
void flatten_products(module *m);
/* Rewrites what XLA would compute differently. (guard.c) */
void guard_from_xla(module *m);
/* Writes the global types and shardings into the signature of the local @main. (marks.c) */
void marks_write(module *m, op *main_func, const local_program *p);
value *emit_any_scalar(emitter *e, value *v); /* to pad `v` where the contents do not matter */
/* Replaces by the scalar `with` the elements whose index in dimension d plus `offset` (NULL: 0) is
 * not in [low, high). INT64_MIN and INT64_MAX: no bound. */
value *emit_mask(emitter *e, value *v, int d, value *offset, int64_t low, int64_t high,
                 value *with);

/* a / b, rounded down. */
static inline int64_t floor_to(int64_t a, int64_t b)
{
	return a >= 0 ? a / b : -((-a + b - 1) / b);
}
value *emit_halo(emitter *e, value *v, const spread *as, const halo *h);

/* ---- how an op is divided among the devices (factoring*.c) ---------------------------------- */

typedef struct factoring {
	emitter *e;
	const op *o;
	const sharding_rule *rule;
	unsigned flags; /* of factoring_init() */
	bool *may;      /* [n_factors] factors that may be split; NULL: not computed yet */
	bool compound;  /* some dimension has several factors; known once `may` is */
	digits *shard;  /* [n_factors] the decision */
	const device_order *order;
	monoid combine; /* how partial results along reduction factors are combined */
	/* What the op itself adds to the cost of a decision; may be NULL. */
	double (*extra)(const struct factoring *f, void *arg);
	void *arg;
	double cost;
	const spread **decided; /* [operands, then results]; NULL: nothing is decided */
} factoring;

enum factoring_flags {
	SPLIT_PERMUTATION = 1, /* permutation factors may be split */
	SPLIT_RESULT_ONLY = 2, /* factors that no operand has may be split */
};
/* Starts from the rule. Only factors may be split for which computing on blocks and combining
 * partial results is enough. */
void factoring_init(factoring *f, emitter *e, const op *o, const sharding_rule *rule,
                    monoid combine, unsigned flags);
void factoring_decide(factoring *f);
/* The work that costs as much as receiving a byte. */
double points_per_byte(const emitter *e);
/* factoring_decide() with an addition of the op's own to the cost of each decision. */
void factoring_decide_with(factoring *f, double (*extra)(const factoring *f, void *arg), void *arg);
/* Computes f->may. */
void factoring_ask(factoring *f);
/* The inputs of a decision: what the op is, which spreads its operands have and its results shall
 * have. Layers repeat, so most decisions are recalled. (factoring_memo.c) */
typedef struct decision_key {
	arena *mem; /* scratch for comparisons */
	uint64_t hash;
	const op *outline;   /* an op to compare with; NULL: the rule identifies the op */
	VEC(uint32_t) facts; /* empty: not to be remembered */
} decision_key;
/* Recalls the decision for f, or returns false with the key for decision_remember(). */
bool decision_recall(factoring *f, decision_key *key);
void decision_remember(const factoring *f, const decision_key *key);
/* The digits that split reduction factors if the operands stay where they are. */
digits factoring_given(factoring *f);
/* The spread of operand / result i under the decision; results are partial along the reduction
 * factors. */
const spread *factoring_operand(const factoring *f, int i);
const spread *factoring_result(const factoring *f, int i);
/* The size of dimension d of a device's block of the first result. */
int64_t factoring_result_dim(const factoring *f, int d);
/* The cost of a window on operand i in its decided spread. */
double operand_halo_cost(const factoring *f, int i, const halo *h);
/* True if splitting the factor leaves padding. */
bool factoring_pads(const factoring *f, int factor);

/* ---- emitting one op (partition/local/) ----------------------------------------------------- */

/* Emits one op. The rows of partition/local/local.def name these functions. */
typedef void local_fn(emitter *e, op *o);
local_fn local_by_rule, local_replicated;
/* True if only its rule says how the op is computed if no reduction is split. (foresight.c) */
bool local_by_rule_alone(const op *o);
bool local_takes_whole(emitter *e, const op *o, int i); /* operand i, whatever is decided */
#define LOCAL(id, fn) local_fn local_##fn;
#include "partition/local/local.def"
#undef LOCAL

/* Emit all slices that cut a dimension into pieces of one size at once, and the concatenation of
 * such pieces. Return false if the op is not one of these. (partition/local/pieces.c) */
bool local_cut_pieces(emitter *e, op *o);
bool local_join_pieces(emitter *e, op *o, int dim);
/* True if the slice need not be computed, because the concatenation that is its only user takes the
 * elements from the slice's operand: the two ends of a value change places, and its blocks form a
 * ring; or the concatenation costs no more so. (partition/local/concatenate.c) */
bool local_turns(emitter *e, const op *slice);
bool local_is_joined(emitter *e, const op *slice);

/* Records result i, and settles it (fact_settle). */
void local_result(emitter *e, op *o, int i, const spread *as, value *local);
/* Fetches the operands of a decision; copies the op onto them; records its results. */
value **local_operands(factoring *f);
op *local_copy(factoring *f, value *const *operands);
void local_finish(factoring *f, op *local);
/* Iotas and splats, which each device can make in any spread without communication, and one such
 * op's block. (facts.c) */
bool made_anywhere(emitter *e, const value *v);
value *make_here(emitter *e, value *v, const spread *as);
value *splat_block(emitter *e, const op *o, const spread *as);
value *iota_block(emitter *e, const op *o, const spread *as);
/* Masks the padding of split reduction factors in operand i. */
void local_mask_reduced(factoring *f, value **operands, int i, value *with);
/* The rule of an op, including rules beyond Shardy's registry; NULL: none. */
const sharding_rule *local_rule(emitter *e, const op *o);

/* Between these two, facts about the sums that the op is computed on hide that they are partial: to
 * the function that emits the op they look complete. (terms.c) */
void terms_begin(emitter *e, const op *o);
void terms_end(emitter *e);
static inline bool operands_have(unsigned operands, int i)
{
	return i < 32 ? operands >> i & 1 : ~operands == 0;
}
/* The digits of `l` that are in `other`, or those that are not. The ends of all these digits must
 * divide each other. */
digits digits_common(arena *mem, digits l, digits other, bool common);
/* True if the value is one of the sums of the current op; its spread without the digits of the
 * terms, and with them. */
bool terms_has(const emitter *e, const value *v);
const spread *terms_hide(emitter *e, const value *v, const spread *s);
const spread *terms_show(emitter *e, const value *v, const spread *s);

/* If the program wants the op's result as a partial sum, that spread, else NULL (outlook.c). */
const spread *partial_goal(emitter *e, const op *o);
/* True if additions follow, so that the sum may stay partial. */
bool sum_goes_on(emitter *e, const op *o);
/* If the only copies of `v` are partial sums and one user needs it, their spread; else NULL.
 * (outlook.c) */
const spread *pending_sum(emitter *e, const value *v);
/* The prospects of `v`: it is added to a partial value with the spread *pending, to one that may
 * turn out to be partial, or to none. */
typedef enum sum_hope { SUM_ALONE, SUM_LIKELY, SUM_PENDING } sum_hope;
sum_hope sum_outlook(emitter *e, const value *v, const spread **pending);
/* Returns which fraction of the cost of completing `v`, which is partial like `partial`, counts for
 * `v`: sums that are added up are completed together. */
double reduction_share(emitter *e, const value *v, const spread *partial);

/* The device of a maximal mesh; -1: not on one device. */
int64_t single_device(emitter *e, const sharding *s);
/* Records `local`, of which only one device's value counts. */
void single_define(emitter *e, value *global, value *local, int64_t device);
/* Emits an op whose result is on one device; false: it is like any other. */
bool local_single(emitter *e, op *o);
/* The spread of results without a sharding. */
typedef enum leaving {
	LEAVE_AS_IS, /* as they come: inner functions */
	LEAVE_WHOLE, /* whole */
} leaving;

/* Makes the local function of `f`. Its arguments have the spreads of `s`, which receives those of
 * the results. */
op *local_function(emitter *e, const op *f, special_func *s, leaving how);
/* Names the function and adds it to the local program, with the place and visibility of `f`. */
void local_name(emitter *e, op *local, const op *f, const name *symbol);
void local_add_special(emitter *e, special_func *s);

#endif
