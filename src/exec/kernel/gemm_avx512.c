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

#define GEMM_NAME gemm_c64_avx512
#define P float
#define V __m512
#define LANES 8
#define ROWS 6
#define ZERO _mm512_setzero_ps()
#define SPLAT(p) _mm512_set1_ps(*(p))
#define LOAD(p) _mm512_loadu_ps(p)
#define STORE(p, v) _mm512_storeu_ps(p, v)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define ADD(a, b) _mm512_add_ps(a, b)
#define LOAD_SOME(p, n) _mm512_maskz_loadu_ps(MASK16(2 * (n)), p)
#define STORE_SOME(p, v, n) _mm512_mask_storeu_ps(p, MASK16(2 * (n)), v)
#define JOIN(re, im) _mm512_fmaddsub_ps(_mm512_set1_ps(1), re, _mm512_permute_ps(im, 0xb1))
#include "exec/kernel/gemm_complex_body.h"

#define GEMM_NAME gemm_c128_avx512
#define P double
#define V __m512d
#define LANES 4
#define ROWS 6
#define ZERO _mm512_setzero_pd()
#define SPLAT(p) _mm512_set1_pd(*(p))
#define LOAD(p) _mm512_loadu_pd(p)
#define STORE(p, v) _mm512_storeu_pd(p, v)
#define FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define ADD(a, b) _mm512_add_pd(a, b)
#define LOAD_SOME(p, n) _mm512_maskz_loadu_pd(MASK8(2 * (n)), p)
#define STORE_SOME(p, v, n) _mm512_mask_storeu_pd(p, MASK8(2 * (n)), v)
#define JOIN(re, im) _mm512_fmaddsub_pd(_mm512_set1_pd(1), re, _mm512_permute_pd(im, 0x55))
#include "exec/kernel/gemm_complex_body.h"
#endif
