/* Truncated HLO protos: a diagnostic with the byte offset, never a half-read program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/hlo_read.h"
#include "../support/lent.h"
#include <cmocka.h>
#include <tessera/hlo.h>

static tess_ctx *ctx;

/* Returns the text from the entry computation on, which is the last. A truncated proto may be
 * valid: after the computations there is only additional information such as their order, and a
 * proto does not store its length. */
static const char *entry_of(tess_module *m)
{
	tess_hlo_print_opts opts = TESS_HLO_PRINT_OPTS_INIT;
	opts.no_metadata = opts.large_constants = true;
	tess_str text = lent(tess_hlo_print(m, &opts));
	const char *entry = strstr(text.ptr, "\nENTRY");
	assert_non_null(entry);
	return strdup(entry);
}

static char *bytes_of(const char *name, size_t *n)
{
	char path[512], *bytes = malloc(1 << 16);
	snprintf(path, sizeof path, TEST_DATA "/%s", name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	*n = fread(bytes, 1, 1 << 16, f);
	fclose(f);
	return bytes;
}

static void cut_everywhere(const char *name)
{
	size_t len;
	char *bytes = bytes_of(name, &len);
	tess_module *all = hlo_read(ctx, (tess_str){bytes, len}, "all");
	assert_non_null(all);
	const char *wanted = entry_of(all);
	tess_module_free(all);
	for (size_t n = 2; n < len; n++) {
		char *cut = malloc(n); /* exact, so that a sanitizer detects overreads */
		memcpy(cut, bytes, n);
		tess_module *m = hlo_read(ctx, (tess_str){cut, n}, "cut");
		if (m) {
			const char *entry = entry_of(m);
			assert_int_equal(strlen(entry), strlen(wanted));
			free((char *)entry);
		} else {
			assert_non_null(strstr(lent(tess_diag_render(ctx, false)).ptr, "cut: byte "));
		}
		tess_diag_clear(ctx);
		tess_module_free(m);
		free(cut);
	}
	free((char *)wanted);
	free(bytes);
}

static void test_every_prefix(void **state)
{
	(void)state;
	ctx = tess_ctx_new(NULL);
	cut_everywhere("hlo/Inputs/torch.pb");
	cut_everywhere("hlo/Inputs/collectives.pb");
	cut_everywhere("fuzz/corpus/proto/vmap_spmd_axis.lowered.pb");
	tess_ctx_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_prefix),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
