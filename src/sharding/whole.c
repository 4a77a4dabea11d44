/* whole.c - texts that are one mesh or one sharding and nothing else, as users type them on a
 * command line: with or without "#sdy.mesh", and in short forms. */
#include "base/scan.h"
#include "sharding/sharding.h"

/* The offset after blanks and this prefix, or of the text without it. */
static uint32_t skip_prefix(scan *s, const char *prefix)
{
	uint32_t begin = scan_here(s);
	tess_str rest = {s->at, (size_t)(s->end - s->at)};
	return str_starts(rest, prefix) ? begin + (uint32_t)strlen(prefix) : begin;
}

static bool ends_here(tess_ctx *ctx, source *src, uint32_t at)
{
	scan s;
	scan_begin(&s, ctx, src, at);
	return !scan_peek(&s) || scan_error(&s, "the end");
}

const mesh *mesh_parse_whole(tess_ctx *ctx, source *src)
{
	scan s;
	scan_begin(&s, ctx, src, 0);
	uint32_t begin = skip_prefix(&s, "#sdy.mesh"), end;
	bool full = begin > scan_here(&s) || scan_peek(&s) == '<';
	const mesh *m = full ? mesh_parse(ctx, src, begin, &end)
	                     : mesh_parse_short(ctx, src, begin, &end);
	return m && ends_here(ctx, src, end) ? m : NULL;
}

const sharding *sharding_parse_whole(tess_ctx *ctx, source *src, const mesh *m,
                                     sharding_places *places)
{
	scan s;
	scan_begin(&s, ctx, src, 0);
	uint32_t begin = skip_prefix(&s, "#sdy.sharding"), end;
	bool full = scan_peek(&s) != '[';
	if (!full && !m) {
		scan_fail(&s, scan_since(&s, begin), E_SHARDING_MESH,
		          "dimensions alone need a mesh beside them", STR(""));
		return NULL;
	}
	const sharding *out =
		full ? sharding_parse(ctx, src, begin, &end, places)
		     : sharding_parse_on(ctx, src, begin, &end, (mesh_ref){.inlined = m}, places);
	return out && ends_here(ctx, src, end) ? out : NULL;
}
