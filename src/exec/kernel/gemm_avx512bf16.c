/* gemm_avx512bf16.c - the micro-kernel for pairs of bf16, with AVX512-BF16.
 *
 * Sums are f32. The instruction treats denormal numbers as zero. */
#include "exec/kernel/gemm.h"

#ifdef __AVX512BF16__
#include <immintrin.h>

#define MASK16(n) ((__mmask16)((1u << (n)) - 1))

/* A pair is passed around as a 4-byte float. */
#define GEMM_NAME gemm_bf16_avx512
#define T float
#define V __m512
#define LANES 16
#define ROWS 12
#define PAIRS true
#define ZERO _mm512_setzero_ps()
#define SPLAT(p) _mm512_set1_ps(*(p))
#define LOAD(p) _mm512_loadu_ps(p)
#define STORE(p, v) _mm512_storeu_ps(p, v)
#define FMA(a, b, c) _mm512_dpbf16_ps(c, (__m512bh)(a), (__m512bh)(b))
#define LOAD_SOME(p, n) _mm512_maskz_loadu_ps(MASK16(n), p)
#define STORE_SOME(p, v, n) _mm512_mask_storeu_ps(p, MASK16(n), v)
#include "exec/kernel/gemm_body.h"
#endif
