/* scatter.h - cuts global tensors into the shards of devices, and pastes them together. */
#ifndef TESS_RUN_SCATTER_H
#define TESS_RUN_SCATTER_H

#include "exec/exec.h"
#include "partition/partition.h"

/* How a global value is distributed: device d holds shard of[d]. */
typedef struct distribution {
	const global_value *global;
	const int64_t *local; /* dimensions of a shard */
	int rank, n;          /* n: number of distinct shards */
	const int32_t *of;    /* NULL: all devices hold shard 0 */
	const int64_t *begin, *end; /* [n][rank]: the box of each shard, without padding */
	int nothing; /* the shard of zeros; -1: there is none */
	size_t shard_bytes, element;
	int64_t *index; /* [rank], scratch for copying */
	void **shards;  /* [n]: data during a run */
	void **owned;   /* [n]: memory allocated for it */
	const uint8_t *wanted; /* [n]: shards of this rank's devices; NULL: all */
} distribution;

void distribution_init(arena *mem, const global_value *g, int64_t n_devices, distribution *out);
/* Marks the shards that this rank's devices hold. */
void distribution_for_rank(arena *mem, distribution *s, int64_t n_devices, const transport *ranks);
/* Cuts out one shard; `out` must have room for shard_bytes. Padding is set to zero. */
void distribution_cut(const distribution *s, int shard, const void *global, void *out);
/* Pastes the whole value together from what the devices hold. */
void distribution_gather(const distribution *s, int64_t n_devices, const exec_value *v,
                         void *global, arena *scratch);

#endif
