/* ops.c - the builders of tessera/ops.h.  Made from the tables of operations by
 * tools/tables: do not edit. */
#include "api/build.h"

#include <tessera/ops.h>

tess_value *tess_stablehlo_abs(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_ABS);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_add(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ADD);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_after_all(tess_builder *at, tess_value *const *inputs, size_t n_inputs)
{
	op_call c = call_begin(at, OP_AFTER_ALL);
	call_operands(&c, inputs, n_inputs);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_all_gather(tess_builder *at, const tess_type *const *results,
                                   size_t n_results, tess_value *const *operands,
                                   size_t n_operands, int64_t all_gather_dim,
                                   const tess_attr *replica_groups)
{
	op_call c = call_begin(at, OP_ALL_GATHER);
	call_operands(&c, operands, n_operands);
	call_results(&c, results, n_results);
	call_int(&c, N_all_gather_dim, ATTR_I64, all_gather_dim);
	call_attr_value(&c, N_replica_groups, replica_groups);
	return call_op(&c);
}

tess_op *tess_stablehlo_all_reduce(tess_builder *at, const tess_type *const *results,
                                   size_t n_results, tess_value *const *operands,
                                   size_t n_operands, const tess_attr *replica_groups)
{
	op_call c = call_begin(at, OP_ALL_REDUCE);
	call_operands(&c, operands, n_operands);
	call_results(&c, results, n_results);
	call_attr_value(&c, N_replica_groups, replica_groups);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_op *tess_stablehlo_all_to_all(tess_builder *at, tess_value *const *operands,
                                   size_t n_operands, int64_t concat_dimension,
                                   const tess_attr *replica_groups, int64_t split_count,
                                   int64_t split_dimension)
{
	op_call c = call_begin(at, OP_ALL_TO_ALL);
	call_operands(&c, operands, n_operands);
	call_infer_like_operands(&c);
	call_int(&c, N_concat_dimension, ATTR_I64, concat_dimension);
	call_attr_value(&c, N_replica_groups, replica_groups);
	call_int(&c, N_split_count, ATTR_I64, split_count);
	call_int(&c, N_split_dimension, ATTR_I64, split_dimension);
	return call_op(&c);
}

tess_value *tess_stablehlo_and(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_AND);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_async_done(tess_builder *at, const tess_type *const *results,
                                   size_t n_results, tess_value *future)
{
	op_call c = call_begin(at, OP_ASYNC_DONE);
	call_operands(&c, &future, 1);
	call_results(&c, results, n_results);
	return call_op(&c);
}

tess_op *tess_stablehlo_async_start(tess_builder *at, const tess_type *future,
                                    tess_value *const *inputs, size_t n_inputs)
{
	op_call c = call_begin(at, OP_ASYNC_START);
	call_operands(&c, inputs, n_inputs);
	call_results(&c, &future, 1);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_stablehlo_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ATAN2);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_batch_norm_grad(tess_builder *at, tess_value *operand, tess_value *scale,
                                        tess_value *mean, tess_value *variance,
                                        tess_value *grad_output, double epsilon,
                                        int64_t feature_index)
{
	op_call c = call_begin(at, OP_BATCH_NORM_GRAD);
	call_operands(&c, &operand, 1);
	call_operands(&c, &scale, 1);
	call_operands(&c, &mean, 1);
	call_operands(&c, &variance, 1);
	call_operands(&c, &grad_output, 1);
	call_infer(&c, 3);
	call_float(&c, N_epsilon, epsilon);
	call_int(&c, N_feature_index, ATTR_I64, feature_index);
	return call_op(&c);
}

tess_value *tess_stablehlo_batch_norm_inference(tess_builder *at, tess_value *operand,
                                                tess_value *scale, tess_value *offset,
                                                tess_value *mean, tess_value *variance,
                                                double epsilon, int64_t feature_index)
{
	op_call c = call_begin(at, OP_BATCH_NORM_INFERENCE);
	call_operands(&c, &operand, 1);
	call_operands(&c, &scale, 1);
	call_operands(&c, &offset, 1);
	call_operands(&c, &mean, 1);
	call_operands(&c, &variance, 1);
	call_infer(&c, 1);
	call_float(&c, N_epsilon, epsilon);
	call_int(&c, N_feature_index, ATTR_I64, feature_index);
	return call_value(&c);
}

tess_op *tess_stablehlo_batch_norm_training(tess_builder *at, tess_value *operand,
                                            tess_value *scale, tess_value *offset, double epsilon,
                                            int64_t feature_index)
{
	op_call c = call_begin(at, OP_BATCH_NORM_TRAINING);
	call_operands(&c, &operand, 1);
	call_operands(&c, &scale, 1);
	call_operands(&c, &offset, 1);
	call_infer(&c, 3);
	call_float(&c, N_epsilon, epsilon);
	call_int(&c, N_feature_index, ATTR_I64, feature_index);
	return call_op(&c);
}

tess_value *tess_stablehlo_bitcast_convert(tess_builder *at, const tess_type *result,
                                           tess_value *operand)
{
	op_call c = call_begin(at, OP_BITCAST_CONVERT);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_broadcast(tess_builder *at, tess_value *operand,
                                     const int64_t *broadcast_sizes, size_t n_broadcast_sizes)
{
	op_call c = call_begin(at, OP_BROADCAST);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_ints(&c, N_broadcast_sizes, broadcast_sizes, n_broadcast_sizes);
	return call_value(&c);
}

tess_value *tess_stablehlo_broadcast_in_dim(tess_builder *at, const tess_type *result,
                                            tess_value *operand,
                                            const int64_t *broadcast_dimensions,
                                            size_t n_broadcast_dimensions)
{
	op_call c = call_begin(at, OP_BROADCAST_IN_DIM);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	call_ints(&c, N_broadcast_dimensions, broadcast_dimensions, n_broadcast_dimensions);
	return call_value(&c);
}

tess_op *tess_stablehlo_case(tess_builder *at, const tess_type *const *results, size_t n_results,
                             tess_value *index, size_t n_branches)
{
	op_call c = call_begin(at, OP_CASE);
	call_operands(&c, &index, 1);
	call_results(&c, results, n_results);
	call_regions(&c, n_branches);
	return call_op(&c);
}

tess_value *tess_stablehlo_cbrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CBRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_ceil(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CEIL);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_cholesky(tess_builder *at, tess_value *a)
{
	op_call c = call_begin(at, OP_CHOLESKY);
	call_operands(&c, &a, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_clamp(tess_builder *at, tess_value *min, tess_value *operand,
                                 tess_value *max)
{
	op_call c = call_begin(at, OP_CLAMP);
	call_operands(&c, &min, 1);
	call_operands(&c, &operand, 1);
	call_operands(&c, &max, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_collective_broadcast(tess_builder *at, const tess_type *const *results,
                                             size_t n_results, tess_value *const *operands,
                                             size_t n_operands, const tess_attr *replica_groups)
{
	op_call c = call_begin(at, OP_COLLECTIVE_BROADCAST);
	call_operands(&c, operands, n_operands);
	call_results(&c, results, n_results);
	call_attr_value(&c, N_replica_groups, replica_groups);
	return call_op(&c);
}

tess_op *tess_stablehlo_collective_permute(tess_builder *at, tess_value *const *operands,
                                           size_t n_operands, const tess_attr *source_target_pairs)
{
	op_call c = call_begin(at, OP_COLLECTIVE_PERMUTE);
	call_operands(&c, operands, n_operands);
	call_infer_like_operands(&c);
	call_attr_value(&c, N_source_target_pairs, source_target_pairs);
	return call_op(&c);
}

tess_op *tess_stablehlo_collective_reduce(tess_builder *at, const tess_type *const *results,
                                          size_t n_results, tess_value *const *operands,
                                          size_t n_operands, const tess_attr *replica_groups)
{
	op_call c = call_begin(at, OP_COLLECTIVE_REDUCE);
	call_operands(&c, operands, n_operands);
	call_results(&c, results, n_results);
	call_attr_value(&c, N_replica_groups, replica_groups);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_stablehlo_compare(tess_builder *at, tess_value *lhs, tess_value *rhs,
                                   const char *comparison_direction)
{
	op_call c = call_begin(at, OP_COMPARE);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	call_text(&c, N_comparison_direction, ATTR_ENUM, comparison_direction);
	return call_value(&c);
}

tess_value *tess_stablehlo_complex(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_COMPLEX);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_composite(tess_builder *at, const tess_type *const *results,
                                  size_t n_results, tess_value *const *inputs, size_t n_inputs,
                                  const char *decomposition, const char *name)
{
	op_call c = call_begin(at, OP_COMPOSITE);
	call_operands(&c, inputs, n_inputs);
	call_results(&c, results, n_results);
	call_text(&c, N_decomposition, ATTR_SYMBOL_REF, decomposition);
	call_text(&c, N_name, ATTR_STRING, name);
	return call_op(&c);
}

tess_value *tess_stablehlo_concatenate(tess_builder *at, tess_value *const *inputs,
                                       size_t n_inputs, int64_t dimension)
{
	op_call c = call_begin(at, OP_CONCATENATE);
	call_operands(&c, inputs, n_inputs);
	call_infer(&c, 1);
	call_int(&c, N_dimension, ATTR_I64, dimension);
	return call_value(&c);
}

tess_value *tess_stablehlo_constant(tess_builder *at, const tess_attr *value)
{
	op_call c = call_begin(at, OP_CONSTANT);
	call_infer(&c, 1);
	call_attr_value(&c, N_value, value);
	return call_value(&c);
}

tess_value *tess_stablehlo_convert(tess_builder *at, const tess_type *result, tess_value *operand)
{
	op_call c = call_begin(at, OP_CONVERT);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_convolution(tess_builder *at, const tess_type *result, tess_value *lhs,
                                       tess_value *rhs, int64_t batch_group_count,
                                       const tess_attr *dimension_numbers,
                                       int64_t feature_group_count)
{
	op_call c = call_begin(at, OP_CONVOLUTION);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_results(&c, &result, 1);
	call_int(&c, N_batch_group_count, ATTR_I64, batch_group_count);
	call_attr_value(&c, N_dimension_numbers, dimension_numbers);
	call_int(&c, N_feature_group_count, ATTR_I64, feature_group_count);
	return call_value(&c);
}

tess_value *tess_stablehlo_cosine(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COSINE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_count_leading_zeros(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COUNT_LEADING_ZEROS);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_create_token(tess_builder *at)
{
	op_call c = call_begin(at, OP_CREATE_TOKEN);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_cross_replica_sum(tess_builder *at, tess_value *operand,
                                             const tess_attr *replica_groups)
{
	op_call c = call_begin(at, OP_CROSS_REPLICA_SUM);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_attr_value(&c, N_replica_groups, replica_groups);
	return call_value(&c);
}

tess_op *tess_stablehlo_custom_call(tess_builder *at, const tess_type *const *results,
                                    size_t n_results, tess_value *const *inputs, size_t n_inputs,
                                    const char *call_target_name)
{
	op_call c = call_begin(at, OP_CUSTOM_CALL);
	call_operands(&c, inputs, n_inputs);
	call_results(&c, results, n_results);
	call_text(&c, N_call_target_name, ATTR_STRING, call_target_name);
	return call_op(&c);
}

tess_value *tess_stablehlo_divide(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_DIVIDE);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_dot(tess_builder *at, const tess_type *result, tess_value *lhs,
                               tess_value *rhs)
{
	op_call c = call_begin(at, OP_DOT);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_dot_general(tess_builder *at, const tess_type *result, tess_value *lhs,
                                       tess_value *rhs, const tess_attr *dot_dimension_numbers)
{
	op_call c = call_begin(at, OP_DOT_GENERAL);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_dot_dimension_numbers, dot_dimension_numbers);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_broadcast_in_dim(tess_builder *at, const tess_type *result,
                                                    tess_value *operand,
                                                    tess_value *output_dimensions,
                                                    const int64_t *broadcast_dimensions,
                                                    size_t n_broadcast_dimensions)
{
	op_call c = call_begin(at, OP_DYNAMIC_BROADCAST_IN_DIM);
	call_operands(&c, &operand, 1);
	call_operands(&c, &output_dimensions, 1);
	call_results(&c, &result, 1);
	call_ints(&c, N_broadcast_dimensions, broadcast_dimensions, n_broadcast_dimensions);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_conv(tess_builder *at, const tess_type *result, tess_value *lhs,
                                        tess_value *rhs, tess_value *padding,
                                        int64_t batch_group_count,
                                        const tess_attr *dimension_numbers,
                                        int64_t feature_group_count)
{
	op_call c = call_begin(at, OP_DYNAMIC_CONV);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_operands(&c, &padding, 1);
	call_results(&c, &result, 1);
	call_int(&c, N_batch_group_count, ATTR_I64, batch_group_count);
	call_attr_value(&c, N_dimension_numbers, dimension_numbers);
	call_int(&c, N_feature_group_count, ATTR_I64, feature_group_count);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_gather(tess_builder *at, const tess_type *result,
                                          tess_value *operand, tess_value *start_indices,
                                          tess_value *slice_sizes,
                                          const tess_attr *dimension_numbers)
{
	op_call c = call_begin(at, OP_DYNAMIC_GATHER);
	call_operands(&c, &operand, 1);
	call_operands(&c, &start_indices, 1);
	call_operands(&c, &slice_sizes, 1);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_dimension_numbers, dimension_numbers);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_iota(tess_builder *at, const tess_type *result,
                                        tess_value *output_shape, int64_t iota_dimension)
{
	op_call c = call_begin(at, OP_DYNAMIC_IOTA);
	call_operands(&c, &output_shape, 1);
	call_results(&c, &result, 1);
	call_int(&c, N_iota_dimension, ATTR_I64, iota_dimension);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_pad(tess_builder *at, const tess_type *result,
                                       tess_value *operand, tess_value *padding_value,
                                       tess_value *edge_padding_low, tess_value *edge_padding_high,
                                       tess_value *interior_padding)
{
	op_call c = call_begin(at, OP_DYNAMIC_PAD);
	call_operands(&c, &operand, 1);
	call_operands(&c, &padding_value, 1);
	call_operands(&c, &edge_padding_low, 1);
	call_operands(&c, &edge_padding_high, 1);
	call_operands(&c, &interior_padding, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_reshape(tess_builder *at, const tess_type *result,
                                           tess_value *operand, tess_value *output_shape)
{
	op_call c = call_begin(at, OP_DYNAMIC_RESHAPE);
	call_operands(&c, &operand, 1);
	call_operands(&c, &output_shape, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_slice(tess_builder *at, tess_value *operand,
                                         tess_value *const *start_indices, size_t n_start_indices,
                                         const int64_t *slice_sizes, size_t n_slice_sizes)
{
	op_call c = call_begin(at, OP_DYNAMIC_SLICE);
	call_operands(&c, &operand, 1);
	call_operands(&c, start_indices, n_start_indices);
	call_infer(&c, 1);
	call_ints(&c, N_slice_sizes, slice_sizes, n_slice_sizes);
	return call_value(&c);
}

tess_value *tess_stablehlo_dynamic_update_slice(tess_builder *at, tess_value *operand,
                                                tess_value *update,
                                                tess_value *const *start_indices,
                                                size_t n_start_indices)
{
	op_call c = call_begin(at, OP_DYNAMIC_UPDATE_SLICE);
	call_operands(&c, &operand, 1);
	call_operands(&c, &update, 1);
	call_operands(&c, start_indices, n_start_indices);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_einsum(tess_builder *at, const tess_type *result, tess_value *lhs,
                                  tess_value *rhs, const char *einsum_config)
{
	op_call c = call_begin(at, OP_EINSUM);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_results(&c, &result, 1);
	call_text(&c, N_einsum_config, ATTR_STRING, einsum_config);
	return call_value(&c);
}

tess_value *tess_stablehlo_exponential(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_EXPONENTIAL);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_exponential_minus_one(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_EXPONENTIAL_MINUS_ONE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_fft(tess_builder *at, tess_value *operand, const int64_t *fft_length,
                               size_t n_fft_length, const char *fft_type)
{
	op_call c = call_begin(at, OP_FFT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_ints(&c, N_fft_length, fft_length, n_fft_length);
	call_text(&c, N_fft_type, ATTR_ENUM, fft_type);
	return call_value(&c);
}

tess_value *tess_stablehlo_floor(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_FLOOR);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_gather(tess_builder *at, tess_value *operand, tess_value *start_indices,
                                  const tess_attr *dimension_numbers, const int64_t *slice_sizes,
                                  size_t n_slice_sizes)
{
	op_call c = call_begin(at, OP_GATHER);
	call_operands(&c, &operand, 1);
	call_operands(&c, &start_indices, 1);
	call_infer(&c, 1);
	call_attr_value(&c, N_dimension_numbers, dimension_numbers);
	call_ints(&c, N_slice_sizes, slice_sizes, n_slice_sizes);
	return call_value(&c);
}

tess_value *tess_stablehlo_get_dimension_size(tess_builder *at, tess_value *operand,
                                              int64_t dimension)
{
	op_call c = call_begin(at, OP_GET_DIMENSION_SIZE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_int(&c, N_dimension, ATTR_I64, dimension);
	return call_value(&c);
}

tess_value *tess_stablehlo_get_tuple_element(tess_builder *at, tess_value *operand, int32_t index)
{
	op_call c = call_begin(at, OP_GET_TUPLE_ELEMENT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_int(&c, N_index, ATTR_I32, index);
	return call_value(&c);
}

tess_op *tess_stablehlo_if(tess_builder *at, const tess_type *const *results, size_t n_results,
                           tess_value *pred)
{
	op_call c = call_begin(at, OP_IF);
	call_operands(&c, &pred, 1);
	call_results(&c, results, n_results);
	call_regions(&c, 2);
	return call_op(&c);
}

tess_value *tess_stablehlo_imag(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_IMAG);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_infeed(tess_builder *at, const tess_type *const *results, size_t n_results,
                               tess_value *token)
{
	op_call c = call_begin(at, OP_INFEED);
	call_operands(&c, &token, 1);
	call_results(&c, results, n_results);
	return call_op(&c);
}

tess_value *tess_stablehlo_iota(tess_builder *at, const tess_type *output, int64_t iota_dimension)
{
	op_call c = call_begin(at, OP_IOTA);
	call_results(&c, &output, 1);
	call_int(&c, N_iota_dimension, ATTR_I64, iota_dimension);
	return call_value(&c);
}

tess_value *tess_stablehlo_is_finite(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_IS_FINITE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_log(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_LOG);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_log_plus_one(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_LOG_PLUS_ONE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_logistic(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_LOGISTIC);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_map(tess_builder *at, const tess_type *result, tess_value *const *inputs,
                            size_t n_inputs, const int64_t *dimensions, size_t n_dimensions)
{
	op_call c = call_begin(at, OP_MAP);
	call_operands(&c, inputs, n_inputs);
	call_results(&c, &result, 1);
	call_ints(&c, N_dimensions, dimensions, n_dimensions);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_stablehlo_maximum(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_MAXIMUM);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_minimum(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_MINIMUM);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_multiply(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_MULTIPLY);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_negate(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_NEGATE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_not(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_NOT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_optimization_barrier(tess_builder *at, tess_value *const *operand,
                                             size_t n_operand)
{
	op_call c = call_begin(at, OP_OPTIMIZATION_BARRIER);
	call_operands(&c, operand, n_operand);
	call_infer_like_operands(&c);
	return call_op(&c);
}

tess_value *tess_stablehlo_or(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_OR);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_outfeed(tess_builder *at, const tess_type *result,
                                   tess_value *const *inputs, size_t n_inputs, tess_value *token)
{
	op_call c = call_begin(at, OP_OUTFEED);
	call_operands(&c, inputs, n_inputs);
	call_operands(&c, &token, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_pad(tess_builder *at, tess_value *operand, tess_value *padding_value,
                               const int64_t *edge_padding_high, size_t n_edge_padding_high,
                               const int64_t *edge_padding_low, size_t n_edge_padding_low,
                               const int64_t *interior_padding, size_t n_interior_padding)
{
	op_call c = call_begin(at, OP_PAD);
	call_operands(&c, &operand, 1);
	call_operands(&c, &padding_value, 1);
	call_infer(&c, 1);
	call_ints(&c, N_edge_padding_high, edge_padding_high, n_edge_padding_high);
	call_ints(&c, N_edge_padding_low, edge_padding_low, n_edge_padding_low);
	call_ints(&c, N_interior_padding, interior_padding, n_interior_padding);
	return call_value(&c);
}

tess_value *tess_stablehlo_partition_id(tess_builder *at)
{
	op_call c = call_begin(at, OP_PARTITION_ID);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_popcnt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_POPCNT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_power(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_POWER);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_real(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_REAL);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_real_dynamic_slice(tess_builder *at, const tess_type *result,
                                              tess_value *operand, tess_value *start_indices,
                                              tess_value *limit_indices, tess_value *strides)
{
	op_call c = call_begin(at, OP_REAL_DYNAMIC_SLICE);
	call_operands(&c, &operand, 1);
	call_operands(&c, &start_indices, 1);
	call_operands(&c, &limit_indices, 1);
	call_operands(&c, &strides, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_recv(tess_builder *at, const tess_type *const *results, size_t n_results,
                             tess_value *token, const tess_attr *channel_handle)
{
	op_call c = call_begin(at, OP_RECV);
	call_operands(&c, &token, 1);
	call_results(&c, results, n_results);
	call_attr_value(&c, N_channel_handle, channel_handle);
	return call_op(&c);
}

tess_op *tess_stablehlo_reduce(tess_builder *at, const tess_type *const *results, size_t n_results,
                               tess_value *const *inputs, size_t n_inputs,
                               tess_value *const *init_values, size_t n_init_values,
                               const int64_t *dimensions, size_t n_dimensions)
{
	op_call c = call_begin(at, OP_REDUCE);
	call_operands(&c, inputs, n_inputs);
	call_operands(&c, init_values, n_init_values);
	call_results(&c, results, n_results);
	call_ints(&c, N_dimensions, dimensions, n_dimensions);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_stablehlo_reduce_precision(tess_builder *at, tess_value *operand,
                                            int32_t exponent_bits, int32_t mantissa_bits)
{
	op_call c = call_begin(at, OP_REDUCE_PRECISION);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_int(&c, N_exponent_bits, ATTR_I32, exponent_bits);
	call_int(&c, N_mantissa_bits, ATTR_I32, mantissa_bits);
	return call_value(&c);
}

tess_op *tess_stablehlo_reduce_scatter(tess_builder *at, const tess_type *result,
                                       tess_value *operand, const tess_attr *replica_groups,
                                       int64_t scatter_dimension)
{
	op_call c = call_begin(at, OP_REDUCE_SCATTER);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_replica_groups, replica_groups);
	call_int(&c, N_scatter_dimension, ATTR_I64, scatter_dimension);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_op *tess_stablehlo_reduce_window(tess_builder *at, const tess_type *const *results,
                                      size_t n_results, tess_value *const *inputs, size_t n_inputs,
                                      tess_value *const *init_values, size_t n_init_values,
                                      const int64_t *window_dimensions, size_t n_window_dimensions)
{
	op_call c = call_begin(at, OP_REDUCE_WINDOW);
	call_operands(&c, inputs, n_inputs);
	call_operands(&c, init_values, n_init_values);
	call_results(&c, results, n_results);
	call_ints(&c, N_window_dimensions, window_dimensions, n_window_dimensions);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_stablehlo_remainder(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_REMAINDER);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_replica_id(tess_builder *at)
{
	op_call c = call_begin(at, OP_REPLICA_ID);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_reshape(tess_builder *at, const tess_type *result, tess_value *operand)
{
	op_call c = call_begin(at, OP_RESHAPE);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_return(tess_builder *at, tess_value *const *results, size_t n_results)
{
	op_call c = call_begin(at, OP_RETURN);
	call_operands(&c, results, n_results);
	return call_op(&c);
}

tess_value *tess_stablehlo_reverse(tess_builder *at, tess_value *operand,
                                   const int64_t *dimensions, size_t n_dimensions)
{
	op_call c = call_begin(at, OP_REVERSE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_ints(&c, N_dimensions, dimensions, n_dimensions);
	return call_value(&c);
}

tess_value *tess_stablehlo_rng(tess_builder *at, const tess_type *result, tess_value *a,
                               tess_value *b, tess_value *shape, const char *rng_distribution)
{
	op_call c = call_begin(at, OP_RNG);
	call_operands(&c, &a, 1);
	call_operands(&c, &b, 1);
	call_operands(&c, &shape, 1);
	call_results(&c, &result, 1);
	call_text(&c, N_rng_distribution, ATTR_ENUM, rng_distribution);
	return call_value(&c);
}

tess_op *tess_stablehlo_rng_bit_generator(tess_builder *at, const tess_type *output_state,
                                          const tess_type *output, tess_value *initial_state,
                                          const char *rng_algorithm)
{
	op_call c = call_begin(at, OP_RNG_BIT_GENERATOR);
	call_operands(&c, &initial_state, 1);
	call_results(&c, &output_state, 1);
	call_results(&c, &output, 1);
	call_text(&c, N_rng_algorithm, ATTR_ENUM, rng_algorithm);
	return call_op(&c);
}

tess_value *tess_stablehlo_round_nearest_afz(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_ROUND_NEAREST_AFZ);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_round_nearest_even(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_ROUND_NEAREST_EVEN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_rsqrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_RSQRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_scatter(tess_builder *at, const tess_type *const *results,
                                size_t n_results, tess_value *const *inputs, size_t n_inputs,
                                tess_value *scatter_indices, tess_value *const *updates,
                                size_t n_updates, const tess_attr *scatter_dimension_numbers)
{
	op_call c = call_begin(at, OP_SCATTER);
	call_operands(&c, inputs, n_inputs);
	call_operands(&c, &scatter_indices, 1);
	call_operands(&c, updates, n_updates);
	call_results(&c, results, n_results);
	call_attr_value(&c, N_scatter_dimension_numbers, scatter_dimension_numbers);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_stablehlo_select(tess_builder *at, tess_value *pred, tess_value *on_true,
                                  tess_value *on_false)
{
	op_call c = call_begin(at, OP_SELECT);
	call_operands(&c, &pred, 1);
	call_operands(&c, &on_true, 1);
	call_operands(&c, &on_false, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_select_and_scatter(tess_builder *at, const tess_type *result,
                                           tess_value *operand, tess_value *source,
                                           tess_value *init_value)
{
	op_call c = call_begin(at, OP_SELECT_AND_SCATTER);
	call_operands(&c, &operand, 1);
	call_operands(&c, &source, 1);
	call_operands(&c, &init_value, 1);
	call_results(&c, &result, 1);
	call_regions(&c, 2);
	return call_op(&c);
}

tess_value *tess_stablehlo_send(tess_builder *at, const tess_type *result,
                                tess_value *const *inputs, size_t n_inputs, tess_value *token,
                                const tess_attr *channel_handle)
{
	op_call c = call_begin(at, OP_SEND);
	call_operands(&c, inputs, n_inputs);
	call_operands(&c, &token, 1);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_channel_handle, channel_handle);
	return call_value(&c);
}

tess_value *tess_stablehlo_set_dimension_size(tess_builder *at, const tess_type *result,
                                              tess_value *operand, tess_value *size,
                                              int64_t dimension)
{
	op_call c = call_begin(at, OP_SET_DIMENSION_SIZE);
	call_operands(&c, &operand, 1);
	call_operands(&c, &size, 1);
	call_results(&c, &result, 1);
	call_int(&c, N_dimension, ATTR_I64, dimension);
	return call_value(&c);
}

tess_value *tess_stablehlo_shift_left(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_SHIFT_LEFT);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_shift_right_arithmetic(tess_builder *at, tess_value *lhs,
                                                  tess_value *rhs)
{
	op_call c = call_begin(at, OP_SHIFT_RIGHT_ARITHMETIC);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_shift_right_logical(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_SHIFT_RIGHT_LOGICAL);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_sign(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_SIGN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_sine(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_SINE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_slice(tess_builder *at, tess_value *operand,
                                 const int64_t *limit_indices, size_t n_limit_indices,
                                 const int64_t *start_indices, size_t n_start_indices,
                                 const int64_t *strides, size_t n_strides)
{
	op_call c = call_begin(at, OP_SLICE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_ints(&c, N_limit_indices, limit_indices, n_limit_indices);
	call_ints(&c, N_start_indices, start_indices, n_start_indices);
	call_ints(&c, N_strides, strides, n_strides);
	return call_value(&c);
}

tess_op *tess_stablehlo_sort(tess_builder *at, const tess_type *const *results, size_t n_results,
                             tess_value *const *inputs, size_t n_inputs)
{
	op_call c = call_begin(at, OP_SORT);
	call_operands(&c, inputs, n_inputs);
	call_results(&c, results, n_results);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_stablehlo_sqrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_SQRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_subtract(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_SUBTRACT);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_tan(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_TAN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_tanh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_TANH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_torch_index_select(tess_builder *at, const tess_type *result,
                                              tess_value *operand, tess_value *index,
                                              int64_t batch_dims, int64_t dim)
{
	op_call c = call_begin(at, OP_TORCH_INDEX_SELECT);
	call_operands(&c, &operand, 1);
	call_operands(&c, &index, 1);
	call_results(&c, &result, 1);
	call_int(&c, N_batch_dims, ATTR_I64, batch_dims);
	call_int(&c, N_dim, ATTR_I64, dim);
	return call_value(&c);
}

tess_value *tess_stablehlo_transpose(tess_builder *at, tess_value *operand,
                                     const int64_t *permutation, size_t n_permutation)
{
	op_call c = call_begin(at, OP_TRANSPOSE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_ints(&c, N_permutation, permutation, n_permutation);
	return call_value(&c);
}

tess_value *tess_stablehlo_triangular_solve(tess_builder *at, tess_value *a, tess_value *b,
                                            bool left_side, bool lower, const char *transpose_a,
                                            bool unit_diagonal)
{
	op_call c = call_begin(at, OP_TRIANGULAR_SOLVE);
	call_operands(&c, &a, 1);
	call_operands(&c, &b, 1);
	call_infer(&c, 1);
	call_int(&c, N_left_side, ATTR_BOOL, left_side);
	call_int(&c, N_lower, ATTR_BOOL, lower);
	call_text(&c, N_transpose_a, ATTR_ENUM, transpose_a);
	call_int(&c, N_unit_diagonal, ATTR_BOOL, unit_diagonal);
	return call_value(&c);
}

tess_value *tess_stablehlo_tuple(tess_builder *at, tess_value *const *val, size_t n_val)
{
	op_call c = call_begin(at, OP_TUPLE);
	call_operands(&c, val, n_val);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_unary_einsum(tess_builder *at, const tess_type *result,
                                        tess_value *operand, const char *einsum_config)
{
	op_call c = call_begin(at, OP_UNARY_EINSUM);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	call_text(&c, N_einsum_config, ATTR_STRING, einsum_config);
	return call_value(&c);
}

tess_value *tess_stablehlo_uniform_dequantize(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_UNIFORM_DEQUANTIZE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_stablehlo_uniform_quantize(tess_builder *at, const tess_type *result,
                                            tess_value *operand)
{
	op_call c = call_begin(at, OP_UNIFORM_QUANTIZE);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_op *tess_stablehlo_while(tess_builder *at, const tess_type *const *results, size_t n_results,
                              tess_value *const *operand, size_t n_operand)
{
	op_call c = call_begin(at, OP_WHILE);
	call_operands(&c, operand, n_operand);
	call_results(&c, results, n_results);
	call_regions(&c, 2);
	return call_op(&c);
}

tess_value *tess_stablehlo_xor(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_XOR);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_asin_acos_kernel(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ASIN_ACOS_KERNEL);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_acos(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ACOS);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_acosh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ACOSH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_asin(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ASIN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_asinh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ASINH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_atan(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ATAN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_atanh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ATANH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_bessel_i1e(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_BESSEL_I1E);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_add(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_ADD);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_and(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_AND);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_ATAN2);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_compare(tess_builder *at, tess_value *lhs, tess_value *rhs,
                                        const char *comparison_direction)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_COMPARE);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	call_text(&c, N_comparison_direction, ATTR_ENUM, comparison_direction);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_complex(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_COMPLEX);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_divide(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_DIVIDE);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_maximum(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_MAXIMUM);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_minimum(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_MINIMUM);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_multiply(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_MULTIPLY);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_next_after(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_NEXT_AFTER);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_or(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_OR);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_polygamma(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_POLYGAMMA);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_power(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_POWER);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_remainder(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_REMAINDER);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_select(tess_builder *at, tess_value *pred, tess_value *on_true,
                                       tess_value *on_false)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_SELECT);
	call_operands(&c, &pred, 1);
	call_operands(&c, &on_true, 1);
	call_operands(&c, &on_false, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_shift_left(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_SHIFT_LEFT);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_shift_right_arithmetic(tess_builder *at, tess_value *lhs,
                                                       tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_SHIFT_RIGHT_ARITHMETIC);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_shift_right_logical(tess_builder *at, tess_value *lhs,
                                                    tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_SHIFT_RIGHT_LOGICAL);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_subtract(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_SUBTRACT);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_xor(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_XOR);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_broadcast_zeta(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_BROADCAST_ZETA);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_conj(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_CONJ);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_constant(tess_builder *at, const tess_type *output, const tess_attr *value)
{
	op_call c = call_begin(at, OP_CHLO_CONSTANT);
	call_results(&c, &output, 1);
	call_attr_value(&c, N_value, value);
	return call_value(&c);
}

tess_value *tess_chlo_constant_like(tess_builder *at, const tess_type *result, tess_value *operand,
                                    const tess_attr *value)
{
	op_call c = call_begin(at, OP_CHLO_CONSTANT_LIKE);
	call_operands(&c, &operand, 1);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_value, value);
	return call_value(&c);
}

tess_value *tess_chlo_cosh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_COSH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_digamma(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_DIGAMMA);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_erf(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ERF);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_erf_inv(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ERF_INV);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_erfc(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_ERFC);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_is_inf(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_IS_INF);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_is_neg_inf(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_IS_NEG_INF);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_is_pos_inf(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_IS_POS_INF);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_lgamma(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_LGAMMA);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_mulhi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHLO_MULHI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_next_after(tess_builder *at, tess_value *x, tess_value *y)
{
	op_call c = call_begin(at, OP_CHLO_NEXT_AFTER);
	call_operands(&c, &x, 1);
	call_operands(&c, &y, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_polygamma(tess_builder *at, tess_value *n, tess_value *x)
{
	op_call c = call_begin(at, OP_CHLO_POLYGAMMA);
	call_operands(&c, &n, 1);
	call_operands(&c, &x, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_ragged_dot(tess_builder *at, const tess_type *result, tess_value *lhs,
                                 tess_value *rhs, tess_value *group_sizes,
                                 const tess_attr *ragged_dot_dimension_numbers)
{
	op_call c = call_begin(at, OP_CHLO_RAGGED_DOT);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_operands(&c, &group_sizes, 1);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_ragged_dot_dimension_numbers, ragged_dot_dimension_numbers);
	return call_value(&c);
}

tess_op *tess_chlo_scan(tess_builder *at, const tess_type *const *outputs, size_t n_outputs,
                        const tess_type *const *carries, size_t n_carries,
                        tess_value *const *inputs, size_t n_inputs, tess_value *const *inits,
                        size_t n_inits, int64_t dimension)
{
	op_call c = call_begin(at, OP_CHLO_SCAN);
	call_operands(&c, inputs, n_inputs);
	call_operands(&c, inits, n_inits);
	call_results(&c, outputs, n_outputs);
	call_results(&c, carries, n_carries);
	call_int(&c, N_dimension, ATTR_I64, dimension);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_chlo_sinh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_SINH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_square(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_SQUARE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_chlo_tan(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_CHLO_TAN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_op *tess_chlo_top_k(tess_builder *at, tess_value *operand, int64_t k)
{
	op_call c = call_begin(at, OP_CHLO_TOP_K);
	call_operands(&c, &operand, 1);
	call_infer(&c, 2);
	call_int(&c, N_k, ATTR_I64, k);
	return call_op(&c);
}

tess_value *tess_chlo_zeta(tess_builder *at, tess_value *x, tess_value *q)
{
	op_call c = call_begin(at, OP_CHLO_ZETA);
	call_operands(&c, &x, 1);
	call_operands(&c, &q, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_sdy_all_gather(tess_builder *at, tess_value *tensor,
                                const tess_attr *gathering_axes, const tess_sharding *out_sharding)
{
	op_call c = call_begin(at, OP_SDY_ALL_GATHER);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_attr_value(&c, N_gathering_axes, gathering_axes);
	call_sharding(&c, N_out_sharding, out_sharding);
	return call_value(&c);
}

tess_value *tess_sdy_all_reduce(tess_builder *at, tess_value *tensor,
                                const tess_sharding *out_sharding, const tess_attr *reduction_axes)
{
	op_call c = call_begin(at, OP_SDY_ALL_REDUCE);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_sharding(&c, N_out_sharding, out_sharding);
	call_attr_value(&c, N_reduction_axes, reduction_axes);
	return call_value(&c);
}

tess_value *tess_sdy_all_slice(tess_builder *at, tess_value *tensor,
                               const tess_sharding *out_sharding, const tess_attr *slicing_axes)
{
	op_call c = call_begin(at, OP_SDY_ALL_SLICE);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_sharding(&c, N_out_sharding, out_sharding);
	call_attr_value(&c, N_slicing_axes, slicing_axes);
	return call_value(&c);
}

tess_value *tess_sdy_all_to_all(tess_builder *at, tess_value *tensor,
                                const tess_sharding *out_sharding, const tess_attr *params)
{
	op_call c = call_begin(at, OP_SDY_ALL_TO_ALL);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_sharding(&c, N_out_sharding, out_sharding);
	call_attr_value(&c, N_params, params);
	return call_value(&c);
}

tess_value *tess_sdy_collective_permute(tess_builder *at, tess_value *tensor,
                                        const tess_sharding *out_sharding)
{
	op_call c = call_begin(at, OP_SDY_COLLECTIVE_PERMUTE);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_sharding(&c, N_out_sharding, out_sharding);
	return call_value(&c);
}

tess_value *tess_sdy_constant(tess_builder *at, const tess_type *output, const tess_attr *value)
{
	op_call c = call_begin(at, OP_SDY_CONSTANT);
	call_results(&c, &output, 1);
	call_attr_value(&c, N_value, value);
	return call_value(&c);
}

tess_value *tess_sdy_data_flow_edge(tess_builder *at, tess_value *input)
{
	op_call c = call_begin(at, OP_SDY_DATA_FLOW_EDGE);
	call_operands(&c, &input, 1);
	call_result_like(&c, input);
	return call_value(&c);
}

tess_value *tess_sdy_func_data_flow_edge(tess_builder *at, tess_value *input)
{
	op_call c = call_begin(at, OP_SDY_FUNC_DATA_FLOW_EDGE);
	call_operands(&c, &input, 1);
	call_result_like(&c, input);
	return call_value(&c);
}

tess_op *tess_sdy_manual_computation(tess_builder *at, const tess_type *const *results,
                                     size_t n_results, tess_value *const *tensors,
                                     size_t n_tensors, const tess_attr *in_shardings,
                                     const tess_attr *manual_axes, const tess_attr *out_shardings)
{
	op_call c = call_begin(at, OP_SDY_MANUAL_COMPUTATION);
	call_operands(&c, tensors, n_tensors);
	call_results(&c, results, n_results);
	call_attr_value(&c, N_in_shardings, in_shardings);
	call_attr_value(&c, N_manual_axes, manual_axes);
	call_attr_value(&c, N_out_shardings, out_shardings);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_op *tess_sdy_mesh(tess_builder *at, const tess_mesh *mesh, const char *sym_name)
{
	op_call c = call_begin(at, OP_SDY_MESH);
	call_mesh(&c, N_mesh, mesh);
	call_text(&c, N_sym_name, ATTR_STRING, sym_name);
	return call_op(&c);
}

tess_op *tess_sdy_named_computation(tess_builder *at, const tess_type *const *results,
                                    size_t n_results, tess_value *const *operands,
                                    size_t n_operands, const char *name)
{
	op_call c = call_begin(at, OP_SDY_NAMED_COMPUTATION);
	call_operands(&c, operands, n_operands);
	call_results(&c, results, n_results);
	call_text(&c, N_name, ATTR_STRING, name);
	call_regions(&c, 1);
	return call_op(&c);
}

tess_value *tess_sdy_propagation_barrier(tess_builder *at, tess_value *input,
                                         int32_t allowed_direction)
{
	op_call c = call_begin(at, OP_SDY_PROPAGATION_BARRIER);
	call_operands(&c, &input, 1);
	call_result_like(&c, input);
	call_int(&c, N_allowed_direction, ATTR_I32, allowed_direction);
	return call_value(&c);
}

tess_value *tess_sdy_reduce_scatter(tess_builder *at, tess_value *tensor,
                                    const tess_sharding *out_sharding,
                                    const tess_attr *reduce_scatter_axes)
{
	op_call c = call_begin(at, OP_SDY_REDUCE_SCATTER);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_sharding(&c, N_out_sharding, out_sharding);
	call_attr_value(&c, N_reduce_scatter_axes, reduce_scatter_axes);
	return call_value(&c);
}

tess_value *tess_sdy_replicated_to_unreduced(tess_builder *at, tess_value *tensor,
                                             const tess_attr *axes,
                                             const tess_sharding *out_sharding)
{
	op_call c = call_begin(at, OP_SDY_REPLICATED_TO_UNREDUCED);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_attr_value(&c, N_axes, axes);
	call_sharding(&c, N_out_sharding, out_sharding);
	return call_value(&c);
}

tess_value *tess_sdy_reshard(tess_builder *at, tess_value *input, const tess_sharding *sharding)
{
	op_call c = call_begin(at, OP_SDY_RESHARD);
	call_operands(&c, &input, 1);
	call_result_like(&c, input);
	call_sharding(&c, N_sharding, sharding);
	return call_value(&c);
}

tess_op *tess_sdy_return(tess_builder *at, tess_value *const *results, size_t n_results)
{
	op_call c = call_begin(at, OP_SDY_RETURN);
	call_operands(&c, results, n_results);
	return call_op(&c);
}

tess_value *tess_sdy_sharded_to_unreduced(tess_builder *at, tess_value *tensor,
                                          const tess_attr *axes, const tess_sharding *out_sharding)
{
	op_call c = call_begin(at, OP_SDY_SHARDED_TO_UNREDUCED);
	call_operands(&c, &tensor, 1);
	call_result_like(&c, tensor);
	call_attr_value(&c, N_axes, axes);
	call_sharding(&c, N_out_sharding, out_sharding);
	return call_value(&c);
}

tess_value *tess_sdy_sharding_constraint(tess_builder *at, tess_value *input,
                                         const tess_sharding *sharding)
{
	op_call c = call_begin(at, OP_SDY_SHARDING_CONSTRAINT);
	call_operands(&c, &input, 1);
	call_result_like(&c, input);
	call_sharding(&c, N_sharding, sharding);
	return call_value(&c);
}

tess_op *tess_sdy_sharding_group(tess_builder *at, tess_value *input, int64_t group_id)
{
	op_call c = call_begin(at, OP_SDY_SHARDING_GROUP);
	call_operands(&c, &input, 1);
	call_int(&c, N_group_id, ATTR_I64, group_id);
	return call_op(&c);
}

tess_op *tess_func_call(tess_builder *at, const tess_type *const *results, size_t n_results,
                        tess_value *const *operands, size_t n_operands, const char *callee)
{
	op_call c = call_begin(at, OP_FUNC_CALL);
	call_operands(&c, operands, n_operands);
	call_results(&c, results, n_results);
	call_text(&c, N_callee, ATTR_SYMBOL_REF, callee);
	return call_op(&c);
}

tess_op *tess_func_call_indirect(tess_builder *at, const tess_type *const *results,
                                 size_t n_results, tess_value *callee,
                                 tess_value *const *callee_operands, size_t n_callee_operands)
{
	op_call c = call_begin(at, OP_CALL_INDIRECT);
	call_operands(&c, &callee, 1);
	call_operands(&c, callee_operands, n_callee_operands);
	call_results(&c, results, n_results);
	return call_op(&c);
}

tess_value *tess_func_constant(tess_builder *at, const tess_type *f, const char *value)
{
	op_call c = call_begin(at, OP_FUNC_CONSTANT);
	call_results(&c, &f, 1);
	call_text(&c, N_value, ATTR_SYMBOL_REF, value);
	return call_value(&c);
}

tess_op *tess_func_return(tess_builder *at, tess_value *const *operands, size_t n_operands)
{
	op_call c = call_begin(at, OP_FUNC_RETURN);
	call_operands(&c, operands, n_operands);
	return call_op(&c);
}

tess_op *tess_builtin_unrealized_conversion_cast(tess_builder *at, const tess_type *const *outputs,
                                                 size_t n_outputs, tess_value *const *inputs,
                                                 size_t n_inputs)
{
	op_call c = call_begin(at, OP_BUILTIN_UNREALIZED_CONVERSION_CAST);
	call_operands(&c, inputs, n_inputs);
	call_results(&c, outputs, n_outputs);
	return call_op(&c);
}

tess_op *tess_check_expect_almost_eq(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHECK_EXPECT_ALMOST_EQ);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	return call_op(&c);
}

tess_op *tess_check_expect_almost_eq_const(tess_builder *at, tess_value *lhs,
                                           const tess_attr *value)
{
	op_call c = call_begin(at, OP_CHECK_EXPECT_ALMOST_EQ_CONST);
	call_operands(&c, &lhs, 1);
	call_attr_value(&c, N_value, value);
	return call_op(&c);
}

tess_op *tess_check_expect_close(tess_builder *at, tess_value *actual, tess_value *expected,
                                 const tess_attr *max_ulp_difference)
{
	op_call c = call_begin(at, OP_CHECK_EXPECT_CLOSE);
	call_operands(&c, &actual, 1);
	call_operands(&c, &expected, 1);
	call_attr_value(&c, N_max_ulp_difference, max_ulp_difference);
	return call_op(&c);
}

tess_op *tess_check_expect_eq(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_CHECK_EXPECT_EQ);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	return call_op(&c);
}

tess_op *tess_check_expect_eq_const(tess_builder *at, tess_value *lhs, const tess_attr *value)
{
	op_call c = call_begin(at, OP_CHECK_EXPECT_EQ_CONST);
	call_operands(&c, &lhs, 1);
	call_attr_value(&c, N_value, value);
	return call_op(&c);
}

tess_op *tess_check_expect_serialized_eq(tess_builder *at, tess_value *expected,
                                         const char *probe_id)
{
	op_call c = call_begin(at, OP_CHECK_EXPECT_SERIALIZED_EQ);
	call_operands(&c, &expected, 1);
	call_text(&c, N_probe_id, ATTR_STRING, probe_id);
	return call_op(&c);
}

tess_op *tess_interpreter_print(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_INTERPRETER_PRINT);
	call_operands(&c, &operand, 1);
	return call_op(&c);
}

tess_value *tess_interpreter_probe(tess_builder *at, tess_value *operand, const char *probe_id)
{
	op_call c = call_begin(at, OP_INTERPRETER_PROBE);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	call_text(&c, N_probe_id, ATTR_STRING, probe_id);
	return call_value(&c);
}

tess_op *tess_interpreter_run_parallel(tess_builder *at, const tess_type *const *results,
                                       size_t n_results, tess_value *const *inputs,
                                       size_t n_inputs, const tess_attr *programs)
{
	op_call c = call_begin(at, OP_INTERPRETER_RUN_PARALLEL);
	call_operands(&c, inputs, n_inputs);
	call_results(&c, results, n_results);
	call_attr_value(&c, N_programs, programs);
	return call_op(&c);
}

tess_value *tess_arith_addf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_ADDF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_addi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_ADDI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_andi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_ANDI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_bitcast(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_BITCAST);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_ceildivsi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_CEILDIVSI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_ceildivui(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_CEILDIVUI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_cmpf(tess_builder *at, const tess_type *result, tess_value *lhs,
                            tess_value *rhs, int64_t predicate)
{
	op_call c = call_begin(at, OP_ARITH_CMPF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_results(&c, &result, 1);
	call_int(&c, N_predicate, ATTR_I64, predicate);
	return call_value(&c);
}

tess_value *tess_arith_cmpi(tess_builder *at, const tess_type *result, tess_value *lhs,
                            tess_value *rhs, int64_t predicate)
{
	op_call c = call_begin(at, OP_ARITH_CMPI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_results(&c, &result, 1);
	call_int(&c, N_predicate, ATTR_I64, predicate);
	return call_value(&c);
}

tess_value *tess_arith_constant(tess_builder *at, const tess_type *result, const tess_attr *value)
{
	op_call c = call_begin(at, OP_ARITH_CONSTANT);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_value, value);
	return call_value(&c);
}

tess_value *tess_arith_divf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_DIVF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_divsi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_DIVSI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_divui(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_DIVUI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_extf(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_EXTF);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_extsi(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_EXTSI);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_extui(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_EXTUI);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_floordivsi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_FLOORDIVSI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_fptosi(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_FPTOSI);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_fptoui(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_FPTOUI);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_index_cast(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_INDEX_CAST);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_index_castui(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_INDEX_CASTUI);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_maximumf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MAXIMUMF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_maxnumf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MAXNUMF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_maxsi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MAXSI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_maxui(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MAXUI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_minimumf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MINIMUMF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_minnumf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MINNUMF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_minsi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MINSI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_minui(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MINUI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_mulf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MULF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_muli(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_MULI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_negf(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_ARITH_NEGF);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_ori(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_ORI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_remf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_REMF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_remsi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_REMSI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_remui(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_REMUI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_select(tess_builder *at, const tess_type *result, tess_value *condition,
                              tess_value *true_value, tess_value *false_value)
{
	op_call c = call_begin(at, OP_ARITH_SELECT);
	call_operands(&c, &condition, 1);
	call_operands(&c, &true_value, 1);
	call_operands(&c, &false_value, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_arith_shli(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_SHLI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_shrsi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_SHRSI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_shrui(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_SHRUI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_sitofp(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_SITOFP);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_subf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_SUBF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_subi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_SUBI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_arith_truncf(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_TRUNCF);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_trunci(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_TRUNCI);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_uitofp(tess_builder *at, const tess_type *out, tess_value *in)
{
	op_call c = call_begin(at, OP_ARITH_UITOFP);
	call_operands(&c, &in, 1);
	call_results(&c, &out, 1);
	return call_value(&c);
}

tess_value *tess_arith_xori(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_ARITH_XORI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_tensor_cast(tess_builder *at, const tess_type *cast, tess_value *source)
{
	op_call c = call_begin(at, OP_TENSOR_CAST);
	call_operands(&c, &source, 1);
	call_results(&c, &cast, 1);
	return call_value(&c);
}

tess_value *tess_tensor_dim(tess_builder *at, const tess_type *dim, tess_value *source,
                            tess_value *index)
{
	op_call c = call_begin(at, OP_TENSOR_DIM);
	call_operands(&c, &source, 1);
	call_operands(&c, &index, 1);
	call_results(&c, &dim, 1);
	return call_value(&c);
}

tess_value *tess_tensor_empty(tess_builder *at, const tess_type *result,
                              tess_value *const *dynamic_sizes, size_t n_dynamic_sizes)
{
	op_call c = call_begin(at, OP_TENSOR_EMPTY);
	call_operands(&c, dynamic_sizes, n_dynamic_sizes);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_tensor_extract(tess_builder *at, const tess_type *extracted, tess_value *tensor,
                                tess_value *const *indices, size_t n_indices)
{
	op_call c = call_begin(at, OP_TENSOR_EXTRACT);
	call_operands(&c, &tensor, 1);
	call_operands(&c, indices, n_indices);
	call_results(&c, &extracted, 1);
	return call_value(&c);
}

tess_value *tess_tensor_from_elements(tess_builder *at, const tess_type *from_elements,
                                      tess_value *const *elements, size_t n_elements)
{
	op_call c = call_begin(at, OP_TENSOR_FROM_ELEMENTS);
	call_operands(&c, elements, n_elements);
	call_results(&c, &from_elements, 1);
	return call_value(&c);
}

tess_value *tess_tensor_insert(tess_builder *at, const tess_type *inserted, tess_value *scalar,
                               tess_value *dest, tess_value *const *indices, size_t n_indices)
{
	op_call c = call_begin(at, OP_TENSOR_INSERT);
	call_operands(&c, &scalar, 1);
	call_operands(&c, &dest, 1);
	call_operands(&c, indices, n_indices);
	call_results(&c, &inserted, 1);
	return call_value(&c);
}

tess_value *tess_tensor_reshape(tess_builder *at, const tess_type *reshape, tess_value *source,
                                tess_value *shape)
{
	op_call c = call_begin(at, OP_TENSOR_RESHAPE);
	call_operands(&c, &source, 1);
	call_operands(&c, &shape, 1);
	call_results(&c, &reshape, 1);
	return call_value(&c);
}

tess_value *tess_shape_broadcast(tess_builder *at, const tess_type *result,
                                 tess_value *const *shapes, size_t n_shapes)
{
	op_call c = call_begin(at, OP_SHAPE_BROADCAST);
	call_operands(&c, shapes, n_shapes);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_shape_concat(tess_builder *at, const tess_type *result, tess_value *lhs,
                              tess_value *rhs)
{
	op_call c = call_begin(at, OP_SHAPE_CONCAT);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_shape_const_shape(tess_builder *at, const tess_type *result,
                                   const tess_attr *shape)
{
	op_call c = call_begin(at, OP_SHAPE_CONST_SHAPE);
	call_results(&c, &result, 1);
	call_attr_value(&c, N_shape, shape);
	return call_value(&c);
}

tess_value *tess_shape_cstr_broadcastable(tess_builder *at, const tess_type *result,
                                          tess_value *const *shapes, size_t n_shapes)
{
	op_call c = call_begin(at, OP_SHAPE_CSTR_BROADCASTABLE);
	call_operands(&c, shapes, n_shapes);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_shape_cstr_eq(tess_builder *at, const tess_type *result,
                               tess_value *const *shapes, size_t n_shapes)
{
	op_call c = call_begin(at, OP_SHAPE_CSTR_EQ);
	call_operands(&c, shapes, n_shapes);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_shape_num_elements(tess_builder *at, const tess_type *result, tess_value *shape)
{
	op_call c = call_begin(at, OP_SHAPE_NUM_ELEMENTS);
	call_operands(&c, &shape, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_shape_shape_of(tess_builder *at, const tess_type *result, tess_value *arg)
{
	op_call c = call_begin(at, OP_SHAPE_SHAPE_OF);
	call_operands(&c, &arg, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_shape_to_extent_tensor(tess_builder *at, const tess_type *result,
                                        tess_value *input)
{
	op_call c = call_begin(at, OP_SHAPE_TO_EXTENT_TENSOR);
	call_operands(&c, &input, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_shape_value_as_shape(tess_builder *at, const tess_type *result, tess_value *arg)
{
	op_call c = call_begin(at, OP_SHAPE_VALUE_AS_SHAPE);
	call_operands(&c, &arg, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_op *tess_cf_assert(tess_builder *at, tess_value *arg, const char *msg)
{
	op_call c = call_begin(at, OP_CF_ASSERT);
	call_operands(&c, &arg, 1);
	call_text(&c, N_msg, ATTR_STRING, msg);
	return call_op(&c);
}

tess_value *tess_complex_add(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_COMPLEX_ADD);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_COMPLEX_ATAN2);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_cos(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_COS);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_div(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_COMPLEX_DIV);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_exp(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_EXP);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_log(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_LOG);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_log1p(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_LOG1P);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_mul(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_COMPLEX_MUL);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_neg(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_NEG);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_pow(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_COMPLEX_POW);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_rsqrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_RSQRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_sign(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_SIGN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_sin(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_SIN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_sqrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_SQRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_sub(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_COMPLEX_SUB);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_tan(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_TAN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_complex_tanh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_COMPLEX_TANH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_absf(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ABSF);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_absi(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ABSI);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_acos(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ACOS);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_acosh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ACOSH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_asin(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ASIN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_asinh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ASINH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_atan(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ATAN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_MATH_ATAN2);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_atanh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ATANH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_cbrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_CBRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_ceil(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_CEIL);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_copysign(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_MATH_COPYSIGN);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_cos(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_COS);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_cosh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_COSH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_ctlz(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_CTLZ);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_ctpop(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_CTPOP);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_cttz(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_CTTZ);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_erf(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ERF);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_erfc(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ERFC);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_exp(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_EXP);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_exp2(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_EXP2);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_expm1(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_EXPM1);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_floor(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_FLOOR);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_ipowi(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_MATH_IPOWI);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_log(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_LOG);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_log10(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_LOG10);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_log1p(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_LOG1P);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_log2(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_LOG2);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_powf(tess_builder *at, tess_value *lhs, tess_value *rhs)
{
	op_call c = call_begin(at, OP_MATH_POWF);
	call_operands(&c, &lhs, 1);
	call_operands(&c, &rhs, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_round(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ROUND);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_roundeven(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_ROUNDEVEN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_rsqrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_RSQRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_sin(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_SIN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_sinh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_SINH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_sqrt(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_SQRT);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_tan(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_TAN);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_tanh(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_TANH);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_math_trunc(tess_builder *at, tess_value *operand)
{
	op_call c = call_begin(at, OP_MATH_TRUNC);
	call_operands(&c, &operand, 1);
	call_infer(&c, 1);
	return call_value(&c);
}

tess_value *tess_quant_dcast(tess_builder *at, const tess_type *result, tess_value *input)
{
	op_call c = call_begin(at, OP_QUANT_DCAST);
	call_operands(&c, &input, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_quant_qcast(tess_builder *at, const tess_type *result, tess_value *input)
{
	op_call c = call_begin(at, OP_QUANT_QCAST);
	call_operands(&c, &input, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}

tess_value *tess_quant_scast(tess_builder *at, const tess_type *result, tess_value *input)
{
	op_call c = call_begin(at, OP_QUANT_SCAST);
	call_operands(&c, &input, 1);
	call_results(&c, &result, 1);
	return call_value(&c);
}
