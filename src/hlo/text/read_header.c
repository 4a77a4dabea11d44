/* read_header.c - parses what comes before the computations of HLO text.
 *
 *   header ::= 'HloModule' name (',' attribute)* tables?
 *   tables ::= 'FileNames' … 'FunctionNames' … 'FileLocations' … 'StackFrames' …
 *
 * Attributes of the module are kept as the text that XLA prints for them. */
#include "hlo/text/text.h"

/* '{' index ':' '(' parameter ',' index (',' kind)? ')',… '}' */
static tess_str read_input_output_alias(hlo_reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	put_lit(&w, "{ ");
	hlo_expect(r, "{");
	while (!r->s.failed && hlo_peek(r) != '}') {
		put_z(&w, w.len > 2 ? ", " : "");
		put_str(&w, hlo_braces(r));
		hlo_expect(r, ":");
		hlo_expect(r, "(");
		put_f(&w, ": (%" PRId64 ", ", hlo_integer(r));
		hlo_expect(r, ",");
		put_str(&w, hlo_braces(r));
		bool must = false;
		if (hlo_accept(r, ",") && !hlo_accept_word(r, "may-alias")) {
			must = hlo_accept_word(r, "must-alias");
			if (!must)
				hlo_unexpected(r, "may-alias or must-alias");
		}
		put_z(&w, must ? ", must-alias)" : ", may-alias)");
		hlo_expect(r, ")");
		if (!hlo_accept(r, ","))
			break;
	}
	hlo_expect(r, "}");
	put_lit(&w, " }");
	return writer_str(&w);
}

/* '{' '(' parameter ',' index ')',… '}' */
static tess_str read_buffer_donor(hlo_reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	put_lit(&w, "{ ");
	hlo_expect(r, "{");
	while (!r->s.failed && hlo_accept(r, "(")) {
		put_f(&w, "%s(%" PRId64 ", ", w.len > 2 ? ", " : "", hlo_integer(r));
		hlo_expect(r, ",");
		put_str(&w, hlo_braces(r));
		hlo_expect(r, ")");
		put_c(&w, ')');
		if (!hlo_accept(r, ","))
			break;
	}
	hlo_expect(r, "}");
	put_lit(&w, " }");
	return writer_str(&w);
}

void hlo_put_listed_shape(writer *w, int i, const shape *s)
{
	if (i)
		put_lit(w, ", ");
	if (i && i % 5 == 0)
		put_f(w, "/*index=%d*/", i);
	shape_print(w, s, SHAPE_WITH_LAYOUT);
}

/* '{' '(' shape,… ')' '->' shape '}' */
static tess_str read_entry_layout(hlo_reader *r)
{
	writer w;
	int n = 0;
	writer_init(&w, r->mem);
	hlo_expect(r, "{");
	hlo_expect(r, "(");
	put_lit(&w, "{(");
	if (!hlo_accept(r, ")")) {
		do {
			const shape *s = hlo_read_shape(r);
			if (s)
				hlo_put_listed_shape(&w, n++, s);
		} while (!r->s.failed && hlo_accept(r, ","));
		hlo_expect(r, ")");
	}
	hlo_expect(r, "->");
	const shape *s = hlo_read_shape(r);
	put_lit(&w, ")->");
	if (s)
		shape_print(&w, s, SHAPE_WITH_LAYOUT);
	hlo_expect(r, "}");
	put_c(&w, '}');
	return writer_str(&w);
}

/* {true,false}; {false} is not printed */
static tess_str read_flags(hlo_reader *r)
{
	writer w;
	writer_init(&w, r->mem);
	put_c(&w, '{');
	hlo_expect(r, "{");
	while (!r->s.failed && hlo_peek(r) != '}') {
		bool yes = hlo_accept_word(r, "true");
		if (!yes && !hlo_accept_word(r, "false"))
			hlo_unexpected(r, "true or false");
		put_f(&w, "%s%s", w.len > 1 ? "," : "", yes ? "true" : "false");
		if (!hlo_accept(r, ","))
			break;
	}
	hlo_expect(r, "}");
	put_c(&w, '}');
	tess_str s = writer_str(&w);
	return str_is(s, "{false}") ? (tess_str){0} : s;
}

static tess_str read_count(hlo_reader *r)
{
	int64_t n = hlo_integer(r);
	if (n < 1)
		hlo_unexpected(r, "a positive number");
	return n == 1 ? (tess_str){0} : str_of(arena_printf(r->mem, "%" PRId64, n));
}

static tess_str read_yes(hlo_reader *r)
{
	if (hlo_accept_word(r, "true"))
		return STR("true");
	if (!hlo_accept_word(r, "false"))
		hlo_unexpected(r, "true or false");
	return (tess_str){0};
}

static tess_str read_header_dictionary(hlo_reader *r)
{
	const attr *a = hlo_read_attr(r, hlo_attribute_find(STR("frontend_attributes")), NULL);
	return a ? name_str(a->text) : (tess_str){0};
}

typedef tess_str read_header_fn(hlo_reader *r);
/* In printing order. */
static const struct {
	const char *name;
	read_header_fn *read;
} header[] = {
	{"is_scheduled", read_yes},
	{"input_output_alias", read_input_output_alias},
	{"buffer_donor", read_buffer_donor},
	{"alias_passthrough_params", read_yes},
	{"entry_computation_layout", read_entry_layout},
	{"allow_spmd_sharding_propagation_to_parameters", read_flags},
	{"allow_spmd_sharding_propagation_to_output", read_flags},
	{"replica_count", read_count},
	{"num_partitions", read_count},
	{"frontend_attributes", read_header_dictionary},
	{"origin_recovery_table", hlo_braces},
};

const char *hlo_header_name(int i)
{
	return i < COUNT(header) ? header[i].name : NULL;
}

void hlo_set_header(hlo_reader *r, const char *attr_name, tess_str text)
{
	op_set_attr_named(r->m, r->m->top, name_of_z(r->ctx, attr_name),
	                  attr_string(r->ctx, name_of(r->ctx, text)));
}

static void read_header_attribute(hlo_reader *r)
{
	hlo_peek(r);
	const char *from = r->s.at;
	tess_str s = hlo_word(r);
	for (int i = 0; i < COUNT(header); i++) {
		if (!str_is(s, header[i].name))
			continue;
		hlo_expect(r, "=");
		tess_str text = header[i].read(r);
		if (!r->s.failed && text.ptr)
			hlo_set_header(r, header[i].name, text);
		return;
	}
	hlo_fail(r, hlo_since(r, from), E_HLO_ATTRIBUTE, "a module has no attribute %.*s",
	         STR_ARG(s));
}

/* ---- tables of stack frames ----------------------------------------------------------------- */

/* Reads lines of a number followed by a string or braces. */
static void read_frame_lines(hlo_reader *r, writer *w)
{
	while (!r->s.failed && hlo_peek(r) >= '0' && hlo_peek(r) <= '9') {
		put_f(w, "%" PRId64 " ", hlo_integer(r));
		if (hlo_peek(r) == '"')
			hlo_put_quoted(w, hlo_string(r));
		else
			put_str(w, hlo_braces(r));
		put_c(w, '\n');
	}
}

static void read_frame_tables(hlo_reader *r)
{
	static const char *const tables[] = {"FileNames", "FunctionNames", "FileLocations",
	                                     "StackFrames"};
	writer w;
	writer_init(&w, r->mem);
	for (int i = 0; i < COUNT(tables); i++) {
		if (!hlo_accept_word(r, tables[i]))
			continue;
		put_f(&w, "%s%s\n", w.len ? "\n" : "", tables[i]);
		read_frame_lines(r, &w);
		r->has_frames = r->has_frames || i == COUNT(tables) - 1;
	}
	if (w.len && !r->s.failed)
		hlo_set_header(r, "hlo.frames", writer_str(&w));
}

void hlo_read_header(hlo_reader *r)
{
	hlo_set_header(r, "hlo.module", hlo_name(r));
	while (!r->s.failed && hlo_accept(r, ","))
		read_header_attribute(r);
	read_frame_tables(r);
}

void hlo_fill_entry_layout(hlo_reader *r, const op *entry)
{
	writer w;
	int n;
	op **params = hlo_parameters(entry, r->ctx, r->mem, &n);
	writer_init(&w, r->mem);
	put_lit(&w, "{(");
	for (int i = 0; i < n; i++)
		hlo_put_listed_shape(&w, i, hlo_shape_of(r->ctx, params[i]));
	put_lit(&w, ")->");
	put_str(&w, hlo_attr_text(hlo_root(r->ctx, entry), r->ctx, "hlo.shape"));
	put_c(&w, '}');
	hlo_set_header(r, "entry_computation_layout", writer_str(&w));
}
