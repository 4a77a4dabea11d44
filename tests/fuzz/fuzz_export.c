/* fuzz_export.c - any bytes as a jax.export file: described, read, and run as an artifact.
 *
 * An accepted program has a description. It is written as a portable artifact that is accepted and
 * prints the same text, unless the writer reports that StableHLO cannot express it. */
#include "fuzz.h"

#include <string.h>
#include <tessera/module.h>

static void same_as_artifact(tess_ctx *ctx, tess_module *m)
{
	tess_write_opts opts = TESS_WRITE_OPTS_INIT;
	char *bytes = NULL;
	size_t n = 0;
	opts.target = "";
	if (tess_module_write(m, &opts, &bytes, &n) != TESS_OK) {
		MUST_OF(ctx, tess_diag_errors(ctx) > 0);
		return;
	}
	tess_module *again = tess_module_parse(ctx, (tess_str){bytes, n}, "again", NULL);
	MUST_OF(ctx, again);
	tess_str one = lent(tess_module_print(m, NULL)), two = lent(tess_module_print(again, NULL));
	MUST_OF(ctx, one.len == two.len && memcmp(one.ptr, two.ptr, one.len) == 0);
	tess_module_free(again);
	tess_text_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const platforms[] = {NULL, "", "cpu", "tpu"};
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.platform = platforms[size / 4 % 4]; /* the files' sizes are multiples of 4 */
	opts.derivative = size / 16 % 4 == 3;
	tess_module *m = tess_module_parse(ctx, (tess_str){(const char *)data, size}, "fuzz", &opts);
	MUST_OF(ctx, m || tess_diag_errors(ctx) > 0);
	if (m && lent(tess_module_export(m)).ptr)
		same_as_artifact(ctx, m);
	tess_module_free(m);
	tess_ctx_free(ctx);
	return 0;
}
