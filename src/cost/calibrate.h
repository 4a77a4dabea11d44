/* calibrate.h - measurements, and a machine fitted to them; inside cost. */
#ifndef TESS_COST_CALIBRATE_H
#define TESS_COST_CALIBRATE_H

#include "cost/cost.h"

/* Also target.c's: the next word of a table, without blanks; a comment and a backslash at the end of
 * a line are blanks.  *line_end: a line has ended before it. */
tess_str table_word(tess_str text, size_t *at, bool *line_end);
/* precision.c: of products of elements of one type, per second at the peak. */
double product_rate(const target *t, dtype dt, product_precision p);

#endif
