/* turn_avx512.c - 16 or 12 rows of 16 elements of 4 bytes, transposed in registers. */
#include "exec/vec/table.h"

#ifdef __AVX512F__
#include <immintrin.h>

/* Pairs of rows, then pairs of pairs, are interleaved within lanes of four elements; then lanes are
 * permuted. `rows` is a constant in each caller. */
static inline __attribute__((always_inline)) void
turn_rows(const int rows, void *to_, int64_t to_row, const void *from_, int64_t from_row)
{
	const __mmask16 some = (__mmask16)((1u << rows) - 1);
	const float *from = from_;
	float *to = to_;
	__m512 r[16], t[16];
	for (int i = 0; i < 16; i++)
		r[i] = i < rows ? _mm512_loadu_ps(from + i * from_row) : _mm512_setzero_ps();
	for (int i = 0; i < 16; i += 2) {
		t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
		t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
	}
	for (int i = 0; i < 16; i += 4)
		for (int k = 0; k < 2; k++) {
			__m512d a = _mm512_castps_pd(t[i + k]), b = _mm512_castps_pd(t[i + k + 2]);
			r[i + 2 * k] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b));
			r[i + 2 * k + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, b));
		}
	for (int i = 0; i < 16; i += 8)
		for (int k = 0; k < 4; k++) {
			t[i + k] = _mm512_shuffle_f32x4(r[i + k], r[i + k + 4], 0x88);
			t[i + k + 4] = _mm512_shuffle_f32x4(r[i + k], r[i + k + 4], 0xdd);
		}
	for (int k = 0; k < 8; k++) {
		r[k] = _mm512_shuffle_f32x4(t[k], t[k + 8], 0x88);
		r[k + 8] = _mm512_shuffle_f32x4(t[k], t[k + 8], 0xdd);
	}
	for (int k = 0; k < 16; k++)
		if (rows == 16)
			_mm512_storeu_ps(to + k * to_row, r[k]);
		else
			_mm512_mask_storeu_ps(to + k * to_row, some, r[k]);
}

void turn_12_avx512(void *to, int64_t to_row, const void *from, int64_t from_row)
{
	turn_rows(12, to, to_row, from, from_row);
}
void turn_16_avx512(void *to, int64_t to_row, const void *from, int64_t from_row)
{
	turn_rows(16, to, to_row, from, from_row);
}
#endif
