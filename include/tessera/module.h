/* tessera/module.h - programs: read, checked, printed. */
#ifndef TESSERA_MODULE_H
#define TESSERA_MODULE_H

#include <tessera/core.h>
#include <tessera/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A program: StableHLO, CHLO, func and sdy operations. */
typedef struct tess_module tess_module;

typedef struct tess_parse_opts {
	size_t struct_size;
	/** Operations that tessera does not know are kept in generic form; without
	 *  this flag they must belong to a known dialect. */
	bool allow_unregistered;
	/** Read only: do not check the rules of operations and shardings. */
	bool skip_verify;
} tess_parse_opts;
#define TESS_PARSE_OPTS_INIT {.struct_size = sizeof(tess_parse_opts)}

/** Parses MLIR text and verifies it.
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
} tess_print_opts;
#define TESS_PRINT_OPTS_INIT {.struct_size = sizeof(tess_print_opts), .elide_larger = -1}

/** The program as MLIR text, as sdy_opt prints it.
 *  @param opts NULL for the defaults.
 *  @return text that lives until the next call that prints, or until the module
 *  is freed; ptr is NULL if there is no memory. */
TESS_API tess_str tess_module_print(tess_module *m, const tess_print_opts *opts);

#ifdef __cplusplus
}
#endif
#endif
