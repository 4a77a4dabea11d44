/* handles.h - the opaque handles of the public headers are the objects themselves. */
#ifndef TESS_API_HANDLES_H
#define TESS_API_HANDLES_H

#include "ir/ir.h"

#include <tessera/attr.h>
#include <tessera/module.h>
#include <tessera/sharding.h>

/* NAME_in() takes a handle from outside, NAME_out() gives one. */
#define HANDLE(name, inner, outer)                                                                 \
	static inline inner *name##_in(outer *h) { return (inner *)h; }                            \
	static inline outer *name##_out(inner *p) { return (outer *)p; }

HANDLE(mesh, const mesh, const tess_mesh)
HANDLE(sharding, const sharding, const tess_sharding)
HANDLE(type, const type, const tess_ir_type)
HANDLE(attr, const attr, const tess_attr)
HANDLE(op, op, tess_operation)
HANDLE(region, region, tess_region)
HANDLE(block, block, tess_block)
HANDLE(value, value, tess_value)
HANDLE(use, use, tess_use)
HANDLE(const_op, const op, const tess_operation)
HANDLE(const_region, const region, const tess_region)
HANDLE(const_block, const block, const tess_block)
HANDLE(const_value, const value, const tess_value)
HANDLE(const_use, const use, const tess_use)
#undef HANDLE

/* None of n handles is NULL, and there are not too many. */
static inline bool all_there(const void *const *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!p[i])
			return false;
	return n <= INT32_MAX;
}

#endif
