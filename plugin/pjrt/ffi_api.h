/* ffi_api.h - declarations of XLA's FFI, version 0.4, by which programs call functions of others.
 *
 * A handler is a C function that takes a call frame: buffers, attributes, and a table of functions with
 * which it makes errors, allocates and the like.  These declarations are our own; names, order and layout
 * are XLA's (openxla/xla, xla/ffi/api/c_api.h). */
#ifndef TESS_PJRT_FFI_API_H
#define TESS_PJRT_FFI_API_H

#include <stddef.h>
#include <stdint.h>

enum { XLA_FFI_API_MAJOR = 0, XLA_FFI_API_MINOR = 4 };

/* Before the fields of most structs. */
#define XLA_FFI_HEAD                                                                               \
	size_t struct_size;                                                                        \
	void *extension_start

typedef struct XLA_FFI_Error XLA_FFI_Error;
typedef struct XLA_FFI_Future XLA_FFI_Future;
typedef struct XLA_FFI_InvokeContext XLA_FFI_InvokeContext;

typedef struct XLA_FFI_Api_Version {
	XLA_FFI_HEAD;
	int major_version, minor_version;
} XLA_FFI_Api_Version;

typedef struct XLA_FFI_TypeId {
	int64_t type_id;
} XLA_FFI_TypeId;

typedef struct XLA_FFI_ByteSpan {
	const char *ptr;
	size_t len;
} XLA_FFI_ByteSpan;

/* Element types are numbered as xla.PrimitiveType. */
typedef struct XLA_FFI_Scalar {
	int dtype;
	void *value;
} XLA_FFI_Scalar;

typedef struct XLA_FFI_Array {
	int dtype;
	size_t size;
	const void *data;
} XLA_FFI_Array;

typedef struct XLA_FFI_Buffer {
	XLA_FFI_HEAD;
	int dtype;
	void *data;
	int64_t rank;
	const int64_t *dims;
} XLA_FFI_Buffer;

enum { XLA_FFI_BUFFER = 1 };
enum { XLA_FFI_ARRAY = 1, XLA_FFI_DICTIONARY = 2, XLA_FFI_SCALAR = 3, XLA_FFI_STRING = 4 };
enum { XLA_FFI_STAGE_INSTANTIATE = 0, XLA_FFI_STAGE_PREPARE, XLA_FFI_STAGE_INITIALIZE,
       XLA_FFI_STAGE_EXECUTE, XLA_FFI_STAGES };

typedef struct XLA_FFI_List { /* of arguments, or of results */
	XLA_FFI_HEAD;
	int64_t size;
	int *types;
	void **values;
} XLA_FFI_List;

typedef struct XLA_FFI_Attrs { /* sorted by name */
	XLA_FFI_HEAD;
	int64_t size;
	int *types;
	XLA_FFI_ByteSpan **names;
	void **attrs;
} XLA_FFI_Attrs;

typedef struct XLA_FFI_Api XLA_FFI_Api;

typedef struct XLA_FFI_CallFrame {
	XLA_FFI_HEAD;
	const XLA_FFI_Api *api;
	XLA_FFI_InvokeContext *ctx;
	int stage;
	XLA_FFI_List args, rets;
	XLA_FFI_Attrs attrs;
	XLA_FFI_Future *future; /* set by the handler: the call ends when it does */
} XLA_FFI_CallFrame;

typedef XLA_FFI_Error *XLA_FFI_Handler(XLA_FFI_CallFrame *frame);

/* ---- what handlers call: each takes one struct ------------------------------------------------- */

typedef struct XLA_FFI_Error_Create_Args {
	XLA_FFI_HEAD;
	const char *message;
	int errc; /* of absl::StatusCode */
} XLA_FFI_Error_Create_Args;

typedef struct XLA_FFI_Error_GetDetails_Args {
	XLA_FFI_HEAD;
	XLA_FFI_Error *error;
	const char *message;
	int errc;
} XLA_FFI_Error_GetDetails_Args;

typedef struct XLA_FFI_Error_Destroy_Args {
	XLA_FFI_HEAD;
	XLA_FFI_Error *error;
} XLA_FFI_Error_Destroy_Args;

typedef struct XLA_FFI_Handler_Register_Args XLA_FFI_Handler_Register_Args;
typedef struct XLA_FFI_Stream_Get_Args XLA_FFI_Stream_Get_Args;
typedef struct XLA_FFI_Type_Register_Args XLA_FFI_Type_Register_Args;

typedef struct XLA_FFI_InvokeContext_Get_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	XLA_FFI_TypeId *type_id;
	void *data;
} XLA_FFI_InvokeContext_Get_Args;

typedef struct XLA_FFI_State_Args { /* to set it and to get it */
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	int stage;
	XLA_FFI_TypeId *type_id;
	void *state;
} XLA_FFI_State_Args;

typedef struct XLA_FFI_DeviceMemory_Allocate_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	size_t size, alignment;
	void *data;
} XLA_FFI_DeviceMemory_Allocate_Args;

typedef struct XLA_FFI_DeviceMemory_Free_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	size_t size;
	void *data;
} XLA_FFI_DeviceMemory_Free_Args;

typedef struct XLA_FFI_ThreadPool_Schedule_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	void (*task)(void *data);
	void *data;
} XLA_FFI_ThreadPool_Schedule_Args;

typedef struct XLA_FFI_ThreadPool_NumThreads_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	int64_t *num_threads;
} XLA_FFI_ThreadPool_NumThreads_Args;

typedef struct XLA_FFI_Future_Create_Args {
	XLA_FFI_HEAD;
	XLA_FFI_Future *future;
} XLA_FFI_Future_Create_Args;

typedef struct XLA_FFI_Future_Set_Args {
	XLA_FFI_HEAD;
	XLA_FFI_Future *future;
	XLA_FFI_Error *error; /* of SetError only */
} XLA_FFI_Future_Set_Args;

typedef struct XLA_FFI_RunId_Get_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	int64_t run_id;
} XLA_FFI_RunId_Get_Args;

typedef struct XLA_FFI_DeviceOrdinal_Get_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	int32_t device_ordinal;
} XLA_FFI_DeviceOrdinal_Get_Args;

typedef struct XLA_FFI_FindExtension_Args {
	XLA_FFI_HEAD;
	XLA_FFI_InvokeContext *ctx;
	int64_t extension_type;
	const void *extension;
} XLA_FFI_FindExtension_Args;

struct XLA_FFI_Api {
	XLA_FFI_HEAD;
	XLA_FFI_Api_Version api_version;
	const void *internal_api;
	XLA_FFI_Error *(*Error_Create)(XLA_FFI_Error_Create_Args *);
	void (*Error_GetDetails)(XLA_FFI_Error_GetDetails_Args *);
	void (*Error_Destroy)(XLA_FFI_Error_Destroy_Args *);
	XLA_FFI_Error *(*Handler_Register)(XLA_FFI_Handler_Register_Args *);
	XLA_FFI_Error *(*Stream_Get)(XLA_FFI_Stream_Get_Args *);
	XLA_FFI_Error *(*Type_Register)(XLA_FFI_Type_Register_Args *);
	XLA_FFI_Error *(*InvokeContext_Get)(XLA_FFI_InvokeContext_Get_Args *);
	XLA_FFI_Error *(*State_Set)(XLA_FFI_State_Args *);
	XLA_FFI_Error *(*State_Get)(XLA_FFI_State_Args *);
	XLA_FFI_Error *(*DeviceMemory_Allocate)(XLA_FFI_DeviceMemory_Allocate_Args *);
	XLA_FFI_Error *(*DeviceMemory_Free)(XLA_FFI_DeviceMemory_Free_Args *);
	XLA_FFI_Error *(*ThreadPool_Schedule)(XLA_FFI_ThreadPool_Schedule_Args *);
	XLA_FFI_Error *(*ThreadPool_NumThreads)(XLA_FFI_ThreadPool_NumThreads_Args *);
	XLA_FFI_Error *(*Future_Create)(XLA_FFI_Future_Create_Args *);
	XLA_FFI_Error *(*Future_SetAvailable)(XLA_FFI_Future_Set_Args *);
	XLA_FFI_Error *(*Future_SetError)(XLA_FFI_Future_Set_Args *);
	XLA_FFI_Error *(*RunId_Get)(XLA_FFI_RunId_Get_Args *);
	XLA_FFI_Error *(*DeviceOrdinal_Get)(XLA_FFI_DeviceOrdinal_Get_Args *);
	XLA_FFI_Error *(*FindExtension)(XLA_FFI_FindExtension_Args *);
};

/* ---- attributes: ffi_attrs.c ----------------------------------------------------------------------- */

struct tess_attr;
struct tess_ctx;

/* The attributes of a call, from its backend_config, a dictionary or NULL.  To be freed with
 * ffi_attrs_free().
 * @return NULL: there is no memory, or *why says which attribute handlers cannot be given. */
XLA_FFI_Attrs *ffi_attrs_new(struct tess_ctx *ctx, const struct tess_attr *config, char *why,
                             size_t room);
void ffi_attrs_free(XLA_FFI_Attrs *attrs);

#endif
