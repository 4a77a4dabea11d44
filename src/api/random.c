/* random.c - numbers to try a program with. */
#include "shape/shape.h"

#include <tessera/run.h>

/* splitmix64, Steele, Lea and Flood 2014. */
static uint64_t splitmix_next(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

void tess_tensor_random(tess_dtype t, void *data, int64_t n, uint64_t seed)
{
	dtype part = dtype_part_of((dtype)t);
	int parts = part == (dtype)t ? 1 : 2, width = dtype_bytes(part);
	uint64_t state = seed * 0x632BE59BD9B4E019u + 1;
	for (int64_t i = 0; i < n * parts; i++) {
		uint64_t bits = splitmix_next(&state) >> 11;
		if (dtype_is_float(part))
			bits = float_bits((double)bits * 0x1p-52 - 1, part);
		else
			bits &= part == DT_I1 ? 1 : 3;
		memcpy((char *)data + i * width, &bits, (size_t)width); /* little-endian */
	}
}

/* The last bit of the mantissa is the lowest of the lowest byte in every type of two bytes or
 * more.  Where the bits above it in that byte are zero, the value may be infinite. */
void tess_tensor_nudge(tess_dtype t, void *data, int64_t n, uint64_t seed)
{
	dtype part = dtype_part_of((dtype)t);
	int parts = part == (dtype)t ? 1 : 2, width = dtype_bytes(part);
	uint64_t state = seed * 0x632BE59BD9B4E019u + 1;
	if (!dtype_is_float(part) || width < 2)
		return;
	for (int64_t i = 0; i < n * parts; i++) {
		unsigned char *low = (unsigned char *)data + i * width; /* little-endian */
		if (*low & 0x7e && splitmix_next(&state) >> 63)
			*low ^= 1;
	}
}
