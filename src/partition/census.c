/* census.c - how many devices a program is for, and what it must fulfill to be partitioned. */
#include "partition/local.h"

/* ---- how many devices ------------------------------------------------------------- */

/* A mesh may have fewer devices than the largest one if their number divides it. */
static bool mesh_divides(emitter *e, const mesh *m, place at)
{
	if (!m || mesh_is_empty(m) || mesh_is_maximal(m) || e->sp.n_devices % m->n_devices == 0)
		return true;
	return diag_error(e->ctx, at, E_PARTITION_DEVICES,
	                  "a mesh of %" PRId64 " devices in a program for %" PRId64,
	                  m->n_devices, e->sp.n_devices);
}

bool census_in_limits(module *m, int64_t n_devices)
{
	const op *at = m->top;
	if (n_devices <= PARTITION_DEVICES)
		return true;
	for (const op *o = module_body(m)->first; o; o = o->next) {
		const mesh *declared = op_declared_mesh(o);
		if (declared && declared->n_devices == n_devices)
			at = o;
	}
	return diag_error(m->ctx, op_place(m, at), E_PARTITION_DEVICES,
	                  "a program for %" PRId64 " devices; it is partitioned for at most %d",
	                  n_devices, PARTITION_DEVICES);
}

static bool meshes_divide(emitter *e)
{
	bool good = true;
	for (int i = 0; i < e->meshes.len; i++) {
		const program_mesh *p = &e->meshes.ptr[i];
		place at = p->declared ? op_place(e->from, p->declared) : NOWHERE;
		good &= mesh_divides(e, p->mesh, at);
	}
	return good;
}

int64_t census_devices(const module *m, const program_meshes *meshes)
{
	return meshes->n_devices ? meshes->n_devices
	                         : max_i64(op_int(m->top, N_mhlo_num_partitions, 1), 1);
}

/* ---- what the partitioner requires ---------------------------------------------------------- */

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
				"the shape of argument %d is not known: give the sizes of open "
				"dimensions with --dim (with_dims() in Python)",
				i);
	return true;
}

/* Indices are 32 bits wide unless some dimension is too large for that. */
static void note_sizes(emitter *e, const type *t, int64_t *largest)
{
	enum { LONG = INT32_MAX / 4 };
	if (!type_is_tensor(t))
		return;
	*largest = max_i64(*largest, type_bytes(t));
	if (t->n_elems > 0 && t->n_elems <= LONG)
		return;
	for (int d = 0; d < t->rank; d++)
		if (t->dims[d] > LONG)
			e->index = DT_I64;
}

/* What starting a collective costs, in bytes: 64 KiB, but less in a program with small values only,
 * in proportion to the largest, so that a scaled-down model is partitioned like the large one.
 * Prices are those of a real machine, which does not scale down. */
static double step_bytes(const emitter *e, int64_t largest)
{
	enum { MOST = 64 * 1024, LEAST = 16, PROPORTION = 1024 };
	return (double)(e->sp.prices ? MOST : max_i64(LEAST, min_i64(MOST, largest / PROPORTION)));
}

bool census_check(emitter *e)
{
	int64_t largest = 0;
	for (op *o = e->from->top; o; o = op_next(o, e->from->top)) {
		if (!types_are_static(e, o) || (op_is_func(o) && !args_are_static(e, o)))
			return false;
		for (int i = 0; i < o->n_results; i++)
			note_sizes(e, result(o, i)->type, &largest);
	}
	const op *f = module_main(e->from);
	for (int i = 0; f && i < op_body(f)->n_args; i++)
		note_sizes(e, op_body(f)->args[i]->type, &largest);
	e->sp.step_bytes = step_bytes(e, largest);
	if (e->meshes.lost && !module_has_its_meshes(e->from))
		return false;
	return census_in_limits(e->from, e->sp.n_devices) && meshes_divide(e);
}
