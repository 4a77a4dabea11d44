/* host.c - callbacks of Python: what a program calls outside is found by its number.
 *
 * python/tessera/jax_plugin.py gives one function for all of them.  JAX's own handler wants state
 * that only XLA's runtime makes. */
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "plugin.h"

static _Atomic(tess_pjrt_host_call *) host_call;
static _Thread_local int depth; /* callbacks that this thread is in */

void tess_pjrt_set_host_call(tess_pjrt_host_call *fn) { host_call = fn; }

static atomic_long runs;

void host_runs_add(int n) { atomic_fetch_add(&runs, n); }

int64_t tess_pjrt_host_runs(void) { return runs; }

bool is_in_callback(void) { return depth > 0; }

static tess_pjrt_array array_of(const tess_tensor *t)
{
	return (tess_pjrt_array){tess_dtype_numpy(t->dtype), t->dims, t->rank,
	                         (void *)(uintptr_t)t->data};
}

static bool number_of(const tess_attr *config, uint64_t *out)
{
	for (size_t i = 0; config && i < tess_attr_count(config); i++) {
		tess_str key = tess_attr_key(config, i);
		int64_t v = tess_attr_get_int(tess_attr_item(config, i), -1);
		if (key.len == 5 && !memcmp(key.ptr, "index", 5) && v >= 0) {
			*out = (uint64_t)v;
			return true;
		}
	}
	return false;
}

enum { MOST_ARRAYS = 256 };

bool call_host(const tess_outside_call *call)
{
	tess_pjrt_array arrays[MOST_ARRAYS];
	uint64_t number;
	tess_pjrt_host_call *fn = host_call;
	if (!fn || !number_of(call->config, &number)) {
		snprintf(call->why, call->why_room, "%s",
		         fn ? "a callback without a number"
		            : "no Python is there to call: tessera.jax_plugin was not initialized");
		return false;
	}
	if (call->n_operands + call->n_results > MOST_ARRAYS) {
		snprintf(call->why, call->why_room, "a callback of more than %d arrays", MOST_ARRAYS);
		return false;
	}
	for (size_t i = 0; i < call->n_operands; i++)
		arrays[i] = array_of(&call->operands[i]);
	for (size_t i = 0; i < call->n_results; i++)
		arrays[call->n_operands + i] = array_of(&call->results[i]);
	depth++;
	bool good = fn(number, call->device, (int32_t)call->n_operands, (int32_t)call->n_results,
	               arrays, call->why, call->why_room) == 0;
	depth--;
	return good;
}

static bool text_begins(tess_str s, const char *with)
{
	size_t n = strlen(with);
	return s.len >= n && !memcmp(s.ptr, with, n);
}

bool is_of_python(tess_str target)
{
	return text_begins(target, "xla_ffi_python") || text_begins(target, "xla_ffi_partitioned") ||
	       text_begins(target, "xla_buffer_python") || text_begins(target, "xla_python");
}

bool call_outside(void *user, const tess_outside_call *call)
{
	return is_of_python(call->target) ? call_host(call) : ffi_call(user, call);
}
