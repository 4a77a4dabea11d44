/* seed.h - plans that the model of a program suggests, to be evaluated and improved. */
#ifndef TESS_PLAN_SEED_H
#define TESS_PLAN_SEED_H

#include "plan/model/model.h"
#include "plan/plan.h"

/* What is known of a program independent of the mesh. */
typedef struct plan_seeder plan_seeder;
/* The subject must outlive it. NULL: the program cannot be processed operation by operation;
 * nothing is reported. */
plan_seeder *plan_seeder_new(const plan_subject *s, arena *mem);
/* Releases a copy of the program; everything else is in `mem`. */
void plan_seeder_free(plan_seeder *w);

typedef struct plan_seed {
	const sharding **at; /* [sites] of the subject; NULL: no annotation */
	double lambda;       /* the seconds that a byte was worth */
	double seconds, bytes; /* by the model; what it really costs is found by partitioning */
} plan_seed;
typedef VEC(plan_seed) plan_seeds;

/* Appends plans for a mesh, from the one with the least memory to the fastest; plans that are the
 * same for two prices of memory occur once. `limit`: bytes of a device. It takes tens of
 * milliseconds for two axes. */
void plan_seeds_of(plan_seeder *w, const mesh *m, const target *t, int64_t limit, plan_seeds *out);

#endif
