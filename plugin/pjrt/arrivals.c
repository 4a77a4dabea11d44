/* arrivals.c - buffers whose bytes come later, piece by piece. */
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

typedef struct arrival {
	cell *cell;
	PJRT_Buffer *buffer; /* given away by RetrieveBuffer */
	size_t bytes;
} arrival;

struct PJRT_AsyncHostToDeviceTransferManager {
	PJRT_Device *device;
	int n;
	arrival all[];
};

static PJRT_Error *arrival_new(const PJRT_ShapeSpec *s, device_memory *m, arrival *out)
{
	out->bytes = bytes_of(s->element_type, s->dims, (int)s->num_dims);
	tess_buffer *data = out->bytes == SIZE_MAX ? NULL : tess_buffer_new(out->bytes);
	if (!data)
		return error_no_memory();
	out->cell = cell_new(event_new(), data);
	if (!out->cell)
		return error_no_memory();
	out->buffer = device_buffer_new(m, s->element_type, s->dims, (int)s->num_dims,
	                         cell_retain(out->cell));
	return out->buffer ? NULL : error_no_memory();
}

static void manager_free(PJRT_AsyncHostToDeviceTransferManager *t)
{
	for (int i = 0; i < t->n; i++) {
		if (t->all[i].buffer)
			pjrt_Buffer_Destroy(&(PJRT_Buffer_Destroy_Args){.buffer = t->all[i].buffer});
		cell_release(t->all[i].cell);
	}
	free(t);
}

PJRT_Error *pjrt_Client_CreateBuffersForAsyncHostToDevice(
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args)
{
	size_t n = args->num_shape_specs;
	PJRT_AsyncHostToDeviceTransferManager *t = calloc(1, sizeof *t + n * sizeof *t->all);
	device_memory *m = memory_chosen(args->client, NULL, args->memory);
	if (!t)
		return error_no_memory();
	t->device = m->device;
	for (size_t i = 0; i < n; i++) {
		PJRT_Error *e = arrival_new(&args->shape_specs[i], m, &t->all[i]);
		t->n++;
		if (e) {
			manager_free(t);
			return e;
		}
	}
	args->transfer_manager = t;
	return NULL;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_Destroy(
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args)
{
	manager_free(args->transfer_manager);
	return NULL;
}

static PJRT_Error *arrival_of(PJRT_AsyncHostToDeviceTransferManager *t, int i, arrival **out)
{
	if (i < 0 || i >= t->n)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: there is no buffer %d to transfer; there are %d", i, t->n);
	*out = &t->all[i];
	return NULL;
}

static PJRT_Error *write_piece(arrival *a, const void *data, int64_t at, int64_t n)
{
	if (at < 0 || n < 0 || (uint64_t)at > a->bytes || (uint64_t)n > a->bytes - (uint64_t)at)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: %lld bytes from %lld on are not in a buffer of %zu",
		                 (long long)n, (long long)at, a->bytes);
	if (event_is_done(a->cell->ready))
		return error_new(PJRT_Error_Code_FAILED_PRECONDITION,
		                 "tessera: all bytes of the buffer have come already");
	memcpy((char *)tess_buffer_data(a->cell->data) + at, data, (size_t)n);
	return NULL;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_TransferData(
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args *args)
{
	arrival *a = NULL;
	PJRT_Error *e = arrival_of(args->transfer_manager, args->buffer_index, &a);
	if (!e)
		e = write_piece(a, args->data, args->offset, args->transfer_size);
	if (e)
		return e;
	if (args->is_last_transfer)
		event_set(a->cell->ready, NULL);
	args->done_with_h2d_transfer = event_done();
	return NULL;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_TransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args)
{
	arrival *a = NULL;
	PJRT_Error *e = arrival_of(args->transfer_manager, args->buffer_index, &a);
	if (!e)
		e = write_piece(a, args->data, 0, (int64_t)a->bytes);
	if (e)
		return e;
	event_set(a->cell->ready, NULL);
	args->done_with_h2d_transfer = event_done();
	return NULL;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_RetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args *args)
{
	arrival *a = NULL;
	PJRT_Error *e = arrival_of(args->transfer_manager, args->buffer_index, &a);
	if (e)
		return e;
	if (!a->buffer)
		return error_new(PJRT_Error_Code_FAILED_PRECONDITION,
		                 "tessera: buffer %d was retrieved already", args->buffer_index);
	args->buffer_out = a->buffer;
	a->buffer = NULL;
	return NULL;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_Device(
    PJRT_AsyncHostToDeviceTransferManager_Device_Args *args)
{
	args->device_out = args->transfer_manager->device;
	return NULL;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_BufferCount(
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args *args)
{
	args->buffer_count = (size_t)args->transfer_manager->n;
	return NULL;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_BufferSize(
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args *args)
{
	arrival *a = NULL;
	PJRT_Error *e = arrival_of(args->transfer_manager, args->buffer_index, &a);
	if (!e)
		args->buffer_size = a->bytes;
	return e;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_SetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args *args)
{
	arrival *a = NULL;
	PJRT_Error *e = arrival_of(args->transfer_manager, args->buffer_index, &a);
	if (!e)
		event_set(a->cell->ready, error_new(args->error_code, "%.*s",
		                                    (int)args->error_message_size,
		                                    args->error_message));
	return e;
}

PJRT_Error *pjrt_AsyncHostToDeviceTransferManager_AddMetadata(
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args *args)
{
	(void)args; /* it is for profilers */
	return NULL;
}
