/* device.c - what devices and memories say of themselves. */
#include "plugin.h"

#include <string.h>

PJRT_Error *pjrt_DeviceDescription_Id(PJRT_DeviceDescription_Id_Args *args)
{
	args->id = args->device_description->id;
	return NULL;
}

PJRT_Error *pjrt_DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args *args)
{
	args->process_index = args->device_description->process;
	return NULL;
}

PJRT_Error *pjrt_DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args *args)
{
	args->attributes = NULL;
	args->num_attributes = 0;
	return NULL;
}

PJRT_Error *pjrt_DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args *args)
{
	args->device_kind = "tessera";
	args->device_kind_size = strlen(args->device_kind);
	return NULL;
}

PJRT_Error *pjrt_DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args *args)
{
	args->debug_string = args->device_description->debug;
	args->debug_string_size = strlen(args->debug_string);
	return NULL;
}

PJRT_Error *pjrt_DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args *args)
{
	args->to_string = args->device_description->text;
	args->to_string_size = strlen(args->to_string);
	return NULL;
}

PJRT_Error *pjrt_Device_GetDescription(PJRT_Device_GetDescription_Args *args)
{
	args->device_description = &args->device->about;
	return NULL;
}

PJRT_Error *pjrt_Device_IsAddressable(PJRT_Device_IsAddressable_Args *args)
{
	args->is_addressable = args->device->about.process == args->device->client->process;
	return NULL;
}

PJRT_Error *pjrt_Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args *args)
{
	args->local_hardware_id = args->device->about.local;
	return NULL;
}

PJRT_Error *pjrt_Device_AddressableMemories(PJRT_Device_AddressableMemories_Args *args)
{
	args->memories = args->device->memories;
	const bool own = args->device->about.process == args->device->client->process;
	args->num_memories = own ? MEMORY_KINDS : 0;
	return NULL;
}

PJRT_Error *pjrt_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args *args)
{
	args->memory = args->device->memories[0];
	return NULL;
}

static void no_attributes(PJRT_Device_Attributes *attributes) { (void)attributes; }

PJRT_Error *pjrt_Device_GetAttributes(PJRT_Device_GetAttributes_Args *args)
{
	args->attributes = NULL;
	args->num_attributes = 0;
	args->device_attributes = NULL;
	args->attributes_deleter = no_attributes;
	return NULL;
}

/* Every field is written, since those that are not come back as garbage. */
PJRT_Error *pjrt_Device_MemoryStats(PJRT_Device_MemoryStats_Args *args)
{
	PJRT_Device *d = args->device;
	PJRT_Device_MemoryStats_Args out = {
	    .struct_size = args->struct_size, .extension_start = args->extension_start, .device = d,
	    .bytes_in_use = d->bytes,
	    .peak_bytes_in_use = d->peak_bytes, .peak_bytes_in_use_is_set = true,
	    .num_allocs = d->n_buffers, .num_allocs_is_set = true,
	    .largest_alloc_size = d->largest, .largest_alloc_size_is_set = true,
	    .bytes_limit = d->client->device_bytes, .bytes_limit_is_set = true,
	    .bytes_reservable_limit = d->client->device_bytes, .bytes_reservable_limit_is_set = true,
	};
	size_t n = args->struct_size < sizeof out ? args->struct_size : sizeof out;
	memcpy(args, &out, n);
	return NULL;
}

PJRT_Error *pjrt_Device_ClearMemoryStats(PJRT_Device_ClearMemoryStats_Args *args)
{
	PJRT_Device *d = args->device;
	d->peak_bytes = (long long)d->bytes;
	d->n_buffers = d->largest = 0;
	return NULL;
}

PJRT_Error *pjrt_Device_CreateAsyncTrackingEvent(PJRT_Device_CreateAsyncTrackingEvent_Args *args)
{
	args->event = NULL; /* nobody looks at them */
	return NULL;
}

PJRT_Error *pjrt_AsyncTrackingEvent_Destroy(PJRT_AsyncTrackingEvent_Destroy_Args *args)
{
	(void)args;
	return NULL;
}

PJRT_Error *pjrt_Memory_Id(PJRT_Memory_Id_Args *args)
{
	args->id = memory_of(args->memory)->id;
	return NULL;
}

PJRT_Error *pjrt_Memory_Kind(PJRT_Memory_Kind_Args *args)
{
	args->kind = memory_kind_name(memory_of(args->memory)->kind);
	args->kind_size = strlen(args->kind);
	return NULL;
}

PJRT_Error *pjrt_Memory_Kind_Id(PJRT_Memory_Kind_Id_Args *args)
{
	args->kind_id = memory_of(args->memory)->kind;
	return NULL;
}

PJRT_Error *pjrt_Memory_DebugString(PJRT_Memory_DebugString_Args *args)
{
	args->debug_string = memory_of(args->memory)->text;
	args->debug_string_size = strlen(args->debug_string);
	return NULL;
}

PJRT_Error *pjrt_Memory_ToString(PJRT_Memory_ToString_Args *args)
{
	args->to_string = memory_of(args->memory)->text;
	args->to_string_size = strlen(args->to_string);
	return NULL;
}

PJRT_Error *pjrt_Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args *args)
{
	PJRT_Device *d = memory_of(args->memory)->device;
	args->devices = &d->client->devices[d->about.id];
	args->num_devices = 1;
	return NULL;
}
