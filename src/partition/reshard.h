/* reshard.h - the cheapest way from one spread to another. */
#ifndef TESS_PARTITION_RESHARD_H
#define TESS_PARTITION_RESHARD_H

#include "partition/spread.h"

typedef enum move_kind {
	MOVE_SLICE,    /* each device keeps its part of dimension `to` */
	MOVE_GATHER,   /* all-gather of dimension `from` */
	MOVE_EXCHANGE, /* all-to-all: digits leave `from` and come to `to` */
	MOVE_PERMUTE,  /* every device gets another one's block, whole */
	MOVE_REDUCE,   /* all-reduce along partial digits */
	MOVE_SCATTER,  /* reduce-scatter: partial digits come to `to` */
	MOVE_LEAD,     /* a whole value becomes partial: it counts on the first device only */
	MOVE_PLACE,    /* digits leave `from` and become partial: zeros around each block */
} move_kind;

/* One dimension that is cut into blocks seen through a window that moves with the
 * device: the device with coordinate i gets elements
 * [i * step + start, i * step + start + size).
 * What lies outside of the tensor is undefined.  (partition/local/halo.c) */
typedef struct halo {
	int dim;
	int64_t global; /* size of the dimension */
	int64_t step, start, size;
} halo;
/* `as` splits the dimension; `block_bytes` is what a device holds. */
double halo_cost(const spreads *ls, const spread *as, double block_bytes, const halo *h);

typedef struct move {
	move_kind kind;
	int from, to;
	digits along;
	const spread *before, *after;
	/* Of a slice or gather: the fewer blocks are not unions of the more (splits_fit), so what
	 * lies between is brought by a window. */
	bool uneven;
	/* What one collective does at once: gathers, exchanges or reduce-scatters of different
	 * dimensions, in their order; `along` is all of theirs.  Otherwise none. */
	int n_parts;
	const struct move *parts;
} move;

static inline bool move_sends(move_kind kind)
{
	return kind != MOVE_SLICE && kind != MOVE_LEAD && kind != MOVE_PLACE;
}

typedef struct reshard_plan {
	int n;
	const move *moves;
	double cost; /* bytes that a device receives, and step_bytes for each step */
} reshard_plan;

/* What a move costs that lets a device, which holds a block, receive so many bytes; `joined`: it is
 * one collective with the move before it.  Never less than these bytes, and step_bytes if it sends any
 * and is not joined, else 1. (reshard_moves.c) */
double move_cost(const spreads *ls, const move *m, double block_bytes, double received, bool joined);

typedef struct reshard_memo {
	spreads *ls;
	cons_tab tab;
} reshard_memo;

/* Remembered in `memo`; lives as long as its arena. */
const reshard_plan *reshard_plan_for(reshard_memo *memo, const spread *from, const spread *to,
                                     const type *global);
/* The plan where the cheapest way is plain; false: it has to be searched for.
 * (reshard_direct.c)  Moves are not joined yet. */
bool reshard_directly(spreads *ls, const spread *from, const spread *to, const type *t,
                      reshard_plan *out);
/* A shortest path; false: none was found.  (reshard_search.c)  Moves are not joined yet. */
bool reshard_search(spreads *ls, const spread *from, const spread *to, const type *t,
                    reshard_plan *out);
/* True if two moves, one behind the other, can be one collective. */
bool moves_join(const move *a, const move *b);
/* The bytes that a device must receive at least to have `want` elements of which it has `both`, when what
 * it has is to be combined along `partial` devices. */
double bytes_missing(double want, double both, int64_t partial, const type *t);
/* Bytes that a device receives at least, whatever the way; what any plan costs at least. */
double reshard_missing(const spread *from, const spread *to, const type *t);
double reshard_least(const spreads *ls, const spread *from, const spread *to, const type *t);
/* The same for a block of these dimensions, that is or shall be complete. */
double reshard_missing_to(const spread *from, const int64_t *block, const type *t);
double reshard_missing_from(const int64_t *block, const spread *to, const type *t);
/* For a MOVE_PERMUTE: the device whose block each device takes over. (reshard_permute.c) */
void permute_sources(spreads *ls, const move *m, int64_t *source);

/* Blocks of a split by `few` are unions of blocks of a split by `many`. */
static inline bool splits_fit(int64_t size, int64_t few, int64_t many)
{
	return few == 1 || ceil_div(size, many) * (many / few) == ceil_div(size, few);
}

/* The window of an uneven move of dimension d of size n: behind a gather it shifts blocks that
 * were put together, before a slice it makes those that can be cut. */
static inline halo uneven_window(int d, int64_t n, int64_t few, int64_t many, bool gathered)
{
	int64_t block = ceil_div(n, few), cuttable = ceil_div(n, many) * (many / few);
	return gathered ? (halo){.dim = d, .global = cuttable * few, .step = block, .size = block}
	                : (halo){.dim = d, .global = n, .step = cuttable, .size = cuttable};
}

#endif
