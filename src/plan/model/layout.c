/* layout.c - what it costs to move tensors from one layout to another. */
#include "plan/model/layout.h"

#include "plan/model/pairs.h"

#include <math.h>

/* The seconds of transfers of one type, by kind, axes of the group, and axes that shard it. */
typedef struct type_prices {
	double seconds[TRANSFER_PERMUTE + 1][1 << PLAN_AXES][1 << PLAN_AXES]; /* negative: not known */
} type_prices;

static unsigned axis_bit(int a) { return 1u << a; }

void pricer_init(pricer *p, const target *t, const mesh *m, arena *mem)
{
	*p = (pricer){.t = t, .mem = mem, .n_axes = m->n_axes};
	ASSERT(m->n_axes <= PLAN_AXES);
	int64_t stride[PLAN_AXES], after = 1;
	for (int a = m->n_axes; a-- > 0;) {
		p->size[a] = m->axes[a].size;
		stride[a] = after;
		after *= p->size[a];
	}
	for (unsigned set = 0; set < 1u << m->n_axes; set++) {
		int64_t sizes[PLAN_AXES], strides[PLAN_AXES];
		int n = 0;
		p->devices[set] = 1;
		for (int a = 0; a < m->n_axes; a++) {
			if (!(set & axis_bit(a)))
				continue;
			sizes[n] = p->size[a];
			strides[n++] = stride[a];
			p->devices[set] *= (double)p->size[a];
		}
		if (n)
			p->groups[set] = group_along(t, sizes, strides, n);
	}
}

static double padded_elements(const pricer *p, const type *t, plan_layout l, double *exact)
{
	double n = 1;
	*exact = 1;
	for (int d = 0; d < t->rank; d++) {
		int64_t shards = 1;
		for (int a = 0; a < p->n_axes; a++)
			if (l.on[a] == d)
				shards *= p->size[a];
		n *= (double)ceil_div(t->dims[d], shards);
		*exact *= (double)t->dims[d] / (double)shards;
	}
	return n;
}

static double elem_bytes(const type *t)
{
	return t->n_elems > 0 ? (double)type_bytes(t) / (double)t->n_elems : 0;
}

double layout_bytes(const pricer *p, const type *t, plan_layout l)
{
	double exact;
	return padded_elements(p, t, l, &exact) * elem_bytes(t);
}

double layout_padding(const pricer *p, const type *t, plan_layout l)
{
	double exact, n = padded_elements(p, t, l, &exact);
	return exact > 0 ? n / exact : 1;
}

double layout_shift(const pricer *p, double bytes, int axis)
{
	group_place g = p->groups[axis_bit(axis)];
	return transfer_of(p->t, TRANSFER_PERMUTE, bytes, &g).seconds;
}

/* ---- prices ---------------------------------------------------------------------------------------- */

static type_prices *prices_of(pricer *p, const type *t)
{
	if (p->last == t)
		return p->last_prices;
	type_prices **at = (type_prices **)ptr_map_at(&p->types, p->mem, t);
	if (!*at) {
		*at = NEW(p->mem, type_prices);
		for (size_t i = 0; i < sizeof(type_prices) / sizeof(double); i++)
			(&(*at)->seconds[0][0][0])[i] = -1;
	}
	p->last = t;
	return p->last_prices = *at;
}

static double transfer_price(pricer *p, const type *t, transfer kind, unsigned group, unsigned sharded)
{
	if (!group)
		return 0;
	double *known = &prices_of(p, t)->seconds[kind][group][sharded];
	if (*known < 0) {
		double bytes = (double)max_i64(type_bytes(t), 0) / p->devices[sharded];
		*known = transfer_of(p->t, kind, bytes, &p->groups[group]).seconds;
	}
	return *known;
}

static unsigned axes_on_dims(const pricer *p, plan_layout l)
{
	unsigned set = 0;
	for (int a = 0; a < p->n_axes; a++)
		if (l.on[a] >= 0)
			set |= axis_bit(a);
	return set;
}

/* Returns the axes after axis `a` that shard the dimension. */
static unsigned minor_axes(const pricer *p, plan_layout l, int a, int dim)
{
	unsigned set = 0;
	for (int b = a + 1; b < p->n_axes; b++)
		if (l.on[b] == dim)
			set |= axis_bit(b);
	return set;
}

/* What happens to the axes between two layouts. */
typedef struct layout_move {
	unsigned scattered, exchanged, summed;
	unsigned shuffled; /* sliced or gathered, but before others that stay: blocks change
			    * places */
	unsigned gathered[8]; /* by dimension */
} layout_move;

/* @return false if it is impossible */
static bool find_moves(const pricer *p, plan_layout from, plan_layout to, unsigned *sharded, layout_move *m)
{
	*m = (layout_move){0};
	for (int a = 0; a < p->n_axes; a++) {
		int x = from.on[a], y = to.on[a];
		if (x == y)
			continue;
		if (y < LAYOUT_WHOLE)
			return false;
		if (x == LAYOUT_WHOLE) {
			*sharded |= axis_bit(a);
			if (minor_axes(p, from, a, y))
				m->shuffled |= axis_bit(a) | minor_axes(p, from, a, y);
		} else if (x < LAYOUT_WHOLE) {
			*(y >= 0 ? &m->scattered : &m->summed) |= axis_bit(a);
		} else if (y >= 0) {
			m->exchanged |= axis_bit(a);
		} else {
			m->gathered[x & 7] |= axis_bit(a) | minor_axes(p, from, a, x);
		}
	}
	return true;
}

double layout_price(pricer *p, const type *t, plan_layout from, plan_layout to)
{
	layout_move m;
	unsigned sharded = axes_on_dims(p, from);
	if (layout_eq(from, to))
		return 0;
	if (!find_moves(p, from, to, &sharded, &m))
		return PAIR_NEVER;
	double sum = transfer_price(p, t, TRANSFER_PERMUTE, m.shuffled, sharded);
	sum += transfer_price(p, t, TRANSFER_REDUCE_SCATTER, m.scattered, sharded);
	sharded |= m.scattered;
	for (int a = 0; a < p->n_axes; a++)
		if (m.exchanged & axis_bit(a))
			sum += transfer_price(p, t, TRANSFER_ALL_TO_ALL, axis_bit(a), sharded);
	sum += transfer_price(p, t, TRANSFER_ALL_REDUCE, m.summed, sharded);
	for (int d = 0; d < COUNT(m.gathered); d++) {
		sum += transfer_price(p, t, TRANSFER_ALL_GATHER, m.gathered[d], sharded);
		sharded &= ~m.gathered[d];
	}
	return sum;
}

/* ---- as a sharding ------------------------------------------------------------------------------------ */

const sharding *layout_sharding(tess_ctx *ctx, const mesh *m, mesh_ref ref, int rank, plan_layout l)
{
	dim_sharding dims[TESS_MAX_RANK];
	axis_ref axes[COUNT(l.on)]; /* each axis shards one dimension */
	int n = 0;
	for (int d = 0; d < rank; d++) {
		dims[d] = (dim_sharding){.axes = axes + n, .priority = PRIORITY_NONE};
		for (int a = 0; a < m->n_axes; a++)
			if (l.on[a] == d) {
				axes[n++] = axis_full(m->axes[a].name);
				dims[d].n_axes++;
			}
	}
	return sharding_of(ctx, &(sharding){.mesh = ref, .rank = rank, .dims = dims});
}
