/* mesh.c - meshes whose axes are Auto, Explicit or Manual; lists and sets of axes. */
#include "array/array.h"

array_state *array_state_of(tess_ctx *ctx)
{
	if (!ctx->slot[SLOT_ARRAY])
		ctx->slot[SLOT_ARRAY] = NEW(&ctx->perm, array_state);
	return ctx->slot[SLOT_ARRAY];
}

bool amesh_placed_alike(const amesh *a, const amesh *b)
{
	int64_t n = amesh_devices(a);
	return n == amesh_devices(b) && !a->ids == !b->ids &&
	       (a->ids == b->ids || memcmp(a->ids, b->ids, sizeof *a->ids * (size_t)n) == 0);
}

static bool amesh_equal(const void *obj, const void *key)
{
	return memcmp(obj, key, offsetof(amesh, ids)) == 0 && amesh_placed_alike(obj, key);
}

static bool amesh_valid(tess_ctx *ctx, const amesh *m)
{
	int64_t devices = 1;
	for (int i = 0; i < m->n; i++) {
		if (m->size[i] < 1)
			return diag_error(ctx, NOWHERE, E_ARRAY_MESH,
			                  "axis \"%s\" has size %" PRId64 "; sizes are at least 1",
			                  m->axis[i]->s, m->size[i]);
		for (int j = 0; j < i; j++)
			if (m->axis[i] == m->axis[j])
				return diag_error(ctx, NOWHERE, E_ARRAY_MESH,
				                  "axis \"%s\" appears twice in the mesh",
				                  m->axis[i]->s);
		if (!mul_ok(devices, m->size[i], &devices) || devices > INT32_MAX)
			return diag_error(ctx, NOWHERE, E_ARRAY_MESH,
			                  "the mesh has too many devices");
	}
	return true;
}

/* Sets the device ids of an otherwise complete mesh; NULL if they are in order. */
static bool amesh_place(tess_ctx *ctx, amesh *m, const int64_t *ids)
{
	int64_t n = ids ? amesh_devices(m) : 0;
	bool *seen = NEW_N(&ctx->scratch, bool, n + 1), in_order = true;
	for (int64_t i = 0; i < n; i++) {
		if (ids[i] < 0 || ids[i] >= n || seen[ids[i]])
			return diag_error(ctx, NOWHERE, E_ARRAY_MESH,
			                  "device ids are each of 0 … %" PRId64
			                  " once; %" PRId64 " at place %" PRId64 " is not",
			                  n - 1, ids[i], i);
		seen[ids[i]] = true;
		in_order &= ids[i] == i;
	}
	m->ids = in_order ? NULL : ids;
	return true;
}

const amesh *amesh_of(tess_ctx *ctx, const amesh *m)
{
	array_state *st = array_state_of(ctx);
	amesh key;
	memset(&key, 0, sizeof key); /* equal meshes must be equal byte by byte */
	key.n = m->n;
	for (int i = 0; i < m->n; i++) {
		key.axis[i] = m->axis[i];
		key.size[i] = m->size[i];
		key.kind[i] = m->kind[i];
	}
	if (!amesh_valid(ctx, &key) || !amesh_place(ctx, &key, m->ids))
		return NULL;
	size_t ids = sizeof *key.ids * (size_t)amesh_devices(&key);
	uint64_t hash = hash_bytes(&key, offsetof(amesh, ids), 1);
	if (key.ids)
		hash = hash_bytes(key.ids, ids, hash);
	amesh *found = cons_find(&st->meshes, hash, amesh_equal, &key);
	if (!found) {
		key.ctx = ctx;
		key.ids = key.ids ? arena_copy(&ctx->perm, key.ids, ids) : NULL;
		found = arena_copy(&ctx->perm, &key, sizeof key);
		cons_add(&st->meshes, &ctx->perm, hash, found);
	}
	return found;
}

int amesh_axis(const amesh *m, const name *axis)
{
	for (int i = 0; m && i < m->n; i++)
		if (m->axis[i] == axis)
			return i;
	return -1;
}

axis_set amesh_axes_named(const amesh *m, tess_str words, axis_set allowed, tess_str *wrong)
{
	axis_set out = 0;
	tess_str first = {0};
	while (words.len) {
		const char *comma = memchr(words.ptr, ',', words.len);
		tess_str word = {words.ptr, comma ? (size_t)(comma - words.ptr) : words.len};
		size_t used = word.len + (comma != NULL);
		axis_set axis = 0;
		for (int a = 0; m && a < m->n; a++)
			if (str_eq(name_str(m->axis[a]), word))
				axis = (axis_set)1 << a;
		if (!(axis & allowed) && !first.ptr)
			first = word;
		out |= axis & allowed;
		words.ptr += used;
		words.len -= used;
	}
	if (wrong)
		*wrong = first;
	return out;
}

int64_t amesh_devices(const amesh *m) { return axis_set_size(m, ~(axis_set)0); }

axis_set amesh_axes_of_kind(const amesh *m, axis_kind kind)
{
	axis_set set = 0;
	for (int i = 0; m && i < m->n; i++)
		if (m->kind[i] == kind)
			set |= (axis_set)1 << i;
	return set;
}

const amesh *amesh_with_kind(tess_ctx *ctx, const amesh *m, axis_set set, axis_kind kind)
{
	amesh changed = *m;
	for (int i = 0; i < m->n; i++)
		if (set >> i & 1)
			changed.kind[i] = kind;
	return amesh_of(ctx, &changed);
}

void put_amesh(writer *w, const amesh *m, const char *what)
{
	static const char *const kinds[] = {"Auto", "Explicit", "Manual"};
	put_f(w, "%s(", what);
	for (int i = 0; i < m->n; i++)
		put_f(w, "'%s': %" PRId64 ", ", m->axis[i]->s, m->size[i]);
	put_lit(w, "axis_types=(");
	for (int i = 0; i < m->n; i++)
		put_f(w, "%s%s", i ? ", " : "", kinds[m->kind[i]]);
	put_z(w, m->n == 1 ? ",)" : ")");
	for (int64_t d = 0; m->ids && d < amesh_devices(m); d++)
		put_f(w, "%s%" PRId64, d ? ", " : ", device_ids=[", m->ids[d]);
	put_z(w, m->ids ? "])" : ")");
}

/* ---- lists and sets ------------------------------------------------------------ */

axis_seq axis_seq_join(axis_seq major, axis_seq minor)
{
	return major | minor << (4 * axis_seq_len(major));
}

axis_set axis_seq_set(axis_seq l)
{
	axis_set set = 0;
	for (; l; l >>= 4)
		set |= (axis_set)1 << ((l & 15) - 1);
	return set;
}

axis_seq axis_seq_within(axis_seq l, axis_set set)
{
	axis_seq kept = 0;
	for (; l; l >>= 4)
		if (set >> ((l & 15) - 1) & 1)
			kept = axis_seq_add(kept, (int)(l & 15) - 1);
	return kept;
}

axis_seq axis_seq_without(axis_seq l, axis_set set) { return axis_seq_within(l, ~set); }

int64_t axis_set_size(const amesh *m, axis_set set)
{
	int64_t n = 1;
	for (int i = 0; m && i < m->n; i++)
		if (set >> i & 1)
			n *= m->size[i];
	return n;
}

int64_t axis_seq_size(const amesh *m, axis_seq l) { return axis_set_size(m, axis_seq_set(l)); }
