/* str.c - strings, hashes and interned names. */
#include "base/base.h"

int64_t gcd_i64(int64_t a, int64_t b)
{
	while (b) {
		int64_t t = a % b;
		a = b;
		b = t;
	}
	return a < 0 ? -a : a;
}

bool str_starts(tess_str s, const char *prefix)
{
	size_t n = strlen(prefix);
	return s.len >= n && memcmp(s.ptr, prefix, n) == 0;
}

bool str_ends(tess_str s, const char *suffix)
{
	size_t n = strlen(suffix);
	return s.len >= n && memcmp(s.ptr + s.len - n, suffix, n) == 0;
}

int str_cmp(tess_str a, tess_str b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.ptr, b.ptr, n) : 0;
	return c ? c : (a.len > b.len) - (a.len < b.len);
}

/* Hashes the remaining bytes, fewer than eight; uses the last eight if there are that many. */
static uint64_t last_bytes(const unsigned char *end, size_t n)
{
	uint64_t w = 0;
	uint32_t first, last;
	if (n >= 8) {
		memcpy(&w, end - 8, 8);
	} else if (n >= 4) {
		memcpy(&first, end - n, 4);
		memcpy(&last, end - 4, 4);
		w = (uint64_t)last << 32 | first;
	} else if (n) {
		w = (uint64_t)end[-(ptrdiff_t)n] | (uint64_t)end[-(ptrdiff_t)(n / 2) - 1] << 8 |
		    (uint64_t)end[-1] << 16;
	}
	return w;
}

/* Eight bytes per step; good enough for tables, but not against adversaries: a hostile text can
 * slow a table down, though it stays correct. */
uint64_t hash_bytes(const void *p, size_t n, uint64_t seed)
{
	const unsigned char *s = p, *end = n ? s + n : s;
	uint64_t h = seed ^ (n * 0x9E3779B97F4A7C15u), w;
	for (; end - s >= 8; s += 8) {
		memcpy(&w, s, 8);
		h = hash_mix(h, w);
		h ^= h >> 29;
	}
	h = hash_mix(h, last_bytes(end, n));
	h ^= h >> 29;
	return hash_mix(h, 0x94D049BB133111EBu);
}

static bool name_eq(const void *obj, const void *key)
{
	const name *n = obj;
	const tess_str *s = key;
	return n->len == s->len && memcmp(n->s, s->ptr, s->len) == 0;
}

uint64_t name_hash(tess_str s) { return hash_bytes(s.ptr, s.len, 1); }

const name *name_of(tess_ctx *ctx, tess_str s)
{
	uint64_t h = name_hash(s);
	name *n = cons_find(&ctx->names_tab, h, name_eq, &s);
	if (n)
		return n;
	if (s.len > UINT32_MAX)
		ctx_unwind(ctx);
	n = arena_alloc(&ctx->perm, sizeof(name) + s.len + 1);
	n->id = (uint32_t)ctx->names.len;
	n->len = (uint32_t)s.len;
	n->hash = h;
	if (s.len)
		memcpy(n->s, s.ptr, s.len);
	n->s[s.len] = 0;
	vec_reserve(&ctx->perm, &ctx->names, ctx->names.len + 1); /* may unwind, so first */
	cons_add(&ctx->names_tab, &ctx->perm, h, n);
	vec_push(&ctx->perm, &ctx->names, n);
	return n;
}

const name *name_of_z(tess_ctx *ctx, const char *s)
{
	return name_of(ctx, str_of(s));
}

const name *name_known(const tess_ctx *ctx, int id)
{
	return ctx->names.ptr[id];
}
