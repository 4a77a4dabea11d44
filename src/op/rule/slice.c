/* slice.c - rules of ops that slice, pad, concatenate and reverse. */
#include "op/rule/rule.h"

/* If bounds are constant, it is known which elements have to be sent where. */
static int boundary_kind(const rule_maker *r)
{
	return r->conservative ? PERMUTE | BLOCKED : PERMUTE;
}

static bool rule_resize(rule_maker *r, int kind)
{
	return rule_has_shapes(r, 1, 1) &&
	       rule_tie_equal(r, rule_operand_type(r, 0), rule_result_type(r, 0), kind);
}

bool rule_slice(rule_maker *r) { return rule_resize(r, boundary_kind(r)); }
bool rule_pad(rule_maker *r) { return rule_resize(r, boundary_kind(r)); }

/* Bounds that are only known at run time could be on any device. */
bool rule_dynamic_slice(rule_maker *r) { return rule_resize(r, REPLICATE | BLOCKED); }

static bool is_constant(const value *v) { return value_def(v) && op_has(value_def(v), CONSTANT); }

static bool start_indices_are_constant(const op *o)
{
	for (int i = 2; i < o->n_operands; i++)
		if (!is_constant(operand(o, i)))
			return false;
	return true;
}

/* Each device writes the part of the update that falls into its shard. So operand and result may be
 * split where they are updated; the update may not, unless it is known where it goes. */
bool rule_dynamic_update_slice(rule_maker *r)
{
	if (!rule_has_shapes(r, 2, 1))
		return false;
	const type *in = rule_operand_type(r, 0), *update = rule_operand_type(r, 1);
	if (in->rank != update->rank || in->rank != rule_result_type(r, 0)->rank)
		return false;
	int update_kind = start_indices_are_constant(r->o) ? PASS : REPLICATE;
	for (int d = 0; d < in->rank; d++) {
		if (in->dims[d] == update->dims[d]) {
			rule_tie_all(r, PASS, in->dims[d], d);
		} else {
			rule_tie(r, PASS, d, NO_DIM, d);
			rule_tie(r, update_kind, NO_DIM, d, NO_DIM);
		}
	}
	return true;
}

/* ---- concatenate -------------------------------------------------------------------- */

static const value *before_slice(const value *v)
{
	return value_def_of(v, OP_SLICE) ? operand(value_def(v), 0) : v;
}

/* Concatenating slices moves pieces between neighbors: concat(slice(a), slice(b)), and
 * concat(slice(x), x, slice(x)), which wraps x around. Any other operand has to be gathered. */
static int concatenate_kind(const op *o)
{
	bool all_slices = true, any_slice = false, same_tensor = true;
	const value *first = before_slice(operand(o, 0));
	for (int i = 0; i < o->n_operands; i++) {
		bool slice = value_def_of(operand(o, i), OP_SLICE);
		all_slices &= slice;
		any_slice |= slice;
		same_tensor &= before_slice(operand(o, i)) == first;
	}
	return all_slices || (same_tensor && any_slice) ? PERMUTE : REPLICATE;
}

bool rule_concatenate(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	const type *out = rule_result_type(r, 0);
	int64_t dim = op_int(r->o, N_dimension, -1);
	for (int d = 0; d < out->rank; d++) {
		if (d != dim)
			rule_tie_all(r, PASS, out->dims[d], d);
		else if (!r->conservative)
			rule_tie_all(r, concatenate_kind(r->o), out->dims[d], d);
	}
	return true;
}

bool rule_reverse(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	int n;
	const int64_t *dims = op_ints(r->m, r->o, N_dimensions, &n);
	const type *out = rule_result_type(r, 0);
	for (int d = 0; d < out->rank; d++)
		rule_tie_all(r, rule_lists(dims, n, d) ? PERMUTE : PASS, out->dims[d], d);
	return true;
}
