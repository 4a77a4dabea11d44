/* inserter.c - what the collectives of a reshard share: the state, and splitting axes to fit. */
#include "shardy/collectives/inserter.h"

/* ---- the state ------------------------------------------------------------------------ */

bool inserter_uses(const inserter *s, axis_ref a)
{
	for (int d = 0; d < s->rank; d++)
		if (axes_find(&s->in[d], a) >= 0)
			return true;
	return false;
}

bool inserter_find_out(const axes_vec *out, int rank, axis_ref a, int *dim, int *index)
{
	for (int d = 0; d < rank; d++) {
		int i = axes_find(&out[d], a);
		if (i < 0)
			continue;
		*dim = d;
		*index = i;
		return true;
	}
	return false;
}

bool inserter_wants(const inserter *s, axis_ref a)
{
	int dim, index;
	return inserter_find_out(s->out, s->rank, a, &dim, &index);
}

void inserter_append(inserter *s, axes_vec *v, axis_ref a)
{
	axes_append(v, s->at.mem, a, s->mesh);
}

int64_t inserter_shards(const inserter *s, const axes_vec *v)
{
	return axes_size(axes_of(v), s->mesh);
}

static const sharding *current_sharding(const inserter *s)
{
	dim_sharding *dims = NEW_N(s->at.mem, dim_sharding, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d] = (dim_sharding){s->current[d].ptr, s->current[d].len, false,
		                         PRIORITY_NONE};
	return sharding_of(s->at.b.m->ctx, &(sharding){.mesh = s->now,
	                                               .rank = s->rank,
	                                               .dims = dims,
	                                               .n_unreduced = s->target->n_unreduced,
	                                               .unreduced = s->target->unreduced,
	                                               .reduction = s->target->reduction});
}

op *inserter_put(inserter *s, op_kind kind)
{
	op *o = insert_unary(&s->at, kind, s->v, current_sharding(s));
	op_take_place(s->at.b.m, o, s->reshard);
	s->v = result(o, 0);
	return o;
}

void inserter_put_per_dim(inserter *s, op_kind kind, int known, const axes_vec *lists)
{
	tess_ctx *ctx = s->at.b.m->ctx;
	const attr **dims = NEW_N(s->at.mem, const attr *, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d] = attr_axes(ctx, lists[d].ptr, lists[d].len);
	op_set_attr(s->at.b.m, inserter_put(s, kind), known,
	            attr_of(ctx, &(attr){.kind = AT_AXES_LIST, .list = dims, .n = s->rank}));
}

/* ---- splitting axes to fit ------------------------------------------------------------------ */

bool inserter_take(const inserter *s, axis_ref a, int64_t *room, axis_ref *fits,
                           axis_ref *rest, bool *has_rest)
{
	int64_t size = axis_size(a, s->mesh);
	*has_rest = false;
	if (*room <= 1 || (size % *room && *room % size))
		return false;
	if (*room >= size) {
		*room /= size;
		*fits = a;
		return true;
	}
	*fits = axis_sub(s->mesh, a.axis, axis_pre(a), *room);
	*rest = axis_sub(s->mesh, a.axis, axis_next_pre(*fits, s->mesh), size / *room);
	*room = 1;
	*has_rest = true;
	return true;
}

void inserter_distribute(inserter *s, axes_vec *available, bool shared, bool front, axes_vec *added)
{
	arena *mem = s->at.mem;
	axes_vec cut = {0};
	for (int d = 0; d < s->rank; d++) {
		axes_vec *from = shared ? available : &available[d];
		int at = front ? 0 : s->in[d].len;
		for (int i = 0; i < from->len && s->room[d] > 1;) {
			axis_ref fits, rest;
			bool has_rest;
			if (!inserter_take(s, from->ptr[i], &s->room[d], &fits, &rest,
			                    &has_rest)) {
				i++;
				continue;
			}
			axes_remove(from, i);
			axes_insert(mem, &s->in[d], at++, fits);
			if (added)
				inserter_append(s, &added[d], fits);
			if (has_rest) {
				vec_push(mem, &cut, fits);
				axes_insert(mem, from, 0, rest);
			}
		}
	}
	axis_list sorted = axes_sorted(mem, &cut, 1);
	for (int d = 0; d < s->rank; d++)
		axes_cut_along(mem, &s->out[d], sorted, s->mesh);
}
