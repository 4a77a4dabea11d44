/* processes.c - clients of several processes, as jax.distributed has them, or started by mpirun.
 *
 *     processes libtess_pjrt.so          2 processes with 4 devices each, then 4 with 2
 *     mpirun -n 2 processes libtess_pjrt.so mpi
 *
 * The result of a run has the bytes that one process with 8 devices gives. */
#include <math.h>

#include "../support/board.h"
#include "calls.h"

enum { DEVICES = 8, ROWS = 3, COLUMNS = 5, N = ROWS * COLUMNS };

/* Sums over all devices, in floats of all sizes; a loop and a permutation. */
static const char program[] =
    "module @jit_step {\n"
    "  sdy.mesh @mesh = <[\"x\"=8]>\n"
    "  func.func @main(%a: tensor<24x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>})\n"
    "      -> (tensor<24x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) {\n"
    "    %s = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0]\n"
    "        : (tensor<24x5xf32>, tensor<24x5xf32>) -> tensor<5x5xf32>\n"
    "    %b = stablehlo.dot_general %a, %s, contracting_dims = [1] x [0]\n"
    "        : (tensor<24x5xf32>, tensor<5x5xf32>) -> tensor<24x5xf32>\n"
    "    %r = stablehlo.reverse %b, dims = [0] : tensor<24x5xf32>\n"
    "    %c = stablehlo.tanh %r : tensor<24x5xf32>\n"
    "    return %c : tensor<24x5xf32>\n"
    "  }\n"
    "}\n";

/* Of each device by itself. */
static const char alone[] = "func.func @main(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {\n"
                            "  %0 = stablehlo.add %a, %a : tensor<3x5xf32>\n"
                            "  return %0 : tensor<3x5xf32>\n}\n";

typedef struct setting {
	char *board; /* NULL: MPI's, or one process */
	int processes;
	bool mpi;
} setting;

/* ---- the key-value store --------------------------------------------------------------- */

static PJRT_Error *get_value(PJRT_KeyValueGetCallback_Args *args)
{
	char key[200];
	snprintf(key, sizeof key, "%.*s", (int)args->key_size, args->key);
	args->value = board_get(args->user_arg, key, args->timeout_in_ms / 1e3);
	if (!args->value)
		return (*args->callback_error)(PJRT_Error_Code_NOT_FOUND, "too late", 8);
	args->value_size = strlen(args->value);
	args->value_deleter_callback = (void (*)(char *))free;
	return NULL;
}

static PJRT_Error *put_value(PJRT_KeyValuePutCallback_Args *args)
{
	char key[200], value[2000];
	snprintf(key, sizeof key, "%.*s", (int)args->key_size, args->key);
	snprintf(value, sizeof value, "%.*s", (int)args->value_size, args->value);
	return board_put(args->user_arg, key, value)
	           ? NULL
	           : (*args->callback_error)(PJRT_Error_Code_INTERNAL, "no disk", 7);
}

#define INT(text, value)                                                                           \
	{.struct_size = sizeof(PJRT_NamedValue), .name = text, .name_size = sizeof text - 1,       \
	 .type = PJRT_NamedValue_kInt64, .int64_value = value, .value_size = 1}
#define TEXT(text, value)                                                                          \
	{.struct_size = sizeof(PJRT_NamedValue), .name = text, .name_size = sizeof text - 1,       \
	 .type = PJRT_NamedValue_kString, .string_value = value, .value_size = strlen(value)}

static PJRT_Client *join(const setting *s, int rank)
{
	const PJRT_NamedValue options[] = {
	    INT("num_devices", DEVICES / s->processes),
	    TEXT("patience", "60"),
	    TEXT("ranks", s->mpi ? "mpi" : "tcp"),
	    INT("num_nodes", s->processes),
	    INT("node_id", rank),
	};
	PJRT_Client_Create_Args args = {
	    ARGS(Client_Create), .create_options = options, .num_options = s->mpi ? 3 : 5,
	    .kv_get_callback = get_value, .kv_get_user_arg = s->board,
	    .kv_put_callback = put_value, .kv_put_user_arg = s->board};
	GOOD(api->Client_Create(&args));
	return args.client;
}

/* ---- runs ------------------------------------------------------------------------------ */

/* CompileOptionsProto: partitions, Shardy's, the devices assigned in their order. */
static PJRT_LoadedExecutable *compile(PJRT_Client *c, const char *text, int partitions, int first)
{
	char options[100] = {3 << 3 | 2, 0, 4 << 3, 1, 5 << 3, (char)partitions, 9 << 3 | 2, 0,
	                     1 << 3,     1, 2 << 3, (char)partitions};
	size_t n = 12;
	for (int i = 0; i < partitions; i++)
		n += (size_t)sprintf(options + n, "%c%c%c%c%c", 3 << 3 | 2, 3, 1 << 3 | 2, 1, 'd') ,
		    options[n - 1] = (char)(first + i);
	options[7] = (char)(n - 8);
	options[n++] = (char)(19 << 3 | 0x80);
	options[n++] = 1;
	options[n++] = 1;
	options[1] = (char)(n - 2);
	PJRT_LoadedExecutable *x;
	GOOD(compile_bytes(c, "mlir", text, strlen(text), options, n, &x));
	return x;
}

static float element(int device, int i)
{
	return sinf((float)(17 * device + 3 * i)) * expf((float)(i % 7) - 3);
}

static void make_inputs(PJRT_Client *c, int first, int n, PJRT_Buffer **in)
{
	static const int64_t dims[] = {ROWS, COLUMNS};
	float data[N];
	for (int d = 0; d < n; d++) {
		for (int i = 0; i < N; i++)
			data[i] = element(first + d, i);
		in[d] = buffer_of(c, first + d, data, dims, 2);
	}
}

/* Runs it on this process's devices. */
static void run(PJRT_Client *c, PJRT_LoadedExecutable *x, int first, int n, float (*out)[N])
{
	PJRT_Buffer *in[DEVICES], *got[DEVICES];
	make_inputs(c, first, n, in);
	GOOD(execute(x, in, got, n));
	for (int d = 0; d < n; d++)
		GOOD(read_buffer(got[d], out[d], sizeof out[d]));
	free_buffers(in, n);
	free_buffers(got, n);
}

static void check_devices(PJRT_Client *c, int rank, int first, int n, int processes)
{
	PJRT_Client_Devices_Args all = {ARGS(Client_Devices), .client = c};
	PJRT_Client_AddressableDevices_Args own = {ARGS(Client_AddressableDevices), .client = c};
	PJRT_Client_AddressableMemories_Args memories = {ARGS(Client_AddressableMemories), .client = c};
	PJRT_Client_ProcessIndex_Args index = {ARGS(Client_ProcessIndex), .client = c};
	GOOD(api->Client_Devices(&all));
	GOOD(api->Client_AddressableDevices(&own));
	GOOD(api->Client_AddressableMemories(&memories));
	GOOD(api->Client_ProcessIndex(&index));
	CHECK(all.num_devices == DEVICES && own.num_addressable_devices == (size_t)n);
	CHECK(memories.num_addressable_memories == 3 * (size_t)n && index.process_index == rank);
	CHECK(own.addressable_devices == all.devices + first);
	for (int i = 0; i < DEVICES; i++) {
		PJRT_Device_IsAddressable_Args here = {ARGS(Device_IsAddressable), .device = all.devices[i]};
		PJRT_Device_LocalHardwareId_Args local = {ARGS(Device_LocalHardwareId),
		                                          .device = all.devices[i]};
		PJRT_Device_GetDescription_Args about = {ARGS(Device_GetDescription),
		                                         .device = all.devices[i]};
		GOOD(api->Device_IsAddressable(&here));
		GOOD(api->Device_LocalHardwareId(&local));
		GOOD(api->Device_GetDescription(&about));
		PJRT_DeviceDescription_ProcessIndex_Args process = {
		    ARGS(DeviceDescription_ProcessIndex), .device_description = about.device_description};
		GOOD(api->DeviceDescription_ProcessIndex(&process));
		CHECK(process.process_index == i / (DEVICES / processes));
		CHECK(local.local_hardware_id == i % (DEVICES / processes));
		CHECK(here.is_addressable == (i >= first && i < first + n));
	}
}

/* A process whose argument was deleted ends the run of the others, and nothing but that. */
static void one_cannot_run(PJRT_Client *c, PJRT_LoadedExecutable *x, int rank, int first, int n)
{
	PJRT_Buffer *in[DEVICES], *out[DEVICES];
	float data[N];
	make_inputs(c, first, n, in);
	if (rank == 1) {
		GOOD(CALL(Buffer_Delete, .buffer = in[n - 1]));
		FAILS(execute(x, in, out, n), "argument 0 of jit_step was deleted");
	} else {
		GOOD(execute(x, in, out, n));
		FAILS(read_buffer(out[0], data, sizeof data),
		      "rank 1: tessera: argument 0 of jit_step was deleted");
		free_buffers(out, n);
	}
	free_buffers(in, n);
}

static void use_client(const setting *s, int rank, const float (*expected)[N])
{
	const int n = DEVICES / s->processes, first = rank * n;
	PJRT_Client *c = join(s, rank);
	check_devices(c, rank, first, n, s->processes);
	PJRT_LoadedExecutable *x = compile(c, program, DEVICES, 0), *own = compile(c, alone, 1, first);
	float out[DEVICES][N];
	for (int i = 0; i < 20; i++) {
		run(c, x, first, n, out);
		CHECK(!memcmp(out, expected[first], sizeof *out * (size_t)n));
		for (int k = 0; k < rank; k++) /* what the others have nothing to do with */
			run(c, own, first, 1, out);
		CHECK(rank == 0 || out[0][1] == 2 * element(first, 1));
	}
	for (int i = 0; i < 3; i++) {
		one_cannot_run(c, x, rank, first, n);
		run(c, x, first, n, out);
		CHECK(!memcmp(out, expected[first], sizeof *out * (size_t)n));
	}
	free_executable(x);
	free_executable(own);
	GOOD(CALL(Client_Destroy, .client = c));
}

/* ---- all together ------------------------------------------------------------------------ */

static const char *library;

/* What one process gives with all the devices; it has no other. */
static void expect(float (*out)[N])
{
	PJRT_Client *c = client_new(DEVICES, 1);
	PJRT_LoadedExecutable *x = compile(c, program, DEVICES, 0);
	run(c, x, 0, DEVICES, out);
	free_executable(x);
	GOOD(CALL(Client_Destroy, .client = c));
}

static void one_of_several(int rank, void *arg)
{
	float expected[DEVICES][N];
	plugin_open(library);
	expect(expected);
	use_client(arg, rank, (const float (*)[N])expected);
}

static void one_dies(int rank, void *arg)
{
	const setting *s = arg;
	const int n = DEVICES / s->processes, first = rank * n;
	PJRT_Buffer *in[DEVICES], *got[DEVICES];
	float out[DEVICES][N];
	plugin_open(library);
	PJRT_Client *c = join(s, rank);
	PJRT_LoadedExecutable *x = compile(c, program, DEVICES, 0);
	run(c, x, first, n, out);
	board_meet(s->board, "ran", rank, s->processes);
	if (rank == 1)
		kill(getpid(), SIGKILL);
	for (int i = 0; i < 2; i++) {
		make_inputs(c, first, n, in);
		GOOD(execute(x, in, got, n));
		FAILS(read_buffer(got[0], out[0], sizeof out[0]), "rank 1: it has died, or was killed");
		free_buffers(in, n);
		free_buffers(got, n);
	}
	free_executable(x);
	GOOD(CALL(Client_Destroy, .client = c));
}

static void in_several(int processes, void (*fn)(int rank, void *arg), unsigned lost)
{
	setting s = {.board = board_new(), .processes = processes};
	CHECK(s.board && in_processes(processes, fn, &s, lost) == 0);
	board_free(s.board);
}

int main(int argc, char **argv)
{
	CHECK(argc > 1);
	library = argv[1];
	if (argc > 2) {
		const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *size = getenv("OMPI_COMM_WORLD_SIZE");
		rank = rank ? rank : getenv("PMI_RANK");
		size = size ? size : getenv("PMI_SIZE");
		CHECK(rank && size);
		setting s = {.processes = atoi(size), .mpi = true};
		one_of_several(atoi(rank), &s);
		return 0;
	}
	in_several(2, one_of_several, 0);
	in_several(4, one_of_several, 0);
	in_several(4, one_dies, 2);
	return 0;
}
