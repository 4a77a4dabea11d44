/* meshes.c - sdy-lift-inlined-meshes and sdy-remove-size-one-axes. */
#include "shardy/import/import.h"

/* ---- lifting inlined meshes ----------------------------------------------------------------- */

/* Equal meshes get one name, wherever they come from: another sdy.mesh, an inlined mesh in a
 * sharding, or the replica groups of a collective. */
typedef struct lift {
	module *m;
	ptr_map names;   /* mesh -> name */
	ptr_map renamed; /* name of an erased mesh -> name of its equal */
	op *last;        /* the last sdy.mesh; new ones are inserted after it */
	int counter;     /* for unique names */
	bool lost;       /* a sharding refers to a mesh that does not exist */
} lift;

static void drop_equal_meshes(lift *l)
{
	arena *mem = &l->m->ctx->scratch;
	for (op *o = module_body(l->m)->first, *next; o; o = next) {
		next = o->next;
		if (!op_declared_mesh(o))
			continue;
		void **known = ptr_map_at(&l->names, mem, op_declared_mesh(o));
		if (!*known) {
			*known = (void *)op_symbol(o);
			l->last = o;
			continue;
		}
		const name *gone = op_symbol(o), *kept = *known;
		*ptr_map_at(&l->renamed, mem, gone) = (void *)kept;
		module_remove_symbol(l->m, gone);
		op_erase(o);
	}
}

static const name *new_mesh_name(const lift *l, const mesh *mesh)
{
	char text[48];
	if (mesh_is_empty(mesh))
		return name_known(l->m->ctx, N_empty_mesh);
	if (!mesh_is_maximal(mesh))
		return name_known(l->m->ctx, N_mesh);
	snprintf(text, sizeof text, "maximal_mesh_%" PRId64, mesh->device_ids[0]);
	return name_of_z(l->m->ctx, text);
}

static const name *name_mesh(lift *l, const mesh *mesh)
{
	module *m = l->m;
	void **known = ptr_map_at(&l->names, &m->ctx->scratch, mesh);
	if (*known)
		return *known;
	const name *symbol = module_next_symbol(m, new_mesh_name(l, mesh), &l->counter);
	l->last = module_declare_mesh(m, l->last, symbol, mesh);
	*known = (void *)symbol;
	return symbol;
}

static const sharding *lift_sharding(void *arg, const sharding *s)
{
	lift *l = arg;
	const name *symbol = s->mesh.inlined ? name_mesh(l, s->mesh.inlined)
	                                     : ptr_map_get(&l->renamed, s->mesh.symbol);
	l->lost |= !symbol && !sharding_mesh(l->m, s);
	return symbol ? sharding_with_mesh(l->m->ctx, s, (mesh_ref){.symbol = symbol}) : s;
}

/* ---- meshes in replica groups --------------------------------------------------------------- */

/* Returns the name for a mesh in a replica group; NULL if it is left as it is. */
static const name *group_mesh_name(lift *l, const attr *in_group)
{
	const mesh *mesh = NULL;
	if (in_group->kind == AT_SYMBOL)
		return ptr_map_get(&l->renamed, in_group->text);
	if (in_group->kind == AT_MESH)
		mesh = in_group->mesh;
	else if (in_group->kind == AT_STRUCT)
		mesh = mesh_of_stablehlo(l->m->ctx, in_group);
	return mesh ? name_mesh(l, mesh) : NULL;
}

static void lift_replica_groups(lift *l, op *o)
{
	tess_ctx *ctx = l->m->ctx;
	const attr *groups = op_attr(o, N_replica_groups);
	const attr *in_group = groups && groups->kind == AT_STRUCT ? attr_get(groups, N_mesh)
	                                                           : NULL;
	const name *symbol = in_group ? group_mesh_name(l, in_group) : NULL;
	if (!symbol)
		return;
	attr changed = *groups;
	const attr **fields = COPY_N(&ctx->scratch, groups->list, groups->n);
	for (int i = 0; i < groups->n; i++)
		if (fields[i] == in_group && name_is(groups->names[i], N_mesh))
			fields[i] = attr_symbol(ctx, symbol);
	changed.list = fields;
	op_set_attr(l->m, o, N_replica_groups, attr_of(ctx, &changed));
}

static void lift_groups_of(lift *l, int kind)
{
	for (op *o = module_has(l->m, kind) ? l->m->top : NULL; o; o = op_next(o, l->m->top))
		if (o->kind == kind)
			lift_replica_groups(l, o);
}

/* ---- mesh attributes in StableHLO's form ---------------------------------------------------- */

static const attr *mesh_axis_dict(tess_ctx *ctx, const mesh_axis *a)
{
	const name *names[] = {name_known(ctx, N_name), name_known(ctx, N_size)};
	const attr *values[] = {attr_string(ctx, a->name), attr_i64(ctx, a->size)};
	return attr_dict(ctx, names, values, COUNT(names));
}

/* Builds {axes = [{name = "x", size = 2 : i64}], device_ids = dense<…>}. */
static const attr *mesh_dict(tess_ctx *ctx, const mesh *mesh)
{
	const name *names[] = {name_known(ctx, N_axes), name_known(ctx, N_device_ids)};
	const attr *values[2];
	const attr **axes = NEW_N(&ctx->scratch, const attr *, mesh->n_axes);
	for (int i = 0; i < mesh->n_axes; i++)
		axes[i] = mesh_axis_dict(ctx, &mesh->axes[i]);
	values[0] = attr_array(ctx, axes, mesh->n_axes);
	if (mesh->n_device_ids) {
		const type *t = type_tensor(ctx, DT_I64, &mesh->n_device_ids, 1);
		values[1] = attr_dense(ctx, t, mesh->device_ids,
		                       sizeof(int64_t) * (size_t)mesh->n_device_ids, false);
	}
	return attr_dict(ctx, names, values, mesh->n_device_ids ? 2 : 1);
}

bool pass_lift_inlined_meshes(module *m, const pass_options *o)
{
	UNUSED(o);
	static const int first[] = {OP_ALL_GATHER, OP_ALL_REDUCE, OP_REDUCE_SCATTER};
	lift l = {.m = m};
	drop_equal_meshes(&l);
	module_map_shardings(m, lift_sharding, &l);
	if (l.lost && !module_has_its_meshes(m))
		return false;
	for (int i = 0; i < COUNT(first); i++) /* in this order, to number new meshes as Shardy
	                                        * does */
		lift_groups_of(&l, first[i]);
	for (int kind = 0; kind < OP_COUNT; kind++)
		if (op_takes_mesh_groups(kind))
			lift_groups_of(&l, kind);
	for (op *i = module_body(m)->first; i; i = i->next)
		if (op_declared_mesh(i) && !op_attr(i, N_stablehlo_mesh))
			op_set_attr(m, i, N_stablehlo_mesh, mesh_dict(m->ctx, op_declared_mesh(i)));
	return true;
}

/* ---- axes of size one ----------------------------------------------------------------------- */

/* Merges sub-axes that had such an axis between them: "b":(1)2, "a", "b":(2)2. */
static axis_list without_size_one(arena *mem, axis_list l, const mesh *mesh)
{
	axes_vec kept = {0};
	for (int i = 0; i < l.n; i++)
		if (axis_size(l.ptr[i], mesh) != 1)
			axes_append(&kept, mem, l.ptr[i], mesh);
	return (axis_list){kept.ptr, kept.len};
}

/* An empty closed dimension may not have a priority. */
static const sharding *drop_size_one(void *arg, const sharding *s)
{
	module *m = arg;
	const mesh *mesh = sharding_mesh(m, s);
	arena *mem = &m->ctx->scratch;
	if (!mesh)
		return s;
	arena_mark here = arena_here(mem);
	dim_sharding *dims = COPY_N(mem, s->dims, s->rank);
	for (int d = 0; d < s->rank; d++) {
		axis_list l = without_size_one(mem, dim_axes(&dims[d]), mesh);
		dims[d].axes = l.ptr;
		dims[d].n_axes = l.n;
		if (!l.n && !dims[d].open)
			dims[d].priority = PRIORITY_NONE;
	}
	axis_list replicated = {s->replicated, s->n_replicated};
	axis_list unreduced = {s->unreduced, s->n_unreduced};
	replicated = without_size_one(mem, replicated, mesh);
	unreduced = without_size_one(mem, unreduced, mesh);
	sharding small = *s;
	small.dims = dims;
	small.replicated = replicated.ptr;
	small.n_replicated = replicated.n;
	small.unreduced = unreduced.ptr;
	small.n_unreduced = unreduced.n;
	const sharding *out = sharding_of(m->ctx, &small);
	arena_back(mem, here);
	return out;
}

static bool has_size_one_axis(const mesh *mesh)
{
	for (int i = 0; mesh && i < mesh->n_axes; i++)
		if (mesh->axes[i].size == 1)
			return true;
	return false;
}

bool pass_remove_size_one_axes(module *m, const pass_options *o)
{
	UNUSED(o);
	for (const op *i = module_body(m)->first; i; i = i->next)
		if (has_size_one_axis(op_declared_mesh(i))) {
			module_map_shardings(m, drop_size_one, m);
			break;
		}
	return true;
}
