/* verify.c - `tess verify`: does the partitioned program compute what the whole one does? */
#include "tess.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/partition.h>
#include <tessera/run.h>

typedef struct verify_options {
	program_options program;
	const char *inputs, *tolerance, *partitioned;
	backend_options backend;
	int64_t devices, threads, seed;
	bool json, locate, shrink;
} verify_options;

typedef struct verdict {
	int compared, wrong;
	int sensitive; /* results that agree as far as rounding lets them */
	double max_error;
	bool json;
	tess_tolerance tolerance; /* most 0: what is usual for the type */
} verdict;

/* What is compared with what, on which inputs. */
typedef struct verification {
	const verify_options *o;
	tess_ctx *ctx;
	tess_ranks *ranks;
	tess_module *m, *local; /* local NULL: we partition */
	tess_npz *z;            /* NULL: inputs are random */
	tess_exec *parts;
	tess_exec *whole; /* NULL: FILE is a program of one device, and the file has results */
	tess_exec *nudged; /* as `whole`, on inputs that differ by a rounding; NULL: not needed */
} verification;

/* ---- reporting ---------------------------------------------------------------------- */

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
		printf("%s{\"output\": %zu, \"against\": \"%s\", \"wrong\": %" PRId64
		       ", \"elements\": %" PRId64 ", \"max_error\": ",
		       v->compared > 1 ? ", " : "", i, against, d->wrong, d->elements);
		if (isfinite(d->max_error))
			printf("%.3g", d->max_error);
		else
			printf("null");
		printf(", \"first\": %" PRId64 "}", d->first);
		return;
	}
	printf("out%zu differs from %s: %" PRId64 " of %" PRId64 " elements, first at ", i, against,
	       d->wrong, d->elements);
	print_position(t, d->first < 0 ? 0 : d->first);
	printf(": %.9g, not %.9g\n", d->got, d->expected);
}

static tess_tolerance tolerance_for(const verdict *v, tess_dtype t)
{
	return v->tolerance.most > 0 ? v->tolerance : tess_tolerance_of(t);
}

static bool agree(const verdict *v, const tess_tensor *got, const tess_tensor *expected,
                  tess_difference *d)
{
	return tess_tensor_compare(got, expected, tolerance_for(v, got->dtype), d);
}

/* Whether a difference is no larger than what rounding the inputs makes. */
static bool agree_nudged(verdict *v, const verification *w, size_t i, const tess_tensor *got,
                         const tess_tensor *expected, tess_difference *d)
{
	tess_tensor nudged;
	if (!w->nudged || !tess_exec_output(w->nudged, i, &nudged) ||
	    !tess_tensor_compare_nudged(got, expected, &nudged, tolerance_for(v, got->dtype), d))
		return false;
	v->sensitive++;
	return true;
}

static void compare(verdict *v, const verification *w, size_t i, const char *against,
                    const tess_tensor *got, const tess_tensor *expected)
{
	tess_difference d;
	bool same = agree(v, got, expected, &d) || agree_nudged(v, w, i, got, expected, &d);
	v->compared++;
	v->wrong += !same;
	if (d.max_error > v->max_error)
		v->max_error = d.max_error;
	if (!same || v->json)
		print_difference(v, i, against, got, &d);
}

/* Elements of a type that NumPy does not know are of any type that is as wide. */
static bool is_of_type(const tess_tensor *t, const tess_tensor *want)
{
	bool nameless = t->dtype == TESS_NO_DTYPE || t->dtype == TESS_I8 || t->dtype == TESS_UI8 ||
	                t->dtype == TESS_UI16;
	bool same = t->rank == want->rank && t->bytes == want->bytes &&
	            (t->dtype == want->dtype || nameless);
	for (int d = 0; same && d < t->rank; d++)
		same = t->dims[d] == want->dims[d];
	return same;
}

/* An expected output of the file, as the type that the program gives it. */
static bool expected_output(const tess_npz *z, size_t i, const tess_tensor *got, tess_tensor *out)
{
	char key[32];
	snprintf(key, sizeof key, "out%zu", i);
	if (!z || !tess_npz_find(z, key, out))
		return false;
	out->dtype = got->dtype;
	return true;
}

/* Whether what the file expects can be compared at all. */
static tess_status check_expected(const verification *w)
{
	tess_tensor t, got;
	for (size_t k = 0; w->z && tess_npz_get(w->z, k, &t); k++) {
		size_t i;
		int end = 0;
		if (sscanf(t.name, "out%zu%n", &i, &end) < 1 || t.name[end])
			continue;
		bool there = tess_exec_output(w->parts, i, &got);
		if (there && is_of_type(&t, &got))
			continue;
		fprintf(stderr, "tess verify: %s of the inputs is ", t.name);
		print_type(stderr, &t);
		fprintf(stderr, there ? ", the program's result is " : ": no such result");
		if (there)
			print_type(stderr, &got);
		fputc('\n', stderr);
		return TESS_INVALID;
	}
	return TESS_OK;
}

static void compare_all(verdict *v, const verification *w)
{
	tess_tensor got, expected;
	for (size_t i = 0; tess_exec_output(w->parts, i, &got); i++) {
		if (w->whole) {
			tess_exec_output(w->whole, i, &expected);
			compare(v, w, i, "the whole program", &got, &expected);
		}
		if (expected_output(w->z, i, &got, &expected))
			compare(v, w, i, "the expected output", &got, &expected);
	}
}

static void report(verdict *v, const verification *w)
{
	int64_t devices = tess_exec_devices(w->parts);
	if (v->json)
		printf("{\"devices\": %" PRId64 ", \"comparisons\": [", devices);
	compare_all(v, w);
	if (v->json)
		printf("], \"sensitive\": %d, \"agree\": %s}\n", v->sensitive,
		       v->wrong ? "false" : "true");
	else if (!v->wrong)
		printf("%d comparisons agree on %" PRId64 " devices, largest error %.1e\n",
		       v->compared, devices, v->max_error);
	if (!v->json && v->sensitive)
		printf("(%d of them differ only by what changing the inputs by a rounding does to "
		       "the whole program)\n",
		       v->sensitive);
}

/* ---- running ------------------------------------------------------------------------ */

static tess_exec *run_program(const verification *w, tess_module *m, const tess_exec_opts *eo,
                              tess_status *status)
{
	tess_exec *e = tess_exec_new(m, eo);
	*status = e ? run_on_inputs(e, w->z, w->o->seed) : TESS_INVALID;
	return e;
}

static tess_exec_opts exec_options(const verification *w)
{
	tess_exec_opts eo = TESS_EXEC_OPTS_INIT;
	eo.threads = (int)w->o->threads;
	return eo;
}

/* Whether the whole program is to be run: of a program of one device there is none, so the results
 * that the file expects must do. */
static bool wants_whole(const verification *w)
{
	tess_tensor t;
	return !tess_module_is_local(w->m) || !w->z || !tess_npz_find(w->z, "out0", &t);
}

static tess_status run_both(verification *w)
{
	tess_status status;
	tess_exec_opts eo = exec_options(w);
	eo.ranks = w->ranks;
	eo.local = w->local;
	eo.as_is = program_has_reshards(&w->o->program) || w->o->shrink;
	w->parts = run_program(w, w->m, &eo, &status);
	eo.ranks = NULL; /* the reference needs no company */
	eo.local = NULL;
	eo.whole = true;
	if (status == TESS_OK && backend_leads(w->ranks) && wants_whole(w))
		w->whole = run_program(w, w->m, &eo, &status);
	return status;
}

/* Whether any result differs: then it matters how much of it rounding leaves. */
static bool any_differs(const verification *w, const verdict *v)
{
	tess_tensor got, expected;
	tess_difference d;
	for (size_t i = 0; tess_exec_output(w->parts, i, &got); i++)
		if (tess_exec_output(w->whole, i, &expected) && !agree(v, &got, &expected, &d))
			return true;
	return false;
}

static tess_status run_nudged(verification *w, const verdict *v)
{
	tess_status status = TESS_OK;
	tess_exec_opts eo = exec_options(w);
	eo.as_is = program_has_reshards(&w->o->program) || w->o->shrink;
	eo.whole = true;
	eo.nudged = true;
	if (w->whole && any_differs(w, v))
		w->nudged = run_program(w, w->m, &eo, &status);
	return status;
}

/* ---- which operation ------------------------------------------------------------------ */

/* The first watched value that differs by more than noise; -1: none of these. */
static int64_t first_difference(const tess_exec *parts, const tess_exec *whole,
                                const tess_exec *nudged, const verdict *v)
{
	size_t results = tess_exec_output_count(whole) - tess_exec_watch_count(whole);
	tess_tensor got, expected, noisy;
	tess_difference d;
	for (size_t i = 0; i < tess_exec_watch_count(whole); i++)
		if (tess_exec_output(parts, results + i, &got) &&
		    tess_exec_output(whole, results + i, &expected) &&
		    tess_exec_output(nudged, results + i, &noisy) &&
		    !tess_tensor_compare_nudged(&got, &expected, &noisy,
		                                tolerance_for(v, got.dtype), &d))
			return (int64_t)i;
	return -1;
}

/* Some values of @main at a time are compared, in their order; those of a program that was
 * partitioned elsewhere all at once, because they are found by what they hold. */
static bool locate_in(verification *w, tess_module *m, int64_t first, int64_t count,
                      const verdict *v, bool *more)
{
	tess_status status;
	tess_exec_opts eo = exec_options(w);
	eo.as_is = true;
	eo.watch_first = first;
	eo.watch_count = count;
	eo.local = w->local;
	tess_exec *parts = run_program(w, m, &eo, &status), *whole = NULL, *nudged = NULL;
	eo.local = NULL;
	eo.whole = true;
	if (status == TESS_OK)
		whole = run_program(w, m, &eo, &status);
	eo.nudged = true;
	if (status == TESS_OK && !w->local)
		nudged = run_program(w, m, &eo, &status);
	int64_t at = -1;
	if (status == TESS_OK)
		at = w->local ? tess_exec_locate(whole, parts)
		              : first_difference(parts, whole, nudged, v);
	if (at >= 0)
		tess_exec_blame(
			whole, (size_t)at,
			w->local
				? "no value of the devices is this one, though they have what it is computed from"
				: "this is the first value that differs");
	*more = status == TESS_OK && !w->local && tess_exec_watch_count(whole) > 0;
	tess_exec_free(parts);
	tess_exec_free(whole);
	tess_exec_free(nudged);
	return at >= 0;
}

static void locate(verification *w, const verdict *v)
{
	enum { AT_ONCE = 64 };
	tess_module *m = tess_module_clone(w->m);
	bool ready = w->o->shrink || program_has_reshards(&w->o->program);
	bool more = m && (ready || tess_module_propagate(m) == TESS_OK);
	for (int64_t first = 0; more; first += AT_ONCE)
		if (locate_in(w, m, first, w->local ? INT64_MAX : AT_ONCE, v, &more))
			break;
	tess_module_free(m);
}

/* ---- the command -------------------------------------------------------------------------- */

static tess_status verify(verification *w, verdict *v)
{
	const verify_options *o = w->o;
	tess_status status = run_both(w);
	int64_t devices = status == TESS_OK ? tess_exec_devices(w->parts) : 0;
	if (status != TESS_OK)
		return status;
	if (o->devices && o->devices != devices) {
		fprintf(stderr, "tess verify: the program is for %" PRId64 " devices\n", devices);
		return TESS_INVALID;
	}
	if (!backend_leads(w->ranks))
		return TESS_OK;
	status = check_expected(w);
	if (status == TESS_OK)
		status = run_nudged(w, v);
	if (status != TESS_OK)
		return status;
	report(v, w);
	if (v->wrong && o->locate && w->whole)
		locate(w, v);
	return v->wrong ? TESS_FAILED : TESS_OK;
}

/* What is done before there are two runs. */
static tess_status prepare_program(const verification *w)
{
	const verify_options *o = w->o;
	tess_status status = TESS_OK;
	if (o->shrink || program_has_reshards(&o->program))
		status = tess_module_propagate(w->m);
	if (status == TESS_OK && o->shrink)
		status = tess_module_shrink(w->m);
	if (status == TESS_OK && program_has_reshards(&o->program))
		status = program_reshard(w->m);
	return status;
}

static tess_status verify_files(const command *self, tess_ctx *ctx, const char *path,
                                const verify_options *o, verdict *v, tess_ranks *ranks)
{
	tess_status status = TESS_OK;
	verification w = {.o = o, .ctx = ctx, .ranks = ranks};
	w.z = o->inputs ? tess_npz_open(ctx, o->inputs) : NULL;
	if (o->inputs && !w.z)
		return TESS_IO;
	w.m = program_open(self, ctx, path, &o->program, &status);
	if (w.m && o->partitioned)
		w.local = tess_module_parse_file(ctx, o->partitioned, NULL);
	if (w.m && o->partitioned && !w.local)
		status = TESS_INVALID;
	if (status == TESS_OK)
		status = prepare_program(&w);
	if (status == TESS_OK)
		status = verify(&w, v);
	tess_exec_free(w.parts);
	tess_exec_free(w.whole);
	tess_exec_free(w.nudged);
	tess_module_free(w.local);
	tess_module_free(w.m);
	tess_npz_free(w.z);
	return status;
}

static tess_status verify_on_backend(const command *self, tess_ctx *ctx, const char *path,
                                     const verify_options *o, verdict *v)
{
	backend b;
	tess_status status = backend_open(ctx, &o->backend, &b);
	if (status == TESS_OK)
		status = verify_files(self, ctx, path, o, v, b.ranks);
	return backend_close(ctx, &b, status);
}

/* "1e-4" or "1e-4,1e-2": for nearly all elements, and for every one. */
static bool parse_tolerance(const char *text, tess_tolerance *t)
{
	char *end;
	t->most = t->all = strtod(text, &end);
	if (*end == ',')
		t->all = strtod(end + 1, &end);
	return *text && !*end && t->most > 0 && t->all >= t->most && isfinite(t->all);
}

static int run_verify(const command *self, int argc, char **argv)
{
	verify_options v = {.seed = 1};
	verdict result = {0};
	const option table[] = {
		{"inputs", OPTION_TEXT, &v.inputs, "FILE.npz",
	         "global values in0, in1, … of @main's arguments;\n"
	         "what it holds as out0, out1, … is compared too.\n"
	         "Without it they are random"},
		{"seed", OPTION_INT, &v.seed, "N",
	         "of random inputs: floats in [-1, 1), integers 0 to 3"},
		{"tolerance", OPTION_TEXT, &v.tolerance, "T[,ALL]",
	         "|got - expected| <= T (1 + |expected|), for all elements\n"
	         "but one in 10,000; ALL for every one"},
		{"shrink", OPTION_FLAG, &v.shrink, NULL,
	         "make dimensions smaller, those that belong together alike,\n"
	         "before anything is computed: for programs that are too large"},
		{"locate", OPTION_FLAG, &v.locate, NULL,
	         "if they differ, find the first operation that does:\n"
	         "values inside of @main are compared, too"},
		{"partitioned", OPTION_TEXT, &v.partitioned, "FILE",
	         "a program of one device, partitioned elsewhere, to be\n"
	         "run instead of what is made of FILE here"},
		PROGRAM_OPTIONS(v.program),
		POLICY_OPTION(v.program),
		BACKEND_OPTIONS(v.backend),
		{"devices", OPTION_POSITIVE, &v.devices, "N",
	         "insist that the program is for N devices"},
		{"threads", OPTION_THREADS, &v.threads, "N",
	         "threads to use; default: one for each core"},
		{"json", OPTION_FLAG, &v.json, NULL, "print JSON"},
	};
	options o = {.self = self,
	             .table = table,
	             .n = sizeof table / sizeof *table,
	             .min_files = 1,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && v.tolerance && !parse_tolerance(v.tolerance, &result.tolerance))
		status = usage_error(self, "--tolerance %s: one or two numbers above 0 were expected, the "
		                     "second not below the first",
		                     v.tolerance);
	if (status < 0 && v.shrink && (v.inputs || v.partitioned))
		status = usage_error(self,
		                     "--shrink changes the shapes: no --inputs, no --partitioned");
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
	.args = "FILE [--inputs IN.npz] [--partitioned LOCAL] [--locate] [OPTION]...",
	.summary = "compare the partitioned run with the whole one, and with expected outputs",
	.about =
		"Runs the program twice, partitioned over its mesh and whole, and compares the results; if\n"
		"the npz file holds expected outputs, with these too.  The first element that differs is\n"
		"printed, and with --locate the operation that causes it.  A program that was partitioned\n"
		"elsewhere is verified with --partitioned; if FILE is one itself, with the results that the\n"
		"npz file expects.  Exit status: 0 if all agree, 1 if not.\n",
	.examples = "  tess verify examples/gpt_step.mlir --inputs examples/gpt_step.npz\n"
		    "  tess verify model.mlir --inputs model.npz --tolerance 1e-4,1e-2\n"
		    "  tess verify global.mlir --partitioned local.mlir --locate\n"
		    "  tess verify llama_8b_train.mlir --shrink --locate\n",
	.run = run_verify,
};
