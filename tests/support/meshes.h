/* meshes.h - meshes from arrays, for tests. */
#ifndef TESS_TEST_MESHES_H
#define TESS_TEST_MESHES_H

#include <tessera/sharding.h>

/* Makes a mesh with axes of these sizes. Without `names`, axes are named by number; without
 * `kinds`, all are of `kind`. */
static inline const tess_mesh *mesh_with(tess_ctx *ctx, const int64_t *sizes, size_t n,
                                         const char *const *names, const tess_axis_kind *kinds,
                                         tess_axis_kind kind, const int64_t *ids, size_t n_ids)
{
	tess_mesh_axis axes[64];
	for (size_t i = 0; i < n; i++)
		axes[i] = (tess_mesh_axis){tess_str_of(names ? names[i] : NULL), sizes[i],
		                           kinds ? kinds[i] : kind};
	return tess_mesh_make(ctx, axes, n, ids, n_ids);
}

/* Like jax.make_mesh(): axes are Explicit unless `kinds` says otherwise. */
static inline const tess_mesh *jax_mesh(tess_ctx *ctx, const int64_t *sizes, size_t n_sizes,
                                        const char *const *names, size_t n_names,
                                        const tess_axis_kind *kinds, size_t n_kinds)
{
	if (n_sizes != n_names || (n_kinds && n_kinds != n_names))
		return NULL;
	return mesh_with(ctx, sizes, n_sizes, names, n_kinds ? kinds : NULL, TESS_AXIS_EXPLICIT,
	                 NULL, 0);
}

/* Like torch_xla's Mesh(). */
static inline const tess_mesh *torch_mesh(tess_ctx *ctx, const int64_t *ids, size_t n_ids,
                                          const int64_t *shape, size_t rank,
                                          const char *const *names, size_t n_names)
{
	if (names && n_names != rank)
		return NULL;
	return mesh_with(ctx, shape, rank, names, NULL, TESS_AXIS_AUTO, ids, ids ? n_ids : 0);
}

/* Returns the index of an axis; -1 if there is none with this name. */
static inline int mesh_find_axis(const tess_mesh *m, const char *name)
{
	tess_mesh_axis a;
	for (size_t i = 0; tess_mesh_axis_get(m, i, &a); i++)
		if (a.name.len == strlen(name) && memcmp(a.name.ptr, name, a.name.len) == 0)
			return (int)i;
	return -1;
}

/* Returns the size of an axis; -1 if there is no such axis. */
static inline int64_t mesh_size_of(const tess_mesh *m, size_t axis)
{
	tess_mesh_axis a;
	return tess_mesh_axis_get(m, axis, &a) ? a.size : -1;
}

#endif
