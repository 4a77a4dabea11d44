/* create.c - typing of creation and random numbers: unsharded unless out_sharding is given. */
#include "array/typed/typed.h"

static bool create_shape(typing *q, atype *out)
{
	const int64_t *shape;
	int n = param_ints(q->attrs, "shape", &shape);
	int64_t total = 1;
	if (n > ARRAY_MAX_RANK)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "there are too many dimensions");
	for (int d = 0; d < n; d++) {
		out->dim[out->rank++] = shape[d];
		if (shape[d] < 0 || !mul_ok(total, shape[d], &total))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "%s: a size is negative or too large", q->name);
	}
	return true;
}

/* zeros, ones, full, iota, linspace. EW_FLOAT: from Python numbers, weak. */
bool typed_create(typing *q)
{
	atype t = atype_scalar(param_dtype(q->attrs, "dtype", DT_F32), q->mesh);
	const param *value = param_find(q->attrs, "fill_value");
	if (!create_shape(q, &t))
		return false;
	if (param_has(q->attrs, "num")) {
		t.rank = 1;
		t.dim[0] = param_int(q->attrs, "num", 0);
	}
	int64_t along = param_int(q->attrs, "dimension", 0);
	if (param_has(q->attrs, "dimension") && (along < 0 || along >= t.rank))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "%s: dimension %" PRId64 " of a value of rank %d", q->name, along,
		                  t.rank);
	t.weak = value && !param_has(q->attrs, "dtype");
	return typed_out_sharding(q, typed_out(q, &t));
}

/* full(value): the value's type, broadcast, with its sharding on the last dimensions. */
bool typed_full(typing *q)
{
	if (!q->n_in)
		return typed_create(q);
	const atype *x = q->in[0];
	atype t = *x;
	t.rank = 0;
	if (!create_shape(q, &t) || t.rank < x->rank)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "full: the value does not fit");
	for (int d = 0; d < t.rank; d++) {
		int from = d - (t.rank - x->rank);
		t.spec[d] = from >= 0 && x->dim[from] == t.dim[d] ? x->spec[from] : 0;
	}
	return typed_out_sharding(q, typed_out(q, &t));
}

bool typed_arange(typing *q)
{
	atype t = atype_scalar(param_dtype(q->attrs, "dtype", DT_I32), q->mesh);
	int64_t from = param_int(q->attrs, "start", 0), to = param_int(q->attrs, "stop", 0);
	t.rank = 1;
	t.dim[0] = to > from ? to - from : 0;
	return typed_out_sharding(q, typed_out(q, &t));
}

/* eye, tri: a square matrix, never sharded. */
bool typed_square_matrix(typing *q)
{
	atype t = atype_scalar(param_dtype(q->attrs, "dtype", DT_F32), q->mesh);
	if (param_has(q->attrs, "out_sharding"))
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "%s takes no out_sharding",
		                  q->name);
	t.rank = 2;
	t.dim[0] = param_int(q->attrs, "n", 0);
	t.dim[1] = param_int(q->attrs, "m", t.dim[0]);
	typed_out(q, &t);
	return true;
}

/* zeros_like and others; array(x, out_sharding). */
bool typed_like(typing *q)
{
	atype *out = typed_out(q, q->in[0]);
	out->dtype = param_dtype(q->attrs, "dtype", out->dtype);
	return typed_out_sharding(q, out);
}

/* A plain number of C. */
bool typed_scalar(typing *q)
{
	atype t = atype_scalar(param_dtype(q->attrs, "dtype", DT_F32), q->mesh);
	t.weak = !param_has(q->attrs, "strong") && t.dtype != DT_I1;
	typed_out(q, &t);
	return true;
}

/* ---- random ------------------------------------------------------------------------------ */

static bool key_is_single(typing *q)
{
	if (q->in[0]->key && q->in[0]->rank == 0)
		return true;
	return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
	                  "%s accepts a single key, but was given %s; use vmap for batching",
	                  q->name, atype_text(q->ctx, q->in[0], TYPE_SHORT));
}

/* EW_BOOL, EW_PART (bits), EW_LINEAR (integers): what is drawn. */
bool typed_random(typing *q)
{
	int how = q->op->how;
	dtype drawn = how & EW_BOOL     ? DT_I1
	              : how & EW_PART   ? DT_UI32
	              : how & EW_LINEAR ? DT_I32
	                                : DT_F32;
	atype t = atype_scalar(param_dtype(q->attrs, "dtype", drawn), q->mesh);
	return key_is_single(q) && create_shape(q, &t) && typed_out_sharding(q, typed_out(q, &t));
}

bool typed_random_key(typing *q)
{
	atype t = atype_scalar(DT_UI64, q->mesh);
	bool split = strcmp(q->name, "split") == 0;
	t.key = true;
	if (q->n_in && !key_is_single(q))
		return false;
	if (split) {
		t.rank = 1;
		t.dim[0] = param_int(q->attrs, "num", 2);
	}
	if (t.rank && t.dim[0] < 0)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "split: num cannot be negative");
	typed_out(q, &t);
	return true;
}

/* Of 0 … n-1, or of the rows of a value, which are then gathered. */
bool typed_random_permutation(typing *q)
{
	if (!key_is_single(q))
		return false;
	if (q->n_in == 1) {
		atype t = atype_scalar(DT_I32, q->mesh);
		t.rank = 1;
		t.dim[0] = param_int(q->attrs, "x", 0);
		return typed_out_sharding(q, typed_out(q, &t));
	}
	atype *out = typed_out(q, q->in[1]);
	if (q->op->how) { /* choice */
		out->rank = 0;
		memset(out->spec, 0, sizeof out->spec);
		if (!create_shape(q, out))
			return false;
	}
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	return !q->in[1]->rank || !q->in[1]->spec[0] ||
	       diag_error(q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
	                  "pass out_sharding to %s: rows of the sharded %s are looked up", q->name,
	                  atype_text(q->ctx, q->in[1], TYPE_SHORT));
}

bool typed_random_categorical(typing *q)
{
	const atype *x = q->in[1];
	if (!key_is_single(q) || !x->rank)
		return false;
	atype *out = typed_out(q, x);
	out->rank--;
	out->dtype = DT_I32;
	return true;
}
