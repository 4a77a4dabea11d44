/* digits.h - a layout as digits of the index.  Private to the layer.
 *
 * f32[24,256]{1,0:T(8,128)} lies in memory as [3][2][8][128]: the digits
 * row / 8, column / 128, row % 8, column % 128, major to minor.  Each is
 * index[dim] / unit % count. */
#ifndef TESS_HLO_SHAPE_DIGITS_H
#define TESS_HLO_SHAPE_DIGITS_H

#include "hlo/shape/shape.h"

typedef struct layout_digit {
	int dim; /* logical; -1 for one that is always 0 */
	int64_t unit, count;
	int64_t stride; /* in elements */
} layout_digit;

typedef struct digit_list {
	int n;
	layout_digit d[LAYOUT_MAX_DIGITS];
} digit_list;

/* False if positions are no sums of digits: a tile merges two real dimensions, or
 * cuts a tile of the group before it unevenly. */
bool digits_of(const shape *s, digit_list *out);

#endif
