/* verify.c - the invariants of meshes and shardings.
 *
 * Every axis that a sharding mentions is put into one list. When this is sorted by axis and by the
 * interval that the reference covers (see axis.c), references that clash are adjacent, so hostile
 * lists cost no more than sorting. Errors are then reported in the order of the text, at most one
 * for each reference, at the reference, with a note at the other one involved. */
#include "sharding/sharding.h"

#include <stdlib.h>

/* ---- meshes -------------------------------------------------------------- */

static place place_or(const place *list, int64_t i, place all)
{
	return list ? list[i] : all;
}

static bool verify_mesh_axes(tess_ctx *ctx, const mesh *m, const mesh_places *at)
{
	bool ok = true;
	for (int i = 0; i < m->n_axes; i++) {
		const mesh_axis *a = &m->axes[i];
		place here = place_or(at->axes, i, at->all);
		int first = mesh_axis_index(m, a->name);
		if (a->size < 1)
			ok = diag_error(ctx, here, E_MESH_AXIS_SIZE,
			                "axis \"%s\" has size %" PRId64 ", but a size must be at least 1",
			                a->name->s, a->size);
		if (first < i) {
			ok = diag_error(ctx, here, E_MESH_AXIS_TWICE,
			                "the mesh has two axes of the name \"%s\"", a->name->s);
			diag_note(ctx, place_or(at->axes, first, at->all), "the first is here");
		}
	}
	return ok;
}

/* Checks that each of 0..n-1 is an id once, and reports the first violation. */
static bool verify_permutation(tess_ctx *ctx, const mesh *m, const mesh_places *at)
{
	int64_t n = m->n_device_ids;
	arena_mark mark = arena_here(&ctx->scratch);
	bool *seen = NEW_N(&ctx->scratch, bool, n), ok = true;
	for (int64_t i = 0; ok && i < n; i++) {
		int64_t id = m->device_ids[i];
		place here = place_or(at->ids, i, at->all);
		if (id >= n)
			ok = diag_error(ctx, here, E_MESH_ID_ORDER,
			                "device id %" PRId64 " is not one of the %" PRId64
			                " devices 0..%" PRId64, id, n, n - 1);
		else if (seen[id])
			ok = diag_error(ctx, here, E_MESH_ID_ORDER,
			                "device id %" PRId64 " is listed twice", id);
		else
			seen[id] = true;
	}
	arena_back(&ctx->scratch, mark);
	return ok;
}

static bool verify_device_ids(tess_ctx *ctx, const mesh *m, const mesh_places *at)
{
	int64_t n = m->n_device_ids;
	for (int64_t i = 0; i < n; i++)
		if (m->device_ids[i] < 0)
			return diag_error(ctx, place_or(at->ids, i, at->all), E_MESH_ID_NEGATIVE,
			                  "device id %" PRId64 " is negative", m->device_ids[i]);
	if (n > 1 && !m->n_axes)
		return diag_error(ctx, place_or(at->ids, 1, at->all), E_MESH_ID_WITHOUT_AXES,
		                  "a mesh without axes is one device, but has %" PRId64
		                  " device ids", n);
	if (!n || !m->n_axes)
		return true;
	if (n != m->n_devices)
		return diag_error(ctx, at->all, E_MESH_ID_COUNT,
		                  "the axes span %" PRId64
		                  " devices, but device_ids lists %" PRId64,
		                  m->n_devices, n);
	return m->positions || verify_permutation(ctx, m, at);
}

bool mesh_verify_at(tess_ctx *ctx, const mesh *m, const mesh_places *at)
{
	if (!verify_mesh_axes(ctx, m, at))
		return false;
	if (m->n_devices == INT64_MAX)
		return diag_error(ctx, at->all, E_MESH_TOO_LARGE,
		                  "the product of the axis sizes does not fit 63 bits");
	return verify_device_ids(ctx, m, at);
}

bool mesh_verify(tess_ctx *ctx, const mesh *m, place at)
{
	return mesh_verify_at(ctx, m, &(mesh_places){.all = at});
}

/* ---- the axes of a sharding ---------------------------------------------- */

enum { IN_REPLICATED = -1, IN_UNREDUCED = -2 }; /* or the number of a dimension */

/* One mention of an axis. */
typedef struct mention {
	axis_ref ref;
	int where;
	int axis;                    /* index in the mesh; -1: unknown */
	bool sound;                  /* known, and a sub-axis that divides it */
	const struct mention *prev;  /* before it in the same list, or NULL */
	const struct mention *clash; /* an earlier mention that conflicts with it */
	place at;
} mention;

typedef struct check {
	tess_ctx *ctx;
	const sharding *s;
	const mesh *m;
	mention *all;
	int n;
	bool ok;
} check;

static bool fits_axis(axis_ref a, int64_t full)
{
	int64_t end;
	return axis_is_full(a) || (a.pre >= 1 && a.size > 1 && mul_ok(a.pre, a.size, &end) &&
	                           full % end == 0 && a.size != full);
}

static bool axes_fit(axis_list l, const mesh *m)
{
	for (int i = 0; i < l.n; i++) {
		int64_t full = mesh_axis_size(m, l.ptr[i].axis);
		if (!full || !fits_axis(l.ptr[i], full))
			return false;
	}
	return axes_size(l, m) <= max_i64(m->n_devices, 1); /* the empty mesh counts none */
}

bool sharding_fits(const sharding *s, const mesh *m, int rank)
{
	if (!s)
		return true;
	if (!m || mesh_is_maximal(m))
		return m && !s->rank && !s->n_replicated && !s->n_unreduced;
	if (s->rank != rank)
		return false;
	for (int d = 0; d < rank; d++)
		if (!axes_fit(dim_axes(&s->dims[d]), m))
			return false;
	return axes_fit((axis_list){s->unreduced, s->n_unreduced}, m);
}

static void mention_list(check *c, axis_list l, int where, const place *places, place all)
{
	for (int i = 0; i < l.n; i++) {
		mention *u = &c->all[c->n++];
		int axis = mesh_axis_index(c->m, l.ptr[i].axis);
		*u = (mention){.ref = l.ptr[i], .where = where, .axis = axis,
		               .prev = i ? u - 1 : NULL, .at = place_or(places, i, all)};
		u->sound = axis >= 0 && fits_axis(u->ref, c->m->axes[axis].size);
	}
}

static void mention_all(check *c, const sharding_places *at)
{
	const sharding *s = c->s;
	const place *places = at->axes;
	size_t total = (size_t)s->n_replicated + (size_t)s->n_unreduced;
	for (int d = 0; d < s->rank; d++)
		total += (size_t)s->dims[d].n_axes;
	c->all = NEW_N(&c->ctx->scratch, mention, total);
	for (int d = 0; d < s->rank; d++) {
		axis_list l = dim_axes(&s->dims[d]);
		mention_list(c, l, d, places, place_or(at->dims, d, at->all));
		if (places)
			places += l.n;
	}
	mention_list(c, (axis_list){s->replicated, s->n_replicated}, IN_REPLICATED,
	             at->replicated, at->all);
	mention_list(c, (axis_list){s->unreduced, s->n_unreduced}, IN_UNREDUCED, at->unreduced,
	             at->all);
}

/* ---- clashes ------------------------------------------------------------- */

/* A full axis ends after every part, so it clashes with each; one of size 1, with itself. */
static int64_t mention_end(const mention *u)
{
	return axis_is_full(u->ref) ? INT64_MAX : u->ref.pre * u->ref.size;
}

/* By axis, then by the start of the part, then in the order of the text. Ends need no order,
 * because the sweep keeps the widest. */
static int compare_mentions(const void *pa, const void *pb)
{
	const mention *a = *(mention *const *)pa, *b = *(mention *const *)pb;
	if (a->axis != b->axis)
		return a->axis < b->axis ? -1 : 1;
	if (a->ref.pre != b->ref.pre)
		return a->ref.pre < b->ref.pre ? -1 : 1;
	return (a > b) - (a < b); /* both are in one array, in the order of the text */
}

static void set_clash(mention *a, mention *b)
{
	mention *first = a < b ? a : b, *later = a < b ? b : a;
	if (!later->clash)
		later->clash = first;
}

static void find_clashes(check *c)
{
	mention **sorted = NEW_N(&c->ctx->scratch, mention *, c->n), *widest = NULL;
	int n = 0;
	for (int i = 0; i < c->n; i++)
		if (c->all[i].sound)
			sorted[n++] = &c->all[i];
	qsort(sorted, (size_t)n, sizeof *sorted, compare_mentions);
	for (int i = 0; i < n; i++) {
		mention *u = sorted[i];
		if (!widest || widest->axis != u->axis) {
			widest = u;
			continue;
		}
		int64_t end = mention_end(widest);
		if (u->ref.pre < end || u->ref.pre % end != 0)
			set_clash(u, widest);
		if (mention_end(u) > end)
			widest = u;
	}
}

/* ---- reports ------------------------------------------------------------- */

static const char *ref_text(tess_ctx *ctx, axis_ref a)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	axis_print(&w, a);
	return writer_z(&w);
}

static const char *list_text(tess_ctx *ctx, axis_list l)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	axes_print(&w, l);
	return writer_z(&w);
}

/* The sharding's use of the axis: "shards dimension 0". */
static const char *use_text(tess_ctx *ctx, int where)
{
	if (where == IN_REPLICATED)
		return "is replicated";
	if (where == IN_UNREDUCED)
		return "is unreduced";
	return arena_printf(&ctx->scratch, "shards dimension %d", where);
}

static bool report_unknown(check *c, const mention *u)
{
	enum { LISTED = 16 };
	diag_error(c->ctx, u->at, E_AXIS_UNKNOWN, "unknown axis \"%s\"", u->ref.axis->s);
	axis_ref known[LISTED];
	int n = c->m->n_axes < LISTED ? c->m->n_axes : LISTED;
	for (int i = 0; i < n; i++)
		known[i] = axis_full(c->m->axes[i].name);
	diag_note(c->ctx, NOWHERE, "the axes of the mesh are %s%s",
	          list_text(c->ctx, (axis_list){known, n}), n < c->m->n_axes ? " and more" : "");
	return false;
}

/* Reports which rule a sub-axis that does not fit its axis breaks. */
static bool report_misfit(check *c, const mention *u)
{
	tess_ctx *ctx = c->ctx;
	int64_t full = c->m->axes[u->axis].size, pre = u->ref.pre, size = u->ref.size;
	const char *text = ref_text(ctx, u->ref);
	if (pre < 1)
		return diag_error(ctx, u->at, E_SUB_AXIS_PRE_SIZE,
		                  "%s: a pre-size must be at least 1, not %" PRId64, text, pre);
	if (size <= 1)
		return diag_error(ctx, u->at, E_SUB_AXIS_SIZE,
		                  "%s: the size of a sub-axis must be greater than 1, not %" PRId64,
		                  text, size);
	if (size == full && pre == 1)
		return diag_error(ctx, u->at, E_SUB_AXIS_FULL, "%s is the whole axis: write \"%s\"",
		                  text, u->ref.axis->s);
	return diag_error(ctx, u->at, E_SUB_AXIS_DIVIDES,
	                  "%s: %" PRId64 " * %" PRId64 " does not divide the size %" PRId64
	                  " of the axis", text, pre, size, full);
}

static bool report_clash(check *c, const mention *u)
{
	tess_ctx *ctx = c->ctx;
	const mention *v = u->clash;
	const char *text = ref_text(ctx, u->ref), *other = ref_text(ctx, v->ref);
	const char *use = use_text(ctx, v->where);
	if (axis_eq(u->ref, v->ref))
		diag_error(ctx, u->at, E_AXIS_TWICE, "axis %s already %s", text, use);
	else if (axis_is_full(u->ref))
		diag_error(ctx, u->at, E_AXIS_AND_SUB_AXIS, "%s of axis %s already %s", other, text,
		           use);
	else if (axis_is_full(v->ref))
		diag_error(ctx, u->at, E_AXIS_AND_SUB_AXIS,
		           "%s is part of axis %s, which already %s", text, other, use);
	else if (axis_overlaps(u->ref, v->ref))
		diag_error(ctx, u->at, E_SUB_AXES_OVERLAP, "%s overlaps %s, which already %s", text,
		           other, use);
	else
		diag_error(ctx, u->at, E_SUB_AXES_CUT,
		           "%s and %s do not belong to one way to cut the axis", text, other);
	diag_note(ctx, v->at, "first used here");
	return false;
}

static bool report_mergeable(check *c, const mention *u)
{
	axis_ref whole = axis_merge(u->prev->ref, u->ref, c->m);
	return diag_error(c->ctx, u->at, E_SUB_AXES_MERGE, "%s, %s are one sub-axis: write %s",
	                  ref_text(c->ctx, u->prev->ref), ref_text(c->ctx, u->ref),
	                  ref_text(c->ctx, whole));
}

static bool out_of_order(const check *c, const mention *u)
{
	return u->where < 0 && u->prev && u->prev->axis >= 0 &&
	       axis_cmp_mesh(u->prev->ref, u->ref, c->m) > 0;
}

static bool report_order(check *c, const mention *u)
{
	bool replicated = u->where == IN_REPLICATED;
	return diag_error(c->ctx, u->at, replicated ? E_REPLICATED_ORDER : E_UNREDUCED_ORDER,
	                  "%s axes must be in the order of the mesh: %s goes before %s",
	                  replicated ? "replicated" : "unreduced", ref_text(c->ctx, u->ref),
	                  ref_text(c->ctx, u->prev->ref));
}

/* Reports the first thing that is wrong with this mention. */
static bool check_mention(check *c, const mention *u)
{
	if (u->axis < 0)
		return report_unknown(c, u);
	if (!u->sound)
		return report_misfit(c, u);
	if (u->clash)
		return report_clash(c, u);
	if (out_of_order(c, u))
		return report_order(c, u);
	if (u->prev && u->prev->sound && axis_can_merge(u->prev->ref, u->ref))
		return report_mergeable(c, u);
	return true;
}

static bool verify_axes(tess_ctx *ctx, const sharding *s, const mesh *m,
                        const sharding_places *at)
{
	arena_mark mark = arena_here(&ctx->scratch);
	check c = {.ctx = ctx, .s = s, .m = m};
	bool ok = true;
	mention_all(&c, at);
	find_clashes(&c);
	for (int i = 0; i < c.n; i++)
		ok &= check_mention(&c, &c.all[i]);
	arena_back(&ctx->scratch, mark);
	return ok;
}

/* ---- the rest of a sharding ---------------------------------------------- */

static bool verify_priority(tess_ctx *ctx, const sharding *s, int d, const sharding_places *at)
{
	const dim_sharding *dim = &s->dims[d];
	place here = place_or(at->dims, d, at->all);
	if (dim->priority == PRIORITY_NONE)
		return true;
	if (dim->priority < 0)
		return diag_error(ctx, here, E_PRIORITY_NEGATIVE,
		                  "dimension %d has the negative priority %" PRId64, d,
		                  dim->priority);
	if (!dim->n_axes && !dim->open)
		return diag_error(
			ctx, here, E_PRIORITY_EMPTY,
			"dimension %d is empty and closed: a priority has nothing to order", d);
	return true;
}

bool sharding_verify(tess_ctx *ctx, const sharding *s, const mesh *m, int rank,
                     const sharding_places *at)
{
	static const sharding_places nowhere;
	bool ok = true;
	if (!at)
		at = &nowhere;
	if (!m)
		return diag_error(ctx, at->mesh.src ? at->mesh : at->all, E_SHARDING_MESH,
		                  "unknown mesh @%s", s->mesh.symbol ? s->mesh.symbol->s : "");
	if (mesh_is_maximal(m)) {
		if (s->rank || s->n_replicated || s->n_unreduced)
			return diag_error(
				ctx, at->all, E_SHARDING_MAXIMAL,
				"a mesh of one device id takes no dimensions, replicated or"
				" unreduced axes: write []");
		return true;
	}
	if (rank >= 0 && s->rank != rank)
		ok = diag_error(ctx, at->all, E_SHARDING_RANK,
		                "the sharding has %d dimension%s, but the tensor has %d", s->rank,
		                s->rank == 1 ? "" : "s", rank);
	for (int d = 0; d < s->rank; d++)
		ok &= verify_priority(ctx, s, d, at);
	return verify_axes(ctx, s, m, at) && ok;
}
