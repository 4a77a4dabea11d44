/* topology.c - the devices of a client as a list, and such lists without a client. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PJRT_Error *pjrt_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args *args)
{
	args->topology = &args->client->topology;
	return NULL;
}

static PJRT_Error *topology_new(int n, PJRT_TopologyDescription **out)
{
	PJRT_TopologyDescription *t = calloc(1, sizeof *t);
	if (t) {
		t->own = calloc((size_t)n, sizeof *t->own);
		t->devices = calloc((size_t)n, sizeof *t->devices);
	}
	if (!t || !t->own || !t->devices) {
		if (t) {
			free(t->own);
			free(t->devices);
		}
		free(t);
		return error_no_memory();
	}
	t->n_devices = n;
	t->platform = "cpu";
	for (int i = 0; i < n; i++) {
		t->devices[i] = &t->own[i];
		t->own[i].id = t->own[i].local = i;
		snprintf(t->own[i].text, sizeof t->own[i].text, "tessera:%d", i);
		snprintf(t->own[i].debug, sizeof t->own[i].debug, "TesseraDevice(id=%d)", i);
	}
	*out = t;
	return NULL;
}

/* The name of a topology is its number of devices, "8"; none: 1. */
static PJRT_Error *topology_named(const char *name, size_t n, PJRT_TopologyDescription **out)
{
	char text[12] = "", *end;
	if (n >= sizeof text)
		n = sizeof text - 1;
	memcpy(text, name, n);
	long devices = n ? strtol(text, &end, 10) : 1;
	if (devices < 1 || devices > 1 << 20 || (n && *end))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: a topology is named by its number of devices, \"8\"; "
		                 "\"%s\" is none", text);
	return topology_new((int)devices, out);
}

PJRT_Error *pjrt_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args)
{
	return topology_named(args->topology_name, args->topology_name_size, &args->topology);
}

PJRT_Error *pjrt_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args *args)
{
	return topology_named(args->serialized_topology, args->serialized_topology_size,
	                      &args->topology);
}

static void free_text(PJRT_SerializedTopology *text) { free(text); }

PJRT_Error *pjrt_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args *args)
{
	char *text = malloc(12);
	if (!text)
		return error_no_memory();
	args->serialized_bytes_size = (size_t)snprintf(text, 12, "%d", args->topology->n_devices);
	args->serialized_bytes = text;
	args->serialized_topology = (PJRT_SerializedTopology *)text;
	args->serialized_topology_deleter = free_text;
	return NULL;
}

/* The caller destroys those it made; a client's is the client's. */
PJRT_Error *pjrt_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args *args)
{
	PJRT_TopologyDescription *t = args->topology;
	if (t && t->own) {
		free(t->own);
		free(t->devices);
		free(t);
	}
	return NULL;
}

PJRT_Error *pjrt_TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args *args)
{
	args->platform_name = args->topology->platform;
	args->platform_name_size = strlen(args->platform_name);
	return NULL;
}

PJRT_Error *
pjrt_TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args *args)
{
	args->platform_version = "tessera " TESS_VERSION;
	args->platform_version_size = strlen(args->platform_version);
	return NULL;
}

PJRT_Error *pjrt_TopologyDescription_GetDeviceDescriptions(
    PJRT_TopologyDescription_GetDeviceDescriptions_Args *args)
{
	args->descriptions = args->topology->devices;
	args->num_descriptions = (size_t)args->topology->n_devices;
	return NULL;
}

PJRT_Error *pjrt_TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args *args)
{
	args->attributes = NULL;
	args->num_attributes = 0;
	return NULL;
}

PJRT_Error *pjrt_TopologyDescription_Fingerprint(PJRT_TopologyDescription_Fingerprint_Args *args)
{
	args->fingerprint = 0x7e55e7aull << 24 | (uint64_t)args->topology->n_devices;
	return NULL;
}

PJRT_Error *pjrt_TopologyDescription_GetMemorySpaceKindIds(
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args *args)
{
	static const int ids[MEMORY_KINDS] = {0, 1, 2};
	args->memory_space_kind_ids = ids;
	args->num_memory_space_kind_ids = MEMORY_KINDS;
	return NULL;
}
