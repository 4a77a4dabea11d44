/* periods.h - where a sequence repeats itself. */
#ifndef TESS_PLAN_PERIODS_H
#define TESS_PLAN_PERIODS_H

#include "op/op.h"

/* Each element from start + period to start + length is that `period` before it. */
typedef struct period_run {
	int start, period, length;
} period_run;
typedef VEC(period_run) period_runs;

/* Runs of at least three times a period of at least four elements, which do not overlap, the longest
 * first.  `symbols` are numbers from 0 below n.  Runs lie in `mem`.  The work is linear in n. */
void periods_find(const int *symbols, int n, arena *mem, period_runs *out);

#endif
