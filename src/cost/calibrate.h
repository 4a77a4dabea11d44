/* calibrate.h - measurements, and a machine fitted to them. Internal to cost. */
#ifndef TESS_COST_CALIBRATE_H
#define TESS_COST_CALIBRATE_H

#include "cost/cost.h"

/* Returns the next word of a table, without blanks; target.c uses it, too. Comments, and
 * backslashes at the end of a line, count as blanks. Sets *line_end if a line has ended before the
 * word. */
tess_str table_word(tess_str text, size_t *at, bool *line_end);
/* Returns how many products of elements of one type the machine computes per second, at its peak.
 * (precision.c) */
double product_rate(const target *t, dtype dt, product_precision p);
/* Returns what share of its product_efficiency the machine reaches for m x k and k x n elements.
 * (efficiency.c) */
double matrix_product_share(const target *t, double m, double n, double k, dtype dt);

#endif
