/* spmd.h - what the public functions of marked tensors share. */
#ifndef TESS_API_SPMD_SPMD_H
#define TESS_API_SPMD_SPMD_H

#include "api/frame.h"
#include "api/handle.h"
#include "array/array.h"
#include "sharding/sharding.h"

#include <tessera/spmd.h>

/* How a tensor is sharded: parts[d] parts of dimension d, with `copies` of each. Part p (row-major)
 * and copy c are on devices[p * copies + c]. */
typedef struct spmd_mark {
	const mesh *mesh;
	int64_t parts[ARRAY_MAX_RANK], copies, n;
	int64_t *devices;
	int64_t *place; /* by device id: its index in devices */
	tess_spmd_kind type;
	const char *sdy; /* for the compiler: [{"x"}, {}] */
} spmd_mark;

struct tess_spmd_tensor {
	tess_ctx *ctx;
	uint32_t live;
	arena mem; /* of the mark */
	tess_dtype dtype;
	int rank;
	int64_t dims[ARRAY_MAX_RANK];
	size_t bytes;
	char *data;
	bool marked;
	spmd_mark mark;
};

#endif
