/* periods.c - finds runs by trying a few likely periods.
 *
 * In a program of L equal layers, what a layer has once occurs again after one period. So a period
 * is a frequent distance between successive occurrences of one symbol. The most frequent distances
 * are tried, each in one pass over the sequence. A multiple of a period gives a run that is not
 * longer, so of equally long runs the one with the smallest period is taken. */
#include "plan/program/periods.h"

#include <stdlib.h>

enum { MIN_PERIOD = 4, MIN_TIMES = 3, MAX_PERIODS = 64 };

typedef struct period_count {
	int period, n;
} period_count;

static int by_count(const void *a, const void *b)
{
	const period_count *x = a, *y = b;
	return x->n != y->n ? (x->n > y->n ? -1 : 1) : (x->period > y->period) - (x->period < y->period);
}

/* Finds the periods to try, the most frequent first. Returns how many there are. */
static int likely_periods(const int *symbols, int n, arena *mem, period_count *out)
{
	int *last = NEW_N(mem, int, n), *count = NEW_N(mem, int, n + 1), len = 0;
	for (int i = 0; i < n; i++) {
		if (last[symbols[i]])
			count[i + 1 - last[symbols[i]]]++;
		last[symbols[i]] = i + 1;
	}
	VEC(period_count) all = {0};
	for (int p = MIN_PERIOD; p <= n / MIN_TIMES; p++)
		if (count[p])
			vec_push(mem, &all, (period_count){p, count[p]});
	if (all.len)
		qsort(all.ptr, (size_t)all.len, sizeof *all.ptr, by_count);
	while (len < all.len && len < MAX_PERIODS) {
		out[len] = all.ptr[len];
		len++;
	}
	return len;
}

static void add_runs_of(const int *symbols, int n, int period, arena *mem, period_runs *out)
{
	int start = 0;
	for (int i = 0; i + period <= n; i++) {
		if (i + period < n && symbols[i] == symbols[i + period])
			continue;
		int length = i - start + period;
		if (length >= MIN_TIMES * period)
			vec_push(mem, out, (period_run){start, period, length});
		start = i + 1;
	}
}

static int by_run_length(const void *a, const void *b)
{
	const period_run *x = a, *y = b;
	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	if (x->period != y->period)
		return x->period < y->period ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* Returns the part of a run that no other run has; if its middle is taken, nothing. */
static period_run free_part(const bool *used, period_run r)
{
	int end = r.start + r.length;
	while (r.start < end && used[r.start])
		r.start++;
	int free_end = r.start;
	while (free_end < end && !used[free_end])
		free_end++;
	r.length = free_end - r.start;
	return r;
}

void periods_find(const int *symbols, int n, arena *mem, period_runs *out)
{
	period_count likely[MAX_PERIODS];
	period_runs all = {0};
	int n_likely = likely_periods(symbols, n, mem, likely);
	for (int i = 0; i < n_likely; i++)
		add_runs_of(symbols, n, likely[i].period, mem, &all);
	if (all.len)
		qsort(all.ptr, (size_t)all.len, sizeof *all.ptr, by_run_length);
	bool *used = NEW_N(mem, bool, n);
	*out = (period_runs){0};
	for (int i = 0; i < all.len; i++) {
		period_run r = free_part(used, all.ptr[i]);
		if (r.length < MIN_TIMES * r.period)
			continue;
		memset(used + r.start, true, (size_t)r.length);
		vec_push(mem, out, r);
	}
}
