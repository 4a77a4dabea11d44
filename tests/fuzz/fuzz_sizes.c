/* fuzz_sizes.c - sizes for open dimensions, a newline, and a dimension as jax.export writes it.
 *
 * Accepted input must print the same as if the size of that dimension were given by its
 * position. */
#include "fuzz.h"

#include <string.h>
#include <tessera/module.h>
#include <tessera/partition.h>

enum { LONGEST = 1 << 12 };

static const char head[] =
    "func.func @main(%a: tensor<?x2xf32>) -> tensor<?x2xf32> {\n"
    "  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>\n"
    "  %ok = stablehlo.constant dense<true> : tensor<i1>\n"
    "  stablehlo.custom_call @shape_assertion(%ok, %n) {error_message = \"from specification '",
		 tail[] = "' for dimension args[0].shape[0] (= {0})\"} : (tensor<i1>, tensor<i32>) -> ()\n"
			  "  return %a : tensor<?x2xf32>\n"
			  "}\n";

static tess_module *program_of(tess_ctx *ctx, const uint8_t *dimension, size_t size)
{
	static char text[sizeof head + sizeof tail + 3 * LONGEST];
	char *at = text + sprintf(text, "%s", head);
	for (size_t i = 0; i < size; i++)
		at += sprintf(at, "\\%02X", dimension[i]);
	at += sprintf(at, "%s", tail);
	tess_module *m = tess_module_parse(ctx, (tess_str){text, (size_t)(at - text)}, "fuzz", NULL);
	MUST_OF(ctx, m);
	return m;
}

static int64_t size_of_argument(const tess_module *m)
{
	tess_block *body = tess_op_body(tess_module_find(m, "main"), 0);
	return tess_type_dim(tess_value_type(tess_block_arg(body, 0)), 0);
}

static void check_same(tess_ctx *ctx, tess_module *m, const uint8_t *dimension, size_t size)
{
	char given[40];
	tess_module *other = program_of(ctx, dimension, size);
	int64_t n = size_of_argument(m);
	MUST(n >= 0);
	snprintf(given, sizeof given, "0.0=%lld", (long long)n);
	MUST_OF(ctx, tess_module_set_sizes(other, given) == TESS_OK);
	tess_str one = lent(tess_module_print(m, NULL)), two = lent(tess_module_print(other, NULL));
	MUST(one.len == two.len && memcmp(one.ptr, two.ptr, one.len) == 0);
	tess_module_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char sizes[LONGEST + 1];
	const uint8_t *line = size && size <= LONGEST ? memchr(data, '\n', size) : NULL;
	if (!line)
		return 0;
	size_t n = (size_t)(line - data), rest = size - n - 1;
	memcpy(sizes, data, n);
	sizes[n] = 0;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = program_of(ctx, line + 1, rest);
	tess_status status = tess_module_set_sizes(m, sizes);
	MUST(status == TESS_OK || tess_diag_errors(ctx) > 0);
	if (status == TESS_OK)
		check_same(ctx, m, line + 1, rest);
	tess_module_free(m);
	tess_ctx_free(ctx);
	return 0;
}
