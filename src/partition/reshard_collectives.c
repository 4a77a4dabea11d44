/* reshard_collectives.c - sdy-reshard-to-collectives: a reshard becomes a sequence of
 * collectives.
 *
 * The state is, per dimension, the axes that the value has (`in`) and those that it
 * shall have (`out`), without the prefix in which they agree; `current` is all that
 * the value has.  Axes are cut first, so that any two are equal or disjoint.  Each
 * collective brings the two nearer to each other:
 *
 *   all_slice           splits dimensions over axes that are not in use, as far as
 *                       that makes nothing smaller than it will be;
 *   collective_permute  exchanges axes for others of the same size, or their order,
 *                       or the order of the devices;
 *   all_to_all          moves the last axes of a dimension to another;
 *   all_gather          drops the last axes of dimensions.
 *
 * When all sizes are powers of two, one round of the four does; otherwise two.  Two
 * sub-axes of one axis that cannot both exist, (1)2 and (1)3 of 6, are beyond this:
 * there the value is gathered first.
 *
 * Source: Shardy, reshard_to_collectives.cc. */
#include "partition/explicit.h"
#include "partition/export.h"
#include "partition/reshard_axes.h"

typedef struct inserter {
	insertion at;
	op *reshard;
	value *v;
	const mesh *mesh;
	mesh_ref now, to;
	const sharding *target;
	int rank;
	axes_vec *in, *out, *current; /* [rank] */
	int64_t *room;                /* [rank]: shards that a dimension may still get */
} inserter;

/* ---- the state ------------------------------------------------------------------------ */

static bool is_in_use(const inserter *s, axis_ref a)
{
	for (int d = 0; d < s->rank; d++)
		if (axes_find(&s->in[d], a) >= 0)
			return true;
	return false;
}

/* Where the axis shall be. */
static bool find_out(const axes_vec *out, int rank, axis_ref a, int *dim, int *index)
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

static bool is_wanted(const inserter *s, axis_ref a)
{
	int dim, index;
	return find_out(s->out, s->rank, a, &dim, &index);
}

static bool is_done(const inserter *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->in[d].len || s->out[d].len)
			return false;
	return mesh_ref_eq(s->now, s->to);
}

static void append_axis(inserter *s, axes_vec *v, axis_ref a)
{
	axes_append(v, s->at.mem, a, s->mesh);
}

static int64_t shards_of(const inserter *s, const axes_vec *v)
{
	return axes_size(axes_of(v), s->mesh);
}

static const sharding *current_sharding(const inserter *s)
{
	dim_sharding *dims = NEW_N(s->at.mem, dim_sharding, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d] = (dim_sharding){s->current[d].ptr, s->current[d].len, false,
		                         PRIORITY_NONE};
	return sharding_of(s->at.m->ctx, &(sharding){.mesh = s->now,
	                                             .rank = s->rank,
	                                             .dims = dims,
	                                             .n_unreduced = s->target->n_unreduced,
	                                             .unreduced = s->target->unreduced,
	                                             .reduction = s->target->reduction});
}

static op *put_collective(inserter *s, op_kind kind)
{
	op *o = insert_unary(&s->at, kind, s->v, current_sharding(s));
	op_take_place(s->at.m, o, s->reshard);
	s->v = result(o, 0);
	return o;
}

static void put_per_dim(inserter *s, op_kind kind, int known, const axes_vec *lists)
{
	tess_ctx *ctx = s->at.m->ctx;
	const attr **dims = NEW_N(s->at.mem, const attr *, s->rank);
	for (int d = 0; d < s->rank; d++)
		dims[d] = attr_axes(ctx, lists[d].ptr, lists[d].len);
	op_set_attr(s->at.m, put_collective(s, kind), known,
	            attr_of(ctx, &(attr){.kind = AT_AXES_LIST, .list = dims, .n = s->rank}));
}

/* ---- parts that fit ------------------------------------------------------------------------ */

/* The part of an axis that fits into the room, which shrinks by it, and the rest.
 * false: none fits, because neither divides the other. */
static bool take_what_fits(const inserter *s, axis_ref a, int64_t *room, axis_ref *fits,
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

/* Gives dimensions that have room axes out of `available` (one list for each, or one
 * for all), at the front of `in` or at its end.  `added`, if not NULL, gets them too. */
static void distribute(inserter *s, axes_vec *available, bool shared, bool front, axes_vec *added)
{
	arena *mem = s->at.mem;
	axes_vec cut = {0};
	for (int d = 0; d < s->rank; d++) {
		axes_vec *from = shared ? available : &available[d];
		int at = front ? 0 : s->in[d].len;
		for (int i = 0; i < from->len && s->room[d] > 1;) {
			axis_ref fits, rest;
			bool has_rest;
			if (!take_what_fits(s, from->ptr[i], &s->room[d], &fits, &rest,
			                    &has_rest)) {
				i++;
				continue;
			}
			axes_remove(from, i);
			axes_insert(mem, &s->in[d], at++, fits);
			if (added)
				append_axis(s, &added[d], fits);
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

/* ---- all_slice --------------------------------------------------------------------------- */

/* The axes wanted on another dimension right behind those that dimension `src` has for
 * it: split there, they go along with the all_to_all, and no permutation is needed.
 * They are out[*dim][*from … *to). */
static bool slice_before_moving(inserter *s, int src, int *dim, int *from, int *to)
{
	axes_vec *in = &s->in[src];
	int index, elsewhere;
	if (!in->len || s->out[src].len ||
	    !find_out(s->out, s->rank, in->ptr[in->len - 1], dim, &index) || s->in[*dim].len)
		return false;
	const axes_vec *out = &s->out[*dim];
	*from = index + 1;
	if (*from == out->len || is_in_use(s, out->ptr[*from]))
		return false;
	int64_t moved = 1, added = 1;
	int i = in->len - 1;
	for (int o = index; i >= 0 && o >= 0 && axis_eq(in->ptr[i], out->ptr[o]); i--, o--)
		moved *= axis_size(in->ptr[i], s->mesh);
	for (; i >= 0; i--)
		if (find_out(s->out, s->rank, in->ptr[i], &elsewhere, &index) && elsewhere == *dim)
			return false;
	for (*to = *from; *to < out->len && !is_in_use(s, out->ptr[*to]); (*to)++)
		added *= axis_size(out->ptr[*to], s->mesh);
	if (s->v->type->dims[src] % (shards_of(s, &s->current[src]) * added))
		return false;
	s->room[*dim] /= moved * added;
	return true;
}

static void slice_for_moves(inserter *s, axes_vec *sliced)
{
	for (int src = 0; src < s->rank; src++) {
		int dim, from, to;
		if (!slice_before_moving(s, src, &dim, &from, &to))
			continue;
		for (int i = from; i < to; i++) {
			axis_ref a = s->out[dim].ptr[i];
			vec_push(s->at.mem, &s->in[src], a);
			append_axis(s, &sliced[src], a);
			append_axis(s, &s->current[src], a);
		}
	}
}

/* Splits a dimension over unused axes that it shall have; what finds no room becomes
 * available to the others. */
static void slice_in_place(inserter *s, int d, axes_vec *sliced, axes_vec *available)
{
	arena *mem = s->at.mem;
	axes_vec *out = &s->out[d];
	for (int i = 0; i < out->len;) {
		axis_ref a = out->ptr[i], fits, rest;
		bool has_rest;
		if (is_in_use(s, a)) {
			i++;
			continue;
		}
		if (!take_what_fits(s, a, &s->room[d], &fits, &rest, &has_rest)) {
			vec_push(mem, available, a);
			i++;
			continue;
		}
		append_axis(s, &sliced[d], fits);
		append_axis(s, &s->current[d], fits);
		if (!s->in[d].len && i == 0) {
			axes_remove(out, 0);
		} else {
			vec_push(mem, &s->in[d], fits);
			out->ptr[i++] = fits;
		}
		if (has_rest) {
			axes_insert(mem, out, i++, rest);
			vec_push(mem, available, rest);
		}
	}
}

static void try_all_slice(inserter *s)
{
	axes_vec *sliced = NEW_N(s->at.mem, axes_vec, s->rank), available = {0};
	axes_vec *elsewhere = NEW_N(s->at.mem, axes_vec, s->rank);
	bool any = false;
	for (int d = 0; d < s->rank; d++) {
		int64_t in = shards_of(s, &s->in[d]), out = shards_of(s, &s->out[d]);
		s->room[d] = out / gcd_i64(in, out);
	}
	slice_for_moves(s, sliced);
	for (int d = 0; d < s->rank; d++)
		slice_in_place(s, d, sliced, &available);
	distribute(s, &available, true, false, elsewhere);
	for (int d = 0; d < s->rank; d++) {
		for (int i = 0; i < elsewhere[d].len; i++) {
			append_axis(s, &sliced[d], elsewhere[d].ptr[i]);
			append_axis(s, &s->current[d], elsewhere[d].ptr[i]);
		}
		any |= sliced[d].len > 0;
	}
	if (any)
		put_per_dim(s, OP_SDY_ALL_SLICE, N_slicing_axes, sliced);
}

/* ---- collective_permute ---------------------------------------------------------------------- */

static bool sizes_divide(const inserter *s, axis_ref a, axis_ref b)
{
	int64_t x = axis_size(a, s->mesh), y = axis_size(b, s->mesh);
	return x % y == 0 || y % x == 0;
}

/* The axes of a dimension stand in an order from which they cannot be moved out one
 * group after the other: axes for one dimension are apart or out of order, or one that
 * is to be gathered stands behind one that is not.  *spare: an axis to be gathered. */
static bool is_disordered(const inserter *s, int d, axis_ref *spare, bool *has_spare)
{
	bool *seen = NEW_N(s->at.mem, bool, s->rank);
	int last_dim = -1, last_index = 0;
	for (int i = 0; i < s->in[d].len; i++) {
		int dim = -1, index = 0;
		if (find_out(s->out, s->rank, s->in[d].ptr[i], &dim, &index)) {
			if ((dim == d || seen[dim]) && (last_dim != dim || index != last_index + 1))
				return true;
			seen[dim] = true;
			last_index = index;
		} else if (last_dim >= 0 && !s->out[d].len) {
			return true;
		} else {
			*spare = s->in[d].ptr[i];
			*has_spare = true;
		}
		last_dim = dim;
	}
	return false;
}

static bool should_permute(const inserter *s)
{
	axis_ref spare, missing;
	bool has_spare = false, has_missing = false;
	for (int d = 0; d < s->rank; d++) {
		const axes_vec *in = &s->in[d], *out = &s->out[d];
		if (in->len && out->len && sizes_divide(s, in->ptr[0], out->ptr[0]))
			return true;
		for (int i = 0; i < out->len; i++)
			if (!is_in_use(s, out->ptr[i])) {
				missing = out->ptr[i];
				has_missing = true;
			}
		if (is_disordered(s, d, &spare, &has_spare))
			return true;
	}
	return has_missing && has_spare && sizes_divide(s, missing, spare);
}

/* Puts axes where they shall be, as far as the dimension is split already. */
static void permute_into_place(inserter *s, int d)
{
	axes_vec *out = &s->out[d];
	while (s->room[d] > 1 && out->len) {
		axis_ref fits, rest;
		bool has_rest;
		if (!take_what_fits(s, out->ptr[0], &s->room[d], &fits, &rest, &has_rest))
			return;
		append_axis(s, &s->current[d], fits);
		if (has_rest)
			out->ptr[0] = rest;
		else
			axes_remove(out, 0);
	}
}

/* The axes of a dimension that are to be gathered.  Those that would have stood where
 * others are now come last, so that the rest gets back to its place. */
static void collect_spare(inserter *s, int d, const axes_vec *wanted, int64_t used, axes_vec *spare)
{
	arena *mem = s->at.mem;
	axes_vec left = {0};
	int dim, index, first = 0;
	for (int i = 0; i < s->in[d].len; i++)
		if (!find_out(wanted, s->rank, s->in[d].ptr[i], &dim, &index))
			vec_push(mem, &left, s->in[d].ptr[i]);
	s->in[d].len = 0;
	while (used > 1 && first < left.len) {
		axis_ref fits, rest;
		bool has_rest;
		if (!take_what_fits(s, left.ptr[first], &used, &fits, &rest, &has_rest))
			break;
		vec_push(mem, spare, fits);
		if (has_rest)
			left.ptr[first] = rest;
		else
			first++;
	}
	for (int i = first; i < left.len; i++)
		axes_insert(mem, spare, i - first, left.ptr[i]);
}

static void permute_axes(inserter *s)
{
	arena *mem = s->at.mem;
	axes_vec wanted_elsewhere = {0}, any_spare = {0};
	axes_vec *spare = NEW_N(mem, axes_vec, s->rank), *wanted = NEW_N(mem, axes_vec, s->rank);
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->out[d].len; i++)
			vec_push(mem, &wanted[d], s->out[d].ptr[i]);
	for (int d = 0; d < s->rank; d++) {
		int64_t shards = s->room[d] = shards_of(s, &s->in[d]);
		axes_drop_back(&s->current[d], &s->in[d], 0);
		permute_into_place(s, d);
		for (int i = 0; i < s->out[d].len; i++)
			vec_push(mem, &wanted_elsewhere, s->out[d].ptr[i]);
		collect_spare(s, d, wanted, shards / s->room[d], &spare[d]);
	}
	distribute(s, &wanted_elsewhere, true, false, NULL);
	distribute(s, spare, false, true, NULL);
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < spare[d].len; i++)
			vec_push(mem, &any_spare, spare[d].ptr[i]);
	distribute(s, &any_spare, true, true, NULL);
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->in[d].len; i++)
			append_axis(s, &s->current[d], s->in[d].ptr[i]);
}

static void try_collective_permute(inserter *s)
{
	if (should_permute(s))
		permute_axes(s);
	else if (mesh_ref_eq(s->now, s->to))
		return;
	s->now = s->to; /* the other order of devices comes with it */
	put_collective(s, OP_SDY_COLLECTIVE_PERMUTE);
}

/* ---- all_to_all ------------------------------------------------------------------------------ */

/* The last axes of a dimension that all belong to one other: in[src][*from …). */
static bool find_move(const inserter *s, int src, int *to, int *from)
{
	const axes_vec *in = &s->in[src];
	*to = -1;
	for (*from = in->len; *from > 0; (*from)--) {
		int dim, index;
		if (!find_out(s->out, s->rank, in->ptr[*from - 1], &dim, &index) || dim == src ||
		    (*to >= 0 && dim != *to))
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
		append_axis(s, &moved, a);
		append_axis(s, &s->current[to], a);
		if (!s->in[to].len && s->out[to].len && axis_eq(s->out[to].ptr[0], a))
			axes_remove(&s->out[to], 0);
		else
			vec_push(s->at.mem, &s->in[to], a);
	}
	tess_ctx *ctx = s->at.m->ctx;
	const attr *axes = attr_axes(ctx, moved.ptr, moved.len);
	const int64_t dims[] = {src, to};
	op_set_attr(s->at.m, put_collective(s, OP_SDY_ALL_TO_ALL), N_params,
	            attr_of(ctx, &(attr){.kind = AT_ALL_TO_ALL, .list = &axes, .n = 1, .ints = dims,
	                                 .n_ints = 2}));
}

/* First those that arrive where they shall be, so that moves to one dimension come in
 * the right order; then any. */
static void try_all_to_alls(inserter *s, bool in_place_only)
{
	int to, from;
	for (int src = 0; src < s->rank; src++)
		while (find_move(s, src, &to, &from) &&
		       (!in_place_only || comes_into_place(s, src, from, to)))
			move_axes(s, src, from, to);
}

/* ---- all_gather ------------------------------------------------------------------------------ */

/* Drops in[d][from …). */
static void gather_from(inserter *s, int d, int from, axes_vec *gathered)
{
	axes_vec *in = &s->in[d];
	axes_drop_back(&s->current[d], in, from);
	for (int i = from; i < in->len; i++)
		append_axis(s, gathered, in->ptr[i]);
	in->len = from;
}

static void try_all_gather(inserter *s)
{
	axes_vec *gathered = NEW_N(s->at.mem, axes_vec, s->rank);
	bool any = false;
	for (int d = 0; d < s->rank; d++) {
		int from = s->in[d].len;
		while (from > 0 && !is_wanted(s, s->in[d].ptr[from - 1]))
			from--;
		gather_from(s, d, from, &gathered[d]);
		any |= gathered[d].len > 0;
	}
	if (any)
		put_per_dim(s, OP_SDY_ALL_GATHER, N_gathering_axes, gathered);
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

/* Gathers what is cut otherwise than it shall be. */
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
		put_per_dim(s, OP_SDY_ALL_GATHER, N_gathering_axes, gathered);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void copy_dims(arena *mem, axes_vec *lists, const sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			vec_push(mem, &lists[d], s->dims[d].axes[i]);
}

/* Cuts axes that overlap, then drops what both dimensions begin with. */
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
	inserter s = {.at = {.m = m, .mem = mem},
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
		try_all_slice(&s);
		try_collective_permute(&s);
		try_all_to_alls(&s, true);
		try_all_to_alls(&s, false);
		try_all_gather(&s);
	}
	return is_done(&s) ? s.v : NULL;
}

/* ---- reshards -------------------------------------------------------------------------------- */

static value *behind_barrier_ops(value *v)
{
	while (value_def(v) && value_def(v)->kind == OP_SDY_PROPAGATION_BARRIER)
		v = operand(value_def(v), 0);
	return v;
}

static bool is_on_single_device(const module *m, const sharding *s)
{
	const mesh *mesh = s ? sharding_mesh(m, s) : NULL;
	return mesh && mesh_is_maximal(mesh);
}

/* The reshards that no collective can stand for stay. */
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
	value *v = behind_barrier_ops(operand(reshard, 0)), *out = v;
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
