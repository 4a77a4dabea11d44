/* rng.c - random bits: each device computes its block, by an offset of the counter.
 *
 * The generators of rng_bit_generator compute a function of a key and a counter that goes up by one
 * for each block of words. Which element gets which word is XLA's layout (exec/kernel/rng.c
 * describes it). Along the first dimension the words of a device are consecutive, so its counter
 * starts where those of the devices before it end, and the numbers do not depend on the sharding.
 * If another dimension is split, the op is computed whole. */
#include "partition/local.h"

typedef struct rng_layout {
	bool threefry;
	int64_t words; /* of the state */
	int64_t m;     /* rows of a device */
	int64_t blocks_before; /* blocks that one device takes: its counter's offset is that many
	                        * times its coordinate */
	int64_t blocks;        /* blocks that all devices take */
} rng_layout;

/* Returns false if a device's words do not start with a block. */
static bool rng_blocks(const op *o, const spread *as, rng_layout *k)
{
	const type *state = operand(o, 0)->type, *out = result(o, 1)->type;
	int64_t row = out->dims[0] ? out->n_elems / out->dims[0] : 0;
	int element = dtype_bytes(out->dtype) == 8 ? 2 : 1; /* words of 32 bits */
	k->threefry = !strcmp(enum_word(op_attr(o, N_rng_algorithm)), "THREE_FRY");
	k->words = state->n_elems;
	k->m = spread_local_dim(as, 0, out->dims[0]);
	if (!row || dtype_bytes(state->dtype) != 8 || k->words < 2 || k->words > 3 ||
	    dtype_bytes(out->dtype) > 8)
		return false;
	int per_block = k->threefry ? 2 : 4;
	/* ThreeFry pairs elements of an even first dimension. */
	if (k->threefry && element == 1 && (out->dims[0] % 2 || k->m % 2))
		return false;
	k->blocks_before = k->m * row * element / per_block;
	k->blocks = ceil_div(out->n_elems * element, per_block);
	return k->m * row * element % per_block == 0;
}

static value *unsigned_constant(emitter *e, uint64_t v)
{
	const int64_t one = 1;
	const type *t = type_tensor(e->ctx, DT_UI64, &one, 1);
	return build_constant(&e->b, attr_dense(e->ctx, t, &v, sizeof v, true));
}

/* The state with its counter advanced. A Philox counter has 128 bits, whose high half is the key if
 * the state has no other. `wide`: with three words, so that there is room for the carry. */
static value *moved_state(emitter *e, value *state, const rng_layout *k, value *by, bool wide)
{
	value *key = build_slice(&e->b, state, 0, 0, 1, 1),
	      *low = build_slice(&e->b, state, 0, 1, 2, 1);
	value *sum = build_binary(&e->b, OP_ADD, low, by);
	value *parts[3] = {key, sum, NULL};
	if (k->threefry || (k->words == 2 && !wide))
		return build_concatenate(&e->b, parts, 2, 0);
	value *high = k->words == 3 ? build_slice(&e->b, state, 0, 2, 3, 1) : key;
	value *carry = build_convert(&e->b, build_compare(&e->b, COMPARE_LT, sum, low), DT_UI64);
	parts[2] = build_binary(&e->b, OP_ADD, high, carry);
	return build_concatenate(&e->b, parts, 3, 0);
}

/* The wanted spread of the bits, reduced to their first dimension; NULL: that is not split. */
static const spread *first_dim_spread(emitter *e, const value *bits)
{
	const spread *wanted = fact_wanted(e, bits);
	if (!wanted || !wanted->rank || !wanted->dims[0].n || wanted->partial.n)
		return NULL;
	digits *dims = NEW_N(e->mem, digits, wanted->rank);
	dims[0] = wanted->dims[0];
	spread s = {.order = wanted->order, .rank = wanted->rank, .dims = dims};
	return spread_of(&e->sp, &s);
}

void local_rng_bits(emitter *e, op *o)
{
	rng_layout k;
	const spread *as = first_dim_spread(e, result(o, 1));
	if (!as || !rng_blocks(o, as, &k)) {
		local_replicated(e, o);
		return;
	}
	const int64_t one = 1;
	value *state = fact_get_whole(e, operand(o, 0));
	value *at = build_convert(&e->b, device_coordinate(e, as->order, as->dims[0]), DT_UI64);
	at = build_reshape(&e->b, at, &one, 1);
	at = build_binary(&e->b, OP_MULTIPLY, at, unsigned_constant(e, (uint64_t)k.blocks_before));
	value *own = moved_state(e, state, &k, at, true);
	const type *types[2] = {own->type, spread_local_type(&e->sp, as, result(o, 1)->type)};
	op *local = emit_copy(e, o, &own, types);
	value *next = moved_state(e, state, &k, unsigned_constant(e, (uint64_t)k.blocks), false);
	local_result(e, o, 0, spread_whole(&e->sp, 1), next);
	local_result(e, o, 1, as, result(local, 1));
}
