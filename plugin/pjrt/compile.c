/* compile.c - a program becomes an executable: read, annotated as the options say, planned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/partition.h>

#include "plugin.h"

/* ---- what arguments and results are ---------------------------------------------------------- */

/* mhlo.layout_mode: "default", "auto", or the order itself, "{0,1}". */
static int64_t *order_of(const tess_attr *mode, int rank)
{
	tess_str s = mode ? tess_attr_text(mode) : (tess_str){"", 0};
	int64_t *order = s.len && s.ptr[0] == '{' ? malloc(sizeof *order * (size_t)(rank + 1)) : NULL;
	int n = 0;
	for (size_t i = 1; order && i < s.len && n < rank; i++)
		if (s.ptr[i] >= '0' && s.ptr[i] <= '9')
			order[n++] = strtoll(s.ptr + i, NULL, 10);
	if (order && (n != rank || order_is_default(order, rank))) {
		free(order);
		return NULL;
	}
	return order;
}

static bool is_auto(const tess_attr *mode)
{
	tess_str s = mode ? tess_attr_text(mode) : (tess_str){"", 0};
	return s.len == 4 && !memcmp(s.ptr, "auto", 4);
}

static PJRT_Error *set_memory_kind(const tess_attr *kind, port *p)
{
	if (!kind)
		return NULL;
	tess_str s = tess_attr_text(kind);
	p->memory_kind = memory_kind_named(s.ptr, s.len);
	if (p->memory_kind >= 0)
		return NULL;
	p->memory_kind = 0;
	return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                 "tessera: there is no memory kind \"%.*s\"; there are device, pinned_host "
	                 "and unpinned_host", (int)s.len, s.ptr);
}

/* A token has no plan's number and no bytes. */
static PJRT_Error *set_type(const tess_type *t, port *p)
{
	if (tess_type_kind_of(t) == TESS_TYPE_TOKEN) {
		p->type = PJRT_Buffer_Type_TOKEN;
		p->number = -1;
		return NULL;
	}
	p->type = type_from_tess(tess_type_dtype(t));
	if (p->type == PJRT_Buffer_Type_INVALID)
		return error_new(PJRT_Error_Code_UNIMPLEMENTED,
		                 "tessera: PJRT has no element type %s",
		                 tess_dtype_mlir(tess_type_dtype(t)));
	return NULL;
}

/* What each device holds of it. */
static PJRT_Error *set_shard(PJRT_Executable *x, bool is_result, port *p)
{
	tess_tensor shard;
	const tess_mesh *mesh = NULL;
	if (p->number < 0) {
		p->dims = calloc(1, sizeof *p->dims);
		p->sharding = calloc(1, 1);
		return p->dims && p->sharding ? NULL : error_no_memory();
	}
	size_t i = (size_t)p->number;
	bool found = is_result ? tess_exec_output_shard(x->exec, i, &shard)
	                       : tess_exec_input_shard(x->exec, i, &shard);
	if (!found)
		return error_new(PJRT_Error_Code_INTERNAL, "tessera: the plan has no %s %zu",
		                 is_result ? "result" : "argument", i);
	p->rank = shard.rank;
	p->dims = malloc(sizeof *p->dims * ((size_t)shard.rank + 1));
	if (!p->dims)
		return error_no_memory();
	memcpy(p->dims, shard.dims, sizeof *p->dims * (size_t)shard.rank);
	p->bytes = bytes_of(p->type, p->dims, p->rank);
	const tess_sharding *s = is_result ? tess_exec_output_sharding(x->exec, i, &mesh)
	                                   : tess_exec_input_sharding(x->exec, i, &mesh);
	p->sharding = sharding_bytes(x->ctx, s, mesh, &p->sharding_size);
	return p->sharding ? NULL : error_no_memory();
}

static PJRT_Error *set_argument(PJRT_Executable *x, const tess_op *f, size_t i, port *p)
{
	const tess_type *t = tess_type_in(tess_func_type(f), i);
	PJRT_Error *e = set_type(t, p);
	if (!e)
		e = set_shard(x, false, p);
	if (!e)
		e = set_memory_kind(tess_func_arg_attr(f, i, "mhlo.memory_kind"), p);
	p->order = order_of(tess_func_arg_attr(f, i, "mhlo.layout_mode"), p->rank);
	return e;
}

static PJRT_Error *set_result(PJRT_Executable *x, const tess_op *f, size_t i, port *p)
{
	const tess_type *t = tess_type_out(tess_func_type(f), i);
	PJRT_Error *e = set_type(t, p);
	if (!e)
		e = set_shard(x, true, p);
	if (!e)
		e = set_memory_kind(tess_func_result_attr(f, i, "mhlo.memory_kind"), p);
	const tess_attr *mode = tess_func_result_attr(f, i, "mhlo.layout_mode");
	p->order = is_auto(mode) ? order_chosen(x, f, i) : order_of(mode, p->rank);
	return e;
}

static PJRT_Error *set_ports(PJRT_Executable *x, const tess_op *f)
{
	const tess_type *t = tess_func_type(f);
	x->n_arguments = (int)tess_type_in_count(t);
	x->n_results = (int)tess_type_out_count(t);
	x->arguments = calloc((size_t)x->n_arguments + 1, sizeof *x->arguments);
	x->results = calloc((size_t)x->n_results + 1, sizeof *x->results);
	if (!x->arguments || !x->results)
		return error_no_memory();
	PJRT_Error *e = NULL;
	for (int i = 0; i < x->n_arguments && !e; i++) {
		x->arguments[i].number = x->n_inputs;
		e = set_argument(x, f, (size_t)i, &x->arguments[i]);
		x->n_inputs += x->arguments[i].number >= 0;
	}
	for (int i = 0; i < x->n_results && !e; i++) {
		x->results[i].number = x->n_outputs;
		e = set_result(x, f, (size_t)i, &x->results[i]);
		x->n_outputs += x->results[i].number >= 0;
	}
	return e ? e : donors_match(x, f);
}

/* ---- devices ------------------------------------------------------------------------------------ */

static PJRT_Error *check_assignment(const PJRT_Executable *x, int n, int n_there)
{
	const compile_options *o = &x->options;
	if (o->n_devices && o->n_devices != n)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: expected %d assigned devices, found %d", n, o->n_devices);
	for (int i = 0; i < n; i++) {
		int id = o->n_devices ? o->devices[i] : i;
		if (id < 0 || id >= n_there)
			return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
			                 "tessera: there is no device %d; there are %d", id, n_there);
	}
	return NULL;
}

/* All devices, and those of this process among them. */
static PJRT_Error *set_devices(PJRT_Executable *x, int n_there)
{
	const int n = x->options.replicas * x->options.partitions;
	const size_t room = (size_t)n + 1;
	PJRT_Error *e = check_assignment(x, n, n_there);
	if (e)
		return e;
	x->all = calloc(room, sizeof *x->all);
	x->devices = calloc(room, sizeof *x->devices);
	x->ids = calloc(room, sizeof *x->ids);
	x->at = calloc(room, sizeof *x->at);
	x->own = calloc(room, sizeof *x->own);
	if (!x->all || !x->devices || !x->ids || !x->at || !x->own)
		return error_no_memory();
	for (int i = 0; i < n; i++) {
		int id = x->options.n_devices ? x->options.devices[i] : i;
		if (x->client)
			x->all[i] = x->client->devices[id];
		x->own[i] = !x->client || x->all[i]->about.process == x->client->process;
		if (!x->own[i])
			continue;
		x->devices[x->n_devices] = x->all[i];
		x->ids[x->n_devices] = is_replicated(x) ? (PJRT_LogicalDeviceIds){i, 0}
		                                        : (PJRT_LogicalDeviceIds){0, i};
		x->at[x->n_devices++] = i;
	}
	x->n_all = n;
	return NULL;
}

/* A program without a mesh is the same on all devices. */
static PJRT_Error *check_devices(PJRT_Executable *x)
{
	x->n_plan_devices = (int)tess_exec_devices(x->exec);
	if (x->n_plan_devices == 1 || x->n_plan_devices == x->n_all)
		return NULL;
	return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                 "tessera: the program's meshes have %d devices, and it is compiled for %d",
	                 x->n_plan_devices, x->n_all);
}

/* ---- all of it ------------------------------------------------------------------------------------ */

static char *copy_of(const void *bytes, size_t n)
{
	char *copy = malloc(n + 1);
	if (copy) {
		memcpy(copy, bytes, n);
		copy[n] = 0;
	}
	return copy;
}

static uint64_t hash_of(const char *bytes, size_t n, uint64_t seed)
{
	uint64_t h = seed;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)bytes[i]) * 0x100000001b3ull;
	return h;
}

static void set_name(PJRT_Executable *x)
{
	const tess_attr *name = tess_op_attr(tess_module_op(x->program), "sym_name");
	tess_str s = name ? tess_attr_text(name) : (tess_str){"main", 4};
	x->name = copy_of(s.ptr, s.len);
}

static PJRT_Error *read_program(PJRT_Executable *x)
{
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.sharding_texts = true;
	x->program = tess_module_parse(x->ctx, (tess_str){x->code, x->n_code}, "program", &opts);
	if (!x->program)
		return error_of_context(x->ctx, TESS_INVALID, "the program cannot be read");
	set_name(x);
	return x->name ? NULL : error_no_memory();
}

/* Python's functions, which must not see what is set on the thread that runs the program. */
static bool calls_host(const tess_module *m)
{
	const tess_op *top = tess_module_op(m);
	for (const tess_op *o = top; (o = tess_op_walk(o, top));) {
		const tess_attr *target = tess_op_is(o, "stablehlo.custom_call")
		                              ? tess_op_attr(o, "call_target_name")
		                              : NULL;
		if (target && is_of_python(tess_attr_text(target)))
			return true;
	}
	return false;
}

/* What devices do together, which says between whom, or what tells one from another. */
static const tess_op *find_collective(const tess_module *m)
{
	const tess_op *top = tess_module_op(m);
	for (const tess_op *o = top; (o = tess_op_walk(o, top));)
		if (tess_op_attr(o, "replica_groups") || tess_op_attr(o, "source_target_pairs") ||
		    tess_op_is(o, "stablehlo.replica_id") || tess_op_is(o, "stablehlo.partition_id"))
			return o;
	return NULL;
}

static PJRT_Error *check_replicas(const PJRT_Executable *x)
{
	const tess_op *o = is_replicated(x) ? find_collective(x->program) : NULL;
	tess_str name = o ? tess_op_name(o) : (tess_str){NULL, 0};
	return !o ? NULL
	          : error_new(PJRT_Error_Code_UNIMPLEMENTED,
	                      "tessera: expected a program of several partitions, found %.*s in one "
	                      "of %d replicas, which run apart from each other here", (int)name.len,
	                      name.ptr, x->options.replicas);
}

/* Where devices of other processes take part. */
static void spread_devices(const PJRT_Executable *x, int32_t *processes, tess_exec_opts *o)
{
	if (x->n_devices == x->n_all || is_replicated(x))
		return;
	for (int i = 0; i < x->n_all; i++)
		processes[i] = x->all[i]->about.process;
	o->ranks = x->client->ranks;
	o->device_ranks = processes;
	o->n_device_ranks = x->n_all;
}

static PJRT_Error *plan_program(PJRT_Executable *x)
{
	const tess_op *f = tess_module_find(x->program, "main");
	if (!f || !tess_func_type(f))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: the program has no function @main");
	PJRT_Error *e = check_replicas(x);
	if (!e)
		e = border_settle(x, f);
	if (!e)
		e = custom_calls_partition(x);
	if (e)
		return e;
	f = tess_module_find(x->program, "main");
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	opts.shards = true;
	opts.outside = call_outside;
	opts.answers = ffi_has;
	opts.user = x;
	opts.whole_windows = true;
	opts.proceed = run_may_proceed;
	if (x->client) {
		opts.faithful = x->client->faithful;
		opts.pool = x->client->pool;
		opts.max_bytes = (uint64_t)x->client->max_bytes;
	}
	if (x->options.faithful >= 0)
		opts.faithful = x->options.faithful != 0;
	if (x->options.max_bytes >= 0)
		opts.max_bytes = (uint64_t)x->options.max_bytes;
	opts.as_is = x->propagated != NULL;
	int32_t *processes = calloc((size_t)x->n_all, sizeof *processes);
	if (!processes)
		return error_no_memory();
	spread_devices(x, processes, &opts);
	x->exec = tess_exec_new(x->propagated ? x->propagated : x->program, &opts);
	free(processes);
	if (!x->exec)
		return error_of_context(x->ctx, TESS_INVALID, "the program cannot be planned");
	x->talks = tess_exec_talks(x->exec);
	x->calls_host = calls_host(x->program);
	e = check_devices(x);
	return e ? e : set_ports(x, f);
}

static PJRT_Error *take_texts(PJRT_Executable *x, const PJRT_Program *program, const char *options,
                              size_t n_options)
{
	x->code = copy_of(program->code, program->code_size);
	x->n_code = program->code_size;
	x->option_bytes = copy_of(options, n_options);
	x->n_option_bytes = n_options;
	if (!x->code || !x->option_bytes)
		return error_no_memory();
	uint64_t h = hash_of(x->code, x->n_code, 0xcbf29ce484222325ull);
	snprintf(x->fingerprint, sizeof x->fingerprint, "tessera-%016llx%08zx",
	         (unsigned long long)hash_of(x->option_bytes, x->n_option_bytes, h), x->n_code);
	PJRT_Error *e = options_read(options, n_options, &x->options);
	if (e)
		return e;
	if (x->options.replicas > 1 && x->options.partitions > 1)
		return error_new(PJRT_Error_Code_UNIMPLEMENTED,
		                 "tessera: expected a program of several replicas or partitions, found "
		                 "one of %d replicas with %d partitions each", x->options.replicas,
		                 x->options.partitions);
	return NULL;
}

PJRT_Error *executable_make(PJRT_Client *c, const PJRT_TopologyDescription *t,
                            const PJRT_Program *program, const char *options, size_t n_options,
                            PJRT_Executable **out)
{
	PJRT_Executable *x = calloc(1, sizeof *x);
	if (!x)
		return error_no_memory();
	x->refs = 1;
	x->client = c;
	pthread_mutex_init(&x->lock, NULL);
	x->ctx = tess_ctx_new(NULL);
	PJRT_Error *e = x->ctx ? take_texts(x, program, options, n_options) : error_no_memory();
	if (!e)
		e = set_devices(x, t->n_devices);
	if (!e)
		e = read_program(x);
	if (!e)
		e = plan_program(x);
	if (!e && !(x->answers = answers_new(x)))
		e = error_no_memory();
	if (e) {
		executable_release(x);
		return e;
	}
	x->verifies = x->n_plan_devices > 1 && verify_is_wanted();
	page_leave(x);
	*out = x;
	return NULL;
}

static void ports_free(port *ports, int n)
{
	for (int i = 0; ports && i < n; i++) {
		free(ports[i].dims);
		free(ports[i].order);
		free(ports[i].sharding);
	}
	free(ports);
}

PJRT_Executable *executable_retain(PJRT_Executable *x)
{
	atomic_fetch_add(&x->refs, 1);
	return x;
}

void executable_release(PJRT_Executable *x)
{
	if (!x || atomic_fetch_sub(&x->refs, 1) > 1)
		return;
	tess_exec_free(x->exec);
	tess_module_free(x->propagated);
	tess_module_free(x->program);
	tess_ctx_free(x->ctx);
	if (x->errors)
		tess_ctx_free(x->errors);
	free(x->passed);
	answers_free(x->answers);
	layouts_free(x->argument_layouts);
	layouts_free(x->result_layouts);
	free(x->argument_shardings);
	free(x->result_shardings);
	free(x->argument_sharding_sizes);
	free(x->result_sharding_sizes);
	ports_free(x->arguments, x->n_arguments);
	ports_free(x->results, x->n_results);
	ffi_sites_free(x->sites);
	options_free(&x->options);
	free(x->all);
	free(x->devices);
	free(x->at);
	free(x->own);
	free(x->ids);
	free(x->option_bytes);
	free(x->code);
	free(x->name);
	pthread_mutex_destroy(&x->lock);
	free(x);
}

/* ---- the API --------------------------------------------------------------------------------- */

static PJRT_Error *load(PJRT_Executable *x, PJRT_LoadedExecutable **out)
{
	*out = malloc(sizeof **out);
	if (!*out) {
		executable_release(x);
		return error_no_memory();
	}
	**out = (PJRT_LoadedExecutable){x};
	return NULL;
}

PJRT_Error *pjrt_Client_Compile(PJRT_Client_Compile_Args *args)
{
	PJRT_Executable *x;
	double begin = trace_now();
	PJRT_Error *e = executable_make(args->client, &args->client->topology, args->program,
	                                args->compile_options, args->compile_options_size, &x);
	if (e)
		return e;
	trace_add("compile", x->name, begin, NULL);
	e = shardings_show(x);
	if (e)
		executable_release(x);
	return e ? e : load(x, &args->executable);
}

/* Without devices: for what it costs, for its shardings, for another day. */
PJRT_Error *pjrt_Compile(PJRT_Compile_Args *args)
{
	return executable_make(NULL, args->topology, args->program, args->compile_options,
	                       args->compile_options_size, &args->executable);
}

/* What was compiled without devices is planned again for them. */
PJRT_Error *pjrt_Client_Load(PJRT_Client_Load_Args *args)
{
	PJRT_Executable *from = args->executable, *x;
	PJRT_Program program = {.struct_size = sizeof program, .code = from->code,
	                        .code_size = from->n_code};
	bool own = args->compile_options_size == 0;
	PJRT_Error *e = executable_make(args->client, &args->client->topology, &program,
	                                own ? from->option_bytes : args->compile_options,
	                                own ? from->n_option_bytes : args->compile_options_size,
	                                &x);
	return e ? e : load(x, &args->loaded_executable);
}

/* ---- kept and loaded again: the program and its options ---------------------------------------- */

static const char magic[8] = "tessPJR1";

static void free_serialized(PJRT_SerializedExecutable *bytes) { free(bytes); }

PJRT_Error *pjrt_Executable_Serialize(PJRT_Executable_Serialize_Args *args)
{
	const PJRT_Executable *x = args->executable;
	uint64_t sizes[2] = {x->n_option_bytes, x->n_code};
	size_t n = sizeof magic + sizeof sizes + x->n_option_bytes + x->n_code;
	char *bytes = malloc(n), *at = bytes;
	if (!bytes)
		return error_no_memory();
	memcpy(at, magic, sizeof magic);
	memcpy(at += sizeof magic, sizes, sizeof sizes);
	memcpy(at += sizeof sizes, x->option_bytes, x->n_option_bytes);
	memcpy(at + x->n_option_bytes, x->code, x->n_code);
	args->serialized_bytes = bytes;
	args->serialized_bytes_size = n;
	args->serialized_executable = (PJRT_SerializedExecutable *)bytes;
	args->serialized_executable_deleter = free_serialized;
	return NULL;
}

PJRT_Error *pjrt_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args)
{
	const char *bytes = args->serialized_executable;
	size_t n = args->serialized_executable_size, head = sizeof magic + 2 * sizeof(uint64_t);
	uint64_t sizes[2] = {0};
	if (n >= head)
		memcpy(sizes, bytes + sizeof magic, sizeof sizes);
	if (n < head || memcmp(bytes, magic, sizeof magic) != 0 || sizes[0] > n - head ||
	    sizes[1] != n - head - sizes[0])
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: these bytes are not an executable of this plugin");
	char *code = copy_of(bytes + head + sizes[0], (size_t)sizes[1]);
	if (!code)
		return error_no_memory();
	PJRT_Program program = {.struct_size = sizeof program, .code = code,
	                        .code_size = (size_t)sizes[1]};
	bool own = args->overridden_serialized_compile_options_size == 0;
	PJRT_Executable *x;
	PJRT_Error *e = executable_make(
	    args->client, &args->client->topology, &program,
	    own ? bytes + head : args->overridden_serialized_compile_options,
	    own ? (size_t)sizes[0] : args->overridden_serialized_compile_options_size, &x);
	free(code);
	return e ? e : load(x, &args->loaded_executable);
}
