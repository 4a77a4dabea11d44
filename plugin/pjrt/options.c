/* options.c - what a caller says with a program: xla.CompileOptionsProto.
 *
 * jax.jit(f, compiler_options={...}) gives options by name.  Those of XLA's that JAX programs usually
 * give are known with their types and change nothing here; others that begin with xla_ are passed over;
 * those of tessera's are done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "message.h"

enum { EXECUTABLE_BUILD_OPTIONS = 3, OVERRIDES = 7 }; /* in CompileOptionsProto */
enum { KEY = 1, VALUE = 2 };                          /* of a map's entry */
enum { STRING_VALUE = 1, BOOL_VALUE = 2, INT_VALUE = 3, DOUBLE_VALUE = 4 }; /* OptionOverrideProto */
enum {                                 /* in ExecutableBuildOptionsProto */
	NUM_REPLICAS = 4,
	NUM_PARTITIONS = 5,
	DEVICE_ASSIGNMENT = 9,
	FREE_RESULTS = 12, /* allow_spmd_sharding_propagation_to_output */
	FREE_ARGUMENTS = 18,
	USE_SHARDY = 19,
};
enum { COMPUTATION_DEVICES = 3, REPLICA_DEVICE_IDS = 1 };
enum { MOST_DEVICES = 1 << 20 };

/* Repeated numbers, packed or one by one. */
static bool add_numbers(const message_reader *field, int **out, int *n)
{
	message_reader r = message_open(field->bytes, field->n);
	do {
		if (field->bytes && r.at == r.end)
			return true;
		uint64_t v = field->bytes ? message_varint(&r) : field->number;
		int *more = realloc(*out, sizeof **out * ((size_t)*n + 1));
		if (!more || r.failed || v > MOST_DEVICES || *n >= MOST_DEVICES) {
			*out = more ? more : *out;
			return false;
		}
		*out = more;
		more[(*n)++] = (int)v;
	} while (field->bytes);
	return true;
}

static bool read_computation(message_reader r, compile_options *o)
{
	while (message_next(&r))
		if (r.field == REPLICA_DEVICE_IDS && !add_numbers(&r, &o->devices, &o->n_devices))
			return false;
	return !r.failed;
}

static bool read_assignment(message_reader r, compile_options *o)
{
	while (message_next(&r))
		if (r.field == COMPUTATION_DEVICES &&
		    !read_computation(message_open(r.bytes, r.n), o))
			return false;
	return !r.failed;
}

static bool read_flags(const message_reader *field, bool **out, int *n)
{
	int *numbers = NULL, count = 0;
	bool good = add_numbers(field, &numbers, &count);
	bool *more = realloc(*out, sizeof **out * (size_t)(*n + count + 1));
	if (more) {
		*out = more;
		for (int i = 0; i < count; i++)
			more[(*n)++] = numbers[i] != 0;
	}
	free(numbers);
	return good && more;
}

static bool read_count(const message_reader *r, int *out)
{
	*out = r->number > MOST_DEVICES ? 0 : (int)r->number;
	return r->number <= MOST_DEVICES;
}

static bool read_build_options(message_reader r, compile_options *o)
{
	while (message_next(&r)) {
		bool good = true;
		switch (r.field) {
		case NUM_REPLICAS: good = read_count(&r, &o->replicas); break;
		case NUM_PARTITIONS: good = read_count(&r, &o->partitions); break;
		case USE_SHARDY: o->shardy = r.number != 0; break;
		case DEVICE_ASSIGNMENT:
			good = read_assignment(message_open(r.bytes, r.n), o);
			break;
		case FREE_RESULTS:
			good = read_flags(&r, &o->free_results, &o->n_free_results);
			break;
		case FREE_ARGUMENTS:
			good = read_flags(&r, &o->free_arguments, &o->n_free_arguments);
			break;
		}
		if (!good)
			return false;
	}
	return !r.failed;
}

/* ---- options by name --------------------------------------------------------------------------- */

typedef enum option_type { OPTION_BOOL, OPTION_INT } option_type;

typedef struct option_row {
	const char *name;
	option_type type;
	size_t at; /* of an int64_t in compile_options; 0: it changes nothing */
} option_row;

static const option_row rows[] = {
	{"tessera_faithful", OPTION_BOOL, offsetof(compile_options, faithful)},
	{"tessera_max_bytes", OPTION_INT, offsetof(compile_options, max_bytes)},
	{"xla_embed_ir_in_executable", OPTION_BOOL, 0},
	{"xla_allow_excess_precision", OPTION_BOOL, 0},
	{"xla_cpu_enable_fast_math", OPTION_BOOL, 0},
	{"xla_cpu_enable_fast_min_max", OPTION_BOOL, 0},
	{"xla_cpu_multi_thread_eigen", OPTION_BOOL, 0},
	{"xla_cpu_use_thunk_runtime", OPTION_BOOL, 0},
	{"xla_gpu_auto_spmd_partitioning", OPTION_BOOL, 0},
	{"xla_gpu_deterministic_ops", OPTION_BOOL, 0},
	{"xla_gpu_enable_latency_hiding_scheduler", OPTION_BOOL, 0},
	{"xla_gpu_enable_triton_gemm", OPTION_BOOL, 0},
	{"xla_hlo_profile", OPTION_BOOL, 0},
	{"xla_backend_optimization_level", OPTION_INT, 0},
	{"xla_gpu_autotune_level", OPTION_INT, 0},
};

typedef struct option_value {
	uint32_t kind; /* of OptionOverrideProto's fields; 0: nothing was said */
	uint64_t number;
	const char *text;
	size_t n;
} option_value;

static option_value read_value(message_reader r)
{
	option_value v = {0};
	while (message_next(&r))
		v = (option_value){r.field, r.number, (const char *)r.bytes, r.n};
	return v;
}

static bool text_is(const option_value *v, const char *word)
{
	return v->n == strlen(word) && !memcmp(v->text, word, v->n);
}

static bool value_as_bool(const option_value *v, int64_t *out)
{
	bool yes = v->kind == STRING_VALUE ? text_is(v, "true") || text_is(v, "True") || text_is(v, "1")
	                                   : v->number != 0;
	bool no = v->kind == STRING_VALUE
	              ? text_is(v, "false") || text_is(v, "False") || text_is(v, "0")
	              : v->number == 0;
	*out = yes;
	return (yes || no) && v->kind != DOUBLE_VALUE;
}

static bool value_as_int(const option_value *v, int64_t *out)
{
	char text[24], *end = text;
	*out = (int64_t)v->number;
	if (v->kind != STRING_VALUE)
		return v->kind == INT_VALUE;
	snprintf(text, sizeof text, "%.*s", (int)v->n, v->text);
	*out = strtoll(text, &end, 10);
	return v->n > 0 && v->n < sizeof text && !*end;
}

static PJRT_Error *bad_value(const option_row *row, const option_value *v)
{
	return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                 "tessera: while setting option %s, '%.*s' is not a valid %s value.",
	                 row->name, v->kind == STRING_VALUE ? (int)v->n : 0, v->text ? v->text : "",
	                 row->type == OPTION_BOOL ? "bool" : "int");
}

static PJRT_Error *set_option(const char *name, size_t n, const option_value *v, compile_options *o)
{
	for (int i = 0; i < COUNT(rows); i++) {
		const option_row *row = &rows[i];
		int64_t value;
		if (n != strlen(row->name) || memcmp(name, row->name, n) != 0)
			continue;
		if (!(row->type == OPTION_BOOL ? value_as_bool : value_as_int)(v, &value))
			return bad_value(row, v);
		if (row->at)
			memcpy((char *)o + row->at, &value, sizeof value);
		return NULL;
	}
	if (n > 4 && !memcmp(name, "xla_", 4))
		return NULL;
	return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                 "tessera: No such compile option: '%.*s'; there are tessera_faithful and "
	                 "tessera_max_bytes", (int)n, name);
}

static PJRT_Error *read_override(message_reader r, compile_options *o)
{
	const char *name = "";
	size_t n = 0;
	option_value v = {0};
	while (message_next(&r))
		if (r.field == KEY && r.bytes) {
			name = (const char *)r.bytes;
			n = r.n;
		} else if (r.field == VALUE) {
			v = read_value(message_open(r.bytes, r.n));
		}
	return set_option(name, n, &v, o);
}

/* ---- all of it ---------------------------------------------------------------------------------- */

static PJRT_Error *not_options(void)
{
	return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                 "tessera: the compile options are not a CompileOptionsProto");
}

PJRT_Error *options_read(const char *bytes, size_t n, compile_options *out)
{
	*out = (compile_options){.replicas = 1, .partitions = 1, .faithful = -1, .max_bytes = -1};
	message_reader r = message_open(bytes, n);
	PJRT_Error *e = NULL;
	while (!e && message_next(&r))
		if (r.field == OVERRIDES)
			e = read_override(message_open(r.bytes, r.n), out);
		else if (r.field == EXECUTABLE_BUILD_OPTIONS &&
		         !read_build_options(message_open(r.bytes, r.n), out))
			return not_options();
	if (out->replicas < 1)
		out->replicas = 1;
	if (out->partitions < 1)
		out->partitions = 1;
	return e ? e : r.failed ? not_options() : NULL;
}

void options_free(compile_options *o)
{
	free(o->devices);
	free(o->free_arguments);
	free(o->free_results);
	*o = (compile_options){0};
}
