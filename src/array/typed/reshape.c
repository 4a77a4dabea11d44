/* reshape.c - typing of reshapes: the shardings of dimensions are carried over, with at most one
 * dimension split or one range of them merged.
 *
 * Dimensions of size 1 are set aside first. If the remaining ones are equal on both sides, their
 * entries are carried over, and dimensions of size 1 are unsharded unless nothing changes at all.
 * Otherwise a dimension of 1 that stays in place keeps its entry; and after removing equal
 * dimensions at the front and back, a single one must be left before (a split) or after (a merge).
 *
 *   split: axes are assigned left to right; each part takes axes while it has more than one
 *          element per device, and an axis that does not divide it is an error;
 *   merge: unsharded dimensions at the end of the range are dropped; one before a sharded
 *          one is an error; the rest is joined. */
#include "array/typed/typed.h"

typedef struct dim_run {
	int at[ARRAY_MAX_RANK]; /* dimensions with more than one element */
	int n;
} dim_run;

static dim_run true_dims(const atype *t)
{
	dim_run r = {0};
	for (int d = 0; d < t->rank; d++)
		if (t->dim[d] != 1)
			r.at[r.n++] = d;
	return r;
}

/* Dimensions of size 1 that stay in place keep their axes. */
static void keep_singles(const atype *in, atype *out)
{
	for (int d = 0; d < in->rank && d < out->rank; d++)
		if (in->dim[d] == 1 && out->dim[d] == 1)
			out->spec[d] = in->spec[d];
}

static bool deal_axes(const atype *in, int from, atype *out, const int *to, int n)
{
	axis_seq left = in->spec[from];
	for (int i = 0; i < n; i++) {
		int64_t size = out->dim[to[i]];
		while (left && size > 1) {
			int axis = axis_seq_at(left, 0);
			int64_t parts = in->mesh->size[axis];
			if (size % parts)
				return false;
			size /= parts;
			out->spec[to[i]] = axis_seq_add(out->spec[to[i]], axis);
			left >>= 4;
		}
	}
	return !left;
}

static bool merge_dims(const atype *in, const int *from, int n, atype *out, int to)
{
	while (n > 0 && !in->spec[from[n - 1]])
		n--;
	for (int i = 0; i < n; i++) {
		if (!in->spec[from[i]])
			return false;
		out->spec[to] = axis_seq_join(out->spec[to], in->spec[from[i]]);
	}
	return true;
}

bool reshape_spec(const atype *in, atype *out)
{
	dim_run a = true_dims(in), b = true_dims(out);
	int front = 0, back = 0;
	while (front < a.n && front < b.n && in->dim[a.at[front]] == out->dim[b.at[front]])
		front++;
	while (back < a.n - front && back < b.n - front &&
	       in->dim[a.at[a.n - 1 - back]] == out->dim[b.at[b.n - 1 - back]])
		back++;
	for (int i = 0; i < front; i++)
		out->spec[b.at[i]] = in->spec[a.at[i]];
	for (int i = 1; i <= back; i++)
		out->spec[b.at[b.n - i]] = in->spec[a.at[a.n - i]];
	int n_a = a.n - front - back, n_b = b.n - front - back;
	if (n_a == 0 && n_b == 0) {
		if (in->rank == out->rank &&
		    memcmp(in->dim, out->dim, sizeof *in->dim * (size_t)in->rank) == 0)
			keep_singles(in, out);
		return true;
	}
	keep_singles(in, out);
	if (n_a == 1)
		return deal_axes(in, a.at[front], out, b.at + front, n_b);
	return n_b == 1 && merge_dims(in, a.at + front, n_a, out, b.at[front]);
}

static bool reshape_sizes(typing *q, atype *out)
{
	const atype *x = q->in[0];
	const int64_t *sizes;
	int n = param_ints(q->attrs, "new_sizes", &sizes);
	int64_t total = 1;
	if (n < 0 || n > ARRAY_MAX_RANK)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "reshape needs new_sizes");
	out->rank = n;
	memset(out->spec, 0, sizeof out->spec);
	for (int d = 0; d < n; d++) {
		out->dim[d] = sizes[d];
		if (sizes[d] < 0 || !mul_ok(total, sizes[d], &total))
			return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "reshape: a size is negative");
	}
	if (total == atype_elements(x))
		return true;
	return diag_error(q->ctx, NOWHERE, E_ARRAY_SHAPE, "reshape of %s to %" PRId64 " elements",
	                  atype_text(q->ctx, x, TYPE_SHORT), total);
}

static bool reshape_given(typing *q, atype *out)
{
	const atype *x = q->in[0];
	if (!typed_out_sharding(q, out))
		return false;
	if (out->unreduced == x->unreduced && out->reduced == x->reduced)
		return true;
	return diag_error(
		q->ctx, NOWHERE, E_ARRAY_REDUCED,
		"out_sharding passed to reshape must be unreduced and reduced over the axes "
		"of the operand, %s; got %s",
		atype_text(q->ctx, x, TYPE_SHORT), atype_text(q->ctx, out, TYPE_SHORT));
}

/* A permutation before the reshape, lax.reshape's `dimensions`. As in JAX, the rule looks at the
 * unpermuted operand, so that a sharded dimension can only be carried over. */
static bool reshape_permuted(typing *q, const atype *x)
{
	const int64_t *perm;
	int n = param_ints(q->attrs, "dimensions", &perm);
	uint32_t seen = 0;
	for (int d = 0; d < n; d++) {
		if (n != x->rank || perm[d] < 0 || perm[d] >= n || seen >> perm[d] & 1)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "reshape: dimensions must be a permutation");
		seen |= 1u << perm[d];
	}
	return true;
}

/* True if only dimensions of 1 were added or removed. */
static bool same_true_dims(const atype *x, const atype *out)
{
	dim_run a = true_dims(x), b = true_dims(out);
	bool same = a.n == b.n;
	for (int i = 0; same && i < a.n; i++)
		same = x->dim[a.at[i]] == out->dim[b.at[i]];
	return same;
}

bool typed_reshape(typing *q)
{
	atype x = *q->in[0];
	atype *out = typed_out(q, &x);
	if (!reshape_permuted(q, &x) || !reshape_sizes(q, out))
		return false;
	if (param_has(q->attrs, "out_sharding"))
		return reshape_given(q, out);
	bool carried = !param_has(q->attrs, "dimensions") || same_true_dims(&x, out);
	if (!atype_is_sharded(&x) || (carried && reshape_spec(&x, out)))
		return true;
	memset(out->spec, 0, sizeof out->spec);
	diag_error(
		q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
		"this reshape is not supported: pass out_sharding. Got operand type %s, to become %s",
		atype_text(q->ctx, &x, TYPE_SHORT), atype_text(q->ctx, out, TYPE_SHORT));
	for (int d = 0; d < out->rank && d < x.rank && !out->spec[0]; d++)
		out->spec[0] = x.spec[d];
	typed_note_choices(q, out);
	return false;
}
