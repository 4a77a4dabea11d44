/* expect.c - compares diagnostics with expectations in comments, as MLIR's -verify-diagnostics
 * does.
 *
 *     %0 = … // expected-error {{unknown mesh}}
 *     // expected-note@-1 {{…}}   @+2 @above @below @unknown
 *     // expected-warning-re {{rank {{[0-9]+}}}}
 *
 * A diagnostic meets an expectation of its severity and line if its message contains the expected
 * text; several diagnostics may meet the same one. Every diagnostic must be expected, and every
 * expectation met. MLIR's verifiers point at operations, ours at the attribute, which may be lines
 * below; so a diagnostic about part of an operation matches both the line of that part and the line
 * where the operation starts. */
#include "shardy/shardy.h"

#include <regex.h>

typedef struct expectation {
	tess_severity severity;
	bool is_regex, anywhere, below, met; /* below: waits for a plain line */
	uint32_t line;
	tess_str text;
	place at;
} expectation;
typedef VEC(expectation) expectation_list;

static bool skip_word(tess_str *s, const char *word)
{
	if (!str_starts(*s, word))
		return false;
	s->ptr += strlen(word);
	s->len -= strlen(word);
	return true;
}

static void skip_spaces(tess_str *s)
{
	while (s->len && (*s->ptr == ' ' || *s->ptr == '\t'))
		s->ptr++, s->len--;
}

static bool skip_severity(tess_str *s, tess_severity *out)
{
	static const struct {
		const char *word;
		tess_severity severity;
	} words[] = {{"error", TESS_SEVERITY_ERROR},
	             {"warning", TESS_SEVERITY_WARNING},
	             {"remark", TESS_SEVERITY_REMARK},
	             {"note", TESS_SEVERITY_NOTE}};
	for (int i = 0; i < COUNT(words); i++)
		if (skip_word(s, words[i].word)) {
			*out = words[i].severity;
			return true;
		}
	return false;
}

/* The line that an expectation is for: a number of lines away, or the nearest line without an
 * expectation above or below. */
typedef enum aim { AIM_OFFSET, AIM_ABOVE, AIM_BELOW, AIM_UNKNOWN } aim;

static bool skip_aim(tess_str *s, aim *to, int *offset)
{
	*to = AIM_OFFSET;
	*offset = 0;
	if (!skip_word(s, "@"))
		return true;
	if (skip_word(s, "above"))
		*to = AIM_ABOVE;
	else if (skip_word(s, "below"))
		*to = AIM_BELOW;
	else if (skip_word(s, "unknown"))
		*to = AIM_UNKNOWN;
	else {
		bool up = skip_word(s, "-");
		if (!up && !skip_word(s, "+"))
			return false;
		for (; s->len && *s->ptr >= '0' && *s->ptr <= '9' && *offset < 1 << 20;
		     s->ptr++, s->len--)
			*offset = *offset * 10 + (*s->ptr - '0');
		if (up)
			*offset = -*offset;
	}
	return true;
}

/* Finds the text between the first {{ and the last }} of the line. */
static bool braced_text(tess_str s, tess_str *out)
{
	if (!skip_word(&s, "{{"))
		return false;
	while (s.len >= 2 && !(s.ptr[s.len - 1] == '}' && s.ptr[s.len - 2] == '}'))
		s.len--;
	if (s.len < 2)
		return false;
	*out = (tess_str){s.ptr, s.len - 2};
	return true;
}

/* Parses the expectation of a line; returns false if it has none. */
static bool read_expectation(tess_str line, expectation *e, aim *to, int *offset)
{
	static const char mark[] = "expected-";
	for (size_t i = 0; i + sizeof mark < line.len; i++) {
		tess_str s = {line.ptr + i, line.len - i};
		if (*s.ptr != 'e' || !skip_word(&s, mark) || !skip_severity(&s, &e->severity))
			continue;
		e->is_regex = skip_word(&s, "-re");
		skip_spaces(&s);
		if (!skip_aim(&s, to, offset))
			continue;
		skip_spaces(&s);
		if (braced_text(s, &e->text))
			return true;
	}
	return false;
}

static void read_expectations(source *src, arena *mem, expectation_list *out)
{
	tess_str text = src->text;
	uint32_t number = src->first_line, last_plain = number;
	int settled = 0; /* number of expectations whose line is known */
	for (size_t at = 0; at < text.len; number++) {
		const char *end = memchr(text.ptr + at, '\n', text.len - at);
		size_t len = end ? (size_t)(end - text.ptr) - at : text.len - at;
		expectation e = {.line = number, .at = {src, (uint32_t)at, (uint32_t)(at + len)}};
		aim to;
		int offset;
		if (read_expectation((tess_str){text.ptr + at, len}, &e, &to, &offset)) {
			e.line = to == AIM_ABOVE ? last_plain : number + (uint32_t)offset;
			e.anywhere = to == AIM_UNKNOWN;
			e.below = to == AIM_BELOW;
			vec_push(mem, out, e);
		} else {
			for (; settled < out->len; settled++)
				if (out->ptr[settled].below)
					out->ptr[settled].line = number;
			last_plain = number;
		}
		at += len + 1;
	}
}

static bool contains(tess_str s, tess_str part)
{
	return part.len == 0 || memmem(s.ptr, s.len, part.ptr, part.len) != NULL;
}

/* Returns a POSIX regular expression for a text in which {{…}} enclose regular expressions. */
static char *pattern_of(arena *mem, tess_str text)
{
	writer w;
	writer_init(&w, mem);
	for (size_t i = 0; i < text.len; i++) {
		tess_str rest = {text.ptr + i, text.len - i};
		const char *close = str_starts(rest, "{{") ? memmem(rest.ptr, rest.len, "}}", 2)
		                                           : NULL;
		if (close) {
			put_mem(&w, rest.ptr + 2, (size_t)(close - rest.ptr) - 2);
			i = (size_t)(close - text.ptr) + 1;
			continue;
		}
		if (strchr(".[]{}()\\*+?|^$", text.ptr[i]))
			put_c(&w, '\\');
		put_c(&w, text.ptr[i]);
	}
	return writer_z(&w);
}

static bool matches(const expectation *e, tess_str message, arena *mem)
{
	if (!e->is_regex)
		return contains(message, e->text);
	regex_t re;
	if (regcomp(&re, pattern_of(mem, e->text), REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	bool found = regexec(&re, arena_str(mem, message).ptr, 0, NULL, 0) == 0;
	regfree(&re);
	return found;
}

static bool meet(expectation_list *list, const diag *d, arena *mem)
{
	for (int i = 0; i < list->len; i++) {
		expectation *e = &list->ptr[i];
		bool here = e->anywhere ? d->line == 0
		                        : d->line == e->line || (d->op_line && d->op_line == e->line);
		if (here && e->severity == d->severity && matches(e, d->message, mem)) {
			e->met = true;
			return true;
		}
	}
	return false;
}

/* Returns the place of a diagnostic from its line and column. */
static place diag_place(const source *src, const diag *d)
{
	uint32_t index = d->line - src->first_line;
	if (!d->line || !src->line_starts || index >= src->n_lines)
		return NOWHERE;
	uint32_t begin = src->line_starts[index] + d->col - 1;
	return (place){(source *)src, begin, begin + (d->end_col - d->col)};
}

void expect_compare(tess_ctx *ctx, source *src, bool any_note, arena *mem, mismatch_list *out)
{
	expectation_list list = {0};
	read_expectations(src, mem, &list);
	for (int i = 0; i < diag_count(ctx); i++) {
		const diag *d = diag_at(ctx, i);
		if (meet(&list, d, mem) || (any_note && d->severity == TESS_SEVERITY_NOTE))
			continue;
		vec_push(mem, out, (mismatch){diag_place(src, d),
		         arena_printf(mem, "unexpected %s: %.*s", severity_word(d->severity),
		                      STR_ARG(d->message))});
	}
	for (int i = 0; i < list.len; i++)
		if (!list.ptr[i].met)
			vec_push(mem, out, (mismatch){list.ptr[i].at,
			         arena_printf(mem, "expected %s \"%.*s\" was not produced",
			                      severity_word(list.ptr[i].severity),
			                      STR_ARG(list.ptr[i].text))});
	diag_clear(ctx);
}
