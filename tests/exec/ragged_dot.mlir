// RUN: tess eval %s --quiet
// Products of ragged rows: each group of rows meets a matrix of its own, or makes one.

func.func @main() {
  %l = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %r = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>
  %sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  // Rows 1 and 2 meet the second matrix, which exchanges their elements.
  %0 = "chlo.ragged_dot"(%l, %r, %sizes) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<2x2x2xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0], [4.0, 3.0], [6.0, 5.0]]> : tensor<3x2xf32>
  // The rows are summed, each group for itself: [1 2]' [1 2] and [3 4]' [3 4] + [5 6]' [5 6].
  %1 = "chlo.ragged_dot"(%l, %l, %sizes) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2x2xf32>
  check.expect_eq_const %1, dense<[[[1.0, 2.0], [2.0, 4.0]], [[34.0, 42.0], [42.0, 52.0]]]> : tensor<2x2x2xf32>
  // The same for two matrices at once, with sizes for each.
  %l1 = stablehlo.reshape %l : (tensor<3x2xf32>) -> tensor<1x3x2xf32>
  %lb = stablehlo.concatenate %l1, %l1, dim = 0 : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  %sizes2 = stablehlo.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>
  %2 = "chlo.ragged_dot"(%lb, %lb, %sizes2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>}> : (tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<2x2x2x2xf32>
  check.expect_eq_const %2, dense<[[[[1.0, 2.0], [2.0, 4.0]], [[35.0, 44.0], [44.0, 56.0]]], [[[34.0, 42.0], [42.0, 52.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x2x2x2xf32>
  return
}
