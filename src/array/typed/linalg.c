/* linalg.c - typing of factorizations and transforms: batch dimensions may be sharded, matrices may
 * not. */
#include "array/typed/typed.h"

static bool matrix_whole(typing *q, const atype *x)
{
	if (x->rank < 2)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_RANK, "%s does not take values of rank %d",
		                  q->name, x->rank);
	if (!x->spec[x->rank - 1] && !x->spec[x->rank - 2])
		return true;
	return diag_error(q->ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
	                  "input 0 to %s must be unsharded on non-batch dimensions, but got %s",
	                  q->name, atype_spec_text(q->ctx, x));
}

/* Adds a result: x's batch dimensions and a matrix, a vector (columns < 0), or none (rows < 0). */
static void factor_out(typing *q, dtype t, int64_t rows, int64_t columns)
{
	atype *out = typed_out(q, q->in[0]);
	int batch = out->rank - 2;
	out->dtype = t;
	out->rank = batch + (rows >= 0) + (columns >= 0);
	for (int d = batch; d < batch + 2; d++)
		out->spec[d] = 0;
	out->dim[batch] = max_i64(rows, 0);
	out->dim[batch + 1] = max_i64(columns, 0);
}

typedef struct factor_sizes {
	int64_t m, n, least, u, v; /* u, v: columns of U or Q, rows of V transposed */
} factor_sizes;

static bool factor_read(typing *q, factor_sizes *s)
{
	const atype *x = q->in[0];
	if (!matrix_whole(q, x) || !typed_no_unreduced(q))
		return false;
	*s = (factor_sizes){.m = x->dim[x->rank - 2], .n = x->dim[x->rank - 1]};
	s->least = min_i64(s->m, s->n);
	bool full = param_int(q->attrs, "full_matrices", 1);
	s->u = full ? s->m : s->least;
	s->v = full ? s->n : s->least;
	return true;
}

bool typed_qr(typing *q)
{
	factor_sizes s;
	if (!factor_read(q, &s))
		return false;
	factor_out(q, q->in[0]->dtype, s.m, s.u);
	factor_out(q, q->in[0]->dtype, s.u, s.n);
	return true;
}

bool typed_svd(typing *q)
{
	dtype t = q->in[0]->dtype;
	factor_sizes s;
	if (!factor_read(q, &s))
		return false;
	factor_out(q, t, s.m, s.u);
	factor_out(q, t, s.least, -1);
	factor_out(q, t, s.v, s.n);
	return true;
}

/* Both triangles in one matrix, the pivots, and the permutation. */
bool typed_lu(typing *q)
{
	factor_sizes s;
	if (!factor_read(q, &s))
		return false;
	factor_out(q, q->in[0]->dtype, s.m, s.n);
	factor_out(q, DT_I32, s.least, -1);
	factor_out(q, DT_I32, s.m, -1);
	return true;
}

/* LAPACK's own results, for functions composed of them. */
bool typed_lapack(typing *q)
{
	dtype t = q->in[0]->dtype;
	factor_sizes s;
	if (!factor_read(q, &s))
		return false;
	bool all = param_int(q->attrs, "all", 0);
	factor_out(q, t, s.m, s.n);
	if (q->op->how == 'q' || q->op->how == 's')
		factor_out(q, t, s.least, -1);
	if (q->op->how == 'e')
		factor_out(q, t, s.n, -1);
	if (q->op->how == 'l')
		factor_out(q, DT_I32, s.least, -1);
	if (q->op->how == 's') {
		factor_out(q, t, s.m, all ? s.m : s.least);
		factor_out(q, t, all ? s.n : s.least, s.n);
	}
	if (strchr("sel", q->op->how))
		factor_out(q, DT_I32, -1, -1);
	return true;
}

/* `how`: four bits for each result: 1 matrix, 2 vector, 3 integer vector, 4 scalar. */
bool typed_factor(typing *q)
{
	const atype *x = q->in[0];
	if (!matrix_whole(q, x) || !typed_no_unreduced(q))
		return false;
	if (x->dim[x->rank - 1] != x->dim[x->rank - 2])
		return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
		                  "%s of %s: the matrix is not square", q->name,
		                  atype_text(q->ctx, x, TYPE_SHORT));
	for (int how = q->op->how; how; how >>= 4) {
		atype *out = typed_out(q, x);
		int kind = how & 15;
		out->rank -= kind == 4 ? 2 : kind != 1;
		if (kind == 3)
			out->dtype = DT_I32;
	}
	return true;
}

static bool batches_agree(typing *q)
{
	const atype *a = q->in[0], *b = q->in[1];
	bool same = a->rank == b->rank && a->rank >= 2;
	for (int d = 0; same && d < a->rank - 2; d++)
		same = a->spec[d] == b->spec[d] && a->dim[d] == b->dim[d];
	return same || diag_error(q->ctx, NOWHERE, E_ARRAY_INCOMPATIBLE,
	                          "all inputs to %s must have the same batch sharding, but got %s",
	                          q->name, typed_operands_text(q, 2));
}

/* a x = b: the contracting dimension of `a` must be unsharded. */
bool typed_triangular_solve(typing *q)
{
	const atype *a = q->in[0], *b = q->in[1];
	bool left = param_int(q->attrs, "left_side", 0),
	     turned = param_int(q->attrs, "transpose_a", 0);
	if (!batches_agree(q))
		return false;
	int summed = a->rank - 1 - (left == turned);
	if (a->spec[summed])
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
			"triangular_solve: `a` must be unsharded on the contracting dimension, but "
			"got %s",
			atype_spec_text(q->ctx, a));
	atype *out = typed_out(q, b);
	int solved = left ? b->rank - 2 : b->rank - 1;
	if (b->spec[solved])
		return diag_error(
			q->ctx, NOWHERE, E_ARRAY_SHARDED_DIM,
			"triangular_solve: `b` must be unsharded on the contracting dimension, but "
			"got %s",
			atype_spec_text(q->ctx, b));
	out->spec[solved] = a->spec[left == turned ? a->rank - 1 : a->rank - 2];
	return true;
}

bool typed_solve(typing *q)
{
	if (!matrix_whole(q, q->in[0]) || !batches_agree(q))
		return false;
	typed_out(q, q->in[1]);
	return true;
}

bool typed_fft(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *lengths;
	tess_str type = param_text(q->attrs, "fft_type");
	int n = param_ints(q->attrs, "fft_lengths", &lengths), last = x->rank - 1;
	if (n < 1 || n > x->rank)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "fft needs fft_lengths");
	for (int i = 0; i < n; i++) {
		int64_t have = x->dim[x->rank - n + i];
		if (have != (i == n - 1 && str_is(type, "IRFFT") ? lengths[i] / 2 + 1 : lengths[i]))
			return diag_error(
				q->ctx, NOWHERE, E_ARRAY_SHAPE,
				"fft: the last dimensions of %s must be equal to fft_lengths",
				atype_text(q->ctx, x, TYPE_SHORT));
	}
	atype *out = typed_out(q, x);
	if (str_is(type, "RFFT")) {
		out->dtype = dtype_complex_of(x->dtype);
		out->dim[last] = lengths[n - 1] / 2 + 1;
	} else if (str_is(type, "IRFFT")) {
		out->dtype = dtype_part_of(x->dtype);
		out->dim[last] = lengths[n - 1];
	}
	return typed_no_unreduced(q) && typed_resized(q, x, out, "fft");
}
