/* batch.c - vmap: a function of one element, written for all elements along a dimension.
 *
 * Every value of the function either is the same for all elements or gets the mapped dimension
 * in front.  An operation none of whose operands has it is written as it is.  Else its
 * attributes are shifted by one dimension: a row of the table names who does that.  What has no
 * row goes through the elements one by one, in a scan.
 *
 * The types need not be asked for again: each is what it was inside, and the mapped dimension. */
#include "array/batch.h"
#include "array/typed.h"

/* A value in front and whether it is mapped. */
typedef struct batched {
	avalue *v;
	bool mapped;
} batched;

/* ---- types and nodes ---------------------------------------------------------------------- */

/* A type inside with the mapped dimension at `at`. */
static atype batch_type(const batch *b, const atype *t, int at)
{
	atype out = *t;
	out.mesh = b->like->mesh ? b->like->mesh : t->mesh;
	for (int d = out.rank++; d > at; d--) {
		out.dim[d] = t->dim[d - 1];
		out.spec[d] = t->spec[d - 1];
	}
	out.dim[at] = b->like->dim[0];
	out.spec[at] = b->like->spec[0];
	return out;
}

avalue *batch_node(batch *b, const char *op, avalue *const *in, int n_in, const params *a,
                          const atype *t)
{
	for (int i = 0; i < n_in; i++)
		if (!in[i]) {
			b->failed = true;
			return NULL;
		}
	afn *f = array_state_of(b->ctx)->trace;
	return afn_append(f, array_op_named(b->ctx, op), in, n_in, a, t, 1)->out[0];
}

params *batch_params(batch *b)
{
	params *a = NEW(&b->ctx->scratch, params);
	for (int i = 0; i < b->node->attrs->list.len; i++)
		params_set(&b->ctx->scratch, a, b->node->attrs->list.ptr[i]);
	return a;
}

params *batch_ints(batch *b, params *a, const char *key, const int64_t *v, int n)
{
	if (!a)
		a = NEW(&b->ctx->scratch, params);
	params_set_ints(&b->ctx->scratch, a, key, v, n);
	return a;
}

static avalue *batch_reshape(batch *b, avalue *v, const atype *t)
{
	return batch_node(b, "lax.reshape", &v, 1,
	                  batch_ints(b, NULL, "new_sizes", t->dim, t->rank), t);
}

/* Dimension `from` goes to the place `to`. */
avalue *batch_moved(batch *b, avalue *v, int from, int to)
{
	int64_t perm[ARRAY_MAX_RANK];
	if (!v || from == to)
		return v;
	atype t = *v->type;
	for (int d = 0, next = 0; d < t.rank; d++) {
		next += next == from;
		perm[d] = d == to ? from : next++;
		t.dim[d] = v->type->dim[perm[d]];
		t.spec[d] = v->type->spec[perm[d]];
	}
	return batch_node(b, "lax.transpose", &v, 1,
	                  batch_ints(b, NULL, "permutation", perm, t.rank), &t);
}

/* The same for all elements, now once for each. */
static avalue *batch_spread(batch *b, avalue *v)
{
	atype t = batch_type(b, v->type, 0);
	int64_t dims[ARRAY_MAX_RANK];
	for (int d = 0; d < v->type->rank; d++)
		dims[d] = d + 1;
	params *a = batch_ints(b, batch_ints(b, NULL, "shape", t.dim, t.rank),
	                       "broadcast_dimensions", dims, t.rank - 1);
	return batch_node(b, "lax.broadcast_in_dim", &v, 1, a, &t);
}

avalue *batch_operand(batch *b, int i)
{
	return b->mapped[i] ? b->in[i] : batch_spread(b, b->in[i]);
}

/* Dimensions of 1 behind the mapped one, until the value has the rank inside. */
avalue *batch_aligned(batch *b, avalue *v, int rank)
{
	atype t = *v->type;
	int lack = rank + 1 - t.rank;
	if (lack <= 0)
		return v;
	for (int d = t.rank + lack - 1; d > lack; d--) {
		t.dim[d] = t.dim[d - lack];
		t.spec[d] = t.spec[d - lack];
	}
	for (int d = 1; d <= lack; d++) {
		t.dim[d] = 1;
		t.spec[d] = 0;
	}
	t.rank += lack;
	return batch_reshape(b, v, &t);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void batch_give(batch *b, const char *op, avalue *const *in, int n_in, const params *a)
{
	const anode *n = b->node;
	afn *f = array_state_of(b->ctx)->trace;
	atype *types = NEW_N(&b->ctx->scratch, atype, n->n_out + 1);
	for (int i = 0; i < n_in; i++)
		b->failed |= !in[i];
	if (b->failed)
		return;
	for (int i = 0; i < n->n_out; i++)
		types[i] = batch_type(b, n->out[i]->type, 0);
	const anode *made = afn_append(f, array_op_named(b->ctx, op), in, n_in, a, types, n->n_out);
	for (int i = 0; i < n->n_out; i++)
		b->out[i] = made->out[i];
}

/* Operands broadcast from the right. */
static void batch_elementwise(batch *b)
{
	const anode *n = b->node;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	for (int i = 0; i < n->n_in; i++)
		in[i] = b->mapped[i] ? batch_aligned(b, b->in[i], n->out[0]->type->rank) : b->in[i];
	batch_give(b, n->op->name, in, n->n_in, n->attrs);
}

/* All operands need the shape of the result. */
static void batch_alike(batch *b)
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

/* The last dimensions only: factorisations, transforms, x[..., k]. */
static void batch_leading(batch *b)
{
	const anode *n = b->node;
	avalue **in = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	for (int i = 0; i < n->n_in; i++)
		in[i] = batch_operand(b, i);
	batch_give(b, n->op->name, in, n->n_in, n->attrs);
}

/* The dimensions that an attribute lists, one further; absent: all, or in reverse. */
static void batch_dims(batch *b, const char *key, params *a)
{
	const int64_t *v;
	int64_t out[ARRAY_MAX_RANK];
	int rank = b->node->in[0]->type->rank, n = param_ints(b->node->attrs, key, &v);
	for (int i = 0; i < (n < 0 ? rank : n); i++)
		out[i] = n < 0 ? i + 1 : v[i] < 0 ? v[i] + rank + 1 : v[i] + 1;
	batch_ints(b, a, key, out, n < 0 ? rank : n);
}

static void batch_reduce(batch *b)
{
	params *a = batch_params(b);
	const char *key = param_has(a, "axes")         ? "axes"
	                  : param_has(a, "dimensions") ? "dimensions"
	                                               : "axis";
	batch_dims(b, key, a);
	batch_give(b, b->node->op->name, b->in, 1, a);
}

static void batch_rev(batch *b)
{
	params *a = batch_params(b);
	batch_dims(b, "dimensions", a);
	batch_give(b, "lax.rev", b->in, 1, a);
}

/* One dimension, by a key, of all operands. */
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

static void batch_axis(batch *b)
{
	const atype *x = b->node->in[0]->type;
	if (param_has(b->node->attrs, "axis")) {
		batch_along(b, "axis", 0, x->rank);
		return;
	}
	atype flat = *x; /* over all elements in order */
	flat.rank = 1;
	flat.dim[0] = atype_elements(x);
	flat.spec[0] = 0;
	flat = batch_type(b, &flat, 0);
	int64_t one = 1;
	avalue *v = x->rank == 1 ? b->in[0] : batch_reshape(b, b->in[0], &flat);
	batch_give(b, b->node->op->name, &v, 1, batch_ints(b, batch_params(b), "axis", &one, 1));
}

static void batch_stack(batch *b) { batch_along(b, "axis", 0, b->node->out[0]->type->rank); }
static void batch_take_along(batch *b)
{
	if (param_has(b->node->attrs, "axis"))
		batch_along(b, "axis", 0, b->node->in[0]->type->rank);
	else
		batch_leading(b);
}
static void batch_split(batch *b) { batch_along(b, "axis", 0, b->node->in[0]->type->rank); }
static void batch_concatenate(batch *b)
{
	batch_along(b, "dimension", 0, b->node->in[0]->type->rank);
}
static void batch_sort(batch *b)
{
	const char *key = param_has(b->node->attrs, "axis") ? "axis" : "dimension";
	batch_along(b, key, -1, b->node->in[0]->type->rank);
}

static void batch_one_hot(batch *b)
{
	if (param_has(b->node->attrs, "axis"))
		batch_along(b, "axis", -1, b->node->out[0]->type->rank);
	else
		batch_elementwise(b);
}

static void batch_reshaped(batch *b)
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

static void batch_transpose(batch *b)
{
	const int64_t *v;
	int64_t perm[ARRAY_MAX_RANK] = {0};
	int rank = b->node->in[0]->type->rank, n = param_ints(b->node->attrs, "permutation", &v);
	for (int d = 0; d < rank; d++)
		perm[d + 1] = (n < 0 ? rank - 1 - d : v[d]) + 1;
	batch_give(b, "lax.transpose", b->in, 1,
	           batch_ints(b, NULL, "permutation", perm, rank + 1));
}

static void batch_broadcast_in_dim(batch *b)
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

static void batch_broadcast_to(batch *b)
{
	atype t = batch_type(b, b->node->out[0]->type, 0);
	avalue *v = batch_aligned(b, b->in[0], t.rank - 1);
	batch_give(b, "jnp.broadcast_to", &v, 1, batch_ints(b, NULL, "shape", t.dim, t.rank));
}

/* The whole of the mapped dimension, then what the attribute says of the others. */
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

static void batch_slice(batch *b)
{
	int64_t from = 0, step = 1;
	params *a = batch_params(b);
	batch_prefixed(b, a, "start_indices", &from, 1);
	batch_prefixed(b, a, "limit_indices", &b->like->dim[0], 1);
	batch_prefixed(b, a, "strides", &step, 1);
	batch_give(b, "lax.slice", b->in, 1, a);
}

static void batch_each(batch *b);

static void batch_pad(batch *b)
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

/* dynamic_slice, dynamic_update_slice: one place for all elements. */
static void batch_dynamic(batch *b)
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

/* ---- products and lookups -------------------------------------------------------------------- */

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

/* Mapped on both sides: a batch dimension in front.  On one side: a free dimension of that side,
 * which is then moved to the front. */
static void batch_dot(batch *b)
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

/* Places looked up in a table: mapped tables have one more dimension in front, mapped places
 * come where the axis was. */
static void batch_take(batch *b)
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
	avalue *out = batch_node(b, "jnp.take", b->in, 2, batch_ints(b, NULL, "axis", &moved, 1),
	                         &t);
	b->out[0] = batch_moved(b, out, at, 0);
}

/* ---- one by one ------------------------------------------------------------------------------ */

/* The dimension is not sharded while it is gone through. */
static avalue *batch_whole(batch *b, avalue *v)
{
	atype t = *v->type;
	t.spec[0] = 0;
	return v->type->spec[0] ? batch_node(b, "jax.reshard", &v, 1, NULL, &t) : v;
}

typedef struct each_env {
	batch *b;
} each_env;

/* The operation on one element: mapped operands come in, the others are closed over. */
static int each_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	batch *b = ((each_env *)env)->b;
	const anode *n = b->node;
	afn *f = array_state_of(ctx)->trace;
	avalue **args = NEW_N(&ctx->scratch, avalue *, n->n_in + 1);
	atype *types = NEW_N(&ctx->scratch, atype, n->n_out + 1);
	UNUSED(n_in);
	UNUSED(cap);
	for (int i = 0, at = 0; i < n->n_in; i++)
		if (!(args[i] = afn_lift(f, b->mapped[i] ? in[at++] : b->in[i])))
			return -1;
	for (int i = 0; i < n->n_out; i++)
		types[i] = *n->out[i]->type;
	const anode *made = afn_append(f, n->op, args, n->n_in, n->attrs, types, n->n_out);
	for (int i = 0; i < n->n_out; i++)
		out[i] = made->out[i];
	return n->n_out;
}

static void batch_each(batch *b)
{
	const anode *n = b->node;
	avalue **xs = NEW_N(&b->ctx->scratch, avalue *, n->n_in + 1);
	int n_xs = 0;
	each_env e = {b};
	void *env = &e;
	params a = {0};
	for (int i = 0; i < n->n_in; i++)
		if (b->mapped[i])
			xs[n_xs++] = batch_whole(b, b->in[i]);
	call_with_body c = {.ctx = b->ctx,
	                    .body = each_body,
	                    .env = &env,
	                    .n_bodies = 1,
	                    .in = xs,
	                    .n_in = n_xs,
	                    .attrs = batch_ints(b, &a, "length", &b->like->dim[0], 1),
	                    .out = b->out,
	                    .cap = n->n_out};
	if (array_scan(&c) != n->n_out) {
		b->failed = true;
		return;
	}
	for (int i = 0; i < n->n_out && b->like->spec[0]; i++) {
		atype t = batch_type(b, n->out[i]->type, 0);
		b->out[i] = batch_node(b, "jax.reshard", &b->out[i], 1, NULL, &t);
	}
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
	const char *op;
	batch_fn *rule;
} batch_rules[] = {
	{"lax.select", batch_alike}, {"lax.clamp", batch_alike}, {"jnp.zeros_like", batch_elementwise},
	{"jnp.ones_like", batch_elementwise}, {"jnp.full_like", batch_elementwise}, {"jnp.array", batch_elementwise},
	{"lax.reduce_sum", batch_reduce}, {"lax.reduce_max", batch_reduce}, {"lax.reduce_min", batch_reduce},
	{"lax.reduce_prod", batch_reduce}, {"lax.reduce_and", batch_reduce}, {"lax.reduce_or", batch_reduce},
	{"lax.reduce", batch_reduce}, {"jnp.sum", batch_reduce}, {"jnp.prod", batch_reduce},
	{"jnp.max", batch_reduce}, {"jnp.min", batch_reduce}, {"jnp.any", batch_reduce}, {"jnp.all", batch_reduce},
	{"jnp.count_nonzero", batch_reduce}, {"jnp.argmax", batch_axis}, {"jnp.argmin", batch_axis},
	{"lax.argmax", batch_axis}, {"lax.argmin", batch_axis}, {"jnp.median", batch_axis},
	{"lax.cumsum", batch_axis}, {"lax.cumprod", batch_axis}, {"lax.cummax", batch_axis},
	{"lax.cumlogsumexp", batch_axis}, {"jnp.cumsum", batch_axis}, {"lax.associative_scan", batch_axis},
	{"lax.sort", batch_sort}, {"jnp.sort", batch_sort}, {"jnp.argsort", batch_sort},
	{"lax.top_k", batch_leading}, {"lax.approx_max_k", batch_leading}, {"lax.fft", batch_leading},
	{"lax.linalg.cholesky", batch_leading}, {"jnp.linalg.cholesky", batch_leading},
	{"lax.linalg.qr", batch_leading}, {"lax.linalg.svd", batch_leading}, {"lax.linalg.lu", batch_leading},
	{"lax.linalg.eigh", batch_leading}, {"jnp.linalg.inv", batch_leading}, {"jnp.linalg.det", batch_leading},
	{"jnp.linalg.solve", batch_leading}, {"lax.linalg.triangular_solve", batch_leading}, {"jnp.triu", batch_leading}, {"jnp.tril", batch_leading},
	{"lax.reshape", batch_reshaped}, {"lax.squeeze", batch_reshaped}, {"lax.expand_dims", batch_reshaped},
	{"jnp.expand_dims", batch_reshaped}, {"lax.transpose", batch_transpose}, {"jnp.transpose", batch_transpose},
	{"lax.broadcast_in_dim", batch_broadcast_in_dim}, {"jnp.broadcast_to", batch_broadcast_to},
	{"lax.broadcast", batch_broadcast_to}, {"lax.rev", batch_rev}, {"lax.concatenate", batch_concatenate},
	{"jnp.stack", batch_stack}, {"jnp.unstack", batch_split}, {"lax.split", batch_split},
	{"jnp.split", batch_split}, {"jnp.array_split", batch_split}, {"lax.slice", batch_slice},
	{"lax.pad", batch_pad}, {"lax.pad1", batch_pad}, {"lax.dynamic_slice", batch_dynamic},
	{"lax.dynamic_update_slice", batch_dynamic}, {"lax.dot_general", batch_dot}, {"jnp.take", batch_take},
	{"jnp.take_along_axis", batch_take_along}, {"nn.one_hot", batch_one_hot},
	{"jax.reshard", batch_elementwise}, {"jax.device_put", batch_elementwise},
	{"scan", batch_scan}, {"while", batch_while}, {"cond", batch_cond}, {"custom_vjp", batch_inline},
	{"shard_map", batch_shard_map},
};

static batch_fn *batch_rule(const array_op *op)
{
	for (int i = 0; i < COUNT(batch_rules); i++)
		if (strcmp(batch_rules[i].op, op->name) == 0)
			return batch_rules[i].rule;
	return op->rule == typed_unary || op->rule == typed_nary ? batch_elementwise : batch_each;
}

bool batch_possible(const afn *f)
{
	for (int i = 0; i < f->nodes.len; i++) {
		const anode *n = f->nodes.ptr[i];
		if (n->n_bodies && batch_rule(n->op) == batch_each)
			return false;
		for (int b = 0; b < n->n_bodies; b++)
			if (!batch_possible(n->body[b]))
				return false;
	}
	return true;
}

/* A node none of whose operands is mapped is written as it is. */
static bool batch_same(batch *b)
{
	const anode *n = b->node;
	if (!n->n_bodies) {
		afn *f = array_state_of(b->ctx)->trace;
		atype *types = NEW_N(&b->ctx->scratch, atype, n->n_out + 1);
		for (int i = 0; i < n->n_out; i++)
			types[i] = *n->out[i]->type;
		const anode *made = afn_append(f, n->op, b->in, n->n_in, n->attrs, types, n->n_out);
		for (int i = 0; i < n->n_out; i++)
			b->out[i] = made->out[i];
		return true;
	}
	replay *r = NEW_N(&b->ctx->scratch, replay, n->n_bodies);
	void **env = NEW_N(&b->ctx->scratch, void *, n->n_bodies);
	for (int k = 0; k < n->n_bodies; k++) {
		r[k] = (replay){n->body[k], b->in + captures_from(n, k)};
		env[k] = &r[k];
	}
	return replay_call(b->ctx, n, b->in, replay_body, env, b->out) == n->n_out;
}

bool batch_into(tess_ctx *ctx, const afn *f, avalue *const *params, const bool *mapped,
                const atype *like, avalue **outs)
{
	array_state *st = array_state_of(ctx);
	const amesh *mesh = st->mesh;
	ptr_map copies = {0};
	batch b = {.ctx = ctx, .like = like};
	for (int i = 0; i < f->params.len && !b.failed; i++) {
		batched *v = NEW(&ctx->scratch, batched);
		*v = (batched){afn_lift(st->trace, params[i]), mapped[i]};
		*ptr_map_at(&copies, &ctx->scratch, f->params.ptr[i]) = v;
		b.failed = !v->v;
	}
	for (int i = 0; i < f->nodes.len && !b.failed; i++) {
		const anode *n = b.node = f->nodes.ptr[i];
		bool any = false;
		b.in = NEW_N(&ctx->scratch, avalue *, n->n_in + 1);
		b.out = NEW_N(&ctx->scratch, avalue *, n->n_out + 1);
		b.mapped = NEW_N(&ctx->scratch, bool, n->n_in + 1);
		for (int k = 0; k < n->n_in; k++) {
			const batched *v = ptr_map_get(&copies, n->in[k]);
			b.in[k] = v->v;
			any |= b.mapped[k] = v->mapped;
		}
		st->mesh = n->mesh;
		if (any)
			batch_rule(n->op)(&b);
		else
			b.failed |= !batch_same(&b);
		for (int k = 0; k < n->n_out && !b.failed; k++) {
			batched *v = NEW(&ctx->scratch, batched);
			*v = (batched){b.out[k], any};
			*ptr_map_at(&copies, &ctx->scratch, n->out[k]) = v;
		}
	}
	st->mesh = mesh;
	for (int i = 0; i < f->outs.len && !b.failed; i++) {
		const batched *v = ptr_map_get(&copies, f->outs.ptr[i]);
		outs[i] = v->mapped ? v->v : batch_spread(&b, v->v);
		b.failed = !outs[i];
	}
	return !b.failed;
}
