/* module.h - the inside of a tess_module. */
#ifndef TESS_API_MODULE_H
#define TESS_API_MODULE_H

#include "ir/ir.h"
#include "mlir/mlir.h"
#include <tessera/module.h>

struct tess_module {
	tess_ctx *ctx;
	module *m;
	file_text file; /* the text, until its source owns it */
	bool unsettled; /* its mesh was changed, and its shardings may not fit */
	const char *export; /* description of a jax.export artifact, as JSON; NULL: it is none */
};

/* Checks, before a module is used, that the user's changes fit together; else TESS_INVALID with
 * diagnostics. Warns about shardings that are reduced on another mesh (settle.c). */
tess_status module_settle(tess_module *h);

/* Reads a program in any form: MLIR text, bytecode, HLO text, HLO proto. NULL with errors in the
 * context. */
module *module_read_as(tess_ctx *ctx, source *src, const mlir_parse_opts *opts, tess_hlo_reading hlo);
/* The same, and jax.export artifacts; HLO is converted to StableHLO. */
module *module_read(tess_ctx *ctx, source *src, const mlir_parse_opts *opts);

/* Returns the title of texts about the module: `title` or, if NULL, the name of its file. */
static inline const char *module_title(const module *m, const char *title)
{
	return title ? title : m->src ? m->src->name : "program";
}

mlir_print_opts print_opts_of(const tess_print_opts *o);
/* Returns NULL without memory or a context. */
tess_module *module_handle_new(tess_ctx *ctx);
/* Returns the handle if the status is TESS_OK; otherwise frees it and returns NULL. */
tess_module *module_or_free(tess_module *h, tess_status status);

#endif
