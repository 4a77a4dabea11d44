/* branch.c - control flow of other dialects: branches between blocks, scf's loops, functions as
 * values. */
#include "op/verify/verify.h"

/* ---- cf ------------------------------------------------------------------------------- */

/* Checks that `n` operands, from number `from` on, fit the arguments of a block. */
static bool fits_block(module *m, const op *o, const block *to, int64_t from, int64_t n)
{
	if (to->n_args != n)
		return broken(m, o, "", "passes %" PRId64 " values to a block of %d arguments", n,
		              to->n_args);
	for (int i = 0; i < n; i++)
		if (operand(o, (int)from + i)->type != to->args[i]->type)
			return broken(m, o, "", "passes %s to a block whose argument %d is %s",
			              type_words(m, operand(o, (int)from + i)->type), i,
			              type_words(m, to->args[i]->type));
	return true;
}

/* The segment sizes, whose sum must be `total` operands. */
static const int64_t *want_segments(module *m, const op *o, int known, int n, int64_t total)
{
	const int64_t *v = want_n_ints(m, o, known, n);
	for (int i = 0; v && i < n; i++) {
		if (v[i] < 0 || v[i] > total) {
			bad_part(m, o, PART(known, ITEM(i)), "does not add up to the operands");
			return NULL;
		}
		total -= v[i];
	}
	if (v && total)
		bad_attr(m, o, known, "does not add up to the operands");
	return v && !total ? v : NULL;
}

static bool want_successors(module *m, const op *o, int have, int want)
{
	return have == want ||
	       diag_error(m->ctx, op_place(m, o), E_OPERANDS,
	                  "'%s' op has %d successors, expected %d", op_name(o), have, want);
}

bool check_branch(module *m, const op *o)
{
	int n, n_cases = 0;
	block *const *to = op_successors(o, &n);
	if (o->kind == OP_CF_BR)
		return want_successors(m, o, n, 1) && fits_block(m, o, to[0], 0, o->n_operands);
	const int64_t *segments = want_segments(m, o, N_operandSegmentSizes, 3, o->n_operands);
	if (!segments)
		return false;
	if (segments[0] != 1)
		return bad_attr(m, o, N_operandSegmentSizes, "must start with 1");
	const type *flag = operand(o, 0)->type;
	if (o->kind == OP_CF_COND_BR) {
		if (flag->dtype != DT_I1 || flag->kind != TY_SCALAR)
			return broken(m, o, "", "has a condition %s, expected i1",
			              type_words(m, flag));
		return want_successors(m, o, n, 2) && fits_block(m, o, to[0], 1, segments[1]) &&
		       fits_block(m, o, to[1], 1 + segments[1], segments[2]);
	}
	const attr *cases = op_attr(o, N_case_values);
	if (cases && (!attr_ints(m->ctx, cases, &n_cases) || cases->type->elem != flag))
		return bad_attr(m, o, N_case_values, "must be numbers of the flag's type");
	const int64_t *counts =
	    want_segments(m, o, N_case_operand_segments, n_cases, segments[2]);
	if (!counts && n_cases)
		return false;
	if (!want_successors(m, o, n, n_cases + 1) || !fits_block(m, o, to[0], 1, segments[1]))
		return false;
	int64_t at = 1 + segments[1];
	for (int i = 0; i < n_cases; at += counts[i++])
		if (!fits_block(m, o, to[i + 1], at, counts[i]))
			return false;
	return true;
}

/* ---- scf -------------------------------------------------------------------------------- */

static bool ends_with(module *m, const op *o, int region, op_kind kind, int from, int n,
                      const type *(*want)(const op *, int))
{
	const op *end = block_terminator(op_block(o, region));
	if (!end || end->kind != (int)kind)
		return bad_region(m, o, "has a region %d that must end in %s", region,
		                  op_kind_name(kind));
	if (end->n_operands - from != n)
		return bad_region(m, o, "has a region %d that gives %d values, expected %d", region,
		                  end->n_operands - from, n);
	for (int i = 0; i < n; i++)
		if (operand(end, from + i)->type != want(o, i))
			return bad_region(m, o, "has a region %d that gives %s as value %d, "
			                  "expected %s", region,
			                  type_words(m, operand(end, from + i)->type), i,
			                  type_words(m, want(o, i)));
	return true;
}

static const type *type_of_result(const op *o, int i) { return o->results[i].type; }
static const type *type_of_operand(const op *o, int i) { return operand(o, i)->type; }

bool check_scf_for(module *m, const op *o)
{
	const block *b = op_body(o);
	int n = o->n_operands - 3;
	if (b->n_args != n + 1 || o->n_results != n)
		return bad_region(m, o, "has %d arguments and %d results, expected %d and %d",
		                  b->n_args, o->n_results, n + 1, n);
	for (int i = 0; i < 3; i++)
		if (operand(o, i)->type != b->args[0]->type)
			return broken(m, o, "", "counts with %s from %s",
			              type_words(m, b->args[0]->type),
			              type_words(m, operand(o, i)->type));
	for (int i = 0; i < n; i++)
		if (operand(o, i + 3)->type != b->args[i + 1]->type ||
		    o->results[i].type != b->args[i + 1]->type)
			return broken(m, o, "", "passes %s as value %d to %s, and gives %s",
			              type_words(m, operand(o, i + 3)->type), i,
			              type_words(m, b->args[i + 1]->type),
			              type_words(m, o->results[i].type));
	return ends_with(m, o, 0, OP_SCF_YIELD, 0, n, type_of_result);
}

bool check_scf_while(module *m, const op *o)
{
	const block *before = op_block(o, 0), *after = op_block(o, 1);
	if (before->n_args != o->n_operands || after->n_args != o->n_results)
		return bad_region(m, o, "has regions of %d and %d arguments, expected %d and %d",
		                  before->n_args, after->n_args, o->n_operands, o->n_results);
	for (int i = 0; i < before->n_args; i++)
		if (before->args[i]->type != operand(o, i)->type)
			return bad_region(m, o, "has a region 0 whose argument %d is %s", i,
			                  type_words(m, before->args[i]->type));
	for (int i = 0; i < after->n_args; i++)
		if (after->args[i]->type != o->results[i].type)
			return bad_region(m, o, "has a region 1 whose argument %d is %s", i,
			                  type_words(m, after->args[i]->type));
	return ends_with(m, o, 0, OP_SCF_CONDITION, 1, o->n_results, type_of_result) &&
	       ends_with(m, o, 1, OP_SCF_YIELD, 0, o->n_operands, type_of_operand);
}

/* ---- functions as values -------------------------------------------------------------------- */

bool check_call_indirect(module *m, const op *o)
{
	const type *t = operand(o, 0)->type;
	if (t->kind != TY_FUNCTION)
		return broken(m, o, "", "calls a %s, expected a function", type_words(m, t));
	if (o->n_operands - 1 != t->n_in || o->n_results != t->n_out)
		return broken(m, o, "",
		              "passes %d values and takes %d, but the function has %d and %d",
		              o->n_operands - 1, o->n_results, t->n_in, t->n_out);
	for (int i = 0; i < t->n_in; i++)
		if (operand(o, i + 1)->type != t->in[i])
			return broken(m, o, "", "passes %s as argument %d, which is %s",
			              type_words(m, operand(o, i + 1)->type), i,
			              type_words(m, t->in[i]));
	for (int i = 0; i < t->n_out; i++)
		if (o->results[i].type != t->out[i])
			return broken(m, o, "", "takes %s as result %d, which is %s",
			              type_words(m, o->results[i].type), i,
			              type_words(m, t->out[i]));
	return true;
}
