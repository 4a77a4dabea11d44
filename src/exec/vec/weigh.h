/* weigh.h - rows multiplied element by element with weights, and added (the part of body.h for
 * depthwise convolutions). */

/* to[r][i] += rows[r][i] * weights[i] for r < n_rows, i < n; to_row and row are distances of rows
 * in elements. */
#define DEFINE_WEIGH(name, T)                                                                      \
	static void name(int64_t n, int64_t n_rows, void *to_, int64_t to_row, const void *rows_,  \
	                 int64_t row, const void *weights_)                                        \
	{                                                                                          \
		const T *weights = weights_;                                                       \
		for (int64_t r = 0; r < n_rows; r++) {                                             \
			T *to = (T *)to_ + r * to_row;                                             \
			const T *from = (const T *)rows_ + r * row;                                \
			EACH(i, n) to[i] += from[i] * weights[i];                                  \
		}                                                                                  \
	}
DEFINE_WEIGH(weigh_F32, float)
DEFINE_WEIGH(weigh_F64, double)
