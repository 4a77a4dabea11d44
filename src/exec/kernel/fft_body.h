/* fft_body.h - the loops of fft.h. Included by files that define FFT_LOOPS, the name of the table defined here. */
#include "exec/kernel/fft.h"

#if defined(__clang__)
#define FFT_EACH(q, n) _Pragma("clang loop vectorize(assume_safety)") for (int64_t q = 0; q < (n); q++)
#else
#define FFT_EACH(q, n) _Pragma("GCC ivdep") for (int64_t q = 0; q < (n); q++)
#endif
#define FFT_UNROLL _Pragma("GCC unroll 16")

/* Element [p * n_elements + part] of the interleaved lines. */
static inline fft_parts parts_at(fft_parts x, int64_t i) { return (fft_parts){x.re + i, x.im + i}; }

static void pass_2(const fft_roots *w, int64_t n, int64_t stride, fft_parts x, fft_parts y)
{
	const int64_t m = n / 2, turn = w->n / n;
	for (int64_t p = 0; p < m; p++) {
		const fft_parts a = parts_at(x, stride * p), b = parts_at(x, stride * (p + m));
		const fft_parts c = parts_at(y, stride * 2 * p), d = parts_at(c, stride);
		const double wr = w->re[p * turn], wi = w->im[p * turn];
		FFT_EACH(q, stride) {
			const double re = a.re[q] - b.re[q], im = a.im[q] - b.im[q];
			c.re[q] = a.re[q] + b.re[q];
			c.im[q] = a.im[q] + b.im[q];
			d.re[q] = re * wr - im * wi;
			d.im[q] = re * wi + im * wr;
		}
	}
}

static void pass_4(const fft_roots *w, int64_t n, int64_t stride, fft_parts x, fft_parts y)
{
	const int64_t m = n / 4, turn = w->n / n;
	for (int64_t p = 0; p < m; p++) {
		const fft_parts a = parts_at(x, stride * p), b = parts_at(x, stride * (p + m)),
			    c = parts_at(x, stride * (p + 2 * m)), d = parts_at(x, stride * (p + 3 * m));
		const fft_parts to0 = parts_at(y, stride * 4 * p), to1 = parts_at(to0, stride),
			    to2 = parts_at(to1, stride), to3 = parts_at(to2, stride);
		const double w1r = w->re[p * turn], w1i = w->im[p * turn], w2r = w->re[2 * p * turn],
			     w2i = w->im[2 * p * turn], w3r = w->re[3 * p * turn], w3i = w->im[3 * p * turn];
		FFT_EACH(q, stride) {
			const double even_re = a.re[q] + c.re[q], even_im = a.im[q] + c.im[q];
			const double apart_re = a.re[q] - c.re[q], apart_im = a.im[q] - c.im[q];
			const double odd_re = b.re[q] + d.re[q], odd_im = b.im[q] + d.im[q];
			const double turned_re = b.im[q] - d.im[q], turned_im = d.re[q] - b.re[q];
			const double t1_re = apart_re + turned_re, t1_im = apart_im + turned_im;
			const double t2_re = even_re - odd_re, t2_im = even_im - odd_im;
			const double t3_re = apart_re - turned_re, t3_im = apart_im - turned_im;
			to0.re[q] = even_re + odd_re;
			to0.im[q] = even_im + odd_im;
			to1.re[q] = t1_re * w1r - t1_im * w1i;
			to1.im[q] = t1_re * w1i + t1_im * w1r;
			to2.re[q] = t2_re * w2r - t2_im * w2i;
			to2.im[q] = t2_re * w2i + t2_im * w2r;
			to3.re[q] = t3_re * w3r - t3_im * w3i;
			to3.im[q] = t3_re * w3i + t3_im * w3r;
		}
	}
}

/* An odd radix. Elements j and r - j meet the same cosines and opposite sines, so their sum and difference are
 * multiplied instead. Callers pass a constant r: the loops over it are unrolled. */
static inline __attribute__((always_inline)) void pass_odd(const int r, const fft_roots *w, int64_t n, int64_t stride,
                                                           fft_parts x, fft_parts y)
{
	enum { MOST = 13 };
	const int64_t m = n / r, turn = w->n / n, part = w->n / r;
	const int half = r / 2;
	double cosine[MOST], sine[MOST];
	for (int k = 0; k < r; k++)
		cosine[k] = w->re[k * part], sine[k] = -w->im[k * part];
	for (int64_t p = 0; p < m; p++) {
		const fft_parts from = parts_at(x, stride * p), to = parts_at(y, stride * r * p);
		FFT_EACH(q, stride) {
			double sum_re[MOST], sum_im[MOST], apart_re[MOST], apart_im[MOST];
			const double first_re = from.re[q], first_im = from.im[q];
			double all_re = first_re, all_im = first_im;
			FFT_UNROLL for (int j = 1; j <= half; j++) {
				const int64_t a = stride * m * j + q, b = stride * m * (r - j) + q;
				sum_re[j] = from.re[a] + from.re[b];
				sum_im[j] = from.im[a] + from.im[b];
				apart_re[j] = from.re[a] - from.re[b];
				apart_im[j] = from.im[a] - from.im[b];
				all_re += sum_re[j];
				all_im += sum_im[j];
			}
			to.re[q] = all_re;
			to.im[q] = all_im;
			FFT_UNROLL for (int k = 1; k <= half; k++) {
				double c_re = first_re, c_im = first_im, s_re = 0, s_im = 0;
				FFT_UNROLL for (int j = 1; j <= half; j++) {
					c_re += cosine[j * k % r] * sum_re[j];
					c_im += cosine[j * k % r] * sum_im[j];
					s_re += sine[j * k % r] * apart_re[j];
					s_im += sine[j * k % r] * apart_im[j];
				}
				const double re = c_re + s_im, im = c_im - s_re, back_re = c_re - s_im, back_im = c_im + s_re;
				const double wr = w->re[p * k * turn], wi = w->im[p * k * turn];
				const double vr = w->re[p * (r - k) * turn], vi = w->im[p * (r - k) * turn];
				to.re[stride * k + q] = re * wr - im * wi;
				to.im[stride * k + q] = re * wi + im * wr;
				to.re[stride * (r - k) + q] = back_re * vr - back_im * vi;
				to.im[stride * (r - k) + q] = back_re * vi + back_im * vr;
			}
		}
	}
}

/* Any odd radix: the sums and differences of a few lines at a time are kept. */
static void pass_any(const fft_roots *w, int r, int64_t n, int64_t stride, fft_parts x, fft_parts y)
{
	enum { FEW = 8, MOST = FFT_SMALL_PRIME / 2 };
	const int64_t m = n / r, turn = w->n / n, part = w->n / r;
	const int half = r / 2;
	for (int64_t p = 0; p < m; p++)
		for (int64_t q0 = 0; q0 < stride; q0 += FEW) {
			const int few = stride - q0 < FEW ? (int)(stride - q0) : FEW;
			const fft_parts from = parts_at(x, stride * p + q0), to = parts_at(y, stride * r * p + q0);
			double sum_re[MOST][FEW], sum_im[MOST][FEW], apart_re[MOST][FEW], apart_im[MOST][FEW];
			double all_re[FEW], all_im[FEW];
			FFT_EACH(q, few) all_re[q] = from.re[q], all_im[q] = from.im[q];
			for (int j = 1; j <= half; j++) {
				const fft_parts a = parts_at(from, stride * m * j), b = parts_at(from, stride * m * (r - j));
				FFT_EACH(q, few) {
					sum_re[j - 1][q] = a.re[q] + b.re[q];
					sum_im[j - 1][q] = a.im[q] + b.im[q];
					apart_re[j - 1][q] = a.re[q] - b.re[q];
					apart_im[j - 1][q] = a.im[q] - b.im[q];
					all_re[q] += sum_re[j - 1][q];
					all_im[q] += sum_im[j - 1][q];
				}
			}
			FFT_EACH(q, few) to.re[q] = all_re[q], to.im[q] = all_im[q];
			for (int k = 1; k <= half; k++) {
				double c_re[FEW], c_im[FEW], s_re[FEW], s_im[FEW];
				FFT_EACH(q, few) c_re[q] = from.re[q], c_im[q] = from.im[q], s_re[q] = s_im[q] = 0;
				for (int j = 1, at = k; j <= half; j++, at = at + k < r ? at + k : at + k - r) {
					const double c = w->re[at * part], s = -w->im[at * part];
					FFT_EACH(q, few) {
						c_re[q] += c * sum_re[j - 1][q];
						c_im[q] += c * sum_im[j - 1][q];
						s_re[q] += s * apart_re[j - 1][q];
						s_im[q] += s * apart_im[j - 1][q];
					}
				}
				const double wr = w->re[p * k * turn], wi = w->im[p * k * turn];
				const double vr = w->re[p * (r - k) * turn], vi = w->im[p * (r - k) * turn];
				const fft_parts at = parts_at(to, stride * k), back = parts_at(to, stride * (r - k));
				FFT_EACH(q, few) {
					const double re = c_re[q] + s_im[q], im = c_im[q] - s_re[q];
					const double back_re = c_re[q] - s_im[q], back_im = c_im[q] + s_re[q];
					at.re[q] = re * wr - im * wi;
					at.im[q] = re * wi + im * wr;
					back.re[q] = back_re * vr - back_im * vi;
					back.im[q] = back_re * vi + back_im * vr;
				}
			}
		}
}

static void fft_pass(const fft_roots *w, int64_t radix, int64_t n, int64_t stride, fft_parts x, fft_parts y)
{
	switch (radix) {
	case 2: pass_2(w, n, stride, x, y); break;
	case 3: pass_odd(3, w, n, stride, x, y); break;
	case 4: pass_4(w, n, stride, x, y); break;
	case 5: pass_odd(5, w, n, stride, x, y); break;
	case 7: pass_odd(7, w, n, stride, x, y); break;
	case 11: pass_odd(11, w, n, stride, x, y); break;
	case 13: pass_odd(13, w, n, stride, x, y); break;
	default: pass_any(w, (int)radix, n, stride, x, y);
	}
}

static void fft_scale(int64_t n, int64_t lanes, fft_parts from, fft_parts by, fft_parts to)
{
	const int64_t alone = lanes == 1 ? n : 0;
	FFT_EACH(i, alone) {
		const double re = from.re[i], im = from.im[i];
		to.re[i] = re * by.re[i] - im * by.im[i];
		to.im[i] = re * by.im[i] + im * by.re[i];
	}
	for (int64_t i = 0; i < n && lanes > 1; i++) {
		const double wr = by.re[i], wi = by.im[i];
		const fft_parts f = parts_at(from, i * lanes), t = parts_at(to, i * lanes);
		FFT_EACH(q, lanes) {
			const double re = f.re[q], im = f.im[q];
			t.re[q] = re * wr - im * wi;
			t.im[q] = re * wi + im * wr;
		}
	}
}

const fft_loops FFT_LOOPS = {fft_pass, fft_scale};
