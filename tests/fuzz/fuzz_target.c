/* fuzz_target.c - any text as a table of machines: no crash, every refusal has a diagnostic, and a
 * report for an accepted machine terminates. */
#include "fuzz.h"

#include <string.h>
#include <tessera/report.h>
#include <unistd.h>

enum { PIPE_HOLDS = 65536 };

static const char program[] =
    "sdy.mesh @m = <[\"x\"=2]>\n"
    "func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}]>})\n"
    "    -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {\n"
    "  %0 = stablehlo.add %a, %a : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n";

/* The input is a name, a newline, and the table in which it is looked for. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
	size_t n = line ? (size_t)(line - data) : 0, rest = line ? size - n - 1 : 0;
	char path[600];
	int ends[2];
	if (!line || n > 500 || rest > PIPE_HOLDS || memchr(data, 0, n))
		return 0;
	MUST(pipe(ends) == 0);
	MUST(write(ends[1], line + 1, rest) == (ssize_t)rest);
	close(ends[1]);
	snprintf(path, sizeof path, "/dev/fd/%d%s%.*s", ends[0], n ? ":" : "", (int)n,
	         (const char *)data);
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = tess_module_parse(ctx, (tess_str){program, sizeof program - 1}, "fuzz",
	                                   NULL);
	tess_report_opts opts = TESS_REPORT_OPTS_INIT;
	char *out;
	MUST(m);
	opts.target = path;
	tess_status status = tess_module_report(m, &opts, &out);
	MUST(status == TESS_OK ? out && out[0] : tess_diag_errors(ctx) > 0);
	tess_text_free(out);
	tess_module_free(m);
	tess_ctx_free(ctx);
	close(ends[0]);
	return 0;
}
