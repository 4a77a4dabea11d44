/* inserter.h - the way of one reshard, collective by collective (inside of partition).
 *
 * The state is, per dimension, the axes that the value has (`in`) and those that it
 * shall have (`out`), without the prefix in which they agree; `current` is all that
 * the value has.  Axes are cut first, so that any two are equal or disjoint. */
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
	int64_t *room;                /* [rank]: shards that a dimension may still get */
} inserter;

bool inserter_uses(const inserter *s, axis_ref a);
bool inserter_wants(const inserter *s, axis_ref a);
/* Where the axis shall be, by these lists. */
bool inserter_find_out(const axes_vec *out, int rank, axis_ref a, int *dim, int *index);
void inserter_append(inserter *s, axes_vec *v, axis_ref a);
int64_t inserter_shards(const inserter *s, const axes_vec *v);

/* A collective whose result has the axes in `current`; with a list of axes per dimension as the
 * attribute `known`. */
op *inserter_put(inserter *s, op_kind kind);
void inserter_put_per_dim(inserter *s, op_kind kind, int known, const axes_vec *lists);

/* The part of an axis that fits into the room, which shrinks by it, and the rest.
 * false: none fits, because neither divides the other. */
bool inserter_take(const inserter *s, axis_ref a, int64_t *room, axis_ref *fits, axis_ref *rest,
                   bool *has_rest);
/* Gives dimensions that have room axes out of `available` (one list for each, or one
 * for all), at the front of `in` or at its end.  `added`, if not NULL, gets them too. */
void inserter_distribute(inserter *s, axes_vec *available, bool shared, bool front,
                         axes_vec *added);

void insert_all_slice(inserter *s);          /* slice.c */
void insert_collective_permute(inserter *s); /* exchange.c */

#endif
