/* fuzz_bytecode.c - any bytes as bytecode, an artifact or an export: read, written, read again.
 *
 * Accepted input must be written as bytecode that is accepted and prints the same text. */
#include "fuzz.h"

#include <string.h>
#include <tessera/module.h>

static void check_same(tess_ctx *ctx, tess_module *m, const tess_parse_opts *how, size_t size)
{
	tess_write_opts opts = TESS_WRITE_OPTS_INIT;
	char *bytes = NULL;
	size_t n = 0;
	opts.version = (int)(size % 7);
	if (tess_module_write(m, &opts, &bytes, &n) == TESS_OK) {
		tess_module *again = tess_module_parse(ctx, (tess_str){bytes, n}, "again", how);
		if (!again) {
			tess_str why = lent(tess_diag_render(ctx, false));
			fwrite(why.ptr, 1, why.len, stderr);
			abort();
		}
		tess_str one = lent(tess_module_print(m, NULL)), two = lent(tess_module_print(again, NULL));
		if (one.len != two.len || memcmp(one.ptr, two.ptr, one.len) != 0)
			abort();
		tess_module_free(again);
	} else if (tess_diag_errors(ctx) == 0) {
		abort();
	}
	tess_text_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.allow_unregistered = size & 1;
	opts.platform = size & 2 ? "" : NULL;
	tess_module *m = tess_module_parse(ctx, (tess_str){(const char *)data, size}, "fuzz", &opts);
	if (!m && tess_diag_errors(ctx) == 0)
		abort();
	if (m)
		check_same(ctx, m, &opts, size);
	tess_module_free(m);
	tess_ctx_free(ctx);
	return 0;
}
