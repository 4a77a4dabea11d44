/* torch.c - calls of the PJRT API as PyTorch/XLA makes them: programs are HloModuleProtos, shardings
 * those of GSPMD, the compile options without Shardy.
 *
 *     torch libtess_pjrt.so
 *
 * Programs stand here as HLO text, and become protos by tessera's own writer; that it writes what XLA
 * reads is the matter of other tests. */
#include <sys/mman.h>
#include <tessera/hlo.h>
#include <unistd.h>

#include "../support/hlo_read.h"
#include "calls.h"

enum { N = 8 };

/* ---- compiling ------------------------------------------------------------------------------ */

static char *proto_of(const char *text, size_t *n)
{
	char *bytes = NULL;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = hlo_read(ctx, (tess_str){text, strlen(text)}, "program");
	if (!m || tess_module_write(m, NULL, &bytes, n) != TESS_OK) {
		fprintf(stderr, "%s", tess_diag_render(ctx, false));
		exit(1);
	}
	char *copy = memcpy(malloc(*n), bytes, *n);
	tess_text_free(bytes);
	tess_module_free(m);
	tess_ctx_free(ctx);
	return copy;
}

typedef enum results { RESULTS_WHOLE = 0, RESULTS_FREE = 1 } results;

/* {3: {1: -1, 4: 1, 5: 8, 6: 1, 12: [free], 18: [0], 23: 1}} */
static PJRT_LoadedExecutable *compile_spmd(PJRT_Client *c, const char *text, results free_results)
{
	const char options[] = {
	    3 << 3 | 2, 28, 1 << 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4 << 3, 1, 5 << 3, N,
	    6 << 3, 1, 12 << 3 | 2, 1, (char)free_results, (char)(18 << 3 | 2 | 0x80), 1, 1, 0,
	    (char)(23 << 3 | 0x80), 1, 1,
	};
	char padded[40] = {0};
	PJRT_LoadedExecutable *x;
	size_t n;
	const bool is_hlo = strncmp(text, "HloModule", 9) == 0;
	char *code = is_hlo ? proto_of(text, &n) : strdup(text);
	if (!is_hlo)
		n = strlen(text);
	memcpy(padded, options, sizeof options);
	padded[1] = (char)(sizeof options - 2);
	GOOD(compile_bytes(c, is_hlo ? "hlo" : "mlir", code, n, padded, sizeof options, &x));
	free(code);
	return x;
}

/* ---- what the compiled program says of itself ------------------------------------------------ */

/* The text of the program of one device has these words. */
static void check_optimized(PJRT_LoadedExecutable *x, const char *words)
{
	size_t n;
	char *text = optimized_program(x, "mlir", &n);
	if (!strstr(text, words)) {
		fprintf(stderr, "%s\nis not in\n%s\n", words, text);
		exit(1);
	}
	CHECK(!strstr(text, "sdy.") && !strstr(text, "tess."));
	free(text);
}

/* ---- running -------------------------------------------------------------------------------- */

/* ExecuteOptions as API 0.75 has them: 80 bytes, behind which nothing may be read. */
static PJRT_ExecuteOptions *old_options(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 80;
	char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(two != MAP_FAILED && mprotect(two + page, page, PROT_NONE) == 0);
	PJRT_ExecuteOptions *o = (PJRT_ExecuteOptions *)(two + page - size);
	memset(o, 0, size);
	o->struct_size = size;
	return o;
}

/* Arguments and results [device * how many + which]; `alone` NULL: on all devices. */
static void run_on(PJRT_LoadedExecutable *x, PJRT_Buffer *const *in, int n_in, PJRT_Buffer **out,
                   int n_out, PJRT_Device *alone)
{
	static PJRT_ExecuteOptions *options;
	options = options ? options : old_options();
	GOOD(execute_on(x, options, in, n_in, out, n_out, alone ? 1 : N, alone));
}

static void check_dims(PJRT_Buffer *b, int64_t rows, int64_t columns)
{
	PJRT_Buffer_Dimensions_Args padded = {ARGS(Buffer_Dimensions), .buffer = b};
	PJRT_Buffer_UnpaddedDimensions_Args args = {ARGS(Buffer_UnpaddedDimensions), .buffer = b};
	GOOD(api->Buffer_Dimensions(&padded));
	GOOD(api->Buffer_UnpaddedDimensions(&args));
	CHECK(padded.num_dims == 2 && padded.dims[0] == rows && padded.dims[1] == columns);
	CHECK(args.num_dims == 2 && args.unpadded_dims[0] == rows && args.unpadded_dims[1] == columns);
}

static uintptr_t address(PJRT_Buffer *b)
{
	PJRT_Buffer_UnsafePointer_Args args = {ARGS(Buffer_UnsafePointer), .buffer = b};
	GOOD(api->Buffer_UnsafePointer(&args));
	return args.buffer_pointer;
}

/* Rows 0, 1, 2, … of a matrix of 4 columns, `rows` on each device, those from `end` on padding. */
static void put_rows(PJRT_Client *c, int rows, int end, PJRT_Buffer **out, int step)
{
	const int64_t dims[] = {rows, 4};
	float data[64];
	for (int d = 0; d < N; d++) {
		for (int i = 0; i < 4 * rows; i++)
			data[i] = d * rows + i / 4 < end ? (float)(d * rows + i / 4) : 0;
		out[d * step] = buffer_of(c, d, data, dims, 2);
	}
}

/* ---- the tests ------------------------------------------------------------------------------- */

/* Where the options leave a result open propagation shards it, and the program says how. */
static void shard_results(PJRT_Client *c)
{
	static const char text[] =
	    "HloModule SyncTensorsGraph.5, entry_computation_layout={(f32[4,16]{1,0}, f32[8,4]{1,0})"
	    "->(f32[8,16]{1,0}, f32[8,4]{1,0})}\n"
	    "ENTRY %SyncTensorsGraph.5 (p0.1: f32[4,16], p1.2: f32[8,4]) -> (f32[8,16], f32[8,4]) {\n"
	    "  %p1.2 = f32[8,4]{1,0} parameter(1), sharding={devices=[2,1,4]0,1,2,3,4,5,6,7 "
	    "last_tile_dim_replicate}\n"
	    "  %p0.1 = f32[4,16]{1,0} parameter(0), sharding={devices=[1,4,2]0,4,1,5,2,6,3,7 "
	    "last_tile_dim_replicate}\n"
	    "  %dot.3 = f32[8,16]{1,0} dot(%p1.2, %p0.1), lhs_contracting_dims={1}, "
	    "rhs_contracting_dims={0}\n"
	    "  ROOT %tuple.4 = (f32[8,16]{1,0}, f32[8,4]{1,0}) tuple(%dot.3, %p1.2)\n"
	    "}\n";
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_FREE);
	check_optimized(x, "mhlo.spmd_output_sharding = \"{{devices=[2,4]0,1,2,3,4,5,6,7}, "
	                   "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}}\"");
	free_executable(x);
	x = compile_spmd(c, text, RESULTS_WHOLE);
	check_optimized(x, "mhlo.spmd_output_sharding = \"{{replicated}, {replicated}}\"");
	check_optimized(x, "mhlo.num_partitions = 8 : i32");
	check_optimized(x, "mhlo.spmd_parameters_shardings = [\"{devices=[1,4,2]0,4,1,5,2,6,3,7 "
	                   "last_tile_dim_replicate}\", \"{devices=[2,1,4]0,1,2,3,4,5,6,7 "
	                   "last_tile_dim_replicate}\"]");
	free_executable(x);
}

/* A parameter without a sharding is whole on every device, whatever its users would like. */
static void pin_parameters(PJRT_Client *c)
{
	static const char text[] =
	    "HloModule m\n"
	    "ENTRY %m (a: f32[16,4], b: f32[16,4]) -> (f32[16,4]) {\n"
	    "  %a = f32[16,4]{1,0} parameter(0), sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
	    "  %b = f32[16,4]{1,0} parameter(1)\n"
	    "  %s = f32[16,4]{1,0} add(%a, %b)\n"
	    "  ROOT %t = (f32[16,4]{1,0}) tuple(%s)\n"
	    "}\n";
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_FREE);
	check_optimized(x, "mhlo.spmd_output_sharding = \"{devices=[8,1]0,1,2,3,4,5,6,7}\"");
	check_optimized(x, "\"{devices=[8,1]0,1,2,3,4,5,6,7}\", \"{replicated}\"]");
	free_executable(x);
}

/* 9 rows over 8 devices: 2 on each, what is beyond the end is padding, going in and coming out. */
static void keep_uneven(PJRT_Client *c, const char *text)
{
	PJRT_Buffer *in[N], *out[2 * N];
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_FREE);
	check_optimized(x, "mhlo.spmd_output_sharding = \"{{devices=[8,1]0,1,2,3,4,5,6,7}, {replicated}}\"");
	put_rows(c, 2, 9, in, 1);
	run_on(x, in, 1, out, 2, NULL);
	for (int d = 0; d < N; d++) {
		float rows[8], sum;
		check_dims(out[2 * d], 2, 4);
		GOOD(read_buffer(out[2 * d], rows, sizeof rows));
		for (int i = 0; i < 8 && 2 * d + i / 4 < 9; i++)
			CHECK(rows[i] == (float)(2 * (2 * d + i / 4)));
		GOOD(read_buffer(out[2 * d + 1], &sum, sizeof sum));
		CHECK(sum == 4 * 2 * 36); /* without the padding */
	}
	free_buffers(in, N);
	free_buffers(out, 2 * N);
	free_executable(x);
}

/* The same on devices in another order: device 0 holds nothing but padding, 7 the first rows. */
static void keep_uneven_turned(PJRT_Client *c)
{
	static const char text[] =
	    "HloModule m\n"
	    "ENTRY %m (a: f32[9,4]) -> (f32[9,4]) {\n"
	    "  %a = f32[9,4]{1,0} parameter(0), sharding={devices=[8,1]7,6,5,4,3,2,1,0}\n"
	    "  %s = f32[9,4]{1,0} add(%a, %a)\n"
	    "  ROOT %t = (f32[9,4]{1,0}) tuple(%s)\n"
	    "}\n";
	PJRT_Buffer *in[N], *turned[N], *out[N];
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_FREE);
	put_rows(c, 2, 9, in, 1);
	for (int d = 0; d < N; d++)
		turned[d] = in[N - 1 - d];
	run_on(x, turned, 1, out, 1, NULL);
	for (int d = 0; d < N; d++) {
		float rows[8];
		GOOD(read_buffer(out[N - 1 - d], rows, sizeof rows));
		for (int i = 0; i < 8 && 2 * d + i / 4 < 9; i++)
			CHECK(rows[i] == (float)(2 * (2 * d + i / 4)));
	}
	free_buffers(in, N);
	free_buffers(out, N);
	free_executable(x);
}

static const char uneven_hlo[] =
    "HloModule m\n"
    "%add (x: f32[], y: f32[]) -> f32[] {\n"
    "  %x = f32[] parameter(0)\n"
    "  %y = f32[] parameter(1)\n"
    "  ROOT %r = f32[] add(%x, %y)\n"
    "}\n"
    "ENTRY %m (a: f32[9,4]) -> (f32[9,4], f32[]) {\n"
    "  %a = f32[9,4]{1,0} parameter(0), sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
    "  %s = f32[9,4]{1,0} add(%a, %a)\n"
    "  %z = f32[] constant(0)\n"
    "  %r = f32[] reduce(%s, %z), dimensions={0,1}, to_apply=%add\n"
    "  ROOT %t = (f32[9,4]{1,0}, f32[]) tuple(%s, %r)\n"
    "}\n";

/* The same with XLA_STABLEHLO_COMPILE=1. */
static const char uneven_mlir[] =
    "module @m {\n"
    "  func.func @main(%a: tensor<9x4xf32> {mhlo.sharding = \"{devices=[8,1]0,1,2,3,4,5,6,7}\"})\n"
    "      -> (tensor<9x4xf32>, tensor<f32>) {\n"
    "    %s = stablehlo.add %a, %a : tensor<9x4xf32>\n"
    "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "    %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1]\n"
    "        : (tensor<9x4xf32>, tensor<f32>) -> tensor<f32>\n"
    "    return %s, %r : tensor<9x4xf32>, tensor<f32>\n"
    "  }\n"
    "}\n";

/* y.cpu(): what all devices get is one block of memory. */
static void share_replicas(PJRT_Client *c)
{
	static const char text[] =
	    "HloModule ReplicateShardedData.6\n"
	    "ENTRY %m (p0: f32[16,4]) -> f32[16,4] {\n"
	    "  %p0 = f32[16,4]{1,0} parameter(0), sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
	    "  %c = s32[] constant(0), sharding={replicated}\n"
	    "  %f = f32[] convert(%c), sharding={replicated}\n"
	    "  %b = f32[16,4]{1,0} broadcast(%f), dimensions={}, sharding={replicated}\n"
	    "  ROOT %s = f32[16,4]{1,0} add(%p0, %b), sharding={replicated}\n"
	    "}\n";
	PJRT_Buffer *in[N], *out[N];
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_WHOLE);
	check_optimized(x, "mhlo.spmd_output_sharding = \"{replicated}\"");
	put_rows(c, 2, 16, in, 1);
	run_on(x, in, 1, out, 1, NULL);
	float whole[64];
	GOOD(read_buffer(out[5], whole, sizeof whole));
	for (int i = 0; i < 64; i++)
		CHECK(whole[i] == (float)(i / 4));
	for (int d = 1; d < N; d++)
		CHECK(address(out[d]) == address(out[0]));
	free_buffers(in, N);
	free_buffers(out, N);
	free_executable(x);
}

/* Replicas of an argument come one by one, and are one block, too; other bytes are not. */
static void share_uploads(PJRT_Client *c)
{
	const int64_t dims[] = {2, 4};
	float data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	PJRT_Buffer *b[N];
	for (int d = 0; d < N; d++) {
		data[7] = d < N - 1 ? 8 : 9;
		b[d] = buffer_of(c, d, data, dims, 2);
		CHECK((address(b[d]) == address(b[0])) == (d < N - 1));
	}
	float last[8];
	GOOD(read_buffer(b[N - 1], last, sizeof last));
	CHECK(last[7] == 9);
	free_buffers(b, N);
}

static const char tuple_hlo[] =
    "HloModule m\n"
    "ENTRY %m (p: (f32[16,4], f32[16,4])) -> (f32[16,4]) {\n"
    "  %p = (f32[16,4]{1,0}, f32[16,4]{1,0}) parameter(0), "
    "sharding={{devices=[8,1]0,1,2,3,4,5,6,7}, {devices=[8,1]0,1,2,3,4,5,6,7}}\n"
    "  %a = f32[16,4]{1,0} get-tuple-element(%p), index=0\n"
    "  %b = f32[16,4]{1,0} get-tuple-element(%p), index=1\n"
    "  %s = f32[16,4]{1,0} multiply(%a, %b)\n"
    "  ROOT %t = (f32[16,4]{1,0}) tuple(%s)\n"
    "}\n";

/* The same with XLA_STABLEHLO_COMPILE=1; functions give tuples, too. */
static const char tuple_mlir[] =
    "!two = tuple<tensor<16x4xf32>, tensor<16x4xf32>>\n"
    "module @m attributes {mhlo.input_output_alias = []} {\n"
    "  func.func @main(%p: !two {mhlo.sharding = \"{{devices=[8,1]0,1,2,3,4,5,6,7}, "
    "{devices=[8,1]0,1,2,3,4,5,6,7}}\"}) -> tensor<16x4xf32> {\n"
    "    %t = call @turn(%p) : (!two) -> !two\n"
    "    %a = stablehlo.get_tuple_element %t[0] : (!two) -> tensor<16x4xf32>\n"
    "    %b = stablehlo.get_tuple_element %t[1] : (!two) -> tensor<16x4xf32>\n"
    "    %s = stablehlo.multiply %a, %b : tensor<16x4xf32>\n"
    "    return %s : tensor<16x4xf32>\n"
    "  }\n"
    "  func.func private @turn(%p: !two) -> !two {\n"
    "    %a = stablehlo.get_tuple_element %p[0] : (!two) -> tensor<16x4xf32>\n"
    "    %b = stablehlo.get_tuple_element %p[1] : (!two) -> tensor<16x4xf32>\n"
    "    %t = stablehlo.tuple %b, %a : !two\n"
    "    return %t : !two\n"
    "  }\n"
    "}\n";

/* Of a tuple parameter the arguments come one by one. */
static void take_tuple(PJRT_Client *c, const char *text)
{
	PJRT_Buffer *in[2 * N], *out[N];
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_FREE);
	put_rows(c, 2, 16, in, 2);
	put_rows(c, 2, 16, in + 1, 2);
	run_on(x, in, 2, out, 1, NULL);
	for (int d = 0; d < N; d++) {
		float rows[8];
		GOOD(read_buffer(out[d], rows, sizeof rows));
		CHECK(rows[0] == (float)(4 * d * d) && rows[7] == (float)((2 * d + 1) * (2 * d + 1)));
	}
	free_buffers(in, 2 * N);
	free_buffers(out, N);
	free_executable(x);
}

/* A manual region in place, without a mark before the parameter. */
static void run_manual(PJRT_Client *c)
{
	static const char text[] =
	    "HloModule m\n"
	    "ENTRY %m (p0: f32[16,4]) -> (f32[16,4]) {\n"
	    "  %p0 = f32[16,4]{1,0} parameter(0), sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
	    "  %in = f32[2,4]{1,0} custom-call(%p0), custom_call_target=\"SPMDFullToShardShape\", "
	    "sharding={manual}\n"
	    "  %one = f32[] constant(1)\n"
	    "  %b = f32[2,4]{1,0} broadcast(%one), dimensions={}\n"
	    "  %s = f32[2,4]{1,0} add(%in, %b)\n"
	    "  %m = f32[2,4]{1,0} custom-call(%s), custom_call_target=\"Sharding\", sharding={manual}\n"
	    "  %out = f32[16,4]{1,0} custom-call(%m), custom_call_target=\"SPMDShardToFullShape\", "
	    "sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
	    "  ROOT %t = (f32[16,4]{1,0}) tuple(%out)\n"
	    "}\n";
	PJRT_Buffer *in[N], *out[N];
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_FREE);
	put_rows(c, 2, 16, in, 1);
	run_on(x, in, 1, out, 1, NULL);
	for (int d = 0; d < N; d++) {
		float rows[8];
		GOOD(read_buffer(out[d], rows, sizeof rows));
		CHECK(rows[0] == (float)(2 * d + 1) && rows[7] == (float)(2 * d + 2));
	}
	free_buffers(in, N);
	free_buffers(out, N);
	free_executable(x);
}

static const char donors_hlo[] =
    "HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }\n"
    "ENTRY %m (a: f32[16,4], b: f32[16,4]) -> (f32[16,4], f32[16,4]) {\n"
    "  %a = f32[16,4]{1,0} parameter(0), sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
    "  %b = f32[16,4]{1,0} parameter(1), sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
    "  %s = f32[16,4]{1,0} add(%a, %b)\n"
    "  %d = f32[16,4]{1,0} subtract(%a, %b)\n"
    "  ROOT %t = (f32[16,4]{1,0}, f32[16,4]{1,0}) tuple(%s, %d)\n"
    "}\n";

/* The same as XLA's conversion leaves it, which has no word for a donor without a result. */
static const char donors_mlir[] =
    "module @m attributes {mhlo.input_output_alias = [{alias = {kind = \"may_alias\", "
    "parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 1>}, "
    "{alias = {kind = \"must_alias\", parameter_index = array<i64: 1>, parameter_number = 1 : i64}, "
    "output_index = array<i64: 0>}]} {\n"
    "  func.func @main(%a: tensor<16x4xf32> {mhlo.sharding = \"{devices=[8,1]0,1,2,3,4,5,6,7}\"},\n"
    "      %t: tuple<tensor<f32>, tensor<16x4xf32>> {mhlo.sharding = \"{{replicated}, "
    "{devices=[8,1]0,1,2,3,4,5,6,7}}\"}) -> (tensor<16x4xf32>, tensor<16x4xf32>) {\n"
    "    %b = stablehlo.get_tuple_element %t[1]\n"
    "        : (tuple<tensor<f32>, tensor<16x4xf32>>) -> tensor<16x4xf32>\n"
    "    %s = stablehlo.add %a, %b : tensor<16x4xf32>\n"
    "    %d = stablehlo.subtract %a, %b : tensor<16x4xf32>\n"
    "    return %s, %d : tensor<16x4xf32>, tensor<16x4xf32>\n"
    "  }\n"
    "}\n";

/* A step marker donates: the buffers are gone for the caller afterwards. */
static void donate(PJRT_Client *c)
{
	PJRT_Buffer *in[2 * N], *out[2 * N];
	PJRT_LoadedExecutable *x = compile_spmd(c, donors_hlo, RESULTS_FREE);
	put_rows(c, 2, 16, in, 2);
	put_rows(c, 2, 16, in + 1, 2);
	run_on(x, in, 2, out, 2, NULL);
	for (int i = 0; i < 2 * N; i++)
		CHECK(is_deleted(in[i]));
	free_buffers(in, 2 * N);
	free_buffers(out, 2 * N);
	free_executable(x);
}

/* Arguments of one number in a tuple and one beside it; what is not named stays. */
static void donate_of_tuple(PJRT_Client *c)
{
	const float one = 1;
	PJRT_Buffer *in[3 * N], *out[2 * N];
	PJRT_LoadedExecutable *x = compile_spmd(c, donors_mlir, RESULTS_FREE);
	put_rows(c, 2, 16, in, 3);
	put_rows(c, 2, 16, in + 2, 3);
	for (int d = 0; d < N; d++)
		in[3 * d + 1] = buffer_of(c, d, &one, NULL, 0);
	run_on(x, in, 3, out, 2, NULL);
	for (int i = 0; i < 3 * N; i++)
		CHECK(is_deleted(in[i]) == (i % 3 != 1));
	free_buffers(in, 3 * N);
	free_buffers(out, 2 * N);
	free_executable(x);
}

/* Without SPMD a program is for as many replicas as there are devices, and runs on one of them. */
static void run_replicas(PJRT_Client *c)
{
	static const char text[] =
	    "HloModule m\n"
	    "ENTRY %m (a: f32[2,4]) -> (f32[2,4]) {\n"
	    "  %a = f32[2,4]{1,0} parameter(0)\n"
	    "  %s = f32[2,4]{1,0} add(%a, %a)\n"
	    "  ROOT %t = (f32[2,4]{1,0}) tuple(%s)\n"
	    "}\n";
	static const char together[] =
	    "HloModule m\n"
	    "%add (x: f32[], y: f32[]) -> f32[] {\n"
	    "  %x = f32[] parameter(0)\n"
	    "  %y = f32[] parameter(1)\n"
	    "  ROOT %r = f32[] add(%x, %y)\n"
	    "}\n"
	    "ENTRY %m (a: f32[2,4]) -> (f32[2,4]) {\n"
	    "  %a = f32[2,4]{1,0} parameter(0)\n"
	    "  %s = f32[2,4]{1,0} all-reduce(%a), replica_groups={}, to_apply=%add\n"
	    "  ROOT %t = (f32[2,4]{1,0}) tuple(%s)\n"
	    "}\n";
	const char options[] = {3 << 3 | 2, 4, 4 << 3, N, 5 << 3, 1};
	PJRT_LoadedExecutable *x;
	PJRT_Buffer *in[N], *out[N];
	size_t n;
	char *code = proto_of(text, &n);
	GOOD(compile_bytes(c, "hlo", code, n, options, sizeof options, &x));
	free(code);
	put_rows(c, 2, 16, in, 1);
	float rows[8];
	run_on(x, &in[3], 1, out, 1, device(c, 3));
	PJRT_Buffer_Device_Args where = {ARGS(Buffer_Device), .buffer = out[0]};
	GOOD(api->Buffer_Device(&where));
	CHECK(where.device == device(c, 3));
	GOOD(read_buffer(out[0], rows, sizeof rows));
	CHECK(rows[0] == 12);
	free_buffers(out, 1);
	run_on(x, in, 1, out, 1, NULL);
	for (int d = 0; d < N; d++) {
		GOOD(read_buffer(out[d], rows, sizeof rows));
		CHECK(rows[0] == (float)(4 * d));
	}
	free_buffers(in, N);
	free_buffers(out, N);
	free_executable(x);
	code = proto_of(together, &n);
	FAILS(compile_bytes(c, "hlo", code, n, options, sizeof options, &x),
	      "expected a program of several partitions, found stablehlo.all_reduce in one of 8 replicas");
	free(code);
}

/* XLA's operations that StableHLO has not are calls in the program of one device. */
static void name_operations(PJRT_Client *c)
{
	static const char text[] =
	    "HloModule m\n"
	    "ENTRY %m (a: f32[16,4]) -> (f32[16,2], s32[16,2]) {\n"
	    "  %a = f32[16,4]{1,0} parameter(0), sharding={devices=[8,1]0,1,2,3,4,5,6,7}\n"
	    "  %e = f32[16,4]{1,0} erf(%a)\n"
	    "  %k = (f32[16,2]{1,0}, s32[16,2]{1,0}) topk(%e), k=2, largest=true\n"
	    "  %v = f32[16,2]{1,0} get-tuple-element(%k), index=0\n"
	    "  %i = s32[16,2]{1,0} get-tuple-element(%k), index=1\n"
	    "  ROOT %t = (f32[16,2]{1,0}, s32[16,2]{1,0}) tuple(%v, %i)\n"
	    "}\n";
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_FREE);
	check_optimized(x, "stablehlo.custom_call @mhlo.erf(%arg0) {mhlo.attributes = {}, mhlo.version = 1 "
	                   ": i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>");
	check_optimized(x, "stablehlo.custom_call @mhlo.topk(");
	check_optimized(x, "{mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : "
	                   "(tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)");
	free_executable(x);
}

/* More than 100 booleans are hexadecimal: eight to a byte, as the MLIR of PyTorch/XLA has them. */
static void pack_booleans(PJRT_Client *c)
{
	static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";
	char text[1024];
	snprintf(text, sizeof text,
	         "module @m {\n"
	         "  func.func @main(%%a: tensor<16x16xi1>) -> tensor<16x16xi1> {\n"
	         "    %%c = stablehlo.constant dense<\"0x83%.62s\"> : tensor<16x16xi1>\n"
	         "    %%s = stablehlo.and %%a, %%c : tensor<16x16xi1>\n"
	         "    return %%s : tensor<16x16xi1>\n"
	         "  }\n"
	         "}\n", zeros);
	PJRT_LoadedExecutable *x = compile_spmd(c, text, RESULTS_WHOLE);
	snprintf(text, sizeof text, "dense<\"0x83%.62s\"> : tensor<16x16xi1>", zeros);
	check_optimized(x, text);
	free_executable(x);
}

static PJRT_Client *client_of_environment(void)
{
	PJRT_Client_Create_Args args = {ARGS(Client_Create)};
	setenv("TESSERA_DEVICES", "none", 1);
	FAILS(api->Client_Create(&args), "num_devices must be a number");
	setenv("TESSERA_DEVICES", "8", 1);
	setenv("TESSERA_PLATFORM_NAME", "tessera", 1);
	GOOD(api->Client_Create(&args));
	PJRT_Client_PlatformName_Args name = {ARGS(Client_PlatformName), .client = args.client};
	GOOD(api->Client_PlatformName(&name));
	CHECK(name.platform_name_size == 7 && !memcmp(name.platform_name, "tessera", 7));
	return args.client;
}

int main(int argc, char **argv)
{
	plugin_open(argc > 1 ? argv[1] : NULL);
	PJRT_Client *c = client_of_environment();
	shard_results(c);
	pin_parameters(c);
	keep_uneven(c, uneven_hlo);
	keep_uneven(c, uneven_mlir);
	keep_uneven_turned(c);
	share_replicas(c);
	share_uploads(c);
	take_tuple(c, tuple_hlo);
	take_tuple(c, tuple_mlir);
	run_manual(c);
	donate(c);
	donate_of_tuple(c);
	run_replicas(c);
	name_operations(c);
	pack_booleans(c);
	GOOD(CALL(Client_Destroy, .client = c));
	return 0;
}
