/* entries.c - numbers strings, dialects, attributes and types when they are first needed, and
 * writes numbers. */
#include "bytecode/write/write.h"

/* ---- numbers -------------------------------------------------------------------------------- */

/* The number of zeros below the lowest one in the first byte tells how many bytes follow. */
char *store_long_number(char *at, uint64_t n)
{
	int more = 1;
	while (more < 8 && n >> (7 * (more + 1)))
		more++;
	if (more == 8)
		*at++ = 0;
	uint64_t v = more == 8 ? n : (n << 1 | 1) << more;
	int bytes = more == 8 ? 8 : more + 1;
	for (int i = 0; i < bytes; i++)
		*at++ = (char)(v >> (8 * i));
	return at;
}

static void put_signed(writer *w, int64_t v)
{
	put_number(w, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

size_t put_number_later(writer *w)
{
	size_t at = w->len;
	put_mem(w, "\0\0\0\0\0\0\0\0", 9);
	return at;
}

void patch_number(writer *w, size_t at, uint64_t n)
{
	for (int i = 0; i < 8; i++)
		w->ptr[at + 1 + (size_t)i] = (char)(n >> (8 * i));
}

/* ---- names ---------------------------------------------------------------------------------- */

uint32_t string_number_of(encoder *e, const name *n)
{
	uintptr_t *slot = (uintptr_t *)ptr_map_at(&e->string_numbers, e->mem, n);
	if (!*slot) {
		vec_push(e->mem, &e->strings, name_str(n));
		*slot = (uintptr_t)e->strings.len;
	}
	return (uint32_t)*slot - 1;
}

uint32_t dialect_number(encoder *e, tess_str name)
{
	for (int i = 0; i < e->dialects.len; i++)
		if (str_eq(e->dialects.ptr[i], name))
			return (uint32_t)i;
	string_number_of(e, name_of(e->ctx, name));
	vec_push(e->mem, &e->dialects, arena_str(e->mem, name));
	return (uint32_t)e->dialects.len - 1;
}

uint32_t op_name_number(encoder *e, const name *full, bool registered)
{
	uintptr_t *slot = (uintptr_t *)ptr_map_at(&e->op_numbers, e->mem, full);
	if (*slot)
		return (uint32_t)*slot - 1;
	const char *dot = memchr(full->s, '.', full->len);
	tess_str dialect = {full->s, dot ? (size_t)(dot - full->s) : 0};
	tess_str own = {full->s + dialect.len + (dot != NULL), full->len - dialect.len - (dot != NULL)};
	out_op o = {.name = full, .registered = registered};
	o.dialect = dialect_number(e, dialect);
	o.string = string_number_of(e, name_of(e->ctx, own));
	vec_push(e->mem, &e->ops, o);
	/* the vectors may have moved, the map has not */
	*(uintptr_t *)ptr_map_at(&e->op_numbers, e->mem, full) = (uintptr_t)e->ops.len;
	return (uint32_t)e->ops.len - 1;
}

/* ---- attributes and types ------------------------------------------------------------------- */

static const char *const code_dialect_names[] = {"builtin", "vhlo", "stablehlo", "chlo", "sdy"};

static uint32_t code_dialect_number(encoder *e, code_dialect d)
{
	uint32_t *n = &e->dialect_numbers[d];
	if (!*n)
		*n = 1 + dialect_number(e, str_of(code_dialect_names[d]));
	return *n - 1;
}

/* The fields of an attribute or a type. */
typedef struct entry_parts {
	const code_row *row; /* NULL: as text */
	field fields[MAX_FIELDS];
	tess_str text;
	form form, keys; /* of what its fields refer to; of the keys of a dictionary */
	uint32_t dialect;
} entry_parts;

/* Returns the number of a name as a string attribute. */
static uint32_t name_number(encoder *e, form f, const name *n)
{
	uintptr_t known = (uintptr_t)ptr_map_get(&e->numbers_of_names[f], n);
	if (LIKELY(known))
		return (uint32_t)known - 1;
	uint32_t number = attr_number(e, f, attr_string(e->ctx, n));
	*(uintptr_t *)ptr_map_at(&e->numbers_of_names[f], e->mem, n) = (uintptr_t)number + 1;
	return number;
}

/* Numbers what the fields refer to first. */
static void number_fields(encoder *e, const entry_parts *p)
{
	const field *f = p->fields;
	for (const char *letter = p->row->fields; *letter; letter++) {
		if (*letter == '?' || *letter == 'q' || *letter == 'o')
			continue;
		if (f->present)
			switch (*letter) {
			case 'a': attr_number(e, p->form, f->a); break;
			case 't': type_number(e, p->form, f->t); break;
			case 'n': name_number(e, p->form, f->name); break;
			case 's': string_number_of(e, f->name); break;
			case 'A':
				for (int64_t i = 0; i < f->n; i++)
					attr_number(e, p->form, f->list[i]);
				break;
			case 'T':
				for (int64_t i = 0; i < f->n; i++)
					type_number(e, p->form, f->types[i]);
				break;
			case 'P':
				for (int64_t i = 0; i < f->n; i++) {
					name_number(e, p->keys, f->names[i]);
					attr_number(e, p->form, f->pairs[i]);
				}
				break;
			}
		f++;
	}
}

static void put_wide(writer *w, const type *t, int64_t v)
{
	if (code_width(t) <= 8)
		put_c(w, (char)v);
	else
		put_signed(w, v);
}

static void put_items(encoder *e, writer *w, const entry_parts *p, char letter, const field *f)
{
	put_number(w, (uint64_t)f->n);
	for (int64_t i = 0; i < f->n; i++) {
		if (letter == 'A')
			put_number(w, attr_number(e, p->form, f->list[i]));
		if (letter == 'P') {
			put_number(w, name_number(e, p->keys, f->names[i]));
			put_number(w, attr_number(e, p->form, f->pairs[i]));
		}
		if (letter == 'T')
			put_number(w, type_number(e, p->form, f->types[i]));
		if (letter == 'U')
			put_number(w, (uint64_t)f->ints[i]);
		if (letter == 'I' || letter == 'D')
			put_signed(w, f->ints[i]);
	}
}

static void put_field(encoder *e, writer *w, const entry_parts *p, char letter, const field *f)
{
	switch (letter) {
	case 'a': put_number(w, attr_number(e, p->form, f->a)); break;
	case 't': put_number(w, type_number(e, p->form, f->t)); break;
	case 'n': put_number(w, name_number(e, p->form, f->name)); break;
	case 's': put_number(w, string_number_of(e, f->name)); break;
	case 'i':
	case 'd': put_signed(w, f->i); break;
	case 'u': put_number(w, (uint64_t)f->i); break;
	case 'b': put_c(w, (char)f->i); break;
	case 'w':
	case 'x': put_wide(w, f[-1].t, f->i); break;
	case 'B':
		put_number(w, (uint64_t)f->n);
		put_mem(w, f->bytes, (size_t)f->n);
		break;
	default: put_items(e, w, p, letter, f);
	}
}

static void put_coded(encoder *e, writer *w, const entry_parts *p)
{
	const field *f = p->fields;
	put_number(w, (uint64_t)p->row->code);
	for (const char *letter = p->row->fields; *letter; letter++, f++) {
		bool optional = *letter == '?', byte = *letter == 'q', number = *letter == 'o';
		letter += optional || byte || number;
		if (optional) {
			uint64_t v = !f->present      ? 0
			             : *letter == 'a' ? attr_number(e, p->form, f->a)
			                              : (uint64_t)f->i;
			put_flagged(w, v, f->present);
			continue;
		}
		if (byte)
			put_c(w, f->present);
		if (number)
			put_number(w, f->present);
		if ((!byte && !number) || f->present)
			put_field(e, w, p, *letter, f);
	}
}

uint32_t entry_end(encoder *e, out_entries *t, uint32_t dialect, size_t from, bool coded)
{
	put_flagged(&t->sizes, t->data.len - from, coded);
	if (!t->groups.len || t->groups.ptr[t->groups.len - 1].dialect != dialect)
		vec_push(e->mem, &t->groups, ((entry_group){.dialect = dialect}));
	entry_group *g = &t->groups.ptr[t->groups.len - 1];
	g->n++;
	g->end = t->sizes.len;
	return t->n++;
}

/* Returns the number of the entry; 0 after an error. */
static uint32_t parts_number(encoder *e, out_entries *t, const entry_parts *p)
{
	if (e->failed)
		return 0;
	if (p->row)
		number_fields(e, p);
	size_t from = t->data.len;
	if (p->row) {
		put_coded(e, &t->data, p);
	} else {
		put_str(&t->data, p->text);
		put_c(&t->data, 0);
	}
	return entry_end(e, t, p->dialect, from, p->row != NULL);
}

static bool new_enough(encoder *e, const code_row *row, const char *what)
{
	if (row->dialect != CODES_VHLO || row->since <= e->target)
		return true;
	return e->coder.fail(&e->coder, "%s needs StableHLO %d.%d.0", what, row->since / 100,
	                     row->since % 100);
}

/* Returns the dialect of a text like #test.any or !quant.uniform<…>. */
static tess_str dialect_of_text(tess_str s)
{
	size_t n = 1;
	if (!s.len || (s.ptr[0] != '#' && s.ptr[0] != '!'))
		return STR("builtin");
	while (n < s.len && s.ptr[n] != '.' && s.ptr[n] != '<')
		n++;
	return (tess_str){s.ptr + 1, n - 1};
}

/* Completes an entry from its fields, or else from its text. */
static void finish_parts(encoder *e, entry_parts *p, const writer *text, const char *what)
{
	p->form = p->keys = p->row && p->row->dialect == CODES_VHLO ? VERSIONED : PLAIN;
	if (p->row) {
		p->dialect = code_dialect_number(e, p->row->dialect);
		new_enough(e, p->row, p->row->name1 ? p->row->name1 : what);
	} else {
		p->text = writer_str(text);
		p->dialect = dialect_number(e, dialect_of_text(p->text));
	}
}

/* True if VHLO should have the attribute and has not. VHLO has every StableHLO attribute that
 * belongs to an operation, and strings without types; attributes of MLIR's own and of other
 * dialects are stored unchanged. */
static bool vhlo_lacks_attr(const code_row *row, const attr *a)
{
	return row && (row->dialect == CODES_STABLEHLO ||
	               (a->kind == AT_STRING && row->dialect != CODES_VHLO));
}

static uint32_t new_attr_number(encoder *e, form form, const attr *a)
{
	static const code_dialect order[] = {CODES_VHLO, CODES_SDY, CODES_BUILTIN, CODES_STABLEHLO,
	                                     CODES_CHLO};
	entry_parts p; /* its fields are large */
	writer text;
	p.row = NULL;
	p.text = (tess_str){0};
	for (int i = form == PLAIN; i < COUNT(order) && !p.row && !e->failed; i++)
		p.row = code_take_attr(&e->coder, order[i], a, p.fields);
	writer_init(&text, e->mem);
	if (!p.row && !e->failed)
		e->opts->texts.write_attr(&text, e->ctx, a);
	if (form == VERSIONED && vhlo_lacks_attr(p.row, a))
		e->coder.fail(&e->coder, "StableHLO's portable artifacts have no attribute such as %s",
		              a->kind == AT_STRING ? "a string with a type" : p.row->name1);
	finish_parts(e, &p, &text, "an attribute");
	uint32_t n = parts_number(e, &e->attrs, &p);
	*(uintptr_t *)ptr_map_at(&e->numbers_of_attrs[form], e->mem, a) = (uintptr_t)n + 1;
	return n;
}

uint32_t attr_number(encoder *e, form form, const attr *a)
{
	uintptr_t n = (uintptr_t)ptr_map_get(&e->numbers_of_attrs[form], a);
	return LIKELY(n) ? (uint32_t)n - 1 : new_attr_number(e, form, a);
}

/* True if the type's dialect has counterparts in VHLO; types of other dialects are stored
 * unchanged. */
static bool belongs_to_vhlo(tess_str type)
{
	tess_str dialect = dialect_of_text(type);
	return str_is(dialect, "builtin") || str_is(dialect, "stablehlo");
}

static uint32_t new_type_number(encoder *e, form form, const type *t)
{
	static const code_dialect order[] = {CODES_VHLO, CODES_BUILTIN, CODES_STABLEHLO};
	entry_parts p; /* its fields are large */
	writer text;
	p.row = NULL;
	p.text = (tess_str){0};
	for (int i = form == PLAIN; i < COUNT(order) && !p.row && !e->failed; i++)
		p.row = code_take_type(&e->coder, order[i], t, p.fields);
	writer_init(&text, e->mem);
	bool lacking = form == VERSIONED && !(p.row && p.row->dialect == CODES_VHLO);
	if ((!p.row || lacking) && !e->failed)
		e->opts->texts.write_type(&text, e->ctx, t);
	finish_parts(e, &p, &text, "a type");
	if (lacking && (p.row || belongs_to_vhlo(writer_str(&text))))
		e->coder.fail(&e->coder, "StableHLO's portable artifacts have no type %.*s",
		              STR_ARG(writer_str(&text)));
	uint32_t n = parts_number(e, &e->types, &p);
	*(uintptr_t *)ptr_map_at(&e->numbers_of_types[form], e->mem, t) = (uintptr_t)n + 1;
	return n;
}

uint32_t type_number_slowly(encoder *e, form form, const type *t)
{
	uintptr_t known = (uintptr_t)ptr_map_get(&e->numbers_of_types[form], t);
	uint32_t n = known ? (uint32_t)known - 1 : new_type_number(e, form, t);
	*recent_of_type(e, form, t) = (recent){t, n};
	return n;
}

uint32_t mixed_dict_number(encoder *e, const attr *dict)
{
	uintptr_t known = (uintptr_t)ptr_map_get(&e->mixed, dict);
	if (known)
		return (uint32_t)known - 1;
	entry_parts p = {.row = code_row_of(CODES_BUILTIN, false, 1), .form = VERSIONED, .keys = PLAIN};
	p.fields[0] = (field){.present = true, .n = dict->n, .names = dict->names, .pairs = dict->list};
	p.dialect = e->builtin;
	uint32_t n = parts_number(e, &e->attrs, &p);
	*(uintptr_t *)ptr_map_at(&e->mixed, e->mem, dict) = (uintptr_t)n + 1;
	return n;
}

/* ---- the sections ----------------------------------------------------------------------------- */

void entries_init(encoder *e)
{
	writer_init(&e->attrs.data, e->mem);
	writer_init(&e->attrs.sizes, e->mem);
	writer_init(&e->types.data, e->mem);
	writer_init(&e->types.sizes, e->mem);
}

static void put_entry_groups(writer *offsets, const out_entries *t)
{
	size_t from = 0;
	for (int i = 0; i < t->groups.len; i++) {
		const entry_group *g = &t->groups.ptr[i];
		put_number(offsets, g->dialect);
		put_number(offsets, g->n);
		put_mem(offsets, t->sizes.ptr + from, g->end - from);
		from = g->end;
	}
}

void entries_write(encoder *e, writer *offsets, writer *data)
{
	put_number(offsets, e->attrs.n);
	put_number(offsets, e->types.n);
	put_entry_groups(offsets, &e->attrs);
	put_entry_groups(offsets, &e->types);
	put_str(data, writer_str(&e->attrs.data));
	put_str(data, writer_str(&e->types.data));
}
