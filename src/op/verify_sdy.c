/* verify_sdy.c - the invariants of shardings on a program, and of the sdy ops.
 *
 * Source: Shardy, dialect/sdy/ir/ops.td and verifiers.cc; shared notes shardy.md A.
 * A sharding is checked once for each rank it is used with: they are interned, and
 * the meshes of a module do not change while it is verified. */
#include "op/verify_sdy.h"

/* "'sdy.x' op result 3": what an error is about. */
typedef struct subject {
	const op *o;
	const char *what; /* "operand", "in_shardings", …; "" for the op's one value */
	int index, n;     /* of n values */
} subject;

static const char *subject_words(module *m, subject s)
{
	if (!s.what[0])
		return arena_printf(&m->ctx->scratch, "'%s' op", s.o->name->s);
	if (s.n == 1)
		return arena_printf(&m->ctx->scratch, "'%s' op %s", s.o->name->s, s.what);
	return arena_printf(&m->ctx->scratch, "'%s' op %s %d", s.o->name->s, s.what, s.index);
}

static bool sdy_error(module *m, const op *o, diag_code code, const char *fmt, ...) PRINTF(4, 5);
static bool sdy_error(module *m, const op *o, diag_code code, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return diag_error(m->ctx, op_place(m, o), code, "'%s' op %s", o->name->s, text);
}

static const char *axis_words(module *m, axis_ref a)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	axis_print(&w, a);
	put_c(&w, 0);
	return w.ptr;
}

static const char *axes_words(module *m, axis_list l)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	axes_print(&w, l);
	put_c(&w, 0);
	return w.ptr;
}

static const char *sharding_words(module *m, const sharding *s)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	sharding_print(&w, s);
	put_c(&w, 0);
	return w.ptr;
}

/* ---- manual axes above an op ------------------------------------------------------- */

static bool names_axis(const attr *manual_axes, const name *axis)
{
	for (int i = 0; manual_axes && i < manual_axes->n; i++)
		if (manual_axes->list[i]->text == axis)
			return true;
	return false;
}

/* The manual computation around `o` that binds the axis, or NULL. */
static const op *binder_of(const op *o, const name *axis)
{
	for (const op *p = op_parent(o); p; p = op_parent(p))
		if (p->kind == OP_SDY_MANUAL_COMPUTATION && names_axis(op_attr(p, N_manual_axes), axis))
			return p;
	return NULL;
}

static bool inside_manual(const op *o)
{
	for (const op *p = op_parent(o); p; p = op_parent(p))
		if (p->kind == OP_SDY_MANUAL_COMPUTATION)
			return true;
	return false;
}

static bool axis_is_free(module *m, const op *o, const name *axis)
{
	const op *binder = binder_of(o, axis);
	if (!binder)
		return true;
	sdy_error(m, o, E_AXIS_BOUND, "uses axis \"%s\", which a manual computation around it binds",
	          axis->s);
	diag_note(m->ctx, op_place(m, binder), "bound here");
	return false;
}

static bool axes_are_free(module *m, const op *o, axis_list l)
{
	for (int i = 0; i < l.n; i++)
		if (!axis_is_free(m, o, l.ptr[i].axis))
			return false;
	return true;
}

static bool sharding_is_free(module *m, const op *o, const sharding *s)
{
	if (!inside_manual(o))
		return true;
	for (int d = 0; d < s->rank; d++)
		if (!axes_are_free(m, o, dim_axes(&s->dims[d])))
			return false;
	return axes_are_free(m, o, (axis_list){s->replicated, s->n_replicated}) &&
	       axes_are_free(m, o, (axis_list){s->unreduced, s->n_unreduced});
}

/* ---- one sharding on one value ------------------------------------------------------- */

/* What a sharding on no tensor at all must be: without dimensions and axes. */
static bool is_bare(const sharding *s)
{
	return !s->rank && !s->n_replicated && !s->n_unreduced;
}

static const type *sharded_type(const type *t)
{
	return t && t->kind == TY_TUPLE && t->n_in == 1 ? t->in[0] : t;
}

/* `t` NULL: an op without results. */
static bool value_sharding_ok(sdy_walk *w, subject at, const sharding *s, const type *t)
{
	module *m = w->m;
	place here = op_place(m, at.o);
	const mesh *me = sharding_mesh(m, s);
	if (!me)
		return diag_error(m->ctx, here, E_SHARDING_MESH, "%s: there is no mesh @%s",
		                  subject_words(m, at), s->mesh.symbol ? s->mesh.symbol->s : "");
	if (mesh_is_maximal(me) || (!t && sharding_is_fully_replicated(s)))
		return is_bare(s) ||
		       diag_error(m->ctx, here, E_SHARDING_MAXIMAL,
		                  "%s: on one device a sharding has no dimensions and no axes, found %s",
		                  subject_words(m, at), sharding_words(m, s));
	if (t && t->kind == TY_TUPLE && t->n_in != 1)
		return diag_error(m->ctx, here, E_SHARDING_TYPE, "%s: a tuple of %d has a sharding, only "
		                  "one of 1 may", subject_words(m, at), t->n_in);
	t = sharded_type(t);
	if (!t || (t->kind != TY_TENSOR && t->kind != TY_UNRANKED && t->kind != TY_MEMREF &&
	           t->kind != TY_VECTOR))
		return is_bare(s) ||
		       diag_error(m->ctx, here, E_SHARDING_TYPE,
		                  "%s: no tensor, so its sharding has no dimensions and no axes, found %s",
		                  subject_words(m, at), sharding_words(m, s));
	if (t->kind == TY_UNRANKED)
		return diag_error(m->ctx, here, E_SHARDING_TYPE, "%s: an unranked tensor has a sharding",
		                  subject_words(m, at));
	if (s->rank != t->rank)
		return diag_error(m->ctx, here, E_SHARDING_RANK,
		                  "%s: its sharding has %d dimensions, the tensor %d",
		                  subject_words(m, at), s->rank, t->rank);
	void **known = ptr_map_at(&w->verified, &m->ctx->scratch, s);
	if (!*known) {
		if (!sharding_verify(m->ctx, s, me, t->rank, &(sharding_places){.all = here}))
			return false;
		*ptr_map_at(&w->verified, &m->ctx->scratch, s) = m;
	}
	return sharding_is_free(m, at.o, s);
}

/* A list of shardings for a list of types. */
static bool shardings_ok(sdy_walk *w, const op *o, const char *what, const attr *a, int n,
                         const type *(*get)(const op *, int))
{
	if (!a)
		return true;
	if (a->kind != AT_SHARDINGS)
		return sdy_error(w->m, o, E_SHARDING_KIND, "%s must be #sdy.sharding_per_value", what);
	if (!n && a->n == 1) {
		const sharding *s = a->shardings[0];
		const mesh *me = s ? sharding_mesh(w->m, s) : NULL;
		if (s && ((me && mesh_is_maximal(me)) || sharding_is_fully_replicated(s)))
			return value_sharding_ok(w, (subject){o, what, 0, 1}, s, NULL);
	}
	if (a->n != n)
		return sdy_error(w->m, o, E_SHARDING_COUNT, "%s has %d shardings for %d values", what, a->n,
		                 n);
	for (int i = 0; i < n; i++)
		if (a->shardings[i] &&
		    !value_sharding_ok(w, (subject){o, what, i, n}, a->shardings[i], get(o, i)))
			return false;
	return true;
}

static const type *sdy_operand_type(const op *o, int i) { return operand(o, i)->type; }
static const type *sdy_result_type(const op *o, int i) { return o->results[i].type; }

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

/* Axes that become unreduced must do so by `gained`, ones that stop by `lost` (-1:
 * not allowed to, or not known here), and ones that stay keep their reduction. */
static bool unreduced_ok(module *m, const op *o, const sharding *from, const sharding *to, int gained,
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
		return sdy_error(m, o, E_UNREDUCED, "makes %s unreduced", axes_words(m, added));
	if (added.n && (int)to->reduction != gained)
		return sdy_error(m, o, E_UNREDUCED, "makes %s unreduced by %s, expected %s",
		                 axes_words(m, added), reduction_kind_word(to->reduction),
		                 reduction_kind_word((reduction)gained));
	if (removed.n && lost >= 0 && (int)from->reduction != lost)
		return sdy_error(m, o, E_UNREDUCED, "reduces %s by %s, but they are pending %s",
		                 axes_words(m, removed), reduction_kind_word((reduction)lost),
		                 reduction_kind_word(from->reduction));
	bool kept = removed.n < from->n_unreduced && added.n < to->n_unreduced;
	if (kept && from->reduction != to->reduction)
		return sdy_error(m, o, E_UNREDUCED, "turns pending %s into pending %s",
		                 reduction_kind_word(from->reduction), reduction_kind_word(to->reduction));
	return true;
}

/* The sharding of a value, seen through barriers. */
static const sharding *sharding_through_barriers(module *m, const value *v)
{
	while (v->def && v->def->kind == OP_SDY_PROPAGATION_BARRIER)
		v = operand(v->def, 0);
	return value_sharding(m, v);
}

static bool constraint_ok(sdy_walk *w, const op *o)
{
	const sharding *s = o->results[0].sharding;
	if (!s)
		return sdy_error(w->m, o, E_SHARDING_KIND, "wants a sharding");
	if (!value_sharding_ok(w, (subject){o, "", 0, 1}, s, o->results[0].type))
		return false;
	const sharding *from = sharding_through_barriers(w->m, operand(o, 0));
	return !from || unreduced_ok(w->m, o, from, s, RED_SUM, (int)from->reduction);
}

/* ---- axes of collectives ------------------------------------------------------------------ */

/* Known, not twice, not mergeable with the one before; `seen` collects across lists. */
static bool axes_ok(module *m, const op *o, axis_list l, const mesh *me, axes_vec *seen)
{
	for (int i = 0; i < l.n; i++) {
		if (mesh_axis_index(me, l.ptr[i].axis) < 0)
			return sdy_error(m, o, E_AXIS_UNKNOWN, "names axis \"%s\", which its mesh lacks",
			                 l.ptr[i].axis->s);
		for (int k = 0; k < seen->len; k++)
			if (axis_overlaps(seen->ptr[k], l.ptr[i]))
				return sdy_error(m, o, E_AXIS_TWICE, "names %s twice",
				                 axis_words(m, l.ptr[i]));
		if (i && axis_can_merge(l.ptr[i - 1], l.ptr[i]))
			return sdy_error(m, o, E_SUB_AXES_MERGE, "names %s and %s, which are one sub-axis",
			                 axis_words(m, l.ptr[i - 1]), axis_words(m, l.ptr[i]));
		vec_push(&m->ctx->scratch, seen, l.ptr[i]);
	}
	return true;
}

static bool sorted_axes_ok(module *m, const op *o, axis_list l, const mesh *me)
{
	axes_vec seen = {0};
	for (int i = 1; i < l.n; i++)
		if (mesh_axis_index(me, l.ptr[i].axis) >= 0 &&
		    mesh_axis_index(me, l.ptr[i - 1].axis) >= 0 &&
		    axis_cmp_mesh(l.ptr[i - 1], l.ptr[i], me) > 0)
			return sdy_error(m, o, E_REPLICATED_ORDER, "names axes %s out of the order of its mesh",
			                 axes_words(m, l));
	return axes_ok(m, o, l, me, &seen);
}

static axis_list attr_axis_list(const attr *a)
{
	return a && a->kind == AT_AXES ? (axis_list){a->axes, a->n} : (axis_list){NULL, 0};
}

/* Takes `gone` off the end of the axes of a dimension. */
static bool take_suffix(module *m, const op *o, const dim_sharding *d, axis_list gone, int dim,
                        const mesh *me, axes_vec *out)
{
	for (int i = 0; i < d->n_axes; i++)
		vec_push(&m->ctx->scratch, out, d->axes[i]);
	for (int i = gone.n - 1; i >= 0; i--) {
		axis_ref last, rest;
		if (!out->len || !axis_suffix_of(gone.ptr[i], last = out->ptr[out->len - 1], me))
			return sdy_error(m, o, E_COLLECTIVE, "takes %s off dimension %d, which does not end "
			                 "in it", axis_words(m, gone.ptr[i]), dim);
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
	return axes_eq(dim_axes(&s->dims[dim]), want) ||
	       sdy_error(m, o, E_COLLECTIVE, "has a result with %s on dimension %d, expected %s",
	                 axes_words(m, dim_axes(&s->dims[dim])), dim, axes_words(m, want));
}

/* gather: the lists are taken off the operand's dimensions; slice: they are added. */
static bool per_dim_ok(module *m, const op *o, const attr *lists, const sharding *from,
                       const sharding *to, const mesh *me, bool gather)
{
	axes_vec seen = {0};
	if (!lists || lists->kind != AT_AXES_LIST)
		return sdy_error(m, o, E_COLLECTIVE, "wants a list of axes for each dimension");
	for (int d = 0; d < lists->n; d++)
		if (!axes_ok(m, o, attr_axis_list(lists->list[d]), me, &seen))
			return false;
	if (lists->n != to->rank)
		return sdy_error(m, o, E_COLLECTIVE, "has axes for %d dimensions of %d", lists->n,
		                 to->rank);
	for (int d = 0; d < to->rank; d++) {
		axes_vec want = {0};
		axis_list l = attr_axis_list(lists->list[d]);
		if (!gather)
			append_axes(m, &from->dims[d], l, me, &want);
		else if (!take_suffix(m, o, &from->dims[d], l, d, me, &want))
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

/* What holds for all: the operand is sharded, on the same mesh, with the same rank. */
static bool collective_common(sdy_walk *w, const op *o, bool may_lack, bool other_mesh,
                              collective_facts *f)
{
	module *m = w->m;
	f->to = o->results[0].sharding;
	f->from = value_sharding(m, operand(o, 0));
	if (!f->to)
		return sdy_error(m, o, E_SHARDING_KIND, "wants an out_sharding");
	if (!f->from && !may_lack)
		return sdy_error(m, o, E_COLLECTIVE, "has an operand without a sharding");
	if (!value_sharding_ok(w, (subject){o, "", 0, 1}, f->to, o->results[0].type))
		return false;
	f->mesh = sharding_mesh(m, f->to);
	const mesh *mf = f->from ? sharding_mesh(m, f->from) : NULL;
	if (!other_mesh && mf && mf != f->mesh) {
		sdy_error(m, o, E_COLLECTIVE, "has an operand on another mesh than its result");
		if (operand(o, 0)->def)
			diag_note(m->ctx, op_place(m, operand(o, 0)->def), "the operand comes from here");
		return false;
	}
	if (f->from && f->from->rank != f->to->rank)
		return sdy_error(m, o, E_COLLECTIVE, "has an operand sharded with %d dimensions, its "
		                 "result with %d", f->from->rank, f->to->rank);
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
		return sdy_error(m, o, E_COLLECTIVE, "moves no axes");
	int64_t before = -1;
	for (int i = 0; i < params->n; i++) {
		if (!axes_ok(m, o, attr_axis_list(params->list[i]), f->mesh, &seen))
			return false;
		for (int k = 0; k < 2; k++) {
			int64_t d = params->ints[2 * i + k];
			if (d < 0 || d >= rank)
				return sdy_error(m, o, E_COLLECTIVE, "moves axes %s dimension %" PRId64
				                 " of rank %d", k ? "to" : "from", d, rank);
			if (used[d])
				return sdy_error(m, o, E_COLLECTIVE, "uses dimension %" PRId64 " twice", d);
			used[d] = true;
		}
		if (params->ints[2 * i] <= before)
			return sdy_error(m, o, E_COLLECTIVE, "has source dimensions out of order: %" PRId64
			                 " after %" PRId64, params->ints[2 * i], before);
		before = params->ints[2 * i];
	}
	for (int i = 0; i < params->n; i++) {
		int src = (int)params->ints[2 * i], dst = (int)params->ints[2 * i + 1];
		axis_list l = attr_axis_list(params->list[i]);
		axes_vec less = {0}, more = {0};
		if (!take_suffix(m, o, &f->from->dims[src], l, src, f->mesh, &less) ||
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
		return sdy_error(m, o, E_COLLECTIVE, "has an operand on a mesh with other axes");
	if (!mesh_ref_eq(f->from->mesh, f->to->mesh) && mf == f->mesh)
		return sdy_error(m, o, E_COLLECTIVE, "goes to a mesh of another name, but the same devices");
	for (int d = 0; d < f->to->rank; d++) {
		int64_t a = sharding_dim_shards(f->from, d, f->mesh);
		int64_t b = sharding_dim_shards(f->to, d, f->mesh);
		if (a != b)
			return sdy_error(m, o, E_COLLECTIVE, "turns %" PRId64 " shards of dimension %d into %"
			                 PRId64, a, d, b);
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

/* The reduction that an all_reduce or reduce_scatter does: sum if not written. */
static int reduction_of(const op *o)
{
	return (int)op_int(o, N_reduction_op, RED_SUM);
}

static bool all_reduce_ok(module *m, const op *o, const collective_facts *f)
{
	axis_list l = attr_axis_list(op_attr(o, N_reduction_axes));
	if (!same_dim_axes(f->from, f->to))
		return sdy_error(m, o, E_COLLECTIVE, "changes dimensions from %s to %s",
		                 sharding_words(m, f->from), sharding_words(m, f->to));
	if (!sorted_axes_ok(m, o, l, f->mesh))
		return false;
	for (int i = 0; i < l.n; i++) {
		axis_list replicated = {f->from->replicated, f->from->n_replicated};
		if (touches_dims(f->from, l.ptr[i]) || axes_overlap_axis(replicated, l.ptr[i]))
			return sdy_error(m, o, E_COLLECTIVE, "reduces %s, which the operand uses in a "
			                 "dimension or replicates", axis_words(m, l.ptr[i]));
		if (axes_overlap_axis(unreduced_axes(f->to), l.ptr[i]))
			return sdy_error(m, o, E_COLLECTIVE, "reduces %s, but leaves it unreduced",
			                 axis_words(m, l.ptr[i]));
	}
	return unreduced_ok(m, o, f->from, f->to, -1, reduction_of(o));
}

/* The result is unreduced along what the operand was and `more`. */
static bool unreduced_grows(module *m, const op *o, const collective_facts *f, axes_vec more)
{
	axes_vec want = {0};
	for (int i = 0; i < f->from->n_unreduced; i++)
		vec_push(&m->ctx->scratch, &want, f->from->unreduced[i]);
	for (int i = 0; i < more.len; i++)
		vec_push(&m->ctx->scratch, &want, more.ptr[i]);
	want.len = axes_sort_and_merge(want.ptr, want.len, f->mesh);
	return axes_eq((axis_list){want.ptr, want.len}, unreduced_axes(f->to)) ||
	       sdy_error(m, o, E_COLLECTIVE, "has a result unreduced along %s, expected %s",
	                 axes_words(m, unreduced_axes(f->to)),
	                 axes_words(m, (axis_list){want.ptr, want.len}));
}

static bool sum_only(module *m, const op *o, const collective_facts *f)
{
	return f->to->reduction == RED_SUM ||
	       sdy_error(m, o, E_COLLECTIVE, "makes axes unreduced by %s, only sum can",
	                 reduction_kind_word(f->to->reduction));
}

static bool sharded_to_unreduced_ok(module *m, const op *o, const collective_facts *f)
{
	const attr *lists = op_attr(o, N_axes);
	axes_vec more = {0};
	if (!sum_only(m, o, f) || !per_dim_ok(m, o, lists, f->from, f->to, f->mesh, true))
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
		return sdy_error(m, o, E_COLLECTIVE, "changes dimensions");
	if (!l.n)
		return sdy_error(m, o, E_COLLECTIVE, "names no axes");
	if (!sorted_axes_ok(m, o, l, f->mesh))
		return false;
	for (int i = 0; i < l.n; i++) {
		if (touches_dims(f->from, l.ptr[i]) ||
		    axes_overlap_axis(unreduced_axes(f->from), l.ptr[i]))
			return sdy_error(m, o, E_COLLECTIVE, "names %s, along which the operand is not "
			                 "replicated", axis_words(m, l.ptr[i]));
		vec_push(&m->ctx->scratch, &more, l.ptr[i]);
	}
	return unreduced_grows(m, o, f, more);
}

static bool collective_ok(sdy_walk *w, const op *o)
{
	module *m = w->m;
	collective_facts f;
	bool may_lack = o->kind == OP_SDY_ALL_SLICE || o->kind == OP_SDY_ALL_REDUCE ||
	                o->kind == OP_SDY_REDUCE_SCATTER;
	if (!collective_common(w, o, may_lack, o->kind == OP_SDY_COLLECTIVE_PERMUTE, &f))
		return false;
	switch (o->kind) {
	case OP_SDY_ALL_GATHER:
		return per_dim_ok(m, o, op_attr(o, N_gathering_axes), f.from, f.to, f.mesh, true);
	case OP_SDY_ALL_SLICE:
		return per_dim_ok(m, o, op_attr(o, N_slicing_axes), f.from, f.to, f.mesh, false);
	case OP_SDY_REDUCE_SCATTER:
		return unreduced_ok(m, o, f.from, f.to, -1, reduction_of(o)) &&
		       per_dim_ok(m, o, op_attr(o, N_reduce_scatter_axes), f.from, f.to, f.mesh, false);
	case OP_SDY_ALL_TO_ALL: return all_to_all_ok(m, o, &f);
	case OP_SDY_COLLECTIVE_PERMUTE: return permute_ok(m, o, &f);
	case OP_SDY_ALL_REDUCE: return all_reduce_ok(m, o, &f);
	case OP_SDY_SHARDED_TO_UNREDUCED: return sharded_to_unreduced_ok(m, o, &f);
	case OP_SDY_REPLICATED_TO_UNREDUCED: return replicated_to_unreduced_ok(m, o, &f);
	default: return true;
	}
}

/* ---- data-flow edges, barriers, named computations -------------------------------------------- */

static bool edge_ok(sdy_walk *w, const op *o)
{
	module *m = w->m;
	const value *v = operand(o, 0);
	const op *def = v->def;
	if (!o->results[0].type->is_static)
		return sdy_error(m, o, E_EDGE, "is on %s, expected a static shape",
		                 type_words(m, o->results[0].type));
	if (!value_has_one_use(v))
		return sdy_error(m, o, E_EDGE, "must be the only use of its operand");
	if (o->kind == OP_SDY_FUNC_DATA_FLOW_EDGE) {
		const op *owner = def ? def : block_parent(v->owner);
		return (def ? def->kind == OP_FUNC_CALL : op_is_func(owner)) ||
		       sdy_error(m, o, E_EDGE, "must be on a function's argument or a call's result");
	}
	if (def && str_starts(name_str(def->name), "sdy.") && !op_is_data_flow(def)) {
		sdy_error(m, o, E_EDGE, "is on the result of %s, which is no data-flow op", def->name->s);
		diag_note(m->ctx, op_place(m, def), "defined here");
		return false;
	}
	return !o->results[0].sharding ||
	       value_sharding_ok(w, (subject){o, "", 0, 1}, o->results[0].sharding,
	                         o->results[0].type);
}

static bool barrier_ok(module *m, const op *o)
{
	enum { BOTH_DIRECTIONS = 3 };
	return op_int(o, N_allowed_direction, 0) != BOTH_DIRECTIONS ||
	       sdy_error(m, o, E_BARRIER, "allows both directions, so it bars nothing");
}

static bool named_computation_ok(sdy_walk *w, const op *o)
{
	module *m = w->m;
	const block *b = op_body(o);
	if (!b)
		return sdy_error(m, o, E_REGION, "has no body");
	if (b->n_args != o->n_operands)
		return sdy_error(m, o, E_REGION, "has a body with %d arguments for %d operands", b->n_args,
		                 o->n_operands);
	for (int i = 0; i < b->n_args; i++)
		if (b->args[i]->type != operand(o, i)->type)
			return sdy_error(m, o, E_REGION, "has a body whose argument %d is %s, expected %s", i,
			                 type_words(m, b->args[i]->type), type_words(m, operand(o, i)->type));
	const op *end = block_terminator(b);
	if (!end || end->n_operands != o->n_results)
		return sdy_error(m, o, E_REGION, "has a body that returns %d values, expected %d",
		                 end ? end->n_operands : 0, o->n_results);
	for (int i = 0; i < o->n_results; i++)
		if (operand(end, i)->type != o->results[i].type)
			return sdy_error(m, o, E_RESULT_TYPE, "has a body that returns %s as result %d, a %s",
			                 type_words(m, operand(end, i)->type), i,
			                 type_words(m, o->results[i].type));
	return shardings_ok(w, o, "in_shardings", op_attr(o, N_in_shardings), o->n_operands,
	                    sdy_operand_type) &&
	       shardings_ok(w, o, "out_shardings", op_attr(o, N_out_shardings), o->n_results,
	                    sdy_result_type);
}

/* ---- manual computations --------------------------------------------------------------------- */

/* Shards of a dimension along manual axes; -1 with a diagnostic if a manual axis
 * follows a free one. */
static int64_t manual_shards(module *m, const op *o, const char *what, int index, const sharding *s,
                             int d, const attr *manual)
{
	const mesh *me = sharding_mesh(m, s);
	int64_t shards = 1;
	for (int i = 0; i < s->dims[d].n_axes; i++) {
		axis_ref a = s->dims[d].axes[i];
		if (!names_axis(manual, a.axis))
			continue;
		if (i && !names_axis(manual, s->dims[d].axes[i - 1].axis)) {
			sdy_error(m, o, E_MANUAL, "%s sharding %d has manual axis %s after free axis %s on "
			          "dimension %d", what, index, axis_words(m, a),
			          axis_words(m, s->dims[d].axes[i - 1]), d);
			return -1;
		}
		shards *= axis_size(a, me);
	}
	return shards;
}

static bool local_type_ok(module *m, const op *o, const char *what, int index, const sharding *s,
                          const type *global, const type *local, const attr *manual)
{
	for (int d = 0; d < s->rank; d++)
		if (manual_shards(m, o, what, index, s, d, manual) < 0)
			return false;
	if (!is_ranked(global))
		return true;
	int64_t *dims = COPY_N(&m->ctx->scratch, global->dims, global->rank);
	for (int d = 0; d < s->rank && d < global->rank; d++) {
		int64_t k = manual_shards(m, o, what, index, s, d, manual);
		if (dim_dynamic(dims[d]))
			continue;
		if (dims[d] % k)
			return sdy_error(m, o, E_MANUAL, "%s dimension of %" PRId64
			                 ", which %" PRId64 " manual shards do not divide", what, dims[d], k);
		dims[d] /= k;
	}
	const type *want = tensor_like(m, global, dims, global->rank);
	return types_agree(local, want) ||
	       sdy_error(m, o, E_MANUAL, "%s %d has the local type %s, expected %s", what, index,
	                 type_words(m, local), type_words(m, want));
}

static bool manual_side_ok(sdy_walk *w, const op *o, const char *what, const attr *shardings,
                           int n_global, const type *(*global)(const op *, int), int n_local,
                           const type *const *local, const attr *manual)
{
	module *m = w->m;
	if (!n_global && !n_local && (!shardings || !shardings->n))
		return true;
	if (!shardings)
		return sdy_error(m, o, E_SHARDING_COUNT, "wants shardings of its %ss", what);
	if (!shardings_ok(w, o, what, shardings, n_global, global))
		return false;
	if (n_global != n_local)
		return sdy_error(m, o, E_REGION, "has %d %ss, its body %d", n_global, what, n_local);
	for (int i = 0; i < n_global; i++)
		if (!local_type_ok(m, o, what, i, shardings->shardings[i], global(o, i), local[i], manual))
			return false;
	return true;
}

/* One mesh for all shardings, apart from empty ones. */
static bool one_mesh(module *m, const op *o, const attr *in, const attr *out, const mesh **found)
{
	const attr *sides[] = {in, out};
	*found = NULL;
	for (int k = 0; k < 2; k++)
		for (int i = 0; sides[k] && i < sides[k]->n; i++) {
			const sharding *s = sides[k]->shardings[i];
			const mesh *me = s ? sharding_mesh(m, s) : NULL;
			if (!me || mesh_is_empty(me))
				continue;
			if (*found && *found != me)
				return sdy_error(m, o, E_MANUAL, "has shardings on different meshes");
			*found = me;
		}
	return true;
}

/* A border sharding need not name every manual axis: what it leaves out is
 * replicated, and manual-axes-cleanup writes that down. */
static bool manual_computation_ok(sdy_walk *w, const op *o)
{
	module *m = w->m;
	const attr *manual = op_attr(o, N_manual_axes);
	const attr *in = op_attr(o, N_in_shardings), *out = op_attr(o, N_out_shardings);
	const block *b = op_body(o);
	const op *end = b ? block_terminator(b) : NULL;
	static const attr no_axes = {.kind = AT_MANUAL_AXES};
	if (!manual)
		manual = &no_axes;
	if (!b || !end)
		return sdy_error(m, o, E_REGION, "has no body that ends in a return");
	for (int i = 0; i < manual->n; i++)
		if (!axis_is_free(m, o, manual->list[i]->text))
			return false;
	const type **args = NEW_N(&m->ctx->scratch, const type *, b->n_args + 1);
	const type **rets = NEW_N(&m->ctx->scratch, const type *, end->n_operands + 1);
	for (int i = 0; i < b->n_args; i++)
		args[i] = b->args[i]->type;
	for (int i = 0; i < end->n_operands; i++)
		rets[i] = operand(end, i)->type;
	if (!manual_side_ok(w, o, "operand", in, o->n_operands, sdy_operand_type, b->n_args, args,
	                    manual) ||
	    !manual_side_ok(w, o, "result", out, o->n_results, sdy_result_type, end->n_operands, rets,
	                    manual))
		return false;
	const mesh *me;
	if (!one_mesh(m, o, in, out, &me))
		return false;
	for (int i = 0; me && i < manual->n; i++)
		if (mesh_axis_index(me, manual->list[i]->text) < 0)
			return sdy_error(m, o, E_AXIS_UNKNOWN, "binds axis \"%s\", which its mesh lacks",
			                 manual->list[i]->text->s);
	return true;
}

/* ---- the walk ------------------------------------------------------------------------------------ */

static bool results_sharding_ok(sdy_walk *w, const op *o)
{
	const attr *kept = op_attr(o, N_sdy_sharding);
	if (kept && !shardings_ok(w, o, "result", kept, o->n_results, sdy_result_type))
		return false;
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].sharding &&
		    !value_sharding_ok(w, (subject){o, "result", i, o->n_results}, o->results[i].sharding,
		                       o->results[i].type))
			return false;
	return true;
}

static bool func_shardings_ok(sdy_walk *w, const op *o)
{
	const block *b = op_body(o);
	const type *t = o->func->type;
	/* A sharding is a slot of the value; what is still an attribute is none. */
	for (int i = 0; b && i < t->n_in; i++)
		if (attrs_get(&o->func->arg_attrs[i], N_sdy_sharding))
			return sdy_error(w->m, o, E_SHARDING_KIND, "arg %d: sdy.sharding must be #sdy.sharding", i);
	for (int i = 0; i < t->n_out; i++)
		if (attrs_get(&o->func->result_attrs[i], N_sdy_sharding))
			return sdy_error(w->m, o, E_SHARDING_KIND, "result %d: sdy.sharding must be #sdy.sharding", i);
	for (int i = 0; b && i < b->n_args; i++)
		if (b->args[i]->sharding &&
		    !value_sharding_ok(w, (subject){o, "arg", i, -1}, b->args[i]->sharding,
		                       b->args[i]->type))
			return false;
	for (int i = 0; i < t->n_out; i++)
		if (o->func->result_shardings[i] &&
		    !value_sharding_ok(w, (subject){o, "result", i, -1}, o->func->result_shardings[i],
		                       t->out[i]))
			return false;
	return true;
}

bool sdy_verify(sdy_walk *w, const op *o)
{
	const attr *r = op_attr(o, N_sdy_sharding_rule);
	if (op_is_func(o))
		return func_shardings_ok(w, o);
	if (r && r->kind != AT_RULE)
		return sdy_error(w->m, o, E_SHARDING_KIND, "sdy.sharding_rule must be #sdy.op_sharding_rule");
	if (r && !rule_verify(w->m, o, r->rule, op_place(w->m, o)))
		return false;
	if (!edges_ok(w->m, o))
		return false;
	switch (o->kind) {
	case OP_SDY_SHARDING_CONSTRAINT:
	case OP_SDY_RESHARD: return constraint_ok(w, o);
	case OP_SDY_DATA_FLOW_EDGE:
	case OP_SDY_FUNC_DATA_FLOW_EDGE: return edge_ok(w, o);
	case OP_SDY_PROPAGATION_BARRIER: return barrier_ok(w->m, o) && results_sharding_ok(w, o);
	case OP_SDY_NAMED_COMPUTATION: return named_computation_ok(w, o) && results_sharding_ok(w, o);
	case OP_SDY_MANUAL_COMPUTATION: return manual_computation_ok(w, o);
	case OP_SDY_ALL_GATHER:
	case OP_SDY_ALL_SLICE:
	case OP_SDY_ALL_TO_ALL:
	case OP_SDY_COLLECTIVE_PERMUTE:
	case OP_SDY_ALL_REDUCE:
	case OP_SDY_REDUCE_SCATTER:
	case OP_SDY_SHARDED_TO_UNREDUCED:
	case OP_SDY_REPLICATED_TO_UNREDUCED: return collective_ok(w, o);
	default: return results_sharding_ok(w, o);
	}
}
