/* projection.h - the tensors of one op seen through its factors (inside propagate).
 *
 * Sharding rules speak of factors, shardings of dimensions. A dimension with one factor gives it
 * all its axes. A dimension with several gives them out from the major end: a factor takes axes
 * while they divide it, perhaps only a sub-axis of one, and the last factor takes the rest,
 * divisible or not. Axes that a factor which is not the last cannot take are its overflow.
 *
 * Example: dimension (ij), i=2, j=4, sharded {"x", "y"} with x=4, y=2: factor i has "x":(1)2,
 * factor j has "x":(2)2, "y".
 *
 * Source: Shardy, propagation/sharding_projection.cc. */
#ifndef TESS_PROPAGATE_PROJECTION_H
#define TESS_PROPAGATE_PROJECTION_H

#include "propagate/book.h"
#include "propagate/propagate.h"

/* How one factor shards one tensor. */
typedef struct cell {
	list_no list;     /* its axes */
	list_no was;      /* its axes when the visit started */
	list_no overflow; /* the remaining axes of the dimension, which do not fit */
	bool present, closed, minor;
} cell;

enum direction { DIR_NONE = 0, DIR_FORWARD = 1, DIR_BACKWARD = 2, DIR_BOTH = 3 };

typedef struct projection projection;
struct projection {
	book *b;
	arena *mem;
	const sharding_rule *rule;
	const mesh *mesh;
	mesh_ref mesh_ref;
	int n_operands, n_tensors, n_factors;
	const view_no *views; /* [n_tensors] */
	cell *cells;          /* [n_tensors][n_factors] */
	bool *updated;        /* [n_tensors]: some factor of it got more axes */
	uint8_t *direction;   /* [n_factors] */
	list_no *compatible;  /* [n_factors], for factors.c */
	int *order;           /* [n_factors], likewise */
	bool elementwise, conservative;
	int room_cells, room_tensors, room_factors;
};

static inline cell *cell_at(const projection *p, int tensor, int factor)
{
	return &p->cells[tensor * p->n_factors + factor];
}

/* Fills the cells from p->views by p->rule. Returns false if nothing can pass: each factor has the
 * same axes in all its tensors, or none. */
bool projection_load(projection *p);
/* The sharding of a tensor, from its cells. */
view_no projection_store(const projection *p, int tensor);

/* Where the new axes of a cell came from: the first tensor that had them, operands
 * before results; -1: none had them all. */
int projection_source(const projection *p, int tensor, int factor);

/* The two strategies. They update cells and set p->updated. @return true if anything passed.
 * (factors.c) */
bool factors_spread_basic(projection *p);
bool factors_spread_aggressive(projection *p);

/* The axes on which the tensors of a factor agree, in p->direction. */
list_no factors_compatible(projection *p, int factor);
/* Why a tensor cannot have all of `want` along the factor: applies the tests of the strategies
 * again. *other: for REFUSED_USED, the factor that uses an axis. */
refusal factors_refusal(projection *p, int tensor, int factor, list_no want, int *other);

#endif
