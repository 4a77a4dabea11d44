/* collective.c - which devices a collective joins, and what it sends.  transfer.c says how long
 * that takes.  What a ragged all-to-all sends is known when it runs: it counts as an all-to-all of
 * its whole operand. */
#include "cost/collective.h"

/* ---- groups ------------------------------------------------------------------------ */

int64_t devices_of_program(const module *m)
{
	const attr *p = op_attr(m->top, N_mhlo_num_partitions);
	const attr *r = op_attr(m->top, N_mhlo_num_replicas);
	return (p && p->kind == AT_INT ? p->i : 1) * (r && r->kind == AT_INT ? r->i : 1);
}

/* Collectives without ids have one group of all devices. */
static group_table groups_of(const module *m, const op *o, arena *mem)
{
	group_table t;
	if (!replica_groups_of(m, o, mem, &t) && t.n)
		return t;
	return (group_table){.n = 1, .size = devices_of_program(m)};
}

/* ---- names of axes ------------------------------------------------------------------- */

/* Returns the axes along which the members of the first group differ. Sets *all if the group has
 * every combination of their positions, so that its size is their product. */
static const char *axes_in(const mesh *mesh, const int64_t *ids, int64_t n, arena *mem, bool *all)
{
	*all = false;
	if (n < 2 || mesh->n_axes > 62)
		return "";
	uint64_t differ = 0;
	int64_t first = mesh_position_of(mesh, ids[0]), product = 1;
	for (int64_t i = 1; i < n; i++) {
		int64_t a = first, b = mesh_position_of(mesh, ids[i]);
		if (a < 0 || b < 0)
			return "";
		for (int k = mesh->n_axes - 1; k >= 0; k--) {
			int64_t size = mesh->axes[k].size;
			if (a % size != b % size)
				differ |= (uint64_t)1 << k;
			a /= size;
			b /= size;
		}
	}
	writer w;
	writer_init(&w, mem);
	for (int k = 0; k < mesh->n_axes; k++) {
		if (!(differ >> k & 1))
			continue;
		product *= mesh->axes[k].size;
		if (w.len)
			put_lit(&w, ", ");
		put_name(&w, mesh->axes[k].name);
	}
	*all = n == 2 || product == n;
	if (n > 2 && product != n && product % n == 0)
		put_f(&w, " (%" PRId64 " of %" PRId64 ")", n, product);
	return writer_z(&w);
}

/* Looks in the program's mesh, then in the other meshes that it names, if the group has every
 * combination there. */
static const char *axes_of(const program_meshes *meshes, const int64_t *ids, int64_t n, arena *mem)
{
	const char *found = "";
	for (int i = 0; i < meshes->len; i++) {
		bool all;
		const char *axes = axes_in(meshes->ptr[i].mesh, ids, n, mem, &all);
		if (all && axes[0])
			return axes;
		if (!found[0])
			found = axes;
	}
	return found;
}

static const char *group_axes(const group_table *g, const program_meshes *meshes, arena *mem)
{
	return g->ids && g->size <= 1 << 20 ? axes_of(meshes, g->ids, g->size, mem) : "";
}

/* ---- one collective --------------------------------------------------------------------- */

static transfer transfer_kind(const op *o)
{
	switch (o->kind) {
	case OP_ALL_REDUCE: return TRANSFER_ALL_REDUCE;
	case OP_ALL_GATHER: return TRANSFER_ALL_GATHER;
	case OP_REDUCE_SCATTER: return TRANSFER_REDUCE_SCATTER;
	case OP_COLLECTIVE_BROADCAST: return TRANSFER_BROADCAST;
	case OP_COLLECTIVE_PERMUTE: return TRANSFER_PERMUTE;
	default: return TRANSFER_ALL_TO_ALL; /* of a ragged one, the whole operand counts */
	}
}

static void put_cost(collective *c, const target *t, const group_place *g)
{
	c->kind = transfer_kind(c->o);
	c->place = *g;
	transfer_cost cost = transfer_of(t, c->kind, (double)c->bytes, g);
	c->wire_bytes = cost.wire_bytes;
	c->seconds = cost.seconds;
	c->algorithm = cost.algorithm;
	c->far = cost.over == LINK_FAR;
}

static void permute_of(const op *o, const program_meshes *meshes, const target *t, arena *mem,
                       collective *c)
{
	const attr *pairs = op_attr(o, N_source_target_pairs);
	group_place g = {.size = 2, .in_node = 2, .torus_axes = 1};
	c->group_size = 2;
	c->n_groups = pairs && pairs->kind == AT_DENSE && pairs->type->rank == 2
	                      ? pairs->type->dims[0]
	                      : 0;
	for (int64_t i = 0; i < c->n_groups; i++) {
		int64_t ends[2] = {attr_dense_int(pairs, 2 * i), attr_dense_int(pairs, 2 * i + 1)};
		if (t->node_devices && ends[0] / t->node_devices != ends[1] / t->node_devices)
			g.in_node = 1;
		if (!c->axes[0] && ends[0] != ends[1])
			c->axes = axes_of(meshes, ends, 2, mem);
	}
	put_cost(c, t, &g);
}

static int64_t elements_between(const type *t, int64_t from, int64_t to)
{
	int64_t n = 1;
	for (int64_t d = from; d < to && d < t->rank; d++)
		n *= t->dims[d];
	return n;
}

static bool is_outermost(const type *t, int64_t dim) { return elements_between(t, 0, dim) <= 1; }

/* An all-to-all copies runs of elements before it if it splits a dimension that is not outermost in
 * memory, and after it if it puts the parts together along one. */
static double exchanged_bytes(const op *o, const collective *c)
{
	bool before = !is_outermost(operand(o, 0)->type, op_int(o, N_split_dimension, 0));
	bool after = !is_outermost(operand(o, 0)->type, op_int(o, N_concat_dimension, 0));
	return ((before ? (double)c->bytes : 0) + (after ? (double)c->result_bytes : 0)) / 2;
}

/* Returns the bytes that are transposed, element by element, before and after a collective along a
 * dimension that is not outermost in memory. Runs of elements count half; a reduce-scatter writes
 * its parts so that they are contiguous. */
static double relayout_bytes(const op *o, const collective *c)
{
	bool gathers = o->kind == OP_ALL_GATHER;
	if (o->n_operands && o->kind == OP_ALL_TO_ALL)
		return exchanged_bytes(o, c);
	if (!o->n_operands || !(gathers || o->kind == OP_REDUCE_SCATTER))
		return 0;
	const type *t = operand(o, 0)->type;
	int64_t dim = op_int(o, gathers ? N_all_gather_dim : N_scatter_dimension, 0);
	double all = (double)(c->bytes + c->result_bytes);
	if (is_outermost(t, dim))
		return 0;
	return elements_between(t, dim + 1, t->rank) <= 1 ? all : gathers ? all / 2 : 0;
}

/* In the cache, transposing is faster by as much as reading and writing are. */
static double relayout_seconds(const target *t, const op *o, const collective *c)
{
	double share = memory_share(t, (double)(c->bytes + c->result_bytes));
	return share * relayout_bytes(o, c) / t->relayout_bandwidth;
}

/* Returns the placement of the group with the fewest members on one node; all groups of a mesh are
 * alike. */
static group_place worst_place(const target *t, const group_table *g)
{
	group_place worst = {.size = 0};
	if (!g->ids)
		return group_along(t, &g->size, &(int64_t){1}, 1);
	for (int64_t i = 0; i < g->n; i++) {
		int64_t n = g->size;
		while (n > 1 && g->ids[i * g->size + n - 1] < 0) /* this group is shorter than
								  * others */
			n--;
		group_place p = group_placed(t, g->ids + i * g->size, n);
		if (!worst.size || p.size > worst.size ||
		    (p.size == worst.size && p.in_node < worst.in_node))
			worst = p;
	}
	return worst;
}

static int64_t operand_bytes(const op *o)
{
	int64_t sum = 0, n = op_is_ragged_all_to_all(o) ? min_i64(o->n_operands, 1) : o->n_operands;
	for (int i = 0; i < n; i++)
		sum += max_i64(type_bytes(operand(o, i)->type), 0);
	return sum;
}

static int64_t result_bytes(const op *o)
{
	int64_t sum = 0;
	for (int i = 0; i < o->n_results; i++)
		sum += max_i64(type_bytes(o->results[i].type), 0);
	return sum;
}

/* What is known of a collective from its groups alone. */
typedef struct groups_found {
	int64_t n, size;
	group_place place;
	const char *axes;
} groups_found;

static groups_found *find_groups(collective_costs *k, const op *o)
{
	groups_found *f = NEW(k->mem, groups_found);
	group_table g = groups_of(k->m, o, k->mem);
	*f = (groups_found){g.n, g.size, worst_place(k->t, &g), group_axes(&g, k->meshes, k->mem)};
	return f;
}

static const groups_found *groups_known(collective_costs *k, const op *o)
{
	const attr *listed = op_is_ragged_all_to_all(o) ? NULL : op_attr(o, N_replica_groups);
	if (!listed)
		return find_groups(k, o);
	groups_found **at = (groups_found **)ptr_map_at(&k->groups, k->mem, listed);
	if (!*at)
		*at = find_groups(k, o);
	return *at;
}

bool collective_of(collective_costs *k, const op *o, collective *c)
{
	if (!op_is_collective(o))
		return false;
	*c = (collective){.o = o,
	                  .times = 1,
	                  .bytes = operand_bytes(o),
	                  .result_bytes = result_bytes(o),
	                  .axes = ""};
	if (o->kind == OP_COLLECTIVE_PERMUTE) {
		permute_of(o, k->meshes, k->t, k->mem, c);
		return true;
	}
	const groups_found *g = groups_known(k, o);
	c->n_groups = g->n;
	c->group_size = g->size;
	c->axes = g->axes;
	put_cost(c, k->t, &g->place);
	if (k->t->relayout_bandwidth > 0)
		c->seconds += relayout_seconds(k->t, o, c);
	return true;
}
