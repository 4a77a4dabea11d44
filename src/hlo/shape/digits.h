/* digits.h - a layout as mixed-radix digits of the index. Internal to hlo/shape.
 *
 * f32[24,256]{1,0:T(8,128)} is stored as [3][2][8][128]: the digits are row / 8, column / 128, row
 * % 8, column % 128, from major to minor. Each is index[dim] / unit % count. */
#ifndef TESS_HLO_SHAPE_DIGITS_H
#define TESS_HLO_SHAPE_DIGITS_H

#include "hlo/shape/shape.h"

typedef struct layout_digit {
	int dim; /* logical dimension; -1 if always 0 */
	int64_t unit, count;
	int64_t stride; /* in elements */
} layout_digit;

typedef struct digit_list {
	int n;
	layout_digit d[LAYOUT_MAX_DIGITS];
} digit_list;

/* Returns false if positions are not sums of digits: a tile merges two dimensions larger than 1, or
 * splits a tile of the group before it unevenly. */
bool digits_of(const shape *s, digit_list *out);

#endif
