/* fuzz_async.c - any text as the config of one of JAX's asynchronous collectives. */
#include "fuzz.h"

#include <tessera/partition.h>
#include <tessera/propagate.h>

enum { LONGEST = 1 << 16 };

static const char head[] =
    "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
    "func.func private @add(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {\n"
    "  %0 = stablehlo.add %x, %y : tensor<f32>\n"
    "  return %0 : tensor<f32>\n"
    "}\n"
    "func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
    "  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>]\n"
    "      out_shardings=[<@mesh, [{}, {}]>] manual_axes={\"x\", \"y\"} (%b: tensor<4x4xf32>) {\n"
    "    %1 = stablehlo.custom_call @\"%s-start\"(%b) {called_computations = [@add],\n"
    "        mhlo.frontend_attributes = {async_collective_config = \"",
	    tail[] =
		"\"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
		"    %2 = stablehlo.custom_call @\"%s-done\"(%1) : (tensor<4x4xf32>) -> "
		"tensor<4x4xf32>\n"
		"    sdy.return %2 : tensor<4x4xf32>\n"
		"  } : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
		"  return %0 : tensor<4x4xf32>\n"
		"}\n";

static const char *const kinds[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
				    "collective-permute"};

/* Writes a text, with the collective's name in place of %s. */
static void put_text(FILE *f, const char *text, const char *kind)
{
	for (; *text; text++)
		if (text[0] == '%' && text[1] == 's')
			text += fputs(kind, f) >= 0;
		else
			fputc(*text, f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > LONGEST)
		return 0;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	const char *kind = kinds[data[0] % (sizeof kinds / sizeof *kinds)];
	put_text(f, head, kind);
	for (size_t i = 1; i < size; i++)
		fprintf(f, "\\%02X", data[i]);
	put_text(f, tail, kind);
	fclose(f);
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = tess_module_parse(ctx, (tess_str){text, n}, "fuzz", NULL);
	MUST(m);
	tess_status status = tess_module_propagate(m);
	if (status == TESS_OK)
		status = tess_module_partition(m, NULL, NULL);
	MUST(status == TESS_OK || tess_diag_errors(ctx) > 0);
	tess_module_free(m);
	tess_ctx_free(ctx);
	free(text);
	return 0;
}
