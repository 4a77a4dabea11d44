/* make.c - elementwise functions and statistics in terms of primitives. */
#include "array/typed.h"
#include "array/make.h"

#include <math.h>

avalue *make1(maker *k, const char *op, avalue *x, const params *a)
{
	avalue *out;
	return x && array_emit(k->ctx, op, &x, 1, a, &out, 1) == 1 ? out : NULL;
}

avalue *make2(maker *k, const char *op, avalue *x, avalue *y, const params *a)
{
	avalue *out, *in[] = {x, y};
	return x && y && array_emit(k->ctx, op, in, 2, a, &out, 1) == 1 ? out : NULL;
}

avalue *make_number(maker *k, double v)
{
	params a = {0};
	avalue *out;
	params_set(&k->ctx->scratch, &a,
	           (param){.key = "value", .kind = PK_NUMBER, .n = 1, .number = v});
	return array_emit(k->ctx, "scalar", NULL, 0, &a, &out, 1) == 1 ? out : NULL;
}

avalue *make_slice(maker *k, avalue *x, int dim, int64_t from, int64_t to)
{
	int64_t start[ARRAY_MAX_RANK] = {0}, limit[ARRAY_MAX_RANK];
	if (!x)
		return NULL;
	memcpy(limit, x->type->dim, sizeof limit);
	start[dim] = from;
	limit[dim] = to;
	params *a = make_ints(k, "start_indices", start, x->type->rank);
	make_more(k, a, "limit_indices", limit, x->type->rank);
	return make1(k, "lax.slice", x, a);
}

bool make_out(maker *k, avalue *v)
{
	if (v)
		vec_push(&k->ctx->scratch, &k->out, v);
	return v != NULL;
}

params *make_attrs(maker *k) { return NEW(&k->ctx->scratch, params); }

params *make_ints(maker *k, const char *key, const int64_t *v, int n)
{
	params *a = make_attrs(k);
	make_more(k, a, key, v, n);
	return a;
}

void make_more(maker *k, params *a, const char *key, const int64_t *v, int n)
{
	params_set_ints(&k->ctx->scratch, a, key, v, n);
}

void make_pass(maker *k, params *a, const char *key)
{
	const param *one = param_find(k->attrs, key);
	if (one)
		params_set(&k->ctx->scratch, a, *one);
}

bool make_axes(maker *k, const atype *t, int64_t *out, int *n)
{
	const int64_t *v;
	int given = param_ints(k->attrs, "axis", &v), axis;
	*n = 0;
	if (given > t->rank)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s: too many axes",
		                  k->op->name);
	for (int i = 0; i < (given < 0 ? t->rank : given); i++) {
		if (!axis_normal(k->ctx, k->op->name, given < 0 ? i : v[i], t->rank, &axis))
			return false;
		out[(*n)++] = axis;
	}
	return true;
}

avalue *make_reduce(maker *k, const char *op, avalue *x, bool keep)
{
	int64_t axes[ARRAY_MAX_RANK], one = 1;
	int n;
	if (!x || !make_axes(k, x->type, axes, &n))
		return NULL;
	params *a = make_ints(k, "axes", axes, n);
	if (keep)
		make_more(k, a, "keepdims", &one, 1);
	return make1(k, op, x, a);
}

static bool make_keeps(maker *k) { return param_int(k->attrs, "keepdims", 0); }

/* How many elements are reduced to one. */
static double make_count(maker *k, const atype *t)
{
	int64_t axes[ARRAY_MAX_RANK];
	double count = 1;
	int n;
	if (make_axes(k, t, axes, &n))
		for (int i = 0; i < n; i++)
			count *= (double)t->dim[axes[i]];
	return count;
}

/* ---- powers and activations ---------------------------------------------------------------- */

bool make_square(maker *k) { return make_out(k, make2(k, "lax.mul", k->in[0], k->in[0], NULL)); }

/* By squaring. */
bool make_integer_pow(maker *k)
{
	int64_t y = param_int(k->attrs, "y", 1), left = y < 0 ? -y : y;
	avalue *base = k->in[0], *out = NULL;
	for (; left > 0; left >>= 1) {
		if (left & 1)
			out = out ? make2(k, "lax.mul", out, base, NULL) : base;
		if (left > 1)
			base = make2(k, "lax.mul", base, base, NULL);
		if (!base || (left & 1 && !out))
			return false;
	}
	if (!out)
		return make_out(k, make1(k, "jnp.ones_like", k->in[0], NULL));
	return make_out(k, y < 0 ? make2(k, "lax.div", make_number(k, 1), out, NULL) : out);
}

bool make_relu(maker *k)
{
	return make_out(k, make2(k, "jnp.maximum", k->in[0], make_number(k, 0), NULL));
}

bool make_silu(maker *k)
{
	return make_out(
		k, make2(k, "lax.mul", k->in[0], make1(k, "lax.logistic", k->in[0], NULL), NULL));
}

/* The approximation by tanh, JAX's default. */
bool make_gelu(maker *k)
{
	avalue *x = k->in[0];
	avalue *cube = make2(k, "lax.mul", make2(k, "lax.mul", x, x, NULL), x, NULL);
	avalue *sum = make2(k, "lax.add", x,
	                    make2(k, "jnp.multiply", cube, make_number(k, 0.044715), NULL), NULL);
	avalue *bent = make1(k, "lax.tanh",
	                     make2(k, "jnp.multiply", sum, make_number(k, sqrt(2 / M_PI)), NULL),
	                     NULL);
	avalue *half = make2(k, "jnp.multiply", make2(k, "jnp.add", bent, make_number(k, 1), NULL),
	                     make_number(k, 0.5), NULL);
	return make_out(k, make2(k, "lax.mul", x, half, NULL));
}

/* log(1 + e^x) = max(x, 0) + log1p(e^-|x|): never overflows. */
bool make_softplus(maker *k)
{
	avalue *x = k->in[0];
	avalue *tail = make1(k, "lax.exp", make1(k, "lax.neg", make1(k, "lax.abs", x, NULL), NULL),
	                     NULL);
	avalue *top = make2(k, "jnp.maximum", x, make_number(k, 0), NULL);
	return make_out(k, make2(k, "lax.add", top, make1(k, "lax.log1p", tail, NULL), NULL));
}

/* ---- softmax --------------------------------------------------------------------------------- */

static avalue *last_axis_reduced(maker *k, const char *op, avalue *x)
{
	int64_t last = param_int(k->attrs, "axis", -1), one = 1;
	params *a = make_ints(k, "axes", &last, 1);
	make_more(k, a, "keepdims", &one, 1);
	return make1(k, op, x, a);
}

static avalue *shifted(maker *k, avalue *x)
{
	avalue *top = make1(k, "lax.stop_gradient", last_axis_reduced(k, "lax.reduce_max", x),
	                    NULL);
	return make2(k, "jnp.subtract", x, top, NULL);
}

bool make_softmax(maker *k)
{
	avalue *e = make1(k, "lax.exp", shifted(k, k->in[0]), NULL);
	return make_out(k,
	                make2(k, "jnp.divide", e, last_axis_reduced(k, "lax.reduce_sum", e), NULL));
}

bool make_log_softmax(maker *k)
{
	avalue *x = shifted(k, k->in[0]);
	avalue *sum = last_axis_reduced(k, "lax.reduce_sum", make1(k, "lax.exp", x, NULL));
	return make_out(k, make2(k, "jnp.subtract", x, make1(k, "lax.log", sum, NULL), NULL));
}

bool make_logsumexp(maker *k)
{
	avalue *x = k->in[0];
	avalue *top = make1(k, "lax.stop_gradient", make_reduce(k, "lax.reduce_max", x, true),
	                    NULL);
	avalue *e = make1(k, "lax.exp", make2(k, "jnp.subtract", x, top, NULL), NULL);
	avalue *log = make1(k, "lax.log", make_reduce(k, "lax.reduce_sum", e, make_keeps(k)), NULL);
	avalue *flat = make_reduce(k, "lax.reduce_max", top, make_keeps(k));
	return make_out(k, make2(k, "jnp.add", log, flat, NULL));
}

/* ---- statistics ------------------------------------------------------------------------------ */

static avalue *mean_of(maker *k, avalue *x, bool keep)
{
	avalue *sum = make_reduce(k, "lax.reduce_sum", x, keep);
	return make2(k, "jnp.divide", sum, make_number(k, make_count(k, k->in[0]->type)), NULL);
}

bool make_mean(maker *k) { return make_out(k, mean_of(k, k->in[0], make_keeps(k))); }

bool make_var(maker *k)
{
	avalue *off = make2(k, "jnp.subtract", k->in[0], mean_of(k, k->in[0], true), NULL);
	avalue *var = mean_of(k, make2(k, "lax.mul", off, off, NULL), make_keeps(k));
	return make_out(k, k->op->how ? make1(k, "lax.sqrt", var, NULL) : var);
}

bool make_norm(maker *k)
{
	avalue *squares = make2(k, "lax.mul", k->in[0], k->in[0], NULL);
	return make_out(k, make1(k, "lax.sqrt",
	                         make_reduce(k, "lax.reduce_sum", squares, make_keeps(k)), NULL));
}

/* ---- bounds and choices ---------------------------------------------------------------------- */

bool make_clip(maker *k)
{
	avalue *low = make2(k, "jnp.maximum", k->in[0], k->in[1], NULL);
	return make_out(k, make2(k, "jnp.minimum", low, k->in[2], NULL));
}

/* A case or predicate with the shape that all three broadcast to; a predicate also takes the
 * sharding of the cases where it was broadcast. */
static avalue *as_wide(maker *k, avalue *v, const atype *like, dtype t, bool sharded)
{
	params *a = make_ints(k, "shape", like->dim, like->rank);
	const pspec *s = pspec_of(k->ctx, like);
	bool same = v && v->type->rank == like->rank;
	for (int d = 0; same && d < like->rank; d++)
		same = v->type->dim[d] == like->dim[d] &&
		       (!sharded || v->type->spec[d] == like->spec[d]);
	if (v && v->type->dtype != t) {
		params *to = make_attrs(k);
		params_set(&k->ctx->scratch, to,
		           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t});
		v = make1(k, "lax.convert_element_type", v, to);
	}
	if (same)
		return v;
	if (sharded && atype_is_sharded(like))
		params_set(&k->ctx->scratch, a,
		           (param){.key = "out_sharding", .kind = PK_SPECS, .n = 1, .specs = &s});
	return make1(k, "jnp.broadcast_to", v, a);
}

static bool shapes_equal(const atype *a, const atype *b)
{
	return a->rank == b->rank && memcmp(a->dim, b->dim, sizeof *a->dim * (size_t)a->rank) == 0;
}

/* What the operands from `first` on broadcast to, with the one sharding that they agree on. */
static bool where_common(maker *k, int first, atype *like)
{
	for (int i = first; i < 3; i++)
		if (i == first || k->in[i]->type->rank > like->rank)
			*like = *k->in[i]->type;
	memset(like->spec, 0, sizeof like->spec);
	for (int i = first; i < 3; i++) {
		const atype *t = k->in[i]->type;
		for (int d = 0; d < t->rank; d++) {
			int at = d + like->rank - t->rank;
			if (like->dim[at] == 1 && t->dim[d] != 1)
				like->dim[at] = t->dim[d];
			if (t->spec[d] && like->spec[at] && t->spec[d] != like->spec[at])
				return diag_error(
					k->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
					"where got incompatible shardings for broadcasting: %s and %s",
					atype_text(k->ctx, t, TYPE_SHORT),
					atype_text(k->ctx, like, TYPE_SHORT));
			if (t->spec[d])
				like->spec[at] = t->spec[d];
		}
	}
	return true;
}

/* Operands of one shape stay as they are; else all are broadcast alike. */
bool make_where(maker *k)
{
	atype like;
	bool weak, scalar = !k->in[0]->type->rank;
	bool alike = shapes_equal(k->in[1]->type, k->in[2]->type) &&
	             (scalar || shapes_equal(k->in[0]->type, k->in[1]->type));
	if (alike)
		like = *k->in[1]->type;
	else if (!where_common(k, scalar, &like))
		return false;
	dtype t = dtype_meet(k->in[1]->type, k->in[2]->type, &weak);
	avalue *in[] = {scalar ? k->in[0] : as_wide(k, k->in[0], &like, DT_I1, !alike),
	                as_wide(k, k->in[1], &like, t, !alike),
	                as_wide(k, k->in[2], &like, t, !alike)};
	avalue *out;
	return in[0] && in[1] && in[2] &&
	       array_emit(k->ctx, "lax.select", in, 3, NULL, &out, 1) == 1 && make_out(k, out);
}
