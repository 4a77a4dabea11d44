/* rng.c - rng_bit_generator: ThreeFry-2x32-20 and Philox-4x32-10.
 *
 * Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011). States and
 * outputs are laid out as in XLA, so that seeds give the same numbers:
 *
 *   THREE_FRY  state (key, counter).  Block i encrypts counter + i and yields two words:
 *              the halves of one 64-bit number, or two 32-bit numbers, which are elements
 *              2h and 2h + 1 of the first dimension of even size (if there is none, of
 *              the largest); blocks count through the other dimensions.
 *   PHILOX     state (key, low and high half of a 128-bit counter), or (key, low), where
 *              the key also is the high half.  A block yields four words, in order.
 *              DEFAULT is PHILOX. */
#include "exec/kernel.h"

typedef struct rng_plan {
	bool threefry;
	int64_t words;  /* of the state, 64 bits each */
	int64_t blocks; /* needed for the output */
	int64_t split, inner; /* ThreeFry, 32 bits: size of the split dimension, and of all
	                       * dimensions inside it */
	int word_bytes; /* 8 for 64-bit elements, else 4 */
} rng_plan;

static uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }

static void threefry(uint64_t key, uint64_t counter, uint32_t out[2])
{
	static const int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
	uint32_t k[3] = {(uint32_t)key, (uint32_t)(key >> 32), 0};
	uint32_t x = (uint32_t)counter, y = (uint32_t)(counter >> 32);
	k[2] = k[0] ^ k[1] ^ 0x1BD11BDA;
	x += k[0];
	y += k[1];
	for (int r = 0; r < 5; r++) {
		for (int i = 0; i < 4; i++) {
			x += y;
			y = rotated(y, turns[r % 2][i]) ^ x;
		}
		x += k[(r + 1) % 3];
		y += k[(r + 2) % 3] + (uint32_t)(r + 1);
	}
	out[0] = x;
	out[1] = y;
}

static void philox(uint64_t key, uint64_t low, uint64_t high, uint32_t out[4])
{
	uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
	uint32_t x[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
	                 (uint32_t)(high >> 32)};
	for (int r = 0; r < 10; r++) {
		uint64_t a = (uint64_t)0xD2511F53 * x[0], b = (uint64_t)0xCD9E8D57 * x[2];
		uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k0, (uint32_t)b,
		                 (uint32_t)(a >> 32) ^ x[3] ^ k1, (uint32_t)a};
		memcpy(x, y, sizeof x);
		k0 += 0x9E3779B9;
		k1 += 0xBB67AE85;
	}
	memcpy(out, x, sizeof x);
}

/* (key, key, counter, counter) -> (word, word), elementwise: the custom call of JAX for GPUs. */
static void run_threefry2x32(const step *s, const call *c)
{
	const uint32_t *in[4];
	for (int i = 0; i < 4; i++)
		in[i] = (const uint32_t *)call_in(c, i);
	uint32_t *out[2] = {(uint32_t *)call_out(s, c, 0), (uint32_t *)call_out(s, c, 1)}, w[2];
	int64_t end = tile_begin(s, s->t[0].n, c->tile + 1);
	for (int64_t i = tile_begin(s, s->t[0].n, c->tile); i < end; i++) {
		threefry(in[0][i] | (uint64_t)in[1][i] << 32, in[2][i] | (uint64_t)in[3][i] << 32,
		         w);
		out[0][i] = w[0];
		out[1][i] = w[1];
	}
}

bool prepare_threefry2x32(exec_plan *p, step *s)
{
	bool fits = s->n_in == 4 && s->n_out == 2;
	for (int i = 0; fits && i < 6; i++)
		fits = s->t[i].dtype == DT_UI32 && s->t[i].n == s->t[0].n;
	if (!fits)
		return step_invalid(
			p, s, "takes two keys and two counters, and gives two words, of ui32");
	s->run = run_threefry2x32;
	s->cost = (double)s->t[0].n * 10;
	step_split(s, s->t[0].n, 1 << 12);
	return true;
}

/* Returns the output position of word p of ThreeFry's block i; -1: padding of an odd dimension. */
static int64_t threefry_at(const rng_plan *k, int64_t i, int p)
{
	int64_t half = ceil_div(k->split, 2), outer = i / (half * k->inner);
	int64_t h = i / k->inner % half, row = 2 * h + p;
	return row < k->split ? (outer * k->split + row) * k->inner + i % k->inner : -1;
}

/* Stores a word, or its low bytes, as element i. */
static void put_word(char *to, int64_t i, int64_t n, uint32_t word, int bytes)
{
	if (i >= 0 && i < n)
		memcpy(to + i * bytes, &word, (size_t)bytes);
}

static void run_rng(const step *s, const call *c)
{
	const rng_plan *k = s->params;
	const tensor *out = step_out(s, 1);
	const uint64_t *state = (const uint64_t *)c->at[0];
	uint64_t *next = (uint64_t *)call_out(s, c, 0);
	char *to = call_out(s, c, 1);
	uint64_t key = state[0], low = state[1], high = k->words > 2 ? state[2] : state[0];
	int per_block = k->threefry ? 2 : 4;
	for (int64_t i = 0; i < k->blocks; i++) {
		uint32_t w[4];
		uint64_t at = low + (uint64_t)i;
		if (k->threefry)
			threefry(key, at, w);
		else
			philox(key, at, high + (at < low), w);
		for (int p = 0; p < per_block; p++)
			if (k->word_bytes == 8)
				put_word(to, i * per_block + p, 2 * out->n, w[p], 4);
			else
				put_word(to, k->threefry ? threefry_at(k, i, p) : i * 4 + p, out->n,
				         w[p], out->bytes);
	}
	memcpy(next, state, (size_t)k->words * 8);
	next[1] = low + (uint64_t)k->blocks;
	if (k->words > 2)
		next[2] = high + (next[1] < low);
}

static void find_split(rng_plan *k, const tensor *out)
{
	int split = 0;
	k->split = k->inner = 1;
	for (int i = 1; i < out->rank; i++)
		if (out->dims[i] > out->dims[split])
			split = i;
	for (int i = out->rank - 1; i >= 0; i--)
		if (out->dims[i] % 2 == 0)
			split = i;
	if (out->rank) {
		k->split = out->dims[split];
		k->inner = out->strides[split];
	}
}

bool prepare_rng_bit_generator(exec_plan *p, step *s)
{
	const tensor *in = step_in(s, 0), *out = step_out(s, 1);
	const char *kind = enum_word(op_attr(s->op, N_rng_algorithm));
	rng_plan *k = NEW(plan_mem(p), rng_plan);
	k->threefry = !strcmp(kind, "THREE_FRY");
	k->words = in->n * in->bytes / 8;
	if (k->words < 2 || k->words > 3 || (k->threefry && k->words != 2))
		return step_invalid(p, s, "the state has a size that the algorithm does not take");
	if (out->bytes > 8)
		return step_unsupported(p, s, "elements of this type are");
	k->word_bytes = out->bytes == 8 ? 8 : 4;
	int64_t words = out->n * (k->word_bytes / 4);
	k->blocks = ceil_div(words, k->threefry ? 2 : 4);
	find_split(k, out);
	if (k->threefry && k->word_bytes == 4 && out->n)
		k->blocks = out->n / k->split * ceil_div(k->split, 2);
	s->params = k;
	s->run = run_rng;
	s->cost = (double)k->blocks * 20;
	return true;
}
