/* layout.h - layouts of tensors on a mesh, and what it costs to change them.
 *
 * A layout says for each axis which dimension it shards. If several axes shard one dimension, they
 * do so in the order of the mesh. The prices are those of collectives (cost.h); nothing is
 * partitioned to find them. */
#ifndef TESS_PLAN_LAYOUT_H
#define TESS_PLAN_LAYOUT_H

#include "cost/cost.h"
#include "op/op.h"

enum { PLAN_AXES = 4 }; /* the most axes that the mesh of a plan may have */

enum layout_place {
	LAYOUT_WHOLE = -1,
	LAYOUT_SUM = -2,  /* each device has a term, and their sum is the value */
	LAYOUT_TERM = -3, /* the same for the largest term, the product, … */
};

typedef struct plan_layout {
	int8_t on[PLAN_AXES]; /* a dimension or a layout_place, by axis; WHOLE after the last
			       * axis */
} plan_layout;

/* True if layouts can shard it: its shape is known, and its dimensions can be numbered. */
static inline bool type_has_layouts(const type *t)
{
	return type_is_tensor(t) && t->is_static && t->rank <= TESS_MAX_RANK;
}
static inline bool layout_eq(plan_layout a, plan_layout b) { return !memcmp(a.on, b.on, sizeof a.on); }
static inline plan_layout layout_whole(void) { return (plan_layout){{-1, -1, -1, -1}}; }
static inline bool layout_is_partial(plan_layout l)
{
	return l.on[0] < -1 || l.on[1] < -1 || l.on[2] < -1 || l.on[3] < -1;
}

/* A mesh on a machine, and the prices that are known so far. */
typedef struct pricer {
	const target *t;
	arena *mem;
	int n_axes;
	int64_t size[PLAN_AXES];
	group_place groups[1 << PLAN_AXES]; /* along each set of axes */
	double devices[1 << PLAN_AXES];     /* the product of their sizes */
	ptr_map types;
	const type *last; /* the last one asked about, and its prices: tables are of one type */
	struct type_prices *last_prices;
} pricer;
void pricer_init(pricer *p, const target *t, const mesh *m, arena *mem);

/* Returns the bytes on one device, with blocks padded to equal sizes. */
double layout_bytes(const pricer *p, const type *t, plan_layout l);
/* Returns the size with padding relative to that without: 1 if everything is even, 2 if half of
 * what is computed is padding. */
double layout_padding(const pricer *p, const type *t, plan_layout l);
/* Returns the seconds that it takes to change a tensor's layout: first slices, which are free, then
 * reduce-scatters, all-to-alls, all-reduces, and all-gathers. PAIR_NEVER: a whole value has no
 * terms. */
double layout_price(pricer *p, const type *t, plan_layout from, plan_layout to);
/* Returns the seconds that it takes for each device to send this many bytes to its neighbor along
 * an axis. */
double layout_shift(const pricer *p, double bytes, int axis);

/* Returns the layout as a sharding, with the axes of the mesh by name. For a partial value, the
 * terms are left out. */
const sharding *layout_sharding(tess_ctx *ctx, const mesh *m, mesh_ref ref, int rank, plan_layout l);

#endif
