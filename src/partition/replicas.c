/* replicas.c - turns devices from partitions into replicas.
 *
 * The emitter's devices are the partitions of one replica. A runtime without a partitioner of its
 * own may only have replicas: then replica_id distinguishes devices, and collectives have no
 * channel. Collectives of the user may be among replicas already, of which there was one. Such a
 * collective becomes one of each device with itself (StableHLO spec, "Collective ops":
 * cross_replica) or, with a channel and without use_global_device_ids, one of all devices
 * (cross_replica_and_partition). */
#include "partition/local.h"

typedef struct to_replicas {
	module *m;
	int64_t n_devices;
} to_replicas;

typedef enum old_groups { GROUPS_OF_PARTITIONS, GROUPS_OF_ONE, GROUPS_OF_ALL } old_groups;

static old_groups groups_before(const op *o)
{
	const attr *channel = op_attr(o, N_channel_handle);
	const attr *id = channel ? attr_get(channel, N_handle) : NULL;
	bool has_channel = id && id->i > 0;
	if (op_groups_by_channel(o))
		return has_channel ? GROUPS_OF_PARTITIONS : GROUPS_OF_ONE;
	return op_bool(o, N_use_global_device_ids) ? GROUPS_OF_PARTITIONS
	       : has_channel                       ? GROUPS_OF_ALL
	                                           : GROUPS_OF_ONE;
}

/* `rows` rows of device numbers, counted from 0, each number `repeat` times. */
static const attr *numbered(const to_replicas *r, int64_t rows, int64_t columns, int64_t repeat)
{
	tess_ctx *ctx = r->m->ctx;
	int64_t *ids = NEW_N(&ctx->scratch, int64_t, rows * columns + 1), dims[] = {rows, columns};
	for (int64_t i = 0; i < rows * columns; i++)
		ids[i] = i / repeat;
	return attr_dense(ctx, type_tensor(ctx, DT_I64, dims, 2), ids,
	                  sizeof *ids * (size_t)(rows * columns), false);
}

static void among_replicas(const to_replicas *r, op *o)
{
	int64_t n = r->n_devices;
	old_groups was = groups_before(o);
	if (o->kind == OP_COLLECTIVE_PERMUTE && was == GROUPS_OF_ONE) {
		int n_ids;
		op_ints(r->m, o, N_source_target_pairs, &n_ids);
		op_set_attr(r->m, o, N_source_target_pairs, numbered(r, n_ids > 0 ? n : 0, 2, 2));
	} else if (was != GROUPS_OF_PARTITIONS) {
		bool alone = was == GROUPS_OF_ONE;
		op_set_attr(r->m, o, N_replica_groups, numbered(r, alone ? n : 1, alone ? 1 : n, 1));
	}
	op_set_attr(r->m, o, N_channel_handle, NULL);
	op_set_attr(r->m, o, N_use_global_device_ids, NULL);
}

/* There was one replica. */
static void number_is_zero(module *m, op *o)
{
	const builder b = builder_before(m, o);
	value_replace_uses(result(o, 0), build_zeros(&b, result(o, 0)->type));
	op_erase(o);
}

static void number_of_replica(module *m, op *o)
{
	const builder b = builder_before(m, o);
	value_replace_uses(result(o, 0), build(&b, OP_REPLICA_ID, NULL, 0, result(o, 0)->type));
	op_erase(o);
}

void program_to_replicas(local_program *p)
{
	module *m = p->module;
	const to_replicas r = {m, p->n_devices};
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (o->kind == OP_PARTITION_ID)
			number_of_replica(m, o);
		else if (o->kind == OP_REPLICA_ID)
			number_is_zero(m, o);
		else if (op_is_ragged_all_to_all(o))
			ragged_set_channel(m, o, 0);
		else if (op_has(o, COLLECTIVE))
			among_replicas(&r, o);
	}
	op_set_attr(m, m->top, N_mhlo_num_partitions, attr_i32(m->ctx, 1));
	op_set_attr(m, m->top, N_mhlo_num_replicas, attr_i32(m->ctx, p->n_devices));
	p->replicas = true;
}

bool program_has_replicas(const module *m)
{
	return op_int(m->top, N_mhlo_num_replicas, 1) > 1 &&
	       op_int(m->top, N_mhlo_num_partitions, 1) == 1;
}
