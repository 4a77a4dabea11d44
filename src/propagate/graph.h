/* graph.h - a program as propagation sees it (inside propagate).
 *
 * A node is an op, or a result of the main function, which it joins with what is returned. A slot
 * holds one sharding: of a value, or of a result of the main function. Both are numbered densely. A
 * node knows its slots, and a slot knows the nodes that a change of it concerns, in the order in
 * which Shardy wakes them. */
#ifndef TESS_PROPAGATE_GRAPH_H
#define TESS_PROPAGATE_GRAPH_H

#include "propagate/propagate.h"

enum {
	SLOT_NONE = 0, /* of a value that cannot have a sharding; it stays unsharded */
	GROUP_END = UINT32_MAX,
	/* An entry of graph.wakes is the number of a node plus flags. */
	WAKE_LATER = 1u << 31, /* concerned, but not woken: it sees the change when next visited */
	WAKE_LAST = 1u << 30,  /* the list ends here */
	WAKE_OWNER = 1u << 29, /* not concerned: the node that owns the slot's value */
	WAKE_NODE = WAKE_OWNER - 1,
};

/* Which op-priority rounds a node takes part in: walk_directions(). */
typedef enum node_class {
	NODE_INERT, /* no rule: nothing passes */
	NODE_OTHER,
	NODE_THROUGH, /* element-wise ops, reshape, transpose, edges */
	NODE_WINDOW,  /* dynamic_slice, dynamic_update_slice */
	NODE_BROADCAST,
	NODE_FIXED, /* a barrier: its own direction in every round */
	NODE_RESULT,
} node_class;

/* One for each op, so it is kept small: 24 bytes. */
typedef struct node {
	op *op;                    /* the function for NODE_RESULT */
	const sharding_rule *rule; /* NULL until needed */
	uint32_t tensors; /* index into graph.tensors: a count, then slots, operands first */
	uint8_t class;
	bool elementwise : 1, identity : 1, manual : 1, own_rule : 1, erased : 1, waiting : 1;
	bool shares_rule : 1; /* `rule` is that of all nodes that are like it (rules.c) */
	uint8_t seen[2]; /* see walk.c */
} node;

typedef struct graph {
	module *m;
	arena *mem;
	op *main; /* NULL: none */
	node *nodes;
	uint32_t n_ops, n_nodes; /* the nodes of main's results come after those of ops */
	uint32_t *node_of;       /* [module->n_ops] by op id */
	VEC(uint32_t) tensors;
	uint32_t n_slots;
	uint32_t *wake_at; /* [n_slots]: a list in wakes, up to WAKE_LAST. It starts with the op
	                    * that owns the value, or with the node of a result of main. */
	VEC(uint32_t) wakes;
	VEC(op *) groups;   /* the sdy.sharding_group ops */
	bool own_rules;     /* some op has an sdy.sharding_rule */
	uint32_t *group_at; /* [n_slots]: the members of the slot's sharding group, a list of slots
	                     * in wakes up to GROUP_END; 0: no group. NULL: the program has no
	                     * groups. */
} graph;

/* Reports an error and returns false if the program has tuples or dynamic shapes. */
bool graph_build(graph *g, module *m, arena *mem);
static inline uint32_t value_slot(const value *v) { return v->id + 1; }
/* The slot of the value that has the sharding of `v`. */
uint32_t bearer_slot(value *v);
static inline uint32_t result_slot(const graph *g, int i) { return g->n_slots - (uint32_t)i - 1; }
static inline int slot_result(const graph *g, uint32_t slot)
{
	return (int)(g->n_slots - slot - 1);
}
/* NULL for results of main, and where there is none. */
value *slot_value(const graph *g, uint32_t slot);
/* True if the slot holds the sharding of its own value, which the program still has. */
bool slot_bears(const graph *g, uint32_t slot);
/* Returns the sharding that the program has there. */
const sharding *slot_sharding(const graph *g, uint32_t slot);
/* Gives the program another one, and returns true if it has changed. The caller takes care of the
 * other results of the op. */
bool slot_put_sharding(const graph *g, uint32_t slot, const sharding *s);
/* True if it is in the value itself, not in an attribute of an operation. */
bool value_has_own_sharding(const value *v);
void value_put_sharding(module *m, value *v, const sharding *s);

static inline int node_n_tensors(const graph *g, const node *n)
{
	return (int)g->tensors.ptr[n->tensors];
}
static inline int node_n_operands(const graph *g, const node *n)
{
	return node_n_tensors(g, n) - (n->class == NODE_RESULT ? 1 : n->op->n_results);
}
static inline uint32_t node_slot(const graph *g, const node *n, int tensor)
{
	return g->tensors.ptr[n->tensors + 1 + (uint32_t)tensor];
}

/* The nodes that a change of the slot concerns:
 * for (at = wakes_begin(g, slot); at; at = wakes_next(at)) */
static inline const uint32_t *wakes_next(const uint32_t *at)
{
	return *at & WAKE_LAST ? NULL : at + 1;
}
static inline const uint32_t *wakes_begin(const graph *g, uint32_t slot)
{
	const uint32_t *at = &g->wakes.ptr[g->wake_at[slot]];
	return *at & WAKE_OWNER ? wakes_next(at) : at;
}

#endif
