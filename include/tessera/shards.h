/* tessera/shards.h - runs programs on what each device holds, without copies.
 *
 *     tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
 *     opts.shards = true;
 *     tess_exec *e = tess_exec_new(m, &opts);
 *     size_t devices = (size_t)tess_exec_devices(e), n = tess_exec_input_count(e);
 *     tess_buffer *in[3 * 8] = {0}, *out[8] = {0};
 *     for (size_t i = 0; i < n; i++)
 *             for (size_t d = 0; d < devices; d++) {
 *                     tess_tensor shard;
 *                     tess_exec_input_shard(e, i, &shard);
 *                     in[i * devices + d] = tess_buffer_new(shard.bytes);
 *                     memset(tess_buffer_data(in[i * devices + d]), 0, shard.bytes);
 *             }
 *     if (tess_exec_run_shards(e, in, NULL, out, ctx) == TESS_OK)
 *             printf("device 0 has %d bytes of the result\n", (int)tess_buffer_bytes(out[0]));
 *     for (size_t i = 0; i < n * devices; i++)
 *             tess_buffer_free(in[i]);
 *     for (size_t d = 0; d < devices; d++)
 *             tess_buffer_free(out[d]);
 *     tess_exec_free(e);
 *
 * tess_exec_run() takes whole tensors, cuts them, and puts the results together. A framework whose
 * values already are in parts passes the parts, as reference-counted buffers: nothing is copied, a
 * value that all devices hold is one buffer, and the outputs of a run can be the inputs of the
 * next.
 *
 * Buffers belong to no context, and may be used and released by any thread. */
#ifndef TESSERA_SHARDS_H
#define TESSERA_SHARDS_H

#include <tessera/run.h>
#include <tessera/sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- buffers --------------------------------------------------------------------- */

/** Reference-counted memory: it is released with the last reference. */
typedef struct tess_buffer tess_buffer;

/** Allocates at least `bytes`, not initialized, aligned to 64 bytes.
 *  @return the buffer with one reference, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_buffer *tess_buffer_new(size_t bytes);
/** Makes a buffer of memory of the caller, which runs only read.
 *  @param data aligned to 16 bytes; it must stay valid until release(user) is called.
 *  @param release called by the thread that releases the last reference; may be NULL.
 *  @return the buffer with one reference; or NULL if memory ran out: release() is then not
 *  called. */
TESS_API TESS_GIVE tess_buffer *tess_buffer_wrap(const void *data, size_t bytes,
                                                 void (*release)(void *user), void *user);
/** Adds a reference.
 *  @return the buffer. */
TESS_API TESS_GIVE tess_buffer *tess_buffer_share(tess_buffer *b);
/** Releases one reference. */
TESS_API void tess_buffer_free(TESS_TAKE tess_buffer *b);
/** Returns the memory. Memory that tess_buffer_wrap() was given must not be written. */
TESS_API void *tess_buffer_data(const tess_buffer *b);
/** Returns the size in bytes. */
TESS_API size_t tess_buffer_bytes(const tess_buffer *b);

/* ---- programs ---------------------------------------------------------------------- */

/* tess_exec_new() creates a program for shards with opts.shards. tess_exec_input() and the like
 * return the types of the whole values; the following functions return what each device holds. */

/** Gets the type of what each device holds of input `i`; `data` is NULL.
 *  @return false if `i` is out of range, or the program is not for shards. */
TESS_API bool tess_exec_input_shard(const tess_exec *e, size_t i, tess_tensor *out);
/** Does the same for output `i`. */
TESS_API bool tess_exec_output_shard(const tess_exec *e, size_t i, tess_tensor *out);
/** Returns the sharding of input `i` after propagation. If it has unreduced axes, each device holds
 *  a term of the value along these.
 *  @param mesh gets its mesh; may be NULL.
 *  @return the sharding, which lives as long as the program's context; NULL if every device
 *  holds the whole value, or `i` is out of range. */
TESS_API const tess_sharding *tess_exec_input_sharding(const tess_exec *e, size_t i,
                                                       const tess_mesh **mesh);
/** Does the same for output `i`. */
TESS_API const tess_sharding *tess_exec_output_sharding(const tess_exec *e, size_t i,
                                                        const tess_mesh **mesh);

/** Runs the program on shards. Several threads may call this at the same time, for the same program
 *  or for several of one context, and other threads may use that context meanwhile.
 *
 *  If the program was created with opts.ranks, only the devices of this rank have inputs and
 *  outputs; those of others are ignored, or set to NULL. All ranks with devices must run the
 *  programs for which tess_exec_talks() in the same order; such runs take turns.
 *  @param inputs [input * devices + device]: buffers of the type of tess_exec_input_shard(),
 *  row-major, aligned to 16 bytes. Devices that hold the same part of a value must have equal
 *  bytes, best the same buffer: only one of them is read.
 *  @param donated [input]: whether the caller gives up its references to the input, one for each
 *  device, however the run ends. The run may then use the memory for outputs, if there are no other
 *  references. A donated buffer must not be another input too. NULL: none.
 *  @param outputs [output * devices + device]: gets references, to release with tess_buffer_free().
 *  Devices that provably hold the same share one buffer, which may be that of an input. All are
 *  NULL unless the call returns TESS_OK.
 *  @param errors gets the diagnostics: a context that no other thread uses during the call; may be
 *  NULL.
 *  @return TESS_OK; TESS_INVALID if a buffer is missing or has the wrong size, or the run fails;
 *  TESS_STOPPED; TESS_NOMEM; TESS_USAGE if `e` was not created with opts.shards, or a list is
 *  NULL. */
TESS_API tess_status tess_exec_run_shards(tess_exec *e, tess_buffer *const *inputs,
                                          const bool *donated, TESS_GIVE tess_buffer **outputs,
                                          tess_ctx *errors);

/** True if runs of the program exchange data with other ranks. */
TESS_API bool tess_exec_talks(const tess_exec *e);
/** To be called instead of a run that this rank cannot start: the runs of the other ranks, which
 *  wait for it, end with TESS_INVALID and this reason. Does nothing unless tess_exec_talks(). */
TESS_API void tess_exec_give_up(tess_exec *e, const char *why);

/* ---- a cache of programs ------------------------------------------------------------- */

/** A cache of programs for shards, by their text and options. It belongs to no context, and may
 *  be used by any thread. */
typedef struct tess_plans tess_plans;

/** Creates a cache.
 *  @param keep how many programs that nobody else holds are kept for later requests.
 *  @return the cache, or NULL if memory ran out. */
TESS_API TESS_GIVE tess_plans *tess_plans_new(size_t keep);
/** Releases a cache. Programs that it has returned stay valid until tess_exec_free(). */
TESS_API void tess_plans_free(TESS_TAKE tess_plans *p);
/** Returns a program for tess_exec_run_shards() from the cache, or plans it. A thread that asks for
 *  a program that another is planning waits for it; other threads do not wait.
 *  @param program as for tess_module_parse().
 *  @param name appears in locations; NULL: "".
 *  @param opts `shards` counts as set; `direct`, `ranks` and `trace` must not be set.
 *  @param errors gets the diagnostics of a call that plans: a context that no other thread uses
 *  during the call; may be NULL.
 *  @param out gets the program, to release with tess_exec_free(). It has a context of its own. NULL
 *  unless the call returns TESS_OK.
 *  @return TESS_OK; TESS_INVALID if the program is wrong or cannot be run in this way;
 *  TESS_NOMEM; TESS_USAGE. */
TESS_API tess_status tess_plans_get(tess_plans *p, tess_str program, const char *name,
                                    const tess_exec_opts *opts, tess_ctx *errors,
                                    TESS_GIVE tess_exec **out);

#ifdef __cplusplus
}
#endif
#endif
