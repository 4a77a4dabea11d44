/* transpose.c - transposes strided arrays at memory bandwidth.
 *
 * Rows are contiguous in the destination, columns in the source; each may be two loops, such as the
 * rows in a tile and the tiles. Access to distant memory is slow page by page: addresses have to be
 * translated, and DRAM rows opened. So blocks of 256 columns go through a buffer in the cache and
 * are written 512 bytes at a time, past the cache if everything is larger than that; and blocks
 * advance along the pages of the source.
 *
 * Inside a block, square tiles with as many elements per side as a vector has are transposed. The
 * indices of a tile's elements have twice as many bits as there are rounds, and each round of
 * interleaving rotates these bits by one (see deal.h). Two or four rows that end up interleaved, as
 * in the tiles (2,1) and (4,1) of narrow types, take one or two such rounds; de-interleaving them
 * is the remainder of the full rotation. */
#include "hlo/shape/copy.h"
#include "hlo/shape/deal.h"

enum {
	BLOCK_COLUMNS = 256,
	BLOCK_BYTES = 512, /* of rows, in the destination */
	BLOCK_PITCH = BLOCK_BYTES + 64, /* so that columns are in different cache sets */
	LINE = 64, /* bytes in a cache line */
	STRIP_COLUMNS = 1024, /* finished before the next strip: as many pages of the destination */
	MAX_VECTORS = 16,
};

/* Bytes per element, and rounds that transpose a tile: 2^rounds elements fill a vector. */
#define FOR_SIZES(X) X(1, 4) X(2, 3) X(4, 2) X(8, 1)

/* ---- rounds of interleaving ----------------------------------------------------------------- */

#define DEAL_ROUND(N, ROUNDS)                                                                      \
	static inline void deal_round_##N(vec16 *v, int n)                                         \
	{                                                                                          \
		vec16 out[MAX_VECTORS];                                                            \
		for (int i = 0; i < n / 2; i++) {                                                  \
			vec16 a = v[i], b = v[i + n / 2];                                          \
			deal_##N(&a, &b);                                                          \
			out[2 * i] = a;                                                            \
			out[2 * i + 1] = b;                                                        \
		}                                                                                  \
		for (int i = 0; i < n; i++)                                                        \
			v[i] = out[i];                                                             \
	}
FOR_SIZES(DEAL_ROUND)

/* ---- blocks ---------------------------------------------------------------------- */

/* Offsets of the rows in the source and of the columns in the destination, in bytes. */
typedef struct block_places {
	int n, m; /* rows, columns */
	int64_t from[BLOCK_BYTES], to[BLOCK_COLUMNS];
} block_places;

#define TRANSPOSE_BLOCK(N, ROUNDS)                                                                 \
	/* buffer[k][i] = from[i][k] for LANES rows and as many columns, from row i on.  The rows  \
	   often share a set of the cache: a line of each is read whole, before it is dealt. */    \
	static inline void transpose_line_##N(const block_places *b, const char *from,             \
	                                      char *buffer, int i, int k)                          \
	{                                                                                          \
		enum { LANES = 16 / N };                                                           \
		char lines[LANES][LINE];                                                           \
		for (int r = 0; r < LANES; r++)                                                    \
			memcpy(lines[r], from + b->from[i + r] + k * N, LINE);                     \
		for (int at = 0; at < LINE; at += 16) {                                            \
			vec16 v[LANES];                                                            \
			for (int r = 0; r < LANES; r++)                                            \
				memcpy(&v[r], lines[r] + at, 16);                                  \
			for (int round = 0; round < ROUNDS; round++)                               \
				deal_round_##N(v, LANES);                                          \
			char *to = buffer + (k + at / N) * BLOCK_PITCH + i * N;                    \
			for (int r = 0; r < LANES; r++)                                            \
				memcpy(to + r * BLOCK_PITCH, &v[r], 16);                           \
		}                                                                                  \
	}                                                                                          \
	static void transpose_block_##N(const block_places *b, const char *from, char *buffer)     \
	{                                                                                          \
		enum { LANES = 16 / N };                                                           \
		int i = 0;                                                                         \
		for (; i + LANES <= b->n; i += LANES) {                                            \
			int k = 0;                                                                 \
			for (; k + LINE / N <= b->m; k += LINE / N) {                              \
				if (i + 3 * LANES <= b->n)                                         \
					for (int r = 2 * LANES; r < 3 * LANES; r++)                \
						will_read(from + b->from[i + r] + k * N);          \
				transpose_line_##N(b, from, buffer, i, k);                         \
			}                                                                          \
			for (; k < b->m; k++)                                                      \
				for (int r = i; r < i + LANES; r++)                                \
					memcpy(buffer + k * BLOCK_PITCH + r * N,                   \
					       from + b->from[r] + k * N, N);                      \
		}                                                                                  \
		for (; i < b->n; i++)                                                              \
			for (int k = 0; k < b->m; k++)                                             \
				memcpy(buffer + k * BLOCK_PITCH + i * N,                           \
				       from + b->from[i] + k * N, N);                              \
	}
FOR_SIZES(TRANSPOSE_BLOCK)

static void transpose_block_16(const block_places *b, const char *from, char *buffer)
{
	for (int i = 0; i < b->n; i++)
		for (int k = 0; k < b->m; k++)
			memcpy(buffer + k * BLOCK_PITCH + i * 16, from + b->from[i] + k * 16, 16);
}

static void transpose_block(size_t size, const block_places *b, const char *from, char *buffer)
{
	switch (size) {
	case 1: transpose_block_1(b, from, buffer); break;
	case 2: transpose_block_2(b, from, buffer); break;
	case 4: transpose_block_4(b, from, buffer); break;
	case 8: transpose_block_8(b, from, buffer); break;
	case 16: transpose_block_16(b, from, buffer); break;
	}
}

/* Computes the offsets of `n` positions of two loops, starting at position `at`. */
static void places_of(const copy_loop *l, int64_t at, int n, bool source, size_t size,
                      int64_t *out)
{
	for (int i = 0; i < n; i++) {
		int64_t low = (at + i) % l[0].n, high = (at + i) / l[0].n;
		out[i] = (source ? low * l[0].from + high * l[1].from
		                 : low * l[0].to + high * l[1].to) *
		         (int64_t)size;
	}
}

/* Prefetches one of BLOCK_COLUMNS parts of the same rows' next columns. */
static inline void fetch_part(const block_places *b, const char *next, size_t size, int part)
{
	int row_lines = BLOCK_COLUMNS * (int)size / LINE, lines = BLOCK_BYTES / LINE;
	for (int line = part * lines; line < (part + 1) * lines; line++)
		if (line / row_lines < b->n)
			will_read(next + b->from[line / row_lines] + line % row_lines * LINE);
}

/* Copies the buffer's rows to their places, and prefetches `next` meanwhile; otherwise reading and
 * writing would alternate, and each would wait for memory alone. */
static void write_block(const block_places *b, const char *buffer, char *to, size_t size,
                        bool stream, const char *next)
{
	for (int c = 0; c < b->m; c++, buffer += BLOCK_PITCH) {
		if (next)
			fetch_part(b, next, size, c);
		if (stream)
			stream_bytes(to + b->to[c], buffer, (size_t)b->n * size);
		else
			memcpy(to + b->to[c], buffer, (size_t)b->n * size);
	}
}

/* Returns how many of the n elements at p come before the first cache line boundary; 0 if there are
 * too few elements for a block of their own to pay. */
static int64_t before_line(const char *p, size_t size, int64_t n)
{
	size_t past = (uintptr_t)p % LINE;
	return past % size || n < STRIP_COLUMNS ? 0 : (int64_t)((LINE - past) % LINE / size);
}

/* Returns the end of the block, or strip, that starts at `at`: after the lead, or `side` further,
 * but at most n. */
static int64_t block_end(int64_t at, int64_t lead, int64_t side, int64_t n)
{
	return min_i64(at < lead ? lead : at + side, n);
}

void transpose_strided(const copy_loop *rows, const copy_loop *cols, const char *from, char *to,
                       size_t size, bool stream)
{
	int64_t side = BLOCK_BYTES / (int64_t)size;
	int64_t n = rows[0].n * rows[1].n, m = cols[0].n * cols[1].n;
	int64_t lead_row = before_line(to, size, n), lead_col = before_line(from, size, m);
	_Alignas(64) char buffer[BLOCK_COLUMNS * BLOCK_PITCH];
	block_places b;
	for (int64_t strip = 0, end; strip < m; strip = end) {
		end = block_end(strip, lead_col, STRIP_COLUMNS, m);
		for (int64_t i = 0; i < n; i += b.n) {
			b.n = (int)(block_end(i, lead_row, side, n) - i);
			places_of(rows, i, b.n, true, size, b.from);
			for (int64_t k = strip; k < end; k += b.m) {
				b.m = (int)min_i64(BLOCK_COLUMNS, end - k);
				places_of(cols, k, b.m, false, size, b.to);
				transpose_block(size, &b, from + k * (int64_t)size, buffer);
				int64_t next = k + BLOCK_COLUMNS;
				write_block(&b, buffer, to + i * (int64_t)size, size, stream,
				            next + BLOCK_COLUMNS <= end
				                    ? from + next * (int64_t)size
				                    : NULL);
			}
		}
	}
}

/* ---- interleaving ------------------------------------------------------------------- */

#define INTERLEAVE(N, ROUNDS)                                                                      \
	/* to[k * ways + r] = from[r][k], for n columns. */                                        \
	static inline void interleave_##N(const char *from, int64_t from_row, char *to, int64_t n, \
	                                  int ways)                                                \
	{                                                                                          \
		enum { LANES = 16 / N };                                                           \
		vec16 v[4];                                                                        \
		int64_t k = 0;                                                                     \
		for (; k + LANES <= n; k += LANES) {                                               \
			for (int r = 0; r < ways; r++)                                             \
				memcpy(&v[r], from + r * from_row + k * N, 16);                    \
			for (int round = 0; round < ways / 2; round++)                             \
				deal_round_##N(v, ways);                                           \
			for (int r = 0; r < ways; r++)                                             \
				memcpy(to + k * ways * N + 16 * r, &v[r], 16);                     \
		}                                                                                  \
		for (; k < n; k++)                                                                 \
			for (int r = 0; r < ways; r++)                                             \
				memcpy(to + (k * ways + r) * N, from + r * from_row + k * N, N);   \
	}                                                                                          \
	/* to[r][k] = from[k * ways + r] */                                                        \
	static inline void take_apart_##N(const char *from, char *to, int64_t to_row, int64_t n,   \
	                                  int ways)                                                \
	{                                                                                          \
		enum { LANES = 16 / N };                                                           \
		vec16 v[4];                                                                        \
		int64_t k = 0;                                                                     \
		for (; k + LANES <= n; k += LANES) {                                               \
			for (int r = 0; r < ways; r++)                                             \
				memcpy(&v[r], from + k * ways * N + 16 * r, 16);                   \
			for (int round = 0; round < ROUNDS; round++)                               \
				deal_round_##N(v, ways);                                           \
			for (int r = 0; r < ways; r++)                                             \
				memcpy(to + r * to_row + k * N, &v[r], 16);                        \
		}                                                                                  \
		for (; k < n; k++)                                                                 \
			for (int r = 0; r < ways; r++)                                             \
				memcpy(to + r * to_row + k * N, from + (k * ways + r) * N, N);     \
	}
FOR_SIZES(INTERLEAVE)

#define CASE(N, ROUNDS)                                                                            \
	case N:                                                                                    \
		if (ways == 2)                                                                     \
			interleave_##N(from, from_row * N, to, n, 2);                              \
		else                                                                               \
			interleave_##N(from, from_row * N, to, n, 4);                              \
		return;
void interleave(size_t size, int ways, const char *from, int64_t from_row, char *to, int64_t n)
{
	switch (size) {
		FOR_SIZES(CASE)
	}
}
#undef CASE

#define CASE(N, ROUNDS)                                                                            \
	case N:                                                                                    \
		if (ways == 2)                                                                     \
			take_apart_##N(from, to, to_row * N, n, 2);                                \
		else                                                                               \
			take_apart_##N(from, to, to_row * N, n, 4);                                \
		return;
void take_apart(size_t size, int ways, const char *from, char *to, int64_t to_row, int64_t n)
{
	switch (size) {
		FOR_SIZES(CASE)
	}
}
#undef CASE
