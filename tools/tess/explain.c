/* explain.c - `tess explain`: why a value is sharded, or is not. */
#include "tess.h"

#include <tessera/plan.h>
#include <tessera/report.h>

/* One explanation after the other; of several, JSON is an array. */
typedef struct explained {
	const command *self;
	bool as_json, list;
	int n;
} explained;

static tess_status put_explained(explained *e, tess_status status, char *text)
{
	if (status != TESS_OK)
		return status;
	progress_stop();
	if (e->list)
		fputs(e->n++ ? ",\n" : "[\n", stdout);
	return give_text(e->self, NULL, text, !e->as_json);
}

static tess_status explain(const command *self, tess_ctx *ctx, const options *o,
                           const program_options *program, const tess_explain_opts *opts,
                           int64_t collective)
{
	tess_status status;
	char *text;
	int n = o->n_files - 1 + (collective >= 0);
	explained e = {.self = self,
	               .as_json = opts->format == TESS_FORMAT_JSON,
	               .list = opts->format == TESS_FORMAT_JSON && n > 1};
	tess_module *m = program_open(self, ctx, o->files[0], program, &status);
	if (m && collective >= 0) {
		status = tess_module_explain_collective(m, collective, opts, &text);
		status = put_explained(&e, status, text);
	}
	for (int i = 1; status == TESS_OK && i < o->n_files; i++) {
		status = tess_module_explain(m, o->files[i], opts, &text);
		status = put_explained(&e, status, text);
	}
	if (e.n)
		puts("]");
	tess_module_free(m);
	return status;
}

/* Prices of annotations: of the values that are named, or of all. */
static tess_status explain_plan(const command *self, tess_ctx *ctx, const options *o,
                                const program_options *program, tess_price_opts *opts)
{
	tess_status status;
	char *text;
	explained e = {.self = self,
	               .as_json = opts->format == TESS_FORMAT_JSON,
	               .list = opts->format == TESS_FORMAT_JSON && o->n_files > 2};
	tess_module *m = program_open(self, ctx, o->files[0], program, &status);
	for (int i = 1; status == TESS_OK && (i < o->n_files || i == 1); i++) {
		opts->value = i < o->n_files ? o->files[i] : NULL;
		status = tess_module_price(m, opts, &text);
		status = put_explained(&e, status, text);
	}
	if (e.n)
		puts("]");
	tess_module_free(m);
	return status;
}

static int run_explain(const command *self, int argc, char **argv)
{
	program_options program = {0};
	tess_explain_opts opts = TESS_EXPLAIN_OPTS_INIT;
	tess_price_opts prices = TESS_PRICE_OPTS_INIT;
	bool json = false, plan = false;
	int64_t collective = -1;
	const option table[] = {
		{"dim", OPTION_COUNT, &opts.dim, "N", "only dimension N"},
		{"axis", OPTION_TEXT, &opts.axis, "NAME", "only this axis of the mesh"},
		{"collective", OPTION_COUNT, &collective, "N",
		 "why collective N of `tess report` exists"},
		{"plan", OPTION_FLAG, &plan, NULL,
	         "what other annotations of the values would cost; without a value,\nof all that are "
	         "annotated"},
		TARGET_OPTION(prices.target),
		{"json", OPTION_FLAG, &json, NULL, "print JSON"},
		PROGRAM_OPTIONS(program),
		POLICY_OPTION(program),
	};
	options o = {.self = self,
	             .table = table,
	             .n = sizeof table / sizeof *table,
	             .min_files = 1,
	             .max_files = argc};
	int status = options_parse(&o, argc, argv);
	if (status < 0 && plan && (collective >= 0 || opts.axis || opts.dim >= 0))
		status = usage_error(self, "--plan is of whole annotations");
	if (status < 0 && prices.target && !plan)
		status = usage_error(self, "--target is for --plan");
	if (status < 0 && o.n_files < 2 && collective < 0 && !plan)
		status = usage_error(self, "name a value, or --collective N");
	if (status < 0 && o.n_files < 2 && (opts.axis || opts.dim >= 0))
		status = usage_error(self, "--dim and --axis are of a value: name one");
	if (status < 0) {
		tess_ctx *ctx = context_new();
		opts.reshards = program_policy(&program);
		opts.format = json ? TESS_FORMAT_JSON : terminal_format();
		prices.format = opts.format;
		status = finish(ctx, plan ? explain_plan(self, ctx, &o, &program, &prices)
		                          : explain(self, ctx, &o, &program, &opts, collective));
	}
	options_free(&o);
	return status;
}

const command cmd_explain = {
	.name = "explain",
	.args = "FILE [VALUE]... [--collective N] [--dim N] [--axis NAME] [--json] [OPTION]...",
	.summary = "why a value is sharded, or is not, back to the annotations",
	.about =
		"For each axis on each dimension: the operations through which it came, from value to value,\n"
		"back to the annotation that it comes from.  For each axis that a neighbour has and the value\n"
		"has not: what stands against it.  VALUE is a name of the text, %h or h, %0#1 for one of\n"
		"several results, '%h of @f' in the body of a function that is called, arg:0, result:0 for what\n"
		"@main returns; the path of an argument or result as JAX, flax or equinox write it, or its end\n"
		"(params['w'], params/w, params.w.value, w), with * for all that fit;\n"
		"layers/3/attention for what a module hands to others; or train.py:26 for what a line of the\n"
		"source made.\n\n"
		"Of a collective: the value that it moves, from what to what, for which operation, and why\n"
		"these two are sharded as they are.\n",
	.examples =
		"  tess explain examples/mlp.mlir %w2\n"
		"  tess explain examples/mlp.mlir --collective 0\n"
		"  tess explain examples/gpt_step.mlir layers/0/down result:0\n"
		"  tess explain examples/gpt_step.mlir 'params.layers.*.up' --dim 1\n",
	.run = run_explain,
};
