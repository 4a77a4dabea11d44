/* fft_avx512.c - the loops of Fourier transforms for AVX-512. */
#ifdef __AVX512F__
#define FFT_LOOPS fft_loops_avx512
#include "exec/kernel/fft_body.h"
#else
typedef int fft_avx512_unused;
#endif
