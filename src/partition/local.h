/* local.h - what the makers of local programs share.
 *
 * The emitter walks the global program and writes the local one.  For each global
 * value it keeps the local values that stand for it, each with the spread that it
 * really has; for each op it chooses how to compute it (factoring), fetches the
 * operands in the spread needed, emits the local op, and records the results. */
#ifndef TESS_PARTITION_LOCAL_H
#define TESS_PARTITION_LOCAL_H

#include "op/op.h"
#include "partition/partition.h"
#include "partition/reshard.h"
#include "partition/spread.h"

/* A local value that stands for a global one. */
typedef struct stand_in {
	const spread *as;
	value *v;
	const struct stand_in *older;
} stand_in;

/* A value that a loop carries and never changes. */
typedef struct loop_invariant {
	value *outside; /* the loop's operand, of the global program */
	block *before;  /* of the local program: the loop goes to its end */
} loop_invariant;

typedef struct global_facts {
	const stand_in *copies; /* newest first; NULL: not computed */
	const loop_invariant *invariant; /* NULL: of no loop */
	const spread *home;     /* the spread that the program wants */
	const spread *leaving;  /* in which it is returned; NULL: it is not, or as it is */
	bool varies;            /* depends on which device asks, outside of what shardings say */
	bool taken_whole;       /* by an op of its block that cannot do otherwise */
} global_facts;

/* A coordinate of this device, computed at the beginning of a function. */
typedef struct known_coordinate {
	const device_order *order;
	digits along;
	value *v;
} known_coordinate;

/* Devices that differ along some digits, as an attribute. */
typedef struct device_group {
	const device_order *order;
	digits along;
	const attr *ids;
} device_group;

/* Who receives whose block: the device with coordinate i along some digits that of the
 * device with coordinate source[i] (-1: nothing). */
typedef struct device_pair_list {
	const device_order *order;
	digits along;
	const int64_t *source;
	const attr *pairs;
} device_pair_list;

/* The local function being written. */
typedef struct local_func {
	block *body;
	op *prologue; /* the last op of the computations at its beginning; NULL: none */
	VEC(known_coordinate) coordinates;
} local_func;

/* A function of the global program, for arguments spread in one way. */
typedef struct special_func {
	struct special_func *older; /* of the same function */
	const op *global;
	const spread **args;
	const spread **results;
	const name *symbol;
	bool open;    /* being written */
	bool in_line; /* small, and communicates: done where it is called; no symbol */
} special_func;

typedef struct undo {
	uint32_t id;
	global_facts was;
} undo;

/* A value on its way from one spread to another. */
typedef struct journey {
	const value *moved;
	const spread *before, *after;
	const op *wanted_by; /* NULL: results of a function */
} journey;

/* The op at work if it is computed on terms of sums (local/terms.c), along these digits: a spread
 * without dimensions. */
typedef struct on_terms {
	const op *of; /* NULL: it is not */
	unsigned operands; /* a bit for each that is one of the sums */
	const spread *along;
} on_terms;

typedef struct emitter {
	tess_ctx *ctx;
	arena *mem;  /* what the op at work needs: emptied after each */
	arena *keep; /* what lives as long as the partitioning */
	module *from, *to;
	const partition_options *opts;
	program_meshes meshes; /* of `from` */
	spreads sp;
	ptr_map spread_of; /* sharding -> spread */
	reshard_memo plans;
	cons_tab decisions;
	VEC(device_group) groups;
	VEC(device_pair_list) pairs;
	builder b;        /* of local ops; `like` is the global op at work */
	const op *ruled;  /* the op whose rule was asked for last, while it is at work */
	const sharding_rule *rule;
	rule_memo rules;
	const attr *channel;    /* of every collective, until device_number() */
	bool no_better_way;     /* while local_replicated() fetches operands */
	on_terms terms;
	const journey *journey; /* while fact_get() moves a value; else NULL */
	local_func *fn;
	global_facts *facts; /* by id of the global value */
	VEC(undo) log;       /* of facts, for leaving regions */
	int regions;         /* around the op at work, in its function */
	uint32_t calls;      /* functions that are being made, each for a call in the last */
	bool again;          /* what is at work has been done before: in a function done in line */
	ptr_map funcs;       /* global function -> the latest special_func */
	ptr_map whole_funcs; /* global function -> name of its copy in `to`, for whole values */
	digits manual;    /* of the manual computations around the op at work */
	dtype index;      /* of positions, offsets and sizes */
	partition_stats *stats;
	const struct remaking *remaking;
	bool failed;
} emitter;

/* ---- the program (census.c) ---------------------------------------------------------- */

/* What its meshes are for; where it has none, what mhlo.num_partitions says. */
int64_t census_devices(const module *m, const program_meshes *meshes);
bool census_in_limits(module *m, int64_t n_devices);
/* Shapes are static, meshes fit together; sets e->index. */
bool census_check(emitter *e);
static inline int value_rank(const value *v) { return type_is_tensor(v->type) ? v->type->rank : 0; }

/* ---- facts (facts.c) --------------------------------------------------------------- */

/* Records that `local` stands for `global`.  The first record of a value also says
 * which spread its users shall expect: `as` without partial digits, or the one of the
 * value's sharding. */
void fact_define(emitter *e, value *global, const spread *as, value *local);
/* Brings the value home now, unless its only user may as well do that: later it could be
 * in a loop, or for several users in several ways. */
void fact_settle(emitter *e, value *global);
/* The local value of `global` in a spread; emits what brings it there. */
value *fact_get(emitter *e, value *global, const spread *as);
value *fact_get_whole(emitter *e, value *global);
value *fact_get_home(emitter *e, value *global);
/* The elements of a constant that reshards may have passed on; NULL: it is none. */
const attr *fact_constant(value *global);
const spread *fact_home(emitter *e, const value *global);
/* The spread of a sharding, NULL: of none, of a value of so many dimensions. */
const spread *fact_spread(emitter *e, const sharding *s, int rank);
/* The spread of the sharding that propagation gave, or NULL. */
const spread *fact_wanted(emitter *e, const value *global);
/* The local value that stands for `global` in this spread already, or NULL. */
value *fact_at_hand(emitter *e, const value *global, const spread *as);
/* Cost of fact_get() in bytes; a bound that is quick, from a block's dimensions. */
double fact_cost(emitter *e, const value *global, const spread *as);
double fact_least(emitter *e, const value *global, const int64_t *block);
/* How many ops in the block of `o` use the value, are still to come, and do with the copy that one of them
 * fetches: all are element-wise and want their result in one spread, or want results, no smaller than the
 * value, whole. */
int fact_sharers(emitter *e, const value *global, const op *o);
/* The value is going to be returned in this spread; call it before the value is defined. */
void fact_set_leaving(emitter *e, const value *global, const spread *as);
/* What a result shall be: fact_wanted(), or that in which it is returned, if that is all that becomes of
 * it; or NULL. */
const spread *fact_goal(emitter *e, const value *global);
/* The spreads in which the value is going to be fetched whatever is decided, and can be fetched now:
 * how many, at most 2. */
int fact_sure(emitter *e, const value *global, const spread *out[2]);
/* The local value stands for `global` in this spread, too. */
void fact_add(emitter *e, const value *global, const spread *as, value *local);

/* A value computed once more in a spread, out of what is at hand.  Facts are kept without knowing how
 * operations are made: an emitter says who does (remake.c). */
typedef struct remaking {
	bool (*might)(emitter *e, const value *v); /* whether it is worth asking */
	double (*cost)(emitter *e, const value *v, const spread *as,
	               double most); /* INFINITY: not less than `most` */
	value *(*make)(emitter *e, value *v, const spread *as); /* where it costs less */
} remaking;
extern const remaking remaking_by_rule;

/* True if an operand of `o` varies, or `o` asks which device it runs on. */
bool fact_varies(emitter *e, const op *o);
/* `arg`, in the loop that is being made, is `outside`, always. */
void fact_set_invariant(emitter *e, const value *arg, value *outside, block *before);
void fact_set_varying(emitter *e, const value *global);
/* What is recorded between enter and leave is forgotten: it was computed in a region. */
int facts_enter(emitter *e);
void facts_leave(emitter *e, int mark);
/* `to` is `from`, at home in `home`: what is known of one is known of the other. */
void fact_alias(emitter *e, const value *to, global_facts from, const spread *home);

/* ---- emitting (emit.c) ---------------------------------------------------------------- */

value *emit_index(emitter *e, int64_t v);                /* a scalar of e->index */
value *emit_iota(emitter *e, const type *like, int dim); /* of e->index */
/* Elements [start, start + size) of one dimension; start is a scalar of e->index. */
value *emit_window(emitter *e, value *v, int dim, value *start, int64_t size);
/* Indices of any integer type, clamped to [0, most], in e->index. */
value *emit_clamped_index(emitter *e, value *v, int64_t most);
value *emit_identity(emitter *e, monoid m, const type *t); /* of shape t */
value *emit_zero(emitter *e, const type *t); /* a scalar of the elements of `t` */
/* A copy of an op that is the same on every device: attributes, regions; its operands
 * and result types are given.  (copy.c) */
op *emit_copy(emitter *e, const op *o, value *const *operands, const type *const *results);

/* ---- devices (devices.c) ------------------------------------------------------------- */

/* The coordinate of this device along digits, a scalar of e->index. */
value *device_coordinate(emitter *e, const device_order *order, digits along);
/* Where this device's block of dimension d begins. */
value *device_offset(emitter *e, const spread *s, int d, int64_t global_size);
/* True if this device is the first along the digits. */
value *device_is_first(emitter *e, const device_order *order, digits along);
/* Devices that differ along the digits only, as dense<[[…]]>. */
const attr *device_groups(emitter *e, const device_order *order, digits along);
/* The source_target_pairs of a permutation, see device_pair_list. */
const attr *device_pairs(emitter *e, const device_order *order, digits along,
                         const int64_t *source);
/* What a collective says that is among all devices: NULL, nothing, where they are replicas. */
const attr *device_channel(emitter *e);
const attr *device_global_ids(emitter *e);
void device_renumber(emitter *e, op *o); /* a channel of its own, nothing else */
void device_number(emitter *e);          /* gives all collectives their channels */

/* ---- communication (collective.c, partition/local/halo.c) ------------------------------ */

value *emit_move(emitter *e, const move *m, value *v, const type *global);
/* A collective, without attributes yet; it has a body that combines, but for MONOID_NONE. */
op *emit_collective(emitter *e, op_kind kind, value *v, const type *t, monoid combine);
/* Blocks of dimension d, from the devices that differ along some digits, put together. */
value *emit_gather(emitter *e, value *v, int d, const device_order *order, digits along);
value *emit_permute(emitter *e, value *v, const attr *pairs);
void origin_add(emitter *e, const op *collective); /* origin.c */
/* Merges those that nothing keeps apart; how many fewer that would make.  (combine.c) */
void combine_collectives(module *m);
int combine_count(module *m);
/* Collectives of values without elements become constants, and those of several operands several,
 * if `separate`.  (plain.c) */
void plain_collectives(module *m, bool separate);
/* What XLA would compute otherwise becomes what it does not.  (guard.c) */
void guard_from_xla(module *m);
/* Says in the signature of the local @main what its values are parts of.  (marks.c) */
void marks_write(module *m, op *main_func, const local_program *p);
value *emit_any_scalar(emitter *e, value *v); /* to pad `v` with where the values do not matter */
/* Elements of dimension d whose index plus `offset` (NULL: 0) is not in [low, high) become
 * `with`, a scalar.  INT64_MIN and INT64_MAX: no bound. */
value *emit_mask(emitter *e, value *v, int d, value *offset, int64_t low, int64_t high,
                 value *with);

/* a / b, rounded down. */
static inline int64_t floor_to(int64_t a, int64_t b)
{
	return a >= 0 ? a / b : -((-a + b - 1) / b);
}
value *emit_halo(emitter *e, value *v, const spread *as, const halo *h);

/* ---- how one op is computed (factoring*.c) ------------------------------------------------ */

typedef struct factoring {
	emitter *e;
	const op *o;
	const sharding_rule *rule;
	unsigned flags; /* of factoring_init() */
	bool *may;      /* [n_factors] may be split; NULL: not asked yet */
	bool compound;  /* some dimension has several factors; known once `may` is */
	digits *shard;  /* [n_factors] the decision */
	const device_order *order;
	monoid combine; /* of the reduction factors */
	/* The op's own addition to the cost of a decision; may be NULL. */
	double (*extra)(const struct factoring *f, void *arg);
	void *arg;
	double cost;
	const spread **decided; /* [operands, then results]; NULL: nothing is */
} factoring;

enum factoring_flags {
	SPLIT_PERMUTATION = 1, /* permutation factors may be split */
	SPLIT_RESULT_ONLY = 2, /* factors that no operand has, too */
};
/* Starts from the rule: which factors may be split without doing more than computing on
 * blocks and combining the partial results. */
void factoring_init(factoring *f, emitter *e, const op *o, const sharding_rule *rule,
                    monoid combine, unsigned flags);
void factoring_decide(factoring *f);
/* Work of a device that costs as much as receiving a byte. */
double points_per_byte(const emitter *e);
/* The same with an addition of the op's own to the cost of each decision. */
void factoring_decide_with(factoring *f, double (*extra)(const factoring *f, void *arg), void *arg);
/* Fills in f->may. */
void factoring_ask(factoring *f);
/* Decisions depend on what an op is, where its operands are and where its results shall be;
 * layers are alike.  Recalls one, or says under which key to remember it.  (factoring_memo.c) */
typedef struct decision_key {
	arena *mem; /* to compare in */
	uint64_t hash;
	const op *outline;   /* an op like this; NULL: its rule says what it is */
	VEC(uint32_t) facts; /* empty: not to be remembered */
} decision_key;
bool decision_recall(factoring *f, decision_key *key);
void decision_remember(const factoring *f, const decision_key *key);
/* The digits that split reduction factors where the operands are. */
digits factoring_given(factoring *f);
/* The spread of operand / result i under the decision; results are partial along the
 * reduction factors. */
const spread *factoring_operand(const factoring *f, int i);
const spread *factoring_result(const factoring *f, int i);
/* Dimension d of a device's block of the first result. */
int64_t factoring_result_dim(const factoring *f, int d);
/* Of a window on operand i, as it is spread. */
double operand_halo_cost(const factoring *f, int i, const halo *h);
/* The split of a factor leaves padding. */
bool factoring_pads(const factoring *f, int factor);

/* ---- ops (local*.c) ------------------------------------------------------------------------ */

/* Lowers one op: the functions that partition/local/local.def names. */
typedef void local_fn(emitter *e, op *o);
void local_block(emitter *e, const block *b); /* all but its terminator */
local_fn local_by_rule, local_replicated;
/* Where no reduction is split, nothing but its rule says how it is computed.  (foresight.c) */
bool local_by_rule_alone(const op *o);
bool local_takes_whole(emitter *e, const op *o, int i); /* operand i, whatever is decided */
#define LOCAL(id, fn) local_fn local_##fn;
#include "partition/local/local.def"
#undef LOCAL

/* Slices that cut a dimension into pieces of one size, at once with their siblings, and the
 * concatenation of such pieces; false: not this one.  (partition/local/pieces.c) */
bool local_cut_pieces(emitter *e, op *o);
bool local_join_pieces(emitter *e, op *o, int dim);

/* Records result i and settles it. */
void local_result(emitter *e, op *o, int i, const spread *as, value *local);
/* The operands under a decision; a copy of the op on them; both and the results. */
value **local_operands(factoring *f);
op *local_copy(factoring *f, value *const *operands);
void local_finish(factoring *f, op *local);
/* An iota, or one element everywhere: each device can make its part of it, in any spread; the part
 * that one such operation makes.  (anywhere.c) */
bool made_anywhere(const value *v);
value *make_here(emitter *e, value *v, const spread *as);
bool is_one_element(const op *o);
value *splat_block(emitter *e, const op *o, const spread *as);
value *iota_block(emitter *e, const op *o, const spread *as);
/* Replaces operand i by itself with the padding of split reduction factors masked. */
void local_mask_reduced(factoring *f, value **operands, int i, value *with);
/* The rule of an op; of op/rule/rule.h, and beyond Shardy's registry.  NULL: none. */
const sharding_rule *local_rule(emitter *e, const op *o);

/* While an op is made that is computed on terms of sums: they are complete for it.  Whether a value
 * is one of the sums; its spread without the digits of the terms, and with them.  (terms.c) */
void terms_begin(emitter *e, const op *o);
void terms_end(emitter *e);
static inline bool operands_have(unsigned operands, int i)
{
	return i < 32 ? operands >> i & 1 : ~operands == 0;
}
/* The digits of `l` that are in `other`, or those that are not.  Ends of all of them divide each
 * other. */
digits digits_common(arena *mem, digits l, digits other, bool common);
bool terms_has(const emitter *e, const value *v);
const spread *terms_hide(emitter *e, const value *v, const spread *s);
const spread *terms_show(emitter *e, const value *v, const spread *s);

/* Where the op is the end of a partial sum: the spread that its uses want; NULL: whole (outlook.c). */
const spread *partial_goal(emitter *e, const op *o);
/* Additions follow, so that the sum may stay partial. */
bool sum_goes_on(emitter *e, const op *o);
/* The spread of a partial sum that `v` is so far, and that nobody else needs complete; or NULL.
 * (partition/local/partial.c) */
const spread *pending_sum(emitter *e, const value *v);
/* True if `v` ends in a sum with another value that is partial like *pending, or may be. */
typedef enum sum_hope { SUM_ALONE, SUM_LIKELY, SUM_PENDING } sum_hope;
sum_hope sum_outlook(emitter *e, const value *v, const spread **pending);
/* The part of completing `v`, partial like this, that it has to bear itself: sums that
 * are added up are completed together. */
double reduction_share(emitter *e, const value *v, const spread *partial);

/* The device of a maximal mesh; -1: not on one device. */
int64_t single_device(emitter *e, const sharding *s);
/* `local` counts on one device only. */
void single_define(emitter *e, value *global, value *local, int64_t device);
/* Lowers an op whose result is on one device; false: it is like any other. */
bool local_single(emitter *e, op *o);
/* How results leave a function. */
typedef enum leaving {
	LEAVE_AS_IS, /* without a sharding as they come: inner functions */
	LEAVE_WHOLE, /* without a sharding whole */
} leaving;

/* The local function of `f`: its arguments come in the spreads of `s`, which gets the results'. */
op *local_function(emitter *e, const op *f, special_func *s, leaving how);
/* Into the local program, with the place and visibility of `f`. */
void local_name(emitter *e, op *local, const op *f, const name *symbol);
void local_add_special(emitter *e, special_func *s);

#endif
