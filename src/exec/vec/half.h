/* half.h - bf16, f16 and floats of at most 8 bits in memory, f32 in registers (the part of body.h that narrow
 * floats use most). Integer arithmetic without branches, which compilers vectorize. */

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

/* ---- at most 8 bits ------------------------------------------------------------------------------ */

/* E exponent and M mantissa bits; the functions are inlined with constants. A format of powers of two has its own. */
static inline float narrow_decode(uint8_t b, int e_bits, int m_bits, int bias, float_special special)
{
	const uint32_t low = (1u << (e_bits + m_bits)) - 1, top = (1u << e_bits) - 1, a = b & low;
	const uint32_t sign = (uint32_t)(b >> (e_bits + m_bits) & 1) << 31, e = a >> m_bits, m = a & ((1u << m_bits) - 1);
	const float unit = math_float((uint32_t)(128 - bias - m_bits) << 23);
	const float normal = math_float(sign | ((a << (23 - m_bits)) + ((uint32_t)(127 - bias) << 23)));
	const float small = math_float(math_bits32((float)(int32_t)a * unit) | sign);
	float r = math_if(e == 0, small, normal);
	if (special == FLOAT_IEEE)
		r = math_if(e == top, math_float(sign | (m ? 0x7fc00000 : 0x7f800000)), r);
	if (special == FLOAT_ONE_NAN)
		r = math_if(a == low, math_float(sign | 0x7fc00000), r);
	if (special == FLOAT_UNSIGNED_ZERO)
		r = math_if(b == low + 1, NAN, r);
	return r;
}

/* Rounds to nearest, ties to even. Types without a NaN use -0 for it, as the reference interpreter does. */
static inline uint8_t narrow_encode(float x, int e_bits, int m_bits, int bias, float_special special)
{
	const uint32_t low = (1u << (e_bits + m_bits)) - 1, infinity = 0x7f800000;
	const uint32_t b = math_bits32(x), a = b & 0x7fffffff, sign = (b >> 31) << (e_bits + m_bits);
	const uint32_t least = (uint32_t)(128 - bias) << 23; /* the first normal number */
	const uint32_t most = special == FLOAT_IEEE      ? low - (1u << m_bits)
	                      : special == FLOAT_ONE_NAN ? low - 1
	                                                 : low;
	const uint32_t over = special == FLOAT_UNSIGNED_ZERO ? low + 1 : sign | (special == FLOAT_FINITE ? most : most + 1);
	const uint32_t none = special == FLOAT_IEEE      ? sign | (most + 1) | 1u << (m_bits - 1)
	                      : special == FLOAT_ONE_NAN ? sign | low
	                                                 : low + 1;
	const int cut = 23 - m_bits;
	const uint32_t normal = (a - ((uint32_t)(127 - bias) << 23) + ((1u << (cut - 1)) - 1) + (a >> cut & 1)) >> cut;
	/* adding a number whose unit in the last place is the type's least number rounds to multiples of that */
	const uint32_t magic = (uint32_t)(128 - bias - m_bits + 23) << 23;
	const uint32_t small = math_bits32(math_float(a < least ? a : 0) + math_float(magic)) - magic;
	const uint32_t r = a < least ? small : normal;
	uint32_t out = r > most ? over : r == 0 && special == FLOAT_UNSIGNED_ZERO ? 0 : sign | r;
	out = a > infinity || (a == infinity && special == FLOAT_FINITE) ? none : out;
	return (uint8_t)out;
}

static inline float powers_decode(uint8_t b)
{
	return math_float(b == 255 ? 0x7fc00000 : b == 0 ? 0x00400000 : (uint32_t)b << 23);
}

/* The nearest power of two; of two equally near the larger one, as in LLVM's APFloat. */
static inline uint8_t powers_encode(float x)
{
	const uint32_t b = math_bits32(x), nearest = (b + 0x400000) >> 23;
	const uint32_t r = b < 0x800000 ? b >= 0x600000 : nearest > 255 ? 255 : nearest;
	return (uint8_t)(b == 0x80000000 ? 0 : b > 0x7f800000 ? 255 : r);
}

#define NARROW_DECODE(x, bits, e, m, bias, special)                                                \
	(FLOAT_##special == FLOAT_POWERS ? powers_decode(x) : narrow_decode(x, e, m, bias, FLOAT_##special))
#define NARROW_ENCODE(x, bits, e, m, bias, special)                                                \
	(FLOAT_##special == FLOAT_POWERS ? powers_encode(x) : narrow_encode(x, e, m, bias, FLOAT_##special))
#define FLOATING(...)
#define NARROW(id, mlir, hlo, ...)                                                                 \
	FN1(load_##id, uint8_t, float, NARROW_DECODE(x, __VA_ARGS__))                              \
	FN1(store_##id, float, uint8_t, NARROW_ENCODE(x, __VA_ARGS__))                             \
	FN1(fix_##id, float, float, NARROW_DECODE(NARROW_ENCODE(x, __VA_ARGS__), __VA_ARGS__))
#include "shape/dtype.def"
