/* fuzz_partition.c - any MLIR text as a program: it is partitioned, and the per-device program is
 * reported on.
 *
 * A partitioned program prints as text that is accepted again and is marked as a per-device
 * program. Every failure has a diagnostic. */
#include "fuzz.h"

#include <tessera/partition.h>
#include <tessera/propagate.h>
#include <tessera/report.h>

static void print_again(tess_ctx *ctx, tess_module *m)
{
	tess_module *second = tess_module_parse(ctx, lent(tess_module_print(m, NULL)), "again",
	                                        NULL);
	if (!second) {
		tess_str why = lent(tess_diag_render(ctx, false));
		fwrite(why.ptr, 1, why.len, stderr);
		abort();
	}
	MUST(tess_module_is_local(second) == tess_module_is_local(m));
	tess_module_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = tess_module_parse(ctx, (tess_str){(const char *)data, size}, "fuzz", NULL);
	if (m && tess_module_is_local(m)) {
		char *text;
		tess_status status = tess_module_report(m, NULL, &text);
		tess_text_free(text);
		MUST(status == TESS_OK || tess_diag_errors(ctx) > 0);
	} else if (m) {
		tess_status status = tess_module_propagate(m);
		if (status == TESS_OK)
			status = tess_module_partition(m, NULL, NULL);
		MUST(status == TESS_OK || tess_diag_errors(ctx) > 0);
		if (status == TESS_OK)
			print_again(ctx, m);
	}
	tess_module_free(m);
	tess_ctx_free(ctx);
	return 0;
}
