/* symbolic.c - computes dimensions, as jax.export writes them, from the sizes of their variables.
 *
 *     sum   ::= term (('+' | '-') term)*
 *     term  ::= power ('*' power)*
 *     power ::= atom ('^' integer)?
 *     atom  ::= integer | name | name '(' sum ',' sum ')' | '(' sum ')' | '-' atom
 *
 * After an error everything reads as the end of the text (base/scan.h). */
#include "exec/rewrite/symbolic.h"

enum { MOST_DEPTH = 64 };

typedef struct size_reader {
	scan s;
	given_sizes *known;
	int depth;
	size_result result;
	tess_str missing;
} size_reader;

static int64_t size_fail(size_reader *r, size_result why)
{
	if (r->result == SIZE_KNOWN)
		r->result = why;
	scan_stop(&r->s);
	return 1;
}

static int64_t size_times(size_reader *r, int64_t a, int64_t b)
{
	int64_t out;
	return mul_ok(a, b, &out) ? out : size_fail(r, SIZE_WRONG);
}

static int64_t size_plus(size_reader *r, int64_t a, int64_t b)
{
	int64_t out;
	return add_ok(a, b, &out) ? out : size_fail(r, SIZE_WRONG);
}

static int64_t read_sum(size_reader *r);

/* Rounded down, as in Python. */
static int64_t floor_div(size_reader *r, int64_t a, int64_t b)
{
	if (!b || (a == INT64_MIN && b == -1))
		return size_fail(r, SIZE_WRONG);
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t called_size(size_reader *r, tess_str f)
{
	int64_t a = read_sum(r), b;
	scan_expect(&r->s, ',');
	b = read_sum(r);
	scan_expect(&r->s, ')');
	if (str_is(f, "floordiv"))
		return floor_div(r, a, b);
	if (str_is(f, "mod"))
		return size_plus(r, a, size_times(r, -1, size_times(r, b, floor_div(r, a, b))));
	if (str_is(f, "max"))
		return a > b ? a : b;
	return str_is(f, "min") ? (a < b ? a : b) : size_fail(r, SIZE_WRONG);
}

static int64_t named_size(size_reader *r, tess_str name)
{
	if (scan_accept(&r->s, '('))
		return called_size(r, name);
	for (int i = 0; i < r->known->all.len; i++) {
		given_size *g = &r->known->all.ptr[i];
		if (!str_eq(g->name, name))
			continue;
		g->used = true;
		return g->size;
	}
	if (r->result == SIZE_KNOWN)
		r->missing = name;
	return size_fail(r, SIZE_UNNAMED);
}

static int64_t read_atom(size_reader *r)
{
	int64_t v;
	char c = scan_peek(&r->s);
	if (++r->depth > MOST_DEPTH)
		return size_fail(r, SIZE_WRONG);
	if (scan_accept(&r->s, '-')) {
		v = size_times(r, -1, read_atom(r));
	} else if (scan_accept(&r->s, '(')) {
		v = read_sum(r);
		scan_expect(&r->s, ')');
	} else if (c >= '0' && c <= '9') {
		v = scan_integer(&r->s);
	} else {
		tess_str name = scan_word(&r->s);
		v = name.len ? named_size(r, name) : (scan_error(&r->s, "a size"), 1);
	}
	r->depth--;
	return v;
}

/* By squaring. (-1)^n must not overflow for any n. */
static int64_t size_power(size_reader *r, int64_t base, int64_t n)
{
	int64_t out = 1;
	for (; n > 0; n /= 2) {
		if (n % 2)
			out = size_times(r, out, base);
		if (n > 1)
			base = size_times(r, base, base);
	}
	return n < 0 ? size_fail(r, SIZE_WRONG) : out;
}

static int64_t read_power(size_reader *r)
{
	int64_t base = read_atom(r);
	return scan_accept(&r->s, '^') ? size_power(r, base, scan_integer(&r->s)) : base;
}

static int64_t read_term(size_reader *r)
{
	int64_t out = read_power(r);
	while (scan_accept(&r->s, '*'))
		out = size_times(r, out, read_power(r));
	return out;
}

static int64_t read_sum(size_reader *r)
{
	int64_t out = read_term(r);
	for (;;) {
		if (scan_accept(&r->s, '+'))
			out = size_plus(r, out, read_term(r));
		else if (scan_accept(&r->s, '-'))
			out = size_plus(r, out, size_times(r, -1, read_term(r)));
		else
			return out;
	}
}

size_result size_compute(tess_ctx *ctx, given_sizes *l, tess_str text, int64_t *out, tess_str *missing)
{
	size_reader r = {.known = l};
	scan_begin(&r.s, ctx, source_new(ctx, "dimension", text), 0);
	*out = read_sum(&r);
	if (r.result == SIZE_KNOWN && !r.s.failed && scan_peek(&r.s))
		scan_error(&r.s, "the end of the dimension");
	*missing = r.missing;
	return r.result == SIZE_KNOWN && r.s.failed ? SIZE_WRONG : r.result;
}

/* ---- sizes given by the user ---------------------------------------------------------------- */

static given_size read_given_size(scan *s)
{
	given_size g = {0};
	uint32_t begin = scan_here(s);
	char c = scan_peek(s);
	if (c >= '0' && c <= '9') {
		g.arg = scan_integer(s);
		scan_expect(s, '.');
		g.dim = scan_integer(s);
	} else {
		g.name = scan_word(s);
		if (!g.name.len)
			scan_error(s, "the name of a dimension, or 0.1 for dimension 1 of argument 0");
	}
	g.at = scan_since(s, begin);
	scan_expect(s, '=');
	g.size = scan_integer(s);
	return g;
}

bool sizes_read(tess_ctx *ctx, arena *mem, const char *text, given_sizes *out)
{
	scan s;
	*out = (given_sizes){0};
	scan_begin(&s, ctx, source_new(ctx, "dim", arena_str(&ctx->perm, str_of(text))), 0);
	do {
		given_size g = read_given_size(&s);
		if (!s.failed && g.size < 0)
			scan_fail(&s, g.at, E_INPUT, "a size cannot be negative", (tess_str){0});
		vec_push(mem, &out->all, g);
	} while (scan_accept(&s, ','));
	if (!s.failed && scan_peek(&s))
		scan_error(&s, "',' or the end");
	return !s.failed;
}
