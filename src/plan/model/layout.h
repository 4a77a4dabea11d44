/* layout.h - where the axes of a mesh lie on a tensor, and what it takes to move them.
 *
 * A layout says of each axis which dimension it shards.  Several axes on one dimension lie there in the
 * order of the mesh.  Prices are those of collectives (cost.h); nothing is partitioned for them. */
#ifndef TESS_PLAN_LAYOUT_H
#define TESS_PLAN_LAYOUT_H

#include "cost/cost.h"
#include "op/op.h"

enum { PLAN_AXES = 4 }; /* that the mesh of a plan may have */

enum layout_place {
	LAYOUT_WHOLE = -1,
	LAYOUT_SUM = -2,  /* each device has a term, and their sum is the value */
	LAYOUT_TERM = -3, /* the same with the largest, the product, … */
};

typedef struct plan_layout {
	int8_t on[PLAN_AXES]; /* a dimension or a layout_place, by axis; WHOLE behind the last one */
} plan_layout;

static inline bool layout_eq(plan_layout a, plan_layout b) { return !memcmp(a.on, b.on, sizeof a.on); }
static inline plan_layout layout_whole(void) { return (plan_layout){{-1, -1, -1, -1}}; }
static inline bool layout_is_partial(plan_layout l)
{
	return l.on[0] < -1 || l.on[1] < -1 || l.on[2] < -1 || l.on[3] < -1;
}

/* A mesh on a machine, and the prices that were asked for. */
typedef struct pricer {
	const target *t;
	arena *mem;
	int n_axes;
	int64_t size[PLAN_AXES];
	group_place groups[1 << PLAN_AXES]; /* along each set of axes */
	double devices[1 << PLAN_AXES];     /* their product */
	ptr_map types;
} pricer;
void pricer_init(pricer *p, const target *t, const mesh *m, arena *mem);

/* Bytes of one device, blocks padded to equal ones. */
double layout_bytes(const pricer *p, const type *t, plan_layout l);
/* The share of padding: 1 where all is even, 2 where half of what is computed is padding. */
double layout_padding(const pricer *p, const type *t, plan_layout l);
/* Seconds to bring a tensor from one layout to another: slices first, which are free, then sums that
 * are scattered, exchanges, sums, and gathers.  PAIR_NEVER: a whole value has no terms. */
double layout_price(pricer *p, const type *t, plan_layout from, plan_layout to);
/* Seconds for each device to send so many bytes to its neighbour along an axis. */
double layout_shift(const pricer *p, double bytes, int axis);

/* As sdy says it; axes of the mesh by name.  Of a partial value the terms are left out. */
const sharding *layout_sharding(tess_ctx *ctx, const mesh *m, mesh_ref ref, int rank, plan_layout l);

#endif
