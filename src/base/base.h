/* base.h - the interface of base: memory, strings, tables, diagnostics.
 *
 * Memory has three lifetimes (context, module, scratch), each an arena. Arena allocation never
 * returns NULL: when memory runs out, it unwinds by longjmp to the frame that api/ has set, so
 * inner functions need no checks. */
#ifndef TESS_BASE_BASE_H
#define TESS_BASE_BASE_H

#include <assert.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tessera/core.h>
#include <tessera/diag.h>

#define ASSERT(x) assert(x)
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#if defined(__GNUC__)
#define PRINTF(f, a) __attribute__((format(printf, f, a)))
#define NORETURN __attribute__((noreturn))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define LIKELY(x) __builtin_expect(!!(x), 1)
/* Prefetches the memory at p, which may be NULL. */
#define PREFETCH(p) __builtin_prefetch(p)
#else
#define PRINTF(f, a)
#define NORETURN
#define UNLIKELY(x) (x)
#define LIKELY(x) (x)
#define PREFETCH(p) ((void)(p))
#endif
#define UNUSED(x) ((void)(x))

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
int64_t gcd_i64(int64_t a, int64_t b);
static inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Checked arithmetic for untrusted numbers. */
static inline bool mul_ok(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}
static inline bool add_ok(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

/* ---- arena ------------------------------------------------------------- */

enum { SPARE_CLASSES = 9 };
typedef struct arena_chunk arena_chunk;
typedef struct arena {
	tess_ctx *ctx;
	char *at, *end; /* the free part of the newest chunk */
	arena_chunk *chunks;
	size_t total; /* bytes held */
} arena;

void arena_init(arena *a, tess_ctx *ctx);
void arena_free(arena *a); /* frees everything; the arena may be used again */
void arena_drop_spare(tess_ctx *ctx); /* frees chunks that are kept for other arenas */

enum { ARENA_ALIGN = 8 }; /* enough for everything in them */
/* Called if the newest chunk may have no room, or if each object has its own chunk. */
void *arena_alloc_slowly(arena *a, size_t size);
/* Uninitialized, aligned to 8. Never NULL. */
static inline void *arena_alloc(arena *a, size_t size)
{
#ifndef TESS_ARENA_DEBUG
	const size_t up = ARENA_ALIGN - 1;
	size_t need = (size + up) & ~up; /* 0 for nothing, and for far too large sizes */
	if (need - 1 < (size_t)(a->end - a->at)) {
		char *p = a->at;
		a->at += need;
		return p;
	}
#endif
	return arena_alloc_slowly(a, size);
}
static inline void *arena_zalloc(arena *a, size_t size)
{
	return memset(arena_alloc(a, size), 0, size);
}
/* Resizes `old` (of `old_size` bytes, from this arena) to `size` bytes; in place if possible. */
void *arena_grow(arena *a, void *old, size_t old_size, size_t size);
void *arena_copy(arena *a, const void *src, size_t size);
char *arena_printf(arena *a, const char *fmt, ...) PRINTF(2, 3);
char *arena_vprintf(arena *a, const char *fmt, va_list ap) PRINTF(2, 0);
/* In a function whose last parameters are `fmt` and `...`: declares `text`, the formatted text. */
#define PRINTED(text, mem, fmt)                                                                    \
	va_list text##_ap;                                                                         \
	va_start(text##_ap, fmt);                                                                  \
	char *text = arena_vprintf(mem, fmt, text##_ap);                                           \
	va_end(text##_ap)
tess_str arena_str(arena *a, tess_str s); /* a copy, NUL-terminated */

#define NEW(a, T) ((T *)arena_zalloc((a), sizeof(T)))
#define NEW_N(a, T, n) ((T *)arena_zalloc((a), sizeof(T) * (size_t)(n)))
#define COPY_N(a, src, n) arena_copy((a), (src), sizeof(*(src)) * (size_t)(n))

/* Marks allow a loop to reuse scratch memory: take a mark, work, return to it. Everything allocated
 * after the mark is gone. Never use them on a context's `perm`, where properties of shared objects
 * are stored on demand (attr_ints). */
typedef struct arena_mark {
	arena_chunk *chunk;
	char *at;
} arena_mark;
arena_mark arena_here(const arena *a);
void arena_back(arena *a, arena_mark m);

/* ---- vector: VEC(int) v = {0}; vec_push(arena, &v, 3); ------------------ */

#define VEC(T)                                                                                     \
	struct {                                                                                   \
		T *ptr;                                                                            \
		int len, cap;                                                                      \
	}
void *vec_grow_(arena *a, void *ptr, int *cap, int need, size_t elem);
#define vec_reserve(a, v, n)                                                                       \
	((v)->cap >= (n) ? (void)0                                                                 \
	                 : (void)((v)->ptr = vec_grow_((a), (v)->ptr, &(v)->cap, (n),              \
	                                               sizeof(*(v)->ptr))))
#define vec_push(a, v, ...)                                                                        \
	(vec_reserve((a), (v), (v)->len + 1), (void)((v)->ptr[(v)->len++] = (__VA_ARGS__)))

/* ---- strings ------------------------------------------------------------ */

#define STR(lit) ((tess_str){(lit), sizeof(lit) - 1})
static inline tess_str str_of(const char *s) { return (tess_str){s, strlen(s)}; }
static inline bool str_eq(tess_str a, tess_str b)
{
	return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}
static inline bool str_is(tess_str a, const char *lit)
{
	return a.len == strlen(lit) && memcmp(a.ptr, lit, a.len) == 0;
}
bool str_starts(tess_str s, const char *prefix);
bool str_ends(tess_str s, const char *suffix);
int str_cmp(tess_str a, tess_str b);
/* For printf's "%.*s". */
#define STR_ARG(s) (int)(s).len, (s).ptr

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);
static inline uint64_t hash_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9E3779B97F4A7C15u;
	return h ^ (h >> 32);
}

/* An interned string: equal if the pointers are. Lives as long as the context. */
typedef struct name {
	uint32_t id; /* dense from 0; the first are those of names.def, in order */
	uint32_t len;
	uint64_t hash;
	char s[]; /* NUL-terminated */
} name;

const name *name_of(tess_ctx *ctx, tess_str s);
uint64_t name_hash(tess_str s); /* name.hash of a text, interned or not */
const name *name_of_z(tess_ctx *ctx, const char *s);
static inline tess_str name_str(const name *n) { return (tess_str){n->s, n->len}; }

/* Names that the code refers to: N_dimension is the id of "dimension". */
enum {
#define NAME(id, text) N_##id,
#include "base/names.def"
#undef NAME
	N_COUNT
};
const name *name_known(const tess_ctx *ctx, int id);
static inline bool name_is(const name *n, int id) { return n->id == (uint32_t)id; }

/* ---- hash tables -------------------------------------------------------- */

/* Hash-consing: objects of one kind, found by content, equal if the pointers are. */
typedef struct cons_tab {
	struct cons_slot {
		uint64_t hash;
		void *obj;
	} *slots;
	uint32_t len, cap; /* cap is 0 or a power of two */
} cons_tab;
typedef bool cons_eq(const void *obj, const void *key);
/* Returns the object equal to `key`, or NULL. */
void *cons_find(const cons_tab *t, uint64_t hash, cons_eq *eq, const void *key);
/* Adds an object that cons_find() did not find. */
void cons_add(cons_tab *t, arena *a, uint64_t hash, void *obj);

/* Maps pointers (or any 64-bit keys except 0) to pointers. */
typedef struct ptr_map {
	struct ptr_slot {
		uint64_t key;
		void *val;
	} *slots;
	uint32_t len, cap;
} ptr_map;
void *ptr_map_get(const ptr_map *m, const void *key); /* NULL if absent */
/* Returns the slot of `key`, created (with NULL) if absent; valid until the next call. */
void **ptr_map_at(ptr_map *m, arena *a, const void *key);

/* ---- writer: output to memory, or in pieces ------------------------------------------------- */

/* Receives a piece of text; returns false on failure. */
typedef bool text_sink(void *user, tess_str text);

typedef struct writer writer;
struct writer {
	char *ptr;
	size_t len, cap;
	arena *mem;      /* without a sink, the text is ptr[0..len) */
	text_sink *sink; /* receives the text when the buffer is full, and by writer_flush() */
	void *user;
	bool failed; /* the sink failed, and gets no further text */
};
void writer_init(writer *w, arena *mem);
void writer_to_sink(writer *w, arena *mem, text_sink *sink, void *user);
bool writer_flush(writer *w); /* false if the sink has failed */
void writer_room_(writer *w, size_t n);
static inline void put_mem(writer *w, const void *p, size_t n)
{
	if (UNLIKELY(!n)) /* the buffer may not exist yet */
		return;
	if (UNLIKELY(w->cap - w->len < n))
		writer_room_(w, n);
	memcpy(w->ptr + w->len, p, n);
	w->len += n;
}
static inline void put_c(writer *w, char c)
{
	if (UNLIKELY(w->len == w->cap))
		writer_room_(w, 1);
	w->ptr[w->len++] = c;
}
#define put_lit(w, lit) put_mem((w), (lit), sizeof(lit) - 1)
static inline void put_z(writer *w, const char *s) { put_mem(w, s, strlen(s)); }
static inline void put_str(writer *w, tess_str s) { put_mem(w, s.ptr, s.len); }
static inline void put_name(writer *w, const name *n) { put_mem(w, n->s, n->len); }
void put_int(writer *w, int64_t v);
void put_uint(writer *w, uint64_t v);
void put_spaces(writer *w, int n);
/* An amount in the unit that suits it, in powers of 1000. */
void put_bytes(writer *w, double bytes); /* "1.5 GB", "312 B" */
void put_seconds(writer *w, double s);   /* "1.25 ms" */
void put_count(writer *w, double n);     /* "4.3 G" */
void put_hex(writer *w, const void *data, size_t n); /* two digits per byte: 0A */
void hex_digits(char *to, const void *data, size_t n); /* the same to memory: 2 n characters */
void put_f(writer *w, const char *fmt, ...) PRINTF(2, 3);
void put_quoted(writer *w, tess_str s); /* an MLIR string: "a\22b" */
void put_json_string(writer *w, tess_str s); /* Python reads it as the same string */
void put_symbol(writer *w, tess_str s); /* an MLIR symbol: @main, @"odd name" */
static inline tess_str writer_str(const writer *w) { return (tess_str){w->ptr, w->len}; }
/* The same, terminated with a zero. */
static inline char *writer_z(writer *w)
{
	put_c(w, 0);
	return w->ptr;
}

/* Writes JSON: json_obj(j); json_key(j, "a"); json_int(j, 1); json_end(j). */
typedef struct json {
	writer *w;
	int depth;
	bool comma, keyed, pretty;
	char close[64];
} json;
void json_init(json *j, writer *w, bool pretty);
void json_obj(json *j);
void json_arr(json *j);
void json_end(json *j);
void json_key(json *j, const char *key);
void json_str(json *j, tess_str s);
void json_z(json *j, const char *s);
void json_int(json *j, int64_t v);
void json_num(json *j, double v); /* null if not finite */
/* A member of an object: its key and its value, or the start of the value. */
void json_key_str(json *j, const char *key, tess_str v);
void json_key_z(json *j, const char *key, const char *v);
void json_key_int(json *j, const char *key, int64_t v);
void json_key_num(json *j, const char *key, double v);
void json_key_bool(json *j, const char *key, bool v);
void json_key_obj(json *j, const char *key);
void json_key_arr(json *j, const char *key);

/* ---- source texts and diagnostics ---------------------------------------- */

/* A file in memory: mapped, read from standard input ("-"), or gunzipped. */
typedef struct file_text {
	tess_str text;
	void *map;
	size_t map_len;
	void *heap;
} file_text;

/* Finds the position of a part of an operation's attributes: op_attr_place() in ir/ir.h. */
typedef struct place place;
struct module;
struct tess_op;
typedef bool find_attr_fn(const struct module *m, const struct tess_op *o, const int *part,
                          place *out);
/* Finds the location of an operation, or of a block argument, at that byte. */
struct tess_attr;
typedef const struct tess_attr *find_loc_fn(const struct module *m, uint32_t at, bool of_arg);

/* A text that diagnostics point into. Lives as long as the context. */
typedef struct source {
	const char *name;
	tess_str text;
	uint32_t *line_starts; /* created on demand */
	uint32_t n_lines;
	uint32_t first_line; /* number of the first line, usually 1 */
	bool mapped;         /* the text is part of a mapped file */
	uint32_t n_users;    /* number of modules that refer to it */
	file_text file;      /* freed when the last of them leaves */
	struct source *next;
	find_attr_fn *find_attr; /* set by the reader of its language; may be NULL */
	find_loc_fn *find_loc;   /* the same */
	void *reader;            /* data for find_loc() */
	bool binary;             /* not a text: positions are bytes, values have no names */
	uint64_t skipped;        /* bytes of the file before the text, for diagnostics */
} source;

/* A range of a source text; src NULL: the place is unknown. */
struct place {
	source *src;
	uint32_t begin, end;
	uint32_t op; /* for a part of an operation: 1 + the start of that operation; else 0 */
};
#define NOWHERE ((place){0})

/* `text` must live as long as the source is used. */
source *source_new(tess_ctx *ctx, const char *name, tess_str text);
/* Readers call this about once per SOURCE_STRETCH bytes, after advancing from offset `from` to
 * `to`. If the text is mapped, that memory is released; the system reads it again when it is
 * needed. */
enum { SOURCE_STRETCH = 128 << 10 };
void source_passed(const source *src, size_t from, size_t to);
/* Drops one user of the source. */
void source_leave(tess_ctx *ctx, source *src);
void place_line_col(tess_ctx *ctx, place p, uint32_t *line, uint32_t *col);

/* Codes never change. Each layer has its hundreds, see diag.def. */
typedef enum diag_code {
#define DIAG(code, id) E_##id = code,
#include "base/diag.def"
#undef DIAG
} diag_code;

/* These three return false, so that a failing function can `return diag_error(…)`. Messages are
 * lower case, and say what was found and what would be right. */
bool diag_error(tess_ctx *ctx, place at, diag_code code, const char *fmt, ...) PRINTF(4, 5);
bool diag_warn(tess_ctx *ctx, place at, diag_code code, const char *fmt, ...) PRINTF(4, 5);
bool diag_remark(tess_ctx *ctx, place at, diag_code code, const char *fmt, ...) PRINTF(4, 5);
/* True the first time in the life of the context: for warnings that are only given once. */
bool diag_first(tess_ctx *ctx, diag_code code);
/* Adds a note to the last diagnostic. */
void diag_note(tess_ctx *ctx, place at, const char *fmt, ...) PRINTF(3, 4);

typedef struct diag {
	tess_severity severity;
	diag_code code;
	const char *label; /* "E0213"; "" for notes */
	const char *file;
	uint32_t line, col, end_col;
	uint32_t op_line; /* 0, or the line of the operation that the place is in */
	tess_str message, line_text;
} diag;
int diag_count(const tess_ctx *ctx);
const diag *diag_at(const tess_ctx *ctx, int i);
int diag_errors(const tess_ctx *ctx);
/* False once there are so many errors that another one is only counted. */
bool diag_is_kept(const tess_ctx *ctx);
void diag_clear(tess_ctx *ctx);
const char *severity_word(tess_severity s); /* "error" */
/* Adds the diagnostics of another context. */
void diags_copy(tess_ctx *ctx, const tess_ctx *from);
/* diag_back() drops the diagnostics since diag_here(). */
typedef struct diag_mark {
	int n, n_errors;
} diag_mark;
diag_mark diag_here(const tess_ctx *ctx);
void diag_back(tess_ctx *ctx, diag_mark mark);
/* Writes "file:2:3: error[E0213]: …", the line, and a caret. */
void diag_render(tess_ctx *ctx, writer *w, bool color);

/* ---- context --------------------------------------------------------------- */

/* Each layer has its own tables in the context, created on demand. */
typedef enum layer_slot { SLOT_SHARDING, SLOT_IR, SLOT_OP, SLOT_BUILD, SLOT_RULES, SLOT_MLIR,
	SLOT_SHAPE, SLOT_HLO, SLOT_ARRAY, SLOT_COUNT } layer_slot;

struct tess_ctx {
	tess_ctx_opts opts;
	arena perm;    /* interned objects */
	arena scratch; /* temporary memory of a call; the frame in api/ empties it */
	arena diag_mem;
	arena text; /* text being written for the caller; the frame empties it, too */
	cons_tab names_tab;
	VEC(const name *) names;
	VEC(diag) diags;
	uint64_t diags_said[32]; /* a bit for each code: diag_first() */
	source *sources;
	int n_errors;
	void *slot[SLOT_COUNT];
	jmp_buf *frame; /* where to unwind when memory runs out */
	bool unwound;   /* it did, and frame_end() was not called yet */
	arena_chunk *spare[SPARE_CLASSES]; /* chunks that no arena uses now, by size */
	size_t spare_total;                /* total bytes of these */
};
tess_ctx *ctx_new(const tess_ctx_opts *opts);
void ctx_free(tess_ctx *ctx);
/* Called before a phase that needs much memory: returns what is free to the system. */
void ctx_trim(tess_ctx *ctx);
NORETURN void ctx_unwind(tess_ctx *ctx);
void *ctx_realloc(tess_ctx *ctx, void *old, size_t size); /* may return NULL */

/* ---- files ------------------------------------------------------------------ */

/* Returns TESS_OK, TESS_IO (with a diagnostic) or TESS_NOMEM. */
tess_status file_read(tess_ctx *ctx, const char *path, file_text *out);
/* The same; `name` is for diagnostics. */
tess_status file_gunzip(tess_ctx *ctx, const char *name, tess_str text, file_text *out);
bool file_is_gzip(tess_str text);
/* Copies a text. @return TESS_OK or TESS_NOMEM */
tess_status file_copy(tess_ctx *ctx, tess_str text, file_text *out);
void file_close(tess_ctx *ctx, file_text *f);

#include "base/pool.h"

#endif
