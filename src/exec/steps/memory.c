/* memory.c - assigns slots their offsets in one arena.
 *
 * Steps are numbered in the order of planning, with those of regions inside their op's. A slot must
 * last from the step that writes it to the last step that reads it; what a loop reads but did not
 * write itself must last until the loop ends.
 *
 * Slots share memory in three ways: they are never needed at the same time; a result is computed in
 * the memory of an operand that is not used later (step->in_place); and a value that a loop yields
 * takes the memory of the carried value that it replaces. */
#include "exec/steps/plan.h"

typedef struct loop_span {
	const struct loop_span *outer;
	int at, end;
} loop_span;

typedef struct memory_plan {
	exec_plan *p;
	step **steps; /* by number */
} memory_plan;

/* ---- lifetimes -------------------------------------------------------------------- */

/* The step itself, or the end of the outermost loop that starts after `home`. */
static int stays_until(const loop_span *l, int at, int home)
{
	for (; l && l->at > home; l = l->outer)
		at = l->end;
	return at;
}

static void touch(slot *s, int at, const loop_span *l)
{
	int until = stays_until(l, at, s->home);
	if (until > s->read)
		s->read = until;
	if (until > s->last)
		s->last = until;
}

static void find_lifetimes(memory_plan *m, const step_list *list, const loop_span *l)
{
	for (int i = 0; i < list->len; i++) {
		step *s = list->ptr[i];
		step_plan *k = s->plan;
		m->steps[k->at] = s;
		bool is_loop = k->kind == STEP_WHILE;
		loop_span inner = {l, k->at, k->end};
		/* A carried value's home is its loop. */
		for (int c = 0; c < k->n_carries; c++)
			k->carries[c].slot->home = k->at;
		for (int b = 0; b < k->n_blocks; b++)
			find_lifetimes(m, &k->blocks[b], is_loop ? &inner : l);
		for (int t = 0; t < s->n_in; t++)
			touch(k->refs[t].slot, is_loop ? k->end : k->at, l);
		for (int t = s->n_in; t < s->n_in + s->n_out; t++)
			if (k->refs[t].slot->last < k->at)
				k->refs[t].slot->last = k->at;
		for (int c = 0; c < k->n_carries; c++) {
			slot *x = k->carries[c].slot;
			k->carries[c].read = x->read;
			x->last = (int)max_i64(x->last, k->end);
		}
	}
}

/* ---- loops: yielded values and carried values ----------------------------------------------- */

/* True if step s reads the slot through one reference only, and may overwrite it with its result
 * `out`. */
static bool may_overwrite(const step *s, const slot *in, const slot *out)
{
	int reads = 0, at = -1;
	for (int t = 0; t < s->n_in; t++)
		if (s->plan->refs[t].slot &&
		    slot_root(s->plan->refs[t].slot) == slot_root((slot *)in))
			reads++, at = t;
	if (reads != 1 || s->plan->refs[at].offset)
		return false;
	for (int i = 0; i < s->n_in_place; i++)
		if (s->in_place[i].in == at &&
		    s->plan->refs[s->n_in + s->in_place[i].out].slot == out)
			return true;
	return false;
}

static void share(slot *s, slot *with)
{
	s->same = with;
	with->first = (int)min_i64(with->first, s->first);
	with->last = (int)max_i64(with->last, s->last);
}

static void settle_carry(memory_plan *m, const step_plan *loop_plan, carry *c)
{
	slot *to = c->slot, *next = c->next;
	next->last = (int)max_i64(next->last, loop_plan->end);
	bool free_to_share = !next->same && !next->pinned && !to->pinned;
	bool read_before = c->read < next->first ||
	                   (c->read == next->first &&
	                    may_overwrite(m->steps[next->first], to, next));
	if (free_to_share && read_before) {
		c->how = CARRY_SHARED;
		share(next, to);
	} else if (free_to_share && !to->same && classes_is_uniform(loop_plan->control)) {
		c->how = CARRY_EXCHANGE;
		next->pinned = to->pinned = true;
	}
}

/* Both memories are taken while either value is needed. */
static void settle_exchange(const carry *c)
{
	slot *a = slot_root(c->slot), *b = slot_root(c->next);
	a->first = b->first = (int)min_i64(a->first, b->first);
	a->last = b->last = (int)max_i64(a->last, b->last);
}

static void settle_loops(memory_plan *m, const step_list *list)
{
	for (int i = 0; i < list->len; i++) {
		step_plan *k = list->ptr[i]->plan;
		for (int b = 0; b < k->n_blocks; b++)
			settle_loops(m, &k->blocks[b]);
		for (int c = 0; c < k->n_carries; c++)
			if (k->carries[c].next)
				settle_carry(m, k, &k->carries[c]);
	}
}

static void settle_exchanges(const step_list *list)
{
	for (int i = 0; i < list->len; i++) {
		const step_plan *k = list->ptr[i]->plan;
		for (int c = 0; c < k->n_carries; c++)
			if (k->carries[c].how == CARRY_EXCHANGE)
				settle_exchange(&k->carries[c]);
		for (int b = 0; b < k->n_blocks; b++)
			settle_exchanges(&k->blocks[b]);
	}
}

/* ---- results in the caller's memory --------------------------------------------------------- */

static bool same_size(const slot *a, const slot *b)
{
	return a->bytes == b->bytes && a->cls == b->cls;
}

/* Marks slots whose memory has another size than that of slots that share it. */
static uint8_t *slots_shared_oddly(const exec_plan *p)
{
	uint8_t *odd = NEW_N(&p->ctx->scratch, uint8_t, p->slots.len);
	for (int i = 0; i < p->slots.len; i++) {
		slot *s = p->slots.ptr[i], *root = slot_root(s);
		odd[root->id] |= !same_size(s, root);
	}
	return odd;
}

/* True if result i may be computed in the caller's memory. */
static bool is_placeable(const exec_plan *p, int i, const uint8_t *odd)
{
	const slot *s = p->results[i].slot, *root = slot_root((slot *)s);
	return root->kind == IN_ARENA && !root->pinned && !root->once && !s->once &&
	       !p->results[i].offset && root->used == p->places[i].bytes && root->first >= 0 &&
	       !odd[root->id];
}

/* True if the argument is no longer read when the result is written. */
static bool is_free_for(const memory_plan *m, const slot *arg, const slot *result)
{
	if (!same_size(arg, result) || arg->used != result->used)
		return false;
	return arg->last < result->first ||
	       (arg->last == result->first &&
	        may_overwrite(m->steps[result->first], arg, result));
}

/* The number of an argument whose memory the result may take, among the next few; else -1. */
static int argument_to_reuse(const memory_plan *m, const slot *result, uint8_t *taken, int from)
{
	enum { FEW = 64 };
	const exec_plan *p = m->p;
	for (int k = 0; k < p->n_args && k < FEW; k++) {
		int a = (from + k) % p->n_args;
		if (taken[a] || !is_free_for(m, p->args[a].slot, result))
			continue;
		taken[a] = true;
		return a;
	}
	return -1;
}

/* To be called before slots get offsets, which those of results do not need. */
static void settle_results(memory_plan *m)
{
	exec_plan *p = m->p;
	const uint8_t *odd = slots_shared_oddly(p);
	uint8_t *taken = NEW_N(&p->ctx->scratch, uint8_t, p->n_args + 1);
	for (int i = 0; i < p->n_results; i++) {
		const type *t = p->result_types[i];
		given_result *at = &p->places[i];
		slot *root = slot_root(p->results[i].slot);
		*at = (given_result){.argument = -1, .reuse = -1};
		at->bytes = t->kind == TY_TENSOR
		                    ? (size_t)t->n_elems * (size_t)dtype_bytes(stored_dtype(t)) : 0;
		if (root->kind == IN_ARG) {
			at->argument = root->arg;
		} else if (is_placeable(p, i, odd)) {
			root->kind = IN_RESULT;
			root->arg = i;
			at->reuse = argument_to_reuse(m, root, taken, i);
		} else {
			at->copied = true;
		}
	}
}

/* ---- offsets -------------------------------------------------------------------------------- */

typedef struct hole {
	size_t at, size;
} hole;

typedef struct heap {
	arena *mem;
	VEC(hole) holes; /* by address; the last one is unbounded */
	size_t top;
	size_t live, peak;
} heap;

static size_t heap_take(heap *h, size_t size)
{
	int best = h->holes.len - 1;
	for (int i = 0; i < h->holes.len - 1; i++)
		if (h->holes.ptr[i].size >= size && h->holes.ptr[i].size < h->holes.ptr[best].size)
			best = i;
	hole *k = &h->holes.ptr[best];
	size_t at = k->at;
	k->at += size;
	k->size -= size;
	if (!k->size) {
		memmove(k, k + 1, sizeof *k * (size_t)(h->holes.len - best - 1));
		h->holes.len--;
	}
	if (at + size > h->top)
		h->top = at + size;
	return at;
}

static void heap_give(heap *h, size_t at, size_t size)
{
	int lo = 0, hi = h->holes.len; /* the first hole after it */
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (h->holes.ptr[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	bool before = lo > 0 && h->holes.ptr[lo - 1].at + h->holes.ptr[lo - 1].size == at;
	bool behind = lo < h->holes.len && h->holes.ptr[lo].at == at + size;
	if (before && behind) {
		h->holes.ptr[lo - 1].size += size + h->holes.ptr[lo].size;
		memmove(&h->holes.ptr[lo], &h->holes.ptr[lo + 1],
		        sizeof(hole) * (size_t)(h->holes.len - lo - 1));
		h->holes.len--;
	} else if (before) {
		h->holes.ptr[lo - 1].size += size;
	} else if (behind) {
		h->holes.ptr[lo].at = at;
		h->holes.ptr[lo].size += size;
	} else {
		vec_push(h->mem, &h->holes, (hole){0});
		memmove(&h->holes.ptr[lo + 1], &h->holes.ptr[lo],
		        sizeof(hole) * (size_t)(h->holes.len - lo - 1));
		h->holes.ptr[lo] = (hole){at, size};
	}
}

static size_t slot_size(const slot *s) { return s->bytes * (size_t)s->cls->n_here; }

/* An operand of the step that writes `s` that is unused later and can lend its memory; or NULL. */
static slot *dying_operand(const memory_plan *m, const slot *s)
{
	const step *at = s->first >= 0 ? m->steps[s->first] : NULL;
	for (int i = 0; at && !s->pinned && i < at->n_in_place; i++) {
		const ref *in = &at->plan->refs[at->in_place[i].in];
		const ref *out = &at->plan->refs[at->n_in + at->in_place[i].out];
		slot *from = slot_root(in->slot);
		if (slot_root(out->slot) == s && from != s && from->kind == IN_ARENA &&
		    !from->pinned && from->last == at->plan->at && same_size(from, s) &&
		    may_overwrite(at, in->slot, out->slot))
			return from;
	}
	return NULL;
}

typedef struct by_step {
	int *head, *next; /* lists of slot ids by step */
} by_step;

static by_step by_step_new(memory_plan *m)
{
	exec_plan *p = m->p;
	by_step b = {NEW_N(&p->mem, int, p->n_steps + 1), NEW_N(&p->mem, int, p->slots.len)};
	memset(b.head, -1, sizeof(int) * (size_t)(p->n_steps + 1));
	return b;
}

static void by_step_add(by_step *b, int at, int id)
{
	b->next[id] = b->head[at];
	b->head[at] = id;
}

static void place_slots(memory_plan *m, heap *h)
{
	exec_plan *p = m->p;
	by_step begin = by_step_new(m), end = by_step_new(m);
	for (int i = p->slots.len - 1; i >= 0; i--) {
		slot *s = p->slots.ptr[i];
		if (s->kind != IN_ARENA || s->same || !slot_size(s) || s->first < 0)
			continue;
		if (s->once) {
			s->first = 0;
			s->last = p->n_steps;
		}
		s->last = (int)min_i64(max_i64(s->last, s->first), p->n_steps);
		by_step_add(&begin, s->first, i);
		by_step_add(&end, s->last, i);
	}
	for (int t = 0; t <= p->n_steps; t++) {
		for (int i = begin.head[t]; i >= 0; i = begin.next[i]) {
			slot *s = p->slots.ptr[i], *from = dying_operand(m, s);
			if (from) {
				s->offset = from->offset;
				from->last = -2; /* not to be freed */
			} else {
				s->offset = heap_take(h, slot_size(s));
				h->live += slot_size(s);
			}
		}
		if (h->live > h->peak)
			h->peak = h->live;
		for (int i = end.head[t]; i >= 0; i = end.next[i]) {
			slot *s = p->slots.ptr[i];
			if (s->last == -2)
				continue;
			heap_give(h, s->offset, slot_size(s));
			h->live -= slot_size(s);
		}
	}
}

/* The peak if each device had its own copy. */
static size_t unshared_peak(const exec_plan *p)
{
	size_t *change = NEW_N(&p->ctx->scratch, size_t, p->n_steps + 2), live = 0, peak = 0;
	for (int i = 0; i < p->slots.len; i++) {
		const slot *s = p->slots.ptr[i];
		if (s->kind != IN_ARENA || s->same || s->first < 0 || s->last < s->first)
			continue;
		change[s->first] += s->bytes * (size_t)p->n_devices;
		change[min_i64(s->last, p->n_steps) + 1] -= s->bytes * (size_t)p->n_devices;
	}
	for (int t = 0; t <= p->n_steps; t++) {
		live += change[t];
		if (live > peak)
			peak = live;
	}
	return peak;
}

bool plan_memory(exec_plan *p)
{
	memory_plan m = {p, NEW_N(&p->mem, step *, p->n_steps + 1)};
	double total = 0;
	for (int i = 0; i < p->slots.len; i++)
		total += (double)p->slots.ptr[i]->bytes * p->slots.ptr[i]->cls->n_here;
	if (total > 0x1p60)
		return diag_error(p->ctx, op_place(p->m, p->func), E_EXEC_MEMORY,
		                  "the values of the program take more than 2^60 bytes");
	find_lifetimes(&m, &p->main, NULL);
	settle_loops(&m, &p->main);
	settle_exchanges(&p->main);
	settle_exchanges(&p->main);
	if (p->opts.shards) {
		p->places = NEW_N(&p->mem, given_result, p->n_results + 1);
		settle_results(&m);
	}
	p->facts.unshared_bytes = unshared_peak(p);
	heap h = {.mem = &p->mem};
	vec_push(&p->mem, &h.holes, (hole){0, SIZE_MAX});
	place_slots(&m, &h);
	p->arena_bytes = h.top;
	p->facts.memory_bytes = h.peak;
	if (p->opts.max_bytes && p->arena_bytes > p->opts.max_bytes)
		return diag_error(
			p->ctx, op_place(p->m, p->func), E_EXEC_MEMORY,
			"the program needs %zu bytes for intermediate values, but only %zu are allowed",
			p->arena_bytes, p->opts.max_bytes);
	return true;
}
