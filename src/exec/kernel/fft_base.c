/* fft_base.c - the loops of Fourier transforms for any processor. */
#define FFT_LOOPS fft_loops_base
#include "exec/kernel/fft_body.h"
