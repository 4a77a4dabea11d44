/* kernel_dot.c - dot_general: batched matrix products in any arrangement of dimensions.
 *
 * Operands become [batch][M][K] and [batch][K][N] in the computing type.  Where the
 * strides allow, the product reads the operands where they are, transposed or not;
 * otherwise they are packed first. */
#include "exec/kernel.h"

#include "exec/blas.h"

/* A list of dimensions seen as one: steps[i] is the offset of position i. */
typedef struct dims_group {
	int rank;
	int64_t dims[MAX_RANK], strides[MAX_RANK];
	int64_t n;
	int64_t stride; /* if they join into one dimension, else -1 */
} dims_group;

typedef struct dot_side {
	dims_group batch, free, sum;
	bool packs;
	vec_fn *load, *convert; /* while packing */
} dot_side;

typedef struct dot_plan {
	dot_side lhs, rhs;
	int64_t batch, m, n, k;
	vec_type type; /* of the computation */
	vec_fn *from_type, *store;
	int64_t m_tile, m_tiles;
	gemm_fn *gemm;
	dtype computed;
} dot_plan;

static void dims_add(dims_group *g, const tensor *t, int64_t d)
{
	g->dims[g->rank] = t->dims[d];
	g->strides[g->rank++] = t->strides[d];
}

static void group_finish(dims_group *g)
{
	g->n = 1;
	g->stride = 1;
	bool first = true;
	for (int i = g->rank - 1; i >= 0; i--) {
		if (g->dims[i] != 1) {
			if (first)
				g->stride = g->strides[i], first = false;
			else if (g->stride >= 0 && g->strides[i] != g->stride * g->n)
				g->stride = -1;
		}
		g->n *= g->dims[i];
	}
}

static bool side_of(dot_side *side, const tensor *t, int n_batch, const int64_t *batch, int n_sum,
                    const int64_t *sum)
{
	bool used[MAX_RANK] = {0};
	for (int i = 0; i < n_batch + n_sum; i++) {
		int64_t d = i < n_batch ? batch[i] : sum[i - n_batch];
		if (d < 0 || d >= t->rank || used[d])
			return false;
		used[d] = true;
		dims_add(i < n_batch ? &side->batch : &side->sum, t, d);
	}
	for (int d = 0; d < t->rank; d++)
		if (!used[d])
			dims_add(&side->free, t, d);
	group_finish(&side->batch);
	group_finish(&side->sum);
	group_finish(&side->free);
	return true;
}

static int64_t group_offset(const dims_group *g, int64_t at)
{
	int64_t offset = 0;
	for (int i = g->rank - 1; i >= 0; i--) {
		offset += at % g->dims[i] * g->strides[i];
		at /= g->dims[i];
	}
	return offset;
}

/* ---- packing --------------------------------------------------------------------------- */

/* [rows of `outer`][columns of `inner`] in the computing type. */
static void pack(const dot_plan *k, const dot_side *side, const dims_group *outer,
                 const dims_group *inner, const tensor *t, const char *from, char *to, char *room)
{
	dims_group all = *outer;
	int64_t dense[2 * MAX_RANK];
	for (int i = 0; i < inner->rank; i++) {
		all.dims[all.rank] = inner->dims[i];
		all.strides[all.rank++] = inner->strides[i];
	}
	int64_t n = outer->n * inner->n;
	strides_of(all.dims, all.rank, dense);
	if (!side->load && !side->convert) {
		box_copy(all.rank, all.dims, to, dense, from, all.strides, t->bytes);
		return;
	}
	/* elements first, at the end of the room; then types, chunk by chunk */
	enum { PACK = 512 };
	char wide[PACK * 16];
	box_copy(all.rank, all.dims, room, dense, from, all.strides, t->bytes);
	int out = vec_type_bytes(k->type);
	for (int64_t i = 0; i < n; i += PACK) {
		int64_t len = min_i64(PACK, n - i);
		const char *x = room + i * t->bytes;
		if (side->load && side->convert) {
			side->load(len, wide, x, NULL, NULL, 0);
			side->convert(len, to + i * out, wide, NULL, NULL, 64);
		} else if (side->load) {
			side->load(len, to + i * out, x, NULL, NULL, 0);
		} else {
			side->convert(len, to + i * out, x, NULL, NULL, 64);
		}
	}
}

typedef struct operand_view {
	const char *at;
	int64_t row, column; /* strides in elements */
} operand_view;

/* Whether a matrix can be read where it is: one of its strides is 1, the other even. */
static bool side_packs(const dot_side *side)
{
	int64_t a = side->free.stride, b = side->sum.stride;
	if (side->load || side->convert || a < 1 || b < 1)
		return true;
	return !(a == 1 || b == 1 || side->free.n == 1 || side->sum.n == 1);
}

static size_t packed_bytes(const dot_plan *k, const dot_side *side, int64_t rows, int elem)
{
	if (!side->packs)
		return 0;
	int64_t n = rows * side->sum.n;
	int64_t raw = side->load || side->convert ? ceil_div(n * elem, 64) * 64 : 0;
	return (size_t)(ceil_div(n * vec_type_bytes(k->type), 64) * 64 + raw);
}

/* ---- running --------------------------------------------------------------------------------- */

static void run_dot(const step *s, const call *c)
{
	const dot_plan *k = s->params;
	const tensor *a = step_in(s, 0), *b = step_in(s, 1), *out = step_out(s, 0);
	int64_t batch = c->tile / k->m_tiles, m0 = c->tile % k->m_tiles * k->m_tile;
	int64_t m = min_i64(k->m_tile, k->m - m0);
	int bytes = vec_type_bytes(k->type);
	char *room = c->scratch;
	operand_view x = {c->at[0] + group_offset(&k->lhs.batch, batch) * a->bytes,
	                  k->lhs.free.stride, k->lhs.sum.stride};
	operand_view y = {c->at[1] + group_offset(&k->rhs.batch, batch) * b->bytes,
	                  k->rhs.sum.stride, k->rhs.free.stride};
	if (k->lhs.packs) {
		size_t need = packed_bytes(k, &k->lhs, k->m, a->bytes);
		char *raw = room + ceil_div(k->m * k->k * bytes, 64) * 64;
		pack(k, &k->lhs, &k->lhs.free, &k->lhs.sum, a, x.at, room, raw);
		x = (operand_view){room, k->k, 1};
		room += need;
	}
	if (k->rhs.packs) {
		size_t need = packed_bytes(k, &k->rhs, k->n, b->bytes);
		char *raw = room + ceil_div(k->n * k->k * bytes, 64) * 64;
		pack(k, &k->rhs, &k->rhs.free, &k->rhs.sum, b, y.at, room, raw);
		y = (operand_view){room, 1, k->k};
		room += need;
	}
	char *to = call_out(s, c, 0) + (batch * k->m + m0) * k->n * out->bytes;
	bool direct = !k->from_type && !k->store;
	gemm g = {m, k->n, k->k, x.at + m0 * x.row * bytes, x.row, x.column, y.at, y.row, y.column,
	          direct ? to : room, k->n};
	k->gemm(&g, room + (direct ? 0 : ceil_div(m * k->n * bytes, 64) * 64));
	if (direct)
		return;
	if (k->from_type)
		k->from_type(m * k->n, k->store ? room : to, room, NULL, NULL, 1);
	if (k->store)
		k->store(m * k->n, to, room, NULL, NULL, 0);
}

vec_type product_type(dtype a, dtype b, dtype out)
{
	vec_type to = vec_type_of(out);
	if (to == VT_C64 || to == VT_C128)
		return to;
	if (dtype_is_int(out) && dtype_is_int(a) && dtype_is_int(b))
		return dtype_bits(out) == 1 ? VT_B : dtype_bits(out) <= 32 ? VT_I32 : VT_I64;
	bool wide = a == DT_F64 || b == DT_F64 || out == DT_F64 || dtype_is_int(a) ||
	            dtype_is_int(b) || dtype_is_int(out);
	return wide ? VT_F64 : VT_F32;
}

static bool prepare_side(dot_side *side, dtype t, vec_type type)
{
	side->load = vec_load(t);
	side->convert = vec_type_of(t) == type ? NULL : vec_convert(vec_type_of(t), type);
	side->packs = side_packs(side);
	return vec_type_of(t) == type || side->convert;
}

bool prepare_dot_general(exec_plan *p, step *s)
{
	dot_dims d;
	dot_plan *k = NEW(plan_mem(p), dot_plan);
	const tensor *a = step_in(s, 0), *b = step_in(s, 1), *out = step_out(s, 0);
	if (!op_dot_dims(plan_module(p), s->op, &d) ||
	    !side_of(&k->lhs, a, d.n_batch, d.lhs_batch, d.n_contract, d.lhs_contract) ||
	    !side_of(&k->rhs, b, d.n_batch, d.rhs_batch, d.n_contract, d.rhs_contract) ||
	    k->lhs.batch.n != k->rhs.batch.n || k->lhs.sum.n != k->rhs.sum.n)
		return step_invalid(p, s, "the dimension numbers do not fit the operands");
	k->batch = k->lhs.batch.n, k->m = k->lhs.free.n, k->n = k->rhs.free.n, k->k = k->lhs.sum.n;
	if (k->batch * k->m * k->n != out->n)
		return step_invalid(p, s, "the result does not fit the dimension numbers");
	k->type = product_type(a->dtype, b->dtype, out->dtype);
	k->gemm = gemm_find(k->type);
	if (!k->gemm || !prepare_side(&k->lhs, a->dtype, k->type) ||
	    !prepare_side(&k->rhs, b->dtype, k->type))
		return step_unsupported(p, s, "products of these types are");
	if (vec_type_of(out->dtype) != k->type)
		k->from_type = vec_convert(k->type, vec_type_of(out->dtype));
	k->store = vec_store(out->dtype);
	if (!k->store && vec_fix(out->dtype))
		return step_unsupported(p, s, "results of this type are");
	double work = (double)k->m * (double)k->n * (double)k->k;
	bool whole = k->lhs.packs || k->rhs.packs; /* packing once for all rows */
	k->m_tile = whole || work < 1e6 ? k->m : max_i64(64, ceil_div(k->m, 16));
	k->m_tiles = max_i64(1, k->m_tile ? ceil_div(k->m, k->m_tile) : 1);
	s->n_tiles = k->batch * k->m_tiles;
	s->scratch = packed_bytes(k, &k->lhs, k->m, a->bytes) + packed_bytes(k, &k->rhs, k->n, b->bytes) +
	             gemm_scratch(k->type) + 128;
	if (k->from_type || k->store)
		s->scratch += (size_t)(k->m_tile * k->n * vec_type_bytes(k->type));
	s->cost = work * (double)k->batch * 0.03 + (double)out->n;
	s->params = k;
	s->run = run_dot;
	return true;
}
