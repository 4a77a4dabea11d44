/* custom.c - what a custom call says that it costs.
 *
 * Kernels written in Pallas carry an estimate in the JSON of their backend_config:
 *
 *     {"custom_call_config": {"cost_estimate": {"flops": 1024, "transcendentals": 0,
 *                                               "bytes_accessed": 512}, …}}
 *
 * XLA schedules by it, and so do we.  Of other custom calls only operands and results are known. */
#include "cost/cost.h"

#include <stdlib.h>

/* The number that follows the key, within the object that starts at `from`; negative: none. */
static double number_after(tess_str text, size_t from, const char *key)
{
	size_t n = strlen(key), end = from;
	while (end < text.len && text.ptr[end] != '}')
		end++;
	for (size_t i = from; i + n < end; i++) {
		if (memcmp(text.ptr + i, key, n) != 0)
			continue;
		i += n;
		while (i < end && (text.ptr[i] == ':' || text.ptr[i] == ' '))
			i++;
		double v = 0;
		bool any = false;
		for (; i < end && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++, any = true)
			v = 10 * v + (text.ptr[i] - '0');
		return any ? v : -1;
	}
	return -1;
}

static size_t find_in(tess_str text, const char *what)
{
	size_t n = strlen(what);
	for (size_t i = 0; i + n <= text.len; i++)
		if (!memcmp(text.ptr + i, what, n))
			return i + n;
	return 0;
}

bool custom_call_estimate(const op *o, work *out)
{
	const attr *config = o->kind == OP_CUSTOM_CALL ? op_attr(o, N_backend_config) : NULL;
	if (!config || config->kind != AT_STRING)
		return false;
	tess_str text = name_str(config->text);
	size_t at = find_in(text, "\"cost_estimate\"");
	if (!at)
		return false;
	double flops = number_after(text, at, "\"flops\"");
	double bytes = number_after(text, at, "\"bytes_accessed\"");
	if (flops < 0 || bytes < 0)
		return false;
	*out = (work){.flops = flops, .bytes = bytes};
	return true;
}
