/* roles.h - what arguments and groups of dimensions are for, told by how the program uses them. */
#ifndef TESS_PLAN_ROLES_H
#define TESS_PLAN_ROLES_H

#include "plan/program/groups.h"
#include "plan/plan.h"

typedef enum site_role {
	ROLE_INPUT,     /* data: it has the batch, or is no float */
	ROLE_PARAMETER, /* products are computed from it */
	ROLE_MOMENT,    /* state that no product is computed from, as optimizers have */
	ROLE_PRODUCT,   /* a value with the batch */
	ROLE_COPY,      /* of a parameter, as it is used */
	ROLE_OTHER,
} site_role;

/* What dimensions a group consists of. */
typedef enum group_use {
	USE_BATCH,    /* most of the program is computed for each of its indices alone */
	USE_SEQUENCE, /* other dimensions of the data that no parameter has: tokens, pixels */
	USE_WIDTH,    /* the dimension that most parameters have */
	USE_INNER,    /* others of parameters, no two of one parameter */
	USE_EXPERT,   /* the program multiplies each of its indices with a parameter of its own */
	USE_FEATURE,  /* any of parameters */
	USES,
} group_use;

typedef VEC(int) group_list;

typedef struct plan_roles {
	dim_groups groups;
	const site_role *of;  /* by site */
	group_list used[USES]; /* groups, most bytes first; USE_SEQUENCE: as the data has them */
	int64_t small; /* bytes of an argument that it is not worth while to cut */
} plan_roles;
/* Results that follow data without taking its memory follow it no longer. */
void plan_roles_of(const plan_subject *s, arena *mem, plan_roles *out);

#endif
