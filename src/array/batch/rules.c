/* rules.c - vmap rules that shift an operation's attributes by one dimension. */
#include "array/batch/batch.h"

static void batch_give(batch *b, const char *op, avalue *const *in, int n_in, const params *a)
{
	const anode *n = b->node;
	atype *types = NEW_N(&b->ctx->scratch, atype, n->n_out + 1);
	for (int i = 0; i < n_in; i++)
		b->failed |= !in[i];
	if (b->failed)
		return;
	for (int i = 0; i < n->n_out; i++)
		types[i] = batch_type(b, n->out[i]->type, 0);
	const anode *made =
		batch_append(b, array_op_named(b->ctx, op), in, n_in, a, types, n->n_out);
	for (int i = 0; i < n->n_out; i++)
		b->out[i] = made->out[i];
}

/* Operands are broadcast, aligned at the last dimension. */
void batch_elementwise(batch *b)
{
	const anode *n = b->node;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	for (int i = 0; i < n->n_in; i++)
		in[i] = b->mapped[i] ? batch_aligned(b, b->in[i], n->out[0]->type->rank) : b->in[i];
	batch_give(b, n->op->name, in, n->n_in, n->attrs);
}

/* All operands must have the shape of the result. */
void batch_alike(batch *b)
{
	const anode *n = b->node;
	int rank = n->out[0]->type->rank;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	for (int i = 0; i < n->n_in && !b->failed; i++) {
		in[i] = batch_aligned(b, batch_operand(b, i), rank);
		atype t = batch_type(b, n->out[0]->type, 0);
		bool same = true;
		t.dtype = n->in[i]->type->dtype;
		for (int d = 0; d < t.rank; d++)
			same &= in[i]->type->dim[d] == t.dim[d];
		if (!same)
			in[i] = batch_node(b, "jnp.broadcast_to", &in[i], 1,
			                   batch_ints(b, NULL, "shape", t.dim, t.rank), &t);
	}
	batch_give(b, n->op->name, in, n->n_in, n->attrs);
}

/* Operations on the last dimensions only: factorizations, transforms, x[..., k]. */
void batch_leading(batch *b)
{
	const anode *n = b->node;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	for (int i = 0; i < n->n_in; i++)
		in[i] = batch_operand(b, i);
	batch_give(b, n->op->name, in, n->n_in, n->attrs);
}

/* Shifts the dimensions that an attribute lists; absent: all, or reversed. */
static void batch_dims(batch *b, const char *key, params *a)
{
	const int64_t *v;
	int64_t out[ARRAY_MAX_RANK];
	int rank = b->node->in[0]->type->rank, n = param_ints(b->node->attrs, key, &v);
	for (int i = 0; i < (n < 0 ? rank : n); i++)
		out[i] = n < 0 ? i + 1 : v[i] < 0 ? v[i] + rank + 1 : v[i] + 1;
	batch_ints(b, a, key, out, n < 0 ? rank : n);
}

void batch_reduce(batch *b)
{
	params *a = batch_params(b);
	const char *key = param_has(a, "axes")         ? "axes"
	                  : param_has(a, "dimensions") ? "dimensions"
	                                               : "axis";
	batch_dims(b, key, a);
	batch_give(b, b->node->op->name, b->in, 1, a);
}

void batch_rev(batch *b)
{
	params *a = batch_params(b);
	batch_dims(b, "dimensions", a);
	batch_give(b, "lax.rev", b->in, 1, a);
}

/* Shifts a single dimension, given by a key. */
static void batch_along(batch *b, const char *key, int otherwise, int rank)
{
	const anode *n = b->node;
	params *a = batch_params(b);
	int64_t at = param_int(n->attrs, key, otherwise);
	at = at < 0 ? at + rank + 1 : at + 1;
	batch_ints(b, a, key, &at, 1);
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	for (int i = 0; i < n->n_in; i++)
		in[i] = batch_operand(b, i);
	batch_give(b, n->op->name, in, n->n_in, a);
}

void batch_axis(batch *b)
{
	const atype *x = b->node->in[0]->type;
	if (param_has(b->node->attrs, "axis")) {
		batch_along(b, "axis", 0, x->rank);
		return;
	}
	atype flat = *x; /* all elements in order */
	flat.rank = 1;
	flat.dim[0] = atype_elements(x);
	flat.spec[0] = 0;
	flat = batch_type(b, &flat, 0);
	int64_t one = 1;
	avalue *v = x->rank == 1 ? b->in[0] : batch_reshape(b, b->in[0], &flat);
	batch_give(b, b->node->op->name, &v, 1, batch_ints(b, batch_params(b), "axis", &one, 1));
}

void batch_stack(batch *b) { batch_along(b, "axis", 0, b->node->out[0]->type->rank); }
void batch_take_along(batch *b)
{
	if (param_has(b->node->attrs, "axis"))
		batch_along(b, "axis", 0, b->node->in[0]->type->rank);
	else
		batch_leading(b);
}
void batch_split(batch *b) { batch_along(b, "axis", 0, b->node->in[0]->type->rank); }
void batch_concatenate(batch *b) { batch_along(b, "dimension", 0, b->node->in[0]->type->rank); }
void batch_sort(batch *b)
{
	const char *key = param_has(b->node->attrs, "axis") ? "axis" : "dimension";
	batch_along(b, key, -1, b->node->in[0]->type->rank);
}

void batch_one_hot(batch *b)
{
	if (param_has(b->node->attrs, "axis"))
		batch_along(b, "axis", -1, b->node->out[0]->type->rank);
	else
		batch_give(b, b->node->op->name, b->in, 1, b->node->attrs);
}

void batch_reshaped(batch *b)
{
	atype t = batch_type(b, b->node->out[0]->type, 0);
	params *a = batch_ints(b, NULL, "new_sizes", t.dim, t.rank);
	if (param_has(b->node->attrs, "dimensions") &&
	    strcmp(b->node->op->name, "lax.reshape") == 0) {
		const int64_t *perm;
		int64_t turned[ARRAY_MAX_RANK] = {0};
		int n = param_ints(b->node->attrs, "dimensions", &perm);
		for (int d = 0; d < n; d++)
			turned[d + 1] = perm[d] + 1;
		batch_ints(b, a, "dimensions", turned, n + 1);
	}
	batch_give(b, "lax.reshape", b->in, 1, a);
}

void batch_transpose(batch *b)
{
	const int64_t *v;
	int64_t perm[ARRAY_MAX_RANK] = {0};
	int rank = b->node->in[0]->type->rank, n = param_ints(b->node->attrs, "permutation", &v);
	for (int d = 0; d < rank; d++)
		perm[d + 1] = (n < 0 ? rank - 1 - d : v[d]) + 1;
	batch_give(b, "lax.transpose", b->in, 1,
	           batch_ints(b, NULL, "permutation", perm, rank + 1));
}

void batch_broadcast_in_dim(batch *b)
{
	const int64_t *v;
	int64_t at[ARRAY_MAX_RANK] = {0};
	int n = param_ints(b->node->attrs, "broadcast_dimensions", &v);
	atype t = batch_type(b, b->node->out[0]->type, 0);
	for (int i = 0; i < n; i++)
		at[i + 1] = v[i] + 1;
	params *a = batch_ints(b, NULL, "broadcast_dimensions", at, n + 1);
	batch_give(b, "lax.broadcast_in_dim", b->in, 1, batch_ints(b, a, "shape", t.dim, t.rank));
}

void batch_broadcast_to(batch *b)
{
	atype t = batch_type(b, b->node->out[0]->type, 0);
	avalue *v = batch_aligned(b, b->in[0], t.rank - 1);
	batch_give(b, "jnp.broadcast_to", &v, 1, batch_ints(b, NULL, "shape", t.dim, t.rank));
}

/* Prepends the whole mapped dimension to an attribute with an entry per dimension. */
static void batch_prefixed(batch *b, params *a, const char *key, const int64_t *first, int n_first)
{
	const int64_t *v;
	int64_t all[3 * ARRAY_MAX_RANK + 3];
	int n = param_ints(b->node->attrs, key, &v);
	if (n < 0)
		return;
	memcpy(all, first, sizeof *all * (size_t)n_first);
	memcpy(all + n_first, v, sizeof *all * (size_t)n);
	batch_ints(b, a, key, all, n + n_first);
}

void batch_slice(batch *b)
{
	int64_t from = 0, step = 1;
	params *a = batch_params(b);
	batch_prefixed(b, a, "start_indices", &from, 1);
	batch_prefixed(b, a, "limit_indices", &b->like->dim[0], 1);
	batch_prefixed(b, a, "strides", &step, 1);
	batch_give(b, "lax.slice", b->in, 1, a);
}

void batch_pad(batch *b)
{
	params *a = batch_params(b);
	batch_prefixed(b, a, "padding_config", (int64_t[]){0, 0, 0}, 3);
	if (b->node->n_in > 1 && b->mapped[1])
		batch_each(b);
	else
		batch_give(b, b->node->op->name, b->in, b->node->n_in, a);
}

static avalue *batch_zero(batch *b)
{
	params a = {0};
	avalue *out = NULL;
	params_set(&b->ctx->scratch, &a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = DT_I32});
	params_set(&b->ctx->scratch, &a, (param){.key = "value", .kind = PK_NUMBER, .n = 1});
	return array_emit(b->ctx, "scalar", NULL, 0, &a, &out, 1) == 1 ? out : NULL;
}

/* dynamic_slice, dynamic_update_slice: if all elements have the same start. */
void batch_dynamic(batch *b)
{
	const anode *n = b->node;
	int n_data = strcmp(n->op->name, "lax.dynamic_slice") == 0 ? 1 : 2;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 2);
	params *a = batch_params(b);
	for (int i = n_data; i < n->n_in; i++)
		if (b->mapped[i]) {
			batch_each(b);
			return;
		}
	for (int i = 0; i < n->n_in; i++)
		in[i + (i >= n_data)] = i < n_data ? batch_operand(b, i) : b->in[i];
	in[n_data] = batch_zero(b);
	if (in[n_data] && n->n_in > n_data && in[n_data + 1]->type->dtype != DT_I32) {
		batch_each(b);
		return;
	}
	batch_prefixed(b, a, "slice_sizes", &b->like->dim[0], 1);
	batch_give(b, n->op->name, in, n->n_in + 1, a);
}

/* ---- products and gathers ------------------------------------------------------------------- */

typedef struct dot_numbers {
	int64_t lc[ARRAY_MAX_RANK], rc[ARRAY_MAX_RANK], lb[ARRAY_MAX_RANK], rb[ARRAY_MAX_RANK];
	int n_contract, n_batch;
} dot_numbers;

static int shifted_dims(const anode *n, const char *key, int64_t by, int64_t *out)
{
	const int64_t *v;
	int k = param_ints(n->attrs, key, &v);
	for (int i = 0; i < k; i++)
		out[i] = v[i] + by;
	return k > 0 ? k : 0;
}

/* If both sides are mapped, a batch dimension in front. If one is, a free dimension of that side,
 * which is then moved to the front. */
void batch_dot(batch *b)
{
	const anode *n = b->node;
	dot_numbers d = {{0}};
	bool both = b->mapped[0] && b->mapped[1];
	d.n_contract = shifted_dims(n, "lhs_contract", b->mapped[0], d.lc);
	shifted_dims(n, "rhs_contract", b->mapped[1], d.rc);
	d.n_batch = shifted_dims(n, "lhs_batch", b->mapped[0], d.lb + both);
	shifted_dims(n, "rhs_batch", b->mapped[1], d.rb + both);
	d.n_batch += both;
	int lhs_free = n->in[0]->type->rank - d.n_contract - (d.n_batch - both);
	int at = both ? 0 : b->mapped[0] ? d.n_batch : d.n_batch + lhs_free;
	params *a = batch_ints(b, NULL, "lhs_contract", d.lc, d.n_contract);
	batch_ints(b, a, "rhs_contract", d.rc, d.n_contract);
	batch_ints(b, a, "lhs_batch", d.lb, d.n_batch);
	batch_ints(b, a, "rhs_batch", d.rb, d.n_batch);
	atype t = batch_type(b, n->out[0]->type, at);
	b->out[0] = batch_moved(b, batch_node(b, "lax.dot_general", b->in, 2, a, &t), at, 0);
}

/* Mapped tables have one more dimension in front; the dimension of mapped indices appears where the
 * axis was. */
void batch_take(batch *b)
{
	const anode *n = b->node;
	int64_t axis = param_int(n->attrs, "axis", 0);
	axis += axis < 0 ? n->in[0]->type->rank : 0;
	if (b->mapped[0] && b->mapped[1]) {
		batch_each(b);
		return;
	}
	int at = b->mapped[0] ? 0 : (int)axis;
	int64_t moved = b->mapped[0] ? axis + 1 : axis;
	atype t = batch_type(b, n->out[0]->type, at);
	params *a = batch_ints(b, NULL, "axis", &moved, 1);
	if (param_has(n->attrs, "mode"))
		params_set(&b->ctx->scratch, a, *param_find(n->attrs, "mode"));
	avalue *out = batch_node(b, "jnp.take", b->in, 2, a, &t);
	b->out[0] = batch_moved(b, out, at, 0);
}
