/* fuzz_mlir.c - any bytes as MLIR text: parsed, verified, printed, parsed again.
 *
 * Accepted input must print as text that is accepted and prints the same. */
#include "fuzz.h"

#include <string.h>
#include <tessera/module.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.allow_unregistered = size & 1;
	tess_module *first = tess_module_parse(ctx, (tess_str){(const char *)data, size}, "fuzz",
	                                       &opts);
	if (!first && tess_diag_errors(ctx) == 0)
		abort();
	if (first) {
		tess_str text = lent(tess_module_print(first, NULL));
		tess_module *second = tess_module_parse(ctx, text, "again", &opts);
		if (!second) {
			tess_str why = lent(tess_diag_render(ctx, false));
			fwrite(why.ptr, 1, why.len, stderr);
			abort();
		}
		tess_str again = lent(tess_module_print(second, NULL));
		if (text.len != again.len || memcmp(text.ptr, again.ptr, text.len) != 0)
			abort();
		tess_module_free(second);
	}
	tess_module_free(first);
	tess_ctx_free(ctx);
	return 0;
}
