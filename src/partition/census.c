/* census.c - how many devices a program is for, and what it must be to be partitioned. */
#include "partition/local.h"

/* ---- how many devices ------------------------------------------------------------- */

typedef struct device_census {
	module *m;
	int64_t n;
	bool known; /* some mesh says it */
} device_census;

static void count_mesh(device_census *c, const mesh *m)
{
	int64_t n = !m || mesh_is_empty(m) ? 0
	            : mesh_is_maximal(m) ? m->device_ids[0] + 1
	                                 : m->n_devices;
	if (n > c->n)
		c->n = n;
	c->known |= n > 0;
}

static const sharding *count_sharding(void *arg, const sharding *s)
{
	device_census *c = arg;
	count_mesh(c, sharding_mesh(c->m, s));
	return s;
}

/* The meshes of one program may have fewer devices than the largest, if they divide it. */
static bool mesh_divides(emitter *e, const mesh *m, place at)
{
	if (!m || mesh_is_empty(m) || mesh_is_maximal(m) || e->sp.n_devices % m->n_devices == 0)
		return true;
	return diag_error(e->ctx, at, E_PARTITION_DEVICES,
	                  "a mesh of %" PRId64 " devices in a program for %" PRId64,
	                  m->n_devices, e->sp.n_devices);
}

/* The groups of a collective name every device. */
bool census_in_limits(module *m, int64_t n_devices)
{
	enum { MAX_DEVICES = 1 << 24 };
	const op *at = m->top;
	if (n_devices <= MAX_DEVICES)
		return true;
	for (const op *o = module_body(m)->first; o; o = o->next) {
		const attr *a = o->kind == OP_SDY_MESH ? op_attr(o, N_mesh) : NULL;
		if (a && a->kind == AT_MESH && a->mesh->n_devices == n_devices)
			at = o;
	}
	return diag_error(m->ctx, op_place(m, at), E_PARTITION_DEVICES,
	                  "a program for %" PRId64 " devices; it is partitioned for at most %d",
	                  n_devices, MAX_DEVICES);
}

static bool meshes_divide(emitter *e)
{
	bool good = true;
	program_meshes all;
	program_meshes_of(e->from, e->mem, &all);
	for (int i = 0; i < all.len; i++) {
		const program_mesh *p = &all.ptr[i];
		place at = p->declared ? op_place(e->from, p->declared) : NOWHERE;
		good &= mesh_divides(e, p->mesh, at);
	}
	return good;
}

/* What shardings name; what is only declared counts where they name nothing with axes. */
int64_t census_devices(module *m)
{
	device_census c = {.m = m, .n = 1};
	program_meshes all;
	program_meshes_of(m, &m->ctx->scratch, &all);
	for (int i = 0; i < all.len; i++)
		count_mesh(&c, all.ptr[i].mesh);
	module_map_shardings(m, count_sharding, &c);
	return c.known ? c.n : max_i64(op_int(m->top, N_mhlo_num_partitions, 1), 1);
}

/* ---- what a program must be ----------------------------------------------------------- */

static bool types_are_static(emitter *e, const op *o)
{
	for (int i = 0; i < o->n_results; i++) {
		const type *t = result(o, i)->type;
		if (t->kind == TY_UNRANKED || (type_is_tensor(t) && !t->is_static))
			return diag_error(e->ctx, op_place(e->from, o), E_PARTITION_DYNAMIC,
			                  "the shape of a result of '%s' is not known; only static "
			                  "shapes can be partitioned",
			                  op_name(o));
	}
	return true;
}

static bool args_are_static(emitter *e, const op *f)
{
	const block *b = op_body(f);
	for (int i = 0; b && i < b->n_args; i++)
		if (type_is_tensor(b->args[i]->type) && !b->args[i]->type->is_static)
			return diag_error(
				e->ctx, op_place(e->from, f), E_PARTITION_DYNAMIC,
				"the shape of argument %d is not known; only static shapes "
				"can be partitioned",
				i);
	return true;
}

/* Indices are 32 bits wide unless some dimension is too large for that. */
static void note_sizes(emitter *e, const type *t)
{
	for (int d = 0; type_is_tensor(t) && d < t->rank; d++)
		if (t->dims[d] > INT32_MAX / 4)
			e->index = DT_I64;
}

bool census_check(emitter *e)
{
	for (op *o = e->from->top; o; o = op_next(o, e->from->top)) {
		if (!types_are_static(e, o) || (op_is_func(o) && !args_are_static(e, o)))
			return false;
		for (int i = 0; i < o->n_results; i++)
			note_sizes(e, result(o, i)->type);
	}
	return module_has_its_meshes(e->from) && census_in_limits(e->from, e->sp.n_devices) &&
	       meshes_divide(e);
}
