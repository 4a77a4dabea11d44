/* collectives.c - sdy-reshard-to-collectives: replaces a reshard by a sequence of collectives.
 *
 * Each collective brings the value's axes closer to the wanted ones:
 *
 *   all_slice           splits dimensions over unused axes, without making a
 *                       dimension's shards smaller than wanted;
 *   collective_permute  replaces axes by others of the same size, reorders axes, or
 *                       changes the order of devices;
 *   all_to_all          moves the last axes of a dimension to another dimension;
 *   all_gather          drops the last axes of dimensions.
 *
 * If all sizes are powers of two, one round of the four is enough; otherwise it takes two. Two
 * sub-axes of one axis that cannot coexist, such as (1)2 and (1)3 of 6, are beyond this: the value
 * is gathered first.
 *
 * Source: Shardy, reshard_to_collectives.cc. */
#include "shardy/export/export.h"
#include "shardy/collectives/inserter.h"

/* ---- all_to_all ------------------------------------------------------------------------------ */

/* Finds a dimension's last axes that belong to one other dimension: in[src][*from …). */
static bool find_move(const inserter *s, int src, int *to, int *from)
{
	const axes_vec *in = &s->in[src];
	*to = -1;
	for (*from = in->len; *from > 0; (*from)--) {
		int dim, index;
		if (!inserter_find_out(s->out, s->rank, in->ptr[*from - 1], &dim, &index) ||
		    dim == src || (*to >= 0 && dim != *to))
			break;
		*to = dim;
	}
	return *to >= 0;
}

static bool comes_into_place(const inserter *s, int src, int from, int to)
{
	const axes_vec *in = &s->in[src], *out = &s->out[to];
	for (int i = from; i < in->len; i++)
		if (i - from >= out->len || !axis_eq(in->ptr[i], out->ptr[i - from]))
			return false;
	return true;
}

static void move_axes(inserter *s, int src, int from, int to)
{
	axes_vec *in = &s->in[src], moved = {0};
	axes_drop_back(&s->current[src], in, from);
	while (from < in->len) {
		axis_ref a = axes_remove(in, from);
		inserter_append(s, &moved, a);
		inserter_append(s, &s->current[to], a);
		if (!s->in[to].len && s->out[to].len && axis_eq(s->out[to].ptr[0], a))
			axes_remove(&s->out[to], 0);
		else
			vec_push(s->at.mem, &s->in[to], a);
	}
	tess_ctx *ctx = s->at.b.m->ctx;
	const attr *axes = attr_axes(ctx, moved.ptr, moved.len);
	const int64_t dims[] = {src, to};
	op_set_attr(s->at.b.m, inserter_put(s, OP_SDY_ALL_TO_ALL), N_params,
	            attr_of(ctx, &(attr){.kind = AT_ALL_TO_ALL,
	                                 .list = &axes,
	                                 .n = 1,
	                                 .ints = dims,
	                                 .n_ints = 2}));
}

/* Moves axes; with in_place_only, only those that arrive at their final place, so that moves to one
 * dimension happen in the right order. */
static void try_all_to_alls(inserter *s, bool in_place_only)
{
	int to, from;
	for (int src = 0; src < s->rank; src++)
		while (find_move(s, src, &to, &from) &&
		       (!in_place_only || comes_into_place(s, src, from, to)))
			move_axes(s, src, from, to);
}

/* ---- all_gather ------------------------------------------------------------------------------ */

/* Gathers in[d][from …). */
static void gather_from(inserter *s, int d, int from, axes_vec *gathered)
{
	axes_vec *in = &s->in[d];
	axes_drop_back(&s->current[d], in, from);
	for (int i = from; i < in->len; i++)
		inserter_append(s, gathered, in->ptr[i]);
	in->len = from;
}

static void try_all_gather(inserter *s)
{
	axes_vec *gathered = NEW_N(s->at.mem, axes_vec, s->rank);
	bool any = false;
	for (int d = 0; d < s->rank; d++) {
		int from = s->in[d].len;
		while (from > 0 && !inserter_wants(s, s->in[d].ptr[from - 1]))
			from--;
		gather_from(s, d, from, &gathered[d]);
		any |= gathered[d].len > 0;
	}
	if (any)
		inserter_put_per_dim(s, OP_SDY_ALL_GATHER, N_gathering_axes, gathered);
}

static bool cannot_coexist(const inserter *s, axis_ref a)
{
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->out[d].len; i++)
			if (axis_overlaps(a, s->out[d].ptr[i]) &&
			    !axis_can_coexist(a, s->out[d].ptr[i]))
				return true;
	return false;
}

/* Gathers axes that cannot coexist with the wanted ones. */
static void gather_other_cuts(inserter *s)
{
	axes_vec *gathered = NEW_N(s->at.mem, axes_vec, s->rank);
	bool any = false;
	for (int d = 0; d < s->rank; d++) {
		int from = 0;
		while (from < s->in[d].len && !cannot_coexist(s, s->in[d].ptr[from]))
			from++;
		gather_from(s, d, from, &gathered[d]);
		any |= gathered[d].len > 0;
	}
	if (any)
		inserter_put_per_dim(s, OP_SDY_ALL_GATHER, N_gathering_axes, gathered);
}

static bool is_done(const inserter *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->in[d].len || s->out[d].len)
			return false;
	return mesh_ref_eq(s->now, s->to);
}

/* ---- the sequence for one reshard ----------------------------------------------------------- */

static void copy_dims(arena *mem, axes_vec *lists, const sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			vec_push(mem, &lists[d], s->dims[d].axes[i]);
}

/* Splits overlapping axes, then drops the prefix that `in` and `out` share. */
static void align_dims(inserter *s)
{
	arena *mem = s->at.mem;
	axis_list all_in = axes_sorted(mem, s->in, s->rank),
		  all_out = axes_sorted(mem, s->out, s->rank);
	for (int d = 0; d < s->rank; d++) {
		axes_cut_along(mem, &s->in[d], all_out, s->mesh);
		axes_cut_along(mem, &s->out[d], all_in, s->mesh);
		while (s->in[d].len && s->out[d].len &&
		       axis_eq(s->in[d].ptr[0], s->out[d].ptr[0])) {
			axes_remove(&s->in[d], 0);
			axes_remove(&s->out[d], 0);
		}
	}
}

static value *insert_collectives(module *m, op *reshard, value *v, const sharding *from,
                                 const sharding *to)
{
	arena *mem = &m->ctx->scratch;
	inserter s = {.at = {.b.m = m, .mem = mem},
	              .reshard = reshard,
	              .v = v,
	              .mesh = sharding_mesh(m, from),
	              .now = from->mesh,
	              .to = to->mesh,
	              .target = to,
	              .rank = from->rank,
	              .in = NEW_N(mem, axes_vec, from->rank),
	              .out = NEW_N(mem, axes_vec, from->rank),
	              .current = NEW_N(mem, axes_vec, from->rank),
	              .room = NEW_N(mem, int64_t, from->rank)};
	insert_before(&s.at, reshard);
	copy_dims(mem, s.in, from);
	copy_dims(mem, s.out, to);
	copy_dims(mem, s.current, from);
	align_dims(&s);
	gather_other_cuts(&s);
	for (int round = 0; round < 2 && !is_done(&s); round++) {
		insert_all_slice(&s);
		insert_collective_permute(&s);
		try_all_to_alls(&s, true);
		try_all_to_alls(&s, false);
		try_all_gather(&s);
	}
	return is_done(&s) ? s.v : NULL;
}

/* ---- all reshards --------------------------------------------------------------------------- */

static bool is_on_single_device(const module *m, const sharding *s)
{
	const mesh *mesh = s ? sharding_mesh(m, s) : NULL;
	return mesh && mesh_is_maximal(mesh);
}

/* True if no collective can replace the reshard. */
static bool stays(const module *m, const sharding *from, const sharding *to, const pass_options *o)
{
	bool equivalent = from ? sharding_is_equivalent(from, to)
	                       : sharding_is_fully_replicated(to);
	if ((o->keep_redundant && equivalent) || is_on_single_device(m, from) ||
	    is_on_single_device(m, to))
		return true;
	if (sharding_is_fully_replicated(to) || !from || mesh_ref_eq(from->mesh, to->mesh))
		return false;
	const mesh *a = sharding_mesh(m, from), *b = sharding_mesh(m, to);
	return !a || !b || !mesh_same_axes(a, b);
}

static bool replace_reshard(module *m, op *reshard, const pass_options *o)
{
	value *v = value_past_barriers(operand(reshard, 0)), *out = v;
	const sharding *from = value_sharding(m, v), *to = result(reshard, 0)->sharding;
	if (!to || stays(m, from, to, o))
		return true;
	if (!from)
		from = sharding_open(m->ctx, to->mesh, to->rank);
	if (sharding_is_fully_replicated(to)) {
		if (sharding_is_fully_replicated(from))
			out = operand(reshard, 0);
		else
			to = sharding_replicated(m->ctx, from->mesh, from->rank);
	}
	if (!sharding_is_fully_replicated(to) || !sharding_is_fully_replicated(from))
		out = insert_collectives(m, reshard, v, from, to);
	if (!out)
		return diag_error(m->ctx, op_place(m, reshard), E_RESHARD_COLLECTIVES,
		                  "'sdy.reshard' op: no sequence of collectives was found");
	value_replace_uses(result(reshard, 0), out);
	op_erase(reshard);
	return true;
}

bool pass_reshard_to_collectives(module *m, const pass_options *o)
{
	bool ok = true;
	for (op *i = module_has(m, OP_SDY_RESHARD) ? m->top : NULL, *next; i; i = next) {
		next = op_next(i, m->top);
		if (i->kind != OP_SDY_RESHARD)
			continue;
		arena_mark here = arena_here(&m->ctx->scratch);
		ok &= replace_reshard(m, i, o);
		arena_back(&m->ctx->scratch, here);
	}
	return ok;
}
