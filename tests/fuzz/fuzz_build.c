/* fuzz_build.c - any text as an operation for a builder, with operands of several types: either it
 * is built, or there is a diagnostic and nothing has changed. What was built can be printed. If the
 * program is valid, its text can be parsed and prints the same. */
#include "fuzz.h"

#include <string.h>
#include <tessera/build.h>

enum { OPERANDS = 8 };

static const char program[] =
    "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
    "func.func private @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
    "  return %a : tensor<4x8xf32>\n"
    "}\n"
    "func.func @main(%0: tensor<4x8xf32>, %1: tensor<8x4xf32>, %2: tensor<f32>, %3: tensor<i32>,\n"
    "    %4: tensor<4x8xi1>, %5: tuple<tensor<4xf32>, tensor<i32>>, %6: !stablehlo.token,\n"
    "    %7: tensor<?x8xf32>) {\n"
    "  return\n"
    "}\n";

static tess_module *read_text(tess_ctx *ctx, tess_str text)
{
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.allow_unregistered = true;
	return tess_module_parse(ctx, text, "program", &opts);
}

static bool same(tess_str a, tess_str b) { return a.len == b.len && !memcmp(a.ptr, b.ptr, a.len); }

static void check_program(tess_ctx *ctx, tess_module *m)
{
	tess_str text = lent(tess_module_print(m, NULL));
	if (tess_module_verify(m) != TESS_OK)
		return;
	tess_module *again = read_text(ctx, text);
	if (!again) {
		tess_str why = lent(tess_diag_render(ctx, false));
		fwrite(why.ptr, 1, why.len, stderr);
	}
	MUST(again);
	MUST(same(text, lent(tess_module_print(again, NULL))));
	tess_module_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = read_text(ctx, (tess_str){program, sizeof program - 1}), *whole = NULL;
	tess_value *operands[OPERANDS];
	char *text = malloc(size + 1);
	MUST(m && text && (whole = tess_module_clone(m)));
	memcpy(text, data, size);
	text[size] = 0;
	tess_block *body = tess_op_body(tess_module_find(m, "main"), 0);
	for (size_t i = 0; i < OPERANDS; i++)
		operands[i] = tess_block_arg(body, i);
	tess_builder *b = tess_builder_new(m);
	bool top = size && data[size - 1] == '\n'; /* build it next to functions */
	if (!top)
		tess_builder_before(b, tess_block_first(body));
	tess_op *made = tess_build_op(b, text, operands, top ? 0 : OPERANDS);
	if (made) {
		check_program(ctx, m);
	} else {
		MUST(tess_diag_errors(ctx) > 0 && tess_builder_status(b) == TESS_INVALID);
		for (size_t i = 0; i < OPERANDS; i++)
			MUST(!tess_value_uses(operands[i]));
		MUST(same(lent(tess_module_print(m, NULL)), lent(tess_module_print(whole, NULL))));
	}
	tess_builder_free(b);
	tess_module_free(whole);
	tess_module_free(m);
	tess_ctx_free(ctx);
	free(text);
	return 0;
}
