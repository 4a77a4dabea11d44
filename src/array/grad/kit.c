/* kit.c - helpers for the derivative rules. */
#include "array/grad/grad.h"

avalue *back1(backward *b, const char *op, avalue *x, const params *a)
{
	avalue *out = NULL;
	if (!x || array_emit(b->ctx, op, &x, 1, a, &out, 1) != 1)
		b->failed = true;
	return b->failed ? NULL : out;
}

avalue *back2(backward *b, const char *op, avalue *x, avalue *y, const params *a)
{
	avalue *out = NULL, *in[] = {x, y};
	if (!x || !y || array_emit(b->ctx, op, in, 2, a, &out, 1) != 1)
		b->failed = true;
	return b->failed ? NULL : out;
}

avalue *back_times(backward *b, avalue *x, avalue *y)
{
	return back2(b, "jnp.multiply", x, y, NULL);
}

avalue *back_number(backward *b, double v)
{
	params a = {0};
	avalue *out = NULL;
	params_set(&b->ctx->scratch, &a,
	           (param){.key = "value", .kind = PK_NUMBER, .n = 1, .number = v});
	if (array_emit(b->ctx, "scalar", NULL, 0, &a, &out, 1) != 1)
		b->failed = true;
	return out;
}

params *back_ints(backward *b, const char *key, const int64_t *v, int n)
{
	params *a = NEW(&b->ctx->scratch, params);
	params_set_ints(&b->ctx->scratch, a, key, v, n);
	return a;
}

params *back_params(backward *b) { return params_copy(&b->ctx->scratch, b->node->attrs); }

/* Sets out_sharding (or another key) to the sharding of t. */
params *back_spec(backward *b, params *a, const char *key, const atype *t)
{
	const pspec *s = pspec_of(b->ctx, t);
	if (!a)
		a = NEW(&b->ctx->scratch, params);
	if (t->mesh && amesh_axes_of_kind(t->mesh, AXIS_EXPLICIT))
		params_set(&b->ctx->scratch, a,
		           (param){.key = key,
		                   .kind = PK_SPECS,
		                   .n = 1,
		                   .specs = COPY_N(&b->ctx->scratch, &s, 1)});
	return a;
}

avalue *again(backward *b, int i) { return ptr_map_get(&b->again, b->node->in[i]); }

avalue *again_out(backward *b) { return ptr_map_get(&b->again, b->node->out[0]); }

avalue *back_apply(backward *b, const char *op, avalue *first, int from, int to, avalue *last,
                   const params *a)
{
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, b->node->n_in + 2), *out = NULL;
	int n = 0;
	in[n++] = first;
	if (last && strcmp(op, "lax.dynamic_update_slice") == 0)
		in[n++] = last;
	for (int i = from; i < to; i++)
		in[n++] = again(b, i);
	if (last && strcmp(op, "lax.dynamic_update_slice") != 0)
		in[n++] = last;
	if (!first || array_emit(b->ctx, op, in, n, a, &out, 1) != 1)
		b->failed = true;
	return out;
}

/* Sums over broadcast dimensions, until ct has the shape of t. */
static avalue *back_unbroadcast(backward *b, avalue *ct, const atype *t)
{
	atype want = atype_cotangent(t);
	int64_t axes[ARRAY_MAX_RANK];
	int n = 0, lead;
	if (!ct)
		return NULL;
	lead = ct->type->rank - t->rank;
	for (int d = 0; d < ct->type->rank; d++)
		if (d < lead || (t->dim[d - lead] == 1 && ct->type->dim[d] != 1))
			axes[n++] = d;
	if (n) {
		atype flat = want;
		flat.rank = 0;
		for (int d = 0; d < t->rank; d++)
			if (!(t->dim[d] == 1 && ct->type->dim[d + lead] != 1)) {
				flat.dim[flat.rank] = want.dim[d];
				flat.spec[flat.rank++] = want.spec[d];
			}
		ct = back1(b, "lax.reduce_sum", ct,
		           back_spec(b, back_ints(b, "axes", axes, n), "out_sharding", &flat));
		if (flat.rank != t->rank)
			ct = back1(b, "lax.reshape", ct,
			           back_spec(b, back_ints(b, "new_sizes", t->dim, t->rank),
			                     "out_sharding", &want));
	}
	return ct;
}

avalue *back_ct(backward *b, int i) { return ptr_map_get(&b->cotangents, b->node->out[i]); }

bool is_active(const backward *b, const avalue *v) { return ptr_map_get(&b->active, v) != NULL; }

/* Returns the attribute with manual axes: "X,Y". */
static params *manual_axes(backward *b, const amesh *m, axis_set over)
{
	params *a = NEW(&b->ctx->scratch, params);
	writer w;
	writer_init(&w, &b->ctx->scratch);
	for (int i = 0; i < m->n; i++)
		if (over >> i & 1)
			put_f(&w, "%s%s", over & (((axis_set)1 << i) - 1) ? "," : "",
			      m->axis[i]->s);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "axes", .kind = PK_TEXT, .n = 1, .text = writer_str(&w)});
	return a;
}

avalue *back_over(backward *b, const char *op, const char *to, avalue *ct, axis_set axes)
{
	if (!ct || !axes)
		return ct;
	params *a = manual_axes(b, ct->type->mesh, axes);
	if (to)
		params_set(&b->ctx->scratch, a,
		           (param){.key = "to", .kind = PK_TEXT, .n = 1, .text = str_of(to)});
	return back1(b, op, ct, a);
}

/* Converts a cotangent along manual axes to its required type. If it varies and the value does not,
 * it is summed, or cast to unreduced if the value is reduced; if it is unreduced and should not be,
 * it is summed. If the value varies and the cotangent does not, it is cast to varying; if the value
 * is unreduced, the cotangent is cast to reduced. */
static avalue *back_along_manual(backward *b, avalue *ct, const atype *want)
{
	axis_set manual = ct ? amesh_axes_of_kind(ct->type->mesh, AXIS_MANUAL) : 0;
	if (!manual || array_state_of(b->ctx)->unchecked)
		return ct;
	const atype *t = ct->type;
	axis_set parts = t->varying & ~want->varying & manual;
	axis_set sums = t->unreduced & ~want->unreduced & manual;
	axis_set spread = want->varying & ~t->varying & ~t->unreduced & manual;
	axis_set same = want->reduced & ~t->reduced & ~t->varying & manual;
	ct = back_over(b, "lax.psum", NULL, ct, parts & ~want->unreduced);
	ct = back_over(b, "lax.psum", NULL, ct, sums);
	ct = back_over(b, "lax.pcast", "unreduced", ct, parts & want->unreduced);
	ct = back_over(b, "lax.pcast", "varying", ct, spread);
	return back_over(b, "lax.pcast", "reduced", ct, same);
}

avalue *back_fit(backward *b, avalue *ct, const atype *want)
{
	if (ct && ct->type->dtype != want->dtype) {
		params *a = NEW(&b->ctx->scratch, params);
		params_set(&b->ctx->scratch, a,
		           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = want->dtype});
		ct = back1(b, "lax.convert_element_type", ct, a);
	}
	ct = back_along_manual(b, ct, want);
	if (ct && want->mesh && (!atype_same_spec(ct->type, want) || ct->type->mesh != want->mesh))
		ct = emit_reshard(b->ctx, ct, pspec_of(b->ctx, want), want->mesh);
	b->failed |= !ct;
	return ct;
}

void back_give(backward *b, int i, avalue *ct)
{
	const avalue *to = b->node->in[i];
	atype want = atype_cotangent(to->type);
	if (b->failed || !ct || !dtype_is_float(to->type->dtype) || !is_active(b, to))
		return;
	ct = back_fit(b, back_unbroadcast(b, ct, to->type), &want);
	void **slot = ptr_map_at(&b->cotangents, &b->ctx->scratch, to);
	avalue *before = *slot, *sum = before && ct ? back2(b, "lax.add", before, ct, NULL) : ct;
	if (!sum)
		b->failed = true;
	*ptr_map_at(&b->cotangents, &b->ctx->scratch, to) = sum;
}

avalue *back_zeros(backward *b, const atype *primal)
{
	atype want = atype_cotangent(primal);
	params *a = back_spec(b, back_ints(b, "shape", want.dim, want.rank), "out_sharding", &want);
	avalue *out = NULL;
	params_set(&b->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = want.dtype});
	if (array_emit(b->ctx, "jnp.zeros", NULL, 0, a, &out, 1) != 1)
		b->failed = true;
	return out;
}
