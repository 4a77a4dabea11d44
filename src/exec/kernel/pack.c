/* pack.c - packs the operands of matrix products into panels.
 *
 * A panel holds, for each k, `width` adjacent elements: columns of b or rows of a. It is
 * zero-padded to full width; pairs of k are zero-padded if k is odd. */
#include "exec/kernel/gemm.h"

/* ---- contiguous elements -------------------------------------------------------------------- */

/* Copies `count` panels at a time so that memory is read in order: rows of b may be pages apart. */
#define COPY_CASE(bytes)                                                                           \
	case bytes:                                                                                \
		for (int64_t p = 0; p < k; p++)                                                    \
			for (int64_t i = 0; i < count; i++)                                        \
				memcpy(to + (i * k + p) * (bytes), from + p * step + i * (bytes),  \
				       bytes);                                                     \
		return true;

/* Copies rows of `bytes` bytes, `step` bytes apart. Returns false if no loop has that size. */
static bool copy_panels(int64_t bytes, int64_t k, int64_t count, const char *from, int64_t step,
                        char *to)
{
	switch (bytes) {
		COPY_CASE(16)
		COPY_CASE(24)
		COPY_CASE(32)
		COPY_CASE(48)
		COPY_CASE(64)
		COPY_CASE(96)
		COPY_CASE(128)
	}
	return false;
}

/* ---- strided elements ----------------------------------------------------------------------- */

/* If k is contiguous, rows of a are often pages apart and map to the same cache set: so one cache
 * line of each row is read before any is written. */
#define DEFINE_PACK(T, name)                                                                       \
	static void name(int64_t k, int64_t n, int64_t width, const T *from, int64_t k_step,       \
	                 int64_t n_step, T *to)                                                    \
	{                                                                                          \
		enum { LINE = 64 / sizeof(T), MOST = 32 };                                         \
		int64_t p = 0;                                                                     \
		T block[MOST][LINE];                                                               \
		for (; k_step == 1 && n == width && n <= MOST && p + LINE <= k; p += LINE) {       \
			for (int64_t j = 0; j < n; j++)                                            \
				memcpy(block[j], from + p + j * n_step, sizeof block[j]);          \
			for (int q = 0; q < LINE; q++)                                             \
				for (int64_t j = 0; j < n; j++)                                    \
					to[(p + q) * width + j] = block[j][q];                     \
		}                                                                                  \
		for (; p < k; p++) {                                                               \
			for (int64_t j = 0; j < n; j++)                                            \
				to[p * width + j] = from[p * k_step + j * n_step];                 \
			for (int64_t j = n; j < width; j++)                                        \
				to[p * width + j] = (T){0};                                        \
		}                                                                                  \
	}
typedef struct pair {
	uint64_t re, im;
} pair;
DEFINE_PACK(uint8_t, pack_1)
DEFINE_PACK(uint32_t, pack_by_4)
DEFINE_PACK(uint64_t, pack_8)
DEFINE_PACK(pair, pack_16)

/* If k is contiguous, transposes tiles, square or as wide as the panel, in vector registers. */
static void pack_4(int64_t k, int64_t n, int64_t width, const uint32_t *from, int64_t k_step,
                   int64_t n_step, uint32_t *to)
{
	const int64_t side = width % TURN_SIDE ? width : TURN_SIDE;
	vec_turn_fn *turn = k_step == 1 && n == width ? vec_turn(side) : NULL;
	int64_t p = 0;
	for (; turn && p + TURN_SIDE <= k; p += TURN_SIDE)
		for (int64_t j = 0; j < width; j += side)
			turn(to + p * width + j, width, from + p + j * n_step, n_step);
	pack_by_4(k - p, n, width, from + p * k_step, k_step, n_step, to + p * width);
}

/* Packs 2-byte elements as pairs adjacent in k. */
static void pack_pairs(int64_t k, int64_t n, int64_t width, const uint16_t *from, int64_t k_step,
                       int64_t n_step, uint32_t *to)
{
	for (int64_t p = 0; p < k; p += 2, to += width) {
		const uint16_t *low = from + p * k_step, *high = low + k_step;
		const uint32_t mask = p + 1 < k ? 0xffff0000 : 0;
		if (!mask)
			high = low;
		for (int64_t j = 0; n_step == 1 && j < n; j++)
			to[j] = low[j] | ((uint32_t)high[j] << 16 & mask);
		for (int64_t j = 0; n_step != 1 && j < n; j++)
			to[j] = low[j * n_step] | ((uint32_t)high[j * n_step] << 16 & mask);
		for (int64_t j = n; j < width; j++)
			to[j] = 0;
	}
}

void gemm_pack(const gemm_micro *m, int64_t k, int64_t n, int64_t width, const void *from,
               int64_t k_step, int64_t n_step, void *to)
{
	const int64_t bytes = m->bytes;
	if (m->pairs && (k_step != 1 || k % 2 || n_step % 2 || (uintptr_t)from % 4)) {
		pack_pairs(k, n, width, from, k_step, n_step, to);
		return;
	}
	if (m->pairs)
		k /= 2, n_step /= 2;
	if (n_step == 1 && n == width &&
	    copy_panels(width * bytes, k, 1, from, k_step * bytes, to))
		return;
	switch (bytes) {
	case 1:
		pack_1(k, n, width, from, k_step, n_step, to);
		break;
	case 4:
		pack_4(k, n, width, from, k_step, n_step, to);
		break;
	case 8:
		pack_8(k, n, width, from, k_step, n_step, to);
		break;
	case 16:
		pack_16(k, n, width, from, k_step, n_step, to);
		break;
	}
}

void gemm_pack_panels(const gemm_micro *m, int64_t k, int64_t n, int64_t first, int64_t count,
                      const void *b, int64_t b_row, int64_t b_column, void *to)
{
	const int64_t width = m->columns, element = m->pairs ? m->bytes / 2 : m->bytes;
	const char *from = (const char *)b + first * width * b_column * element;
	char *panel = (char *)to + gemm_packed_size(m, k, first * width) * m->bytes;
	if (b_column == 1 && !m->pairs && (first + count) * width <= n &&
	    copy_panels(width * m->bytes, k, count, from, b_row * element, panel))
		return;
	for (int64_t i = 0; i < count; i++) {
		gemm_pack(m, k, min_i64(width, n - (first + i) * width), width, from, b_row,
		          b_column, panel);
		from += width * b_column * element;
		panel += gemm_packed_size(m, k, width) * m->bytes;
	}
}
