/* misc.c - constraints of random numbers, solvers, normalization, tokens. */
#include "op/verify/verify.h"

bool check_rng(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = operand(o, 1)->type, *r = o->results[0].type;
	const char *kind = enum_word(op_attr(o, N_rng_distribution));
	for (int i = 0; i < 2; i++)
		if (operand(o, i)->type->rank)
			return broken(m, o, "I1, I2", "has a parameter %s, expected a scalar",
			              type_words(m, operand(o, i)->type));
	if (!elems_agree(a, b) || !elems_agree(a, r))
		return broken(m, o, "C1", "draws %s from %s and %s, expected the same elements",
		              type_words(m, r), type_words(m, a), type_words(m, b));
	if (!strcmp(kind, "NORMAL") && !dtype_is_float(a->dtype))
		return broken_at(m, o, PART(N_rng_distribution), "C2",
		                 "draws normal numbers of %s, expected floats", type_words(m, a));
	const type *s = operand(o, 2)->type;
	if (!dims_agree(s->dims[0], r->rank))
		return broken(m, o, "C3",
		              "has a shape of %" PRId64 " numbers for a result of rank %d",
		              s->dims[0], r->rank);
	const op *def = value_def_of(operand(o, 2), OP_CONSTANT);
	int n;
	const int64_t *dims = def ? attr_ints(m->ctx, op_attr(def, N_value), &n) : NULL;
	for (int i = 0; dims && i < n && i < r->rank; i++)
		if (!dims_agree(dims[i], r->dims[i]))
			return broken(m, o, "C3", "has a result %s for the shape %s",
			              type_words(m, r), dims_words(m, dims, n));
	return true;
}

bool check_rng_bit_generator(module *m, const op *o)
{
	const type *in = operand(o, 0)->type, *state = o->results[0].type;
	const char *kind = enum_word(op_attr(o, N_rng_algorithm));
	if (!types_agree(in, state))
		return broken(m, o, "C1", "turns a state %s into %s, expected the same type",
		              type_words(m, in), type_words(m, state));
	if (in->rank != 1 || dim_dynamic(in->dims[0]) || !strcmp(kind, "DEFAULT"))
		return true;
	int64_t words = in->dims[0] * dtype_bits(in->dtype) / 64;
	bool fits = !strcmp(kind, "THREE_FRY") ? words == 2 : words == 2 || words == 3;
	return fits || broken_at(m, o, PART(N_rng_algorithm), "C2",
	                         "has a state of %s for %s, expected %s", type_words(m, in), kind,
	                         !strcmp(kind, "THREE_FRY") ? "2 words of 64 bits"
	                                                    : "2 or 3 words of 64 bits");
}

/* Checks that the last two dimensions are equal. */
static bool square(module *m, const op *o, const char *rule, const type *t)
{
	if (t->rank < 2)
		return broken(m, o, rule, "has a matrix %s, expected at least rank 2",
		              type_words(m, t));
	return dims_agree(t->dims[t->rank - 1], t->dims[t->rank - 2]) ||
	       broken(m, o, rule, "has a matrix %s that is not square", type_words(m, t));
}

bool check_cholesky(module *m, const op *o)
{
	return square(m, o, "C2, C3", operand(o, 0)->type);
}

bool check_triangular_solve(module *m, const op *o)
{
	const type *a = operand(o, 0)->type, *b = operand(o, 1)->type;
	if (!elems_agree(a, b))
		return broken(m, o, "C1", "solves %s with %s, expected the same elements",
		              type_words(m, b), type_words(m, a));
	if (!strcmp(enum_word(op_attr(o, N_transpose_a)), "TRANSPOSE_INVALID"))
		return bad_attr(m, o, N_transpose_a, "must say whether to transpose");
	if (!square(m, o, "C2", a))
		return false;
	if (a->rank != b->rank)
		return broken(m, o, "C2", "solves rank %d with rank %d, expected the same rank",
		              b->rank, a->rank);
	int n = a->rank;
	int side = op_bool(o, N_left_side) ? n - 2 : n - 1;
	if (!dims_agree(a->dims[n - 1], b->dims[side]))
		return broken(m, o, "C3", "solves %s with %s, which do not fit together",
		              type_words(m, b), type_words(m, a));
	for (int i = 0; i < n - 2; i++)
		if (!dims_agree(a->dims[i], b->dims[i]))
			return broken(m, o, "C3",
			              "has batches of size %" PRId64 " and %" PRId64
			              ", expected the same",
			              a->dims[i], b->dims[i]);
	return true;
}

/* Every operand of rank 1 must have the size of the feature dimension. */
bool check_batch_norm(module *m, const op *o)
{
	const type *t = operand(o, 0)->type;
	int64_t f;
	if (!want_int(m, o, N_feature_index, t->rank, &f))
		return false;
	bool grad = o->kind == OP_BATCH_NORM_GRAD;
	for (int i = 1; i < o->n_operands; i++) {
		const type *u = operand(o, i)->type;
		if (!elems_agree(t, u))
			return broken(m, o, "C2",
			              "has operands %s and %s, expected the same elements",
			              type_words(m, t), type_words(m, u));
		if (grad && i == 4) {
			if (!shapes_agree(t, u))
				return broken(m, o, "C3",
				              "has an output gradient %s for an operand %s",
				              type_words(m, u), type_words(m, t));
			continue;
		}
		if (u->rank != 1)
			return broken(m, o, "", "has an operand %d of rank %d, expected 1", i,
			              u->rank);
		if (!dims_agree(u->dims[0], t->dims[f]))
			return broken(m, o, "C3",
			              "has an operand %d of size %" PRId64 " for %" PRId64
			              " features",
			              i, u->dims[0], t->dims[f]);
	}
	return true;
}

static bool ends_in_token(module *m, const op *o)
{
	if (o->results[o->n_results - 1].type->kind == TY_TOKEN)
		return true;
	return broken(m, o, "C1", "must give a token as its last result");
}

/* Layouts, if there are any, are one list of dimensions for each result except the token. */
bool check_infeed(module *m, const op *o)
{
	const attr *l = op_attr(o, N_layout);
	if (!ends_in_token(m, o))
		return false;
	if (!l)
		return true;
	if (l->kind != AT_ARRAY)
		return bad_attr(m, o, N_layout, "must be a list of layouts");
	if (l->n != o->n_results - 1)
		return bad_attr(m, o, N_layout, "has %d layouts for %d results", l->n,
		                o->n_results - 1);
	for (int i = 0; i < l->n; i++) {
		const attr *a = l->list[i];
		if (a->kind != AT_ARRAY)
			return bad_part(m, o, PART(N_layout, ITEM(i)),
			                "must hold lists of dimensions");
		for (int k = 0; k < a->n; k++)
			if (a->list[k]->kind != AT_INT)
				return bad_part(m, o, PART(N_layout, ITEM(i), ITEM(k)),
				                "must hold integers");
	}
	return true;
}
