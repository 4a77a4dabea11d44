/* meshes.c - the meshes of a program: whether those that shardings name are there. */
#include "op/op.h"

typedef struct mesh_search {
	const module *m;
	ptr_map seen;         /* shardings whose mesh is there */
	const sharding *lost; /* one whose mesh is not */
} mesh_search;

static void look_for_mesh(void *arg, const sharding *s)
{
	mesh_search *w = arg;
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
