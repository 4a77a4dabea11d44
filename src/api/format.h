/* format.h - the formats of output for people. */
#ifndef TESS_API_FORMAT_H
#define TESS_API_FORMAT_H

#include "base/base.h"

#include <tessera/report.h>

/* A set of formats. */
#define FORMAT_BIT(f) (1u << (f))
enum {
	FORMATS_COMMON = FORMAT_BIT(TESS_FORMAT_TEXT) | FORMAT_BIT(TESS_FORMAT_COLOR) |
	                 FORMAT_BIT(TESS_FORMAT_JSON),
};

/* Returns TESS_OK if `what`, such as "a report", has this format; otherwise reports its formats. */
tess_status format_check(tess_ctx *ctx, tess_format f, unsigned has, const char *what);

#endif
