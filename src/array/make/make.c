/* make.c - helpers of makers; powers, statistics, clip and where. */
#include "array/expand/expand.h"
#include "array/typed/typed.h"

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

avalue *make_number_like(maker *k, double v, const avalue *x)
{
	return x && dtype_is_int(x->type->dtype) ? ex_int(k, (int64_t)v) : make_number(k, v);
}

avalue *make_scaled(maker *k, avalue *x, double by)
{
	return make2(k, "jnp.multiply", x, make_number(k, by), NULL);
}

avalue *make_slice_by(maker *k, avalue *x, int dim, int64_t from, int64_t to, int64_t by)
{
	int64_t start[ARRAY_MAX_RANK] = {0}, limit[ARRAY_MAX_RANK], step[ARRAY_MAX_RANK];
	if (!x)
		return NULL;
	for (int d = 0; d < x->type->rank; d++) {
		limit[d] = d == dim ? to : x->type->dim[d];
		step[d] = d == dim ? by : 1;
	}
	start[dim] = from;
	params *a = make_ints(k, "start_indices", start, x->type->rank);
	make_more(k, a, "limit_indices", limit, x->type->rank);
	if (by != 1)
		make_more(k, a, "strides", step, x->type->rank);
	return make1(k, "lax.slice", x, a);
}

avalue *make_slice(maker *k, avalue *x, int dim, int64_t from, int64_t to)
{
	return make_slice_by(k, x, dim, from, to, 1);
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

avalue *make_float(maker *k, avalue *x)
{
	return x && dtype_is_int(x->type->dtype) ? ex_convert(k, x, DT_F32) : x;
}

bool out_sharding_shows(maker *k)
{
	const pspec *s = param_spec(k->attrs, "out_sharding");
	atype any = {.dtype = DT_F32, .rank = s ? s->n : 0, .mesh = array_state_of(k->ctx)->mesh};
	return !s || !any.mesh || atype_shard(k->ctx, &any, s, k->op->name);
}

bool make_axes(maker *k, const atype *t, int64_t *out, int *n)
{
	const int64_t *v;
	int given = param_ints(k->attrs, "axis", &v), axis;
	*n = 0;
	if (given > t->rank)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s: there are too many axes",
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

/* Returns how many elements are reduced to one. */
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

/* ---- powers ------------------------------------------------------------------------------- */

/* how: booleans count as numbers. */
bool make_square(maker *k)
{
	avalue *x = k->in[0];
	if (k->op->how && x->type->dtype == DT_I1)
		x = ex_convert(k, x, DT_I32);
	return make_out(k, make2(k, "lax.mul", x, x, NULL));
}

/* By repeated squaring. */
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

/* ---- statistics ------------------------------------------------------------------------------ */

static avalue *mean_of(maker *k, avalue *x, bool keep)
{
	avalue *sum = make_reduce(k, "lax.reduce_sum", x, keep);
	return make2(k, "jnp.divide", sum, make_number(k, make_count(k, k->in[0]->type)), NULL);
}

/* Statistics of integers are floats; those of 16-bit floats are computed in 32 bits. */
static avalue *for_statistics(maker *k, avalue *x)
{
	bool half = dtype_is_float(x->type->dtype) && dtype_bits(x->type->dtype) <= 16;
	return half ? ex_convert(k, x, DT_F32) : make_float(k, x);
}

static bool statistic_out(maker *k, avalue *v)
{
	dtype t = k->in[0]->type->dtype;
	return make_out(k, dtype_is_float(t) ? ex_convert(k, v, t) : v);
}

bool make_mean(maker *k)
{
	avalue *x = for_statistics(k, k->in[0]);
	return statistic_out(k, mean_of(k, x, make_keeps(k)));
}

bool make_var(maker *k)
{
	avalue *x = for_statistics(k, k->in[0]);
	avalue *off = make2(k, "jnp.subtract", x, mean_of(k, x, true), NULL);
	avalue *var = mean_of(k, make2(k, "lax.mul", off, off, NULL), make_keeps(k));
	return statistic_out(k, k->op->how ? make1(k, "lax.sqrt", var, NULL) : var);
}

bool make_norm(maker *k)
{
	avalue *x = make_float(k, k->in[0]), *squares = make2(k, "lax.mul", x, x, NULL);
	return make_out(k, make1(k, "lax.sqrt",
	                         make_reduce(k, "lax.reduce_sum", squares, make_keeps(k)), NULL));
}

/* ---- bounds and choices ---------------------------------------------------------------------- */

bool make_clip(maker *k)
{
	avalue *low = make2(k, "jnp.maximum", k->in[0], k->in[1], NULL);
	return make_out(k, make2(k, "jnp.minimum", low, k->in[2], NULL));
}

/* Broadcasts a case or predicate to the common shape; a predicate also gets the sharding of the
 * cases if it was broadcast. */
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

/* Computes the common shape of the operands from `first` on, and their common sharding. */
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

/* Operands of the same shape are unchanged; otherwise all are broadcast. */
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

/* ---- statistics that ignore NaN ------------------------------------------------------------- */

static avalue *is_none(maker *k, avalue *x) { return make2(k, "lax.ne", x, x, NULL); }

/* Replaces NaN in x by a number. */
static avalue *none_as(maker *k, avalue *x, double v)
{
	avalue *in[] = {is_none(k, x), make_number(k, v), x}, *out;
	return in[0] && in[1] && array_emit(k->ctx, "jnp.where", in, 3, NULL, &out, 1) == 1 ? out
	                                                                                     : NULL;
}

/* nansum, nanprod, nanmax, nanmin; the extreme of NaN only is NaN. */
bool make_nan_reduce(maker *k)
{
	static const struct {
		const char *op;
		double start;
	} hows[] = {{"jnp.sum", 0}, {"jnp.prod", 1}, {"lax.reduce_max", -HUGE_VAL},
	            {"lax.reduce_min", HUGE_VAL}};
	avalue *x = k->in[0], *out;
	bool extreme = k->op->how >= 2, keep = make_keeps(k);
	if (dtype_is_int(x->type->dtype))
		return make_out(k, make_reduce(k, hows[k->op->how].op, x, keep));
	out = make_reduce(k, hows[k->op->how].op, none_as(k, x, hows[k->op->how].start), keep);
	if (extreme) {
		avalue *in[] = {make_reduce(k, "lax.reduce_and", is_none(k, x), keep),
		                make_number(k, NAN), out};
		if (!in[0] || !in[1] || !out ||
		    array_emit(k->ctx, "jnp.where", in, 3, NULL, &out, 1) != 1)
			return false;
	}
	return make_out(k, out);
}

bool make_nanmean(maker *k)
{
	avalue *x = k->in[0], *any;
	params *a = make_attrs(k);
	if (dtype_is_int(x->type->dtype))
		return make_mean(k);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = x->type->dtype});
	any = make1(k, "lax.convert_element_type", make2(k, "lax.eq", x, x, NULL), a);
	return make_out(k, make2(k, "lax.div",
	                         make_reduce(k, "lax.reduce_sum", none_as(k, x, 0), make_keeps(k)),
	                         make_reduce(k, "lax.reduce_sum", any, make_keeps(k)), NULL));
}

bool make_ptp(maker *k)
{
	avalue *most = make_reduce(k, "lax.reduce_max", k->in[0], make_keeps(k));
	avalue *least = make_reduce(k, "lax.reduce_min", k->in[0], make_keeps(k));
	return make_out(k, make2(k, "lax.sub", most, least, NULL));
}

/* ---- inside a shard_map --------------------------------------------------------------------- */

/* Returns the number of devices, or of mapped elements, along the axes. */
bool make_axis_size(maker *k)
{
	comm_reach c;
	params *a = make_attrs(k);
	avalue *out;
	if (!comm_reach_of(k->ctx, "axis_size", array_state_of(k->ctx)->mesh, k->attrs, &c))
		return false;
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = DT_I32});
	params_set(&k->ctx->scratch, a,
	           (param){.key = "value", .kind = PK_NUMBER, .n = 1,
	                   .number = (double)c.size});
	return array_emit(k->ctx, "scalar", NULL, 0, a, &out, 1) == 1 && make_out(k, out);
}

/* Emits an operation with the given parameters and the kind that the result is cast to. */
static bool made_to(maker *k, const char *op, const char *to)
{
	params *a = params_copy(&k->ctx->scratch, k->attrs);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "to", .kind = PK_TEXT, .n = 1, .text = str_of(to)});
	return make_out(k, make1(k, op, k->in[0], a));
}

bool make_pvary(maker *k) { return made_to(k, "lax.pcast", "varying"); }
bool make_gather_invariant(maker *k) { return made_to(k, "lax.all_gather", "invarying"); }
