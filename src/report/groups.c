/* groups.c - counts similar items together, so that repeated layers give one line.
 *
 * Items are similar if their keys, a few pointers and numbers, are equal. The groups of one kind
 * are in a vector, and a hash table maps keys to their index. */
#include "report/report.h"

#include <stdlib.h>

typedef struct text_key {
	uint64_t hash;
	int n, at; /* n: number of words; at: index in the vector of groups */
	uint64_t words[];
} text_key;

typedef struct group_keys {
	arena *mem;
	cons_tab tab;
	VEC(uint64_t) words; /* the key being built */
} group_keys;

static void add_word(group_keys *g, uint64_t w) { vec_push(g->mem, &g->words, w); }
static void add_pointer(group_keys *g, const void *p) { add_word(g, (uintptr_t)p); }

/* Text is interned, so that equal texts are equal pointers. */
static void add_text(group_keys *g, const char *s)
{
	add_pointer(g, s ? name_of_z(g->mem->ctx, s) : NULL);
}

static bool same_key(const void *obj, const void *key)
{
	const text_key *a = obj;
	const group_keys *b = key;
	return a->n == b->words.len &&
	       !memcmp(a->words, b->words.ptr, (size_t)a->n * sizeof *a->words);
}

/* Returns the index that the current key maps to; -1 for a new key, which then maps to `next`. */
static int place_of_key(group_keys *g, int next)
{
	uint64_t hash = 0;
	for (int i = 0; i < g->words.len; i++)
		hash = hash_mix(hash, g->words.ptr[i]);
	text_key *k = cons_find(&g->tab, hash, same_key, g);
	bool known = k;
	if (!known) {
		k = arena_alloc(g->mem, sizeof *k + (size_t)g->words.len * sizeof *k->words);
		k->hash = hash;
		k->n = g->words.len;
		k->at = next;
		memcpy(k->words, g->words.ptr, (size_t)k->n * sizeof *k->words);
		cons_add(&g->tab, g->mem, hash, k);
	}
	g->words.len = 0;
	return known ? k->at : -1;
}

/* ---- collectives -------------------------------------------------------------------------- */

static int by_group_seconds(const void *a, const void *b)
{
	const collective_group *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static void find_origins(arena *mem, report *r)
{
	ptr_map by_op = {0};
	for (int i = 0; i < r->in.n_origins; i++)
		*ptr_map_at(&by_op, mem, r->in.origins[i].local) = (void *)(intptr_t)(i + 1);
	for (int i = 0; i < r->costs.collectives.len; i++) {
		intptr_t at = (intptr_t)ptr_map_get(&by_op, r->costs.collectives.ptr[i].o);
		vec_push(mem, &r->origin_of, at ? &r->in.origins[at - 1] : NULL);
	}
}

static void key_of_collective(group_keys *g, const collective *c, const collective_origin *o)
{
	uint64_t times;
	memcpy(&times, &c->times, sizeof times);
	add_pointer(g, op_name(c->o));
	add_pointer(g, source_alike(g->mem, op_loc(c->o)));
	add_text(g, c->axes);
	add_word(g, (uint64_t)c->bytes);
	add_word(g, times);
	add_text(g, o ? o->before : NULL);
	add_text(g, o ? o->after : NULL);
	add_pointer(g, o && o->cause ? op_name(o->cause) : NULL);
}

/* Returns, for each collective by number, how long everything waits for it. */
static const double *find_held(arena *mem, const costs *c)
{
	double *held = NEW_N(mem, double, c->collectives.len + 1);
	for (int i = 0; i < c->timeline.len; i++)
		if (c->timeline.ptr[i].collective >= 0)
			held[c->timeline.ptr[i].collective] += c->timeline.ptr[i].held;
	return held;
}

static void group_collectives(arena *mem, report *r)
{
	group_keys keys = {.mem = mem};
	const double *held = find_held(mem, &r->costs);
	for (int i = 0; i < r->costs.collectives.len; i++) {
		const collective *c = &r->costs.collectives.ptr[i];
		const collective_origin *o = r->origin_of.ptr[i];
		key_of_collective(&keys, c, o);
		int at = place_of_key(&keys, r->groups.len);
		if (at < 0) {
			at = r->groups.len;
			vec_push(mem, &r->groups,
			         (collective_group){.first = c, .number = i, .origin = o});
		}
		collective_group *g = &r->groups.ptr[at];
		g->count++;
		g->seconds += c->times * c->seconds;
		g->wire_bytes += c->times * c->wire_bytes;
		g->held += held[i];
	}
	if (r->groups.len)
		qsort(r->groups.ptr, (size_t)r->groups.len, sizeof(collective_group),
		      by_group_seconds);
}

/* ---- operations --------------------------------------------------------------------------- */

static int by_operation_seconds(const void *a, const void *b)
{
	const op_group *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return (x->first->id > y->first->id) - (x->first->id < y->first->id);
}

static void key_of_operation(group_keys *g, const op *o)
{
	add_pointer(g, op_name(o));
	for (int i = 0; i < o->n_operands; i++)
		add_pointer(g, operand(o, i)->type);
	for (int i = 0; i < o->n_results; i++)
		add_pointer(g, o->results[i].type);
}

static void group_operations(arena *mem, report *r)
{
	group_keys keys = {.mem = mem};
	double bandwidth = r->costs.target->memory_bandwidth;
	for (int i = 0; i < r->costs.ops.len; i++) {
		const op_cost *k = &r->costs.ops.ptr[i];
		key_of_operation(&keys, k->o);
		int at = place_of_key(&keys, r->operations.len);
		if (at < 0) {
			at = r->operations.len;
			vec_push(mem, &r->operations, (op_group){.first = k->o});
		}
		op_group *g = &r->operations.ptr[at];
		g->count++;
		g->times += k->times;
		g->seconds += k->times * k->seconds;
		g->work.flops += k->times * k->w.flops;
		g->work.bytes += k->times * k->w.bytes;
		g->compute_bound = k->peak_seconds * bandwidth > k->memory_bytes;
	}
	if (r->operations.len)
		qsort(r->operations.ptr, (size_t)r->operations.len, sizeof(op_group),
		      by_operation_seconds);
}

/* ---- tensors ------------------------------------------------------------------------------ */

static int by_group_bytes(const void *a, const void *b)
{
	const tensor_group *x = a, *y = b;
	double m = (double)x->first.bytes * (double)x->count,
	       n = (double)y->first.bytes * (double)y->count;
	if (m != n)
		return m < n ? 1 : -1;
	return (x->first.v->id > y->first.v->id) - (x->first.v->id < y->first.v->id);
}

static tensor_groups group_tensors(arena *mem, const report *r, const live_tensor *list, int n)
{
	group_keys keys = {.mem = mem};
	tensor_groups out = {0};
	for (int i = 0; i < n; i++) {
		const live_tensor *t = &list[i];
		purpose held_for = report_purpose(r, t);
		add_word(&keys, (uint64_t)t->role);
		add_word(&keys, (uint64_t)held_for);
		add_pointer(&keys, t->v->type);
		int at = place_of_key(&keys, out.len);
		if (at < 0) {
			tensor_groups within = group_tensors(mem, r, t->within, t->n_within);
			at = out.len;
			vec_push(mem, &out, (tensor_group){*t, held_for, 0, within.ptr, within.len});
		}
		out.ptr[at].count++;
	}
	if (out.len)
		qsort(out.ptr, (size_t)out.len, sizeof(tensor_group), by_group_bytes);
	return out;
}

/* Within a group, the largest comes first. */
static void group_replicated(arena *mem, report *r)
{
	group_keys keys = {.mem = mem};
	for (int i = 0; i < r->replicated.len; i++) {
		const replicated_tensor *t = &r->replicated.ptr[i];
		add_word(&keys, value_def(t->v) != NULL);
		add_pointer(&keys, t->v->type);
		add_pointer(&keys, value_sharding(r->in.global, t->v));
		int at = place_of_key(&keys, r->replicated_kinds.len);
		if (at < 0) {
			at = r->replicated_kinds.len;
			vec_push(mem, &r->replicated_kinds, (replicated_group){*t, 0});
		}
		r->replicated_kinds.ptr[at].count++;
	}
}

void report_group(arena *mem, report *r)
{
	find_origins(mem, r);
	group_collectives(mem, r);
	group_operations(mem, r);
	r->at_peak = group_tensors(mem, r, r->costs.mem.at_peak.ptr, r->costs.mem.at_peak.len);
	r->on_host = group_tensors(mem, r, r->costs.host.at_peak.ptr, r->costs.host.at_peak.len);
	group_replicated(mem, r);
}
