/* mlir.h - the door of mlir: programs as MLIR text, in and out.
 *
 * read/ makes the IR of text, write/ the text of the IR; forms/ says once, for both, how each
 * operation is written.  Operations that the tables do not know are kept in generic form,
 * never dropped. */
#ifndef TESS_MLIR_MLIR_H
#define TESS_MLIR_MLIR_H

#include "op/op.h"

typedef struct mlir_parse_opts {
	bool allow_unregistered; /* dialects and ops outside the tables are no error */
	bool no_verify;
} mlir_parse_opts;

/* @return a module to release with module_free(), or NULL once errors are in the
 * context.  The text must live as long as the source is used for diagnostics. */
module *mlir_parse(tess_ctx *ctx, source *src, const mlir_parse_opts *opts);
/* Whether it is no text at all but an archive, bytecode, a protocol buffer; then reports that. */
bool text_is_binary(tess_ctx *ctx, source *src);
/* Who wants to know, once in a megabyte, how much of a text has been read; NULL: nobody. */
typedef void reading_fn(void *user, size_t done, size_t total);
void text_on_reading(tess_ctx *ctx, reading_fn *fn, void *user);
/* One attribute or type alone, for options and tests. */
const attr *mlir_parse_attr(tess_ctx *ctx, source *src);
const type *mlir_parse_type(tess_ctx *ctx, source *src);

/* One operation that is to be built. */
typedef struct mlir_op_request {
	value *const *operands; /* what %0, %1, … stand for */
	int n_operands;
	const attr *loc; /* where the text has none; may be NULL */
	int n_results;   /* it must have so many; -1: any number */
	bool at_top;     /* it goes to the module's top block: its symbol is added */
} mlir_op_request;
/* Reads it, and nothing after it.  Types may be missing where they can be inferred.
 * @return a detached op of `m` that knows nothing of the text, or NULL once errors are in the
 * context; `m` is as before then. */
op *mlir_read_op(module *m, source *src, const mlir_op_request *want);

typedef struct mlir_print_opts {
	bool generic;           /* -mlir-print-op-generic */
	bool debuginfo;         /* -mlir-print-debuginfo */
	bool local_scope;       /* -mlir-print-local-scope: no aliases */
	int64_t elide_larger;   /* -mlir-elide-elementsattrs-if-larger; -1: never */
	bool keep_names;        /* the text's own value names rather than %0, %1, … */
	bool packed_booleans;   /* in hexadecimal, eight to a byte, the first the lowest */
} mlir_print_opts;
#define MLIR_PRINT_OPTS_INIT {.elide_larger = -1}

void mlir_print(writer *w, const module *m, const mlir_print_opts *opts);
void mlir_print_attr(writer *w, tess_ctx *ctx, const attr *a);
void mlir_print_type(writer *w, tess_ctx *ctx, const type *t);
#define MLIR_ATTR_TEXTS (&(const attr_texts){mlir_parse_attr, mlir_print_attr})

#endif
