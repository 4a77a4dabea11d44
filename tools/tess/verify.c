/* verify.c - `tess verify`: does the partitioned program compute what the whole one does? */
#include "tess.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <tessera/partition.h>
#include <tessera/verify.h>

typedef struct verify_options {
	program_options program;
	const char *inputs, *like, *tolerance, *partitioned, *target;
	backend_options backend;
	int64_t devices, threads, seed;
	bool json, locate, shrink, skip_callbacks;
} verify_options;

/* What is compared with what, on which inputs. */
typedef struct verification {
	const verify_options *o;
	tess_ctx *ctx;
	tess_ranks *ranks;
	tess_tolerance tolerance; /* most 0: what is usual for the type */
	tess_module *m, *local;   /* local NULL: the run partitions */
	tess_npz *z, *like;       /* NULL: inputs are random, and like nothing */
	tess_tensor *inputs, *expected, *samples;
	size_t n_inputs, n_expected, n_samples;
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

static const char *name_of_reference(tess_reference r)
{
	return r == TESS_REFERENCE_WHOLE ? "the whole program" : "the expected output";
}

static void print_difference(const tess_comparison *c)
{
	const tess_difference *d = &c->difference;
	printf("%s differs from %s: %" PRId64 " of %" PRId64 " elements, first at ", c->type.name,
	       name_of_reference(c->against), d->wrong, d->elements);
	print_position(&c->type, d->first < 0 ? 0 : d->first);
	printf(": %.9g, not %.9g\n", d->got, d->expected);
}

static void print_json_string(const char *s)
{
	putchar('"');
	for (; *s; s++)
		printf(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	putchar('"');
}

static void print_comparison_json(const tess_comparison *c, bool first)
{
	const tess_difference *d = &c->difference;
	printf("%s{\"output\": %zu, \"name\": ", first ? "" : ", ", c->output);
	print_json_string(c->type.name);
	printf(", \"tolerance\": %.3g, \"against\": \"%s\", \"wrong\": %" PRId64
	       ", \"elements\": %" PRId64 ", \"max_error\": ",
	       c->tolerance, name_of_reference(c->against), d->wrong, d->elements);
	if (isfinite(d->max_error))
		printf("%.3g", d->max_error);
	else
		printf("null");
	printf(", \"first\": %" PRId64 "}", d->first);
}

static void report_json(const tess_verdict *v)
{
	const tess_comparison *c;
	bool agree = true;
	int sensitive = 0;
	printf("{\"devices\": %" PRId64 ", \"comparisons\": [", tess_verdict_devices(v));
	for (size_t i = 0; (c = tess_verdict_get(v, i)); i++) {
		print_comparison_json(c, i == 0);
		sensitive += c->sensitive;
		agree &= c->agree;
	}
	printf("], \"sensitive\": %d, \"agree\": %s}\n", sensitive, agree ? "true" : "false");
}

/* Of each element type that occurs, how near its elements have to be; first those that must be equal. */
static void print_tolerances(const tess_verdict *v)
{
	bool told[256] = {false}, near = false;
	const tess_comparison *c;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; (c = tess_verdict_get(v, i)); i++) {
			uint8_t t = (uint8_t)c->type.dtype;
			if (told[t] || (c->tolerance > 0) != pass)
				continue;
			told[t] = true;
			near |= pass;
			if (pass)
				printf(", %s within %.1e", tess_dtype_mlir(c->type.dtype), c->tolerance);
			else
				printf(", %s equal", tess_dtype_mlir(c->type.dtype));
		}
	puts(near ? " times 1 + |expected|)" : ")");
}

/* What was compared, and how. */
static void print_how(const verification *w, const tess_verdict *v)
{
	bool local = w->local || tess_module_is_local(w->m);
	if (w->o->target)
		printf("(partitioned for %s beside whole, ", w->o->target);
	else
		printf("(%s, ", local && !w->local ? "the program of each device beside what was expected"
		                : local            ? "the partitioned program beside the whole one"
		                                   : "partitioned beside whole");
	if (w->n_inputs)
		printf("inputs of %s", w->o->inputs);
	else
		printf("random inputs of seed %" PRId64 "%s%s", w->o->seed, w->like ? " like those of " : "",
		       w->like ? w->o->like : "");
	print_tolerances(v);
}

static void print_agreement(size_t n, int64_t devices, double max_error)
{
	if (!n)
		puts("the program has no results to compare");
	else
		printf("%zu comparison%s on %" PRId64 " device%s, largest error %.1e\n", n,
		       n == 1 ? " agrees" : "s agree", devices, devices == 1 ? "" : "s", max_error);
}

static void report(const verification *w, const tess_verdict *v)
{
	const tess_comparison *c;
	bool agree = true;
	int sensitive = 0;
	int64_t undefined = 0;
	double max_error = 0;
	for (size_t i = 0; (c = tess_verdict_get(v, i)); i++) {
		if (!c->agree)
			print_difference(c);
		if (c->difference.max_error > max_error)
			max_error = c->difference.max_error;
		sensitive += c->sensitive;
		undefined += c->sensitive ? c->difference.undefined : 0;
		agree &= c->agree;
	}
	if (agree)
		print_agreement(tess_verdict_count(v), tess_verdict_devices(v), max_error);
	if (sensitive)
		printf("(%d of them %s only by what changing the inputs by a rounding does to "
		       "the whole program)\n",
		       sensitive, sensitive == 1 ? "differs" : "differ");
	if (undefined)
		printf("(%" PRId64 " elements are numbers in one run and NaN in the other, as they are "
		       "after that change)\n",
		       undefined);
	print_how(w, v);
}

/* ---- inputs, and what is expected -------------------------------------------------------- */

/* Elements of a type that NumPy does not know are of any type that is as wide; a size that only the
 * run will say is any. */
static bool is_of_type(const tess_tensor *t, const tess_tensor *want)
{
	bool nameless = t->dtype == TESS_NO_DTYPE || t->dtype == TESS_I8 || t->dtype == TESS_UI8 ||
	                t->dtype == TESS_UI16;
	bool same = t->rank == want->rank && (t->dtype == want->dtype || nameless), open = false;
	for (int d = 0; same && d < t->rank; d++) {
		open |= want->dims[d] < 0;
		same = t->dims[d] == want->dims[d] || want->dims[d] < 0;
	}
	return same && (open || t->bytes == want->bytes);
}

/* Takes what the file has as out0, out1, …, if it can be compared at all. */
static tess_status take_expected(verification *w, const tess_tensor *results)
{
	tess_tensor t;
	for (size_t k = 0; tess_npz_get(w->z, k, &t); k++) {
		size_t i;
		int end = 0;
		if (sscanf(t.name, "out%zu%n", &i, &end) < 1 || t.name[end])
			continue;
		bool there = i < w->n_expected;
		if (there && is_of_type(&t, &results[i])) {
			w->expected[i] = t;
			continue;
		}
		fprintf(stderr, "tess verify: %s of the inputs is ", t.name);
		print_type(stderr, &t);
		fprintf(stderr, there ? ", the program's result is " : ": no such result");
		if (there)
			print_type(stderr, &results[i]);
		fputc('\n', stderr);
		return TESS_INVALID;
	}
	return TESS_OK;
}

static tess_status read_expected(verification *w)
{
	tess_status status = tess_module_outputs(w->m, NULL, 0, &w->n_expected);
	tess_tensor *results = calloc(w->n_expected + 1, sizeof *results);
	w->expected = calloc(w->n_expected + 1, sizeof *w->expected);
	if (!results || !w->expected)
		status = TESS_NOMEM;
	if (status == TESS_OK)
		status = tess_module_outputs(w->m, results, w->n_expected, &w->n_expected);
	if (status == TESS_OK)
		status = take_expected(w, results);
	free(results);
	return status;
}

/* in0, in1, … of the file that random inputs are to be like; it need not have all. */
static tess_status read_samples(verification *w)
{
	tess_tensor t;
	tess_status status = tess_module_inputs(w->m, NULL, 0, &w->n_samples);
	w->samples = calloc(w->n_samples + 1, sizeof *w->samples);
	if (!w->samples)
		status = TESS_NOMEM;
	for (size_t k = 0; status == TESS_OK && tess_npz_get(w->like, k, &t); k++) {
		size_t i;
		int end = 0;
		if (sscanf(t.name, "in%zu%n", &i, &end) == 1 && !t.name[end] && i < w->n_samples)
			w->samples[i] = t;
	}
	return status;
}

static tess_status read_arrays(verification *w)
{
	if (w->like)
		return read_samples(w);
	if (!w->z)
		return TESS_OK;
	tess_status status = tess_module_inputs(w->m, NULL, 0, &w->n_inputs);
	if (status == TESS_OK)
		status = named_inputs(w->z, w->n_inputs, &w->inputs);
	return status == TESS_OK ? read_expected(w) : status;
}

/* ---- the command -------------------------------------------------------------------------- */

static tess_status verify(const verification *w)
{
	const verify_options *o = w->o;
	tess_verify_opts vo = TESS_VERIFY_OPTS_INIT;
	vo.inputs = w->inputs;
	vo.n_inputs = w->n_inputs;
	vo.seed = (uint64_t)o->seed;
	vo.expected = w->expected;
	vo.n_expected = w->n_expected;
	vo.tolerance = w->tolerance;
	vo.local = w->local;
	vo.as_is = o->shrink || program_has_reshards(&o->program);
	vo.locate = o->locate;
	vo.threads = (int)o->threads;
	vo.ranks = w->ranks;
	vo.like = w->samples;
	vo.n_like = w->n_samples;
	vo.outside = o->skip_callbacks ? answer_zero : NULL;
	vo.proceed = progress_show;
	tess_verdict *v = NULL;
	progress_watch();
	tess_status status = progress_end(tess_verify(w->m, &vo, &v));
	if (v && o->devices && o->devices != tess_verdict_devices(v)) {
		fprintf(stderr, "tess verify: the program is for %" PRId64 " devices\n",
		        tess_verdict_devices(v));
		status = TESS_INVALID;
	} else if (v && backend_leads(w->ranks)) {
		if (o->json)
			report_json(v);
		else
			report(w, v);
	}
	tess_verdict_free(v);
	return status;
}

/* The program of each device that is fastest on the machine, as `tess report --target` costs it. */
static tess_status partition_for_target(verification *w, bool propagated)
{
	tess_partition_opts how = TESS_PARTITION_OPTS_INIT;
	how.target = w->o->target;
	w->local = tess_module_clone(w->m);
	tess_status status = w->local ? TESS_OK : TESS_NOMEM;
	if (status == TESS_OK && !propagated)
		status = tess_module_propagate(w->local);
	return status == TESS_OK ? tess_module_partition(w->local, &how, NULL) : status;
}

/* What is done before there are runs. */
static tess_status prepare_program(verification *w)
{
	const verify_options *o = w->o;
	tess_status status = TESS_OK;
	if (o->shrink || program_has_reshards(&o->program))
		status = tess_module_propagate(w->m);
	if (status == TESS_OK && o->shrink)
		status = tess_module_shrink(w->m);
	if (status == TESS_OK && program_has_reshards(&o->program))
		status = program_reshard(w->m);
	if (status == TESS_OK && o->target)
		status = partition_for_target(w, o->shrink || program_has_reshards(&o->program));
	return status;
}

static tess_status verify_files(const command *self, tess_ctx *ctx, const char *path,
                                const verify_options *o, tess_tolerance tolerance,
                                tess_ranks *ranks)
{
	tess_status status = TESS_OK;
	verification w = {.o = o, .ctx = ctx, .ranks = ranks, .tolerance = tolerance};
	w.z = o->inputs ? tess_npz_open(ctx, o->inputs) : NULL;
	w.like = o->like ? tess_npz_open(ctx, o->like) : NULL;
	if ((o->inputs && !w.z) || (o->like && !w.like)) {
		tess_npz_free(w.z);
		return TESS_IO;
	}
	w.m = program_open(self, ctx, path, &o->program, &status);
	if (w.m && o->partitioned)
		w.local = tess_module_parse_file(ctx, o->partitioned, NULL);
	if (w.m && o->partitioned && !w.local)
		status = TESS_INVALID;
	if (status == TESS_OK)
		status = prepare_program(&w);
	if (status == TESS_OK)
		status = read_arrays(&w);
	if (status == TESS_OK)
		status = verify(&w);
	free(w.inputs);
	free(w.expected);
	free(w.samples);
	tess_module_free(w.local);
	tess_module_free(w.m);
	tess_npz_free(w.z);
	tess_npz_free(w.like);
	return status;
}

static tess_status verify_on_backend(const command *self, tess_ctx *ctx, const char *path,
                                     const verify_options *o, tess_tolerance tolerance)
{
	backend b;
	tess_status status = backend_open(ctx, &o->backend, &b);
	if (status == TESS_OK)
		status = verify_files(self, ctx, path, o, tolerance, b.ranks);
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
	tess_tolerance tolerance = {0};
	const option table[] = {
		{"inputs", OPTION_TEXT, &v.inputs, "FILES",
	         "the arguments of @main, as for `tess run`; results out0,\n"
	         "out1, ... in it are compared, too.  Default: random arguments"},
		{"seed", OPTION_INT, &v.seed, "N",
	         "seed of random arguments: floats in [-1, 1), positive where a\n"
	         "root or logarithm is taken, integers 0 to 3"},
		{"inputs-like", OPTION_TEXT, &v.like, "FILE.npz",
	         "draw random arguments from the elements of in0, in1, ... of\n"
	         "this file, whatever their dimensions: for moments that must\n"
	         "be positive, or integers that must be tokens"},
		{"locate", OPTION_FLAG, &v.locate, NULL,
	         "if results differ, find the first operation of @main whose\n"
	         "result does"},
		{"shrink", OPTION_FLAG, &v.shrink, NULL,
	         "make the dimensions small first, for programs that are too\n"
	         "large to run; those that belong together alike"},
		{"tolerance", OPTION_TEXT, &v.tolerance, "T[,ALL]",
	         "allow |got - expected| <= T (1 + |expected|) for all elements\n"
	         "but one in 10,000, and ALL instead of T for every one"},
		{"partitioned", OPTION_TEXT, &v.partitioned, "FILE",
	         "run this program of one device, partitioned by another tool,\n"
	         "instead of tessera's"},
		{"target", OPTION_TEXT, &v.target, "MACHINE",
	         "run what `tess partition --target` prints for this machine"},
		PROGRAM_OPTIONS(v.program),
		POLICY_OPTION(v.program),
		{"devices", OPTION_POSITIVE, &v.devices, "N",
	         "fail unless the program is for N devices"},
		{"threads", OPTION_THREADS, &v.threads, "N",
	         "use N threads; default: one for each core"},
		BACKEND_OPTIONS(v.backend),
		SKIP_CALLBACKS_OPTION(v.skip_callbacks),
		{"json", OPTION_FLAG, &v.json, NULL, "print JSON"},
	};
	options o = {.self = self,
	             .table = table,
	             .n = sizeof table / sizeof *table,
	             .min_files = 1,
	             .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && v.tolerance && !parse_tolerance(v.tolerance, &tolerance))
		status = usage_error(self, "--tolerance %s: expected one or two numbers above 0, the second "
		                     "not below the first",
		                     v.tolerance);
	if (status < 0 && v.shrink && (v.inputs || v.partitioned))
		status = usage_error(self,
		                     "--shrink changes the shapes, so it excludes --inputs and --partitioned");
	if (status < 0 && v.target && v.partitioned)
		status = usage_error(self, "--target and --partitioned exclude each other");
	if (status < 0 && v.inputs && v.like)
		status = usage_error(self, "--inputs and --inputs-like exclude each other");
	if (status < 0)
		status = backend_check(self, &v.backend);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, verify_on_backend(self, ctx, o.files[0], &v, tolerance));
	}
	options_free(&o);
	return status;
}

const command cmd_verify = {
	.name = "verify",
	.args = "FILE [--inputs IN.npz] [--partitioned LOCAL] [--target MACHINE] [--locate] [OPTION]...",
	.summary = "check that the partitioned program computes what the whole one does",
	.about =
		"Runs the program twice on the same arguments, partitioned over its mesh and whole, and\n"
		"compares the results, and those of the .npz file if there are any.  Prints a line for each\n"
		"result; if it differs, with the first element that does, and with --locate the operation\n"
		"where that starts.  --partitioned verifies a program that another tool has partitioned.  If\n"
		"FILE itself is the program of one device, its results are compared with those of the .npz\n"
		"file.\n",
	.examples = "  tess verify examples/mlp.mlir\n"
		    "  tess verify examples/gpt_step.mlir --inputs examples/gpt_step.npz\n"
		    "  tess verify examples/gpt_step.mlir --shrink --locate --mesh data=2,model=2\n"
		    "  tess partition examples/mlp.mlir -o local.mlir && "
		    "tess verify examples/mlp.mlir --partitioned local.mlir\n",
	.status = "0    all results agree\n"
	          "1    a result differs, or the program or its inputs are wrong",
	.run = run_verify,
};
