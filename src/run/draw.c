/* draw.c - random numbers to run a program on.
 *
 * An optimizer's second moments are never negative, and the program takes their square roots:
 * arbitrary numbers would give NaN. So inputs whose root or logarithm is taken, possibly after
 * operations that keep the sign, are drawn positive. */
#include "run/session.h"

uint64_t splitmix_next(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

void tensor_random(dtype t, void *data, int64_t n, bool positive, uint64_t seed)
{
	dtype part = dtype_part_of(t);
	int parts = part == t ? 1 : 2, width = dtype_bytes(part);
	uint64_t state = seed * 0x632BE59BD9B4E019u + 1;
	for (int64_t i = 0; i < n * parts; i++) {
		uint64_t bits = splitmix_next(&state) >> 11;
		if (dtype_is_float(part))
			bits = float_bits(positive ? (double)bits * 0x1p-53 + 0x1p-10 : (double)bits * 0x1p-52 - 1, part);
		else
			bits &= part == DT_I1 ? 1 : 3;
		memcpy((char *)data + i * width, &bits, (size_t)width); /* little-endian */
	}
}

void tensor_draw_like(void *data, int64_t n, int width, const void *like, int64_t count, uint64_t seed)
{
	uint64_t state = seed * 0x632BE59BD9B4E019u + 1;
	for (int64_t i = 0; i < n; i++) {
		int64_t from = (int64_t)(splitmix_next(&state) % (uint64_t)count);
		memcpy((char *)data + i * width, (const char *)like + from * width, (size_t)width);
	}
}

/* ---- which inputs must be positive ---------------------------------------------------------- */

/* What an operation requires of, or does to, the sign of its operand. */
typedef enum sign_use {
	SIGN_OTHER,
	SIGN_WANTED, /* the result is defined for positive numbers only */
	SIGN_KEPT,
	SIGN_SCALED, /* kept if the other operand is uniform */
} sign_use;

static const uint8_t sign_uses[OP_COUNT] = {
	[OP_SQRT] = SIGN_WANTED, [OP_RSQRT] = SIGN_WANTED, [OP_LOG] = SIGN_WANTED,
	[OP_CONVERT] = SIGN_KEPT, [OP_RESHAPE] = SIGN_KEPT, [OP_TRANSPOSE] = SIGN_KEPT,
	[OP_BROADCAST_IN_DIM] = SIGN_KEPT, [OP_SLICE] = SIGN_KEPT, [OP_ADD] = SIGN_KEPT,
	[OP_SDY_SHARDING_CONSTRAINT] = SIGN_KEPT, [OP_SDY_RESHARD] = SIGN_KEPT,
	[OP_MULTIPLY] = SIGN_SCALED, [OP_DIVIDE] = SIGN_SCALED,
};

/* True if all elements are the same number. */
static bool is_uniform(const value *v)
{
	const op *o = value_def(v);
	for (; o && v->type->rank && sign_uses[o->kind] == SIGN_KEPT && o->n_operands == 1;
	     o = value_def(v))
		v = operand(o, 0);
	const attr *a = o && op_has(o, CONSTANT) ? op_attr(o, N_value) : NULL;
	return !v->type->rank || (a && a->splat);
}

static bool keeps_sign(const op *o, int index)
{
	sign_use use = sign_uses[o->kind];
	return use == SIGN_KEPT ||
	       (use == SIGN_SCALED && o->n_operands == 2 && is_uniform(operand(o, 1 - index)));
}

/* Follows the uses of the input through operations that keep the sign, visiting each value once. */
bool input_is_positive(const module *m, const value *input)
{
	arena *mem = &m->ctx->scratch;
	arena_mark mark = arena_here(mem);
	ptr_map seen = {0};
	VEC(const value *) reached = {0};
	bool wanted = false;
	vec_push(mem, &reached, input);
	for (int i = 0; i < reached.len && !wanted; i++)
		for (const use *u = reached.ptr[i]->uses; u && !wanted; u = u->next) {
			const op *o = u->owner;
			wanted = sign_uses[o->kind] == SIGN_WANTED;
			if (!keeps_sign(o, use_index(u)))
				continue;
			void **there = ptr_map_at(&seen, mem, result(o, 0));
			if (!*there)
				vec_push(mem, &reached, result(o, 0));
			*there = u->owner;
		}
	arena_back(mem, mark);
	return wanted;
}
