/* assign.c - the memory that XLA's compiler for CPUs gives to the kernels of a block.
 *
 * A buffer lives from the kernel that writes it to the last kernel that reads it. An operation that
 * updates a part of a value writes into that value's buffer, and a loop writes into the buffers of
 * its initial values. A kernel that computes element by element may write over an operand of the
 * same type whose last use this is.
 *
 * The value that a loop's body yields is written over the value that came in, and a result of main
 * over the donated argument, if every kernel that reads the old value has to run before the new one
 * is written. Otherwise one of the two is copied.
 *
 * Buffers of main get memory in the order of their size, the largest first. The memory of a result,
 * and of the argument that was donated for it, is free until the result is written, except while
 * the argument is read. A buffer goes into memory in which no other buffer lives at the same time.
 * Of all memory that is large enough and free, it takes the one that was given last, which is the
 * smallest. */
#include "cost/kernels.h"

#include <stdlib.h>

/* A buffer of a block. */
typedef struct placed {
	cpu_block *c;
	int buffer;
} placed;

static buffer *buffer_at(const cpu_block *c, int i) { return &c->buffers.ptr[i]; }

static int buffer_of_value(const cpu_block *c, const value *v)
{
	while (renamed(c->w, v))
		v = renamed(c->w, v);
	return value_block(v) == c->b ? c->w->buffer_of[v->id] - 1 : -1;
}

/* ---- when buffers live ---------------------------------------------------------------------------- */

static void find_lives(cpu_block *c)
{
	for (int i = 0; i < c->buffers.len; i++) {
		buffer *b = buffer_at(c, i);
		if (b->by >= 0)
			b->from = b->to = c->kernels.ptr[b->by].at;
		for (int n = c->first_user[i]; n < c->first_user[i + 1]; n++)
			b->to = (int)max_i64(b->to, c->kernels.ptr[c->users[n]].at);
	}
	/* A buffer that is written in the memory of another one keeps that memory alive. */
	for (int i = 0; i < c->buffers.len; i++) {
		buffer *b = buffer_at(c, i), *home = buffer_at(c, home_of(c, i));
		home->to = (int)max_i64(home->to, b->to);
	}
}

/* Returns true if kernel k may write its result into the memory of buffer `old`. */
static bool may_write_over(cpu_block *c, int k, int old)
{
	for (int i = c->first_user[old]; i < c->first_user[old + 1]; i++) {
		int by = c->users[i];
		if (by == k ? !reads_in_step(c, k, old) : !kernel_needs(c, k, by))
			return false;
	}
	return true;
}

/* Adds a copy that lives from the start of the block to `to`. */
static void add_copy(cpu_block *c, const value *v, int to)
{
	vec_push(c->w->mem, &c->buffers,
	         ((buffer){.v = v,
	                   .t = v->type,
	                   .bytes = written_bytes(c->w, v, false),
	                   .by = -1,
	                   .after = -1,
	                   .from = c->begin,
	                   .to = to}));
}

/* Decides for each value that a loop's body yields whether it is written over the value that came
 * in, or copied. */
static void hand_on(cpu_block *c)
{
	const op *end = block_terminator(c->b);
	for (int i = 0; i < end->n_operands && i < c->b->n_args; i++) {
		int at = buffer_of_value(c, operand(end, i)),
		    old = c->w->buffer_of[c->b->args[i]->id] - 1;
		if (at < 0 || at == old)
			continue;
		buffer *b = buffer_at(c, home_of(c, at));
		if (home_of(c, at) == old)
			continue;
		if (b->by < 0 || b->kept) {
			add_copy(c, operand(end, i), c->end);
			continue;
		}
		b->to = c->end;
		b->kept = may_write_over(c, b->by, old);
	}
}

/* The buffers that a branch or a function yields are counted with the operation that runs it. */
static void hand_out(cpu_block *c)
{
	const op *end = block_terminator(c->b);
	for (int i = 0; i < end->n_operands; i++) {
		int at = buffer_of_value(c, operand(end, i));
		if (at < 0)
			continue;
		buffer_at(c, home_of(c, at))->kept = true;
		buffer_at(c, home_of(c, at))->to = c->end;
	}
}

static void return_results(cpu_block *c)
{
	for (int i = 0; i < c->buffers.len; i++) {
		buffer *b = buffer_at(c, i), *home = buffer_at(c, home_of(c, i));
		if (fact(c->w, b->v)->returned && c->w->buffer_of[b->v->id] == i + 1) {
			home->returned = true;
			home->donor = fact(c->w, b->v)->donor;
			home->to = c->end;
		}
	}
}

/* ---- all blocks ------------------------------------------------------------------------------------ */

/* A kernel of a block, at one place of the timeline. */
typedef struct moment {
	cpu_block *c;
	int kernel;
} moment;

/* All kernels of main in the order in which they run, those in regions included. */
typedef struct timeline {
	mem_walk *w;
	int clock;
	VEC(cpu_block *) blocks;
	VEC(moment) moments;
} timeline;

static void run_block(timeline *t, const block *b, const op *outer);

static void run_regions(timeline *t, const op *o, const op *outer)
{
	for (int r = 0; runs_regions(o) && r < op_n_regions(o); r++)
		if (op_block(o, r))
			run_block(t, op_block(o, r), outer ? outer : o);
}

/* Runs the kernels of a block; kernels that were merged into one run at the same time. */
static void run_kernels(timeline *t, cpu_block *c)
{
	int before = -1;
	for (int n = 0; n < c->kernels.len; n++) {
		cpu_kernel *k = &c->kernels.ptr[c->order[n]];
		if (!k->copies)
			run_regions(t, k->o, c->outer);
		bool same = k->at == before;
		before = k->at;
		k->at = same ? t->clock - 1 : t->clock++;
		vec_push(t->w->mem, &t->moments, ((moment){c, c->order[n]}));
	}
	c->end = t->clock - 1;
}

static void run_block(timeline *t, const block *b, const op *outer)
{
	if (!b->first || !op_has(b->last, TERMINATOR) || t->w->depth > MOST_NESTED)
		return;
	cpu_block *c = NEW(t->w->mem, cpu_block);
	*c = (cpu_block){.w = t->w, .b = b, .outer = outer, .begin = t->clock};
	t->w->depth++;
	find_kernels(c);
	find_users(c);
	order_kernels(c);
	run_kernels(t, c);
	find_lives(c);
	t->w->depth--;
	vec_push(t->w->mem, &t->blocks, c);
}

static void find_results(const timeline *t, cpu_block *c)
{
	if (!c->outer && t->w->depth == 1)
		return_results(c);
	else if (block_parent(c->b)->kind == OP_WHILE)
		hand_on(c);
	else
		hand_out(c);
}

/* ---- the memory of results --------------------------------------------------------------------- */

/* Memory that exists during the whole program, and the buffers that use it, in the order of
 * time. */
typedef struct lent_memory {
	int64_t bytes;
	VEC(placed) buffers;
} lent_memory;

typedef struct wanted {
	int64_t bytes;
	bool returned;
	placed p;
} wanted;

typedef struct lending {
	const timeline *t;
	VEC(wanted) all; /* in the order in which they get memory */
	VEC(lent_memory) places;
	arena *mem;
} lending;

static int by_size(const void *a, const void *b)
{
	const wanted *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	if (x->returned != y->returned)
		return x->returned ? -1 : 1;
	int from = buffer_at(x->p.c, x->p.buffer)->from,
	    other = buffer_at(y->p.c, y->p.buffer)->from;
	return from != other ? (from > other) - (from < other)
	                     : (x->p.buffer > y->p.buffer) - (x->p.buffer < y->p.buffer);
}

/* Returns true if buffer `next` may be written over `old`, whose last use that is. */
static bool takes_over(const cpu_block *c, int next, int old)
{
	const buffer *b = buffer_at(c, next), *a = buffer_at(c, old);
	const op *o = b->by >= 0 ? c->kernels.ptr[b->by].o : NULL;
	return o && op_has(o, ELEMENTWISE) && !c->kernels.ptr[b->by].copies && a->t == b->t &&
	       a->bytes == b->bytes &&
	       !(b->returned && a->v && value_def(a->v) &&
	         !convolves_in_order(c->w->m, value_def(a->v), 2)) &&
	       !is_reshaped(c, a) && !is_reshaped(c, b) && reads_in_step(c, b->by, old);
}

static bool lie_at_once(placed x, placed y)
{
	const buffer *a = buffer_at(x.c, x.buffer), *b = buffer_at(y.c, y.buffer);
	if (a->to < b->from || b->to < a->from)
		return false;
	if (x.c == y.c && a->to == b->from)
		return !takes_over(x.c, y.buffer, x.buffer);
	return x.c != y.c || b->to != a->from || !takes_over(x.c, x.buffer, y.buffer);
}

/* Returns the position of a buffer among those of this memory, which are sorted by when they start
 * to live. */
static int position_in(const lent_memory *l, placed x)
{
	int from = buffer_at(x.c, x.buffer)->from, low = 0, high = l->buffers.len;
	while (low < high) {
		int middle = (low + high) / 2;
		placed y = l->buffers.ptr[middle];
		if (buffer_at(y.c, y.buffer)->from <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void put_into(lending *l, lent_memory *to, placed x)
{
	int at = position_in(to, x);
	vec_push(l->mem, &to->buffers, x);
	memmove(to->buffers.ptr + at + 1, to->buffers.ptr + at,
	        sizeof x * (size_t)(to->buffers.len - 1 - at));
	to->buffers.ptr[at] = x;
}

/* Returns true if no other buffer lives there at the same time. As the buffers there never overlap
 * in time, only the neighbors have to be compared. */
static bool has_room_for(const lent_memory *l, const wanted *x)
{
	enum { NEXT = 2 };
	int at = position_in(l, x->p);
	if (x->bytes > l->bytes)
		return false;
	for (int i = at - NEXT; i < at + NEXT; i++)
		if (i >= 0 && i < l->buffers.len && lie_at_once(x->p, l->buffers.ptr[i]))
			return false;
	return true;
}

static bool find_room(lending *l, const wanted *x)
{
	enum { MOST_TRIED = 256 };
	for (int i = l->places.len - 1, tried = 0; i >= 0 && tried < MOST_TRIED; i--, tried++)
		if (has_room_for(&l->places.ptr[i], x)) {
			put_into(l, &l->places.ptr[i], x->p);
			return true;
		}
	return false;
}

/* Puts what the branches of an operation yield into the memory of its result. */
static void place_yields(lending *l, lent_memory *p, const wanted *x)
{
	const buffer *b = buffer_at(x->p.c, x->p.buffer);
	const op *o = x->p.c->kernels.ptr[b->by].o;
	if (!op_is_branch(o))
		return;
	for (int i = 0; i < l->t->blocks.len; i++) {
		cpu_block *c = l->t->blocks.ptr[i];
		const op *end = block_terminator(c->b);
		if (block_parent(c->b) != o || (int)b->v->index >= end->n_operands)
			continue;
		int at = buffer_of_value(c, operand(end, (int)b->v->index));
		if (at >= 0)
			put_into(l, p, (placed){c, home_of(c, at)});
	}
}

/* Adds the memory of a result, in which the argument that was donated for it may lie. */
static void add_place(lending *l, const wanted *x)
{
	cpu_block *c = x->p.c;
	const value *donor = buffer_at(c, x->p.buffer)->donor;
	lent_memory p = {.bytes = x->bytes};
	int old = donor ? c->w->buffer_of[donor->id] - 1 : -1;
	if (old >= 0 && may_write_over(c, buffer_at(c, x->p.buffer)->by, old))
		put_into(l, &p, (placed){c, old});
	else if (old >= 0)
		add_copy(c, donor, buffer_at(c, old)->to);
	put_into(l, &p, x->p);
	place_yields(l, &p, x);
	vec_push(l->mem, &l->places, p);
}

static void want_memory(lending *l, cpu_block *c)
{
	for (int i = 0; i < c->buffers.len; i++) {
		const buffer *b = buffer_at(c, i);
		if (b->after < 0 && b->by >= 0 && !b->kept && b->bytes)
			vec_push(l->mem, &l->all, ((wanted){b->bytes, b->returned, {c, i}}));
	}
}

static void lend_results(timeline *t)
{
	lending l = {.t = t, .mem = t->w->mem};
	for (int i = 0; i < t->blocks.len; i++)
		want_memory(&l, t->blocks.ptr[i]);
	if (l.all.len)
		qsort(l.all.ptr, (size_t)l.all.len, sizeof *l.all.ptr, by_size);
	for (int i = 0; i < l.all.len; i++) {
		const wanted *x = &l.all.ptr[i];
		if (x->returned)
			add_place(&l, x);
		else
			buffer_at(x->p.c, x->p.buffer)->lent = find_room(&l, x);
	}
}

/* ---- the peak -------------------------------------------------------------------------------------- */

typedef struct heap_walk {
	timeline *t;
	int64_t live, peak;
	int peak_at;         /* number of the moment */
	int64_t inside;      /* bytes that the operation at the peak needs in its regions */
	VEC(placed) * dying; /* by moment: the buffers whose life ends there */
} heap_walk;

static bool is_in_heap(const cpu_block *c, int i)
{
	const buffer *b = buffer_at(c, i);
	return b->after < 0 && !b->fixed && !b->kept && !b->returned && !b->lent && b->bytes;
}

/* Returns the buffer over which buffer i is written; -1: none. */
static int overwritten(const cpu_block *c, int i)
{
	const buffer *b = buffer_at(c, i);
	const cpu_kernel *k = &c->kernels.ptr[b->by];
	for (int n = 0; n < k->n_inputs; n++) {
		int old = home_of(c, c->inputs.ptr[k->first_input + n].buffer);
		const buffer *a = buffer_at(c, old);
		if (is_in_heap(c, old) && !a->taken_at && a->to == k->at && takes_over(c, i, old))
			return old;
	}
	return -1;
}

static void put_on_heap(heap_walk *h, cpu_block *c, int i)
{
	int old = buffer_at(c, i)->by >= 0 ? overwritten(c, i) : -1;
	if (old >= 0)
		buffer_at(c, old)->taken_at = buffer_at(c, i)->from + 1;
	else
		h->live += buffer_at(c, i)->bytes;
	vec_push(c->w->mem, &h->dying[buffer_at(c, i)->to], ((placed){c, i}));
}

/* Counts what the kernel writes. Buffers that exist before the block's first kernel are counted
 * with that kernel. */
static void write_outputs(heap_walk *h, cpu_block *c, const cpu_kernel *k)
{
	for (int i = 0; !c->begun && i < c->buffers.len; i++)
		if (buffer_at(c, i)->by < 0 && is_in_heap(c, i))
			put_on_heap(h, c, i);
	c->begun = true;
	for (int i = k->first_output; i < k->first_output + k->n_outputs; i++)
		if (is_in_heap(c, i))
			put_on_heap(h, c, i);
}

static void free_buffers(heap_walk *h, int at)
{
	for (int i = 0; i < h->dying[at].len; i++) {
		const buffer *b = buffer_at(h->dying[at].ptr[i].c, h->dying[at].ptr[i].buffer);
		h->live -= b->taken_at ? 0 : b->bytes;
	}
}

static void walk_heap(heap_walk *h, memory *out)
{
	const timeline *t = h->t;
	for (int n = 0; n < t->moments.len; n++) {
		cpu_block *c = t->moments.ptr[n].c;
		const cpu_kernel *k = &c->kernels.ptr[t->moments.ptr[n].kernel];
		write_outputs(h, c, k);
		bool scratch = !k->copies && !runs_regions(k->o);
		int64_t inside = scratch ? inner_peak(c->w, k->o) : 0, now = h->live + inside;
		if (out)
			vec_push(c->w->mem, &out->curve, now);
		if (now > h->peak || !n) {
			h->peak = now;
			h->peak_at = n;
			h->inside = inside;
		}
		const moment *next = n + 1 < t->moments.len ? &t->moments.ptr[n + 1] : NULL;
		if (!next || next->c != c || c->kernels.ptr[next->kernel].at != k->at)
			free_buffers(h, k->at);
	}
}

static bool is_live_at(const cpu_block *c, int i, const cpu_kernel *k, bool same_block)
{
	const buffer *b = buffer_at(c, i);
	bool written = b->by < 0 ? c->begin <= k->at
	                         : b->from < k->at || (same_block && b->from == k->at &&
	                                               i < k->first_output + k->n_outputs);
	return is_in_heap(c, i) && written && k->at <= b->to &&
	       !(b->taken_at && b->taken_at <= k->at + 1);
}

typedef VEC(live_tensor) tensor_list;

/* Lists the buffers that live at the peak: in main, and in the regions of the operation that runs
 * then. */
static void list_at_peak(const heap_walk *h, tensor_list *main, tensor_list *within,
                         int64_t *inside)
{
	const moment *m = &h->t->moments.ptr[h->peak_at];
	const cpu_kernel *k = &m->c->kernels.ptr[m->kernel];
	arena *mem = h->t->w->mem;
	for (int n = 0; n < h->t->blocks.len; n++) {
		const cpu_block *c = h->t->blocks.ptr[n];
		for (int i = 0; i < c->buffers.len; i++) {
			if (!is_live_at(c, i, k, c == m->c))
				continue;
			live_tensor row = {buffer_at(c, i)->v, buffer_at(c, i)->bytes,
			                   LIVE_TEMPORARY, 0, NULL};
			if (c->outer)
				vec_push(mem, within, row);
			else
				vec_push(mem, main, row);
			*inside += c->outer ? row.bytes : 0;
		}
	}
	if (h->inside && k->o->n_results && m->c->outer)
		vec_push(mem, within,
		         ((live_tensor){&k->o->results[0], h->inside, LIVE_TEMPORARY, 0, NULL}));
	*inside += h->inside;
}

static void note_peak(const heap_walk *h, memory *out)
{
	if (!h->t->moments.len)
		return;
	const moment *m = &h->t->moments.ptr[h->peak_at];
	const op *o = m->c->outer ? m->c->outer : m->c->kernels.ptr[m->kernel].o;
	tensor_list main = {0}, within = {0};
	int64_t inside = 0;
	list_at_peak(h, &main, &within, &inside);
	for (int i = 0; i < main.len; i++)
		vec_push(h->t->w->mem, &out->at_peak, main.ptr[i]);
	if (inside && o->n_results && m->c->outer)
		vec_push(h->t->w->mem, &out->at_peak,
		         ((live_tensor){&o->results[0], inside, LIVE_INSIDE, within.len,
		                        within.ptr}));
	else if (inside && o->n_results)
		vec_push(h->t->w->mem, &out->at_peak, inside_at_peak(h->t->w, o, inside));
	out->peak_at = h->peak_at;
	out->inside_at_peak = inside;
}

int64_t assigned_peak(mem_walk *w, const block *b, memory *out)
{
	timeline t = {.w = w};
	w->depth--; /* run_block() counts the depth itself */
	run_block(&t, b, NULL);
	w->depth++;
	for (int i = 0; i < t.blocks.len; i++)
		find_results(&t, t.blocks.ptr[i]);
	if (w->depth == 1 && !w->careful)
		lend_results(&t);
	heap_walk h = {.t = &t};
	h.dying = arena_zalloc(w->mem, sizeof *h.dying * (size_t)(t.clock + 1));
	walk_heap(&h, out);
	if (out)
		note_peak(&h, out);
	return h.peak;
}
