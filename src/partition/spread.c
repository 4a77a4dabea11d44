/* spread.c - digits, spreads, device orders. */
#include "partition/spread.h"

/* ---- digits ------------------------------------------------------------------- */

bool digits_have(digits l, digit x)
{
	for (int i = 0; i < l.n; i++)
		if (digit_eq(l.at[i], x))
			return true;
	return false;
}

bool digit_disjoint(digit a, digit b)
{
	int64_t above_a = a.stride * a.size, above_b = b.stride * b.size;
	return a.stride >= above_b ? a.stride % above_b == 0
	                           : b.stride >= above_a && b.stride % above_a == 0;
}

bool digits_apart(digits a, digits b)
{
	for (int i = 0; i < a.n; i++)
		for (int k = 0; k < b.n; k++)
			if (!digit_disjoint(a.at[i], b.at[k]))
				return false;
	return true;
}

/* Appends `x` as the minor digit, merging it with the last one where they touch. */
static void digits_push(arena *mem, digit_vec *v, digit x)
{
	digit *last = v->len ? &v->ptr[v->len - 1] : NULL;
	if (x.size == 1)
		return;
	if (last && last->stride == x.stride * x.size)
		*last = (digit){x.stride, last->size * x.size};
	else
		vec_push(mem, v, x);
}

digits digits_join(arena *mem, digits a, digits b)
{
	digit_vec v = {0};
	for (int i = 0; i < a.n; i++)
		digits_push(mem, &v, a.at[i]);
	for (int i = 0; i < b.n; i++)
		digits_push(mem, &v, b.at[i]);
	return digits_of(&v);
}

bool digits_rest(arena *mem, digits prefix, digits l, digits *rest)
{
	digit_vec v = {0};
	int i = 0;
	digit x = l.n ? l.at[0] : (digit){1, 1};
	for (int k = 0; k < prefix.n; k++) {
		digit p = prefix.at[k];
		if (i == l.n || x.stride * x.size != p.stride * p.size || x.size % p.size != 0)
			return false;
		x.size /= p.size;
		if (x.size == 1 && ++i < l.n)
			x = l.at[i];
	}
	if (i < l.n)
		vec_push(mem, &v, x);
	while (++i < l.n)
		vec_push(mem, &v, l.at[i]);
	*rest = digits_of(&v);
	return true;
}

int64_t digits_coordinate(digits l, int64_t position)
{
	int64_t c = 0;
	for (int i = 0; i < l.n; i++)
		c = c * l.at[i].size + position / l.at[i].stride % l.at[i].size;
	return c;
}

int64_t digits_position(digits l, int64_t coordinate)
{
	int64_t p = 0;
	for (int i = l.n; i-- > 0; coordinate /= l.at[i].size)
		p += coordinate % l.at[i].size * l.at[i].stride;
	return p;
}

/* ---- device orders ------------------------------------------------------------- */

/* A mesh of fewer devices than there are covers them in copies, one after another. */
int64_t order_device(const device_order *o, int64_t position)
{
	return o ? position / o->n * o->n + o->devices[position % o->n] : position;
}

int64_t order_position(const device_order *o, int64_t device)
{
	return o ? device / o->n * o->n + o->positions[device % o->n] : device;
}

static const device_order *order_of_mesh(spreads *ls, const mesh *m)
{
	if (!m->n_device_ids)
		return NULL;
	size_t bytes = sizeof(int64_t) * (size_t)m->n_devices;
	for (int i = 0; i < ls->orders.len; i++) {
		const device_order *o = ls->orders.ptr[i];
		if (o->n == m->n_devices && memcmp(o->devices, m->device_ids, bytes) == 0)
			return o;
	}
	device_order *o = NEW(ls->mem, device_order);
	int64_t *positions = NEW_N(ls->mem, int64_t, m->n_devices);
	for (int64_t p = 0; p < m->n_devices; p++)
		positions[m->device_ids[p]] = p;
	*o = (device_order){m->n_devices, arena_copy(ls->mem, m->device_ids, bytes), positions};
	vec_push(ls->mem, &ls->orders, o);
	return o;
}

/* ---- spreads ------------------------------------------------------------------- */

void spreads_init(spreads *ls, tess_ctx *ctx, arena *mem, int64_t n_devices)
{
	*ls = (spreads){.ctx = ctx, .mem = mem, .n_devices = n_devices};
}

static bool spread_eq(const void *obj, const void *key)
{
	const spread *a = obj, *b = key;
	if (a->order != b->order || a->rank != b->rank || a->combine != b->combine ||
	    !digits_eq(a->partial, b->partial))
		return false;
	for (int d = 0; d < a->rank; d++)
		if (!digits_eq(a->dims[d], b->dims[d]))
			return false;
	return true;
}

/* True if each digit is larger than 1 and no adjacent ones merge, as digits_push() ensures. */
static bool digits_merged(digits l)
{
	for (int i = 0; i < l.n; i++)
		if (l.at[i].size == 1 ||
		    (i && l.at[i - 1].stride == l.at[i].stride * l.at[i].size))
			return false;
	return true;
}

/* The digits by decreasing stride, merged. */
static digits digits_sorted(arena *mem, digits l)
{
	if (l.n < 2 && digits_merged(l))
		return l;
	digit *copy = COPY_N(mem, l.at, l.n);
	for (int i = 1; i < l.n; i++)
		for (int k = i; k > 0 && copy[k - 1].stride < copy[k].stride; k--) {
			digit t = copy[k];
			copy[k] = copy[k - 1];
			copy[k - 1] = t;
		}
	return digits_join(mem, (digits){l.n, copy}, (digits){0, NULL});
}

static uint64_t spread_hash(const spread *l)
{
	uint64_t h = hash_mix((uint64_t)l->rank, (uint64_t)(uintptr_t)l->order);
	for (int d = 0; d < l->rank; d++)
		h = digits_hash(h, l->dims[d]);
	return hash_mix(digits_hash(h, l->partial), (uint64_t)l->combine);
}

static digits digits_copy(arena *mem, digits l)
{
	return (digits){l.n, l.n ? COPY_N(mem, l.at, l.n) : NULL};
}

static const spread *spread_add(spreads *ls, spread l)
{
	digits *dims = COPY_N(ls->mem, l.dims, l.rank);
	l.parts = 1;
	for (int d = 0; d < l.rank; d++) {
		dims[d] = digits_copy(ls->mem, dims[d]);
		l.parts *= digits_size(dims[d]);
	}
	l.dims = dims;
	l.partial = digits_copy(ls->mem, l.partial);
	l.id = ls->tab.len + 1;
	spread *made = arena_copy(ls->mem, &l, sizeof l);
	cons_add(&ls->tab, ls->mem, l.hash, made);
	return made;
}

const spread *spread_of(spreads *ls, const spread *l)
{
	arena *mem = &ls->ctx->scratch;
	arena_mark mark = arena_here(mem);
	spread key = *l;
	digits *dims = NULL;
	bool plain = true;
	for (int d = 0; d < l->rank; d++) {
		if (!digits_merged(key.dims[d])) {
			if (!dims)
				key.dims = dims = COPY_N(mem, key.dims, l->rank);
			dims[d] = digits_join(mem, dims[d], (digits){0, NULL});
		}
		plain &= key.dims[d].n == 0;
	}
	key.partial = digits_sorted(mem, l->partial);
	if (!key.partial.n)
		key.combine = MONOID_SUM;
	if (plain && !key.partial.n)
		key.order = NULL;
	key.hash = spread_hash(&key);
	const spread *found = cons_find(&ls->tab, key.hash, spread_eq, &key);
	if (!found)
		found = spread_add(ls, key);
	arena_back(mem, mark);
	return found;
}

static const spread *make_whole(spreads *ls, int rank)
{
	arena_mark mark = arena_here(&ls->ctx->scratch);
	digits *dims = NEW_N(&ls->ctx->scratch, digits, rank);
	const spread *l = spread_of(ls, &(spread){.rank = rank, .dims = dims});
	arena_back(&ls->ctx->scratch, mark);
	return l;
}

const spread *spread_whole(spreads *ls, int rank)
{
	if (rank >= WHOLE_RANKS)
		return make_whole(ls, rank);
	if (!ls->whole[rank])
		ls->whole[rank] = make_whole(ls, rank);
	return ls->whole[rank];
}

static digits digits_of_axes(arena *mem, const mesh *m, axis_list l)
{
	digit_vec v = {0};
	for (int i = 0; i < l.n; i++)
		digits_push(mem, &v, axis_digit(l.ptr[i], m));
	return digits_of(&v);
}

digits spread_digits(spreads *ls, const mesh *m, axis_list l)
{
	return digits_of_axes(ls->mem, m, l);
}

const spread *spread_of_sharding(spreads *ls, const sharding *s, const mesh *m, int rank)
{
	if (!s || !m || mesh_is_empty(m) || mesh_is_maximal(m) || s->rank != rank)
		return spread_whole(ls, rank);
	arena *mem = &ls->ctx->scratch;
	arena_mark mark = arena_here(mem);
	digits *dims = NEW_N(mem, digits, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = digits_of_axes(mem, m, dim_axes(&s->dims[d]));
	spread l = {.order = order_of_mesh(ls, m), .rank = rank, .dims = dims,
	            .partial = digits_of_axes(mem, m, (axis_list){s->unreduced, s->n_unreduced}),
	            .combine = (monoid)s->reduction};
	const spread *found = spread_of(ls, &l);
	arena_back(mem, mark);
	return found;
}

const spread *spread_with_dim(spreads *ls, const spread *l, int d, digits to)
{
	arena_mark mark = arena_here(&ls->ctx->scratch);
	spread t = *l;
	digits *dims = COPY_N(&ls->ctx->scratch, l->dims, l->rank);
	dims[d] = to;
	t.dims = dims;
	l = spread_of(ls, &t);
	arena_back(&ls->ctx->scratch, mark);
	return l;
}

const spread *spread_with_partial(spreads *ls, const spread *l, digits partial, monoid combine)
{
	if (!partial.n && !l->partial.n)
		return l;
	spread t = *l;
	t.partial = partial;
	t.combine = combine;
	return spread_of(ls, &t);
}

digits spread_used(arena *mem, const spread *l)
{
	digit_vec v = {0};
	for (int d = 0; d < l->rank; d++)
		for (int i = 0; i < l->dims[d].n; i++)
			vec_push(mem, &v, l->dims[d].at[i]);
	return digits_of(&v);
}

const type *spread_local_type(spreads *ls, const spread *l, const type *global)
{
	if (!type_is_tensor(global) || spread_is_whole(l))
		return global;
	known_local_type *known = &ls->local_types[hash_mix(l->hash, global->hash) % LOCAL_TYPES];
	if (known->as == l && known->global == global)
		return known->local;
	arena_mark mark = arena_here(&ls->ctx->scratch);
	int64_t *dims = NEW_N(&ls->ctx->scratch, int64_t, l->rank);
	for (int d = 0; d < l->rank; d++)
		dims[d] = spread_local_dim(l, d, global->dims[d]);
	*known = (known_local_type){l, global, type_with_dims(ls->ctx, global, dims, l->rank)};
	arena_back(&ls->ctx->scratch, mark);
	return known->local;
}

int64_t spread_local_bytes(const spread *l, const type *global)
{
	int64_t n = type_is_tensor(global) && l->rank ? 1 : global->n_elems;
	for (int d = 0; d < l->rank && type_is_tensor(global); d++)
		n *= spread_local_dim(l, d, global->dims[d]);
	return max_i64(type_bytes_of(global, n), 0);
}

bool spread_same_blocks(const spreads *ls, const spread *a, const spread *b)
{
	if (a == b)
		return true;
	for (int64_t device = 0; device < ls->n_devices; device++) {
		int64_t pa = order_position(a->order, device),
			pb = order_position(b->order, device);
		for (int d = 0; d < a->rank; d++)
			if (digits_coordinate(a->dims[d], pa) != digits_coordinate(b->dims[d], pb))
				return false;
	}
	return true;
}

/* ---- cuts ---------------------------------------------------------------------- */

void cuts_take_end(cuts *c, int64_t at)
{
	int i = 0;
	while (i < c->n && c->at[i] < at)
		i++;
	if (i < c->n && c->at[i] == at)
		return;
	if (c->n == MAX_CUTS) {
		c->chain = false;
		return;
	}
	memmove(c->at + i + 1, c->at + i, sizeof *c->at * (size_t)(c->n - i));
	c->at[i] = at;
	c->n++;
}

static void cuts_add_list(cuts *c, digits l)
{
	for (int i = 0; i < l.n; i++) {
		cuts_take_end(c, l.at[i].stride);
		cuts_take_end(c, l.at[i].stride * l.at[i].size);
	}
}

void cuts_begin(cuts *c, const spreads *ls)
{
	*c = (cuts){.chain = true};
	cuts_take_end(c, 1);
	cuts_take_end(c, ls->n_devices);
}

void cuts_take(cuts *c, const spread *s)
{
	for (int d = 0; d < s->rank; d++)
		cuts_add_list(c, s->dims[d]);
	cuts_add_list(c, s->partial);
}

bool cuts_chain(cuts *c)
{
	for (int i = 1; i < c->n; i++)
		c->chain &= c->at[i] % c->at[i - 1] == 0;
	return c->chain;
}

void cuts_of(cuts *c, const spreads *ls, const spread *a, const spread *b)
{
	cuts_begin(c, ls);
	cuts_take(c, a);
	cuts_take(c, b);
	cuts_chain(c);
}

void cuts_refine(arena *mem, const cuts *c, digits l, digit_vec *out)
{
	for (int i = 0; i < l.n; i++)
		for (int k = c->n - 1; k > 0; k--)
			if (c->at[k] <= l.at[i].stride * l.at[i].size &&
			    c->at[k - 1] >= l.at[i].stride)
				vec_push(mem, out, (digit){c->at[k - 1], c->at[k] / c->at[k - 1]});
}
