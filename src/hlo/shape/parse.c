/* parse.c - shapes and layouts from text.
 *
 *   shape  ::= prim dims layout? | '(' (shape (',' shape)*)? ')' | 'b(' shape ')'
 *   dims   ::= '[' (dim (',' dim)*)? ']'        dim ::= INT | '<=' INT | '?'
 *   layout ::= '{' (INT (',' INT)*)? (':' part*)? '}'
 *   part   ::= D(…) T(…)(…)* L(n) #(uN) *(uN) E(n) S(n) SC(d:i,…)(…)* M(n), in this order
 *
 * After the dimensions a '{' begins a layout only if an integer or ':' follows:
 * that tells `f32[2]{0}` from the body of a computation, `-> f32[2] { … }`.
 * Blanks and comments may stand between any two tokens.
 *
 * XLA takes more: permutations that are none, empty and negative tiles, negative
 * memory spaces; some of these kill it later.  Here each is a diagnostic.
 *
 * After an error the scanner stands at the end of the text, so that no step
 * needs a check. */
#include "hlo/shape/tables.h"

typedef struct shape_scan {
	tess_ctx *ctx;
	source *src;
	const char *begin, *p, *end;
	bool failed;
	int depth;
} shape_scan;

/* ---- tokens --------------------------------------------------------------- */

static place scan_place(const shape_scan *s, const char *from, const char *to)
{
	return (place){s->src, (uint32_t)(from - s->begin), (uint32_t)(to - s->begin)};
}

static void scan_fail(shape_scan *s, place at, diag_code code, const char *text)
{
	if (!s->failed)
		diag_error(s->ctx, at, code, "%s", text);
	s->failed = true;
	s->p = s->end;
}

/* Skips blanks, block comments, and line comments; a comment that does not end
 * is left where it stands. */
static void skip_space(shape_scan *s)
{
	for (; s->p < s->end; s->p++) {
		const char *c = s->p;
		if (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r')
			continue;
		if (*c != '/' || s->end - c < 2)
			return;
		if (c[1] == '/') {
			const char *line = memchr(c, '\n', (size_t)(s->end - c));
			s->p = line ? line : s->end - 1;
		} else if (c[1] == '*') {
			for (c += 2; s->end - c >= 2 && (c[0] != '*' || c[1] != '/'); c++)
				;
			if (s->end - c < 2)
				return;
			s->p = c + 1;
		} else {
			return;
		}
	}
}

static int scan_peek(shape_scan *s)
{
	skip_space(s);
	return s->p < s->end ? (unsigned char)*s->p : -1;
}

static bool scan_accept(shape_scan *s, const char *token)
{
	size_t n = strlen(token);
	skip_space(s);
	if ((size_t)(s->end - s->p) < n || memcmp(s->p, token, n) != 0)
		return false;
	s->p += n;
	return true;
}

static void scan_unexpected(shape_scan *s, diag_code code, const char *wanted)
{
	char text[96];
	int c = scan_peek(s);
	if (c < 0)
		snprintf(text, sizeof text, "expected %s, found the end of the text", wanted);
	else if (c < 0x20 || c >= 0x7F)
		snprintf(text, sizeof text, "expected %s, found byte 0x%02x", wanted, c);
	else
		snprintf(text, sizeof text, "expected %s, found '%c'", wanted, c);
	scan_fail(s, scan_place(s, s->p, s->p < s->end ? s->p + 1 : s->p), code, text);
}

static void scan_expect(shape_scan *s, const char *token)
{
	if (scan_accept(s, token))
		return;
	char wanted[8];
	snprintf(wanted, sizeof wanted, "'%s'", token);
	scan_unexpected(s, E_SHAPE_SYNTAX, wanted);
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_word(int c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A non-negative number; -1 after an error. */
static int64_t scan_number(shape_scan *s, const char *wanted)
{
	if (!is_digit(scan_peek(s))) {
		scan_unexpected(s, E_SHAPE_SYNTAX, wanted);
		return -1;
	}
	const char *from = s->p;
	int64_t v = 0;
	bool fits = true;
	for (; s->p < s->end && is_digit((unsigned char)*s->p); s->p++)
		fits = fits && mul_ok(v, 10, &v) && add_ok(v, *s->p - '0', &v);
	if (!fits)
		scan_fail(s, scan_place(s, from, s->p), E_SHAPE_DIM,
		          "number does not fit into 64 bits");
	else if (s->p < s->end && is_word((unsigned char)*s->p))
		scan_fail(s, scan_place(s, from, s->p + 1), E_SHAPE_SYNTAX, "malformed number");
	return s->failed ? -1 : v;
}

static tess_str scan_word(shape_scan *s)
{
	skip_space(s);
	const char *from = s->p;
	while (s->p < s->end && is_word((unsigned char)*s->p))
		s->p++;
	return (tess_str){from, (size_t)(s->p - from)};
}

/* ---- layouts -------------------------------------------------------------- */

/* '(' number ')' */
static int64_t parse_part(shape_scan *s)
{
	scan_expect(s, "(");
	int64_t v = scan_number(s, "a number that is not negative");
	scan_expect(s, ")");
	return v;
}

/* tile ::= '(' (INT | '*') (',' (INT | '*'))* ')' */
static tile parse_tile(shape_scan *s)
{
	VEC(int64_t) dims = {0};
	scan_expect(s, "(");
	do {
		if (dims.len == SHAPE_MAX_RANK)
			scan_fail(s, scan_place(s, s->p, s->p), E_SHAPE_LIMIT,
			          "tile of too many dimensions");
		int64_t v = scan_accept(s, "*") ? TILE_MERGE
		                                : scan_number(s, "the size of a tile or '*'");
		vec_push(&s->ctx->scratch, &dims, v);
	} while (!s->failed && scan_accept(s, ","));
	scan_expect(s, ")");
	return (tile){.rank = dims.len, .dims = dims.ptr};
}

static void parse_tiles(shape_scan *s, layout *l)
{
	tile tiles[LAYOUT_MAX_TILES];
	if (!scan_accept(s, "T"))
		return;
	do {
		if (l->n_tiles == LAYOUT_MAX_TILES) {
			scan_fail(s, scan_place(s, s->p, s->p), E_SHAPE_LIMIT, "too many tiles");
			return;
		}
		tiles[l->n_tiles++] = parse_tile(s);
	} while (scan_peek(s) == '(');
	l->tiles = COPY_N(&s->ctx->scratch, tiles, l->n_tiles);
}

/* split ::= '(' dim ':' INT (',' INT)* ')' */
static dim_split parse_split(shape_scan *s)
{
	VEC(int64_t) at = {0};
	scan_expect(s, "(");
	int64_t dim = scan_number(s, "a dimension");
	scan_expect(s, ":");
	do
		vec_push(&s->ctx->scratch, &at, scan_number(s, "an index"));
	while (!s->failed && scan_accept(s, ","));
	scan_expect(s, ")");
	return (dim_split){.dim = (int)min_i64(dim, INT32_MAX), .n = at.len, .at = at.ptr};
}

static void parse_splits(shape_scan *s, layout *l)
{
	VEC(dim_split) splits = {0};
	if (!scan_accept(s, "SC"))
		return;
	do
		vec_push(&s->ctx->scratch, &splits, parse_split(s));
	while (scan_peek(s) == '(' && splits.len < SHAPE_MAX_RANK);
	l->splits = splits.ptr;
	l->n_splits = splits.len;
}

/* '(' unsigned or signed integer type ')' */
static dtype parse_index_type(shape_scan *s)
{
	scan_expect(s, "(");
	skip_space(s);
	const char *from = s->p;
	dtype t = dtype_from_hlo(scan_word(s));
	if (dtype_class_of(t) != DC_UINT && dtype_class_of(t) != DC_SINT)
		scan_fail(s, scan_place(s, from, s->p), E_SHAPE_TYPE, "expected an integer type");
	scan_expect(s, ")");
	return t;
}

/* D(D,C+~): how sparse arrays stored each dimension.  Read, not kept: XLA has
 * dropped sparse arrays. */
static void skip_dim_levels(shape_scan *s)
{
	if (!scan_accept(s, "D"))
		return;
	scan_expect(s, "(");
	do {
		if (!scan_accept(s, "D") && !scan_accept(s, "C") && !scan_accept(s, "S") &&
		    !scan_accept(s, "H"))
			scan_unexpected(s, E_SHAPE_SYNTAX, "D, C, S or H");
		scan_accept(s, "+");
		scan_accept(s, "~");
	} while (!s->failed && scan_accept(s, ","));
	scan_expect(s, ")");
}

static void parse_parts(shape_scan *s, layout *l)
{
	skip_dim_levels(s);
	parse_tiles(s, l);
	if (scan_accept(s, "L"))
		l->tail = parse_part(s);
	if (scan_accept(s, "#"))
		l->index_type = parse_index_type(s);
	if (scan_accept(s, "*"))
		l->pointer_type = parse_index_type(s);
	if (scan_accept(s, "E"))
		l->element_bits = parse_part(s);
	if (scan_peek(s) == 'S' && (s->end - s->p < 2 || s->p[1] != 'C')) {
		s->p++;
		l->memory_space = parse_part(s);
	}
	parse_splits(s, l);
	if (scan_accept(s, "M"))
		l->metadata = parse_part(s);
	if (scan_peek(s) == 'P')
		scan_fail(s, scan_place(s, s->p, s->p + 1), E_SHAPE_LAYOUT,
		          "the physical shape of a sparse array is not supported");
}

static const layout *parse_layout(shape_scan *s)
{
	int order[SHAPE_MAX_RANK];
	layout l = {.minor_to_major = order, .tail = 1};
	const char *from = s->p;
	scan_expect(s, "{");
	if (is_digit(scan_peek(s)) || scan_peek(s) == '-') {
		do {
			if (l.rank == SHAPE_MAX_RANK)
				scan_fail(s, scan_place(s, from, s->p), E_SHAPE_LIMIT,
				          "layout of too many dimensions");
			else
				order[l.rank++] = (int)min_i64(scan_number(s, "a dimension"),
				                               INT32_MAX);
		} while (!s->failed && scan_accept(s, ","));
	}
	if (scan_accept(s, ":"))
		parse_parts(s, &l);
	if (!scan_accept(s, "}"))
		scan_unexpected(s, E_SHAPE_SYNTAX,
		                "the end of the layout, '}' (its parts have a fixed order)");
	if (s->failed || !layout_verify(s->ctx, &l, scan_place(s, from, s->p))) {
		s->failed = true;
		return NULL;
	}
	return layout_of(s->ctx, &l);
}

/* ---- shapes --------------------------------------------------------------- */

static const shape *parse_any(shape_scan *s);

static void parse_sizes(shape_scan *s, int64_t *dims, bool *dynamic, int *rank)
{
	scan_expect(s, "[");
	if (scan_accept(s, "]"))
		return;
	do {
		if (*rank == SHAPE_MAX_RANK) {
			scan_fail(s, scan_place(s, s->p, s->p), E_SHAPE_LIMIT,
			          "array of too many dimensions");
			return;
		}
		bool unbounded = scan_accept(s, "?");
		dynamic[*rank] = unbounded || scan_accept(s, "<=");
		dims[*rank] = unbounded ? DIM_UNBOUNDED : scan_number(s, "the size of a dimension");
		++*rank;
	} while (!s->failed && scan_accept(s, ","));
	scan_expect(s, "]");
}

/* Whether a layout follows; see the head of this file. */
static bool at_layout(shape_scan *s)
{
	if (scan_peek(s) != '{')
		return false;
	shape_scan ahead = *s;
	ahead.p++;
	int c = scan_peek(&ahead);
	return is_digit(c) || c == ':' || c == '-';
}

static const shape *parse_array(shape_scan *s, dtype t, const char *from)
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
	if (!shape_verify(s->ctx, &a, scan_place(s, from, s->p))) {
		s->failed = true;
		return NULL;
	}
	return shape_of(s->ctx, &a);
}

static const shape *parse_token(shape_scan *s, shape_kind kind)
{
	scan_expect(s, "[");
	scan_expect(s, "]");
	if (!s->failed && at_layout(s))
		scan_unexpected(s, E_SHAPE_SYNTAX, "no layout after a token or opaque shape");
	return s->failed ? NULL : shape_simple(s->ctx, kind);
}

static const shape *parse_tuple(shape_scan *s)
{
	VEC(const shape *) parts = {0};
	if (scan_accept(s, ")"))
		return shape_tuple(s->ctx, NULL, 0);
	do
		vec_push(&s->ctx->scratch, &parts, parse_any(s));
	while (!s->failed && scan_accept(s, ","));
	scan_expect(s, ")");
	return s->failed ? NULL : shape_tuple(s->ctx, parts.ptr, parts.len);
}

static const shape *parse_buffer(shape_scan *s)
{
	skip_space(s);
	const char *from = s->p;
	const shape *part = parse_any(s);
	if (part && part->kind != SH_ARRAY)
		scan_fail(s, scan_place(s, from, s->p), E_SHAPE_BUFFER,
		          "a buffer holds an array, not another kind of shape");
	scan_expect(s, ")");
	return s->failed ? NULL : shape_buffer(s->ctx, part);
}

static const shape *parse_leaf(shape_scan *s)
{
	skip_space(s);
	const char *from = s->p;
	tess_str word = scan_word(s);
	if (str_is(word, "token"))
		return parse_token(s, SH_TOKEN);
	if (str_is(word, "opaque"))
		return parse_token(s, SH_OPAQUE);
	if (str_is(word, "b") && scan_accept(s, "("))
		return parse_buffer(s);
	dtype t = dtype_from_hlo(word);
	if (t)
		return parse_array(s, t, from);
	if (!word.len) {
		scan_unexpected(s, E_SHAPE_TYPE, "an element type such as f32");
		return NULL;
	}
	if (!s->failed)
		diag_error(
			s->ctx, scan_place(s, from, s->p), E_SHAPE_TYPE,
			"no such element type \"%.*s\": expected one such as f32, bf16, s32 or pred",
			(int)min_i64((int64_t)word.len, 40), word.ptr);
	s->failed = true;
	s->p = s->end;
	return NULL;
}

static const shape *parse_any(shape_scan *s)
{
	if (s->depth >= (int)s->ctx->opts.max_depth) {
		scan_fail(s, scan_place(s, s->p, s->p), E_SHAPE_LIMIT,
		          "shapes are nested too deeply");
		return NULL;
	}
	s->depth++;
	const shape *out = scan_accept(s, "(") ? parse_tuple(s) : parse_leaf(s);
	s->depth--;
	return s->failed ? NULL : out;
}

/* ---- entries --------------------------------------------------------------- */

static shape_scan scan_begin(tess_ctx *ctx, source *src, uint32_t at)
{
	return (shape_scan){.ctx = ctx, .src = src, .begin = src->text.ptr,
	                    .p = src->text.ptr + at, .end = src->text.ptr + src->text.len};
}

const shape *shape_parse_at(tess_ctx *ctx, source *src, uint32_t *at)
{
	shape_scan s = scan_begin(ctx, src, *at);
	const shape *out = parse_any(&s);
	*at = (uint32_t)(s.p - s.begin);
	return out;
}

/* What follows the end must be nothing. */
static bool scan_at_end(shape_scan *s)
{
	if (!s->failed && scan_peek(s) >= 0)
		scan_unexpected(s, E_SHAPE_SYNTAX, "nothing after the shape");
	return !s->failed;
}

const shape *shape_parse(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	shape_scan s = scan_begin(ctx, &src, 0);
	const shape *out = parse_any(&s);
	return scan_at_end(&s) ? out : NULL;
}

const layout *layout_parse(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	shape_scan s = scan_begin(ctx, &src, 0);
	skip_space(&s);
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
