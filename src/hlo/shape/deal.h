/* deal.h - interleaving 16-byte vectors, and cache hints. Internal to hlo/shape.
 *
 * deal_N(&a, &b) takes elements of N bytes alternately from a and b, like a riffle shuffle: a
 * becomes the lower half a0 b0 a1 b1 …, b the upper half. In an array of all elements of 2^v
 * vectors, interleaving the first half of the vectors with the second rotates the bits of each
 * element's index by one. A transpose of 2^r rows rotates them by r: see transpose.c. */
#ifndef TESS_HLO_SHAPE_DEAL_H
#define TESS_HLO_SHAPE_DEAL_H

#include "base/base.h"

#if defined(__SSE2__)

#include <emmintrin.h>
typedef __m128i vec16;
#define DEAL(N, LOW, HIGH)                                                                         \
	static inline void deal_##N(vec16 *a, vec16 *b)                                            \
	{                                                                                          \
		vec16 low = LOW(*a, *b);                                                           \
		*b = HIGH(*a, *b);                                                                 \
		*a = low;                                                                          \
	}
DEAL(1, _mm_unpacklo_epi8, _mm_unpackhi_epi8)
DEAL(2, _mm_unpacklo_epi16, _mm_unpackhi_epi16)
DEAL(4, _mm_unpacklo_epi32, _mm_unpackhi_epi32)
DEAL(8, _mm_unpacklo_epi64, _mm_unpackhi_epi64)

/* Like memcpy, for data that is not read soon; call stream_end() before other threads read it. */
static inline void stream_bytes(char *to, const char *from, size_t n)
{
	if ((uintptr_t)to % 16 || n % 16) {
		memcpy(to, from, n);
		return;
	}
	for (size_t i = 0; i < n; i += 16)
		_mm_stream_si128((vec16 *)(to + i), _mm_loadu_si128((const vec16 *)(from + i)));
}

static inline void stream_end(void) { _mm_sfence(); }
static inline void will_read(const char *p) { _mm_prefetch(p, _MM_HINT_T0); }

#else

typedef struct vec16 {
	uint8_t b[16];
} vec16;
#define DEAL(N)                                                                                    \
	static inline void deal_##N(vec16 *a, vec16 *b)                                            \
	{                                                                                          \
		vec16 low, high;                                                                   \
		for (int i = 0; i < 8 / N; i++) {                                                  \
			memcpy(low.b + 2 * i * N, a->b + i * N, N);                                \
			memcpy(low.b + (2 * i + 1) * N, b->b + i * N, N);                          \
			memcpy(high.b + 2 * i * N, a->b + 8 + i * N, N);                           \
			memcpy(high.b + (2 * i + 1) * N, b->b + 8 + i * N, N);                     \
		}                                                                                  \
		*a = low;                                                                          \
		*b = high;                                                                         \
	}
DEAL(1)
DEAL(2)
DEAL(4)
DEAL(8)

static inline void stream_bytes(char *to, const char *from, size_t n) { memcpy(to, from, n); }
static inline void stream_end(void) {}
static inline void will_read(const char *p) { UNUSED(p); }

#endif
#undef DEAL

#endif
