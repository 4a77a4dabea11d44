/* shard.c - `tess shard`: the program with the sharding of every value. */
#include "tess.h"

#include <tessera/partition.h>
#include <tessera/report.h>

typedef struct shard_options {
	program_options program;
	const char *output;
	bool table, json;
} shard_options;

static char *shard_text(tess_module *m, const shard_options *s)
{
	tess_print_opts print = TESS_PRINT_OPTS_INIT;
	print.keep_names = true;
	if (s->table || s->json)
		return tess_module_table(m, s->json ? TESS_FORMAT_JSON : TESS_FORMAT_TEXT);
	return tess_module_print(m, &print);
}

static tess_status shard(const command *self, tess_ctx *ctx, const char *path, void *own)
{
	const shard_options *s = own;
	tess_status status;
	tess_module *m = program_open(self, ctx, path, &s->program, &status);
	if (m)
		status = tess_module_propagate(m);
	if (status == TESS_OK && !s->table && !s->json)
		status = tess_module_verify(m); /* what is printed must be read again */
	if (status == TESS_OK)
		status = give_text(self, s->output, shard_text(m, s), !s->json);
	tess_module_free(m);
	return status;
}

static int run_shard(const command *self, int argc, char **argv)
{
	shard_options s = {0};
	const option table[] = {
		{"table", OPTION_FLAG, &s.table, NULL, "print a line for each value instead of the program"},
		{"json", OPTION_FLAG, &s.json, NULL, "print the table as JSON"},
		{"o", OPTION_TEXT, &s.output, "FILE", "write to FILE instead of standard output"},
		PROGRAM_OPTIONS(s.program),
	};
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, shard, &s);
}

const command cmd_shard = {
	.name = "shard",
	.args = "FILE [--table | --json] [-o FILE] [OPTION]...",
	.summary = "print the program with the sharding of every value",
	.about =
		"Propagates the annotations of a program, and of the command line, to all other values, and\n"
		"prints the program with them; where a value needs two shardings, there is an sdy.reshard\n"
		"between them.  --table prints, for each value, its type, its sharding and what one device\n"
		"holds of it.\n",
	.examples =
		"  tess shard examples/mlp.mlir --table\n"
		"  tess shard examples/mlp.mlir --arg '2=[{\"model\"}, {}]'\n"
		"  tess shard examples/mlp.mlir --mesh x=2,y=4 --arg '0=[{\"x\"}, {}]' --arg '1=[{}, {\"y\"}]'\n",
	.status = "0    done\n"
	          "1    the program or an annotation is wrong",
	.run = run_shard,
};
