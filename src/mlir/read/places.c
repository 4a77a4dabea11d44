/* places.c - finds the position of an op's attributes in MLIR text, for error messages.
 *
 * The op is parsed again, and the reader records where its attributes are (note_attr()). This works
 * without the surrounding text: unknown values are taken for forward references. Parts inside an
 * attribute need no parser: all of MLIR's attributes are lists or entries in brackets, separated by
 * commas, perhaps after keywords. So the steps of a path lead from the attribute to smaller and
 * smaller pieces of text; if a step fails, the piece before it is the answer. */
#include "mlir/read/read.h"

/* ---- parsing the op again ------------------------------------------------------------------- */

/* Parses the op alone or, if it depends on preceding text, the text up to the op. */
static bool read_again(reader *r, const module *m, bool alone, attr_notes *notes)
{
	static const mlir_parse_opts all = {.allow_unregistered = true, .no_verify = true};
	labels none = {0};
	read_begin(r, m->ctx, m->src, &all);
	r->built = m->src->find_attr == mlir_find_built_attr;
	r->notes = notes;
	r->m = module_new(m->ctx);
	r->labels = &none;
	diag_mark mark = diag_here(m->ctx);
	if (alone) {
		read_goto(r, r->text + notes->at);
		scope_open(r, true, NOWHERE);
		read_op(r, module_body(r->m));
	} else {
		read_file(r);
	}
	diag_back(m->ctx, mark);
	return notes->found != NULL;
}

/* ---- pieces of text ------------------------------------------------------------------ */

static bool is_opening(char c) { return c == '<' || c == '[' || c == '{' || c == '('; }
static bool is_closing(char c) { return c == '>' || c == ']' || c == '}' || c == ')'; }

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '$';
}

/* Skips a string, a comment, an arrow, or one character. */
static const char *past_one(const char *s, const char *end)
{
	if (*s == '"') {
		for (s++; s < end && *s != '"'; s++)
			s += *s == '\\' && s + 1 < end;
		return s < end ? s + 1 : end;
	}
	if (*s == '/' && end - s > 1 && s[1] == '/')
		return skip_blanks(s, end);
	return s + (*s == '-' && end - s > 1 && s[1] == '>' ? 2 : 1);
}

/* Skips to the end of the bracket that `s` opens. */
static const char *past_bracket(const char *s, const char *end)
{
	int depth = 0;
	while (s < end) {
		depth += is_opening(*s) - is_closing(*s);
		s = past_one(s, end);
		if (depth <= 0)
			break;
	}
	return s;
}

static tess_str stripped(tess_str s)
{
	const char *end = s.ptr + s.len, *begin = skip_blanks(s.ptr, end);
	while (end > begin &&
	       (end[-1] == ' ' || end[-1] == '\n' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	return (tess_str){begin, (size_t)(end - begin)};
}

/* Returns the first word of a piece: #sdy.sharding of #sdy.sharding<…>. */
static tess_str first_word(tess_str s)
{
	size_t n = s.len && (*s.ptr == '#' || *s.ptr == '"');
	while (n < s.len && is_word_char(s.ptr[n]))
		n++;
	return (tess_str){s.ptr, n};
}

/* Returns what is between the brackets of a piece; the piece itself if it has none. */
static tess_str piece_inside(tess_str s)
{
	tess_str word = first_word(s);
	const char *end = s.ptr + s.len, *open = s.ptr + word.len;
	if (open == end || !is_opening(*open))
		return s;
	const char *close = past_bracket(open, end);
	tess_str in = stripped((tess_str){open + 1, (size_t)(close - open - 2)});
	if (str_is(word, "array")) { /* array<i64: 1, 2> */
		const char *colon = memchr(in.ptr, ':', in.len);
		return colon ? (tess_str){colon + 1, (size_t)(in.ptr + in.len - colon - 1)} : in;
	}
	/* dense<[1, 2]>, #sdy.sharding_per_value<[…]> */
	bool list = word.len && in.len && *in.ptr == '[' &&
	            past_bracket(in.ptr, in.ptr + in.len) == in.ptr + in.len;
	return list ? (tess_str){in.ptr + 1, in.len - 2} : in;
}

/* Takes a piece up to the next comma off *rest; returns false at the end. */
static bool next_piece(tess_str *rest, tess_str *out)
{
	const char *s = rest->ptr, *end = s + rest->len;
	while (s < end && *s != ',')
		s = is_opening(*s) ? past_bracket(s, end) : past_one(s, end);
	*out = stripped((tess_str){rest->ptr, (size_t)(s - rest->ptr)});
	*rest = (tess_str){s + (s < end), (size_t)(end - s) - (s < end)};
	return out->len > 0;
}

/* For #name alone, returns the definition of that alias. */
static tess_str aliased(tess_str text, tess_str s)
{
	tess_str word = first_word(s);
	if (!word.len || word.len != s.len || *s.ptr != '#' || memchr(s.ptr, '.', s.len))
		return s;
	const char *end = text.ptr + text.len;
	for (const char *at = text.ptr; at < end; at++) {
		tess_str line = {at, (size_t)(end - at)};
		const char *eq = str_starts(line, "#") && str_eq(first_word(line), word)
		                         ? skip_blanks(at + word.len, end)
		                         : end;
		if (eq < end && *eq == '=') {
			tess_str body = stripped((tess_str){eq + 1, (size_t)(end - eq - 1)});
			body.len = first_word(body).len;
			const char *open = body.ptr + body.len;
			if (open < end && is_opening(*open))
				body.len = (size_t)(past_bracket(open, end) - body.ptr);
			return body;
		}
		at = memchr(at, '\n', line.len);
		if (!at)
			break;
	}
	return s;
}

static bool has_key(tess_str piece, tess_str key, tess_str *value)
{
	const char *end = piece.ptr + piece.len;
	size_t quoted = piece.len && *piece.ptr == '"';
	tess_str k = first_word(piece);
	if (!str_eq((tess_str){k.ptr + quoted, k.len - quoted}, key))
		return false;
	const char *eq = skip_blanks(k.ptr + k.len + quoted, end);
	*value = eq < end && *eq == '=' ? stripped((tess_str){eq + 1, (size_t)(end - eq - 1)})
	                                : piece;
	return true;
}

/* Goes one step further into the attribute at *s. */
static bool step_in(tess_ctx *ctx, tess_str text, int step, tess_str *s)
{
	tess_str whole = aliased(text, *s), rest = step == ALIASED ? whole : piece_inside(whole),
		 piece;
	if (step == ALIASED || rest.ptr == whole.ptr) { /* dense<0> has a single number */
		*s = whole;
		return step < 0;
	}
	for (int i = 0; next_piece(&rest, &piece); i++) {
		if (step > 0 ? has_key(piece, name_str(name_known(ctx, step)), s)
		             : i == -1 - step) {
			*s = step > 0 ? *s : piece;
			return true;
		}
		if (step < 0 && !i && !rest.len && str_is(first_word(whole), "dense")) {
			*s = piece; /* dense<0>: all elements */
			return true;
		}
	}
	return false;
}

/* ---- from a path to a place ---------------------------------------------------------------- */

/* Returns the note that covers the longest prefix of the path; *n: its number of steps. */
static const attr_note *best_note(const attr_notes *notes, const name *first, int second, int *n)
{
	const attr_note *best = NULL;
	for (int i = 0; i < notes->list.len; i++) {
		const attr_note *at = &notes->list.ptr[i];
		if (at->name != first || (at->part && at->part != second))
			continue;
		if (!best || at->part)
			best = at;
	}
	*n = best && best->part ? 2 : 1;
	return best;
}

static bool find_place(const module *m, const op *o, const int *part, reader *r, place *out)
{
	attr_notes notes = {.at = o->at};
	const name *first = name_known(m->ctx, part[0]);
	int n;
	if (!read_again(r, m, true, &notes) && !read_again(r, m, false, &notes))
		return false;
	const attr_note *note = best_note(&notes, first, part[1], &n);
	/* A pass may have changed what the text says. */
	if (!note || op_attr_named(o, first) != op_attr_named(notes.found, first))
		return false;
	tess_str text = m->src->text, s = {text.ptr + note->begin, note->end - note->begin};
	for (; part[n - 1] && part[n]; n++)
		if (!step_in(m->ctx, text, part[n], &s))
			break;
	*out = (place){m->src, (uint32_t)(s.ptr - text.ptr), 0, o->at + 1};
	out->end = out->begin + (uint32_t)s.len;
	return s.len > 0;
}

bool mlir_find_attr(const module *m, const op *o, const int *part, place *out)
{
	arena_mark mark = arena_here(&m->ctx->scratch);
	uint64_t made = modules_made(m->ctx);
	bool found = find_place(m, o, part, NEW(&m->ctx->scratch, reader), out);
	modules_free_since(m->ctx, made);
	arena_back(&m->ctx->scratch, mark);
	return found;
}

bool mlir_find_built_attr(const module *m, const op *o, const int *part, place *out)
{
	return mlir_find_attr(m, o, part, out);
}
