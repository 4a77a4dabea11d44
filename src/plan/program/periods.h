/* periods.h - finds where a sequence repeats itself. */
#ifndef TESS_PLAN_PERIODS_H
#define TESS_PLAN_PERIODS_H

#include "op/op.h"

/* Each element from start + period to start + length equals the one `period` before it. */
typedef struct period_run {
	int start, period, length;
} period_run;
typedef VEC(period_run) period_runs;

/* Finds runs of at least three times a period of at least four elements, which do not overlap, the
 * longest first. `symbols` are numbers from 0 to n - 1. Runs are allocated in `mem`. The time is
 * linear in n. */
void periods_find(const int *symbols, int n, arena *mem, period_runs *out);

#endif
