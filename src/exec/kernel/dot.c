/* dot.c - dot_general: batched matrix products with dimensions in any order.
 *
 * The dimensions of an operand fall into three groups: batch, free, and contracting. A group whose
 * dimensions advance by a single stride in memory counts as one dimension. The left operand is read
 * in place, transposed or not. The right one is read in place if its rows are contiguous and it is
 * small; otherwise a separate step packs it, once for all devices that share it. Narrow dtypes are
 * widened on the way. */
#include "exec/steps/plan.h"

#include "exec/kernel/gemm.h"

/* A list of dimensions treated as one. */
typedef struct dims_group {
	int rank;
	int64_t dims[MAX_RANK], strides[MAX_RANK];
	int64_t n;
	int64_t stride; /* between consecutive positions; -1 if no single stride describes them */
} dims_group;

/* An operand as a batch of matrices. */
typedef struct dot_side {
	const value *v;
	dims_group batch, rows, columns;
	tensor t;
} dot_side;

typedef struct dot_plan {
	dims_group batch[2], out_batch;
	int64_t batch_size, m, n, k;
	int64_t m_tile, m_tiles;
	const gemm_micro *micro;
	int64_t a_row, a_column, b_row, ldc; /* as in gemm */
	int a_bytes, b_bytes;           /* element sizes */
	vec_fn *from_type, *store;      /* from the computing type to the result's dtype */
} dot_plan;

/* ---- groups of dimensions ----------------------------------------------------------- */

static void dims_add(dims_group *g, const tensor *t, int64_t d)
{
	g->dims[g->rank] = t->dims[d];
	g->strides[g->rank++] = t->strides[d];
}

static void dims_finish(dims_group *g)
{
	g->n = 1;
	g->stride = 1;
	bool first = true;
	for (int i = g->rank - 1; i >= 0; i--) {
		if (g->dims[i] != 1) {
			if (first)
				g->stride = g->strides[i];
			else if (g->strides[i] != g->stride * g->n)
				g->stride = -1;
			first = false;
		}
		g->n *= g->dims[i];
		if (g->stride < 0)
			g->stride = -1;
	}
}

/* Returns false if the dimension numbers do not fit the operand. */
static bool dot_side_of(dot_side *s, int n_batch, const int64_t *batch, int n_sum,
                        const int64_t *sum, bool sum_is_rows)
{
	bool used[MAX_RANK] = {0};
	dims_group *summed = sum_is_rows ? &s->rows : &s->columns;
	dims_group *kept = sum_is_rows ? &s->columns : &s->rows;
	for (int i = 0; i < n_batch + n_sum; i++) {
		int64_t d = i < n_batch ? batch[i] : sum[i - n_batch];
		if (d < 0 || d >= s->t.rank || used[d])
			return false;
		used[d] = true;
		dims_add(i < n_batch ? &s->batch : summed, &s->t, d);
	}
	for (int d = 0; d < s->t.rank; d++)
		if (!used[d])
			dims_add(kept, &s->t, d);
	dims_finish(&s->batch);
	dims_finish(&s->rows);
	dims_finish(&s->columns);
	return true;
}

static int64_t dims_offset(const dims_group *g, int64_t at)
{
	int64_t offset = 0;
	for (int i = g->rank - 1; i >= 0; i--) {
		offset += at % g->dims[i] * g->strides[i];
		at /= g->dims[i];
	}
	return offset;
}

/* ---- preparing the operands ----------------------------------------------------------------- */

/* Copies an operand to [batch][row][column] in the computing type. */
static slot *plan_form(exec_plan *p, const op *o, dot_side *s, dtype to)
{
	int64_t dims[MAX_RANK], strides[MAX_RANK];
	int rank = 0;
	const dims_group *order[3] = {&s->batch, &s->rows, &s->columns};
	for (int g = 0; g < 3; g++)
		for (int i = 0; i < order[g]->rank; i++, rank++) {
			dims[rank] = order[g]->dims[i];
			strides[rank] = order[g]->strides[i];
		}
	const binding *from = bound(p, s->v);
	binding view = *from;
	view.strides = COPY_N(&p->mem, strides, rank);
	const type *in = type_tensor(p->ctx, s->t.dtype, dims, rank);
	const type *out = type_tensor(p->ctx, to, dims, rank);
	slot *made = plan_convert(p, o, in, &view, out);
	strides_of(dims, rank, strides);
	int at = 0;
	dims_group *groups[3] = {&s->batch, &s->rows, &s->columns};
	for (int g = 0; g < 3; g++) {
		for (int i = 0; i < groups[g]->rank; i++, at++)
			groups[g]->strides[i] = strides[at];
		dims_finish(groups[g]);
	}
	s->t = tensor_of(p, out, &(binding){.slot = made});
	return made;
}

typedef struct pack_plan {
	const gemm_micro *micro;
	dims_group batch;
	int64_t k, n, row, column;
} pack_plan;

static void run_pack(const step *s, const call *c)
{
	const pack_plan *q = s->params;
	int64_t panels = ceil_div(q->n, q->micro->columns), total = panels * q->batch.n;
	int64_t size = gemm_packed_size(q->micro, q->k, q->n),
		end = tile_begin(s, total, c->tile + 1);
	for (int64_t i = tile_begin(s, total, c->tile), count; i < end; i += count) {
		int64_t batch = i / panels, first = i % panels;
		count = min_i64(min_i64(4, panels - first), end - i);
		gemm_pack_panels(q->micro, q->k, q->n, first, count,
		                 c->at[0] + dims_offset(&q->batch, batch) * step_in(s, 0)->bytes,
		                 q->row, q->column, c->at[1] + batch * size * q->micro->bytes);
	}
}

/* Plans a step that packs the right operand into panels. */
static slot *plan_pack(exec_plan *p, const op *o, const dot_side *s, const binding *from,
                       const gemm_micro *micro)
{
	pack_plan *q = NEW(&p->mem, pack_plan);
	*q = (pack_plan){micro,        s->batch,       s->rows.n,
	                 s->columns.n, s->rows.stride, s->columns.stride};
	int64_t size = gemm_packed_size(micro, q->k, q->n) * s->batch.n;
	dtype made = micro->pairs ? DT_UI32 : s->t.dtype;
	step *k = step_new(p, o, 1, 1, classes_join(&p->classes, from->cls, p->control));
	step_set_in(p, k, 0, s->t.type, from);
	slot *to = step_set_out(p, k, 0, type_tensor(p->ctx, made, &size, 1), NULL);
	k->params = q;
	k->run = run_pack;
	k->cost = (double)size * 0.4;
	step_split(k, ceil_div(q->n, micro->columns) * s->batch.n, 4);
	step_add(p, k);
	return to;
}

/* True if rows and columns each have a single stride. */
static bool has_strides(const dot_side *s)
{
	return s->rows.stride >= 0 && s->columns.stride >= 0;
}

/* ---- the product ---------------------------------------------------------------------------- */

/* Converts rows from the computing type and stores them in the result. */
static void put_products(const dot_plan *k, int64_t m, char *wide, char *to, int bytes)
{
	int64_t n = k->ldc == k->n ? m * k->n : k->n; /* elements converted at a time */
	for (int64_t i = 0; i < m * k->n; i += n) {
		char *from = wide + i * k->micro->bytes, *at = to + i / n * k->ldc * bytes;
		if (k->from_type)
			k->from_type(n, k->store ? from : at, from, NULL, NULL, 1);
		if (k->store)
			k->store(n, at, from, NULL, NULL, 0);
	}
}

static void run_dot(const step *s, const call *c)
{
	const dot_plan *k = s->params;
	const tensor *out = step_out(s, 0);
	int64_t n_items = k->batch_size * k->m_tiles, end = tile_begin(s, n_items, c->tile + 1);
	for (int64_t i = tile_begin(s, n_items, c->tile); i < end; i++) {
		int64_t batch = i / k->m_tiles, m0 = i % k->m_tiles * k->m_tile;
		int64_t m = min_i64(k->m_tile, k->m - m0);
		int64_t b_at = k->b_row ? dims_offset(&k->batch[1], batch)
		                        : batch * gemm_packed_size(k->micro, k->k, k->n);
		char *to = call_out(s, c, 0) +
		           (dims_offset(&k->out_batch, batch) + m0 * k->ldc) * out->bytes;
		bool direct = !k->from_type && !k->store;
		char *wide = (char *)c->scratch + gemm_scratch(k->micro);
		gemm g = {k->micro,
		          m,
		          k->n,
		          k->k,
		          c->at[0] +
		                  (dims_offset(&k->batch[0], batch) + m0 * k->a_row) * k->a_bytes,
		          k->a_row,
		          k->a_column,
		          c->at[1] + b_at * k->b_bytes,
		          k->b_row,
		          direct ? to : wide,
		          direct ? k->ldc : k->n};
		gemm_run(&g, c->scratch);
		if (!direct)
			put_products(k, m, wide, to, out->bytes);
	}
}

dtype product_dtype(dtype a, dtype b, dtype out)
{
	if (dtype_is_complex(out))
		return out;
	if (dtype_is_int(out) && dtype_is_int(a) && dtype_is_int(b))
		return out == DT_I1 ? DT_I1 : dtype_bits(out) <= 32 ? DT_I32 : DT_I64;
	bool wide = a == DT_F64 || b == DT_F64 || out == DT_F64 || dtype_is_int(a) ||
	            dtype_is_int(b) || dtype_is_int(out);
	return wide ? DT_F64 : DT_F32;
}

/* Cuts the rows of the result into tiles that take about `worth` nanoseconds each. An even number
 * of tiles keeps two workers busy to the end. */
static void split_rows(step *s, dot_plan *k)
{
	const double worth = 100000;
	double cost = (double)k->m * (double)k->n * (double)gemm_depth(k->micro, k->k) * 0.02 +
	              (double)k->m * (double)k->n;
	int64_t tiles = min_i64((int64_t)(cost / worth) + 1, ceil_div(k->m, 128));
	tiles += tiles > 1 && tiles % 2;
	k->m_tile = max_i64(1, ceil_div(k->m, max_i64(1, tiles)));
	k->m_tiles = max_i64(1, ceil_div(k->m, k->m_tile));
	s->cost = cost * (double)k->batch_size;
	step_split(s, k->batch_size * k->m_tiles, 1);
}

/* Sets operand i of the step: the value in place, or the slot that holds its copy. */
static void set_dot_in(exec_plan *p, step *s, int i, const dot_side *side, slot *made)
{
	binding b = made ? (binding){.slot = made, .cls = made->cls} : *bound(p, side->v);
	step_set_in(p, s, i, made ? side->t.type : side->v->type, &b);
}

/* True if the product multiplies pairs of bf16. Only for large products: small programs then
 * compute every digit exactly as before, denormal numbers included. */
static bool wants_pairs(const dot_side *a, const dot_side *b, dtype type)
{
	const int64_t few = 1 << 15;
	return a->t.dtype == DT_BF16 && b->t.dtype == DT_BF16 && type == DT_F32 &&
	       a->rows.n >= 4 && b->rows.n >= 16 && a->rows.n * b->rows.n * b->columns.n > few &&
	       gemm_micro_pairs();
}

/* Vector kernels add up the products of parts separately, and round once where C rounds twice. For small products of
 * complex numbers every digit is that of C's order, by which StableHLO's expected values were computed. */
static const gemm_micro *micro_for(vec_type t, int64_t size)
{
	const int64_t few = 1 << 10;
	if (size <= few && (t == VT_C64 || t == VT_C128))
		return t == VT_C64 ? &gemm_c64_base : &gemm_c128_base;
	return gemm_micro_of(t);
}

/* True if the right operand should be packed. It must be if its rows are not contiguous or are a
 * broadcast; it pays if m is large and the rows, being far apart or many, collide in the cache. */
static bool wants_panels(const dot_side *b, const gemm_micro *u, int64_t m)
{
	int64_t row = b->rows.stride, bytes = b->rows.n * b->columns.n * u->bytes;
	if (b->columns.stride != 1 || (row < 1 && b->rows.n > 1))
		return true;
	return m > 64 && ((b->columns.n > u->columns && bytes > 1 << 16) ||
	                  (bytes > 1 << 14 && row * u->bytes >= 1024));
}

/* Where the result is written: the rows of each product are contiguous and a fixed stride apart;
 * batches may be anywhere. */
typedef struct dot_result {
	const type *made;
	const int64_t *strides; /* of the result; NULL: dense */
	dims_group batch, rows, columns;
} dot_result;

static bool plan_product(exec_plan *p, const op *o, dot_side *a, dot_side *b, const dot_result *to)
{
	dtype out = result(o, 0)->type->dtype, type = product_dtype(a->t.dtype, b->t.dtype, out);
	bool pairs = wants_pairs(a, b, type);
	const gemm_micro *micro = pairs ? gemm_micro_pairs()
	                                : micro_for(vec_type_of(type), a->rows.n * b->rows.n * b->columns.n);
	dtype form = pairs ? DT_BF16 : type;
	dot_plan *k = NEW(&p->mem, dot_plan);
	*k = (dot_plan){.batch_size = a->batch.n, .m = a->rows.n, .n = b->columns.n, .k = b->rows.n,
	                .micro = micro, .out_batch = to->batch,
	                .ldc = to->rows.n > 1 ? to->rows.stride : b->columns.n};
	k->from_type = vec_type_of(out) == vec_type_of(type)
	                   ? NULL
	                   : vec_convert(vec_type_of(type), vec_type_of(out));
	k->store = vec_store(out);
	if (!micro || (!k->store && vec_fix(out)))
		return plan_unsupported(p, o, "a product of these types is");
	slot *a_made = a->t.dtype != form || !has_strides(a) ? plan_form(p, o, a, form) : NULL;
	slot *b_made = b->t.dtype != form || !has_strides(b) ? plan_form(p, o, b, form) : NULL;
	bool packs = pairs || wants_panels(b, micro, k->m);
	k->batch[0] = a->batch;
	k->batch[1] = b->batch;
	if (packs) {
		binding from = b_made ? (binding){.slot = b_made, .cls = b_made->cls}
		                      : *bound(p, b->v);
		b_made = plan_pack(p, o, b, &from, micro);
	}
	k->a_row = a->rows.stride;
	k->a_column = a->columns.stride;
	k->b_row = packs ? 0 : max_i64(1, b->rows.stride);
	k->a_bytes = pairs ? dtype_bytes(form) : micro->bytes;
	k->b_bytes = micro->bytes;
	step *s = step_new(p, o, 2, 1, p->cls[result(o, 0)->id]);
	set_dot_in(p, s, 0, a, a_made);
	set_dot_in(p, s, 1, b, b_made);
	slot *made = step_set_out(p, s, 0, to->made, result(o, 0));
	p->bind[result(o, 0)->id] = (binding){
		.slot = made, .cls = made->cls, .strides = to->strides};
	s->params = k;
	s->run = run_dot;
	split_rows(s, k);
	s->scratch = gemm_scratch(micro) +
	             (k->from_type || k->store ? (size_t)(k->m_tile * k->n * micro->bytes) : 0);
	step_add(p, s);
	return true;
}

/* True if each product should be computed as its transpose, B^T A^T. Then it is the left operand
 * whose rows must be contiguous; if they are, and the right operand's columns are not, nothing
 * needs packing. Only done if the result is transposed afterwards anyway. */
static bool wants_exchange(const op *o, const dot_side *a, const dot_side *b)
{
	const value *r = result(o, 0);
	for (const use *u = r->uses; u; u = u->next)
		if (u->owner->kind != OP_TRANSPOSE)
			return false;
	return r->uses && has_strides(a) && has_strides(b) && a->rows.stride == 1 &&
	       b->columns.stride != 1 && a->rows.n > 1 && b->columns.n > 1;
}

static dot_side exchanged_side(const dot_side *s)
{
	dot_side r = *s;
	r.rows = s->columns;
	r.columns = s->rows;
	return r;
}

/* Places the result with its dimensions in memory in the given order. */
static dot_result result_in(exec_plan *p, const op *o, const dot_dims *d, int n_left,
                            bool exchanged, const int64_t *order)
{
	const type *t = result(o, 0)->type;
	int64_t dims[MAX_RANK], dense[MAX_RANK], *strides = NEW_N(&p->mem, int64_t, t->rank);
	bool is_dense = true;
	for (int i = 0; i < t->rank; i++) {
		dims[i] = t->dims[order[i]];
		is_dense &= order[i] == i;
	}
	strides_of(dims, t->rank, dense);
	for (int i = 0; i < t->rank; i++)
		strides[order[i]] = dense[i];
	tensor view = {.rank = t->rank, .dims = t->dims, .strides = strides};
	dot_result r = {.made = type_tensor(p->ctx, t->dtype, dims, t->rank),
	                .strides = is_dense ? NULL : strides};
	for (int i = 0; i < t->rank; i++) {
		bool left = i < d->n_batch + n_left;
		dims_add(i < d->n_batch ? &r.batch : left != exchanged ? &r.rows : &r.columns,
		         &view, i);
	}
	dims_finish(&r.batch);
	dims_finish(&r.rows);
	dims_finish(&r.columns);
	return r;
}

/* Returns the permutation if the only use of the result is a transpose; NULL if it is not, or if
 * the permutation is invalid. */
static const int64_t *result_turned(exec_plan *p, const op *o)
{
	const value *r = result(o, 0);
	int n = 0;
	const int64_t *order = NULL;
	for (const use *u = r->uses; u; u = u->next) {
		if (u->owner->kind != OP_TRANSPOSE)
			return NULL;
		order = op_ints(p->m, u->owner, N_permutation, &n);
	}
	bool seen[MAX_RANK] = {0};
	for (int i = 0; i < n; i++) {
		if (n != r->type->rank || order[i] < 0 || order[i] >= n || seen[order[i]])
			return NULL;
		seen[order[i]] = true;
	}
	return n ? order : NULL;
}

/* Places the result in the order that its user wants if products can be written that way; else in
 * its natural order. */
static dot_result result_place(exec_plan *p, const op *o, const dot_dims *d, int n_left,
                               bool exchanged)
{
	const int rank = result(o, 0)->type->rank, left = d->n_batch + n_left;
	const int64_t *wanted = result_turned(p, o);
	int64_t order[MAX_RANK];
	int n = 0;
	if (wanted) {
		dot_result r = result_in(p, o, d, n_left, exchanged, wanted);
		if (r.columns.stride == 1 && r.rows.stride >= 0)
			return r;
	}
	for (int i = 0; i < d->n_batch; i++)
		order[n++] = i;
	for (int i = left; exchanged && i < rank; i++)
		order[n++] = i;
	for (int i = d->n_batch; i < left; i++)
		order[n++] = i;
	for (int i = left; !exchanged && i < rank; i++)
		order[n++] = i;
	return result_in(p, o, d, n_left, exchanged, order);
}

bool plan_dot(exec_plan *p, const op *o)
{
	dot_dims d;
	dot_side a = {.v = operand(o, 0)}, b = {.v = operand(o, 1)};
	a.t = tensor_of(p, a.v->type, bound(p, a.v));
	b.t = tensor_of(p, b.v->type, bound(p, b.v));
	if (a.v->type->dtype == DT_NONE || b.v->type->dtype == DT_NONE)
		return plan_unsupported(p, o, "a product of these types is");
	if (!op_dot_dims(p->source, o, &d) ||
	    !dot_side_of(&a, d.n_batch, d.lhs_batch, d.n_contract, d.lhs_contract, false) ||
	    !dot_side_of(&b, d.n_batch, d.rhs_batch, d.n_contract, d.rhs_contract, true) ||
	    a.batch.n != b.batch.n || a.columns.n != b.rows.n ||
	    a.batch.n * a.rows.n * b.columns.n != result(o, 0)->type->n_elems)
		return plan_error(p, o, "the dimension numbers do not fit the operands");
	bool exchanged = wants_exchange(o, &a, &b);
	dot_result to = result_place(p, o, &d, a.rows.rank, exchanged);
	if (!exchanged)
		return plan_product(p, o, &a, &b, &to);
	dot_side left = exchanged_side(&b), right = exchanged_side(&a);
	return plan_product(p, o, &left, &right, &to);
}
