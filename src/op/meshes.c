/* meshes.c - the meshes of a program: whether it has those that shardings name, and which one is
 * the program's.
 *
 * That is not the first declared one. JAX declares `@empty_mesh = <[]>` first if the first argument
 * is a scalar, and a maximal mesh for each device on which a callback is placed. The program's mesh
 * is what its shardings use: among those with the most devices, the one over which most of them
 * shard. If nothing is sharded, it is the largest declared mesh; a maximal mesh only if there is
 * none with axes; an empty one, never. */
#include "op/op.h"

#include <stdlib.h>

const mesh *op_declared_mesh(const op *o)
{
	const attr *a = o->kind == OP_SDY_MESH ? op_attr(o, N_mesh) : NULL;
	return a && a->kind == AT_MESH ? a->mesh : NULL;
}

void module_copy_meshes(module *to, const module *from)
{
	ptr_map none = {0};
	for (const op *o = module_body(from)->first; o; o = o->next)
		if (o->kind == OP_SDY_MESH) {
			op *copy = op_clone(to, o, &none, &to->ctx->scratch);
			op_append(module_body(to), copy);
			module_add_symbol(to, copy);
		}
}

typedef struct mesh_search {
	const module *m;
	ptr_map seen;         /* shardings whose mesh is known */
	const sharding *last; /* the last one looked at: neighbors often have the same */
	const sharding *lost; /* one whose mesh is missing */
} mesh_search;

static void look_for_mesh(void *arg, const sharding *s)
{
	mesh_search *w = arg;
	if (s == w->last)
		return;
	w->last = s;
	void **seen = ptr_map_at(&w->seen, &w->m->ctx->scratch, s);
	if (*seen)
		return;
	*seen = w;
	if (!sharding_mesh(w->m, s))
		w->lost = s;
}

bool module_has_its_meshes(const module *m)
{
	mesh_search w = {.m = m};
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		op_each_sharding(o, look_for_mesh, &w);
		if (w.lost)
			return diag_error(m->ctx, op_place(m, o), E_SHARDING_MESH,
			                  "'%s' op: a sharding names mesh @%s, which the program "
			                  "lacks",
			                  op_name(o),
			                  w.lost->mesh.symbol ? w.lost->mesh.symbol->s : "");
	}
	return true;
}

/* ---- choosing the program's mesh ------------------------------------------------------------ */

typedef struct mesh_count {
	const module *m;
	arena *mem;
	program_meshes *out;
	ptr_map places;   /* mesh -> its index in the list + 1 */
	ptr_map sharding; /* sharding -> the same for its mesh */
	const sharding *last; /* the last one counted, its place, and whether it shards anything */
	intptr_t last_place;
	bool last_shards;
} mesh_count;

static intptr_t place_of_mesh(mesh_count *c, const mesh *m)
{
	if (!m || mesh_is_empty(m))
		return 0;
	void **place = ptr_map_at(&c->places, c->mem, m);
	if (!*place) {
		vec_push(c->mem, c->out, (program_mesh){.mesh = m});
		*place = (void *)(intptr_t)c->out->len;
	}
	return (intptr_t)*place;
}

static bool shards_anything(const sharding *s)
{
	return !sharding_is_fully_replicated(s) || s->n_unreduced || s->n_replicated;
}

static void count_use(void *arg, const sharding *s)
{
	mesh_count *c = arg;
	if (s != c->last) {
		intptr_t place = (intptr_t)ptr_map_get(&c->sharding, s);
		const mesh *m = place ? NULL : sharding_mesh(c->m, s);
		if (!place && (place = place_of_mesh(c, m)))
			*ptr_map_at(&c->sharding, c->mem, s) = (void *)place;
		else if (!place && !m)
			c->out->lost = s;
		c->last = s;
		c->last_place = place;
		c->last_shards = shards_anything(s);
	}
	if (!c->last_place)
		return;
	program_mesh *p = &c->out->ptr[c->last_place - 1];
	p->named = true;
	p->uses += c->last_shards;
}

/* Counts the mesh of whose axes a collective's groups are made. */
static void count_groups(mesh_count *c, const op *o)
{
	const attr *groups = op_has(o, COLLECTIVE) ? op_attr(o, N_replica_groups) : NULL;
	const attr *on = groups && groups->kind == AT_STRUCT ? attr_get(groups, N_mesh) : NULL;
	if (!on || on->kind != AT_SYMBOL)
		return;
	intptr_t place = place_of_mesh(c, module_mesh(c->m, (mesh_ref){.symbol = on->text}));
	if (place)
		c->out->ptr[place - 1].named = true;
}

static int rank_of_mesh(const program_mesh *p)
{
	return !p->mesh->n_axes ? 0 : !p->named ? 1 : !p->uses ? 2 : 3;
}

static int64_t devices_of_mesh(const mesh *m)
{
	return mesh_is_maximal(m) ? m->device_ids[0] + 1 : m->n_devices;
}

static int by_use(const void *a, const void *b)
{
	const program_mesh *x = a, *y = b;
	if (rank_of_mesh(x) != rank_of_mesh(y))
		return rank_of_mesh(x) < rank_of_mesh(y) ? 1 : -1;
	if (x->mesh->n_devices != y->mesh->n_devices)
		return x->mesh->n_devices < y->mesh->n_devices ? 1 : -1;
	if (x->uses != y->uses)
		return x->uses < y->uses ? 1 : -1;
	return x->order - y->order;
}

void program_meshes_of(const module *m, arena *mem, program_meshes *out)
{
	mesh_count c = {.m = m, .mem = mem, .out = out};
	*out = (program_meshes){0};
	for (const op *o = module_body(m)->first; o; o = o->next) {
		intptr_t place = place_of_mesh(&c, op_declared_mesh(o));
		if (place && !out->ptr[place - 1].declared)
			out->ptr[place - 1].declared = o;
	}
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		op_each_sharding(o, count_use, &c);
		count_groups(&c, o);
	}
	for (int i = 0; i < out->len; i++)
		out->ptr[i].order = i;
	if (out->len)
		qsort(out->ptr, (size_t)out->len, sizeof *out->ptr, by_use);
	for (int i = 0; i < out->len; i++)
		if (!i || out->ptr[i].named)
			out->n_devices = max_i64(out->n_devices, devices_of_mesh(out->ptr[i].mesh));
	/* Of meshes that nothing names, only the program's counts, and a maximal mesh (a callback's
	 * device) only counts if there is no other. */
	for (int i = 1; i < out->len; i++)
		if (!out->ptr[i].named || (!out->ptr[i].mesh->n_axes && out->ptr[0].mesh->n_axes))
			out->len = i;
}

bool program_mesh_of(const module *m, program_mesh *out)
{
	arena *mem = &m->ctx->scratch;
	arena_mark here = arena_here(mem);
	program_meshes all;
	program_meshes_of(m, mem, &all);
	*out = all.len ? all.ptr[0] : (program_mesh){0};
	arena_back(mem, here);
	return out->mesh != NULL;
}

mesh_ref program_mesh_ref(const program_mesh *p)
{
	return p->declared ? (mesh_ref){.symbol = op_symbol(p->declared)}
	                   : (mesh_ref){.inlined = p->mesh};
}

const op *module_first_mesh(const module *m)
{
	for (const op *o = module_body(m)->first; o; o = o->next) {
		const mesh *declared = op_declared_mesh(o);
		if (declared && declared->n_axes)
			return o;
	}
	return NULL;
}
