/* custom_call.c - rules of custom calls, by target.
 *
 * Most targets are a line of custom_rules.def. A pattern names the trailing dimensions of each
 * operand and result by letters, one letter per factor; the dimensions before them, "..", are batch
 * dimensions and pass through. "i!" must be whole; so must "i?", but Shardy lets it pass. Factors
 * come in the order in which their letters first occur. The first tensor determines how many batch
 * dimensions there are:
 *
 *     Eigh      "..i?j? -> ..i?j?, ..j?"
 *
 * Users who want a rule for a target of their own write it on the operation, as
 * sdy.sharding_rule. */
#include "op/rule/rule.h"

#include <stdlib.h>

/* ---- patterns ------------------------------------------------------------------ */

/* Walks over the letters of a pattern. */
typedef struct pattern {
	const char *at;
	int tensor, dim; /* of the letter found; dim counts from after the batch dimensions */
	char letter;
	char kind; /* '!', '?', or 0 */
} pattern;

static bool pattern_next(pattern *p)
{
	p->dim++;
	for (;; p->at++) {
		switch (*p->at) {
		case '\0':
			return false;
		case ',':
		case '>':
			p->tensor++;
			p->dim = 0;
			continue;
		case ' ':
		case '-':
		case '.':
			continue;
		}
		p->letter = *p->at++;
		p->kind = *p->at == '!' || *p->at == '?' ? *p->at++ : '\0';
		return true;
	}
}
#define PATTERN(text) {.at = (text), .dim = -1}

static int pattern_letters(const char *text, int tensor)
{
	int n = 0;
	for (pattern p = PATTERN(text); pattern_next(&p);)
		n += p.tensor == tensor;
	return n;
}

/* True if every tensor has the batch dimensions and those that the pattern names. */
static bool pattern_fits(const rule_maker *r, const char *text, int n_batch)
{
	int n_tensors = 1;
	for (const char *s = text; *s; s++)
		n_tensors += *s == ',' || *s == '>';
	if (n_batch < 0 || n_tensors != r->o->n_operands + r->o->n_results)
		return false;
	for (int t = 0; t < n_tensors; t++)
		if (r->tensors[t].rank < n_batch + pattern_letters(text, t))
			return false;
	return true;
}

static const type *tensor_type(const rule_maker *r, int tensor)
{
	int n = r->o->n_operands;
	return tensor < n ? rule_operand_type(r, tensor) : rule_result_type(r, tensor - n);
}

static bool rule_from_pattern(rule_maker *r, const char *text)
{
	int factor_of[128];
	int n = r->o->n_operands;
	if (!rule_has_shapes(r, 1, 1))
		return false;
	int n_batch = r->tensors[0].rank - pattern_letters(text, 0);
	if (!pattern_fits(r, text, n_batch))
		return false;
	memset(factor_of, -1, sizeof factor_of);
	rule_tie_leading(r, rule_operand_type(r, 0), n_batch);
	for (pattern p = PATTERN(text); pattern_next(&p);) {
		int *f = &factor_of[(unsigned char)p.letter & 127];
		if (*f < 0)
			*f = rule_factor(r, tensor_type(r, p.tensor)->dims[n_batch + p.dim],
			                 p.kind == '!' || (p.kind && r->beyond_shardy) ? REPLICATE
			                                                               : PASS);
		if (p.tensor < n)
			rule_map_operand(r, p.tensor, n_batch + p.dim, *f);
		else
			rule_map_result(r, p.tensor - n, n_batch + p.dim, *f);
	}
	return true;
}

/* ---- targets with a function ---------------------------------------------------------------- */

/* The batch dimensions of matrices pass. Shardy lets rows and columns pass, too. */
static bool rule_of_matrices(rule_maker *r)
{
	return r->beyond_shardy ? rule_cholesky(r) : rule_elementwise(r);
}

/* operand -> (values, indices), shorter along the last dimension, which is searched. Shardy lets
 * that pass if all of it is wanted. */
bool rule_top_k(rule_maker *r)
{
	if (!rule_has_shapes(r, 1, 1))
		return false;
	const type *in = rule_operand_type(r, 0), *out = rule_result_type(r, 0);
	int last = in->rank - 1;
	if (!r->beyond_shardy || last < 0 || in->rank != out->rank ||
	    in->dims[last] != out->dims[last])
		return rule_tie_equal(r, in, out, REPLICATE | BLOCKED);
	rule_tie_leading(r, in, last);
	rule_tie_all(r, REPLICATE, in->dims[last], last);
	return true;
}

/* The dimension that a partial reduction searches by its attributes; -1: they do not say. */
static int64_t searched_dim(const rule_maker *r)
{
	const name *key = name_of_z(r->m->ctx, "reduction_dim");
	const attr *places[] = {op_attr(r->o, N_mhlo_backend_config),
	                        op_attr(r->o, N_backend_config)};
	for (int i = 0; i < COUNT(places); i++) {
		const attr *a = places[i] && places[i]->kind == AT_DICT
		                        ? attr_get_named(places[i], key)
		                        : NULL;
		if (a && a->kind == AT_INT)
			return a->i;
	}
	return -1;
}

/* (operand, iota, initial value, initial index) -> (values, indices), shorter along the reduced
 * dimension, by which Shardy recognizes it. See jax.lax.approx_max_k. */
static bool rule_partial_reduce(rule_maker *r)
{
	if (r->o->n_operands != 4 || r->o->n_results != 2 || !rule_has_shapes(r, 2, 2))
		return false;
	const type *in = rule_operand_type(r, 0), *out = rule_result_type(r, 0);
	if (in->rank != out->rank)
		return false;
	for (int d = 0; d < in->rank; d++) {
		if (in->dims[d] == out->dims[d]) {
			bool whole = r->beyond_shardy && d == searched_dim(r);
			rule_tie_all(r, whole ? REPLICATE : PASS, in->dims[d], d);
			continue;
		}
		int whole = rule_factor(r, in->dims[d], PASS);
		rule_map_operand(r, 0, d, whole);
		rule_map_operand(r, 1, d, whole);
		rule_tie_results(r, REPLICATE | BLOCKED, out->dims[d], d);
	}
	return true;
}

/* Combines two halves, ui32, into ui64. As the state of a random generator it stays whole: that
 * must be whole, and a ui64 tensor cannot be resharded. */
static bool rule_x64_combine(rule_maker *r)
{
	if (r->o->n_results != 1 || !rule_has_shapes(r, 1, 1))
		return false;
	const type *out = rule_result_type(r, 0);
	for (const use *u = result(r->o, 0)->uses; u; u = u->next) {
		if (u->owner->kind != OP_RNG_BIT_GENERATOR || out->rank != 1)
			continue;
		rule_tie_all(r, REPLICATE | BLOCKED, out->dims[0], 0);
		return true;
	}
	return rule_pointwise(r, out);
}

static bool within_manual(const op *o)
{
	return op_enclosing(o, OP_SDY_MANUAL_COMPUTATION);
}

/* (operand, output, four lists of pieces) -> output. Shardy has no rule for it. Inside a manual
 * computation devices communicate along the manual axes, so other axes may split the elements of a
 * row. */
static bool rule_ragged_all_to_all(rule_maker *r)
{
	const op *o = r->o;
	if (!r->beyond_shardy || !within_manual(o) || o->n_operands != 6 ||
	    o->n_results != 1 || !rule_has_shapes(r, 2, 1))
		return false;
	const type *in = rule_operand_type(r, 0), *out = rule_operand_type(r, 1);
	if (!in->rank || in->rank != out->rank)
		return false;
	rule_map_operand(r, 0, 0, rule_factor(r, in->dims[0], REPLICATE));
	int rows = rule_factor(r, out->dims[0], REPLICATE);
	rule_map_operand(r, 1, 0, rows);
	rule_map_result(r, 0, 0, rows);
	for (int d = 1; d < in->rank; d++) {
		int within = rule_factor(r, in->dims[d], PASS);
		rule_map_operand(r, 0, d, within);
		rule_map_operand(r, 1, d, within);
		rule_map_result(r, 0, d, within);
	}
	for (int i = 2; i < 6; i++)
		if (rule_operand_type(r, i)->rank == 1)
			rule_map_operand(r, i, 0,
			                 rule_factor(r, rule_operand_type(r, i)->dims[0],
			                             REPLICATE));
	return true;
}

static const struct custom_rule {
	const char *target, *pattern;
	rule_fn *fn;
} custom_rules[] = {
#define PATTERN_RULE(target, pattern) {target, pattern, NULL},
#define FUNCTION_RULE(target, fn) {target, NULL, rule_##fn},
#define NO_RULE(target) {target, NULL, NULL},
#include "op/rule/custom_rules.def"
#undef PATTERN_RULE
#undef FUNCTION_RULE
#undef NO_RULE
};

static const struct custom_rule *find_custom_rule(const op *o)
{
	const attr *target = op_attr(o, N_call_target_name);
	for (int i = 0; target && target->text && i < COUNT(custom_rules); i++)
		if (!strcmp(custom_rules[i].target, target->text->s))
			return &custom_rules[i];
	return NULL;
}

bool custom_call_is_known(const op *o)
{
	return find_custom_rule(o) || op_attr(o, N_sdy_sharding_rule);
}

/* The number of leading batch dimensions that jax.ffi writes for targets registered as batch
 * partitionable. */
static int dims_of_batch(const rule_maker *r)
{
	const attr *a = op_attr_named(r->o, name_of_z(r->m->ctx, "mhlo.frontend_attributes"));
	const attr *n = a && a->kind == AT_DICT
	                    ? attr_get_named(a, name_of_z(r->m->ctx, "num_batch_dims"))
	                    : NULL;
	return n && n->kind == AT_STRING ? atoi(n->text->s) : 0;
}

/* Batch dimensions are split alike; all others are whole. */
static bool rule_batched(rule_maker *r)
{
	int n = dims_of_batch(r), n_tensors = r->o->n_operands + r->o->n_results;
	if (n < 1 || !rule_has_shapes(r, r->o->n_operands, r->o->n_results))
		return false;
	const type *first = tensor_type(r, 0);
	for (int t = 0; t < n_tensors; t++)
		for (int d = 0; d < n; d++)
			if (tensor_type(r, t)->rank < n || tensor_type(r, t)->dims[d] != first->dims[d])
				return false;
	rule_tie_leading(r, first, n);
	for (int t = 0; t < n_tensors; t++)
		for (int d = n; d < tensor_type(r, t)->rank; d++) {
			int whole = rule_factor(r, tensor_type(r, t)->dims[d], REPLICATE);
			if (t < r->o->n_operands)
				rule_map_operand(r, t, d, whole);
			else
				rule_map_result(r, t - r->o->n_operands, d, whole);
		}
	return true;
}

bool rule_custom_call(rule_maker *r)
{
	const struct custom_rule *c = find_custom_rule(r->o);
	if (c && c->pattern)
		return rule_from_pattern(r, c->pattern);
	if (!c && r->beyond_shardy)
		return rule_batched(r);
	return c && c->fn && c->fn(r);
}
