/* buffer.c - what one device holds of an array: a handle on bytes that several may hold. */
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

/* ---- types --------------------------------------------------------------------------------------- */

/* X(PJRT_Buffer_Type, tess_dtype, xla.PrimitiveType) */
#define TYPES(X)                                                                                   \
	X(PRED, I1, 1)                                                                             \
	X(S8, I8, 2)                                                                               \
	X(S16, I16, 3)                                                                             \
	X(S32, I32, 4)                                                                             \
	X(S64, I64, 5)                                                                             \
	X(U8, UI8, 6)                                                                              \
	X(U16, UI16, 7)                                                                            \
	X(U32, UI32, 8)                                                                            \
	X(U64, UI64, 9)                                                                            \
	X(F16, F16, 10)                                                                            \
	X(F32, F32, 11)                                                                            \
	X(F64, F64, 12)                                                                            \
	X(BF16, BF16, 16)                                                                          \
	X(C64, C64, 15)                                                                            \
	X(C128, C128, 18)                                                                          \
	X(F8E5M2, F8E5M2, 19)                                                                      \
	X(F8E4M3FN, F8E4M3FN, 20)                                                                  \
	X(F8E4M3B11FNUZ, F8E4M3B11FNUZ, 23)                                                        \
	X(F8E5M2FNUZ, F8E5M2FNUZ, 24)                                                              \
	X(F8E4M3FNUZ, F8E4M3FNUZ, 25)                                                              \
	X(S4, I4, 21)                                                                              \
	X(U4, UI4, 22)                                                                             \
	X(S2, I2, 26)                                                                              \
	X(U2, UI2, 27)                                                                             \
	X(F8E4M3, F8E4M3, 28)                                                                      \
	X(F8E3M4, F8E3M4, 29)                                                                      \
	X(F8E8M0FNU, F8E8M0FNU, 33)                                                                \
	X(F4E2M1FN, F4E2M1FN, 32)

tess_dtype type_to_tess(PJRT_Buffer_Type t)
{
	static const tess_dtype dtypes[] = {
#define X(pjrt, tess, xla) [PJRT_Buffer_Type_##pjrt] = TESS_##tess,
		TYPES(X)
#undef X
	};
	return (size_t)t < (size_t)COUNT(dtypes) ? dtypes[t] : TESS_NO_DTYPE;
}

PJRT_Buffer_Type type_from_tess(tess_dtype t)
{
	switch ((int)t) {
#define X(pjrt, tess, xla)                                                                         \
	case TESS_##tess: return PJRT_Buffer_Type_##pjrt;
		TYPES(X)
#undef X
	}
	return PJRT_Buffer_Type_INVALID;
}

uint64_t primitive_of_type(tess_dtype t)
{
	switch ((int)t) {
#define X(pjrt, tess, xla)                                                                         \
	case TESS_##tess: return xla;
		TYPES(X)
#undef X
	}
	return 0;
}

int element_bytes(PJRT_Buffer_Type t)
{
	tess_dtype d = type_to_tess(t);
	return d == TESS_NO_DTYPE ? 0 : tess_dtype_bytes(d);
}

size_t bytes_of(PJRT_Buffer_Type t, const int64_t *dims, int rank)
{
	size_t n = (size_t)element_bytes(t);
	for (int i = 0; i < rank; i++)
		if (dims[i] < 0 || __builtin_mul_overflow(n, (size_t)dims[i], &n))
			return SIZE_MAX;
	return n;
}

/* ---- buffers --------------------------------------------------------------------------------------- */

static void count_bytes(PJRT_Device *d, long long bytes)
{
	long long now = atomic_fetch_add(&d->bytes, bytes) + bytes;
	if (bytes <= 0)
		return;
	atomic_fetch_add(&d->n_buffers, 1);
	for (long long peak = d->peak_bytes; now > peak;)
		if (atomic_compare_exchange_weak(&d->peak_bytes, &peak, now))
			break;
	for (long long most = d->largest; bytes > most;)
		if (atomic_compare_exchange_weak(&d->largest, &most, bytes))
			break;
}

cell *cell_new(PJRT_Event *ready, tess_buffer *data)
{
	cell *c = ready ? malloc(sizeof *c) : NULL;
	if (c) {
		*c = (cell){.refs = 1, .ready = ready, .data = data};
		return c;
	}
	event_release(ready);
	tess_buffer_free(data);
	return NULL;
}

cell *cell_retain(cell *c)
{
	atomic_fetch_add(&c->refs, 1);
	return c;
}

void cell_release(cell *c)
{
	if (!c || atomic_fetch_sub(&c->refs, 1) > 1)
		return;
	event_release(c->ready);
	tess_buffer_free(c->data);
	free(c);
}

PJRT_Buffer *device_buffer_new(device_memory *m, PJRT_Buffer_Type t, const int64_t *dims, int rank,
                        cell *c)
{
	PJRT_Buffer *b = c ? malloc(sizeof *b + sizeof *dims * 2 * (size_t)rank) : NULL;
	if (!b) {
		cell_release(c);
		return NULL;
	}
	*b = (PJRT_Buffer){.memory = m, .cell = c, .ready = event_retain(c->ready), .type = t,
	                   .rank = rank, .bytes = bytes_of(t, dims, rank)};
	for (int i = 0; i < rank; i++)
		b->dims[i] = dims[i];
	count_bytes(m->device, (long long)b->bytes);
	return b;
}

bool order_is_default(const int64_t *minor_to_major, int rank)
{
	for (int i = 0; i < rank; i++)
		if (minor_to_major[i] != rank - 1 - i)
			return false;
	return true;
}

void device_buffer_set_order(PJRT_Buffer *b, const int64_t *minor_to_major)
{
	b->minor_to_major = NULL;
	if (!minor_to_major || order_is_default(minor_to_major, b->rank))
		return;
	b->minor_to_major = b->dims + b->rank;
	memcpy(b->minor_to_major, minor_to_major, sizeof *minor_to_major * (size_t)b->rank);
}

tess_buffer *device_buffer_data(const PJRT_Buffer *b)
{
	return b->deleted || !b->cell ? NULL : b->cell->data;
}

/* The bytes stay as long as somebody outside, or a run, refers to them. */
void device_buffer_delete(PJRT_Buffer *b)
{
	if (b->deleted)
		return;
	b->deleted = true;
	count_bytes(b->memory->device, -(long long)b->bytes);
	if (atomic_load(&b->outside) == 0) {
		cell_release(b->cell);
		b->cell = NULL;
	}
}

PJRT_Error *pjrt_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	if (!b)
		return NULL;
	device_buffer_delete(b);
	cell_release(b->cell);
	event_release(b->ready);
	free(b);
	return NULL;
}

PJRT_Error *pjrt_Buffer_Delete(PJRT_Buffer_Delete_Args *args)
{
	device_buffer_delete(args->buffer);
	return NULL;
}

PJRT_Error *pjrt_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args *args)
{
	args->is_deleted = args->buffer->deleted;
	return NULL;
}

PJRT_Error *pjrt_Buffer_IncreaseExternalReferenceCount(
    PJRT_Buffer_IncreaseExternalReferenceCount_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	PJRT_Error *e = event_wait(b->ready);
	if (e)
		return e;
	if (!device_buffer_data(b))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT, DELETED);
	atomic_fetch_add(&b->outside, 1);
	return NULL;
}

PJRT_Error *pjrt_Buffer_DecreaseExternalReferenceCount(
    PJRT_Buffer_DecreaseExternalReferenceCount_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	if (atomic_load(&b->outside) <= 0)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: the buffer has no external reference");
	if (atomic_fetch_sub(&b->outside, 1) == 1 && b->deleted) {
		cell_release(b->cell);
		b->cell = NULL;
	}
	return NULL;
}

/* ---- questions ---------------------------------------------------------------------------------- */

PJRT_Error *pjrt_Buffer_ElementType(PJRT_Buffer_ElementType_Args *args)
{
	args->type = args->buffer->type;
	return NULL;
}

PJRT_Error *pjrt_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args *args)
{
	args->dims = args->buffer->dims;
	args->num_dims = (size_t)args->buffer->rank;
	return NULL;
}

PJRT_Error *pjrt_Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args *args)
{
	args->unpadded_dims = args->buffer->dims;
	args->num_dims = (size_t)args->buffer->rank;
	return NULL;
}

PJRT_Error *pjrt_Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args *args)
{
	args->dynamic_dim_indices = NULL;
	args->num_dynamic_dims = 0;
	return NULL;
}

PJRT_Error *pjrt_Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	args->on_device_size_in_bytes = bytes_of(b->type, b->dims, b->rank);
	return NULL;
}

PJRT_Error *pjrt_Buffer_Device(PJRT_Buffer_Device_Args *args)
{
	args->device = args->buffer->memory->device;
	return NULL;
}

PJRT_Error *pjrt_Buffer_Memory(PJRT_Buffer_Memory_Args *args)
{
	args->memory = &args->buffer->memory->base;
	return NULL;
}

/* Those who see the bytes themselves take them for row-major. */
PJRT_Error *pjrt_Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args *args)
{
	args->is_on_cpu = !args->buffer->minor_to_major;
	return NULL;
}

PJRT_Error *pjrt_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args)
{
	args->event = event_retain(args->buffer->ready);
	return NULL;
}

static PJRT_Error *data_of(PJRT_Buffer *b, void **out)
{
	PJRT_Error *e = event_wait(b->ready);
	if (e)
		return e;
	if (!b->cell)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT, DELETED);
	*out = tess_buffer_data(b->cell->data);
	return NULL;
}

PJRT_Error *pjrt_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args)
{
	void *data = NULL;
	PJRT_Error *e = data_of(args->buffer, &data);
	args->buffer_pointer = (uintptr_t)data;
	return e;
}

PJRT_Error *pjrt_Buffer_OpaqueDeviceMemoryDataPointer(
    PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args)
{
	return data_of(args->buffer, &args->device_memory_ptr);
}
