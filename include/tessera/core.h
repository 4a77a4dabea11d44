/* tessera/core.h - what every other header of tessera needs.
 *
 * Conventions of the whole API:
 *
 * Contexts.  Nothing is global: everything belongs to a tess_ctx.  A context is used by one
 * thread at a time; two contexts may be used by two threads.  What belongs to one context must
 * not be given to another.
 *
 * Ownership.  Handles are opaque.  What a function marked TESS_GIVE returns is yours, to be
 * released with the matching tess_*_free(); everything else is borrowed and lives as long as its
 * owner.  TESS_TAKE marks a parameter whose ownership passes to the function.
 *
 * Errors.  There are two kinds of functions that can fail.  One that does something returns a
 * tess_status.  One that makes or finds something returns a pointer, NULL if it failed.  (In
 * tessera/array.h and tessera/spmd.h, which are experimental, what gives several results returns
 * how many as an int, -1 if it failed.)  The
 * reasons are diagnostics in the context (tessera/diag.h); if there are none, memory ran out or
 * the call itself is wrong.  After either the context can be used as before.
 *
 * Queries (counts, members, kinds) cannot fail and have no diagnostics.  For what is not there
 * they answer NULL, 0, false, a text whose ptr is NULL, or what their comment says; so they do
 * when they are asked of NULL.
 *
 * NULL.  A pointer may be NULL only where the comment says what that means; options may always be
 * NULL, for the defaults, and so may a list of no items.  Otherwise nothing is done, and the
 * answer is TESS_USAGE, or NULL.  Releasing NULL does nothing.
 *
 * Texts.  A tess_str is borrowed: a name that lives as long as its context or as the comment says.
 * A text that is put together for you, by the functions that print, is a `char *` that ends with a
 * zero and is yours until you give it to tess_text_free().
 *
 * Sizes.  Counts and indices of lists are size_t, ranks and numbers of dimensions int; sizes of
 * dimensions, devices and their numbers int64_t.
 *
 * Structs that a caller fills have an initialiser, TESS_…_INIT, which sets their size: fields may
 * be added at their end.
 */
#ifndef TESSERA_CORE_H
#define TESSERA_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TESS_API __attribute__((visibility("default")))
#else
#define TESS_API
#endif
#define TESS_GIVE
#define TESS_TAKE

/** A borrowed piece of text; not necessarily NUL-terminated. */
typedef struct tess_str {
	const char *ptr;
	size_t len;
} tess_str;

/** A text of C as one to hand over. */
static inline tess_str tess_str_of(const char *z) { return (tess_str){z, z ? strlen(z) : 0}; }

/** How a call ended.  Values are never renumbered. */
typedef enum tess_status {
	TESS_OK = 0,
	TESS_INVALID = 1, /**< the input is wrong; diagnostics say where and why */
	TESS_NOMEM = 2,   /**< memory ran out; the context stays usable */
	TESS_IO = 3,      /**< a file could not be read or written */
	TESS_USAGE = 4,   /**< the call itself is wrong (NULL, other context, …) */
	TESS_FAILED = 5,  /**< a check failed (verify, expect_*) */
	TESS_STOPPED = 6, /**< a callback of the caller's ended the work */
} tess_status;

/** The most dimensions of a shape (tessera/shape.h), and the room that arrays of dimensions need.
 *  Programs that are run have at most 32, array programs and marked tensors 16; text can have more. */
#define TESS_MAX_RANK 64

/** Releases a text that a function has given you.  It may outlive its context, but not what
 *  tess_ctx_opts.realloc needs. */
TESS_API void tess_text_free(TESS_TAKE char *text);

typedef struct tess_ctx tess_ctx;

/** Limits and hooks of a context.  Fill with TESS_CTX_OPTS_INIT first. */
typedef struct tess_ctx_opts {
	size_t struct_size;
	/** Memory source, like realloc(): `old` NULL allocates, `size` 0 frees.
	 *  NULL: the C library. */
	void *(*realloc)(void *user, void *old, size_t size);
	void *user;
	uint32_t max_depth;  /**< nesting of regions, types, attributes (256) */
	uint32_t max_errors; /**< errors kept before the rest is only counted (100) */
	/** Called when much memory has been freed and a large program is about to need
	 *  more: the moment for malloc_trim(), which a library should not call by itself.
	 *  NULL: nothing is called. */
	void (*trim)(void *user);
} tess_ctx_opts;
#define TESS_CTX_OPTS_INIT {.struct_size = sizeof(tess_ctx_opts)}

/** @param opts NULL for the defaults.
 *  @return a context to release with tess_ctx_free(), or NULL if there is no
 *  memory. */
TESS_API TESS_GIVE tess_ctx *tess_ctx_new(const tess_ctx_opts *opts);
/** Releases the context and everything interned in it.  Modules and
 *  executables of the context must have been released before. */
TESS_API void tess_ctx_free(TESS_TAKE tess_ctx *ctx);

/** The version of the library, "1.2.3", static. */
TESS_API const char *tess_version(void);
/** Which optional parts are built in, one "name value" a line, static. */
TESS_API const char *tess_features(void);

#ifdef __cplusplus
}
#endif
#endif
