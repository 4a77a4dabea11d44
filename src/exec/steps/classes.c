/* classes.c - interned partitions of the devices. */
#include "exec/steps/classes.h"

typedef struct class_key {
	const int32_t *of;
	int n_devices;
} class_key;

/* A memo entry: f(a, b). */
typedef struct class_memo {
	const classes *a, *b;
	const void *result;
} class_memo;

static bool classes_eq(const void *obj, const void *key)
{
	const classes *c = obj;
	const class_key *k = key;
	return !memcmp(c->of, k->of, sizeof(int32_t) * (size_t)k->n_devices);
}

static bool class_memo_eq(const void *obj, const void *key)
{
	const class_memo *x = obj, *y = key;
	return x->a == y->a && x->b == y->b;
}

static void classes_locate(class_table *t, classes *c)
{
	int32_t *here = NEW_N(t->mem, int32_t, c->n);
	memset(here, -1, sizeof *here * (size_t)c->n);
	c->n_here = 0;
	for (int d = 0; d < t->n_devices; d++)
		if (t->own[d] && here[c->of[d]] < 0)
			here[c->of[d]] = c->n_here++;
	c->here = here;
}

/* Interns a partition; `of` is numbered by first appearance and has n classes. */
static const classes *classes_intern(class_table *t, const int32_t *of, int n)
{
	size_t bytes = sizeof(int32_t) * (size_t)t->n_devices;
	uint64_t h = hash_bytes(of, bytes, 1);
	classes *c = cons_find(&t->all, h, classes_eq, &(class_key){of, t->n_devices});
	if (c)
		return c;
	c = NEW(t->mem, classes);
	c->n = n;
	c->id = t->n_ids++;
	c->hash = h;
	c->of = arena_copy(t->mem, of, bytes);
	int32_t *first = NEW_N(t->mem, int32_t, n);
	for (int d = t->n_devices - 1; d >= 0; d--)
		first[of[d]] = d;
	c->first = first;
	c->n_here = n;
	if (t->own)
		classes_locate(t, c);
	cons_add(&t->all, t->mem, h, c);
	return c;
}

void class_table_init(class_table *t, arena *mem, int n_devices, const bool *own, bool faithful)
{
	*t = (class_table){.mem = mem, .n_devices = n_devices, .faithful = faithful, .own = own};
	t->scratch = NEW_N(mem, int32_t, 2 * n_devices);
	t->uniform = classes_intern(t, t->scratch, 1);
	for (int d = 0; d < n_devices; d++)
		t->scratch[d] = d;
	t->identity = classes_intern(t, t->scratch, n_devices);
	if (faithful)
		t->uniform = t->identity;
}

typedef struct key_slot {
	uint64_t key;
	int32_t class_plus_1;
} key_slot;

/* Renumbers 64-bit keys by first appearance. */
static const classes *classes_of_wide_keys(class_table *t, const int32_t *a, const int32_t *b)
{
	uint32_t cap = 16;
	while (cap < 2 * (uint32_t)t->n_devices)
		cap *= 2;
	arena *scratch = &t->mem->ctx->scratch;
	arena_mark mark = arena_here(scratch);
	key_slot *slots = NEW_N(scratch, key_slot, cap);
	int32_t *of = t->scratch;
	int n = 0;
	for (int d = 0; d < t->n_devices; d++) {
		uint64_t key = (uint64_t)(uint32_t)a[d] << 32 | (b ? (uint32_t)b[d] : 0);
		uint32_t i = (uint32_t)hash_mix(7, key) & (cap - 1);
		while (slots[i].class_plus_1 && slots[i].key != key)
			i = (i + 1) & (cap - 1);
		if (!slots[i].class_plus_1)
			slots[i] = (key_slot){key, ++n};
		of[d] = slots[i].class_plus_1 - 1;
	}
	arena_back(scratch, mark);
	return classes_intern(t, of, n);
}

const classes *classes_of_keys(class_table *t, const int32_t *keys)
{
	return t->faithful ? t->identity : classes_of_wide_keys(t, keys, NULL);
}

static class_memo *class_memo_at(class_table *t, cons_tab *tab, const classes *a, const classes *b)
{
	class_memo key = {a, b, NULL};
	uint64_t h = hash_mix(hash_mix(3, a->id), b->id);
	class_memo *m = cons_find(tab, h, class_memo_eq, &key);
	if (!m) {
		m = arena_copy(t->mem, &key, sizeof key);
		cons_add(tab, t->mem, h, m);
	}
	return m;
}

const classes *classes_join(class_table *t, const classes *a, const classes *b)
{
	if (a == b || b->n == 1 || a->n == t->n_devices)
		return a;
	if (a->n == 1 || b->n == t->n_devices)
		return b;
	class_memo *m = class_memo_at(t, &t->joins, a, b);
	if (!m->result)
		m->result = classes_of_wide_keys(t, a->of, b->of);
	return m->result;
}

const int32_t *classes_project(class_table *t, const classes *fine, const classes *coarse)
{
	if (fine == coarse)
		return NULL;
	class_memo *m = class_memo_at(t, &t->projections, fine, coarse);
	if (!m->result) {
		int32_t *map = NEW_N(t->mem, int32_t, fine->n);
		for (int c = 0; c < fine->n; c++)
			map[c] = coarse->of[fine->first[c]];
		m->result = map;
	}
	return m->result;
}
