/* hlo_sharding.c - the public functions of XLA's shardings. */
#include <tessera/hlo.h>

#include "api/frame.h"
#include "hlo/hlo.h"

/* ---- text ------------------------------------------------------------------- */

/* True if only blanks follow. */
static bool rest_is_blank(tess_ctx *ctx, source *src, uint32_t at)
{
	for (; at < src->text.len; at++)
		if (!memchr(" \t\r\n", src->text.ptr[at], 4))
			return diag_error(ctx, (place){src, at, at + 1}, E_SHARDING_SYNTAX,
			                  "expected nothing after the sharding");
	return true;
}

static const hlo_sharding *hlo_sharding_read(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = text.ptr ? text : STR(""), .first_line = 1};
	uint32_t end;
	const hlo_sharding *s = hlo_sharding_parse(ctx, &src, 0, &end);
	return s && rest_is_blank(ctx, &src, end) ? s : NULL;
}

const tess_hlo_sharding *tess_hlo_sharding_parse(tess_ctx *ctx, tess_str text)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = hlo_sharding_read(ctx, text);
	return frame_made(&f);
}

tess_str tess_hlo_sharding_text(const tess_hlo_sharding *s)
{
	return s ? name_str(s->text) : (tess_str){0};
}

/* ---- properties ----------------------------------------------------------------------------- */

tess_hlo_sharding_kind tess_hlo_sharding_kind_of(const tess_hlo_sharding *s)
{
	return s ? (tess_hlo_sharding_kind)s->kind : TESS_HLO_SHARDING_UNKNOWN;
}

size_t tess_hlo_sharding_part_count(const tess_hlo_sharding *s)
{
	return s ? (size_t)s->n_parts : 0;
}

const tess_hlo_sharding *tess_hlo_sharding_part(const tess_hlo_sharding *s, size_t i)
{
	return i < tess_hlo_sharding_part_count(s) ? s->parts[i] : NULL;
}

bool tess_hlo_sharding_is_named(const tess_hlo_sharding *s) { return s && s->named; }

const tess_hlo_sharding *tess_hlo_sharding_v2(tess_ctx *ctx, const tess_hlo_sharding *s)
{
	frame f;
	if (!ctx || !s)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = hlo_sharding_v2(ctx, s);
	return frame_made(&f);
}

int tess_hlo_sharding_tiles(const tess_hlo_sharding *s, int64_t *out, int cap)
{
	for (int i = 0; s && out && i < s->rank && i < cap; i++)
		out[i] = s->tiles[i];
	return s ? s->rank : 0;
}

size_t tess_hlo_sharding_subgroups(const tess_hlo_sharding *s, tess_hlo_subgroup *out, size_t cap)
{
	size_t n = s ? (size_t)s->n_subgroups : 0;
	for (size_t i = 0; out && i < n && i < cap; i++)
		out[i] = (tess_hlo_subgroup)s->subgroups[i];
	return n;
}

size_t tess_hlo_sharding_devices(const tess_hlo_sharding *s, int64_t *out, size_t cap)
{
	size_t n = s ? (size_t)s->devices.n : 0;
	for (size_t i = 0; out && i < n && i < cap; i++)
		out[i] = device_array_at(&s->devices, (int64_t)i);
	return n;
}

bool tess_hlo_sharding_is_iota(const tess_hlo_sharding *s) { return s && s->devices.n_iota > 0; }

/* ---- meaning -------------------------------------------------------------------- */

tess_status tess_hlo_sharding_same(tess_ctx *ctx, const tess_hlo_sharding *a,
                                   const tess_hlo_sharding *b)
{
	frame f;
	if (!ctx || !a || !b)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = hlo_sharding_same(ctx, a, b) ? TESS_OK : TESS_FAILED;
	return frame_end(&f);
}

tess_status tess_hlo_sharding_same_placement(tess_ctx *ctx, const tess_hlo_sharding *a,
                                             const tess_hlo_sharding *b)
{
	frame f;
	if (!ctx || !a || !b)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = hlo_sharding_same_placement(ctx, a, b) ? TESS_OK : TESS_FAILED;
	return frame_end(&f);
}

const tess_shape *tess_hlo_sharding_tile_shape(tess_ctx *ctx, const tess_hlo_sharding *s,
                                               const tess_shape *whole)
{
	frame f;
	if (!ctx || !s || !whole)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = hlo_sharding_tile_shape(ctx, s, whole);
	return frame_made(&f);
}

tess_status tess_hlo_sharding_box(tess_ctx *ctx, const tess_hlo_sharding *s,
                                  const tess_shape *whole, int64_t device, int64_t *begin,
                                  int64_t *end)
{
	frame f;
	if (!ctx || !s || !whole || !begin || !end)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = hlo_sharding_box(ctx, s, whole, device, begin, end) ? TESS_OK
		                                                               : TESS_FAILED;
	return frame_end(&f);
}

/* ---- sdy ---------------------------------------------------------------------------- */

static const hlo_sharding *from_sdy(tess_ctx *ctx, const sharding *s, const mesh *given)
{
	const mesh *m = given ? mesh_plain(ctx, given) : s->mesh.inlined;
	sharding_places at = {0};
	if (!m) {
		diag_error(ctx, NOWHERE, E_SHARDING_MESH,
		           "the sharding names its mesh: give the mesh too");
		return NULL;
	}
	if (!sharding_verify(ctx, s, m, TESS_ANY_RANK, &at))
		return NULL;
	return hlo_sharding_v2(ctx, hlo_sharding_named(ctx, m, s, (axis_list){0}));
}

const tess_hlo_sharding *tess_hlo_sharding_from_sdy(tess_ctx *ctx, const tess_sharding *s,
                                                    const tess_mesh *m)
{
	frame f;
	if (!ctx || !s)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = from_sdy(ctx, s, m);
	return frame_made(&f);
}

const tess_sharding *tess_hlo_sharding_to_sdy(tess_ctx *ctx, const tess_hlo_sharding *s, int rank,
                                              const tess_mesh *hint)
{
	const mesh *made;
	frame f;
	if (!ctx || !s)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = hlo_sharding_to_sdy(ctx, s, rank, hint ? mesh_plain(ctx, hint) : NULL,
		                             &made);
	return frame_made(&f);
}
