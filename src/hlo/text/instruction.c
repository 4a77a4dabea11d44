/* instruction.c - parses an instruction.
 *
 *   instruction ::= 'ROOT'? name '=' shape? opcode '(' operands ')' (',' name '=' value)*
 *   operands    ::= (operand (',' operand)*)?
 *   operand     ::= shape? name | shape? opcode '(' operands ')'
 *
 * A nested instruction becomes one of the computation, named after its opcode. The shape may be
 * left out if it follows from the operands. */
#include "hlo/text/text.h"

static op *read_rest(hlo_reader *r, hlo_pending *p);

/* ---- names -------------------------------------------------------------------- */

static op *known_instruction(hlo_reader *r, tess_str label)
{
	return ptr_map_get(&r->scope->values, name_of(r->ctx, label));
}

/* ---- operands -------------------------------------------------------------------- */

/* Returns "negate.anon", with a number if that is taken. */
static tess_str anonymous_label(hlo_reader *r, tess_str opcode)
{
	char *base = arena_printf(r->mem, "%.*s.anon", STR_ARG(opcode)), *label = base;
	void **count = ptr_map_at(&r->scope->anonymous, r->mem, name_of_z(r->ctx, base));
	for (;;) {
		intptr_t n = (intptr_t)*count;
		if (n)
			label = arena_printf(r->mem, "%s.%d", base, (int)n);
		*count = (void *)(n + 1);
		if (!known_instruction(r, str_of(label)))
			return str_of(label);
	}
}

static op *read_nested_instruction(hlo_reader *r, const shape *s)
{
	hlo_pending p = {.from = r->s.at, .shape = s, .nested = true};
	if (r->depth >= (int)r->ctx->opts.max_depth) {
		hlo_fail(r, hlo_here(r), E_HLO_DEPTH, "instructions are nested too deeply");
		return NULL;
	}
	r->depth++;
	op *o = read_rest(r, &p);
	r->depth--;
	return o;
}

/* Creates the next parameter of a single instruction. */
static op *make_parameter(hlo_reader *r, tess_str label, const shape *s)
{
	int number = r->scope->parameters++;
	hlo_pending p = {.from = r->s.at, .label = label, .shape = s, .opcode = STR("parameter")};
	if (!label.len)
		p.label = str_of(arena_printf(r->mem, "_%d", number));
	hlo_set_attr(r, &p.attrs, "hlo.number", attr_i64(r->ctx, number));
	op *o = hlo_append_instruction(r, &p);
	*ptr_map_at(&r->scope->values, r->mem, name_of(r->ctx, p.label)) = o;
	return o;
}

static bool at_nested(hlo_reader *r)
{
	scan before = r->s;
	bool nested = hlo_word(r).len && hlo_peek(r) == '(';
	r->s = before;
	return nested;
}

/* Returns the named instruction, which must have the shape that is written. */
static value *named_operand(hlo_reader *r, const shape *s)
{
	hlo_peek(r);
	const char *from = r->s.at;
	if (r->scope->lone && s && (hlo_peek(r) == ',' || hlo_peek(r) == ')'))
		return result(make_parameter(r, (tess_str){0}, s), 0);
	tess_str label = hlo_name(r);
	op *o = r->s.failed ? NULL : known_instruction(r, label);
	if (!o && s && r->scope->lone)
		o = make_parameter(r, label, s);
	if (!o) {
		hlo_fail(r, hlo_since(r, from), E_HLO_NAME,
		         "there is no instruction %.*s before this one in the computation", STR_ARG(label));
		return NULL;
	}
	enum { IGNORE = SHAPE_IGNORE_LAYOUT | SHAPE_IGNORE_DYNAMIC };
	if (s && !shape_same(s, hlo_shape_of(r->ctx, o), IGNORE)) {
		hlo_fail(r, hlo_since(r, from), E_HLO_SHAPE, "%.*s has another shape, %.*s",
		         STR_ARG(label), STR_ARG(hlo_attr_text(o, r->ctx, "hlo.shape")));
		return NULL;
	}
	return result(o, 0);
}

static void read_operand(hlo_reader *r, hlo_pending *p)
{
	const shape *s = hlo_at_shape(r) ? hlo_read_shape(r) : NULL;
	value *v;
	hlo_peek(r);
	if (at_nested(r)) {
		op *o = read_nested_instruction(r, s);
		v = o ? result(o, 0) : NULL;
	} else {
		v = named_operand(r, s);
	}
	if (v)
		vec_push(r->mem, &p->operands, v);
}

static void read_operands(hlo_reader *r, hlo_pending *p)
{
	hlo_expect(r, "(");
	if (str_is(p->opcode, "parameter")) {
		int64_t number = hlo_integer(r);
		if (number < 0)
			hlo_fail(r, hlo_since(r, p->from), E_HLO_PARAMETER,
			         "the number of a parameter cannot be negative");
		hlo_set_attr(r, &p->attrs, "hlo.number", attr_i64(r->ctx, number));
	} else if (str_is(p->opcode, "constant")) {
		if (!p->shape)
			hlo_fail(r, hlo_here(r), E_HLO_SHAPE, "a constant needs its shape");
		else
			hlo_set_attr(r, &p->attrs, "hlo.literal", hlo_read_literal(r, p->shape));
	} else if (hlo_peek(r) != ')') {
		do
			read_operand(r, p);
		while (!r->s.failed && hlo_accept(r, ","));
	}
	if (!r->s.failed)
		hlo_expect(r, ")");
}

/* ---- attributes ---------------------------------------------------------------------- */

static bool opcode_has(const hlo_opcode *row, const hlo_attribute *a)
{
	int flags;
	const hlo_attribute *own;
	for (int i = 0; (own = hlo_common_attr(i)); i++)
		if (own == a)
			return true;
	for (int i = 0; (own = hlo_opcode_attr(row, i, &flags)); i++)
		if (own == a)
			return true;
	return false;
}

static const hlo_attribute *find_attribute(const hlo_pending *p, tess_str s)
{
	if (*p->stage && str_is(s, "async_execution_thread"))
		return hlo_attribute_find(s);
	const hlo_attribute *a = hlo_attribute_find(s);
	return a && opcode_has(p->row, a) ? a : NULL;
}

static const char *allowed_attributes(hlo_reader *r, const hlo_opcode *row)
{
	writer w;
	int flags;
	const hlo_attribute *a;
	writer_init(&w, r->mem);
	for (int i = 0; (a = hlo_opcode_attr(row, i, &flags)); i++)
		put_f(&w, "%s, ", a->name);
	for (int i = 0; (a = hlo_common_attr(i)); i++)
		put_f(&w, "%s%s", i ? ", " : "", a->name);
	return writer_z(&w);
}

/* control-predecessors={a, b}: additional operands at the end. */
static void read_controls(hlo_reader *r, hlo_pending *p)
{
	hlo_expect(r, "{");
	if (hlo_accept(r, "}"))
		return;
	do {
		value *v = named_operand(r, NULL);
		if (!v)
			return;
		vec_push(r->mem, &p->operands, v);
		p->n_controls++;
	} while (hlo_accept(r, ","));
	hlo_expect(r, "}");
}

/* ---- computations ---------------------------------------------------------------------- */

/* A computation's name, or a computation in braces; returns its symbol. */
static const attr *read_called(hlo_reader *r)
{
	hlo_peek(r);
	const char *from = r->s.at;
	op *c;
	if (hlo_peek(r) == '{') {
		hlo_scope scope = {0};
		if (r->depth >= (int)r->ctx->opts.max_depth) {
			hlo_fail(r, hlo_here(r), E_HLO_DEPTH, "computations are nested too deeply");
			return NULL;
		}
		r->depth++;
		c = hlo_begin_computation(r, &scope);
		hlo_read_instructions(r);
		hlo_end_computation(r, &scope, STR("_"), false);
		r->depth--;
	} else {
		tess_str label = hlo_name(r);
		c = r->s.failed ? NULL : ptr_map_get(&r->computations, name_of(r->ctx, label));
		if (!c)
			hlo_fail(r, hlo_since(r, from), E_HLO_NAME,
			         "there is no computation %.*s before this one", STR_ARG(label));
	}
	return r->s.failed ? NULL : attr_symbol(r->ctx, op_symbol(c));
}

/* '{' name,… '}' or one name */
static const attr *read_called_list(hlo_reader *r)
{
	VEC(const attr *) v = {0};
	if (!hlo_accept(r, "{")) {
		vec_push(r->mem, &v, read_called(r));
	} else if (!hlo_accept(r, "}")) {
		do
			vec_push(r->mem, &v, read_called(r));
		while (hlo_accept(r, ","));
		hlo_expect(r, "}");
	}
	return r->s.failed ? NULL : attr_array(r->ctx, v.ptr, v.len);
}

static void read_attribute(hlo_reader *r, hlo_pending *p)
{
	hlo_peek(r);
	const char *from = r->s.at;
	tess_str s = hlo_word(r);
	if (!s.len) {
		hlo_unexpected(r, "an attribute");
		return;
	}
	const hlo_attribute *a = find_attribute(p, s);
	if (!a) {
		hlo_fail(r, hlo_since(r, from), E_HLO_ATTRIBUTE,
		         "%.*s has no attribute %.*s; it may have %s", STR_ARG(p->opcode),
		         STR_ARG(s), allowed_attributes(r, p->row));
		return;
	}
	void **slot = ptr_map_at(&p->seen, r->mem, a);
	if (*slot) {
		hlo_fail(r, hlo_since(r, from), E_HLO_ATTRIBUTE, "there are two attributes %s",
		         a->name);
		return;
	}
	*slot = p;
	hlo_expect(r, "=");
	if (a->form == HLO_FORM_predecessors)
		read_controls(r, p);
	else if (a->form == HLO_FORM_computation)
		hlo_set_attr(r, &p->attrs, a->name, read_called(r));
	else if (a->form == HLO_FORM_computations)
		hlo_set_attr(r, &p->attrs, a->name, read_called_list(r));
	else
		hlo_set_attr(r, &p->attrs, a->name, hlo_read_attr(r, a, p->shape));
}

static void read_attributes(hlo_reader *r, hlo_pending *p)
{
	while (!p->nested && !r->s.failed && hlo_accept(r, ","))
		read_attribute(r, p);
}

/* ---- the whole instruction ------------------------------------------------------------------ */

static void read_opcode(hlo_reader *r, hlo_pending *p)
{
	hlo_peek(r);
	const char *from = r->s.at;
	p->opcode = hlo_word(r);
	p->row = hlo_opcode_find(p->opcode, &p->stage);
	if (p->row || r->s.failed)
		return;
	if (p->opcode.len)
		hlo_fail(r, hlo_since(r, from), E_HLO_OPCODE, "there is no opcode %.*s",
		         STR_ARG(p->opcode));
	else
		hlo_unexpected(r, "an opcode");
}

/* Continues after the shape. */
static op *read_rest(hlo_reader *r, hlo_pending *p)
{
	read_opcode(r, p);
	if (r->s.failed)
		return NULL;
	read_operands(r, p);
	if (!r->s.failed)
		read_attributes(r, p);
	if (!p->label.len && !r->s.failed)
		p->label = anonymous_label(r, p->opcode);
	op *o = hlo_finish_instruction(r, p);
	if (o)
		*ptr_map_at(&r->scope->values, r->mem, name_of(r->ctx, p->label)) = o;
	return o;
}

op *hlo_read_instruction(hlo_reader *r)
{
	hlo_pending p = {.root = hlo_accept_word(r, "ROOT")};
	hlo_peek(r);
	p.from = r->s.at;
	p.label = hlo_name(r);
	op *before = r->s.failed ? NULL : known_instruction(r, p.label);
	if (before) {
		hlo_fail(r, hlo_since(r, p.from), E_HLO_NAME, "there are two instructions %.*s",
		         STR_ARG(p.label));
		diag_note(r->ctx, op_place(r->m, before), "the first is here");
	}
	if (p.root && r->scope->root)
		hlo_fail(r, hlo_since(r, p.from), E_HLO_ROOT, "a computation can have only one ROOT");
	hlo_expect(r, "=");
	p.shape = !r->s.failed && hlo_at_shape(r) ? hlo_read_shape(r) : NULL;
	return r->s.failed ? NULL : read_rest(r, &p);
}

/* '{' instruction+ '}' */
void hlo_read_instructions(hlo_reader *r)
{
	hlo_expect(r, "{");
	do
		hlo_read_instruction(r);
	while (!r->s.failed && hlo_peek(r) != '}');
	hlo_expect(r, "}");
}
