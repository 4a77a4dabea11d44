/* axes.h - short lists of axes that are edited in place (inside partition). */
#ifndef TESS_SHARDY_COLLECTIVES_AXES_H
#define TESS_SHARDY_COLLECTIVES_AXES_H

#include "op/op.h"

void axes_insert(arena *mem, axes_vec *v, int at, axis_ref a);
axis_ref axes_remove(axes_vec *v, int at);
int axes_find(const axes_vec *v, axis_ref a); /* -1: it is not there */
static inline axis_list axes_of(const axes_vec *v) { return (axis_list){v->ptr, v->len}; }
/* Takes the axes from number `from` on off the end of `v`, whose last axes may be
 * merged from them. */
void axes_drop_back(axes_vec *v, const axes_vec *gone, int from);
/* Cuts every axis that overlaps with one of `other` without being part of it into the
 * overlap and what is before and behind.  `other` is sorted by axis_cmp(). */
void axes_cut_along(arena *mem, axes_vec *v, axis_list other, const mesh *mesh);
axis_list axes_sorted(arena *mem, const axes_vec *lists, int n);

#endif
