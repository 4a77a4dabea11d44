/* fuzz_attr.c - any text as an attribute and as a type: no crash, and accepted input prints as text
 * with the same meaning. */
#include "fuzz.h"

#include <string.h>
#include <tessera/attr.h>

/* Calls the getters, which must accept any attribute. */
static void ask(tess_ctx *ctx, const tess_attr *a, int depth)
{
	const int64_t *v;
	size_t bytes, n;
	bool splat;
	tess_str file;
	uint32_t line, col;
	tess_attr_kind_of(a);
	tess_attr_get_int(a, 0);
	tess_attr_get_float(a);
	tess_attr_text(a);
	tess_attr_get_type(a);
	tess_attr_get_location(a, &file, &line, &col);
	v = tess_attr_get_numbers(ctx, a, &n);
	for (size_t i = 0; i < n && i < 64; i++)
		(void)*(volatile const int64_t *)&v[i];
	if (tess_attr_data(a, &bytes, &splat))
		MUST(bytes <= SIZE_MAX / 2);
	for (size_t i = 0; i < tess_attr_count(a) && depth < 4; i++) {
		tess_attr_key(a, i);
		if (tess_attr_item(a, i))
			ask(ctx, tess_attr_item(a, i), depth + 1);
	}
}

static void ask_type(const tess_type *t)
{
	tess_type_kind_of(t);
	tess_type_dtype(t);
	for (int i = 0; i < tess_type_rank(t); i++)
		MUST(tess_type_dim(t, i) != -1);
	for (size_t i = 0; i < tess_type_in_count(t); i++)
		MUST(tess_type_in(t, i));
	for (size_t i = 0; i < tess_type_out_count(t); i++)
		MUST(tess_type_out(t, i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_str text = {(const char *)data, size};
	const tess_attr *a = tess_attr_parse(ctx, text);
	MUST(a || tess_diag_errors(ctx) > 0);
	if (a) {
		ask(ctx, a, 0);
		MUST(tess_attr_parse(ctx, lent(tess_attr_print(ctx, a))) == a);
	}
	tess_diag_clear(ctx);
	const tess_type *t = tess_type_parse(ctx, text);
	MUST(t || tess_diag_errors(ctx) > 0);
	if (t) {
		ask_type(t);
		MUST(tess_type_parse(ctx, lent(tess_type_print(ctx, t))) == t);
	}
	tess_ctx_free(ctx);
	return 0;
}
