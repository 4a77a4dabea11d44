/* control.h - what control flow and transformations share. */
#ifndef TESS_ARRAY_CONTROL_H
#define TESS_ARRAY_CONTROL_H

#include "array/array.h"

/* A node with bodies; values that they capture become its last operands. */
int call_node(call_with_body *c, const char *name, afn **bodies, int n_bodies, const atype *types,
              int n_types);
/* reshard(v) to a spec, on a mesh (NULL: the one that is set). */
avalue *emit_reshard(tess_ctx *ctx, avalue *v, const pspec *s, const amesh *m);
/* The value on mesh m, without the axes that are Auto there. */
avalue *without_auto(tess_ctx *ctx, avalue *v, const amesh *m);
/* The axes that a text names, "X,Y"; absent: all of `otherwise`. */
bool named_axes(tess_ctx *ctx, const amesh *m, const params *a, const char *key, axis_set otherwise,
                axis_set *out);

#endif
