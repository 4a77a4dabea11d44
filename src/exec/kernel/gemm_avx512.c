/* gemm_avx512.c - micro-kernels for AVX-512. */
#include "exec/kernel/gemm.h"

#ifdef __AVX512F__
#include <immintrin.h>

#define MASK16(n) ((__mmask16)((1u << (n)) - 1))
#define MASK8(n) ((__mmask8)((1u << (n)) - 1))

#define GEMM_NAME gemm_f32_avx512
#define T float
#define V __m512
#define LANES 16
#define ROWS 12
#define PAIRS false
#define ZERO _mm512_setzero_ps()
#define SPLAT(p) _mm512_set1_ps(*(p))
#define LOAD(p) _mm512_loadu_ps(p)
#define STORE(p, v) _mm512_storeu_ps(p, v)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define LOAD_SOME(p, n) _mm512_maskz_loadu_ps(MASK16(n), p)
#define STORE_SOME(p, v, n) _mm512_mask_storeu_ps(p, MASK16(n), v)
#include "exec/kernel/gemm_body.h"

#define GEMM_NAME gemm_f64_avx512
#define T double
#define V __m512d
#define LANES 8
#define ROWS 12
#define PAIRS false
#define ZERO _mm512_setzero_pd()
#define SPLAT(p) _mm512_set1_pd(*(p))
#define LOAD(p) _mm512_loadu_pd(p)
#define STORE(p, v) _mm512_storeu_pd(p, v)
#define FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define LOAD_SOME(p, n) _mm512_maskz_loadu_pd(MASK8(n), p)
#define STORE_SOME(p, v, n) _mm512_mask_storeu_pd(p, MASK8(n), v)
#include "exec/kernel/gemm_body.h"
#endif
