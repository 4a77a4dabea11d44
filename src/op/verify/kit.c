/* kit.c - what all checks share: messages, and required attributes. */
#include "op/verify/verify.h"

/* ---- messages ----------------------------------------------------------------- */

bool broken(module *m, const op *o, const char *rule, const char *fmt, ...)
{
	PRINTED(text, &m->ctx->scratch, fmt);
	return diag_error(m->ctx, op_place(m, o), E_CONSTRAINT, "'%s' op %s%s%s%s", op_name(o),
	                  text, rule[0] ? " (" : "", rule, rule[0] ? ")" : "");
}

bool broken_at(module *m, const op *o, const int *part, const char *rule, const char *fmt, ...)
{
	PRINTED(text, &m->ctx->scratch, fmt);
	return diag_error(m->ctx, op_attr_place(m, o, part), E_CONSTRAINT, "'%s' op %s%s%s%s",
	                  op_name(o), text, rule[0] ? " (" : "", rule, rule[0] ? ")" : "");
}

bool bad_part(module *m, const op *o, const int *part, const char *fmt, ...)
{
	PRINTED(text, &m->ctx->scratch, fmt);
	return diag_error(m->ctx, op_attr_place(m, o, part), E_ATTRIBUTE,
	                  "'%s' op attribute '%s' %s", op_name(o), name_known(m->ctx, part[0])->s,
	                  text);
}

bool bad_attr(module *m, const op *o, int known, const char *fmt, ...)
{
	PRINTED(text, &m->ctx->scratch, fmt);
	return bad_part(m, o, PART(known), "%s", text);
}

bool bad_region(module *m, const op *o, const char *fmt, ...)
{
	PRINTED(text, &m->ctx->scratch, fmt);
	return diag_error(m->ctx, op_place(m, o), E_REGION, "'%s' op %s", op_name(o), text);
}

/* ---- attributes ------------------------------------------------------------------- */

const int64_t *want_ints(module *m, const op *o, int known, int *n)
{
	const attr *a = op_attr(o, known);
	const int64_t *v = attr_ints(m->ctx, a, n);
	if (*n < 0)
		bad_attr(m, o, known, a ? "must be a list of integers" : "is required");
	return v;
}

const int64_t *want_n_ints(module *m, const op *o, int known, int n)
{
	int have;
	const int64_t *v = want_ints(m, o, known, &have);
	if (have >= 0 && have != n) {
		bad_attr(m, o, known, "has %d elements, expected %d", have, n);
		return NULL;
	}
	return have < 0 ? NULL : v;
}

bool want_int(module *m, const op *o, int known, int64_t limit, int64_t *out)
{
	const attr *a = op_attr(o, known);
	if (!a || a->kind != AT_INT)
		return bad_attr(m, o, known, a ? "must be an integer" : "is required");
	*out = a->i;
	if (*out < 0 || *out >= limit)
		return bad_attr(m, o, known,
		                "is %" PRId64 ", expected a number in [0, %" PRId64 ")", *out,
		                limit);
	return true;
}

int bad_dim(module *m, const int64_t *v, int n, int64_t limit, bool unique)
{
	arena_mark mark = arena_here(&m->ctx->scratch);
	bool *seen = NEW_N(&m->ctx->scratch, bool, limit > 0 ? limit : 1);
	int bad = -1;
	for (int i = 0; i < n && bad < 0; i++) {
		if (v[i] < 0 || v[i] >= limit || (unique && seen[v[i]]))
			bad = i;
		else
			seen[v[i]] = true;
	}
	arena_back(&m->ctx->scratch, mark);
	return bad;
}

bool bad_dim_error(module *m, const op *o, const int *part, const char *rule, const char *what,
                   int64_t dim, int64_t limit)
{
	if (dim >= 0 && dim < limit)
		return broken_at(m, o, part, rule, "has %" PRId64 " twice in %s", dim, what);
	return broken_at(m, o, part, rule,
	                 "has %" PRId64 " in %s, expected numbers in [0, %" PRId64 ")", dim, what,
	                 limit);
}

bool dims_in_range(module *m, const op *o, const int *part, const char *rule, const char *what,
                   const int64_t *v, int n, int64_t limit, bool unique)
{
	int bad = bad_dim(m, v, n, limit, unique);
	return bad < 0 || bad_dim_error(m, o, part_item(m, part, bad), rule, what, v[bad], limit);
}

const int *part_item(module *m, const int *part, int i)
{
	int n = 0;
	while (part[n])
		n++;
	int *out = NEW_N(&m->ctx->scratch, int, n + 2);
	memcpy(out, part, sizeof *part * (size_t)n);
	out[n] = ITEM(i);
	return out;
}

const int64_t *const_ints(module *m, const value *v, int *n)
{
	enum { MOST_ANNOTATIONS = 16 }; /* not verified yet, so they may form a cycle */
	*n = -1;
	for (int i = 0; i < MOST_ANNOTATIONS && value_def(v) && op_has(value_def(v), ANNOTATES) &&
	                value_def(v)->n_operands == 1;
	     i++)
		v = operand(value_def(v), 0);
	if (!value_def(v) || !op_has(value_def(v), CONSTANT))
		return NULL;
	return attr_ints(m->ctx, op_attr(value_def(v), N_value), n);
}
