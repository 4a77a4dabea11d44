/* fft_avx2.c - the loops of Fourier transforms for AVX2 and FMA. */
#ifdef __AVX2__
#define FFT_LOOPS fft_loops_avx2
#include "exec/kernel/fft_body.h"
#else
typedef int fft_avx2_unused;
#endif
