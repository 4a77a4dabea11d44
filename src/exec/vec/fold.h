/* fold.h - reducing runs of contiguous elements to one (the part of body.h for reductions). */

#define MAX_OF(x, y) ((x) > (y) || (x) != (x) ? (x) : (y))
#define MIN_OF(x, y) ((x) < (y) || (x) != (x) ? (x) : (y))
#define SUM(x, y) ((x) + (y))
#define PRODUCT(x, y) ((x) * (y))
#define BOTH(x, y) ((x) & (y))
#define EITHER(x, y) ((x) | (y))
#define ONE_OF(x, y) ((x) ^ (y))

/* Reduces runs of n > 0 elements to one each. A is the type of the accumulators. The order depends on
 * n only: lanes of a vector, four vectors at a time if there are enough, then halves. */
#define DEFINE_FOLD(name, T, A, op)                                                                \
	enum { LANES_##name = 64 / sizeof(A) < 4 ? 4 : 64 / sizeof(A) };                           \
	static T fold_few_##name(int64_t n, const T *a)                                            \
	{                                                                                          \
		A r = (A)a[0];                                                                     \
		for (int64_t i = 1; i < n; i++)                                                    \
			r = (A)op(r, (A)a[i]);                                                     \
		return (T)r;                                                                       \
	}                                                                                          \
	static T fold_many_##name(int64_t n, const T *a)                                           \
	{                                                                                          \
		enum { LANES = LANES_##name };                                                     \
		A r;                                                                               \
		int64_t i = 0;                                                                     \
		if (n >= 4 * LANES) {                                                              \
			A lane[4 * LANES];                                                         \
			for (int k = 0; k < 4 * LANES; k++)                                        \
				lane[k] = (A)a[k];                                                 \
			for (i = 4 * LANES; i + 4 * LANES <= n; i += 4 * LANES)                    \
				for (int k = 0; k < 4 * LANES; k++)                                \
					lane[k] = (A)op(lane[k], (A)a[i + k]);                     \
			for (int w = 2 * LANES; w; w /= 2)                                         \
				for (int k = 0; k < w; k++)                                        \
					lane[k] = (A)op(lane[k], lane[k + w]);                     \
			r = lane[0];                                                               \
		} else {                                                                           \
			A lane[LANES];                                                             \
			for (int k = 0; k < LANES; k++)                                            \
				lane[k] = (A)a[k];                                                 \
			for (i = LANES; i + LANES <= n; i += LANES)                                \
				for (int k = 0; k < LANES; k++)                                    \
					lane[k] = (A)op(lane[k], (A)a[i + k]);                     \
			for (int w = LANES / 2; w; w /= 2)                                         \
				for (int k = 0; k < w; k++)                                        \
					lane[k] = (A)op(lane[k], lane[k + w]);                     \
			r = lane[0];                                                               \
		}                                                                                  \
		for (; i < n; i++)                                                                 \
			r = (A)op(r, (A)a[i]);                                                     \
		return (T)r;                                                                       \
	}                                                                                          \
	static void fold_##name(int64_t n, const void *from, int64_t stride, int64_t count,        \
	                        void *to)                                                          \
	{                                                                                          \
		const T *a = from;                                                                 \
		T *r = to;                                                                         \
		if (n < LANES_##name)                                                              \
			for (int64_t i = 0; i < count; i++)                                        \
				r[i] = fold_few_##name(n, a + i * stride);                         \
		else                                                                               \
			for (int64_t i = 0; i < count; i++)                                        \
				r[i] = fold_many_##name(n, a + i * stride);                        \
	}

/* acc[i] = acc[i] op rows[0][i] op rows[1][i] …: the rows are `stride` elements apart. Each piece
 * of acc stays in registers over all rows if they are short, otherwise over a few, so that memory
 * is read in order. */
#define DEFINE_ROWS(name, T, A, op)                                                                \
	static void rows_##name(int64_t n, void *acc_, const void *rows_, int64_t stride,          \
	                        int64_t count)                                                     \
	{                                                                                          \
		enum { PIECE = 256 / sizeof(T), SHORT = 4096 / sizeof(T), FEW = 8 };               \
		T *acc = acc_;                                                                     \
		const T *rows = rows_;                                                             \
		const int64_t group = n <= SHORT ? count : FEW;                                    \
		for (int64_t r = 0; r < count; r += group) {                                       \
			int64_t end = r + group < count ? r + group : count, i = 0;                \
			for (; i + PIECE <= n; i += PIECE) {                                       \
				T sum[PIECE];                                                      \
				memcpy(sum, acc + i, sizeof sum);                                  \
				for (int64_t x = r; x < end; x++)                                  \
					for (int k = 0; k < PIECE; k++)                            \
						sum[k] = (T)op((A)sum[k],                          \
						               (A)rows[x * stride + i + k]);       \
				memcpy(acc + i, sum, sizeof sum);                                  \
			}                                                                          \
			if (i == n)                                                                \
				continue;                                                          \
			for (int64_t x = r; x < end; x++)                                          \
				for (int64_t k = i; k < n; k++)                                    \
					acc[k] = (T)op((A)acc[k], (A)rows[x * stride + k]);        \
		}                                                                                  \
	}

#define FOLD_INTS(X, name, op)                                                                     \
	X(name##_I8, int8_t, uint32_t, op)                                                         \
	X(name##_I16, int16_t, uint32_t, op)                                                       \
	X(name##_I32, int32_t, uint32_t, op)                                                       \
	X(name##_I64, int64_t, uint64_t, op)                                                       \
	X(name##_U8, uint8_t, uint32_t, op)                                                        \
	X(name##_U16, uint16_t, uint32_t, op)                                                      \
	X(name##_U32, uint32_t, uint32_t, op)                                                      \
	X(name##_U64, uint64_t, uint64_t, op)
#define FOLD_ORDERED(X, name, op)                                                                  \
	X(name##_I8, int8_t, int8_t, op)                                                           \
	X(name##_I16, int16_t, int16_t, op)                                                        \
	X(name##_I32, int32_t, int32_t, op)                                                        \
	X(name##_I64, int64_t, int64_t, op)                                                        \
	X(name##_U8, uint8_t, uint8_t, op)                                                         \
	X(name##_U16, uint16_t, uint16_t, op)                                                      \
	X(name##_U32, uint32_t, uint32_t, op)                                                      \
	X(name##_U64, uint64_t, uint64_t, op)
#define FOLD_FLOATS(X, name, op)                                                                   \
	X(name##_F32, float, float, op)                                                            \
	X(name##_F64, double, double, op)
#define FOLD_COMPLEX(X, name, op)                                                                  \
	X(name##_C64, float _Complex, double _Complex, op)                                         \
	X(name##_C128, double _Complex, double _Complex, op)
#define FOLD_BOOL(X, name, op) X(name##_B, uint8_t, uint8_t, op)

#define ALL_FOLDS(X)                                                                               \
	FOLD_INTS(X, add, SUM)                                                                     \
	FOLD_FLOATS(X, add, SUM)                                                                   \
	FOLD_COMPLEX(X, add, SUM)                                                                  \
	FOLD_BOOL(X, add, EITHER)                                                                  \
	FOLD_INTS(X, mul, PRODUCT)                                                                 \
	FOLD_FLOATS(X, mul, PRODUCT)                                                               \
	FOLD_COMPLEX(X, mul, PRODUCT)                                                              \
	FOLD_BOOL(X, mul, BOTH)                                                                    \
	FOLD_ORDERED(X, max, MAX_OF)                                                               \
	FOLD_FLOATS(X, max, MAX_OF)                                                                \
	FOLD_BOOL(X, max, EITHER)                                                                  \
	FOLD_ORDERED(X, min, MIN_OF)                                                               \
	FOLD_FLOATS(X, min, MIN_OF)                                                                \
	FOLD_BOOL(X, min, BOTH)                                                                    \
	FOLD_ORDERED(X, and, BOTH)                                                                 \
	FOLD_BOOL(X, and, BOTH)                                                                    \
	FOLD_ORDERED(X, or, EITHER)                                                                \
	FOLD_BOOL(X, or, EITHER)                                                                   \
	FOLD_ORDERED(X, xor, ONE_OF)                                                               \
	FOLD_BOOL(X, xor, ONE_OF)
ALL_FOLDS(DEFINE_FOLD)
ALL_FOLDS(DEFINE_ROWS)

/* The rows of a table: KIND is fold or rows. */
#define FOLD_ROW_INTS(KIND, OP, name)                                                              \
	[VEC_##OP] = {[VT_I8] = KIND##_##name##_I8,   [VT_I16] = KIND##_##name##_I16,              \
	              [VT_I32] = KIND##_##name##_I32, [VT_I64] = KIND##_##name##_I64,              \
	              [VT_U8] = KIND##_##name##_U8,   [VT_U16] = KIND##_##name##_U16,              \
	              [VT_U32] = KIND##_##name##_U32, [VT_U64] = KIND##_##name##_U64,              \
	              [VT_B] = KIND##_##name##_B, FOLD_REST_##OP(KIND)}
#define FOLD_REST_ADD(KIND)                                                                        \
	[VT_F32] = KIND##_add_F32, [VT_F64] = KIND##_add_F64, [VT_C64] = KIND##_add_C64,           \
	[VT_C128] = KIND##_add_C128
#define FOLD_REST_MUL(KIND)                                                                        \
	[VT_F32] = KIND##_mul_F32, [VT_F64] = KIND##_mul_F64, [VT_C64] = KIND##_mul_C64,           \
	[VT_C128] = KIND##_mul_C128
#define FOLD_REST_MAX(KIND) [VT_F32] = KIND##_max_F32, [VT_F64] = KIND##_max_F64
#define FOLD_REST_MIN(KIND) [VT_F32] = KIND##_min_F32, [VT_F64] = KIND##_min_F64
#define FOLD_REST_AND(KIND)
#define FOLD_REST_OR(KIND)
#define FOLD_REST_XOR(KIND)
#define FOLD_TABLE(KIND)                                                                           \
	FOLD_ROW_INTS(KIND, ADD, add), FOLD_ROW_INTS(KIND, MUL, mul),                              \
	FOLD_ROW_INTS(KIND, MAX, max), FOLD_ROW_INTS(KIND, MIN, min),                              \
	FOLD_ROW_INTS(KIND, AND, and), FOLD_ROW_INTS(KIND, OR, or),                                \
	FOLD_ROW_INTS(KIND, XOR, xor)
