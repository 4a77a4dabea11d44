/* isolate.c - replaces one operation by what each device computes of it, in a manual computation;
 * the program around it stays global.
 *
 * The operation is put into a function of its own, which is partitioned like a program; its body is
 * moved into the manual computation. Dimensions that do not divide evenly are padded before it and
 * trimmed after it; the body ignores the padding. */
#include "shardy/export/export.h"
#include "partition/partition.h"

/* Returns a sharding with the operation's mesh; NULL if it is not sharded or cannot be isolated. */
const sharding *isolation_sharding(module *m, const op *o)
{
	const sharding *found = NULL;
	for (int i = 0; i < o->n_operands + o->n_results; i++) {
		const value *v = i < o->n_operands ? operand(o, i) : result(o, i - o->n_operands);
		if (!type_is_tensor(v->type) || !v->type->is_static)
			return NULL;
		const sharding *s = value_sharding(m, v);
		const mesh *in = s ? sharding_mesh(m, s) : NULL;
		if (!s || sharding_is_fully_replicated(s))
			continue;
		if (!in || mesh_is_maximal(in) || s->n_unreduced ||
		    (found && !mesh_ref_eq(found->mesh, s->mesh)))
			return NULL;
		found = s;
	}
	return found;
}

/* ---- a function with a single operation ----------------------------------------------------- */

static const sharding *sharding_or_whole(module *m, const value *v, mesh_ref mesh)
{
	const sharding *s = value_sharding(m, v);
	return s && mesh_ref_eq(s->mesh, mesh) ? s
	                                       : sharding_replicated(m->ctx, mesh, v->type->rank);
}

static module *one_operation(module *m, const op *o, mesh_ref mesh)
{
	module *one = module_new(m->ctx);
	ptr_map map = {0};
	arena *mem = &m->ctx->scratch;
	module_copy_meshes(one, m);
	const type **in = NEW_N(mem, const type *, o->n_operands);
	const type **out = NEW_N(mem, const type *, o->n_results);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = operand(o, i)->type;
	for (int i = 0; i < o->n_results; i++)
		out[i] = result(o, i)->type;
	const type *t = type_list(m->ctx, TY_FUNCTION, in, o->n_operands, out, o->n_results);
	op *f = func_make(one, t);
	op_set_attr(one, f, N_sym_name, attr_string(m->ctx, name_known(m->ctx, N_main)));
	op_set_attr(one, f, N_function_type, attr_type(m->ctx, t));
	op_append(module_body(one), f);
	module_add_symbol(one, f);
	block *b = block_new(one, op_region(f, 0));
	value **args = NEW_N(mem, value *, o->n_operands),
	      **results = NEW_N(mem, value *, o->n_results);
	for (int i = 0; i < o->n_operands; i++) {
		args[i] = block_add_arg(one, b, in[i]);
		args[i]->sharding = sharding_or_whole(m, operand(o, i), mesh);
	}
	op *copy = op_clone(one, o, &map, mem);
	op_append(b, copy);
	for (int i = 0; i < o->n_operands; i++)
		op_set_operand(copy, i, args[i]);
	for (int i = 0; i < o->n_results; i++) {
		results[i] = result(copy, i);
		results[i]->sharding = op_func(f)->result_shardings[i] = sharding_or_whole(
			m, result(o, i), mesh);
	}
	block_close(one, b, OP_FUNC_RETURN, results, o->n_results);
	return one;
}

/* ---- the manual computation ------------------------------------------------------------------ */

/* Returns the type of all shards together: dimensions rounded up to multiples of their shards. */
static const type *covering_type(module *m, const type *t, const sharding *s)
{
	int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank);
	for (int d = 0; d < t->rank; d++) {
		int64_t shards = sharding_dim_shards(s, d, sharding_mesh(m, s));
		dims[d] = ceil_div(dims[d], shards) * shards;
	}
	return type_with_dims(m->ctx, t, dims, t->rank);
}

static value *padded(const builder *b, value *v, const type *to, const sharding *s)
{
	if (to == v->type)
		return v;
	value *zero = build_zeros(b, type_with_dims(b->m->ctx, v->type, NULL, 0));
	return value_with_sharding(build_pad_to(b, v, to->dims, zero), s);
}

static value *cut_off(const builder *b, value *v, const type *to, const sharding *s)
{
	return to == v->type ? v : value_with_sharding(build_first(b, v, to->dims), s);
}

/* Returns the axes of the mesh that the shardings use, in mesh order. */
static const attr *used_axes(module *m, const mesh *mesh, const sharding *const *s, int n)
{
	attr a = {.kind = AT_MANUAL_AXES};
	const attr **list = NEW_N(&m->ctx->scratch, const attr *, mesh->n_axes);
	for (int k = 0; k < mesh->n_axes; k++) {
		bool used = false;
		for (int i = 0; i < n; i++)
			used |= sharding_uses_axis(s[i], axis_full(mesh->axes[k].name));
		if (used)
			list[a.n++] = attr_string(m->ctx, mesh->axes[k].name);
	}
	a.list = list;
	return attr_of(m->ctx, &a);
}

static void replace_operation(module *m, op *o, mesh_ref ref, const module *local)
{
	arena *mem = &m->ctx->scratch;
	const builder b = builder_before(m, o);
	int n_in = o->n_operands, n_out = o->n_results;
	const sharding **s = NEW_N(mem, const sharding *, n_in + n_out);
	value **in = NEW_N(mem, value *, n_in);
	const type **out = NEW_N(mem, const type *, n_out);
	for (int i = 0; i < n_in; i++) {
		s[i] = sharding_or_whole(m, operand(o, i), ref);
		in[i] = padded(&b, operand(o, i), covering_type(m, operand(o, i)->type, s[i]),
		               s[i]);
	}
	for (int i = 0; i < n_out; i++) {
		s[n_in + i] = sharding_or_whole(m, result(o, i), ref);
		out[i] = covering_type(m, result(o, i)->type, s[n_in + i]);
	}
	op *manual = build_op(&b, OP_SDY_MANUAL_COMPUTATION, in, n_in, out, n_out, 1);
	op_set_attr(m, manual, N_in_shardings, attr_shardings(m->ctx, s, n_in));
	op_set_attr(m, manual, N_out_shardings, attr_shardings(m->ctx, s + n_in, n_out));
	op_set_attr(m, manual, N_manual_axes, used_axes(m, module_mesh(m, ref), s, n_in + n_out));
	region_copy_block(m, op_region(manual, 0), op_body(module_main(local)), OP_SDY_RETURN);
	for (int i = 0; i < n_out; i++)
		value_replace_uses(result(o, i),
		                   cut_off(&b, result(manual, i), result(o, i)->type, s[n_in + i]));
	op_erase(o);
}

static bool has_collective(const module *m)
{
	for (const op *o = m->top; o; o = op_next(o, m->top))
		if (op_has(o, COLLECTIVE))
			return true;
	return false;
}

bool isolate_operation(module *m, op *o, mesh_ref mesh, isolation how)
{
	partition_options po = {.quiet = true};
	local_program local;
	module *one = one_operation(m, o, mesh);
	bool good = partition_local(one, &po, &m->ctx->scratch, &local);
	if (good && (how == ISOLATE_ALWAYS || has_collective(local.module)))
		replace_operation(m, o, mesh, local.module);
	if (good)
		module_free(local.module);
	module_free(one);
	return good;
}
