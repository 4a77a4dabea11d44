/* build_fixture.h - for tests that build programs. */
#ifndef TESS_BUILD_FIXTURE_H
#define TESS_BUILD_FIXTURE_H

#include "module_fixture.h"

#include <tessera/build.h>

static const tess_attr *attr(const char *text) { return tess_attr_parse(ctx, str(text)); }
static const tess_type *type(const char *text) { return tess_type_parse(ctx, str(text)); }

/* Makes a function with arguments of these types, and a builder in it. */
static tess_builder *in_function(tess_module *m, const char *const *types, size_t n,
                                 const char *result, tess_value **args)
{
	const tess_type *in[8], *out = type(result);
	for (size_t i = 0; i < n; i++)
		assert_non_null(in[i] = type(types[i]));
	tess_builder *b = tess_builder_new(m);
	tess_op *f = tess_func_new(b, "main", in, n, &out, 1);
	assert_non_null(f);
	for (size_t i = 0; i < n; i++)
		args[i] = tess_block_arg(tess_op_body(f, 0), i);
	tess_builder_to_end(b, tess_op_body(f, 0));
	return b;
}

/* Builds an operation on the values after its text, and returns its only result. */
#define MAKE(b, text, ...)                                                                         \
	tess_build1(b, text, (tess_value *[]){__VA_ARGS__},                                        \
	            sizeof((tess_value *[]){__VA_ARGS__}) / sizeof(tess_value *))

#endif
