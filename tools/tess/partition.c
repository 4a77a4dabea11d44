/* partition.c - `tess partition`: the program of one device. */
#include "tess.h"

#include <inttypes.h>
#include <string.h>
#include <tessera/partition.h>

typedef struct partition_options {
	program_options program;
	const char *output, *devices, *wrap;
	tess_partition_opts how;
	bool json;
} partition_options;

/* Options that are words. */
static bool read_words(const command *self, partition_options *p)
{
	if (p->devices && strcmp(p->devices, "partitions") && strcmp(p->devices, "replicas"))
		return usage_error(self, "--devices %s: partitions or replicas was expected", p->devices),
		       false;
	if (p->wrap && strcmp(p->wrap, "none") && strcmp(p->wrap, "shard_map"))
		return usage_error(self, "--wrap %s: none or shard_map was expected", p->wrap), false;
	if (p->devices && strcmp(p->devices, "replicas") == 0)
		p->how.devices = TESS_DEVICES_REPLICAS;
	if (p->wrap && strcmp(p->wrap, "shard_map") == 0)
		p->how.wrap = TESS_WRAP_SHARD_MAP;
	if (p->how.devices && p->how.wrap)
		return usage_error(self, "--wrap shard_map: a manual computation is of partitions, not of "
		                         "replicas"), false;
	return true;
}

static tess_status partition(const command *self, tess_ctx *ctx, const char *path, void *own)
{
	partition_options *p = own;
	tess_status status;
	if (!read_words(self, p))
		return TESS_USAGE;
	tess_partition_stats stats = TESS_PARTITION_STATS_INIT;
	tess_module *m = program_open(self, ctx, path, &p->program, &status);
	if (m)
		status = program_propagate(m, &p->program);
	if (status == TESS_OK)
		status = tess_module_partition(m, &p->how, &stats);
	if (status == TESS_OK && p->json)
		printf("{\"devices\": %" PRId64 ", \"operations\": %" PRId64
		       ", \"replicated\": %" PRId64 "}\n",
		       stats.devices, stats.operations, stats.replicated);
	if (status == TESS_OK && (!p->json || p->output))
		status = give_text(self, p->output, tess_module_print(m, NULL), true);
	tess_module_free(m);
	return status;
}

static int run_partition(const command *self, int argc, char **argv)
{
	partition_options p = {.how = TESS_PARTITION_OPTS_INIT};
	const option table[] = {
		PROGRAM_OPTIONS(p.program),
		POLICY_OPTION(p.program),
		{"o", OPTION_TEXT, &p.output, "FILE", "write to FILE rather than to standard output"},
		{"merge", OPTION_FLAG, &p.how.merge, NULL,
	         "collectives among the same devices become one of several\n"
		 "operands, as in tess run; XLA reads some of them otherwise"},
		{"bare", OPTION_FLAG, &p.how.bare, NULL,
	         "leave out tess.global_type, tess.global_sharding and meshes"},
		{"devices", OPTION_TEXT, &p.devices, "partitions|replicas",
	         "what tells the devices apart: partition_id, and collectives have\n"
		 "a channel; or replica_id, and they have none"},
		{"wrap", OPTION_TEXT, &p.wrap, "none|shard_map",
	         "shard_map: a whole program of one sdy.manual_computation, in\n"
		 "which no other partitioner changes anything"},
		{"target", OPTION_TEXT, &p.how.target, "MACHINE",
	         "what is fastest on it, by the seconds that `tess report --target`\n"
		 "predicts; without it what moves the fewest bytes"},
		{"json", OPTION_FLAG, &p.json, NULL, "print counts as JSON instead of the program"},
	};
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, partition, &p);
}

const command cmd_partition = {
	.name = "partition",
	.args = "FILE [--bare] [--devices replicas] [--wrap shard_map] [-o FILE] [--json] "
	        "[OPTION]...",
	.summary = "the program that each device runs, with its collectives",
	.about =
		"Propagates, and rewrites the program for one device: every shape is that of a shard, and\n"
		"what has to be communicated is a collective of StableHLO, of one operand each.  All\n"
		"devices run the same program; stablehlo.partition_id tells them apart.  What arguments\n"
		"and results are parts of stands beside them as tess.global_type and tess.global_sharding:\n"
		"tess run and report take the program as it is, and what wants a whole one refuses it.\n",
	.examples = "  tess partition examples/mlp.mlir\n"
		    "  tess partition examples/mlp.mlir --wrap shard_map\n"
		    "  tess partition examples/mlp.mlir --target v5p\n"
		    "  tess partition examples/gpt_step.mlir -o local.mlir --json\n",
	.run = run_partition,
};
