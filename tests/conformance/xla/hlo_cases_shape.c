/* hlo_cases_shape.c - checks of shapes, layouts, sizes and positions. */
#include "../../support/lent.h"
#include "hlo_cases.h"

enum { MAP_MAX = 1 << 16 };

static const tess_shape *case_shape(hlo_case *c, const char *key)
{
	const tess_shape *s = tess_shape_parse(c->ctx, json_text(c->json, key));
	if (!s)
		snprintf(c->why, sizeof c->why, "\"%s\" is refused", key);
	return s;
}

/* ---- text ------------------------------------------------------------------- */

static bool check_tiles(hlo_case *c, const tess_shape *s, const json_value *ok)
{
	const json_value *tiles = json_get(ok, "tiles");
	const tess_layout *l = tess_shape_layout(s);
	if (!tiles)
		return true;
	if ((int)tess_layout_tile_count(l) != tiles->n)
		return unlike_number(c, "number of tiles", tess_layout_tile_count(l), tiles->n);
	int i = 0;
	for (const json_value *t = tiles->first; t; t = t->next, i++) {
		int64_t got[TESS_MAX_RANK];
		int k = 0, n = tess_layout_tile(l, i, got, TESS_MAX_RANK);
		if (n != t->n)
			return unlike_number(c, "rank of a tile", n, t->n);
		for (const json_value *v = t->first; v; v = v->next, k++)
			if (got[k] != v->integer)
				return unlike_number(c, "size of a tile", got[k], v->integer);
	}
	return true;
}

static bool check_dims(hlo_case *c, const tess_shape *s, const json_value *ok)
{
	const json_value *dim = json_get(ok, "dims"), *dynamic = json_get(ok, "dynamic");
	if (!dim || tess_shape_kind_of(s) == TESS_SHAPE_TUPLE)
		return true;
	if (tess_shape_rank(s) != dim->n)
		return unlike_number(c, "rank", tess_shape_rank(s), dim->n);
	dim = dim->first;
	dynamic = dynamic ? dynamic->first : NULL;
	for (int i = 0; dim; i++, dim = dim->next, dynamic = dynamic ? dynamic->next : NULL) {
		if (tess_shape_dim(s, i) != dim->integer)
			return unlike_number(c, "dimension", tess_shape_dim(s, i), dim->integer);
		if (dynamic && tess_shape_dim_is_dynamic(s, i) != dynamic->yes)
			return unlike_number(c, "dynamic", !dynamic->yes, dynamic->yes);
	}
	return true;
}

static bool check_layout(hlo_case *c, const tess_shape *s, const json_value *ok)
{
	int64_t want[TESS_MAX_RANK];
	int got[TESS_MAX_RANK];
	const tess_layout *l = tess_shape_layout(s);
	if (!json_text(ok, "layout").len)
		return true;
	tess_str text = lent(tess_layout_print(c->ctx, l));
	if (!texts_equal(text, json_text(ok, "layout")))
		return unlike(c, "layout", text, json_text(ok, "layout"));
	int n = json_ints(ok, "m2m", want, TESS_MAX_RANK);
	if (tess_layout_minor_to_major(l, got, TESS_MAX_RANK) != n)
		return unlike_number(c, "length of minor_to_major", n, n);
	for (int i = 0; i < n; i++)
		if (got[i] != want[i])
			return unlike_number(c, "minor_to_major", got[i], want[i]);
	const json_value *bits = json_get(ok, "ebits");
	if (bits && tess_layout_element_bits(l) != bits->integer)
		return unlike_number(c, "element bits", tess_layout_element_bits(l), bits->integer);
	return true;
}

bool check_shape_parse(hlo_case *c)
{
	const json_value *ok = json_get(c->json, "ok");
	const tess_shape *s = tess_shape_parse(c->ctx, json_text(c->json, "input"));
	if (!ok || c->differs)
		return is_refused(c, s != NULL);
	if (!s)
		return unlike(c, "shape", (tess_str){"refused", 7}, json_text(ok, "print"));
	tess_str text = lent(tess_shape_print(c->ctx, s, true));
	if (!texts_equal(text, json_text(ok, "print")))
		return unlike(c, "text", text, json_text(ok, "print"));
	if (tess_shape_parse(c->ctx, json_text(ok, "print")) != s)
		return unlike(c, "shape read from its text", (tess_str){"another", 7}, text);
	if ((int64_t)tess_shape_leaf_count(s) != json_get(ok, "leaves")->integer)
		return unlike_number(c, "leaves", tess_shape_leaf_count(s),
		                     json_get(ok, "leaves")->integer);
	if ((tess_shape_kind_of(s) == TESS_SHAPE_TUPLE) != json_yes(ok, "tuple"))
		return unlike_number(c, "being a tuple", !json_yes(ok, "tuple"),
		                     json_yes(ok, "tuple"));
	return check_dims(c, s, ok) && check_layout(c, s, ok) && check_tiles(c, s, ok);
}

/* ---- sizes ------------------------------------------------------------------ */

static bool check_bytes(hlo_case *c, tess_size_kind kind, const char *key)
{
	const tess_shape *s = case_shape(c, "shape");
	int64_t want = json_get(c->json, key)->integer;
	if (!s)
		return false;
	if (tess_shape_bytes(s, kind) != want)
		return unlike_number(c, key, tess_shape_bytes(s, kind), want);
	return true;
}

bool check_byte_size(hlo_case *c) { return check_bytes(c, TESS_SIZE_HOST, "bytes"); }
bool check_array_size(hlo_case *c) { return check_bytes(c, TESS_SIZE_PADDED, "bytes"); }

bool check_padded_size(hlo_case *c)
{
	return check_bytes(c, TESS_SIZE_PADDED, "padded_bytes") &&
	       check_bytes(c, TESS_SIZE_DATA, "unpadded_bytes");
}

/* ---- positions ----------------------------------------------------------------- */

/* The row-major number of an index. */
static int64_t number_of(const tess_shape *s, const int64_t *index)
{
	int64_t n = 0;
	for (int i = 0; i < tess_shape_rank(s); i++)
		n = n * tess_shape_dim(s, i) + index[i];
	return n;
}

static void index_of(const tess_shape *s, int64_t n, int64_t *index)
{
	for (int i = tess_shape_rank(s) - 1; i >= 0; i--) {
		index[i] = n % tess_shape_dim(s, i);
		n /= tess_shape_dim(s, i);
	}
}

bool check_tiled_map(hlo_case *c)
{
	static int64_t linear[MAP_MAX], memory[MAP_MAX], got[MAP_MAX];
	const tess_shape *s = case_shape(c, "shape");
	int64_t index[TESS_MAX_RANK], padded = json_get(c->json, "padded_elements")->integer;
	if (!s)
		return false;
	int n = json_ints(c->json, "linear_of_row_major", linear, MAP_MAX);
	int m = json_ints(c->json, "memory", memory, MAP_MAX);
	if (n > MAP_MAX || m > MAP_MAX || m != padded)
		return unlike_number(c, "size of the map", m, padded);
	if (tess_shape_padded_elements(s) != padded)
		return unlike_number(c, "padded elements", tess_shape_padded_elements(s), padded);
	for (int i = 0; i < n; i++) {
		index_of(s, i, index);
		got[i] = tess_shape_offset(s, index);
	}
	if (!numbers_are(c, "offset", got, n, linear, n))
		return false;
	for (int i = 0; i < m; i++)
		got[i] = tess_shape_index_at(s, i, index) ? number_of(s, index) : -1;
	return numbers_are(c, "element at", got, m, memory, m);
}

bool check_tiled_index(hlo_case *c)
{
	int64_t index[TESS_MAX_RANK], back[TESS_MAX_RANK], want;
	const tess_shape *s = case_shape(c, "shape");
	int n = json_ints(c->json, "index", index, TESS_MAX_RANK);
	want = json_get(c->json, "linear")->integer;
	if (!s)
		return false;
	if (tess_shape_offset(s, index) != want)
		return unlike_number(c, "offset", tess_shape_offset(s, index), want);
	return tess_shape_index_at(s, want, back) && numbers_are(c, "index", back, n, index, n);
}

bool check_strides(hlo_case *c)
{
	int64_t got[TESS_MAX_RANK], want[TESS_MAX_RANK];
	const tess_shape *s = case_array(c, "dims", "m2m");
	int n = json_ints(c->json, "element_strides", want, TESS_MAX_RANK);
	if (!s || !tess_shape_strides(s, got) || !numbers_are(c, "stride", got, n, want, n))
		return false;
	json_ints(c->json, "byte_strides_f32", want, TESS_MAX_RANK);
	for (int i = 0; i < n; i++)
		got[i] *= tess_dtype_bytes(TESS_F32);
	return numbers_are(c, "stride in bytes", got, n, want, n);
}

/* ---- questions --------------------------------------------------------------------- */

static bool check_answer(hlo_case *c, bool got)
{
	bool want = json_yes(c->json, "result");
	return got == want || unlike_number(c, "answer", got, want);
}

bool check_reshape_is_bitcast(hlo_case *c)
{
	const tess_shape *a = case_array(c, "a", "a_m2m"), *b = case_array(c, "b", "b_m2m");
	return a && b && check_answer(c, tess_shape_is_bitcast(a, b, NULL));
}

static int case_perm(hlo_case *c, int *perm)
{
	int64_t p[TESS_MAX_RANK];
	int n = json_ints(c->json, "perm", p, TESS_MAX_RANK);
	for (int i = 0; i < n; i++)
		perm[i] = (int)p[i];
	return n;
}

bool check_transpose_is_bitcast(hlo_case *c)
{
	int64_t dims[TESS_MAX_RANK], order[TESS_MAX_RANK];
	int perm[TESS_MAX_RANK], to_order[TESS_MAX_RANK], n = case_perm(c, perm);
	const tess_shape *a = case_array(c, "a", "a_m2m");
	json_ints(c->json, "out_m2m", order, TESS_MAX_RANK);
	for (int i = 0; a && i < n; i++) {
		dims[i] = tess_shape_dim(a, perm[i]);
		to_order[i] = (int)order[i];
	}
	const tess_shape *b = a ? tess_shape_array(c->ctx, TESS_F32, dims, n) : NULL;
	b = b ? tess_shape_with_layout(c->ctx, b, tess_layout_dense(c->ctx, to_order, n)) : NULL;
	return b && check_answer(c, tess_shape_is_bitcast(a, b, perm));
}

bool check_kept_dims(hlo_case *c)
{
	tess_dim_pair pairs[TESS_MAX_RANK];
	const tess_shape *a = case_array(c, "a", NULL), *b = case_array(c, "b", NULL);
	const json_value *want = json_get(c->json, "result");
	int n = a && b ? (int)tess_reshape_kept_dims(a, b, pairs, TESS_MAX_RANK) : -1;
	if (n != want->n)
		return unlike_number(c, "number of kept dimensions", n, want->n);
	want = want->first;
	for (int i = 0; i < n; i++, want = want->next)
		if (pairs[i].from != want->first->integer ||
		    pairs[i].to != want->first->next->integer)
			return unlike_number(c, "kept dimension", pairs[i].from,
			                     want->first->integer);
	return true;
}

bool check_permute(hlo_case *c)
{
	int64_t want[TESS_MAX_RANK], got[TESS_MAX_RANK];
	int perm[TESS_MAX_RANK], n = case_perm(c, perm);
	const tess_shape *s = case_array(c, "dims", NULL);
	json_ints(c->json, "result", want, TESS_MAX_RANK);
	s = s ? tess_shape_permute(c->ctx, s, perm) : NULL;
	for (int i = 0; s && i < n; i++)
		got[i] = tess_shape_dim(s, i);
	return s && numbers_are(c, "dimension", got, n, want, n);
}
