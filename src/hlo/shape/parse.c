/* parse.c - parses shapes and layouts.
 *
 *   shape  ::= prim dims layout? | '(' (shape (',' shape)*)? ')' | 'b(' shape ')'
 *   dims   ::= '[' (dim (',' dim)*)? ']'        dim ::= INT | '<=' INT | '?'
 *   layout ::= '{' (INT (',' INT)*)? (':' part*)? '}'
 *   part   ::= D(…) T(…)(…)* L(n) #(uN) *(uN) E(n) S(n) SC(d:i,…)(…)* M(n), in this order
 *
 * A '{' after the dimensions starts a layout only if an integer or ':' follows: that distinguishes
 * `f32[2]{0}` from the body of a computation, `-> f32[2] { … }`. Blanks and comments may be between
 * any two tokens.
 *
 * XLA accepts more: invalid permutations, empty and negative tiles, negative memory spaces; some of
 * these crash it later. Here each is a diagnostic. */
#include "base/scan.h"
#include "hlo/shape/tables.h"

#include <ctype.h>

/* ---- tokens --------------------------------------------------------------- */

static const scan_rules shape_rules = {.syntax = E_SHAPE_SYNTAX, .number = E_SHAPE_DIM,
                                       .in_words = "", .words_start_anyhow = true,
                                       .block_comments = true};

static place place_here(const scan *s)
{
	uint32_t at = scan_offset(s);
	return (place){s->src, at, at};
}

static bool shape_fail(scan *s, place at, diag_code code, const char *message)
{
	return scan_fail(s, at, code, message, STR(""));
}

/* Reads a non-negative number; -1 after an error. */
static int64_t scan_size(scan *s, const char *wanted)
{
	char c = scan_peek(s);
	uint32_t from = scan_offset(s);
	if (c < '0' || c > '9')
		scan_error(s, wanted);
	int64_t v = s->failed ? -1 : scan_integer(s);
	if (!s->failed && s->at < s->end && scan_next(s).begin == s->last &&
	    (isalnum((unsigned char)*s->at) || *s->at == '_'))
		shape_fail(s, (place){s->src, from, scan_offset(s) + 1}, E_SHAPE_SYNTAX,
		           "the number is malformed");
	return s->failed ? -1 : v;
}

/* ---- layouts -------------------------------------------------------------- */

/* '(' number ')' */
static int64_t parse_part(scan *s)
{
	scan_expect(s, '(');
	int64_t v = scan_size(s, "a number that is not negative");
	scan_expect(s, ')');
	return v;
}

/* tile ::= '(' (INT | '*') (',' (INT | '*'))* ')' */
static tile parse_tile(scan *s)
{
	VEC(int64_t) dims = {0};
	scan_expect(s, '(');
	do {
		if (dims.len == SHAPE_MAX_RANK)
			shape_fail(s, place_here(s), E_SHAPE_LIMIT,
			          "the tile has too many dimensions");
		int64_t v = scan_accept(s, '*') ? TILE_MERGE
		                                : scan_size(s, "the size of a tile or '*'");
		vec_push(&s->ctx->scratch, &dims, v);
	} while (!s->failed && scan_accept(s, ','));
	scan_expect(s, ')');
	return (tile){.rank = dims.len, .dims = dims.ptr};
}

static void parse_tiles(scan *s, layout *l)
{
	tile tiles[LAYOUT_MAX_TILES];
	if (!scan_accept(s, 'T'))
		return;
	do {
		if (l->n_tiles == LAYOUT_MAX_TILES) {
			shape_fail(s, place_here(s), E_SHAPE_LIMIT, "there are too many tiles");
			return;
		}
		tiles[l->n_tiles++] = parse_tile(s);
	} while (scan_peek(s) == '(');
	l->tiles = COPY_N(&s->ctx->scratch, tiles, l->n_tiles);
}

/* split ::= '(' dim ':' INT (',' INT)* ')' */
static dim_split parse_split(scan *s)
{
	VEC(int64_t) at = {0};
	scan_expect(s, '(');
	int64_t dim = scan_size(s, "a dimension");
	scan_expect(s, ':');
	do
		vec_push(&s->ctx->scratch, &at, scan_size(s, "an index"));
	while (!s->failed && scan_accept(s, ','));
	scan_expect(s, ')');
	return (dim_split){.dim = (int)min_i64(dim, INT32_MAX), .n = at.len, .at = at.ptr};
}

static void parse_splits(scan *s, layout *l)
{
	VEC(dim_split) splits = {0};
	if (!scan_accept_text(s, "SC"))
		return;
	do
		vec_push(&s->ctx->scratch, &splits, parse_split(s));
	while (scan_peek(s) == '(' && splits.len < SHAPE_MAX_RANK);
	l->splits = splits.ptr;
	l->n_splits = splits.len;
}

/* '(' unsigned or signed integer type ')' */
static dtype parse_index_type(scan *s)
{
	scan_expect(s, '(');
	uint32_t from = scan_here(s);
	dtype t = dtype_from_hlo(scan_word(s));
	if (dtype_class_of(t) != DC_UINT && dtype_class_of(t) != DC_SINT)
		shape_fail(s, scan_since(s, from), E_SHAPE_TYPE, "expected an integer type");
	scan_expect(s, ')');
	return t;
}

/* D(D,C+~): how sparse arrays stored each dimension. Skipped, since XLA has dropped sparse
 * arrays. */
static void skip_dim_levels(scan *s)
{
	if (!scan_accept(s, 'D'))
		return;
	scan_expect(s, '(');
	do {
		if (!scan_accept(s, 'D') && !scan_accept(s, 'C') && !scan_accept(s, 'S') &&
		    !scan_accept(s, 'H'))
			scan_error(s, "D, C, S or H");
		scan_accept(s, '+');
		scan_accept(s, '~');
	} while (!s->failed && scan_accept(s, ','));
	scan_expect(s, ')');
}

static void parse_parts(scan *s, layout *l)
{
	skip_dim_levels(s);
	parse_tiles(s, l);
	if (scan_accept(s, 'L'))
		l->tail = parse_part(s);
	if (scan_accept(s, '#'))
		l->index_type = parse_index_type(s);
	if (scan_accept(s, '*'))
		l->pointer_type = parse_index_type(s);
	if (scan_accept(s, 'E'))
		l->element_bits = parse_part(s);
	if (scan_peek(s) == 'S' && (s->end - s->at < 2 || s->at[1] != 'C')) {
		s->at++;
		l->memory_space = parse_part(s);
	}
	parse_splits(s, l);
	if (scan_accept(s, 'M'))
		l->metadata = parse_part(s);
	if (scan_peek(s) == 'P')
		shape_fail(s, scan_next(s), E_SHAPE_LAYOUT,
		          "the physical shape of a sparse array is not supported");
}

static const layout *parse_layout(scan *s)
{
	int order[SHAPE_MAX_RANK];
	layout l = {.minor_to_major = order, .tail = 1};
	uint32_t from = scan_here(s);
	scan_expect(s, '{');
	if (isdigit((unsigned char)scan_peek(s)) || scan_peek(s) == '-') {
		do {
			if (l.rank == SHAPE_MAX_RANK)
				shape_fail(s, scan_since(s, from), E_SHAPE_LIMIT,
				          "the layout has too many dimensions");
			else
				order[l.rank++] = (int)min_i64(scan_size(s, "a dimension"),
				                               INT32_MAX);
		} while (!s->failed && scan_accept(s, ','));
	}
	if (scan_accept(s, ':'))
		parse_parts(s, &l);
	if (!scan_accept(s, '}'))
		scan_error(s, "the end of the layout, '}' (its parts have a fixed order)");
	if (s->failed || !layout_verify(s->ctx, &l, scan_since(s, from))) {
		scan_stop(s);
		return NULL;
	}
	return layout_of(s->ctx, &l);
}

/* ---- shapes --------------------------------------------------------------- */

static const shape *parse_any(scan *s, int depth);

static void parse_sizes(scan *s, int64_t *dims, bool *dynamic, int *rank)
{
	scan_expect(s, '[');
	if (scan_accept(s, ']'))
		return;
	do {
		if (*rank == SHAPE_MAX_RANK) {
			shape_fail(s, place_here(s), E_SHAPE_LIMIT,
			          "the array has too many dimensions");
			return;
		}
		bool unbounded = scan_accept(s, '?');
		dynamic[*rank] = unbounded || scan_accept_text(s, "<=");
		dims[*rank] = unbounded ? DIM_UNBOUNDED : scan_size(s, "the size of a dimension");
		++*rank;
	} while (!s->failed && scan_accept(s, ','));
	scan_expect(s, ']');
}

/* True if a layout follows; see the head of this file. */
static bool at_layout(scan *s)
{
	if (scan_peek(s) != '{')
		return false;
	scan ahead = *s;
	ahead.at++;
	char c = scan_peek(&ahead);
	return isdigit((unsigned char)c) || c == ':' || c == '-';
}

static const shape *parse_array(scan *s, dtype t, uint32_t from)
{
	int64_t dims[SHAPE_MAX_RANK];
	bool dynamic[SHAPE_MAX_RANK];
	shape a = {.dtype = t, .dims = dims, .dynamic = dynamic};
	parse_sizes(s, dims, dynamic, &a.rank);
	a.layout = !s->failed && at_layout(s) ? parse_layout(s) : NULL;
	if (s->failed)
		return NULL;
	if (!a.layout)
		a.layout = layout_default(s->ctx, a.rank);
	if (!shape_verify(s->ctx, &a, scan_since(s, from))) {
		scan_stop(s);
		return NULL;
	}
	return shape_of(s->ctx, &a);
}

static const shape *parse_token(scan *s, shape_kind kind)
{
	scan_expect(s, '[');
	scan_expect(s, ']');
	if (!s->failed && at_layout(s))
		scan_error(s, "no layout after a token or opaque shape");
	return s->failed ? NULL : shape_simple(s->ctx, kind);
}

static const shape *parse_tuple(scan *s, int depth)
{
	VEC(const shape *) parts = {0};
	if (scan_accept(s, ')'))
		return shape_tuple(s->ctx, NULL, 0);
	do
		vec_push(&s->ctx->scratch, &parts, parse_any(s, depth + 1));
	while (!s->failed && scan_accept(s, ','));
	scan_expect(s, ')');
	return s->failed ? NULL : shape_tuple(s->ctx, parts.ptr, parts.len);
}

static const shape *parse_buffer(scan *s, int depth)
{
	uint32_t from = scan_here(s);
	const shape *part = parse_any(s, depth + 1);
	if (part && part->kind != SH_ARRAY)
		shape_fail(s, scan_since(s, from), E_SHAPE_BUFFER,
		          "a buffer holds an array, not another kind of shape");
	scan_expect(s, ')');
	return s->failed ? NULL : shape_buffer(s->ctx, part);
}

static const shape *parse_leaf(scan *s, int depth)
{
	uint32_t from = scan_here(s);
	tess_str word = scan_word(s);
	if (str_is(word, "token"))
		return parse_token(s, SH_TOKEN);
	if (str_is(word, "opaque"))
		return parse_token(s, SH_OPAQUE);
	if (str_is(word, "b") && scan_accept(s, '('))
		return parse_buffer(s, depth);
	dtype t = dtype_from_hlo(word);
	if (t)
		return parse_array(s, t, from);
	if (!word.len) {
		scan_error(s, "an element type such as f32");
		return NULL;
	}
	if (!s->failed)
		diag_error(
			s->ctx, scan_since(s, from), E_SHAPE_TYPE,
			"there is no element type \"%.*s\": expected one such as f32, bf16, s32 or pred",
			(int)min_i64((int64_t)word.len, 40), word.ptr);
	scan_stop(s);
	return NULL;
}

static const shape *parse_any(scan *s, int depth)
{
	if (depth >= (int)s->ctx->opts.max_depth) {
		shape_fail(s, place_here(s), E_SHAPE_LIMIT,
		          "shapes are nested too deeply");
		return NULL;
	}
	const shape *out = scan_accept(s, '(') ? parse_tuple(s, depth) : parse_leaf(s, depth);
	return s->failed ? NULL : out;
}

/* ---- entry points --------------------------------------------------------------------------- */

static scan scan_shape(tess_ctx *ctx, source *src, uint32_t at)
{
	scan s;
	scan_begin(&s, ctx, src, at);
	s.rules = &shape_rules;
	return s;
}

const shape *shape_parse_at(tess_ctx *ctx, source *src, uint32_t *at)
{
	scan s = scan_shape(ctx, src, *at);
	const shape *out = parse_any(&s, 0);
	*at = scan_offset(&s);
	return out;
}

/* Reports an error unless this is the end of the text. */
static bool scan_at_end(scan *s)
{
	scan_here(s);
	if (!s->failed && s->at != s->end)
		scan_error(s, "nothing after the shape");
	return !s->failed;
}

const shape *shape_parse(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	scan s = scan_shape(ctx, &src, 0);
	const shape *out = parse_any(&s, 0);
	return scan_at_end(&s) ? out : NULL;
}

const layout *layout_parse(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	scan s = scan_shape(ctx, &src, 0);
		const layout *out = parse_layout(&s);
	return scan_at_end(&s) ? out : NULL;
}

const shape *shape_said(tess_ctx *ctx, const name *text)
{
	ptr_map *said = &shape_tables_of(ctx)->said;
	const shape *s = ptr_map_get(said, text);
	if (!s && (s = shape_parse(ctx, name_str(text))))
		*ptr_map_at(said, &ctx->perm, text) = (void *)s;
	return s;
}
