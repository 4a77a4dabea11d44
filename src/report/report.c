/* report.c - what a report says, computed. */
#include "report/report.h"

#include <stdlib.h>

/* ---- replication and padding ------------------------------------------------------ */

static void look_at_value(const report_input *in, arena *mem, report *out, const value *v)
{
	const sharding *s = v->sharding;
	const type *t = v->type;
	if (!type_is_tensor(t) || !t->is_static || !t->rank || type_bytes(t) <= 0)
		return;
	const mesh *m = s ? sharding_mesh(in->global, s) : in->mesh;
	if (!m || m->n_devices < 2 || (s && s->rank != t->rank))
		return;
	int64_t shards = 1, padded = 1, exact = 1;
	for (int d = 0; d < t->rank; d++) {
		int64_t k = s ? sharding_dim_shards(s, d, m) : 1;
		shards *= k;
		padded *= ceil_div(t->dims[d], k) * k;
		exact *= t->dims[d];
	}
	int64_t elem = dtype_bytes(t->dtype), local = padded / shards * elem;
	int64_t copies = m->n_devices / shards;
	if (copies > 1)
		vec_push(mem, &out->replicated,
		         (replicated_tensor){v, local, copies, local * shards * (copies - 1)});
	for (int d = 0; d < t->rank && padded != exact; d++) {
		int64_t k = s ? sharding_dim_shards(s, d, m) : 1;
		if (t->dims[d] % k)
			vec_push(mem, &out->padded,
			         (padded_tensor){v, d, k, t->dims[d],
			                         (padded - exact) * elem * copies});
	}
}

static int by_waste(const void *a, const void *b)
{
	const replicated_tensor *x = a, *y = b;
	if (x->waste != y->waste)
		return x->waste < y->waste ? 1 : -1;
	return (x->v->id > y->v->id) - (x->v->id < y->v->id);
}

static int by_padding(const void *a, const void *b)
{
	const padded_tensor *x = a, *y = b;
	if (x->waste != y->waste)
		return x->waste < y->waste ? 1 : -1;
	return (x->v->id > y->v->id) - (x->v->id < y->v->id);
}

static void look_at_values(const report_input *in, arena *mem, report *out)
{
	const op *f = module_main(in->global);
	if (!f || func_is_declaration(f))
		return;
	const block *b = op_body(f);
	for (int i = 0; i < b->n_args; i++)
		look_at_value(in, mem, out, b->args[i]);
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			look_at_value(in, mem, out, &o->results[i]);
	if (out->replicated.len)
		qsort(out->replicated.ptr, (size_t)out->replicated.len, sizeof(replicated_tensor),
		      by_waste);
	if (out->padded.len)
		qsort(out->padded.ptr, (size_t)out->padded.len, sizeof(padded_tensor), by_padding);
}

/* ---- traffic by axes ----------------------------------------------------------------- */

static int by_seconds(const void *a, const void *b)
{
	const axis_traffic *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return strcmp(x->axes, y->axes);
}

static void sum_traffic(arena *mem, report *out)
{
	for (int i = 0; i < out->costs.collectives.len; i++) {
		const collective *c = &out->costs.collectives.ptr[i];
		axis_traffic *t = NULL;
		for (int k = 0; k < out->traffic.len && !t; k++)
			if (!strcmp(out->traffic.ptr[k].axes, c->axes))
				t = &out->traffic.ptr[k];
		if (!t) {
			vec_push(mem, &out->traffic, (axis_traffic){.axes = c->axes});
			t = &out->traffic.ptr[out->traffic.len - 1];
		}
		t->count++;
		t->runs += c->times;
		t->wire_bytes += c->times * c->wire_bytes;
		t->seconds += c->times * c->seconds;
	}
	if (out->traffic.len)
		qsort(out->traffic.ptr, (size_t)out->traffic.len, sizeof(axis_traffic), by_seconds);
}

/* A program that came partitioned, as HLO, says it without a mesh. */
static int64_t device_count(const report_input *in)
{
	const name *key = name_of_z(in->global->ctx, "mhlo.num_partitions");
	const attr *n = op_attr_named(in->global->top, key);
	return in->mesh ? in->mesh->n_devices : n && n->kind == AT_INT ? max_i64(n->i, 1) : 1;
}

/* ---- what is alike ------------------------------------------------------------------- */

static int by_group_seconds(const void *a, const void *b)
{
	const collective_group *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static const collective_origin *origin_of_op(const report *r, ptr_map *by_op, const op *o)
{
	const void *at = *ptr_map_at(by_op, &r->in.local->ctx->scratch, o);
	return at ? &r->in.origins[(intptr_t)at - 1] : NULL;
}

static const name *collective_likeness(arena *mem, const collective *c, const collective_origin *o)
{
	return name_of_z(mem->ctx,
	                 arena_printf(mem, "%s|%s|%" PRId64 "|%g|%s|%s|%s|%p", c->o->name->s,
	                              c->axes, c->bytes, c->times, o && o->before ? o->before : "",
	                              o && o->after ? o->after : "",
	                              o && o->cause ? o->cause->name->s : "",
	                              (const void *)c->o->loc));
}

static void group_collectives(arena *mem, report *r)
{
	ptr_map by_op = {0}, by_likeness = {0};
	for (int i = 0; i < r->in.n_origins; i++)
		*ptr_map_at(&by_op, mem, r->in.origins[i].local) = (void *)(intptr_t)(i + 1);
	for (int i = 0; i < r->costs.collectives.len; i++) {
		const collective *c = &r->costs.collectives.ptr[i];
		const collective_origin *o = origin_of_op(r, &by_op, c->o);
		vec_push(mem, &r->origin_of, o);
		void **at = ptr_map_at(&by_likeness, mem, collective_likeness(mem, c, o));
		if (!*at) {
			vec_push(mem, &r->groups,
			         (collective_group){.first = c, .number = i, .origin = o});
			*at = (void *)(intptr_t)r->groups.len;
		}
		collective_group *g = &r->groups.ptr[(intptr_t)*at - 1];
		g->count++;
		g->seconds += c->times * c->seconds;
		g->wire_bytes += c->times * c->wire_bytes;
	}
	if (r->groups.len)
		qsort(r->groups.ptr, (size_t)r->groups.len, sizeof(collective_group),
		      by_group_seconds);
}

static int by_group_bytes(const void *a, const void *b)
{
	const tensor_group *x = a, *y = b;
	double m = (double)x->first.bytes * (double)x->count,
	       n = (double)y->first.bytes * (double)y->count;
	if (m != n)
		return m < n ? 1 : -1;
	return (x->first.v->id > y->first.v->id) - (x->first.v->id < y->first.v->id);
}

static void group_tensors(arena *mem, report *r)
{
	ptr_map by_type[3] = {{0}, {0}, {0}};
	for (int i = 0; i < r->costs.mem.at_peak.len; i++) {
		const live_tensor *t = &r->costs.mem.at_peak.ptr[i];
		void **at = ptr_map_at(&by_type[t->role], mem, t->v->type);
		if (!*at) {
			vec_push(mem, &r->at_peak, (tensor_group){*t, 0});
			*at = (void *)(intptr_t)r->at_peak.len;
		}
		r->at_peak.ptr[(intptr_t)*at - 1].count++;
	}
	if (r->at_peak.len)
		qsort(r->at_peak.ptr, (size_t)r->at_peak.len, sizeof(tensor_group), by_group_bytes);
}

void report_build(const report_input *in, arena *mem, report *out)
{
	*out = (report){.in = *in, .n_devices = device_count(in)};
	costs_of(in->local, in->mesh, in->target, mem, &out->costs);
	look_at_values(in, mem, out);
	sum_traffic(mem, out);
	group_collectives(mem, out);
	group_tensors(mem, out);
}
