/* isolate.c - one operation becomes what a device computes of it, in a manual
 * computation; the program around it stays global.
 *
 * The operation is put into a function of its own, which is partitioned like a program;
 * its body moves into the manual computation.  Dimensions that their shards do not divide
 * are padded before it and cut off after it: the body does not look at the padding. */
#include "shardy/export/export.h"
#include "partition/partition.h"

/* The mesh along which the operation is sharded; NULL: it is not, or cannot be taken out. */
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

/* ---- a function of one operation ------------------------------------------------------------ */

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
	for (const op *k = module_body(m)->first; k; k = k->next)
		if (k->kind == OP_SDY_MESH) {
			op *copy = op_clone(one, k, &map, mem);
			op_append(module_body(one), copy);
			module_add_symbol(one, copy);
		}
	const type **in = NEW_N(mem, const type *, o->n_operands);
	const type **out = NEW_N(mem, const type *, o->n_results);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = operand(o, i)->type;
	for (int i = 0; i < o->n_results; i++)
		out[i] = result(o, i)->type;
	const type *t = type_list(m->ctx, TY_FUNCTION, in, o->n_operands, out, o->n_results);
	op *f = op_make(one, OP_FUNC_FUNC, NULL, 0, NULL, 0, 1);
	op_set_func(one, f, func_new(one, t));
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
	op_append(b, op_make(one, OP_FUNC_RETURN, results, o->n_results, NULL, 0, 0));
	return one;
}

/* ---- the manual computation ------------------------------------------------------------------ */

/* The type of all shards together: every dimension a multiple of their number. */
static const type *covering_type(module *m, const type *t, const sharding *s)
{
	int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank);
	for (int d = 0; d < t->rank; d++) {
		int64_t shards = sharding_dim_shards(s, d, sharding_mesh(m, s));
		dims[d] = ceil_div(dims[d], shards) * shards;
	}
	return type_with_dims(m->ctx, t, dims, t->rank);
}

static value *padded(module *m, op *before, value *v, const type *to, const sharding *s)
{
	if (to == v->type)
		return v;
	const type *scalar = type_with_dims(m->ctx, v->type, NULL, 0);
	char zero[16] = {0};
	op *c = op_make_before(before, m, OP_CONSTANT, NULL, 0, &scalar, 1, 0);
	op_set_attr(m, c, N_value,
	            attr_dense(m->ctx, scalar, zero, (size_t)dtype_bytes(scalar->dtype), true));
	op *pad = op_make_before(before, m, OP_PAD, (value *[]){v, result(c, 0)}, 2, &to, 1, 0);
	int64_t *high = NEW_N(&m->ctx->scratch, int64_t, to->rank),
		*none = NEW_N(&m->ctx->scratch, int64_t, to->rank);
	for (int d = 0; d < to->rank; d++)
		high[d] = to->dims[d] - v->type->dims[d];
	op_set_attr(m, pad, N_edge_padding_low, attr_i64_array(m->ctx, none, to->rank));
	op_set_attr(m, pad, N_edge_padding_high, attr_i64_array(m->ctx, high, to->rank));
	op_set_attr(m, pad, N_interior_padding, attr_i64_array(m->ctx, none, to->rank));
	result(pad, 0)->sharding = s;
	return result(pad, 0);
}

static value *cut_off(module *m, op *before, value *v, const type *to, const sharding *s)
{
	if (to == v->type)
		return v;
	op *o = op_make_before(before, m, OP_SLICE, &v, 1, &to, 1, 0);
	int64_t *none = NEW_N(&m->ctx->scratch, int64_t, to->rank),
		*ones = NEW_N(&m->ctx->scratch, int64_t, to->rank);
	for (int d = 0; d < to->rank; d++)
		ones[d] = 1;
	op_set_attr(m, o, N_start_indices, attr_i64_array(m->ctx, none, to->rank));
	op_set_attr(m, o, N_limit_indices, attr_i64_array(m->ctx, to->dims, to->rank));
	op_set_attr(m, o, N_strides, attr_i64_array(m->ctx, ones, to->rank));
	result(o, 0)->sharding = s;
	return result(o, 0);
}

/* The axes of the mesh that the shardings use, in its order. */
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

static void fill_manual_body(module *m, op *manual, const block *from)
{
	ptr_map map = {0};
	arena *mem = &m->ctx->scratch;
	block *b = block_new(m, op_region(manual, 0));
	for (int i = 0; i < from->n_args; i++)
		*ptr_map_at(&map, mem, from->args[i]) = block_add_arg(m, b, from->args[i]->type);
	for (const op *o = from->first; o != from->last; o = o->next)
		op_append(b, op_clone(m, o, &map, mem));
	value **v = NEW_N(mem, value *, from->last->n_operands);
	for (int i = 0; i < from->last->n_operands; i++)
		v[i] = ptr_map_get(&map, operand(from->last, i));
	op_append(b, op_make(m, OP_SDY_RETURN, v, from->last->n_operands, NULL, 0, 0));
}

static void replace_operation(module *m, op *o, mesh_ref ref, const module *local)
{
	arena *mem = &m->ctx->scratch;
	int n_in = o->n_operands, n_out = o->n_results;
	const sharding **s = NEW_N(mem, const sharding *, n_in + n_out);
	value **in = NEW_N(mem, value *, n_in);
	const type **out = NEW_N(mem, const type *, n_out);
	for (int i = 0; i < n_in; i++) {
		s[i] = sharding_or_whole(m, operand(o, i), ref);
		in[i] = padded(m, o, operand(o, i), covering_type(m, operand(o, i)->type, s[i]),
		               s[i]);
	}
	for (int i = 0; i < n_out; i++) {
		s[n_in + i] = sharding_or_whole(m, result(o, i), ref);
		out[i] = covering_type(m, result(o, i)->type, s[n_in + i]);
	}
	op *manual = op_make_before(o, m, OP_SDY_MANUAL_COMPUTATION, in, n_in, out, n_out, 1);
	op_set_attr(m, manual, N_in_shardings, attr_shardings(m->ctx, s, n_in));
	op_set_attr(m, manual, N_out_shardings, attr_shardings(m->ctx, s + n_in, n_out));
	op_set_attr(m, manual, N_manual_axes, used_axes(m, module_mesh(m, ref), s, n_in + n_out));
	fill_manual_body(m, manual, op_body(module_main(local)));
	for (int i = 0; i < n_out; i++)
		value_replace_uses(result(o, i), cut_off(m, o, result(manual, i),
		                                         result(o, i)->type, s[n_in + i]));
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
