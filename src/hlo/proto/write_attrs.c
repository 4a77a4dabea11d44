/* write_attrs.c - writes the attributes of an instruction as fields of its proto; the reverse of
 * attrs.c.
 *
 * The IR has the canonical text of each value, which is parsed here. Text that is not canonical, in
 * a module built by hand, is reported by the parser of that text. */
#include "hlo/proto/proto.h"

#include <stdlib.h>

/* ---- parsing texts -------------------------------------------------------------------------- */

/* A text being parsed. */
typedef struct text_reader {
	source src;
	hlo_reader r;
} text_reader;

static hlo_reader *reader_of_text(proto_writer *p, text_reader *t, tess_str text)
{
	t->src = (source){.name = "", .text = text, .first_line = 1};
	t->r = hlo_reader_of(p->ctx, &t->src);
	t->r.mem = p->mem;
	return &t->r;
}

static int64_t *proto_numbers_of(proto_writer *p, tess_str s, int *n)
{
	*n = hlo_numbers(s, NULL, 0);
	int64_t *v = NEW_N(p->mem, int64_t, *n + 1);
	hlo_numbers(s, v, *n);
	return v;
}

/* Reads {1,2}. */
static int64_t *read_index(proto_writer *p, hlo_reader *r, int *n)
{
	tess_str s = hlo_braces(r);
	return proto_numbers_of(p, str_of(arena_printf(p->mem, "%.*s", STR_ARG(s))), n);
}

static tess_str unquoted(proto_writer *p, tess_str s)
{
	text_reader t;
	return s.len && s.ptr[0] == '"' ? hlo_string(reader_of_text(p, &t, s)) : s;
}

static int64_t word_number(const char *words, tess_str word)
{
	int64_t n = 0;
	for (const char *at = words; *at; n++) {
		size_t len = strcspn(at, " ");
		if (str_eq((tess_str){at, len}, word))
			return n;
		at += len + (at[len] == ' ');
	}
	return -1;
}

static void put_field_word(proto_writer *p, const op *o, writer *w, uint32_t number,
                           const char *words, tess_str word)
{
	int64_t v = word_number(words, word);
	if (v < 0)
		proto_refuse(p, o, "the word %.*s: it is one of %s", STR_ARG(word), words);
	wire_put_int(w, number, v);
}

/* ---- windows, labels, rows --------------------------------------------------------- */

static void put_field_window(proto_writer *p, const op *o, writer *w, uint32_t number)
{
	hlo_window window;
	writer all = proto_part(p);
	if (!hlo_window_of(o, p->ctx, &window)) {
		proto_refuse(p, o, "a window of more than %d dimensions", SHAPE_MAX_RANK);
		return;
	}
	for (int i = 0; i < window.n; i++) {
		writer d = proto_part(p);
		wire_put_int(&d, 1, window.size[i]);
		wire_put_int(&d, 2, window.stride[i]);
		wire_put_int(&d, 3, window.low[i]);
		wire_put_int(&d, 4, window.high[i]);
		wire_put_int(&d, 5, window.rhs_dilation[i]);
		wire_put_int(&d, 6, window.lhs_dilation[i]);
		wire_put_int(&d, 7, window.reversed[i]);
		wire_put_bytes(&all, 1, writer_str(&d));
	}
	wire_put_bytes(w, number, writer_str(&all));
}

static void put_spatial(writer *w, uint32_t number, const int *v, int n)
{
	int64_t wide[SHAPE_MAX_RANK];
	for (int i = 0; i < n; i++)
		wide[i] = v[i];
	wire_put_ints(w, number, wide, n);
}

static void put_field_labels(proto_writer *p, const op *o, writer *w, uint32_t number)
{
	hlo_labels l;
	writer d = proto_part(p);
	if (!hlo_labels_of(o, p->ctx, &l)) {
		proto_refuse(p, o,
		             "labels that do not give each dimension of a convolution a place");
		return;
	}
	wire_put_int(&d, 7, l.in_batch);
	wire_put_int(&d, 8, l.in_feature);
	put_spatial(&d, 11, l.in_spatial, l.n);
	wire_put_int(&d, 3, l.k_in);
	wire_put_int(&d, 4, l.k_out);
	put_spatial(&d, 6, l.k_spatial, l.n);
	wire_put_int(&d, 9, l.out_batch);
	wire_put_int(&d, 10, l.out_feature);
	put_spatial(&d, 12, l.out_spatial, l.n);
	wire_put_bytes(w, number, writer_str(&d));
}

/* Writes a message of two or three numbers for each dimension; `last` is the third if the text
 * leaves it out. */
static void put_rows(proto_writer *p, writer *w, uint32_t number, tess_str text, int rank,
                     int64_t last)
{
	int n;
	const int64_t *v = proto_numbers_of(p, text, &n);
	int each = rank ? n / rank : 0;
	for (int i = 0; i < rank; i++) {
		writer d = proto_part(p);
		for (int k = 0; k < 3; k++)
			wire_put_int(&d, (uint32_t)k + 1, k < each ? v[i * each + k] : last);
		wire_put_bytes(w, number, writer_str(&d));
	}
}

static void put_field_pairs(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	int n;
	const int64_t *v = proto_numbers_of(p, text, &n);
	for (int i = 0; i + 1 < n; i += 2) {
		writer d = proto_part(p);
		wire_put_int(&d, 1, v[i]);
		wire_put_int(&d, 2, v[i + 1]);
		wire_put_bytes(w, number, writer_str(&d));
	}
}

/* ---- groups of devices ------------------------------------------------------------- */

static void put_iota_groups(proto_writer *p, const replica_groups *g, writer *w)
{
	writer iota = proto_part(p);
	wire_put_int(&iota, 1, g->n_groups);
	wire_put_int(&iota, 2, g->group_size);
	wire_put_ints(&iota, 3, g->devices.iota, g->devices.n_iota);
	put_spatial(&iota, 4, g->devices.perm, g->devices.n_iota);
	wire_put_bytes(w, INSTRUCTION_IOTA_GROUPS, writer_str(&iota));
}

static void put_mesh_groups(proto_writer *p, const replica_groups *g, writer *w)
{
	writer all = proto_part(p), mesh = proto_part(p);
	put_proto_mesh(&mesh, g->mesh, g->iota_ids);
	wire_put_bytes(&all, 1, writer_str(&mesh));
	put_proto_axes(&all, 2, g->mesh, g->axes);
	wire_put_bytes(w, INSTRUCTION_MESH_GROUPS, writer_str(&all));
}

static void put_listed_groups(proto_writer *p, const replica_groups *g, writer *w)
{
	writer list = proto_part(p);
	int64_t at = 0;
	for (int64_t i = 0; i < g->n_groups; i++) {
		writer group = proto_part(p);
		int64_t n = g->group_size < 0 ? g->sizes[i] : g->group_size;
		int64_t *v = NEW_N(p->mem, int64_t, n + 1);
		for (int64_t k = 0; k < n; k++)
			v[k] = device_array_at(&g->devices, at++);
		wire_put_ints(&group, 1, v, n);
		wire_put_bytes(&list, 1, writer_str(&group));
	}
	wire_put_bytes(w, INSTRUCTION_GROUPS, writer_str(&list));
}

/* Writes groups in the form of the text: XLA prints the list if there is one. */
static void put_field_groups(proto_writer *p, writer *w, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	replica_groups g;
	uint32_t end;
	if (!replica_groups_parse(p->ctx, &src, 0, &end, &g))
		return;
	if (g.mesh)
		put_mesh_groups(p, &g, w);
	else if (text.ptr[0] == '[')
		put_iota_groups(p, &g, w);
	else
		put_listed_groups(p, &g, w);
}

/* ---- dictionaries and metadata ----------------------------------------------------- */

void put_proto_dictionary(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	const attr *dict = hlo_dictionary_attr(p->ctx, text);
	writer all = proto_part(p);
	for (int i = 0; i < dict->n; i++) {
		writer entry = proto_part(p);
		wire_put_bytes(&entry, 1, name_str(dict->names[i]));
		wire_put_bytes(&entry, 2, name_str(dict->list[i]->text));
		wire_put_bytes(&all, 1, writer_str(&entry));
	}
	wire_put_bytes(w, number, writer_str(&all));
}

static void put_metadata_value(hlo_reader *r, writer *w, uint32_t number)
{
	if (hlo_peek(r) == '{') {
		hlo_braces(r);
		return;
	}
	bool quoted = hlo_peek(r) == '"';
	tess_str s = quoted ? hlo_string(r) : (tess_str){0};
	int64_t v = quoted ? 0 : hlo_integer(r);
	if (number && quoted)
		wire_put_str(w, number, s);
	else if (number)
		wire_put_int(w, number, v);
}

/* {op_name="…" source_line=3}; words for which OpMetadata has no field are dropped. */
static void put_metadata(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	text_reader t;
	hlo_reader *r = reader_of_text(p, &t, text);
	writer all = proto_part(p);
	hlo_expect(r, "{");
	while (!r->s.failed && !hlo_accept(r, "}")) {
		const hlo_metadata_word *word = hlo_metadata_words;
		while (word->word && !hlo_accept_word(r, word->word))
			word++;
		if (!word->word)
			hlo_unexpected(r, "a word of metadata");
		hlo_expect(r, "=");
		put_metadata_value(r, &all, word->field);
	}
	wire_put_bytes(w, number, writer_str(&all));
}

/* ---- values that are a single message ------------------------------------------------------- */

static void put_field_aliases(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	text_reader t;
	int n;
	hlo_reader *r = reader_of_text(p, &t, text);
	hlo_expect(r, "{");
	while (!r->s.failed && hlo_peek(r) == '{') {
		writer d = proto_part(p);
		const int64_t *v = read_index(p, r, &n);
		wire_put_ints(&d, 1, v, n);
		hlo_expect(r, ":");
		hlo_expect(r, "(");
		wire_put_int(&d, 2, hlo_integer(r));
		hlo_expect(r, ",");
		v = read_index(p, r, &n);
		wire_put_ints(&d, 3, v, n);
		if (hlo_accept(r, ","))
			wire_put_int(&d, 4, str_is(hlo_word(r), "must-alias") ? 2 : 1);
		hlo_expect(r, ")");
		wire_put_bytes(w, number, writer_str(&d));
		hlo_accept(r, ",");
	}
}

void put_proto_aliases(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	writer all = proto_part(p);
	put_field_aliases(p, &all, 1, text);
	wire_put_bytes(w, number, writer_str(&all));
}

void put_proto_donors(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	text_reader t;
	int n;
	hlo_reader *r = reader_of_text(p, &t, text);
	writer all = proto_part(p);
	hlo_expect(r, "{");
	while (!r->s.failed && hlo_accept(r, "(")) {
		writer d = proto_part(p);
		wire_put_int(&d, 1, hlo_integer(r));
		hlo_expect(r, ",");
		const int64_t *v = read_index(p, r, &n);
		wire_put_ints(&d, 2, v, n);
		hlo_expect(r, ")");
		wire_put_bytes(&all, 1, writer_str(&d));
		hlo_accept(r, ",");
	}
	wire_put_bytes(w, number, writer_str(&all));
}

static void put_shapes(proto_writer *p, writer *w, uint32_t number, tess_str text, bool list)
{
	text_reader t;
	hlo_reader *r = reader_of_text(p, &t, text);
	if (list)
		hlo_expect(r, "{");
	while (!r->s.failed && !hlo_at_end(r) && hlo_peek(r) != '}') {
		const shape *s = hlo_read_shape(r);
		if (s)
			put_proto_shape_field(p, w, number, s);
		hlo_accept(r, ",");
	}
	if (list)
		wire_put_int(w, INSTRUCTION_CONSTRAIN_LAYOUT, 1);
}

static void put_sharding_text(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	uint32_t end;
	writer d = proto_part(p);
	const hlo_sharding *s = hlo_sharding_parse(p->ctx, &src, 0, &end);
	if (s)
		put_proto_sharding(p->ctx, &d, s);
	wire_put_bytes(w, number, writer_str(&d));
}

static void put_precisions(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	text_reader t;
	hlo_reader *r = reader_of_text(p, &t, text);
	VEC(int64_t) v = {0};
	hlo_expect(r, "{");
	do {
		int64_t n = word_number(hlo_attribute_words("operand_precision"), hlo_word(r));
		if (n < 0)
			hlo_unexpected(r, "a precision such as highest");
		vec_push(p->mem, &v, n);
	} while (!r->s.failed && hlo_accept(r, ","));
	wire_put_ints(w, number, v.ptr, v.len);
}

/* {mode=highest} or {tolerance={atol=…,rtol=…,ulps=…}} */
static void put_accuracy(proto_writer *p, const op *o, writer *w, uint32_t number, tess_str s)
{
	static const char *const parts[] = {"atol=", "rtol=", "ulps="};
	writer d = proto_part(p), tolerance = proto_part(p);
	const char *mode = strstr(s.ptr, "mode="); /* interned texts end with a zero */
	if (mode) {
		mode += strlen("mode=");
		put_field_word(p, o, &d, 1, hlo_attribute_words("result_accuracy"),
		               (tess_str){mode, strcspn(mode, "}")});
		wire_put_bytes(w, number, writer_str(&d));
		return;
	}
	for (uint32_t i = 0; i < COUNT(parts); i++) {
		const char *at = strstr(s.ptr, parts[i]);
		double v = at ? strtod(at + strlen(parts[i]), NULL) : 0;
		if (i < 2)
			wire_put_double(&tolerance, i + 1, v);
		else
			wire_put_int(&tolerance, i + 1, v >= 0 && v < 1e18 ? (int64_t)v : 0);
	}
	wire_put_bytes(&d, 2, writer_str(&tolerance));
	wire_put_bytes(w, number, writer_str(&d));
}

/* f32[2] {1, 2} */
static void put_literal_text(proto_writer *p, const op *o, writer *w, uint32_t number,
                             tess_str text)
{
	text_reader t;
	hlo_reader *r = reader_of_text(p, &t, text);
	const shape *s = hlo_read_shape(r);
	const attr *literal = s ? hlo_read_literal(r, s) : NULL;
	writer d = proto_part(p);
	if (!literal)
		return;
	if (!put_proto_literal(p->ctx, &d, literal, s))
		proto_refuse(p, o, "a literal whose elements the text leaves out");
	wire_put_bytes(w, number, writer_str(&d));
}

/* ---- values in braces -------------------------------------------------------------- */

/* {true,false} */
static void put_replication(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	text_reader t;
	hlo_reader *r = reader_of_text(p, &t, text);
	writer d = proto_part(p);
	VEC(int64_t) v = {0};
	hlo_expect(r, "{");
	while (!r->s.failed && !hlo_accept(r, "}")) {
		bool yes = hlo_accept_word(r, "true");
		if (!yes && !hlo_accept_word(r, "false"))
			hlo_unexpected(r, "true or false");
		vec_push(p->mem, &v, yes);
		hlo_accept(r, ",");
	}
	wire_put_ints(&d, 1, v.ptr, v.len);
	wire_put_bytes(w, number, writer_str(&d));
}

/* {kind="sharding", entry={…}, exit={…}} */
static void put_domain(proto_writer *p, writer *w, tess_str text)
{
	static const struct {
		const char *word;
		uint32_t number;
	} sides[] = {{"entry", 55}, {"exit", 54}};
	text_reader t;
	hlo_reader *r = reader_of_text(p, &t, text);
	hlo_expect(r, "{");
	hlo_expect(r, "kind=\"sharding\"");
	for (int i = 0; i < COUNT(sides) && !r->s.failed; i++) {
		hlo_expect(r, ",");
		if (!hlo_accept_word(r, sides[i].word))
			hlo_unexpected(r, sides[i].word);
		hlo_expect(r, "=");
		put_sharding_text(p, w, sides[i].number, hlo_braces(r));
	}
}

/* {visualizing_index=0,stat=50,…} */
static void put_statistics(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	text_reader t;
	hlo_reader *r = reader_of_text(p, &t, text);
	writer d = proto_part(p);
	hlo_expect(r, "{");
	for (bool first = true; !r->s.failed && !hlo_accept(r, "}"); first = false) {
		writer s = proto_part(p);
		tess_str word = hlo_word(r);
		char value[64];
		hlo_expect(r, "=");
		const char *from = r->s.at;
		while (r->s.at < r->s.end && !strchr(",}", *r->s.at))
			r->s.at++;
		snprintf(value, sizeof value, "%.*s", (int)min_i64(r->s.at - from, 60), from);
		wire_put_str(&s, 1, word);
		wire_put_double(&s, 2, strtod(value, NULL));
		if (first)
			wire_put_int(&d, 1, strtoll(value, NULL, 10));
		else
			wire_put_bytes(&d, 2, writer_str(&s));
		hlo_accept(r, ",");
	}
	wire_put_bytes(w, number, writer_str(&d));
}

static void put_braces(proto_writer *p, const op *o, const hlo_attribute *a, writer *w,
                       uint32_t number, tess_str text)
{
	switch (number) {
	case 54: put_domain(p, w, text); return;
	case 61: put_replication(p, w, number, text); return;
	case 82: put_statistics(p, w, number, text); return;
	case 88: put_proto_origin(p, w, number, text); return;
	default: proto_refuse(p, o, "the attribute %s", a->name);
	}
}

/* ---- each form --------------------------------------------------------------------- */

static void put_field_integers(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	int n;
	const int64_t *v = proto_numbers_of(p, text, &n);
	wire_put_ints(w, number, v, n);
}

static void put_form(proto_writer *p, const op *o, const hlo_attribute *a, writer *w,
                     uint32_t number, tess_str text)
{
	const char *words = hlo_attribute_words(a->name);
	int rank = hlo_shape_of(p->ctx, o)->rank;
	switch (a->form) {
	case HLO_FORM_accuracy: put_accuracy(p, o, w, number, text); return;
	case HLO_FORM_aliases: put_field_aliases(p, w, number, text); return;
	case HLO_FORM_boolean: wire_put_int(w, number, str_is(text, "true")); return;
	case HLO_FORM_braces: put_braces(p, o, a, w, number, text); return;
	case HLO_FORM_config:
	case HLO_FORM_text: wire_put_str(w, number, unquoted(p, text)); return;
	case HLO_FORM_dictionary: put_proto_dictionary(p, w, number, text); return;
	case HLO_FORM_groups: put_field_groups(p, w, text); return;
	case HLO_FORM_integer:
		if (number == INSTRUCTION_DIMENSIONS) /* iota has a single dimension */
			put_field_integers(p, w, number, text);
		else if (number == 80) /* cross_program_prefetch_index: 0 differs from none */
			wire_put_int_anyhow(w, number, strtoll(text.ptr, NULL, 10));
		else
			wire_put_int(w, number, strtoll(text.ptr, NULL, 10));
		return;
	case HLO_FORM_integers:
	case HLO_FORM_sizes: put_field_integers(p, w, number, text); return;
	case HLO_FORM_labels: put_field_labels(p, o, w, number); return;
	case HLO_FORM_literal: put_literal_text(p, o, w, number, text); return;
	case HLO_FORM_metadata: put_metadata(p, w, number, text); return;
	case HLO_FORM_number: wire_put_float(w, number, strtof(text.ptr, NULL)); return;
	case HLO_FORM_order:
		wire_put_str(w, number, str_is(text, "TOTAL") ? STR("TOTALORDER") : STR("FLOAT"));
		return;
	case HLO_FORM_padding: {
		writer d = proto_part(p);
		put_rows(p, &d, 1, text, rank, 0);
		wire_put_bytes(w, number, writer_str(&d));
		return;
	}
	case HLO_FORM_pairs: put_field_pairs(p, w, number, text); return;
	case HLO_FORM_precisions: put_precisions(p, w, number, text); return;
	case HLO_FORM_shape:
	case HLO_FORM_shapes: put_shapes(p, w, number, text, a->form == HLO_FORM_shapes); return;
	case HLO_FORM_sharding: put_sharding_text(p, w, number, text); return;
	case HLO_FORM_slices: put_rows(p, w, number, text, rank, 1); return;
	case HLO_FORM_window: put_field_window(p, o, w, number); return;
	case HLO_FORM_comparison:
	case HLO_FORM_word:
		if (words)
			put_field_word(p, o, w, number, words, text);
		else
			wire_put_str(w, number, text);
		return;
	case HLO_FORM_computation:
	case HLO_FORM_computations:
	case HLO_FORM_predecessors: return; /* they are ids: see write.c */
	}
}

/* ---- fields --------------------------------------------------------------------------------- */

/* Nested messages that several attributes share. */
typedef struct shared_parts {
	int n;
	uint32_t numbers[8];
	writer parts[8];
} shared_parts;

static writer *shared_part(proto_writer *p, shared_parts *s, uint32_t number)
{
	for (int i = 0; i < s->n; i++)
		if (s->numbers[i] == number)
			return &s->parts[i];
	ASSERT(s->n < COUNT(s->numbers));
	s->numbers[s->n] = number;
	s->parts[s->n] = proto_part(p);
	return &s->parts[s->n++];
}

/* Returns the text, or, if it is left out, the default that the field must have. */
static tess_str text_or_initial(const proto_writer *p, const op *o, const hlo_attribute *a)
{
	tess_str text = hlo_attr_text(o, p->ctx, a->name);
	bool plain = a->form == HLO_FORM_word || a->form == HLO_FORM_integer ||
	             a->form == HLO_FORM_text;
	return text.len || !plain ? text : str_of(a->initial);
}

static void put_attribute(proto_writer *p, const op *o, const hlo_opcode *row,
                          const hlo_attribute *a, shared_parts *s, writer *w)
{
	tess_str text = text_or_initial(p, o, a);
	bool order = a->form == HLO_FORM_order; /* newer text for what the field means */
	uint32_t inner, field = proto_outer_field(row, a, &inner);
	uint32_t outer = order ? INSTRUCTION_COMPARISON_TYPE : field;
	if (a->form == HLO_FORM_window && strcmp(row->opcode, "custom-call") != 0)
		put_field_window(p, o, w, outer); /* the window may be empty */
	else if (!text.len)
		return;
	else if (strcmp(a->name, "algorithm") == 0 && strcmp(row->opcode, "rng-bit-generator") == 0)
		put_field_word(p, o, w, INSTRUCTION_RNG_ALGORITHM,
		               hlo_attribute_words("rng_algorithm"), text);
	else if (strcmp(a->name, "mode") == 0)
		return; /* it follows from the others: XLA drops it, too */
	else if (!outer)
		proto_refuse(p, o, "the attribute %s", a->name);
	else if (!inner)
		put_form(p, o, a, w, outer, text);
	else
		put_form(p, o, a, shared_part(p, s, outer), inner, text);
}

void put_proto_attrs(proto_writer *p, const op *o, const hlo_opcode *row, writer *w)
{
	shared_parts s = {0};
	const hlo_attribute *a;
	int flags;
	bool ragged = strcmp(row->opcode, "ragged-dot") == 0;
	for (int i = 0; (a = hlo_opcode_attr(row, i, &flags)); i++)
		put_attribute(p, o, row, a, &s, w);
	if (ragged || strcmp(row->opcode, "dot") == 0)
		shared_part(p, &s, INSTRUCTION_DOT);
	if (ragged)
		wire_put_bytes(shared_part(p, &s, INSTRUCTION_RAGGED_DOT), RAGGED_DOT_NUMBERS,
		               writer_str(shared_part(p, &s, INSTRUCTION_DOT)));
	for (int i = 0; i < s.n; i++)
		if (!ragged || s.numbers[i] != INSTRUCTION_DOT)
			wire_put_bytes(w, s.numbers[i], writer_str(&s.parts[i]));
}

void put_proto_common(proto_writer *p, const op *o, writer *w)
{
	const hlo_attribute *a;
	shared_parts s = {0};
	const char *stage;
	const hlo_opcode *row = hlo_opcode_find(str_of(hlo_opcode_of(o)), &stage);
	for (int i = 0; (a = hlo_common_attr(i)); i++)
		put_attribute(p, o, row, a, &s, w);
}
