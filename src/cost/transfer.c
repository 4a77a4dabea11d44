/* transfer.c - how long a collective takes on a machine, by the best algorithm.
 *
 * n devices, b bytes on each before.  On links of one class, of bandwidth B and latency a:
 *
 *                    ring                         tree                    direct
 *     all-reduce     2(n-1)/n b/B + 2(n-1) a      2b/B + 2 log2(n) a      (n-1) b/B + a
 *     all-gather     (n-1) b/B + (n-1) a          4/3 (n-1) b/B + log2(n) a
 *     reduce-scatter (n-1)/n b/B + (n-1) a        4/3 (n-1)/n b/B + log2(n) a
 *     broadcast                                   b/B + log2(n) a
 *     all-to-all                                                          (n-1)/n b/B + a
 *     permute                                                             b/B + a
 *
 * (Thakur, Rabenseifner, Gropp 2005; trees in chunks as in Sanders, Speck, Traeff 2009.  Halving
 * and doubling sends to distant devices: it gets three quarters of what neighbours do, our
 * estimate.)
 *
 * A group with p members on each of q nodes has two more ways.  As one ring through all nodes, in
 * as many copies as there are members on a node, each leaving it by another device: near links
 * carry what a ring carries, each far link 1/p of that, both at once.  In two levels
 * (hierarchical): within the node, then among the q devices of one rank in their nodes, then
 * within the node again, one after the other.
 *
 * On a torus an axis is a ring; several axes are used at once, and messages of an all-to-all take a
 * quarter of the way around on average.  Every formula grows with bytes and latency and falls with
 * bandwidth, and so does their minimum. */
#include "cost/cost.h"

const char *const transfer_words[TRANSFERS] = {
	[TRANSFER_ALL_REDUCE] = "all_reduce",         [TRANSFER_ALL_GATHER] = "all_gather",
	[TRANSFER_REDUCE_SCATTER] = "reduce_scatter", [TRANSFER_ALL_TO_ALL] = "all_to_all",
	[TRANSFER_BROADCAST] = "collective_broadcast",
	[TRANSFER_PERMUTE] = "collective_permute",
};

/* ---- where groups lie --------------------------------------------------------------- */

static int torus_axes_of(const target *t, int64_t size)
{
	int axes = 1;
	for (double n = (double)t->torus_extent; axes < t->torus_axes && n < (double)size; axes++)
		n *= (double)t->torus_extent;
	return axes;
}

group_place group_placed(const target *t, const int64_t *ids, int64_t n)
{
	group_place g = {.size = n, .in_node = n, .torus_axes = torus_axes_of(t, n)};
	int64_t node = t->node_devices, run = 0;
	/* In all groups that meshes make, the members on one node follow each other. */
	for (int64_t i = 0; node && i < n; i++) {
		run = i && ids[i] / node == ids[i - 1] / node ? run + 1 : 1;
		if (i + 1 == n || ids[i + 1] / node != ids[i] / node)
			g.in_node = min_i64(g.in_node, run);
	}
	return g;
}

group_place group_along(const target *t, const int64_t *sizes, const int64_t *strides, int n)
{
	group_place g = {.size = 1, .in_node = 1};
	for (int i = 0; i < n; i++) {
		int64_t inside = t->node_devices ? t->node_devices / strides[i] : sizes[i];
		inside = min_i64(max_i64(inside, 1), sizes[i]);
		g.size *= sizes[i];
		g.in_node *= sizes[i] % inside ? sizes[i] % inside : inside;
	}
	g.torus_axes = torus_axes_of(t, g.size);
	return g;
}

/* ---- times ---------------------------------------------------------------------------- */

/* A ring or tree of n members over links of one class. */
typedef struct links {
	double n, bandwidth, latency;
	double ring_steps; /* to pass data around once; to reach all members by doubling */
	double tree_steps;
} links;

static double log2_steps(double n)
{
	double steps = 0;
	for (double k = 1; k < n; k *= 2)
		steps++;
	return steps;
}

/* Along k axes of a torus, a message is sent along each axis in turn, in both directions at the
 * same time. */
static links near_links(const target *t, double n, int axes)
{
	links l = {n, t->link_bandwidth * t->link_efficiency, t->link_latency, n - 1, log2_steps(n)};
	if (t->torus_axes) {
		double extent = axes > 1 ? (double)t->torus_extent : n;
		l.bandwidth *= axes;
		l.ring_steps = axes * extent / 2;
		l.tree_steps = l.ring_steps; /* only neighbours are connected */
	}
	return l;
}

static links far_links(const target *t, double n)
{
	return (links){n, t->far_bandwidth * t->far_efficiency, t->far_latency, n - 1,
	               log2_steps(n)};
}

typedef struct ways {
	double least;
	const char *algorithm;
} ways;

static void consider_way(ways *c, const char *algorithm, double seconds)
{
	if (c->algorithm && seconds >= c->least)
		return;
	c->least = seconds;
	c->algorithm = algorithm;
}

static const double doubling = 4.0 / 3;

/* Considers the algorithms over links of one class. */
static void consider_level(ways *c, transfer kind, double b, const links *l)
{
	double n = l->n, a = l->latency, part = (n - 1) / n * b / l->bandwidth;
	switch (kind) {
	case TRANSFER_ALL_REDUCE:
		consider_way(c, "ring", 2 * part + 2 * l->ring_steps * a);
		consider_way(c, "tree", 2 * b / l->bandwidth + 2 * l->tree_steps * a);
		consider_way(c, "direct", (n - 1) * b / l->bandwidth + a);
		break;
	case TRANSFER_ALL_GATHER:
		part *= n; /* fall through */
	case TRANSFER_REDUCE_SCATTER:
		consider_way(c, "ring", part + l->ring_steps * a);
		consider_way(c, "tree", doubling * part + l->tree_steps * a);
		break;
	case TRANSFER_BROADCAST: consider_way(c, "tree", b / l->bandwidth + l->tree_steps * a); break;
	case TRANSFER_ALL_TO_ALL: consider_way(c, "direct", part + a); break;
	case TRANSFER_PERMUTE: consider_way(c, "direct", b / l->bandwidth + a); break;
	}
}

static double level_seconds(transfer kind, double b, const links *l)
{
	ways c = {0};
	if (l->n > 1)
		consider_level(&c, kind, b, l);
	return c.least;
}

static double longest(double a, double b) { return a > b ? a : b; }

/* Rings through all nodes, as many as each node has members. */
static double rings_seconds(double bytes, double p, double rounds, const links *near, const links *far)
{
	double carried = longest(bytes / near->bandwidth, bytes / p / far->bandwidth);
	return carried + rounds * ((far->n - 1) * far->latency + far->n * (p - 1) * near->latency);
}

/* Considers the algorithms for p members on each of q nodes. */
static void consider_both(ways *c, transfer kind, double b, double p, const links *near,
                          const links *far)
{
	double q = far->n, n = p * q, part = (n - 1) / n * b;
	switch (kind) {
	case TRANSFER_ALL_REDUCE:
		consider_way(c, "ring", rings_seconds(2 * part, p, 2, near, far));
		consider_way(c, "hierarchical",
		         level_seconds(TRANSFER_REDUCE_SCATTER, b, near) +
		                 level_seconds(TRANSFER_ALL_REDUCE, b / p, far) +
		                 level_seconds(TRANSFER_ALL_GATHER, b / p, near));
		consider_way(c, "tree",
		         longest(2 * b / near->bandwidth, 2 * b / p / far->bandwidth) +
		                 2 * (near->tree_steps * near->latency +
		                      far->tree_steps * far->latency));
		break;
	case TRANSFER_ALL_GATHER:
		consider_way(c, "ring", rings_seconds(part * n, p, 1, near, far));
		consider_way(c, "hierarchical",
		         level_seconds(TRANSFER_ALL_GATHER, b, far) +
		                 level_seconds(TRANSFER_ALL_GATHER, b * q, near));
		break;
	case TRANSFER_REDUCE_SCATTER:
		consider_way(c, "ring", rings_seconds(part, p, 1, near, far));
		consider_way(c, "hierarchical",
		         level_seconds(TRANSFER_REDUCE_SCATTER, b, near) +
		                 level_seconds(TRANSFER_REDUCE_SCATTER, b / p, far));
		break;
	case TRANSFER_BROADCAST:
		consider_way(c, "hierarchical", level_seconds(TRANSFER_BROADCAST, b, far) +
		                                    level_seconds(TRANSFER_BROADCAST, b, near));
		break;
	case TRANSFER_ALL_TO_ALL:
		consider_way(c, "direct",
		         longest((p - 1) / n * b / near->bandwidth,
		                 (n - p) / n * b / far->bandwidth) +
		                 far->latency);
		break;
	case TRANSFER_PERMUTE: consider_level(c, kind, b, far); break;
	}
}

/* Returns the bytes that one device sends. */
static double wire_bytes_of(transfer kind, double b, double n)
{
	switch (kind) {
	case TRANSFER_ALL_REDUCE: return 2 * (n - 1) / n * b;
	case TRANSFER_ALL_GATHER: return (n - 1) * b;
	case TRANSFER_REDUCE_SCATTER:
	case TRANSFER_ALL_TO_ALL: return (n - 1) / n * b;
	case TRANSFER_BROADCAST:
	case TRANSFER_PERMUTE: break;
	}
	return b;
}

/* Returns which share of them goes over far links. */
static double far_share(transfer kind, double p, double q)
{
	double n = p * q;
	if (kind == TRANSFER_ALL_TO_ALL)
		return (n - p) / (n - 1);
	return kind == TRANSFER_PERMUTE || kind == TRANSFER_BROADCAST ? 1 : 1 / p;
}

/* On average, a message travels a quarter of the way around its ring, over links that others use,
 * too. */
static double torus_detour(const target *t, transfer kind, const group_place *g)
{
	double extent = g->torus_axes > 1 ? (double)t->torus_extent : (double)g->size;
	if (!t->torus_axes || kind != TRANSFER_ALL_TO_ALL || extent < 4)
		return 1;
	return g->torus_axes * extent / 4;
}

/* Returns the bytes that a device has before and after. */
static double held_bytes(transfer kind, double b, double n)
{
	switch (kind) {
	case TRANSFER_ALL_GATHER: return b + n * b;
	case TRANSFER_REDUCE_SCATTER: return b + b / n;
	default: return 2 * b;
	}
}

/* Devices that share memory send what is in caches faster, as they read and write it. */
static double link_share(const target *t, transfer kind, double b, double n)
{
	return t->is_cpu ? memory_share(t, held_bytes(kind, b, n)) : 1;
}

transfer_cost transfer_of(const target *t, transfer kind, double bytes, const group_place *g)
{
	transfer_cost cost = {.algorithm = "direct", .over = LINK_NEAR};
	ways c = {0};
	double n = (double)g->size, p = longest((double)g->in_node, 1), q = n / p;
	bool leaves = g->in_node < g->size;
	if (n < 2 || bytes <= 0)
		return cost;
	links near = near_links(t, leaves ? p : n, g->torus_axes), far = far_links(t, q);
	near.bandwidth /= link_share(t, kind, bytes, n);
	if (!leaves)
		consider_level(&c, kind, bytes * torus_detour(t, kind, g), &near);
	else if (p < 2)
		consider_level(&c, kind, bytes, &far);
	else
		consider_both(&c, kind, bytes, p, &near, &far);
	cost.algorithm = c.algorithm;
	cost.seconds = c.least + (leaves ? t->far_floor : t->link_floor);
	cost.wire_bytes = wire_bytes_of(kind, bytes, n);
	cost.far_bytes = leaves ? cost.wire_bytes * far_share(kind, p, q) : 0;
	cost.over = leaves ? LINK_FAR : LINK_NEAR;
	return cost;
}
