/* maker.c - builds rules: adds factors and maps dimensions to them. */
#include "op/rule/rule.h"

/* Most lists of factors are one factor or a run of consecutive ones: they point into this table. */
enum { N_NUMBERS = 64 };
static const int numbers[N_NUMBERS] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* Dimension i with the one factor i. */
enum { N_PLAIN_DIMS = 12 };
#define PLAIN_DIM(i) {1, &numbers[i]}
static const dim_factors plain_dims[N_PLAIN_DIMS] = {
    PLAIN_DIM(0), PLAIN_DIM(1), PLAIN_DIM(2), PLAIN_DIM(3), PLAIN_DIM(4),  PLAIN_DIM(5),
    PLAIN_DIM(6), PLAIN_DIM(7), PLAIN_DIM(8), PLAIN_DIM(9), PLAIN_DIM(10), PLAIN_DIM(11)};

/* Appends to a list that may not be written to, because it may point into numbers[]. */
static void append_factor(arena *mem, const int **list, int *n, int factor)
{
	int first = *n ? (*list)[0] : factor;
	bool shared = !*n || (first < N_NUMBERS && *list == &numbers[first]);
	if (shared && factor == first + *n && factor < N_NUMBERS) {
		*list = &numbers[first];
	} else {
		int *copy = arena_alloc(mem, sizeof *copy * (size_t)(*n + 1));
		if (*n)
			memcpy(copy, *list, sizeof *copy * (size_t)*n);
		copy[*n] = factor;
		*list = copy;
	}
	(*n)++;
}

static void append_to_set(arena *mem, factor_set *s, int factor)
{
	append_factor(mem, &s->factors, &s->n, factor);
}

const type *rule_operand_type(const rule_maker *r, int i) { return operand(r->o, i)->type; }
const type *rule_result_type(const rule_maker *r, int i) { return result(r->o, i)->type; }

bool rule_has_shapes(const rule_maker *r, int n_operands, int n_results)
{
	if (r->o->n_operands < n_operands || r->o->n_results < n_results)
		return false;
	for (int i = 0; i < n_operands; i++)
		if (!type_is_tensor(rule_operand_type(r, i)))
			return false;
	for (int i = 0; i < n_results; i++)
		if (!type_is_tensor(rule_result_type(r, i)))
			return false;
	return true;
}

/* ---- factors ----------------------------------------------------------------- */

int rule_factor(rule_maker *r, int64_t size, int kind)
{
	int factor = r->sizes.len;
	vec_push(r->mem, &r->sizes, size);
	if (kind & BLOCKED)
		append_to_set(r->mem, &r->rule->blocked, factor);
	switch (kind & ~BLOCKED) {
	case REDUCE:
		append_to_set(r->mem, &r->rule->reduction, factor);
		break;
	case REPLICATE:
		append_to_set(r->mem, &r->rule->need_replication, factor);
		break;
	case PERMUTE:
		append_to_set(r->mem, &r->rule->permutation, factor);
		break;
	}
	return factor;
}

/* Allocates the factors of every dimension when the first one is mapped; rules that plain_dims
 * describe do not need it. */
static void make_dims(rule_maker *r)
{
	int n = r->rule->n_operands + r->rule->n_results, n_dims = 0;
	for (int t = 0; t < n; t++)
		n_dims += r->tensors[t].rank;
	dim_factors *at = NEW_N(r->mem, dim_factors, n_dims);
	r->dims = arena_alloc(r->mem, sizeof *r->dims * (size_t)n);
	for (int t = 0; t < n; t++) {
		r->tensors[t].dims = r->dims[t] = at;
		at += r->tensors[t].rank;
	}
	vec_reserve(r->mem, &r->sizes, n_dims);
}

void rule_map_tensor(rule_maker *r, int tensor, int64_t dim, int factor)
{
	if (dim < 0 || dim >= r->tensors[tensor].rank)
		return;
	if (!r->dims)
		make_dims(r);
	dim_factors *d = &r->dims[tensor][dim];
	if (d->n && r->sizes.ptr[factor] == 1)
		return;
	append_factor(r->mem, &d->factors, &d->n, factor);
}

void rule_map_operand(rule_maker *r, int operand, int64_t dim, int factor)
{
	rule_map_tensor(r, operand, dim, factor);
}

void rule_map_result(rule_maker *r, int result, int64_t dim, int factor)
{
	rule_map_tensor(r, r->rule->n_operands + result, dim, factor);
}

void rule_tie_size(rule_maker *r, int kind, int64_t size, int64_t lhs, int64_t rhs, int64_t out)
{
	int f = rule_factor(r, size, kind);
	if (lhs != NO_DIM)
		rule_map_operand(r, 0, lhs, f);
	if (rhs != NO_DIM)
		rule_map_operand(r, 1, rhs, f);
	if (out != NO_DIM)
		rule_map_result(r, 0, out, f);
}

void rule_tie(rule_maker *r, int kind, int64_t lhs, int64_t rhs, int64_t out)
{
	int64_t size = lhs != NO_DIM   ? rule_operand_type(r, 0)->dims[lhs]
	               : rhs != NO_DIM ? rule_operand_type(r, 1)->dims[rhs]
	                               : rule_result_type(r, 0)->dims[out];
	rule_tie_size(r, kind, size, lhs, rhs, out);
}

static void map_range(rule_maker *r, int from, int to, int64_t dim, int factor)
{
	for (int t = from; t < to; t++)
		rule_map_tensor(r, t, dim, factor);
}

void rule_tie_operands(rule_maker *r, int kind, int64_t size, int64_t dim)
{
	map_range(r, 0, r->rule->n_operands, dim, rule_factor(r, size, kind));
}

void rule_tie_results(rule_maker *r, int kind, int64_t size, int64_t dim)
{
	int n = r->rule->n_operands;
	map_range(r, n, n + r->rule->n_results, dim, rule_factor(r, size, kind));
}

void rule_tie_all(rule_maker *r, int kind, int64_t size, int64_t dim)
{
	map_range(r, 0, r->rule->n_operands + r->rule->n_results, dim,
	          rule_factor(r, size, kind));
}

void rule_tie_leading(rule_maker *r, const type *shape, int n)
{
	for (int d = 0; d < n; d++)
		rule_tie_all(r, PASS, shape->dims[d], d);
}

bool rule_tie_equal(rule_maker *r, const type *in, const type *out, int kind)
{
	if (in->rank != out->rank)
		return false;
	for (int d = 0; d < in->rank; d++)
		rule_tie_all(r, in->dims[d] == out->dims[d] ? PASS : kind, in->dims[d], d);
	return true;
}

bool rule_pointwise(rule_maker *r, const type *shape)
{
	int n = r->rule->n_operands + r->rule->n_results;
	if (!type_is_tensor(shape))
		return false;
	for (int t = 0; t < n; t++)
		if (r->tensors[t].rank && r->tensors[t].rank != shape->rank)
			return false;
	if (shape->rank > N_PLAIN_DIMS) {
		rule_tie_leading(r, shape, shape->rank);
		return true;
	}
	r->sizes.ptr = (int64_t *)(uintptr_t)shape->dims; /* from here on only read */
	r->sizes.len = shape->rank;
	for (int t = 0; t < n; t++)
		r->tensors[t].dims = plain_dims;
	return true;
}

bool rule_lists(const int64_t *list, int n, int64_t dim)
{
	for (int i = 0; i < n; i++)
		if (list[i] == dim)
			return true;
	return false;
}
