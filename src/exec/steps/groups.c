/* groups.c - the groups of a collective, and how uniform its results are (StableHLO spec,
 * "Collective ops"). */
#include "exec/steps/plan.h"

/* What the ids in replica_groups mean. */
typedef enum group_mode {
	CROSS_REPLICA,   /* replicas, once for each partition */
	CROSS_PARTITION, /* partitions, once for each replica */
	CROSS_BOTH,      /* replicas, with all their partitions */
	FLATTENED,       /* devices */
} group_mode;

typedef struct group_builder {
	exec_plan *p;
	const op *op;
	VEC(int) sizes;
	VEC(const int32_t *) members;
	int32_t *group_of, *position;
} group_builder;

static bool groups_error(exec_plan *p, const op *o, const char *what)
{
	return diag_error(p->ctx, op_place(p->m, o), E_EXEC_GROUPS, "%s: %s",
	                  op_kind_name(o->kind), what);
}

static int64_t channel_of(const op *o)
{
	const attr *h = op_attr(o, N_channel_handle);
	const attr *id = h ? attr_get(h, N_handle) : NULL;
	return id ? id->i : 0;
}

static group_mode mode_of(const op *o)
{
	bool channel = channel_of(o) > 0;
	if (op_groups_by_channel(o))
		return channel ? CROSS_PARTITION : CROSS_REPLICA;
	if (op_bool(o, N_use_global_device_ids))
		return FLATTENED;
	return channel ? CROSS_BOTH : CROSS_REPLICA;
}

static bool group_add(group_builder *b, const int32_t *members, int n)
{
	for (int i = 0; i < n; i++) {
		if (b->group_of[members[i]] >= 0)
			return groups_error(b->p, b->op, "a device is in two groups");
		b->group_of[members[i]] = b->sizes.len;
		b->position[members[i]] = i;
	}
	vec_push(&b->p->mem, &b->sizes, n);
	vec_push(&b->p->mem, &b->members, COPY_N(&b->p->mem, members, n));
	return true;
}

/* Adds the groups of devices that one row of replica_groups means. */
static bool group_expand(group_builder *b, group_mode mode, const int64_t *row, int n)
{
	int P = b->p->opts.n_partitions, R = b->p->opts.n_replicas;
	int limit = mode == FLATTENED ? P * R : mode == CROSS_PARTITION ? P : R;
	for (int i = 0; i < n; i++)
		if (row[i] < 0 || row[i] >= limit)
			return groups_error(b->p, b->op,
			                    "replica_groups names a device that is not there");
	int32_t *m = NEW_N(&b->p->ctx->scratch, int32_t, n * (mode == CROSS_BOTH ? P : 1));
	int copies = mode == CROSS_REPLICA ? P : mode == CROSS_PARTITION ? R : 1;
	for (int k = 0; k < copies; k++) {
		for (int i = 0; i < n && mode != CROSS_BOTH; i++)
			m[i] = (int32_t)(mode == FLATTENED         ? row[i]
			                 : mode == CROSS_PARTITION ? k * P + row[i]
			                                           : row[i] * P + k);
		for (int j = 0; j < n * P && mode == CROSS_BOTH; j++)
			m[j] = (int32_t)(row[j % n] * P + j / n);
		if (!group_add(b, m, mode == CROSS_BOTH ? n * P : n))
			return false;
	}
	return true;
}

/* ---- tables of groups -------------------------------------------------------------------- */

static bool groups_of_table(group_builder *b, group_mode mode, const group_table *t)
{
	for (int64_t r = 0; r < t->n; r++) {
		const int64_t *row = t->ids + r * t->size;
		int len = 0;
		while (len < t->size && row[len] != -1)
			len++;
		if (len && !group_expand(b, mode, row, len))
			return false;
	}
	return true;
}

/* No groups are given: all devices together. */
static bool groups_of_all(group_builder *b, group_mode mode)
{
	int n = mode == FLATTENED         ? b->p->n_devices
	        : mode == CROSS_PARTITION ? b->p->opts.n_partitions
	                                  : b->p->opts.n_replicas;
	int64_t *row = NEW_N(&b->p->ctx->scratch, int64_t, n);
	for (int i = 0; i < n; i++)
		row[i] = i;
	return group_expand(b, mode, row, n);
}

static const groups *groups_make(exec_plan *p, const op *o)
{
	group_builder b = {.p = p, .op = o};
	b.group_of = NEW_N(&p->mem, int32_t, p->n_devices);
	b.position = NEW_N(&p->mem, int32_t, p->n_devices);
	memset(b.group_of, -1, sizeof(int32_t) * (size_t)p->n_devices);
	group_mode mode = mode_of(o);
	group_table t;
	const char *wrong = replica_groups_of(p->source, o, &p->ctx->scratch, &t);
	bool good = wrong ? groups_error(p, o, wrong)
	            : t.n ? groups_of_table(&b, mode, &t)
	                  : groups_of_all(&b, mode);
	for (int d = 0; good && d < p->n_devices && o->kind != OP_COLLECTIVE_BROADCAST; d++)
		if (b.group_of[d] < 0)
			good = groups_error(p, o, "a device is in no group");
	if (!good)
		return NULL;
	groups *g = NEW(&p->mem, groups);
	*g = (groups){b.sizes.len, b.sizes.ptr, b.members.ptr, b.group_of, b.position};
	return g;
}

const groups *op_groups(exec_plan *p, const op *o)
{
	void **at = ptr_map_at(&p->device_groups, &p->mem, o);
	const groups *g = *at ? *at : groups_make(p, o);
	*at = (void *)g;
	return g;
}

static const int32_t *sources_make(exec_plan *p, const op *o)
{
	int n, P = p->opts.n_partitions, R = p->opts.n_replicas;
	const int64_t *pairs = op_ints(p->m, o, N_source_target_pairs, &n);
	int32_t *from = NEW_N(&p->mem, int32_t, p->n_devices);
	memset(from, -1, sizeof *from * (size_t)p->n_devices);
	bool cross_partition = mode_of(o) == CROSS_PARTITION;
	int limit = cross_partition ? P : R, copies = cross_partition ? R : P;
	for (int i = 0; i + 1 < n; i += 2) {
		int64_t s = pairs[i], t = pairs[i + 1];
		if (s < 0 || t < 0 || s >= limit || t >= limit)
			return groups_error(p, o,
			                    "source_target_pairs names a device that is not there"),
			       NULL;
		for (int k = 0; k < copies; k++) {
			int64_t to = cross_partition ? k * P + t : t * P + k;
			if (from[to] >= 0)
				return groups_error(p, o, "two sources send to one target"), NULL;
			from[to] = (int32_t)(cross_partition ? k * P + s : s * P + k);
		}
	}
	return from;
}

const int32_t *op_sources(exec_plan *p, const op *o)
{
	void **at = ptr_map_at(&p->device_groups, &p->mem, o);
	const int32_t *from = *at ? *at : sources_make(p, o);
	*at = (void *)from;
	return from;
}

/* ---- classes of results ------------------------------------------------------------------- */

typedef struct group_key {
	const groups *g;
	const classes *in;
	int at;
} group_key;

static bool group_key_eq(const void *obj, const void *key)
{
	const group_key *a = obj, *b = key;
	const groups *g = a->g;
	if (g->sizes[a->at] != g->sizes[b->at])
		return false;
	for (int i = 0; i < g->sizes[a->at]; i++)
		if (a->in->of[g->members[a->at][i]] != a->in->of[g->members[b->at][i]])
			return false;
	return true;
}

/* Devices share a result if the members of their groups have the same instances in the same order;
 * if each position of a group gets another part, only those in the same position do. */
static const classes *classes_of_groups(exec_plan *p, const groups *g, const classes *in,
                                        bool by_position)
{
	arena *scratch = &p->ctx->scratch;
	int32_t *keys = NEW_N(scratch, int32_t, p->n_devices);
	cons_tab seen = {0};
	memset(keys, -1, sizeof *keys * (size_t)p->n_devices); /* not in a group: zeros */
	for (int k = 0; k < g->n; k++) {
		group_key key = {g, in, k};
		uint64_t h = 5;
		for (int i = 0; i < g->sizes[k]; i++)
			h = hash_mix(h, (uint64_t)in->of[g->members[k][i]]);
		group_key *same = cons_find(&seen, h, group_key_eq, &key);
		if (!same)
			cons_add(&seen, scratch, h, same = arena_copy(scratch, &key, sizeof key));
		for (int i = 0; i < g->sizes[k]; i++)
			keys[g->members[k][i]] = same->at;
	}
	const classes *c = classes_of_keys(&p->classes, keys);
	return by_position ? classes_join(&p->classes, c, classes_of_keys(&p->classes, g->position))
	                   : c;
}

static const classes *classes_of_sources(exec_plan *p, const int32_t *from, const classes *in)
{
	int32_t *keys = NEW_N(&p->ctx->scratch, int32_t, p->n_devices);
	for (int d = 0; d < p->n_devices; d++)
		keys[d] = from[d] < 0 ? -1 : in->of[from[d]];
	return classes_of_keys(&p->classes, keys);
}

bool collective_classes(exec_plan *p, const op *o, const classes **out)
{
	const int32_t *from = NULL;
	const groups *g = NULL;
	if (o->kind == OP_COLLECTIVE_PERMUTE)
		from = op_sources(p, o);
	else
		g = op_groups(p, o);
	if (!from && !g)
		return false;
	bool by_position = o->kind == OP_ALL_TO_ALL || o->kind == OP_REDUCE_SCATTER ||
	                   o->kind == OP_COLLECTIVE_REDUCE;
	bool dynamic_root = op_bool(o, N_has_dynamic_root);
	for (int i = 0; i < o->n_results; i++) {
		const classes *in = p->cls[operand(o, min_i64(i, o->n_operands - 1))->id];
		out[i] = from ? classes_of_sources(p, from, in)
		              : classes_of_groups(p, g, in, by_position);
		if (dynamic_root)
			out[i] = classes_join(&p->classes, out[i],
			                      p->cls[operand(o, o->n_operands - 1)->id]);
	}
	return true;
}
