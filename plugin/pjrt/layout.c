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

/* ---- the order of a result ---------------------------------------------------------------------- */

static int64_t *default_order(int rank)
{
	int64_t *order = malloc(sizeof *order * ((size_t)rank + 1));
	for (int i = 0; order && i < rank; i++)
		order[i] = rank - 1 - i;
	return order;
}

/* Dimension d of what is transposed is dimension permutation[d] of the operand. */
static void order_transposed(int64_t *order, int rank, const int64_t *permutation)
{
	for (int i = 0; i < rank; i++) {
		int d = 0;
		while (d < rank - 1 && permutation[d] != order[i])
			d++;
		order[i] = d;
	}
}

static const tess_value *source_of(const tess_value *v)
{
	const tess_op *o = tess_value_op(v);
	return o ? tess_op_operand(o, 0) : NULL;
}

static bool is_transpose(const tess_op *o) { return o && tess_op_is(o, "stablehlo.transpose"); }

static bool keeps_order(const tess_op *o)
{
	return o && (tess_op_is(o, "sdy.sharding_constraint") || tess_op_is(o, "stablehlo.convert"));
}

/* From the result back to an argument: first the order of that, then what each transposition makes of
 * it.  Programs are deep, so that this must not call itself without end. */
static bool follow(const PJRT_Executable *x, const tess_value *v, int64_t *order, int rank, int depth)
{
	const tess_op *o = tess_value_op(v);
	if (!o) {
		size_t i = tess_value_index(v);
		if (i < (size_t)x->n_arguments && x->arguments[i].order)
			memcpy(order, x->arguments[i].order, sizeof *order * (size_t)rank);
		return i < (size_t)x->n_arguments;
	}
	if (depth == 64 || !(is_transpose(o) || keeps_order(o)) ||
	    !follow(x, source_of(v), order, rank, depth + 1))
		return false;
	size_t n = 0;
	const int64_t *permutation =
	    is_transpose(o) ? tess_attr_get_numbers(x->ctx, tess_op_attr(o, "permutation"), &n) : NULL;
	if (permutation && n == (size_t)rank)
		order_transposed(order, rank, permutation);
	return true;
}

/* Where a result is an argument transposed, the order of the argument, so that no element moves; the
 * default elsewhere. */
int64_t *order_chosen(const PJRT_Executable *x, const tess_op *f, size_t i)
{
	const tess_op *end = tess_block_last(tess_op_body(f, 0));
	const tess_value *v = end ? tess_op_operand(end, i) : NULL;
	int rank = v ? tess_type_rank(tess_value_type(v)) : -1;
	int64_t *order = rank > 0 ? default_order(rank) : NULL;
	if (order && (!follow(x, v, order, rank, 0) || order_is_default(order, rank))) {
		free(order);
		return NULL;
	}
	return order;
}

/* ---- the extension ------------------------------------------------------------------------------ */

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
