/* tessera/shards.h - programs run on what each device holds.
 *
 * tess_exec_run() takes whole tensors, cuts them and puts results together.  A framework whose values
 * lie on devices has the parts already, and wants parts: here they go in and come out as buffers that
 * are counted, so that nothing is copied, a value that all devices hold is one buffer, and what a
 * run gives is what the next one takes.
 *
 * Buffers and pools belong to no context and may be used by any thread. */
#ifndef TESSERA_SHARDS_H
#define TESSERA_SHARDS_H

#include <tessera/run.h>
#include <tessera/sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- buffers --------------------------------------------------------------------- */

/** Memory with a number of references to it; the last one that goes releases it. */
typedef struct tess_buffer tess_buffer;

/** @return memory of at least `bytes`, uninitialised and aligned to 64, with one reference; NULL: there
 *  is none. */
TESS_API TESS_GIVE tess_buffer *tess_buffer_new(size_t bytes);
/** Memory of the caller's, which runs only read.
 *  @param data aligned to 16.  It must stay until release(user) is called, by the thread that gives up
 *  the last reference.  `release` may be NULL.
 *  @return one reference; NULL: there is no memory, and release() is not called. */
TESS_API TESS_GIVE tess_buffer *tess_buffer_wrap(const void *data, size_t bytes,
                                                 void (*release)(void *user), void *user);
/** @return the buffer, with one more reference. */
TESS_API TESS_GIVE tess_buffer *tess_buffer_share(tess_buffer *b);
TESS_API void tess_buffer_free(TESS_TAKE tess_buffer *b); /**< gives up one; NULL: nothing */
TESS_API void *tess_buffer_data(const tess_buffer *b);
TESS_API size_t tess_buffer_bytes(const tess_buffer *b);

/* ---- programs ---------------------------------------------------------------------- */

/* A program for shards is made by tess_exec_new() with opts.shards.  tess_exec_devices(),
 * tess_exec_input() and the like say what it takes and gives as a whole; what one device has of that: */

/** Type of what each device holds of an input; `data` is NULL.  @return false if `i` is out of range. */
TESS_API bool tess_exec_input_shard(const tess_exec *e, size_t i, tess_tensor *out);
TESS_API bool tess_exec_output_shard(const tess_exec *e, size_t i, tess_tensor *out);
/** How an input is sharded, after propagation.  Of one that is unreduced each device holds a term.
 *  @param mesh may be NULL.
 *  @return NULL: all devices hold it whole (or `i` is out of range). */
TESS_API const tess_sharding *tess_exec_input_sharding(const tess_exec *e, size_t i,
                                                       const tess_mesh **mesh);
TESS_API const tess_sharding *tess_exec_output_sharding(const tess_exec *e, size_t i,
                                                        const tess_mesh **mesh);

/** Runs the program on shards.  Several threads may call this for one `e`, or for several of one
 *  context, at the same time; meanwhile the context may be used for something else.  Of programs that
 *  were made with opts.ranks only the devices of this rank have inputs and outputs (those of others
 *  are not looked at, and become NULL); all ranks that have devices must run the programs that talk
 *  (tess_exec_talks()) in the same order, and such runs take turns.
 *  @param inputs [input * devices + device], row-major, as tess_exec_input_shard() says, and aligned to
 *  16.  Devices that hold the same part of a value have equal bytes, best the same buffer: one of them
 *  is read.  Nothing is copied.
 *  @param donated [input], or NULL: whether the caller gives up its references to the input, one for
 *  each device, however the run ends.  Where that was the last one the memory becomes that of outputs.
 *  A buffer that is donated must not be another input too.
 *  @param outputs [output * devices + device]: each a reference, to be given up with tess_buffer_free();
 *  devices that provably hold the same share one buffer, which may be that of an input.  All NULL
 *  unless TESS_OK is returned.
 *  @param errors receives the reasons; a context that no other thread uses now.  May be NULL.
 *  @return TESS_OK; TESS_INVALID if a buffer is missing or has another size, or if the run fails;
 *  TESS_STOPPED; TESS_NOMEM; TESS_USAGE if `e` was not made with opts.shards, or a list is NULL. */
TESS_API tess_status tess_exec_run_shards(tess_exec *e, tess_buffer *const *inputs,
                                          const bool *donated, TESS_GIVE tess_buffer **outputs,
                                          tess_ctx *errors);

/** Whether a run exchanges anything with other ranks. */
TESS_API bool tess_exec_talks(const tess_exec *e);
/** Instead of a run that does not take place on this rank: those of the other ranks, which wait for it,
 *  end with TESS_INVALID and this reason.  Nothing, if `e` does not talk. */
TESS_API void tess_exec_give_up(tess_exec *e, const char *why);

/* ---- programs that are planned once ------------------------------------------------- */

/** Programs for shards, found again by their text and options.  Any thread may ask. */
typedef struct tess_plans tess_plans;

/** @param keep how many programs without references are kept for later requests.
 *  @return what to release with tess_plans_free(), or NULL: there is no memory. */
TESS_API TESS_GIVE tess_plans *tess_plans_new(size_t keep);
/** Programs that still have references live on. */
TESS_API void tess_plans_free(TESS_TAKE tess_plans *p);
/** Plans the program for tess_exec_run_shards(), unless that was done before: then it gives the same
 *  one.  Threads that ask for one that is being planned wait for it; others do not.
 *  @param program as for tess_module_parse().
 *  @param name appears in locations.
 *  @param opts NULL for the defaults; `shards` is taken as set, `direct`, `ranks` and `trace` must not
 *  be.
 *  @param errors receives what there is to say, by the call that plans; a context that no other thread
 *  uses now.  May be NULL.
 *  @param out a program to release with tess_exec_free(); its context is its own.  NULL unless TESS_OK is
 *  returned.
 *  @return TESS_OK; TESS_INVALID if the program is wrong or cannot be run so; TESS_NOMEM; TESS_USAGE. */
TESS_API tess_status tess_plans_get(tess_plans *p, tess_str program, const char *name,
                                    const tess_exec_opts *opts, tess_ctx *errors,
                                    TESS_GIVE tess_exec **out);

#ifdef __cplusplus
}
#endif
#endif
