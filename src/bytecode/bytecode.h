/* bytecode.h - the door of bytecode: programs as MLIR bytecode, in and out.
 *
 * Bytecode is MLIR's binary form (mlir/docs/BytecodeFormat.md): sections of strings, names of
 * operations, attributes, types, and the operations themselves, which refer to all of those by
 * number.  A StableHLO portable artifact is bytecode whose operations, types and attributes are of
 * the dialect vhlo, a copy of StableHLO in which every version of every operation has a name of its
 * own; reading makes today's StableHLO of it, writing puts it down for a version.
 *
 * codes/ says once, for both directions, how each attribute and type is laid out, vhlo/ what each
 * versioned operation corresponds to; read/ makes the IR of bytes, write/ bytes of the IR. */
#ifndef TESS_BYTECODE_BYTECODE_H
#define TESS_BYTECODE_BYTECODE_H

#include "op/op.h"

/* The text forms of attributes and types, for what has no code of its own. */
typedef struct bytecode_texts {
	const attr *(*read_attr)(tess_ctx *ctx, source *src);
	const type *(*read_type)(tess_ctx *ctx, source *src);
	void (*write_attr)(writer *w, tess_ctx *ctx, const attr *a);
	void (*write_type)(writer *w, tess_ctx *ctx, const type *t);
} bytecode_texts;

typedef struct bytecode_read_opts {
	bool allow_unregistered; /* dialects and ops outside the tables are no error */
	bool no_verify;
	bytecode_texts texts;
} bytecode_read_opts;

/* Whether these bytes begin as bytecode does. */
bool bytecode_is(tess_str bytes);
/* @return a module to release with module_free(), or NULL once errors are in the context.  The
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

/* Whether it begins as what `exported.serialize()` writes. */
bool export_is(tess_str bytes);
/* The program, or its derivative of some order (0: the program); texts are parts of the source's.
 * false, and reported: it is damaged, or has no such derivative. */
bool export_open(tess_ctx *ctx, source *src, int order, export_artifact *out);
/* The source is the program's from now on. */
void export_enter(source *src, const export_artifact *x);
/* What else is there, as JSON: info.c.  false, and reported: it is damaged. */
bool export_describe(tess_ctx *ctx, source *src, int order, writer *w);
/* A program for several platforms is told by its first argument on which it runs: that becomes a
 * constant.  An empty name is "cpu", or the first.  false, and reported: there is no such platform. */
bool export_choose_platform(module *m, const export_artifact *x, const char *name);

/* ---- writing --------------------------------------------------------------------------------- */

/* Three numbers: 1.16.0 is {1, 16, 0}. */
typedef struct vhlo_version {
	int major, minor, patch;
} vhlo_version;
enum { BYTECODE_NEWEST = 6 };
vhlo_version vhlo_newest(void);
/* "1.16.0", or how far the reader may be behind: "4w", "12w", "min", "" for the newest.  false, and
 * reported: there is no such version. */
bool vhlo_version_parse(tess_ctx *ctx, const char *text, vhlo_version *out);

typedef struct bytecode_write_opts {
	int version;         /* of the format, 0 to BYTECODE_NEWEST; a portable artifact's follows from
	                        its target */
	bool portable;       /* as a StableHLO portable artifact */
	vhlo_version target; /* of that artifact */
	bytecode_texts texts;
} bytecode_write_opts;

/* false, and reported: what the target cannot express. */
bool bytecode_write(writer *w, const module *m, const bytecode_write_opts *opts);

#endif
