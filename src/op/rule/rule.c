/* rule.c - the maker of sharding rules, and which op has which rule. */
#include "op/rule/rule.h"

/* Factor lists are mostly one factor or a run of consecutive ones: they point here. */
enum { N_NUMBERS = 64 };
static const int numbers[N_NUMBERS] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* Dimension i made of factor i alone. */
enum { N_PLAIN_DIMS = 12 };
#define PLAIN_DIM(i) {1, &numbers[i]}
static const dim_factors plain_dims[N_PLAIN_DIMS] = {
    PLAIN_DIM(0), PLAIN_DIM(1), PLAIN_DIM(2), PLAIN_DIM(3), PLAIN_DIM(4),  PLAIN_DIM(5),
    PLAIN_DIM(6), PLAIN_DIM(7), PLAIN_DIM(8), PLAIN_DIM(9), PLAIN_DIM(10), PLAIN_DIM(11)};

/* Appends to a list that may not be written to, because it may lie in numbers[]. */
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

/* Room for the factors of every dimension, made when the first is mapped: where
 * plain_dims serve there is no need of it. */
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

static void map_tensor(rule_maker *r, int tensor, int64_t dim, int factor)
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
	map_tensor(r, operand, dim, factor);
}

void rule_map_result(rule_maker *r, int result, int64_t dim, int factor)
{
	map_tensor(r, r->rule->n_operands + result, dim, factor);
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
		map_tensor(r, t, dim, factor);
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
	r->sizes.ptr = (int64_t *)(uintptr_t)shape->dims; /* only read from now on */
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

/* ---- the table ----------------------------------------------------------------- */

static const struct {
	bool listed;
	rule_fn *fn;
	bool known; /* in Shardy's registry */
} op_rules[OP_COUNT] = {
#define OP(id, opname, form, traits, ...) [OP_##id] = {.listed = true, __VA_ARGS__},
#define RULE(f) .fn = rule_##f, .known = true,
#define RULE_MORE(f) .fn = rule_##f,
#define NO_RULE .known = true,
#include "op/ops.def"
};

/* Tokens and tuples count as scalars.  false: a shape is not known. */
static bool start_tensor(rule_maker *r, int tensor, const type *t)
{
	if (t->kind == TY_TENSOR && !t->is_static)
		return false;
	r->tensors[tensor].rank = t->kind == TY_TENSOR ? t->rank : 0;
	return true;
}

static bool start_rule(rule_maker *r)
{
	const op *o = r->o;
	int n = o->n_operands + o->n_results;
	r->rule = NEW(r->mem, sharding_rule);
	r->rule->n_operands = o->n_operands;
	r->rule->n_results = o->n_results;
	r->rule->tensors = r->tensors = NEW_N(r->mem, tensor_factors, n);
	for (int i = 0; i < o->n_operands; i++)
		if (!start_tensor(r, i, operand(o, i)->type))
			return false;
	for (int i = 0; i < o->n_results; i++)
		if (!start_tensor(r, o->n_operands + i, result(o, i)->type))
			return false;
	return true;
}

static const sharding_rule *rule_done(rule_maker *r)
{
	int n = r->rule->n_operands + r->rule->n_results;
	for (int t = 0; t < n; t++)
		for (int d = 0; d < r->tensors[t].rank; d++)
			if (!r->tensors[t].dims || !r->tensors[t].dims[d].n)
				map_tensor(r, t, d, rule_factor(r, 1, PASS));
	r->rule->n_factors = r->sizes.len;
	r->rule->sizes = r->sizes.ptr;
	return r->rule;
}

bool op_rule_is_known(const op *o)
{
	if (o->kind == OP_CUSTOM_CALL)
		return custom_call_is_known(o);
	return op_rules[o->kind].known || op_has(o, TERMINATOR) || op_attr(o, N_sdy_sharding_rule);
}

const sharding_rule *op_rule(module *m, const op *o, unsigned flags, arena *mem)
{
	const attr *own = op_attr(o, N_sdy_sharding_rule);
	if (own && own->kind == AT_RULE)
		return own->rule;
	rule_fn *fn = op_rules[o->kind].fn;
	if (!fn || !(op_rules[o->kind].known || (flags & RULE_BEYOND_SHARDY)))
		return NULL;
	rule_maker r = {.m = m, .o = o, .mem = mem,
	                .conservative = flags & RULE_CONSERVATIVE,
	                .beyond_shardy = flags & RULE_BEYOND_SHARDY};
	return start_rule(&r) && fn(&r) ? rule_done(&r) : NULL;
}

bool op_is_pointwise(const op *o)
{
	return op_rules[o->kind].fn == rule_elementwise && op_rules[o->kind].known;
}

bool op_rule_follows_from_outline(const op *o)
{
	return op_has(o, OUTLINED) || op_is_pointwise(o);
}

const sharding_rule *op_identity_rule(const type *t, int n_operands, int n_results, arena *mem)
{
	if (!type_is_tensor(t) || !t->is_static)
		return NULL;
	rule_maker r = {.mem = mem, .rule = NEW(mem, sharding_rule)};
	int n = n_operands + n_results;
	r.rule->n_operands = n_operands;
	r.rule->n_results = n_results;
	r.rule->tensors = r.tensors = NEW_N(mem, tensor_factors, n);
	for (int i = 0; i < n; i++)
		r.tensors[i].rank = t->rank;
	rule_pointwise(&r, t);
	return rule_done(&r);
}
