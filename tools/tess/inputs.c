/* inputs.c - what programs run on: arrays of files, or random numbers. */
#include "tess.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/run.h>

void print_type(FILE *f, const tess_tensor *t)
{
	fprintf(f, "%s[", t->dtype == TESS_NO_DTYPE ? "?" : tess_dtype_mlir(t->dtype));
	for (int d = 0; d < t->rank; d++)
		fprintf(f, "%s%" PRId64, d ? "," : "", t->dims[d]);
	fputc(']', f);
}

/* Whether the name is "out7", as verify expects results. */
static bool names_output(const char *name)
{
	size_t digits = strncmp(name, "out", 3) == 0 ? strspn(name + 3, "0123456789") : 0;
	return digits && !name[3 + digits];
}

/* "in7" of a function of fewer arguments, and what is neither an argument nor a result. */
static const char *surplus_input(const tess_npz *z, size_t n)
{
	tess_tensor t;
	for (size_t i = 0; z && tess_npz_get(z, i, &t); i++) {
		char key[32];
		unsigned long long index = strncmp(t.name, "in", 2) == 0
		                                   ? strtoull(t.name + 2, NULL, 10) : n;
		snprintf(key, sizeof key, "in%llu", index);
		if ((index >= n || strcmp(key, t.name) != 0) && !names_output(t.name))
			return t.name;
	}
	return NULL;
}

static bool find_inputs(const tess_npz *z, tess_tensor *list, size_t n)
{
	const char *surplus = surplus_input(z, n);
	if (surplus) {
		fprintf(stderr, "tess: the function takes %zu argument%s; the inputs have %s, too\n",
		        n, n == 1 ? "" : "s", surplus);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		char key[32];
		snprintf(key, sizeof key, "in%zu", i);
		if (!z || !tess_npz_find(z, key, &list[i])) {
			fprintf(stderr,
			        "tess: the function takes %zu argument%s; the inputs lack %s%s\n",
			        n, n == 1 ? "" : "s", key,
			        z ? "" : ": give --inputs FILE.npz with in0, in1, …");
			return false;
		}
	}
	return true;
}

tess_status run_with_inputs(tess_exec *e, const tess_npz *z)
{
	size_t n = tess_exec_input_count(e);
	tess_tensor *list = calloc(n + 1, sizeof *list);
	tess_status status = !list ? TESS_NOMEM : find_inputs(z, list, n) ? TESS_OK : TESS_INVALID;
	if (status == TESS_OK)
		status = tess_exec_run(e, list, n);
	free(list);
	return status;
}

/* ---- random inputs ---------------------------------------------------------------------- */

static tess_status random_input(tess_tensor *t, uint64_t seed, void **data)
{
	int64_t elements = 1;
	for (int d = 0; d < t->rank; d++)
		elements *= t->dims[d];
	*data = malloc(t->bytes + 1);
	if (!*data)
		return TESS_NOMEM;
	tess_tensor_random(t->dtype, *data, elements, seed);
	t->data = *data;
	return TESS_OK;
}

tess_status run_on_inputs(tess_exec *e, const tess_npz *z, int64_t seed)
{
	if (z)
		return run_with_inputs(e, z);
	size_t n = tess_exec_input_count(e);
	tess_tensor *list = calloc(n + 1, sizeof *list);
	void **data = calloc(n + 1, sizeof *data);
	tess_status status = list && data ? TESS_OK : TESS_NOMEM;
	for (size_t i = 0; i < n && status == TESS_OK; i++) {
		tess_exec_input(e, i, &list[i]);
		status = random_input(&list[i], (uint64_t)seed + i, &data[i]);
	}
	if (status == TESS_OK)
		status = tess_exec_run(e, list, n);
	for (size_t i = 0; data && i < n; i++)
		free(data[i]);
	free(data);
	free(list);
	return status;
}
