/* without_hlo.c - replaces hlo in a library that is built without it. */
#include "api/without.h"
#include "base/scan.h"
#include "hlo/hlo.h"

static bool report_without(tess_ctx *ctx, source *src, const char *what)
{
	place at = {src, 0, 0};
	diag_error(ctx, src ? at : NOWHERE, E_BUILT_WITHOUT,
	                   "%s, and this library was built without HLO: build it with -DTESS_HLO=ON",
	                   what);
	return false;
}

bool hlo_is_text(tess_ctx *ctx, tess_str text)
{
	static const scan_rules rules = {.in_words = ".-", .block_comments = true};
	source src = {.name = "", .text = text, .first_line = 1};
	scan s;
	scan_begin(&s, ctx, &src, 0);
	s.rules = &rules;
	return scan_accept_word(&s, "HloModule");
}

/* A proto is rejected like any other binary file. */
bool hlo_is_proto(tess_ctx *ctx, tess_str text)
{
	UNUSED(ctx);
	UNUSED(text);
	return false;
}

bool hlo_is_module(const module *m)
{
	UNUSED(m);
	return false;
}

bool hlo_write_proto(writer *w, const module *m)
{
	UNUSED(w);
	return report_without(m->ctx, NULL, "this is a module of HLO");
}

module *hlo_of_proto(tess_ctx *ctx, source *src) { return hlo_parse(ctx, src); }

module *hlo_parse(tess_ctx *ctx, source *src)
{
	report_without(ctx, src, "this is HLO text");
	return NULL;
}

module *hlo_to_stablehlo(const module *m, const hlo_raise_opts *opts)
{
	UNUSED(opts);
	report_without(m->ctx, NULL, "this is a module of HLO");
	return NULL;
}

bool module_take_texts(module *m, tess_str text, const attr_texts *texts)
{
	static const char word[] = "mhlo.sharding";
	UNUSED(texts);
	return module_has(m, OP_SDY_MESH) || !memmem(text.ptr, text.len, word, sizeof word - 1) ||
	       report_without(m->ctx, NULL, "the shardings of this program are texts of HLO");
}
