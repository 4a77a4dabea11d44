/* gemm_complex_body.h - a micro-kernel for complex numbers of one type and vector width. For each element of a, its two
 * parts are multiplied separately with the pairs of a vector of b, and the products are added up separately: only the
 * sums are combined, one swapped. Included by files that define:
 *
 *   GEMM_NAME       of the gemm_micro
 *   P               the type of a part
 *   V, LANES        the vector type, and how many complex numbers it holds
 *   ROWS            of a block: 3 or 6; a block has two vectors of columns
 *   ZERO, SPLAT(p), LOAD(p), STORE(p, v), FMA(a, b, c), ADD(a, b)
 *   LOAD_SOME(p, n), STORE_SOME(p, v, n)   the first n complex numbers; the others read as zero
 *   JOIN(re, im)    (re[0] - im[1], re[1] + im[0]) for each pair of elements */
#define GEMM_UNROLL _Pragma("GCC unroll 12")
#define GEMM_JOIN_(a, b) a##_##b
#define GEMM_JOIN(a, b) GEMM_JOIN_(a, b)
#define GEMM_COMPLEX GEMM_JOIN(GEMM_NAME, block)
#define GEMM_COMPLEX_RUN GEMM_JOIN(GEMM_NAME, run)

/* Callers pass constants m, the number of vectors, and whether they are whole. */
static inline __attribute__((always_inline)) void
GEMM_COMPLEX(const int m, const int vectors, const bool whole, int64_t n, int64_t k, const P *a, int64_t a_row,
           int64_t a_column, const P *b, int64_t b_row, P *c, int64_t ldc, bool add)
{
	V re[ROWS][2], im[ROWS][2], x[2];
	const int64_t count[2] = {n < LANES ? n : LANES, n < LANES ? 0 : n - LANES};
	GEMM_UNROLL for (int i = 0; i < m; i++)
		GEMM_UNROLL for (int v = 0; v < vectors; v++)
			re[i][v] = im[i][v] = ZERO;
	for (int64_t p = 0; p < k; p++, a += 2 * a_column, b += 2 * b_row) {
		GEMM_UNROLL for (int v = 0; v < vectors; v++)
			x[v] = whole ? LOAD(b + 2 * v * LANES) : LOAD_SOME(b + 2 * v * LANES, count[v]);
		GEMM_UNROLL for (int i = 0; i < m; i++) {
			V s = SPLAT(a + 2 * i * a_row), t = SPLAT(a + 2 * i * a_row + 1);
			GEMM_UNROLL for (int v = 0; v < vectors; v++) {
				re[i][v] = FMA(s, x[v], re[i][v]);
				im[i][v] = FMA(t, x[v], im[i][v]);
			}
		}
	}
	GEMM_UNROLL for (int i = 0; i < m; i++)
		GEMM_UNROLL for (int v = 0; v < vectors; v++) {
			P *to = c + 2 * (i * ldc + v * LANES);
			V sum = JOIN(re[i][v], im[i][v]);
			if (whole)
				STORE(to, add ? ADD(LOAD(to), sum) : sum);
			else
				STORE_SOME(to, add ? ADD(LOAD_SOME(to, count[v]), sum) : sum, count[v]);
		}
}

#define GEMM_CASE(m)                                                                               \
	case m:                                                                                    \
		if (n == 2 * LANES)                                                                \
			GEMM_COMPLEX(m, 2, true, n, k, a, a_row, a_column, b, b_row, c, ldc, add);   \
		else if (n > LANES)                                                                \
			GEMM_COMPLEX(m, 2, false, n, k, a, a_row, a_column, b, b_row, c, ldc, add);  \
		else                                                                               \
			GEMM_COMPLEX(m, 1, false, n, k, a, a_row, a_column, b, b_row, c, ldc, add);  \
		break;
static void GEMM_COMPLEX_RUN(int64_t m, int64_t n, int64_t k, const void *a, int64_t a_row,
                     int64_t a_column, const void *b, int64_t b_row, void *c, int64_t ldc, bool add)
{
	static_assert(ROWS == 3 || ROWS == 6, "a case for each number of rows");
	switch (m) {
		GEMM_CASE(1)
		GEMM_CASE(2)
		GEMM_CASE(3)
#if ROWS > 3
		GEMM_CASE(4)
		GEMM_CASE(5)
		GEMM_CASE(6)
#endif
	}
}

const gemm_micro GEMM_NAME = {ROWS, 2 * LANES, 2 * sizeof(P), GEMM_COMPLEX_RUN, false};

#undef GEMM_NAME
#undef GEMM_UNROLL
#undef GEMM_CASE
#undef P
#undef V
#undef LANES
#undef ROWS
#undef ZERO
#undef SPLAT
#undef LOAD
#undef STORE
#undef FMA
#undef ADD
#undef LOAD_SOME
#undef STORE_SOME
#undef JOIN
