/* entries.c - strings, dialects, attributes and types, each numbered when it is seen first. */
#include "bytecode/write/write.h"

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
		if (str_eq(e->dialects.ptr[i].name, name))
			return (uint32_t)i;
	string_number_of(e, name_of(e->ctx, name));
	vec_push(e->mem, &e->dialects, (out_dialect){.name = arena_str(e->mem, name)});
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

/* What the fields of an entry refer to gets its number too. */
static void number_fields(encoder *e, const numbered *n)
{
	const field *f = n->fields;
	for (const char *letter = n->row->fields; *letter; letter++) {
		if (*letter == '?' || *letter == 'q' || *letter == 'o')
			continue;
		if (f->present)
			switch (*letter) {
			case 'a': attr_number(e, n->form, f->a); break;
			case 't': type_number(e, n->form, f->t); break;
			case 'n': attr_number(e, n->form, attr_string(e->ctx, f->name)); break;
			case 's': string_number_of(e, f->name); break;
			case 'A':
				for (int64_t i = 0; i < f->n; i++)
					attr_number(e, n->form, f->list[i]);
				break;
			case 'T':
				for (int64_t i = 0; i < f->n; i++)
					type_number(e, n->form, f->types[i]);
				break;
			case 'P':
				for (int64_t i = 0; i < f->n; i++) {
					attr_number(e, n->form, f->list[i]);
					attr_number(e, n->form, f->pairs[i]);
				}
				break;
			}
		f++;
	}
}

static bool new_enough(encoder *e, const code_row *row, const char *what)
{
	if (row->dialect != CODES_VHLO || row->since <= e->target)
		return true;
	return e->coder.fail(&e->coder, "%s needs StableHLO %d.%d.0", what, row->since / 100,
	                     row->since % 100);
}

/* The dialect of a text like #test.any or !quant.uniform<…>. */
static tess_str dialect_of_text(tess_str s)
{
	size_t n = 1;
	if (!s.len || (s.ptr[0] != '#' && s.ptr[0] != '!'))
		return STR("builtin");
	while (n < s.len && s.ptr[n] != '.' && s.ptr[n] != '<')
		n++;
	return (tess_str){s.ptr + 1, n - 1};
}

static const field *kept_fields(encoder *e, const code_row *row, const field *f)
{
	size_t n = strlen(row->fields);
	return COPY_N(e->mem, f, n < MAX_FIELDS ? n : MAX_FIELDS);
}

const numbered *attr_number(encoder *e, form form, const attr *a)
{
	numbered *n = ptr_map_get(&e->numbers_of_attrs[form], a);
	if (LIKELY(n != NULL))
		return n;
	static const code_dialect order[] = {CODES_VHLO, CODES_SDY, CODES_BUILTIN, CODES_STABLEHLO,
	                                     CODES_CHLO};
	field f[MAX_FIELDS];
	const code_row *row = NULL;
	for (int i = form == PLAIN; i < COUNT(order) && !row && !e->failed; i++)
		row = code_take_attr(&e->coder, order[i], a, f);
	n = NEW(e->mem, numbered);
	*ptr_map_at(&e->numbers_of_attrs[form], e->mem, a) = n;
	n->row = row;
	n->form = row && row->dialect == CODES_VHLO ? VERSIONED : PLAIN;
	if (row) {
		n->fields = kept_fields(e, row, f);
		n->dialect = dialect_number(e, str_of(code_dialect_names[row->dialect]));
		new_enough(e, row, row->name1 ? row->name1 : "an attribute");
	} else if (!e->failed) {
		writer w;
		writer_init(&w, e->mem);
		e->opts->texts.write_attr(&w, e->ctx, a);
		n->text = writer_str(&w);
		n->dialect = dialect_number(e, dialect_of_text(n->text));
	}
	vec_push(e->mem, &e->dialects.ptr[n->dialect].attrs, n);
	if (row && !e->failed)
		number_fields(e, n);
	return n;
}

const numbered *type_number(encoder *e, form form, const type *t)
{
	numbered *n = ptr_map_get(&e->numbers_of_types[form], t);
	if (LIKELY(n != NULL))
		return n;
	static const code_dialect order[] = {CODES_VHLO, CODES_BUILTIN, CODES_STABLEHLO};
	field f[MAX_FIELDS];
	const code_row *row = NULL;
	for (int i = form == PLAIN; i < COUNT(order) && !row && !e->failed; i++)
		row = code_take_type(&e->coder, order[i], t, f);
	n = NEW(e->mem, numbered);
	*ptr_map_at(&e->numbers_of_types[form], e->mem, t) = n;
	n->row = row;
	n->form = row && row->dialect == CODES_VHLO ? VERSIONED : PLAIN;
	if (row && form == VERSIONED && n->form == PLAIN)
		e->coder.fail(&e->coder, "StableHLO's portable artifacts have no such type");
	if (row) {
		n->fields = kept_fields(e, row, f);
		n->dialect = dialect_number(e, str_of(code_dialect_names[row->dialect]));
		new_enough(e, row, row->name1 ? row->name1 : "a type");
	} else if (!e->failed) {
		writer w;
		writer_init(&w, e->mem);
		e->opts->texts.write_type(&w, e->ctx, t);
		n->text = writer_str(&w);
		n->dialect = dialect_number(e, dialect_of_text(n->text));
		if (form == VERSIONED)
			e->coder.fail(&e->coder, "StableHLO's portable artifacts have no type %.*s",
			              STR_ARG(n->text));
	}
	vec_push(e->mem, &e->dialects.ptr[n->dialect].types, n);
	if (row && !e->failed)
		number_fields(e, n);
	return n;
}

void entries_finish(encoder *e)
{
	uint32_t attrs = 0, types = 0;
	for (int d = 0; d < e->dialects.len; d++) {
		out_dialect *o = &e->dialects.ptr[d];
		for (int i = 0; i < o->attrs.len; i++)
			o->attrs.ptr[i]->number = attrs++;
		for (int i = 0; i < o->types.len; i++)
			o->types.ptr[i]->number = types++;
	}
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static uint32_t number_of_attr(encoder *e, form f, const attr *a)
{
	return attr_number(e, f, a)->number;
}

static void put_wide(writer *w, const type *t, int64_t v)
{
	if (code_width(t) <= 8)
		put_c(w, (char)v);
	else
		put_signed(w, v);
}

static void put_field(encoder *e, writer *w, const numbered *n, char letter, const field *f)
{
	switch (letter) {
	case 'a': put_number(w, number_of_attr(e, n->form, f->a)); break;
	case 't': put_number(w, type_number(e, n->form, f->t)->number); break;
	case 'n': put_number(w, number_of_attr(e, n->form, attr_string(e->ctx, f->name))); break;
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
	default:
		put_number(w, (uint64_t)f->n);
		for (int64_t i = 0; i < f->n; i++) {
			if (letter == 'A' || letter == 'P')
				put_number(w, number_of_attr(e, n->mixed ? PLAIN : n->form,
				                             f->list[i]));
			if (letter == 'P')
				put_number(w, number_of_attr(e, n->form, f->pairs[i]));
			if (letter == 'T')
				put_number(w, type_number(e, n->form, f->types[i])->number);
			if (letter == 'U')
				put_number(w, (uint64_t)f->ints[i]);
			if (letter == 'I' || letter == 'D')
				put_signed(w, f->ints[i]);
		}
	}
}

static void put_coded(encoder *e, writer *w, const numbered *n)
{
	if (!n->row) {
		put_str(w, n->text);
		put_c(w, 0);
		return;
	}
	const field *f = n->fields;
	put_number(w, (uint64_t)n->row->code);
	for (const char *letter = n->row->fields; *letter; letter++, f++) {
		bool optional = *letter == '?', byte = *letter == 'q', number = *letter == 'o';
		letter += optional || byte || number;
		if (optional) {
			uint64_t v = !f->present      ? 0
			             : *letter == 'a' ? number_of_attr(e, n->form, f->a)
			                              : (uint64_t)f->i;
			put_flagged(w, v, f->present);
			continue;
		}
		if (byte)
			put_c(w, f->present);
		if (number)
			put_number(w, f->present);
		if ((!byte && !number) || f->present)
			put_field(e, w, n, *letter, f);
	}
}

static void put_group(encoder *e, writer *offsets, writer *data, uint32_t dialect,
                      const numbered_list *list)
{
	if (!list->len)
		return;
	put_number(offsets, dialect);
	put_number(offsets, (uint64_t)list->len);
	for (int i = 0; i < list->len; i++) {
		size_t from = data->len;
		put_coded(e, data, list->ptr[i]);
		put_flagged(offsets, data->len - from, list->ptr[i]->row != NULL);
	}
}

void entries_write(encoder *e, writer *offsets, writer *data)
{
	uint64_t attrs = 0, types = 0;
	for (int d = 0; d < e->dialects.len; d++) {
		attrs += (uint64_t)e->dialects.ptr[d].attrs.len;
		types += (uint64_t)e->dialects.ptr[d].types.len;
	}
	put_number(offsets, attrs);
	put_number(offsets, types);
	for (int d = 0; d < e->dialects.len; d++)
		put_group(e, offsets, data, (uint32_t)d, &e->dialects.ptr[d].attrs);
	for (int d = 0; d < e->dialects.len; d++)
		put_group(e, offsets, data, (uint32_t)d, &e->dialects.ptr[d].types);
}
