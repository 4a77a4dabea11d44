/* fuzz_dense.c - any text between the brackets of `dense<…> : tensor<…>`.
 *
 * The first byte chooses the type, so that every element type and shape is tried often. Accepted
 * input prints as text with the same meaning, and has bytes for all elements of its type, or for
 * one. */
#include "fuzz.h"

#include <string.h>
#include <tessera/attr.h>

static const char *const shapes[] = {"", "1x", "3x", "2x2x", "0x", "2x0x", "16x", "2x3x2x"};
static const char *const elements[] = {
    "i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64",
    "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ",
    "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f16", "tf32", "f32", "f64",
    "complex<f32>", "complex<f64>", "index",
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes, N_ELEMENTS = sizeof elements / sizeof *elements };

static void check_data(const tess_attr *a)
{
	size_t bytes;
	bool splat;
	const void *data = tess_attr_data(a, &bytes, &splat);
	const tess_type *t = tess_attr_get_type(a);
	if (!data)
		return;
	size_t n = 1, one = (size_t)tess_dtype_bytes(tess_type_dtype(t));
	for (int i = 0; i < tess_type_rank(t) && !splat; i++)
		n *= (size_t)tess_type_dim(t, i);
	MUST(bytes == n * one);
	for (size_t i = 0; i < bytes; i++)
		(void)((const volatile char *)data)[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	char *text = malloc(size + 80);
	int n = sprintf(text, "dense<");
	memcpy(text + n, data + 1, size - 1);
	n += (int)size - 1;
	n += sprintf(text + n, "> : tensor<%s%s>", shapes[data[0] / N_ELEMENTS % N_SHAPES],
	             elements[data[0] % N_ELEMENTS]);
	tess_ctx *ctx = tess_ctx_new(NULL);
	const tess_attr *a = tess_attr_parse(ctx, (tess_str){text, (size_t)n});
	MUST(a || tess_diag_errors(ctx) > 0);
	if (a) {
		check_data(a);
		MUST(tess_attr_parse(ctx, lent(tess_attr_print(ctx, a))) == a);
	}
	tess_ctx_free(ctx);
	free(text);
	return 0;
}
