/* control.h - helpers of control flow and transformations. */
#ifndef TESS_ARRAY_CONTROL_H
#define TESS_ARRAY_CONTROL_H

#include "array/array.h"

/* Appends a node with bodies; the values that they capture become its last operands. */
int call_node(call_with_body *c, const char *name, afn **bodies, int n_bodies, const atype *types,
              int n_types);
/* Reshards v to a spec, on a mesh (NULL: the current one). */
avalue *emit_reshard(tess_ctx *ctx, avalue *v, const pspec *s, const amesh *m);
avalue *emit_unsharded(tess_ctx *ctx, avalue *v); /* replicated */
/* Moves the value to mesh m, without the axes that are Auto there. */
avalue *without_auto(tess_ctx *ctx, avalue *v, const amesh *m);
/* Resolves the axes in a text, "X,Y"; absent: all of `otherwise`. */
bool named_axes(tess_ctx *ctx, const amesh *m, const params *a, const char *key, axis_set otherwise,
                axis_set *out);

/* A function to be emitted again, with replacements for the values that it captured. */
typedef struct replay {
	const afn *f;
	avalue *const *captured;
} replay;
/* The body of a call that emits env, a replay. */
int replay_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap);
/* Emits f's operations into the function being traced.
 * @param params one for each parameter, including those for captured values
 * @param outs f's results; may be NULL if it has none
 * @param known maps values of f to their copies; may be NULL */
bool replay_into(tess_ctx *ctx, const afn *f, avalue *const *params, avalue **outs, ptr_map *known);
/* Makes the call that created a node with bodies again, with other operands and bodies. */
int replay_call(tess_ctx *ctx, const anode *n, avalue *const *args, array_body *body,
                void *const *env, avalue **out);
/* Returns the index of the first capture of body b among the operands of a node. */
int captures_from(const anode *n, int b);

/* Emits f applied to all elements along the mapped dimension at once; results have that dimension
 * first.
 * @param params of f; mapped[i]: params[i] has the mapped dimension, first
 * @param like the type of a value with only the mapped dimension: its size and axes
 * @param name for collectives; empty: none
 * @param same results that must be the same for all elements, and lack the dimension; NULL: none
 * @return false after an error */
bool batch_into(tess_ctx *ctx, const afn *f, avalue *const *params, const bool *mapped,
                const atype *like, tess_str name, const bool *same, avalue **outs);
/* True if v, a value of f, depends on the numbers in `on`, a value of f. */
bool depends_on(tess_ctx *ctx, const afn *f, const avalue *v, const avalue *on);
/* Returns the first such node of f whose operands depend on `on`; NULL if there is none. */
const anode *dependent_node(tess_ctx *ctx, const afn *f, const avalue *on,
                            bool (*which)(const anode *n));
/* True if the derivative of the operation is 0 wherever it exists. */
bool is_flat(const anode *n);
/* True if vmap has a rule for all of f's operations. */
bool batch_possible(const afn *f);

#endif
