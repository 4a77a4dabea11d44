/* mesh.c - meshes: interning, axes, and the order of the devices.
 *
 * Devices fill the grid of the axes in row-major order, unless device_ids say which device is at
 * each position. The inverse permutation is kept with the mesh, so that both directions are one
 * array access. */
#include "sharding/tables.h"

enum { FEW_AXES = 16 }; /* up to here a linear search beats a table */

sharding_tables *sharding_tables_of(tess_ctx *ctx)
{
	if (!ctx->slot[SLOT_SHARDING])
		ctx->slot[SLOT_SHARDING] = NEW(&ctx->perm, sharding_tables);
	return ctx->slot[SLOT_SHARDING];
}

static uint64_t mesh_hash(const mesh *m)
{
	uint64_t h = hash_mix((uint64_t)m->n_axes, (uint64_t)m->n_device_ids);
	for (int i = 0; i < m->n_axes; i++)
		h = hash_mix(hash_mix(h, m->axes[i].name->hash),
		             (uint64_t)m->axes[i].size << 2 | (uint64_t)m->axes[i].kind);
	return hash_bytes(m->device_ids, sizeof(int64_t) * (size_t)m->n_device_ids, h);
}

static bool mesh_same_ids(const mesh *a, const mesh *b)
{
	return a->n_device_ids == b->n_device_ids &&
	       (!a->n_device_ids || memcmp(a->device_ids, b->device_ids,
	                                   sizeof(int64_t) * (size_t)a->n_device_ids) == 0);
}

static bool axes_identical(const mesh *a, const mesh *b)
{
	if (a->n_axes != b->n_axes)
		return false;
	for (int i = 0; i < a->n_axes; i++)
		if (a->axes[i].name != b->axes[i].name || a->axes[i].size != b->axes[i].size)
			return false;
	return true;
}

static bool mesh_eq(const void *obj, const void *key)
{
	const mesh *a = obj, *b = key;
	if (!axes_identical(a, b) || !mesh_same_ids(a, b))
		return false;
	for (int i = 0; i < a->n_axes; i++)
		if (a->axes[i].kind != b->axes[i].kind)
			return false;
	return true;
}

/* The product of the sizes.  Meshes from text may be absurd until they are
 * verified: the product saturates, and is 0 if a size is not positive. */
static int64_t count_devices(const mesh *m)
{
	int64_t n = 1;
	if (!m->n_axes)
		return mesh_is_maximal(m);
	for (int i = 0; i < m->n_axes; i++) {
		if (m->axes[i].size < 1)
			return 0;
		if (!mul_ok(n, m->axes[i].size, &n))
			n = INT64_MAX;
	}
	return n;
}

static bool ids_are_iota(const mesh *m)
{
	if (!m->n_axes || m->n_device_ids != m->n_devices)
		return false;
	for (int64_t i = 0; i < m->n_device_ids; i++)
		if (m->device_ids[i] != i)
			return false;
	return true;
}

/* The position of each device; NULL if the ids are not a permutation of 0..n-1. */
static const int64_t *invert_ids(tess_ctx *ctx, const mesh *m)
{
	int64_t n = m->n_device_ids;
	if (!n || n != m->n_devices || !m->n_axes)
		return NULL;
	int64_t *pos = arena_alloc(&ctx->perm, sizeof(int64_t) * (size_t)n);
	memset(pos, -1, sizeof(int64_t) * (size_t)n);
	for (int64_t i = 0; i < n; i++) {
		int64_t id = m->device_ids[i];
		if (id < 0 || id >= n || pos[id] >= 0)
			return NULL;
		pos[id] = i;
	}
	return pos;
}

static void index_axes(tess_ctx *ctx, mesh *m)
{
	for (int i = 0; i < m->n_axes; i++) {
		void **slot = ptr_map_at(&m->by_name, &ctx->perm, m->axes[i].name);
		if (!*slot)
			*slot = (void *)&m->axes[i];
	}
}

const mesh *mesh_of(tess_ctx *ctx, const mesh_axis *axes, int n_axes, const int64_t *device_ids,
                    int64_t n_device_ids)
{
	mesh key = {.n_axes = n_axes, .axes = axes, .n_device_ids = n_device_ids,
	            .device_ids = device_ids};
	key.n_devices = count_devices(&key);
	if (ids_are_iota(&key))
		key.n_device_ids = 0;
	key.hash = mesh_hash(&key);
	key.ctx = ctx;
	sharding_tables *t = sharding_tables_of(ctx);
	mesh *m = cons_find(&t->meshes, key.hash, mesh_eq, &key);
	if (m)
		return m;
	m = COPY_N(&ctx->perm, &key, 1);
	m->axes = COPY_N(&ctx->perm, axes, n_axes);
	m->device_ids = COPY_N(&ctx->perm, device_ids, m->n_device_ids);
	m->positions = invert_ids(ctx, m);
	if (n_axes > FEW_AXES)
		index_axes(ctx, m);
	cons_add(&t->meshes, &ctx->perm, m->hash, m);
	return m;
}

const mesh *mesh_plain(tess_ctx *ctx, const mesh *m)
{
	bool plain = true;
	for (int i = 0; i < m->n_axes; i++)
		plain &= m->axes[i].kind == TESS_AXIS_AUTO;
	if (plain)
		return m;
	mesh_axis *axes = COPY_N(&ctx->scratch, m->axes, m->n_axes);
	for (int i = 0; i < m->n_axes; i++)
		axes[i].kind = TESS_AXIS_AUTO;
	return mesh_of(ctx, axes, m->n_axes, m->device_ids, m->n_device_ids);
}

int mesh_axis_index(const mesh *m, const name *axis)
{
	if (m->n_axes > FEW_AXES) {
		const mesh_axis *a = ptr_map_get(&m->by_name, axis);
		return a ? (int)(a - m->axes) : -1;
	}
	for (int i = 0; i < m->n_axes; i++)
		if (m->axes[i].name == axis)
			return i;
	return -1;
}

int64_t mesh_axis_size(const mesh *m, const name *axis)
{
	int i = mesh_axis_index(m, axis);
	return i < 0 ? 0 : m->axes[i].size;
}

bool mesh_same_axes(const mesh *a, const mesh *b)
{
	return mesh_is_maximal(a) == mesh_is_maximal(b) && axes_identical(a, b);
}

int64_t mesh_device_at(const mesh *m, int64_t position)
{
	return m->n_device_ids ? m->device_ids[position] : position;
}

int64_t mesh_position_of(const mesh *m, int64_t device)
{
	if (mesh_is_maximal(m))
		return device == m->device_ids[0] ? 0 : -1;
	if (device < 0 || device >= m->n_devices)
		return -1;
	return m->positions ? m->positions[device] : device;
}
