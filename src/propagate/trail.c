/* trail.c - the record of what propagation did.
 *
 * While propagation runs, a step takes 24 bytes of small numbers, in blocks that never move,
 * because touching new memory is most of the cost of recording. Everything that can be derived is
 * derived later: which step came before on the same value (chain_steps()), and in which round.
 * trail_at() makes a step readable. The trail owns the memory of the walk, whose tables it needs
 * for that. */
#include "propagate/walk.h"

typedef struct raw_step {
	uint32_t node;   /* for STEP_START the slot, for STEP_GROUP the source's slot */
	uint32_t before; /* a list_no; for STEP_GROUP the target's slot */
	list_no after;
	view_no now;
	uint64_t cause : 2, tensor : 22, from : 22, factor : 18; /* from: 0 none, else 1 + tensor */
} raw_step;

/* The steps from `first` on were taken in this round and for this priority. */
typedef struct trail_turn {
	int first, round;
	int64_t priority;
} trail_turn;

enum { BLOCK_STEPS = 1024 };

struct trail {
	tess_ctx *ctx;
	arena mem;
	walk *w;
	VEC(raw_step *) blocks;
	raw_step *next, *end; /* of the newest block */
	int n_steps;
	VEC(trail_turn) turns;
	/* Made when first needed; NULL: not yet. */
	int32_t *last;     /* [n_slots]: the newest step; -1: none */
	int32_t *previous; /* [n_steps]: the step before on the same slot; -1: none */
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
	t->n_steps = t->blocks.len = t->turns.len = 0;
	t->next = t->end = NULL;
	t->last = t->previous = NULL;
	w->why = t;
}

/* ---- recording ---------------------------------------------------------------------- */

/* Starts a new trail_turn if the round or priority differs from that of the last step. */
static void note_turn(trail *t, const walk *w)
{
	const trail_turn *now = t->turns.len ? &t->turns.ptr[t->turns.len - 1] : NULL;
	if (LIKELY(now && now->round == w->round && now->priority == w->priority))
		return;
	vec_push(&t->mem, &t->turns, (trail_turn){t->n_steps, w->round, w->priority});
}

static void new_block(trail *t)
{
	raw_step *block = arena_alloc(&t->mem, sizeof *block * BLOCK_STEPS);
	vec_push(&t->mem, &t->blocks, block);
	t->next = block;
	t->end = block + BLOCK_STEPS;
}

static void add_step(walk *w, raw_step s)
{
	trail *t = w->why;
	if (UNLIKELY(t->next == t->end))
		new_block(t);
	note_turn(t, w);
	*t->next++ = s;
	t->n_steps++;
}

void trail_add_tensor(walk *w, uint32_t n, int tensor, view_no now)
{
	const projection *p = &w->p;
	step_cause cause = w->g.nodes[n].class == NODE_RESULT ? STEP_RESULT : STEP_OP;
	for (int f = 0; f < p->n_factors; f++) {
		const cell *c = cell_at(p, tensor, f);
		if (c->list == c->was)
			continue;
		int from = projection_source(p, tensor, f) + 1;
		add_step(w, (raw_step){n, c->was, c->list, now, (unsigned)cause & 3,
		                       (unsigned)tensor & 0x3FFFFF, (unsigned)from & 0x3FFFFF,
		                       (unsigned)f & 0x3FFFF});
	}
}

/* The source is another slot; no node joins it with the target. */
void trail_add_group(walk *w, uint32_t from_slot, uint32_t to_slot, view_no now)
{
	add_step(w, (raw_step){.node = from_slot, .before = to_slot, .now = now,
	                       .cause = STEP_GROUP});
}

void trail_add_start(walk *w, uint32_t slot, view_no now)
{
	add_step(w, (raw_step){.node = slot, .now = now, .cause = STEP_START});
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

static bool step_through_node(const raw_step *s)
{
	return s->cause == STEP_OP || s->cause == STEP_RESULT;
}

/* The slot of a tensor of the step's node. */
static uint32_t step_tensor(const walk *w, const raw_step *s, unsigned tensor)
{
	return node_slot(&w->g, &w->g.nodes[s->node], (int)tensor);
}

static uint32_t step_slot(const walk *w, const raw_step *s)
{
	if (step_through_node(s))
		return step_tensor(w, s, s->tensor);
	return s->cause == STEP_GROUP ? s->before : s->node;
}

static uint32_t step_source(const walk *w, const raw_step *s)
{
	if (s->cause == STEP_GROUP)
		return s->node;
	return s->from ? step_tensor(w, s, s->from - 1) : SLOT_NONE;
}

static const trail_turn *step_turn(const trail *t, int step)
{
	int low = 0, high = t->turns.len;
	while (high - low > 1) {
		int middle = (low + high) / 2;
		*(t->turns.ptr[middle].first <= step ? &low : &high) = middle;
	}
	return &t->turns.ptr[low];
}

trail_step trail_at(const trail *t, int i)
{
	const raw_step *s = raw_step_at(t, i);
	walk *w = t->w;
	arena *mem = &((trail *)(uintptr_t)t)->mem;
	uint32_t slot = step_slot(w, s), from = step_source(w, s);
	value *to = slot_value(&w->g, slot);
	const node *n = step_through_node(s) ? &w->g.nodes[s->node] : NULL;
	const trail_turn *turn = step_turn(t, i);
	return (trail_step){.cause = (step_cause)s->cause,
	                    .op = n ? n->op : NULL,
	                    .value = to,
	                    .result = to ? 0 : slot_result(&w->g, slot),
	                    .from = from ? slot_value(&w->g, from) : NULL,
	                    .dim = n ? dim_of_factor(&n->rule->tensors[s->tensor], s->factor) : -1,
	                    .factor = n ? (int)s->factor : -1,
	                    .before = n ? book_axes(w->b, s->before, mem) : (axis_list){0},
	                    .after = n ? book_axes(w->b, s->after, mem) : (axis_list){0},
	                    .round = turn->round,
	                    .priority = turn->priority,
	                    .sharding = book_sharding(w->b, s->now)};
}

uint32_t trail_slot(const trail *t, const value *v)
{
	const value *bearer = value_shardable(v);
	uint32_t slot = bearer ? value_slot(bearer) : SLOT_NONE;
	return slot < t->w->g.n_slots ? slot : SLOT_NONE;
}

/* Links each step to the one before on the same slot. */
static void chain_steps(trail *t)
{
	const walk *w = t->w;
	int32_t *last = arena_alloc(&t->mem, sizeof *last * w->g.n_slots);
	int32_t *previous = arena_alloc(&t->mem, sizeof *previous * (size_t)(t->n_steps + 1));
	memset(last, -1, sizeof *last * w->g.n_slots);
	for (int i = 0; i < t->n_steps; i++) {
		int32_t *of_slot = &last[step_slot(w, raw_step_at(t, i))];
		previous[i] = *of_slot;
		*of_slot = i;
	}
	t->last = last;
	t->previous = previous;
}

int trail_last(const trail *t, const value *v, int before)
{
	if (!t->last)
		chain_steps((trail *)(uintptr_t)t);
	int i = t->last[trail_slot(t, v)];
	while (i >= before)
		i = t->previous[i];
	return i;
}

const sharding *trail_initial(const trail *t, const value *v)
{
	return book_sharding(t->w->b, t->w->begin[trail_slot(t, v)]);
}
