/* random.c - numbers to try a program with. */
#include "run/random.h"
#include "run/session.h"

void tensor_random(dtype t, void *data, int64_t n, uint64_t seed)
{
	dtype part = dtype_part_of(t);
	int parts = part == t ? 1 : 2, width = dtype_bytes(part);
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
