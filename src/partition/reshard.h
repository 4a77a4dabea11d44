/* reshard.h - finds the cheapest way from one spread to another. */
#ifndef TESS_PARTITION_RESHARD_H
#define TESS_PARTITION_RESHARD_H

#include "partition/spread.h"

typedef enum move_kind {
	MOVE_SLICE,    /* each device keeps its part of dimension `to` */
	MOVE_GATHER,   /* all-gather of dimension `from` */
	MOVE_EXCHANGE, /* all-to-all: digits move from dimension `from` to `to` */
	MOVE_PERMUTE,  /* every device takes over the whole block of another one */
	MOVE_REDUCE,   /* all-reduce along partial digits */
	MOVE_SCATTER,  /* reduce-scatter: partial digits come to split `to` */
	MOVE_LEAD,     /* a whole value becomes partial: only the first device's counts */
	MOVE_PLACE,    /* digits move from `from` to partial: zeros around each block */
} move_kind;

/* A dimension split into blocks, of which each device gets a window instead of its block: the
 * device with coordinate i gets elements [i * step + start, i * step + start + size). Elements
 * outside of the tensor, and those that are not needed, are undefined. (partition/local/halo.c) */
typedef struct halo {
	int dim;
	int64_t global; /* size of the dimension */
	int64_t step, start, size;
	int64_t low, high; /* only elements [low, high) are needed; high is 0: all of the tensor's */
	bool wraps; /* all are, and after the last element comes the first; blocks are full */
} halo;
/* What the window costs in bytes. `as` splits the dimension; `block_bytes` is what a device has. */
double halo_cost(const spreads *ls, const spread *as, double block_bytes, const halo *h);

typedef struct move {
	move_kind kind;
	int from, to;
	digits along;
	const spread *before, *after;
	/* For a slice or gather: the blocks of the coarser split are not unions of blocks of the
	 * finer one (splits_fit), so that a window has to bring the elements in between. */
	bool uneven;
	/* What one collective does at once: gathers, exchanges or reduce-scatters of different
	 * dimensions, in order. `along` has the digits of all of them. Otherwise there are no
	 * parts. */
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
	double cost; /* bytes that a device receives, plus step_bytes for each step */
} reshard_plan;

/* The cost of a move by which a device that has a block of `block_bytes` receives `received` bytes.
 * `joined`: the move is one collective with the move before it. The cost is at least `received`
 * plus step_bytes, or plus 1 if nothing is sent or the move is joined. (reshard_moves.c) */
double move_cost(const spreads *ls, const move *m, double block_bytes, double received, bool joined);

typedef struct reshard_memo {
	spreads *ls;
	cons_tab tab;
} reshard_memo;

/* Returns the cheapest plan, which is remembered in `memo` and lives as long as its arena. */
const reshard_plan *reshard_plan_for(reshard_memo *memo, const spread *from, const spread *to,
                                     const type *global);
/* Returns the plan if it can be constructed without a search, else false. Moves are not joined yet.
 * (reshard_direct.c) */
bool reshard_directly(spreads *ls, const spread *from, const spread *to, const type *t,
                      reshard_plan *out);
/* Finds a shortest path, or returns false. Moves are not joined yet. (reshard_search.c) */
bool reshard_search(spreads *ls, const spread *from, const spread *to, const type *t,
                    reshard_plan *out);
/* True if two successive moves can be one collective. */
bool moves_join(const move *a, const move *b);
/* Lower bounds for any plan: the bytes that a device receives, and the cost. */
double reshard_missing(const spread *from, const spread *to, const type *t);
double reshard_least(const spreads *ls, const spread *from, const spread *to, const type *t);
/* The same if the value shall have, or has, these block dimensions and is complete. */
double reshard_missing_to(const spread *from, const int64_t *block, const type *t);
double reshard_missing_from(const int64_t *block, const spread *to, const type *t);
/* Sets, for a MOVE_PERMUTE, whose block each device takes over. (reshard_permute.c) */
void permute_sources(spreads *ls, const move *m, int64_t *source);

/* True if blocks of a split by `few` are unions of blocks of a split by `many`. */
static inline bool splits_fit(int64_t size, int64_t few, int64_t many)
{
	return few == 1 || ceil_div(size, many) * (many / few) == ceil_div(size, few);
}

/* The window of an uneven move of dimension d of size n. After a gather it shifts the blocks that
 * were put together; before a slice it makes blocks that can be cut evenly. */
static inline halo uneven_window(int d, int64_t n, int64_t few, int64_t many, bool gathered)
{
	int64_t block = ceil_div(n, few), cuttable = ceil_div(n, many) * (many / few);
	return gathered ? (halo){.dim = d, .global = cuttable * few, .step = block, .size = block}
	                : (halo){.dim = d, .global = n, .step = cuttable, .size = cuttable};
}

#endif
