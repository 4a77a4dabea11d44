// RUN: tess eval %s --quiet
// Strides, padding, dilations, reversal, feature groups.

func.func @main() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
  %k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x4x1xf32>
  check.expect_eq_const %0, dense<[[[21.0], [32.0], [43.0], [4.0]]]> : tensor<1x4x1xf32>

  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {stride = [2], reverse = [true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %1, dense<[[[12.0], [34.0]]]> : tensor<1x2x1xf32>

  // holes in the input: 1 . 2 . 3 . 4
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x6x1xf32>
  check.expect_eq_const %2, dense<[[[1.0], [20.0], [2.0], [30.0], [3.0], [40.0]]]> : tensor<1x6x1xf32>

  // two features, each with a kernel of its own
  %y = stablehlo.constant dense<[[[1.0, 5.0], [2.0, 6.0]]]> : tensor<1x2x2xf32>
  %w = stablehlo.constant dense<[[[1.0, 100.0]], [[10.0, 1000.0]]]> : tensor<2x1x2xf32>
  %3 = stablehlo.convolution(%y, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
      : (tensor<1x2x2xf32>, tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
  check.expect_eq_const %3, dense<[[[21.0, 6500.0]]]> : tensor<1x1x2xf32>
  return
}
