/* spec.c - JAX's PartitionSpec, as the text of a sharding.
 *
 *   spec  ::= ('P' | 'PartitionSpec') '(' (item (',' item)*)? ')'
 *   item  ::= entry | 'unreduced' '=' '{' axis (',' axis)* '}' | 'unreduced_kind' '=' word
 *   entry ::= 'None' | 'UNCONSTRAINED' | axis | '(' (axis (',' axis)*)? ')'
 *   axis  ::= "'" word "'" | '"' word '"'
 *
 * As jax.sharding.PartitionSpec prints it.  Dimensions that it does not name are not sharded. */
#include "sharding/sharding.h"

#include "base/scan.h"

/* Takes the opening words; false if the text is something else. */
static bool spec_begins(scan *s)
{
	scan_accept_text(s, "jax.sharding.");
	return scan_accept_text(s, "PartitionSpec(") || scan_accept_text(s, "P(");
}

bool sharding_is_spec(tess_ctx *ctx, source *src)
{
	scan s;
	scan_begin(&s, ctx, src, 0);
	return spec_begins(&s);
}

static void spec_name(scan *s, writer *w)
{
	char quote = scan_peek(s);
	if (quote != '\'' && quote != '"') {
		scan_error(s, "an axis, 'x'");
		return;
	}
	scan_accept(s, quote);
	tess_str axis = scan_word(s);
	scan_expect(s, quote);
	put_f(w, "\"%.*s\"", STR_ARG(axis));
}

static void spec_names(scan *s, char close, writer *w)
{
	bool any = false;
	while (!s->failed && !scan_accept(s, close)) {
		put_z(w, any ? ", " : "");
		spec_name(s, w);
		any = true;
		if (scan_peek(s) != close)
			scan_expect(s, ',');
	}
}

static void spec_entry(scan *s, writer *dims)
{
	put_c(dims, '{');
	if (scan_accept(s, '('))
		spec_names(s, ')', dims);
	else if (scan_accept_text(s, "P.UNCONSTRAINED") || scan_accept_word(s, "UNCONSTRAINED"))
		put_c(dims, '?');
	else if (!scan_accept_word(s, "None"))
		spec_name(s, dims);
	put_c(dims, '}');
}

bool sharding_text_of_spec(tess_ctx *ctx, source *src, int rank, writer *out)
{
	scan s;
	writer partial, kind;
	writer_init(&partial, &ctx->scratch);
	writer_init(&kind, &ctx->scratch);
	scan_begin(&s, ctx, src, 0);
	spec_begins(&s);
	put_c(out, '[');
	int n = 0;
	while (!s.failed && !scan_accept(&s, ')')) {
		if (scan_accept_text(&s, "unreduced_kind=")) {
			put_str(&kind, scan_word(&s));
		} else if (scan_accept_text(&s, "unreduced={")) {
			spec_names(&s, '}', &partial);
		} else {
			put_z(out, n++ ? ", " : "");
			spec_entry(&s, out);
		}
		if (scan_peek(&s) != ')')
			scan_expect(&s, ',');
	}
	if (!s.failed && scan_peek(&s))
		scan_error(&s, "the end");
	for (; n < rank; n++)
		put_z(out, n ? ", {}" : "{}");
	put_c(out, ']');
	if (partial.len)
		put_f(out, ", unreduced=%s{%s}",
		      kind.len && !str_is(writer_str(&kind), "sum") ? writer_z(&kind) : "",
		      writer_z(&partial));
	return !s.failed;
}
