/* transfer.c - bytes of the caller become buffers, and buffers bytes of the caller. */
#include "plugin.h"

#include <stdlib.h>
#include <string.h>

/* ---- copies ------------------------------------------------------------------------------------ */

void copy_strided(char *to, const int64_t *to_strides, const char *from,
                  const int64_t *from_strides, const int64_t *dims, int rank, int element)
{
	if (rank == 0) {
		memcpy(to, from, (size_t)element);
		return;
	}
	for (int64_t i = 0; i < dims[0]; i++, to += to_strides[0], from += from_strides[0])
		copy_strided(to, to_strides + 1, from, from_strides + 1, dims + 1, rank - 1,
		             element);
}

void strides_of_order(const int64_t *minor_to_major, const int64_t *dims, int rank, int element,
                      int64_t *strides)
{
	int64_t next = element;
	for (int i = 0; i < rank; i++) {
		int64_t d = minor_to_major ? minor_to_major[i] : rank - 1 - i;
		strides[d] = next;
		next *= dims[d];
	}
}

enum { MAX_RANK = 64 };

static bool strides_are_dense(const int64_t *strides, const int64_t *dims, int rank, int element)
{
	int64_t next = element;
	for (int i = rank - 1; i >= 0; i--) {
		if (dims[i] != 1 && strides[i] != next)
			return false;
		next *= dims[i];
	}
	return true;
}

/* ---- in ---------------------------------------------------------------------------------------- */

static void host_is_done(void *event)
{
	event_set(event, NULL);
	event_release(event);
}

/* Bytes that stay as they are while somebody holds the event may serve as they lie. */
static PJRT_Error *borrow(PJRT_Client_BufferFromHostBuffer_Args *args, size_t bytes, tess_buffer **out)
{
	PJRT_Event *done = event_new();
	if (done)
		*out = tess_buffer_wrap(args->data, bytes, host_is_done, event_retain(done));
	if (!done || !*out) {
		event_release(done);
		event_release(done);
		return error_no_memory();
	}
	args->done_with_host_buffer = done;
	return NULL;
}

/* Replicas come one after the other: bytes that equal the last ones that came share their memory. */
static tess_buffer *same_as_last(PJRT_Client *c, const void *data, size_t bytes)
{
	tess_buffer *last = atomic_exchange(&c->last_upload, NULL), *same = NULL;
	if (!last)
		return NULL;
	if (tess_buffer_bytes(last) == bytes && !memcmp(tess_buffer_data(last), data, bytes))
		same = tess_buffer_share(last);
	tess_buffer_free(atomic_exchange(&c->last_upload, last));
	return same;
}

void last_upload_forget(PJRT_Client *c)
{
	if (atomic_load_explicit(&c->last_upload, memory_order_relaxed))
		tess_buffer_free(atomic_exchange(&c->last_upload, NULL));
}

static PJRT_Error *copy_in(PJRT_Client_BufferFromHostBuffer_Args *args, size_t bytes,
                           const int64_t *strides, tess_buffer **out)
{
	const bool dense = !strides || strides_are_dense(strides, args->dims, (int)args->num_dims,
	                                                 element_bytes(args->type));
	if (dense && bytes && (*out = same_as_last(args->client, args->data, bytes))) {
		args->done_with_host_buffer = event_done();
		return NULL;
	}
	int rank = (int)args->num_dims, element = element_bytes(args->type);
	int64_t to[MAX_RANK];
	if (!(*out = tess_buffer_new(bytes)))
		return error_no_memory();
	strides_of_order(NULL, args->dims, rank, element, to);
	if (dense)
		memcpy(tess_buffer_data(*out), args->data, bytes);
	else if (bytes)
		copy_strided(tess_buffer_data(*out), to, args->data, strides, args->dims, rank, element);
	if (bytes)
		tess_buffer_free(atomic_exchange(&args->client->last_upload, tess_buffer_share(*out)));
	args->done_with_host_buffer = event_done();
	return NULL;
}

static const int64_t *order_wanted(const PJRT_Buffer_MemoryLayout *layout, int rank)
{
	return layout && layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled &&
	               layout->tiled.minor_to_major_size == (size_t)rank
	           ? layout->tiled.minor_to_major
	           : NULL;
}

/* The bytes of an array that comes from outside. */
static PJRT_Error *measure(PJRT_Buffer_Type t, const int64_t *dims, size_t rank, size_t *bytes)
{
	*bytes = rank > MAX_RANK ? SIZE_MAX : bytes_of(t, dims, (int)rank);
	return *bytes != SIZE_MAX
	           ? NULL
	           : error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                       "tessera: expected an array of at most %d dimensions and of a size that "
	                       "fits %zu bits, found one of %zu dimensions", MAX_RANK,
	                       8 * sizeof *bytes, rank);
}

/* Kernels read elements of 16 bytes, too. */
enum { ALIGNMENT = 16 };
static bool is_aligned(const void *data) { return (uintptr_t)data % ALIGNMENT == 0; }

PJRT_Error *pjrt_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args)
{
	int rank = (int)args->num_dims, element = element_bytes(args->type);
	size_t bytes;
	PJRT_Error *wrong = measure(args->type, args->dims, args->num_dims, &bytes);
	if (wrong)
		return wrong;
	const int64_t *strides = args->num_byte_strides ? args->byte_strides : NULL;
	bool dense = !strides || strides_are_dense(strides, args->dims, rank, element);
	bool stays = args->host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy ||
	             args->host_buffer_semantics == PJRT_HostBufferSemantics_kMutableZeroCopy;
	tess_buffer *data = NULL;
	double begin = trace_now();
	PJRT_Error *e = dense && stays && is_aligned(args->data) && bytes
	                    ? borrow(args, bytes, &data)
	                    : copy_in(args, bytes, strides, &data);
	if (e)
		return e;
	device_memory *m = memory_chosen(args->client, args->device, args->memory);
	PJRT_Buffer *b = device_buffer_new(m, args->type, args->dims, rank, cell_new(event_done(), data));
	if (!b) {
		event_release(args->done_with_host_buffer);
		return error_no_memory();
	}
	device_buffer_set_order(b, order_wanted(args->device_layout, rank));
	trace_add("copy", "from the host", begin, m->device);
	args->buffer = b;
	return NULL;
}

typedef struct view {
	void (*release)(void *data, void *arg);
	void *data, *arg;
} view;

static void view_is_done(void *arg)
{
	view *v = arg;
	if (v->release)
		v->release(v->data, v->arg);
	free(v);
}

PJRT_Error *pjrt_Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args *args)
{
	int rank = (int)args->num_dims;
	size_t bytes;
	PJRT_Error *wrong = measure(args->element_type, args->dims, args->num_dims, &bytes);
	if (wrong)
		return wrong;
	if (bytes && !is_aligned(args->device_buffer_ptr))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: the memory of a view is not aligned to %d bytes: copy the array",
		                 ALIGNMENT);
	const int64_t *order = order_wanted(args->layout, rank);
	if (order && !order_is_default(order, rank))
		return error_new(PJRT_Error_Code_UNIMPLEMENTED,
		                 "tessera: expected a view in row-major order, found another order: copy the "
		                 "array");
	view *v = calloc(1, sizeof *v);
	tess_buffer *data =
	    v ? tess_buffer_wrap(args->device_buffer_ptr, bytes, view_is_done, v) : NULL;
	if (!data) {
		free(v);
		return error_no_memory();
	}
	args->buffer = device_buffer_new(memory_chosen(args->client, args->device, args->memory),
	                          args->element_type, args->dims, rank,
	                          cell_new(event_done(), data));
	if (!args->buffer)
		return error_no_memory();
	*v = (view){args->on_delete_callback, args->device_buffer_ptr,
	            args->on_delete_callback_arg};
	return NULL;
}

static PJRT_Buffer *empty_buffer(device_memory *m, PJRT_Buffer_Type t, const int64_t *dims,
                                 size_t rank, PJRT_Event *ready)
{
	size_t bytes = bytes_of(t, dims, (int)rank);
	tess_buffer *data = bytes == SIZE_MAX ? NULL : tess_buffer_new(bytes);
	if (data)
		return device_buffer_new(m, t, dims, (int)rank, cell_new(ready, data));
	event_release(ready);
	return NULL;
}

PJRT_Error *pjrt_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args)
{
	args->buffer = empty_buffer(memory_chosen(args->client, args->device, args->memory),
	                            args->shape_element_type, args->shape_dims,
	                            args->shape_num_dims, event_done());
	return args->buffer ? NULL : error_no_memory();
}

PJRT_Error *pjrt_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args)
{
	PJRT_Event *ready = event_new();
	if (!ready)
		return error_no_memory();
	event_set(ready, error_new(args->error_code, "%.*s", (int)args->error_message_size,
	                           args->error_message));
	args->buffer = device_buffer_new(memory_chosen(args->client, NULL, args->memory),
	                          args->shape_element_type, args->shape_dims,
	                          (int)args->shape_num_dims, cell_new(ready, NULL));
	return args->buffer ? NULL : error_no_memory();
}

/* ---- out --------------------------------------------------------------------------------------- */

typedef struct copy_out {
	PJRT_Buffer_Type type;
	cell *from;
	char *to;
	PJRT_Event *done;
	int rank;
	int64_t *dims, *strides; /* strides NULL: row-major */
	int64_t room[];
} copy_out;

static void copy_now(const copy_out *c)
{
	int element = element_bytes(c->type);
	size_t bytes = bytes_of(c->type, c->dims, c->rank);
	int64_t dense[MAX_RANK];
	if (!c->strides) {
		memcpy(c->to, tess_buffer_data(c->from->data), bytes);
		return;
	}
	strides_of_order(NULL, c->dims, c->rank, element, dense);
	if (bytes)
		copy_strided(c->to, c->strides, tess_buffer_data(c->from->data), dense, c->dims, c->rank, element);
}

static void copy_when_ready(PJRT_Error *error, void *arg)
{
	copy_out *c = arg;
	double begin = trace_now();
	if (!error)
		copy_now(c);
	trace_add("copy", "to the host", begin, NULL);
	event_set(c->done, error);
	event_release(c->done);
	cell_release(c->from);
	free(c);
}

static copy_out *copy_of(PJRT_Buffer *b, const PJRT_Buffer_MemoryLayout *layout, void *to)
{
	copy_out *c = calloc(1, sizeof *c + sizeof *c->room * 2 * (size_t)b->rank);
	if (!c)
		return NULL;
	*c = (copy_out){.type = b->type, .from = cell_retain(b->cell), .to = to, .rank = b->rank, .dims = c->room};
	memcpy(c->dims, b->dims, sizeof *c->dims * (size_t)b->rank);
	const int64_t *order = layout ? order_wanted(layout, b->rank) : b->minor_to_major;
	c->strides = c->room + b->rank;
	if (layout && layout->type == PJRT_Buffer_MemoryLayout_Type_Strides)
		memcpy(c->strides, layout->strides.byte_strides, sizeof *c->strides * (size_t)b->rank);
	else if (order && !order_is_default(order, b->rank))
		strides_of_order(order, b->dims, b->rank, element_bytes(b->type), c->strides);
	else
		c->strides = NULL;
	return c;
}

PJRT_Error *pjrt_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args)
{
	PJRT_Buffer *b = args->src;
	size_t bytes = bytes_of(b->type, b->dims, b->rank);
	if (!args->dst) {
		args->dst_size = bytes;
		return NULL;
	}
	if (b->deleted)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT, DELETED);
	if (args->dst_size < bytes)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: %zu bytes do not fit into %zu", bytes, args->dst_size);
	copy_out *c = copy_of(b, args->host_layout, args->dst);
	if (c && !(c->done = event_new())) {
		cell_release(c->from);
		free(c);
		c = NULL;
	}
	if (!c)
		return error_no_memory();
	args->event = event_retain(c->done);
	return event_then(b->ready, copy_when_ready, c);
}

PJRT_Error *pjrt_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	size_t bytes = bytes_of(b->type, b->dims, b->rank);
	PJRT_Error *e = event_wait(b->ready);
	if (e)
		return e;
	if (args->offset < 0 || args->transfer_size < 0 ||
	    (uint64_t)args->offset + (uint64_t)args->transfer_size > bytes || !device_buffer_data(b))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: %lld bytes from %lld on are not in a buffer of %zu",
		                 (long long)args->transfer_size, (long long)args->offset, bytes);
	memcpy(args->dst, (char *)tess_buffer_data(b->cell->data) + args->offset, (size_t)args->transfer_size);
	args->event = event_done();
	return NULL;
}

/* ---- from device to device ------------------------------------------------------------------- */

/* Nobody writes into bytes that somebody else holds: a copy is another handle. */
typedef struct hand_over {
	cell *from, *to;
} hand_over;

static void hand_over_when_ready(PJRT_Error *error, void *arg)
{
	hand_over *h = arg;
	if (!error)
		h->to->data = tess_buffer_share(h->from->data);
	event_set(h->to->ready, error);
	cell_release(h->from);
	cell_release(h->to);
	free(h);
}

static PJRT_Error *copy_later(cell *from, cell *to)
{
	hand_over *h = malloc(sizeof *h);
	if (!h)
		return error_no_memory();
	*h = (hand_over){cell_retain(from), cell_retain(to)};
	return event_then(from->ready, hand_over_when_ready, h);
}

static PJRT_Error *copy_buffer(PJRT_Buffer *from, device_memory *m, PJRT_Buffer **out)
{
	if (from->deleted)
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT, DELETED);
	bool now = event_is_done(from->ready) && device_buffer_data(from);
	cell *c = now ? cell_new(event_done(), tess_buffer_share(device_buffer_data(from)))
	              : cell_new(event_new(), NULL);
	*out = device_buffer_new(m, from->type, from->dims, from->rank, c);
	if (!*out)
		return error_no_memory();
	device_buffer_set_order(*out, from->minor_to_major);
	return now ? NULL : copy_later(from->cell, c);
}

PJRT_Error *pjrt_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args)
{
	return copy_buffer(args->buffer, &args->dst_device->memory[0], &args->dst_buffer);
}

PJRT_Error *pjrt_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args)
{
	return copy_buffer(args->buffer, memory_of(args->dst_memory), &args->dst_buffer);
}

PJRT_Error *pjrt_Buffer_Bitcast(PJRT_Buffer_Bitcast_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	PJRT_Error *e = event_wait(b->ready);
	if (e)
		return e;
	if (!device_buffer_data(b) || bytes_of(args->element_type, args->dims, (int)args->num_dims) !=
	                            bytes_of(b->type, b->dims, b->rank))
		return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
		                 "tessera: a bitcast keeps the number of bytes");
	args->out_buffer =
	    device_buffer_new(b->memory, args->element_type, args->dims, (int)args->num_dims,
	               cell_new(event_done(), tess_buffer_share(device_buffer_data(b))));
	return args->out_buffer ? NULL : error_no_memory();
}
