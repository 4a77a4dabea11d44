/* inputs.c - what programs run on: arrays of files. */
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

/* What an array is called that is neither an argument nor a result, and whether what it would be
 * is there, too. */
static bool tell_surplus(const tess_npz *z, const char *surplus, size_t n)
{
	tess_tensor first;
	const char *s = n == 1 ? "" : "s";
	if (n && !tess_npz_find(z, "in0", &first))
		fprintf(stderr, "tess: the function takes %zu argument%s; the inputs have %s and lack in0: "
		        "the arrays of arguments must be named in0, in1, …\n", n, s, surplus);
	else
		fprintf(stderr, "tess: the function takes %zu argument%s; the inputs also have %s\n", n, s,
		        surplus);
	return false;
}

/* An argument that two arrays are called after, of two files or one; NULL: there is none. */
static const char *doubled_input(const tess_npz *z, size_t n)
{
	tess_tensor t, first;
	for (size_t i = 0; tess_npz_count(z) > n && tess_npz_get(z, i, &t); i++)
		if (!names_output(t.name) && tess_npz_find(z, t.name, &first) && first.data != t.data)
			return t.name;
	return NULL;
}

static bool find_inputs(const tess_npz *z, tess_tensor *list, size_t n)
{
	const char *surplus = surplus_input(z, n);
	if (surplus)
		return tell_surplus(z, surplus, n);
	const char *doubled = doubled_input(z, n);
	if (doubled) {
		fprintf(stderr, "tess: the inputs have two arrays named %s\n", doubled);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		char key[32];
		snprintf(key, sizeof key, "in%zu", i);
		if (!z || !tess_npz_find(z, key, &list[i])) {
			if (z)
				fprintf(stderr, "tess: the function takes %zu argument%s; the inputs lack %s\n",
				        n, n == 1 ? "" : "s", key);
			else
				fprintf(stderr, "tess: the function takes %zu argument%s: give --inputs FILE.npz with "
				        "in0, in1, …; `tess verify` runs a program on random ones\n",
				        n, n == 1 ? "" : "s");
			return false;
		}
	}
	return true;
}

tess_status named_inputs(const tess_npz *z, size_t n, tess_tensor **list)
{
	*list = calloc(n + 1, sizeof **list);
	return !*list ? TESS_NOMEM : find_inputs(z, *list, n) ? TESS_OK : TESS_INVALID;
}

tess_status run_with_inputs(tess_exec *e, const tess_npz *z)
{
	const size_t n = tess_exec_input_count(e);
	tess_tensor *list;
	tess_status status = named_inputs(z, n, &list);
	if (status == TESS_OK)
		status = tess_exec_run(e, list, n);
	free(list);
	return status;
}

bool answer_zero(void *user, const tess_outside_call *call)
{
	static bool told;
	(void)user;
	if (!told && call->n_results)
		fprintf(stderr, "warning: @%.*s was not called: zeros are used for what it returns\n",
		        (int)call->target.len, call->target.ptr);
	told |= call->n_results > 0;
	for (size_t i = 0; i < call->n_results; i++)
		memset((void *)(uintptr_t)call->results[i].data, 0, call->results[i].bytes);
	return true;
}
