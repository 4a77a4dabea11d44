/* make.c - creates instructions, computations and modules as ops, for the readers of text and of
 * protos. */
#include "hlo/text/text.h"

/* ---- instructions ---------------------------------------------------------------- */

void hlo_set_attr(hlo_reader *r, attr_list *l, const char *attr_name, const attr *a)
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

/* Appends the instruction to the computation as an op. */
op *hlo_append_instruction(hlo_reader *r, hlo_pending *p)
{
	char *opname = arena_printf(r->mem, "hlo.%.*s", STR_ARG(p->opcode));
	const type *t = hlo_type(r->ctx, p->shape);
	op *o = op_new(r->m, 0, name_of_z(r->ctx, opname), p->operands.ptr, p->operands.len, &t, 1,
	               0);
	hlo_set_attr(r, &p->attrs, "hlo.shape", shape_attr(r, p->shape));
	if (p->root)
		hlo_set_attr(r, &p->attrs, "hlo.root", attr_unit(r->ctx));
	if (p->n_controls)
		hlo_set_attr(r, &p->attrs, "hlo.controls", attr_i64(r->ctx, p->n_controls));
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

static void drop_usual(hlo_reader *r, hlo_pending *p, const char *attribute, const char *usual)
{
	const name *called = name_of_z(r->ctx, attribute);
	const attr *a = attrs_get_named(&p->attrs, called);
	if (a && str_is(name_str(a->text), usual))
		attrs_set(r->mem, &p->attrs, called, NULL);
}

/* How the operands are compared is given by "type", and since 2026 by "order" instead; it is not
 * written if it follows from their dtype. */
static void settle_comparison(hlo_reader *r, hlo_pending *p)
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

/* A dot that contracts nothing is printed with empty lists. */
static void fill_contracting(hlo_reader *r, hlo_pending *p)
{
	static const char *const names[] = {"lhs_contracting_dims", "rhs_contracting_dims"};
	for (int i = 0; i < COUNT(names); i++)
		if (!attrs_get_named(&p->attrs, name_of_z(r->ctx, names[i])))
			hlo_set_attr(r, &p->attrs, names[i],
			             attr_string(r->ctx, name_of(r->ctx, STR("{}"))));
}

/* Adds attributes that readers of HLO assume if they are missing. */
static void fill_attributes(hlo_reader *r, hlo_pending *p)
{
	if (strstr(p->row->attrs, "lhs_contracting_dims"))
		fill_contracting(r, p);
	if (str_is(p->opcode, "compare"))
		settle_comparison(r, p);
	if (str_is(p->opcode, "sort")) /* topk always has it */
		drop_usual(r, p, "is_stable", "false");
	const name *to_apply = name_of_z(r->ctx, "to_apply");
	const attr *called = attrs_get_named(&p->attrs, to_apply);
	if (called && str_is(p->opcode, "custom-call")) {
		attrs_set(r->mem, &p->attrs, to_apply, NULL);
		hlo_set_attr(r, &p->attrs, "called_computations", attr_array(r->ctx, &called, 1));
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
	hlo_set_attr(r, &p->attrs, "dimensions", attr_string(r->ctx, name_of(r->ctx, writer_str(&w))));
}

static void require_attributes(hlo_reader *r, const hlo_pending *p)
{
	int flags;
	const hlo_attribute *a;
	if (strcmp(p->stage, "update") == 0 || strcmp(p->stage, "done") == 0)
		return;
	for (int i = 0; (a = hlo_opcode_attr(p->row, i, &flags)); i++)
		if ((flags & HLO_ATTR_REQUIRED) && !ptr_map_get(&p->seen, a))
			hlo_fail(r, hlo_since(r, p->from), E_HLO_ATTRIBUTE,
			         "%.*s needs the attribute %s", STR_ARG(p->opcode), a->name);
}

static void check_operand_count(hlo_reader *r, const hlo_pending *p)
{
	int n = p->operands.len - p->n_controls;
	bool literal = str_is(p->opcode, "parameter") || str_is(p->opcode, "constant");
	if (literal || *p->stage || (n >= p->row->min && (n <= p->row->max || p->row->max < 0)))
		return;
	hlo_fail(r, hlo_since(r, p->from), E_HLO_OPERANDS, "%.*s takes %s%d operand%s, not %d",
	         STR_ARG(p->opcode), p->row->max < 0 ? "at least " : "", p->row->min,
	         p->row->min == 1 ? "" : "s", n);
}

static const shape **operand_shapes(hlo_reader *r, const hlo_pending *p, int *n)
{
	*n = p->operands.len - p->n_controls;
	const shape **s = NEW_N(r->mem, const shape *, *n + 1);
	for (int i = 0; i < *n; i++)
		s[i] = shape_of_value(r, p->operands.ptr[i]);
	return s;
}

/* Completes and checks the instruction; returns its op, NULL after an error. */
op *hlo_finish_instruction(hlo_reader *r, hlo_pending *p)
{
	int n;
	if (!r->s.failed)
		check_operand_count(r, p);
	if (!r->s.failed)
		require_attributes(r, p);
	if (r->s.failed)
		return NULL;
	fill_attributes(r, p);
	const shape **shapes = operand_shapes(r, p, &n);
	if (!p->shape && !*p->stage)
		p->shape = hlo_infer_shape(r->ctx, p->row, shapes, n, &p->attrs);
	if (!p->shape)
		hlo_fail(r, hlo_since(r, p->from), E_HLO_SHAPE,
		         "the shape of %.*s does not follow from its operands: write it",
		         STR_ARG(p->opcode));
	else if (!*p->stage &&
	         !hlo_check(r, p->row, p->shape, shapes, n, &p->attrs, hlo_since(r, p->from)))
		scan_stop(&r->s);
	return r->s.failed ? NULL : hlo_append_instruction(r, p);
}

/* ---- computations ---------------------------------------------------------------- */

op *hlo_begin_computation(hlo_reader *r, hlo_scope *scope)
{
	op *c = op_new(r->m, 0, name_of_z(r->ctx, "hlo.computation"), NULL, 0, NULL, 0, 1);
	block_new(r->m, op_region(c, 0));
	scope->computation = c;
	scope->outer = r->scope;
	r->scope = scope;
	return c;
}

/* Checks that parameters are numbered 0 … n-1, each once. */
static bool check_parameters(hlo_reader *r, const op *c)
{
	const name *number = name_of_z(r->ctx, "hlo.number");
	int64_t n = 0;
	for (op *o = op_body(c)->first; o; o = o->next)
		n += op_attr_named(o, number) != NULL;
	bool *seen = NEW_N(r->mem, bool, n + 1);
	for (op *o = op_body(c)->first; o; o = o->next) {
		const attr *a = op_attr_named(o, number);
		if (!a)
			continue;
		if (a->i >= n || seen[a->i]) {
			hlo_fail(r, op_place(r->m, o), E_HLO_PARAMETER,
			         a->i >= n ? "the %" PRId64
			                     " parameters are not numbered from 0 without gaps"
			                   : "of %" PRId64 " parameters two have the same number",
			         n);
			return false;
		}
		seen[a->i] = true;
	}
	return true;
}

void hlo_end_computation(hlo_reader *r, hlo_scope *scope, tess_str label, bool entry)
{
	op *c = scope->computation;
	r->scope = scope->outer;
	if (r->s.failed || !check_parameters(r, c))
		return;
	if (!scope->root)
		op_set_attr_named(r->m, op_body(c)->last, name_of_z(r->ctx, "hlo.root"),
		                  attr_unit(r->ctx));
	const name *symbol = hlo_unique_name(&r->names, name_of(r->ctx, label));
	op_set_attr(r->m, c, N_sym_name, attr_string(r->ctx, symbol));
	if (entry)
		op_set_attr_named(r->m, c, name_of_z(r->ctx, "hlo.entry"), attr_unit(r->ctx));
	op_append(module_body(r->m), c);
	module_add_symbol(r->m, c);
}

/* ---- modules --------------------------------------------------------------------- */

static op *entry_of(const hlo_reader *r)
{
	op *c = module_body(r->m)->first;
	while (c && !hlo_is_entry(r->m, c))
		c = c->next;
	return c ? c : module_body(r->m)->last;
}

void hlo_finish_module(hlo_reader *r)
{
	op *entry = entry_of(r);
	if (r->s.failed || !entry)
		return;
	op_set_attr_named(r->m, entry, name_of_z(r->ctx, "hlo.entry"), attr_unit(r->ctx));
	if (!hlo_attr(r->m->top, r->ctx, "hlo.module"))
		hlo_set_header(r, "hlo.module",
		           str_of(arena_printf(r->mem, "module_%s", op_symbol(entry)->s)));
	if (!hlo_attr(r->m->top, r->ctx, "entry_computation_layout"))
		hlo_fill_entry_layout(r, entry);
	hlo_unique_instructions(r->m);
	hlo_fold_async(r->m);
}
