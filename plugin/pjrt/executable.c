/* executable.c - what callers ask of compiled programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/report.h>

#include "plugin.h"
#include "message.h"

/* Lists that questions return, which live as long as the executable. */
typedef struct executable_answers {
	PJRT_Buffer_Type *types;
	int64_t *dims;
	size_t *ranks;
	const char **result_kinds, **argument_kinds;
	size_t *result_kind_sizes, *argument_kind_sizes;
	char *optimized; /* the program of one device, in the form that its caller takes */
	size_t n_optimized;
	PJRT_NamedValue costs[4];
	int n_costs;
} executable_answers;

void answers_free(executable_answers *a)
{
	if (!a)
		return;
	free(a->types);
	free(a->dims);
	free(a->ranks);
	free(a->result_kinds);
	free(a->argument_kinds);
	free(a->result_kind_sizes);
	free(a->argument_kind_sizes);
	free(a->optimized);
	free(a);
}

static void list_kinds(const port *ports, int n, const char **kinds, size_t *sizes)
{
	for (int i = 0; i < n && kinds && sizes; i++) {
		kinds[i] = memory_kind_name(ports[i].memory_kind);
		sizes[i] = strlen(kinds[i]);
	}
}

static void list_results(const PJRT_Executable *x, executable_answers *a)
{
	int64_t *dim = a->dims;
	for (int i = 0; i < x->n_results; i++) {
		a->types[i] = x->results[i].type;
		a->ranks[i] = (size_t)x->results[i].rank;
		for (int d = 0; d < x->results[i].rank; d++)
			*dim++ = x->results[i].dims[d];
	}
}

executable_answers *answers_new(const PJRT_Executable *x)
{
	size_t n_dims = 1, n_in = (size_t)x->n_arguments + 1, n_out = (size_t)x->n_results + 1;
	executable_answers *a = calloc(1, sizeof *a);
	if (!a)
		return NULL;
	for (int i = 0; i < x->n_results; i++)
		n_dims += (size_t)x->results[i].rank;
	a->types = calloc(n_out, sizeof *a->types);
	a->ranks = calloc(n_out, sizeof *a->ranks);
	a->dims = calloc(n_dims, sizeof *a->dims);
	a->result_kinds = calloc(n_out, sizeof *a->result_kinds);
	a->result_kind_sizes = calloc(n_out, sizeof *a->result_kind_sizes);
	a->argument_kinds = calloc(n_in, sizeof *a->argument_kinds);
	a->argument_kind_sizes = calloc(n_in, sizeof *a->argument_kind_sizes);
	if (!a->types || !a->ranks || !a->dims || !a->result_kinds || !a->result_kind_sizes ||
	    !a->argument_kinds || !a->argument_kind_sizes) {
		answers_free(a);
		return NULL;
	}
	list_kinds(x->results, x->n_results, a->result_kinds, a->result_kind_sizes);
	list_kinds(x->arguments, x->n_arguments, a->argument_kinds, a->argument_kind_sizes);
	list_results(x, a);
	return a;
}

/* ---- handles ------------------------------------------------------------------------------------ */

PJRT_Error *pjrt_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args)
{
	args->executable = executable_retain(args->loaded_executable->x);
	return NULL;
}

PJRT_Error *pjrt_Executable_Destroy(PJRT_Executable_Destroy_Args *args)
{
	executable_release(args->executable);
	return NULL;
}

PJRT_Error *pjrt_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args)
{
	if (args->executable) {
		executable_release(args->executable->x);
		free(args->executable);
	}
	return NULL;
}

PJRT_Error *pjrt_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args)
{
	args->executable->x->deleted = true;
	return NULL;
}

PJRT_Error *pjrt_LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args *args)
{
	args->is_deleted = args->executable->x->deleted;
	return NULL;
}

/* ---- devices ------------------------------------------------------------------------------------ */

PJRT_Error *
pjrt_LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args *args)
{
	args->addressable_devices = args->executable->x->devices;
	args->num_addressable_devices = (size_t)args->executable->x->n_devices;
	return NULL;
}

PJRT_Error *pjrt_LoadedExecutable_AddressableDeviceLogicalIds(
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args *args)
{
	args->addressable_device_logical_ids = args->executable->x->ids;
	args->num_addressable_device_logical_ids = (size_t)args->executable->x->n_devices;
	return NULL;
}

static void free_assignment(PJRT_DeviceAssignmentSerialized *bytes) { free(bytes); }

/* The devices of one partition, replica by replica. */
static void put_computation(const PJRT_Executable *x, int partition, message_writer *w)
{
	message_writer inner = {0};
	int64_t *ids = malloc(sizeof *ids * (size_t)x->options.replicas);
	for (int r = 0; ids && r < x->options.replicas; r++)
		ids[r] = x->all[r * x->options.partitions + partition]->about.id;
	if (ids)
		message_put_packed(&inner, 1, ids, (size_t)x->options.replicas);
	message_put_bytes(w, 3, inner.bytes, inner.n);
	w->failed |= inner.failed || !ids;
	free(ids);
	message_free(&inner);
}

/* xla.DeviceAssignmentProto: replica_count, computation_count, the devices of each computation. */
PJRT_Error *
pjrt_LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args)
{
	const PJRT_Executable *x = args->executable->x;
	message_writer w = {0};
	const int replicas = x->options.replicas, partitions = x->options.partitions;
	message_put_number(&w, 1, (uint64_t)replicas);
	message_put_number(&w, 2, (uint64_t)partitions);
	for (int p = 0; p < partitions && !w.failed; p++)
		put_computation(x, p, &w);
	if (w.failed) {
		message_free(&w);
		return error_no_memory();
	}
	args->serialized_bytes = (const char *)w.bytes;
	args->serialized_bytes_size = w.n;
	args->serialized_device_assignment = (PJRT_DeviceAssignmentSerialized *)w.bytes;
	args->serialized_device_assignment_deleter = free_assignment;
	return NULL;
}

PJRT_Error *pjrt_Executable_NumReplicas(PJRT_Executable_NumReplicas_Args *args)
{
	args->num_replicas = (size_t)args->executable->options.replicas;
	return NULL;
}

PJRT_Error *pjrt_Executable_NumPartitions(PJRT_Executable_NumPartitions_Args *args)
{
	args->num_partitions = (size_t)args->executable->options.partitions;
	return NULL;
}

/* ---- names and types ---------------------------------------------------------------------------- */

PJRT_Error *pjrt_Executable_Name(PJRT_Executable_Name_Args *args)
{
	args->executable_name = args->executable->name;
	args->executable_name_size = strlen(args->executable->name);
	return NULL;
}

PJRT_Error *pjrt_Executable_Fingerprint(PJRT_Executable_Fingerprint_Args *args)
{
	args->executable_fingerprint = args->executable->fingerprint;
	args->executable_fingerprint_size = strlen(args->executable->fingerprint);
	return NULL;
}

PJRT_Error *pjrt_LoadedExecutable_Fingerprint(PJRT_LoadedExecutable_Fingerprint_Args *args)
{
	args->executable_fingerprint = args->executable->x->fingerprint;
	args->executable_fingerprint_size = strlen(args->executable->x->fingerprint);
	return NULL;
}

PJRT_Error *pjrt_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args *args)
{
	args->num_outputs = (size_t)args->executable->n_results;
	return NULL;
}

PJRT_Error *pjrt_Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args *args)
{
	const executable_answers *a = args->executable->answers;
	args->output_types = a->types;
	args->num_output_types = (size_t)args->executable->n_results;
	return NULL;
}

PJRT_Error *pjrt_Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args *args)
{
	const executable_answers *a = args->executable->answers;
	args->num_outputs = (size_t)args->executable->n_results;
	args->dims = a->dims;
	args->dim_sizes = a->ranks;
	return NULL;
}

PJRT_Error *pjrt_Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args *args)
{
	const executable_answers *a = args->executable->answers;
	args->num_outputs = (size_t)args->executable->n_results;
	args->memory_kinds = a->result_kinds;
	args->memory_kind_sizes = a->result_kind_sizes;
	return NULL;
}

PJRT_Error *pjrt_Executable_ParameterMemoryKinds(PJRT_Executable_ParameterMemoryKinds_Args *args)
{
	const executable_answers *a = args->executable->answers;
	args->num_parameters = (size_t)args->executable->n_arguments;
	args->memory_kinds = a->argument_kinds;
	args->memory_kind_sizes = a->argument_kind_sizes;
	return NULL;
}

static void keep_options(PJRT_SerializedCompileOptions *options) { (void)options; }

PJRT_Error *pjrt_Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args *args)
{
	args->serialized_bytes = args->executable->option_bytes;
	args->serialized_bytes_size = args->executable->n_option_bytes;
	args->serialized_compile_options = NULL; /* the executable's */
	args->serialized_compile_options_deleter = keep_options;
	return NULL;
}

/* ---- the program of one device ------------------------------------------------------------------ */

/* Asked twice: for the size, and for the bytes. */
PJRT_Error *pjrt_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args)
{
	PJRT_Executable *x = args->executable;
	executable_answers *a = x->answers;
	PJRT_Error *e = NULL;
	pthread_mutex_lock(&x->lock);
	if (!a->optimized)
		e = x->options.shardy ? optimized_hlo(x, &a->optimized, &a->n_optimized)
		                      : optimized_print(x, &a->optimized, &a->n_optimized);
	pthread_mutex_unlock(&x->lock);
	if (e)
		return e;
	args->program->format = x->options.shardy ? "hlo_with_config" : "mlir";
	args->program->format_size = strlen(args->program->format);
	if (args->program->code)
		memcpy(args->program->code, a->optimized, a->n_optimized);
	args->program->code_size = a->n_optimized;
	return NULL;
}

PJRT_Error *pjrt_Executable_SizeOfGeneratedCodeInBytes(
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args *args)
{
	args->size_in_bytes = 0; /* programs are interpreted */
	return NULL;
}

/* ---- costs --------------------------------------------------------------------------------------- */

/* A number of the report in JSON: the first behind each of the names, in their order. */
static double report_number(const char *json, const char *const *path)
{
	const char *at = json;
	for (; at && *path; path++) {
		char key[48];
		snprintf(key, sizeof key, "\"%s\":", *path);
		at = strstr(at, key);
		at = at ? at + strlen(key) : NULL;
	}
	return at ? strtod(at, NULL) : 0;
}

static void add_cost(executable_answers *a, const char *name, double value)
{
	a->costs[a->n_costs++] = (PJRT_NamedValue){
	    .struct_size = sizeof(PJRT_NamedValue), .name = name, .name_size = strlen(name),
	    .type = PJRT_NamedValue_kFloat, .float_value = (float)value, .value_size = 1,
	};
}

static PJRT_Error *count_costs(PJRT_Executable *x, executable_answers *a)
{
	tess_report_opts opts = TESS_REPORT_OPTS_INIT;
	char *json;
	opts.format = TESS_FORMAT_JSON;
	tess_status status = tess_module_report(x->program, &opts, &json);
	if (status != TESS_OK)
		return error_of_context(x->ctx, status, x->name);
	add_cost(a, "flops", report_number(json, (const char *[]){"work", "flops", NULL}));
	add_cost(a, "bytes accessed", report_number(json, (const char *[]){"work", "bytes", NULL}));
	add_cost(a, "collective bytes",
	         report_number(json, (const char *[]){"communication", "bytes", NULL}));
	tess_text_free(json);
	return NULL;
}

PJRT_Error *pjrt_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args *args)
{
	PJRT_Executable *x = args->executable;
	executable_answers *a = x->answers;
	PJRT_Error *e = NULL;
	pthread_mutex_lock(&x->lock);
	if (!a->n_costs)
		e = count_costs(x, a);
	pthread_mutex_unlock(&x->lock);
	args->properties = a->costs;
	args->num_properties = (size_t)a->n_costs;
	return e;
}

/* Of one device.  Every field is written, since those that are not come back as garbage. */
PJRT_Error *
pjrt_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args *args)
{
	PJRT_Executable *x = args->executable;
	int64_t in = 0, out = 0, alias = 0;
	for (int i = 0; i < x->n_arguments; i++) {
		in += (int64_t)x->arguments[i].bytes;
		alias += x->arguments[i].donated ? (int64_t)x->arguments[i].bytes : 0;
	}
	for (int i = 0; i < x->n_results; i++)
		out += (int64_t)x->results[i].bytes;
	if (alias > out)
		alias = out;
	int64_t temp = (int64_t)(tess_exec_memory(x->exec) / (uint64_t)x->n_plan_devices);
	PJRT_Executable_GetCompiledMemoryStats_Args all = {
	    .struct_size = args->struct_size, .extension_start = args->extension_start,
	    .executable = x,
	    .argument_size_in_bytes = in,
	    .output_size_in_bytes = out,
	    .alias_size_in_bytes = alias,
	    .temp_size_in_bytes = temp,
	    .peak_memory_in_bytes = in + out - alias + temp,
	    .total_size_in_bytes = in + out - alias + temp,
	    .total_allocation_bytes = in + out - alias + temp,
	    .peak_unpadded_heap_bytes = in + out - alias + temp,
	};
	memcpy(args, &all, args->struct_size < sizeof all ? args->struct_size : sizeof all);
	return NULL;
}
