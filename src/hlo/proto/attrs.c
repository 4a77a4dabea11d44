/* attrs.c - reads the attributes of an instruction from its proto, each as the text of its form. */
#include "hlo/proto/proto.h"

/* ---- lists and words ---------------------------------------------------------------- */

static void put_braced_numbers(writer *w, const int64_t *v, int n)
{
	put_c(w, '{');
	for (int i = 0; i < n; i++)
		put_f(w, "%s%" PRId64, i ? "," : "", v[i]);
	put_c(w, '}');
}

static void put_list_of(proto_reader *p, const wire_message *m, uint32_t number, writer *w)
{
	int64_t *v;
	int n = wire_ints(p, m, number, &v);
	put_braced_numbers(w, v, n);
}

/* Writes the word with this number in a list separated by blanks. */
static void put_word_of(proto_reader *p, const char *words, int64_t number, writer *w)
{
	const char *at = words;
	for (int64_t i = 0; i < number && *at; i++) {
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	if (number < 0 || !*at)
		proto_fail(p, p->begin, "an enum has no number %" PRId64 ": it is one of %s",
		           number, words);
	else
		put_mem(w, at, strcspn(at, " "));
}

static void put_double(writer *w, const wire_message *m, uint32_t number)
{
	double v = 0;
	const wire_field *f = wire_find(m, number);
	if (f && f->type == WIRE_FIXED64)
		memcpy(&v, &f->value, sizeof v);
	put_f(w, "%.17g", v);
}

/* True if the text is in braces of which the last closes the first; XLA decides so. */
static bool is_one_in_braces(tess_str s)
{
	int level = 0;
	bool quoted = false;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted)
			level += (c == '{') - (c == '}');
		if (!level)
			return i + 1 == s.len && c == '}';
	}
	return false;
}

/* Writes it as JSON if it looks like that, else as a string. */
static void put_config_text(writer *w, tess_str s)
{
	if (is_one_in_braces(s))
		put_str(w, s);
	else
		hlo_put_quoted(w, s);
}

/* ---- one function for each form ------------------------------------------------------------- */

static void window_text(proto_reader *p, const wire_message *m, writer *w)
{
	static const struct {
		const char *word;
		uint32_t field, second;
	} parts[] = {{"size", 1, 0},       {"stride", 2, 0},     {"pad", 3, 4},
	             {"lhs_dilate", 6, 0}, {"rhs_dilate", 5, 0}, {"rhs_reversal", 7, 0}};
	put_c(w, '{');
	for (int k = 0; k < COUNT(parts) && wire_find(m, 1); k++) {
		bool first = true;
		put_f(w, "%s%s=", k ? " " : "", parts[k].word);
		for (const wire_field *f = NULL; (f = wire_next(m, 1, f)); first = false) {
			wire_message d = wire_read(p, f->bytes);
			put_f(w, "%s%" PRId64, first ? "" : "x", wire_int(&d, parts[k].field));
			if (parts[k].second)
				put_f(w, "_%" PRId64, wire_int(&d, parts[k].second));
		}
	}
	put_c(w, '}');
}

/* b01f: the position of each dimension */
static void labels_text(proto_reader *p, const wire_message *m, const uint32_t *fields,
                        const char *letters, writer *w)
{
	char text[SHAPE_MAX_RANK + 2] = "";
	int64_t *spatial;
	int n = wire_ints(p, m, fields[2], &spatial), all = n + 2;
	for (int i = 0; i < all && n <= 10; i++) {
		int64_t at = i < 2 ? wire_int(m, fields[i]) : spatial[i - 2];
		if (at < 0 || at >= all || text[at])
			break;
		text[at] = i < 2 ? letters[i] : (char)('0' + i - 2);
	}
	if (n > 10 || strlen(text) != (size_t)all)
		proto_fail(p, p->begin, "the dimensions of a convolution do not each have a place");
	put_z(w, text);
}

static void convolution_text(proto_reader *p, const wire_message *m, writer *w)
{
	labels_text(p, m, (const uint32_t[]){7, 8, 11}, "bf", w);
	put_c(w, '_');
	labels_text(p, m, (const uint32_t[]){3, 4, 6}, "io", w);
	put_lit(w, "->");
	labels_text(p, m, (const uint32_t[]){9, 10, 12}, "bf", w);
}

/* Writes messages of two or three numbers: {[0:4:1], …}, 0_1_0x…, {{0,1}, …}. */
static void rows_text(proto_reader *p, const wire_message *m, uint32_t number, int n,
                      const char *const *around, writer *w)
{
	bool first = true;
	put_z(w, around[0]);
	for (const wire_field *f = NULL; (f = wire_next(m, number, f)); first = false) {
		wire_message row = wire_read(p, f->bytes);
		put_z(w, first ? around[1] : around[2]);
		for (int k = 1; k <= n; k++)
			put_f(w, "%s%" PRId64, k > 1 ? around[3] : "", wire_int(&row, (uint32_t)k));
		put_z(w, around[4]);
	}
	put_z(w, around[5]);
}

static void id_lists_text(proto_reader *p, const wire_message *m, uint32_t number, writer *w)
{
	bool first = true;
	put_c(w, '{');
	for (const wire_field *f = NULL; (f = wire_next(m, number, f)); first = false) {
		wire_message group = wire_read(p, f->bytes);
		put_z(w, first ? "" : ",");
		put_list_of(p, &group, 1, w);
	}
	put_c(w, '}');
}

/* [2,4]<=[8] */
static void iota_groups_text(proto_reader *p, const wire_message *iota, writer *w)
{
	int64_t *v;
	put_f(w, "[%" PRId64 ",%" PRId64 "]<=[", wire_int(iota, 1), wire_int(iota, 2));
	int n = wire_ints(p, iota, 3, &v);
	for (int i = 0; i < n; i++)
		put_f(w, "%s%" PRId64, i ? "," : "", v[i]);
	put_c(w, ']');
	n = wire_ints(p, iota, 4, &v);
	for (int i = 0; i < n && n > 1; i++)
		put_f(w, "%s%" PRId64, i ? "," : "T(", v[i]);
	put_z(w, n > 1 ? ")" : "");
}

/* Writes groups as mesh axes, as an iota, or one by one: the shortest form that is present. */
static void groups_text(proto_reader *p, const wire_message *o, writer *w)
{
	wire_message list = wire_sub(p, o, INSTRUCTION_GROUPS), m;
	if (wire_find(o, INSTRUCTION_MESH_GROUPS)) {
		m = wire_sub(p, o, INSTRUCTION_MESH_GROUPS);
		wire_message mesh = wire_sub(p, &m, 1);
		proto_mesh_text(p, &mesh, w);
		put_lit(w, " {");
		proto_axes_text(p, &mesh, &m, 2, w);
		put_c(w, '}');
	} else if (wire_find(o, INSTRUCTION_IOTA_GROUPS)) {
		m = wire_sub(p, o, INSTRUCTION_IOTA_GROUPS);
		iota_groups_text(p, &m, w);
	} else if (wire_find(&list, 2)) {
		m = wire_sub(p, &list, 2);
		iota_groups_text(p, &m, w);
	} else {
		bool old = !wire_find(o, INSTRUCTION_GROUPS);
		id_lists_text(p, old ? o : &list, old ? INSTRUCTION_OLD_GROUPS : 1, w);
	}
}

static void aliases_text(proto_reader *p, const wire_message *o, uint32_t number, writer *w)
{
	bool first = true;
	put_c(w, '{');
	for (const wire_field *f = NULL; (f = wire_next(o, number, f)); first = false) {
		wire_message a = wire_read(p, f->bytes);
		put_z(w, first ? "" : ", ");
		put_list_of(p, &a, 1, w);
		put_f(w, ": (%" PRId64 ", ", wire_int(&a, 2));
		put_list_of(p, &a, 3, w);
		put_c(w, ')');
	}
	put_c(w, '}');
}

static void shapes_text(proto_reader *p, const wire_message *o, uint32_t number, bool list,
                        writer *w)
{
	bool first = true;
	put_z(w, list ? "{" : "");
	for (const wire_field *f = NULL; (f = wire_next(o, number, f)); first = false) {
		wire_message m = wire_read(p, f->bytes);
		const shape *s = proto_shape(p, &m);
		put_z(w, first ? "" : ", ");
		if (s)
			shape_print(w, s, SHAPE_WITH_LAYOUT);
	}
	put_z(w, list ? "}" : "");
}

static void precisions_text(proto_reader *p, const wire_message *m, uint32_t number, writer *w)
{
	int64_t *v;
	int n = wire_ints(p, m, number, &v);
	put_c(w, '{');
	for (int i = 0; i < n; i++) {
		put_z(w, i ? "," : "");
		put_word_of(p, hlo_attribute_words("operand_precision"), v[i], w);
	}
	put_c(w, '}');
}

static void accuracy_text(proto_reader *p, const wire_message *m, writer *w)
{
	wire_message t = wire_sub(p, m, 2);
	if (!wire_find(m, 2)) {
		put_lit(w, "{mode=");
		put_word_of(p, hlo_attribute_words("result_accuracy"), wire_int(m, 1), w);
		put_c(w, '}');
		return;
	}
	put_lit(w, "{tolerance={atol=");
	put_double(w, &t, 1);
	put_lit(w, ",rtol=");
	put_double(w, &t, 2);
	put_f(w, ",ulps=%" PRId64 "}}", wire_int(&t, 3));
}

void proto_dictionary_text(proto_reader *p, const wire_message *m, writer *w)
{
	bool first = true;
	put_c(w, '{');
	for (const wire_field *f = NULL; (f = wire_next(m, 1, f)); first = false) {
		wire_message entry = wire_read(p, f->bytes);
		put_z(w, first ? "" : ",");
		put_str(w, wire_bytes(&entry, 1));
		put_c(w, '=');
		put_config_text(w, wire_bytes(&entry, 2));
	}
	put_c(w, '}');
}

/* Returns false if the text would be empty. */
static bool metadata_text(const wire_message *m, writer *w)
{
	bool any = false;
	put_c(w, '{');
	for (const hlo_metadata_word *word = hlo_metadata_words; word->word; word++) {
		tess_str s = wire_bytes(m, word->field);
		int64_t v = wire_int(m, word->field);
		if (!word->field || (word->string ? !s.len : !v))
			continue;
		put_f(w, "%s%s=", any ? " " : "", word->word);
		if (word->string)
			hlo_put_quoted(w, s);
		else
			put_int(w, v);
		any = true;
	}
	put_c(w, '}');
	return any;
}

static void domain_text(proto_reader *p, const wire_message *o, writer *w)
{
	wire_message in = wire_sub(p, o, 55), out = wire_sub(p, o, 54); /* XLA's text swaps them */
	put_lit(w, "{kind=\"sharding\", entry=");
	proto_sharding_text(p, &in, w);
	put_lit(w, ", exit=");
	proto_sharding_text(p, &out, w);
	put_c(w, '}');
}

static void replication_text(proto_reader *p, const wire_message *m, writer *w)
{
	int64_t *v;
	int n = wire_ints(p, m, 1, &v);
	put_c(w, '{');
	for (int i = 0; i < n; i++)
		put_f(w, "%s%s", i ? "," : "", v[i] ? "true" : "false");
	put_c(w, '}');
}

/* {visualizing_index=0,stat=50,…} */
static void statistics_text(proto_reader *p, const wire_message *m, writer *w)
{
	put_f(w, "{visualizing_index=%" PRId64, wire_int(m, 1));
	for (const wire_field *f = NULL; (f = wire_next(m, 2, f));) {
		wire_message s = wire_read(p, f->bytes);
		put_f(w, ",%.*s=", STR_ARG(wire_bytes(&s, 1)));
		put_double(w, &s, 2);
	}
	put_c(w, '}');
}

static void literal_text(proto_reader *p, const wire_message *m, writer *w)
{
	wire_message own = wire_sub(p, m, 1);
	const shape *s = proto_shape(p, &own);
	const attr *a = s ? proto_literal(p, m, s) : NULL;
	if (!a)
		return;
	shape_print(w, s, SHAPE_WITH_LAYOUT);
	put_c(w, ' ');
	hlo_write_literal(w, a, s);
}

/* ---- fields --------------------------------------------------------------------------------- */

/* Returns the message that has the attribute, and its field number there. */
static wire_message holder_of(proto_reader *p, const hlo_opcode *row, const hlo_attribute *a,
                              const wire_message *o, uint32_t *number)
{
	bool ragged = a->field[0] == INSTRUCTION_DOT && wire_find(o, INSTRUCTION_RAGGED_DOT);
	uint32_t holder = proto_outer_field(row, a, number);
	wire_message outer = ragged ? wire_sub(p, o, INSTRUCTION_RAGGED_DOT) : *o;
	if (*number)
		return wire_sub(p, &outer, ragged ? RAGGED_DOT_NUMBERS : holder);
	*number = holder;
	return outer;
}

static bool has_dot_numbers(const wire_message *o)
{
	return wire_find(o, INSTRUCTION_DOT) || wire_find(o, INSTRUCTION_RAGGED_DOT);
}

/* Attributes that are printed even if 0. */
static const struct {
	const char *opcode, *name;
} printed_anyhow[] = {
	{"triangular-solve", "transpose_a"},
	{"collective-broadcast", "has_dynamic_root"},
	{"scan", "num_carries"},
	{"topk", "is_stable"},
	{"custom-call", "api_version"},
};

/* True if the text has the attribute even without the field: it is required or always printed. */
static bool is_always_there(const hlo_opcode *row, const hlo_attribute *a, bool required)
{
	if (a->form == HLO_FORM_groups)
		return true;
	if (a->field[0] == INSTRUCTION_DIMENSIONS)
		return required || strcmp(row->opcode, "broadcast") == 0 ||
		       strcmp(row->opcode, "map") == 0;
	if (a->field[0] == INSTRUCTION_DOT)
		return true;
	for (int i = 0; i < COUNT(printed_anyhow); i++)
		if (strcmp(row->opcode, printed_anyhow[i].opcode) == 0 &&
		    strcmp(a->name, printed_anyhow[i].name) == 0)
			return true;
	return required;
}

static bool word_text(proto_reader *p, const hlo_opcode *row, const hlo_attribute *a,
                      const wire_message *o, const wire_message *m, uint32_t number, writer *w)
{
	bool rng = strcmp(a->name, "algorithm") == 0 &&
	           strcmp(row->opcode, "rng-bit-generator") == 0;
	const char *words = hlo_attribute_words(rng ? "rng_algorithm" : a->name);
	if (!words)
		put_str(w, wire_bytes(m, number));
	else
		put_word_of(p, words,
		            rng ? wire_int(o, INSTRUCTION_RNG_ALGORITHM) : wire_int(m, number), w);
	return w->len > 0;
}

/* True if a number below 1 means the same as a missing one. */
static bool counts_from_1(const hlo_attribute *a)
{
	return strcmp(a->name, "channel_id") == 0 || strcmp(a->initial, "1") == 0;
}

/* True if the value is a single message. */
static bool holds_message(hlo_form form)
{
	return form == HLO_FORM_accuracy || form == HLO_FORM_braces ||
	       form == HLO_FORM_dictionary || form == HLO_FORM_labels || form == HLO_FORM_literal ||
	       form == HLO_FORM_metadata || form == HLO_FORM_padding || form == HLO_FORM_sharding ||
	       form == HLO_FORM_window;
}

bool proto_attr_text(proto_reader *p, const hlo_opcode *row, const hlo_attribute *a, bool required,
                     const wire_message *o, writer *w)
{
	static const char *const slices[] = {"{", "[", ", [", ":", "]", "}"};
	static const char *const padding[] = {"", "", "x", "_", "", ""};
	static const char *const pairs[] = {"{", "{", ",{", ",", "}", "}"};
	uint32_t number;
	if (!a->field[0])
		return false;
	wire_message m = holder_of(p, row, a, o, &number);
	bool there = wire_find(&m, number);
	if (a->field[0] == INSTRUCTION_DOT && !has_dot_numbers(o))
		return proto_fail(p, o->n && o->fields[0].bytes.ptr ? o->fields[0].bytes.ptr : p->begin,
		                  "a %s without dot_dimension_numbers", row->opcode);
	if (!there && !is_always_there(row, a, required))
		return false;
	wire_message in = holds_message(a->form) ? wire_sub(p, &m, number) : (wire_message){0};
	switch (a->form) {
	case HLO_FORM_accuracy: accuracy_text(p, &in, w); return true;
	case HLO_FORM_aliases: aliases_text(p, &m, number, w); return true;
	case HLO_FORM_boolean: put_z(w, wire_int(&m, number) ? "true" : "false"); return true;
	case HLO_FORM_braces:
		if (a->field[0] == INSTRUCTION_DOMAIN)
			domain_text(p, o, w);
		else if (a->field[0] == INSTRUCTION_REPLICATION)
			replication_text(p, &in, w);
		else if (a->field[0] == INSTRUCTION_STATISTICS && wire_find(&in, 2))
			statistics_text(p, &in, w);
		else if (a->field[0] == INSTRUCTION_ORIGIN)
			proto_origin_text(p, &in, w);
		return w->len > 0;
	case HLO_FORM_config:
		put_config_text(w, wire_bytes(&m, number)); /* {} means something, "" does not */
		return wire_bytes(&m, number).len;
	case HLO_FORM_dictionary: proto_dictionary_text(p, &in, w); return wire_find(&in, 1);
	case HLO_FORM_groups: groups_text(p, o, w); return true;
	case HLO_FORM_integer:
		if (number == INSTRUCTION_DIMENSIONS) { /* iota has a single dimension */
			int64_t *v;
			put_int(w, wire_ints(p, &m, number, &v) ? v[0] : 0);
			return true;
		}
		put_int(w, wire_int(&m, number));
		return wire_int(&m, number) > 0 || !counts_from_1(a);
	case HLO_FORM_integers:
	case HLO_FORM_sizes: put_list_of(p, &m, number, w); return true;
	case HLO_FORM_labels: convolution_text(p, &in, w); return true;
	case HLO_FORM_literal: literal_text(p, &in, w); return true;
	case HLO_FORM_metadata: return metadata_text(&in, w);
	case HLO_FORM_number: {
		const wire_field *f = wire_find(&m, number);
		float v = 0;
		if (f && f->type == WIRE_FIXED32)
			memcpy(&v, &f->value, sizeof v);
		put_f(w, "%.9g", (double)v);
		return true;
	}
	case HLO_FORM_padding: rows_text(p, &in, 1, 3, padding, w); return w->len > 0;
	case HLO_FORM_pairs: rows_text(p, &m, number, 2, pairs, w); return true;
	case HLO_FORM_precisions: precisions_text(p, &m, number, w); return w->len > 2;
	case HLO_FORM_shape: shapes_text(p, &m, number, false, w); return true;
	case HLO_FORM_shapes:
		shapes_text(p, &m, number, true, w);
		return wire_int(o, INSTRUCTION_CONSTRAIN_LAYOUT);
	case HLO_FORM_sharding: proto_sharding_text(p, &in, w); return true;
	case HLO_FORM_slices: rows_text(p, &m, number, 3, slices, w); return true;
	case HLO_FORM_text:
		hlo_put_quoted(w, wire_bytes(&m, number));
		return required || w->len > 2;
	case HLO_FORM_window: window_text(p, &in, w); return true;
	case HLO_FORM_comparison:
	case HLO_FORM_order:
	case HLO_FORM_word: return word_text(p, row, a, o, &m, number, w);
	case HLO_FORM_computation:
	case HLO_FORM_computations:
	case HLO_FORM_predecessors: return false; /* they are ids: see read.c */
	}
	return false;
}
