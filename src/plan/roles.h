/* roles.h - what arguments and groups of dimensions are used for, derived from how the program uses
 * them. */
#ifndef TESS_PLAN_ROLES_H
#define TESS_PLAN_ROLES_H

#include "plan/program/groups.h"
#include "plan/plan.h"

typedef enum site_role {
	ROLE_INPUT,     /* data: it has the batch, or is not a float */
	ROLE_PARAMETER, /* products are computed from it */
	ROLE_MOMENT,    /* state from which no product is computed, as optimizers have */
	ROLE_PRODUCT,   /* a value with the batch */
	ROLE_COPY,      /* of a parameter, where it is used */
	ROLE_OTHER,
} site_role;

/* What the dimensions of a group are. */
typedef enum group_use {
	USE_BATCH,    /* most of the program is computed separately for each of its indices */
	USE_SEQUENCE, /* other dimensions of the data that no parameter has: tokens, pixels */
	USE_WIDTH,    /* the dimension that most parameters have */
	USE_INNER,    /* other dimensions of parameters, no two of one parameter */
	USE_HIDDEN,   /* inner groups that are larger than the width: products widen to them */
	USE_EXPERT,   /* the program multiplies each of its indices with another parameter */
	USE_FEATURE,  /* any dimension of parameters */
	USE_NOTHING,  /* no group */
	USES,
} group_use;

typedef VEC(int) group_list;

typedef struct plan_roles {
	dim_groups groups;
	const site_role *of;  /* by site */
	group_list used[USES]; /* groups, those with the most bytes first; USE_SEQUENCE: in the
			        * order of the data */
	int64_t small; /* arguments of fewer bytes are not worth sharding */
} plan_roles;
/* Results that follow data without taking its memory no longer follow it. */
void plan_roles_of(const plan_subject *s, arena *mem, plan_roles *out);

#endif
