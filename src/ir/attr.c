/* attr.c - interned attributes.
 *
 * One struct serves all kinds, and unused fields are zero, so that hashing, comparing and copying
 * are written once, over the fields. */
#include "ir/ir_tables.h"

#include <stdlib.h>

/* ---- rules ------------------------------------------------------------------- */

static uint64_t set_hash(uint64_t h, const factor_set *s)
{
	h = hash_mix(h, (uint64_t)s->n + 1);
	return s->n ? hash_bytes(s->factors, sizeof(int) * (size_t)s->n, h) : h;
}

static uint64_t rule_hash(const sharding_rule *r)
{
	uint64_t h = hash_mix((uint64_t)r->n_operands << 16 | (uint64_t)r->n_results, r->custom);
	if (r->n_factors)
		h = hash_bytes(r->sizes, sizeof(int64_t) * (size_t)r->n_factors, h);
	for (int t = 0; t < r->n_operands + r->n_results; t++)
		for (int d = 0; d < r->tensors[t].rank; d++) {
			const dim_factors *df = &r->tensors[t].dims[d];
			h = set_hash(h, &(factor_set){df->n, df->factors});
		}
	h = set_hash(h, &r->reduction);
	h = set_hash(h, &r->need_replication);
	h = set_hash(h, &r->permutation);
	return set_hash(h, &r->blocked);
}

static bool set_eq(const factor_set *a, const factor_set *b)
{
	return a->n == b->n &&
	       (!a->n || !memcmp(a->factors, b->factors, sizeof(int) * (size_t)a->n));
}

static bool rule_eq(const sharding_rule *a, const sharding_rule *b)
{
	if (a->n_factors != b->n_factors || a->n_operands != b->n_operands ||
	    a->n_results != b->n_results || a->custom != b->custom)
		return false;
	for (int i = 0; i < a->n_factors; i++)
		if (a->sizes[i] != b->sizes[i])
			return false;
	for (int t = 0; t < a->n_operands + a->n_results; t++) {
		if (a->tensors[t].rank != b->tensors[t].rank)
			return false;
		for (int d = 0; d < a->tensors[t].rank; d++) {
			const dim_factors *x = &a->tensors[t].dims[d], *y = &b->tensors[t].dims[d];
			if (!set_eq(&(factor_set){x->n, x->factors},
			            &(factor_set){y->n, y->factors}))
				return false;
		}
	}
	return set_eq(&a->reduction, &b->reduction) &&
	       set_eq(&a->need_replication, &b->need_replication) &&
	       set_eq(&a->permutation, &b->permutation) && set_eq(&a->blocked, &b->blocked);
}

static factor_set set_copy(arena *a, factor_set s)
{
	s.factors = COPY_N(a, s.factors, s.n);
	return s;
}

static const sharding_rule *rule_copy(arena *a, const sharding_rule *from)
{
	sharding_rule *r = arena_copy(a, from, sizeof *from);
	int n = r->n_operands + r->n_results;
	tensor_factors *tensors = COPY_N(a, r->tensors, n);
	for (int t = 0; t < n; t++) {
		dim_factors *dims = COPY_N(a, tensors[t].dims, tensors[t].rank);
		for (int d = 0; d < tensors[t].rank; d++)
			dims[d].factors = COPY_N(a, dims[d].factors, dims[d].n);
		tensors[t].dims = dims;
	}
	r->tensors = tensors;
	r->sizes = COPY_N(a, r->sizes, r->n_factors);
	r->reduction = set_copy(a, r->reduction);
	r->need_replication = set_copy(a, r->need_replication);
	r->permutation = set_copy(a, r->permutation);
	r->blocked = set_copy(a, r->blocked);
	return r;
}

/* ---- interning ------------------------------------------------------------------ */

#define MIX_PTR(h, p) hash_mix((h), (uint64_t)(uintptr_t)(p))

static uint64_t bytes_hash(uint64_t h, const void *p, size_t n)
{
	return n && p ? hash_bytes(p, n, h) : h;
}

static bool same_bytes(const void *a, const void *b, size_t n)
{
	return a == b || !n || (a && b && !memcmp(a, b, n));
}

static axis_list listed_axes(const attr *a) { return (axis_list){a->axes, a->n}; }

static uint64_t axes_hash(uint64_t h, axis_list l)
{
	for (int i = 0; i < l.n; i++)
		h = hash_mix(MIX_PTR(h, l.ptr[i].axis),
		             (uint64_t)l.ptr[i].pre << 32 ^ (uint64_t)l.ptr[i].size);
	return h;
}

/* The field that only some kinds have. By default it points to something interned. */
static uint64_t special_hash(uint64_t h, const attr *a)
{
	switch (a->kind) {
	case AT_SHARDINGS: return bytes_hash(h, a->shardings, sizeof(void *) * (size_t)a->n);
	case AT_AXES: return axes_hash(h, listed_axes(a));
	case AT_RULE: return hash_mix(h, rule_hash(a->rule));
	default: return MIX_PTR(h, a->special);
	}
}

static bool special_eq(const attr *a, const attr *b)
{
	switch (a->kind) {
	case AT_SHARDINGS:
		return same_bytes(a->shardings, b->shardings, sizeof(void *) * (size_t)a->n);
	case AT_AXES: return axes_eq(listed_axes(a), listed_axes(b));
	case AT_RULE: return rule_eq(a->rule, b->rule);
	default: return a->special == b->special;
	}
}

static const void *special_copy(arena *mem, const attr *a)
{
	if (!a->special)
		return NULL;
	switch (a->kind) {
	case AT_SHARDINGS: return COPY_N(mem, a->shardings, a->n);
	case AT_AXES: return COPY_N(mem, a->axes, a->n);
	case AT_RULE: return rule_copy(mem, a->rule);
	default: return a->special;
	}
}

/* For a float, the bits determine f. */
static uint64_t number_of(const attr *a) { return a->kind == AT_FLOAT ? a->bits : (uint64_t)a->i; }

static uint64_t attr_hash(const attr *a)
{
	uint64_t h = hash_mix((uint64_t)a->kind << 1 | a->splat, (uint64_t)a->n);
	size_t n = (size_t)a->n;
	h = MIX_PTR(h, a->type);
	h = MIX_PTR(h, a->text);
	h = hash_mix(h, number_of(a));
	if (a->sub)
		h = MIX_PTR(h, a->sub);
	if (a->special)
		h = special_hash(h, a);
	h = bytes_hash(h, a->list, sizeof(void *) * n);
	h = bytes_hash(h, a->names, sizeof(void *) * n);
	h = bytes_hash(h, a->ints, sizeof(int64_t) * (size_t)a->n_ints);
	return bytes_hash(h, a->data, a->data_len);
}

static bool attr_eq(const void *obj, const void *key)
{
	const attr *a = obj, *b = key;
	size_t n = (size_t)a->n;
	/* attr_ints() may have filled in the ints of these kinds */
	bool own_ints = a->kind != AT_DENSE && a->kind != AT_DENSE_ARRAY && a->kind != AT_ARRAY;
	return a->kind == b->kind && a->splat == b->splat && a->n == b->n && a->type == b->type &&
	       a->text == b->text && a->sub == b->sub && number_of(a) == number_of(b) &&
	       a->data_len == b->data_len && special_eq(a, b) &&
	       same_bytes(a->list, b->list, sizeof(void *) * n) &&
	       same_bytes(a->names, b->names, sizeof(void *) * n) &&
	       (!own_ints || (a->n_ints == b->n_ints &&
	                      same_bytes(a->ints, b->ints, sizeof(int64_t) * (size_t)a->n_ints))) &&
	       same_bytes(a->data, b->data, a->data_len);
}

#define KEEP(mem, p, n) ((p) ? COPY_N((mem), (p), (n)) : NULL)

const attr *attr_of(tess_ctx *ctx, const attr *key)
{
	ir_tables *tab = ir_tables_of(ctx);
	arena *mem = &ctx->perm;
	uint64_t h = attr_hash(key);
	attr *a = cons_find(&tab->attrs, h, attr_eq, key);
	if (a)
		return a;
	tab->attr_kinds |= UINT64_C(1) << key->kind;
	a = arena_copy(mem, key, sizeof *key);
	a->hash = h;
	a->list = KEEP(mem, key->list, key->n);
	a->names = KEEP(mem, key->names, key->n);
	a->ints = KEEP(mem, key->ints, key->n_ints);
	a->data = key->data ? arena_copy(mem, key->data, key->data_len) : NULL;
	a->special = special_copy(mem, key);
	cons_add(&tab->attrs, mem, h, a);
	return a;
}

bool attr_kind_made(tess_ctx *ctx, attr_kind kind)
{
	return ir_tables_of(ctx)->attr_kinds >> kind & 1;
}

/* ---- constructors ---------------------------------------------------------------- */

const attr *attr_unit(tess_ctx *ctx)
{
	ir_tables *tab = ir_tables_of(ctx);
	if (!tab->unit)
		tab->unit = attr_of(ctx, &(attr){.kind = AT_UNIT});
	return tab->unit;
}

const attr *attr_bool(tess_ctx *ctx, bool v)
{
	return attr_of(ctx, &(attr){.kind = AT_BOOL, .i = v, .type = type_scalar(ctx, DT_I1)});
}

const attr *attr_int(tess_ctx *ctx, int64_t v, const type *t)
{
	return attr_of(ctx, &(attr){.kind = AT_INT, .i = v, .type = t});
}

const attr *attr_i64(tess_ctx *ctx, int64_t v)
{
	ir_tables *tab = ir_tables_of(ctx);
	if (v < 0 || v >= COUNT(tab->ints))
		return attr_int(ctx, v, type_scalar(ctx, DT_I64));
	if (!tab->ints[v])
		tab->ints[v] = attr_int(ctx, v, type_scalar(ctx, DT_I64));
	return tab->ints[v];
}

const attr *attr_i32(tess_ctx *ctx, int64_t v)
{
	return attr_int(ctx, v, type_scalar(ctx, DT_I32));
}

const attr *attr_float(tess_ctx *ctx, double v, uint64_t bits, const type *t)
{
	return attr_of(ctx, &(attr){.kind = AT_FLOAT, .f = v, .bits = bits, .type = t});
}

const attr *attr_string(tess_ctx *ctx, const name *n)
{
	return attr_of(ctx, &(attr){.kind = AT_STRING, .text = n});
}

const attr *attr_type(tess_ctx *ctx, const type *t)
{
	return attr_of(ctx, &(attr){.kind = AT_TYPE, .type = t});
}

const attr *attr_array(tess_ctx *ctx, const attr *const *list, int n)
{
	return attr_of(ctx, &(attr){.kind = AT_ARRAY, .list = list, .n = n});
}

static int named_cmp(const void *x, const void *y)
{
	const named_attr *a = x, *b = y;
	return str_cmp(name_str(a->name), name_str(b->name));
}

const attr *attr_dict(tess_ctx *ctx, const name *const *names, const attr *const *list, int n)
{
	arena_mark mark = arena_here(&ctx->scratch);
	named_attr *items = NEW_N(&ctx->scratch, named_attr, n);
	const name **sorted_names = NEW_N(&ctx->scratch, const name *, n);
	const attr **sorted = NEW_N(&ctx->scratch, const attr *, n);
	for (int i = 0; i < n; i++)
		items[i] = (named_attr){names[i], list[i]};
	if (n > 1)
		qsort(items, (size_t)n, sizeof *items, named_cmp);
	for (int i = 0; i < n; i++) {
		sorted_names[i] = items[i].name;
		sorted[i] = items[i].value;
	}
	const attr *a =
	    attr_of(ctx, &(attr){.kind = AT_DICT, .names = sorted_names, .list = sorted, .n = n});
	arena_back(&ctx->scratch, mark);
	return a;
}

const attr *attr_symbol(tess_ctx *ctx, const name *n)
{
	return attr_of(ctx, &(attr){.kind = AT_SYMBOL, .text = n});
}

const attr *attr_enum(tess_ctx *ctx, const char *dialect, const char *kind, const char *word)
{
	return attr_of(ctx, &(attr){.kind = AT_ENUM,
	                            .text = name_of_z(ctx, dialect),
	                            .sub = name_of_z(ctx, kind),
	                            .word = name_of_z(ctx, word)});
}

const attr *attr_i64_array(tess_ctx *ctx, const int64_t *v, int n)
{
	return attr_of(ctx, &(attr){.kind = AT_DENSE_ARRAY,
	                            .type = type_scalar(ctx, DT_I64),
	                            .n = n,
	                            .data = v,
	                            .data_len = sizeof *v * (size_t)n});
}

const attr *attr_bool_array(tess_ctx *ctx, const bool *v, int n)
{
	return attr_of(ctx, &(attr){.kind = AT_DENSE_ARRAY,
	                            .type = type_scalar(ctx, DT_I1),
	                            .n = n,
	                            .data = v,
	                            .data_len = (size_t)n});
}

const attr *attr_dense(tess_ctx *ctx, const type *t, const void *data, size_t len, bool splat)
{
	/* Equal elements are a splat, as in MLIR, so that equal values are equal attributes. */
	size_t bytes = t->n_elems > 0 ? len / (size_t)t->n_elems : 0;
	if (!splat && bytes && !memcmp(data, (const char *)data + bytes, len - bytes)) {
		splat = true;
		len = bytes;
	}
	return attr_of(ctx, &(attr){.kind = AT_DENSE, .type = t, .data = data, .data_len = len,
	                            .splat = splat});
}

const attr *attr_sharding(tess_ctx *ctx, const sharding *s)
{
	return attr_of(ctx, &(attr){.kind = AT_SHARDING, .sharding = s});
}

const attr *attr_shardings(tess_ctx *ctx, const sharding *const *s, int n)
{
	return attr_of(ctx, &(attr){.kind = AT_SHARDINGS, .shardings = s, .n = n});
}

const attr *attr_mesh(tess_ctx *ctx, const mesh *m)
{
	return attr_of(ctx, &(attr){.kind = AT_MESH, .mesh = m});
}

const attr *attr_axes(tess_ctx *ctx, const axis_ref *axes, int n)
{
	return attr_of(ctx, &(attr){.kind = AT_AXES, .axes = axes, .n = n});
}

const attr *attr_rule(tess_ctx *ctx, const sharding_rule *r)
{
	return attr_of(ctx, &(attr){.kind = AT_RULE, .rule = r});
}

const attr *attr_loc_unknown(tess_ctx *ctx)
{
	return attr_of(ctx, &(attr){.kind = AT_LOC_UNKNOWN});
}

/* ---- queries ------------------------------------------------------------------------ */

const attr *attr_get(const attr *dict, int known)
{
	for (int i = 0; dict && dict->names && i < dict->n; i++)
		if (name_is(dict->names[i], known))
			return dict->list[i];
	return NULL;
}

const attr *attr_get_named(const attr *dict, const name *n)
{
	for (int i = 0; dict && dict->names && i < dict->n; i++)
		if (dict->names[i] == n)
			return dict->list[i];
	return NULL;
}

static dtype elem_dtype(const attr *a)
{
	const type *t = a->type;
	if (t->elem && t->elem->kind == TY_QUANT)
		return t->elem->quant->storage;
	return t->dtype;
}

int64_t attr_dense_int(const attr *a, int64_t i)
{
	dtype dt = elem_dtype(a);
	int bytes = dtype_bytes(dt);
	const char *p = (const char *)a->data + (a->splat ? 0 : i * bytes);
	uint64_t v = 0;
	memcpy(&v, p, (size_t)(bytes > 8 ? 8 : bytes));
	if (dtype_class_of(dt) == DC_SINT && dtype_bits(dt) < 64) {
		int shift = 64 - dtype_bits(dt);
		return (int64_t)(v << shift) >> shift;
	}
	return (int64_t)v;
}

double attr_dense_float(const attr *a, int64_t i)
{
	dtype dt = elem_dtype(a);
	const char *p = (const char *)a->data + (a->splat ? 0 : i * dtype_bytes(dt));
	float f;
	double d;
	switch (dt) {
	case DT_F32:
		memcpy(&f, p, 4);
		return f;
	case DT_F64:
		memcpy(&d, p, 8);
		return d;
	case DT_BF16: {
		uint16_t h;
		memcpy(&h, p, 2);
		uint32_t w = (uint32_t)h << 16;
		memcpy(&f, &w, 4);
		return f;
	}
	default:
		return (double)attr_dense_int(a, i);
	}
}

/* [1, 2], as in the fields of #stablehlo.gather<…>. */
static const int64_t *array_ints(tess_ctx *ctx, const attr *a, int *n)
{
	for (int i = 0; i < a->n; i++)
		if (a->list[i]->kind != AT_INT)
			return NULL;
	*n = a->n;
	if (!a->ints) {
		int64_t *v = arena_alloc(&ctx->perm, sizeof *v * (size_t)a->n);
		for (int i = 0; i < a->n; i++)
			v[i] = a->list[i]->i;
		((attr *)a)->ints = v; /* a fact of the attribute, computed once */
	}
	return a->ints;
}

const int64_t *attr_ints(tess_ctx *ctx, const attr *a, int *n)
{
	enum { MAX_INTS = 1 << 22 };
	static const int64_t none = 0;
	*n = -1;
	if (a && a->kind == AT_ARRAY)
		return array_ints(ctx, a, n);
	if (!a || (a->kind != AT_DENSE && a->kind != AT_DENSE_ARRAY))
		return NULL;
	dtype dt = elem_dtype(a);
	int64_t count = a->kind == AT_DENSE ? a->type->n_elems : a->n;
	if (!(dtype_is_int(dt) || dt == DT_INDEX) || count < 0 || count > MAX_INTS)
		return NULL;
	*n = (int)count;
	if (!count)
		return &none;
	if (dt == DT_I64 && !a->splat)
		return a->data;
	if (!a->ints) {
		int64_t *v = arena_alloc(&ctx->perm, sizeof *v * (size_t)count);
		for (int64_t i = 0; i < count; i++)
			v[i] = attr_dense_int(a, i);
		((attr *)a)->ints = v; /* a fact of the attribute, computed once */
	}
	return a->ints;
}

const attr *attr_splat_bits(tess_ctx *ctx, const type *t, uint64_t bits)
{
	unsigned char data[16] = {0};
	for (int i = 0; i < 8; i++)
		data[i] = (unsigned char)(bits >> (8 * i));
	return attr_dense(ctx, t, data, (size_t)dtype_bytes(t->dtype), true);
}
