/* costs.c - the costs of a whole program: ops, collectives, memory. */
#include "cost/collective.h"
#include "cost/memory.h"

typedef struct cost_walk {
	const module *m;
	const program_meshes *meshes;
	arena *mem;
	clusters clusters;
	costs *out;
	int depth;
} cost_walk;

enum { MAX_COST_DEPTH = 200 };

static void block_costs(cost_walk *w, const block *b, double times);

static void add_collective(cost_walk *w, collective col, double times)
{
	costs *c = w->out;
	col.times = times;
	vec_push(w->mem, &c->collectives, col);
	c->comm_seconds += times * col.seconds;
	c->comm_bytes += times * col.wire_bytes;
}

static void add_cluster(cost_walk *w, const cluster *k, double times)
{
	costs *c = w->out;
	c->total.flops += times * k->w.flops;
	c->total.bytes += times * k->w.bytes;
	c->unfused_bytes += times * k->unfused_bytes;
	c->compute_seconds += times * k->peak_seconds;
	c->memory_seconds += times * k->w.bytes / c->target->memory_bandwidth;
	c->op_seconds += times * k->seconds;
	vec_push(w->mem, &c->ops,
	         (op_cost){.o = k->root,
	                   .times = times,
	                   .w = k->w,
	                   .unfused_bytes = k->unfused_bytes,
	                   .peak_seconds = k->peak_seconds,
	                   .seconds = k->seconds});
}

static void add_op(cost_walk *w, const op *o, double times)
{
	collective col;
	if (collective_of(w->m, o, w->meshes, w->out->target, w->mem, &col))
		add_collective(w, col, times);
	else if (w->clusters.at[o->id])
		add_cluster(w, w->clusters.at[o->id], times);
}

static double seconds_so_far(const costs *c) { return c->op_seconds + c->comm_seconds; }

/* Only one branch runs: the dearest is counted.  Collectives of the others are listed, as
 * running no time. */
static void branch_costs(cost_walk *w, const op *o, double times)
{
	costs before = *w->out, *each = NEW_N(w->mem, costs, op_n_regions(o) + 1);
	int best = 0;
	for (int r = 0; r < op_n_regions(o); r++) {
		*w->out = before;
		/* Fresh lists, so that branches do not overwrite each other's. */
		memset(&w->out->ops, 0, sizeof w->out->ops);
		memset(&w->out->collectives, 0, sizeof w->out->collectives);
		if (op_block(o, r))
			block_costs(w, op_block(o, r), times);
		each[r] = *w->out;
		if (seconds_so_far(&each[r]) > seconds_so_far(&each[best]))
			best = r;
	}
	*w->out = op_n_regions(o) ? each[best] : before;
	w->out->ops = before.ops;
	w->out->collectives = before.collectives;
	for (int i = 0; i < each[best].ops.len; i++)
		vec_push(w->mem, &w->out->ops, each[best].ops.ptr[i]);
	for (int r = 0; r < op_n_regions(o); r++)
		for (int i = 0; i < each[r].collectives.len; i++) {
			collective c = each[r].collectives.ptr[i];
			c.times = r == best ? c.times : 0;
			vec_push(w->mem, &w->out->collectives, c);
		}
}

static void while_costs(cost_walk *w, const op *o, double times)
{
	int64_t trips = while_trip_count(w->m, o);
	if (!trips) {
		w->out->unknown_loops++;
		trips = 1;
	}
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r))
			block_costs(w, op_block(o, r), times * (double)trips);
}

static void call_costs(cost_walk *w, const op *o, double times)
{
	const attr *callee = op_attr(o, N_callee);
	op *f = callee && callee->kind == AT_SYMBOL ? module_lookup(w->m, callee->text) : NULL;
	if (f && !func_is_declaration(f))
		block_costs(w, op_body(f), times);
}

static void op_costs(cost_walk *w, const op *o, double times)
{
	if (o->kind == OP_CUSTOM_CALL && !op_is_collective(o) && !op_places(o))
		w->out->custom_calls++;
	add_op(w, o, times);
}

static void block_costs(cost_walk *w, const block *b, double times)
{
	if (++w->depth < MAX_COST_DEPTH)
		for (const op *o = b->first; o; o = o->next) {
			if (o->kind == OP_WHILE)
				while_costs(w, o, times);
			else if (op_has(o, CONTROL))
				branch_costs(w, o, times);
			else if (o->kind == OP_FUNC_CALL)
				call_costs(w, o, times);
			else if (!op_has(o, LISTED))
				op_costs(w, o, times);
			else if (op_body(o))
				block_costs(w, op_body(o), times);
		}
	w->depth--;
}

/* ---- which op of the local program a collective is ------------------------------------------ */

typedef VEC(const op *) op_list;

static void list_collectives(cost_walk *w, const block *b, op_list *out);

static void list_in_op(cost_walk *w, const op *o, op_list *out)
{
	const op *f = o->kind == OP_FUNC_CALL ? call_callee(w->m, o) : NULL;
	if (f && !func_is_declaration(f))
		list_collectives(w, op_body(f), out);
	for (int r = 0; op_has(o, CONTROL | LISTED) && r < op_n_regions(o); r++)
		if (op_block(o, r))
			list_collectives(w, op_block(o, r), out);
}

/* In the order of block_costs(). */
static void list_collectives(cost_walk *w, const block *b, op_list *out)
{
	if (++w->depth < MAX_COST_DEPTH)
		for (const op *o = b->first; o; o = o->next) {
			if (o->kind == OP_COLLECTIVE_PERMUTE || op_is_collective(o))
				vec_push(w->mem, out, o);
			else if (o->kind == OP_FUNC_CALL || op_n_regions(o))
				list_in_op(w, o, out);
		}
	w->depth--;
}

/* Opening calls and computing once what was computed twice keeps every collective in its place. */
static void name_local_collectives(cost_walk *w, const module *local)
{
	op_list list = {0};
	w->m = local;
	list_collectives(w, op_body(module_main(local)), &list);
	for (int i = 0; i < list.len && list.len == w->out->collectives.len; i++)
		w->out->collectives.ptr[i].o = list.ptr[i];
}

void costs_of(const module *m, const module *opened, const program_meshes *meshes, const target *t,
              arena *mem, costs *out)
{
	*out = (costs){.target = t};
	const module *walked = opened ? opened : m;
	const op *main_func = module_main(walked);
	if (!main_func || func_is_declaration(main_func))
		return;
	cost_walk w = {.m = walked, .meshes = meshes, .mem = mem, .out = out};
	w.clusters = clusters_of(walked, t, mem);
	block_costs(&w, op_body(main_func), 1);
	out->step.serial_seconds = out->step.overlapped_seconds = seconds_so_far(out);
	out->step.exposed_communication_seconds = out->comm_seconds;
	out->step.mfu = seconds_so_far(out) > 0 ? out->compute_seconds / seconds_so_far(out) : 0;
	if (walked != m)
		name_local_collectives(&w, m);
	if (opened)
		memory_of(opened, mem, &out->mem, &out->host);
}
