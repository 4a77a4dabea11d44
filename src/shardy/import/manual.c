/* manual.c - sdy-manual-axes-cleanup.
 *
 * Sorts manual axes into mesh order, and makes every in and out sharding of a manual computation
 * list all of them: unused ones are replicated. */
#include "shardy/import/import.h"

/* Returns the mesh that all shardings of both lists share, ignoring empty ones. */
static const mesh *shared_mesh(const module *m, const attr *const *lists, int n, mesh_ref *ref)
{
	const mesh *found = NULL;
	for (int l = 0; l < n; l++)
		for (int i = 0; lists[l] && i < lists[l]->n; i++) {
			const sharding *s = lists[l]->shardings[i];
			if (!s || (found && !mesh_is_empty(found)))
				continue;
			found = sharding_mesh(m, s);
			*ref = s->mesh;
		}
	return found;
}

static const attr *sort_manual_axes(module *m, op *o, const mesh *mesh)
{
	const attr *axes = op_attr(o, N_manual_axes);
	if (!axes || !axes->n)
		return NULL;
	const attr **sorted = NEW_N(&m->ctx->scratch, const attr *, axes->n);
	int n = 0;
	for (int a = 0; a < mesh->n_axes; a++)
		for (int i = 0; i < axes->n; i++)
			if (axes->list[i]->text == mesh->axes[a].name)
				sorted[n++] = axes->list[i];
	if (n != axes->n || !memcmp(sorted, axes->list, sizeof *sorted * (size_t)n))
		return axes;
	attr changed = *axes;
	changed.list = sorted;
	axes = attr_of(m->ctx, &changed);
	op_set_attr(m, o, N_manual_axes, axes);
	return axes;
}

static const sharding *replicate_unused(module *m, const sharding *s, axis_list manual,
                                        const mesh *mesh, mesh_ref ref)
{
	arena *mem = &m->ctx->scratch;
	axes_vec used = {0}, all = {0};
	for (int d = 0; d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			vec_push(mem, &used, s->dims[d].axes[i]);
	for (int i = 0; i < s->n_replicated; i++) {
		vec_push(mem, &used, s->replicated[i]);
		vec_push(mem, &all, s->replicated[i]);
	}
	for (int i = 0; i < s->n_unreduced; i++)
		vec_push(mem, &used, s->unreduced[i]);
	axis_list unused = axes_minus(mem, manual, (axis_list){used.ptr, used.len}, mesh);
	if (!unused.n)
		return s;
	for (int i = 0; i < unused.n; i++)
		vec_push(mem, &all, unused.ptr[i]);
	int n = axes_sort_and_merge(all.ptr, all.len, mesh);
	return sharding_with_mesh(
	        m->ctx, sharding_with_replicated(m->ctx, s, (axis_list){all.ptr, n}), ref);
}

static void replicate_unused_in(module *m, op *o, int list, axis_list manual, const mesh *mesh,
                                mesh_ref ref)
{
	const attr *a = op_attr(o, list);
	if (!a || a->kind != AT_SHARDINGS)
		return;
	bool in = list == N_in_shardings;
	const sharding **s = COPY_N(&m->ctx->scratch, a->shardings, a->n);
	for (int i = 0; i < a->n && i < (in ? o->n_operands : o->n_results); i++)
		if (s[i] && type_is_tensor((in ? operand(o, i) : result(o, i))->type))
			s[i] = replicate_unused(m, s[i], manual, mesh, ref);
	op_set_attr(m, o, list, attr_shardings(m->ctx, s, a->n));
}

static bool clean_up(module *m, op *o)
{
	const attr *lists[] = {op_attr(o, N_in_shardings), op_attr(o, N_out_shardings)};
	const attr *axes = op_attr(o, N_manual_axes);
	mesh_ref ref = {0};
	const mesh *mesh = shared_mesh(m, lists, COUNT(lists), &ref);
	if (!mesh) {
		bool idle = !axes || !axes->n || op_body(o)->first == op_body(o)->last;
		return idle ||
		       diag_error(m->ctx, op_place(m, o), E_MANUAL_NO_BORDER,
		                  "a manual computation over axes needs an operand or a result "
		                  "whose sharding names their mesh");
	}
	axes = sort_manual_axes(m, o, mesh);
	int n = axes ? axes->n : 0;
	axis_ref *manual = NEW_N(&m->ctx->scratch, axis_ref, n);
	for (int i = 0; i < n; i++)
		manual[i] = axis_full(axes->list[i]->text);
	replicate_unused_in(m, o, N_in_shardings, (axis_list){manual, n}, mesh, ref);
	replicate_unused_in(m, o, N_out_shardings, (axis_list){manual, n}, mesh, ref);
	return true;
}

bool pass_manual_axes_cleanup(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_SDY_MANUAL_COMPUTATION))
		return true;
	bool ok = true;
	for (op *i = m->top; i; i = op_next(i, m->top))
		if (op_is_manual(i))
			ok &= clean_up(m, i);
	return ok;
}
