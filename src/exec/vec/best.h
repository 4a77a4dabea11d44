/* best.h - the largest or smallest element of each column, and its row (the part of body.h for
 * argmax and argmin). */

/* Rows are visited in order, so that `position` grows. NaN is better than any number, and the first
 * NaN is kept. VALUE, PLACE: conditions for being better, and for replacing an equal element's
 * position. */
#define DEFINE_BEST(name, T, VALUE, PLACE)                                                         \
	static void name(int64_t n, void *best_, int32_t *at, const void *row_, int32_t position)  \
	{                                                                                          \
		T *best = best_;                                                                   \
		const T *row = row_;                                                               \
		EACH(i, n) {                                                                       \
			const T x = row[i], b = best[i];                                           \
			const bool unordered = (x != x) & (b == b);                                \
			best[i] = ((x VALUE b) | unordered) ? x : b;                               \
			at[i] = ((x PLACE b) | unordered) ? position : at[i];                      \
		}                                                                                  \
	}

#define DEFINE_BESTS(I, T)                                                                         \
	DEFINE_BEST(best_first_max_##I, T, >, >)                                                   \
	DEFINE_BEST(best_last_max_##I, T, >=, >=)                                                  \
	DEFINE_BEST(best_mixed_max_##I, T, >=, >)                                                  \
	DEFINE_BEST(best_first_min_##I, T, <, <)                                                   \
	DEFINE_BEST(best_last_min_##I, T, <=, <=)                                                  \
	DEFINE_BEST(best_mixed_min_##I, T, <=, <)
VEC_ORDERED_TYPES(DEFINE_BESTS)

#define BEST_TABLE(I, T)                                                                           \
	[0][TIES_FIRST][VT_##I] = best_first_min_##I, [1][TIES_FIRST][VT_##I] = best_first_max_##I,\
	[0][TIES_LAST][VT_##I] = best_last_min_##I, [1][TIES_LAST][VT_##I] = best_last_max_##I,    \
	[0][TIES_MIXED][VT_##I] = best_mixed_min_##I, [1][TIES_MIXED][VT_##I] = best_mixed_max_##I,
