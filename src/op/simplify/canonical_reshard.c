/* canonical_reshard.c - reshards of reshards, and repeated reshards.
 *
 * A second reshard of the same data need not communicate again. The data may have passed through
 * reshapes and transposes. A reshape keeps the row-major order of elements, so {"a"} on the 8 of
 * 8x4 and {"a"} on the 16 of 16x2 are the same distribution; both are compared as a list of (axis,
 * stride in elements). */
#include "op/simplify/rewrite.h"

/* How many uses of one value are looked at before giving up. */
enum { MAX_LOOKED_AT = 256 };

bool canonical_reshard_of_reshard(rewriter *r, op *o)
{
	op *inner = value_def_of(operand(o, 0), OP_SDY_RESHARD);
	if (!inner || !value_has_one_use(result(inner, 0)))
		return false;
	op_set_operand(o, 0, operand(inner, 0));
	rewrite_erase(r, inner);
	rewrite_push(r, o);
	return true;
}

/* ---- distributions across reshapes ------------------------------------------------ */

typedef struct stride_axis {
	axis_ref axis;
	int64_t stride; /* elements between neighbors along the axis */
} stride_axis;
typedef VEC(stride_axis) stride_list;

/* The axes of a sharding, minor to major. Returns false if some dimension is not divided evenly. */
static bool axis_strides(rewriter *r, const sharding *s, const mesh *m, const type *t,
                         stride_list *out)
{
	int64_t inner = 1;
	for (int d = t->rank - 1; d >= 0; d--) {
		axis_list axes = dim_axes(&s->dims[d]);
		int64_t shards = axes_size(axes, m);
		if (shards < 1 || t->dims[d] % shards != 0)
			return false;
		int64_t stride = inner * (t->dims[d] / shards);
		for (int i = axes.n - 1; i >= 0; i--) {
			stride_axis *last = out->len ? &out->ptr[out->len - 1] : NULL;
			int64_t size = axis_size(axes.ptr[i], m);
			if (last && axis_can_merge(axes.ptr[i], last->axis) &&
			    stride == last->stride * axis_size(last->axis, m))
				last->axis = axis_merge(axes.ptr[i], last->axis, m);
			else
				vec_push(r->mem, out, (stride_axis){axes.ptr[i], stride});
			stride *= size;
		}
		inner *= t->dims[d];
	}
	return true;
}

static bool same_axes_elsewhere(const sharding *a, const sharding *b)
{
	axis_list ra = {a->replicated, a->n_replicated}, rb = {b->replicated, b->n_replicated};
	axis_list ua = {a->unreduced, a->n_unreduced}, ub = {b->unreduced, b->n_unreduced};
	return axes_eq(ra, rb) && axes_eq(ua, ub) && (!ua.n || a->reduction == b->reduction);
}

static bool same_distribution(rewriter *r, const sharding *a, const type *ta, const sharding *b,
                              const type *tb)
{
	if (a == b && ta == tb)
		return true;
	const mesh *m = sharding_mesh(r->m, a);
	if (!m || !mesh_ref_eq(a->mesh, b->mesh) || !same_axes_elsewhere(a, b) || !ta->is_static ||
	    !tb->is_static || ta->encoding || tb->encoding || a->rank != ta->rank ||
	    b->rank != tb->rank)
		return false;
	stride_list sa = {0}, sb = {0};
	if (!axis_strides(r, a, m, ta, &sa) || !axis_strides(r, b, m, tb, &sb) || sa.len != sb.len)
		return false;
	for (int i = 0; i < sa.len; i++)
		if (!axis_eq(sa.ptr[i].axis, sb.ptr[i].axis) ||
		    sa.ptr[i].stride != sb.ptr[i].stride)
			return false;
	return true;
}

/* ---- repeated reshards ---------------------------------------------------------------------- */

static value *root_of(value *v)
{
	while (value_def(v) && op_rearranges(value_def(v)))
		v = operand(value_def(v), 0);
	return v;
}

/* Translates a sharding of `v` to the value before the transposes that made `v`. A reshape that
 * changes the rank ends the walk; strides handle those. */
static const sharding *sharding_at_root(rewriter *r, const sharding *s, const value *v)
{
	for (const op *o = value_def(v); o && op_rearranges(o);
	     o = value_def(operand(o, 0))) {
		const value *from = operand(o, 0);
		if (o->kind == OP_RESHAPE) {
			if (from->type->rank != result(o, 0)->type->rank)
				break;
			continue;
		}
		int n;
		const int64_t *permutation = op_ints(r->m, o, N_permutation, &n);
		if (n != s->rank)
			break;
		dim_sharding *dims = NEW_N(r->mem, dim_sharding, n);
		for (int d = 0; d < n; d++)
			dims[permutation[d]] = s->dims[d];
		sharding moved = *s;
		moved.dims = dims;
		s = sharding_of(r->m->ctx, &moved);
	}
	return s;
}

/* An earlier reshard of the root, or of a reshape of it, to the same distribution. */
static value *find_reshard(rewriter *r, value *root, const sharding *s, const op *current)
{
	VEC(value *) todo = {0};
	int looked_at = 0;
	vec_push(r->mem, &todo, root);
	while (todo.len) {
		value *v = todo.ptr[--todo.len];
		for (use *u = v->uses; u && looked_at < MAX_LOOKED_AT; u = u->next, looked_at++) {
			op *o = u->owner;
			if (o->kind == OP_RESHAPE)
				vec_push(r->mem, &todo, result(o, 0));
			else if (o->kind == OP_SDY_RESHARD && o != current &&
			         same_distribution(r, result(o, 0)->sharding, result(o, 0)->type, s,
			                           result(current, 0)->type) &&
			         rewrite_stands_before(r, o, current))
				return result(o, 0);
		}
	}
	return NULL;
}

/* Repeats the ops that lead from the root to `target` on `from`, directly after it. */
static value *repeat_moves(rewriter *r, const value *target, const value *root, value *from)
{
	VEC(const op *) path = {0};
	for (const value *v = target; v != root; v = operand(value_def(v), 0))
		vec_push(r->mem, &path, value_def(v));
	for (int i = path.len - 1; i >= 0; i--) {
		ptr_map map = {0};
		op *copy = op_clone(r->m, path.ptr[i], &map, r->mem);
		op_set_operand(copy, 0, from);
		op_insert_after(value_def(from), copy);
		from = result(copy, 0);
	}
	return from;
}

bool canonical_reshard_again(rewriter *r, op *o)
{
	value *input = operand(o, 0), *root = root_of(input);
	const sharding *s = result(o, 0)->sharding;
	value *made = s ? find_reshard(r, root, sharding_at_root(r, s, input), o) : NULL;
	if (!made)
		return false;
	if (made->type != root->type) {
		op *back = op_make(r->m, OP_RESHAPE, &made, 1, &root->type, 1, 0);
		op_set_loc(r->m, back, op_loc(o));
		op_insert_after(value_def(made), back);
		made = result(back, 0);
	}
	rewrite_replace(r, o, repeat_moves(r, input, root, made));
	return true;
}
