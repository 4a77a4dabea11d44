/* groups.c - parses groups of devices in collectives.
 *
 *   groups ::= '{' (('{' INT,… '}'),…)? '}'                       one by one
 *            | '[' INT,INT ']' '<=' '[' INT,… ']' ('T(' INT,… ')')?  [groups, size]<=iota
 *            | 'mesh[' 'x'=INT,… ']' (',' 'device_ids=(' … ')')? '{' axis,… '}'
 *              each device with those that differ from it only along the axes */
#include "hlo/sharding/scan.h"

typedef struct groups_reader {
	scan s;
	VEC(int64_t) devices, sizes;
	writer w; /* canonical text */
} groups_reader;

static bool groups_fail(groups_reader *g, const char *message)
{
	return scan_fail(&g->s, scan_since(&g->s, scan_here(&g->s)), E_HLO_SHARDING_DEVICES,
	                 message, STR(""));
}

/* ---- one by one ------------------------------------------------------------------- */

static void read_one_group(groups_reader *g)
{
	arena *mem = &g->s.ctx->scratch;
	int64_t n = 0;
	put_c(&g->w, '{');
	scan_expect(&g->s, '{');
	if (!scan_accept(&g->s, '}')) {
		do {
			int64_t device = scan_natural(&g->s);
			vec_push(mem, &g->devices, device);
			if (n++)
				put_c(&g->w, ',');
			put_int(&g->w, device);
		} while (scan_accept(&g->s, ','));
		scan_expect(&g->s, '}');
	}
	put_c(&g->w, '}');
	vec_push(mem, &g->sizes, n);
}

static bool read_listed_groups(groups_reader *g, replica_groups *out)
{
	put_c(&g->w, '{');
	scan_expect(&g->s, '{');
	if (!scan_accept(&g->s, '}')) {
		do {
			if (g->sizes.len)
				put_c(&g->w, ',');
			read_one_group(g);
		} while (scan_accept(&g->s, ','));
		scan_expect(&g->s, '}');
	}
	put_c(&g->w, '}');
	out->n_groups = g->sizes.len;
	out->group_size = g->sizes.len ? g->sizes.ptr[0] : 0;
	out->sizes = g->sizes.ptr;
	for (int i = 1; i < g->sizes.len; i++)
		if (g->sizes.ptr[i] != g->sizes.ptr[0])
			out->group_size = -1;
	device_array_list(&out->devices, g->devices.ptr, g->devices.len);
	return !g->s.failed;
}

/* ---- iota ------------------------------------------------------------------------------ */

static int read_sizes(groups_reader *g, char open, char close, int64_t *out)
{
	int n = 0;
	scan_expect(&g->s, open);
	do {
		if (n == ASSIGN_MAX)
			return groups_fail(g, "there are more than 64 dimensions");
		out[n++] = scan_natural(&g->s);
	} while (scan_accept(&g->s, ','));
	scan_expect(&g->s, close);
	return n;
}

static bool is_order_of(const int64_t *p, int n, int *out)
{
	uint64_t seen = 0;
	for (int i = 0; i < n; i++) {
		if (p[i] < 0 || p[i] >= n || seen >> p[i] & 1)
			return false;
		seen |= (uint64_t)1 << p[i];
		out[i] = (int)p[i];
	}
	return true;
}

static bool read_iota_groups(groups_reader *g, replica_groups *out)
{
	int64_t dims[ASSIGN_MAX], iota[ASSIGN_MAX], order[ASSIGN_MAX], n = 1, m = 1;
	int perm[ASSIGN_MAX], rank = read_sizes(g, '[', ']', dims);
	scan_expect(&g->s, '<');
	scan_expect(&g->s, '=');
	int n_iota = read_sizes(g, '[', ']', iota), n_order = 1;
	order[0] = 0;
	if (scan_accept_word(&g->s, "T"))
		n_order = read_sizes(g, '(', ')', order);
	else if (n_iota > 1)
		scan_error(&g->s, "'T(', the order in which the dimensions of the iota are taken");
	if (g->s.failed)
		return false;
	bool fits = true;
	for (int i = 0; i < rank; i++)
		fits = fits && dims[i] > 0 && mul_ok(n, dims[i], &n);
	for (int i = 0; i < n_iota; i++)
		fits = fits && iota[i] > 0 && mul_ok(m, iota[i], &m);
	if (!fits || rank != 2 || n != m || n_order != n_iota || !is_order_of(order, n_iota, perm))
		return groups_fail(
			g, "expected [groups, devices of each] and an iota of as many devices");
	device_array_iota(&out->devices, iota, perm, n_iota);
	out->n_groups = dims[0];
	out->group_size = dims[1];
	put_f(&g->w, "[%" PRId64 ",%" PRId64 "]", dims[0], dims[1]);
	device_array_print(&g->w, &out->devices);
	return true;
}

/* ---- meshes -------------------------------------------------------------------------------- */

static bool read_mesh_groups(groups_reader *g, uint32_t begin, replica_groups *out)
{
	axes_vec axes = {0};
	bool iota;
	const mesh *m = parse_mesh_in_groups(&g->s, begin, &axes, &iota);
	if (!m)
		return false;
	axis_list l = {axes.ptr, axes.len};
	sharding_places at = {.all = scan_since(&g->s, begin)};
	dim_sharding dim = {l.ptr, l.n, false, PRIORITY_NONE};
	const sharding *s = sharding_of(g->s.ctx, &(sharding){.mesh = {.inlined = m}, .rank = 1,
	                                                      .dims = &dim});
	if (!sharding_verify(g->s.ctx, s, m, -1, &at) ||
	    !mesh_devices_by_axes(&g->s.ctx->scratch, m, l, &out->devices)) {
		scan_stop(&g->s);
		return false;
	}
	out->mesh = m;
	out->axes = l;
	out->iota_ids = iota;
	out->group_size = axes_size(l, m);
	out->n_groups = m->n_devices / out->group_size;
	hlo_mesh_print(&g->w, m, iota);
	put_c(&g->w, ' ');
	hlo_axes_print(&g->w, l);
	return true;
}

bool replica_groups_parse(tess_ctx *ctx, source *src, uint32_t begin, uint32_t *end,
                          replica_groups *out)
{
	groups_reader g = {0};
	bool ok;
	scan_begin(&g.s, ctx, src, begin);
	writer_init(&g.w, &ctx->scratch);
	*out = (replica_groups){0};
	uint32_t at = scan_here(&g.s);
	if (scan_peek(&g.s) == '{')
		ok = read_listed_groups(&g, out);
	else if (scan_peek(&g.s) == '[')
		ok = read_iota_groups(&g, out);
	else if (scan_accept_word(&g.s, "mesh"))
		ok = read_mesh_groups(&g, at, out);
	else
		ok = scan_error(&g.s, "groups of devices, {{0,1}}, [1,2]<=[2] or mesh[");
	out->text = writer_str(&g.w);
	*end = g.s.last;
	return ok && !g.s.failed;
}
