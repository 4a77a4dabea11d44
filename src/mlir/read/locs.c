/* locs.c - parses locations and aliases.
 *
 *   loc ::= 'loc' '(' location ')'
 *   location ::= 'unknown' | '?' | string ('(' location ')')? | '#' alias
 *              | string ':' line ':' col ('to' line? ':' col)?
 *              | 'callsite' '(' location 'at' location ')'
 *              | 'fused' ('<' attr '>')? '[' location (',' location)* ']'
 *
 * MLIR defines most location aliases after their use, at the end of the file. At the first use of
 * an unknown alias, all lines that start with '#' or '!' are indexed; the definition is then parsed
 * out of order. */
#include "mlir/read/read.h"

static const attr *read_location(reader *r);

static const attr *read_file_range(reader *r, const name *file)
{
	int64_t v[4] = {0};
	read_expect(r, ':');
	v[0] = read_int(r);
	read_expect(r, ':');
	v[1] = read_int(r);
	if (read_accept_word(r, "to")) {
		v[2] = r->tok == ':' ? v[0] : read_int(r);
		read_expect(r, ':');
		v[3] = read_int(r);
	}
	return attr_of(r->ctx, &(attr){.kind = AT_LOC_FILE, .text = file, .ints = v, .n_ints = 4});
}

static const attr *read_named_location(reader *r)
{
	const name *n = name_of(r->ctx, read_string(r));
	if (r->tok == ':')
		return read_file_range(r, n);
	attr a = {.kind = AT_LOC_NAME, .text = n};
	const attr *child;
	if (read_accept(r, '(')) {
		child = read_location(r);
		read_expect(r, ')');
		a.list = &child;
		a.n = 1;
	}
	return attr_of(r->ctx, &a);
}

static const attr *read_callsite(reader *r)
{
	const attr *pair[2];
	read_expect(r, '(');
	pair[0] = read_location(r);
	read_expect_word(r, "at");
	pair[1] = read_location(r);
	read_expect(r, ')');
	return attr_of(r->ctx, &(attr){.kind = AT_LOC_CALLSITE, .list = pair, .n = 2});
}

static const attr *read_fused(reader *r)
{
	attr a = {.kind = AT_LOC_FUSED};
	VEC(const attr *) list = {0};
	if (read_accept(r, '<')) {
		a.meta = read_attr(r);
		read_expect(r, '>');
	}
	read_expect(r, '[');
	if (r->tok != ']') {
		do {
			const attr *l = read_location(r);
			vec_push(r->mem, &list, l);
		} while (read_accept(r, ','));
	}
	read_expect(r, ']');
	a.list = list.ptr;
	a.n = list.len;
	return attr_of(r->ctx, &a);
}

/* True if the alias does not nest too deep here; the alias itself is already counted. */
static bool fits_depth(reader *r, const alias *a, unsigned most)
{
	if (r->depth + a->height - 1 > r->deepest)
		r->deepest = r->depth + a->height - 1;
	return r->deepest <= (int)most ||
	       read_fail(r, E_LIMIT, "with its aliases written out, this is nested more than %u deep",
	                 most);
}

bool use_alias(reader *r, const alias *a)
{
	r->lent += a->parts - 1;
	return fits_depth(r, a, r->ctx->opts.max_depth) &&
	       (r->lent <= MOST_LENT ||
	        read_fail(r, E_LIMIT, "with their aliases written out, attributes and types have more "
	                              "than %d parts", MOST_LENT));
}

/* Location aliases are printed as aliases again, so only their depth matters, which may be that of
 * a program's calls. */
enum { DEEPER = 8 };

static const attr *read_location_alias(reader *r)
{
	tess_str t = tok_text(r);
	const alias *a = find_alias(r, t.ptr, t.len);
	if (!a || !a->attr || a->attr->kind < AT_LOC_UNKNOWN) {
		read_fail(r, E_ALIAS, "no location is named %.*s", STR_ARG(t));
		return attr_loc_unknown(r->ctx);
	}
	fits_depth(r, a, r->ctx->opts.max_depth * DEEPER);
	read_next(r);
	return a->attr;
}

static const attr *read_any_location(reader *r)
{
	if (r->tok == T_STRING)
		return read_named_location(r);
	if (r->tok == T_HASH)
		return read_location_alias(r);
	if (read_accept_word(r, "callsite"))
		return read_callsite(r);
	if (read_accept_word(r, "fused"))
		return read_fused(r);
	if (!read_accept_word(r, "unknown") && !read_accept(r, '?'))
		read_expected(r, "a location");
	return attr_loc_unknown(r->ctx);
}

static const attr *read_location(reader *r)
{
	if (!read_deeper(r))
		return attr_loc_unknown(r->ctx);
	const attr *a = read_any_location(r);
	r->depth--;
	return a;
}

const attr *read_loc(reader *r)
{
	read_expect_word(r, "loc");
	read_expect(r, '(');
	const attr *a = read_location(r);
	read_expect(r, ')');
	return a;
}

const attr *read_trailing_loc(reader *r)
{
	return tok_is(r, "loc") ? read_loc(r) : NULL;
}

/* ---- aliases ---------------------------------------------------------------------------- */

static alias *alias_slot(reader *r, char sigil, tess_str text)
{
	const name *n = name_of(r->ctx, text);
	alias **slot = (alias **)ptr_map_at(sigil == '#' ? &r->hash_aliases : &r->bang_aliases,
	                                    r->mem, n);
	if (!*slot) {
		*slot = NEW(r->mem, alias);
		(*slot)->name = n;
		(*slot)->at = UINT32_MAX;
	}
	return *slot;
}

/* At the '#name' or '!name' of a definition. */
static alias *read_alias_body(reader *r)
{
	tess_str t = tok_text(r);
	uint32_t at = tok_pos(r);
	alias *a = alias_slot(r, t.ptr[0], (tess_str){t.ptr + 1, t.len - 1});
	if ((a->attr || a->type) && a->at != at) {
		read_fail(r, E_ALIAS, "the alias %.*s is defined already", STR_ARG(t));
		return a;
	}
	const int64_t parts = r->parts, lent = r->lent;
	const int deepest = r->deepest;
	a->at = at;
	a->reading = true;
	r->parts = r->lent = 0;
	r->deepest = r->depth;
	read_next(r);
	read_expect(r, '=');
	if (t.ptr[0] == '#')
		a->attr = read_attr(r);
	else
		a->type = read_type(r);
	a->reading = false;
	a->parts = r->parts + r->lent;
	a->height = r->deepest - r->depth;
	r->parts = parts;
	r->lent = lent;
	r->deepest = deepest;
	return a;
}

void read_alias_definition(reader *r)
{
	tess_str t = tok_text(r);
	if (memchr(t.ptr, '.', t.len)) {
		read_fail(r, E_ALIAS, "the name of an alias has no dot");
		return;
	}
	read_alias_body(r);
}

static bool begins_alias(const reader *r, const char *s, size_t *len)
{
	size_t n = 1;
	while (s + n < r->end && (s[n] == '_' || s[n] == '$' || (s[n] >= '0' && s[n] <= '9') ||
	                          ((s[n] | 32) >= 'a' && (s[n] | 32) <= 'z')))
		n++;
	*len = n;
	while (s + n < r->end && s[n] == ' ')
		n++;
	return *len > 1 && s + n < r->end && s[n] == '=';
}

static void index_aliases(reader *r)
{
	r->aliases_indexed = true;
	for (const char *s = r->text; s && s < r->end;) {
		size_t len;
		if ((*s == '#' || *s == '!') && begins_alias(r, s, &len)) {
			alias *a = alias_slot(r, *s, (tess_str){s + 1, len - 1});
			if (a->at == UINT32_MAX)
				a->at = (uint32_t)(s - r->text);
		}
		s = memchr(s, '\n', (size_t)(r->end - s));
		s = s ? s + 1 : NULL;
	}
}

/* Parses a definition elsewhere in the text, then returns to the current position. */
static void read_out_of_order(reader *r, alias *a)
{
	const char *tok_at = r->tok_at, *at = r->at;
	uint32_t last_end = r->last_end;
	int tok = r->tok;
	if (!read_deeper(r))
		return;
	read_goto(r, r->text + a->at);
	read_alias_body(r);
	r->depth--;
	if (r->failed)
		return;
	r->tok_at = tok_at;
	r->at = at;
	r->tok = tok;
	r->last_end = last_end;
}

const alias *find_alias(reader *r, const char *text, size_t len)
{
	if (r->failed)
		return NULL;
	const name *n = name_of(r->ctx, (tess_str){text + 1, len - 1});
	ptr_map *map = text[0] == '#' ? &r->hash_aliases : &r->bang_aliases;
	alias *a = ptr_map_get(map, n);
	if (!a && !r->aliases_indexed) {
		index_aliases(r);
		a = ptr_map_get(map, n);
	}
	if (!a || a->reading || a->at == UINT32_MAX)
		return NULL;
	if (!a->attr && !a->type)
		read_out_of_order(r, a);
	return a;
}
