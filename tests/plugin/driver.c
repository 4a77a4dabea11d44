/* driver.c - calls of the PJRT API as JAX makes them, from C: on one thread, then on four.
 *
 *     driver libtess_pjrt.so
 *
 * Programs come as text here; JAX sends the same as bytecode. */
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"

enum { DEVICES = 8, ROWS = 2, COLUMNS = 4, THREADS = 4, ROUNDS = 200 };

/* CompileOptionsProto {3: {4: 1, 5: partitions, 12: [1], 19: 1}, 7: {1: name, 2: {1: value}}}:
 * propagation, Shardy's, shards results, and an option by name, unless that is NULL. */
static PJRT_Error *compile_with(PJRT_Client *c, const char *text, int partitions, const char *name,
                                const char *value, PJRT_LoadedExecutable **out)
{
	char options[200] = {3 << 3 | 2, 10,   4 << 3, 1, 5 << 3, (char)partitions, 12 << 3 | 2, 1, 1,
	                     (char)(19 << 3 | 0x80), 1, 1};
	size_t n_options = 12;
	if (name) {
		int n = (int)strlen(name), v = (int)strlen(value);
		n_options += (size_t)sprintf(options + n_options, "%c%c%c%c%s%c%c%c%c%s", 7 << 3 | 2,
		                             n + v + 6, 1 << 3 | 2, n, name, 2 << 3 | 2, v + 2,
		                             1 << 3 | 2, v, value);
	}
	return compile_bytes(c, "mlir", text, strlen(text), options, n_options, out);
}

static PJRT_Error *compile(PJRT_Client *c, const char *text, int partitions,
                           PJRT_LoadedExecutable **out)
{
	return compile_with(c, text, partitions, NULL, NULL, out);
}

/* ---- programs --------------------------------------------------------------------------------- */

static const char sharded[] =
    "module @jit_f {\n"
    "  sdy.mesh @mesh = <[\"x\"=8]>\n"
    "  func.func @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>,\n"
    "                                        jax.buffer_donor = true}) -> tensor<16x4xf32> {\n"
    "    %c = stablehlo.constant dense<1.0> : tensor<16x4xf32>\n"
    "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1]\n"
    "        : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>\n"
    "    %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<16x4xf32>\n"
    "    %0 = stablehlo.add %b, %c : tensor<16x4xf32>\n"
    "    %1 = stablehlo.add %a, %0 : tensor<16x4xf32>\n"
    "    return %1 : tensor<16x4xf32>\n"
    "  }\n"
    "}\n";

/* Two sums over the devices, of which neither waits for the other. */
static const char two_sums[] =
    "module @jit_h {\n"
    "  sdy.mesh @mesh = <[\"x\"=8]>\n"
    "  func.func @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>})\n"
    "      -> (tensor<4xf32>, tensor<4xf32>) {\n"
    "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0]\n"
    "        : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
    "    %b = stablehlo.multiply %a, %a : tensor<16x4xf32>\n"
    "    %t = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0]\n"
    "        : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
    "    %r = stablehlo.exponential %s : tensor<4xf32>\n"
    "    return %r, %t : tensor<4xf32>, tensor<4xf32>\n"
    "  }\n"
    "}\n";

/* Nothing can have the memory of the argument: it is not taken. */
static const char summed[] =
    "module @jit_g {\n"
    "  func.func @main(%a: tensor<2x4xf32> {jax.buffer_donor = true}) -> tensor<f32> {\n"
    "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1]\n"
    "        : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>\n"
    "    return %s : tensor<f32>\n"
    "  }\n"
    "}\n";

static const int64_t dims[] = {ROWS, COLUMNS};

static void make_inputs(PJRT_Client *c, PJRT_Buffer **in)
{
	float data[ROWS * COLUMNS];
	for (int d = 0; d < DEVICES; d++) {
		for (int i = 0; i < ROWS * COLUMNS; i++)
			data[i] = (float)d;
		in[d] = buffer_of(c, d, data, dims, 2);
	}
}

/* The sum of all elements is 8 * (0 + … + 7). */
static void check_outputs(PJRT_Buffer **out)
{
	float data[ROWS * COLUMNS];
	for (int d = 0; d < DEVICES; d++) {
		GOOD(read_buffer(out[d], data, sizeof data));
		for (int i = 0; i < ROWS * COLUMNS; i++)
			CHECK(data[i] == (float)d + 8 * 28 + 1);
	}
}

static void run_sharded(PJRT_Client *c, PJRT_LoadedExecutable *x)
{
	PJRT_Buffer *in[DEVICES], *out[DEVICES];
	make_inputs(c, in);
	GOOD(execute(x, in, out, DEVICES));
	check_outputs(out);
	for (int d = 0; d < DEVICES; d++) {
		CHECK(is_deleted(in[d]));
		free_buffer(in[d]);
		free_buffer(out[d]);
	}
}

/* ---- on one thread ------------------------------------------------------------------------------ */

static void refuse_what_is_wrong(PJRT_Client *c, PJRT_LoadedExecutable *x)
{
	PJRT_LoadedExecutable *none;
	PJRT_Buffer *in[DEVICES], *out[DEVICES];
	FAILS(compile(c, "func.func @main() { return %0 }", 1, &none), "program:1:");
	FAILS(compile(c, sharded, 4, &none), "have 8 devices, and it is compiled for 4");
	FAILS(compile(c, sharded, 16, &none), "there is no device 8; there are 8");
	make_inputs(c, in);
	FAILS(execute(x, in, out, 1), "on 8 devices, not 1 on 1");
	GOOD(CALL(Buffer_Delete, .buffer = in[3]));
	FAILS(execute(x, in, out, DEVICES), "argument 0 of jit_f was deleted");
	for (int d = 0; d < DEVICES; d++) {
		CHECK(is_deleted(in[d]) == (d == 3));
		free_buffer(in[d]);
	}
}

/* What ran into an error gives that error to whoever reads it or runs on it. */
static void poison(PJRT_Client *c, PJRT_LoadedExecutable *x)
{
	PJRT_Buffer *in[DEVICES], *out[DEVICES];
	float data[ROWS * COLUMNS];
	make_inputs(c, in);
	free_buffer(in[2]);
	PJRT_Client_CreateErrorBuffer_Args bad = {
	    ARGS(Client_CreateErrorBuffer), .client = c,
	    .error_code = PJRT_Error_Code_INTERNAL, .error_message = "the disk burns",
	    .error_message_size = 14, .shape_dims = dims, .shape_num_dims = 2,
	    .shape_element_type = PJRT_Buffer_Type_F32};
	GOOD(api->Client_CreateErrorBuffer(&bad));
	in[2] = bad.buffer;
	PJRT_Error *error = execute(x, in, out, DEVICES);
	if (!error) {
		error = read_buffer(out[0], data, sizeof data);
		for (int d = 0; d < DEVICES; d++)
			free_buffer(out[d]);
	}
	FAILS(error, "the disk burns");
	for (int d = 0; d < DEVICES; d++)
		free_buffer(in[d]);
}

static void keep_what_nothing_takes(PJRT_Client *c)
{
	const float data[ROWS * COLUMNS] = {1, 2, 3};
	float sum;
	PJRT_LoadedExecutable *x;
	GOOD(compile(c, summed, 1, &x));
	PJRT_Buffer *in = buffer_of(c, 0, data, dims, 2), *out;
	GOOD(execute(x, &in, &out, 1));
	GOOD(read_buffer(out, &sum, sizeof sum));
	CHECK(sum == 6 && !is_deleted(in));
	free_buffer(in);
	free_buffer(out);
	free_executable(x);
}

static PJRT_Error *view_of(PJRT_Client *c, float *data, const int64_t *of, size_t n, PJRT_Buffer **out)
{
	PJRT_Client_CreateViewOfDeviceBuffer_Args args = {
	    ARGS(Client_CreateViewOfDeviceBuffer), .client = c, .device_buffer_ptr = data, .dims = of,
	    .num_dims = n, .element_type = PJRT_Buffer_Type_F32, .device = device(c, 0)};
	PJRT_Error *e = api->Client_CreateViewOfDeviceBuffer(&args);
	*out = args.buffer;
	return e;
}

/* Memory of others is used where it is, if kernels can read it there. */
static void look_at_memory_of_others(PJRT_Client *c)
{
	static _Alignas(16) float data[1 + ROWS * COLUMNS] = {1, 2, 3};
	static const int64_t many[100];
	float seen[ROWS * COLUMNS];
	PJRT_Buffer *view;
	GOOD(view_of(c, data, dims, 2, &view));
	data[1] = 7;
	GOOD(read_buffer(view, seen, sizeof seen));
	CHECK(seen[0] == 1 && seen[1] == 7);
	free_buffer(view);
	FAILS(view_of(c, data + 1, dims, 2, &view), "is not aligned to 16 bytes");
	FAILS(view_of(c, data, many, 100, &view), "expected an array of at most 64 dimensions and of a size that fits 64 bits, found one of 100");
}

/* A donor is taken by a result of as many bytes, whatever its dimensions; it is no other argument. */
static void donate(PJRT_Client *c)
{
	static const char added[] =
	    "func.func @main(%a: tensor<2x4xf32> {jax.buffer_donor = true}, %b: tensor<2x4xf32>)\n"
	    "    -> tensor<8xf32> {\n"
	    "  %0 = stablehlo.add %a, %b : tensor<2x4xf32>\n"
	    "  %1 = stablehlo.reshape %0 : (tensor<2x4xf32>) -> tensor<8xf32>\n"
	    "  return %1 : tensor<8xf32>\n"
	    "}\n";
	const float data[ROWS * COLUMNS] = {1, 2, 3};
	float sums[ROWS * COLUMNS];
	PJRT_LoadedExecutable *x;
	GOOD(compile(c, added, 1, &x));
	PJRT_Buffer *a = buffer_of(c, 0, data, dims, 2), *b = buffer_of(c, 0, data, dims, 2), *out;
	FAILS(execute_with(x, (PJRT_Buffer *[]){a, a}, 2, &out, 1), "is donated, and is argument 1 too");
	CHECK(!is_deleted(a));
	GOOD(execute_with(x, (PJRT_Buffer *[]){a, b}, 2, &out, 1));
	GOOD(read_buffer(out, sums, sizeof sums));
	CHECK(sums[2] == 6 && is_deleted(a) && !is_deleted(b));
	free_buffer(a);
	free_buffer(b);
	free_buffer(out);
	free_executable(x);
}

/* How often bytes, which may have zeros among them, contain a text. */
static int count_text(const char *bytes, size_t n, const char *text)
{
	const size_t len = strlen(text);
	int count = 0;
	for (size_t i = 0; i + len <= n; i++)
		count += !memcmp(bytes + i, text, len);
	return count;
}

static void check_queries(PJRT_LoadedExecutable *x)
{
	PJRT_Executable *e = about(x);
	PJRT_Executable_Name_Args name = {ARGS(Executable_Name), .executable = e};
	GOOD(api->Executable_Name(&name));
	CHECK(name.executable_name_size == 5 && !memcmp(name.executable_name, "jit_f", 5));
	PJRT_Executable_OutputDimensions_Args out = {ARGS(Executable_OutputDimensions), .executable = e};
	GOOD(api->Executable_OutputDimensions(&out));
	CHECK(out.num_outputs == 1 && out.dim_sizes[0] == 2);
	CHECK(out.dims[0] == ROWS && out.dims[1] == COLUMNS);
	GOOD(CALL(Executable_Destroy, .executable = e));
	size_t n;
	char *code = optimized_program(x, "hlo_with_config", &n);
	CHECK(count_text(code, n, "all-reduce") > 0);
	free(code);
}

/* The program that callers see is what runs: collectives that go together are one. */
static void count_collectives(PJRT_Client *c)
{
	static const char opcode[] = "\022\012all-reduce"; /* field 2 of an instruction, of 10 bytes */
	PJRT_LoadedExecutable *x;
	size_t n;
	GOOD(compile(c, two_sums, DEVICES, &x));
	char *code = optimized_program(x, "hlo_with_config", &n);
	CHECK(count_text(code, n, opcode) == 1);
	free(code);
	free_executable(x);
}

/* Replicas run apart from each other: {3: {4: 2, 5: 1}}. */
static void meet_replicas(PJRT_Client *c)
{
	static const char two_replicas[] = {3 << 3 | 2, 4, 4 << 3, 2, 5 << 3, 1};
	static const char reduced[] =
	    "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
	    "  %0 = \"stablehlo.collective_reduce\"(%a) <{replica_groups = dense<[[0, 1]]> :\n"
	    "      tensor<1x2xi64>}> ({\n"
	    "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
	    "    %1 = stablehlo.add %x, %y : tensor<f32>\n"
	    "    stablehlo.return %1 : tensor<f32>\n"
	    "  }) : (tensor<4xf32>) -> tensor<4xf32>\n"
	    "  return %0 : tensor<4xf32>\n"
	    "}\n";
	PJRT_LoadedExecutable *x;
	FAILS(compile_bytes(c, "mlir", reduced, strlen(reduced), two_replicas, sizeof two_replicas, &x),
	      "expected a program of several partitions, found stablehlo.collective_reduce in one of 2 "
	      "replicas");
}

static void give_options(PJRT_Client *c)
{
	PJRT_LoadedExecutable *x;
	FAILS(compile_with(c, sharded, DEVICES, "invalid_key", "1", &x),
	      "No such compile option: 'invalid_key'");
	FAILS(compile_with(c, sharded, DEVICES, "xla_embed_ir_in_executable", "perhaps", &x),
	      "'perhaps' is not a valid bool value.");
	FAILS(compile_with(c, sharded, DEVICES, "tessera_max_bytes", "1", &x), "bytes");
	GOOD(compile_with(c, sharded, DEVICES, "xla_embed_ir_in_executable", "True", &x));
	free_executable(x);
	GOOD(compile_with(c, sharded, DEVICES, "tessera_faithful", "true", &x));
	run_sharded(c, x);
	free_executable(x);
}

static const PJRT_Layouts_Extension *layouts(void)
{
	const PJRT_Extension_Base *e = api->extension_start;
	while (e->type != PJRT_Extension_Type_Layouts)
		e = e->next;
	return (const PJRT_Layouts_Extension *)e;
}

/* Elements need not be moved where a result may have any order. */
static void choose_layouts(PJRT_Client *c)
{
	static const char turned[] =
	    "func.func @main(%a: tensor<2x4x3xf32> {mhlo.layout_mode = \"auto\"})\n"
	    "    -> (tensor<3x2x4xf32> {mhlo.layout_mode = \"auto\"}, tensor<3x2x4xf32>) {\n"
	    "  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x4x3xf32>) -> tensor<3x2x4xf32>\n"
	    "  return %0, %0 : tensor<3x2x4xf32>, tensor<3x2x4xf32>\n"
	    "}\n";
	static const char *const orders[] = {"{0,2,1}", "{2,1,0}"};
	PJRT_LoadedExecutable *x;
	GOOD(compile(c, turned, 1, &x));
	PJRT_Executable *e = about(x);
	PJRT_Layouts_Executable_Layouts_Args all = {.struct_size = sizeof all, .executable = e};
	GOOD(layouts()->output_layouts(&all));
	CHECK(all.num_layouts == 2);
	for (int i = 0; i < 2; i++) {
		PJRT_Layouts_MemoryLayout_Serialize_Args text = {.struct_size = sizeof text,
		                                                 .layout = all.layouts[i]};
		GOOD(layouts()->layout_serialize(&text));
		CHECK(!strncmp(text.serialized_bytes, orders[i], text.serialized_bytes_size));
		text.serialized_layout_deleter(text.serialized_layout);
	}
	GOOD(CALL(Executable_Destroy, .executable = e));
	free_executable(x);
}

/* What JAX puts into the program: whom to call, and with what. */
typedef struct inspector {
	void (*call)(void *data, const char *const *sharding);
	void *data;
} inspector;

static void see_sharding(void *data, const char *const *sharding)
{
	const size_t n = (size_t)(uintptr_t)sharding[1];
	CHECK(n > 6 && !memcmp(*sharding, "\x08\x03\x1a\x02\x08\x01", 6)); /* OTHER, [8, 1] */
	++*(int *)data;
}

static void inspect(PJRT_Client *c)
{
	int calls = 0;
	inspector who = {see_sharding, &calls};
	char bytes[sizeof who], config[3 * sizeof who + 1], text[1000];
	memcpy(bytes, &who, sizeof who);
	for (size_t i = 0; i < sizeof who; i++)
		sprintf(config + 3 * i, "\\%02X", (unsigned char)bytes[i]);
	snprintf(text, sizeof text,
	         "sdy.mesh @mesh = <[\"x\"=8]>\n"
	         "func.func @main(%%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, "
	         "{}]>}) -> tensor<16x4xf32> {\n"
	         "  %%0 = stablehlo.sine %%a : tensor<16x4xf32>\n"
	         "  %%1 = stablehlo.custom_call @InspectSharding(%%0) {backend_config = \"%s\", "
	         "has_side_effect = true} : (tensor<16x4xf32>) -> tensor<16x4xf32>\n"
	         "  return %%0 : tensor<16x4xf32>\n}\n", config);
	PJRT_LoadedExecutable *x;
	GOOD(compile(c, text, DEVICES, &x));
	CHECK(calls == 1);
	free_executable(x);
}

static void count_memory(PJRT_Client *c)
{
	const float data[ROWS * COLUMNS] = {0};
	PJRT_Device_MemoryStats_Args before = {ARGS(Device_MemoryStats), .device = device(c, 2)},
	                             after = before;
	GOOD(api->Device_MemoryStats(&before));
	PJRT_Buffer *b = buffer_of(c, 2, data, dims, 2);
	GOOD(api->Device_MemoryStats(&after));
	CHECK(after.bytes_in_use == before.bytes_in_use + (int64_t)sizeof data);
	CHECK(after.peak_bytes_in_use >= after.bytes_in_use && after.bytes_limit > 1 << 20);
	free_buffer(b);
}

static void check_one_thread(int64_t asynchronous)
{
	PJRT_Client *c = client_new(DEVICES, asynchronous);
	PJRT_LoadedExecutable *x;
	GOOD(compile(c, sharded, DEVICES, &x));
	for (int i = 0; i < 3; i++)
		run_sharded(c, x);
	check_queries(x);
	count_collectives(c);
	refuse_what_is_wrong(c, x);
	poison(c, x);
	keep_what_nothing_takes(c);
	look_at_memory_of_others(c);
	donate(c);
	give_options(c);
	meet_replicas(c);
	choose_layouts(c);
	inspect(c);
	count_memory(c);
	free_executable(x);
	GOOD(CALL(Client_Destroy, .client = c));
}

/* ---- on several ----------------------------------------------------------------------------------- */

typedef struct job {
	PJRT_Client *client;
	PJRT_LoadedExecutable *x;
} job;

static void *work(void *arg)
{
	job *j = arg;
	for (int i = 0; i < ROUNDS; i++)
		run_sharded(j->client, j->x);
	PJRT_LoadedExecutable *own;
	GOOD(compile(j->client, sharded, DEVICES, &own));
	run_sharded(j->client, own);
	free_executable(own);
	return NULL;
}

static void check_threads(int64_t asynchronous)
{
	job j = {client_new(DEVICES, asynchronous), NULL};
	pthread_t threads[THREADS];
	GOOD(compile(j.client, sharded, DEVICES, &j.x));
	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, work, &j) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	free_executable(j.x);
	GOOD(CALL(Client_Destroy, .client = j.client));
}

/* The first run is compared with the whole program, and replicas of an argument with each other. */
static void verify_runs(void)
{
	static const char replicated[] =
	    "sdy.mesh @mesh = <[\"x\"=8]>\n"
	    "func.func @main(%a: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})\n"
	    "    -> tensor<2x4xf32> {\n"
	    "  %0 = stablehlo.add %a, %a : tensor<2x4xf32>\n"
	    "  return %0 : tensor<2x4xf32>\n"
	    "}\n";
	PJRT_LoadedExecutable *x, *y;
	PJRT_Buffer *in[DEVICES], *out[DEVICES];
	PJRT_Client *c = client_new(DEVICES, 0);
	setenv("TESSERA_VERIFY", "1", 1);
	GOOD(compile(c, sharded, DEVICES, &x));
	GOOD(compile(c, replicated, DEVICES, &y));
	unsetenv("TESSERA_VERIFY");
	run_sharded(c, x);
	make_inputs(c, in); /* each has other elements */
	FAILS(execute(y, in, out, DEVICES), "differs between devices 0 and 1");
	for (int d = 0; d < DEVICES; d++)
		free_buffer(in[d]);
	free_executable(x);
	free_executable(y);
	GOOD(CALL(Client_Destroy, .client = c));
}

/* A page for each program that is compiled. */
static void leave_pages(void)
{
	char folder[] = "/tmp/tess_pages_XXXXXX", path[600];
	PJRT_LoadedExecutable *x;
	CHECK(mkdtemp(folder));
	setenv("TESSERA_REPORT", folder, 1);
	PJRT_Client *c = client_new(DEVICES, 0);
	GOOD(compile(c, sharded, DEVICES, &x));
	unsetenv("TESSERA_REPORT");
	DIR *d = opendir(folder);
	int pages = 0;
	for (struct dirent *f; d && (f = readdir(d));)
		if (strstr(f->d_name, "jit_f-") && strstr(f->d_name, ".html")) {
			pages++;
			snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
			remove(path);
		}
	CHECK(pages == 1);
	closedir(d);
	CHECK(rmdir(folder) == 0);
	free_executable(x);
	GOOD(CALL(Client_Destroy, .client = c));
}

/* Ctrl-C ends a run, and is given to whoever wanted it before; the client goes on. */
static atomic_int interrupts;
static double interrupted_at;

static void count_interrupt(int signal) { interrupts += signal == SIGINT; }

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *interrupt_soon(void *main)
{
	usleep(100000);
	interrupted_at = seconds();
	pthread_kill(*(pthread_t *)main, SIGINT);
	return NULL;
}

static void interrupt(void (*watch)(void), int64_t asynchronous)
{
	static const char endless[] =
	    "func.func @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
	    "  %0 = stablehlo.while(%i = %a) : tensor<2x4xf32>\n"
	    "  cond {\n"
	    "    %t = stablehlo.constant dense<true> : tensor<i1>\n"
	    "    stablehlo.return %t : tensor<i1>\n"
	    "  } do {\n"
	    "    %s = stablehlo.sine %i : tensor<2x4xf32>\n"
	    "    stablehlo.return %s : tensor<2x4xf32>\n"
	    "  }\n"
	    "  return %0 : tensor<2x4xf32>\n"
	    "}\n";
	const float data[ROWS * COLUMNS] = {0};
	float out_data[ROWS * COLUMNS];
	PJRT_Client *c = client_new(DEVICES, asynchronous);
	PJRT_LoadedExecutable *x, *y;
	GOOD(compile(c, endless, 1, &x));
	GOOD(compile(c, sharded, DEVICES, &y));
	signal(SIGINT, count_interrupt);
	watch();
	interrupts = 0;
	pthread_t other, self = pthread_self();
	CHECK(pthread_create(&other, NULL, interrupt_soon, &self) == 0);
	PJRT_Buffer *in = buffer_of(c, 0, data, dims, 2), *out = NULL;
	PJRT_Error *error = execute(x, &in, &out, 1);
	if (!error)
		error = read_buffer(out, out_data, sizeof out_data);
	CHECK(error && error->vtable->get_code(error) == PJRT_Error_Code_CANCELLED);
	const char *text;
	size_t n;
	error->vtable->message(error, &text, &n);
	CHECK(n > 15 && !memcmp(text + n - 15, "was interrupted", 15));
	GOOD(CALL(Error_Destroy, .error = error));
	pthread_join(other, NULL);
	CHECK(interrupts == 1);
	signal(SIGINT, SIG_DFL);
	free_buffer(in);
	if (out)
		free_buffer(out);
	run_sharded(c, y);
	free_executable(x);
	free_executable(y);
	GOOD(CALL(Client_Destroy, .client = c));
}

/* Runs that wait for their turn are ended by Ctrl-C like the one before them, later ones are not; and
 * only some wait, however many are called.  Python, which looks for signals each 0.2 s, hears of Ctrl-C
 * before it hears of the end of the run. */
static atomic_int n_called, n_called_before;

enum { CALLS = 50, MOST_WAITING = 32 };

static void *interrupt_queue_soon(void *main)
{
	while (n_called < MOST_WAITING)
		usleep(1000);
	usleep(200000); /* for more of them, if that were possible */
	n_called_before = n_called;
	return interrupt_soon(main);
}

static void interrupt_queue(void (*watch)(void))
{
	static const char counts[] =
	    "func.func @main(%n: tensor<f32>) -> tensor<f32> {\n"
	    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
	    "  %0 = stablehlo.while(%i = %z) : tensor<f32>\n"
	    "  cond {\n"
	    "    %t = stablehlo.compare LT, %i, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
	    "    stablehlo.return %t : tensor<i1>\n"
	    "  } do {\n"
	    "    %c = stablehlo.constant dense<1.0> : tensor<f32>\n"
	    "    %s = stablehlo.add %i, %c : tensor<f32>\n"
	    "    stablehlo.return %s : tensor<f32>\n"
	    "  }\n"
	    "  return %0 : tensor<f32>\n"
	    "}\n";
	const float many = 100000, endless = 1e30f; /* 2^24 + 1 is 2^24 */
	float data[ROWS * COLUMNS];
	PJRT_Client *c = client_new(DEVICES, 1);
	PJRT_LoadedExecutable *x, *y;
	GOOD(compile(c, counts, 1, &x));
	GOOD(compile(c, sharded, DEVICES, &y));
	signal(SIGINT, count_interrupt);
	watch();
	n_called = 0;
	pthread_t other, self = pthread_self();
	PJRT_Buffer *in = buffer_of(c, 0, &many, NULL, 0), *out, *ins[DEVICES], *outs[CALLS][DEVICES];
	GOOD(execute(x, &in, &out, 1)); /* after a long run the next one does not run at once */
	GOOD(read_buffer(out, data, sizeof *data));
	CHECK(data[0] == many);
	free_buffer(in);
	free_buffer(out);
	in = buffer_of(c, 0, &endless, NULL, 0);
	GOOD(execute(x, &in, &out, 1));
	CHECK(pthread_create(&other, NULL, interrupt_queue_soon, &self) == 0);
	for (int i = 0; i < CALLS; i++, n_called++) {
		make_inputs(c, ins);
		GOOD(execute(y, ins, outs[i], DEVICES));
		free_buffers(ins, DEVICES);
	}
	pthread_join(other, NULL);
	CHECK(n_called_before == MOST_WAITING);
	for (int i = 0; i < CALLS; i++) {
		PJRT_Error *error = read_buffer(outs[i][0], data, sizeof data);
		CHECK(!error == (i > MOST_WAITING));
		if (error) {
			CHECK(i || seconds() - interrupted_at > 0.2);
			CHECK(error->vtable->get_code(error) == PJRT_Error_Code_CANCELLED);
			GOOD(CALL(Error_Destroy, .error = error));
		}
		free_buffers(outs[i], DEVICES);
	}
	signal(SIGINT, SIG_DFL);
	free_buffer(in);
	free_buffer(out);
	free_executable(x);
	free_executable(y);
	GOOD(CALL(Client_Destroy, .client = c));
}

/* The file is looked at while the process still writes it: what it has may end anywhere. */
static void read_trace(const char *path)
{
	char text[1 << 16] = {0};
	fflush(NULL);
	FILE *f = fopen(path, "r");
	CHECK(f && fread(text, 1, sizeof text - 1, f) > 0);
	fclose(f);
	CHECK(text[0] == '[' && strstr(text, "\"cat\": \"compile\"") && strstr(text, "\"name\": \"jit_f\""));
	CHECK(strstr(text, "\"cat\": \"run\"") && strstr(text, "bytes of device 0"));
	CHECK(strstr(text, "to the host") && strstr(text, "from the host"));
	remove(path);
}

int main(int argc, char **argv)
{
	void *plugin = plugin_open(argc > 1 ? argv[1] : NULL);
	char trace[] = "/tmp/tess_trace_XXXXXX";
	CHECK(close(mkstemp(trace)) == 0);
	setenv("TESSERA_TRACE", trace, 1);
	leave_pages();
	verify_runs();
	for (int64_t asynchronous = 0; asynchronous < 2; asynchronous++) {
		check_one_thread(asynchronous);
		check_threads(asynchronous);
	}
	void (*watch)(void) = (void (*)(void))dlsym(plugin, "tess_pjrt_watch_interrupts");
	CHECK(watch);
	for (int64_t asynchronous = 0; asynchronous < 2; asynchronous++)
		interrupt(watch, asynchronous);
	interrupt_queue(watch);
	read_trace(trace);
	return 0;
}
