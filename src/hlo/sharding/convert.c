/* convert.c - converts named shardings to tiles, and tiles to named axes.
 *
 * Names to tiles: the mesh is divided into the parts of axes that the sharding uses. The devices
 * are the mesh's positions, with the digits of these parts in the order [dimensions…, manual,
 * unreduced, all others].
 *
 * Tiles to names: the digits of the devices in each tile dimension are ranges of mesh positions;
 * each is an axis, part of one, or several. XLA crashes on device lists that are not an iota. Here
 * such lists usually are regular, and if not, they are expressed by a mesh with these device
 * ids. */
#include "hlo/sharding/sharding.h"

/* ---- names to tiles ---------------------------------------------------------- */

typedef struct named_tiles {
	const mesh *mesh;
	int n; /* number of digits */
	level digits[ASSIGN_MAX];
	int64_t used; /* product of the digits */
	bool fits;
} named_tiles;

/* Returns the weight of an axis's lowest digit among the positions of the mesh. */
static int64_t axis_unit(const mesh *m, const name *axis)
{
	int64_t unit = 1;
	for (int i = m->n_axes - 1; i > mesh_axis_index(m, axis); i--)
		unit *= m->axes[i].size;
	return unit;
}

/* Appends the digits of these axes; returns the product of their sizes. */
static int64_t append_axis_digits(named_tiles *t, axis_list l)
{
	int64_t product = 1;
	for (int i = 0; i < l.n; i++) {
		axis_ref a = l.ptr[i];
		int64_t size = axis_size(a, t->mesh), whole = mesh_axis_size(t->mesh, a.axis);
		int64_t minor = whole / (axis_pre(a) * size);
		product *= size;
		if (size == 1)
			continue;
		t->fits = t->fits && t->n < ASSIGN_MAX;
		if (t->fits)
			t->digits[t->n++] = (level){size, axis_unit(t->mesh, a.axis) * minor};
	}
	t->used *= product;
	return product;
}

/* Appends the remaining digits of the mesh, from major to minor. */
static void append_rest(named_tiles *t)
{
	level sorted[ASSIGN_MAX];
	int n = t->n;
	for (int i = 0; i < n; i++) {
		int k = i;
		for (; k > 0 && sorted[k - 1].unit < t->digits[i].unit; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = t->digits[i];
	}
	int64_t above = t->mesh->n_devices;
	for (int i = 0; i <= n; i++) {
		int64_t top = i < n ? sorted[i].unit * sorted[i].size : 1;
		if (above != top) {
			t->fits = t->fits && t->n < ASSIGN_MAX;
			if (t->fits)
				t->digits[t->n++] = (level){above / top, top};
		}
		above = i < n ? sorted[i].unit : 1;
	}
}

/* True if the mesh's ids, an iota, divide at these digits; otherwise XLA writes a list. */
static bool iota_is_cut_by(const named_tiles *t)
{
	level ids[ASSIGN_MAX], cut[ASSIGN_MAX], sorted[ASSIGN_MAX];
	int64_t sizes[ASSIGN_MAX];
	int counts[ASSIGN_MAX];
	bool in_order = true;
	device_array d;
	device_array_list(&d, t->mesh->device_ids, t->mesh->n_device_ids);
	for (int i = 0; i < t->n; i++) { /* from major to minor */
		int k = i;
		for (; k > 0 && sorted[k - 1].unit < t->digits[i].unit; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = t->digits[i];
		in_order = in_order && k == i;
	}
	if (in_order)
		return true; /* nothing is divided */
	for (int i = 0; i < t->n; i++)
		sizes[i] = sorted[i].size;
	int n = device_array_levels(&d, ids);
	return n >= 0 && levels_split(ids, n, sizes, t->n, cut, counts) >= 0;
}

/* Computes the devices from the digits, and the mesh's ids if it has any; an iota if it is one. */
static bool tile_devices(arena *mem, const named_tiles *t, bool iota_ids, device_array *d)
{
	level l[ASSIGN_MAX];
	if (!t->fits || !device_array_of_levels(d, t->digits, t->n))
		return false;
	if (!t->mesh->n_device_ids)
		return true;
	int64_t *list = arena_alloc(mem, sizeof(int64_t) * (size_t)d->n);
	for (int64_t i = 0; i < d->n; i++)
		list[i] = mesh_device_at(t->mesh, device_array_at(d, i));
	device_array_list(d, list, d->n);
	if (iota_ids && iota_is_cut_by(t)) {
		device_array told;
		int n = device_array_levels(d, l);
		if (n >= 0 && device_array_of_levels(&told, l, n))
			*d = told;
	}
	return true;
}

bool mesh_devices_by_axes(arena *mem, const mesh *m, axis_list last, device_array *out)
{
	named_tiles t = {.mesh = m, .used = 1, .fits = true}, all = t;
	append_axis_digits(&t, last);
	int n = t.n;
	append_rest(&t);
	for (int i = n; i < t.n; i++)
		all.digits[all.n++] = t.digits[i];
	for (int i = 0; i < n; i++)
		all.digits[all.n++] = t.digits[i];
	all.fits = t.fits;
	return tile_devices(mem, &all, false, out);
}

/* Axes of size 1 decide whether the single device is manual or unreduced. */
static const hlo_sharding *on_one_device(tess_ctx *ctx, const hlo_sharding *s)
{
	bool manual = s->manual.n, unreduced = s->sdy->n_unreduced;
	int64_t tiles[ASSIGN_MAX], one = 1;
	int zero = 0;
	device_array d;
	if (!manual || !unreduced)
		return hlo_sharding_simple(ctx, manual ? HS_MANUAL : unreduced ? HS_UNREDUCED
		                                                               : HS_REPLICATED);
	int rank = s->sdy->rank < SHAPE_MAX_RANK ? s->sdy->rank : SHAPE_MAX_RANK;
	for (int i = 0; i < rank; i++)
		tiles[i] = 1;
	device_array_iota(&d, &one, &zero, 1);
	return hlo_sharding_tiled(ctx, tiles, rank, NULL, 0, &d);
}

static const hlo_sharding *tiles_of_names(tess_ctx *ctx, const hlo_sharding *s)
{
	named_tiles t = {.mesh = s->mesh, .used = 1, .fits = true};
	int64_t tiles[ASSIGN_MAX];
	static const subgroup types[] = {SUB_MANUAL, SUB_UNREDUCED, SUB_REPLICATED};
	const sharding *sdy = s->sdy;
	device_array d;
	int rank = sdy->rank;
	if (s->mesh->n_devices <= 1)
		return on_one_device(ctx, s);
	if (rank > SHAPE_MAX_RANK - SUBGROUPS_MAX) {
		diag_error(ctx, NOWHERE, E_HLO_SHARDING_SHAPE,
		           "a sharding of %d dimensions is too long", rank);
		return NULL;
	}
	for (int i = 0; i < rank; i++)
		tiles[i] = append_axis_digits(&t, dim_axes(&sdy->dims[i]));
	tiles[rank] = append_axis_digits(&t, s->manual);
	tiles[rank + 1] = append_axis_digits(&t, (axis_list){sdy->unreduced, sdy->n_unreduced});
	tiles[rank + 2] = s->mesh->n_devices / t.used;
	append_rest(&t);
	if (!tile_devices(&ctx->scratch, &t, s->iota_ids, &d)) {
		diag_error(ctx, NOWHERE, E_HLO_SHARDING_MESH,
		           "the axes of this sharding cannot be written as tiles of devices");
		return NULL;
	}
	return hlo_sharding_tiled(ctx, tiles, rank + SUBGROUPS_MAX, types, SUBGROUPS_MAX, &d);
}

static const hlo_sharding *tuple_v2(tess_ctx *ctx, const hlo_sharding *s)
{
	const hlo_sharding **parts = NEW_N(&ctx->scratch, const hlo_sharding *, s->n_parts);
	for (int i = 0; i < s->n_parts; i++)
		if (!(parts[i] = hlo_sharding_v2(ctx, s->parts[i])))
			return NULL;
	return hlo_sharding_tuple(ctx, parts, s->n_parts);
}

const hlo_sharding *hlo_sharding_v2(tess_ctx *ctx, const hlo_sharding *s)
{
	const hlo_sharding *out = s;
	if (s->kind == HS_TUPLE)
		return tuple_v2(ctx, s);
	if (s->named) {
		if (s->kind == HS_MAXIMAL)
			out = hlo_sharding_maximal(ctx, s->devices.list[0]);
		else if (s->kind != HS_TILED)
			out = hlo_sharding_simple(ctx, s->kind);
		else
			out = tiles_of_names(ctx, s);
		if (out && s->group)
			out = hlo_sharding_grouped(ctx, out, s->group, s->group_id);
	}
	return out;
}

/* ---- tiles to names ------------------------------------------------------------- */

/* Computes the digits of each tile dimension, as positions of the mesh. */
static int levels_of_tiles(const hlo_sharding *s, const mesh *m, arena *mem, level *out,
                           int *counts)
{
	level in[ASSIGN_MAX];
	device_array d = s->devices;
	if (m && m->n_device_ids) {
		int64_t *list = arena_alloc(mem, sizeof(int64_t) * (size_t)d.n);
		for (int64_t i = 0; i < d.n; i++)
			list[i] = mesh_position_of(m, device_array_at(&d, i));
		device_array_list(&d, list, d.n);
	}
	int n = device_array_levels(&d, in);
	device_array whole;
	if (n < 0 || !device_array_of_levels(&whole, in, n))
		return -1;
	return levels_split(in, n, s->tiles, s->rank, out, counts);
}

/* Appends the axes, or parts of axes, that make up this digit; returns false if it ends inside one
 * where no sub-axis can end. */
static bool append_digit(axes_vec *v, arena *mem, level l, const mesh *m)
{
	int64_t unit = m->n_devices, top = l.unit * l.size;
	for (int i = 0; i < m->n_axes; i++) {
		int64_t above = unit, hi, lo;
		unit /= m->axes[i].size;
		hi = min_i64(above, top);
		lo = max_i64(unit, l.unit);
		if (hi <= lo)
			continue;
		if (above % hi || hi % lo || lo % unit)
			return false;
		axes_append(v, mem, axis_sub(m, m->axes[i].name, above / hi, hi / lo), m);
	}
	return true;
}

static const sharding *names_on(tess_ctx *ctx, const hlo_sharding *s, const mesh *m)
{
	level l[ASSIGN_MAX];
	int counts[ASSIGN_MAX], data = s->rank - s->n_subgroups, at = 0;
	dim_sharding dims[ASSIGN_MAX] = {0};
	arena *mem = &ctx->scratch;
	axes_vec unreduced = {0};
	if (m->n_devices != s->devices.n || mesh_is_maximal(m) ||
	    levels_of_tiles(s, m, mem, l, counts) < 0)
		return NULL;
	for (int i = 0; i < s->rank; i++) {
		axes_vec axes = {0};
		for (int k = 0; k < counts[i]; k++)
			if (!append_digit(&axes, mem, l[at++], m))
				return NULL;
		if (i < data)
			dims[i] = (dim_sharding){axes.ptr, axes.len, false, PRIORITY_NONE};
		else if (s->subgroups[i - data] == SUB_UNREDUCED)
			unreduced = axes;
	}
	axes_sort(unreduced.ptr, unreduced.len, m);
	return sharding_of(ctx, &(sharding){.mesh = {.inlined = m},
	                                    .rank = data,
	                                    .dims = dims,
	                                    .unreduced = unreduced.ptr,
	                                    .n_unreduced = unreduced.len});
}

bool hlo_sharding_manual_axes(tess_ctx *ctx, const hlo_sharding *s, const mesh *m, axis_list *out)
{
	level l[ASSIGN_MAX];
	int counts[ASSIGN_MAX], data = s->rank - s->n_subgroups, at = 0;
	axes_vec axes = {0};
	if (s->kind == HS_MANUAL)
		for (int i = 0; i < m->n_axes; i++)
			vec_push(&ctx->scratch, &axes, axis_full(m->axes[i].name));
	*out = s->named && s->sdy ? s->manual : (axis_list){axes.ptr, axes.len};
	if (s->kind != HS_TILED || s->named)
		return s->kind == HS_MANUAL || s->named;
	if (m->n_devices != s->devices.n || levels_of_tiles(s, m, &ctx->scratch, l, counts) < 0)
		return false;
	for (int i = 0; i < s->rank; i++)
		for (int k = 0; k < counts[i]; k++, at++)
			if (i >= data && s->subgroups[i - data] == SUB_MANUAL &&
			    !append_digit(&axes, &ctx->scratch, l[at], m))
				return false;
	axes_sort(axes.ptr, axes.len, m);
	*out = (axis_list){axes.ptr, axes.len};
	return true;
}

static const name *numbered_axis(tess_ctx *ctx, int i)
{
	char text[32];
	snprintf(text, sizeof text, "_axis_%d", i);
	return name_of_z(ctx, text);
}

/* The axes are the digits, major first; if the devices are irregular, the axes are the tiles, on a
 * mesh with these device ids. */
static const mesh *mesh_of_tiles(tess_ctx *ctx, const hlo_sharding *s)
{
	level l[ASSIGN_MAX];
	mesh_axis axes[ASSIGN_MAX];
	int counts[ASSIGN_MAX], n = levels_of_tiles(s, NULL, &ctx->scratch, l, counts), n_axes = 0;
	if (n >= 0) {
		for (int i = 1; i < n; i++) {
			level x = l[i];
			int k = i;
			for (; k > 0 && l[k - 1].unit < x.unit; k--)
				l[k] = l[k - 1];
			l[k] = x;
		}
		for (; n_axes < n; n_axes++)
			axes[n_axes] = (mesh_axis){numbered_axis(ctx, n_axes), l[n_axes].size};
		return mesh_of(ctx, axes, n_axes, NULL, 0);
	}
	for (int i = 0; i < s->rank; i++)
		if (s->tiles[i] > 1) {
			axes[n_axes] = (mesh_axis){numbered_axis(ctx, n_axes), s->tiles[i]};
			n_axes++;
		}
	int64_t *ids = arena_alloc(&ctx->scratch, sizeof(int64_t) * (size_t)s->devices.n);
	for (int64_t i = 0; i < s->devices.n; i++)
		ids[i] = device_array_at(&s->devices, i);
	return mesh_of(ctx, axes, n_axes, ids, s->devices.n);
}

/* Axis i of the created mesh shards the dimension of its digit. */
static const sharding *names_on_made(tess_ctx *ctx, const hlo_sharding *s, const mesh *m)
{
	const sharding *out = names_on(ctx, s, m);
	if (out)
		return out;
	dim_sharding dims[ASSIGN_MAX] = {0};
	axis_ref axes[ASSIGN_MAX];
	int data = s->rank - s->n_subgroups, n = 0, n_unreduced = 0;
	axis_ref unreduced = {0};
	for (int i = 0; i < s->rank; i++) {
		axes[i] = s->tiles[i] > 1 ? axis_full(m->axes[n++].name) : (axis_ref){0};
		if (i < data) {
			dims[i] = (dim_sharding){&axes[i], s->tiles[i] > 1, false, PRIORITY_NONE};
		} else if (s->subgroups[i - data] == SUB_UNREDUCED) {
			unreduced = axes[i];
			n_unreduced = 1;
		}
	}
	return sharding_of(ctx, &(sharding){.mesh = {.inlined = m}, .rank = data, .dims = dims,
	                                    .unreduced = &unreduced, .n_unreduced = n_unreduced});
}

/* Each device of the mesh has one term of a sum. */
static const sharding *unreduced_on(tess_ctx *ctx, const mesh *m, int rank)
{
	sharding s = *sharding_replicated(ctx, (mesh_ref){.inlined = m}, rank);
	axis_ref *axes = NEW_N(&ctx->scratch, axis_ref, m->n_axes + 1);
	for (int i = 0; i < m->n_axes; i++)
		axes[i] = axis_full(m->axes[i].name);
	s.unreduced = axes;
	s.n_unreduced = m->n_axes;
	return sharding_of(ctx, &s);
}

static const sharding *untiled_names(tess_ctx *ctx, const hlo_sharding *s, int rank,
                                     const mesh *hint, const mesh **out_mesh)
{
	bool maximal = s->kind == HS_MAXIMAL;
	if (s->kind == HS_UNREDUCED) {
		*out_mesh = s->named ? s->mesh : hint;
		if (*out_mesh)
			return unreduced_on(ctx, *out_mesh, rank);
		diag_error(ctx, NOWHERE, E_HLO_SHARDING_MESH,
		           "{unreduced} says of no device that it has a part: a mesh is needed");
		return NULL;
	}
	if (maximal || !hint)
		hint = mesh_of(ctx, NULL, 0, maximal ? s->devices.list : NULL, maximal);
	*out_mesh = hint;
	mesh_ref m = {.inlined = hint};
	if (maximal)
		return sharding_of(ctx, &(sharding){.mesh = m});
	return s->kind == HS_UNKNOWN ? sharding_open(ctx, m, rank)
	                             : sharding_replicated(ctx, m, rank);
}

const sharding *hlo_sharding_to_sdy(tess_ctx *ctx, const hlo_sharding *s, int rank,
                                    const mesh *hint, const mesh **out_mesh)
{
	if (s->kind == HS_TUPLE) {
		diag_error(ctx, NOWHERE, E_HLO_SHARDING_SHAPE,
		           "the sharding of a tuple is one for each of its parts");
		return NULL;
	}
	if (s->named && s->sdy) {
		*out_mesh = s->mesh;
		return s->sdy;
	}
	if (s->kind != HS_TILED)
		return untiled_names(ctx, s, rank, hint, out_mesh);
	if (s->rank - s->n_subgroups != rank) {
		diag_error(ctx, NOWHERE, E_HLO_SHARDING_SHAPE,
		           "the sharding tiles %d dimensions, the array has %d",
		           s->rank - s->n_subgroups, rank);
		return NULL;
	}
	const sharding *out = hint ? names_on(ctx, s, hint) : NULL;
	*out_mesh = hint;
	if (!out) {
		*out_mesh = mesh_of_tiles(ctx, s);
		if (!mesh_verify(ctx, *out_mesh, NOWHERE))
			return NULL;
		out = names_on_made(ctx, s, *out_mesh);
	}
	return out;
}
