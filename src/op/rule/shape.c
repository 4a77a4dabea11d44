/* shape.c - rules of ops that only rename dimensions: reshape, transpose, broadcast_in_dim,
 * bitcast_convert. */
#include "op/rule/rule.h"

/* The side with smaller elements has one more dimension, the innermost: it contains the parts of
 * one element of the other side and cannot be split. */
bool rule_bitcast_convert(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	const type *in = rule_operand_type(r, 0), *out = rule_result_type(r, 0);
	rule_tie_leading(r, in->rank < out->rank ? in : out,
	                 in->rank < out->rank ? in->rank : out->rank);
	if (in->rank < out->rank)
		rule_tie(r, REPLICATE, NO_DIM, NO_DIM, out->rank - 1);
	else if (in->rank > out->rank)
		rule_tie(r, REPLICATE, in->rank - 1, NO_DIM, NO_DIM);
	return true;
}

/* The input dimension that becomes `out_dim`, or NO_DIM. */
static int64_t broadcast_source(const int64_t *dims, int n, int64_t out_dim)
{
	for (int i = 0; i < n; i++)
		if (dims[i] == out_dim)
			return i;
	return NO_DIM;
}

/* A dimension of size 1 that is repeated is unrelated to the one that it becomes. */
bool rule_broadcast_in_dim(rule_maker *r)
{
	int n;
	const int64_t *dims = op_ints(r->m, r->o, N_broadcast_dimensions, &n);
	if (!rule_has_shapes(r, 1, 1) || n != rule_operand_type(r, 0)->rank)
		return false;
	const type *in = rule_operand_type(r, 0), *out = rule_result_type(r, 0);
	for (int d = 0; d < out->rank; d++) {
		int64_t from = broadcast_source(dims, n, d);
		if (from != NO_DIM && in->dims[from] == 1 && out->dims[d] != 1) {
			rule_tie(r, PASS, from, NO_DIM, NO_DIM);
			from = NO_DIM;
		}
		rule_tie_size(r, PASS, out->dims[d], from, NO_DIM, d);
	}
	return true;
}

bool rule_transpose(rule_maker *r)
{
	int n;
	const int64_t *perm = op_ints(r->m, r->o, N_permutation, &n);
	if (!rule_has_shapes(r, 1, 1) || n != rule_operand_type(r, 0)->rank ||
	    n != rule_result_type(r, 0)->rank)
		return false;
	for (int d = 0; d < n; d++) {
		if (perm[d] < 0 || perm[d] >= n)
			return false;
		rule_tie(r, PASS, perm[d], NO_DIM, d);
	}
	return true;
}

/* ---- reshape --------------------------------------------------------------------- */

/* One side of a reshape, walked from the major dimension. `dims_product` is the product of the
 * dimensions visited so far, including the current one, and `done` that of the factors made from
 * them. */
typedef struct reshape_side {
	const type *type;
	int dim;
	int64_t dims_product, done;
} reshape_side;

static bool reshape_more(const reshape_side *s) { return s->dim < s->type->rank; }

/* Enters the current dimension if those before it are used up. */
static void reshape_enter(reshape_side *s)
{
	if (reshape_more(s) && s->dims_product == s->done)
		s->dims_product *= s->type->dims[s->dim];
}

static void reshape_leave(reshape_side *s)
{
	if (reshape_more(s) && s->dims_product == s->done)
		s->dim++;
}

static void reshape_factor(rule_maker *r, reshape_side *in, reshape_side *out, int64_t size)
{
	rule_tie_size(r, PASS, size, in ? in->dim : NO_DIM, NO_DIM, out ? out->dim : NO_DIM);
	if (in)
		in->done *= size;
	if (out)
		out->done *= size;
}

/* The next factor of the side that is behind: the one that makes both products equal again if
 * possible, else one that leaves the common divisor for later. */
static int64_t reshape_catch_up(int64_t next, int64_t common, int64_t behind, int64_t ahead)
{
	if (ahead % behind == 0 && next % (ahead / behind) == 0)
		return ahead / behind;
	return next > common ? next / common : next;
}

static void reshape_step(rule_maker *r, reshape_side *in, reshape_side *out)
{
	int64_t next_in = in->dims_product / in->done, next_out = out->dims_product / out->done;
	int64_t common = gcd_i64(next_in, next_out);

	if (in->done < out->done) {
		reshape_factor(r, in, NULL,
		               reshape_catch_up(next_in, common, in->done, out->done));
	} else if (in->done > out->done) {
		reshape_factor(r, NULL, out,
		               reshape_catch_up(next_out, common, out->done, in->done));
	} else if (common > 1) {
		reshape_factor(r, in, out, common);
	} else {
		reshape_factor(r, in, NULL, next_in);
		reshape_factor(r, NULL, out, next_out);
	}
}

/* Walks both shapes at once. While the products of factors are equal, the common divisor of what is
 * left of the two current dimensions is a shared factor. If there is none, each side adds private
 * factors until the products are equal again. Dimensions of size 1 are private. In a reshape
 * without elements no dimension follows another.
 *
 * Example: [4, 6] -> [8, 3] is ([i, jk]) -> ([ij, k]) with i=4, j=2, k=3. */
bool rule_reshape(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	reshape_side in = {rule_operand_type(r, 0), 0, 1, 1};
	reshape_side out = {rule_result_type(r, 0), 0, 1, 1};
	if (in.type->n_elems <= 0 || in.type->n_elems != out.type->n_elems)
		return false;

	while (reshape_more(&in) || reshape_more(&out)) {
		if (reshape_more(&in) && in.type->dims[in.dim] == 1) {
			rule_tie(r, PASS, in.dim++, NO_DIM, NO_DIM);
			continue;
		}
		if (reshape_more(&out) && out.type->dims[out.dim] == 1) {
			rule_tie(r, PASS, NO_DIM, NO_DIM, out.dim++);
			continue;
		}
		reshape_enter(&in);
		reshape_enter(&out);
		reshape_step(r, &in, &out);
		reshape_leave(&in);
		reshape_leave(&out);
	}
	return true;
}
