/* infer_chlo.c - infers result types of CHLO's implicitly broadcasting operations.
 *
 * Shapes are matched from their last dimension on, as in NumPy, or as the attribute
 * broadcast_dimensions places the dimensions of the operand of smaller rank. If shapes cannot be
 * matched, the result's shape stays open, as in the reference. */
#include "op/verify/verify.h"

/* Broadcasts two sizes; false: they differ. An unknown one is assumed to fit. */
static bool broadcast_dim(int64_t a, int64_t b, int64_t *out)
{
	if (dim_dynamic(a) || dim_dynamic(b)) {
		int64_t known = dim_dynamic(a) ? b : a;
		*out = known == 1 || dim_dynamic(known) ? DIM_DYNAMIC : known;
		return true;
	}
	*out = a == 1 ? b : a;
	return a == b || a == 1 || b == 1;
}

/* Returns NULL if the shapes do not match. */
static const type *broadcast_two(module *m, const op *o, const type *a, const type *b)
{
	const type *large = a->rank >= b->rank ? a : b, *small = large == a ? b : a;
	int n = -1;
	const int64_t *at = op_ints(m, o, N_broadcast_dimensions, &n);
	bool placed = n >= 0 && large->rank != small->rank;
	if (placed && n != small->rank)
		return NULL;
	int64_t *dims = COPY_N(&m->ctx->scratch, large->dims, large->rank);
	for (int i = 0; i < small->rank; i++) {
		int64_t d = placed ? at[i] : large->rank - small->rank + i;
		if (d < 0 || d >= large->rank ||
		    !broadcast_dim(large->dims[d], small->dims[i], &dims[d]))
			return NULL;
	}
	return type_shaped(m->ctx, TY_TENSOR, a->elem, dims, large->rank, NULL);
}

static const type *broadcast_all(module *m, const op *o, int from)
{
	const type *t = operand(o, from)->type;
	const type *open = unranked_like(m, t);
	for (int i = 0; i < o->n_operands; i++)
		if (!is_ranked(operand(o, i)->type))
			return open;
	for (int i = from + 1; t && i < o->n_operands; i++)
		t = broadcast_two(m, o, t, operand(o, i)->type);
	for (int i = 0; t && i < from; i++)
		t = broadcast_two(m, o, t, operand(o, i)->type);
	return t ? t : open;
}

bool infer_chlo_broadcast(module *m, const op *o, const type **out)
{
	*out = broadcast_all(m, o, 0);
	return true;
}

bool infer_chlo_broadcast_compare(module *m, const op *o, const type **out)
{
	*out = type_with_elem(m->ctx, broadcast_all(m, o, 0), type_scalar(m->ctx, DT_I1));
	return true;
}

bool infer_chlo_broadcast_complex(module *m, const op *o, const type **out)
{
	const type *t = broadcast_all(m, o, 0);
	*out = type_with_elem(m->ctx, t, type_complex(m->ctx, t->elem));
	return true;
}

bool infer_chlo_broadcast_select(module *m, const op *o, const type **out)
{
	/* The reference does not check the result's elements; during inference it has none. */
	const type *given = result(o, 0)->type->elem;
	*out = type_with_elem(m->ctx, broadcast_all(m, o, 1),
	                      given ? given : operand(o, 1)->type->elem);
	return true;
}
