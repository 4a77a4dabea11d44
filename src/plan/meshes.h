/* meshes.h - the mesh shapes that a plan may have. */
#ifndef TESS_PLAN_MESHES_H
#define TESS_PLAN_MESHES_H

#include "plan/plan.h"

typedef VEC(const mesh *) mesh_list;

/* Shapes for so many devices, of the pattern "data=*,model=8" if there is one: first those of one axis,
 * then of two, the one whose last axis is a node of the target first and the others by their distance
 * from it.  false once an error is in the context. */
bool plan_meshes(tess_ctx *ctx, const char *pattern, int64_t devices, const target *t, arena *mem,
                 mesh_list *out);

/* The mesh with the axis `*axis` in two, of which the second one, `node`, lies within nodes; NULL: no axis has
 * links of both kinds. */
const mesh *plan_mesh_split(tess_ctx *ctx, const mesh *m, const target *t, int *axis);

#endif
