/* box.c - copies n-dimensional boxes between strided layouts. */
#include "exec/kernel.h"

/* A type of 16 bytes. */
typedef struct wide {
	uint64_t lo, hi;
} wide;

#define FOR_SIZES(X)                                                                               \
	X(1, uint8_t)                                                                              \
	X(2, uint16_t)                                                                             \
	X(4, uint32_t)                                                                             \
	X(8, uint64_t)                                                                             \
	X(16, wide)

#define DEFINE_RUN(size, T)                                                                        \
	static void copy_run_##size(T *to, int64_t ts, const T *from, int64_t fs, int64_t n)       \
	{                                                                                          \
		if (ts == 1 && fs == 0) {                                                          \
			const T v = *from;                                                         \
			for (int64_t i = 0; i < n; i++)                                            \
				to[i] = v;                                                         \
		} else if (ts == 1) {                                                              \
			for (int64_t i = 0; i < n; i++)                                            \
				to[i] = from[i * fs];                                              \
		} else {                                                                           \
			for (int64_t i = 0; i < n; i++)                                            \
				to[i * ts] = from[i * fs];                                         \
		}                                                                                  \
	}                                                                                          \
	/* m copies of each of n elements */                                                       \
	static inline void repeat_##size(T *to, int64_t ts, const T *from, int64_t fs, int64_t n,  \
	                                 int64_t m)                                                \
	{                                                                                          \
		for (int64_t i = 0; i < n; i++, to += ts, from += fs) {                            \
			const T v = *from;                                                         \
			for (int64_t k = 0; k < m; k++)                                            \
				to[k] = v;                                                         \
		}                                                                                  \
	}                                                                                          \
	/* Short runs, one after the other at `to`. */                                             \
	static void copy_rows_##size(T *to, int64_t ts, const T *from, int64_t fs, int64_t n,      \
	                             int64_t fs2, int64_t m)                                       \
	{                                                                                          \
		if (!fs2 && m == 4)                                                                \
			repeat_##size(to, ts, from, fs, n, 4);                                     \
		else if (!fs2 && m == 8)                                                           \
			repeat_##size(to, ts, from, fs, n, 8);                                     \
		else if (!fs2 && m == 16)                                                          \
			repeat_##size(to, ts, from, fs, n, 16);                                    \
		else                                                                               \
			for (int64_t i = 0; i < n; i++, to += ts, from += fs)                      \
				for (int64_t k = 0; k < m; k++)                                    \
					to[k] = from[k * fs2];                                     \
	}                                                                                          \
	/* Two dimensions, each contiguous on one side: by square blocks whose sides are a         \
	 * cache line, read as a whole and written as a whole. */                                  \
	static void transpose_##size(T *to, int64_t ts, const T *from, int64_t fs, int64_t n,      \
	                             int64_t m)                                                    \
	{                                                                                          \
		enum { SIDE = size == 16 ? 8 : 64 / size };                                        \
		T block[SIDE][SIDE];                                                               \
		for (int64_t k0 = 0; k0 < m; k0 += SIDE)                                           \
			for (int64_t i0 = 0; i0 < n; i0 += SIDE) {                                 \
				int64_t ni = min_i64(SIDE, n - i0), nk = min_i64(SIDE, m - k0);    \
				for (int64_t k = 0; k < nk; k++)                                   \
					memcpy(block[k], from + (k0 + k) * fs + i0,                \
					       sizeof(T) * (size_t)ni);                            \
				if (ni == SIDE && nk == SIDE)                                      \
					for (int i = 0; i < SIDE; i++)                             \
						for (int k = 0; k < SIDE; k++)                     \
							to[(i0 + i) * ts + k0 + k] = block[k][i];  \
				else                                                               \
					for (int64_t i = 0; i < ni; i++)                           \
						for (int64_t k = 0; k < nk; k++)                   \
							to[(i0 + i) * ts + k0 + k] = block[k][i];  \
			}                                                                          \
	}
FOR_SIZES(DEFINE_RUN)

static void copy_run(char *to, int64_t ts, const char *from, int64_t fs, int64_t n, int bytes)
{
	if (ts == 1 && fs == 1) {
		memcpy(to, from, (size_t)(n * bytes));
		return;
	}
	switch (bytes) {
#define X(size, T)                                                                                 \
	case size:                                                                                 \
		copy_run_##size((T *)to, ts, (const T *)from, fs, n);                              \
		break;
		FOR_SIZES(X)
#undef X
	}
}

/* Does what transpose_4 does, but transposes square tiles in vector registers; the remainder at two
 * edges is copied element by element. */
static void transpose_by(vec_turn_fn *turn, uint32_t *to, int64_t ts, const uint32_t *from,
                         int64_t fs, int64_t n, int64_t m)
{
	const int64_t side = TURN_SIDE, n1 = n - n % side, m1 = m - m % side;
	for (int64_t k = 0; k < m1; k += side)
		for (int64_t i = 0; i < n1; i += side)
			turn(to + i * ts + k, ts, from + k * fs + i, fs);
	if (n1 < n)
		transpose_4(to + n1 * ts, ts, from + n1, fs, n - n1, m);
	if (m1 < m)
		transpose_4(to + m1, ts, from + m1 * fs, fs, n1, m - m1);
}

/* Copies an n x m box that is contiguous in m at `to` and in n at `from`. */
static void transpose_run(char *to, int64_t ts, const char *from, int64_t fs, int64_t n, int64_t m,
                      int bytes)
{
	vec_turn_fn *turn = bytes == 4 ? vec_turn(TURN_SIDE) : NULL;
	if (turn) {
		transpose_by(turn, (uint32_t *)to, ts, (const uint32_t *)from, fs, n, m);
		return;
	}
	switch (bytes) {
#define X(size, T)                                                                                 \
	case size:                                                                                 \
		transpose_##size((T *)to, ts, (const T *)from, fs, n, m);                          \
		break;
		FOR_SIZES(X)
#undef X
	}
}

static void copy_rows(char *to, int64_t ts, const char *from, int64_t fs, int64_t n, int64_t fs2,
                      int64_t m, int bytes)
{
	switch (bytes) {
#define X(size, T)                                                                                 \
	case size:                                                                                 \
		copy_rows_##size((T *)to, ts, (const T *)from, fs, n, fs2, m);                     \
		break;
		FOR_SIZES(X)
#undef X
	}
}

typedef struct box {
	int rank;
	int64_t dims[MAX_RANK], to[MAX_RANK], from[MAX_RANK];
} box;

/* Drops dimensions of size 1; merges adjacent ones that one stride describes on both sides. */
static void box_collapse(box *b, int rank, const int64_t *dims, const int64_t *to,
                         const int64_t *from)
{
	b->rank = 0;
	for (int i = 0; i < rank; i++) {
		int k = b->rank - 1;
		if (dims[i] == 1)
			continue;
		if (k >= 0 && b->to[k] == to[i] * dims[i] && b->from[k] == from[i] * dims[i]) {
			b->dims[k] *= dims[i];
		} else {
			b->dims[++k] = dims[i];
			b->rank = k + 1;
		}
		b->to[k] = to[i];
		b->from[k] = from[i];
	}
}

static void box_walk(const box *b, int d, char *to, const char *from, int bytes)
{
	int left = b->rank - d;
	if (left == 1) {
		copy_run(to, b->to[d], from, b->from[d], b->dims[d], bytes);
		return;
	}
	if (left == 2 && b->to[d + 1] == 1 && b->from[d] == 1 && b->from[d + 1] &&
	    b->dims[d] >= 4 && b->dims[d + 1] >= 4) {
		transpose_run(to, b->to[d], from, b->from[d + 1], b->dims[d], b->dims[d + 1],
		              bytes);
		return;
	}
	enum { SHORT = 16 };
	if (left == 2 && b->to[d + 1] == 1 && b->dims[d + 1] <= SHORT) {
		copy_rows(to, b->to[d], from, b->from[d], b->dims[d], b->from[d + 1],
		          b->dims[d + 1], bytes);
		return;
	}
	for (int64_t i = 0; i < b->dims[d]; i++)
		box_walk(b, d + 1, to + i * b->to[d] * bytes, from + i * b->from[d] * bytes, bytes);
}

void box_copy(int rank, const int64_t *dims, char *to, const int64_t *to_strides, const char *from,
              const int64_t *from_strides, int bytes)
{
	box b;
	for (int i = 0; i < rank; i++)
		if (!dims[i])
			return;
	box_collapse(&b, rank, dims, to_strides, from_strides);
	if (b.rank == 0)
		memcpy(to, from, (size_t)bytes);
	else
		box_walk(&b, 0, to, from, bytes);
}

void box_fill(char *to, const char *element, int64_t n, int bytes)
{
	if (bytes == 1)
		memset(to, *element, (size_t)n);
	else
		copy_run(to, 1, element, 0, n, bytes);
}
