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
 * False once it is told that there is none, with the names that are near, or that a path without *
 * fits several. */
bool address_values(module *m, const char *text, arena *mem, value_list *out);

#endif
