/* devices.c - what a device computes from its own number, and groups of devices as attributes. */
#include "partition/local.h"

/* ---- coordinates ------------------------------------------------------------------ */

/* Ops emitted between begin and end go to the start of the function (its prologue), so that all of
 * it can use them. */
typedef struct prologue_scope {
	builder was;
	block fresh;
	region home;
} prologue_scope;

static void prologue_begin(emitter *e, prologue_scope *s)
{
	*s = (prologue_scope){.was = e->b};
	s->fresh.parent = &s->home;
	e->b = builder_at_end(e->to, &s->fresh);
}

static void prologue_end(emitter *e, prologue_scope *s)
{
	block *body = e->fn->body;
	for (op *o = s->fresh.first, *next; o; o = next) {
		next = o->next;
		o->prev = o->next = NULL;
		if (e->fn->prologue)
			op_insert_after(e->fn->prologue, o);
		else if (body->first)
			op_insert_before(body->first, o);
		else
			op_append(body, o);
		o->parent = body;
		e->fn->prologue = o;
	}
	e->b = s->was;
}

static value *find_coordinate(emitter *e, const device_order *order, digits along)
{
	for (int i = 0; i < e->fn->coordinates.len; i++) {
		known_coordinate *k = &e->fn->coordinates.ptr[i];
		if (k->order == order && digits_eq(k->along, along))
			return k->v;
	}
	return NULL;
}

static value *remember_coordinate(emitter *e, const device_order *order, digits along, value *v)
{
	along.at = COPY_N(e->keep, along.at, along.n);
	vec_push(e->keep, &e->fn->coordinates, (known_coordinate){order, along, v});
	return v;
}

/* The positions of all devices in an order, as a constant. */
static value *build_positions(emitter *e, const device_order *order)
{
	int64_t n = e->sp.n_devices;
	const type *t = type_tensor(e->ctx, DT_I64, &n, 1);
	int64_t *table = NEW_N(e->mem, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		table[i] = order_position(order, i);
	value *v = build_constant(&e->b,
	                          attr_dense(e->ctx, t, table, sizeof *table * (size_t)n, false));
	return build_convert(&e->b, v, e->index);
}

/* Empty digits stand for the whole position. */
static value *device_position(emitter *e, const device_order *order)
{
	value *v = find_coordinate(e, order, (digits){0, NULL});
	if (v)
		return v;
	if (order) {
		value *device = device_position(e, NULL);
		v = emit_window(e, build_positions(e, order), 0, device, 1);
		v = build_reshape(&e->b, v, NULL, 0);
	} else {
		const type *t = type_tensor(e->ctx, DT_UI32, NULL, 0);
		op_kind id = e->opts->replicas ? OP_REPLICA_ID : OP_PARTITION_ID;
		v = build_convert(&e->b, build(&e->b, id, NULL, 0, t), e->index);
	}
	return remember_coordinate(e, order, (digits){0, NULL}, v);
}

static value *build_digit(emitter *e, value *position, digit x)
{
	value *v = position;
	if (x.stride > 1)
		v = build_binary(&e->b, OP_DIVIDE, v, emit_index(e, x.stride));
	if (x.stride * x.size < e->sp.n_devices)
		v = build_binary(&e->b, OP_REMAINDER, v, emit_index(e, x.size));
	return v;
}

value *device_coordinate(emitter *e, const device_order *order, digits along)
{
	prologue_scope scope;
	value *v = along.n ? find_coordinate(e, order, along) : NULL;
	if (v)
		return v;
	prologue_begin(e, &scope);
	for (int i = 0; i < along.n; i++) {
		value *c = build_digit(e, device_position(e, order), along.at[i]);
		v = i ? build_binary(&e->b, OP_ADD,
		                     build_binary(&e->b, OP_MULTIPLY, v,
		                                  emit_index(e, along.at[i].size)),
		                     c)
		      : c;
	}
	if (!along.n)
		v = emit_index(e, 0);
	prologue_end(e, &scope);
	return along.n ? remember_coordinate(e, order, along, v) : v;
}

value *device_offset(emitter *e, const spread *s, int d, int64_t global_size)
{
	value *c = device_coordinate(e, s->order, s->dims[d]);
	int64_t local = spread_local_dim(s, d, global_size);
	return local == 1 ? c : build_binary(&e->b, OP_MULTIPLY, c, emit_index(e, local));
}

value *device_is_first(emitter *e, const device_order *order, digits along)
{
	return build_compare(&e->b, COMPARE_EQ, device_coordinate(e, order, along),
	                     emit_index(e, 0));
}

/* ---- groups ------------------------------------------------------------------------- */

static const attr *make_groups(emitter *e, const device_order *order, digits along)
{
	int64_t k = digits_size(along), n = e->sp.n_devices, at = 0;
	int64_t *ids = NEW_N(e->mem, int64_t, n), dims[2] = {n / k, k};
	for (int64_t p = 0; p < n; p++) {
		if (digits_coordinate(along, p) != 0)
			continue;
		for (int64_t c = 0; c < k; c++)
			ids[at++] = order_device(order, p + digits_position(along, c));
	}
	const type *t = type_tensor(e->ctx, DT_I64, dims, 2);
	return attr_dense(e->ctx, t, ids, sizeof *ids * (size_t)n, false);
}

const attr *device_groups(emitter *e, const device_order *order, digits along)
{
	for (int i = 0; i < e->groups.len; i++) {
		const device_group *g = &e->groups.ptr[i];
		if (g->order == order && digits_eq(g->along, along))
			return g->ids;
	}
	device_group g = {order, {along.n, COPY_N(e->keep, along.at, along.n)},
	                  make_groups(e, order, along)};
	vec_push(e->keep, &e->groups, g);
	return g.ids;
}

static const attr *make_pairs(emitter *e, const device_order *order, digits along,
                              const int64_t *source)
{
	int64_t *pairs = NEW_N(e->mem, int64_t, 2 * e->sp.n_devices), n = 0;
	for (int64_t p = 0; p < e->sp.n_devices; p++) {
		int64_t i = digits_coordinate(along, p);
		if (source[i] < 0)
			continue;
		int64_t q = p - digits_position(along, i) + digits_position(along, source[i]);
		pairs[n++] = order_device(order, q);
		pairs[n++] = order_device(order, p);
	}
	int64_t dims[2] = {n / 2, 2};
	return attr_dense(e->ctx, type_tensor(e->ctx, DT_I64, dims, 2), pairs,
	                  sizeof *pairs * (size_t)n, false);
}

const attr *device_pairs(emitter *e, const device_order *order, digits along,
                         const int64_t *source)
{
	size_t bytes = sizeof *source * (size_t)digits_size(along);
	for (int i = 0; i < e->pairs.len; i++) {
		const device_pair_list *l = &e->pairs.ptr[i];
		if (l->order == order && digits_eq(l->along, along) &&
		    !memcmp(l->source, source, bytes))
			return l->pairs;
	}
	device_pair_list l = {order, {along.n, COPY_N(e->keep, along.at, along.n)},
	                      arena_copy(e->keep, source, bytes),
	                      make_pairs(e, order, along, source)};
	vec_push(e->keep, &e->pairs, l);
	return l.pairs;
}

static const attr *channel_zero(tess_ctx *ctx)
{
	const name *names[] = {name_known(ctx, N_handle), name_known(ctx, N_type)};
	const attr *list[] = {attr_i64(ctx, 0), attr_i64(ctx, 1)};
	return attr_of(ctx, &(attr){.kind = AT_STRUCT,
	                            .text = name_of_z(ctx, "stablehlo.channel_handle"),
	                            .names = names, .list = list, .n = 2});
}

static const attr *channel_numbered(tess_ctx *ctx, const attr *zero, int64_t number)
{
	attr channel = *zero;
	const attr *list[] = {attr_i64(ctx, number), zero->list[1]};
	channel.list = list;
	return attr_of(ctx, &channel);
}

/* All collectives get the same channel at first, because some may still be merged; device_number()
 * numbers them. */
static const attr *some_channel(emitter *e)
{
	if (!e->channel)
		e->channel = channel_zero(e->ctx);
	return e->channel;
}

const attr *device_channel(emitter *e) { return e->opts->replicas ? NULL : some_channel(e); }

const attr *device_global_ids(emitter *e)
{
	return e->opts->replicas ? NULL : attr_unit(e->ctx);
}

void device_renumber(emitter *e, op *o)
{
	op_set_attr(e->to, o, N_channel_handle, some_channel(e));
	origin_add(e, o);
}

void device_number(emitter *e)
{
	int64_t n = 0;
	for (op *o = e->to->top; o; o = op_next(o, e->to->top)) {
		if (e->channel && op_has(o, COLLECTIVE) &&
		    op_attr(o, N_channel_handle) == e->channel)
			op_set_attr(e->to, o, N_channel_handle,
			            channel_numbered(e->ctx, e->channel, ++n));
		else if (op_is_ragged_all_to_all(o))
			ragged_set_channel(e->to, o, ++n);
	}
}
