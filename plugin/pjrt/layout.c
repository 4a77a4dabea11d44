/* layout.c - the orders of dimensions in memory, as texts: "{1,0}". */
#include "plugin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PJRT_Layouts_MemoryLayout {
	int rank;
	int64_t minor_to_major[];
};

static PJRT_Layouts_MemoryLayout *layout_new(const int64_t *minor_to_major, int rank)
{
	PJRT_Layouts_MemoryLayout *l = malloc(sizeof *l + sizeof *l->minor_to_major * (size_t)rank);
	if (!l)
		return NULL;
	l->rank = rank;
	for (int i = 0; i < rank; i++)
		l->minor_to_major[i] = minor_to_major ? minor_to_major[i] : rank - 1 - i;
	return l;
}

static PJRT_Error *layout_destroy(PJRT_Layouts_MemoryLayout_Destroy_Args *args)
{
	free(args->layout);
	return NULL;
}

static void free_text(PJRT_Layouts_SerializedLayout *text) { free(text); }

static PJRT_Error *layout_serialize(PJRT_Layouts_MemoryLayout_Serialize_Args *args)
{
	const PJRT_Layouts_MemoryLayout *l = args->layout;
	size_t room = 3 + (size_t)l->rank * 4, n = 0;
	char *text = malloc(room);
	if (!text)
		return error_no_memory();
	text[n++] = '{';
	for (int i = 0; i < l->rank; i++)
		n += (size_t)snprintf(text + n, room - n, "%s%" PRId64, i ? "," : "",
		                      l->minor_to_major[i]);
	text[n++] = '}';
	args->serialized_bytes = text;
	args->serialized_bytes_size = n;
	args->serialized_layout = (PJRT_Layouts_SerializedLayout *)text;
	args->serialized_layout_deleter = free_text;
	return NULL;
}

static PJRT_Error *client_default(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args)
{
	args->layout = layout_new(NULL, (int)args->num_dims);
	return args->layout ? NULL : error_no_memory();
}

static PJRT_Error *topology_default(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args)
{
	args->layout = layout_new(NULL, (int)args->num_dims);
	return args->layout ? NULL : error_no_memory();
}

static PJRT_Error *buffer_layout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args)
{
	args->layout = layout_new(args->buffer->minor_to_major, args->buffer->rank);
	return args->layout ? NULL : error_no_memory();
}

PJRT_Error *pjrt_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	if (!b->minor_to_major) { /* the room behind the dimensions holds it */
		for (int i = 0; i < b->rank; i++)
			b->dims[b->rank + i] = b->rank - 1 - i;
	}
	args->layout = (PJRT_Buffer_MemoryLayout){
	    .struct_size = sizeof args->layout,
	    .tiled = {.struct_size = sizeof args->layout.tiled,
	              .minor_to_major = b->dims + b->rank,
	              .minor_to_major_size = (size_t)b->rank},
	    .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
	};
	return NULL;
}

/* Those of an executable are the executable's: it keeps the list. */
static PJRT_Error *layouts_of(const port *ports, int n, PJRT_Layouts_MemoryLayout ***kept,
                              PJRT_Layouts_Executable_Layouts_Args *args)
{
	if (!*kept) {
		PJRT_Layouts_MemoryLayout **all = calloc((size_t)n + 1, sizeof *all);
		for (int i = 0; all && i < n; i++)
			all[i] = layout_new(ports[i].order, ports[i].rank);
		*kept = all;
	}
	args->layouts = *kept;
	args->num_layouts = (size_t)n;
	return *kept ? NULL : error_no_memory();
}

static PJRT_Error *output_layouts(PJRT_Layouts_Executable_Layouts_Args *args)
{
	PJRT_Executable *x = args->executable;
	return layouts_of(x->results, x->n_results, &x->result_layouts, args);
}

static PJRT_Error *parameter_layouts(PJRT_Layouts_Executable_Layouts_Args *args)
{
	PJRT_Executable *x = args->executable;
	return layouts_of(x->arguments, x->n_arguments, &x->argument_layouts, args);
}

void layouts_free(PJRT_Layouts_MemoryLayout **all)
{
	for (int i = 0; all && all[i]; i++)
		free(all[i]);
	free(all);
}

PJRT_Layouts_Extension layouts_extension = {
    .base = {sizeof layouts_extension, PJRT_Extension_Type_Layouts, NULL},
    .layout_destroy = layout_destroy,
    .layout_serialize = layout_serialize,
    .client_default = client_default,
    .buffer_layout = buffer_layout,
    .topology_default = topology_default,
    .output_layouts = output_layouts,
    .parameter_layouts = parameter_layouts,
};
