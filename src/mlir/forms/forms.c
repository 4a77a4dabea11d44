/* forms.c - reads and prints an op by walking the steps of its form.
 *
 * The same list of steps serves both directions; see forms.def. */
#include "mlir/forms/forms.h"

#define END {.kind = STEP_END}
#define OPERANDS(count) {.kind = STEP_OPERANDS, .n = (count)}
#define COMMA_OPERANDS(first) {.kind = STEP_COMMA_OPERANDS, .n = (first)}
#define REST(first) {.kind = STEP_REST, .n = (first)}
#define OPERAND(number) {.kind = STEP_OPERAND, .n = (number)}
#define TEXT(t) {.kind = STEP_TEXT, .text = (t)}
#define FIELD(t, a, k) {.kind = STEP_FIELD, .text = (t), .attr = N_##a, .n = FIELD_##k}
#define OPTIONAL(t, a, k) {.kind = STEP_OPTIONAL, .text = (t), .attr = N_##a, .n = FIELD_##k}
#define WORD(t, a, e) {.kind = STEP_FIELD, .text = (t), .attr = N_##a, .n = FIELD_WORD, .word = (e)}
#define OPTIONAL_WORD(t, a, e)                                                                     \
	{.kind = STEP_OPTIONAL, .text = (t), .attr = N_##a, .n = FIELD_WORD, .word = (e)}
#define ATTRS {.kind = STEP_ATTRS}
#define TYPES(k) {.kind = STEP_TYPES, .n = TYPES_##k}
#define RESULT_SHARDING(t) {.kind = STEP_SHARDING, .text = (t)}
#define OPTIONAL_RESULT_SHARDING(t) {.kind = STEP_OPTIONAL_SHARDING, .text = (t)}
#define CUSTOM_(f, ...)                                                                            \
	{.kind = STEP_CUSTOM, .read = read_##f, .write = write_##f, .hidden = {__VA_ARGS__}}
#define CUSTOM(...) CUSTOM_(__VA_ARGS__, 0)

#define FORM(name, ...) static const form_step form_##name[] = {__VA_ARGS__, END};
#include "mlir/forms/forms.def"
#undef FORM

static const form_step *const forms[OP_COUNT] = {
#define OP(id, opname, form, ...) [OP_##id] = form_##form,
#include "op/ops.def"
};

enum { MAX_HIDDEN = 16 };

bool form_has_pretty(int kind)
{
	return forms[kind] && forms[kind][0].kind != STEP_END;
}

static bool members_are_operands(const op *o)
{
	const type *t = o->n_results ? o->results[0].type : NULL;
	if (!t || t->kind != TY_TUPLE || t->n_in != o->n_operands)
		return false;
	for (int i = 0; i < t->n_in; i++)
		if (t->in[i] != operand(o, i)->type)
			return false;
	return true;
}

static bool results_are_operands(const op *o)
{
	for (int i = 0; i < o->n_operands && i < o->n_results; i++)
		if (o->results[i].type != operand(o, i)->type)
			return false;
	return o->n_operands == o->n_results;
}

static bool indices_from(tess_ctx *ctx, const op *o, int i)
{
	for (; i < o->n_operands; i++)
		if (operand(o, i)->type != type_scalar(ctx, DT_INDEX))
			return false;
	return true;
}

static bool operands_are_alike(const op *o)
{
	for (int i = 1; i < o->n_operands; i++)
		if (operand(o, i)->type != operand(o, 0)->type)
			return false;
	return true;
}

/* True if the types of the op are what the abbreviation says. */
static bool types_are_implied(tess_ctx *ctx, const op *o, types_kind k)
{
	switch (k) {
	case TYPES_TUPLE: return members_are_operands(o);
	case TYPES_PAIRWISE: return results_are_operands(o);
	case TYPES_OPERAND: return operands_are_alike(o);
	case TYPES_RESULT: return indices_from(ctx, o, 0);
	case TYPES_WITNESS:
		return o->n_results == 1 && o->n_operands &&
		       result(o, 0)->type == form_witness_type(ctx);
	case TYPES_CHOICE:
		return o->n_operands == 3 && operand(o, 1)->type == operand(o, 2)->type &&
		       o->n_results == 1 && result(o, 0)->type == operand(o, 1)->type;
	case TYPES_PREDICATE:
		return operands_are_alike(o) && o->n_operands == 2 && o->n_results == 1 &&
		       result(o, 0)->type == op_predicate_type(ctx, operand(o, 0)->type);
	case TYPES_INSERTED:
		return o->n_operands > 1 && o->n_results == 1 &&
		       result(o, 0)->type == operand(o, 1)->type &&
		       operand(o, 0)->type == operand(o, 1)->type->elem &&
		       indices_from(ctx, o, 2);
	default: return true;
	}
}

bool form_is_faithful(const module *m, const op *o)
{
	if (!form_has_pretty(o->kind) ||
	    (op_has(o, BORROWED) && !form_borrowed_is_faithful(m, o)) ||
	    (o->kind == OP_WHILE && !form_carries_same_types(o)) ||
	    (o->kind == OP_OPTIMIZATION_BARRIER && !results_are_operands(o)))
		return false;
	for (const form_step *s = forms[o->kind]; s->kind != STEP_END; s++) {
		if (s->kind == STEP_TYPES && !types_are_implied(m->ctx, o, (types_kind)s->n))
			return false;
	}
	return true;
}

/* ---- fields ------------------------------------------------------------------------ */

static const attr *read_enum_word(reader *r, const pending *p, const char *kind)
{
	if (r->tok != T_WORD) {
		read_expected(r, "a word");
		return NULL;
	}
	const char *dot = strchr(p->name->s, '.');
	tess_str dialect = {p->name->s, (size_t)(dot - p->name->s)};
	const attr *a = attr_of(r->ctx, &(attr){.kind = AT_ENUM,
	                                        .text = name_of(r->ctx, dialect),
	                                        .sub = name_of_z(r->ctx, kind),
	                                        .word = name_of(r->ctx, tok_text(r))});
	read_next(r);
	return a;
}

static const char *const direction_words[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};

static const attr *read_direction(reader *r)
{
	for (int i = 0; i < COUNT(direction_words); i++)
		if (read_accept_word(r, direction_words[i]))
			return attr_i32(r->ctx, i);
	read_expected(r, "NONE, FORWARD, BACKWARD or BOTH");
	return NULL;
}

static const attr *read_bool(reader *r)
{
	bool yes = read_accept_word(r, "true");
	if (!yes)
		read_expect_word(r, "false");
	return attr_bool(r->ctx, yes);
}

/* True if an attribute of this kind may be written in full, or without what its kind implies. */
static bool has_long_spelling(field_kind k)
{
	return k == FIELD_INTS || k == FIELD_MESH || k == FIELD_AXES || k == FIELD_AXES_LIST ||
	       k == FIELD_ALL_TO_ALL;
}

static const attr *read_field(reader *r, const pending *p, const form_step *s)
{
	if (r->tok == T_HASH && has_long_spelling((field_kind)s->n))
		return read_attr(r);
	switch ((field_kind)s->n) {
	case FIELD_INTS: return read_ints_attr(r);
	case FIELD_I64: return attr_i64(r->ctx, read_int(r));
	case FIELD_I32: return attr_i32(r->ctx, read_int(r));
	case FIELD_UI32: return attr_int(r->ctx, read_int(r), type_scalar(r->ctx, DT_UI32));
	case FIELD_UI64: return read_bare_ui64(r);
	case FIELD_F64: return read_bare_float(r);
	case FIELD_BOOL: return read_bool(r);
	case FIELD_WORD: return read_enum_word(r, p, s->word);
	case FIELD_STRING: return attr_string(r->ctx, name_of(r->ctx, read_string(r)));
	case FIELD_TARGET:
	case FIELD_NAME: return attr_string(r->ctx, read_symbol(r));
	case FIELD_ATTR: return read_attr(r);
	case FIELD_MESH: return read_mesh_attr(r);
	case FIELD_AXES: return read_axes_attr(r);
	case FIELD_AXES_LIST: return read_axes_list_attr(r);
	case FIELD_ALL_TO_ALL: return read_all_to_all_attr(r);
	case FIELD_DIRECTION: return read_direction(r);
	}
	return NULL;
}

static void read_field_step(reader *r, const pending *p, const form_step *s)
{
	uint32_t at = tok_pos(r);
	pend_known(r, s->attr, read_field(r, p, s));
	note_known(r, s->attr, 0, at);
}

static void write_field(printer *p, const attr *a, const form_step *s)
{
	writer *w = p->w;
	switch ((field_kind)s->n) {
	case FIELD_INTS: write_ints(p, a); return;
	case FIELD_I64:
	case FIELD_I32:
	case FIELD_UI32: put_int(w, a->i); return;
	case FIELD_UI64: put_uint(w, (uint64_t)a->i); return;
	case FIELD_F64: write_float(w, a->bits, DT_F64); return;
	case FIELD_BOOL: put_z(w, a->i ? "true" : "false"); return;
	case FIELD_WORD: put_z(w, enum_word(a)); return;
	case FIELD_STRING: put_quoted(w, name_str(a->text)); return;
	case FIELD_TARGET:
	case FIELD_NAME: put_symbol(w, name_str(a->text)); return;
	case FIELD_ATTR: write_attr(p, a); return;
	case FIELD_MESH: mesh_print(w, a->mesh); return;
	case FIELD_AXES: axes_print(w, (axis_list){a->axes, a->n}); return;
	case FIELD_AXES_LIST: write_axes_list(p, a); return;
	case FIELD_ALL_TO_ALL: write_all_to_all(p, a); return;
	case FIELD_DIRECTION:
		put_z(w, a->i >= 0 && a->i < COUNT(direction_words) ? direction_words[a->i] : "?");
		return;
	}
}

/* ---- reading ------------------------------------------------------------------------- */

static void read_comma_operands(reader *r, pending *p)
{
	while (r->tok == T_VALUE) {
		read_operand(r, p);
		read_expect(r, ',');
	}
}

static void read_fixed_operands(reader *r, pending *p, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			read_expect(r, ',');
		read_operand(r, p);
	}
}

static void read_result_sharding(reader *r, const pending *p, const char *text)
{
	read_literal(r, text);
	pend_read(r, op_sharding_attr(p->kind), read_sharding_attr);
}

/* True if the text of an optional step comes next. */
static bool optional_ahead(const reader *r, const char *text)
{
	while (*text == ' ')
		text++;
	if (*text == ',')
		return r->tok == ',';
	size_t n = strcspn(text, " =");
	return r->tok == T_WORD && str_eq(tok_text(r), (tess_str){text, n});
}

void read_form(reader *r, pending *p)
{
	for (const form_step *s = forms[p->kind]; s->kind != STEP_END && !r->failed; s++) {
		switch (s->kind) {
		case STEP_END: break;
		case STEP_OPERANDS:
			if (s->n < 0)
				read_operands(r, p);
			else
				read_fixed_operands(r, p, s->n);
			break;
		case STEP_REST: read_operands(r, p); break;
		case STEP_OPERAND: read_operand(r, p); break;
		case STEP_COMMA_OPERANDS: read_comma_operands(r, p); break;
		case STEP_TEXT: read_literal(r, s->text); break;
		case STEP_OPTIONAL:
			if (!optional_ahead(r, s->text))
				break;
			/* fall through */
		case STEP_FIELD:
			read_literal(r, s->text);
			read_field_step(r, p, s);
			break;
		case STEP_ATTRS:
			if (r->tok == '{')
				read_attr_dict(r);
			break;
		case STEP_TYPES: read_types(r, p, (types_kind)s->n); break;
		case STEP_OPTIONAL_SHARDING:
			if (!optional_ahead(r, s->text))
				break;
			/* fall through */
		case STEP_SHARDING: read_result_sharding(r, p, s->text); break;
		case STEP_CUSTOM: s->read(r, p); break;
		}
	}
}

/* ---- printing ---------------------------------------------------------------------------- */

static void hidden_attrs(const op *o, int *hidden)
{
	int n = 0;
	for (const form_step *s = forms[o->kind]; s->kind != STEP_END; s++) {
		if (s->kind == STEP_FIELD || s->kind == STEP_OPTIONAL)
			hidden[n++] = s->attr;
		for (int i = 0; s->kind == STEP_CUSTOM && s->hidden[i]; i++)
			hidden[n++] = s->hidden[i];
		ASSERT(n < MAX_HIDDEN);
	}
	hidden[n] = 0;
}

static void write_sharding_step(printer *p, const op *o, const char *text, bool optional)
{
	const sharding *s = o->n_results ? o->results[0].sharding : NULL;
	if (!s && optional)
		return;
	put_z(p->w, text);
	if (s)
		sharding_print(p->w, s);
}

void write_form(printer *p, const op *o)
{
	const form_step *first = forms[o->kind];
	/* `stablehlo.partition_id : T`, `module {`, `convolution(…` have no space here,
	 * or write their own */
	bool paren = first->kind == STEP_TEXT && first->text[0] == '(';
	if (first->kind != STEP_ATTRS && first->kind != STEP_CUSTOM && !paren)
		put_c(p->w, ' ');
	for (const form_step *s = first; s->kind != STEP_END; s++) {
		const attr *a = s->attr ? op_attr(o, s->attr) : NULL;
		switch (s->kind) {
		case STEP_END: break;
		case STEP_OPERANDS: write_operands(p, o, 0, s->n < 0 ? o->n_operands : s->n); break;
		case STEP_REST: write_operands(p, o, s->n, o->n_operands - s->n); break;
		case STEP_OPERAND: write_operands(p, o, s->n, 1); break;
		case STEP_COMMA_OPERANDS:
			write_operands(p, o, s->n, o->n_operands - s->n);
			put_c(p->w, ',');
			break;
		case STEP_TEXT: put_z(p->w, s->text); break;
		case STEP_FIELD:
		case STEP_OPTIONAL:
			if (!a)
				break;
			put_z(p->w, s->text);
			write_field(p, a, s);
			break;
		case STEP_ATTRS: {
			int hidden[MAX_HIDDEN];
			hidden_attrs(o, hidden);
			write_op_attrs(p, o, hidden, false);
			break;
		}
		case STEP_TYPES: write_types_of(p, o, (types_kind)s->n); break;
		case STEP_SHARDING: write_sharding_step(p, o, s->text, false); break;
		case STEP_OPTIONAL_SHARDING: write_sharding_step(p, o, s->text, true); break;
		case STEP_CUSTOM: s->write(p, o); break;
		}
	}
}
