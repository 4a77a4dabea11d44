/* implicit.c - communication that types do not show.
 *
 * Some operations are accepted although their operands are not where they are needed: a contraction
 * that is sharded on one side only, or slices of a sharded dimension that change places. The
 * compiler inserts the collective; tess_array_set_comm() makes this a warning or an error, reported
 * at the operation. */
#include "array/typed/typed.h"

/* Returns a sharded dimension along which the size or the positions change; -1 if there is none. */
static int moved_dim(const typing *q, const atype *out)
{
	const atype *x = q->in[0];
	for (int d = 0; d < x->rank && x->rank == out->rank; d++)
		if (x->spec[d] && x->dim[d] != out->dim[d])
			return d;
	return -1;
}

static bool named_dim_sharded(const typing *q, const char *key, const atype *x)
{
	const int64_t *v;
	int n = param_ints(q->attrs, key, &v);
	for (int i = 0; i < n; i++) {
		int64_t d = v[i] < 0 ? v[i] + x->rank : v[i];
		if (d >= 0 && d < x->rank && x->spec[d])
			return true;
	}
	return false;
}

/* True if a contracting dimension is sharded on one side only, or differently. */
static bool one_side_contracted(const typing *q)
{
	const int64_t *l, *r;
	int n = param_ints(q->attrs, "lhs_contract", &l);
	if (param_ints(q->attrs, "rhs_contract", &r) != n)
		return false;
	for (int i = 0; i < n; i++) {
		int64_t a = l[i] < 0 ? l[i] + q->in[0]->rank : l[i],
			b = r[i] < 0 ? r[i] + q->in[1]->rank : r[i];
		if (q->in[0]->spec[a] != q->in[1]->spec[b])
			return true;
	}
	return false;
}

/* True for a merge whose first dimension is sharded into parts of several rows: the parts of the
 * result would interleave. */
static bool merge_interleaves(const typing *q, const atype *out)
{
	const atype *x = q->in[0];
	for (int d = 0, at = 0; d < out->rank; d++) {
		int64_t size = 1;
		bool partly = false;
		while (at < x->rank && size < out->dim[d]) {
			if (partly && x->spec[at])
				return true;
			partly |= x->spec[at] && x->dim[at] != axis_seq_size(x->mesh, x->spec[at]);
			size *= x->dim[at++];
		}
	}
	return false;
}

/* Describes the implicit communication; NULL if there is none. */
static const char *implicit_communication(const typing *q, const atype *out)
{
	static const char *const movers[] = {"slice", "split", "array_split",
	                                     "pad",   "pad1",  "dynamic_slice"};
	const atype *x = q->in[0];
	for (int i = 0; i < COUNT(movers); i++)
		if (strcmp(q->name, movers[i]) == 0 && moved_dim(q, out) >= 0)
			return "a collective-permute: pieces of a sharded dimension change places";
	if (strcmp(q->name, "dot_general") == 0 && one_side_contracted(q))
		return "an all-gather: a contracted dimension is sharded on one side only";
	if (strcmp(q->name, "concatenate") == 0 && named_dim_sharded(q, "dimension", x))
		return "an all-to-all: operands are joined along a sharded dimension";
	if (strcmp(q->name, "rev") == 0 && named_dim_sharded(q, "dimensions", x))
		return "a collective-permute: a sharded dimension is reversed";
	if (strcmp(q->name, "dynamic_update_slice") == 0 && atype_is_sharded(q->in[1]))
		for (int d = 0; d < x->rank; d++)
			if (x->spec[d] && x->dim[d] != q->in[1]->dim[d])
				return "all-gathers: part of a sharded dimension is written";
	if ((strcmp(q->name, "argmax") == 0 || strcmp(q->name, "argmin") == 0) &&
	    (param_has(q->attrs, "axis") ? named_dim_sharded(q, "axis", x) : atype_is_sharded(x)))
		return "an all-gather: the place of an extreme is looked for along a sharded dimension";
	if (strcmp(q->name, "fft") == 0 && x->rank && x->spec[x->rank - 1])
		return "an all-gather: a sharded dimension is transformed";
	if (strcmp(q->name, "reshape") == 0 && merge_interleaves(q, out))
		return "an all-to-all: the pieces of merged dimensions interleave";
	return NULL;
}

bool typed_communication(typing *q)
{
	comm_level level = array_state_of(q->ctx)->comm;
	const char *what = level != COMM_ALLOW && q->n_in && q->out.len
	                           ? implicit_communication(q, &q->out.ptr[0])
	                           : NULL;
	if (!what)
		return true;
	if (level == COMM_DENY)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_IMPLICIT,
		                  "%s of %s needs %s; reshard first", q->name,
		                  typed_operands_text(q, q->n_in), what);
	diag_warn(q->ctx, NOWHERE, E_ARRAY_IMPLICIT, "%s of %s needs %s", q->name,
	          typed_operands_text(q, q->n_in), what);
	return true;
}
