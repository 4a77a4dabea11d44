/* sdy_comm.c - sdy's collectives: the axes that they name must lead from the sharding of the
 * operand to that of the result.
 *
 * Source: Shardy, dialect/sdy/ir/verifiers.cc. */
#include "op/verify/sdy.h"

/* ---- unreduced axes ------------------------------------------------------------------- */

static const char *reduction_kind_word(reduction r)
{
	static const char *const words[] = {"sum", "max", "min"};
	return words[r];
}

static axis_list unreduced_axes(const sharding *s)
{
	return s ? (axis_list){s->unreduced, s->n_unreduced} : (axis_list){NULL, 0};
}

/* The place of the first of these axes among the unreduced ones of the op's result, or that of the
 * sharding if they are not there. */
static place unreduced_place(module *m, const op *o, axis_list which)
{
	const sharding *s = o->results[0].sharding;
	sharding_places p = op_sharding_places(m, o, RESULT_PART(o, 0), s);
	for (int i = 0; s && p.unreduced && i < s->n_unreduced; i++)
		if (!which.n || axes_overlap_axis(which, s->unreduced[i]))
			return p.unreduced[i];
	return p.all;
}

static bool bad_unreduced(module *m, const op *o, axis_list which, const char *fmt, ...)
{
	PRINTED(text, &m->ctx->scratch, fmt);
	return diag_error(m->ctx, unreduced_place(m, o, which), E_UNREDUCED, "'%s' op %s",
	                  op_name(o), text);
}

bool sdy_unreduced_ok(module *m, const op *o, const sharding *from, const sharding *to, int gained,
                      int lost)
{
	if (!from || !to || (!from->n_unreduced && !to->n_unreduced))
		return true;
	const mesh *mf = sharding_mesh(m, from), *mt = sharding_mesh(m, to);
	if (!mf || mf != mt)
		return true;
	arena *mem = &m->ctx->scratch;
	axis_list added = axes_minus(mem, unreduced_axes(to), unreduced_axes(from), mf);
	axis_list removed = axes_minus(mem, unreduced_axes(from), unreduced_axes(to), mf);
	if (added.n && gained < 0)
		return bad_unreduced(m, o, added, "makes %s unreduced, which its operand is not",
		                     sdy_axes_words(m, added));
	if (added.n && (int)to->reduction != gained)
		return bad_unreduced(m, o, added,
		                     "makes %s unreduced by %s, but can make axes unreduced only "
		                     "by %s",
		                     sdy_axes_words(m, added), reduction_kind_word(to->reduction),
		                     reduction_kind_word((reduction)gained));
	if (removed.n && lost >= 0 && (int)from->reduction != lost)
		return sdy_error(m, o, E_UNREDUCED,
		                 "reduces %s by %s, but its operand is unreduced along them by %s",
		                 sdy_axes_words(m, removed), reduction_kind_word((reduction)lost),
		                 reduction_kind_word(from->reduction));
	bool kept = removed.n < from->n_unreduced && added.n < to->n_unreduced;
	if (kept && from->reduction != to->reduction)
		return bad_unreduced(m, o, (axis_list){0},
		                     "has an operand that is unreduced by %s, but a result that is "
		                     "unreduced by %s",
		                     reduction_kind_word(from->reduction),
		                     reduction_kind_word(to->reduction));
	return true;
}

/* ---- axes of collectives ------------------------------------------------------------------ */

/* A list of axes in an attribute: which attribute, and which of its lists; ITEM(-1): it is a single
 * list. */
typedef struct axes_part {
	int known, list;
} axes_part;

static const int *axis_part(module *m, axes_part at, int axis)
{
	int *part = NEW_N(&m->ctx->scratch, int, 4);
	int n = 0;
	part[n++] = at.known;
	if (at.list != ITEM(-1))
		part[n++] = at.list;
	part[n] = ITEM(axis);
	return part;
}

/* Axes must be known, not used twice, and not mergeable with the one before; `seen` collects them
 * across lists. */
static bool axes_ok(module *m, const op *o, axes_part at, axis_list l, const mesh *me,
                    axes_vec *seen)
{
	for (int i = 0; i < l.n; i++) {
		if (mesh_axis_index(me, l.ptr[i].axis) < 0)
			return sdy_error_at(m, o, axis_part(m, at, i), E_AXIS_UNKNOWN,
			                    "names axis \"%s\", which its mesh does not have",
			                    l.ptr[i].axis->s);
		for (int k = 0; k < seen->len; k++)
			if (axis_overlaps(seen->ptr[k], l.ptr[i]))
				return sdy_error_at(m, o, axis_part(m, at, i), E_AXIS_TWICE,
				                    "names axis %s twice",
				                    sdy_axis_words(m, l.ptr[i]));
		if (i && axis_can_merge(l.ptr[i - 1], l.ptr[i]))
			return sdy_error_at(
				m, o, axis_part(m, at, i), E_SUB_AXES_MERGE,
				"names %s and %s, which are one sub-axis: write %s",
				sdy_axis_words(m, l.ptr[i - 1]), sdy_axis_words(m, l.ptr[i]),
				sdy_axis_words(m, axis_merge(l.ptr[i - 1], l.ptr[i], me)));
		vec_push(&m->ctx->scratch, seen, l.ptr[i]);
	}
	return true;
}

static bool sorted_axes_ok(module *m, const op *o, int known, axis_list l, const mesh *me)
{
	axes_vec seen = {0};
	for (int i = 1; i < l.n; i++)
		if (mesh_axis_index(me, l.ptr[i].axis) >= 0 &&
		    mesh_axis_index(me, l.ptr[i - 1].axis) >= 0 &&
		    axis_cmp_mesh(l.ptr[i - 1], l.ptr[i], me) > 0)
			return sdy_error_at(
				m, o, PART(known, ITEM(i)), E_REPLICATED_ORDER,
				"names axes %s, which must be in the order of its mesh: %s "
				"goes before %s",
				sdy_axes_words(m, l), sdy_axis_words(m, l.ptr[i]),
				sdy_axis_words(m, l.ptr[i - 1]));
	return axes_ok(m, o, (axes_part){known, ITEM(-1)}, l, me, &seen);
}

static axis_list attr_axis_list(const attr *a)
{
	return a && a->kind == AT_AXES ? (axis_list){a->axes, a->n} : (axis_list){NULL, 0};
}

/* Removes `gone` from the end of a dimension's axes. */
static bool take_suffix(module *m, const op *o, axes_part at, const dim_sharding *d, axis_list gone,
                        int dim, const mesh *me, axes_vec *out)
{
	for (int i = 0; i < d->n_axes; i++)
		vec_push(&m->ctx->scratch, out, d->axes[i]);
	for (int i = gone.n - 1; i >= 0; i--) {
		axis_ref last, rest;
		if (!out->len || !axis_suffix_of(gone.ptr[i], last = out->ptr[out->len - 1], me))
			return sdy_error_at(m, o, axis_part(m, at, i), E_COLLECTIVE,
			                    "takes %s off dimension %d, but the axes of that "
			                    "dimension are %s and do not end in it",
			                    sdy_axis_words(m, gone.ptr[i]), dim,
			                    sdy_axes_words(m, dim_axes(d)));
		out->len--;
		if (axis_prefix_without_overlap(last, gone.ptr[i], &rest))
			vec_push(&m->ctx->scratch, out, rest);
	}
	return true;
}

static void append_axes(module *m, const dim_sharding *d, axis_list more, const mesh *me,
                        axes_vec *out)
{
	for (int i = 0; i < d->n_axes; i++)
		vec_push(&m->ctx->scratch, out, d->axes[i]);
	for (int i = 0; i < more.n; i++)
		axes_append(out, &m->ctx->scratch, more.ptr[i], me);
}

static bool dim_is(module *m, const op *o, const sharding *s, int dim, axis_list want)
{
	if (axes_eq(dim_axes(&s->dims[dim]), want))
		return true;
	sharding_places p = op_sharding_places(m, o, RESULT_PART(o, 0), s);
	return diag_error(m->ctx, p.dims ? p.dims[dim] : p.all, E_COLLECTIVE,
	                  "'%s' op has a result with %s on dimension %d, but its operand and its "
	                  "axes make it %s",
	                  op_name(o), sdy_axes_words(m, dim_axes(&s->dims[dim])), dim,
	                  sdy_axes_words(m, want));
}

/* The lists are removed from the operand's dimensions (gather) or added to them (slice). */
static bool per_dim_ok(module *m, const op *o, int known, const sharding *from, const sharding *to,
                       const mesh *me, bool gather)
{
	const attr *lists = op_attr(o, known);
	axes_vec seen = {0};
	if (!lists || lists->kind != AT_AXES_LIST)
		return sdy_error_at(m, o, PART(known), E_COLLECTIVE,
		                    "needs a list of axes for each dimension");
	for (int d = 0; d < lists->n; d++)
		if (!axes_ok(m, o, (axes_part){known, ITEM(d)}, attr_axis_list(lists->list[d]), me,
		             &seen))
			return false;
	if (lists->n != to->rank)
		return sdy_error_at(m, o, PART(known), E_COLLECTIVE,
		                    "has axes for %d dimension%s, but its result has %d", lists->n,
		                    lists->n == 1 ? "" : "s", to->rank);
	for (int d = 0; d < to->rank; d++) {
		axes_vec want = {0};
		axis_list l = attr_axis_list(lists->list[d]);
		if (!gather)
			append_axes(m, &from->dims[d], l, me, &want);
		else if (!take_suffix(m, o, (axes_part){known, ITEM(d)}, &from->dims[d], l, d, me,
		                      &want))
			return false;
		if (!dim_is(m, o, to, d, (axis_list){want.ptr, want.len}))
			return false;
	}
	return true;
}

/* ---- each collective ------------------------------------------------------------------------ */

typedef struct collective_facts {
	const sharding *from, *to;
	const mesh *mesh;
} collective_facts;

/* What all collectives require: a sharded operand, on the same mesh, with the same rank. */
static bool collective_common(sdy_walk *w, const op *o, bool may_lack, bool other_mesh,
                              collective_facts *f)
{
	module *m = w->m;
	f->to = o->results[0].sharding;
	f->from = value_sharding(m, operand(o, 0));
	if (!f->to)
		return sdy_error(m, o, E_SHARDING_KIND, "needs an out_sharding");
	if (!f->from && !may_lack)
		return sdy_error(m, o, E_COLLECTIVE,
		                 "has an operand without a sharding, but needs one");
	if (!sdy_value_ok(w, (sdy_subject){o, "", 0, 1, RESULT_PART(o, 0)}, f->to,
	                  o->results[0].type))
		return false;
	f->mesh = sharding_mesh(m, f->to);
	const mesh *mf = f->from ? sharding_mesh(m, f->from) : NULL;
	if (!other_mesh && mf && mf != f->mesh) {
		diag_error(m->ctx, op_sharding_places(m, o, RESULT_PART(o, 0), f->to).mesh,
		           E_COLLECTIVE, "'%s' op has a result on another mesh than its operand",
		           op_name(o));
		if (value_def(operand(o, 0)))
			diag_note(m->ctx, op_place(m, value_def(operand(o, 0))),
			          "the operand comes from here");
		return false;
	}
	if (f->from && f->from->rank != f->to->rank)
		return sdy_error_at(m, o, RESULT_PART(o, 0), E_COLLECTIVE,
		                    "has an operand whose sharding has %d dimensions, but its "
		                    "result's has %d",
		                    f->from->rank, f->to->rank);
	if (!f->from)
		f->from = sharding_open(m->ctx, f->to->mesh, f->to->rank);
	return true;
}

static bool all_to_all_ok(module *m, const op *o, const collective_facts *f)
{
	const attr *params = op_attr(o, N_params);
	axes_vec seen = {0};
	int rank = f->to->rank;
	bool *used = NEW_N(&m->ctx->scratch, bool, rank + 1);
	if (!params || params->kind != AT_ALL_TO_ALL || !params->n)
		return sdy_error_at(m, o, PART(N_params), E_COLLECTIVE,
		                    "moves no axes; it must move at least one");
	int64_t before = -1;
	for (int i = 0; i < params->n; i++) {
		if (!axes_ok(m, o, (axes_part){N_params, ITEM(i)}, attr_axis_list(params->list[i]),
		             f->mesh, &seen))
			return false;
		for (int k = 0; k < 2; k++) {
			int64_t d = params->ints[2 * i + k];
			if (d < 0 || d >= rank)
				return sdy_error_at(m, o, PART(N_params, ITEM(i)), E_COLLECTIVE,
				                    "moves axes %s dimension %" PRId64
				                    " of a tensor of rank %d",
				                    k ? "to" : "from", d, rank);
			if (used[d])
				return sdy_error_at(m, o, PART(N_params, ITEM(i)), E_COLLECTIVE,
				                    "uses dimension %" PRId64 " twice", d);
			used[d] = true;
		}
		if (params->ints[2 * i] <= before)
			return sdy_error_at(m, o, PART(N_params, ITEM(i)), E_COLLECTIVE,
			                    "has source dimension %" PRId64 " after %" PRId64
			                    "; source dimensions must ascend",
			                    params->ints[2 * i], before);
		before = params->ints[2 * i];
	}
	for (int i = 0; i < params->n; i++) {
		int src = (int)params->ints[2 * i], dst = (int)params->ints[2 * i + 1];
		axis_list l = attr_axis_list(params->list[i]);
		axes_vec less = {0}, more = {0};
		if (!take_suffix(m, o, (axes_part){N_params, ITEM(i)}, &f->from->dims[src], l, src,
		                 f->mesh, &less) ||
		    !dim_is(m, o, f->to, src, (axis_list){less.ptr, less.len}))
			return false;
		append_axes(m, &f->from->dims[dst], l, f->mesh, &more);
		if (!dim_is(m, o, f->to, dst, (axis_list){more.ptr, more.len}))
			return false;
	}
	for (int d = 0; d < rank; d++)
		if (!used[d] && !dim_is(m, o, f->to, d, dim_axes(&f->from->dims[d])))
			return false;
	return true;
}

static bool permute_ok(module *m, const op *o, const collective_facts *f)
{
	const mesh *mf = sharding_mesh(m, f->from);
	if (mf && !mesh_same_axes(mf, f->mesh))
		return diag_error(
			m->ctx, op_sharding_places(m, o, RESULT_PART(o, 0), f->to).mesh,
			E_COLLECTIVE,
			"'%s' op has a result on a mesh with other axes than its operand's",
			op_name(o));
	if (!mesh_ref_eq(f->from->mesh, f->to->mesh) && mf == f->mesh)
		return diag_error(
			m->ctx, op_sharding_places(m, o, RESULT_PART(o, 0), f->to).mesh,
			E_COLLECTIVE,
			"'%s' op has a result on a mesh of another name, but with the same "
			"devices in the same order; use one mesh for both",
			op_name(o));
	for (int d = 0; d < f->to->rank; d++) {
		int64_t a = sharding_dim_shards(f->from, d, f->mesh);
		int64_t b = sharding_dim_shards(f->to, d, f->mesh);
		if (a != b) {
			sharding_places p = op_sharding_places(m, o, RESULT_PART(o, 0), f->to);
			return diag_error(m->ctx, p.dims ? p.dims[d] : p.all, E_COLLECTIVE,
			                  "'%s' op turns %" PRId64
			                  " shards of dimension %d into %" PRId64
			                  ", but must keep their number",
			                  op_name(o), a, d, b);
		}
	}
	return true;
}

static bool touches_dims(const sharding *s, axis_ref a)
{
	for (int d = 0; d < s->rank; d++)
		if (axes_overlap_axis(dim_axes(&s->dims[d]), a))
			return true;
	return false;
}

static bool same_dim_axes(const sharding *a, const sharding *b)
{
	for (int d = 0; d < a->rank; d++)
		if (!axes_eq(dim_axes(&a->dims[d]), dim_axes(&b->dims[d])))
			return false;
	return true;
}

/* The reduction of an all_reduce or reduce_scatter: sum if not written. */
static int reduction_of(const op *o)
{
	return (int)op_int(o, N_reduction_op, RED_SUM);
}

static bool all_reduce_ok(module *m, const op *o, const collective_facts *f)
{
	axis_list l = attr_axis_list(op_attr(o, N_reduction_axes));
	if (!same_dim_axes(f->from, f->to))
		return sdy_error_at(m, o, RESULT_PART(o, 0), E_COLLECTIVE,
		                    "changes how dimensions are sharded, from %s to %s, but must "
		                    "not",
		                    sdy_sharding_words(m, f->from), sdy_sharding_words(m, f->to));
	if (!sorted_axes_ok(m, o, N_reduction_axes, l, f->mesh))
		return false;
	for (int i = 0; i < l.n; i++) {
		axis_list replicated = {f->from->replicated, f->from->n_replicated};
		if (touches_dims(f->from, l.ptr[i]) || axes_overlap_axis(replicated, l.ptr[i]))
			return sdy_error_at(m, o, PART(N_reduction_axes, ITEM(i)), E_COLLECTIVE,
			                    "reduces along %s, but the operand is sharded or "
			                    "replicated along it",
			                    sdy_axis_words(m, l.ptr[i]));
		if (axes_overlap_axis(unreduced_axes(f->to), l.ptr[i]))
			return sdy_error_at(
				m, o, PART(N_reduction_axes, ITEM(i)), E_COLLECTIVE,
				"reduces along %s, but its result is unreduced along it",
				sdy_axis_words(m, l.ptr[i]));
	}
	return sdy_unreduced_ok(m, o, f->from, f->to, -1, reduction_of(o));
}

/* The result must be unreduced along the operand's unreduced axes and `more`. */
static bool unreduced_grows(module *m, const op *o, const collective_facts *f, axes_vec more)
{
	axes_vec want = {0};
	for (int i = 0; i < f->from->n_unreduced; i++)
		vec_push(&m->ctx->scratch, &want, f->from->unreduced[i]);
	for (int i = 0; i < more.len; i++)
		vec_push(&m->ctx->scratch, &want, more.ptr[i]);
	want.len = axes_sort_and_merge(want.ptr, want.len, f->mesh);
	return axes_eq((axis_list){want.ptr, want.len}, unreduced_axes(f->to)) ||
	       diag_error(m->ctx, unreduced_place(m, o, (axis_list){0}), E_COLLECTIVE,
	                  "'%s' op has a result unreduced along %s, but its operand and its axes "
	                  "make it %s",
	                  op_name(o), sdy_axes_words(m, unreduced_axes(f->to)),
	                  sdy_axes_words(m, (axis_list){want.ptr, want.len}));
}

static bool sum_only(module *m, const op *o, const collective_facts *f)
{
	return f->to->reduction == RED_SUM ||
	       diag_error(m->ctx, unreduced_place(m, o, (axis_list){0}), E_COLLECTIVE,
	                  "'%s' op makes axes unreduced by %s, but can only by sum", op_name(o),
	                  reduction_kind_word(f->to->reduction));
}

static bool sharded_to_unreduced_ok(module *m, const op *o, const collective_facts *f)
{
	const attr *lists = op_attr(o, N_axes);
	axes_vec more = {0};
	if (!sum_only(m, o, f) || !per_dim_ok(m, o, N_axes, f->from, f->to, f->mesh, true))
		return false;
	for (int d = 0; d < lists->n; d++)
		for (int i = 0; i < lists->list[d]->n; i++)
			vec_push(&m->ctx->scratch, &more, lists->list[d]->axes[i]);
	return unreduced_grows(m, o, f, more);
}

static bool replicated_to_unreduced_ok(module *m, const op *o, const collective_facts *f)
{
	axis_list l = attr_axis_list(op_attr(o, N_axes));
	axes_vec more = {0};
	if (!sum_only(m, o, f))
		return false;
	if (!same_dim_axes(f->from, f->to))
		return sdy_error_at(m, o, RESULT_PART(o, 0), E_COLLECTIVE,
		                    "changes how dimensions are sharded, but must not");
	if (!l.n)
		return sdy_error_at(m, o, PART(N_axes), E_COLLECTIVE,
		                    "names no axes; it must name at least one");
	if (!sorted_axes_ok(m, o, N_axes, l, f->mesh))
		return false;
	for (int i = 0; i < l.n; i++) {
		if (touches_dims(f->from, l.ptr[i]) ||
		    axes_overlap_axis(unreduced_axes(f->from), l.ptr[i]))
			return sdy_error_at(m, o, PART(N_axes, ITEM(i)), E_COLLECTIVE,
			                    "names %s, but the operand is not replicated along it",
			                    sdy_axis_words(m, l.ptr[i]));
		vec_push(&m->ctx->scratch, &more, l.ptr[i]);
	}
	return unreduced_grows(m, o, f, more);
}

static bool all_gather_ok(module *m, const op *o, const collective_facts *f)
{
	return per_dim_ok(m, o, N_gathering_axes, f->from, f->to, f->mesh, true);
}

static bool all_slice_ok(module *m, const op *o, const collective_facts *f)
{
	return per_dim_ok(m, o, N_slicing_axes, f->from, f->to, f->mesh, false);
}

static bool reduce_scatter_ok(module *m, const op *o, const collective_facts *f)
{
	return sdy_unreduced_ok(m, o, f->from, f->to, -1, reduction_of(o)) &&
	       per_dim_ok(m, o, N_reduce_scatter_axes, f->from, f->to, f->mesh, false);
}

typedef bool collective_check(module *m, const op *o, const collective_facts *f);
static collective_check *const collective_checks[OP_COUNT] = {
    [OP_SDY_ALL_GATHER] = all_gather_ok,
    [OP_SDY_ALL_SLICE] = all_slice_ok,
    [OP_SDY_REDUCE_SCATTER] = reduce_scatter_ok,
    [OP_SDY_ALL_TO_ALL] = all_to_all_ok,
    [OP_SDY_COLLECTIVE_PERMUTE] = permute_ok,
    [OP_SDY_ALL_REDUCE] = all_reduce_ok,
    [OP_SDY_SHARDED_TO_UNREDUCED] = sharded_to_unreduced_ok,
    [OP_SDY_REPLICATED_TO_UNREDUCED] = replicated_to_unreduced_ok,
};

bool sdy_collective_ok(sdy_walk *w, const op *o)
{
	collective_facts f;
	bool may_lack = o->kind == OP_SDY_ALL_SLICE || op_is_sdy_reduction(o);
	return collective_common(w, o, may_lack, o->kind == OP_SDY_COLLECTIVE_PERMUTE, &f) &&
	       collective_checks[o->kind](w->m, o, &f);
}
