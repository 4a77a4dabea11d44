/* report.c - computes the contents of a report. */
#include "report/report.h"

#include <stdlib.h>

/* ---- replication and padding ------------------------------------------------------ */

static void look_at_value(const report_input *in, arena *mem, report *out, const value *v)
{
	const sharding *s = value_sharding(in->global, v);
	const type *t = v->type;
	if (!type_is_tensor(t) || !t->is_static || !t->rank || type_bytes(t) <= 0)
		return;
	const mesh *m = mesh_under_sharding(in->global, s, in->mesh);
	if (!m || m->n_devices < 2 || (s && s->rank != t->rank))
		return;
	int64_t shards = 1, padded = 1, exact = 1;
	for (int d = 0; d < t->rank; d++) {
		int64_t k = s ? sharding_dim_shards(s, d, m) : 1;
		shards *= k;
		padded = mul_capped(padded, ceil_div(t->dims[d], k) * k);
		exact *= t->dims[d];
	}
	int64_t elem = type_bytes(t) / t->n_elems, local = padded / shards * elem;
	int64_t copies = m->n_devices / shards;
	if (copies > 1)
		vec_push(mem, &out->replicated,
		         (replicated_tensor){v, local, copies,
		                             mul_capped(local, shards * (copies - 1))});
	for (int d = 0; d < t->rank && padded != exact; d++) {
		int64_t k = s ? sharding_dim_shards(s, d, m) : 1;
		if (t->dims[d] % k)
			vec_push(mem, &out->padded,
			         (padded_tensor){v, d, k, t->dims[d],
			                         mul_capped(padded - exact, elem * copies)});
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
	if (!f || func_is_declaration(f) || program_came_partitioned(in->global))
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
			vec_push(mem, &out->traffic, (axis_traffic){.axes = c->axes, .far = c->far});
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

/* ---- memory by purpose ---------------------------------------------------------------------- */

static void sum_held(const report *r, const live_tensor *list, int n, int64_t *held)
{
	for (int i = 0; i < n; i++)
		if (list[i].n_within)
			sum_held(r, list[i].within, list[i].n_within, held);
		else
			held[report_purpose(r, &list[i])] += list[i].bytes;
}

static void find_purposes_held(const module *opened, arena *mem, report *r)
{
	const costs *c = &r->costs;
	r->purposes_told = purposes_of(opened, r->in.global, mem, &r->purposes);
	if (!r->purposes_told)
		return;
	sum_held(r, c->mem.at_peak.ptr, c->mem.at_peak.len, r->held);
	sum_held(r, c->host.at_peak.ptr, c->host.at_peak.len, r->held_on_host);
}

/* A program given partitioned, as HLO, has no mesh, but an attribute with its device count. */
static int64_t device_count(const report_input *in)
{
	const name *key = name_of_z(in->global->ctx, "mhlo.num_partitions");
	const attr *n = op_attr_named(in->global->top, key);
	return in->mesh ? in->n_devices : n && n->kind == AT_INT ? max_i64(n->i, 1) : 1;
}

void report_build(const report_input *in, arena *mem, report *out)
{
	*out = (report){.in = *in, .n_devices = device_count(in)};
	const module *opened = in->opened ? in->opened : in->local;
	costs_of(in->local, opened, &in->meshes, in->target, mem, &out->costs);
	find_purposes_held(opened, mem, out);
	look_at_values(in, mem, out);
	sum_traffic(mem, out);
	report_group(mem, out);
}
