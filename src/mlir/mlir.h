/* mlir.h - the interface of mlir: reading and printing programs as MLIR text.
 *
 * read/ parses text into the IR, write/ prints the IR; forms/ describes, once for both, how each
 * operation is written. Operations that the tables do not know are kept in generic form. */
#ifndef TESS_MLIR_MLIR_H
#define TESS_MLIR_MLIR_H

#include "op/op.h"

typedef struct mlir_parse_opts {
	bool allow_unregistered; /* accept dialects and ops that are not in the tables */
	bool no_verify;
} mlir_parse_opts;

/* Parses a module, to be released with module_free(). @return NULL with errors in the context. The
 * text must live as long as the source is used for diagnostics. */
module *mlir_parse(tess_ctx *ctx, source *src, const mlir_parse_opts *opts);
/* True if it is not text but an archive, bytecode or a protocol buffer; then reports that. */
bool text_is_binary(tess_ctx *ctx, source *src);
/* Called once per megabyte with how much of a text has been read; NULL: not called. */
typedef void reading_fn(void *user, size_t done, size_t total);
void text_on_reading(tess_ctx *ctx, reading_fn *fn, void *user);
/* Parse a single attribute or type, for options and tests. */
const attr *mlir_parse_attr(tess_ctx *ctx, source *src);
const type *mlir_parse_type(tess_ctx *ctx, source *src);

/* A single operation to build from text. */
typedef struct mlir_op_request {
	value *const *operands; /* the values of %0, %1, … */
	int n_operands;
	const attr *loc; /* used if the text has no location; may be NULL */
	int n_results;   /* the number of results it must have; -1: any */
	bool at_top;     /* it goes into the module's top block, so its symbol is added */
} mlir_op_request;
/* Parses the operation, and nothing after it. Types may be left out if they can be inferred.
 * @return a detached op of `m` without references to the text, or NULL with errors in the context;
 * `m` is then unchanged */
op *mlir_read_op(module *m, source *src, const mlir_op_request *want);

typedef struct mlir_print_opts {
	bool generic;           /* -mlir-print-op-generic */
	bool debuginfo;         /* -mlir-print-debuginfo */
	bool local_scope;       /* -mlir-print-local-scope: no aliases */
	int64_t elide_larger;   /* -mlir-elide-elementsattrs-if-larger; -1: never */
	bool keep_names;        /* use the value names of the input text rather than %0, %1, … */
	bool packed_booleans;   /* booleans in hexadecimal, eight to a byte, lowest first */
} mlir_print_opts;
#define MLIR_PRINT_OPTS_INIT {.elide_larger = -1}

void mlir_print(writer *w, const module *m, const mlir_print_opts *opts);
/* Gives each value the name with which the module is printed, for programs that are not read from
 * text: so it keeps a name while passes change the program. */
void mlir_name_values(module *m);
void mlir_print_attr(writer *w, tess_ctx *ctx, const attr *a);
void mlir_print_type(writer *w, tess_ctx *ctx, const type *t);
#define MLIR_ATTR_TEXTS (&(const attr_texts){mlir_parse_attr, mlir_print_attr})

#endif
