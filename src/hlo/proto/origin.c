/* origin.c - converts OriginalValueProto, where a value was before XLA's passes: for each part of
 * it, the original array, by the indices that lead to the part.
 *
 *   origin ::= '{' (node | '[synthetic_call]') '}'
 *   node   ::= '(' (node (', ' node)*)? ')' | '{' ('"' instruction '"' (' {' indices '}')?)? '}' */
#include "hlo/proto/proto.h"

enum { ORIGIN_PARTS = 1, ORIGIN_SYNTHETIC = 2 };
enum { PART_AT = 1, PART_ARRAY = 2 };
enum { ARRAY_INSTRUCTION = 1, ARRAY_AT = 2 };
enum { ORIGIN_DEPTH = 64 };

static const char synthetic_word[] = "[synthetic_call]";

/* ---- reading ---------------------------------------------------------------------- */

typedef struct origin_part {
	int64_t *path;
	int n;
	wire_message array;
} origin_part;

static void put_origin_array(proto_reader *p, const origin_part *part, writer *w)
{
	int64_t *at;
	tess_str instruction = wire_bytes(&part->array, ARRAY_INSTRUCTION);
	int n = wire_ints(p, &part->array, ARRAY_AT, &at);
	put_c(w, '{');
	if (instruction.len)
		hlo_put_quoted(w, instruction);
	for (int i = 0; i < n; i++)
		put_f(w, "%s%" PRId64, i ? "," : " {", at[i]);
	put_z(w, n ? "}}" : "}");
}

/* Writes parts that share the first `depth` indices, grouped by the next one. */
static void put_origin_node(proto_reader *p, const origin_part *parts, int n, int depth, writer *w)
{
	if (n == 1 && parts->n <= depth) {
		put_origin_array(p, parts, w);
		return;
	}
	put_c(w, '(');
	for (int i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && parts[i].n > depth && parts[end].n > depth &&
		                  parts[end].path[depth] == parts[i].path[depth];)
			end++;
		put_z(w, i ? ", " : "");
		put_origin_node(p, parts + i, end - i, depth + 1, w);
	}
	put_c(w, ')');
}

void proto_origin_text(proto_reader *p, const wire_message *m, writer *w)
{
	VEC(origin_part) parts = {0};
	for (const wire_field *f = NULL; (f = wire_next(m, ORIGIN_PARTS, f)) && !p->r.s.failed;) {
		wire_message part = wire_read(p, f->bytes);
		origin_part o = {.array = wire_sub(p, &part, PART_ARRAY)};
		o.n = wire_ints(p, &part, PART_AT, &o.path);
		if (o.n > ORIGIN_DEPTH)
			proto_fail(p, f->bytes.ptr, "the parts of a value are nested more than %d deep",
			           ORIGIN_DEPTH);
		vec_push(p->mem, &parts, o);
	}
	put_c(w, '{');
	if (wire_int(m, ORIGIN_SYNTHETIC))
		put_z(w, synthetic_word);
	else if (!p->r.s.failed)
		put_origin_node(p, parts.ptr, parts.len, 0, w);
	put_c(w, '}');
}

/* ---- writing ---------------------------------------------------------------------- */

typedef struct origin_writer {
	proto_writer *p;
	hlo_reader r;
	int64_t path[ORIGIN_DEPTH];
	int n;
	writer all;
} origin_writer;

/* Reads {"x" {1,0}}. */
static void read_origin_array(origin_writer *o)
{
	writer part = proto_part(o->p), array = proto_part(o->p);
	bool named;
	hlo_expect(&o->r, "{");
	wire_put_ints(&part, PART_AT, o->path, o->n);
	if ((named = hlo_peek(&o->r) == '"'))
		wire_put_str(&array, ARRAY_INSTRUCTION, hlo_string(&o->r));
	if (named && hlo_peek(&o->r) == '{') {
		tess_str s = hlo_braces(&o->r);
		int n = hlo_numbers(s, NULL, 0);
		int64_t *at = NEW_N(o->p->mem, int64_t, n + 1);
		hlo_numbers(s, at, n);
		wire_put_ints(&array, ARRAY_AT, at, n);
	}
	hlo_expect(&o->r, "}");
	if (named)
		wire_put_bytes(&part, PART_ARRAY, writer_str(&array));
	wire_put_bytes(&o->all, ORIGIN_PARTS, writer_str(&part));
}

static void read_origin_node(origin_writer *o)
{
	if (!hlo_accept(&o->r, "(")) {
		read_origin_array(o);
		return;
	}
	if (o->n == ORIGIN_DEPTH)
		hlo_unexpected(&o->r, "a value that is nested less deep");
	for (int64_t i = 0; !o->r.s.failed && !hlo_accept(&o->r, ")"); i++) {
		o->path[o->n++] = i;
		read_origin_node(o);
		o->n--;
		hlo_accept(&o->r, ",");
	}
}

void put_proto_origin(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	origin_writer o = {.p = p, .r = hlo_reader_of(p->ctx, &src), .all = proto_part(p)};
	o.r.mem = p->mem;
	hlo_expect(&o.r, "{");
	if (hlo_accept(&o.r, synthetic_word))
		wire_put_int(&o.all, ORIGIN_SYNTHETIC, 1);
	else if (hlo_peek(&o.r) != '}')
		read_origin_node(&o);
	hlo_expect(&o.r, "}");
	wire_put_bytes(w, number, writer_str(&o.all));
}
