/* trail.c - the record of what propagation did.
 *
 * A step takes 40 bytes of small numbers while propagation runs; trail_at() makes it
 * readable.  The trail keeps the walk's tables (in its own memory), so a step costs
 * one append. */
#include "propagate/walk.h"

typedef struct raw_step {
	uint32_t slot, node, from; /* `from` is a slot; SLOT_NONE: none */
	list_no before, after;
	view_no now;
	int32_t last; /* the step before on this slot; -1: none */
	uint16_t factor, dim;
	int8_t round;
	uint8_t cause;
	int64_t priority;
} raw_step;

struct trail {
	tess_ctx *ctx;
	arena mem;
	walk *w;
	VEC(raw_step) steps;
	int32_t *last; /* [n_slots] */
};

trail *trail_new(tess_ctx *ctx)
{
	trail *t = ctx_realloc(ctx, NULL, sizeof *t);
	if (!t)
		ctx_unwind(ctx);
	*t = (trail){.ctx = ctx};
	arena_init(&t->mem, ctx);
	return t;
}

void trail_free(trail *t)
{
	if (!t)
		return;
	arena_free(&t->mem);
	ctx_realloc(t->ctx, t, 0);
}

arena *trail_memory(trail *t) { return &t->mem; }
walk *trail_walk(trail *t) { return t->w; }

void trail_begin(trail *t, walk *w)
{
	t->w = w;
	t->steps.len = 0;
	t->last = arena_alloc(&t->mem, sizeof *t->last * w->g.n_slots);
	memset(t->last, -1, sizeof *t->last * w->g.n_slots);
	w->why = t;
}

/* ---- recording ---------------------------------------------------------------------- */

static void add_step(walk *w, raw_step s)
{
	trail *t = w->why;
	s.round = (int8_t)w->round;
	s.priority = w->priority;
	s.last = t->last[s.slot];
	t->last[s.slot] = t->steps.len;
	vec_push(&t->mem, &t->steps, s);
}

static int dim_of_factor(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		for (int i = 0; i < t->dims[d].n; i++)
			if (t->dims[d].factors[i] == factor)
				return d;
	return -1;
}

void trail_add_tensor(walk *w, uint32_t n, int tensor, view_no now)
{
	const projection *p = &w->p;
	const node *nd = &w->g.nodes[n];
	const uint32_t *slots = &w->g.tensors.ptr[nd->tensors];
	for (int f = 0; f < p->n_factors; f++) {
		const cell *c = cell_at(p, tensor, f);
		if (c->list == c->was)
			continue;
		int source = projection_source(p, tensor, f);
		add_step(w, (raw_step){.slot = slots[tensor],
		                       .node = n,
		                       .from = source >= 0 ? slots[source] : SLOT_NONE,
		                       .before = c->was,
		                       .after = c->list,
		                       .now = now,
		                       .factor = (uint16_t)f,
		                       .dim = (uint16_t)dim_of_factor(&p->rule->tensors[tensor], f),
		                       .cause = nd->class == NODE_RESULT ? STEP_RESULT : STEP_OP});
	}
}

void trail_add_group(walk *w, uint32_t from_slot, uint32_t to_slot, view_no now)
{
	add_step(w, (raw_step){.slot = to_slot, .from = from_slot, .now = now, .cause = STEP_GROUP});
}

void trail_add_start(walk *w, uint32_t slot, view_no now)
{
	add_step(w, (raw_step){.slot = slot, .now = now, .cause = STEP_START});
}

/* ---- reading ------------------------------------------------------------------------- */

int trail_count(const trail *t) { return t->steps.len; }

trail_step trail_at(const trail *t, int i)
{
	const raw_step *s = &t->steps.ptr[i];
	walk *w = t->w;
	arena *mem = &((trail *)(uintptr_t)t)->mem;
	value *to = w->g.values[s->slot];
	bool through = s->cause == STEP_OP || s->cause == STEP_RESULT;
	return (trail_step){.cause = s->cause,
	                    .op = through ? w->g.nodes[s->node].op : NULL,
	                    .value = to,
	                    .result = to ? 0 : slot_result(&w->g, s->slot),
	                    .from = s->from ? w->g.values[s->from] : NULL,
	                    .dim = through ? s->dim : -1,
	                    .factor = through ? s->factor : -1,
	                    .before = book_axes(&w->b, s->before, mem),
	                    .after = book_axes(&w->b, s->after, mem),
	                    .round = s->round,
	                    .priority = s->priority,
	                    .sharding = book_sharding(&w->b, s->now)};
}

uint32_t trail_slot(const trail *t, const value *v)
{
	const value *bearer = value_shardable(v);
	uint32_t slot = bearer ? value_slot(bearer) : SLOT_NONE;
	return slot < t->w->g.n_slots ? slot : SLOT_NONE;
}

int trail_last(const trail *t, const value *v, int before)
{
	int i = t->last[trail_slot(t, v)];
	while (i >= before)
		i = t->steps.ptr[i].last;
	return i;
}

const sharding *trail_initial(const trail *t, const value *v)
{
	return book_sharding(&t->w->b, t->w->begin[trail_slot(t, v)]);
}

const sharding *trail_initial_result(const trail *t, const op *func, int result)
{
	const walk *w = t->w;
	if (func != w->g.main || result < 0 || result >= func->func->type->n_out)
		return NULL;
	return book_sharding(&t->w->b, w->begin[result_slot(&w->g, result)]);
}
