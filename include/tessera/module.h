/* tessera/module.h - programs: read, walked, changed, verified, printed and written.
 *
 *     // Counts the matrix products of a program, and marks each for a later tool.
 *     int64_t n = 0;
 *     const tess_attr *mark = tess_attr_bool(ctx, true);
 *     tess_op *top = tess_module_op(m);
 *     for (tess_op *o = top; o; o = tess_op_walk(o, top))
 *             if (tess_op_is(o, "stablehlo.dot_general")) {
 *                     n++;
 *                     tess_op_set_attr(m, o, "my.mark", mark);
 *             }
 *     char *text = tess_module_verify(m) == TESS_OK ? tess_module_print(m, NULL) : NULL;
 *     if (text)
 *             printf("%d products in\n%s", (int)n, text);
 *     tess_text_free(text);
 *
 * A module is one operation, which holds functions and meshes. An operation has operands, results,
 * attributes and regions; a region has blocks; a block has arguments and a list of operations. A
 * value is a result of an operation or an argument of a block. These are MLIR's terms, and mean
 * what they mean there. tessera/build.h creates operations; docs/modules.md is a tutorial of both
 * headers.
 *
 * Operations, blocks, values and uses are borrowed: they live until they are erased or their
 * module is freed. Functions that transform a whole module (tess_module_propagate(),
 * tess_module_partition(), tess_module_set_sizes(), tess_module_run_passes(), …) may replace all
 * of them: after such a call, start again from tess_module_op(). */
#ifndef TESSERA_MODULE_H
#define TESSERA_MODULE_H

#include <tessera/attr.h>
#include <tessera/core.h>
#include <tessera/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program: operations of StableHLO, CHLO, func, sdy and others. It belongs to a context, and
 *  a pointer to it stays valid until tess_module_free(), whatever is done to the program. */
typedef struct tess_module tess_module;

/** What HLO becomes that is read, as text or as protocol buffer. */
typedef enum tess_hlo_reading {
	TESS_HLO_CONVERTED, /**< StableHLO, as by tess_hlo_to_stablehlo() */
	TESS_HLO_KEPT,      /**< operations "hlo.…", one for each instruction */
	TESS_HLO_EXPECTED,  /**< as KEPT, also of bare computations and instructions */
} tess_hlo_reading;

typedef struct tess_parse_opts {
	size_t struct_size;
	/** Accepts operations of dialects that tessera does not know, in generic form. */
	bool allow_unregistered;
	/** Reads only; does not verify. Verify before anything but walking and printing. */
	bool skip_verify;
	/** In a program without meshes, converts shardings in text attributes (mhlo.sharding of
	 *  GSPMD, xla.sdy.sharding) to sdy's, on meshes made of their devices. Functions and
	 *  calls then take and return the members of tuples instead of tuples. */
	bool sharding_texts;
	/** For a program that jax.export made for several platforms, the one to choose: "cpu",
	 *  "tpu", …; "" is "cpu" if it is among them, otherwise the first. The argument that
	 *  selects the platform is then gone. NULL: the argument stays. */
	const char *platform;
	/** For a program that jax.export wrote with derivatives (`vjp_order`), which to read: 0
	 *  is the program itself, 1 its derivative, which takes the arguments and the cotangents
	 *  of the results. */
	int derivative;
	tess_hlo_reading hlo; /**< what HLO becomes */
} tess_parse_opts;
#define TESS_PARSE_OPTS_INIT {.struct_size = sizeof(tess_parse_opts)}

/** Reads a program and verifies it. The format is recognized from the content: MLIR text, MLIR
 *  bytecode, StableHLO portable artifacts, files of jax.export, HLO text (which starts with
 *  "HloModule") and HLO protocol buffers; each may be gzipped if zlib is built in
 *  (tess_features()).
 *  @param text is not needed after the call.
 *  @param name appears in diagnostics and locations; NULL: "".
 *  @return the module, or NULL with errors in the context. */
TESS_API TESS_GIVE tess_module *tess_module_parse(tess_ctx *ctx, tess_str text, const char *name,
                                                  const tess_parse_opts *opts);
/** Does the same for a file.
 *  @param path of the file; "-" is standard input. */
TESS_API TESS_GIVE tess_module *tess_module_parse_file(tess_ctx *ctx, const char *path,
                                                       const tess_parse_opts *opts);
/** Sets a function to call about once per megabyte of MLIR text that is read in this context, with
 *  the bytes read so far and the bytes of the whole text.
 *  @param fn NULL: no function is called any more.
 *  @return TESS_OK, TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_ctx_on_reading(tess_ctx *ctx,
                                         void (*fn)(void *user, size_t done, size_t total),
                                         void *user);

/** Creates a module without operations.
 *  @return the module, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_module *tess_module_new(tess_ctx *ctx);
/** Releases a module with all its operations, blocks and values. */
TESS_API void tess_module_free(TESS_TAKE tess_module *m);
/** Returns a deep copy in the same context, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_module *tess_module_clone(tess_module *m);

/** Verifies every operation, type and sharding: the constraints of StableHLO's specification, and
 *  those of the sdy dialect.
 *  @return TESS_OK; TESS_INVALID with an error for each violation; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_module_verify(tess_module *m);

typedef struct tess_print_opts {
	size_t struct_size;
	bool generic;     /**< prints every operation in MLIR's generic form */
	bool locations;   /**< prints `loc(…)`, as aliases at the end */
	bool local_scope; /**< with `locations`: prints them in place, not as aliases */
	bool keep_names;  /**< keeps the names of the source text instead of %0, %1, … */
	int64_t elide_larger; /**< prints constants of more elements as `…`; -1: none */
	/** Writes eight booleans to a byte in hexadecimal constants, as older MLIR does. */
	bool packed_booleans;
} tess_print_opts;
#define TESS_PRINT_OPTS_INIT {.struct_size = sizeof(tess_print_opts), .elide_larger = -1}

/** Prints the program as MLIR text, as Shardy's sdy_opt prints it.
 *  @return the text, or NULL if memory ran out. */
TESS_API TESS_GIVE char *tess_module_print(tess_module *m, const tess_print_opts *opts);

/** Returns what jax.export recorded about a program that it wrote, as a JSON object:
 *
 *      "name", "platforms", "devices", "jax", "calling_convention", "effects"
 *      "derivatives"            how many the file contains
 *      "arguments", "results"   {"tree", "leaves"}:
 *          "tree"    a leaf is its number, None is null; others are {"tuple": […]}, {"list": […]},
 *                    {"dict": […], "keys": […]}, {"type": "…", "custom": […]}
 *          "leaves"  {"shape", "dtype", "sharding", "used"}: symbolic dimensions are strings,
 *                    "2*b"; "used" is false for arguments that the program does not have
 *
 *  @return the text, or NULL if the module was not read from such a file, or memory ran out. */
TESS_API TESS_GIVE char *tess_module_export(tess_module *m);

typedef struct tess_write_opts {
	size_t struct_size;
	/** The version of MLIR's bytecode, 0 to 6. */
	int version;
	/** Writes a StableHLO portable artifact for this version of StableHLO, "1.16.0"; "" is
	 *  the newest, and "4w" or "12w" is what readers of that age in weeks understand. NULL:
	 *  plain bytecode. */
	const char *target;
} tess_write_opts;
#define TESS_WRITE_OPTS_INIT {.struct_size = sizeof(tess_write_opts), .version = 6}

/** Writes the program as MLIR bytecode, or, if tess_module_is_hlo(), as an HloModuleProto.
 *  @param out gets the bytes, to release with tess_text_free(); NULL after a failure.
 *  @param n gets the number of bytes.
 *  @return TESS_OK; TESS_INVALID if the target version cannot express the program: the error
 *  says which operation needs which version; TESS_NOMEM; TESS_USAGE, also for HLO with a target. */
TESS_API tess_status tess_module_write(tess_module *m, const tess_write_opts *opts, char **out,
                                       size_t *n);

/* ---- walking ---------------------------------------------------------------- */

typedef struct tess_op tess_op;
typedef struct tess_block tess_block;
typedef struct tess_value tess_value;
typedef struct tess_use tess_use; /**< one operand of one operation */

/** Returns the context of the module. */
TESS_API tess_ctx *tess_module_ctx(const tess_module *m);
/** Returns the operation `builtin.module`, which holds all others. */
TESS_API tess_op *tess_module_op(const tess_module *m);
/** Returns its only block, which holds functions and meshes. */
TESS_API tess_block *tess_module_body(const tess_module *m);
/** Returns the function or mesh of this name, without @, in the body of the module, or NULL. */
TESS_API tess_op *tess_module_find(const tess_module *m, const char *symbol);

/** Returns the name, "stablehlo.add". It lives as long as the context. */
TESS_API tess_str tess_op_name(const tess_op *o);
/** True if the operation has this name. */
TESS_API bool tess_op_is(const tess_op *o, const char *name);
/** Returns the block that contains the operation; NULL for builtin.module. */
TESS_API tess_block *tess_op_parent_block(const tess_op *o);
/** Returns the operation whose region contains it; NULL for builtin.module. */
TESS_API tess_op *tess_op_parent(const tess_op *o);
/** Returns the next operation of the same block; NULL after the last. */
TESS_API tess_op *tess_op_next(const tess_op *o);
/** Returns the operation before it in the same block; NULL before the first. */
TESS_API tess_op *tess_op_prev(const tess_op *o);
/** Returns the operation that follows `o` in a walk of `root` and everything inside it, in which
 *  an operation comes before those in its regions; NULL after the last. Start with `root`
 *  itself. Do not erase or move `o` before this call has returned the next one. */
TESS_API tess_op *tess_op_walk(const tess_op *o, const tess_op *root);
TESS_API size_t tess_op_operand_count(const tess_op *o);
/** Returns operand `i`, from 0; NULL if there is none. */
TESS_API tess_value *tess_op_operand(const tess_op *o, size_t i);
TESS_API size_t tess_op_result_count(const tess_op *o);
/** Returns result `i`, from 0; NULL if there is none. */
TESS_API tess_value *tess_op_result(const tess_op *o, size_t i);
TESS_API size_t tess_op_region_count(const tess_op *o);
/** Returns to how many blocks control may go from an operation that ends a block (cf.br). */
TESS_API size_t tess_op_successor_count(const tess_op *o);
/** Returns such a block; NULL if there is none. */
TESS_API tess_block *tess_op_successor(const tess_op *o, size_t i);
/** Returns the first block of region `i`; NULL if the region is empty or there is none. Region 0
 *  of a function is its body. */
TESS_API tess_block *tess_op_body(const tess_op *o, size_t i);
/** Returns how many attributes there are. Shardings of results are not among them, although the
 *  text writes them as attributes: they belong to the values (tess_value_sharding()). */
TESS_API size_t tess_op_attr_count(const tess_op *o);
/** Returns attribute `i` in the order of names; NULL if there is none.
 *  @param name gets its name, which lives as long as the context; may be NULL. */
TESS_API const tess_attr *tess_op_attr_at(const tess_op *o, size_t i, tess_str *name);
/** Returns the attribute of this name, or NULL. */
TESS_API const tess_attr *tess_op_attr(const tess_op *o, const char *name);
/** Returns the location of the operation in its source, or NULL. */
TESS_API const tess_attr *tess_op_location(const tess_op *o);

/** Returns the next block of the same region; NULL after the last. */
TESS_API tess_block *tess_block_next(const tess_block *b);
/** Returns the operation whose region contains the block. */
TESS_API tess_op *tess_block_parent(const tess_block *b);
/** Returns the first operation; NULL if the block is empty. */
TESS_API tess_op *tess_block_first(const tess_block *b);
/** Returns the last operation; NULL if the block is empty. */
TESS_API tess_op *tess_block_last(const tess_block *b);
TESS_API size_t tess_block_arg_count(const tess_block *b);
/** Returns argument `i`, from 0; NULL if there is none. */
TESS_API tess_value *tess_block_arg(const tess_block *b, size_t i);

/** Returns the type (tessera/attr.h). */
TESS_API const tess_type *tess_value_type(const tess_value *v);
/** Returns the operation whose result it is; NULL for a block argument. */
TESS_API tess_op *tess_value_op(const tess_value *v);
/** Returns the block whose argument it is, or that contains its operation. */
TESS_API tess_block *tess_value_block(const tess_value *v);
/** Returns its number among the results of its operation, or the arguments of its block. */
TESS_API size_t tess_value_index(const tess_value *v);
/** Returns its name in the source text, without %; ptr is NULL if it has none. The text lives as
 *  long as the module or a copy of it. */
TESS_API tess_str tess_value_name(const tess_value *v);
/** Returns the sharding of the value; NULL if it has none, which leaves all dimensions open. For
 *  the results of a sdy.manual_computation or sdy.named_computation it is taken from
 *  out_shardings, and for the arguments of its body from in_shardings, there without the manual
 *  axes. */
TESS_API const tess_sharding *tess_value_sharding(const tess_value *v);
/** Returns the use of the value that was added last; NULL if it is unused. */
TESS_API tess_use *tess_value_uses(const tess_value *v);
/** Returns the next use of the same value, an earlier one; NULL if there are no more. */
TESS_API tess_use *tess_use_next(const tess_use *u);
/** Returns the operation that has the value as an operand. */
TESS_API tess_op *tess_use_op(const tess_use *u);
/** Returns the number of that operand. */
TESS_API size_t tess_use_index(const tess_use *u);

/** Returns the type of a func.func; NULL for other operations. */
TESS_API const tess_type *tess_func_type(const tess_op *f);
/** Returns the attribute of this name of argument `i` of a func.func, or NULL. The sharding of
 *  an argument is that of the value: tess_value_sharding() of the argument of the body. */
TESS_API const tess_attr *tess_func_arg_attr(const tess_op *f, size_t i, const char *name);
/** Returns the attribute of this name of result `i` of a func.func, or NULL. */
TESS_API const tess_attr *tess_func_result_attr(const tess_op *f, size_t i, const char *name);
/** Returns the sharding of result `i` of a func.func; NULL if it has none. */
TESS_API const tess_sharding *tess_func_result_sharding(const tess_op *f, size_t i);

/* ---- changing ---------------------------------------------------------------- These functions do
 * not verify: call tess_module_verify() when the changes are complete. Where no
 * @return is given they return TESS_OK, TESS_NOMEM or TESS_USAGE. Objects that are passed
 * together must belong to the same module. */

/** Makes all uses of `from` uses of `to`. The types are not compared. */
TESS_API tess_status tess_value_replace(tess_value *from, tess_value *to);
/** Sets the type of a value, but not that of a function or of an attribute that repeats it. */
TESS_API tess_status tess_value_set_type(tess_value *v, const tess_type *t);
/** Sets the sharding of a value. Either all results of an operation have a sharding or none: if
 *  this is the first, the other results become open in all dimensions.
 *  @param s NULL removes the sharding, or, if other results have one, makes it open. */
TESS_API tess_status tess_value_set_sharding(tess_module *m, tess_value *v, const tess_sharding *s);
/** Sets the name that tess_print_opts.keep_names prints, without %.
 *  @param name NULL or "": none. */
TESS_API tess_status tess_value_set_name(tess_module *m, tess_value *v, const char *name);
/** Adds an argument at the end.
 *  @return the argument, or NULL if memory ran out. */
TESS_API tess_value *tess_block_add_arg(tess_module *m, tess_block *b, const tess_type *t);
/** Removes an argument that is not used.
 *  @return TESS_OK; TESS_USAGE, with nothing changed, if it is used or there is none. */
TESS_API tess_status tess_block_erase_arg(tess_block *b, size_t i);
/** Sets all operands, of which there may be more or fewer than before. */
TESS_API tess_status tess_op_set_operands(tess_module *m, tess_op *o, tess_value *const *operands,
                                          size_t n);
/** Sets operand `i`.
 *  @return TESS_OK; TESS_USAGE if there is none. */
TESS_API tess_status tess_op_set_operand(tess_op *o, size_t i, tess_value *v);
/** Sets an attribute. The attributes in which the text writes the shardings of results
 *  (sdy.sharding; sharding and out_sharding of sdy's operations) set the shardings of the values
 *  instead. Setting sym_name of a function or mesh renames the symbol, but not its uses.
 *  @param a NULL removes the attribute.
 *  @return TESS_OK, TESS_NOMEM or TESS_USAGE, also for function_type (tess_func_set_type()). */
TESS_API tess_status tess_op_set_attr(tess_module *m, tess_op *o, const char *name,
                                      const tess_attr *a);
/** Sets all successors of an operation that ends a block.
 *  @return TESS_OK; TESS_NOMEM; TESS_USAGE, with nothing changed, if `o` is not the last
 *  operation of its block, or a block belongs to another region. */
TESS_API tess_status tess_op_set_successors(tess_module *m, tess_op *o, tess_block *const *blocks,
                                            size_t n);
/** Sets the location.
 *  @param location an attribute of kind TESS_ATTR_LOCATION; NULL: not known. */
TESS_API tess_status tess_op_set_location(tess_op *o, const tess_attr *location);
/** Sets the type of a func.func. Attributes and shardings of the arguments and results that remain
 *  are kept. The arguments of its body and the operands of its return must be changed separately.
 *  @param t a function type. */
TESS_API tess_status tess_func_set_type(tess_module *m, tess_op *f, const tess_type *t);
/** Sets an attribute of argument `i` of a func.func; sdy.sharding sets the sharding of the value.
 *  @param a NULL removes the attribute. */
TESS_API tess_status tess_func_set_arg_attr(tess_module *m, tess_op *f, size_t i, const char *name,
                                            const tess_attr *a);
/** Sets an attribute of result `i` of a func.func; sdy.sharding sets the sharding of the result.
 *  @param a NULL removes the attribute. */
TESS_API tess_status tess_func_set_result_attr(tess_module *m, tess_op *f, size_t i,
                                               const char *name, const tess_attr *a);
/** Sets the sharding of result `i` of a func.func; NULL: none. */
TESS_API tess_status tess_func_set_result_sharding(tess_op *f, size_t i, const tess_sharding *s);
/** Moves an operation to another place of the same module.
 *  @param to the block to move it to.
 *  @param before an operation of `to`; NULL: the end of the block.
 *  @return TESS_OK; TESS_NOMEM; TESS_USAGE, with nothing changed, if the operation has
 *  successors or is builtin.module, or if `to` is inside it. */
TESS_API tess_status tess_op_move(tess_module *m, tess_op *o, tess_block *to, tess_op *before);
/** Erases an operation with everything inside it; pointers to these become invalid.
 *  @return TESS_OK; TESS_USAGE, with nothing changed, if one of its results is used, or it is
 *  builtin.module. */
TESS_API tess_status tess_op_erase(tess_module *m, tess_op *o);

#ifdef __cplusplus
}
#endif
#endif
