/* axes.h - short lists of axes that are edited in place; internal to shardy/collectives. */
#ifndef TESS_SHARDY_COLLECTIVES_AXES_H
#define TESS_SHARDY_COLLECTIVES_AXES_H

#include "op/op.h"

void axes_insert(arena *mem, axes_vec *v, int at, axis_ref a);
axis_ref axes_remove(axes_vec *v, int at);
int axes_find(const axes_vec *v, axis_ref a); /* -1: not found */
static inline axis_list axes_of(const axes_vec *v) { return (axis_list){v->ptr, v->len}; }
/* Removes the axes gone[from …) from the end of `v`, whose last axes may be merged from them. */
void axes_drop_back(axes_vec *v, const axes_vec *gone, int from);
/* Splits every axis that partly overlaps with one of `other` into the overlap and what is before
 * and after it. `other` is sorted by axis_cmp(). */
void axes_cut_along(arena *mem, axes_vec *v, axis_list other, const mesh *mesh);
axis_list axes_sorted(arena *mem, const axes_vec *lists, int n);

#endif
