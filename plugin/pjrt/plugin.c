/* plugin.c - the table of functions, and what the plugin says of itself. */
#include "plugin.h"

#include <string.h>

/* A gap says which one it is. */
#define PJRT(name, bytes, ...)
#define PJRT_NOT(name, bytes, ...)                                                                 \
	static PJRT_Error *pjrt_##name(PJRT_##name##_Args *args)                                   \
	{                                                                                          \
		(void)args;                                                                        \
		return error_new(PJRT_Error_Code_UNIMPLEMENTED,                                    \
		                 "tessera: PJRT_" #name " is not implemented");                    \
	}
#include "functions.def"
#undef PJRT_NOT
#undef PJRT

PJRT_Error *pjrt_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args)
{
	(void)args;
	return NULL;
}

#define NAMED(text) .struct_size = sizeof(PJRT_NamedValue), .name = text, .name_size = sizeof text - 1

/* Programs come as portable artifacts of this version of StableHLO, or of an older one. */
PJRT_Error *pjrt_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args)
{
	static const int64_t current[] = {1, 20, 0}, oldest[] = {0, 9, 0};
	static const PJRT_NamedValue attributes[] = {
	    {NAMED("xla_version"), .type = PJRT_NamedValue_kInt64, .int64_value = 2,
	     .value_size = 1},
	    {NAMED("stablehlo_current_version"), .type = PJRT_NamedValue_kInt64List,
	     .int64_array_value = current, .value_size = 3},
	    {NAMED("stablehlo_minimum_version"), .type = PJRT_NamedValue_kInt64List,
	     .int64_array_value = oldest, .value_size = 3},
	};
	args->attributes = attributes;
	args->num_attributes = COUNT(attributes);
	return NULL;
}

#define PJRT(name, bytes, ...) .name = pjrt_##name,
#define PJRT_NOT PJRT
static PJRT_Api api = {
    .struct_size = sizeof api,
    .pjrt_api_version = {.struct_size = sizeof(PJRT_Api_Version),
                         .major_version = PJRT_API_MAJOR,
                         .minor_version = PJRT_API_MINOR},
#include "functions.def"
};
#undef PJRT_NOT
#undef PJRT

__attribute__((visibility("default"))) const PJRT_Api *GetPjrtApi(void);

const PJRT_Api *GetPjrtApi(void)
{
	shardings_extension.base.next = &layouts_extension.base;
	layouts_extension.base.next = &partitioner_extension.base;
	api.extension_start = &shardings_extension.base;
	return &api;
}
