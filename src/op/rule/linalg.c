/* linalg.c - rules of decompositions, solvers, transforms, normalization and random bits: mostly
 * batch dimensions that pass, and others that must be whole. */
#include "op/rule/rule.h"

bool rule_batch_norm_inference(rule_maker *r)
{
	if (!rule_has_shapes(r, 5, 1))
		return false;
	int64_t feature = op_int(r->o, N_feature_index, -1);
	const type *in = rule_operand_type(r, 0);
	for (int d = 0; d < in->rank; d++) {
		int f = rule_factor(r, in->dims[d], PASS);
		rule_map_operand(r, 0, d, f);
		for (int i = 1; i < 5; i++) /* scale, offset, mean, variance */
			rule_map_operand(r, i, d == feature ? 0 : NO_DIM, f);
		rule_map_result(r, 0, d, f);
	}
	return true;
}

bool rule_cholesky(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	const type *in = rule_operand_type(r, 0);
	for (int d = 0; d < in->rank; d++)
		rule_tie_all(r, d < in->rank - 2 ? PASS : REPLICATE, in->dims[d], d);
	return true;
}

/* RFFT and IRFFT change the size of the last dimension. */
bool rule_fft(rule_maker *r)
{
	int n;
	op_ints(r->m, r->o, N_fft_length, &n);
	if (n < 0 || !rule_has_shapes(r, 1, 1))
		return false;
	const type *in = rule_operand_type(r, 0), *out = rule_result_type(r, 0);
	if (in->rank != out->rank)
		return false;
	for (int d = 0; d < in->rank; d++) {
		int kind = d < in->rank - n ? PASS : REPLICATE;
		if (kind == REPLICATE && in->dims[d] != out->dims[d])
			kind |= BLOCKED;
		rule_tie_all(r, kind, in->dims[d], d);
	}
	return true;
}

/* state -> (state, bits).  The state is whole on every device. */
bool rule_rng_bit_generator(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 2))
		return false;
	const type *state = rule_operand_type(r, 0), *bits = rule_result_type(r, 1);
	for (int d = 0; d < state->rank; d++)
		rule_tie(r, REPLICATE | BLOCKED, d, NO_DIM, d);
	for (int d = 0; d < bits->rank; d++)
		rule_map_result(r, 1, d, rule_factor(r, bits->dims[d], PASS));
	return true;
}

static bool is_transposed(const op *o)
{
	const char *word = enum_word(op_attr(o, N_transpose_a));
	return !strcmp(word, "TRANSPOSE") || !strcmp(word, "ADJOINT");
}

/* Solves op(a) x = b, or x op(a) = b. One dimension of `a` corresponds to one of b, the other to
 * one of the result; the free dimension of b is that of the result. Shardy keeps the free dimension
 * whole, too, although each of its elements is a system of its own. */
bool rule_triangular_solve(rule_maker *r)
{
	int free = r->beyond_shardy ? PASS : REPLICATE;
	if (!rule_has_shapes(r, 2, 1))
		return false;
	const type *a = rule_operand_type(r, 0), *b = rule_operand_type(r, 1);
	if (a->rank < 2 || a->rank != b->rank || a->rank != rule_result_type(r, 0)->rank)
		return false;
	int rows = a->rank - 2, columns = a->rank - 1;
	bool left = op_bool(r->o, N_left_side);
	bool along_columns = is_transposed(r->o) == left; /* for `a`, with respect to b */
	int64_t a_with_b = along_columns ? columns : rows,
		a_with_out = along_columns ? rows : columns;

	rule_tie_leading(r, a, a->rank - 2);
	if (left) {
		rule_tie(r, REPLICATE, a_with_b, rows, NO_DIM);
		rule_tie(r, free, NO_DIM, columns, columns);
		rule_tie(r, REPLICATE, a_with_out, NO_DIM, rows);
	} else {
		rule_tie(r, free, NO_DIM, rows, rows);
		rule_tie(r, REPLICATE, a_with_b, columns, NO_DIM);
		rule_tie(r, REPLICATE, a_with_out, NO_DIM, columns);
	}
	return true;
}
