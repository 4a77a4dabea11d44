/* comm.c - constraints of collectives. */
#include "op/verify/verify.h"

/* ---- groups -------------------------------------------------------------------------- */

static bool group_flags(module *m, const op *o)
{
	const attr *h = op_attr(o, N_channel_handle);
	const attr *id = h ? attr_get(h, N_handle) : NULL;
	if (op_bool(o, N_use_global_device_ids) && (!id || id->kind != AT_INT || id->i <= 0))
		return broken_at(m, o, PART(h ? N_channel_handle : N_use_global_device_ids), "C5",
		                 "uses global device ids, but has no positive channel id");
	return true;
}

/* Groups by named axes need a mesh that exists; older texts number the axes and have no mesh. */
static bool mesh_known(module *m, const op *o, const attr *groups)
{
	const attr *mesh = attr_get(groups, N_mesh), *axes = attr_get(groups, N_axes);
	bool named = axes && axes->kind == AT_ARRAY && axes->n && axes->list[0]->kind == AT_STRUCT;
	if (!named || !mesh || mesh->kind != AT_SYMBOL || module_lookup(m, mesh->text))
		return true;
	return diag_error(m->ctx, op_attr_place(m, o, PART(N_replica_groups, N_mesh)), E_SYMBOL,
	                  "'%s' op: no mesh is named @%s", op_name(o), mesh->text->s);
}

/* The path of member `i` in a list of groups, or of pairs. */
static const int *element_part(module *m, int known, const attr *a, int64_t i)
{
	int64_t size = a->type->dims[1] > 0 ? a->type->dims[1] : 1;
	return part_item(m, PART(known, ITEM((int)(i / size))), (int)(i % size));
}

static const int *member_part(module *m, const attr *a, int64_t i)
{
	return element_part(m, N_replica_groups, a, i);
}

/* Sets *size to the size of the groups, or 0 if it is not given. Returns false, with a diagnostic,
 * if the groups are malformed. */
static bool groups_ok(module *m, const op *o, bool same_size, int64_t *size)
{
	const attr *a = op_attr(o, N_replica_groups);
	*size = 0;
	if (!a)
		return bad_attr(m, o, N_replica_groups, "is required");
	if (a->kind != AT_DENSE)
		return group_flags(m, o) && mesh_known(m, o, a);
	if (a->type->rank != 2 || !a->type->is_static)
		return bad_attr(m, o, N_replica_groups,
		                "must have two dimensions, groups and members");
	int64_t n = a->type->n_elems, most = -1, count = 0;
	if (!n && op_bool(o, N_use_global_device_ids))
		return broken_at(m, o, PART(N_replica_groups), "C3",
		                 "uses global device ids, but has no replica groups");
	for (int64_t i = 0; i < n; i++) {
		int64_t id = attr_dense_int(a, i);
		if (id < -1 || (id < 0 && same_size))
			return broken_at(m, o, member_part(m, a, i), "C4",
			                 "has %" PRId64
			                 " in its replica groups, expected numbers of replicas",
			                 id);
		if (id >= n && id > 1 << 24)
			return broken_at(m, o, member_part(m, a, i), "C4",
			                 "has %" PRId64 " in replica groups of %" PRId64 " members",
			                 id, n);
		most = max_i64(most, id);
		count += id >= 0;
	}
	bool *seen = NEW_N(&m->ctx->scratch, bool, most + 2);
	for (int64_t i = 0; i < n; i++) {
		int64_t id = attr_dense_int(a, i);
		if (id < 0)
			continue;
		if (seen[id])
			return broken_at(m, o, member_part(m, a, i), "C1",
			                 "has id %" PRId64 " twice in its replica groups", id);
		seen[id] = true;
	}
	for (int64_t id = 0; id <= most; id++)
		if (!seen[id])
			return broken_at(m, o, PART(N_replica_groups), "C2",
			                 "does not have id %" PRId64 " in its replica groups", id);
	*size = count ? a->type->dims[1] : 0;
	return group_flags(m, o);
}

bool check_replica_groups(module *m, const op *o)
{
	int64_t size;
	return groups_ok(m, o, true, &size);
}

/* Checks that dimension d of `to` is `factor` times that of `from` (or a factor-th, if `shrink`)
 * and that all other dimensions are equal. */
static bool scaled_dim(module *m, const op *o, const char *rule, const type *from, const type *to,
                       int64_t d, int64_t factor, bool shrink)
{
	if (!is_ranked(from) || !is_ranked(to))
		return true;
	if (from->rank != to->rank)
		return broken(m, o, rule, "turns rank %d into rank %d", from->rank, to->rank);
	for (int i = 0; i < from->rank; i++)
		if (i != d && !dims_agree(from->dims[i], to->dims[i]))
			return broken(m, o, rule,
			              "turns size %" PRId64 " of dimension %d into %" PRId64,
			              from->dims[i], i, to->dims[i]);
	int64_t a = from->dims[d], b = to->dims[d];
	if (shrink) {
		int64_t t = a;
		a = b;
		b = t;
	}
	if (dim_dynamic(a) || dim_dynamic(b))
		return true;
	bool fits = factor ? a <= INT64_MAX / factor && a * factor == b : !a ? !b : b % a == 0;
	return fits || broken(m, o, rule, "turns size %" PRId64 " of dimension %" PRId64 " into %"
	                      PRId64 " over groups of %" PRId64, from->dims[d], d, to->dims[d],
	                      factor);
}

/* ---- the ops ---------------------------------------------------------------------------- */

bool check_all_reduce(module *m, const op *o)
{
	int64_t size;
	if (!groups_ok(m, o, false, &size))
		return false;
	if (o->n_operands != o->n_results)
		return broken(m, o, "", "has %d results for %d operands", o->n_results,
		              o->n_operands);
	/* Each operand goes through the same scalar reducer. */
	for (int i = 0; i < o->n_operands; i++) {
		const type *in = operand(o, i)->type, *init = scalar_like(m, in), *acc = NULL;
		if (!check_reducer(m, o, 0, 1, &in, &init, &acc, NULL, 0))
			return false;
		const type *r = o->results[i].type;
		if (!shapes_agree(in, r) || !elems_agree(acc, r))
			return broken(m, o, "C6, C7",
			              "has a result %s for an operand %s and a reducer on %s",
			              type_words(m, r), type_words(m, in), type_words(m, acc));
	}
	return true;
}

bool infer_all_reduce(module *m, const op *o, const type **out)
{
	if (!infer_leading(m, o, out))
		return false;
	for (int i = 0; i < o->n_results; i++) {
		const type *init = scalar_like(m, out[i]), *acc = NULL;
		if (!check_reducer(m, o, 0, 1, &out[i], &init, &acc, NULL, 0))
			return false;
		out[i] = type_with_elem(m->ctx, out[i], acc->elem);
	}
	return true;
}

bool check_reduce_scatter(module *m, const op *o)
{
	const type *in = operand(o, 0)->type, *r = o->results[0].type, *init = scalar_like(m, in);
	const type *acc = NULL;
	int64_t dim, size;
	if (!want_int(m, o, N_scatter_dimension, is_ranked(in) ? in->rank : INT64_MAX, &dim) ||
	    !groups_ok(m, o, true, &size) ||
	    !check_reducer(m, o, 0, 1, &in, &init, &acc, NULL, 0))
		return false;
	if (!elems_agree(acc, r))
		return broken(m, o, "C9", "has a result %s for a reducer on %s", type_words(m, r),
		              type_words(m, acc));
	return scaled_dim(m, o, "C8", in, r, dim, size, true);
}

bool check_all_gather(module *m, const op *o)
{
	int64_t dim, size;
	if (!groups_ok(m, o, true, &size))
		return false;
	if (o->n_operands != o->n_results)
		return broken(m, o, "", "has %d results for %d operands", o->n_results,
		              o->n_operands);
	for (int i = 0; i < o->n_operands; i++) {
		const type *in = operand(o, i)->type, *r = o->results[i].type;
		if (!want_int(m, o, N_all_gather_dim, is_ranked(in) ? in->rank : INT64_MAX, &dim))
			return false;
		if (!elems_agree(in, r))
			return broken(m, o, "C6", "turns %s into %s", type_words(m, in),
			              type_words(m, r));
		/* The groups may be those of either of two grids, so only a multiple is certain. */
		if (!scaled_dim(m, o, "C6", in, r, dim, 0, false))
			return false;
	}
	return true;
}

bool check_all_to_all(module *m, const op *o)
{
	int64_t size;
	const attr *g = op_attr(o, N_replica_groups);
	if (g && g->kind == AT_DENSE && g->type->rank == 2 && !g->type->n_elems)
		return broken_at(m, o, PART(N_replica_groups), "C8",
		                 "has no replica groups, expected at least one");
	return groups_ok(m, o, true, &size);
}

bool infer_all_to_all(module *m, const op *o, const type **out)
{
	int64_t split, concat, n;
	const attr *count = op_attr(o, N_split_count);
	if (o->n_results != o->n_operands)
		return broken(m, o, "", "has %d results for %d operands", o->n_results,
		              o->n_operands);
	if (!count || count->kind != AT_INT || count->i <= 0)
		return broken_at(m, o, PART(N_split_count), "C4",
		                 "has a split count that is not positive");
	n = count->i;
	const attr *g = op_attr(o, N_replica_groups);
	if (g && g->kind == AT_DENSE && g->type->rank == 2 && g->type->n_elems &&
	    g->type->dims[1] != n)
		return broken_at(m, o, PART(N_split_count), "C8",
		                 "splits in %" PRId64 " over groups of %" PRId64
		                 ", expected as many",
		                 n, g->type->dims[1]);
	for (int i = 0; i < o->n_operands; i++) {
		const type *t = operand(o, i)->type;
		int64_t limit = is_ranked(t) ? t->rank : INT64_MAX;
		if (!want_int(m, o, N_split_dimension, limit, &split) ||
		    !want_int(m, o, N_concat_dimension, limit, &concat))
			return false;
		out[i] = t;
		if (!is_ranked(t))
			continue;
		int64_t *dims = COPY_N(&m->ctx->scratch, t->dims, t->rank);
		if (!dim_dynamic(dims[split])) {
			if (dims[split] % n)
				return broken_at(m, o, PART(N_split_count), "C2",
				                 "splits a dimension of size %" PRId64
				                 " in %" PRId64 ", which does not divide it",
				                 dims[split], n);
			dims[split] /= n;
		}
		if (!dim_dynamic(dims[concat]) && !mul_ok(dims[concat], n, &dims[concat]))
			return broken(m, o, "C9", "has a result that is too large");
		out[i] = tensor_like(m, t, dims, t->rank);
	}
	return true;
}

bool check_collective_permute(module *m, const op *o)
{
	const attr *a = op_attr(o, N_source_target_pairs);
	if (!a || a->kind != AT_DENSE || a->type->rank != 2 || a->type->dims[1] != 2)
		return broken_at(m, o, PART(N_source_target_pairs), "C1",
		                 "needs its source-target pairs as an Nx2 tensor");
	int64_t n = a->type->dims[0];
	ptr_map seen[2] = {{0}, {0}};
	for (int64_t i = 0; i < 2 * n; i++) {
		int64_t id = attr_dense_int(a, i);
		if (id < 0)
			return broken_at(m, o, element_part(m, N_source_target_pairs, a, i), "C4",
			                 "has the negative id %" PRId64 " in its pairs", id);
		void **slot = ptr_map_at(&seen[i % 2], &m->ctx->scratch,
		                         (void *)((uintptr_t)id + 1));
		if (*slot)
			return broken_at(m, o, element_part(m, N_source_target_pairs, a, i),
			                 i % 2 ? "C3" : "C2", "has %" PRId64 " twice as a %s", id,
			                 i % 2 ? "target" : "source");
		*slot = (void *)o;
	}
	return true;
}

/* With has_dynamic_root the last operand has a root for each of the others. */
static bool dynamic_root_ok(module *m, const op *o)
{
	bool dynamic = op_bool(o, N_has_dynamic_root);
	int n = o->n_operands - dynamic;
	if (n < 1)
		return broken(m, o, "", "has %d operands, expected at least %d", o->n_operands,
		              1 + dynamic);
	if (!dynamic)
		return true;
	const type *t = operand(o, n)->type;
	if (!is_ranked(t) || t->rank != 1 || t->dtype != DT_I32 || !dims_agree(t->dims[0], n))
		return broken(m, o, "", "has roots %s, expected tensor<%dxi32>", type_words(m, t),
		              n);
	return true;
}

bool check_collective_broadcast(module *m, const op *o)
{
	const attr *a = op_attr(o, N_replica_groups);
	if (!a || (a->kind == AT_DENSE && a->type->rank != 2))
		return bad_attr(m, o, N_replica_groups,
		                "must have two dimensions, groups and members");
	if (a->kind != AT_DENSE)
		return dynamic_root_ok(m, o);
	ptr_map seen = {0};
	for (int64_t i = 0; i < a->type->n_elems; i++) {
		int64_t id = attr_dense_int(a, i);
		if (id < 0)
			return broken_at(m, o, member_part(m, a, i), "C2",
			                 "has %" PRId64
			                 " in its replica groups, expected numbers of replicas",
			                 id);
		void **slot = ptr_map_at(&seen, &m->ctx->scratch, (void *)(intptr_t)(id + 1));
		if (*slot)
			return broken_at(m, o, member_part(m, a, i), "C1",
			                 "has id %" PRId64 " twice in its replica groups", id);
		*slot = (void *)o;
	}
	for (int i = 0; i < o->n_results && i < o->n_operands; i++)
		if (!types_agree(operand(o, i)->type, o->results[i].type))
			return broken(m, o, "C3", "turns %s into %s",
			              type_words(m, operand(o, i)->type),
			              type_words(m, o->results[i].type));
	return dynamic_root_ok(m, o);
}

bool check_collective_reduce(module *m, const op *o)
{
	int64_t size;
	if (!groups_ok(m, o, false, &size) || !dynamic_root_ok(m, o))
		return false;
	int n = o->n_operands - op_bool(o, N_has_dynamic_root);
	for (int i = 0; i < n; i++) {
		const type *in = operand(o, i)->type, *init = scalar_like(m, in), *acc = NULL;
		if (!check_reducer(m, o, 0, 1, &in, &init, &acc, NULL, 0))
			return false;
	}
	return true;
}
