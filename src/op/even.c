/* even.c - cuts shardings down to what divides each dimension. */
#include "op/op.h"

/* The longest prefix of the axes that divides the size: of the first axis that does not fit only
 * the part that does, and nothing after it. */
static axis_list dividing_prefix(arena *mem, axis_list l, const mesh *mesh, int64_t size)
{
	axis_ref *kept = NEW_N(mem, axis_ref, l.n);
	int n = 0;
	for (int i = 0; i < l.n; i++) {
		int64_t whole = axis_size(l.ptr[i], mesh), part = gcd_i64(whole, size);
		if (part == 1)
			break;
		kept[n++] = part == whole ? l.ptr[i]
		                          : axis_sub(mesh, l.ptr[i].axis, axis_pre(l.ptr[i]), part);
		if (part != whole)
			break;
		size /= part;
	}
	return (axis_list){kept, n};
}

const sharding *evenly_sharded(module *m, const sharding *s, const type *t)
{
	const mesh *mesh = s ? sharding_mesh(m, s) : NULL;
	if (!mesh || !type_is_tensor(t) || !t->is_static || t->rank != s->rank)
		return s;
	arena *mem = &m->ctx->scratch;
	arena_mark here = arena_here(mem);
	dim_sharding *dims = COPY_N(mem, s->dims, s->rank);
	for (int d = 0; d < s->rank; d++) {
		if (t->dims[d] % axes_size(dim_axes(&dims[d]), mesh) == 0)
			continue;
		axis_list l = dividing_prefix(mem, dim_axes(&dims[d]), mesh, t->dims[d]);
		dims[d].axes = l.ptr;
		dims[d].n_axes = l.n;
		dims[d].priority = PRIORITY_NONE;
	}
	s = sharding_with_dims(m->ctx, s, dims, s->rank);
	arena_back(mem, here);
	return s;
}
