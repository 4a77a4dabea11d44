/* without.h - parts that a build may leave out: -DTESS_HLO=OFF, -DTESS_ARRAY=OFF. */
#ifndef TESS_API_WITHOUT_H
#define TESS_API_WITHOUT_H

#include "api/frame.h"

/* Reports that the library lacks this part, such as "HLO"; returns TESS_INVALID, or TESS_NOMEM.
 * `ctx` may be NULL. */
tess_status built_without(tess_ctx *ctx, const char *part);

#endif
