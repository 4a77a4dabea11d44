/* instruction.c - one instruction of HLO text.
 *
 *   instruction ::= 'ROOT'? name '=' shape? opcode '(' operands ')' (',' name '=' value)*
 *   operands    ::= (operand (',' operand)*)?
 *   operand     ::= shape? name | shape? opcode '(' operands ')'
 *
 * A nested instruction is one of the computation, named after its opcode.  The shape
 * may be left out where it follows from the operands. */
#include "hlo/text/text.h"

#include <stdlib.h>

/* An instruction while it is read. */
typedef struct instruction {
	const char *from; /* of the name */
	tess_str label;
	const shape *shape; /* NULL: not written */
	tess_str opcode;
	const hlo_opcode *row;
	const char *stage;
	VEC(value *) operands;
	int n_controls;
	attr_list attrs;
	bool root, nested; /* a nested instruction has no attributes */
} instruction;

static op *read_rest(hlo_reader *r, instruction *p);

/* ---- names -------------------------------------------------------------------- */

static op *known_instruction(hlo_reader *r, tess_str label)
{
	return ptr_map_get(&r->scope->values, name_of(r->ctx, label));
}

static void set_attr(hlo_reader *r, attr_list *l, const char *attr_name, const attr *a)
{
	if (a)
		attrs_set(r->mem, l, name_of_z(r->ctx, attr_name), a);
}

static const attr *shape_attr(hlo_reader *r, const shape *s)
{
	writer w;
	writer_init(&w, r->mem);
	shape_print(&w, s, SHAPE_WITH_LAYOUT);
	return attr_string(r->ctx, name_of(r->ctx, writer_str(&w)));
}

static const shape *shape_of_value(hlo_reader *r, const value *v)
{
	return hlo_shape_of(r->ctx, value_def(v));
}

/* The finished instruction becomes an op at the end of the computation. */
static op *append_instruction(hlo_reader *r, instruction *p)
{
	char *opname = arena_printf(r->mem, "hlo.%.*s", STR_ARG(p->opcode));
	const type *t = hlo_type(r->ctx, p->shape);
	op *o = op_new(r->m, 0, name_of_z(r->ctx, opname), p->operands.ptr, p->operands.len, &t, 1,
	               0);
	set_attr(r, &p->attrs, "hlo.shape", shape_attr(r, p->shape));
	if (p->root)
		set_attr(r, &p->attrs, "hlo.root", attr_unit(r->ctx));
	if (p->n_controls)
		set_attr(r, &p->attrs, "hlo.controls", attr_i64(r->ctx, p->n_controls));
	for (int i = 0; i < p->attrs.n; i++)
		op_set_attr_named(r->m, o, p->attrs.ptr[i].name, p->attrs.ptr[i].value);
	value_set_name(r->m, result(o, 0), name_of(r->ctx, p->label));
	place at = hlo_since(r, p->from);
	op_set_place(o, at.begin, at.end);
	op_append(op_body(r->scope->computation), o);
	if (p->root)
		r->scope->root = o;
	return o;
}

/* ---- operands -------------------------------------------------------------------- */

/* "negate.anon", and with a number if there is one already. */
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
	instruction p = {.from = r->s.at, .shape = s, .nested = true};
	if (r->depth >= (int)r->ctx->opts.max_depth) {
		hlo_fail(r, hlo_here(r), E_HLO_DEPTH, "instructions are nested too deeply");
		return NULL;
	}
	r->depth++;
	op *o = read_rest(r, &p);
	r->depth--;
	return o;
}

/* The next parameter of a lone instruction. */
static op *make_parameter(hlo_reader *r, tess_str label, const shape *s)
{
	int number = r->scope->parameters++;
	instruction p = {.from = r->s.at, .label = label, .shape = s, .opcode = STR("parameter")};
	if (!label.len)
		p.label = str_of(arena_printf(r->mem, "_%d", number));
	set_attr(r, &p.attrs, "hlo.number", attr_i64(r->ctx, number));
	op *o = append_instruction(r, &p);
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

/* The named instruction, whose shape must be the one that is written. */
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
		         "no instruction %.*s before this one in the computation", STR_ARG(label));
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

static void read_operand(hlo_reader *r, instruction *p)
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

static void read_operands(hlo_reader *r, instruction *p)
{
	hlo_expect(r, "(");
	if (str_is(p->opcode, "parameter")) {
		int64_t number = hlo_integer(r);
		if (number < 0)
			hlo_fail(r, hlo_since(r, p->from), E_HLO_PARAMETER,
			         "the number of a parameter is not negative");
		set_attr(r, &p->attrs, "hlo.number", attr_i64(r->ctx, number));
	} else if (str_is(p->opcode, "constant")) {
		if (!p->shape)
			hlo_fail(r, hlo_here(r), E_HLO_SHAPE, "a constant needs its shape");
		else
			set_attr(r, &p->attrs, "hlo.literal", hlo_read_literal(r, p->shape));
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

static const hlo_attribute *find_attribute(const instruction *p, tess_str s)
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

/* control-predecessors={a, b}: operands behind the others */
static void read_controls(hlo_reader *r, instruction *p)
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

static void read_attribute(hlo_reader *r, instruction *p, ptr_map *seen)
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
	void **slot = ptr_map_at(seen, r->mem, a);
	if (*slot) {
		hlo_fail(r, hlo_since(r, from), E_HLO_ATTRIBUTE, "attribute %s stands twice",
		         a->name);
		return;
	}
	*slot = p;
	hlo_expect(r, "=");
	if (a->form == HLO_FORM_predecessors)
		read_controls(r, p);
	else
		set_attr(r, &p->attrs, a->name, hlo_read_attr(r, a, p->shape));
}

static void drop_usual(hlo_reader *r, instruction *p, const char *attribute, const char *usual)
{
	const name *called = name_of_z(r->ctx, attribute);
	const attr *a = attrs_get_named(&p->attrs, called);
	if (a && str_is(name_str(a->text), usual))
		attrs_set(r->mem, &p->attrs, called, NULL);
}

/* How the operands compare is said by "type", and since 2026 by "order" instead; it is not
 * written if it follows from what they are. */
static void settle_comparison(hlo_reader *r, instruction *p)
{
	const shape *s = p->operands.len ? shape_of_value(r, p->operands.ptr[0]) : NULL;
	if (!s || s->kind != SH_ARRAY)
		return;
	bool partial = dtype_is_float(s->dtype) || dtype_is_complex(s->dtype);
	if (attrs_get_named(&p->attrs, name_of_z(r->ctx, "type")) &&
	    attrs_get_named(&p->attrs, name_of_z(r->ctx, "order")))
		hlo_fail(r, hlo_since(r, p->from), E_HLO_ATTRIBUTE,
		         "a comparison has a type or an order, not both");
	drop_usual(r, p, "order", partial ? "PARTIAL" : "TOTAL");
	drop_usual(r, p, "type",
	           partial                              ? "FLOAT"
	           : dtype_class_of(s->dtype) == DC_SINT ? "SIGNED"
	                                                : "UNSIGNED");
}

/* What a reader of HLO takes for granted if it is not written. */
static void fill_attributes(hlo_reader *r, instruction *p)
{
	if (str_is(p->opcode, "compare"))
		settle_comparison(r, p);
	const name *to_apply = name_of_z(r->ctx, "to_apply");
	const attr *called = attrs_get_named(&p->attrs, to_apply);
	if (called && str_is(p->opcode, "custom-call")) {
		attrs_set(r->mem, &p->attrs, to_apply, NULL);
		set_attr(r, &p->attrs, "called_computations", attr_array(r->ctx, &called, 1));
	}
	bool dimensions = attrs_get(&p->attrs, N_dimensions) != NULL;
	if (dimensions || (!str_is(p->opcode, "broadcast") && !str_is(p->opcode, "map")))
		return;
	const shape *s = p->operands.len ? shape_of_value(r, p->operands.ptr[0]) : NULL;
	writer w;
	writer_init(&w, r->mem);
	put_c(&w, '{');
	for (int i = 0; s && i < s->rank; i++)
		put_f(&w, "%s%d", i ? "," : "", i);
	put_c(&w, '}');
	set_attr(r, &p->attrs, "dimensions", attr_string(r->ctx, name_of(r->ctx, writer_str(&w))));
}

static void require_attributes(hlo_reader *r, const instruction *p, ptr_map *seen)
{
	int flags;
	const hlo_attribute *a;
	if (strcmp(p->stage, "update") == 0 || strcmp(p->stage, "done") == 0)
		return;
	for (int i = 0; (a = hlo_opcode_attr(p->row, i, &flags)); i++)
		if ((flags & HLO_ATTR_REQUIRED) && !ptr_map_get(seen, a))
			hlo_fail(r, hlo_since(r, p->from), E_HLO_ATTRIBUTE,
			         "%.*s needs the attribute %s", STR_ARG(p->opcode), a->name);
}

static void read_attributes(hlo_reader *r, instruction *p)
{
	ptr_map seen = {0};
	while (!p->nested && !r->s.failed && hlo_accept(r, ","))
		read_attribute(r, p, &seen);
	if (!r->s.failed)
		require_attributes(r, p, &seen);
	fill_attributes(r, p);
}

/* ---- the whole --------------------------------------------------------------------------- */

static void read_opcode(hlo_reader *r, instruction *p)
{
	hlo_peek(r);
	const char *from = r->s.at;
	p->opcode = hlo_word(r);
	p->row = hlo_opcode_find(p->opcode, &p->stage);
	if (p->row || r->s.failed)
		return;
	if (p->opcode.len)
		hlo_fail(r, hlo_since(r, from), E_HLO_OPCODE, "no opcode is called %.*s",
		         STR_ARG(p->opcode));
	else
		hlo_unexpected(r, "an opcode");
}

static void check_operand_count(hlo_reader *r, const instruction *p)
{
	int n = p->operands.len - p->n_controls;
	bool literal = str_is(p->opcode, "parameter") || str_is(p->opcode, "constant");
	if (literal || *p->stage || (n >= p->row->min && (n <= p->row->max || p->row->max < 0)))
		return;
	hlo_fail(r, hlo_since(r, p->from), E_HLO_OPERANDS, "%.*s takes %s%d operand%s, not %d",
	         STR_ARG(p->opcode), p->row->max < 0 ? "at least " : "", p->row->min,
	         p->row->min == 1 ? "" : "s", n);
}

static const shape **operand_shapes(hlo_reader *r, const instruction *p, int *n)
{
	*n = p->operands.len - p->n_controls;
	const shape **s = NEW_N(r->mem, const shape *, *n + 1);
	for (int i = 0; i < *n; i++)
		s[i] = shape_of_value(r, p->operands.ptr[i]);
	return s;
}

/* From the opcode on. */
static op *read_rest(hlo_reader *r, instruction *p)
{
	int n;
	read_opcode(r, p);
	if (r->s.failed)
		return NULL;
	read_operands(r, p);
	if (!r->s.failed)
		check_operand_count(r, p);
	if (!r->s.failed)
		read_attributes(r, p);
	if (r->s.failed)
		return NULL;
	const shape **shapes = operand_shapes(r, p, &n);
	if (!p->shape && !*p->stage)
		p->shape = hlo_infer_shape(r->ctx, p->row, shapes, n, &p->attrs);
	if (!p->shape)
		hlo_fail(r, hlo_since(r, p->from), E_HLO_SHAPE,
		         "the shape of %.*s does not follow from its operands: write it",
		         STR_ARG(p->opcode));
	else if (!*p->stage &&
	         !hlo_check(r, p->row, p->shape, shapes, n, &p->attrs, hlo_since(r, p->from)))
		r->s.failed = true;
	if (!p->label.len)
		p->label = anonymous_label(r, p->opcode);
	if (r->s.failed)
		return NULL;
	op *o = append_instruction(r, p);
	*ptr_map_at(&r->scope->values, r->mem, name_of(r->ctx, p->label)) = o;
	return o;
}

op *hlo_read_instruction(hlo_reader *r)
{
	instruction p = {.root = hlo_accept_word(r, "ROOT")};
	hlo_peek(r);
	p.from = r->s.at;
	p.label = hlo_name(r);
	op *before = r->s.failed ? NULL : known_instruction(r, p.label);
	if (before) {
		hlo_fail(r, hlo_since(r, p.from), E_HLO_NAME, "a second instruction %.*s",
		         STR_ARG(p.label));
		diag_note(r->ctx, op_place(r->m, before), "the first is here");
	}
	if (p.root && r->scope->root)
		hlo_fail(r, hlo_since(r, p.from), E_HLO_ROOT, "a computation has one ROOT");
	hlo_expect(r, "=");
	p.shape = !r->s.failed && hlo_at_shape(r) ? hlo_read_shape(r) : NULL;
	return r->s.failed ? NULL : read_rest(r, &p);
}
