/* expand_ragged.c - the custom call ragged_all_to_all.
 *
 *   (operand, output, input offsets, sizes, output offsets, sizes received) -> output
 *
 * Every device sends piece i of its operand, rows [input offset i, + size i), to member i / (pieces
 * / members) of its group, which puts them at row output offset i of its output. Here each device
 * gets the descriptions of the pieces sent to it (an all_to_all), computes for each row of its
 * output which row of all operands goes there, and reads that row (from an all_gather, which the
 * group shares). */
#include "exec/rewrite/expand.h"

typedef struct ragged {
	expander *e;
	op *o;
	const attr *groups;
	int64_t members, channel;
	int64_t pieces, rows_in, rows_out;
} ragged;

static void put_ragged_groups(const ragged *r, op *o, const attr *groups)
{
	const int64_t device_to_device = 1;
	const ints_field fields[] = {{N_handle, &r->channel, -1}, {N_type, &device_to_device, -1}};
	op_set_attr(r->e->b.m, o, N_replica_groups, groups);
	if (r->channel)
		op_set_attr(r->e->b.m, o, N_channel_handle,
		            struct_of_ints(r->e->ctx, "stablehlo.channel_handle", fields, 2));
}

/* Input offsets, sizes and output offsets of the pieces sent to this device, as i64. */
static void pieces_here(const ragged *r, value **out)
{
	expander *e = r->e;
	value *in[3];
	const type *types[3];
	for (int i = 0; i < 3; i++) {
		in[i] = build_convert(&e->b, operand(r->o, 2 + i), DT_I64);
		types[i] = in[i]->type;
	}
	op *o = build_op(&e->b, OP_ALL_TO_ALL, in, 3, types, 3, 0);
	put_ragged_groups(r, o, r->groups);
	op_set_attr(e->b.m, o, N_split_dimension, attr_i64(e->ctx, 0));
	op_set_attr(e->b.m, o, N_concat_dimension, attr_i64(e->ctx, 0));
	op_set_attr(e->b.m, o, N_split_count, attr_i64(e->ctx, r->members));
	for (int i = 0; i < 3; i++)
		out[i] = result(o, i);
}

/* Groups of partitions, once for each replica, as groups of devices. */
static const attr *groups_of_devices(const ragged *r)
{
	const exec_opts *p = &r->e->p->opts;
	const type *t = r->groups->type;
	int64_t n = t->n_elems, dims[2] = {t->dims[0] * p->n_replicas, t->dims[1]};
	int64_t *ids = NEW_N(r->e->mem, int64_t, n * p->n_replicas + 1);
	for (int replica = 0; replica < p->n_replicas; replica++)
		for (int64_t i = 0; i < n; i++)
			ids[replica * n + i] =
				replica * p->n_partitions + attr_dense_int(r->groups, i);
	return attr_dense(r->e->ctx, type_tensor(r->e->ctx, DT_I64, dims, 2), ids,
	                  sizeof *ids * (size_t)(n * p->n_replicas), false);
}

static value *all_operands(const ragged *r)
{
	expander *e = r->e;
	value *in = operand(r->o, 0);
	int64_t *dims = COPY_N(e->mem, in->type->dims, in->type->rank);
	dims[0] *= r->members;
	value *v = build(&e->b, OP_ALL_GATHER, &in, 1,
	                 type_with_dims(e->ctx, in->type, dims, in->type->rank));
	put_ragged_groups(r, value_def(v), r->channel ? groups_of_devices(r) : r->groups);
	op_set_attr(e->b.m, value_def(v), N_all_gather_dim, attr_i64(e->ctx, 0));
	if (r->channel)
		op_set_attr(e->b.m, value_def(v), N_use_global_device_ids, attr_unit(e->ctx));
	return v;
}

/* For each row of the output, the row of all operands that goes there; -1: none. No two pieces
 * overlap. */
static value *sources_of_rows(const ragged *r)
{
	expander *e = r->e;
	const int64_t dims[2] = {r->pieces, r->rows_out}, front = 0;
	const type *t = type_tensor(e->ctx, DT_I64, dims, 2);
	int64_t *first = NEW_N(e->mem, int64_t, r->pieces);
	for (int64_t i = 0; i < r->pieces; i++) /* plus 1, so that 0 means no row */
		first[i] = i / (r->pieces / r->members) * r->rows_in + 1;
	value *piece[3], *row = build_iota(&e->b, DT_I64, dims, 2, 1);
	pieces_here(r, piece);
	value *from = build_binary(&e->b, OP_ADD, piece[0],
	                           build_ints(&e->b, DT_I64, first, (int)r->pieces));
	from = build_broadcast(&e->b, from, t, &front, 1);
	value *size = build_broadcast(&e->b, piece[1], t, &front, 1);
	value *at = build_binary(&e->b, OP_SUBTRACT, row,
	                         build_broadcast(&e->b, piece[2], t, &front, 1));
	value *inside = build_binary(&e->b, OP_AND,
	                             build_compare(&e->b, COMPARE_GE, at, expand_splat(e, t, 0)),
	                             build_compare(&e->b, COMPARE_LT, at, size));
	value *source = build_select(&e->b, inside, build_binary(&e->b, OP_ADD, from, at),
	                             expand_splat(e, t, 0));
	source = expand_sum(e, source, &front, 1);
	return build_binary(&e->b, OP_SUBTRACT, source, expand_splat(e, source->type, 1));
}

static value *rows_of(const ragged *r, value *all, value *rows, const type *t)
{
	expander *e = r->e;
	int rank = t->rank;
	int64_t *sizes = COPY_N(e->mem, t->dims, rank), *offset = NEW_N(e->mem, int64_t, rank);
	const int64_t front = 0, vector = 1;
	sizes[0] = 1;
	for (int i = 1; i < rank; i++)
		offset[i - 1] = i;
	const ints_field fields[] = {{N_offset_dims, offset, rank - 1},
	                             {N_collapsed_slice_dims, &front, 1},
	                             {N_start_index_map, &front, 1},
	                             {N_index_vector_dim, &vector, -1}};
	value *v = build(&e->b, OP_GATHER, (value *[]){all, rows}, 2, t);
	op_set_attr(e->b.m, value_def(v), N_dimension_numbers,
	            struct_of_ints(e->ctx, "stablehlo.gather", fields, COUNT(fields)));
	op_set_attr(e->b.m, value_def(v), N_slice_sizes, attr_i64_array(e->ctx, sizes, rank));
	return v;
}

static bool ragged_of(ragged *r)
{
	const op *o = r->o;
	const attr *channel = custom_option(r->e->ctx, o, "channel_id");
	r->groups = custom_option(r->e->ctx, o, "replica_groups");
	r->channel = channel && channel->kind == AT_INT ? channel->i : 0;
	if (o->n_operands != 6 || o->n_results != 1 || !operand(o, 0)->type->rank ||
	    operand(o, 0)->type->rank != operand(o, 1)->type->rank)
		return plan_error(r->e->p, o,
		                  "takes an operand, an output of its rank, and four lists");
	if (!r->groups || r->groups->kind != AT_DENSE || r->groups->type->rank != 2)
		return plan_error(r->e->p, o, "replica_groups must be a table of integers");
	for (int i = 2; i < 6; i++)
		if (operand(o, i)->type->rank != 1 || !dtype_is_int(operand(o, i)->type->dtype) ||
		    operand(o, i)->type->dims[0] != operand(o, 2)->type->dims[0])
			return plan_error(
				r->e->p, o,
				"offsets and sizes must be lists of integers of one length");
	r->members = r->groups->type->dims[1];
	r->pieces = operand(o, 2)->type->dims[0];
	r->rows_in = operand(o, 0)->type->dims[0];
	r->rows_out = operand(o, 1)->type->dims[0];
	if (!r->members || r->pieces % r->members)
		return plan_error(r->e->p, o,
		                  "%" PRId64 " offsets do not divide over groups of %" PRId64,
		                  r->pieces, r->members);
	return true;
}

bool expand_ragged_all_to_all(expander *e, op *o)
{
	ragged r = {.e = e, .o = o};
	const int64_t front = 0;
	if (!ragged_of(&r))
		return false;
	value *out = operand(o, 1);
	if (!r.rows_in || !r.pieces || !out->type->n_elems)
		return expand_done(e, o, out);
	value *rows = sources_of_rows(&r);
	value *v = rows_of(&r, all_operands(&r), rows, out->type);
	value *found = build_compare(&e->b, COMPARE_GE, rows, expand_splat(e, rows->type, 0));
	found = build_broadcast(&e->b, found, type_of_elem(e->ctx, out->type, DT_I1), &front, 1);
	return expand_done(e, o, build_select(&e->b, found, v, out));
}
