/* sharding_fixture.h - what the unit tests of sharding share: a context, and meshes, axes and
 * shardings from text. */
#ifndef TEST_SHARDING_FIXTURE_H
#define TEST_SHARDING_FIXTURE_H

#include "sharding/sharding.h"

/* cmocka requires these before its own header */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static tess_ctx *ctx;

static inline int fixture_open(void **state)
{
	(void)state;
	ctx = ctx_new(NULL);
	return ctx ? 0 : -1;
}

static inline int fixture_close(void **state)
{
	(void)state;
	ctx_free(ctx);
	ctx = NULL;
	return 0;
}

static inline source *text_source(const char *text)
{
	return source_new(ctx, "test", str_of(text));
}

/* Fails the test and prints the diagnostics if there are any. */
static inline void expect_no_errors(void)
{
	if (!diag_errors(ctx))
		return;
	writer w;
	writer_init(&w, &ctx->scratch);
	diag_render(ctx, &w, false);
	fail_msg("%.*s", STR_ARG(writer_str(&w)));
}

static inline const mesh *mesh_text(const char *text)
{
	uint32_t end;
	const mesh *m = mesh_parse(ctx, text_source(text), 0, &end);
	expect_no_errors();
	return m;
}

static inline const sharding *sharding_text(const char *text)
{
	uint32_t end;
	const sharding *s = sharding_parse(ctx, text_source(text), 0, &end, NULL);
	expect_no_errors();
	assert_int_equal(end, strlen(text));
	return s;
}

/* {"x", "y":(1)2} */
static inline axis_list axes_text(const char *text)
{
	uint32_t end;
	axis_list l = {0};
	axis_list_parse(ctx, text_source(text), 0, &end, &l, NULL);
	expect_no_errors();
	return l;
}

/* Returns "x" or "x":(1)2, without braces. NULL gives an empty reference (ref.axis is NULL). */
static inline axis_ref axis_text(const char *text)
{
	if (!text)
		return (axis_ref){0};
	return axes_text(arena_printf(&ctx->scratch, "{%s}", text)).ptr[0];
}

static inline const char *axes_string(axis_list l)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	axes_print(&w, l);
	put_c(&w, 0);
	return w.ptr;
}

static inline const char *sharding_string(const sharding *s)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	sharding_print(&w, s);
	put_c(&w, 0);
	return w.ptr;
}

static inline const char *mesh_string(const mesh *m)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	mesh_print(&w, m);
	put_c(&w, 0);
	return w.ptr;
}

#endif
