/* text.c - printing and checking sharding rules. */
#include "op/op.h"

/* ---- printing -------------------------------------------------------------------- */

/* "i" to "z", then "z_1", "z_2", … */
static void rule_factor_print(writer *w, int factor)
{
	enum { LETTERS = 'z' - 'i' + 1 };
	if (factor < LETTERS)
		put_c(w, (char)('i' + factor));
	else
		put_f(w, "z_%d", factor - LETTERS + 1);
}

static void print_tensor_factors(writer *w, const tensor_factors *t)
{
	put_c(w, '[');
	for (int d = 0; d < t->rank; d++) {
		if (d)
			put_lit(w, ", ");
		for (int i = 0; i < t->dims[d].n; i++)
			rule_factor_print(w, t->dims[d].factors[i]);
	}
	put_c(w, ']');
}

static void print_tensors(writer *w, const tensor_factors *t, int n)
{
	put_c(w, '(');
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(w, ", ");
		print_tensor_factors(w, &t[i]);
	}
	put_c(w, ')');
}

static void print_factor_sizes(writer *w, const sharding_rule *r)
{
	for (int i = 0; i < r->n_factors; i++) {
		put_z(w, i ? ", " : " {");
		rule_factor_print(w, i);
		put_c(w, '=');
		put_int(w, r->sizes[i]);
	}
	if (r->n_factors)
		put_c(w, '}');
}

static void print_factor_set(writer *w, const char *word, factor_set s)
{
	if (!s.n)
		return;
	put_c(w, ' ');
	put_z(w, word);
	put_z(w, "={");
	for (int i = 0; i < s.n; i++) {
		if (i)
			put_lit(w, ", ");
		rule_factor_print(w, s.factors[i]);
	}
	put_c(w, '}');
}

void rule_print(writer *w, const sharding_rule *r)
{
	put_c(w, '<');
	print_tensors(w, r->tensors, r->n_operands);
	put_lit(w, "->");
	print_tensors(w, r->tensors + r->n_operands, r->n_results);
	print_factor_sizes(w, r);
	print_factor_set(w, "reduction", r->reduction);
	print_factor_set(w, "need_replication", r->need_replication);
	print_factor_set(w, "permutation", r->permutation);
	print_factor_set(w, "blocked_propagation", r->blocked);
	if (r->custom)
		put_lit(w, ", custom");
	put_c(w, '>');
}

/* ---- checking ---------------------------------------------------------------------- */

typedef struct rule_check {
	tess_ctx *ctx;
	const module *m;
	const op *o;
	const sharding_rule *r;
	int *seen; /* [n_factors]: the tensor, from 1, that has used the factor last */
	bool *in_result;
} rule_check;

static const char *factor_name(const rule_check *c, int factor)
{
	writer w;
	writer_init(&w, &c->ctx->scratch);
	rule_factor_print(&w, factor);
	return writer_z(&w);
}

/* "i=8, j=16" */
static const char *sizes_text(tess_ctx *ctx, const sharding_rule *r)
{
	enum { MOST_LISTED = 16 };
	writer w;
	writer_init(&w, &ctx->scratch);
	for (int i = 0; i < r->n_factors && i < MOST_LISTED; i++) {
		put_z(&w, i ? ", " : "");
		rule_factor_print(&w, i);
		put_f(&w, "=%" PRId64, r->sizes[i]);
	}
	put_z(&w, r->n_factors > MOST_LISTED ? ", ..." : "");
	return writer_z(&w);
}

/* The place of the whole rule in the text. */
static place rule_place(const rule_check *c)
{
	return op_attr_place(c->m, c->o, PART(N_sdy_sharding_rule, ALIASED));
}

/* The place of a tensor, by its number, in <([i, j], [j])->([i]) {i=2, j=8}>, and of its dimension
 * `dim`; -1: the whole tensor. */
static place tensor_place(const rule_check *c, int tensor, int dim)
{
	place at = rule_place(c);
	if (!at.op)
		return at;
	const char *text = at.src->text.ptr, *s = text + at.begin, *end = text + at.end;
	for (int i = -1; s < end && i < tensor; s++)
		i += *s == '[';
	const char *close = s < end ? memchr(s, ']', (size_t)(end - s)) : NULL;
	if (!close)
		return at;
	at.begin = (uint32_t)(s - text) - (dim < 0);
	at.end = (uint32_t)(close - text) + (dim < 0);
	for (; dim > 0 && s < close; s++)
		if (*s == ',' && !--dim)
			at.begin = (uint32_t)(s + 1 - text) + (s[1] == ' ');
	if (dim < 0)
		return at;
	const char *comma = memchr(text + at.begin, ',', at.end - at.begin);
	at.end = comma ? (uint32_t)(comma - text) : at.end;
	return at;
}

/* The place of a set of factors, such as reduction={k}, by its word. */
static place set_place(const rule_check *c, const char *word)
{
	place at = rule_place(c);
	const char *text = at.op ? at.src->text.ptr : NULL;
	const char *s = text ? memmem(text + at.begin, at.end - at.begin, word, strlen(word))
	                     : NULL;
	const char *close = s ? memchr(s, '}', (size_t)(text + at.end - s)) : NULL;
	if (close) {
		at.begin = (uint32_t)(s - text);
		at.end = (uint32_t)(close + 1 - text);
	}
	return at;
}

static bool check_dim(const rule_check *c, const dim_factors *d, int tensor, const char *kind,
                      int index, int dim)
{
	if (!d->n)
		return diag_error(c->ctx, tensor_place(c, tensor, dim), E_RULE_FACTOR,
		                  "dimension %d of %s %d needs at least one factor", dim, kind,
		                  index);
	for (int i = 0; i < d->n; i++) {
		int f = d->factors[i];
		if (f < 0 || f >= c->r->n_factors)
			return diag_error(
				c->ctx, tensor_place(c, tensor, dim), E_RULE_FACTOR,
				"dimension %d of %s %d has factor %s, of which the rule gives no "
				"size; it gives %d: {%s}",
				dim, kind, index, factor_name(c, f), c->r->n_factors,
				sizes_text(c->ctx, c->r));
		if (c->seen[f] == tensor + 1)
			return diag_error(c->ctx, tensor_place(c, tensor, dim), E_RULE_FACTOR,
			                  "%s %d has factor %s twice", kind, index,
			                  factor_name(c, f));
		if (c->r->sizes[f] == 1 && d->n > 1)
			return diag_error(c->ctx, tensor_place(c, tensor, dim), E_RULE_FACTOR,
			                  "factor %s has size 1 and must be alone in its dimension "
			                  "(dimension %d of %s %d)",
			                  factor_name(c, f), dim, kind, index);
		c->seen[f] = tensor + 1;
		if (tensor >= c->r->n_operands)
			c->in_result[f] = true;
	}
	return true;
}

static bool check_tensor(const rule_check *c, const type *t, int tensor, const char *kind,
                         int index)
{
	const tensor_factors *f = &c->r->tensors[tensor];
	if (t->kind != TY_TENSOR || !t->is_static)
		return diag_error(
			c->ctx, tensor_place(c, tensor, -1), E_RULE_SHAPE,
			"a sharding rule needs tensors of static shape, which %s %d is not", kind,
			index);
	if (f->rank != t->rank)
		return diag_error(c->ctx, tensor_place(c, tensor, -1), E_RULE_SHAPE,
		                  "the rule gives %s %d %d dimensions, but it has %d", kind, index,
		                  f->rank, t->rank);
	for (int d = 0; d < f->rank; d++)
		if (!check_dim(c, &f->dims[d], tensor, kind, index, d))
			return false;
	return true;
}

static bool check_count(const rule_check *c, int have, int want, const char *kind)
{
	if (have != want)
		return diag_error(c->ctx, rule_place(c), E_RULE_SHAPE,
		                  "the rule is for %d %ss, but the operation has %d", have, kind,
		                  want);
	if (!have)
		return diag_error(c->ctx, rule_place(c), E_RULE_SHAPE,
		                  "a sharding rule needs at least one operand and one result");
	return true;
}

/* Checks that factors are ascending, in range, and in no earlier set. */
static bool check_set(const rule_check *c, factor_set s, const char *word, bool *taken)
{
	for (int i = 0; i < s.n; i++) {
		int f = s.factors[i];
		if (f < 0 || f >= c->r->n_factors)
			return diag_error(c->ctx, set_place(c, word), E_RULE_FACTOR,
			                  "%s names factor %s, of which the rule gives no size; it "
			                  "gives %d: {%s}",
			                  word, factor_name(c, f), c->r->n_factors,
			                  sizes_text(c->ctx, c->r));
		if (i && s.factors[i - 1] >= f)
			return diag_error(c->ctx, set_place(c, word), E_RULE_FACTOR,
			                  "the factors of %s must be sorted and different", word);
		if (taken && taken[f])
			return diag_error(
				c->ctx, set_place(c, word), E_RULE_FACTOR,
				"factor %s can only be one of reduction, need_replication and "
				"permutation",
				factor_name(c, f));
		if (taken)
			taken[f] = true;
	}
	return true;
}

static bool check_sets(const rule_check *c)
{
	bool *taken = NEW_N(&c->ctx->scratch, bool, c->r->n_factors);
	if (!check_set(c, c->r->reduction, "reduction", taken) ||
	    !check_set(c, c->r->need_replication, "need_replication", taken) ||
	    !check_set(c, c->r->permutation, "permutation", taken) ||
	    !check_set(c, c->r->blocked, "blocked_propagation", NULL))
		return false;
	for (int i = 0; i < c->r->reduction.n; i++)
		if (c->in_result[c->r->reduction.factors[i]])
			return diag_error(c->ctx, set_place(c, "reduction"), E_RULE_FACTOR,
			                  "factor %s is reduced and cannot be in a result",
			                  factor_name(c, c->r->reduction.factors[i]));
	return true;
}

bool rule_verify(module *m, const op *o, const sharding_rule *r)
{
	rule_check c = {m->ctx,
	                m,
	                o,
	                r,
	                NEW_N(&m->ctx->scratch, int, r->n_factors),
	                NEW_N(&m->ctx->scratch, bool, r->n_factors)};
	if (!check_count(&c, r->n_operands, o->n_operands, "operand") ||
	    !check_count(&c, r->n_results, o->n_results, "result"))
		return false;
	for (int i = 0; i < o->n_operands; i++)
		if (!check_tensor(&c, operand(o, i)->type, i, "operand", i))
			return false;
	for (int i = 0; i < o->n_results; i++)
		if (!check_tensor(&c, result(o, i)->type, o->n_operands + i, "result", i))
			return false;
	for (int f = 0; f < r->n_factors; f++)
		if (!c.seen[f])
			return diag_error(m->ctx, rule_place(&c), E_RULE_FACTOR,
			                  "factor %s is in no operand and no result",
			                  factor_name(&c, f));
	return check_sets(&c);
}
