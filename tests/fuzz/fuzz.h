/* fuzz.h - what the fuzzers share: the entry point, and reporting failures. */
#ifndef TESS_TEST_FUZZ_H
#define TESS_TEST_FUZZ_H

#include "../support/lent.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/diag.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints what failed, and the diagnostics of `ctx`, which may be NULL. */
_Noreturn static inline void fuzz_failed(tess_ctx *ctx, const char *what)
{
	tess_str why = ctx ? lent(tess_diag_render(ctx, false)) : (tess_str){"", 0};
	fprintf(stderr, "%s\n%.*s\n", what, (int)why.len, why.ptr);
	abort();
}

#define MUST_OF(ctx, x) ((x) ? (void)0 : fuzz_failed(ctx, #x))
#define MUST(x) MUST_OF(NULL, x)

#endif
