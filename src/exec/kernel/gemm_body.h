/* gemm_body.h - a micro-kernel for one type and vector width. Included by files that define:
 *
 *   GEMM_NAME       of the gemm_micro
 *   T               the element type
 *   V, LANES        the vector type and its number of elements
 *   ROWS            of a block: 4, 6 or 12; a block has two vectors of columns
 *   PAIRS           whether an element of a and b is a pair of narrower ones
 *   ZERO, SPLAT(p), LOAD(p), STORE(p, v), FMA(a, b, c)
 *   LOAD_SOME(p, n), STORE_SOME(p, v, n)   the first n elements; the others read as zero */
_Static_assert(ROWS == 4 || ROWS == 6 || ROWS == 12, "the cases below are those");
/* Unrolled by pragma, hence early in the compiler, so that the accumulators are scalars when
 * registers are allocated. */
#define GEMM_UNROLL _Pragma("GCC unroll 12")
#define GEMM_JOIN_(a, b) a##_##b
#define GEMM_JOIN(a, b) GEMM_JOIN_(a, b)
#define GEMM_BLOCK GEMM_JOIN(GEMM_NAME, block)
#define GEMM_NARROW GEMM_JOIN(GEMM_NAME, narrow)
#define GEMM_RUN GEMM_JOIN(GEMM_NAME, run)

/* For at most one vector of columns. */
static inline __attribute__((always_inline)) void
GEMM_NARROW(const int m, int64_t n, int64_t k, const T *a, int64_t a_row, int64_t a_column,
            const T *b, int64_t b_row, T *c, int64_t ldc, bool add)
{
	V sum[ROWS];
	GEMM_UNROLL for (int i = 0; i < m; i++)
		sum[i] = add ? LOAD_SOME(c + i * ldc, n) : ZERO;
	for (int64_t p = 0; p < k; p++, a += a_column, b += b_row) {
		V x = LOAD_SOME(b, n);
		GEMM_UNROLL for (int i = 0; i < m; i++)
			sum[i] = FMA(SPLAT(a + i * a_row), x, sum[i]);
	}
	GEMM_UNROLL for (int i = 0; i < m; i++)
		STORE_SOME(c + i * ldc, sum[i], n);
}

/* Callers pass a constant m, so that the loops over it are unrolled. */
static inline __attribute__((always_inline)) void
GEMM_BLOCK(const int m, int64_t n, int64_t k, const T *a, int64_t a_row, int64_t a_column,
           const T *b, int64_t b_row, T *c, int64_t ldc, bool add)
{
	V sum[ROWS][2];
	const bool whole = n == 2 * LANES;
	const int64_t n0 = n < LANES ? n : LANES, n1 = n - n0;
	GEMM_UNROLL for (int i = 0; i < m; i++) {
		sum[i][0] = !add ? ZERO : whole ? LOAD(c + i * ldc) : LOAD_SOME(c + i * ldc, n0);
		sum[i][1] = !add ? ZERO
		            : whole ? LOAD(c + i * ldc + LANES)
		                    : LOAD_SOME(c + i * ldc + LANES, n1);
	}
	if (whole) {
		for (int64_t p = 0; p < k; p++, a += a_column, b += b_row) {
			V x = LOAD(b), y = LOAD(b + LANES);
			GEMM_UNROLL for (int i = 0; i < m; i++) {
				V s = SPLAT(a + i * a_row);
				sum[i][0] = FMA(s, x, sum[i][0]);
				sum[i][1] = FMA(s, y, sum[i][1]);
			}
		}
	} else {
		for (int64_t p = 0; p < k; p++, a += a_column, b += b_row) {
			V x = LOAD_SOME(b, n0), y = LOAD_SOME(b + LANES, n1);
			GEMM_UNROLL for (int i = 0; i < m; i++) {
				V s = SPLAT(a + i * a_row);
				sum[i][0] = FMA(s, x, sum[i][0]);
				sum[i][1] = FMA(s, y, sum[i][1]);
			}
		}
	}
	GEMM_UNROLL for (int i = 0; i < m; i++) {
		if (whole) {
			STORE(c + i * ldc, sum[i][0]);
			STORE(c + i * ldc + LANES, sum[i][1]);
		} else {
			STORE_SOME(c + i * ldc, sum[i][0], n0);
			STORE_SOME(c + i * ldc + LANES, sum[i][1], n1);
		}
	}
}

#define GEMM_CASE(m)                                                                               \
	case m:                                                                                    \
		if (n <= LANES)                                                                    \
			GEMM_NARROW(m <= ROWS ? m : ROWS, n, k, a, a_row, a_column, b, b_row, c,   \
			            ldc, add);                                                     \
		else                                                                               \
			GEMM_BLOCK(m <= ROWS ? m : ROWS, n, k, a, a_row, a_column, b, b_row, c,    \
			           ldc, add);                                                      \
		break;
static void GEMM_RUN(int64_t m, int64_t n, int64_t k, const void *a, int64_t a_row,
                     int64_t a_column, const void *b, int64_t b_row, void *c, int64_t ldc, bool add)
{
	static_assert(ROWS == 4 || ROWS == 6 || ROWS == 12, "a case for each number of rows");
	switch (m) {
		GEMM_CASE(1)
		GEMM_CASE(2)
		GEMM_CASE(3)
		GEMM_CASE(4)
#if ROWS > 4
		GEMM_CASE(5)
		GEMM_CASE(6)
#endif
#if ROWS > 6
		GEMM_CASE(7)
		GEMM_CASE(8)
		GEMM_CASE(9)
		GEMM_CASE(10)
		GEMM_CASE(11)
		GEMM_CASE(12)
#endif
	}
}

const gemm_micro GEMM_NAME = {ROWS, 2 * LANES, sizeof(T), GEMM_RUN, PAIRS};

#undef GEMM_NAME
#undef GEMM_UNROLL
#undef GEMM_CASE
#undef T
#undef V
#undef LANES
#undef ROWS
#undef PAIRS
#undef ZERO
#undef SPLAT
#undef LOAD
#undef STORE
#undef FMA
#undef LOAD_SOME
#undef STORE_SOME
