/* spread.h - how a value is spread over the devices, in numbers only.
 *
 * A sharding refers to the axes of one mesh. The partitioner meets values on several meshes,
 * sub-axes, and axes that merging has made one, so it drops the names. A mesh numbers its devices
 * by position 0 … N-1 in row-major order, and every axis or sub-axis is a *digit* of that number:
 *
 *     coordinate of position p along a digit = p / stride % size
 *
 * In <["x"=2, "y"=4]>, written (stride, size), axis "y" is (1, 4), "x" is (4, 2), "y":(1)2 is
 * (2, 2), and {"x", "y"} is (1, 8). Adjacent digits merge, so that equal placements on different
 * meshes are the same spread. Meshes with other device ids differ in their *order*, which says
 * which device is at a position.
 *
 * A spread lists, for each dimension, the digits that split it, major to minor, and the digits
 * along which the value is partial: still to be combined over the devices. A dimension is split
 * into blocks of ceil(size / shards); elements beyond the size are padding of undefined content.
 * Devices that differ only along other digits have the same block. */
#ifndef TESS_PARTITION_SPREAD_H
#define TESS_PARTITION_SPREAD_H

#include "op/op.h"

typedef struct digits {
	int n;
	const digit *at; /* major to minor */
} digits;

/* The device at each position, and the reverse. A NULL order is iota. */
typedef struct device_order {
	int64_t n;
	const int64_t *devices, *positions;
} device_order;

/* Interned: equality is ==. */
typedef struct spread {
	const device_order *order;
	int rank;
	const digits *dims;
	digits partial; /* by decreasing stride */
	monoid combine; /* of partial; MONOID_SUM if nothing is partial */
	int64_t parts;  /* the product of the shards of all dimensions */
	uint32_t id;    /* from 1, in the order in which spreads are made */
	uint64_t hash;
} spread;

enum { WHOLE_RANKS = 8 };

/* The latest answers of spread_local_type(). */
enum { LOCAL_TYPES = 64 };
typedef struct known_local_type {
	const spread *as;
	const type *global, *local;
} known_local_type;

/* All spreads and orders of one partitioning. */
typedef struct spreads {
	tess_ctx *ctx;
	arena *mem;
	cons_tab tab;
	int64_t n_devices;
	VEC(const device_order *) orders;
	known_local_type local_types[LOCAL_TYPES];
	const spread *whole[WHOLE_RANKS]; /* by rank; NULL: not made yet */
	const struct move_prices *prices; /* of partition_options */
	double step_bytes; /* cost of starting a collective, in bytes sent meanwhile (census.c) */
} spreads;

typedef VEC(digit) digit_vec;

static inline int64_t digits_size(digits l)
{
	int64_t n = 1;
	for (int i = 0; i < l.n; i++)
		n *= l.at[i].size;
	return n;
}
static inline bool digit_eq(digit a, digit b) { return a.stride == b.stride && a.size == b.size; }
static inline bool digits_eq(digits a, digits b)
{
	int i = 0;
	while (i < a.n && i < b.n && digit_eq(a.at[i], b.at[i]))
		i++;
	return i == a.n && i == b.n;
}
bool digits_have(digits l, digit x); /* True if `x` is one of `l` */
static inline uint64_t digits_hash(uint64_t h, digits l)
{
	h = hash_mix(h, (uint64_t)l.n + 1);
	for (int i = 0; i < l.n; i++)
		h = hash_mix(hash_mix(h, (uint64_t)l.at[i].stride), (uint64_t)l.at[i].size);
	return h;
}
/* True if changing the coordinate along one digit never changes that along the other. */
bool digit_disjoint(digit a, digit b);
bool digits_apart(digits a, digits b);
static inline bool digits_disjoint(digits a, digits b)
{
	return !a.n || !b.n || digits_apart(a, b);
}
static inline digits digits_of(const digit_vec *v) { return (digits){v->len, v->ptr}; }
digits digits_join(arena *mem, digits a, digits b);
/* The same, without a copy if one of them is empty. */
static inline digits digits_append(arena *mem, digits a, digits b)
{
	return !a.n ? b : !b.n ? a : digits_join(mem, a, b);
}
/* Sets *rest to the digits of `l` after `prefix`. Returns false if `l` does not start with it. */
bool digits_rest(arena *mem, digits prefix, digits l, digits *rest);
/* The coordinate of a position along a list of digits, and the smallest position with a given
 * coordinate. */
int64_t digits_coordinate(digits l, int64_t position);
int64_t digits_position(digits l, int64_t coordinate);

void spreads_init(spreads *ls, tess_ctx *ctx, arena *mem, int64_t n_devices);
/* Returns the interned spread equal to `l`, without digits of 1, adjacent digits merged. */
const spread *spread_of(spreads *ls, const spread *l);
const spread *spread_whole(spreads *ls, int rank);
/* Returns axes of a mesh as digits. */
digits spread_digits(spreads *ls, const mesh *m, axis_list l);
/* Without a sharding, and on a maximal or empty mesh, a value is whole on every device. */
const spread *spread_of_sharding(spreads *ls, const sharding *s, const mesh *m, int rank);
const spread *spread_with_dim(spreads *ls, const spread *l, int d, digits to);
const spread *spread_with_partial(spreads *ls, const spread *l, digits partial, monoid combine);
/* True if any dimension is split. */
static inline bool spread_splits(const spread *l) { return l->parts > 1; }
static inline bool spread_is_whole(const spread *l) { return !spread_splits(l) && !l->partial.n; }
/* The digits that split any dimension. */
digits spread_used(arena *mem, const spread *l);
static inline int64_t spread_shards(const spread *l, int d) { return digits_size(l->dims[d]); }
/* Most dimensions are not split, and division is slow. */
static inline int64_t block_size(int64_t size, int64_t shards)
{
	return shards == 1 ? size : ceil_div(size, shards);
}
static inline int64_t spread_local_dim(const spread *l, int d, int64_t size)
{
	return block_size(size, spread_shards(l, d));
}
/* True if the last block of dimension d has padding. */
static inline bool spread_pads(const spread *l, int d, int64_t size)
{
	return size % spread_shards(l, d) != 0;
}
const type *spread_local_type(spreads *ls, const spread *l, const type *global);
int64_t spread_local_bytes(const spread *l, const type *global);

int64_t order_device(const device_order *o, int64_t position);
int64_t order_position(const device_order *o, int64_t device);
/* True if every device has the same block of each dimension under both. */
bool spread_same_blocks(const spreads *ls, const spread *a, const spread *b);

/* ---- cuts: a common refinement of two spreads ----------------------------------------------- */

enum { MAX_CUTS = 64 };

/* The strides and ends of all digits that occur, ascending. `chain`: each divides the next, so that
 * every digit is a run of atoms, the digits between neighboring cuts. */
typedef struct cuts {
	int n;
	int64_t at[MAX_CUTS];
	bool chain;
} cuts;
void cuts_of(cuts *c, const spreads *ls, const spread *a, const spread *b);
/* Builds cuts from spreads or single ends, one at a time; cuts_chain() sets and returns `chain`. */
void cuts_begin(cuts *c, const spreads *ls);
void cuts_take(cuts *c, const spread *s);
void cuts_take_end(cuts *c, int64_t end);
bool cuts_chain(cuts *c);
/* Appends the atoms of `l`, major to minor, without merging. */
void cuts_refine(arena *mem, const cuts *c, digits l, digit_vec *out);

#endif
