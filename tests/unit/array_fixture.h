/* array_fixture.h - what the tests of array programs share. */
#ifndef TESS_ARRAY_FIXTURE_H
#define TESS_ARRAY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../support/meshes.h"
#include <cmocka.h>
#include <tessera/array.h>

enum { N = 32 }; /* elements of a matrix of 8 x 4 */

/* Returns a context with a mesh X=4, Y=2, both Explicit. */
static inline tess_ctx *context(void)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	const char *names[] = {"X", "Y"};
	int64_t sizes[] = {4, 2};
	assert_non_null(ctx);
	assert_int_equal(tess_array_set_mesh(ctx, jax_mesh(ctx, sizes, 2, names, 2, NULL, 0)),
	                 TESS_OK);
	return ctx;
}

static inline bool text_has(tess_str text, const char *part)
{
	for (size_t i = 0; i + strlen(part) <= text.len; i++)
		if (memcmp(text.ptr + i, part, strlen(part)) == 0)
			return true;
	return false;
}

/* Expects that the first diagnostic contains `part`, and clears all. */
static inline void said(tess_ctx *ctx, const char *part)
{
	tess_diag d;
	assert_true(tess_diag_count(ctx) > 0);
	assert_true(tess_diag_get(ctx, 0, &d));
	if (!text_has(d.message, part))
		fail_msg("\"%.*s\" lacks \"%s\"", (int)d.message.len, d.message.ptr, part);
	tess_diag_clear(ctx);
}

#endif
