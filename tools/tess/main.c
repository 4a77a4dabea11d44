/* main.c - `tess`: the table of subcommands. */
#include "tess.h"

#include <string.h>

static const command *const commands[] = {
	&cmd_opt,
	&cmd_shard,
	&cmd_partition,
	&cmd_run,
	&cmd_verify,
	&cmd_eval,
	&cmd_explain,
	&cmd_report,
	&cmd_plan,
	&cmd_advise,
	&cmd_lint,
	&cmd_diff,
	&cmd_hlo,
	&cmd_convert,
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void print_overview(FILE *to)
{
	fputs("tess - shard tensor programs, explain it, and run the result\n\n"
	      "usage: tess COMMAND FILE [OPTION]...\n\n",
	      to);
	for (int i = 0; i < N_COMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n`tess help COMMAND` explains a command and its options; `tess --version` says what is\n"
	      "built in. To start, with a program and its annotations:\n\n"
	      "  tess shard examples/mlp.mlir --table    the sharding of every value\n"
	      "  tess explain examples/mlp.mlir %w2      why one is sharded as it is\n"
	      "  tess report examples/mlp.mlir           what that costs\n"
	      "  tess verify examples/mlp.mlir           whether the result is right\n\n"
	      "FILE is a program: MLIR text or bytecode, what jax.export writes, or HLO; plain or\n"
	      "gzipped; - is standard input.  Exit status: 0 done, 1 the input is wrong or a check\n"
	      "failed, 2 the command line is wrong.\n",
	      to);
}

static const command *find_command(const char *name)
{
	for (int i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *nearest = NULL;
	size_t least = 3;
	for (int i = 0; i < N_COMMANDS; i++) {
		size_t d = text_distance(name, strlen(name), commands[i]->name);
		if (d < least) {
			least = d;
			nearest = commands[i]->name;
		}
	}
	fprintf(stderr, "tess: there is no command '%s'", name);
	if (nearest)
		fprintf(stderr, "; did you mean '%s'?", nearest);
	fprintf(stderr, "%s `tess help` lists them\n", nearest ? "" : ";");
	return EXIT_USAGE;
}

/* What concerns no command, or -1. */
static int run_overview(const char *name, const char *about)
{
	if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
		printf("tessera %s\n%s", tess_version(), tess_features());
		return EXIT_DONE;
	}
	if (strcmp(name, "--help=commands") == 0) {
		for (int i = 0; i < N_COMMANDS; i++)
			printf("%s\t%s\n", commands[i]->name, commands[i]->summary);
		return EXIT_DONE;
	}
	if (strcmp(name, "--help=man") == 0) {
		overview_man(commands, N_COMMANDS, stdout);
		return EXIT_DONE;
	}
	if (strcmp(name, "--help") != 0 && strcmp(name, "-h") != 0 && strcmp(name, "help") != 0)
		return -1;
	if (!about) {
		print_overview(stdout);
		return EXIT_DONE;
	}
	char *help[] = {"--help"};
	const command *c = find_command(about);
	return c ? c->run(c, 1, help) : unknown_command(about);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	const command *c = find_command(argv[1]);
	if (c)
		progress_start(c->name);
	int code = c ? c->run(c, argc - 2, argv + 2)
	             : run_overview(argv[1], argc > 2 ? argv[2] : NULL);
	if (code < 0)
		return unknown_command(argv[1]);
	return code == EXIT_DONE ? finish_output(code) : code;
}
