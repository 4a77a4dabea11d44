/* text.h - the door of text: programs in and out.
 *
 * Reading MLIR: src/text/mlir_*.c, HLO: src/text/hlo_*.c.  Ops that the tables do
 * not know are kept in generic form, never dropped. */
#ifndef TESS_TEXT_H
#define TESS_TEXT_H

#include "op/op.h"

typedef struct mlir_parse_opts {
	bool allow_unregistered; /* dialects and ops outside the tables are no error */
	bool no_verify;
} mlir_parse_opts;

/* @return a module to release with module_free(), or NULL once errors are in the
 * context.  The text must live as long as the source is used for diagnostics. */
module *mlir_parse(tess_ctx *ctx, source *src, const mlir_parse_opts *opts);
/* One attribute or type alone, for options and tests. */
const attr *mlir_parse_attr(tess_ctx *ctx, source *src);
const type *mlir_parse_type(tess_ctx *ctx, source *src);

typedef struct mlir_print_opts {
	bool generic;           /* -mlir-print-op-generic */
	bool debuginfo;         /* -mlir-print-debuginfo */
	bool local_scope;       /* -mlir-print-local-scope: no aliases */
	int64_t elide_larger;   /* -mlir-elide-elementsattrs-if-larger; -1: never */
	bool keep_names;        /* the text's own value names rather than %0, %1, … */
} mlir_print_opts;
#define MLIR_PRINT_OPTS_INIT {.elide_larger = -1}

void mlir_print(writer *w, const module *m, const mlir_print_opts *opts);
void mlir_print_op(writer *w, const module *m, const op *o, const mlir_print_opts *opts);
void mlir_print_attr(writer *w, tess_ctx *ctx, const attr *a);
void mlir_print_type(writer *w, tess_ctx *ctx, const type *t);

#endif
