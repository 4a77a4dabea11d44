/* digest.h - 128 bits that represent the content of something.
 *
 * Interned types and attributes have hashes that depend on addresses. A digest does not: it is the
 * same in every process, and so is what is ordered or chosen by it. */
#ifndef TESS_PLAN_DIGEST_H
#define TESS_PLAN_DIGEST_H

#include "op/op.h"

typedef struct digest {
	uint64_t a, b;
} digest;

static inline bool digest_eq(digest x, digest y) { return x.a == y.a && x.b == y.b; }
static inline int digest_cmp(digest x, digest y)
{
	return x.a != y.a ? (x.a < y.a ? -1 : 1) : x.b != y.b ? (x.b < y.b ? -1 : 1) : 0;
}
static inline digest digest_mix(digest d, uint64_t v)
{
	d.a = hash_mix(d.a, v);
	d.b = (d.b ^ (v + 0x165667B19E3779F9u)) * 0xC2B2AE3D27D4EB4Fu;
	d.b ^= d.b >> 29;
	return d;
}
static inline digest digest_add(digest d, digest x) { return digest_mix(digest_mix(d, x.a), x.b); }
digest digest_bytes(digest d, const void *p, size_t n);

/* The digests of what is interned in a context, each computed once. */
typedef struct digests {
	tess_ctx *ctx;
	arena *mem;
	ptr_map known; /* type or attribute -> digest */
} digests;

digest type_digest(digests *s, const type *t);
digest sharding_digest(digests *s, const sharding *sh); /* also of NULL */
/* The op without its operands: kind, types, attributes, shardings of results, and everything in its
 * regions. Its place in a text does not matter. */
digest op_digest(digests *s, const op *o);
/* The same without its regions. */
digest op_head_digest(digests *s, const op *o);

#endif
