/* half.h - bf16 and f16 in memory, f32 in registers (the part of body.h that narrow floats use
 * most). Integer arithmetic without branches, which compilers vectorize. */

static inline uint16_t bf16_encode(float x)
{
	uint32_t b = math_bits32(x);
	uint32_t r = (b + 0x7fff + (b >> 16 & 1)) >> 16;
	return (uint16_t)(x != x ? (b >> 16 | 0x40) : r);
}

FN1(load_bf16, uint16_t, float, math_float((uint32_t)x << 16))
FN1(store_bf16, float, uint16_t, bf16_encode(x))
FN1(fix_bf16, float, float, math_float((uint32_t)bf16_encode(x) << 16))

static inline float f16_decode(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h & 0x7c00, m = h & 0x3ff;
	float normal = math_float(sign | (((uint32_t)(h & 0x7fff) << 13) + 0x38000000));
	float small = math_float(math_bits32((float)m * 0x1p-24f) | sign);
	float special = math_float(sign | 0x7f800000 | m << 13);
	return e == 0 ? small : e == 0x7c00 ? special : normal;
}

static inline uint16_t f16_encode(float x)
{
	uint32_t b = math_bits32(x), sign = b >> 16 & 0x8000, a = b & 0x7fffffff;
	uint32_t normal = (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13;
	/* the unit in the last place of 0.5 is 2^-24: adding rounds to multiples of it */
	uint32_t small = math_bits32(math_float(a < 0x38800000 ? a : 0) + 0.5f) - 0x3f000000;
	uint32_t special = a > 0x7f800000 ? 0x7e00 | (a >> 13 & 0x3ff) : 0x7c00;
	return (uint16_t)(sign | (a < 0x38800000 ? small : a >= 0x477ff000 ? special : normal));
}

FN1(load_f16, uint16_t, float, f16_decode(x))
FN1(store_f16, float, uint16_t, f16_encode(x))
FN1(fix_f16, float, float, f16_decode(f16_encode(x)))
