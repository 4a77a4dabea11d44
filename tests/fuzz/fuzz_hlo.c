/* fuzz_hlo.c - any bytes as HLO, text or proto: no crash. Accepted input prints as text that is
 * parsed and printed the same, and is written as a proto that can be read. Statistics and
 * conversion terminate. */
#include "../support/hlo_read.h"
#include "fuzz.h"

#include <string.h>
#include <tessera/hlo.h>
#include <tessera/module.h>

static char *copy_of(tess_str s)
{
	char *copy = malloc(s.len + 1);
	memcpy(copy, s.ptr, s.len);
	copy[s.len] = 0;
	return copy;
}

static void prints_the_same(tess_ctx *ctx, tess_module *m)
{
	tess_hlo_print_opts opts = TESS_HLO_PRINT_OPTS_INIT;
	opts.large_constants = true;
	tess_str text = lent(tess_hlo_print(m, &opts));
	char *first = copy_of(text);
	size_t n = text.len;
	tess_module *again = hlo_read(ctx, (tess_str){first, n}, "again");
	MUST(again);
	text = lent(tess_hlo_print(again, &opts));
	MUST(text.len == n && memcmp(text.ptr, first, n) == 0);
	tess_module_free(again);
	free(first);
}

/* Writes the module as a proto, reads it, and writes it again. */
static void is_read_from_proto(tess_ctx *ctx, tess_module *m)
{
	char *bytes = NULL, *second = NULL;
	size_t n, n_second;
	if (tess_module_write(m, NULL, &bytes, &n) != TESS_OK)
		return;
	tess_module *again = hlo_read(ctx, (tess_str){bytes, n}, "proto");
	MUST(again);
	MUST(tess_module_write(again, NULL, &second, &n_second) == TESS_OK);
	tess_module_free(again);
	tess_text_free(bytes);
	tess_text_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = hlo_read(ctx, (tess_str){(const char *)data, size}, "fuzz");
	MUST(m || tess_diag_errors(ctx) > 0);
	if (m) {
		tess_hlo_print_opts opts = TESS_HLO_PRINT_OPTS_INIT;
		prints_the_same(ctx, m);
		is_read_from_proto(ctx, m);
		opts.style = TESS_HLO_STYLE_FINGERPRINT;
		lent(tess_hlo_print(m, &opts));
		lent(tess_hlo_stats(m, true));
		if (tess_hlo_to_stablehlo(m, NULL) == TESS_OK) {
			lent(tess_module_print(m, NULL));
			if (tess_hlo_from_stablehlo(m) == TESS_OK)
				prints_the_same(ctx, m);
		}
		tess_module_free(m);
	}
	tess_ctx_free(ctx);
	return 0;
}
