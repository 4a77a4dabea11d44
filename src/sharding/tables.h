/* tables.h - the sharding layer's tables in the context (inside sharding). */
#ifndef TESS_SHARDING_TABLES_H
#define TESS_SHARDING_TABLES_H

#include "sharding/sharding.h"

typedef struct sharding_tables {
	cons_tab meshes, shardings;
	bool any_unreduced; /* some sharding of the context has unreduced axes */
} sharding_tables;
sharding_tables *sharding_tables_of(tess_ctx *ctx);

#endif
