/* module_fixture.h - a context for each test, and parsing programs in it. */
#ifndef TESS_MODULE_FIXTURE_H
#define TESS_MODULE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../support/lent.h"
#include <cmocka.h>
#include <tessera/module.h>

static tess_ctx *ctx;

static int setup(void **state)
{
	(void)state;
	ctx = tess_ctx_new(NULL);
	return ctx ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	tess_ctx_free(ctx);
	return 0;
}

static tess_str str(const char *s) { return (tess_str){s, strlen(s)}; }

static tess_module *parsed(const char *text)
{
	tess_module *m = tess_module_parse(ctx, str(text), "test", NULL);
	if (!m) {
		tess_str why = lent(tess_diag_render(ctx, false));
		print_error("%.*s", (int)why.len, why.ptr);
	}
	assert_non_null(m);
	return m;
}

#endif
