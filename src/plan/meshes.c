/* meshes.c - the mesh shapes that a plan may have.
 *
 * Devices are numbered node by node, and the last axis of a mesh varies fastest. An axis whose size
 * divides a node, or is a multiple of it, communicates over one kind of link as far as possible.
 * Other shapes are left out. */
#include "plan/meshes.h"
#include "plan/tactics.h"

#include <stdlib.h>

typedef struct mesh_pattern {
	int n;
	const name *axis[PLAN_AXES];
	int64_t size[PLAN_AXES]; /* 0: any */
} mesh_pattern;

/* ---- patterns --------------------------------------------------------------------------- */

static bool pattern_error(tess_ctx *ctx, const char *text)
{
	return diag_error(ctx, NOWHERE, E_PLAN_MESH,
	                  "'%s' is not a pattern of a mesh: up to %d axes were expected, as in "
	                  "data=*,model=8",
	                  text, PLAN_AXES);
}

static bool pattern_axis(tess_ctx *ctx, const char *part, mesh_pattern *out)
{
	char axis[64], star;
	long long size = 0;
	int end = 0;
	if (out->n == PLAN_AXES)
		return false;
	bool sized = sscanf(part, " %63[A-Za-z0-9_] = %lld %n", axis, &size, &end) == 2 && size > 0;
	if (!sized && !(sscanf(part, " %63[A-Za-z0-9_] = %c %n", axis, &star, &end) == 2 && star == '*'))
		return false;
	if (part[end])
		return false;
	for (int i = 0; i < out->n; i++)
		if (!strcmp(out->axis[i]->s, axis))
			return false;
	out->axis[out->n] = name_of_z(ctx, axis);
	out->size[out->n++] = sized ? size : 0;
	return true;
}

static bool pattern_parse(tess_ctx *ctx, const char *text, mesh_pattern *out)
{
	*out = (mesh_pattern){0};
	for (const char *at = text;; at++) {
		size_t n = strcspn(at, ",");
		if (!pattern_axis(ctx, arena_printf(&ctx->scratch, "%.*s", (int)n, at), out))
			return pattern_error(ctx, text);
		at += n;
		if (!*at)
			return true;
	}
}

/* ---- shapes ------------------------------------------------------------------------------- */

typedef struct shape_search {
	tess_ctx *ctx;
	arena *mem;
	const mesh_pattern *p;
	int64_t node;  /* devices */
	int64_t least; /* devices on an axis of any size, if there are several axes */
	mesh_list *out;
	int64_t size[PLAN_AXES];
} shape_search;

/* Axis `a` and those after it have `inner` devices: true if node boundaries fall between them. */
static bool respects_nodes(const shape_search *w, int64_t inner)
{
	return inner % w->node == 0 || w->node % inner == 0;
}

static void add_shape(shape_search *w)
{
	mesh_axis axes[PLAN_AXES];
	memset(axes, 0, sizeof axes);
	for (int a = 0; a < w->p->n; a++) {
		axes[a].name = w->p->axis[a];
		axes[a].size = w->size[a];
	}
	vec_push(w->mem, w->out, mesh_of(w->ctx, axes, w->p->n, NULL, 0));
}

/* The fewest devices on the axes before axis a. */
static int64_t fewest_before(const shape_search *w, int a)
{
	int64_t n = 1;
	while (a-- > 0)
		if (!mul_ok(n, w->p->size[a] ? w->p->size[a] : w->least, &n))
			return INT64_MAX;
	return n;
}

/* Finds sizes for axes 0 to a, after those behind them; `left` devices remain. */
static void find_shapes(shape_search *w, int a, int64_t left, int64_t inner)
{
	int64_t fixed = w->p->size[a];
	if (a == 0) {
		w->size[0] = left;
		if (fixed ? fixed == left : left >= w->least || w->p->n == 1)
			add_shape(w);
		return;
	}
	int64_t most = fixed ? fixed : left / fewest_before(w, a);
	for (int64_t k = fixed ? fixed : w->least; k <= most; k++) {
		if (left % k || (!fixed && !respects_nodes(w, inner * k)))
			continue;
		w->size[a] = k;
		find_shapes(w, a - 1, left / k, inner * k);
	}
}

static mesh_pattern usual_pattern(tess_ctx *ctx, int n)
{
	static const char *const axes[] = {"data", "model"};
	mesh_pattern p = {.n = n};
	for (int i = 0; i < n; i++)
		p.axis[i] = name_of_z(ctx, axes[i]);
	return p;
}

/* ---- splits --------------------------------------------------------------------------------- */

/* True if each axis and those after it divide a node, or are nodes. */
static bool has_even_nodes(const mesh *m, const target *t)
{
	int64_t inner = 1;
	for (int i = m->n_axes - 1; i > 0 && t->node_devices; i--) {
		inner *= m->axes[i].size;
		if (inner % t->node_devices && t->node_devices % inner)
			return false;
	}
	return true;
}

const mesh *plan_mesh_divided(tess_ctx *ctx, const mesh *m, const target *t, int axis, int64_t inner,
                              const char *part)
{
	mesh_axis axes[PLAN_AXES];
	const name *of_part = name_of_z(ctx, part);
	memset(axes, 0, sizeof axes);
	if (m->n_axes >= PLAN_AXES || mesh_axis_index(m, of_part) >= 0 || inner < 2 ||
	    m->axes[axis].size <= inner || m->axes[axis].size % inner)
		return NULL;
	for (int i = 0; i <= m->n_axes; i++)
		axes[i] = m->axes[i <= axis ? i : i - 1];
	axes[axis].size /= inner;
	axes[axis + 1] = (mesh_axis){.name = of_part, .size = inner};
	const mesh *divided = mesh_of(ctx, axes, m->n_axes + 1, NULL, 0);
	return has_even_nodes(divided, t) ? divided : NULL;
}

const mesh *plan_mesh_split(tess_ctx *ctx, const mesh *m, const target *t, int *axis)
{
	int64_t inner = 1;
	int at = m->n_axes - 1;
	if (!t->node_devices)
		return NULL;
	while (at > 0 && inner * m->axes[at].size <= t->node_devices)
		inner *= m->axes[at--].size;
	*axis = at;
	return t->node_devices % inner ? NULL : plan_mesh_divided(ctx, m, t, at, t->node_devices / inner, "node");
}

const mesh *plan_mesh_moved(tess_ctx *ctx, const mesh *m, const target *t, int from, int to)
{
	enum { FACTOR = 2 };
	mesh_axis axes[PLAN_AXES];
	memset(axes, 0, sizeof axes);
	for (int i = 0; i < m->n_axes; i++)
		axes[i] = m->axes[i];
	if (from == to || axes[from].size <= FACTOR || axes[from].size % FACTOR)
		return NULL;
	axes[from].size /= FACTOR;
	axes[to].size *= FACTOR;
	const mesh *moved = mesh_of(ctx, axes, m->n_axes, NULL, 0);
	return has_even_nodes(moved, t) ? moved : NULL;
}

/* ---- order ------------------------------------------------------------------------------------ */

typedef struct mesh_rank {
	const mesh *m;
	int64_t distance;
} mesh_rank;

static int by_distance(const void *a, const void *b)
{
	const mesh_rank *x = a, *y = b;
	if (x->m->n_axes != y->m->n_axes)
		return x->m->n_axes < y->m->n_axes ? -1 : 1;
	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return x->m->axes[0].size > y->m->axes[0].size ? -1 : 1;
}

/* The shape to start from has the devices of a node on its last axis, or as many as usually share a
 * layer if a node or torus has more. */
static void sort_by_distance(arena *mem, mesh_list *list, int64_t node)
{
	enum { USUAL = 8 };
	int64_t start = min_i64(node, USUAL);
	mesh_rank *ranks = NEW_N(mem, mesh_rank, list->len + 1);
	for (int i = 0; i < list->len; i++) {
		const mesh *m = list->ptr[i];
		int64_t size = m->axes[m->n_axes - 1].size;
		ranks[i] = (mesh_rank){m, size > start ? size / start : start / size};
	}
	if (list->len)
		qsort(ranks, (size_t)list->len, sizeof *ranks, by_distance);
	for (int i = 0; i < list->len; i++)
		list->ptr[i] = ranks[i].m;
}

bool plan_meshes(tess_ctx *ctx, const char *pattern, int64_t devices, const target *t, arena *mem,
                 mesh_list *out)
{
	mesh_pattern p;
	int64_t node = t->node_devices && t->node_devices < devices ? t->node_devices : devices;
	shape_search w = {.ctx = ctx, .mem = mem, .p = &p, .node = node, .least = 2, .out = out};
	if (pattern && !pattern_parse(ctx, pattern, &p))
		return false;
	for (int n = 1; n <= 2 && !pattern; n++) {
		p = usual_pattern(ctx, n);
		find_shapes(&w, n - 1, devices, 1);
	}
	if (pattern)
		find_shapes(&w, p.n - 1, devices, 1);
	if (pattern && !out->len) { /* data=*,model=8 for 8 devices */
		w.least = 1;
		find_shapes(&w, p.n - 1, devices, 1);
	}
	if (!out->len)
		return diag_error(ctx, NOWHERE, E_PLAN_MESH,
		                  "no mesh '%s' has %" PRId64
		                  " devices: the product of its sizes must be that number",
		                  pattern ? pattern : "", devices);
	sort_by_distance(mem, out, node);
	return true;
}
