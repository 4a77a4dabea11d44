/* meshes.h - the mesh shapes that a plan may have. */
#ifndef TESS_PLAN_MESHES_H
#define TESS_PLAN_MESHES_H

#include "plan/plan.h"

typedef VEC(const mesh *) mesh_list;

/* Lists shapes for this number of devices, of the pattern "data=*,model=8" if there is one: first
 * those with one axis, then those with two, of which the one whose last axis is a node of the
 * target comes first, and the others in the order of their distance from it. Returns false after
 * reporting an error. */
bool plan_meshes(tess_ctx *ctx, const char *pattern, int64_t devices, const target *t, arena *mem,
                 mesh_list *out);

/* Returns the mesh with an axis divided in two, the second of which has `inner` devices and the name
 * `part`; NULL: it cannot be divided like that, the mesh has the most axes already or one of this name,
 * or an axis would divide nodes unevenly. */
const mesh *plan_mesh_divided(tess_ctx *ctx, const mesh *m, const target *t, int axis, int64_t inner,
                              const char *part);

/* Returns the mesh with the axis `*axis` divided in two, the second of which, `node`, lies within
 * nodes; NULL: no axis has links of both kinds. */
const mesh *plan_mesh_split(tess_ctx *ctx, const mesh *m, const target *t, int *axis);

/* Returns the mesh in which a factor of two has moved from one axis to another; NULL: the first axis
 * has no other factor, or an axis would then divide nodes unevenly. */
const mesh *plan_mesh_moved(tess_ctx *ctx, const mesh *m, const target *t, int from, int to);

#endif
