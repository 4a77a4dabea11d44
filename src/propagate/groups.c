/* groups.c - makes the members of sharding groups agree before propagation.
 *
 * Source: Shardy, ShardingGroupMap::syncGroupMemberShardings(). */
#include "propagate/walk.h"

typedef VEC(value *) member_list;

/* @return the first sharding that is not fully open; *conflict: a member with a different one */
static const sharding *common_sharding(module *m, const member_list *members, bool *conflict)
{
	const sharding *common = NULL;
	*conflict = false;
	if (members->len == 1)
		return value_sharding(m, members->ptr[0]);
	for (int i = 0; i < members->len; i++) {
		const sharding *s = value_sharding(m, members->ptr[i]);
		if (sharding_is_fully_open(s)) /* or there is none */
			continue;
		*conflict = *conflict || (common && s != common);
		common = common ? common : s;
	}
	return common;
}

static void sync_group(module *m, int64_t id, const member_list *members)
{
	bool conflict;
	const sharding *common = common_sharding(m, members, &conflict);
	if (!common)
		return;
	if (!conflict) {
		for (int i = 0; i < members->len; i++)
			value_set_sharding(m, members->ptr[i], common);
		return;
	}
	const value *first = members->ptr[0];
	const op *at = value_op(first);
	diag_warn(m->ctx, op_place(m, at), E_GROUP_CONFLICT,
	          "the members of sharding group %" PRId64
	          " have different shardings; each gets an open sharding constraint",
	          id);
	for (int i = 0; i < members->len; i++)
		build_behind(m, OP_SDY_SHARDING_CONSTRAINT, members->ptr[i],
		             sharding_open(m->ctx, common->mesh, common->rank));
}

bool groups_sync(module *m, op *const *ops, int n)
{
	arena *mem = &m->ctx->scratch;
	VEC(member_list) groups = {0};
	uint32_t n_ops = m->n_ops;
	for (int i = 0; i < n; i++) {
		int64_t id = op_int(ops[i], N_group_id, 0);
		if (id < 0 || id > 2 * (int64_t)n)
			continue; /* not numbered by sdy-sharding-group-import */
		while (groups.len <= id)
			vec_push(mem, &groups, (member_list){0});
		vec_push(mem, &groups.ptr[id], operand(ops[i], 0));
	}
	for (int i = 0; i < groups.len; i++)
		if (groups.ptr[i].len)
			sync_group(m, i, &groups.ptr[i]);
	return m->n_ops == n_ops;
}
