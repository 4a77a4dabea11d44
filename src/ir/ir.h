/* ir.h - the interface of ir: modules, operations, values, types, attributes.
 *
 * The one program representation, after MLIR's: an op has operands, results, attributes and
 * regions; a region has blocks; a block has arguments and a list of ops. Differences that matter:
 *
 *   - Types and attributes are interned in the context: equality is ==.
 *   - Ops, values, blocks and regions live in the module's arena. They are distinct pointer types,
 *     and each op, value and block has a dense id, so that facts about them are arrays indexed by
 *     id, made when needed.
 *   - A value's sharding is one slot in the value, also for ops that spell it as an attribute
 *     (`sdy.sharding = #sdy.sharding_per_value<…>`, the sharding of a constraint or reshard,
 *     out_sharding of a collective, a function argument's sdy.sharding). To change one of N
 *     arguments costs one store.
 *   - Use lists are kept in MLIR's order, newest first, because the order of Shardy's propagation,
 *     which we reproduce, depends on it. */
#ifndef TESS_IR_IR_H
#define TESS_IR_IR_H

#include "base/base.h"
#include "ir/attr.h"
#include "ir/pass.h"
#include "ir/rule.h"
#include "ir/type.h"
#include "shape/shape.h"
#include "sharding/sharding.h"

typedef struct tess_value value;
typedef struct tess_use use;
typedef struct tess_op op;
typedef struct tess_block block;
typedef struct region region;
typedef struct module module;

/* ---- values and uses ------------------------------------------------------ */

enum { INDEX_MAX = INT32_MAX };

/* A result of an op, and part of it, or a block argument. Programs have many, so what only
 * arguments need is in block_arg, and the op of a result is found from the result's address. */
struct tess_value {
	uint32_t id;         /* dense in the module */
	uint32_t index : 31; /* result or argument number */
	uint32_t is_arg : 1;
	const type *type;
	const sharding *sharding; /* NULL: none, which means fully open */
	use *uses;                /* newest first */
};

typedef struct block_arg {
	value value;
	block *owner;
	const attr *loc; /* NULL: the one in the text */
	uint32_t at;     /* offset of its name in module->src; 0: unknown */
} block_arg;

/* One operand of an op. */
struct tess_use {
	value *value;
	op *owner;
	use *next;  /* older use of the same value */
	use **prev; /* what points here */
};

static inline bool value_unused(const value *v) { return !v->uses; }
static inline bool value_has_one_use(const value *v) { return v->uses && !v->uses->next; }
static inline op *value_def(const value *v); /* NULL for a block argument */
/* The block whose argument the value is; NULL for a result. */
static inline block *value_owner(const value *v)
{
	return v->is_arg ? ((const block_arg *)v)->owner : NULL;
}
/* The block in which the value is defined. */
block *value_block(const value *v);
/* The op that defines the value, or that has the block whose argument it is. */
op *value_op(const value *v);
const attr *value_loc(const value *v); /* of the result's op, or the argument's; may be NULL */
void arg_set_loc(value *arg, const attr *loc);
static inline block_arg *value_arg(const value *v) { return v->is_arg ? (block_arg *)v : NULL; }
/* The value's name without '%'; ptr NULL if it has none. Found by reading the names of all results
 * of its op again. Lives as long as the text. */
tess_str value_name(const value *v);
bool value_is_named(const value *v);
/* The first of the results that share the value's name, and how many share it: %a:2 = … */
const value *value_namesakes(const value *v, int *n);
/* Sets a name that is not in the text; NULL: no name. */
void value_set_name(module *m, value *v, const name *n);
const name *value_given_name(const value *v); /* one that was set; else NULL */
/* Removes the names of the value and of the other results of its op. */
void value_forget_name(module *m, value *v);
/* Takes the name of another value, perhaps of another module. */
void value_take_name(module *m, value *v, const value *from);
/* Every use of `from` now uses `to`. Uses are moved newest first, as in MLIR, which reverses their
 * order. */
void value_replace_uses(value *from, value *to);
/* The same for all uses by other ops than `except`. */
void value_replace_uses_except(value *from, value *to, const op *except);
/* Every use of `from`, a placeholder for `to`, now uses `to`, in the same order. */
void value_hand_over_uses(value *from, value *to);

/* ---- operations -------------------------------------------------------------- */

typedef struct named_attr {
	const name *name;
	const attr *value;
} named_attr;

/* Named attributes, sorted by name. The empty name, which no text can spell, is that of the
 * properties that an unregistered op has between `<` and `>`. Programs repeat few lists, so ops
 * share them: to change one, use attrs_set(). */
typedef struct attr_list {
	named_attr *ptr;
	int n, cap; /* cap 0: others have the same list */
} attr_list;

/* Only functions have these. Argument shardings are in the arguments' values. */
typedef struct func {
	const type *type;                  /* function type */
	attr_list *arg_attrs;              /* [n inputs], without sdy.sharding */
	attr_list *result_attrs;           /* [n results], without sdy.sharding */
	const sharding **result_shardings; /* [n results] */
} func;

struct region {
	op *parent;
	block *first, *last;
};

/* What few ops need: regions, a location, a name of their own. Allocated apart from the op. */
typedef struct op_more {
	const attr *loc; /* NULL: unknown */
	union {
		func *func;       /* MORE_FUNC */
		const name *name; /* MORE_NAME: the name of an unregistered op */
		module *module;   /* MORE_TOP: whose top op it is */
	};
	use *operands; /* of an op to which op_set_operands() gave more than it had */
	int n_regions;
	enum { MORE_NOTHING, MORE_FUNC, MORE_NAME, MORE_TOP } what;
	region regions[];
} op_more;

/* Programs have many ops, so this is 72 bytes, and what most ops lack is in op_more. The operands
 * follow the results, see op_uses(). */
struct tess_op {
	uint32_t id;   /* dense in the module */
	uint16_t kind; /* OP_… of op/op.h; 0 for an unregistered op */
	uint16_t mark; /* for the current pass; 0 between passes */
	block *parent;
	op *prev, *next;
	int n_operands;
	uint32_t n_results : 31, moved : 1; /* moved: the operands are in op_more */
	uint32_t at;      /* start of its place in module->src */
	uint16_t at_size; /* size of that place, see op_place(); 0: unknown */
	uint16_t name_back; /* how far before `at` the names of its results start; 0: unknown */
	attr_list attrs;
	op_more *more;   /* may be NULL */
	value results[]; /* [n_results] */
};

static inline op *value_def(const value *v)
{
	return v->is_arg ? NULL : (op *)((char *)(v - v->index) - offsetof(op, results));
}

/* Where control may go from the op that ends a block, as from cf.br. They are in the block, because
 * few ops have any. */
typedef struct successors {
	const op *of; /* the op, the last of its block */
	int n;
	block *to[]; /* [n], of the same region */
} successors;

struct tess_block {
	uint32_t id;
	int n_args, cap_args;
	value **args;
	region *parent;
	block *prev, *next;
	op *first, *last;
	const name *label; /* in the text, without '^'; may be NULL */
	successors *successors; /* of its last op; NULL: none */
	uint32_t n_ops, n_results; /* from first to last; what those ops have together */
};

struct module {
	tess_ctx *ctx;
	arena mem;
	op *top; /* builtin.module: one region with one block */
	uint32_t n_ops, n_values, n_blocks; /* ids assigned so far */
	uint64_t kinds[8]; /* a bit for each kind of op that was ever made: module_has() */
	ptr_map symbols;                    /* name -> op, of the top block */
	source *src; /* the text that it was parsed from, set by module_set_source(); may be NULL */
	VEC(const name *) names;            /* of values, by id; NULL: see value_name() */
	bool wrapped;                       /* the text had `module { }` around it */
	bool many_blocks;                   /* some region has, or had, several blocks */
	attr_list resources;                /* the {-# … #-} section */
	struct attr_list *lists;            /* the latest lists of module_attrs(), or NULL */
	uint64_t number;                    /* the module's number in its context, from 1 */
	module *older, **link;              /* list of the context's modules */
};

module *module_new(tess_ctx *ctx);
void module_free(module *m);
/* Makes another builtin.module op the top op. */
void module_set_top(module *m, op *o);
/* The text lives as long as some module needs it. */
void module_set_source(module *m, source *src);
/* For callers that catch an unwinding: how many modules the context has made, and a function that
 * releases those made since. */
uint64_t modules_made(tess_ctx *ctx);
void modules_free_since(tess_ctx *ctx, uint64_t made);
/* From now on the caller has to release the module, also after an unwinding. */
void module_adopt(module *m);
static inline block *module_body(const module *m) { return m->top->more->regions[0].first; }

/* The operands: an array of o->n_operands. */
static inline use *op_uses(const op *o)
{
	return UNLIKELY(o->moved) ? o->more->operands : (use *)(o->results + o->n_results);
}
static inline value *operand(const op *o, int i) { return op_uses(o)[i].value; }
static inline value *result(const op *o, int i) { return (value *)&o->results[i]; }
static inline int use_index(const use *u) { return (int)(u - op_uses(u->owner)); }
static inline op *block_parent(const block *b) { return b->parent->parent; }
static inline op *op_parent(const op *o) { return o->parent ? block_parent(o->parent) : NULL; }
static inline int op_n_regions(const op *o) { return o->more ? o->more->n_regions : 0; }
static inline region *op_region(const op *o, int i) { return &o->more->regions[i]; }
static inline block *op_block(const op *o, int region) { return op_region(o, region)->first; }
static inline block *op_body(const op *o) { return op_n_regions(o) ? op_block(o, 0) : NULL; }

/* The location that was set, or else the one in its binary file; NULL: none. */
const attr *op_loc(const op *o);
void op_set_loc(module *m, op *o, const attr *loc);
/* The function data of a function; else NULL. */
static inline func *op_func(const op *o)
{
	return o->more && o->more->what == MORE_FUNC ? o->more->func : NULL;
}
void op_set_func(module *m, op *o, func *f);
/* The name of an unregistered op; else NULL. */
static inline const name *op_own_name(const op *o)
{
	return o->more && o->more->what == MORE_NAME ? o->more->name : NULL;
}
/* Only for an op that has one. */
static inline void op_set_own_name(op *o, const name *n) { o->more->name = n; }

/* The op's place in the text; of very long places only the start is kept. */
static inline place op_place(const module *m, const op *o)
{
	return m->src && o->at_size ? (place){m->src, o->at, o->at + o->at_size} : NOWHERE;
}
/* The start of the text, for errors about something that the whole module lacks. */
static inline place module_place(const module *m)
{
	return m->src ? (place){m->src, 0, 0, 0} : NOWHERE;
}
static inline void op_set_place(op *o, uint32_t begin, uint32_t end)
{
	o->at = begin;
	o->at_size = (uint16_t)(end - begin < UINT16_MAX ? end - begin : UINT16_MAX);
}
/* The place of a part of the op's attributes: PART(N_permutation, ITEM(1)), PART(N_arg_attrs,
 * ITEM(0), N_sdy_sharding), PART(N_dimension_numbers, N_offset_dims). A name is that of an
 * attribute, an entry or a field. Found by reading the op again, so only errors should ask. If the
 * text does not have the part (any more), this is the place of a larger part, in the end that of
 * the op. */
#define PART(...) ((const int[]){__VA_ARGS__, 0})
#define ITEM(i) (-1 - (i))
enum { ALIASED = INT32_MIN }; /* as the last step: where the alias that is this part is defined */
place op_attr_place(const module *m, const op *o, const int *part);
/* The places of the parts of the sharding at that place; in the scratch arena. */
sharding_places op_sharding_places(const module *m, const op *o, const int *part,
                                   const sharding *s);
/* Takes the place and the location of another op of the same text. */
void op_take_place(module *m, op *o, const op *from);

/* The module that contains the op; NULL for a detached op. */
module *op_module(const op *o);

/* True if the module has, or may have had, an op of that kind. Passes that look for a few kinds
 * need not walk over a large program in vain. */
static inline bool module_has(const module *m, int kind)
{
	return m->kinds[kind >> 6 & 7] >> (kind & 63) & 1;
}
/* Records that the module has no op of that kind any more. */
static inline void module_forget_kind(module *m, int kind)
{
	m->kinds[kind >> 6 & 7] &= ~(UINT64_C(1) << (kind & 63));
}
static inline void module_note_kind(module *m, int kind)
{
	m->kinds[kind >> 6 & 7] |= UINT64_C(1) << (kind & 63);
}

/* Makes a detached op. Operands become uses at once; results have the given types. The name matters
 * only for an unregistered op. */
op *op_new(module *m, int kind, const name *opname, value *const *operands, int n_operands,
           const type *const *result_types, int n_results, int n_regions);
void op_append(block *b, op *o);
void op_insert_before(op *at, op *o);
void op_insert_after(op *at, op *o);
/* Inserts `o` at the first place where `v` can be used. */
void op_insert_after_value(const value *v, op *o);
/* Takes the op out of its block. Its uses of other values stay, its successors do not. */
void op_unlink(op *o);
/* Unlinks the op, and drops all uses by it and by ops inside. No op outside may use its results any
 * more. */
void op_erase(op *o);
void op_set_operand(op *o, int i, value *v);
void op_set_operands(module *m, op *o, value *const *v, int n);
/* Forgets the places of the op and of its blocks' arguments in the text. */
void op_forget_place(op *o);
/* True if `inner` is `outer` or inside it. */
bool op_inside(const op *inner, const op *outer);
/* The order of ops in a block, numbered when first needed and after insertions. */
typedef struct op_order {
	arena *mem;
	VEC(uint64_t) keys; /* by op id; 0: not known */
} op_order;
/* True if `a` is before `b`, which is in the same block. */
bool op_stands_before(op_order *order, const op *a, const op *b);
/* To be called when `o` has moved. */
void op_order_moved(op_order *order, const op *o);
op *op_next_elsewhere(const op *o, const op *root); /* the rare cases of op_next() */
/* Next op in pre-order, not leaving `root`: for (op *o = root; o; o = op_next(o, root)) */
static inline op *op_next(const op *o, const op *root)
{
	bool near = !op_n_regions(o) && o->next && o != root;
	return LIKELY(near) ? o->next : op_next_elsewhere(o, root);
}
/* The next op in pre-order after everything inside `o`. */
op *op_skip(const op *o, const op *root);
/* The same in post-order, ops inside an op before the op:
 * @for (op *o = op_first_post(root), *next; o; o = next) { next = op_next_post(o, root); … } */
op *op_first_post(op *root);
op *op_next_post(const op *o, const op *root);

block *block_new(module *m, region *r); /* appended to the region; NULL: not yet */
void block_append(module *m, region *r, block *b);
value *block_add_arg(module *m, block *b, const type *t);
void block_erase_arg(block *b, int i); /* must be unused */
/* Moves all blocks of `from` to the empty region `to`. */
void region_take(region *to, region *from);
static inline op *block_terminator(const block *b) { return b->last; }
/* The successors of an op, which is the last of its block, and their number. */
block *const *op_successors(const op *o, int *n);
void op_set_successors(module *m, const op *o, block *const *to, int n);
/* The first op with a region in which control goes from block to block; NULL: none. Most passes
 * only handle regions with one block: they ask first. */
const op *module_branching(const module *m);

/* Attributes of an op.  `known` is an N_… constant. */
const attr *op_attr(const op *o, int known);
const attr *op_attr_named(const op *o, const name *n);
void op_set_attr(module *m, op *o, int known, const attr *a); /* NULL removes it */
void op_set_attr_named(module *m, op *o, const name *n, const attr *a);
const attr *attrs_get(const attr_list *l, int known);
const attr *attrs_get_named(const attr_list *l, const name *n);
void attrs_set(arena *a, attr_list *l, const name *n, const attr *v); /* NULL removes it */
bool attrs_same(const attr_list *a, const attr_list *b);
/* Returns a list of these attributes, sorted by name, which other ops may share. */
attr_list module_attrs(module *m, const named_attr *list, int n);
/* Gives `o` the attributes of another, perhaps of another module. */
static inline void op_take_attrs(module *m, op *o, const op *from)
{
	o->attrs = module_attrs(m, from->attrs.ptr, from->attrs.n);
}
/* Makes a detached op of the same kind, name and attributes as `o`, perhaps of another module; its
 * regions are empty. */
static inline op *op_new_like(module *m, const op *o, value *const *operands, int n_operands,
                              const type *const *result_types, int n_results)
{
	op *made = op_new(m, o->kind, op_own_name(o), operands, n_operands, result_types, n_results,
	                  op_n_regions(o));
	op_take_attrs(m, made, o);
	return made;
}
/* Shortcuts; the fallback is returned if there is no such attribute. */
int64_t op_int(const op *o, int known, int64_t fallback);
bool op_bool(const op *o, int known);
/* The elements of an i64 array or of dense integers; *n is -1 if there is no such attribute. */
const int64_t *op_ints(const module *m, const op *o, int known, int *n);

/* A deep, detached copy of `o`. Values from outside map through `map` (value* -> value*, extended
 * with the copies) or to themselves. */
op *op_clone(module *m, const op *o, ptr_map *map, arena *map_mem);
module *module_clone(const module *m);

/* Replaces every sharding in the module by what `fn` makes of it, in pre-order: those of function
 * arguments and results, of values, and in attributes (in_shardings, out_shardings, …). `fn` is
 * called once for each different sharding. */
typedef const sharding *sharding_map(void *arg, const sharding *s);
void module_map_shardings(module *m, sharding_map *fn, void *arg);
/* Calls `fn` for the shardings of one op, without those inside its regions, or of one attribute. */
typedef void sharding_visit(void *arg, const sharding *s);
void op_each_sharding(const op *o, sharding_visit *fn, void *arg);
void attr_each_sharding(const attr *a, sharding_visit *fn, void *arg);

/* ---- the op's source in the user's program (source.c) --------------------------------------- */

/* The innermost position in one of the user's own files, an AT_LOC_FILE. If all files are
 * libraries, the innermost position; NULL: there is none. */
const attr *source_file(const attr *loc);
/* The outermost name that is not a file, JAX's "jit(f)/layer/dot_general"; NULL: none. */
const name *source_name(const attr *loc);
/* True if that name says that the operation is part of a backward pass. */
bool source_runs_backwards(const attr *loc);
/* Up to `most` positions, each an AT_LOC_FILE, in the user's own files, innermost first.
 * @return how many. */
int source_own_frames(const attr *loc, const attr **out, int most);
/* Writes where the op comes from in the user's program: "model.py:31", with the name of the
 * innermost operation if there is one. @return false if the program does not say; then nothing is
 * written. */
bool put_source(writer *w, const attr *loc);
/* The same, without the name if there is a line. */
bool put_source_line(writer *w, const attr *loc);
/* JAX's name for the op, without the function that is lowered: "jvp(norm)/mul" of
 * "jit(f)/jvp(norm)/mul"; NULL if the program does not say. */
const char *source_path(const attr *loc);
/* The same of the operation of JAX whose result the op computes: of the last part of an operation
 * that JAX decomposes when it lowers, the name of the whole. NULL: the op is another part of such
 * an operation, or the program does not say. */
const char *source_equation(const op *o);
/* Writes the frames that led to the op, innermost first: "linear.py:287 < model.py:31 <
 * train.py:12".
 * @return false if there are fewer than two; then nothing is written. */
bool put_stack(writer *w, const attr *loc);
/* Writes what repeated layers have in common: put_source() with * for numbers that are separate
 * parts of the name, "jit(f).layer_*.dot_general". */
bool put_source_alike(writer *w, const attr *loc);
/* The same as an interned name; NULL if the program does not say. */
const name *source_alike(arena *mem, const attr *loc);

/* ---- symbols -------------------------------------------------------------------- */

const name *op_symbol(const op *o);                     /* sym_name, or NULL */
op *module_lookup(const module *m, const name *symbol); /* NULL if there is none */
/* To be called when an op with a symbol enters, or leaves, the module's top block. */
void module_add_symbol(module *m, op *o);
void module_remove_symbol(module *m, const name *symbol);
void module_rename_symbol(module *m, op *o, const name *to);      /* not the references */
const name *module_fresh_symbol(module *m, const name *base);     /* base, base_0, base_1, … */
/* The same, always base_N; *counter advances, so that making many names takes linear time. */
const name *module_next_symbol(module *m, const name *base, int *counter);
const mesh *module_mesh(const module *m, mesh_ref r);             /* NULL: unknown symbol */
static inline const mesh *sharding_mesh(const module *m, const sharding *s)
{
	return module_mesh(m, s->mesh);
}

/* ---- functions -------------------------------------------------------------------- */

static inline bool op_is_func(const op *o) { return op_func(o) != NULL; }
func *func_new(module *m, const type *t); /* for op_set_func() */
static inline bool func_is_declaration(const op *o) { return !op_body(o); }
op *module_main(const module *m); /* @main, or the first public function; NULL: none, or @main has no body */

#endif
