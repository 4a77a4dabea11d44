/* borrowed.c - parts of the forms of arith, math, shape, func and scf ops. */
#include "mlir/forms/forms.h"

/* ---- predicates of comparisons ------------------------------------------------------------ */

static const char *const int_predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                             "sge", "ult", "ule", "ugt", "uge"};
static const char *const float_predicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                               "one",   "ord", "ueq", "ugt", "uge", "ult",
                                               "ule",   "une", "uno", "true"};

static const char *const *predicates(int kind, int *n)
{
	*n = kind == OP_ARITH_CMPI ? COUNT(int_predicates) : COUNT(float_predicates);
	return kind == OP_ARITH_CMPI ? int_predicates : float_predicates;
}

void read_predicate(reader *r, pending *p)
{
	int n;
	const char *const *words = predicates(p->kind, &n);
	for (int i = 0; i < n; i++)
		if (read_accept_word(r, words[i])) {
			pend_known(r, N_predicate, attr_i64(r->ctx, i));
			return;
		}
	read_expected(r, p->kind == OP_ARITH_CMPI
	                     ? "eq, ne, slt, sle, sgt, sge, ult, ule, ugt or uge"
	                     : "a predicate of floats: false, oeq, ogt, …, une, uno or true");
}

void write_predicate(printer *p, const op *o)
{
	int n;
	const char *const *words = predicates(o->kind, &n);
	int64_t i = op_int(o, N_predicate, -1);
	put_z(p->w, i >= 0 && i < n ? words[i] : "?");
}

static bool compares_well(const op *o)
{
	int n;
	predicates(o->kind, &n);
	return op_int(o, N_predicate, -1) >= 0 && op_int(o, N_predicate, -1) < n;
}

/* ---- flags: fastmath<nnan, ninf>, overflow<nsw> ---------------------------------------------- */

static void read_arith_flags(reader *r, const char *word, int known)
{
	if (!tok_is(r, word))
		return;
	const char *from = r->tok_at;
	read_next(r);
	const char *end = r->tok == '<' ? angle_end(r, r->tok_at) : NULL;
	if (!end) {
		read_expected(r, "flags in angles");
		return;
	}
	tess_str text = {from, (size_t)(end + 1 - from)};
	text = str_of(arena_printf(r->mem, "#arith.%.*s", STR_ARG(text)));
	pend_known(r, known, written_attr(r, text, NULL));
	read_goto(r, end + 1);
}

/* Prints flags, unless they are the default, `none`. */
static void write_arith_flags(printer *p, const op *o, int known)
{
	const attr *a = op_attr(o, known);
	if (!a || a->kind != AT_OPAQUE || strstr(a->text->s, "<none>"))
		return;
	put_c(p->w, ' ');
	put_z(p->w, a->text->s + strlen("#arith."));
}

static bool flags_are_plain(const op *o, int known, const char *start)
{
	const attr *a = op_attr(o, known);
	return !a || (a->kind == AT_OPAQUE && str_starts(name_str(a->text), start));
}

static bool all_flags_are_plain(const op *o)
{
	return flags_are_plain(o, N_fastmath, "#arith.fastmath<") &&
	       flags_are_plain(o, N_overflowFlags, "#arith.overflow<");
}

void read_fastmath(reader *r, pending *p)
{
	UNUSED(p);
	read_arith_flags(r, "fastmath", N_fastmath);
}

void write_fastmath(printer *p, const op *o) { write_arith_flags(p, o, N_fastmath); }

void read_overflow(reader *r, pending *p)
{
	UNUSED(p);
	read_arith_flags(r, "overflow", N_overflowFlags);
}

void write_overflow(printer *p, const op *o) { write_arith_flags(p, o, N_overflowFlags); }

/* ---- shape.const_shape: [1, 2] of indices ------------------------------------------------------ */

void read_const_shape(reader *r, pending *p)
{
	UNUSED(p);
	int base = r->ints.len, n = read_int_list(r);
	int64_t *v = r->ints.ptr + base;
	bool splat = n > 0;
	for (int i = 1; i < n && !r->failed; i++)
		splat &= v[i] == v[0];
	const type *t = type_shaped(r->ctx, TY_TENSOR, type_scalar(r->ctx, DT_INDEX),
	                            (int64_t[]){n}, 1, NULL);
	if (!r->failed)
		pend_known(r, N_shape,
		           attr_dense(r->ctx, t, v, sizeof *v * (size_t)(splat ? 1 : n), splat));
	r->ints.len = base;
}

void write_const_shape(printer *p, const op *o)
{
	int n;
	const int64_t *v = op_ints(p->m, o, N_shape, &n);
	put_c(p->w, '[');
	for (int i = 0; i < n; i++)
		put_f(p->w, "%s%" PRId64, i ? ", " : "", v[i]);
	put_c(p->w, ']');
}

/* ---- call_indirect: %f(%a) : (T) -> T -------------------------------------------------- */

void read_call_indirect(reader *r, pending *p)
{
	read_operand(r, p);
	read_expect(r, '(');
	read_operands(r, p);
	read_expect(r, ')');
	if (r->tok == '{')
		read_attr_dict(r);
	place at = tok_place(r);
	const type *t = type_none(r->ctx);
	if (read_colon(r, p)) {
		at = tok_place(r);
		t = read_type(r);
	} else if (!r->failed) {
		p->untyped = false;
		t = r->type_stack.ptr[p->operand_types];
	}
	if (!r->failed && t->kind != TY_FUNCTION) {
		read_fail_at(r, at, E_OPERAND_TYPE, "expected the type of a function");
		return;
	}
	p->operand_types = r->type_stack.len;
	push_type(r, t);
	for (int i = 0; i < t->n_in; i++)
		push_type(r, t->in[i]);
	p->n_operand_types = t->n_in + 1;
	p->result_types = r->type_stack.len;
	for (int i = 0; i < t->n_out; i++)
		push_type(r, t->out[i]);
	p->n_results = t->n_out;
}

void write_call_indirect(printer *p, const op *o)
{
	static const int hidden[] = {0};
	put_c(p->w, ' ');
	write_operands(p, o, 0, 1);
	put_c(p->w, '(');
	write_operands(p, o, 1, o->n_operands - 1);
	put_c(p->w, ')');
	write_op_attrs(p, o, hidden, false);
	put_lit(p->w, " : ");
	write_type(p, operand(o, 0)->type);
}

static bool calls_well(const op *o)
{
	const type *t = o->n_operands ? operand(o, 0)->type : NULL;
	if (!t || t->kind != TY_FUNCTION || t->n_in != o->n_operands - 1 ||
	    t->n_out != o->n_results)
		return false;
	for (int i = 0; i < t->n_in; i++)
		if (operand(o, i + 1)->type != t->in[i])
			return false;
	for (int i = 0; i < t->n_out; i++)
		if (o->results[i].type != t->out[i])
			return false;
	return true;
}

/* ---- scf: what the form cannot express ------------------------------------------------------ */

static bool carries(const op *o, int from)
{
	const block *b = op_body(o);
	int n = o->n_operands - from;
	if (!b || b->n_args != n + (from ? 1 : 0))
		return false;
	for (int i = 0; i < n; i++)
		if (b->args[i + (from ? 1 : 0)]->type != operand(o, from + i)->type)
			return false;
	return true;
}

static bool for_is_faithful(const op *o)
{
	if (o->n_operands < 3 || !carries(o, 3) || o->n_results != o->n_operands - 3)
		return false;
	for (int i = 0; i < 3; i++)
		if (operand(o, i)->type != op_body(o)->args[0]->type)
			return false;
	for (int i = 0; i < o->n_results; i++)
		if (result(o, i)->type != operand(o, i + 3)->type)
			return false;
	return true;
}

/* True if the region has one block without arguments, or, if may_lack, no block. */
static bool plain_body(const op *o, int region, bool may_lack)
{
	const block *b = op_block(o, region);
	return b ? !b->n_args && !b->next : may_lack;
}

/* True if a terminator that is not printed has nothing to say. */
static bool ends_plainly(const op *o, op_kind kind)
{
	for (int r = 0; r < op_n_regions(o); r++) {
		const block *b = op_block(o, r);
		if (b && (!b->last || b->last->kind != (int)kind ||
		          (!o->n_results && (b->last->n_operands || b->last->attrs.n))))
			return false;
	}
	return true;
}

static bool loops_well(tess_ctx *ctx, const op *o)
{
	switch (o->kind) {
	case OP_SCF_FOR:
		return op_n_regions(o) == 1 && for_is_faithful(o) && ends_plainly(o, OP_SCF_YIELD);
	case OP_SCF_IF:
		return op_n_regions(o) == 2 && o->n_operands == 1 &&
		       operand(o, 0)->type == type_scalar(ctx, DT_I1) && plain_body(o, 0, false) &&
		       plain_body(o, 1, true) && ends_plainly(o, OP_SCF_YIELD);
	case OP_SHAPE_ASSUMING:
		return op_n_regions(o) == 1 && o->n_operands == 1 &&
		       operand(o, 0)->type == form_witness_type(ctx) && plain_body(o, 0, false) &&
		       ends_plainly(o, OP_SHAPE_ASSUMING_YIELD);
	case OP_SCF_CONDITION:
		return o->n_operands && operand(o, 0)->type == type_scalar(ctx, DT_I1);
	case OP_SCF_WHILE: return op_n_regions(o) == 2 && carries(o, 0) && op_block(o, 1);
	default: return true;
	}
}

bool form_borrowed_is_faithful(const module *m, const op *o)
{
	int n;
	const attr *a;
	switch (o->kind) {
	case OP_ARITH_CMPI:
	case OP_ARITH_CMPF:
		if (!compares_well(o))
			return false;
		break;
	case OP_SHAPE_CONST_SHAPE:
		a = op_attr(o, N_shape);
		return a && a->kind == AT_DENSE && attr_ints(m->ctx, a, &n) &&
		       a->type->dtype == DT_INDEX && a->type->rank == 1;
	case OP_CALL_INDIRECT: return calls_well(o);
	case OP_CF_ASSERT:
		a = op_attr(o, N_msg);
		return a && a->kind == AT_STRING && o->n_operands == 1 &&
		       operand(o, 0)->type == type_scalar(m->ctx, DT_I1);
	default: break;
	}
	return all_flags_are_plain(o) && form_branches_well(m, o) && loops_well(m->ctx, o);
}
