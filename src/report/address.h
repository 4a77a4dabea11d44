/* address.h - the values that a text names. */
#ifndef TESS_REPORT_ADDRESS_H
#define TESS_REPORT_ADDRESS_H

#include "op/op.h"

typedef VEC(value *) value_list;

/* The values of @main that a text names, in the order of the program; they are listed in `mem`.
 *
 *   "%h", "%0#1", "h"           as the text of the program has it
 *   "%h of @f"                  in a function that is called
 *   "arg:0", "result:0", "out0"  what @main takes and returns; of a result, the value returned
 *   "params['w']", "params/w", "params.w.value", "w"
 *                               the path that JAX gave an argument or result, or its end
 *   "params.layers.*.w"         with a * in a part: all that fit
 *   "layers/3/attention"        what modules of this path hand to others, forwards
 *   "train.py:26"               what a line of the source made, inlined functions included
 *
 * False once an error says that there is none, with the names that are near, or that a path without *
 * fits several. */
bool address_values(module *m, const char *text, arena *mem, value_list *out);

/* What JAX calls argument or result `i`; empty: the program does not say. */
tess_str argument_path(const block *b, int i);
tess_str result_path(const op *main, int i);

/* ---- names that have parts: params['layers'][0]['w'], layers.3.attention (address_path.c) ------------- */

enum { MOST_PARTS = 32 };

typedef struct path {
	int n;
	tess_str part[MOST_PARTS];
} path;

/* params['w'].value, params/w and params.w are "params", "w"; flax's ".value" is no part of it. */
path path_of(tess_str text);
bool has_wildcard(tess_str text);

typedef enum path_fit { FITS_NOT, FITS_END, FITS_WHOLE } path_fit;
/* Whether the last parts of `p` are those that are asked for, in which each * stands for any text. */
path_fit path_fits(const path *asked, const path *p);
/* Whether some part is one of these words, the last of which is NULL. */
bool path_has_part(const path *p, const char *const *words);
/* Whether it is in a tree that libraries keep an optimizer's state in: opt_state, mu, nu. */
bool path_of_optimizer(const path *p);
/* Whether they stand beside each other anywhere in it, but for its last part. */
bool path_within(const path *asked, const path *p);

/* The last `n` parts of a path, with / between them. */
tess_str path_end(arena *mem, const path *p, int n);

/* Calls `visit` once for each path of a module, and of what is around it, that JAX names operations by. */
typedef void module_visit(void *user, const path *module);
void each_module(const op *main, arena *mem, module_visit *visit, void *user);

/* What modules made whose path, in the names that JAX gives operations, is `text` or ends so: the values
 * that others use. */
void find_by_module(const op *main, tess_str text, arena *mem, value_list *out);

#endif
