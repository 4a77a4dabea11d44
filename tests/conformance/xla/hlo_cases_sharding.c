/* hlo_cases_sharding.c - checks of HloShardings. */
#include "../../support/lent.h"
#include "hlo_cases.h"

enum { DEVICES_MAX = 4096 };

static const tess_hlo_sharding *parse_sharding(hlo_case *c, tess_str text)
{
	const tess_hlo_sharding *s = tess_hlo_sharding_parse(c->ctx, text);
	if (!s)
		snprintf(c->why, sizeof c->why, "%.*s is refused", (int)text.len, text.ptr);
	return s;
}

/* ---- text and fields ---------------------------------------------------------- */

static bool check_flag(hlo_case *c, const json_value *ok, const char *key, bool got)
{
	const json_value *want = json_get(ok, key);
	if (!want || want->kind != J_BOOL ||
	    want->yes == got) /* no answer: XLA dies of the question */
		return true;
	return unlike_number(c, key, got, want->yes);
}

/* A tuple is what all of its parts are; but tiled if any of them is. */
static bool kind_is(const tess_hlo_sharding *s, tess_hlo_sharding_kind kind)
{
	int n = tess_hlo_sharding_part_count(s), count = 0;
	if (tess_hlo_sharding_kind_of(s) != TESS_HLO_SHARDING_TUPLE)
		return tess_hlo_sharding_kind_of(s) == kind;
	for (int i = 0; i < n; i++)
		count += kind_is(tess_hlo_sharding_part(s, i), kind);
	return kind == TESS_HLO_SHARDING_TILED ? count > 0 : count == n;
}

static bool check_kinds(hlo_case *c, const tess_hlo_sharding *v2, const json_value *ok)
{
	return check_flag(c, ok, "is_replicated", kind_is(v2, TESS_HLO_SHARDING_REPLICATED)) &&
	       check_flag(c, ok, "is_manual", kind_is(v2, TESS_HLO_SHARDING_MANUAL)) &&
	       check_flag(c, ok, "is_unknown", kind_is(v2, TESS_HLO_SHARDING_UNKNOWN)) &&
	       check_flag(c, ok, "is_unreduced", kind_is(v2, TESS_HLO_SHARDING_UNREDUCED)) &&
	       check_flag(c, ok, "is_tiled", kind_is(v2, TESS_HLO_SHARDING_TILED));
}

/* Upstream's numbers of the subgroup types. */
static int64_t type_number(tess_hlo_subgroup t)
{
	return t == TESS_HLO_SUBGROUP_MANUAL ? 4 : t == TESS_HLO_SUBGROUP_UNREDUCED ? 6 : 0;
}

static bool check_subgroups(hlo_case *c, const tess_hlo_sharding *s, const json_value *ok)
{
	tess_hlo_subgroup types[8];
	int64_t got[8], want[8];
	int n = tess_hlo_sharding_subgroups(s, types, 8);
	bool replicate_last = n == 1 && types[0] == TESS_HLO_SUBGROUP_REPLICATED;
	if (!check_flag(c, ok, "replicate_on_last_tile_dim", replicate_last))
		return false;
	int n_want = json_ints(ok, "subgroup_types", want, 8);
	if (n_want < 0 || replicate_last)
		return true;
	for (int i = 0; i < n; i++)
		got[i] = type_number(types[i]);
	return numbers_are(c, "subgroup type", got, n, want, n_want);
}

static bool check_devices(hlo_case *c, const tess_hlo_sharding *s, const json_value *ok)
{
	static int64_t got[DEVICES_MAX], want[DEVICES_MAX];
	const json_value *count = json_get(ok, "num_devices");
	if (!count || count->kind != J_NUMBER)
		return true;
	int n = (int)tess_hlo_sharding_devices(s, got, DEVICES_MAX);
	int n_want = json_ints(ok, "tile_assignment_devices", want, DEVICES_MAX);
	if (count->integer != n)
		return unlike_number(c, "number of devices", n, count->integer);
	if (!numbers_are(c, "device", got, n, want, n_want))
		return false;
	int rank = tess_hlo_sharding_tiles(s, got, DEVICES_MAX);
	n_want = json_ints(ok, "tile_assignment_dimensions", want, DEVICES_MAX);
	if (n && !numbers_are(c, "tiles along a dimension", got, rank, want, n_want))
		return false;
	return check_flag(c, ok, "is_tile_assignment_iota", tess_hlo_sharding_is_iota(s));
}

/* XLA's factors of a tiling are the axes of the mesh that we make of it. */
static bool check_axis_sizes(hlo_case *c, const tess_hlo_sharding *s, const json_value *ok)
{
	int64_t want[64], got[64];
	tess_hlo_subgroup types[8];
	int n_want = json_ints(ok, "get_axis_sizes", want, 64), n = 0;
	if (n_want < 0)
		return true;
	int rank = tess_hlo_sharding_tiles(s, NULL, 0) - tess_hlo_sharding_subgroups(s, types, 8);
	const tess_sharding *sdy = tess_hlo_sharding_to_sdy(c->ctx, s, rank, NULL);
	const tess_mesh *mesh = sdy ? tess_sharding_mesh(sdy) : NULL;
	tess_mesh_axis axis;
	for (; mesh && tess_mesh_axis_get(mesh, (size_t)n, &axis); n++)
		got[n] = axis.size;
	if (!numbers_are(c, "size of an axis", got, n, want, n_want))
		return false;
	const tess_hlo_sharding *back = tess_hlo_sharding_from_sdy(c->ctx, sdy, NULL);
	tess_hlo_subgroup first = TESS_HLO_SUBGROUP_REPLICATED;
	tess_hlo_sharding_subgroups(s, &first, 1);
	if (first ==
	    TESS_HLO_SUBGROUP_MANUAL) /* which axes are manual is no part of a value's sharding */
		return true;
	return tess_hlo_sharding_same_placement(c->ctx, s, back) == TESS_OK ||
	       unlike(c, "sharding made from its names", tess_hlo_sharding_text(back),
	              tess_hlo_sharding_text(s));
}

bool check_sharding_parse(hlo_case *c)
{
	const json_value *ok = json_get(c->json, "ok");
	const tess_hlo_sharding *s = tess_hlo_sharding_parse(c->ctx, json_text(c->json, "input"));
	if (!ok || c->differs)
		return is_refused(c, s != NULL);
	if (!s)
		return unlike(c, "sharding", (tess_str){"refused", 7}, json_text(ok, "print"));
	if (!texts_equal(tess_hlo_sharding_text(s), json_text(ok, "print")))
		return unlike(c, "text", tess_hlo_sharding_text(s), json_text(ok, "print"));
	if (tess_hlo_sharding_parse(c->ctx, json_text(ok, "print")) != s)
		return unlike(c, "sharding read from its text", (tess_str){"another", 7},
		              json_text(ok, "print"));
	const tess_hlo_sharding *v2 = tess_hlo_sharding_v2(c->ctx, s);
	if (!v2 || !texts_equal(tess_hlo_sharding_text(v2), json_text(ok, "v2")))
		return unlike(c, "V2", v2 ? tess_hlo_sharding_text(v2) : (tess_str){"none", 4},
		              json_text(ok, "v2"));
	return check_kinds(c, v2, ok) && check_subgroups(c, v2, ok) && check_devices(c, v2, ok) &&
	       check_axis_sizes(c, v2, ok);
}

/* ---- meaning ---------------------------------------------------------------------- */

bool check_tile_shape(hlo_case *c)
{
	const tess_hlo_sharding *s = parse_sharding(c, json_text(c->json, "sharding"));
	const tess_shape *whole = tess_shape_parse(c->ctx, json_text(c->json, "shape"));
	if (!s || !whole)
		return false;
	const tess_shape *tile = tess_hlo_sharding_tile_shape(c->ctx, s, whole);
	if (json_get(c->json, "crash") || c->differs)
		return is_refused(c, tile != NULL);
	tess_str want = json_text(c->json, "ok"), text = {"refused", 7};
	if (tile)
		text = lent(tess_shape_print(c->ctx, tile, true));
	return texts_equal(text, want) || unlike(c, "tile", text, want);
}

static bool check_same(hlo_case *c, const char *a, const char *b, bool want)
{
	const tess_hlo_sharding *x = parse_sharding(c, json_text(c->json, a));
	const tess_hlo_sharding *y = parse_sharding(c, json_text(c->json, b));
	if (!x || !y)
		return false;
	bool got = tess_hlo_sharding_same(c->ctx, x, y) == TESS_OK;
	return got == want || unlike_number(c, "equality", got, want);
}

bool check_sharding_equal(hlo_case *c) { return check_same(c, "a", "b", json_yes(c->json, "ok")); }
bool check_torch(hlo_case *c) { return check_same(c, "v1", "v2", json_yes(c->json, "equal")); }

/* ---- partition specs ----------------------------------------------------------------- */

/* "x=2,y=4" of {"axes": {"x": 2, "y": 4}} */
static const tess_mesh *case_mesh(hlo_case *c)
{
	char text[500] = "";
	const json_value *axis = json_get(json_get(c->json, "mesh"), "axes")->first;
	for (size_t at = 0; axis; axis = axis->next)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%.*s=%" PRId64,
		                       at ? "," : "", (int)axis->key.len, axis->key.ptr,
		                       axis->integer);
	return tess_mesh_parse(c->ctx, (tess_str){text, strlen(text)}, "mesh");
}

/* [{"x"}, {"y"}] of SdyArray([{'x'}, {'y'}]) */
static const tess_sharding *case_sdy(hlo_case *c, const tess_mesh *mesh)
{
	char text[500];
	tess_str sdy = json_text(c->json, "sdy");
	size_t n = 0;
	for (size_t i = strlen("SdyArray("); i + 1 < sdy.len && n < sizeof text; i++)
		text[n++] = sdy.ptr[i] == '\'' ? '"' : sdy.ptr[i];
	return tess_sharding_parse(c->ctx, (tess_str){text, n}, "sdy", mesh, TESS_ANY_RANK);
}

/* Devices of the spec are positions; shards are told by device. */
static bool check_boxes(hlo_case *c, const tess_hlo_sharding *s, int rank)
{
	int64_t ids[64], begin[8], end[8], sizes[8];
	int n = json_ints(json_get(c->json, "mesh"), "device_ids", ids, 64);
	for (int i = 0; i < rank; i++)
		sizes[i] = 8;
	const tess_shape *whole = tess_shape_array(c->ctx, TESS_F32, sizes, rank);
	for (int position = 0; position < n; position++) {
		char key[24];
		snprintf(key, sizeof key, "%" PRId64, ids[position]);
		const json_value *box = json_get(json_get(c->json, "shards"), key);
		if (!box ||
		    tess_hlo_sharding_box(c->ctx, s, whole, position, begin, end) != TESS_OK)
			return unlike_number(c, "number of devices with a box", position, n);
		box = box->first;
		for (int i = 0; i < rank; i++, box = box->next)
			if (begin[i] != box->first->integer || end[i] != box->first->next->integer)
				return unlike_number(c, "begin of a box", begin[i],
				                     box->first->integer);
	}
	return true;
}

/* P('x', None, ('y', 'z')), without None at the end */
static void spec_text(const tess_sharding *s, int rank, char *out, size_t room)
{
	size_t at = (size_t)snprintf(out, room, "P(");
	int last = rank;
	while (last > 0 && tess_sharding_axis_count(s, last - 1) == 0)
		last--;
	for (int d = 0; d < last; d++) {
		size_t n = tess_sharding_axis_count(s, d);
		at += (size_t)snprintf(out + at, room - at, "%s%s", d ? ", " : "",
		                       n == 0 ? "None" : n > 1 ? "(" : "");
		for (size_t i = 0; i < n; i++) {
			tess_axis a;
			tess_sharding_axis_get(s, d, i, &a);
			at += (size_t)snprintf(out + at, room - at, "%s'%.*s'", i ? ", " : "",
			                       (int)a.name.len, a.name.ptr);
		}
		if (n > 1)
			at += (size_t)snprintf(out + at, room - at, ")");
	}
	snprintf(out + at, room - at, last == 1 ? ",)" : ")");
}

bool check_pspec(hlo_case *c)
{
	char spec[200];
	const tess_mesh *mesh = case_mesh(c);
	const tess_sharding *sdy = case_sdy(c, mesh);
	int rank = (int)json_get(c->json, "rank")->integer;
	const tess_hlo_sharding *s = sdy ? tess_hlo_sharding_from_sdy(c->ctx, sdy, mesh) : NULL;
	if (!s || !texts_equal(tess_hlo_sharding_text(s), json_text(c->json, "hlo")))
		return unlike(c, "sharding", s ? tess_hlo_sharding_text(s) : (tess_str){"none", 4},
		              json_text(c->json, "hlo"));
	const tess_sharding *back = tess_hlo_sharding_to_sdy(c->ctx, s, rank, mesh);
	if (!back)
		return unlike(c, "way back", (tess_str){"none", 4}, json_text(c->json, "back"));
	spec_text(back, rank, spec, sizeof spec);
	tess_str got = {spec, strlen(spec)};
	if (!texts_equal(got, json_text(c->json, "back")))
		return unlike(c, "way back", got, json_text(c->json, "back"));
	return check_boxes(c, s, rank);
}
