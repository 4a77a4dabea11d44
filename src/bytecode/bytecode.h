/* bytecode.h - the interface of bytecode: reads and writes programs as MLIR bytecode.
 *
 * Bytecode is MLIR's binary form (mlir/docs/BytecodeFormat.md): sections with strings, operation
 * names, attributes, types, and the operations, which refer to all of these by number. A StableHLO
 * portable artifact is bytecode in the dialect vhlo, a copy of StableHLO in which every version of
 * every operation has a name of its own. Reading converts it to current StableHLO; writing converts
 * for a target version.
 *
 * codes/ describes, once for both directions, how each attribute and type is encoded, and vhlo/
 * what each versioned operation corresponds to. read/ turns bytes into the IR, write/ the IR into
 * bytes. */
#ifndef TESS_BYTECODE_BYTECODE_H
#define TESS_BYTECODE_BYTECODE_H

#include "op/op.h"

/* Parsers for attributes and types that have no code of their own and are stored as text. */
typedef struct bytecode_texts {
	const attr *(*read_attr)(tess_ctx *ctx, source *src);
	const type *(*read_type)(tess_ctx *ctx, source *src);
	void (*write_attr)(writer *w, tess_ctx *ctx, const attr *a);
	void (*write_type)(writer *w, tess_ctx *ctx, const type *t);
} bytecode_texts;

typedef struct bytecode_read_opts {
	bool allow_unregistered; /* accept dialects and ops that are not in the tables */
	bool no_verify;
	bytecode_texts texts;
} bytecode_read_opts;

/* True if the bytes start like bytecode. */
bool bytecode_is(tess_str bytes);
/* Reads a module, to be released with module_free(). @return NULL with errors in the context. The
 * bytes must live as long as the source is used. */
module *bytecode_read(tess_ctx *ctx, source *src, const bytecode_read_opts *opts);

/* ---- jax.export (export/) ----------------------------------------------------------------- */

enum { EXPORT_MAX_PLATFORMS = 16 };
typedef struct export_artifact {
	tess_str module; /* bytecode */
	tess_str name;   /* of the function */
	int n_platforms;
	tess_str platforms[EXPORT_MAX_PLATFORMS];
} export_artifact;

/* True if the bytes start like the output of `exported.serialize()`. */
bool export_is(tess_str bytes);
/* Opens the program, or its derivative of some order (0: the program itself); the texts point into
 * the source. Returns false, and reports it, if the file is damaged or has no such derivative. */
bool export_open(tess_ctx *ctx, source *src, int order, export_artifact *out);
/* From now on, the source is the program alone. */
void export_enter(source *src, const export_artifact *x);
/* Writes the rest of the artifact as JSON (info.c). Returns false, and reports it, if damaged. */
bool export_describe(tess_ctx *ctx, source *src, int order, writer *w);
/* A program for several platforms has a first argument that selects one; replaces it by a constant.
 * An empty name means "cpu", or else the first platform. Returns false, and reports it, if there is
 * no such platform. */
bool export_choose_platform(module *m, const export_artifact *x, const char *name);

/* ---- writing --------------------------------------------------------------------------------- */

/* A version number: 1.16.0 is {1, 16, 0}. */
typedef struct vhlo_version {
	int major, minor, patch;
} vhlo_version;
enum { BYTECODE_NEWEST = 6 };
vhlo_version vhlo_newest(void);
/* Parses "1.16.0", or how old the reader may be: "4w", "12w", "min"; "" means the newest. Returns
 * false, and reports it, if there is no such version. */
bool vhlo_version_parse(tess_ctx *ctx, const char *text, vhlo_version *out);

typedef struct bytecode_write_opts {
	int version;         /* of the format, 0 to BYTECODE_NEWEST; for a portable artifact it
	                      * follows from the target */
	bool portable;       /* write a StableHLO portable artifact */
	vhlo_version target; /* of the artifact */
	bytecode_texts texts;
} bytecode_write_opts;

/* Returns false, and reports it, if the target cannot express the program. */
bool bytecode_write(writer *w, const module *m, const bytecode_write_opts *opts);

#endif
