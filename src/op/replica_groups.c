/* replica_groups.c - the groups of a collective as a table of ids, however they are spelled: dense,
 * or as axes of a mesh (#stablehlo.replica_group_mesh_axes). */
#include "op/op.h"

/* ---- meshes ------------------------------------------------------------------------- */

const mesh *mesh_of_stablehlo(tess_ctx *ctx, const attr *a)
{
	const attr *axes = attr_get(a, N_axes), *ids = attr_get(a, N_device_ids);
	int n = axes && axes->kind == AT_ARRAY ? axes->n : 0, n_ids = 0;
	mesh_axis *out = NEW_N(&ctx->scratch, mesh_axis, n);
	for (int i = 0; i < n; i++) {
		const attr *axis_name = attr_get(axes->list[i], N_name);
		const attr *size = attr_get(axes->list[i], N_size);
		if (!axis_name || !axis_name->text || !size || size->kind != AT_INT)
			return NULL;
		out[i] = (mesh_axis){axis_name->text, size->i};
	}
	const int64_t *device_ids = ids ? attr_ints(ctx, ids, &n_ids) : NULL;
	return mesh_of(ctx, out, n, device_ids, n_ids < 0 ? 0 : n_ids);
}

static const mesh *mesh_of_groups(const module *m, const attr *ref)
{
	if (!ref)
		return NULL;
	switch (ref->kind) {
	case AT_SYMBOL: return module_mesh(m, (mesh_ref){.symbol = ref->text});
	case AT_MESH: return ref->mesh;
	case AT_STRUCT: return mesh_of_stablehlo(m->ctx, ref);
	default: return NULL;
	}
}

/* ---- axes --------------------------------------------------------------------------- */

/* A mesh axis, or a part of one, as a digit of positions in the mesh. */
typedef struct cut_axis {
	int64_t size, stride;
} cut_axis;

/* @return an error text, or NULL */
static const char *cut_axis_of(tess_ctx *ctx, const mesh *m, const attr *ref, cut_axis *out)
{
	const attr *axis_name = attr_get(ref, N_name), *sub = attr_get(ref, N_sub_axis_info);
	if (!axis_name || axis_name->kind != AT_STRING)
		return "an axis has no name";
	int64_t stride = 1;
	int k = m->n_axes - 1;
	for (; k >= 0 && m->axes[k].name != axis_name->text; k--)
		stride *= m->axes[k].size;
	if (k < 0)
		return "the mesh has no such axis";
	*out = (cut_axis){m->axes[k].size, stride};
	if (!sub)
		return NULL;
	int n;
	const int64_t *cut = attr_ints(ctx, sub, &n); /* (pre)size */
	int64_t pre = n == 2 ? cut[0] : 0, size = n == 2 ? cut[1] : 0;
	if (pre < 1 || size < 1 || pre > out->size || size > out->size || out->size % (pre * size))
		return "a sub-axis does not divide its axis";
	*out = (cut_axis){size, stride * (out->size / (pre * size))};
	return NULL;
}

/* The ids at the positions reached from `first` along the axes, the last axis fastest. */
static void fill_row(const mesh *m, const cut_axis *axes, int n, int64_t first, int64_t size,
                     int64_t *row)
{
	for (int64_t k = 0; k < size; k++) {
		int64_t rest = k, at = first;
		for (int i = n - 1; i >= 0; i--) {
			at += rest % axes[i].size * axes[i].stride;
			rest /= axes[i].size;
		}
		row[k] = m->n_device_ids ? m->device_ids[at] : at;
	}
}

static bool begins_row(const cut_axis *axes, int n, int64_t position)
{
	for (int i = 0; i < n; i++)
		if (position / axes[i].stride % axes[i].size)
			return false;
	return true;
}

static const char *groups_along_axes(const module *m, const attr *a, arena *mem, group_table *out)
{
	const attr *list = attr_get(a, N_axes);
	const mesh *mesh = mesh_of_groups(m, attr_get(a, N_mesh));
	if (!mesh || !list || list->kind != AT_ARRAY)
		return "the mesh of replica_groups is not known";
	int64_t size = 1;
	cut_axis *axes = NEW_N(mem, cut_axis, list->n);
	for (int i = 0; i < list->n; i++) {
		const char *wrong = cut_axis_of(m->ctx, mesh, list->list[i], &axes[i]);
		if (wrong)
			return wrong;
		if (size > mesh->n_devices / axes[i].size)
			return "the axes of replica_groups overlap";
		size *= axes[i].size;
	}
	int64_t *ids = NEW_N(mem, int64_t, mesh->n_devices), *end = ids + mesh->n_devices,
		*row = ids;
	for (int64_t first = 0; first < mesh->n_devices; first++) {
		if (!begins_row(axes, list->n, first))
			continue;
		if (end - row < size)
			return "the axes of replica_groups overlap";
		fill_row(mesh, axes, list->n, first, size, row);
		row += size;
	}
	*out = (group_table){(row - ids) / size, size, ids};
	return NULL;
}

/* ---- which collectives have what ------------------------------------------------------------ */

static const attr_row *row_of_attr(int kind, int known)
{
	const attr_row *row = op_attr_rows(kind);
	while (row->kind && row->name != known)
		row++;
	return row->kind ? row : NULL;
}

bool op_takes_mesh_groups(int kind)
{
	const attr_row *row = row_of_attr(kind, N_replica_groups);
	return row && row->kind == ATTR_GROUPS;
}

bool op_groups_by_channel(const op *o)
{
	return op_has(o, COLLECTIVE) && !row_of_attr(o->kind, N_use_global_device_ids);
}

/* ---- groups in either form ------------------------------------------------------------------ */

const char *replica_groups_of(const module *m, const op *o, arena *mem, group_table *out)
{
	const attr *a = op_is_ragged_all_to_all(o) ? custom_option(m->ctx, o, "replica_groups")
	                                           : op_attr(o, N_replica_groups);
	*out = (group_table){0};
	if (!a)
		return NULL;
	if (a->kind == AT_STRUCT)
		return groups_along_axes(m, a, mem, out);
	int n;
	const int64_t *ids = attr_ints(m->ctx, a, &n);
	if (n < 0 || a->kind != AT_DENSE || a->type->rank != 2)
		return "replica_groups is not a table of integers";
	if (n)
		*out = (group_table){a->type->dims[0], a->type->dims[1], ids};
	return NULL;
}
