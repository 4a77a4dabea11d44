/* tessera/diag.h - diagnostics: what was wrong, where, and what would be right. */
#ifndef TESSERA_DIAG_H
#define TESSERA_DIAG_H

#include <tessera/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tess_severity {
	TESS_SEVERITY_NOTE = 0,
	TESS_SEVERITY_REMARK = 1,
	TESS_SEVERITY_WARNING = 2,
	TESS_SEVERITY_ERROR = 3,
} tess_severity;

/** One diagnostic; notes follow the diagnostic that they belong to. */
typedef struct tess_diag {
	tess_severity severity;
	const char *code;    /**< permanent, "E0213"; "" for notes */
	const char *file;    /**< name given to the parser, "" if there is none */
	uint32_t line, col;  /**< from 1; 0 if the place is unknown */
	uint32_t end_col;    /**< one past the last column, on the same line */
	tess_str message;    /**< lower case, no full stop */
	tess_str line_text;  /**< the source line, without its end */
} tess_diag;

/** Diagnostics gathered since the context was made or last cleared. */
TESS_API size_t tess_diag_count(const tess_ctx *ctx);
/** Errors among them, including those beyond opts.max_errors. */
TESS_API size_t tess_diag_errors(const tess_ctx *ctx);
/** @return false if `i` is out of range.  Texts live until tess_diag_clear(). */
TESS_API bool tess_diag_get(const tess_ctx *ctx, size_t i, tess_diag *out);
TESS_API void tess_diag_clear(tess_ctx *ctx);
/** All diagnostics as text with source lines and carets; "" if there are none. */
TESS_API TESS_GIVE char *tess_diag_render(tess_ctx *ctx, bool color);

#ifdef __cplusplus
}
#endif
#endif
