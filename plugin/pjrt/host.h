/* host.h - what the Python side of the plugin calls, besides the PJRT API. */
#ifndef TESS_PJRT_HOST_H
#define TESS_PJRT_HOST_H

#include <stddef.h>
#include <stdint.h>

typedef struct tess_pjrt_array {
	const char *type; /* as NumPy or ml_dtypes spells it: "float32" */
	const int64_t *dims;
	int64_t rank;
	void *data; /* row-major */
} tess_pjrt_array;

/* Runs callback `number` on behalf of a device: operands, then results to be filled.
 * @return 0, or another number once the reason is in `why`. */
typedef int tess_pjrt_host_call(uint64_t number, int64_t device, int32_t n_operands,
                                int32_t n_results, const tess_pjrt_array *arrays, char *why,
                                size_t why_room);

__attribute__((visibility("default"))) void tess_pjrt_set_host_call(tess_pjrt_host_call *fn);
/* The stages of a handler of XLA's FFI by its name: instantiate, prepare, initialize, execute; NULL where
 * it has none.  @return 0: there is no such handler. */
typedef int tess_pjrt_find_handler(const char *name, void *stages[4]);

__attribute__((visibility("default"))) void tess_pjrt_set_find_handler(tess_pjrt_find_handler *fn);
/* Runs that may still call: until there is none, the functions of executables that are gone stay. */
__attribute__((visibility("default"))) int64_t tess_pjrt_host_runs(void);
/* From now on SIGINT ends the programs that run, before its handler of now is called. */
__attribute__((visibility("default"))) void tess_pjrt_watch_interrupts(void);

/* This process ends, and why: those of others that wait for its devices hear it. */
__attribute__((visibility("default"))) void tess_pjrt_leave(const char *why);

#endif
