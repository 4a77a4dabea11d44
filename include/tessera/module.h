/* tessera/module.h - programs: read, walked, changed, checked, printed.
 *
 * A module is one operation that holds functions and meshes.  An operation has operands,
 * results, attributes and regions; a region holds blocks; a block has arguments and a
 * list of operations.  Values are results or block arguments.  All of them are borrowed:
 * they live until their module is freed.  tessera/build.h makes operations; docs/modules.md
 * shows all of it at work. */
#ifndef TESSERA_MODULE_H
#define TESSERA_MODULE_H

#include <tessera/attr.h>
#include <tessera/core.h>
#include <tessera/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program: StableHLO, CHLO, func and sdy operations. */
typedef struct tess_module tess_module;

/** What becomes of HLO that is read, as text or as its proto. */
typedef enum tess_hlo_reading {
	TESS_HLO_CONVERTED, /**< StableHLO, as tess_hlo_to_stablehlo() makes it */
	TESS_HLO_KEPT,      /**< it stays HLO: instructions are operations of the dialect "hlo" */
	TESS_HLO_EXPECTED,  /**< the same, and whatever is read is HLO: a module, bare computations, or
	                         one instruction */
} tess_hlo_reading;

typedef struct tess_parse_opts {
	size_t struct_size;
	/** Operations that tessera does not know are kept in generic form; without
	 *  this flag they must belong to a known dialect. */
	bool allow_unregistered;
	/** Read only: do not check the rules of operations and shardings. */
	bool skip_verify;
	/** Of a program without meshes, shardings that are texts (mhlo.sharding of GSPMD,
	 *  xla.sdy.sharding) become sdy's, on meshes made of their devices; functions and calls take and
	 *  give the values in tuples instead of tuples. */
	bool sharding_texts;
	/** Of a program that jax.export made for several platforms, the one that it is for: "cpu"; "" is
	 *  the processor, or the first.  NULL: its first argument says so, as in the program. */
	const char *platform;
	/** Of a program that jax.export wrote with derivatives (`vjp_order`), which: 0 is the program
	 *  itself, 1 its derivative, which takes the arguments and the cotangents of the results. */
	int derivative;
	tess_hlo_reading hlo;
} tess_parse_opts;
#define TESS_PARSE_OPTS_INIT {.struct_size = sizeof(tess_parse_opts)}

/** Parses MLIR, as text or bytecode (StableHLO portable artifacts and what jax.export writes, too),
 *  and verifies it.  Text that begins with the word HloModule, and HLO's protos, become StableHLO as
 *  tess_hlo_to_stablehlo() makes it.
 *  @param text may be gzipped, if zlib is built in.
 *  @param name appears in diagnostics.
 *  @param opts NULL for the defaults.
 *  @return a module to release with tess_module_free(), or NULL once the errors
 *  are in ctx.  `text` is not kept. */
TESS_API TESS_GIVE tess_module *tess_module_parse(tess_ctx *ctx, tess_str text, const char *name,
                                                  const tess_parse_opts *opts);
/** The same for a file: "-" is standard input; gzipped files are understood if
 *  zlib is built in. */
TESS_API TESS_GIVE tess_module *tess_module_parse_file(tess_ctx *ctx, const char *path,
                                                       const tess_parse_opts *opts);
/** Has `fn` called about once in a megabyte of MLIR text that is read in this context, with
 *  the bytes read and all bytes of the text; NULL: no function any more.
 *  @return TESS_OK or TESS_NOMEM. */
TESS_API tess_status tess_ctx_on_reading(tess_ctx *ctx,
                                         void (*fn)(void *user, size_t done, size_t total),
                                         void *user);

/** A module without operations. */
TESS_API TESS_GIVE tess_module *tess_module_new(tess_ctx *ctx);
TESS_API void tess_module_free(TESS_TAKE tess_module *m);
/** A deep copy in the same context, or NULL if there is no memory. */
TESS_API TESS_GIVE tess_module *tess_module_clone(tess_module *m);

/** Checks every operation, type and sharding.
 *  @return TESS_OK, TESS_INVALID (all that is wrong is in the context) or TESS_NOMEM. */
TESS_API tess_status tess_module_verify(tess_module *m);

typedef struct tess_print_opts {
	size_t struct_size;
	bool generic;     /**< every operation in MLIR's generic form */
	bool locations;   /**< `loc(…)`, as aliases at the end */
	bool local_scope; /**< with `locations`: in place rather than as aliases */
	bool keep_names;  /**< the text's own value names rather than %0, %1, … */
	int64_t elide_larger; /**< constants of more elements are printed as `…`; -1: none is */
	bool packed_booleans; /**< eight to a byte where constants are hexadecimal, as older MLIR has them */
} tess_print_opts;
#define TESS_PRINT_OPTS_INIT {.struct_size = sizeof(tess_print_opts), .elide_larger = -1}

/** The program as MLIR text, as sdy_opt prints it.
 *  @param opts NULL for the defaults. */
TESS_API TESS_GIVE char *tess_module_print(tess_module *m, const tess_print_opts *opts);

/** What jax.export says of a program that it wrote, as a JSON object: "name", "platforms", "devices",
 *  "derivatives" (how many there are in the file), "jax", "calling_convention", "effects", and for
 *  "arguments" and "results" the "tree" (leaves are numbers, None is null, others are {"tuple": […]},
 *  "list", {"dict": […], "keys": […]} or "custom") and the "leaves", with "shape" (symbolic dimensions
 *  are texts, "2*b"), "dtype", "sharding" and "used", false for arguments that the program has not.
 *  @return the text, or NULL if the module is not from such a file, or there is no memory. */
TESS_API TESS_GIVE char *tess_module_export(tess_module *m);

typedef struct tess_write_opts {
	size_t struct_size;
	/** Of MLIR's bytecode, 0 to 6. */
	int version;
	/** As a StableHLO portable artifact for this version, "1.16.0", or for readers that are so old,
	 *  "4w", "12w"; "" is the newest.  NULL: the program as it is. */
	const char *target;
} tess_write_opts;
#define TESS_WRITE_OPTS_INIT {.struct_size = sizeof(tess_write_opts), .version = 6}

/** The program as MLIR bytecode; of a module of HLO (tess_module_is_hlo()), as an HloModuleProto.
 *  @param opts NULL for the defaults.
 *  @param out gets the bytes, for tess_text_free(), and `n` how many they are; NULL after an error.
 *  @return TESS_INVALID if the target has not what the program needs (the operation, and the version
 *  that has it, are in the context), TESS_NOMEM, or TESS_USAGE: HLO has no target, either. */
TESS_API tess_status tess_module_write(tess_module *m, const tess_write_opts *opts, char **out,
                                       size_t *n);

/* ---- walking ---------------------------------------------------------------- */

typedef struct tess_op tess_op;
typedef struct tess_block tess_block;
typedef struct tess_value tess_value;
typedef struct tess_use tess_use;

TESS_API tess_ctx *tess_module_ctx(const tess_module *m);
/** The operation `builtin.module`, which holds all others. */
TESS_API tess_op *tess_module_op(const tess_module *m);
/** Its only block: functions, meshes. */
TESS_API tess_block *tess_module_body(const tess_module *m);
/** The function or mesh of this name at the top, or NULL. */
TESS_API tess_op *tess_module_find(const tess_module *m, const char *symbol);

/** "stablehlo.add" */
TESS_API tess_str tess_op_name(const tess_op *o);
TESS_API bool tess_op_is(const tess_op *o, const char *name);
TESS_API tess_block *tess_op_parent_block(const tess_op *o); /**< NULL for the module */
TESS_API tess_op *tess_op_parent(const tess_op *o);
/** In its block; NULL after the last. */
TESS_API tess_op *tess_op_next(const tess_op *o);
TESS_API tess_op *tess_op_prev(const tess_op *o);
/** The next operation inside `root`, each before what is inside of it:
 *  for (o = root; o; o = tess_op_walk(o, root)).  NULL after the last. */
TESS_API tess_op *tess_op_walk(const tess_op *o, const tess_op *root);
TESS_API size_t tess_op_operand_count(const tess_op *o);
TESS_API tess_value *tess_op_operand(const tess_op *o, size_t i); /**< NULL: no such */
TESS_API size_t tess_op_result_count(const tess_op *o);
TESS_API tess_value *tess_op_result(const tess_op *o, size_t i);
TESS_API size_t tess_op_region_count(const tess_op *o);
/** The blocks to which control may go from the operation that ends a block (cf.br). */
TESS_API size_t tess_op_successor_count(const tess_op *o);
TESS_API tess_block *tess_op_successor(const tess_op *o, size_t i); /**< NULL: no such */
/** The first block of region `i`, or NULL: of a function, its body. */
TESS_API tess_block *tess_op_body(const tess_op *o, size_t i);
/** Attributes, sorted by name.  The shardings of results are not among them, however the
 *  text spells them: ask the values. */
TESS_API size_t tess_op_attr_count(const tess_op *o);
TESS_API const tess_attr *tess_op_attr_at(const tess_op *o, size_t i, tess_str *name);
TESS_API const tess_attr *tess_op_attr(const tess_op *o, const char *name); /**< or NULL */
TESS_API const tess_attr *tess_op_location(const tess_op *o);               /**< NULL: not known */

TESS_API tess_block *tess_block_next(const tess_block *b);
TESS_API tess_op *tess_block_parent(const tess_block *b);
TESS_API tess_op *tess_block_first(const tess_block *b);
TESS_API tess_op *tess_block_last(const tess_block *b);
TESS_API size_t tess_block_arg_count(const tess_block *b);
TESS_API tess_value *tess_block_arg(const tess_block *b, size_t i);

TESS_API const tess_type *tess_value_type(const tess_value *v);
/** The operation it is a result of; NULL for a block argument. */
TESS_API tess_op *tess_value_op(const tess_value *v);
TESS_API tess_block *tess_value_block(const tess_value *v); /**< where it is defined */
TESS_API size_t tess_value_index(const tess_value *v);      /**< number of the result or argument */
/** Its name in the text, without %; ptr is NULL if it has none.  Lives as long as the module or a
 *  copy of it. */
TESS_API tess_str tess_value_name(const tess_value *v);
/** NULL: none, which leaves everything open.  What a manual or named computation takes and gives has
 *  that of its in_shardings and out_shardings, its arguments inside without the manual axes. */
TESS_API const tess_sharding *tess_value_sharding(const tess_value *v);
/** The operands that are this value, newest first; NULL: no more. */
TESS_API tess_use *tess_value_uses(const tess_value *v);
TESS_API tess_use *tess_use_next(const tess_use *u);
TESS_API tess_op *tess_use_op(const tess_use *u);
TESS_API size_t tess_use_index(const tess_use *u); /**< number of the operand */

/** Of func.func: its type, and what stands at its arguments and results. */
TESS_API const tess_type *tess_func_type(const tess_op *f); /**< NULL: not a function */
TESS_API const tess_attr *tess_func_arg_attr(const tess_op *f, size_t i, const char *name);
TESS_API const tess_attr *tess_func_result_attr(const tess_op *f, size_t i, const char *name);
TESS_API const tess_sharding *tess_func_result_sharding(const tess_op *f, size_t i);

/* ---- changing ----------------------------------------------------------------
 * What is changed is checked by tess_module_verify(), not before. */

/** Whatever uses `from` uses `to` from now on. */
TESS_API tess_status tess_value_replace(tess_value *from, tess_value *to);
TESS_API tess_status tess_value_set_type(tess_value *v, const tess_type *t);
/** Results of one operation have shardings all or none: those without become open.
 *  @param s NULL removes it, or makes it open if other results keep theirs. */
TESS_API tess_status tess_value_set_sharding(tess_module *m, tess_value *v, const tess_sharding *s);
/** The name to print with tess_print_opts.keep_names. */
TESS_API tess_status tess_value_set_name(tess_module *m, tess_value *v, const char *name);
/** Another argument at the end; NULL if there is no memory. */
TESS_API tess_value *tess_block_add_arg(tess_module *m, tess_block *b, const tess_type *t);
/** @return TESS_USAGE, and nothing is done, if it is used or there is no such argument. */
TESS_API tess_status tess_block_erase_arg(tess_block *b, size_t i);
/** All operands at once. */
TESS_API tess_status tess_op_set_operands(tess_module *m, tess_op *o, tess_value *const *operands,
                                          size_t n);
/** @return TESS_USAGE if there is no such operand. */
TESS_API tess_status tess_op_set_operand(tess_op *o, size_t i, tess_value *v);
/** @param a NULL removes the attribute.  The attribute that spells the shardings of the
 *  results (sdy.sharding, or sharding and out_sharding of sdy's operations) sets theirs.
 *  @return TESS_OK, TESS_NOMEM, TESS_USAGE for function_type. */
TESS_API tess_status tess_op_set_attr(tess_module *m, tess_op *o, const char *name,
                                      const tess_attr *a);
/** All successors at once.
 *  @return TESS_USAGE, and nothing is done, if `o` does not end a block, or if a block is of
 *  another region. */
TESS_API tess_status tess_op_set_successors(tess_module *m, tess_op *o, tess_block *const *blocks,
                                            size_t n);
TESS_API tess_status tess_op_set_location(tess_op *o, const tess_attr *location);
/** Of func.func: what it takes and gives.  Its entry block and its return are separate. */
TESS_API tess_status tess_func_set_type(tess_module *m, tess_op *f, const tess_type *t);
TESS_API tess_status tess_func_set_arg_attr(tess_module *m, tess_op *f, size_t i, const char *name,
                                            const tess_attr *a);
TESS_API tess_status tess_func_set_result_attr(tess_module *m, tess_op *f, size_t i,
                                               const char *name, const tess_attr *a);
TESS_API tess_status tess_func_set_result_sharding(tess_op *f, size_t i, const tess_sharding *s);
/** Out of its block and to another place of the same module: before an operation of `to`, or to
 *  its end if `before` is NULL.
 *  @return TESS_USAGE, and nothing is done, if it has successors, or `to` is inside of it. */
TESS_API tess_status tess_op_move(tess_module *m, tess_op *o, tess_block *to, tess_op *before);
/** With everything inside of it.
 *  @return TESS_USAGE, and nothing is done, if one of its results is still used, or if
 *  it is the module. */
TESS_API tess_status tess_op_erase(tess_module *m, tess_op *o);

#ifdef __cplusplus
}
#endif
#endif
