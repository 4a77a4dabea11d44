/* costs.c - the costs of a whole program: ops, collectives, memory. */
#include "cost/collective.h"
#include "cost/memory.h"

typedef struct cost_walk {
	const module *m;
	const program_meshes *meshes;
	arena *mem;
	costs *out;
	int depth;
} cost_walk;

static void block_costs(cost_walk *w, const block *b, double times);

/* Rates differ by dtype: products of half precision and integers run on the fast
 * units. */
static double flop_rate(const target *t, const op *o)
{
	dtype dt = o->n_operands ? operand(o, 0)->type->dtype : DT_NONE;
	return dt && dtype_bits(dt) <= 16 ? t->flops_bf16 : t->flops_f32;
}

static void add_op(cost_walk *w, const op *o, double times)
{
	costs *c = w->out;
	collective col;
	if (collective_of(w->m, o, w->meshes, c->target, w->mem, &col)) {
		col.times = times;
		vec_push(w->mem, &c->collectives, col);
		c->comm_seconds += times * col.seconds;
		c->comm_bytes += times * col.wire_bytes;
		return;
	}
	op_cost k = {.o = o, .times = times, .w = op_work(w->m, o)};
	if (!k.w.flops && k.w.bytes == 0)
		return;
	double compute = k.w.flops / flop_rate(c->target, o);
	double traffic = k.w.bytes / c->target->memory_bandwidth;
	k.seconds = compute > traffic ? compute : traffic;
	c->total.flops += times * k.w.flops;
	c->total.bytes += times * k.w.bytes;
	c->compute_seconds += times * compute;
	c->memory_seconds += times * traffic;
	c->op_seconds += times * k.seconds;
	vec_push(w->mem, &c->ops, k);
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
	enum { MAX_DEPTH = 200 };
	if (++w->depth < MAX_DEPTH)
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

void costs_of(const module *m, const module *opened, const program_meshes *meshes, const target *t,
              arena *mem, costs *out)
{
	*out = (costs){.target = t};
	const op *main_func = module_main(m);
	if (!main_func || func_is_declaration(main_func))
		return;
	cost_walk w = {.m = m, .meshes = meshes, .mem = mem, .out = out};
	block_costs(&w, op_body(main_func), 1);
	if (opened)
		memory_of(opened, mem, &out->mem, &out->host);
}
