/* op.h - the door of op: what is known of each operation.
 *
 * ops.def has a row for each: form, traits, operands, results, attributes, and the functions that
 * infer its result types, check it, and make its sharding rule.  Upper layers have rows of their
 * own by the same ids for what only they know.  An op that the table does not know has kind
 * OP_UNKNOWN: it is kept in generic form, has side effects as far as anyone can tell, and has no
 * sharding rule. */
#ifndef TESS_OP_OP_H
#define TESS_OP_OP_H

#include "ir/ir.h"
#include "op/build.h"
#include "op/kind.h"

/* ---- the table --------------------------------------------------------------- */

/* The kind of an op name, OP_UNKNOWN if there is none.  One table look-up. */
int op_kind_of(tess_ctx *ctx, const name *opname);
const char *op_name(const op *o); /* "stablehlo.add", known to the tables or not */
/* The op that chlo.broadcast_… applies; OP_UNKNOWN for others. */
op_kind op_broadcasts(int kind);
/* Maps equal indices to equal indices, as far as scheduling propagation goes: Shardy's
 * isElementwise() of common/op_properties.cc. */
bool op_is_elementwise(const op *o);
/* May be erased if its results are unused (looks into regions too). */
bool op_is_dead_if_unused(const op *o);

/* ---- inherent attributes (ops.def) ------------------------------------------------ */

typedef enum attr_row_kind {
	ATTR_NONE,
	ATTR_ANY,
	ATTR_UNIT,
	ATTR_BOOL,
	ATTR_STRING,
	ATTR_TYPE,
	ATTR_LIST,
	ATTR_DICT,
	ATTR_I32,
	ATTR_I64,
	ATTR_INDEX /* i64, not negative */,
	ATTR_POSITIVE /* i64 */,
	ATTR_F32,
	ATTR_INTS /* array<i64: …> */,
	ATTR_BOOLS,
	ATTR_ELEMENTS,
	ATTR_I64_ELEMENTS, /* of a tensor of i64 */
	ATTR_ENUM,
	ATTR_ENUMS,
	ATTR_STRUCT,
	ATTR_GROUPS /* replica_groups: i64 elements or mesh axes */,
	ATTR_SYMBOL_REF,
	ATTR_MESH,
	ATTR_SHARDING,
	ATTR_SHARDINGS,
	ATTR_MANUAL_AXES,
	ATTR_AXES,
	ATTR_AXES_LIST,
	ATTR_ALL_TO_ALL,
} attr_row_kind;
typedef enum attr_fallback { FALLBACK_NONE, FALLBACK_FALSE, FALLBACK_TRUE, FALLBACK_NUMBER,
	FALLBACK_EMPTY, FALLBACK_ACCURACY } attr_fallback;
typedef struct attr_row {
	int name; /* N_… */
	attr_row_kind kind;
	bool needed;
	attr_fallback fallback; /* what an absent one means */
	int64_t number;
	bool always; /* the generic form shows the fallback too */
} attr_row;
/* Ends with a row of kind ATTR_NONE. */
const attr_row *op_attr_rows(int kind);
const attr_row *op_attr_row(int kind, const name *n); /* NULL: discardable */
bool attr_is_fallback(const attr_row *row, const attr *a);
/* Whether a result_accuracy has the mode DEFAULT and no tolerance. */
bool accuracy_is_default(const attr *a);
const attr *attr_fallback_value(tess_ctx *ctx, const attr_row *row); /* NULL: there is none */
/* Which attribute of an op spells the slot of its result: N_sharding, N_out_sharding, or
 * N_sdy_sharding (of all results). */
int op_sharding_attr(int kind);
/* Where the sharding of a result stands. */
#define RESULT_PART(o, i)                                                                          \
	PART(op_sharding_attr((o)->kind),                                                          \
	     op_sharding_attr((o)->kind) == N_sdy_sharding ? ITEM(i) : 0)
/* Moves that attribute into the slots; false: it does not fit and stays an attribute. */
bool op_take_shardings(op *o, const attr *a);
/* As the text says it: shardings go to the slots.  NULL removes it. */
void op_put_attr(module *m, op *o, const name *n, const attr *a);
/* ---- for readers of programs (assemble.c) ------------------------------------------ */

/* A function of these attributes, the last two of which may be NULL: the shardings of its results go to
 * their slots.  NULL: the first is no type of a function. */
func *func_of_attrs(module *m, const attr *type, const attr *args, const attr *results);
/* Shardings among the attributes of the arguments go to the slots of the body's arguments. */
void func_take_arg_shardings(module *m, op *o);
/* These attributes, sorted by name, become those of the op: without defaults that are always written,
 * shardings of results in their slots. */
void op_attrs_as_read(module *m, op *o, named_attr *sorted, int n);
/* A module that holds nothing but a module is that one. */
void module_unwrap(module *m);
/* Notes the symbols of the top block; false, and reported: one is there twice. */
bool module_take_symbols(module *m);

/* The words of an enum attribute's kind, separated by spaces; NULL: not known. */
const char *enum_words(const attr *a);
/* "comparison_type" of N_compare_type; NULL: the attribute is of no enum. */
const char *attr_enum_kind(int attribute);
/* The enum attribute in `a`, a list or alone, whose word its kind lacks; NULL: none. */
const attr *attr_bad_enum(const attr *a);
/* The attribute is of the row's kind. */
bool attr_fits(const attr_row *row, const attr *a);

/* ---- names of operands, results and regions (ops.def) ---------------------------- */

typedef struct op_signature {
	const char *operands, *results, *regions; /* words; NULL: none */
} op_signature;
/* NULL: func.func and builtin.module. */
const op_signature *op_signature_of(int kind);

/* ---- verification and inference (verify/) -------------------------- */

/* Checks every op: structure, the constraints of StableHLO's specification and of
 * the sdy dialect.  Reports all it finds, up to the context's limit. */
bool module_verify(module *m);
/* Warns of attributes that begin with "sdy." and that sdy does not know: misspelt ones. */
void module_warn_unknown_attrs(module *m);
bool op_verify(module *m, op *o);
/* Result types from operands, attributes and regions; types has room for n_results.
 * false: cannot be inferred (no diagnostic) or is wrong (diagnostic). */
bool op_infer(module *m, const op *o, const type **types);
bool op_can_infer(int kind);
/* What an op is made of before its results are known. */
typedef struct op_parts {
	int kind;
	value *const *operands;
	int n_operands;
	const region *regions;
	int n_regions;
	const named_attr *attrs;
	int n_attrs;
} op_parts;
/* How many results it will have; -1: that does not follow from its parts. */
int op_result_count(const module *m, const op_parts *p);
/* i1, or a tensor of them, for a comparison of operands of type `t`. */
const type *op_predicate_type(tess_ctx *ctx, const type *t);
/* For what knows no branches between blocks, as `who` says: false, and reported, if the module
 * has any. */
bool module_wants_single_blocks(module *m, const char *who);

/* ---- JAX's asynchronous collectives (async.c) -------------------------------------- */

/* What is started, as an op of `to` that stands nowhere yet; the function that the call names is
 * of `from`.  NULL after a diagnostic. */
op *async_collective(module *to, const module *from, const op *start);
/* All of them become collectives, in place.  false after a diagnostic. */
bool module_raise_async(module *m);

/* ---- structured attributes, decoded (dims.c) --------------------------------------- */

/* #stablehlo.dot<…>, .gather, .scatter and .conv are AT_STRUCTs whose fields bear
 * their names in the text and hold AT_INT or AT_ARRAY of AT_INT; a convolution
 * always has the fields of its raw form (input_batch_dimension, …).  The decoders
 * check that every number is a dimension of the tensor it speaks of. */

typedef struct dot_dims {
	int n_batch, n_contract;
	const int64_t *lhs_batch, *rhs_batch, *lhs_contract, *rhs_contract;
} dot_dims;
/* dot_general's dimension numbers; for dot: the implied ones.  false: malformed. */
bool op_dot_dims(const module *m, const op *o, dot_dims *d);

/* How a dot multiplies and sums: the type that both sides are rounded to (F8E5M2: any of 8 bits),
 * that of the sums, how many products stand for one, whether sums may lose bits. */
typedef struct dot_algorithm {
	dtype in, sum;
	int products;
	bool imprecise;
} dot_algorithm;
/* What a #stablehlo.dot_algorithm<…> says; NULL if no hardware has it. */
const dot_algorithm *dot_algorithm_of(const attr *a);
const dot_algorithm *dot_algorithms(int *n);

typedef struct gather_dims {
	int n_offset, n_collapsed, n_operand_batch, n_map;
	const int64_t *offset, *collapsed, *operand_batch, *indices_batch,
		*map; /* start_index_map */
	int64_t index_vector_dim;
	int n_slice_sizes;
	const int64_t *slice_sizes;
	bool sorted;
} gather_dims;
bool op_gather_dims(const module *m, const op *o, gather_dims *d);

typedef struct scatter_dims {
	int n_window, n_inserted, n_input_batch, n_map;
	const int64_t *window, *inserted, *input_batch, *indices_batch, *map;
	int64_t index_vector_dim;
	bool sorted, unique;
} scatter_dims;
bool op_scatter_dims(const module *m, const op *o, scatter_dims *d);

enum { MAX_SPATIAL = 16 };
typedef struct conv_dims {
	int n_spatial;
	int64_t in_batch, in_feature, in_spatial[MAX_SPATIAL];
	int64_t k_in, k_out, k_spatial[MAX_SPATIAL];
	int64_t out_batch, out_feature, out_spatial[MAX_SPATIAL];
	int64_t stride[MAX_SPATIAL], pad_low[MAX_SPATIAL], pad_high[MAX_SPATIAL];
	int64_t lhs_dilation[MAX_SPATIAL], rhs_dilation[MAX_SPATIAL];
	bool reversed[MAX_SPATIAL];
	int64_t feature_groups, batch_groups;
} conv_dims;
bool op_conv_dims(const module *m, const op *o, conv_dims *d);

/* Whether a list of dimensions has `d`. */
bool dim_listed(const int64_t *dims, int n, int64_t d);

/* The attribute `a` names one of an enum's words: enum_word(a) is "GT" for
 * #stablehlo<comparison_direction GT>; "" otherwise. */
const char *enum_word(const attr *a);
/* A reducer body that is one op on its two arguments: its kind, else OP_UNKNOWN. */
op_kind op_body_kind(const op *o, int region);
/* What a scatter does with several updates of one element, if that is the same add,
 * multiply, max or min (for booleans also and, or) for all its inputs; else OP_UNKNOWN. */
op_kind op_scatter_reduction(const op *o);

/* ---- custom calls (custom.c) --------------------------------------------------------------- */

/* Whom a custom call calls; "" of others. */
const char *op_call_target(const op *o);
/* Whether the op is a custom call to this target. */
bool op_calls(const op *o, const char *target);
/* Whether it is a callback that each device makes for what it holds itself, and that gives nothing. */
bool op_calls_apart(const op *o);
/* What the backend_config of a custom call says of this key; NULL: nothing. */
const attr *custom_option(tess_ctx *ctx, const op *o, const char *key);
/* Devices meet in it. */
bool op_is_collective(const op *o);
/* A custom call: (operand, output, input offsets, sizes, output offsets, sizes received). */
bool op_is_ragged_all_to_all(const op *o);
void ragged_set_channel(module *m, op *o, int64_t channel); /* if it has one */

/* ---- arguments and results of a program (donation.c) ------------------------------------ */

/* Whether mhlo.memory_kind puts an argument or a result into the memory of the host. */
bool attrs_on_host(const attr_list *l);
/* For each result of `f`, the program of one device, the argument whose memory it takes; -1: none. */
const int *func_donors(const module *m, const op *f, arena *mem);
/* Entry i of the module's mhlo.input_output_alias, -1 for what no number of `f` says; false: there
 * is no such entry. */
typedef struct func_alias {
	int64_t arg, result;
	bool must;
} func_alias;
bool module_alias(const module *m, const op *f, int i, func_alias *out);

/* ---- general passes (op/simplify/) -------------------------------------------------------------- */

pass_fn pass_canonicalize, pass_cse, pass_symbol_dce, pass_inline, pass_flatten_tuples;

/* Smaller dimensions, where operations do not speak of their sizes (op/simplify/shrink.c).  The module
 * has been propagated: what its shardings divide unevenly stays uneven. */
void module_shrink(module *m);

/* ---- updates (updates.c) ------------------------------------------------------------------ */

/* Whether each element of its result is computed from the same elements of its operands. */
bool op_goes_by_elements(const op *o);

/* Whether the elements of its result are those of operand `i`, or are computed from them one by one. */
bool op_keeps_elements(const op *o, int i);

/* A value that a result is computed from element by element. */
typedef struct update_step {
	const value *v;
	bool written;  /* into, as caches are */
	bool backward; /* a derivative is on the way */
} update_step;

typedef struct update_walk {
	arena *mem;
	uint32_t *seen; /* by op id: the search that was there last */
	uint32_t search;
} update_walk;
update_walk update_walk_of(const module *m, arena *mem);
/* Calls `visit` for what a value is computed from element by element, across loops and branches; values of
 * the backward pass are followed through sums alone, and so is what gives them. */
void updates_walk(update_walk *w, const value *result, void (*visit)(void *user, const update_step *s),
                  void *user);

/* ---- outlines (outline.c) -------------------------------------------------------------- */

/* What an op is but for its operands and regions: kind, types and attributes.  A program's
 * layers repeat them, so that much can be found out once. */
typedef struct op_outline {
	int kind, n_operands, n_results;
	const type **types; /* of operands, then results */
	attr_list attrs;
} op_outline;
/* Whether two ops differ at most in their operands, what their regions hold, and places. */
bool op_alike(const op *a, const op *b);
op_outline op_outline_of(arena *mem, const op *o);
bool op_has_outline(const op *o, const op_outline *s);
uint64_t op_outline_hash(const op *o);

/* ---- how two numbers combine (monoid.c) --------------------------------------------------- */

/* How the terms of a reduction combine. */
typedef enum monoid {
	MONOID_SUM = RED_SUM,
	MONOID_MAX = RED_MAX,
	MONOID_MIN = RED_MIN,
	MONOID_PRODUCT,
	MONOID_AND,
	MONOID_OR,
	MONOID_XOR,
	MONOID_NONE,
} monoid;

monoid monoid_of_op(op_kind k); /* MONOID_NONE: not one of them */
op_kind monoid_op(monoid m);
bool monoid_is_idempotent(monoid m); /* combining equal values gives the same value again */
/* The number that changes nothing, as a constant of type `elem`; NULL if there is none. */
const attr *monoid_identity(tess_ctx *ctx, monoid m, const type *elem);
bool monoid_has_identity(monoid m, const type *t); /* of the elements of a tensor */
bool monoid_identity_is(monoid m, const attr *dense);

/* The sharding without the axes, or the parts of axes, that do not divide dimensions of `t`
 * (even.c). */
const sharding *evenly_sharded(module *m, const sharding *s, const type *t);

/* ---- data flow, and the sharding of a value (flow.c) ----------------------------------- */

/* What operations that only reshard, or stop propagation, hand on. */
value *value_past_reshards(value *v);
value *value_past_barriers(value *v);
bool module_has_data_flow(const module *m); /* or once had */
/* The k-th source, or target that is not the owner; NULL: no more. */
use *flow_source(const value *owner, int k);
value *flow_other_target(const value *owner, int k);
/* The sdy.data_flow_edge on the owner, or NULL. */
op *flow_edge(const value *target);
op *flow_edge_of_source(const use *source);

/* Where the sharding of `v` stands: `v` itself, its edge, or the owner of its edge.
 * NULL: it cannot have one (the argument of a reducer). */
value *value_shardable(const value *v);
const sharding *value_sharding(const module *m, const value *v);
/* Results of one op have shardings all or none: the others become open. */
void value_set_sharding(module *m, value *v, const sharding *s);
/* Fully open, of the rank of `v` (0 for a token). */
const sharding *sharding_open_for(module *m, const value *v, mesh_ref mesh);

/* A sharding at the border of a manual computation, as its body sees it: without
 * manual axes; and `inside` as it looks from outside, where it was `outside`. */
const sharding *sharding_inside_manual(const module *m, const op *manual, const sharding *s);
const sharding *sharding_outside_manual(module *m, const op *manual, const sharding *outside,
                                        const sharding *inside);

/* ---- calls (calls.c) ------------------------------------------------------------------- */

/* The function that func.call, or stablehlo.composite, names; NULL: there is none. */
op *call_callee(const module *m, const op *call);
/* The same of a func.call; NULL for all other ops too. */
op *op_callee(const module *m, const op *o);
/* Its name before the call graph was flattened. */
const name *func_original_name(const op *f);
/* @main, or the only function; NULL: there is none. */
op *module_main_or_only(const module *m);
/* The shardings of all arguments, or results, those that have none fully open on the
 * mesh of the others; NULL if none has any (but one on a single device). */
const sharding **func_arg_shardings(module *m, const op *f, arena *mem);
const sharding **func_result_shardings(module *m, const op *f, arena *mem);
/* Whether the op carries sdy.sharding. */
bool op_has_shardings(const op *o);

typedef VEC(op *) func_list;
/* Every func.call in the module, in the order of the text. */
func_list module_calls(const module *m, arena *mem);
/* All functions with a body, each after those that it calls; otherwise in the order of
 * the text. */
func_list module_callees_first(const module *m, arena *mem);
/* A while whose carried value `counter` is start, start + step, … below limit; false: it does something
 * else.  (loops.c) */
typedef struct loop_count {
	int counter;
	int64_t start, limit, step;
} loop_count;
bool while_count(const op *o, loop_count *c);
static inline int64_t loop_count_trips(const loop_count *c)
{
	return c->limit > c->start ? ceil_div(c->limit - c->start, c->step) : 0;
}

/* How large functions are with what they call in place of the calls. */
typedef struct opened_sizes {
	const module *m;
	arena *mem;
	op *(*callee)(const module *m, const op *o); /* the function that `o` calls, or NULL */
	int64_t most;                                /* counted so far and little further */
	ptr_map known;                               /* function -> 1 + its size */
} opened_sizes;
/* In operations, the calls counted too.  `depth` is how deep calls are nested already; what is
 * nested deeper than the context allows, or calls itself, counts nothing there. */
int64_t func_opened_size(opened_sizes *s, const op *f, uint32_t depth);

/* True if the call says to a partitioner what sdy has operations for: @Sharding,
 * @SPMDFullToShardShape, @xla.sdy.GlobalToLocalShape, … */
bool op_is_partitioner_call(const op *o);
/* The first such call of the program, or NULL. */
const op *module_first_mark(const module *m);
/* False, with a diagnostic, if the program still has such a call: what it says would be lost. */
bool module_marks_are_taken(module *m);

/* ---- groups of collectives (replica_groups.c) ------------------------------------------ */

/* [n][size] ids; -1 fills up short rows. */
typedef struct group_table {
	int64_t n, size;
	const int64_t *ids;
} group_table;

/* What replica_groups says, be it dense or axes of a mesh; n = 0: it says nothing.
 * @return what is wrong with it, or NULL */
const char *replica_groups_of(const module *m, const op *o, arena *mem, group_table *out);
/* True if replica_groups may be axes of a mesh (of cross-replica-sum they are numbers only). */
bool op_takes_mesh_groups(int kind);
/* True of a collective with a channel whose groups are of partitions, whatever it says of ids: it has
 * no use_global_device_ids. */
bool op_groups_by_channel(const op *o);
/* #stablehlo.mesh<axes = […], device_ids = …> as one of ours; NULL if it is malformed. */
const mesh *mesh_of_stablehlo(tess_ctx *ctx, const attr *a);

/* ---- manual computations (manual.c) ------------------------------------------------------ */

static inline bool op_is_manual(const op *o) { return o->kind == OP_SDY_MANUAL_COMPUTATION; }
/* The number of an axis among the manual axes; -1: it is none of them. */
int manual_axis_number(const attr *manual_axes, const name *axis);
static inline bool manual_names_axis(const attr *manual_axes, const name *axis)
{
	return manual_axis_number(manual_axes, axis) >= 0;
}
/* The type that the body has for operand i, of type `t` outside.  NULL: its sharding does not divide
 * it. */
const type *manual_inside(const module *m, const op *o, int i, const type *t);
/* The type of result i, which has type `t` in the body.  NULL: it is too large. */
const type *manual_outside(const module *m, const op *o, int i, const type *t);

/* ---- meshes (meshes.c) ------------------------------------------------------------------ */

/* The mesh of an sdy.mesh; NULL for others. */
const mesh *op_declared_mesh(const op *o);
/* Every mesh that a sharding names is there.  If not, that is reported: what was read from text
 * is verified, but a program that was built or changed may be wrong. */
bool module_has_its_meshes(const module *m);

typedef struct program_mesh {
	const mesh *mesh;   /* NULL: the program has none */
	const op *declared; /* its sdy.mesh, the first if it has several names; NULL: it stands in
	                     * the shardings */
	bool named;         /* by some sharding, or by the groups of a collective */
	int64_t uses;       /* shardings that shard over it */
	int order;          /* among those of the program */
} program_mesh;
typedef struct program_meshes {
	program_mesh *ptr;
	int len, cap;
	int64_t n_devices;    /* that the meshes are for, with every one that a sharding names; 0: there
	                       * is no mesh */
	const sharding *lost; /* names a mesh that the program lacks; NULL: none does */
} program_meshes;
/* The program's mesh, then the others that it names; empty meshes do not count. */
void program_meshes_of(const module *m, arena *mem, program_meshes *out);
/* The program's mesh.  @return whether it has one. */
bool program_mesh_of(const module *m, program_mesh *out);
/* How a sharding names it. */
mesh_ref program_mesh_ref(const program_mesh *p);
/* The first sdy.mesh with axes, to which Shardy brings what is on one device; or NULL. */
const op *module_first_mesh(const module *m);

/* ---- sharding rules (rule/) --------------------------------------------- */

enum op_rule_flags {
	RULE_CONSERVATIVE = 1,  /* as Shardy's conservative propagation */
	/* Also for ops that Shardy's registry does not know; and where Shardy's rule lets a
	 * dimension pass that a device must have whole to compute the op, this one says so. */
	RULE_BEYOND_SHARDY = 2,
};

/* The op's rule: its own sdy.sharding_rule, or the registry's.  NULL: none.
 * Built in `mem`; it may point into the op's types and attributes. */
const sharding_rule *op_rule(module *m, const op *o, unsigned flags, arena *mem);
/* Its registered rule is the identity over all operands and results. */
bool op_is_pointwise(const op *o);
/* Whether the registered rule follows from the op's outline: equal ones can share it. */
bool op_rule_follows_from_outline(const op *o);
/* The rules of a module's ops, those of equal outlines made once.  (op/rule/memo.c) */
typedef struct rule_memo {
	module *m;
	arena *mem;     /* of what it remembers */
	unsigned flags; /* of op_rule() */
	cons_tab tab;
} rule_memo;
/* op_rule(); a rule that does not follow from the outline is made in `mem`. */
const sharding_rule *rule_memo_get(rule_memo *memo, const op *o, arena *mem);
/* Whether the registry says anything about the op, if only that it has no rule. */
bool op_rule_is_known(const op *o);
/* Dimension i of all of so many tensors of the same shape is factor i. */
const sharding_rule *op_identity_rule(const type *t, int n_operands, int n_results, arena *mem);
/* <([i, k], [k, j])->([i, j]) {i=2, j=8, k=4} reduction={k}>, without its
 * #sdy.op_sharding_rule. */
void rule_print(writer *w, const sharding_rule *r);
/* Checks the rule in the op's sdy.sharding_rule against its operands and results. */
bool rule_verify(module *m, const op *o, const sharding_rule *r);

#endif
