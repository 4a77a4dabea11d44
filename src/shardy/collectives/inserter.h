/* inserter.h - turns one reshard into collectives, step by step; internal to shardy/collectives.
 *
 * The state is, for each dimension, the axes that the value has (`in`) and those it should have
 * (`out`), without their common prefix; `current` is all axes that the value has. Axes are split
 * first, so that any two are equal or disjoint. */
#ifndef TESS_SHARDY_COLLECTIVES_INSERTER_H
#define TESS_SHARDY_COLLECTIVES_INSERTER_H

#include "shardy/explicit/explicit.h"
#include "shardy/collectives/axes.h"

typedef struct inserter {
	insertion at;
	op *reshard;
	value *v;
	const mesh *mesh;
	mesh_ref now, to;
	const sharding *target;
	int rank;
	axes_vec *in, *out, *current; /* [rank] */
	int64_t *room;                /* [rank]: how many times a dimension may still be split */
} inserter;

bool inserter_uses(const inserter *s, axis_ref a);
bool inserter_wants(const inserter *s, axis_ref a);
/* Finds the place of an axis in these lists of wanted axes. */
bool inserter_find_out(const axes_vec *out, int rank, axis_ref a, int *dim, int *index);
void inserter_append(inserter *s, axes_vec *v, axis_ref a);
int64_t inserter_shards(const inserter *s, const axes_vec *v);

/* Inserts a collective whose result has the axes in `current`; optionally with a list of axes per
 * dimension as the attribute `known`. */
op *inserter_put(inserter *s, op_kind kind);
void inserter_put_per_dim(inserter *s, op_kind kind, int known, const axes_vec *lists);

/* Takes the part of an axis that fits into *room, dividing *room by it, and returns the rest.
 * Returns false if nothing fits, because neither size divides the other. */
bool inserter_take(const inserter *s, axis_ref a, int64_t *room, axis_ref *fits, axis_ref *rest,
                   bool *has_rest);
/* Adds axes from `available` (one list for each dimension, or a shared one) to dimensions that have
 * room, at the front or end of `in`, and to `added` if that is not NULL. */
void inserter_distribute(inserter *s, axes_vec *available, bool shared, bool front,
                         axes_vec *added);

void insert_all_slice(inserter *s);          /* slice.c */
void insert_collective_permute(inserter *s); /* exchange.c */

#endif
