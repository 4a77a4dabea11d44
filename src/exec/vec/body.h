/* body.h - the loops of exec/vec/vec.h, compiled once for each instruction set by the files that
 * include it (base.c, avx2.c, …). These define VEC_TABLE, the name of the table defined here.
 *
 * Integer arithmetic wraps, so it is done in unsigned types of at least 32 bits. */
#include "exec/vec/special.h"
#include "exec/vec/math.h"
#include "exec/vec/table.h"

#include <complex.h>
#include <math.h>

#if defined(__clang__)
#define EACH(i, n) _Pragma("clang loop vectorize(assume_safety)") for (int64_t i = 0; i < (n); i++)
#else
#define EACH(i, n) _Pragma("GCC ivdep") for (int64_t i = 0; i < (n); i++)
#endif

/* Loops with one, two, three operands; T is the operands' type, R the result's. */
#define FN(name, ...)                                                                              \
	static void vec_##name(int64_t n, void *d_, const void *a_, const void *b_,                \
	                       const void *c_, int64_t imm)                                        \
	{                                                                                          \
		UNUSED(a_), UNUSED(b_), UNUSED(c_), UNUSED(imm);                                   \
		__VA_ARGS__                                                                        \
	}
#define FN1(name, T, R, expr)                                                                      \
	FN(name, R *d = d_; const T *a = a_; EACH(i, n) { const T x = a[i]; d[i] = (R)(expr); })
#define FN2(name, T, R, expr)                                                                      \
	FN(name, R *d = d_; const T *a = a_; const T *b = b_; EACH(i, n) {                         \
		const T x = a[i], y = b[i];                                                        \
		d[i] = (R)(expr);                                                                  \
	})

/* ---- every type ---------------------------------------------------------------- */

#define FOR_ANY(I, T)                                                                              \
	FN1(copy_##I, T, T, x)                                                                     \
	FN(select_##I, T *d = d_; const uint8_t *p = a_; const T *b = b_; const T *c = c_;         \
	   EACH(i, n) d[i] = p[i] ? b[i] : c[i];)                                                  \
	FN2(eq_##I, T, uint8_t, x == y)                                                            \
	FN2(ne_##I, T, uint8_t, x != y)
VEC_TYPES(FOR_ANY)

/* ---- booleans -------------------------------------------------------------------- */

FN2(and_B, uint8_t, uint8_t, x & y)
FN2(or_B, uint8_t, uint8_t, x | y)
FN2(xor_B, uint8_t, uint8_t, x ^ y)
FN2(lt_B, uint8_t, uint8_t, x < y)
FN2(le_B, uint8_t, uint8_t, x <= y)
FN2(gt_B, uint8_t, uint8_t, x > y)
FN2(ge_B, uint8_t, uint8_t, x >= y)
FN1(not_B, uint8_t, uint8_t, !x)
FN(clamp_B, uint8_t *d = d_; const uint8_t *a = a_; const uint8_t *b = b_; const uint8_t *c = c_;
   EACH(i, n) d[i] = (uint8_t)((b[i] | a[i]) & c[i]);)

/* ---- integers ---------------------------------------------------------------------- */

/* U: the unsigned type in which T's arithmetic is done; W: the unsigned type as wide as T; S: 1 if
 * T is signed. */
#define INT_TYPES(X)                                                                               \
	X(I8, int8_t, uint32_t, uint8_t, 1)                                                           \
	X(I16, int16_t, uint32_t, uint16_t, 1)                                                        \
	X(I32, int32_t, uint32_t, uint32_t, 1)                                                        \
	X(I64, int64_t, uint64_t, uint64_t, 1)                                                        \
	X(U8, uint8_t, uint32_t, uint8_t, 0)                                                          \
	X(U16, uint16_t, uint32_t, uint16_t, 0)                                                       \
	X(U32, uint32_t, uint32_t, uint32_t, 0)                                                       \
	X(U64, uint64_t, uint64_t, uint64_t, 0)

#define NEGATIVE_1(x) ((x) < 0)
#define NEGATIVE_0(x) ((void)(x), 0)

/* x^y by squaring; a negative exponent gives 0 unless x is 1 or -1. */
#define DEFINE_INT_POW(I, T, U, W, S)                                                              \
	static T int_pow_##I(T x, T y)                                                             \
	{                                                                                          \
		if (NEGATIVE_##S(y))                                                               \
			return x == 1 ? 1 : x == (T)-1 ? ((y & 1) ? (T)-1 : 1) : 0;                \
		U base = (U)x, r = 1;                                                              \
		for (W e = (W)y; e; e >>= 1, base *= base)                                         \
			if (e & 1)                                                                 \
				r *= base;                                                         \
		return (T)r;                                                                       \
	}
INT_TYPES(DEFINE_INT_POW)

#define LOW_BITS(W, x) ((W)(x) & (W)(imm < 64 ? ((uint64_t)1 << imm) - 1 : UINT64_MAX))
#define FOR_INT(I, T, U, W, S)                                                                     \
	FN2(add_##I, T, T, (U)x + (U)y)                                                            \
	FN2(sub_##I, T, T, (U)x - (U)y)                                                            \
	FN2(mul_##I, T, T, (U)x *(U)y)                                                             \
	FN2(div_##I, T, T, y == 0 ? (T)-1 : S && y == (T)-1 ? (T)(0 - (U)x) : x / y)               \
	FN2(rem_##I, T, T, y == 0 ? x : S && y == (T)-1 ? 0 : x % y)                               \
	FN2(pow_##I, T, T, int_pow_##I(x, y))                                                      \
	FN2(max_##I, T, T, x > y ? x : y)                                                          \
	FN2(min_##I, T, T, x < y ? x : y)                                                          \
	FN2(and_##I, T, T, x &y)                                                                   \
	FN2(or_##I, T, T, x | y)                                                                   \
	FN2(xor_##I, T, T, x ^ y)                                                                  \
	FN2(shl_##I, T, T, LOW_BITS(W, y) >= (W)imm ? 0 : (U)x << (W)y)                            \
	FN2(shr_##I, T, T, LOW_BITS(W, y) >= (W)imm ? 0 : LOW_BITS(W, x) >> (W)y)                  \
	FN2(sar_##I, T, T, /* the sign is the upper bit, of unsigned numbers too */                \
	    (int64_t)((uint64_t)x << (64 - imm)) >> (64 - imm) >>                                  \
	            (LOW_BITS(W, y) >= (W)imm ? (W)(imm - 1) : (W)y))                              \
	FN2(lt_##I, T, uint8_t, x < y)                                                             \
	FN2(le_##I, T, uint8_t, x <= y)                                                            \
	FN2(gt_##I, T, uint8_t, x > y)                                                             \
	FN2(ge_##I, T, uint8_t, x >= y)                                                            \
	FN(                                                                                        \
		clamp_##I, T *d = d_; const T *a = a_; const T *b = b_; const T *c = c_;           \
		EACH(i, n) {                                                                       \
			T x = b[i] < a[i] ? a[i] : b[i];                                           \
			d[i] = x > c[i] ? c[i] : x;                                                \
		})                                                                                 \
	FN1(not_##I, T, T, ~x)                                                                     \
	FN1(neg_##I, T, T, 0 - (U)x)                                                               \
	FN1(abs_##I, T, T, NEGATIVE_##S(x) ? 0 - (U)x : (U)x)                                      \
	FN1(sign_##I, T, T, (x > (T)0) - NEGATIVE_##S(x))                                          \
	FN1(square_##I, T, T, (U)x *(U)x)                                                          \
	FN1(popcnt_##I, T, T, __builtin_popcountll(LOW_BITS(W, x)))                                \
	FN1(clz_##I, T, T, LOW_BITS(W, x) ? __builtin_clzll(LOW_BITS(W, x)) - 64 + imm : imm)
INT_TYPES(FOR_INT)

__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_uint;
#define FOR_MULHI(I, T, WIDE) FN2(mulhi_##I, T, T, ((WIDE)x * (WIDE)y) >> imm)
FOR_MULHI(I8, int8_t, int32_t)
FOR_MULHI(I16, int16_t, int32_t)
FOR_MULHI(I32, int32_t, int64_t)
FOR_MULHI(I64, int64_t, wide_int)
FOR_MULHI(U8, uint8_t, uint32_t)
FOR_MULHI(U16, uint16_t, uint32_t)
FOR_MULHI(U32, uint32_t, uint64_t)
FOR_MULHI(U64, uint64_t, wide_uint)

/* ---- floats --------------------------------------------------------------------------- */

#define DEFINE_FLOAT_BITS(I, T, S)                                                                 \
	static inline S bits_##I(T x)                                                              \
	{                                                                                          \
		S b;                                                                               \
		memcpy(&b, &x, sizeof b);                                                          \
		return b;                                                                          \
	}                                                                                          \
	static inline T from_bits_##I(S b)                                                         \
	{                                                                                          \
		T x;                                                                               \
		memcpy(&x, &b, sizeof x);                                                          \
		return x;                                                                          \
	}                                                                                          \
	/* Signed integers in the total order of the floats. */                                    \
	static inline S order_##I(T x)                                                             \
	{                                                                                          \
		S b = bits_##I(x);                                                                 \
		return b < 0 ? b ^ (S)(((uint64_t)1 << (8 * sizeof(S) - 1)) - 1) : b;              \
	}                                                                                          \
	/* NaN wins, -0 < +0. */                                                                   \
	static inline T max_of_##I(T x, T y)                                                       \
	{                                                                                          \
		T same = from_bits_##I(bits_##I(x) & bits_##I(y));                                 \
		T r = x > y ? x : x < y ? y : same;                                                \
		return x != x ? x : y != y ? y : r;                                                \
	}                                                                                          \
	static inline T min_of_##I(T x, T y)                                                       \
	{                                                                                          \
		T same = from_bits_##I(bits_##I(x) | bits_##I(y));                                 \
		T r = x < y ? x : x > y ? y : same;                                                \
		return x != x ? x : y != y ? y : r;                                                \
	}
DEFINE_FLOAT_BITS(F32, float, int32_t)
DEFINE_FLOAT_BITS(F64, double, int64_t)

/* Functions that math.h lacks come from the C library. */
#define math_expm1 expm1
#define math_log1p log1p
#define math_tanh tanh
#define math_logistic(x) (1 / (1 + math_exp(-(x))))
#define math_erf erf
#define math_sinh sinh
#define math_cosh cosh
#define math_asinh asinh
#define math_acosh acosh
#define math_atanh atanh
#define math_pow pow

#define FOR_FLOAT(I, T, f)                                                                         \
	FN2(add_##I, T, T, x + y)                                                                  \
	FN2(sub_##I, T, T, x - y)                                                                  \
	FN2(mul_##I, T, T, x *y)                                                                   \
	FN2(div_##I, T, T, x / y)                                                                  \
	FN2(rem_##I, T, T, fmod##f(x, y))                                                          \
	FN2(pow_##I, T, T, math_pow##f(x, y))                                                      \
	FN2(max_##I, T, T, max_of_##I(x, y))                                                       \
	FN2(min_##I, T, T, min_of_##I(x, y))                                                       \
	FN2(atan2_##I, T, T, atan2##f(x, y))                                                       \
	FN2(zeta_##I, T, T, special_zeta(x, y))                                                    \
	FN2(polygamma_##I, T, T, special_polygamma(x, y))                                          \
	FN2(next_after_##I, T, T, special_next_after(x, y, (dtype)imm))                            \
	FN2(lt_##I, T, uint8_t, x < y)                                                             \
	FN2(le_##I, T, uint8_t, x <= y)                                                            \
	FN2(gt_##I, T, uint8_t, x > y)                                                             \
	FN2(ge_##I, T, uint8_t, x >= y)                                                            \
	FN2(teq_##I, T, uint8_t, order_##I(x) == order_##I(y))                                     \
	FN2(tne_##I, T, uint8_t, order_##I(x) != order_##I(y))                                     \
	FN2(tlt_##I, T, uint8_t, order_##I(x) < order_##I(y))                                      \
	FN2(tle_##I, T, uint8_t, order_##I(x) <= order_##I(y))                                     \
	FN2(tgt_##I, T, uint8_t, order_##I(x) > order_##I(y))                                      \
	FN2(tge_##I, T, uint8_t, order_##I(x) >= order_##I(y))                                     \
	FN(clamp_##I, T *d = d_; const T *a = a_; const T *b = b_; const T *c = c_;                \
	   EACH(i, n) d[i] = min_of_##I(max_of_##I(b[i], a[i]), c[i]);)                            \
	FN1(neg_##I, T, T, -x)                                                                     \
	FN1(abs_##I, T, T, fabs##f(x))                                                             \
	FN1(sign_##I, T, T, x > 0 ? (T)1 : x < 0 ? (T)-1 : x)                                      \
	FN1(ceil_##I, T, T, ceil##f(x))                                                            \
	FN1(floor_##I, T, T, floor##f(x))                                                          \
	FN1(round_afz_##I, T, T, round##f(x))                                                      \
	FN1(round_even_##I, T, T, rint##f(x))                                                      \
	FN1(exp_##I, T, T, math_exp##f(x))                                                         \
	FN1(expm1_##I, T, T, math_expm1##f(x))                                                     \
	FN1(log_##I, T, T, math_log##f(x))                                                         \
	FN1(log1p_##I, T, T, math_log1p##f(x))                                                     \
	FN1(logistic_##I, T, T, math_logistic##f(x))                                               \
	FN1(sqrt_##I, T, T, sqrt##f(x))                                                            \
	FN1(rsqrt_##I, T, T, 1 / sqrt##f(x))                                                       \
	FN1(cbrt_##I, T, T, cbrt##f(x))                                                            \
	FN1(tan_##I, T, T, tan##f(x))                                                              \
	FN1(tanh_##I, T, T, math_tanh##f(x))                                                       \
	FN1(is_finite_##I, T, uint8_t, fabs##f(x) < (T)INFINITY)                                   \
	FN1(is_inf_##I, T, uint8_t, fabs##f(x) == (T)INFINITY)                                     \
	FN1(is_pos_inf_##I, T, uint8_t, x == (T)INFINITY)                                          \
	FN1(is_neg_inf_##I, T, uint8_t, x == -(T)INFINITY)                                         \
	FN1(square_##I, T, T, x *x)                                                                \
	FN1(imag_##I, T, T, ((void)x, 0))                                                          \
	FN1(asin_##I, T, T, asin##f(x))                                                            \
	FN1(acos_##I, T, T, acos##f(x))                                                            \
	FN1(atan_##I, T, T, atan##f(x))                                                            \
	FN1(asinh_##I, T, T, math_asinh##f(x))                                                     \
	FN1(acosh_##I, T, T, math_acosh##f(x))                                                     \
	FN1(atanh_##I, T, T, math_atanh##f(x))                                                     \
	FN1(sinh_##I, T, T, math_sinh##f(x))                                                       \
	FN1(cosh_##I, T, T, math_cosh##f(x))                                                       \
	FN1(erf_##I, T, T, math_erf##f(x))                                                         \
	FN1(erfc_##I, T, T, erfc##f(x))                                                            \
	FN1(erf_inv_##I, T, T, special_erf_inv(x))                                                 \
	FN1(lgamma_##I, T, T, special_lgamma(x))                                                   \
	FN1(digamma_##I, T, T, special_digamma(x))                                                 \
	FN1(bessel_i1e_##I, T, T, special_bessel_i1e(x))                                           \
	FN1(reduce_precision_##I, T, T,                                                            \
	    special_reduce_precision(x, (int)(imm >> 8 & 255), (int)(imm & 255),                   \
	                             (dtype)(imm >> 16)))
FOR_FLOAT(F32, float, f)
FOR_FLOAT(F64, double, )
FN1(sin_F64, double, double, sin(x))
FN1(cos_F64, double, double, cos(x))

static int any_beyond(const float *a, int64_t n, float limit)
{
	int any = 0;
	for (int64_t i = 0; i < n; i++)
		any |= !(fabsf(a[i]) < limit);
	return any;
}

/* Large arguments are rare; the library reduces them. */
#define TRIG(name, library, quarter)                                                               \
	FN(name, float *d = d_; const float *a = a_; if (any_beyond(a, n, MATH_TRIG_LIMIT)) {      \
		for (int64_t i = 0; i < n; i++)                                                    \
			d[i] = library(a[i]);                                                      \
	} else EACH(i, n) d[i] = math_trigf(a[i], quarter);)
TRIG(sin_F32, sinf, 0)
TRIG(cos_F32, cosf, 1)

/* ---- complex ------------------------------------------------------------------------------ */

/* An infinity beside NaN is infinite. */
static inline float cabs_C64(float re, float im)
{
	float r = (float)__builtin_sqrt((double)re * re + (double)im * im);
	return math_if((int)(math_absf(re) == INFINITY) | (int)(math_absf(im) == INFINITY), INFINITY, r);
}
static inline double cabs_C128(double re, double im) { return hypot(re, im); }

/* In double, products of parts of complex<f32> are exact, and no square overflows. C's rules for infinities and NaN
 * matter only if a part of this quotient is NaN. */
FN(div_C64, enum { FEW = 64 }; float _Complex *d = d_; const float _Complex *x = a_; const float _Complex *y = b_;
   for (int64_t first = 0; first < n; first += FEW) {
	   const int64_t few = n - first < FEW ? n - first : FEW;
	   const float *a = (const float *)(x + first);
	   const float *b = (const float *)(y + first);
	   float q[2 * FEW];
	   int none = 0;
	   EACH(i, few) {
		   const double re = a[2 * i], im = a[2 * i + 1], by_re = b[2 * i], by_im = b[2 * i + 1];
		   const double square = by_re * by_re + by_im * by_im;
		   const double q_re = (re * by_re + im * by_im) / square, q_im = (im * by_re - re * by_im) / square;
		   none |= (q_re != q_re) | (q_im != q_im);
		   q[2 * i] = (float)q_re;
		   q[2 * i + 1] = (float)q_im;
	   }
	   for (int64_t i = 0; i < few && none; i++)
		   if (q[2 * i] != q[2 * i] || q[2 * i + 1] != q[2 * i + 1]) {
			   const float _Complex exact = (double _Complex)x[first + i] / (double _Complex)y[first + i];
			   memcpy(q + 2 * i, &exact, sizeof exact);
		   }
	   memcpy(d + first, q, sizeof *d * (size_t)few);
   })
FN2(div_C128, double _Complex, double _Complex, x / y)

/* complex<f32> is computed in double: one rounding, and no overflow of intermediate results. */
#define FOR_COMPLEX(I, T, P, W)                                                                    \
	FN2(add_##I, T, T, x + y)                                                                  \
	FN2(sub_##I, T, T, x - y)                                                                  \
	FN2(mul_##I, T, T, (W)x *(W)y)                                                             \
	FN2(pow_##I, T, T, special_cpow(x, y))                                                     \
	FN2(atan2_##I, T, T, special_catan2(x, y))                                                 \
	static inline T max_of_##I(T x, T y)                                                       \
	{                                                                                          \
		bool first = creal(x) > creal(y) || (creal(x) == creal(y) && cimag(x) > cimag(y)); \
		return first || creal(x) != creal(x) || cimag(x) != cimag(x) ? x : y;              \
	}                                                                                          \
	static inline T min_of_##I(T x, T y)                                                       \
	{                                                                                          \
		bool first = creal(x) < creal(y) || (creal(x) == creal(y) && cimag(x) < cimag(y)); \
		return first || creal(x) != creal(x) || cimag(x) != cimag(x) ? x : y;              \
	}                                                                                          \
	FN2(max_##I, T, T, max_of_##I(x, y))                                                       \
	FN2(min_##I, T, T, min_of_##I(x, y))                                                       \
	FN(clamp_##I, T *d = d_; const T *a = a_; const T *b = b_; const T *c = c_;                \
	   EACH(i, n) d[i] = min_of_##I(max_of_##I(b[i], a[i]), c[i]);)                            \
	FN(                                                                                        \
		complex_of_##I, P *d = d_; const P *a = a_; const P *b = b_; EACH(i, n) {          \
			d[2 * i] = a[i];                                                           \
			d[2 * i + 1] = b[i];                                                       \
		})                                                                                 \
	FN(real_##I, P *d = d_; const P *a = a_; EACH(i, n) d[i] = a[2 * i];)                      \
	FN(imag_##I, P *d = d_; const P *a = a_; EACH(i, n) d[i] = a[2 * i + 1];)                  \
	FN(                                                                                        \
		conj_##I, P *d = d_; const P *a = a_; EACH(i, n) {                                 \
			d[2 * i] = a[2 * i];                                                       \
			d[2 * i + 1] = -a[2 * i + 1];                                              \
		})                                                                                 \
	FN1(neg_##I, T, T, -x)                                                                     \
	FN(abs_##I, P *d = d_; const P *a = a_; EACH(i, n) d[i] = cabs_##I(a[2 * i], a[2 * i + 1]);) \
	FN1(sign_##I, T, T, special_csign(x))                                                      \
	FN1(exp_##I, T, T, special_cexp(x))                                                        \
	FN1(expm1_##I, T, T, special_cexpm1(x))                                                    \
	FN1(log_##I, T, T, special_clog(x))                                                        \
	FN1(log1p_##I, T, T, special_clog1p(x))                                                    \
	FN1(logistic_##I, T, T, 1 / (1 + cexp(-(W)x)))                                             \
	FN1(sqrt_##I, T, T, csqrt(x))                                                              \
	FN1(rsqrt_##I, T, T, special_crsqrt(x))                                                    \
	FN1(cbrt_##I, T, T, special_cpow(x, 1.0 / 3))                                              \
	FN1(sin_##I, T, T, csin(x))                                                                \
	FN1(cos_##I, T, T, ccos(x))                                                                \
	FN1(tan_##I, T, T, ctan(x))                                                                \
	FN1(tanh_##I, T, T, ctanh(x))                                                              \
	FN1(square_##I, T, T, special_csquare(x))                                                  \
	FN1(asin_##I, T, T, casin(x))                                                              \
	FN1(acos_##I, T, T, cacos(x))                                                              \
	FN1(atan_##I, T, T, catan(x))                                                              \
	FN1(asinh_##I, T, T, casinh(x))                                                            \
	FN1(acosh_##I, T, T, cacosh(x))                                                            \
	FN1(atanh_##I, T, T, catanh(x))                                                            \
	FN1(sinh_##I, T, T, csinh(x))                                                              \
	FN1(cosh_##I, T, T, ccosh(x))                                                              \
	FN1(is_finite_##I, T, uint8_t, fabs(creal(x)) < INFINITY && fabs(cimag(x)) < INFINITY)
FOR_COMPLEX(C64, float _Complex, float, double _Complex)
FOR_COMPLEX(C128, double _Complex, double, double _Complex)

/* ---- conversions ----------------------------------------------------------------------------- */

#define REAL_VALUE(x) (x)
#define COMPLEX_VALUE(x) creal(x)

/* imm: the width of the target, which may be 2 or 4. */
#define SATURATE(I, FI, T, S, F, value)                                                            \
	FN(                                                                                        \
		cvt_##FI##_##I, T *d = d_; const F *a = a_;                                        \
		const double lo = S ? -ldexp(1, (int)imm - 1) : 0;                                 \
		const double hi = ldexp(1, S ? (int)imm - 1 : (int)imm);                           \
		const T least = (T)(S ? (uint64_t)-1 << (imm - 1) : 0);                            \
		const T most = (T)(S ? ((uint64_t)1 << (imm - 1)) - 1 : UINT64_MAX >> (64 - imm)); \
		EACH(i, n) {                                                                       \
			const double x = (double)value(a[i]);                                      \
			d[i] = x != x ? 0 : x <= lo ? least : x >= hi ? most : (T)x;               \
		})
#define INT_FROM_INT(I, T, FI, F) FN1(cvt_##FI##_##I, F, T, x)
#define FOR_INT_TARGET(I, T, U, W, S)                                                              \
	INT_FROM_INT(I, T, B, uint8_t)                                                             \
	INT_FROM_INT(I, T, I8, int8_t)                                                             \
	INT_FROM_INT(I, T, I16, int16_t)                                                           \
	INT_FROM_INT(I, T, I32, int32_t)                                                           \
	INT_FROM_INT(I, T, I64, int64_t)                                                           \
	INT_FROM_INT(I, T, U8, uint8_t)                                                            \
	INT_FROM_INT(I, T, U16, uint16_t)                                                          \
	INT_FROM_INT(I, T, U32, uint32_t)                                                          \
	INT_FROM_INT(I, T, U64, uint64_t)                                                          \
	SATURATE(I, F32, T, S, float, REAL_VALUE)                                                  \
	SATURATE(I, F64, T, S, double, REAL_VALUE)                                                 \
	SATURATE(I, C64, T, S, float _Complex, COMPLEX_VALUE)                                      \
	SATURATE(I, C128, T, S, double _Complex, COMPLEX_VALUE)
INT_TYPES(FOR_INT_TARGET)

/* Rounds to odd: rounding the result again to a narrower float then gives what rounding once
 * would. */
static inline float odd_float(double x)
{
	float r = (float)x;
	if ((double)r == x || x != x)
		return r;
	int32_t b = bits_F32(r);
	if (fabs((double)r) > fabs(x))
		b--;
	return from_bits_F32(b | 1);
}

static inline double sticky_double(uint64_t u)
{
	return u >> 53 ? (double)((u >> 11 | ((u & 0x7ff) != 0)) << 11) : (double)u;
}

#define FLOAT_FROM_SMALL(I, T, FI, F) FN1(cvt_##FI##_##I, F, T, x)
#define F32_FROM_WIDE(FI, F, exact)                                                                \
	FN(cvt_##FI##_F32, float *d = d_; const F *a = a_; if (imm) EACH(i, n) {                   \
		const F x = a[i];                                                                  \
		d[i] = odd_float(exact);                                                           \
	} else EACH(i, n) d[i] = (float)a[i];)
#define FLOAT_FROM_NARROW(I, T)                                                                    \
	FLOAT_FROM_SMALL(I, T, B, uint8_t)                                                         \
	FLOAT_FROM_SMALL(I, T, I8, int8_t)                                                         \
	FLOAT_FROM_SMALL(I, T, I16, int16_t)                                                       \
	FLOAT_FROM_SMALL(I, T, U8, uint8_t)                                                        \
	FLOAT_FROM_SMALL(I, T, U16, uint16_t)                                                      \
	FLOAT_FROM_SMALL(I, T, F32, float)                                                         \
	FN1(cvt_C64_##I, float _Complex, T, crealf(x))
FLOAT_FROM_NARROW(F32, float)
FLOAT_FROM_NARROW(F64, double)
F32_FROM_WIDE(I32, int32_t, (double)x)
F32_FROM_WIDE(U32, uint32_t, (double)x)
F32_FROM_WIDE(I64, int64_t, x < 0 ? -sticky_double(0 - (uint64_t)x) : sticky_double((uint64_t)x))
F32_FROM_WIDE(U64, uint64_t, sticky_double(x))
F32_FROM_WIDE(F64, double, x)
FN(cvt_C128_F32, float *d = d_; const double _Complex *a = a_; EACH(i, n) {
	double x = creal(a[i]);
	d[i] = imm ? odd_float(x) : (float)x;
})
FLOAT_FROM_SMALL(F64, double, I32, int32_t)
FLOAT_FROM_SMALL(F64, double, I64, int64_t)
FLOAT_FROM_SMALL(F64, double, U32, uint32_t)
FLOAT_FROM_SMALL(F64, double, U64, uint64_t)
FLOAT_FROM_SMALL(F64, double, F64, double)
FN1(cvt_C128_F64, double _Complex, double, creal(x))

#define TO_BOOL(FI, F, value) FN1(cvt_##FI##_B, F, uint8_t, value(x) != 0)
TO_BOOL(B, uint8_t, REAL_VALUE)
TO_BOOL(I8, int8_t, REAL_VALUE)
TO_BOOL(I16, int16_t, REAL_VALUE)
TO_BOOL(I32, int32_t, REAL_VALUE)
TO_BOOL(I64, int64_t, REAL_VALUE)
TO_BOOL(U8, uint8_t, REAL_VALUE)
TO_BOOL(U16, uint16_t, REAL_VALUE)
TO_BOOL(U32, uint32_t, REAL_VALUE)
TO_BOOL(U64, uint64_t, REAL_VALUE)
TO_BOOL(F32, float, REAL_VALUE)
TO_BOOL(F64, double, REAL_VALUE)
TO_BOOL(C64, float _Complex, COMPLEX_VALUE)
TO_BOOL(C128, double _Complex, COMPLEX_VALUE)

#define FOR_SOURCE(FI, F)                                                                          \
	FN1(cvt_##FI##_C64, F, float _Complex, x)                                                  \
	FN1(cvt_##FI##_C128, F, double _Complex, x)
VEC_TYPES(FOR_SOURCE)

#include "exec/vec/best.h"
#include "exec/vec/fold.h"
#include "exec/vec/half.h"
#include "exec/vec/weigh.h"

/* ---- the table ------------------------------------------------------------------------------- */

#define ROW_ANY(I, T)                                                                              \
	[VEC_COPY][VT_##I] = vec_copy_##I, [VEC_SELECT][VT_##I] = vec_select_##I,                  \
	[VEC_EQ][VT_##I] = vec_eq_##I, [VEC_NE][VT_##I] = vec_ne_##I,
#define E(OP, name, I) [VEC_##OP][VT_##I] = vec_##name##_##I,
#define ROW_ARITH(I)                                                                               \
	E(ADD, add, I)                                                                             \
	E(SUB, sub, I)                                                                             \
	E(MUL, mul, I)                                                                             \
	E(DIV, div, I)                                                                             \
	E(POW, pow, I)                                                                             \
	E(MAX, max, I) E(MIN, min, I) E(NEG, neg, I) E(ABS, abs, I) E(SIGN, sign, I)               \
	E(SQUARE, square, I)
#define ROW_ORDER(I)                                                                               \
	E(REM, rem, I)                                                                             \
	E(LT, lt, I) E(LE, le, I) E(GT, gt, I) E(GE, ge, I) E(CLAMP, clamp, I)
#define ROW_INT(I, T, U, W, S)                                                                     \
	ROW_ARITH(I)                                                                               \
	ROW_ORDER(I)                                                                               \
	E(AND, and, I)                                                                             \
	E(OR, or, I)                                                                               \
	E(XOR, xor, I) E(SHL, shl, I) E(SHR, shr, I) E(SAR, sar, I) E(NOT, not, I)                 \
		E(POPCNT, popcnt, I) E(CLZ, clz, I) E(MULHI, mulhi, I)
#define ROW_MATH(I)                                                                                \
	E(EXP, exp, I)                                                                             \
	E(EXPM1, expm1, I) E(LOG, log, I) E(LOG1P, log1p, I) E(LOGISTIC, logistic, I)              \
	E(SQRT, sqrt, I) E(RSQRT, rsqrt, I) E(CBRT, cbrt, I) E(SIN, sin, I) E(COS, cos, I)         \
	E(TAN, tan, I) E(TANH, tanh, I) E(ASIN, asin, I) E(ACOS, acos, I) E(ATAN, atan, I)         \
	E(ASINH, asinh, I) E(ACOSH, acosh, I) E(ATANH, atanh, I) E(SINH, sinh, I)                  \
	E(COSH, cosh, I) E(IS_FINITE, is_finite, I)
#define ROW_FLOAT(I)                                                                               \
	ROW_ARITH(I)                                                                               \
	ROW_ORDER(I)                                                                               \
	ROW_MATH(I)                                                                                \
	E(ATAN2, atan2, I)                                                                         \
	E(ZETA, zeta, I) E(POLYGAMMA, polygamma, I) E(NEXT_AFTER, next_after, I)                   \
	E(TEQ, teq, I) E(TNE, tne, I) E(TLT, tlt, I) E(TLE, tle, I) E(TGT, tgt, I) E(TGE, tge, I)  \
	E(CEIL, ceil, I) E(FLOOR, floor, I) E(ROUND_AFZ, round_afz, I)                             \
	E(ROUND_EVEN, round_even, I) E(IS_INF, is_inf, I) E(IS_POS_INF, is_pos_inf, I)             \
	E(IS_NEG_INF, is_neg_inf, I) E(ERF, erf, I) E(ERFC, erfc, I) E(ERF_INV, erf_inv, I)        \
	E(LGAMMA, lgamma, I) E(DIGAMMA, digamma, I) E(BESSEL_I1E, bessel_i1e, I)                   \
	E(REDUCE_PRECISION, reduce_precision, I) E(REAL, copy, I) E(IMAG, imag, I) E(CONJ, copy, I)
#define ROW_COMPLEX(I, P)                                                                          \
	ROW_ARITH(I)                                                                               \
	ROW_MATH(I)                                                                                \
	E(ATAN2, atan2, I)                                                                         \
	E(REAL, real, I) E(IMAG, imag, I) E(CONJ, conj, I) E(CLAMP, clamp, I)                      \
	[VEC_COMPLEX][VT_##P] = vec_complex_of_##I,

#define CVT(FI, I) [VT_##FI][VT_##I] = vec_cvt_##FI##_##I,
#define ROW_CVT(FI, T)                                                                             \
	CVT(FI, B)                                                                                 \
	CVT(FI, I8)                                                                                \
	CVT(FI, I16)                                                                               \
	CVT(FI, I32)                                                                               \
	CVT(FI, I64) CVT(FI, U8) CVT(FI, U16) CVT(FI, U32) CVT(FI, U64) CVT(FI, F32) CVT(FI, F64)  \
	CVT(FI, C64) CVT(FI, C128)

const vec_table VEC_TABLE = {
	.ops = {
		VEC_TYPES(ROW_ANY)
		INT_TYPES(ROW_INT)
		ROW_FLOAT(F32)
		ROW_FLOAT(F64)
		ROW_COMPLEX(C64, F32)
		ROW_COMPLEX(C128, F64)
		/* i1: addition is or, multiplication and */
		[VEC_ADD][VT_B] = vec_or_B, [VEC_MUL][VT_B] = vec_and_B, [VEC_MAX][VT_B] = vec_or_B,
		[VEC_MIN][VT_B] = vec_and_B, [VEC_AND][VT_B] = vec_and_B, [VEC_OR][VT_B] = vec_or_B,
		[VEC_XOR][VT_B] = vec_xor_B, [VEC_NOT][VT_B] = vec_not_B, [VEC_CLAMP][VT_B] = vec_clamp_B,
		[VEC_LT][VT_B] = vec_lt_B, [VEC_LE][VT_B] = vec_le_B,
		[VEC_GT][VT_B] = vec_gt_B, [VEC_GE][VT_B] = vec_ge_B,
	},
	.convert = { VEC_TYPES(ROW_CVT) },
	.folds = { FOLD_TABLE(fold) },
	.rows = { FOLD_TABLE(rows) },
	.best = { VEC_ORDERED_TYPES(BEST_TABLE) },
	.weigh = { [VT_F32] = weigh_F32, [VT_F64] = weigh_F64 },
	.bf16 = { vec_load_bf16, vec_store_bf16, vec_fix_bf16 },
	.f16 = { vec_load_f16, vec_store_f16, vec_fix_f16 },
#define FLOATING(...)
#define NARROW(id, ...) .narrow[DT_##id] = { vec_load_##id, vec_store_##id, vec_fix_##id },
#include "shape/dtype.def"
};
