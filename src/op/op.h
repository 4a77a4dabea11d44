/* op.h - the interface of op: the properties of each operation.
 *
 * ops.def has a row for each operation: syntax, traits, operands, results, attributes, and the
 * functions that infer its result types, check it, and make its sharding rule. Upper layers have
 * tables of their own, indexed by the same ids, for what only they know. An op that is not in the
 * table has kind OP_UNKNOWN: it is printed in generic form, is assumed to have side effects, and
 * has no sharding rule. */
#ifndef TESS_OP_OP_H
#define TESS_OP_OP_H

#include "ir/ir.h"
#include "op/build.h"
#include "op/kind.h"

/* ---- the table --------------------------------------------------------------- */

/* The kind of an op name, OP_UNKNOWN if there is none. One table lookup. */
int op_kind_of(tess_ctx *ctx, const name *opname);
const char *op_name(const op *o); /* "stablehlo.add"; also for ops of kind OP_UNKNOWN */
/* The op that chlo.broadcast_… applies; OP_UNKNOWN for others. */
op_kind op_broadcasts(int kind);
/* True if equal indices map to equal indices as far as the schedule of propagation is concerned:
 * Shardy's isElementwise() of common/op_properties.cc. */
bool op_is_elementwise(const op *o);
/* True if the op may be erased if its results are unused (looks into regions, too). */
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
	attr_fallback fallback; /* the meaning of an absent one */
	int64_t number;
	bool always; /* the generic form prints the fallback, too */
} attr_row;
/* Ends with a row of kind ATTR_NONE. */
const attr_row *op_attr_rows(int kind);
const attr_row *op_attr_row(int kind, const name *n); /* NULL: discardable */
bool attr_is_fallback(const attr_row *row, const attr *a);
/* True if a result_accuracy has the mode DEFAULT and no tolerance. */
bool accuracy_is_default(const attr *a);
const attr *attr_fallback_value(tess_ctx *ctx, const attr_row *row); /* NULL: none */
/* True for both forms of a dot product. */
static inline bool op_is_dot(const op *o) { return o->kind == OP_DOT || o->kind == OP_DOT_GENERAL; }
/* True if one of its regions runs. */
static inline bool op_is_branch(const op *o) { return o->kind == OP_CASE || o->kind == OP_IF; }
/* True if the result is a part of operand 0 with a size that the result's type says. */
static inline bool op_is_slice(const op *o)
{
	return o->kind == OP_SLICE || o->kind == OP_DYNAMIC_SLICE;
}
/* True if the result has exactly the elements of operand 0, each once, in other dimensions. */
static inline bool op_rearranges(const op *o)
{
	return o->kind == OP_RESHAPE || o->kind == OP_TRANSPOSE;
}
/* True if the result is one number, repeated. */
static inline bool op_repeats_scalar(const op *o)
{
	return o->kind == OP_BROADCAST_IN_DIM && type_is_scalar_tensor(operand(o, 0)->type);
}
/* True if its `value` says one number, repeated; false for all that is not CONSTANT. (op.c) */
bool op_is_splat(const op *o);
/* True for the collectives of StableHLO in which each device of a group gets all, or its part, of
 * what a function makes of all their values. */
static inline bool op_is_device_reduction(const op *o)
{
	return o->kind == OP_ALL_REDUCE || o->kind == OP_REDUCE_SCATTER;
}
/* True for the same collectives of sdy, which name axes and always add. */
static inline bool op_is_sdy_reduction(const op *o)
{
	return o->kind == OP_SDY_ALL_REDUCE || o->kind == OP_SDY_REDUCE_SCATTER;
}
/* The attribute of an op that spells the shardings of its results: N_sharding, N_out_sharding, or
 * N_sdy_sharding (of all results). */
int op_sharding_attr(int kind);
/* The place of the sharding of a result, see op_attr_place(). */
#define RESULT_PART(o, i)                                                                          \
	PART(op_sharding_attr((o)->kind),                                                          \
	     op_sharding_attr((o)->kind) == N_sdy_sharding ? ITEM(i) : 0)
/* Moves that attribute into the results' values; false: it does not fit and stays an attribute. */
bool op_take_shardings(op *o, const attr *a);
/* Sets an attribute as written in text: shardings go to the results' values. NULL removes it. */
void op_put_attr(module *m, op *o, const name *n, const attr *a);
/* The words of an enum attribute's kind, separated by spaces; NULL: unknown. */
const char *enum_words(const attr *a);
/* "comparison_type" for N_compare_type; NULL: the attribute is not an enum. */
const char *attr_enum_kind(int attribute);
/* The enum attribute in `a`, alone or in a list, with a word that its kind lacks; NULL: none. */
const attr *attr_bad_enum(const attr *a);
/* True if the attribute is of the row's kind. */
bool attr_fits(const attr_row *row, const attr *a);

/* ---- assembling ops that were read (assemble.c) --------------------------------------------- */

/* Makes a function from these attributes, the last two of which may be NULL. Shardings of results
 * go to func.result_shardings. Returns NULL if the first is not a function type. */
func *func_of_attrs(module *m, const attr *type, const attr *args, const attr *results);
/* Moves the shardings among the arguments' attributes to the body's arguments. */
void func_take_arg_shardings(module *m, op *o);
/* Gives the op these attributes, sorted by name, without defaults that are always written, and with
 * the shardings of results in their values. */
void op_attrs_as_read(module *m, op *o, named_attr *sorted, int n);
/* If the module contains only a module, that one replaces it. */
void module_unwrap(module *m);
/* Adds the top block's symbols to the module's table. Returns false, and reports, a duplicate. */
bool module_take_symbols(module *m);

/* ---- names of operands, results and regions (ops.def) ---------------------------- */

typedef struct op_signature {
	const char *operands, *results, *regions; /* words; NULL: none */
} op_signature;
/* NULL for func.func and builtin.module. */
const op_signature *op_signature_of(int kind);

/* ---- verification and inference (verify/) -------------------------- */

/* Checks every op: structure, the constraints of StableHLO's specification and of the sdy dialect.
 * Reports all errors, up to the context's limit. */
bool module_verify(module *m);
/* Warns of attributes that start with "sdy." and that sdy does not know: probably misspelled. */
void module_warn_unknown_attrs(module *m);
bool op_verify(module *m, op *o);
/* Infers result types from operands, attributes and regions; types has room for n_results. Returns
 * false if they cannot be inferred (no diagnostic) or the op is wrong (diagnostic). */
bool op_infer(module *m, const op *o, const type **types);
bool op_can_infer(int kind);
/* The parts of an op whose results are not known yet. */
typedef struct op_parts {
	int kind;
	value *const *operands;
	int n_operands;
	const region *regions;
	int n_regions;
	const named_attr *attrs;
	int n_attrs;
} op_parts;
/* The number of results; -1: it does not follow from the parts. */
int op_result_count(const module *m, const op_parts *p);
/* The result type of comparing operands of type `t`: i1, or a tensor of i1. */
const type *op_predicate_type(tess_ctx *ctx, const type *t);
/* For passes that do not handle branches between blocks: reports an error, naming `who`, and
 * returns false if the module has any. */
bool module_wants_single_blocks(module *m, const char *who);

/* ---- JAX's asynchronous collectives (async.c) -------------------------------------- */

/* The collective that `start` starts, as a detached op of `to`; `from` has the function that the
 * call names. NULL after a diagnostic. */
op *async_collective(module *to, const module *from, const op *start);
/* Replaces all of them by collectives. Returns false after a diagnostic. */
bool module_raise_async(module *m);

/* ---- structured attributes, decoded (dims.c) --------------------------------------- */

/* #stablehlo.dot<…>, .gather, .scatter and .conv are AT_STRUCTs whose fields have the names of the
 * text and are AT_INT or AT_ARRAY of AT_INT; a convolution always has the fields of its raw form
 * (input_batch_dimension, …). The decoders check that every number is a dimension of its tensor. */

typedef struct dot_dims {
	int n_batch, n_contract;
	const int64_t *lhs_batch, *rhs_batch, *lhs_contract, *rhs_contract;
} dot_dims;
/* The dimension numbers of dot_general, or dot's implied ones. Returns false if malformed. */
bool op_dot_dims(const module *m, const op *o, dot_dims *d);
/* True if `product`, transposed like that, is the dot_general of its operands in the other order:
 * what the second operand keeps comes before what the first one keeps. (swap.c) */
bool op_swaps_product(const module *m, const op *transpose, const op *product);

/* How a dot is computed: the type to which both sides are rounded (F8E5M2: any of 8 bits), the type
 * of the sums, how many products are computed for one, and whether sums may lose bits. */
typedef struct dot_algorithm {
	dtype in, sum;
	int products;
	bool imprecise;
} dot_algorithm;
/* Decodes a #stablehlo.dot_algorithm<…>; NULL if no hardware has it. (dot_algorithm.c) */
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

/* True if `d` is one of the dimensions. */
bool dim_listed(const int64_t *dims, int n, int64_t d);

/* The word of an enum attribute: "GT" for #stablehlo<comparison_direction GT>; "" for other
 * attributes. (op.c) */
const char *enum_word(const attr *a);
/* The kind of the one op in a reducer body, applied to its two arguments; else OP_UNKNOWN. */
op_kind op_body_kind(const op *o, int region);
/* How a scatter combines updates of one element, or a reduce the elements, if that is the same add,
 * multiply, max or min (for booleans also and, or) for all inputs; else OP_UNKNOWN. */
op_kind op_shared_reduction(const op *o);

/* ---- custom calls (custom.c) --------------------------------------------------------------- */

/* The target of a custom call; "" for other ops. */
const char *op_call_target(const op *o);
/* True if the op is a custom call of this target. */
bool op_calls(const op *o, const char *target);
/* True for a callback without results that each device makes for its own data. */
bool op_calls_apart(const op *o);
/* The value of a key in the backend_config of a custom call; NULL: none. */
const attr *custom_option(tess_ctx *ctx, const op *o, const char *key);
/* True if devices communicate in it. */
bool op_is_collective(const op *o);
/* True for that call: (operand, output, input offsets, sizes, output offsets, sizes received). */
bool op_is_ragged_all_to_all(const op *o);
void ragged_set_channel(module *m, op *o, int64_t channel); /* if it has one */

/* ---- arguments and results of a program (donation.c) ------------------------------------ */

/* True if mhlo.memory_kind puts an argument or a result into host memory. */
bool attrs_on_host(const attr_list *l);
/* For each result of per-device program `f`, the argument whose memory it reuses; -1: none. */
const int *func_donors(const module *m, const op *f, arena *mem);
/* Decodes entry i of the module's mhlo.input_output_alias; numbers that do not refer to an argument
 * or result of `f` become -1. Returns false if there is no such entry. */
typedef struct func_alias {
	int64_t arg, result;
	bool must;
} func_alias;
bool module_alias(const module *m, const op *f, int i, func_alias *out);

/* ---- general passes (op/simplify/) -------------------------------------------------------------- */

pass_fn pass_canonicalize, pass_cse, pass_symbol_dce, pass_inline, pass_flatten_tuples,
	pass_chlo_recompose_ops;

/* Makes dimensions smaller as far as no operation depends on their sizes (op/simplify/shrink.c).
 * The module has been propagated: dimensions that shards divide unevenly stay uneven. */
void module_shrink(module *m);

/* ---- following updates of a training step (updates.c) --------------------------------------- */

/* True if each element of the result is computed from the same elements of the operands. */
bool op_goes_by_elements(const op *o);

/* True if the result's elements are those of operand `i`, or computed from them one by one. */
bool op_keeps_elements(const op *o, int i);

/* A value from which a result is computed element by element. */
typedef struct update_step {
	const value *v;
	bool written;  /* parts of it are overwritten, as in a cache */
	bool backward; /* a derivative is on the way */
} update_step;

typedef struct update_walk {
	arena *mem;
	uint32_t *seen; /* by op id: the latest search that was there */
	uint32_t search;
} update_walk;
update_walk update_walk_of(const module *m, arena *mem);
/* Calls `visit` for the values from which a value is computed element by element, through loops and
 * branches. Values of the backward pass, and what they are computed from, are only followed through
 * sums. */
void updates_walk(update_walk *w, const value *result, void (*visit)(void *user, const update_step *s),
                  void *user);

/* ---- outlines (outline.c) -------------------------------------------------------------- */

/* An op without its operands and regions: kind, types and attributes. The layers of a program
 * repeat them, so that much has to be found out only once. */
typedef struct op_outline {
	int kind, n_operands, n_results;
	const type **types; /* of operands, then results */
	attr_list attrs;
} op_outline;
/* True if two ops differ at most in their operands, their regions' contents, and places. */
bool op_alike(const op *a, const op *b);
op_outline op_outline_of(arena *mem, const op *o);
bool op_has_outline(const op *o, const op_outline *s);
uint64_t op_outline_hash(const op *o);

/* ---- monoids (monoid.c) --------------------------------------------------------------------- */

/* How the terms of a reduction are combined. */
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
bool monoid_is_idempotent(monoid m); /* combining equal values gives the same value */
/* The neutral element as a constant of type `elem`; NULL if there is none. */
const attr *monoid_identity(tess_ctx *ctx, monoid m, const type *elem);
bool monoid_has_identity(monoid m, const type *t); /* for the elements of a tensor type */
bool monoid_identity_is(monoid m, const attr *dense);

/* The sharding without the axes, or parts of axes, that do not divide the dimensions of `t`
 * (even.c). */
const sharding *evenly_sharded(module *m, const sharding *s, const type *t);

/* ---- data flow, and the sharding of a value (flow.c) ----------------------------------- */

/* The value behind ops that only reshard; the value behind propagation barriers. */
value *value_past_reshards(value *v);
value *value_past_barriers(value *v);
bool module_has_data_flow(const module *m); /* or had one earlier */
/* The k-th source of the owner's edge, and the k-th target other than the owner; NULL: no more. */
use *flow_source(const value *owner, int k);
value *flow_other_target(const value *owner, int k);
/* The sdy.data_flow_edge on the owner, or NULL. */
op *flow_edge(const value *target);
op *flow_edge_of_source(const use *source);

/* The value that has the sharding of `v`: `v` itself, its edge, or the owner of its edge. NULL: it
 * cannot have one (the argument of a reducer). */
value *value_shardable(const value *v);
const sharding *value_sharding(const module *m, const value *v);
/* Also opens the op's other results if they have no sharding: either all have one or none. */
void value_set_sharding(module *m, value *v, const sharding *s);
/* A fully open sharding with the rank of `v` (0 for a token). */
const sharding *sharding_open_for(module *m, const value *v, mesh_ref mesh);

/* A sharding at the border of a manual computation as its body sees it: without manual axes. And
 * the reverse: `inside` as seen from outside, where it was `outside`. */
const sharding *sharding_inside_manual(const module *m, const op *manual, const sharding *s);
const sharding *sharding_outside_manual(module *m, const op *manual, const sharding *outside,
                                        const sharding *inside);

/* ---- calls (calls.c) ------------------------------------------------------------------- */

/* The attribute in which an op names the function that it calls: N_callee for func.call,
 * N_decomposition for stablehlo.composite; 0 for all other ops. (op.c) */
int op_callee_attr(int kind);
/* The function that a func.call or stablehlo.composite names; NULL: none. */
op *call_callee(const module *m, const op *call);
/* The same for func.call only; NULL for all other ops. */
op *op_callee(const module *m, const op *o);
/* The name before the call graph was flattened. */
const name *func_original_name(const op *f);
/* The name of an sdy.named_computation: that of the function whose call it was. NULL for other ops. */
const name *op_computation_name(const op *o);
/* @main, or the only function; NULL: none. */
op *module_main_or_only(const module *m);
/* The shardings of all arguments, or results; a missing one is fully open on the mesh of the
 * others. NULL if none has a sharding (or only ones on a single device). */
const sharding **func_arg_shardings(module *m, const op *f, arena *mem);
const sharding **func_result_shardings(module *m, const op *f, arena *mem);
/* True if the op has sdy.sharding. */
bool op_has_shardings(const op *o);

typedef VEC(op *) func_list;
/* Every func.call in the module, in the order of the text. */
func_list module_calls(const module *m, arena *mem);
/* All functions with a body, callees first, otherwise in the order of the text. */
func_list module_callees_first(const module *m, arena *mem);
/* Both lists, and where the calls of each function are. */
typedef struct call_graph {
	func_list funcs, calls;
	int *first_call; /* by op id of the function: index into calls; -1: none. NULL: no calls */
} call_graph;
call_graph module_call_graph(const module *m, arena *mem);
/* The calls in a function: for (i = first_call_in(g, f); i >= 0; i = next_call_in(g, f, i)) */
static inline int first_call_in(const call_graph *g, const op *f)
{
	return g->first_call ? g->first_call[f->id] : -1;
}
int next_call_in(const call_graph *g, const op *f, int i);
/* A while loop whose carried value `counter` is start, start + step, … below limit; while_count()
 * returns false for other loops. (loops.c) */
typedef struct loop_count {
	int counter;
	int64_t start, limit, step;
} loop_count;
bool while_count(const op *o, loop_count *c);
static inline int64_t loop_count_trips(const loop_count *c)
{
	return c->limit > c->start ? ceil_div(c->limit - c->start, c->step) : 0;
}

/* Counts the ops of functions with all calls inlined. */
typedef struct opened_sizes {
	const module *m;
	arena *mem;
	op *(*callee)(const module *m, const op *o); /* the function that `o` calls, or NULL */
	int64_t most;                                /* stops counting soon after this */
	ptr_map known;                               /* function -> 1 + its size */
} opened_sizes;
/* The number of ops, including calls. `depth` is how deep calls are nested already; calls nested
 * deeper than the context allows, and recursive ones, count nothing. */
int64_t func_opened_size(opened_sizes *s, const op *f, uint32_t depth);

/* True if the call is an annotation for a partitioner for which sdy has an operation: @Sharding,
 * @SPMDFullToShardShape, @xla.sdy.GlobalToLocalShape, … */
bool op_is_partitioner_call(const op *o);
/* The first such call of the program, or NULL. */
const op *module_first_mark(const module *m);
/* Returns false, and reports it, if the program still has such a call, which would be lost. */
bool module_marks_are_taken(module *m);

/* ---- groups of collectives (replica_groups.c) ------------------------------------------ */

/* [n][size] ids; short rows are filled up with -1. */
typedef struct group_table {
	int64_t n, size;
	const int64_t *ids;
} group_table;

/* Decodes replica_groups, dense or as axes of a mesh; n = 0: the groups are not given.
 * @return an error text, or NULL */
const char *replica_groups_of(const module *m, const op *o, arena *mem, group_table *out);
/* True if replica_groups may be axes of a mesh (for cross-replica-sum they are numbers only). */
bool op_takes_mesh_groups(int kind);
/* True for a collective without use_global_device_ids, whose groups are of partitions if it has a
 * channel. */
bool op_groups_by_channel(const op *o);
/* #stablehlo.mesh<axes = […], device_ids = …> as a mesh; NULL if it is malformed. */
const mesh *mesh_of_stablehlo(tess_ctx *ctx, const attr *a);

/* ---- manual computations (manual.c) ------------------------------------------------------ */

static inline bool op_is_manual(const op *o) { return o->kind == OP_SDY_MANUAL_COMPUTATION; }
/* The index of an axis among the manual axes; -1: it is not manual. */
int manual_axis_number(const attr *manual_axes, const name *axis);
static inline bool manual_names_axis(const attr *manual_axes, const name *axis)
{
	return manual_axis_number(manual_axes, axis) >= 0;
}
/* The type of operand i inside the body, for a type `t` outside. NULL: its sharding does not divide
 * it. */
const type *manual_inside(const module *m, const op *o, int i, const type *t);
/* The type of result i outside, for a type `t` in the body. NULL: it is too large. */
const type *manual_outside(const module *m, const op *o, int i, const type *t);

/* ---- meshes (meshes.c) ------------------------------------------------------------------ */

/* The mesh of an sdy.mesh; NULL for other ops. */
const mesh *op_declared_mesh(const op *o);
/* Appends a copy of each sdy.mesh of `from`. */
void module_copy_meshes(module *to, const module *from);
/* Checks that the module has every mesh that a sharding names, and reports the first that is
 * missing. What was read from text is verified, but a program that was built or changed may be
 * wrong. */
bool module_has_its_meshes(const module *m);

typedef struct program_mesh {
	const mesh *mesh;   /* NULL: the program has none */
	const op *declared; /* its sdy.mesh, the first if it has several names; NULL: it is inlined
	                     * in shardings */
	bool named;         /* a sharding names it, or the groups of a collective do */
	int64_t uses;       /* how many shardings shard over it */
	int order;          /* its position among the program's meshes */
} program_mesh;
typedef struct program_meshes {
	program_mesh *ptr;
	int len, cap;
	int64_t n_devices;    /* the largest number of devices of the program's mesh and of those
	                       * that shardings name; 0: there is no mesh */
	const sharding *lost; /* one that names a mesh that the program lacks; NULL: none */
} program_meshes;
/* The program's mesh, then the others that it names; empty meshes are left out. */
void program_meshes_of(const module *m, arena *mem, program_meshes *out);
/* Finds the program's mesh; false: it has none. */
bool program_mesh_of(const module *m, program_mesh *out);
/* How shardings refer to the mesh. */
mesh_ref program_mesh_ref(const program_mesh *p);
/* The first sdy.mesh with axes, on which Shardy puts values of a single device; or NULL. */
const op *module_first_mesh(const module *m);

/* ---- sharding rules (rule/) --------------------------------------------- */

enum op_rule_flags {
	RULE_CONSERVATIVE = 1,  /* like Shardy's conservative propagation */
	/* Also rules for ops that Shardy's registry does not have. And if Shardy's rule lets a
	 * dimension pass that a device must have whole to compute the op, this rule says so. */
	RULE_BEYOND_SHARDY = 2,
};

/* The op's rule: its own sdy.sharding_rule, or the registry's. NULL: none. Allocated in `mem`; it
 * may point into the op's types and attributes. */
const sharding_rule *op_rule(module *m, const op *o, unsigned flags, arena *mem);
/* True if the registered rule is the identity over all operands and results. */
bool op_is_pointwise(const op *o);
/* True if the registered rule follows from the op's outline, so that equal outlines share it. */
bool op_rule_follows_from_outline(const op *o);
/* op_rule(); a rule that follows from the op's outline is found once in a context, whichever module
 * the op is in, and is in `perm`; others are allocated in `mem`. */
const sharding_rule *op_rule_shared(module *m, const op *o, unsigned flags, arena *mem);
/* The rules of a module's ops; rules that follow from outlines are shared. */
typedef struct rule_memo {
	module *m;
	arena *mem;     /* for what it remembers */
	unsigned flags; /* of op_rule() */
	cons_tab tab;
} rule_memo;
/* op_rule(); a rule that does not follow from the outline is allocated in `mem`. */
const sharding_rule *rule_memo_get(rule_memo *memo, const op *o, arena *mem);
/* True if the registry has an entry for the op, even if that only says that it has no rule. */
bool op_rule_is_known(const op *o);
/* A rule in which dimension i of all tensors, which have the same shape, is factor i. */
const sharding_rule *op_identity_rule(const type *t, int n_operands, int n_results, arena *mem);
/* Prints <([i, k], [k, j])->([i, j]) {i=2, j=8, k=4} reduction={k}>, without
 * #sdy.op_sharding_rule. */
void rule_print(writer *w, const sharding_rule *r);
/* Checks the rule in the op's sdy.sharding_rule against its operands and results. */
bool rule_verify(module *m, const op *o, const sharding_rule *r);

#endif
