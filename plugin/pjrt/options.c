/* options.c - what a caller says with a program: xla.CompileOptionsProto. */
#include <stdlib.h>

#include "plugin.h"
#include "message.h"

enum { EXECUTABLE_BUILD_OPTIONS = 3 }; /* in CompileOptionsProto */
enum {                                 /* in ExecutableBuildOptionsProto */
	NUM_REPLICAS = 4,
	NUM_PARTITIONS = 5,
	DEVICE_ASSIGNMENT = 9,
	FREE_RESULTS = 12, /* allow_spmd_sharding_propagation_to_output */
	FREE_ARGUMENTS = 18,
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

bool options_read(const char *bytes, size_t n, compile_options *out)
{
	*out = (compile_options){.replicas = 1, .partitions = 1};
	message_reader r = message_open(bytes, n);
	while (message_next(&r))
		if (r.field == EXECUTABLE_BUILD_OPTIONS &&
		    !read_build_options(message_open(r.bytes, r.n), out))
			return false;
	if (out->replicas < 1)
		out->replicas = 1;
	if (out->partitions < 1)
		out->partitions = 1;
	return !r.failed;
}

void options_free(compile_options *o)
{
	free(o->devices);
	free(o->free_arguments);
	free(o->free_results);
	*o = (compile_options){0};
}
