/* tessera/diag.h - diagnostics: what is wrong, where, and what would be right.
 *
 *     const char *text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %y }";
 *     if (!tess_module_parse(ctx, tess_str_of(text), "small.mlir", NULL)) {
 *             tess_diag d;
 *             for (size_t i = 0; tess_diag_get(ctx, i, &d); i++)
 *                     printf("%s:%u:%u: %s: %.*s\n", d.file, (unsigned)d.line, (unsigned)d.col,
 *                            d.code, (int)d.message.len, d.message.ptr);
 *             char *all = tess_diag_render(ctx, false); // the same, with source lines and carets
 *             tess_text_free(all);
 *             tess_diag_clear(ctx);
 *     }
 *
 * Functions of all headers add their diagnostics to the context, in the order in which they are
 * found, and never remove any. A program that handles an error clears them. Errors make the
 * function fail; warnings, remarks and notes do not. */
#ifndef TESSERA_DIAG_H
#define TESSERA_DIAG_H

#include <tessera/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tess_severity {
	TESS_SEVERITY_NOTE = 0,    /**< more about the diagnostic before it */
	TESS_SEVERITY_REMARK = 1,  /**< what was done, where that may surprise */
	TESS_SEVERITY_WARNING = 2, /**< probably a mistake; the function goes on */
	TESS_SEVERITY_ERROR = 3,   /**< the function failed */
} tess_severity;

/** One diagnostic. Notes follow the diagnostic that they belong to. All pointers are borrowed
 *  and live until tess_diag_clear(). */
typedef struct tess_diag {
	tess_severity severity;
	const char *code;    /**< "E0213"; never reused for another message; "" for notes */
	const char *file;    /**< the name that was given to the parser; "" if there is none */
	uint32_t line, col;  /**< from 1, col in bytes; 0 if the place is unknown */
	uint32_t end_col;    /**< one past the last column, on the same line */
	tess_str message;    /**< one sentence, lower case, without a full stop */
	tess_str line_text;  /**< the source line, without its line break */
} tess_diag;

/** Returns how many diagnostics there are since the context was created or cleared. Errors
 *  beyond tess_ctx_opts.max_errors, and what follows these, are not among them. */
TESS_API size_t tess_diag_count(const tess_ctx *ctx);
/** Returns how many errors there were, including those beyond tess_ctx_opts.max_errors. */
TESS_API size_t tess_diag_errors(const tess_ctx *ctx);
/** Gets diagnostic `i`, counted from 0.
 *  @return false if `i` is out of range; `out` is then unchanged. */
TESS_API bool tess_diag_get(const tess_ctx *ctx, size_t i, tess_diag *out);
/** Removes all diagnostics, so that tess_diag_count() and tess_diag_errors() are 0. */
TESS_API void tess_diag_clear(tess_ctx *ctx);
/** Returns all diagnostics as text for people, with source lines and carets; "" if there are none.
 *  @param color whether to use the escape sequences of terminals.
 *  @return the text, or NULL if memory ran out. */
TESS_API TESS_GIVE char *tess_diag_render(tess_ctx *ctx, bool color);

#ifdef __cplusplus
}
#endif
#endif
