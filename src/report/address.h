/* address.h - finds the values that a text names. */
#ifndef TESS_REPORT_ADDRESS_H
#define TESS_REPORT_ADDRESS_H

#include "op/op.h"

typedef VEC(value *) value_list;

/* Lists the values of @main that a text names in `mem`, in program order.
 *
 *   "%h", "%0#1", "h"           as in the program text
 *   "%h of @f"                  in a called function
 *   "arg:0", "result:0", "out0" arguments and results of @main; for a result, the value returned
 *   "params['w']", "params/w", "params.w.value", "w"
 *                               JAX's path of an argument or result, or the end of the path
 *   "params.layers.*.w"         * matches any text within a part: all values that match
 *   "layers/3/attention"        the outputs of the modules with this path in the forward pass
 *   "train.py:26"               what this source line computes, inlined functions included
 *
 * Returns false after a diagnostic: nothing matches (similar names are suggested), or several
 * values match a path without *. */
bool address_values(module *m, const char *text, arena *mem, value_list *out);

/* JAX's path of argument or result `i`; empty if the program does not have it. */
tess_str argument_path(const block *b, int i);
tess_str result_path(const op *main, int i);

/* ---- paths: params['layers'][0]['w'], layers.3.attention (address_path.c) ------------------- */

enum { MOST_PARTS = 32 };

typedef struct path {
	int n;
	tess_str part[MOST_PARTS];
} path;

/* Splits a path: params['w'].value, params/w and params.w all have the parts "params" and "w";
 * flax's ".value" is dropped. */
path path_of(tess_str text);
bool has_wildcard(tess_str text);

typedef enum path_fit { FITS_NOT, FITS_END, FITS_WHOLE } path_fit;
/* Matches the last parts of `p` against `asked`, in which * matches any text. */
path_fit path_fits(const path *asked, const path *p);
/* True if some part is one of these words; the list ends with NULL. */
bool path_has_part(const path *p, const char *const *words);
/* True if the path is in a tree in which libraries keep optimizer state: opt_state, mu, nu. */
bool path_of_optimizer(const path *p);

/* Returns the last `n` parts of a path, joined by /. */
tess_str path_end(arena *mem, const path *p, int n);

/* Calls `visit` once for each module path that JAX names operations by, and for each prefix. */
typedef void module_visit(void *user, const path *module);
void each_module(const op *main, arena *mem, module_visit *visit, void *user);

/* Finds the outputs of the modules whose path, in JAX's operation names, is `text` or ends with it:
 * the values that other operations use. */
void find_by_module(const op *main, tess_str text, arena *mem, value_list *out);

#endif
