/* types.c - types in the checks: when one may stand for another, and types as text.
 *
 * A dynamic dimension agrees with any size within its bound, an unranked tensor with every tensor
 * of its elements. Source: StableHLO, docs/dynamism.md, docs/spec.md "Types". */
#include "op/verify/verify.h"

int64_t type_bound(const type *t, int d)
{
	const attr *b = t->encoding && t->encoding->kind == AT_STRUCT
	                        ? attr_get(t->encoding, N_bounds)
	                        : NULL;
	if (!b || b->kind != AT_DENSE_ARRAY || d >= b->n)
		return DIM_DYNAMIC;
	return ((const int64_t *)b->data)[d];
}

static bool within_bound(const type *t, int d, int64_t size)
{
	int64_t bound = t->encoding ? type_bound(t, d) : DIM_DYNAMIC;
	return dim_dynamic(bound) || dim_dynamic(size) || size <= bound;
}

bool shapes_agree(const type *a, const type *b)
{
	if (a->kind == TY_UNRANKED || b->kind == TY_UNRANKED)
		return true;
	if (a->rank != b->rank)
		return false;
	for (int i = 0; i < a->rank; i++)
		if (!dims_agree(a->dims[i], b->dims[i]) || !within_bound(a, i, b->dims[i]) ||
		    !within_bound(b, i, a->dims[i]))
			return false;
	return true;
}

bool bounds_fit(module *m, const op *o, const type *t)
{
	const attr *b = t->encoding && t->encoding->kind == AT_STRUCT
	                        ? attr_get(t->encoding, N_bounds)
	                        : NULL;
	if (!b || b->kind != AT_DENSE_ARRAY || t->kind != TY_TENSOR)
		return true;
	if (b->n != t->rank)
		return diag_error(m->ctx, op_place(m, o), E_TYPE,
		                  "'%s' op: %s has %d bound%s, expected %d", op_name(o),
		                  type_words(m, t), b->n, b->n == 1 ? "" : "s", t->rank);
	for (int i = 0; i < t->rank; i++)
		if (!dim_dynamic(t->dims[i]) && !dim_dynamic(type_bound(t, i)))
			return diag_error(
				m->ctx, op_place(m, o), E_TYPE,
				"dimension %d of %s has a size and a bound, expected a bound ?", i,
				type_words(m, t));
	return true;
}

bool elems_agree(const type *a, const type *b)
{
	if (a->elem == b->elem)
		return true;
	if (!is_quantized(a) || !is_quantized(b))
		return false;
	const quant_info *p = a->elem->quant, *q = b->elem->quant;
	return p->storage == q->storage && p->expressed == q->expressed;
}

bool types_agree(const type *a, const type *b)
{
	if (a == b)
		return true;
	if (is_tensor(a) && is_tensor(b))
		return elems_agree(a, b) && shapes_agree(a, b);
	if (a->kind != b->kind || a->kind != TY_TUPLE || a->n_in != b->n_in)
		return false;
	for (int i = 0; i < a->n_in; i++)
		if (!types_agree(a->in[i], b->in[i]))
			return false;
	return true;
}

const type *tensor_like(module *m, const type *t, const int64_t *dims, int rank)
{
	return type_shaped(m->ctx, TY_TENSOR, t->elem, dims, rank, NULL);
}

const type *unranked_like(module *m, const type *t)
{
	return type_shaped(m->ctx, TY_UNRANKED, t->elem, NULL, 0, NULL);
}

const type *scalar_like(module *m, const type *t)
{
	return tensor_like(m, t, NULL, 0);
}

/* ---- as text -------------------------------------------------------------------------------- */

static void put_type_words(writer *w, const type *t);

static void put_shaped_words(writer *w, const char *word, const type *t)
{
	put_f(w, "%s<", word);
	for (int i = 0; i < t->rank; i++) {
		if (t->dims[i] == DIM_DYNAMIC)
			put_c(w, '?');
		else
			put_int(w, t->dims[i]);
		put_c(w, 'x');
	}
	if (t->kind == TY_UNRANKED)
		put_lit(w, "*x");
	put_type_words(w, t->elem);
	put_c(w, '>');
}

static void put_types_words(writer *w, const char *word, const type *t)
{
	put_f(w, "%s<", word);
	for (int i = 0; i < t->n_in; i++) {
		if (i)
			put_lit(w, ", ");
		put_type_words(w, t->in[i]);
	}
	put_c(w, '>');
}

static void put_type_words(writer *w, const type *t)
{
	switch (t->kind) {
	case TY_TENSOR:
	case TY_UNRANKED: put_shaped_words(w, "tensor", t); break;
	case TY_MEMREF: put_shaped_words(w, "memref", t); break;
	case TY_SCALAR: put_z(w, dtype_mlir(t->dtype)); break;
	case TY_QUANT:
		put_f(w, "!quant.uniform<%s:%s>", dtype_mlir(t->quant->storage),
		      dtype_mlir(t->quant->expressed));
		break;
	case TY_TOKEN: put_lit(w, "!stablehlo.token"); break;
	case TY_FUTURE: put_types_words(w, "!stablehlo.future", t); break;
	case TY_TUPLE: put_types_words(w, "tuple", t); break;
	default: put_lit(w, "another type"); break;
	}
}

const char *type_words(module *m, const type *t)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	put_type_words(&w, t);
	return writer_z(&w);
}

const char *dims_words(module *m, const int64_t *v, int n)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	put_c(&w, '[');
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(&w, ", ");
		if (v[i] == DIM_DYNAMIC)
			put_c(&w, '?');
		else
			put_int(&w, v[i]);
	}
	put_lit(&w, "]");
	return writer_z(&w);
}
