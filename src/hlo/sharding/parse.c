/* parse.c - parses HloShardings.
 *
 *   sharding ::= '{' word* '}' | '{' (sharding (',' sharding)*)? '}' | named
 *   word     ::= 'replicated' | 'manual' | 'unreduced' | 'unknown' | 'maximal'
 *              | 'device=' INT | 'devices=' ints (INT,… | '<=' ints ('T(' INT,… ')')?)
 *              | 'last_tile_dim_replicate' | 'last_tile_dims={' (type,…)? '}'
 *              | 'shard_as' INT | 'shard_like' INT | metadata, which is dropped
 *   metadata ::= 'metadata={' fields '}' | 'metadata={{' fields '}' (',' '{' fields '}')* '}'
 *   fields   ::= (key '=' (STRING | INT | '{' … '}'))*
 *   ints     ::= '[' INT,… ']'
 *   named    ::= see parse_named.c
 *
 * XLA also accepts lists of devices that are too short or too long, iotas of a different size, and
 * contradictory words; here these are errors. */
#include "hlo/sharding/scan.h"

/* The words read so far. */
typedef struct hlo_words {
	bool has_kind, has_device, replicate_last, has_types;
	hlo_sharding_kind kind; /* HS_TILED: none so far */
	int64_t device;
	VEC(int64_t) tiles, list, iota, perm;
	int n_types;
	subgroup types[ASSIGN_MAX];
	shard_group group;
	int64_t group_id;
} hlo_words;

/* ---- tokens --------------------------------------------------------------- */

/* Between the parts of a tuple there may be comments such as index=5. */
static const scan_rules sharding_rules = {.syntax = E_SHARDING_SYNTAX,
                                          .number = E_SHARDING_NUMBER, .in_words = "$.",
                                          .block_comments = true};

/* Reads at least one number, up to the closing character. */
#define scan_numbers(s, v, close)                                                                  \
	do {                                                                                       \
		do                                                                                 \
			vec_push(&(s)->ctx->scratch, (v), scan_natural(s));                        \
		while (scan_accept((s), ','));                                                     \
		scan_expect((s), (close));                                                         \
	} while (0)

/* ---- words ------------------------------------------------------------------ */

static bool kind_of_word(tess_str w, hlo_sharding_kind *out)
{
	static const struct {
		const char *word;
		hlo_sharding_kind kind;
	} kinds[] = {{"replicated", HS_REPLICATED}, {"manual", HS_MANUAL},
	             {"unreduced", HS_UNREDUCED}, {"unknown", HS_UNKNOWN}, {"maximal", HS_MAXIMAL}};
	for (int i = 0; i < COUNT(kinds); i++) {
		if (!str_is(w, kinds[i].word))
			continue;
		*out = kinds[i].kind;
		return true;
	}
	return false;
}

static void read_devices(scan *s, hlo_words *w, uint32_t begin)
{
	if (w->tiles.len) {
		scan_fail(s, scan_since(s, begin), E_HLO_SHARDING_KIND, "a second list of ",
		          STR("devices"));
		return;
	}
	scan_expect(s, '=');
	scan_expect(s, '[');
	scan_numbers(s, &w->tiles, ']');
	if (!scan_accept(s, '<')) {
		do
			vec_push(&s->ctx->scratch, &w->list, scan_natural(s));
		while (scan_accept(s, ','));
		return;
	}
	scan_expect(s, '=');
	scan_expect(s, '[');
	scan_numbers(s, &w->iota, ']');
	if (w->iota.len == 1) {
		vec_push(&s->ctx->scratch, &w->perm, 0);
		return;
	}
	if (!scan_accept_word(s, "T"))
		scan_error(s, "'T(', the order in which the dimensions of the iota are taken");
	scan_expect(s, '(');
	scan_numbers(s, &w->perm, ')');
}

static void read_subgroups(scan *s, hlo_words *w)
{
	w->has_types = true;
	scan_expect(s, '=');
	scan_expect(s, '{');
	if (scan_accept(s, '}'))
		return;
	do {
		if (w->n_types == ASSIGN_MAX) {
			scan_error(s, "fewer subgroups");
			return;
		}
		subgroup *t = &w->types[w->n_types++];
		if (scan_accept_word(s, "manual"))
			*t = SUB_MANUAL;
		else if (scan_accept_word(s, "unreduced"))
			*t = SUB_UNREDUCED;
		else if (scan_accept_word(s, "replicated"))
			*t = SUB_REPLICATED;
		else
			scan_error(s, "manual, unreduced or replicated");
	} while (scan_accept(s, ','));
	scan_expect(s, '}');
}

static void read_group(scan *s, hlo_words *w, shard_group g)
{
	if (w->group)
		scan_error(s, "one group only");
	w->group = g;
	w->group_id = scan_natural(s);
}

static void read_word(scan *s, hlo_words *w)
{
	uint32_t begin = scan_here(s);
	tess_str word = scan_word(s);
	hlo_sharding_kind kind;
	if (kind_of_word(word, &kind)) {
		if (w->has_kind)
			scan_fail(s, scan_since(s, begin), E_HLO_SHARDING_KIND,
			          "the kind of the sharding was already said before ", word);
		w->has_kind = true;
		w->kind = kind;
	} else if (str_is(word, "device")) {
		scan_expect(s, '=');
		w->has_device = true;
		w->device = scan_natural(s);
	} else if (str_is(word, "devices")) {
		read_devices(s, w, begin);
	} else if (str_is(word, "last_tile_dim_replicate")) {
		w->replicate_last = true;
	} else if (str_is(word, "last_tile_dims")) {
		read_subgroups(s, w);
	} else if (str_is(word, "shard_as")) {
		read_group(s, w, GROUP_AS);
	} else if (str_is(word, "shard_like")) {
		read_group(s, w, GROUP_LIKE);
	} else if (str_is(word, "metadata")) {
		scan_skip_metadata(s);
	} else {
		s->at -= word.len;
		scan_error(s, "replicated, manual, unreduced, unknown, maximal, devices= or mesh[");
	}
}

/* ---- from words to a sharding -------------------------------------------------- */

static bool words_fail(scan *s, place at, diag_code code, const char *message)
{
	return scan_fail(s, at, code, message, STR(""));
}

/* Computes the product of the sizes, all of which must be positive. */
static bool product_of(scan *s, place at, const int64_t *v, int n, int64_t *out)
{
	*out = 1;
	if (n > ASSIGN_MAX)
		return words_fail(s, at, E_HLO_SHARDING_DEVICES, "there are more than 64 dimensions");
	for (int i = 0; i < n; i++) {
		if (v[i] < 1)
			return words_fail(s, at, E_HLO_SHARDING_DEVICES,
			                  "every dimension of the devices is at least 1");
		if (!mul_ok(*out, v[i], out))
			return words_fail(s, at, E_HLO_SHARDING_DEVICES,
			                  "there are more devices than can be counted");
	}
	return true;
}

static bool iota_of_words(scan *s, const hlo_words *w, place at, device_array *d)
{
	int64_t n;
	int perm[ASSIGN_MAX];
	uint64_t seen = 0;
	if (!product_of(s, at, w->iota.ptr, w->iota.len, &n))
		return false;
	if (w->perm.len != w->iota.len)
		return words_fail(s, at, E_HLO_SHARDING_IOTA,
		                  "T() must order as many dimensions as the iota has");
	for (int i = 0; i < w->perm.len; i++) {
		int64_t p = w->perm.ptr[i];
		if (p < 0 || p >= w->iota.len || seen >> p & 1)
			return words_fail(s, at, E_HLO_SHARDING_IOTA,
			                  "T() must name each dimension of the iota once");
		seen |= (uint64_t)1 << p;
		perm[i] = (int)p;
	}
	device_array_iota(d, w->iota.ptr, perm, w->iota.len);
	return true;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static bool list_of_words(scan *s, const hlo_words *w, place at, device_array *d)
{
	int64_t n = w->list.len;
	int64_t *sorted = COPY_N(&s->ctx->scratch, w->list.ptr, n);
	qsort(sorted, (size_t)n, sizeof *sorted, compare_ids);
	for (int64_t i = 1; i < n; i++)
		if (sorted[i] == sorted[i - 1])
			return words_fail(s, at, E_HLO_SHARDING_DEVICES,
			                  "the list has a device twice");
	device_array_list(d, w->list.ptr, n);
	return true;
}

static const hlo_sharding *tiled_of_words(scan *s, hlo_words *w, place at)
{
	device_array d;
	int64_t tiles;
	if (w->has_device || !w->tiles.len) {
		words_fail(s, at, E_HLO_SHARDING_KIND,
		           "expected the tiles and their devices, devices=[…]…");
		return NULL;
	}
	if (!product_of(s, at, w->tiles.ptr, w->tiles.len, &tiles) ||
	    !(w->iota.len ? iota_of_words(s, w, at, &d) : list_of_words(s, w, at, &d)))
		return NULL;
	if (d.n != tiles || (!d.n_iota && tiles == 1)) {
		if (!s->failed)
			diag_error(s->ctx, at, E_HLO_SHARDING_DEVICES,
			           "%" PRId64 " devices for %" PRId64 " tiles%s", d.n, tiles,
			           tiles == 1 ? ": write {maximal device=…}" : "");
		scan_stop(s);
		return NULL;
	}
	if (w->replicate_last && w->has_types)
		words_fail(s, at, E_HLO_SHARDING_GROUPS,
		           "last_tile_dim_replicate and last_tile_dims exclude each other");
	if (w->replicate_last)
		w->types[w->n_types++] = SUB_REPLICATED;
	if (w->n_types > w->tiles.len)
		words_fail(s, at, E_HLO_SHARDING_GROUPS, "there are more subgroups than dimensions of tiles");
	bool may_list = d.n_iota == 0 || w->n_types == 0 || hlo_sharding_can_list(s->ctx, at, d.n);
	if (s->failed || !may_list)
		return NULL;
	return hlo_sharding_tiled(s->ctx, w->tiles.ptr, w->tiles.len, w->types, w->n_types, &d);
}

static const hlo_sharding *finish_words(scan *s, hlo_words *w, place at)
{
	const hlo_sharding *out = NULL;
	if (s->failed)
		return NULL;
	bool devices = w->has_device || w->tiles.len || w->replicate_last || w->has_types;
	if (!w->has_kind)
		out = tiled_of_words(s, w, at);
	else if (w->kind == HS_MAXIMAL && w->has_device && !w->tiles.len)
		out = hlo_sharding_maximal(s->ctx, w->device);
	else if (w->kind == HS_MAXIMAL)
		words_fail(s, at, E_HLO_SHARDING_KIND,
		           "a maximal sharding has one device, device=…");
	else if (devices)
		words_fail(s, at, E_HLO_SHARDING_KIND,
		           "only tiled and maximal shardings have devices");
	else
		out = hlo_sharding_simple(s->ctx, w->kind);
	return out && w->group ? hlo_sharding_grouped(s->ctx, out, w->group, w->group_id) : out;
}

/* ---- entry point ---------------------------------------------------------------------------- */

/* After the opening brace. */
static const hlo_sharding *parse_single(scan *s, uint32_t begin)
{
	hlo_words w = {.kind = HS_TILED};
	const hlo_sharding *named = parse_named_sharding(s);
	if (named || s->failed) {
		scan_expect(s, '}');
		return s->failed ? NULL : named;
	}
	do
		read_word(s, &w);
	while (!s->failed && scan_peek(s) != '}');
	scan_expect(s, '}');
	return finish_words(s, &w, scan_since(s, begin));
}

static const hlo_sharding *parse_tuple_sharding(scan *s)
{
	VEC(const hlo_sharding *) parts = {0};
	do {
		uint32_t begin = scan_here(s);
		scan_expect(s, '{');
		const hlo_sharding *part = s->failed ? NULL : parse_single(s, begin);
		if (!part)
			scan_stop(s);
		vec_push(&s->ctx->scratch, &parts, part);
	} while (scan_accept(s, ','));
	scan_expect(s, '}');
	return s->failed ? NULL : hlo_sharding_tuple(s->ctx, parts.ptr, parts.len);
}

const hlo_sharding *hlo_sharding_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end)
{
	scan s;
	const hlo_sharding *out;
	scan_begin(&s, ctx, src, begin);
	s.rules = &sharding_rules;
	uint32_t at = scan_here(&s);
	scan_expect(&s, '{');
	if (scan_peek(&s) == '{')
		out = parse_tuple_sharding(&s);
	else if (scan_accept(&s, '}'))
		out = hlo_sharding_tuple(ctx, NULL, 0);
	else
		out = parse_single(&s, at);
	*end = s.last;
	return s.failed ? NULL : out;
}
