/* tessera/core.h - contexts, the status of a call, and the conventions that hold for every header.
 *
 *     tess_ctx *ctx = tess_ctx_new(NULL);
 *     tess_module *m = tess_module_parse_file(ctx, "examples/mlp.mlir", NULL);
 *     tess_status done = m ? tess_module_propagate(m) : TESS_INVALID;
 *     if (done == TESS_OK) {
 *             tess_print_opts opts = TESS_PRINT_OPTS_INIT;
 *             opts.keep_names = true;
 *             char *text = tess_module_print(m, &opts);
 *             puts(text);
 *             tess_text_free(text);
 *     } else {
 *             char *why = tess_diag_render(ctx, false);
 *             fputs(why, stderr);
 *             tess_text_free(why);
 *     }
 *     tess_module_free(m);
 *     tess_ctx_free(ctx);
 *
 * The names above are declared in tessera/module.h, tessera/partition.h and tessera/diag.h. The
 * example at the top of each header is compiled and run by the tests; where it does not declare
 * `ctx` and `m` itself, they are a context and the module of examples/mlp.mlir.
 *
 * CONVENTIONS
 *
 * Contexts. The library has no global state: everything belongs to a tess_ctx. One thread at a time
 * may use a context; different threads may use different contexts at the same time. Objects of one
 * context must not be passed to another. (tess_buffer, tess_pool and tess_plans belong to no
 * context; tessera/run.h and tessera/shards.h say which threads may use them.)
 *
 * Ownership. A function marked TESS_GIVE returns, or stores in its `out` parameter, something that
 * the caller owns and must release with the matching tess_*_free(). Every other pointer that the
 * library returns is borrowed: it lives as long as its owner, which is the context for interned
 * objects (types, attributes, meshes, shardings, shapes) and the module for operations, blocks and
 * values. TESS_TAKE marks a parameter that the function takes ownership of. All that a context has
 * given away must be released before the context, except texts.
 *
 * Arguments. The library copies what it needs of its arguments during the call, and keeps none of
 * the caller's pointers, except callbacks and their `user` and where a comment says otherwise.
 *
 * Errors. A function that performs an action returns a tess_status. A function that creates or
 * finds something returns a pointer, which is NULL if the function failed. (In tessera/array.h and
 * tessera/spmd.h, functions with several results return how many there are as an int, and -1 if
 * they failed.) The reasons are diagnostics in the context (tessera/diag.h). If a function fails
 * without a new diagnostic, memory ran out or the arguments break the rules of the comment. The
 * context can be used after any failure; a module too, unless the comment says otherwise.
 *
 * Queries. Functions that return a count, a member or a kind cannot fail and report nothing. If
 * what they are asked for does not exist, or if they are passed NULL, they return NULL, 0, false,
 * or a tess_str whose ptr is NULL; a comment names any other value.
 *
 * NULL. A pointer argument may be NULL where its comment says what that means. In addition, options
 * may always be NULL, which selects the defaults, and a list of 0 items may be NULL. Any other NULL
 * makes the function do nothing and return TESS_USAGE or NULL. Freeing NULL does nothing.
 *
 * Texts. A tess_str is borrowed and need not end with a zero byte. A text that a function composes
 * is a `char *` that ends with a zero byte; release it with tess_text_free().
 *
 * Integer types. Counts and list indices are size_t. Ranks and dimension numbers are int. Dimension
 * sizes, device numbers and device counts are int64_t. Byte sizes are size_t for memory in this
 * process, int64_t or double in estimates. Times are seconds.
 *
 * Structs that the caller fills start with `struct_size` and have an initializer TESS_…_INIT that
 * sets it and the defaults, as `opts` above. Later versions may add fields at the end; programs
 * that were compiled earlier then get the defaults of these.
 *
 * "Experimental" in a comment means that names and structs may still change. */
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
#define TESS_GIVE /* the caller owns the result */
#define TESS_TAKE /* the function takes ownership of the argument */

/** A borrowed piece of text, which need not end with a zero byte. ptr NULL: there is none. */
typedef struct tess_str {
	const char *ptr;
	size_t len;
} tess_str;

/** Returns a C string as a tess_str, which borrows it. NULL gives the empty one. */
static inline tess_str tess_str_of(const char *z) { return (tess_str){z, z ? strlen(z) : 0}; }

/** The result of a call. Values are never renumbered. */
typedef enum tess_status {
	TESS_OK = 0,
	TESS_INVALID = 1, /**< the input is wrong; diagnostics say where and why */
	TESS_NOMEM = 2,   /**< memory ran out */
	TESS_IO = 3,      /**< a file could not be read or written */
	TESS_USAGE = 4,   /**< the arguments are wrong: NULL, an object of another context, … */
	TESS_FAILED = 5,  /**< the work was done, and what it checks does not hold */
	TESS_STOPPED = 6, /**< a callback asked to stop */
} tess_status;

/** The largest rank of a shape (tessera/shape.h), and the room to reserve for its dimensions.
 *  Tensors of programs that are run have at most 32 dimensions; those of array programs and
 *  marked tensors at most 16. Programs that are only read and printed have no such limit. */
#define TESS_MAX_RANK 64

/** Releases a text that a function has given to the caller. A text may outlive its context, but
 *  not the state that tess_ctx_opts.realloc uses. */
TESS_API void tess_text_free(TESS_TAKE char *text);

/** A context: the owner of interned objects and diagnostics, and the source of memory. */
typedef struct tess_ctx tess_ctx;

/** Limits and hooks of a context. */
typedef struct tess_ctx_opts {
	size_t struct_size;
	/** Where all memory of the context comes from. Like realloc(): `old` NULL allocates,
	 *  `size` 0 frees, and NULL is returned when memory runs out. NULL: the C library's
	 *  realloc(). */
	void *(*realloc)(void *user, void *old, size_t size);
	void *user; /**< passed to `realloc` and `trim` */
	uint32_t max_depth;  /**< of nested regions, types, attributes; 0: 256 */
	uint32_t max_errors; /**< how many errors are kept; later ones are only counted; 0: 100 */
	/** Called when a large program is about to need memory and much has just been freed. A
	 *  program that has the process to itself may call malloc_trim() here. NULL: nothing is
	 *  called. */
	void (*trim)(void *user);
} tess_ctx_opts;
#define TESS_CTX_OPTS_INIT {.struct_size = sizeof(tess_ctx_opts)}

/** Creates a context.
 *  @return the context, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_ctx *tess_ctx_new(const tess_ctx_opts *opts);
/** Releases a context with everything interned in it and its diagnostics. Everything else that
 *  its functions have given to the caller, except texts, must have been released before. */
TESS_API void tess_ctx_free(TESS_TAKE tess_ctx *ctx);

/** Returns the version of the library, "1.2.3". The text is static. */
TESS_API const char *tess_version(void);
/** Returns which optional parts the library was built with, as lines "name value". The text is
 *  static. The functions of a part that is missing report an error (E_BUILT_WITHOUT). */
TESS_API const char *tess_features(void);

#ifdef __cplusplus
}
#endif
#endif
