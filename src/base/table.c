/* table.c - open-addressing hash tables in arenas. */
#include "base/base.h"

void *cons_find(const cons_tab *t, uint64_t hash, cons_eq *eq, const void *key)
{
	if (!t->cap)
		return NULL;
	for (uint32_t i = (uint32_t)hash & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
		const struct cons_slot *s = &t->slots[i];
		if (!s->obj)
			return NULL;
		if (s->hash == hash && eq(s->obj, key))
			return s->obj;
	}
}

static void cons_put(cons_tab *t, uint64_t hash, void *obj)
{
	uint32_t i = (uint32_t)hash & (t->cap - 1);
	while (t->slots[i].obj)
		i = (i + 1) & (t->cap - 1);
	t->slots[i] = (struct cons_slot){hash, obj};
	t->len++;
}

void cons_add(cons_tab *t, arena *a, uint64_t hash, void *obj)
{
	if (t->len * 4 >= t->cap * 3) {
		cons_tab old = *t;
		uint32_t cap = old.cap ? old.cap * 2 : 16;
		*t = (cons_tab){.slots = NEW_N(a, struct cons_slot, cap), .cap = cap};
		for (uint32_t i = 0; i < old.cap; i++)
			if (old.slots[i].obj)
				cons_put(t, old.slots[i].hash, old.slots[i].obj);
	}
	cons_put(t, hash, obj);
}

static uint64_t key_of(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static struct ptr_slot *ptr_slot_of(const ptr_map *m, uint64_t key)
{
	uint32_t i = (uint32_t)hash_mix(0, key) & (m->cap - 1);
	while (m->slots[i].key && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

void *ptr_map_get(const ptr_map *m, const void *key)
{
	return m->cap ? ptr_slot_of(m, key_of(key))->val : NULL;
}

void **ptr_map_at(ptr_map *m, arena *a, const void *key)
{
	if (m->len * 2 >= m->cap) {
		ptr_map old = *m;
		uint32_t cap = old.cap ? old.cap * 2 : 8;
		*m = (ptr_map){.slots = NEW_N(a, struct ptr_slot, cap), .len = old.len, .cap = cap};
		for (uint32_t i = 0; i < old.cap; i++)
			if (old.slots[i].key)
				*ptr_slot_of(m, old.slots[i].key) = old.slots[i];
	}
	struct ptr_slot *s = ptr_slot_of(m, key_of(key));
	if (!s->key) {
		s->key = key_of(key);
		m->len++;
	}
	return &s->val;
}
