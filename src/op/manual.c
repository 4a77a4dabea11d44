/* manual.c - manual computations: their axes, and the types at their border.
 *
 * The body gets, of each operand, the part that is left when it is cut along the manual axes of its
 * sharding, and returns such a part of each result. */
#include "op/op.h"

int manual_axis_number(const attr *manual_axes, const name *axis)
{
	for (int i = 0; manual_axes && i < manual_axes->n; i++)
		if (manual_axes->list[i]->text == axis)
			return i;
	return -1;
}

/* The number of parts of dimension d; 0: it overflows. */
static int64_t manual_parts(const module *m, const op *o, const sharding *s, int d)
{
	const mesh *me = sharding_mesh(m, s);
	const attr *manual = op_attr(o, N_manual_axes);
	int64_t parts = 1;
	for (int i = 0; me && i < s->dims[d].n_axes; i++)
		if (manual_names_axis(manual, s->dims[d].axes[i].axis) &&
		    !mul_ok(parts, axis_size(s->dims[d].axes[i], me), &parts))
			return 0;
	return parts;
}

static const sharding *manual_border_sharding(const op *o, int known, int i)
{
	const attr *a = op_attr(o, known);
	return a && a->kind == AT_SHARDINGS && i < a->n ? a->shardings[i] : NULL;
}

const type *manual_inside(const module *m, const op *o, int i, const type *t)
{
	const sharding *s = manual_border_sharding(o, N_in_shardings, i);
	if (!s || t->kind != TY_TENSOR || s->rank != t->rank)
		return t;
	int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank);
	for (int d = 0; d < t->rank; d++) {
		int64_t parts = manual_parts(m, o, s, d);
		if (!parts || dims[d] % parts)
			return NULL;
		dims[d] /= parts;
	}
	return type_with_dims(m->ctx, t, dims, t->rank);
}

const type *manual_outside(const module *m, const op *o, int i, const type *t)
{
	const sharding *s = manual_border_sharding(o, N_out_shardings, i);
	if (!s || t->kind != TY_TENSOR || s->rank != t->rank)
		return t;
	int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank);
	for (int d = 0; d < t->rank; d++)
		if (!mul_ok(dims[d], manual_parts(m, o, s, d), &dims[d]))
			return NULL;
	return type_with_dims(m->ctx, t, dims, t->rank);
}
