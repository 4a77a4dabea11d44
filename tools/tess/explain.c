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
		{"dim", OPTION_COUNT, &opts.dim, "N", "explain dimension N only"},
		{"axis", OPTION_TEXT, &opts.axis, "NAME", "explain this axis of the mesh only"},
		{"collective", OPTION_COUNT, &collective, "N",
		 "explain why collective N of `tess report` exists"},
		{"plan", OPTION_FLAG, &plan, NULL,
	         "print what other annotations of the values would cost; without\na VALUE, of all that are "
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
		status = usage_error(self, "--plan excludes --collective, --dim and --axis");
	if (status < 0 && prices.target && !plan)
		status = usage_error(self, "--target needs --plan");
	if (status < 0 && o.n_files < 2 && collective < 0 && !plan)
		status = usage_error(self, "a VALUE is missing, or --collective N");
	if (status < 0 && o.n_files < 2 && (opts.axis || opts.dim >= 0))
		status = usage_error(self, "--dim and --axis need a VALUE");
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
	.summary = "say why a value is sharded as it is, or why a collective exists",
	.about =
		"Propagates the annotations of a program and prints, for each VALUE, each dimension and each\n"
		"axis on it, the operations through which the axis came, back to the annotation; and, for\n"
		"each axis that a neighbour has and the value does not, what prevents it.  For a collective:\n"
		"the value that it moves, from which sharding to which, for which operation, and why these\n"
		"are sharded as they are.\n\n"
		"VALUE is one of\n"
		"  %h, h, %0#1         a name in the text of the program\n"
		"  '%h of @f'          a name in a function that is called\n"
		"  arg:0, result:0     an argument or result of @main\n"
		"  params/w, \"params['w']\", params.w.value, w\n"
		"                      the path of an argument or result in JAX, flax or equinox, or its end\n"
		"  'layers.*.w'        all with such a path\n"
		"  layers/3/attention  what a module returns\n"
		"  train.py:26         what a line of the source computes\n",
	.examples =
		"  tess explain examples/mlp.mlir %w2\n"
		"  tess explain examples/mlp.mlir --collective 0\n"
		"  tess explain examples/gpt_step.mlir layers/0/down result:0\n"
		"  tess explain examples/gpt_step.mlir 'params.layers.*.up' --dim 1\n"
		"  tess explain examples/mlp.mlir --plan --target h100\n",
	.status = "0    done\n"
	          "1    the program is wrong, or there is no such value or collective",
	.run = run_explain,
};
