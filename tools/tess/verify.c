/* verify.c - `tess verify`: does the partitioned program compute what the whole one does? */
#include "tess.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/run.h>

typedef struct verify_options {
	program_options program;
	const char *inputs, *tolerance;
	backend_options backend;
	int64_t devices, threads;
	bool json;
} verify_options;

typedef struct verdict {
	int compared, wrong;
	double max_error;
	bool json;
	tess_tolerance tolerance; /* most 0: what is usual for the type */
} verdict;

/* "[3,0,7]": the position of element `index` in row-major order. */
static void print_position(const tess_tensor *t, int64_t index)
{
	int64_t rest = 1;
	for (int d = 0; d < t->rank; d++)
		rest *= t->dims[d];
	putchar('[');
	for (int d = 0; d < t->rank; d++) {
		rest /= t->dims[d];
		printf("%s%" PRId64, d ? "," : "", index / rest);
		index %= rest;
	}
	putchar(']');
}

static void print_difference(const verdict *v, size_t i, const char *against, const tess_tensor *t,
                             const tess_difference *d)
{
	if (v->json) {
		printf("%s{\"output\": %zu, \"against\": \"%s\", \"wrong\": %" PRId64 ", \"elements\": %" PRId64
		       ", \"max_error\": %.3g, \"first\": %" PRId64 "}",
		       v->compared > 1 ? ", " : "", i, against, d->wrong, d->elements, d->max_error, d->first);
		return;
	}
	printf("out%zu differs from %s: %" PRId64 " of %" PRId64 " elements, first at ", i, against, d->wrong,
	       d->elements);
	print_position(t, d->first < 0 ? 0 : d->first);
	printf(": %.9g, not %.9g\n", d->got, d->expected);
}

static void compare(verdict *v, size_t i, const char *against, const tess_tensor *got,
                    const tess_tensor *expected)
{
	tess_difference d;
	tess_tolerance t = v->tolerance.most > 0 ? v->tolerance : tess_tolerance_of(got->dtype);
	bool same = tess_tensor_compare(got, expected, t, &d);
	v->compared++;
	v->wrong += !same;
	if (d.max_error > v->max_error)
		v->max_error = d.max_error;
	if (!same || v->json)
		print_difference(v, i, against, got, &d);
}

/* An expected output of the file, as the type that the program gives it. */
static bool expected_output(const tess_npz *z, size_t i, const tess_tensor *got, tess_tensor *out)
{
	char key[32];
	snprintf(key, sizeof key, "out%zu", i);
	if (!z || !tess_npz_find(z, key, out) || out->bytes != got->bytes)
		return false;
	out->dtype = got->dtype;
	return true;
}

static void compare_all(verdict *v, const tess_exec *parts, const tess_exec *whole, const tess_npz *z)
{
	tess_tensor got, expected;
	for (size_t i = 0; tess_exec_output(parts, i, &got); i++) {
		tess_exec_output(whole, i, &expected);
		compare(v, i, "the whole program", &got, &expected);
		if (expected_output(z, i, &got, &expected))
			compare(v, i, "the expected output", &got, &expected);
	}
}

static tess_exec *run_program(tess_module *m, const verify_options *o, bool whole, const tess_npz *z,
                              tess_ranks *ranks, tess_status *status)
{
	tess_exec_opts eo = TESS_EXEC_OPTS_INIT;
	eo.whole = whole;
	eo.threads = (int)o->threads;
	eo.ranks = ranks;
	tess_exec *e = tess_exec_new(m, &eo);
	*status = e ? run_with_inputs(e, z) : TESS_INVALID;
	return e;
}

static tess_status verify(const command *self, tess_ctx *ctx, const char *path,
                          const verify_options *o, verdict *v, tess_ranks *ranks)
{
	tess_status status;
	tess_npz *z = o->inputs ? tess_npz_open(ctx, o->inputs) : NULL;
	if (o->inputs && !z)
		return TESS_IO;
	tess_module *m = program_open(self, ctx, path, &o->program, &status);
	tess_exec *parts = m ? run_program(m, o, false, z, ranks, &status) : NULL;
	/* The reference needs no company. */
	bool leads = backend_leads(ranks);
	tess_exec *whole =
	    status == TESS_OK && leads ? run_program(m, o, true, z, NULL, &status) : NULL;
	int64_t devices = status == TESS_OK ? tess_exec_devices(parts) : 0;
	if (status == TESS_OK && o->devices && o->devices != devices) {
		fprintf(stderr, "tess verify: the program is for %" PRId64 " devices\n", devices);
		status = TESS_INVALID;
	}
	if (status == TESS_OK && leads) {
		if (v->json)
			printf("{\"devices\": %" PRId64 ", \"comparisons\": [", devices);
		compare_all(v, parts, whole, z);
		if (v->json)
			printf("], \"agree\": %s}\n", v->wrong ? "false" : "true");
		else if (!v->wrong)
			printf("%d comparisons agree on %" PRId64 " devices, largest error %.1e\n", v->compared,
			       devices, v->max_error);
		status = v->wrong ? TESS_FAILED : TESS_OK;
	}
	tess_exec_free(parts);
	tess_exec_free(whole);
	tess_module_free(m);
	tess_npz_free(z);
	return status;
}

static tess_status verify_on_backend(const command *self, tess_ctx *ctx, const char *path,
                                     const verify_options *o, verdict *v)
{
	tess_ranks *ranks;
	tess_status status = backend_open(ctx, &o->backend, &ranks);
	if (status == TESS_OK)
		status = verify(self, ctx, path, o, v, ranks);
	return backend_close(ctx, ranks, status);
}

/* "1e-4" or "1e-4,1e-2": for nearly all elements, and for every one. */
static bool parse_tolerance(const char *text, tess_tolerance *t)
{
	char *end;
	t->most = t->all = strtod(text, &end);
	if (*end == ',')
		t->all = strtod(end + 1, &end);
	return *text && !*end && t->most > 0 && t->all >= t->most;
}

static int run_verify(const command *self, int argc, char **argv)
{
	verify_options v = {0};
	verdict result = {0};
	const option table[] = {
		{"inputs", OPTION_TEXT, &v.inputs, "FILE.npz",
		 "global values in0, in1, … of @main's arguments;\nwhat it holds as out0, out1, … is compared too"},
		{"tolerance", OPTION_TEXT, &v.tolerance, "T[,ALL]",
		 "|got - expected| <= T (1 + |expected|), for all elements\n"
		 "but one in 10,000; ALL for every one"},
		PROGRAM_OPTIONS(v.program),
		BACKEND_OPTIONS(v.backend),
		{"devices", OPTION_INT, &v.devices, "N", "insist that the program is for N devices"},
		{"threads", OPTION_INT, &v.threads, "N", "threads to use; default: one for each core"},
		{"json", OPTION_FLAG, &v.json, NULL, "print JSON"},
	};
	options o = {.self = self, .table = table, .n = sizeof table / sizeof *table, .min_files = 1,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && v.tolerance && !parse_tolerance(v.tolerance, &result.tolerance))
		status = usage_error(self, "--tolerance %s: one or two numbers were expected", v.tolerance);
	if (status < 0)
		status = backend_check(self, &v.backend);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		result.json = v.json;
		status = finish(ctx, verify_on_backend(self, ctx, o.files[0], &v, &result));
	}
	options_free(&o);
	return status;
}

const command cmd_verify = {
	.name = "verify",
	.args = "FILE [--inputs IN.npz] [OPTION]...",
	.summary = "compare the partitioned run with the whole one, and with expected outputs",
	.about = "Runs the program twice, partitioned over its mesh and whole, and compares the results; if\n"
	         "the npz file holds expected outputs, with these too.  The first element that differs is\n"
	         "printed.  Exit status: 0 if all agree, 1 if not.\n",
	.examples = "  tess verify examples/gpt_step.mlir --inputs examples/gpt_step.npz\n"
	            "  tess verify model.mlir --inputs model.npz --tolerance 1e-4,1e-2\n",
	.run = run_verify,
};
