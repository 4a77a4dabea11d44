/* calls.h - the PJRT API called from C, for tests: short calls, checks, clients, programs, buffers, runs. */
#ifndef TESS_TEST_CALLS_H
#define TESS_TEST_CALLS_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"

enum { MOST_DEVICES = 8 };

static const PJRT_Api *api;

#define ARGS(name) .struct_size = sizeof(PJRT_##name##_Args)
#define CALL(name, ...) api->name(&(PJRT_##name##_Args){ARGS(name), __VA_ARGS__})

static inline void die(const char *file, int line, PJRT_Error *error)
{
	const char *text = "a check failed";
	size_t n = strlen(text);
	if (error)
		error->vtable->message(error, &text, &n);
	fprintf(stderr, "%s:%d: %.*s\n", file, line, (int)n, text);
	exit(1);
}

#define GOOD(call)                                                                                 \
	do {                                                                                       \
		PJRT_Error *error_ = (call);                                                       \
		if (error_)                                                                        \
			die(__FILE__, __LINE__, error_);                                           \
	} while (0)
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			die(__FILE__, __LINE__, NULL);                                             \
	} while (0)

/* The call must fail, with a text that has these words. */
#define FAILS(call, words) check_error(call, words, __LINE__)
static inline void check_error(PJRT_Error *error, const char *words, int line)
{
	const char *text;
	size_t n;
	if (!error)
		die(__FILE__, line, NULL);
	error->vtable->message(error, &text, &n);
	char *z = calloc(1, n + 1);
	memcpy(z, text, n);
	if (!strstr(z, words))
		die(__FILE__, line, error);
	free(z);
	CALL(Error_Destroy, .error = error);
}

/* Sets `api`.  @return what dlsym() takes. */
static inline void *plugin_open(const char *path)
{
	void *plugin = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!plugin) {
		fprintf(stderr, "%s\n", path ? dlerror() : "libtess_pjrt.so is wanted");
		exit(1);
	}
	const PJRT_Api *(*get)(void) = (const PJRT_Api *(*)(void))dlsym(plugin, "GetPjrtApi");
	CHECK(get);
	api = get();
	CHECK(api->struct_size == sizeof *api);
	return plugin;
}

/* ---- clients and programs ------------------------------------------------------------------- */

static inline PJRT_Client *client_new(int64_t devices, int64_t asynchronous)
{
	PJRT_NamedValue options[] = {
	    {.struct_size = sizeof *options, .name = "num_devices", .name_size = 11,
	     .type = PJRT_NamedValue_kInt64, .int64_value = devices, .value_size = 1},
	    {.struct_size = sizeof *options, .name = "async", .name_size = 5,
	     .type = PJRT_NamedValue_kInt64, .int64_value = asynchronous, .value_size = 1},
	};
	PJRT_Client_Create_Args args = {ARGS(Client_Create), .create_options = options,
	                                .num_options = 2};
	GOOD(api->Client_Create(&args));
	return args.client;
}

static inline PJRT_Device *device(PJRT_Client *c, int id)
{
	PJRT_Client_LookupDevice_Args args = {ARGS(Client_LookupDevice), .client = c, .id = id};
	GOOD(api->Client_LookupDevice(&args));
	return args.device;
}

/* `options` is a CompileOptionsProto. */
static inline PJRT_Error *compile_bytes(PJRT_Client *c, const char *format, const char *code, size_t n,
                                        const char *options, size_t n_options,
                                        PJRT_LoadedExecutable **out)
{
	PJRT_Program program = {.struct_size = sizeof program, .code = (char *)(uintptr_t)code,
	                        .code_size = n, .format = format, .format_size = strlen(format)};
	PJRT_Client_Compile_Args args = {ARGS(Client_Compile), .client = c, .program = &program,
	                                 .compile_options = options,
	                                 .compile_options_size = n_options};
	PJRT_Error *error = api->Client_Compile(&args);
	*out = args.executable;
	return error;
}

static inline PJRT_Executable *about(PJRT_LoadedExecutable *x)
{
	PJRT_LoadedExecutable_GetExecutable_Args args = {ARGS(LoadedExecutable_GetExecutable),
	                                                 .loaded_executable = x};
	GOOD(api->LoadedExecutable_GetExecutable(&args));
	return args.executable;
}

/* @return the program of one device, to be freed, with a 0 behind its n bytes; it is in this format. */
static inline char *optimized_program(PJRT_LoadedExecutable *x, const char *format, size_t *n)
{
	PJRT_Executable *e = about(x);
	PJRT_Program program = {.struct_size = sizeof program};
	GOOD(CALL(Executable_OptimizedProgram, .executable = e, .program = &program));
	CHECK(program.format_size == strlen(format) && !memcmp(program.format, format, strlen(format)));
	program.code = calloc(1, program.code_size + 1);
	GOOD(CALL(Executable_OptimizedProgram, .executable = e, .program = &program));
	GOOD(CALL(Executable_Destroy, .executable = e));
	*n = program.code_size;
	return program.code;
}

static inline void free_executable(PJRT_LoadedExecutable *x)
{
	GOOD(CALL(LoadedExecutable_Destroy, .executable = x));
}

/* ---- buffers ---------------------------------------------------------------------------------- */

static inline PJRT_Buffer *buffer_of(PJRT_Client *c, int id, const float *data, const int64_t *dims,
                              size_t rank)
{
	PJRT_Client_BufferFromHostBuffer_Args args = {
	    ARGS(Client_BufferFromHostBuffer), .client = c, .data = data,
	    .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = rank,
	    .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
	    .device = device(c, id)};
	GOOD(api->Client_BufferFromHostBuffer(&args));
	GOOD(CALL(Event_Destroy, .event = args.done_with_host_buffer));
	return args.buffer;
}

static inline PJRT_Error *read_buffer(PJRT_Buffer *b, float *out, size_t bytes)
{
	PJRT_Buffer_ToHostBuffer_Args args = {ARGS(Buffer_ToHostBuffer), .src = b, .dst = out,
	                                      .dst_size = bytes};
	PJRT_Error *error = api->Buffer_ToHostBuffer(&args);
	if (error)
		return error;
	error = CALL(Event_Await, .event = args.event);
	GOOD(CALL(Event_Destroy, .event = args.event));
	return error;
}

static inline bool is_deleted(PJRT_Buffer *b)
{
	PJRT_Buffer_IsDeleted_Args args = {ARGS(Buffer_IsDeleted), .buffer = b};
	GOOD(api->Buffer_IsDeleted(&args));
	return args.is_deleted;
}

static inline void free_buffer(PJRT_Buffer *b) { GOOD(CALL(Buffer_Destroy, .buffer = b)); }

static inline void free_buffers(PJRT_Buffer **b, int n)
{
	for (int i = 0; i < n; i++)
		free_buffer(b[i]);
}

/* ---- runs --------------------------------------------------------------------------------------- */

/* Arguments and results [device * how many + which] of n devices, or of the one that is `alone`. */
static inline PJRT_Error *execute_on(PJRT_LoadedExecutable *x, PJRT_ExecuteOptions *options,
                                     PJRT_Buffer *const *in, int n_in, PJRT_Buffer **out, int n_out,
                                     int n, PJRT_Device *alone)
{
	PJRT_Buffer *const *ins[MOST_DEVICES];
	PJRT_Buffer **outs[MOST_DEVICES];
	PJRT_Event *events[MOST_DEVICES];
	for (int i = 0; i < n; i++) {
		ins[i] = &in[i * n_in];
		outs[i] = &out[i * n_out];
	}
	PJRT_Error *error = CALL(LoadedExecutable_Execute, .executable = x, .options = options,
	                         .argument_lists = ins, .num_devices = (size_t)n,
	                         .num_args = (size_t)n_in, .output_lists = outs,
	                         .device_complete_events = events, .execute_device = alone);
	for (int i = 0; i < n && !error; i++)
		GOOD(CALL(Event_Destroy, .event = events[i]));
	return error;
}

/* So many arguments, device by device, and one result on each of n devices. */
static inline PJRT_Error *execute_with(PJRT_LoadedExecutable *x, PJRT_Buffer *const *in, int n_args,
                                       PJRT_Buffer **out, int n)
{
	PJRT_ExecuteOptions options = {.struct_size = sizeof options};
	return execute_on(x, &options, in, n_args, out, 1, n, NULL);
}

static inline PJRT_Error *execute(PJRT_LoadedExecutable *x, PJRT_Buffer *const *in, PJRT_Buffer **out,
                                  int n)
{
	return execute_with(x, in, 1, out, n);
}

#endif
