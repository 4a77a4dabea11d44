// RUN: tess eval %s --quiet
// Starts are clamped so that the slice lies inside; collapsed and batching dimensions.

func.func @main() {
  %x = stablehlo.constant dense<[[0, 1, 2], [10, 11, 12], [20, 21, 22]]> : tensor<3x3xi32>
  %i = stablehlo.constant dense<[2, -7, 9]> : tensor<3xi64>
  %rows = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<3xi64>) -> tensor<3x3xi32>
  check.expect_eq_const %rows, dense<[[20, 21, 22], [0, 1, 2], [20, 21, 22]]> : tensor<3x3xi32>

  // one element of each row
  %j = stablehlo.constant dense<[1, 0, 2]> : tensor<3xi64>
  %each = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1],
      index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xi32>, tensor<3xi64>) -> tensor<3x1xi32>
  check.expect_eq_const %each, dense<[[1], [10], [22]]> : tensor<3x1xi32>

  // an unsigned index beyond 2^31 lies after the end
  %k = stablehlo.constant dense<[4000000000]> : tensor<1xui32>
  %last = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [0],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>,
      slice_sizes = array<i64: 1, 3>}> : (tensor<3x3xi32>, tensor<1xui32>) -> tensor<3xi32>
  check.expect_eq_const %last, dense<[20, 21, 22]> : tensor<3xi32>
  return
}
