/* comm.c - collectives under vmap.
 *
 * Along the mapped dimension, by its name, a collective is an operation on that dimension: a psum
 * sums over it, an all_gather moves it inside, a ppermute permutes its elements. Results that are
 * the same for all elements (psum, all_gather) are no longer mapped. For any other axes, of the
 * mesh or of another enclosing vmap, the mapped dimension is just one more dimension. */
#include "array/batch/batch.h"

bool batch_speaks_of(const anode *n, tess_str name)
{
	if (!name.len)
		return false;
	for (int k = 0; k < n->n_bodies; k++)
		for (int i = 0; i < n->body[k]->nodes.len; i++)
			if (batch_speaks_of(n->body[k]->nodes.ptr[i], name))
				return true;
	return !n->n_bodies && words_have(param_text(n->attrs, "axes"), name);
}

/* ---- along the mapped dimension ------------------------------------------------------------- */

/* Returns the inner type of the result. */
static atype inner_type(const batch *b)
{
	atype t = *b->node->out[0]->type;
	t.mesh = t.mesh ? t.mesh : b->like->mesh;
	return t;
}

/* Returns the value with this type, resharded if necessary. */
static avalue *batch_as(batch *b, avalue *v, const atype *t)
{
	return v && !atype_same_spec(v->type, t) ? batch_resharded(b, v, t) : v;
}

static avalue *batch_reduced(batch *b, avalue *v, const char *op, const atype *t)
{
	int64_t first = 0;
	return batch_node(b, op, &v, 1, batch_ints(b, NULL, "axes", &first, 1), t);
}

/* Divides the sum by the number of elements. */
static avalue *batch_divided(batch *b, avalue *sum, const atype *t)
{
	params a = {0};
	atype number = atype_scalar(t->dtype, t->mesh);
	params_set(&b->ctx->scratch, &a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t->dtype});
	params_set(&b->ctx->scratch, &a,
	           (param){.key = "value",
	                   .kind = PK_NUMBER,
	                   .n = 1,
	                   .number = (double)b->like->dim[0]});
	avalue *in[] = {sum, batch_node(b, "scalar", NULL, 0, &a, &number)};
	return batch_node(b, "jnp.divide", in, 2, NULL, t);
}

/* psum, pmean, pmax, pmin: reduces over this dimension; the collective keeps the other names. */
static avalue *along_all_reduce(batch *b, avalue *x)
{
	const char *op = b->node->op->name;
	bool mean = strcmp(op, "lax.pmean") == 0, sum = mean || strcmp(op, "lax.psum") == 0;
	atype t = inner_type(b), wide = *x->type;
	params *a = batch_params(b);
	if (wide.dtype != t.dtype) {
		wide.dtype = t.dtype;
		params to = {0};
		params_set(&b->ctx->scratch, &to,
		           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t.dtype});
		x = batch_node(b, "lax.convert_element_type", &x, 1, &to, &wide);
	}
	x = batch_reduced(b, x,
	                  sum                           ? "lax.reduce_sum"
	                  : strcmp(op, "lax.pmax") == 0 ? "lax.reduce_max"
	                                                : "lax.reduce_min",
	                  &t);
	if (mean)
		x = batch_divided(b, x, &t);
	tess_str left = words_without(&b->ctx->scratch, param_text(a, "axes"), b->name);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "axes", .kind = PK_TEXT, .n = 1, .text = left});
	return left.len ? batch_node(b, op, &x, 1, a, &t) : x;
}

static avalue *along_all_gather(batch *b, avalue *x)
{
	atype t = inner_type(b);
	bool tiled = param_int(b->node->attrs, "tiled", 0);
	int64_t axis = param_int(b->node->attrs, "axis", 0);
	axis += axis < 0 ? t.rank : 0;
	x = batch_moved(b, batch_whole(b, x), 0, (int)axis);
	return batch_as(b, tiled && x ? batch_reshape(b, x, &t) : x, &t);
}

/* Splits dimension `dim` of x into two: the `n` parts, and the elements of a part. */
static avalue *batch_cut(batch *b, avalue *x, int dim)
{
	atype t = *x->type;
	int64_t n = b->like->dim[0];
	for (int d = t.rank++; d > dim + 1; d--) {
		t.dim[d] = t.dim[d - 1];
		t.spec[d] = t.spec[d - 1];
	}
	t.dim[dim + 1] = t.dim[dim] / n;
	t.dim[dim] = n;
	t.spec[dim] = t.spec[dim + 1] = 0;
	return batch_reshape(b, x, &t);
}

static int counted_dim(const batch *b, const char *key)
{
	int64_t d = param_int(b->node->attrs, key, 0);
	return (int)(d < 0 ? d + b->node->in[0]->type->rank : d);
}

static avalue *along_psum_scatter(batch *b, avalue *x)
{
	atype t = batch_type(b, b->node->out[0]->type, 0), sum = *b->node->in[0]->type;
	int dim = counted_dim(b, "scatter_dimension");
	sum.mesh = t.mesh;
	x = batch_reduced(b, x, "lax.reduce_sum", &sum);
	if (x && param_int(b->node->attrs, "tiled", 0))
		x = batch_cut(b, x, dim);
	return batch_as(b, batch_moved(b, x, dim, 0), &t);
}

/* Swaps the mapped dimension and the parts. */
static avalue *along_all_to_all(batch *b, avalue *x)
{
	atype t = batch_type(b, b->node->out[0]->type, 0);
	int split = 1 + counted_dim(b, "split_axis"), join = 1 + counted_dim(b, "concat_axis");
	bool tiled = param_int(b->node->attrs, "tiled", 0);
	x = batch_whole(b, x);
	if (tiled && x)
		x = batch_cut(b, x, split);
	x = batch_moved(b, batch_moved(b, x, split, 0), 1, join);
	return batch_as(b, tiled && x ? batch_reshape(b, x, &t) : x, &t);
}

/* Returns elements from … to of the mapped dimension. */
static avalue *batch_rows(batch *b, avalue *x, int64_t from, int64_t to)
{
	int64_t start[ARRAY_MAX_RANK] = {from}, limit[ARRAY_MAX_RANK];
	atype t = *x->type;
	memcpy(limit, t.dim, sizeof limit);
	limit[0] = to;
	t.dim[0] = to - from;
	return batch_node(b, "lax.slice", &x, 1,
	                  batch_ints(b, batch_ints(b, NULL, "start_indices", start, t.rank),
	                             "limit_indices", limit, t.rank),
	                  &t);
}

static avalue *batch_no_rows(batch *b, const atype *like, int64_t n)
{
	atype t = *like;
	t.dim[0] = n;
	params *a = batch_ints(b, NULL, "shape", t.dim, t.rank);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t.dtype});
	return batch_node(b, "jnp.zeros", NULL, 0, a, &t);
}

/* Moves ranges of neighbors that stay neighbors at once; elements not received are 0. */
static avalue *along_ppermute(batch *b, avalue *x)
{
	const int64_t *perm;
	int n_perm = param_ints(b->node->attrs, "perm", &perm), n_runs = 0;
	int64_t n = b->like->dim[0], zero = 0;
	int64_t *from = NEW_N(&b->ctx->scratch, int64_t, n + 1);
	avalue **run = NEW_N(&b->ctx->scratch, avalue *, n + 1);
	atype t = batch_type(b, b->node->out[0]->type, 0);
	for (int64_t i = 0; i < n; i++)
		from[i] = -1;
	for (int i = 0; i + 1 < n_perm; i += 2)
		from[perm[i + 1]] = perm[i];
	x = batch_whole(b, x);
	for (int64_t i = 0, end; x && i < n; i = end) {
		for (end = i + 1; end < n && from[end] == (from[i] < 0 ? -1 : from[end - 1] + 1);)
			end++;
		run[n_runs++] = from[i] < 0 ? batch_no_rows(b, x->type, end - i)
		                            : batch_rows(b, x, from[i], from[i] + end - i);
	}
	if (x && n_runs)
		x = batch_node(b, "lax.concatenate", run, n_runs,
		               batch_ints(b, NULL, "dimension", &zero, 1), x->type);
	return batch_as(b, x, &t);
}

static avalue *along_axis_index(batch *b)
{
	atype t = batch_type(b, b->node->out[0]->type, 0), whole = t;
	params *a = batch_ints(b, NULL, "shape", t.dim, 1);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = t.dtype});
	whole.spec[0] = 0;
	return batch_as(b, batch_node(b, "lax.iota", NULL, 0, a, &whole), &t);
}

static bool is_all_reduce(const char *op)
{
	return strcmp(op, "lax.psum") == 0 || strcmp(op, "lax.pmean") == 0 ||
	       strcmp(op, "lax.pmax") == 0 || strcmp(op, "lax.pmin") == 0;
}

void batch_named(batch *b)
{
	const char *op = b->node->op->name;
	avalue *x = b->node->n_in ? batch_operand(b, 0) : NULL, *out = NULL;
	if (strcmp(op, "lax.axis_index") == 0)
		out = along_axis_index(b);
	else if (!x)
		b->failed = true;
	else if (is_all_reduce(op))
		out = along_all_reduce(b, x);
	else if (strcmp(op, "lax.all_gather") == 0)
		out = along_all_gather(b, x);
	else if (strcmp(op, "lax.psum_scatter") == 0)
		out = along_psum_scatter(b, x);
	else if (strcmp(op, "lax.all_to_all") == 0)
		out = along_all_to_all(b, x);
	else if (strcmp(op, "lax.ppermute") == 0)
		out = along_ppermute(b, x);
	else
		diag_error(b->ctx, NOWHERE, E_ARRAY_OP,
		           "%s along %.*s, a name of vmap, has no rule", op, STR_ARG(b->name));
	b->same = is_all_reduce(op) || strcmp(op, "lax.all_gather") == 0;
	b->out[0] = out;
	b->failed |= !out;
}

/* ---- along other axes ----------------------------------------------------------------------- */

/* Shifts the dimension that a collective refers to. */
void batch_collective(batch *b)
{
	static const char *const keys[] = {"axis", "scatter_dimension", "split_axis",
	                                   "concat_axis"};
	const anode *n = b->node;
	params *a = batch_params(b);
	bool stacks = strcmp(n->op->name, "lax.all_gather") == 0 && !param_int(a, "tiled", 0);
	int rank = n->in[0]->type->rank + stacks;
	for (int i = 0; i < COUNT(keys); i++) {
		int64_t dim = param_int(a, keys[i], 0);
		dim += dim < 0 ? rank + 1 : 1;
		batch_ints(b, a, keys[i], &dim, 1);
	}
	atype t = batch_type(b, n->out[0]->type, 0);
	b->out[0] = batch_node(b, n->op->name, b->in, 1, a, &t);
}
