/* control.h - what control flow and transformations share. */
#ifndef TESS_ARRAY_CONTROL_H
#define TESS_ARRAY_CONTROL_H

#include "array/array.h"

/* A node with bodies; values that they capture become its last operands. */
int call_node(call_with_body *c, const char *name, afn **bodies, int n_bodies, const atype *types,
              int n_types);
/* reshard(v) to a spec, on a mesh (NULL: the one that is set). */
avalue *emit_reshard(tess_ctx *ctx, avalue *v, const pspec *s, const amesh *m);
avalue *emit_unsharded(tess_ctx *ctx, avalue *v); /* along nothing */
/* The value on mesh m, without the axes that are Auto there. */
avalue *without_auto(tess_ctx *ctx, avalue *v, const amesh *m);
/* The axes that a text names, "X,Y"; absent: all of `otherwise`. */
bool named_axes(tess_ctx *ctx, const amesh *m, const params *a, const char *key, axis_set otherwise,
                axis_set *out);

/* A function to be written again, and what stands for the values that it closes over. */
typedef struct replay {
	const afn *f;
	avalue *const *captured;
} replay;
/* The body of a call that writes env, a replay, again. */
int replay_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap);
/* Writes f's operations into the function being traced.
 * @param params one for each parameter, those of captured values included
 * @param outs f's results; may be NULL if it has none
 * @param known gets value of f -> its copy; may be NULL */
bool replay_into(tess_ctx *ctx, const afn *f, avalue *const *params, avalue **outs, ptr_map *known);
/* The call that made a node with bodies, made again with other operands and bodies. */
int replay_call(tess_ctx *ctx, const anode *n, avalue *const *args, array_body *body,
                void *const *env, avalue **out);
/* Where the captures of body b begin among the operands of a node. */
int captures_from(const anode *n, int b);

/* f applied to every element along the mapped dimension at once; the results have that
 * dimension first.
 * @param params of f; mapped[i]: params[i] has the mapped dimension, first
 * @param like of a value with only the mapped dimension: its size and axes
 * @param name that collectives call it by; empty: none
 * @param same results that must be the same for all elements, and come without the dimension; NULL:
 * none
 * @return false after an error */
bool batch_into(tess_ctx *ctx, const afn *f, avalue *const *params, const bool *mapped,
                const atype *like, tess_str name, const bool *same, avalue **outs);
/* True if the numbers in v, a value of f, depend on those in `on`, a value of f. */
bool depends_on(tess_ctx *ctx, const afn *f, const avalue *v, const avalue *on);
/* The first such node of f that gets what depends on `on`; NULL: there is none. */
const anode *dependent_node(tess_ctx *ctx, const afn *f, const avalue *on,
                            bool (*which)(const anode *n));
/* True if nothing comes back through an operation: it is constant between jumps. */
bool is_flat(const anode *n);
/* True if all of f's operations can be mapped. */
bool batch_possible(const afn *f);

#endif
