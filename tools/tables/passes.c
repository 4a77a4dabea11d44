/* passes.c - docs/passes.md: the passes and pipelines of `tess opt`, and their options. */
#include "tables.h"

typedef struct pass_row {
	const char *section; /* its title; NULL: this is a pass */
	const char *name, *options, *summary;
	bool pipeline;
} pass_row;

static const pass_row passes[] = {
#define SECTION(title) {.section = title},
#define PASS(pass, function, opts, text) {.name = pass, .options = opts, .summary = text},
#define PIPELINE(pass, function, opts, text)                                                       \
	{.name = pass, .options = opts, .summary = text, .pipeline = true},
#include "shardy/passes.def"
#undef SECTION
#undef PASS
#undef PIPELINE
};

typedef struct option_row {
	const char *name, *initial, *help;
} option_row;

static const option_row pass_option_rows[] = {
#define FLAG(field, option, value, text) {option, #value, text},
#define NUMBER(field, option, value, text) {option, #value, text},
#define TEXT(field, option, value, text) {option, value, text},
#define WORD(field, type, option, words, text) {option, words, text},
#include "ir/pass_options.def"
#undef FLAG
#undef NUMBER
#undef TEXT
#undef WORD
};

static void write_pass(FILE *f, const pass_row *p)
{
	word w;
	fprintf(f, "| `%s`%s | %s | ", p->name, p->pipeline ? " (pipeline)" : "", p->summary);
	for (int i = 0; word_at(p->options, i, &w); i++)
		fprintf(f, "%s`%s`", i ? ", " : "", w.text);
	fputs(" |\n", f);
}

/* The words of a choice, "sdy|canonical", the default first. */
static void write_initial(FILE *f, const char *initial)
{
	const char *bar = strchr(initial, '|');
	if (!*initial)
		return;
	fprintf(f, "`%.*s`", bar ? (int)(bar - initial) : (int)strlen(initial), initial);
	while (bar) {
		const char *next = strchr(bar + 1, '|');
		fprintf(f, ", or `%.*s`", next ? (int)(next - bar - 1) : (int)strlen(bar + 1), bar + 1);
		bar = next;
	}
}

void write_passes(FILE *f)
{
	fputs("# Passes\n\n"
	      "The passes and pipelines that `tess opt` and `tess_module_run_passes()` run. Their names and"
	      " options are those\n"
	      "of Shardy's `sdy_opt`; those whose names do not start with `sdy-` are MLIR's, StableHLO's or"
	      " tessera's own. A\n"
	      "pipeline is a sequence of passes. [differences.md](differences.md) says where `tess opt` and"
	      " Shardy differ.\n\n"
	      "```\n"
	      "tess opt examples/mlp.mlir -sdy-basic-propagate='keep-sharding-rules=true order=canonical'\n"
	      "```\n\n"
	      "`ninja tables` generates this page from the tables of passes and options: do not edit it.\n",
	      f);
	for (int i = 0; i < COUNT(passes); i++)
		if (passes[i].section)
			fprintf(f, "\n## %s\n\n| pass | what it does | options |\n|---|---|---|\n",
			        passes[i].section);
		else
			write_pass(f, &passes[i]);
	fputs("\n## Options\n\nAn option means the same for every pass that has it.\n\n"
	      "| option | default | what it does |\n|---|---|---|\n",
	      f);
	for (int i = 0; i < COUNT(pass_option_rows); i++) {
		const option_row *o = &pass_option_rows[i];
		fprintf(f, "| `%s` | ", o->name);
		write_initial(f, o->initial);
		fprintf(f, " | %s |\n", o->help);
	}
}
