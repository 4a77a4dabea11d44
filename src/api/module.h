/* module.h - what a tess_module is inside. */
#ifndef TESS_API_MODULE_H
#define TESS_API_MODULE_H

#include "ir/ir.h"
#include "mlir/mlir.h"
#include <tessera/module.h>

struct tess_module {
	tess_ctx *ctx;
	module *m;
	file_text file; /* the text, until its source has it */
	bool unsettled; /* it has another mesh, which its shardings may not fit */
	const char *export; /* what jax.export says of it, as JSON; NULL: it is no export */
};

/* Before anything is made of a module: what the user changed has to fit together by now, else
 * TESS_INVALID and why.  Warns of shardings that are cut down on another mesh.  (settle.c) */
tess_status module_settle(tess_module *h);

/* The text of a module that was read goes with its source: copies of the module need it too. */
void module_owns_file(tess_module *h, source *src);

/* A program in whichever form it is: MLIR text, bytecode, HLO text, its proto.  NULL once errors are
 * in the context. */
module *module_read_as(tess_ctx *ctx, source *src, const mlir_parse_opts *opts, tess_hlo_reading hlo);
/* The same, or what jax.export writes; HLO becomes StableHLO. */
module *module_read(tess_ctx *ctx, source *src, const mlir_parse_opts *opts);

/* What a text about it begins with: `title`, or if that is NULL the name of what was read. */
static inline const char *module_title(const module *m, const char *title)
{
	return title ? title : m->src ? m->src->name : "program";
}

mlir_print_opts print_opts_of(const tess_print_opts *o);
/* @return NULL if there is no memory, or no context. */
tess_module *module_handle_new(tess_ctx *ctx);
/* The handle, or NULL: it is freed then. */
tess_module *module_or_free(tess_module *h, tess_status status);

#endif
