/* check.c - the check dialect: values that must be equal, close, or almost equal.
 *
 * The golden programs of StableHLO write these as custom calls, @check.expect_close and so on, with
 * the tolerances of the programs' runner. */
#include "exec/steps/host.h"

#include <math.h>

typedef struct check_plan {
	enum check_kind { CHECK_EQ, CHECK_CLOSE, CHECK_ALMOST } kind;
	int64_t min_ulps, max_ulps;
	double tolerance;
} check_plan;

/* ---- single values ------------------------------------------------------------------ */

static uint64_t bits_at(const void *p, int bytes)
{
	uint64_t b = 0;
	memcpy(&b, p, (size_t)bytes);
	return b;
}

/* The number of representable values between two; values that are not finite are either equal or as
 * far apart as possible. */
static uint64_t ulps_between(dtype t, const char *a, const char *b)
{
	double v = elem_get(t, a), w = elem_get(t, b);
	if (!isfinite(v) || !isfinite(w))
		return v == w || (isnan(v) && isnan(w)) ? 0 : UINT64_MAX;
	int bytes = dtype_bytes(t);
	uint64_t sign = (uint64_t)1 << (8 * bytes - 1), i = bits_at(a, bytes),
		 k = bits_at(b, bytes);
	uint64_t x = i & (sign - 1), y = k & (sign - 1);
	return (i ^ k) & sign ? x + y : x > y ? x - y : y - x;
}

static bool part_agrees(const check_plan *k, dtype t, const char *a, const char *b)
{
	uint64_t d = ulps_between(t, a, b);
	if (k->kind == CHECK_CLOSE)
		return d >= (uint64_t)k->min_ulps && d <= (uint64_t)k->max_ulps;
	double x = elem_get(t, a), y = elem_get(t, b);
	return !d || (isfinite(x) && isfinite(y) && fabs(x - y) <= k->tolerance);
}

/* The specification's runner considers NaN different from NaN; we do not, because a program could
 * not expect NaN otherwise. */
static bool part_equal(dtype t, const char *a, const char *b)
{
	int bytes = dtype_bytes(t);
	if (!memcmp(a, b, (size_t)bytes))
		return true;
	if (!dtype_is_float(t))
		return dtype_bits(t) < 8 && elem_get_int(t, a) == elem_get_int(t, b);
	double x = elem_get(t, a), y = elem_get(t, b);
	return x == y || (isnan(x) && isnan(y));
}

static bool values_agree(const check_plan *k, dtype t, const char *a, const char *b)
{
	dtype part = dtype_part_of(t);
	int bytes = dtype_bytes(part);
	for (int i = 0; i < dtype_bytes(t) / bytes; i++, a += bytes, b += bytes)
		if (k->kind == CHECK_EQ ? !part_equal(part, a, b) : !part_agrees(k, part, a, b))
			return false;
	return true;
}

/* ---- running ----------------------------------------------------------------------------- */

static void put_value(writer *w, dtype t, const char *p)
{
	if (dtype_is_complex(t)) {
		dtype part = dtype_part_of(t);
		put_f(w, "(%.17g,%.17g)", elem_get(part, p), elem_get(part, p + dtype_bytes(part)));
	} else if (dtype_is_float(t)) {
		put_f(w, "%.17g", elem_get(t, p));
	} else {
		put_f(w, "%" PRId64, elem_get_int(t, p));
	}
}

static void report_difference(struct run *r, const step *s, int64_t at, int64_t n, const char *a,
                              const char *b)
{
	const tensor *t = step_in(s, 0);
	tess_ctx *ctx = r->p->ctx;
	int64_t index[MAX_RANK];
	writer w;
	writer_init(&w, &ctx->scratch);
	index_of(at, t->dims, t->rank, index);
	put_c(&w, '[');
	for (int i = 0; i < t->rank; i++)
		put_f(&w, i ? ", %" PRId64 : "%" PRId64, index[i]);
	put_lit(&w, "] is ");
	put_value(&w, t->dtype, a);
	put_lit(&w, ", expected ");
	put_value(&w, t->dtype, b);
	put_f(&w, " (%" PRId64 " of %" PRId64 " elements differ)", n, t->n);
	diag_error(ctx, op_place(r->p->m, s->op), E_EXEC_CHECK, "check failed: element %.*s",
	           STR_ARG(writer_str(&w)));
	r->check_failed = true;
}

static void run_check(struct run *r, const step *s, const call *c)
{
	const check_plan *k = s->params;
	const tensor *t = step_in(s, 0);
	const char *a = c->at[0], *b = c->at[1];
	int64_t first = -1, n = 0;
	for (int64_t i = 0; i < t->n; i++) {
		if (values_agree(k, t->dtype, a + i * t->bytes, b + i * t->bytes))
			continue;
		first = first < 0 ? i : first;
		n++;
	}
	if (first >= 0)
		report_difference(r, s, first, n, a + first * t->bytes, b + first * t->bytes);
	else
		r->n_checks++;
}

/* ---- planning ----------------------------------------------------------------------------- */

static double attr_number(const op *o, int known, double fallback)
{
	const attr *a = op_attr(o, known);
	return !a                    ? fallback
	       : a->kind == AT_FLOAT ? a->f
	       : a->kind == AT_INT   ? (double)a->i
	                             : fallback;
}

static const check_plan *check_of(exec_plan *p, const op *o, enum check_kind kind)
{
	bool call = o->kind == OP_CUSTOM_CALL;
	check_plan *k = NEW(&p->mem, check_plan);
	k->kind = kind;
	k->min_ulps = op_int(o, N_min_ulp_difference, 0);
	k->max_ulps = op_int(o, N_max_ulp_difference, call ? 3 : 1);
	k->tolerance = attr_number(o, N_tolerance, call ? 1e-3 : 1e-4);
	return k;
}

static bool plan_check_values(exec_plan *p, const op *o, enum check_kind kind)
{
	if (o->n_operands != 2 || operand(o, 0)->type != operand(o, 1)->type)
		return plan_error(p, o, "two values of one type are needed");
	dtype t = operand(o, 0)->type->dtype;
	if (kind != CHECK_EQ && !dtype_is_float(t) && !dtype_is_complex(t))
		return plan_error(p, o, "only floating-point values can be close");
	step *s = host_step(p, o, run_check);
	s->params = check_of(p, o, kind);
	step_add(p, s);
	return true;
}

bool plan_check_eq(exec_plan *p, const op *o) { return plan_check_values(p, o, CHECK_EQ); }
bool plan_check_close(exec_plan *p, const op *o) { return plan_check_values(p, o, CHECK_CLOSE); }
bool plan_check_almost(exec_plan *p, const op *o) { return plan_check_values(p, o, CHECK_ALMOST); }

/* The second value is an attribute. */
static bool plan_check_const(exec_plan *p, const op *o, enum check_kind kind)
{
	const attr *a = op_attr(o, N_value);
	if (!a || a->kind != AT_DENSE || a->type != operand(o, 0)->type)
		return plan_error(p, o, "the constant does not have the type of the value");
	binding expected = constant_binding(p, a);
	step *s = host_step_with(p, o, run_check, a->type, &expected);
	s->params = check_of(p, o, kind);
	step_add(p, s);
	return true;
}

bool plan_check_eq_const(exec_plan *p, const op *o) { return plan_check_const(p, o, CHECK_EQ); }
bool plan_check_almost_const(exec_plan *p, const op *o)
{
	return plan_check_const(p, o, CHECK_ALMOST);
}
