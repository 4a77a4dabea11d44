/* seed.h - plans that the model of a program suggests, to be evaluated and improved. */
#ifndef TESS_PLAN_SEED_H
#define TESS_PLAN_SEED_H

#include "plan/model/model.h"
#include "plan/plan.h"

/* What is known of a program whatever the mesh. */
typedef struct plan_seeder plan_seeder;
/* The subject must outlive it.  NULL: the program cannot be looked at operation by operation; nothing is
 * reported. */
plan_seeder *plan_seeder_new(const plan_subject *s, arena *mem);
/* Releases a copy of the program; the rest lies in `mem`. */
void plan_seeder_free(plan_seeder *w);

typedef struct plan_seed {
	const sharding **at; /* [sites] of the subject; NULL: nothing is said there */
	double lambda;       /* seconds that a byte was worth */
	double seconds, bytes; /* as the model has it; partitioning says what it really costs */
	double bound; /* no plan of the model needs less than that in seconds + lambda * bytes */
} plan_seed;
typedef VEC(plan_seed) plan_seeds;

/* Appends plans for a mesh, from that which needs least memory to the fastest; what is the same at two
 * prices of memory comes once.  `limit`: bytes of a device.  Work: tens of milliseconds for two axes. */
void plan_seeds_of(plan_seeder *w, const mesh *m, const target *t, int64_t limit, plan_seeds *out);

#endif
