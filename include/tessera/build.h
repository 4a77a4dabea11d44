/* tessera/build.h - creates operations and functions.
 *
 *     // Builds @main(%0: tensor<4x8xf32>, %1: tensor<8x2xf32>) { return tanh(%0 . %1) }
 *     tess_module *built = tess_module_new(ctx);
 *     const tess_type *in[] = {tess_type_parse(ctx, tess_str_of("tensor<4x8xf32>")),
 *                              tess_type_parse(ctx, tess_str_of("tensor<8x2xf32>"))};
 *     const tess_type *out = tess_type_parse(ctx, tess_str_of("tensor<4x2xf32>"));
 *
 *     tess_builder *b = tess_builder_new(built);
 *     tess_block *body = tess_op_body(tess_func_new(b, "main", in, 2, &out, 1), 0);
 *     tess_builder_to_end(b, body);
 *     tess_value *x[] = {tess_block_arg(body, 0), tess_block_arg(body, 1)};
 *     tess_value *y = tess_build1(b, "stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]",
 *                                 x, 2);
 *     tess_value *z = tess_build1(b, "stablehlo.tanh %0", &y, 1);
 *     tess_build_op(b, "return %0", &z, 1);
 *     if (tess_builder_status(b) != TESS_OK || tess_module_verify(built) != TESS_OK)
 *             puts("the reasons are in the context");
 *     tess_builder_free(b);
 *     tess_module_free(built);
 *
 * A builder has an insertion point in a module and inserts new operations there, in order.
 * Operations are described by the text that a file would contain, with %0, %1, … for the operands.
 *
 * Check for errors once, at the end: if a call fails it builds nothing, returns NULL, and
 * records the first failure for tess_builder_status(); calls with NULL operands then fail in the
 * same way. The new operations belong to the module; the builder must be released before the
 * module. */
#ifndef TESSERA_BUILD_H
#define TESSERA_BUILD_H

#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_builder tess_builder; /**< an insertion point, and whether all went well */

/** Creates a builder at the end of the body of a module.
 *  @return the builder, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_builder *tess_builder_new(tess_module *m);
/** Releases a builder. What it built stays in the module. */
TESS_API void tess_builder_free(TESS_TAKE tess_builder *b);
/** Returns the module that it builds into. */
TESS_API tess_module *tess_builder_module(const tess_builder *b);
/** Returns TESS_OK if all calls succeeded; otherwise the status of the first that did not. */
TESS_API tess_status tess_builder_status(const tess_builder *b);

/** Moves the insertion point to the end of a block. */
TESS_API void tess_builder_to_end(tess_builder *b, tess_block *block);
/** Moves the insertion point to just before an operation. */
TESS_API void tess_builder_before(tess_builder *b, tess_op *at);
/** Moves the insertion point to just after an operation. */
TESS_API void tess_builder_after(tess_builder *b, tess_op *at);
/** Sets the location of operations that are built from now on; NULL: not known. */
TESS_API void tess_builder_set_location(tess_builder *b, const tess_attr *location);

/** Builds an operation with one result from its text, in its pretty or its generic form, with
 *  attributes and regions as in a file. %0, %1, … are `operands`; values that its regions define
 *  need other names. The types at the end may be left out if they follow from the operands
 *  (docs/ops.md lists for which operations):
 *
 *      "stablehlo.compare LT, %0, %1"
 *      "stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xi32>"   (needs them)
 *      "stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1]"
 *
 *  @return the result, or NULL: then nothing is built, and tess_builder_status() is TESS_USAGE
 *  if the text or an operand is NULL, otherwise TESS_INVALID with errors that point into the
 *  text ("<operation>:1:20"). An operation that does not have exactly one result is an error. */
TESS_API tess_value *tess_build1(tess_builder *b, const char *text, tess_value *const *operands,
                                 size_t n_operands);
/** Builds any operation from its text, also one without results ("return %0") or with several
 *  ("%values, %order = …" names them).
 *  @return the operation, or NULL as for tess_build1(). */
TESS_API tess_op *tess_build_op(tess_builder *b, const char *text, tess_value *const *operands,
                                size_t n_operands);

/** The parts of an operation. */
typedef struct tess_op_spec {
	size_t struct_size;
	const char *name; /**< "stablehlo.add"; of any dialect, but not func.func */
	tess_value *const *operands;
	size_t n_operands;
	/** The types of the results; NULL: they are inferred, which is an error where they do
	 *  not follow from the operands. */
	const tess_type *const *results;
	size_t n_results; /**< needed also if `results` is NULL */
	const char *const *attr_names; /**< [n_attrs] */
	const tess_attr *const *attrs; /**< [n_attrs]; items that are NULL are left out */
	size_t n_attrs;
	size_t n_regions; /**< they are empty: add blocks with tess_block_new() */
	/** The blocks to which control may go. The insertion point must then be the end of a
	 *  block without successors. */
	tess_block *const *successors;
	size_t n_successors;
} tess_op_spec;
#define TESS_OP_SPEC_INIT {.struct_size = sizeof(tess_op_spec)}
/** Builds an operation from its parts, for what is awkward to write as text: attributes that exist
 *  as objects, regions that are built step by step, branches between blocks.
 *  @return the operation, or NULL with the status set, as for tess_build1(). */
TESS_API tess_op *tess_build(tess_builder *b, const tess_op_spec *spec);

/** Adds a block with arguments of these types at the end of region `region` of an operation. The
 *  insertion point does not change.
 *  @return the block, or NULL with the status set. */
TESS_API tess_block *tess_block_new(tess_builder *b, tess_op *o, size_t region,
                                    const tess_type *const *args, size_t n);
/** Inserts a copy of an operation with everything inside it. The copy has the same operands. An
 *  operation without operands may come from another module of the context; one with successors
 *  cannot be copied. At the top of a module a symbol that is taken gets a new name.
 *  @return the copy, or NULL with the status set. */
TESS_API tess_op *tess_op_copy(tess_builder *b, const tess_op *o);

/** Inserts a func.func with an entry block, whose arguments have the types `in`. End the body with
 *  a return of values of the types `out`.
 *  @return the function, or NULL with the status set. */
TESS_API tess_op *tess_func_new(tess_builder *b, const char *name, const tess_type *const *in,
                                size_t n_in, const tess_type *const *out, size_t n_out);

#ifdef __cplusplus
}
#endif
#endif
