/* hlo_sharding.c - the public side of XLA's shardings. */
#include <tessera/hlo.h>

#include "api/frame.h"
#include "hlo/hlo.h"

typedef struct hlo_sharding_call {
	tess_str text;
	const mesh *mesh;
	const sharding *sdy;
	const hlo_sharding *a, *b, *out;
	const shape *whole, *out_shape;
	int64_t device, *begin, *end;
	int rank;
	bool yes;
} hlo_sharding_call;

static const hlo_sharding *hlo_sharding_result(tess_ctx *ctx, frame_fn *fn, hlo_sharding_call *c)
{
	return frame_run(ctx, fn, c) == TESS_OK ? c->out : NULL;
}

static bool hlo_sharding_answer(tess_ctx *ctx, frame_fn *fn, hlo_sharding_call *c)
{
	return frame_run(ctx, fn, c) == TESS_OK && c->yes;
}

/* ---- text ------------------------------------------------------------------- */

/* Whether nothing but blanks follows. */
static bool rest_is_blank(tess_ctx *ctx, source *src, uint32_t at)
{
	for (; at < src->text.len; at++)
		if (!memchr(" \t\r\n", src->text.ptr[at], 4))
			return diag_error(ctx, (place){src, at, at + 1}, E_SHARDING_SYNTAX,
			                  "expected nothing after the sharding");
	return true;
}

static tess_status hlo_sharding_parse_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	source src = {.name = "", .text = c->text, .first_line = 1};
	uint32_t end;
	c->out = hlo_sharding_parse(ctx, &src, 0, &end);
	return c->out && rest_is_blank(ctx, &src, end) ? TESS_OK : TESS_INVALID;
}

const tess_hlo_sharding *tess_hlo_sharding_parse(tess_ctx *ctx, tess_str text)
{
	return hlo_sharding_result(ctx, hlo_sharding_parse_body,
	                           &(hlo_sharding_call){.text = text});
}

tess_str tess_hlo_sharding_text(const tess_hlo_sharding *s) { return name_str(s->text); }

/* ---- looking ------------------------------------------------------------------ */

tess_hlo_sharding_kind tess_hlo_sharding_kind_of(const tess_hlo_sharding *s)
{
	return (tess_hlo_sharding_kind)s->kind;
}

int tess_hlo_sharding_parts(const tess_hlo_sharding *s) { return s->n_parts; }

const tess_hlo_sharding *tess_hlo_sharding_part(const tess_hlo_sharding *s, int i)
{
	return i >= 0 && i < s->n_parts ? s->parts[i] : NULL;
}

bool tess_hlo_sharding_is_named(const tess_hlo_sharding *s) { return s->named; }

static tess_status v2_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	c->out = hlo_sharding_v2(ctx, c->a);
	return c->out ? TESS_OK : TESS_INVALID;
}

const tess_hlo_sharding *tess_hlo_sharding_v2(tess_ctx *ctx, const tess_hlo_sharding *s)
{
	return hlo_sharding_result(ctx, v2_body, &(hlo_sharding_call){.a = s});
}

int tess_hlo_sharding_tiles(const tess_hlo_sharding *s, int64_t *out, int cap)
{
	for (int i = 0; i < s->rank && i < cap; i++)
		out[i] = s->tiles[i];
	return s->rank;
}

int tess_hlo_sharding_subgroups(const tess_hlo_sharding *s, tess_hlo_subgroup *out, int cap)
{
	for (int i = 0; i < s->n_subgroups && i < cap; i++)
		out[i] = (tess_hlo_subgroup)s->subgroups[i];
	return s->n_subgroups;
}

int64_t tess_hlo_sharding_devices(const tess_hlo_sharding *s, int64_t *out, int64_t cap)
{
	for (int64_t i = 0; i < s->devices.n && i < cap; i++)
		out[i] = device_array_at(&s->devices, i);
	return s->devices.n;
}

bool tess_hlo_sharding_is_iota(const tess_hlo_sharding *s) { return s->devices.n_iota > 0; }

/* ---- meaning -------------------------------------------------------------------- */

static tess_status same_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	c->yes = hlo_sharding_same(ctx, c->a, c->b);
	return TESS_OK;
}

bool tess_hlo_sharding_same(tess_ctx *ctx, const tess_hlo_sharding *a, const tess_hlo_sharding *b)
{
	return hlo_sharding_answer(ctx, same_body, &(hlo_sharding_call){.a = a, .b = b});
}

static tess_status same_placement_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	c->yes = hlo_sharding_same_placement(ctx, c->a, c->b);
	return TESS_OK;
}

bool tess_hlo_sharding_same_placement(tess_ctx *ctx, const tess_hlo_sharding *a,
                                      const tess_hlo_sharding *b)
{
	return hlo_sharding_answer(ctx, same_placement_body, &(hlo_sharding_call){.a = a, .b = b});
}

static tess_status tile_shape_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	c->out_shape = hlo_sharding_tile_shape(ctx, c->a, c->whole);
	return c->out_shape ? TESS_OK : TESS_INVALID;
}

const tess_shape *tess_hlo_sharding_tile_shape(tess_ctx *ctx, const tess_hlo_sharding *s,
                                               const tess_shape *whole)
{
	hlo_sharding_call c = {.a = s, .whole = whole};
	return frame_run(ctx, tile_shape_body, &c) == TESS_OK ? c.out_shape : NULL;
}

static tess_status box_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	c->yes = hlo_sharding_box(ctx, c->a, c->whole, c->device, c->begin, c->end);
	return TESS_OK;
}

bool tess_hlo_sharding_box(tess_ctx *ctx, const tess_hlo_sharding *s, const tess_shape *whole,
                           int64_t device, int64_t *begin, int64_t *end)
{
	hlo_sharding_call c = {
		.a = s, .whole = whole, .device = device, .begin = begin, .end = end};
	return hlo_sharding_answer(ctx, box_body, &c);
}

/* ---- sdy ---------------------------------------------------------------------------- */

static tess_status from_sdy_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	const mesh *m = c->mesh ? c->mesh : c->sdy->mesh.inlined;
	sharding_places at = {0};
	if (!m) {
		diag_error(ctx, NOWHERE, E_SHARDING_MESH,
		           "the sharding names its mesh: give the mesh too");
		return TESS_INVALID;
	}
	if (!sharding_verify(ctx, c->sdy, m, -1, &at))
		return TESS_INVALID;
	c->out = hlo_sharding_v2(ctx, hlo_sharding_named(ctx, m, c->sdy, (axis_list){0}));
	return c->out ? TESS_OK : TESS_INVALID;
}

const tess_hlo_sharding *tess_hlo_sharding_from_sdy(tess_ctx *ctx, const tess_sharding *s,
                                                    const tess_mesh *m)
{
	hlo_sharding_call c = {.sdy = (const sharding *)s, .mesh = (const mesh *)m};
	return hlo_sharding_result(ctx, from_sdy_body, &c);
}

static tess_status to_sdy_body(tess_ctx *ctx, void *arg)
{
	hlo_sharding_call *c = arg;
	const mesh *made;
	c->sdy = hlo_sharding_to_sdy(ctx, c->a, c->rank, c->mesh, &made);
	return c->sdy ? TESS_OK : TESS_INVALID;
}

const tess_sharding *tess_hlo_sharding_to_sdy(tess_ctx *ctx, const tess_hlo_sharding *s, int rank,
                                              const tess_mesh *hint)
{
	hlo_sharding_call c = {.a = s, .rank = rank, .mesh = (const mesh *)hint};
	return frame_run(ctx, to_sdy_body, &c) == TESS_OK ? (const tess_sharding *)c.sdy : NULL;
}
