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
		return usage_error(self, "--devices %s: expected partitions or replicas", p->devices),
		       false;
	if (p->wrap && strcmp(p->wrap, "none") && strcmp(p->wrap, "shard_map"))
		return usage_error(self, "--wrap %s: expected none or shard_map", p->wrap), false;
	if (p->devices && strcmp(p->devices, "replicas") == 0)
		p->how.devices = TESS_DEVICES_REPLICAS;
	if (p->wrap && strcmp(p->wrap, "shard_map") == 0)
		p->how.wrap = TESS_WRAP_SHARD_MAP;
	if (p->how.devices && p->how.wrap)
		return usage_error(self, "--wrap shard_map and --devices replicas exclude each other"), false;
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
		{"o", OPTION_TEXT, &p.output, "FILE", "write to FILE instead of standard output"},
		{"bare", OPTION_FLAG, &p.how.bare, NULL,
	         "omit tess.global_type, tess.global_sharding and the meshes"},
		{"wrap", OPTION_TEXT, &p.wrap, "none|shard_map",
	         "shard_map: print a whole program, of one\n"
		 "sdy.manual_computation that other partitioners do not change"},
		{"devices", OPTION_TEXT, &p.devices, "partitions|replicas",
	         "how the program tells devices apart: by partition_id, with\n"
		 "channels on collectives (default), or by replica_id, without"},
		{"merge", OPTION_FLAG, &p.how.merge, NULL,
	         "merge collectives among the same devices into one of several\n"
		 "operands, as `tess run` does; XLA reads some of these otherwise"},
		{"target", OPTION_TEXT, &p.how.target, "MACHINE",
	         "partition for the shortest time that `tess report --target`\n"
		 "predicts; default: for the fewest bytes sent"},
		{"json", OPTION_FLAG, &p.json, NULL, "print counts as JSON instead of the program"},
		PROGRAM_OPTIONS(p.program),
		POLICY_OPTION(p.program),
	};
	return on_one_file(self, argc, argv, table, sizeof table / sizeof *table, partition, &p);
}

const command cmd_partition = {
	.name = "partition",
	.args = "FILE [--bare] [--devices replicas] [--wrap shard_map] [-o FILE] [--json] "
	        "[OPTION]...",
	.summary = "print the program that one device runs, with its collectives",
	.about =
		"Propagates the annotations and rewrites the program for one device: shapes become those of\n"
		"the parts that a device holds, and communication becomes StableHLO's collectives.  All\n"
		"devices run the same program; stablehlo.partition_id tells them apart.  The attributes\n"
		"tess.global_type and tess.global_sharding of arguments and results say what these are parts\n"
		"of.  `tess run` and `tess report` accept the program as it is; commands that need the whole\n"
		"program refuse it.\n",
	.examples = "  tess partition examples/mlp.mlir\n"
		    "  tess partition examples/mlp.mlir --bare --devices replicas\n"
		    "  tess partition examples/mlp.mlir --wrap shard_map\n"
		    "  tess partition examples/gpt_step.mlir --target v5p -o local.mlir --json\n",
	.status = "0    done\n"
	          "1    the program is wrong or cannot be partitioned",
	.run = run_partition,
};
