/* gemm_avx2.c - micro-kernels for AVX2 and FMA. */
#include "exec/kernel/gemm.h"

#ifdef __AVX2__
#include <immintrin.h>

static const int32_t lane_mask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

static inline __m256i mask_f32(int64_t n)
{
	return _mm256_loadu_si256((const __m256i *)(lane_mask + 8 - n));
}
static inline __m256i mask_f64(int64_t n)
{
	return _mm256_loadu_si256((const __m256i *)(lane_mask + 8 - 2 * n));
}

#define GEMM_NAME gemm_f32_avx2
#define T float
#define V __m256
#define LANES 8
#define ROWS 6
#define PAIRS false
#define ZERO _mm256_setzero_ps()
#define SPLAT(p) _mm256_broadcast_ss(p)
#define LOAD(p) _mm256_loadu_ps(p)
#define STORE(p, v) _mm256_storeu_ps(p, v)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define LOAD_SOME(p, n) _mm256_maskload_ps(p, mask_f32(n))
#define STORE_SOME(p, v, n) _mm256_maskstore_ps(p, mask_f32(n), v)
#include "exec/kernel/gemm_body.h"

#define GEMM_NAME gemm_f64_avx2
#define T double
#define V __m256d
#define LANES 4
#define ROWS 6
#define PAIRS false
#define ZERO _mm256_setzero_pd()
#define SPLAT(p) _mm256_broadcast_sd(p)
#define LOAD(p) _mm256_loadu_pd(p)
#define STORE(p, v) _mm256_storeu_pd(p, v)
#define FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define LOAD_SOME(p, n) _mm256_maskload_pd(p, mask_f64(n))
#define STORE_SOME(p, v, n) _mm256_maskstore_pd(p, mask_f64(n), v)
#include "exec/kernel/gemm_body.h"
#endif
