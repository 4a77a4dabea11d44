/* fft.h - the loops of Fourier transforms, compiled once for each instruction set. Internal to kernel.
 *
 * Several lines are transformed together: element i of line q is at [i * lanes + q], real and imaginary parts in
 * separate arrays. So every loop runs over adjacent numbers, whatever the length of the lines. */
#ifndef TESS_EXEC_KERNEL_FFT_H
#define TESS_EXEC_KERNEL_FFT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fft_parts {
	double *re, *im;
} fft_parts;

/* exp(-2 pi i k / n) for k < n. */
typedef struct fft_roots {
	int64_t n;
	const double *re, *im;
} fft_roots;

/* One pass of a transform by decimation in frequency (Stockham): lines of length n, `stride` of which are interleaved,
 * become radix * stride ones of length n / radix. x and y do not overlap. */
typedef void fft_pass_fn(const fft_roots *w, int64_t radix, int64_t n, int64_t stride, fft_parts x, fft_parts y);
/* to[i][q] = from[i][q] * by[i] for i < n, q < lanes. */
typedef void fft_scale_fn(int64_t n, int64_t lanes, fft_parts from, fft_parts by, fft_parts to);

typedef struct fft_loops {
	fft_pass_fn *pass;
	fft_scale_fn *scale;
} fft_loops;

enum { FFT_SMALL_PRIME = 64 }; /* a pass has no larger radix */

extern const fft_loops fft_loops_base;
#if defined(__x86_64__)
extern const fft_loops fft_loops_avx2, fft_loops_avx512;
#endif

#endif
