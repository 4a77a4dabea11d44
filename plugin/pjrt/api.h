/* api.h - declarations of the PJRT C API, version 0.112, as far as the plugin meets it.
 *
 * PJRT is how JAX and PyTorch/XLA reach devices: a shared object exports GetPjrtApi(), a table of
 * functions, each of which takes one struct of arguments and results.  These declarations are our
 * own; names, order and layout are the API's (openxla/xla, xla/pjrt/c/pjrt_c_api.h), and
 * functions.def pins the sizes.  A caller of an older version knows fewer fields of a struct: it
 * says by struct_size up to where. */
#ifndef TESS_PJRT_API_H
#define TESS_PJRT_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PJRT_API_MAJOR = 0, PJRT_API_MINOR = 112 };

/* The size of a struct up to the end of a field: there is no padding behind it. */
#define PJRT_SIZE_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

typedef enum PJRT_Extension_Type {
	PJRT_Extension_Type_Custom_Partitioner = 2,
	PJRT_Extension_Type_Layouts = 4,
	PJRT_Extension_Type_Shardings = 19,
} PJRT_Extension_Type;

typedef struct PJRT_Extension_Base {
	size_t struct_size;
	PJRT_Extension_Type type;
	struct PJRT_Extension_Base *next;
} PJRT_Extension_Base;

typedef struct PJRT_Api_Version {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	int major_version;
	int minor_version;
} PJRT_Api_Version;

/* ---- errors: a visible struct that begins with its functions ---------------------------------- */

/* Those of absl::StatusCode. */
typedef enum PJRT_Error_Code {
	PJRT_Error_Code_OK = 0,
	PJRT_Error_Code_CANCELLED = 1,
	PJRT_Error_Code_INVALID_ARGUMENT = 3,
	PJRT_Error_Code_NOT_FOUND = 5,
	PJRT_Error_Code_RESOURCE_EXHAUSTED = 8,
	PJRT_Error_Code_FAILED_PRECONDITION = 9,
	PJRT_Error_Code_UNIMPLEMENTED = 12,
	PJRT_Error_Code_INTERNAL = 13,
} PJRT_Error_Code;

typedef struct PJRT_Error PJRT_Error;
typedef void (*PJRT_Error_PayloadVisitor)(const char *key, size_t key_size, const char *value,
                                          size_t value_size, void *user_arg);
typedef struct PJRT_Error_FunctionTable {
	size_t struct_size;
	size_t instance_size;
	PJRT_Extension_Base *extension_start;
	void (*destroy)(PJRT_Error *error);
	void (*message)(const PJRT_Error *error, const char **message, size_t *message_size);
	PJRT_Error_Code (*get_code)(const PJRT_Error *error);
	void (*for_each_payload)(const PJRT_Error *error, PJRT_Error_PayloadVisitor visitor,
	                         void *user_arg);
} PJRT_Error_FunctionTable;
struct PJRT_Error {
	const PJRT_Error_FunctionTable *vtable;
};

/* ---- named values ------------------------------------------------------------------------------ */

typedef enum PJRT_NamedValue_Type {
	PJRT_NamedValue_kString = 0,
	PJRT_NamedValue_kInt64,
	PJRT_NamedValue_kInt64List,
	PJRT_NamedValue_kFloat,
	PJRT_NamedValue_kBool,
} PJRT_NamedValue_Type;

typedef struct PJRT_NamedValue {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	const char *name;
	size_t name_size;
	PJRT_NamedValue_Type type;
	union {
		const char *string_value; /* not NUL-terminated: value_size */
		int64_t int64_value;
		const int64_t *int64_array_value;
		float float_value;
		bool bool_value;
	};
	size_t value_size; /* 1 for what is no text and no list */
} PJRT_NamedValue;

/* ---- handles ------------------------------------------------------------------------------------ */

typedef struct PJRT_Event PJRT_Event;
typedef struct PJRT_Client PJRT_Client;
typedef struct PJRT_Device PJRT_Device;
typedef struct PJRT_DeviceDescription PJRT_DeviceDescription;
typedef struct PJRT_TopologyDescription PJRT_TopologyDescription;
typedef struct PJRT_Executable PJRT_Executable;
typedef struct PJRT_LoadedExecutable PJRT_LoadedExecutable;
typedef struct PJRT_Buffer PJRT_Buffer;
typedef struct PJRT_ExecuteContext PJRT_ExecuteContext;
typedef struct PJRT_AsyncHostToDeviceTransferManager PJRT_AsyncHostToDeviceTransferManager;
typedef struct PJRT_AsyncTrackingEvent PJRT_AsyncTrackingEvent;
typedef struct PJRT_CopyToDeviceStream PJRT_CopyToDeviceStream;
typedef struct PJRT_FulfillAliasBufferCallback PJRT_FulfillAliasBufferCallback;
typedef struct PJRT_SerializedExecutable PJRT_SerializedExecutable;
typedef struct PJRT_SerializedTopology PJRT_SerializedTopology;
typedef struct PJRT_SerializedCompileOptions PJRT_SerializedCompileOptions;
typedef struct PJRT_DeviceAssignmentSerialized PJRT_DeviceAssignmentSerialized;
typedef struct PJRT_Device_Attributes PJRT_Device_Attributes;
typedef struct PJRT_MultiSlice_Config PJRT_MultiSlice_Config;
typedef struct PJRT_ProcessInfo PJRT_ProcessInfo;
typedef struct PJRT_Chunk PJRT_Chunk;

/* A visible struct as well: the caller hangs data of its own on memories. */
typedef struct PJRT_Memory PJRT_Memory;
typedef struct PJRT_Memory_FunctionTable {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	size_t instance_struct_size;
	void *(*get_user_data)(PJRT_Memory *memory, const void *key);
	void (*set_user_data)(PJRT_Memory *memory, const void *key, void *data,
	                      void (*dtor)(void *));
} PJRT_Memory_FunctionTable;
struct PJRT_Memory {
	const PJRT_Memory_FunctionTable *vtable;
};

/* ---- the caller's callbacks ------------------------------------------------------------------- */

/* `error` belongs to the callback. */
typedef void (*PJRT_Event_OnReadyCallback)(PJRT_Error *error, void *user_arg);

/* Makes the error that a callback returns. */
typedef PJRT_Error *(*PJRT_CallbackError)(PJRT_Error_Code code, const char *message, size_t n);

/* The key-value store of jax.distributed; garbage where there is none. */
typedef struct PJRT_KeyValueGetCallback_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	const char *key;
	size_t key_size;
	int timeout_in_ms;
	PJRT_CallbackError *callback_error;
	void *user_arg;
	char *value;
	size_t value_size;
	void (*value_deleter_callback)(char *value);
} PJRT_KeyValueGetCallback_Args;
typedef struct PJRT_KeyValuePutCallback_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	const char *key;
	size_t key_size;
	const char *value;
	size_t value_size;
	PJRT_CallbackError *callback_error;
	void *user_arg;
} PJRT_KeyValuePutCallback_Args;
typedef PJRT_Error *(*PJRT_KeyValueGetCallback)(PJRT_KeyValueGetCallback_Args *args);
typedef PJRT_Error *(*PJRT_KeyValueTryGetCallback)(void *args);
typedef PJRT_Error *(*PJRT_KeyValuePutCallback)(PJRT_KeyValuePutCallback_Args *args);
_Static_assert(sizeof(PJRT_KeyValueGetCallback_Args) == 80, "as jaxlib has it");
_Static_assert(sizeof(PJRT_KeyValuePutCallback_Args) == 64, "as jaxlib has it");

/* No list of extensions follows the size in these two. */
typedef struct PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
	size_t struct_size;
	void *callback_data;
	PJRT_Error_Code error_code;
	const char *error_message;
	size_t error_message_size;
	void *dst;
} PJRT_Buffer_CopyRawToHostFuture_Callback_Args;
typedef struct PJRT_Buffer_DonateWithControlDependency_Callback_Args {
	size_t struct_size;
	void *callback_data;
	PJRT_Error_Code error_code;
	const char *error_message;
	size_t error_message_size;
} PJRT_Buffer_DonateWithControlDependency_Callback_Args;

/* ---- types and layouts of buffers ---------------------------------------------------------- */

typedef enum PJRT_Buffer_Type {
	PJRT_Buffer_Type_INVALID,
	PJRT_Buffer_Type_PRED,
	PJRT_Buffer_Type_S8,
	PJRT_Buffer_Type_S16,
	PJRT_Buffer_Type_S32,
	PJRT_Buffer_Type_S64,
	PJRT_Buffer_Type_U8,
	PJRT_Buffer_Type_U16,
	PJRT_Buffer_Type_U32,
	PJRT_Buffer_Type_U64,
	PJRT_Buffer_Type_F16,
	PJRT_Buffer_Type_F32,
	PJRT_Buffer_Type_F64,
	PJRT_Buffer_Type_BF16,
	PJRT_Buffer_Type_C64,
	PJRT_Buffer_Type_C128,
	PJRT_Buffer_Type_F8E5M2,
	PJRT_Buffer_Type_F8E4M3FN,
	PJRT_Buffer_Type_F8E4M3B11FNUZ,
	PJRT_Buffer_Type_F8E5M2FNUZ,
	PJRT_Buffer_Type_F8E4M3FNUZ,
	PJRT_Buffer_Type_S4,
	PJRT_Buffer_Type_U4,
	PJRT_Buffer_Type_TOKEN,
	PJRT_Buffer_Type_S2,
	PJRT_Buffer_Type_U2,
	PJRT_Buffer_Type_F8E4M3,
	PJRT_Buffer_Type_F8E3M4,
	PJRT_Buffer_Type_F8E8M0FNU,
	PJRT_Buffer_Type_F4E2M1FN,
	PJRT_Buffer_Type_S1,
	PJRT_Buffer_Type_U1,
} PJRT_Buffer_Type;

/* How long the caller leaves the bytes of a new buffer as they are. */
typedef enum PJRT_HostBufferSemantics {
	PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
	PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes,
	PJRT_HostBufferSemantics_kImmutableZeroCopy,
	PJRT_HostBufferSemantics_kMutableZeroCopy,
} PJRT_HostBufferSemantics;

typedef enum PJRT_Buffer_MemoryLayout_Type {
	PJRT_Buffer_MemoryLayout_Type_Tiled = 0,
	PJRT_Buffer_MemoryLayout_Type_Strides,
} PJRT_Buffer_MemoryLayout_Type;

typedef struct PJRT_Buffer_MemoryLayout_Tiled {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	const int64_t *minor_to_major;
	size_t minor_to_major_size;
	const int64_t *tile_dims;
	const size_t *tile_dim_sizes;
	size_t num_tiles;
} PJRT_Buffer_MemoryLayout_Tiled;

typedef struct PJRT_Buffer_MemoryLayout_Strides {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	const int64_t *byte_strides;
	size_t num_byte_strides;
} PJRT_Buffer_MemoryLayout_Strides;

typedef struct PJRT_Buffer_MemoryLayout {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	union {
		PJRT_Buffer_MemoryLayout_Tiled tiled;
		PJRT_Buffer_MemoryLayout_Strides strides;
	};
	PJRT_Buffer_MemoryLayout_Type type;
} PJRT_Buffer_MemoryLayout;

typedef struct PJRT_ShapeSpec {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	const int64_t *dims;
	size_t num_dims;
	PJRT_Buffer_Type element_type;
} PJRT_ShapeSpec;

/* ---- programs and runs --------------------------------------------------------------------- */

typedef struct PJRT_Program {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	char *code;
	size_t code_size;
	const char *format; /* "mlir": text or bytecode; "hlo": a proto */
	size_t format_size;
} PJRT_Program;

typedef struct PJRT_LogicalDeviceIds {
	int replica;
	int partition;
} PJRT_LogicalDeviceIds;

typedef struct PJRT_LoadOptions {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	const int32_t *computation_origin;
	size_t computation_origin_size;
	PJRT_MultiSlice_Config *multi_slice_config;
} PJRT_LoadOptions;

/* All of it lives during the call only. */
typedef struct PJRT_ExecuteOptions {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	void **send_callbacks;
	void **recv_callbacks;
	size_t num_send_ops;
	size_t num_recv_ops;
	int launch_id;
	const int64_t *non_donatable_input_indices;
	size_t num_non_donatable_input_indices;
	PJRT_ExecuteContext *context;
	const char *call_location;
	size_t num_tasks;
	int *task_ids;
	int64_t *incarnation_ids;
	PJRT_MultiSlice_Config *multi_slice_config;
} PJRT_ExecuteOptions;

/* ---- the functions --------------------------------------------------------------------------- */

#define PJRT(name, bytes, ...)                                                                     \
	typedef struct PJRT_##name##_Args {                                                        \
		size_t struct_size;                                                                \
		PJRT_Extension_Base *extension_start;                                              \
		__VA_ARGS__                                                                        \
	} PJRT_##name##_Args;                                                                      \
	_Static_assert((sizeof(PJRT_##name##_Args) + 7) / 8 == (bytes + 7) / 8, #name);
#define PJRT_NOT PJRT
#include "functions.def"
#undef PJRT_NOT
#undef PJRT

/* The first two return nothing; as C functions are called on every machine that we know, a caller
 * who expects nothing is well served by one that returns a pointer. */
typedef struct PJRT_Api {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_Api_Version pjrt_api_version;
#define PJRT(name, bytes, ...) PJRT_Error *(*name)(PJRT_##name##_Args *);
#define PJRT_NOT PJRT
#include "functions.def"
#undef PJRT_NOT
#undef PJRT
} PJRT_Api;
_Static_assert(sizeof(PJRT_Api) == 1144, "138 functions behind the version");

/* ---- extensions -------------------------------------------------------------------------------- */

typedef struct PJRT_Layouts_MemoryLayout PJRT_Layouts_MemoryLayout;
typedef struct PJRT_Layouts_SerializedLayout PJRT_Layouts_SerializedLayout;

typedef struct PJRT_Layouts_MemoryLayout_Destroy_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_Layouts_MemoryLayout *layout;
} PJRT_Layouts_MemoryLayout_Destroy_Args;

typedef struct PJRT_Layouts_MemoryLayout_Serialize_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_Layouts_MemoryLayout *layout;
	const char *serialized_bytes; /* "{1,0}" */
	size_t serialized_bytes_size;
	PJRT_Layouts_SerializedLayout *serialized_layout;
	void (*serialized_layout_deleter)(PJRT_Layouts_SerializedLayout *);
} PJRT_Layouts_MemoryLayout_Serialize_Args;

typedef struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_Client *client;
	PJRT_Buffer_Type type;
	const int64_t *dims;
	size_t num_dims;
	PJRT_Layouts_MemoryLayout *layout;
} PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args;

typedef struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_Buffer *buffer;
	PJRT_Layouts_MemoryLayout *layout;
} PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args;

typedef struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_TopologyDescription *topology_description;
	PJRT_Buffer_Type type;
	const int64_t *dims;
	size_t num_dims;
	PJRT_Layouts_MemoryLayout *layout;
} PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args;

/* The same for parameters and results; the layouts are the executable's. */
typedef struct PJRT_Layouts_Executable_Layouts_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_Executable *executable;
	size_t num_layouts;
	PJRT_Layouts_MemoryLayout *const *layouts;
} PJRT_Layouts_Executable_Layouts_Args;

typedef struct PJRT_Layouts_Extension {
	PJRT_Extension_Base base;
	PJRT_Error *(*layout_destroy)(PJRT_Layouts_MemoryLayout_Destroy_Args *);
	PJRT_Error *(*layout_serialize)(PJRT_Layouts_MemoryLayout_Serialize_Args *);
	PJRT_Error *(*client_default)(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *);
	PJRT_Error *(*buffer_layout)(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *);
	PJRT_Error *(*topology_default)(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *);
	PJRT_Error *(*output_layouts)(PJRT_Layouts_Executable_Layouts_Args *);
	PJRT_Error *(*parameter_layouts)(PJRT_Layouts_Executable_Layouts_Args *);
} PJRT_Layouts_Extension;

/* Serialized xla.OpSharding, one for each parameter or result; no bytes: replicated. */
typedef struct PJRT_Shardings_Executable_Shardings_Args {
	size_t struct_size;
	PJRT_Extension_Base *extension_start;
	PJRT_Executable *executable;
	size_t num_shardings;
	const char *const *shardings; /* NULL: none, or not known */
	const size_t *sharding_sizes;
} PJRT_Shardings_Executable_Shardings_Args;

typedef struct PJRT_Shardings_Extension {
	PJRT_Extension_Base base;
	PJRT_Error *(*parameter_shardings)(PJRT_Shardings_Executable_Shardings_Args *);
	PJRT_Error *(*output_shardings)(PJRT_Shardings_Executable_Shardings_Args *);
} PJRT_Shardings_Extension;

/* Functions that partition the custom calls of a target; jaxlib makes them of Python's. */
typedef struct JAX_CustomCallPartitioner_string {
	const char *data;
	size_t size;
} JAX_CustomCallPartitioner_string;

typedef struct JAX_CustomCallPartitioner_aval {
	JAX_CustomCallPartitioner_string shape; /* xla.ShapeProto */
	bool has_sharding;
	JAX_CustomCallPartitioner_string sharding; /* xla.OpSharding */
} JAX_CustomCallPartitioner_aval;

/* What the function returns is valid until cleanup_fn(data) is called. */
typedef struct JAX_CustomCallPartitioner_version_and_error {
	int64_t api_version;
	void *data;
	void (*cleanup_fn)(void *data);
	bool has_error;
	PJRT_Error_Code code;
	JAX_CustomCallPartitioner_string error_msg;
} JAX_CustomCallPartitioner_version_and_error;

typedef struct JAX_CustomCallPartitioner_Partition_Args {
	JAX_CustomCallPartitioner_version_and_error header;
	size_t num_args;
	JAX_CustomCallPartitioner_aval *op_args;
	JAX_CustomCallPartitioner_aval op_result; /* of several results, a tuple */
	JAX_CustomCallPartitioner_string backend_config;
	/* Returned: the program of one device, and how its arguments and results are sharded. */
	JAX_CustomCallPartitioner_string mlir_module;
	JAX_CustomCallPartitioner_string *args_sharding;
	JAX_CustomCallPartitioner_string result_sharding;
} JAX_CustomCallPartitioner_Partition_Args;

typedef struct JAX_CustomCallPartitioner_Callbacks {
	int64_t version;
	void *private_data;
	void (*dtor)(struct JAX_CustomCallPartitioner_Callbacks *data);
	void (*partition)(struct JAX_CustomCallPartitioner_Callbacks *data,
	                  JAX_CustomCallPartitioner_Partition_Args *args);
	void (*infer_sharding)(struct JAX_CustomCallPartitioner_Callbacks *data, void *args);
	void (*propagate_user_sharding)(struct JAX_CustomCallPartitioner_Callbacks *data, void *args);
	bool can_side_effecting_have_replicated_sharding;
} JAX_CustomCallPartitioner_Callbacks;

typedef struct PJRT_Register_Custom_Partitioner_Args {
	size_t struct_size;
	const char *name; /* lives as long as the call */
	size_t name_size;
	JAX_CustomCallPartitioner_Callbacks *callbacks;
} PJRT_Register_Custom_Partitioner_Args;

typedef struct PJRT_Register_Batch_Partitionable_Args {
	size_t struct_size;
	const char *name;
	size_t name_size;
} PJRT_Register_Batch_Partitionable_Args;

typedef struct PJRT_Custom_Partitioner_Extension {
	PJRT_Extension_Base base;
	PJRT_Error *(*register_custom_partitioner)(PJRT_Register_Custom_Partitioner_Args *);
	PJRT_Error *(*register_batch_partitionable)(PJRT_Register_Batch_Partitionable_Args *);
} PJRT_Custom_Partitioner_Extension;

#endif
