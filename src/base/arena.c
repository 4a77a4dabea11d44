/* arena.c - bump allocation: lifetimes instead of frees (after lcc).
 *
 * An arena is a list of chunks, newest first. A request that does not fit gets a new chunk, whose
 * size grows with the arena; a large request gets a chunk of its own, which arena_grow() can then
 * resize in place. In builds with TESS_ARENA_DEBUG every object has its own chunk, so that
 * AddressSanitizer detects each overrun. */
#include "base/base.h"

#include <stdlib.h>
#include <sys/mman.h>

struct arena_chunk {
	arena_chunk *prev;
	size_t size; /* of data */
	char *data_end;
	_Alignas(16) char data[];
};

enum { CHUNK_FIRST = 4 << 10, CHUNK = 64 << 10, CHUNK_MAX = 4 << 20 };

/* Chunks of arenas that hold this much use huge pages: page faults of 4 KiB each take a third of
 * the time of reading a large program. */
enum { HUGE_PAGE = 2 << 20 };

/* Bytes of chunks that a context keeps for its next arena: enough for a program of some ten
 * thousand operations that is copied, partitioned, costed and freed again and again. */
enum { SPARE_MOST = 64 << 20 };

void *ctx_realloc(tess_ctx *ctx, void *old, size_t size)
{
	if (ctx->opts.realloc)
		return ctx->opts.realloc(ctx->opts.user, old, size);
	if (!size) {
		free(old);
		return NULL;
	}
	return realloc(old, size);
}

void arena_init(arena *a, tess_ctx *ctx)
{
	*a = (arena){.ctx = ctx};
}

/* Spare chunks in class i have CHUNK_FIRST << i bytes or more. */
static int chunk_class(size_t size)
{
	int i = 0;
	while (i < SPARE_CLASSES - 1 && size >= (size_t)CHUNK_FIRST << (i + 1))
		i++;
	return i;
}

/* Chunks are reused by other arenas: what one phase frees, the next one needs; modules come and go;
 * a mark may be just before the end of a chunk. Fresh pages from the system would cost more than
 * filling them. */
static bool chunk_spare(tess_ctx *ctx, arena_chunk *c)
{
#ifdef TESS_ARENA_DEBUG
	return false;
#endif
	if (c->size < CHUNK_FIRST || c->size > SPARE_MOST - ctx->spare_total)
		return false;
	arena_chunk **list = &ctx->spare[chunk_class(c->size)];
	c->prev = *list;
	*list = c;
	ctx->spare_total += c->size;
	return true;
}

/* The last class has chunks of any larger size: checks a few of them. */
static arena_chunk *spare_of_class(tess_ctx *ctx, int i, size_t need)
{
	enum { LOOKED_AT = 8 };
	arena_chunk **at = &ctx->spare[i];
	for (int k = 0; k < LOOKED_AT && *at; k++, at = &(*at)->prev) {
		arena_chunk *c = *at;
		if (c->size < need || c->size / 2 > need + HUGE_PAGE)
			continue;
		*at = c->prev;
		ctx->spare_total -= c->size;
		return c;
	}
	return NULL;
}

/* Takes a spare chunk that is large enough: of the usual size, else the next smaller, else the next
 * larger that is not out of proportion; NULL if there is none. */
static arena_chunk *spare_take(tess_ctx *ctx, size_t need, size_t usual)
{
	int least = chunk_class(need), like = chunk_class(need > usual / 2 ? 2 * need : usual);
	int most = chunk_class(CHUNK);
	arena_chunk *c = NULL;
	for (int i = like; i >= least && !c; i--)
		c = spare_of_class(ctx, i, need);
	for (int i = like + 1; i <= most && !c; i++)
		c = spare_of_class(ctx, i, need);
	return c;
}

void arena_drop_spare(tess_ctx *ctx)
{
	for (int i = 0; i < SPARE_CLASSES; i++)
		while (ctx->spare[i]) {
			arena_chunk *c = ctx->spare[i];
			ctx->spare[i] = c->prev;
			ctx_realloc(ctx, c, 0);
		}
	ctx->spare_total = 0;
}

static void chunk_free(arena *a, arena_chunk *c)
{
	a->total -= c->size;
	if (!chunk_spare(a->ctx, c))
		ctx_realloc(a->ctx, c, 0);
}

void arena_free(arena *a)
{
	while (a->chunks) {
		arena_chunk *c = a->chunks;
		a->chunks = c->prev;
		chunk_free(a, c);
	}
	a->at = a->end = NULL;
}

static arena_chunk *chunk_new(tess_ctx *ctx, size_t size)
{
	size_t all = sizeof(arena_chunk) + size;
#if defined MADV_HUGEPAGE && !defined TESS_ARENA_DEBUG
	if (all % HUGE_PAGE == 0 && !ctx->opts.realloc) {
		arena_chunk *c = aligned_alloc(HUGE_PAGE, all);
		if (c)
			madvise(c, all, MADV_HUGEPAGE); /* only a hint */
		return c;
	}
#endif
	return ctx_realloc(ctx, NULL, all);
}

/* Adds a chunk with room for an object, and for more like it unless it is large. */
static void add_chunk(arena *a, size_t need, size_t usual)
{
	if (need > SIZE_MAX / 2)
		ctx_unwind(a->ctx);
	arena_chunk *c = spare_take(a->ctx, need, usual);
	if (!c) {
		size_t size = need > usual / 2 ? need : usual;
		c = chunk_new(a->ctx, size);
		if (!c)
			ctx_unwind(a->ctx);
		c->size = size;
	}
	if (a->chunks)
		a->chunks->data_end = a->at;
	c->prev = a->chunks;
	a->chunks = c;
	a->total += c->size;
	a->at = c->data;
	a->end = c->data + c->size;
}

/* Returns the size of the next chunk of an arena that holds `held` bytes: most arenas hold little,
 * some very much. */
static size_t chunk_size(size_t held)
{
	size_t size = CHUNK_FIRST;
	while (size < CHUNK && size < held)
		size *= 2;
	while (size < held / 4 && size < CHUNK_MAX)
		size *= 2;
	if (held >= HUGE_PAGE)
		size = (size_t)max_i64((int64_t)size, HUGE_PAGE) - sizeof(arena_chunk);
	return size;
}

/* Returns the size that an object takes; exact if each object has its own chunk. An empty one takes
 * something too, so that no mark is at the start of a chunk that arena_grow() may move. */
static size_t rounded(size_t size)
{
#ifdef TESS_ARENA_DEBUG
	return size;
#else
	return size ? (size + (ARENA_ALIGN - 1)) & ~(size_t)(ARENA_ALIGN - 1) : ARENA_ALIGN;
#endif
}

void *arena_alloc_slowly(arena *a, size_t size)
{
	size_t need = rounded(size);
	if (need < size)
		ctx_unwind(a->ctx);
#ifdef TESS_ARENA_DEBUG
	add_chunk(a, size, size);
	char *own = a->at;
	a->at = a->end;
	return own;
#endif
	if (UNLIKELY((size_t)(a->end - a->at) < need))
		add_chunk(a, need, chunk_size(a->total));
	char *p = a->at;
	a->at += need;
	return p;
}

void *arena_grow(arena *a, void *old, size_t old_size, size_t size)
{
	size_t have = rounded(old_size), need = rounded(size);
	bool newest = old && a->at == (char *)old + have;
	if (old && need <= have)
		return old;
	if (newest && (size_t)(a->end - (char *)old) >= need) {
		a->at = (char *)old + need;
		return old;
	}
	if (newest && (char *)old == a->chunks->data) {
		arena_chunk *c = ctx_realloc(a->ctx, a->chunks, sizeof(arena_chunk) + need);
		if (!c)
			ctx_unwind(a->ctx);
		a->total += need - c->size;
		c->size = need;
		a->chunks = c;
		a->at = a->end = c->data + need;
		return c->data;
	}
	void *p = arena_alloc(a, size);
	if (old_size)
		memcpy(p, old, old_size);
	return p;
}

void *arena_copy(arena *a, const void *src, size_t size)
{
	void *p = arena_alloc(a, size);
	if (size)
		memcpy(p, src, size);
	return p;
}

tess_str arena_str(arena *a, tess_str s)
{
	char *p = arena_alloc(a, s.len + 1);
	if (s.len)
		memcpy(p, s.ptr, s.len);
	p[s.len] = 0;
	return (tess_str){p, s.len};
}

char *arena_vprintf(arena *a, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	char *p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

char *arena_printf(arena *a, const char *fmt, ...)
{
	PRINTED(p, a, fmt);
	return p;
}

arena_mark arena_here(const arena *a)
{
	return (arena_mark){a->chunks, a->at};
}

void arena_back(arena *a, arena_mark m)
{
#ifdef TESS_ARENA_DEBUG
	if (a == &a->ctx->perm)
		abort();
#endif
	while (a->chunks != m.chunk) {
		arena_chunk *c = a->chunks;
		a->chunks = c->prev;
		chunk_free(a, c);
	}
	a->at = m.at;
	a->end = m.chunk ? m.chunk->data + m.chunk->size : NULL;
}

void *vec_grow_(arena *a, void *ptr, int *cap, int need, size_t elem)
{
	int old = *cap, to = old ? old : 4;
#ifdef TESS_ARENA_DEBUG
	to = old ? old : 1;
#endif
	while (to < need) {
		if (to > INT32_MAX / 2)
			ctx_unwind(a->ctx);
		to *= 2;
	}
	ptr = arena_grow(a, ptr, (size_t)old * elem, (size_t)to * elem);
	*cap = to; /* only now, since growing may unwind */
	return ptr;
}

NORETURN void ctx_unwind(tess_ctx *ctx)
{
	if (!ctx->frame) {
		fputs("tessera: out of memory outside of an API call\n", stderr);
		abort();
	}
	ctx->unwound = true;
	longjmp(*ctx->frame, 1);
}
