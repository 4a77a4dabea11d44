/* trail.c - the record of what propagation did.
 *
 * A step takes 36 bytes of small numbers while propagation runs, in blocks that never
 * move; trail_at() makes it readable.  The trail keeps the walk's tables (in its own
 * memory), so a step costs one append. */
#include "propagate/walk.h"

typedef struct raw_step {
	uint32_t slot, node; /* of STEP_GROUP the slot it came from */
	list_no before, after;
	view_no now;
	int32_t last;          /* the step before on this slot; -1: none */
	int16_t tensor, from;  /* of the node; -1: none */
	uint16_t factor, priority; /* the latter a number in trail.priorities */
	int8_t round;
	uint8_t cause;
} raw_step;

enum { BLOCK_STEPS = 1024 };

struct trail {
	tess_ctx *ctx;
	arena mem;
	walk *w;
	VEC(raw_step *) blocks;
	int n_steps;
	VEC(int64_t) priorities; /* in the order of their turns */
	int32_t *last;           /* [n_slots] */
};

static raw_step *raw_step_at(const trail *t, int i)
{
	return &t->blocks.ptr[i / BLOCK_STEPS][i % BLOCK_STEPS];
}

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
	t->n_steps = 0;
	t->last = arena_alloc(&t->mem, sizeof *t->last * w->g.n_slots);
	memset(t->last, -1, sizeof *t->last * w->g.n_slots);
	w->why = t;
}

/* ---- recording ---------------------------------------------------------------------- */

static raw_step *add_step(walk *w, uint32_t slot, step_cause cause, view_no now)
{
	trail *t = w->why;
	if (t->n_steps == t->blocks.len * BLOCK_STEPS)
		vec_push(&t->mem, &t->blocks, arena_alloc(&t->mem, sizeof(raw_step) * BLOCK_STEPS));
	int n = t->priorities.len;
	if (!n || t->priorities.ptr[n - 1] != w->priority)
		vec_push(&t->mem, &t->priorities, w->priority);
	raw_step *s = raw_step_at(t, t->n_steps);
	*s = (raw_step){.slot = slot, .now = now, .last = t->last[slot], .tensor = -1, .from = -1,
	                .priority = (uint16_t)(t->priorities.len - 1), .round = (int8_t)w->round,
	                .cause = (uint8_t)cause};
	t->last[slot] = t->n_steps++;
	return s;
}

void trail_add_tensor(walk *w, uint32_t n, int tensor, view_no now)
{
	const projection *p = &w->p;
	const node *nd = &w->g.nodes[n];
	uint32_t slot = w->g.tensors.ptr[nd->tensors + (uint32_t)tensor];
	step_cause cause = nd->class == NODE_RESULT ? STEP_RESULT : STEP_OP;
	for (int f = 0; f < p->n_factors; f++) {
		const cell *c = cell_at(p, tensor, f);
		if (c->list == c->was)
			continue;
		raw_step *s = add_step(w, slot, cause, now);
		s->node = n;
		s->tensor = (int16_t)tensor;
		s->from = (int16_t)projection_source(p, tensor, f);
		s->before = c->was;
		s->after = c->list;
		s->factor = (uint16_t)f;
	}
}

/* What it came from is another slot, which no node joins with this one. */
void trail_add_group(walk *w, uint32_t from_slot, uint32_t to_slot, view_no now)
{
	add_step(w, to_slot, STEP_GROUP, now)->node = from_slot;
}

void trail_add_start(walk *w, uint32_t slot, view_no now)
{
	add_step(w, slot, STEP_START, now);
}

/* ---- reading ------------------------------------------------------------------------- */

int trail_count(const trail *t) { return t->n_steps; }

static int dim_of_factor(const tensor_factors *t, int factor)
{
	for (int d = 0; d < t->rank; d++)
		for (int i = 0; i < t->dims[d].n; i++)
			if (t->dims[d].factors[i] == factor)
				return d;
	return -1;
}

static uint32_t step_source(const walk *w, const raw_step *s)
{
	if (s->cause == STEP_GROUP)
		return s->node;
	return s->from < 0 ? SLOT_NONE
	                   : w->g.tensors.ptr[w->g.nodes[s->node].tensors + (uint32_t)s->from];
}

trail_step trail_at(const trail *t, int i)
{
	const raw_step *s = raw_step_at(t, i);
	walk *w = t->w;
	arena *mem = &((trail *)(uintptr_t)t)->mem;
	value *to = w->g.values[s->slot];
	bool through = s->cause == STEP_OP || s->cause == STEP_RESULT;
	uint32_t from = step_source(w, s);
	const node *n = through ? &w->g.nodes[s->node] : NULL;
	return (trail_step){.cause = s->cause,
	                    .op = n ? n->op : NULL,
	                    .value = to,
	                    .result = to ? 0 : slot_result(&w->g, s->slot),
	                    .from = from ? w->g.values[from] : NULL,
	                    .dim = n ? dim_of_factor(&n->rule->tensors[s->tensor], s->factor) : -1,
	                    .factor = n ? s->factor : -1,
	                    .before = book_axes(&w->b, s->before, mem),
	                    .after = book_axes(&w->b, s->after, mem),
	                    .round = s->round,
	                    .priority = t->priorities.ptr[s->priority],
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
		i = raw_step_at(t, i)->last;
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
