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
  // The gradient with respect to a kernel: the image's batch is summed up, and the padding shows
  // in the result.  Batch 0 is 1 2 3, batch 1 is 4 5 6; the other side 1 10 100 and 1 1 1.
  %p = stablehlo.constant dense<[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]> : tensor<2x3x1xf32>
  %q = stablehlo.constant dense<[[[1.0], [10.0], [100.0]], [[1.0], [1.0], [1.0]]]> : tensor<2x3x1xf32>
  %10 = stablehlo.convolution(%p, %q) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<3x1x1xf32>
  check.expect_eq_const %10, dense<[[[219.0]], [[336.0]], [[43.0]]]> : tensor<3x1x1xf32>

  // Features outermost in memory, padding that cuts off, and a result of another layout.
  %11 = stablehlo.convolution(%p, %q) dim_numbers = [b, 0, f]x[o, 0, i]->[f, 0, b], window = {pad = [[-1, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %11, dense<[[[32.0, 65.0], [3.0, 6.0]], [[5.0, 11.0], [3.0, 6.0]]]> : tensor<2x2x2xf32>

  // Narrow types: summed wide, rounded once.
  %pb = stablehlo.convert %p : (tensor<2x3x1xf32>) -> tensor<2x3x1xbf16>
  %qb = stablehlo.convert %q : (tensor<2x3x1xf32>) -> tensor<2x3x1xbf16>
  %12 = stablehlo.convolution(%pb, %qb) dim_numbers = [b, 0, f]x[o, 0, i]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x3x1xbf16>, tensor<2x3x1xbf16>) -> tensor<2x1x2xbf16>
  %13 = stablehlo.convert %12 : (tensor<2x1x2xbf16>) -> tensor<2x1x2xf32>
  check.expect_eq_const %13, dense<[[[320.0, 6.0]], [[656.0, 15.0]]]> : tensor<2x1x2xf32>

  // A kernel that is the same at every tap, as the gradient of a mean over the image is: 10 and 1.
  %line = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %row = stablehlo.constant dense<[[10.0, 1.0]]> : tensor<1x2xf32>
  %same = stablehlo.broadcast_in_dim %row, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<2x1x2xf32>
  %14 = stablehlo.convolution(%line, %same) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x3x1xf32>, tensor<2x1x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %14, dense<[[[30.0, 3.0], [50.0, 5.0]]]> : tensor<1x2x2xf32>
  return
}
