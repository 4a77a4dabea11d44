/* book.c - numbers for axis parts, lists and shardings, and the algebra of lists. */
#include "propagate/book.h"

/* ---- tables of numbers, found by content ----------------------------------------- */

typedef bool number_eq(const book *b, uint32_t number, const void *key);

static void number_add(struct number_tab *t, arena *mem, uint64_t hash, uint32_t number)
{
	if (t->len * 2 >= t->cap) {
		struct number_tab old = *t;
		t->cap = old.cap ? old.cap * 2 : 64;
		t->len = 0;
		t->hashes = NEW_N(mem, uint64_t, t->cap);
		t->numbers = NEW_N(mem, uint32_t, t->cap);
		for (uint32_t i = 0; i < old.cap; i++)
			if (old.numbers[i])
				number_add(t, mem, old.hashes[i], old.numbers[i]);
	}
	uint32_t at = (uint32_t)hash & (t->cap - 1);
	while (t->numbers[at])
		at = (at + 1) & (t->cap - 1);
	t->hashes[at] = hash;
	t->numbers[at] = number;
	t->len++;
}

static uint32_t number_find(const book *b, const struct number_tab *t, uint64_t hash, number_eq *eq,
                            const void *key)
{
	if (!t->cap)
		return 0;
	for (uint32_t at = (uint32_t)hash & (t->cap - 1); t->numbers[at];
	     at = (at + 1) & (t->cap - 1))
		if (t->hashes[at] == hash && eq(b, t->numbers[at], key))
			return t->numbers[at];
	return 0;
}

/* ---- parts and lists --------------------------------------------------------------- */

void book_init(book *b, module *m, arena *mem)
{
	*b = (book){.m = m, .mem = mem};
	vec_push(mem, &b->parts, (axis_part){0});
	vec_push(mem, &b->lists, (part_list){.size = 1});
	vec_push(mem, &b->views, (view){.empty_axes = true});
}

static bool part_is(const book *b, uint32_t number, const void *key)
{
	const axis_part *p = part_at(b, number), *k = key;
	return p->mesh == k->mesh && axis_eq(p->ref, k->ref);
}

part_no book_part(book *b, const mesh *m, axis_ref a)
{
	axis_part p = {.ref = a, .mesh = m};
	uint64_t h = hash_mix(hash_mix(hash_mix((uintptr_t)m, a.axis->hash), (uint64_t)a.pre),
	                      (uint64_t)a.size);
	part_no n = number_find(b, &b->part_tab, h, part_is, &p);
	if (n)
		return n;
	int index = m ? mesh_axis_index(m, a.axis) : -1;
	p.size = index >= 0 ? max_i64(axis_size(a, m), 1) : 1;
	p.bit = UINT64_C(1) << (index & 63);
	n = (part_no)b->parts.len;
	vec_push(b->mem, &b->parts, p);
	number_add(&b->part_tab, b->mem, h, n);
	return n;
}

static bool list_is(const book *b, uint32_t number, const void *key)
{
	const part_list *l = list_at(b, number), *k = key;
	return l->n == k->n && memcmp(l->parts, k->parts, sizeof *l->parts * (size_t)l->n) == 0;
}

list_no book_list(book *b, const part_no *parts, int n)
{
	if (!n)
		return 0;
	part_list l = {.n = n, .parts = parts, .size = 1};
	uint64_t h = (uint64_t)n;
	for (int i = 0; i < n; i++)
		h = hash_mix(h, parts[i]);
	list_no number = number_find(b, &b->list_tab, h, list_is, &l);
	if (number)
		return number;
	for (int i = 0; i < n; i++) {
		const axis_part *p = part_at(b, parts[i]);
		l.mask |= p->bit;
		if (!mul_ok(l.size, p->size, &l.size))
			l.size = INT64_MAX;
	}
	l.parts = COPY_N(b->mem, parts, n);
	number = (list_no)b->lists.len;
	vec_push(b->mem, &b->lists, l);
	number_add(&b->list_tab, b->mem, h, number);
	return number;
}

axis_list book_axes(const book *b, list_no l, arena *mem)
{
	const part_list *p = list_at(b, l);
	axis_ref *axes = arena_alloc(mem, sizeof *axes * (size_t)(p->n + 1));
	for (int i = 0; i < p->n; i++)
		axes[i] = part_at(b, p->parts[i])->ref;
	return (axis_list){axes, p->n};
}

/* ---- shardings --------------------------------------------------------------------- */

static bool view_is(const book *b, uint32_t number, const void *key)
{
	const view *v = view_at(b, number), *k = key;
	if (v->mesh != k->mesh || !mesh_ref_eq(v->ref, k->ref) || v->rank != k->rank ||
	    v->tag != k->tag || v->replicated != k->replicated || v->unreduced != k->unreduced ||
	    v->reduction != k->reduction)
		return false;
	for (int d = 0; d < v->rank; d++)
		if (v->dims[d].list != k->dims[d].list || v->dims[d].open != k->dims[d].open)
			return false;
	return true;
}

static uint64_t view_hash(const view *v)
{
	uint64_t h = hash_mix((uintptr_t)v->ref.symbol ^ (uintptr_t)v->ref.inlined, v->tag);
	h = hash_mix(h, (uint64_t)v->replicated << 32 | v->unreduced);
	for (int d = 0; d < v->rank; d++)
		h = hash_mix(h, (uint64_t)v->dims[d].list << 1 | v->dims[d].open);
	return hash_mix(h, (uint64_t)v->rank << 8 | (uint64_t)v->reduction);
}

view_no book_view(book *b, const view *key)
{
	uint64_t h = view_hash(key);
	view_no n = number_find(b, &b->view_tab, h, view_is, key);
	if (n)
		return n;
	view v = *key;
	v.dims = COPY_N(b->mem, key->dims, key->rank);
	v.mask = 0;
	v.empty_axes = !v.replicated && !v.unreduced;
	v.axes_hash = v.empty_axes ? 0 : hash_mix(v.replicated, v.unreduced);
	for (int d = 0; d < v.rank; d++) {
		v.mask |= list_at(b, v.dims[d].list)->mask;
		v.empty_axes = v.empty_axes && !v.dims[d].list;
		if (v.dims[d].list)
			v.axes_hash = hash_mix(v.axes_hash, (uint64_t)d << 32 | v.dims[d].list);
	}
	n = (view_no)b->views.len;
	vec_push(b->mem, &b->views, v);
	number_add(&b->view_tab, b->mem, h, n);
	return n;
}

static list_no load_list(book *b, const mesh *m, const axis_ref *axes, int n)
{
	if (!n)
		return 0;
	arena_mark mark = arena_here(&b->m->ctx->scratch);
	part_no *parts = arena_alloc(&b->m->ctx->scratch, sizeof *parts * (size_t)n);
	for (int i = 0; i < n; i++)
		parts[i] = book_part(b, m, axes[i]);
	list_no l = book_list(b, parts, n);
	if (b->mem != &b->m->ctx->scratch)
		arena_back(&b->m->ctx->scratch, mark);
	return l;
}

view_no book_load(book *b, const sharding *s)
{
	if (!s)
		return 0;
	void **at = ptr_map_at(&b->loaded, b->mem, s);
	if (*at)
		return (view_no)(uintptr_t)*at;
	const mesh *m = sharding_mesh(b->m, s);
	view v = {.sharding = s,
	          .ref = s->mesh,
	          .mesh = m,
	          .rank = s->rank,
	          .replicated = load_list(b, m, s->replicated, s->n_replicated),
	          .unreduced = load_list(b, m, s->unreduced, s->n_unreduced),
	          .reduction = s->reduction};
	dim_view *dims = arena_alloc(b->mem, sizeof *dims * (size_t)(s->rank + 1));
	for (int d = 0; d < s->rank; d++) {
		const dim_sharding *from = &s->dims[d];
		dims[d] = (dim_view){load_list(b, m, from->axes, from->n_axes), from->open};
		if (from->priority != PRIORITY_NONE && !v.tag)
			v.tag = ++b->n_tags;
	}
	v.dims = dims;
	view_no n = book_view(b, &v);
	*ptr_map_at(&b->loaded, b->mem, s) = (void *)(uintptr_t)n;
	return n;
}

const sharding *book_sharding(book *b, view_no number)
{
	view *v = &b->views.ptr[number];
	if (!number || v->sharding)
		return v->sharding;
	arena *scratch = &b->m->ctx->scratch;
	dim_sharding *dims = arena_alloc(scratch, sizeof *dims * (size_t)(v->rank + 1));
	for (int d = 0; d < v->rank; d++) {
		axis_list axes = book_axes(b, v->dims[d].list, scratch);
		dims[d] = (dim_sharding){axes.ptr, axes.n, v->dims[d].open, PRIORITY_NONE};
	}
	axis_list replicated = book_axes(b, v->replicated, scratch);
	axis_list unreduced = book_axes(b, v->unreduced, scratch);
	v->sharding = sharding_of(b->m->ctx, &(sharding){.mesh = v->ref,
	                                                 .rank = v->rank,
	                                                 .dims = dims,
	                                                 .n_replicated = replicated.n,
	                                                 .replicated = replicated.ptr,
	                                                 .n_unreduced = unreduced.n,
	                                                 .unreduced = unreduced.ptr,
	                                                 .reduction = v->reduction});
	return v->sharding;
}

view_no book_open(book *b, mesh_ref ref, const mesh *m, int rank)
{
	dim_view *dims = arena_alloc(b->mem, sizeof *dims * (size_t)(rank + 1));
	for (int d = 0; d < rank; d++)
		dims[d] = (dim_view){0, true};
	return book_view(b, &(view){.ref = ref, .mesh = m, .rank = rank, .dims = dims});
}

/* ---- the algebra of lists ---------------------------------------------------------- */

bool list_strict_prefix(const book *b, list_no a, list_no l)
{
	if (!a || !l || a == l)
		return !a && l;
	const part_list *x = list_at(b, a), *y = list_at(b, l);
	if (x->n > y->n)
		return false;
	int last = x->n - 1;
	for (int i = 0; i < last; i++)
		if (x->parts[i] != y->parts[i])
			return false;
	return x->parts[last] == y->parts[last] ||
	       axis_prefix_of(part_at(b, x->parts[last])->ref, part_at(b, y->parts[last])->ref);
}

bool list_prefix(const book *b, list_no a, list_no l)
{
	return a == l || list_strict_prefix(b, a, l);
}

/* The rest of list_merge() for lists that are neither empty nor equal. Two sub-axes with the same
 * start conflict if the shorter one is followed by anything: its continuation would have been
 * merged into it. */
static int merge_parts(book *b, const part_list *old, const part_list *add, bool *grow,
                       part_no *out)
{
	int n = 0, i = 0, both = old->n < add->n ? old->n : add->n;
	for (; i < both; i++) {
		part_no o = old->parts[i], a = add->parts[i];
		if (o == a) {
			out[n++] = o;
		} else if (axis_prefix_of(part_at(b, a)->ref, part_at(b, o)->ref)) {
			bool more = i + 1 < add->n;
			out[n++] = more ? a : o;
			if (more)
				goto stop;
		} else if (axis_prefix_of(part_at(b, o)->ref, part_at(b, a)->ref)) {
			bool stop = !*grow || i + 1 < old->n;
			out[n++] = stop ? o : a;
			if (stop)
				goto stop;
		} else {
			goto stop;
		}
	}
	for (int k = i; k < old->n; k++)
		out[n++] = old->parts[k];
	for (int k = i; *grow && k < add->n; k++)
		out[n++] = add->parts[k];
	return n;
stop:
	*grow = false;
	return n;
}

list_no list_merge(book *b, list_no old, list_no add, bool *grow)
{
	if (old == add || !add)
		return old;
	if (!old)
		return *grow ? add : 0;
	part_list o = *list_at(b, old), a = *list_at(b, add);
	part_no few[16], *out = few;
	if (o.n + a.n > COUNT(few))
		out = arena_alloc(b->mem, sizeof *out * (size_t)(o.n + a.n));
	int n = merge_parts(b, &o, &a, grow, out);
	return book_list(b, out, n);
}

part_no part_clear_of(book *b, part_no p, list_no l)
{
	const part_list *list = list_at(b, l);
	if (!(part_at(b, p)->bit & list->mask))
		return p;
	axis_ref a = part_at(b, p)->ref;
	const mesh *m = part_at(b, p)->mesh;
	axis_ref before = a;
	for (int i = 0; i < list->n; i++)
		if (!axis_prefix_without_overlap(a, part_at(b, list->parts[i])->ref, &a))
			return 0;
	return axis_eq(a, before) ? p : book_part(b, m, a);
}
