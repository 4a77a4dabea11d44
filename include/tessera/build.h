/* tessera/build.h - making operations.
 *
 * A builder stands at a place of a module and puts new operations there, in order.  An operation
 * is given as its text, as MLIR reads it, with %0, %1, … for the operands:
 *
 *     tess_builder *b = tess_builder_new(m);
 *     tess_op *f = tess_func_new(b, "main", in, 2, &t, 1);
 *     tess_block *body = tess_op_body(f, 0);
 *     tess_builder_to_end(b, body);
 *     tess_value *x[] = {tess_block_arg(body, 0), tess_block_arg(body, 1)};
 *     tess_value *y = tess_build1(b, "stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]",
 *                                 x, 2);
 *     tess_value *z = tess_build1(b, "stablehlo.tanh %0", &y, 1);
 *     tess_build_op(b, "return %0", &z, 1);
 *     tess_builder_free(b);
 *     if (tess_module_verify(m) != TESS_OK)
 *             … the context says why
 *
 * What is here returns NULL once something went wrong, and does nothing if it is given NULL, so
 * that a program is built in straight lines and checked once. */
#ifndef TESSERA_BUILD_H
#define TESSERA_BUILD_H

#include <tessera/module.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tess_builder tess_builder;

/** A builder at the end of the module; NULL if there is no memory. */
TESS_API TESS_GIVE tess_builder *tess_builder_new(tess_module *m);
/** What was built stays. */
TESS_API void tess_builder_free(TESS_TAKE tess_builder *b);
TESS_API tess_module *tess_builder_module(const tess_builder *b);
/** TESS_OK, or how the first call that went wrong ended. */
TESS_API tess_status tess_builder_status(const tess_builder *b);

TESS_API void tess_builder_to_end(tess_builder *b, tess_block *block);
TESS_API void tess_builder_before(tess_builder *b, tess_op *at);
TESS_API void tess_builder_after(tess_builder *b, tess_op *at);
/** Of the operations from now on; NULL: not known. */
TESS_API void tess_builder_set_location(tess_builder *b, const tess_attr *location);

/** Builds the operation that `text` spells, in its pretty or its generic form, with attributes and
 *  regions as in a file.  %0, %1, … are `operands`; what its regions define has other names.
 *  Types behind the operation may be left out where they follow from the operands:
 *
 *      "stablehlo.compare LT, %0, %1"
 *      "stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xi32>"
 *      "stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1]"
 *
 *  @return its only result, or NULL: the context then has diagnostics that point into the text
 *  ("<operation>:1:20"), nothing is built, and the status is TESS_INVALID, or TESS_USAGE if the
 *  text or an operand is NULL.  An operation that has not one result is an error here. */
TESS_API tess_value *tess_build1(tess_builder *b, const char *text, tess_value *const *operands,
                                 size_t n_operands);
/** The same for any operation, also without results ("return %0") or with several
 *  ("%values, %order = …" names them); @return the operation. */
TESS_API tess_op *tess_build_op(tess_builder *b, const char *text, tess_value *const *operands,
                                size_t n_operands);

/** An operation with everything spelt out.  Fill with TESS_OP_SPEC_INIT first. */
typedef struct tess_op_spec {
	size_t struct_size;
	const char *name; /**< "stablehlo.add", or of a dialect that tessera does not know */
	tess_value *const *operands;
	size_t n_operands;
	/** The types of the results; NULL: they are inferred. */
	const tess_type *const *results;
	size_t n_results;
	const char *const *attr_names;
	const tess_attr *const *attrs; /**< an item may be NULL: left out */
	size_t n_attrs;
	size_t n_regions; /**< empty: fill them with tess_block_new() */
	/** Where control may go from here; the builder stands at the end of a block then. */
	tess_block *const *successors;
	size_t n_successors;
} tess_op_spec;
#define TESS_OP_SPEC_INIT {.struct_size = sizeof(tess_op_spec)}
/** For what a text says badly: attributes that are at hand, regions that are built piece by piece,
 *  branches. */
TESS_API tess_op *tess_build(tess_builder *b, const tess_op_spec *spec);

/** A block at the end of region `region` of an operation, with arguments of these types.  The
 *  builder stays where it is. */
TESS_API tess_block *tess_block_new(tess_builder *b, tess_op *o, size_t region,
                                    const tess_type *const *args, size_t n);
/** A copy of an operation and of what is inside; its operands stay the same.  It may come
 *  from another module of the context if it has no operands.  It may not have successors. */
TESS_API tess_op *tess_op_copy(tess_builder *b, const tess_op *o);

/** func.func with an entry block whose arguments have the types `in`. */
TESS_API tess_op *tess_func_new(tess_builder *b, const char *name, const tess_type *const *in,
                                size_t n_in, const tess_type *const *out, size_t n_out);

#ifdef __cplusplus
}
#endif
#endif
