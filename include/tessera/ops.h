/* tessera/ops.h - a builder for each operation.  Made from the tables of operations by
 * tools/tables: do not edit.
 *
 * See tessera/build.h for what all have in common.  A builder takes, in this order, the
 * types of the results where they do not follow from the operands, the operands, the
 * attributes that must be there, and how many regions there are where that varies.
 * What may also be there is given to tess_op_set_attr() afterwards.  It returns the
 * result if there is exactly one and no region, else the operation.  Regions are empty:
 * see tess_block_new() and tess_build_reducer().
 *
 * Attributes that are words of an enum are given as the word: "LT", "THREE_FRY". */
#ifndef TESSERA_OPS_H
#define TESSERA_OPS_H

#include <tessera/build.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- stablehlo ---- */

/** stablehlo.abs */
TESS_API tess_value *tess_stablehlo_abs(tess_builder *at, tess_value *operand);

/** stablehlo.add */
TESS_API tess_value *tess_stablehlo_add(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.after_all */
TESS_API tess_value *tess_stablehlo_after_all(tess_builder *at, tess_value *const *inputs,
                                              size_t n_inputs);

/** stablehlo.all_gather
 *  May also have channel_handle (struct), use_global_device_ids (unit). */
TESS_API tess_op *tess_stablehlo_all_gather(tess_builder *at, const tess_type *const *results,
                                            size_t n_results, tess_value *const *operands,
                                            size_t n_operands, int64_t all_gather_dim,
                                            const tess_attr *replica_groups);

/** stablehlo.all_reduce; a region to fill: computation
 *  May also have channel_handle (struct), use_global_device_ids (unit). */
TESS_API tess_op *tess_stablehlo_all_reduce(tess_builder *at, const tess_type *const *results,
                                            size_t n_results, tess_value *const *operands,
                                            size_t n_operands, const tess_attr *replica_groups);

/** stablehlo.all_to_all
 *  May also have channel_handle (struct). */
TESS_API tess_op *tess_stablehlo_all_to_all(tess_builder *at, tess_value *const *operands,
                                            size_t n_operands, int64_t concat_dimension,
                                            const tess_attr *replica_groups, int64_t split_count,
                                            int64_t split_dimension);

/** stablehlo.and */
TESS_API tess_value *tess_stablehlo_and(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.async_done */
TESS_API tess_op *tess_stablehlo_async_done(tess_builder *at, const tess_type *const *results,
                                            size_t n_results, tess_value *future);

/** stablehlo.async_start; a region to fill: body */
TESS_API tess_op *tess_stablehlo_async_start(tess_builder *at, const tess_type *future,
                                             tess_value *const *inputs, size_t n_inputs);

/** stablehlo.atan2 */
TESS_API tess_value *tess_stablehlo_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.batch_norm_grad */
TESS_API tess_op *tess_stablehlo_batch_norm_grad(tess_builder *at, tess_value *operand,
                                                 tess_value *scale, tess_value *mean,
                                                 tess_value *variance, tess_value *grad_output,
                                                 double epsilon, int64_t feature_index);

/** stablehlo.batch_norm_inference */
TESS_API tess_value *tess_stablehlo_batch_norm_inference(tess_builder *at, tess_value *operand,
                                                         tess_value *scale, tess_value *offset,
                                                         tess_value *mean, tess_value *variance,
                                                         double epsilon, int64_t feature_index);

/** stablehlo.batch_norm_training */
TESS_API tess_op *tess_stablehlo_batch_norm_training(tess_builder *at, tess_value *operand,
                                                     tess_value *scale, tess_value *offset,
                                                     double epsilon, int64_t feature_index);

/** stablehlo.bitcast_convert */
TESS_API tess_value *tess_stablehlo_bitcast_convert(tess_builder *at, const tess_type *result,
                                                    tess_value *operand);

/** stablehlo.broadcast */
TESS_API tess_value *tess_stablehlo_broadcast(tess_builder *at, tess_value *operand,
                                              const int64_t *broadcast_sizes,
                                              size_t n_broadcast_sizes);

/** stablehlo.broadcast_in_dim */
TESS_API tess_value *tess_stablehlo_broadcast_in_dim(tess_builder *at, const tess_type *result,
                                                     tess_value *operand,
                                                     const int64_t *broadcast_dimensions,
                                                     size_t n_broadcast_dimensions);

/** stablehlo.case; regions to fill: branches */
TESS_API tess_op *tess_stablehlo_case(tess_builder *at, const tess_type *const *results,
                                      size_t n_results, tess_value *index, size_t n_branches);

/** stablehlo.cbrt
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_cbrt(tess_builder *at, tess_value *operand);

/** stablehlo.ceil */
TESS_API tess_value *tess_stablehlo_ceil(tess_builder *at, tess_value *operand);

/** stablehlo.cholesky
 *  May also have lower (bool). */
TESS_API tess_value *tess_stablehlo_cholesky(tess_builder *at, tess_value *a);

/** stablehlo.clamp */
TESS_API tess_value *tess_stablehlo_clamp(tess_builder *at, tess_value *min, tess_value *operand,
                                          tess_value *max);

/** stablehlo.collective_broadcast
 *  May also have channel_handle (struct), has_dynamic_root (unit). */
TESS_API tess_op *tess_stablehlo_collective_broadcast(tess_builder *at,
                                                      const tess_type *const *results,
                                                      size_t n_results,
                                                      tess_value *const *operands,
                                                      size_t n_operands,
                                                      const tess_attr *replica_groups);

/** stablehlo.collective_permute
 *  May also have channel_handle (struct). */
TESS_API tess_op *tess_stablehlo_collective_permute(tess_builder *at, tess_value *const *operands,
                                                    size_t n_operands,
                                                    const tess_attr *source_target_pairs);

/** stablehlo.collective_reduce; a region to fill: computation
 *  May also have channel_handle (struct), has_dynamic_root (unit),
 *  use_global_device_ids (unit). */
TESS_API tess_op *tess_stablehlo_collective_reduce(tess_builder *at,
                                                   const tess_type *const *results,
                                                   size_t n_results, tess_value *const *operands,
                                                   size_t n_operands,
                                                   const tess_attr *replica_groups);

/** stablehlo.compare
 *  May also have compare_type (enum). */
TESS_API tess_value *tess_stablehlo_compare(tess_builder *at, tess_value *lhs, tess_value *rhs,
                                            const char *comparison_direction);

/** stablehlo.complex */
TESS_API tess_value *tess_stablehlo_complex(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.composite
 *  May also have composite_attributes (dictionary), version (i32). */
TESS_API tess_op *tess_stablehlo_composite(tess_builder *at, const tess_type *const *results,
                                           size_t n_results, tess_value *const *inputs,
                                           size_t n_inputs, const char *decomposition,
                                           const char *name);

/** stablehlo.concatenate */
TESS_API tess_value *tess_stablehlo_concatenate(tess_builder *at, tess_value *const *inputs,
                                                size_t n_inputs, int64_t dimension);

/** stablehlo.constant */
TESS_API tess_value *tess_stablehlo_constant(tess_builder *at, const tess_attr *value);

/** stablehlo.convert */
TESS_API tess_value *tess_stablehlo_convert(tess_builder *at, const tess_type *result,
                                            tess_value *operand);

/** stablehlo.convolution
 *  May also have lhs_dilation (numbers), precision_config (array of enums),
 *  rhs_dilation (numbers), window_reversal (array of bools), window_strides (numbers),
 *  padding (elements). */
TESS_API tess_value *tess_stablehlo_convolution(tess_builder *at, const tess_type *result,
                                                tess_value *lhs, tess_value *rhs,
                                                int64_t batch_group_count,
                                                const tess_attr *dimension_numbers,
                                                int64_t feature_group_count);

/** stablehlo.cosine
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_cosine(tess_builder *at, tess_value *operand);

/** stablehlo.count_leading_zeros */
TESS_API tess_value *tess_stablehlo_count_leading_zeros(tess_builder *at, tess_value *operand);

/** stablehlo.create_token */
TESS_API tess_value *tess_stablehlo_create_token(tess_builder *at);

/** stablehlo.cross-replica-sum */
TESS_API tess_value *tess_stablehlo_cross_replica_sum(tess_builder *at, tess_value *operand,
                                                      const tess_attr *replica_groups);

/** stablehlo.custom_call
 *  May also have api_version (i32), backend_config (any), called_computations (array),
 *  has_side_effect (bool), operand_layouts (array), output_operand_aliases (array),
 *  result_layouts (array), result_tilings (array). */
TESS_API tess_op *tess_stablehlo_custom_call(tess_builder *at, const tess_type *const *results,
                                             size_t n_results, tess_value *const *inputs,
                                             size_t n_inputs, const char *call_target_name);

/** stablehlo.divide */
TESS_API tess_value *tess_stablehlo_divide(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.dot
 *  May also have precision_config (array of enums). */
TESS_API tess_value *tess_stablehlo_dot(tess_builder *at, const tess_type *result, tess_value *lhs,
                                        tess_value *rhs);

/** stablehlo.dot_general
 *  May also have algorithm (struct), precision_config (array of enums). */
TESS_API tess_value *tess_stablehlo_dot_general(tess_builder *at, const tess_type *result,
                                                tess_value *lhs, tess_value *rhs,
                                                const tess_attr *dot_dimension_numbers);

/** stablehlo.dynamic_broadcast_in_dim
 *  May also have known_expanding_dimensions (numbers),
 *  known_nonexpanding_dimensions (numbers). */
TESS_API tess_value *tess_stablehlo_dynamic_broadcast_in_dim(tess_builder *at,
                                                             const tess_type *result,
                                                             tess_value *operand,
                                                             tess_value *output_dimensions,
                                                             const int64_t *broadcast_dimensions,
                                                             size_t n_broadcast_dimensions);

/** stablehlo.dynamic_conv
 *  May also have lhs_dilation (numbers), precision_config (array of enums),
 *  rhs_dilation (numbers), window_reversal (array of bools), window_strides (numbers). */
TESS_API tess_value *tess_stablehlo_dynamic_conv(tess_builder *at, const tess_type *result,
                                                 tess_value *lhs, tess_value *rhs,
                                                 tess_value *padding, int64_t batch_group_count,
                                                 const tess_attr *dimension_numbers,
                                                 int64_t feature_group_count);

/** stablehlo.dynamic_gather
 *  May also have indices_are_sorted (bool). */
TESS_API tess_value *tess_stablehlo_dynamic_gather(tess_builder *at, const tess_type *result,
                                                   tess_value *operand, tess_value *start_indices,
                                                   tess_value *slice_sizes,
                                                   const tess_attr *dimension_numbers);

/** stablehlo.dynamic_iota */
TESS_API tess_value *tess_stablehlo_dynamic_iota(tess_builder *at, const tess_type *result,
                                                 tess_value *output_shape, int64_t iota_dimension);

/** stablehlo.dynamic_pad */
TESS_API tess_value *tess_stablehlo_dynamic_pad(tess_builder *at, const tess_type *result,
                                                tess_value *operand, tess_value *padding_value,
                                                tess_value *edge_padding_low,
                                                tess_value *edge_padding_high,
                                                tess_value *interior_padding);

/** stablehlo.dynamic_reshape */
TESS_API tess_value *tess_stablehlo_dynamic_reshape(tess_builder *at, const tess_type *result,
                                                    tess_value *operand, tess_value *output_shape);

/** stablehlo.dynamic_slice */
TESS_API tess_value *tess_stablehlo_dynamic_slice(tess_builder *at, tess_value *operand,
                                                  tess_value *const *start_indices,
                                                  size_t n_start_indices,
                                                  const int64_t *slice_sizes, size_t n_slice_sizes);

/** stablehlo.dynamic_update_slice */
TESS_API tess_value *tess_stablehlo_dynamic_update_slice(tess_builder *at, tess_value *operand,
                                                         tess_value *update,
                                                         tess_value *const *start_indices,
                                                         size_t n_start_indices);

/** stablehlo.einsum */
TESS_API tess_value *tess_stablehlo_einsum(tess_builder *at, const tess_type *result,
                                           tess_value *lhs, tess_value *rhs,
                                           const char *einsum_config);

/** stablehlo.exponential
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_exponential(tess_builder *at, tess_value *operand);

/** stablehlo.exponential_minus_one
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_exponential_minus_one(tess_builder *at, tess_value *operand);

/** stablehlo.fft */
TESS_API tess_value *tess_stablehlo_fft(tess_builder *at, tess_value *operand,
                                        const int64_t *fft_length, size_t n_fft_length,
                                        const char *fft_type);

/** stablehlo.floor */
TESS_API tess_value *tess_stablehlo_floor(tess_builder *at, tess_value *operand);

/** stablehlo.gather
 *  May also have indices_are_sorted (bool). */
TESS_API tess_value *tess_stablehlo_gather(tess_builder *at, tess_value *operand,
                                           tess_value *start_indices,
                                           const tess_attr *dimension_numbers,
                                           const int64_t *slice_sizes, size_t n_slice_sizes);

/** stablehlo.get_dimension_size */
TESS_API tess_value *tess_stablehlo_get_dimension_size(tess_builder *at, tess_value *operand,
                                                       int64_t dimension);

/** stablehlo.get_tuple_element */
TESS_API tess_value *tess_stablehlo_get_tuple_element(tess_builder *at, tess_value *operand,
                                                      int32_t index);

/** stablehlo.if; regions to fill: true_branch, false_branch */
TESS_API tess_op *tess_stablehlo_if(tess_builder *at, const tess_type *const *results,
                                    size_t n_results, tess_value *pred);

/** stablehlo.imag */
TESS_API tess_value *tess_stablehlo_imag(tess_builder *at, tess_value *operand);

/** stablehlo.infeed
 *  May also have infeed_config (string), layout (array). */
TESS_API tess_op *tess_stablehlo_infeed(tess_builder *at, const tess_type *const *results,
                                        size_t n_results, tess_value *token);

/** stablehlo.iota */
TESS_API tess_value *tess_stablehlo_iota(tess_builder *at, const tess_type *output,
                                         int64_t iota_dimension);

/** stablehlo.is_finite */
TESS_API tess_value *tess_stablehlo_is_finite(tess_builder *at, tess_value *operand);

/** stablehlo.log
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_log(tess_builder *at, tess_value *operand);

/** stablehlo.log_plus_one
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_log_plus_one(tess_builder *at, tess_value *operand);

/** stablehlo.logistic
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_logistic(tess_builder *at, tess_value *operand);

/** stablehlo.map; a region to fill: computation */
TESS_API tess_op *tess_stablehlo_map(tess_builder *at, const tess_type *result,
                                     tess_value *const *inputs, size_t n_inputs,
                                     const int64_t *dimensions, size_t n_dimensions);

/** stablehlo.maximum */
TESS_API tess_value *tess_stablehlo_maximum(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.minimum */
TESS_API tess_value *tess_stablehlo_minimum(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.multiply */
TESS_API tess_value *tess_stablehlo_multiply(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.negate */
TESS_API tess_value *tess_stablehlo_negate(tess_builder *at, tess_value *operand);

/** stablehlo.not */
TESS_API tess_value *tess_stablehlo_not(tess_builder *at, tess_value *operand);

/** stablehlo.optimization_barrier */
TESS_API tess_op *tess_stablehlo_optimization_barrier(tess_builder *at, tess_value *const *operand,
                                                      size_t n_operand);

/** stablehlo.or */
TESS_API tess_value *tess_stablehlo_or(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.outfeed
 *  May also have outfeed_config (string). */
TESS_API tess_value *tess_stablehlo_outfeed(tess_builder *at, const tess_type *result,
                                            tess_value *const *inputs, size_t n_inputs,
                                            tess_value *token);

/** stablehlo.pad */
TESS_API tess_value *tess_stablehlo_pad(tess_builder *at, tess_value *operand,
                                        tess_value *padding_value,
                                        const int64_t *edge_padding_high,
                                        size_t n_edge_padding_high,
                                        const int64_t *edge_padding_low, size_t n_edge_padding_low,
                                        const int64_t *interior_padding, size_t n_interior_padding);

/** stablehlo.partition_id */
TESS_API tess_value *tess_stablehlo_partition_id(tess_builder *at);

/** stablehlo.popcnt */
TESS_API tess_value *tess_stablehlo_popcnt(tess_builder *at, tess_value *operand);

/** stablehlo.power */
TESS_API tess_value *tess_stablehlo_power(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.real */
TESS_API tess_value *tess_stablehlo_real(tess_builder *at, tess_value *operand);

/** stablehlo.real_dynamic_slice */
TESS_API tess_value *tess_stablehlo_real_dynamic_slice(tess_builder *at, const tess_type *result,
                                                       tess_value *operand,
                                                       tess_value *start_indices,
                                                       tess_value *limit_indices,
                                                       tess_value *strides);

/** stablehlo.recv
 *  May also have is_host_transfer (bool), source_target_pairs (elements). */
TESS_API tess_op *tess_stablehlo_recv(tess_builder *at, const tess_type *const *results,
                                      size_t n_results, tess_value *token,
                                      const tess_attr *channel_handle);

/** stablehlo.reduce; a region to fill: body */
TESS_API tess_op *tess_stablehlo_reduce(tess_builder *at, const tess_type *const *results,
                                        size_t n_results, tess_value *const *inputs,
                                        size_t n_inputs, tess_value *const *init_values,
                                        size_t n_init_values, const int64_t *dimensions,
                                        size_t n_dimensions);

/** stablehlo.reduce_precision */
TESS_API tess_value *tess_stablehlo_reduce_precision(tess_builder *at, tess_value *operand,
                                                     int32_t exponent_bits, int32_t mantissa_bits);

/** stablehlo.reduce_scatter; a region to fill: computation
 *  May also have channel_handle (struct), use_global_device_ids (unit). */
TESS_API tess_op *tess_stablehlo_reduce_scatter(tess_builder *at, const tess_type *result,
                                                tess_value *operand,
                                                const tess_attr *replica_groups,
                                                int64_t scatter_dimension);

/** stablehlo.reduce_window; a region to fill: body
 *  May also have base_dilations (numbers), padding (elements),
 *  window_dilations (numbers), window_strides (numbers). */
TESS_API tess_op *tess_stablehlo_reduce_window(tess_builder *at, const tess_type *const *results,
                                               size_t n_results, tess_value *const *inputs,
                                               size_t n_inputs, tess_value *const *init_values,
                                               size_t n_init_values,
                                               const int64_t *window_dimensions,
                                               size_t n_window_dimensions);

/** stablehlo.remainder */
TESS_API tess_value *tess_stablehlo_remainder(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.replica_id */
TESS_API tess_value *tess_stablehlo_replica_id(tess_builder *at);

/** stablehlo.reshape */
TESS_API tess_value *tess_stablehlo_reshape(tess_builder *at, const tess_type *result,
                                            tess_value *operand);

/** stablehlo.return */
TESS_API tess_op *tess_stablehlo_return(tess_builder *at, tess_value *const *results,
                                        size_t n_results);

/** stablehlo.reverse */
TESS_API tess_value *tess_stablehlo_reverse(tess_builder *at, tess_value *operand,
                                            const int64_t *dimensions, size_t n_dimensions);

/** stablehlo.rng */
TESS_API tess_value *tess_stablehlo_rng(tess_builder *at, const tess_type *result, tess_value *a,
                                        tess_value *b, tess_value *shape,
                                        const char *rng_distribution);

/** stablehlo.rng_bit_generator */
TESS_API tess_op *tess_stablehlo_rng_bit_generator(tess_builder *at, const tess_type *output_state,
                                                   const tess_type *output,
                                                   tess_value *initial_state,
                                                   const char *rng_algorithm);

/** stablehlo.round_nearest_afz */
TESS_API tess_value *tess_stablehlo_round_nearest_afz(tess_builder *at, tess_value *operand);

/** stablehlo.round_nearest_even */
TESS_API tess_value *tess_stablehlo_round_nearest_even(tess_builder *at, tess_value *operand);

/** stablehlo.rsqrt
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_rsqrt(tess_builder *at, tess_value *operand);

/** stablehlo.scatter; a region to fill: update_computation
 *  May also have indices_are_sorted (bool), unique_indices (bool). */
TESS_API tess_op *tess_stablehlo_scatter(tess_builder *at, const tess_type *const *results,
                                         size_t n_results, tess_value *const *inputs,
                                         size_t n_inputs, tess_value *scatter_indices,
                                         tess_value *const *updates, size_t n_updates,
                                         const tess_attr *scatter_dimension_numbers);

/** stablehlo.select */
TESS_API tess_value *tess_stablehlo_select(tess_builder *at, tess_value *pred, tess_value *on_true,
                                           tess_value *on_false);

/** stablehlo.select_and_scatter; regions to fill: select, scatter
 *  May also have padding (elements), window_dimensions (numbers),
 *  window_strides (numbers). */
TESS_API tess_op *tess_stablehlo_select_and_scatter(tess_builder *at, const tess_type *result,
                                                    tess_value *operand, tess_value *source,
                                                    tess_value *init_value);

/** stablehlo.send
 *  May also have is_host_transfer (bool), source_target_pairs (elements). */
TESS_API tess_value *tess_stablehlo_send(tess_builder *at, const tess_type *result,
                                         tess_value *const *inputs, size_t n_inputs,
                                         tess_value *token, const tess_attr *channel_handle);

/** stablehlo.set_dimension_size */
TESS_API tess_value *tess_stablehlo_set_dimension_size(tess_builder *at, const tess_type *result,
                                                       tess_value *operand, tess_value *size,
                                                       int64_t dimension);

/** stablehlo.shift_left */
TESS_API tess_value *tess_stablehlo_shift_left(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.shift_right_arithmetic */
TESS_API tess_value *tess_stablehlo_shift_right_arithmetic(tess_builder *at, tess_value *lhs,
                                                           tess_value *rhs);

/** stablehlo.shift_right_logical */
TESS_API tess_value *tess_stablehlo_shift_right_logical(tess_builder *at, tess_value *lhs,
                                                        tess_value *rhs);

/** stablehlo.sign */
TESS_API tess_value *tess_stablehlo_sign(tess_builder *at, tess_value *operand);

/** stablehlo.sine
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_sine(tess_builder *at, tess_value *operand);

/** stablehlo.slice */
TESS_API tess_value *tess_stablehlo_slice(tess_builder *at, tess_value *operand,
                                          const int64_t *limit_indices, size_t n_limit_indices,
                                          const int64_t *start_indices, size_t n_start_indices,
                                          const int64_t *strides, size_t n_strides);

/** stablehlo.sort; a region to fill: comparator
 *  May also have dimension (i64), is_stable (bool). */
TESS_API tess_op *tess_stablehlo_sort(tess_builder *at, const tess_type *const *results,
                                      size_t n_results, tess_value *const *inputs, size_t n_inputs);

/** stablehlo.sqrt
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_sqrt(tess_builder *at, tess_value *operand);

/** stablehlo.subtract */
TESS_API tess_value *tess_stablehlo_subtract(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** stablehlo.tan
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_tan(tess_builder *at, tess_value *operand);

/** stablehlo.tanh
 *  May also have result_accuracy (struct). */
TESS_API tess_value *tess_stablehlo_tanh(tess_builder *at, tess_value *operand);

/** stablehlo.torch_index_select */
TESS_API tess_value *tess_stablehlo_torch_index_select(tess_builder *at, const tess_type *result,
                                                       tess_value *operand, tess_value *index,
                                                       int64_t batch_dims, int64_t dim);

/** stablehlo.transpose */
TESS_API tess_value *tess_stablehlo_transpose(tess_builder *at, tess_value *operand,
                                              const int64_t *permutation, size_t n_permutation);

/** stablehlo.triangular_solve */
TESS_API tess_value *tess_stablehlo_triangular_solve(tess_builder *at, tess_value *a,
                                                     tess_value *b, bool left_side, bool lower,
                                                     const char *transpose_a, bool unit_diagonal);

/** stablehlo.tuple */
TESS_API tess_value *tess_stablehlo_tuple(tess_builder *at, tess_value *const *val, size_t n_val);

/** stablehlo.unary_einsum */
TESS_API tess_value *tess_stablehlo_unary_einsum(tess_builder *at, const tess_type *result,
                                                 tess_value *operand, const char *einsum_config);

/** stablehlo.uniform_dequantize */
TESS_API tess_value *tess_stablehlo_uniform_dequantize(tess_builder *at, tess_value *operand);

/** stablehlo.uniform_quantize */
TESS_API tess_value *tess_stablehlo_uniform_quantize(tess_builder *at, const tess_type *result,
                                                     tess_value *operand);

/** stablehlo.while; regions to fill: cond, body */
TESS_API tess_op *tess_stablehlo_while(tess_builder *at, const tess_type *const *results,
                                       size_t n_results, tess_value *const *operand,
                                       size_t n_operand);

/** stablehlo.xor */
TESS_API tess_value *tess_stablehlo_xor(tess_builder *at, tess_value *lhs, tess_value *rhs);

/* ---- chlo ---- */

/** chlo._asin_acos_kernel */
TESS_API tess_value *tess_chlo_asin_acos_kernel(tess_builder *at, tess_value *operand);

/** chlo.acos */
TESS_API tess_value *tess_chlo_acos(tess_builder *at, tess_value *operand);

/** chlo.acosh */
TESS_API tess_value *tess_chlo_acosh(tess_builder *at, tess_value *operand);

/** chlo.asin */
TESS_API tess_value *tess_chlo_asin(tess_builder *at, tess_value *operand);

/** chlo.asinh */
TESS_API tess_value *tess_chlo_asinh(tess_builder *at, tess_value *operand);

/** chlo.atan */
TESS_API tess_value *tess_chlo_atan(tess_builder *at, tess_value *operand);

/** chlo.atanh */
TESS_API tess_value *tess_chlo_atanh(tess_builder *at, tess_value *operand);

/** chlo.bessel_i1e */
TESS_API tess_value *tess_chlo_bessel_i1e(tess_builder *at, tess_value *operand);

/** chlo.broadcast_add
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_add(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.broadcast_and
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_and(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.broadcast_atan2
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.broadcast_compare
 *  May also have broadcast_dimensions (numbers), compare_type (enum). */
TESS_API tess_value *tess_chlo_broadcast_compare(tess_builder *at, tess_value *lhs,
                                                 tess_value *rhs, const char *comparison_direction);

/** chlo.broadcast_complex
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_complex(tess_builder *at, tess_value *lhs,
                                                 tess_value *rhs);

/** chlo.broadcast_divide
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_divide(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.broadcast_maximum
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_maximum(tess_builder *at, tess_value *lhs,
                                                 tess_value *rhs);

/** chlo.broadcast_minimum
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_minimum(tess_builder *at, tess_value *lhs,
                                                 tess_value *rhs);

/** chlo.broadcast_multiply
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_multiply(tess_builder *at, tess_value *lhs,
                                                  tess_value *rhs);

/** chlo.broadcast_next_after
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_next_after(tess_builder *at, tess_value *lhs,
                                                    tess_value *rhs);

/** chlo.broadcast_or
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_or(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.broadcast_polygamma
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_polygamma(tess_builder *at, tess_value *lhs,
                                                   tess_value *rhs);

/** chlo.broadcast_power
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_power(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.broadcast_remainder
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_remainder(tess_builder *at, tess_value *lhs,
                                                   tess_value *rhs);

/** chlo.broadcast_select */
TESS_API tess_value *tess_chlo_broadcast_select(tess_builder *at, tess_value *pred,
                                                tess_value *on_true, tess_value *on_false);

/** chlo.broadcast_shift_left
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_shift_left(tess_builder *at, tess_value *lhs,
                                                    tess_value *rhs);

/** chlo.broadcast_shift_right_arithmetic
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_shift_right_arithmetic(tess_builder *at, tess_value *lhs,
                                                                tess_value *rhs);

/** chlo.broadcast_shift_right_logical
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_shift_right_logical(tess_builder *at, tess_value *lhs,
                                                             tess_value *rhs);

/** chlo.broadcast_subtract
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_subtract(tess_builder *at, tess_value *lhs,
                                                  tess_value *rhs);

/** chlo.broadcast_xor
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_xor(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.broadcast_zeta
 *  May also have broadcast_dimensions (numbers). */
TESS_API tess_value *tess_chlo_broadcast_zeta(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.conj */
TESS_API tess_value *tess_chlo_conj(tess_builder *at, tess_value *operand);

/** chlo.constant */
TESS_API tess_value *tess_chlo_constant(tess_builder *at, const tess_type *output,
                                        const tess_attr *value);

/** chlo.constant_like */
TESS_API tess_value *tess_chlo_constant_like(tess_builder *at, const tess_type *result,
                                             tess_value *operand, const tess_attr *value);

/** chlo.cosh */
TESS_API tess_value *tess_chlo_cosh(tess_builder *at, tess_value *operand);

/** chlo.digamma */
TESS_API tess_value *tess_chlo_digamma(tess_builder *at, tess_value *operand);

/** chlo.erf */
TESS_API tess_value *tess_chlo_erf(tess_builder *at, tess_value *operand);

/** chlo.erf_inv */
TESS_API tess_value *tess_chlo_erf_inv(tess_builder *at, tess_value *operand);

/** chlo.erfc */
TESS_API tess_value *tess_chlo_erfc(tess_builder *at, tess_value *operand);

/** chlo.is_inf */
TESS_API tess_value *tess_chlo_is_inf(tess_builder *at, tess_value *operand);

/** chlo.is_neg_inf */
TESS_API tess_value *tess_chlo_is_neg_inf(tess_builder *at, tess_value *operand);

/** chlo.is_pos_inf */
TESS_API tess_value *tess_chlo_is_pos_inf(tess_builder *at, tess_value *operand);

/** chlo.lgamma */
TESS_API tess_value *tess_chlo_lgamma(tess_builder *at, tess_value *operand);

/** chlo.mulhi */
TESS_API tess_value *tess_chlo_mulhi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** chlo.next_after */
TESS_API tess_value *tess_chlo_next_after(tess_builder *at, tess_value *x, tess_value *y);

/** chlo.polygamma */
TESS_API tess_value *tess_chlo_polygamma(tess_builder *at, tess_value *n, tess_value *x);

/** chlo.ragged_dot
 *  May also have precision_config (array of enums). */
TESS_API tess_value *tess_chlo_ragged_dot(tess_builder *at, const tess_type *result,
                                          tess_value *lhs, tess_value *rhs,
                                          tess_value *group_sizes,
                                          const tess_attr *ragged_dot_dimension_numbers);

/** chlo.scan; a region to fill: body
 *  May also have is_associative (bool), is_reverse (bool), scan_dim_size (i64). */
TESS_API tess_op *tess_chlo_scan(tess_builder *at, const tess_type *const *outputs,
                                 size_t n_outputs, const tess_type *const *carries,
                                 size_t n_carries, tess_value *const *inputs, size_t n_inputs,
                                 tess_value *const *inits, size_t n_inits, int64_t dimension);

/** chlo.sinh */
TESS_API tess_value *tess_chlo_sinh(tess_builder *at, tess_value *operand);

/** chlo.square */
TESS_API tess_value *tess_chlo_square(tess_builder *at, tess_value *operand);

/** chlo.tan */
TESS_API tess_value *tess_chlo_tan(tess_builder *at, tess_value *operand);

/** chlo.top_k
 *  May also have is_stable (bool). */
TESS_API tess_op *tess_chlo_top_k(tess_builder *at, tess_value *operand, int64_t k);

/** chlo.zeta */
TESS_API tess_value *tess_chlo_zeta(tess_builder *at, tess_value *x, tess_value *q);

/* ---- sdy ---- */

/** sdy.all_gather */
TESS_API tess_value *tess_sdy_all_gather(tess_builder *at, tess_value *tensor,
                                         const tess_attr *gathering_axes,
                                         const tess_sharding *out_sharding);

/** sdy.all_reduce
 *  May also have reduction_op (i32). */
TESS_API tess_value *tess_sdy_all_reduce(tess_builder *at, tess_value *tensor,
                                         const tess_sharding *out_sharding,
                                         const tess_attr *reduction_axes);

/** sdy.all_slice */
TESS_API tess_value *tess_sdy_all_slice(tess_builder *at, tess_value *tensor,
                                        const tess_sharding *out_sharding,
                                        const tess_attr *slicing_axes);

/** sdy.all_to_all */
TESS_API tess_value *tess_sdy_all_to_all(tess_builder *at, tess_value *tensor,
                                         const tess_sharding *out_sharding,
                                         const tess_attr *params);

/** sdy.collective_permute */
TESS_API tess_value *tess_sdy_collective_permute(tess_builder *at, tess_value *tensor,
                                                 const tess_sharding *out_sharding);

/** sdy.constant */
TESS_API tess_value *tess_sdy_constant(tess_builder *at, const tess_type *output,
                                       const tess_attr *value);

/** sdy.data_flow_edge
 *  May also have sharding (sharding). */
TESS_API tess_value *tess_sdy_data_flow_edge(tess_builder *at, tess_value *input);

/** sdy.func_data_flow_edge */
TESS_API tess_value *tess_sdy_func_data_flow_edge(tess_builder *at, tess_value *input);

/** sdy.manual_computation; a region to fill: body */
TESS_API tess_op *tess_sdy_manual_computation(tess_builder *at, const tess_type *const *results,
                                              size_t n_results, tess_value *const *tensors,
                                              size_t n_tensors, const tess_attr *in_shardings,
                                              const tess_attr *manual_axes,
                                              const tess_attr *out_shardings);

/** sdy.mesh */
TESS_API tess_op *tess_sdy_mesh(tess_builder *at, const tess_mesh *mesh, const char *sym_name);

/** sdy.named_computation; a region to fill: body
 *  May also have in_shardings (sharding_per_value), out_shardings (sharding_per_value). */
TESS_API tess_op *tess_sdy_named_computation(tess_builder *at, const tess_type *const *results,
                                             size_t n_results, tess_value *const *operands,
                                             size_t n_operands, const char *name);

/** sdy.propagation_barrier */
TESS_API tess_value *tess_sdy_propagation_barrier(tess_builder *at, tess_value *input,
                                                  int32_t allowed_direction);

/** sdy.reduce_scatter
 *  May also have reduction_op (i32). */
TESS_API tess_value *tess_sdy_reduce_scatter(tess_builder *at, tess_value *tensor,
                                             const tess_sharding *out_sharding,
                                             const tess_attr *reduce_scatter_axes);

/** sdy.replicated_to_unreduced */
TESS_API tess_value *tess_sdy_replicated_to_unreduced(tess_builder *at, tess_value *tensor,
                                                      const tess_attr *axes,
                                                      const tess_sharding *out_sharding);

/** sdy.reshard */
TESS_API tess_value *tess_sdy_reshard(tess_builder *at, tess_value *input,
                                      const tess_sharding *sharding);

/** sdy.return */
TESS_API tess_op *tess_sdy_return(tess_builder *at, tess_value *const *results, size_t n_results);

/** sdy.sharded_to_unreduced */
TESS_API tess_value *tess_sdy_sharded_to_unreduced(tess_builder *at, tess_value *tensor,
                                                   const tess_attr *axes,
                                                   const tess_sharding *out_sharding);

/** sdy.sharding_constraint */
TESS_API tess_value *tess_sdy_sharding_constraint(tess_builder *at, tess_value *input,
                                                  const tess_sharding *sharding);

/** sdy.sharding_group */
TESS_API tess_op *tess_sdy_sharding_group(tess_builder *at, tess_value *input, int64_t group_id);

/* ---- func ---- */

/** func.call
 *  May also have arg_attrs (array), no_inline (unit), res_attrs (array). */
TESS_API tess_op *tess_func_call(tess_builder *at, const tess_type *const *results,
                                 size_t n_results, tess_value *const *operands, size_t n_operands,
                                 const char *callee);

/** func.call_indirect */
TESS_API tess_op *tess_func_call_indirect(tess_builder *at, const tess_type *const *results,
                                          size_t n_results, tess_value *callee,
                                          tess_value *const *callee_operands,
                                          size_t n_callee_operands);

/** func.constant */
TESS_API tess_value *tess_func_constant(tess_builder *at, const tess_type *f, const char *value);

/** func.return */
TESS_API tess_op *tess_func_return(tess_builder *at, tess_value *const *operands,
                                   size_t n_operands);

/* ---- builtin ---- */

/** builtin.unrealized_conversion_cast */
TESS_API tess_op *tess_builtin_unrealized_conversion_cast(tess_builder *at,
                                                          const tess_type *const *outputs,
                                                          size_t n_outputs,
                                                          tess_value *const *inputs,
                                                          size_t n_inputs);

/* ---- check ---- */

/** check.expect_almost_eq
 *  May also have tolerance (any). */
TESS_API tess_op *tess_check_expect_almost_eq(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** check.expect_almost_eq_const
 *  May also have tolerance (any). */
TESS_API tess_op *tess_check_expect_almost_eq_const(tess_builder *at, tess_value *lhs,
                                                    const tess_attr *value);

/** check.expect_close
 *  May also have min_ulp_difference (any). */
TESS_API tess_op *tess_check_expect_close(tess_builder *at, tess_value *actual,
                                          tess_value *expected,
                                          const tess_attr *max_ulp_difference);

/** check.expect_eq */
TESS_API tess_op *tess_check_expect_eq(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** check.expect_eq_const */
TESS_API tess_op *tess_check_expect_eq_const(tess_builder *at, tess_value *lhs,
                                             const tess_attr *value);

/** check.expect_serialized_eq
 *  May also have iteration (any). */
TESS_API tess_op *tess_check_expect_serialized_eq(tess_builder *at, tess_value *expected,
                                                  const char *probe_id);

/* ---- interpreter ---- */

/** interpreter.print */
TESS_API tess_op *tess_interpreter_print(tess_builder *at, tess_value *operand);

/** interpreter.probe */
TESS_API tess_value *tess_interpreter_probe(tess_builder *at, tess_value *operand,
                                            const char *probe_id);

/** interpreter.run_parallel
 *  May also have infeed (any). */
TESS_API tess_op *tess_interpreter_run_parallel(tess_builder *at, const tess_type *const *results,
                                                size_t n_results, tess_value *const *inputs,
                                                size_t n_inputs, const tess_attr *programs);

/* ---- arith ---- */

/** arith.addf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_addf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.addi
 *  May also have overflowFlags (any). */
TESS_API tess_value *tess_arith_addi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.andi */
TESS_API tess_value *tess_arith_andi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.bitcast */
TESS_API tess_value *tess_arith_bitcast(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.ceildivsi */
TESS_API tess_value *tess_arith_ceildivsi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.ceildivui */
TESS_API tess_value *tess_arith_ceildivui(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.cmpf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_cmpf(tess_builder *at, const tess_type *result, tess_value *lhs,
                                     tess_value *rhs, int64_t predicate);

/** arith.cmpi */
TESS_API tess_value *tess_arith_cmpi(tess_builder *at, const tess_type *result, tess_value *lhs,
                                     tess_value *rhs, int64_t predicate);

/** arith.constant */
TESS_API tess_value *tess_arith_constant(tess_builder *at, const tess_type *result,
                                         const tess_attr *value);

/** arith.divf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_divf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.divsi */
TESS_API tess_value *tess_arith_divsi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.divui */
TESS_API tess_value *tess_arith_divui(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.extf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_extf(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.extsi */
TESS_API tess_value *tess_arith_extsi(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.extui */
TESS_API tess_value *tess_arith_extui(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.floordivsi */
TESS_API tess_value *tess_arith_floordivsi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.fptosi */
TESS_API tess_value *tess_arith_fptosi(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.fptoui */
TESS_API tess_value *tess_arith_fptoui(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.index_cast */
TESS_API tess_value *tess_arith_index_cast(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.index_castui */
TESS_API tess_value *tess_arith_index_castui(tess_builder *at, const tess_type *out,
                                             tess_value *in);

/** arith.maximumf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_maximumf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.maxnumf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_maxnumf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.maxsi */
TESS_API tess_value *tess_arith_maxsi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.maxui */
TESS_API tess_value *tess_arith_maxui(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.minimumf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_minimumf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.minnumf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_minnumf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.minsi */
TESS_API tess_value *tess_arith_minsi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.minui */
TESS_API tess_value *tess_arith_minui(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.mulf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_mulf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.muli
 *  May also have overflowFlags (any). */
TESS_API tess_value *tess_arith_muli(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.negf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_negf(tess_builder *at, tess_value *operand);

/** arith.ori */
TESS_API tess_value *tess_arith_ori(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.remf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_remf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.remsi */
TESS_API tess_value *tess_arith_remsi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.remui */
TESS_API tess_value *tess_arith_remui(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.select */
TESS_API tess_value *tess_arith_select(tess_builder *at, const tess_type *result,
                                       tess_value *condition, tess_value *true_value,
                                       tess_value *false_value);

/** arith.shli
 *  May also have overflowFlags (any). */
TESS_API tess_value *tess_arith_shli(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.shrsi */
TESS_API tess_value *tess_arith_shrsi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.shrui */
TESS_API tess_value *tess_arith_shrui(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.sitofp */
TESS_API tess_value *tess_arith_sitofp(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.subf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_arith_subf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.subi
 *  May also have overflowFlags (any). */
TESS_API tess_value *tess_arith_subi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** arith.truncf */
TESS_API tess_value *tess_arith_truncf(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.trunci
 *  May also have overflowFlags (any). */
TESS_API tess_value *tess_arith_trunci(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.uitofp */
TESS_API tess_value *tess_arith_uitofp(tess_builder *at, const tess_type *out, tess_value *in);

/** arith.xori */
TESS_API tess_value *tess_arith_xori(tess_builder *at, tess_value *lhs, tess_value *rhs);

/* ---- tensor ---- */

/** tensor.cast */
TESS_API tess_value *tess_tensor_cast(tess_builder *at, const tess_type *cast, tess_value *source);

/** tensor.dim */
TESS_API tess_value *tess_tensor_dim(tess_builder *at, const tess_type *dim, tess_value *source,
                                     tess_value *index);

/** tensor.empty */
TESS_API tess_value *tess_tensor_empty(tess_builder *at, const tess_type *result,
                                       tess_value *const *dynamic_sizes, size_t n_dynamic_sizes);

/** tensor.extract */
TESS_API tess_value *tess_tensor_extract(tess_builder *at, const tess_type *extracted,
                                         tess_value *tensor, tess_value *const *indices,
                                         size_t n_indices);

/** tensor.from_elements */
TESS_API tess_value *tess_tensor_from_elements(tess_builder *at, const tess_type *from_elements,
                                               tess_value *const *elements, size_t n_elements);

/** tensor.insert */
TESS_API tess_value *tess_tensor_insert(tess_builder *at, const tess_type *inserted,
                                        tess_value *scalar, tess_value *dest,
                                        tess_value *const *indices, size_t n_indices);

/** tensor.reshape */
TESS_API tess_value *tess_tensor_reshape(tess_builder *at, const tess_type *reshape,
                                         tess_value *source, tess_value *shape);

/* ---- shape ---- */

/** shape.broadcast */
TESS_API tess_value *tess_shape_broadcast(tess_builder *at, const tess_type *result,
                                          tess_value *const *shapes, size_t n_shapes);

/** shape.concat */
TESS_API tess_value *tess_shape_concat(tess_builder *at, const tess_type *result, tess_value *lhs,
                                       tess_value *rhs);

/** shape.const_shape */
TESS_API tess_value *tess_shape_const_shape(tess_builder *at, const tess_type *result,
                                            const tess_attr *shape);

/** shape.cstr_broadcastable */
TESS_API tess_value *tess_shape_cstr_broadcastable(tess_builder *at, const tess_type *result,
                                                   tess_value *const *shapes, size_t n_shapes);

/** shape.cstr_eq */
TESS_API tess_value *tess_shape_cstr_eq(tess_builder *at, const tess_type *result,
                                        tess_value *const *shapes, size_t n_shapes);

/** shape.num_elements */
TESS_API tess_value *tess_shape_num_elements(tess_builder *at, const tess_type *result,
                                             tess_value *shape);

/** shape.shape_of */
TESS_API tess_value *tess_shape_shape_of(tess_builder *at, const tess_type *result,
                                         tess_value *arg);

/** shape.to_extent_tensor */
TESS_API tess_value *tess_shape_to_extent_tensor(tess_builder *at, const tess_type *result,
                                                 tess_value *input);

/** shape.value_as_shape */
TESS_API tess_value *tess_shape_value_as_shape(tess_builder *at, const tess_type *result,
                                               tess_value *arg);

/* ---- cf ---- */

/** cf.assert */
TESS_API tess_op *tess_cf_assert(tess_builder *at, tess_value *arg, const char *msg);

/* ---- complex ---- */

/** complex.add
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_add(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** complex.atan2
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** complex.cos
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_cos(tess_builder *at, tess_value *operand);

/** complex.div
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_div(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** complex.exp
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_exp(tess_builder *at, tess_value *operand);

/** complex.log
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_log(tess_builder *at, tess_value *operand);

/** complex.log1p
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_log1p(tess_builder *at, tess_value *operand);

/** complex.mul
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_mul(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** complex.neg
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_neg(tess_builder *at, tess_value *operand);

/** complex.pow
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_pow(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** complex.rsqrt
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_rsqrt(tess_builder *at, tess_value *operand);

/** complex.sign
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_sign(tess_builder *at, tess_value *operand);

/** complex.sin
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_sin(tess_builder *at, tess_value *operand);

/** complex.sqrt
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_sqrt(tess_builder *at, tess_value *operand);

/** complex.sub
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_sub(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** complex.tan
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_tan(tess_builder *at, tess_value *operand);

/** complex.tanh
 *  May also have fastmath (any). */
TESS_API tess_value *tess_complex_tanh(tess_builder *at, tess_value *operand);

/* ---- math ---- */

/** math.absf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_absf(tess_builder *at, tess_value *operand);

/** math.absi */
TESS_API tess_value *tess_math_absi(tess_builder *at, tess_value *operand);

/** math.acos
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_acos(tess_builder *at, tess_value *operand);

/** math.acosh
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_acosh(tess_builder *at, tess_value *operand);

/** math.asin
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_asin(tess_builder *at, tess_value *operand);

/** math.asinh
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_asinh(tess_builder *at, tess_value *operand);

/** math.atan
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_atan(tess_builder *at, tess_value *operand);

/** math.atan2
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_atan2(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** math.atanh
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_atanh(tess_builder *at, tess_value *operand);

/** math.cbrt
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_cbrt(tess_builder *at, tess_value *operand);

/** math.ceil
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_ceil(tess_builder *at, tess_value *operand);

/** math.copysign
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_copysign(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** math.cos
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_cos(tess_builder *at, tess_value *operand);

/** math.cosh
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_cosh(tess_builder *at, tess_value *operand);

/** math.ctlz */
TESS_API tess_value *tess_math_ctlz(tess_builder *at, tess_value *operand);

/** math.ctpop */
TESS_API tess_value *tess_math_ctpop(tess_builder *at, tess_value *operand);

/** math.cttz */
TESS_API tess_value *tess_math_cttz(tess_builder *at, tess_value *operand);

/** math.erf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_erf(tess_builder *at, tess_value *operand);

/** math.erfc
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_erfc(tess_builder *at, tess_value *operand);

/** math.exp
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_exp(tess_builder *at, tess_value *operand);

/** math.exp2
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_exp2(tess_builder *at, tess_value *operand);

/** math.expm1
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_expm1(tess_builder *at, tess_value *operand);

/** math.floor
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_floor(tess_builder *at, tess_value *operand);

/** math.ipowi */
TESS_API tess_value *tess_math_ipowi(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** math.log
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_log(tess_builder *at, tess_value *operand);

/** math.log10
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_log10(tess_builder *at, tess_value *operand);

/** math.log1p
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_log1p(tess_builder *at, tess_value *operand);

/** math.log2
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_log2(tess_builder *at, tess_value *operand);

/** math.powf
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_powf(tess_builder *at, tess_value *lhs, tess_value *rhs);

/** math.round
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_round(tess_builder *at, tess_value *operand);

/** math.roundeven
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_roundeven(tess_builder *at, tess_value *operand);

/** math.rsqrt
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_rsqrt(tess_builder *at, tess_value *operand);

/** math.sin
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_sin(tess_builder *at, tess_value *operand);

/** math.sinh
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_sinh(tess_builder *at, tess_value *operand);

/** math.sqrt
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_sqrt(tess_builder *at, tess_value *operand);

/** math.tan
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_tan(tess_builder *at, tess_value *operand);

/** math.tanh
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_tanh(tess_builder *at, tess_value *operand);

/** math.trunc
 *  May also have fastmath (any). */
TESS_API tess_value *tess_math_trunc(tess_builder *at, tess_value *operand);

/* ---- quant ---- */

/** quant.dcast */
TESS_API tess_value *tess_quant_dcast(tess_builder *at, const tess_type *result, tess_value *input);

/** quant.qcast */
TESS_API tess_value *tess_quant_qcast(tess_builder *at, const tess_type *result, tess_value *input);

/** quant.scast */
TESS_API tess_value *tess_quant_scast(tess_builder *at, const tess_type *result, tess_value *input);

#ifdef __cplusplus
}
#endif
#endif
