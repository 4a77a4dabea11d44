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

#define GEMM_NAME gemm_c64_avx2
#define P float
#define V __m256
#define LANES 4
#define ROWS 3
#define ZERO _mm256_setzero_ps()
#define SPLAT(p) _mm256_broadcast_ss(p)
#define LOAD(p) _mm256_loadu_ps(p)
#define STORE(p, v) _mm256_storeu_ps(p, v)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define ADD(a, b) _mm256_add_ps(a, b)
#define LOAD_SOME(p, n) _mm256_maskload_ps(p, mask_f32(2 * (n)))
#define STORE_SOME(p, v, n) _mm256_maskstore_ps(p, mask_f32(2 * (n)), v)
#define JOIN(re, im) _mm256_addsub_ps(re, _mm256_permute_ps(im, 0xb1))
#include "exec/kernel/gemm_complex_body.h"

#define GEMM_NAME gemm_c128_avx2
#define P double
#define V __m256d
#define LANES 2
#define ROWS 3
#define ZERO _mm256_setzero_pd()
#define SPLAT(p) _mm256_broadcast_sd(p)
#define LOAD(p) _mm256_loadu_pd(p)
#define STORE(p, v) _mm256_storeu_pd(p, v)
#define FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define ADD(a, b) _mm256_add_pd(a, b)
#define LOAD_SOME(p, n) _mm256_maskload_pd(p, mask_f64(2 * (n)))
#define STORE_SOME(p, v, n) _mm256_maskstore_pd(p, mask_f64(2 * (n)), v)
#define JOIN(re, im) _mm256_addsub_pd(re, _mm256_permute_pd(im, 0x5))
#include "exec/kernel/gemm_complex_body.h"
#endif
