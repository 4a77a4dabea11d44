/* client.c - clients, their devices and memories. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kinds[MEMORY_KINDS] = {"device", "pinned_host", "unpinned_host"};

const char *memory_kind_name(int kind) { return kinds[kind]; }

int memory_kind_named(const char *name, size_t n)
{
	for (int i = 0; i < MEMORY_KINDS; i++)
		if (strlen(kinds[i]) == n && !memcmp(kinds[i], name, n))
			return i;
	return -1;
}

device_memory *memory_chosen(PJRT_Client *c, PJRT_Device *d, PJRT_Memory *m)
{
	if (m)
		return memory_of(m);
	return &(d ? d : c->devices[c->first_own])->memory[0];
}

/* ---- options ----------------------------------------------------------------------------------- */

static bool is_option(const PJRT_NamedValue *v, const char *name)
{
	return v->name_size == strlen(name) && !memcmp(v->name, name, v->name_size);
}

/* JAX hands on what stands in an environment variable as texts. */
static PJRT_Error *read_number(const PJRT_NamedValue *v, int64_t least, int64_t most, int64_t *out)
{
	char text[24] = "", *end = text;
	int64_t n = 0;
	if (v->type == PJRT_NamedValue_kInt64) {
		n = v->int64_value;
	} else if (v->type == PJRT_NamedValue_kBool) {
		n = v->bool_value;
	} else if (v->type == PJRT_NamedValue_kString && v->value_size < sizeof text) {
		memcpy(text, v->string_value, v->value_size);
		n = strtoll(text, &end, 10);
		if (end == text || *end)
			n = INT64_MIN;
	} else {
		n = INT64_MIN;
	}
	if (n < least || n > most)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: option %.*s must be a number from %lld to %lld",
		                 (int)v->name_size, v->name, (long long)least, (long long)most);
	*out = n;
	return NULL;
}

static PJRT_Error *read_platform(const PJRT_NamedValue *v, const char **out)
{
	static const char *const known[] = {"cpu", "tessera"};
	for (int i = 0; i < COUNT(known); i++)
		if (v->type == PJRT_NamedValue_kString && v->value_size == strlen(known[i]) &&
		    !memcmp(v->string_value, known[i], v->value_size)) {
			*out = known[i];
			return NULL;
		}
	return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                 "tessera: option platform_name must be cpu or tessera");
}

static PJRT_Error *read_word(const PJRT_NamedValue *v, char *out, size_t bytes)
{
	if (v->type != PJRT_NamedValue_kString || v->value_size >= bytes)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: option %.*s must be a text of less than %zu characters",
		                 (int)v->name_size, v->name, bytes);
	memcpy(out, v->string_value, v->value_size);
	out[v->value_size] = 0;
	return NULL;
}

enum { PATIENCE = 1800 }; /* seconds that a process may keep another one waiting */
enum { MOST_DEVICES = 1 << 20, MOST_PROCESSES = 1 << 16 };

static PJRT_Error *read_options(PJRT_Client *c, const PJRT_NamedValue *v, size_t n)
{
	int64_t devices = c->n_devices, threads = c->threads, faithful = c->faithful,
	        asynchronous = c->asynchronous, partition = 0;
	const struct {
		const char *name;
		int64_t least, most, *to;
	} numbers[] = {
	    {"num_devices", 1, MOST_DEVICES, &devices},
	    {"threads", 0, 4096, &threads},
	    {"faithful", 0, 1, &faithful},
	    {"async", 0, 1, &asynchronous},
	    {"max_bytes", 0, INT64_MAX, &c->max_bytes},
	    {"num_nodes", 0, MOST_PROCESSES, &c->wanted.count},
	    {"node_id", 0, MOST_PROCESSES, &c->wanted.index},
	    {"partition_index", 0, INT64_MAX, &partition},
	    {"patience", 1, 1 << 30, &c->wanted.patience},
	};
	for (size_t i = 0; i < n; i++) {
		PJRT_Error *e = NULL;
		bool known = is_option(&v[i], "platform_name");
		if (known)
			e = read_platform(&v[i], &c->platform);
		else if ((known = is_option(&v[i], "ranks")))
			e = read_word(&v[i], c->wanted.transport, sizeof c->wanted.transport);
		else if ((known = is_option(&v[i], "host")))
			e = read_word(&v[i], c->wanted.host, sizeof c->wanted.host);
		for (int k = 0; k < COUNT(numbers) && !known; k++)
			if ((known = is_option(&v[i], numbers[k].name)))
				e = read_number(&v[i], numbers[k].least, numbers[k].most,
				                numbers[k].to);
		if (!known)
			e = error_new(PJRT_Error_Code_INVALID_ARGUMENT,
			              "tessera: there is no option %.*s; there are num_devices, threads, "
			              "faithful, async, max_bytes, platform_name, ranks, host and "
			              "patience",
			              (int)v[i].name_size, v[i].name);
		if (e)
			return e;
	}
	c->n_devices = (int)devices;
	c->threads = (int)threads;
	c->faithful = faithful;
	c->asynchronous = asynchronous;
	return NULL;
}

/* The environment says it for those who cannot give options: PyTorch/XLA with PJRT_DEVICE=LIBRARY. */
static PJRT_Error *read_environment(PJRT_Client *c)
{
	static const char *const names[][2] = {
	    {"TESSERA_DEVICES", "num_devices"},     {"TESSERA_THREADS", "threads"},
	    {"TESSERA_FAITHFUL", "faithful"},       {"TESSERA_ASYNC", "async"},
	    {"TESSERA_MAX_BYTES", "max_bytes"},     {"TESSERA_PLATFORM_NAME", "platform_name"},
	    {"TESSERA_RANKS", "ranks"},             {"TESSERA_HOST", "host"},
	    {"TESSERA_PATIENCE", "patience"},
	};
	PJRT_Error *e = NULL;
	for (int i = 0; i < COUNT(names) && !e; i++) {
		const char *value = getenv(names[i][0]);
		if (!value || !*value)
			continue;
		PJRT_NamedValue v = {.struct_size = sizeof v, .name = names[i][1],
		                     .name_size = strlen(names[i][1]),
		                     .type = PJRT_NamedValue_kString, .string_value = value,
		                     .value_size = strlen(value)};
		e = read_options(c, &v, 1);
	}
	return e;
}

/* ---- made and released ----------------------------------------------------------------------- */

static void *get_user_data(PJRT_Memory *memory, const void *key)
{
	const device_memory *m = memory_of(memory);
	for (int i = 0; i < m->n_data; i++)
		if (m->data[i].key == key)
			return m->data[i].data;
	return NULL;
}

static void set_user_data(PJRT_Memory *memory, const void *key, void *data, void (*dtor)(void *))
{
	device_memory *m = memory_of(memory);
	user_data *more = realloc(m->data, sizeof *more * (size_t)(m->n_data + 1));
	if (!more) {
		dtor(data);
		return;
	}
	m->data = more;
	m->data[m->n_data++] = (user_data){key, data, dtor};
}

static const PJRT_Memory_FunctionTable memory_table = {
    sizeof memory_table, NULL, sizeof(device_memory), get_user_data, set_user_data,
};

static void describe(const PJRT_Client *c, PJRT_DeviceDescription *d, int id)
{
	d->id = id;
	d->process = process_of_device(c, id);
	d->local = c->first_of ? id - c->first_of[d->process] : id;
	snprintf(d->text, sizeof d->text, "tessera:%d", id);
	if (c->n_processes > 1)
		snprintf(d->debug, sizeof d->debug, "TesseraDevice(id=%d, process=%d)", id, d->process);
	else
		snprintf(d->debug, sizeof d->debug, "TesseraDevice(id=%d)", id);
}

static void set_up_device(PJRT_Client *c, int i)
{
	PJRT_Device *d = &c->device[i];
	c->devices[i] = d;
	c->topology.devices[i] = &d->about;
	d->client = c;
	describe(c, &d->about, i);
	const bool own = d->about.process == c->process;
	for (int k = 0; k < MEMORY_KINDS; k++) {
		device_memory *m = &d->memory[k];
		*m = (device_memory){.base = {&memory_table}, .id = i * MEMORY_KINDS + k,
		                     .kind = k, .device = d};
		snprintf(m->text, sizeof m->text, "TesseraMemory(%s, %d)", kinds[k], i);
		d->memories[k] = &m->base;
		if (own)
			c->memories[d->about.local * MEMORY_KINDS + k] = &m->base;
	}
}

static void client_free(PJRT_Client *c)
{
	if (c->queue)
		queue_free(c->queue);
	last_upload_forget(c);
	tess_pool_free(c->pool);
	processes_leave(c);
	for (int i = 0; c->device && i < c->n_devices; i++)
		for (int k = 0; k < MEMORY_KINDS; k++) {
			device_memory *m = &c->device[i].memory[k];
			for (int u = 0; u < m->n_data; u++)
				if (m->data[u].dtor)
					m->data[u].dtor(m->data[u].data);
			free(m->data);
		}
	free(c->topology.devices);
	free(c->memories);
	free(c->devices);
	free(c->device);
	free(c);
}

/* What a device may be said to have: its part of the machine's memory. */
static int64_t memory_for_each(int n_devices)
{
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
	return pages > 0 && bytes > 0 ? (int64_t)pages * bytes / n_devices : 0;
}

PJRT_Error *pjrt_Client_Create(PJRT_Client_Create_Args *args)
{
	PJRT_Client *c = calloc(1, sizeof *c);
	if (!c)
		return error_no_memory();
	c->platform = "cpu";
	c->n_devices = 1;
	c->asynchronous = true;
	c->wanted.patience = PATIENCE;
	PJRT_Error *e = read_environment(c);
	if (!e)
		e = read_options(c, args->create_options, args->num_options);
	if (!e)
		e = processes_join(c, args);
	if (e) {
		client_free(c);
		return e;
	}
	size_t n = (size_t)c->n_devices;
	c->device = calloc(n, sizeof *c->device);
	c->devices = calloc(n, sizeof *c->devices);
	c->memories = calloc((size_t)c->n_own, MEMORY_KINDS * sizeof *c->memories);
	c->topology.devices = calloc(n, sizeof *c->topology.devices);
	c->topology.n_devices = c->n_devices;
	c->topology.platform = c->platform;
	c->device_bytes = memory_for_each(c->n_own);
	c->queue = queue_new();
	c->pool = tess_pool_new(c->threads);
	if (!c->pool || !c->device || !c->devices || !c->memories || !c->topology.devices || !c->queue) {
		client_free(c);
		return error_no_memory();
	}
	for (int i = 0; i < c->n_devices; i++)
		set_up_device(c, i);
	args->client = c;
	return NULL;
}

PJRT_Error *pjrt_Client_Destroy(PJRT_Client_Destroy_Args *args)
{
	if (args->client)
		client_free(args->client);
	return NULL;
}

/* ---- questions ---------------------------------------------------------------------------------- */

PJRT_Error *pjrt_Client_PlatformName(PJRT_Client_PlatformName_Args *args)
{
	args->platform_name = args->client->platform;
	args->platform_name_size = strlen(args->client->platform);
	return NULL;
}

PJRT_Error *pjrt_Client_PlatformVersion(PJRT_Client_PlatformVersion_Args *args)
{
	args->platform_version = "tessera " TESS_VERSION;
	args->platform_version_size = strlen(args->platform_version);
	return NULL;
}

PJRT_Error *pjrt_Client_ProcessIndex(PJRT_Client_ProcessIndex_Args *args)
{
	args->process_index = args->client->process;
	return NULL;
}

PJRT_Error *pjrt_Client_Devices(PJRT_Client_Devices_Args *args)
{
	args->devices = args->client->devices;
	args->num_devices = (size_t)args->client->n_devices;
	return NULL;
}

PJRT_Error *pjrt_Client_AddressableDevices(PJRT_Client_AddressableDevices_Args *args)
{
	args->addressable_devices = args->client->devices + args->client->first_own;
	args->num_addressable_devices = (size_t)args->client->n_own;
	return NULL;
}

static PJRT_Error *device_numbered(const PJRT_Client *c, int id, PJRT_Device **out)
{
	if (id < 0 || id >= c->n_devices)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: there is no device %d; there are %d", id, c->n_devices);
	*out = c->devices[id];
	return NULL;
}

PJRT_Error *pjrt_Client_LookupDevice(PJRT_Client_LookupDevice_Args *args)
{
	return device_numbered(args->client, args->id, &args->device);
}

PJRT_Error *pjrt_Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args *args)
{
	const PJRT_Client *c = args->client;
	const int i = args->local_hardware_id;
	if (i < 0 || i >= c->n_own)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: this process has no device %d; it has %d", i, c->n_own);
	args->addressable_device = c->devices[c->first_own + i];
	return NULL;
}

PJRT_Error *pjrt_Client_AddressableMemories(PJRT_Client_AddressableMemories_Args *args)
{
	args->addressable_memories = args->client->memories;
	args->num_addressable_memories = (size_t)args->client->n_own * MEMORY_KINDS;
	return NULL;
}

PJRT_Error *pjrt_Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args *args)
{
	int64_t n = (int64_t)args->num_replicas * args->num_partitions;
	if (n > args->client->n_devices || (size_t)n > args->default_assignment_size)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: expected at most %d devices, found %lld", args->client->n_devices,
		                 (long long)n);
	for (int i = 0; i < n; i++)
		args->default_assignment[i] = i;
	return NULL;
}

/* JAX aborts if this fails; what it tells concerns other processes. */
PJRT_Error *pjrt_Client_UpdateGlobalProcessInfo(PJRT_Client_UpdateGlobalProcessInfo_Args *args)
{
	(void)args;
	return NULL;
}

/* Memory of the host needs no mapping. */
PJRT_Error *pjrt_Client_DmaMap(PJRT_Client_DmaMap_Args *args)
{
	(void)args;
	return NULL;
}

PJRT_Error *pjrt_Client_DmaUnmap(PJRT_Client_DmaUnmap_Args *args)
{
	(void)args;
	return NULL;
}
