/* structs.c - the fields of structured attributes. */
#include "mlir/forms/structs.h"

static const struct_row struct_rows[] = {
    {"stablehlo.gather", true,
     {{"offset_dims", SF_LIST}, {"collapsed_slice_dims", SF_LIST},
      {"operand_batching_dims", SF_LIST},
      {"start_indices_batching_dims", SF_LIST}, {"start_index_map", SF_LIST},
      {"index_vector_dim", SF_INT}}},
    {"stablehlo.scatter", true,
     {{"update_window_dims", SF_LIST}, {"inserted_window_dims", SF_LIST},
      {"input_batching_dims", SF_LIST}, {"scatter_indices_batching_dims", SF_LIST},
      {"scatter_dims_to_operand_dims", SF_LIST}, {"index_vector_dim", SF_INT}}},
    {"stablehlo.dot", true,
     {{"lhs_batching_dimensions", SF_LIST}, {"rhs_batching_dimensions", SF_LIST},
      {"lhs_contracting_dimensions", SF_LIST}, {"rhs_contracting_dimensions", SF_LIST}}},
    {"chlo.ragged_dot", true,
     {{"lhs_batching_dimensions", SF_LIST}, {"rhs_batching_dimensions", SF_LIST},
      {"lhs_contracting_dimensions", SF_LIST}, {"rhs_contracting_dimensions", SF_LIST},
      {"lhs_ragged_dimensions", SF_LIST}, {"rhs_group_dimensions", SF_LIST}}},
    {"stablehlo.dot_algorithm", false,
     {{"lhs_precision_type", SF_TYPE}, {"rhs_precision_type", SF_TYPE},
      {"accumulation_type", SF_TYPE}, {"lhs_component_count", SF_INT},
      {"rhs_component_count", SF_INT}, {"num_primitive_operations", SF_INT},
      {"allow_imprecise_accumulation", SF_BOOL}}},
    {"stablehlo.channel_handle", false, {{"handle", SF_INT}, {"type", SF_INT}}},
    {"stablehlo.output_operand_alias", false,
     {{"output_tuple_indices", SF_LIST}, {"operand_index", SF_INT},
      {"operand_tuple_indices", SF_LIST}}},
    {"stablehlo.type_extensions", false, {{"bounds", SF_LIST}}},
    {"stablehlo.result_accuracy", true,
     {{"atol", SF_FLOAT}, {"rtol", SF_FLOAT}, {"ulps", SF_INT}, {"mode", SF_ATTR}}},
    {"chlo.result_accuracy", true,
     {{"atol", SF_FLOAT}, {"rtol", SF_FLOAT}, {"ulps", SF_INT}, {"mode", SF_ATTR}}},
    {"stablehlo.axis_ref", false, {{"name", SF_STRING}, {"sub_axis_info", SF_SUB_AXIS, true}}},
    {"stablehlo.mesh_axis", false, {{"name", SF_STRING}, {"size", SF_INT}}},
    {"stablehlo.mesh", false, {{"axes", SF_AXES}, {"device_ids", SF_ATTR, true}}, true},
    {"stablehlo.replica_group_mesh_axes", false, {{"mesh", SF_ATTR}, {"axes", SF_ATTR}}},
};

const struct_row struct_conv_row = {
    "stablehlo.conv", true,
    {{"input_batch_dimension", SF_INT}, {"input_feature_dimension", SF_INT},
     {"input_spatial_dimensions", SF_LIST}, {"kernel_input_feature_dimension", SF_INT},
     {"kernel_output_feature_dimension", SF_INT}, {"kernel_spatial_dimensions", SF_LIST},
     {"output_batch_dimension", SF_INT}, {"output_feature_dimension", SF_INT},
     {"output_spatial_dimensions", SF_LIST}}};

const struct_row *struct_row_of(tess_str name)
{
	for (int i = 0; i < COUNT(struct_rows); i++)
		if (str_is(name, struct_rows[i].name))
			return &struct_rows[i];
	return NULL;
}

int struct_fields(const struct_row *row)
{
	int n = 0;
	while (n < COUNT(row->fields) && row->fields[n].kind != SF_END)
		n++;
	return n;
}
