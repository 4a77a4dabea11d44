/* groups.c - sdy-sharding-group-import.
 *
 * Merges groups that have a value in common, and numbers the remaining ones 0, 1, … in program
 * order; a value is a member only once. */
#include "shardy/import/import.h"

/* A value and its sdy.sharding_group ops, in program order. */
typedef struct group_value {
	VEC(op *) members;
} group_value;

/* Union-find over groups. */
typedef struct group_set {
	module *m;
	arena *mem;
	VEC(group_value) values;
	ptr_map value_index; /* value -> index + 1 */
	ptr_map first;       /* group -> its first member */
	ptr_map by_id;       /* group -> index + 1 */
	VEC(int) leader;
} group_set;

/* Returns the group of a member, as a map key; 0 would mean none. */
static const void *group_key(const op *member)
{
	return (const void *)(uintptr_t)(2 * (uint64_t)op_int(member, N_group_id, 0) + 1);
}

/* Returns the number in a map's slot, which is `next` when first used. */
static int slot_number(void **slot, int next)
{
	if (!*slot)
		*slot = (void *)(intptr_t)(next + 1);
	return (int)(intptr_t)*slot - 1;
}

/* ---- collecting -------------------------------------------------------------------- */

static const op *manual_around(const op *o)
{
	return op_enclosing(op_parent(o), OP_SDY_MANUAL_COMPUTATION);
}

static bool same_shape(const type *a, const type *b)
{
	return a->rank == b->rank &&
	       (!a->rank || !memcmp(a->dims, b->dims, sizeof *a->dims * (size_t)a->rank));
}

/* Checks that all members have one shape and are in the same manual computation, or in none. */
static bool check_member(group_set *g, const op *member)
{
	const op **first = (const op **)ptr_map_at(&g->first, g->mem, group_key(member));
	if (!*first)
		*first = member;
	const char *what = NULL;
	if (manual_around(member) != manual_around(*first))
		what = "the members of a sharding group cannot be inside and outside of a manual "
		       "computation";
	else if (!same_shape(operand(member, 0)->type, operand(*first, 0)->type))
		what = "the members of a sharding group must have the same shape";
	if (!what)
		return true;
	diag_error(g->m->ctx, op_place(g->m, member), E_GROUP, "%s: group %" PRId64, what,
	           op_int(member, N_group_id, 0));
	diag_note(g->m->ctx, op_place(g->m, *first), "the first member of the group");
	return false;
}

static void add_member(group_set *g, op *member)
{
	void **slot = ptr_map_at(&g->value_index, g->mem, operand(member, 0));
	int i = slot_number(slot, g->values.len);
	if (i == g->values.len)
		vec_push(g->mem, &g->values, (group_value){0});
	vec_push(g->mem, &g->values.ptr[i].members, member);
}

/* ---- merging groups ------------------------------------------------------------------------- */

static int group_leader(group_set *g, const op *member)
{
	int n = g->leader.len;
	int i = slot_number(ptr_map_at(&g->by_id, g->mem, group_key(member)), n);
	if (i == n)
		vec_push(g->mem, &g->leader, n);
	while (g->leader.ptr[i] != i)
		i = g->leader.ptr[i] = g->leader.ptr[g->leader.ptr[i]];
	return i;
}

static void unite_groups(group_set *g)
{
	for (int v = 0; v < g->values.len; v++) {
		group_value *in = &g->values.ptr[v];
		for (int i = 0; i < in->members.len; i++) {
			int first = group_leader(g, in->members.ptr[0]);
			int other = group_leader(g, in->members.ptr[i]);
			g->leader.ptr[other] = first;
		}
	}
}

bool pass_sharding_group_import(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_SDY_SHARDING_GROUP))
		return true;
	group_set g = {.m = m, .mem = &m->ctx->scratch};
	for (op *i = op_first_post(m->top); i; i = op_next_post(i, m->top)) {
		if (i->kind != OP_SDY_SHARDING_GROUP)
			continue;
		if (!check_member(&g, i))
			return false;
		add_member(&g, i);
	}
	unite_groups(&g);
	int *number = NEW_N(g.mem, int, g.leader.len), n = 0;
	for (int i = 0; i < g.leader.len; i++)
		if (g.leader.ptr[i] == i)
			number[i] = n++;
	for (int v = 0; v < g.values.len; v++) {
		group_value *in = &g.values.ptr[v];
		int to = number[group_leader(&g, in->members.ptr[0])];
		op_set_attr(m, in->members.ptr[0], N_group_id, attr_i64(m->ctx, to));
		for (int i = 1; i < in->members.len; i++)
			op_erase(in->members.ptr[i]);
	}
	return true;
}
