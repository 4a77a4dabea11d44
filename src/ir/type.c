/* type.c - interned types. */
#include "ir/ir_tables.h"

static uint64_t hash_ptrs(uint64_t h, const void *p, int n)
{
	return n ? hash_bytes(p, sizeof(void *) * (size_t)n, h) : h;
}

static bool same_items(const void *a, const void *b, int n, size_t size)
{
	return !n || !memcmp(a, b, size * (size_t)n);
}

static bool blocks_eq(const quant_blocks *a, const quant_blocks *b)
{
	if (!a || !b)
		return a == b;
	return a->n == b->n && a->rank == b->rank &&
	       same_items(a->dims, b->dims, a->n, sizeof(int64_t)) &&
	       same_items(a->sizes, b->sizes, a->n, sizeof(int64_t)) &&
	       same_items(a->shape, b->shape, a->rank, sizeof(int64_t));
}

static uint64_t quant_hash(uint64_t h, const quant_info *q)
{
	h = hash_mix(h, (uint64_t)q->storage << 32 | (uint64_t)q->expressed);
	h = hash_mix(h, (uint64_t)q->min);
	h = hash_mix(h, (uint64_t)q->max);
	h = hash_mix(h, (uint64_t)q->axis);
	h = hash_bytes(q->scales, sizeof(double) * (size_t)q->n, h);
	return hash_bytes(q->zeros, sizeof(int64_t) * (size_t)q->n, h);
}

static uint64_t type_hash(const type *t)
{
	uint64_t h = hash_mix((uint64_t)t->kind << 8, (uint64_t)t->dtype);
	h = hash_mix(h, (uint64_t)(uintptr_t)t->elem);
	h = hash_mix(h, (uint64_t)(uintptr_t)t->encoding);
	h = hash_mix(h, (uint64_t)(uintptr_t)t->text);
	if (t->rank)
		h = hash_bytes(t->dims, sizeof(int64_t) * (size_t)t->rank, h);
	h = hash_ptrs(h, t->in, t->n_in);
	h = hash_ptrs(h, t->out, t->n_out);
	return t->quant ? quant_hash(h, t->quant) : h;
}

static bool quant_eq(const quant_info *a, const quant_info *b)
{
	if (!a || !b)
		return a == b;
	return a->storage == b->storage && a->expressed == b->expressed && a->min == b->min &&
	       a->max == b->max && a->default_range == b->default_range &&
	       a->storage_ui == b->storage_ui && a->axis == b->axis &&
	       blocks_eq(a->blocks, b->blocks) &&
	       a->n == b->n && !memcmp(a->scales, b->scales, sizeof(double) * (size_t)a->n) &&
	       !memcmp(a->zeros, b->zeros, sizeof(int64_t) * (size_t)a->n);
}

static bool type_eq(const void *obj, const void *key)
{
	const type *a = obj, *b = key;
	return a->kind == b->kind && a->dtype == b->dtype && a->rank == b->rank &&
	       a->elem == b->elem && a->encoding == b->encoding && a->text == b->text &&
	       a->n_in == b->n_in && a->n_out == b->n_out &&
	       same_items(a->dims, b->dims, a->rank, sizeof(int64_t)) &&
	       same_items(a->in, b->in, a->n_in, sizeof(type *)) &&
	       same_items(a->out, b->out, a->n_out, sizeof(type *)) && quant_eq(a->quant, b->quant);
}

static void count_elems(type *t)
{
	t->is_static = t->kind == TY_TENSOR || t->kind == TY_VECTOR || t->kind == TY_MEMREF;
	t->n_elems = 1;
	for (int i = 0; i < t->rank && t->is_static; i++)
		if (t->dims[i] == DIM_DYNAMIC)
			t->is_static = false;
		else if (!mul_ok(t->n_elems, t->dims[i], &t->n_elems))
			t->n_elems = INT64_MAX; /* the verifier refuses such types */
	if (!t->is_static)
		t->n_elems = -1;
}

int64_t type_bytes_of(const type *t, int64_t n)
{
	dtype dt = t->elem && t->elem->kind == TY_QUANT ? t->elem->quant->storage : t->dtype;
	int64_t bytes;
	return t->is_static && dt && mul_ok(n, dtype_bytes(dt), &bytes) ? bytes : -1;
}

static void set_bytes(type *t)
{
	int64_t bits = dtype_bits(t->dtype);
	t->bytes = t->packed_bytes = type_bytes_of(t, t->n_elems);
	if (type_is_tensor(t) && t->bytes >= 0 && bits > 1 && bits < 8)
		t->packed_bytes = mul_ok(t->n_elems, bits, &bits) ? ceil_div(bits, 8) : -1;
}

static const quant_info *quant_copy(tess_ctx *ctx, const quant_info *from)
{
	quant_info *q = arena_copy(&ctx->perm, from, sizeof *q);
	q->scales = COPY_N(&ctx->perm, q->scales, q->n);
	q->zeros = COPY_N(&ctx->perm, q->zeros, q->n);
	if (q->blocks) {
		quant_blocks *b = arena_copy(&ctx->perm, q->blocks, sizeof *b);
		b->dims = COPY_N(&ctx->perm, b->dims, b->n);
		b->sizes = COPY_N(&ctx->perm, b->sizes, b->n);
		b->shape = COPY_N(&ctx->perm, b->shape, b->rank);
		q->blocks = b;
	}
	return q;
}

static const type *type_intern(tess_ctx *ctx, const type *key)
{
	ir_tables *tab = ir_tables_of(ctx);
	uint64_t h = type_hash(key);
	type *t = cons_find(&tab->types, h, type_eq, key);
	if (t)
		return t;
	t = arena_alloc(&ctx->perm, sizeof *t);
	*t = *key;
	t->hash = h;
	t->dims = COPY_N(&ctx->perm, key->dims, key->rank);
	t->in = COPY_N(&ctx->perm, key->in, key->n_in);
	t->out = COPY_N(&ctx->perm, key->out, key->n_out);
	if (key->quant)
		t->quant = quant_copy(ctx, key->quant);
	count_elems(t);
	set_bytes(t);
	tab->tuples |= t->kind == TY_TUPLE;
	cons_add(&tab->types, &ctx->perm, h, t);
	return t;
}

bool type_tuples_made(tess_ctx *ctx) { return ir_tables_of(ctx)->tuples; }

const type *type_none(tess_ctx *ctx)
{
	return type_intern(ctx, &(type){.kind = TY_NONE});
}

const type *type_token(tess_ctx *ctx)
{
	return type_intern(ctx, &(type){.kind = TY_TOKEN});
}

const type *type_scalar(tess_ctx *ctx, dtype dt)
{
	ir_tables *tab = ir_tables_of(ctx);
	if (!tab->scalars[dt])
		tab->scalars[dt] = type_intern(ctx, &(type){.kind = TY_SCALAR, .dtype = dt});
	return tab->scalars[dt];
}

const type *type_tensor(tess_ctx *ctx, dtype dt, const int64_t *dims, int rank)
{
	return type_shaped(ctx, TY_TENSOR, type_scalar(ctx, dt), dims, rank, NULL);
}

const type *type_shaped(tess_ctx *ctx, type_kind kind, const type *elem, const int64_t *dims,
                        int rank, const attr *encoding)
{
	return type_intern(ctx, &(type){.kind = kind,
	                                .dtype = elem->kind == TY_SCALAR ? elem->dtype : DT_NONE,
	                                .elem = elem,
	                                .dims = dims,
	                                .rank = rank,
	                                .encoding = encoding});
}

const type *type_quant(tess_ctx *ctx, const quant_info *q)
{
	return type_intern(ctx, &(type){.kind = TY_QUANT, .quant = q});
}

const type *type_list(tess_ctx *ctx, type_kind kind, const type *const *in, int n_in,
                      const type *const *out, int n_out)
{
	return type_intern(
	    ctx, &(type){.kind = kind, .in = in, .n_in = n_in, .out = out, .n_out = n_out});
}

const type *type_complex(tess_ctx *ctx, const type *elem)
{
	dtype dt = elem->kind == TY_SCALAR ? dtype_complex_of(elem->dtype) : DT_NONE;
	return dt ? type_scalar(ctx, dt)
	          : type_intern(ctx, &(type){.kind = TY_COMPLEX, .elem = elem});
}

const type *type_text(tess_ctx *ctx, type_kind kind, tess_str text)
{
	return type_intern(ctx, &(type){.kind = kind, .text = name_of(ctx, text)});
}

const type *type_with_dims(tess_ctx *ctx, const type *t, const int64_t *dims, int rank)
{
	return type_shaped(ctx, t->kind, t->elem, dims, rank, t->encoding);
}

const type *type_with_elem(tess_ctx *ctx, const type *t, const type *elem)
{
	return type_shaped(ctx, t->kind, elem, t->dims, t->rank, t->encoding);
}

const type *type_elem_tensor(tess_ctx *ctx, const type *t)
{
	return type_is_tensor(t) ? type_shaped(ctx, TY_TENSOR, t->elem, NULL, 0, NULL) : t;
}
